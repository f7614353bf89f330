"""Ctrl-C and SIGTERM end a search with the best so far, the next one ends it by raising."""

import os
import signal
import sqlite3
import threading
import warnings
from contextlib import closing
from functools import cache

import numpy as np
import pytest

from cheap_models import Centroids
from children import alive, started, wait_for
from interrupted_search import Stops, assert_same_found, found, n_kept, search_and_data
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import _problem

CODE = "import sys, interrupted_search as m; m.main(*sys.argv[1:])"
# fits before the first candidate: two splits, then one that tells whether the pipeline takes NaN
BEFORE = 3


@pytest.fixture(autouse=True)
def _no_counts_left():
    Stops.n_fits, Stops.last, Stops.signal = 0, None, signal.SIGINT
    yield
    Stops.n_fits, Stops.last, Stops.signal = 0, None, signal.SIGKILL


@cache
def whole():
    """A search that was left alone, which tests read and leave as it is."""
    search, X, y = search_and_data()
    return search.fit(X, y)


def n_fits_of_search(search):
    """Fits until the last candidate was scored."""
    return BEFORE + 2 * int(search.cv_results_["n_draws"].sum())


@cache
def whole_and_fits(*budgets):
    """A whole search, and its fits until the first winner is compared, and is confirmed."""
    Stops.n_fits, fits = 0, {}
    search, X, y = search_and_data(**({"budget": [*budgets]} if budgets else {}))

    def noted(name, usual):
        def call(*args, **given):
            fits.setdefault(name, Stops.n_fits)
            return usual(*args, **given)

        return call

    with pytest.MonkeyPatch.context() as monkeypatch:
        for name, part in (("comparing", "random_scores"), ("confirming", "confirm_on")):
            monkeypatch.setattr(_problem, part, noted(name, getattr(_problem, part)))
        return search.fit(X, y), fits


@pytest.mark.long
def test_a_whole_search_was_not_interrupted():
    search = whole()
    assert search.interrupted_ is False and "ended early" not in search.summary()


@pytest.mark.parametrize(
    ("sent", "n_scored"), [(signal.SIGINT, 1), (signal.SIGINT, 7), (signal.SIGTERM, 7)]
)
@pytest.mark.slow
def test_a_signal_leaves_the_best_so_far(sent, n_scored):
    expected = whole()
    assert expected.n_evaluations_ > 7
    Stops.n_fits, Stops.last, Stops.signal = 0, BEFORE + 2 * n_scored + 1, sent
    search, X, y = search_and_data()
    name = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}[sent]
    candidates = "candidate" if n_scored == 1 else "candidates"
    said = f"interrupted after {n_scored} {candidates}\\b.*{name} again stops that.*journal=PATH"
    with pytest.warns(UserWarning, match=said):
        search.fit(X, y)
    assert search.interrupted_ is True
    assert search.n_evaluations_ == n_scored == len(search.cv_results_["pattern"])
    scores = search.cv_results_["mean_test_score"]
    # the others were drawn again in the end
    once = expected.cv_results_["n_draws"][:n_scored] == 1
    assert once.any()
    whole_scores = expected.cv_results_["mean_test_score"][:n_scored]
    np.testing.assert_array_equal(scores[once], whole_scores[once])
    assert search.worst_score_ == scores.min()
    assert search.worst_corruption_.pattern == search.worst_pattern_
    # the best so far is compared and confirmed as any winner is
    assert np.isfinite([search.random_score_, search.confirmed_score_]).all()
    assert search.summary().startswith("Losing")


@pytest.mark.long
@pytest.mark.usefixtures("no_alternatives")
def test_ctrl_c_before_anything_was_scored_is_raised():
    Stops.last = BEFORE + 1
    search, X, y = search_and_data()
    with pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    Stops.n_fits, Stops.last = 0, None
    assert search.fit(X, y).interrupted_ is False


def test_a_second_ctrl_c_is_raised():
    class Twice(Centroids):
        n_fits = 0

        def fit(self, X, y, sample_weight=None):
            Twice.n_fits += 1
            if Twice.n_fits in (BEFORE + 5, BEFORE + 9):
                signal.raise_signal(signal.SIGINT)
            return super().fit(X, y, sample_weight)

    search, X, y = search_and_data()
    search.set_params(estimator=Twice())
    with pytest.warns(UserWarning, match="interrupted after 2"), pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    assert Twice.n_fits == BEFORE + 9
    # what had been found is there all the same
    assert search.n_evaluations_ == 2
    assert search.worst_score_ == search.cv_results_["mean_test_score"].min()
    assert np.isnan(search.random_score_)


class TestHandlers:
    """Whatever was there for SIGTERM is there again when a search has ended."""

    @pytest.fixture(autouse=True)
    def _own_handler_back(self):
        before = signal.getsignal(signal.SIGTERM)
        yield
        signal.signal(signal.SIGTERM, before)

    @pytest.mark.parametrize("last", [None, BEFORE + 9])
    def test_it_is_put_back(self, last):
        def own(number, frame):
            raise AssertionError("not while a search runs")

        signal.signal(signal.SIGTERM, own)
        Stops.last, Stops.signal = last, signal.SIGTERM
        search, X, y = search_and_data(confirm_size=None, max_conditions=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search.fit(X, y)
        assert search.interrupted_ is (last is not None)
        assert signal.getsignal(signal.SIGTERM) is own

    def test_it_gets_what_the_search_does_not_take(self):
        caught = []
        signal.signal(signal.SIGTERM, lambda number, frame: caught.append(number))
        Stops.last, Stops.signal = BEFORE + 1, signal.SIGTERM
        search, X, y = search_and_data()
        with pytest.raises(KeyboardInterrupt):
            search.fit(X, y)
        assert caught == [signal.SIGTERM]

    @pytest.mark.long
    def test_what_is_ignored_stays_ignored(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        Stops.last, Stops.signal = BEFORE + 9, signal.SIGTERM
        search, X, y = search_and_data(confirm_size=None, max_conditions=0)
        assert search.fit(X, y).interrupted_ is False
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN

    @pytest.mark.long
    def test_a_search_in_another_thread_leaves_it_alone(self):
        before, seen = signal.getsignal(signal.SIGTERM), []

        def scorer(model, X, y):
            seen.append(signal.getsignal(signal.SIGTERM))
            return float(np.mean(model.predict(X) == y))

        search, X, y = search_and_data(confirm_size=None, max_conditions=0)
        thread = threading.Thread(target=search.set_params(scoring=scorer).fit, args=(X, y))
        thread.start()
        thread.join()
        assert search.n_evaluations_ and set(seen) == {before}


@pytest.mark.parametrize("during", ["comparing", "confirming"])
@pytest.mark.slow
def test_ctrl_c_after_the_search_leaves_its_result(during):
    """While random errors are drawn, and while the winner is confirmed."""
    expected, n_fits = whole_and_fits()
    Stops.n_fits, Stops.last = 0, n_fits[during] + 1
    search, X, y = search_and_data()
    with pytest.warns(UserWarning, match="after the search was done"):
        search.fit(X, y)
    assert search.interrupted_ is True
    assert search.worst_score_ == expected.worst_score_
    assert search.n_evaluations_ == expected.n_evaluations_
    assert np.isnan(search.confirmed_score_)
    if during == "comparing":
        assert np.isnan(search.random_score_)
    else:
        assert search.random_score_ == expected.random_score_


@pytest.mark.slow
def test_ctrl_c_among_the_alternatives_leaves_those_so_far():
    expected = whole()
    Stops.n_fits, Stops.last = 0, n_fits_of_search(expected) + 5
    search, X, y = search_and_data()
    with pytest.warns(UserWarning, match="alternatives_ has those found until then"):
        search.fit(X, y)
    assert search.interrupted_ is True
    assert search.worst_score_ == expected.worst_score_
    assert search.confirmed_score_ == expected.confirmed_score_
    n_relaxed, n_expected = (
        (each.alternatives_["status"] == "relaxed").sum() for each in (search, expected)
    )
    assert 1 <= n_relaxed <= 2 < n_expected
    assert "not tried" in set(search.alternatives_["status"])


@pytest.mark.slow
@pytest.mark.parametrize("during", ["comparing", "confirming"])
def test_ctrl_c_after_the_search_leaves_the_curve_of_budgets(during):
    expected, n_fits = whole_and_fits(0.1, 0.3)
    Stops.n_fits, Stops.last = 0, n_fits[during] + 1
    search, X, y = search_and_data(budget=[0.1, 0.3])
    with pytest.warns(UserWarning, match="after the search was done"):
        search.fit(X, y)
    curve, full = search.budget_curve_, expected.budget_curve_
    for name in ("budget", "worst_score", "score_drop", "pattern", "rate"):
        assert curve[name].tolist() == full[name].tolist()
    # what was not drawn is not known
    assert curve["confirmed_score"].isna().all()
    assert curve["random_score"].isna().all() and np.isnan(search.random_score_)


@pytest.mark.long
@pytest.mark.usefixtures("no_alternatives")
def test_a_journal_goes_on_after_ctrl_c(tmp_path):
    expected = whole()
    Stops.n_fits, Stops.last = 0, BEFORE + 9
    search, X, y = search_and_data(tmp_path / "journal.sqlite")
    with pytest.warns(UserWarning, match="A second fit goes on from journal="):
        search.fit(X, y)
    search.fit(X, y)
    assert search.interrupted_ is False
    assert search.worst_score_ == expected.worst_score_
    assert search.n_evaluations_ == expected.n_evaluations_
    assert search.random_score_ == expected.random_score_


@pytest.mark.long
def test_a_scorer_may_send_it_too(tmp_path):
    calls = []

    def scorer(model, X, y):
        calls.append(1)
        if len(calls) == 12:
            raise KeyboardInterrupt
        return float(np.mean(model.predict(X) == y))

    search, X, y = search_and_data()
    with pytest.warns(UserWarning, match="interrupted after"):
        search.set_params(scoring=scorer).fit(X, y)
    assert search.interrupted_
    n = len(search.cv_results_["pattern"])
    said = f"The search was ended early after {n} candidates: a worse error may exist."
    assert said in search.summary() and n == search.n_evaluations_
    search.to_json(tmp_path / "search.json")
    assert said in AdversarialCorruptionSearch.from_json(tmp_path / "search.json").summary()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_in_a_terminal_leaves_no_worker(n_jobs, tmp_path):
    """A terminal sends it to every process of the group, workers included."""
    journal = tmp_path / "journal.sqlite"
    with started(CODE, journal, 0, n_jobs, PAUSE="0.06") as child:
        wait_for(lambda: n_kept(journal) >= 3)
        os.killpg(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=120)
        assert child.returncode == 0, err
        interrupted, n_evaluations, n_rows, _ = out.split()
        assert interrupted == "True"
        assert 3 <= int(n_evaluations) == int(n_rows)
        wait_for(lambda: not alive(child.pid))


@pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")
@pytest.mark.parametrize(
    ("sent", "ends"),
    [
        pytest.param(signal.SIGTERM, 0, marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, 0, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, -signal.SIGHUP, marks=pytest.mark.slow),
    ]
    if os.name == "posix"
    else [],
)
def test_a_signal_leaves_what_is_kept_and_no_worker(sent, ends, tmp_path):
    """To the process that called fit alone, as `kill` and batch systems send it."""
    journal = tmp_path / "journal.sqlite"
    with started(CODE, journal, 0, 2, PAUSE="0.06") as child:
        wait_for(lambda: n_kept(journal) >= 3)
        child.send_signal(sent)
        # Ctrl-C and SIGTERM end the search, not the program
        assert child.wait(120) == ends
        wait_for(lambda: not alive(child.pid))
    expected = whole()
    assert 3 <= n_kept(journal) < expected.n_evaluations_
    search, X, y = search_and_data(journal)
    assert_same_found(found(search.fit(X, y)), found(expected))


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="elsewhere SIGTERM is no signal")
def test_a_second_sigterm_ends_the_program(tmp_path):
    """As it does where no search runs."""
    journal = tmp_path / "journal.sqlite"
    with started(CODE, journal, 0, 1, PAUSE="0.06") as child:
        wait_for(lambda: n_kept(journal) >= 3)
        child.send_signal(signal.SIGTERM)
        wait_for(lambda: _n_draws(journal) >= 1)
        child.send_signal(signal.SIGTERM)
        assert child.wait(120) == -signal.SIGTERM


def _n_draws(journal):
    with closing(sqlite3.connect(journal, timeout=60)) as connection:
        sql = "SELECT COUNT(*) FROM outcomes WHERE kind = 'draws'"
        return connection.execute(sql).fetchone()[0]
