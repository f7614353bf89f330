"""What a pipeline's imputers put where a value is missing, read from its parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.pipeline import Pipeline

from skcorrupt.utils import Table
from skcorrupt.utils._typing import Estimator

from ..candidates._reuse import columns_of

SCALERS = ("StandardScaler", "RobustScaler", "MinMaxScaler", "MaxAbsScaler", "QuantileTransformer")


@dataclass(frozen=True)
class Fill:
    """What stands for a missing value.

    Attributes
    ----------
    kind : {"mean", "median", "most_frequent", "constant", "conditional", "category"}
        A statistic of what is left of the column, a number, what other columns predict, or, of
        categories, one of its own.
    value : object
        The constant.
    """

    kind: str = "mean"
    value: Any = None


def fills_of(estimator: Estimator, table: Table) -> list[Fill]:
    """The fill of every column.

    Parameters
    ----------
    estimator : estimator
        A pipeline.
    table : Table
        Its features.

    Returns
    -------
    list of Fill
        Where no imputer is found, a category of its own, and the mean of numbers.
    """
    fills: list[Fill | None] = [None] * table.n_columns
    for imputer, columns in _imputers(estimator, list(range(table.n_columns)), table):
        for j in columns:
            fills[j] = fills[j] or _fill(imputer)
    return [fill or Fill("category") for fill in fills]


def is_scaled(estimator: Any) -> bool:
    """Whether a pipeline scales its features before the last step."""
    return any(type(step).__name__ in SCALERS for step in _steps(estimator))


def last_step(estimator: Any) -> Any:
    """The estimator at the end of pipelines and other wrappers."""
    while True:
        if isinstance(estimator, Pipeline) or hasattr(estimator, "steps"):
            estimator = estimator.steps[-1][1]
        elif hasattr(estimator, "estimator") and hasattr(estimator.estimator, "fit"):
            estimator = estimator.estimator
        elif hasattr(estimator, "regressor") and hasattr(estimator.regressor, "fit"):
            estimator = estimator.regressor
        else:
            return estimator


def _fill(imputer: Any) -> Fill:
    if isinstance(imputer, SimpleImputer):
        if imputer.strategy == "constant":
            return Fill("constant", imputer.fill_value)
        if callable(imputer.strategy):
            return Fill()
        return Fill(imputer.strategy)
    return Fill("conditional")


def _steps(estimator: Any) -> Iterator[Any]:
    if hasattr(estimator, "steps"):
        for _, step in estimator.steps:
            yield from _steps(step)
    elif isinstance(estimator, ColumnTransformer):
        for _, step, _ in estimator.transformers:
            yield from _steps(step)
    else:
        yield estimator


def _imputers(estimator: Any, columns: list[int], table: Table) -> Iterator[tuple[Any, list[int]]]:
    """Imputers with the columns of X that reach them first."""
    if hasattr(estimator, "steps"):
        for _, step in estimator.steps:
            yield from _imputers(step, columns, table)
            if isinstance(step, ColumnTransformer):
                # behind it, columns have other places
                return
    elif isinstance(estimator, ColumnTransformer):
        for _, step, chosen in estimator.transformers:
            if not isinstance(step, str):
                yield from _imputers(step, columns_of(chosen, columns, table), table)
    elif isinstance(estimator, (SimpleImputer, KNNImputer)) or (
        type(estimator).__name__ == "IterativeImputer"
    ):
        yield estimator, columns
