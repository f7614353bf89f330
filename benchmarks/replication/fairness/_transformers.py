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

from benchmarks._data import data_folder, require_file
from benchmarks.replication.fairness._data import load_fair
from benchmarks.replication.fairness._printed import METRICS
from skcorrupt.metrics import stage_fairness

# the two whose fits do not depend on a seed, by their names in the result files
MODELS = {"KNC": KNeighborsClassifier(10), "SVC": SVC()}
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
N_SEEDS = 10
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


def transformer_rows() -> Iterator[dict[str, Any]]:
    """Figure 5: each transformer alone in front of a model.

    Yields
    ------
    dict
        A row a model and transformer: effects as the script has them, one list a seed, and with
        the scaler fitted once.
    """
    data, printed = German(), published()
    for name, model in MODELS.items():
        plain = data.predicted(model, data.X, data.y, data.X_test)
        for stage, sampler in SAMPLERS.items():
            found = []
            for seed in range(1 if stage == "Usamp" else N_SEEDS):
                X, y = sampler(seed).fit_resample(data.X, data.y)
                found.append(data.effects(data.predicted(model, X, y, data.X_test), plain))
            yield _row(printed, name, stage, found, found[0])
        for stage, scaler in SCALERS.values():
            found = []
            for again in (True, False):
                X, X_test = data.scaled(scaler, data.X, again=again)
                found.append(data.effects(data.predicted(model, X, data.y, X_test), plain))
            yield _row(printed, name, stage, found[:1], found[1])
        for stage, other in OTHERS.items():
            fitted = clone(other).fit(data.X, data.y)
            X, X_test = fitted.transform(data.X), fitted.transform(data.X_test)
            found = [data.effects(data.predicted(model, X, data.y, X_test), plain)]
            yield _row(printed, name, stage, found, found[0])


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
    once: list[float],
) -> dict[str, Any]:
    row = {"model": model, "stage": stage, "printed": printed[model, stage]}
    return row | {"script": script, "once": once}


def downstream_rows() -> Iterator[dict[str, Any]]:
    """Table 3: scalers after under-sampling, in front of the nearest neighbours.

    Yields
    ------
    dict
        A row a scaler: effects as the script has them, where both stages are left out, and of the
        scaler alone, fitted once.
    """
    data, model = German(), MODELS["KNC"]
    plain = data.predicted(model, data.X, data.y, data.X_test)
    X, y = AllKNN().fit_resample(data.X, data.y)
    sampled = data.predicted(model, X, y, data.X_test)
    for stage, (_, scaler) in SCALERS.items():
        again, once = (
            data.predicted(model, rows, y, tests)
            for rows, tests in (data.scaled(scaler, X, again=how) for how in (True, False))
        )
        yield {
            "stage": stage,
            "script": data.effects(again, plain),
            "alone": data.effects(once, sampled),
        }
