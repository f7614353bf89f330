"""Learned errors: whether made rows can be told from real ones, and planted errors found again."""

from __future__ import annotations

import os
import re
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict

from benchmarks._data import DATA_VARIABLE
from benchmarks._results import Results, markdown_table
from skcorrupt import (
    CorruptCategories,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    CorruptSentinel,
    Pattern,
)
from skcorrupt.learned import learn_errors

N_SPLITS, N_PLANTED = 3, 8
PAIRS = {"flights": "flight", "beers": None}
TIME = re.compile(r"(\d{1,2}):(\d\d)(\s*)([ap])", re.IGNORECASE)
KINDS = {
    "missing": (CorruptMissing, {}, None),
    "sentinel": (CorruptSentinel, {}, None),
    "scale": (CorruptScale, {"factor": 1000.0}, "number"),
    "noise": (CorruptNoise, {"scale": 0.5}, "number"),
    "outliers": (CorruptOutliers, {}, "number"),
    "categories": (CorruptCategories, {}, "name"),
    "text": (CorruptCategories, {"kind": "typo"}, "name"),
}


def run(quick: bool = False) -> None:
    """Run both parts and save rows as they come.

    Parameters
    ----------
    quick : bool, default=False
        One split of each pair, few planted errors.
    """
    results = Results("learned", quick)
    for name, unit in PAIRS.items():
        dirty, clean = load_pair(name)
        for seed in range(1 if quick else N_SPLITS):
            results.add(
                "two-sample", {"pair": name, "split": seed} | told_apart(dirty, clean, unit, seed)
            )
    X = load_employee()
    for anywhere in (False, True):
        results.add("planted", planted(X, 4 if quick else N_PLANTED, anywhere))


def load_pair(name: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A dirty table and its corrected version, all texts."""
    folder = Path(os.environ[DATA_VARIABLE]) / "dirty_clean"
    read = [
        pd.read_csv(folder / f"{name}_{side}.csv", dtype=str, keep_default_na=False)
        for side in ("dirty", "clean")
    ]
    return read[0], read[1]


def load_employee() -> pd.DataFrame:
    """The features of Employee."""
    [path] = (Path(os.environ[DATA_VARIABLE]) / "employee").glob("*.csv")
    return pd.read_csv(path).drop(columns="LeaveOrNot")


def told_apart(dirty: pd.DataFrame, clean: pd.DataFrame, unit: Any, seed: int) -> dict[str, Any]:
    """AUC of real against made rows of one half, with errors learned on the other.

    Parameters
    ----------
    dirty, clean : DataFrame of shape (n_rows, n_columns)
        The pair.
    unit : str or None
        Column whose values are not parted; None is single rows.
    seed : int
        Seed of the halves and of what is made.

    Returns
    -------
    dict
        AUCs of made rows, of independent errors and of real rows, and seconds.
    """
    rng = np.random.default_rng(seed)
    names = pd.Series(np.arange(len(clean)) if unit is None else clean[unit])
    distinct = rng.permutation(names.unique())
    first = names.isin(distinct[: len(distinct) // 2]).to_numpy()
    here, there = (
        [table[mask].reset_index(drop=True) for table in (dirty, clean)] for mask in (first, ~first)
    )
    started = time.process_time()
    learned = learn_errors(*here)
    seconds = time.process_time() - started
    process = learned.corruption.set_params(random_state=seed)
    made = process.fit_resample(there[1], None)[0].fillna("")
    codes = {c: pd.Index(sorted(clean[c].unique(), key=lambda t: (len(t), t))) for c in clean}
    real = features(*there, codes)
    half = rng.permutation(len(real))[: len(real) // 2 * 2].reshape(2, -1)
    donors = {} if unit is None else _donated(*there, unit, rng)
    return {
        "made": auc(real, features(made, there[1], codes)),
        **{name: auc(real, features(table, there[1], codes)) for name, table in donors.items()},
        "independent": auc(real, features(_independent(*here, there[1], rng), there[1], codes)),
        "real": auc(real.iloc[half[0]], real.iloc[half[1]]),
        "seconds": seconds,
    }


def _independent(
    dirty: pd.DataFrame, clean: pd.DataFrame, other: pd.DataFrame, rng: np.random.Generator
) -> pd.DataFrame:
    """Errors of each column by itself, with values drawn from those seen."""
    made = other.copy()
    for name in clean:
        wrong = (dirty[name] != clean[name]).to_numpy()
        hit = rng.uniform(size=len(other)) < wrong.mean()
        if wrong.any():
            made.loc[hit, name] = rng.choice(dirty[name][wrong], hit.sum())
    return made


def _donated(
    dirty: pd.DataFrame, clean: pd.DataFrame, unit: str, rng: np.random.Generator
) -> dict[str, pd.DataFrame]:
    """Real errors of the judged rows themselves, put on other rows.

    A donor is a row of the same source in another unit, or one of the same unit from another
    source; times keep their distance from the clean ones.
    """
    positions = np.arange(len(clean))
    source, units = clean["src"].to_numpy(), clean[unit].to_numpy()
    made = {"other": clean.copy(), "same": clean.copy()}
    for i in positions:
        for name, fits in (
            ("other", (source == source[i]) & (units != units[i])),
            ("same", (units == units[i]) & (positions != i)),
        ):
            j = rng.choice(positions[fits] if fits.any() else positions)
            for column in clean.columns[clean.iloc[j] != dirty.iloc[j]]:
                moved = _moved(*(t.at[j, column] for t in (dirty, clean)), clean.at[i, column])
                made[name].at[i, column] = moved
    return made


def _moved(dirty: str, clean: str, other: str) -> str:
    """A dirty text as it would be if the clean time in it had been another."""
    times = [TIME.search(text) for text in (dirty, clean, other)]
    if not all(times):
        return dirty
    was, should, is_now = (
        int(t[1]) % 12 * 60 + int(t[2]) + 720 * (t[4].lower() == "p") for t in times if t
    )
    hour, minute = divmod((is_now + was - should) % 1440, 60)
    half = "p" if hour >= 12 else "a"
    return TIME.sub(lambda t: f"{hour % 12 or 12}:{minute:02d}{t[3]}{half}", dirty, count=1)


def features(dirty: pd.DataFrame, clean: pd.DataFrame, codes: dict[str, pd.Index]) -> pd.DataFrame:
    """What a judge of rows sees: for every column five numbers."""
    found: dict[str, Any] = {}
    for name in clean:
        pairs = list(zip(clean[name], dirty[name], strict=True))
        found[f"{name}: clean"] = codes[name].get_indexer(clean[name])
        found[f"{name}: differs"] = [c != d for c, d in pairs]
        found[f"{name}: empty"] = [d == "" for _, d in pairs]
        found[f"{name}: edits"] = [edit_length(c, d) for c, d in pairs]
        found[f"{name}: kind"] = [kind_of(c, d) for c, d in pairs]
    return pd.DataFrame(found).astype(float)


@cache
def edit_length(clean: str, dirty: str) -> int:
    """Letters to be put, left out or added."""
    row = list(range(len(dirty) + 1))
    for i, x in enumerate(clean, start=1):
        last, row[0] = row[0], i
        for j, y in enumerate(dirty, start=1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def kind_of(clean: str, dirty: str) -> int:
    """A coarse kind of error, by what two texts have in common."""
    if clean == dirty:
        return 0
    if not dirty or not clean:
        return 1 + (not clean)
    digits, shapes = (
        [re.sub(p, r, t) for t in (clean, dirty)] for p, r in ((r"\D", ""), (r"\d", "0"))
    )
    if digits[0] == digits[1]:
        return 3
    return 4 if clean in dirty else 5 if dirty in clean else 6 if shapes[0] == shapes[1] else 7


def auc(real: pd.DataFrame, made: pd.DataFrame) -> float:
    """How well a classifier tells the two apart, both versions of a row in one fold."""
    X = pd.concat([real, made], ignore_index=True)
    y = np.repeat([1, 0], [len(real), len(made)])
    groups = np.concatenate([np.arange(len(real)), np.arange(len(made))])
    model = HistGradientBoostingClassifier(random_state=0)
    p = cross_val_predict(
        X=X, y=y, estimator=model, groups=groups, cv=GroupKFold(5), method="predict_proba"
    )
    area = float(roc_auc_score(y, p[:, 1]))
    return max(area, 1 - area)


def planted(X: pd.DataFrame, n: int, anywhere: bool) -> dict[str, Any]:
    """Errors of known kind and place in a table, and what is learned of them.

    Parameters
    ----------
    X : DataFrame of shape (n_rows, n_columns)
        The clean table.
    n : int
        Number of errors of each kind.
    anywhere : bool
        Whether they are at random rows; else under a pattern of two conditions.

    Returns
    -------
    dict
        Shares of what was told rightly.
    """
    numbers = [c for c in X if X[c].nunique() > 5 and X[c].dtype.kind in "if"]
    words = [c for c in X if X[c].dtype.kind not in "if"]
    told: list[tuple[bool, bool, bool]] = []
    for kind, (make, params, what) in KINDS.items():
        for seed in range(n):
            rng = np.random.default_rng([seed, len(kind)])
            column = rng.choice({"number": numbers, "name": words}.get(what or "", numbers + words))
            pattern = Pattern() if anywhere else _pattern(X, rng)
            rate = float(rng.uniform(0.3, 0.9))
            error = make([column], pattern=pattern, rate=rate, random_state=seed, **params)
            row = learn_errors(error.fit(X).corrupt(X).X, X).report.iloc[0]
            found = row["pattern"]
            if anywhere:
                right = found is None and row["mechanism"] is None
            else:
                masks = (
                    pattern.mask(X),
                    found.mask(X) if found is not None else np.zeros(len(X), bool),
                )
                right = (masks[0] & masks[1]).sum() >= 0.9 * (masks[0] | masks[1]).sum()
            inside = row["rate_inside_low"] <= rate <= row["rate_inside_high"]
            told.append((row["kind"] == kind, bool(right), bool(inside)))
    kinds, places, rates = np.mean(told, axis=0)
    where = "random rows" if anywhere else "two conditions"
    return {"where": where, "n": len(told), "kind": kinds, "place": places, "rate": rates}


def _pattern(X: pd.DataFrame, rng: np.random.Generator) -> Pattern:
    """A range of a number and a value of a name that some rows are in."""
    while True:
        age = sorted(rng.choice(X["Age"].unique(), 2, replace=False).tolist())
        column = rng.choice(["Gender", "City", "Education"])
        pattern = Pattern({"Age": tuple(age), column: rng.choice(X[column].unique())})
        if 0.15 <= pattern.mask(X).mean() <= 0.6:
            return pattern


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Tables of saved results.

    Parameters
    ----------
    content : dict
        What was saved.

    Returns
    -------
    dict of str to str
        By mark.
    """
    sections = content["sections"]
    heads = {"pair": "pair", "split": "split", "made": "made again"}
    heads |= {"other": "real errors of other flights", "same": "real errors of the same flight"}
    heads |= {
        "independent": "independent",
        "real": "real against real",
        "seconds": "seconds to learn",
    }
    planted_heads = {"where": "planted at", "n": "errors", "kind": "kind right"}
    planted_heads |= {"place": "place right", "rate": "rate in its interval"}
    return {
        "learned-two-sample": markdown_table(sections["two-sample"], heads),
        "learned-planted": markdown_table(sections["planted"], planted_heads),
    }
