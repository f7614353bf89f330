"""Duplicated rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skcorrupt.base import Edit, Noise, Reference, SampleCorruption
from skcorrupt.utils import Table, Target


class CorruptDuplicates(SampleCorruption):
    """Append copies of rows.

    Every struck row appears once more, at the end, in source order, under its index label.

    Parameters
    ----------
    pattern : Pattern, str, dict or None, default=None
        Rows that can be duplicated; None is every row.
    mechanism : MAR or None, default=None
        What makes rows more likely to be struck; None is completely at random.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is duplicated; None is 0.1.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    record_ : CorruptionRecord
        What the last `fit_resample` changed.
    sample_indices_ : ndarray of int, shape (n_out,)
        Input position of every output row.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt import CorruptDuplicates
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 0])
    >>> CorruptDuplicates(pattern="y == 0", rate=1.0).fit_resample(X, y)[0].ravel()
    array([1., 2., 3., 1., 3.])
    """

    short_name = "duplicates"
    title = "rows that are there twice"
    _copies = True

    def _strike_rows(
        self,
        rows: np.ndarray,
        table: Table,
        target: Target | None,
        reference: Reference,
        noise: Noise,
    ) -> Edit:
        return Edit(copied=rows)

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return "Duplicating"

    def _simulated_as(self, *, classifier: bool) -> str | None:
        plain = self.mechanism is None and self.sampling == "uniform"
        return "duplicates" if plain else None
