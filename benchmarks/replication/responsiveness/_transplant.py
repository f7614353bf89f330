"""The paper's simulated patients, and cancer as what happens to them (appendix C.3).

What the paper leaves open is decided as follows.

- The table lists 30 of the 32 features that the text speaks of; these 30 are used.
- Patients are the calculator's default case but for what the appendix draws; whole numbers are
  rounded, as the types of the table have it.
- Section 4 names albumin as varying at random, the appendix four other parameters; these vary.
- Nobody chooses to have cancer, so that doing nothing is no part of the intervention.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.replication.responsiveness._transplant_score import FEATURES, default_cases
from skcorrupt.responsiveness import ActionElement, ActionSet, CallableEffect

CANCER = ["rdisease_primary_tbs", "rtumour_number_tbs", "rmax_tumour_size_tbs"]
LIVER = ["rbilirubin_tbs", "rsodium_tbs", "rinr_tbs", "rcreatinine_tbs"]
# equation (11), in the order of LIVER
COVARIANCE = np.array(
    [
        [1.0, 0.447, 0.320, -0.257],
        [0.447, 1.0, 0.370, -0.043],
        [0.320, 0.370, 1.0, -0.091],
        [-0.257, -0.043, -0.091, 1.0],
    ]
)


def simulated_cohort(n: int = 1000, random_state: int = 0) -> pd.DataFrame:
    """Patients without cancer, equations (7) to (15) of the paper.

    Parameters
    ----------
    n : int, default=1000
        Number of patients.
    random_state : int, default=0
        Seed.

    Returns
    -------
    DataFrame of shape (n, 30)
        Patients; whole numbers are integers.
    """
    rng = np.random.default_rng(random_state)
    liver = liver_parameters(rng.multivariate_normal(np.zeros(4), COVARIANCE, size=n))
    X = default_cases(n).assign(
        rage_tbs=rng.integers(30, 81, n),
        rgender_tbs=rng.integers(0, 2, n),
        ralbumin_tbs=rng.uniform(30, 40, n).round(),
        rpotassium_tbs=rng.uniform(3.5, 5.0, n),
        **dict(zip(LIVER, liver.T, strict=True)),
    )
    whole = [name for name, (kind, *_) in FEATURES.items() if kind != "real"]
    return X.astype(float).astype(dict.fromkeys(whole, int))


def liver_parameters(U: np.ndarray) -> np.ndarray:
    """Liver parameters that exogenous values cause, equations (12) to (15), shape (n, 4)."""
    bilirubin = np.clip(np.exp(0.5 * U[:, 0] + 3.5), 15, 200).round()
    sodium = np.clip(5 * U[:, 1] + 137, 125, 145).round()
    inr = np.clip(np.exp(0.3 * U[:, 2] - 0.2) + 0.8, 0.9, 2.4)
    creatinine = np.clip(np.exp(0.4 * U[:, 3] + 4.2), 45, 200).round()
    return np.column_stack([bilirubin, sodium, inr, creatinine])


def exogenous_values(liver: np.ndarray) -> np.ndarray:
    """Exogenous values behind liver parameters (abduction), but for rounding and clipping."""
    bilirubin = (np.log(liver[:, 0]) - 3.5) / 0.5
    sodium = (liver[:, 1] - 137) / 5
    inr = (np.log(liver[:, 2] - 0.8) + 0.2) / 0.3
    creatinine = (np.log(liver[:, 3]) - 4.2) / 0.4
    return np.column_stack([bilirubin, sodium, inr, creatinine])


def cancer_actions(size: float | None, *, up_to: bool = False, varying: bool = True) -> ActionSet:
    """What happens to a patient: two tumours, and liver parameters that vary at random.

    Parameters
    ----------
    size : float or None
        Largest tumour in centimetres; None is no cancer.
    up_to : bool, default=False
        Whether the size is drawn between 0 and `size`, as the main text may be read.
    varying : bool, default=True
        Whether liver parameters vary, equation (16).

    Returns
    -------
    ActionSet
        Nothing to act on, one effect.
    """
    targets = [*(CANCER if size is not None else []), *(LIVER if varying else [])]

    def happens(X: pd.DataFrame, A: pd.DataFrame, rng: np.random.Generator) -> np.ndarray:
        before = X[targets].to_numpy(dtype=float)
        after = before.copy()
        if size is not None:
            # a size of 0 would be no tumour
            sizes = size * (1 - rng.random(len(X))) if up_to else np.full(len(X), size)
            after[:, : len(CANCER)] = np.column_stack(
                [np.ones(len(X)), np.full(len(X), 2.0), sizes]
            )
        if varying:
            liver = slice(-len(LIVER), None)
            noise = rng.multivariate_normal(np.zeros(len(LIVER)), COVARIANCE, size=len(X))
            after[:, liver] = liver_parameters(exogenous_values(before[:, liver]) + noise)
        return after - before

    elements = [
        ActionElement(name, kind, low, high, actionable=False)
        for name, (kind, low, high, _) in FEATURES.items()
    ]
    return ActionSet(elements, [CallableEffect(happens, [], targets, is_random=varying or up_to)])
