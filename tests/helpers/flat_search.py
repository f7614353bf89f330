"""Searches whose space and strategy are given by their parameters, side by side with the others."""

import inspect

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import BeamSearch, Screening, SearchSpace, WarmStart

SPACE = frozenset(inspect.signature(SearchSpace).parameters)
BEAM = frozenset(inspect.signature(BeamSearch).parameters)
SCREENING = frozenset({"proxy"})
COARSE = 3


def flat_search(estimator, corruption, **params):
    """A search: a proxy makes it a screening, `warm_start` a warm start, before a proxy if any.

    With `exhaustive` all is screened by a proxy, or scored on the pipeline. Grids are coarse, as
    all patterns of one condition are scored.
    """
    if "space" not in params:
        params = {"n_bins": COARSE, **params}
    exhaustive = params.pop("exhaustive", False)
    space = {name: params.pop(name) for name in SPACE & params.keys()}
    beam = {name: params.pop(name) for name in BEAM & params.keys()}
    screening = {name: params.pop(name) for name in SCREENING & params.keys()}
    n_rerank = {name: params.pop(name) for name in {"n_rerank"} & params.keys()}
    other = params.pop("warm_start", None)
    strategy = None
    if screening.get("proxy") is not None:
        screening["complete"] = exhaustive
        strategy = Screening(**screening, **n_rerank, beam=BeamSearch(**beam) if beam else None)
    elif exhaustive:
        strategy = "exhaustive"
    elif beam and other is None:
        strategy = BeamSearch(**beam)
    if other is not None:
        strategy = WarmStart(other, **n_rerank, then=strategy)
    if strategy is not None:
        params["strategy"] = strategy
    if space:
        params["space"] = SearchSpace(**space)
    return AdversarialCorruptionSearch(estimator, corruption, **params)
