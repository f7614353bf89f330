"""Numbers that are refuted, made again with the faults of their scripts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import train_test_split

from benchmarks.replication.fairness._case import Case
from benchmarks.replication.fairness._data import Load
from benchmarks.replication.fairness._printed import FAULTS, PRINTED
from skcorrupt.metrics import stage_fairness


def faults(cases: list[Case], load: Load, n_splits: int) -> list[dict[str, Any]]:
    """What the scripts of AC4, AC9 and AC10 measure, beside what is printed.

    Parameters
    ----------
    cases : list of Case
        Pipelines, the three among them.
    load : callable
        `load(name)` gives features and labels of a data set.
    n_splits : int
        Number of splits.

    Returns
    -------
    list of dict
        A row a number.
    """
    by_name = {case.name: case for case in cases}
    makers = {("AC9", "SS"): other_people, ("AC10", "Impute"): other_people, ("AC4", "SS"): stale}
    rows = []
    for (name, stage), make in makers.items():
        X, y = load(by_name[name].data)
        found = [make(by_name[name], X, y, seed) for seed in range(n_splits)]
        rows.append(
            {
                "pipeline": name,
                "stage": stage,
                "fault": FAULTS[name, stage],
                "with_fault": float(np.mean(found)),
                "std": float(np.std(found, ddof=1)),
                "printed": PRINTED[name, stage][0][0],
            }
        )
    return rows


def other_people(case: Case, X: pd.DataFrame, y: pd.Series, seed: int) -> float:
    """SF_SPD where only the pipeline with the stage is tried on a stratified split.

    Parameters
    ----------
    case : Case
        A pipeline whose first stage is at issue.
    X, y : DataFrame, Series
        Its data.
    seed : int
        Seed of both splits.

    Returns
    -------
    float
        The effect, the row of one person beside that of another.
    """
    rows = np.arange(len(X))
    train, test = train_test_split(rows, test_size=0.3, random_state=seed, stratify=y)
    other_train, other_test = train_test_split(rows, test_size=0.3, random_state=seed)
    path = next(iter(case.stages))
    instead = clone(case.references[path]) if case.references else "passthrough"
    model = clone(case.pipeline).fit(X.iloc[train], y.iloc[train])
    without = clone(case.pipeline).set_params(**{path: instead})
    without.fit(X.iloc[other_train], y.iloc[other_train])
    predicted, other = model.predict(X.iloc[test]), without.predict(X.iloc[other_test])
    return _effect(case, X, y, test, predicted, other)


def stale(case: Case, X: pd.DataFrame, y: pd.Series, seed: int) -> float:
    """SF_SPD of a scaler where the PCA that was fitted on scaled data stays.

    Parameters
    ----------
    case : Case
        A pipeline with the steps `encode`, `scale`, `pca` and `model`.
    X, y : DataFrame, Series
        Its data.
    seed : int
        Seed of the split.

    Returns
    -------
    float
        The effect.
    """
    train, test = train_test_split(np.arange(len(X)), test_size=0.3, random_state=seed)
    pipeline = clone(case.pipeline).fit(X.iloc[train], y.iloc[train])
    pca, coder = pipeline.named_steps["pca"], pipeline.named_steps["encode"]
    raw, raw_test = (pca.transform(coder.transform(X.iloc[rows])) for rows in (train, test))
    model = clone(pipeline.named_steps["model"]).fit(raw, y.iloc[train])
    return _effect(case, X, y, test, pipeline.predict(X.iloc[test]), model.predict(raw_test))


def _effect(
    case: Case,
    X: pd.DataFrame,
    y: pd.Series,
    test: np.ndarray,
    predicted: np.ndarray,
    without: np.ndarray,
) -> float:
    return stage_fairness(
        y.iloc[test],
        predicted,
        without,
        sensitive_features=X[case.sensitive].iloc[test],
        metric="spd",
        privileged=1,
        pos_label=case.pos_label,
    )
