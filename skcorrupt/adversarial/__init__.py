"""Adversarial corruption search: the realistic data error that hurts a pipeline most."""

from skcorrupt.attributes import SearchSpace

from ._adversarial_corruption_search import AdversarialCorruptionSearch
from .candidates import SearchTask
from .display import AdversarialSearchDisplay
from .optimizers import Grid, GridOptimizer, make_optimizer
from .proxies import Screened
from .strategies import BeamSearch, ExhaustiveSearch, Screening, SearchStrategy, WarmStart

__all__ = [
    "AdversarialCorruptionSearch",
    "AdversarialSearchDisplay",
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
