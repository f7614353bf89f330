"""A check of the shares that segments have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.stats._batch_limits import most_in_batch
from skcorrupt.utils import Table, describe_columns, resolve_columns, warn
from skcorrupt.utils._typing import ColumnLabels

from ._base_check import BaseCheck
from ._check_part import CheckPart
from ._levels import Levels, counted, levels_of
from ._numbers import measure, shown, zone_of

OTHER = "(other)"
MOST_SEGMENTS = 50
# of rows of a batch; what is rarer would be chosen for what the reference happens to hold
LEAST_EXPECTED, LEAST_HELD = 5, 20


class SegmentShare(BaseCheck):
    """Raise an alarm where a segment's share of a batch is not that of the reference.

    Segments are the values of a column, or the combinations of values of several columns. Each
    segment's count is compared by Fisher's exact test on both sides, at `false_alarm` divided by
    twice the number of segments. It notices rows that were lost or copied, and values that moved
    from one category to another.

    Parameters
    ----------
    columns : label, list of labels and tuples, or None, default=None
        Columns whose values are segments; a tuple of columns has the combinations of their values.
        None is all columns of texts, categories and truth values, each by itself.
    batch_size : int, default=1000
        Rows of a batch. Batches of other sizes have limits of their own.
    false_alarm : float in (0, 1), default=0.01
        Probability of an alarm without a cause, for all segments together, over references and
        batches.

    Attributes
    ----------
    lines_ : DataFrame
        A row a segment: `column`, a label or a tuple of labels, `segment`, a value or a tuple of
        values, None where missing, times in their time zone, and `reference`, its share. Segments
        of which a batch should hold fewer than five rows are one, "(other)", with those that the
        reference does not hold and all but the 50 largest.
    n_reference_ : int
        Rows of the reference.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they have string names.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.checks import SegmentShare
    >>> X = pd.DataFrame({"sex": ["f", "m"] * 1000})
    >>> check = SegmentShare("sex", batch_size=100).fit(X)
    >>> check.passes(X[:100])
    True
    >>> check.report(X[X["sex"] == "f"][:100])[["segment", "statistic", "lower", "threshold"]]
       segment  statistic  lower  threshold
    0        f        1.0   0.35       0.65
    1        m        0.0   0.35       0.65
    2  (other)        0.0   0.00       0.02
    """

    _parameter_constraints: dict[str, Any] = {
        **BaseCheck._parameter_constraints,
        "columns": "no_validation",
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        batch_size: int = 1000,
        false_alarm: float = 0.01,
    ) -> None:
        super().__init__(batch_size=batch_size, false_alarm=false_alarm)
        self.columns = columns

    def _learn(self, table: Table) -> pd.DataFrame:
        least = max(LEAST_HELD, LEAST_EXPECTED * table.n_rows / self.batch_size)
        self._segments = [_Segments(table, positions, least) for positions in self._entries(table)]
        names: list[Any] = []
        for each in self._segments:
            labels = tuple(table.labels[j] for j in each.positions)
            names += [labels if len(labels) > 1 else labels[0]] * each.n_lines
        values = [value for each in self._segments for value in each.values]
        counts = [each.counts for each in self._segments] or [np.empty(0)]
        self._counts = np.concatenate(counts).astype(float)
        lines = pd.DataFrame(index=range(len(names)))
        for column, cells in (("column", names), ("segment", values)):
            # tuples are cells here, and None is no NaN
            lines[column] = pd.Series(cells, dtype=object)
        lines["reference"] = self._counts / table.n_rows
        return lines

    def _entries(self, table: Table) -> list[list[int]]:
        if self.columns is None:
            found = [[j] for j in range(table.n_columns) if table.kind(j) in ("text", "bool")]
            if not found:
                warn(
                    "SegmentShare finds no column of texts, categories or truth values; it will "
                    "never raise an alarm. Name columns of numbers that are codes."
                )
            return found
        given: Any = self.columns
        # a tuple is one entry
        several = isinstance(given, (list, pd.Index)) or np.ndim(given) == 1
        entries = [*given] if several and not isinstance(given, tuple) else [given]
        found = [resolve_columns(table, entry) for entry in entries]
        if not found or not all(found):
            raise ValueError(
                f"columns={self.columns!r} names no column; pass None for all of texts, categories "
                f"and truth values, or some of: {describe_columns(table)}."
            )
        return found

    def _parts(self) -> list[CheckPart]:
        return [
            CheckPart(tuple(each.positions), each.codes, each.shares, True)
            for each in self._segments
        ]

    def _encoded(self, table: Table) -> list[np.ndarray]:
        return [each.codes(table) for each in self._segments]

    def _statistics(self, encoded: list[np.ndarray], rows: np.ndarray) -> np.ndarray:
        shares = [np.empty((len(rows), 0))]
        for each, codes in zip(self._segments, encoded, strict=True):
            shares.append(each.shares(codes, rows))
        return np.concatenate(shares, axis=1)

    def _limits(self, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        sizes = np.full(len(self._counts), float(self.n_reference_))
        level = self._level(sides=2)
        most = most_in_batch(self._counts, sizes, n_rows, level)
        # few in a segment are many outside it
        fewest = n_rows - most_in_batch(sizes - self._counts, sizes, n_rows, level)
        return fewest / n_rows, most / n_rows


class _Segments:
    """The segments of some columns: the largest one by one, all others as the last."""

    def __init__(self, table: Table, positions: list[int], least: float) -> None:
        self.positions = positions
        self._levels: list[Levels] = [levels_of(table, j)[0] for j in positions]
        self.measured = [measure(table, j) for j in positions]
        zones = [zone_of(table, j) for j in positions]
        self._pairs: list[np.ndarray] = []
        codes = self._levels[0].codes(table, positions[0])
        for levels, j in zip(self._levels[1:], positions[1:], strict=True):
            pairs = codes * (levels.unseen + 2) + levels.codes(table, j)
            known, codes = np.unique(pairs, return_inverse=True)
            self._pairs.append(known)
        held = np.bincount(codes)
        most = min(MOST_SEGMENTS, np.count_nonzero(held >= least))
        kept = np.argsort(-held, kind="stable")[:most]
        self.n_lines = len(kept) + 1
        self._to = np.full(len(held), len(kept))
        self._to[kept] = np.arange(len(kept))
        self.counts = np.append(held[kept], len(codes) - held[kept].sum())
        # times are numbers in cells, and in values as a user has them
        self.cells = [self._cells(int(code)) for code in kept]
        self.values = [self._named(cells, zones) for cells in self.cells] + [OTHER]

    def _named(self, cells: tuple[Any, ...], zones: list[Any]) -> Any:
        found = tuple(
            None if cell is None else shown(measured, cell, zone)
            for measured, cell, zone in zip(self.measured, cells, zones, strict=True)
        )
        return found if len(found) > 1 else found[0]

    def _cells(self, code: int) -> tuple[Any, ...]:
        """The cells of a segment, times as numbers, None where missing."""
        found = []
        for levels, known in zip(self._levels[:0:-1], self._pairs[::-1], strict=True):
            code, last = divmod(int(known[code]), levels.unseen + 2)
            found.append(_value(levels, last))
        found.append(_value(self._levels[0], code))
        return tuple(found[::-1])

    def codes(self, table: Table) -> np.ndarray:
        codes = self._levels[0].codes(table, self.positions[0])
        rest = zip(self._levels[1:], self.positions[1:], self._pairs, strict=True)
        for levels, j, known in rest:
            pairs = codes * (levels.unseen + 2) + levels.codes(table, j)
            at = np.searchsorted(known, pairs).clip(max=len(known) - 1)
            # one more is for combinations that the reference does not hold
            codes = np.where(known[at] == pairs, at, len(known))
        to = np.append(self._to, [self.n_lines - 1] * 2)
        segments: np.ndarray = to[np.minimum(codes, len(self._to))]
        return segments

    def shares(self, codes: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The share of every segment, of shape (n_batches, n_lines)."""
        return counted(codes, rows, self.n_lines) / rows.shape[1]


def _value(levels: Levels, code: int) -> Any:
    return levels.values[code] if code < levels.unseen else None
