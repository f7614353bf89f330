"""What all checks of incoming data share."""

from __future__ import annotations

import copy
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import AnyTable, Table, check_table, warn
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._check_part import CheckPart

# so many batches in the reference, and its own chance is small beside that of a batch
ENOUGH_BATCHES = 20


class BaseCheck(AnyTable):
    """Base of all checks: what incoming data is compared with, and when an alarm is raised.

    A check looks at one or more lines, such as a column each, and each has a statistic and limits
    for it. Limits are set so that a batch that comes from where the reference came from has any
    statistic beyond them with a probability of at most `false_alarm`.

    Parameters
    ----------
    batch_size : int, default=1000
        Rows of a batch. Batches of other sizes are taken too.
    false_alarm : float in (0, 1), default=0.01
        Probability of an alarm without a cause, for all lines together, over references and
        batches.
    """

    # whether reference rows are what limits are learned from
    _learns = True
    # whether batches of all sizes can be compared, and batches that hold a row twice
    _is_of_any_size = True
    _takes_repeats = True
    _parameter_constraints: dict[str, Any] = {
        "batch_size": [NumberInterval(Integral, 1, 2**31 - 1, closed="both")],
        "false_alarm": [NumberInterval(Real, 0, 1, closed="neither")],
    }

    def __init__(self, *, batch_size: int = 1000, false_alarm: float = 0.01) -> None:
        self.batch_size = batch_size
        self.false_alarm = false_alarm

    def fit(self, X_reference: TableLike, y: ColumnLike | None = None) -> Self:
        """Learn from data that is as it should be.

        Parameters
        ----------
        X_reference : DataFrame, array or sparse matrix of shape (n_samples, n_features)
            Reference rows, at least 20 times as many as a batch has; with fewer there is a warning.
        y : None
            Ignored; it is there as in other estimators.

        Returns
        -------
        self : BaseCheck
            The fitted check.
        """
        self._validate_params()
        table = check_table(self, X_reference, reset=True)
        self.n_reference_ = table.n_rows
        self.lines_ = self._learn(table)
        if self._learns and table.n_rows < ENOUGH_BATCHES * self.batch_size:
            warn(
                f"{type(self).__name__} learns from {table.n_rows} rows, which are fewer than "
                f"{ENOUGH_BATCHES} batches of batch_size={self.batch_size}: the alarms of a single "
                "reference may be more than false_alarm says, and small errors pass. Give it more "
                "rows or a smaller batch_size."
            )
        self._at_batch_size = self._limits(self.batch_size)
        return self

    def __sklearn_clone__(self) -> Self:
        # a search that is cloned goes on with what its checks have learned
        return copy.deepcopy(self) if hasattr(self, "lines_") else super().__sklearn_clone__()

    def passes(self, X_batch: TableLike) -> bool:
        """Whether a batch raises no alarm.

        Parameters
        ----------
        X_batch : DataFrame, array or sparse matrix of shape (n_rows, n_features)
            The batch, with the columns that `fit` saw.

        Returns
        -------
        bool
            True if every statistic is within its limits.
        """
        return not self.report(X_batch)["alarm"].any()

    def report(self, X_batch: TableLike) -> pd.DataFrame:
        """Every statistic of a batch beside its limits.

        Parameters
        ----------
        X_batch : DataFrame, array or sparse matrix of shape (n_rows, n_features)
            The batch, with the columns that `fit` saw.

        Returns
        -------
        DataFrame
            A row a line: what of the reference is in `lines_`, the `statistic`, the `threshold` up
            to which it passes, where there is one the `lower` one, and whether there is an `alarm`.
        """
        check_is_fitted(self)
        table = self._batch(X_batch)
        rows = np.arange(table.n_rows)[None, :]
        statistic = self._statistics(self._encoded(table), rows)[0]
        lower, upper = self._limits_of(table.n_rows)
        found = self.lines_.assign(statistic=statistic)
        if np.isfinite(lower).any():
            found["lower"] = lower
        return found.assign(threshold=upper, alarm=(statistic > upper) | (statistic < lower))

    def _alarms(self, table: Table, rows: np.ndarray) -> np.ndarray:
        """Which of many batches raise an alarm, as a boolean array of shape (n_batches,).

        Each row of `rows`, of shape (n_batches, n_rows), holds the positions of a batch in the
        table, which has the columns that `fit` saw.
        """
        check_is_fitted(self)
        statistics = self._statistics(self._encoded(table), rows)
        lower, upper = self._limits_of(rows.shape[1])
        return np.any((statistics > upper) | (statistics < lower), axis=1)

    def _batch(self, X: TableLike) -> Table:
        return check_table(self, X, reset=False)

    def _limits_of(self, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        return self._at_batch_size if n_rows == self.batch_size else self._limits(n_rows)

    def _level(self, sides: int = 1) -> float:
        """The level of each of the tests of a line, which are so many."""
        return self.false_alarm / max(1, len(self.lines_) * sides)

    def _learn(self, table: Table) -> pd.DataFrame:
        """Learn from the reference; one row a line of the report, with its `column` first."""
        raise NotImplementedError(f"{type(self).__name__} should define _learn(table).")

    def _encoded(self, table: Table) -> Any:
        """What of a table's rows the statistics are reckoned from."""
        raise NotImplementedError(f"{type(self).__name__} should define _encoded(table).")

    def _statistics(self, encoded: Any, rows: np.ndarray) -> np.ndarray:
        """Statistics of batches, of shape (n_batches, n_lines)."""
        raise NotImplementedError(f"{type(self).__name__} should define _statistics.")

    def _parts(self) -> list[CheckPart]:
        """What is looked at apart, with the lines of all of it one after the other."""
        return [CheckPart(None, self._encoded, self._statistics)]

    def _limits(self, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        """Least and largest statistics that pass in a batch of so many rows, for each line."""
        raise NotImplementedError(f"{type(self).__name__} should define _limits(n_rows).")
