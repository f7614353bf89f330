"""Optimizers of a user's own."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from flat_search import flat_search
from skcorrupt.adversarial import GridOptimizer

pytestmark = pytest.mark.usefixtures("few_fits")


class Backwards(GridOptimizer):
    """Every point, the last one first."""

    def propose(self):
        for i in range(self.grid.size - 1, -1, -1):
            yield tuple(self.grid.points(np.array([i]))[0].tolist())


class OffTheGrid(GridOptimizer):
    def propose(self):
        yield tuple(self.grid.shape)


class Lists(GridOptimizer):
    def propose(self):
        yield [0] * len(self.grid.shape)


class Halves(GridOptimizer):
    def propose(self):
        yield (0.5,) * len(self.grid.shape)


class Silent(GridOptimizer):
    pass


class NoOptimizer:
    pass


def data():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 150)
    X = pd.DataFrame({"a": y + rng.normal(size=150), "b": rng.integers(0, 5, 150)})
    return X, y


def search(optimizer, **params):
    usual = {"n_bins": 3, "max_conditions": 2, "cv": 2, "confirm_size": None, "random_state": 0}
    return flat_search(
        make_pipeline(SimpleImputer(), GaussianNB()),
        "missing",
        budget=0.3,
        scoring="roc_auc",
        optimizer=optimizer,
        pattern_columns=["a", "b"],
        corrupt_columns=["a"],
        **(usual | params),
    )


@pytest.mark.slow
def test_all_points_in_another_order_find_the_same():
    X, y = data()
    expected = search("auto", n_calls=10_000).fit(X, y)
    found = search(Backwards, n_calls=10_000).fit(X, y)
    assert found.worst_score_ == expected.worst_score_
    assert found.n_evaluations_ == expected.n_evaluations_


def test_it_is_asked_for_as_many_as_there_are_calls():
    X, y = data()
    setup = search(Backwards, n_calls=3)
    found = setup.fit(X, y)
    space = setup.lay_out(X, y).task.space
    last = next(t for t in space.templates_of_depth(2) if t.columns == (0,))
    table = pd.DataFrame(found.cv_results_)
    asked = table[(table["depth"] == 2) & (table["columns"] == ("a",))]
    assert len(asked) >= 3
    grid = space.grid(last)
    point = tuple(grid.points(np.array([grid.size - 1]))[0].tolist())
    assert str(space.candidate(last, point).pattern) in set(table["pattern"])


@pytest.mark.slow
def test_cloned_in_parallel_and_with_a_journal(tmp_path):
    X, y = data()
    alone = search(Backwards, n_calls=6).fit(X, y)
    path = tmp_path / "journal.sqlite"
    kept = clone(search(Backwards, n_calls=6, n_jobs=2, journal=path))
    assert kept.strategy.optimizer is Backwards
    for _ in range(2):
        kept.fit(X, y)
        assert kept.worst_score_ == alone.worst_score_
        assert kept.n_evaluations_ == alone.n_evaluations_
    other = search("random", n_calls=6, journal=path).fit(X, y)
    assert other.worst_score_ == search("random", n_calls=6).fit(X, y).worst_score_


@pytest.mark.parametrize("optimizer", [OffTheGrid, Lists, Halves])
def test_points_off_the_grid_are_refused(optimizer):
    with pytest.raises(ValueError, match=rf"{optimizer.__name__}.propose\(\) gave .* integers"):
        search(optimizer).fit(*data())


def test_no_propose():
    with pytest.raises(NotImplementedError, match=r"Silent should define propose\(\)"):
        search(Silent).fit(*data())


@pytest.mark.parametrize("optimizer", [NoOptimizer, dict])
def test_other_classes_are_refused(optimizer):
    with pytest.raises(ValueError, match=f"optimizer={optimizer.__name__} should be one of auto"):
        search(optimizer).fit(*data())


def test_objects_are_refused():
    with pytest.raises(ValueError, match="'optimizer' parameter"):
        search(Backwards(None, 1, 0)).fit(*data())
