"""How much labeling functions vote, agree and are right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils._typing import ColumnLike, TableLike

from ..stats import clopper_pearson
from ..utils import as_table
from ._votes import ABSTAIN, check_votes, function_names


def lf_summary(
    L: TableLike,
    y: ColumnLike | None = None,
    *,
    names: Sequence[str] | None = None,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Tell how much each labeling function votes, agrees with others and is right.

    Parameters
    ----------
    L : array-like or DataFrame of shape (n_samples, n_lfs)
        The votes, −1 where a function abstains.
    y : array-like of shape (n_samples,), default=None
        True classes, as numbers like the votes; NaN or None where they are not known.
    names : sequence of str, default=None
        Names of the functions; None takes the columns of a frame and otherwise lf0, lf1 and so on.
    alpha : float in (0, 1), default=0.05
        One minus the confidence level of the intervals.

    Returns
    -------
    DataFrame
        One row per function: `name`, `polarity` (list of the classes that it votes for), `coverage`
        (share of rows where it votes), `overlaps` (share of rows where it and another vote),
        `conflicts` (share of rows where it votes and another votes differently). With `y` also, of
        rows whose true class is known, `n_votes`, `correct` (votes that are the true class),
        `accuracy` (their share; NaN without votes) and its Clopper-Pearson interval
        `accuracy_low`, `accuracy_high`.

    Raises
    ------
    ValueError
        If `L` is not a matrix of votes, or `y`, `names` or `alpha` does not fit.

    Examples
    --------
    >>> from skcorrupt.curation import lf_summary
    >>> L = [[1, 1], [0, 1], [-1, 1], [-1, -1]]
    >>> lf_summary(L, [1, 1, 1, 0], names=["prize", "long"]).set_index("name").T.head(6)
    name       prize long
    polarity  [0, 1]  [1]
    coverage     0.5 0.75
    overlaps     0.5  0.5
    conflicts   0.25 0.25
    n_votes        2    3
    correct        1    3
    """
    votes = check_votes(L)
    shown = function_names(L, names)
    voted = votes != ABSTAIN
    several = voted.sum(axis=1) > 1
    lowest = votes.min(axis=1, where=voted, initial=np.iinfo(votes.dtype).max)
    # where the votes of a row differ at all, each has one that differs from it
    torn = several & (lowest < votes.max(axis=1))
    n = len(votes)
    columns: dict[str, Any] = {
        "name": shown,
        "polarity": [np.unique(column[column != ABSTAIN]).tolist() for column in votes.T],
        "coverage": voted.sum(axis=0) / n,
        "overlaps": (voted & several[:, None]).sum(axis=0) / n,
        "conflicts": (voted & torn[:, None]).sum(axis=0) / n,
    }
    if y is not None:
        truth = _checked_classes(y, n)[:, None]
        n_votes = (voted & (truth != ABSTAIN)).sum(axis=0)
        correct = (voted & (votes == truth)).sum(axis=0)
        low, high = clopper_pearson(correct, n_votes, alpha)
        with np.errstate(invalid="ignore"):
            accuracy = correct / n_votes
        columns |= {"n_votes": n_votes, "correct": correct, "accuracy": accuracy}
        columns |= {"accuracy_low": low, "accuracy_high": high}
    return pd.DataFrame(columns)


def _checked_classes(y: ColumnLike, n: int) -> np.ndarray:
    """True classes as integers, -1 where they are not known."""
    if isinstance(y, (list, tuple)):
        # a list may mix numbers with whatever stands for what is not known
        y = np.array([None if np.ndim(v) == 0 and pd.isna(v) else v for v in y], dtype=object)
    shape = np.shape(y)
    if shape != (n,):
        raise ValueError(
            f"y has shape {shape}, but L has {n} rows; pass one true class a row, shape ({n},)."
        )
    values = as_table(y.to_frame() if hasattr(y, "to_frame") else np.asarray(y)[:, None]).values(0)
    unknown = np.asarray(pd.isna(values))
    if unknown.all():
        raise ValueError("y has no true class of any row; leave it out, or pass some.")
    # a class stands in for those that are not known, so that rows keep their numbers
    if values.dtype.kind in "mM":
        # left to numpy, times would become numbers
        values = np.array(list(pd.Series(values)), dtype=object)
    values = np.where(unknown, False, values)
    if all(isinstance(value, (bool, np.bool_)) for value in values):
        values = values.astype(int)
    try:
        classes = check_votes(values[:, None])[:, 0]
    except ValueError as error:
        reason = str(error).split(";")[0].removeprefix("L ")
        raise ValueError(
            f"y {reason.split(', column')[0]}; a true class is a whole number from 0, like the "
            "votes: map other classes to these numbers."
        ) from None
    if (classes == ABSTAIN).any():
        raise ValueError(
            f"y holds {ABSTAIN} in row {np.argmax(classes == ABSTAIN)}, which in votes is an "
            "abstention; map classes to 0, 1, …, and unknown ones to None."
        )
    return np.where(unknown, ABSTAIN, classes)
