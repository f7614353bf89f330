"""Other patterns that strike the same rows as a candidate."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from skcorrupt.attributes._attribute import Attribute
from skcorrupt.patterns import Condition, Pattern

from .candidates import Candidate, CandidateSpace, LabelChoice, PatternClass, class_of, n_given

# sets of conditions that are looked at for each class and leader
MOST_SETS = 2_000


@dataclass(frozen=True, eq=False)
class Bound:
    """A condition on a column that all rows struck meet.

    Attributes
    ----------
    column : int
        Position of the column.
    condition : Condition
        The condition.
    matched : ndarray of bool, shape (n_samples,)
        Rows that meet it.
    left : ndarray of bool
        Of the rows that are not struck but could be, those that meet it, too.
    """

    column: int
    condition: Condition
    matched: np.ndarray
    left: np.ndarray


class Spellings:
    """The patterns of a class that strike the rows of a candidate, and no others.

    Where a site is all of one label, `site == 'C' and y == 1` and `site == 'C'` are two ways to
    say one error. Rows are struck by some conditions alone if every row that is not struck fails
    one of them; the tightest conditions that all rows struck meet are the ones to ask.

    Parameters
    ----------
    space : CandidateSpace
        The candidates of the search.
    candidate : Candidate
        What was scored.
    masks : dict of (key, Condition) to ndarray of bool
        Rows that meet conditions, as far as they are known; filled in.
    """

    def __init__(
        self,
        space: CandidateSpace,
        candidate: Candidate,
        masks: dict[tuple[Any, Condition], np.ndarray],
    ) -> None:
        self.space, self.candidate, self.masks = space, candidate, masks
        labels = space.table.labels
        self.columns = tuple(labels.index(label) for label in candidate.columns)

    @cached_property
    def _struck(self) -> np.ndarray:
        struck = self._able.copy()
        for key, condition in self.candidate.pattern.conditions.items():
            struck &= self._matched(key, condition)
        return struck

    def _matched(self, key: Any, condition: Condition) -> np.ndarray:
        """Rows that meet a condition, which many candidates have."""
        known = self.masks.get((key, condition))
        if known is None:
            y = self.space.target.for_patterns if key == "y" else None
            known = Pattern({key: condition}).mask(self.space.table.source, y)
            self.masks[key, condition] = known
        return known

    @cached_property
    def _able(self) -> np.ndarray:
        return self.space.eligible(self.candidate.target, self.columns)

    @cached_property
    def _spared(self) -> np.ndarray:
        """Rows that could be struck, and are not."""
        return np.flatnonzero(self._able & ~self._struck)

    @cached_property
    def _bounds(self) -> Mapping[int, list[Bound]]:
        """Conditions that all rows struck meet, by column: the tightest, and the candidate's."""
        conditions = self.candidate.pattern.conditions
        bounds: dict[int, list[Bound]] = {}
        for j, attribute in self.space.attributes.items():
            found = []
            atom = _tightest(attribute, self._struck)
            if atom is not None:
                found.append((attribute.conditions[atom], attribute.mask(atom)))
            own = conditions.get(attribute.key)
            if own is not None:
                found.append((own, self._matched(attribute.key, own)))
            bounds[j] = [Bound(j, c, matched, matched[self._spared]) for c, matched in found]
        return bounds

    def of_class(self, which: PatternClass, space: CandidateSpace) -> Candidate | None:
        """The same error as a candidate of a class.

        Parameters
        ----------
        which : PatternClass
            The class.
        space : CandidateSpace
            The candidates with and without the conditions that it says.

        Returns
        -------
        Candidate or None
            None where no pattern of the class strikes the same rows.
        """
        if self.columns not in space.allowed:
            return None
        for choice in space.label_choices:
            if choice.target != self.candidate.target:
                continue
            left = self._left_by(choice, space)
            if left is None:
                continue
            for bounds in self._sets(which, space):
                if not (left & np.logical_and.reduce([b.left for b in bounds])).any():
                    made = self._made(bounds, choice, space)
                    if made is not None and class_of(made) == which:
                        return made
        return None

    def _left_by(self, choice: LabelChoice, space: CandidateSpace) -> np.ndarray | None:
        """Spared rows that a condition on the label leaves; None where it spares rows struck."""
        if choice.atom is None or space.label is None:
            return np.ones(len(self._spared), dtype=bool)
        matched = space.label.mask(choice.atom)
        return matched[self._spared] if matched[self._struck].all() else None

    def _sets(self, which: PatternClass, space: CandidateSpace) -> Iterator[tuple[Bound, ...]]:
        """Sets of conditions of a class, those first that leave the fewest rows."""
        required = space.required[self.columns]
        n_more = which.n_conditions - n_given(space) - len(required)
        if n_more < 0:
            return iter(())
        others = [j for j in space.allowed[self.columns] if j not in required]
        more = sorted((b for j in others for b in self._bounds[j]), key=lambda b: b.left.sum())
        sets = (
            (*needed, *chosen)
            for needed in itertools.product(*(self._bounds[j] for j in sorted(required)))
            for chosen in itertools.combinations(more, n_more)
            if len({b.column for b in chosen}) == n_more
        )
        return itertools.islice(sets, MOST_SETS)

    def _made(
        self, bounds: tuple[Bound, ...], choice: LabelChoice, space: CandidateSpace
    ) -> Candidate | None:
        """The candidate of some conditions, at the rate at which the same was scored."""
        conditions = {b.column: (b.condition, b.matched) for b in bounds}
        known = self.candidate
        for step in space.rate_steps:
            made = space.made_of(self.columns, conditions, choice, step)
            if made.key == (known.origin or known.key) and not made.refused:
                return spelled(made, known)
        return None


def spelled(made: Candidate, known: Candidate) -> Candidate:
    """A candidate as another one that strikes the same rows was scored.

    Parameters
    ----------
    made : Candidate
        The candidate.
    known : Candidate
        The one that was scored, perhaps at a lower rate, as checks and budgets ask for.

    Returns
    -------
    Candidate
        The first with the rate and the key of the second.
    """
    if made.rate == known.rate:
        return replace(made, key=known.key)
    corruption = copy.copy(made.corruption)
    corruption.rate = known.rate  # type: ignore[union-attr]
    return replace(
        made,
        corruption=corruption,
        rate=known.rate,
        row_fraction=known.row_fraction,
        key=known.key,
        origin=known.origin,
    )


def _tightest(attribute: Attribute, struck: np.ndarray) -> int | None:
    """The condition that fewest rows meet, of those that all rows struck do."""
    codes = attribute.codes[struck]
    low, high = int(codes.min()), int(codes.max())
    first, last = attribute.atoms.T
    holds = np.flatnonzero((first <= low) & (last >= high))
    if not len(holds):
        return None
    n_levels = max(int(attribute.codes.max()), int(last.max())) + 1
    below = np.cumsum(np.bincount(attribute.codes, minlength=n_levels))
    counts = below[last[holds]] - np.where(first[holds] > 0, below[first[holds] - 1], 0)
    return int(holds[np.argmin(counts)])
