"""Bounds of scores by their names hold for the scores."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn.metrics import make_scorer

from skcorrupt.metrics import metric_name
from skcorrupt.metrics._metric_bounds import metric_bounds
from skcorrupt.utils._compat import scorer_parts

# the worst there is: every answer is the other one
Y = np.array([0, 1, 1, 0, 1])
OTHER = 1 - Y


@pytest.mark.parametrize(
    "scorer",
    [
        make_scorer(metrics.balanced_accuracy_score),
        make_scorer(metrics.balanced_accuracy_score, adjusted=True),
        make_scorer(metrics.matthews_corrcoef, greater_is_better=False),
        make_scorer(metrics.r2_score, greater_is_better=False),
        make_scorer(metrics.zero_one_loss, greater_is_better=False),
        make_scorer(metrics.mean_squared_error, greater_is_better=False),
        make_scorer(metrics.f1_score, average="macro"),
    ],
    ids=str,
)
def test_no_score_is_beyond_its_bounds(scorer):
    low, high = metric_bounds(metric_name(scorer))
    func, sign, kwargs, _ = scorer_parts(scorer)
    for answers in (Y, OTHER):
        assert low <= sign * func(Y, answers, **kwargs) <= high


@pytest.mark.parametrize(
    ("scoring", "bounds"),
    [
        ("roc_auc", (0, 1)),
        ("balanced_accuracy", (0, 1)),
        ("r2", (-np.inf, 1)),
        ("neg_log_loss", (-np.inf, 0)),
        ("neg_brier_score", (-np.inf, 0)),
        ("neg_mean_poisson_deviance", (-np.inf, 0)),
        ("explained_variance", (-np.inf, np.inf)),
    ],
)
def test_what_is_known(scoring, bounds):
    assert metric_bounds(metric_name(scoring)) == bounds
