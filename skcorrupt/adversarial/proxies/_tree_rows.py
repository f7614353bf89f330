"""What a tree is trained on under an error: positions of values among the levels of each column.

A tree sees of a value only between which others it lies. With an imputer a cell that is lost holds
what the imputer puts, at its place; without one, missing is a value of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._changed_values import UNSEEN, Changes
from ._imputation import Fill
from ._predicted_values import Neighbours, Regressed
from ._proxy_groups import Feature, Groups
from ._struck_groups import StruckGroups

SMALLEST = 1e-12
ROUNDING = 1e-9


@dataclass
class TreeCopy:
    """What becomes of struck rows, in one of the cases there are.

    Attributes
    ----------
    weights : ndarray of shape (n_batch, n_groups)
        Weight of the case, by candidate and group.
    y : ndarray of shape (n_groups,)
        Labels.
    positions : dict of int to ndarray, each broadcastable to (n_batch, n_groups)
        Where the values of columns hit lie; those of other columns stay.
    """

    weights: np.ndarray
    y: np.ndarray
    positions: dict[int, np.ndarray]


class TreeRows:
    """Clean rows as positions, and copies of those that are struck.

    Parameters
    ----------
    groups : Groups
        The data.
    fills : list of Fill
        The imputer of every column.
    """

    def __init__(self, groups: Groups, fills: list[Fill]) -> None:
        self.groups, self.fills = groups, fills
        columns = []
        for j, feature in enumerate(groups.features):
            positions = feature.levels.astype(float)
            if feature.missing.any():
                kept = groups.trains.sum(axis=0)[None] * ~feature.missing
                positions[feature.missing] = self._fixed(j, kept)[0]
            columns.append(positions)
        # missing without an imputer is NaN
        self.X = np.column_stack(columns)
        self._imputers: dict[tuple[int, tuple[int, ...]], Regressed | Neighbours] = {}

    def struck(self, fold: int, struck: StruckGroups) -> tuple[np.ndarray, list[TreeCopy]]:
        """Weights of rows as they are, and copies.

        Parameters
        ----------
        fold : int
            The split.
        struck : StruckGroups
            The candidates.

        Returns
        -------
        kept : ndarray of shape (n_batch, n_groups)
            Weights of rows as they are.
        copies : list of TreeCopy
            What becomes of the others.
        """
        weights = self.groups.trains[fold].astype(float)
        share, y = struck.share.astype(float), self.groups.y
        if struck.kind == "selection":
            return weights * (1 - share), []
        if struck.kind == "duplicates":
            return weights * (1 + share), []
        kept, gone = weights * (1 - share), weights * share
        if struck.kind == "labels":
            return kept, [TreeCopy(gone, np.asarray(struck.flipped, dtype=float), {})]
        if struck.kind == "missing":
            return kept, [TreeCopy(gone, y, self._imputed(struck.columns, kept, gone))]
        changes = struck.changes
        if changes is None:
            raise ValueError("changed values need to be told; pass changes.")
        return kept, [
            TreeCopy(gone * chance, y, self._changed(changes, k))
            for k, chance in enumerate(changes.chances)
        ]

    def _imputed(
        self, columns: tuple[int, ...], kept: np.ndarray, gone: np.ndarray
    ) -> dict[int, np.ndarray]:
        found = {}
        for j in columns:
            feature, fill = self.groups.features[j], self.fills[j]
            if not (fill.looks_elsewhere and feature.numeric):
                found[j] = self._fixed(j, kept * ~feature.missing)[:, None]
                continue
            if (j, columns) not in self._imputers:
                kind = Regressed if fill.kind == "regression" else Neighbours
                self._imputers[j, columns] = kind(self.groups, j, columns, fill)
            numbers = self._imputers[j, columns].numbers(kept * ~feature.missing, gone)
            found[j] = _between(feature, numbers)
        return found

    def _fixed(self, j: int, kept: np.ndarray) -> np.ndarray:
        """Where what an imputer puts lies, by candidate."""
        feature, fill = self.groups.features[j], self.fills[j]
        own = fill.kind == "category" or (fill.kind == "constant" and not feature.numeric)
        if own:
            return np.full(len(kept), np.nan)
        if fill.kind == "constant":
            given = fill.value if isinstance(fill.value, (int, float)) else 0.0
            number = given * feature.spread + feature.centre if fill.standardised else given
            return _between(feature, np.full(len(kept), float(number)))
        level = np.zeros((len(feature.levels), len(feature.values) + 1))
        level[np.arange(len(level)), feature.levels] = 1
        counts = (kept @ level)[:, :-1]
        total = np.maximum(counts.sum(axis=1), SMALLEST)
        if fill.kind == "median" and feature.numeric:
            half = np.cumsum(counts, axis=1) >= 0.5 * total[:, None]
            return half.argmax(axis=1).astype(float)
        if fill.kind == "most_frequent" or not feature.numeric:
            return counts.argmax(axis=1).astype(float)
        return _between(feature, counts @ feature.values / total)

    def _changed(self, changes: Changes, k: int) -> dict[int, np.ndarray]:
        found = {}
        for j in changes.columns:
            feature = self.groups.features[j]
            if feature.numeric:
                made = _between(feature, changes.numbers[j][k])
            else:
                codes = changes.codes[j][k]
                made = np.where(codes == UNSEEN, np.nan, codes.astype(float))
            moved = np.append(made, np.nan)[feature.levels]
            found[j] = np.where(feature.missing, self.X[:, j], moved)[None]
        return found


def _between(feature: Feature, numbers: np.ndarray) -> np.ndarray:
    """Positions among levels: whole ones for levels, and in order between and beyond them."""
    values = feature.values
    if not len(values):
        return np.full(np.shape(numbers), np.nan)
    found = np.interp(numbers, values, np.arange(len(values), dtype=float))
    below, above = (
        np.maximum(beyond, 0.0) / feature.spread
        for beyond in (values[0] - numbers, numbers - values[-1])
    )
    found = found - below / (1 + below) + above / (1 + above)
    # what is no more than rounding off a level is that level
    nearest = np.round(found)
    return np.where(abs(found - nearest) < ROUNDING, nearest, found)
