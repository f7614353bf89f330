"""Data of the benchmark of the search: four data sets, many columns, a million rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from benchmarks._data import (
    data_folder,
    load_adult,
    load_credit_card_default,
    load_employee,
    read_adult,
    read_coded,
    require_file,
)
from benchmarks._hashes import require_shape
from benchmarks.search._common import Data

NUMBERS = ("age", "fnlwgt", "education_num", "capital_gain", "capital_loss", "hours")
N_WIDE = 105
SQF_SHAPES = {"train": (48605, 17), "test": (23941, 17)}


def load_sqf() -> Data:
    """Stop, question and frisk: who is frisked, by the two files of the published code.

    The published loader adds a column that is made from the label; here is none.

    Returns
    -------
    tuple
        Training features and labels, test features and labels.

    Raises
    ------
    DataNotFoundError
        If SKCORRUPT_DATA does not hold the files.
    """
    parts = []
    for name in ("train", "test"):
        path = require_file(data_folder(), f"sqf/sqf_{name}.csv")
        X, y = read_coded(path, "frisked")
        require_shape(f"Stop, question and frisk, {name}", X, SQF_SHAPES[name])
        parts += [X.astype(int), y]
    return tuple(parts)  # type: ignore[return-value]


def halves(X: pd.DataFrame, y: pd.Series) -> Data:
    """Two thirds of the rows for training, a third for the test."""
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=1 / 3, stratify=y, random_state=0
    )
    parts = (X_train, y_train, X_test, y_test)
    return tuple(part.reset_index(drop=True) for part in parts)  # type: ignore[return-value]


def data_sets() -> dict[str, Data]:
    """Adult, Employee, Credit Card Default and SQF, each in two parts."""
    return {
        "Adult": load_adult(),
        "Employee": halves(*load_employee()),
        "Credit Card Default": halves(*load_credit_card_default()),
        "SQF": load_sqf(),
    }


def load_adult_table() -> Data:
    """Adult with all fourteen columns, categories as whole numbers."""
    train = read_adult(require_file(data_folder(), "adult/adult.data"))
    test = read_adult(require_file(data_folder(), "adult/adult.test"), skiprows=1)
    require_shape("Adult, training rows", train, (30162, 15))
    both = pd.concat([train, test], ignore_index=True)
    y = (both.pop("income").str.rstrip(".") == ">50K").astype(int)
    for name in both.columns.difference(list(NUMBERS)):
        both[name] = pd.factorize(both[name], sort=True)[0]
    n = len(train)
    return (
        both.iloc[:n],
        y.iloc[:n],
        both.iloc[n:].reset_index(drop=True),
        y.iloc[n:].reset_index(drop=True),
    )


def load_wide_adult() -> Data:
    """Adult with a column a category: 105 columns, one of them says who works overtime."""
    X, y, X_test, y_test = load_adult_table()
    both = pd.concat([X, X_test], ignore_index=True)
    names = [name for name in both.columns if name not in NUMBERS]
    wide = pd.get_dummies(both, columns=names, dtype=int)
    wide["overtime"] = (wide["hours"] > 40).astype(int)
    if wide.shape[1] != N_WIDE:
        raise RuntimeError(f"Adult has {wide.shape[1]} columns with one a category, not {N_WIDE}.")
    return wide.iloc[: len(X)], y, wide.iloc[len(X) :].reset_index(drop=True), y_test


def million(n_rows: int = 1_000_000) -> tuple[pd.DataFrame, pd.Series]:
    """Adult's fourteen columns, resampled, numbers with noise so that rows differ.

    Parameters
    ----------
    n_rows : int, default=1_000_000
        Rows.

    Returns
    -------
    X : DataFrame of shape (n_rows, 14)
        Features.
    y : Series of shape (n_rows,)
        Labels.
    """
    X, y, _, _ = load_adult_table()
    rng = np.random.default_rng(0)
    rows = rng.integers(len(X), size=n_rows)
    # columns of one type in one block, so that it is not copied to become one
    values = X.to_numpy(dtype=float)[rows]
    for name in NUMBERS:
        j = X.columns.get_loc(name)
        values[:, j] += rng.uniform(-0.5, 0.5, n_rows) * (1 if name != "fnlwgt" else 1000)
    return pd.DataFrame(values, columns=X.columns), pd.Series(y.to_numpy()[rows], name="income")
