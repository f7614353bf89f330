"""Errors of known kind, place and rate, planted in tables and learned again."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks._data import ADULT_COLUMNS, DATA_VARIABLE
from skcorrupt import (
    CorruptCategories,
    CorruptClip,
    CorruptDates,
    CorruptDuplicates,
    CorruptExchange,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptRounding,
    CorruptScale,
    CorruptSentinel,
    CorruptShiftRows,
    CorruptStuck,
    CorruptText,
    CorruptType,
    Pattern,
    SelectionBias,
)
from skcorrupt.learned import learn_errors

LEAST_STRUCK, LEAST_RATE, N_TRIES = 200, 0.3, 100
TEXTS = (
    "typo", "ocr", "case", "whitespace", "truncate", "abbreviate", "mojibake", "accent", "order",
    "extra",
)  # fmt: skip
TYPES = ("decimal_comma", "unit", "thousands", "scientific")
DATES = ("day_month", "time_zone", "year", "format")
# name: what makes it, which columns it strikes, and what it should be called
KINDS: dict[str, tuple[Any, str, str]] = {
    "missing": (CorruptMissing, "any", "missing"),
    "sentinel": (CorruptSentinel, "any", "sentinel"),
    "factor": (partial(CorruptScale, factor=2.54), "number", "scale"),
    "offset": (partial(CorruptScale, factor=1.0, offset=32.0), "number", "scale"),
    "noise": (partial(CorruptNoise, scale=0.5), "number", "noise"),
    "outliers": (CorruptOutliers, "number", "outliers"),
    "swap": (CorruptCategories, "word", "categories"),
    "branch": (partial(CorruptCategories, kind="branch"), "branch", "categories"),
    **{f"text, {kind}": (partial(CorruptText, kind=kind), "word", "text") for kind in TEXTS},
    **{f"type, {kind}": (partial(CorruptType, kind=kind), "number", "type") for kind in TYPES},
    **{f"dates, {kind}": (partial(CorruptDates, kind=kind), "day", "dates") for kind in DATES},
    "rounding": (CorruptRounding, "number", "rounding"),
    "clip": (CorruptClip, "number", "clip"),
    "exchange": (CorruptExchange, "two", "exchange"),
    "stuck": (CorruptStuck, "any", "stuck"),
    "shift": (CorruptShiftRows, "any", "shift"),
    "labels": (CorruptLabels, "row", "labels"),
    "lost rows": (SelectionBias, "row", "selection"),
    "added rows": (CorruptDuplicates, "row", "duplicates"),
    "added rows, near": (partial(CorruptDuplicates, jitter=0.05), "row", "duplicates"),
    "two columns": (CorruptMissing, "pair", "missing"),
    "two columns, factor": (partial(CorruptScale, factor=10.0), "numbers", "scale"),
}


def load_table(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Adult (8,000 rows), German or Employee with all columns, with days of our own, and labels.

    Parameters
    ----------
    name : {"adult", "german", "employee"}
        Which.

    Returns
    -------
    X : DataFrame
        Features, "day" among them.
    y : Series
        Labels.
    """
    folder = Path(os.environ[DATA_VARIABLE]) / name
    if name == "adult":
        table = pd.read_csv(
            folder / "adult.data", header=None, names=list(ADULT_COLUMNS), skipinitialspace=True
        ).sample(8000, random_state=0)
    elif name == "german":
        names = [f"attribute{i}" for i in range(1, 21)]
        table = pd.read_csv(folder / "german.data", sep=" ", header=None, names=[*names, "income"])
    else:
        [path] = folder.glob("*.csv")
        table = pd.read_csv(path).rename(columns={"LeaveOrNot": "income"})
    table = table.reset_index(drop=True)
    later = np.random.default_rng(0).integers(0, 2000 * 86_400, len(table))
    table["day"] = pd.Timestamp("2019-01-01") + pd.to_timedelta(later, unit="s")
    return table.drop(columns="income"), table["income"]


def planted(name: str, n: int, anywhere: bool) -> list[dict[str, Any]]:
    """Errors of known kind and place in a table, and what is learned of them.

    Parameters
    ----------
    name : str
        The table, as for `load_table`.
    n : int
        Number of errors of each kind.
    anywhere : bool
        Whether they are at random rows; else under a pattern of one or two conditions.

    Returns
    -------
    list of dict
        One row: shares of what was told rightly, and what was not.
    """
    X, y = load_table(name)
    told: list[tuple[bool, bool, bool]] = []
    missed: Counter[str] = Counter()
    for number, kind in enumerate(KINDS):
        for seed in range(n):
            rng = np.random.default_rng([seed, number, len(X)])
            for one in _one(X, y, kind, rng, anywhere):
                told.append(one)
                if not all(one):
                    words = zip(("kind", "place", "rate"), one, strict=True)
                    missed[f"{kind} ({', '.join(w for w, right in words if not right)})"] += 1
    kinds, places, rates = np.mean(told, axis=0)
    where = "random rows" if anywhere else "one or two conditions"
    said = "; ".join(f"{what} × {k}" if k > 1 else what for what, k in missed.items())
    row = {"table": name, "where": where, "n": len(told), "kind": kinds, "place": places}
    return [row | {"rate": rates, "missed": said or "–"}]


def _one(
    X: pd.DataFrame, y: pd.Series, kind: str, rng: np.random.Generator, anywhere: bool
) -> list[tuple[bool, bool, bool]]:
    """One error, tried until it strikes enough rows; for each column what is told rightly."""
    make, what, expected = KINDS[kind]
    for _ in range(N_TRIES):
        columns = _columns(X, what, rng)
        pattern = Pattern() if anywhere else _pattern(X, rng)
        if columns is None or pattern is None:
            continue
        rate = float(rng.uniform(LEAST_RATE, 0.9))
        given = {"hierarchy": _hierarchy(X, columns)} if what == "branch" else {}
        own = {} if what == "row" else {"columns": columns}
        error = make(**own, **given, pattern=pattern, rate=rate, random_state=0)
        try:
            with warnings.catch_warnings():
                # that columns and rows were chosen in vain is seen below
                warnings.simplefilter("ignore", UserWarning)
                result = error.fit(X, y).corrupt(X, y)
        except ValueError:
            # nothing in these columns or rows can be struck so
            continue
        dirty = result.X.reset_index(drop=True)
        if result.record.n_corrupted < LEAST_STRUCK or _n_wrong(dirty, X, columns) < LEAST_STRUCK:
            continue
        labels = {"y": y, "dirty_y": result.y} if what == "row" else {}
        report = learn_errors(dirty, X, **labels).report
        names = [None] if what == "row" else columns
        return [_told(report, X, column, expected, pattern, rate, anywhere) for column in names]
    return []


def _n_wrong(dirty: pd.DataFrame, clean: pd.DataFrame, columns: list[str]) -> float:
    """The fewest wrong cells of the columns; any number for whole rows."""
    counts = []
    for name in columns:
        a, b = dirty[name].astype(object), clean[name].astype(object)
        both = a.isna() & b.isna()
        counts.append(((a.map(repr) != b.map(repr)) & ~both).sum())
    return min(counts, default=np.inf)


def _told(
    report: pd.DataFrame, X: pd.DataFrame, column: Any, expected: str, pattern: Pattern,
    rate: float, anywhere: bool,
) -> tuple[bool, bool, bool]:  # fmt: skip
    """Whether the kind, the place and the rate of an error are right."""
    mine = report[report["column"].isna() if column is None else report["column"] == column]
    if mine.empty:
        return False, False, False
    row = mine.loc[mine["n_cells"].idxmax()]
    right = row["kind"] == expected and row["n_cells"] >= 0.9 * mine["n_cells"].sum()
    found = row["pattern"]
    if anywhere:
        place = found is None and row["mechanism"] is None
    else:
        true = pattern.mask(X)
        own = found.mask(X) if found is not None else np.zeros(len(X), dtype=bool)
        place = (true & own).sum() >= 0.9 * (true | own).sum()
    inside = row["rate_inside_low"] <= rate <= row["rate_inside_high"]
    return bool(right), bool(place), bool(inside)


def _sorts(X: pd.DataFrame) -> dict[str, list[str]]:
    numbers = [c for c in X if X[c].dtype.kind in "if" and X[c].nunique() > 5]
    words = [c for c in X if X[c].dtype.kind not in "ifM"]
    found = {"number": numbers, "word": words, "day": ["day"], "any": numbers + words}
    return found | {"branch": [c for c in words if X[c].nunique() > 3]}


def _columns(X: pd.DataFrame, what: str, rng: np.random.Generator) -> list[str] | None:
    sorts = _sorts(X)
    if what == "row":
        return []
    if what in ("two", "pair", "numbers"):
        names = sorts["any" if what == "pair" else "number"]
        return rng.choice(names, 2, replace=False).tolist() if len(names) > 1 else None
    return [str(rng.choice(sorts[what]))] if sorts[what] else None


def _hierarchy(X: pd.DataFrame, columns: list[str]) -> dict[Any, str]:
    """Three branches with every third of the values each."""
    values = sorted(X[columns[0]].dropna().unique())
    return {value: f"branch {i % 3}" for i, value in enumerate(values)}


def _pattern(X: pd.DataFrame, rng: np.random.Generator) -> Pattern | None:
    """Ranges of numbers and values of words, of which some rows are in."""
    sorts = _sorts(X)
    chosen = rng.choice(sorts["any"], rng.integers(1, 3), replace=False)
    conditions: dict[str, Any] = {}
    for name in chosen:
        value = rng.choice(X[name].unique(), 1)[0]
        if name in sorts["word"]:
            conditions[name] = value
        else:
            bounds = sorted(rng.choice(X[name], 2, replace=False).tolist())
            conditions[name] = tuple(bounds)
    pattern = Pattern(conditions)
    share = pattern.mask(X).mean()
    return pattern if max(0.15, 400 / len(X)) <= share <= 0.6 else None
