"""Numbers of few people, which are not told, and those from which they would follow."""

from __future__ import annotations

import numpy as np
import pandas as pd

from skcorrupt.utils._as_text import percent

NOT_TOLD = "not told"


def harmful(direction: str) -> str:
    """The verdict that somebody should worry about, which is left out last wherever it is told."""
    return "unresponsive" if direction == "at_most" else "responsive"


def untold(counts: np.ndarray, least: int, keep: int | None = None) -> np.ndarray:
    """Which numbers of people are not told, where sums of rows and of columns are known.

    From 1 to less than `least` none is. What is left untold in a row, or in a column of several,
    is of two numbers or more and of `least` people or more, so that no small one follows by
    subtraction. A kind that nobody is of is told, and hides nothing.

    Parameters
    ----------
    counts : ndarray of int, shape (n_groups, n_kinds)
        Numbers of people.
    least : int
        The fewest people that are told of.
    keep : int or None, default=None
        The kind that readers want most, which is left out last.

    Returns
    -------
    ndarray of bool, shape (n_groups, n_kinds)
        True where a number is not told.
    """
    hidden = (counts > 0) & (counts < least)
    kinds = np.flatnonzero(counts.any(axis=0))
    before = -1
    while hidden.sum() > before:
        before = int(hidden.sum())
        for i in range(len(counts)):
            _cover(counts[i], hidden[i], least, kinds, keep)
        if len(counts) > 1:
            for j in kinds:
                _cover(counts[:, j], hidden[:, j], least, np.arange(len(counts)))
    return hidden


def _cover(
    counts: np.ndarray,
    hidden: np.ndarray,
    least: int,
    among: np.ndarray,
    keep: int | None = None,
) -> None:
    """Hide further numbers, in place, while the sum would tell of few people."""
    order = sorted(among.tolist(), key=lambda k: (k == keep, -counts[k]))
    for k in order:
        if not hidden.any() or (hidden.sum() > 1 and counts[hidden].sum() >= least):
            return
        hidden[k] = True


def number_text(count: int, hidden: bool, least: int) -> str:
    """A number of people as it is told."""
    if not hidden:
        return f"{count:,}"
    return f"fewer than {least}" if count < least else NOT_TOLD


def share_text(count: int, n: int, hidden: bool, least: int) -> str:
    """A share of people as it is told."""
    if not hidden:
        return percent(count / n)
    return f"below {percent(min(1.0, least / n))}" if count < least else NOT_TOLD


def told_shares(
    found: pd.DataFrame, names: list[str], least: int, keep: str | None = None
) -> pd.DataFrame:
    """Shares of verdicts by group as texts, and the mean responsiveness, without what few have.

    A mean tells about how many are responsive, so that it is left out where their number is.

    Parameters
    ----------
    found : DataFrame
        As `ResponsivenessAuditor.by_group` gives it.
    names : list of str
        Its shares that add up to 1.
    least : int
        The fewest people that are told of.
    keep : str or None, default=None
        The share that readers want most.

    Returns
    -------
    DataFrame
        A column of texts for each of `names`, and `responsiveness`, numbers or that it is not told.
    """
    sizes = found["n_people"].to_numpy()
    counts = np.rint(found[names].to_numpy() * sizes[:, None]).astype(int)
    hidden = untold(counts, least, None if keep is None else names.index(keep))
    # of a small group nothing is told at all
    small = sizes < least
    texts = [
        [
            NOT_TOLD if small[i] else share_text(counts[i, j], sizes[i], hidden[i, j], least)
            for j in range(len(names))
        ]
        for i in range(len(found))
    ]
    told = pd.DataFrame(texts, index=found.index, columns=names)
    whole = ~(small | hidden.any(axis=1))
    return told.assign(responsiveness=found["responsiveness"].astype(object).where(whole, NOT_TOLD))
