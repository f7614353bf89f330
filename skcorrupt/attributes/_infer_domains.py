"""Domains read off a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils._typing import TableLike

from ..patterns._times import holds_dates, moments
from ..patterns._values import canonical, category_token
from ..utils import Table, as_table, shorten
from ._feature_domain import FeatureDomain

MAX_LISTED = 50


def infer_domains(X: TableLike) -> dict[Hashable, FeatureDomain]:
    """Read off a table what values each column can take.

    Columns are typed by their values, not their dtype. Only 0 and 1, or True and False, make a
    boolean; whole numbers make an integer with step 1, floats among them; other numbers a real.
    Strings, categories and mixed objects make a categorical, also where the categories are
    numbers. Dates and durations make a datetime and a timedelta. A column without any value is a
    categorical of no values.

    Parameters
    ----------
    X : DataFrame, ndarray or sparse matrix of shape (n_samples, n_features)
        The table; columns of arrays and sparse matrices are called x0, x1 and so on.

    Returns
    -------
    dict of label to FeatureDomain
        A domain for each column, in column order. Numeric and boolean domains list their values
        where there are at most 50, categorical ones always; categories are sorted by type and
        value, and cells that have no plain form, such as lists, stand as their `repr`.

    Raises
    ------
    ValueError
        If two columns have the same label.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.attributes import infer_domains
    >>> X = pd.DataFrame({"age": [25.0, 31.0, None], "member": [0, 1, 1], "sex": ["F", "M", "F"]})
    >>> domains = infer_domains(X)
    >>> {name: domain.kind for name, domain in domains.items()}
    {'age': 'integer', 'member': 'boolean', 'sex': 'categorical'}
    >>> domains["age"].lower, domains["age"].upper, domains["age"].has_missing
    (25, 31, True)
    """
    table = as_table(X)
    twice = [label for label, count in Counter(table.labels).items() if count > 1]
    if twice:
        raise ValueError(
            f"X has more than one column called {shorten(twice[0])}; give them distinct names"
        )
    return {label: _domain(table, j, str(label)) for j, label in enumerate(table.labels)}


def _domain(table: Table, j: int, name: str) -> FeatureDomain:
    values, missing = table.values(j), table.missing(j)
    present = values[~missing]
    has_missing = bool(missing.any())
    if not len(present):
        return FeatureDomain(name, "categorical", values=(), has_missing=has_missing)
    kind = table.kind(j)
    if kind == "text" and holds_dates(present) and not _is_categorical(table, j):
        kind = "datetime"
    if kind == "datetime":
        try:
            dates = moments(present, table.time_zone(j))
        except ValueError:
            return _categorical(present, name, has_missing)
        return FeatureDomain(
            name, "datetime", lower=dates.min(), upper=dates.max(), has_missing=has_missing
        )
    if kind == "timedelta":
        times = pd.to_timedelta(pd.Series(present))
        return FeatureDomain(
            name, "timedelta", lower=times.min(), upper=times.max(), has_missing=has_missing
        )
    if kind in ("bool", "integer", "real"):
        return _numeric(present, name, has_missing)
    return _categorical(present, name, has_missing)


def _is_categorical(table: Table, j: int) -> bool:
    if table.container != "pandas":
        return False
    return isinstance(table.source.dtypes.iloc[j], pd.CategoricalDtype)


def _categorical(present: np.ndarray, name: str, has_missing: bool) -> FeatureDomain:
    tokens = sorted({category_token(cell) for cell in present})
    return FeatureDomain(
        name, "categorical", values=tuple(value for _, value in tokens), has_missing=has_missing
    )


def _numeric(present: np.ndarray, name: str, has_missing: bool) -> FeatureDomain:
    distinct = np.unique(present)
    listed = distinct if len(distinct) <= MAX_LISTED else distinct[[0, -1]]
    plain: list[Any] = sorted({canonical(value) for value in listed})
    kind = "real"
    if set(plain) <= {0, 1}:
        kind = "boolean"
    elif _all_whole(distinct):
        kind = "integer"
        plain = [int(value) for value in plain]
    return FeatureDomain(
        name,
        kind,
        lower=plain[0],
        upper=plain[-1],
        values=tuple(plain) if len(distinct) <= MAX_LISTED else None,
        step=1 if kind == "integer" else None,
        has_missing=has_missing,
    )


def _all_whole(values: np.ndarray) -> bool:
    if values.dtype.kind != "f":
        return True
    return bool(np.all(np.isfinite(values) & (values == np.floor(values))))
