"""Gaps in a table as a corruption and as bounds for a search."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from flat_search import flat_search
from skcorrupt import (
    MAR,
    AdversarialCorruptionSearch,
    CorruptionProcess,
    CorruptMissing,
    Pattern,
    SelectionBias,
)
from skcorrupt.adversarial import BeamSearch
from skcorrupt.base import BaseCorruption
from skcorrupt.learned import LearnedGaps, learn_gaps
from skcorrupt.testing import check_corruption

pytestmark = pytest.mark.usefixtures("few_fits")


def people(rng, n):
    """A complete table of mixed columns, some skewed, heavy-tailed or related."""
    ability = rng.normal(size=n)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "income": np.exp(rng.normal(size=n) + ability / 2),
            "score": ability + rng.normal(size=n) / 3,
            "heavy": rng.standard_t(1.5, size=n),
            "city": rng.choice(list("abcdefghijkl"), n),
            "sex": rng.choice(["f", "m"], n),
            "member": rng.uniform(size=n) < 0.2,
            "since": pd.Timestamp("2020-01-01")
            + pd.to_timedelta(rng.integers(0, 900, n), unit="D"),
        }
    )


def erased(rng, X, column, chance):
    """X with cells of a column missing with some chance a row."""
    return X.assign(**{column: X[column].mask(rng.uniform(size=len(X)) < chance)})


def remade(observed, X, y=None):
    """Complete data with gaps as observed."""
    process = clone(observed.corruption).set_params(random_state=0)
    return process.fit_resample(X, np.zeros(len(X)) if y is None else y)[0]


@pytest.mark.slow
@pytest.mark.parametrize(("n", "rate"), [(60, 0.3), (300, 0.03), (300, 0.7), (1500, 0.2)])
def test_gaps_completely_at_random_are_explained_by_nothing(n, rate):
    n_wrong, n_runs = 0, 40
    for seed in range(n_runs):
        rng = np.random.default_rng([n, seed])
        X = people(rng, n)
        for column in ("income", "city", "since"):
            X = erased(rng, X, column, rate)
        observed = learn_gaps(X, rng.integers(0, 2, n))
        n_wrong += bool((observed.report["p_value"] < 1).any())
    # all columns of a table together are wrong in at most 5 % of tables
    assert n_wrong <= 0.05 * n_runs


@pytest.mark.long
def test_a_planted_pattern_is_found_with_its_bounds_and_rates():
    n_exact, n_runs = 0, 30
    for seed in range(n_runs):
        rng = np.random.default_rng(seed)
        X = people(rng, 1500)
        inside = ((X["age"] <= 30) & (X["sex"] == "f")).to_numpy()
        observed = learn_gaps(erased(rng, X, "score", np.where(inside, 0.6, 0.05)))
        row = observed.report.iloc[0]
        assert set(row["explained_by"]) == {"age", "sex"}
        assert row["rate_inside"] == pytest.approx(0.6, abs=0.15)
        assert row["rate_outside"] == pytest.approx(0.05, abs=0.02)
        conditions = row["pattern"].conditions
        assert (conditions["sex"].values, conditions["age"].lower) == (("f",), None)
        assert conditions["age"].upper == pytest.approx(30, abs=3)
        n_exact += conditions["age"].upper == 30
    assert n_exact >= 0.9 * n_runs


@pytest.mark.parametrize("strength", [-1.5, 0.7, 1.5])
@pytest.mark.slow
def test_a_planted_smooth_mechanism_is_found_with_its_strength(strength):
    found = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = people(rng, 1500)
        planted = CorruptMissing(
            "city", rate=0.2, mechanism=MAR("score", strength=strength)
        ).set_params(random_state=seed)
        row = learn_gaps(planted.fit_transform(X)).report.iloc[0]
        assert (row["mechanism"].columns, row["pattern"]) == ("score", None)
        assert row["explained_by"] == ("score",)
        found.append(row["strength"])
    assert np.mean(found) == pytest.approx(strength, abs=0.1)
    assert np.std(found) < 0.2


def test_a_mechanism_of_two_columns_is_found():
    rng = np.random.default_rng(0)
    X = people(rng, 4000)
    names = ["score", "age"]
    planted = CorruptMissing("city", rate=0.2, mechanism=MAR(names, strength=2.0), random_state=0)
    row = learn_gaps(planted.fit_transform(X)).report.iloc[0]
    assert sorted(row["explained_by"]) == sorted(names)
    assert row["strength"] == pytest.approx(2.0, abs=0.25)


def test_complete_data_get_the_same_gaps():
    rng = np.random.default_rng(3)
    X = people(rng, 3000)
    young = (X["age"] <= 30).to_numpy()
    gaps = erased(rng, X, "score", np.where(young, 0.5, 0.1))
    gaps = erased(rng, gaps, "heavy", 0.2)
    steep = CorruptMissing("sex", rate=0.3, mechanism=MAR("income"), random_state=0)
    gaps["sex"] = steep.fit_transform(X)["sex"]
    observed = learn_gaps(gaps)
    again = remade(observed, X)
    pd.testing.assert_series_equal(again.isna().mean(), gaps.isna().mean(), atol=1 / 3000)
    for inside in (young, ~young):
        assert again["score"][inside].isna().mean() == pytest.approx(
            gaps["score"][inside].isna().mean(), abs=1e-3
        )
    second = learn_gaps(again).report
    assert second["pattern"].tolist() == observed.report["pattern"].tolist()
    np.testing.assert_allclose(second["strength"], observed.report["strength"], atol=0.15)
    # cells that are not struck stay as they are
    kept = again["score"].notna()
    assert again["score"][kept].equals(X["score"][kept])


def test_the_label_can_explain():
    rng = np.random.default_rng(0)
    X = people(rng, 600)
    y = np.where(rng.uniform(size=600) < 0.4, "yes", "no")
    gaps = erased(rng, X, "score", np.where(y == "yes", 0.5, 0.05))
    observed = learn_gaps(gaps, y)
    row = observed.report.iloc[0]
    assert str(row["pattern"]) == "y == 'yes'"
    assert (row["explained_by"], row["uses_y"]) == ((), True)
    assert remade(observed, X, y)["score"][y == "yes"].isna().mean() == pytest.approx(
        row["rate_inside"], abs=0.01
    )
    assert learn_gaps(gaps).report["pattern"].tolist() == [None]
    # numbers are conditioned by ranges, and a column called y is not the label
    level = np.where(y == "yes", 1.0, 0.0) + rng.uniform(size=600) / 2
    found = learn_gaps(gaps[["score"]], level).report["pattern"][0]
    assert found.conditions["y"].lower == pytest.approx(0.5, abs=0.02)
    named = learn_gaps(gaps[["score"]].assign(y=level), y[::-1])
    assert named.report["explained_by"][0] == ("y",)
    assert not named.report["uses_y"][0]


def test_columns_missing_together_are_struck_together():
    rng = np.random.default_rng(0)
    X = people(rng, 500)
    rows = rng.uniform(size=500) < 0.3
    gaps = X.copy()
    gaps.loc[rows, ["income", "city"]] = None
    gaps = erased(rng, gaps, "age", 0.2)
    # most of the rows without a score lack an income too
    gaps.loc[rows & (rng.uniform(size=500) < 0.9), "score"] = np.nan
    observed = learn_gaps(gaps)
    names = [name for name, _ in observed.corruption.corruptions]
    assert names == ["age", "income + city", "score"]
    assert observed["income"] is observed["city"]
    again = remade(observed, X).isna()
    assert (again["income"] == again["city"]).all()
    assert again["score"].sum() == gaps["score"].isna().sum()
    assert (again["income"] & again["score"]).sum() == again["score"].sum()
    independent = again["age"].mean() * again["income"].mean()
    assert (again["age"] & again["income"]).mean() == pytest.approx(independent, abs=0.04)


def made_of(container, driver, lost):
    """A table of a driver and a column that is missing at the rows lost."""
    values = np.where(lost, np.nan, 1.0)
    if container == "frame":
        return pd.DataFrame({"g": driver, "v": values}, index=[0] * len(lost))
    if container == "polars":
        polars = pytest.importorskip("polars")
        return polars.DataFrame({"g": driver, "v": [None if gap else 1 for gap in lost]})
    array = np.column_stack([driver, values])
    if container == "read-only":
        array.flags.writeable = False
    return {"list": array.tolist, "sparse": lambda: sparse.csr_array(array)}.get(
        container, lambda: array
    )()


def driven():
    rng = np.random.default_rng(0)
    g = rng.normal(size=400)
    return g, (g > 0.5) & (rng.uniform(size=400) < 0.8), rng


@pytest.mark.parametrize("container", ["frame", "polars", "array", "read-only", "list", "sparse"])
def test_containers(container):
    g, lost, _ = driven()
    X = made_of(container, g, lost)
    row = learn_gaps(X).report.iloc[0]
    named = container in ("frame", "polars")
    assert (row["column"], row["explained_by"]) == (("v", ("g",)) if named else ("x1", ("x0",)))
    (condition,) = row["pattern"].conditions.values()
    assert condition.lower == pytest.approx(0.5, abs=0.05)


DAY = pd.Timestamp("2020-01-01")
KINDS = {
    "float32": lambda g: g.astype(np.float32),
    "infinite": lambda g: np.where(g > 2, np.inf, g),
    "nullable integer": lambda g: pd.array(np.floor(g * 10).astype(int), dtype="Int64"),
    "bool": lambda g: g > 0.5,
    "nullable bool": lambda g: pd.array(g > 0.5, dtype="boolean"),
    "bool with gaps": lambda g: np.where(g < -1, None, g > 0.5),
    "string": lambda g: pd.array(np.where(g > 0.5, "a", "b"), dtype="string"),
    "object": lambda g: np.where(g > 0.5, "a", "b").astype(object),
    "category": lambda g: pd.Categorical(np.where(g > 0.5, 3, 1)),
    "ordered": lambda g: pd.cut(g, [-9, 0, 0.5, 9], labels=["lo", "mid", "hi"]),
    "intervals": lambda g: pd.cut(g, [-9, 0.5, 9]),
    "dates": lambda g: DAY + pd.to_timedelta(np.floor(g * 100), unit="D"),
    "dates of a zone": lambda g: (DAY + pd.to_timedelta(np.floor(g * 100), unit="h")).tz_localize(
        "US/Eastern"
    ),
    "durations": lambda g: pd.to_timedelta(np.floor(g * 10), unit="D"),
    "mixed": lambda g: [1 if value > 0.5 else "x" for value in g],
    "gaps of its own": lambda g: np.where(np.arange(400) % 3 == 0, np.nan, g),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_explaining_columns(kind):
    g, lost, _ = driven()
    X = pd.DataFrame({"g": KINDS[kind](g), "v": np.where(lost, np.nan, 1.0)})
    observed = learn_gaps(X, columns="v")
    row = observed.report.iloc[0]
    assert row["explained_by"] == ("g",)
    matched = row["pattern"].mask(X)
    known = X["g"].notna().to_numpy() & ~(X["g"].astype(object) == np.inf).to_numpy()
    # matched rows are those with g above .5, whatever its dtype
    assert (matched == (g > 0.5))[known].mean() > 0.98
    assert lost[matched & known].mean() == pytest.approx(row["rate_inside"])
    complete = X[known].assign(v=1.0)
    assert remade(observed, complete)["v"].isna().mean() == pytest.approx(
        lost[known].mean(), abs=0.01
    )


@pytest.mark.parametrize(
    "column",
    [
        np.arange(400),
        [f"p{i}" for i in range(400)],
        np.ones(400),
        [[1]] * 400,
        np.full(400, "a"),
        np.arange(400) * (1 + 1j),
    ],
    ids=["running number", "names", "constant", "lists", "one text", "complex"],
)
def test_columns_that_explain_nothing(column):
    X = pd.DataFrame({"g": column, "v": np.where(np.arange(400) > 250, np.nan, 1.0)})
    observed = learn_gaps(X)
    assert observed.report["explained_by"].tolist() == [()]
    assert observed["v"].rate == pytest.approx(149 / 400)
    assert str(observed) == "v: 37.2 % missing; nothing here explains it"


def test_labels_that_need_care():
    g, lost, _ = driven()
    v = np.where(lost, np.nan, 1.0)
    for labels in ([0, 1], [("a", "b"), ("a", "c")], ["corruptions", "a__b"], ["`", "a b"]):
        X = pd.DataFrame(np.column_stack([g, v]), columns=range(2))
        multi = isinstance(labels[0], tuple)
        X.columns = pd.MultiIndex.from_tuples(labels) if multi else labels
        observed = learn_gaps(X)
        assert observed.report["explained_by"].tolist() == [(labels[0],)]
        assert observed.search_space().pattern_columns == {labels[1]: [labels[0]]}
        again = remade(observed, X.fillna(1.0))
        assert again[labels[1]].isna().sum() == lost.sum()


@pytest.mark.parametrize(
    ("X", "params", "message"),
    [
        (np.ones((5, 2)), {}, "X has no missing value.*before imputation.*x0, x1"),
        ([[1, np.nan], [2, 3]], {"columns": "x0"}, "'x0', which has no missing value"),
        ([[1, np.nan], [2, 3]], {"columns": "z"}, "X has no column 'z'"),
        (np.full((5, 2), np.nan), {}, "'x0', 'x1': no value at all.*Drop it"),
        (pd.DataFrame([[1, None]] * 2, columns=["a", "a"]), {}, "more than one column called 'a'"),
        ([[1, np.nan], [2, 3]], {"alpha": 0}, "'alpha' parameter of learn_gaps"),
        ([[1, np.nan], [2, 3]], {"n_bins": 1}, "'n_bins' parameter of learn_gaps"),
        ([[1, np.nan], [2, 3]], {"max_conditions": 0}, "'max_conditions' parameter of learn_gaps"),
        ([[1, np.nan], [2, 3]], {"y": [1]}, "X has 2 rows, y has 1"),
        ([[1, np.nan], [2, 3]], {"y": np.ones((2, 2))}, "y has 2 columns"),
    ],
)
def test_refused(X, params, message):
    with pytest.raises(ValueError, match=message):
        learn_gaps(X, **params)


def test_a_column_without_values_is_left_out():
    g, lost, _ = driven()
    X = pd.DataFrame({"g": g, "v": np.where(lost, np.nan, 1.0), "empty": np.nan})
    with pytest.warns(UserWarning, match="'empty': no value at all"):
        observed = learn_gaps(X)
    assert observed.report["column"].tolist() == ["v"]


def test_nothing_given_is_changed_and_results_repeat():
    rng = np.random.default_rng(0)
    X = erased(rng, people(rng, 300), "score", 0.3)
    y = rng.integers(0, 2, 300)
    before = X.copy()
    first, second = (learn_gaps(X, y, random_state=1) for _ in range(2))
    pd.testing.assert_frame_equal(X, before)
    pd.testing.assert_frame_equal(first.report, second.report)
    assert repr(first.corruption) == repr(second.corruption)


def test_the_result_is_made_of_plain_corruptions():
    g, lost, rng = driven()
    X = pd.DataFrame({"g": g, "v": np.where(lost | (rng.uniform(size=400) < 0.05), np.nan, 1.0)})

    observed = learn_gaps(X, random_state=5)
    assert isinstance(observed, LearnedGaps)
    assert isinstance(observed.corruption, CorruptionProcess)
    assert (type(observed["v"]), observed.corruption.random_state) == (CorruptMissing, 5)
    observed = learn_gaps(X)
    assert 0 < observed["v"].outside_ratio < 0.2
    assert repr(pickle.loads(pickle.dumps(observed)).corruption) == repr(observed.corruption)
    text = json.dumps(observed.corruption.to_dict())
    assert repr(BaseCorruption.from_dict(json.loads(text))) == repr(observed.corruption)
    kept = json.loads(json.dumps(observed.to_dict()))
    assert repr(BaseCorruption.from_dict(kept["corruption"])) == repr(observed.corruption)
    assert kept["report"][0]["column"] == "v" and kept["y_seen"] is False
    with pytest.raises(KeyError, match=r"'g' is no column with gaps.*\['v'\]"):
        observed["g"]
    check_corruption(observed["v"], X=X.fillna(0.5))


def test_f1_is_that_of_predicting_gaps():
    g, lost, _ = driven()
    observed = learn_gaps(np.column_stack([g, np.where(g > 1, np.nan, 1.0)]))
    assert observed.report[["f1", "deviance_explained"]].to_numpy() == pytest.approx(1.0)
    row = learn_gaps(made_of("frame", g, lost)).report.iloc[0]
    matched = g > 0.5131
    assert row["f1"] == pytest.approx(2 * (matched & lost).sum() / (matched.sum() + lost.sum()))


def searched(observed, X, y, column=None):
    pipeline = make_pipeline(SimpleImputer(), DecisionTreeClassifier(max_depth=3, random_state=0))
    return AdversarialCorruptionSearch(
        pipeline,
        observed.template(),
        budget=observed.budget(name=column),
        space=observed.search_space(column),
        strategy=BeamSearch(n_calls=6),
        cv=2,
        confirm_size=None,
        random_state=0,
    ).fit(X, y)


def patterns(results):
    return [Pattern.parse(str(pattern)) for pattern in results["pattern"]]


@pytest.mark.slow
def test_a_search_stays_within_what_was_observed():
    rng = np.random.default_rng(0)
    X = people(rng, 600)[["age", "score", "income", "heavy"]]
    y = (X["score"] + X["income"] / 4 > 0.5).astype(int)
    gaps = erased(rng, X, "score", np.where(X["age"] <= 30, 0.7, 0.02))
    gaps = erased(rng, gaps, "income", np.where(y == 1, 0.4, 0.0))
    gaps = erased(rng, gaps, "heavy", 0.3)
    observed = learn_gaps(gaps, y)
    assert observed.search_space().pattern_columns == {"score": ["age"], "income": []}
    assert observed.budget() == gaps[["score", "income"]].isna().mean().min()
    assert observed.budget(1.5, "score") == 1.5 * gaps["score"].isna().mean()
    assert observed.budget(100) == 1.0
    assert (observed.search_space().label, observed.search_space("score").label) == (
        "allowed",
        "forbidden",
    )
    kept = observed.template("score")
    assert (kept.rate, kept.outside_ratio) == (None, 0.0)
    assert kept.pattern == observed["score"].pattern
    assert repr(observed.template()) == "CorruptMissing()"
    results = searched(observed, X, y).cv_results_
    for columns, pattern in zip(results["columns"], patterns(results), strict=True):
        assert set(pattern.columns) <= {("score",): {"age"}, ("income",): set()}[tuple(columns)]
    assert max(results["row_fraction"]) <= observed.budget()
    # the label was looked at and does not explain this column
    found = patterns(searched(observed, X, y, "score").cv_results_)
    assert found and not any(pattern.uses_y for pattern in found)
    found = patterns(searched(observed, X, y, "income").cv_results_)
    assert found and all(pattern.uses_y and not pattern.columns for pattern in found)
    with pytest.raises(ValueError, match="explains the gaps of 'heavy'"):
        observed.search_space("heavy")
    with pytest.raises(KeyError, match="'age' is no column with gaps"):
        observed.budget(name="age")


class TestOutsideRatio:
    """Losses in rows that a pattern does not match."""

    X = np.column_stack([np.arange(200.0), np.arange(200.0) % 7])

    def missing(self, **params):
        corruption = CorruptMissing(
            "x1", **{"pattern": "x0 < 50", "rate": 0.6, "outside_ratio": 0.1, **params}
        )
        return np.isnan(corruption.fit_transform(self.X)[:, 1])

    def test_counts_are_exact_and_nest(self):
        lost = self.missing(random_state=0)
        assert (lost[:50].sum(), lost[50:].sum()) == (30, 9)
        assert not self.missing(rate=0).any()
        fewer = self.missing(rate=0.3, random_state=0)
        assert fewer[50:].any() and not (fewer & ~lost).any()
        inside = self.missing(outside_ratio=0, random_state=0)
        assert (inside[:50] == lost[:50]).all() and not inside[50:].any()

    def test_always_follows_content(self):
        corruption = CorruptMissing(
            "x1",
            pattern="x0 < 50",
            rate=0.6,
            outside_ratio=0.1,
            when="always",
            random_state=0,
        )
        out = corruption.fit_transform(self.X)
        assert (np.isnan(out[:50, 1]).sum(), np.isnan(out[50:, 1]).sum()) == (30, 9)
        np.testing.assert_array_equal(out[40:60], corruption.transform(self.X[40:60]))
        same = np.column_stack([np.arange(200) < 50, np.zeros(200)])
        corruption.set_params(pattern="x0 == 1")
        with pytest.warns(UserWarning, match="Rows of equal content") as caught:
            corruption.fit(same.astype(float))
        assert [str(warning.message)[43:74] for warning in caught] == [
            "0 of 50 matched rows are struck",
            "0 of 150 rows outside the patte",
        ]

    def test_columns_on_rows_of_their_own(self):
        corruption = CorruptMissing(
            ["x1", "x2"],
            pattern="x0 < 50",
            rate=0.5,
            outside_ratio=0.2,
            same_rows=False,
            random_state=0,
        )
        lost = np.isnan(corruption.fit_transform(np.column_stack([self.X, self.X[:, 1]])))
        assert (lost[50:].sum(axis=0) == [0, 15, 15]).all()
        assert (lost[:, 1] != lost[:, 2]).any()

    def test_a_process_strikes_rows_that_are_left_only(self):
        missing = CorruptMissing("x1", pattern="x0 < 50", rate=1.0, outside_ratio=0.5)
        process = CorruptionProcess(
            [("missing", missing), ("bias", SelectionBias(pattern="x0 >= 100", rate=1.0))],
            random_state=0,
        )
        out, _ = process.fit_resample(self.X, np.zeros(200))
        assert np.isnan(out[:, 1]).sum() == 50 + 25

    def test_it_needs_a_pattern(self):
        with pytest.raises(ValueError, match=r"outside_ratio=0\.1 is for rows outside a pattern"):
            self.missing(pattern=None)
        pipeline = make_pipeline(SimpleImputer(), DecisionTreeClassifier())
        search = flat_search(pipeline, CorruptMissing(outside_ratio=0.1))
        with pytest.raises(ValueError, match=r"outside_ratio=0\.1, which strikes rows outside"):
            search.fit(self.X, np.arange(200) < 100)
