"""Random splits that are cut when their turn comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np

from skcorrupt.evaluation import Split, make_splits
from skcorrupt.utils._typing import ColumnLike, TableLike


class Repeats(Sequence[Split]):
    """Random splits that are cut when their turn comes, so that memory holds one copy, not all.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        Features.
    y : array-like of shape (n_samples,) or None
        Labels.
    indices : list of (ndarray, ndarray)
        Train and test positions of every repeat. Rows are cut in the order of the data, by which
        errors may gather.
    seeds : list of int
        One seed a repeat.
    """

    def __init__(
        self,
        X: TableLike,
        y: ColumnLike | None,
        indices: list[tuple[np.ndarray, np.ndarray]],
        seeds: list[int],
    ) -> None:
        self._X, self._y = X, y
        self._indices = [(np.sort(train), np.sort(test)) for train, test in indices]
        self.seeds = seeds
        self._held: tuple[int, Split] | None = None

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, repeat: int) -> Split: ...

    @overload
    def __getitem__(self, repeat: slice) -> list[Split]: ...

    def __getitem__(self, repeat: int | slice) -> Split | list[Split]:
        if isinstance(repeat, slice):
            return [self[r] for r in range(*repeat.indices(len(self)))]
        if self._held is None or self._held[0] != repeat:
            cut = make_splits(self._X, self._y, [self._indices[repeat]], [self.seeds[repeat]])
            self._held = repeat, cut[0]
        return self._held[1]
