"""Errors in served rows: what the search takes, what it finds on real tables, who raises alarms.

Run `OMP_NUM_THREADS=1 python -m benchmarks served [section ...]`. The floor is one pass of
predictions for each kind of error and column, on frames that are ready, and one on clean rows.
Both are timed in one process, in turns. The slice finder is sliceline, where it is
installed; it gets what the worst error of the search does to every row.
"""

from __future__ import annotations

import math
import resource
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline

from benchmarks._results import Results, markdown_table, saved
from benchmarks.search._data import million
from benchmarks.search._served_costs import memory, n_patterns, single, watched
from benchmarks.search._served_data import SETS
from benchmarks.search._served_models import kinds, models
from skcorrupt import AdversarialCorruptionSearch, CorruptScale
from skcorrupt.adversarial import SearchSpace
from skcorrupt.base import BaseCorruption
from skcorrupt.checks import BaseCheck, RowCount
from skcorrupt.checks._standard_checks import all_checks
from skcorrupt.utils import as_table

SECTIONS = ("speed", "sets", "rows", "month", "single", "memory", "watched")
BUDGET = 0.1
# floor and search are timed in turns, so often; the ratio is the median of theirs
N_TURNS = 3
# conditions at most, and bins
SPACES = {"three conditions, 8 bins": (3, 8), "two conditions, 64 bins": (2, 64)}


def struck_frames(X: pd.DataFrame) -> list[pd.DataFrame]:
    """The rows as they are, and with every error in every column."""
    ready = [X]
    for given in kinds():
        error = given if isinstance(given, BaseCorruption) else None
        numbers = isinstance(error, CorruptScale)
        for column in X:
            if numbers and X[column].dtype.kind not in "if":
                continue
            if error is None:
                ready.append(X.assign(**{str(column): X[column].where(pd.Series(False, X.index))}))
            else:
                whole = error.set_params(columns=[column], rate=1.0, random_state=0)
                ready.append(whole.fit_transform(X))
    return ready


def floor(model: Pipeline, frames: Sequence[pd.DataFrame], response: str) -> float:
    """Seconds of the predictions alone."""
    ask = getattr(model, response)
    started = time.perf_counter()
    for frame in frames:
        ask(frame)
    return time.perf_counter() - started


def run(quick: bool = False, sections: Sequence[str] = SECTIONS) -> None:
    """Measure, and save what was measured.

    Parameters
    ----------
    quick : bool, default=False
        One model and two tables.
    sections : sequence of {"speed", "sets", "rows", "month", "single", "memory", "watched"}
        What is run.
    """
    results = Results("served", quick)
    kept = saved("served")
    for name in SECTIONS:
        if name in sections:
            for row in RUNS[name](quick):
                results.add(name, row)
        elif kept is not None and not quick:
            # a section that is not run anew stays as it is
            results.content["sections"][name] = kept["sections"].get(name, [])
    results.save()


def speed(quick: bool) -> Iterator[dict[str, Any]]:
    """A search beside the predictions that it needs at least."""
    X_train, y_train, X, y = SETS["Adult"]()
    frames = struck_frames(X)
    for name, model in models(X).items():
        model.fit(X_train, y_train)
        for scoring, response, allowed in (
            ("accuracy", "predict", 2.5),
            ("roc_auc", "predict_proba", 5.0),
        ):
            for said, (most, n_bins) in SPACES.items():
                turns = []
                for _ in range(1 if quick else N_TURNS):
                    least = floor(model, frames, response)
                    search, spent = _timed(model, X, y, scoring, most, n_bins)
                    turns.append((spent / least, spent, least))
                ratio, spent, least = sorted(turns)[len(turns) // 2]
                yield {
                    "model": name,
                    "score": scoring,
                    "space": said,
                    "seconds": spent,
                    "floor": least,
                    "ratio": ratio,
                    "allowed": allowed,
                    "patterns": n_patterns(search),
                    "verdict": "reached" if ratio <= allowed else "missed",
                }
        if quick:
            return


def _timed(
    model: Any, X: pd.DataFrame, y: pd.Series, scoring: str, most: int, n_bins: int
) -> tuple[AdversarialCorruptionSearch, float]:
    """A fitted search, and the seconds of it."""
    search = AdversarialCorruptionSearch(
        model,
        kinds(),
        apply_to="test",
        scoring=scoring,
        space=SearchSpace(max_conditions=most, n_bins=n_bins),
        confirm_size=None,
        random_state=0,
    )
    started = time.perf_counter()
    search.fit(X, y)
    return search, time.perf_counter() - started


def sets(quick: bool) -> Iterator[dict[str, Any]]:
    """The worst served errors on real tables, beside what a slice finder makes of the losses."""
    for data, load in list(SETS.items())[-2 if quick else 0 :]:
        X_train, y_train, X, y = load()
        for name, model in models(X).items():
            model.fit(X_train, y_train)
            search, spent = _timed(model, X, y, "accuracy", 3, 8)
            known = search.certificate_
            error = search.worst_corruption_
            yield {
                "data": data,
                "model": name,
                "rows": len(X),
                "clean": search.baseline_score_,
                "random": search.random_score_,
                "worst": search.worst_score_,
                "any_rows": float(np.nanmin(known["any_rows_score"])),
                "proven": bool(known["proven"].all()),
                "seconds": spent,
                "columns": ", ".join(map(str, search.worst_columns_)),
                "pattern": str(search.worst_pattern_),
                **_sliced(model, X, y, error, search.baseline_score_),
            }


def _sliced(
    model: Pipeline, X: pd.DataFrame, y: pd.Series, error: Any, clean: float
) -> dict[str, Any]:
    """What the best slice of the rows that the worst error harms makes of the score."""
    whole = error.set_params(rate=1.0, pattern=None, random_state=0)
    right = np.asarray(model.predict(X)) == y.to_numpy()
    struck = np.asarray(model.predict(whole.fit_transform(X))) == y.to_numpy()
    harm = right.astype(float) - struck
    try:
        from sliceline.slicefinder import Slicefinder
    except ImportError:
        return {"slice": np.nan, "slice_seconds": np.nan}
    levels = pd.DataFrame({c: _levels(X[c]) for c in X})
    started = time.perf_counter()
    finder = Slicefinder(alpha=0.95, k=1, max_l=3, min_sup=max(10, len(X) // 20), verbose=False)
    finder.fit(levels.to_numpy(), np.maximum(harm, 0.0))
    spent = time.perf_counter() - started
    if not len(finder.top_slices_):
        return {"slice": clean, "slice_seconds": spent}
    best = finder.top_slices_[0]
    wanted = [(c, v) for c, v in zip(levels, best, strict=True) if v is not None]
    rows = np.logical_and.reduce([levels[c].to_numpy() == v for c, v in wanted])
    share = min(1.0, math.floor(BUDGET * len(X)) / rows.sum())
    return {"slice": clean - share * harm[rows].sum() / len(X), "slice_seconds": spent}


def _levels(column: pd.Series) -> np.ndarray:
    """A column in at most eight bins, or by its values; missing is a level."""
    if column.dtype.kind in "if":
        return pd.qcut(column, 8, labels=False, duplicates="drop").fillna(-1).to_numpy(dtype=int)
    return pd.factorize(column.astype(str))[0]


def rows(quick: bool) -> Iterator[dict[str, Any]]:
    """A million rows: seconds, memory, and the same patterns scored one by one."""
    X, y = million(100_000 if quick else 1_000_000)
    for name, model in models(X).items():
        model.fit(X.iloc[:20_000], y.iloc[:20_000])
        # the frames of the floor need more memory than the search
        before = _memory()
        search, spent = _timed(model, X, y, "accuracy", 2, 8)
        peak = _memory() - before
        frames = struck_frames(X)
        n_frames, least = len(frames), floor(model, frames, "predict")
        del frames
        patterns = n_patterns(search)
        one_by_one = least / n_frames * patterns
        yield {
            "model": name,
            "rows": len(X),
            "seconds": spent,
            "floor": least,
            "ratio": spent / least,
            # what was less than an earlier peak is not known
            "gigabytes": peak / 2**30 if peak else math.nan,
            "patterns": patterns,
            "times_faster": one_by_one / spent,
        }
        if quick:
            return


def _memory() -> int:
    """The most memory that the process has used, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def month(quick: bool) -> Iterator[dict[str, Any]]:
    """How often checks alarm on a month of daily batches in which nothing is wrong."""
    n_days, n_months = 30, 5 if quick else 40
    for data in ("Adult", "Bank", "Credit Card", "Online Shoppers"):
        X_train, _, X_test, _ = SETS[data]()
        X = pd.concat([X_train, X_test], ignore_index=True)
        # half of the rows are for reference at most
        size = min(200, len(X) // 40)
        rng = np.random.default_rng(0)
        alarms: dict[str, list[float]] = {}
        for _ in range(n_months):
            order = rng.permutation(len(X))
            reference = X.iloc[order[: 20 * size]]
            others = order[20 * size :]
            for check in all_checks(reference, size):
                share = _alarm_share(check, X, others, size, n_days, rng)
                alarms.setdefault(type(check).__name__, []).append(share)
        for name, shares in alarms.items():
            mean, error = np.mean(shares), np.std(shares, ddof=1) / np.sqrt(len(shares))
            yield {
                "data": data,
                "check": name,
                "batch_size": size,
                "batches": n_days * n_months,
                "alarms": mean,
                "std_error": error,
                "stated": 0.01,
                "verdict": "reached" if mean - 2 * error <= 0.01 else "missed",
            }


def _alarm_share(
    check: BaseCheck,
    X: pd.DataFrame,
    rows: np.ndarray,
    size: int,
    n_days: int,
    rng: np.random.Generator,
) -> float:
    """In how many of some days a check alarms, in which nothing is wrong."""
    if isinstance(check, RowCount):
        # only there the number of rows is of interest; they arrive independently
        sizes = rng.poisson(size, n_days)
        return float(np.mean([not check.passes(X.iloc[rng.choice(rows, n)]) for n in sizes]))
    days = np.array([rng.choice(rows, size, replace=False) for _ in range(n_days)])
    served = as_table(X.iloc[days.ravel()])
    return float(np.mean(check._alarms(served, np.arange(days.size).reshape(days.shape))))


RUNS = {
    "speed": speed,
    "sets": sets,
    "rows": rows,
    "month": month,
    "single": single,
    "memory": memory,
    "watched": watched,
}


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    shown = {
        "speed": {
            "model": "model", "score": "score", "space": "space", "patterns": "patterns",
            "seconds": "seconds", "floor": "predictions alone", "ratio": "ratio",
            "allowed": "allowed", "verdict": "verdict",
        },
        "sets": {
            "data": "data", "model": "model", "rows": "rows", "clean": "clean",
            "random": "random rows", "slice": "slice finder", "worst": "worst pattern",
            "any_rows": "any rows", "proven": "proven", "seconds": "seconds",
            "slice_seconds": "seconds of the slice finder", "columns": "columns",
            "pattern": "pattern",
        },
        "rows": {
            "model": "model", "rows": "rows", "patterns": "patterns", "seconds": "seconds",
            "floor": "predictions alone", "ratio": "ratio", "gigabytes": "GiB",
            "times_faster": "times faster than one by one",
        },
        "month": {
            "data": "data", "check": "check", "batch_size": "rows a batch",
            "batches": "batches", "alarms": "alarms",
            "std_error": "± (standard error)", "stated": "stated", "verdict": "verdict",
        },
        "single": {
            "model": "model", "patterns": "patterns", "seconds": "seconds",
            "scored": "scored one by one", "seconds_each": "seconds each",
            "times_faster": "times faster", "lowest": "lowest of these", "worst": "worst pattern",
        },
        "memory": {
            "rows": "rows", "bins": "bins", "patterns": "patterns", "megabytes": "MiB at most",
        },
        "watched": {
            "data": "data", "model": "model", "batch_size": "rows a batch", "clean": "clean",
            "free": "worst", "silent": "worst that passes", "proven": "columns proven",
            "seconds": "seconds", "silent_seconds": "seconds with checks",
            "ended": "ended by the clock",
        },
    }  # fmt: skip
    return {
        f"served-{name}": markdown_table(content["sections"][name], columns)
        for name, columns in shown.items()
    }
