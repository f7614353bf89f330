"""What a pipeline's imputers put where a value is missing, read from its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)

from skcorrupt.evaluation import walk
from skcorrupt.utils import Table
from skcorrupt.utils._compat import IterativeImputer
from skcorrupt.utils._typing import Estimator

SCALERS = (StandardScaler, RobustScaler, MinMaxScaler, MaxAbsScaler, QuantileTransformer)
IMPUTERS = (SimpleImputer, KNNImputer, IterativeImputer)


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
    for step, columns in walk(estimator, table):
        if isinstance(step, IMPUTERS):
            for j in columns or ():
                fills[j] = fills[j] or _fill(step)
    return [fill or Fill("category") for fill in fills]


def is_scaled(estimator: Estimator, table: Table) -> bool:
    """Whether a pipeline scales its features before the last step."""
    return any(isinstance(step, SCALERS) for step, _ in walk(estimator, table))


def _fill(imputer: SimpleImputer | KNNImputer | IterativeImputer) -> Fill:
    if isinstance(imputer, SimpleImputer):
        if imputer.strategy == "constant":
            return Fill("constant", imputer.fill_value)
        if callable(imputer.strategy):
            return Fill()
        return Fill(imputer.strategy)
    return Fill("conditional")
