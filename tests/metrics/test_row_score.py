"""What rows contribute to scores: they add up to scikit-learn's, of other answers too."""

import warnings

import numpy as np
import pandas as pd
import pytest
from imblearn.pipeline import Pipeline as SamplingPipeline
from sklearn import metrics
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor
from sklearn.metrics import check_scoring, make_scorer
from sklearn.pipeline import Pipeline

from skcorrupt.metrics import make_subgroup_scorer, row_score_of, surrogate_of
from told_answers import told

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(80, 3)), columns=list("abc"))
STRUCK = X.assign(a=-2.0 * X["a"])
COUNTS = np.exp(X["a"] + 0.3 * RNG.normal(size=80)) + 0.1
LABELS = np.where(X["a"] + X["b"] + RNG.normal(size=80) > 0, "yes", "no")
WEIGHTS = RNG.integers(1, 5, 80).astype(float)
AMOUNTS = [
    "neg_mean_squared_error",
    "neg_root_mean_squared_error",
    "r2",
    "neg_mean_absolute_error",
    "d2_absolute_error_score",
    "neg_mean_absolute_percentage_error",
    "neg_mean_squared_log_error",
    "neg_root_mean_squared_log_error",
    "neg_mean_poisson_deviance",
    "neg_mean_gamma_deviance",
    make_scorer(metrics.mean_pinball_loss, greater_is_better=False, alpha=0.2),
    make_scorer(metrics.d2_pinball_score, alpha=0.7),
    *(
        make_scorer(metrics.mean_tweedie_deviance, greater_is_better=False, power=power)
        for power in (-1.0, 0, 1, 1.5, 2, 3.0)
    ),
    *(make_scorer(metrics.d2_tweedie_score, power=power) for power in (0, 1, 1.5, 2)),
]
CLASSES = [
    "accuracy",
    "balanced_accuracy",
    "neg_log_loss",
    "d2_log_loss_score",
    make_scorer(metrics.recall_score, pos_label="yes"),
    make_scorer(metrics.zero_one_loss, greater_is_better=False),
    make_scorer(
        metrics.brier_score_loss,
        greater_is_better=False,
        pos_label="yes",
        response_method="predict_proba",
    ),
    make_scorer(metrics.d2_brier_score, pos_label="yes", response_method="predict_proba"),
]


def adds_up(scorer, model, y, given, X=X, STRUCK=STRUCK):
    """Rows add up to the score of clean answers, of others, and of some rows of each."""
    found = row_score_of(scorer, model, X, y, given)
    assert found is not None
    mixed = X.copy()
    mixed.iloc[::2] = STRUCK.iloc[::2]
    clean, struck = (found.each(found.ask(model, each)) for each in (X, STRUCK))
    halves = np.where(np.arange(len(X)) % 2 == 0, struck, clean)
    for rows, table in ((clean, X), (struck, STRUCK), (halves, mixed)):
        np.testing.assert_allclose(found.total(rows), scorer(model, table, y, **given), rtol=1e-9)


@pytest.mark.parametrize("given", [{}, {"sample_weight": WEIGHTS}])
class TestSums:
    @pytest.mark.parametrize("scoring", AMOUNTS, ids=str)
    def test_of_amounts(self, scoring, given):
        model = PoissonRegressor().fit(X, COUNTS)
        adds_up(check_scoring(model, scoring=scoring), model, COUNTS, given)

    @pytest.mark.parametrize("scoring", CLASSES, ids=str)
    def test_of_classes(self, scoring, given):
        model = LogisticRegression().fit(X, LABELS)
        adds_up(check_scoring(model, scoring=scoring), model, LABELS, given)

    @pytest.mark.parametrize(
        "scoring",
        [
            "neg_log_loss",
            "d2_log_loss_score",
            "neg_brier_score",
            "d2_brier_score",
            "recall_macro",
            "recall_weighted",
        ],
    )
    def test_of_several_classes(self, scoring, given):
        data = load_iris(as_frame=True)
        rows, y = data.data.iloc[::2], data.target.to_numpy()[::2]
        model = LogisticRegression(max_iter=1000).fit(rows, y)
        if given:
            given = {"sample_weight": 1.0 + np.arange(len(y)) % 3}
        struck = rows.assign(**{rows.columns[2]: 0.3 * rows.iloc[:, 2]})
        adds_up(check_scoring(model, scoring=scoring), model, y, given, rows, struck)


@pytest.mark.parametrize(
    "scoring",
    [
        "explained_variance",
        "neg_max_error",
        "neg_median_absolute_error",
        make_scorer(metrics.mean_pinball_loss),
        make_scorer(metrics.mean_squared_error, greater_is_better=False, multioutput="raw_values"),
    ],
    ids=str,
)
def test_what_is_no_sum_or_of_the_wrong_sign_is_not_taken_for_one(scoring):
    model = LinearRegression().fit(X, COUNTS)
    assert row_score_of(check_scoring(model, scoring=scoring), model, X, COUNTS) is None


@pytest.mark.parametrize("scoring", ["r2", "d2_absolute_error_score"])
def test_of_amounts_that_are_all_the_same_nothing_is_explained(scoring):
    # ten times 0.1 is not quite one
    y, rows = np.full(10, 0.1), X.iloc[:10]
    model = LinearRegression().fit(rows.assign(a=0.0, b=0.0, c=0.0), y)
    assert row_score_of(check_scoring(model, scoring=scoring), model, rows, y) is None


def test_answers_that_have_no_deviance_are_named():
    model = PoissonRegressor().fit(X, COUNTS)
    found = row_score_of(
        check_scoring(model, scoring="neg_mean_poisson_deviance"), model, X, COUNTS
    )
    with pytest.raises(ValueError, match="strictly positive"):
        found.each(np.where(np.arange(80) == 3, -1.0, 1.0))


def test_explained_shares_of_a_subgroup_add_up():
    model = PoissonRegressor().fit(X, COUNTS)
    adds_up(make_subgroup_scorer("d2_absolute_error_score", "b > 0"), model, COUNTS, {})


class Halving(Pipeline):
    """A pipeline that scores itself."""

    def score(self, X, y=None, sample_weight=None):
        """Half of what its last step says."""
        return 0.5 * super().score(X, y)


@pytest.mark.parametrize("kind", [Pipeline, SamplingPipeline, Halving])
def test_pipelines_are_scored_by_their_last_step_unless_they_score_themselves(kind):
    model = kind([("model", LogisticRegression())]).fit(X, LABELS)
    found = row_score_of(check_scoring(model), model, X, LABELS)
    assert (found is None) == (kind is Halving)


class TestOneRowAtATime:
    @pytest.mark.many
    @pytest.mark.parametrize("given", [{}, {"sample_weight": WEIGHTS}])
    @pytest.mark.parametrize(
        "scoring", ["roc_auc", "matthews_corrcoef", make_scorer(metrics.f1_score, pos_label="yes")]
    )
    def test_each_row_changes_the_score_as_it_does_alone(self, scoring, given):
        model = LogisticRegression().fit(X, LABELS)
        scorer = check_scoring(model, scoring=scoring)
        found = surrogate_of(scorer, model, X, LABELS, given)
        each, clean = found.each(found.ask(model, STRUCK)), scorer(model, X, LABELS, **given)
        answers = told(model, X, STRUCK)
        np.testing.assert_allclose(found.offset, clean)
        alone = np.zeros(80)
        for i in range(80):
            mixed = X.copy()
            mixed.iloc[i] = STRUCK.iloc[i]
            alone[i] = scorer(answers, mixed, LABELS, **given) - clean
        # of decisions, rows of other weights are as the first, but for the weight
        close = 1e-9 if scoring == "roc_auc" or not given else 0.05 * np.abs(alone).max()
        np.testing.assert_allclose(each, alone, rtol=0, atol=close)
        assert np.abs(alone).max() > 0
        whole = found.whole(np.asarray(found.ask(model, STRUCK)))
        np.testing.assert_allclose(whole, scorer(model, STRUCK, LABELS, **given))

    @pytest.mark.parametrize("positive", ["no", "yes"])
    def test_rankings_of_either_class_are_led_to_where_they_fall(self, positive):
        model = LogisticRegression().fit(X, LABELS)
        scorer = make_scorer(
            metrics.average_precision_score, response_method="predict_proba", pos_label=positive
        )
        found = surrogate_of(scorer, model, X, LABELS)
        clean, struck = (np.asarray(found.ask(model, each)) for each in (X, STRUCK))
        alone = np.zeros(80)
        for i in range(80):
            mixed = clean.copy()
            mixed[i] = struck[i]
            alone[i] = found.whole(mixed) - found.offset
        assert np.corrcoef(found.each(struck), alone)[0, 1] > 0.5

    @pytest.mark.many
    @pytest.mark.parametrize("weights", [np.ones(30), RNG.integers(1, 5, 30).astype(float)])
    def test_pairs_of_rows_add_no_more_than_is_said(self, weights):
        y = np.array(["no", "yes"])[np.arange(30) % 3 % 2]
        rows = X.iloc[:30]
        model = LogisticRegression().fit(rows, y)
        scorer, given = check_scoring(model, scoring="roc_auc"), {"sample_weight": weights}
        found = surrogate_of(scorer, model, rows, y, given)
        clean, most = np.asarray(found.ask(model, rows)), 0.0
        for draw in range(300):
            rng = np.random.default_rng(draw)
            k = int(rng.integers(1, 9))
            some = rng.permutation(30)[:k]
            other = clean.copy()
            # of two groups that change places all pairs change
            other[some] = np.where(y[some] == "yes", -10.0, 10.0) + rng.normal(size=k)
            said = found.each(other)[some].sum()
            beyond = found.whole(other) - found.offset - said
            assert abs(beyond) <= found.beyond(k) + 1e-12
            most = max(most, abs(beyond) / found.beyond(k) if found.beyond(k) else 0.0)
        assert most > 0.1

    @pytest.mark.parametrize("scoring", ["roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovr_weighted"])
    @pytest.mark.slow
    def test_several_classes_are_led_by_the_mean_over_classes(self, scoring):
        data = load_iris(as_frame=True)
        rows, y = data.data.iloc[:, :2], data.target.to_numpy()
        model = LogisticRegression(max_iter=1000).fit(rows, y)
        scorer = check_scoring(model, scoring=scoring)
        found = surrogate_of(scorer, model, rows, y)
        answers = found.ask(model, 0.7 * rows)
        np.testing.assert_allclose(found.whole(answers), scorer(model, 0.7 * rows, y))
        clean = np.asarray(found.ask(model, rows))
        alone = np.zeros(len(y))
        for i in range(len(y)):
            mixed = clean.copy()
            mixed[i] = answers[i]
            alone[i] = found.whole(mixed) - found.offset
        assert np.corrcoef(found.each(answers), alone)[0, 1] > 0.9

    def test_labels_that_were_not_learned_lead_nowhere(self):
        y = np.where(np.arange(80) % 5 == 0, "other", LABELS)
        model = LogisticRegression().fit(X, y)
        scorer = check_scoring(model, scoring="roc_auc_ovr")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert surrogate_of(scorer, model, X, LABELS) is None
