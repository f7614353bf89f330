"""What a candidate of a search costs: tables as arrays, and rows found condition by condition.

Both ways are taken by turns in one run, in processor time, on data that scikit-learn bundles.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import check_scoring
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skcorrupt.evaluation._evaluate_split as scoring
from benchmarks._results import Results, markdown_table
from skcorrupt import CorruptMissing, Pattern
from skcorrupt.evaluation import evaluate_split, make_splits
from skcorrupt.patterns import PatternMasks

NAME = "candidates"
TURNS, QUICK_TURNS = 200, 5
N_PATTERNS = 2_000
# copies of the rows, for a table of some size
SIZES = (1, 10)


def run(quick: bool = False) -> None:
    """Measure and save.

    Parameters
    ----------
    quick : bool, default=False
        Whether to take few turns.
    """
    results = Results(NAME, quick)
    turns = QUICK_TURNS if quick else TURNS
    for model, pipeline in models().items():
        for size in SIZES:
            scored(model, pipeline, size, turns, results)
    for text in (False, True):
        matched(text, N_PATTERNS // 20 if quick else N_PATTERNS, results)


def models() -> dict[str, Any]:
    """Pipelines by name."""
    scaled = make_pipeline(SimpleImputer(), StandardScaler())
    return {
        "logistic regression": make_pipeline(scaled, LogisticRegression()),
        "naive Bayes": make_pipeline(SimpleImputer(), GaussianNB()),
        "forest of 20": make_pipeline(SimpleImputer(), RandomForestClassifier(20, random_state=0)),
        "ridge": make_pipeline(scaled, Ridge()),
    }


def scored(model: str, pipeline: Any, size: int, turns: int, results: Results) -> None:
    """One candidate scored again and again, as data frames and as arrays by turns."""
    load = load_diabetes if model == "ridge" else load_breast_cancer
    X, y = load(return_X_y=True, as_frame=True)
    X, y = pd.concat([X.iloc[:, :6]] * size, ignore_index=True), np.tile(y, size)
    rows = np.random.default_rng(0).permutation(len(X))
    (split,) = make_splits(X, y, [(rows[len(rows) // 4 :], rows[: len(rows) // 4])], [0])
    error = CorruptMissing(columns=[X.columns[0]], pattern=Pattern({X.columns[1]: (0.0, None)}))
    scorer, with_arrays = check_scoring(pipeline), scoring.with_arrays

    def evaluate(way: Callable[..., Any]) -> float:
        scoring.with_arrays = way
        try:
            return float(evaluate_split(pipeline, split, scorer, corruption=error).score)
        finally:
            scoring.with_arrays = with_arrays

    ways: dict[str, Callable[..., Any]] = {
        "frames": lambda split, model, scorer: split,
        "arrays": with_arrays,
    }
    found = {name: evaluate(way) for name, way in ways.items()}
    seconds = by_turns({name: lambda way=way: evaluate(way) for name, way in ways.items()}, turns)
    results.add(
        "scored",
        {"model": model, "rows": len(X)}
        | {name: 1000 * each for name, each in seconds.items()}
        | {"ratio": seconds["frames"] / seconds["arrays"]}
        | {"same": found["frames"] == found["arrays"]},
    )


def matched(text: bool, n: int, results: Results) -> None:
    """Rows of many patterns of three conditions, one by one and with all conditions kept."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: rng.normal(size=2_000).round(1) for name in "abc"})
    if text:
        X["c"] = rng.choice(list("uvwxyz"), len(X))
    bounds = np.linspace(-1, 1, 12)
    patterns = [
        Pattern(
            {
                "a": (rng.choice(bounds[:6]), rng.choice(bounds[6:])),
                "b": (None, rng.choice(bounds)),
                "c": [rng.choice(list("uvwxyz"))] if text else (rng.choice(bounds), None),
            }
        )
        for _ in range(n)
    ]

    def together() -> int:
        masks = PatternMasks(X)
        return sum(int(masks.of(pattern).sum()) for pattern in patterns)

    def alone() -> int:
        return sum(int(pattern.mask(X).sum()) for pattern in patterns)

    same = together() == alone()
    seconds = by_turns({"alone": alone, "together": together}, 3)
    results.add(
        "matched",
        {"columns": "numbers and a text" if text else "numbers", "patterns": n}
        | {name: 1000 * each / n for name, each in seconds.items()}
        | {"ratio": seconds["alone"] / seconds["together"], "same": same},
    )


def by_turns(ways: dict[str, Callable[[], Any]], turns: int) -> dict[str, float]:
    """Median processor seconds of each way."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(turns):
        for name, act in ways.items():
            start = time.process_time()
            act()
            taken[name].append(time.process_time() - start)
    return {name: float(np.median(each)) for name, each in taken.items()}


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    sections = content["sections"]
    return {
        "candidates-scored": markdown_table(
            sections["scored"],
            {
                "model": "model",
                "rows": "rows",
                "frames": "as data frames, ms",
                "arrays": "as arrays, ms",
                "ratio": "ratio",
                "same": "same score",
            },
        ),
        "candidates-matched": markdown_table(
            sections["matched"],
            {
                "columns": "columns",
                "patterns": "patterns",
                "alone": "one by one, ms each",
                "together": "together, ms each",
                "ratio": "ratio",
                "same": "same rows",
            },
        ),
    }
