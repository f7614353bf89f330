"""The one place that touches private names of scikit-learn, so that a release breaks one file."""

from collections.abc import Callable
from typing import Any, TypeVar

from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    InvalidParameterError,
    StrOptions,
    validate_params,
)
from sklearn.utils.metaestimators import _BaseComposition as BaseComposition

__all__ = [
    "BaseComposition",
    "HasMethods",
    "Interval",
    "InvalidParameterError",
    "StrOptions",
    "output_container",
    "scorer_function",
    "validated",
]


Function = TypeVar("Function", bound=Callable[..., Any])


def validated(**constraints: Any) -> Callable[[Function], Function]:
    """Check the parameters of a function, or of a constructor, as scikit-learn checks its own.

    Parameters
    ----------
    **constraints : list or "no_validation"
        What each parameter may be, as in `_parameter_constraints`.

    Returns
    -------
    callable
        A decorator.
    """
    return validate_params(constraints, prefer_skip_nested_validation=False)


def scorer_function(scorer: Any) -> Any:
    """The metric inside a scorer made by `make_scorer`, anything else as it is."""
    return getattr(scorer, "_score_func", scorer)


def output_container(transformer: Any) -> str | None:
    """The container that `set_output` asked a transformer for, None where it was not called."""
    return getattr(transformer, "_sklearn_output_config", {}).get("transform")
