"""Which stages there are."""

import numpy as np
import pandas as pd
import pytest
from imblearn.pipeline import Pipeline as SamplingPipeline
from imblearn.under_sampling import RandomUnderSampler
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from skcorrupt.fairness import compare_transformers
from stages_for_tests import NUMBERS, ablate, paths, reference, table


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
        X, y = table()
        pipeline = nested()
        with pytest.warns(UserWarning, match=r"prep__num__impute is not left out, as union"):
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
        assert paths(ablate(pipeline, stages="prep__num__scale")) == ["prep__num__scale"]

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
            ("", "stages='' names none; pass None"),
            ("model", "'model' is not a stage"),
            (3, "'stages' parameter"),
        ],
    )
    def test_unknown_paths_are_named(self, stages, message):
        with pytest.raises(ValueError, match=message):
            ablate(nested(), stages=stages)

    def test_no_stage_at_all(self):
        X, y = table()
        with pytest.raises(ValueError, match="pipeline has no stage before its final estimator"):
            ablate(Pipeline([("model", GaussianNB())]), X[["sex", "a"]], y)
        with pytest.raises(TypeError, match="should be a Pipeline"):
            ablate(GaussianNB(), X[["sex", "a"]], y)

    def test_the_pipeline_of_the_caller_is_left_as_it_is(self):
        pipeline = nested()
        before = repr(clone(pipeline).get_params())
        steps = list(pipeline.steps)
        with pytest.warns(UserWarning, match="is not left out"):
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

    @pytest.mark.parametrize(
        ("asked", "told", "width"),
        [
            ({}, "drop", 3),
            ({"u__pca": None}, "drop", 3),
            ({"u__pca": "drop"}, "drop", 3),
            ({"u__pca": "passthrough"}, "passthrough", 6),
        ],
    )
    def test_what_a_part_of_a_union_is_compared_with_is_told(self, asked, told, width):
        widths = []

        class Wide(GaussianNB):
            def fit(self, X, y):
                widths.append(X.shape[1])
                return super().fit(X, y)

        union = FeatureUnion([("pca", PCA(1)), ("same", "passthrough")])
        X, y = table()
        pipeline = Pipeline([("scale", StandardScaler()), ("u", union), ("model", Wide())])
        ablator = ablate(pipeline, X[["sex", "a", "b"]], y, stages=["u__pca"], references=asked)
        assert widths == [4, width] * 2
        assert reference(ablator, "u__pca") == told
        for found in (ablator.global_fairness_, ablator.performance_effects_):
            assert (found["reference"] == told).all()

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

    @pytest.mark.many
    @pytest.mark.parametrize(
        "reference",
        [
            MinMaxScaler(),
            Pipeline([("power", PowerTransformer()), ("scale", MinMaxScaler())]),
            FeatureUnion([("scale", MinMaxScaler())], verbose_feature_names_out=False),
            ColumnTransformer(
                [("scale", MinMaxScaler(), NUMBERS)], verbose_feature_names_out=False
            ),
        ],
        ids=lambda estimator: type(estimator).__name__,
    )
    @pytest.mark.parametrize("nested", [False, True])
    def test_what_takes_a_stages_place_gives_frames_as_it_did(self, reference, nested):
        """Columns that follow are chosen by name, which arrays do not have."""
        X, y = table()
        X.index = range(1000, 1000 + len(X))
        stage = Pipeline([("scale", StandardScaler())]) if nested else StandardScaler()
        choose = ColumnTransformer([("keep", StandardScaler(), NUMBERS)])
        pipeline = Pipeline([("stage", stage), ("choose", choose), ("model", GaussianNB())])
        pipeline.set_output(transform="pandas")
        params = {"stages": "stage", "references": {"stage": reference}}
        effects = ablate(pipeline, X[["sex", "a", "b"]], y, **params).stage_effects_
        assert (effects["status"] == "ok").all(), effects["message"].unique().tolist()
        # what the user gave is left as it is
        assert isinstance(clone(reference).fit_transform(X[["sex", "a", "b"]]), np.ndarray)

    def test_a_default_reference_gives_frames_as_the_stage_did(self):
        """A frame made of an array has an index of its own, and does not go with the others."""
        X, y = table()
        X.index = range(1000, 1000 + len(X))
        words = Pipeline([("encode", OrdinalEncoder()), ("scale", StandardScaler())])
        prep = ColumnTransformer([("num", StandardScaler(), NUMBERS), ("cat", words, ["d"])])
        pipeline = Pipeline([("prep", prep), ("model", GaussianNB())])
        ablator = ablate(pipeline.set_output(transform="pandas"), X, y)
        assert reference(ablator, "prep__cat__encode") == "OneHotEncoder"
        assert (ablator.stage_effects_["status"] == "ok").all(), ablator.stage_effects_["message"]

    def test_a_candidate_gives_frames_as_the_stage_did(self):
        X, y = table()
        choose = ColumnTransformer([("keep", "passthrough", NUMBERS)])
        steps = [("scale", StandardScaler()), ("choose", choose), ("model", GaussianNB())]
        found = compare_transformers(
            Pipeline(steps).set_output(transform="pandas"),
            "scale",
            X[["sex", "a", "b"]],
            y,
            candidates=[MinMaxScaler()],
            sensitive_features="sex",
            privileged=1,
            pos_label=1,
            cv=2,
        )
        assert (found["status"] == "ok").all(), found["message"].unique().tolist()

    @pytest.mark.parametrize("own", [None, "default"])
    def test_a_reference_that_says_what_it_gives_is_left_so(self, own):
        seen = []

        class Spy(GaussianNB):
            def fit(self, X, y):
                seen.append(isinstance(X, pd.DataFrame))
                return super().fit(X, y)

        X, y = table()
        reference = StandardScaler().set_output(transform=own)
        pipeline = Pipeline([("scale", StandardScaler()), ("model", Spy())])
        pipeline.set_output(transform="pandas")
        ablate(pipeline, X[["sex", "a", "b"]], y, references={"scale": reference})
        assert seen == [True, own is None] * 2


class Plain(BaseEstimator, TransformerMixin):
    """Knows nothing of names, and fits and transforms one after the other."""

    def fit(self, X, y=None):
        self.mean_ = np.asarray(X, float).mean(axis=0)
        return self

    def transform(self, X):
        return np.asarray(X, float) - self.mean_


def test_steps_that_know_little():
    X, y = table()
    pipeline = Pipeline([("plain", Plain()), ("tree", DecisionTreeClassifier(max_depth=2))])
    effects = ablate(pipeline, X[["sex", "a", "b"]], y).stage_effects_
    assert (effects["mean"] == 0).all()
    assert (effects["status"] == "ok").all()
