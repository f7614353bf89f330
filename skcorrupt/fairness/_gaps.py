"""Gaps between two groups on one split, with a stage and without it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any, ClassVar

import numpy as np

from skcorrupt.metrics._groups import METRICS, count_cells, favourable, gaps
from skcorrupt.utils import as_column
from skcorrupt.utils._typing import ColumnLike

CHANGES = ("change_rate", "to_favourable", "to_unfavourable")


class Gaps(ABC):
    """What is measured on a table of one split.

    Attributes
    ----------
    metrics : tuple of str
        Names of the gaps.
    """

    metrics: ClassVar[tuple[str, ...]]

    @abstractmethod
    def table(self, y: ColumnLike, new: ColumnLike, old: ColumnLike, who: np.ndarray) -> np.ndarray:
        """All that is needed of labels, predictions with the stage, and without it."""

    @abstractmethod
    def levels(self, tables: np.ndarray) -> tuple[dict[str, Any], dict[str, Any]]:
        """The gaps with the stage and without it, for one table or for many."""

    def effect(self, tables: np.ndarray) -> dict[str, Any]:
        """What the stage does to each gap, for one table or for many."""
        new, old = self.levels(tables)
        return {metric: new[metric] - old[metric] for metric in self.metrics}

    def changes(self, table: np.ndarray) -> dict[str, float]:
        """Shares of rows whose prediction the stage changes, of all and by group."""
        found: dict[str, float] = {}
        for suffix, groups in (("", [0, 1]), ("_unprivileged", [0]), ("_privileged", [1])):
            shares = zip(CHANGES, self._changed(table, groups), strict=True)
            found |= {f"{name}{suffix}": float(share) for name, share in shares}
        return found

    @abstractmethod
    def _changed(self, table: np.ndarray, groups: list[int]) -> tuple[float, float, float]:
        """Shares of some groups that the stage changes: all, to favourable, to unfavourable."""

    @abstractmethod
    def people(self, table: np.ndarray, metric: str) -> int:
        """The fewest people that a rate or mean of the metric is about."""

    @abstractmethod
    def resampled(self, table: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
        """Tables of n resamples of the rows."""


class DecisionGaps(Gaps):
    """Gaps between rates of decisions, from counts.

    Parameters
    ----------
    pos_label : label
        The favourable label.
    """

    metrics = METRICS

    def __init__(self, pos_label: Hashable) -> None:
        self.pos_label = pos_label

    def table(self, y: ColumnLike, new: ColumnLike, old: ColumnLike, who: np.ndarray) -> np.ndarray:
        parts = [
            favourable(values, self.pos_label, name)
            for values, name in ((y, "y"), (new, "y_pred"), (old, "y_pred"))
        ]
        return count_cells(who, *parts)

    def levels(self, tables: np.ndarray) -> tuple[dict[str, Any], dict[str, Any]]:
        return gaps(tables.sum(axis=-1)), gaps(tables.sum(axis=-2))

    def _changed(self, table: np.ndarray, groups: list[int]) -> tuple[float, float, float]:
        counts = table[groups].sum(axis=(0, 1))
        n = counts.sum()
        up, down = (counts[1, 0] / n, counts[0, 1] / n) if n else (np.nan, np.nan)
        return up + down, up, down

    def people(self, table: np.ndarray, metric: str) -> int:
        by_label = table.sum(axis=(-1, -2))
        fewest = {"spd": by_label.sum(axis=-1), "eod": by_label[..., 1]}.get(metric, by_label)
        return int(fewest.min())

    def resampled(self, table: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
        total = int(table.sum())
        drawn = rng.multinomial(total, table.ravel() / total, size=n)
        return drawn.reshape(n, *table.shape)


class NumberGaps(Gaps):
    """Gaps between mean predictions and between mean errors, signed and not, for numbers.

    Its table has one column per row of the split: group, label, prediction with and without the
    stage.
    """

    metrics = ("mean_prediction", "mean_error", "mean_absolute_error")

    def table(self, y: ColumnLike, new: ColumnLike, old: ColumnLike, who: np.ndarray) -> np.ndarray:
        known = ~np.isnan(who)
        named = ((who, "group"), (y, "y"), (new, "y_pred"), (old, "y_pred"))
        parts = [as_column(part, name).astype(float) for part, name in named]
        return np.stack([part[known] for part in parts])

    def levels(self, tables: np.ndarray) -> tuple[dict[str, Any], dict[str, Any]]:
        group, y, new, old = np.moveaxis(tables, -2, 0)

        def gap(value: np.ndarray) -> Any:
            with np.errstate(invalid="ignore", divide="ignore"):
                unprivileged, privileged = (
                    np.where(group == a, value, 0.0).sum(axis=-1) / (group == a).sum(axis=-1)
                    for a in (0, 1)
                )
            return unprivileged - privileged

        found_new, found_old = (
            dict(zip(self.metrics, map(gap, (guess, guess - y, abs(guess - y))), strict=True))
            for guess in (new, old)
        )
        return found_new, found_old

    def _changed(self, table: np.ndarray, groups: list[int]) -> tuple[float, float, float]:
        group, _, new, old = table
        rows = np.isin(group, groups)
        # numbers have no favourable side
        return (new != old)[rows].mean() if rows.any() else np.nan, np.nan, np.nan

    def people(self, table: np.ndarray, metric: str) -> int:
        return int(min((table[0] == a).sum() for a in (0, 1)))

    def resampled(self, table: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
        rows = rng.integers(table.shape[1], size=(n, table.shape[1]))
        return table[:, rows].swapaxes(0, 1)
