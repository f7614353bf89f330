"""Profiles and ablations of tables larger than memory rest on a sample, and say so."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import CorruptMissing, CorruptNoise, ErrorSensitivityProfiler, StageFairnessAblator
from skcorrupt.base import strike_count
from skcorrupt.evaluation import _sampled_rows
from skcorrupt.evaluation._sampled_rows import rows_in_memory
from skcorrupt.utils import _sources

N_ROWS, N_DRAWN = 700, 120


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(_sources, "PART_ROWS", 200)
    monkeypatch.setattr(_sampled_rows, "MOST_ROWS", N_DRAWN)


def table():
    rng = np.random.default_rng(0)
    a, group = rng.normal(size=N_ROWS), rng.integers(0, 2, N_ROWS)
    paid = (a + group + rng.normal(size=N_ROWS) > 0.5).astype(int)
    return pl.DataFrame({"a": a, "b": rng.normal(size=N_ROWS), "group": group, "paid": paid})


def drawn(frame, seed):
    """The rows that an error of this seed and size would strike."""
    rate = N_DRAWN / N_ROWS
    assert strike_count(rate, N_ROWS) == N_DRAWN
    record = CorruptMissing("b", rate=rate, random_state=seed).corrupt(frame).record
    return frame[np.flatnonzero(record.X_mask[:, 1])]


@pytest.mark.parametrize("cuts", [[], [1], [3, 300, 301, 699]])
def test_the_rows_are_those_that_an_error_would_strike(tmp_path, cuts):
    frame = table()
    for i, (a, b) in enumerate(zip([0, *cuts], [*cuts, N_ROWS], strict=True)):
        frame[a:b].write_parquet(tmp_path / f"f{i}.parquet", row_group_size=130)
    with pytest.warns(UserWarning, match="700 rows, of which 120 were drawn"):
        X, y = rows_in_memory(tmp_path, "paid", 3)
    expected = drawn(frame, 3).to_pandas()
    pd.testing.assert_frame_equal(X.assign(paid=y), expected)
    with pytest.warns(UserWarning, match="of which 120 were drawn"):
        X, y = rows_in_memory(pl.scan_parquet(tmp_path / "*.parquet"), "paid", 3)
    assert X.with_columns(y).equals(drawn(frame, 3))


def test_small_tables_are_taken_whole_and_others_are_left_as_they_are(monkeypatch):
    monkeypatch.setattr(_sampled_rows, "MOST_ROWS", N_ROWS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        X, y = rows_in_memory(table().to_arrow(), None, 0)
        frame = table()
        assert rows_in_memory(frame, "paid", 0) == (frame, "paid")
    assert X.equals(table().to_pandas())
    assert y is None


def test_a_profile_is_that_of_the_rows_that_are_drawn():
    def profiler():
        return ErrorSensitivityProfiler(
            GaussianNB(),
            corruptions=CorruptNoise(scale=3.0),
            levels=(0, 0.5),
            n_repeats=3,
            random_state=3,
        )

    rows = drawn(table(), 3).to_pandas()
    expected = profiler().fit(rows.drop(columns="paid"), rows["paid"])
    with pytest.warns(UserWarning, match="of which 120 were drawn"):
        found = profiler().fit(table().to_arrow(), "paid")
    pd.testing.assert_frame_equal(found.curves_, expected.curves_)
    with pytest.warns(UserWarning, match="of which 120 were drawn"):
        plan = profiler().plan(table().to_arrow(), "paid")
    assert plan.n_fits == profiler().plan(rows.drop(columns="paid"), rows["paid"]).n_fits
    with pytest.raises(ValueError, match="groups: arrays of an entry for each row"):
        profiler().fit(table().to_arrow(), "paid", groups=np.zeros(N_ROWS))


def test_an_ablation_is_that_of_the_rows_that_are_drawn():
    def ablator():
        return StageFairnessAblator(
            make_pipeline(StandardScaler(), LogisticRegression()),
            sensitive_features="group",
            privileged=1,
            pos_label=1,
            cv=3,
            random_state=3,
        )

    rows = drawn(table(), 3).to_pandas()
    expected = ablator().fit(rows.drop(columns="paid"), rows["paid"])
    with pytest.warns(UserWarning, match="of which 120 were drawn"):
        found = ablator().fit(table().to_arrow(), "paid")
    pd.testing.assert_frame_equal(found.stage_effects_, expected.stage_effects_)
    with pytest.raises(ValueError, match="y='wage' should be the name of the column"):
        ablator().fit(table().to_arrow(), "wage")
