"""Whether rows are predicted alike in any company, struck ones among clean ones."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import Split, error_in_words, reseeded, take_rows
from skcorrupt.metrics import RowScore
from skcorrupt.utils import Sheltered, as_table
from skcorrupt.utils._typing import TableLike

# rows that are predicted in other company, to see whether that changes anything
COMPARED = 200
SAME = 1e-9
# share of the rows that is struck in each of several columns, so that many are in one alone
SPARSELY = 0.06


def compared_rows(n_rows: int) -> np.ndarray:
    """The rows that are predicted in other company."""
    return np.linspace(0, n_rows - 1, min(COMPARED, n_rows)).astype(int)


def alike(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether answers are the same, but for rounding."""
    if one.dtype.kind == "f" and other.dtype.kind == "f":
        return bool(np.allclose(one, other, rtol=SAME, atol=SAME, equal_nan=True))
    return bool(np.array_equal(one, other))


def company_matters(
    split: Split, score: RowScore, corruption: BaseCorruption, clean: Any, few: np.ndarray | None
) -> str:
    """What is wrong where some rows are struck and others, in the same company, are not, or "".

    Parameters
    ----------
    split : Split
        With a fitted model.
    score : RowScore
        Asks it.
    corruption : BaseCorruption
        The error in some columns.
    clean : array-like of shape (n_test, ...) or None
        Answers for clean rows, None where they are not compared.
    few : ndarray of shape (n_compared, ...) or None
        Answers for the rows compared, all of them struck; None where they are not compared.

    Returns
    -------
    str
        What the model raised, or that answers differ.
    """
    X, mask = some_struck(split, reseeded(corruption, 0).set_params(rate=0.5))
    try:
        answers = np.asarray(score.ask(Sheltered(split.model), X))
    except Exception as error:
        return error_in_words(error)
    hit = mask.any(axis=1)
    rows = compared_rows(as_table(split.X_test).n_rows)
    of_clean = None if clean is None else np.asarray(clean)[rows]
    for known, some in ((of_clean, ~hit), (few, hit)):
        if known is not None and not alike(answers[some], known[some]):
            return "rows are predicted by their company"
    return ""


def shown_alone(
    split: Split,
    score: RowScore,
    corruption: BaseCorruption,
    clean: Any,
    few: Mapping[Any, np.ndarray],
) -> list[Any]:
    """Columns in which errors were seen to change no other row, all looked at in one prediction.

    Parameters
    ----------
    split : Split
        With a fitted model.
    score : RowScore
        Asks it.
    corruption : BaseCorruption
        The error in any of the columns.
    clean : array-like of shape (n_test, ...)
        Answers for clean rows.
    few : mapping of label to ndarray of shape (n_compared, ...)
        By column, the answers for the rows compared, all of them struck.

    Returns
    -------
    list of labels
        None where any answer differs, or where the model fails.
    """
    labels = [*few]
    sparsely = reseeded(corruption, 0)
    sparsely.set_params(columns=labels, rate=SPARSELY, same_rows=False)
    X, mask = some_struck(split, sparsely)
    try:
        answers = np.asarray(score.ask(Sheltered(split.model), X))
    except Exception:
        return []
    mask = mask[:, [as_table(X).labels.index(label) for label in labels]]
    times = mask.sum(axis=1)
    rows = compared_rows(as_table(split.X_test).n_rows)
    if not alike(answers[times == 0], np.asarray(clean)[rows][times == 0]):
        return []
    seen = []
    for own, label in zip(mask.T, labels, strict=True):
        single = own & (times == 1)
        if not alike(answers[single], few[label][single]):
            return []
        if single.any():
            seen.append(label)
    return seen


def some_struck(split: Split, corruption: BaseCorruption) -> tuple[TableLike, np.ndarray]:
    """The rows compared, some of them struck, and which of their cells are."""
    rows = compared_rows(as_table(split.X_test).n_rows)
    X, y, taken = split.X_test, split.y_test, rows
    if corruption._reads == "row":
        # what other rows supply would not be there among a few
        X, taken = as_table(X).take(rows), np.arange(len(rows))
        y = None if y is None else take_rows(y, rows)
    with warnings.catch_warnings():
        # of a few rows it may happen that none can be struck
        warnings.simplefilter("ignore", UserWarning)
        X, _, record = corruption.fit(split.X_train, split.y_train).corrupt(X, y)
    mask = record.X_mask
    mask = np.asarray(mask.toarray() if hasattr(mask, "toarray") else mask)
    return as_table(X).take(taken), mask[taken]
