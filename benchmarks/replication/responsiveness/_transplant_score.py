"""The UK Transplant Benefit Score as a regressor.

Terms and coefficients are those of the calculator that the paper cites
(github.com/SurgicalInformatics/transplantbenefit), whose tables the data folder holds; the coding
of diseases, years and causes and the default case are read there too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.interpolate import CubicHermiteSpline
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from benchmarks._data import data_folder, require_file
from benchmarks._hashes import require_shape

# kind, bounds (table of appendix C.3) and value in the calculator's default case
FEATURES: dict[str, tuple[str, float, float, float]] = {
    "rinpatient_tbs": ("bool", 0, 1, 0),
    "rregistration_tbs": ("integer", 1, 7, 1),
    "rwaiting_time_tbs": ("integer", 0, 3650, 30),
    "rage_tbs": ("integer", 30, 80, 52),
    "rgender_tbs": ("bool", 0, 1, 0),
    "rdisease_primary_tbs": ("integer", 1, 9, 3),
    "rdisease_secondary_tbs": ("integer", 1, 9, 9),
    "rdisease_tertiary_tbs": ("integer", 1, 9, 9),
    "previous_tx_tbs": ("bool", 0, 1, 0),
    "rprevious_surgery_tbs": ("bool", 0, 1, 0),
    "rbilirubin_tbs": ("integer", 15, 200, 20),
    "rinr_tbs": ("real", 0.9, 2.4, 1.0),
    "rcreatinine_tbs": ("integer", 45, 200, 70),
    "rrenal_tbs": ("bool", 0, 1, 0),
    "rsodium_tbs": ("integer", 125, 145, 135),
    "rpotassium_tbs": ("real", 3.5, 5.0, 4.5),
    "ralbumin_tbs": ("integer", 30, 40, 30),
    "rencephalopathy_tbs": ("bool", 0, 1, 0),
    "rascites_tbs": ("bool", 0, 1, 0),
    "rdiabetes_tbs": ("bool", 0, 1, 0),
    "rmax_afp_tbs": ("integer", 0, 1000, 5),
    "rtumour_number_tbs": ("integer", 1, 3, 1),
    "rmax_tumour_size_tbs": ("real", 0, 20, 1),
    "dage_tbs": ("integer", 18, 80, 52),
    "dcause_tbs": ("integer", 1, 4, 1),
    "dbmi_tbs": ("real", 15, 50, 25),
    "ddiabetes_tbs": ("integer", 1, 3, 1),
    "dtype_tbs": ("bool", 0, 1, 0),
    "bloodgroup_compatible_tbs": ("bool", 0, 1, 0),
    "splittable_tbs": ("bool", 0, 1, 0),
}
DISEASES = ["rdisease_primary_tbs", "rdisease_secondary_tbs", "rdisease_tertiary_tbs"]
PARTS = ("benefit", "need", "utility")
# the sum over days as a function of the linear predictor: beyond this it does not change
LOWEST, HIGHEST, STEP = -30.0, 20.0, 0.01


def load_coefficients() -> dict[str, pd.DataFrame]:
    """The published tables of the score.

    Returns
    -------
    dict of str to DataFrame
        "betas" of 76 terms; baseline survival by day, "cancer" and "noncancer".

    Raises
    ------
    DataNotFoundError
        Without the files.
    """
    files = {"betas": "betas", "cancer": "surv_cancer", "noncancer": "surv_noncancer"}
    folder = data_folder()
    tables = {
        name: pd.read_csv(require_file(folder, f"transplant/{file}.csv"))
        for name, file in files.items()
    }
    require_shape("Coefficients of the transplant score", tables["betas"], (76, 12))
    return tables


class TransplantBenefitScore(RegressorMixin, BaseEstimator):
    """Days that a transplant is worth within five years, or one part of it.

    Parameters
    ----------
    coefficients : mapping of str to DataFrame
        As `load_coefficients` returns them.
    part : {"benefit", "need", "utility"}, default="benefit"
        Survival with the transplant minus survival without it, the negative of survival without
        it, or survival with it, in days. More is more urgent throughout.
    """

    def __init__(self, coefficients: Mapping[str, pd.DataFrame], part: str = "benefit"):
        self.coefficients = coefficients
        self.part = part

    def fit(self, X: Any = None, y: Any = None) -> TransplantBenefitScore:
        """Check the coefficients; nothing is learned.

        Parameters
        ----------
        X, y : object, default=None
            Not used.

        Returns
        -------
        self : TransplantBenefitScore
            Ready to predict.

        Raises
        ------
        ValueError
            If a table, or a term's column, is not known.
        """
        if self.part not in PARTS:
            raise ValueError(f"part={self.part!r} should be one of {list(PARTS)}.")
        betas = self.coefficients["betas"]
        terms = [str(name).split(" - MEAN(")[0].split("*") for name in betas["parameter"]]
        known = _factors(default_cases(1))
        strangers = sorted({name for term in terms for name in term} - set(known))
        if strangers:
            raise ValueError(f"coefficients: {strangers} are none of {sorted(known)}.")
        self.terms_ = terms
        self.days_ = {
            (kind, model): _days(self.coefficients[kind][f"{model}_surv"].to_numpy())
            for kind in ("cancer", "noncancer")
            for model in ("m1", "m2")
        }
        return self

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """The score of patients.

        Parameters
        ----------
        X : DataFrame of shape (n_patients, 30)
            Patients, with the columns of `FEATURES`.

        Returns
        -------
        ndarray of shape (n_patients,)
            Days.
        """
        check_is_fitted(self)
        out = np.empty(len(X))
        cancer = (X[DISEASES] == 1).any(axis=1).to_numpy()
        for kind, rows in (("cancer", cancer), ("noncancer", ~cancer)):
            if rows.any():
                factors = _factors(X if rows.all() else X[rows])
                need = -self._survival(factors, kind, "m1") if self.part != "utility" else 0.0
                utility = self._survival(factors, kind, "m2") if self.part != "need" else 0.0
                out[rows] = need + utility
        return out

    def _survival(self, factors: Mapping[str, np.ndarray], kind: str, model: str) -> np.ndarray:
        """Days within five years without (m1) or with (m2) a transplant."""
        betas = self.coefficients["betas"]
        weights = betas[f"{model}_{kind}_beta"].to_numpy()
        predictor: Any = -weights @ betas[f"{model}_{kind}_mean"].to_numpy()
        for weight, term in zip(weights, self.terms_, strict=True):
            # most of the 76 terms are indicators that no patient has
            if weight and all(factors[name].any() for name in term):
                product = factors[term[0]]
                for name in term[1:]:
                    product = product * factors[name]
                predictor = predictor + weight * product
        return self.days_[kind, model](np.clip(predictor, LOWEST, HIGHEST))


def _factors(X: pd.DataFrame) -> dict[str, np.ndarray]:
    """What the terms of the score are products of, by the names in the table of coefficients."""
    x = {name.removesuffix("_tbs"): X[name].to_numpy() for name in FEATURES}
    # the calculator ranks diseases by their number, and an earlier transplant above all
    disease = np.minimum.reduce([X[name].to_numpy() for name in DISEASES])
    disease = np.where(x["previous_tx"] > 0, 10, disease)
    found = {
        "RAGE": x["rage"],
        "RAGE SQUARED": x["rage"] ** 2,
        "RGENDER": x["rgender"],
        "RHCV": (X[DISEASES] == 2).any(axis=1).to_numpy(),
        "LN(RCREATININE)": np.log(x["rcreatinine"]),
        "LN(RBILIRUBIN)": np.log(x["rbilirubin"]),
        "LN(RINR)": np.log(x["rinr"]),
        "RSODIUM": x["rsodium"],
        "RPOTASSIUM": x["rpotassium"],
        "RALBUMIN": x["ralbumin"],
        "RRENAL": x["rrenal"],
        "RINPATIENT": x["rinpatient"],
        "RPREVIOUS ABDOMINAL SURGERY": x["rprevious_surgery"],
        "RENCEPHALOPATHY": x["rencephalopathy"],
        "RASCITES": x["rascites"],
        "LN(RWAITING TIME+1)": np.log(x["rwaiting_time"] + 1),
        "RDIABETES": x["rdiabetes"],
        "LN(RMAXIMUM AFP LEVEL+1)": np.log(x["rmax_afp"] + 1),
        "RMAXIMUM TUMOUR SIZE": x["rmax_tumour_size"],
        "RTWO TUMOUR": x["rtumour_number"] == 2,
        "RTHREE OR MORE TUMOURS": x["rtumour_number"] == 3,
        "DAGE": x["dage"],
        "DBMI": x["dbmi"],
        "DHISTORY OF DIABETES=2": x["ddiabetes"] == 2,
        "DHISTORY OF DIABETES=9": x["ddiabetes"] == 3,
        "DTYPE=2": x["dtype"],
        "BLOOD GROUP COMPATIBILITY": x["bloodgroup_compatible"],
        "LIVER MEETS SPLIT CRITERIA": x["splittable"],
    }
    found |= {f"RDISEASE GROUP={k}": disease == k for k in (2, *range(4, 11))}
    # 1 is 2013 and later
    found |= {f"RREGISTRATION YEAR={2005 + k}": x["rregistration"] == k for k in range(2, 8)}
    found |= {f"DCAUSE OF DEATH={k}": x["dcause"] == k for k in (2, 3, 4)}
    return {name: np.asarray(values, dtype=float) for name, values in found.items()}


def _days(survival: np.ndarray) -> CubicHermiteSpline:
    """Sum of survival ** exp(predictor) over days, as a function of the predictor."""
    steps, counts = np.unique(survival, return_counts=True)
    grid = np.arange(LOWEST, HIGHEST + STEP, STEP)
    hazard = np.exp(grid)[:, np.newaxis]
    alive = steps**hazard * counts
    slope = (alive * np.log(steps) * hazard).sum(axis=1)
    return CubicHermiteSpline(grid, alive.sum(axis=1), slope)


def default_cases(n: int) -> pd.DataFrame:
    """The calculator's default case, n times."""
    return pd.DataFrame({name: np.full(n, default) for name, (*_, default) in FEATURES.items()})
