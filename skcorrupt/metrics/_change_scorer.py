"""A score that needs no labels: how much errors change what a model says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.base import is_classifier

from skcorrupt.utils import check_choice

RESPONSES = ("predict", "proba")
# a score by name that scikit-learn does not have
CHANGE = "change"


@dataclass(frozen=True, repr=False)
class ChangeScorer:
    """Minus the mean change of predictions that errors bring.

    Parameters
    ----------
    response : {"predict", "proba"}
        What is compared.
    """

    response: str
    # rows as they were before errors struck them are what it asks about
    reads_rows: ClassVar[bool] = True

    @property
    def __name__(self) -> str:
        """What the score is called where it is shown."""
        return "-change" if self.response == "predict" else "-change of probabilities"

    def __call__(self, estimator: Any, X: Any, y: Any = None) -> float:
        # where nothing was struck, nothing changes
        unserved = getattr(estimator, "on_clean_rows", None)
        if unserved is None:
            return 0.0
        clean = self.ask(unserved, X)
        return -float(np.mean(self.of_rows(clean, self.ask(estimator, X))))

    def ask(self, estimator: Any, X: Any) -> np.ndarray:
        """What is compared of a model's answers.

        Parameters
        ----------
        estimator : fitted estimator
            The model.
        X : table of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Classes, numbers or probabilities.

        Raises
        ------
        ValueError
            If probabilities are asked of a model that has none.
        """
        if self.response == "predict":
            found = np.asarray(estimator.predict(X))
            return found if is_classifier(estimator) else found.astype(float)
        if not hasattr(estimator, "predict_proba"):
            raise ValueError(
                f"response='proba' compares probabilities, which {type(estimator).__name__} does "
                "not have; pass make_change_scorer() to compare predictions."
            )
        return np.asarray(estimator.predict_proba(X), dtype=float)

    def of_rows(self, clean: np.ndarray, struck: np.ndarray) -> np.ndarray:
        """The change of every row.

        Parameters
        ----------
        clean, struck : ndarray of shape (n_samples,) or (n_samples, n_classes)
            What `ask` gave without errors and with them.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            1 where the class is another one, the distance of numbers, or half the sum of the
            distances of probabilities.
        """
        if self.response == "proba":
            return np.abs(struck - clean).sum(axis=1) / 2
        if clean.dtype.kind == "f" and struck.dtype.kind == "f":
            return np.abs(struck - clean)
        return (struck != clean).astype(float)

    def __repr__(self) -> str:
        return f"make_change_scorer(response={self.response!r})"


def make_change_scorer(response: Literal["predict", "proba"] = "predict") -> ChangeScorer:
    """A scorer of errors in served rows that needs no labels: 0 where no prediction changes.

    Parameters
    ----------
    response : {"predict", "proba"}, default="predict"
        "predict" gives minus the share of changed classes, for regressors minus the mean absolute
        change; "proba" minus the mean of ½Σ|Δp| over the classes.

    Returns
    -------
    callable
        `scorer(estimator, X, y=None) -> float`. Errors are those of a search with
        `apply_to="test"`, or of `cross_validate_corrupted`; a model that is asked about clean rows
        alone scores 0.

    Raises
    ------
    ValueError
        If there is no such response.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.frozen import FrozenEstimator
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcorrupt import CorruptScale, cross_validate_corrupted
    >>> from skcorrupt.metrics import make_change_scorer
    >>> X, y = load_iris(return_X_y=True)
    >>> model = FrozenEstimator(DecisionTreeClassifier(random_state=0).fit(X, y))
    >>> found = cross_validate_corrupted(
    ...     model,
    ...     X,
    ...     y,
    ...     CorruptScale("x3", rate=1.0),
    ...     apply_to="test",
    ...     scoring=make_change_scorer(),
    ...     cv=3,
    ... )
    >>> bool(found["test_score"].mean() < -0.5)
    True
    """
    check_choice("response", response, RESPONSES)
    return ChangeScorer(response)
