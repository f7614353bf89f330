"""Ask and tell: who proposes the bounds of a pattern."""

from ._grid import Grid
from ._grid_optimizer import ExhaustiveOptimizer, GridOptimizer, Point, RandomOptimizer
from ._make_optimizer import BATCH, OPTIMIZERS, make_optimizer

__all__ = [
    "BATCH",
    "OPTIMIZERS",
    "ExhaustiveOptimizer",
    "Grid",
    "GridOptimizer",
    "Point",
    "RandomOptimizer",
    "make_optimizer",
]
