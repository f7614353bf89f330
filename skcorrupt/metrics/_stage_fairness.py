"""What one stage of a pipeline does to fairness."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Literal

from sklearn.utils import check_consistent_length

from skcorrupt.utils import check_choice, warn_of_order
from skcorrupt.utils._typing import ColumnLike

from ._fairness_differences import defined
from ._groups import METRICS, check_pos_label, count_cells, favourable, gaps, privileged_rows


def stage_fairness(
    y_true: ColumnLike,
    y_pred: ColumnLike,
    y_pred_without: ColumnLike,
    *,
    sensitive_features: ColumnLike,
    metric: Literal["spd", "eod", "aod", "erd"] = "spd",
    privileged: Any,
    pos_label: Hashable,
) -> float:
    """Fairness of a stage: whom the decisions that it changes favour.

    For every metric M it is M of the pipeline less M of the pipeline without the stage.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        What is true.
    y_pred : array-like of shape (n_samples,)
        What the pipeline predicts.
    y_pred_without : array-like of shape (n_samples,)
        What the pipeline without the stage predicts for the same rows.
    sensitive_features : array-like of shape (n_samples,)
        The sensitive attribute; rows where it is missing are left out.
    metric : {"spd", "eod", "aod", "erd"}, default="spd"
        The kind of gap.
    privileged : value, collection of values, or Pattern
        Values of the attribute that make the privileged group, or a condition on it.
    pos_label : label
        The favourable label.

    Returns
    -------
    float
        Positive where the stage moves favourable decisions to the unprivileged, from -2 to 2; for
        "erd", positive where it moves errors to them, from -4 to 4. NaN, with a warning, where a
        group has nobody whom the metric is about.

    Raises
    ------
    ValueError
        If there is no such metric, a label is missing or nobody, or everybody, is privileged.

    References
    ----------
    .. [1] S. Biswas, H. Rajan, Fair Preprocessing, ESEC/FSE 2021, equations 3 to 6.

    Examples
    --------
    >>> from skcorrupt.metrics import stage_fairness
    >>> stage_fairness(
    ...     [1, 0, 1, 0],
    ...     [1, 1, 1, 0],
    ...     [0, 1, 1, 0],
    ...     sensitive_features=["f", "f", "m", "m"],
    ...     privileged="m",
    ...     pos_label=1,
    ... )
    0.5
    """
    check_choice("metric", metric, METRICS)
    check_consistent_length(y_true, y_pred, y_pred_without, sensitive_features)
    check_pos_label(pos_label, y_true=y_true, y_pred=y_pred, y_pred_without=y_pred_without)
    warn_of_order(sensitive_features, y_true, "sensitive_features", "y_true")
    group = privileged_rows(sensitive_features, privileged)
    labels = ((y_true, "y_true"), (y_pred, "y_pred"), (y_pred_without, "y_pred_without"))
    parts = [favourable(values, pos_label, name) for values, name in labels]
    counts = count_cells(group, *parts)
    # the people are the same, so that what is left of two rates are the decisions that changed
    new, old = gaps(counts.sum(axis=-1)), gaps(counts.sum(axis=-2))
    return defined(float(new[metric] - old[metric]), metric)
