"""Tables of numbers as arrays, those of a split once for all fits on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base._read_once import MOST_CELLS


class PlainTables:
    """Arrays of frames of numbers; those of the clean frames of a split are made once.

    A search fits thousands of times on a split, of which errors strike one part or less. Whoever
    gets an array here leaves it as it is.

    Parameters
    ----------
    *tables : table
        The clean ones, which nobody changes.
    """

    def __init__(self, *tables: Any) -> None:
        self._tables = tables
        self._known: dict[int, np.ndarray | None] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        # workers make theirs
        return PlainTables, self._tables

    def of(self, X: Any) -> np.ndarray | None:
        """A frame of floats and signed integers, whose names scikit-learn takes, as an array.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Any table.

        Returns
        -------
        ndarray of shape (n_samples, n_features) or None
            Its numbers, None where it is something else.
        """
        places = [i for i, table in enumerate(self._tables) if table is X]
        for i in places:
            if i in self._known:
                return self._known[i]
        array = X.to_numpy() if _is_of_numbers(X) else None
        if array is None or array.size <= MOST_CELLS:
            self._known.update(dict.fromkeys(places, array))
        return array


def _is_of_numbers(X: Any) -> bool:
    if type(X) is not pd.DataFrame or not len(X.columns):
        return False
    types = X.dtypes.to_numpy()
    if not all(isinstance(each, np.dtype) and each.kind in "fi" for each in types):
        return False
    return len({isinstance(label, str) for label in X.columns}) == 1
