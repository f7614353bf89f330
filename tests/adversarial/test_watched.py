"""Errors that no check notices, and which checks notice the worst one."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from few_fits import make_few_fits
from skcorrupt import (
    MAR,
    AdversarialCorruptionSearch,
    CorruptionProcess,
    CorruptMissing,
    CorruptScale,
    CorruptSentinel,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import AdversarialSearchDisplay, SearchSpace
from skcorrupt.adversarial.candidates import _deadline
from skcorrupt.adversarial.serving import _exact_run, _watch, _watched_hits
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


@pytest.fixture
def of_one_size(monkeypatch):
    """Detection without the sizes of batches from which it is, where only its rate counts."""
    monkeypatch.setattr(_watch, "BATCH_SIZES", ())


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


@pytest.mark.long
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


@pytest.mark.long
def test_a_check_of_something_else_changes_nothing(model, reference):
    X, y = table()
    check = MissingShare(batch_size=300).fit(reference)
    error = CorruptScale(factor=-1.0)
    free, silent = (watched(model, error, checks=c).fit(X, y) for c in ([], [check]))
    assert silent.worst_score_ == free.worst_score_


@pytest.mark.long
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
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Who would notice" in page and "size of batches from which each check" in page
    shown = AdversarialSearchDisplay.from_search(search).plot("detection").table_
    assert set(shown["check"]) == set(found.index)


class TestThePictureOfWhoNotices:
    TABLE = pd.DataFrame(
        {
            "check": ["never", "late", "as it is", "early"],
            "alarm_rate": [0.05, 0.2, 1.0, 1.0],
            "min_batch_size": [np.nan, 1000.0, np.nan, 50.0],
            "min_rate": [np.nan, np.nan, 0.5, 0.2],
        }
    )

    def test_checks_that_need_few_rows_come_first(self):
        display = AdversarialSearchDisplay({"clean": 1.0}, detection=self.TABLE).plot("detection")
        assert display.table_["check"].tolist() == ["early", "late", "as it is", "never"]
        drawn = {
            line.get_label(): np.asarray(line.get_xdata(), dtype=float)
            for line in display.ax_.get_lines()
        }
        np.testing.assert_array_equal(drawn["alarms in 80 % from this size on"], [50, 1000])
        # to the right of all sizes
        for label in ("notices it, of one size", "does not notice it"):
            assert drawn[label].min() > 10_000
        assert [tick.get_text() for tick in display.ax_.get_xticklabels()][-1] == "none"

    @pytest.mark.parametrize("detection", [None, TABLE.head(0)])
    def test_without_any_there_is_none(self, detection):
        display = AdversarialSearchDisplay({"clean": 1.0}, detection=detection)
        with pytest.raises(ValueError, match="needs detection="):
            display.plot("detection")


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


class SchemaError(Exception):
    """Named like pandera's."""


class FewGaps:
    """A schema by what it does."""

    def validate(self, frame):
        if frame["a"].isna().mean() >= 0.15:
            raise SchemaError("too many gaps in a")
        return frame


class Broken:
    def validate(self, frame):
        raise KeyError("no such column")


class TestSchemas:
    @pytest.fixture(autouse=True)
    def few_batches(self, monkeypatch):
        monkeypatch.setattr(_watch, "N_BATCHES", 20)

    def search(self, model, *checks):
        X, y = table(n=1500)
        space = SearchSpace(corrupt_columns=["a"], **SMALL)
        return watched(model, checks=checks, space=space).fit(X, y), X

    @pytest.mark.long
    def test_what_raises_a_schema_error_alarms(self, model):
        search, X = self.search(model, FewGaps())
        assert search.worst_corruption_.rate * search.worst_pattern_.mask(X).mean() <= 0.06
        first = search.detection_.iloc[0]
        assert first["check"] == "FewGaps" and first["alarm_rate"] <= 0.1

    def test_what_cannot_be_applied_is_raised(self, model):
        with pytest.raises(KeyError, match="no such column"):
            self.search(model, Broken())

    def test_pandera(self, model):
        pandera = pytest.importorskip("pandera.pandas")
        few = pandera.Check(lambda column: column.isna().mean() < 0.15, ignore_na=False)
        schema = pandera.DataFrameSchema({"a": pandera.Column(nullable=True, checks=few)})
        search, _ = self.search(model, schema)
        alike, _ = self.search(model, FewGaps())
        assert search.worst_score_ == alike.worst_score_
        assert search.detection_["check"].iloc[0] == "DataFrameSchema"

    def test_models_of_pandera(self, model):
        pandera = pytest.importorskip("pandera.pandas")

        class Served(pandera.DataFrameModel):
            a: float = pandera.Field(nullable=False)

        # no gap at all passes, and there are some before any error
        with pytest.warns(UserWarning, match="a check notices it at any rate"):
            search, _ = self.search(model, Served)
        assert search.worst_corruption_ is None


def test_nothing_passes_a_check_that_always_alarms(model):
    X, y = table()
    search = watched(model, checks=[lambda frame: False], space=SearchSpace(**SMALL))
    with pytest.warns(UserWarning, match="notices it at any rate"):
        search.fit(X, y)
    assert search.worst_corruption_ is None


class TestWhatIsToldOfKindsThatAreAlwaysNoticed:
    @pytest.fixture(autouse=True)
    def few_batches(self, monkeypatch):
        # all of them alarm, however many there are
        monkeypatch.setattr(_watch, "N_BATCHES", 10)

    def certificate(self, model, corruption):
        X, y = table(n=300)
        search = watched(model, corruption, checks=[lambda frame: False])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            search.fit(X, y)
        assert search.worst_corruption_ is None
        return search, search.certificate_

    def test_no_error_lowers_the_score(self, model):
        search, found = self.certificate(model, "missing")
        assert found["proven"].all() and found["readable_score"].isna().all()
        assert (found["any_rows_score"] < search.baseline_score_).all()
        bound = found["readable_bound"].to_numpy()
        np.testing.assert_allclose(bound, search.baseline_score_, rtol=0, atol=1e-12)

    @pytest.mark.slow
    @pytest.mark.parametrize("corruption", ["stuck", "selection"])
    def test_candidates_are_listed_though_none_passes(self, model, corruption):
        _, found = self.certificate(model, corruption)
        columns = {"stuck": {("a",), ("b",)}, "selection": {()}}[corruption]
        assert set(found["columns"]) == columns and not found["proven"].any()
        assert (found["n_patterns"] > 0).all() and found["readable_score"].isna().all()


@pytest.mark.parametrize("answer", [None, "fine", 2.5])
def test_functions_that_say_neither_yes_nor_no_are_refused(model, answer):
    X, y = table(n=300)

    def says(frame):
        return answer

    with pytest.raises(TypeError, match=r"checks: 'says' gave .*should return True"):
        watched(model, checks=[says]).fit(X, y)


def test_fitted_checks_stay_fitted(model, reference):
    check = MissingShare(batch_size=300).fit(reference)
    copied = clone(watched(model, checks=[check])).checks[0]
    assert copied is not check
    assert copied.passes(reference.iloc[:300])


class TestRefused:
    def test_none_is_no_checks(self, model):
        X, y = table(n=60)
        search = watched(model, checks=None, space=SearchSpace(**SMALL)).fit(X, y)
        assert search.cv_results_["pattern"].tolist() == (
            watched(model, space=SearchSpace(**SMALL)).fit(X, y).cv_results_["pattern"].tolist()
        )
        assert not hasattr(search, "detection_") and "no check given" not in search.summary()

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


@pytest.mark.slow
class TestErrorsThatStrikeRowsByOthers:
    """Batches are cut from rows that the error itself struck."""

    SPACE = SearchSpace(max_conditions=1, n_bins=2, corrupt_columns=["a"])

    @pytest.fixture(autouse=True)
    def few_batches(self, monkeypatch):
        monkeypatch.setattr(_watch, "N_BATCHES", 40)

    def silent(self, model, error, check, **params):
        X, y = table(n=400)
        given = {"space": self.SPACE, "strategy": "exhaustive", **params}
        free = watched(model, error, **given).fit(X, y)
        silent = watched(model, error, checks=[check], **given).fit(X, y)
        assert free.worst_score_ < silent.worst_score_ < silent.baseline_score_
        noticed = silent.detection_.set_index("check").iloc[0]
        assert noticed["alarm_rate"] <= 0.1
        assert alarm_share(check, silent.worst_corruption_, table(seed=3)[0], 60) <= 0.25
        return silent

    def test_by_a_mechanism(self, model, reference):
        check = MissingShare(batch_size=100).fit(reference)
        self.silent(model, CorruptMissing(mechanism=MAR(["b"])), check)

    def test_in_other_rows_of_each_column(self, model, reference):
        check = MissingShare(batch_size=100).fit(reference)
        space = SearchSpace(corrupt_columns=[("a", "b")], **SMALL)
        self.silent(model, CorruptMissing(same_rows=False), check, space=space)

    @pytest.mark.slow
    def test_a_process_at_a_share_of_its_rates(self, model, reference):
        check = ValueRange(batch_size=100).fit(reference)
        process = CorruptionProcess(
            [("scale", CorruptScale(factor=10.0)), ("missing", CorruptMissing())]
        )
        space = SearchSpace(corrupt_columns=["a", "b"], **SMALL)
        silent = self.silent(model, process, check, space=space, strategy="auto")
        # what is handed out has the score that is told
        drawn = cross_validate_corrupted(
            FrozenEstimator(model),
            *table(n=400),
            silent.worst_corruption_,
            apply_to="test",
            cv=silent.splits_,
            n_repeats=40,
            random_state=silent.seed_,
        )["test_score"]
        error = drawn.std() / np.sqrt(40)
        assert abs(drawn.mean() - silent.worst_score_) <= 4 * error + 1e-12

    def test_functions_are_asked_of_such_batches(self, model, monkeypatch):
        monkeypatch.setattr(_watch, "N_BATCHES", 20)
        seen = set()

        def few_gaps(frame):
            seen.add(len(frame))
            return frame["a"].isna().mean() < 0.15

        X, y = table(n=1200)
        error = CorruptMissing(mechanism=MAR(["b"]))
        silent = watched(
            model, error, checks=[few_gaps], space=self.SPACE, strategy="exhaustive"
        ).fit(X, y)
        assert seen == {1000}
        assert silent.detection_.loc[0, "alarm_rate"] <= 0.1

    def test_one_of_them_in_a_list_is_no_reason_to_refuse_the_others(self, model, reference):
        check = MissingShare(batch_size=100).fit(reference)
        kinds = ["missing", CorruptMissing(mechanism=MAR(["b"]))]
        X, y = table(n=300)
        search = watched(model, kinds, checks=[check], space=self.SPACE, strategy="exhaustive")
        search.fit(X, y)
        assert set(search.cv_results_["kind"]) == set(search.certificate_["kind"])
        assert len(set(search.cv_results_["kind"])) == 2


@pytest.mark.slow
@pytest.mark.usefixtures("of_one_size")
@pytest.mark.parametrize("scoring", ["roc_auc", "f1"])
def test_scores_that_are_no_sums_are_watched_too(model, reference, scoring):
    X, y = table()
    check = MissingShare(batch_size=300).fit(reference)
    search = watched(model, scoring=scoring, checks=[check]).fit(X, y)
    assert search.detection_.set_index("check").loc["MissingShare", "alarm_rate"] <= 0.1
    assert alarm_share(check, search.worst_corruption_, X) < 0.15


@pytest.mark.long
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


@pytest.mark.long
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
    given = {"space": space, "confirm_size": None, "random_state": 0, "budget": 0.2, "cv": 2}
    X, y = table()
    with pytest.MonkeyPatch.context() as monkeypatch:
        make_few_fits(monkeypatch, few_draws=False)
        monkeypatch.setattr(_watch, "BATCH_SIZES", ())
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
@pytest.mark.usefixtures("few_fits", "of_one_size")
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


@pytest.mark.long
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
@pytest.mark.usefixtures("few_fits", "of_one_size")
def test_lost_and_repeated_rows_are_noticed_by_checks_of_rows(model):
    X, y = table(n=4000)
    check = ValueRange(batch_size=200).fit(X)
    for error, name in (("selection", "RowCount"), ("duplicates", "UniqueKeys")):
        search = watched(model, error, checks=[check], budget=0.3).fit(X, y)
        found = search.detection_.set_index("check")
        assert found.loc[f"{name} (default)", "alarm_rate"] > 0.5


@pytest.mark.long
def test_an_enumeration_that_checks_end_is_told(model, reference, monkeypatch):
    X, y = table()
    check = MissingShare(batch_size=300).fit(reference)
    whole = watched(model, checks=[check]).fit(X, y)
    assert whole.certificate_["proven"].all()
    monkeypatch.setattr(_exact_run, "MOST_WATCHED", (1000, 3))
    with pytest.warns(UserWarning, match=r"checks were asked about 3 patterns, so that the enum"):
        ended = watched(model, checks=[check]).fit(X, y)
    assert not ended.certificate_["proven"].any()
    assert whole.worst_score_ <= ended.worst_score_ <= ended.baseline_score_
    assert (ended.certificate_["readable_bound"] <= whole.worst_score_).all()


@pytest.mark.long
def test_columns_that_no_check_watches_are_enumerated_beside_others(model, reference, monkeypatch):
    """What checks are asked of one column takes nothing from another one."""
    X, y = table()
    # of some values only, so that it is not seen from their number whether it notices them
    error = CorruptScale(factor=1.3)
    whole = watched(model, error).fit(X, y)
    monkeypatch.setattr(_exact_run, "MOST_WATCHED", (3, 1000))
    check = ValueRange(["a"], batch_size=300).fit(reference)
    with pytest.warns(UserWarning, match=r"about 3 patterns in each of a, so that the enum.*there"):
        search = watched(model, error, checks=[check]).fit(X, y)
    found = search.certificate_.set_index("columns")
    assert not found.loc[[("a",)], "proven"].any()
    assert found.loc[[("b",)], "proven"].all()
    assert (found["readable_bound"] <= found["readable_score"]).all()
    free = whole.certificate_.set_index("columns")
    # any rows are what is left to say of it
    np.testing.assert_array_equal(
        found.loc[[("a",)], "readable_bound"], free.loc[[("a",)], "any_rows_score"]
    )


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


@pytest.mark.filterwarnings("ignore:max_time=25 s")
def test_what_passed_before_the_time_was_over_is_kept(model, reference, monkeypatch):
    X, y = table()
    check = ValueRange(["a"], batch_size=300).fit(reference)
    seconds = [0.0]
    monkeypatch.setattr(_deadline, "now", lambda: seconds[0])
    usual = _watched_hits.WatchedHits.rate

    def slow(self, found, among, rate):
        seconds[0] += 10
        return usual(self, found, among, rate)

    monkeypatch.setattr(_watched_hits.WatchedHits, "rate", slow)
    search = watched(model, CorruptScale(factor=1.3), checks=[check], max_time=25)
    with pytest.warns(UserWarning, match="ended by max_time=25 s"):
        search.fit(X, y)
    assert search.interrupted_
    assert search.worst_score_ < search.baseline_score_


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


@pytest.mark.parametrize("order", [1, -1])
def test_a_rate_that_one_check_asks_for_passes_all_others(order, monkeypatch):
    """One lets nearly all rows pass, the other up to 60 %; what passes both is nothing."""
    monkeypatch.setattr(_watch, "N_BATCHES", 20)

    def spread(frame):
        return frame["a"].std() < 1.3

    def zeros(frame):
        return (frame["a"] == 0).mean() < 0.6

    def never(frame):
        return True

    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(10, 1, 2000), "b": rng.normal(size=2000)})
    model = LinearRegression().fit(X, X["a"] + X["b"])

    def search(*checks):
        return AdversarialCorruptionSearch(
            model, CorruptSentinel("a", value=0.0), budget=1.0, apply_to="test",
            scoring="neg_mean_absolute_error", checks=checks, confirm_size=None,
            space=SearchSpace(max_conditions=0), random_state=0,
        ).fit(X, X["a"] + X["b"])  # fmt: skip

    alone = search(zeros)
    assert 0.5 < alone.worst_corruption_.rate < 0.6
    assert search(*[never, zeros][::order]).worst_score_ == alone.worst_score_
    with pytest.warns(UserWarning, match="a check notices it at any rate"):
        assert search(*[spread, zeros][::order]).worst_corruption_ is None
