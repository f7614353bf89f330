"""Matrices of votes: one row per sample, one column per labeling function, −1 where it abstains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils.validation import validate_data

from skcorrupt.utils._typing import TableLike

from ..utils import Table, as_table

ABSTAIN: Final = -1

ALLOWED = f"a vote is a class as a whole number from 0, or {ABSTAIN} for an abstention"
_NUMBERS = (int, float, np.integer, np.floating, np.bool_)
STRING_REMEDY = "map the classes to 0, 1, … first, such as {'no': 0, 'yes': 1}"


def check_votes(L: TableLike) -> np.ndarray:
    """Validate a matrix of votes.

    Parameters
    ----------
    L : array-like or DataFrame of shape (n_samples, n_lfs)
        Classes as whole numbers from 0 (integers, whole floats or booleans), −1 where a function
        abstains.

    Returns
    -------
    ndarray of int64, shape (n_samples, n_lfs)
        The votes; perhaps the input itself, so it is not to be written to.

    Raises
    ------
    ValueError
        If `L` is not two-dimensional, is empty, or has a cell that is no vote: NaN, a string, a
        fraction, or a number below −1. The message names the cell.
    TypeError
        If `L` is sparse or a single column.

    Examples
    --------
    >>> from skcorrupt.curation._votes import check_votes
    >>> check_votes([[0.0, -1.0], [1.0, 1.0]])
    array([[ 0, -1],
           [ 1,  1]])
    """
    table = _vote_table(L)
    if isinstance(table.source, np.ndarray) and table.source.dtype.kind in "biuf":
        return _whole(table.source, table)
    columns = [_column(table, j) for j in range(table.n_columns)]
    return np.column_stack(columns)


def check_votes_for(estimator: Any, L: TableLike, *, reset: bool, name: str = "L") -> np.ndarray:
    """Validate votes that an estimator learns from, or compare them with those it learned from.

    Parameters
    ----------
    estimator : estimator
        The estimator whose `n_features_in_` and `feature_names_in_` are set or compared.
    L : array-like or DataFrame of shape (n_samples, n_lfs)
        The votes.
    reset : bool
        True in `fit`: remember the functions. False: compare with those remembered.
    name : str, default="L"
        What messages call them.

    Returns
    -------
    ndarray of int64, shape (n_samples, n_lfs)
        The votes.

    Raises
    ------
    ValueError
        If `check_votes` refuses them, or there are other functions than in `fit`.
    """
    votes = check_votes(L)
    if not reset and votes.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"{name} has {votes.shape[1]} functions, but {type(estimator).__name__} was fitted on "
            f"{estimator.n_features_in_}; pass votes of the same functions in the same order."
        )
    columns = list(L.columns) if hasattr(L, "columns") else []
    named = all(isinstance(name, str) for name in columns) and 0 < len(columns) == len({*columns})
    validate_data(estimator, L if named else votes, reset=reset, skip_check_array=True)
    return votes


def function_names(L: TableLike, names: Sequence[Any] | None = None) -> list[str]:
    """Names of the labeling functions whose votes are the columns of `L`.

    Parameters
    ----------
    L : array-like or DataFrame of shape (n_samples, n_lfs)
        The votes.
    names : sequence of str, default=None
        The names; None takes the columns of a frame and otherwise lf0, lf1 and so on.

    Returns
    -------
    list of str
        One name a column.

    Raises
    ------
    ValueError
        If there is not one name a column.
    """
    table = _vote_table(L)
    if names is None:
        array = table.container == "numpy"
        return [f"lf{j}" if array else str(label) for j, label in enumerate(table.labels)]
    if not pd.api.types.is_list_like(names) and not isinstance(names, str):
        raise TypeError(f"names={names!r} should list a name for each column of L.")
    given = [names] if isinstance(names, str) else list(names)
    if len(given) != table.n_columns:
        raise ValueError(
            f"names has {len(given)} entries, but L has {table.n_columns} columns; pass one name "
            "a labeling function."
        )
    shown = [str(name) for name in given]
    twice = sorted({name for name in shown if shown.count(name) > 1})
    if twice:
        raise ValueError(f"names has {twice} more than once; give each function its own.")
    return shown


def _vote_table(L: Any) -> Table:
    if sparse.issparse(L):
        raise TypeError(
            "L is sparse, and what it does not store would be votes for class 0; pass a dense "
            f"array with {ABSTAIN} for abstentions."
        )
    if isinstance(L, (pd.Series, pd.Index)):
        raise TypeError(
            "L should have shape (n_samples, n_lfs), but is a pandas Series; pass L.to_frame() "
            "for the votes of one function."
        )
    # asking a lazy frame for its columns would compute them
    if not (hasattr(type(L), "collect") or hasattr(L, "columns")):
        L = _array(L)
    table = as_table(L)
    if not (table.n_rows and table.n_columns):
        raise ValueError(
            f"L has shape ({table.n_rows}, {table.n_columns}); it should have at least one "
            "sample and one labeling function."
        )
    return table


def _array(L: Any) -> np.ndarray:
    try:
        array = np.asarray(L)
    except ValueError:
        raise ValueError(
            "L should have shape (n_samples, n_lfs), but its rows differ in length; put "
            f"{ABSTAIN} where a function abstains."
        ) from None
    if array.ndim != 2:
        raise ValueError(
            f"L should have shape (n_samples, n_lfs), but has shape {array.shape}; use "
            "L.reshape(-1, 1) for the votes of one function."
        )
    return array


def _column(table: Table, j: int) -> np.ndarray:
    """Column `j` of a frame, or of an array of objects, as votes."""
    values = table.values(j)
    if values.dtype.kind == "O" and table.missing(j).any():
        _refuse(table, int(np.argmax(table.missing(j))), j)
    if table.kind(j) not in ("bool", "integer", "real"):
        numbers = [isinstance(value, _NUMBERS) for value in values]
        if not all(numbers):
            _refuse(table, int(np.argmin(numbers)), j)
    try:
        values = values.astype(float if values.dtype.kind == "O" else values.dtype)
    except (TypeError, ValueError, OverflowError):
        _refuse(table, 0, j)
    return _whole(values[:, None], table, j)[:, 0]


def _whole(votes: np.ndarray, table: Table, first: int = 0) -> np.ndarray:
    """Numbers as int64 after checking that each is a vote; `first` is the first column's place."""
    if votes.dtype.kind == "b":
        return votes.astype(np.int64)
    if votes.dtype.kind == "u" and (votes == np.iinfo(votes.dtype).max).any():
        raise ValueError(
            f"L holds {np.iinfo(votes.dtype).max}, which is what {ABSTAIN} becomes in "
            f"{votes.dtype}; make the votes signed integers, such as int64, before they hold it."
        )
    if votes.dtype.kind == "f":
        # also False for NaN and infinity
        # a limit that float16 cannot hold would be an infinite one
        wide = votes.astype(np.float64)
        good = (wide >= ABSTAIN) & (wide < 2.0**53) & (np.floor(wide) == wide)
    else:
        good = (votes >= ABSTAIN) & (votes <= np.iinfo(np.int64).max)
    if not good.all():
        i, j = np.argwhere(~good)[0]
        _refuse(table, int(i), int(j) + first)
    return votes.astype(np.int64, copy=False)


def _refuse(table: Table, i: int, j: int) -> None:
    value = table.values_at(j, np.array([i]))[0]
    value = value.item() if isinstance(value, np.generic) else value
    cell = f"L holds {value!r} in row {i}, column {table.labels[j]!r}"
    if np.ndim(value) == 0 and pd.isna(value):
        remedy = f"fill what is missing with {ABSTAIN}"
    elif isinstance(value, str):
        remedy = STRING_REMEDY
    else:
        remedy = "recode it"
    raise ValueError(f"{cell}; {ALLOWED}: {remedy}.")
