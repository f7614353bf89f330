"""Values that the gaps of training rows hide, made missing wherever they come up."""

from __future__ import annotations

from numbers import Real
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import MISSING, Cells, Table, check_table, resolve_columns
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels, ColumnLike, TableLike

from ._hidden import Divided, Hidden, hidden_in
from ._plausible import plausible

# fewer gaps, and a smaller share of the rows, hide nothing that would be missed
LEAST_GAPS = 8
LEAST_SHARE = 0.01
TOLD = ["column", "value", "beside", "value_beside", "expected"]


class UnseenMasker(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Make values missing that training rows had only as gaps.

    Where cells are missing because of what they would hold, as all of one office or all above a
    limit, a model learns from the gaps what such rows are like. Served the values themselves it
    meets them for the first time, and takes them for something else. Here they become missing,
    which is how the model knows them. An imputer later in the pipeline should tell gaps from values
    by `add_indicator=True` or a category of its own; models that take missing values need none.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to mask; None is all. Only those with gaps in `fit` change.
    false_alarm : float in [0, 1), default=0.01
        About the share of values of such a column that become missing though nothing hid them,
        because training rows did not have them by chance.

    Attributes
    ----------
    hidden_ : DataFrame of shape (n_pairs, 5)
        Values that no training row shows beside a value of another column, though many were to,
        and gaps are there instead: `column`, `value`, `beside`, `value_beside` (levels, or
        `(low, high)` without the upper end), and `expected`, how many rows were to have both.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they have string names.

    See Also
    --------
    RangeClipper : Holds numbers within the range of the training data.
    SubmodelClassifier : Does without a column where a cell is missing or implausible.

    Notes
    -----
    In columns with gaps, of at least 8 rows and 1 % of them, these become missing: levels that
    `fit` did not see, where new ones are rare; numbers out of its range or far from all of them;
    and values beside a value of another column, where 12 rows or more were expected with both and
    none was seen, if gaps there account for half of them. How many are expected follows from how
    frequent the value is where there are few gaps. Numbers of more than 16 distinct values are
    divided into eight ranges. A value that gaps hide in most rows, but not in all, stays.

    Without gaps in `fit` nothing changes. Containers are kept; whole numbers that become missing
    change the dtype where it has no missing value.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.robustness import UnseenMasker
    >>> X = pd.DataFrame({"office": [*"abc"] * 40, "age": [20, 30, 40, 50, 60, 20] * 20})
    >>> gaps = X.assign(office=X["office"].where(X["office"] != "c"))
    >>> UnseenMasker().fit(gaps).transform(X.head(3))["office"].tolist()
    ['a', 'b', nan]
    """

    _parameter_constraints: dict[str, Any] = {
        "columns": "no_validation",
        "false_alarm": [NumberInterval(Real, 0, 1, closed="left")],
    }

    def __init__(self, columns: ColumnLabels | None = None, *, false_alarm: float = 0.01) -> None:
        self.columns = columns
        self.false_alarm = false_alarm

    def fit(self, X: TableLike, y: ColumnLike | None = None) -> Self:
        """Learn which values the gaps hide.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Training rows.
        y : None
            Ignored; it is there as in other transformers.

        Returns
        -------
        self : UnseenMasker
            The fitted transformer.

        Raises
        ------
        ValueError
            If a named column is not there, or holds what cannot be compared, such as lists.
        """
        self._validate_params()
        table = check_table(self, X, reset=True)
        every = range(table.n_columns)
        chosen: Any = every if self.columns is None else resolve_columns(table, self.columns)
        missing = [np.asarray(table.missing(j), dtype=bool) for j in every]
        least = max(LEAST_GAPS, LEAST_SHARE * table.n_rows)
        watched = [j for j in chosen if missing[j].sum() >= least and not missing[j].all()]
        used = [j for j in every if watched and not missing[j].all()]
        self._divided = {j: Divided.of(table, j) for j in used}
        codes = {j: each.codes(table, j) for j, each in self._divided.items()}
        self._known = {j: plausible(table, j, self.false_alarm) for j in watched}
        self._hidden = [each for j in watched for each in hidden_in(self._divided, codes, j)]
        told = [self._told(each, table) for each in self._hidden]
        self.hidden_ = pd.DataFrame(told, columns=TOLD)
        return self

    def _told(self, hidden: Hidden, table: Table) -> list[Any]:
        return [
            table.labels[hidden.column],
            self._divided[hidden.column].value(hidden.code),
            table.labels[hidden.beside],
            self._divided[hidden.beside].value(hidden.code_beside),
            hidden.expected,
        ]

    def transform(self, X: TableLike) -> Any:
        """Make values missing that the gaps of training rows hid.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Rows, with the columns that `fit` saw.

        Returns
        -------
        table of shape (n_rows, n_features)
            The rows in their container.
        """
        check_is_fitted(self, "hidden_")
        table = check_table(self, X, reset=False)
        codes = {}
        masked = {}
        for j, known in self._known.items():
            codes[j] = self._divided[j].codes(table, j)
            new = self._divided[j].unseen(codes[j], self.false_alarm)
            masked[j] = known.doubts(table, j) | new
        for each in self._hidden:
            if each.beside not in codes:
                codes[each.beside] = self._divided[each.beside].codes(table, each.beside)
            both = (codes[each.column] == each.code) & (codes[each.beside] == each.code_beside)
            masked[each.column] |= both
        changes = {}
        for j, cells in masked.items():
            rows = np.flatnonzero(cells & ~np.asarray(table.missing(j), dtype=bool))
            if len(rows):
                changes[j] = Cells(rows, MISSING)
        return table.with_cells(changes) if changes else table.source

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
