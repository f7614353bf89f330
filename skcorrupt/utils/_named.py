"""Names for what users give with names or without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._compat import InvalidParameterError
from ._estimators import check_is_estimator


def named(given: Any) -> dict[str, Any]:
    """Objects by name, those without one by their kind, the second of a kind with "-2" and so on.

    Parameters
    ----------
    given : object, sequence of objects or of (name, object), or mapping of name to object
        The objects.

    Returns
    -------
    dict of str to object
        In the order in which they were given.
    """
    if isinstance(given, Mapping):
        return {str(name): each for name, each in given.items()}
    several = isinstance(given, Sequence) and not isinstance(given, str)
    found: dict[str, Any] = {}
    for each in given if several else [given]:
        if isinstance(each, tuple):
            found[str(each[0])] = each[1]
            continue
        kind = each if isinstance(each, str) else getattr(each, "short_name", None)
        # plans of skrub have every attribute that they are asked for
        kind = kind if isinstance(kind, str) else type(each).__name__
        count = sum(name == kind or name.startswith(f"{kind}-") for name in found)
        found[f"{kind}-{count + 1}" if count else kind] = each
    return found


def named_estimators(
    estimators: Any,
    parameter: str = "estimators",
    methods: tuple[str, ...] = ("fit", "get_params"),
) -> dict[str, Any]:
    """Estimators by name, their class with a number where several share it.

    Parameters
    ----------
    estimators : estimator, sequence of estimators or of (name, estimator), or mapping
        The estimators.
    parameter : str, default="estimators"
        Where they were given, for messages.
    methods : tuple of str, default=("fit", "get_params")
        What each needs.

    Returns
    -------
    dict of str to estimator
        At least one.

    Raises
    ------
    InvalidParameterError
        If there is none, or something is no estimator.
    """
    found = named(estimators)
    if not found:
        raise InvalidParameterError(
            f"{parameter}={estimators!r} has none; pass one or more estimators, such as "
            "LogisticRegression()."
        )
    for name, each in found.items():
        check_is_estimator(each, f"{parameter}: {name}", methods)
    return found
