"""What a candidate is made of, so that it can be changed piece by piece at full resolution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from skcorrupt.attributes._fine_attribute import FineAttribute
from skcorrupt.patterns import Pattern
from skcorrupt.utils import column_key

from ._candidate import Candidate, LabelChoice, Shape, Sketch
from ._candidate_space import CandidateSpace
from ._fitting_ends import fitting_ends
from ._fitting_sets import fitting_sets

# ends of ranges move by these shares of a bin, besides by one value and to the ends of bins
SHARES_OF_A_BIN = (0.125, 0.25, 0.5)
# categories that are put into a set or taken out of it, the commonest first
MOST_TOGGLED = 24
# rows that a further range leaves out at either end
LEFT_OUT = (1, 3, 9)
# of rows of conditions that are kept, and of the levels by which they are known
MOST_BYTES = 2**26


class Shapes:
    """Shapes of the candidates of one search, and what is near each of them.

    Parameters
    ----------
    space : CandidateSpace
        The candidates of any budget.
    """

    def __init__(self, space: CandidateSpace) -> None:
        self.space = space
        self._fine: dict[int, FineAttribute] = {}
        self._known_bits: dict[tuple[int, bytes], np.ndarray] = {}

    def fine(self, j: int) -> FineAttribute:
        """A column at full resolution."""
        if j not in self._fine:
            self._fine[j] = FineAttribute.of(self.space.table, j)
        return self._fine[j]

    def of(self, candidate: Candidate) -> Shape | None:
        """The pieces of a candidate, None where it has some that this space has not."""
        space = self.space
        table, labels = space.table, space.table.labels
        conditions = candidate.pattern.conditions
        by_name = {str(label): j for j, label in enumerate(labels)}
        chosen = {}
        for name in candidate.pattern.columns:
            j = by_name[str(name)]
            if j in space.base_columns:
                continue
            if j not in space.attributes:
                return None
            key = column_key(labels[j])
            own = Pattern({key: next(c for k, c in conditions.items() if k in (name, key))})
            chosen[j] = self.fine(j).matched(own.mask(table))
        choice = self._choice(candidate)
        if choice is None:
            return None
        columns = tuple(labels.index(label) for label in candidate.columns)
        shape = Shape(columns, chosen, choice, 1.0)
        rates = {s: self.made(space, replace(shape, step=s)).rate for s in space.rate_steps}
        return replace(shape, step=min(rates, key=lambda s: abs(rates[s] - candidate.rate)))

    def side(self, candidate: Candidate) -> tuple[bool, bool] | None:
        """Whether a candidate's labels include the first and the last, None where all do."""
        choice, label = self._choice(candidate), self.space.label
        if choice is None or choice.atom is None or label is None:
            return None
        first, last = label.atoms[choice.atom]
        return bool(first == label.atoms.min()), bool(last == label.atoms.max())

    def _choice(self, candidate: Candidate) -> LabelChoice | None:
        """The condition on the label and the class of flips, None where there is no such choice."""
        space = self.space
        searched = candidate.pattern.uses_y and not space.base_pattern.uses_y
        condition = candidate.pattern.conditions["y"] if searched else None
        for choice in space.label_choices:
            own = None
            if choice.atom is not None and space.label is not None:
                own = space.label.conditions[choice.atom]
            if choice.target == candidate.target and own == condition:
                return choice
        return None

    def made(self, space: CandidateSpace, shape: Shape) -> Candidate:
        """The candidate of a shape within the budget of a space."""
        conditions = {
            j: (self.fine(j).condition(levels), self.fine(j).mask(levels))
            for j, levels in shape.chosen.items()
        }
        return space.made_of(shape.columns, conditions, shape.choice, shape.step)

    def sketched(self, space: CandidateSpace, shapes: Sequence[Shape]) -> list[Sketch]:
        """What the candidates of shapes strike within the budget of a space."""
        conditions = [[self._bits(*each) for each in shape.chosen.items()] for shape in shapes]
        return space.sketched(shapes, conditions)

    def _bits(self, j: int, levels: np.ndarray) -> np.ndarray:
        """Rows that a condition matches, kept as shapes that are near each other share most."""
        key = j, levels.tobytes()
        known = self._known_bits.get(key)
        if known is None:
            known = np.packbits(self.fine(j).mask(levels))
            if (len(self._known_bits) + 1) * (known.nbytes + levels.nbytes) > MOST_BYTES:
                self._known_bits.clear()
            self._known_bits[key] = known
        return known

    def near(self, shape: Shape) -> list[list[Shape]]:
        """What differs from a shape in one piece, by piece.

        Parameters
        ----------
        shape : Shape
            Where to start.

        Returns
        -------
        list of list of Shape
            For every condition, for the label and for the rate what else each can be.
        """
        space = self.space
        pieces = [
            [
                replace(shape, chosen={**shape.chosen, j: other})
                for other in self.other_levels(j, own)
            ]
            for j, own in shape.chosen.items()
        ]
        for j in shape.chosen if len(shape.chosen) > self.fewest(shape) else ():
            if j not in space.required[shape.columns]:
                rest = {k: levels for k, levels in shape.chosen.items() if k != j}
                pieces.append([replace(shape, chosen=rest)])
        pieces.append([replace(shape, choice=c) for c in space.label_choices if c != shape.choice])
        pieces.append([replace(shape, step=s) for s in space.rate_steps if s != shape.step])
        return [piece for piece in pieces if piece]

    def fewest(self, shape: Shape) -> int:
        """The least number of conditions on features of patterns that hit the same columns."""
        required = len(self.space.required[shape.columns])
        return max(required, 1 if self.space.allowed[shape.columns] else 0)

    def joined(self, shape: Shape, others: Iterable[Shape]) -> Shape:
        """A shape with all pieces in which others differ from it."""
        chosen = dict(shape.chosen)
        made = shape
        for other in others:
            for j, own in shape.chosen.items():
                if j not in other.chosen:
                    if len(chosen) > self.fewest(shape):
                        chosen.pop(j, None)
                elif other.chosen[j] is not own and j in chosen:
                    chosen[j] = other.chosen[j]
            if other.choice != shape.choice:
                made = replace(made, choice=other.choice)
            if other.step != shape.step:
                made = replace(made, step=other.step)
        return replace(made, chosen=chosen)

    def fitted(
        self, space: CandidateSpace, shape: Shape, j: int, moves: Sequence[int] = (0,)
    ) -> Iterator[np.ndarray]:
        """Levels of a range with which a shape just fits a budget.

        Parameters
        ----------
        space : CandidateSpace
            The candidates of the budget.
        shape : Shape
            Of which the range is.
        j : int
            Position of the column.
        moves : sequence of int, default=(0,)
            By how many levels the end that is kept is moved before.

        Yields
        ------
        ndarray of bool
            With one of the ends where it is, or as far from there as `moves` say, if anything is
            left; nothing for sets of categories.
        """
        if not self.fine(j).ranged:
            return
        places = np.flatnonzero(shape.chosen[j])
        n_levels = len(shape.chosen[j])
        rows = self.rows(space, shape, j)
        for moved in moves:
            start, end = int(places[0]) + moved, int(places[-1]) + 1 + moved
            if start < 0 or end > n_levels:
                continue
            lower, upper = fitting_ends(space, self.fine(j).levels, rows, start, end)
            for a, b in ((lower, end), (start, upper)):
                if a < b and (a, b) != (0, n_levels):
                    yield _range(n_levels, a, b)

    def fitted_sets(self, space: CandidateSpace, shape: Shape, j: int) -> Iterator[np.ndarray]:
        """Sets of categories with which a shape fills a budget.

        Parameters
        ----------
        space : CandidateSpace
            The candidates of the budget.
        shape : Shape
            Of which the set is.
        j : int
            Position of the column.

        Yields
        ------
        ndarray of bool
            Some of the categories of the set, in several orders.
        """
        rows, codes = self.rows(space, shape, j), self.space.attributes[j].codes
        yield from fitting_sets(space, self.fine(j).levels, rows, shape.chosen[j], codes)

    def ends_moved(self, space: CandidateSpace, shape: Shape, most: int) -> list[Shape]:
        """A shape with one end of a range elsewhere, wherever it matches other rows then.

        Parameters
        ----------
        space : CandidateSpace
            The candidates of the budget.
        shape : Shape
            Of which ranges are changed.
        most : int
            How many there may be.

        Returns
        -------
        list of Shape
            Those that match the fewest rows more or less, these first.
        """
        ways = []
        for j, own in shape.chosen.items():
            if not self.fine(j).ranged:
                continue
            levels, places = self.fine(j).levels, np.flatnonzero(own)
            n, first, end = levels.n_levels, int(places[0]), int(places[-1]) + 1
            matched = np.bincount(levels.codes[self.rows(space, shape, j)], minlength=n)[:n]
            below = np.concatenate([[0], np.cumsum(matched)])
            starts = np.flatnonzero(matched)
            a = np.concatenate([starts, np.full(len(starts), first)])
            b = np.concatenate([np.full(len(starts), end), starts + 1])
            more = np.abs(below[a] - below[first]) + np.abs(below[b] - below[end])
            fits = (more > 0) & (a < b) & (b - a < n)
            ways.append(np.column_stack([more, np.full(len(a), j), a, b])[fits])
        every = np.concatenate(ways) if ways else np.empty((0, 4), dtype=int)
        if len(every) > most:
            # few of very many are wanted
            every = every[every[:, 0] <= np.partition(every[:, 0], most - 1)[most - 1]]
        order = np.lexsort(every.T[::-1])[:most]
        return [
            replace(shape, chosen={**shape.chosen, j: _range(len(shape.chosen[j]), a, b)})
            for _, j, a, b in every[order].tolist()
        ]

    def without_few(self, space: CandidateSpace, shape: Shape, j: int) -> Iterator[np.ndarray]:
        """Ranges of a column with an open end that leave out a few of the rows of a shape.

        Parameters
        ----------
        space : CandidateSpace
            The candidates of the budget.
        shape : Shape
            Which has no condition on the column.
        j : int
            Position of the column.

        Yields
        ------
        ndarray of bool
            Levels, with either end; nothing for categories.
        """
        if not self.fine(j).ranged:
            return
        n = self.fine(j).levels.n_levels
        codes = self.fine(j).levels.codes[self.rows(space, shape)]
        below = np.cumsum(np.bincount(codes, minlength=n)[:n])
        if not len(below) or not below[-1]:
            return
        for few in LEFT_OUT:
            first = int(np.searchsorted(below, few)) + 1
            end = int(np.searchsorted(below, below[-1] - few, side="right"))
            for a, b in ((first, n), (0, end)):
                if 0 < b - a < n:
                    yield _range(n, a, b)

    def rows(self, space: CandidateSpace, shape: Shape, besides: int | None = None) -> np.ndarray:
        """Rows that a shape matches and that can change.

        Parameters
        ----------
        space : CandidateSpace
            The candidates of the budget.
        shape : Shape
            What has to match.
        besides : int, default=None
            Position of a column whose condition need not hold.

        Returns
        -------
        ndarray of bool, shape (n_samples,)
            A mask.
        """
        rows = space.eligible(shape.choice.target, shape.columns).copy()
        for j, levels in shape.chosen.items():
            if j != besides:
                rows &= self.fine(j).mask(levels)
        if shape.choice.atom is not None and space.label is not None:
            rows &= space.label.mask(shape.choice.atom)
        return rows

    def other_levels(self, j: int, own: np.ndarray) -> Iterator[np.ndarray]:
        """Levels that a condition on a column may have instead, the nearest first."""
        fine = self.fine(j)
        return self._moved(j, own) if fine.ranged else self._toggled(fine, own)

    def _moved(self, j: int, own: np.ndarray) -> Iterator[np.ndarray]:
        """Ranges with one end elsewhere."""
        levels = self.fine(j).levels
        places = np.flatnonzero(own)
        first, last = int(places[0]), int(places[-1])
        below = np.concatenate([[0], np.cumsum(levels.counts)])
        n_bins = len(np.unique(self.space.attributes[j].codes[levels.known]))
        bin_rows = below[-1] / n_bins
        edges = np.flatnonzero(np.diff(self._bins(j))) + 1
        for place, is_first in ((first, True), (last + 1, False)):
            shares = [sign * share * bin_rows for share in SHARES_OF_A_BIN for sign in (-1, 1)]
            at = np.searchsorted(below, below[place] + np.array(shares))
            ends = {place - 1, place + 1, 0, levels.n_levels, *edges.tolist(), *at.tolist()}
            ends = {end for end in ends if 0 <= end <= levels.n_levels}
            for end in sorted(
                ends - {place}, key=lambda end: (abs(below[end] - below[place]), end)
            ):
                a, b = (end, last + 1) if is_first else (first, end)
                if a < b and (a, b) != (0, levels.n_levels):
                    yield _range(levels.n_levels, a, b)

    def _bins(self, j: int) -> np.ndarray:
        """Bin of the grid that every level is in."""
        levels = self.fine(j).levels
        bins = np.zeros(levels.n_levels + 1, dtype=np.int64)
        bins[levels.codes] = self.space.attributes[j].codes
        return bins[: levels.n_levels]

    @staticmethod
    def _toggled(fine: FineAttribute, own: np.ndarray) -> Iterator[np.ndarray]:
        """Sets with one category more or less, and each category alone."""
        for k in np.argsort(-fine.levels.counts, kind="stable")[:MOST_TOGGLED]:
            other = own.copy()
            other[k] = not other[k]
            if other.any() and not other.all():
                yield other
            alone = np.zeros(len(own), dtype=bool)
            alone[k] = True
            if own.sum() > 2 or not own[k]:
                yield alone


def _range(n_levels: int, first: int, end: int) -> np.ndarray:
    """Levels from one to before another."""
    levels = np.zeros(n_levels, dtype=bool)
    levels[first:end] = True
    return levels
