"""What a search is for: the kind of error as a template, and labels that it can work with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from skcorrupt.base import BaseCorruption
from skcorrupt.corruptions import CorruptionProcess, corruption_from
from skcorrupt.patterns import as_pattern
from skcorrupt.utils import Table, Target, as_array, check_target, sorted_labels
from skcorrupt.utils._typing import Estimator


def as_template(corruption: Any) -> BaseCorruption:
    """The template that `corruption` stands for, a clone of what was given.

    Raises
    ------
    ValueError, TypeError
        If it cannot be searched, with what can.
    """
    template = corruption_from(corruption)
    reason = template._why_not_searched()
    if reason:
        raise ValueError(f"corruption {reason}")
    if isinstance(template, CorruptionProcess):
        template._check_members()
    return clone(template)


def members_of(template: BaseCorruption) -> list[Any]:
    """The members of a process; any other corruption is the only one."""
    return [member for _, member in template._members()]


def check_labels(y: Any, estimator: Estimator, n_rows: int, *, one_class: bool = False) -> Any:
    """Labels of shape (n_samples,) that an adversary can work with.

    Raises
    ------
    ValueError
        If there are none, several a row, or missing ones.
    """
    if y is None:
        raise ValueError(
            "AdversarialCorruptionSearch requires y to be passed, but the target y is None."
        )
    if not hasattr(y, "__getitem__"):
        # it may be no more than something that numpy can turn into an array
        y = np.asarray(y)
    if n_rows == 0:
        raise ValueError("X has 0 rows; pass at least one row of every class, and their labels.")
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        y = y.iloc[:, 0]
    elif np.ndim(as_array(y, "y") if isinstance(y, (list, tuple)) else y) > 1:
        if np.shape(y)[1] > 1:
            raise ValueError(
                f"y has shape {np.shape(y)}, several labels a row; pass one column, of shape "
                "(n_samples,)."
            )
        y = column_or_1d(np.asarray(y), warn=True)
    check_target(y, n_rows)
    missing = np.asarray(pd.isna(Target(y).values))
    if missing.any():
        raise ValueError(
            f"Input y contains NaN in {int(missing.sum())} of {len(missing)} rows; drop these "
            "rows before the search."
        )
    values = Target(y).values
    if values.dtype.kind == "f" and np.isinf(values).any():
        raise ValueError("Input y contains infinity or a value too large; drop these rows.")
    if is_classifier(estimator):
        classes = sorted_labels(values)
        check_classification_targets(values if values.dtype.kind != "O" else values.astype(str))
        if len(classes) < 2 and not one_class:
            raise ValueError(
                f"y holds one class only, {classes.tolist()[0]!r}; a classifier needs at least two."
            )
    return y


def check_error_fits(template: BaseCorruption, estimator: Estimator) -> None:
    """Refuse label flips for estimators that predict numbers.

    Raises
    ------
    ValueError
        With the parameter that such labels need.
    """
    if is_classifier(estimator):
        return
    if any(member._flips for member in members_of(template)):
        raise ValueError(
            f"{type(estimator).__name__} is not a classifier, so its labels have no other class "
            "to flip to; pass CorruptLabels(shift=…) to move them, in units of y, or factor=… or "
            "noise=… in its place."
        )


def check_members(template: BaseCorruption, table: Table, y: Any) -> None:
    """Check parameters and names of columns, and give labels in patterns the types of columns.

    Parameters
    ----------
    template : BaseCorruption
        Its members' patterns are replaced.
    table : Table
        The features.
    y : array-like of shape (n_samples,) or None
        The labels, whose name a pattern may use.

    Raises
    ------
    ValueError
        If a parameter does not fit, or several columns have one name.
    """
    template._validate_params()
    names = [str(label) for label in table.labels]
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"X has several columns called {', '.join(twice)}; rename them.")
    for member in members_of(template):
        member._check_params()
        if member.pattern is not None:
            member.set_params(pattern=as_pattern(member.pattern).labelled(table, y))
