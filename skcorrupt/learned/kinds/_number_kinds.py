"""Numbers that went wrong: another unit, rounding, saturation, noise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from ._rounded_lines import KNOWN_FACTORS, STEPS, rounded_lines
from ._wrong_cells import LEAST_CELLS, NUMBER_BITS, Candidate, Rule, WrongCells

PARAMETER_BITS = 16.0
SHOWN_DIGITS = 9
# how near to a line a number is on it, and one of single precision
CLOSE, CLOSE_SINGLE = 2e-9, 3e-7
MOST_CONSTANTS = 24
MOST_FACTORS = 4
MOST_LIMITS = 3
MOST_AT_ONE = 0.9
LIMIT_BITS = 8.0
N_TRIALS = 4000
# steps to either side
_BESIDE = (-2, -1, 1, 2)
N_QUANTILES = 101
# bits of a normal distribution with a standard deviation of one step
SPREAD_BITS = 0.5 * math.log2(2 * math.pi * math.e)


def number_candidates(wrong: WrongCells) -> list[Candidate]:
    """Rules by which numbers became other numbers."""
    if wrong.column.kind not in ("bool", "integer", "real", "text"):
        return []
    clean, dirty = wrong.numbers
    usable = np.isfinite(clean) & np.isfinite(dirty)
    if int(wrong.counts[usable].sum()) < LEAST_CELLS:
        return []
    at = np.flatnonzero(usable)
    c, d, weight = clean[at], dirty[at], wrong.counts[at]
    found = [
        *_clipped(wrong, c, d, weight),
        *_converted_and_rounded(c, d, weight),
        *_scaled(wrong, c, d, weight),
        *(_converted(c, d) if len(np.unique(c)) == 1 else []),
        *_rounded(c, d, weight),
        *_outlying(wrong, c, d, weight),
        *_noisy(wrong, c, d, weight),
    ]
    candidates = []
    for rule, covers, bits, fixed in found:
        pairs = np.zeros(len(clean), dtype=bool)
        pairs[at[covers]] = True
        anyhow = None
        if rule.form == "noise":
            told = np.full(len(clean), bits)
            told[at] = np.minimum(bits, _beside(c, d, weight, wrong.n))
            anyhow = wrong.expanded(told)
        candidates.append(Candidate(rule, wrong.expanded(pairs), bits, fixed, anyhow))
    return candidates


Proposal = tuple[Rule, np.ndarray, float, float]


def _clipped(wrong: WrongCells, c: np.ndarray, d: np.ndarray, weight: np.ndarray) -> list[Proposal]:
    """Values beyond a limit that became the limit."""
    there = wrong.column.clean_counts > 0
    held, times = wrong.column.numbers[there], wrong.column.clean_counts[there]
    fixed = math.log2(len(held) + 1) + LIMIT_BITS
    limits: dict[str, list[tuple[float, np.ndarray]]] = {"lower": [], "upper": []}
    for value in _modes(d, weight, MOST_CONSTANTS):
        mine = d == value
        for side, name in ((c > value, "upper"), (c < value, "lower")):
            inside = held[held < value] if name == "upper" else held[held > value]
            # a default is beyond all values, a limit is within them, for more than one beyond it
            beyond = len(held) - len(inside) - int((held == value).sum())
            several = len(np.unique(c[mine])) > 1 or beyond == 1
            # where nearly all values are beyond it, a default would have struck no other either
            within = times[held < value] if name == "upper" else times[held > value]
            chance = 1 - within.sum() / max(times[held != value].sum(), 1)
            told = chance == 0 or -weight[mine].sum() * math.log2(chance) >= LIMIT_BITS
            if not (mine & ~side).any() and len(inside) and several and told:
                limits[name].append((value, mine))
    found: list[Proposal] = [
        (Rule("clip", "clip", {name: _plain(value)}), mine, 0.0, fixed)
        for name, several in limits.items()
        for value, mine in several
    ]
    for low, below in limits["lower"][:MOST_LIMITS]:
        for high, above in limits["upper"][:MOST_LIMITS]:
            if low < high:
                rule = Rule("clip", "clip", {"lower": _plain(low), "upper": _plain(high)})
                found.append((rule, below | above, 0.0, 2 * fixed))
    return found


def _scaled(wrong: WrongCells, c: np.ndarray, d: np.ndarray, weight: np.ndarray) -> list[Proposal]:
    """Another unit: a factor, an offset, or both."""
    held = wrong.column.numbers[wrong.column.clean_counts > 0]
    digits, close = (6, CLOSE_SINGLE) if wrong.column.single else (SHOWN_DIGITS, CLOSE)
    found: list[Proposal] = []
    left = np.ones(len(c), dtype=bool)
    for _ in range(MOST_FACTORS):
        if len(np.unique(c[left])) < 2:
            break
        best: tuple[int, float, float, np.ndarray] | None = None
        for factor, offset in _lines(c[left], d[left], weight[left], digits):
            covers = _on_line(c, d, factor, offset, close)
            score = int(weight[covers & left].sum())
            # through two points there is always a line
            n_params = (factor != 1) + (offset != 0)
            n_values = len(np.unique(c[covers & left]))
            # two values that became others of the column, such as classes, are rather confused
            confused = n_values < LEAST_CELLS and np.isin(d[covers & left], held).all()
            if n_values > n_params and not confused and (best is None or score > best[0]):
                best = (score, factor, offset, covers)
        if best is None:
            break
        _, factor, offset, covers = best
        params = {"factor": _plain(factor), "offset": _plain(offset)}
        n_params = (factor != 1) + (offset != 0)
        found.append((Rule("scale", "scale", params), covers, 0.0, PARAMETER_BITS * n_params))
        left &= ~covers
    return found


def _converted_and_rounded(c: np.ndarray, d: np.ndarray, weight: np.ndarray) -> list[Proposal]:
    """Another unit, whose numbers were rounded: several, as long as there are any."""
    found: list[Proposal] = []
    left = np.ones(len(c), dtype=bool)
    for _ in range(MOST_FACTORS):
        lines = rounded_lines(c[left], d[left], weight[left]) if left.sum() > 1 else []
        if not lines:
            break
        at = np.flatnonzero(left)
        for line in lines:
            covers = np.zeros(len(c), dtype=bool)
            covers[at[line.covers]] = True
            params = {"factor": line.factor, "offset": line.offset, "step": line.step}
            rule = Rule("scale", "scale", {name: _plain(value) for name, value in params.items()})
            n_params = 1 + (line.factor != 1) + (line.offset != 0)
            found.append((rule, covers, 0.0, PARAMETER_BITS * n_params))
            left &= ~covers
    return found


def _converted(c: np.ndarray, d: np.ndarray) -> list[Proposal]:
    """Another unit of one value only, which a known factor makes."""
    found: list[Proposal] = []
    for factor in [*KNOWN_FACTORS, *(1 / f for f in KNOWN_FACTORS)]:
        # 1 that became 100 is as well a default
        covers = _on_line(c, d, factor, 0.0) & (c != 0) & ((np.abs(c) != 1) | (factor % 1 != 0))
        if covers.any():
            rule = Rule("scale", "scale", {"factor": _plain(factor), "offset": 0})
            found.append((rule, covers, 0.0, PARAMETER_BITS))
    return found


def _lines(
    c: np.ndarray, d: np.ndarray, weight: np.ndarray, digits: int
) -> list[tuple[float, float]]:
    """Factors and offsets that many pairs could have in common, the simplest first."""
    lines: list[tuple[float, float]] = []
    nonzero = c != 0
    ratios = d[nonzero] / c[nonzero]
    lines += [(f, 0.0) for f in _common(ratios, weight[nonzero], 3, digits)]
    lines += [(1.0, o) for o in _common(d - c, weight, 3, digits)]
    rng = np.random.default_rng(0)
    i, j = rng.integers(len(c), size=(2, N_TRIALS))
    apart = c[i] != c[j]
    i, j = i[apart], j[apart]
    slopes = (d[i] - d[j]) / (c[i] - c[j])
    for slope in _common(slopes, np.ones(len(slopes)), 3, 6):
        lines += [(slope, o) for o in _common(d - slope * c, weight, 1, 6)]
    return [(f, o) for f, o in lines if f != 0 and (f, o) != (1.0, 0.0) and abs(f) < 1e12]


def _common(values: np.ndarray, weight: np.ndarray, most: int, digits: int) -> list[float]:
    """Numbers that are there most often up to some digits: short ones, and then as they are."""
    short = _short(values, digits)
    found = _modes(short, weight, most)
    # 5/9 has no end
    return found + [float(np.median(values[short == each])) for each in found]


def _on_line(
    c: np.ndarray, d: np.ndarray, factor: float, offset: float, close: float = CLOSE
) -> np.ndarray:
    size = np.abs(factor * c) + abs(offset) + np.abs(d)
    return np.abs(factor * c + offset - d) <= close * size


def _rounded(c: np.ndarray, d: np.ndarray, weight: np.ndarray) -> list[Proposal]:
    """The nearest, next lower or next higher multiple of a step."""
    found: list[Proposal] = []
    for step in STEPS:
        multiple = _near(d / step, np.round(d / step)) & ~_near(c / step, np.round(c / step))
        if multiple.sum() < LEAST_CELLS:
            continue
        off = (d - c) / step
        for mode, covers in (
            ("nearest", np.abs(off) <= 0.5 + 1e-9),
            ("down", (off <= 1e-9) & (off > -1)),
            ("up", (off >= -1e-9) & (off < 1)),
        ):
            held = pd.Series(weight[multiple & covers]).groupby(d[multiple & covers]).sum()
            # nearly all values at one multiple are rather a default, as zero is of every step
            if not len(held) or held.max() > MOST_AT_ONE * held.sum():
                continue
            rule = Rule("rounding", "rounding", {"step": _plain(step), "mode": mode})
            # the exact step that was meant is the largest that explains all
            fixed = PARAMETER_BITS - math.log2(step) * 0.05 + (mode != "nearest")
            found.append((rule, multiple & covers, 0.0, fixed))
    return found


def _near(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.abs(a - b) <= 1e-9 * np.abs(b)


def _outlying(
    wrong: WrongCells, c: np.ndarray, d: np.ndarray, weight: np.ndarray
) -> list[Proposal]:
    """The same distance to either side."""
    off = _short(d - c, 6)
    found: list[Proposal] = []
    for size in _modes(np.abs(off), weight, 2):
        covers = np.abs(np.abs(off) - size) <= 2e-6 * size
        above = weight[covers & (off > 0)].sum() / weight[covers].sum()
        # two values that each go to one number are two defaults
        is_more = len(np.unique(c[covers])) > 1 and covers.sum() >= LEAST_CELLS
        if size > 0 and 0.1 <= above <= 0.9 and is_more:
            std = _std(wrong)
            scale = _plain(_short(np.array([size / std]), 4)[0]) if std > 0 else None
            rule = Rule("outliers", "outliers", {"size": _plain(size), "scale": scale})
            found.append((rule, covers, 1.0, PARAMETER_BITS))
    return found


def _noisy(wrong: WrongCells, c: np.ndarray, d: np.ndarray, weight: np.ndarray) -> list[Proposal]:
    """Something added that varies."""
    off = d - c
    whole = bool(np.all(d == np.round(d)))
    spread = math.sqrt(float(np.average(off**2, weights=weight)))
    if spread == 0 or not math.isfinite(spread):
        return []
    step = _resolution(d)
    if len(np.unique(d[d != 0])) < LEAST_CELLS:
        # a few round numbers, and zero above all, are multiples of steps that none was drawn in
        step = min(step, _resolution(c))
    bits = min(NUMBER_BITS - 2, max(1.0, SPREAD_BITS + math.log2(spread / step)))
    std = _std(wrong)
    params = {
        "spread": _plain(float(_short(np.array([spread]), 4)[0])),
        "scale": _plain(float(_short(np.array([spread / std]), 4)[0])) if std > 0 else None,
        "quantiles": quantiles_of(off, weight),
        "whole": whole,
    }
    return [(Rule("noise", "noise", params), np.ones(len(c), dtype=bool), bits, PARAMETER_BITS)]


def _beside(c: np.ndarray, d: np.ndarray, weight: np.ndarray, n_cells: int) -> np.ndarray:
    """Bits of distances by how frequent those beside them are; infinite where these are too few.

    Of noise in few steps many cells have one distance, but those beside it are as frequent. One
    that is more than twice as frequent is something else.
    """
    off = _short(d - c)
    steps = pd.Series(np.round(off / _resolution(off)))
    cells = pd.Series(weight).groupby(steps).sum()
    shares = (cells / n_cells).where(cells >= LEAST_CELLS)
    # a distance of zero is no error
    beside = [shares.reindex(steps + k).where(lambda s: s.index != 0).to_numpy() for k in _BESIDE]
    most = np.nan_to_num(np.array(beside)).max(axis=0)
    with np.errstate(divide="ignore"):
        return np.maximum(-np.log2(most) - 1, 0.0)


def _std(wrong: WrongCells) -> float:
    """Standard deviation of the clean column."""
    held = wrong.column.clean_counts > 0
    values, counts = wrong.column.numbers[held], wrong.column.clean_counts[held]
    known = np.isfinite(values)
    if not known.any():
        return math.nan
    mean = np.average(values[known], weights=counts[known])
    return math.sqrt(np.average((values[known] - mean) ** 2, weights=counts[known]))


def quantiles_of(values: np.ndarray, weight: np.ndarray) -> list[float | int]:
    """Evenly spaced quantiles of weighted values, from the least to the greatest."""
    order = np.argsort(values, kind="stable")
    cumulated = np.cumsum(weight[order]) / weight.sum()
    shares = np.linspace(0, 1, N_QUANTILES)
    at = np.minimum(np.searchsorted(cumulated, shares), len(values) - 1)
    return [_plain(q) for q in _short(values[order][at], 8)]


def _resolution(d: np.ndarray) -> float:
    """The largest power of ten that all values are multiples of."""
    for exponent in range(3, -7, -1):
        step = 10.0**exponent
        if np.all(_near(d / step, np.round(d / step))):
            return step
    return 1e-7


def _modes(values: np.ndarray, weight: np.ndarray, most: int) -> list[float]:
    """The values that are there most often, at least thrice."""
    if not len(values):
        return []
    totals = pd.Series(np.asarray(weight, dtype=float)).groupby(values).sum()
    totals = totals[totals >= LEAST_CELLS].sort_values(ascending=False, kind="stable")
    return [float(value) for value in totals.index[:most]]


def _short(values: np.ndarray, digits: int = SHOWN_DIGITS) -> np.ndarray:
    """Numbers to so many significant digits."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        exponent = np.floor(np.log10(np.abs(values)))
    exponent = np.where(np.isfinite(exponent), exponent, 0)
    power = 10.0 ** (digits - 1 - exponent)
    with np.errstate(over="ignore", invalid="ignore"):
        rounded: np.ndarray = np.round(values * power) / power
    return rounded


def _plain(number: Any) -> float | int:
    number = float(f"{float(number):.12g}")
    return int(number) if number.is_integer() and abs(number) < 1e15 else number
