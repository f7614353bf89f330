"""Which stages there are, and what stands in their place."""

import numpy as np
import pandas as pd
import pytest
from imblearn import FunctionSampler
from imblearn.over_sampling import SMOTE, RandomOverSampler
from imblearn.pipeline import Pipeline as SamplingPipeline
from imblearn.under_sampling import RandomUnderSampler
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
    TargetEncoder,
)
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from skcorrupt import CorruptDuplicates, CorruptLabels, StageFairnessAblator

NUMBERS = ["a", "b"]


def data(n=200, seed=0, missing=False):
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, n)
    X = pd.DataFrame({"sex": sex, "a": rng.normal(size=n) + sex, "b": rng.normal(size=n)})
    X["d"] = rng.choice(["x", "y", "z"], n)
    y = (X["a"] + (X["d"] == "x") + rng.normal(size=n) > 0.7).astype(int)
    if missing:
        X.loc[rng.random(n) < 0.2, "a"] = np.nan
        X.loc[rng.random(n) < 0.2, "d"] = None
    return X, y


def ablate(pipeline, X=None, y=None, **params):
    if X is None:
        X, y = data()
    params = {
        "sensitive_features": "sex",
        "privileged": 1,
        "pos_label": 1,
        "cv": 2,
        "random_state": 0,
    } | params
    return StageFairnessAblator(pipeline, **params).fit(X, y)


def paths(ablator):
    return list(dict.fromkeys(ablator.stage_effects_["stage"]))


def reference(ablator, path):
    effects = ablator.stage_effects_.set_index("stage")
    return effects.loc[path, "reference"].iloc[0]


def nested(classifier=None):
    numbers = Pipeline([("impute", SimpleImputer()), ("scale", StandardScaler())])
    words = Pipeline([("encode", OneHotEncoder(handle_unknown="ignore", sparse_output=False))])
    union = FeatureUnion([("pca", PCA(1)), ("same", "passthrough"), ("gone", "drop")])
    prep = ColumnTransformer(
        [("num", numbers, NUMBERS), ("cat", words, ["d"]), ("gone", "drop", ["sex"])],
        remainder=StandardScaler(),
    )
    steps = [("prep", prep), ("idle", "passthrough"), ("none", None), ("union", union)]
    return Pipeline([*steps, ("model", classifier or GaussianNB())])


class TestWhichStages:
    def test_all_leaves_in_order_and_no_passthrough(self):
        expected = [
            *["prep__num__impute", "prep__num__scale", "prep__cat__encode", "prep__remainder"],
            "union__pca",
        ]
        X, y = data()
        pipeline = nested()
        with pytest.warns(UserWarning, match=r"prep__num__impute cannot be left out, as union"):
            ablator = ablate(pipeline, X.assign(e=1.0 * X["sex"]), y)
        assert paths(ablator) == expected
        assert (ablator.stage_effects_["status"] == "ok").all()

    def test_a_final_pipeline_has_stages_too(self):
        model = Pipeline([("scale", StandardScaler()), ("nb", GaussianNB())])
        columns = ColumnTransformer([("keep", "passthrough", ["sex", "a", "b"])])
        ablator = ablate(Pipeline([("columns", columns), ("model", model)]))
        assert paths(ablator) == ["model__scale"]
        with pytest.raises(ValueError, match=r"'model' is not a stage.*stages are model__scale"):
            ablate(Pipeline([("columns", columns), ("model", model)]), stages=["model"])

    def test_samplers_of_a_final_pipeline_are_counted(self):
        inner = SamplingPipeline([("under", RandomUnderSampler()), ("nb", GaussianNB())])
        columns = ColumnTransformer([("keep", "passthrough", ["sex", "a", "b"])])
        ablator = ablate(Pipeline([("columns", columns), ("model", inner)]))
        assert set(ablator.dropped_rows_["stage"]) == {"model__under"}

    def test_a_choice_of_stages_composites_among_them(self):
        pipeline = nested(HistGradientBoostingClassifier(max_iter=3))
        ablator = ablate(pipeline, stages=["prep__num__scale", "prep__num", "union"])
        assert paths(ablator) == ["prep__num__scale", "prep__num", "union"]
        twice = ablate(pipeline, stages=["prep__num__scale"] * 2)
        assert len(twice.stage_effects_) == 4

    @pytest.mark.parametrize(
        ("stages", "message"),
        [
            (["prep__num__scaler"], r"'prep__num__scaler' is not a stage.*prep__num__scale,"),
            (["model"], "'model' is not a stage"),
            (["idle"], "'idle' is not a stage"),
            (["prep__num__scale__with_mean"], "is not a stage"),
            ([3], "3 is not a stage"),
            ([""], "'' is not a stage"),
            ([], r"stages=\[\] names none; pass None"),
            ("prep__num__scale", "'stages' parameter"),
        ],
    )
    def test_unknown_paths_are_named(self, stages, message):
        with pytest.raises(ValueError, match=message):
            ablate(nested(), stages=stages)

    def test_no_stage_at_all(self):
        X, y = data()
        with pytest.raises(ValueError, match="pipeline has no stage before its final estimator"):
            ablate(Pipeline([("model", GaussianNB())]), X[["sex", "a"]], y)
        with pytest.raises(TypeError, match="should be a Pipeline"):
            ablate(GaussianNB(), X[["sex", "a"]], y)

    def test_the_pipeline_of_the_caller_is_left_as_it_is(self):
        pipeline = nested()
        before = repr(clone(pipeline).get_params())
        steps = list(pipeline.steps)
        with pytest.warns(UserWarning, match="cannot be left out"):
            ablate(pipeline)
        assert repr(pipeline.get_params()) == before
        assert all(a is b for a, b in zip(steps, pipeline.steps, strict=True))
        with pytest.raises(ValueError, match="not fitted yet"):
            check_is_fitted(pipeline.named_steps["prep"])

    def test_an_only_part_of_a_union_leaves_its_input(self):
        keep = ColumnTransformer([("keep", "passthrough", ["sex", "a", "b"])])

        def seen(parts):
            widths = []

            class Wide(GaussianNB):
                def fit(self, X, y):
                    widths.append(X.shape[1])
                    return super().fit(X, y)

            union = FeatureUnion(parts)
            ablate(Pipeline([("keep", keep), ("union", union), ("model", Wide())]))
            return widths

        assert seen([("pca", PCA(1))]) == [1, 3] * 2
        # what is left is dropped, not doubled
        assert seen([("pca", PCA(1)), ("same", "passthrough")]) == [4, 3] * 2

    def test_frames_stay_frames(self):
        """set_output reaches what stands in a stage's place."""
        words = Pipeline([("encode", OrdinalEncoder())])
        prep = ColumnTransformer(
            [("num", StandardScaler(), NUMBERS), ("cat", words, ["d"])],
            verbose_feature_names_out=False,
        )
        choose = FunctionTransformer(lambda X: X[NUMBERS])
        pipeline = Pipeline([("prep", prep), ("choose", choose), ("model", GaussianNB())])
        effects = ablate(pipeline.set_output(transform="pandas")).stage_effects_
        status = effects.groupby("stage")["status"].first()
        assert status["prep__num"] == "ok"
        assert status["prep__cat__encode"] == "ok", effects["message"].tolist()
        assert status["choose"] == "ok"


class TestReferences:
    def prep(self, encoder, classifier=None, **steps):
        words = Pipeline([*steps.items(), ("encode", encoder)])
        prep = ColumnTransformer([("num", "passthrough", ["b"]), ("cat", words, ["d"])])
        return Pipeline([("prep", prep), ("model", classifier or LogisticRegression())])

    @pytest.mark.parametrize("encoder", [OrdinalEncoder(), TargetEncoder(cv=2)])
    def test_encoders_are_compared_with_one_hot(self, encoder):
        ablator = ablate(self.prep(encoder))
        assert reference(ablator, "prep__cat__encode") == "OneHotEncoder"
        assert (ablator.stage_effects_["status"] == "ok").all()

    def test_one_hot_is_compared_with_ordinal(self):
        ablator = ablate(self.prep(OneHotEncoder(drop="first")))
        assert reference(ablator, "prep__cat__encode") == "OrdinalEncoder"
        given = ablate(
            self.prep(OneHotEncoder(drop="first")),
            references={
                "prep__cat__encode": OrdinalEncoder(
                    handle_unknown="use_encoded_value", unknown_value=-1
                )
            },
        )
        pd.testing.assert_frame_equal(ablator.stage_effects_, given.stage_effects_)

    def test_what_cannot_be_left_out_is_a_row_and_the_rest_goes_on(self):
        pipeline = self.prep(OrdinalEncoder(), scale=FunctionTransformer())
        ablator = ablate(pipeline, references={"prep__cat__encode": "passthrough"})
        effects = ablator.stage_effects_.set_index("stage")
        failed, fine = effects.loc["prep__cat__encode"], effects.loc["prep__cat__scale"]
        assert (failed["status"] == "not_ablatable").all()
        assert failed["message"].str.contains("could not convert string to float").all()
        assert failed[["mean", "ci_low", "p_value", "change_rate"]].isna().all(axis=None)
        assert not failed["significant"].any()
        assert (failed["n_splits"] == 0).all()
        assert (fine["status"] == "ok").all()
        assert fine["mean"].notna().all()
        scores = ablator.performance_effects_.set_index("stage")
        assert (scores.loc["prep__cat__encode", "status"] == "not_ablatable").all()

    def test_imputers_are_removed_where_missing_values_are_taken(self):
        X, y = data(missing=True)
        X = X[["sex", "a", "b"]]
        boosting = HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5)
        for steps in (
            [("impute", SimpleImputer()), ("scale", StandardScaler()), ("model", boosting)],
            # a second imputer takes what the first leaves
            [("impute", KNNImputer()), ("rest", SimpleImputer()), ("model", GaussianNB())],
        ):
            ablator = ablate(Pipeline(steps), X, y, stages=["impute"])
            assert reference(ablator, "impute") == ""
            assert (ablator.stage_effects_["status"] == "ok").all()

    def test_imputers_before_one_hot_encoding_are_removed(self):
        """There a missing value is a category."""
        X, y = data(missing=True)
        impute = SimpleImputer(strategy="most_frequent")
        pipeline = self.prep(OneHotEncoder(handle_unknown="ignore"), impute=impute)
        ablator = ablate(pipeline, X, y, stages=["prep__cat__impute"])
        assert reference(ablator, "prep__cat__impute") == ""
        assert (ablator.stage_effects_["status"] == "ok").all()
        pipeline = self.prep(OrdinalEncoder(), impute=impute)
        with pytest.warns(UserWarning, match="prep__cat__impute cannot be left out, as model"):
            ablator = ablate(pipeline, X, y, stages=["prep__cat__impute"])
        assert reference(ablator, "prep__cat__impute") == "SimpleImputer"

    def test_imputers_of_a_code_are_removed(self):
        X, y = data()
        X = X[["sex", "a", "b"]].assign(b=np.where(X["b"] > 1, -1.0, X["b"]))
        impute = SimpleImputer(missing_values=-1.0)
        ablator = ablate(Pipeline([("impute", impute), ("model", GaussianNB())]), X, y)
        assert reference(ablator, "impute") == ""
        assert (ablator.stage_effects_["change_rate"] > 0).all()

    def test_a_constant_is_used_otherwise_with_a_warning(self):
        X, y = data(missing=True)
        pipeline = Pipeline([("impute", SimpleImputer()), ("model", GaussianNB())])
        with pytest.warns(UserWarning, match="impute cannot be left out, as model takes no"):
            ablator = ablate(pipeline, X[["sex", "a", "b"]], y)
        assert reference(ablator, "impute") == "SimpleImputer"
        assert ablator.stage_effects_["message"].str.contains("strategy='constant'").all()
        assert (ablator.stage_effects_["change_rate"] > 0).all()

    def test_a_given_reference_is_taken_without_a_warning(self):
        X, y = data(missing=True)
        pipeline = Pipeline([("impute", SimpleImputer()), ("model", GaussianNB())])
        median = SimpleImputer(strategy="median")
        ablator = ablate(pipeline, X[["sex", "a", "b"]], y, references={"impute": median})
        assert reference(ablator, "impute") == "SimpleImputer"
        same = ablate(pipeline, X[["sex", "a", "b"]], y, references={"impute": SimpleImputer()})
        assert (same.stage_effects_["mean"] == 0).all()
        assert (same.stage_effects_["p_value"] == 1).all()

    @pytest.mark.parametrize(
        ("references", "message"),
        [
            ({"prep__cat__enc": OneHotEncoder()}, "'prep__cat__enc' should be one of the stages"),
            ({"prep__cat__encode": OneHotEncoder}, r"references\['prep__cat__encode'\].*should be"),
            ({"prep__cat__encode": "onehot"}, "='onehot' should be an estimator"),
            ({1: None, "x": None}, "references: 1, 'x' should be one of the stages"),
            ([("prep__cat__encode", None)], "'references' parameter"),
        ],
    )
    def test_wrong_references_are_named(self, references, message):
        with pytest.raises(ValueError, match=message):
            ablate(self.prep(OrdinalEncoder()), references=references)


def without_low(X, y):
    keep = X[:, 1] > -0.5
    return X[keep], y[keep]


class TestDroppedRows:
    columns = ColumnTransformer([("keep", "passthrough", ["sex", "a", "b"])])

    def ablate(self, sampler, X=None, y=None, **params):
        steps = [("columns", self.columns), ("rows", sampler), ("model", GaussianNB())]
        return ablate(SamplingPipeline(steps), X, y, **params)

    def expected(self, kept):
        """Mean rows and dropped rows by group, over the two halves of unshuffled folds."""
        X, y = data()
        found = {0: [], 1: []}
        for train, _ in StratifiedKFold(2).split(X, y):
            for sex in (0, 1):
                group = train[X["sex"].iloc[train] == sex]
                found[sex].append((len(group), len(group) - kept(X, y, group)))
        return {sex: np.mean(counts, axis=0) for sex, counts in found.items()}

    def check(self, ablator, kept):
        rows = ablator.dropped_rows_.set_index("group")
        expected = self.expected(kept)
        for name, sex in (("all others", 0), ("1", 1)):
            n_rows, n_dropped = expected[sex]
            assert rows.loc[name, "n_rows"] == n_rows
            assert rows.loc[name, "n_dropped"] == n_dropped
            assert rows.loc[name, "dropped"] == pytest.approx(n_dropped / n_rows)
        return rows

    def test_row_filters(self):
        ablator = self.ablate(FunctionSampler(func=without_low))
        self.check(ablator, lambda X, y, rows: (X["a"].iloc[rows] > -0.5).sum())
        assert paths(ablator) == ["rows"]
        assert (ablator.stage_effects_["status"] == "ok").all()

    def test_filters_by_label_among_equal_rows(self):
        """Rows of equal content and different label are told apart."""
        X, y = data()
        X = X.assign(a=X["a"].round(), b=0.0)

        def only(X, y):
            keep = (y == 1) | (np.arange(len(y)) % 2 == 0)
            return X[keep], y[keep]

        ablator = self.ablate(FunctionSampler(func=only), X, y)
        counted = ablator.dropped_rows_["n_dropped"].sum()
        gone = [
            ((y.iloc[train] == 0) & (np.arange(len(train)) % 2 == 1)).sum()
            for train, _ in StratifiedKFold(2).split(X, y)
        ]
        assert counted == np.mean(gone)
        # the group is nothing that the filter sees
        X["a"] = 1.0
        keep = ColumnTransformer([("keep", "passthrough", ["a", "b"])])
        last = FunctionSampler(func=lambda X, y: (X[y == 1], y[y == 1]))
        steps = [("keep", keep), ("last", last), ("model", DummyClassifier())]
        rows = ablate(SamplingPipeline(steps), X, y).dropped_rows_.set_index("group")
        halves = [train for train, _ in StratifiedKFold(2).split(X, y)]
        for name, sex in (("all others", 0), ("1", 1)):
            gone = [((X["sex"] == sex) & (y == 0)).iloc[train].sum() for train in halves]
            assert rows.loc[name, "n_dropped"] == np.mean(gone)
        flipped = self.ablate(FunctionSampler(func=lambda X, y: (X, 1 - y)), X, y)
        assert (flipped.dropped_rows_["n_dropped"] == 0).all()

    def test_over_and_under_sampling(self):
        over = self.ablate(RandomOverSampler()).dropped_rows_
        assert (over["n_dropped"] == 0).all()
        assert over["n_copied"].sum() > 0
        made_up = self.ablate(SMOTE()).dropped_rows_
        assert (made_up[["n_dropped", "n_copied"]] == 0).all(axis=None)
        X, y = data()
        under = self.ablate(RandomUnderSampler(), X, y).dropped_rows_
        halves = [y.iloc[train] for train, _ in StratifiedKFold(2).split(X, y)]
        gone = [len(half) - 2 * min((half == 0).sum(), (half == 1).sum()) for half in halves]
        assert under["n_dropped"].sum() == np.mean(gone)

    def test_copies_that_came_in_are_not_dropped(self):
        """Duplicated training rows pass a filter that keeps everything."""
        keep = FunctionSampler(func=lambda X, y: (X, y))
        rows = self.ablate(keep, corruption=CorruptDuplicates(rate=0.3)).dropped_rows_
        assert rows["n_rows"].sum() == 130
        assert (rows[["n_dropped", "n_copied"]] == 0).all(axis=None)

    def test_several_samplers_one_after_the_other(self):
        low = FunctionSampler(func=without_low)
        steps = [("columns", self.columns), ("smote", SMOTE()), ("low", low), ("nb", GaussianNB())]
        rows = ablate(SamplingPipeline(steps)).dropped_rows_.set_index(["stage", "group"])
        first = rows.loc["smote"]
        second = rows.loc["low"]
        # rows that are made up are of no group
        assert (first["n_rows"] == second["n_rows"]).all()
        assert (second["n_dropped"] > 0).all()

    def test_a_corruption_as_a_stage(self):
        rows = self.ablate(CorruptLabels(rate=0.3)).dropped_rows_
        assert (rows["n_dropped"] == 0).all()


class Plain(BaseEstimator, TransformerMixin):
    """Knows nothing of names, and fits and transforms one after the other."""

    def fit(self, X, y=None):
        self.mean_ = np.asarray(X, float).mean(axis=0)
        return self

    def transform(self, X):
        return np.asarray(X, float) - self.mean_


def test_steps_that_know_little():
    X, y = data()
    pipeline = Pipeline([("plain", Plain()), ("tree", DecisionTreeClassifier(max_depth=2))])
    effects = ablate(pipeline, X[["sex", "a", "b"]], y).stage_effects_
    assert (effects["mean"] == 0).all()
    assert (effects["status"] == "ok").all()
