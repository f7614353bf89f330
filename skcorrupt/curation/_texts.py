"""The texts among samples, whatever holds them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from ..utils import as_table, describe_columns, resolve_columns


def texts_of(X: Any, column: Hashable | None) -> list[str | None]:
    """One text a sample.

    Parameters
    ----------
    X : frame, array, Series or list
        The samples.
    column : label or None
        The column, or key of dicts, that holds the texts; None where the samples are texts.

    Returns
    -------
    list of str or None
        The texts; None where one is missing.

    Raises
    ------
    ValueError
        If it is unclear where the texts are, or there is no such column.
    TypeError
        If an entry is neither a text nor missing.
    """
    where = "X" if column is None else f"column {column!r}"
    texts: list[str | None] = []
    for i, entry in enumerate(_entries(X, column)):
        if isinstance(entry, str):
            texts.append(entry)
        elif entry is None or (pd.api.types.is_scalar(entry) and pd.isna(entry)):
            texts.append(None)
        else:
            shown = entry.item() if isinstance(entry, np.generic) else entry
            raise TypeError(
                f"{where} holds {shown!r} in row {i}, which is not a text; make it one, such as "
                "by str(…), or name another column=."
            )
    return texts


def _entries(X: Any, column: Any) -> Any:
    """Entries of a column, or of X itself where it has none."""
    if not (hasattr(X, "columns") or sparse.issparse(X) or getattr(X, "ndim", 1) == 2):
        if column is None:
            return X
        if not all(isinstance(entry, Mapping) for entry in X):
            raise ValueError(
                f"column={column!r}, but X is a {type(X).__name__} without columns; leave column "
                "out where the samples are texts."
            )
        return [entry.get(column) for entry in X]
    table = as_table(X)
    if column is not None:
        return table.values(resolve_columns(table, [column], parameter="column")[0])
    if table.n_columns != 1:
        raise ValueError(
            f"column is None, but X has {table.n_columns} columns; name the one that holds the "
            f"texts. Its columns are: {describe_columns(table)}."
        )
    return table.values(0)
