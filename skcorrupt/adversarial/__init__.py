"""Adversarial corruption search: the realistic data error that hurts a pipeline most."""

from skcorrupt.attributes import SearchSpace

from ._adversarial_corruption_search import AdversarialCorruptionSearch
from .display import AdversarialSearchDisplay
from .optimizers import Grid, GridOptimizer, make_optimizer
from .strategies import BeamSearch, Screening, SearchStrategy, WarmStart

__all__ = [
    "AdversarialCorruptionSearch",
    "AdversarialSearchDisplay",
    "BeamSearch",
    "Grid",
    "GridOptimizer",
    "Screening",
    "SearchSpace",
    "SearchStrategy",
    "WarmStart",
    "make_optimizer",
]
