"""Numbers that are refuted, made again with the faults of their scripts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import train_test_split

from benchmarks.replication.fairness._case import Case
from benchmarks.replication.fairness._data import Load
from benchmarks.replication.fairness._printed import FAULTS, METRICS, PRINTED
from skcorrupt.metrics import stage_fairness

# people who are tested, and what a pipeline says of them with and without a stage
Said = tuple[np.ndarray, np.ndarray, np.ndarray]


def faults(cases: list[Case], load: Load, n_splits: int) -> list[dict[str, Any]]:
    """What the scripts of AC4, AC7, AC9 and AC10 measure, beside what is printed.

    Parameters
    ----------
    cases : list of Case
        Pipelines; of the four, those among them are made.
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
    rows = []
    for (name, stage), make in MAKERS.items():
        if name not in by_name:
            continue
        X, y = load(by_name[name].data)
        found = np.array([make(by_name[name], X, y, seed) for seed in range(n_splits)])
        for metric, values, printed, error in zip(
            METRICS, found.T, *PRINTED[name, stage], strict=True
        ):
            rows.append(
                {
                    "pipeline": name,
                    "stage": stage,
                    "metric": metric,
                    "fault": FAULTS[name, stage],
                    "with_fault": float(np.mean(values)),
                    "std": float(np.std(values, ddof=1)),
                    "n_splits": n_splits,
                    "printed": printed,
                    "printed_error": error,
                }
            )
    return rows


def other_people(case: Case, X: pd.DataFrame, y: pd.Series, seed: int) -> list[float]:
    """SF where only the pipeline with the stage is tried on a stratified split.

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
    list of float
        The effects, the row of one person beside that of another.
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
    return _effects(case, X, y, test, predicted, other)


def stale(case: Case, X: pd.DataFrame, y: pd.Series, seed: int) -> list[float]:
    """SF of a scaler where the PCA that was fitted on scaled data stays.

    Parameters
    ----------
    case : Case
        A pipeline whose last steps are `scale`, `pca` and `model`.
    X, y : DataFrame, Series
        Its data.
    seed : int
        Seed of the split.

    Returns
    -------
    list of float
        The effects.
    """
    return _effects(case, X, y, *_with_stale(case, X, y, seed))


def _with_stale(case: Case, X: pd.DataFrame, y: pd.Series, seed: int) -> Said:
    train, test = train_test_split(np.arange(len(X)), test_size=0.3, random_state=seed)
    pipeline = clone(case.pipeline).fit(X.iloc[train], y.iloc[train])
    coder, pca = pipeline[:-3], pipeline.named_steps["pca"]
    raw, raw_test = (pca.transform(coder.transform(X.iloc[rows])) for rows in (train, test))
    model = clone(pipeline.named_steps["model"]).fit(raw, y.iloc[train])
    return test, pipeline.predict(X.iloc[test]), model.predict(raw_test)


def coarse_on_fine(case: Case, X: pd.DataFrame, y: pd.Series, seed: int) -> list[float]:
    """SF of a step that makes data coarse where scaler and PCA stay that were fitted after it.

    Parameters
    ----------
    case : Case
        A pipeline with that step, `encode`, `scale`, `pca` and `model`.
    X, y : DataFrame, Series
        Its data.
    seed : int
        Seed of the split.

    Returns
    -------
    list of float
        The effects.
    """
    return _effects(case, X, y, *_with_coarse(case, X, y, seed))


def _with_coarse(case: Case, X: pd.DataFrame, y: pd.Series, seed: int) -> Said:
    train, test = train_test_split(np.arange(len(X)), test_size=0.3, random_state=seed)
    pipeline = clone(case.pipeline).fit(X.iloc[train], y.iloc[train])
    coder = clone(pipeline.named_steps["encode"]).fit(X.iloc[train])
    fine, fine_test = (pipeline[-3:-1].transform(coder.transform(X.iloc[r])) for r in (train, test))
    model = clone(pipeline.named_steps["model"]).fit(fine, y.iloc[train])
    return test, pipeline.predict(X.iloc[test]), model.predict(fine_test)


MAKERS = {
    ("AC9", "SS"): other_people,
    ("AC10", "Impute"): other_people,
    ("AC4", "SS"): stale,
    ("AC7", "SS"): stale,
    ("AC7", "Custom(f)"): coarse_on_fine,
}
# those where the people are the same, so that scores have the fault, too
SAYERS = {
    ("AC4", "SS"): _with_stale,
    ("AC7", "SS"): _with_stale,
    ("AC7", "Custom(f)"): _with_coarse,
}


def score_changes(
    case: Case, X: pd.DataFrame, y: pd.Series, n_splits: int
) -> dict[str, list[tuple[float, float]]]:
    """Changes of accuracy and F1 that the faults of a script make of its stages.

    Parameters
    ----------
    case : Case
        A pipeline.
    X, y : DataFrame, Series
        Its data.
    n_splits : int
        Number of splits, those of `faults`.

    Returns
    -------
    dict of str to list of tuple of float
        By the stages whose scores have a fault, a pair a split.
    """
    found: dict[str, list[tuple[float, float]]] = {}
    for (name, stage), say in SAYERS.items():
        if name != case.name:
            continue
        for seed in range(n_splits):
            test, *both = say(case, X, y, seed)
            (a, f), (b, g) = (
                (
                    float(accuracy_score(y.iloc[test], said)),
                    float(f1_score(y.iloc[test], said, pos_label=case.pos_label)),
                )
                for said in both
            )
            found.setdefault(stage, []).append((a - b, f - g))
    return found


def _effects(
    case: Case,
    X: pd.DataFrame,
    y: pd.Series,
    test: np.ndarray,
    predicted: np.ndarray,
    without: np.ndarray,
) -> list[float]:
    return [
        stage_fairness(
            y.iloc[test],
            predicted,
            without,
            sensitive_features=X[case.sensitive].iloc[test],
            metric=metric,
            privileged=1,
            pos_label=case.pos_label,
        )
        for metric in METRICS
    ]
