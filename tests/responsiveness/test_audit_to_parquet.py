"""Audits of tables that are read in parts: the results of `fit` in memory, for every row."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.dataset as ds
import pytest
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import ResponsivenessAuditor
from skcorrupt.responsiveness import ActionSet, audit_to_parquet

N = 300


def people(whole=True):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"a": rng.integers(0, 4, N), "b": rng.integers(0, 3, N), "c": rng.integers(0, 5, N)}
    ).astype({"c": float})
    if not whole:
        # people who differ, whose points have to be drawn
        X["c"] = rng.normal(size=N)
        X = pd.concat([X.iloc[:100]] * 2 + [X.iloc[100:]], ignore_index=True).iloc[:N]
    return X


def auditor(X, n_samples="auto", **params):
    y = (X["a"] + X["c"] > 4).astype(int)
    model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    actions = ActionSet.from_data(X, actionable=["a", "c"])
    given = {"target": 1, "random_state": 0, "n_samples": n_samples, **params}
    return ResponsivenessAuditor(model, actions, **given)


def in_files(X, folder, cuts):
    folder.mkdir()
    frame = pl.from_pandas(X).with_row_index("id", offset=1000)
    for i, (first, last) in enumerate(zip([0, *cuts], [*cuts, len(X)], strict=True)):
        frame[first:last].write_parquet(folder / f"{i}.parquet")
    return folder


def told(found):
    found = found.collect().to_pandas()
    return found.set_index(found.pop("row").to_numpy(np.int64))


@pytest.mark.parametrize("task", [None, "preclusion"])
def test_rows_get_the_results_of_memory(tmp_path, task):
    X = people()
    alone = auditor(X, task=task).fit(X).results_
    assert alone["exact"].all() and len(X.drop_duplicates()) < N / 3
    for i, cuts in enumerate([[], [7, 150]]):
        source = in_files(X, tmp_path / f"in{i}", cuts)
        found = told(
            audit_to_parquet(auditor(X, task=task), source, tmp_path / f"out{i}", key="id")
        )
        assert (found.pop("id") == found.index + 1000).all()
        pd.testing.assert_frame_equal(found, alone, check_dtype=False)


@pytest.mark.long
def test_draws_are_those_of_who_comes_first_however_the_table_is_cut(tmp_path):
    X = people(whole=False)
    alone = auditor(X, 100).fit(X).results_
    assert not alone["exact"].any()
    sources = {
        "whole": in_files(X, tmp_path / "whole", []),
        "cut": in_files(X, tmp_path / "cut", [3, 130]),
        "lazy": pl.from_pandas(X).lazy(),
        "set": ds.dataset(pl.from_pandas(X).to_arrow()),
    }
    found = {
        name: told(audit_to_parquet(auditor(X, 100), source, tmp_path / f"out {name}"))
        for name, source in sources.items()
    }
    for each in found.values():
        pd.testing.assert_frame_equal(each, found["whole"])
    first = ~X.duplicated()
    same = ["prediction", "n", "hits", "responsiveness", "p_value"]
    pd.testing.assert_frame_equal(
        found["whole"].loc[first, same], alone.loc[first, same], check_dtype=False
    )
    # the second hundred are the first hundred again
    pd.testing.assert_frame_equal(
        found["whole"].iloc[100:200].reset_index(drop=True), found["whole"].iloc[:100]
    )
    assert not alone.loc[100:199, "hits"].reset_index(drop=True).equals(alone.loc[:99, "hits"])


def test_tests_allow_for_all_rows(tmp_path):
    X = people(whole=False).iloc[:100]
    X = X.loc[X.index.repeat(np.where(X.index < 5, 40, 1))].reset_index(drop=True)
    found = told(audit_to_parquet(auditor(X, 100), pl.from_pandas(X).lazy(), tmp_path / "out"))
    from skcorrupt.stats import adjusted_pvalues

    expected = adjusted_pvalues(found["p_value"].to_numpy(), "bh")
    np.testing.assert_allclose(found["p_adjusted"], expected)


@pytest.mark.parametrize("names", [{"a": "n", "b": "row"}, {"b": "verdict", "c": "method"}])
def test_columns_may_be_called_as_those_of_results(tmp_path, names):
    X = people()
    wanted = X["a"] > 1
    X = X.rename(columns=names)
    model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, wanted)
    actions = ActionSet.from_data(X, actionable=[names.get("a", "a")])
    given = ResponsivenessAuditor(model, actions, target=True, random_state=0)
    found = told(audit_to_parquet(given, pl.from_pandas(X).lazy(), tmp_path / "out"))
    pd.testing.assert_frame_equal(found, given.fit(X).results_, check_dtype=False)


def test_gaps_are_found_again(tmp_path):
    X = people()
    X.loc[::5, "b"] = np.nan
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X[["a", "c"]], X["a"] > 1)

    class Two:
        classes_ = model.classes_

        def predict(self, rows):
            return model.predict(rows[["a", "c"]])

    actions = ActionSet.from_data(X, actionable=["a"])
    given = ResponsivenessAuditor(Two(), actions, target=True, random_state=0)
    found = told(audit_to_parquet(given, pl.from_pandas(X).lazy(), tmp_path / "out"))
    assert len(found) == N


def test_wrong_use_is_named(tmp_path):
    X = people()
    given = auditor(X)
    lazy = pl.from_pandas(X).lazy()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    for args, kind, message in [
        ((given, X, tmp_path / "o"), TypeError, r"X is a DataFrame, in memory; call auditor\.fit"),
        ((given.fit, lazy, tmp_path / "o"), TypeError, "auditor is a method"),
        ((given, lazy.drop("b"), tmp_path / "o"), ValueError, "has no column 'b'"),
        ((given, lazy, tmp_path / "full"), ValueError, "holds files already"),
        ((given, lazy, 3), TypeError, "path"),
        ((given, lazy.head(0), tmp_path / "o"), ValueError, "a polars LazyFrame has no rows"),
    ]:
        with pytest.raises(kind, match=message):
            audit_to_parquet(*args)
    for key in (5, None, ["b", "b"], [3], {"b": 1}):
        with pytest.raises(ValueError, match=r"key=.* should be a name or a list of different"):
            audit_to_parquet(given, lazy, tmp_path / "o", key=key)
    with pytest.raises(ValueError, match="key: 'row' is what a column"):
        audit_to_parquet(given, lazy.with_columns(row=1), tmp_path / "o", key="row")
    with pytest.raises(ValueError, match="population is a function"):
        audit_to_parquet(auditor(X, population=lambda X, p: p == 0), lazy, tmp_path / "o")
    assert not hasattr(given, "results_")
