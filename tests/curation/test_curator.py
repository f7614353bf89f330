"""The curator: sets, bounds, ties, scores of an order, and models along it."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy import sparse, stats
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

import skcorrupt
from skcorrupt.curation import (
    GenerativeLabelModel,
    LabelingFunctionSelector,
    MajorityVoteLabeler,
    NaturalAdversarialCurator,
)


class Foreign:
    """A label model of another library: no estimator, no classes, fit returns nothing."""

    def __init__(self):
        self.fits = 0

    def fit(self, L):
        """Remember."""
        self.fits += 1

    def predict_proba(self, L):
        """Shares of votes for 1."""
        share = ((L == 1).sum(axis=1) + 1) / ((L >= 0).sum(axis=1) + 2)
        return np.column_stack([1 - share, share])


class Sure(Foreign):
    """Sure of what nobody voted on."""

    def predict_proba(self, L):
        """The last class, for certain, where there is silence."""
        proba = super().predict_proba(L)
        proba[(L < 0).all(axis=1)] = [0.0, 1.0]
        return proba


class Certain(Foreign):
    """Certain of what most functions say."""

    def predict_proba(self, L):
        """1 for the class with more votes."""
        return np.eye(2)[((L == 1).sum(axis=1) > (L == 0).sum(axis=1)).astype(int)]


class Named(Foreign):
    """Has names for its classes."""

    classes_ = np.array(["ham", "spam"])


class Fixed(ClassifierMixin, BaseEstimator):
    """Predicts its one column."""

    def fit(self, X, y):
        """Learn nothing."""
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        """The column."""
        return np.asarray(X)[:, 0]


def easy_and_hard(n=600, m=9, seed=0):
    """Votes that are right less often in later rows."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    right = rng.random((n, m)) < (1 - rng.random(n) / 2)[:, None]
    L = np.where(right, y[:, None], 1 - y[:, None])
    L[rng.random((n, m)) < 0.4] = -1
    return L, y


def curator(model=None, **params):
    return NaturalAdversarialCurator(
        MajorityVoteLabeler() if model is None else model, random_state=0, **params
    )


class TestSets:
    @given(
        n=st.integers(10, 60),
        n_datasets=st.integers(2, 10),
        nested=st.booleans(),
        uncovered=st.sampled_from(["last", "drop"]),
        seed=st.integers(0, 99),
    )
    def test_sizes_and_order(self, n, n_datasets, nested, uncovered, seed):
        rng = np.random.default_rng(seed)
        L = rng.integers(-1, 2, (n, 3))
        L[:10] = [0, 1, 1]
        made = curator(n_datasets=n_datasets, nested=nested, uncovered=uncovered).fit(L)
        silent = (L < 0).all(axis=1)
        ordered = n - silent.sum() if uncovered == "drop" else n
        assert len(made.order_) == ordered == len(set(made.order_.tolist()))
        bounds = made.lower_bound_[made.order_]
        assert (np.diff(bounds) <= 1e-9).all()
        tail = silent[made.order_]
        assert (np.diff(tail.astype(int)) >= 0).all() and tail.any() == (
            silent.any() and uncovered == "last"
        )
        ends = [-(-i * ordered // n_datasets) for i in range(1, n_datasets + 1)]
        for i, rows in enumerate(made.datasets_):
            start = 0 if nested or i == 0 else ends[i - 1]
            assert rows.tolist() == made.order_[start : ends[i]].tolist()
        assert ends[-1] == ordered

    def test_ties_go_by_confidence_and_position(self):
        L = np.array([[0, 0], [1, 1], [0, -1], [1, 0], [-1, -1], [1, 1]])
        made = curator(n_datasets=2, successes="confidence").fit(L)
        assert made.order_.tolist() == [0, 1, 5, 3, 2, 4]
        assert made.labels_.tolist() == [0, 1, 0, 0, 0, 1]

    def test_bounds_are_clopper_and_pearsons(self):
        L, _ = easy_and_hard()
        made = curator(alpha=0.1, successes="confidence").fit(L)
        n = (L >= 0).sum(axis=1)
        s = n * made.confidence_
        some = n > 0
        low = stats.beta.ppf(0.05, s[some], n[some] - s[some] + 1)
        np.testing.assert_allclose(made.lower_bound_[some], low, rtol=1e-7)
        assert (made.lower_bound_[~some] == 0).all() and (made.upper_bound_[~some] == 1).all()
        agreed = curator(successes="agreement", alpha=0.1).fit(L)
        votes = (made.labels_[:, None] == L).sum(axis=1)
        row = int(np.flatnonzero((n == 6) & (votes == 4))[0])
        interval = stats.binomtest(4, 6).proportion_ci(0.9, method="exact")
        assert agreed.lower_bound_[row] == pytest.approx(interval.low)
        assert agreed.upper_bound_[row] == pytest.approx(interval.high)

    def test_ordered_by_confidence(self):
        L = np.array([[0, -1, -1, -1, -1], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]])
        share = MajorityVoteLabeler("share")
        assert curator(share, n_datasets=2).fit(L).order_.tolist() == [2, 1, 0]
        plain = curator(share, n_datasets=2, order_by="confidence").fit(L)
        assert plain.order_.tolist() == [0, 2, 1]

    def test_silence_says_nothing_whatever_the_model(self):
        L = np.array([[1, 1], [-1, -1], [1, 0]])
        made = curator(Sure(), n_datasets=2, order_by="confidence").fit(L)
        assert made.confidence_[1] == 0.5 and made.lower_bound_[1] == 0
        assert made.labels_[1] == 0 and made.order_[-1] == 1

    def test_silence_comes_last_even_among_equals(self):
        L = np.array([[-1, -1], [0, 1], [1, 0], [1, 1]])
        made = curator(MajorityVoteLabeler("share"), n_datasets=2, order_by="confidence").fit(L)
        assert made.order_.tolist() == [3, 1, 2, 0]

    def test_equal_bounds_go_by_confidence(self):
        # two of three votes agree in both rows, which functions say so differs
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, 500)
        L = np.column_stack([np.where(rng.random(500) < p, y, 1 - y) for p in (0.95, 0.7, 0.6)])
        made = curator(GenerativeLabelModel(), successes="agreement").fit(L)
        bounds, sure = made.lower_bound_[made.order_], made.confidence_[made.order_]
        same = np.diff(bounds) == 0
        assert (np.diff(sure)[same] <= 1e-9).all() and (np.diff(sure)[same] < -1e-6).any()

    def test_names_of_classes(self):
        L, _ = easy_and_hard(100)
        named = curator(Named(), successes="agreement").fit(L)
        plain = curator(Foreign(), successes="agreement").fit(L)
        assert set(named.labels_) == {"ham", "spam"}
        np.testing.assert_array_equal(named.lower_bound_, plain.lower_bound_)
        with pytest.raises(ValueError, match="2 columns, but there are votes for class 7"):
            curator(Foreign(), successes="agreement", n_datasets=2).fit([[2, 7], [7, 7]])

    def test_settings_changed_later_change_nothing(self):
        L, y = easy_and_hard(100)
        made = curator().fit(L)
        before = made.score_ordering(y)
        after = made.set_params(n_datasets=4, nested=False).score_ordering(y)
        np.testing.assert_array_equal(before.accuracies, after.accuracies)
        assert before.permutation_pvalue == after.permutation_pvalue

    def test_a_selector_that_leaves_a_class_out(self):
        rng = np.random.default_rng(0)
        first = rng.integers(0, 2, 60)
        L = np.column_stack([np.where(first == 1, 1, -1), np.where(first == 0, 0, -1), first])
        made = curator(GenerativeLabelModel(), selector=LabelingFunctionSelector(0.1)).fit(L)
        assert made.selector_.support_.sum() == 1 and made.classes_.tolist() == [0, 1]

    @pytest.mark.parametrize("proba", [np.nan, 1.5, -0.5])
    def test_what_is_no_probability(self, proba):
        class Odd(Foreign):
            def predict_proba(self, L):
                return np.full((len(L), 2), proba)

        with pytest.raises(ValueError, match="values that are no probabilities"):
            curator(Odd(), n_datasets=2).fit([[0, 1], [1, 1]])

    def test_more_rows_to_learn_from(self):
        L, _y = easy_and_hard(400)
        model = GenerativeLabelModel()
        made = curator(model, selector=LabelingFunctionSelector(0.9)).fit(L[:100], L_more=L[100:])
        whole = clone(model).fit(L)
        # functions that are twins in the rows that are ordered, and only there
        twins = np.column_stack([L, L[:, 0]])
        twins[100:, -1] = np.random.default_rng(0).integers(-1, 2, 300)
        both = curator(selector=LabelingFunctionSelector(0.9)).fit(twins[:100], L_more=twins[100:])
        assert both.selector_.support_.all()
        assert (
            not curator(selector=LabelingFunctionSelector(0.9))
            .fit(twins[:100])
            .selector_.support_.all()
        )
        np.testing.assert_allclose(
            made.confidence_, whole.predict_proba(L[:100]).max(axis=1), atol=1e-9
        )
        assert len(made.labels_) == 100
        with pytest.raises(ValueError, match=r"L_more has 2 functions, but .* was fitted on 9"):
            made.fit(L, L_more=L[:, :2])

    def test_the_selector_comes_first(self):
        L, _ = easy_and_hard(300, 4)
        twins = np.column_stack([L, L[:, 0], L[:, 0]])
        made = curator(selector=LabelingFunctionSelector()).fit(twins)
        assert made.selector_.support_.sum() == 4
        assert (made.n_votes_ == (L >= 0).sum(axis=1)).all()

    def test_models_of_other_libraries(self):
        L, y = easy_and_hard()
        model = Foreign()
        made = curator(model).fit(L)
        assert model.fits == 0 and made.label_model_.fits == 1
        assert made.classes_.tolist() == [0, 1] and made.score_ordering(y).rho < 0

    def test_mistakes(self):
        L, y = easy_and_hard(50)
        with pytest.raises(ValueError, match="n_datasets=60 is more than the 50 rows to order"):
            curator(n_datasets=60).fit(L)
        for model in (None, 3, MajorityVoteLabeler):
            with pytest.raises(TypeError, match=r"label_model=.* should be an object with fit"):
                NaturalAdversarialCurator(model).fit(L)
        made = curator().fit(L)
        with pytest.raises(ValueError, match="y has 10 rows, but votes were fitted on 50"):
            made.score_ordering(y[:10])
        with pytest.raises(ValueError, match=r"y has the labels \['a'\], but the label model"):
            made.score_ordering(["a"] * 50)
        with pytest.warns(UserWarning, match=r"y has the labels \[2\], but .* coded otherwise"):
            shifted = made.score_ordering(y + 1)
        both = (made.labels_ == y + 1).mean()
        assert shifted.accuracies[-1] == pytest.approx(both)
        with pytest.raises(ValueError, match="y is None; pass the true labels"):
            made.score_ordering(None)
        with pytest.raises(ValueError, match="y has no label; pass those that are known"):
            made.score_ordering([np.nan] * 50)
        with pytest.raises(
            ValueError, match=r"y has shape \(50, 2\); it should have one value for each row"
        ):
            made.score_ordering(np.zeros((50, 2)))
        with pytest.raises(ValueError, match="y holds -1, which in votes is an abstention"):
            made.score_ordering(np.where(np.arange(50) % 2, y, -1))
        for n in (0, -1, 2.5):
            with pytest.raises(ValueError, match=r"'n_permutations' parameter .* must be an int"):
                made.score_ordering(y, n_permutations=n)
        with pytest.raises(TypeError, match="selector='pearson' should be a selector"):
            curator(selector="pearson").fit(L)
        with pytest.raises(ValueError, match="X has 10 rows"):
            made.datasets(np.zeros((10, 2)))
        with pytest.raises(ValueError, match="'gamma' parameter"):
            curator(gamma=2).fit(L)

    def test_it_is_an_estimator(self):
        L, _ = easy_and_hard(100)
        made = curator(GenerativeLabelModel(), selector=LabelingFunctionSelector())
        copy = clone(made)
        assert copy.get_params().keys() == made.get_params().keys()
        assert "label_model__max_iter" in made.get_params()
        fitted = made.fit(L)
        again = pickle.loads(pickle.dumps(fitted))
        assert again.order_.tolist() == fitted.order_.tolist()
        assert skcorrupt.NaturalAdversarialCurator is NaturalAdversarialCurator

    @pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, np.asarray])
    def test_the_sets_of_any_container(self, make):
        L, _ = easy_and_hard(40)
        X = (
            make({"a": np.arange(40), "b": np.arange(40.0)})
            if make is not np.asarray
            else (np.column_stack([np.arange(40), np.arange(40.0)]))
        )
        made = curator(n_datasets=4).fit(L)
        for rows, (part, labels) in zip(made.datasets_, made.datasets(X), strict=True):
            assert type(part) is type(X) and np.asarray(part)[:, 0].tolist() == rows.tolist()
            assert labels.tolist() == made.labels_[rows].tolist()
        texts = [f"text {i}" for i in range(40)]
        first, _ = next(made.datasets(pd.Series(texts)))
        assert first.tolist() == [texts[i] for i in made.datasets_[0]]


class TestScores:
    @pytest.mark.parametrize("nested", [True, False])
    def test_rho_and_p_against_scipy(self, nested):
        L, y = easy_and_hard()
        made = curator(nested=nested).fit(L)
        found = made.score_ordering(y)
        accuracies = [np.mean(made.labels_[rows] == y[rows]) for rows in made.datasets_]
        np.testing.assert_allclose(found.accuracies, accuracies)
        expected = stats.spearmanr(np.arange(10), accuracies)
        assert found.rho == pytest.approx(expected.statistic)
        assert found.pvalue == pytest.approx(expected.pvalue, abs=1e-12)
        assert found.valid == (found.rho < 0 and found.pvalue <= 0.01)

    @pytest.mark.long
    def test_the_permutation_test_against_permutations(self):
        L, y = easy_and_hard(120, 3, seed=2)
        made = curator(n_datasets=5).fit(L)
        found = made.score_ordering(y)
        rng = np.random.default_rng(1)
        right = made.labels_ == y
        rhos = []
        for _ in range(2000):
            order = rng.permutation(120)
            shares = [right[order[: len(rows)]].mean() for rows in made.datasets_]
            rhos.append(stats.spearmanr(np.arange(5), shares).statistic)
        expected = np.mean(np.array(rhos) <= found.rho + 1e-12)
        spread = np.sqrt(expected * (1 - expected) / 2000) + 1e-3
        assert abs(found.permutation_pvalue - expected) < 4 * spread

    @pytest.mark.slow
    def test_under_a_random_order(self):
        """Permutation p-values are uniform; the paper's are far too small for nested sets."""
        rng = np.random.default_rng(0)
        L = np.zeros((1000, 3), dtype=int)
        L[:, 0] = rng.integers(0, 2, 1000)
        # every score with permutations of its own
        made = curator().set_params(random_state=np.random.RandomState(0)).fit(L)
        permuted, printed, rhos = [], [], []
        for _ in range(600):
            wrong = rng.random(1000) < 0.3
            found = made.score_ordering(
                np.where(wrong, 1 - made.labels_, made.labels_), n_permutations=999
            )
            permuted.append(found.permutation_pvalue)
            printed.append(found.pvalue)
            rhos.append(found.rho)
        counts = np.histogram(permuted, bins=10, range=(0, 1))[0]
        assert stats.chisquare(counts).pvalue > 1e-3
        claims = np.mean((np.array(rhos) < 0) & (np.array(printed) <= 0.01))
        # 14 of 100 at N = 10, where one is nominal
        assert 0.10 < claims < 0.18
        valid = (np.array(rhos) < 0) & (np.array(permuted) <= 0.01)
        assert valid.mean() < stats.binom.ppf(0.999, 600, 0.01) / 600

    @pytest.mark.long
    def test_disjoint_sets_need_no_correction(self):
        rng = np.random.default_rng(0)
        L = np.zeros((1000, 3), dtype=int)
        L[:, 0] = rng.integers(0, 2, 1000)
        made = curator(nested=False).fit(L)
        small = 0
        for _ in range(400):
            wrong = rng.random(1000) < 0.3
            y = np.where(wrong, 1 - made.labels_, made.labels_)
            small += made.score_ordering(y, n_permutations=1).pvalue <= 0.05
        assert small <= stats.binom.ppf(0.999, 400, 0.05)

    def test_constant_accuracy(self):
        L, _ = easy_and_hard(50)
        made = curator().fit(L)
        found = made.score_ordering(made.labels_)
        assert np.isnan([found.rho, found.pvalue, found.permutation_pvalue]).all()
        assert not found.valid and not found.permutation_valid

    def test_a_seed_gives_the_same(self):
        L, y = easy_and_hard()
        assert curator().fit(L).score_ordering(y).permutation_pvalue == (
            curator().fit(L).score_ordering(y).permutation_pvalue
        )

    @pytest.mark.parametrize("alpha", [0.05, 0.5])
    def test_bounds_cover_the_chance_of_being_right(self, alpha):
        """With independent functions, at least 1 - alpha of rows have a label as sure as said."""
        rng = np.random.default_rng(3)
        n, m, accuracies = 4000, 9, np.linspace(0.6, 0.9, 9)
        y = rng.integers(0, 2, n)
        L = np.where(rng.random((n, m)) < accuracies, y[:, None], 1 - y[:, None])
        L[rng.random((n, m)) < 0.5] = -1
        weight = np.log(accuracies / (1 - accuracies))
        evidence = np.where(L == 1, weight, np.where(L == 0, -weight, 0.0)).sum(axis=1)
        of_one = 1 / (1 + np.exp(-evidence))

        def covered(votes):
            made = curator(GenerativeLabelModel(), alpha=alpha, successes="confidence").fit(votes)
            truth = np.where(made.labels_ == 1, of_one, 1 - of_one)
            inside = (made.lower_bound_ <= truth) & (truth <= made.upper_bound_)
            return inside[(L >= 0).any(axis=1)].mean()

        assert covered(L) >= 1 - alpha
        # functions asked forty times each are no more right, but taken for surer
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            assert covered(np.repeat(L, 40, axis=1)) < 1 - alpha

    @pytest.mark.parametrize("nested", [True, False])
    @pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
    def test_labels_that_are_not_known_are_left_out(self, nested, missing):
        L, y = easy_and_hard()
        some = np.random.default_rng(0).random(len(y)) < 0.4
        made = curator(nested=nested).fit(L)
        score = made.score_ordering([v if ok else missing for v, ok in zip(y, some, strict=True)])
        for i, rows in enumerate(made.datasets_):
            told = rows[some[rows]]
            assert score.n_labelled[i] == len(told)
            assert score.accuracies[i] == pytest.approx((made.labels_[told] == y[told]).mean())
        expected = stats.spearmanr(np.arange(10), score.accuracies)
        assert score.rho == pytest.approx(expected.statistic)

    @pytest.mark.long
    def test_p_values_with_labels_of_some_rows_are_uniform_under_a_random_order(self):
        rng = np.random.default_rng(0)
        made = curator().set_params(random_state=np.random.RandomState(0))
        made.fit(rng.integers(0, 2, (2000, 3)))
        found = []
        for _ in range(300):
            y = np.where(rng.random(2000) < 0.7, made.labels_, 1 - made.labels_).astype(float)
            y[rng.random(2000) < 0.6] = np.nan
            found.append(made.score_ordering(y, n_permutations=199).permutation_pvalue)
        assert stats.kstest(found, "uniform").pvalue > 0.001

    def test_a_set_without_labels(self):
        L, y = easy_and_hard(100)
        made = curator().fit(L)
        y = y.astype(float)
        y[made.datasets_[0]] = np.nan
        with pytest.raises(ValueError, match=r"y has no label in set 1 of 10; .* lower n_datasets"):
            made.score_ordering(y)


class TestModels:
    def test_a_fitted_model_is_taken_as_it_is(self):
        L, y = easy_and_hard()
        made = curator().fit(L)
        X = y[:, None]
        curve = made.evaluate(Fixed().fit(X, y), X, y)
        assert curve is made.curve_ and curve["n_rows"].tolist() == [
            len(rows) for rows in made.datasets_
        ]
        assert (curve["accuracy"] == 1).all()
        np.testing.assert_allclose(curve["agreement"], curve["weak_accuracy"])
        np.testing.assert_allclose(curve["weak_accuracy"], made.score_ordering(y).accuracies)
        for row, rows in zip(curve.to_dict("records"), made.datasets_, strict=True):
            hits = int((made.labels_[rows] == y[rows]).sum())
            band = stats.binomtest(hits, len(rows)).proportion_ci(0.9, method="exact")
            assert row["agreement_low"] == pytest.approx(band.low, abs=1e-9)
            assert row["agreement_high"] == pytest.approx(band.high, abs=1e-9)
            assert row["lower_bound"] == made.lower_bound_[rows].min()

    def test_one_that_is_not_predicts_rows_it_has_not_seen(self):
        L, y = easy_and_hard()
        rng = np.random.default_rng(0)
        X = pd.DataFrame({"a": y + rng.normal(0, 0.3, len(y)), "noise": rng.normal(size=len(y))})
        made = curator(GenerativeLabelModel()).fit(L)
        blind = made.evaluate(LogisticRegression(), X)
        assert "accuracy" not in blind
        assert blind["agreement"].iloc[0] > blind["agreement"].iloc[-1]
        with_truth = made.evaluate(LogisticRegression(), X, y)
        assert with_truth["accuracy"].iloc[-1] > 0.9
        model = LogisticRegression()
        made.evaluate(model, X)
        assert not hasattr(model, "coef_")

    @pytest.mark.parametrize("fitted", [False, True])
    def test_what_a_model_refuses_is_told_with_the_remedy(self, fitted):
        L, y = easy_and_hard(200)
        X = pd.DataFrame(np.random.default_rng(0).normal(size=(200, 2)), columns=["a", "b"])
        made = curator(n_datasets=2).fit(L)
        model = LogisticRegression().fit(X, y) if fitted else LogisticRegression()
        said = (
            r"^estimator=LogisticRegression\(\) does not accept missing values, .* in b; add an imp"
        )
        with pytest.raises(ValueError, match=said):
            made.evaluate(model, X.assign(b=X["b"].where(X["b"] < 1)), y)
        said = r"does not accept texts, which X has in b; .* \['b'\]\), remainder="
        with pytest.raises(ValueError, match=said):
            made.evaluate(model, X.assign(b="word"), y)
        assert len(made.evaluate(model, X, y)) == 2

    def test_rows_are_predicted_by_models_that_have_not_seen_them(self):
        L, _y = easy_and_hard(200)
        X = np.random.default_rng(0).normal(size=(200, 2))
        made = curator(n_datasets=2).fit(L)
        nearest = KNeighborsClassifier(1)
        blind = made.evaluate(nearest, X)
        # noise says nothing, and a model that had seen a row would know its label
        assert blind["agreement"].iloc[-1] < 0.65
        assert made.evaluate(nearest.fit(X, made.labels_), X)["agreement"].iloc[-1] == 1

    def test_what_is_fitted_to(self):
        """To the truth where it is known; rows without votes have no label to learn."""
        rng = np.random.default_rng(1)
        y = rng.integers(0, 2, 600)
        L = np.where(rng.random((600, 3)) < 0.9, y[:, None], 1 - y[:, None])
        L[rng.random(600) < 0.6] = -1
        X = y[:, None] + rng.normal(0, 0.3, (600, 1))
        made = curator().fit(L)
        weak = made.evaluate(LogisticRegression(), X)
        assert weak["n_covered"].iloc[-1] == (made.n_votes_ > 0).sum() < 600
        assert weak["agreement"].iloc[-1] > 0.85
        flipped = made.evaluate(LogisticRegression(), X, 1 - y)
        assert flipped["accuracy"].iloc[-1] > 0.9 > 0.2 > flipped["agreement"].iloc[-1]

    @pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
    def test_labels_of_some_rows(self, missing):
        """They alone are learned from and count, in whatever type they come."""
        L, y = easy_and_hard()
        X = y[:, None] + np.random.default_rng(0).normal(0, 0.3, (len(y), 1))
        some = np.arange(len(y)) % 3 == 0
        made = curator().fit(L)
        told = [v if ok else missing for v, ok in zip(1 - y, some, strict=True)]
        curve = made.evaluate(LogisticRegression(), X, told)
        assert curve["n_labelled"].tolist() == [int(some[rows].sum()) for rows in made.datasets_]
        # the labels are turned round, so that only a model that learned from them gets them right
        assert curve["accuracy"].iloc[-1] > 0.9 > 0.3 > curve["agreement"].iloc[-1]

    def test_fewer_rows_of_a_class_than_folds(self):
        L, y = easy_and_hard(40)
        made = curator(n_datasets=2).fit(L)
        told = np.full(40, np.nan)
        told[[int(np.flatnonzero(y == 0)[0]), *np.flatnonzero(y == 1)]] = 1
        told[np.flatnonzero(y == 0)[0]] = 0
        with pytest.raises(
            ValueError, match="cv=5 asks for as many rows of each class, but only 1 are"
        ):
            made.evaluate(LogisticRegression(), np.zeros((40, 1)), told)

    def test_known_labels_of_one_class(self):
        L, y = easy_and_hard(40)
        made = curator(n_datasets=2).fit(L)
        told, X = np.where(y == 1, 1.0, np.nan), np.c_[y]
        with pytest.raises(ValueError, match="are all 1, and estimator is not fitted; pass y with"):
            made.evaluate(LogisticRegression(), X, told)
        fitted = LogisticRegression().fit(X, y)
        assert made.evaluate(fitted, X, told)["accuracy"].iloc[0] == 1

    @pytest.mark.parametrize("splitter", [ShuffleSplit(3), TimeSeriesSplit(3), [([0], [1])]])
    def test_folds_that_do_not_hold_every_row_once(self, splitter):
        L, y = easy_and_hard(60)
        made = curator(n_datasets=2).fit(L)
        with pytest.raises(ValueError, match=r"cv=.* should test every row once, as KFold does"):
            made.evaluate(LogisticRegression(), y[:, None], y, cv=splitter)
        parts = made.evaluate(LogisticRegression(), y[:, None], y, cv=KFold(3))
        assert (parts["accuracy"] == 1).all()

    def test_known_labels_are_in_every_fold(self):
        """However few they are, and wherever they lie."""
        L, y = easy_and_hard(600)
        told = np.full(600, np.nan)
        told[np.flatnonzero(y == 0)[:10]] = 0
        told[np.flatnonzero(y == 1)[:100]] = 1
        curve = curator().fit(L).evaluate(LogisticRegression(), y[:, None], told)
        assert curve["n_labelled"].iloc[-1] == 110 and curve["accuracy"].iloc[-1] > 0.85

    def test_what_is_no_classifier(self):
        L, y = easy_and_hard(60)
        made = curator(n_datasets=2).fit(L)
        for wrong in (LinearRegression(), LinearRegression().fit(y[:, None], y), None, len):
            with pytest.raises(TypeError, match=r"estimator=.* should be a classifier"):
                made.evaluate(wrong, y[:, None], y)

    def test_predictions_of_another_shape_or_coding(self):
        L, y = easy_and_hard(60)
        made = curator(n_datasets=2).fit(L)

        class Foreign:
            def predict(self, X):
                return X

        flat = made.evaluate(Foreign(), y[:, None], y)
        assert (flat["accuracy"] == 1).all()
        with pytest.raises(ValueError, match=r"predicts an array of shape \(60, 2\) for 60 rows"):
            made.evaluate(Foreign(), np.zeros((60, 2)), y)
        with pytest.warns(UserWarning, match=r"estimator predicts \[2\], but .* coded otherwise"):
            made.evaluate(Foreign(), y + 1, y)

    def test_other_names_of_classes(self):
        L, y = easy_and_hard(100)
        made = curator(n_datasets=2).fit(L)
        X = np.where(y == 1, "spam", "ham")[:, None]
        with pytest.raises(ValueError, match=r"estimator predicts \['ham', 'spam'\], but"):
            made.evaluate(Fixed().fit(X, X[:, 0]), X)

    def test_an_old_curve_goes_with_a_new_fit(self):
        L, y = easy_and_hard(100)
        made = curator(n_datasets=2).fit(L)
        made.evaluate(Fixed().fit(y[:, None], y), y[:, None])
        assert not hasattr(made.fit(L[:50]), "curve_")

    @pytest.mark.parametrize("make", [list, pl.DataFrame, sparse.csr_array])
    def test_samples_of_any_kind(self, make):
        L, y = easy_and_hard(120)
        numbers = y[:, None] + np.random.default_rng(0).normal(size=(120, 2))
        model = LogisticRegression()
        if make is list:
            X = [f"{'good' if label else 'bad'} {i % 7}" for i, label in enumerate(y)]
            model = make_pipeline(CountVectorizer(), model)
        else:
            X = make(numbers)
        curve = curator(n_datasets=3).fit(L).evaluate(model, X, y)
        assert (curve["accuracy"] > 0.6).all()

    def test_warnings_of_the_label_model_are_heard(self):
        rng = np.random.default_rng(0)
        y = (rng.random(4000) < 0.1).astype(int)
        L = np.where(rng.random((4000, 10)) < 0.7, y[:, None], 1 - y[:, None])
        L[rng.random(L.shape) < 0.5] = -1
        with pytest.warns(UserWarning, match="contradicts the unanimous votes") as caught:
            blind = curator(GenerativeLabelModel()).fit(L)
        against = [
            {vote for vote in votes if vote != -1} == {1 - label}
            for votes, label in zip(L, blind.labels_, strict=True)
        ]
        assert blind.n_contradicted_ == sum(against) > 0
        assert f"in {sum(against)} of 4000 rows" in str(caught[0].message)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert curator().fit(L).n_contradicted_ == 0

    def test_an_order_by_the_number_of_votes_is_said(self):
        """Copies of one function make a generative model sure of everything."""
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, 1000)
        draws = np.where(rng.random((1000, 3)) < 0.8, y[:, None], 1 - y[:, None])
        L = np.repeat(draws, [15, 1, 1], axis=1)
        with pytest.warns(UserWarning, match=r"is at least 99% sure of .* follows the number of"):
            curator(GenerativeLabelModel(), successes="confidence").fit(L)
        for model, params in (
            (MajorityVoteLabeler(confidence="share"), {}),
            (GenerativeLabelModel(), {"successes": "agreement"}),
            (GenerativeLabelModel(), {"order_by": "confidence"}),
        ):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                curator(model, **params).fit(L)

    def test_where_the_order_is_not_valid_it_is_said_what_is(self):
        """A model that is sure of everything hides on which rows functions agree."""
        rng = np.random.default_rng(0)
        y, torn = rng.integers(0, 2, 600), rng.random(600) < 0.5
        wrong = rng.random((600, 8)) < np.where(torn, 0.45, 0.02)[:, None]
        L = np.where(wrong, 1 - y[:, None], y[:, None])
        with pytest.warns(UserWarning, match="follows the number of votes"):
            made = curator(Certain(), successes="confidence", nested=False).fit(L)
        score = made.score_ordering(y)
        assert not score.permutation_valid
        plain = curator(Certain(), nested=False).fit(L).score_ordering(y)
        assert plain.permutation_valid and plain.remedy == ""
        assert score.remedy.startswith(
            f"successes='agreement' would give a rho of {plain.rho:.3f} (permutation p below 0.001)"
        )
        # labels that say nothing of either order help with none
        noise = rng.integers(0, 2, 600)
        for successes in ("agreement", "confidence"):
            made = curator(Certain(), successes=successes, order_by="confidence").fit(L)
            assert made.score_ordering(noise).remedy == ""

    def test_few_rows_on_which_functions_disagree_are_of_no_matter(self):
        L = np.repeat(np.random.default_rng(0).integers(0, 2, (400, 1)), 8, axis=1)
        for n_torn, said in ((19, 0), (20, 1)):
            L[:n_torn, 0] = 1 - L[:n_torn, 1]
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                curator(GenerativeLabelModel(), successes="confidence").fit(L)
            assert sum("number of votes" in str(w.message) for w in caught) == said

    def test_names_of_functions(self):
        L, _y = easy_and_hard(60, 3)
        frame = pd.DataFrame(L, columns=["a", "b", "c"])
        made = curator(n_datasets=2).fit(frame, L_more=frame)
        assert made.feature_names_in_.tolist() == ["a", "b", "c"]
        with pytest.raises(ValueError, match="feature names should match"):
            made.fit(frame, L_more=frame[["b", "a", "c"]])
        with pytest.raises(ValueError, match="L_more has 2 functions, but"):
            made.fit(frame, L_more=frame[["a", "b"]])
