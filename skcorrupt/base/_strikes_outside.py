"""Errors that strike less often outside their pattern than inside, rather than not at all."""

from __future__ import annotations

from numbers import Real

import numpy as np

from skcorrupt.patterns import Pattern, as_pattern
from skcorrupt.utils import Table, Target
from skcorrupt.utils._number_interval import NumberInterval

from ._base_corruption import BaseCorruption
from ._reference import Reference

OUTSIDE_RATIO = {"outside_ratio": [NumberInterval(Real, 0, 1, closed="both")]}


class StrikesOutside(BaseCorruption):
    """A corruption with `outside_ratio`, the rate outside its pattern as a ratio to `rate`."""

    _is_base = True
    outside_ratio: float

    def _why_not_searched(self) -> str:
        if not self.outside_ratio:
            return super()._why_not_searched()
        return (
            f"has outside_ratio={self.outside_ratio:g}, which strikes rows outside its pattern "
            "and cannot be searched; pass clone(corruption).set_params(outside_ratio=0, rate=None)."
        )

    def _learn(self, table: Table, target: Target | None) -> Reference:
        if self.outside_ratio and as_pattern(self.pattern) == Pattern():
            raise ValueError(
                f"outside_ratio={self.outside_ratio:g} is for rows outside a pattern, but pattern="
                f"{self.pattern!r} leaves none; give a pattern, or outside_ratio=0. A search, "
                "which sets patterns and rates itself, takes templates without it."
            )
        return super()._learn(table, target)

    def _draws_rows(self, table: Table) -> bool:
        return super()._draws_rows(table) or self.outside_ratio not in (0, 1)

    def _parts(
        self, table: Table, target: Target | None, among: np.ndarray | None
    ) -> list[tuple[np.ndarray | None, float]]:
        parts = super()._parts(table, target, among)
        matched = self._matched(table, target, None) if self.outside_ratio else None
        if matched is not None:
            outside = ~matched if among is None else ~matched & among
            parts.append((outside, self._rate * self.outside_ratio))
        return parts
