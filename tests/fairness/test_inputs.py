"""Odd data, pipelines that fail, and the manners of an estimator."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin, clone, is_classifier, is_regressor
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler

from skcorrupt import StageFairnessAblator

CV = StratifiedKFold(3, shuffle=True, random_state=0)


def data(n=150, seed=0):
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, n)
    X = pd.DataFrame({"sex": sex, "a": rng.normal(size=n) + sex, "b": rng.normal(size=n)})
    return X, (X["a"] + X["b"] + rng.normal(size=n) > 0.5).astype(int)


def select():
    return make_pipeline(StandardScaler(), SelectKBest(k=1), GaussianNB())


def ablator(pipeline=None, **params):
    params = {
        "sensitive_features": "sex",
        "privileged": 1,
        "pos_label": 1,
        "cv": CV,
        "random_state": 0,
    } | params
    return StageFairnessAblator(select() if pipeline is None else pipeline, **params)


def effects(X, y, pipeline=None, **params):
    found = ablator(pipeline, **params).fit(X, y).stage_effects_
    assert (found["status"] == "ok").all(), found["message"].tolist()
    return found


def agree(found, expected):
    return found["mean"].to_numpy() == pytest.approx(expected["mean"].to_numpy(), abs=1e-12)


class TestContainers:
    @pytest.mark.slow
    def test_labels_in_any_container(self):
        X, y = data()
        expected = effects(X, y)
        for labels in (
            *(y.tolist(), y.to_numpy(), y.to_frame(), y.to_numpy()[:, None], pl.Series(y.tolist())),
            *(y.astype("Int64"), y.set_axis(range(9, 159)), y.astype("category"), y.astype(float)),
            pl.DataFrame({"y": y.tolist()}),
        ):
            assert agree(effects(X, labels), expected), type(labels)

    @pytest.mark.long
    def test_strings_of_any_dtype(self):
        X, y = data()
        text = y.map({0: "no", 1: "yes"})
        expected = effects(X, y)
        for labels in (text, text.astype(object), text.astype("string"), np.array(text.tolist())):
            assert agree(effects(X, labels, pos_label="yes"), expected)

    @pytest.mark.long
    def test_tables_of_any_container(self):
        X, y = data()
        expected = effects(X, y)
        read_only = X.to_numpy(float)
        read_only.flags.writeable = False
        by_position = {"sensitive_features": 0}
        assert agree(effects(read_only, y, **by_position), expected)
        assert agree(effects(np.asfortranarray(X.to_numpy()), y, **by_position), expected)
        assert agree(effects(X.to_numpy().tolist(), y, **by_position), expected)
        assert agree(effects(X.set_axis([3] * len(X)), y), expected)
        assert agree(effects(X.convert_dtypes(), y), expected)
        assert agree(effects(X.astype({"sex": "category"}), y), expected)
        frame = pl.DataFrame({name: X[name].tolist() for name in X})
        assert agree(effects(frame, y), expected)
        assert agree(effects(frame, pl.Series(y.tolist())), expected)

    def test_polars_through_a_column_transformer(self):
        X, y = data()
        frame = pl.DataFrame({name: X[name].tolist() for name in X})
        prep = ColumnTransformer([("num", StandardScaler(), ["a", "b"])])
        pipeline = Pipeline([("prep", prep), ("best", SelectKBest(k=1)), ("nb", GaussianNB())])
        pipeline.set_output(transform="polars")
        assert agree(
            effects(frame, y, pipeline), effects(X, y, pipeline.set_output(transform="pandas"))
        )

    def test_output_of_frames_by_configuration(self):
        X, y = data()

        def named(frame):
            return frame[["a", "b"]]

        pipeline = make_pipeline(StandardScaler(), FunctionTransformer(named), GaussianNB())
        with sklearn.config_context(transform_output="pandas"):
            found = effects(X, y, pipeline)
        assert len(found) == 8

    def test_stages_that_do_not_follow_the_configuration(self):
        """What follows a stage gets what it would get without the memory of stages."""

        class Bare(BaseEstimator):
            def fit(self, X, y=None):
                return self

            def transform(self, X):
                return np.asarray(X)

            def get_feature_names_out(self, names=None):
                return np.array(["p", "q", "r"])

        class OnlyArrays(GaussianNB):
            def fit(self, X, y):
                if not isinstance(X, np.ndarray):
                    raise TypeError("a frame")
                return super().fit(X, y)

        X, y = data()
        with sklearn.config_context(transform_output="pandas"):
            found = ablator(make_pipeline(Bare(), OnlyArrays())).fit(X, y)
        # the whole pipeline is fitted to an array, and without the stage to the frame of the user
        assert (found.global_fairness_["status"] == "not_ablatable").all()
        assert found.stage_effects_["message"].str.contains("a frame").all()

    def test_metadata_routing(self):
        X, y = data()
        with sklearn.config_context(enable_metadata_routing=True):
            found = effects(X, y)
        assert agree(found, effects(X, y))

    def test_missing_values(self):
        X, y = data()
        X.loc[::7, "a"] = np.nan
        impute = make_pipeline(SimpleImputer(), HistGradientBoostingClassifier(max_iter=3))
        assert len(effects(X, y, impute)) == 4
        with pytest.raises(
            ValueError, match="fails on all 3 splits; the first: ValueError: Input X"
        ):
            ablator().fit(X, y)

    def test_columns_of_one_name(self):
        X, y = data()
        double = X.set_axis(["sex", "a", "a"], axis=1)
        with pytest.raises(ValueError, match="X has 2 columns called 'a'"):
            ablator(sensitive_features="a").fit(double, y)


class TestRefusals:
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda X, y: (X.iloc[:0], y.iloc[:0]), r"0 sample\(s\)"),
            (lambda X, y: (X[[]], y), r"0 feature\(s\)"),
            (
                lambda X, y: (X, y.iloc[:-1]),
                "inconsistent numbers of samples: X has 150 rows, y has 149",
            ),
            (lambda X, y: (X, None), "y is None; the labels are needed"),
            (lambda X, y: (X, y * 0 + 1), "y has the label 1 alone; a decision between two"),
            (lambda X, y: (X, y.astype(float).where(y.index > 3)), "y has 4 missing labels"),
            (
                lambda X, y: (X, pd.DataFrame({"y": y, "z": y})),
                "y has 2 columns; fairness is about",
            ),
            (lambda X, y: (X, np.column_stack([y, y])), "y has 2 columns"),
            (lambda X, y: (sparse.csr_matrix(X.to_numpy(float)), y), "dense data is required"),
            (lambda X, y: (X["a"].to_numpy(), y), "Expected 2D array"),
        ],
    )
    def test_wrong_data_is_named(self, change, message):
        with pytest.raises((ValueError, TypeError), match=message):
            ablator().fit(*change(*data()))

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({"alpha": 95}, "'alpha' parameter"),
            ({"error_score": "skip"}, "'error_score' parameter"),
            ({"error_score": 0}, r"'error_score' parameter.*numpy.nan"),
            ({"error_score": -1.0}, r"'error_score' parameter.*'raise'"),
            ({"n_jobs": 1.5}, "'n_jobs' parameter"),
            ({"noise_floor": "yes"}, "'noise_floor' parameter"),
            ({"stages": {"select"}}, "'stages' parameter"),
            ({"cv": []}, r"cv=\[\] gives no split"),
            ({"cv": 1}, "k-fold"),
            ({"cv": "five"}, "cv"),
            ({"pipeline": "nb"}, "pipeline='nb' of type str has no fit"),
            (
                {"pos_label": None},
                r"pos_label=None should be .* in y: 0, 1\. None is for regressors",
            ),
        ],
    )
    def test_wrong_parameters_are_named(self, params, message):
        with pytest.raises(ValueError, match=message):
            ablator(**params).fit(*data())

    def test_parameters_of_fit_that_are_not_there(self):
        X, y = data()
        with pytest.raises(TypeError, match="sample_weight"):
            ablator().fit(X, y, sample_weight=np.ones(len(y)))

    def test_a_rare_label(self):
        X, y = data()
        y[:] = 0
        y.iloc[0] = 1
        with pytest.raises(ValueError, match="least populated class"):
            ablator(cv=None).fit(X, y)

    def test_groups_go_to_the_splitter(self):
        X, y = data()
        found = ablator(cv=GroupKFold(3)).fit(X, y, groups=np.arange(150) % 5)
        assert found.n_splits_ == 3
        with pytest.raises(ValueError, match="groups"):
            ablator(cv=GroupKFold(3)).fit(X, y)


class Fragile(BaseEstimator, TransformerMixin):
    """Fails where the first training row is one of `on`."""

    def __init__(self, on=(), later=False):
        self.on = on
        self.later = later

    def fit(self, X, y=None):
        if not self.later:
            self._check(X)
        return self

    def transform(self, X):
        if self.later:
            self._check(X)
        return X

    def _check(self, X):
        if X.index[0] in self.on:
            raise RuntimeError(f"row {X.index[0]} first")


class TestFailures:
    cv = [(np.r_[k : k + 90], np.r_[90 + k : 150]) for k in (0, 20, 40)]

    def test_a_split_on_which_the_pipeline_fails_is_left_out(self):
        X, y = data()
        pipeline = make_pipeline(Fragile(on=(20,)), *[step for _, step in select().steps])
        with pytest.warns(FitFailedWarning, match="fails on 1 of 3 splits.*row 20 first"):
            found = ablator(pipeline, cv=self.cv).fit(X, y)
        assert (found.stage_effects_["n_splits"] == 2).all()
        assert (found.performance_effects_["n_splits"] == 2).all()
        alone = effects(X, y, pipeline, cv=self.cv[::2])
        assert agree(found.stage_effects_, alone)
        with pytest.raises(RuntimeError, match="row 20 first"):
            ablator(pipeline, cv=self.cv, error_score="raise").fit(X, y)

    def test_a_pipeline_that_fails_everywhere(self):
        pipeline = make_pipeline(Fragile(on=(0, 20, 40)), GaussianNB())
        with pytest.raises(
            ValueError, match="fails on all 3 splits; the first: RuntimeError: row 0"
        ):
            ablator(pipeline, cv=self.cv).fit(*data())

    def test_failing_when_it_predicts(self):
        pipeline = make_pipeline(Fragile(on=(110,), later=True), GaussianNB())
        with pytest.warns(FitFailedWarning, match="fails on 1 of 3 splits.*row 110 first"):
            ablator(pipeline, cv=self.cv).fit(*data())

    def test_a_stage_without_which_some_splits_fail(self):
        X, y = data()

        def reindexed(frame):
            return frame.set_axis(np.arange(len(frame)) + 500)

        pipeline = make_pipeline(FunctionTransformer(reindexed), Fragile(on=(20,)), GaussianNB())
        found = ablator(pipeline, cv=self.cv).fit(X, y).stage_effects_.set_index("stage")
        first = found.loc["functiontransformer"]
        assert (first["n_splits"] == 2).all()
        assert (first["status"] == "ok").all()
        assert first["message"].str.contains("1 of 3 splits failed: RuntimeError: row 20").all()
        assert (found.loc["fragile", "n_splits"] == 3).all()

    def test_predictions_that_make_no_sense(self):
        class Lost(GaussianNB):
            def predict(self, X):
                return np.where(super().predict(X) == 1, np.nan, 0.0)

        class Worded(GaussianNB):
            def predict(self, X):
                return np.array(["yes"] * len(X))

        for model, message in ((Lost(), "missing values"), (Worded(), "not among the labels")):
            for scoring in (None, "roc_auc"):
                pipeline = make_pipeline(StandardScaler(), model)
                with pytest.raises(ValueError, match=f"fails on all 3 splits.*{message}"):
                    ablator(pipeline, scoring=scoring).fit(*data())

    @pytest.mark.parametrize("n_jobs", [None, 2])
    @pytest.mark.many
    def test_a_stage_without_which_a_model_does_not_converge_is_named_in_a_line(self, n_jobs):
        X, y = data()
        X["b"] = X["b"] * 1000 + 5000
        pipeline = make_pipeline(StandardScaler(), SelectKBest(k="all"), LogisticRegression())
        pipeline.set_params(logisticregression__max_iter=8)
        with pytest.warns(ConvergenceWarning) as told:
            found = ablator(pipeline, n_jobs=n_jobs).fit(X, y)
        assert (found.stage_effects_["status"] == "ok").all()
        (said,) = (str(each.message) for each in told)
        assert said.startswith("With standardscaler left out, a fit does not converge on 3 of 3")
        assert "\n" not in said

    @pytest.mark.parametrize("scoring", ["acc", ["roc_auc", "acc"], {"mine": "acc"}], ids=repr)
    def test_a_score_that_there_is_not_is_told_with_one_like_it(self, scoring):
        with pytest.raises(ValueError, match=r"scoring='acc' .* \(did you mean ") as told:
            ablator(scoring=scoring).fit(*data())
        assert len(str(told.value)) < 300


class TestManners:
    def test_parameters(self):
        one = ablator(stages=["selectkbest"], references={"selectkbest": MinMaxScaler()})
        other = clone(one)
        assert other.get_params().keys() == one.get_params().keys()
        assert repr(other) == repr(one)
        assert (
            other.set_params(pipeline__selectkbest__k=2).pipeline.named_steps["selectkbest"].k == 2
        )
        assert one.pipeline.named_steps["selectkbest"].k == 1
        assert "StageFairnessAblator(" in repr(one)
        assert "SelectKBest" in one._repr_html_()

    def test_nothing_is_set_before_fit(self):
        one = ablator()
        assert not [name for name in vars(one) if name.endswith("_")]
        with pytest.raises(AttributeError, match="stage_effects_"):
            _ = one.stage_effects_
        X, y = data()
        assert one.fit(X, y) is one
        assert one.n_features_in_ == 3
        assert list(one.feature_names_in_) == ["sex", "a", "b"]
        assert not is_classifier(one)
        assert not is_regressor(one)

    def test_refitting_forgets(self):
        X, y = data()
        one = ablator(sensitive_features=0).fit(X.to_numpy(), y)
        assert not hasattr(one, "feature_names_in_")
        fitted = ablator(cv=2, stages=["selectkbest"]).fit(X, y)
        fitted.set_params(cv=CV, stages=None).fit(X, y)
        pd.testing.assert_frame_equal(fitted.stage_effects_, ablator().fit(X, y).stage_effects_)

    def test_pickling(self):
        one = ablator().fit(*data())
        other = pickle.loads(pickle.dumps(one))
        pd.testing.assert_frame_equal(other.stage_effects_, one.stage_effects_)
        assert len(pickle.dumps(one)) < 100_000

    def test_columns_and_types_of_the_tables(self):
        one = ablator(make_pipeline(StandardScaler(), LogisticRegression())).fit(*data())
        wanted = [
            *["stage", "reference", "metric", "mean", "std", "ci_low", "ci_high", "change_rate"],
            *["to_favourable", "to_unfavourable", "n_splits", "status", "message"],
        ]
        assert set(wanted) <= set(one.stage_effects_.columns)
        assert one.stage_effects_["significant"].dtype == bool
        assert one.stage_effects_["mean"].dtype == float
        for table in (one.stage_effects_, one.global_fairness_, one.performance_effects_):
            assert isinstance(table.index, pd.RangeIndex)
            assert table["status"].tolist() == ["ok"] * len(table)
        assert one.dropped_rows_.empty

    def test_progress(self, capsys):
        ablator(verbose=1).fit(*data())
        assert "Ablating" in capsys.readouterr().err
        ablator().fit(*data())
        assert capsys.readouterr().err == ""


@pytest.mark.long
def test_attributes_in_another_order_than_the_rows_are_told():
    X, y = data()
    groups = X.pop("sex")
    given = effects_of_groups(X, y, groups)
    mixed = groups.sample(frac=1, random_state=0)
    with pytest.warns(
        UserWarning, match=r"sensitive_features has the labels of X in another order"
    ):
        effects_of_groups(X, y, mixed)
    # other labels say nothing of the order
    assert agree(effects_of_groups(X, y, groups.set_axis(groups.index + 1000)), given)
    assert agree(effects_of_groups(X, y, mixed.reindex(X.index)), given)
    # nor do labels of another number of levels, on either side
    pairs = pd.MultiIndex.from_product([[0], range(len(X))])
    for rows, of_groups in ((X, groups.set_axis(pairs)), (X.set_axis(pairs), groups)):
        assert agree(effects_of_groups(rows, y, of_groups), given)
    with pytest.warns(UserWarning, match=r"in another order.*sensitive_features\.to_numpy\(\)"):
        effects_of_groups(X.set_axis(pairs), y, groups.set_axis(pairs[::-1]))
    # a number is no label of an interval that holds it
    overlapping = pd.IntervalIndex.from_arrays(range(len(X)), range(2, len(X) + 2))
    apart = pd.IntervalIndex.from_breaks(range(len(X) + 1), closed="left")
    for rows in (overlapping, apart):
        assert agree(effects_of_groups(X.set_axis(rows), y, groups.reset_index(drop=True)), given)
    with pytest.warns(UserWarning, match="in another order"):
        effects_of_groups(X.set_axis(overlapping), y, groups.set_axis(overlapping[::-1]))


def effects_of_groups(X, y, groups):
    search = ablator(sensitive_features=None)
    return search.fit(X, y, sensitive_features=groups).stage_effects_
