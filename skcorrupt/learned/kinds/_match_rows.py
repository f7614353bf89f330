"""Which row of a clean table a row of a dirty one is: by key, by place or by content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import Table, shorten

from ._category_kinds import plain
from ._compared import Compared
from ._copied_rows import sources_of
from ._equal_rows import agreement, joined, row_keys, telling

N_HALVES = 12
N_QUARTERS = 12
# rows that agree less than this, beyond chance, are looked for elsewhere as well
ALIKE = 0.5
# of which every part of the table is asked, since a row that slipped in moves all that follow
N_BLOCKS = 20
# what content has to say beyond place, as a share of the rows, to be believed
FAR_MORE = 0.1
_NONE = np.empty(0, dtype=np.intp)


@dataclass(frozen=True, eq=False)
class Matching:
    """Rows of two tables that belong together.

    Attributes
    ----------
    dirty, clean : ndarray of int, shape (n_matched,)
        Positions of the rows in the two tables, in the order of the clean one.
    lost : ndarray of int
        Clean rows that the dirty table does not have.
    added : ndarray of int
        Dirty rows that the clean table does not have, or has only once.
    source : ndarray of int, shape of `added`
        The clean row that an added one is a copy of, nearly or exactly; -1 for none.
    how : str
        What rows were matched by: key, place, index or content.
    sure : ndarray of bool, shape of `added`
        Whether no other row can be the source.
    """

    dirty: np.ndarray
    clean: np.ndarray
    lost: np.ndarray
    added: np.ndarray
    source: np.ndarray
    how: str
    sure: np.ndarray


def match_rows(dirty: Table, clean: Table, columns: list[Compared], key: Any) -> Matching:
    """Match the rows of two tables.

    Parameters
    ----------
    dirty, clean : Table
        The tables.
    columns : list of Compared
        The columns that both have.
    key : label, list of labels or None
        Columns that tell which row is which; None is place, index labels or content.

    Returns
    -------
    Matching
        What belongs together.
    """
    n_dirty, n_clean = dirty.n_rows, clean.n_rows
    if key is not None:
        return _by_keys(*_keys(columns, key), columns, "key")
    labels = _index_labels(dirty, clean)
    if labels is not None:
        found = _by_keys(*labels, columns, "index")
        # labels that were given anew say nothing
        if _beyond_chance(columns, found.dirty, found.clean).mean() >= ALIKE:
            return found
    if n_dirty == n_clean:
        place = np.arange(n_clean)
        in_place = Matching(place, place, _NONE, _NONE, _NONE, "place", _NONE > 0)
        beyond = _beyond_chance(columns, place, place)
        blocks = [float(block.mean()) for block in np.array_split(beyond, N_BLOCKS) if len(block)]
        if np.median(blocks) >= ALIKE and min(blocks) >= ALIKE / 2:
            return in_place
        found = _by_content(columns, n_dirty, n_clean)
        # a table that is wrong all over is still in its order unless content says far more
        gain = _beyond_chance(columns, found.dirty, found.clean).sum() - beyond.sum()
        return found if gain > FAR_MORE * n_clean else in_place
    return _by_content(columns, n_dirty, n_clean)


def _beyond_chance(columns: list[Compared], dirty: np.ndarray, clean: np.ndarray) -> np.ndarray:
    """How much rows agree, 0 as much as rows at random do and 1 in all columns."""
    chance = 0.0
    for column in columns:
        counts = np.bincount(column.dirty[column.dirty >= 0], minlength=len(column.values))
        both = float((counts * column.clean_counts).sum())
        chance += both / max(len(column.dirty) * len(column.clean), 1)
    chance = min(chance / max(len(columns), 1), 1.0 - 1e-9)
    return (agreement(columns, dirty, clean) - chance) / (1.0 - chance)


def _keys(columns: list[Compared], key: Any) -> tuple[np.ndarray, np.ndarray]:
    """One number a row of each table, equal where the key is."""
    wanted = key if isinstance(key, list) else [key]
    if not wanted:
        raise ValueError("key=[] names no column; pass a column, a list of some, or key=None.")
    chosen = []
    for name in wanted:
        same = [c for c in columns if type(c.label) is type(name) and c.label == name]
        if not same:
            known = ", ".join(repr(c.label) for c in columns[:20])
            raise ValueError(
                f"key={shorten(key)}: {name!r} is no column of both tables; they share {known}."
            )
        chosen += same
    dirty, clean = row_keys(chosen, "dirty"), row_keys(chosen, "clean")
    twice = pd.Series(clean).duplicated().to_numpy()
    if twice.any():
        at = int(np.argmax(twice))
        shown = ", ".join(shorten(plain(c.values[c.clean[at]])) for c in chosen if c.clean[at] >= 0)
        raise ValueError(
            f"key={shorten(key)} does not tell the rows of clean apart: {shown or 'a missing key'} "
            "is there more than once; pass a list of columns that do, or key=None."
        )
    return dirty, clean


def _index_labels(dirty: Table, clean: Table) -> tuple[np.ndarray, np.ndarray] | None:
    """Numbers for index labels that tell which row is which, None where there are none."""
    if dirty.container != "pandas" or clean.container != "pandas":
        return None
    ours, theirs = dirty.source.index, clean.source.index
    if ours.equals(theirs) or not theirs.is_unique:
        return None
    if _is_count(ours) and _is_count(theirs):
        return None
    both = pd.factorize(np.concatenate([ours.to_numpy(object), theirs.to_numpy(object)]))[0]
    codes = both.astype(np.uint64)
    dirty_keys, clean_keys = codes[: len(ours)], codes[len(ours) :]
    known = np.isin(dirty_keys, clean_keys)
    return (dirty_keys, clean_keys) if known.mean() > 0.5 else None


def _is_count(index: pd.Index) -> bool:
    return index.equals(pd.RangeIndex(len(index)))


def _by_keys(dirty: np.ndarray, clean: np.ndarray, columns: list[Compared], how: str) -> Matching:
    where = pd.Index(clean).get_indexer(pd.Index(dirty))
    first = ~pd.Series(dirty).duplicated().to_numpy() & (where >= 0)
    if first.sum() < (where >= 0).sum():
        # of several rows of a key the copies are those that are less like the right one
        known = np.flatnonzero(where >= 0)
        alike = agreement(columns, known, where[known])
        ranked = known[np.lexsort((known, -alike, where[known]))]
        first[:] = False
        first[ranked[~pd.Series(where[ranked]).duplicated().to_numpy()]] = True
    rows = np.flatnonzero(first)
    rows = rows[np.argsort(where[rows], kind="stable")]
    lost = np.setdiff1d(np.arange(len(clean)), where[rows])
    added = np.flatnonzero(~first)
    known = where[added] >= 0
    return Matching(rows, where[rows], lost, added, where[added], how, known)


def _by_content(columns: list[Compared], n_dirty: int, n_clean: int) -> Matching:
    """Rows that agree in most columns, the most alike first."""
    left = np.arange(n_dirty), np.arange(n_clean)
    pairs: list[tuple[np.ndarray, np.ndarray]] = []
    for subset in _subsets(columns):
        if not len(left[0]) or not len(left[1]):
            break
        found = joined(columns, subset, *left, nearest=_left_out(columns, subset))
        alike = telling(columns, *found) | (agreement(columns, *found) > 0.5)
        pairs.append((found[0][alike], found[1][alike]))
        left = (_without(left[0], pairs[-1][0]), _without(left[1], pairs[-1][1]))
    added, lost = left
    source, sure = sources_of(columns, added)
    # a copy of a row that is lost is that row
    own = np.flatnonzero(np.isin(source, lost) & sure)
    own = own[~pd.Series(source[own]).duplicated().to_numpy()]
    pairs.append((added[own], source[own]))
    dirty, clean = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
    order = np.argsort(clean, kind="stable")
    lost, rest = _without(lost, source[own]), np.setdiff1d(np.arange(len(added)), own)
    return Matching(
        dirty[order], clean[order], lost, added[rest], source[rest], "content", sure[rest]
    )


def _left_out(columns: list[Compared], subset: list[int]) -> Compared | None:
    """The one column that need not be equal, if it holds numbers or times."""
    rest = [i for i in range(len(columns)) if i not in subset]
    return columns[rest[0]] if len(rest) == 1 and columns[rest[0]].is_number else None


def _subsets(columns: list[Compared]) -> list[list[int]]:
    """Columns that have to be equal, from all of them down to single ones."""
    p = len(columns)
    every = list(range(p))
    subsets = [every]
    subsets += [[i for i in every if i != j] for j in every if p > 1]
    rng = np.random.default_rng(0)
    for size, count in ((p // 2, N_HALVES), (p // 4, N_QUARTERS)):
        if size > 0:
            subsets += [sorted(rng.permutation(p)[:size].tolist()) for _ in range(count)]
    telling = sorted(every, key=lambda i: -int((columns[i].clean_counts > 0).sum()))
    subsets += [[i] for i in telling]
    return subsets


def _without(rows: np.ndarray, taken: np.ndarray) -> np.ndarray:
    return rows[~np.isin(rows, taken)]
