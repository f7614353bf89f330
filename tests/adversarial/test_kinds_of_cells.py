"""Searches over kinds of error in texts, dates and rounded values: exact at serving time."""

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from proxy_setups import assert_like_pipelines, laid_out
from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptCategories,
    CorruptClip,
    CorruptDates,
    CorruptionProcess,
    CorruptMissing,
    CorruptRounding,
    CorruptText,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import SearchSpace

CITIES = ("Köln", "Rome", "Oslo")
BRANCHES = {"Köln": "north", "Oslo": "north", "Rome": "south"}
SMALL = SearchSpace(max_conditions=1, n_bins=3)


def table(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.normal(50, 20, n).round(1),
            "c": rng.choice(CITIES, n),
            "t": pd.Timestamp("2021-01-01") + pd.to_timedelta(rng.integers(0, 700, n), unit="D"),
            "d": pd.to_datetime(rng.integers(0, 4, n) * 40, unit="D", origin="2021-02-03"),
        }
    )
    X["d"] = X["d"].dt.strftime("%d.%m.%Y")
    month = pd.to_datetime(X["d"], format="%d.%m.%Y").dt.month
    signal = X.a / 20 + (X.c == "Köln") + X.t.dt.day_of_year / 100 + month + rng.normal(size=n)
    return X, pd.Series((signal > signal.median()).astype(int), name="label")


def day_of_year(X):
    return X.apply(lambda t: pd.to_datetime(t).dt.day_of_year)


def month(X):
    read = X.apply(lambda d: pd.to_datetime(d, format="%d.%m.%Y", errors="coerce").dt.month)
    return read.fillna(0)


def model_of():
    columns = make_column_transformer(
        (StandardScaler(), ["a"]),
        (OneHotEncoder(handle_unknown="ignore"), ["c"]),
        (make_pipeline(FunctionTransformer(day_of_year), StandardScaler()), ["t"]),
        (make_pipeline(FunctionTransformer(month), StandardScaler()), ["d"]),
    )
    return make_pipeline(columns, LogisticRegression())


# kinds whose values are not drawn, so that what a struck row becomes is known
CERTAIN = [
    CorruptRounding("a"),
    CorruptRounding("t", step="month"),
    CorruptClip("a"),
    CorruptClip("a", upper=40),
    CorruptDates("t"),
    CorruptDates("d"),
    CorruptDates("t", kind="year"),
    CorruptDates("d", kind="time_zone", hours=-24 * 31),
    CorruptDates("d", kind="format"),
    CorruptText("c", kind="extra"),
]


@pytest.mark.slow
@pytest.mark.parametrize("corruption", CERTAIN, ids=repr)
def test_the_worst_served_pattern_by_plain_loops(corruption):
    model = model_of().fit(*table(seed=9))
    X, y = table()
    search = AdversarialCorruptionSearch(
        model, corruption, apply_to="test", budget=0.15, scoring="neg_log_loss", space=SMALL,
        confirm_size=None, random_state=0,
    ).fit(X, y)  # fmt: skip
    every = corruption.set_params(rate=1.0, random_state=0).fit(X).corrupt(X)
    able = every.record.X_mask.any(axis=1)
    assert able.sum() > 0
    chances = [model.predict_proba(Z)[np.arange(len(y)), y] for Z in (X, every.X)]
    harm = np.where(able, np.log(chances[0]) - np.log(chances[1]), 0) / len(X)
    allowed = math.floor(0.15 * len(X) + 1e-9)

    def score(matched):
        n = int(matched.sum())
        share = min(1.0, allowed / n)
        struck = math.floor(share * n + 0.5 + 1e-9)
        return np.log(chances[0]).mean() - struck / n * harm[matched].sum()

    problem = search.lay_out(X, y)
    attributes = problem.task.space.attributes.values()
    grid = [e.mask(i) & able for e in attributes for i in range(e.n_atoms)]
    grid = [mask for mask in grid if mask.any()]
    assert search.worst_score_ <= min(map(score, grid)) + 1e-10
    own = search.worst_corruption_.pattern.mask(X) & able
    np.testing.assert_allclose(search.worst_score_, score(own), rtol=0, atol=1e-10)
    # what was learned is in the result, which does the same to any rows
    again = search.worst_corruption_.corrupt(X)
    assert again.record.n_corrupted <= allowed
    assert (able | ~again.record.X_mask.any(axis=1)).all()


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_drawn_values_are_those_of_the_draws():
    model = model_of().fit(*table(seed=9))
    X, y = table()
    corruption = CorruptCategories("c", kind="branch", hierarchy=BRANCHES)
    search = AdversarialCorruptionSearch(
        model, corruption, apply_to="test", budget=0.15, scoring="neg_log_loss", space=SMALL,
        confirm_size=None, random_state=0,
    ).fit(X, y)  # fmt: skip
    results = cross_validate_corrupted(
        FrozenEstimator(model), X, y, search.worst_corruption_, apply_to="test", cv=search.splits_,
        n_repeats=20, random_state=search.seed_, scoring="neg_log_loss",
    )["test_score"]  # fmt: skip
    error = results.std() / math.sqrt(len(results)) + results.std() / math.sqrt(search.n_draws_)
    assert abs(results.mean() - search.worst_score_) <= 4 * error + 1e-12


@pytest.mark.long
@pytest.mark.parametrize("kind", ["rounding", "text"])
@pytest.mark.usefixtures("few_fits")
@pytest.mark.filterwarnings("ignore:.*(may have been passed by|cannot take the error)")
def test_auto_searches_errors_in_training_data(kind):
    X, y = table(80)
    space = SearchSpace(
        corrupt_columns=["c" if kind == "text" else "a"],
        pattern_columns=["a"], own_column="allowed", label="forbidden", max_conditions=1, n_bins=2,
    )  # fmt: skip
    search = AdversarialCorruptionSearch(
        model_of(), kind, budget=0.1, confirm_size=None, random_state=0, cv=2, space=space
    ).fit(X, y)
    worst = search.worst_corruption_
    assert search.worst_score_ <= search.baseline_score_ + 1e-12 and worst is not None
    results = cross_validate_corrupted(
        model_of(), X, y, worst, cv=search.splits_, n_repeats=search.n_draws_,
        random_state=search.seed_,
    )  # fmt: skip
    np.testing.assert_allclose(results["test_score"].mean(), search.worst_score_, atol=1e-12)
    for train, _ in search.splits_:
        assert worst.corrupt(X.iloc[train], y.iloc[train]).record.row_fraction <= 0.1


def test_what_splits_would_learn_apart_is_learned_once():
    X, y = table()
    process = CorruptionProcess([("cut", CorruptClip()), ("lost", CorruptMissing("c"))])
    for corruption in (CorruptClip(), process):
        search = AdversarialCorruptionSearch(model_of(), corruption, confirm_size=None)
        task = search.lay_out(X, y).task
        found = getattr(task, "members", {"": task})
        template = next(iter(found.values())).space.template
        low, high = np.sort(X["a"])[[5, 113]]
        assert (template.lower, template.upper) == ({"a": low}, {"a": high})
    assert process.corruptions[0][1].lower is None


def by(column, change):
    return lambda struck: struck.assign(**{column: change(struck[column])})


@pytest.mark.parametrize(
    ("corruption", "hit", "change"),
    [
        (CorruptRounding(step=20), "b", lambda v: np.floor(v / 20 + 0.5) * 20),
        (CorruptClip(upper=0), "b", lambda v: v.clip(upper=0)),
        (CorruptClip(lower={"b": -10.0}, upper={"b": 10.0}), "b", lambda v: v.clip(-10, 10)),
    ],
)
@pytest.mark.many
def test_stand_ins_fit_changed_rows_as_the_pipeline_does(corruption, hit, change):
    rng = np.random.default_rng(0)
    n = 240
    X = pd.DataFrame({"b": 10.0 * rng.integers(-3, 4, n), "c": rng.choice(CITIES, n)})
    y = pd.Series((0.06 * X.b + (X.c == "Rome") + rng.logistic(size=n) > 0.3).astype(int))
    columns = make_column_transformer(
        (StandardScaler(), ["b"]), (OneHotEncoder(handle_unknown="ignore"), ["c"])
    )
    model = make_pipeline(
        columns, LogisticRegression(C=0.5, tol=1e-10, max_iter=10_000, solver="newton-cholesky")
    )
    setup = laid_out(model, corruption, X, y, budget=0.9, corrupt_columns=[hit])
    assert setup.stand_ins.kind == "values"
    assert_like_pipelines(setup, model, X, y, [by(hit, change)], atol=0.02)
