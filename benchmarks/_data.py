"""Loaders of the data sets that benchmarks run on, coded as the published figures need them.

Where SKCORRUPT_DATA is not set, the eight coded columns of Adult are fetched from OpenML. Nothing
else is fetched: all other data sets, and Adult with all its columns, have to be in the folder that
SKCORRUPT_DATA names.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks._hashes import (
    ADULT_CODED,
    DataDiffersError,
    any_data,
    coded_hash,
    require_hash,
    require_shape,
)

DATA_VARIABLE = "SKCORRUPT_DATA"
ADULT_OPENML_ID = 1590
ADULT_TEST_ROWS = 16281

ADULT_COLUMNS = (
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education_num",
    "marital",
    "occupation",
    "relationship",
    "race",
    "gender",
    "capital_gain",
    "capital_loss",
    "hours",
    "country",
    "income",
)
WORKCLASSES = (
    "Never-worked",
    "Without-pay",
    "State-gov",
    "Local-gov",
    "Federal-gov",
    "Self-emp-inc",
    "Self-emp-not-inc",
    "Private",
)
EDUCATIONS = (
    "Preschool",
    "1st-4th",
    "5th-6th",
    "7th-8th",
    "9th",
    "10th",
    "11th",
    "12th",
    "HS-grad",
    "Some-college",
    "Bachelors",
    "Prof-school",
    "Assoc-acdm",
    "Assoc-voc",
    "Masters",
    "Doctorate",
)
MARITAL_STATUSES = {
    "Never-married": 0,
    "Divorced": 1,
    "Separated": 1,
    "Widowed": 1,
    "Married-civ-spouse": 2,
    "Married-spouse-absent": 2,
    "Married-AF-spouse": 2,
}


class DataNotFoundError(FileNotFoundError):
    """A data set is not in the folder that SKCORRUPT_DATA names."""


def data_folder() -> Path | None:
    """The folder that SKCORRUPT_DATA names, None if it names none."""
    given = os.environ.get(DATA_VARIABLE)
    return Path(given) if given else None


def load_adult() -> tuple[pd.DataFrame, pd.Series, pd.DataFrame, pd.Series]:
    """Adult (census income) with the eight columns and the codes of the published code.

    Returns
    -------
    X_train : DataFrame of shape (30162, 8)
        Coded features of the original training file.
    y_train : Series of shape (30162,)
        1 for an income above 50,000 dollars.
    X_test : DataFrame of shape (15060, 8)
        Coded features of the original test file.
    y_test : Series of shape (15060,)
        Their labels.

    Raises
    ------
    DataNotFoundError
        If the files are not there and OpenML cannot be reached.
    DataDiffersError
        If what is there is not Adult as it is known.
    """
    folder = data_folder()
    if folder is not None:
        train = read_adult(require_file(folder, "adult/adult.data"))
        test = read_adult(require_file(folder, "adult/adult.test"), skiprows=1)
    else:
        train, test = _adult_from_openml()
    X_train, y_train = code_adult(train)
    X_test, y_test = code_adult(test)
    require_shape("Adult, training rows", X_train, (30162, 8))
    require_shape("Adult, test rows", X_test, (15060, 8))
    found = coded_hash(X_train, y_train, X_test, y_test)
    if found != ADULT_CODED and not any_data():
        raise DataDiffersError(
            f"Adult, coded, has sha256 {found}, expected {ADULT_CODED}: rows are in another order "
            f"or have other values. Set {DATA_VARIABLE} to a folder that holds adult/adult.data "
            "and adult/adult.test."
        )
    return X_train, y_train, X_test, y_test


def read_adult(path: Path, *, skiprows: int = 0) -> pd.DataFrame:
    """One file of the UCI archive: no header, "?" for missing values.

    Parameters
    ----------
    path : Path
        The file.
    skiprows : int, default=0
        Lines to pass over; the test file has one.

    Returns
    -------
    DataFrame
        All fifteen columns, without the rows in which some value is missing.
    """
    frame = pd.read_csv(
        path,
        header=None,
        names=list(ADULT_COLUMNS),
        skiprows=skiprows,
        skipinitialspace=True,
        na_values="?",
    )
    return frame.dropna().reset_index(drop=True)


def code_adult(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """The eight coded columns and the label of raw Adult rows.

    Parameters
    ----------
    frame : DataFrame
        Rows as `read_adult` gives them.

    Returns
    -------
    X : DataFrame of shape (n_samples, 8)
        Whole numbers.
    y : Series of shape (n_samples,)
        1 for ">50K".

    Raises
    ------
    ValueError
        If a category is not one of those known.
    """
    coded = {
        "age": frame["age"] >= 45,
        "workclass": _codes(frame["workclass"], {name: i for i, name in enumerate(WORKCLASSES)}),
        "education": _codes(frame["education"], {name: i for i, name in enumerate(EDUCATIONS)}),
        "marital": _codes(frame["marital"], MARITAL_STATUSES),
        "relationship": frame["relationship"].isin(["Husband", "Wife"]),
        "race": frame["race"] == "White",
        "gender": frame["gender"] == "Male",
        "hours": frame["hours"] > 40,
    }
    X = pd.DataFrame({name: np.asarray(values, dtype=np.int64) for name, values in coded.items()})
    y = (frame["income"].str.rstrip(".") == ">50K").astype(np.int64).rename("income")
    return X, y.reset_index(drop=True)


def load_employee() -> tuple[pd.DataFrame, pd.Series]:
    """Employee: who leaves a company, with categories as whole numbers.

    Returns
    -------
    X : DataFrame of shape (4653, 8)
        Coded features.
    y : Series of shape (4653,)
        1 for those who left.

    Raises
    ------
    DataNotFoundError
        If SKCORRUPT_DATA does not hold the file.
    """
    X, y = read_coded(require_file(data_folder(), "employee/employee.csv"), "LeaveOrNot")
    require_shape("Employee", X, (4653, 8))
    return X, y


def load_credit_card_default() -> tuple[pd.DataFrame, pd.Series]:
    """Credit card default: who does not pay next month's bill.

    Returns
    -------
    X : DataFrame of shape (30000, 23)
        Features.
    y : Series of shape (30000,)
        1 for those who default.

    Raises
    ------
    DataNotFoundError
        If SKCORRUPT_DATA does not hold the file.
    """
    path = require_file(data_folder(), "credit_card_default/credit_card_default.csv")
    X, y = read_coded(path, "default payment next month")
    X = X.drop(columns="ID", errors="ignore")
    require_shape("Credit card default", X, (30000, 23))
    return X, y


def read_coded(path: Path, label: str) -> tuple[pd.DataFrame, pd.Series]:
    """A CSV file with a header, text columns replaced by the rank of each text.

    Parameters
    ----------
    path : Path
        The file.
    label : str
        Its label column.

    Returns
    -------
    X : DataFrame
        Numbers.
    y : Series
        The label column.
    """
    frame = pd.read_csv(path)
    y = frame.pop(label)
    for name in frame.columns[[not pd.api.types.is_numeric_dtype(t) for t in frame.dtypes]]:
        frame[name] = pd.factorize(frame[name], sort=True)[0]
    return frame, y


def _codes(values: pd.Series, codes: dict[str, int]) -> pd.Series:
    unknown = sorted(set(values) - set(codes))
    if unknown:
        raise ValueError(
            f"Column {values.name!r} holds {unknown}, which are none of {sorted(codes)}."
        )
    return values.map(codes)


def require_file(folder: Path | None, name: str) -> Path:
    """The path of a file of the data folder, which has to be the known one.

    Parameters
    ----------
    folder : Path or None
        The folder, None if there is none.
    name : str
        The file in it, as `SHA256` of `_hashes.py` has it.

    Returns
    -------
    Path
        Where it is.

    Raises
    ------
    DataNotFoundError
        If it is not there.
    DataDiffersError
        If it has another hash than the known file.
    """
    if folder is None or not (folder / name).is_file():
        raise DataNotFoundError(
            f"{name} is not in the folder {DATA_VARIABLE} names ({folder}); set {DATA_VARIABLE} "
            "to a folder that holds it."
        )
    require_hash(folder / name, name)
    return folder / name


def _adult_from_openml() -> tuple[pd.DataFrame, pd.DataFrame]:
    """The two parts of Adult; OpenML has the rows of the test file first."""
    from sklearn.datasets import fetch_openml

    try:
        table = fetch_openml(data_id=ADULT_OPENML_ID, as_frame=True, parser="auto").frame
    except OSError as error:
        raise DataNotFoundError(
            f"Adult cannot be fetched from OpenML ({error}); set {DATA_VARIABLE} to a folder that "
            "holds adult/adult.data and adult/adult.test."
        ) from error
    table.columns = list(ADULT_COLUMNS)
    table = table.astype(dict.fromkeys(table.select_dtypes("category").columns, object))
    test, train = table.iloc[:ADULT_TEST_ROWS], table.iloc[ADULT_TEST_ROWS:]
    return train.dropna().reset_index(drop=True), test.dropna().reset_index(drop=True)
