"""What tells a search from others that are kept in the same journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Real
from typing import Any

import joblib

from skcorrupt.evaluation import settings_of

from ._fit_data import FitData
from ._search_results import FittedSearch

# what a search finds does not depend on them, or splits, rows and the seed stand for them
LEFT_OUT = frozenset(
    {"journal", "max_time", "n_jobs", "random_state", "refit", "sample_size", "verbose", "cv"}
)
EVALUATIONS, DRAWS, ALTERNATIVES = "evaluations", "draws", "alternatives"
SAMPLED = "on a sample"


def search_settings(params: Mapping[str, Any], data: FitData) -> dict[str, Any]:
    """What tells a search from others, by names that a reader knows.

    Parameters
    ----------
    params : mapping
        Parameters of the search, of which those do not count that make no difference to what is
        found.
    data : FitData
        What was given to `fit`.

    Returns
    -------
    dict
        As `Journal.seed` takes it.
    """
    told = {"system": "search", **{n: v for n, v in _flat(params) if n not in LEFT_OUT}}
    if not isinstance(params["budget"], Real):
        told["budget"] = sorted({float(budget) for budget in params["budget"]})
    of_rows = {"fit parameters": data.fit_params, "score parameters": data.score_params}
    other = told.pop("strategy.search", None)
    settings = settings_of(data.X, data.y, data.groups, told, of_rows)
    return settings | ({} if other is None else {"strategy.search": _of_search(other)})


def _flat(params: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Parameters, those of the space and the strategy by names such as "space.n_bins"."""
    for name, value in params.items():
        nested = name.partition(".")[0] in ("space", "strategy") and hasattr(value, "get_params")
        if nested and not hasattr(value, "cv_results_"):
            yield name, type(value).__name__
            own = value.get_params(deep=False)
            yield from _flat({f"{name}.{key}": each for key, each in own.items()})
        else:
            yield name, value


def _of_search(search: FittedSearch) -> dict[str, str]:
    """A search to start from, of which what it found counts."""
    found = search.cv_results_
    rows = [[*map(str, found[name])] for name in ("pattern", "columns", "target", "rate")]
    scores = [*map(float, found["mean_test_score"])]
    text = f"a search of {len(scores)} candidates"
    return {"text": text, "content": joblib.hash((rows, scores))}
