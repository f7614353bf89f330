"""The five data sets of the fairness study, coded as far as its scripts code them beforehand."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from benchmarks._data import ADULT_COLUMNS, data_folder, require_file
from benchmarks._hashes import require_shape

Load = Callable[[str], tuple[pd.DataFrame, pd.Series]]

GERMAN_COLUMNS = (
    *("status", "month", "credit_history", "purpose", "credit_amount", "savings", "employment"),
    *("income_share", "personal_status", "other_debtors", "residence_since", "property", "age"),
    *("instalment_plans", "housing", "n_credits", "skill", "n_liable", "telephone", "foreign"),
    "credit",
)
GERMAN_GROUPS = {
    "status": {"A11": "<200", "A12": "<200", "A13": "200+", "A14": "none"},
    "savings": {"A61": "<500", "A62": "<500", "A63": "500+", "A64": "500+", "A65": "unknown"},
    "employment": {"A71": "none", "A72": "1-4", "A73": "1-4", "A74": "4+", "A75": "4+"},
    "credit_history": {
        **dict.fromkeys(("A30", "A31", "A32"), "paid"),
        "A33": "delay",
        "A34": "other",
    },
}
FEMALE_STATUSES = ("A92", "A95")
COMPAS_COLUMNS = (
    *("sex", "age", "c_charge_degree", "race", "score_text", "priors_count"),
    *("days_b_screening_arrest", "decile_score", "is_recid", "length_of_stay"),
)


def load_fair_german(*, binary_age: bool = True) -> tuple[pd.DataFrame, pd.Series]:
    """German credit with the study's groups of status, savings, employment and history.

    Parameters
    ----------
    binary_age : bool, default=True
        Whether age is 1 from 26 years on, else 0.

    Returns
    -------
    X : DataFrame of shape (1000, 20)
        Features, `sex` (1 for men) in the place of the personal status.
    y : Series of shape (1000,)
        1 for good credit.
    """
    path = require_file(data_folder(), "german/german.data")
    X = pd.read_csv(path, sep=" ", header=None, names=list(GERMAN_COLUMNS))
    for name, groups in GERMAN_GROUPS.items():
        X[name] = X[name].map(groups)
    require_shape("German credit", X, (1000, 21))
    X["sex"] = (~X.pop("personal_status").isin(FEMALE_STATUSES)).astype(int)
    if binary_age:
        X["age"] = (X["age"] >= 26).astype(int)
    return X, (X.pop("credit") == 1).astype(int)


def load_fair_adult(*, complete: bool = True) -> tuple[pd.DataFrame, pd.Series]:
    """Adult, both files, with all fourteen features.

    Parameters
    ----------
    complete : bool, default=True
        Whether rows with a missing value are left out.

    Returns
    -------
    X : DataFrame of shape (45222, 14), or (48842, 14) with incomplete rows
        Features; `race` is 1 for white people.
    y : Series
        1 for an income above 50,000 dollars.
    """
    parts = [
        pd.read_csv(
            require_file(data_folder(), f"adult/adult.{part}"),
            header=None,
            names=list(ADULT_COLUMNS),
            skiprows=int(part == "test"),
            skipinitialspace=True,
            na_values="?",
        )
        for part in ("test", "data")
    ]
    X = pd.concat(parts, ignore_index=True)
    require_shape("Adult", X, (48842, 15))
    if complete:
        X = X.dropna().reset_index(drop=True)
    X["race"] = (X["race"] == "White").astype(int)
    return X, (X.pop("income").str.rstrip(".") == ">50K").astype(int)


def load_fair_bank() -> tuple[pd.DataFrame, pd.Series]:
    """Bank marketing, the tenth of it that is at hand, rows with unknown values left out.

    Returns
    -------
    X : DataFrame of shape (3090, 20)
        Features; `age` is 1 from 25 years on.
    y : Series of shape (3090,)
        1 for those who subscribe.
    """
    path = require_file(data_folder(), "bank/bank-additional.csv")
    X = pd.read_csv(path, sep=";", na_values="unknown").dropna().reset_index(drop=True)
    require_shape("Bank marketing", X, (3090, 21))
    X["age"] = (X["age"] >= 25).astype(int)
    return X, (X.pop("y") == "yes").astype(int)


def load_fair_titanic() -> tuple[pd.DataFrame, pd.Series]:
    """Titanic, raw but for `Sex`, which is 1 for men.

    Returns
    -------
    X : DataFrame of shape (891, 11)
        Features.
    y : Series of shape (891,)
        1 for survivors.
    """
    X = pd.read_csv(require_file(data_folder(), "titanic/titanic.csv"))
    require_shape("Titanic", X, (891, 12))
    X["Sex"] = (X["Sex"] == "male").astype(int)
    return X, X.pop("Survived")


def load_fair_compas() -> tuple[pd.DataFrame, pd.Series]:
    """COMPAS with the ten features of the script.

    Returns
    -------
    X : DataFrame of shape (7214, 10)
        Features; `race` is 1 for white people, `is_recid` gives the label away.
    y : Series of shape (7214,)
        0, which is favourable, for those who were not arrested again.
    """
    X = pd.read_csv(require_file(data_folder(), "compas/compas-scores-two-years.csv"))
    stay = pd.to_datetime(X["c_jail_out"]) - pd.to_datetime(X["c_jail_in"])
    X["length_of_stay"] = stay.dt.days.fillna(stay.dt.days.mode()[0])
    X["race"] = (X["race"] == "Caucasian").astype(int)
    X["sex"] = (X["sex"] == "Female").astype(int)
    X["c_charge_degree"] = (X["c_charge_degree"] == "F").astype(int)
    y = X["two_year_recid"]
    X = X[list(COMPAS_COLUMNS)]
    require_shape("COMPAS", X, (7214, 10))
    return X, y


def screened_in_time(X: pd.DataFrame) -> pd.Series:
    """Screened within 30 days of the arrest, and known whether arrested again."""
    return X["days_b_screening_arrest"].between(-30, 30) & (X["is_recid"] != -1)


def known_cabin(X: pd.DataFrame) -> pd.Series:
    """Rows with a cabin, which are those that the script of TT1 is left with."""
    return X["Cabin"].notna()


def load_fair(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """A data set of the study.

    Parameters
    ----------
    name : str
        Its name, after a comma what is particular about it.

    Returns
    -------
    X : DataFrame
        Features.
    y : Series
        Labels.
    """
    loaders: dict[str, Callable[[], tuple[pd.DataFrame, pd.Series]]] = {
        "german": load_fair_german,
        "german, raw age": lambda: load_fair_german(binary_age=False),
        "adult": load_fair_adult,
        "adult, incomplete": lambda: load_fair_adult(complete=False),
        "bank": load_fair_bank,
        "titanic": load_fair_titanic,
        "titanic, with cabin": lambda: _only(load_fair_titanic(), known_cabin),
        "compas": load_fair_compas,
        "compas, screened in time": lambda: _only(load_fair_compas(), screened_in_time),
    }
    return loaders[name]()


def _only(
    data: tuple[pd.DataFrame, pd.Series], rows: Callable[[pd.DataFrame], pd.Series]
) -> tuple[pd.DataFrame, pd.Series]:
    X, y = data
    keep = rows(X)
    return X[keep].reset_index(drop=True), y[keep].reset_index(drop=True)
