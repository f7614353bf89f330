"""Adversarial corruption search: the realistic data error that hurts a pipeline most."""

from ._adversarial_corruption_search import AdversarialCorruptionSearch
from ._search_plan import SearchPlan
from .display._adversarial_search_display import AdversarialSearchDisplay
from .optimizers._grid import Grid
from .optimizers._grid_optimizer import GridOptimizer
from .optimizers._make_optimizer import make_optimizer

__all__ = [
    "AdversarialCorruptionSearch",
    "AdversarialSearchDisplay",
    "Grid",
    "GridOptimizer",
    "SearchPlan",
    "make_optimizer",
]
