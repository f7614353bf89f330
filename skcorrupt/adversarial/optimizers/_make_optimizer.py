"""The optimizers by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._grid import Grid
from ._grid_optimizer import ExhaustiveOptimizer, GridOptimizer, Point, RandomOptimizer

OPTIMIZERS = ("auto", "gp", "forest", "tpe", "random")
BATCH = 4


def make_optimizer(
    name: str | type[GridOptimizer],
    grid: Grid,
    n_calls: int,
    seed: int,
    start: Sequence[Point] = (),
) -> GridOptimizer:
    """The optimizer called `name` over a grid.

    Parameters
    ----------
    name : {"auto", "gp", "forest", "tpe", "random"} or subclass of GridOptimizer
        "auto" enumerates grids of at most `n_calls` points and uses "forest" on larger ones.
    grid : Grid
        What to search.
    n_calls : int
        Number of scores it will be told, at most.
    seed : int
        Seed of its choices.
    start : list of tuple of int, default=()
        Points to try first.

    Returns
    -------
    GridOptimizer
        A fresh optimizer.
    """
    if isinstance(name, type):
        return name(grid, n_calls, seed, start)
    if name == "auto" and grid.size <= n_calls:
        return ExhaustiveOptimizer(grid, n_calls, seed, start)
    if name == "random":
        return RandomOptimizer(grid, n_calls, seed, start)
    if name == "tpe":
        from ._tpe_optimizer import TPEOptimizer

        return TPEOptimizer(grid, n_calls, seed, start)
    # scikit-optimize takes a second to import, which only a search that uses it should pay
    from ._surrogate_optimizer import SurrogateOptimizer

    surrogate: Any = "gp" if name == "gp" else "forest"
    return SurrogateOptimizer(grid, n_calls, seed, start, surrogate)
