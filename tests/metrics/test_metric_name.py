"""What scores are called where people read them."""

import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import fbeta_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt.metrics import metric_name


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
        (make_scorer(fbeta_score, beta=2), [GaussianNB()], "fbeta_score"),
    ],
)
def test_names_not_codes(scoring, models, name):
    assert metric_name(scoring, *models) == name
