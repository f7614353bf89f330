"""Who is privileged, and what was decided for whom, counted."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.patterns import Pattern
from skcorrupt.patterns._times import as_told
from skcorrupt.utils import as_column, as_table, resolve_columns
from skcorrupt.utils._typing import ColumnLike, TableLike

MOST_SHOWN = 10
METRICS = ("spd", "eod", "aod", "erd")


def privileged_rows(
    sensitive_features: ColumnLike, privileged: Any, X: TableLike | None = None
) -> np.ndarray:
    """Which rows are of the privileged group.

    Parameters
    ----------
    sensitive_features : array-like of shape (n_samples,)
        The sensitive attribute.
    privileged : value, collection of values, or Pattern
        Its values that make the privileged group, or a condition.
    X : table of shape (n_samples, n_features), default=None
        The data that a condition is about; None is the attribute alone.

    Returns
    -------
    ndarray of float, shape (n_samples,)
        1 for the privileged, 0 for all others, NaN where the attribute is missing.

    Raises
    ------
    ValueError
        If nobody, or everybody, is privileged, or no value is known.
    """
    plain = as_column(sensitive_features, "sensitive_features")
    values = pd.Series(plain, dtype=object)
    known = values.notna().to_numpy()
    if isinstance(privileged, Pattern):
        if X is None and len(privileged.columns) != 1:
            raise ValueError(
                f"privileged={str(privileged)!r} is about {len(privileged.columns)} columns; on an "
                "attribute alone it should be about one."
            )
        if X is None:
            X = pd.DataFrame(dict.fromkeys(privileged.columns, plain))
        found = np.asarray(privileged.mask(X)) & known
    else:
        wanted = list(privileged) if is_several(privileged) else [privileged]
        found = values.isin(wanted).to_numpy()
    if not known.any():
        raise ValueError(
            f"privileged={_shown(privileged)}: all {len(values)} values of the sensitive attribute "
            "are missing, so that nobody is of a group; pass one that has values."
        )
    if not found.any() or found[known].all():
        who = "nobody is" if not found.any() else "everybody is"
        raise ValueError(
            f"privileged={_shown(privileged)}: {who} privileged; the values of the sensitive "
            f"attribute are {listed(values[known])}.{_hint(privileged, values[known])} Both groups "
            "should have people."
        )
    return np.where(known, found.astype(float), np.nan)


def is_several(privileged: Any) -> bool:
    """Whether these are several values rather than one."""
    is_collection = isinstance(privileged, Collection) and not isinstance(privileged, (str, bytes))
    return is_collection and getattr(privileged, "ndim", 1) != 0


def _shown(privileged: Any) -> str:
    return repr(str(privileged) if isinstance(privileged, Pattern) else privileged)


def _hint(privileged: Any, values: pd.Series) -> str:
    """What may have been meant, or what is lacking."""
    if values.nunique() == 1 and values.isin([privileged]).all():
        return " There is no other group in the data to compare it with."
    if not isinstance(privileged, str):
        return ""
    if any(sign in privileged for sign in "<>="):
        return f" A condition is Pattern.parse({privileged!r})."
    alike = [value for value in values.unique() if str(value) == privileged]
    return f" Did you mean {alike[0]!r}, without quotes?" if alike else ""


def listed(values: pd.Series) -> str:
    """The first few different values.

    Parameters
    ----------
    values : Series
        The values.

    Returns
    -------
    str
        Sorted, joined by commas.
    """
    plain = [v.item() if isinstance(v, np.generic) else v for v in values.unique()]
    shown = sorted(map(repr, plain))
    return ", ".join([*shown[:MOST_SHOWN], *(["…"] if len(shown) > MOST_SHOWN else [])])


def check_pos_label(pos_label: Hashable, **labels: Any) -> None:
    """Refuse a favourable label that there is not.

    Parameters
    ----------
    pos_label : label
        The favourable label.
    **labels : array-like of shape (n_samples,)
        Labels and predictions, by what they are called.

    Raises
    ------
    ValueError
        If none of them is it, and there are two or more others.
    """
    columns = [as_column(part, name).astype(object) for name, part in labels.items()]
    there = pd.Series(np.concatenate(columns)).dropna()
    known = pd.api.types.is_scalar(pos_label) and there.isin([pos_label]).any()
    if there.nunique() > 1 and not known:
        raise ValueError(
            f"pos_label={pos_label!r} should be one of the labels, which are {listed(there)}."
        )


def favourable(labels: ColumnLike, pos_label: Hashable, name: str) -> np.ndarray:
    """Where a label is the favourable one.

    Parameters
    ----------
    labels : array-like of shape (n_samples,)
        Labels.
    pos_label : label
        The favourable one.
    name : str
        What they are, for messages.

    Returns
    -------
    ndarray of bool, shape (n_samples,)
        Whether each is.

    Raises
    ------
    ValueError
        If a label is missing, or of another type than `pos_label`.
    """
    values = as_column(labels, name)
    series = pd.Series(values)
    if series.isna().any():
        raise ValueError(f"{name} has {int(series.isna().sum())} missing values; drop these rows.")
    if len(values) and isinstance(values[0], str) != isinstance(pos_label, str):
        raise ValueError(
            f"pos_label={pos_label!r} is not among the labels of {name}: {listed(series)}."
        )
    return values == pos_label


def count_cells(privileged: np.ndarray, *parts: np.ndarray) -> np.ndarray:
    """How many rows there are of every combination.

    Parameters
    ----------
    privileged : ndarray of float, shape (n_samples,)
        As `privileged_rows` gives it; rows of unknown group are left out.
    *parts : ndarray of bool, shape (n_samples,)
        Labels and predictions.

    Returns
    -------
    ndarray of shape (2,) * (1 + number of parts)
        The counts.
    """
    known = ~np.isnan(privileged)
    code = (privileged[known] == 1).astype(np.intp)
    for part in parts:
        code = 2 * code + part[known]
    n_axes = 1 + len(parts)
    return np.bincount(code, minlength=2**n_axes).reshape((2,) * n_axes)


def mean_cells(privileged: np.ndarray, positive: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Rows by group, label and answer, of which an answer may be partly the favourable one.

    Parameters
    ----------
    privileged : ndarray of float, shape (n_samples,)
        As `privileged_rows` gives it; rows of unknown group are left out.
    positive : ndarray of bool, shape (n_samples,)
        Whose label is the favourable one.
    shares : ndarray of bool or float, shape (n_samples,)
        How far the answer is.

    Returns
    -------
    ndarray of shape (2, 2, 2)
        Their sums, counts where shares are 0 and 1.
    """
    if shares.dtype == bool:
        return count_cells(privileged, positive, shares)
    known = ~np.isnan(privileged)
    code = 2 * (privileged[known] == 1).astype(np.intp) + positive[known]
    there = np.bincount(code, minlength=4)
    favoured = np.bincount(code, weights=shares[known], minlength=4)
    return np.stack([there - favoured, favoured], axis=-1).reshape((2, 2, 2))


def gaps(counts: np.ndarray) -> dict[str, Any]:
    """Differences of rates between the unprivileged and the privileged group (equation 1).

    Parameters
    ----------
    counts : ndarray of shape (…, 2, 2, 2)
        Rows by group (1 is privileged), label and prediction (1 is favourable).

    Returns
    -------
    dict of str to ndarray of shape (…)
        By metric; NaN where a group has nobody whom it is about.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        selected = counts[..., 1].sum(axis=-1) / counts.sum(axis=(-1, -2))
        rates = counts[..., 1] / counts.sum(axis=-1)
    fpr, tpr = (rates[..., 0, y] - rates[..., 1, y] for y in (0, 1))
    return {
        "spd": selected[..., 0] - selected[..., 1],
        "eod": tpr,
        "aod": (tpr + fpr) / 2,
        "erd": fpr - tpr,
    }


def gap_of(
    metric: str, group: np.ndarray, y_true: ColumnLike, y_pred: ColumnLike, pos_label: Hashable
) -> float:
    """The gap between two groups in what is predicted for them.

    Parameters
    ----------
    metric : str
        One of `METRICS`.
    group : ndarray of float, shape (n_samples,)
        As `privileged_rows` gives it.
    y_true, y_pred : array-like of shape (n_samples,)
        Labels and predictions.
    pos_label : label
        The favourable label.

    Returns
    -------
    float
        Its value; NaN where a group has nobody whom it is about.
    """
    parts = favourable(y_true, pos_label, "y_true"), favourable(y_pred, pos_label, "y_pred")
    return float(gaps(count_cells(group, *parts))[metric])


def sensitive_column(X: TableLike, name: Hashable) -> np.ndarray:
    """A column of the raw data.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        The raw data.
    name : label
        The column; for arrays x0, x1, … or an integer position.

    Returns
    -------
    ndarray of shape (n_samples,)
        Its values, times with a zone as objects in it.

    Raises
    ------
    ValueError
        If it is not there.
    """
    table = as_table(X)
    position = resolve_columns(table, [name], parameter="sensitive_features")[0]
    return as_told(table, position)
