"""Noise variables: one uniform value a row, and the draws that struck rows need besides.

Every value is a function of a seed, a stream and the row alone, so that it is the same however
the rows are split into parts.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from skcorrupt.utils import mix

_ROWS, _VALUES = 0, 1
_TO_UNIT = 2.0**-53
# values that Philox makes at a time
_BLOCK = 4


def _key(seed: int, family: int, stream: int, n_words: int) -> np.ndarray:
    sequence = np.random.SeedSequence(seed, spawn_key=(family, stream))
    return sequence.generate_state(n_words, np.uint64)


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
    """

    def __init__(self, n_rows: int, row_seed: int, value_seed: int, first: int = 0) -> None:
        self.n_rows = n_rows
        self.first = first
        self._row_seed = row_seed
        self._value_seed = value_seed

    @property
    def row_seed(self) -> int:
        """The seed of the values that decide which rows are struck."""
        return self._row_seed

    def rows(self, stream: int) -> np.ndarray:
        """One uniform value a row, shape (n_rows,), the same for the same stream."""
        return _counted(_key(self._row_seed, _ROWS, stream, 2), 0, self.first, self.n_rows)

    def draws(self, rows: np.ndarray, stream: int) -> Draws:
        """Further draws for struck `rows`, the same for the same stream."""
        return Draws(_key(self._value_seed, _VALUES, stream, 2), self.first + rows)


class KeyedNoise(Noise):
    """Noise tied to the content of rows: the same row draws the same values in any batch.

    Parameters
    ----------
    keys : ndarray of uint64, shape (n_rows,)
        Key of every row's content.
    seed : int
        Seed mixed into every draw.
    """

    def __init__(self, keys: np.ndarray, seed: int) -> None:
        super().__init__(len(keys), seed, seed)
        self._keys = keys

    def _stream_keys(self, family: int, stream: int) -> np.ndarray:
        return mix(self._keys ^ _key(self._row_seed, family, stream, 1))

    def rows(self, stream: int) -> np.ndarray:
        return (self._stream_keys(_ROWS, stream) >> np.uint64(11)) * _TO_UNIT

    def draws(self, rows: np.ndarray, stream: int) -> Draws:
        return _KeyedDraws(self._stream_keys(_VALUES, stream)[rows])
