"""What labeling functions return, read as votes or refused."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils._typing import ColumnLike

from ..utils import as_table, shorten
from ._votes import ABSTAIN, STRING_REMEDY

_LARGEST = 2**53


def read_vote(value: Any, abstain: int | None) -> int:
    """A single vote.

    Parameters
    ----------
    value : object
        What the function returned for a row.
    abstain : int or None
        The number by which it abstains.

    Returns
    -------
    int
        A class, or −1.

    Raises
    ------
    ValueError
        If it is neither; the message says what it is, what is allowed and the remedy.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if value is None or (pd.api.types.is_scalar(value) and pd.isna(value)):
        return ABSTAIN
    if _is_number(value) and value == value // 1:
        if abstain is not None and value == abstain:
            return ABSTAIN
        if 0 <= value < _LARGEST:
            return int(value)
    raise ValueError(f"returned {shorten(value)}; {_allowed(abstain)}: {_remedy(value)}.")


def read_votes(values: ColumnLike, X: Any, n: int, abstain: int | None) -> np.ndarray:
    """The votes of a vectorised function.

    Parameters
    ----------
    values : array-like of shape (n,)
        What it returned.
    X : object
        What it was called with.
    n : int
        Number of samples in `X`.
    abstain : int or None
        The number by which it abstains.

    Returns
    -------
    ndarray of int64, shape (n,)
        Classes, or −1.

    Raises
    ------
    ValueError
        If it is not one vote per row; the message says what it is, what is allowed and the remedy.
    """
    array = _one_dimensional(values, n)
    if array.shape != (n,):
        raise ValueError(
            f"returned shape {array.shape} for {n} rows; a vectorised function should return one "
            f"vote a row, so shape ({n},): votes of the other rows are None, and "
            "votes.ravel() makes a single column flat."
        )
    if isinstance(values, pd.Series) and isinstance(X, (pd.DataFrame, pd.Series)):
        _check_order(values.index, X.index)
    if array.dtype.kind in "biuf":
        plain = _plain(array, abstain)
        if plain is not None:
            return plain
    votes = np.empty(n, dtype=np.int64)
    # numpy makes lists of times lists of integers
    entries = list(array) if array.dtype.kind in "Mm" else array.tolist()
    for i, value in enumerate(entries):
        try:
            votes[i] = read_vote(value, abstain)
        except ValueError as error:
            raise ValueError(f"{error} This is row {i}.") from None
    return votes


def _plain(array: np.ndarray, abstain: int | None) -> np.ndarray | None:
    """Numbers as votes; None where one of them is not a vote."""
    missing = np.isnan(array) if array.dtype.kind == "f" else np.zeros(len(array), dtype=bool)
    if abstain is not None:
        missing |= array == abstain
    kept = array[~missing]
    if len(kept) and not (kept.min() >= 0 and kept.max() < _LARGEST and (kept == kept // 1).all()):
        return None
    votes = np.full(len(array), ABSTAIN, dtype=np.int64)
    votes[~missing] = kept
    return votes


def _one_dimensional(values: Any, n: int) -> np.ndarray:
    if values is None or pd.api.types.is_scalar(values) or isinstance(values, dict):
        raise ValueError(
            f"returned {shorten(values)} for {n} rows; a vectorised function should return one "
            "vote a row, such as numpy.where(…, 1, -1): leave out vectorized=True if it takes a "
            "single row."
        )
    if isinstance(values, np.ma.MaskedArray):
        entries = np.array(values.data, dtype=object)
        entries[np.ma.getmaskarray(values)] = None
        return entries
    if isinstance(values, np.ndarray):
        return values
    if isinstance(values, pd.api.extensions.ExtensionArray):
        values = pd.Series(values)
    if hasattr(values, "to_frame"):
        return as_table(values.to_frame()).values(0)
    if isinstance(values, (list, tuple)):
        # numpy would make numbers beside strings strings
        return np.fromiter(values, dtype=object, count=len(values))
    return np.asarray(values)


def _check_order(index: pd.Index, expected: pd.Index) -> None:
    if index.equals(expected) or not index.is_unique or set(index) != set(expected):
        return
    raise ValueError(
        "returned a Series with the index of X in another order, so it is unclear which vote is "
        "whose; votes should be in the order of X: return votes.loc[X.index], or "
        "votes.to_numpy() if they are in order."
    )


def _allowed(abstain: int | None) -> str:
    by = "None or NaN" if abstain is None else f"None, NaN or {abstain}"
    number = "from 0" if abstain != 0 else "from 1"
    return f"a vote is a class as a whole number {number}, an abstention is {by}"


def _is_number(value: Any) -> bool:
    # to numpy a duration is an integer
    return isinstance(value, (Real, np.bool_)) and not isinstance(value, np.timedelta64)


def _remedy(value: Any) -> str:
    if isinstance(value, str):
        return STRING_REMEDY
    if _is_number(value) and isinstance(value, Integral) and value < 0:
        return f"if it stands for an abstention, pass abstain={int(value)}"
    if isinstance(value, Real):
        return "return the class, not a score or a probability"
    if pd.api.types.is_list_like(value):
        return "return a single vote, or pass vectorized=True if the function takes all of X"
    return "return one of these"
