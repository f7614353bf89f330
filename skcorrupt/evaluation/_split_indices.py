"""The splits that `cv` stands for, checked once for all systems."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from skcorrupt.utils import check_groups, shorten
from skcorrupt.utils._typing import ColumnLike, Folds, TableLike

# lists of splits are long
_shown = partial(shorten, length=80)


def checked_splitter(cv: Folds, y: ColumnLike | None, *, classifier: bool) -> Any:
    """What decides on the splits.

    Parameters
    ----------
    cv : int, splitter, iterable of splits or None
        As everywhere in scikit-learn.
    y : array-like of shape (n_samples,) or None
        Labels.
    classifier : bool
        Whether folds have about the same share of every class.

    Returns
    -------
    splitter
        An object with `split`.

    Raises
    ------
    ValueError
        If `cv` is none of these, or a list of splits has what is no pair.
    """
    if isinstance(cv, (str, bytes)) or getattr(cv, "ndim", 1) == 0:
        raise ValueError(
            f"cv={_shown(cv)} should be a number of splits, a splitter, or a list of pairs of the "
            "rows to train on and the rows to test on."
        )
    if isinstance(cv, Iterable) and not hasattr(cv, "split"):
        cv = list(cv)
        _check_pairs(cv, cv)
    try:
        return check_cv(cv, y, classifier=classifier)
    except (ValueError, TypeError) as error:
        raise ValueError(f"cv={_shown(cv)}: {error}") from error


def split_indices(
    cv: Folds,
    splitter: Any,
    X: TableLike,
    y: ColumnLike | None,
    n_rows: int,
    **params: Any,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Positions of the training and test rows of every split.

    Parameters
    ----------
    cv : int, splitter, iterable of splits or None
        As it was given, for messages.
    splitter : splitter
        As `checked_splitter` made it.
    X : table of shape (n_samples, n_features), or sequence
        The data.
    y : array-like of shape (n_samples,) or None
        Labels.
    n_rows : int
        Number of rows.
    **params : dict
        Passed to `split`, such as `groups`.

    Returns
    -------
    list of (ndarray of int, ndarray of int)
        A pair a split; masks are turned into positions.

    Raises
    ------
    ValueError
        If there is no split, the splitter refuses the data, or a split is no pair of positions of
        rows that are there, at least one to train on and one to test on.
    """
    check_groups(params.get("groups"), n_rows)
    try:
        given = list(splitter.split(X, y, **params))
    except (ValueError, TypeError) as error:
        lacking = params.get("groups") is None and "Group" in type(splitter).__name__
        hint = " It needs groups=, one a row." if lacking else ""
        raise ValueError(f"cv={_shown(cv)}: {error}{hint}") from error
    if not given:
        raise ValueError(f"cv={_shown(cv)} gives no split; at least one is needed.")
    _check_pairs(cv, given)
    splits = []
    for k, pair in enumerate(given):
        train, test = (
            _positions(rows, n_rows, f"cv={_shown(cv)}: the {part} rows of split {k}")
            for rows, part in zip(pair, ("training", "test"), strict=True)
        )
        splits.append((train, test))
    return splits


def _check_pairs(cv: Any, splits: list[Any]) -> None:
    for k, pair in enumerate(splits):
        if isinstance(pair, (str, bytes)) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise ValueError(
                f"cv={_shown(cv)}: split {k} is {_shown(pair)}; it should be a pair of the rows to "
                "train on and the rows to test on."
            )


def _positions(rows: Any, n: int, where: str) -> np.ndarray:
    try:
        found = np.asarray(rows)
    except ValueError:
        found = np.empty((0, 0))
    if found.dtype == bool and found.shape == (n,):
        found = np.flatnonzero(found)
    if found.ndim == 1 and not len(found):
        raise ValueError(f"{where} are none; every part of a split needs at least one.")
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise ValueError(
            f"{where} are {_shown(rows)}; they should be positions of rows, whole numbers from 0 "
            f"to {n - 1}, or a mask of {n} truth values."
        )
    outside = (found < 0) | (found >= n)
    if outside.any():
        raise ValueError(
            f"{where} have the position {int(found[outside][0])}, but there are {n} rows, 0 to "
            f"{n - 1}."
        )
    return found.astype(np.intp)
