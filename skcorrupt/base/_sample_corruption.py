"""Corruptions of labels and rows: samplers with `fit_resample`."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import Tags

from skcorrupt.utils import Table, Target
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._base_corruption import BaseCorruption
from ._edit import Edit
from ._noise import Noise
from ._reference import Reference


class SampleCorruption(BaseCorruption):
    """Base of corruptions of labels and rows; a subclass writes `_strike_rows`.

    Parameters
    ----------
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    mechanism : MAR, MNAR or None, default=None
        What makes rows more likely to be struck; None is completely at random. Errors of whole
        rows take MAR only.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is 0.1.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    record_ : CorruptionRecord
        What the last `fit_resample` changed.
    sample_indices_ : ndarray of int, shape (n_out,)
        Position in the input of every row of the last `fit_resample`.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt import SampleCorruption
    >>> from skcorrupt.base import Edit
    >>> class KeepOthers(SampleCorruption):
    ...     def _strike_rows(self, rows, table, target, reference, noise):
    ...         return Edit(dropped=rows)
    >>> X, y = np.arange(8.0).reshape(4, 2), np.array([0, 1, 0, 1])
    >>> KeepOthers(pattern="y == 1", rate=1.0).fit_resample(X, y)[1]
    array([0, 0])
    """

    _is_base = True
    _why_not_in_parts = ""

    def fit_resample(self, X: TableLike, y: ColumnLike | None = None) -> tuple[Any, Any]:
        """Fit on clean data and return it corrupted.

        Parameters
        ----------
        X : DataFrame, array or sparse matrix of shape (n_samples, n_features)
            Clean features.
        y : array-like of shape (n_samples,), default=None
            Clean labels.

        Returns
        -------
        X_out : table of shape (n_out, n_features)
            Corrupted features, in the container they came in.
        y_out : array-like of shape (n_out,) or None
            Corrupted labels, in the container they came in.
        """
        result = self._fit_corrupt(X, y)
        self.record_ = result.record
        self.sample_indices_ = result.record.sample_indices
        return result.X, result.y

    def _strike_rows(
        self,
        rows: np.ndarray,
        table: Table,
        target: Target | None,
        reference: Reference,
        noise: Noise,
    ) -> Edit:
        """What the error does to the struck rows: the one method a subclass writes."""
        raise NotImplementedError(f"{type(self).__name__} should define _strike_rows.")

    def _eligible(
        self, matched: np.ndarray | None, target: Target | None, reference: Reference
    ) -> np.ndarray | None:
        """Of the matched rows, those that the error can change."""
        return matched

    def _edit(
        self,
        table: Table,
        target: Target | None,
        reference: Reference,
        noise: Noise,
        among: np.ndarray | None,
    ) -> Edit:
        scores = self._scores(noise, 0, table, target, reference)
        parts = [
            (self._eligible(rows, target, reference), rate)
            for rows, rate in self._parts(table, target, among)
        ]
        found = [noise.strike(scores, some, rate) for some, rate in parts]
        rows = np.sort(np.concatenate(found)) if len(found) > 1 else found[0]
        edit = self._strike_rows(rows, table, target, reference, noise)
        edit.matched = parts[0][0]
        return edit

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
