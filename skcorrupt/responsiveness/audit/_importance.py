"""Points near the decision boundary: rare shares from few predictions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit

from skcorrupt.stats._stratified_share import stratified_share
from skcorrupt.utils._typing import Side

from ..sampling._reachable_space import ReachableSpace
from ._surrogate import Sorter, Surrogate

# asked about points: which are hits, and how near the model's score says they are
Ask = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | None]]

POINTS_A_SHARE = 100
LEAST_POINTS = 600
DRAWS_A_SHARE = 10_000
MOST_DRAWS = 10_000_000
# times the variance that comes of the masses
LITTLE = 10
CANDIDATES_A_SHARE = 100
LEAST_CANDIDATES, MOST_CANDIDATES = 4_000, 1_000_000
MOST_LISTED = 1_000_000
CHUNK = 100_000
# what is learned from, and not counted
LEARNING, LEAST_LEARNING, MOST_LEARNING = 1 / 10, 200, 8_000
ROUNDS = 3
# the farthest edge between strata has odds that are 30 times those of the boundary; where the
# guess is all there is to know there are three edges, the farthest of one and a half times
MOST_EDGES, FARTHEST = 11, 3.4
EXACT_EDGES, EXACT_FARTHEST = 3, 0.4
# draws alike that a point has to be worth, by a cautious guess; for less nothing is sorted
LEAST_GAIN = 1.5
ALIKE = "alike, as no score tells where hits are"
# of all points, those that no guess withholds from a stratum
LEAST_OF_STRATUM, LEAST_IN_STRATUM = 0.005, 10


class Aim(NamedTuple):
    """What is to be found out about the share of a person."""

    n: int
    epsilon: float
    alpha: float
    direction: Side

    @property
    def rare(self) -> float:
        """The share, of hits or of the others, that is to be told from none."""
        return min(self.epsilon, 1 - self.epsilon)


class Weighed(NamedTuple):
    """Points of one person that were predicted, and the share that they tell of."""

    values: np.ndarray
    hits: np.ndarray
    method: str
    sound: bool
    share: float
    low: float
    high: float
    p_value: float


def importance_size(epsilon: float) -> int:
    """Points for a share of `epsilon`, or of all others: 100 expected hits among uniform draws.

    Where no point far from the boundary hits, the upper limit is 3.7 points of these above the
    estimate, which is about a twentieth of the share once a quarter of the points are spent
    elsewhere.

    Parameters
    ----------
    epsilon : float in (0, 1)
        The threshold.

    Returns
    -------
    int
        The number of points.
    """
    return max(LEAST_POINTS, int(np.ceil(POINTS_A_SHARE / min(epsilon, 1 - epsilon))))


def weigh(
    space: ReachableSpace, person: np.ndarray, ask: Ask, aim: Aim, rng: np.random.Generator
) -> Weighed:
    """Estimate the share of a person from points that are drawn where hits are likely.

    A guess of the model's score, learned from points that are not counted, sorts a great many
    draws into strata that differ in how likely hits are. Of each stratum some draws are
    predicted; whatever the guess, they are independent draws of the stratum. Where what was
    learned promises little of that, all are drawn alike.

    Parameters
    ----------
    space : ReachableSpace
        What people can reach.
    person : ndarray of shape (n_features,)
        The person as numbers.
    ask : callable
        The model.
    aim : Aim
        What is to be found out.
    rng : Generator
        Source of all draws.

    Returns
    -------
    Weighed
        The points, those that were learned from among them, and the estimate.
    """
    draws = _Draws(space, person, rng)
    seen, surrogate, candidates = _learned(draws, space, ask, aim, rng)
    n = aim.n - len(seen.values)
    scores = surrogate.scores(candidates)
    edges = _edges(scores, n, exact=surrogate.exact)
    sorter = Sorter(surrogate, edges, candidates, scores)
    masses = np.bincount(np.searchsorted(edges, scores), minlength=len(edges) + 1) / len(scores)
    strata = sorter.strata(seen.values)
    tried = np.bincount(strata, minlength=len(masses))
    found = np.bincount(strata, weights=seen.hits, minlength=len(masses))
    wanted = _allocated(masses, tried, found, n)
    if _gain(masses, tried, found, wanted) < LEAST_GAIN:
        return _alike(draws, seen, ask, aim, n)
    rates = found / np.maximum(tried, 1)
    kept, counts, n_draws = _sorted_draws(
        draws, sorter, wanted, _n_draws(masses, rates, wanted, aim)
    )
    sizes = np.array([len(each) for each in kept])
    values = np.concatenate(kept)
    hits = np.concatenate([ask(values[k : k + CHUNK])[0] for k in range(0, len(values), CHUNK)])
    of = np.repeat(np.arange(len(sizes)), sizes)
    met = np.bincount(of, weights=hits, minlength=len(sizes))
    there = sizes > 0
    share = stratified_share(
        met[there],
        sizes[there],
        counts[there] / counts.sum(),
        np.inf if draws.table is not None else n_draws,
        none_expected=found[there] == 0,
        all_expected=found[there] == tried[there],
    )
    values, hits = np.concatenate([seen.values, values]), np.concatenate([seen.hits, hits])
    what = "points" if draws.table is not None else "draws"
    method = f"{len(values)} of {n_draws} {what}, by importance ({draws.method})"
    p_value = share.p_value(aim.epsilon, aim.direction)
    return Weighed(values, hits, method, True, share.share, *share.interval(aim.alpha), p_value)


class _Seen(NamedTuple):
    """Points that were asked about to learn from, and what the model said."""

    values: np.ndarray
    hits: np.ndarray
    margins: np.ndarray | None

    def more(self, values: np.ndarray, ask: Ask) -> _Seen:
        hits, margins = ask(values)
        if self.margins is not None and margins is not None:
            margins = np.concatenate([self.margins, margins])
        return _Seen(
            np.concatenate([self.values, values]), np.concatenate([self.hits, hits]), margins
        )


class _Draws:
    """Draws of one person, or all points in random order where they can be listed."""

    def __init__(self, space: ReachableSpace, person: np.ndarray, rng: np.random.Generator):
        self._space, self._person, self._rng = space, person, rng
        self.table = space.listed(person, MOST_LISTED)
        if self.table is not None:
            self.table = rng.permutation(self.table)
        methods = dict.fromkeys(pool.method for pool in space.reach(person).pools)
        self.method = " · ".join(methods) or "effects"

    def some(self, n: int) -> np.ndarray:
        """Independent draws."""
        if self.table is not None:
            return self.table[self._rng.integers(len(self.table), size=n)]
        return self._space.drawn(self._person, n, self._rng)

    def chunks(self, n: int) -> Iterator[np.ndarray]:
        """Independent draws piece by piece, or the list."""
        if self.table is not None:
            yield from np.array_split(self.table, -(-len(self.table) // CHUNK))
            return
        for start in range(0, n, CHUNK):
            yield self.some(min(CHUNK, n - start))


def _learned(
    draws: _Draws, space: ReachableSpace, ask: Ask, aim: Aim, rng: np.random.Generator
) -> tuple[_Seen, Surrogate, np.ndarray]:
    """A guess of the score, from rounds of points that are nearer and nearer to the boundary."""
    budget = int(np.clip(LEARNING * aim.n, min(LEAST_LEARNING, aim.n // 2), MOST_LEARNING))
    each = budget // (ROUNDS + 2)
    n_candidates = int(np.clip(CANDIDATES_A_SHARE / aim.rare, LEAST_CANDIDATES, MOST_CANDIDATES))
    values = draws.some(2 * each)
    seen = _Seen(values, *ask(values))
    surrogate = Surrogate(space, *seen)
    for _ in range(ROUNDS):
        candidates = draws.some(n_candidates)
        picks = _near(surrogate.scores(candidates), each, rng)
        seen = seen.more(candidates[picks], ask)
        surrogate = Surrogate(space, *seen)
        if surrogate.exact:
            break
    return seen, surrogate, draws.some(n_candidates)


def _near(scores: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """Positions of candidates, half of them about the boundary and half of all ranks."""
    most = logit(1 - 1 / len(scores))
    middle = np.clip(logit(_share_above(scores)), -most, most)
    ranks = np.concatenate(
        [rng.uniform(middle - 2, middle + 2, n // 2), rng.uniform(-most, most, n - n // 2)]
    )
    positions = np.minimum((expit(ranks) * len(scores)).astype(int), len(scores) - 1)
    return np.argsort(-scores, kind="stable")[np.unique(positions)]


def _share_above(scores: np.ndarray) -> float:
    """The share of candidates that should hit, neither none nor all."""
    least = 1 / len(scores)
    return float(np.clip((scores > 0).mean(), least, 1 - least))


def _edges(scores: np.ndarray, n: int, *, exact: bool) -> np.ndarray:
    """Scores between strata, the closer the nearer to the boundary."""
    most, farthest = (EXACT_EDGES, EXACT_FARTHEST) if exact else (MOST_EDGES, FARTHEST)
    # each stratum takes its toll on the limits, which few points can ill afford
    n_edges = 2 * (int(np.clip(np.sqrt(n) / 5, 1, most)) // 2) + 1
    steps = np.linspace(-1, 1, n_edges) if n_edges > 1 else np.zeros(1)
    offsets = farthest * np.sign(steps) * abs(steps) ** 1.5
    levels = expit(logit(_share_above(scores)) + offsets)
    edges = np.quantile(scores, 1 - levels, method="nearest")
    if 0 < (scores > 0).mean() < 1:
        edges[n_edges // 2] = 0.0
    return np.unique(edges)


def _allocated(masses: np.ndarray, tried: np.ndarray, found: np.ndarray, n: int) -> np.ndarray:
    """Points for each stratum: Neyman's allocation, and some for each."""
    rates = (found + 0.5) / (tried + 1)
    needs = masses * np.sqrt(rates * (1 - rates))
    least = min(max(LEAST_IN_STRATUM, int(LEAST_OF_STRATUM * n)), n // len(masses))
    left = n - least * len(masses)
    return least + (left * needs / needs.sum()).astype(int)


def _gain(masses: np.ndarray, tried: np.ndarray, found: np.ndarray, wanted: np.ndarray) -> float:
    """How many draws alike one point is worth, infinite where hits or misses were not seen."""
    if not 0 < found.sum() < tried.sum():
        return np.inf
    rates = (found + 0.5) / (tried + 1)
    share = masses @ rates
    variance = masses**2 @ (rates * (1 - rates) / wanted)
    return float(share * (1 - share) / wanted.sum() / variance)


def _alike(draws: _Draws, seen: _Seen, ask: Ask, aim: Aim, n: int) -> Weighed:
    """Independent draws of which every one counts the same."""
    values = draws.some(n)
    hits = np.concatenate([ask(values[k : k + CHUNK])[0] for k in range(0, n, CHUNK)])
    share = stratified_share(np.array([hits.sum()]), np.array([n]), np.ones(1))
    values, hits = np.concatenate([seen.values, values]), np.concatenate([seen.hits, hits])
    p_value = share.p_value(aim.epsilon, aim.direction)
    method = f"{len(values)} draws, {ALIKE} ({draws.method})"
    return Weighed(values, hits, method, True, share.share, *share.interval(aim.alpha), p_value)


def _n_draws(masses: np.ndarray, rates: np.ndarray, wanted: np.ndarray, aim: Aim) -> int:
    """So many draws that the masses of strata add little to the variance of the estimate."""
    expected = float(masses @ rates)
    # a limit is two points or so away where there are no hits
    variance = float(masses**2 @ (rates * (1 - rates) / wanted) + (masses / wanted).max() ** 2)
    least = 4 * aim.n
    most = min(MOST_DRAWS, int(DRAWS_A_SHARE / max(aim.rare, min(expected, 1 - expected))))
    n = LITTLE * expected * (1 - expected) / variance
    return int(np.clip(n, least, max(least, most)))


def _sorted_draws(
    draws: _Draws, sorter: Sorter, wanted: np.ndarray, n: int
) -> tuple[list[np.ndarray], np.ndarray, int]:
    """The first draws of each stratum, and how many it has of how many."""
    counts = np.zeros(len(wanted), dtype=int)
    kept: list[list[np.ndarray]] = [[] for _ in wanted]
    missing = wanted.copy()
    for chunk in draws.chunks(n):
        strata = sorter.strata(chunk)
        counts += np.bincount(strata, minlength=len(wanted))
        for h in np.flatnonzero(missing):
            mine = chunk[np.flatnonzero(strata == h)[: missing[h]]]
            kept[h].append(mine)
            missing[h] -= len(mine)
    return [np.concatenate(each) for each in kept], counts, int(counts.sum())
