"""Descents on what scores teach, and what they are made of."""

import itertools

import numpy as np
import pandas as pd
import pytest

from cheap_models import Centroids
from skcorrupt.adversarial.candidates import Sketch
from skcorrupt.adversarial.candidates._make_space import candidate_space
from skcorrupt.adversarial.candidates._shape import Shapes
from skcorrupt.adversarial.strategies._compared_rows import ComparedRows
from skcorrupt.adversarial.strategies._neighbours import by_turns, neighbours, sort_of
from skcorrupt.adversarial.strategies._struck_rows_process import (
    Outlook,
    StruckRows,
    StruckRowsProcess,
)
from skcorrupt.adversarial.strategies._taught_descent import TaughtDescent
from skcorrupt.attributes import SearchSpace
from skcorrupt.corruptions import short_names
from skcorrupt.patterns import Pattern
from skcorrupt.utils import as_table
from small_searches import quick, small_data


def places():
    """Patterns that templates have."""
    return [None, Pattern.parse("a <= 2"), Pattern.parse("y == 1"), Pattern({"kind": ["u", "v"]})]


def mixed(rng, n=48):
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 6, n).astype(float),
            "b, x": rng.normal(size=n).round(1),
            "kind": rng.choice(list("uvwx"), n),
            "day": pd.Timestamp("2026-01-01") + pd.to_timedelta(rng.integers(0, 9, n), "D"),
        }
    )
    X.loc[rng.random(n) < 0.15, "a"] = np.nan
    X.loc[rng.random(n) < 0.15, "kind"] = None
    return X, pd.Series(rng.integers(0, 3, n), name="y")


def parts(rng, n):
    """Training rows of splits, once or several times each."""
    halves = [np.sort(part) for part in np.array_split(rng.permutation(n), 2)]
    return [[np.arange(n)], halves, [rng.integers(0, n, n), halves[0]]][rng.integers(3)]


def struck_by(sketch, n):
    return np.unpackbits(sketch.bits, count=n).astype(bool)


def largest_rate(space, struck):
    """The rate at which a budget is kept in every part, counted row by row."""
    rates = []
    for part in space.trains:
        matched, allowed = sum(struck[i] for i in part), int(space.budget * len(part) + 1e-9)
        rates.append(min(1.0, allowed / matched))
    return min(rates)


@pytest.mark.parametrize("kind", ["missing", "labels", "selection", "noise", "shift", "duplicates"])
@pytest.mark.parametrize("seed", range(6))
def test_a_sketch_is_what_the_candidate_is(kind, seed):
    rng = np.random.default_rng([seed, len(kind)])
    X, y = mixed(rng)
    template = short_names()[kind](pattern=rng.choice(np.array(places(), dtype=object)))
    template.rate = None if seed % 2 else float(rng.choice([0.3, 1.0]))
    space = SearchSpace(
        max_conditions=2, n_bins=4, search_rate=bool(seed % 3), min_support=0.1 * (seed % 2),
        label=rng.choice(np.array([None, "required", "forbidden"], dtype=object)),
    )  # fmt: skip
    budget = float(rng.choice([0.1, 0.4, 1.0]))
    whole = candidate_space(
        space, template, as_table(X), y, parts(rng, len(X)), budget=budget, classifier=True
    )
    within, shapes = whole.within(budget / 2), Shapes(whole)
    compared, n_met = ComparedRows(within, rng), 0
    for depth in whole.depths:
        for template in itertools.islice(whole.templates_of_depth(depth), 5):
            grid = whole.grid(template)
            point = tuple(grid.points(rng.integers(grid.size, size=1))[0].tolist())
            shape = shapes.of(whole.candidate(template, point))
            if shape is None:
                continue
            for other in itertools.islice(neighbours(shapes, within, shape), 40):
                made, (sketch,) = shapes.made(within, other), shapes.sketched(within, [other])
                assert bool(made.refused) == bool(sketch.refused)
                if made.refused:
                    continue
                n_met += 1
                for name in ("key", "rate", "columns", "target"):
                    assert getattr(made, name) == getattr(sketch, name)
                mask = made.pattern.mask(X, whole.target.for_patterns)
                able = whole.changeable(other.choice.target, other.columns)
                np.testing.assert_array_equal(struck_by(sketch, len(X)), mask & able)
                if whole.template.rate is None and not whole.by_part:
                    largest = other.step * largest_rate(within, mask & able)
                    assert sketch.rate == pytest.approx(largest)
                rows = compared.of([made, sketch])
                np.testing.assert_array_equal(*rows.rates)
                assert len(set(rows.groups.tolist())) == 1
    assert n_met or budget < 0.2


def alone(space):
    """The candidates of one condition."""
    found = []
    for template in space.templates_of_depth(1):
        grid = space.grid(template)
        points = (space.candidate(template, tuple(p)) for p in grid.points(np.arange(grid.size)))
        found += [candidate for candidate in points if not candidate.refused]
    return found


def test_descents_keep_the_rules_of_the_user():
    X, y = small_data(300)
    first, second, *_ = X.columns
    rules = SearchSpace(max_conditions=2, exclude=[(first, second)])
    task = quick("labels", Centroids(), space=rules).lay_out(X, y).task
    (space,) = task.spaces

    def expected(candidates):
        return -np.array([c.rate for c in candidates]) + 1 / np.arange(1, len(candidates) + 1)

    starts = alone(space)
    descent = TaughtDescent(task, space, Shapes(task.space), expected)
    found = descent.run(starts, expected(starts))
    assert found and not any(c.refused for c in found)
    assert all({first, second} - set(map(str, c.pattern.columns)) for c in found)


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

    across, within = kernel(asked, known), kernel(known, known) + noise * np.eye(len(known.groups))
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
            return struck_by(candidate, len(X))
        return candidate.pattern.mask(space.table.source, space.target.values)

    def expected(candidates):
        calls.append(len(candidates))
        rows = map(rows_of, candidates)
        shares = [c.rate * (row & hidden).sum() for c, row in zip(candidates, rows, strict=True)]
        return -np.array(shares, dtype=float)

    starts = alone(space)
    descent = TaughtDescent(task, space, Shapes(task.space), expected)
    found = descent.run(starts, expected(starts))
    assert found and not any(c.refused for c in found)
    scores = expected(found)
    assert (np.diff(scores) >= 0).all()
    assert scores.min() < expected(starts).min()
    assert {sort_of(c) for c in starts} <= {sort_of(c) for c in found}
    afresh = TaughtDescent(task, space, Shapes(task.space), expected)
    again = afresh.run(starts, expected(starts))
    assert [c.key for c in again] == [c.key for c in found]
    assert max(calls) <= max(descent.most, len(starts), len(found))
