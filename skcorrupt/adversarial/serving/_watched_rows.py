"""Rows as they are served: which of them an error can strike, and which errors checks let pass."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from skcorrupt.base import BaseCorruption, FeatureCorruption
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.evaluation import reseeded
from skcorrupt.patterns import Condition, Pattern, as_pattern
from skcorrupt.utils import Table
from skcorrupt.utils._typing import TableLike

from ..candidates import Candidate
from ._quick_watch import N_RATES, QuickWatch
from ._row_effects import resamples, suits_rows
from ._watch import Watch

# cells of masks of conditions that are kept
MOST_KEPT = 1 << 26
ALWAYS_NOTICED = "a check notices it at any rate"


@dataclass(eq=False)
class WatchedRows:
    """Rows that a model is served, and what watches them.

    Attributes
    ----------
    rows : Table
        The rows searched.
    labels : array-like of shape (n_samples,) or None
        Their labels.
    templates : dict of str to BaseCorruption
        The kinds of error by name.
    seed : int
        Seed of what rows look like that are struck.
    watch : Watch or None
        Checks that errors have to pass unnoticed.
    """

    rows: Table
    labels: Any
    templates: Mapping[str, BaseCorruption]
    seed: int
    watch: Watch | None = None
    _struck: dict[Any, TableLike] = field(default_factory=dict)
    _masks: dict[tuple[str, Condition], np.ndarray] = field(default_factory=dict)

    def kind_of(self, candidate: Candidate) -> str:
        """The name of the kind of error that a candidate is of."""
        return candidate.kind or next(iter(self.templates))

    def template_of(self, candidate: Candidate) -> BaseCorruption:
        """The kind of error that a candidate is of."""
        return self.templates[self.kind_of(candidate)]

    def unnoticed(self, candidate: Candidate) -> Candidate:
        """A candidate at the largest rate that no check notices, refused where there is none."""
        corruption = cast("BaseCorruption", candidate.corruption)
        whole = isinstance(corruption, CorruptionProcess)
        most = 1.0 if whole else candidate.rate
        if self.is_quick(corruption):
            matched = self._strikable(corruption, candidate)
            quick = self.quickly(candidate.kind, corruption, candidate.columns)
            rate = most * quick.unnoticed(matched, most) / N_RATES
        else:
            key = self.kind_of(candidate), candidate.columns
            watch = cast("Watch", self.watch)
            struck = self._struck_rows(corruption, candidate)
            rate = watch.largest_rate(corruption, key, *struck, most, self.labels)
        if rate == most:
            return candidate
        if rate == 0:
            return replace(candidate, refused=ALWAYS_NOTICED)
        if isinstance(corruption, CorruptionProcess):
            return replace(
                candidate, corruption=corruption._at_share(rate), rate=rate * candidate.rate
            )
        lower = copy.copy(corruption)
        lower.rate = rate
        return replace(candidate, corruption=lower, rate=rate)

    def is_quick(self, corruption: BaseCorruption) -> bool:
        """Whether all checks are the room's own and the error strikes every row by itself."""
        alone = suits_rows(corruption) and corruption._reads == "row"
        return alone and cast("Watch", self.watch).is_quick

    def quickly(
        self, kind: str, corruption: BaseCorruption, columns: tuple[Any, ...]
    ) -> QuickWatch:
        """What the room's own checks say of an error in some columns, wherever it strikes."""

        def struck() -> TableLike:
            return self._struck_everywhere(cast("FeatureCorruption", corruption))

        key = kind or next(iter(self.templates)), columns
        return cast("Watch", self.watch).quickly(key, struck, columns)

    def detection(self, winner: Candidate, tick: Callable[[], None]) -> Iterator[dict[str, Any]]:
        """How often each check alarms on an error, and from which size and rate on.

        Parameters
        ----------
        winner : Candidate
            The error.
        tick : callable
            Called before every look at batches.

        Returns
        -------
        iterator of dict
            A row a check.
        """
        corruption = cast("BaseCorruption", winner.corruption)
        rate = 1.0 if isinstance(corruption, CorruptionProcess) else winner.rate
        struck = self._struck_rows(corruption, winner)
        watch = cast("Watch", self.watch)
        return watch.detection(corruption, *struck, rate, tick, self.labels)

    def _struck_rows(
        self, corruption: BaseCorruption, candidate: Candidate
    ) -> tuple[TableLike | None, np.ndarray | None]:
        """All rows struck, and those that can be; None where rows are not struck by themselves."""
        if resamples(corruption) or (suits_rows(corruption) and corruption._reads == "row"):
            return self._all_struck(corruption, candidate), self._strikable(corruption, candidate)
        return None, None

    def matched(self, corruption: FeatureCorruption, columns: tuple[Any, ...]) -> np.ndarray:
        """Rows that can be struck."""
        mask = self.meets_pattern(corruption)
        hit = [self.rows.labels.index(label) for label in columns]
        able = corruption._able(self.rows, hit, None)
        return mask if able is None else mask & able

    def meets_pattern(self, corruption: BaseCorruption) -> np.ndarray:
        """Rows that the pattern matches."""
        mask = np.ones(self.rows.n_rows, dtype=bool)
        for key, condition in as_pattern(corruption.pattern).conditions.items():
            mask &= self._condition_mask(key, condition)
        return mask

    def _condition_mask(self, key: str, condition: Condition) -> np.ndarray:
        """Rows that one condition matches, which many patterns have."""
        known = self._masks.get((key, condition))
        if known is None:
            if len(self._masks) * self.rows.n_rows > MOST_KEPT:
                self._masks.clear()
            alone = Pattern({key: condition})
            known = alone.mask(self.rows.source, self.labels if alone.uses_y else None)
            self._masks[(key, condition)] = known
        return known

    def _strikable(self, corruption: BaseCorruption, candidate: Candidate) -> np.ndarray:
        if isinstance(corruption, FeatureCorruption):
            return self.matched(corruption, candidate.columns)
        return self.meets_pattern(corruption)

    def _all_struck(self, corruption: BaseCorruption, candidate: Candidate) -> TableLike | None:
        """All rows searched, struck in the columns of a candidate; None for errors in rows."""
        if not isinstance(corruption, FeatureCorruption):
            return None
        key = self.kind_of(candidate), candidate.columns
        if key not in self._struck:
            self._struck[key] = self._struck_everywhere(corruption)
        return self._struck[key]

    def _struck_everywhere(self, corruption: FeatureCorruption) -> TableLike:
        every = reseeded(corruption, self.seed).set_params(rate=1.0, pattern=None)
        return every.fit(self.rows.source).corrupt(self.rows.source).X
