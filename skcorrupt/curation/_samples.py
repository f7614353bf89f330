"""Samples one by one or all together, whatever holds them, safe from being changed."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from scipy import sparse

from skcorrupt.utils._typing import ColumnLike, TableLike

# what labeling functions take
Samples: TypeAlias = TableLike | ColumnLike
# from this version on, what is written to a shallow copy does not reach the original
_COPIES_ON_WRITE = int(pd.__version__.split(".")[0]) >= 3

ACCEPTED = "a pandas or polars frame or Series, an array, or a list of texts, dicts or objects"


def n_samples(X: Any, name: str = "X") -> int:
    """How many samples there are.

    Parameters
    ----------
    X : frame, array, Series or list
        The samples.
    name : str, default="X"
        What they are, for messages.

    Returns
    -------
    int
        Their number.

    Raises
    ------
    TypeError
        If `X` does not hold samples in an order.
    ValueError
        If there are none.
    """
    is_lazy = hasattr(type(X), "collect")
    hint = f"list({name})"
    if is_lazy:
        hint = f"{name}.collect()"
    elif isinstance(X, (str, bytes)):
        hint = f"[{name}]"
    elif isinstance(X, Mapping):
        hint = f"pandas.DataFrame({name})"
    shape = getattr(X, "shape", None)
    ordered = hasattr(X, "__len__") and hasattr(X, "__getitem__") and shape != ()
    if not sparse.issparse(X) and (not ordered or is_lazy or isinstance(X, (str, bytes, Mapping))):
        raise TypeError(f"{name} should be {ACCEPTED}, not a {type(X).__name__}; try {hint}.")
    n = shape[0] if shape else len(X)
    if n == 0:
        raise ValueError(f"{name} has no rows; at least one is needed.")
    return int(n)


def rows_of(X: Any) -> Iterator[Any]:
    """Each sample as a labeling function takes it; changing one does not change `X`.

    Parameters
    ----------
    X : frame, array, Series or list
        The samples.

    Yields
    ------
    object
        A Series of a pandas frame, a dict of a polars frame, an array with one dimension less of
        an array, a sparse row, else the entry.
    """
    if isinstance(X, pd.DataFrame):
        for _, row in X.copy().iterrows():
            yield row
    elif is_polars_frame(X):
        yield from X.iter_rows(named=True)
    elif sparse.issparse(X):
        rows = X.tocsr()
        yield from (rows[[i]] for i in range(rows.shape[0]))
    else:
        entries = X if isinstance(X, (pd.Series, pd.Index)) else (X[i] for i in range(len(X)))
        for entry in entries:
            mutable = isinstance(entry, (np.ndarray, np.void, dict, list, set))
            yield copy.copy(entry) if mutable else entry


def whole(X: Any) -> Any:
    """All samples for a vectorised function, so that it cannot change the caller's.

    Parameters
    ----------
    X : frame, array, Series or list
        The samples.

    Returns
    -------
    object
        The same in the same container; arrays cannot be written to.
    """
    if isinstance(X, (pd.DataFrame, pd.Series)):
        return X.copy(deep=not _COPIES_ON_WRITE)
    if isinstance(X, np.ndarray):
        view = X.view()
        view.flags.writeable = False
        return view
    if sparse.issparse(X) or isinstance(X, list):
        return X.copy()
    return X.clone() if type(X).__module__.startswith("polars.") else X


def is_polars_frame(X: Any) -> bool:
    """Whether it is a polars DataFrame, without importing polars.

    Parameters
    ----------
    X : object
        Anything.

    Returns
    -------
    bool
        Whether it is.
    """
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(X, polars.DataFrame)
