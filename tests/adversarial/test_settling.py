"""Scores are means over draws where errors are random, and can be made again."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from cheap_models import Centroids, share_right
from skcorrupt import AdversarialCorruptionSearch, CorruptMissing, cross_validate_corrupted
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.adversarial.candidates import Deadline, Evaluation
from skcorrupt.adversarial.candidates._evaluation import Ranking
from skcorrupt.adversarial.strategies._settling import Settling, draw_lucky
from skcorrupt.evaluation import Outcome
from small_searches import ONE_SPLIT, quick, small_data

pytestmark = pytest.mark.usefixtures("no_alternatives")


@pytest.mark.slow
@pytest.mark.parametrize("corruption", ["missing", "labels", "selection", "noise", "outliers"])
@pytest.mark.parametrize("confirm_size", [None, 0.25])
def test_the_worst_score_can_be_made_again(corruption, confirm_size):
    X, y = small_data()
    params = {"confirm_size": confirm_size, "cv": 2, "random_state": 7, "min_support": 0.4}
    search = quick(corruption, n_calls=6, budget=0.2, **params).fit(X, y)
    rows = search.search_indices_
    made = cross_validate_corrupted(
        Centroids(),
        X.iloc[rows],
        y.iloc[rows],
        search.worst_corruption_,
        cv=search.splits_,
        scoring=share_right,
        n_repeats=search.n_draws_,
        random_state=search.seed_,
    )
    assert search.worst_corruption_.rate < 1
    assert search.n_draws_ >= 4
    assert made["test_score"].mean() == pytest.approx(search.worst_score_, abs=1e-12)
    table = pd.DataFrame(search.cv_results_)
    assert table.loc[table["rank_test_score"] == 1, "n_draws"].iloc[0] == search.n_draws_


def test_what_strikes_every_row_is_drawn_once():
    X, y = small_data()
    search = quick("missing", n_calls=6, budget=0.9).fit(X, y)
    assert search.worst_corruption_.rate == 1
    assert search.n_draws_ == 1


@pytest.mark.long
def test_noise_in_every_row_is_drawn_again():
    X, y = small_data()
    search = quick("noise", n_calls=6, budget=1.0).fit(X, y)
    assert search.worst_corruption_.rate == 1
    assert search.n_draws_ >= 4


@pytest.mark.slow
def test_the_lowest_of_many_draws_is_no_result():
    """Where all candidates do the same harm, the winner's score is no lower than a fresh draw's."""
    rng = np.random.default_rng(0)
    gains = []
    for seed in range(3):
        X = pd.DataFrame(rng.normal(size=(120, 3)), columns=list("abc"))
        y = pd.Series((X["a"] + rng.normal(size=120) > 0).astype(int))
        search = AdversarialCorruptionSearch(
            make_pipeline(StandardScaler(), LogisticRegression()),
            "selection",
            budget=0.2,
            cv=ONE_SPLIT,
            confirm_size=None,
            strategy=BeamSearch(n_calls=6),
            space=SearchSpace(max_conditions=1, min_support=0.45, label="forbidden"),
            random_state=seed,
        ).fit(X, y)
        fresh = cross_validate_corrupted(
            search.estimator, X, y, search.worst_corruption_, cv=ONE_SPLIT, n_repeats=24,
            random_state=100 + seed,
        )["test_score"]  # fmt: skip
        table = search.cv_results_
        assert search.n_draws_ >= 4
        # in draws' standard deviations, how much lower than fresh ones it is
        lowest = table["mean_test_score"][table["n_draws"] == 1].min(initial=1.0)
        gains.append((fresh.mean() - search.worst_score_) / max(fresh.std(), 1e-9))
        assert search.worst_score_ <= lowest
    assert np.mean(gains) < 1.0


@pytest.mark.long
def test_draws_do_not_depend_on_workers():
    X, y = small_data()
    one, other = (
        quick("missing", n_calls=6, budget=0.1, min_support=0.3, n_jobs=n).fit(X, y) for n in (1, 2)
    )
    assert one.worst_score_ == other.worst_score_
    assert one.n_draws_ == other.n_draws_ > 1
    np.testing.assert_array_equal(one.cv_results_["n_draws"], other.cv_results_["n_draws"])


@pytest.mark.long
def test_a_journal_keeps_draws(tmp_path):
    X, y = small_data()
    made = [
        quick("missing", n_calls=6, budget=0.1, min_support=0.3, journal=path).fit(X, y)
        for path in (None, tmp_path / "a.db", tmp_path / "a.db")
    ]
    assert len({search.worst_score_ for search in made}) == 1
    assert len({search.n_draws_ for search in made}) == 1


@pytest.mark.long
def test_the_curve_of_budgets_never_rises():
    X, y = small_data()
    search = quick("labels", n_calls=6, budget=[0.05, 0.1, 0.2, 0.4]).fit(X, y)
    assert (np.diff(search.budget_curve_["worst_score"]) <= 0).all()


def test_a_template_with_a_rate_is_drawn_too():
    X, y = small_data()
    search = quick(CorruptMissing(rate=0.5), n_calls=6, budget=0.5).fit(X, y)
    assert search.n_draws_ >= 4


def test_a_leader_that_others_may_pass_is_drawn_as_often_as_the_rest():
    """Also where all draws that the search may add are spent."""
    X, y = small_data()
    task = quick("selection", n_bins=3, budget=0.1, random_state=4).lay_out(X, y).task
    (space,) = task.spaces
    (template, *_) = task.space.first_templates()
    grid = task.space.grid(template)
    points = map(tuple, grid.points(np.arange(grid.size)).tolist())
    made = [task.space.candidate(template, point) for point in points]
    task.evaluator.evaluate([candidate for candidate in made if not candidate.refused])
    settling = Settling(task.evaluator)
    settling._each = 0
    settling.settle([space.budget])
    first, *others = task.evaluator.within(space.budget)
    spread = first.draws.mean(axis=1).std(ddof=1)
    close = [e for e in others if e.score < first.score + 2 * spread / np.sqrt(first.n_draws)]
    assert close
    assert first.n_draws == 64


class Scripted:
    """An evaluator whose scores of draws are given beforehand, the same over and over."""

    splits, seconds_per_fit = [None], 1.0
    deadline = Deadline()

    def __init__(self, scores, n_draws, baseline=0.9):
        self.scores, self.done, self.baseline = scores, {}, baseline
        for name, own in scores.items():
            rate = 1.0 if len(own) == 1 else 0.5
            candidate = SimpleNamespace(
                key=name.encode(), rate=rate, kind="", columns=(name,), target=None
            )
            self.done[candidate.key] = Evaluation(candidate, [], len(self.done), 1)
            self.draw_again([self.done[candidate.key]], n_draws if rate < 1 else 1)

    def within(self, budget):
        return sorted(self.done.values(), key=lambda e: (e.score, e.order))

    def draw_again(self, evaluations, n_draws):
        for each in evaluations:
            own = self.scores[each.candidate.key.decode()]
            outcomes = [Outcome(score=own[i % len(own)]) for i in range(n_draws)]
            self.done[each.candidate.key] = replace(each, outcomes=outcomes)

    def knows_mean(self, candidate):
        return False

    def is_random(self, candidate):
        return candidate.rate < 1


@pytest.mark.parametrize("n_added", [0, 500])
def test_what_leads_by_luck_is_drawn_while_a_certain_error_may_be_worse(n_added):
    rng = np.random.default_rng(0)
    lucky = np.concatenate([rng.normal(0.56, 0.06, 16), rng.normal(0.65, 0.06, 48)])
    steady = {f"steady {i}": [0.7 + i / 1e3, 0.7 - i / 1e3] for i in range(20)}
    evaluator = Scripted({"lucky": lucky, "certain": [0.565], **steady}, 16)
    assert evaluator.within(0.1)[0].candidate.key == b"lucky"
    # its own draws differ much more than those of others
    assert lucky[:16].mean() + 2 * lucky[:16].std(ddof=1) / 4 > 0.565
    settling = Settling(evaluator)
    settling._each = n_added
    settling.settle([0.1])
    first = evaluator.within(0.1)[0]
    assert first.candidate.key == b"certain" and first.n_draws == 1
    assert evaluator.done[b"lucky"].n_draws > 16


def test_what_surely_leads_is_drawn_no_more():
    worst = [0.40, 0.41, 0.42, 0.41]
    evaluator = Scripted({"worst": worst, "certain": [0.6], "other": [0.7, 0.71]}, 4)
    Settling(evaluator).settle([0.1])
    assert evaluator.within(0.1)[0].n_draws == 4


@pytest.mark.parametrize(("spread", "is_drawn_on"), [(4e-4, False), (4e-2, True)])
def test_what_cannot_be_worse_by_much_is_drawn_no_more(spread, is_drawn_on):
    rng = np.random.default_rng(1)
    draws = {f"close {i}": 0.7 + spread * rng.standard_normal(64) for i in range(3)}
    evaluator = Scripted(draws | {"better": [30.0]}, 4)
    settling = Settling(evaluator)
    settling._each = 1_000
    settling.settle([0.1])
    n_draws = [e.n_draws for e in evaluator.within(0.1)]
    assert (max(n_draws) > 4) == is_drawn_on
    # the lowest mean over all draws is not lower by more than half a percent of the drop
    lowest = min(own.mean() for own in draws.values())
    found = draws[evaluator.within(0.1)[0].candidate.key.decode()].mean()
    assert found - lowest <= 0.005 * (0.9 - lowest)


def test_a_leader_whose_own_draws_differ_much_is_drawn_on():
    rng = np.random.default_rng(2)
    wild = 0.6 + 0.05 * rng.standard_normal(64)
    steady = {f"steady {i}": 0.8 + 1e-4 * rng.standard_normal(64) for i in range(4_000)}
    evaluator = Scripted({"wild": wild, "certain": [0.601], **steady}, 4)
    assert evaluator.within(0.1)[0].candidate.key == b"wild"
    settling = Settling(evaluator)
    settling._each = 1_000
    settling.settle([0.1])
    assert evaluator.done[b"wild"].n_draws > 16


def test_a_leader_of_a_single_draw_is_drawn_on():
    rng = np.random.default_rng(3)
    steady = {f"steady {i}": 0.8 + 1e-6 * rng.standard_normal(64) for i in range(40)}
    evaluator = Scripted(steady, 4)
    lucky = np.array([0.70, *(0.79 + 1e-6 * rng.standard_normal(63))])
    evaluator.scores["lucky"] = lucky
    candidate = SimpleNamespace(key=b"lucky", rate=0.5, kind="", columns=("lucky",), target=None)
    evaluator.done[b"lucky"] = Evaluation(candidate, [], 99, 1)
    evaluator.draw_again([evaluator.done[b"lucky"]], 1)
    settling = Settling(evaluator)
    settling._each = 1_000
    settling.settle([0.1])
    assert evaluator.done[b"lucky"].n_draws >= 4
    assert evaluator.within(0.1)[0].score > 0.75


def test_many_lucky_errors_are_drawn_together_and_only_until_they_lead_no_more():
    rng = np.random.default_rng(5)
    crowd = {f"crowd {i}": 0.7 + 0.05 * rng.standard_normal(64) for i in range(800)}
    evaluator = Scripted(crowd | {"worst": 0.6 + 0.05 * rng.standard_normal(64)}, 1)
    assert sum(own[0] < 0.6 for own in crowd.values()) > 10
    steps = []
    draw_again = evaluator.draw_again
    evaluator.draw_again = lambda some, n: (steps.append(len(some)), draw_again(some, n))
    settling = Settling(evaluator)
    settling._each = 0
    settling.settle([0.1])
    first, *others = evaluator.within(0.1)
    assert first.candidate.key == b"worst" and first.n_draws >= 16
    # a draw or two put nearly all that ever led behind it
    n_lucky = sum(e.n_draws > 1 for e in others)
    assert sum(e.n_draws - 1 for e in others) < 3 * n_lucky
    assert len(steps) < n_lucky / 2


def test_what_was_settled_before_adds_no_draws_again():
    """A quarter of what is new, two dozen at least, and then only what leads is drawn."""
    rng = np.random.default_rng(6)
    crowd = {f"crowd {i}": 0.7 + 0.05 * rng.standard_normal(64) for i in range(1000)}
    worst, drawn = 0.6 + 1e-3 * rng.standard_normal(64), {}
    for n_before in (0, 1000):
        evaluator = Scripted(crowd | {"worst": worst}, 4)
        Settling(evaluator, n_before=n_before).settle([0.1])
        assert evaluator.within(0.1)[0].candidate.key == b"worst"
        drawn[n_before] = sum(e.n_draws - 4 for e in evaluator.done.values())
    assert drawn[1000] < drawn[0] / 2


@pytest.mark.parametrize(("seconds", "n_each"), [(25.0, 1), (100.0, 4)])
def test_as_many_of_a_class_are_drawn_as_there_is_time_for(seconds, n_each):
    rng = np.random.default_rng(8)
    scores = {f"{i} {j}": 0.5 + 0.3 * rng.random(64) for i in range(6) for j in range(100)}
    evaluator = Scripted(scores, 1)
    evaluator.deadline = SimpleNamespace(left=lambda: seconds - sum(drawn))
    rankings = [
        sorted((e for k, e in evaluator.done.items() if k[:1] == b"%d" % i), key=lambda e: e.place)
        for i in range(6)
    ]
    drawn, draw_again = [], evaluator.draw_again

    def counted(some, n_draws):
        drawn.append(sum(max(0, n_draws - e.n_draws) for e in some))
        draw_again(some, n_draws)

    evaluator.draw_again = counted
    Settling(evaluator).draw_leaders(rankings)
    assert drawn[0] == 3 * 6 * n_each
    # the last step may run over
    assert len(drawn) > 1 and sum(drawn[:-1]) < seconds


def test_an_error_whose_draws_differ_much_is_reached_behind_others():
    rng = np.random.default_rng(4)
    late = np.concatenate([[0.80, 0.90, 0.60, 0.70], rng.normal(0.43, 0.05, 60)])
    steady = {f"steady {i}": 0.72 + 1e-4 * rng.standard_normal(64) for i in range(4_000)}
    evaluator = Scripted({"late": late, "certain": [0.70], **steady}, 4)
    settling = Settling(evaluator)
    settling._each = 10_000
    settling.settle([0.1])
    assert evaluator.within(0.1)[0].candidate.key == b"late"


def test_leaders_by_a_single_draw_are_drawn_again_till_none_is_left():
    X, y = small_data()
    task = quick("labels", budget=0.2, max_conditions=1).lay_out(X, y).task
    (space,), evaluator = task.spaces, task.evaluator
    found = [
        space.candidate(template, tuple(point))
        for template in space.templates_of_depth(1)
        for grid in [space.grid(template)]
        for point in grid.points(np.arange(grid.size)).tolist()
    ]
    evaluator.evaluate([candidate for candidate in found if not candidate.refused])
    before = evaluator.within(0.2)
    first = [e for e in before[:3] if e.candidate.rate < 1]
    assert first and all(e.n_draws == 1 for e in before)
    draw_lucky(evaluator, lambda: evaluator.within(0.2)[:3])
    after = {e.candidate.key: e.n_draws for e in evaluator.within(0.2)}
    assert all(after[e.candidate.key] > 1 for e in first)
    assert all(after[e.candidate.key] == 1 for e in before if e.candidate.rate == 1)
    leaders = evaluator.within(0.2)[:3]
    assert all(e.n_draws == 4 or e.candidate.rate == 1 for e in leaders)
    # what leads no more after two draws is left at these
    assert {1, 4} <= set(after.values()) <= {1, 2, 4}
    assert sum(n > 1 for n in after.values()) < len(before)


@given(st.data())
@settings(max_examples=60)
def test_a_ranking_is_that_of_all_whatever_was_added_and_replaced(data):
    scores = st.sampled_from([0.1, 0.2, 0.3, np.nan])
    done, ranking = {}, Ranking()
    for step in range(data.draw(st.integers(1, 6))):
        for i in data.draw(st.lists(st.integers(0, 9), max_size=8)):
            order = done[i].order if i in done else len(done)
            outcome = Outcome(score=data.draw(scores), infeasible=step == 3)
            done[i] = Evaluation(SimpleNamespace(key=i), [outcome], order, 1)
        feasible = [e for e in done.values() if np.isfinite(e.score)]
        assert ranking.of(done) == sorted(feasible, key=lambda e: (e.score, e.order))
