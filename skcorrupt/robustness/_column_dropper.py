"""Columns left out."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import TransformerMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import AnyTable, check_table, resolve_columns
from skcorrupt.utils._typing import ColumnLabels, ColumnLike, TableLike


class ColumnDropper(SelectorMixin, TransformerMixin, AnyTable):
    """Leave columns out, whatever container they come in.

    Where a column can go wrong and little is lost without it, a model that does not look at it is
    safe. Unlike "drop" in a `ColumnTransformer` it keeps frames frames, with the dtypes of all
    other columns, and names columns of arrays as corruptions do.

    Parameters
    ----------
    columns : label or list of labels, default=()
        Columns to leave out; of arrays `"x0"`, `"x1"` and so on, or positions.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they have string names.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.robustness import ColumnDropper
    >>> X = pd.DataFrame({"age": [30, 40], "branch": ["north", "south"]})
    >>> ColumnDropper("branch").fit_transform(X)
       age
    0   30
    1   40
    """

    def __init__(self, columns: ColumnLabels = ()) -> None:
        self.columns = columns

    def fit(self, X: TableLike, y: ColumnLike | None = None) -> Self:
        """Find the columns.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Training rows.
        y : None
            Ignored; it is there as in other transformers.

        Returns
        -------
        self : ColumnDropper
            The fitted transformer.

        Raises
        ------
        ValueError
            If a column is not there, or none would be left.
        """
        table = check_table(self, X, reset=True)
        left_out = resolve_columns(table, self.columns)
        self._kept = np.ones(table.n_columns, dtype=bool)
        self._kept[left_out] = False
        if not self._kept.any():
            raise ValueError(
                f"columns={self.columns!r} are all the columns there are, and no model learns from "
                "none; leave one of them in."
            )
        return self

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "_kept")
        return self._kept

    def transform(self, X: TableLike) -> Any:
        """Leave the columns out.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Rows, with the columns that `fit` saw.

        Returns
        -------
        table of shape (n_rows, n_kept)
            The other columns, in the container of X.
        """
        check_is_fitted(self, "_kept")
        rows = check_table(self, X, reset=False).source
        if hasattr(rows, "iloc"):
            return rows.iloc[:, np.flatnonzero(self._kept)]
        if sparse.issparse(rows):
            # a matrix of coordinates cannot be cut
            return rows.tocsc()[:, np.flatnonzero(self._kept)].asformat(rows.format)
        return rows[:, np.flatnonzero(self._kept)]
