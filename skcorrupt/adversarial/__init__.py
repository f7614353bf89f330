"""Adversarial corruption search: the realistic data error that hurts a pipeline most."""

# its home is the room of attributes; whoever sets up a search finds it here too
from skcorrupt.attributes import SearchSpace as SearchSpace

from . import _in_notebooks as _in_notebooks
from ._adversarial_corruption_search import AdversarialCorruptionSearch
from .candidates import SearchTask
from .display import AdversarialSearchDisplay
from .optimizers import Grid, GridOptimizer, make_optimizer
from .proxies import Screened
from .strategies import (
    AutoSearch,
    BeamSearch,
    ExhaustiveSearch,
    Screening,
    SearchStrategy,
    WarmStart,
)

__all__ = [
    "AdversarialCorruptionSearch",
    "AdversarialSearchDisplay",
    "AutoSearch",
    "BeamSearch",
    "ExhaustiveSearch",
    "Grid",
    "GridOptimizer",
    "Screened",
    "Screening",
    "SearchSpace",
    "SearchStrategy",
    "SearchTask",
    "WarmStart",
    "make_optimizer",
]
