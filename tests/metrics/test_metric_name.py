"""What scores are called where people read them."""

import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import (
    f1_score,
    fbeta_score,
    make_scorer,
    mean_absolute_error,
    recall_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt.metrics import make_change_scorer, metric_name


def own(y_true, y_pred):
    return 0.0


@pytest.mark.parametrize(
    ("scoring", "models", "name"),
    [
        (None, [make_pipeline(StandardScaler(), GaussianNB())], "accuracy"),
        (None, [GaussianNB(), LogisticRegression()], "accuracy"),
        (None, [LinearRegression()], "R²"),
        (None, [LinearRegression(), GaussianNB()], "score"),
        (None, [KMeans()], "score"),
        (None, [], "score"),
        ("roc_auc", [GaussianNB()], "AUC"),
        ("balanced_accuracy", [], "balanced accuracy"),
        ("f1_macro", [], "macro F1"),
        ("neg_mean_absolute_error", [], "negative mean absolute error"),
        (make_scorer(fbeta_score, beta=2), [GaussianNB()], "fbeta (beta=2)"),
        (make_scorer(recall_score, pos_label="yes"), [], "recall of 'yes'"),
        (make_scorer(f1_score, average="macro"), [], "macro F1"),
        (make_scorer(recall_score, average="micro"), [], "micro recall"),
        (
            make_scorer(mean_absolute_error, greater_is_better=False),
            [],
            "negative mean absolute error",
        ),
        (make_scorer(own), [], "own"),
        ("change", [GaussianNB()], "negative share of predictions changed"),
        (make_change_scorer(), [LinearRegression()], "negative mean change of predictions"),
        (make_change_scorer("proba"), [GaussianNB()], "negative mean change of probabilities"),
    ],
)
def test_names_not_codes(scoring, models, name):
    assert metric_name(scoring, *models) == name
