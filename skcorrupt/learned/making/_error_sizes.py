"""Rules that move values by different amounts, parted by the amount.

What a wrong row hands on to others is then how far its values were off, in all columns at once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from ..kinds._explain_cells import Explained
from ..kinds._number_kinds import quantiles_of
from ..kinds._time_text import DAY, read_time
from ..kinds._wrong_cells import Rule, WrongCells

MOST_PARTS = 12
LEAST_IN_PART = 15


def by_size(explained: Explained) -> Explained:
    """The same with a rule for each size of what was added.

    Parameters
    ----------
    explained : Explained
        Wrong cells of a column and their rules.

    Returns
    -------
    Explained
        With more rules, if values were moved by different amounts often enough.
    """
    rules, which = list(explained.rules), explained.which.copy()
    for number, rule in enumerate(explained.rules):
        cells = np.flatnonzero(explained.which == number)
        n_parts = min(MOST_PARTS, len(cells) // LEAST_IN_PART)
        if rule.form not in ("moved", "noise") or n_parts < 2:
            continue
        amounts = _amounts(explained.wrong, cells, rule)
        bounds = np.unique(
            np.quantile(amounts, np.linspace(0, 1, n_parts + 1)[1:-1], method="lower")
        )
        part = np.searchsorted(bounds, amounts)
        for k in range(len(bounds) + 1):
            mine = part == k
            if not mine.any():
                continue
            which[cells[mine]] = number if k == 0 else len(rules)
            narrower = _narrower(rule, amounts[mine])
            if k == 0:
                rules[number] = narrower
            else:
                rules.append(narrower)
    return replace(explained, rules=rules, which=which)


def _narrower(rule: Rule, amounts: np.ndarray) -> Rule:
    if rule.form == "moved":
        seen = [[float(by), count] for by, count in Counter(amounts.tolist()).most_common()]
        return replace(rule, params=rule.params | {"seen": seen})
    quantiles = quantiles_of(amounts, np.ones(len(amounts)))
    return replace(rule, params=rule.params | {"quantiles": quantiles})


def _amounts(wrong: WrongCells, cells: np.ndarray, rule: Rule) -> np.ndarray:
    pairs = wrong.pair[cells]
    if rule.form == "noise" or wrong.column.kind == "datetime":
        clean, dirty = wrong.numbers
        unit = 1.0 if rule.form == "noise" else 1e9
        off: np.ndarray = (dirty - clean)[pairs] / unit
        return off
    times = {int(pair): _seconds(wrong, int(pair)) for pair in np.unique(pairs)}
    return np.array([times[int(pair)] for pair in pairs], dtype=float)


def _seconds(wrong: WrongCells, pair: int) -> float:
    clean, dirty = (read_time(side[pair] or "") for side in wrong.texts)
    if clean is None or dirty is None or clean.seconds is None or dirty.seconds is None:
        return 0.0
    return float((dirty.seconds - clean.seconds + DAY // 2) % DAY - DAY // 2)
