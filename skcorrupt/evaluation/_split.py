"""Training and test data of a split, cut once and used by every fit on it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skcorrupt.base import ReadOnce
from skcorrupt.utils import as_table
from skcorrupt.utils._typing import Estimator, TableLike

from ._fitted_parts import FittedParts
from ._parameters import SeededModel, sample_aligned, seeded_clone, take_rows
from ._plain_tables import PlainTables


@dataclass
class Split:
    """Training and test data of one split, cut once and used by every fit on it.

    Attributes
    ----------
    train, test : ndarray of int
        Positions in the whole data.
    X_train, y_train, X_test, y_test : tables and labels
        The clean rows.
    fit_params, score_params : dict
        Parameters of `fit` and of the scorer for these rows.
    seed : int
        Seed of the split, the same for every corruption tried on it, so that scores are paired.
    reused : FittedParts or None
        Preprocessing of the clean rows, for errors that do not reach it.
    model : fitted estimator or None
        What is scored where errors strike test rows alone; None is fitted on the training part.
    plain : PlainTables
        Arrays of the clean parts, those of splits made of this one with errors too.
    train_read : ReadOnce
        What errors read of the training part.
    """

    train: np.ndarray
    test: np.ndarray
    X_train: Any
    y_train: Any
    X_test: Any
    y_test: Any
    fit_params: dict[str, Any]
    score_params: dict[str, Any]
    seed: int
    reused: FittedParts | None = None
    model: Any = None
    plain: PlainTables = field(default_factory=PlainTables, repr=False)
    # no parameter, so that a split made of another with other rows reads its own
    train_read: ReadOnce = field(default_factory=ReadOnce, init=False, repr=False)

    def __post_init__(self) -> None:
        self._seeded: SeededModel | None = None

    def unfitted(self, estimator: Estimator) -> Any:
        """A clone with the random states of this split, as every candidate gets.

        Parameters
        ----------
        estimator : estimator
            The pipeline; as long as it is the same object, it stays as it is.

        Returns
        -------
        estimator
            An unfitted copy.
        """
        if self._seeded is None or self._seeded.estimator is not estimator:
            self._seeded = SeededModel(estimator, self.seed)
        return self._seeded.copy()

    def __getstate__(self) -> dict[str, Any]:
        # workers make it of the pipeline that they get beside the split
        return self.__dict__ | {"_seeded": None}

    def reuse(self, estimator: Estimator, strikes: Collection[str], max_bytes: float) -> None:
        """Fit once what every corruption of labels or of other columns leaves as it is.

        Parameters
        ----------
        estimator : estimator
            The pipeline that will be evaluated on the split.
        strikes : collection of {"cells", "labels"}
            What the errors strike.
        max_bytes : float
            Most memory that this may take; what is larger is fitted anew every time.
        """
        if not self.fit_params:
            model = seeded_clone(estimator, self.seed)
            data = self.X_train, self.y_train, self.X_test
            self.reused = FittedParts.of(model, *data, strikes, max_bytes)

    def __sizeof__(self) -> int:
        # a cluster sends an argument that is known to be large once, not with every task
        return object.__sizeof__(self) + self.train.nbytes + self.test.nbytes


def make_splits(
    X: TableLike,
    y: Any,
    indices: list[tuple[np.ndarray, np.ndarray]],
    seeds: list[int],
    *,
    fit_params: dict[str, Any] | None = None,
    score_params: dict[str, Any] | None = None,
) -> list[Split]:
    """Cut the data into splits.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        Features.
    y : array-like of shape (n_samples,) or None
        Labels.
    indices : list of (ndarray, ndarray)
        Train and test positions of every split.
    seeds : list of int
        One seed for each split.
    fit_params, score_params : dict, default=None
        Parameters of `fit` and of the scorer; arrays of n_samples entries are cut too.

    Returns
    -------
    list of Split
        One a pair of index arrays.
    """
    n = as_table(X).n_rows if y is None else len(y)
    splits = []
    for (train, test), seed in zip(indices, seeds, strict=True):
        X_train, X_test = take_rows(X, train), take_rows(X, test)
        splits.append(
            Split(
                train=train,
                test=test,
                X_train=X_train,
                y_train=take_rows(y, train),
                X_test=X_test,
                y_test=take_rows(y, test),
                fit_params=sample_aligned(fit_params or {}, train, n),
                score_params=sample_aligned(score_params or {}, test, n),
                seed=seed,
                plain=PlainTables(X_train, X_test),
            )
        )
    return splits
