"""Errors in the test part of splits, the same for every candidate (paper 000, section 5.4)."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import Split, reseeded, sample_aligned
from skcorrupt.patterns import as_pattern
from skcorrupt.utils import Table, first_line


def check_test_corruption(corruption: Any, table: Table, y: Any) -> None:
    """Refuse what is no corruption, or one that does not fit the data.

    Raises
    ------
    TypeError, ValueError
        With what can be passed.
    """
    if corruption is None:
        return
    if not isinstance(corruption, BaseCorruption):
        raise TypeError(
            f"test_corruption={corruption!r} should be a corruption object, which is applied as it "
            "is, such as CorruptMissing(rate=0.1), or None for clean test data."
        )
    for name, value in corruption.get_params().items():
        if name.rpartition("__")[2] == "missing_label" and value is not None:
            raise ValueError(
                f"test_corruption has {name}={value!r}, which erases labels that scores are "
                "computed from; pass one that keeps labels or changes them."
            )
    copy = clone(corruption)
    copy._validate_params()
    if hasattr(copy, "pattern"):
        as_pattern(copy.pattern).labelled(table, y)


def corrupt_test_part(split: Split, corruption: BaseCorruption | None, seed: int) -> np.ndarray:
    """Corrupt the test part of a split, in the split.

    Parameters
    ----------
    split : Split
        Its test rows, labels and parameters of the scorer are replaced.
    corruption : BaseCorruption or None
        What happens to them, with reference facts of the clean training part; None does nothing.
    seed : int
        Seed of the draw, whatever seed the corruption has.

    Returns
    -------
    ndarray of int
        Of every row there is now, its position among those that there were.

    Raises
    ------
    ValueError
        If the corruption cannot be applied to the rows, such as when none would be left.
    """
    n = len(split.test)
    if corruption is None or n == 0:
        return np.arange(n)
    drawn = reseeded(corruption, seed).fit(split.X_train, split.y_train)
    try:
        split.X_test, split.y_test, record = drawn.corrupt(split.X_test, split.y_test)
    except ValueError as error:
        raise ValueError(
            f"test_corruption={corruption!r} does not go with the {n} test rows of a split: {error}"
        ) from error
    kept = record.sample_indices
    split.score_params = sample_aligned(split.score_params, kept, n)
    split.test = split.test[kept]
    return kept


def raise_if_test_part(corruption: BaseCorruption | None, error: Exception) -> None:
    """Say that test parts are corrupted, where a pipeline fails that was fitted on clean data.

    Raises
    ------
    ValueError
        From the error of the pipeline, where there is a corruption.
    """
    if corruption is not None:
        raise ValueError(
            "The pipeline, fitted on clean data, cannot score test parts with "
            f"test_corruption={corruption!r}: {first_line(error)} Add a step that takes such "
            "errors, such as an imputer, or pass test_corruption=None."
        ) from error
