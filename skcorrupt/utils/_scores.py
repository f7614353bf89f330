"""What a scorer may return."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from ._shorten import shorten


class ScorerError(ValueError):
    """A scorer returns no number, which no data can mend."""


def as_score(found: Any, scorer: Any) -> float:
    """The number that a scorer returned.

    Parameters
    ----------
    found : object
        What it returned: a real number, as such or as an array without dimensions.
    scorer : callable or str
        The scorer, or what it is called, for the message.

    Returns
    -------
    float
        The score, which may be NaN.

    Raises
    ------
    ScorerError
        If it is something else, text and arrays of one number included.
    """
    kind = getattr(getattr(found, "dtype", None), "kind", "f")
    plain = kind in "biuf" and found is not np.ma.masked
    if plain and getattr(found, "shape", None) == () and hasattr(found, "item"):
        found = found.item()
    if plain and isinstance(found, Real):
        try:
            return float(found)
        except OverflowError:
            pass
    name = type(found).__name__
    shape = getattr(found, "shape", None)
    what = f"{name} of shape {shape}" if shape else f"{shorten(found)} ({name})"
    said = scorer if isinstance(scorer, str) else getattr(scorer, "__name__", shorten(scorer))
    raise ScorerError(
        f"scoring: {said} returned {what}; a scorer should return one real number, the larger the "
        "better, such as float(numpy.mean(values))."
    )


def as_scores(found: Any, scorer: Any) -> float | dict[str, float]:
    """The number that a scorer returned, or a number a name.

    Parameters
    ----------
    found : object
        What it returned.
    scorer : callable
        The scorer, for the message.

    Returns
    -------
    float or dict of str to float
        The scores.

    Raises
    ------
    ScorerError
        If there is something else than numbers.
    """
    if not isinstance(found, Mapping):
        return as_score(found, scorer)
    if not found:
        as_score(found, scorer)
    own = getattr(scorer, "__name__", "scorer")
    return {str(name): as_score(value, f"{own}[{name!r}]") for name, value in found.items()}
