"""Fits of one pipeline on one split with struck training rows, counted and timed."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.metrics import roc_auc_score


class FixedSplit:
    """AUC on a test set after an error struck training rows.

    Independent of the package, so that what is compared with it is too.

    Parameters
    ----------
    estimator : estimator
        The pipeline.
    error : {"missing", "labels", "selection"}
        Cells of one column go missing, labels flip, or rows are dropped.
    X_train, X_test : DataFrame
        Features.
    y_train, y_test : Series
        Labels, 0 or 1.
    """

    def __init__(
        self,
        estimator: Any,
        error: str,
        X_train: pd.DataFrame,
        y_train: pd.Series,
        X_test: pd.DataFrame,
        y_test: pd.Series,
    ):
        self.estimator = estimator
        self.error = error
        self.X_train, self.y_train = X_train.astype(float), y_train
        self.X_test, self.y_test = X_test.astype(float), y_test
        self.values = {name: X_train[name].to_numpy() for name in X_train.columns}
        self.values["y"] = y_train.to_numpy()
        self._known: dict[tuple[str, bytes], float] = {}
        self.reset()

    def reset(self) -> None:
        """Start a new count; scores stay known."""
        self._counted: set[tuple[str, bytes]] = set()
        self.seconds = 0.0
        self._seconds_of: dict[tuple[str, bytes], float] = getattr(self, "_seconds_of", {})

    @property
    def n_fits(self) -> int:
        """Distinct fits since the last reset."""
        return len(self._counted)

    def matched(self, ranges: dict[str, tuple[int, int]]) -> np.ndarray:
        """Training rows within closed ranges, a boolean mask."""
        mask = np.ones(len(self.y_train), dtype=bool)
        for name, (low, high) in ranges.items():
            mask &= (self.values[name] >= low) & (self.values[name] <= high)
        return mask

    def score(self, column: str, struck: np.ndarray) -> float:
        """AUC after the error; known scores are not fitted again.

        Which column is meant counts for missing cells only.
        """
        key = (column if self.error == "missing" else "", np.packbits(struck).tobytes())
        if key not in self._known:
            started = time.perf_counter()
            model = clone(self.estimator).fit(*self._corrupted(column, struck))
            scores = model.predict_proba(self.X_test)[:, 1]
            self._known[key] = float(roc_auc_score(self.y_test, scores))
            self._seconds_of[key] = time.perf_counter() - started
        if key not in self._counted:
            self._counted.add(key)
            self.seconds += self._seconds_of[key]
        return self._known[key]

    def _corrupted(self, column: str, struck: np.ndarray) -> tuple[pd.DataFrame, pd.Series]:
        if self.error == "labels":
            return self.X_train, self.y_train.where(~struck, 1 - self.y_train)
        if self.error == "selection":
            return self.X_train[~struck], self.y_train[~struck]
        X = self.X_train.copy()
        X.loc[struck, column] = np.nan
        return X, self.y_train
