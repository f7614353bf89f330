"""Label models: oracles by enumeration and by other routes, and what they must not do."""

import itertools
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from skcorrupt.curation import GenerativeLabelModel, MajorityVoteLabeler

MODELS = [
    MajorityVoteLabeler(),
    MajorityVoteLabeler("share"),
    GenerativeLabelModel(),
    GenerativeLabelModel("estimate"),
]
quiet = pytest.mark.filterwarnings("ignore:GenerativeLabelModel (contradicts|has not)")


def votes_of(n, m, seed, *, n_classes=2, prior=None, one_sided=False, accuracy=(0.6, 0.95)):
    """True labels, and votes of functions that are independent given them."""
    rng = np.random.default_rng(seed)
    y = rng.choice(n_classes, n, p=prior)
    L = np.full((n, m), -1)
    for j in range(m):
        wrong = (y + rng.integers(1, n_classes, n)) % n_classes
        voted = np.where(rng.random(n) < rng.uniform(*accuracy), y, wrong)
        casts = rng.random(n) < rng.uniform(0.3, 0.8)
        if one_sided:
            casts &= voted == j % n_classes
        L[casts, j] = voted[casts]
    return L, y


class TestMajority:
    def test_softmax_and_shares_by_hand(self):
        L = [[0, 0, 1, -1], [2, -1, -1, -1], [-1, -1, -1, -1], [0, 1, 2, -1]]
        e = np.e
        softmax = MajorityVoteLabeler(classes=[0, 1, 2]).fit(L).predict_proba(L)
        np.testing.assert_allclose(softmax[0], np.array([e**2, e, 1]) / (e**2 + e + 1))
        np.testing.assert_allclose(softmax[1], np.array([1, 1, e]) / (2 + e))
        share = MajorityVoteLabeler("share").fit(L).predict_proba(L)
        np.testing.assert_allclose(share[:2], [[2 / 3, 1 / 3, 0], [0, 0, 1]])
        np.testing.assert_allclose(share[2:], 1 / 3)

    def test_ties_go_to_the_first_class(self):
        L = [[3, 5], [5, 3], [-1, -1], [5, 5]]
        assert MajorityVoteLabeler().fit(L).predict(L).tolist() == [3, 3, 3, 5]

    def test_softmax_is_a_model_of_equal_functions(self):
        """Of accuracy .731, which is what softmax of raw counts amounts to."""
        accuracy = np.e / (1 + np.e)
        L = np.array(list(itertools.product([-1, 0, 1], repeat=3)))
        for row, proba in zip(L, MajorityVoteLabeler().fit(L).predict_proba(L), strict=True):
            odds = np.prod(
                [
                    accuracy / (1 - accuracy) if v else (1 - accuracy) / accuracy
                    for v in row
                    if v >= 0
                ]
            )
            assert proba[1] == pytest.approx(odds / (1 + odds))


class TestGenerative:
    @quiet
    @pytest.mark.parametrize("one_sided", [False, True])
    def test_it_finds_a_maximum_of_the_posterior(self, one_sided):
        """No step of an optimiser that knows nothing of EM goes higher."""
        L, _ = votes_of(300, 3, 1, one_sided=one_sided, accuracy=(0.75, 0.9))
        model = GenerativeLabelModel(tol=1e-9, max_iter=20_000).fit(L)
        cast = [[v for v in (0, 1) if (L[:, j] == v).any()] for j in range(3)]
        coverage = (L >= 0).mean(axis=0)
        states = np.where(L >= 0, L, 2)

        def loss(logits):
            tables = np.exp(logits.reshape(3, 2, 3))
            for j in range(3):
                for v in {0, 1} - set(cast[j]):
                    tables[j, :, v] = 1e-300
            tables /= tables.sum(axis=2, keepdims=True)
            logs = np.log(tables)
            rows = sum(logs[j][:, states[:, j]] for j in range(3))
            total = -np.logaddexp(rows[0], rows[1]).sum()
            for j in range(3):
                for y, v in itertools.product((0, 1), cast[j]):
                    total -= 2.0 * (0.7 if v == y else 0.3) * logs[j, y, v]
                silent = (1 - coverage[j]) / coverage[j] * 2.0 * len(cast[j]) / 2
                total -= silent * logs[j, :, 2].sum()
            return total

        found = np.log(np.maximum(model.lf_probs_, 1e-12)).ravel()
        better = minimize(loss, found, method="L-BFGS-B", options={"maxiter": 300})
        assert loss(found) - better.fun < 1e-4

    @quiet
    def test_posteriors_are_those_of_the_tables(self):
        L, _ = votes_of(200, 4, 2, n_classes=3)
        model = GenerativeLabelModel([0.5, 0.3, 0.2]).fit(L)
        for row, proba in zip(L[:40], model.predict_proba(L[:40]), strict=True):
            if (row < 0).all():
                continue
            joint = [
                model.class_prior_[y]
                * np.prod([model.lf_probs_[j, y, v if v >= 0 else 3] for j, v in enumerate(row)])
                for y in range(3)
            ]
            np.testing.assert_allclose(proba, joint / np.sum(joint), rtol=1e-9)

    @quiet
    def test_the_tables_come_near_the_truth(self):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, 20_000)
        L = np.full((len(y), 5), -1)
        for j, (right, casts) in enumerate(
            [(0.9, 0.6), (0.8, 0.9), (0.7, 0.4), (0.85, 0.8), (0.6, 0.7)]
        ):
            voted = np.where(rng.random(len(y)) < right, y, 1 - y)
            # silent more often in one class
            there = rng.random(len(y)) < casts * np.where(y == 1, 1.0, 0.6)
            L[there, j] = voted[there]
            L[:, j] = np.where(there, voted, -1)
        model = GenerativeLabelModel(tol=1e-6).fit(L)
        for j in range(5):
            for k in (0, 1):
                shares = [np.mean(L[y == k, j] == v) for v in (0, 1, -1)]
                np.testing.assert_allclose(model.lf_probs_[j, k], shares, atol=0.03)
        assert (np.argsort(model.lf_weights_.mean(axis=1))[[0, -1]] == [4, 0]).all()

    @pytest.mark.parametrize("seed", range(4))
    @pytest.mark.parametrize(("n_classes", "n_lfs"), [(2, 3), (2, 10), (4, 5), (4, 12)])
    def test_one_sided_functions_do_not_collapse(self, n_classes, n_lfs, seed):
        n_lfs = max(n_lfs, 2 * n_classes)
        L, y = votes_of(3000, n_lfs, seed, n_classes=n_classes, one_sided=True)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "GenerativeLabelModel")
            ours = GenerativeLabelModel().fit(L)
        majority = MajorityVoteLabeler().fit(L)
        assert np.mean(ours.predict(L) == y) > np.mean(majority.predict(L) == y) - 0.01
        shares = np.bincount(np.searchsorted(ours.classes_, ours.predict(L))) / len(y)
        assert len(shares) == n_classes and shares.min() > 0.3 / n_classes

    def test_better_than_majority_where_functions_differ(self):
        L, y = votes_of(4000, 8, 5, accuracy=(0.55, 0.95))
        ours, theirs = GenerativeLabelModel().fit(L), MajorityVoteLabeler().fit(L)
        assert np.mean(ours.predict(L) == y) > np.mean(theirs.predict(L) == y)

    def test_a_known_prior_is_used(self):
        L, y = votes_of(4000, 10, 6, prior=[0.9, 0.1], accuracy=(0.6, 0.8))
        with pytest.warns(UserWarning, match="contradicts the unanimous votes"):
            blind = GenerativeLabelModel().fit(L)
        known = GenerativeLabelModel([0.9, 0.1])
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "GenerativeLabelModel contradicts")
            known.fit(L)
        assert np.mean(known.predict(L) == y) > np.mean(blind.predict(L) == y)
        np.testing.assert_array_equal(known.class_prior_, [0.9, 0.1])

    @quiet
    def test_an_estimated_prior(self):
        L, _y = votes_of(20_000, 8, 7, prior=[0.75, 0.25], accuracy=(0.8, 0.95))
        model = GenerativeLabelModel("estimate").fit(L)
        assert model.class_prior_[1] == pytest.approx(0.25, abs=0.03)
        assert model.class_prior_.sum() == pytest.approx(1)

    def test_one_function(self):
        L = np.array([[0], [1], [1], [-1]] * 10)
        model = GenerativeLabelModel().fit(L)
        assert model.predict(L[:4]).tolist() == [0, 1, 1, 0]
        assert model.predict_proba(L[:4])[3].tolist() == [0.5, 0.5]

    @quiet
    def test_functions_that_never_vote_or_always_say_the_same(self):
        L, _y = votes_of(2000, 5, 8)
        plain = GenerativeLabelModel().fit(L).predict_proba(L)
        more = np.column_stack([L, np.full(len(L), -1), np.ones(len(L), dtype=int)])
        proba = GenerativeLabelModel().fit(more).predict_proba(more)
        covered = (L >= 0).any(axis=1)
        assert abs(proba - plain)[covered].max() < 0.05

    def test_a_class_that_nobody_votes_for_is_not_filled_with_others(self):
        L, y = votes_of(3000, 9, 0)
        plain = GenerativeLabelModel().fit(L)
        named = GenerativeLabelModel(classes=[0, 1, 2]).fit(L)
        np.testing.assert_allclose(
            named.predict_proba(L)[:, :2][(L >= 0).any(axis=1)],
            plain.predict_proba(L)[(L >= 0).any(axis=1)],
        )
        assert np.mean(named.predict(L) == y) > 0.8
        assert named.lf_probs_.shape == (9, 3, 4) and np.isnan(named.lf_probs_[:, 2]).all()
        assert named.class_prior_.tolist() == [0.5, 0.5, 0]
        with pytest.raises(ValueError, match=r"votes for \[2\], for which nobody voted in fit"):
            named.predict(np.full((1, 9), 2))

    @quiet
    def test_functions_for_one_class_only(self):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, 3000)
        L = np.where((y == 1)[:, None] & (rng.random((3000, 5)) < 0.8), 1, -1)
        L[(rng.random(L.shape) < 0.05) & (L < 0)] = 1
        model = GenerativeLabelModel(classes=[0, 1]).fit(L)
        covered = (L >= 0).any(axis=1)
        assert np.mean(model.predict(L)[covered] == y[covered]) > 0.95

    def test_functions_taken_for_worse_than_chance(self):
        with pytest.raises(ValueError, match=r"prior_precision=0\.3 should be above chance"):
            GenerativeLabelModel(prior_precision=0.3).fit([[0, 1], [1, 1]])

    def test_rounds_are_counted_and_too_few_are_said(self):
        L, _ = votes_of(500, 4, 9)
        with pytest.warns(ConvergenceWarning, match="max_iter=2"):
            assert GenerativeLabelModel(max_iter=2).fit(L).n_iter_ == 2
        assert 2 < GenerativeLabelModel().fit(L).n_iter_ < 500

    @pytest.mark.parametrize("prior", ["flat", [0.5], [0.5, 0.6], [1.0, 0.0], [[0.5, 0.5]]])
    def test_wrong_priors(self, prior):
        with pytest.raises(ValueError, match=r"class_prior=.* should be"):
            GenerativeLabelModel(prior).fit([[0, 1], [1, 1]])


@pytest.mark.parametrize("model", MODELS, ids=str)
class TestBoth:
    @quiet
    @given(data=st.data())
    def test_probabilities_of_any_votes(self, model, data):
        shape = data.draw(st.tuples(st.integers(1, 12), st.integers(1, 5)))
        L = data.draw(hnp.arrays(np.int64, shape, elements=st.integers(-1, 2)))
        before = L.copy()
        fitted = clone(model).set_params(classes=[0, 1, 2]).fit(L)
        proba = fitted.predict_proba(L)
        np.testing.assert_allclose(proba.sum(axis=1), 1)
        assert (proba >= 0).all() and np.isfinite(proba).all()
        silent = (L < 0).all(axis=1)
        np.testing.assert_allclose(proba[silent], 1 / 3)
        np.testing.assert_array_equal(fitted.predict(L), proba.argmax(axis=1))
        np.testing.assert_array_equal(L, before)

    @quiet
    def test_order_of_rows_and_repeats_make_no_difference(self, model):
        L, _ = votes_of(300, 4, 3)
        proba = clone(model).fit(L).predict_proba(L)
        order = np.random.default_rng(0).permutation(len(L))
        again = clone(model).fit(L[order]).predict_proba(L)
        np.testing.assert_allclose(again, proba, atol=1e-9)
        np.testing.assert_array_equal(clone(model).fit(L).predict_proba(L), proba)

    @quiet
    def test_many_functions_are_not_grouped(self, model):
        """Fewer functions are counted, more of them sorted, and very many taken as they are."""
        L, _ = votes_of(400, 3, 4)
        silent = np.full((400, 60), -1)
        first = clone(model).fit(L).predict_proba(L)
        for extra in (12, 60, 400, 2600):
            wide = np.column_stack([L, silent[:, :extra]])
            np.testing.assert_allclose(clone(model).fit(wide).predict_proba(wide), first, atol=1e-3)

    @quiet
    def test_containers_and_dtypes(self, model):
        L, _ = votes_of(50, 3, 5)
        proba = clone(model).fit(L).predict_proba(L)
        for other in (pd.DataFrame(L), L.astype(float), L.astype(np.int8), L.tolist()):
            np.testing.assert_array_equal(clone(model).fit(other).predict_proba(other), proba)
        L.flags.writeable = False
        clone(model).fit(L)

    @quiet
    def test_classes_need_not_be_consecutive_or_voted(self, model):
        L = np.array([[7, 2], [2, 2], [7, -1]])
        assert clone(model).fit(L).classes_.tolist() == [2, 7]
        fitted = clone(model).set_params(classes=[0, 2, 7]).fit(L)
        assert fitted.classes_.tolist() == [0, 2, 7]
        assert fitted.predict_proba(L).shape == (3, 3)
        assert fitted.predict(L).tolist()[1:] == [2, 7]

    @pytest.mark.parametrize(
        ("L", "message"),
        [
            ([[1, 1], [-1, 1]], r"votes for 1 class \(\[1\]\) where there should be two or more"),
            ([[-1, -1]], "votes for 0 classes"),
            ([[0.5, 1]], "should be|is a class as a whole number"),
            ([["a", "b"]], "map the classes"),
            ([[np.nan, 1.0]], "fill what is missing"),
            ([[-2, 1]], "recode"),
            ([0, 1], "shape"),
            (np.empty((0, 2)), "at least one"),
        ],
    )
    def test_wrong_votes(self, model, L, message):
        with pytest.raises(ValueError, match=message):
            clone(model).fit(L)

    @quiet
    def test_wrong_classes_and_widths(self, model):
        L = [[0, 1], [1, 1]]
        for classes in ([0], [0, 0.5], [-1, 1], ["a", "b"]):
            with pytest.raises(ValueError, match=r"classes=.* should be two or more different"):
                clone(model).set_params(classes=classes).fit(L)
        with pytest.raises(ValueError, match=r"votes for \[1\], which classes=\[0, 2\] does not"):
            clone(model).set_params(classes=[0, 2]).fit(L)
        fitted = clone(model).fit(L)
        with pytest.raises(ValueError, match=r"L has 3 functions, but .* was fitted on 2"):
            fitted.predict([[0, 1, 1]])
        with pytest.raises(
            ValueError, match=r"votes for \[4\], but .* was fitted with the classes"
        ):
            fitted.predict([[0, 4]])
        with pytest.raises(NotFittedError):
            clone(model).predict(L)

    @quiet
    def test_it_is_an_estimator(self, model):
        L, y = votes_of(100, 4, 6)
        copy = clone(model)
        assert copy.get_params() == model.get_params() and repr(copy) == repr(model)
        fitted = copy.fit(L)
        assert 0.6 < fitted.score(L, y) <= 1 and fitted.n_features_in_ == 4
        again = pickle.loads(pickle.dumps(fitted))
        np.testing.assert_array_equal(again.predict_proba(L), fitted.predict_proba(L))


def test_shares_go_by_the_classes_given():
    rng = np.random.default_rng(0)
    y = (rng.random(200) < 0.9).astype(int)
    L = np.where(rng.random((200, 3)) < 0.9, y[:, None], 1 - y[:, None])
    given = GenerativeLabelModel([0.9, 0.1], classes=[1, 0]).fit(L)
    same = GenerativeLabelModel([0.1, 0.9], classes=[0, 1]).fit(L)
    assert given.class_prior_.tolist() == same.class_prior_.tolist() == [0.1, 0.9]
    np.testing.assert_array_equal(given.predict_proba(L), same.predict_proba(L))
    with pytest.raises(ValueError, match=r"class_prior=\{0: 0.9\} should be one of"):
        GenerativeLabelModel({0: 0.9}).fit(L)
