"""Corruptions inside scikit-learn's and imbalanced-learn's own tools."""

import imblearn.pipeline
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from skcorrupt import (
    MNAR,
    CorruptDuplicates,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    SelectionBias,
)

RNG = np.random.default_rng(0)
N = 300
X = pd.DataFrame(
    {
        "a": RNG.normal(size=N),
        "b": RNG.normal(size=N),
        "c": RNG.permutation(list("pqr") * (N // 3)),
    }
)
Y = (X["a"] + 0.5 * X["b"] + RNG.normal(scale=0.3, size=N) > 0).astype(int)


class Spy(LogisticRegression):
    """Remembers the data it was fitted on and last asked about."""

    def fit(self, X, y, sample_weight=None):
        self.fitted_on_ = X, y
        return super().fit(X, y, sample_weight)

    def predict(self, X):
        self.asked_ = X
        return super().predict(X)


def test_in_a_pipeline_training_data_is_dirty_and_test_data_clean():
    dirty = CorruptMissing("a", rate=0.4, random_state=0)
    pipe = make_pipeline(dirty, SimpleImputer(strategy="constant", fill_value=99.0), Spy())
    numbers = X[["a", "b"]]
    pipe.fit(numbers, Y).predict(numbers)
    seen, asked = pipe[-1].fitted_on_[0], pipe[-1].asked_
    assert (seen[:, 0] == 99).sum() == 120
    np.testing.assert_array_equal(asked, numbers.to_numpy())
    assert pipe[0].record_.row_fraction == 0.4


def test_with_when_always_test_data_is_dirty_too():
    dirty = CorruptMissing("a", rate=0.4, when="always", random_state=0)
    pipe = make_pipeline(dirty, SimpleImputer(strategy="constant", fill_value=99.0), Spy())
    numbers = X[["a", "b"]]
    pipe.fit(numbers, Y).predict(numbers)
    np.testing.assert_array_equal(pipe[-1].asked_, pipe[-1].fitted_on_[0])
    assert (pipe[-1].asked_[:, 0] == 99).sum() == 120


@pytest.mark.parametrize(
    ("sampler", "n_fitted"),
    [
        (SelectionBias(pattern="y == 1", rate=0.5, random_state=0), None),
        (CorruptDuplicates(rate=0.5), 450),
        (CorruptLabels(rate=0.2), 300),
        (CorruptionProcess([("b", SelectionBias(rate=0.1)), ("l", CorruptLabels())]), 270),
    ],
)
def test_samplers_act_in_an_imbalanced_learn_pipeline_at_fit_only(sampler, n_fitted):
    pipe = imblearn.pipeline.make_pipeline(StandardScaler(), sampler, Spy())
    numbers = X[["a", "b"]]
    pipe.fit(numbers, Y)
    assert pipe.predict(numbers).shape == (N,)
    seen, labels = pipe[-1].fitted_on_
    expected = n_fitted or N - int(np.floor(0.5 * Y.sum() + 0.5))
    assert len(seen) == len(labels) == expected
    assert len(pipe[-1].asked_) == N


def test_feature_corruptions_fit_an_imbalanced_learn_pipeline_too():
    pipe = imblearn.pipeline.make_pipeline(
        CorruptMissing(["a", "b"], rate=0.3, random_state=0),
        CorruptLabels(rate=0.1, random_state=0),
        ColumnTransformer([("num", SimpleImputer(), ["a", "b"])]),
        Spy(),
    )
    assert cross_val_score(pipe, X, Y, cv=3).shape == (3,)


def test_scikit_learns_pipeline_refuses_samplers():
    with pytest.raises(TypeError, match="transform"):
        Pipeline([("bias", SelectionBias()), ("model", Spy())]).fit(X[["a", "b"]], Y)


def test_grid_search_over_the_rate_and_cross_validation():
    pipe = make_pipeline(
        CorruptMissing(["a", "b"], mechanism=MNAR(strength=3.0), random_state=0),
        SimpleImputer(),
        LogisticRegression(),
    )
    grid = GridSearchCV(pipe, {"corruptmissing__rate": [0.0, 0.5, 0.95]}, cv=3)
    grid.fit(X[["a", "b"]], Y)
    assert grid.best_params_ == {"corruptmissing__rate": 0.0}
    clean = make_pipeline(SimpleImputer(), LogisticRegression())
    np.testing.assert_array_equal(
        cross_val_score(pipe.set_params(corruptmissing__rate=0.0), X[["a", "b"]], Y, cv=3),
        cross_val_score(clean, X[["a", "b"]], Y, cv=3),
    )


@pytest.mark.slow
def test_parallel_runs_give_the_same_scores():
    pipe = make_pipeline(CorruptNoise(rate=0.5, random_state=0), LogisticRegression())
    scores = [
        cross_val_score(clone(pipe), X[["a", "b"]], Y, cv=4, n_jobs=n_jobs) for n_jobs in (1, 2)
    ]
    np.testing.assert_array_equal(*scores)


@pytest.mark.parametrize("data", [X[["a", "b"]], X[["a", "b"]].to_numpy(), pl.DataFrame(X[["a"]])])
@pytest.mark.parametrize(("name", "frame"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
@pytest.mark.parametrize("when", ["fit", "always"])
def test_set_output(data, name, frame, when):
    corruption = CorruptMissing(rate=0.5, when=when, random_state=0).set_output(transform=name)
    for out in (corruption.fit_transform(data), corruption.transform(data)):
        assert isinstance(out, frame)
        assert list(out.columns) == list(corruption.get_feature_names_out())
        assert out.shape == data.shape


def test_pandas_output_keeps_the_index():
    moved = X.set_index(RNG.permutation(N))
    corruption = CorruptMissing(rate=0.5).set_output(transform="pandas")
    pd.testing.assert_index_equal(corruption.fit_transform(moved).index, moved.index)


def test_in_a_column_transformer_and_a_union():
    numbers = make_column_selector(dtype_include=float)
    parts = ColumnTransformer(
        [
            ("dirty", make_pipeline(CorruptMissing(rate=0.5), SimpleImputer()), numbers),
            ("text", OneHotEncoder(), ["c"]),
        ]
    )
    pipe = make_pipeline(parts, LogisticRegression()).fit(X, Y)
    assert parts.fit(X, Y).get_feature_names_out()[0] == "dirty__a"
    assert 0.5 < pipe.score(X, Y) < 1
    named = ColumnTransformer([("dirty", CorruptMissing("b", rate=1.0), ["a", "b"])])
    assert np.isnan(named.fit_transform(X)).all(axis=0).tolist() == [False, True]
    union = FeatureUnion([("clean", "passthrough"), ("dirty", CorruptMissing(rate=1.0))])
    assert np.isnan(union.fit_transform(X[["a"]])).all(axis=0).tolist() == [False, True]


def test_a_cached_pipeline_repeats_its_draw(tmp_path):
    pipe = Pipeline(
        [("dirty", CorruptMissing(["a", "b"], rate=0.5)), ("fill", SimpleImputer()), ("m", Spy())],
        memory=str(tmp_path),
    )
    first = clone(pipe).fit(X[["a", "b"]], Y)
    again = clone(pipe).fit(X[["a", "b"]], Y)
    np.testing.assert_array_equal(first[-1].fitted_on_[0], again[-1].fitted_on_[0])
    other = clone(pipe).set_params(dirty__random_state=1).fit(X[["a", "b"]], Y)
    assert not np.array_equal(first[-1].fitted_on_[0], other[-1].fitted_on_[0])
    assert first[0].record_.row_fraction == 0.5


def test_html_representation():
    assert "CorruptMissing" in make_pipeline(CorruptMissing(), Spy())._repr_html_()
    process = CorruptionProcess([("hide", CorruptMissing("a"))])
    assert "CorruptionProcess" in process._repr_html_()
