"""How differently a model treats two groups."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_consistent_length

from skcorrupt.utils import warn, warn_of_order
from skcorrupt.utils._typing import ColumnLike

from ._groups import check_pos_label, gap_of, privileged_rows


def statistical_parity_difference(
    y_true: ColumnLike,
    y_pred: ColumnLike,
    *,
    sensitive_features: ColumnLike,
    privileged: Any,
    pos_label: Hashable,
) -> float:
    """Difference of the shares of favourable predictions (SPD).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        What is true.
    y_pred : array-like of shape (n_samples,)
        What is predicted.
    sensitive_features : array-like of shape (n_samples,)
        The sensitive attribute; rows where it is missing are left out.
    privileged : value, collection of values, or Pattern
        Its values that make the privileged group, or a condition on it.
    pos_label : label
        The favourable label; with several classes it is one against the rest.

    Returns
    -------
    float
        P(Ŷ = 1 | unprivileged) - P(Ŷ = 1 | privileged), from -1 to 1;
        NaN, with a warning, where a group has nobody whom it is about.

    Raises
    ------
    ValueError
        If a label is missing, there is no such label, or nobody, or everybody, is privileged.

    References
    ----------
    .. [1] S. Biswas, H. Rajan, Fair Preprocessing, ESEC/FSE 2021, equation 1.

    Examples
    --------
    >>> from skcorrupt.metrics import statistical_parity_difference
    >>> statistical_parity_difference(
    ...     [1, 0, 1, 0, 1, 0, 1, 0],
    ...     [1, 0, 0, 0, 1, 1, 1, 0],
    ...     sensitive_features=["f", "f", "f", "f", "m", "m", "m", "m"],
    ...     privileged="m",
    ...     pos_label=1,
    ... )
    -0.5
    """
    return _gap("spd", y_true, y_pred, sensitive_features, privileged, pos_label)


def equal_opportunity_difference(
    y_true: ColumnLike,
    y_pred: ColumnLike,
    *,
    sensitive_features: ColumnLike,
    privileged: Any,
    pos_label: Hashable,
) -> float:
    """Difference of true positive rates (EOD).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        What is true.
    y_pred : array-like of shape (n_samples,)
        What is predicted.
    sensitive_features : array-like of shape (n_samples,)
        The sensitive attribute; rows where it is missing are left out.
    privileged : value, collection of values, or Pattern
        Its values that make the privileged group, or a condition on it.
    pos_label : label
        The favourable label; with several classes it is one against the rest.

    Returns
    -------
    float
        TPR of the unprivileged less that of the privileged, from -1 to 1;
        NaN, with a warning, where a group has nobody whom it is about.

    Raises
    ------
    ValueError
        If a label is missing, there is no such label, or nobody, or everybody, is privileged.

    References
    ----------
    .. [1] S. Biswas, H. Rajan, Fair Preprocessing, ESEC/FSE 2021, equation 1.

    Examples
    --------
    >>> from skcorrupt.metrics import equal_opportunity_difference
    >>> equal_opportunity_difference(
    ...     [1, 0, 1, 0, 1, 0, 1, 0],
    ...     [1, 0, 0, 0, 1, 1, 1, 0],
    ...     sensitive_features=["f", "f", "f", "f", "m", "m", "m", "m"],
    ...     privileged="m",
    ...     pos_label=1,
    ... )
    -0.5
    """
    return _gap("eod", y_true, y_pred, sensitive_features, privileged, pos_label)


def average_odds_difference(
    y_true: ColumnLike,
    y_pred: ColumnLike,
    *,
    sensitive_features: ColumnLike,
    privileged: Any,
    pos_label: Hashable,
) -> float:
    """Mean of the differences of true and false positive rates (AOD).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        What is true.
    y_pred : array-like of shape (n_samples,)
        What is predicted.
    sensitive_features : array-like of shape (n_samples,)
        The sensitive attribute; rows where it is missing are left out.
    privileged : value, collection of values, or Pattern
        Its values that make the privileged group, or a condition on it.
    pos_label : label
        The favourable label; with several classes it is one against the rest.

    Returns
    -------
    float
        The mean of both differences, unprivileged less privileged, from -1 to 1;
        NaN, with a warning, where a group has nobody whom it is about.

    Raises
    ------
    ValueError
        If a label is missing, there is no such label, or nobody, or everybody, is privileged.

    References
    ----------
    .. [1] S. Biswas, H. Rajan, Fair Preprocessing, ESEC/FSE 2021, equation 1.

    Examples
    --------
    >>> from skcorrupt.metrics import average_odds_difference
    >>> average_odds_difference(
    ...     [1, 0, 1, 0, 1, 0, 1, 0],
    ...     [1, 0, 0, 0, 1, 1, 1, 0],
    ...     sensitive_features=["f", "f", "f", "f", "m", "m", "m", "m"],
    ...     privileged="m",
    ...     pos_label=1,
    ... )
    -0.5
    """
    return _gap("aod", y_true, y_pred, sensitive_features, privileged, pos_label)


def error_rate_difference(
    y_true: ColumnLike,
    y_pred: ColumnLike,
    *,
    sensitive_features: ColumnLike,
    privileged: Any,
    pos_label: Hashable,
) -> float:
    """Sum of the differences of false positive and false negative rates (ERD).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        What is true.
    y_pred : array-like of shape (n_samples,)
        What is predicted.
    sensitive_features : array-like of shape (n_samples,)
        The sensitive attribute; rows where it is missing are left out.
    privileged : value, collection of values, or Pattern
        Its values that make the privileged group, or a condition on it.
    pos_label : label
        The favourable label; with several classes it is one against the rest.

    Returns
    -------
    float
        The sum of both differences, unprivileged less privileged, from -2 to 2;
        positive is more errors for the unprivileged. NaN, with a warning, where a group has nobody
        whom it is about.

    Raises
    ------
    ValueError
        If a label is missing, there is no such label, or nobody, or everybody, is privileged.

    References
    ----------
    .. [1] S. Biswas, H. Rajan, Fair Preprocessing, ESEC/FSE 2021, equation 1.

    Examples
    --------
    >>> from skcorrupt.metrics import error_rate_difference
    >>> error_rate_difference(
    ...     [1, 0, 1, 0, 1, 0, 1, 0],
    ...     [1, 0, 0, 0, 1, 1, 1, 0],
    ...     sensitive_features=["f", "f", "f", "f", "m", "m", "m", "m"],
    ...     privileged="m",
    ...     pos_label=1,
    ... )
    0.0
    """
    return _gap("erd", y_true, y_pred, sensitive_features, privileged, pos_label)


def _gap(
    metric: str, y_true: Any, y_pred: Any, sensitive_features: Any, privileged: Any, pos_label: Any
) -> float:
    check_consistent_length(y_true, y_pred, sensitive_features)
    check_pos_label(pos_label, y_true=y_true, y_pred=y_pred)
    warn_of_order(sensitive_features, y_true, "sensitive_features", "y_true")
    group = privileged_rows(sensitive_features, privileged)
    return defined(gap_of(metric, group, y_true, y_pred, pos_label), metric)


def defined(value: float, metric: str) -> float:
    """The value, with a warning where there is none."""
    if np.isnan(value):
        warn(
            f"{metric} is undefined: a group has no row with the label that it is about.",
            UndefinedMetricWarning,
        )
    return value
