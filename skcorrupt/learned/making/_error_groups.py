"""Which group a row belongs to, and what goes wrong in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import Table, Target, mix, resolve_columns

from ._readings import read_again


class ErrorGroups:
    """The tree of groups that was learned, for rows of any data.

    Parameters
    ----------
    seen : dict
        As made by `seen_errors`.
    struck : list of int
        Which of the columns with errors are struck; rows that were wrong in others only count as
        right.
    """

    def __init__(self, seen: dict[str, Any], struck: list[int]) -> None:
        self._readings = seen["readings"]
        self._nodes = seen["nodes"]
        self._donors = np.array(seen["donors"], dtype=np.int64).reshape(-1, len(seen["columns"]))
        self._leaves = [i for i, node in enumerate(self._nodes) if "share" in node]
        place = {node: i for i, node in enumerate(self._leaves)}
        self._place = np.array([place.get(i, -1) for i in range(len(self._nodes))])
        wrong: np.ndarray = np.any(self._donors[:, struck] >= 0, axis=1)
        self._kept = [self._of_leaf(self._nodes[i], wrong) for i in self._leaves]
        self.shares = np.array([share for share, _, _ in self._kept])

    @staticmethod
    def _of_leaf(node: dict[str, Any], wrong: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """Share of wrong rows in a group, their distinct rules and how often each is there."""
        donors = np.array(node["donors"], dtype=np.int64)
        counts = np.array(node["counts"], dtype=np.int64)
        kept = wrong[donors]
        part = counts[kept].sum() / counts.sum() if len(counts) else 0.0
        return float(node["share"] * part), donors[kept], counts[kept]

    def of_rows(self, table: Table, target: Target | None, seed: int) -> np.ndarray:
        """The group of every row, shape (n_rows,)."""
        read: dict[int, np.ndarray] = {}
        at = np.zeros(table.n_rows, dtype=np.int64)
        waiting = [(0, np.arange(table.n_rows))]
        while waiting:
            number, rows = waiting.pop()
            node = self._nodes[number]
            if "share" in node or not len(rows):
                at[rows] = self._place[number]
                continue
            if node["reading"] not in read:
                what = self._readings[node["reading"]]
                read[node["reading"]] = read_again(
                    table, target, what, lambda label: resolve_columns(table, [label])[0]
                )
            left = self._goes_left(node, read[node["reading"]][rows], seed)
            waiting += [
                (node["children"][0], rows[left]),
                (node["children"][1], rows[~left]),
            ]
        return at

    def _goes_left(self, node: dict[str, Any], values: np.ndarray, seed: int) -> np.ndarray:
        mostly = node["left_share"] >= 0.5
        if "bound" in node:
            return np.where(np.isnan(values), mostly, values <= node["bound"])
        codes, names = pd.factorize(values)
        left = np.isin(names.astype(object), np.array(node["left"], dtype=object))
        right = np.isin(names.astype(object), np.array(node["right"], dtype=object))
        for i in np.flatnonzero(~left & ~right):
            # all rows of a name that was not seen go the same way
            left[i] = _share_of(str(names[i]), seed) < node["left_share"]
        return np.append(left, mostly)[codes]

    def donors(self, group: np.ndarray, u: np.ndarray) -> np.ndarray:
        """The rules of a wrong row of every row's group, shape (n_rows, n_columns), by draws u."""
        chosen = np.full((len(group), self._donors.shape[1]), -1)
        for leaf in np.unique(group):
            mine = np.flatnonzero(group == leaf)
            _, donors, counts = self._kept[leaf]
            if len(donors):
                below = np.cumsum(counts)
                at = np.searchsorted(below, u[mine] * below[-1], side="right")
                chosen[mine] = self._donors[donors[at]]
        return chosen


def _share_of(name: str, seed: int) -> float:
    """A uniform value for a name, the same wherever it stands."""
    key = pd.util.hash_array(np.array([name], dtype=object))
    stirred = mix(mix(key) ^ np.array([seed % 2**64], dtype=np.uint64))
    return float(stirred[0] >> np.uint64(11)) * 2.0**-53
