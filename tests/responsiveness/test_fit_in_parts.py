"""Audits fitted to tables that are read in parts: equal people once, numbers as in memory."""

import pickle
import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pyarrow.dataset as ds
import pytest
from sklearn.tree import DecisionTreeClassifier

from skcorrupt.report import write_html
from skcorrupt.responsiveness import (
    ActionSet,
    ResponsivenessAuditor,
    ResponsivenessDisplay,
    audit_to_parquet,
)
from skcorrupt.stats import adjusted_pvalues
from skcorrupt.utils import as_source

N = 400


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    # a group so rare that it has to be put together with others
    g = np.where(np.arange(N) < 3, 2, rng.integers(0, 2, N))
    return pd.DataFrame({"a": rng.integers(0, 4, N), "b": rng.integers(0, 3, N), "g": g})


def auditor_of(X, **params):
    model = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, X["a"] + X["b"] + X["g"] > 3)
    given = {"target": True, "task": "preclusion", "random_state": 0, **params}
    return ResponsivenessAuditor(model, ActionSet.from_data(X, ["a"]), **given)


@pytest.fixture(scope="module")
def both(X):
    source = pl.from_pandas(X).with_columns(other=pl.lit("left out")).lazy()
    return auditor_of(X).fit(X), auditor_of(X).fit(source)


def repeated(results):
    """A row for every person, as a table in memory has it, but for their order."""
    return results.loc[results.index.repeat(results["n_people"])].drop(columns="n_people")


def sorted_rows(frame):
    columns = [*frame.columns]
    return frame.astype(str).sort_values(columns).reset_index(drop=True)


def test_results_are_those_of_memory_with_equal_people_once(both, X):
    memory, parts = both
    first = ~X.loc[memory.results_.index].duplicated()
    alone = memory.results_[first.to_numpy()]
    pd.testing.assert_frame_equal(
        parts.results_.drop(columns="n_people"), alone, check_names=False, check_dtype=False
    )
    assert parts.results_.index.name == "row"
    assert parts.results_["n_people"].sum() == len(memory.results_) > 2 * len(alone)
    assert sorted_rows(repeated(parts.results_)).equals(sorted_rows(memory.results_))


@pytest.mark.parametrize("least", [1, 5])
def test_numbers_of_people_are_those_of_memory(both, least):
    memory, parts = both
    for by in (None, "g", "b"):
        expected = memory.by_group(by, min_group_size=least)
        pd.testing.assert_frame_equal(parts.by_group(by, min_group_size=least), expected)
        assert parts.summary(by, min_group_size=least) == memory.summary(by, min_group_size=least)


@pytest.mark.parametrize("kind", ["folder", "lazy frame", "Arrow table"])
def test_any_column_and_any_groups_are_told_by(both, X, tmp_path, kind):
    rng = np.random.default_rng(1)
    region = rng.choice(["north", "south", "east", None], N).astype(object)
    ward = np.where(np.arange(N) % 50, rng.integers(0, 3, N), np.nan)
    frame = pl.from_pandas(X.assign(region=region, ward=ward))
    for i, (start, end) in enumerate([(0, 1), (1, 150), (150, N)]):
        frame[start:end].write_parquet(tmp_path / f"{i}.parquet")
    source = {"folder": tmp_path, "lazy frame": frame.lazy(), "Arrow table": frame.to_arrow()}[kind]
    auditor, memory = auditor_of(X).fit(source), both[0]
    for name, groups in (("region", region), ("ward", ward)):
        expected = memory.by_group(groups, min_group_size=3)
        for by in (name, groups):
            found = auditor.by_group(by, min_group_size=3)
            pd.testing.assert_frame_equal(found, expected, check_names=False)
            assert found.index.name == (name if by is name else "group")
    assert auditor.summary(region) == memory.summary(region)
    displays = [ResponsivenessDisplay.from_auditor(each, region) for each in (auditor, memory)]
    tables = [display.plot("verdicts").table_ for display in displays]
    pd.testing.assert_frame_equal(*tables)
    plt.close("all")
    # who is not in the population is in no group
    one = auditor_of(X, population="b == 1").fit(source)
    expected = auditor_of(X, population="b == 1").fit(X).by_group(region)
    pd.testing.assert_frame_equal(one.by_group(region), expected)


def test_groups_of_tables_that_are_gone_or_others_are_refused(X, tmp_path):
    frame = pl.from_pandas(X).with_columns(region=pl.col("a") % 2)
    path = tmp_path / "people.parquet"
    frame.write_parquet(path)
    auditor = auditor_of(X).fit(path)
    with pytest.raises(ValueError, match="by='town' is not a column; the columns are a, b, g, reg"):
        auditor.by_group("town")
    with pytest.raises(ValueError, match="by has 3 values; it should have one for each of the 400"):
        auditor.by_group([1, 2, 3])
    again = pickle.loads(pickle.dumps(auditor))
    assert str(tmp_path).encode() not in pickle.dumps(auditor)
    pd.testing.assert_frame_equal(again.by_group("g"), auditor.by_group("g"))
    with pytest.raises(ValueError, match="is not in this pickle; fit again, or pass one of a, b"):
        again.by_group("region")
    for other in (
        frame.head(399),
        frame.with_columns(b=pl.lit(7, pl.Int64)),
        pl.concat([frame] * 2),
    ):
        other.write_parquet(path)
        # the cut was known before
        for source in (path, ds.dataset(path)):
            auditor._parts = auditor._parts._replace(source=as_source(source))
            for by in ("region", X["g"]):
                with pytest.raises(ValueError, match="has other rows than when it was read before"):
                    auditor.by_group(by)
    auditor.drop_data()
    with pytest.raises(ValueError, match=r"drop_data\(\) took them out"):
        auditor.by_group("region")
    assert auditor.by_group()["n_people"].sum() > 0


def test_examples_attributions_and_other_models_are_those_of_memory(both, X):
    memory, parts = both
    i = parts.results_.index[-1]
    assert parts.examples(i).to_pandas().equals(memory.examples(i).reset_index(drop=True))
    again = next(j for j in range(N) if (X.iloc[:j] == X.iloc[j]).all(axis=1).any())
    with pytest.raises(ValueError, match=rf"i={again} is no position at which a person is met"):
        parts.examples(again)

    alone = parts.attributions_
    assert sorted_rows(repeated(alone).drop(columns="row")).equals(
        sorted_rows(memory.attributions_.drop(columns="row"))
    )
    assert {*alone["row"]} == {*parts.results_.index}

    models = {"other": DecisionTreeClassifier(max_depth=1).fit(X, X["a"] > 1)}
    found, expected = parts.audit(models), memory.audit(models)
    assert sorted_rows(repeated(found)).equals(sorted_rows(expected))


@pytest.mark.long
def test_pictures_and_pages_count_people(both, tmp_path):
    for kind in ("distribution", "verdicts"):
        told = []
        for auditor in both:
            display = ResponsivenessDisplay.from_auditor(auditor, "g").plot(kind)
            ax, table = display.ax_, display.table_
            labels = [text.get_text() for text in ax.get_yticklabels()] + [
                line.get_label() for line in ax.get_lines()
            ]
            # of equal shares the curve of memory has a step each
            keys = [name for name in ("group", "responsiveness") if name in table]
            told.append((labels, table.groupby(keys).max()))
        assert told[0][0] == told[1][0]
        pd.testing.assert_frame_equal(told[0][1], told[1][1])
    drawn = [
        ResponsivenessDisplay.from_auditor(auditor, attributions=True).plot("attributions").table_
        for auditor in both
    ]
    plt.close("all")
    np.testing.assert_allclose(drawn[0]["responsiveness"], drawn[1]["responsiveness"])
    # intervals over people, not over different people
    for end in ("ci_low", "ci_high"):
        np.testing.assert_allclose(drawn[0][end], drawn[1][end], atol=0.02)

    pages = []
    for name, auditor in zip(("memory", "parts"), both, strict=True):
        write_html(auditor, tmp_path / f"{name}.html", by="g")
        page = (tmp_path / f"{name}.html").read_text()
        cells = re.findall(r"<(?:p|li|td|th)\b[^>]*>(.*?)</(?:p|li|td|th)>", page, re.DOTALL)
        pages.append([each for each in cells if each not in ("DataFrame", "LazyFrame")])
    assert pages[0] == pages[1] and len(pages[0]) > 50


def test_tests_allow_for_all_people_however_the_table_is_cut(tmp_path):
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": rng.normal(size=30), "b": rng.normal(size=30)})
    X = X.loc[X.index.repeat(np.where(X.index < 3, 20, 1))].reset_index(drop=True)
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, X["a"] > 0.8)
    actions = ActionSet.from_data(X, ["a"])
    frame = pl.from_pandas(X)
    (tmp_path / "files").mkdir()
    for i in range(3):
        frame[30 * i : 30 * i + 30].write_parquet(tmp_path / "files" / f"{i}.parquet")
    sources = [frame.lazy(), tmp_path / "files", ds.dataset(frame.to_arrow())]
    given = {"target": True, "n_samples": 100, "random_state": 0}
    fitted = [ResponsivenessAuditor(model, actions, **given).fit(source) for source in sources]
    assert [each._data_facts["container"] for each in fitted] == [
        "LazyFrame",
        "Parquet",
        "InMemoryDataset",
    ]
    found = [each.results_ for each in fitted]
    for each in found[1:]:
        pd.testing.assert_frame_equal(each, found[0])
    assert found[0]["n_people"].tolist() == [20] * 3 + [1] * 27 and not found[0]["exact"].any()
    people = repeated(found[0])
    np.testing.assert_allclose(people["p_adjusted"], adjusted_pvalues(people["p_value"], "bh"))
    # the first of equal people draws what they draw in memory
    memory = ResponsivenessAuditor(model, actions, **given).fit(X).results_
    assert found[0]["hits"].tolist() == memory.loc[found[0].index, "hits"].tolist()


def test_results_are_kept_in_a_file(both, tmp_path):
    parts = both[1]
    parts.to_json(tmp_path / "audit.json")
    kept = ResponsivenessAuditor.from_json(tmp_path / "audit.json")
    assert kept.summary() == parts.summary()
    pd.testing.assert_frame_equal(kept.results_, parts.results_)


def test_the_next_fit_in_memory_forgets_the_parts(X):
    auditor = auditor_of(X).fit(pl.from_pandas(X).lazy())
    assert "n_people" not in auditor.fit(X).results_
    assert auditor.results_.equals(auditor_of(X).fit(X).results_)


def test_wrong_use_is_named(both, X):
    lazy = pl.from_pandas(X).lazy()
    with pytest.raises(ValueError, match="has no column 'b'"):
        auditor_of(X).fit(lazy.drop("b"))
    with pytest.raises(ValueError, match="population is a function"):
        auditor_of(X, population=lambda X, p: ~p).fit(lazy)
    with pytest.raises(ValueError, match="has no rows; pass people"):
        auditor_of(X).fit(lazy.head(0))
    with pytest.raises(TypeError, match="X is a DataFrame, in memory"):
        audit_to_parquet(auditor_of(X), X, "folder")
    wrong = auditor_of(X, task=None)
    wrong.actions["a"].lb = 1
    n_wrong, first = (X["a"] < 1).sum(), np.flatnonzero(X["a"] < 1)[0]
    with pytest.raises(ValueError, match=rf"^{n_wrong} of {N} people .* at position {first}:"):
        wrong.fit(lazy)
