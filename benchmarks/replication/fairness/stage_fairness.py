"""Stage fairness: the paper's pipelines rebuilt, how noisy such numbers are, and what they cost."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from benchmarks._results import Results
from benchmarks.replication.fairness._case import Case
from benchmarks.replication.fairness._data import Load, load_fair
from benchmarks.replication.fairness._faults import faults
from benchmarks.replication.fairness._pipelines import (
    adult_cases,
    bank_cases,
    compas_cases,
    example_2,
    german_cases,
)
from benchmarks.replication.fairness._printed import METRICS, NOT_REBUILT
from benchmarks.replication.fairness._speed import measure_speed
from benchmarks.replication.fairness._tables import tables as tables
from benchmarks.replication.fairness._titanic import titanic_cases
from benchmarks.replication.fairness._verdicts import (
    example_1_rows,
    example_2_rows,
    identities,
    missing_row,
    significance,
    stage_rows,
)
from skcorrupt import StageFairnessAblator

QUICK = ("GC4", "GC8", "AC9", "BM2", "TT8", "CP1")
NOISY = ("GC1", "GC2", "GC6", "GC9", "GC10", "example 2")


def run(quick: bool = False) -> None:
    """Run all parts and save them as they come.

    Parameters
    ----------
    quick : bool, default=False
        Some pipelines, two splits, few rows for the times.
    """
    results = Results("stage-fairness", quick)
    data: dict[str, tuple[pd.DataFrame, pd.Series]] = {}

    def loaded(name: str) -> tuple[pd.DataFrame, pd.Series]:
        if name not in data:
            data[name] = load_fair(name)
        return data[name]

    found = []
    for case in all_cases():
        if quick and case.name not in QUICK:
            continue
        ablator = ablate(case, *loaded(case.data), 2 if quick else case.n_splits)
        found.append((case, ablator))
        for row in stage_rows(case, ablator):
            results.add("stages", row)
        if case.data == "compas, screened in time":
            for row in example_1_rows(ablator):
                results.add("examples", row)
    for (name, stage), why in NOT_REBUILT.items():
        results.add("stages", missing_row(name, stage, why))
    second = example_2()
    ablator = ablate(second, *loaded(second.data), 2 if quick else second.n_splits)
    for row in example_2_rows(ablator):
        results.add("examples", row)
    for row in significance(found):
        results.add("significance", row)
    results.add("identities", identities([ablator for _, ablator in found]))
    noise_floors(loaded, quick, results)
    if not quick:
        for row in faults(adult_cases(), loaded, 10):
            results.add("faults", row)
    X, y = loaded("adult, incomplete")
    n_rows = 2_000 if quick else len(X)
    measure_speed(X[:n_rows], y[:n_rows], splits_of(n_rows, 2), results)


def all_cases() -> list[Case]:
    """All pipelines of table 1 that can be rebuilt."""
    return [*german_cases(), *adult_cases(), *bank_cases(), *titanic_cases(), *compas_cases()]


def splits_of(n_rows: int, n: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Splits as the scripts draw them: 70/30, not stratified, the seeds 0, 1, …"""
    rows = np.arange(n_rows)
    return [tuple(train_test_split(rows, test_size=0.3, random_state=k)) for k in range(n)]


def ablate(
    case: Case, X: pd.DataFrame, y: pd.Series, n_splits: int, **options: Any
) -> StageFairnessAblator:
    """Measure the stages of a pipeline.

    Parameters
    ----------
    case : Case
        The pipeline.
    X, y : DataFrame, Series
        Its data.
    n_splits : int
        Number of splits.
    **options : dict
        Further parameters of the ablator.

    Returns
    -------
    StageFairnessAblator
        Fitted.
    """
    ablator = StageFairnessAblator(
        case.pipeline,
        sensitive_features=case.sensitive,
        privileged=1,
        pos_label=case.pos_label,
        stages=list(case.stages),
        references=case.references,
        cv=splits_of(len(X), n_splits),
        random_state=0,
        error_score="raise",
        **options,
    )
    with warnings.catch_warnings():
        # models that do not converge on raw data are what some of the stages are about
        warnings.simplefilter("ignore")
        return ablator.fit(X, y)


def noise_floors(loaded: Load, quick: bool, results: Results) -> None:
    """German pipelines under two seeds."""
    for case in [*german_cases(), example_2()]:
        if case.name not in NOISY or (quick and case.name != "GC9"):
            continue
        first = replace(case, stages=dict(list(case.stages.items())[:1]))
        ablator = ablate(first, *loaded(case.data), 4 if quick else 30, noise_floor=True)
        floor = ablator.noise_floor_.set_index("metric")
        results.add(
            "noise",
            {
                "pipeline": case.name,
                "model": type(case.pipeline.steps[-1][1]).__name__,
                "changed": floor.loc["spd", "change_rate"],
                **{f"{metric}_std": floor.loc[metric, "std"] for metric in METRICS[:3]},
            },
        )
