"""The worst-case scorer: what the search finds, wherever scikit-learn takes a scorer."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning, NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.metrics import get_scorer, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    cross_val_score,
    learning_curve,
    validation_curve,
)
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from cheap_models import Centroids
from skcorrupt import AdversarialCorruptionSearch, CorruptMissing, CorruptNoise, CorruptScale
from skcorrupt.adversarial import SearchSpace
from skcorrupt.corruptions import CorruptionProcess, CorruptLabels
from skcorrupt.robustness import make_worst_case_scorer
from small_searches import small_data

pytestmark = pytest.mark.usefixtures("few_fits")

SPACE = SearchSpace(max_conditions=1, n_bins=3)


def worst_by_hand(model, X, y, rate_budget):
    """Lowest accuracy with values lost wherever one condition on the column itself holds."""
    clean = model.predict(X) == y
    found = []
    for column in X:
        struck = X.assign(**{column: np.nan})
        right = model.predict(struck) == y
        values = np.unique(X[column])
        for low in values:
            for high in values[values >= low]:
                rows = ((X[column] >= low) & (X[column] <= high)).to_numpy()
                most = int(rate_budget * len(X) + 1e-9)
                rate = min(1.0, most / rows.sum())
                change = (right.astype(float) - clean)[rows].sum() * rate
                found.append((clean.sum() + change) / len(X))
    return min(found)


class TestOracle:
    def test_enumeration_of_all_patterns_of_one_condition(self):
        rng = np.random.default_rng(3)
        X = pd.DataFrame({"a": rng.integers(0, 4, 60), "b": rng.integers(0, 3, 60)}, dtype=float)
        y = ((X.a + X.b) > 2).astype(int).to_numpy()
        model = Centroids().fit(X, y)
        space = SearchSpace(max_conditions=1, n_bins=8, own_column="required", label="forbidden")
        scorer = make_worst_case_scorer("missing", budget=0.2, scoring="accuracy", space=space)
        # patterns of one level of a column of few values each, and of ranges of them
        assert scorer(model, X, y) == pytest.approx(worst_by_hand(model, X, y, 0.2))

    @pytest.mark.many
    @pytest.mark.parametrize("corruption", ["missing", CorruptScale(), ["missing", "scale"]])
    @pytest.mark.parametrize("scoring", ["accuracy", "roc_auc"])
    def test_it_is_what_the_search_finds(self, corruption, scoring):
        X, y = small_data()
        model = Centroids().fit(X, y)
        settings = {"budget": 0.2, "scoring": scoring, "space": SPACE}
        search = AdversarialCorruptionSearch(
            FrozenEstimator(model), corruption, apply_to="test", confirm_size=None,
            random_state=0, **settings,
        ).fit(X, y)  # fmt: skip
        score = make_worst_case_scorer(corruption, **settings)(model, X, y)
        assert score == search.worst_score_
        assert score < search.baseline_score_

    def test_a_larger_budget_is_no_better(self):
        X, y = small_data()
        model = Centroids().fit(X, y)
        scores = [
            make_worst_case_scorer("missing", budget=b, space=SPACE)(model, X, y)
            for b in (0.05, 0.1, 0.3, 1.0)
        ]
        assert scores == sorted(scores, reverse=True)

    def test_changes_need_no_labels(self):
        X, y = small_data()
        scorer = make_worst_case_scorer("missing", budget=0.2, scoring="change", space=SPACE)
        assert -0.2 - 1e-9 <= scorer(Centroids().fit(X, y), X) < 0

    def test_a_regressor(self):
        X, _ = small_data()
        y = X.a + X.b
        model = LinearRegression().fit(X, y)
        scorer = make_worst_case_scorer(
            "scale", budget=0.1, scoring="neg_mean_squared_error", space=SPACE
        )
        assert scorer(model, X, y) < -1000

    @pytest.mark.long
    def test_a_process(self):
        X, y = small_data()
        process = CorruptionProcess([("lost", CorruptMissing("a")), ("off", CorruptNoise("b"))])
        model = Centroids().fit(X, y)
        scorer = make_worst_case_scorer(process, budget=0.2, space=SPACE)
        assert scorer(model, X, y) <= model.score(X, y)


class TestWeights:
    @pytest.mark.many
    @pytest.mark.parametrize("scoring", [None, "accuracy"])
    @pytest.mark.parametrize("kind", ["missing", "selection"])
    def test_rows_of_no_weight_do_not_count(self, scoring, kind):
        X, y = small_data()
        model = Centroids().fit(X, y)
        scorer = make_worst_case_scorer(kind, budget=0.2, scoring=scoring, space=SPACE)
        even = scorer(model, X, y, sample_weight=np.full(len(X), 2.0))
        assert even == pytest.approx(scorer(model, X, y))
        # rows that it gets wrong do not count
        right = (model.predict(X) == y).astype(float)
        weighed = scorer(model, X, y, sample_weight=right)
        assert weighed > even
        if kind == "selection":
            assert weighed == 1.0

    def test_it_is_what_the_search_finds_with_these_weights(self):
        X, y = small_data()
        model, weights = Centroids().fit(X, y), np.linspace(0.1, 2.0, len(X))
        scorer = make_worst_case_scorer("missing", budget=0.2, scoring="accuracy", space=SPACE)
        with sklearn.config_context(enable_metadata_routing=True):
            search = AdversarialCorruptionSearch(
                FrozenEstimator(model), "missing", apply_to="test", confirm_size=None,
                random_state=0, budget=0.2, space=SPACE,
                scoring=get_scorer("accuracy").set_score_request(sample_weight=True),
            ).fit(X, y, sample_weight=weights)  # fmt: skip
        found = scorer(model, X, y, sample_weight=weights)
        assert found == search.worst_score_ != scorer(model, X, y)

    def test_routing(self):
        X, y = small_data()
        weights = np.linspace(0.1, 2.0, len(X))
        with sklearn.config_context(enable_metadata_routing=True):
            asking = get_scorer("accuracy").set_score_request(sample_weight=True)
            model = Centroids().set_fit_request(sample_weight=False)
            given = {"cv": 2, "params": {"sample_weight": weights}}
            scores = cross_val_score(
                model, X, y, scoring=make_worst_case_scorer("missing", scoring=asking, space=SPACE),
                **given,
            )  # fmt: skip
            clean = cross_val_score(model, X, y, scoring=asking, **given)
        assert (scores < clean).all()

    def test_whatever_a_score_asks_for_is_routed_to_it(self):
        X, y = small_data()
        space = SearchSpace(corrupt_columns=["a"], pattern_columns=["a"], n_bins=2)

        def share(truth, told, counts):
            return float(np.mean((truth == told)[np.asarray(counts)]))

        given = {"cv": 2, "params": {"who": np.arange(len(X)) % 3 > 0}, "error_score": "raise"}
        with sklearn.config_context(enable_metadata_routing=True):
            asking = make_scorer(share).set_score_request(counts="who")
            worst = make_worst_case_scorer("missing", scoring=asking, space=space)
            scores = cross_val_score(Centroids(), X, y, scoring=worst, **given)
            clean = cross_val_score(Centroids(), X, y, scoring=asking, **given)
        assert (scores < clean).all()

    @pytest.mark.parametrize(
        ("of", "message"),
        [
            (lambda n: np.ones(n - 1), "sample_weight.shape"),
            (lambda n: np.where(np.arange(n) == 0, np.nan, 1.0), "sample_weight contains NaN"),
            (lambda n: np.where(np.arange(n) == 0, -1.0, 1.0), "Negative values .*sample_weight"),
        ],
    )
    def test_weights_that_are_none(self, of, message):
        X, y = small_data()
        scorer = make_worst_case_scorer("missing", space=SPACE)
        with pytest.raises(ValueError, match=message):
            scorer(Centroids().fit(X, y), X, y, sample_weight=of(len(X)))

    @pytest.mark.parametrize("scoring", ["change", Centroids.score])
    def test_a_score_that_takes_no_weights(self, scoring):
        X, y = small_data()
        scorer = make_worst_case_scorer("missing", scoring=scoring, space=SPACE)
        with pytest.raises(ValueError, match=r"takes no weights.*'accuracy'"):
            scorer(Centroids().fit(X, y), X, y, sample_weight=np.ones(len(X)))


class TestInScikitLearn:
    @pytest.mark.many
    @pytest.mark.parametrize("n_jobs", [None, 2])
    def test_cross_val_score(self, n_jobs):
        X, y = small_data()
        scorer = make_worst_case_scorer("missing", budget=0.2, space=SPACE)
        given = {"cv": 2, "scoring": scorer, "n_jobs": n_jobs}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = cross_val_score(Centroids(), X, y, **given)
        alone = cross_val_score(Centroids(), X, y, cv=2, scoring=scorer)
        np.testing.assert_array_equal(found, alone)
        assert (found < cross_val_score(Centroids(), X, y, cv=2)).all()

    def test_grid_search_with_two_scores(self):
        X, y = small_data()
        scorer = make_worst_case_scorer("scale", budget=0.2, space=SPACE)
        grid = GridSearchCV(
            DecisionTreeClassifier(random_state=0), {"max_depth": [1, 4]}, cv=2,
            scoring={"clean": "accuracy", "worst": scorer}, refit="worst",
        ).fit(X, y)  # fmt: skip
        worst = grid.cv_results_["mean_test_worst"]
        assert (worst <= grid.cv_results_["mean_test_clean"]).all()
        assert grid.best_index_ == np.argmax(worst)

    @pytest.mark.long
    def test_curves(self):
        X, y = small_data()
        scorer = make_worst_case_scorer("missing", budget=0.2, space=SPACE)
        _, _, scores = learning_curve(Centroids(), X, y, cv=2, scoring=scorer, train_sizes=[20, 60])
        assert np.isfinite(scores).all()
        _, scores = validation_curve(
            DecisionTreeClassifier(random_state=0), X, y, param_name="max_depth",
            param_range=[1, 2], cv=2, scoring=scorer,
        )  # fmt: skip
        assert np.isfinite(scores).all()

    def test_it_pickles_and_is_a_parameter(self):
        X, y = small_data()
        model = Centroids().fit(X, y)
        scorer = make_worst_case_scorer("missing", budget=0.2, space=SPACE)
        again = pickle.loads(pickle.dumps(scorer))
        assert again(model, X, y) == scorer(model, X, y)
        grid = clone(GridSearchCV(Centroids(), {}, scoring=scorer))
        assert grid.scoring(model, X, y) == scorer(model, X, y)

    def test_it_leaves_everything_as_it_was(self):
        X, y = small_data()
        model, before = Centroids().fit(X, y), X.copy()
        scorer = make_worst_case_scorer(CorruptNoise(), budget=0.2, space=SPACE)
        assert scorer(model, X, y) == scorer(model, X, y)
        pd.testing.assert_frame_equal(X, before)


class TestWords:
    def test_repr(self):
        assert repr(make_worst_case_scorer("missing")) == (
            "make_worst_case_scorer('missing', budget=0.1)"
        )
        scorer = make_worst_case_scorer(CorruptMissing(), scoring="roc_auc", space=SPACE)
        assert repr(scorer) == (
            "make_worst_case_scorer(CorruptMissing(), budget=0.1, scoring='roc_auc', "
            "space=SearchSpace(max_conditions=1, n_bins=3))"
        )
        assert scorer.__name__ == "worst roc_auc"
        assert make_worst_case_scorer("missing").__name__ == "worst score"

    @pytest.mark.parametrize(
        "corruption", ["labels", CorruptLabels(), ["missing", "labels"],
        CorruptionProcess([("a", CorruptMissing()), ("b", CorruptLabels())])],
    )  # fmt: skip
    def test_labels_are_refused(self, corruption):
        with pytest.raises(ValueError, match=r"changes labels.*RobustSearchCV"):
            make_worst_case_scorer(corruption)

    @pytest.mark.parametrize("budget", [0, 1.5, "much", True, [0.1], float("nan")])
    def test_no_budget(self, budget):
        with pytest.raises(ValueError, match=r"budget=.* should be a number above 0"):
            make_worst_case_scorer("missing", budget=budget)

    def test_several_scores(self):
        with pytest.raises(ValueError, match="names several scores"):
            make_worst_case_scorer("missing", scoring=["accuracy"])

    def test_no_space(self):
        with pytest.raises(TypeError, match="space='all' should be a SearchSpace"):
            make_worst_case_scorer("missing", space="all")

    def test_no_kind(self):
        with pytest.raises(ValueError, match="missin"):
            make_worst_case_scorer("missin")

    def test_few_rows_give_the_clean_score_with_a_warning(self):
        X, y = small_data(8)
        model = Centroids().fit(X, y)
        with pytest.warns(UserWarning, match=r"on 8 rows, .*: the budget is less than one row"):
            score = make_worst_case_scorer("missing", space=SPACE)(model, X, y)
        assert score == model.score(X, y)

    def test_a_model_that_fails_on_some_errors_says_so(self):
        X, y = small_data()
        model = Refuses().fit(X, y)
        scorer = make_worst_case_scorer("missing", budget=0.2, space=SPACE)
        with pytest.warns(FitFailedWarning, match=r"failed on .* errors.*no gaps in a"):
            score = scorer(model, X, y)
        assert score < model.score(X, y)

    def test_a_score_of_what_the_model_does_not_have_names_both(self):
        X, y = small_data()
        model = make_pipeline(SimpleImputer(), RidgeClassifier()).fit(X, y)
        said = (
            r"^scoring='neg_log_loss' asks the model for predict_proba, which RidgeClassifier does "
            r"not have; .*scoring='accuracy', .*CalibratedClassifierCV"
        )
        with pytest.raises(ValueError, match=said):
            make_worst_case_scorer("missing", budget=0.2, scoring="neg_log_loss")(model, X, y)

    def test_a_model_that_cannot_be_scored_is_not_said_to_be_fitted(self):
        X, y = small_data()
        model = RidgeClassifier().fit(X.rename(columns={"a": "another"}), y)
        with pytest.raises(ValueError, match="estimator cannot be scored on X and y as they are"):
            make_worst_case_scorer("scale", budget=0.2)(model, X, y)

    def test_what_is_not_fitted(self):
        X, y = small_data()
        with pytest.raises(NotFittedError):
            make_worst_case_scorer("missing")(Centroids(), X, y)


class Refuses(Centroids):
    """Takes no gaps in one of the columns."""

    def predict(self, X):
        if X["a"].isna().any():
            raise ValueError("no gaps in a")
        return super().predict(X)
