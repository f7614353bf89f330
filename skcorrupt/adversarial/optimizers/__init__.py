"""Ask and tell: who proposes the bounds of a pattern."""

from ._grid import Grid
from ._grid_optimizer import GridOptimizer, Point
from ._make_optimizer import BATCH, OPTIMIZERS, make_optimizer

__all__ = [
    "BATCH",
    "OPTIMIZERS",
    "Grid",
    "GridOptimizer",
    "Point",
    "make_optimizer",
]
