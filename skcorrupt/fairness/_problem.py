"""Data, groups and splits on which pipelines are compared."""

from __future__ import annotations

import copy
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier, is_regressor
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit
from sklearn.pipeline import Pipeline

from skcorrupt.evaluation import Split, checked_splitter, make_splits, split_indices
from skcorrupt.utils import (
    as_column,
    as_table,
    check_target,
    sorted_labels,
    spawn_seeds,
    warn,
    warn_of_order,
)
from skcorrupt.utils._typing import ColumnLabels, ColumnLike, Folds, TableLike

from ._gaps import DecisionGaps, Gaps, NumberGaps
from ._sensitive import GroupPair, group_pairs

TEST_SIZE = 0.3
SMALL = 1_000
N_SPLITS, N_SPLITS_SMALL = 10, 30


@dataclass(frozen=True)
class Problem:
    """Data, groups and splits on which pipelines are compared.

    Attributes
    ----------
    gaps : Gaps
        What is measured.
    pairs : list of GroupPair
        The groups.
    splits : list of Split
        The splits.
    seed : int
        Source of all seeds.
    """

    gaps: Gaps
    pairs: list[GroupPair]
    splits: list[Split]
    seed: int

    @property
    def test_ratio(self) -> float:
        """Test rows over training rows."""
        return float(np.mean([len(split.test) / len(split.train) for split in self.splits]))


def make_problem(
    pipeline: Pipeline,
    X: TableLike,
    y: ColumnLike,
    *,
    sensitive_features: ColumnLabels | None,
    privileged: Any,
    pos_label: Hashable | None,
    cv: Folds,
    seed: int,
    given: TableLike | ColumnLike | None = None,
    groups: ColumnLike | None = None,
) -> Problem:
    """Check what is asked and cut the data into splits.

    Parameters
    ----------
    pipeline : Pipeline
        What is compared.
    X : table of shape (n_samples, n_features)
        The raw data.
    y : array-like of shape (n_samples,)
        Labels.
    sensitive_features, privileged, pos_label : object
        As in StageFairnessAblator.
    cv : int, splitter or None
        As in StageFairnessAblator.
    seed : int
        Source of all seeds.
    given : array-like, default=None
        The sensitive attributes themselves.
    groups : array-like, default=None
        Groups for the splitter.

    Returns
    -------
    Problem
        Ready to run.

    Raises
    ------
    ValueError
        If a column, label or privileged value is not there.
    TypeError
        If it is not a Pipeline.
    """
    if not isinstance(pipeline, Pipeline):
        raise TypeError(
            f"pipeline={pipeline!r} should be a Pipeline of scikit-learn or imbalanced-learn; put "
            "the preprocessing and the model into one."
        )
    if not hasattr(pipeline.steps[-1][1], "fit") or not hasattr(pipeline, "predict"):
        raise ValueError(
            f"pipeline: its last step {pipeline.steps[-1][0]!r} does not predict; put the model "
            "there."
        )
    n_rows = as_table(X).n_rows
    y = one_column(y, n_rows)
    gaps = _gaps(pipeline, y, pos_label)
    warn_of_order(given, X, "sensitive_features")
    pairs = group_pairs(X, sensitive_features, privileged, given)
    for pair in pairs:
        n_missing = int(np.isnan(pair.rows).sum())
        if n_missing and not pair.is_cell:
            warn(
                f"{n_missing} of {n_rows} rows have no value of {pair.sensitive!r}; they train the "
                "pipelines but are of no group.",
            )
    splitter = _splitter(pipeline, y, n_rows, cv, seed)
    indices = split_indices(cv, splitter, X, y, n_rows, groups=groups)
    splits = make_splits(X, y, indices, spawn_seeds(seed, len(indices)))
    return Problem(gaps, pairs, splits, seed)


def one_column(y: ColumnLike, n_rows: int) -> Any:
    """The labels, as a Series where they came as a table of one column.

    Parameters
    ----------
    y : array-like of shape (n_samples,) or (n_samples, 1)
        Labels.
    n_rows : int
        Rows of the data.

    Returns
    -------
    array-like of shape (n_samples,)
        The labels.

    Raises
    ------
    ValueError
        If there is not one label a row.
    """
    target = check_target(y, n_rows)
    if target is None:
        raise ValueError("y is None; the labels are needed to fit the pipeline.")
    if target.table.n_columns != 1:
        raise ValueError(
            f"y has {target.table.n_columns} columns; fairness is about one label, so pass y of "
            "shape (n_samples,)."
        )
    as_column(target.values, "y")
    if isinstance(y, pd.DataFrame):
        return y.iloc[:, 0]
    if hasattr(y, "to_series"):
        return y.to_series()
    return np.asarray(y).ravel() if np.ndim(y) == 2 else y


def _gaps(pipeline: Pipeline, y: ColumnLike, pos_label: Hashable | None) -> Gaps:
    labels = pd.Series(np.asarray(y), dtype=object)
    if labels.isna().any():
        raise ValueError(f"y has {int(labels.isna().sum())} missing labels; leave these rows out.")
    if is_regressor(pipeline):
        if pos_label is not None:
            raise ValueError(
                f"pos_label={pos_label!r}: the pipeline predicts numbers, of which none is "
                "favourable, so that there are no rates of decisions (SPD, EOD, AOD, ERD); pass "
                "pos_label=None to compare mean predictions and mean errors."
            )
        return NumberGaps()
    classes = sorted_labels(np.asarray(y)).tolist()
    if not labels.isin([pos_label]).any():
        why = "" if pos_label is not None else " None is for regressors."
        raise ValueError(
            f"pos_label={pos_label!r} should be one of the labels in y: "
            f"{', '.join(sorted(map(repr, classes))[:20])}.{why}"
        )
    if len(classes) == 1:
        raise ValueError(
            f"y has the label {classes[0]!r} alone; a decision between two or more is needed."
        )
    return DecisionGaps(pos_label)


def _splitter(pipeline: Pipeline, y: ColumnLike, n_rows: int, cv: Folds, seed: int) -> Any:
    if cv is not None:
        splitter = checked_splitter(cv, y, classifier=is_classifier(pipeline))
        if getattr(splitter, "random_state", seed) is None:
            splitter = copy.copy(splitter)
            splitter.random_state = seed % 2**32
        return splitter
    kind = ShuffleSplit if is_regressor(pipeline) else StratifiedShuffleSplit
    n_splits = N_SPLITS_SMALL if n_rows <= SMALL else N_SPLITS
    return kind(n_splits=n_splits, test_size=TEST_SIZE, random_state=seed % 2**32)
