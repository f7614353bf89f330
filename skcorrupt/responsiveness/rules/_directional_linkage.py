"""Columns that move with another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from skcorrupt.utils import Reader

from ._conditions import CHANGE, Comparison, Linear, Term
from ._constraint import Constraint
from ._numbers import HUGE, TINY, fits, tolerance
from ._people import Elements, People

RELATIONS = ("==", "<=", ">=")


class DirectionalLinkage(Constraint):
    """Target columns change with a source column, `scale` units for each of its units.

    A target that nobody acts on changes by just that much ("=="), at most ("<=") or at least
    (">=") that much, within its own bounds. With "==" the changes from several sources add up,
    and an action on the target itself is added to them.

    Parameters
    ----------
    source : str
        The column that is changed.
    targets : str or sequence of str
        The columns that change with it.
    scale : float or sequence of float, default=1
        Change of each target for one unit of the source.
    relation : {"==", "<=", ">="}, default="=="
        Whether targets change by that much, at most or at least.

    Examples
    --------
    >>> from skcorrupt.responsiveness import DirectionalLinkage
    >>> DirectionalLinkage("num_tweets", "urls", relation="<=")
    DirectionalLinkage(source='num_tweets', targets=['urls'], scale=[1], relation='<=')
    """

    def __init__(
        self,
        source: str,
        targets: str | Sequence[str],
        scale: float | Sequence[float] = 1,
        relation: Literal["==", "<=", ">="] = "==",
    ) -> None:
        self.source = Reader(source, "source").text()
        self.targets = self.moved = Reader(targets, "targets").name_or_names()
        self.columns = (source, *self.moved)
        self.relation = Reader(relation, "relation").one_of(RELATIONS)
        if len(set(self.columns)) < len(self.columns):
            raise ValueError(
                f"targets={targets!r} should be one or more columns other than source={source!r}."
            )
        what = (
            f"a number of {TINY:g} to {HUGE:g} in size, or one for each of "
            f"{len(self.moved)} targets"
        )
        factors = Reader(scale, "scale").array((0, 1), what)
        if factors.shape not in ((), (len(self.moved),)) or not all(
            factor and fits(factor) for factor in np.atleast_1d(factors)
        ):
            Reader(scale, "scale").refuse(what)
        many = np.asarray(scale).tolist()
        self.scale: list[Any] = many if factors.ndim else [many] * len(self.moved)

    def _check(self, elements: Elements) -> None:
        super()._check(elements)
        self._check_numbers(self.columns, elements, "which have no differences")

    def _links(self, target: str) -> list[tuple[str, float]]:
        if self.relation != "==" or target not in self.moved:
            return []
        return [(self.source, self.scale[self.moved.index(target)])]

    def _holds(self, before: People, after: People) -> Any:
        kept = True
        moved = after[self.source] - before[self.source]
        for name, scale in zip(self.moved, self.scale, strict=True):
            change = after[name] - before[name]
            slack = tolerance(abs(after[name]) + abs(scale) * abs(after[self.source]))
            if self.relation == "<=":
                kept = kept & (change <= scale * moved + slack)
            elif self.relation == ">=":
                kept = kept & (change >= scale * moved - slack)
        # with "==" targets are computed, not checked: others may add to the change
        return kept

    def _comparisons(
        self, before: People, after: People, known: set[str]
    ) -> list[tuple[Comparison, Any]]:
        if self.relation == "==":
            return []
        nothing = Linear(())
        sums = [
            Linear((Term(1.0, CHANGE, name), Term(-float(scale), CHANGE, self.source)))
            for name, scale in zip(self.moved, self.scale, strict=True)
        ]
        return [(Comparison(total, self.relation, nothing), True) for total in sums]
