"""What checks of the room say of errors in groups of columns, wherever they strike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from skcorrupt.attributes._attribute import Attribute

from ._batch_bounds import BatchBounds
from ._condition_tree import ConditionTree
from ._lot import Hit, Lot
from ._pattern_search import Found
from ._quick_watch import N_RATES
from ._watched_rows import WatchedRows


class WatchedHits:
    """Errors in groups of columns, and how much of them no check notices.

    Parameters
    ----------
    hits : sequence of (Lot, tuple of int)
        Kinds of error with the columns hit.
    watched : WatchedRows
        The rows searched.
    attributes : dict of int to Attribute
        What patterns look at.
    """

    def __init__(
        self,
        hits: Sequence[tuple[Lot, Hit]],
        watched: WatchedRows,
        attributes: Mapping[int, Attribute],
    ) -> None:
        self.able = [lot.space.eligible(None, hit) for lot, hit in hits]
        self.attributes = attributes
        self.quick = [
            watched.quickly(lot.kind, lot.template._striking([*lot.labels(hit)]), lot.labels(hit))
            for lot, hit in hits
        ]
        self._bounds: dict[bytes | None, BatchBounds] = {}

    def bounds(self, trees: Mapping[int, ConditionTree], among: np.ndarray | None) -> BatchBounds:
        """What checks let pass at most, of patterns that some rows of the table match."""
        key = None if among is None else np.packbits(among).tobytes()
        if key not in self._bounds:
            self._bounds[key] = BatchBounds(trees, self.quick, self.able, among)
        return self._bounds[key]

    def rate(self, found: Found, among: np.ndarray | None, rate: float) -> float:
        """The largest 32nd of a rate of a pattern that no check notices; 0 where there is none."""
        matched = self.able[found.hit] if among is None else self.able[found.hit] & among
        for j, atom in found.atoms.items():
            matched = matched & self.attributes[j].mask(atom)
        parts = self.quick[found.hit].unnoticed(matched, rate, found.parts)
        return rate * parts / N_RATES
