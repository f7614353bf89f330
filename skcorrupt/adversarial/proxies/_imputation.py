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
    kind : {"mean", "median", "most_frequent", "constant", "regression", "neighbours", "category"}
        A statistic of what is left of the column, a number, what other columns predict, the mean
        of the rows nearest, or, of categories, one of its own.
    value : object
        The constant.
    others : tuple of int
        Columns that come to the same imputer.
    imputer : estimator or None
        The imputer.
    standardised : bool
        Whether a scaler stands before the imputer.
    flagged : bool
        Whether the imputer adds a column that says where values were missing.
    """

    kind: str = "mean"
    value: Any = None
    others: tuple[int, ...] = ()
    imputer: Any = None
    standardised: bool = False
    flagged: bool = False

    @property
    def looks_elsewhere(self) -> bool:
        """Whether it depends on the row's other columns."""
        return self.kind in ("regression", "neighbours")


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
    scaled: set[int] = set()
    for step, columns in walk(estimator, table):
        # behind a ColumnTransformer every column comes, if in another place
        reached = range(table.n_columns) if columns is None else columns
        if isinstance(step, SCALERS):
            scaled.update(reached)
        elif isinstance(step, IMPUTERS):
            for j in reached:
                fills[j] = fills[j] or _fill(step, tuple(reached), j in scaled)
    return [fill or Fill("category") for fill in fills]


def scalers_of(estimator: Estimator, table: Table) -> list[Any]:
    """The first scaler of every column, None where there is none."""
    found: list[Any] = [None] * table.n_columns
    for step, columns in walk(estimator, table):
        if isinstance(step, SCALERS):
            for j in range(table.n_columns) if columns is None else columns:
                found[j] = found[j] or step
    return found


def is_scaled(estimator: Estimator, table: Table) -> bool:
    """Whether a pipeline scales its features before the last step."""
    return any(isinstance(step, SCALERS) for step, _ in walk(estimator, table))


def _fill(
    imputer: SimpleImputer | KNNImputer | IterativeImputer,
    others: tuple[int, ...],
    standardised: bool,
) -> Fill:
    known = {
        "others": others,
        "imputer": imputer,
        "standardised": standardised,
        "flagged": bool(imputer.add_indicator),
    }
    if isinstance(imputer, KNNImputer):
        return Fill("neighbours", **known)
    if isinstance(imputer, IterativeImputer):
        return Fill("regression", **known)
    kind = "mean" if callable(imputer.strategy) else imputer.strategy
    return Fill(kind, imputer.fill_value if kind == "constant" else None, **known)
