"""Intervals, tests, performance and the noise of seeds."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, get_scorer, make_scorer, recall_score, roc_auc_score
from sklearn.model_selection import ShuffleSplit, StratifiedKFold, StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import Binarizer, MinMaxScaler, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import StageFairnessAblator
from skcorrupt.metrics import make_fairness_scorer
from skcorrupt.report import write_html

CV = StratifiedKFold(4, shuffle=True, random_state=0)


def data(n=240, seed=0, shift=1.0):
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, n)
    a = rng.normal(size=n) + shift * sex
    X = pd.DataFrame({"sex": sex, "a": a, "b": rng.normal(size=n)})
    return X, (a + X["b"] + rng.normal(size=n) > 0.5).astype(int)


class FailsFor(TransformerMixin, BaseEstimator):
    """Raises on rows that are scored, if one of some values is among them."""

    def __init__(self, values):
        self.values = values

    def fit(self, X, y=None):
        """Learn nothing."""
        self.n_ = len(X)
        return self

    def transform(self, X):
        """The same rows."""
        if len(X) < self.n_ and X["a"].isin(self.values).any():
            raise RuntimeError("it fails on these")
        return X


def pipeline(model=None):
    steps = [("scale", StandardScaler()), ("binary", Binarizer()), ("model", model or GaussianNB())]
    return Pipeline(steps)


def ablate(model=None, xy=None, **params):
    X, y = data() if xy is None else xy
    params = {
        "sensitive_features": "sex",
        "privileged": 1,
        "pos_label": 1,
        "cv": CV,
        "random_state": 0,
    } | params
    return StageFairnessAblator(model or pipeline(), **params).fit(X, y)


class TestPerformance:
    def by_hand(self, score):
        """Score with and without the binary stage, a pair a split."""
        X, y = data()
        pairs = []
        for train, test in CV.split(X, y):
            pair = []
            for change in ({}, {"binary": "passthrough"}):
                fresh = pipeline().set_params(**change).fit(X.iloc[train], y.iloc[train])
                pair.append(score(fresh, X.iloc[test], y.iloc[test]))
            pairs.append(pair)
        return np.mean(pairs, axis=0)

    def row(self, ablator, name):
        scores = ablator.performance_effects_.set_index(["stage", "metric"])
        return scores.loc[("binary", name)]

    def auc(self, model, X, y):
        return roc_auc_score(y, model.predict_proba(X)[:, 1])

    @pytest.mark.many
    @pytest.mark.parametrize("kind", ["str", "list", "tuple", "dict", "callable", "many", "made"])
    def test_scorers_of_any_kind(self, kind):
        def many(model, X, y):
            return {"roc_auc": self.auc(model, X, y), "accuracy": model.score(X, y)}

        scoring = {
            "str": "roc_auc",
            "list": ["roc_auc", "accuracy"],
            "tuple": ("roc_auc", "accuracy"),
            "dict": {"roc_auc": self.auc, "accuracy": make_scorer(accuracy_score)},
            "callable": self.auc,
            "many": many,
            "made": get_scorer("roc_auc"),
        }[kind]
        ablator = ablate(scoring=scoring)
        single = kind in ("str", "callable", "made")
        names = ["score"] if single else ["roc_auc", "accuracy"]
        names = ["roc_auc"] if kind == "str" else names
        assert ablator.performance_effects_["metric"].unique().tolist() == names
        row, (new, old) = self.row(ablator, names[0]), self.by_hand(self.auc)
        assert row[["with_stage", "without_stage"]].to_list() == pytest.approx([new, old])
        assert row["mean"] == pytest.approx(new - old)
        if not single:
            row, (new, old) = (
                self.row(ablator, "accuracy"),
                self.by_hand(lambda m, X, y: m.score(X, y)),
            )
            assert row["mean"] == pytest.approx(new - old)

    def test_a_scorer_that_looks_at_other_rows(self):
        """What the stages made of the test data is not taken for other data."""

        def first_half(model, X, y):
            half = len(y) // 2
            return float(np.mean(model.predict(X.iloc[:half]) == y.iloc[:half]))

        def shuffled(model, X, y):
            return float(np.mean(model.predict(X[::-1]) == y.to_numpy()))

        for scorer in (first_half, shuffled):
            row, (new, old) = self.row(ablate(scoring=scorer), "score"), self.by_hand(scorer)
            assert row[["with_stage", "without_stage"]].to_list() == pytest.approx([new, old])

    def test_fairness_scorers_read_the_raw_data(self):
        scorer = make_fairness_scorer("spd", sensitive_features="sex", privileged=1, pos_label=1)
        row, (new, old) = self.row(ablate(scoring=scorer), "score"), self.by_hand(scorer)
        assert row[["with_stage", "without_stage"]].to_list() == pytest.approx([new, old])

    def test_a_scorer_that_fails_leaves_fairness_alone(self):
        def failing(model, X, y):
            raise RuntimeError("no score today")

        with pytest.warns(UserWarning, match="scoring fails on 4 of 4 splits.*no score today"):
            ablator = ablate(scoring={"bad": failing, "good": "accuracy"})
        expected = ablate()
        pd.testing.assert_frame_equal(ablator.stage_effects_, expected.stage_effects_)
        scores = ablator.performance_effects_.set_index(["stage", "metric"])
        assert scores.loc[("binary", "bad"), "n_splits"] == 0
        assert (
            "4 of 4 splits unscored: bad: RuntimeError" in scores.loc[("binary", "bad"), "message"]
        )
        assert scores.loc[("binary", "good"), "n_splits"] == 4
        with pytest.raises(RuntimeError, match="no score today"):
            ablate(scoring=failing, error_score="raise")

    def test_unknown_scorers_are_named(self):
        with pytest.raises(ValueError, match="'acuracy'"):
            ablate(scoring="acuracy")


class TestIntervals:
    def test_one_split_gets_a_paired_bootstrap(self):
        X, y = data()
        cv = ShuffleSplit(1, test_size=0.5, random_state=3)
        ablator = ablate(cv=cv)
        train, test = next(cv.split(X, y))
        new, old = (
            pipeline().set_params(**change).fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test])
            for change in ({}, {"binary": "passthrough"})
        )
        group = X["sex"].iloc[test].to_numpy()
        rng = np.random.default_rng(5)
        drawn, whole = [], []
        for _ in range(2_000):
            rows = rng.integers(0, len(test), len(test))
            a, n, o = group[rows], new[rows], old[rows]
            levels = [g[a == 0].mean() - g[a == 1].mean() for g in (n, o)]
            drawn.append(levels[0] - levels[1])
            whole.append(levels[0])
        row = ablator.stage_effects_.set_index(["stage", "metric"]).loc[("binary", "spd")]
        expected = np.quantile(drawn, [0.025, 0.975])
        assert row[["ci_low", "ci_high"]].to_list() == pytest.approx(expected.tolist(), abs=0.012)
        assert row["n_splits"] == 1
        assert 0 < row["p_value"] <= 1
        level = ablator.global_fairness_.set_index(["stage", "metric"]).loc[("binary", "spd")]
        expected = np.quantile(whole, [0.025, 0.975]).tolist()
        assert level[["with_stage_low", "with_stage_high"]].to_list() == pytest.approx(
            expected, abs=0.015
        )
        again = ablate(cv=cv)
        pd.testing.assert_frame_equal(again.stage_effects_, ablator.stage_effects_)

    def test_a_stage_that_does_nothing_is_not_significant(self):
        for cv in (CV, ShuffleSplit(1, test_size=0.5, random_state=3)):
            tree = DecisionTreeClassifier(max_depth=3, random_state=0)
            steps = [("scale", MinMaxScaler((0, 8))), ("model", tree)]
            effects = ablate(Pipeline(steps), cv=cv).stage_effects_
            assert (effects[["mean", "change_rate"]] == 0).all(axis=None)
            assert (effects["p_value"] == 1).all()
            assert not effects["significant"].any()

    def test_the_level_of_confidence(self):
        hide = Pipeline([("hide", Hide()), ("model", LogisticRegression())])
        wide, narrow = (ablate(hide, skilled(), alpha=c).stage_effects_ for c in (0.01, 0.5))
        assert (wide["ci_low"] <= narrow["ci_low"]).all()
        assert (wide["ci_high"] >= narrow["ci_high"]).all()
        for effects, level in ((wide, 0.99), (narrow, 0.5)):
            assert (effects["significant"] == (effects["p_adjusted"] <= 1 - level)).all()
        assert narrow["significant"].any()

    def test_multiplicity_over_stages(self):
        steps = [*pipeline().steps]
        steps.insert(1, ("minmax", MinMaxScaler()))
        effects = ablate(Pipeline(steps)).stage_effects_
        for _, rows in effects.groupby("metric"):
            assert len(rows) == 3
            expected = false_discovery_control(rows["p_value"])
            assert rows["p_adjusted"].to_numpy() == pytest.approx(expected)

    def test_a_metric_that_is_undefined_on_some_splits(self):
        """Nobody of the privileged group has the favourable label there."""
        X, y = data(120)
        y[(X["sex"] == 1) & (X.index > 9)] = 0
        y[(X["sex"] == 1) & (X.index <= 9)] = 1
        cv = [(np.arange(60, 120), np.arange(60)), (np.r_[:20, 60:120], np.arange(20, 60))]
        effects = ablate(xy=(X, y), cv=cv).stage_effects_.set_index("metric")
        assert effects.loc["spd", "n_splits"].tolist() == [2, 2]
        assert effects.loc["eod", "n_splits"].tolist() == [1, 1]
        assert effects.loc["eod", "message"].str.contains("undefined on 1 of 2 splits").all()
        assert not effects.loc["spd", "message"].str.contains("undefined").any()

    def test_a_gap_that_is_undefined_on_most_splits_is_not_tested(self):
        X, y = data(300)
        X["sex"] = np.isin(np.arange(300), [0, 1]).astype(int)
        starts = range(0, 300, 60)
        cv = [(np.r_[:i, i + 60 : 300], np.r_[i : i + 60]) for i in starts]
        cv += [(np.r_[i : i + 60, 200:300], np.r_[:i, i + 60 : 200]) for i in starts[:1]]
        with pytest.warns(
            UserWarning, match=r"Known are spd on 1, .* of 6 splits by 'sex' \(0 / 1\)"
        ):
            ablator = ablate(xy=(X, y), cv=cv)
        effects = ablator.stage_effects_.set_index("metric")
        assert effects.loc["spd", "n_splits"].tolist() == [1, 1]
        assert effects.loc["spd", "mean"].notna().all()
        assert effects["p_value"].isna().all() and not effects["significant"].any()
        assert ablator.global_fairness_["n_splits"].eq(1).all()
        assert "(compared on 1 of 6 splits)" in ablator.summary()

    def test_gaps_that_most_splits_know_of_are_told_before_larger_ones(self, tmp_path):
        """Those of errors are of one person in one test part, and larger than any others."""
        X, y = data(300)
        X["sex"] = np.arange(300) % 2
        y = (X["a"] > X["a"].median()).astype(int)
        y[X["sex"] == 1] = 1
        y.iloc[1] = 0
        cv = [(np.r_[:i, i + 60 : 300], np.r_[i : i + 60]) for i in range(0, 300, 60)]
        with pytest.warns(UserWarning, match="aod on 1, erd on 1 of 5 splits"):
            ablator = ablate(xy=(X, y), cv=cv)
        levels = ablator.global_fairness_.drop_duplicates("metric").set_index("metric")
        assert levels["n_splits"].to_dict() == {"spd": 5, "eod": 5, "aod": 1, "erd": 1}
        assert levels["with_stage"].abs().loc[["aod", "erd"]].max() > 0.5
        assert "compared on" not in ablator.summary()
        page = write_html(ablator, tmp_path / "page.html").read_text(encoding="utf-8")
        told = page[page.index("Gaps of the whole pipeline") :][:400]
        assert "SPD" in told or "EOD" in told
        assert "AOD" not in told and "ERD" not in told

    def test_pairs_of_groups_that_few_splits_know_of_come_last(self):
        """Those of five people are in one test part, where their gaps are large."""
        X, y = data(300)
        X["origin"] = np.select([np.arange(300) < 5], [1], 0)
        y[X["origin"] == 1] = [0, 1, 0, 1, 0]
        cv = [(np.r_[:i, i + 60 : 300], np.r_[i : i + 60]) for i in range(0, 300, 60)]
        asked = {"sensitive_features": ["origin", "sex"], "privileged": {"origin": 0, "sex": 1}}
        with pytest.warns(UserWarning, match=r"of 5 splits by 'origin' \(1 / 0\)"):
            ablator = ablate(xy=(X, y), cv=cv, **asked)
        said = ablator.summary()
        assert 0 < said.index("by `sex`") < said.index("by `origin`")
        assert "(compared on 1 of 5 splits)" in said[said.index("by `origin`") :]
        assert "compared on" not in said[: said.index("by `origin`")]

    def test_splits_on_which_a_pipeline_fails_are_no_matter_of_groups(self):
        X, y = data(300)
        cv = [(np.r_[:i, i + 30 : 300], np.r_[i : i + 30]) for i in range(0, 300, 30)]
        pipe = pipeline()
        pipe.steps.insert(0, ("fails", FailsFor(X["a"].iloc[60:].to_list())))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            ablator = ablate(pipe, xy=(X, y), cv=cv)
        assert ablator.global_fairness_["n_splits"].max() == 2
        assert any("fail" in str(each.message) for each in told)
        assert not any("Few test parts" in str(each.message) for each in told)

    def test_a_bootstrap_of_one_person_says_nothing(self):
        X, y = data(120)
        y[X["sex"] == 1] = 0
        y.iloc[np.flatnonzero(X["sex"] == 1)[[0, -1]]] = 1
        cv = [(np.arange(60), np.arange(60, 120))]
        effects = ablate(xy=(X, y), cv=cv).stage_effects_.set_index("metric")
        for metric, defined in (("spd", True), ("eod", False), ("aod", False)):
            rows = effects.loc[metric]
            assert rows["mean"].notna().all()
            assert (rows[["ci_low", "ci_high", "p_value"]].notna() == defined).all(axis=None)
            assert defined or not rows["significant"].any()

    def test_a_group_that_is_absent_from_some_splits(self):
        X, y = data(120)
        X["sex"] = (np.arange(120) < 10).astype(int)
        cv = [(np.arange(0, 120, 2), np.arange(1, 120, 2)), (np.r_[:60], np.r_[60:120])]
        effects = ablate(xy=(X, y), cv=cv).stage_effects_
        assert effects["to_favourable_privileged"].notna().all()
        assert effects["message"].str.contains("only 10 people in '1'").all()


class TestNoiseFloor:
    def test_another_seed_alone(self):
        tree = DecisionTreeClassifier(max_features=1, max_depth=3)
        steps = [("scale", StandardScaler()), ("minmax", MinMaxScaler()), ("model", tree)]
        ablator = ablate(Pipeline(steps), noise_floor=True)
        floor = ablator.noise_floor_
        assert floor["metric"].tolist() == ["spd", "eod", "aod", "erd"]
        assert (floor["change_rate"] > 0).all()
        assert (floor["mean_size"] >= floor["mean"].abs()).all()
        assert (floor["n_splits"] == 4).all()
        plain = ablate(Pipeline(steps))
        pd.testing.assert_frame_equal(plain.stage_effects_, ablator.stage_effects_)
        assert not hasattr(plain, "noise_floor_")
        # three stages fitted once more on each split
        assert ablator.n_fits_ == plain.n_fits_ + 3 * 4

    def test_none_without_randomness(self):
        floor = ablate(noise_floor=True).noise_floor_
        assert (floor[["mean", "std", "change_rate"]] == 0).all(axis=None)

    def test_it_is_forgotten(self):
        ablator = ablate(noise_floor=True).set_params(noise_floor=False)
        assert not hasattr(ablator.fit(*data()), "noise_floor_")


def test_the_default_splits():
    for n, n_splits in ((1_000, 30), (1_001, 10)):
        ablator = ablate(Pipeline([("s", StandardScaler()), ("m", GaussianNB())]), data(n), cv=None)
        assert ablator.n_splits_ == n_splits
        assert (ablator.stage_effects_["n_splits"] == n_splits).all()


def test_decisions_that_are_all_alike():
    effects = ablate(pipeline(DummyClassifier())).stage_effects_
    assert (effects["mean"] == 0).all()


class Hide(StandardScaler):
    """Takes what is known of the skill of the unprivileged."""

    def transform(self, X, copy=None):
        values = super().transform(X).copy()
        values[np.asarray(X)[:, 0] == 0, 1] = 0
        return values


def skilled(n=1_000):
    """Three in ten of the unprivileged and half of the privileged have the skill."""
    rng = np.random.default_rng(0)
    sex = rng.integers(0, 2, n)
    X = pd.DataFrame({"sex": sex, "skill": rng.normal(size=n) - 0.5 * (sex == 0)})
    return X, (X["skill"] > 0).astype(int)


def test_the_direction_of_changes():
    """A stage that hides the skill of one group takes favourable decisions from it."""
    steps = [("hide", Hide()), ("model", LogisticRegression())]
    scoring = {"recall": make_scorer(recall_score)}
    ablator = ablate(Pipeline(steps), skilled(), scoring=scoring)
    row = ablator.stage_effects_.set_index("metric").loc["eod"]
    assert row["mean"] < -0.8
    assert row["significant"]
    assert row["to_unfavourable_unprivileged"] > 0.2
    assert row["to_unfavourable_privileged"] < 0.05
    assert row["to_unfavourable"] > 3 * row["to_favourable"]
    assert ablator.performance_effects_["mean"].item() < -0.1
    assert ablator.performance_effects_["significant"].item()


class TestStagesThatCannotBeLeftOut:
    def ablate(self, cv):
        rng = np.random.default_rng(0)
        X = pd.DataFrame({"kind": rng.choice(list("abc"), 200), "sex": rng.integers(0, 2, 200)})
        y = ((X["kind"] == "a") | (X["sex"] == 1)).astype(int)
        code = OneHotEncoder(sparse_output=False)
        pipeline = Pipeline([("code", code), ("model", LogisticRegression())])
        ablator = StageFairnessAblator(
            pipeline,
            sensitive_features="sex",
            privileged=1,
            pos_label=1,
            references={"code": "passthrough"},
            cv=cv,
            random_state=0,
        )
        return ablator.fit(X, y), pipeline, X, y

    def test_the_whole_pipeline_is_measured_all_the_same(self):
        cv = StratifiedShuffleSplit(4, test_size=0.3, random_state=0)
        ablator, pipeline, X, y = self.ablate(cv)
        assert set(ablator.stage_effects_["status"]) == {"not_ablatable"}
        gaps, accuracy = [], []
        for train, test in cv.split(X, y):
            guess = pipeline.fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test])
            women = (X["sex"].iloc[test] == 0).to_numpy()
            gaps.append(guess[women].mean() - guess[~women].mean())
            accuracy.append((guess == y.iloc[test]).mean())
        levels = ablator.global_fairness_.set_index("metric").loc["spd"]
        assert levels["with_stage"] == pytest.approx(np.mean(gaps))
        assert levels["with_stage_low"] < levels["with_stage"] < levels["with_stage_high"]
        assert np.isnan(levels["without_stage"])
        scores = ablator.performance_effects_.set_index("metric").loc["accuracy"]
        assert scores["with_stage"] == pytest.approx(np.mean(accuracy))
        assert np.isnan(scores["mean"])

    def test_a_single_split_says_that_scores_have_no_interval(self):
        ablator, *_ = self.ablate(StratifiedShuffleSplit(1, test_size=0.3, random_state=0))
        messages = ablator.performance_effects_["message"]
        assert messages.str.contains("a single split gives no interval").all()
