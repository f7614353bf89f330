"""What every model that stands in for a pipeline on grouped data can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Self

import numpy as np

from skcorrupt.utils import Table
from skcorrupt.utils._typing import Estimator

from ._proxy_groups import Groups
from ._proxy_score import ProxyScore
from ._struck_groups import StruckGroups


class Proxy(ABC):
    """Base of the models that are fitted in the place of a pipeline.

    Attributes
    ----------
    automatic : bool
        Whether "auto" compares it with the others. Each that it compares puts its ten lowest among
        the 30 candidates by which all are judged.
    taken : str
        What labels it takes, in words.
    iterative : bool
        Whether models are fitted in steps, roughly at first and until they converge for the best.
    prefiltered : bool
        Whether it is so slow that a linear model screens first, and it sees the best.
    rugged : bool
        Whether a single row may change its scores much, as it may those of trees.
    """

    automatic: ClassVar[bool] = False
    taken: ClassVar[str] = "classes, or numbers"
    iterative: ClassVar[bool] = False
    prefiltered: ClassVar[bool] = False
    rugged: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def of(cls, estimator: Estimator, table: Table, groups: Groups, seed: int) -> Self:
        """The proxy of a pipeline.

        Parameters
        ----------
        estimator : estimator
            The pipeline.
        table : Table
            The features.
        groups : Groups
            The data.
        seed : int
            Seed of what is random.

        Returns
        -------
        Proxy
            Ready to score.
        """

    @classmethod
    @abstractmethod
    def suits(cls, model: str) -> bool:
        """Whether it is like a model, by the name of its class."""

    @classmethod
    def is_compared(cls, model: str) -> bool:
        """Whether "auto" compares it with the others for a model, by the name of its class."""
        return cls.automatic

    @classmethod
    def takes(cls, n_classes: int) -> bool:
        """Whether it can work with so many classes, 0 for numbers."""
        return True

    @classmethod
    def saves(cls, groups: Groups) -> bool:
        """Whether a candidate costs it much less than the pipeline, on these groups of rows."""
        return True

    @classmethod
    def simulates(cls, kind: str) -> bool:
        """Whether it knows what an error of a kind makes of rows."""
        return True

    @abstractmethod
    def cost(self, kind: str, fast: bool) -> float:
        """What a candidate costs for each group of a split, beside a step of a linear model.

        Parameters
        ----------
        kind : str
            The kind of error.
        fast : bool
            Whether scores cost less than fits.
        """

    def misjudges(
        self, kind: str, masks: np.ndarray, rates: np.ndarray, score: ProxyScore
    ) -> np.ndarray:
        """Which candidates are to be scored by converged models alone.

        Parameters
        ----------
        kind : str
            The kind of error.
        masks : ndarray of float32, shape (n_candidates, n_groups)
            Groups that each strikes.
        rates : ndarray of shape (n_candidates,)
            Share of the rows of these.
        score : ProxyScore
            The score.

        Returns
        -------
        ndarray of bool, shape (n_candidates,)
            None of them where rough scores put no candidate out of place.
        """
        return np.zeros(len(masks), dtype=bool)

    @abstractmethod
    def scores(
        self, fold: int, struck: StruckGroups, score: ProxyScore, *, polish: bool
    ) -> tuple[np.ndarray, np.ndarray | float]:
        """Scores of a batch of candidates on the test part of a split.

        Parameters
        ----------
        fold : int
            The split.
        struck : StruckGroups
            The candidates.
        score : ProxyScore
            The score.
        polish : bool
            Whether iterative models go on until they converge.

        Returns
        -------
        scores : ndarray of shape (n_batch,)
            One for each candidate.
        left : ndarray of shape (n_batch,), or float
            Largest change of a margin in the last step of each, or of all; 0 without steps,
            infinite where a score is but an approximation.
        """
