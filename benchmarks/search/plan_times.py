"""What `plan` says that thirteen searches take, beside the time that they take on a processor.

Run `OMP_NUM_THREADS=1 python -m benchmarks.search.plan_times [name ...]`. Seconds are those of a
processor, as plans are about a machine that does nothing else.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
)
from skcorrupt.adversarial import BeamSearch, Screening, SearchSpace, WarmStart

FACTOR = 2.0
FEW = BeamSearch(n_calls=8)
SHORT = SearchSpace(max_conditions=1)


def made_data(n: int = 300, n_columns: int = 4) -> tuple[pd.DataFrame, pd.Series]:
    """A table of numbers, one of few values and a flag among them, and a label of two classes."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n, n_columns)), columns=[f"x{j}" for j in range(n_columns)])
    X["x1"] = np.round(2 * X["x1"])
    X["x2"] = (X["x2"] > 0).astype(float)
    return X, pd.Series((X.x0 + X.x1 / 2 + X.x2 + rng.normal(size=n) > 0.5).astype(int))


def _linear() -> Pipeline:
    return make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())


def _forest() -> Pipeline:
    return make_pipeline(SimpleImputer(), RandomForestClassifier(10, random_state=0))


def cases(
    data: tuple[pd.DataFrame, pd.Series],
) -> dict[str, Callable[[], AdversarialCorruptionSearch]]:
    """What makes thirteen searches, by what they are about."""

    def search(pipeline: Any, corruption: Any, strategy: Any, **params: Any) -> Any:
        return AdversarialCorruptionSearch(
            pipeline, corruption, strategy=strategy, scoring="roc_auc", random_state=0, **params
        )

    tree = DecisionTreeClassifier(max_depth=5, random_state=0)
    boosted = HistGradientBoostingClassifier(max_iter=30, random_state=0)
    process = CorruptionProcess([("missing", CorruptMissing()), ("labels", CorruptLabels())])

    def warm_start() -> Any:
        light = search(tree, "labels", BeamSearch(n_calls=4), space=SHORT).fit(*data)
        return search(_linear(), "labels", WarmStart(light))

    return {
        "beam": lambda: search(_linear(), "missing", FEW),
        "linear": lambda: search(_linear(), "missing", Screening("linear")),
        "tree": lambda: search(_forest(), "missing", Screening("tree")),
        "clone": lambda: search(boosted, "noise", Screening("auto", beam=FEW), space=SHORT),
        "estimator": lambda: search(
            _forest(), "noise", Screening(_linear(), beam=FEW), space=SHORT
        ),
        "exhaustive": lambda: search(_linear(), "labels", "exhaustive", space=SHORT),
        "warm start": warm_start,
        "process": lambda: search(_linear(), process, BeamSearch(n_calls=4), space=SHORT),
        "budgets": lambda: search(
            _linear(), "selection", Screening("linear"), budget=[0.1, 0.2, 0.3]
        ),
        "refit": lambda: search(tree, "labels", FEW, refit=True),
        # the first with a proxy that the pipeline contradicts, the second with one of its own mind
        "default": lambda: search(_linear(), "missing", "auto"),
        "default, labels": lambda: search(_linear(), "labels", "auto"),
        "default, trees": lambda: search(_forest(), "missing", "auto"),
    }


def compared(names: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Plan and fit each search.

    Parameters
    ----------
    names : sequence of str, default=()
        Those that are run; none are all.

    Yields
    ------
    dict
        Seconds as planned and as they were, their ratio, and the seconds of the plan itself.
    """
    data = made_data()
    for name, made in cases(data).items():
        if names and name not in names:
            continue
        search = made()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            started = time.process_time()
            plan = search.plan(*data)
            planned = time.process_time()
            search.fit(*data)
            real = time.process_time() - planned
        yield {
            "search": name,
            "planned": plan.seconds,
            "real": real,
            "ratio": plan.seconds / real,
            "candidates planned": plan.expected_evaluations,
            "candidates": search.n_evaluations_,
            "seconds of planning": planned - started,
        }


if __name__ == "__main__":
    for row in compared(sys.argv[1:]):
        numbers = [f"{n} {v:.3g}" for n, v in row.items() if n != "search"]
        met = 1 / FACTOR <= row["ratio"] <= FACTOR
        print(f"{row['search']:12s}", ", ".join(numbers), "" if met else "missed", flush=True)
