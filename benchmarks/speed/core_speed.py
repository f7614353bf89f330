"""Time and memory of corruptions beside the plainest NumPy code that does as much."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from benchmarks._results import Results, markdown_table
from skcorrupt import (
    CorruptCategories,
    CorruptDuplicates,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    SelectionBias,
)

RATE = 0.2
N_COLUMNS = 5
N_REPEATS = 21
SIZES = (100_000, 1_000_000)
WORDS = np.array([f"word {i:03d}" for i in range(200)], dtype=object)
# how much above the small table's ratio the large one's may be, for the noise of timing
NO_WORSE = 1.1

Baseline = Callable[[np.random.Generator, np.ndarray, np.ndarray, int], Any]


def run(quick: bool = False) -> None:
    """Measure all corruptions and save them as they come.

    Parameters
    ----------
    quick : bool, default=False
        5 repeats on 100,000 rows.
    """
    results = Results("core-speed", quick)
    for kind, make in (("numbers", numbers), ("strings", strings)):
        sizes = SIZES[:1] if quick or kind == "strings" else SIZES
        for n_rows in sizes:
            X, y = make(n_rows)
            repeats = 5 if quick else N_REPEATS
            for name, (corruption, baseline, allowed) in cases(kind).items():
                row = measure(corruption, baseline, X, y, repeats)
                small = next(
                    (
                        r["ratio"]
                        for r in results.rows("speed")
                        if (r["kind"], r["corruption"]) == (kind, name)
                    ),
                    None,
                )
                limit = allowed if small is None else small * NO_WORSE
                results.add(
                    "speed",
                    {
                        "kind": kind,
                        "corruption": name,
                        "rows": n_rows,
                        **row,
                        "allowed": limit,
                        "verdict": "reached" if row["ratio"] <= limit else "missed",
                    },
                )
    for name, (corruption, _, _) in cases("numbers").items():
        results.add("memory", {"corruption": name, **memory(corruption, *numbers(SIZES[0]))})


def numbers(n_rows: int) -> tuple[pd.DataFrame, np.ndarray]:
    """A frame of normal numbers and binary labels."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n_rows, N_COLUMNS)), columns=list("abcde"))
    return X, rng.integers(2, size=n_rows)


def strings(n_rows: int) -> tuple[pd.DataFrame, np.ndarray]:
    """A frame of words and binary labels."""
    rng = np.random.default_rng(0)
    words = WORDS[rng.integers(len(WORDS), size=(n_rows, N_COLUMNS))]
    return pd.DataFrame(words, columns=list("abcde")).astype("str"), rng.integers(2, size=n_rows)


def cases(kind: str) -> dict[str, tuple[Any, Baseline, float]]:
    """Corruptions with their baselines and how many times slower each may be.

    Parameters
    ----------
    kind : {"numbers", "strings"}
        What the columns hold.

    Returns
    -------
    dict
        `(corruption, baseline, allowed ratio)` by name.
    """
    settings = {"rate": RATE, "random_state": 0}
    if kind == "strings":
        return {
            "CorruptMissing": (CorruptMissing(**settings), _erase, 10.0),
            "CorruptNoise": (CorruptNoise(**settings), _other_word, 10.0),
            "CorruptOutliers": (CorruptOutliers(**settings), _one_word, 10.0),
            "CorruptCategories swap": (CorruptCategories(**settings), _other_word, 10.0),
            "CorruptCategories typo": (
                CorruptCategories(kind="typo", **settings),
                _other_word,
                10.0,
            ),
            "CorruptCategories unseen": (
                CorruptCategories(kind="unseen", **settings),
                _one_word,
                10.0,
            ),
        }
    return {
        "CorruptMissing": (CorruptMissing(**settings), _erase, 4.0),
        "CorruptNoise": (CorruptNoise(**settings), _noise, 4.0),
        "CorruptOutliers": (CorruptOutliers(**settings), _outliers, 4.0),
        "SelectionBias": (SelectionBias(**settings), _drop, 4.0),
        "CorruptDuplicates": (CorruptDuplicates(**settings), _duplicate, 4.0),
        "CorruptLabels": (CorruptLabels(**settings), _flip, 10.0),
    }


def measure(
    corruption: Any, baseline: Baseline, X: pd.DataFrame, y: np.ndarray, n_repeats: int
) -> dict[str, float]:
    """Median processor seconds of a corruption and of its baseline, taken in turns.

    Parameters
    ----------
    corruption : BaseCorruption
        What is measured.
    baseline : callable
        What it is compared with, on the frame's values as an array.
    X : DataFrame
        Features.
    y : ndarray
        Labels.
    n_repeats : int
        Turns; one more goes first and does not count.

    Returns
    -------
    dict
        Both medians in milliseconds and their ratio.
    """
    values = X.to_numpy(dtype=object if X.iloc[:, 0].dtype.kind not in "fi" else float)
    values = np.ascontiguousarray(values)
    rng = np.random.default_rng(0)
    n_struck = int(RATE * len(X))
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(n_repeats + 1):
        started = time.process_time()
        strike(corruption, X, y)
        times[0].append(time.process_time() - started)
        started = time.process_time()
        baseline(rng, values, y, n_struck)
        times[1].append(time.process_time() - started)
    ours, plain = (float(np.median(seconds[1:])) for seconds in times)
    return {
        "milliseconds": 1000 * ours,
        "baseline_milliseconds": 1000 * plain,
        "ratio": ours / plain,
    }


def memory(corruption: Any, X: pd.DataFrame, y: np.ndarray) -> dict[str, Any]:
    """Peak of the memory allocated by a corruption, beside output, mask and noise.

    Parameters
    ----------
    corruption : BaseCorruption
        What is measured.
    X : DataFrame
        Features.
    y : ndarray
        Labels.

    Returns
    -------
    dict
        Megabytes of the peak and of its parts, and what it holds beyond them, in noise vectors.
    """
    strike(corruption, X, y)
    tracemalloc.start()
    result = strike(corruption, X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    frame, labels = result if isinstance(result, tuple) else (result, y)
    shared = np.shares_memory(frame.iloc[:, 0].to_numpy(), X.iloc[:, 0].to_numpy())
    output = 0 if shared else int(frame.memory_usage(index=False).sum())
    output += labels.nbytes if labels is not y else 0
    mask, noise = corruption.record_.X_mask, 8 * len(X)
    mask_bytes = mask.nbytes if hasattr(mask, "nbytes") else 0
    known = output + mask_bytes + noise
    return {
        "peak_megabytes": peak / 1e6,
        "output_megabytes": output / 1e6,
        "mask_megabytes": mask_bytes / 1e6,
        "noise_megabytes": noise / 1e6,
        "ratio": peak / known,
    }


def strike(corruption: Any, X: pd.DataFrame, y: np.ndarray) -> Any:
    """Corrupt by the public method of transformers or of samplers."""
    if hasattr(corruption, "fit_transform"):
        return corruption.fit_transform(X)
    return corruption.fit_resample(X, y)


def _rows(rng: np.random.Generator, X: np.ndarray, n_struck: int) -> np.ndarray:
    return rng.choice(len(X), n_struck, replace=False)


def _erase(rng, X, y, n_struck):
    rows, out = _rows(rng, X, n_struck), X.copy()
    out[rows] = np.nan
    return out


def _noise(rng, X, y, n_struck):
    rows, out = _rows(rng, X, n_struck), X.copy()
    out[rows] += rng.standard_normal((n_struck, X.shape[1])) * X.std(axis=0)
    return out


def _outliers(rng, X, y, n_struck):
    rows, out = _rows(rng, X, n_struck), X.copy()
    out[rows] += rng.choice([-5.0, 5.0], size=(n_struck, X.shape[1])) * X.std(axis=0)
    return out


def _drop(rng, X, y, n_struck):
    keep = np.ones(len(X), dtype=bool)
    keep[_rows(rng, X, n_struck)] = False
    return X[keep], y[keep]


def _duplicate(rng, X, y, n_struck):
    rows = _rows(rng, X, n_struck)
    return np.concatenate([X, X[rows]]), np.concatenate([y, y[rows]])


def _flip(rng, X, y, n_struck):
    rows, out = _rows(rng, X, n_struck), y.copy()
    out[rows] = (out[rows] + rng.integers(1, 2, size=n_struck)) % 2
    return X, out


def _other_word(rng, X, y, n_struck):
    rows, out = _rows(rng, X, n_struck), X.copy()
    out[rows] = WORDS[rng.integers(len(WORDS), size=(n_struck, X.shape[1]))]
    return out


def _one_word(rng, X, y, n_struck):
    rows, out = _rows(rng, X, n_struck), X.copy()
    out[rows] = "unseen"
    return out


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    sections = content["sections"]
    speed = [{**row, "rows": f"{row['rows']:,}"} for row in sections["speed"]]
    return {
        "core-speed": markdown_table(
            speed,
            {
                "kind": "columns",
                "corruption": "corruption",
                "rows": "rows",
                "milliseconds": "ms",
                "baseline_milliseconds": "baseline, ms",
                "ratio": "ratio",
                "allowed": "allowed",
                "verdict": "verdict",
            },
        ),
        "core-memory": markdown_table(
            sections["memory"],
            {
                "corruption": "corruption",
                "peak_megabytes": "peak, MB",
                "output_megabytes": "output",
                "mask_megabytes": "mask",
                "noise_megabytes": "noise",
                "ratio": "peak / (output + mask + noise)",
            },
        ),
    }
