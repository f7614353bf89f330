"""scikit-learn's own checks of estimators, and what each of the remedies of our own does."""

import sys
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from skcorrupt.robustness import (
    ColumnDropper,
    DoubtfulLabelClassifier,
    RangeClipper,
    ReweightedClassifier,
    ReweightedRegressor,
    SubmodelClassifier,
    SubmodelRegressor,
    UnseenMasker,
)

MARGINS = {0: {(None, 0.5): 0.5}}
ESTIMATORS = [
    ColumnDropper(),
    RangeClipper(),
    RangeClipper(quantile_range=(5, 95), outside="missing"),
    UnseenMasker(),
    DoubtfulLabelClassifier(LogisticRegression(), cv=2, random_state=0),
    DoubtfulLabelClassifier(LogisticRegression(), method="weight", cv=2, random_state=0),
    SubmodelClassifier(LogisticRegression(), balanced=True),
    SubmodelRegressor(Ridge(), false_alarm=0),
    ReweightedClassifier(LogisticRegression(), MARGINS, max_weight=3),
    ReweightedRegressor(Ridge(), MARGINS, max_weight=3),
]


# of some of the rows that they make up none is above, or below, .5
@pytest.mark.filterwarnings("ignore:margins. some levels .* share_gaps_ tells")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def frame(n=200, seed=0):
    """Numbers, whole ones, texts and gaps."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "a": rng.normal(size=n),
            "whole": rng.integers(0, 9, n),
            "text": rng.choice(["u", "v"], n),
            "gaps": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
        }
    )


class TestRangeClipper:
    def test_it_clips_to_what_was_seen(self):
        X = frame()
        struck = X.assign(a=X["a"] * 1000, whole=X["whole"] + 100)
        before = struck.copy()
        held = RangeClipper().fit(X).transform(struck)
        pd.testing.assert_frame_equal(struck, before)
        np.testing.assert_array_equal(held["a"], np.clip(struck["a"], X["a"].min(), X["a"].max()))
        assert (held["whole"] == X["whole"].max()).all()
        assert list(held.dtypes) == list(X.dtypes)
        pd.testing.assert_frame_equal(held[["text", "gaps"]], X[["text", "gaps"]])

    def test_clean_rows_stay(self):
        X = frame()
        pd.testing.assert_frame_equal(RangeClipper().fit_transform(X), X)

    def test_outside_can_become_missing(self):
        X = frame()
        struck = X.assign(whole=[-999, *X["whole"][1:]])
        held = RangeClipper(outside="missing").fit(X).transform(struck)
        assert held["whole"].isna().tolist() == [True] + [False] * 199
        assert held["whole"].iloc[1:].tolist() == X["whole"].iloc[1:].tolist()

    @pytest.mark.parametrize("ends", [(0, 100), (1, 99), (5, 100), (49.9, 50)])
    def test_share_that_is_left_out(self, ends):
        x = np.random.default_rng(0).permutation(1000.0 * np.arange(1000))[:, None]
        clipper = RangeClipper(quantile_range=ends).fit(x)
        inside = (x >= clipper.lower_) & (x <= clipper.upper_)
        assert abs(inside.mean() - (ends[1] - ends[0]) / 100) <= 0.002
        assert clipper.lower_[0] in x and clipper.upper_[0] in x

    def test_text_in_a_column_of_numbers_stays(self):
        X = pd.DataFrame({"a": [1.0, 2.0]})
        struck = pd.DataFrame({"a": np.array(["many", 7.0], dtype=object)})
        assert RangeClipper().fit(X).transform(struck)["a"].tolist() == ["many", 2.0]

    def test_infinite_values_are_outside(self):
        clipper = RangeClipper().fit([[1.0], [2.0], [np.inf]])
        np.testing.assert_array_equal(
            clipper.transform([[-np.inf], [np.inf], [np.nan]]), [[1.0], [2.0], [np.nan]]
        )

    def test_polars_comes_out_as_polars(self):
        polars = pytest.importorskip("polars")
        X = polars.DataFrame({"a": [1, 2, 3], "b": ["u", "v", "w"]})
        struck = polars.DataFrame({"a": [9, None, -9], "b": ["u", "v", "w"]})
        held = RangeClipper().fit(X).transform(struck)
        assert held.to_dict(as_series=False) == {"a": [3, None, 1], "b": ["u", "v", "w"]}
        assert held.schema == X.schema

    def test_read_only_and_names(self):
        X = frame()[["a", "gaps"]].to_numpy()
        X.setflags(write=False)
        clipper = RangeClipper().fit(X)
        np.testing.assert_array_equal(clipper.transform(X), X)
        assert clipper.get_feature_names_out().tolist() == ["x0", "x1"]
        assert RangeClipper().fit(frame()).get_feature_names_out().tolist() == [*frame()]

    def test_named_columns_alone(self):
        held = RangeClipper("a").fit(frame()).transform(frame().assign(a=99.0, whole=99))
        assert (held["a"] == frame()["a"].max()).all()
        assert (held["whole"] == 99).all()

    @pytest.mark.parametrize("ends", [(5,), (60, 40), (-1, 50), (0, 101), "ab", None, (1, "b")])
    def test_no_range(self, ends):
        with pytest.raises(ValueError, match=r"quantile_range=.*such as \(1\.0, 99\.0\)"):
            RangeClipper(quantile_range=ends).fit(frame())

    def test_texts_cannot_be_held(self):
        with pytest.raises(ValueError, match=r"'text' holds text values.*leave it out"):
            RangeClipper("text").fit(frame())


class TestColumnDropper:
    def test_containers_are_kept(self):
        X = frame()
        left = ColumnDropper(["text", "a"]).fit(X)
        pd.testing.assert_frame_equal(left.transform(X), X[["whole", "gaps"]])
        assert left.get_feature_names_out().tolist() == ["whole", "gaps"]
        numbers = X[["a", "whole"]].to_numpy()
        np.testing.assert_array_equal(ColumnDropper("x0").fit_transform(numbers), numbers[:, 1:])
        polars = pytest.importorskip("polars")
        rows = ColumnDropper("b").fit_transform(polars.DataFrame({"a": [1], "b": ["u"]}))
        assert rows.to_dict(as_series=False) == {"a": [1]}

    def test_nothing_left(self):
        with pytest.raises(ValueError, match="all the columns there are"):
            ColumnDropper([*frame()]).fit(frame())

    def test_unknown_column(self):
        with pytest.raises(ValueError, match="nowhere"):
            ColumnDropper("nowhere").fit(frame())


def flipped(n=400, share=0.2, seed=0):
    """Two clear classes, and some labels that are wrong."""
    rng = np.random.default_rng(seed)
    right = np.arange(n) % 2
    X = rng.normal(size=(n, 2)) + 4 * right[:, None]
    wrong = rng.random(n) < share
    return X, np.where(wrong, 1 - right, right), wrong


class TestDoubtfulLabelClassifier:
    def test_cleanlab_is_asked_where_it_is_installed(self, monkeypatch):
        asked = []

        def find_label_issues(labels, pred_probs, n_jobs):
            asked.append((labels, pred_probs))
            return pred_probs.argmax(axis=1) != labels

        made = ModuleType("cleanlab.filter")
        made.find_label_issues = find_label_issues
        monkeypatch.setitem(sys.modules, "cleanlab", ModuleType("cleanlab"))
        monkeypatch.setitem(sys.modules, "cleanlab.filter", made)
        X, y, _ = flipped()
        names = np.array(["no", "yes"])[y]
        model = DoubtfulLabelClassifier(LogisticRegression(), cleanlab=True, random_state=0)
        model.fit(X, names)
        [(labels, probabilities)] = asked
        np.testing.assert_array_equal(labels, y)
        np.testing.assert_allclose(probabilities[np.arange(len(y)), y], model.label_probability_)
        np.testing.assert_array_equal(model.doubtful_, probabilities.argmax(axis=1) != y)
        weighed = clone(model).set_params(method="weight").fit(X, names)
        np.testing.assert_array_equal(weighed.doubtful_, model.doubtful_)

    def test_cleanlab_itself_finds_flipped_labels(self):
        pytest.importorskip("cleanlab")
        X, y, wrong = flipped()
        model = DoubtfulLabelClassifier(LogisticRegression(), cleanlab=True, random_state=0)
        model.fit(X, np.array(["no", "yes"])[y])
        assert (model.doubtful_ & wrong).sum() >= 0.9 * wrong.sum()
        assert (model.doubtful_ & ~wrong).sum() <= 0.03 * (~wrong).sum()

    def test_without_cleanlab(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "cleanlab.filter", None)
        X, y, _ = flipped()
        with pytest.raises(ImportError, match=r"pip install cleanlab.*cleanlab=False"):
            DoubtfulLabelClassifier(LogisticRegression(), cleanlab=True).fit(X, y)

    @pytest.mark.parametrize("names", [(0, 1), ("no", "yes"), (-3.0, 8.0)])
    def test_it_finds_flipped_labels(self, names):
        X, y, wrong = flipped()
        y = np.array(names)[y]
        model = DoubtfulLabelClassifier(LogisticRegression(), random_state=0).fit(X, y)
        assert (model.doubtful_ & wrong).sum() >= 0.9 * wrong.sum()
        assert (model.doubtful_ & ~wrong).sum() <= 0.03 * (~wrong).sum()
        assert model.classes_.tolist() == list(names)

    def test_pruning_is_fitting_on_the_rest(self):
        X, y, _ = flipped()
        model = DoubtfulLabelClassifier(LogisticRegression(), random_state=0).fit(X, y)
        again = LogisticRegression().fit(X[~model.doubtful_], y[~model.doubtful_])
        np.testing.assert_allclose(model.predict_proba(X), again.predict_proba(X))
        np.testing.assert_array_equal(model.decision_function(X), again.decision_function(X))

    def test_weighting_is_fitting_with_weights(self):
        X, y, _ = flipped()
        model = DoubtfulLabelClassifier(LogisticRegression(), method="weight", random_state=0).fit(
            X, y
        )
        usual = np.array([model.label_probability_[y == k].mean() for k in (0, 1)])
        weights = np.where(model.doubtful_, model.label_probability_ / usual[y], 1.0)
        assert 0 <= weights.min() < weights[model.doubtful_].max() < 1
        again = LogisticRegression().fit(X, y, weights)
        np.testing.assert_allclose(model.predict_proba(X), again.predict_proba(X))

    def test_a_tree_gains(self):
        X, y, wrong = flipped(share=0.3)
        right = np.where(wrong, 1 - y, y)
        tree = DecisionTreeClassifier(random_state=0)
        plain = tree.fit(X, y).score(X, right)
        pruned = DoubtfulLabelClassifier(
            DecisionTreeClassifier(min_samples_leaf=10, random_state=0), random_state=0
        )
        assert pruned.fit(X, y).score(X, right) > plain + 0.1

    def test_shares_and_single_rows(self):
        X, y, _ = flipped()
        some = DoubtfulLabelClassifier(LogisticRegression(), max_fraction=0.05, random_state=0)
        some.fit(X, y)
        assert all(some.doubtful_[y == k].sum() <= 0.05 * (y == k).sum() for k in (0, 1))
        # a class with one row keeps it
        y = np.where(np.arange(len(y)) == 7, "alone", y.astype(str))
        model = DoubtfulLabelClassifier(LogisticRegression(), random_state=0).fit(X, y)
        assert not model.doubtful_[7]
        assert model.label_probability_[7] == 1
        assert "alone" in model.estimator_.classes_

    def test_n_jobs_and_seeds(self):
        X, y, _ = flipped(n=100)
        tree = DecisionTreeClassifier(max_features=1, min_samples_leaf=3)
        one = DoubtfulLabelClassifier(tree, random_state=0).fit(X, y)
        with parallel_config(backend="threading"):
            two = DoubtfulLabelClassifier(tree, random_state=0, n_jobs=2).fit(X, y)
        np.testing.assert_array_equal(one.label_probability_, two.label_probability_)
        np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
        np.testing.assert_array_equal(clone(one).fit(X, y).doubtful_, one.doubtful_)

    def test_refusals(self):
        X, y, _ = flipped(n=40)
        with pytest.raises(ValueError, match=r"predicts numbers.*HuberRegressor"):
            DoubtfulLabelClassifier(Ridge()).fit(X, y)
        with pytest.raises(ValueError, match=r"predict_proba.*CalibratedClassifierCV"):
            DoubtfulLabelClassifier(LinearSVC()).fit(X, y)
        with pytest.raises(ValueError, match="sample_weight; pass method='prune'"):
            DoubtfulLabelClassifier(KNeighborsClassifier(), method="weight").fit(X, y)
        with pytest.raises(ValueError, match="NaN in 1 of 40"):
            DoubtfulLabelClassifier(LogisticRegression()).fit(X, np.append(y[:-1] * 1.0, np.nan))
        with pytest.raises(ValueError, match="requires y"):
            DoubtfulLabelClassifier(LogisticRegression()).fit(X, None)
