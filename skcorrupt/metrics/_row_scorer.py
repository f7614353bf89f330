"""Scores that are a mean over rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from sklearn.metrics import make_scorer

from skcorrupt.utils import check_choice, shorten, user_function

RESPONSE_METHODS = ("predict", "predict_proba", "decision_function")


class MeanLoss:
    """The weighted mean of what every row costs.

    Parameters
    ----------
    row_loss : callable
        `row_loss(y_true, answers) -> array of shape (n_samples,)`.
    """

    def __init__(self, row_loss: Callable[..., Any]) -> None:
        self.row_loss = row_loss

    @property
    def __name__(self) -> str:
        """What the score is called where it is shown."""
        return getattr(self.row_loss, "__name__", "row_loss")

    def __call__(self, y_true: Any, answers: Any, sample_weight: Any = None) -> float:
        return float(np.average(self.of_rows(y_true, answers), weights=sample_weight))

    def of_rows(self, y_true: Any, answers: Any) -> np.ndarray:
        """What every row costs, checked.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels.
        answers : ndarray of shape (n_samples,) or (n_samples, n_classes)
            What the model answers.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            The losses.

        Raises
        ------
        ValueError
            If there is not one finite number a row.
        """
        found = np.asarray(self.row_loss(y_true, answers))
        n = len(answers)
        if found.shape != (n,) or found.dtype.kind not in "biuf":
            raise ValueError(
                f"row_loss={self.__name__} gave {found.dtype} of shape {found.shape} for {n} rows; "
                f"it should give an array of {n} numbers, one a row, such as "
                "(y_true != y_pred) * 1.0."
            )
        if not np.isfinite(found).all():
            raise ValueError(
                f"row_loss={self.__name__} gave {int((~np.isfinite(found)).sum())} of {n} losses "
                "that are not finite; clip them."
            )
        return found.astype(float)

    def __repr__(self) -> str:
        return f"MeanLoss({self.__name__})"


def make_row_scorer(
    row_loss: Callable[..., Any],
    *,
    response_method: Literal["predict", "predict_proba", "decision_function"] = "predict",
) -> Any:
    """A scorer that is minus the mean of what every row costs, such as costs in euros.

    Of such a score it is known exactly what each row contributes, so that the worst error at
    serving time can be proven.

    Parameters
    ----------
    row_loss : callable
        `row_loss(y_true, answers) -> array of shape (n_samples,)`, the loss of each row, which
        depends on that row alone.
    response_method : {"predict", "predict_proba", "decision_function"}, default="predict"
        What the model is asked for; of two classes the last two give one number a row.

    Returns
    -------
    callable
        `scorer(estimator, X, y, sample_weight=None) -> float`, as `make_scorer` makes them; with
        `sample_weight` a weighted mean.

    Raises
    ------
    TypeError, ValueError
        If `row_loss` is not callable, or there is no such response; when scoring, if it does not
        give a finite number a row.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.dummy import DummyClassifier
    >>> from skcorrupt.metrics import make_row_scorer
    >>> def euros(y_true, y_pred):
    ...     return np.where(y_true == y_pred, 0.0, np.where(y_true == 1, 500.0, 20.0))
    >>> model = DummyClassifier(strategy="constant", constant=0).fit([[0], [1]], [0, 1])
    >>> make_row_scorer(euros)(model, [[0], [1]], np.array([0, 1]))
    -250.0
    """
    if not callable(row_loss):
        raise TypeError(
            f"row_loss={shorten(row_loss)} should be a function row_loss(y_true, answers) that "
            "gives the loss of every row."
        )
    user_function("row_loss", row_loss, ("y_true", "answers"))
    check_choice("response_method", response_method, RESPONSE_METHODS)
    return make_scorer(MeanLoss(row_loss), response_method=response_method, greater_is_better=False)
