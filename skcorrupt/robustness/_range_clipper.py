"""Numbers held within the range of the training data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from skcorrupt.checks._numbers import numbers_of
from skcorrupt.utils import (
    MISSING,
    AnyTable,
    Cells,
    check_table,
    is_number,
    resolve_columns,
    shorten,
)
from skcorrupt.utils._compat import StrOptions
from skcorrupt.utils._typing import ColumnLabels, ColumnLike, TableLike

NUMBERS = ("integer", "real")


class RangeClipper(OneToOneFeatureMixin, TransformerMixin, AnyTable):
    """Hold numbers within the range that the training data has.

    A wrong unit, a default such as −999 or a slip of the comma gives values that the model never
    learned from, and a linear model follows them as far as they go. Here they become the end of the
    range, or missing, so that an imputer later in the pipeline fills them.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to hold; None is all that hold numbers in `fit`.
    quantile_range : tuple of (float, float), default=(0.0, 100.0)
        Percentiles of the training values that are the ends of the range. The default is the least
        and the largest; where training data has errors too, something like (1, 99) leaves the
        farthest values out.
    outside : {"clip", "missing"}, default="clip"
        What values outside become: the nearest end of the range, or missing.

    Attributes
    ----------
    lower_, upper_ : ndarray of shape (n_features_in_,)
        Ends of the ranges, in the units of the columns; −inf and inf for columns that are not held
        and for those without a finite value.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they have string names.

    See Also
    --------
    skcorrupt.checks.ValueRange : Raises an alarm where values are outside.

    Notes
    -----
    Missing values stay missing and texts stay as they are. Containers are kept: pandas, polars,
    arrays and sparse matrices come out as they went in. An end of a range is one of the training
    values, so that columns of whole numbers stay so. Skewed columns with a natural limit on one
    side lose nothing with (0, 99).

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.robustness import RangeClipper
    >>> clipper = RangeClipper().fit([[1.0, 10.0], [3.0, 30.0]])
    >>> clipper.transform([[2.0, 20000.0], [-999.0, np.nan]])
    array([[ 2., 30.],
           [ 1., nan]])
    """

    _parameter_constraints: dict[str, Any] = {
        "columns": "no_validation",
        "quantile_range": "no_validation",
        "outside": [StrOptions({"clip", "missing"})],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        quantile_range: Sequence[float] = (0.0, 100.0),
        outside: Literal["clip", "missing"] = "clip",
    ) -> None:
        self.columns = columns
        self.quantile_range = quantile_range
        self.outside = outside

    def fit(self, X: TableLike, y: ColumnLike | None = None) -> Self:
        """Learn the ranges.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Training rows.
        y : None
            Ignored; it is there as in other transformers.

        Returns
        -------
        self : RangeClipper
            The fitted transformer.

        Raises
        ------
        ValueError
            If `quantile_range` is no range, or a named column is not there or holds no numbers.
        """
        self._validate_params()
        low, high = self._percentiles()
        table = check_table(self, X, reset=True)
        self.lower_ = np.full(table.n_columns, -np.inf)
        self.upper_ = np.full(table.n_columns, np.inf)
        named = None if self.columns is None else resolve_columns(table, self.columns)
        for j in range(table.n_columns) if named is None else named:
            if table.kind(j) not in NUMBERS:
                if named is None:
                    continue
                raise ValueError(
                    f"columns: {table.labels[j]!r} holds {table.kind(j)} values, but RangeClipper "
                    "is for numbers; leave it out."
                )
            numbers, _ = numbers_of(table, j, "number")
            finite = numbers[np.isfinite(numbers)]
            if len(finite):
                # ends are values that were seen, those next to the percentiles inside them
                self.lower_[j] = np.percentile(finite, low, method="higher")
                self.upper_[j] = np.percentile(finite, high, method="lower")
                # of a value or two there may be none between
                self.upper_[j] = max(self.lower_[j], self.upper_[j])
        return self

    def _percentiles(self) -> tuple[float, float]:
        ends = self.quantile_range
        fine = isinstance(ends, (tuple, list, np.ndarray)) and len(ends) == 2
        if not (fine and all(map(is_number, ends)) and 0 <= ends[0] < ends[1] <= 100):
            raise ValueError(
                f"quantile_range={shorten(ends)} should be two percentiles with 0 <= low < high "
                "<= 100, such as (1.0, 99.0)."
            )
        return float(ends[0]), float(ends[1])

    def transform(self, X: TableLike) -> Any:
        """Hold the values of rows within the ranges.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Rows, with the columns that `fit` saw.

        Returns
        -------
        table of shape (n_rows, n_features)
            The rows in their container.
        """
        check_is_fitted(self, "lower_")
        table = check_table(self, X, reset=False)
        changes = {}
        for j in np.flatnonzero(np.isfinite(self.lower_)).tolist():
            numbers, _ = numbers_of(table, j, "number")
            rows = np.flatnonzero((numbers < self.lower_[j]) | (numbers > self.upper_[j]))
            if len(rows):
                ends = np.clip(numbers[rows], self.lower_[j], self.upper_[j])
                # whole numbers stay so
                whole = table.kind(j) == "integer" and np.all(ends == np.floor(ends))
                new = ends.astype(np.int64) if whole else ends
                changes[j] = Cells(rows, MISSING if self.outside == "missing" else new)
        return table.with_cells(changes) if changes else table.source
