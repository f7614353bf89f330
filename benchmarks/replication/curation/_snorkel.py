"""Snorkel's label model as one that a curator takes, where Snorkel is installed."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

# Snorkel's own default, and as many as its tutorial on comments takes; the study states none
EPOCHS, MORE_EPOCHS = 100, 500


class SnorkelLabels(BaseEstimator):
    """Snorkel's `LabelModel` with its defaults, classes equally likely a priori.

    Parameters
    ----------
    n_epochs : int, default=100
        Steps of its optimiser.
    seed : int, default=0
        Its seed.
    """

    def __init__(self, n_epochs: int = EPOCHS, seed: int = 0):
        self.n_epochs = n_epochs
        self.seed = seed

    def fit(self, L: np.ndarray, y: Any = None) -> Self:
        """Learn from votes of two classes.

        Parameters
        ----------
        L : ndarray of int, shape (n_samples, n_lfs)
            Votes; -1 abstains.
        y : None
            Ignored.

        Returns
        -------
        SnorkelLabels
            Itself.
        """
        self.classes_ = np.arange(2)
        models = import_module("snorkel.labeling.model")
        self.model_ = models.LabelModel(cardinality=2, verbose=False)
        self.model_.fit(L, n_epochs=self.n_epochs, seed=self.seed, progress_bar=False)
        return self

    def predict_proba(self, L: np.ndarray) -> np.ndarray:
        """Probability of either class."""
        return np.asarray(self.model_.predict_proba(L))


def snorkel_version() -> str:
    """Name and version of the installed Snorkel."""
    return f"snorkel {version('snorkel')}"
