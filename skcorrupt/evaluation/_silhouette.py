"""A score of clusters by name, which scikit-learn does not have."""

from __future__ import annotations

import difflib
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import get_scorer_names, silhouette_score
from sklearn.pipeline import Pipeline

from skcorrupt.utils._typing import Estimator, TableLike

SILHOUETTE = "silhouette"


def silhouette_scorer(estimator: Any, X: TableLike, y: Any = None) -> float:
    """Mean silhouette of the clusters that a fitted clusterer predicts.

    Parameters
    ----------
    estimator : fitted clusterer
        With `predict`. Of a Pipeline, distances are those between rows as its last step sees them.
    X : table of shape (n_samples, n_features)
        Rows, all numbers where the last step, or the clusterer itself, sees them.
    y : object, default=None
        Not used.

    Returns
    -------
    float
        From -1 to 1, larger is better; NaN where all rows are in one cluster, or each in one of
        its own.
    """
    # a pipeline whose last step is another one ends where that one does
    while isinstance(estimator, Pipeline):
        *before, (_, last) = estimator.steps
        for _, step in before:
            # samplers and corruptions of training rows alone let test rows pass
            if hasattr(step, "transform"):
                X = step.transform(X)
        estimator = last
    labels = np.asarray(estimator.predict(X))
    if not 1 < len(np.unique(labels)) < len(labels):
        return float("nan")
    return float(silhouette_score(X, labels))


def check_clusterer(estimator: Estimator) -> None:
    """Refuse a model whose predictions are no clusters.

    Parameters
    ----------
    estimator : estimator
        The model.

    Raises
    ------
    ValueError
        If it is a classifier or a regressor, or cannot predict clusters of rows it has not seen.
    """
    kind = type(estimator).__name__
    if is_classifier(estimator) or is_regressor(estimator):
        raise ValueError(
            f"scoring={SILHOUETTE!r} is for clusterers, and {kind} predicts labels; pass a "
            "clusterer such as KMeans, or another scoring."
        )
    if not hasattr(estimator, "predict"):
        raise ValueError(
            f"scoring={SILHOUETTE!r} needs clusters of test rows, and {kind} has no predict; use "
            "one that has, such as KMeans, or pass a callable."
        )


def check_scoring_name(scoring: Any) -> None:
    """Refuse what is no name of a score.

    Parameters
    ----------
    scoring : object
        A name of scikit-learn's scores, or "silhouette".

    Raises
    ------
    ValueError
        With names that are close to it.
    """
    known = [*get_scorer_names(), SILHOUETTE]
    if isinstance(scoring, str) and scoring in known:
        return
    close = difflib.get_close_matches(scoring, known, n=3) if isinstance(scoring, str) else []
    hint = f" (did you mean {' or '.join(map(repr, close))}?)" if close else ""
    raise ValueError(
        f"scoring={scoring!r} should be the name of a score of scikit-learn, such as accuracy, "
        f"f1_macro, roc_auc or r2, or {SILHOUETTE} for clusterers{hint}; leave it out for each "
        "model's own."
    )
