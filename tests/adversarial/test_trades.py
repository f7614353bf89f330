"""Two conditions changed at once, where no single change makes it worse."""

import numpy as np
import pandas as pd
from hypothesis import example, given, settings, strategies as st
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline

from cheap_models import Centroids, share_right
from skcorrupt import AdversarialCorruptionSearch, Pattern
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial.candidates._shape import Shapes
from skcorrupt.adversarial.candidates._trades import trades
from small_searches import ONE_SPLIT

N = 120


def laid_out(X, budget):
    y = (X["a"] + X["b"] > X["a"].mean() + X["b"].mean()).astype(int)
    numbers = make_column_transformer(("passthrough", ["a", "b"]))
    search = AdversarialCorruptionSearch(
        make_pipeline(numbers, Centroids()),
        "selection",
        scoring=share_right,
        cv=ONE_SPLIT,
        budget=budget,
        space=SearchSpace(label="forbidden"),
        confirm_size=None,
    )
    return search.lay_out(X, y).task.space


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.1, 0.2, 0.4]))
def test_one_condition_gives_up_rows_and_another_takes_what_the_budget_has(seed, budget):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=N).round(1), "b": rng.integers(0, 20, N).astype(float)})
    X["c"] = rng.choice(["x", "y", "z"], N)
    space = laid_out(X, budget)
    shapes = Shapes(space)
    pattern = Pattern({"a": (0.0, None), "b": (None, 9.0), "c": ["x", "y"]})
    start = shapes.of(space.transfer(pattern, (), None))
    before = pattern.mask(X)
    allowed = max(before.sum(), budget * N)
    (train,) = space.trains
    found = trades(shapes, space, start)
    for shape in found:
        changed = [j for j in shape.chosen if (shape.chosen[j] != start.chosen[j]).any()]
        assert len(changed) == 2
        gave, took = sorted(changed, key=lambda j: shape.chosen[j].sum() > start.chosen[j].sum())
        alone = before.copy()
        for j in changed:
            alone &= shapes.fine(j).mask(start.chosen[j])
        narrower = alone & shapes.fine(gave).mask(shape.chosen[gave])
        assert narrower.sum() < before.sum()
        assert (start.chosen[gave] | ~shape.chosen[gave]).all()
        assert (shape.chosen[took] | ~start.chosen[took]).all()
        pattern = shapes.made(space, shape).pattern
        assert pattern.mask(X).sum() <= allowed or pattern.mask(X)[train].sum() <= budget * len(
            train
        )


def test_bounds_that_only_help_together_are_found():
    # the budget is full with a > 0 and b > 2; what harms lies where a > 2 and b > 0
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.integers(0, 5, 400), "b": rng.integers(0, 5, 400)}).astype(float)
    wanted = ((X["a"] >= 3) & (X["b"] >= 1)).to_numpy()
    full = ((X["a"] >= 1) & (X["b"] >= 3)).to_numpy()
    space = laid_out(X, float(max(wanted.mean(), full.mean())))
    shapes = Shapes(space)
    start = shapes.of(space.transfer(Pattern({"a": (1.0, None), "b": (3.0, None)}), (), None))
    masks = [shapes.made(space, shape).pattern.mask(X) for shape in trades(shapes, space, start)]
    assert any((mask == wanted).all() for mask in masks)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.1, 0.25, 0.4]))
# a range of which no row was drawn into the training part
@example(2518, 0.1)
def test_ranges_that_just_fit_are_as_wide_as_rows_are_all_struck(seed, budget):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=N).round(1), "b": rng.integers(0, 20, N).astype(float)})
    space = laid_out(X, budget)
    shapes = Shapes(space)
    low, high = np.sort(rng.choice(X["b"].unique(), 2, replace=False))
    start = shapes.of(space.transfer(Pattern({"a": (0.0, None), "b": (low, high)}), (), None))
    values = np.unique(X["b"])
    expected = []
    for moved in (0, -1, 1):
        first, last = np.searchsorted(values, [low, high]) + moved
        if first >= 0 and last < len(values):
            ends = [(end, values[last]) for end in values]
            ends_above = [(values[first], end) for end in values[::-1]]
            for ranges in (ends, ends_above):
                expected += _least(X, space, [{"a": (0.0, None), "b": each} for each in ranges])
    found = [shapes.fine(1).mask(levels) for levels in shapes.fitted(space, start, 1, (0, -1, 1))]
    assert {mask.tobytes() for mask in found} == {mask.tobytes() for mask in expected}


def _least(X, space, patterns):
    """The condition on b of the first pattern of which all rows are struck, if it is one."""
    for pattern in patterns:
        low, high = pattern["b"]
        if low <= high and space.transfer(Pattern(pattern), (), None).rate == 1:
            mask = X["b"].between(low, high).to_numpy()
            return [] if mask.all() else [mask]
    return []
