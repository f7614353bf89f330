"""What stands in the place of a stage."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
    TargetEncoder,
)

from stages_for_tests import ablate, reference, table


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
        X, y = table(missing=True)
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
        X, y = table(missing=True)
        impute = SimpleImputer(strategy="most_frequent")
        pipeline = self.prep(OneHotEncoder(handle_unknown="ignore"), impute=impute)
        ablator = ablate(pipeline, X, y, stages=["prep__cat__impute"])
        assert reference(ablator, "prep__cat__impute") == ""
        assert (ablator.stage_effects_["status"] == "ok").all()
        pipeline = self.prep(OrdinalEncoder(), impute=impute)
        with pytest.warns(UserWarning, match="prep__cat__impute is not left out, as model"):
            ablator = ablate(pipeline, X, y, stages=["prep__cat__impute"])
        assert reference(ablator, "prep__cat__impute") == "a constant"

    def test_one_hot_encoding_of_missing_values_is_compared_with_ordinal(self):
        X, y = table(missing=True)
        encoder = OneHotEncoder(handle_unknown="ignore")
        for model in (LogisticRegression(), HistGradientBoostingClassifier(max_iter=3)):
            columns = [("cat", encoder, ["d"]), ("num", "passthrough", ["b"])]
            prep = ColumnTransformer(columns, sparse_threshold=0)
            ablator = ablate(Pipeline([("prep", prep), ("model", model)]), X, y)
            assert reference(ablator, "prep__cat") == "OrdinalEncoder"
            assert (ablator.stage_effects_["status"] == "ok").all()

    def test_steps_that_do_not_look_at_their_input_take_missing_values(self):
        X, y = table(missing=True)
        boosting = HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5)
        steps = [("impute", SimpleImputer()), ("f", FunctionTransformer()), ("model", boosting)]
        ablator = ablate(Pipeline(steps), X[["sex", "a", "b"]], y)
        assert reference(ablator, "impute") == ""
        steps[1:] = [("f", FunctionTransformer()), ("model", GaussianNB())]
        with pytest.warns(UserWarning, match="as model does not declare"):
            ablate(Pipeline(steps), X[["sex", "a", "b"]], y)

    def test_what_does_not_declare_it_can_be_tried_all_the_same(self):
        """The warning says how, and is not made where it was asked for."""
        X, y = table(missing=True)

        class Tolerant(GaussianNB):
            def fit(self, X, y):
                return super().fit(np.nan_to_num(X), y)

            def predict(self, X):
                return super().predict(np.nan_to_num(X))

        pipeline = Pipeline([("impute", SimpleImputer()), ("model", Tolerant())])
        with pytest.warns(UserWarning, match=r"Pass references=\{'impute': 'passthrough'\}"):
            ablate(pipeline, X[["sex", "a", "b"]], y)
        asked = ablate(pipeline, X[["sex", "a", "b"]], y, references={"impute": "passthrough"})
        assert reference(asked, "impute") == ""
        assert (asked.stage_effects_["status"] == "ok").all()

    def test_imputers_of_a_code_are_removed(self):
        X, y = table()
        X = X[["sex", "a", "b"]].assign(b=np.where(X["b"] > 1, -1.0, X["b"]))
        impute = SimpleImputer(missing_values=-1.0)
        ablator = ablate(Pipeline([("impute", impute), ("model", GaussianNB())]), X, y)
        assert reference(ablator, "impute") == ""
        assert (ablator.stage_effects_["change_rate"] > 0).all()

    def test_a_constant_is_used_otherwise_with_a_warning(self):
        X, y = table(missing=True)
        pipeline = Pipeline([("impute", SimpleImputer()), ("model", GaussianNB())])
        with pytest.warns(UserWarning, match="impute is not left out, as model does not declare"):
            ablator = ablate(pipeline, X[["sex", "a", "b"]], y)
        assert reference(ablator, "impute") == "a constant"
        assert ablator.stage_effects_["message"].str.contains("strategy='constant'").all()
        assert (ablator.stage_effects_["change_rate"] > 0).all()

    def test_a_given_reference_is_taken_without_a_warning(self):
        X, y = table(missing=True)
        pipeline = Pipeline([("impute", SimpleImputer()), ("model", GaussianNB())])
        median = SimpleImputer(strategy="median")
        ablator = ablate(pipeline, X[["sex", "a", "b"]], y, references={"impute": median})
        assert reference(ablator, "impute") == "SimpleImputer(strategy='median')"
        same = ablate(pipeline, X[["sex", "a", "b"]], y, references={"impute": SimpleImputer()})
        assert (same.stage_effects_["mean"] == 0).all()
        assert (same.stage_effects_["p_value"] == 1).all()

    @pytest.mark.parametrize(
        ("references", "message"),
        [
            ({"prep__cat__enc": OneHotEncoder()}, "'prep__cat__enc' should be one of the stages"),
            ({"prep__cat__encode": OneHotEncoder}, r"references\['prep__cat__encode'\].*should be"),
            ({"prep__cat__encode": "onehot"}, "='onehot' should be an estimator"),
            ({"prep__cat__encode": "drop"}, "='drop' should be an estimator"),
            ({1: None, "x": None}, "references: 1, 'x' should be one of the stages"),
            ([("prep__cat__encode", None)], "'references' parameter"),
        ],
    )
    def test_wrong_references_are_named(self, references, message):
        with pytest.raises(ValueError, match=message):
            ablate(self.prep(OrdinalEncoder()), references=references)
