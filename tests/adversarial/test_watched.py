"""Errors that no check notices, and which checks notice the worst one."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from skcorrupt import (
    MAR,
    AdversarialCorruptionSearch,
    CorruptMissing,
    CorruptScale,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial.candidates import _deadline
from skcorrupt.adversarial.serving import _exact_run, _watch
from skcorrupt.checks import MissingShare, RowCount, SegmentShare, UniqueKeys, ValueRange
from skcorrupt.report import write_html

SPACE = SearchSpace(max_conditions=1, n_bins=3)
SMALL = {"max_conditions": 1, "n_bins": 2}


def table(n=1200, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(3, 1, n), "b": rng.normal(size=n)})
    y = (X.a - 3 + 0.5 * X.b + 0.3 * rng.normal(size=n) > 0).astype(int)
    return X.mask(rng.random(X.shape) < 0.1), y


@pytest.fixture(scope="module")
def model():
    return make_pipeline(SimpleImputer(), GaussianNB()).fit(*table(seed=1))


@pytest.fixture(scope="module")
def reference():
    return table(n=6000, seed=2)[0]


def watched(model, corruption="missing", **params):
    given = {"space": SPACE, "confirm_size": None, "random_state": 0, "budget": 0.2, **params}
    return AdversarialCorruptionSearch(model, corruption, apply_to="test", **given)


def alarm_share(check, corruption, X, n_batches=150):
    """In how many batches of struck rows a check alarms, by the public methods alone."""
    rng = np.random.default_rng(5)
    alarms = 0
    for seed in range(n_batches):
        batch = X.iloc[rng.choice(len(X), check.batch_size, replace=False)]
        struck = clone(corruption).set_params(random_state=seed).fit(batch).corrupt(batch).X
        alarms += not check.passes(struck)
    return alarms / n_batches


def test_the_worst_error_passes_the_check(model, reference):
    X, y = table()
    check = MissingShare(batch_size=300).fit(reference)
    free, silent = watched(model).fit(X, y), watched(model, checks=[check]).fit(X, y)
    assert free.worst_score_ < silent.worst_score_ < silent.baseline_score_
    assert alarm_share(check, free.worst_corruption_, X) > 0.9
    # it is judged by 200 batches of its own
    assert alarm_share(check, silent.worst_corruption_, X) < 0.15
    assert "no check given would have noticed" in silent.summary()
    bounds = [each.certificate_["any_rows_score"].tolist() for each in (free, silent)]
    assert bounds[0] == bounds[1]


def test_a_check_of_something_else_changes_nothing(model, reference):
    X, y = table()
    check = MissingShare(batch_size=300).fit(reference)
    error = CorruptScale(factor=-1.0)
    free, silent = (watched(model, error, checks=c).fit(X, y) for c in ([], [check]))
    assert silent.worst_score_ == free.worst_score_


def test_who_notices(model, reference, tmp_path):
    X, y = table()
    check = MissingShare(batch_size=300).fit(reference)
    search = watched(model, CorruptScale(factor=0.5), checks=[check]).fit(X, y)
    found = search.detection_.set_index("check")
    assert found.loc["MissingShare", "alarm_rate"] <= 0.1
    assert np.isnan(found.loc["MissingShare", "min_rate"])
    assert any("(default)" in name for name in found.index)
    assert list(found.columns) == ["alarm_rate", "min_batch_size", "min_rate"]
    write_html(search, tmp_path / "page.html")
    assert "Who would notice" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_functions_watch_too(model):
    X, y = table(n=1500)

    def few_gaps(frame):
        return frame["a"].isna().mean() < 0.15

    search = watched(model, checks=[few_gaps], space=SearchSpace(corrupt_columns=["a"], **SMALL))
    search.fit(X, y)
    rate = search.worst_corruption_.rate
    matched = search.worst_pattern_.mask(X).mean()
    assert rate * matched <= 0.06
    assert search.detection_["check"].iloc[0] == "few_gaps"


def test_nothing_passes_a_check_that_always_alarms(model):
    X, y = table()
    search = watched(model, checks=[lambda frame: False], space=SearchSpace(**SMALL))
    with pytest.warns(UserWarning, match="notices it at any rate"):
        search.fit(X, y)
    assert search.worst_corruption_ is None


def test_fitted_checks_stay_fitted(model, reference):
    check = MissingShare(batch_size=300).fit(reference)
    copied = clone(watched(model, checks=[check])).checks[0]
    assert copied is not check
    assert copied.passes(reference.iloc[:300])


class TestRefused:
    def test_checks_that_learned_nothing(self, model):
        with pytest.raises(NotFittedError):
            watched(model, checks=[MissingShare()]).fit(*table())

    def test_what_is_no_check(self, model):
        with pytest.raises(TypeError, match="its entries should be fitted checks"):
            watched(model, checks=["missing"]).fit(*table())

    def test_checks_of_training_data(self, model, reference):
        check = MissingShare(batch_size=300).fit(reference)
        search = watched(GaussianNB(), checks=[check]).set_params(apply_to="train")
        with pytest.raises(ValueError, match="checks watch rows that are served"):
            search.fit(*table())

    def test_errors_by_a_mechanism(self, model, reference):
        check = MissingShare(batch_size=300).fit(reference)
        error = CorruptMissing(mechanism=MAR(["b"]))
        with pytest.raises(ValueError, match="checks go with errors in columns"):
            watched(model, error, checks=[check]).fit(*table())


@pytest.mark.slow
@pytest.mark.parametrize("scoring", ["roc_auc", "f1"])
def test_scores_that_are_no_sums_are_watched_too(model, reference, scoring):
    X, y = table()
    check = MissingShare(batch_size=300).fit(reference)
    search = watched(model, scoring=scoring, checks=[check]).fit(X, y)
    assert search.detection_.set_index("check").loc["MissingShare", "alarm_rate"] <= 0.1
    assert alarm_share(check, search.worst_corruption_, X) < 0.15


def test_several_kinds_are_handed_out_at_the_rates_that_pass(model, reference):
    X, y = table()
    check = MissingShare(batch_size=300).fit(reference)
    search = watched(model, ["missing", CorruptScale(factor=1.01)], checks=[check]).fit(X, y)
    for row in search.alternatives_.to_dict("records"):
        if row["kind"] == "missing" and np.isfinite(row["score"]):
            assert alarm_share(check, row["corruption"], X, 100) < 0.2


def test_checks_of_other_columns_are_refused(model, reference):
    X, y = table()
    other = MissingShare(batch_size=300).fit(reference.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="feature names"):
        watched(model, checks=[other]).fit(X, y)


def test_functions_get_what_is_served(model):
    X, y = table(n=1500)
    X["b"] = np.arange(len(X)) % 7
    fitted = make_pipeline(SimpleImputer(), GaussianNB()).fit(X, y)

    def whole_numbers(frame):
        assert isinstance(frame, pd.DataFrame)
        return frame["b"].dtype.kind == "i"

    space = SearchSpace(corrupt_columns=["a"], **SMALL)
    search = watched(fitted, checks=[whole_numbers], space=space).fit(X, y)
    assert search.detection_.loc[0, "alarm_rate"] == 0


@pytest.fixture(scope="module")
def on_both_sides(reference):
    """The worst error in training and served rows alike, with and without a check."""
    pipeline = make_pipeline(SimpleImputer(), GaussianNB())
    check = MissingShare(batch_size=300).fit(reference)
    space = SearchSpace(corrupt_columns=["a"], **SMALL)
    given = {"space": space, "confirm_size": None, "random_state": 0, "budget": 0.2}
    X, y = table()
    return [
        AdversarialCorruptionSearch(
            pipeline, "missing", apply_to="both", checks=checks, **given
        ).fit(X, y)
        for checks in ([], [check])
    ]


@pytest.mark.slow
def test_errors_in_training_and_served_rows_pass_the_check(on_both_sides, reference):
    X, _ = table()
    check = MissingShare(batch_size=300).fit(reference)
    free, silent = on_both_sides
    assert free.worst_score_ < silent.worst_score_
    assert alarm_share(check, free.worst_corruption_, X) > 0.9
    assert alarm_share(check, silent.worst_corruption_, X) < 0.15
    assert "no check given would have noticed" in silent.summary()


@pytest.mark.slow
def test_scores_of_errors_on_both_sides_are_made_again(on_both_sides):
    X, y = table()
    for search in on_both_sides:
        again = cross_validate_corrupted(
            search.estimator,
            X,
            y,
            search.worst_corruption_,
            apply_to="both",
            cv=search.splits_,
            n_repeats=search.n_draws_,
            random_state=search.seed_,
        )
        np.testing.assert_allclose(again["test_score"].mean(), search.worst_score_, rtol=1e-12)


@pytest.mark.slow
def test_who_notices_errors_on_both_sides(on_both_sides):
    free, silent = on_both_sides
    assert not hasattr(free, "detection_")
    noticed = silent.detection_.set_index("check")
    assert noticed.alarm_rate["MissingShare"] <= 0.1
    assert "Drift (default)" in noticed.index


def test_checks_watch_no_training_rows(model, reference):
    check = MissingShare(batch_size=300).fit(reference)
    search = AdversarialCorruptionSearch(clone(model), "missing", checks=[check])
    with pytest.raises(ValueError, match=r"pass apply_to='test' or 'both', or checks=\(\)"):
        search.fit(*table())


ROW_CHECKS = {
    "selection": lambda: RowCount(batch_size=300, false_alarm=0.05),
    "duplicates": lambda: RowCount(batch_size=300, false_alarm=0.05),
    "selection of a segment": lambda: SegmentShare("segment", batch_size=300),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", ROW_CHECKS)
def test_rows_that_are_dropped_or_come_twice_pass_the_check(what):
    def with_segment(table):
        X, y = table
        return X.fillna(0).assign(segment=(X.a.fillna(3) // 1.5).clip(0, 3)), y

    (X, y), (X_fit, y_fit) = with_segment(table(n=1500)), with_segment(table(seed=1))
    fitted = GaussianNB().fit(X_fit, y_fit)
    check = ROW_CHECKS[what]().fit(with_segment(table(n=6000, seed=2))[0])
    error = what.split()[0]
    given = {"budget": 0.4, "space": SearchSpace(pattern_columns=["a", "segment"], **SMALL)}
    free = watched(fitted, error, **given).fit(X, y)
    silent = watched(fitted, error, checks=[check], **given).fit(X, y)
    assert free.worst_score_ < silent.worst_score_ < silent.baseline_score_
    assert alarm_share(check, free.worst_corruption_, X) > 0.9
    # it is judged by 200 batches of its own
    assert alarm_share(check, silent.worst_corruption_, X, 300) < 0.17
    assert silent.detection_.loc[0, "alarm_rate"] <= 0.1


def test_the_number_of_rows_and_keys_tell_nothing_of_lost_values(model):
    """A batch of another size, or one that is larger than the table, is no finding."""
    X, y = table(n=400)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checks = [make(batch_size=200).fit(X) for make in (RowCount, UniqueKeys)]
    search = watched(model, checks=checks).fit(X, y)
    found = search.detection_.set_index("check")
    for name in ("RowCount", "UniqueKeys"):
        assert found.loc[name, "alarm_rate"] <= 0.05
        assert np.isnan(found.loc[name, "min_batch_size"])
        assert np.isnan(found.loc[name, "min_rate"])
    names = [name for name in found.index if name.endswith("(default)")]
    assert {"RowCount (default)", "UniqueKeys (default)"} <= set(names)


@pytest.mark.slow
def test_lost_and_repeated_rows_are_noticed_by_checks_of_rows(model):
    X, y = table(n=4000)
    check = ValueRange(batch_size=200).fit(X)
    for error, name in (("selection", "RowCount"), ("duplicates", "UniqueKeys")):
        search = watched(model, error, checks=[check], budget=0.3).fit(X, y)
        found = search.detection_.set_index("check")
        assert found.loc[f"{name} (default)", "alarm_rate"] > 0.5


def test_an_enumeration_that_checks_end_is_told(model, reference, monkeypatch):
    X, y = table()
    check = MissingShare(batch_size=300).fit(reference)
    whole = watched(model, checks=[check]).fit(X, y)
    assert whole.certificate_["proven"].all()
    monkeypatch.setattr(_exact_run, "MOST_WATCHED", 3)
    with pytest.warns(UserWarning, match=r"checks were asked about 3 patterns, so that the enum"):
        ended = watched(model, checks=[check]).fit(X, y)
    assert not ended.certificate_["proven"].any()
    assert whole.worst_score_ <= ended.worst_score_ <= ended.baseline_score_
    assert (ended.certificate_["readable_bound"] <= whole.worst_score_).all()


def test_the_clock_ends_what_checks_are_asked(model, reference, monkeypatch):
    """What is told of checks takes no longer than a search may."""
    X, y = table()
    check = MissingShare(batch_size=300).fit(reference)
    seconds = [0.0]
    monkeypatch.setattr(_deadline, "now", lambda: seconds[0])
    usual = _watch._Watcher.alarm_share

    def slow(self, batches, rate, size=None):
        if batches.key == "worst":
            seconds[0] += 10
        return usual(self, batches, rate, size)

    monkeypatch.setattr(_watch._Watcher, "alarm_share", slow)
    search = watched(model, checks=[check], max_time=100)
    with pytest.warns(UserWarning, match=r"max_time=100 s was over while checks were asked"):
        search.fit(X, y)
    assert seconds[0] <= 110 + 10
    assert len(search.detection_) < 3


def test_served_rows_may_be_of_one_class(model):
    X, y = table()
    some = y == 1
    search = watched(model, scoring="accuracy").fit(X[some], y[some])
    assert search.worst_score_ < search.baseline_score_
    with pytest.raises(ValueError, match="y holds one class only"):
        watched(clone(model), scoring="accuracy").fit(X[some], y[some])


def test_a_budget_of_less_than_a_row_is_told_as_that(model):
    X, y = table(n=400)
    with pytest.warns(UserWarning, match="the budget is less than one row"):
        search = watched(model, budget=0.001).fit(X, y)
    assert search.worst_corruption_ is None
