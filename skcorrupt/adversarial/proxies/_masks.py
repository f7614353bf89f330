"""Masks of all candidates of a template at once, as bits over groups."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..candidates import CandidateSpace, Template
from ._proxy_groups import Groups

CHUNK = 8192


@dataclass
class Points:
    """Candidates of one template: points of its grid, without the rate, and their masks.

    Attributes
    ----------
    template : Template
        The template.
    points : ndarray of int, shape (n, n_attributes + 1)
        A condition of every attribute, then the choice of the label.
    bits : ndarray of uint64, shape (n, n_words)
        Groups that they match, 64 to a word.
    """

    template: Template
    points: np.ndarray
    bits: np.ndarray


class Masks:
    """Bits of every condition, and what they make together.

    Parameters
    ----------
    space : CandidateSpace
        The conditions.
    groups : Groups
        The groups.
    """

    def __init__(self, space: CandidateSpace, groups: Groups) -> None:
        self.space, self.groups = space, groups
        self._code(space)
        self._choose(space)
        self._able = {hit: _packed(mask[None])[0] for hit, mask in groups.able.items()}
        self._all = np.full(self.choices.shape[1], ~np.uint64(0))
        factors = np.random.default_rng(0).integers(
            1, 2**63, self.choices.shape[1], dtype=np.uint64
        )
        self._factors = factors | np.uint64(1)

    def _code(self, space: CandidateSpace) -> None:
        codes = self.groups.attributes
        self.atoms = {
            j: _packed(_ranges(codes[j], attribute.atoms))
            for j, attribute in space.attributes.items()
        }

    def _choose(self, space: CandidateSpace) -> None:
        groups, choices = self.groups, []
        for choice in space.label_choices:
            mask = groups.eligible[choice.target]
            if choice.atom is not None and space.label is not None:
                mask = mask & _ranges(groups.label, space.label.atoms[[choice.atom]])[0]
            choices.append(mask)
        self.choices = _packed(np.stack(choices))
        self.targets = [choice.target for choice in space.label_choices]

    def within(self, space: CandidateSpace) -> Masks:
        """The conditions of another space on the same groups.

        Parameters
        ----------
        space : CandidateSpace
            Has no other columns, no other levels of these and no other targets of flips.

        Returns
        -------
        Masks
            These, where there is no difference.
        """
        recoded = space.attributes is not self.space.attributes
        if not recoded and space.label_choices == self.space.label_choices:
            return self
        other = copy.copy(self)
        other.space = space
        if recoded:
            other._code(space)
        other._choose(space)
        return other

    def _able_to(self, template: Template) -> np.ndarray:
        """Bits of the groups whose cells can change."""
        return self._able.get(template.columns, self._all)

    def size(self, template: Template) -> int:
        """Number of points of a template, without rates."""
        levels = [len(self.atoms[j]) for j in template.attributes]
        return math.prod(levels) * len(self.choices)

    def points(self, template: Template) -> Iterator[Points]:
        """All points of a template, in parts.

        Yields
        ------
        Points
            A few thousand points at a time.
        """
        attributes = sorted(template.attributes)
        start = np.zeros((1, 0), dtype=np.int32)
        yield from self._grown(template, attributes, start, self._able_to(template)[None])

    def around(
        self, template: Template, fixed: dict[int, int], choice: int, new: int
    ) -> Iterator[Points]:
        """Points of a template that differ from one of a smaller template by one attribute.

        Yields
        ------
        Points
            All of them, at once.
        """
        attributes = sorted(template.attributes)
        conditions = self.atoms[new]
        bits = conditions & self.choices[choice] & self._able_to(template)
        for j, atom in fixed.items():
            bits = bits & self.atoms[j][atom]
        points = np.empty((len(conditions), len(attributes) + 1), dtype=np.int32)
        for k, j in enumerate(attributes):
            points[:, k] = np.arange(len(conditions)) if j == new else fixed[j]
        points[:, -1] = choice
        yield Points(template, points, bits)

    def bits_of(self, template: Template, points: np.ndarray) -> np.ndarray:
        """Bits of some points."""
        bits = self.choices[points[:, -1]] & self._able_to(template)
        for k, j in enumerate(sorted(template.attributes)):
            bits = bits & self.atoms[j][points[:, k]]
        return bits

    def unpack(self, bits: np.ndarray) -> np.ndarray:
        """Masks of shape (n, n_groups) from bits."""
        flat = np.ascontiguousarray(bits).view(np.uint8)
        return np.unpackbits(flat, axis=1, count=self.groups.n_groups, bitorder="little")

    def keys(self, bits: np.ndarray) -> np.ndarray:
        """A number for each mask that is the same for equal masks."""
        with np.errstate(over="ignore"):
            mixed = (bits ^ (bits >> np.uint64(31))) * self._factors
            mixed ^= mixed >> np.uint64(29)
            return (mixed * np.flip(self._factors)).sum(axis=1, dtype=np.uint64)

    def _grown(
        self, template: Template, attributes: list[int], points: np.ndarray, bits: np.ndarray
    ) -> Iterator[Points]:
        if not attributes:
            n, m = len(points), len(self.choices)
            joined = (bits[:, None] & self.choices[None]).reshape(n * m, -1)
            labelled = np.column_stack(
                [np.repeat(points, m, axis=0), np.tile(np.arange(m, dtype=np.int32), n)]
            )
            yield Points(template, labelled, joined)
            return
        atoms = self.atoms[attributes[0]]
        at_once = max(1, CHUNK // (len(atoms) * len(self.choices)))
        for a in range(0, len(points), at_once):
            some, part = points[a : a + at_once], bits[a : a + at_once]
            joined = (part[:, None] & atoms[None]).reshape(len(some) * len(atoms), -1)
            grown = np.column_stack(
                [
                    np.repeat(some, len(atoms), axis=0),
                    np.tile(np.arange(len(atoms), dtype=np.int32), len(some)),
                ]
            )
            alive = joined.any(axis=1)
            yield from self._grown(template, attributes[1:], grown[alive], joined[alive])


def _ranges(codes: np.ndarray, atoms: np.ndarray) -> np.ndarray:
    return (codes >= atoms[:, :1]) & (codes <= atoms[:, 1:])


def _packed(masks: np.ndarray) -> np.ndarray:
    n_words = -(-masks.shape[1] // 64)
    padded = np.zeros((len(masks), n_words * 64), dtype=bool)
    padded[:, : masks.shape[1]] = masks
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
