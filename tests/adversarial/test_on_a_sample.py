"""Searches on a sample of the rows that are ended early, or killed."""

import signal

import numpy as np
import pandas as pd
import pytest

from cheap_models import Centroids, share_right
from interrupted_search import Stops, assert_same_found, found
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial.candidates import _deadline
from skcorrupt.adversarial.strategies import _auto_run, _picks, _workload
from skcorrupt.adversarial.strategies._picks import batches_of, of_sorts, picks_of
from small_searches import ONE_SPLIT, small_data

pytestmark = pytest.mark.filterwarnings("ignore:A worse error may have been passed by")
# clean fits, one that tells whether the pipeline takes gaps, and one more before the first
BEFORE = 2


@pytest.fixture(autouse=True)
def _sampled(monkeypatch):
    """All tables have too many rows, and no signal of another test is left."""
    monkeypatch.setattr(_workload, "MOST_ROWS_SEEN", 1)
    monkeypatch.setattr(_auto_run, "SAMPLED_ROWS", 40)
    monkeypatch.setattr(_auto_run, "DECIDED", 12)
    Stops.n_fits, Stops.last, Stops.signal = 0, None, signal.SIGINT
    yield
    Stops.n_fits, Stops.last, Stops.signal = 0, None, signal.SIGKILL


def search_of(model, **params):
    settings = {"cv": ONE_SPLIT, "confirm_size": None, "random_state": 0, "budget": 0.2}
    settings |= {"space": SearchSpace(n_bins=3, max_conditions=2), "scoring": share_right}
    return AdversarialCorruptionSearch(model, "missing", **{**settings, **params})


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_the_worst_of_the_sample_as_the_pipeline_scores_it(sent):
    Stops.last, Stops.signal = BEFORE + 20, sent
    search = search_of(Stops())
    with pytest.warns(UserWarning, match="The search was interrupted after"):
        search.fit(*small_data())
    assert search.interrupted_ is True
    phases = search.phases_
    assert list(phases["phase"]) == ["enumerating on a sample", "deciding"]
    assert 0 < search.n_evaluations_ <= _auto_run.IN_HASTE
    assert search.worst_score_ == search.cv_results_["mean_test_score"].min()
    assert search.worst_score_ < search.baseline_score_
    assert "on a sample of the rows; " in search.summary()
    assert "again on all rows." in search.summary()


def test_a_signal_before_anything_was_scored_is_raised():
    Stops.last = BEFORE + 1
    with pytest.raises(KeyboardInterrupt):
        search_of(Stops()).fit(*small_data())


class Clock:
    """A clock that stands still but for fits, of which each takes a second."""

    seconds = 0.0

    def __call__(self):
        return Clock.seconds


class Timed(Centroids):
    """Lets the clock go on."""

    def fit(self, X, y, sample_weight=None):
        Clock.seconds += 1
        return super().fit(X, y, sample_weight)


@pytest.fixture
def clock(monkeypatch):
    Clock.seconds = 0.0
    monkeypatch.setattr(_deadline, "now", Clock())


@pytest.mark.many
@pytest.mark.parametrize("max_time", [30, 60])
@pytest.mark.long
def test_the_clock_leaves_time_for_the_pipeline(max_time, clock):
    search = search_of(Timed(), max_time=max_time)
    with pytest.warns(UserWarning, match="ended by max_time|draws"):
        search.fit(*small_data())
    assert Clock.seconds <= 1.1 * max_time + 2
    assert search.phases_["phase"].str.endswith("on a sample").any()
    assert search.phases_["phase"].iloc[-1] in ("deciding", "refining", "drawing again")
    assert search.interrupted_ is True
    assert search.worst_corruption_ is not None
    assert search.worst_score_ == search.cv_results_["mean_test_score"].min()


@pytest.mark.long
@pytest.mark.usefixtures("no_alternatives")
@pytest.mark.filterwarnings("ignore:.*max_time")
def test_the_sample_takes_what_fits_on_all_rows_leave(clock, monkeypatch):
    n_scored = []
    # as it is, and where none would be left
    for behind in (_auto_run.BEHIND_SAMPLE, np.inf):
        Clock.seconds = 0.0
        monkeypatch.setattr(_auto_run, "BEHIND_SAMPLE", behind)
        search = search_of(Timed(), max_time=200).fit(*small_data())
        assert search.interrupted_ and Clock.seconds <= 1.1 * 200 + 2
        on_sample = search.phases_["phase"].str.endswith("on a sample")
        n_scored.append(search.phases_.loc[on_sample, "n_candidates"].sum())
        decided = search.phases_.set_index("phase").loc["deciding", "n_candidates"]
        assert decided == _auto_run.DECIDED
    assert n_scored[0] > 1.2 * n_scored[1]


def test_a_limit_that_leaves_no_candidate_is_told_as_that(clock):
    """No result is no finding that nothing does harm."""

    class Slow(Timed):
        n_fits = 0

        def fit(self, X, y, sample_weight=None):
            Slow.n_fits += 1
            # after the clean ones
            Clock.seconds += 100 * (Slow.n_fits > BEFORE)
            return super().fit(X, y, sample_weight)

    with pytest.raises(ValueError, match=r"max_time=20 s was over.*before a candidate was scored"):
        search_of(Slow(), max_time=20).fit(*small_data())


@pytest.mark.slow
def test_a_journal_keeps_what_was_scored_on_the_sample(tmp_path):
    journal = tmp_path / "journal.sqlite"
    X, y = small_data()
    expected = search_of(Stops()).fit(X, y)
    n_whole, Stops.n_fits = Stops.n_fits, 0
    Stops.last = BEFORE + 30
    with pytest.warns(UserWarning, match="A second fit goes on from journal="):
        search_of(Stops(), journal=journal).fit(X, y)
    Stops.n_fits, Stops.last = 0, None
    again = search_of(Stops(), journal=journal).fit(X, y)
    assert_same_found(found_of(again), found_of(expected))
    # all that was scored on the sample until then
    assert Stops.n_fits <= n_whole - 25


def found_of(search):
    """All that a search without confirmation found."""
    search.confirmed_score_ = search.confirmed_baseline_score_ = np.nan
    search.confirmed_interval_ = (np.nan, np.nan)
    return found(search)


@pytest.mark.slow
def test_the_bar_shows_no_score_of_the_sample(monkeypatch):
    shown = []
    monkeypatch.setattr(
        "skcorrupt.adversarial.candidates._progress.Progress.best",
        lambda self, score, settled=False: shown.append(score),
    )
    search = search_of(Centroids()).fit(*small_data())
    scored = pd.Series(search.cv_results_["mean_test_score"]).round(9)
    assert set(np.round(shown, 9)) <= set(scored)


def ranked_and_space():
    """Candidates in an order of which the top is of one sort, and what they are made of."""
    X, y = small_data()
    search = AdversarialCorruptionSearch(
        Centroids(), "missing", cv=ONE_SPLIT, confirm_size=None, scoring=share_right,
        space=SearchSpace(n_bins=3, max_conditions=2), budget=0.6,
    )  # fmt: skip
    space = search.lay_out(X, y).task.space
    found = {}
    for depth in space.depths:
        for template in space.templates_of_depth(depth):
            grid = space.grid(template)
            for point in map(tuple, grid.points(np.arange(grid.size)).tolist()):
                candidate = space.candidate(template, point)
                if not candidate.refused:
                    found.setdefault(candidate.key, candidate)
    ranked = sorted(found.values(), key=lambda c: (-c.depth, str(c.columns), str(c.pattern)))
    return ranked, space


def test_the_first_batch_has_the_best_of_every_sort():
    ranked, space = ranked_and_space()
    first, *later = batches_of(ranked, space, 8, 40)
    assert first[:4] == ranked[:4]
    for sort in (lambda c: c.depth, lambda c: c.columns):
        for value in {sort(c) for c in ranked}:
            best = next(c for c in ranked if sort(c) == value)
            assert best in first
    assert len(first) <= 4 + _picks.most_of_sorts(space)
    assert all(len(batch) <= 8 for batch in later)
    taken = [c.key for batch in (first, *later) for c in batch]
    assert len(taken) == len(set(taken))
    assert {c.key for c in ranked[:40]} <= set(taken)
    assert batches_of([], space, 8, 40) == []


def test_those_that_take_a_class_are_a_sort_whichever_class_it_is():
    ranked, space = ranked_and_space()
    takes = _picks._takes_class(ranked, space)
    classes = {k for k in takes if k is not None}
    assert 0 in classes
    for k in classes:
        best = next(c for c, each in zip(ranked, takes, strict=True) if each == k)
        assert best in of_sorts(ranked, space)
        assert best in picks_of(ranked, space, len(ranked))
