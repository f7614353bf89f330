"""The candidates of one kind of error: templates, the grid of each, and which are feasible."""

from __future__ import annotations

import copy
import functools
import hashlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from skcorrupt.attributes._attribute import Attribute
from skcorrupt.attributes._search_space import Use
from skcorrupt.base import BaseCorruption, FeatureCorruption, strike_count
from skcorrupt.patterns import Condition, Pattern, as_pattern
from skcorrupt.utils import Table, Target, as_table, column_key, resolve_columns

from ..optimizers import Grid, Point
from ._candidate import Candidate, LabelChoice, Shape, Sketch, Template
from ._change import Change

RATE_STEPS = (0.25, 0.5, 0.75, 1.0)
NO_ROW = "matches no row in some split"
NOTHING_CHANGES = "no cell it matches in some split can change"


@dataclass
class CandidateSpace:
    """Everything that candidates of one kind of error are made of.

    Attributes
    ----------
    template : BaseCorruption
        The corruption whose unset parameters are searched.
    table, target : Table, Target
        The data searched on.
    y : array-like of shape (n_samples,)
        The labels as they were given, for rules of the user's.
    attributes : dict of int to Attribute
        Attributes by column position.
    label : Attribute or None
        Conditions on the label.
    label_choices : list of LabelChoice
        One dimension of every grid.
    trains : list of ndarray of int
        Training rows of every split.
    budget : float
        Largest fraction of rows struck in a split.
    allowed : dict of tuple of int to list of int
        Attributes that a pattern may use, by columns hit.
    required : dict of tuple of int to frozenset of int
        Attributes that it must use, by columns hit.
    max_conditions : int
        Most conditions on features.
    label_use : {"required", "allowed", "forbidden"}
        Whether a pattern has a condition on the label.
    """

    template: BaseCorruption
    table: Table
    target: Target
    y: Any
    attributes: dict[int, Attribute]
    label: Attribute | None
    label_choices: list[LabelChoice]
    trains: list[np.ndarray]
    budget: float
    search_rate: bool
    min_support: float
    exclusions: list[Callable[[Pattern, frozenset[Any], Any, Any], bool]]
    allowed: dict[tuple[int, ...], list[int]]
    required: dict[tuple[int, ...], frozenset[int]]
    max_conditions: int
    label_use: Use

    def __post_init__(self) -> None:
        self.base_pattern = as_pattern(self.template.pattern)
        fixed = {str(name) for name in self.base_pattern.columns}
        labels = enumerate(self.table.labels)
        self.base_columns = frozenset(j for j, label in labels if str(label) in fixed)
        self.base_mask: np.ndarray | None = None
        if self.base_pattern != Pattern():
            y = self.target.for_patterns if self.base_pattern.uses_y else None
            self.base_mask = self.base_pattern.mask(self.table.source, y)
        self._eligible: dict[Any, np.ndarray | None] = {}
        self._able_in: dict[tuple[int, ...], list[np.ndarray | None]] = {}
        whole = len(self.trains) == 1 and len(self.trains[0]) == self.table.n_rows
        # what other rows supply depends on which of them are there
        self.by_part = self.template._reads != "row" and not whole

    def within(self, budget: float) -> Self:
        """The candidates of another budget."""
        return replace(self, budget=budget)

    def first_templates(self) -> list[Template]:
        """The shortest templates: what is required, else one attribute each or the label alone."""
        if self.max_conditions == 0:
            return [Template(columns, frozenset()) for columns in self.allowed]
        templates = list(self.templates_of_depth(0)) if self._has_bare else []
        for columns, attributes in self.allowed.items():
            if self.required[columns] or not attributes:
                templates.append(Template(columns, self.required[columns]))
            else:
                templates += [Template(columns, frozenset({j})) for j in attributes]
        return list(dict.fromkeys(templates))

    def longer_templates(self, template: Template) -> Iterator[Template]:
        """Templates of one more attribute, if patterns may be as long."""
        if template.depth >= self.max_conditions:
            return
        for j in self.allowed[template.columns]:
            if j not in template.attributes:
                yield Template(template.columns, template.attributes | {j})

    def templates_of_depth(self, depth: int) -> Iterator[Template]:
        """Templates with so many attributes, none only beside others or where nothing is left."""
        for columns, attributes in self.allowed.items():
            need = self.required[columns]
            others = [j for j in attributes if j not in need]
            if depth < self._least_depth(columns):
                continue
            for more in itertools.combinations(others, depth - len(need)):
                yield Template(columns, need | frozenset(more))

    @property
    def n_templates(self) -> int:
        """How many templates of all depths there are."""
        total = 0
        for columns, attributes in self.allowed.items():
            need = len(self.required[columns])
            for depth in range(self._least_depth(columns), self.max_conditions + 1):
                total += math.comb(len(attributes) - need, depth - need)
        return total

    def _least_depth(self, columns: tuple[int, ...]) -> int:
        """Fewest attributes of a template that hits these columns."""
        need = len(self.required[columns])
        bare = self.max_conditions == 0 or self._has_bare
        return need if need or bare or not self.allowed[columns] else 1

    @property
    def _has_bare(self) -> bool:
        """Whether patterns may have no condition on features."""
        return self.uses_label or self.is_limited or self._takes_every_row

    @property
    def _takes_every_row(self) -> bool:
        """Whether every row may be struck, which takes a pattern without a condition."""
        return self.budget >= 1 and self.label_use != "required"

    @property
    def uses_label(self) -> bool:
        """Whether patterns may have a condition on the label."""
        return any(choice.atom is not None for choice in self.label_choices)

    @property
    def is_limited(self) -> bool:
        """Whether the template has a pattern, which is one by itself."""
        return self.base_mask is not None

    @property
    def depths(self) -> range:
        """Numbers of conditions on features that there can be."""
        least = min((len(need) for need in self.required.values()), default=0)
        most = max((len(columns) for columns in self.allowed.values()), default=0)
        most = min(max(most, least), self.max_conditions)
        return range(min(least, most), most + 1)

    def unwanted(self, candidate: Candidate) -> str:
        """Why a candidate from elsewhere is none that this space has, or ""."""
        labels = self.table.labels
        hit = tuple(labels.index(label) for label in candidate.columns)
        if hit not in self.allowed:
            return "it does not hit the columns that may be hit here"
        named = {str(name) for name in candidate.pattern.columns}
        used = {j for j, label in enumerate(labels) if str(label) in named} - self.base_columns
        if not self.required[hit] <= used:
            return "own_column='required' asks for a condition on the columns hit"
        if not used <= set(self.allowed[hit]):
            return "it has conditions on columns that patterns may not use here"
        if len(used) > self.max_conditions:
            return f"it has more than max_conditions={self.max_conditions}"
        if self.label_use == "required" and not candidate.pattern.uses_y:
            return "label='required' asks for a condition on the label"
        if self.label_use == "forbidden" and candidate.pattern.uses_y:
            return "label='forbidden' rules out a condition on the label"
        return ""

    def grid(self, template: Template) -> Grid:
        """The grid of a template: a dimension an attribute, then the label, then the rate."""
        dimensions = [
            attribute.atoms / max(int(attribute.atoms.max()), 1)
            for attribute in self._ordered(template)
        ]
        dimensions.append(np.eye(len(self.label_choices)))
        dimensions.append(np.array(self.rate_steps)[:, None])
        return Grid(dimensions)

    @property
    def rate_steps(self) -> tuple[float, ...]:
        """Shares of the largest possible rate that are tried."""
        return RATE_STEPS if self.search_rate and self.template.rate is None else (1.0,)

    def _ordered(self, template: Template) -> list[Attribute]:
        return [self.attributes[j] for j in sorted(template.attributes)]

    def candidate(self, template: Template, point: Point) -> Candidate:
        """The candidate at a point of a template's grid."""
        attributes = self._ordered(template)
        conditions = {
            attribute.column: (attribute.conditions[atom], attribute.mask(atom))
            for attribute, atom in zip(attributes, point, strict=False)
        }
        return self.made_of(
            template.columns,
            conditions,
            self.label_choices[point[-2]],
            self.rate_steps[point[-1]],
        )

    def made_of(
        self,
        columns: tuple[int, ...],
        conditions: Mapping[int, tuple[Condition, np.ndarray]],
        choice: LabelChoice,
        step: float,
    ) -> Candidate:
        """The candidate with any conditions, on the grid or not.

        Parameters
        ----------
        columns : tuple of int
            Positions of the columns hit.
        conditions : dict of int to (Condition, ndarray of bool)
            By position of the column: its condition, and the rows that it matches.
        choice : LabelChoice
            The condition on the label, and where a flip goes.
        step : float
            Share of the largest possible rate.

        Returns
        -------
        Candidate
            Refused where it cannot be evaluated.
        """
        template = Template(columns, frozenset(conditions))
        named: dict[str, Any] = {
            self.attributes[j].key: conditions[j][0] for j in sorted(conditions)
        }
        if choice.atom is not None and self.label is not None:
            named["y"] = self.label.conditions[choice.atom]
        matched = self._matched([mask for _, mask in conditions.values()], choice)
        mask = _and(matched, self._can_change(choice.target, columns))
        refused = self._lacks_condition(columns, len(conditions), choice)
        try:
            pattern = self.base_pattern & Pattern(named)
        except ValueError as error:
            labels = tuple(self.table.labels[j] for j in columns)
            return Candidate(
                None,
                self.base_pattern,
                labels,
                choice.target,
                0.0,
                template.depth,
                b"",
                str(error),
            )
        made = self._made(template, pattern, mask, choice.target, step)
        return replace(made, refused=refused) if refused else made

    def sketched(
        self, shapes: Sequence[Shape], conditions: Sequence[list[np.ndarray]]
    ) -> list[Sketch]:
        """What `made_of` would strike, in a fraction of its time, but for what rules exclude.

        Parameters
        ----------
        shapes : sequence of Shape
            What candidates are made of.
        conditions : sequence of list of ndarray of uint8
            The rows that each of their conditions on features matches, as `numpy.packbits` has
            them.

        Returns
        -------
        list of Sketch
            Refused where the candidate could not be evaluated.
        """
        bits = np.empty((len(shapes), -(-self.table.n_rows // 8)), dtype=np.uint8)
        for row, shape, own in zip(bits, shapes, conditions, strict=True):
            row[:] = self._bits_of(shape.columns, shape.choice)
            for each in own:
                np.bitwise_and(row, each, out=row)
        counts = self._matched_in_parts(bits, [shape.columns for shape in shapes]).tolist()
        totals = _n_bits(bits).tolist()
        return [self._sketch(*each) for each in zip(shapes, bits, counts, totals, strict=True)]

    def _sketch(self, shape: Shape, bits: np.ndarray, matched: list[int], n_rows: int) -> Sketch:
        columns, target = shape.columns, shape.choice.target
        rate, _, refused = self._rate(matched, shape.step)
        refused = refused or self._lacks_support(n_rows)
        refused = refused or self._lacks_condition(columns, len(shape.chosen), shape.choice)
        labels = tuple(self.table.labels[j] for j in columns)
        return Sketch(bits, labels, target, rate, _key_of(bits, columns, target, rate), refused)

    def _bits_of(self, columns: tuple[int, ...], choice: LabelChoice) -> np.ndarray:
        """Rows that can change and that the template's pattern and a choice match, in bits."""
        key = columns, choice
        if key not in self._known_bits:
            mask = _and(self._matched([], choice), self._can_change(choice.target, columns))
            whole = np.ones(self.table.n_rows, dtype=bool) if mask is None else mask
            self._known_bits[key] = np.packbits(whole)
        return self._known_bits[key]

    @functools.cached_property
    def _known_bits(self) -> dict[tuple[tuple[int, ...], LabelChoice], np.ndarray]:
        return {}

    def _matched(self, masks: list[np.ndarray], choice: LabelChoice) -> np.ndarray | None:
        """Rows that the template's pattern and some conditions match; None for all."""
        label = self.label if choice.atom is not None else None
        own = [] if label is None or choice.atom is None else [label.mask(choice.atom)]
        return functools.reduce(_and, [*masks, *own], self.base_mask)

    def _lacks_condition(self, columns: tuple[int, ...], n: int, choice: LabelChoice) -> str:
        """Why a pattern of so many conditions on features has to have more, or ""."""
        named = n > 0 or (choice.atom is not None and self.label is not None)
        could = self.max_conditions > 0 and bool(self.allowed.get(columns))
        enough = named or self.is_limited or self._takes_every_row or not could
        return "" if enough else "has no condition"

    def transfer(self, pattern: Pattern, columns: tuple[Any, ...], target: Any) -> Candidate:
        """A candidate of another search, at the rate that is possible here."""
        if target is not None and target not in self.target.values:
            raise ValueError(f"it flips labels to {target!r}, which is no class here")
        pattern = as_pattern(pattern).labelled(self.table)
        hits = tuple(resolve_columns(self.table, list(columns))) if columns else ()
        named = {str(name) for name in pattern.columns}
        used = [j for j, label in enumerate(self.table.labels) if str(label) in named]
        template = Template(hits, frozenset(used) - self.base_columns)
        y = self.target.for_patterns if pattern.uses_y else None
        mask = _and(pattern.mask(self.table.source, y), self.eligible(target, hits))
        return self._made(template, pattern, mask, target, 1.0)

    def _made(
        self,
        template: Template,
        pattern: Pattern,
        mask: np.ndarray | None,
        target: Any,
        step: float,
    ) -> Candidate:
        if mask is None:
            mask = np.ones(self.table.n_rows, dtype=bool)
        columns = tuple(self.table.labels[j] for j in template.columns)
        bits = np.packbits(mask)
        (matched,) = self._matched_in_parts(bits[None], [template.columns]).tolist()
        rate, row_fraction, refused = self._rate(matched, step)
        able = self._can_change(target, template.columns)
        if refused == NO_ROW and (able is not None or self.by_part):
            refused = NOTHING_CHANGES
        refused = refused or self._lacks_support(int(np.count_nonzero(mask)))
        refused = refused or self._excluded(pattern, template)
        return Candidate(
            self._corruption(pattern, columns, target, rate),
            pattern,
            columns,
            target,
            rate,
            template.depth,
            _key_of(bits, template.columns, target, rate),
            refused,
            row_fraction=row_fraction,
        )

    def _rate(self, matched: list[int], step: float) -> tuple[float, float, str]:
        """Rate, largest share of the rows of a split that it strikes, and why it is refused.

        That is by how many rows of every training part match and can change.
        """
        sizes = [len(train) for train in self.trains]
        rates = []
        for n_matched, n in zip(matched, sizes, strict=True):
            rate, refused = self.rate_in(n_matched, n, step)
            if refused:
                # what is over budget strikes too many rows, all else none
                return rate, np.inf if rate else 0.0, refused
            rates.append(rate)
        rate = min(rates)
        if any(strike_count(rate, n_matched) < 1 for n_matched in matched):
            return rate, 0.0, "strikes less than one row in some split"
        struck = (self.n_struck(rate, m) / n for m, n in zip(matched, sizes, strict=True))
        return rate, max(struck), ""

    def _matched_in_parts(self, bits: np.ndarray, columns: Sequence[tuple[int, ...]]) -> np.ndarray:
        """Rows of every training part that match and can change, each as often as it is there.

        Parameters
        ----------
        bits : ndarray of uint8, shape (n, ceil(n_samples / 8))
            Rows that match and that can change, where that does not depend on those beside them.
        columns : sequence of tuple of int
            Positions of the columns hit by each.

        Returns
        -------
        ndarray of int, shape (n, n_splits)
            How many.
        """
        if self.by_part:
            return np.array(
                [self._matched_beside(*each) for each in zip(bits, columns, strict=True)]
            )
        counts = [
            sum(2**k * _n_bits(bits & digit) for k, digit in enumerate(digits))
            for digits in self._times
        ]
        return np.stack(counts, axis=1)

    def _matched_beside(self, bits: np.ndarray, columns: tuple[int, ...]) -> list[int]:
        mask = np.unpackbits(bits, count=self.table.n_rows).view(bool)
        found = []
        for train, able in zip(self.trains, self._able_in_parts(columns), strict=True):
            own = mask[train]
            found.append(int(np.count_nonzero(own if able is None else own & able)))
        return found

    @functools.cached_property
    def _times(self) -> list[list[np.ndarray]]:
        """How often every row is in each training part, by binary digits, the rows in bits."""
        counts = [np.bincount(train, minlength=self.table.n_rows) for train in self.trains]
        return [
            [np.packbits(n >> k & 1) for k in range(int(n.max(initial=1)).bit_length())]
            for n in counts
        ]

    def rate_in(self, matched: int, n_rows: int, step: float = 1.0) -> tuple[float, str]:
        """The rate within the budget in a table, by the rows that a pattern matches.

        Parameters
        ----------
        matched : int
            Rows that match and can change.
        n_rows : int
            All rows of the table.
        step : float, default=1.0
            Share of the largest possible rate.

        Returns
        -------
        rate : float
            The template's own where it has one.
        refused : str
            Why there is none, or "".
        """
        allowed = math.floor(self.budget * n_rows + 1e-9)
        if matched == 0:
            return 0.0, NO_ROW
        if allowed == 0:
            return 0.0, "budget is less than one row"
        if self.template.rate is None:
            return self._largest_rate(matched, allowed) * step, ""
        rate = float(self.template.rate)
        over = self.n_struck(rate, matched) > allowed
        return rate, "over budget at the template's rate" if over else ""

    def n_struck(self, rate: float, matched: int) -> int:
        """Rows that are struck at most of those that a pattern matches."""
        return min(matched, strike_count(rate, matched) * self._n_strikes)

    @property
    def _n_strikes(self) -> int:
        """How often rows are drawn: once, or for every column with `same_rows=False`."""
        apart = not getattr(self.template, "same_rows", True)
        columns = getattr(self.template, "columns", None)
        return len(resolve_columns(self.table, columns)) if apart and columns is not None else 1

    def _largest_rate(self, matched: int, allowed: int) -> float:
        if matched <= allowed:
            return 1.0
        # rows drawn for each column on its own may all be different ones
        return (allowed // self._n_strikes) / matched

    def _lacks_support(self, n_rows: int) -> str:
        """Why so few rows of all are too few, or ""."""
        few = n_rows / max(self.table.n_rows, 1) < self.min_support
        return "matches less than min_support" if few else ""

    def _excluded(self, pattern: Pattern, template: Template) -> str:
        """Whether a rule of the user's is against a pattern."""
        used = template.attributes | set(template.columns) | self.base_columns
        X, y = self.table.source, self.y
        if any(excluded(pattern, used, X, y) for excluded in self.exclusions):
            return "excluded"
        return ""

    def eligible(self, target: Any, columns: tuple[int, ...] = ()) -> np.ndarray:
        """Rows that the template's own pattern matches and that can change, as a mask."""
        mask = _and(self.base_mask, self._can_change(target, columns))
        return np.ones(self.table.n_rows, dtype=bool) if mask is None else mask

    def changeable(self, target: Any, columns: tuple[int, ...] = ()) -> np.ndarray:
        """Rows whose labels, or cells in some columns, the corruption can change, as a mask."""
        mask = self._can_change(target, columns)
        return np.ones(self.table.n_rows, dtype=bool) if mask is None else mask

    def changeable_in(
        self, part: np.ndarray, target: Any, columns: tuple[int, ...] = ()
    ) -> np.ndarray:
        """The same of some rows where there are no others, a value for each of them."""
        if not self.by_part:
            return self.changeable(target, columns)[part]
        able = self._able_of(part, columns)
        return np.ones(len(part), dtype=bool) if able is None else able

    def _able_of(self, part: np.ndarray, columns: tuple[int, ...]) -> np.ndarray | None:
        alone = as_table(self.table.take(part))
        return self.template._able(alone, list(columns), None)

    def _able_in_parts(self, columns: tuple[int, ...]) -> list[np.ndarray | None]:
        """For every split the rows that can change, where that depends on the rows beside them."""
        if not self.by_part or not columns:
            return [None] * len(self.trains)
        if columns not in self._able_in:
            self._able_in[columns] = [self._able_of(train, columns) for train in self.trains]
        return self._able_in[columns]

    def anywhere(self, columns: tuple[Any, ...]) -> Pattern:
        """The template's own pattern, on rows that hold something in the columns hit.

        Erasing what is missing already would make the random errors fewer than the winner's.
        """
        present = {
            column_key(column): (None, None)
            for column in columns
            if self.table.missing(self.table.labels.index(column)).any()
        }
        return self.base_pattern & Pattern(present)

    def _can_change(self, target: Any, columns: tuple[int, ...] = ()) -> np.ndarray | None:
        """Rows whose labels, or cells in some columns, can change; None for all."""
        asked = columns if self.template.strikes == "cells" else target
        if asked not in self._eligible:
            change = self.change(target, columns)
            known = None if change is None else change.rows(self.table, self.target)
            self._eligible[asked] = known
        return self._eligible[asked]

    def change(self, target: Any, columns: tuple[int, ...] = ()) -> Change | None:
        """What tells rows that can change from others, in this table or in parts of a larger one.

        Parameters
        ----------
        target : object
            The class that labels flip to, None where the corruption decides.
        columns : tuple of int, default=()
            Positions of the columns hit.

        Returns
        -------
        Change or None
            None where all rows can, or where that depends on the rows beside them.
        """
        if isinstance(self.template, FeatureCorruption):
            return None if self.by_part or not columns else Change(self.template, columns)
        if self.template.strikes != "labels":
            return None
        corruption = self._corruption(Pattern(), (), target, 1.0)
        return Change(corruption, (), corruption._learn(self.table, self.target))

    def _corruption(
        self, pattern: Pattern, columns: tuple[Any, ...], target: Any, rate: float
    ) -> BaseCorruption:
        if isinstance(self.template, FeatureCorruption) and columns:
            corruption: BaseCorruption = self.template._striking(list(columns))
        else:
            corruption = copy.copy(self.template)
        corruption.pattern, corruption.rate = pattern, rate
        if target is not None:
            classes = np.unique(self.target.values).tolist()
            return corruption._aimed_at(target, classes)
        return corruption


def _n_bits(bits: np.ndarray) -> np.ndarray:
    """How many bits of each row are set."""
    counts: np.ndarray = np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
    return counts


def _key_of(bits: np.ndarray, columns: tuple[int, ...], target: Any, rate: float) -> bytes:
    """The same for what strikes the same rows in the same way."""
    digest = hashlib.blake2b(bits.tobytes(), digest_size=16)
    digest.update(repr((columns, target, rate)).encode())
    return digest.digest()


def _and(mask: np.ndarray | None, other: np.ndarray | None) -> np.ndarray | None:
    if mask is None or other is None:
        return other if mask is None else mask
    return mask & other
