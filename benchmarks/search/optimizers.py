"""The search's optimizer: what it costs beside a fit, and what it finds beside others."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks._data import DataNotFoundError, load_credit_card_default, load_employee
from benchmarks._results import Results, markdown_table
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import BeamSearch, Grid, SearchSpace, make_optimizer
from skcorrupt.adversarial.candidates import Template
from skcorrupt.adversarial.optimizers import BATCH

BUDGETS = (16, 32, 64)
SECONDS_A_FIT = 0.2
ALLOWED_OVERHEAD = 0.10
N_SEEDS = 10
CREDIT_ROWS = 4000

Point = tuple[int, ...]


@dataclass
class ScoreTable:
    """A grid of candidates with the score of each, so that optimizers cost nothing but asks.

    Attributes
    ----------
    grid : Grid
        The grid.
    scores : ndarray of shape grid.shape
        Score of every point; the clean score where a candidate is infeasible.
    keys : ndarray of int of shape grid.shape
        The same for points that strike the same rows, −1 for those that cost no fit.
    ranges : list of ndarray of int of shape (n_atoms, 2)
        First and last level of the conditions of every attribute.
    """

    grid: Grid
    scores: np.ndarray
    keys: np.ndarray
    ranges: list[np.ndarray]


@dataclass
class Trace:
    """A run of an optimizer: the best score and the seconds of asking and telling by fits."""

    best: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, score: float, seconds: float) -> None:
        """Append a fit."""
        self.best.append(min(score, self.best[-1]) if self.best else score)
        self.seconds.append(seconds)


Rival = Callable[[ScoreTable, int, int], Trace]


class BusyClassifier(ClassifierMixin, BaseEstimator):
    """A logistic regression whose fit takes a given processor time.

    Parameters
    ----------
    seconds : float, default=0.2
        Processor seconds of a fit.
    """

    def __init__(self, seconds: float = SECONDS_A_FIT):
        self.seconds = seconds

    def fit(self, X, y):
        """Fit, then burn what is left of the time."""
        started = time.process_time()
        self.model_ = LogisticRegression(max_iter=1000).fit(X, y)
        self.classes_ = self.model_.classes_
        while time.process_time() - started < self.seconds:
            pass
        return self

    def predict(self, X):
        """Predicted labels."""
        return self.model_.predict(X)

    def predict_proba(self, X):
        """Class probabilities."""
        return self.model_.predict_proba(X)


def run(quick: bool = False) -> None:
    """Run both parts and save them as they come.

    Parameters
    ----------
    quick : bool, default=False
        Two seeds, one template and 16 calls.
    """
    results = Results("optimizers", quick)
    data = data_sets()
    for name, (X, y, templates) in data.items():
        overhead(name, X, y, templates[0], results, quick)
    for name, (X, y, templates) in data.items():
        for columns in templates[:1] if quick else templates:
            quality(name, X, y, columns, results, quick)
    for row in summarise(results.rows("quality")):
        results.add("summary", row)


def data_sets() -> dict[str, tuple[pd.DataFrame, pd.Series, list[tuple[str, str]]]]:
    """Two data sets with pairs of columns, the first of which is hit.

    Returns
    -------
    dict
        Features, labels and templates by name: Employee and Credit Card Default, or two that
        scikit-learn bundles where those are not at hand.
    """
    try:
        X, y = load_employee()
        X_credit, y_credit = load_credit_card_default()
    except DataNotFoundError as error:
        print(f"Bundled data instead: {error}")
        cancer = load_breast_cancer(return_X_y=True, as_frame=True)
        X_wine, y_wine = load_wine(return_X_y=True, as_frame=True)
        pairs = [("mean radius", "worst texture"), ("worst area", "mean smoothness")]
        return {
            "breast cancer": (*cancer, pairs),
            "wine": (X_wine, (y_wine == 1).astype(int), [("alcohol", "hue"), ("hue", "proline")]),
        }
    rows = np.random.default_rng(0).permutation(len(X_credit))[:CREDIT_ROWS]
    return {
        "employee": (X, y, [("JoiningYear", "Age"), ("Age", "ExperienceInCurrentDomain")]),
        "credit card": (
            X_credit.iloc[np.sort(rows)].reset_index(drop=True),
            y_credit.iloc[np.sort(rows)].reset_index(drop=True),
            [("PAY_0", "LIMIT_BAL"), ("LIMIT_BAL", "BILL_AMT1")],
        ),
    }


def overhead(
    name: str, X: pd.DataFrame, y: pd.Series, columns: tuple, results: Results, quick: bool
) -> None:
    """Share of a search's time that is not fits, when a fit takes 0.2 s."""
    search = AdversarialCorruptionSearch(
        make_pipeline(SimpleImputer(), StandardScaler(), BusyClassifier()),
        "missing",
        scoring="roc_auc",
        space=SearchSpace(corrupt_columns=[columns[0]], max_conditions=2),
        strategy=BeamSearch(n_calls=16 if quick else 32),
        cv=2,
        confirm_size=None,
        random_state=0,
    )
    started = time.perf_counter()
    search.fit(X, y)
    row = {
        "data": name,
        "rows": len(X),
        "columns": X.shape[1],
        "candidates": search.n_evaluations_,
        "fits": search.n_evaluations_ * 2,
        "wall_seconds": time.perf_counter() - started,
        "overhead": search.overhead_,
        "allowed": ALLOWED_OVERHEAD,
        "verdict": "reached" if search.overhead_ < ALLOWED_OVERHEAD else "missed",
    }
    results.add("overhead", row)


def score_table(X: pd.DataFrame, y: pd.Series, columns: tuple[str, str]) -> ScoreTable:
    """Enumerate a template with two attributes on the real pipeline.

    Parameters
    ----------
    X : DataFrame
        Features.
    y : Series
        Labels.
    columns : tuple of str
        The attributes; the first is hit.

    Returns
    -------
    ScoreTable
        All scores.
    """
    model = LogisticRegression(solver="newton-cholesky")
    search = AdversarialCorruptionSearch(
        make_pipeline(SimpleImputer(), StandardScaler(), model),
        "missing",
        scoring="roc_auc",
        space=SearchSpace(corrupt_columns=[columns[0]]),
        cv=StratifiedShuffleSplit(1, test_size=0.4, random_state=0),
        confirm_size=None,
        random_state=0,
    )
    problem = search.lay_out(X, y)
    space, evaluator = problem.task.space, problem.evaluator
    positions = [list(X.columns).index(name) for name in columns]
    template = Template((positions[0],), frozenset(positions))
    grid = space.grid(template)
    points = [tuple(p) for p in grid.points(np.arange(grid.size)).tolist()]
    candidates = [space.candidate(template, point) for point in points]
    evaluator.evaluate([c for c in candidates if not c.refused])
    numbers = {key: i for i, key in enumerate(evaluator.done)}
    scores, keys = np.empty(grid.shape), np.empty(grid.shape, dtype=int)
    for point, candidate in zip(points, candidates, strict=True):
        score = np.nan if candidate.refused else evaluator.done[candidate.key].score
        scores[point] = score if np.isfinite(score) else problem.baseline
        keys[point] = -1 if candidate.refused else numbers[candidate.key]
    ranges = [space.attributes[j].atoms for j in sorted(template.attributes)]
    return ScoreTable(grid, scores, keys, ranges)


def quality(
    name: str,
    X: pd.DataFrame,
    y: pd.Series,
    columns: tuple[str, str],
    results: Results,
    quick: bool,
) -> None:
    """Best scores of the optimizers on an enumerated template at equal fits."""
    started = time.perf_counter()
    table = score_table(X, y, columns)
    setting = {"data": name, "template": " + ".join(columns), "size": table.grid.size}
    results.add(
        "tables",
        {
            **setting,
            "distinct": int(table.keys.max()) + 1,
            "clean": float(table.scores.max()),
            "least": float(table.scores.min()),
            "seconds": time.perf_counter() - started,
        },
    )
    seeds = range(2 if quick else N_SEEDS)
    budgets = BUDGETS[:1] if quick else BUDGETS
    for rival, play in RIVALS.items():
        # scikit-optimize does not know the number of calls, so that a long run holds the short ones
        whole = [play(table, max(budgets), seed) for seed in seeds] if rival == SKOPT else []
        for n_calls in budgets:
            runs = whole or [play(table, n_calls, seed) for seed in seeds]
            best = [float(run.best[:n_calls][-1]) for run in runs]
            row = {
                **setting,
                "optimizer": rival,
                "n_calls": n_calls,
                "mean_best": float(np.mean(best)),
                "std_best": float(np.std(best)),
                "best": best,
                "ask_seconds": float(np.mean([run.seconds[:n_calls][-1] for run in runs])),
            }
            results.add("quality", row)


def ours(name: str) -> Rival:
    """One of the package's optimizers as a rival, driven as the beam search drives it."""

    def play(table: ScoreTable, n_calls: int, seed: int) -> Trace:
        trace, started = Trace(), time.process_time()
        optimizer = make_optimizer(name, table.grid, n_calls, seed)
        known: set[int] = set()
        while len(trace.best) < n_calls:
            batch: list[Point] = []
            free: list[Point] = []
            keys: set[int] = set()
            for point in optimizer.ask():
                if len(batch) >= min(BATCH, n_calls - len(trace.best)):
                    break
                key = int(table.keys[point])
                if key < 0 or key in known:
                    free.append(point)
                elif key not in keys:
                    keys.add(key)
                    batch.append(point)
            known |= keys
            told = free + batch
            optimizer.tell(told, [float(table.scores[point]) for point in told])
            if not batch:
                break
            for point in batch:
                trace.add(float(table.scores[point]), time.process_time() - started)
        return trace

    return play


def scikit_optimize(table: ScoreTable, n_calls: int, seed: int) -> Trace:
    """scikit-optimize's `Optimizer(…, base_estimator="ET")` as it comes.

    Its dimensions are the first and last level of each condition. Like ours it pays for a
    distinct candidate once: what it asks again is told again and costs no fit.
    """
    from skopt import Optimizer
    from skopt.space import Integer

    levels = [int(ranges.max()) + 1 for ranges in table.ranges]
    dimensions = [Integer(0, n - 1) for n in levels for _ in range(2)]
    dimensions.append(Integer(0, table.grid.shape[-2] - 1))
    atoms = [{tuple(r): i for i, r in enumerate(ranges.tolist())} for ranges in table.ranges]
    trace, started = Trace(), time.process_time()
    optimizer = Optimizer(dimensions, base_estimator="ET", random_state=seed)
    known: set[int] = set()
    for _ in range(3 * n_calls):
        with _repeats_allowed():
            x = optimizer.ask()
        levels_asked = []
        for d, known_atoms in enumerate(atoms):
            low, high = sorted(x[2 * d : 2 * d + 2])
            # the whole range is no condition; without its last level it is the nearest that is
            levels_asked.append(known_atoms.get((low, high), known_atoms.get((low, high - 1))))
        point = (*levels_asked, x[-1], 0)
        score, key = float(table.scores[point]), int(table.keys[point])
        with _repeats_allowed():
            optimizer.tell(x, score)
        if key >= 0 and key not in known:
            known.add(key)
            trace.add(score, time.process_time() - started)
        if len(known) >= n_calls:
            break
    return trace


SKOPT = 'skopt "ET"'
RIVALS: dict[str, Rival] = {
    "auto": ours("auto"),
    "gp": ours("gp"),
    "random": ours("random"),
    SKOPT: scikit_optimize,
}


def summarise(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Mean over data sets and templates, with the verdict on "auto"."""
    for n_calls in sorted({row["n_calls"] for row in rows}):
        chosen = [row for row in rows if row["n_calls"] == n_calls]
        mean = {
            rival: float(np.mean([r["mean_best"] for r in chosen if r["optimizer"] == rival]))
            for rival in RIVALS
        }
        asks = {
            rival: float(np.mean([r["ask_seconds"] for r in chosen if r["optimizer"] == rival]))
            for rival in RIVALS
        }
        good = mean["auto"] <= mean[SKOPT] and mean["auto"] < mean["random"]
        yield {
            "n_calls": n_calls,
            **mean,
            "ask_ratio": asks[SKOPT] / asks["auto"],
            "ask_milliseconds": 1000 * asks["auto"] / n_calls,
            "verdict": "reached" if good else "missed",
        }


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    sections = content["sections"]
    quality_rows = [
        {"name": f"{row['data']}: {row['template']}", **row} for row in sections["quality"]
    ]
    return {
        "optimizers-overhead": markdown_table(
            sections["overhead"],
            {
                "data": "data",
                "rows": "rows",
                "columns": "columns",
                "fits": "fits",
                "wall_seconds": "seconds",
                "overhead": "overhead",
                "allowed": "allowed",
                "verdict": "verdict",
            },
        ),
        "optimizers-summary": markdown_table(
            sections["summary"],
            {
                "n_calls": "fits",
                **{rival: rival for rival in RIVALS},
                "ask_ratio": "time of asks, skopt / auto",
                "ask_milliseconds": "auto: ms of asks a fit",
                "verdict": "verdict",
            },
        ),
        "optimizers-quality": markdown_table(
            quality_rows,
            {
                "name": "template",
                "size": "grid",
                "optimizer": "optimizer",
                "n_calls": "fits",
                "mean_best": "mean of the best AUC",
                "std_best": "over seeds ±",
                "ask_seconds": "seconds of asks",
            },
        ),
    }


@contextmanager
def _repeats_allowed() -> Iterator[None]:
    """scikit-optimize warns where it asks a point again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield
