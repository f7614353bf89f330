"""How cost grows: each system over rows, columns, people, models, on made-up tables."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, QuantileTransformer, RobustScaler, StandardScaler

from benchmarks.peers._common import seconds
from benchmarks.replication.curation.curation import simulated
from benchmarks.speed.core_speed import WORDS
from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptCategories,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    ErrorSensitivityProfiler,
    NaturalAdversarialCurator,
    ResponsivenessAuditor,
    SelectionBias,
    StageFairnessAblator,
)
from skcorrupt.adversarial import BeamSearch, Screening, SearchSpace
from skcorrupt.curation import GenerativeLabelModel
from skcorrupt.responsiveness import ActionSet

Row = dict[str, Any]
# a prepared piece of work; gives the number of fits where it knows it
Work = Callable[[], int | None]

SOLVER = "newton-cholesky"
# what takes longer than this is timed once
LONG = 1.0
N_REPEATS = 3
RATE = 0.2
N_SPLITS = 3
LEVELS = (0, 0.2, 0.4)
N_CALLS = 8


def growth(quick: bool) -> Iterator[Row]:
    """A row a series: sizes, seconds, fits, and the exponent.

    Parameters
    ----------
    quick : bool
        Whether the two least sizes of each are enough.

    Yields
    ------
    dict
        A series.
    """
    for parts in (corruptions, search, profiler, responsiveness, ablator, curation):
        for system, what, rest, sizes, prepare in parts():
            yield series(system, what, rest, sizes[: 2 if quick else None], prepare)


def series(
    system: str, what: str, rest: str, sizes: Sequence[int], prepare: Callable[[int], Work]
) -> Row:
    """Processor seconds over sizes, and the slope of their logarithms, over all and at the end.

    Parameters
    ----------
    system, what, rest : str
        What is measured, what grows, and what stays.
    sizes : sequence of int
        The sizes.
    prepare : callable
        Takes a size, gives the work; not timed.

    Returns
    -------
    dict
        The row.
    """
    timed = [_timed(prepare(size)) for size in sizes]
    times, fits = [time for time, _ in timed], [n for _, n in timed]
    return {
        "system": system,
        "what": what,
        "rest": rest,
        "sizes": [[size, time] for size, time in zip(sizes, times, strict=True)],
        "n_fits": None if None in fits else fits,
        "slope": slope(sizes, times),
        "end": slope(sizes[-2:], times[-2:]),
    }


def _timed(work: Work) -> tuple[float, int | None]:
    found: list[int | None] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = seconds(lambda: found.append(work()))
        more = [] if first > LONG else [seconds(work) for _ in range(N_REPEATS)]
    return min([first, *more]), found[0]


def slope(sizes: Sequence[float], times: Sequence[float]) -> float:
    """The exponent k of time ~ size^k, by least squares on logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def numbers(n_rows: int, n_columns: int) -> tuple[pd.DataFrame, pd.Series]:
    """Whole numbers from 0 to 4 of which the first three decide the label."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        rng.integers(0, 5, (n_rows, n_columns)), columns=[f"c{j}" for j in range(n_columns)]
    )
    margin = X["c0"] - X["c1"] + 0.5 * X["c2"] + rng.normal(0, 1.5, n_rows) - 1
    return X, (margin > 0).astype(int).rename("label")


def corruptions() -> Iterator[tuple]:
    """Kinds of error over rows, and one over columns."""
    sizes = (10_000, 100_000, 1_000_000)

    def numbers_hit(make: Callable[[], Any], n_columns: int = 5) -> Callable[[int], Work]:
        def prepare(n_rows: int) -> Work:
            rng = np.random.default_rng(0)
            X = pd.DataFrame(rng.normal(size=(n_rows, n_columns))).add_prefix("c")
            y = rng.integers(2, size=n_rows)
            return lambda: _done(make().fit(X, y).corrupt(X, y))

        return prepare

    def words_hit(n_rows: int) -> Work:
        chosen = WORDS[np.random.default_rng(0).integers(len(WORDS), size=n_rows)]
        X = pd.DataFrame({"word": chosen}).astype("str")
        corruption = CorruptCategories(rate=RATE, random_state=0)
        return lambda: _done(corruption.fit(X).corrupt(X))

    rest = "5 columns of numbers, rate 20 %"
    pattern = "c0 > 0 and c1 <= 1"
    for name, make in {
        "CorruptMissing": lambda: CorruptMissing(rate=RATE, random_state=0),
        "CorruptMissing where a pattern holds": lambda: CorruptMissing(
            rate=RATE, pattern=pattern, random_state=0
        ),
        "CorruptNoise": lambda: CorruptNoise(rate=RATE, random_state=0),
        "CorruptLabels": lambda: CorruptLabels(rate=RATE, random_state=0),
        "SelectionBias": lambda: SelectionBias(rate=RATE, random_state=0),
    }.items():
        yield name, "rows", rest, sizes, numbers_hit(make)
    yield "CorruptCategories", "rows", "1 column of words, rate 20 %", sizes, words_hit

    def wide(n_columns: int) -> Work:
        return numbers_hit(lambda: CorruptNoise(rate=RATE, random_state=0), n_columns)(50_000)

    yield "CorruptNoise", "columns", "50,000 rows, all columns hit", (5, 20, 80), wide


def search() -> Iterator[tuple]:
    """The search with and without a proxy, over rows and columns."""

    def run(proxy: str | None, n_rows: int, n_columns: int) -> Work:
        X, y = numbers(n_rows, n_columns)
        model = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression(solver=SOLVER))

        def work() -> int:
            found = AdversarialCorruptionSearch(
                model,
                "missing",
                space=SearchSpace(max_conditions=2),
                strategy=Screening(proxy, beam=BeamSearch(n_calls=N_CALLS)),
                scoring="roc_auc",
                cv=N_SPLITS,
                random_state=0,
            ).fit(X, y)
            return found.n_evaluations_ * N_SPLITS

        return work

    # imports take as long as a small search
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run(None, 300, 3)()
    for proxy, name in (("auto", 'search, proxy="auto"'), (None, "search, no proxy")):
        rest = "3 splits, 2 conditions, logistic regression"
        yield (
            name,
            "rows",
            f"8 columns, {rest}",
            (2_000, 8_000, 32_000),
            lambda n, proxy=proxy: run(proxy, n, 8),
        )
        yield (
            name,
            "columns",
            f"4,000 rows, {rest}",
            (4, 8, 16),
            lambda d, proxy=proxy: run(proxy, 4_000, d),
        )


def profiler() -> Iterator[tuple]:
    """The error sensitivity profile over models, scenarios and rows."""

    def run(n_models: int, n_columns: int, n_rows: int) -> Work:
        X, y = numbers(n_rows, n_columns)
        models = {
            f"C={c}": make_pipeline(StandardScaler(), LogisticRegression(C=c))
            for c in (0.01, 0.1, 1, 10)[:n_models]
        }

        def work() -> int:
            made = ErrorSensitivityProfiler(
                models,
                corruptions=[CorruptNoise()],
                levels=LEVELS,
                n_repeats=5,
                random_state=0,
            )
            plan = made.plan(X, y)
            made.fit(X, y)
            return plan.n_fits

        return work

    rest = "3 levels, 5 repeats"
    yield (
        "profiler",
        "models",
        f"6 scenarios, 2,000 rows, {rest}",
        (1, 2, 4),
        lambda k: run(k, 6, 2_000),
    )
    yield (
        "profiler",
        "scenarios",
        f"2 models, 2,000 rows, {rest}",
        (3, 6, 12),
        lambda d: run(2, d, 2_000),
    )
    yield (
        "profiler",
        "rows",
        f"2 models, 6 scenarios, {rest}",
        (1_000, 4_000, 16_000),
        lambda n: run(2, 6, n),
    )


def responsiveness() -> Iterator[tuple]:
    """The audit over people, over the points that each can reach, and over draws."""

    def run(n_people: int, n_actionable: int, real: bool = False) -> Work:
        rng = np.random.default_rng(0)
        columns = [f"a{j}" for j in range(8)]
        X = pd.DataFrame(rng.integers(0, 3, (max(n_people, 300), 8)), columns=columns)
        # somebody has every value, so that bounds are as meant
        X.iloc[0], X.iloc[1] = 0, 2
        if real:
            X["real"] = rng.normal(size=len(X))
        y = X.sum(axis=1) + rng.normal(size=len(X)) > 9
        model = LogisticRegression(solver=SOLVER).fit(X, y)
        actionable = [*columns[:n_actionable], *(["real"] if real else [])]
        actions = ActionSet.from_data(X, actionable=actionable, rules=())
        people = X.iloc[:n_people]

        def work() -> None:
            auditor = ResponsivenessAuditor(
                model, actions, target=True, n_samples=400 if real else "auto", random_state=0
            )
            auditor.fit(people)

        return work

    yield (
        "auditor",
        "people",
        "243 points a person, all listed",
        (100, 1_000, 10_000),
        lambda n: run(n, 5),
    )
    # columns of three values each
    columns_of = {3**k: k for k in (2, 4, 6, 8)}
    yield (
        "auditor",
        "points a person can reach",
        "100 people; 2, 4, 6 and 8 columns of three values; listed while few, then drawn",
        tuple(columns_of),
        lambda points: run(100, columns_of[points]),
    )
    yield (
        "auditor",
        "people",
        "400 draws a person, 5 columns and a real one",
        (100, 1_000, 10_000),
        lambda n: run(n, 5, real=True),
    )


def ablator() -> Iterator[tuple]:
    """The ablation over stages and over rows."""

    def run(n_stages: int, n_rows: int) -> Work:
        X, y = numbers(n_rows, 8)
        X["sex"] = np.random.default_rng(1).integers(2, size=n_rows)
        kinds = (
            StandardScaler,
            RobustScaler,
            MinMaxScaler,
            lambda: QuantileTransformer(n_quantiles=100, random_state=0),
        )
        steps = [(f"stage {i}", kinds[i % len(kinds)]()) for i in range(n_stages)]
        pipeline = Pipeline([*steps, ("model", LogisticRegression(solver=SOLVER))])

        def work() -> int:
            StageFairnessAblator(
                pipeline,
                sensitive_features="sex",
                privileged=1,
                pos_label=1,
                cv=N_SPLITS,
                random_state=0,
            ).fit(X, y)
            return (n_stages + 1) * N_SPLITS

        return work

    yield "ablator", "stages", "8,000 rows, 3 splits", (2, 4, 8), lambda k: run(k, 8_000)
    yield (
        "ablator",
        "rows",
        "4 stages, 3 splits",
        (4_000, 16_000, 64_000),
        lambda n: run(4, n),
    )


def curation() -> Iterator[tuple]:
    """The label model and the curator over rows and labeling functions."""

    def model(n_rows: int, m: int) -> Work:
        L, _ = simulated(n_rows, m, 0)
        return lambda: _done(GenerativeLabelModel(classes=[0, 1]).fit(L).predict_proba(L))

    def curator(n_rows: int, m: int) -> Work:
        L, _ = simulated(n_rows, m, 0)
        made = NaturalAdversarialCurator(GenerativeLabelModel(classes=[0, 1]), random_state=0)
        return lambda: _done(made.fit(L))

    for name, run in (("label model", model), ("curator", curator)):
        sizes = (10_000, 100_000, 1_000_000) if run is model else (1_000, 10_000, 100_000)
        yield name, "rows", "10 functions", sizes, lambda n, run=run: run(n, 10)
        yield (
            name,
            "labeling functions",
            "10,000 rows",
            (5, 20, 80),
            lambda m, run=run: run(10_000, m),
        )


def _done(_: Any) -> None:
    """No fits to be counted."""
