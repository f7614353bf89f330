"""Where each kind of error strikes: a pattern, a smooth mechanism, or anywhere."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.patterns import Pattern
from skcorrupt.stats import clopper_pearson
from skcorrupt.utils import Table, Target, as_table

from .gaps._gap_search import Found, GapSearch
from .gaps._search_over import search_over
from .kinds._edit_forms import KEEP, Cell, made
from .kinds._explain_cells import Explained
from .kinds._row_kinds import Sources
from .kinds._wrong_cells import Rule, WrongCells

MOST_ROWS = 50_000
# forms of which all values that are not missing can be struck
_ANY = ("lost", "seen", "swap", "typo", "noise", "outliers", "moved")
_MOST_DISTINCT = 20_000


@dataclass(frozen=True, eq=False)
class Place:
    """Where errors of one kind strike.

    Attributes
    ----------
    found : Found or None
        The pattern or mechanism, None where they could be anywhere.
    p_adjusted : float
        Corrected for all kinds of errors that were looked at; NaN where nothing was found.
    rate : float
        Share of the cells that could be struck.
    rates : dict of str to float
        Rates inside and outside the pattern with their intervals.
    """

    found: Found | None
    p_adjusted: float
    rate: float
    rates: dict[str, float]


class Places:
    """Looks for what explains where errors strike, among the clean columns and the label.

    Parameters
    ----------
    clean : Table
        The clean table.
    target : Target or None
        Its labels.
    max_conditions, n_bins : int
        As for `learn_gaps`.
    alpha : float
        Chance that anything is found where all errors are anywhere.
    """

    def __init__(
        self, clean: Table, target: Target | None, max_conditions: int, n_bins: int, alpha: float
    ) -> None:
        n = clean.n_rows
        self.rows = np.arange(n)
        if n > MOST_ROWS:
            self.rows = np.sort(np.random.default_rng(0).permutation(n)[:MOST_ROWS])
        self._part = clean if n <= MOST_ROWS else as_table(clean.take(self.rows))
        self._values = None if target is None else target.values[self.rows]
        some = target if target is None or n <= MOST_ROWS else Target(target.values[self.rows])
        self._search = search_over(self._part, some, max_conditions, n_bins)
        self._alpha = alpha

    def of(self, masks: list[tuple[np.ndarray, np.ndarray, list[int]]]) -> list[Place]:
        """Where errors strike.

        Parameters
        ----------
        masks : list of tuple
            For every kind of error the rows it struck and those that it could have struck, as masks
            over `rows`, and the positions of columns that explain nothing.

        Returns
        -------
        list of Place
            One for each.
        """
        keys = [_key(*each) for each in masks]
        n_groups = len(set(keys))
        log_alpha = math.log(self._alpha) - math.log(n_groups or 1)
        known: dict[bytes, Place] = {}
        for key, each in zip(keys, masks, strict=True):
            if key not in known:
                known[key] = self._place(*each, log_alpha, n_groups)
        return [known[key] for key in keys]

    def _place(
        self,
        struck: np.ndarray,
        able: np.ndarray,
        hit: list[int],
        log_alpha: float,
        n_groups: int,
    ) -> Place:
        n_struck, n_able = int(struck.sum()), int(able.sum())
        found = None
        if 0 < n_struck < n_able:
            search: GapSearch = self._search if able.all() else self._search.among(able)
            found = search.explain(struck, hit, log_alpha)
        inside = np.ones(len(struck), dtype=bool)
        if found is not None and found.pattern is not None:
            inside = self.mask(found.pattern)
        rates = _rates("inside", struck[inside & able])
        rates |= _rates("outside", struck[~inside & able])
        p_adjusted = math.nan if found is None else min(1.0, math.exp(found.log_p) * n_groups)
        return Place(found, p_adjusted, n_struck / max(n_able, 1), rates)

    def mask(self, pattern: Pattern) -> np.ndarray:
        """Rows that a pattern matches, of those looked at."""
        return pattern.mask(self._part.source, self._values if pattern.uses_y else None)


def _key(struck: np.ndarray, able: np.ndarray, hit: list[int]) -> bytes:
    return np.packbits(struck).tobytes() + np.packbits(able).tobytes() + bytes(str(hit), "ascii")


def _rates(name: str, struck: np.ndarray) -> dict[str, float]:
    n, hits = len(struck), int(struck.sum())
    if not n:
        return dict.fromkeys((f"rate_{name}", f"rate_{name}_low", f"rate_{name}_high"), math.nan)
    low, high = clopper_pearson(hits, n)
    return {f"rate_{name}": hits / n, f"rate_{name}_low": low, f"rate_{name}_high": high}


def can_be_struck(
    explained: Explained, numbers: list[int], rows: np.ndarray, sources: Sources, i: int
) -> np.ndarray:
    """Rows whose value some of the rules would change.

    Missing cells count if some of them were struck, and others unless only missing ones were.

    Parameters
    ----------
    explained : Explained
        The cells of the column that differ, with their rules.
    numbers : list of int
        Which of the rules, all of one kind.
    rows : ndarray of int
        Clean rows.
    sources : Sources
        The table, for rules that take values from elsewhere in it.
    i : int
        Position of the column.

    Returns
    -------
    ndarray of bool, shape (n_rows,)
        Whether the cell could have been struck.
    """
    wrong = explained.wrong
    codes = wrong.column.clean[rows]
    able = np.zeros(len(rows), dtype=bool)
    for number in numbers:
        rule = explained.rules[number]
        struck = wrong.clean[explained.which == number]
        gone = struck < 0
        if rule.form == "swap" and rule.params["by_value"]:
            # of other values it is not known what they would become
            mine = np.isin(codes, struck)
        elif rule.form in _ANY:
            mine = (codes >= 0) | gone.any()
        elif rule.form in ("stuck", "row", "column", "appended"):
            mine = _moved(rule, sources, i, rows)
        else:
            mine = _of_values(rule, wrong, codes)
        if gone.all():
            mine = mine & (codes < 0)
        elif not gone.any():
            mine = mine & (codes >= 0)
        able |= mine
    return able


def _of_values(rule: Rule, wrong: WrongCells, codes: np.ndarray) -> np.ndarray:
    used = np.unique(codes)
    if len(used) > _MOST_DISTINCT and rule.form not in ("scale", "rounding", "clip"):
        return codes >= 0
    values, written = wrong.column.values, wrong.column.kind == "text"
    changes = np.zeros(len(values) + 1, dtype=bool)
    for code in used.tolist():
        cell = Cell(None if code < 0 else _as_held(values[code], written))
        changes[code] = made(rule.form, rule.params, cell, 0.5) is not KEEP
    return changes[codes]


def _as_held(value: Any, written: bool) -> Any:
    return value.item() if isinstance(value, np.generic) and value.dtype.kind in "biuf" else value


def _moved(rule: Rule, sources: Sources, i: int, rows: np.ndarray) -> np.ndarray:
    """Rows in which the value elsewhere is another one."""
    clean = sources.columns[i].clean
    if "column" in rule.params:
        k = next(k for k, c in enumerate(sources.columns) if c.label == rule.params["column"])
        if rule.form == "appended":
            return (clean[rows] >= 0) & (sources.columns[k].clean[rows] >= 0)
        return sources.translated(i, k)[rows] != clean[rows]
    wanted = {k: v for k, v in rule.params.items() if k != "offset"}
    before = next(before for params, before in sources.orders if params == wanted)
    place = rows
    step = before if rule.params.get("offset", 1) > 0 else sources.after(before)
    for _ in range(abs(rule.params.get("offset", 1))):
        place = np.where(place >= 0, step[place], -1)
    value = np.where(place >= 0, clean[place], -1)
    if rule.form == "stuck":
        # the last of a run of struck rows has before it what it became itself
        dirty = sources.dirty(i)
        value = np.where(place >= 0, dirty[place], -1)
    return (value >= 0) & (value != clean[rows])


def in_rows(at: np.ndarray, rows: np.ndarray, n: int) -> np.ndarray:
    """Mask over some of the rows, True at the given ones."""
    mask = np.zeros(n, dtype=bool)
    mask[at] = True
    return mask[rows]


def examples(wrong: WrongCells, cells: np.ndarray, most: int = 3) -> tuple[tuple[Any, Any], ...]:
    """Pairs of a dirty and a clean value, different ones, the most frequent first."""
    pairs = pd.Series(wrong.pair[cells]).value_counts(sort=True).index[:most]
    values = wrong.column.values_or_none
    return tuple(
        (_shown(values[wrong.pair_dirty[pair]]), _shown(values[wrong.pair_clean[pair]]))
        for pair in pairs
    )


def _shown(value: Any) -> Any:
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        value = value.item()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    return value
