"""Errors in single columns beside the importance of the column and its correlation."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import f1_score, make_scorer

from benchmarks.replication.esp._studies import (
    LEVELS,
    UNSCALED,
    load_online_shoppers,
    load_south_german_credit,
    models,
)
from skcorrupt import CorruptNoise, CorruptOutliers
from skcorrupt.sensitivity import ErrorSensitivityProfiler

DATA = {"online shoppers": load_online_shoppers, "south german credit": load_south_german_credit}
MODELS = ("SGD", UNSCALED)
N_REPEATS = 5
# of the first data set, those that the paper names as of little importance and harmful
NAMED = ("Administrative_Duration", "TrafficType", "Month", "Weekend")
N_NAMED_REPEATS = 10


def feature_rows() -> Iterator[dict[str, Any]]:
    """What noise and outliers in one column do to SGD, scaled and not, by the F1 of either class.

    Yields
    ------
    dict
        A row a data set, class, model, error and column.
    """
    for data in DATA:
        yield from _rows_of(data, None, N_REPEATS)


def named_rows() -> Iterator[dict[str, Any]]:
    """The same for the columns of online shoppers that the paper names.

    Yields
    ------
    dict
        As in `feature_rows`.
    """
    yield from _rows_of("online shoppers", NAMED, N_NAMED_REPEATS)


def _rows_of(data: str, columns: Sequence[str] | None, n_repeats: int) -> Iterator[dict[str, Any]]:
    """Rows of some columns of a data set, of all where `columns` is None."""
    X, y = DATA[data]()
    clean = clean_ranks(X, y)
    majority = int(y.mode().iloc[0])
    for label, metric in ((majority, "majority"), (1 - majority, "minority")):
        known = models()
        profiler = ErrorSensitivityProfiler(
            {name: known[name] for name in MODELS},
            corruptions={
                f"{kind}: {name}": error([name])
                for name in (X if columns is None else columns)
                for kind, error in (("noise", CorruptNoise), ("outliers", CorruptOutliers))
            },
            strategy="custom",
            levels=LEVELS,
            n_repeats=n_repeats,
            scoring=make_scorer(f1_score, pos_label=label),
            random_state=0,
        )
        with warnings.catch_warnings():
            # so few repeats cannot be significant among so many, and nothing here has to be
            warnings.filterwarnings("ignore", "n_repeats=")
            profiler.fit(X, y)
        for record in profiler.profiles_.to_dict("records"):
            kind, _, name = record["corruption"].partition(": ")
            yield {
                "data": data,
                "metric": f"F1 of the {metric}",
                "model": record["model"],
                "error": kind,
                "feature": name,
                "aepc": record["aepc"],
                "interval": [record["aepc_low"], record["aepc_high"]],
                **clean[name],
            }


def clean_ranks(X: pd.DataFrame, y: pd.Series) -> dict[str, dict[str, float]]:
    """Importance in a random forest and size of the correlation with the label, by column."""
    text = [str(name) for name in X if not pd.api.types.is_numeric_dtype(X[name])]
    coded = X.assign(**{name: pd.factorize(X[name])[0] for name in text})
    forest = RandomForestClassifier(random_state=0).fit(coded, y)
    return {
        name: {"importance": float(weight), "correlation": abs(float(coded[name].corr(y)))}
        for name, weight in zip(coded, forest.feature_importances_, strict=True)
    }
