"""Kinds of error that models are served, and pipelines that take them."""

from __future__ import annotations

from typing import Any

import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from skcorrupt import CorruptScale, CorruptSentinel
from skcorrupt.base import BaseCorruption

FACTORS = (1000.0, 0.001, 2.54)


def kinds() -> list[str | BaseCorruption]:
    """Missing values, three errors of units, and defaults in place of values."""
    return ["missing", *(CorruptScale(factor=factor) for factor in FACTORS), CorruptSentinel()]


def models(X: pd.DataFrame) -> dict[str, Pipeline]:
    """Two pipelines that take all of these errors."""
    numbers = [c for c in X if X[c].dtype.kind in "if"]
    names = [c for c in X if c not in numbers]
    filled = make_pipeline(SimpleImputer(), StandardScaler())
    most = SimpleImputer(strategy="most_frequent")
    coded = make_pipeline(most, OneHotEncoder(handle_unknown="ignore"))
    unknown: dict[str, Any] = {"handle_unknown": "use_encoded_value", "unknown_value": -1}
    ordered = make_pipeline(most, OrdinalEncoder(**unknown))
    return {
        "logistic regression": make_pipeline(
            make_column_transformer((filled, numbers), (coded, names)),
            LogisticRegression(max_iter=1000),
        ),
        "boosting": make_pipeline(
            make_column_transformer(("passthrough", numbers), (ordered, names)),
            HistGradientBoostingClassifier(random_state=0),
        ),
    }
