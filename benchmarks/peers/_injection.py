"""The same error, injected by this package and by a peer: time, and what each keeps to."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from benchmarks._data import DataNotFoundError, data_folder, read_adult, require_file
from benchmarks._hashes import require_shape
from benchmarks.peers._checks import PATTERN, Inject, Injection, checked
from benchmarks.peers._common import Found, described, raised, side_by_side
from skcorrupt import (
    MAR,
    MNAR,
    CorruptCategories,
    CorruptDuplicates,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    SelectionBias,
)

PEERS = ("tab-err", "pyampute", "mdatagen", "imbalanced-learn")
RATE = 0.2
N_ROWS, N_COLUMNS = 100_000, 20
TARGET = "target"
ADULT_NAMES = {"age": "c0", "education_num": "c1", "education": "word"}

Data = tuple[pd.DataFrame, np.ndarray]


@dataclass(frozen=True)
class Case:
    """An error that both can inject.

    Attributes
    ----------
    error : str
        What goes wrong.
    call : str
        What of the peer injects it.
    make : callable
        Takes columns, and parameters of a corruption; makes ours.
    theirs : callable
        Takes columns; makes the peer's function.
    scope : {"cells", "labels", "drop", "copy"}
        What changes.
    on : {"one", "all", "word", ""}
        Which columns are hit.
    label : str
        A pattern that both keep to.
    member : callable or None
        Makes the peer's step of a pipeline.
    seeded : bool
        Whether the peer takes a seed.
    """

    error: str
    call: str
    make: Callable[..., Any]
    theirs: Callable[[tuple[str, ...]], Inject]
    scope: str = "cells"
    on: str = "one"
    label: str | None = None
    member: Callable[[], Any] | None = None
    seeded: bool = True


def measure(peer: str, quick: bool) -> Found:
    """Times and checks of all errors that a peer can inject.

    Parameters
    ----------
    peer : {"tab-err", "pyampute", "mdatagen", "imbalanced-learn"}
        The peer.
    quick : bool
        Whether the tables are small.

    Yields
    ------
    tuple of str and dict
        Section and row.
    """
    tables = {"numbers": numbers(N_ROWS // 20 if quick else N_ROWS)}
    # fetching it would be another file than the known one
    with suppress(DataNotFoundError):
        tables["Adult"] = adult(2_000 if quick else None)
    about = {"peer": peer, "version": described(peer)}
    for case in CASES[peer]():
        for name, data in tables.items():
            shown = f"{name}, {len(data[0]):,} × {data[0].shape[1]}"
            for columns in hit(case, data[0]):
                row = timed(case, columns, data, 3 if quick else 9)
                yield "injection", {"error": case.error, "data": shown, **about, **row}
        yield "injection-checks", {"error": case.error, **about, **compared(case)}
    yield from EXTRA.get(peer, lambda about: iter(()))(about)


def numbers(n_rows: int) -> Data:
    """Normal numbers and binary labels."""
    rng = np.random.default_rng(0)
    names = [f"c{j}" for j in range(N_COLUMNS)]
    X = pd.DataFrame(rng.normal(size=(n_rows, N_COLUMNS)), columns=names)
    return X, rng.integers(2, size=n_rows)


def adult(n_rows: int | None) -> Data:
    """Adult with its words, and who earns more; what is hit has the names of the other table."""
    X = read_adult(require_file(data_folder(), "adult/adult.data"))
    require_shape("Adult, training rows", X, (30162, 15))
    y = (X.pop("income") == ">50K").to_numpy().astype(int)
    return X.rename(columns=ADULT_NAMES)[:n_rows], y[:n_rows]


def hit(case: Case, X: pd.DataFrame) -> Iterator[tuple[str, ...]]:
    """The columns that a case hits in a table; none where it has no such column."""
    columns = {"word": ("word",), "one": ("c0",), "all": tuple(X.columns), "": ()}[case.on]
    if set(columns) <= set(X.columns):
        yield columns


def timed(case: Case, columns: tuple[str, ...], data: Data, most: int) -> dict[str, Any]:
    """Both times, in turns on the same table."""
    X, y = data
    ours, theirs = _ours(case, columns), case.theirs(columns)
    row = side_by_side(
        lambda: ours(X, y, RATE, 3), lambda: theirs(X.copy(deep=False), y, RATE, 3), most
    )
    return {"call": case.call, **row}


def compared(case: Case) -> dict[str, Any]:
    """Checks of both on a small table."""
    columns = {"word": ("word",), "one": ("c0",), "all": ("c0", "c1", "c2"), "": ()}[case.on]
    own = Injection(
        case.scope,
        columns,
        _ours(case, columns),
        _ours(case, columns, PATTERN),
        lambda: case.make(columns, rate=RATE, random_state=3),
    )
    answers = {
        "ours": checked(own),
        "theirs": checked(
            Injection(case.scope, columns, case.theirs(columns), None, case.member, case.seeded)
        ),
    }
    row: dict[str, Any] = {"call": case.call}
    for who, found in answers.items():
        n_failed = sum(holds is False for holds, _ in found.values())
        n_absent = sum(holds is None for holds, _ in found.values())
        row[f"{who}_kept"] = len(found) - n_failed - n_absent
        row[f"{who}_failed"] = n_failed
        row[f"{who}_absent"] = n_absent
        row[f"{who}_said"] = [
            f"{name}: {said}" for name, (holds, said) in found.items() if holds is False
        ]
        row[f"{who}_missing"] = [name for name, (holds, _) in found.items() if holds is None]
    return row


def _ours(case: Case, columns: tuple[str, ...], pattern: str | None = None) -> Inject:
    where = pattern or case.label

    def inject(X: pd.DataFrame, y: np.ndarray, rate: float, seed: int) -> Data:
        corruption = case.make(columns, rate=rate, random_state=seed)
        if where is not None:
            corruption.set_params(pattern=where)
        result = corruption.fit(X, y).corrupt(X, y)
        return result.X, result.y

    return inject


def _missing(columns: tuple[str, ...], **params: Any) -> CorruptMissing:
    return CorruptMissing(list(columns), same_rows=False, **params)


def _at_random(columns: tuple[str, ...], **params: Any) -> CorruptMissing:
    return CorruptMissing(list(columns), mechanism=MAR(["c1"]), **params)


def _by(corruption: Any, **fixed: Any) -> Callable[..., Any]:
    return lambda columns, **params: corruption(list(columns), **fixed, **params)


def _tab_err() -> Iterator[Case]:
    from tab_err import error_mechanism as where, error_type as what
    from tab_err.api import high_level, low_level

    def low(error: Any, mechanism: Any = where.ECAR, category: bool = False, **of: Any) -> Any:
        def bind(columns: tuple[str, ...]) -> Inject:
            def inject(X: Any, y: Any, rate: float, seed: int) -> Data:
                column = columns[0]
                if category:
                    X = X.assign(**{column: X[column].astype("category")})
                out, _ = low_level.create_errors(
                    X, column, rate, mechanism(seed=seed), error(of, seed=seed)
                )
                return (out.astype({column: object}) if category else out), y

            return inject

        return bind

    def high(columns: tuple[str, ...]) -> Inject:
        def inject(X: Any, y: Any, rate: float, seed: int) -> Data:
            out, _ = high_level.create_errors(
                X[list(columns)],
                rate,
                error_types_to_include=[what.MissingValue()],
                error_mechanisms_to_include=[where.ECAR()],
                seed=seed,
            )
            return X.assign(**{name: out[name] for name in columns}), y

        return inject

    def flip(columns: tuple[str, ...]) -> Inject:
        def inject(X: Any, y: Any, rate: float, seed: int) -> Data:
            frame = pd.DataFrame({"label": pd.Categorical(y)}, index=X.index)
            out, _ = low_level.create_errors(
                frame, "label", rate, where.ECAR(seed=seed), what.CategorySwap(seed=seed)
            )
            return X, out["label"].to_numpy()

        return inject

    def near(seed: int) -> Any:
        return where.EAR(condition_to_column="c1", seed=seed)

    yield Case("missing", "MissingValue, ECAR", _missing, low(what.MissingValue))
    yield Case("missing, all columns", "create_errors", _missing, high, on="all")
    yield Case("missing at random", "MissingValue, EAR", _at_random, low(what.MissingValue, near))
    yield Case("outliers", "Outlier", _by(CorruptOutliers), low(what.Outlier))
    yield Case("shift or noise", "AddDelta", _by(CorruptNoise), low(what.AddDelta))
    scale = low(what.WrongUnit, wrong_unit_scaling=lambda x: 10.0 * x)
    yield Case("scale", "WrongUnit", _by(CorruptScale, factor=10.0), scale)
    swap = low(what.CategorySwap, category=True)
    yield Case("categories", "CategorySwap", _by(CorruptCategories), swap, on="word")
    typo = _by(CorruptCategories, kind="typo")
    yield Case("typos", "Typo", typo, low(what.Typo), on="word")
    yield Case("labels", "CategorySwap", _labels, flip, "labels", "")


def _labels(columns: tuple[str, ...], **params: Any) -> CorruptLabels:
    return CorruptLabels(**params)


def _pyampute() -> Iterator[Case]:
    import logging

    from pyampute.ampute import MultivariateAmputation

    # it warns at every use of a table of shifts that its wheel does not hold
    logging.disable(logging.WARNING)

    def ampute(mechanism: str, **more: Any) -> Any:
        def bind(columns: tuple[str, ...]) -> Inject:
            def inject(X: Any, y: Any, rate: float, seed: int) -> Data:
                pattern = {"incomplete_vars": list(columns), "mechanism": mechanism, **more}
                made = MultivariateAmputation(prop=rate, patterns=[pattern], seed=seed)
                return made.fit_transform(X), y

            return inject

        return bind

    def member() -> Any:
        pattern = {"incomplete_vars": ["c0"], "mechanism": "MCAR"}
        return MultivariateAmputation(prop=RATE, patterns=[pattern], seed=3)

    yield Case("missing", "MCAR", _missing, ampute("MCAR"), member=member)
    other = ampute("MAR", weights={"c1": 1})
    yield Case("missing at random", "MAR", _at_random, other, member=member)
    own = _by(CorruptMissing, mechanism=MNAR())
    yield Case("missing not at random", "MNAR", own, ampute("MNAR"), member=member)


def _mdatagen() -> Iterator[Case]:
    from mdatagen.multivariate.mMCAR import mMCAR
    from mdatagen.univariate.uMAR import uMAR
    from mdatagen.univariate.uMCAR import uMCAR

    def one(columns: tuple[str, ...]) -> Inject:
        def inject(X: Any, y: Any, rate: float, seed: int) -> Data:
            made = uMCAR(X, y, missing_rate=100 * rate, x_miss=columns[0], seed=seed)
            return made.random().drop(columns=TARGET), y

        return inject

    def every(columns: tuple[str, ...]) -> Inject:
        def inject(X: Any, y: Any, rate: float, seed: int) -> Data:
            made = mMCAR(X[list(columns)], y, missing_rate=100 * rate, seed=seed)
            out = made.random()
            return X.set_axis(out.index).assign(**{name: out[name] for name in columns}), y

        return inject

    def ranked(columns: tuple[str, ...]) -> Inject:
        def inject(X: Any, y: Any, rate: float, seed: int) -> Data:
            made = uMAR(X, y, missing_rate=100 * rate, x_miss=columns[0], x_obs="c1")
            return made.rank().drop(columns=TARGET), y

        return inject

    yield Case("missing", "uMCAR.random", _missing, one)
    yield Case("missing, all columns", "mMCAR.random", _missing, every, on="all")
    yield Case("missing at random", "uMAR.rank", _at_random, ranked, seeded=False)


def _imblearn() -> Iterator[Case]:
    from imblearn.over_sampling import RandomOverSampler
    from imblearn.under_sampling import RandomUnderSampler

    def sample(kind: Any, sign: int) -> Any:
        def bind(columns: tuple[str, ...]) -> Inject:
            def inject(X: Any, y: Any, rate: float, seed: int) -> Data:
                counts = np.bincount(y)
                wanted = {0: counts[0], 1: counts[1] + sign * round(rate * counts[1])}
                return kind(sampling_strategy=wanted, random_state=seed).fit_resample(X, y)

            return inject

        return bind

    def drop(columns: tuple[str, ...], **params: Any) -> SelectionBias:
        return SelectionBias(**params)

    def copy(columns: tuple[str, ...], **params: Any) -> CorruptDuplicates:
        return CorruptDuplicates(**params)

    under, over = sample(RandomUnderSampler, -1), sample(RandomOverSampler, 1)
    one = "y == 1"
    yield Case(
        "selection of a class",
        "RandomUnderSampler",
        drop,
        under,
        "drop",
        "",
        one,
        RandomUnderSampler,
    )
    yield Case(
        "copies of a class", "RandomOverSampler", copy, over, "copy", "", one, RandomOverSampler
    )


def _taken_name(about: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What becomes of a feature that has the name under which mdatagen adds the label."""
    from mdatagen.univariate.uMCAR import uMCAR

    X = pd.DataFrame({"c0": np.arange(200.0), TARGET: np.arange(200.0)})
    y = np.zeros(200, dtype=int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            out = uMCAR(X, y, missing_rate=20, x_miss="c0", seed=3).random()
            said = "nothing" if out[TARGET].equals(X[TARGET]) else "its values are the labels"
        except Exception as error:
            said = raised(error)
    row = {"error": "a feature called target", "call": "uMCAR.random", "theirs_kept": 0}
    yield (
        "injection-checks",
        {
            **about,
            **row,
            "ours_kept": 1,
            "ours_failed": 0,
            "ours_absent": 0,
            "theirs_failed": int(said != "nothing"),
            "theirs_absent": 0,
            "theirs_said": [f"nothing else: {said}"],
            "ours_said": [],
            "ours_missing": [],
            "theirs_missing": [],
        },
    )


CASES: dict[str, Callable[[], Iterator[Case]]] = {
    "tab-err": _tab_err,
    "pyampute": _pyampute,
    "mdatagen": _mdatagen,
    "imbalanced-learn": _imblearn,
}
EXTRA: dict[str, Callable[[dict[str, Any]], Iterator]] = {"mdatagen": _taken_name}
