"""Scorers that read the sensitive attribute from the raw data."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from sklearn.base import is_regressor

from skcorrupt.utils import check_choice

from ._groups import METRICS, check_pos_label, gap_of, privileged_rows, sensitive_column


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
    """

    metric: str
    sensitive_features: Hashable
    privileged: Any
    pos_label: Hashable
    # groups are those of rows as they were before errors struck them
    reads_rows: ClassVar[bool] = True

    @property
    def __name__(self) -> str:
        """What the score is called where it is shown."""
        return f"-|{self.metric}|"

    def __call__(self, estimator: Any, X: Any, y_true: Any) -> float:
        if is_regressor(estimator):
            raise ValueError(
                f"metric={self.metric!r} compares decisions, but {type(estimator).__name__} "
                "predicts numbers; use StageFairnessAblator for gaps of means."
            )
        column = sensitive_column(X, self.sensitive_features)
        group = privileged_rows(column, self.privileged, X)
        y_pred = estimator.predict(X)
        # where a fold has one label the model may still know others
        known = getattr(estimator, "classes_", ())
        check_pos_label(self.pos_label, y_true=y_true, y_pred=y_pred, classes_=known)
        return -abs(gap_of(self.metric, group, y_true, y_pred, self.pos_label))

    def __repr__(self) -> str:
        return (
            f"make_fairness_scorer({self.metric!r}, sensitive_features={self.sensitive_features!r}"
            f", privileged={self.privileged!r}, pos_label={self.pos_label!r})"
        )


def make_fairness_scorer(
    metric: Literal["spd", "eod", "aod", "erd"],
    *,
    sensitive_features: Hashable,
    privileged: Any,
    pos_label: Hashable,
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

    Returns
    -------
    callable
        `scorer(estimator, X, y) -> float`, -|gap|, at most 0; NaN where a group has nobody whom
        the metric is about.

    Raises
    ------
    ValueError
        If there is no such metric; when scoring, if the column is not in X, nobody or everybody
        is privileged, there is no such label, or the estimator is a regressor.

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
    return FairnessScorer(metric, sensitive_features, privileged, pos_label)
