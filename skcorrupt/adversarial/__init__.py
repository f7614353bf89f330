"""Adversarial corruption search: the realistic data error that hurts a pipeline most."""

from ._adversarial_corruption_search import AdversarialCorruptionSearch
from ._adversarial_search_display import AdversarialSearchDisplay
from ._grid import Grid
from ._grid_optimizer import GridOptimizer
from ._optimizers import make_optimizer

__all__ = [
    "AdversarialCorruptionSearch",
    "AdversarialSearchDisplay",
    "Grid",
    "GridOptimizer",
    "make_optimizer",
]
