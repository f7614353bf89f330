"""Where the smallest scores of a table end that is read in parts.

Of the scores of all parts a histogram is kept, of those near the cut the scores themselves. Where
the cut is, about, is known from the first part; where that was wrong, the histogram tells.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._strike import strike_count

# matched rows of a first part that tell about where the cut is, and how far it may be off
_ENOUGH, _DEVIATIONS = 4096, 8
_HIGH_BITS, _LOW_BITS = 16, 48
_HALF = 1 << _HIGH_BITS - 1
_LEAST, _MOST = -(2**63), 2**63 - 1
_NONE = (_MOST, _LEAST)
_TIED = (
    "key={key!r}: rows that should be told apart have equal keys, so that no exact number of them "
    "can be struck. Pass a key that no two rows share, or several columns that together are one."
)

Window = tuple[int, int]


@dataclass(frozen=True)
class Cut:
    """Rows with smaller scores are struck, and of those with this score the first ones."""

    score: float
    position: int

    def rows(self, scores: np.ndarray, matched: np.ndarray | None, first: int) -> np.ndarray:
        """Positions in a part of its rows that are struck."""
        struck = scores <= self.score
        tied = np.flatnonzero(scores == self.score)
        struck[tied[first + tied > self.position]] = False
        return np.flatnonzero(struck if matched is None else struck & matched)


@dataclass
class Tally:
    """Scores of matched rows, of several parts together."""

    rate: float
    window: Window
    n_matched: int = 0
    n_below: int = 0
    histogram: np.ndarray = field(default_factory=lambda: np.zeros(2 * _HALF, dtype=np.int64))
    keys: list[np.ndarray] = field(default_factory=list)
    positions: list[np.ndarray] = field(default_factory=list)

    def __getstate__(self) -> dict[str, Any]:
        # most numbers of the histogram that workers send are zero
        places = np.flatnonzero(self.histogram).astype(np.uint32)
        return {**self.__dict__, "histogram": (places, self.histogram[places])}

    def __setstate__(self, state: dict[str, Any]) -> None:
        places, counts = state["histogram"]
        histogram = np.zeros(2 * _HALF, dtype=np.int64)
        histogram[places] = counts
        self.__dict__ |= {**state, "histogram": histogram}

    def add(self, scores: np.ndarray, positions: np.ndarray) -> None:
        """Count the scores of a part."""
        keys = _ordered(scores)
        self.n_matched += len(keys)
        self.histogram += np.bincount((keys >> _LOW_BITS) + _HALF, minlength=2 * _HALF)
        low, high = self.window
        self.n_below += int(np.count_nonzero(keys < low))
        inside = (keys >= low) & (keys <= high)
        self.keys.append(keys[inside])
        self.positions.append(positions[inside])

    def merge(self, other: Tally) -> None:
        """Add the scores of other parts, of which the same ones were kept."""
        self.n_matched += other.n_matched
        self.n_below += other.n_below
        # what comes from workers may be read-only
        self.histogram = self.histogram + other.histogram
        self.keys = [*self.keys, *other.keys]
        self.positions = [*self.positions, *other.positions]

    @property
    def count(self) -> int:
        """How many rows are struck."""
        return strike_count(self.rate, self.n_matched)

    def cut(self, key: object = None) -> Cut | None:
        """The cut, None where it is outside the window."""
        if self.count in (0, self.n_matched):
            return Cut(np.inf, _MOST) if self.count else Cut(-np.inf, -1)
        place = self.count - self.n_below - 1
        keys, positions = np.concatenate(self.keys), np.concatenate(self.positions)
        if not 0 <= place < len(keys):
            return None
        order = np.lexsort((positions, keys))
        found = order[place]
        if key is not None and place + 1 < len(keys) and keys[order[place + 1]] == keys[found]:
            raise ValueError(_TIED.format(key=key))
        # rows that keys tell apart may have other positions the next time
        last = int(positions[found]) if key is None else _MOST
        return Cut(float(_scores(keys[found])), last)

    def window_of_others(self) -> Window:
        """Where the cut of the whole table is, seen from the first part, or nothing."""
        if self.n_matched < _ENOUGH:
            return _NONE
        keys = np.sort(np.concatenate(self.keys))
        n = len(keys)
        off = _DEVIATIONS * np.sqrt(n * self.rate * (1 - self.rate)) + _DEVIATIONS
        low, high = int(n * self.rate - off), int(n * self.rate + off)
        return (
            int(keys[low]) if low >= 0 else _LEAST,
            int(keys[high]) if high < n else _MOST,
        )

    def bucket(self) -> Window:
        """Where the cut is, by the histogram."""
        place = int(np.searchsorted(np.cumsum(self.histogram), self.count)) - _HALF
        low = place << _LOW_BITS
        return low, low + (1 << _LOW_BITS) - 1


class Cuts:
    """Which rows of one part are struck, each time that a corruption asks.

    A corruption asks as often in every part, in the same order. As long as a cut is not known, the
    scores are counted and no row is struck.
    """

    def __init__(self, known: list[Cut], windows: list[Window] | None = None) -> None:
        self.tallies: list[Tally] = []
        self._known = known
        self._windows = windows
        self._n_asked = 0

    @property
    def waiting(self) -> bool:
        """Whether some rows could not be struck yet."""
        return bool(self.tallies)

    def strike(
        self, scores: np.ndarray, matched: np.ndarray | None, rate: float, first: int
    ) -> np.ndarray:
        """Positions in the part of the rows that are struck."""
        i = self._n_asked
        self._n_asked += 1
        if i < len(self._known):
            return self._known[i].rows(scores, matched, first)
        windows, j = self._windows, i - len(self._known)
        tally = Tally(rate, (_LEAST, _MOST) if windows is None else windows[j])
        rows = np.arange(len(scores)) if matched is None else np.flatnonzero(matched)
        tally.add(scores[rows], first + rows)
        self.tallies.append(tally)
        return rows[:0]


def _ordered(scores: np.ndarray) -> np.ndarray:
    """Whole numbers in the order of the scores, different where scores are."""
    # two zeros are one score
    bits = (scores + 0.0).view(np.int64)
    return bits ^ ((bits >> 63) & _MOST)


def _scores(keys: np.ndarray) -> np.ndarray:
    """The scores of which whole numbers were made."""
    return np.asarray(keys ^ ((keys >> 63) & _MOST)).view(np.float64)
