"""Which columns of wide data are worth a study."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.utils.multiclass import type_of_target

from skcorrupt.utils import Table, check_target

from ._groups import coded_column, pair_association

SCREENINGS = ("importance", "variance", "association")
# trees see what they need in as many rows, and a study of wide data should not wait for more
MOST_ROWS = 20_000


def screened(
    table: Table, y: Any, columns: list[int], screening: str, max_features: int, seed: int
) -> pd.DataFrame:
    """Columns by what a study of them promises.

    Parameters
    ----------
    table : Table
        The data.
    y : array-like of shape (n_samples,) or None
        Labels.
    columns : list of int
        Positions of the columns that errors may strike.
    screening : {"importance", "variance", "association"}
        What counts.
    max_features : int
        How many are kept.
    seed : int
        Seed of the forest that tells importance.

    Returns
    -------
    DataFrame
        A row a column, the best first: `feature, value, kept`. Equal values keep the order of
        the data.

    Raises
    ------
    ValueError
        If labels are needed and there are none.
    """
    coded = [coded_column(table, j) for j in range(table.n_columns)]
    if screening == "variance":
        values = [_variance(*coded[j]) for j in columns]
    else:
        target = check_target(y, table.n_rows)
        if target is None:
            raise ValueError(
                f"screening={screening!r} needs labels, but y is None; pass them, or use "
                "screening='variance'."
            )
        quantity = type_of_target(target.values) == "continuous"
        labels = (
            np.asarray(target.values, dtype=float)
            if quantity
            else pd.factorize(pd.Series(target.values, dtype=object))[0].astype(float)
        )
        if screening == "association":
            values = [pair_association(coded[j], (quantity, labels)) for j in columns]
        else:
            importance = _importance([values for _, values in coded], labels, quantity, seed)
            values = [importance[j] for j in columns]
    frame = pd.DataFrame(
        {"feature": [str(table.labels[j]) for j in columns], "value": np.asarray(values, float)}
    )
    frame = frame.sort_values("value", ascending=False, kind="stable", ignore_index=True)
    return frame.assign(kept=np.arange(len(frame)) < max_features)


def _variance(numeric: bool, values: np.ndarray) -> float:
    """Variance of a number scaled to [0, 1], or half the chance that two categories differ."""
    known = values[np.isfinite(values)]
    if not len(known):
        return 0.0
    if numeric:
        span = known.max() - known.min()
        return float(((known - known.min()) / span).var()) if span > 0 else 0.0
    shares = np.unique(known, return_counts=True)[1] / len(known)
    # of a category of two the same as of an indicator
    return float((1 - (shares**2).sum()) / 2)


def _importance(
    columns: list[np.ndarray], labels: np.ndarray, quantity: bool, seed: int
) -> np.ndarray:
    """Mean decrease of impurity in a random forest, which shares it among columns that agree."""
    forest = RandomForestRegressor if quantity else RandomForestClassifier
    X = np.column_stack([np.where(np.isfinite(values), values, np.nan) for values in columns])
    rows = np.arange(len(X))
    if len(rows) > MOST_ROWS:
        rows = np.random.default_rng(seed).choice(rows, MOST_ROWS, replace=False)
    fitted = forest(random_state=seed % 2**32).fit(X[rows], labels[rows])
    return fitted.feature_importances_
