"""Which columns of wide data are worth a study."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from skcorrupt.utils import Table, Target, check_target
from skcorrupt.utils._typing import ColumnLike

from ._groups import Column, coded_column, pair_association

SCREENINGS = ("importance", "variance", "association")
# trees see what they need in as many rows, and a study of wide data should not wait for more
MOST_ROWS = 20_000
# more numbers than these are a quantity where nothing else says what they are
MOST_CLASSES = 20


def screened(
    table: Table,
    y: ColumnLike | None,
    columns: list[int],
    screening: str,
    max_features: int,
    seed: int,
    classes: bool | None = None,
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
    classes : bool, default=None
        Whether labels are classes; else they are a quantity, if they are numbers. None takes for
        a quantity numbers that are not whole and those with more than 20 distinct values.

    Returns
    -------
    DataFrame
        One row per column, the best first: `feature, value, kept`. Equal values keep the order of
        the data.

    Raises
    ------
    ValueError
        If labels are needed and there are none.
    """
    coded = [coded_column(table, j) for j in range(table.n_columns)]
    if screening == "variance":
        values = [_variance(coded[j]) for j in columns]
    else:
        target = check_target(y, table.n_rows)
        if target is None:
            raise ValueError(
                f"screening={screening!r} needs labels, but y is None; pass them, or use "
                "screening='variance'."
            )
        labels = _labels(target, classes)
        if screening == "association":
            values = [pair_association(coded[j], labels) for j in columns]
        else:
            importance = _importance(coded, labels, seed)
            values = [importance[j] for j in columns]
    frame = pd.DataFrame(
        {"feature": [str(table.labels[j]) for j in columns], "value": np.asarray(values, float)}
    )
    frame = frame.sort_values("value", ascending=False, kind="stable", ignore_index=True)
    return frame.assign(kept=np.arange(len(frame)) < max_features)


def _labels(target: Target, classes: bool | None) -> Column:
    """Labels as a column of numbers or of categories."""
    labels = pd.Series(target.values).infer_objects()
    numbers = pd.api.types.is_numeric_dtype(labels) and not pd.api.types.is_bool_dtype(labels)
    quantity = numbers and not classes
    if quantity and classes is None:
        quantity = labels.nunique() > MOST_CLASSES or bool((labels.dropna() % 1 != 0).any())
    if quantity:
        return Column(True, labels.to_numpy(float))
    return Column(False, pd.factorize(labels.astype(object))[0].astype(float))


def _variance(column: Column) -> float:
    """Variance of a number scaled to [0, 1], or half the chance that two categories differ."""
    known = column.values[column.known]
    if not len(known):
        return 0.0
    if column.numeric:
        span = known.max() - known.min()
        return float(((known - known.min()) / span).var()) if span > 0 else 0.0
    shares = np.unique(known, return_counts=True)[1] / len(known)
    # of a category of two the same as of an indicator
    return float((1 - (shares**2).sum()) / 2)


def _importance(columns: list[Column], labels: Column, seed: int) -> np.ndarray:
    """Mean decrease of impurity in a random forest, which shares it among columns that agree."""
    forest = RandomForestRegressor if labels.numeric else RandomForestClassifier
    X = np.column_stack([np.where(each.known, each.values, np.nan) for each in columns])
    rows = np.arange(len(X))
    if len(rows) > MOST_ROWS:
        rows = np.random.default_rng(seed).choice(rows, MOST_ROWS, replace=False)
    fitted = forest(random_state=seed % 2**32).fit(X[rows], labels.values[rows])
    return fitted.feature_importances_
