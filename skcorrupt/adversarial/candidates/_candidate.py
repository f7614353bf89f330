"""What a search chooses among: templates of patterns, and the candidates that they give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcorrupt.base import BaseCorruption
from skcorrupt.patterns import Pattern

# of shares that are compared
ROUNDING = 1e-9


@dataclass(frozen=True)
class Template:
    """What the upper level chooses: the columns hit and the attributes a pattern uses."""

    columns: tuple[int, ...]
    attributes: frozenset[int]

    @property
    def depth(self) -> int:
        """Number of feature conditions."""
        return len(self.attributes)


@dataclass(frozen=True)
class LabelChoice:
    """One condition on the label, and the class a flip goes to."""

    atom: int | None
    target: Any = None


@dataclass(frozen=True, eq=False)
class Candidate:
    """One concrete corruption, with what is known of it before any fit.

    Attributes
    ----------
    corruption : BaseCorruption
        Ready to be seeded and applied.
    pattern : Pattern
        Where it strikes.
    columns : tuple
        Labels of the columns hit.
    target : object
        The class that labels flip to, None where the corruption decides.
    depth : int
        Number of feature conditions.
    key : bytes
        The same for candidates that strike the same rows in the same way.
    refused : str
        Why it cannot be evaluated, or "".
    kind : str
        The kind of error, among several; "" where there is one.
    row_fraction : float
        Largest share of the training rows of a split that it is meant to strike.
    origin : bytes
        Key of the candidate that it is at a lower rate, or b"".
    """

    corruption: BaseCorruption | None
    pattern: Pattern
    columns: tuple[Any, ...]
    target: Any
    rate: float
    depth: int
    key: bytes
    refused: str = ""
    kind: str = ""
    row_fraction: float = np.nan
    origin: bytes = b""


@dataclass(frozen=True, eq=False)
class Shape:
    """The pieces of a candidate.

    Attributes
    ----------
    columns : tuple of int
        Positions of the columns hit.
    chosen : dict of int to ndarray of bool
        By position of a column in the pattern, which of its levels the pattern has.
    choice : LabelChoice
        The condition on the label, and where a flip goes.
    step : float
        Share of the largest possible rate.
    """

    columns: tuple[int, ...]
    chosen: Mapping[int, np.ndarray]
    choice: LabelChoice
    step: float


@dataclass(frozen=True, eq=False)
class Sketch:
    """What a candidate strikes, before it has a pattern and a corruption.

    Attributes
    ----------
    bits : ndarray of uint8, shape (ceil(n_samples / 8),)
        The rows that its pattern would match and that can change, as `numpy.packbits` has them.
    columns : tuple
        Labels of the columns hit.
    target : object
        The class that labels flip to, None where the corruption decides.
    rate : float
        That of the candidate.
    key : bytes
        That of the candidate, where it is no part of a process.
    refused : str
        Why the candidate cannot be evaluated, or ""; rules of the user's are not asked.
    """

    bits: np.ndarray
    columns: tuple[Any, ...]
    target: Any
    rate: float
    key: bytes
    refused: str
