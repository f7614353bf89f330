"""Columns that move with another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from skcorrupt.patterns._values import shorten

from ._action_element import ActionElement
from ._constraint import Constraint
from ._expression import CHANGE, Comparison, Linear, Term
from ._people import People
from ._sizes import ALLOWED, fits
from ._tolerance import tolerance

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
        self.source = source
        self.moved = (targets,) if isinstance(targets, str) else tuple(targets)
        self.columns = (source, *self.moved)
        count = len(self.moved)
        scales: list[Any] = [scale] * count if np.ndim(scale) == 0 else np.asarray(scale).tolist()
        self.scale = scales
        self.relation = relation
        if not self.moved or len(set(self.columns)) < len(self.columns):
            raise ValueError(
                f"targets={targets!r} should be one or more columns other than source={source!r}."
            )
        if len(scales) != len(self.moved) or any(s == 0 or not fits(s) for s in scales):
            raise ValueError(
                f"scale={shorten(scale)} should be a number other than 0, or one for each of "
                f"{len(self.moved)} targets, each {ALLOWED}."
            )
        if relation not in RELATIONS:
            raise ValueError(f"relation={relation!r} should be one of {list(RELATIONS)}.")

    def _check(self, elements: Mapping[str, ActionElement]) -> None:
        super()._check(elements)
        for name in self.columns:
            if elements[name].kind == "categorical":
                raise ValueError(f"{self}: {name!r} holds categories, which have no differences.")

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

    def _params(self) -> dict[str, Any]:
        return {
            "source": self.source,
            "targets": list(self.moved),
            "scale": list(self.scale),
            "relation": self.relation,
        }
