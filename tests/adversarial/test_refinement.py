"""The winner at full resolution: observed values between bins, open ends, single categories."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from cheap_models import Centroids, share_right
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial.candidates._shape import Shapes
from skcorrupt.adversarial.proxies import Screened, _fewer_rows
from skcorrupt.adversarial.strategies import _refinement
from skcorrupt.adversarial.strategies._refinement import Refinement
from skcorrupt.attributes._fine_attribute import FineAttribute
from skcorrupt.patterns import Pattern
from skcorrupt.utils import as_table, column_key
from small_searches import ONE_SPLIT, quick, small_data


def search_of(X, y, corruption="labels", strategy="exhaustive", **space):
    space = {"n_bins": 3, "max_conditions": 1, **space}
    return AdversarialCorruptionSearch(
        Centroids(),
        corruption,
        budget=0.3,
        scoring=share_right,
        cv=ONE_SPLIT,
        confirm_size=None,
        strategy=strategy,
        space=SearchSpace(**space),
        random_state=0,
    ).fit(X, y)


def stepped(edge, n=120):
    """One column whose label changes at a value that is no edge of three bins."""
    rng = np.random.default_rng(0)
    x = rng.permutation(n).astype(float)
    flip = rng.random(n) < 0.1
    return pd.DataFrame({"x": x}), pd.Series(((x > edge) ^ flip).astype(int))


@pytest.mark.parametrize("edge", [13.0, 50.0, 97.0])
@pytest.mark.many
def test_bounds_go_to_values_between_bins(edge):
    X, y = stepped(edge)
    search = search_of(X, y)
    assert search.worst_score_ == np.nanmin(search.cv_results_["mean_test_score"])
    # three bins have two edges
    bounds = {bound for text in search.cv_results_["pattern"] for bound in _bounds(text)}
    assert len(bounds) > 4


def _bounds(text):
    condition = Pattern.parse(text).conditions.get("x")
    ends = () if condition is None else (condition.lower, condition.upper)
    return [end for end in ends if end is not None]


@pytest.mark.long
def test_no_single_change_of_the_winner_is_worse():
    X, y = small_data()
    search = quick("missing", n_calls=32, budget=0.3, n_bins=3).fit(X, y)
    task = search.lay_out(X, y).task
    shapes = Shapes(task.space)
    winner = search.worst_corruption_
    candidate = task.space.transfer(winner.pattern, tuple(winner.columns), None)
    shape = shapes.of(candidate)
    near = [shapes.made(task.space, other) for piece in shapes.near(shape) for other in piece]
    near = [c for c in near if not c.refused and c.rate == 1]
    task.evaluator.evaluate(near)
    assert candidate.rate == 1
    lowest = min(task.evaluator.done[c.key].score for c in near)
    assert np.nanmin([lowest, 1.0]) >= search.worst_score_ - 1e-12


@pytest.mark.long
def test_single_categories_come_and_go():
    """A set that no range of categories by label rate gives, as its members lie far apart."""
    rng = np.random.default_rng(3)
    c = np.array(list("abcdefgh"))[rng.integers(0, 8, 120)]
    y = pd.Series((rng.random(120) < np.searchsorted(list("abcdefgh"), c) / 8).astype(int))
    X = pd.DataFrame({"c": c.astype(object)})
    search = AdversarialCorruptionSearch(
        make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression()),
        "selection",
        budget=0.4,
        cv=ONE_SPLIT,
        confirm_size=None,
        strategy="exhaustive",
        random_state=0,
        space=SearchSpace(n_bins=2, exclude=[lambda pattern, X, y: not pattern.columns]),
    ).fit(X, y)
    sets = [Pattern.parse(text).conditions.get("c") for text in search.cv_results_["pattern"]]
    order = X.assign(y=y).groupby("c")["y"].mean().sort_values(kind="stable").index.tolist()
    places = [sorted(map(order.index, each.values)) for each in sets if each is not None]
    assert any(max(p) - min(p) >= len(p) for p in places)
    assert search.worst_score_ == np.nanmin(search.cv_results_["mean_test_score"])


columns = st.lists(
    st.floats(-50, 50, allow_nan=False).map(lambda v: round(v, 2)) | st.just(np.nan),
    min_size=8,
    max_size=40,
)


@given(columns, st.data())
@settings(max_examples=60)
def test_a_condition_matches_the_levels_it_was_made_of(values, data):
    X = pd.DataFrame({"x": values})
    fine = FineAttribute.of(as_table(X), 0)
    n = fine.levels.n_levels
    if n < 2:
        return
    first = data.draw(st.integers(0, n - 1))
    last = data.draw(st.integers(first, n - 1))
    if (first, last) == (0, n - 1):
        return
    chosen = np.zeros(n, dtype=bool)
    chosen[first : last + 1] = True
    mask = Pattern({column_key("x"): fine.condition(chosen)}).mask(X)
    np.testing.assert_array_equal(mask, fine.mask(chosen))
    np.testing.assert_array_equal(fine.matched(mask), chosen)


@given(st.lists(st.sampled_from(["a", "b b", "", "`c`", None]), min_size=4, max_size=30), st.data())
@settings(max_examples=60)
def test_a_set_matches_the_categories_it_was_made_of(values, data):
    X = pd.DataFrame({"x": pd.Series(values, dtype=object)})
    fine = FineAttribute.of(as_table(X), 0)
    n = fine.levels.n_levels
    if n < 2:
        return
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    if not chosen.any() or chosen.all():
        return
    mask = Pattern({column_key("x"): fine.condition(chosen)}).mask(X)
    np.testing.assert_array_equal(mask, fine.mask(chosen))


def score_shortest(task):
    """All patterns of the fewest conditions."""
    for template in task.space.first_templates():
        grid = task.space.grid(template)
        points = map(tuple, grid.points(np.arange(grid.size)).tolist())
        made = [task.space.candidate(template, point) for point in points]
        task.evaluator.evaluate([candidate for candidate in made if not candidate.refused])


def test_beside_a_lucky_draw_what_strikes_all_rows_is_refined():
    X, y = small_data()
    task = quick("labels", budget=0.3, n_bins=3).lay_out(X, y).task
    score_shortest(task)
    (space,) = task.spaces
    whole = next(e for e in task.evaluator.within(space.budget) if e.candidate.rate == 1)
    drawn = next(e for e in task.evaluator.within(space.budget) if e.candidate.rate < 1)
    assert Refinement(task, 8).leaders(space) in ([whole], [drawn, whole])
    lucky = [replace(outcome, score=whole.score - 1) for outcome in drawn.outcomes]
    task.evaluator.done[drawn.candidate.key] = drawn = replace(drawn, outcomes=lucky)
    assert Refinement(task, 8).leaders(space) == [drawn, whole]


def test_where_sorts_are_few_leaders_strike_other_rows():
    X, y = stepped(50.0)
    task = quick("selection", budget=0.3, n_bins=8).lay_out(X, y).task
    score_shortest(task)
    (space,) = task.spaces
    ranked = task.evaluator.within(space.budget)
    leaders = Refinement(task, 8, 5).leaders(space)
    # one column, and a condition on either label
    assert len(leaders) >= 4
    assert leaders[0] is ranked[0]
    masks = [e.candidate.pattern.mask(X, y) for e in leaders[2:4]]
    for i, one in enumerate(masks):
        for other in masks[:i]:
            assert (one & other).sum() < 0.8 * (one | other).sum()
    assert len(Refinement(task, 8, 1).leaders(space)) <= 2


def test_beside_a_lucky_draw_the_worst_of_every_label_that_strikes_all_rows_is_refined():
    X, y = small_data()
    task = quick("labels", budget=0.3, n_bins=3).lay_out(X, y).task
    score_shortest(task)
    (space,) = task.spaces
    refinement = Refinement(task, 8, 12)
    worst = task.evaluator.within(space.budget)[0].score
    drawn = next(e for e in task.evaluator.within(space.budget) if e.candidate.rate < 1)
    lucky = [replace(outcome, score=worst - 1) for outcome in drawn.outcomes]
    task.evaluator.done[drawn.candidate.key] = replace(drawn, outcomes=lucky)
    whole = [e for e in task.evaluator.within(space.budget) if e.candidate.rate == 1]
    of_label = {refinement.shapes.side(e.candidate): e for e in reversed(whole)}
    assert len(of_label) == 2
    leaders = refinement.leaders(space)
    assert all(each in leaders for each in of_label.values())


@given(st.lists(st.integers(0, 9), min_size=6, max_size=30), st.data())
@settings(max_examples=40)
def test_one_end_of_a_range_goes_wherever_it_matches_other_rows(values, data):
    X = pd.DataFrame({"x": np.array(values, dtype=float), "z": np.arange(len(values)) % 2.0})
    y = pd.Series(data.draw(st.lists(st.integers(0, 1), min_size=len(X), max_size=len(X))))
    if X["x"].nunique() < 3 or y.nunique() < 2:
        return
    cv = [(np.arange(len(X)), np.arange(len(X)))]
    task = quick("labels", budget=0.9, n_bins=3, cv=cv).lay_out(X, y).task
    shapes, (space,) = Shapes(task.space), task.spaces
    score_shortest(task)
    ranked = [each.candidate for each in task.evaluator.ranked()]
    known = [c for c in ranked if "x" in map(str, c.pattern.columns)]
    if not known:
        return
    shape = shapes.of(data.draw(st.sampled_from(known)))
    levels = np.unique(X["x"])
    (own,) = shape.chosen.values()
    first, last = levels[own][0], levels[own][-1]
    allowed = shapes.rows(space, shape, 0)
    before = frozenset(np.flatnonzero(allowed & X["x"].between(first, last).to_numpy()))
    wanted = set()
    for a, b in [(a, last) for a in levels] + [(first, b) for b in levels]:
        rows = frozenset(np.flatnonzero(allowed & X["x"].between(a, b).to_numpy()))
        # all values are no condition
        if rows and rows != before and (a, b) != (levels[0], levels[-1]):
            wanted.add(rows)
    moved = [
        frozenset(np.flatnonzero(shapes.rows(space, s)))
        for s in shapes.ends_moved(space, shape, 99)
    ]
    assert wanted <= set(moved)
    distances = [len(rows ^ before) for rows in moved]
    assert distances == sorted(distances) and 0 not in distances
    # of fewer, the nearest are there
    fewer = shapes.ends_moved(space, shape, 2)
    assert [frozenset(np.flatnonzero(shapes.rows(space, s))) for s in fewer] == moved[:2]


class Counted(ClassifierMixin, BaseEstimator):
    """What it fits is how many rows there are."""

    def fit(self, X, y):
        self.classes_, self.n_ = np.unique(y), len(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def trough(model, X, y):
    """Low at 85 rows alone."""
    return 0.1 if model.n_ == 85 else 0.5 + abs(model.n_ - 85) / 1000


@pytest.mark.parametrize("swept", [0, 32])
def test_a_lone_trough_a_few_rows_away_is_found_by_moving_an_end_anywhere(swept):
    X, y = stepped(50.0)
    cv = [(np.arange(100), np.arange(100, 120))]
    search = quick("selection", Counted(), budget=0.3, n_bins=4, cv=cv, scoring=trough)
    task = search.lay_out(X, y).task
    score_shortest(task)
    (space,) = task.spaces
    assert task.evaluator.ranked()[0].score > 0.4
    refinement = Refinement(task, 60, swept=swept)
    before, most = len(task.evaluator.done), refinement.most
    refinement.refine(space)
    assert (task.evaluator.ranked()[0].score == 0.1) == (swept > 0)
    assert len(task.evaluator.done) - before <= most == 60 + swept


@pytest.mark.parametrize("most", [80, 0])
@pytest.mark.parametrize("seed", range(3))
def test_near_a_drawn_leader_the_same_draws_are_compared(seed, most):
    X, y = small_data(seed=seed)
    task = quick("labels", budget=0.1, n_bins=3, scoring="accuracy").lay_out(X, y).task
    score_shortest(task)
    (space,) = task.spaces
    random = [e for e in task.evaluator.within(space.budget) if e.candidate.rate < 1]
    # what is near one of the last is worse
    leader = random[-3]
    task.evaluator.draw_again([leader], 8)
    leader = task.evaluator.done[leader.candidate.key]
    before = {key: e.n_draws for key, e in task.evaluator.done.items()}
    refinement = Refinement(task, most, n_draws=4, most_drawn=60)
    refinement.refine(space, [leader])
    done = task.evaluator.done
    n_drawn = sum(e.n_draws - before.get(key, 1) for key, e in done.items())
    n_new = len(done) - len(before)
    assert n_new == most - refinement.left and (n_new > 0) == (most > 0)
    # a step may end beyond what is left of draws
    assert 0 <= n_drawn == 60 - refinement.draws_left <= 60 + 3 * 16
    more = [e for key, e in done.items() if e.n_draws > before.get(key, 1)]
    assert (n_drawn > 0 or most == 0) and len(more) == n_drawn / 3
    assert all(e.n_draws == 4 and e.candidate.rate < 1 for e in more)
    lowest = min(e.draws[:4].mean() for e in more)
    assert lowest < leader.draws[:4].mean()


def refined(X, y, most=60):
    """The worst after a refinement, and how many candidates it has scored on all rows."""
    cv = [(np.arange(600), np.arange(600, 900))]
    task = quick("selection", budget=0.3, n_bins=4, cv=cv).lay_out(X, y).task
    score_shortest(task)
    before = task.evaluator.ranked()[0].score, len(task.evaluator.done)
    refinement = Refinement(task, most)
    refinement.refine(task.spaces[0])
    worst = task.evaluator.ranked()[0]
    assert worst.score <= before[0]
    return worst, len(task.evaluator.done) - before[1], refinement.left


@pytest.mark.long
def test_of_very_many_rows_all_are_scored_where_a_sample_says_that_it_is_worst(monkeypatch):
    X, y = stepped(523.0, n=900)
    worst, n_scored, left = refined(X, y)
    monkeypatch.setattr(_refinement, "MANY_ROWS", 300)
    # a sample of all rows is in the order of all rows
    same, n_some, left_then = refined(X, y)
    assert same.candidate.pattern == worst.candidate.pattern and same.score == worst.score
    assert n_some < n_scored and 0 <= left_then <= left
    monkeypatch.setattr(_refinement, "CLOSER_ROWS", 400)
    sampled, n_some, _ = refined(X, y)
    assert n_some < n_scored
    assert sampled.score <= worst.score + 0.02


@pytest.fixture
def samples(monkeypatch):
    """Samples that are drawn where 300 rows are very many."""
    monkeypatch.setattr(_refinement, "MANY_ROWS", 300)
    drawn = []

    def on_fewer_rows(*args):
        drawn.append(_fewer_rows.on_fewer_rows(*args))
        return drawn[-1]

    monkeypatch.setattr(_refinement, "on_fewer_rows", on_fewer_rows)
    return drawn


def test_refinements_of_a_search_share_a_sample_and_what_lost_on_it_counts_once(samples):
    X, y = stepped(523.0, n=900)
    cv = [(np.arange(600), np.arange(600, 900))]
    task = quick("selection", budget=0.3, n_bins=4, cv=cv).lay_out(X, y).task
    score_shortest(task)
    (space,) = task.spaces
    leader = Refinement(task, 60).leaders(space)[0]
    before = set(task.evaluator.done)
    first = Refinement(task, 60)
    first.refine(space, [leader])
    (sample,) = samples
    lost = sample.done.keys() - task.evaluator.done.keys()
    scored = (task.evaluator.done.keys() | sample.done.keys()) - before
    assert lost and 60 - first.left == len(scored)
    n_sampled = len(sample.done)
    second = Refinement(task, 60)
    second.refine(space, [leader])
    # only what was not looked at before is left to look at
    more = (task.evaluator.done.keys() | sample.done.keys()) - before - scored
    assert 60 - second.left == len(more) < len(scored)
    assert samples == [sample] and len(sample.done) <= n_sampled + len(more)
    assert not replace(task).sample


def test_no_sample_is_kept_behind_a_search(samples):
    X, y = stepped(523.0, n=900)
    cv = [(np.arange(600), np.arange(600, 900))]
    problem = quick("selection", budget=[0.2, 0.3], n_bins=4, cv=cv).lay_out(X, y)
    problem.search.run(Screened())
    assert len(samples) == 1 and not problem.task.sample


@pytest.mark.parametrize("apply_to", ["train", "test", "both"])
def test_a_sample_is_struck_where_all_rows_are(apply_to, monkeypatch):
    X, y = small_data()
    monkeypatch.setattr(_refinement, "MANY_ROWS", 10)
    task = (
        quick("missing", budget=0.3, n_bins=3, apply_to=apply_to, scoring="accuracy")
        .lay_out(X, y)
        .task
    )
    refinement = Refinement(task, 8)
    assert refinement._sampled.apply_to == apply_to
    score_shortest(task)
    candidates = [each.candidate for each in task.evaluator.ranked()[:6]]
    assert len(candidates) == 6
    n_kept = 6 if apply_to == "test" else _refinement.FINALISTS
    assert len(refinement._likeliest(candidates)) == n_kept
