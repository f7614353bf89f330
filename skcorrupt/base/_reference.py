"""What `fit` learned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Reference:
    """Reference facts that a corruption learned from clean data.

    Attributes
    ----------
    columns : list of int
        Positions of the columns that are struck.
    facts : dict of int to object
        What is known of each of them, by position.
    streams : list of int
        For every column of the data what tells its draws from those of others: its label, so that
        it draws the same values wherever it stands.
    drivers : list of list
        For every group of columns struck on the same rows what the mechanism goes by.
    thresholds : list of list of float
        With `when="always"`, for every such group the scores up to which rows are struck, by part.
    extra : dict of str to object
        Anything else a corruption keeps.
    """

    columns: list[int] = field(default_factory=list)
    facts: dict[int, Any] = field(default_factory=dict)
    streams: list[int] = field(default_factory=list)
    drivers: list[Any] = field(default_factory=list)
    thresholds: list[list[float]] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
