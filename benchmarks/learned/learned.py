"""Learned errors: whether made rows can be told from real ones, and planted errors found again."""

from __future__ import annotations

import os
import re
import time
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict

from benchmarks._data import DATA_VARIABLE
from benchmarks._results import Results, markdown_table
from benchmarks.learned.planted import planted
from skcorrupt.learned import learn_errors

N_SPLITS, N_PLANTED = 3, 1
TABLES = ("adult", "german", "employee")
PAIRS = {"flights": "flight", "beers": None}
TIME = re.compile(r"(\d{1,2}):(\d\d)(\s*)([ap])", re.IGNORECASE)
N_LARGE, N_LARGE_QUICK = 1_000_000, 20_000


def run(quick: bool = False) -> None:
    """Run all parts and save rows as they come.

    Parameters
    ----------
    quick : bool, default=False
        One split of each pair, a smaller table, and one with planted errors.
    """
    results = Results("learned", quick)
    for name, unit in PAIRS.items():
        dirty, clean = load_pair(name)
        for seed in range(1 if quick else N_SPLITS):
            results.add(
                "two-sample", {"pair": name, "split": seed} | told_apart(dirty, clean, unit, seed)
            )
    results.add("large", in_large_tables(N_LARGE_QUICK if quick else N_LARGE))
    for anywhere in (False, True):
        for name in TABLES[-1:] if quick else TABLES:
            for row in planted(name, N_PLANTED, anywhere):
                results.add("planted", row)


def load_pair(name: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A dirty table and its corrected version, all texts."""
    folder = Path(os.environ[DATA_VARIABLE]) / "dirty_clean"
    read = [
        pd.read_csv(folder / f"{name}_{side}.csv", dtype=str, keep_default_na=False)
        for side in ("dirty", "clean")
    ]
    return read[0], read[1]


def in_large_tables(n: int) -> dict[str, Any]:
    """How long learning takes from n rows of 20 columns, and how long it takes to read the files.

    Parameters
    ----------
    n : int
        Number of rows.

    Returns
    -------
    dict
        Seconds of the processor, and their ratio.
    """
    rng = np.random.default_rng(0)
    clean = pd.DataFrame(
        {f"real{i}": rng.normal(50, 10, n).round(2) for i in range(8)}
        | {f"whole{i}": rng.integers(0, 100, n) for i in range(4)}
        | {f"word{i}": rng.choice(["red", "green", "blue", "grey", "white"], n) for i in range(7)}
        | {"id": np.arange(n)}
    )
    dirty = clean.copy()
    dirty.loc[(clean["whole0"] <= 30) & (rng.uniform(size=n) < 0.5), "real0"] *= 1000
    dirty.loc[rng.uniform(size=n) < 0.05, "real1"] = np.nan
    noisy = rng.uniform(size=n) < 0.05
    dirty.loc[noisy, "real2"] += rng.normal(0, 3, noisy.sum())
    loud = (clean["word0"] == "green") & (rng.uniform(size=n) < 0.5)
    dirty.loc[loud, "word1"] = dirty.loc[loud, "word1"].str.upper()
    files = [StringIO(table.to_csv(index=False)) for table in (clean, dirty)]
    started = time.process_time()
    clean, dirty = (pd.read_csv(file) for file in files)
    reading = time.process_time() - started
    started = time.process_time()
    learn_errors(dirty, clean)
    learning = time.process_time() - started
    return {"rows": n, "reading": reading, "learning": learning, "ratio": learning / reading}


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
    again = features(made, there[1], codes)
    units = None if unit is None else pd.factorize(there[1][unit])[0]
    return {
        "made": auc(real, again),
        **({} if units is None else {"unseen": auc(real, again, units)}),
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

    A donor is a row of the same source and airline in another unit, or one of the same unit from
    another source; times keep their distance from the clean ones.
    """
    positions = np.arange(len(clean))
    airline = clean[unit].str[:2].to_numpy()
    source, units = clean["src"].to_numpy(), clean[unit].to_numpy()
    made = {"other": clean.copy(), "same": clean.copy()}
    for i in positions:
        for name, fits in (
            ("other", (source == source[i]) & (airline == airline[i]) & (units != units[i])),
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


def auc(real: pd.DataFrame, made: pd.DataFrame, units: np.ndarray | None = None) -> float:
    """How well a classifier tells the two apart, both versions of a row or unit in one fold."""
    X = pd.concat([real, made], ignore_index=True)
    y = np.repeat([1, 0], [len(real), len(made)])
    groups = np.concatenate([np.arange(len(t)) if units is None else units for t in (real, made)])
    model = HistGradientBoostingClassifier(random_state=0)
    p = cross_val_predict(
        X=X, y=y, estimator=model, groups=groups, cv=GroupKFold(5), method="predict_proba"
    )
    area = float(roc_auc_score(y, p[:, 1]))
    return max(area, 1 - area)


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
    heads |= {"unseen": "made again, in flights the judge has not seen"}
    heads |= {"other": "real errors of other flights", "same": "real errors of the same flight"}
    heads |= {
        "independent": "independent",
        "real": "real against real",
        "seconds": "seconds to learn",
    }
    planted_heads = {"table": "table", "where": "planted at", "n": "errors", "kind": "kind right"}
    planted_heads |= {"place": "place right", "rate": "rate in its interval", "missed": "missed"}
    large_heads = {"rows": "rows", "reading": "seconds to read both", "learning": "to learn"}
    large_heads |= {"ratio": "ratio"}
    return {
        "learned-two-sample": markdown_table(sections["two-sample"], heads),
        "learned-large": markdown_table(sections["large"], large_heads),
        "learned-planted": markdown_table(sections["planted"], planted_heads),
    }
