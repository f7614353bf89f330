"""Seeds: drawn up front, never from the global random state."""

from __future__ import annotations

import numpy as np

from ._typing import RandomState

_MAX_SEED = 2**63 - 1


def draw_seed(random_state: RandomState = None) -> int:
    """One non-negative integer seed from what a user gave as `random_state`.

    Parameters
    ----------
    random_state : None, int, RandomState or Generator, default=None
        None draws fresh entropy; an integer is the seed itself; a generator object is asked for
        one and so moves on.

    Returns
    -------
    int
        The seed.
    """
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(1))
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        if random_state >= 0:
            return int(random_state)
    elif isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    elif isinstance(random_state, np.random.Generator):
        return int(random_state.integers(_MAX_SEED))
    raise ValueError(
        f"random_state={random_state!r} cannot be used to seed a generator; pass None, a "
        "non-negative integer, a numpy RandomState or a numpy Generator."
    )


def spawn_seeds(seed: int, n: int, *stream: int) -> list[int]:
    """`n` independent 32-bit seeds derived from one seed and a stream of integers.

    Parameters
    ----------
    seed : int
        The parent seed.
    n : int
        How many to derive.
    *stream : int
        Distinguishes several families of children of the same seed.

    Returns
    -------
    list of int
        The children, the same for the same arguments.
    """
    found: list[int] = seed_array(seed, n, *stream).tolist()
    return found


def seed_array(seed: int, n: int, *stream: int) -> np.ndarray:
    """As `spawn_seeds`, in four bytes each, where there are many.

    Parameters
    ----------
    seed : int
        The parent seed.
    n : int
        How many to derive.
    *stream : int
        Distinguishes several families of children of the same seed.

    Returns
    -------
    ndarray of uint32, shape (n,)
        The children.
    """
    return np.random.SeedSequence(seed, spawn_key=stream).generate_state(n, np.uint32)
