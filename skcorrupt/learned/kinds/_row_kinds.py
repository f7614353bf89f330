"""Values that come from elsewhere in the table: another column of the row, or another row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
import pandas as pd

from skcorrupt.utils import mix

from ._compared import Compared
from ._match_rows import Matching
from ._wrong_cells import LEAST_CELLS, Candidate, Rule, WrongCells

MOST_OFFSET = 5
# pairs of rows side by side that would be wrong by chance, of which there are none
MOST_ALONE = 3
MOST_ORDERS = 12
# values that put the rows of groups in order, and share of rows with a time of their own
LEAST_TIMES = 8
MOSTLY_DISTINCT = 0.95
# rows of which that is asked first, and what a sample may be off
FEW_ROWS, _SAMPLED = 20_000, 0.02
# of what chance leaves unexplained
LEAST_SHARE = 0.2
# wrong cells of which that is asked first, and what a sample may be off
FEW_CELLS, _SAMPLED_SHARE = 5000, 0.05
# the value was known from elsewhere, which says more than that it is another one of two
_BITS, _FIXED = -1.0, 14.0
_ORDER_BITS = 6.0
_TOGETHER = 0.8
_NEARLY_ALL = 0.9


@dataclass(eq=False)
class Sources:
    """Where values of a column may come from.

    Attributes
    ----------
    columns : list of Compared
        The columns that both tables have.
    matching : Matching
        Which rows belong together.
    """

    columns: list[Compared]
    matching: Matching

    def dirty(self, i: int) -> np.ndarray:
        """Dirty values of a column in the order of the clean rows, -2 where a row is lost."""
        found = np.full(len(self.columns[i].clean), -2)
        found[self.matching.clean] = self.columns[i].dirty[self.matching.dirty]
        return found

    def translated(self, i: int, k: int) -> np.ndarray:
        """Clean values of column k by their positions among those of column i, -1 for none."""
        mine, other = self.columns[i], self.columns[k]
        found = pd.Index(mine.values, dtype=object).get_indexer(
            pd.Index(other.values, dtype=object)
        )
        return np.append(found, -1)[other.clean]

    @staticmethod
    def after(before: np.ndarray) -> np.ndarray:
        """The row after every row, -1 for none, given the row before."""
        after = np.full(len(before), -1)
        known = np.flatnonzero(before >= 0)
        after[before[known]] = known
        return after

    @cached_property
    def afters(self) -> list[np.ndarray]:
        """The row after every row, for each of the orders."""
        return [self.after(before) for _, before in self.orders]

    @cached_property
    def orders(self) -> list[tuple[dict[str, object], np.ndarray]]:
        """Ways to put rows in order, with the row before every row, -1 for none."""
        n = len(self.columns[0].clean)
        plain = np.arange(-1, n - 1)
        found: list[tuple[dict[str, object], np.ndarray]] = [({}, plain)]
        ranked: list[tuple[float, dict[str, object], np.ndarray]] = []
        times: list[tuple[Compared, np.ndarray]] = []
        groups: list[tuple[float, Compared]] = []
        for column in self.columns:
            n_held = _n_held(column)
            if column.kind in ("integer", "real", "datetime") and n_held >= LEAST_TIMES:
                times.append((column, _sorted(_ranks(column)[column.clean])))
            if times and times[-1][0] is column and n_held > n / 2:
                ranked.append((1.0, {"order": column.label}, _before(times[-1][1], None)))
            elif 2 <= n_held <= n / 4:
                ranked.append((n_held / n, {"group": column.label}, _within(np.arange(n), column)))
                groups.append((n_held / n, column))
        ranked.sort(key=lambda item: -item[0])
        found += [(params, before) for _, params, before in ranked[:MOST_ORDERS]]
        groups.sort(key=lambda item: -item[0])
        both = (
            (time, order, group)
            for time, order in times
            for some in [_some_rows(time)]
            for _, group in groups
            if _orders(time, group, some)
        )
        for time, order, group in islice(both, MOST_ORDERS):
            params = {"order": time.label, "group": group.label}
            found.append((params, _within(order, group)))
        return found


def _orders(time: Compared, group: Compared, some: np.ndarray) -> bool:
    """Whether nearly no two rows of one group have one time, first of some rows."""
    n_pairs = (_n_held(time) + 1) * (_n_held(group) + 1)
    if time is group or n_pairs < MOSTLY_DISTINCT * len(time.clean):
        return False
    if _n_held(time) == len(time.clean):
        return True
    if len(some) and _distinct(time, group, some) < MOSTLY_DISTINCT - _SAMPLED:
        return False
    return _distinct(time, group, slice(None)) >= MOSTLY_DISTINCT


def _some_rows(time: Compared) -> np.ndarray:
    """All rows of some times, since two rows of one time are in the sample both or neither."""
    hashed = mix(np.arange(len(time.values) + 1, dtype=np.uint64)) / 2.0**64
    return np.flatnonzero((hashed < FEW_ROWS / max(len(time.clean), 1))[time.clean])


def _distinct(time: Compared, group: Compared, rows: np.ndarray | slice) -> float:
    pairs = time.clean[rows].astype(np.int64) * (len(group.values) + 1) + group.clean[rows]
    return len(pd.unique(pairs)) / max(len(pairs), 1)


def _n_held(column: Compared) -> int:
    return int((column.clean_counts > 0).sum())


def _within(order: np.ndarray, column: Compared) -> np.ndarray:
    """The row before every row in an order, of those of the same value in a column."""
    order = order[_sorted(column.clean[order])]
    return np.where(column.clean >= 0, _before(order, column.clean), -1)


def _ranks(column: Compared) -> np.ndarray:
    """The place of each distinct value among all; missing ones come last."""
    return np.unique(np.append(column.numbers, np.inf), return_inverse=True)[1]


def _sorted(codes: np.ndarray) -> np.ndarray:
    """Positions in the order of codes from -1 on, equal ones as they are."""
    # 16 bits are sorted by their digits
    small = len(codes) and codes.max() <= np.iinfo(np.int16).max
    return np.argsort(codes.astype(np.int16) if small else codes, kind="stable")


def _before(order: np.ndarray, groups: np.ndarray | None) -> np.ndarray:
    before = np.full(len(order), -1)
    before[order[1:]] = order[:-1]
    if groups is not None:
        other = groups[order[1:]] != groups[order[:-1]]
        before[order[1:][other]] = -1
    return before


def row_candidates(sources: Sources, i: int, wrong: dict[int, WrongCells]) -> list[Candidate]:
    """Rules by which values of column i came from elsewhere.

    Parameters
    ----------
    sources : Sources
        The table.
    i : int
        Position of the column in `sources.columns`.
    wrong : dict of int to WrongCells
        Cells that differ, by column.

    Returns
    -------
    list of Candidate
        Rules that explain more cells than chance would.
    """
    mine = wrong[i]
    if mine.n < LEAST_CELLS:
        return []
    rows = sources.matching.clean[mine.at]
    found = _from_columns(sources, i, wrong, rows)
    clean, dirty = sources.columns[i].clean, sources.dirty(i)
    some = np.arange(0, mine.n, max(1, mine.n // FEW_CELLS))
    for number, (params, before) in enumerate(sources.orders):
        if mine.column.label in params.values():
            # rows of equal values have equal values before them
            continue
        fixed = _FIXED + _ORDER_BITS * len(params)
        stuck = np.zeros(mine.n, dtype=bool)
        places = [("stuck", 1, dirty)]
        places += [("shift", s * k, clean) for s in (1, -1) for k in range(1, MOST_OFFSET + 1)]
        for kind, offset, values in places:
            step = before if offset > 0 else sources.afters[number]
            first = _from_row(values, step, rows[some], abs(offset))
            if (first == mine.dirty[some]).mean() < LEAST_SHARE - _SAMPLED_SHARE:
                continue
            value = _from_row(values, step, rows, abs(offset))
            if kind == "stuck":
                stuck = value == mine.dirty
                held = before[rows] >= 0
                held[held] = clean[before[rows[held]]] == value[held]
                value = np.where(_are_defaults(mine, stuck, held), -3, value)
                found += _kept(Rule(kind, "stuck", dict(params)), mine, value, fixed)
            else:
                rule = Rule(kind, "row", {"offset": offset, **params})
                # values that were stuck would also repeat over several rows, if there are many
                no_runs = offset == 1 and mine.n**2 >= MOST_ALONE * len(clean)
                as_stuck = no_runs and np.array_equal(stuck, value == mine.dirty)
                bits = fixed - 1 if as_stuck else fixed + 1 + abs(offset)
                found += _kept(rule, mine, value, bits)
    return found


def _are_defaults(mine: WrongCells, stuck: np.ndarray, held: np.ndarray) -> np.ndarray:
    """Cells whose value stands in rows before rather as these are wrong in the same way.

    What is stuck began with a row that had the value, a default with one that was given it.
    """
    n = int(mine.dirty.max(initial=-1)) + 2
    began = np.bincount(mine.dirty[stuck & held] + 1, minlength=n)
    put = np.bincount(mine.dirty[~stuck] + 1, minlength=n)
    return (began <= put)[mine.dirty + 1]


def _from_row(values: np.ndarray, step: np.ndarray, rows: np.ndarray, offset: int) -> np.ndarray:
    """The values so many steps away, -3 where there is no row."""
    place = rows
    for _ in range(offset):
        place = np.where(place >= 0, step[place], -1)
    return np.where(place >= 0, values[place], -3)


def _kept(
    rule: Rule,
    mine: WrongCells,
    value: np.ndarray,
    fixed: float,
) -> list[Candidate]:
    covers = (value == mine.dirty) & (mine.dirty >= 0)
    return _if_more_than_chance(rule, covers, _elsewhere(value) == mine.dirty, fixed)


def _elsewhere(value: np.ndarray) -> np.ndarray:
    """The same values, each at another wrong cell."""
    return np.roll(value, len(value) // 2 + 1)


def _if_more_than_chance(
    rule: Rule, covers: np.ndarray, chance: np.ndarray, fixed: float
) -> list[Candidate]:
    share, expected = float(covers.mean()), float(chance.mean())
    if covers.sum() < LEAST_CELLS or share - expected < LEAST_SHARE * (1 - expected):
        return []
    # of what goes from one value to one other, some was there before by the order of the rows
    bits = _BITS if share >= _NEARLY_ALL else 0.0
    return [Candidate(rule, covers, bits, fixed)]


def _from_columns(
    sources: Sources, i: int, wrong: dict[int, WrongCells], rows: np.ndarray
) -> list[Candidate]:
    """Values of other columns of the same row, in their place or exchanged with them."""
    mine = wrong[i]
    found = []
    for k in range(len(sources.columns)):
        if k == i:
            continue
        value = sources.translated(i, k)
        covers = (value[rows] == mine.dirty) & (mine.dirty >= 0)
        if covers.sum() < LEAST_CELLS:
            continue
        by_chance = _elsewhere(value[rows]) == mine.dirty
        label = sources.columns[k].label
        both = k in wrong and np.isin(mine.at[covers], wrong[k].at).mean() >= _TOGETHER
        rule = Rule("exchange" if both else "column", "column", {"column": label})
        found += _if_more_than_chance(rule, covers, by_chance, _FIXED)
    return found


def appended_candidates(sources: Sources, i: int, wrong: dict[int, WrongCells]) -> list[Candidate]:
    """Values of other columns of the same row, put before or after the text."""
    mine = wrong[i]
    clean, dirty = mine.texts
    longer = [
        None if c is None or d is None or not c or c not in d or c == d else (d.partition(c))
        for c, d in zip(clean, dirty, strict=True)
    ]
    usable = np.array([part is not None for part in longer], dtype=bool)
    if int(mine.counts[usable].sum()) < LEAST_CELLS:
        return []
    rows = sources.matching.clean[mine.at]
    cells = np.flatnonzero(mine.expanded(usable))
    found = []
    for k, other in enumerate(sources.columns):
        if k == i or other.kind != "text":
            continue
        groups: dict[tuple[str, str], list[int]] = {}
        for cell in cells.tolist():
            code = other.clean[rows[cell]]
            value = str(other.values[code]) if code >= 0 else ""
            part = longer[mine.pair[cell]]
            if not value or part is None:
                continue
            before, after = part[0], part[2]
            if after.endswith(value) and not before:
                groups.setdefault(("after", after[: len(after) - len(value)]), []).append(cell)
            elif before.startswith(value) and not after:
                groups.setdefault(("before", before[len(value) :]), []).append(cell)
        for (where, between), covered in groups.items():
            covers = np.zeros(mine.n, dtype=bool)
            covers[covered] = True
            params = {"kind": "appended", "column": other.label, "where": where, "between": between}
            found.append(Candidate(Rule("text", "appended", params), covers, 0.0, 2 * _FIXED))
    return found
