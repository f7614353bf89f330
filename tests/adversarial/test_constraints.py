"""Budget, rate and the switches that keep candidates realistic."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from sklearn.model_selection import KFold, ShuffleSplit

from cheap_models import Levels
from skcorrupt import (
    CorruptDuplicates,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    Pattern,
)
from small_searches import ONE_SPLIT, feature_columns, quick, results, small_data

pytestmark = pytest.mark.usefixtures("few_fits")


def shares_struck(pattern, rate, X, y, folds):
    """Share of training rows struck in every split, from the pattern's text."""
    mask = pattern.mask(X, y)
    return [math.floor(rate * mask[train].sum() + 0.5 + 1e-9) / len(train) for train, _ in folds]


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    budget=st.floats(0.02, 1.0),
    n=st.integers(30, 90),
    kind=st.sampled_from(["missing", "labels", "selection"]),
    seed=st.integers(0, 5),
    search_rate=st.booleans(),
)
@pytest.mark.slow
def test_no_split_is_struck_beyond_the_budget(budget, n, kind, seed, search_rate):
    X, y = small_data(n, seed)
    folds = list(ShuffleSplit(2, train_size=0.7, random_state=seed).split(X))
    search = quick(
        kind, cv=folds, budget=budget, n_calls=2, max_conditions=1, search_rate=search_rate,
        pattern_columns=["a"], corrupt_columns=None if kind != "missing" else ["a", "b"],
        own_column="allowed",
    )  # fmt: skip
    try:
        search.fit(X, y)
    except UserWarning as warning:
        assert "No candidate is feasible" in str(warning)
        return
    table = results(search)
    ok = table[table.status == "ok"]
    for row in ok.itertuples():
        shares = shares_struck(row.pattern, row.rate, X, y, folds)
        assert max(shares) <= math.floor(budget * len(folds[0][0]) + 1e-9) / len(folds[0][0])
        assert row.row_fraction == pytest.approx(max(shares), abs=1e-12)
        assert min(shares) > 0


def test_the_budget_holds_where_columns_are_struck_on_rows_of_their_own():
    X, y = small_data()
    search = quick(CorruptMissing(["a", "b"], same_rows=False), budget=0.1, n_calls=12).fit(X, y)
    table = results(search)
    assert (table.row_fraction <= 0.1 + 1e-12).all()
    assert (table.row_fraction > 0.05).any()


def test_rate_fills_the_budget_and_search_rate_also_tries_lower_ones():
    X, y = small_data()
    params = {"exhaustive": True, "max_conditions": 1, "corrupt_columns": ["a"], "n_bins": 3}
    full = results(quick(**params).fit(X, y))
    lower = results(quick(search_rate=True, **params).fit(X, y))
    largest = {(r.columns, r.pattern): r.rate for r in full.itertuples()}
    seen = {}
    for row in lower.itertuples():
        top = largest[row.columns, row.pattern]
        assert row.rate / top == pytest.approx(round(4 * row.rate / top) / 4)
        seen.setdefault((row.columns, row.pattern), []).append(row.rate / top)
    assert set(seen) == set(largest)
    assert any(len(shares) == 4 for shares in seen.values())


def test_a_template_keeps_its_rate_and_patterns_over_budget_are_infeasible():
    X, y = small_data()
    params = {"exhaustive": True, "max_conditions": 1, "n_bins": 8}
    table = results(quick(CorruptMissing(rate=0.3), **params).fit(X, y))
    assert (table.rate == 0.3).all()
    tried = set(table.pattern)
    train = ONE_SPLIT[0][0]
    for column in X:
        levels = np.unique(X[column])
        if len(levels) > 8:
            continue
        for label in (0, 1):
            for value in levels:
                pattern = Pattern({column: value, "y": label})
                matched = pattern.mask(X, y)[train].sum()
                struck = math.floor(0.3 * matched + 0.5 + 1e-9)
                assert (pattern in tried) == (1 <= struck <= 8), str(pattern)


def test_search_rate_does_not_touch_a_given_rate():
    X, y = small_data()
    table = results(quick(CorruptMissing(rate=0.3), search_rate=True).fit(X, y))
    assert (table.rate == 0.3).all()


@pytest.mark.parametrize("corruption", ["missing", CorruptNoise(scale=5.0)])
def test_require_corrupted_puts_a_condition_on_the_column_hit(corruption):
    X, y = small_data()
    for row in results(quick(corruption).fit(X, y)).itertuples():
        assert set(row.columns) <= feature_columns(row.pattern)
        assert row.pattern.uses_y
        assert 1 <= row.depth <= 3


def test_without_the_heuristics_there_are_patterns_without_them():
    X, y = small_data()
    search = quick(
        corrupt_columns=["c"],
        own_column="allowed",
        label="allowed",
        exhaustive=True,
        max_conditions=1,
        n_bins=2,
    )
    table = results(search.fit(X, y))
    assert any(not set(r.columns) & feature_columns(r.pattern) for r in table.itertuples())
    assert any(not r.pattern.uses_y for r in table.itertuples())


@pytest.mark.parametrize("most", [0, 1, 2, 3])
def test_max_conditions_counts_feature_conditions(most):
    X, y = small_data()
    table = results(quick(max_conditions=most, beam_width=1).fit(X, y))
    assert table.depth.max() <= most
    assert [len(feature_columns(p)) for p in table.pattern] == table.depth.tolist()
    if most == 0:
        assert {str(p) for p in table.pattern} == {"y == 0", "y == 1"}
        assert set(table["columns"]) == {("a",), ("b",), ("c",)}


def test_pattern_columns_and_corrupt_columns_as_lists():
    X, y = small_data()
    table = results(quick(pattern_columns=["b"], corrupt_columns=["a", "c"]).fit(X, y))
    assert set(table["columns"]) == {("a",), ("c",)}
    for row in table.itertuples():
        assert feature_columns(row.pattern) <= {"b", *row.columns}
    table = results(quick("labels", pattern_columns=["b"]).fit(X, y))
    assert {frozenset(feature_columns(p)) for p in table.pattern} == {frozenset(), frozenset("b")}


def test_pattern_columns_by_the_column_hit():
    X, y = small_data()
    table = results(quick(pattern_columns={"a": ["b"], "b": []}).fit(X, y))
    used = {}
    for row in table.itertuples():
        used.setdefault(row.columns[0], set()).update(feature_columns(row.pattern))
    assert used["a"] <= {"a", "b"}
    assert used["b"] == {"b"}
    assert used["c"] <= {"a", "b", "c"}


def test_no_pattern_columns_leave_patterns_on_the_label():
    X, y = small_data()
    table = results(quick("labels", pattern_columns=[]).fit(X, y))
    assert {str(p) for p in table.pattern} == {"y == 0", "y == 1"}


def test_positions_name_the_columns_of_arrays():
    X, y = small_data()
    search = quick(pattern_columns=["x1"], corrupt_columns=[0]).fit(X.to_numpy(), y.to_numpy())
    assert search.worst_columns_ == ["x0"]
    assert {c for p in results(search).pattern for c in feature_columns(p)} <= {"x0", "x1"}


@pytest.mark.parametrize("parameter", ["pattern_columns", "corrupt_columns"])
def test_an_unknown_column_is_named(parameter):
    X, y = small_data()
    with pytest.raises(ValueError, match=r"no column 'aa'.*Did you mean 'a'"):
        quick(**{parameter: ["aa"]}).fit(X, y)


def test_corrupt_columns_mean_nothing_for_label_errors():
    X, y = small_data()
    with pytest.raises(ValueError, match=r"corrupt_columns=.*no effect with CorruptLabels"):
        quick("labels", corrupt_columns=["a"]).fit(X, y)


def test_min_support_is_a_share_of_rows():
    X, y = small_data()
    table = results(quick(min_support=0.3, exhaustive=True, max_conditions=1).fit(X, y))
    support = [pattern.mask(X, y).mean() for pattern in table.pattern]
    assert min(support) >= 0.3
    freely = results(quick(exhaustive=True, max_conditions=1).fit(X, y))
    assert min(pattern.mask(X, y).mean() for pattern in freely.pattern) < 0.3


def test_exclude_patterns_pairs_and_callables():
    X, y = small_data()
    calls = []

    def no_zeros(pattern, X_seen, y_seen):
        calls.append((X_seen.shape, np.shape(y_seen)))
        matched = pattern.mask(X_seen, y_seen)
        return bool((X_seen["a"][matched] == 0).any())

    rules = ["c == 1 and y == 0", {"c": 0.0, "y": 1}, ("a", "b"), no_zeros]
    search = quick(exclude=rules, exhaustive=True, max_conditions=2, beam_width=9)
    table = results(search.fit(X, y))
    assert set(calls) == {((120, 3), (120,))}
    assert len(table)
    for row in table.itertuples():
        conditions = row.pattern.conditions
        for value, label in [(1.0, 0), (0.0, 1)]:
            both = conditions.get("c") == Pattern({"c": value}).conditions["c"]
            assert not (both and conditions["y"] == Pattern({"y": label}).conditions["y"])
        assert not {"a", "b"} <= feature_columns(row.pattern) | set(row.columns)
        assert not (X.a[row.pattern.mask(X, y)] == 0).any()


def test_excluded_pairs_count_columns_of_the_given_pattern():
    X, y = small_data()
    table = results(quick(CorruptLabels(pattern="a <= 3"), exclude=[("a", "b")]).fit(X, y))
    assert {c for p in table.pattern for c in feature_columns(p)} == {"a", "c"}


@pytest.mark.parametrize("rule", [3, ("a",), ("a", "b", "c"), None])
def test_an_unusable_exclusion_is_refused(rule):
    X, y = small_data()
    with pytest.raises(ValueError, match=r"exclude: .* should be a pattern, a pair of columns"):
        quick(exclude=[rule]).fit(X, y)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda pattern, X, y: None, "exclude: the function returned None; it should return True"),
        (lambda pattern: True, "exclude=.*should be a function of pattern, X and y"),
    ],
)
def test_an_unusable_function_to_exclude_is_refused(rule, message):
    X, y = small_data()
    with pytest.raises((TypeError, ValueError), match=message):
        quick(exclude=[rule]).fit(X, y)


def test_given_columns_are_hit_together():
    X, y = small_data()
    table = results(quick(CorruptMissing(["a", "b"]), n_calls=8).fit(X, y))
    assert set(table["columns"]) == {("a", "b")}
    assert all({"a", "b"} <= feature_columns(p) for p in table.pattern)


def test_a_given_pattern_on_every_column_is_tried_as_it_is():
    X, y = small_data()
    search = quick(CorruptMissing("a", pattern="a <= 3 and b <= 1 and c == 0")).fit(X, y)
    table = results(search)
    assert {str(p) for p in table.pattern} == {
        f"a <= 3 and b <= 1 and c == 0 and y == {label}" for label in (0, 1)
    }


@pytest.mark.long
def test_regression_labels_are_conditioned_by_ranges():
    X, _ = small_data()
    y = X.a + X.b
    search = quick("missing", Levels(), n_bins=4, exhaustive=True, max_conditions=1)
    table = results(search.fit(X, y))
    conditions = {p.conditions["y"] for p in table.pattern}
    bounds = [c for c in conditions if c.values is None]
    assert len(conditions) == len(bounds) >= 6
    shares = [Pattern({"y": c}).mask(X, y).mean() for c in conditions]
    # quarters, halves and three quarters of the labels
    assert all(min(abs(s - k / 4) for k in (1, 2, 3)) < 0.02 for s in shares)


def test_shifted_labels_of_a_regression():
    X, _ = small_data()
    y = X.a + X.b
    search = quick(CorruptLabels(shift=20.0), Levels()).fit(X, y)
    assert search.worst_score_ < search.baseline_score_ - 0.1
    assert "Shifting the label by 20" in search.summary()
    with pytest.raises(
        ValueError, match=r"pass CorruptLabels\(shift=…\) to move them.* factor=… or noise=…"
    ):
        quick("labels", Levels()).fit(X, y)


def test_duplicated_rows():
    X, y = small_data()
    search = quick(CorruptDuplicates()).fit(X, y)
    assert (results(search).row_fraction <= 0.1 + 1e-12).all()
    assert search.summary().startswith("Duplicating")


def test_string_labels_of_several_classes():
    X, y = small_data()
    names = pd.Series(np.select([y == 0, X.c == 1], ["no", "maybe"], 'it\'s "yes"'))
    search = quick("labels", pattern_columns=["a"], exhaustive=True, n_bins=2)
    search.fit(X, names)
    table = results(search)
    assert set(table.target) == set(names)
    for row in table.itertuples():
        assert row.pattern.conditions["y"].values != (row.target,)
    target = set(search.worst_corruption_.transition.values()).pop()
    assert search.summary().startswith(f"Flipping the label to {target!r} in ")


def test_labels_of_other_types():
    X, y = small_data()
    for labels in [
        y.astype(bool),
        y.astype("category"),
        y.map({0: "no", 1: "yes"}).astype("string"),
        y.map({0: "no", 1: "yes"}).astype("category"),
        y.astype("Int64"),
        y.astype(float).to_numpy(),
        y.tolist(),
        y.to_frame(),
    ]:
        search = quick("labels", n_calls=2, max_conditions=1, pattern_columns=["c"])
        search.fit(X, labels)
        assert search.worst_score_ < search.baseline_score_


def test_folds_without_some_class_are_searched_on_the_others():
    X, y = small_data()
    labels = y.to_numpy().copy()
    labels[:3] = 7
    search = quick("labels", cv=KFold(3), pattern_columns=["c"], exhaustive=True)
    table = results(search.fit(X, labels))
    assert not any(p.conditions["y"].values == (7,) for p in table.pattern)
