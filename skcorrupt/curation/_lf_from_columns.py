"""Labeling functions made of patterns and thresholds."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcorrupt.patterns import Pattern, as_pattern
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import cut
from skcorrupt.utils._typing import TableLike

from ._labeling_function import LabelingFunction
from ._returned_votes import read_vote
from ._votes import ABSTAIN

LONGEST_NAME = 60


@dataclass(frozen=True)
class _PatternVotes:
    """The label where a pattern matches."""

    pattern: Pattern
    label: int

    def __call__(self, X: TableLike) -> np.ndarray:
        return np.where(self.pattern.mask(X), self.label, ABSTAIN)


def lf_from_pattern(
    pattern: PatternLike, label: int, *, name: str | None = None
) -> LabelingFunction:
    """Make a labeling function that votes where a pattern matches.

    Parameters
    ----------
    pattern : Pattern, str, dict or None
        The condition on the columns, such as "age > 60 and pulse > 120"; None is every row.
    label : int
        The class it votes for, from 0.
    name : str, default=None
        What it is called; None takes the pattern and the label.

    Returns
    -------
    LabelingFunction
        A vectorised one. Missing values match nothing, so it abstains there.

    Raises
    ------
    ValueError
        If the pattern is refused or reads the label, or `label` is no class.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.curation import apply_lfs, lf_from_pattern
    >>> X = pd.DataFrame({"age": [70, 50], "pulse": [130, 130]})
    >>> apply_lfs(X, [lf_from_pattern("age > 60 and pulse > 120", 1)])
    array([[ 1],
           [-1]])
    """
    condition = as_pattern(pattern)
    if condition.uses_y:
        raise ValueError(
            f"pattern={str(condition)!r} reads the label y, which labeling functions are to find; "
            "use the other columns, and backticks for a column called y."
        )
    return made(_PatternVotes(condition, checked_label(label)), str(condition), label, name)


def lf_from_threshold(
    column: Hashable,
    *,
    above: float | None = None,
    below: float | None = None,
    label: int,
    name: str | None = None,
) -> LabelingFunction:
    """Make a labeling function that votes where a column is above or below a number.

    Parameters
    ----------
    column : label
        The column; for arrays x0, x1, … or its position.
    above, below : float, default=None
        It votes where the value is greater than `above` and less than `below`; dates are possible
        for a column of dates.
    label : int
        The class it votes for, from 0.
    name : str, default=None
        What it is called; None takes the condition and the label.

    Returns
    -------
    LabelingFunction
        A vectorised one. It abstains where the value is missing.

    Raises
    ------
    ValueError
        If neither threshold is given, no value can satisfy both, or `label` is no class.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.curation import apply_lfs, lf_from_threshold
    >>> X = pd.DataFrame({"pulse": [130.0, 70.0, None]})
    >>> fast = lf_from_threshold("pulse", above=120, label=1)
    >>> slow = lf_from_threshold("pulse", below=90, label=0)
    >>> apply_lfs(X, [fast, slow])
    array([[ 1, -1],
           [-1,  0],
           [-1, -1]])
    >>> fast.name
    'pulse > 120 -> 1'
    """
    if above is None and below is None:
        raise ValueError("above and below are both None; give one of them, or both for a range.")
    bounds = {key: value for key, value in (("gt", above), ("lt", below)) if value is not None}
    try:
        condition = Pattern.from_dict({"conditions": [{"column": str(column), **bounds}]})
    except ValueError as error:
        raise ValueError(
            f"column={column!r}, above={above!r}, below={below!r}: {error} Both hold at once; for "
            "one or the other make two functions."
        ) from None
    return made(_PatternVotes(condition, checked_label(label)), str(condition), label, name)


def made(
    function: Callable[..., np.ndarray], shown: str, label: int, name: str | None
) -> LabelingFunction:
    """A vectorised labeling function, named after what it looks at unless it has a name."""
    if name is None:
        name = f"{cut(shown, LONGEST_NAME)} -> {int(label)}"
    return LabelingFunction(function, name=name, vectorized=True, abstain=ABSTAIN)


def checked_label(label: Any, parameter: str = "label") -> int:
    """A class as an int."""
    try:
        vote = read_vote(label, ABSTAIN)
    except ValueError:
        vote = ABSTAIN
    if vote == ABSTAIN:
        raise ValueError(
            f"{parameter}={label!r} should be a class as a whole number from 0; map other classes "
            "to 0, 1, … first."
        )
    return vote
