"""Rules about what a corruption does to data."""

from __future__ import annotations

import itertools
import math
import random
import warnings
from collections.abc import Callable
from typing import Any

import joblib
import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils import get_tags

from skcorrupt.base import CorruptionResult
from skcorrupt.utils import as_table

from ._cases import Case
from ._compare import (
    columns_of,
    container_of,
    dense,
    dtypes_of,
    equal_cells,
    labels_of,
    same_data,
    same_values,
)
from ._variants import (
    applied,
    at_rate,
    half_pattern,
    has,
    matched_rows,
    patterns_of,
    rows_distinct,
    struck_rows,
)

# of 60 rows, one rounds up, one is whole and one rounds down
RATES = (0.23, 0.5, 0.79)


def check_inputs_untouched(corruption: Any, case: Case) -> None:
    """X and y are never changed in place, read-only ones are taken."""
    for act in (type(corruption).corrupt, _apply):
        X, y = case.data()
        for array in [*_buffers(X), *_buffers(y)]:
            array.flags.writeable = False
        act(at_rate(corruption, 0.5), X, y)
        if not same_data(X, case.X):
            raise AssertionError("changes X in place")
        if not same_data(y, case.y):
            raise AssertionError("changes y in place")


def _buffers(data: Any) -> list[np.ndarray]:
    if sparse.issparse(data):
        return [data.data]
    return [data] if isinstance(data, np.ndarray) else []


def check_global_random_state_untouched(corruption: Any, case: Case) -> None:
    """Neither numpy's nor Python's global random state moves."""
    X, y = case.data()
    before = joblib.hash((np.random.get_state(), random.getstate()))  # noqa: NPY002
    for seed in (0, None):
        _apply(at_rate(corruption, 0.5, seed), X, y)
    if joblib.hash((np.random.get_state(), random.getstate())) != before:  # noqa: NPY002
        raise AssertionError("moves the global random state")


def check_corrupt_sets_no_state(corruption: Any, case: Case) -> None:
    """`corrupt` leaves the corruption as it is, fitted or not."""
    X, y = case.data()
    variant = at_rate(corruption, 0.5)
    for fitted in (False, True):
        if fitted:
            variant.fit(X, y)
        before = joblib.hash(vars(variant))
        variant.corrupt(X, y)
        if joblib.hash(vars(variant)) != before:
            raise AssertionError(f"changes its attributes in corrupt (fitted: {fitted})")


def check_same_seed_same_result(corruption: Any, case: Case) -> None:
    """The same seed gives the same result, 0 included."""
    X, y = case.data()
    first, again = applied(corruption, case), at_rate(corruption, 0.5, seed=0).corrupt(X, y)
    if not _same_result(first, again):
        raise AssertionError("gives two results for random_state=0")


def check_other_seed_other_rows(corruption: Any, case: Case) -> None:
    """Different seeds strike different rows."""
    X, y = case.data()
    results = (at_rate(corruption, 0.5, seed).corrupt(X, y) for seed in range(1, 6))
    first = applied(corruption, case)
    n_struck = struck_rows(first).sum()
    if n_struck < 5 or n_struck == matched_rows(corruption, X, y).sum():
        return
    if all(_same_result(first, other) for other in results):
        raise AssertionError("gives the same result for the seeds 0 to 5")


def check_record_seed_reproduces(corruption: Any, case: Case) -> None:
    """The seed in the record of an unseeded draw makes the same draw again."""
    X, y = case.data()
    first = at_rate(corruption, 0.5, None).corrupt(X, y)
    again = at_rate(corruption, 0.5, first.record.seed).corrupt(X, y)
    if not _same_result(first, again):
        raise AssertionError(f"gives another result with the recorded seed {first.record.seed}")


def check_exact_count(corruption: Any, case: Case) -> None:
    """⌊rate · matched + ½ + 1e−9⌋ rows are struck."""
    if not has(corruption, "rate"):
        return
    X, y = case.data()
    n_matched = int(matched_rows(corruption, X, y).sum())
    at_most = getattr(corruption, "when", "fit") == "always" and not rows_distinct(X)
    for rate in RATES:
        result = applied(corruption, case, rate)
        record = result.record
        if record.n_matched > n_matched:
            raise AssertionError(f"records n_matched={record.n_matched} of {n_matched}")
        of = [record.n_matched]
        counts = [int(struck_rows(result).sum())]
        if hasattr(corruption, "transform"):
            struck = dense(record.X_mask).sum(axis=0)
            hit = np.flatnonzero(struck)
            counts = [int(n) for n in struck[hit]]
            of = [_n_able(corruption, X, y, int(j), record.n_matched) for j in hit]
        expected = [math.floor(rate * n + 0.5 + 1e-9) for n in of]
        pairs = zip(counts, expected, strict=False)
        if any(n > most if at_most else n != most for n, most in pairs):
            raise AssertionError(f"strikes {counts} rows, not {expected}, at rate={rate} of {of}")


def _n_able(corruption: Any, X: Any, y: Any, j: int, n_matched: int) -> int:
    """Rows that can be struck in a column, where columns are struck on rows of their own."""
    able = corruption._can_change(as_table(X), j)
    if getattr(corruption, "same_rows", True) or able is None:
        return n_matched
    return int((matched_rows(corruption, X, y) & able).sum())


def check_rows_nested_in_rate(corruption: Any, case: Case) -> None:
    """Rows struck at a lower rate are struck at a higher one, with the same new values.

    Values that are taken from spared rows may be others, as fewer rows are spared.
    """
    if not has(corruption, "rate"):
        return
    results = [applied(corruption, case, rate) for rate in RATES]
    for low, high in itertools.pairwise(results):
        if np.any(struck_rows(low) & ~struck_rows(high)):
            raise AssertionError("strikes rows at a lower rate that it spares at a higher one")
        if len(low.record.sample_indices) != len(high.record.sample_indices):
            continue
        if getattr(corruption, "_reads", "row") == "spared":
            continue
        kept = dense(low.record.X_mask) & dense(high.record.X_mask)
        _require_equal_cells(low.X, high.X, kept, "cells struck at two rates get other values")
        kept = (low.record.y_mask & high.record.y_mask)[:, np.newaxis]
        _require_equal_cells(low.y, high.y, kept, "labels struck at two rates get other values")


def check_rate_zero_changes_nothing(corruption: Any, case: Case) -> None:
    """`rate=0` changes nothing and does not warn."""
    X, y = case.data()
    variant = at_rate(corruption, 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        variant.fit(X, y)
        result = variant.corrupt(X, y)
    if not (same_data(result.X, X) and same_data(result.y, y)) or result.record.n_corrupted:
        raise AssertionError("changes something at rate=0")


def check_no_effect_warns(corruption: Any, case: Case) -> None:
    """A rate above 0 that comes to no row at all warns."""
    X, y = case.data()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = at_rate(corruption, 1e-6).corrupt(X, y)
    if not result.record.n_corrupted and not caught:
        raise AssertionError("strikes no row at rate=1e-6 and does not warn")


def check_changes_something(corruption: Any, case: Case) -> None:
    """At a rate of one half something is another value than before."""
    X, y = case.data()
    result = at_rate(corruption, 0.5).corrupt(X, y)
    if same_values(result.X, X) and same_values(result.y, y):
        raise AssertionError("leaves every value as it was at rate=0.5")


def check_pattern_respected(corruption: Any, case: Case) -> None:
    """Only rows that the pattern matches are struck."""
    X, y = case.data()
    variant = at_rate(corruption, 0.8)
    if has(variant, "pattern") and variant.pattern is None:
        variant.set_params(pattern=half_pattern(X))
    struck = struck_rows(variant.corrupt(X, y))
    if np.any(struck & ~matched_rows(variant, X, y)):
        raise AssertionError("strikes rows that its pattern does not match")


def check_outside_mask_identical(corruption: Any, case: Case) -> None:
    """Masks have the shape of the data, and what they leave out is bit-identical."""
    X, y = case.X, case.y
    result = applied(corruption, case)
    indices, mask = result.record.sample_indices, dense(result.record.X_mask)
    n_columns = len(columns_of(X))
    if mask.shape != (len(indices), n_columns) or result.record.y_mask.shape != (len(indices),):
        raise AssertionError(
            f"has masks of shapes {mask.shape} and {result.record.y_mask.shape} for "
            f"{len(indices)} rows and {n_columns} columns"
        )
    changed = "changes cells outside X_mask"
    _require_equal_cells(as_table(X).take(indices), result.X, ~mask, changed)
    labels = [column[indices] for column in columns_of(y)]
    for before, after in zip(labels, columns_of(result.y), strict=True):
        if not equal_cells(before, after)[~result.record.y_mask].all():
            raise AssertionError("changes labels outside y_mask")


def check_struck_labels_change(corruption: Any, case: Case) -> None:
    """Every struck label is another one than before."""
    result = applied(corruption, case, RATES[-1])
    struck = result.record.y_mask
    if not struck.any():
        return
    before = columns_of(case.y)[0][result.record.sample_indices][struck]
    if equal_cells(before, columns_of(result.y)[0][struck]).any():
        raise AssertionError("leaves struck labels as they were")


def check_container_kept(corruption: Any, case: Case) -> None:
    """X and y come back in the containers they came in."""
    X, y = case.X, case.y
    result = applied(corruption, case)
    if container_of(result.X) != container_of(X):
        raise AssertionError(f"turns X from {container_of(X)} into {container_of(result.X)}")
    if not isinstance(y, (list, tuple)) and container_of(result.y) != container_of(y):
        raise AssertionError(f"turns y from {container_of(y)} into {container_of(result.y)}")


def check_columns_kept(corruption: Any, case: Case) -> None:
    """Columns keep their labels and order."""
    before, after = labels_of(case.X), labels_of(applied(corruption, case).X)
    if before != after:
        raise AssertionError(f"turns the columns {before} into {after}")


def check_dtypes_kept(corruption: Any, case: Case) -> None:
    """What holds no struck cell keeps its dtype."""
    X, y = case.X, case.y
    result = applied(corruption, case)
    struck: np.ndarray = np.any(dense(result.record.X_mask), axis=0)
    for j, (before, after) in enumerate(zip(dtypes_of(X), dtypes_of(result.X), strict=True)):
        spared = not struck[j] if labels_of(X) else not struck.any()
        if spared and before != after:
            raise AssertionError(f"turns column {j}, of which no cell is struck, into {after}")
    if not result.record.y_mask.any() and dtypes_of(result.y) != dtypes_of(y) != []:
        raise AssertionError("changes the dtype of labels that it does not strike")


def check_index_kept(corruption: Any, case: Case) -> None:
    """Every row keeps its index label."""
    X, y = case.X, case.y
    result = applied(corruption, case)
    for before, after in ((X, result.X), (y, result.y)):
        if not isinstance(before, (pd.DataFrame, pd.Series)):
            continue
        index = before.index.take(result.record.sample_indices)
        if not after.index.equals(index) or after.index.names != index.names:
            raise AssertionError("changes index labels")
        if getattr(before, "name", None) != getattr(after, "name", None):
            raise AssertionError("changes the name of y")


def check_record_consistent(corruption: Any, case: Case) -> None:
    """The record agrees with itself and with what came out."""
    result = applied(corruption, case)
    record, n = result.record, as_table(case.X).n_rows
    indices = record.sample_indices
    if len(indices) != as_table(result.X).n_rows or np.any((indices < 0) | (indices >= n)):
        raise AssertionError("records sample_indices that do not fit X")
    if hasattr(corruption, "transform") and not np.array_equal(indices, np.arange(n)):
        raise AssertionError("is a transformer that records other rows than it got")
    n_struck = int(struck_rows(result).sum())
    if (record.n_samples_in, record.n_corrupted) != (n, n_struck):
        raise AssertionError(f"records {record.n_corrupted} rows where {n_struck} were struck")
    if record.row_fraction != record.n_corrupted / n:
        raise AssertionError(f"records row_fraction={record.row_fraction}")
    events = record.to_frame()["event"].value_counts()
    cells, labels = int(dense(record.X_mask).sum()), int(record.y_mask.sum())
    if (events.get("cell", 0), events.get("label", 0)) != (cells, labels):
        raise AssertionError("lists other events in to_frame than its masks hold")


def check_column_order(corruption: Any, case: Case) -> None:
    """Where columns change places, their cells are struck alike and get the same values."""
    labels = labels_of(case.X)
    if len(set(labels)) < 2 or len(set(labels)) < len(labels):
        return
    X, y = case.data()
    turned = at_rate(corruption, 0.5).corrupt(X[labels[::-1]], y)
    result = applied(corruption, case)
    struck = np.array_equal(dense(turned.record.X_mask)[:, ::-1], dense(result.record.X_mask))
    rows = np.array_equal(turned.record.sample_indices, result.record.sample_indices)
    labelled = same_values(turned.y, result.y)
    if not (struck and rows and labelled and same_values(turned.X[labels], result.X)):
        raise AssertionError("strikes otherwise where the columns are in another order")


def check_fit_and_corrupt_agree(corruption: Any, case: Case) -> None:
    """`fit_transform` or `fit_resample` does what `corrupt` does and keeps its record."""
    X, y = case.data()
    result = applied(corruption, case)
    variant = at_rate(corruption, 0.5)
    X_out, y_out = _apply(variant, X, y)
    if not same_data(result.X, X_out) or not same_data(result.y, y_out):
        raise AssertionError("gives other data when fitted and applied at once than in corrupt")
    record = getattr(variant, "record_", None)
    if record is None or record.n_corrupted != result.record.n_corrupted:
        raise AssertionError("does not set record_")
    if hasattr(variant, "fit_resample"):
        kept = getattr(variant, "sample_indices_", ())
        if not np.array_equal(kept, record.sample_indices):
            raise AssertionError("does not set sample_indices_")


def check_when_fit_passes_through(corruption: Any, case: Case) -> None:
    """With `when="fit"`, `transform` gives clean data back, and the tags say so."""
    if not has(corruption, "when"):
        return
    X, y = case.data()
    variant = at_rate(corruption, 0.5, when="fit")
    variant.fit_transform(X, y)
    if not same_data(variant.transform(X), X):
        raise AssertionError('corrupts in transform with when="fit"')
    if not get_tags(variant).non_deterministic:
        raise AssertionError('is not tagged non_deterministic with when="fit"')


def check_when_always_follows_content(corruption: Any, case: Case) -> None:
    """With `when="always"`, what happens to a row depends on its content alone."""
    if not has(corruption, "when") or any(p.uses_y for p in patterns_of(corruption)):
        return
    if getattr(corruption, "_reads", "row") != "row":
        return
    X, y = case.data()
    variant = at_rate(corruption, 0.5, when="always")
    whole = variant.fit_transform(X, y)
    if not same_data(variant.transform(X), whole):
        raise AssertionError("gives other data in transform than in fit_transform")
    n = as_table(X).n_rows
    batches = [
        ("in another order", np.arange(n)[::-1]),
        ("in a smaller batch", np.arange(n // 3, n // 2)),
        *[("alone", np.array([i])) for i in range(0, n, max(1, n // 5))],
    ]
    for how, rows in batches:
        part = variant.transform(as_table(X).take(rows))
        if not same_values(part, as_table(whole).take(rows)):
            raise AssertionError(f"treats rows {how} differently")
    if isinstance(X, np.ndarray) and X.dtype.kind == "i":
        if not same_values(variant.transform(X.astype(float)), whole):
            raise AssertionError("treats 1.0 differently from 1")


def _apply(corruption: Any, X: Any, y: Any) -> tuple[Any, Any]:
    if hasattr(corruption, "fit_resample"):
        return corruption.fit_resample(X, y)
    return corruption.fit_transform(X, y), y


def _same_result(a: CorruptionResult, b: CorruptionResult) -> bool:
    return (
        same_data(a.X, b.X)
        and same_data(a.y, b.y)
        and np.array_equal(a.record.sample_indices, b.record.sample_indices)
        and np.array_equal(dense(a.record.X_mask), dense(b.record.X_mask))
        and np.array_equal(a.record.y_mask, b.record.y_mask)
    )


def _require_equal_cells(a: Any, b: Any, where: np.ndarray, message: str) -> None:
    for j, (left, right) in enumerate(zip(columns_of(a), columns_of(b), strict=True)):
        if not equal_cells(left, right)[where[:, j]].all():
            raise AssertionError(f"{message} (column {j})")


RESULT_CHECKS: tuple[Callable[[Any, Case], None], ...] = (
    check_inputs_untouched,
    check_record_consistent,
    check_global_random_state_untouched,
    check_corrupt_sets_no_state,
    check_same_seed_same_result,
    check_other_seed_other_rows,
    check_record_seed_reproduces,
    check_container_kept,
    check_columns_kept,
    check_index_kept,
    check_outside_mask_identical,
    check_dtypes_kept,
    check_struck_labels_change,
    check_pattern_respected,
    check_rate_zero_changes_nothing,
    check_no_effect_warns,
    check_changes_something,
    check_exact_count,
    check_rows_nested_in_rate,
    check_column_order,
    check_fit_and_corrupt_agree,
    check_when_fit_passes_through,
    check_when_always_follows_content,
)
