"""Rules of thumb that label some samples and abstain on others."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any, overload

from joblib import wrap_non_picklable_objects


class LabelingFunction:
    """A rule of thumb that votes for a class or abstains.

    Parameters
    ----------
    function : callable
        `function(row, **resources)` gives the vote for a sample: a class as a whole number from
        0, or None, NaN or the abstain value. A row is a Series of a pandas frame, a dict of a
        polars frame, a one-dimensional array of a table that is an array, and otherwise an entry
        of a Series or list, such as a text. With `vectorized=True` it is
        `function(X, **resources)`, which gives one vote for each row of X.
    name : str, default=None
        What it is called in tables and messages; None takes the function's own name.
    resources : dict of str to object, default=None
        Keyword arguments of the function, such as a dictionary of words.
    vectorized : bool, default=False
        Whether the function takes all of X, which is much faster.
    abstain : int, default=None
        The number by which this function abstains; None leaves it to `apply_lfs`.

    Raises
    ------
    TypeError
        If `function` is not callable or cannot be called with one argument and the resources.
    ValueError
        If a parameter is not as described.

    See Also
    --------
    labeling_function : The same as a decorator.
    apply_lfs : Applies several to data.

    Notes
    -----
    It pickles where its function does: as a function of a module, decorated or not. Workers of
    joblib also take lambdas, functions within functions and those of a notebook. What never
    travels are resources such as open files and locks.

    Paper 002 writes such a function as λ: X → Y ∪ {0}, 0 being the abstention.

    Examples
    --------
    >>> from skcorrupt.curation import LabelingFunction
    >>> def shouts(text, least):
    ...     return 1 if text.count("!") >= least else None
    >>> rule = LabelingFunction(shouts, name="shouts twice", resources={"least": 2})
    >>> rule("Win a prize!!")
    1
    >>> rule
    LabelingFunction('shouts twice', resources=['least'])
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        resources: Mapping[str, Any] | None = None,
        vectorized: bool = False,
        abstain: int | None = None,
    ) -> None:
        if not callable(function) or isinstance(function, LabelingFunction):
            raise TypeError(
                f"function={function!r} should be a plain function of a row, or of X with "
                "vectorized=True."
            )
        if name is not None and not (isinstance(name, str) and name):
            raise ValueError(f"name={name!r} should be a string that is not empty, or None.")
        if not isinstance(vectorized, bool):
            raise ValueError(f"vectorized={vectorized!r} should be True or False.")
        self.function = function
        self.name = _own_name(function) if name is None else name
        self.resources = _checked_resources(resources)
        self.vectorized = vectorized
        self.abstain = check_abstain(abstain)
        # a decorated function keeps its docstring, signature and place in its module
        functools.update_wrapper(self, function, updated=())
        self._check_call()

    def __call__(self, x: Any) -> Any:
        """What the function gives for a row, or for all of X where it is vectorised.

        Parameters
        ----------
        x : row or X
            What the function takes.

        Returns
        -------
        object
            The vote or votes, as the function gives them.
        """
        return self.function(x, **self.resources)

    def __repr__(self) -> str:
        given = [repr(self.name)]
        if self.resources:
            given.append(f"resources={list(self.resources)}")
        if self.vectorized:
            given.append("vectorized=True")
        if self.abstain is not None:
            given.append(f"abstain={self.abstain}")
        return f"LabelingFunction({', '.join(given)})"

    def __reduce__(self) -> tuple[Any, ...]:
        params = {
            "name": self.name,
            "resources": self.resources,
            "vectorized": self.vectorized,
            "abstain": self.abstain,
        }
        function = self.function
        place = (getattr(function, "__module__", ""), getattr(function, "__qualname__", ""))
        if _found(*place) is not self:
            return _restored, (type(self), function, params)
        if place[0] == "__main__":
            # a worker has another __main__, so the function itself has to travel
            function = wrap_non_picklable_objects(function, keep_wrapper=False)
            return _restored, (type(self), function, params)
        return _restored, (type(self), place, params)

    def _check_call(self) -> None:
        try:
            signature = inspect.signature(self.function)
        except (TypeError, ValueError):
            return
        try:
            signature.bind(None, **self.resources)
        except TypeError as error:
            takes = "X" if self.vectorized else "a row"
            raise TypeError(
                f"Labeling function {self.name!r} is called with {takes} and resources="
                f"{list(self.resources)}, but its signature is {signature}: {error}."
            ) from None


@overload
def labeling_function(name: Callable[..., Any]) -> LabelingFunction: ...


@overload
def labeling_function(
    name: str | None = None,
    resources: Mapping[str, Any] | None = None,
    vectorized: bool = False,
    abstain: int | None = None,
) -> Callable[[Callable[..., Any]], LabelingFunction]: ...


def labeling_function(
    name: str | Callable[..., Any] | None = None,
    resources: Mapping[str, Any] | None = None,
    vectorized: bool = False,
    abstain: int | None = None,
) -> LabelingFunction | Callable[[Callable[..., Any]], LabelingFunction]:
    """Make a function a labeling function.

    Parameters
    ----------
    name : str, default=None
        What it is called; None takes the function's own name. As a bare decorator, the function.
    resources : dict of str to object, default=None
        Keyword arguments that the function is always called with.
    vectorized : bool, default=False
        Whether the function takes all of X and gives one vote for each row.
    abstain : int, default=None
        The number by which it abstains; None leaves it to `apply_lfs`.

    Returns
    -------
    LabelingFunction or callable
        The labeling function; where arguments are given, the decorator that makes it.

    Raises
    ------
    TypeError
        If the function cannot be called with one argument and the resources.
    ValueError
        If a parameter is not as `LabelingFunction` describes it.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.curation import apply_lfs, labeling_function
    >>> @labeling_function
    ... def fast_pulse(row):
    ...     return 1 if row["pulse"] > 120 else None
    >>> @labeling_function(resources={"limit": 37.5}, vectorized=True)
    ... def no_fever(X, limit):
    ...     return (X["temperature"] <= limit).map({True: 0, False: None})
    >>> X = pd.DataFrame({"pulse": [70, 130], "temperature": [36.9, 38.2]})
    >>> apply_lfs(X, [fast_pulse, no_fever])
    array([[-1,  0],
           [ 1, -1]])
    """
    if callable(name):
        return LabelingFunction(name, resources=resources, vectorized=vectorized, abstain=abstain)
    return functools.partial(
        LabelingFunction, name=name, resources=resources, vectorized=vectorized, abstain=abstain
    )


def check_abstain(abstain: int | None) -> int | None:
    """An abstain value as an int, or None.

    Parameters
    ----------
    abstain : int or None
        The value.

    Returns
    -------
    int or None
        The value.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    if abstain is None:
        return None
    if not isinstance(abstain, Integral) or isinstance(abstain, bool):
        raise ValueError(
            f"abstain={abstain!r} should be a whole number such as -1, or None; a function "
            "abstains by None and NaN in any case."
        )
    return int(abstain)


def _own_name(function: Callable[..., Any]) -> str:
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__name__", type(function).__name__)


def _checked_resources(resources: Any) -> dict[str, Any]:
    if resources is None:
        return {}
    if not isinstance(resources, Mapping) or not all(isinstance(key, str) for key in resources):
        raise ValueError(
            f"resources={resources!r} should be a dict of keyword arguments of the function, such "
            "as {'words': words}, or None."
        )
    return dict(resources)


def _found(module: str, qualified_name: str) -> Any:
    """What a module has under a name."""
    found: Any = sys.modules.get(module)
    for part in qualified_name.split("."):
        found = getattr(found, part, None)
    return found


def _restored(
    kind: type[LabelingFunction], function: Any, params: dict[str, Any]
) -> LabelingFunction:
    """The inverse of `__reduce__`; a decorated function is known by its place."""
    if isinstance(function, tuple):
        importlib.import_module(function[0])
        function = _found(*function).function
    return kind(function, **params)
