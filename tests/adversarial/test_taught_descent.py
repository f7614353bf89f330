"""Descents on what scores teach, and what they are made of."""

import numpy as np
import pytest

from cheap_models import Centroids
from skcorrupt.adversarial.candidates._shape import Shapes
from skcorrupt.adversarial.strategies._neighbours import by_turns, sort_of
from skcorrupt.adversarial.strategies._struck_rows_process import StruckRows, StruckRowsProcess
from skcorrupt.adversarial.strategies._taught_descent import TaughtDescent
from small_searches import quick, small_data


def test_sources_take_turns():
    assert list(by_turns("abc", "", "d", [None, 1])) == ["a", "d", None, "b", 1, "c"]


def test_expected_scores_are_those_that_are_predicted():
    rng = np.random.default_rng(0)
    struck = StruckRows((rng.random((60, 30)) < 0.3).astype(np.float32), rng.integers(0, 2, 60))
    process = StruckRowsProcess(struck[np.arange(40)], rng.normal(size=40))
    others = struck[np.arange(40, 60)]
    assert process.expected(others) == pytest.approx(process.predict(others)[0])


def test_every_sort_goes_down_to_what_no_single_change_makes_better():
    X, y = small_data(300)
    task = quick("labels", Centroids(), max_conditions=2).lay_out(X, y).task
    (space,), hidden = task.spaces, np.random.default_rng(1).random(len(X)) < 0.3
    calls = []

    def expected(candidates):
        calls.append(len(candidates))
        rows = [c.pattern.mask(space.table.source, space.target.values) for c in candidates]
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
