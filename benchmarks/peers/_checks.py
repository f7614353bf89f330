"""What an injected error should keep to, tried on any function that injects one."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.peers._common import raised

Inject = Callable[[pd.DataFrame, np.ndarray, float, int], tuple[pd.DataFrame, np.ndarray]]
Answer = tuple[bool | None, str]

N_ROWS = 2_000
RATE = 0.2
SMALL, LARGE = 0.1, 0.3
GLOBAL_SEED = 20_261
PATTERN = "c1 > 0.25"
# a column that tells rows apart where rows are dropped or copied
ROW = "row"


@dataclass(frozen=True)
class Injection:
    """A way to put an error into a table.

    Attributes
    ----------
    scope : {"cells", "labels", "drop", "copy"}
        What it changes.
    columns : tuple of str
        Columns whose cells change.
    inject : callable
        Takes features, labels, rate and seed; gives features and labels.
    matching : callable or None
        The same for rows that match `PATTERN`, None where that is not offered.
    member : callable or None
        Makes a step of a pipeline, None where there is none.
    seeded : bool
        Whether it takes a seed.
    """

    scope: str
    columns: tuple[str, ...]
    inject: Inject
    matching: Inject | None = None
    member: Callable[[], Any] | None = None
    seeded: bool = True


def checked(injection: Injection) -> dict[str, Answer]:
    """Answers to all checks.

    Parameters
    ----------
    injection : Injection
        What is checked.

    Returns
    -------
    dict
        By check whether it holds, None where it is not offered, and what was seen instead.
    """
    answers = {}
    for name, check in CHECKS.items():
        state, numpy_state = random.getstate(), np.random.get_state()  # noqa: NPY002
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                answers[name] = check(injection)
            except Exception as error:
                answers[name] = False, raised(error)
        random.setstate(state)
        np.random.set_state(numpy_state)  # noqa: NPY002
    return answers


def table() -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers, whole numbers and words, and binary labels."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(N_ROWS, 3)), columns=["c0", "c1", "c2"])
    X["whole"] = rng.integers(0, 50, N_ROWS)
    X[ROW] = np.arange(N_ROWS, dtype=float)
    return X, rng.integers(2, size=N_ROWS)


def with_words(X: pd.DataFrame) -> pd.DataFrame:
    """The table with a column of words."""
    words = np.array(["north", "south", "eastern", "western"])
    return X.assign(word=words[np.random.default_rng(1).integers(4, size=len(X))])


def struck(injection: Injection, X: pd.DataFrame, y: np.ndarray, out: tuple) -> np.ndarray:
    """How often each row, or cell of the columns hit, is not as it was.

    Parameters
    ----------
    injection : Injection
        What was injected.
    X, y : DataFrame, ndarray
        Before.
    out : tuple of DataFrame and ndarray
        After.

    Returns
    -------
    ndarray of bool or int
        A value a row, or a row and column; more than 1 for a row that was copied more than once.
    """
    X_out, y_out = out
    if injection.scope == "labels":
        return np.asarray(y_out) != y
    if injection.scope in ("drop", "copy"):
        left = np.bincount(np.asarray(X_out[ROW]).astype(int), minlength=len(X))
        return abs(left - 1)
    return np.column_stack([_differs(X[name], X_out[name]) for name in injection.columns])


def _differs(before: pd.Series, after: pd.Series) -> np.ndarray:
    a, b = (np.asarray(each.astype(object), dtype=object) for each in (before, after))
    gone = pd.isna(a), pd.isna(b)
    return (a != b) & ~(gone[0] & gone[1])


def _data(injection: Injection) -> tuple[pd.DataFrame, np.ndarray]:
    X, y = table()
    return (with_words(X) if "word" in injection.columns else X), y


def _expected(injection: Injection, y: np.ndarray, rate: float, matched: Any = None) -> int:
    if injection.scope in ("drop", "copy"):
        return round(rate * int((y == 1).sum() if matched is None else matched.sum()))
    n = len(y) if matched is None else int(matched.sum())
    return round(rate * n) * (len(injection.columns) or 1)


def _rate(injection: Injection) -> Answer:
    X, y = _data(injection)
    n, expected = _n_struck(injection, X, y), _expected(injection, y, RATE)
    return n == expected, f"{n} struck, {expected} asked for"


def _n_struck(injection: Injection, X: pd.DataFrame, y: np.ndarray) -> int:
    return int(struck(injection, X, y, injection.inject(X, y, RATE, 3)).sum())


def _nothing_else(injection: Injection) -> Answer:
    X, y = _data(injection)
    return _rest_is_kept(injection, X, y, injection.inject(X, y, RATE, 3))


def _rest_is_kept(injection: Injection, X: Any, y: Any, out: tuple) -> Answer:
    X_out, y_out = out
    if injection.scope in ("drop", "copy"):
        kept = X_out.drop_duplicates(ROW).sort_values(ROW)
        source = X[X[ROW].isin(kept[ROW])]
        same = kept.reset_index(drop=True).equals(source.reset_index(drop=True))
        return same and y_out.shape == (len(X_out),), "rows differ from those given"
    if list(X_out.columns) != list(X.columns):
        return False, f"columns are {list(X_out.columns)}"
    if not X_out.index.equals(X.index):
        return False, "another index"
    others = [name for name in X if name not in injection.columns]
    changed = [name for name in others if _differs(X[name], X_out[name]).any()]
    if injection.scope != "labels" and (np.asarray(y_out) != y).any():
        changed.append("labels")
    return not changed, f"changed too: {changed}"


def _input(injection: Injection) -> Answer:
    X, y = _data(injection)
    X_before, y_before = X.copy(), y.copy()
    injection.inject(X, y, RATE, 3)
    return X.equals(X_before) and np.array_equal(y, y_before), "the input is changed"


def _seed(injection: Injection, seed: int = 3) -> Answer:
    if not injection.seeded:
        return None, "takes no seed"
    X, y = _data(injection)
    first, second = (injection.inject(X, y, RATE, seed) for _ in range(2))
    same = first[0].equals(second[0]) and np.array_equal(first[1], second[1])
    return same, f"two results for seed {seed}"


def _seed_zero(injection: Injection) -> Answer:
    return _seed(injection, 0)


def _global_state(injection: Injection) -> Answer:
    X, y = _data(injection)
    # not a state that an injection of before has left
    random.seed(GLOBAL_SEED)
    np.random.seed(GLOBAL_SEED)  # noqa: NPY002
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    injection.inject(X, y, RATE, 3)
    changed = [
        name
        for name, a, b in (
            ("random", before[0], random.getstate()),
            ("numpy.random", before[1], np.random.get_state()[1].tolist()),  # noqa: NPY002
        )
        if a != b
    ]
    return not changed, f"moves the global state of {' and '.join(changed)}"


def _dtypes(injection: Injection) -> Answer:
    X, y = _data(injection)
    X_out, _ = injection.inject(X, y, RATE, 3)
    changed = [
        f"{name} {X[name].dtype} → {X_out[name].dtype}"
        for name in X
        if name in X_out and X_out[name].dtype != X[name].dtype
    ]
    return not changed, "; ".join(changed)


def _index(injection: Injection) -> Answer:
    X, y = _data(injection)
    X.index = np.arange(len(X)) // 2
    if injection.scope in ("cells", "labels"):
        index = injection.inject(X, y, RATE, 3)[0].index
        if not index.equals(X.index):
            return False, "the index is lost"
    n, plain = (_n_struck(injection, each, y) for each in (X, X.reset_index(drop=True)))
    return n == plain, f"{n} struck, {plain} where labels are not repeated"


def _gaps(injection: Injection) -> Answer:
    X, y = _data(injection)
    X.loc[::20, "c2"] = np.nan
    return _rest_is_kept(injection, X, y, injection.inject(X, y, RATE, 3))


def _words(injection: Injection) -> Answer:
    X, y = table()
    X = with_words(X)
    return _rest_is_kept(injection, X, y, injection.inject(X, y, RATE, 3))


def _categories(injection: Injection) -> Answer:
    X, y = table()
    X = with_words(X).astype({"word": "category"})
    X_out, y_out = injection.inject(X, y, RATE, 3)
    if X_out["word"].dtype != X["word"].dtype and "word" not in injection.columns:
        return False, f"category → {X_out['word'].dtype}"
    return _rest_is_kept(injection, X, y, (X_out, y_out))


def _nested(injection: Injection) -> Answer:
    if not injection.seeded:
        return None, "takes no seed"
    X, y = _data(injection)
    few, many = (struck(injection, X, y, injection.inject(X, y, r, 3)) > 0 for r in (SMALL, LARGE))
    outside = int((few & ~many).sum())
    return outside == 0, f"{outside} of {int(few.sum())} struck at a low rate are not at a high one"


def _pattern(injection: Injection) -> Answer:
    if injection.matching is None:
        return None, "no patterns"
    X, y = _data(injection)
    matched = (X["c1"] > 0.25).to_numpy()
    hit = struck(injection, X, y, injection.matching(X, y, RATE, 3))
    rows = hit > 0 if hit.ndim == 1 else hit.any(axis=1)
    expected = _expected(injection, y, RATE, matched)
    good = not rows[~matched].any() and int(hit.sum()) == expected
    return good, f"{int(rows[~matched].sum())} rows outside, {int(hit.sum())} of {expected} struck"


def _new_rows(injection: Injection) -> Answer:
    if injection.member is None:
        return None, "no step of a pipeline"
    X, y = _data(injection)
    member = injection.member()
    if hasattr(member, "fit_resample"):
        return not hasattr(member, "transform"), "also transforms"
    member.fit(X, y)
    new = X.iloc[: N_ROWS // 2]
    n = int(_differs(new["c0"], pd.DataFrame(member.transform(new), columns=X.columns)["c0"]).sum())
    return n == 0, f"strikes {n} of {len(new)} rows to predict on"


CHECKS: dict[str, Callable[[Injection], Answer]] = {
    "rate": _rate,
    "nothing else": _nothing_else,
    "input": _input,
    "seed": _seed,
    "seed 0": _seed_zero,
    "global state": _global_state,
    "dtypes": _dtypes,
    "index": _index,
    "gaps": _gaps,
    "words": _words,
    "categories": _categories,
    "nested": _nested,
    "pattern": _pattern,
    "new rows": _new_rows,
}
