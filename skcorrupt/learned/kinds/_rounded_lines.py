"""Another unit whose numbers were rounded: lines that wrong values are near, not on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

# inch, foot, yard, mile, pound, ounce, US gallon, nautical mile, acre, kWh, horsepower
KNOWN_FACTORS = (2.54, 30.48, 0.3048, 0.9144, 1.609344, 0.45359237, 2.2046226218, 28.349523125,
    3.785411784, 1.852, 0.40468564224, 3.6, 0.7457, 100.0, 1000.0)  # fmt: skip
# degrees, in which a conversion has an offset too
_DEGREES = (1.8, 1 / 1.8)
_KNOWN_OFFSETS = (0.0, 32.0, -32 / 1.8, 273.15, -273.15)
STEPS = [
    *sorted(m * 10.0**k for k in range(-6, 10) for m in (1, 2, 2.5, 5)),
    *(60.0, 12.0, 15.0, 7.0),
]
MOST_STEPS = 3
# of the wrong values, that are multiples of a step, and of these, that are on a line
LEAST_SHARE = 0.1
# as many multiples as there would be by chance among multiples of a finer step
LEAST_TIMES = 1.5
# distinct values on a line, and steps from its first to its last one
LEAST_VALUES, LEAST_STEPS = 8, 4.0
# cells within a step of the line but not within half of one, for each that is
MOST_BESIDE = 0.35
# steps from what is rounded only to a line
LEAST_MOVED = 1.5
# of the distances to a line, that a curve would explain; by chance a few of few are
MOST_CURVED, BY_CHANCE = 0.2, 6.0
# a simpler number may lose so many of the cells, an offset has to win so many
TOLERATED, WORTH = 0.01, 0.05
MOST_PAIRS = 2_000
N_TRIALS = 400
N_TRIED = 4
_DIGITS = 12
_CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class RoundedLine:
    """A conversion and the step its results were rounded to.

    Attributes
    ----------
    factor, offset, step : float
        A value times the factor, plus the offset, to the nearest multiple of the step.
    covers : ndarray of bool, shape (n_pairs,)
        The pairs that it makes.
    """

    factor: float
    offset: float
    step: float
    covers: np.ndarray


def rounded_lines(c: np.ndarray, d: np.ndarray, weight: np.ndarray) -> list[RoundedLine]:
    """Conversions with rounded results, one for each step that many wrong values are multiples of.

    Parameters
    ----------
    c, d : ndarray of float, shape (n_pairs,)
        Clean and dirty side of distinct pairs.
    weight : ndarray of int, shape (n_pairs,)
        How many cells each pair has.

    Returns
    -------
    list of RoundedLine
        Only those that cells gather on: around what was only moved by different amounts, as by
        noise, as many lie beside a line as on it.
    """
    found = []
    for step in _steps(d, weight):
        of_step = _multiples(d, step)
        points = _Points(c[of_step], d[of_step], weight[of_step], step)
        line = points.best()
        if line is None:
            continue
        covers = np.zeros(len(c), dtype=bool)
        covers[of_step] = points.near(*line)
        found.append(RoundedLine(*line, step, covers))
    return found


def _steps(d: np.ndarray, weight: np.ndarray) -> list[float]:
    """Steps of which more values are multiples than finer steps explain, the most frequent first.

    A step is left out where nearly all of its multiples are those of a coarser one.
    """
    total = float(weight.sum())
    shares = [(step, float(weight[_multiples(d, step)].sum()) / total) for step in sorted(STEPS)]
    shares = [(step, share) for step, share in shares if share >= LEAST_SHARE]
    kept: list[tuple[float, float]] = []
    for step, share in shares:
        expected = [s * fine / step for fine, s in kept if _multiples(np.array([step]), fine)[0]]
        if all(share > LEAST_TIMES * by_chance for by_chance in expected):
            kept = [(f, s) for f, s in kept if s > LEAST_TIMES * share or not _divides(f, step)]
            kept.append((step, share))
    kept.sort(key=lambda each: -each[1])
    return [step for step, _ in kept[:MOST_STEPS]]


def _divides(fine: float, coarse: float) -> bool:
    return bool(_multiples(np.array([coarse]), fine)[0])


def _multiples(d: np.ndarray, step: float) -> np.ndarray:
    ratio = d / step
    nearest = np.round(ratio)
    # of large numbers all would be close to a multiple of a small step
    slack = np.clip(_CLOSE * np.abs(nearest), 1e-12, 1e-2)
    multiples: np.ndarray = np.abs(ratio - nearest) <= slack
    return multiples


class _Points:
    """Pairs whose dirty side is a multiple of a step."""

    def __init__(self, c: np.ndarray, d: np.ndarray, weight: np.ndarray, step: float) -> None:
        self.c, self.d, self.weight, self.step = c, d, weight.astype(float), step
        few = np.arange(len(c))
        if len(c) > MOST_PAIRS:
            few = np.random.default_rng(0).permutation(len(c))[:MOST_PAIRS]
        self._few = (c[few], d[few], self.weight[few])

    def near(self, factor: float, offset: float, steps: float = 0.5) -> np.ndarray:
        """Which pairs lie within so many steps of a line."""
        line = factor * self.c + offset
        slack = 2e-9 * (np.abs(line) + np.abs(self.d))
        found: np.ndarray = np.abs(self.d - line) <= steps * self.step + slack
        return found

    def best(self) -> tuple[float, float] | None:
        """The line, without what it can do without; None where cells gather on none."""
        if len(np.unique(self.c)) < LEAST_VALUES or len(np.unique(self.d)) < 3:
            return None
        simple = [self._factor(), self._offset()]
        lines = [line for line in simple if line is not None and self._is_line(*line)]
        most = max((self._covered(*line) for line in lines), default=0.0)
        for line in self._both():
            covered = self._covered(*line)
            if covered > most + WORTH * self.weight.sum() and self._is_line(*line):
                lines, most = [line], covered
        return max(lines, key=lambda line: self._covered(*line)) if lines else None

    def _covered(self, factor: float, offset: float) -> float:
        return float(self.weight[self.near(factor, offset)].sum())

    def _is_line(self, factor: float, offset: float) -> bool:
        on, around = self.near(factor, offset), self.near(factor, offset, 1.5)
        c = self.c[on]
        if len(np.unique(c)) < LEAST_VALUES or abs(factor) * np.ptp(c) < LEAST_STEPS * self.step:
            return False
        moved = np.abs(factor * c + offset - c)
        if np.median(moved) <= LEAST_MOVED * self.step:
            return False
        if factor == 1 and np.mean(_multiples(c, self.step)) > 0.5:
            # what is added to multiples was not rounded
            return False
        if _curved(c, self.d[on] - factor * c - offset):
            return False
        if self.weight[on].sum() < LEAST_SHARE * self.weight.sum():
            return False
        # that one pair is there often says nothing of the others
        capped = np.minimum(self.weight, np.median(self.weight[on]))
        return all(
            each[around & ~on].sum() <= MOST_BESIDE * each[on].sum()
            for each in (self.weight, capped)
        )

    def _factor(self) -> tuple[float, float] | None:
        """A factor alone."""
        c, d, weight = self._few
        there = c != 0
        c, d, weight = c[there], d[there], weight[there]
        if not len(c):
            return None
        ends = np.sort([(d - self.step / 2) / c, (d + self.step / 2) / c], axis=0)
        low, high, _ = _most_common_point(ends[0], ends[1], weight)
        known = [*KNOWN_FACTORS, *(1 / each for each in KNOWN_FACTORS)]
        factor = _simplest(low, high, known, lambda f: self._covered(f, 0.0))
        return None if factor in (0.0, 1.0) else (factor, 0.0)

    def _offset(self, factor: float = 1.0) -> tuple[float, float] | None:
        """An offset that goes with a factor."""
        c, d, weight = self._few
        off = d - factor * c
        low, high, _ = _most_common_point(off - self.step / 2, off + self.step / 2, weight)
        offset = _simplest(low, high, _KNOWN_OFFSETS, lambda o: self._covered(factor, o))
        return None if (factor, offset) == (1.0, 0.0) else (factor, offset)

    def _both(self) -> Iterable[tuple[float, float]]:
        """Lines through two of the pairs that others are near to, made simpler."""
        c, d, weight = self._few
        rng = np.random.default_rng(0)
        i, j = rng.integers(len(c), size=(2, N_TRIALS))
        # pairs that are close together do not tell the slope
        far = np.abs(c[i] - c[j]) > 0.25 * np.subtract(*np.quantile(c, [0.9, 0.1]))
        i, j = i[far], j[far]
        if not len(i):
            return
        slopes = (d[i] - d[j]) / (c[i] - c[j])
        offsets = d[i] - slopes * c[i]
        off = np.abs(d - np.outer(slopes, c) - offsets[:, None])
        order = np.argsort(-((off <= self.step) @ weight), kind="stable")
        for at in order[:N_TRIED].tolist():
            fitted = self._fitted(float(slopes[at]), float(offsets[at]))
            if fitted is not None:
                yield fitted

    def _fitted(self, factor: float, offset: float) -> tuple[float, float] | None:
        """The line of all pairs near a line, with a factor and an offset as simple as they may."""
        c, d, weight = self._few
        reach = 0.0
        for steps in (2.0, 1.0, 0.75, 0.6):
            on = np.abs(d - factor * c - offset) <= steps * self.step
            if len(np.unique(c[on])) < LEAST_VALUES:
                return None
            mean_c, mean_d = (float(np.average(x[on], weights=weight[on])) for x in (c, d))
            moved = c[on] - mean_c
            factor = float((weight[on] * moved * d[on]).sum() / (weight[on] * moved**2).sum())
            offset = mean_d - factor * mean_c
            reach = self.step / float(np.ptp(c[on]))

        def covered(f: float) -> float:
            off = d - f * c
            return _most_common_point(off - self.step / 2, off + self.step / 2, weight)[2]

        known = [*_DEGREES, *KNOWN_FACTORS, *(1 / each for each in KNOWN_FACTORS)]
        factor = _simplest(factor - reach, factor + reach, known, covered)
        return self._offset(factor) if factor else None


def _curved(c: np.ndarray, off: np.ndarray) -> bool:
    """Whether points are near a line only as they are near a curve that touches it."""
    moved = (c - c.mean()) / c.std()
    terms = np.column_stack([np.ones(len(c)), moved, moved**2])
    fitted = terms @ np.linalg.lstsq(terms, off, rcond=None)[0]
    return bool(fitted.var() > (MOST_CURVED + BY_CHANCE / len(c)) * off.var())


def _simplest(
    low: float, high: float, known: Iterable[float], covered: Callable[[float], float]
) -> float:
    """A number that is known or short, of those by which nearly as many cells are explained."""
    middle = (low + high) / 2
    reach = max(high - low, _CLOSE * abs(middle))
    tried = [each for each in known if abs(each - middle) <= reach]
    tried += [each for each in _shorter(middle) if abs(each - middle) <= reach]
    scores = [covered(each) for each in tried]
    enough = (1 - TOLERATED) * max(scores)
    return next(each for each, score in zip(tried, scores, strict=True) if score >= enough)


def _shorter(number: float) -> list[float]:
    """A number to ever more digits."""
    return [float(f"{number:.{digits}g}") for digits in range(1, _DIGITS + 1)]


def _most_common_point(
    low: np.ndarray, high: np.ndarray, weight: np.ndarray
) -> tuple[float, float, float]:
    """Where most intervals overlap, from and to, and the weight of those that do."""
    ends = np.concatenate([low, high])
    change = np.concatenate([weight, -weight])
    # an interval that ends where another begins overlaps it
    order = np.lexsort((-change, ends))
    depth = np.cumsum(change[order])
    at = int(np.argmax(depth))
    return float(ends[order[at]]), float(ends[order[min(at + 1, len(order) - 1)]]), float(depth[at])
