"""Rules that hold in every row of the data, so that actions should keep them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from ..rules._action_element import ActionElement
from ..rules._constraint import Constraint
from ..rules._directional_linkage import DirectionalLinkage
from ..rules._linear_constraint import LinearConstraint
from ..rules._one_hot import OneHot
from ..rules._thermometer import Thermometer

# the chance that columns that have nothing to do with one another look like this
CHANCE = np.log(1e-6)
FEWEST_ROWS = 10
MOST_ROWS = 2_000
MOST_NUMBERS = 60
MOST_TRIED = 100
# how near numbers are to a line, as a share of their spread, and how steep it is
EXACT = 1e-9
SMALLEST = 1e-6
# a line through two points says nothing
FEWEST_VALUES = 3
_BREAK = re.compile(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])")


def found_rules(
    elements: Mapping[str, ActionElement], known: Sequence[Any], codes: np.ndarray
) -> list[Constraint]:
    """Rules on columns that people act on which hold in every row and which nothing asks for.

    Parameters
    ----------
    elements : mapping of str to ActionElement
        The columns.
    known : sequence of Constraint or Effect
        What is asked for already; columns that it ties together are left alone.
    codes : ndarray of shape (n_rows, n_columns)
        The data, as `ActionSet.codes` gives them.

    Returns
    -------
    list of Constraint
        The rules, those on columns of 0 and 1 first.
    """
    # a rule on values that are missing says nothing of them
    whole = np.isfinite(codes).all(axis=0)
    values = {
        name: column
        for name, column, known_all in zip(elements, codes.T, whole, strict=True)
        if known_all
    }
    elements = {name: elements[name] for name in values}
    acted = [name for name, element in elements.items() if element.actionable]
    if len(codes) < FEWEST_ROWS or not acted:
        return []
    tied = [{*_columns_of(each)} for each in known]
    found: list[Constraint] = []
    for rule in (*_of_flags(elements, acted, values), *_of_numbers(elements, acted, values)):
        if not any(len(tied_ones & set(rule.columns)) > 1 for tied_ones in tied):
            found.append(rule)
    return found


def _columns_of(rule: Any) -> tuple[str, ...]:
    return rule.columns if isinstance(rule, Constraint) else (*rule.sources, *rule.targets)


def _of_flags(
    elements: Mapping[str, ActionElement], acted: list[str], values: Mapping[str, np.ndarray]
) -> Iterator[Constraint]:
    """Columns of 0 and 1 of which one is 1, one at most, or all up to some threshold."""
    flags = {
        name: values[name] == 1
        for name, element in elements.items()
        if element.kind == "bool" and 0 < values[name].mean() < 1
    }
    used: set[str] = set()
    for name in acted:
        if name not in flags or name in used:
            continue
        free = [other for other in flags if other not in used and other != name]
        family = [other for other in free if _stem(other) == _stem(name)]
        columns = _cover(name, family, flags) or _cover(name, free, flags)
        rule: Constraint | None = OneHot(_ordered(columns, flags)) if columns else None
        if rule is None:
            rule = _chain(name, family, flags, elements) or _one_at_most(name, family, flags)
        if rule is not None:
            used |= set(rule.columns)
            yield rule


def _stem(name: str) -> str:
    """What names of columns made from one column begin with."""
    return next(filter(None, _BREAK.split(name)), name).lower()


def _ordered(columns: Sequence[str], flags: Mapping[str, Any]) -> list[str]:
    return [name for name in flags if name in columns]


def _cover(
    name: str, others: Sequence[str], flags: Mapping[str, np.ndarray]
) -> tuple[str, ...] | None:
    """A column and others of which exactly one is 1 in every row."""
    # some rows are enough to look, and what is found has to hold in all
    step = max(1, len(flags[name]) // MOST_ROWS)
    seen = {each: flags[each][::step] for each in (name, *others)}
    apart = [other for other in others if not (seen[other] & seen[name]).any()]
    waiting: list[tuple[tuple[str, ...], np.ndarray]] = [((name,), seen[name])]
    for _ in range(MOST_TRIED):
        if not waiting:
            break
        columns, covered = waiting.pop()
        if covered.all():
            if not (np.sum([flags[each] for each in columns], axis=0) == 1).all():
                continue
            shares = np.array([flags[each].mean() for each in columns])
            chance = np.prod(1 - shares) * (shares / (1 - shares)).sum()
            return columns if _surprising(float(chance), flags[name]) else None
        row = int(covered.argmin())
        more = [each for each in apart if seen[each][row] and not (seen[each] & covered).any()]
        waiting += [((*columns, each), covered | seen[each]) for each in reversed(more)]
    return None


def _surprising(chance: float, rows: np.ndarray) -> bool:
    """Whether something of this chance in a row hardly holds in all by accident."""
    return bool(chance <= 0 or len(rows) * np.log(min(chance, 1.0)) < CHANCE)


def _chain(
    name: str,
    family: Sequence[str],
    flags: Mapping[str, np.ndarray],
    elements: Mapping[str, ActionElement],
) -> Thermometer | None:
    """Columns of one family each of which is 1 only where the one before is."""
    chain: list[str] = []
    for each in sorted([name, *family], key=lambda each: -flags[each].mean()):
        if not chain or not (flags[each] & ~flags[chain[-1]]).any():
            chain.append(each)
    shares = [flags[each].mean() for each in chain]
    kept = np.prod([1 - high * (1 - low) for low, high in pairwise(shares)])
    if name not in chain or len(chain) < 2 or not _surprising(float(kept), flags[name]):
        return None
    ways = {elements[each].direction for each in chain if elements[each].actionable}
    return Thermometer(chain, direction=ways.pop() if len(ways) == 1 else "both")  # type: ignore[arg-type]


def _one_at_most(
    name: str, family: Sequence[str], flags: Mapping[str, np.ndarray]
) -> LinearConstraint | None:
    """Columns of one family never two of which are 1, such as a one-hot encoding less a column."""
    columns = _ordered([name, *family], flags)
    if len(columns) < 2 or np.sum([flags[each] for each in columns], axis=0).max() > 1:
        return None
    shares = np.array([flags[each].mean() for each in columns])
    chance = np.prod(1 - shares) * (1 + (shares / (1 - shares)).sum())
    if not _surprising(float(chance), flags[name]):
        return None
    return LinearConstraint(f"{' + '.join(map(_quoted, columns))} <= 1")


def _quoted(name: str) -> str:
    return name if name.isidentifier() else f"`{name}`"


def _of_numbers(
    elements: Mapping[str, ActionElement], acted: list[str], values: Mapping[str, np.ndarray]
) -> Iterator[Constraint]:
    """Numbers that are multiples, or sums, of one another."""
    names = [
        name
        for name, element in elements.items()
        if element.kind in ("integer", "real") and len(np.unique(values[name])) >= FEWEST_VALUES
    ]
    names = sorted(names, key=lambda name: name not in acted)[:MOST_NUMBERS]
    tied: set[frozenset[str]] = set()
    for name in acted:
        for other in names if name in names else ():
            pair = frozenset({name, other})
            scale = _scale(values[name], values[other]) if len(pair - tied) == 2 else None
            if scale is not None and pair not in tied:
                tied.add(pair)
                yield _link(elements, other, {name: scale})
    for total, parts in _sums(names, values):
        moving = [name for name in parts if elements[name].actionable]
        if moving or elements[total].actionable:
            yield from _added(elements, total, parts, moving)


def _scale(source: np.ndarray, target: np.ndarray) -> float | None:
    """By how much one column changes for a unit of another, None where it is not just that."""
    low, high = int(source.argmin()), int(source.argmax())
    spread = float(source[high] - source[low]), float(np.ptp(target))
    if not SMALLEST <= spread[1] / spread[0] <= 1 / SMALLEST:
        return None
    rounded = float(f"{(target[high] - target[low]) / spread[0]:.6g}")
    # most pairs are told apart by their first rows
    for rows in (slice(0, FEWEST_ROWS), slice(None)):
        a, b = source[rows], target[rows]
        expected = target[low] + rounded * (a - source[low])
        if not (abs(b - expected) <= EXACT * spread[1]).all():
            return None
    return rounded


def _sums(
    names: Sequence[str], values: Mapping[str, np.ndarray]
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Columns that are the sum of two others."""
    first = {name: values[name][:FEWEST_ROWS] for name in names}
    known = {np.round(each, 6).tobytes(): name for name, each in first.items()}
    for one, other in combinations(names, 2):
        total = known.get(np.round(first[one] + first[other], 6).tobytes())
        if total is None or total in (one, other):
            continue
        whole = values[one] + values[other]
        if (abs(values[total] - whole) <= EXACT * np.ptp(whole)).all():
            yield total, (one, other)


def _added(
    elements: Mapping[str, ActionElement], total: str, parts: tuple[str, str], moving: list[str]
) -> Iterator[Constraint]:
    if elements[total].actionable:
        yield _link(elements, total, dict.fromkeys(parts, 1.0))
        return
    # changes from several sources add up
    for name in moving:
        yield _link(elements, total, {name: 1.0})


def _link(
    elements: Mapping[str, ActionElement], target: str, scales: Mapping[str, float]
) -> Constraint:
    """A rule by which a column changes with others."""
    if not elements[target].actionable:
        [(source, scale)] = scales.items()
        return DirectionalLinkage(source, target, scale=scale)
    parts = [
        f"{'' if scale == 1 else f'{scale!r} * '}delta({_quoted(name)})"
        for name, scale in scales.items()
    ]
    return LinearConstraint(f"delta({_quoted(target)}) == {' + '.join(parts)}")
