"""What is drawn from."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np


class Pool(ABC):
    """Joint values of a component's columns that one person can reach.

    Attributes
    ----------
    size : float
        Number of interventions, infinite or NaN where they cannot be counted.
    method : str
        How they are drawn, for people.
    acceptance : float
        Share of proposals that keep all rules.
    rows : int
        How many rows of numbers it keeps in memory.
    sound : bool
        Whether draws are independent and come upon all that can be reached; else there is no
        interval and no test.
    """

    size: float
    method: str
    acceptance: float = 1.0
    rows: int = 1
    sound: bool = True

    @abstractmethod
    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Independent uniform draws over the interventions, shape (n, n_columns)."""
