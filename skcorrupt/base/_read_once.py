"""Clean rows that many corruptions strike, read by the first of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import Table, Target, check_table, check_target

# of larger tables, reading is little beside what is done with them, and what is read fills memory
MOST_CELLS = 1_000_000
NAMES = ("n_features_in_", "feature_names_in_")


class ReadOnce:
    """What corruptions of the same clean rows read of them; the first leaves it to the others.

    A search strikes the rows of a split thousands of times. It is for rows that nobody changes.
    """

    def __init__(self) -> None:
        self._kept: tuple[Table, Target | None, dict[str, Any]] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # workers read what they get themselves
        return ReadOnce, ()

    def by(self, corruption: Any, X: Any, y: Any) -> tuple[Table, Target | None]:
        """The rows as `corruption` reads them where it is fitted on them.

        Parameters
        ----------
        corruption : BaseCorruption
            It remembers the columns.
        X : table of shape (n_samples, n_features)
            Features, the same every time.
        y : array-like of shape (n_samples,) or None
            Labels, the same every time.

        Returns
        -------
        table, target
            Features and labels, each behind one interface.
        """
        if self._kept is not None:
            table, target, names = self._kept
            for name in NAMES:
                if name in names:
                    setattr(corruption, name, names[name])
                elif hasattr(corruption, name):
                    delattr(corruption, name)
            return table, target
        table = check_table(corruption, X, reset=True)
        target = check_target(y, table.n_rows)
        # kinds of error differ in what they take of other containers
        usual = isinstance(X, (pd.DataFrame, np.ndarray))
        if usual and table.n_rows * table.n_columns <= MOST_CELLS:
            names = {name: getattr(corruption, name) for name in NAMES if hasattr(corruption, name)}
            self._kept = table, target, names
        return table, target
