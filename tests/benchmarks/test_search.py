"""The benchmark of the search: sections that can be resumed, limits of rivals, tables."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from benchmarks import _results
from benchmarks.search import _rivals_compared as _search_rivals, search
from benchmarks.search._common import ResumedResults, on_test_set, searched, subsample
from benchmarks.search._data import halves, load_sqf
from benchmarks.search._recall import _compared, recalled
from benchmarks.search._speed import screening_of
from flat_search import flat_search


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 4, (360, 3)), columns=["a", "b", "c"])
    margin = X["a"] - X["b"] + rng.normal(0, 1, 360)
    return halves(X, (margin > 0).astype(int).rename("label"))


@pytest.fixture
def pipeline():
    return make_pipeline(SimpleImputer(), LogisticRegression(solver="newton-cholesky"))


@pytest.fixture
def saved(tmp_path, monkeypatch):
    monkeypatch.setattr(_results, "results_in", lambda name: tmp_path)
    return tmp_path / "search.json"


def test_sections_are_replaced_one_by_one(saved):
    first = ResumedResults("search", quick=False)
    first.add("speed", {"seconds": 1.0})
    first.add("curve", {"found": 0.5})
    other = ResumedResults("search", quick=False)
    other.begin("curve")
    other.add("curve", {"found": 0.4})
    # the first process does not undo what the other one saved meanwhile
    first.own = {"speed"}
    first.add("speed", {"seconds": 2.0})
    assert json.loads(saved.read_text())["sections"] == {
        "speed": [{"seconds": 1.0}, {"seconds": 2.0}],
        "curve": [{"found": 0.4}],
    }


def test_an_unknown_section_is_named(saved):
    with pytest.raises(ValueError, match="colour"):
        search.run(sections=["colour"])


def test_a_limit_gives_the_best_at_fits_and_at_time():
    limit = _search_rivals.Limit(n_fits=2, seconds=0.0)
    limit.note(1, 0.8, "first")
    limit.check(1)
    limit.note(2, 0.9, "second")
    with pytest.raises(_search_rivals.Spent):
        limit.check(2)
    assert limit.at_fits() == "first"
    assert limit.at_time() is None


def test_runs_of_a_rival_count_together_and_end_where_nothing_is_left():
    limit = _search_rivals.Limit(n_fits=5, seconds=0.0)
    limit.check(3)
    limit.restart()
    limit.note(1, 0.7, "of the second run")
    assert limit.found[-1][0] == 4
    limit.check(1)
    limit.restart()
    with pytest.raises(_search_rivals.Spent):
        limit.restart()


def test_settings_are_spread_and_complete():
    names = ["a", "b", "c", "d"]
    found = list(_search_rivals.settings(names))
    assert len(found) == len(set(found)) == 80
    assert {setting[2] for setting in found[:4]} == set(_search_rivals.IMPUTERS)


@pytest.mark.slow
@pytest.mark.usefixtures("few_fits")
def test_rivals_make_as_many_fits_and_are_summed_up(data, pipeline, monkeypatch):
    monkeypatch.setattr(_search_rivals, "MOST_FITS", 30)
    row = _search_rivals.compared(pipeline, data)
    ways = [f"{rival}_{way}" for rival in _search_rivals.RIVALS for way in ("fits", "time")]
    assert all(0 < row[way] < row["clean"] + 0.05 for way in ways)
    assert all(row["ours"] <= row[f"{rival}_fits"] + 0.01 for rival in _search_rivals.RIVALS)
    assert row["ours"] < row["clean"]
    summed = _search_rivals.summary([row])
    assert len(summed) == len(ways)
    assert all(line["lower"] + line["same"] + line["higher"] == 1 for line in summed)


@pytest.mark.long
def test_a_bar_ends_a_search_after_so_many_candidates(data, pipeline):
    X, y, cv = on_test_set(data)
    given = flat_search(
        pipeline, "missing", scoring="roc_auc", cv=cv, confirm_size=None, random_state=0
    )
    limit = _search_rivals.Limit(n_fits=5, seconds=0.0)
    stopped, _ = searched(given, X, y, _search_rivals.LimitedBar(limit))
    assert limit.last == 5
    assert len(stopped.evaluator.done) == 5
    problem, told = searched(
        flat_search(
            pipeline, "missing", scoring="roc_auc", cv=cv, confirm_size=None, random_state=0,
            max_conditions=1,
        ),
        X,
        y,
    )  # fmt: skip
    assert told.name == "linear"
    assert problem.evaluator.ranked()[0].score < problem.baseline


def test_screening_alone(data, pipeline):
    screening = screening_of(pipeline, "missing", data, max_conditions=2)
    screening.run()
    assert screening.coverage.depth == 2
    assert screening.coverage.n_distinct > 50


def test_recall_counts_the_worst_among_the_first():
    true = np.arange(60.0)
    assert _compared(true, true) == (1.0, 1.0)
    assert _compared(true, -true) == (-1.0, 0.0)
    unscored = np.where(true < 5, np.nan, true)
    assert _compared(true, unscored)[1] == 0.5


@pytest.mark.long
def test_recall_of_a_linear_proxy(data, pipeline):
    row = recalled(pipeline, "missing", data, n_candidates=30)
    assert row["proxy"] == "linear"
    assert row["spearman"] > 0.8
    assert row["recall"] == 1.0


def test_subsamples_keep_rows_and_labels_together(data):
    some = subsample(data, 50, 20)
    assert [len(part) for part in some] == [50, 50, 20, 20]
    known = set(map(tuple, data[0].assign(label=data[1]).to_numpy().tolist()))
    assert set(map(tuple, some[0].assign(label=some[1]).to_numpy().tolist())) <= known


def test_sqf_has_no_column_made_from_the_label(tmp_path, monkeypatch):
    folder = tmp_path / "sqf"
    folder.mkdir()
    for name in ("train", "test"):
        (folder / f"sqf_{name}.csv").write_text("race,frisked,perobs\n0,1,0.0\n1,0,1.0\n")
    monkeypatch.setenv("SKCORRUPT_DATA", str(tmp_path))
    monkeypatch.setenv("SKCORRUPT_ANY_DATA", "1")
    X, y, X_test, y_test = load_sqf()
    assert list(X.columns) == ["race", "perobs"]
    assert y.tolist() == y_test.tolist() == [1, 0]
    assert X_test.shape == (2, 2)


SUMMARIES = ("rivals-summary", "rivals-once-summary")


def test_every_section_has_a_table():
    made = search.tables({"benchmark": "search", "sections": {}})
    assert set(made) == {f"search-{name}" for name in [*search.COLUMNS, *SUMMARIES]}
    assert set(search.SECTIONS) <= set(search.COLUMNS)
