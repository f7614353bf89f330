"""Scores on groups against scikit-learn's, and a user's scorer on predictions alone."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    brier_score_loss,
    f1_score,
    get_scorer,
    log_loss,
    make_scorer,
    mean_absolute_error,
    mean_squared_error,
    precision_score,
    r2_score,
    recall_score,
    roc_auc_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from proxy_setups import counted_data, laid_out
from skcorrupt.adversarial.proxies import ProxyScore, ScorerRefuses, known_metric
from skcorrupt.metrics import make_fairness_scorer, make_subgroup_scorer

TWO = {
    "roc_auc": lambda y, p, w: roc_auc_score(y, p, sample_weight=w),
    "accuracy": lambda y, p, w: accuracy_score(y, p > 0.5, sample_weight=w),
    None: lambda y, p, w: accuracy_score(y, p > 0.5, sample_weight=w),
    "balanced_accuracy": lambda y, p, w: balanced_accuracy_score(y, p > 0.5, sample_weight=w),
    "f1": lambda y, p, w: f1_score(y, p > 0.5, sample_weight=w, zero_division=0),
    "recall": lambda y, p, w: recall_score(y, p > 0.5, sample_weight=w, zero_division=0),
    "neg_log_loss": lambda y, p, w: -log_loss(y, p, sample_weight=w, labels=[0, 1]),
    "neg_brier_score": lambda y, p, w: -brier_score_loss(y, p, sample_weight=w),
}
SEVERAL = {
    "accuracy": lambda y, p, w: accuracy_score(y, p.argmax(axis=1), sample_weight=w),
    None: lambda y, p, w: accuracy_score(y, p.argmax(axis=1), sample_weight=w),
    "balanced_accuracy": lambda y, p, w: balanced_accuracy_score(
        y, p.argmax(axis=1), sample_weight=w
    ),
    "neg_log_loss": lambda y, p, w: -log_loss(y, p, sample_weight=w, labels=[0, 1, 2]),
}


def of_classes(score, average):
    """Scores of two and of three classes."""
    given = {"average": average, "zero_division": 0}
    return (
        lambda y, p, w: score(y, p > 0.5, sample_weight=w, **given),
        lambda y, p, w: score(y, p.argmax(axis=1), sample_weight=w, **given),
    )


for score, average in itertools.product(
    (f1_score, precision_score, recall_score), ("macro", "micro", "weighted")
):
    name = f"{score.__name__.removesuffix('_score')}_{average}"
    TWO[name], SEVERAL[name] = of_classes(score, average)
NUMBERS = {
    "r2": lambda y, p, w: r2_score(y, p, sample_weight=w),
    None: lambda y, p, w: r2_score(y, p, sample_weight=w),
    "neg_mean_squared_error": lambda y, p, w: -mean_squared_error(y, p, sample_weight=w),
    "neg_root_mean_squared_error": lambda y, p, w: (
        -np.sqrt(mean_squared_error(y, p, sample_weight=w))
    ),
    "neg_mean_absolute_error": lambda y, p, w: -mean_absolute_error(y, p, sample_weight=w),
}


def labels_of(n_classes):
    return SimpleNamespace(n_classes=n_classes, classes=np.arange(n_classes))


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(4, 60),
    levels=st.integers(1, 30),
    whole=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_known_metrics_are_those_of_scikit_learn(n, levels, whole, seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 5, n).astype(float) if whole else rng.random(n) + 0.01
    # few levels, so that many predictions are equal
    p = rng.integers(0, levels + 1, (3, n)) / 32 + 0.02
    y = np.append([0, 1], rng.integers(0, 2, n - 2))
    for name, known in TWO.items():
        found = known_metric(name, labels_of(2))(p, y, weights)
        expected = [known(y, each, weights) for each in p]
        np.testing.assert_allclose(found, expected, atol=1e-6, err_msg=str(name))
    several = np.stack([p, p[::-1] + 0.01, rng.random((3, n)) + 0.01], axis=2)
    several /= several.sum(axis=2, keepdims=True)
    y = np.append([0, 1, 2], rng.integers(0, 3, n - 3))
    for name, known in SEVERAL.items():
        found = known_metric(name, labels_of(3))(several, y, weights)
        expected = [known(y, each, weights) for each in several]
        np.testing.assert_allclose(found, expected, atol=1e-6, err_msg=str(name))
    y = rng.normal(size=n)
    for name, known in NUMBERS.items():
        found = known_metric(name, labels_of(0))(p, y, weights)
        expected = [known(y, each, weights) for each in p]
        np.testing.assert_allclose(found, expected, atol=1e-6, err_msg=str(name))


def test_weights_of_groups_are_rows_written_out():
    rng = np.random.default_rng(0)
    p, y, times = rng.random((2, 30)), rng.integers(0, 2, 30), rng.integers(1, 6, 30)
    found = known_metric("roc_auc", labels_of(2))(p, y, times.astype(float))
    expected = [roc_auc_score(np.repeat(y, times), np.repeat(each, times)) for each in p]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_metrics_that_are_not_known_are_left_to_the_scorer():
    two = labels_of(2)
    assert known_metric("average_precision", two) is None
    assert known_metric(make_scorer(accuracy_score), two) is None
    assert known_metric("roc_auc", labels_of(3)) is None
    assert known_metric("f1", SimpleNamespace(n_classes=2, classes=np.array([1, 2]))) is None
    assert known_metric("f1", SimpleNamespace(n_classes=2, classes=np.array(["n", "y"]))) is None


def test_an_auc_of_one_class_is_no_number():
    auc = known_metric("roc_auc", labels_of(2))
    assert np.isnan(auc(np.array([[0.2, 0.4]]), np.array([1, 1]), np.ones(2))).all()


def half_right(estimator, X, y):
    """A scorer with an interest of its own."""
    said = estimator.predict_proba(X)[:, 1]
    return float(np.mean(abs(said - 0.3) * (np.asarray(y) == estimator.classes_[1])))


def scored(scoring, y=None, **params):
    """Scores of a fitted model by its predictions for groups, and by the scorer itself."""
    X, numbers = counted_data()
    y = numbers if y is None else y
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["c"]), remainder="passthrough"
    )
    regression = isinstance(scoring, str) and scoring in NUMBERS
    model = make_pipeline(columns, Ridge() if regression else LogisticRegression())
    setup = laid_out(model, "selection", X, y, name="tree", scoring=scoring)
    (split,) = setup.problem.splits
    split.score_params = params
    scorer = setup.problem.evaluator.scorer
    model.fit(split.X_train, split.y_train)
    first = np.unique(setup.groups.of_row, return_index=True)[1]
    if regression:
        predicted = model.predict(X.iloc[first])
    else:
        predicted = model.predict_proba(X.iloc[first])
        predicted = predicted[:, 1] if predicted.shape[1] == 2 else predicted
    score = ProxyScore(scoring, scorer, setup.groups, setup.problem.splits)
    found = score.exact(0, np.stack([predicted, predicted]))
    assert found[0] == found[1]
    return found[0], scorer(model, split.X_test, split.y_test, **params), score.is_fast


@pytest.mark.parametrize(
    "scoring",
    [
        "roc_auc",
        "accuracy",
        "f1",
        "neg_log_loss",
        "balanced_accuracy",
        "f1_macro",
        "precision",
        None,
    ],
)
def test_fast_scores_of_a_model(scoring):
    found, expected, fast = scored(scoring)
    assert fast
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    "scoring",
    [
        "average_precision",
        "jaccard_macro",
        make_scorer(roc_auc_score, response_method="decision_function"),
        half_right,
        make_fairness_scorer("spd", sensitive_features="c", privileged="red", pos_label=1),
        make_subgroup_scorer("roc_auc", pattern="a <= 3"),
    ],
)
def test_scores_by_a_scorer_of_the_users(scoring):
    found, expected, fast = scored(scoring)
    assert not fast
    assert found == pytest.approx(expected, abs=1e-9)


def test_sample_weights_reach_the_scorer():
    weights = np.random.default_rng(0).random(80)
    found, expected, _ = scored("average_precision", sample_weight=weights)
    assert found == pytest.approx(expected, abs=1e-9)
    assert found != pytest.approx(scored("average_precision")[0], abs=1e-4)


@pytest.mark.parametrize("scoring", ["f1_macro", "accuracy", "roc_auc_ovr"])
def test_three_classes_with_names(scoring):
    X, y = counted_data()
    y = np.array(["low", "mid", "top"])[y + (X.b > 2)]
    found, expected, _ = scored(scoring, y)
    assert found == pytest.approx(expected, abs=1e-9)


def test_numbers():
    X, _ = counted_data()
    y = X.a + X.b.clip(upper=5) * 0.5
    for scoring in ("r2", "neg_mean_absolute_error"):
        found, expected, _ = scored(scoring, y)
        assert found == pytest.approx(expected, abs=1e-6)


def test_scorers_that_look_into_the_pipeline_are_refused():
    def coefficient(estimator, X, y):
        return float(estimator[-1].coef_[0, 0])

    with pytest.raises(ScorerRefuses, match="not subscriptable"):
        scored(coefficient)


def test_the_rough_area_orders_models_about_right():
    X, y = counted_data()
    model = make_pipeline(LogisticRegression())
    setup = laid_out(model, "selection", X[["a", "b"]], y, scoring="roc_auc")
    beta = np.random.default_rng(0).normal(size=(60, setup.groups.design.shape[1]))
    score = setup.screen.score
    assert score.is_rough
    rough = score.rough(0, beta)
    exact = score.exact(0, setup.proxy.predictions(beta))
    assert np.corrcoef(rough, exact)[0, 1] > 0.9
    other = ProxyScore("accuracy", get_scorer("accuracy"), setup.groups, setup.problem.splits)
    assert not other.is_rough
