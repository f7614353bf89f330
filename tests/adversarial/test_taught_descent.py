"""Descents on what scores teach, and what they are made of."""

import numpy as np
import pytest

from cheap_models import Centroids
from skcorrupt.adversarial.candidates import Sketch
from skcorrupt.adversarial.candidates._shape import Shapes
from skcorrupt.adversarial.strategies._neighbours import by_turns, sort_of
from skcorrupt.adversarial.strategies._struck_rows_process import (
    Outlook,
    StruckRows,
    StruckRowsProcess,
)
from skcorrupt.adversarial.strategies._taught_descent import TaughtDescent
from small_searches import quick, small_data


def test_sources_take_turns():
    assert list(by_turns("abc", "", "d", [None, 1])) == ["a", "d", None, "b", 1, "c"]


def struck_rows(rng, n):
    rates = (rng.random((n, 30)) < 0.3) * rng.choice([0.5, 1.0], (n, 1))
    return StruckRows(rates.astype(np.float32), rng.integers(0, 3, n))


def regressed(process, known, scores, asked):
    """Means and deviations in the textbook's form, in double precision."""
    length, noise, shared = process.settings

    def kernel(some, others):
        apart = ((some.rates[:, None] - others.rates[None]) ** 2).sum(axis=2, dtype=float)
        together = some.groups[:, None] == others.groups
        return np.exp(-apart / length) * np.where(together, 1.0, shared)

    across, within = kernel(asked, known), kernel(known, known) + noise * np.eye(len(known))
    mean = across @ np.linalg.solve(within, (scores - process.mean) / process.spread)
    explained = np.einsum("ij,ji->i", across, np.linalg.solve(within, across.T))
    return process.mean + process.spread * mean, process.spread * np.sqrt(1 - explained)


@pytest.mark.parametrize("seed", range(4))
def test_scores_that_are_learned_later_count_as_if_they_had_been_known(seed):
    rng = np.random.default_rng(seed)
    struck, scores = struck_rows(rng, 90), rng.normal(size=90)
    scores[struck.rates[:, 0] > 0] -= 2
    parts = np.split(np.arange(90), [40, 52, 53, 70])
    process = StruckRowsProcess(struck[parts[0]], scores[parts[0]])
    asked = struck_rows(rng, 20)
    outlook = Outlook(process, asked)
    known = parts[0]
    for more in parts[1:-1]:
        outlook.learn(struck[more], scores[more])
        known = np.concatenate([known, more])
        # what was scored may be asked about, too
        outlook.add(struck[parts[-1]][: len(more)])
        asked = asked.and_then(struck[parts[-1]][: len(more)])
        mean, deviation = outlook.predict()
        means, deviations = regressed(process, struck[known], scores[known], asked)
        assert mean == pytest.approx(means, abs=1e-4)
        assert deviation == pytest.approx(deviations, abs=1e-4)
    first = regressed(process, struck[parts[0]], scores[parts[0]], asked)[0]
    assert process.expected(asked) == pytest.approx(first, abs=1e-4)
    # those that were learned later make a difference
    assert np.abs(first - means).max() > 0.01


def test_every_sort_goes_down_to_what_no_single_change_makes_better():
    X, y = small_data(300)
    task = quick("labels", Centroids(), max_conditions=2).lay_out(X, y).task
    (space,), hidden = task.spaces, np.random.default_rng(1).random(len(X)) < 0.3
    calls = []

    def rows_of(candidate):
        if isinstance(candidate, Sketch):
            return candidate.matched
        return candidate.pattern.mask(space.table.source, space.target.values)

    def expected(candidates):
        calls.append(len(candidates))
        rows = map(rows_of, candidates)
        shares = [c.rate * (row & hidden).sum() for c, row in zip(candidates, rows, strict=True)]
        return -np.array(shares, dtype=float)

    starts = []
    for template in space.templates_of_depth(1):
        grid = space.grid(template)
        points = (space.candidate(template, tuple(p)) for p in grid.points(np.arange(grid.size)))
        starts += [c for c in points if not c.refused]
    descent = TaughtDescent(task, space, Shapes(task.space), expected)
    found = descent.run(starts)
    assert found and not any(c.refused for c in found)
    scores = expected(found)
    assert (np.diff(scores) >= 0).all()
    assert scores.min() < expected(starts).min()
    assert {sort_of(c) for c in starts} <= {sort_of(c) for c in found}
    again = TaughtDescent(task, space, Shapes(task.space), expected).run(starts)
    assert [c.key for c in again] == [c.key for c in found]
    assert max(calls) <= max(descent.most, len(starts), len(found))
