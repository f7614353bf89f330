"""Templates, the grid of candidates of each, and which candidates are feasible."""

from __future__ import annotations

import hashlib
import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from skcorrupt.base import BaseCorruption, strike_count
from skcorrupt.corruptions import CorruptMissing
from skcorrupt.patterns import Pattern, as_pattern
from skcorrupt.utils import Table, Target, column_key, resolve_columns, shorten, user_function

from ..optimizers._grid import Grid
from ..optimizers._grid_optimizer import Point
from ._attribute import Attribute

RATE_STEPS = (0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Template:
    """What the upper level chooses: the columns hit and the attributes a pattern uses."""

    columns: tuple[int, ...]
    attributes: frozenset[int]

    @property
    def depth(self) -> int:
        """Number of feature conditions."""
        return len(self.attributes)


@dataclass(frozen=True)
class LabelChoice:
    """One condition on the label, and the class a flip goes to."""

    atom: int | None
    target: Any = None


@dataclass(frozen=True, eq=False)
class Candidate:
    """One concrete corruption, with what is known of it before any fit.

    Attributes
    ----------
    corruption : BaseCorruption
        Ready to be seeded and applied.
    pattern : Pattern
        Where it strikes.
    columns : tuple
        Labels of the columns hit.
    target : object
        The class that labels flip to, None where the corruption decides.
    depth : int
        Number of feature conditions.
    key : bytes
        The same for candidates that strike the same rows in the same way.
    refused : str
        Why it cannot be evaluated, or "".
    """

    corruption: BaseCorruption | None
    pattern: Pattern
    columns: tuple[Any, ...]
    target: Any
    rate: float
    depth: int
    key: bytes
    refused: str = ""


@dataclass
class SearchSpace:
    """Everything that candidates are made of.

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

    def __post_init__(self) -> None:
        self.base_pattern = as_pattern(self.template.pattern)
        fixed = {str(name) for name in self.base_pattern.columns}
        labels = enumerate(self.table.labels)
        self.base_columns = frozenset(j for j, label in labels if str(label) in fixed)
        self.base_mask: np.ndarray | None = None
        if self.base_pattern != Pattern():
            y = self.target.values if self.base_pattern.uses_y else None
            self.base_mask = self.base_pattern.mask(self.table.source, y)
        self._eligible: dict[Any, np.ndarray | None] = {}

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
        choice = self.label_choices[point[-2]]
        conditions: dict[str, Any] = {}
        mask = self.base_mask
        for attribute, atom in zip(attributes, point, strict=False):
            conditions[attribute.key] = attribute.conditions[atom]
            mask = _and(mask, attribute.mask(atom))
        if choice.atom is not None and self.label is not None:
            conditions["y"] = self.label.conditions[choice.atom]
            mask = _and(mask, self.label.mask(choice.atom))
        mask = _and(mask, self._can_change(choice.target))
        try:
            pattern = self.base_pattern & Pattern(conditions)
        except ValueError as error:
            columns = tuple(self.table.labels[j] for j in template.columns)
            return Candidate(
                None,
                self.base_pattern,
                columns,
                choice.target,
                0.0,
                template.depth,
                b"",
                str(error),
            )
        return self._made(template, pattern, mask, choice.target, self.rate_steps[point[-1]])

    def transfer(self, pattern: Pattern, columns: tuple[Any, ...], target: Any) -> Candidate:
        """A candidate of another search, at the rate that is possible here."""
        if target is not None and target not in self.target.values:
            raise ValueError(f"it flips labels to {target!r}, which is no class here")
        pattern = as_pattern(pattern).labelled(self.table)
        hits = tuple(resolve_columns(self.table, list(columns))) if columns else ()
        named = {str(name) for name in pattern.columns}
        used = [j for j, label in enumerate(self.table.labels) if str(label) in named]
        template = Template(hits, frozenset(used) - self.base_columns)
        y = self.target.values if pattern.uses_y else None
        mask = _and(pattern.mask(self.table.source, y), self.eligible(target))
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
        rate, refused = self._rate(mask, step)
        refused = refused or self._inert(template, mask)
        refused = refused or self._implausible(pattern, template, mask)
        digest = hashlib.blake2b(np.packbits(mask).tobytes(), digest_size=16)
        digest.update(repr((template.columns, target, rate)).encode())
        return Candidate(
            self._corruption(pattern, columns, target, rate),
            pattern,
            columns,
            target,
            rate,
            template.depth,
            digest.digest(),
            refused,
        )

    def _rate(self, mask: np.ndarray, step: float) -> tuple[float, str]:
        rates, struck = [], []
        for train in self.trains:
            matched, n = int(mask[train].sum()), len(train)
            allowed = math.floor(self.budget * n + 1e-9)
            if matched == 0:
                return 0.0, "matches no row in some split"
            if allowed == 0:
                return 0.0, "budget is less than one row"
            if self.template.rate is not None:
                each = strike_count(self.template.rate, matched)
                if min(matched, each * self._n_strikes) > allowed:
                    return self.template.rate, "over budget at the template's rate"
                rates.append(float(self.template.rate))
            else:
                rates.append(self._largest_rate(matched, allowed) * step)
            struck.append((matched, n))
        rate = min(rates)
        if any(strike_count(rate, matched) < 1 for matched, _ in struck):
            return rate, "strikes less than one row in some split"
        return rate, ""

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

    def _inert(self, template: Template, mask: np.ndarray) -> str:
        """Why the error would change nothing in some split, or ""."""
        if not isinstance(self.template, CorruptMissing):
            return ""
        absent = np.logical_and.reduce([self.table.missing(j) for j in template.columns])
        if any(absent[train][mask[train]].all() for train in self.trains):
            return "every cell it matches in some split is missing already"
        return ""

    def _implausible(self, pattern: Pattern, template: Template, mask: np.ndarray) -> str:
        if mask.mean() < self.min_support:
            return "matches less than min_support"
        used = template.attributes | set(template.columns) | self.base_columns
        X, y = self.table.source, self.y
        if any(excluded(pattern, used, X, y) for excluded in self.exclusions):
            return "excluded"
        return ""

    def eligible(self, target: Any) -> np.ndarray:
        """Rows that the template's own pattern matches and whose labels can change, as a mask."""
        mask = _and(self.base_mask, self._can_change(target))
        return np.ones(self.table.n_rows, dtype=bool) if mask is None else mask

    def changeable(self, target: Any) -> np.ndarray:
        """Rows whose labels the corruption can change, as a mask."""
        mask = self._can_change(target)
        return np.ones(self.table.n_rows, dtype=bool) if mask is None else mask

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

    def _can_change(self, target: Any) -> np.ndarray | None:
        """Rows whose labels the corruption can change; None for all."""
        if not hasattr(self.template, "transition"):
            return None
        if target not in self._eligible:
            corruption = self._corruption(Pattern(), (), target, 1.0)
            reference = corruption._learn(self.table, self.target)
            self._eligible[target] = corruption._eligible(None, self.target, reference)
        return self._eligible[target]

    def _corruption(
        self, pattern: Pattern, columns: tuple[Any, ...], target: Any, rate: float
    ) -> BaseCorruption:
        corruption = clone(self.template).set_params(pattern=pattern, rate=rate)
        if columns:
            corruption.set_params(columns=list(columns))
        if target is not None:
            classes = np.unique(self.target.values).tolist()
            corruption.set_params(transition={c: target for c in classes if c != target})
        return corruption


def _and(mask: np.ndarray | None, other: np.ndarray | None) -> np.ndarray | None:
    if mask is None or other is None:
        return other if mask is None else mask
    return mask & other


def _lies_within(pattern: Pattern, wider: Pattern) -> bool:
    """Whether the conditions of a pattern, attribute by attribute, imply those of another."""
    for key, condition in wider.conditions.items():
        own = pattern.conditions.get(key)
        try:
            if own is None or own & condition != own:
                return False
        except ValueError:
            # the two have no value in common
            return False
    return True


def _said(answer: Any) -> bool:
    """The answer of a rule of the user's."""
    if not isinstance(answer, (bool, np.bool_)):
        raise ValueError(
            f"exclude: the function returned {shorten(answer)}; it should return True where a "
            "candidate is excluded and False where it is kept."
        )
    return bool(answer)


def exclusion(
    rule: Any, table: Table, target: Target
) -> Callable[[Pattern, frozenset[Any], Any, Any], bool]:
    """A rule of `exclude` as a function of pattern, columns used, X and y.

    Parameters
    ----------
    rule : Pattern, str, dict, (label, label) or callable
        A pattern excludes candidates that lie within it; a pair of columns
        excludes candidates that use both; a callable is asked.
    table : Table
        The data, for the positions of columns.
    target : Target
        The labels.

    Returns
    -------
    callable
        True where a candidate is excluded.

    Raises
    ------
    ValueError
        If the rule is none of these.

    Warns
    -----
    UserWarning
        If a pattern matches no row.
    """
    if isinstance(rule, str) and rule in map(str, table.labels):
        raise ValueError(
            f"exclude: {rule!r} is a column; a pair of columns that must not be used together is a "
            "tuple of its own, as in exclude=[('a', 'b')]."
        )
    if isinstance(rule, (Pattern, str, dict)):
        unwanted = as_pattern(rule).labelled(table)
        # a column or label that is not there raises, a value that is not there matches nothing
        if not unwanted.mask(table.source, target.values if unwanted.uses_y else None).any():
            warnings.warn(
                f"exclude: {str(unwanted)!r} matches none of the {table.n_rows} rows searched, so "
                "it excludes nothing; check its values, or leave it out.",
                UserWarning,
                stacklevel=6,
            )
        return lambda pattern, used, X, y: _lies_within(pattern, unwanted)
    if callable(rule):
        ask = user_function("exclude", rule, ("pattern", "X", "y"))
        return lambda pattern, used, X, y: _said(ask(pattern, X, y))
    if isinstance(rule, Iterable):
        pair = frozenset(resolve_columns(table, list(rule), parameter="exclude"))
        if len(pair) == 2:
            return lambda pattern, used, X, y: pair <= used
    raise ValueError(
        f"exclude: {rule!r} should be a pattern, a pair of columns or a callable on "
        "(pattern, X, y)."
    )
