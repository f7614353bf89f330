"""The worst pattern and the worst rows by loops that know nothing of sums: no gap is left."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context, metrics
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, PoissonRegressor, Ridge
from sklearn.metrics import check_scoring, get_scorer, make_scorer, mean_absolute_error
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcorrupt import AdversarialCorruptionSearch, CorruptScale, Pattern
from skcorrupt.adversarial import SearchSpace
from skcorrupt.metrics import make_fairness_scorer, make_row_scorer, make_subgroup_scorer
from skcorrupt.robustness import make_worst_case_scorer
from told_answers import told

RANGES = [(low, high) for low in (1, 2, 3) for high in (1, 2, 3) if low <= high and high - low < 2]
COLUMNS = [*"abc"]
CLASSIFIERS = [
    LogisticRegression(),
    GaussianNB(),
    DecisionTreeClassifier(max_depth=4, random_state=0),
    RandomForestClassifier(n_estimators=5, max_depth=4, random_state=0),
    HistGradientBoostingClassifier(max_iter=5, random_state=0),
]
REGRESSORS = [Ridge(), DecisionTreeRegressor(max_depth=4, random_state=0)]
OF_CLASSES = [
    "accuracy",
    "balanced_accuracy",
    "recall",
    "recall_macro",
    "recall_weighted",
    "neg_log_loss",
    "d2_log_loss_score",
    "neg_brier_score",
    "d2_brier_score",
    make_scorer(metrics.zero_one_loss, greater_is_better=False),
    make_row_scorer(lambda y, p: (y != p) * (1.0 + 4 * y)),
    make_row_scorer(lambda y, p: np.abs(y - p), response_method="predict_proba"),
]
OF_AMOUNTS = [
    "r2",
    "neg_mean_squared_error",
    "neg_mean_absolute_error",
    "d2_absolute_error_score",
    "neg_mean_absolute_percentage_error",
    "neg_mean_squared_log_error",
    "neg_mean_poisson_deviance",
    "neg_mean_gamma_deviance",
    make_scorer(metrics.mean_pinball_loss, greater_is_better=False, alpha=0.2),
    make_scorer(metrics.d2_pinball_score, alpha=0.7),
    make_scorer(metrics.mean_tweedie_deviance, greater_is_better=False, power=1.5),
    make_scorer(metrics.d2_tweedie_score, power=1),
    make_row_scorer(lambda y, p: np.abs(y - p) ** 1.5),
]


# that rows add up to each score with weights, too, the tests of scores show
FAST_WITH_WEIGHTS = ["recall_macro", "neg_log_loss", "r2", "neg_mean_absolute_error"]


def with_weights(scorings):
    """Each score without weights of rows and with them."""
    found = []
    for scoring in scorings:
        marks = [] if scoring in FAST_WITH_WEIGHTS else [pytest.mark.slow]
        found.append(pytest.param(scoring, False, id=str(scoring)))
        found.append(pytest.param(scoring, True, id=f"{scoring}, weighted", marks=marks))
    return found


def table(n, seed, *, amounts=False):
    """Columns of three values, between which a refinement has nowhere to go."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(1, 4, (n, 3)), columns=COLUMNS)
    signal = X.sum(axis=1) + rng.normal(size=n)
    y = np.exp(signal / 4) if amounts else (signal > 6).astype(int)
    return X, pd.Series(y, name="label")


def searched(model, scorer, X, y, weights=None, **params):
    given = {"space": SearchSpace(max_conditions=2), "budget": 0.2, **params}
    search = AdversarialCorruptionSearch(
        FrozenEstimator(model),
        CorruptScale(factor=-2.0),
        apply_to="test",
        scoring=scorer,
        confirm_size=None,
        random_state=0,
        **given,
    )
    if weights is None:
        return search.fit(X, y)
    with config_context(enable_metadata_routing=True):
        return search.fit(X, y, sample_weight=weights)


def weighted(scoring, seed, n):
    """A scorer that asks for weights, and some."""
    scorer = get_scorer(scoring) if isinstance(scoring, str) else scoring
    with config_context(enable_metadata_routing=True):
        scorer = type(scorer)(*scorer_arguments(scorer)).set_score_request(sample_weight=True)
    return scorer, np.random.default_rng(seed).integers(1, 6, n).astype(float)


def scorer_arguments(scorer):
    return scorer._score_func, scorer._sign, scorer._kwargs, scorer._response_method


def alone(model, scorer, X, y, column, given):
    """What the score falls by if one row is struck and no other."""
    clean, found = scorer(model, X, y, **given), np.zeros(len(X))
    answers = told(model, X, X.assign(**{column: -2 * X[column]}))
    for i in range(len(X)):
        Z = X.copy()
        Z.iloc[i, Z.columns.get_loc(column)] *= -2
        found[i] = clean - scorer(answers, Z, y, **given)
    return found


def worst_pattern(model, scorer, X, y, budget, given):
    """The lowest mean over all choices of struck rows, of all patterns on all columns."""
    allowed, worst = math.floor(budget * len(X) + 1e-9), np.inf
    clean = scorer(model, X, y, **given)
    inside = {(c, r): X[c].between(*r).to_numpy() for c in COLUMNS for r in RANGES}
    masks = [
        np.logical_and.reduce([inside[pair] for pair in zip(some, ranges, strict=True)])
        for depth in (1, 2)
        for some in itertools.combinations(COLUMNS, depth)
        for ranges in itertools.product(RANGES, repeat=depth)
    ]
    for column in COLUMNS:
        harm = alone(model, scorer, X, y, column, given)
        for mask in filter(np.any, masks):
            share = min(1.0, allowed / mask.sum())
            worst = min(worst, clean - share * harm[mask].sum())
    return worst


def check_no_gap(model, scorer, X, y, weights=None):
    search = searched(model, scorer, X, y, weights)
    given = {} if weights is None else {"sample_weight": weights}
    worst = worst_pattern(model, scorer, X, y, 0.2, given)
    assert search.certificate_["proven"].all()
    assert worst < search.baseline_score_
    np.testing.assert_allclose(search.worst_score_, worst, rtol=1e-10, atol=1e-12)


class TestTheWorstPattern:
    @pytest.mark.slow
    @pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss"])
    @pytest.mark.parametrize("estimator", CLASSIFIERS, ids=lambda each: type(each).__name__)
    def test_of_classifiers(self, estimator, scoring):
        model = estimator.fit(*table(200, 1))
        check_no_gap(model, check_scoring(model, scoring=scoring), *table(40, 2))

    @pytest.mark.parametrize("scoring", ["r2", "neg_mean_absolute_error"])
    @pytest.mark.parametrize("estimator", REGRESSORS, ids=lambda each: type(each).__name__)
    def test_of_regressors(self, estimator, scoring):
        model = estimator.fit(*table(200, 1, amounts=True))
        check_no_gap(model, check_scoring(model, scoring=scoring), *table(40, 2, amounts=True))

    @pytest.mark.many
    @pytest.mark.parametrize(("scoring", "is_weighted"), with_weights(OF_CLASSES))
    def test_of_all_scores_of_classes(self, scoring, is_weighted):
        model, weights = GaussianNB().fit(*table(200, 3)), None
        scorer = check_scoring(model, scoring=scoring)
        if is_weighted:
            scorer, weights = weighted(scoring, 0, 40)
        check_no_gap(model, scorer, *table(40, 4), weights)

    @pytest.mark.many
    @pytest.mark.parametrize(("scoring", "is_weighted"), with_weights(OF_AMOUNTS))
    def test_of_all_scores_of_amounts(self, scoring, is_weighted):
        model, weights = PoissonRegressor().fit(*table(200, 5, amounts=True)), None
        scorer = check_scoring(model, scoring=scoring)
        if is_weighted:
            scorer, weights = weighted(scoring, 1, 40)
        check_no_gap(model, scorer, *table(40, 6, amounts=True), weights)

    @pytest.mark.parametrize("label", ["allowed", "forbidden"])
    @pytest.mark.parametrize("given", ["a >= 2", "b <= 2 and c > 1"])
    def test_of_a_pattern_that_is_given_is_not_better_than_itself(self, given, label):
        """With another condition fewer rows are struck, where all of them are in the budget."""
        X, y = table(40, 2, amounts=True)
        model = Ridge().fit(*table(200, 1, amounts=True))
        template = CorruptScale("a", factor=50.0, pattern=given)
        rows = Pattern.parse(given).mask(X)
        itself = mean_absolute_error(y, model.predict(X.assign(a=X["a"] * np.where(rows, 50, 1))))
        settings = {"budget": 1.0, "scoring": "neg_mean_absolute_error"}
        settings["space"] = SearchSpace(max_conditions=1, label=label)
        search = AdversarialCorruptionSearch(
            model, template, apply_to="test", confirm_size=None, random_state=0, **settings
        ).fit(X, y)
        assert search.certificate_["proven"].all()
        assert search.worst_score_ <= -itself + 1e-9
        assert search.certificate_["readable_bound"].min() <= -itself + 1e-9
        scorer = make_worst_case_scorer(template, **settings)
        assert scorer(model, X, y) == pytest.approx(search.worst_score_, rel=1e-12)
        assert given in {*search.cv_results_["pattern"]}

    @pytest.mark.long
    def test_of_the_score_of_some_rows(self):
        model = GaussianNB().fit(*table(200, 3))
        check_no_gap(model, make_subgroup_scorer("accuracy", "a > 1"), *table(40, 4))


class TestEveryChoiceOfRows:
    """What any rows could do is the worst of all subsets, each of them scored."""

    @staticmethod
    def check(model, scorer, X, y):
        space = SearchSpace(max_conditions=1, corrupt_columns=COLUMNS)
        search = searched(model, scorer, X, y, budget=0.34, space=space)
        subsets = [
            list(rows) for k in range(4) for rows in itertools.combinations(range(len(X)), k)
        ]
        for row in search.certificate_.to_dict("records"):
            (column,) = row["columns"]
            scores, answers = [], told(model, X, X.assign(**{column: -2 * X[column]}))
            for rows in subsets:
                Z = X.copy()
                Z.loc[rows, column] *= -2
                scores.append(scorer(answers, Z, y))
            np.testing.assert_allclose(row["any_rows_score"], min(scores), rtol=1e-10, atol=1e-12)

    @pytest.mark.slow
    @pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss", "balanced_accuracy"])
    @pytest.mark.parametrize("estimator", CLASSIFIERS[:3], ids=lambda each: type(each).__name__)
    def test_of_classifiers(self, estimator, scoring):
        model = estimator.fit(*table(200, 7))
        self.check(model, check_scoring(model, scoring=scoring), *table(9, 8))

    @pytest.mark.many
    @pytest.mark.parametrize(
        "scoring",
        [
            "r2",
            "neg_root_mean_squared_error",
            "neg_mean_poisson_deviance",
            "d2_absolute_error_score",
        ],
    )
    @pytest.mark.long
    def test_of_regressors(self, scoring):
        model = PoissonRegressor().fit(*table(200, 7, amounts=True))
        self.check(model, check_scoring(model, scoring=scoring), *table(9, 8, amounts=True))

    @pytest.mark.long
    def test_of_gaps_by_errors_of_both_signs(self):
        X, y = table(9, 9)
        X["group"] = np.arange(9) % 2
        fair = make_fairness_scorer("spd", sensitive_features="group", privileged=1, pos_label=1)
        train, labels = table(200, 7)
        model = LogisticRegression(C=100.0).fit(train.assign(group=np.arange(200) % 2), labels)
        self.check(model, fair, X, y)
