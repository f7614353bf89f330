"""How rows that are there more than once differ from the rows they are copies of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from skcorrupt.utils import Target

from .kinds._compared import Compared
from .kinds._match_rows import Matching
from .kinds._wrong_cells import LEAST_CELLS

# of the absolute value of a standard normal variable
_MEDIAN = 0.6744897501960817
# spreads of normal differences that are rounded to whole numbers
_SPREADS = np.geomspace(0.05, 20, 400)
_WHOLE = np.arange(1, 121)[:, None]
_AT_LEAST = 2 * norm.sf((_WHOLE - 0.5) / _SPREADS)
# the mean of the squares of what they are then, and how many are not 0
_SQUARES = ((2 * _WHOLE - 1) * _AT_LEAST).sum(axis=0)
_LEAST_SQUARE, _MOST_SQUARE = _SQUARES[0], _SQUARES[-1]
# differences that should be there for their absence to tell
_EXPECTED = 10
_REAL = ("real", "datetime", "timedelta")


@dataclass(frozen=True, eq=False)
class AddedRows:
    """Rows that were added, and what is known of them.

    Attributes
    ----------
    source : ndarray of int
        The clean row of each that is a copy.
    n_rows : int
        How many there are, those without a source too.
    params : dict
        Parameters of `CorruptDuplicates`, with `copies`, how many each copied row has on average,
        where that is more than one.
    """

    source: np.ndarray
    n_rows: int
    params: dict[str, Any]


def added_rows(
    columns: list[Compared], matching: Matching, target: Target | None, dirty_target: Target | None
) -> list[AddedRows]:
    """Rows that were added, apart those that have another label than their row.

    Parameters
    ----------
    columns : list of Compared
        The columns that both tables have.
    matching : Matching
        Which rows belong together, and which are copies.
    target, dirty_target : Target or None
        Correct labels, and labels as they came.

    Returns
    -------
    list of AddedRows
        None where no row was added.
    """
    if not len(matching.added):
        return []
    copy = matching.source >= 0
    wrong = copy & _relabelled(matching, target, dirty_target)
    found = []
    for part, with_wrong in ((~wrong, False), (wrong, True)):
        if not part.any():
            continue
        source = matching.source[part & copy]
        params: dict[str, Any] = {}
        jitter = _jitter(columns, matching, np.flatnonzero(part & copy))
        if jitter > 0:
            params["jitter"] = jitter
        if with_wrong:
            params["wrong_labels"] = True
        if len(source) > len(np.unique(source)):
            params["copies"] = round(len(source) / len(np.unique(source)), 3)
        found.append(AddedRows(source, int(part.sum()), params))
    return found


def _relabelled(matching: Matching, clean: Target | None, dirty: Target | None) -> np.ndarray:
    """Which added rows have a label that neither their row nor its dirty version has."""
    if clean is None or dirty is None or _is_continuous(clean):
        return np.zeros(len(matching.added), dtype=bool)
    own = np.asarray(dirty.values)[matching.added]
    right = np.asarray(clean.values)[matching.source]
    twin = _twins(matching, len(clean.values))
    came = np.where(twin >= 0, np.asarray(dirty.values)[twin], right)
    wrong = np.asarray((own != right) & (own != came) & ~pd.isna(own) & ~pd.isna(right), dtype=bool)
    sure = matching.sure
    # of rows that could be copies of several the label says nothing, so they go with the others
    return np.where(sure, wrong, sure.any() and wrong[sure].mean() > 0.5)


def _is_continuous(target: Target) -> bool:
    values = target.values
    if values.dtype.kind != "f":
        return False
    known = values[np.isfinite(values)]
    return bool((known != np.floor(known)).any())


def _twins(matching: Matching, n_clean: int) -> np.ndarray:
    """The dirty row beside each added one that is the same row, -1 where it is lost."""
    row = np.full(n_clean, -1)
    row[matching.clean] = matching.dirty
    return row[matching.source]


def _jitter(columns: list[Compared], matching: Matching, some: np.ndarray) -> float:
    """How far copies are from their rows, in standard deviations of the columns."""
    if len(some) < LEAST_CELLS:
        return 0.0
    twin = _twins(matching, len(columns[0].clean))[some]
    added, source = matching.added[some], matching.source[some]
    by_kind: dict[str, list[float]] = {"real": [], "integer": [], "text": []}
    whole: list[tuple[int, float]] = []
    for column in columns:
        was = np.where(twin >= 0, column.dirty[twin], column.clean[source])
        now = column.dirty[added]
        known = (was >= 0) & (now >= 0)
        n_held = int((column.clean_counts > 0).sum())
        # what tells rows apart is the same in copies, or they would not be known as such
        if known.sum() < LEAST_CELLS or ((was == now).all() and n_held == len(column.clean)):
            continue
        if column.kind == "text":
            by_kind["text"].append(float((was != now)[known].mean()))
        elif column.kind in (*_REAL, "integer"):
            size = _moved(column, was[known], now[known])
            by_kind["real" if column.kind in _REAL else "integer"].append(size)
            whole += [(int(known.sum()), _std(column))] if column.kind == "integer" else []
    kind, found = next(((kind, each) for kind, each in by_kind.items() if each), ("", [0.0]))
    sizes = np.array(found)
    tells = np.ones(len(sizes), dtype=bool)
    if kind == "integer" and (sizes > 0).any():
        # small differences of small numbers are rounded to none
        size = float(np.median(sizes[sizes > 0]))
        expected = [n * 2 * norm.sf(0.5 / max(size * std, 1e-9)) for n, std in whole]
        tells = (sizes > 0) | (np.array(expected) >= _EXPECTED)
    if (sizes[tells] > 0).mean() < 0.5:
        return 0.0
    return min(1.0, float(f"{np.median(sizes[sizes > 0]):.4g}"))


def _std(column: Compared) -> float:
    held = column.numbers[column.clean[column.clean >= 0]]
    held = held[np.isfinite(held)]
    return float(np.std(held)) if len(held) else 0.0


def _moved(column: Compared, was: np.ndarray, now: np.ndarray) -> float:
    off = column.numbers[now] - column.numbers[was]
    std = _std(column)
    off = off[np.isfinite(off)]
    if not std > 0 or not len(off):
        return 0.0
    if column.kind != "integer":
        return float(np.median(np.abs(off)) / _MEDIAN / std)
    square = float(np.mean(off**2))
    if (off != 0).sum() < LEAST_CELLS or square < _LEAST_SQUARE:
        return 0.0
    if square > _MOST_SQUARE:
        return math.sqrt(square) / std
    return float(np.interp(square, _SQUARES, _SPREADS)) / std
