"""Libraries that clean or choose, as scikit-learn has its classifiers; both have to be there."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from cleanlab.classification import CleanLearning
from flaml import AutoML
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags

LEARNERS = ("lgbm", "rf", "extra_tree", "lrl1")


class CleanlabClassifier(ClassifierMixin, CleanLearning):
    """CleanLearning of cleanlab, which says neither that it is a classifier nor its classes."""

    @property
    def classes_(self) -> np.ndarray:
        """Those of the model that was fitted without doubtful labels."""
        return self.clf.classes_


class FlamlClassifier(ClassifierMixin, BaseEstimator):
    """AutoML of FLAML: so many trials of boosting, two kinds of forests and logistic regression.

    The trials are counted and not timed, and the learners take turns, so that a fit can be made
    again; how often a learner has a turn would depend on the clock otherwise. Gaps are filled by
    FLAML itself.

    Parameters
    ----------
    n_trials : int, default=8
        Settings that are tried in all.
    metric : str, default="roc_auc"
        What they are tried for.
    random_state : int, default=0
        The seed.
    """

    def __init__(
        self, n_trials: int = 8, *, metric: str = "roc_auc", random_state: int = 0
    ) -> None:
        self.n_trials = n_trials
        self.metric = metric
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Try settings and fit the best one on all rows.

        Parameters
        ----------
        X : DataFrame of shape (n_samples, n_features)
            Features, gaps allowed.
        y : array-like of shape (n_samples,)
            Labels.

        Returns
        -------
        FlamlClassifier
            Itself.
        """
        self.classes_ = np.unique(np.asarray(y))
        self.n_features_in_ = X.shape[1]
        self.search_ = AutoML()
        self.search_.fit(
            X,
            np.asarray(y),
            task="classification",
            metric=self.metric,
            estimator_list=list(LEARNERS),
            learner_selector="roundrobin",
            max_iter=self.n_trials,
            time_budget=-1,
            eval_method="holdout",
            seed=self.random_state,
            n_jobs=1,
            verbose=0,
            log_file_name="",
        )
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes.

        Parameters
        ----------
        X : DataFrame of shape (n_samples, n_features)
            Features, gaps allowed.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Probabilities.
        """
        return self.search_.predict_proba(X)

    def predict(self, X: Any) -> np.ndarray:
        """The class that the best setting predicts.

        Parameters
        ----------
        X : DataFrame of shape (n_samples, n_features)
            Features, gaps allowed.

        Returns
        -------
        ndarray of shape (n_samples,)
            Classes.
        """
        return np.asarray(self.search_.predict(X))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
