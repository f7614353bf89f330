"""Provenance of a corruption: which cells, labels and rows were struck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True, eq=False)
class CorruptionRecord:
    """What one application of a corruption changed.

    Attributes
    ----------
    X_mask : ndarray or sparse array of bool, shape (n_out, n_features)
        True at struck cells; sparse for sparse X.
    y_mask : ndarray of bool, shape (n_out,)
        True at struck labels.
    sample_indices : ndarray of int, shape (n_out,)
        Position in the input of every output row.
    n_matched : int
        Input rows that the pattern matched and the error could strike; for several columns on
        rows of their own, and for a process, rows that any part matched.
    n_corrupted : int
        Input rows struck, dropped or duplicated. A struck cell may keep its value where the error
        cannot change it: one that was missing already, or zero times a factor.
    row_fraction : float
        `n_corrupted` over the number of input rows.
    seed : int
        The seed that makes the same draw again, as `random_state`.
    n_samples_in : int
        Number of input rows.
    feature_names : tuple
        Column labels, x0, x1, … for arrays.
    sources : dict of int to (ndarray of int, ndarray of int)
        By position of the column, −1 for the labels: input rows whose cells were given values of
        rows, and these rows, the same ones where a value was made of the old one. What is left
        out has its values from no row.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptMissing
    >>> X = pd.DataFrame({"age": [20, 30, 40, 50], "sex": ["f", "m", "f", "m"]})
    >>> corruption = CorruptMissing("age", pattern="sex == 'f'", rate=0.5, random_state=0)
    >>> record = corruption.corrupt(X).record
    >>> record.n_matched, record.n_corrupted, record.row_fraction
    (2, 1, 0.25)
    """

    X_mask: Any
    y_mask: np.ndarray
    sample_indices: np.ndarray
    n_matched: int
    n_corrupted: int
    row_fraction: float
    seed: int
    n_samples_in: int
    feature_names: tuple[Any, ...]
    sources: Mapping[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    def to_frame(self) -> pd.DataFrame:
        """Every struck cell and label, dropped and duplicated row as a row of a tidy frame.

        Returns
        -------
        DataFrame
            Columns `event` ("cell", "label", "dropped" or "duplicated"), `source` (input row),
            `output` (output row, −1 for dropped rows), `column` (a feature's label, "y" for
            labels, None for events on whole rows) and `supplier` (input row that the value was
            taken from, the row itself where it is made of the row's own values, −1 where it is
            from no row).
        """
        rows, columns = self.X_mask.nonzero()
        labels = np.flatnonzero(self.y_mask)
        dropped = np.setdiff1d(np.arange(self.n_samples_in), self.sample_indices)
        first = np.zeros(len(self.sample_indices), dtype=bool)
        first[np.unique(self.sample_indices, return_index=True)[1]] = True
        copies = np.flatnonzero(~first)
        names = np.empty(len(self.feature_names), dtype=object)
        names[:] = self.feature_names
        struck, flipped = self.sample_indices[rows], self.sample_indices[labels]
        copied, none = self.sample_indices[copies], np.full(len(dropped), -1)
        parts = [
            ("cell", struck, rows, names[columns], self._suppliers(struck, columns)),
            ("label", flipped, labels, "y", self._suppliers(flipped, np.full(len(labels), -1))),
            ("dropped", dropped, none, None, none),
            ("duplicated", copied, copies, None, copied),
        ]
        frames = [
            pd.DataFrame(
                {
                    "event": pd.Series([event] * len(source), dtype=object),
                    "source": np.asarray(source, dtype=np.int64),
                    "output": np.asarray(output, dtype=np.int64),
                    "column": pd.Series(
                        list(column) if isinstance(column, np.ndarray) else [column] * len(source),
                        dtype=object,
                    ),
                    "supplier": np.asarray(supplier, dtype=np.int64),
                }
            )
            for event, source, output, column, supplier in parts
        ]
        return pd.concat(frames, ignore_index=True)

    def _suppliers(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """The input row that supplied each cell of some input rows, −1 where none did."""
        found = np.full(len(rows), -1)
        for j, (struck, sources) in self.sources.items():
            supplier = np.full(self.n_samples_in, -1)
            supplier[struck] = sources
            here = columns == j
            found[here] = supplier[rows[here]]
        return found
