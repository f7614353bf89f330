"""A check for categories that were never seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.stats._batch_limits import most_in_batch
from skcorrupt.utils import Table

from ._levels import Levels, levels_of
from ._share_check import ShareCheck


class KnownCategories(ShareCheck):
    """Raise an alarm where too many values of a batch are categories that the reference lacks.

    How many are to be expected is told by categories that the reference holds once: a new row is
    of an unseen category about as often as a row of the reference is the only one of its own
    [1]_. Their numbers are compared by Fisher's exact test, one-sided, at `false_alarm` divided by
    the number of columns. Categories that the reference holds a few times count a little, too, as
    rows of an unseen one can come several at a time.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to watch; None is all of texts, categories and truth values. Codes that are numbers
        are watched when named.
    batch_size : int, default=1000
        Rows of a batch. Batches of other sizes have limits of their own.
    false_alarm : float in (0, 1), default=0.01
        Probability of an alarm without a cause, for all columns together, over references and
        batches.

    Attributes
    ----------
    lines_ : DataFrame
        A row a column: `column` and `reference`, the share of rows that are the only ones of their
        category.
    n_reference_ : int
        Rows of the reference.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they have string names.

    Notes
    -----
    Missing values are of no category. Whether the dtype of a column lists a category is of no
    matter, only whether a row holds it.

    References
    ----------
    .. [1] Good, "The Population Frequencies of Species and the Estimation of Population
       Parameters", Biometrika 40 (1953).

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.checks import KnownCategories
    >>> X = pd.DataFrame({"city": ["Paris", "Rome", "Oslo", "Bonn"] * 500})
    >>> check = KnownCategories(batch_size=100).fit(X)
    >>> check.passes(X[:100])
    True
    >>> check.passes(X[:100].replace("Rome", "Roma"))
    False
    """

    @property
    def _kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("text", "bool") if self.columns is None else ("text", "bool", "integer", "real")

    def _learn(self, table: Table) -> pd.DataFrame:
        self._levels: list[Levels] = []
        self._sizes_held: list[np.ndarray] = []
        return super()._learn(table)

    def _learn_column(self, table: Table, j: int) -> tuple[float, int, float]:
        levels, held = levels_of(table, j)
        self._levels.append(levels)
        self._sizes_held.append(np.bincount(held))
        singles = int(np.count_nonzero(held == 1))
        return singles, table.n_rows, singles / table.n_rows

    def _marks(self, table: Table, line: int, j: int) -> np.ndarray:
        marks: np.ndarray = self._levels[line].codes(table, j) == self._levels[line].unseen
        return marks

    def _limits(self, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        # a category of f rows in all is unseen with all of them in the batch, at odds that fall
        # with f; f rows at once make the number vary as f times f single ones would
        share = n_rows / (self.n_reference_ + n_rows)
        counts: Any = np.array(
            [
                min(
                    np.ceil(np.sum(f**2 * some[f] * share ** (f - 1.0))),
                    self.n_reference_,
                )
                for some in self._sizes_held
                for f in [np.arange(1, len(some))]
            ],
            dtype=float,
        )
        most = most_in_batch(counts, self._sizes, n_rows, self._level())
        return np.full(len(most), -np.inf), most / n_rows
