"""What an adversary does who knows the checks."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.adversarial._kinds import kind_name
from skcorrupt.checks import BaseCheck
from skcorrupt.utils import HeldRows, unheard, warn

COLUMNS = ["kind", "pattern", "columns", "rate", "damage", "corruption"]


def answers_to(
    checks: Sequence[BaseCheck], searches: Sequence[AdversarialCorruptionSearch]
) -> pd.DataFrame:
    """The worst errors that pass all checks, searched anew as the searches were.

    Parameters
    ----------
    checks : sequence of BaseCheck
        Fitted checks.
    searches : sequence of AdversarialCorruptionSearch
        Fitted searches, left as they are. Those that let go of their data, or read it in parts,
        cannot be repeated.

    Returns
    -------
    DataFrame
        A row a search that could be repeated, the most harmful first; where no error passes, the
        damage is 0 and there is no error.
    """
    rows = []
    for search in searches:
        data = getattr(search, "_data", None)
        if data is None or not hasattr(search.estimator, "predict"):
            continue
        # tables in parts are searched without checks
        if isinstance(data.X, HeldRows):
            continue
        # a clone would unfit a model that is served as it is
        again = unheard(copy.copy(search)).set_params(
            checks=[*(search.checks or ()), *checks], journal=None, random_state=search.seed_,
            verbose=0, refit=False,
        )  # fmt: skip
        with warnings.catch_warnings():
            # what is to be said of its settings was said of the first search
            warnings.simplefilter("ignore")
            again.fit(data.X, data.y, groups=data.groups, **_params(data))
        if again.interrupted_:
            warn(
                "The search for errors that pass the checks was ended early, so that "
                "adaptive_damage_ may be too small; pass a search with a longer max_time."
            )
        rows.append(_answer(again))
    found = pd.DataFrame(rows, columns=COLUMNS)
    return found.sort_values("damage", ascending=False, kind="stable", ignore_index=True)


def _params(data: Any) -> dict[str, Any]:
    """What was passed to `fit` beside the data; what goes to both is there twice."""
    return {**data.score_params, **data.fit_params}


def _answer(search: AdversarialCorruptionSearch) -> dict[str, Any]:
    error = search.worst_corruption_
    if error is None:
        return dict.fromkeys(COLUMNS) | {"damage": 0.0}
    # members of a process have rates of their own
    rate = getattr(error, "rate", None)
    return {
        "kind": kind_name(error),
        "pattern": str(search.worst_pattern_),
        "columns": tuple(search.worst_columns_),
        "rate": np.nan if rate is None else float(rate),
        "damage": max(0.0, float(search.score_drop_)),
        "corruption": error,
    }
