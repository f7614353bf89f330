"""Conformal intervals against loops over rows, and the score of how many values they hold."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator, RegressorMixin, clone, is_regressor
from sklearn.datasets import load_diabetes
from sklearn.exceptions import NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from cheap_models import Levels
from flat_search import flat_search
from skcorrupt import CorruptedEstimator, CorruptMissing
from skcorrupt.evaluation import ReplayedEstimator
from skcorrupt.metrics import ConformalRegressor, _conformal_regressor, make_coverage_scorer

pytestmark = pytest.mark.usefixtures("few_fits")

METHODS = ["split", "mda-nested"]


def model(method="split", alpha=0.2, **params):
    pipeline = make_pipeline(SimpleImputer(), LinearRegression())
    return ConformalRegressor(pipeline, alpha=alpha, method=method, random_state=0, **params)


def data(n=90, gaps=0.0, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = X @ [2.0, 1.0, 0.0] + rng.normal(size=n)
    X[rng.uniform(size=X.shape) < gaps] = np.nan
    return X, y


def nested_by_hand(fitted, X, y, new, alpha):
    """Algorithm 2 of Zaffran et al., a row and a calibration row at a time."""
    intervals = []
    for row in new:
        lows, highs = [], []
        for k in fitted.calibration_indices_:
            both = np.isnan(row) | np.isnan(X[k])
            theirs, own = (np.where(both, np.nan, x)[None] for x in (X[k], row))
            score = abs(y[k] - fitted.estimator_.predict(theirs)[0])
            centre = fitted.estimator_.predict(own)[0]
            lows.append(centre - score)
            highs.append(centre + score)
        rank = int(np.ceil((1 - alpha) * (len(lows) + 1)))
        intervals.append([sorted(lows, reverse=True)[rank - 1], sorted(highs)[rank - 1]])
    return np.array(intervals)


class TestIntervals:
    @pytest.mark.parametrize("alpha", [0.1, 0.2, 0.45])
    def test_split_is_the_prediction_and_a_quantile_of_residuals(self, alpha):
        X, y = data(gaps=0.1)
        fitted = model(alpha=alpha).fit(X[:60], y[:60])
        rows = fitted.calibration_indices_
        assert len(rows) == 15
        rest = np.setdiff1d(np.arange(60), rows)
        own = make_pipeline(SimpleImputer(), LinearRegression()).fit(X[rest], y[rest])
        residuals = np.sort(np.abs(y[rows] - own.predict(X[rows])))
        width = residuals[int(np.ceil((1 - alpha) * 16)) - 1]
        centre = own.predict(X[60:])
        expected = np.column_stack([centre - width, centre + width])
        np.testing.assert_allclose(fitted.predict_interval(X[60:]), expected)
        np.testing.assert_allclose(fitted.predict(X[60:]), centre)

    @pytest.mark.many
    @pytest.mark.parametrize("alpha", [0.1, 0.3])
    @pytest.mark.parametrize("cells", [1, 2_000_000])
    def test_nested_masking_is_the_printed_algorithm(self, alpha, cells, monkeypatch):
        monkeypatch.setattr(_conformal_regressor, "CELLS_AT_ONCE", cells)
        X, y = data(gaps=0.25)
        fitted = model("mda-nested", alpha=alpha).fit(X[:60], y[:60])
        expected = nested_by_hand(fitted, X, y, X[60:], alpha)
        np.testing.assert_allclose(fitted.predict_interval(X[60:]), expected)

    def test_without_gaps_both_methods_agree(self):
        X, y = data()
        both = [model(m).fit(X[:60], y[:60]).predict_interval(X[60:]) for m in METHODS]
        np.testing.assert_allclose(*both)
        gappy, _ = data(gaps=0.25)
        both = [model(m).fit(gappy[:60], y[:60]).predict_interval(gappy[60:]) for m in METHODS]
        assert np.abs(both[0] - both[1]).max() > 0.1

    def test_masking_covers_rows_with_gaps_where_one_width_does_not(self):
        """What augmentation is for: coverage among the rows whose best column is missing."""
        X, y = data(6000)
        rng = np.random.default_rng(1)
        X[rng.uniform(size=6000) < 0.15, 0] = np.nan
        lost = np.isnan(X[4000:, 0])
        covered = {}
        for method in METHODS:
            fitted = model(method, alpha=0.1).fit(X[:4000], y[:4000])
            low, high = fitted.predict_interval(X[4000:]).T
            covered[method] = ((low <= y[4000:]) & (y[4000:] <= high))[lost].mean()
        assert covered["split"] < 0.8
        assert covered["mda-nested"] > 0.9

    @pytest.mark.parametrize("method", METHODS)
    def test_coverage_is_what_was_asked_for(self, method):
        """Within three standard errors, over rows of which each run draws its own."""
        runs = []
        for seed in range(40):
            X, y = data(140, gaps=0.1, seed=seed)
            low, high = model(method).fit(X[:80], y[:80]).predict_interval(X[80:]).T
            runs.append(((low <= y[80:]) & (y[80:] <= high)).mean())
        assert np.mean(runs) > 0.8 - 3 * np.std(runs) / np.sqrt(40)
        if method == "split":
            # of 20 calibration rows the 17th gives 17/21
            assert np.mean(runs) == pytest.approx(17 / 21, abs=3 * np.std(runs) / np.sqrt(40))

    def test_too_few_calibration_rows_for_alpha(self):
        X, y = data()
        with pytest.warns(UserWarning, match=r"alpha=0\.01 needs 99 calibration rows .* are 22"):
            fitted = model(alpha=0.01).fit(X, y)
        assert (fitted.predict_interval(X) == [-np.inf, np.inf]).all()
        assert np.isfinite(fitted.predict(X)).all()
        # nine rows are just enough for 0.1
        model(alpha=0.1, calibration_size=0.1).fit(X, y)

    @pytest.mark.parametrize("method", METHODS)
    def test_frames_of_any_dtype(self, method):
        X, y = data(gaps=0.2)
        X[:, 2] = np.arange(90) % 4
        fitted = model(method).fit(X[:60], y[:60])
        expected = fitted.predict_interval(X[60:])
        frame = pd.DataFrame(X, columns=["a", "b", "c"]).astype({"c": "int64"})
        label = pd.Series(y, index=frame.index[::-1])
        copy = frame.copy()
        own = clone(fitted).fit(frame[:60], label[:60])
        np.testing.assert_allclose(own.predict_interval(frame[60:]), expected)
        pd.testing.assert_frame_equal(frame, copy)
        assert list(own.feature_names_in_) == ["a", "b", "c"]
        polar = pl.DataFrame(frame.to_dict("list"))
        own = clone(fitted).fit(polar[:60], pl.Series(y[:60]))
        np.testing.assert_allclose(own.predict_interval(polar[60:]), expected)

    def test_behind_a_corruption(self):
        X, y = data()
        lost = CorruptMissing(0, rate=0.3, random_state=0)
        wrapped = CorruptedEstimator(model("mda-nested"), lost).fit(X[:60], y[:60])
        own = model("mda-nested").fit(*lost.fit(X[:60], y[:60]).corrupt(X[:60], y[:60])[:2])
        assert (wrapped.predict_interval(X[60:]) == own.predict_interval(X[60:])).all()
        assert not hasattr(CorruptedEstimator(LinearRegression(), lost), "predict_interval")


class TestConventions:
    pytestmark = pytest.mark.filterwarnings("ignore")

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize(
        "estimator", [LinearRegression(), make_pipeline(SimpleImputer(), LinearRegression())]
    )
    def test_common_checks(self, method, estimator):
        takes_gaps = not isinstance(estimator, LinearRegression)
        check_estimator(
            ConformalRegressor(estimator, calibration_size=0.5, method=method, random_state=0),
            expected_failed_checks={
                # a flag of Pipeline's, which comes from its first step
                "check_estimators_nan_inf": "an imputer takes NaN"
            }
            if takes_gaps
            else {},
        )

    def test_seeds_pickles_and_type(self):
        X, y = data()
        rows = model().fit(X, y).calibration_indices_
        assert (model().fit(X, y).calibration_indices_ == rows).all()
        other = model().set_params(random_state=1).fit(X, y).calibration_indices_
        assert (other != rows).any()
        fitted = model("mda-nested").fit(X, y)
        again = pickle.loads(pickle.dumps(fitted))
        assert (again.predict_interval(X) == fitted.predict_interval(X)).all()
        assert is_regressor(fitted)

    def test_wrong_use_is_named(self):
        X, y = data()
        with pytest.raises(NotFittedError):
            model().predict_interval(X)
        with pytest.raises(ValueError, match="'method' parameter"):
            model("mda").fit(X, y)
        with pytest.raises(ValueError, match="'alpha' parameter"):
            model(alpha=1.0).fit(X, y)
        with pytest.raises(ValueError, match="leaves 1 to fit on and 0 to calibrate on"):
            model(calibration_size=0.1).fit(X[:1], y[:1])
        with pytest.raises(ValueError, match="y contains NaN"):
            model().fit(X, np.where(y > 0, y, np.nan))
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            model().fit(X, y[:-1])
        X[0, 0] = np.nan
        # whichever part the gap is in
        for seed in range(8):
            with pytest.raises(ValueError, match="NaN"):
                ConformalRegressor(LinearRegression(), random_state=seed).fit(X, y)


class Fixed(RegressorMixin, BaseEstimator):
    """Gives the intervals that it is told to."""

    calls = 0

    def __init__(self, intervals=None):
        self.intervals = intervals

    def fit(self, X, y):
        """Nothing to learn."""
        self.fitted_ = True
        return self

    def predict_interval(self, X):
        """As told."""
        Fixed.calls += 1
        return self.intervals

    def band(self, X):
        """From 0 to 1 for every row."""
        return np.tile([0.0, 1.0], (len(X), 1))


class TestCoverageScorer:
    X = np.zeros((4, 1))
    Y = [0.0, 1.0, 1.1, -0.1]

    def test_ends_belong_to_the_interval(self):
        score = make_coverage_scorer()
        assert score(Fixed(np.tile([0.0, 1.0], (4, 1))), self.X, self.Y) == 0.5
        assert score(Fixed(np.tile([-np.inf, np.inf], (4, 1))), self.X, pd.Series(self.Y)) == 1.0
        assert make_coverage_scorer(method="band")(Fixed(), self.X, self.Y) == 0.5

    @pytest.mark.parametrize(
        ("intervals", "message"),
        [
            (np.zeros((2, 4)), r"a ndarray of shape \(2, 4\) for 4 rows"),
            ((np.zeros(4), np.zeros((4, 2, 1))), "gave a tuple for 4 rows; it should give"),
            (np.zeros(4), r"of shape \(4,\)"),
        ],
    )
    def test_other_answers_are_refused(self, intervals, message):
        with pytest.raises(ValueError, match=message):
            make_coverage_scorer()(Fixed(intervals), self.X, self.Y)

    def test_an_estimator_without_intervals(self):
        fitted = LinearRegression().fit(self.X, self.Y)
        with pytest.raises(ValueError, match="LinearRegression has no method 'predict_interval'"):
            make_coverage_scorer()(fitted, self.X, self.Y)

    def test_name_and_repr(self):
        scorer = make_coverage_scorer(method="band")
        assert scorer.__name__ == "coverage"
        assert repr(scorer) == "make_coverage_scorer(method='band')"
        assert repr(pickle.loads(pickle.dumps(scorer))) == repr(scorer)

    def test_a_resample_asks_for_the_intervals_once(self):
        fixed = Fixed(np.array([[0, 1], [0, 1], [0, 1], [5, 6.0]]))
        Fixed.calls = 0
        replay = ReplayedEstimator(fixed, self.X, np.array(self.Y), {})
        scores = [
            replay.score_on(make_coverage_scorer(), np.array(rows))
            for rows in ([0, 1, 2, 3], [0, 0, 1, 1], [2, 3, 3, 3])
        ]
        assert scores == [0.5, 1.0, 0.0]
        assert Fixed.calls == 1

    @pytest.mark.slow
    @pytest.mark.parametrize("method", METHODS)
    def test_a_search_lowers_coverage(self, method):
        X, y = load_diabetes(return_X_y=True, as_frame=True)
        search = flat_search(
            ConformalRegressor(Levels(), alpha=0.2, method=method),
            "missing",
            budget=0.3,
            scoring=make_coverage_scorer(),
            n_calls=4,
            max_conditions=1,
            random_state=0,
        ).fit(X[["bmi", "s5"]], y)
        assert search.worst_score_ < search.baseline_score_ - 0.01
        assert np.isfinite(search.confirmed_interval_).all()
        assert "coverage 0." in search.summary()


def test_classifiers_have_no_intervals():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    with pytest.raises(ValueError, match=r"estimator=GaussianNB\(\) predicts classes"):
        ConformalRegressor(GaussianNB()).fit(X, y)
