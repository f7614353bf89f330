"""What the study's scripts do to columns by hand, on Adult, Bank and COMPAS."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.replication.fairness._case import text_columns

SCHOOL = ("Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th")
MARRIED = ("Married-civ-spouse", "Married-spouse-absent", "Married-AF-spouse")
DURATIONS = (102, 180, 319, 644.5)
POUTCOMES = {"nonexistent": 1, "failure": 2, "success": 3}


class Keep:
    """Columns of a frame that stay.

    Parameters
    ----------
    columns : list of str
        Their names.
    """

    def __init__(self, columns: list[str]):
        self.columns = columns

    def __call__(self, X: pd.DataFrame) -> pd.DataFrame:
        return X[self.columns]


class Drop(Keep):
    """Columns of a frame that go."""

    def __call__(self, X: pd.DataFrame) -> pd.DataFrame:
        return X.drop(columns=self.columns, errors="ignore")


def text_age_and_hours(X: pd.DataFrame) -> list[str]:
    """Columns that AC6 codes one-hot."""
    return [*text_columns(X), "age", "hours"]


def married_or_not(X: pd.DataFrame) -> pd.DataFrame:
    """Two kinds of marital status (AC6, AC8)."""
    return X.assign(marital=np.where(X["marital"].isin(MARRIED), "married", "single"))


def coarse_adult(X: pd.DataFrame) -> pd.DataFrame:
    """Education and marital status in fewer kinds, age in 20 and hours in 10 bins (AC7)."""
    education = X["education"].replace(
        {
            **dict.fromkeys(SCHOOL, "dropout"),
            **dict.fromkeys(("Some-college", "Assoc-acdm", "Assoc-voc"), "college"),
            "Prof-school": "Masters",
        }
    )
    marital = X["marital"].replace(
        {
            "Married-AF-spouse": "Married-civ-spouse",
            "Married-spouse-absent": "Never-married",
            "Divorced": "Separated",
        }
    )
    # the bounds of the columns, so that nothing is learnt from the rows
    age = np.digitize(X["age"], np.linspace(17, 90, 21)[1:-1], right=True)
    hours = np.digitize(X["hours"], np.linspace(1, 99, 11)[1:-1], right=True)
    return X.assign(education=education, marital=marital, age=age, hours=hours)


def duration_groups(X: pd.DataFrame) -> pd.DataFrame:
    """The length of the call in five groups (BM1)."""
    return X.assign(duration=1 + np.digitize(X["duration"], DURATIONS, right=True))


def bank_groups(X: pd.DataFrame) -> pd.DataFrame:
    """The length of the call, days since the last one and the interest rate in groups (BM3)."""
    days = X["pdays"].to_numpy()
    return X.assign(
        duration=1 + np.digitize(X["duration"], DURATIONS[:3], right=True),
        pdays=np.where(days == 999, 1, 2 + np.digitize(days, (10, 20), right=True)),
        euribor3m=1 + np.digitize(X["euribor3m"], (1, 2, 3, 4), right=True),
    )


def ranked_outcome(X: pd.DataFrame) -> pd.DataFrame:
    """The outcome of the last campaign as a rank."""
    return X.assign(poutcome=X["poutcome"].map(POUTCOMES).astype(int))


def low_or_high(X: pd.DataFrame) -> pd.DataFrame:
    """A medium score counts as a low one."""
    return X.replace("Medium", "Low")
