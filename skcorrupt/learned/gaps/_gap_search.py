"""The pattern or the smooth mechanism that explains the gaps of a column best."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import expit, gammaln, xlogy
from scipy.stats import hypergeom, mannwhitneyu

from skcorrupt.patterns import Pattern

from ._gap_attribute import GapAttribute, OrderedAttribute

BEAM_WIDTH = 5
REFINED = 2
SWEEPS = 2
# beyond ten per standard deviation a mechanism is a threshold, which a pattern says better
MAX_STRENGTH = 10.0
NEWTON_STEPS = 50

Choices = tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Found:
    """One way to explain gaps.

    Attributes
    ----------
    columns : tuple of int
        Positions of the columns that explain; `LABEL` for the label.
    pattern : Pattern or None
        Where gaps gather; None for a smooth mechanism.
    rate_inside, rate_outside : float
        Rates among the rows that the pattern matches and does not, of those in which all its
        attributes are known.
    strength : float
        Coefficient of the mechanism, for one standard deviation.
    score : float
        Penalised log-likelihood ratio, twice.
    log_p : float
        Log of the p-value, corrected for all explanations that were open for this column.
    deviance : float
        Share of the deviance explained, of rows in which the attributes are known.
    f1 : float
        F1 score of the prediction that exactly the matched rows, or the likeliest ones, have gaps.
    """

    columns: tuple[int, ...]
    pattern: Pattern | None
    rate_inside: float
    rate_outside: float
    strength: float
    score: float
    log_p: float
    deviance: float
    f1: float


@dataclass(frozen=True)
class _Draft:
    """A pattern on the way, with what it matches of the rows in which it is known."""

    choices: Choices
    cost: float
    size: float
    n: int
    n_gaps: int
    rows: int
    gaps: int
    score: float


class GapSearch:
    """Search for what explains gaps, among the same attributes for every column.

    Patterns grow by one condition a round (beam search, bounds at quantiles), then their bounds
    move to the best values there are. Explanations compare by their likelihood with a penalty of
    log n a bound or value (BIC) and of twice the log of the number of choices there were
    (extended BIC, Chen and Chen 2008).

    Parameters
    ----------
    attributes : list of GapAttribute
        Attributes of patterns.
    scales : dict of int to ndarray of shape (n_samples,)
        Standardised columns by position, NaN where missing, for smooth mechanisms.
    n_rows : int
        Number of rows.
    max_conditions : int
        Most conditions of a pattern, most columns of a mechanism.
    """

    def __init__(
        self,
        attributes: list[GapAttribute],
        scales: dict[int, np.ndarray],
        n_rows: int,
        max_conditions: int,
    ) -> None:
        self.n_rows = n_rows
        self.attributes = attributes
        self.scales = scales
        self.max_conditions = max_conditions

    def among(self, rows: np.ndarray) -> GapSearch:
        """The same search, in which nothing is known of other rows than some.

        Parameters
        ----------
        rows : ndarray of bool, shape (n_samples,)
            The rows.

        Returns
        -------
        GapSearch
            A search among them.
        """
        attributes = [
            replace(each, levels=np.where(rows, each.levels, each.n_levels))
            for each in self.attributes
        ]
        scales = {j: np.where(rows, scale, np.nan) for j, scale in self.scales.items()}
        return GapSearch(attributes, scales, self.n_rows, self.max_conditions)

    def explain(self, gaps: np.ndarray, hit: list[int], log_alpha: float) -> Found | None:
        """The best explanation of gaps that is significant.

        Parameters
        ----------
        gaps : ndarray of bool, shape (n_samples,)
            Where cells are missing.
        hit : list of int
            Columns that are missing there, which explain nothing.
        log_alpha : float
            Log of the level of the test.

        Returns
        -------
        Found or None
            The explanation; None where gaps look as if they were completely at random.
        """
        usable = [i for i, a in enumerate(self.attributes) if a.column not in hit]
        drafts = self._drafts(gaps, usable)
        found = [self._finished(draft, gaps) for draft in drafts]
        found += self._mechanisms(gaps, hit)
        significant = [one for one in found if one.log_p <= log_alpha]
        if any(one.pattern is not None for one in significant):
            # a mechanism at the limit is a threshold, which has a pattern
            significant = [one for one in significant if abs(one.strength) < 0.95 * MAX_STRENGTH]
        return max(significant, key=lambda one: one.score, default=None)

    def _drafts(self, gaps: np.ndarray, usable: list[int]) -> list[_Draft]:
        """The best patterns of every length."""
        empty = _Draft((), math.log(self.max_conditions + 1), 0.0, 0, 0, 0, 0, 0.0)
        beam, best = [empty], []
        for length in range(1, self.max_conditions + 1):
            grown: dict[Choices, _Draft] = {}
            for draft in beam:
                for child in self._children(draft, gaps, usable, length):
                    grown[child.choices] = child
            if not grown:
                # longer patterns extend shorter ones
                break
            beam = sorted(grown.values(), key=lambda draft: -draft.score)[:BEAM_WIDTH]
            best += beam[:REFINED]
        return best

    def _children(
        self, draft: _Draft, gaps: np.ndarray, usable: list[int], length: int
    ) -> list[_Draft]:
        inside, known = self._rows(draft.choices)
        used = [i for i, _ in draft.choices]
        # the order of conditions does not matter
        cost = draft.cost + math.log(len(usable) or 1) - math.log(length)
        children = []
        for i in usable:
            if i in used:
                continue
            attribute = self.attributes[i]
            both = known & attribute.known
            n, n_gaps = int(both.sum()), int((both & gaps).sum())
            offers = attribute.offers(inside & both, gaps)
            if not offers.choices or n_gaps == 0:
                continue
            ratio = _ratio(offers.rows, offers.gaps, n, n_gaps)
            score = ratio - (draft.size + offers.sizes) * math.log(n) - 2 * (cost + offers.costs)
            promising = np.flatnonzero(ratio > 0)
            for at in promising[np.argsort(-score[promising], kind="stable")[:BEAM_WIDTH]]:
                children.append(
                    _Draft(
                        tuple(sorted([*draft.choices, (i, offers.choices[at])])),
                        cost + float(offers.costs[at]),
                        draft.size + float(offers.sizes[at]),
                        n,
                        n_gaps,
                        int(offers.rows[at]),
                        int(offers.gaps[at]),
                        float(score[at]),
                    )
                )
        return children

    def _rows(self, choices: Choices) -> tuple[np.ndarray, np.ndarray]:
        """Rows that all choices match, and rows in which all their attributes are known."""
        inside, known = np.ones(self.n_rows, dtype=bool), np.ones(self.n_rows, dtype=bool)
        for i, choice in choices:
            inside &= self.attributes[i].mask(choice)
            known &= self.attributes[i].known
        return inside, known

    def _finished(self, draft: _Draft, gaps: np.ndarray) -> Found:
        """A draft with its bounds moved, as a pattern."""
        # the test is of the quantile bins, which the gaps had no say in
        log_p = hypergeom.logsf(draft.gaps - 1, draft.n, draft.n_gaps, draft.rows) + draft.cost
        refined = self._refined(draft, gaps)
        inside, known = self._rows(refined.choices)
        counts = inside.sum(), (inside & gaps).sum(), known.sum(), (known & gaps).sum()
        rows, n_inside, n, n_gaps = map(int, counts)
        ratio = float(_ratio(np.array(rows), np.array(n_inside), n, n_gaps))
        conditions = {
            self.attributes[i].key: self.attributes[i].condition(choice)
            for i, choice in refined.choices
        }
        return Found(
            columns=tuple(self.attributes[i].column for i, _ in refined.choices),
            pattern=Pattern(conditions),
            rate_inside=n_inside / rows,
            rate_outside=(n_gaps - n_inside) / (n - rows) if n > rows else 0.0,
            strength=0.0,
            score=ratio - refined.size * math.log(n) - 2 * refined.cost,
            log_p=min(0.0, float(log_p)),
            deviance=ratio / (-2 * _likelihood(n_gaps, n)) if n_gaps < n else 1.0,
            f1=2 * n_inside / (rows + n_gaps),
        )

    def _refined(self, draft: _Draft, gaps: np.ndarray) -> _Draft:
        """The draft with every bound of its ranges at the value that fits best."""
        choices = dict(draft.choices)
        for _ in range(SWEEPS if len(choices) > 1 else 1):
            for i in choices:
                attribute = self.attributes[i]
                if not isinstance(attribute, OrderedAttribute):
                    continue
                rest = tuple((k, choice) for k, choice in choices.items() if k != i)
                inside, known = self._rows(rest)
                known &= attribute.known
                rows = attribute.counts(inside & known)
                hits = attribute.counts(inside & known & gaps)
                n, n_gaps = int(known.sum()), int((known & gaps).sum())
                choices[i] = _best_range(attribute, choices[i], rows, hits, n, n_gaps)
        size = sum(self.attributes[i].size(choice) for i, choice in choices.items())
        return replace(draft, choices=tuple(sorted(choices.items())), size=size)

    def _mechanisms(self, gaps: np.ndarray, hit: list[int]) -> list[Found]:
        """The best smooth mechanism of every number of columns."""
        usable = [j for j in self.scales if j not in hit]
        chosen: list[int] = []
        found: list[Found] = []
        while usable and len(chosen) < self.max_conditions:
            trials = [self._mechanism([*chosen, j], gaps, len(usable)) for j in usable]
            best = max(trials, key=lambda one: one.score)
            if best.score == -math.inf or (found and best.score <= found[-1].score):
                break
            chosen = list(best.columns)
            usable.remove(chosen[-1])
            found.append(self._tested(best, gaps, len(usable) + len(chosen)))
        return found

    def _mean(self, columns: tuple[int, ...] | list[int]) -> np.ndarray:
        return sum((self.scales[j] for j in columns), start=np.zeros(self.n_rows)) / len(columns)

    def _cost(self, n_columns: int, n_usable: int) -> float:
        ways = gammaln(n_usable + 1) - gammaln(n_columns + 1) - gammaln(n_usable - n_columns + 1)
        return math.log(self.max_conditions + 1) + math.log(self.max_conditions) + float(ways)

    def _mechanism(self, columns: list[int], gaps: np.ndarray, n_left: int) -> Found:
        mean = self._mean(columns)
        known = np.isfinite(mean)
        s, lost = mean[known], gaps[known]
        n, n_gaps = len(s), int(lost.sum())
        if not 0 < n_gaps < n or np.ptp(s) == 0:
            nothing = -math.inf
            return Found(tuple(columns), None, 0.0, 0.0, 0.0, nothing, 0.0, 0.0, 0.0)
        strength, likelihood = _logistic(s, lost)
        ratio = 2 * (likelihood - _likelihood(n_gaps, n))
        cost = self._cost(len(columns), n_left + len(columns) - 1)
        return Found(
            columns=tuple(columns),
            pattern=None,
            rate_inside=n_gaps / n,
            rate_outside=n_gaps / n,
            strength=strength,
            score=ratio - len(columns) * math.log(n) - 2 * cost,
            log_p=0.0,
            deviance=ratio / (-2 * _likelihood(n_gaps, n)),
            f1=0.0,
        )

    def _tested(self, found: Found, gaps: np.ndarray, n_usable: int) -> Found:
        """With its F1 score, and a p-value by ranks, which heavy tails do not fool."""
        mean = self._mean(found.columns)
        known = np.isfinite(mean)
        lost, kept = mean[known & gaps], mean[known & ~gaps]
        likeliest = np.argsort(-found.strength * mean[known], kind="stable")[: len(lost)]
        p_value = float(mannwhitneyu(lost, kept, method="asymptotic").pvalue)
        log_p = math.log(max(p_value, 1e-300)) + self._cost(len(found.columns), n_usable)
        return replace(found, log_p=min(0.0, log_p), f1=float(gaps[known][likeliest].mean()))


def _likelihood(gaps: Any, rows: Any) -> Any:
    """Greatest log-likelihood of a number of gaps among rows of one rate."""
    rows = np.maximum(rows, 1e-300)
    return xlogy(gaps, gaps / rows) + xlogy(rows - gaps, 1 - gaps / rows)


def _ratio(rows: np.ndarray, gaps: np.ndarray, n: int, n_gaps: int) -> np.ndarray:
    """Twice the log-likelihood ratio of two rates against one; negative where fewer are lost."""
    ratio = _likelihood(gaps, rows) + _likelihood(n_gaps - gaps, n - rows)
    ratio = 2 * (ratio - _likelihood(n_gaps, n))
    return np.where(gaps * n > n_gaps * rows, ratio, -np.inf)


def _best_range(
    attribute: OrderedAttribute,
    choice: tuple[int, ...],
    rows: np.ndarray,
    gaps: np.ndarray,
    n: int,
    n_gaps: int,
) -> tuple[int, int]:
    """The range that fits best, bounded on the same sides."""
    below_rows, below_gaps = (np.concatenate([[0], np.cumsum(c)]) for c in (rows, gaps))
    first, last = choice
    top = attribute.n_levels - 1
    for _ in range(SWEEPS if first > 0 and last < top else 1):
        if first > 0:
            starts = np.arange(1, last + 1)
            inside = below_rows[last + 1] - below_rows[starts]
            ratio = _ratio(inside, below_gaps[last + 1] - below_gaps[starts], n, n_gaps)
            first = int(starts[np.argmax(ratio)])
        if last < top:
            ends = np.arange(first, top)
            inside = below_rows[ends + 1] - below_rows[first]
            ratio = _ratio(inside, below_gaps[ends + 1] - below_gaps[first], n, n_gaps)
            last = int(ends[np.argmax(ratio)])
    return first, last


def _logistic(s: np.ndarray, lost: np.ndarray) -> tuple[float, float]:
    """Coefficient and log-likelihood of a logistic model with an intercept (Newton)."""
    rate = float(lost.mean())
    at = np.array([math.log(rate / (1 - rate)), 0.0])
    likelihood = _logistic_likelihood(at, s, lost)
    for _ in range(NEWTON_STEPS):
        p = expit(at[0] + at[1] * s)
        weight = p * (1 - p)
        a, b, c = weight.sum(), (weight * s).sum(), (weight * s * s).sum()
        if a * c - b * b <= 1e-12 * max(a * c, 1e-300):
            break
        step = np.linalg.solve([[a, b], [b, c]], [(lost - p).sum(), ((lost - p) * s).sum()])
        for _ in range(NEWTON_STEPS):
            new = at + step
            now = _logistic_likelihood(new, s, lost)
            if now >= likelihood and abs(new[1]) <= MAX_STRENGTH:
                break
            step /= 2
        else:
            break
        gained, at, likelihood = now - likelihood, new, now
        if gained < 1e-9 * max(1.0, abs(now)):
            break
    return float(at[1]), likelihood


def _logistic_likelihood(at: np.ndarray, s: np.ndarray, lost: np.ndarray) -> float:
    linear = at[0] + at[1] * s
    return float(linear[lost].sum() - np.logaddexp(0.0, linear).sum())
