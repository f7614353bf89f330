"""Coverage of conformal prediction under the worst missing values: tables 7 and 8 of Savage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.pipeline import make_pipeline

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.metrics import ConformalRegressor, make_coverage_scorer
from skcorrupt.stats import corrected_interval

BUDGET = 0.3
N_REPEATS = 8
NEW_ROWS = 0.25
TOLERANCE = 0.002
# by table, alpha and method: clean coverage, coverage under corruption and its spread, as printed
PRINTED = {
    (7, 0.05, "split"): (0.962, 0.917, 0.021),
    (7, 0.05, "mda-nested"): (0.95, 0.89, 0.022),
    (8, 0.2, "split"): (0.80, 0.708, 0.044),
    (8, 0.2, "mda-nested"): (0.816, 0.735, 0.042),
}
COLUMNS = {
    "table": "table",
    "method": "method",
    "target": "target",
    "printed_clean": "clean, printed",
    "clean": "clean",
    "printed": "worst, printed",
    "found": "worst found",
    "random": "at random",
    "new_clean": "clean, new rows",
    "new_worst": "worst, new rows",
    "new_drop_interval": "drop on new rows, 95 % interval",
    "row_fraction": "rows hit",
    "verdict": "verdict",
}


def rows(quick: bool = False) -> list[dict[str, Any]]:
    """Printed coverage beside what a search finds, on its own test rows and on new ones.

    As in the paper a search scores candidates on the rows that it reports. What it finds is then
    scored on a quarter of the rows, which it never saw. The paper names no regressor; this is
    linear regression after mean imputation, with half of the training rows for calibration.

    Parameters
    ----------
    quick : bool, default=False
        Two splits in place of eight.

    Returns
    -------
    list of dict
        A row a table and method, with the keys of `COLUMNS`: printed and found coverage, means
        over splits, and a verdict on both.
    """
    return [_row(*key, n_repeats=2 if quick else N_REPEATS) for key in PRINTED]


def _row(table: int, alpha: float, method: str, n_repeats: int) -> dict[str, Any]:
    runs = pd.DataFrame([of_split(alpha, method, seed) for seed in range(n_repeats)])
    found = {name: float(value) for name, value in runs.mean().items()}
    printed_clean, printed, spread = PRINTED[table, alpha, method]
    drop = corrected_interval(runs["new_clean"] - runs["new_worst"], NEW_ROWS / (1 - NEW_ROWS))
    low, high = float(drop.ci_low), float(drop.ci_high)
    return {
        "table": table,
        "method": method,
        "target": 1 - alpha,
        "printed_clean": printed_clean,
        "printed": printed,
        **found,
        "new_drop_interval": (low, high),
        "verdict": _verdict(found["found"], printed, spread, low),
    }


def of_split(alpha: float, method: str, seed: int) -> dict[str, float]:
    """One search on one split."""
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(SimpleImputer(), LinearRegression())
    search = AdversarialCorruptionSearch(
        ConformalRegressor(pipeline, alpha=alpha, calibration_size=0.5, method=method),
        "missing",
        budget=BUDGET,
        scoring=make_coverage_scorer(),
        cv=ShuffleSplit(1, test_size=0.25, random_state=seed),
        space=SearchSpace(max_conditions=1),
        strategy=BeamSearch(n_calls=16),
        confirm_size=NEW_ROWS,
        random_state=seed,
    ).fit(X, y)
    best = int(np.argmin(search.cv_results_["rank_test_score"]))
    return {
        "clean": search.baseline_score_,
        "found": search.worst_score_,
        "random": search.random_score_,
        "new_clean": search.confirmed_baseline_score_,
        "new_worst": search.confirmed_score_,
        "row_fraction": float(search.cv_results_["row_fraction"][best]),
    }


def _verdict(found: float, printed: float, spread: float, low: float) -> str:
    """What becomes of the printed figure, and of the drop on new rows."""
    if found <= printed + TOLERANCE:
        reached = "reached"
    elif found <= printed + spread:
        reached = "reached within the printed spread"
    else:
        reached = "not reached"
    return f"{reached}; on new rows {'lower' if low > 0 else 'perhaps no lower'} than clean"
