"""Remedies made to fit the pipeline that they go into: its containers, and what it tunes itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sklearn.base import BaseEstimator, clone
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline

from skcorrupt.base import BaseCorruption
from skcorrupt.utils import AnyTable
from skcorrupt.utils._compat import output_container

# what gives tables of the kind that it is given, or what its own steps give
KEEPS_TABLES = (AnyTable, BaseCorruption, Pipeline)
# where searches hold what they set; the last is of scikit-optimize
TUNED = ("param_grid", "param_distributions", "search_spaces")


def in_containers_of(pipeline: Pipeline, remedy: dict[str, list[Any]]) -> None:
    """Have new steps give tables of the kind that the steps they replace give.

    A step that gives an array where the next one gives a frame makes it number the rows anew, and
    what is put together of both does not fit. Steps of the pipeline itself stay as they are.

    Parameters
    ----------
    pipeline : Pipeline
        The pipeline.
    remedy : dict of str to list
        Parameter paths and values, which are changed.
    """
    params = pipeline.get_params(deep=True)
    own = {_looks(each) for each in params.values() if isinstance(each, BaseEstimator)}
    for path, values in remedy.items():
        container = _container_at(params, path)
        if container is None:
            continue
        remedy[path] = [clone(value, safe=False) for value in values]
        for step in _estimators(remedy[path]):
            makes_arrays = hasattr(step, "set_output") and not isinstance(step, KEEPS_TABLES)
            if makes_arrays and output_container(step) is None and _looks(step) not in own:
                step.set_output(transform=container)


def _looks(step: BaseEstimator) -> tuple[str, str | None]:
    return repr(step), output_container(step)


def _container_at(params: dict[str, Any], path: str) -> str | None:
    """What the step at a place was asked to give, or what holds it."""
    while path:
        container = output_container(params.get(path))
        if container is not None:
            return container
        path = path.rpartition("__")[0]
    return None


def _estimators(value: Any) -> Iterator[BaseEstimator]:
    """All estimators in a value, those that hold others after these; not what is frozen."""
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _estimators(each)
    elif isinstance(value, BaseEstimator) and not isinstance(value, FrozenEstimator):
        for each in value.get_params(deep=False).values():
            yield from _estimators(each)
        yield value


def is_tuned_inside(pipeline: Pipeline, path: str) -> bool:
    """Whether a search within the pipeline sets a parameter, or parameters of what is put there.

    Parameters
    ----------
    pipeline : Pipeline
        The pipeline.
    path : str
        Where a remedy would go.

    Returns
    -------
    bool
        Whether what is put there is overwritten, or lacks what the search sets.
    """
    for name, step in pipeline.get_params(deep=True).items():
        grid = next((getattr(step, at) for at in TUNED if hasattr(step, at)), None)
        if grid is None or not f"{path}__".startswith(f"{name}__estimator__"):
            continue
        own = path.removeprefix(f"{name}__estimator").removeprefix("__")
        keys = set(_tuned(grid))
        if keys and (not own or any(meet(own, key) for key in keys)):
            return True
    return False


def _tuned(grid: object) -> Iterator[str]:
    """Names of parameters in a grid, or in lists of them, with how often each is drawn or not."""
    if isinstance(grid, (list, tuple)):
        for each in grid:
            yield from _tuned(each)
    elif isinstance(grid, Mapping):
        yield from grid


def meet(one: str, other: str) -> bool:
    """Whether one of two parameters is, or is held by, the other."""
    return f"{one}__".startswith(f"{other}__") or f"{other}__".startswith(f"{one}__")
