"""Errors in served rows: sets of categories, and conditions by an area under the ROC curve."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer, log_loss, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import AdversarialCorruptionSearch, CorruptScale
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial.serving import _finer_ranges
from skcorrupt.metrics import _ranks
from skcorrupt.metrics._ranks import changes_of_rank, joint_changes


@given(
    n=st.integers(4, 12),
    seed=st.integers(0, 10**6),
    levels=st.integers(2, 6),
    weighted=st.booleans(),
)
@settings(max_examples=60)
def test_an_area_follows_from_rows_and_pairs_of_rows(n, seed, levels, weighted):
    rng = np.random.default_rng(seed)
    positive = rng.permutation(np.arange(n) < rng.integers(1, n))
    clean, other = rng.integers(0, levels, (2, n)).astype(float)
    weights = rng.integers(1, 5, n).astype(float) if weighted else np.ones(n)
    alone = changes_of_rank(positive, clean, weights)(other)
    joint = joint_changes(positive, clean, weights)(other)
    area = roc_auc_score(positive, clean, sample_weight=weights)
    for _ in range(4):
        mask = rng.random(n) < 0.5
        struck = np.where(mask, other, clean)
        both = mask[joint.positive][:, None] & mask[joint.negative]
        expected = area + alone[mask].sum() + joint.each[both].sum()
        found = roc_auc_score(positive, struck, sample_weight=weights)
        assert found == pytest.approx(expected, abs=1e-6)


def test_of_many_rows_some_pairs_stand_for_all(monkeypatch):
    rng = np.random.default_rng(0)
    positive = rng.random(900) < 0.4
    clean, other = rng.normal(size=(2, 900)) + positive
    monkeypatch.setattr(_ranks, "MOST_PAIRED", 900)
    whole = joint_changes(positive, clean, np.ones(900))(other).each.sum()
    monkeypatch.setattr(_ranks, "MOST_PAIRED", 200)
    some = joint_changes(positive, clean, np.ones(900))(other)
    assert some.each.shape == (200, 200)
    assert some.each.sum() == pytest.approx(whole, abs=0.05)
    assert joint_changes(positive, clean, np.ones(900))(np.where(positive, np.nan, 1)) is None


def rows(seed, n=70):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 5, n).astype(float),
            "b": rng.integers(0, 4, n).astype(float),
            "kind": rng.choice(["p", "q", "r", "s"], n),
        }
    )
    signal = X["a"] - X["b"] + 2 * X["kind"].isin(["p", "r"]) + rng.normal(size=n)
    return X, (signal > signal.median()).astype(int)


def choices(values):
    """All conditions on a column, as masks: ranges of numbers, sets of categories."""
    distinct = np.unique(values)
    if values.dtype.kind == "f":
        ends = itertools.combinations_with_replacement(distinct, 2)
        found = [(low <= values) & (values <= high) for low, high in ends]
    else:
        sets = (itertools.combinations(distinct, k) for k in range(1, len(distinct)))
        found = [np.isin(values, some) for some in itertools.chain.from_iterable(sets)]
    return [mask for mask in found if not mask.all()]


def worst_of_all(model, score, X, y, most):
    """The least score of errors in all rows of a pattern of at most two conditions."""
    of = {name: choices(X[name].to_numpy(object if name == "kind" else float)) for name in X}
    masks = [mask for own in of.values() for mask in own]
    for one, other in itertools.combinations(of, 2):
        masks += [a & b for a, b in itertools.product(of[one], of[other])]
    clean, least = model.predict_proba(X)[:, 1], np.inf
    for hit in ("a", "b"):
        struck = model.predict_proba(X.assign(**{hit: -2 * X[hit]}))[:, 1]
        for mask in masks:
            if 0 < (mask & (X[hit] != 0)).sum() <= most:
                least = min(least, score(y, np.where(mask, struck, clean)))
    return least


SCORES = {"roc_auc": roc_auc_score, "neg_log_loss": lambda y, p: -log_loss(y, p)}


# of few rows trees learn less than a constant says; what is worst is worst for it, too
@pytest.mark.filterwarnings("ignore:The clean pipeline scores")
@pytest.mark.parametrize("scoring", SCORES)
@pytest.mark.parametrize(
    "learner",
    [LogisticRegression(), DecisionTreeClassifier(min_samples_leaf=15, random_state=0)],
    ids=["lines", "tree"],
)
@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_no_pattern_of_two_conditions_is_worse(scoring, learner, seed):
    X, y = rows(seed)
    encode = make_column_transformer((OneHotEncoder(), ["kind"]), remainder="passthrough")
    model = make_pipeline(encode, learner).fit(*rows(seed + 100, 200))
    assert get_scorer(scoring)(model, X, y) == pytest.approx(
        SCORES[scoring](y, model.predict_proba(X)[:, 1])
    )
    space = SearchSpace(max_conditions=2, corrupt_columns=["a", "b"], min_support=0.0, n_bins=3)
    search = AdversarialCorruptionSearch(
        model, CorruptScale(factor=-2.0), apply_to="test", scoring=scoring, budget=0.3,
        space=space, confirm_size=None, random_state=0,
    ).fit(X, y)  # fmt: skip
    assert search.worst_score_ <= worst_of_all(model, SCORES[scoring], X, y, 21) + 1e-9


def test_of_many_columns_every_number_of_conditions_has_its_worst(monkeypatch):
    """Of one condition no range of any column is worse, though longer patterns are far worse."""
    monkeypatch.setattr(_finer_ranges, "MOST_LOOKED_FOR", 900)
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(240, 12)).round(2), columns=[f"x{i}" for i in range(12)])
    y = (X["x0"] + X["x1"] / 2 + rng.normal(size=240) / 2 > 0).astype(int)
    train, served = X[:120], X[120:].reset_index(drop=True)
    model, labels = LogisticRegression().fit(train, y[:120]), y[120:].to_numpy()
    search = AdversarialCorruptionSearch(
        model, CorruptScale(factor=-2.0, rate=1.0), apply_to="test", scoring="roc_auc", budget=0.2,
        space=SearchSpace(corrupt_columns=["x0"], n_bins=4), confirm_size=None, random_state=0,
    ).fit(served, labels)  # fmt: skip
    clean = model.decision_function(served)
    struck = model.decision_function(served.assign(x0=-2 * served["x0"]))
    least = {True: np.inf, False: np.inf}
    for name in served:
        for mask in choices(served[name].to_numpy()):
            if 0 < mask.sum() <= 24:
                score = roc_auc_score(labels, np.where(mask, struck, clean))
                least[name == "x0"] = min(least[name == "x0"], score)
    found = search.alternatives_[search.alternatives_["n_conditions"] == 1]
    found = found[~found["uses_label"].astype(bool)].set_index("uses_own_column")["score"]
    assert all(found[own] <= least[own] + 1e-9 for own in (True, False))
    assert search.worst_score_ < min(least.values())
    assert search.phases_["phase"].isin(["between bins", "between some bins"]).any()
