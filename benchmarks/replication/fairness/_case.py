"""One pipeline of the fairness study and the steps that several of them share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from imblearn import FunctionSampler
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder

XGBOOST = "histogram boosting for XGBoost"


@dataclass(frozen=True)
class Case:
    """One pipeline of the study.

    Attributes
    ----------
    name : str
        Its name in the paper's table 1.
    data : str
        Key of the data set.
    pipeline : Pipeline
        As far as scikit-learn and imbalanced-learn have its parts.
    stages : dict of str to str
        Parameter paths of its stages, and their names in the paper's figure 3.
    sensitive : str
        The sensitive column, whose privileged value is 1.
    references : dict of str to estimator
        What stages are compared with.
    differs : str
        In what it differs from the script, "" where it does not.
    pos_label : int
        The favourable label.
    n_splits : int
        Number of splits.
    """

    name: str
    data: str
    pipeline: Any
    stages: dict[str, str]
    sensitive: str
    references: dict[str, Any] = field(default_factory=dict)
    differs: str = ""
    pos_label: int = 1
    n_splits: int = 10


def text_columns(X: pd.DataFrame) -> list[str]:
    """Columns that are not numbers."""
    return [str(name) for name in X if not pd.api.types.is_numeric_dtype(X[name])]


def one_hot(columns: Any = text_columns) -> ColumnTransformer:
    """One-hot encoding of some columns, the others as they are."""
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return ColumnTransformer([("code", encoder, columns)], remainder="passthrough")


def integers(columns: Any = text_columns) -> ColumnTransformer:
    """Whole numbers for the categories of some columns; the path of the stage is `…__code`."""
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    return ColumnTransformer([("code", encoder, columns)], remainder="passthrough")


def custom(function: Callable[[pd.DataFrame], pd.DataFrame]) -> FunctionTransformer:
    """A step made of a function of the frame."""
    return FunctionTransformer(function)


def row_filter(function: Callable[[pd.DataFrame], pd.Series]) -> FunctionSampler:
    """A step that keeps the training rows that a function says."""
    return FunctionSampler(func=_filtered, kw_args={"function": function}, validate=False)


def complete_rows(X: pd.DataFrame) -> pd.Series:
    """Rows without a missing value."""
    return X.notna().all(axis=1)


def boosting(**settings: Any) -> HistGradientBoostingClassifier:
    """Histogram boosting that looks at no validation rows."""
    return HistGradientBoostingClassifier(early_stopping=False, **settings)


def _filtered(X: pd.DataFrame, y: Any, function: Callable) -> tuple[Any, Any]:
    keep = function(X).to_numpy()
    return X[keep], y[keep]
