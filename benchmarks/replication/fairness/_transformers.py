"""Figure 5 and table 3 on German credit, as the study's script makes them and as it says."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from imblearn.combine import SMOTEENN
from imblearn.over_sampling import SMOTE
from imblearn.under_sampling import AllKNN
from sklearn.base import clone
from sklearn.decomposition import PCA, KernelPCA, SparsePCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectFpr, SelectKBest, SelectPercentile
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks._data import data_folder, require_file
from benchmarks.replication.fairness._boosters import XGBOOST, installed, version_of
from benchmarks.replication.fairness._data import load_fair
from benchmarks.replication.fairness._printed import METRICS
from skcorrupt.metrics import stage_fairness

SAMPLERS: dict[str, Callable[[int], Any]] = {
    "SMOTE": lambda seed: SMOTE(random_state=seed),
    "Usamp": lambda seed: AllKNN(),
    "Combined": lambda seed: SMOTEENN(random_state=seed),
}
# by the abbreviation of table 3
SCALERS = {
    "SS": ("Standard", StandardScaler()),
    "MM": ("MinMax", MinMaxScaler()),
    "MA": ("MaxAbs", MaxAbsScaler()),
    "RO": ("Robust", RobustScaler()),
    "NO": ("Normalizer", Normalizer("l1")),
    "QT": ("QuantileTrans", QuantileTransformer()),
    "PT": ("PowerTrans", PowerTransformer()),
}
OTHERS = {
    "PCA": PCA(5),
    "SparsePCA": SparsePCA(5, random_state=0),
    "KernelPCA": KernelPCA(5),
    "SelectBest": SelectKBest(k=5),
    "SelectFpr": SelectFpr(),
    "SelectPercentile": SelectPercentile(),
}
N_SEEDS = 100
# of the script's split
SEED, TEST = 42, 0.3


class German:
    """German credit as the script has it: raw age, one-hot columns, one split."""

    def __init__(self) -> None:
        X, y = load_fair("german, raw age")
        coded = pd.get_dummies(X).astype(float)
        parts = train_test_split(coded, y, test_size=TEST, random_state=SEED)
        self.X, self.X_test, self.y, self.y_test = parts

    def predicted(self, model: Any, X: Any, y: Any, X_test: Any) -> np.ndarray:
        """Decisions on the test rows of a model fitted to some rows."""
        return clone(model).fit(np.asarray(X), y).predict(np.asarray(X_test))

    def scaled(self, scaler: Any, X: Any, *, again: bool) -> tuple[Any, Any]:
        """Rows and test rows, the latter by a scaler fitted again to them where the script does."""
        with warnings.catch_warnings():
            # fewer test rows than quantiles
            warnings.simplefilter("ignore")
            fitted = clone(scaler).fit(X)
            other = clone(scaler).fit(self.X_test) if again else fitted
            return fitted.transform(X), other.transform(self.X_test)

    def effects(self, with_stage: np.ndarray, without: np.ndarray) -> list[float]:
        """SF in the four metrics."""
        return [
            float(
                stage_fairness(
                    self.y_test,
                    with_stage,
                    without,
                    sensitive_features=self.X_test["sex"],
                    metric=metric,
                    privileged=1,
                    pos_label=1,
                )
            )
            for metric in METRICS
        ]


def models() -> dict[str, tuple[Callable[[int], Any], int]]:
    """The study's models by their names in its files, and over how many seeds they are run."""
    found: dict[str, tuple[Callable[[int], Any], int]] = {
        "KNC": (lambda seed: KNeighborsClassifier(10), 1),
        "SVC": (lambda seed: SVC(), 1),
        "DCT": (lambda seed: DecisionTreeClassifier(random_state=seed), N_SEEDS),
        "RFT": (lambda seed: RandomForestClassifier(random_state=seed), N_SEEDS),
    }
    # trees as exact as they were by default when the study was made; its version is not stated
    boosting = installed(XGBOOST, tree_method="exact")
    if boosting is not None:
        found["XGB"] = (lambda seed: boosting, 1)
    return found


def transformer_rows() -> Iterator[dict[str, Any]]:
    """Figure 5: each transformer alone in front of a model.

    Yields
    ------
    dict
        A row a model and transformer: effects as the script has them, one list a seed, and the
        mean with the scaler fitted once.
    """
    data, printed = German(), published()
    for name, (make, n_seeds) in models().items():
        seeds = range(n_seeds)
        plain = [data.predicted(make(seed), data.X, data.y, data.X_test) for seed in seeds]

        def effects(
            seed: int, X: Any, y: Any, X_test: Any, make: Any = make, plain: Any = plain
        ) -> list[float]:
            said = data.predicted(make(seed), X, y, X_test)
            return data.effects(said, plain[seed % len(plain)])

        for stage, sampler in SAMPLERS.items():
            drawn = range(n_seeds if stage == "Usamp" else N_SEEDS)
            found = [
                effects(k, *sampler(k).fit_resample(data.X, data.y), data.X_test) for k in drawn
            ]
            yield _row(printed, name, stage, found, found)
        for stage, scaler in SCALERS.values():
            again, once = (
                [effects(seed, rows, data.y, tests) for seed in seeds]
                for rows, tests in (data.scaled(scaler, data.X, again=how) for how in (True, False))
            )
            yield _row(printed, name, stage, again, once)
        for stage, other in OTHERS.items():
            fitted = clone(other).fit(data.X, data.y)
            X, X_test = fitted.transform(data.X), fitted.transform(data.X_test)
            found = [effects(seed, X, data.y, X_test) for seed in seeds]
            yield _row(printed, name, stage, found, found)


def published() -> dict[tuple[str, str], list[float]]:
    """The study's effects in the four metrics, by model and transformer."""
    table = pd.read_csv(
        require_file(data_folder(), "fair_preprocessing_results/rq2-transformers.csv")
    )
    table = table[table["dataset"] == "german"].set_index(["Model", "Stage"])
    effects = table[[f"SF_{metric.upper()}" for metric in METRICS]]
    return {key: [float(value) for value in row] for key, row in effects.iterrows()}


def _row(
    printed: dict[tuple[str, str], list[float]],
    model: str,
    stage: str,
    script: list[list[float]],
    once: list[list[float]],
) -> dict[str, Any]:
    row = {"model": model, "stage": stage, "printed": printed[model, stage]}
    row |= {"script": script, "once": np.mean(once, axis=0).tolist()}
    return _from(model, row)


def _from(model: str, row: dict[str, Any]) -> dict[str, Any]:
    """A row with the library of its model, where that is not scikit-learn."""
    return row | ({"library": version_of(XGBOOST)} if model == "XGB" else {})


def downstream_rows() -> Iterator[dict[str, Any]]:
    """Table 3: scalers after under-sampling, in front of the nearest neighbours and XGBoost.

    Yields
    ------
    dict
        A row a model and scaler: effects as the script has them, where both stages are left out,
        and of the scaler alone, fitted once.
    """
    data = German()
    X, y = AllKNN().fit_resample(data.X, data.y)
    for name, (make, _) in models().items():
        if name not in ("KNC", "XGB"):
            continue
        model = make(0)
        plain = data.predicted(model, data.X, data.y, data.X_test)
        sampled = data.predicted(model, X, y, data.X_test)
        for stage, (_, scaler) in SCALERS.items():
            again, once = (
                data.predicted(model, rows, y, tests)
                for rows, tests in (data.scaled(scaler, X, again=how) for how in (True, False))
            )
            row = {"after": name, "stage": stage, "script": data.effects(again, plain)}
            yield _from(name, row | {"alone": data.effects(once, sampled)})
