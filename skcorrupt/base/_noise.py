"""Noise variables: one uniform value a row, and the draws that struck rows need besides.

Every value is a function of a seed, a stream and the row alone, so that it is the same however
the rows are split into parts.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import ndtri

from skcorrupt.utils import Table, mix

from ._cuts import Cuts
from ._strike import smallest

_ROWS, _VALUES = 0, 1
_TO_UNIT = 2.0**-53
# values that Philox makes at a time
_BLOCK = 4
# rows whose values are kept
MOST_KEPT = 65_536


@lru_cache(maxsize=256)
def _key(seed: int, family: int, stream: int, n_words: int) -> np.ndarray:
    sequence = np.random.SeedSequence(seed, spawn_key=(family, stream))
    return _shared(sequence.generate_state(n_words, np.uint64))


@lru_cache(maxsize=8)
def _known_rows(seed: int, stream: int, first: int, n_rows: int) -> np.ndarray:
    """One value a row, kept as a search strikes the same rows by the same seed again and again."""
    return _shared(_counted(_key(seed, _ROWS, stream, 2), 0, first, n_rows))


def _shared(values: np.ndarray) -> np.ndarray:
    values.flags.writeable = False
    return values


def _counted(key: np.ndarray, draw: int, first: int, n_rows: int) -> np.ndarray:
    """The values of `n_rows` rows from `first` on, uniform on [0, 1), each by its position."""
    block, skip = divmod(first, _BLOCK)
    generator = np.random.Generator(np.random.Philox(key=key, counter=[block, draw, 0, 0]))
    return generator.random(skip + n_rows)[skip:]


class Draws:
    """Draws for struck rows: what a row draws does not depend on which others are struck.

    Parameters
    ----------
    key : ndarray of uint64, shape (2,)
        Key of the stream.
    positions : ndarray of int, shape (size,)
        Positions of the struck rows in the whole table.
    """

    def __init__(self, key: np.ndarray, positions: np.ndarray) -> None:
        self._key = key
        self._positions = positions
        self._n_drawn = 0
        self.size = len(positions)

    def uniform(self) -> np.ndarray:
        """Uniform on [0, 1), shape (size,)."""
        if not self.size:
            return np.empty(0)
        first = int(self._positions.min())
        n_rows = int(self._positions.max()) + 1 - first
        values = _counted(self._key, self._n_drawn, first, n_rows)
        self._n_drawn += 1
        return values[self._positions - first]

    def normal(self) -> np.ndarray:
        """Standard normal, shape (size,)."""
        return ndtri(self.uniform() + _TO_UNIT / 2)

    def integers(self, high: int | np.ndarray) -> np.ndarray:
        """Uniform on the integers from 0 below `high` (a number, or one a row), shape (size,)."""
        return (self.uniform() * high).astype(np.intp)


class _KeyedDraws(Draws):
    """Draws that depend on nothing but a row's key and a counter."""

    def __init__(self, keys: np.ndarray):
        self._keys = keys
        self.size = len(keys)

    def uniform(self) -> np.ndarray:
        self._keys = mix(self._keys)
        return (self._keys >> np.uint64(11)) * _TO_UNIT


class Noise:
    """Fresh noise for one application of a corruption.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    row_seed : int
        Seed of the noise values that decide which rows are struck.
    value_seed : int
        Seed of all further draws.
    first : int, default=0
        Position of the first row in the whole table, where the rows are a part of one.
    cuts : Cuts, default=None
        Which of the rows are struck, where they are a part.
    """

    def __init__(
        self,
        n_rows: int,
        row_seed: int,
        value_seed: int,
        first: int = 0,
        cuts: Cuts | None = None,
    ) -> None:
        self.n_rows = n_rows
        self.first = first
        self._cuts = cuts
        self._row_seed = row_seed
        self._value_seed = value_seed

    @property
    def row_seed(self) -> int:
        """The seed of the values that decide which rows are struck."""
        return self._row_seed

    def strike(self, scores: np.ndarray, matched: np.ndarray | None, rate: float) -> np.ndarray:
        """Positions of the share `rate` of the matched rows, None for all, with least scores."""
        if self._cuts is None:
            return smallest(scores, matched, rate)
        return self._cuts.strike(scores, matched, rate, self.first)

    def rows(self, stream: int) -> np.ndarray:
        """One uniform value a row, shape (n_rows,), the same for the same stream, read-only."""
        if self.n_rows > MOST_KEPT:
            return _counted(_key(self._row_seed, _ROWS, stream, 2), 0, self.first, self.n_rows)
        return _known_rows(self._row_seed, stream, self.first, self.n_rows)

    def draws(self, rows: np.ndarray, stream: int) -> Draws:
        """Further draws for struck `rows`, the same for the same stream."""
        return Draws(_key(self._value_seed, _VALUES, stream, 2), self.first + rows)


class KeyedNoise(Noise):
    """Noise tied to keys of rows, such as their content: equal keys draw equal values anywhere.

    Parameters
    ----------
    keys : ndarray of uint64, shape (n_rows,)
        Key of every row.
    row_seed : int
        Seed of the noise values that decide which rows are struck.
    value_seed : int, default=None
        Seed of all further draws; None is the same.
    first : int, default=0
        Position of the first row in the whole table, where the rows are a part of one.
    cuts : Cuts, default=None
        Which of the rows are struck, where they are a part.
    """

    def __init__(
        self,
        keys: np.ndarray,
        row_seed: int,
        value_seed: int | None = None,
        first: int = 0,
        cuts: Cuts | None = None,
    ) -> None:
        value_seed = row_seed if value_seed is None else value_seed
        super().__init__(len(keys), row_seed, value_seed, first, cuts)
        self._keys = keys

    def _stream_keys(self, seed: int, family: int, stream: int) -> np.ndarray:
        return mix(self._keys ^ _key(seed, family, stream, 1))

    def rows(self, stream: int) -> np.ndarray:
        return (self._stream_keys(self._row_seed, _ROWS, stream) >> np.uint64(11)) * _TO_UNIT

    def draws(self, rows: np.ndarray, stream: int) -> Draws:
        return _KeyedDraws(self._stream_keys(self._value_seed, _VALUES, stream)[rows])


def noise_for(table: Table, row_seed: int, value_seed: int) -> Noise:
    """Fresh noise for the rows of a table, which may be a part of another.

    Parameters
    ----------
    table : Table
        The rows.
    row_seed, value_seed : int
        Seeds of what decides on rows and of all further draws.

    Returns
    -------
    Noise
        Tied to the positions of the rows, or to their keys where they have some.
    """
    part = table.part
    if part is None:
        return Noise(table.n_rows, row_seed, value_seed)
    if part.keys is None:
        return Noise(table.n_rows, row_seed, value_seed, part.first, part.cuts)
    return KeyedNoise(part.keys, row_seed, value_seed, part.first, part.cuts)
