"""Provenance of a corruption: which cells, labels and rows were struck."""

from __future__ import annotations

from dataclasses import dataclass
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

    def to_frame(self) -> pd.DataFrame:
        """Every struck cell and label, dropped and duplicated row as a row of a tidy frame.

        Returns
        -------
        DataFrame
            Columns `event` ("cell", "label", "dropped" or "duplicated"), `source` (input row),
            `output` (output row, −1 for dropped rows) and `column` (a feature's label, "y" for
            labels, None for events on whole rows).
        """
        rows, columns = self.X_mask.nonzero()
        labels = np.flatnonzero(self.y_mask)
        dropped = np.setdiff1d(np.arange(self.n_samples_in), self.sample_indices)
        first = np.zeros(len(self.sample_indices), dtype=bool)
        first[np.unique(self.sample_indices, return_index=True)[1]] = True
        copies = np.flatnonzero(~first)
        names = np.empty(len(self.feature_names), dtype=object)
        names[:] = self.feature_names
        parts = [
            ("cell", self.sample_indices[rows], rows, names[columns]),
            ("label", self.sample_indices[labels], labels, "y"),
            ("dropped", dropped, np.full(len(dropped), -1), None),
            ("duplicated", self.sample_indices[copies], copies, None),
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
                }
            )
            for event, source, output, column in parts
        ]
        return pd.concat(frames, ignore_index=True)
