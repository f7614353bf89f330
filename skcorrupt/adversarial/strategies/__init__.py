"""Ways to search: which candidates the pipeline scores."""

from ._as_strategy import STRATEGIES, as_strategy
from ._auto_search import AutoSearch
from ._beam_search import BeamSearch
from ._exhaustive_search import ExhaustiveSearch
from ._screening import Screening
from ._search import Search
from ._search_strategy import SearchStrategy
from ._settling import Settling
from ._warm_start import WarmStart

__all__ = [
    "STRATEGIES",
    "AutoSearch",
    "BeamSearch",
    "ExhaustiveSearch",
    "Screening",
    "Search",
    "SearchStrategy",
    "Settling",
    "WarmStart",
    "as_strategy",
]
