"""The ask and tell interface that all optimizers share."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from skopt.learning import ExtraTreesRegressor

from skcorrupt.adversarial import Grid, make_optimizer
from skcorrupt.adversarial.optimizers import ExhaustiveOptimizer
from skcorrupt.adversarial.optimizers._surrogate_optimizer import grown_trees

NAMES = ["auto", "gp", "forest", "tpe", ExhaustiveOptimizer, "random"]


def grid_of(*shape):
    return Grid([np.arange(levels, dtype=float)[:, None] / max(levels, 1) for levels in shape])


def bowl(point):
    return float(sum((level - 2) ** 2 for level in point))


def run(name, grid, n_calls, seed=0, start=(), batch=4):
    """Ask, score, tell, until the optimizer has nothing more or the calls are spent."""
    optimizer = make_optimizer(name, grid, n_calls, seed, start)
    tried = []
    while len(tried) < n_calls:
        points = []
        for point in optimizer.ask():
            assert point not in tried
            if point not in points:
                points.append(point)
            if len(points) >= min(batch, n_calls - len(tried)):
                break
        if not points:
            break
        optimizer.tell(points, [bowl(point) for point in points])
        tried += points
    return tried


@given(shape=st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_a_grid_numbers_its_points(shape):
    grid = grid_of(*shape)
    points = grid.points(np.arange(grid.size))
    expected = np.array(list(np.ndindex(*shape)))
    np.testing.assert_array_equal(points, expected)
    assert grid.size == np.prod(shape)
    assert grid.features(points).shape == (grid.size, len(shape))


def test_features_are_the_coordinates_of_the_levels():
    grid = Grid([np.array([[0.0, 1.0], [5.0, 6.0]]), np.eye(3)])
    np.testing.assert_array_equal(grid.features(np.array([[1, 2]])), [[5, 6, 0, 0, 1]])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(1,), (3,), (2, 3), (1, 1, 4)])
def test_small_grids_are_covered_without_repeats(name, shape):
    if name == "tpe":
        pytest.importorskip("optuna")
    grid = grid_of(*shape)
    tried = run(name, grid, 50)
    assert sorted(tried) == sorted(np.ndindex(*shape))
    assert all(isinstance(level, int) for point in tried for level in point)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_large_grids_are_sampled_within_bounds_and_repeatably(name):
    if name == "tpe":
        pytest.importorskip("optuna")
    grid = grid_of(12, 9, 7)
    tried = run(name, grid, 20, seed=3)
    assert len(tried) == len(set(tried)) == 20
    assert (np.array(tried) >= 0).all()
    assert (np.array(tried) < grid.shape).all()
    assert run(name, grid, 20, seed=3) == tried
    if name is not ExhaustiveOptimizer:
        assert run(name, grid, 20, seed=4) != tried


@pytest.mark.parametrize("name", ["gp", "forest", "tpe", "random"])
def test_starting_points_come_first(name):
    if name == "tpe":
        pytest.importorskip("optuna")
    start = [(3, 3), (0, 1), (3, 3)]
    assert run(name, grid_of(9, 9), 6, start=start)[:2] == [(3, 3), (0, 1)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gp", "forest", "tpe"])
def test_models_do_better_than_chance(name):
    if name == "tpe":
        pytest.importorskip("optuna")
    grid = grid_of(25, 25)
    seeds = range(6)
    guided = np.mean([min(map(bowl, run(name, grid, 32, seed))) for seed in seeds])
    random = np.mean([min(map(bowl, run("random", grid, 32, seed))) for seed in seeds])
    assert guided < random


def test_auto_enumerates_grids_of_up_to_n_calls_points():
    assert run("auto", grid_of(4, 5), 20) == list(np.ndindex(4, 5))
    assert run("auto", grid_of(4, 5), 19)[:4] != list(np.ndindex(4, 5))[:4]


@settings(max_examples=25)
@given(
    shape=st.lists(st.integers(1, 5), min_size=1, max_size=3),
    batch=st.integers(1, 7),
    calls=st.integers(1, 30),
)
def test_enumeration_in_any_batches_keeps_the_order(shape, batch, calls):
    tried = run(ExhaustiveOptimizer, grid_of(*shape), calls, batch=batch)
    assert tried == list(np.ndindex(*shape))[:calls]


def test_enumeration_does_not_walk_over_the_past_again():
    # a batch must not cost more for what was told before: 20,000 points would take minutes
    grid = grid_of(20_000)
    asked = []
    points = grid.points
    grid.points = lambda indices: asked.append(len(indices)) or points(indices)
    assert len(run(ExhaustiveOptimizer, grid, 2_000)) == 2_000
    assert sum(asked) < 6_000


@pytest.mark.parametrize("level", ["DEBUG", "ERROR"])
def test_tpe_leaves_optunas_log_as_it_is(level, capfd):
    logging = pytest.importorskip("optuna").logging
    before = logging.get_verbosity()
    try:
        logging.set_verbosity(getattr(logging, level))
        optimizer = make_optimizer("tpe", grid_of(3), 5, 0)
        optimizer.ask()
        assert logging.get_verbosity() == getattr(logging, level)
        assert capfd.readouterr().err == ""
    finally:
        logging.set_verbosity(before)


def test_tpe_without_optuna_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(ImportError, match=r"pip install 'skcorrupt\[tpe\]'"):
        optimizer = make_optimizer("tpe", grid_of(3), 5, 0)
        optimizer.ask()


@settings(max_examples=20, deadline=None)
@given(n_points=st.integers(4, 60), n_features=st.integers(1, 9), seed=st.integers(0, 2**31 - 1))
def test_trees_are_those_of_the_forest_they_come_from(n_points, n_features, seed):
    rng = np.random.default_rng(seed)
    X, asked = (rng.integers(0, 5, (n, n_features)).astype(float) for n in (n_points, 40))
    y = rng.normal(size=n_points)
    forest = ExtraTreesRegressor(n_estimators=24, random_state=seed).fit(X, y)
    by_forest = [tree.predict(asked) for tree in forest.estimators_]
    np.testing.assert_array_equal(grown_trees(X, y, asked, seed), by_forest)


@given(
    shape=st.lists(st.integers(1, 6), min_size=1, max_size=4),
    n=st.integers(0, 40),
    seed=st.integers(0, 99),
)
def test_repeated_points_are_dropped_and_the_rest_keep_the_order_of_the_grid(shape, n, seed):
    grid = grid_of(*shape)
    rng = np.random.default_rng(seed)
    points = np.column_stack([rng.integers(levels, size=n) for levels in shape])
    expected = sorted(set(map(tuple, points.tolist())))
    assert list(map(tuple, grid.distinct(points).tolist())) == expected


@pytest.mark.parametrize("name", ["forest", "random"])
def test_a_grid_of_more_points_than_integers_is_searched(name):
    grid = grid_of(*[300] * 8)
    assert grid.size > np.iinfo(np.int64).max
    tried = run(name, grid, 20)
    assert len(set(tried)) == 20
    assert run(name, grid, 20) == tried
