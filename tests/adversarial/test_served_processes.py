"""Processes of several errors in served rows: members alone, and what they do together."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptionProcess,
    CorruptMissing,
    CorruptNoise,
    CorruptScale,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import SearchSpace


def table(n=90, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.normal(size=n).round(1),
            "b": rng.integers(1, 4, n),
            "c": rng.normal(size=n).round(1),
        }
    )
    signal = X["a"] + X["b"] - X["c"] + rng.normal(size=n)
    return X, signal


def both(**params):
    return CorruptionProcess(
        [("scale", CorruptScale(factor=10.0)), ("missing", CorruptMissing())], **params
    )


def searched(model, corruption, X, y, **params):
    given = {"space": SearchSpace(max_conditions=2, n_bins=3), "budget": 0.2, **params}
    return AdversarialCorruptionSearch(
        model, corruption, apply_to="test", confirm_size=None, random_state=0, **given
    ).fit(X, y)


@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss"])
@pytest.mark.parametrize("estimator", [LogisticRegression(), DecisionTreeClassifier(max_depth=4)])
@pytest.mark.slow
def test_a_process_is_never_less_bad_than_its_own_members(scoring, estimator):
    X, signal = table()
    y = (signal > 2).astype(int)
    model = make_pipeline(SimpleImputer(), StandardScaler(), estimator).fit(X, y)
    together = searched(model, both(), X, y, scoring=scoring)
    assert together.n_draws_ == 1
    for _, member in both().corruptions:
        alone = searched(model, member, X, y, scoring=scoring)
        assert together.worst_score_ <= alone.worst_score_ + 1e-12


@pytest.mark.slow
def test_so_is_one_whose_score_is_no_sum():
    X, signal = table()
    model = make_pipeline(SimpleImputer(), Ridge()).fit(X, signal)
    together = searched(model, both(), X, signal, scoring="neg_root_mean_squared_error")
    found = together.cv_results_
    # both are drawn
    spread = 4 * max(np.std(found["mean_test_score"]) / math.sqrt(together.n_draws_), 1e-9)
    for _, member in both().corruptions:
        alone = searched(model, member, X, signal, scoring="neg_root_mean_squared_error")
        assert together.worst_score_ <= alone.worst_score_ + spread


@pytest.mark.long
def test_the_closed_form_is_the_mean_over_all_draws_of_all_members():
    X = pd.DataFrame({"a": [1, 2, 1, 2, 1, 2], "b": [1, 1, 2, 2, 3, 3]})
    rng = np.random.default_rng(0)
    wide = pd.DataFrame(rng.integers(-30, 31, (200, 2)), columns=["a", "b"])
    model = DecisionTreeClassifier(max_depth=6, random_state=0).fit(wide, rng.integers(0, 2, 200))
    y = model.predict(X)
    process = CorruptionProcess(
        [("ten", CorruptScale(factor=10.0)), ("minus", CorruptScale(factor=-7.0))]
    )
    space = SearchSpace(max_conditions=1)
    search = searched(model, process, X, y, budget=0.7, space=space, scoring="accuracy")
    n_joint = 0
    for found, score in zip(
        search.cv_results_["corruption"], search.cv_results_["mean_test_score"], strict=True
    ):
        draws = []
        for _, member in found.corruptions:
            rows = np.flatnonzero(member.pattern.mask(X))
            k = math.floor(member.rate * len(rows) + 0.5 + 1e-9)
            draws.append([*itertools.combinations(rows, k)])
        scores = []
        for some in itertools.product(*draws):
            Z = X.copy()
            for rows, (_, member) in zip(some, found.corruptions, strict=True):
                Z.loc[list(rows), list(member.columns)] *= int(member.factor)
            scores.append(model.score(Z, y))
        np.testing.assert_allclose(score, np.mean(scores), rtol=0, atol=1e-12)
        n_joint += len(draws) > 1 and min(map(len, draws)) > 1
    assert n_joint > 0


@pytest.mark.slow
def test_three_members_on_several_splits_average_to_their_draws():
    X, signal = table(n=120)
    y = (signal > 2).astype(int)
    process = CorruptionProcess(
        [
            ("scale", CorruptScale(factor=10.0)),
            ("missing", CorruptMissing()),
            ("minus", CorruptScale(factor=-1.0)),
        ]
    )
    pipeline = make_pipeline(SimpleImputer(), GaussianNB())
    space = SearchSpace(max_conditions=1, n_bins=2)
    search = searched(pipeline, process, X, y, cv=3, space=space, scoring="neg_brier_score")
    found = search.cv_results_
    sizes = np.array([len(each.corruptions) for each in found["corruption"]])
    worst = found["corruption"][np.argmin(np.where(sizes == 3, found["mean_test_score"], np.inf))]
    drawn = cross_validate_corrupted(
        pipeline,
        X,
        y,
        worst,
        apply_to="test",
        scoring="neg_brier_score",
        cv=search.splits_,
        n_repeats=60,
        random_state=search.seed_,
    )["test_score"]
    (place,) = np.flatnonzero([each is worst for each in found["corruption"]])
    error = drawn.reshape(60, 3).mean(axis=1).std() / math.sqrt(60)
    assert abs(drawn.mean() - found["mean_test_score"][place]) <= 4 * error + 1e-12


@pytest.mark.parametrize(
    "process",
    [
        both(noise={"same": ["scale", "missing"]}),
        CorruptionProcess([("noisy", CorruptNoise(scale=3.0)), ("missing", CorruptMissing())]),
        CorruptionProcess(
            [("scale", CorruptScale(factor=9.0, same_rows=False)), ("missing", CorruptMissing())]
        ),
    ],
    ids=["one noise", "random values", "other rows"],
)
@pytest.mark.slow
def test_members_that_are_not_independent_are_drawn(process):
    X, signal = table()
    y = (signal > 2).astype(int)
    model = FrozenEstimator(make_pipeline(SimpleImputer(), LogisticRegression()).fit(X, y))
    space = SearchSpace(max_conditions=1, n_bins=2)
    search = searched(model, process, X, y, space=space, scoring="neg_log_loss")
    together = [
        (corruption, score)
        for corruption, score, n_draws in zip(
            search.cv_results_["corruption"],
            search.cv_results_["mean_test_score"],
            search.cv_results_["n_draws"],
            strict=True,
        )
        if len(corruption.corruptions) > 1 and n_draws == 1
    ]
    for corruption, score in together[:3]:
        drawn = cross_validate_corrupted(
            model,
            X,
            y,
            clone(corruption),
            apply_to="test",
            scoring="neg_log_loss",
            cv=search.splits_,
            random_state=search.seed_,
        )
        np.testing.assert_allclose(drawn["test_score"].mean(), score, rtol=0, atol=1e-12)
    assert together


@pytest.mark.long
def test_a_model_that_looks_at_the_batch_only_where_both_strike_is_seen():
    class Wary(GaussianNB):
        def predict(self, X):
            found = super().predict(X)
            both = ((X["a"] > 50) & (X["b"] > 50)).to_numpy()
            # one row with both errors, and all others are refused too
            return np.zeros_like(found) if both.any() and not both.all() else found

    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(10, 20, (80, 2)), columns=["a", "b"])
    y = (X.sum(axis=1) > 28).astype(int)
    model = Wary().fit(X, y)
    process = CorruptionProcess(
        [("one", CorruptScale(factor=10.0)), ("other", CorruptScale(factor=20.0))]
    )
    space = SearchSpace(max_conditions=1, n_bins=2)
    search = searched(model, process, X, y, space=space, scoring="accuracy")
    corruption = search.worst_corruption_
    assert len(corruption.corruptions) == 2
    drawn = cross_validate_corrupted(
        FrozenEstimator(model),
        X,
        y,
        corruption,
        apply_to="test",
        scoring="accuracy",
        cv=search.splits_,
        n_repeats=search.n_draws_,
        random_state=search.seed_,
    )
    np.testing.assert_allclose(drawn["test_score"].mean(), search.worst_score_, atol=1e-12)


def test_members_are_told_apart_where_they_fail():
    """What one member makes of a column says nothing of another."""
    X, signal = table()
    y = (signal > 2).astype(int)
    model = GaussianNB().fit(X, y)
    with pytest.raises(ValueError, match="cannot predict rows with missing values"):
        searched(model, both(), X, y)


@pytest.mark.long
def test_a_process_beside_a_single_kind():
    X, signal = table()
    y = (signal > 2).astype(int)
    model = make_pipeline(SimpleImputer(), LogisticRegression()).fit(X, y)
    search = searched(model, [CorruptScale(factor=10.0), both()], X, y, scoring="accuracy")
    alone = searched(model, CorruptScale(factor=10.0), X, y, scoring="accuracy")
    assert search.worst_score_ <= alone.worst_score_ + 1e-12
    assert set(search.certificate_["kind"]) == {"scale", "process(scale, missing)"}
