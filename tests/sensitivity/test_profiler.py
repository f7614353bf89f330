"""The profiler by what it does: the same data for all, clean test data, paired scores."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.stats import sem, t
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from cheap_models import Centroids, share_right
from skcorrupt import (
    CorruptDuplicates,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    SelectionBias,
)
from skcorrupt.sensitivity import (
    ErrorSensitivityProfiler,
    area_error_performance,
    error_performance_correlation,
    piecewise_slopes,
)
from skcorrupt.sensitivity._profiles import profiles_of
from skcorrupt.sensitivity._ranking import ranking_of
from skcorrupt.stats import wilcoxon_pvalue

LEVELS = (0, 0.2, 0.4)


class Spy(ClassifierMixin, BaseEstimator):
    """Notes what it is given; predicts the most frequent class."""

    seen: list = []

    def __init__(self, name="a"):
        self.name = name

    def fit(self, X, y):
        """Note the data."""
        Spy.seen.append((self.name, "fit", X.copy(), y.copy()))
        self.classes_, counts = np.unique(y, return_counts=True)
        self.most_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        """Note the data."""
        Spy.seen.append((self.name, "predict", X.copy(), None))
        return np.full(len(X), self.most_)


class Draws(ClassifierMixin, BaseEstimator):
    """Predicts by its seed alone."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        """Draw."""
        self.classes_ = np.unique(y)
        self.draw_ = np.random.RandomState(self.random_state).randint(2**31)
        return self

    def predict(self, X):
        """Labels that follow from the draw."""
        return self.classes_[np.random.RandomState(self.draw_).randint(2, size=len(X))]


class CountedNoise(CorruptNoise):
    """Counts how often it strikes a column."""

    n_struck = 0

    def _new_values(self, struck):
        CountedNoise.n_struck += 1
        return super()._new_values(struck)


class Unmakeable(CorruptNoise):
    """An error that fails when it is made."""

    def corrupt(self, X, y=None):
        raise ValueError("nowhere to go")


class FailsOn(GaussianNB):
    """Fails where a value is missing in its training data."""

    def fit(self, X, y):
        """Refuse what is missing."""
        if pd.isna(X).to_numpy().any():
            raise ValueError("there is a hole")
        return super().fit(X, y)


class Holes(GaussianNB):
    """Takes missing values as zeros."""

    def fit(self, X, y):
        """Fill and fit."""
        return super().fit(X.fillna(0.0), y)


@pytest.fixture
def data():
    rng = np.random.default_rng(7)
    X = pd.DataFrame(rng.normal(size=(100, 3)), columns=list("abc"))
    y = pd.Series((X["a"] + 0.5 * X["b"] + 0.3 * rng.normal(size=100) > 0).astype(int), name="t")
    return X, y


@pytest.fixture
def seen():
    Spy.seen.clear()
    yield Spy.seen
    Spy.seen.clear()


def profiler(estimators=None, corruptions=None, **params):
    params = {"levels": LEVELS, "n_repeats": 3, "random_state": 0} | params
    corruptions = CorruptNoise() if corruptions is None else corruptions
    estimators = GaussianNB() if estimators is None else estimators
    return ErrorSensitivityProfiler(estimators, corruptions=corruptions, **params)


def scores(fitted):
    frame = fitted.curves_
    return frame.pivot(index=["model", "features", "repeat"], columns="level", values="score")


class TestWhatModelsAreGiven:
    @pytest.fixture
    def given(self, data, seen):
        X, y = data
        both = {"one": Spy("one"), "two": Spy("two")}
        self.fitted = profiler(both, CorruptMissing(["a", "b"]), n_repeats=2).fit(X, y)
        fits = {name: [s for s in seen if s[:2] == (name, "fit")] for name in both}
        tests = [s[2] for s in seen if s[1] == "predict"]
        return X, y, fits, tests

    def test_all_models_get_the_same_data(self, given):
        _, _, fits, _ = given
        assert len(fits["one"]) == len(fits["two"]) == 2 * (1 + 2 * 2)
        for one, two in zip(fits["one"], fits["two"], strict=True):
            pd.testing.assert_frame_equal(one[2], two[2])
            pd.testing.assert_series_equal(one[3], two[3])

    def test_the_data_of_a_scenario_is_corrupted_once_for_all_models(self, data):
        CountedNoise.n_struck = 0
        models = {name: GaussianNB() for name in ("one", "two", "three")}
        profiler(models, CountedNoise(["a", "b"])).fit(*data)
        # two columns, three repeats, two levels
        assert CountedNoise.n_struck == 2 * 3 * 2

    def test_test_data_is_clean_and_never_in_training(self, given):
        X, _, fits, tests = given
        assert len(tests) == 2 * len(fits["one"])
        for test in tests:
            pd.testing.assert_frame_equal(test, X.loc[test.index])
        for fit, test in zip(fits["one"], tests[::2], strict=True):
            assert len(fit[2]) == 80
            assert sorted([*fit[2].index, *test.index]) == list(X.index)

    def test_the_baseline_is_clean_and_fitted_once(self, given):
        X, _, fits, _ = given
        clean = [fit for fit in fits["one"] if not fit[2].isna().any(axis=None)]
        assert len(clean) == 2
        for fit in clean:
            pd.testing.assert_frame_equal(fit[2], X.loc[fit[2].index])
        assert self.fitted.n_fits_ == sum(map(len, fits.values()))

    def test_struck_rows_nest_and_have_the_size_of_the_level(self, given):
        _, _, fits, _ = given
        for feature in ("a", "b"):
            struck = [set(f[2].index[f[2][feature].isna()]) for f in fits["one"]]
            struck = [rows for rows in struck if rows]
            assert [len(rows) for rows in struck] == [16, 32] * 2
            for low, high in zip(struck[::2], struck[1::2], strict=True):
                assert low < high

    def test_repeats_differ_in_split_and_rows(self, given):
        _, _, fits, _ = given
        clean = [fit[2].index for fit in fits["one"] if not fit[2].isna().any(axis=None)]
        assert set(clean[0]) != set(clean[1])

    def test_scores_are_those_of_a_fit_by_hand(self, data, seen):
        X, y = data
        models = {"spy": Spy(), "nb": GaussianNB()}
        found = profiler(models, n_repeats=2).fit(X, y).curves_
        fits = [s for s in seen if s[1] == "fit"]
        tests = [s[2] for s in seen if s[1] == "predict"]
        by_hand = [
            accuracy_score(y.loc[test.index], GaussianNB().fit(*fit[2:]).predict(test))
            for fit, test in zip(fits, tests, strict=True)
        ]
        mine = found[found["model"] == "nb"].drop_duplicates(["repeat", "level", "features"])
        per_key = {}
        for row in mine.to_dict("records"):
            where = row["features"] if row["level"] else "none"
            per_key[row["repeat"], where, row["level"]] = row["score"]
        order = [
            (r, f, at)
            for r in range(2)
            for f, levels in (("none", [0.0]), *((name, LEVELS[1:]) for name in "abc"))
            for at in levels
        ]
        assert [per_key[key] for key in order] == by_hand


class TestCurves:
    @pytest.mark.long
    def test_profiles_are_those_of_the_curves(self, data):
        models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
        fitted = profiler(models, CorruptNoise(scale=4.0), n_repeats=6).fit(*data)
        table = scores(fitted)
        by_run = fitted.runs_.set_index(["model", "features"])
        for row in fitted.profiles_.to_dict("records"):
            mine = table.loc[row["model"], row["features"]].to_numpy()
            epcs = [error_performance_correlation(LEVELS, run) for run in mine]
            areas = [area_error_performance(LEVELS, run) for run in mine]
            # within the regimes of the mean curve, by another least squares
            slopes = [
                [
                    np.polyfit(*np.array([(x, s) for x, s in curve if low <= x <= high]).T, 1)[0]
                    for low, high in row["regimes"]
                ]
                for curve in (list(zip(LEVELS, run, strict=True)) for run in mine)
            ]
            assert row["regimes"] == [
                tuple(each) for each in piecewise_slopes(LEVELS, mine.mean(axis=0))[1].tolist()
            ]
            expected = {"epc": epcs, "aepc": areas, "baseline": mine[:, 0]}
            for name, values in expected.items():
                values = np.array(values)[np.isfinite(values)]
                assert row[name] == pytest.approx(np.mean(values))
                if len(values) > 1 and np.std(values) > 0:
                    low, high = t.interval(0.95, len(values) - 1, np.mean(values), sem(values))
                    bounds = np.clip([low, high], -1, 1) if name == "epc" else [low, high]
                    assert [row[f"{name}_low"], row[f"{name}_high"]] == pytest.approx(bounds)
            np.testing.assert_allclose(row["slopes"], np.mean(slopes, axis=0), atol=1e-9)
            for k, each in enumerate(np.transpose(slopes)):
                low, high = t.interval(0.95, len(each) - 1, np.mean(each), sem(each))
                assert (row["slopes_low"][k], row["slopes_high"][k]) == pytest.approx((low, high))
            assert row["epc_of_mean"] == pytest.approx(
                -np.corrcoef(LEVELS, mine.mean(axis=0))[0, 1]
            )
            assert row["p_wilcoxon"] == wilcoxon_pvalue(mine[:, 0], mine[:, -1])
            runs = by_run.loc[[(row["model"], row["features"])]]
            np.testing.assert_allclose(runs["epc"], epcs)
            np.testing.assert_allclose(runs["aepc"], areas)
            np.testing.assert_allclose(runs["slopes"].tolist(), slopes, atol=1e-9)
        # Benjamini and Hochberg: the largest first, each at most the one before
        p = fitted.profiles_["p_value"].to_numpy()
        least = 1.0
        for rank, i in zip(range(len(p), 0, -1), np.argsort(-p), strict=True):
            least = min(least, p[i] * len(p) / rank)
            assert fitted.profiles_["p_adjusted"][i] == pytest.approx(least)

    def test_level_0_is_the_same_for_all_scenarios(self, data):
        fitted = profiler(DecisionTreeClassifier(), [CorruptNoise(), CorruptLabels()]).fit(*data)
        first = fitted.curves_[fitted.curves_["level"] == 0]
        assert (first.groupby("repeat")["score"].nunique() == 1).all()

    def test_models_with_an_unset_seed_are_paired(self, data):
        X, y = data
        fitted = profiler(Draws(), CorruptNoise(), n_repeats=8).fit(X, y)
        assert (scores(fitted).nunique(axis=1) == 1).all()
        assert scores(fitted)[0.0].nunique() > 1
        # of a single row a share below a half is none
        unchanged = profiler(
            SGDClassifier(), CorruptNoise(pattern={"a": (X["a"].max(), None)}), levels=(0, 0.2, 0.4)
        )
        with pytest.warns(UserWarning, match="changed nothing"):
            unchanged.fit(X, y)
        assert (scores(unchanged).nunique(axis=1) == 1).all()

    def test_a_dummy_is_not_sensitive(self, data):
        fitted = profiler(DummyClassifier(), n_repeats=10, levels=(0, 0.2, 0.4, 0.8)).fit(*data)
        profiles = fitted.profiles_
        assert (profiles["aepc"] == 0).all() and profiles["epc"].isna().all()
        assert (profiles["p_value"] == 1).all() and (profiles["p_wilcoxon"] == 1).all()
        assert not profiles["significant"].any()
        assert profiles["flags"].str.contains("EPC undefined in 10 of 10").all()

    @pytest.mark.many
    @pytest.mark.parametrize("seed", [0, 5, 2**40])
    @pytest.mark.long
    def test_a_seed_gives_the_same_whatever_the_workers(self, data, seed):
        make = profiler(
            [DecisionTreeClassifier(), SGDClassifier()],
            [CorruptNoise(["a"]), CorruptLabels()],
            random_state=seed,
        )
        one = make.fit(*data).curves_
        pd.testing.assert_frame_equal(one, make.fit(*data).curves_)
        pd.testing.assert_frame_equal(one, make.set_params(n_jobs=2).fit(*data).curves_)
        other = make.set_params(n_jobs=None, random_state=seed + 1).fit(*data).curves_
        assert not one.equals(other)

    def test_inputs_and_templates_stay_as_they_are(self, data):
        X, y = data
        before = X.copy(), y.copy()
        model, error = SGDClassifier(), CorruptNoise(scale=0.3)
        profiler(model, error).fit(X, y)
        pd.testing.assert_frame_equal(X, before[0])
        pd.testing.assert_series_equal(y, before[1])
        assert not hasattr(model, "coef_") and not hasattr(error, "reference_")
        assert (error.rate, error.columns) == (None, None) and model.random_state is None

    def test_a_model_that_writes_to_its_data_spoils_no_other(self, data):
        X, y = 9 + 5 * data[0].to_numpy(), data[1].to_numpy()
        writes = make_pipeline(StandardScaler(copy=False), GaussianNB())
        near = KNeighborsClassifier(3)
        together = profiler({"writes": writes, "near": near}).fit(X, y)
        alone = profiler({"near": near}).fit(X, y)
        pd.testing.assert_frame_equal(scores(together).loc[["near"]], scores(alone))

    @pytest.mark.long
    def test_nor_one_that_writes_to_a_frame(self, data):
        X, y = 9 + 5 * data[0], data[1]
        models = {
            "writes": make_pipeline(StandardScaler(copy=False), GaussianNB()),
            "near": KNeighborsClassifier(3),
        }
        make, before = profiler(models), X.copy(deep=True)
        together = make.fit(X, y).curves_
        pd.testing.assert_frame_equal(X, before)
        alone = profiler({"near": models["near"]}).fit(X, y).curves_
        mine = together[together["model"] == "near"].reset_index(drop=True)
        pd.testing.assert_frame_equal(mine, alone)
        pd.testing.assert_frame_equal(make.set_params(n_jobs=2).fit(X, y).curves_, together)


class TestFailures:
    def test_a_score_of_a_positive_class_has_it_named(self, data):
        X, y = data
        named = np.where(y == y.max(), "yes", "no")
        with pytest.raises(ValueError, match=r"Nothing could be scored.* Say which label is pos"):
            profiler(scoring="f1").fit(X, named)

    def test_other_models_go_on(self, data):
        models = {"bad": FailsOn(), "good": Holes()}
        with pytest.warns(UserWarning):
            fitted = profiler(models, CorruptMissing("a"), n_repeats=3).fit(*data)
        bad, good = (fitted.curves_[fitted.curves_["model"] == name] for name in models)
        assert good["score"].notna().all() and (good["error"] == "").all()
        assert bad["score"].isna().tolist() == [False, True, True] * 3
        assert (
            bad["error"].str.contains("ValueError: there is a hole").tolist()
            == (bad["level"] > 0).tolist()
        )
        profiles = fitted.profiles_.set_index("model")
        assert "6 of 9 fits failed" in profiles.loc["bad", "flags"]
        assert "AEPC undefined in 3 of 3" in profiles.loc["bad", "flags"]
        assert np.isnan(profiles.loc["bad", "p_value"])
        # a test that could not be made is one of the family
        assert profiles.loc["good", "p_adjusted"] == pytest.approx(
            min(1, 2 * profiles.loc["good", "p_value"])
        )
        assert not profiles.loc["bad", "significant"]
        assert "failed" not in profiles.loc["good", "flags"]
        first, last = fitted.cleaning_priorities().to_dict("records")
        assert first["model"] == "bad" and np.isnan(first["loss"]) and first["importance"] > 0
        assert last["model"] == "good"

    def test_the_error_can_be_raised(self, data):
        with pytest.raises(ValueError, match="there is a hole"):
            profiler(FailsOn(), CorruptMissing("a"), error_score="raise").fit(*data)

    def test_an_error_that_cannot_be_made_is_a_row(self, data):
        errors = {"odd": Unmakeable("a"), "noise": CorruptNoise("a")}
        with pytest.warns(UserWarning, match=r"6 of 15 fits failed .* with 'odd': .*nowhere"):
            fitted = profiler(corruptions=errors).fit(*data)
        odd = fitted.curves_[fitted.curves_["corruption"] == "odd"]
        assert odd[odd["level"] > 0]["error"].str.contains("nowhere").all()
        assert odd[odd["level"] == 0]["score"].notna().all()
        assert fitted.curves_[fitted.curves_["corruption"] == "noise"]["score"].notna().all()
        with pytest.raises(ValueError, match="nowhere"):
            profiler(corruptions=errors, error_score="raise").fit(*data)

    def test_nothing_scored_is_said(self, data):
        with pytest.raises(ValueError, match=r"Nothing could be scored.*hole"):
            profiler(FailsOn()).fit(data[0].where(data[0] < 1), data[1])

    def test_what_fails_everywhere_does_not_take_all_repeats(self, data, capfd):
        failing = profiler(Holes(), CorruptMissing("a"), scoring="f1", n_repeats=50, verbose=1)
        with pytest.raises(ValueError, match=r"Nothing could be scored.*pos_label=1"):
            failing.fit(data[0], np.where(data[1] == 1, "good", "bad"))
        assert "of 150" in capfd.readouterr().err
        assert not hasattr(failing, "n_fits_")

    @pytest.mark.parametrize(
        "levels", [(0,), (0.2, 0.4), (0, 0.4, 0.2), (0, 0.2, 0.2), (0, 1.2), (0, np.nan), (0, "x")]
    )
    def test_levels(self, data, levels):
        with pytest.raises(ValueError, match="levels="):
            profiler(levels=levels).fit(*data)

    @pytest.mark.parametrize("models", [[], {}, GaussianNB, {"a": 3}, "nb"])
    def test_models(self, data, models):
        with pytest.raises(ValueError, match=r"^estimators"):
            profiler(models).fit(*data)

    def test_models_of_one_class_keep_names_apart(self, data):
        models = [KNeighborsClassifier(1), KNeighborsClassifier(30), GaussianNB()]
        found = profiler(models).fit(*data).profiles_
        names = ["KNeighborsClassifier", "KNeighborsClassifier-2", "GaussianNB"]
        assert found["model"].unique().tolist() == names


class TestSignificance:
    def test_one_repeat_tests_nothing(self, data):
        with pytest.warns(UserWarning, match="With one split nothing can be tested"):
            found = profiler(n_repeats=1).fit(*data).profiles_
        assert found["p_value"].isna().all() and not found["significant"].any()

    @pytest.mark.long
    def test_significant_rows(self, data):
        X = pd.concat([data[0]] * 2, ignore_index=True) + 0.0
        y = (X["a"] > 0).astype(int)
        make = profiler(LinearDiscriminantAnalysis(), CorruptNoise(scale=9.0), n_repeats=14)
        fitted = make.set_params(levels=(0, 0.4, 0.8)).fit(X, y)
        found = fitted.significant()
        assert "a" in set(found["features"]) and found["aepc"].is_monotonic_increasing
        pd.testing.assert_frame_equal(
            found.sort_index(), fitted.profiles_[fitted.profiles_["significant"]]
        )
        assert len(fitted.significant(tau=1.0)) == len(fitted.significant(alpha=1e-9)) == 0
        assert len(fitted.significant(alpha=1.0, tau=0.0)) == 3
        for wrong in ({"alpha": 5}, {"alpha": 0}, {"tau": -3}, {"tau": np.nan}):
            with pytest.raises(ValueError, match=r"alpha=.* and tau=.* 0 or more"):
                fitted.significant(**wrong)

    @pytest.mark.slow
    def test_noise_on_an_irrelevant_feature(self):
        """Within the nominal rate whatever the size of an effect; Wilcoxon's test is above it.

        Splits share rows, of which only the corrected test knows. With one baseline for all
        repeats Wilcoxon's is far above the rate.
        """
        n_studies, n_repeats = 200, 15
        counts = dict.fromkeys(("significant", "any size", "wilcoxon", "reused", "large"), 0)
        for study in range(n_studies):
            rng = np.random.default_rng(study)
            X = pd.DataFrame(rng.normal(size=(150, 2)), columns=["a", "idle"])
            y = (X["a"] + rng.normal(size=150) > 0).astype(int)
            noise = CorruptNoise("idle", scale=2.0)
            make = profiler(Centroids(), noise, scoring=share_right, random_state=study)
            fitted = make.set_params(n_repeats=n_repeats, levels=(0, 0.8)).fit(X, y)
            row, table = fitted.profiles_.iloc[0], scores(fitted)
            counts["significant"] += bool(row["significant"])
            counts["any size"] += len(fitted.significant(tau=0)) > 0
            counts["wilcoxon"] += row["p_wilcoxon"] <= 0.05
            base = np.full(n_repeats, table[0.0].iloc[0])
            counts["reused"] += wilcoxon_pvalue(base, table[0.8]) <= 0.05
            # by the same rule as `significant`
            area = np.mean([area_error_performance((0, 0.8), [base[0], s]) for s in table[0.8]])
            counts["large"] += abs(area) > 0.05 and wilcoxon_pvalue(base, table[0.8]) <= 0.05
        assert counts["significant"] <= n_studies * 0.05
        assert counts["any size"] <= n_studies * 0.05
        assert n_studies * 0.05 < counts["wilcoxon"] <= n_studies * 0.25
        assert counts["reused"] > n_studies * 0.4 and counts["large"] > n_studies * 0.1, counts

    def test_the_corrected_test(self, data):
        X = data[0]
        y = (X["a"] > 0).astype(int)
        error = CorruptNoise(["a", "c"], scale=9.0)
        make = profiler(
            LinearDiscriminantAnalysis(), error, cv=ShuffleSplit(12, test_size=0.25, random_state=0)
        )
        fitted = make.set_params(levels=(0, 0.8)).fit(X, y)
        for row in fitted.profiles_.to_dict("records"):
            mine = scores(fitted).loc[row["model"], row["features"]]
            change = mine[0.8] - mine[0.0]
            # Nadeau and Bengio, with a test part of a third of the training part
            error = np.sqrt((1 / 12 + 1 / 3) * change.var(ddof=1))
            expected = 2 * t.sf(abs(change.mean()) / error, 11)
            assert row["p_value"] == pytest.approx(expected, rel=1e-9)
        assert fitted.profiles_["p_value"].iloc[0] < 0.05 < fitted.profiles_["p_value"][1]


class TestRanking:
    def test_the_model_that_loses_least_is_first(self, data):
        X, y = data
        models = {"bayes": GaussianNB(), "chance": DummyClassifier(), "holes": FailsOn()}
        with pytest.warns(UserWarning, match="36 of 117 fits failed"):
            fitted = profiler(models, [CorruptMissing(), CorruptNoise(scale=9.0)]).fit(X, y)
        found = fitted.model_ranking().set_index("model")
        assert found.index[0] == "chance"
        # what fails comes last, however little it loses elsewhere
        assert found["failed"].tolist() == [0, 3, 3]
        assert found["loss"].iloc[1:].is_monotonic_increasing
        # only what all models could be fitted on is compared
        noise = [frame["corruption"] == "noise" for frame in (fitted.curves_, fitted.profiles_)]
        curves, profiles = fitted.curves_[noise[0]], fitted.profiles_[noise[1]].set_index("model")
        for name, row in found.iterrows():
            mine, per_run = profiles.loc[name], curves[curves["model"] == name]
            assert row["loss"] == pytest.approx(-mine["aepc"].mean())
            assert row["loss_low"] <= row["loss"] <= row["loss_high"]
            assert row["score"] == pytest.approx(per_run[per_run["level"] > 0]["score"].mean())
            whole = fitted.profiles_[fitted.profiles_["model"] == name]
            assert row["profiles"] == 6 and row["baseline"] == mine["baseline"].iloc[0]
            assert row["worst_loss"] == -whole["aepc"].min()
            worst = whole.iloc[int(np.nanargmin(whole["aepc"]))]
            assert row["worst_features"] == worst["features"]
            assert row["worst_corruption"] == worst["corruption"]
        assert found.loc["chance", "worst_loss"] == 0

    def test_repeats_that_fail(self):
        """Loss and interval are of the same repeats."""
        curves = pd.DataFrame(
            [
                ("m", "e", f, r, level, np.nan if (f, r, level) == ("a", 0, 0.4) else score, "")
                for f in "ab"
                for r in range(4)
                for level, score in ((0.0, 0.8), (0.4, 0.8 - 0.1 * r - 0.05 * (f == "b")))
            ],
            columns=["model", "corruption", "features", "repeat", "level", "score", "error"],
        )
        profiles, runs = profiles_of(curves, 0.05, 0.05, 0.25)
        (row,) = ranking_of(curves, profiles, runs).to_dict("records")
        losses = [(0.1 * r + 0.025) / 2 / 0.8 for r in (1, 2, 3)]
        assert row["loss"] == pytest.approx(np.mean(losses))
        low, high = t.interval(0.95, 2, np.mean(losses), sem(losses))
        assert (row["loss_low"], row["loss_high"]) == pytest.approx((low, high))

    @pytest.mark.long
    def test_significant_ones_are_counted(self, data):
        X = pd.concat([data[0]] * 2, ignore_index=True) + 0.0
        y = (X["a"] > 0).astype(int)
        make = profiler(LinearDiscriminantAnalysis(), CorruptNoise(scale=9.0), n_repeats=14)
        fitted = make.set_params(levels=(0, 0.4, 0.8)).fit(X, y)
        (row,) = fitted.model_ranking().to_dict("records")
        mine = fitted.significant()
        assert row["significant_losses"] == (mine["aepc"] < 0).sum() > 0
        assert row["significant_gains"] == (mine["aepc"] > 0).sum()

    def test_a_model_that_always_fails_is_last(self, data):
        models = {"never": FailsOn(), "bayes": make_pipeline(SimpleImputer(), GaussianNB())}
        X, y = data
        X = X.assign(a=X["a"].mask(X["a"] > 1))
        with pytest.warns(UserWarning, match="21 of 42 fits failed"):
            found = profiler(models).fit(X, y).model_ranking()
        assert found["model"].tolist() == ["bayes", "never"]
        missing = ["loss", "loss_low", "score", "worst_loss", "worst_features"]
        assert found.loc[1, missing].isna().all()


@pytest.mark.long
def test_cleaning_priorities(data, seen):
    X, y = data
    errors = {"noise": CorruptNoise(scale=5.0), "missing": CorruptMissing(), "n": CorruptLabels()}
    fitted = profiler({"holes": Holes(), "spy": Spy()}, errors).fit(X, y)
    found = fitted.cleaning_priorities()
    mine = found[found["model"] == "holes"]
    assert sorted(mine["feature"]) == ["a", "b", "c"] and mine["loss"].is_monotonic_decreasing
    for row in mine.to_dict("records"):
        part = fitted.profiles_.query("model == 'holes' and features == @row['feature']")
        assert row["loss"] == -part["aepc"].min()
        assert row["corruption"] == part.loc[part["aepc"].idxmin(), "corruption"]
    first, test = seen[0], next(s for s in seen if s[1] == "predict")
    model = Holes().fit(*first[2:])
    many = permutation_importance(
        model, test[2], y.loc[test[2].index], n_repeats=200, random_state=1
    )
    for row in mine.to_dict("records"):
        j = "abc".index(row["feature"])
        slack = 4 * many.importances_std[j] / np.sqrt(5) + 1e-9
        assert row["importance"] == pytest.approx(many.importances_mean[j], abs=slack)


@pytest.mark.parametrize("strategy", ["one-feature", "custom"])
def test_the_plan_is_what_fit_does(data, strategy):
    errors = [CorruptNoise(), CorruptLabels(), CorruptDuplicates()]
    make = profiler([GaussianNB(), DummyClassifier()], errors, strategy=strategy)
    plan = make.plan(*data)
    assert plan.n_scenarios == (5 if strategy == "one-feature" else 3)
    assert plan.n_fits == make.fit(*data).n_fits_ == 2 * 3 * (1 + 2 * plan.n_scenarios)
    assert plan.n_evaluations * 3 == plan.n_fits
    assert plan.seconds == pytest.approx(plan.n_fits * plan.seconds_per_fit) and plan.seconds > 0
    said = f"at most {plan.n_evaluations} evaluations of {plan.n_scenarios} scenarios and"
    assert str(plan).startswith(f"{said} {plan.n_fits} fits of ")


def test_the_plan_tells_of_a_model_that_fails(data):
    X, y = data
    X = X.assign(a=X["a"].mask(X["a"] > 1))
    with pytest.warns(
        UserWarning, match=r"'no' fails without errors \(ValueError: there is a hole"
    ):
        profiler({"no": FailsOn(), "yes": make_pipeline(SimpleImputer(), GaussianNB())}).plan(X, y)


def test_labels_with_which_no_split_can_be_made(data):
    X, y = data
    with pytest.raises(ValueError, match="y has 2 missing labels, the first in row 3; drop"):
        profiler().plan(X, y.astype(float).mask([i in (3, 5) for i in range(len(y))]))
    with pytest.raises(ValueError, match="y has one row of the class 2, which cannot be in both"):
        profiler().fit(X, y.mask(y.index == 7, 2))


def test_what_fit_refuses_the_plan_does_too(data):
    X, y = data
    with pytest.raises((TypeError, ValueError)) as by_fit:
        profiler().fit(sparse.csr_array(X.to_numpy()), y)
    with pytest.raises(by_fit.type, match=re.escape(str(by_fit.value))):
        profiler().plan(sparse.csr_array(X.to_numpy()), y)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            CorruptLabels(pattern="sex == 7"),
            "pattern 'sex == 7' matches none .* values 0, 1",
        ),
        (CorruptLabels(pattern="y == 7"), "'y == 7' matches none by itself; there are .* 0"),
        (CorruptNoise(pattern="sexx == 1"), "there is no column sexx in X; perhaps sex"),
        (
            CorruptionProcess([("lost", CorruptMissing("a", pattern="sex == 7"))]),
            "CorruptionProcess: lost: pattern 'sex == 7' matches none of the 100 rows: ",
        ),
        (CorruptNoise(rate=0.3), "rate=0.3 is set by levels of the study; leave it out"),
    ],
)
def test_errors_that_would_cost_a_whole_study_are_refused_first(data, error, message):
    X, y = data
    X = X.assign(sex=np.arange(len(X)) % 2)
    for method in (profiler(corruptions=error).plan, profiler(corruptions=error).fit):
        with pytest.raises(ValueError, match=message):
            method(X, y)


class TestSplits:
    def test_each_split_of_cv_is_a_repeat(self, data, seen):
        X, y = data
        fitted = profiler(Spy(), cv=KFold(4)).fit(X, y)
        assert sorted(fitted.curves_["repeat"].unique()) == [0, 1, 2, 3]
        tests = {frozenset(s[2].index) for s in seen if s[1] == "predict"}
        assert tests == {frozenset(range(k, k + 25)) for k in range(0, 100, 25)}
        assert profiler(cv=KFold(4)).plan(X, y).n_fits == fitted.n_fits_
        listed = profiler(cv=list(KFold(4).split(X))).fit(X, y)
        assert listed.curves_.shape == fitted.curves_.shape
        for wrong in (1, "five", [(0, 1, 2)]):
            with pytest.raises(ValueError, match="cv="):
                profiler(cv=wrong).fit(X, y)

    @pytest.mark.parametrize("cv", [None, GroupKFold(5)])
    def test_a_group_is_on_one_side(self, data, seen, cv):
        X, y = data
        groups = np.arange(100) // 5
        profiler(Spy(), cv=cv).fit(X, y, groups=groups)
        for fit, test in zip(seen[::2], seen[1::2], strict=True):
            assert not set(groups[fit[2].index]) & set(groups[test[2].index])
        with pytest.raises(ValueError, match="groups has shape"):
            profiler(cv=cv).plan(X, y, groups=groups[:9])
        if cv is not None:
            with pytest.raises(ValueError, match="needs groups="):
                profiler(cv=cv).fit(X, y)

    @pytest.mark.long
    def test_weights_go_to_the_models_and_are_cut(self, data):
        X, y = data
        weights = np.where(X["a"] > 0, 1.0, 0.0) + 0.01
        errors = [CorruptNoise("a"), CorruptDuplicates(), SelectionBias()]
        weighted = profiler(GaussianNB(), errors).fit(X, y, sample_weight=weights)

        def asking(wanted):
            made = GaussianNB().set_fit_request(sample_weight=wanted)
            return made.set_score_request(sample_weight=False)

        with config_context(enable_metadata_routing=True):
            asks = asking(True)
            routed = profiler(asks, errors).fit(X, y, sample_weight=weights)
            mixed = {"asks": asks, "not": asking(False)}
            both = profiler(mixed, errors).fit(X, y, sample_weight=weights)
        plain = profiler(GaussianNB(), errors).fit(X, y)
        assert routed.curves_["score"].equals(weighted.curves_["score"])
        for name, alone in (("asks", weighted), ("not", plain)):
            mine = both.curves_[both.curves_["model"] == name]
            np.testing.assert_array_equal(mine["score"], alone.curves_["score"])
        assert not weighted.curves_["score"].equals(plain.curves_["score"])


class TestScoresWithoutErrorsOfBothSigns:
    """As R² of a weak model: a share of each repeat's own score would turn its sign."""

    names = ["model", "corruption", "features", "repeat", "level", "score", "error"]

    def profile(self, scores):
        rows = [
            ["m", "noise", "a", repeat, level, score, ""]
            for repeat, run in enumerate(scores)
            for level, score in zip(LEVELS, run, strict=True)
        ]
        return profiles_of(pd.DataFrame(rows, columns=self.names), 0.05, 0.05, 0.25)

    def test_shares_are_of_the_mean(self):
        scores = [[0.3, 0.2, 0.1], [-0.05, -0.2, -0.3], [0.2, 0.1, 0.0]]
        profiles, runs = self.profile(scores)
        areas = np.array([(run[0] + 2 * run[1] + run[2]) / 4 - run[0] for run in scores])
        assert runs["aepc"].tolist() == pytest.approx(areas / 0.15)
        (row,) = profiles.to_dict("records")
        assert row["aepc"] == pytest.approx(row["area"] / row["baseline"])
        assert row["aepc"] < 0 and "mean score without errors" in row["flags"]

    def test_one_repeat_that_collapses_leaves_the_others(self):
        scores = [[0.3, 0.2, 0.1], [-0.01, -10, -30], [0.2, 0.1, 0.0]]
        profiles, _ = self.profile(scores)
        assert profiles.loc[0, "n_defined"] == 3 and profiles.loc[0, "aepc"] < -10

    def test_errors_that_change_nothing(self):
        profiles, runs = self.profile([[0.3] * 3, [-0.3] * 3])
        assert runs["aepc"].tolist() == [0, 0] and profiles.loc[0, "aepc"] == 0
        assert "AEPC" not in profiles.loc[0, "flags"]

    def test_of_one_sign_they_are_of_each(self):
        for sign in (1, -1):
            scores = sign * np.array([[0.3, 0.2, 0.1], [0.05, 0.02, 0.01]])
            profiles, runs = self.profile(scores.tolist())
            areas = scores @ [0.25, 0.5, 0.25] - scores[:, 0]
            assert runs["aepc"].tolist() == pytest.approx(areas / abs(scores[:, 0]))
            assert "mean score" not in profiles.loc[0, "flags"]

    def test_without_where_the_mean_is_near_zero(self):
        profiles, runs = self.profile([[0.3, 0.2, 0.1], [-0.29, -0.3, -0.3]])
        assert runs["aepc"].isna().all() and np.isfinite(runs["area"]).all()
        assert profiles.loc[0, "n_defined"] == 0 and not profiles.loc[0, "significant"]
