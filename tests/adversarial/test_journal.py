"""A search that is killed goes on from its journal, and finds what it would have found."""

import json
import shutil
import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.search.kill import main as kill
from cheap_models import Centroids, Refusing
from children import started
from interrupted_search import Stops, assert_same_found, found, n_kept, search_and_data
from skcorrupt import CorruptLabels, Pattern

SMALL = {"max_conditions": 0, "n_calls": 2, "confirm_size": None}
BEFORE = 3
N_DRAWS = 20


def fitted(journal=None, **params):
    search, X, y = search_and_data(journal, **params)
    return search.fit(X, y)


def n_drawn_again(journal):
    """Draws of candidates besides their first ones, which a journal keeps beside random errors."""
    return n_kept(journal, "draws") - N_DRAWS


@pytest.fixture(autouse=True)
def _no_counts_left():
    Stops.n_fits, Stops.last = 0, None
    yield
    Stops.n_fits, Stops.last = 0, None


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


@pytest.fixture(scope="module")
def expected():
    return fitted()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The journal of a search that has ended."""
    journal = tmp_path_factory.mktemp("whole") / "journal.sqlite"
    fitted(journal)
    return journal


@pytest.fixture
def ended(whole, path):
    """A copy of it."""
    return shutil.copy(whole, path)


@pytest.mark.long
def test_a_journal_changes_nothing(path, expected):
    search = fitted(path)
    assert_same_found(found(search), found(expected))
    assert n_kept(path) == search.n_evaluations_


@pytest.mark.long
def test_a_finished_search_is_read(ended, expected):
    """Fits on clean data and of the confirmation are made again, those of candidates are not."""
    Stops.n_fits = 0
    again = fitted(str(ended))
    assert_same_found(found(again), found(expected))
    assert Stops.n_fits == BEFORE + 1 + N_DRAWS
    assert n_kept(ended) == again.n_evaluations_


@pytest.mark.slow
def test_three_kills(expected):
    """The benchmark with 20 is the same: each at a random moment, the last one left to end."""
    row = kill(n_kills=3)
    assert row["identical"]
    assert 0 < row["kept"] < row["n_evaluations"]
    # the candidate that was in flight, of two splits
    assert row["most_fits_lost"] <= 2


@pytest.mark.parametrize("last", [BEFORE + 1, BEFORE + 4, BEFORE + 13])
@pytest.mark.slow
def test_what_is_scored_is_in_the_file_at_once(path, expected, last):
    code = (
        "import sys, interrupted_search as m\n"
        "m.Stops.last = int(sys.argv[2])\n"
        "m.main(sys.argv[1], 0, 1)"
    )
    with started(code, path, last) as child:
        assert child.wait() == -9
    kept = (last - 1 - BEFORE) // 2
    assert n_kept(path) == kept
    search = fitted(path)
    # the fits that are not those of a candidate kept: 20 draws on two splits, and 21 confirming
    n_scored = search.n_evaluations_ - kept + n_kept(path, "alternatives")
    n_scored += n_drawn_again(path)
    assert Stops.n_fits == BEFORE + 2 * n_scored + 2 * N_DRAWS + 1 + N_DRAWS
    assert_same_found(found(search), found(expected))


@pytest.mark.slow
def test_draws_of_random_errors_are_kept_too(path, expected, whole):
    search, X, y = search_and_data(path)
    n_scored = expected.n_evaluations_ + n_kept(whole, "alternatives") + n_drawn_again(whole)
    Stops.last = BEFORE + 2 * n_scored + 11
    Stops.signal, before = 2, Stops.signal
    try:
        with pytest.warns(UserWarning, match="after the search was done"):
            search.fit(X, y)
    finally:
        Stops.signal = before
    Stops.n_fits = 0
    assert_same_found(found(search.fit(X, y)), found(expected))
    assert Stops.n_fits == BEFORE + 2 * (N_DRAWS - 5) + 1 + N_DRAWS


@pytest.mark.slow
def test_workers_make_no_difference(path, expected):
    search = fitted(path, n_jobs=2)
    assert_same_found(found(search), found(expected))
    assert n_kept(path) == search.n_evaluations_
    assert_same_found(found(fitted(path)), found(expected))


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "null"])
def test_two_processes_may_share_a_file(path, expected, seed):
    """With no seed, too: one draws it, the other one takes it."""
    code = "import sys, interrupted_search as m; m.main(*sys.argv[1:])"
    with started(code, path, 0.002, 1, seed) as one, started(code, path, 0.002, 1, seed) as other:
        said = []
        for child in (one, other):
            out, err = child.communicate(timeout=240)
            assert child.returncode == 0, err
            said.append(out.split())
    assert said[0] == said[1]
    assert said[0][0] == "False" and said[0][1] == said[0][2] == str(n_kept(path))
    if seed == "0":
        assert n_kept(path) == expected.n_evaluations_


@pytest.mark.usefixtures("few_fits")
@pytest.mark.parametrize(
    "make", [np.random.RandomState, pytest.param(np.random.default_rng, marks=pytest.mark.slow)]
)
def test_a_generator_of_the_same_state_goes_on(path, make):
    first = fitted(path, random_state=make(3), **SMALL | {"confirm_size": 0.25})
    kept = n_kept(path)
    assert_same_found(
        found(first), found(fitted(path, random_state=make(3), **SMALL | {"confirm_size": 0.25}))
    )
    assert n_kept(path) == kept
    fitted(path, random_state=make(4), **SMALL | {"confirm_size": 0.25})
    assert n_kept(path) > kept


CHANGES = [
    {"budget": 0.2},
    {"random_state": 1},
    {"scoring": "accuracy"},
    {"cv": 3},
    {"cv": KFold(2, shuffle=True, random_state=0)},
    {"error_score": 0.0},
    {"corruption": "labels"},
    {"space__exclude": [Pattern.parse("a > 3")]},
    {"estimator": Centroids()},
    {"estimator": Stops(0.001)},
    {"test_corruption": CorruptLabels(rate=0.2)},
]


@pytest.mark.usefixtures("few_fits")
@pytest.mark.filterwarnings("ignore:The groups parameter is ignored:UserWarning")
@pytest.mark.filterwarnings("ignore:No candidate is feasible:UserWarning")
@pytest.mark.slow
def test_other_settings_and_data_are_other_studies_in_the_file(path):
    _, X, y = search_and_data(path, **SMALL)
    kept = 0

    def n_more(X=X, y=y, change=(), **params):
        nonlocal kept
        before = kept
        search_and_data(path, **SMALL)[0].set_params(**dict(change)).fit(X, y, **params)
        kept = n_kept(path)
        return kept - before

    assert n_more() and not n_more()
    for change in CHANGES:
        assert n_more(change=change), change
    assert n_more(X.assign(c=1 - X["c"]))
    assert n_more(X.rename(columns={"c": "d"}))
    assert n_more(y=y.where(y.index != 5, "no" if y[5] == "yes" else "yes"))
    assert n_more(X[:110], y[:110])
    assert n_more(groups=np.arange(120) // 2)
    assert n_more(sample_weight=np.ones(120))
    # a copy of the data in other blocks is the same data
    assert not n_more(pd.DataFrame({name: list(X[name]) for name in X}), y.copy())
    assert not n_more()


@pytest.mark.slow
def test_another_study_finds_what_it_would_have_found_alone(ended):
    n_scored = n_kept(ended)
    made = fitted(ended, budget=0.2)
    assert_same_found(found(made), found(fitted(budget=0.2)))
    assert n_kept(ended) == n_scored + made.n_evaluations_


@pytest.mark.long
def test_what_makes_no_difference_may_change(ended, expected):
    search = fitted(ended, n_jobs=2, refit=True, cv=StratifiedKFold(2))
    assert_same_found(found(search), found(expected))
    assert hasattr(search, "worst_estimator_")


@pytest.mark.long
def test_settings_are_readable(ended):
    with closing(sqlite3.connect(ended)) as connection:
        (text,) = connection.execute("SELECT said FROM studies").fetchone()
        said = connection.execute("SELECT said FROM outcomes").fetchall()
    settings = json.loads(text)
    assert settings["budget"] == 0.1
    assert settings["seed"] == 0
    assert settings["X"]["text"] == "120 rows × 3 columns, pandas"
    assert any("where" in words and "y ==" in words for (words,) in said)


@pytest.mark.usefixtures("few_fits")
@pytest.mark.filterwarnings("ignore:The pipeline:UserWarning")
@pytest.mark.slow
def test_failures_are_kept(path):
    search, X, y = search_and_data(path)
    search.set_params(estimator=make_pipeline(StandardScaler(), Refusing(refuses=(2,))))
    with pytest.warns(FitFailedWarning):
        first = found(search.fit(X.fillna(0.0), y))
    assert set(first[0]["status"]) == {"ok", "failed"}
    with pytest.warns(FitFailedWarning):
        again = found(search.fit(X.fillna(0.0), y))
    assert_same_found(first, again)


def test_infeasible_candidates_are_kept(path):
    """Flipping every label of a class leaves the other one alone."""
    search, X, y = search_and_data(path, budget=1.0, max_conditions=0)
    search.set_params(corruption="labels")
    for _ in range(2):
        with pytest.warns(UserWarning, match="No candidate is feasible .* one class is left"):
            search.fit(X, y)
        assert set(search.cv_results_["status"]) == {"infeasible"}
        assert n_kept(path) == search.n_evaluations_ > 0


def test_a_plan_leaves_no_journal(path):
    search, X, y = search_and_data(path)
    search.plan(X, y)
    assert not path.exists()


@pytest.mark.slow
def test_other_containers(path):
    _, X, y = search_and_data()
    for kind in ("numpy", "polars"):
        if kind == "polars":
            table = pytest.importorskip("polars").DataFrame(X.to_dict("list"))
        else:
            table = X.to_numpy()
        here = path.with_name(kind)
        search, _, _ = search_and_data(here, max_conditions=1)
        first = found(search.fit(table, y.to_numpy()))
        Stops.n_fits = 0
        assert_same_found(first, found(search.fit(table, y.to_numpy())))
        assert Stops.n_fits == BEFORE + 1 + N_DRAWS


def test_what_cannot_be_told_from_others_is_refused(path):
    search, X, y = search_and_data(path)
    with pytest.raises(ValueError, match="top level of a module"):
        search.set_params(scoring=lambda model, X, y: 0.5).fit(X, y)
