"""How many maximal cliques of a graph each node is in."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def clique_counts(adjacent: np.ndarray, most: int) -> np.ndarray | None:
    """Number of maximal cliques that each node belongs to.

    Parameters
    ----------
    adjacent : ndarray of bool, shape (n_nodes, n_nodes)
        Symmetric; the diagonal is ignored.
    most : int
        Cliques after which counting is given up; there can be 3^(n/3) of them.

    Returns
    -------
    ndarray of int, shape (n_nodes,), or None
        None where there are more than `most`.
    """
    n = len(adjacent)
    neighbours = [
        sum(1 << int(j) for j in np.flatnonzero(row) if j != i) for i, row in enumerate(adjacent)
    ]
    counts = np.zeros(n, dtype=int)
    for found, clique in enumerate(_maximal_cliques(neighbours), start=1):
        if found > most:
            return None
        counts[list(_members(clique))] += 1
    return counts


def _maximal_cliques(neighbours: list[int]) -> Iterator[int]:
    """Maximal cliques as sets of bits (Bron and Kerbosch with the pivot of Tomita and others)."""
    # clique so far, nodes that may join it, nodes whose cliques are listed already
    stack = [(0, (1 << len(neighbours)) - 1, 0)]
    while stack:
        clique, open_, done = stack.pop()
        if not open_:
            if not done:
                yield clique
            continue
        pivot = max(_members(open_ | done), key=lambda node: (open_ & neighbours[node]).bit_count())
        for node in _members(open_ & ~neighbours[pivot]):
            stack.append((clique | 1 << node, open_ & neighbours[node], done & neighbours[node]))
            open_ &= ~(1 << node)
            done |= 1 << node


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
