"""A check for rows that are there twice."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import Table, describe_columns, resolve_columns
from skcorrupt.utils._typing import ColumnLabels

from ._base_check import BaseCheck
from ._check_part import CheckPart
from ._levels import coded, joined

N_DRAWS = 4000
# share of rows with a key that others have up to which only these are looked at
FEW_SHARED = 0.1
WHOLE_ROW = "(whole row)"


class UniqueKeys(BaseCheck):
    """Raise an alarm where too many rows of a batch have a key that another row of it has.

    How many are usual is told by 4,000 batches drawn from the reference, always the same ones:
    none, where its keys are unique. Rows that agree with rows of the reference are of no matter.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        The key; several columns are one key together. None is the whole row.
    batch_size : int, default=1000
        Rows of a batch. Other sizes have limits of their own, which beyond half of the reference
        grow with the number of pairs of rows.
    false_alarm : float in (0, 1), default=0.01
        Probability of an alarm without a cause, over references and batches.

    Attributes
    ----------
    lines_ : DataFrame
        One row: `column`, the label of the key, a tuple of labels, or "(whole row)", and
        `reference`, the mean share of a batch that repeats a key.
    n_reference_ : int
        Rows of the reference.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if they have string names.

    Notes
    -----
    The statistic is the share of rows beyond the first of each key. Missing values are equal.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.checks import UniqueKeys
    >>> X = pd.DataFrame({"id": range(2000), "age": [30, 40] * 1000})
    >>> check = UniqueKeys("id", batch_size=100).fit(X)
    >>> check.passes(X[:100])
    True
    >>> check.passes(pd.concat([X[:98], X[:2]]))
    False
    """

    _parameter_constraints: dict[str, Any] = {
        **BaseCheck._parameter_constraints,
        "columns": "no_validation",
    }

    _takes_repeats = False

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
        self._positions = list(range(table.n_columns))
        name: Any = WHOLE_ROW
        if self.columns is not None:
            self._positions = resolve_columns(table, self.columns)
            if not self._positions:
                raise ValueError(
                    f"columns={self.columns!r} names no column; pass None for the whole row, or "
                    f"some of: {describe_columns(table)}."
                )
            labels = tuple(table.labels[j] for j in self._positions)
            name = labels if len(labels) > 1 else labels[0]
        self._keys = self._encoded(table)
        drawn = self._drawn(min(self.batch_size, self._most_drawn))
        column = pd.Series([name], dtype=object)
        return pd.DataFrame({"column": column, "reference": [drawn.mean()]})

    @property
    def _most_drawn(self) -> int:
        return max(1, len(self._keys) // 2)

    def _parts(self) -> list[CheckPart]:
        return [CheckPart(tuple(self._positions), self._encoded, self._statistics, True)]

    def _encoded(self, table: Table) -> np.ndarray:
        codes = np.zeros(table.n_rows, dtype=np.int64)
        for j in self._positions:
            codes = joined(codes, coded(table, j)[0].astype(np.int64) + 1)
        return codes

    def _statistics(self, encoded: np.ndarray, rows: np.ndarray) -> np.ndarray:
        ordered = np.sort(encoded[rows], axis=1)
        repeats = np.count_nonzero(ordered[:, 1:] == ordered[:, :-1], axis=1)
        return repeats[:, None] / rows.shape[1]

    def _drawn(self, n_rows: int) -> np.ndarray:
        """Shares of batches drawn from the reference without putting rows back."""
        rng, n = np.random.default_rng(0), len(self._keys)
        held = np.bincount(self._keys)
        if held.max() == 1:
            return np.zeros(N_DRAWS)
        shared = held[self._keys] > 1
        # a permutation holds as many batches as fit into it, and costs little more than one
        at_once = min(N_DRAWS, n // n_rows)
        found = []
        for _ in range(math.ceil(N_DRAWS / at_once)):
            rows = rng.permutation(n)[: at_once * n_rows].reshape(at_once, n_rows)
            if shared.mean() < FEW_SHARED:
                found.append(self._repeats(rows, shared) / n_rows)
            else:
                found.append(self._statistics(self._keys, rows)[:, 0])
        return np.concatenate(found)[:N_DRAWS]

    def _repeats(self, rows: np.ndarray, shared: np.ndarray) -> np.ndarray:
        """How many rows of batches repeat a key, of rows of the reference that come once."""
        # rows that have a key for themselves repeat none
        batch, place = np.nonzero(shared[rows])
        pairs = np.unique(batch * len(shared) + self._keys[rows[batch, place]])
        first: np.ndarray = np.bincount(pairs // len(shared), minlength=len(rows))
        repeats: np.ndarray = np.bincount(batch, minlength=len(rows)) - first
        return repeats

    def _limits(self, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        n, drawn_rows = len(self._keys), min(n_rows, self._most_drawn)
        counts = np.sort(np.round(self._drawn(drawn_rows) * drawn_rows))
        beyond = math.floor(self._level() * (N_DRAWS + 1)) - 1
        most = counts[-1 - max(0, beyond)]
        # parts of a reference are more alike than a reference and a batch
        wider = math.sqrt((1 + drawn_rows / n) / max(1 - drawn_rows / n, 1 / n))
        most += math.floor(max(0.0, most - counts.mean()) * (wider - 1) + 1e-9)
        pairs = (n_rows / drawn_rows) ** 2
        return np.array([-np.inf]), np.array([min(1.0, math.floor(most * pairs) / n_rows)])
