"""Scorers that read the sensitive attribute from the raw data."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.base import is_regressor

from skcorrupt.utils import check_choice, shorten

from ._change_scorer import RESPONSES
from ._groups import (
    METRICS,
    check_pos_label,
    favourable,
    gaps,
    mean_cells,
    privileged_rows,
    sensitive_column,
)


@dataclass(frozen=True, eq=False, repr=False)
class FairnessScorer:
    """Minus the size of a gap between two groups, 0 where they are treated alike.

    Parameters
    ----------
    metric : {"spd", "eod", "aod", "erd"}
        The gap.
    sensitive_features : label
        The column of the raw X.
    privileged : value, collection of values, or Pattern
        Its values that make the privileged group, or a condition on the raw X.
    pos_label : label
        The favourable label.
    response : {"predict", "proba"}, default="predict"
        What is compared, decisions or the probability of the favourable label.
    """

    metric: str
    sensitive_features: Hashable
    privileged: Any
    pos_label: Hashable
    response: str = "predict"
    # groups are those of rows as they were before errors struck them
    reads_rows: ClassVar[bool] = True

    @property
    def __name__(self) -> str:
        """What the score is called where it is shown."""
        return f"-|{self.metric}|" + (" of probabilities" if self.response == "proba" else "")

    def __call__(self, estimator: Any, X: Any, y_true: Any) -> float:
        if is_regressor(estimator):
            raise ValueError(
                f"metric={self.metric!r} compares decisions, but {type(estimator).__name__} "
                "predicts numbers; use StageFairnessAblator for gaps of means."
            )
        column = sensitive_column(X, self.sensitive_features)
        group = privileged_rows(column, self.privileged, X)
        answers = self.ask(estimator, X)
        # where a fold has one label the model may still know others
        known: dict[str, Any] = {"y_true": y_true, "classes_": getattr(estimator, "classes_", ())}
        if self.response == "predict":
            known["y_pred"] = answers
        check_pos_label(self.pos_label, **known)
        positive = favourable(y_true, self.pos_label, "y_true")
        cells = mean_cells(group, positive, self.shares(answers))
        return -abs(float(gaps(cells)[self.metric]))

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
        ndarray of shape (n_samples,)
            Labels, or probabilities of the favourable one.

        Raises
        ------
        ValueError
            If probabilities are asked of a model that has none.
        """
        if self.response == "predict":
            return np.asarray(estimator.predict(X))
        if not hasattr(estimator, "predict_proba"):
            raise ValueError(
                f"response='proba' compares probabilities, which {type(estimator).__name__} does "
                "not have; pass response='predict' to compare decisions."
            )
        found = np.asarray(estimator.predict_proba(X), dtype=float)
        column = np.flatnonzero(np.asarray(estimator.classes_) == self.pos_label)
        # a model that has not seen the label does not expect it
        return found[:, column[0]] if len(column) else np.zeros(len(found))

    def shares(self, answers: np.ndarray) -> np.ndarray:
        """How far every answer is the favourable one, from 0 to 1.

        Parameters
        ----------
        answers : ndarray of shape (n_samples,)
            As `ask` gives them.

        Returns
        -------
        ndarray of bool or float, shape (n_samples,)
            Whether it is, or how likely.
        """
        if self.response == "proba":
            return answers
        return favourable(answers, self.pos_label, "y_pred")

    def __repr__(self) -> str:
        response = "" if self.response == "predict" else f", response={self.response!r}"
        return (
            f"make_fairness_scorer({self.metric!r}, sensitive_features={self.sensitive_features!r}"
            f", privileged={self.privileged!r}, pos_label={self.pos_label!r}{response})"
        )


def make_fairness_scorer(
    metric: Literal["spd", "eod", "aod", "erd"],
    *,
    sensitive_features: Hashable,
    privileged: Any,
    pos_label: Hashable,
    response: Literal["predict", "proba"] = "predict",
) -> FairnessScorer:
    """A scorer that is larger the more alike two groups are treated.

    Parameters
    ----------
    metric : {"spd", "eod", "aod", "erd"}
        The gap: of shares of favourable predictions, of true positive rates, the mean of the gaps
        of true and false positive rates, the sum of the gaps of both error rates.
    sensitive_features : label
        The column of the raw X that holds the sensitive attribute, which the pipeline itself need
        not use.
    privileged : value, collection of values, or Pattern
        Its values that make the privileged group, or a condition on the raw X such as
        `Pattern.parse("age >= 25")`.
    pos_label : label
        The favourable label; with several classes it is one against the rest.
    response : {"predict", "proba"}, default="predict"
        What is compared: decisions, or means of the predicted probability of `pos_label` in the
        place of shares of favourable decisions, which move before any decision does.

    Returns
    -------
    callable
        `scorer(estimator, X, y) -> float`, -|gap|, at most 0; NaN where a group has nobody whom
        the metric is about.

    Raises
    ------
    TypeError
        If `sensitive_features` is no name, such as values for each row.
    ValueError
        If there is no such metric or response; when scoring, if the column is not in X, nobody or
        everybody is privileged, there is no such label, the estimator is a regressor, or has no
        probabilities to compare.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcorrupt.metrics import make_fairness_scorer
    >>> X = pd.DataFrame({"score": [1, 2, 3, 4], "female": [1, 1, 0, 0]})
    >>> scorer = make_fairness_scorer(
    ...     "spd", sensitive_features="female", privileged=0, pos_label="yes"
    ... )
    >>> scorer(DecisionTreeClassifier().fit(X, ["no", "yes", "yes", "yes"]), X, ["yes"] * 4)
    -0.5
    """
    check_choice("metric", metric, METRICS)
    check_choice("response", response, RESPONSES)
    if not isinstance(sensitive_features, Hashable):
        raise TypeError(
            f"sensitive_features={shorten(sensitive_features)} should be the name of a column of "
            "X; values for each row go to the metrics themselves, as "
            "skcorrupt.metrics.statistical_parity_difference."
        )
    return FairnessScorer(metric, sensitive_features, privileged, pos_label, response)
