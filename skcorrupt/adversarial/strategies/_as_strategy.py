"""The strategies by name."""

from __future__ import annotations

from typing import Any

from ._auto_search import AutoSearch
from ._beam_search import BeamSearch
from ._exhaustive_search import ExhaustiveSearch
from ._screening import Screening
from ._search_strategy import SearchStrategy

STRATEGIES: dict[str, type[SearchStrategy]] = {
    "auto": AutoSearch,
    "beam": BeamSearch,
    "screening": Screening,
    "exhaustive": ExhaustiveSearch,
}


def as_strategy(strategy: Any) -> SearchStrategy:
    """The strategy that a parameter stands for, with sound parameters.

    Parameters
    ----------
    strategy : str or SearchStrategy
        Its name, or the strategy itself.

    Returns
    -------
    SearchStrategy
        The strategy.

    Raises
    ------
    ValueError, TypeError
        With the names that there are.
    """
    if isinstance(strategy, str) and strategy in STRATEGIES:
        strategy = STRATEGIES[strategy]()
    if not isinstance(strategy, SearchStrategy):
        kind = ValueError if isinstance(strategy, str) else TypeError
        raise kind(
            f"strategy={strategy!r} should be one of {sorted(STRATEGIES)}, or a strategy such as "
            "BeamSearch(n_calls=64) or Screening('linear') from skcorrupt.adversarial."
        )
    strategy.check()
    return strategy
