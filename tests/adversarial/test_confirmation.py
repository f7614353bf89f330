"""Scores on rows that took no part in the search, and the interval of the drop."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.model_selection import (
    GroupKFold,
    PredefinedSplit,
    ShuffleSplit,
    TimeSeriesSplit,
)

from cheap_models import Centroids, Levels, share_right
from flat_search import flat_search
from skcorrupt import CorruptMissing, Pattern
from skcorrupt.adversarial._confirmation import confirmation_rows
from skcorrupt.utils import Target
from small_searches import ONE_SPLIT, small_data

pytestmark = pytest.mark.usefixtures("no_alternatives", "few_draws")


def search_of(corruption="missing", estimator=None, **params):
    model = Centroids() if estimator is None else estimator
    scoring = share_right if is_classifier(model) else None
    settings = {"n_calls": 2, "max_conditions": 1, "random_state": 0, "n_bins": 2}
    settings |= {"scoring": scoring, "cv": 2}
    return flat_search(model, corruption, **{**settings, **params})


# numbers of rows as large as they are would drown the other columns
ROW_SCALE = 1000


class Reports(Centroids):
    """Remembers which rows it was fitted on, by the value in the last column."""

    seen: list = []

    def fit(self, X, y, sample_weight=None):
        """Note the rows, then fit on the other columns."""
        values = np.asarray(X, dtype=float)
        Reports.seen.append(frozenset(np.rint(values[:, -1] * ROW_SCALE).astype(int)))
        return super().fit(X, y, sample_weight)


def split_of(search, X, y, **fit_params):
    """The rows searched on and those set aside, seen through the pipeline."""
    Reports.seen = []
    X = _with_rows(X)
    search = clone(search).set_params(
        estimator=Reports(), space__corrupt_columns=["a"], space__pattern_columns=["a"]
    )
    search.fit(X, y, **fit_params)
    everything = frozenset(range(len(X)))
    # the confirming fits are the last and use every row that was searched on: a clean one, and
    # one a draw, of which there is one where all rows of the pattern are struck
    searched = Reports.seen[-1]
    n_confirming = 2 if search.worst_corruption_.rate == 1 else 21
    assert Reports.seen[-n_confirming:] == [searched] * n_confirming
    assert Reports.seen[-n_confirming - 1] != searched
    assert frozenset().union(*Reports.seen) == searched
    return search, np.array(sorted(searched)), np.array(sorted(everything - searched))


class TestRowsSetAside:
    @pytest.mark.long
    def test_they_are_a_stratified_share(self):
        X, y = small_data(200)
        for size in (0.25, 0.4):
            search, searched, held = split_of(search_of(confirm_size=size), X, y)
            assert len(held) == size * 200
            assert abs(y[held].mean() - y[searched].mean()) < 0.02
            clean = Centroids().fit(_with_rows(X).iloc[searched], y[searched])
            expected = clean.score(_with_rows(X).iloc[held], y[held])
            assert search.confirmed_baseline_score_ == pytest.approx(expected, abs=1e-12)

    def test_the_last_share_for_time_ordered_splits(self):
        X, y = small_data(200)
        search = search_of(cv=TimeSeriesSplit(3))
        _, searched, held = split_of(search, X, y)
        np.testing.assert_array_equal(searched, np.arange(150))
        np.testing.assert_array_equal(held, np.arange(150, 200))

    def test_whole_groups(self):
        X, y = small_data(200)
        groups = np.random.default_rng(0).integers(0, 14, 200)
        _, searched, held = split_of(search_of(cv=GroupKFold(3)), X, y, groups=groups)
        assert not set(groups[searched]) & set(groups[held])
        assert 0.1 < len(held) / 200 < 0.4

    @pytest.mark.parametrize("size", [0.25, 0.27, 0.3])
    @pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
    def test_whole_groups_of_rows_in_time(self, size):
        """Weeks of four to twelve days, of which none is on both sides."""
        X, y = small_data(200)
        weeks = np.repeat(np.arange(25), np.tile([4, 12, 8, 10, 6], 5))
        search = search_of(cv=TimeSeriesSplit(3), confirm_size=size)
        _, searched, held = split_of(search, X, y, groups=weeks)
        assert not set(weeks[searched]) & set(weeks[held])
        np.testing.assert_array_equal(held, np.arange(200 - len(held), 200))
        ends = np.flatnonzero(np.diff(weeks)) + 1
        assert abs(200 - len(held) - 200 * (1 - size)) == abs(ends - 200 * (1 - size)).min()

    @pytest.mark.parametrize("size", [0.25, 0.4, 0.5, 0.7])
    def test_parts_of_rows_in_time_do_not_shrink_for_the_sake_of_groups(self, size):
        rng = np.random.default_rng(0)
        for _ in range(40):
            lengths = rng.geometric(rng.choice([0.5, 0.2, 0.05]), size=15)
            groups = np.repeat(np.arange(15), lengths)
            if rng.random() < 0.3:
                groups = rng.permutation(groups)
            n = len(groups)
            target = Target(np.zeros(n))
            rows = confirmation_rows(
                TimeSeriesSplit(3), Ridge(), target, groups, size, 0, tells=False
            )
            np.testing.assert_array_equal(np.concatenate(rows), np.arange(n))
            cut, asked = len(rows[0]), n - round(size * n)
            assert cut >= asked / 2
            assert round(size * n) / 2 <= n - cut <= 2 * round(size * n)

            def torn(k, groups=groups):
                return len({*groups[:k]} & {*groups[k:]})

            near = range(max(1, -(-asked // 2)), n)
            near = [k for k in near if round(size * n) / 2 <= n - k <= 2 * round(size * n)]
            whole = [k for k in near if not torn(k)]
            best = min((abs(k - asked) for k in whole), default=0)
            assert abs(cut - asked) == best

    @pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
    def test_groups_that_all_times_have_are_told(self):
        X, y = small_data(200)
        people = np.arange(200) % 20
        search = search_of(cv=TimeSeriesSplit(3), confirm_size=0.25)
        with pytest.warns(UserWarning, match="groups: 20 of 20 groups lie on both sides"):
            search.fit(X, y, groups=people)
        np.testing.assert_array_equal(search.search_indices_, np.arange(150))

    @pytest.mark.parametrize(
        "cv",
        [ONE_SPLIT, PredefinedSplit(np.arange(120) % 3), iter(ONE_SPLIT)],
        ids=["list", "PredefinedSplit", "iterator"],
    )
    def test_given_splits_leave_no_rows_to_set_aside(self, cv):
        X, y = small_data()
        with pytest.raises(ValueError, match=r"pass confirm_size=None and call search\.confirm"):
            search_of(cv=cv).fit(X, y)

    @pytest.mark.long
    def test_explicit_splits_and_predefined_ones_without_confirmation(self):
        X, y = small_data()
        fold = np.arange(120) % 3
        splits = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(3)]
        first = search_of(cv=splits, confirm_size=None).fit(X, y)
        second = search_of(cv=PredefinedSplit(fold), confirm_size=None).fit(X, y)
        assert first.worst_score_ == second.worst_score_
        assert not [name for name in vars(first) if name.startswith("confirmed_")]

    @pytest.mark.parametrize("model", [Centroids(), Levels()])
    def test_too_few_rows_give_nan_and_a_warning(self, model):
        X, y = small_data(36)
        search = search_of("missing", model, budget=0.3)
        with pytest.warns(UserWarning, match="9 rows are too few to confirm on"):
            search.fit(X, y)
        assert np.isnan([search.confirmed_score_, *search.confirmed_interval_]).all()
        assert np.isnan(search.confirmed_baseline_score_)
        assert search.worst_corruption_ is not None
        assert "not searched" not in search.summary()


class TestScores:
    def test_rate_one_equals_fitting_by_hand(self):
        X, y = small_data(160)
        search, searched, held = split_of(search_of(budget=1.0, scoring="roc_auc"), X, y)
        assert search.worst_corruption_.rate == 1
        X = _with_rows(X)
        X_dirty = X.iloc[searched].astype(float)
        mask = search.worst_pattern_.mask(X_dirty, y[searched])
        X_dirty.loc[mask, search.worst_columns_] = np.nan
        dirty = Centroids().fit(X_dirty, y[searched])
        clean = Centroids().fit(X.iloc[searched], y[searched])

        def auc(model):
            return roc_auc_score(y[held], model.predict_proba(X.iloc[held])[:, 1])

        assert search.confirmed_score_ == pytest.approx(auc(dirty), abs=1e-12)
        assert search.confirmed_baseline_score_ == pytest.approx(auc(clean), abs=1e-12)
        low, high = search.confirmed_interval_
        assert low <= auc(clean) - auc(dirty) <= high
        assert low < high

    def test_on_the_users_own_test_set(self):
        X, y = small_data(160)
        X_test, y_test = small_data(80, seed=9)
        search = search_of(budget=1.0, confirm_size=None).fit(X, y)
        assert search.confirm(X_test, y_test) is search
        X_dirty = X.copy()
        X_dirty.loc[search.worst_pattern_.mask(X, y), search.worst_columns_] = np.nan
        expected = accuracy_score(y_test, Centroids().fit(X_dirty, y).predict(X_test))
        baseline = accuracy_score(y_test, Centroids().fit(X, y).predict(X_test))
        assert search.confirmed_score_ == pytest.approx(expected, abs=1e-12)
        assert search.confirmed_baseline_score_ == pytest.approx(baseline, abs=1e-12)
        assert "on rows not searched" in search.summary()

    def test_an_error_that_strikes_none_of_the_rows_is_told_to_say_nothing(self):
        X, y = small_data(160)
        X_test, y_test = small_data(80, seed=9)
        search = search_of(apply_to="test", scoring="accuracy", confirm_size=None).fit(X, y)
        spared = ~search.worst_pattern_.mask(X_test, y_test)
        assert spared.sum() >= 10
        message = f"strikes none of the {spared.sum()} rows to confirm on"
        with pytest.warns(UserWarning, match=message) as told:
            search.confirm(X_test[spared], y_test[spared])
        assert not any("changed nothing" in str(warning.message) for warning in told)
        assert search.confirmed_score_ == search.confirmed_baseline_score_

    @pytest.mark.long
    def test_fresh_draws_below_rate_one(self):
        X, y = small_data(160)
        X_test, y_test = small_data(80, seed=9)
        template = CorruptMissing("a", rate=0.3)
        search = (
            search_of(template, budget=1.0, confirm_size=None).fit(X, y).confirm(X_test, y_test)
        )
        mask = search.worst_pattern_.mask(X, y)
        scores = []
        rng = np.random.default_rng(0)
        for _ in range(150):
            X_dirty = X.copy()
            rows = rng.choice(np.flatnonzero(mask), int(0.3 * mask.sum() + 0.5), replace=False)
            X_dirty.loc[rows, "a"] = np.nan
            scores.append(Centroids().fit(X_dirty, y).score(X_test, y_test))
        error = np.std(scores) * np.sqrt(1 / 20 + 1 / 150)
        assert abs(search.confirmed_score_ - np.mean(scores)) <= 4 * error

    def test_what_every_fit_warns_of_is_told_once(self):
        class Warns(Centroids):
            def fit(self, X, y):
                warnings.warn("not converged", ConvergenceWarning, stacklevel=1)
                return super().fit(X, y)

        X, y = small_data(80)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            search = search_of("labels", Warns(), confirm_size=None).fit(X, y)
            del caught[:]
            search.confirm(*small_data(40, seed=9))
        assert [str(warning.message) for warning in caught] == ["not converged"]

    @pytest.mark.long
    def test_confirming_again_gives_the_same(self):
        X, y = small_data(160)
        X_test, y_test = small_data(80, seed=9)
        search = search_of("labels", confirm_size=None).fit(X, y)
        first = vars(search.confirm(X_test, y_test)).copy()
        second = vars(search.confirm(X_test, y_test))
        for name in ("confirmed_score_", "confirmed_baseline_score_", "confirmed_interval_"):
            assert first[name] == second[name]

    @pytest.mark.long
    def test_weights_and_groups(self):
        X, y = small_data(160)
        X_test, y_test = small_data(80, seed=9)
        weights = np.where(np.arange(160) % 2, 0.1, 1.0)
        search = search_of(budget=1.0, confirm_size=None, scoring="accuracy")
        search.fit(X, y, sample_weight=weights)
        search.confirm(X_test, y_test, groups=np.arange(80) // 8)
        clean = Centroids().fit(X, y, sample_weight=weights)
        assert search.confirmed_baseline_score_ == clean.score(X_test, y_test)
        wide = search.confirmed_interval_
        assert wide != search.confirm(X_test, y_test).confirmed_interval_
        test_weights = np.arange(80) / 80
        search.confirm(X_test, y_test, sample_weight=test_weights)
        expected = clean.score(X_test, y_test, sample_weight=test_weights)
        assert search.confirmed_baseline_score_ == pytest.approx(expected, abs=1e-12)

    @pytest.mark.many
    @pytest.mark.parametrize(
        ("spoil", "message"),
        [
            (lambda X, y: (X[["a", "b"]], y), "feature"),
            (lambda X, y: (X, y[:-1]), "X has 80 rows, y has 79"),
            (lambda X, y: (X, y.where(y.index > 0)), "NaN"),
            (lambda X, y: (X, None), "requires y"),
        ],
    )
    def test_unusable_test_sets(self, spoil, message):
        X, y = small_data()
        search = search_of(confirm_size=None).fit(X, y)
        with pytest.raises(ValueError, match=message):
            search.confirm(*spoil(*small_data(80, seed=9)))

    def test_unfitted(self):
        from sklearn.exceptions import NotFittedError

        with pytest.raises(NotFittedError):
            search_of().confirm(*small_data())


class Threshold(ClassifierMixin, BaseEstimator):
    """Predicts with a threshold that depends on whether a value was missing in training."""

    def fit(self, X, y):
        """Note whether all values are there."""
        self.classes_ = np.unique(y)
        self.shift_ = 0.5 if np.isnan(np.asarray(X, dtype=float)).any() else 0.0
        return self

    def predict(self, X):
        """1 where the column is above the threshold."""
        return (np.asarray(X, dtype=float)[:, 0] > self.shift_).astype(int)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class TestInterval:
    @pytest.mark.parametrize(
        ("grouped", "n_studies"),
        [
            (True, 30),
            pytest.param(True, 100, marks=pytest.mark.slow),
            pytest.param(False, 100, marks=pytest.mark.slow),
        ],
    )
    def test_it_covers_the_true_drop(self, grouped, n_studies):
        # x uniform on (-2, 2), label flipped with probability .2: a threshold of .5 instead of 0
        # is wrong for a further eighth of the rows, of which .8 - .2 counts
        true_drop = 0.125 * (0.8 - 0.2)
        rng = np.random.default_rng(0)
        size = 4 if grouped else 1

        def draw(n):
            x = np.repeat(rng.uniform(-2, 2, n // size), size)
            flipped = np.repeat(rng.random(n // size) < 0.2, size)
            return x[:, None], ((x > 0) ^ flipped).astype(int)

        X, y = draw(80)
        search = search_of("missing", Threshold(), cv=[(np.arange(60), np.arange(60, 80))])
        search.set_params(confirm_size=None, budget=1.0).fit(X, y)
        assert search.worst_corruption_.rate == 1
        covered = 0
        for _ in range(n_studies):
            groups = np.arange(200) // size if grouped else None
            low, high = search.confirm(*draw(200), groups=groups).confirmed_interval_
            covered += low <= true_drop <= high
        # a percentile interval of 50 groups or 200 rows is a little too short
        assert binom.ppf(1e-4, n_studies, 0.93) <= covered
        assert covered <= binom.ppf(1 - 1e-3, n_studies, 0.96)

    def test_ignoring_groups_would_not_cover(self):
        rng = np.random.default_rng(1)
        x = np.repeat(rng.uniform(-2, 2, 25), 8)
        X = pd.DataFrame({"x": x})
        y = (x > 0).astype(int)
        search = search_of("missing", Threshold(), cv=[(np.arange(150), np.arange(150, 200))])
        search.set_params(confirm_size=None).fit(X, y)
        apart = search.confirm(X, y).confirmed_interval_
        whole = search.confirm(X, y, groups=np.arange(200) // 8).confirmed_interval_
        assert np.ptp(whole) > 1.5 * np.ptp(apart)

    def test_a_null_pipeline_has_zero_in_it(self):
        X, y = small_data(160)
        search = search_of("labels", DummyClassifier(strategy="prior"), scoring="roc_auc")
        with pytest.warns(UserWarning, match="no better than a constant prediction"):
            search.fit(X, y)
        low, high = search.confirmed_interval_
        assert low <= 0 <= high
        assert search.summary().endswith("0.500 → 0.500, no row made a difference.")
        assert search.confirmed_score_ == search.confirmed_baseline_score_ == 0.5

    def test_draws_widen_it(self):
        X, y = small_data(160)
        X_test, y_test = small_data(80, seed=9)
        template = CorruptMissing("a", pattern="y == 1", rate=0.3)
        search = (
            search_of(template, budget=1.0, confirm_size=None).fit(X, y).confirm(X_test, y_test)
        )
        low, high = search.confirmed_interval_
        drop = search.confirmed_baseline_score_ - search.confirmed_score_
        assert low <= drop <= high

    @pytest.mark.long
    def test_scorers_that_fail_on_a_resample_or_look_elsewhere(self):
        X, y = small_data(160)
        X_test, y_test = small_data(40, seed=9)

        def gap(model, X, y):
            groups = {g: model.score(X[X.c == g], y[X.c == g]) for g in (0, 1)}
            extra = model.predict(X.iloc[:5].assign(a=0.0))
            assert len(extra) == 5
            return -abs(groups[0] - groups[1])

        search = search_of("missing", scoring=gap, confirm_size=None, budget=1.0).fit(X, y)
        X_test["c"] = (np.arange(40) == 0).astype(float)
        search.confirm(X_test, y_test)
        # a resample without the one row of the second group has no gap and is left out
        assert np.isfinite(search.confirmed_interval_).all()
        low, high = search.confirmed_interval_
        drop = search.confirmed_baseline_score_ - search.confirmed_score_
        assert low - 1e-9 <= drop <= high + 1e-9


class TestTheWinnerElsewhere:
    def test_shuffled_splits_can_be_confirmed(self):
        X, y = small_data(160)
        search = search_of(cv=ShuffleSplit(2, random_state=0)).fit(X, y)
        assert np.isfinite(search.confirmed_score_)
        assert isinstance(search.worst_pattern_, Pattern)


def _with_rows(X):
    return X.assign(row=np.arange(len(X)) / ROW_SCALE)
