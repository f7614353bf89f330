"""The settings of parameters that compete, the given one always among them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid, ParameterSampler

from skcorrupt.evaluation._settings import content_hash
from skcorrupt.utils import shorten
from skcorrupt.utils._typing import Estimator

# what scikit-learn says of a parameter that there is not
UNKNOWN = re.compile(r"^Invalid parameter '(.+?)' for estimator")
MOST_CLOSE = 3


def parameter_settings(
    estimator: Estimator, param_grid: Any, n_iter: int | None, seed: int
) -> tuple[list[dict[str, Any]], int]:
    """List the settings of parameters.

    Parameters
    ----------
    estimator : estimator
        The pipeline with the given parameters.
    param_grid : dict or list of dict
        Values of each parameter, or distributions to draw from.
    n_iter : int or None
        How many are drawn; None takes all of a grid.
    seed : int
        Seed of the draws.

    Returns
    -------
    settings : list of dict
        In the order of the grid; the given parameters come first where the grid lacks them.
    given : int
        The position of the given parameters.

    Raises
    ------
    ValueError, TypeError
        If it is no grid, or names a parameter that the pipeline does not have.
    """
    grids = [param_grid] if isinstance(param_grid, Mapping) else param_grid
    if not isinstance(grids, Sequence) or isinstance(grids, (str, bytes)):
        raise TypeError(
            f"param_grid={shorten(param_grid)} should be a dict of values by the names of "
            "parameters, or a list of such dicts."
        )
    drawn = [
        name
        for grid in grids
        if isinstance(grid, Mapping)
        for name, values in grid.items()
        if hasattr(values, "rvs")
    ]
    if drawn and n_iter is None:
        raise ValueError(
            f"param_grid has a distribution for {drawn[0]!r}, of which values are drawn; pass "
            "n_iter, such as n_iter=24, or a list of values."
        )
    if n_iter is None:
        settings = list(ParameterGrid(param_grid))
    else:
        random_state = np.random.RandomState(seed % 2**32)
        n_most = n_iter if drawn else min(n_iter, len(ParameterGrid(param_grid)))
        settings = list(ParameterSampler(param_grid, n_most, random_state=random_state))
    now = estimator.get_params(deep=True)
    for setting in settings:
        # a name that the pipeline does not have is no candidate that fails
        try:
            with_parameters(estimator, setting)
        except ValueError as error:
            _raise_if_unknown(estimator, setting, now, error)
            raise
    names = list(dict.fromkeys(name for setting in settings for name in setting))
    for i, setting in enumerate(settings):
        if all(name in now and _same(value, now[name]) for name, value in setting.items()):
            return settings, i
    given = {name: now[name] for name in names if name in now}
    return [given, *settings], 0


def _raise_if_unknown(
    estimator: Estimator, setting: Mapping[str, Any], now: Mapping[str, Any], error: Exception
) -> None:
    """Name what scikit-learn refused, with parameters that are close to it.

    Raises
    ------
    ValueError
        From the error, if it is about a name that the estimator does not have.
    """
    refused = UNKNOWN.search(str(error))
    unknown = [
        name for name in setting if name not in now and refused and refused[1] in name.split("__")
    ]
    if not unknown:
        return
    # the setting may put other steps there
    steps = {name: value for name, value in setting.items() if name in now}
    close = _close(unknown[0], with_parameters(estimator, steps).get_params(deep=True))
    hint = f" (did you mean {' or '.join(map(repr, close))}?)" if close else ""
    raise ValueError(
        f"param_grid: {unknown[0]!r} is no parameter of the estimator{hint}; "
        "estimator.get_params() has the names of all."
    ) from error


def _close(name: str, known: Mapping[str, Any]) -> list[str]:
    """Parameters that may have been meant: those of this name in other steps, or spelt alike."""
    step, _, own = name.rpartition("__")
    same = [each for each in known if each.rpartition("__")[2].lower() == own.lower()]
    if same:
        return difflib.get_close_matches(name, same, n=MOST_CLOSE, cutoff=0)
    # of long names of steps all parameters would be alike
    within = f"{step}__" if step in known else ""
    others = [each.removeprefix(within) for each in known if each.startswith(within)]
    return [
        f"{within}{each}" for each in difflib.get_close_matches(own if within else name, others)
    ]


def with_parameters(estimator: Estimator, setting: Mapping[str, Any]) -> Any:
    """The pipeline with other parameters.

    Parameters
    ----------
    estimator : estimator
        The pipeline, left as it is.
    setting : mapping
        Parameters by name.

    Returns
    -------
    estimator
        An unfitted copy.
    """
    # a step of the grid is fitted by one candidate and not by the next
    values = {name: clone(value, safe=False) for name, value in setting.items()}
    return clone(estimator).set_params(**values)


def _same(one: Any, other: Any) -> bool:
    """Whether two values of a parameter are the same."""
    if one is other:
        return True
    numbers = all(isinstance(each, Real) and not isinstance(each, bool) for each in (one, other))
    if type(one) is not type(other) and not numbers:
        return False
    try:
        if hasattr(one, "get_params"):
            # what is printed of a large one is cut
            return content_hash(one) == content_hash(other)
        return np.array_equal(one, other) if isinstance(one, np.ndarray) else bool(one == other)
    except ValueError:
        return False
