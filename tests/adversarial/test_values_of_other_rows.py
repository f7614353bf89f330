"""Errors whose values come from other rows or columns, searched in training and at serving time."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptDuplicates,
    CorruptExchange,
    CorruptionProcess,
    CorruptMissing,
    CorruptShiftRows,
    CorruptStuck,
    FeatureCorruption,
    cross_validate_corrupted,
)
from skcorrupt.adversarial.serving import _watch
from skcorrupt.attributes import SearchSpace
from skcorrupt.base import strike_count
from skcorrupt.checks import Drift
from skcorrupt.patterns import as_pattern

N = 60
SMALL = SearchSpace(max_conditions=1, n_bins=3)


def log():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, N)
    X = pd.DataFrame(
        {
            "a": 2.0 * y + rng.normal(size=N).round(1),
            "b": rng.normal(size=N).round(1) - y,
            "device": np.repeat([0, 1, 2], N // 3),
        }
    )
    return X, y


def model():
    return make_pipeline(StandardScaler(), LogisticRegression())


def searched(corruption, fitted=False, **params):
    X, y = log()
    params = {"budget": 0.2, "confirm_size": None, "random_state": 0, "space": SMALL} | params
    if not fitted:
        params.setdefault("cv", 3)
    estimator = model().fit(X, y) if fitted else model()
    return AdversarialCorruptionSearch(estimator, corruption, **params).fit(X, y)


KINDS = {
    "stuck": CorruptStuck(["a"], group="device"),
    "shift": CorruptShiftRows(["a"], offset=2),
    "exchange": CorruptExchange(["a", "b"]),
    "near-duplicates": CorruptDuplicates(jitter=0.3),
    "wrong copies": CorruptDuplicates(wrong_labels=True),
}


@pytest.mark.filterwarnings("ignore:A worse error may have been passed by")
@pytest.mark.parametrize(
    "apply_to", ["train", "test", pytest.param("both", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("kind", KINDS)
def test_the_score_is_that_of_cross_validation_and_no_split_is_over_budget(
    kind, apply_to, few_fits
):
    if apply_to != "train" and "copies" in kind:
        with pytest.raises(ValueError, match="'duplicates' changes labels, which no model"):
            searched(KINDS[kind], apply_to=apply_to)
        return
    space = SearchSpace(max_conditions=1, n_bins=3, own_column="allowed")
    search = searched(KINDS[kind], apply_to=apply_to, space=space, strategy="exhaustive")
    X, y = log()
    found = cross_validate_corrupted(
        model(),
        X,
        y,
        search.worst_corruption_,
        apply_to=apply_to,
        cv=search.splits_,
        n_repeats=search.n_draws_,
        random_state=search.seed_,
        return_records=True,
    )
    tolerance = 1e-9 if search.n_draws_ > 1 or apply_to != "test" else 0.05
    assert np.mean(found["test_score"]) == pytest.approx(search.worst_score_, abs=tolerance)
    shares = [record.row_fraction for records in found["records"] for record in records]
    assert 0 < max(shares) <= 0.2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:A worse error may have been passed by")
@pytest.mark.parametrize("kind", ["stuck", "shift"])
def test_rows_that_can_change_are_counted_in_each_part(kind, few_fits):
    space = SearchSpace(max_conditions=1, n_bins=3, label="forbidden")
    search = searched(KINDS[kind], space=space, strategy="exhaustive")
    X, _ = log()
    table = pd.DataFrame(search.cv_results_)
    assert len(table) > 3
    for pattern, fraction in zip(table["pattern"], table["row_fraction"], strict=True):
        counts = []
        for train, _ in search.splits_:
            every = KINDS[kind].set_params(pattern=pattern, rate=1.0).corrupt(X.iloc[train]).record
            counts.append((every.n_matched, len(train)))
        rate = min(1.0, *(int(0.2 * n + 1e-9) / matched for matched, n in counts))
        expected = [strike_count(rate, matched) / n for matched, n in counts]
        assert fraction == pytest.approx(max(expected))


def mean_score(estimator, corruption, X, y, n_draws):
    """The mean score of rows served, in a plain loop."""
    return np.mean(
        [
            estimator.score(corruption.set_params(random_state=i).corrupt(X).X, y)
            for i in range(n_draws)
        ]
    )


@pytest.mark.long
def test_a_shift_of_all_rows_served_is_found_exactly(few_fits):
    X, y = log()
    estimator = model().fit(X, y)
    search = searched("shift", fitted=True, apply_to="test")
    assert search.certificate_["proven"].all()
    table = pd.DataFrame(search.cv_results_)
    tried = table[table["rank_test_score"] <= 3]
    for column, pattern, rate, score in tried[
        ["columns", "pattern", "rate", "mean_test_score"]
    ].itertuples(index=False):
        made = CorruptShiftRows(list(column), pattern=pattern, rate=rate)
        n_draws = 1 if rate == 1 else 100
        # four standard errors of a mean that rows shift by a sixtieth each
        tolerance = 1e-9 if rate == 1 else 0.01
        assert mean_score(estimator, made, X, y, n_draws) == pytest.approx(score, abs=tolerance)
    # no readable pattern of one condition on a bin is worse
    for name, cut in (("a", 0.5), ("a", 1.5), ("b", 0.0), ("device", 1)):
        made = CorruptShiftRows("a", pattern=f"{name} <= {cut}")
        made.set_params(rate=min(1.0, 12 / made.corrupt(X).record.n_matched))
        assert mean_score(estimator, made, X, y, 40) > search.worst_score_ - 0.02


@pytest.mark.slow
def test_what_depends_on_other_struck_rows_is_drawn_and_said(few_fits):
    X, y = log()
    estimator = model().fit(X, y)
    with pytest.warns(UserWarning, match="values come from other rows, so that what becomes"):
        search = searched("stuck", fitted=True, apply_to="test")
    assert not search.certificate_["proven"].any()
    found = cross_validate_corrupted(
        estimator,
        X,
        y,
        search.worst_corruption_,
        apply_to="test",
        cv=search.splits_,
        n_repeats=search.n_draws_,
        random_state=search.seed_,
    )
    assert np.mean(found["test_score"]) == pytest.approx(search.worst_score_, abs=1e-9)
    with pytest.warns(UserWarning, match="values come from other rows, so that what becomes"):
        # of parts some rows that supply values are missing
        searched("shift", apply_to="test")


def test_pairs_of_one_kind_of_value_are_tried(few_fits):
    X, y = log()
    X["job"], X["town"] = np.where(y == 1, "x", "z"), "w"
    space = SearchSpace(max_conditions=1, n_bins=2)
    search = AdversarialCorruptionSearch(
        model().fit(X[["a", "b", "device"]], y),
        "exchange",
        apply_to="test",
        space=space,
        confirm_size=None,
        random_state=0,
    ).fit(X[["a", "b", "device"]], y)
    pairs = {frozenset(columns) for columns in search.cv_results_["columns"]}
    assert pairs == {frozenset(p) for p in (("a", "b"), ("b", "device"), ("a", "device"))}
    assert all(len(columns) == 2 for columns in search.cv_results_["columns"])
    with pytest.raises(ValueError, match=r"no other column of the kind of 'a'.* as a tuple of"):
        searched("exchange", space=SearchSpace(corrupt_columns=["a", "b"]))


def test_most_pairs_are_those_that_stand_together():
    from skcorrupt.utils import as_table

    table = as_table(np.zeros((3, 30)))
    pairs = CorruptExchange()._hit_groups(table, list(range(30)))
    assert pairs == [(j, j + 1) for j in range(20)]
    assert CorruptExchange()._hit_groups(as_table(np.zeros((3, 1))), [0]) == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:A worse error may have been passed by")
def test_members_of_a_process_and_kinds_in_a_list(few_fits):
    process = CorruptionProcess([("stuck", CorruptStuck(["a"])), ("lost", CorruptMissing(["b"]))])
    from sklearn.impute import SimpleImputer

    X, y = log()
    search = AdversarialCorruptionSearch(
        make_pipeline(SimpleImputer(), model()),
        process,
        budget=0.2,
        cv=3,
        space=SMALL,
        confirm_size=None,
        random_state=0,
    ).fit(X, y)
    assert search.worst_score_ < search.baseline_score_
    assert search.cv_results_["row_fraction"].max() <= 0.2
    space = SearchSpace(max_conditions=1, n_bins=2, own_column="allowed")
    several = searched(["exchange", CorruptShiftRows(["a"])], strategy="beam", space=space)
    assert set(several.cv_results_["kind"]) == {"exchange", "shift"}


@pytest.mark.many
@pytest.mark.parametrize("kind", ["stuck", "shift"])
@pytest.mark.long
def test_checks_watch_errors_whose_values_come_from_other_rows(kind, monkeypatch):
    monkeypatch.setattr(_watch, "N_BATCHES", 20)
    X, _ = log()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check = Drift(batch_size=20).fit(X)
    space = SearchSpace(max_conditions=1, n_bins=2)
    params = {"fitted": True, "apply_to": "test", "strategy": "exhaustive", "space": space}
    search = searched(kind, checks=(check,), **params)
    assert search.detection_.loc[0, "check"] == "Drift"
    assert search.detection_.loc[0, "alarm_rate"] <= 0.1


class CorruptFirst(FeatureCorruption):
    """A kind of a user's own that takes values from rows that are spared."""

    short_name = "first-spared"
    _kinds = ("integer", "real")
    _reads = "spared"

    def _new_values(self, struck):
        spared = np.setdiff1d(np.arange(struck.table.n_rows), struck.rows)
        return struck.taken(np.full(struck.size, spared[0] if len(spared) else 0))


@pytest.mark.slow
def test_a_kind_of_ones_own_says_what_it_reads(few_fits):
    with pytest.warns(UserWarning, match="values come from other rows"):
        search = searched(CorruptFirst(["a"]), fitted=True, apply_to="test")
    X, y = log()
    score = mean_score(model().fit(X, y), search.worst_corruption_, X, y, 200)
    assert score == pytest.approx(search.worst_score_, abs=0.02)
    assert as_pattern(search.worst_pattern_) == search.worst_corruption_.pattern
