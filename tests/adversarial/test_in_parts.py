"""Searches over tables that are read in parts: the same as in memory, counted on all rows."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.dataset as ds
import pytest
from sklearn.model_selection import GroupKFold

from cheap_models import Centroids, share_right
from flat_search import flat_search
from skcorrupt import AdversarialCorruptionSearch, CorruptMissing, Pattern
from skcorrupt.adversarial import _all_rows
from skcorrupt.adversarial._in_parts import rows_to_hold
from skcorrupt.report import write_html
from skcorrupt.utils import _sources

pytestmark = pytest.mark.usefixtures("few_fits")

N_ROWS, HELD = 1000, 300


def table(n=N_ROWS):
    rng = np.random.default_rng(0)
    age, job = rng.integers(17, 90, n), rng.choice(["clerk", "nurse", "smith"], n)
    age = age / 30
    paid = age + (job == "nurse") + rng.normal(size=n) > 2
    frame = pl.DataFrame(
        {
            "age": age,
            "job": job,
            "hours": rng.normal(size=n),
            "paid": paid.astype(int),
            "id": rng.permutation(n),
        }
    )
    gaps = pl.Series(rng.random(n) < 0.1)
    return frame.with_columns(age=pl.when(gaps).then(None).otherwise("age"))


class Coded(Centroids):
    """Centroids of a frame of which a column holds texts."""

    def fit(self, X, y):
        return super().fit(coded(X), y)

    def predict_proba(self, X):
        return super().predict_proba(coded(X))


def coded(X):
    numbers = {name: np.asarray(X[name], dtype=float) for name in ("age", "hours")}
    return pd.DataFrame(numbers | {"nurse": (np.asarray(X["job"]) == "nurse").astype(float)})


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(_sources, "PART_ROWS", 150)


def search(corruption="missing", **params):
    """A search of all patterns of one condition, with a cheap pipeline."""
    settings = {"scoring": share_right, "random_state": 0, "sample_size": HELD}
    # nothing is left to be relaxed
    settings |= {"cv": one_split(), "confirm_size": None, "label": "required"}
    settings |= {"own_column": "required"}
    settings |= {"exhaustive": True, "max_conditions": 1, "n_bins": 2}
    return flat_search(Coded(), corruption, **{**settings, **params})


def one_split():
    return [(np.arange(0, 200), np.arange(200, HELD))]


# searches with all that they do by themselves
FULL = {"cv": 2, "confirm_size": 0.25, "label": None, "own_column": None}


def features(frame):
    return frame.drop("id", strict=False)


def parts(frame=None):
    """A table in parts, of which rows are held as a pandas frame."""
    return features(table() if frame is None else frame).to_arrow()


def found(fitted):
    """Everything that tells two searches apart."""
    scores = fitted.cv_results_["mean_test_score"].tolist()
    told = fitted.alternatives_.drop(columns="corruption").to_dict("records")
    own = getattr(fitted, "confirmed_interval_", None), fitted.random_score_
    return repr((fitted.summary(), fitted.cv_results_["pattern"].tolist(), scores, told, own))


def sources(frame, path):
    import dask.dataframe as dd

    path.mkdir()
    frame[:400].write_parquet(path / "a.parquet", row_group_size=130)
    frame[400:].write_parquet(path / "b.parquet", row_group_size=333)
    return {
        "folder": path,
        "glob": str(path / "*.parquet"),
        "data set": ds.dataset(path),
        "Arrow table": frame.to_arrow(),
        "lazy frame": pl.scan_parquet(path / "*.parquet"),
        "shuffled": frame.sample(fraction=1.0, shuffle=True, seed=1).lazy(),
        "no order": _sources.ArrowBatches(
            "X", _sources._table_batches(frame.to_arrow()), ordered=False
        ),
        "Dask frame": dd.from_pandas(frame.to_pandas(), npartitions=5),
    }


@pytest.mark.long
@pytest.mark.parametrize("held", [HELD, N_ROWS])
def test_the_same_for_every_source(tmp_path, held):
    frame = table()
    wanted = None
    if held == N_ROWS:
        ordered = frame.sort("id")
        wanted = found(search().fit(ordered.drop("id", "paid").to_pandas(), ordered["paid"]))
    for name, source in sources(frame, tmp_path / "parts").items():
        fitted = search(sample_size=held).fit(source, "paid", key="id")
        wanted = wanted or found(fitted)
        assert found(fitted) == wanted, name
        assert fitted.n_rows_ == N_ROWS
        assert fitted.sample_indices_ is None
        assert fitted.feature_names_in_.tolist() == ["age", "job", "hours"]


@pytest.mark.long
def test_the_same_however_the_table_is_cut(tmp_path):
    frame = features(table())
    in_memory = search(**FULL).fit(frame.drop("paid").to_pandas(), frame["paid"].to_pandas())
    whole, some = search(**FULL, sample_size=N_ROWS), search(**FULL).fit(parts(), "paid")
    for number, cuts in enumerate([[1, 2], [400, N_ROWS - 1]]):
        folder = tmp_path / str(number)
        folder.mkdir()
        for i, (first, last) in enumerate(zip([0, *cuts], [*cuts, N_ROWS], strict=True)):
            frame[first:last].write_parquet(folder / f"f{i}.parquet")
        frame[:0].write_parquet(folder / "empty.parquet")
        assert found(whole.fit(folder, "paid")) == found(in_memory)
        assert whole.sample_indices_.tolist() == [*range(N_ROWS)]
        again = search(**FULL).fit(folder, "paid")
        assert found(again) == found(some)
        assert again.sample_indices_.tolist() == some.sample_indices_.tolist()
    # the pipeline sees `sample_size` rows, and others confirm
    assert len(some.search_indices_) == HELD
    assert len(set(some.sample_indices_)) == HELD * 4 // 3


def test_scores_are_those_of_the_rows_held():
    frame = features(table())
    fitted = search().fit(parts(), "paid")
    held = frame[fitted.sample_indices_]
    alone = search().fit(held.drop("paid").to_pandas(), held["paid"].to_pandas())
    by_pattern = dict(
        zip(alone.cv_results_["corruption"], alone.cv_results_["mean_test_score"], strict=True)
    )
    scores = {(str(c.columns), str(c.pattern), c.rate): s for c, s in by_pattern.items()}
    same = 0
    for c, score in zip(
        fitted.cv_results_["corruption"], fitted.cv_results_["mean_test_score"], strict=True
    ):
        expected = scores.get((str(c.columns), str(c.pattern), c.rate))
        if expected is not None and np.isfinite(score):
            same += 1
            assert score == expected
    assert same > 8


KINDS = [
    "missing", "labels", "selection", "noise", "scale", "categories",
    CorruptMissing(pattern="paid == 1"),
    CorruptMissing(["age", "hours"], same_rows=False),
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.long
def test_counts_are_those_of_the_errors_themselves(kind):
    frame = features(table())
    fitted = search(kind, n_bins=3, own_column="allowed").fit(parts(), "paid")
    results = fitted.cv_results_
    counted = np.flatnonzero(np.isfinite(results["all_rows_support"]))
    assert len(counted) > 5
    for i in counted:
        record = results["corruption"][i].corrupt(frame.drop("paid"), frame["paid"]).record
        assert record.n_matched / N_ROWS == results["all_rows_support"][i]
        if getattr(kind, "same_rows", True):
            assert record.n_corrupted / N_ROWS == results["all_rows_fraction"][i]
        else:
            assert record.row_fraction <= results["all_rows_fraction"][i]


@pytest.mark.long
def test_the_budget_holds_on_all_rows():
    frame = features(table())
    fitted = search(**FULL, budget=[0.05, 0.2], random_state=1).fit(parts(), "paid")
    told = [*zip(fitted.budget_curve_["budget"], fitted.budget_curve_["corruption"], strict=True)]
    told += [(0.2, each) for each in fitted.alternatives_["corruption"] if each is not None]
    told.append((0.2, fitted.worst_corruption_))
    assert len(told) >= 4
    lowered = 0
    for budget, corruption in told:
        record = corruption.corrupt(frame.drop("paid"), frame["paid"]).record
        assert 0 < record.n_corrupted <= math.floor(budget * N_ROWS + 1e-9)
        lowered += record.n_corrupted == math.floor(budget * N_ROWS)
    # some rates are those of all rows, not of the rows held
    assert lowered
    results = pd.DataFrame(fitted.cv_results_)
    over = results[results["message"].str.contains("over budget at rate")]
    assert len(over)
    assert (over["all_rows_fraction"] > 0.2).all()
    assert fitted.certificate_["n_refused"].iloc[-1] == len(over)
    scored = results[results["rank_test_score"] == 1]
    assert fitted.worst_score_ == scored["mean_test_score"].iloc[0]
    assert (scored["all_rows_fraction"] <= 0.2 + 1e-9).all()


@pytest.mark.long
def test_what_is_rare_among_all_rows_is_refused():
    frame = features(table())
    first = search().fit(parts(), "paid")
    held = frame[first.sample_indices_]
    results = pd.DataFrame(first.cv_results_)
    here = [
        c.corrupt(held.drop("paid"), held["paid"]).record.n_matched / HELD
        for c in results["corruption"]
    ]
    gap = here - results["all_rows_support"]
    i = gap.idxmax()
    least = (here[i] + results["all_rows_support"][i]) / 2
    second = search(min_support=least).fit(parts(), "paid")
    again = pd.DataFrame(second.cv_results_)
    same = again[["pattern", "columns"]].eq(results.loc[i, ["pattern", "columns"]]).all(axis=1)
    (row,) = again[same].to_dict("records")
    assert row["status"] == "infeasible"
    assert row["message"] == "matches less than min_support, counted on all rows"
    ok = again[again["status"] == "ok"]
    assert len(ok)
    assert (ok["all_rows_support"] >= least).all()


@pytest.mark.long
def test_what_rests_on_what_is_said(tmp_path):
    frame = features(table())
    fitted = search(**FULL).fit(parts(), "paid")
    said = (
        "Support and budget hold for all 1,000 rows; scores rest on 300 of them, confirmed on 100 "
        "others."
    )
    assert said in fitted.summary()
    row = fitted.certificate_.iloc[-1]
    assert (row["n_rows_counted"], row["n_rows_searched"], row["n_rows_confirmed"]) == (
        N_ROWS, 300, 100,
    )  # fmt: skip
    assert not row["proven"]
    page = write_html(fitted, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Drawn from the 1,000 rows of the table" in page
    assert "Support and budget hold for all 1,000 rows" in page
    assert "learned are from 300 of them, the confirmation from 100 others." in page
    again = AdversarialCorruptionSearch.from_json(fitted.to_json(tmp_path / "search.json"))
    assert again.summary() == fitted.summary()
    assert again.sample_indices_.tolist() == fitted.sample_indices_.tolist()
    assert again.n_rows_ == N_ROWS
    fitted.fit(frame.drop("paid").to_pandas(), frame["paid"].to_pandas())
    assert not hasattr(fitted, "n_rows_")
    assert "Support and budget" not in fitted.summary()


@pytest.mark.long
def test_several_kinds_and_groups():
    frame = features(table()).with_columns(ward=pl.int_range(N_ROWS) % 40)
    fitted = search(["missing", "labels"], cv=GroupKFold(2), confirm_size=0.25)
    fitted.fit(frame.to_arrow(), "paid", groups="ward")
    results = pd.DataFrame(fitted.cv_results_)
    assert set(results["kind"]) == {"missing", "labels"}
    assert results.groupby("kind")["all_rows_support"].count().min() > 5
    ward = frame["ward"].to_numpy()[fitted.sample_indices_][fitted.search_indices_]
    for train, test in fitted.splits_:
        assert not set(ward[train]) & set(ward[test])
    assert "ward" not in fitted.feature_names_in_


def test_a_plan_is_one_of_the_rows_held():
    frame = features(table())
    held = frame[search().fit(parts(), "paid").sample_indices_]
    plan = search().plan(parts(), "paid")
    alone = search().plan(held.drop("paid").to_pandas(), held["paid"].to_pandas())
    assert (plan.n_fits, plan.n_evaluations) == (alone.n_fits, alone.n_evaluations)


def test_an_interrupted_count_leaves_what_was_found(monkeypatch):
    def interrupted(self, frame, first):
        raise KeyboardInterrupt

    monkeypatch.setattr(_all_rows._Count, "__call__", interrupted)
    with pytest.warns(UserWarning, match="while candidates were counted on all 1000 rows"):
        fitted = search().fit(parts(), "paid")
    assert fitted.interrupted_
    assert np.isnan(fitted.cv_results_["all_rows_support"]).all()
    assert isinstance(fitted.worst_pattern_, Pattern)


@pytest.mark.parametrize(
    ("params", "given", "message"),
    [
        ({}, {"y": None}, "holds its labels itself; pass the name of their column"),
        ({}, {"y": "wage"}, "y='wage' should be the name of the column of labels"),
        ({}, {"key": "nobody"}, "key='nobody' should name columns"),
        ({}, {"key": "job"}, "rows share theirs, such as"),
        ({}, {"key": "age"}, "'age' has missing values"),
        ({}, {"groups": "ward"}, "groups should be the name of a column"),
        ({}, {"sample_weight": np.ones(N_ROWS)}, "sample_weight has 1000 entries"),
        ({"apply_to": "both"}, {}, "X is read in parts"),
        ({"apply_to": "test"}, {"key": "age"}, "with apply_to='train'; leave it out"),
        ({"sample_size": 0}, {}, "sample_size"),
        ({"journal": "j.sqlite", "random_state": None}, {}, "depends on random_state=None"),
    ],
)
def test_what_cannot_be_searched_in_parts_is_refused(params, given, message, tmp_path):
    if "journal" in params:
        params = {**params, "journal": tmp_path / params["journal"]}
    with pytest.raises(ValueError, match=message):
        search(**params).fit(parts(), **{"y": "paid", **given})


def test_faults_of_sources_are_named(tmp_path):
    frame = features(table())
    arrow = frame.to_arrow()
    # as a relation of DuckDB is read
    relation = _sources.ArrowBatches("X", _sources._table_batches(arrow), ordered=False)
    with pytest.raises(ValueError, match="has no order of rows that could be relied on"):
        search().fit(relation, "paid")
    with pytest.raises(ValueError, match="has no rows"):
        search().fit(frame[:0].lazy(), "paid")
    with pytest.raises(ValueError, match="key='id' is for tables that are read in parts"):
        search().fit(frame.drop("paid"), frame["paid"], key="id")
    frame[:600].write_parquet(tmp_path / "a.parquet")
    frame[600:].cast({"hours": pl.String}).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(ValueError, match=r"b\.parquet holds 'hours' as String, not as Float64"):
        search().fit(tmp_path, "paid")
    (tmp_path / "b.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(ValueError, match=r"b\.parquet cannot be read as Parquet"):
        search().fit(tmp_path, "paid")


def test_a_process_is_searched_where_the_table_is_held():
    from skcorrupt import CorruptionProcess

    frame = features(table(HELD))
    process = CorruptionProcess([("gaps", CorruptMissing("hours")), ("age", CorruptMissing("age"))])
    fitted = search(process).fit(parts(frame), "paid")
    alone = search(process).fit(frame.drop("paid").to_pandas(), frame["paid"].to_pandas())
    assert found(fitted) == found(alone)
    with pytest.raises(ValueError, match="pass sample_size=1000 or more"):
        search(process).fit(parts(), "paid")


@pytest.mark.parametrize("share", [None, 0.1, 0.25, 0.3, 0.5, 0.9])
def test_as_many_rows_are_searched_as_are_asked_for(share):
    for asked in (*range(1, 200), 99_999, 100_000):
        held = rows_to_hold(asked, share)
        aside = 0 if share is None else math.ceil(share * held - 1e-9)
        assert asked <= held - aside <= asked + 1


@pytest.mark.long
def test_a_file_confirms_as_a_table_in_memory_does(tmp_path):
    fitted, fresh = search().fit(parts(), "paid"), features(table(400))
    in_memory = fitted.confirm(fresh.drop("paid").to_pandas(), fresh["paid"].to_pandas())
    expected = in_memory.confirmed_score_, in_memory.confirmed_interval_
    fresh.write_parquet(tmp_path / "fresh.parquet")
    for given in (tmp_path / "fresh.parquet", ds.dataset(fresh.to_arrow())):
        again = fitted.confirm(given, "paid")
        assert (again.confirmed_score_, again.confirmed_interval_) == expected


def test_paths_are_told_from_tables(tmp_path):
    with pytest.raises(ValueError, match=r"X=.*x\.parquet' is a text or a path, not a table; read"):
        CorruptMissing().fit(tmp_path / "x.parquet")


@pytest.mark.long
@pytest.mark.parametrize("kinds", ["labels", ["labels", "missing"]])
def test_what_strikes_the_same_rows_at_a_lower_rate_has_its_score(kinds):
    """The worst is lowered to the budget on all rows, of which the rows held know nothing."""
    rng = np.random.default_rng(0)
    z = (rng.random(4000) < 0.2).astype(float)
    y = np.where(z == 1, 1, rng.random(4000) < 0.3).astype(int)
    frame = pl.DataFrame({"x": rng.normal(size=4000) + np.where(z == 1, 3, -1), "z": z, "y": y})
    search = flat_search(
        Centroids(), kinds, budget=0.2, max_conditions=1, n_bins=2, scoring=share_right,
        exhaustive=True, cv=2, confirm_size=None, random_state=0, sample_size=200,
    ).fit(frame.lazy(), "y")  # fmt: skip
    assert search.worst_corruption_.rate < 1
    table = search.alternatives_
    without = table[~table["uses_label"].astype(bool) & (table["score"] == search.worst_score_)]
    assert without["pattern"].tolist() == ["z == 1"]
    # by the rows held it is no worse than by all rows, which the rate is about
    assert (table["pattern"] == str(search.worst_pattern_)).any()
