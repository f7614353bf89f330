"""A search that the clock ends: the best so far, compared and confirmed, and no more."""

import re
import signal
import threading
import time
import warnings
from itertools import chain, islice

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, r2_score

from cheap_models import Centroids, share_right
from flat_search import flat_search
from interrupted_search import assert_same_found, found
from proxy_setups import counted_data, laid_out
from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptMissing,
    CorruptNoise,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import BeamSearch, SearchSpace, _confirmation
from skcorrupt.adversarial._alternatives import Alternatives
from skcorrupt.adversarial._draws import QuickClassifier, QuickRegressor
from skcorrupt.adversarial._time_too_short import TimeTooShort
from skcorrupt.adversarial.candidates import Deadline, OutOfTime, _deadline, _evaluator
from skcorrupt.adversarial.proxies import StandIns, _screen
from skcorrupt.adversarial.serving import _row_effects
from skcorrupt.adversarial.strategies._beam_run import BeamRun
from skcorrupt.evaluation import _starting, run_tasks
from skcorrupt.metrics._row_score import own_metric
from small_searches import small_data

SPLITS = 2
# fits before the first candidate: two splits, then one that tells whether the pipeline takes NaN
BEFORE = SPLITS + 1


class Clock:
    """A clock that stands still but for what takes time."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds


class Timed(Centroids):
    """A model of which every fit takes a second of a clock."""

    clock = None

    def fit(self, X, y, sample_weight=None):
        """Let the clock go on, and fit."""
        if Timed.clock is not None:
            Timed.clock.seconds += 1
        return super().fit(X, y, sample_weight)


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(_deadline, "now", made)
    monkeypatch.setattr(Timed, "clock", made)
    return made


def search_of(**params):
    """A search of some hundred fits."""
    settings = {"cv": SPLITS, "optimizer": "random", "n_calls": 16, "random_state": 0}
    settings = {"max_conditions": 1, "n_bins": 8} | settings | params
    return flat_search(Timed(), "missing", scoring=share_right, **settings)


def whole(**params):
    return search_of(**params).fit(*small_data())


@pytest.fixture(scope="module")
def unlimited():
    """A search without a limit, and the seconds that its fits take."""
    Timed.clock = made = Clock()
    try:
        return whole(), made.seconds
    finally:
        Timed.clock = None


class TestDeadline:
    def test_without_a_limit_time_is_never_over(self, clock):
        deadline = Deadline()
        with deadline.within(0):
            clock.seconds = 1e9
            deadline.check()
        assert deadline.left() == np.inf and not deadline.passed and not deadline.limited

    def test_a_part_ends_quietly_before_the_whole(self, clock):
        deadline = Deadline(10)
        reached = []
        with deadline.within(4):
            assert deadline.left() == 4
            clock.seconds = 4
            deadline.check()
            reached.append("behind")
        assert reached == [] and deadline.left() == 6
        deadline.check()

    def test_a_part_takes_no_more_than_the_whole(self, clock):
        deadline = Deadline(10)
        with pytest.raises(OutOfTime), deadline.within(400):
            assert deadline.left() == 10
            clock.seconds = 10
            deadline.check()

    def test_a_search_that_found_nothing_takes_the_time_of_the_rest(self, clock):
        deadline = Deadline(10)
        with pytest.raises(OutOfTime), deadline.within(4):
            clock.seconds = 9
            deadline.check(found=False)
            clock.seconds = 10
            deadline.check(found=False)

    def test_what_follows_a_part_is_done_while_nothing_was_found(self, clock):
        deadline = Deadline(10)
        reached = []
        with deadline.within(4):
            with deadline.within(1):
                clock.seconds = 6
                deadline.check()
            reached.append("behind")
            deadline.found = True
            deadline.check()
            reached.append("further")
        assert reached == ["behind"]
        with pytest.raises(OutOfTime), deadline.within(2):
            deadline.found = False
            clock.seconds = 10
            deadline.check()

    def test_what_is_done_last_may_run_over_a_little(self, clock):
        deadline = Deadline(10)
        clock.seconds = 10.5
        assert deadline.passed
        with deadline.ending():
            deadline.check()
            clock.seconds = 11
            with pytest.raises(OutOfTime):
                deadline.check()


@pytest.mark.long
def test_where_time_is_short_no_column_is_left_out(clock):
    X, y = small_data()
    many = pd.concat([X.add_prefix(f"{i} ") for i in range(4)], axis=1)
    search = AdversarialCorruptionSearch(
        Timed(), "missing", cv=SPLITS, max_time=240, confirm_size=None, random_state=0
    )
    with pytest.warns(UserWarning, match="ended by max_time"):
        search.fit(many, y)
    phases = search.phases_
    n_first = phases.loc[phases["phase"] == "enumerating", "n_candidates"].sum()
    struck = [columns[0] for columns in search.cv_results_["columns"][:n_first]]
    assert set(struck) == set(many)
    # what is longer has its share of the time, and so have errors without what defaults require
    assert len(phases) > 1 and n_first <= 0.7 * search.n_evaluations_
    assert max(p.count("and") for p in search.cv_results_["pattern"]) >= 2
    found = search.alternatives_.set_index("uses_label")
    assert (found.loc[False, "status"] == "relaxed").any()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("max_time", [60, 110, 160, 230, 320])
def test_phases_say_all_that_was_done_wherever_time_ends_it(clock, max_time):
    X, y = small_data()
    search = AdversarialCorruptionSearch(
        Timed(), "labels", cv=SPLITS, max_time=max_time, confirm_size=None, random_state=0,
        space=SearchSpace(n_bins=3, max_conditions=2),
    )  # fmt: skip
    search.fit(X, y)
    assert search.interrupted_
    assert search.phases_["n_candidates"].sum() == search.n_evaluations_
    assert search.phases_["worst_score"].iloc[-1] == search.worst_score_


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("max_time", [150, 210])
def test_phases_end_with_the_worst_wherever_draws_are_ended(clock, max_time):
    search = AdversarialCorruptionSearch(
        Timed(), CorruptNoise(scale=5.0), cv=SPLITS, max_time=max_time, confirm_size=None,
        random_state=0,
    )  # fmt: skip
    search.fit(*small_data())
    assert search.interrupted_
    assert search.phases_["worst_score"].iloc[-1] == search.worst_score_


@pytest.mark.filterwarnings("ignore")
def test_longer_patterns_are_tried_within_every_budget(clock):
    budgets = [0.05, 0.1, 0.2, 0.3]
    search = AdversarialCorruptionSearch(
        Timed(), "labels", budget=budgets, cv=SPLITS, max_time=400, confirm_size=None,
        space=SearchSpace(n_bins=3, max_conditions=2), random_state=0,
    ).fit(*small_data(200))  # fmt: skip
    assert search.interrupted_
    phases = search.phases_
    longer = phases[(phases["phase"] != "enumerating") & (phases["n_candidates"] > 0)]
    assert set(longer["budget"]) == set(budgets)


@pytest.mark.long
def test_no_time_is_kept_for_alternatives_where_there_are_none(clock):
    X, y = small_data()
    n_scored = {}
    for own_column in (None, "allowed"):
        clock.seconds = 0.0
        search = AdversarialCorruptionSearch(
            Timed(),
            "missing",
            cv=SPLITS,
            space=SearchSpace(label="allowed", own_column=own_column),
            max_time=240,
            confirm_size=None,
            random_state=0,
        )
        with pytest.warns(UserWarning, match="ended by max_time"):
            search.fit(X, y)
        relaxed = (search.alternatives_["status"] == "relaxed").any()
        assert relaxed == (own_column is None)
        n_scored[own_column] = search.n_evaluations_
    assert n_scored["allowed"] > n_scored[None]


@pytest.mark.long
@pytest.mark.parametrize(("max_time", "drawn"), [(300, True), (50, False)])
def test_time_is_kept_to_draw_the_worst_again(max_time, drawn, clock):
    settings = {"cv": SPLITS, "strategy": BeamSearch(optimizer="random", n_calls=16)}
    search = AdversarialCorruptionSearch(
        Timed(), CorruptNoise(scale=5.0), max_time=max_time, confirm_size=None, random_state=0,
        space=SearchSpace(label="allowed", own_column="allowed"), **settings,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "max_time")
        warnings.filterwarnings("ignore", ".*ended by max_time")
        search.fit(*small_data())
    assert (search.n_draws_ >= 4) == drawn
    assert "The search was ended early" in search.summary()
    again = cross_validate_corrupted(
        Timed(), *small_data(), search.worst_corruption_, cv=search.splits_, n_repeats=64,
        random_state=1,
    )  # fmt: skip
    draws = again["test_score"].reshape(-1, SPLITS).mean(axis=1)
    drop = search.baseline_score_ - search.worst_score_
    error = 2 * np.std(draws) / np.sqrt(search.n_draws_)
    said = f"drawn {'once' if search.n_draws_ == 1 else f'{search.n_draws_} times'} only"
    assert (said in search.summary()) == (not drawn or error > 0.1 * drop)


@pytest.mark.long
@pytest.mark.parametrize("corruption", ["missing", "labels", ["missing", "noise"]])
def test_the_worst_of_every_class_is_drawn_again_where_time_is_short(corruption, clock):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*max_time")
        search = AdversarialCorruptionSearch(
            Timed(), corruption, cv=SPLITS, max_time=1000, confirm_size=None, random_state=0
        ).fit(*small_data())
    assert search._cut_short and clock.seconds <= 1.1 * 1000 + 2
    found = search.alternatives_.dropna(subset="score")
    assert len(found) > 2 and "only, which may be luck" not in search.summary()
    # of an error that strikes all rows of its pattern, every draw is the same
    assert (found.loc[found["rate"] < 1, "n_draws"] >= 4).all() and (found["rate"] < 1).any()
    if isinstance(corruption, list):
        # the first kind does not take the time of the second
        assert set(found.loc[found["status"] == "relaxed", "kind"]) == set(corruption)
    again = cross_validate_corrupted(
        Timed(), *small_data(), found["corruption"].iloc[-1], cv=search.splits_,
        n_repeats=found["n_draws"].iloc[-1], random_state=0,
    )  # fmt: skip
    assert again["test_score"].mean() == pytest.approx(found["score"].iloc[-1])


@pytest.mark.long
@pytest.mark.parametrize("seconds", [315, 335])
def test_ctrl_c_after_the_clock_leaves_classes_as_they_are(seconds, clock, monkeypatch):
    """While the worst of the classes of the search are drawn, and while others are searched."""

    class Signalled(Timed):
        def fit(self, X, y, sample_weight=None):
            fitted = super().fit(X, y, sample_weight)
            if clock.seconds == seconds:
                signal.raise_signal(signal.SIGINT)
            return fitted

    relaxed, relax = [], Alternatives.relax
    monkeypatch.setattr(Alternatives, "relax", lambda self: (relaxed.append(self), relax(self)))
    search = AdversarialCorruptionSearch(
        Signalled(), "missing", cv=SPLITS, max_time=400, confirm_size=None, random_state=0
    )
    with (
        pytest.warns(UserWarning, match="ended by max_time=400 s after"),
        pytest.warns(UserWarning, match="Interrupted after the search was done.*without some of"),
    ):
        search.fit(*small_data())
    assert search.interrupted_ and np.isfinite(search.random_score_)
    # what is left of the time is not used
    assert clock.seconds < seconds + 50
    assert len(relaxed) == (seconds == 335)
    (first,) = np.flatnonzero(search.cv_results_["rank_test_score"] == 1)[:1]
    assert search.worst_score_ == search.cv_results_["mean_test_score"][first]


@pytest.mark.long
def test_a_class_of_which_only_lucky_draws_are_known_is_quoted_as_such(clock):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*max_time")
        search = AdversarialCorruptionSearch(
            Timed(), "missing", cv=SPLITS, max_time=100, confirm_size=None, random_state=0
        ).fit(*small_data())
    found = search.alternatives_.dropna(subset="score")
    # the default requires both conditions
    assert found["uses_label"].iloc[-1] and found["uses_own_column"].iloc[-1]
    for column, what in (("uses_label", "on the label"), ("uses_own_column", "on the column hit")):
        without = found[~found[column]]
        drawn = without[(without["n_draws"] >= 4) | (without["rate"] == 1)]
        quoted = (drawn if len(drawn) else without).nsmallest(1, "score").iloc[0]
        n = quoted["n_draws"]
        times = "once" if n == 1 else f"{n} times"
        luck = "" if len(drawn) else f" (drawn {times} only, which may be luck)"
        assert f"{what} {quoted['score']:.3f}{luck}" in search.summary()


@pytest.mark.long
@pytest.mark.parametrize(("corruption", "lucky"), [("missing", True), ("labels", False)])
def test_few_draws_are_told_of_where_they_differ_much(corruption, lucky, clock):
    settings = {"cv": SPLITS, "strategy": BeamSearch(optimizer="random", n_calls=16)}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*max_time")
        search = AdversarialCorruptionSearch(
            Timed(), corruption, max_time=150, budget=0.3, confirm_size=None, random_state=0,
            space=SearchSpace(label="allowed", own_column="allowed"), **settings,
        ).fit(*small_data())  # fmt: skip
    assert search.interrupted_ and search.n_draws_ == 4
    assert ("drawn 4 times only" in search.summary()) == lucky
    again = cross_validate_corrupted(
        Timed(), *small_data(), search.worst_corruption_, cv=search.splits_, n_repeats=64,
        random_state=1,
    )  # fmt: skip
    draws = again["test_score"].reshape(-1, SPLITS).mean(axis=1)
    error = 2 * np.std(draws) / np.sqrt(search.n_draws_)
    assert (error > 0.1 * (search.baseline_score_ - search.worst_score_)) == lucky


@pytest.mark.many
@pytest.mark.parametrize("strategy", ["exhaustive", BeamSearch(optimizer="random", n_calls=64)])
@pytest.mark.long
def test_time_that_draws_do_not_need_goes_to_what_is_near_the_worst(strategy, clock):
    # a rate of 1 leaves nothing to draw
    search = AdversarialCorruptionSearch(
        Timed(), CorruptMissing(rate=1.0), strategy=strategy, max_time=300, budget=0.5, cv=SPLITS,
        scoring=share_right, confirm_size=None, random_state=0,
        space=SearchSpace(max_conditions=2, n_bins=8, label="forbidden", own_column="allowed"),
    )  # fmt: skip
    with pytest.warns(UserWarning, match=r"ended by max_time=300 s after \d+ candidates"):
        search.fit(*small_data())
    assert search.interrupted_ and clock.seconds > 270


class TestSearch:
    @pytest.mark.slow
    def test_a_limit_that_is_not_reached_changes_nothing(self, clock, unlimited):
        expected, limited = unlimited[0], whole(max_time=1e6)
        assert limited.interrupted_ is False
        assert_same_found(found(limited), found(expected))

    @pytest.mark.long
    @pytest.mark.parametrize("max_time", [60, 80])
    def test_the_best_so_far_is_compared_and_confirmed(self, max_time, clock, unlimited):
        expected = unlimited[0]
        with (
            pytest.warns(UserWarning, match=f"ended by max_time={max_time} s after"),
            pytest.warns(UserWarning, match=r"time for \d+ draws .* instead of 20"),
        ):
            search = whole(max_time=max_time)
        assert search.interrupted_ is True
        n_scored = search.n_evaluations_
        assert 1 <= n_scored < expected.n_evaluations_
        scores = expected.cv_results_["mean_test_score"][:n_scored]
        np.testing.assert_array_equal(search.cv_results_["mean_test_score"], scores)
        assert search.worst_score_ == scores.min()
        # at least five random draws and as many of the winner, of which one stands for all where
        # they are the same, within a tenth more and two fits
        n_drawn = clock.seconds - BEFORE - SPLITS * n_scored
        n_confirming = 1 if search.worst_corruption_.rate == 1 else 5
        assert n_drawn >= 5 * SPLITS + n_confirming + 1
        assert clock.seconds <= 1.1 * max_time + 2
        assert np.isfinite([search.random_score_, search.confirmed_score_]).all()
        assert np.isfinite(search.confirmed_interval_).all()

    @pytest.mark.slow
    def test_draws_that_time_suffices_for_are_all_made(self, clock, unlimited):
        expected, needed = unlimited
        # fits on more rows, which take no longer here, were thought to
        search = whole(max_time=2 * needed)
        assert search.interrupted_ is False
        assert_same_found(found(search), found(expected))

    @pytest.mark.long
    def test_a_search_that_is_done_in_time_may_have_fewer_draws(self, clock, unlimited):
        expected, most = unlimited
        with pytest.warns(UserWarning, match=r"time for \d+ draws"):
            search = whole(max_time=most)
        assert search.n_evaluations_ == expected.n_evaluations_
        assert search.interrupted_ is True and search.worst_score_ == expected.worst_score_
        assert "ended early" not in search.summary()

    @pytest.mark.parametrize("max_time", [0.5, BEFORE - 0.5, BEFORE + 0.5])
    def test_less_than_clean_fits_need_is_refused(self, max_time, clock):
        with pytest.raises(ValueError, match=rf"max_time={max_time} s .* on clean data 2 times"):
            whole(max_time=max_time)
        clock.seconds = 0
        with pytest.raises(ValueError) as refused:
            whole(max_time=max_time)
        # what it asks for suffices
        needed = float(str(refused.value).rpartition("max_time=")[2].partition(",")[0])
        clock.seconds = 0
        with (
            pytest.warns(UserWarning, match="ended by max_time"),
            pytest.warns(UserWarning, match="draws"),
        ):
            assert whole(max_time=needed).n_evaluations_ >= 1

    def test_time_that_is_over_while_a_winner_is_compared_leaves_it(self, clock):
        class Slower(Timed):
            """One of which fits take longer once the search is done."""

            def fit(self, X, y, sample_weight=None):
                clock.seconds += 30 * (clock.seconds > 45)
                return super().fit(X, y, sample_weight)

        with (
            pytest.warns(UserWarning, match="ended by max_time"),
            pytest.warns(UserWarning, match="time for 5 draws"),
            pytest.warns(UserWarning, match="max_time=60 s was over after the search was done"),
        ):
            search = search_of(max_time=60).set_params(estimator=Slower()).fit(*small_data())
        assert search.worst_score_ == search.cv_results_["mean_test_score"].min()
        assert np.isnan(search.confirmed_score_) and search.interrupted_ is True
        assert clock.seconds <= 1.1 * 60 + 2 * 31

    @pytest.mark.slow
    def test_a_journal_goes_on_to_what_a_whole_search_finds(self, clock, unlimited, tmp_path):
        journal = tmp_path / "journal.sqlite"
        expected = unlimited[0]
        with (
            pytest.warns(UserWarning, match="A second fit goes on from journal="),
            pytest.warns(UserWarning, match="draws"),
        ):
            short = whole(max_time=60, journal=journal)
        clock.seconds = 0
        again = whole(journal=journal)
        assert again.interrupted_ is False
        assert_same_found(found(again), found(expected))
        saved = SPLITS * short.n_evaluations_
        clock.seconds = 0
        whole()
        assert 0 < saved < clock.seconds

    @pytest.mark.parametrize("strategy", ["screening", "exhaustive"])
    def test_every_strategy_ends(self, strategy, clock):
        search = AdversarialCorruptionSearch(
            Timed(),
            "missing",
            scoring=share_right,
            cv=SPLITS,
            strategy=strategy,
            max_time=80,
            random_state=0,
        )
        with (
            pytest.warns(UserWarning, match="ended by max_time=80 s"),
            pytest.warns(UserWarning, match="draws"),
        ):
            search.fit(*small_data())
        assert search.interrupted_ and clock.seconds <= 1.1 * 80 + 2
        assert search.worst_score_ == search.cv_results_["mean_test_score"].min()

    @pytest.mark.long
    def test_more_rows_are_no_remedy_where_time_is_short(self, clock, monkeypatch):
        def late(*args):
            clock.seconds += 1e6
            return np.nan, np.nan

        monkeypatch.setattr(_confirmation, "_interval", late)
        with pytest.warns(UserWarning, match=r"time does not suffice.* Pass a larger max_time\."):
            whole(max_time=1e5)

    def test_several_budgets_and_a_refit(self, clock):
        with (
            pytest.warns(UserWarning, match="ended by max_time=90 s"),
            pytest.warns(UserWarning, match="draws"),
        ):
            search = whole(max_time=90, budget=[0.1, 0.3], refit=True)
        assert clock.seconds <= 1.1 * 90 + 2
        assert len(search.budget_curve_) == 2
        assert np.isfinite(search.budget_curve_["confirmed_score"].iloc[-1])

    # filters of warnings are those of all threads
    @pytest.mark.filterwarnings("ignore:.*still being processed by the workers")
    # how many fits are done, and draws begun, before the end is a race of the workers
    @pytest.mark.filterwarnings("ignore:.*draws:UserWarning")
    @pytest.mark.parametrize("backend", ["threading", pytest.param("loky", marks=pytest.mark.slow)])
    def test_work_on_two_workers_ends_too(self, backend, monkeypatch):
        ticks = Clock()

        def now():
            # fits are in other processes, so that every look at the clock takes time
            ticks.seconds += 0.05
            return ticks.seconds

        monkeypatch.setattr(_deadline, "now", now)
        expected = whole(confirm_size=None)
        ticks.seconds = 0
        with (
            pytest.warns(UserWarning, match="ended by max_time=6 s"),
            joblib.parallel_config(backend),
        ):
            search = whole(max_time=6, n_jobs=2, confirm_size=None)
        assert 1 <= search.n_evaluations_ < expected.n_evaluations_
        assert search.interrupted_ is True and np.isfinite(search.random_score_)

    @pytest.mark.parametrize("value", [0, -1, "10", np.nan])
    def test_what_is_no_limit_is_refused(self, value):
        with pytest.raises(ValueError, match="max_time"):
            search_of(max_time=value).fit(*small_data())


def test_in_another_thread_there_is_no_handler_and_a_limit_all_the_same(clock):
    made = []

    def run():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made.append(whole(max_time=60))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert made[0].interrupted_


@pytest.mark.parametrize("seconds", [1, 2])
def test_a_screening_hands_on_what_it_has_when_its_time_is_over(seconds, clock, monkeypatch):
    monkeypatch.setattr(_screen, "MASKS_AT_ONCE", 16)
    X, y = counted_data()
    X = X.drop(columns="c")
    setup = laid_out(Centroids(), "labels", X, y)
    whole_run = setup.screen.run()
    assert setup.screen.coverage.depth == 2
    clock.seconds = 0
    screen = laid_out(Centroids(), "labels", X, y).screen
    screen.deadline, scores = Deadline(seconds), screen.scores

    def slow(*args, **params):
        found = scores(*args, **params)
        clock.seconds += 1
        return found

    screen.scores = slow
    short = screen.run()
    assert clock.seconds == seconds
    assert 0 < len(short.scores) < len(whole_run.scores)
    # no more is claimed than was looked at
    assert screen.coverage.depth < 2
    assert screen.coverage.n_points < setup.screen.coverage.n_points
    with pytest.raises(OutOfTime):
        screen.rescore(short, 8, polish=True)


def test_a_proxy_that_takes_too_long_leaves_time_for_a_candidate(clock, monkeypatch):
    scores = StandIns.scores

    def slow(self, *args):
        clock.seconds += 60
        self.task.evaluator.deadline.check()
        return scores(self, *args)

    monkeypatch.setattr(StandIns, "scores", slow)
    search = AdversarialCorruptionSearch(
        Timed(), "missing", cv=SPLITS, max_time=100, confirm_size=None, random_state=0
    )
    with warnings.catch_warnings():
        # of fewer draws and of the end
        warnings.simplefilter("ignore", UserWarning)
        search.fit(*small_data())
    assert search.interrupted_ and search.n_evaluations_ > 0
    assert np.isfinite(search.worst_score_) and 60 < clock.seconds <= 110


def test_an_optimizer_that_takes_long_leaves_time_for_a_candidate(clock, monkeypatch):
    fill = BeamRun._fill

    def slow(self, run):
        # for the three columns, before the first fit, it takes nearly all the time
        clock.seconds += 30
        fill(self, run)

    monkeypatch.setattr(BeamRun, "_fill", slow)
    with warnings.catch_warnings():
        # of fewer draws and of the end
        warnings.simplefilter("ignore", UserWarning)
        search = search_of(max_time=100, confirm_size=None).fit(*small_data())
    assert search.interrupted_ and search.n_evaluations_ > 0
    assert np.isfinite(search.worst_score_)


def test_the_time_of_an_interval_is_told_by_models_scored_as_most_are():
    # the score that scikit-learn's dummies have takes ten times as long
    assert own_metric(QuickClassifier()) is accuracy_score
    assert own_metric(QuickRegressor()) is r2_score


@pytest.mark.slow
def test_the_kinds_of_a_list_share_the_time(clock):
    search = flat_search(
        Timed(),
        ["missing", "labels", "scale"],
        scoring=share_right,
        cv=SPLITS,
        optimizer="random",
        n_calls=200,
        max_conditions=1,
        n_bins=8,
        random_state=0,
        max_time=300,
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        search.fit(*small_data())
    assert any("ended by max_time" in str(each.message) for each in caught)
    assert {"missing", "labels", "scale"} == {*search.cv_results_["kind"]}
    assert search.interrupted_
    assert search._ended_by == "max_time"


def test_a_limit_that_is_over_before_any_fit_says_no_seconds_of_one():
    X, y = small_data()
    search = AdversarialCorruptionSearch(Centroids(), "missing", max_time=1e-6, random_state=0)
    with pytest.raises(ValueError, match=r"before a fit was made. Pass a larger one, plan\(X, y\)"):
        search.fit(X, y)


@pytest.mark.long
def test_short_patterns_have_all_the_time_where_there_are_no_longer_ones(clock):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 12))).add_prefix("f")
    y = np.digitize(X["f0"] + X["f1"] + rng.normal(size=200) * 0.5, [-1, -0.3, 0.3, 1])
    search = AdversarialCorruptionSearch(
        Timed(),
        "missing",
        scoring=share_right,
        cv=SPLITS,
        space=SearchSpace(max_conditions=0, own_column="forbidden"),
        max_time=260,
        confirm_size=None,
        random_state=0,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(X, y)
    phases = search.phases_.set_index("phase")["n_candidates"]
    # one for each column and each label that may be named
    assert phases["enumerating"] == 60


class Asked(Centroids):
    """A model of which every prediction takes a second of a clock."""

    def predict(self, X):
        """Let the clock go on, and predict."""
        if Timed.clock is not None:
            Timed.clock.seconds += 1
        return super().predict(X)


def wide_data(n_columns=40):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(80, n_columns)).round(1)).add_prefix("f")
    return X, (X["f0"] + X["f1"] + rng.normal(size=80) > 0).astype(int)


def served_search(X, y, **params):
    settings = {"space": SearchSpace(max_conditions=1, n_bins=4), "random_state": 0} | params
    model = Asked().fit(X, y)
    return AdversarialCorruptionSearch(
        model, settings.pop("corruption", "missing"), apply_to="test", **settings
    )


@pytest.fixture
def slow_workers(clock, monkeypatch):
    """Workers that take 16 seconds of the clock to start, and are started for all work."""
    monkeypatch.setattr(_starting, "_last_work", [])
    monkeypatch.setattr(_starting, "START", 0.0)

    def run(function, tasks, n_jobs=None, **params):
        waiting = iter(tasks)
        ahead = list(islice(waiting, 4)) if n_jobs == 2 else []
        if ahead and not _starting._last_work:
            clock.seconds += 16
            _starting._last_work.append(time.monotonic())
        return run_tasks(function, chain(ahead, waiting), n_jobs=1, **params)

    for module in (_row_effects, _evaluator):
        monkeypatch.setattr(module, "run_tasks", run)


class TestServed:
    def test_columns_that_there_is_time_for_are_searched(self, clock):
        X, y = wide_data()
        with (
            pytest.warns(
                UserWarning, match=r"max_time=30 s leaves no time .* of 40 columns"
            ) as said,
            pytest.warns(UserWarning, match="draws"),
        ):
            search = served_search(X, y, max_time=30, confirm_size=None).fit(X, y)
        assert clock.seconds <= 1.1 * 30
        assert search.interrupted_ and search.n_evaluations_ >= 1
        table = search.certificate_
        assert sorted(table["columns"]) == sorted((name,) for name in X)
        left = table["n_patterns"] == 0
        assert 0 < left.sum() < 40 and not table.loc[left, "proven"].any()
        scored = set(search.cv_results_["columns"])
        assert scored.isdisjoint(table.loc[left, "columns"])
        # the limit that it asks for is enough for all of them
        (text,) = (str(each.message) for each in said if "leaves no time" in str(each.message))
        needed = float(text.rpartition("max_time=")[2].rstrip("."))
        clock.seconds = 0
        whole_search = served_search(X, y, max_time=needed, confirm_size=None).fit(X, y)
        assert not whole_search.interrupted_
        assert (whole_search.certificate_["n_patterns"] > 0).all()
        # columns that were looked at have the scores that they have without a limit
        columns = ["readable_score", "any_rows_score"]
        pd.testing.assert_frame_equal(
            table.loc[~left, columns].reset_index(drop=True),
            whole_search.certificate_.loc[~left, columns].reset_index(drop=True),
        )

    @pytest.mark.long
    def test_columns_of_several_kinds_are_told_at_once_with_one_limit(self, clock):
        X, y = wide_data()
        params = {"corruption": ["missing", "scale"], "confirm_size": None}
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            served_search(X, y, max_time=30, **params).fit(X, y)
        texts = [str(each.message) for each in said if "leaves no time" in str(each.message)]
        (text,) = texts
        assert re.search(
            r"errors of 'missing' in \d+ of 40 columns, or groups of them \(f\d.*; …\), "
            r"of 'scale' in \d+ of 40 \(f\d.*; …\): they are not",
            text,
        )
        # the limit is enough for all columns of all kinds
        needed = float(text.rpartition("max_time=")[2].rstrip("."))
        clock.seconds = 0
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            whole_search = served_search(X, y, max_time=needed, **params).fit(X, y)
        assert not any("leaves no time" in str(each.message) for each in said)
        assert (whole_search.certificate_["n_patterns"] > 0).all()

    @pytest.mark.many
    @pytest.mark.parametrize("corruption", ["missing", "noise", ["missing", "noise"]])
    @pytest.mark.parametrize("scoring", ["accuracy", "f1"])
    def test_the_limit_that_is_asked_for_suffices(self, corruption, scoring, clock):
        X, y = wide_data(6)
        params = {"corruption": corruption, "scoring": scoring, "confirm_size": None}
        for max_time in (2, 7, 20):
            clock.seconds = 0
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    found = served_search(X, y, max_time=max_time, **params).fit(X, y)
                except TimeTooShort as error:
                    clock.seconds = 0
                    needed = float(str(error).rpartition("max_time=")[2].partition(",")[0])
                    assert needed == pytest.approx(error.needed, rel=0.1)
                    found = served_search(X, y, max_time=needed, **params).fit(X, y)
            assert found.n_evaluations_ >= 1

    @pytest.mark.many
    @pytest.mark.parametrize("scoring", ["accuracy", "f1"])
    def test_the_start_of_workers_is_no_second_of_a_score(self, scoring, clock, slow_workers):
        X, y = wide_data(6)
        params = {"n_jobs": 2, "confirm_size": None, "scoring": scoring}
        with pytest.raises(TimeTooShort, match="a score of the model takes 1 s") as caught:
            served_search(X, y, max_time=10, **params).fit(X, y)
        assert 16 < caught.value.needed < 100
        # it comes again, and the limit that is asked for suffices
        _starting._last_work.clear()
        clock.seconds = 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            again = served_search(X, y, max_time=caught.value.needed, **params).fit(X, y)
        assert again.n_evaluations_ >= 1

    def test_the_start_of_workers_comes_once_however_many_columns_are_unread(
        self, clock, slow_workers
    ):
        X, y = wide_data()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            served_search(X, y, max_time=30, n_jobs=2, confirm_size=None).fit(X, y)
        (text,) = (str(each.message) for each in said if "leaves no time" in str(each.message))
        # 40 predictions and the start, of which half of the time is kept
        assert float(text.rpartition("max_time=")[2].rstrip(".")) < 200

    @pytest.mark.long
    def test_short_work_starts_no_workers_and_finds_the_same(self, monkeypatch):
        monkeypatch.setattr(_starting, "_last_work", [])
        # work that is short on any machine
        monkeypatch.setattr(_starting, "START", 600.0)
        X, y = wide_data(4)
        alone = served_search(X, y).fit(X, y)
        several = served_search(X, y, n_jobs=2).fit(X, y)
        assert not _starting._last_work
        assert_same_found(found(alone), found(several))
