"""German credit in the coding of the paper's table 3, and what applicants can do there."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks._data import data_folder, require_file
from benchmarks._hashes import require_shape
from skcorrupt.responsiveness import ActionSet, Thermometer

MOVABLE = (
    "YearsAtResidence",
    "YearsEmployed>=1",
    "CheckingAcct_exists",
    "CheckingAcct>=0",
    "SavingsAcct_exists",
    "SavingsAcct>=100",
    "HasGuarantor",
    "HistoryOfBankInstallments",
    "HistoryOfStoreInstallments",
)


def load_german() -> tuple[pd.DataFrame, pd.Series]:
    """The 1,000 applicants in 36 features, and whether they are good customers.

    Returns
    -------
    X : DataFrame of shape (1000, 36)
        Features.
    y : Series of shape (1000,)
        1 for good customers.

    Raises
    ------
    DataNotFoundError
        Without the file.
    """
    path = require_file(data_folder(), "german/german.data")
    raw = pd.read_csv(path, sep=" ", header=None)
    raw.columns = [f"A{j}" for j in range(1, 22)]

    def among(column: str, *codes: str) -> np.ndarray:
        return raw[column].isin(codes).to_numpy().astype(int)

    X = pd.DataFrame(
        {
            "Age": raw["A13"],
            "YearsAtResidence": raw["A11"],
            "YearsEmployed>=1": among("A7", "A73", "A74", "A75"),
            "CheckingAcct_exists": among("A1", "A11", "A12", "A13"),
            "CheckingAcct>=0": among("A1", "A12", "A13"),
            "SavingsAcct_exists": among("A6", "A61", "A62", "A63", "A64"),
            "SavingsAcct>=100": among("A6", "A62", "A63", "A64"),
            "Male": among("A9", "A91", "A93", "A94"),
            "Single": among("A9", "A93", "A95"),
            "ForeignWorker": among("A20", "A201"),
            "LiablePersons": raw["A18"],
            "Housing=Renter": among("A15", "A151"),
            "Housing=Owner": among("A15", "A152"),
            "Housing=Free": among("A15", "A153"),
            "Job=Unskilled": among("A17", "A171", "A172"),
            "Job=Skilled": among("A17", "A173"),
            "Job=Management": among("A17", "A174"),
            **{f"CreditAmt>={k}": (raw["A5"] >= k).astype(int) for k in (1000, 2000, 5000, 10000)},
            "LoanDuration<=6": (raw["A2"] <= 6).astype(int),
            **{f"LoanDuration>={k}": (raw["A2"] >= k).astype(int) for k in (12, 24, 36)},
            "LoanRate": raw["A8"],
            "HasGuarantor": among("A10", "A103"),
            "LoanRequiredForBusiness": among("A4", "A49"),
            "LoanRequiredForEducation": among("A4", "A46", "A48"),
            "LoanRequiredForCar": among("A4", "A40", "A41"),
            "LoanRequiredForHome": among("A4", "A42", "A43", "A44", "A45"),
            "NoCreditHistory": among("A3", "A30"),
            "HistoryOfLatePayments": among("A3", "A33"),
            "HistoryOfDelinquency": among("A3", "A34"),
            "HistoryOfBankInstallments": among("A14", "A141"),
            "HistoryOfStoreInstallments": among("A14", "A142"),
        }
    )
    require_shape("German credit", X, (1000, 36))
    return X, (raw["A21"] == 1).astype(int)


def german_actions(X: pd.DataFrame, *, oldest: int = 75) -> ActionSet:
    """The intervention model of table 3.

    Parameters
    ----------
    X : DataFrame
        The applicants.
    oldest : int, default=75
        Upper bound of the age.

    Returns
    -------
    ActionSet
        Nine columns to act on, age following two of them.
    """
    actions = ActionSet.from_data(X, actionable=MOVABLE, rules=())
    for name in MOVABLE:
        actions[name].direction = "increase"
    actions["YearsAtResidence"].ub = 7
    actions["YearsAtResidence"].lb = 0
    actions["Age"].ub = oldest
    actions.add("Age := delta(YearsAtResidence) + delta(`YearsEmployed>=1`)")
    actions.add(Thermometer(["CheckingAcct_exists", "CheckingAcct>=0"]))
    return actions.add(Thermometer(["SavingsAcct_exists", "SavingsAcct>=100"]))
