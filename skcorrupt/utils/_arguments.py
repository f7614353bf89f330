"""Arguments of functions, checked by the rules that parameters of estimators have."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any

from ._compat import Interval, validate_parameter_constraints
from ._shorten import shorten

# no machine has as many cores, and larger numbers are no C integers
MOST_JOBS = 2**16
N_JOBS: list[Any] = [
    Interval(Integral, None, -1, closed="right"),
    Interval(Integral, 1, MOST_JOBS, closed="both"),
    None,
]

# larger whole numbers become no float
LARGEST = sys.float_info.max


def check_choice(name: str, value: Any, allowed: Iterable[str]) -> None:
    """Refuse what is not one of some texts.

    Parameters
    ----------
    name : str
        What is chosen, for messages.
    value : object
        What was given.
    allowed : iterable of str
        What may be.

    Raises
    ------
    ValueError
        If it is none of them.
    """
    allowed = list(allowed)
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name}={shorten(value)} should be one of {allowed}.")


def check_arguments(
    function: str, constraints: Mapping[str, list[Any]], given: Mapping[str, Any]
) -> None:
    """Refuse arguments that break their constraints.

    Parameters
    ----------
    function : str
        What was called, for messages.
    constraints : mapping of str to list
        What each argument may be, as in `_parameter_constraints` of an estimator.
    given : mapping of str to object
        The arguments, such as `locals()` at the beginning of the function.

    Raises
    ------
    sklearn.utils.InvalidParameterError
        A ValueError and TypeError; it names the argument and says what is allowed.
    """
    params = {name: given[name] for name in constraints}
    validate_parameter_constraints(constraints, params, caller_name=function)


def user_function(name: str, function: Callable[..., Any], takes: Sequence[str]) -> Any:
    """A function of the user's, after a look at what it can be called with.

    Parameters
    ----------
    name : str
        The parameter, for messages.
    function : callable
        The function.
    takes : sequence of str
        What it is called with, by position.

    Returns
    -------
    callable
        The same.

    Raises
    ------
    TypeError
        If it cannot be called with as many arguments.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        # of some functions written in C nothing is known
        return function
    try:
        signature.bind(*takes)
    except TypeError as error:
        what = f"{', '.join(takes[:-1])} and {takes[-1]}"
        raise TypeError(
            f"{name}={shorten(function)} should be a function of {what}, which it is called with "
            f"by position: {error}."
        ) from None
    return function
