"""Values that the gaps of training rows hide, made missing wherever they come up."""

from __future__ import annotations

from numbers import Real
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from skcorrupt.checks._numbers import numbers_of
from skcorrupt.utils import MISSING, AnyTable, Cells, Table, check_table, resolve_columns
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels, ColumnLike, TableLike

from ._gap_kinds import GapKind, gap_kinds
from ._hidden import Crossed, Divided, Pair, hidden_pairs, seen_in
from ._plausible import KnownLevels

# fewer gaps, and a smaller share of the rows, hide nothing that would be missed
LEAST_GAPS = 8
LEAST_SHARE = 0.01
OF_KINDS = ["column", "where", "n_rows", "n_missing"]
TOLD = ["column", "value", "beside", "value_beside", "expected"]


class UnseenMasker(OneToOneFeatureMixin, TransformerMixin, AnyTable):
    """Make cells missing that training rows had only as gaps, or nearly.

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
        About the share of values of such a column that may become missing although nothing hid
        them, because by chance training rows did not have them, or only rarely. Where more than
        that are new, as in columns of names and numbers of few rows, new values stay as they are.
    min_missing : float in [0.5, 1], default=0.75
        Least share of the training rows of a kind in which a column was missing where its values
        become missing in all rows of that kind, as long as no more than 24 show them.

    Attributes
    ----------
    hidden_ : DataFrame of shape (n_pairs, 5)
        Values that hardly any training row shows beside a value of another column, though many
        were to, and gaps are there: `column`, `value`, `beside`, `value_beside` (levels, or
        `(low, high)`), and `expected`, how many of the rows that show the column there were to
        show the value.
    kinds_ : DataFrame of shape (n_kinds, 4)
        Kinds of rows in which a column is missing: `column`, `where`, a dict of other columns with
        lists of levels or `(low, high)`, and how many training rows are of the kind, `n_rows`, and
        have the gap, `n_missing`. Where names are repeated, columns are told by their positions.
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
    In columns with gaps, of at least 8 rows and 1 % of them, three sorts of cells become missing:

    - new values: levels that `fit` did not see, and numbers out of its range or farther from all of
      them than these are from each other. Times are left out, as they go on. Rare levels may be
      what gaps left of frequent ones: they are as good as new where they have a tenth of the gaps
      or less, and, by Good and Turing, with the new ones `false_alarm` of the values;
    - values beside a value of another column, where no row shows both although 12 were to, of those
      that show the column there. How many were to follows from how frequent the value is where
      there are few gaps, as if the two columns had nothing to do with each other. Of texts the 16
      most frequent are looked at; numbers of more distinct values are divided into sixteen ranges,
      with one each for values that more than a sixteenth of the rows share.
      Several pairs too rare for that tell it together where Fisher's exact test, times the sets of
      pairs that there are to choose from, gives e^-10 or less: those beside one value, and those
      beside all that have most gaps beside them. Of these a tenth may be shown. Gaps explain
      nothing where they go by no other column, by a chi-square test with a chance of 1 % over all;
    - values in rows of a kind of which the share `min_missing` had gaps, beyond what luck does in
      one sample of a hundred, all but those that the others show, more often than that share
      leaves them by how frequent they are elsewhere. No more than 24 rows show what becomes
      missing, and a quarter of what rows elsewhere do. Kinds are those of a tree of up to three
      splits by 16 columns that gaps go by, with at least 12 gaps, and count where Fisher's test,
      times the splits that there are to choose from, gives e^-10 or less. They end where training
      rows do: times go on.

    The first two are values that gaps hid, all of them or nearly. In the third, gaps go by other
    columns and may hide nothing: a model knows such rows by their gap, and takes it for what the
    other columns say. With the gap it cannot use what the value says, of which training rows of the
    kind told it little. That costs where the value says the same as in other rows and the kind is
    no different from them. Pass `min_missing=1` to leave all but rows that always had the gap.

    Gaps cannot be told from columns that go together closely, of which rare pairs become missing
    where there are more gaps. A column whose numbers grow with time has new ones in any case, which
    nothing hid: name the others as `columns`. Without gaps in `fit` nothing changes. Containers are
    kept; whole numbers and truth values that become missing change the dtype where it has no
    missing value.

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
        "min_missing": [NumberInterval(Real, 0.5, 1, closed="both")],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        false_alarm: float = 0.01,
        min_missing: float = 0.75,
    ) -> None:
        self.columns = columns
        self.false_alarm = false_alarm
        self.min_missing = min_missing

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
        named = None if self.columns is None else resolve_columns(table, self.columns)
        n_gaps = [int(np.sum(table.missing(j))) for j in range(table.n_columns)]
        least = max(LEAST_GAPS, LEAST_SHARE * table.n_rows)
        watched = [
            j
            for j in (range(table.n_columns) if named is None else named)
            if least <= n_gaps[j] < table.n_rows
        ]
        self._divided: dict[int, Divided] = {}
        for j in range(table.n_columns) if watched else ():
            if n_gaps[j] < table.n_rows:
                self._divide(table, j, asked=j in (named or ()))
        watched = [j for j in watched if j in self._divided]
        codes = {j: each.codes(table, j) for j, each in self._divided.items()}
        self._seen = {j: seen_in(table, j, self._divided[j], self.false_alarm) for j in watched}
        self._pairs: list[Pair] = []
        self._kinds: list[GapKind] = []
        for j in watched:
            crossed = Crossed.of(self._divided, codes, j)
            self._pairs += hidden_pairs(crossed, self.false_alarm)
            self._kinds += gap_kinds(self._divided, codes, crossed, self.min_missing)
        repeated = len({*table.labels}) < table.n_columns
        names = list(range(table.n_columns)) if repeated else table.labels
        told = [self._told(pair, names) for pair in self._pairs]
        self.hidden_ = pd.DataFrame(told, columns=TOLD)
        self.kinds_ = pd.DataFrame(
            [
                [names[k.column], k.where(self._divided, names), k.n_rows, k.n_gaps]
                for k in self._kinds
            ],
            columns=OF_KINDS,
        )
        return self

    def _divide(self, table: Table, j: int, *, asked: bool) -> None:
        try:
            self._divided[j] = Divided.of(table, j)
        except ValueError:
            # such as lists, which tell nothing apart
            if asked:
                raise

    def _told(self, pair: Pair, names: list[Any]) -> list[Any]:
        return [
            names[pair.column],
            self._divided[pair.column].value(pair.code),
            names[pair.beside],
            self._divided[pair.beside].value(pair.code_beside),
            pair.expected,
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
        masked = {j: self._new(table, j) for j in self._seen}
        used = {j for pair in self._pairs for j in (pair.column, pair.beside)}
        used.update(j for kind in self._kinds for j in (kind.column, *kind.allowed))
        codes = {j: self._divided[j].codes(table, j) for j in used}
        for pair in self._pairs:
            both = (codes[pair.column] == pair.code) & (codes[pair.beside] == pair.code_beside)
            masked[pair.column] = masked[pair.column] | both
        for kind in self._kinds:
            masked[kind.column] = masked[kind.column] | kind.hides(codes)
        changes = {}
        for j, cells in masked.items():
            rows = np.flatnonzero(cells & ~np.asarray(table.missing(j), dtype=bool))
            if len(rows):
                changes[j] = Cells(rows, MISSING)
        return table.with_cells(changes) if changes else table.source

    def _new(self, table: Table, j: int) -> np.ndarray:
        """Which cells of a column hold what training rows did not."""
        seen = self._seen[j]
        if seen is None:
            return np.zeros(table.n_rows, dtype=bool)
        if isinstance(seen, KnownLevels):
            return seen.doubts(table, j)
        return seen.new(numbers_of(table, j, self._divided[j].measured)[0])
