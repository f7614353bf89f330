"""Real tables on which served errors are searched, as they are, with their labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
from sklearn.model_selection import train_test_split

from benchmarks._data import data_folder, read_adult, require_file
from benchmarks.search._common import Data

COMPAS = [
    "sex", "age", "race", "juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count",
    "c_charge_degree", "two_year_recid",
]  # fmt: skip


def adult() -> Data:
    """Adult, all columns as they are, by its two files."""
    parts: list[Any] = []
    for name, skiprows in (("adult.data", 0), ("adult.test", 1)):
        frame = read_adult(require_file(data_folder(), f"adult/{name}"), skiprows=skiprows)
        high = frame.pop("income").str.startswith(">50K").astype(int)
        parts += [frame, high]
    return tuple(parts)  # type: ignore[return-value]


def table(
    path: str, label: Any, positive: Any, drop: tuple[str, ...] = (), **options: Any
) -> Callable[[], Data]:
    """A file in two halves; its label is whether a column holds a value."""

    def load() -> Data:
        frame = pd.read_csv(require_file(data_folder(), path), **options)
        frame.columns = frame.columns.astype(str)
        if path.startswith("compas"):
            frame = frame[COMPAS]
        return halves(frame, str(label), positive, drop)

    return load


def halves(frame: pd.DataFrame, label: str, positive: Any, drop: tuple[str, ...] = ()) -> Data:
    """A training and a test half, as many of either label in both."""
    y = (frame[label] == positive).astype(int).rename("y")
    X = frame.drop(columns=[label, *drop])
    flags = X.select_dtypes("bool").columns
    X = X.astype(dict.fromkeys(flags, int))
    parts = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
    X_train, X_test, y_train, y_test = (each.reset_index(drop=True) for each in parts)
    return X_train, y_train, X_test, y_test


SETS: dict[str, Callable[[], Data]] = {
    "Adult": adult,
    "Bank": table("bank/bank-additional.csv", "y", "yes", sep=";"),
    "COMPAS": table("compas/compas-scores-two-years.csv", "two_year_recid", 1),
    "Credit Card": table(
        "credit_card_default/credit_card_default.csv", "default payment next month", 1, ("ID",)
    ),
    "Employee": table("employee/employee.csv", "LeaveOrNot", 1),
    "German": table("german/german.data", 20, 1, sep=" ", header=None),
    "Online Shoppers": table(
        "online_shoppers/online_shoppers_intention.csv", 17, True, header=None
    ),
    "Titanic": table(
        "titanic/titanic.csv", "Survived", 1, ("PassengerId", "Name", "Ticket", "Cabin")
    ),
}
