"""Whether the worst error strikes nearly all rows of a class."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier

from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.evaluation._parameters import take_rows
from skcorrupt.utils import as_table

from ._problem import Problem
from .candidates import Evaluation

NEARLY_ALL = 0.9


def class_struck(problem: Problem, winner: Evaluation | None) -> dict[str, Any]:
    """The class that the worst error strikes most of, as a share of its rows.

    Parameters
    ----------
    problem : Problem
        The search, done.
    winner : Evaluation or None
        The worst error; None where there is none.

    Returns
    -------
    dict
        The class as a text and the share, where that is nearly all; empty else, for a process, for
        errors at serving time, and where the pattern itself says so.
    """
    settings = problem.settings
    if winner is None or settings.apply_to == "test" or not is_classifier(settings.estimator):
        return {}
    candidate, y = winner.candidate, problem.data.y
    pattern = candidate.pattern
    if isinstance(candidate.corruption, CorruptionProcess) or not pattern.n_conditions:
        return {}
    labels = np.asarray(take_rows(y, problem.search_rows))
    rows = as_table(problem.data.X).take(problem.search_rows)
    struck = pattern.mask(rows, labels)
    shares = pd.Series(struck).groupby(labels, sort=True).mean() * candidate.rate
    label, share = max(shares.items(), key=lambda pair: pair[1])
    if share < NEARLY_ALL:
        return {}
    return {"label": repr(getattr(label, "item", lambda: label)()), "share": float(share)}
