"""Noise variables: one uniform value a row, and the draws that struck rows need besides."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.special import ndtri

from skcorrupt.utils import mix

_ROWS, _VALUES = 0, 1
_TO_UNIT = 2.0**-53


class Draws:
    """Draws for struck rows, in the order in which rows are struck.

    A lower rate strikes the first of them, so that its values are the first ones here too.

    Parameters
    ----------
    source : numpy.random.SeedSequence
        Seed of the draws; most errors need none, so a generator is made at the first.
    size : int
        Number of struck rows.
    """

    def __init__(self, source: np.random.SeedSequence, size: int) -> None:
        self._source = source
        self.size = size

    @cached_property
    def _generator(self) -> np.random.Generator:
        return np.random.default_rng(self._source)

    def uniform(self) -> np.ndarray:
        """Uniform on [0, 1), shape (size,)."""
        return self._generator.random(self.size)

    def normal(self) -> np.ndarray:
        """Standard normal, shape (size,)."""
        return self._generator.standard_normal(self.size)

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

    def normal(self) -> np.ndarray:
        return ndtri(self.uniform() + _TO_UNIT / 2)


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
    """

    def __init__(self, n_rows: int, row_seed: int, value_seed: int) -> None:
        self.n_rows = n_rows
        self._row_seed = row_seed
        self._value_seed = value_seed

    def rows(self, stream: int) -> np.ndarray:
        """One uniform value a row, shape (n_rows,), the same for the same stream."""
        sequence = np.random.SeedSequence(self._row_seed, spawn_key=(_ROWS, stream))
        return np.random.default_rng(sequence).random(self.n_rows)

    def draws(self, rows: np.ndarray, stream: int) -> Draws:
        """Further draws for struck `rows`, the same for the same stream."""
        sequence = np.random.SeedSequence(self._value_seed, spawn_key=(_VALUES, stream))
        return Draws(sequence, len(rows))


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
        sequence = np.random.SeedSequence(self._row_seed, spawn_key=(family, stream))
        return mix(self._keys ^ sequence.generate_state(1, np.uint64)[0])

    def rows(self, stream: int) -> np.ndarray:
        return (self._stream_keys(_ROWS, stream) >> np.uint64(11)) * _TO_UNIT

    def draws(self, rows: np.ndarray, stream: int) -> Draws:
        return _KeyedDraws(self._stream_keys(_VALUES, stream)[rows])
