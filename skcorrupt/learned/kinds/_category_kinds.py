"""Values that are lost, defaults, and values of the same column in another's place."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.patterns._times import in_zone
from skcorrupt.patterns._values import canonical

from ._slips import is_like
from ._wrong_cells import LEAST_CELLS, Candidate, Rule, WrongCells, as_text

MOST_EACH = 12
RULE_BITS = 10.0
_MOST_PAIRS = 2000
# as often as with equal chances for a value of the column to be a default
LEAST_TIMES = 2.0


def default_candidates(wrong: WrongCells) -> list[Candidate]:
    """Losses, defaults, and values of the same column in another's place."""
    found = []
    gone = wrong.dirty < 0
    if gone.any():
        rule = Rule("missing", "lost", {"text": wrong.column.lost})
        found.append(Candidate(rule, gone, 0.0, 0.0))
    known = _of_the_column(wrong)
    shares = _share_bits(wrong, known)
    table = _table_bits(wrong, known)
    by_table = table is not None and table.total <= _total_of_defaults(wrong, known, shares)
    there = np.flatnonzero(wrong.pair_dirty >= 0)
    for code, count in _most_common(wrong, there):
        mine = wrong.pair_dirty == code
        if by_table:
            # what a value becomes depends on the value, which a default knows nothing of
            mine &= ~known
        if count < LEAST_CELLS or not mine.any() or _is_any_other(wrong, known, code):
            continue
        if _is_of_one_text(wrong, mine):
            continue
        fixed = float(wrong.literal_bits[np.argmax(mine)]) + RULE_BITS
        value = {"value": _default(wrong, code)}
        rule = Rule("sentinel", "constant", value | _of_missing(wrong, mine))
        found.append(Candidate(rule, wrong.expanded(mine), 0.0, fixed))
    if len(shares):
        bits = shares if table is None or not by_table else table.bits
        any_other = RULE_BITS + float(wrong.counts[known] @ shares[known])
        by_value = table is not None and table.total < any_other
        params = {"kind": "swap", "by_value": by_value} | _confusion(wrong, known)
        rule = Rule("categories", "swap", params)
        fixed = RULE_BITS + (RULE_BITS if _is_numeric(wrong) else 0.0)
        found.append(Candidate(rule, wrong.expanded(known), wrong.expanded(bits), fixed))
    return found


def _default(wrong: WrongCells, code: int) -> Any:
    """A default as a JSON type, times in the zone of the column, with the offset."""
    value, zone = wrong.column.values[code], wrong.column.zone
    if zone is not None and isinstance(value, (np.datetime64, pd.Timestamp)):
        return str(canonical(in_zone(value, zone)))
    return plain(value)


def _is_of_one_text(wrong: WrongCells, mine: np.ndarray) -> bool:
    """Whether a value is put for one text only, which it is made of by a few slips."""
    (pairs,) = np.nonzero(mine)
    clean, dirty = (side[pairs[0]] for side in wrong.texts)
    if len(pairs) > 1 or not wrong.column.is_text or clean is None or dirty is None:
        return False
    return is_like(clean, dirty)


def _of_missing(wrong: WrongCells, mine: np.ndarray) -> dict[str, Any]:
    """Whether a default stands in place of missing cells only, or of none; else nothing."""
    gone = wrong.pair_clean[mine] < 0
    return {} if gone.any() and not gone.all() else {"of_missing": bool(gone.all())}


def _is_any_other(wrong: WrongCells, known: np.ndarray, code: int) -> bool:
    """Whether a value of the column is put hardly more often than each other one would be."""
    mine = known & (wrong.pair_dirty == code)
    n_others = _n_values(wrong) - 1
    if not mine.any() or n_others < 2:
        return False
    times = wrong.counts[mine].sum() / wrong.counts[known].sum() * n_others
    return bool(times < min(LEAST_TIMES, 0.9 * n_others))


def _most_common(wrong: WrongCells, pairs: np.ndarray) -> list[tuple[int, int]]:
    """The wrong values of some pairs, the most frequent first, with their cells."""
    totals: Counter[int] = Counter()
    for pair in pairs.tolist():
        totals[int(wrong.pair_dirty[pair])] += int(wrong.counts[pair])
    return totals.most_common(MOST_EACH)


def _of_the_column(wrong: WrongCells) -> np.ndarray:
    """Which distinct pairs are of two values that the clean column has."""
    counts = wrong.column.clean_counts
    c, d = wrong.pair_clean, wrong.pair_dirty
    known = (c >= 0) & (d >= 0)
    known[known] = (counts[d[known]] > 0) & (counts[c[known]] > 0)
    return known


def _n_values(wrong: WrongCells) -> int:
    return int((wrong.column.clean_counts > 0).sum())


def _is_numeric(wrong: WrongCells) -> bool:
    return not wrong.column.is_text and wrong.column.kind != "bool"


def _share_bits(wrong: WrongCells, known: np.ndarray) -> np.ndarray:
    """Bits of another value whatever the clean one is, for every pair; empty without such pairs."""
    n_values = _n_values(wrong)
    if not known.any() or n_values < 2:
        return np.empty(0)
    shares = wrong.column.clean_counts / wrong.column.clean_counts.sum()
    c, d = wrong.pair_clean[known], wrong.pair_dirty[known]
    by_share = -np.log2(shares[d] / (1 - shares[c]))
    uniform = np.full(len(by_share), math.log2(n_values - 1))
    weight = wrong.counts[known]
    model = by_share if weight @ by_share < weight @ uniform else uniform
    bits = np.zeros(len(known))
    # with two values another one is known, with more a default would have been too
    bits[known] = np.maximum(model, 0.0 if n_values == 2 else 0.5)
    return bits


class _Table:
    """What each value becomes: bits of every pair, what names the values included."""

    def __init__(self, bits: np.ndarray, total: float) -> None:
        self.bits, self.total = bits, total


def _table_bits(wrong: WrongCells, known: np.ndarray) -> _Table | None:
    """Bits of another value given the clean one; None where numbers or two values leave no choice.

    Every value that another one becomes has to be named, and all but one of the shares of a row.
    """
    n_values = _n_values(wrong)
    if not known.any() or n_values < 3 or _is_numeric(wrong):
        return None
    pairs = np.flatnonzero(known)
    rows, weight = wrong.pair_clean[pairs], wrong.counts[pairs].astype(float)
    _, row = np.unique(rows, return_inverse=True)
    of_row, n_named = np.bincount(row, weight), np.bincount(row)
    named = n_named * math.log2(n_values - 1) + 0.5 * (n_named - 1) * np.log2(of_row)
    each = np.log2(of_row[row] / weight) + (named / of_row)[row]
    bits = np.zeros(len(known))
    bits[pairs] = each
    return _Table(bits, RULE_BITS + float(weight @ each))


def _total_of_defaults(wrong: WrongCells, known: np.ndarray, shares: np.ndarray) -> float:
    """The fewest bits of the same cells as defaults, and as any other value where those end."""
    if not len(shares):
        return 0.0
    fixed = RULE_BITS + math.log2(_n_values(wrong))
    n = float(wrong.counts[known].sum())
    rest, parts = known.copy(), []
    best = RULE_BITS + float(wrong.counts[known] @ shares[known])
    for code, count in _most_common(wrong, np.flatnonzero(known)):
        rest = rest & (wrong.pair_dirty != code)
        parts.append(count)
        left = float(wrong.counts[rest].sum())
        sizes = np.array([*parts, left]) if left else np.array(parts, dtype=float)
        which = float((sizes * np.log2(n / sizes)).sum())
        anyhow = RULE_BITS + float(wrong.counts[rest] @ shares[rest]) if left else 0.0
        best = min(best, len(parts) * fixed + which + anyhow)
    return best


def _confusion(wrong: WrongCells, pairs: np.ndarray) -> dict[str, Any]:
    """What every value became, and how often, the most frequent pairs first."""
    values = wrong.column.values_or_none
    order = np.argsort(-np.where(pairs, wrong.counts, 0), kind="stable")[: int(pairs.sum())]
    rows = [
        [
            plain(values[wrong.pair_clean[i]]),
            plain(values[wrong.pair_dirty[i]]),
            int(wrong.counts[i]),
        ]
        for i in order[:_MOST_PAIRS].tolist()
    ]
    return {"table": rows}


def plain(value: Any) -> Any:
    """A cell as a JSON type, times as they are."""
    if isinstance(value, np.generic) and not isinstance(value, (np.datetime64, np.timedelta64)):
        value = value.item()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if isinstance(value, (bool, int, float, str)) or value is None:
        return value
    return as_text(value)


def seen_rule(wrong: WrongCells, cells: np.ndarray) -> Rule:
    """The rule of what nothing explains: values as they were seen."""
    pairs = np.zeros(len(wrong.counts), dtype=bool)
    pairs[wrong.pair[cells]] = True
    return Rule("unexplained", "seen", _confusion(wrong, pairs))
