"""What tells a search from others that are kept in the same journal."""

from __future__ import annotations

from numbers import Real
from typing import Any

import joblib

from skcorrupt.evaluation import settings_of

# what a search finds does not depend on them, or splits and the seed stand for them
LEFT_OUT = frozenset({"journal", "n_jobs", "random_state", "refit", "verbose", "cv"})
EVALUATIONS, DRAWS = "evaluations", "draws"


def search_settings(search: Any, data: Any) -> dict[str, Any]:
    """What tells a search from others, by names that a reader knows.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        Its parameters count, but for those that make no difference to what is found.
    data : FitData
        What was given to `fit`.

    Returns
    -------
    dict
        As `Journal.seed` takes it.
    """
    params = {
        name: value for name, value in search.get_params(deep=False).items() if name not in LEFT_OUT
    }
    if not isinstance(search.budget, Real):
        params["budget"] = sorted({float(budget) for budget in search.budget})
    of_rows = {"fit parameters": data.fit_params, "score parameters": data.score_params}
    found = params.pop("warm_start_from", None)
    settings = settings_of(data.X, data.y, data.groups, {"system": "search"} | params, of_rows)
    return settings | ({} if found is None else {"warm_start_from": _of_search(found)})


def _of_search(search: Any) -> dict[str, str]:
    """A search to start from, of which what it found counts."""
    found = getattr(search, "cv_results_", {})
    rows = [[*map(str, found.get(name, ()))] for name in ("pattern", "columns", "target", "rate")]
    scores = [*map(float, found.get("mean_test_score", ()))]
    text = f"a search of {len(scores)} candidates"
    return {"text": text, "content": joblib.hash((rows, scores))}
