"""What the struck cells hold afterwards, checked by routes of their own."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from scipy import sparse, stats

from skcorrupt import (
    CorruptCategories,
    CorruptDuplicates,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    SelectionBias,
)

ALL = [CorruptMissing, CorruptNoise, CorruptOutliers, CorruptCategories, CorruptScale]


def test_noise_is_normal_in_fitted_standard_deviations():
    x = np.random.default_rng(0).exponential(20.0, size=(20_000, 1))
    corruption = CorruptNoise(scale=0.5, rate=0.5, random_state=0)
    moved = (corruption.fit_transform(x) - x)[corruption.record_.X_mask]
    assert len(moved) == 10_000
    assert stats.kstest(moved / (0.5 * x.std()), "norm").pvalue > 1e-3


def test_the_scale_comes_from_fit_not_from_the_data_at_hand():
    corruption = CorruptOutliers(magnitude=2.0, rate=1.0, random_state=0)
    corruption.fit(np.array([[-3.0], [3.0]]))
    moved = np.abs(corruption.corrupt(np.zeros((5, 1))).X)
    np.testing.assert_array_equal(moved, np.full((5, 1), 6.0))


def test_outliers_go_up_and_down_by_the_same_distance():
    x = np.random.default_rng(0).normal(7, 3, size=(4000, 1))
    moved = CorruptOutliers(magnitude=4.0, rate=1.0, random_state=1).fit_transform(x) - x
    np.testing.assert_allclose(np.abs(moved), 4.0 * x.std(), rtol=1e-9)
    assert stats.binomtest(int((moved > 0).sum()), 4000).pvalue > 1e-3


def test_scale_multiplies():
    X = np.array([[1.5, -2.0], [0.0, 4.0], [8.0, 16.0]])
    out = CorruptScale("x1", factor=100.0, rate=1.0).fit_transform(X)
    np.testing.assert_array_equal(out, X * [1, 100])


def test_scale_refuses_a_factor_of_one():
    for act in ("fit", "corrupt", "fit_transform"):
        with pytest.raises(ValueError, match="factor=1 changes nothing"):
            getattr(CorruptScale(factor=1), act)(np.ones((3, 1)))


@pytest.mark.parametrize("dtype", [float, np.float32, int, "Int64", "Float64"])
def test_units_with_another_zero(dtype):
    celsius = pd.DataFrame({"t": pd.Series([-40, 0, 20, 100], dtype=dtype)})
    out = CorruptScale(factor=1.8, offset=32.0, rate=1.0).fit_transform(celsius)["t"]
    np.testing.assert_allclose(out.astype(float), [-40, 32, 68, 212], rtol=1e-6)
    moved = CorruptScale(factor=1, offset=-5, rate=1.0).fit_transform(celsius)["t"]
    assert moved.tolist() == [-45, -5, 15, 95] and moved.dtype == celsius["t"].dtype


def test_zero_changes_where_there_is_an_offset():
    dense = np.array([[0.0, 2.0], [0.0, 0.0]])
    out = CorruptScale(factor=2.0, offset=1.0, rate=1.0).fit_transform(sparse.csr_array(dense))
    np.testing.assert_array_equal(out.toarray(), dense * 2 + 1)


def test_scaling_beyond_the_range_of_a_dtype_is_infinite():
    X = np.array([[100.0], [2.0]], dtype=np.float16)
    out = CorruptScale(rate=1.0).fit_transform(X)
    assert out.dtype == np.float16
    assert out.ravel().tolist() == [np.inf, 2000.0]


@pytest.mark.parametrize("corruption", [CorruptCategories(), CorruptNoise()])
def test_swaps_are_uniform_over_the_other_values(corruption):
    X = pd.DataFrame({"c": list("abcd") * 1500})
    out = corruption.set_params(rate=1.0, random_state=3).fit_transform(X)["c"]
    assert (out != X["c"]).all()
    table = pd.crosstab(X["c"], out).to_numpy()
    for i, row in enumerate(table):
        assert row[i] == 0
        assert stats.chisquare(np.delete(row, i)).pvalue > 1e-3


def test_swaps_from_unknown_values_go_to_any_known_one():
    corruption = CorruptCategories(rate=1.0, random_state=0)
    corruption.fit(pd.DataFrame({"c": ["a", "b"]}))
    out = corruption.corrupt(pd.DataFrame({"c": ["z"] * 200})).X["c"]
    assert set(out) == {"a", "b"}


def edits_of(text):
    doubled = {text[: i + 1] + text[i:] for i in range(len(text))}
    dropped = {text[:i] + text[i + 1 :] for i in range(len(text))} - {""}
    turned = {
        text[:i] + text[i + 1] + text[i] + text[i + 2 :] for i in range(max(0, len(text) - 1))
    }
    return doubled | dropped | turned


@given(text=st.text(min_size=1, max_size=6), seed=st.integers(0, 50))
def test_a_typo_is_one_edit_away(text, seed):
    X = pd.DataFrame({"t": pd.Series([text], dtype=object)})
    out = CorruptCategories(kind="typo", rate=1.0, random_state=seed).fit_transform(X)["t"].iloc[0]
    assert out != text
    assert out in edits_of(text)


def test_all_typos_of_a_word_occur():
    X = pd.DataFrame({"t": ["word"] * 600})
    out = CorruptCategories(kind="typo", rate=1.0, random_state=0).fit_transform(X)["t"]
    assert set(out) == edits_of("word")


def test_typos_leave_missing_cells_missing_and_fill_empty_texts():
    X = pd.DataFrame({"t": pd.Series(["", None, "ab"], dtype=object)})
    out = CorruptCategories(kind="typo", rate=1.0, random_state=0).fit_transform(X)["t"]
    assert out[0] == "?"
    assert out[1] is None
    assert out[2] in edits_of("ab")


@pytest.mark.parametrize(
    ("values", "new"),
    [
        (["a", "unseen", "unseen2"], "unseen3"),
        ([1, 5, 3], 6),
        ([1.0, 5.0, np.inf], 9.0),
        (np.array([127, -128], dtype=np.int8), 128),
        ([True, False, "x"], "unseen"),
    ],
)
def test_unseen_values_are_not_in_the_column(values, new):
    X = pd.DataFrame({"c": values})
    out = CorruptCategories("c", kind="unseen", rate=1.0).fit_transform(X)["c"]
    assert set(out) == {new}


def test_times_move_by_fitted_standard_deviations():
    days = pd.date_range("2020-01-01", periods=5, tz="Europe/Paris").as_unit("s")
    out = CorruptOutliers(magnitude=10.0, rate=1.0, random_state=0).fit_transform(
        pd.DataFrame({"t": days, "d": days - days[0]})
    )
    moved = (out["t"] - days).abs()
    np.testing.assert_allclose(moved / pd.Timedelta("1D"), 10 * np.sqrt(2), rtol=1e-4)
    assert out["t"].dtype == days.dtype
    np.testing.assert_allclose(
        (out["d"] - (days - days[0])).abs() / pd.Timedelta("1D"), 10 * np.sqrt(2), rtol=1e-4
    )


@pytest.mark.parametrize("corruption", [CorruptNoise, CorruptOutliers, CorruptScale])
def test_missing_numbers_stay_missing(corruption):
    X = np.array([[1.0], [np.nan], [4.0]])
    out = corruption(rate=1.0, random_state=0).fit_transform(X)
    assert np.isnan(out).ravel().tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("corruption", "fills"),
    [
        (CorruptOutliers("c"), True),
        (CorruptCategories("c", kind="unseen"), True),
        (CorruptCategories("c"), False),
        (CorruptNoise("c"), False),
    ],
    ids=repr,
)
def test_only_unseen_values_fill_missing_texts_and_gaps_count(corruption, fills):
    X = pd.DataFrame({"c": ["a", None, "b", "a"]})
    out = corruption.set_params(rate=1.0, random_state=0).fit_transform(X)["c"]
    assert out.isna().tolist() == [False, not fills, False, False]
    assert corruption.record_.n_matched == 4


@pytest.mark.parametrize("corruption", [CorruptNoise, CorruptOutliers, CorruptScale])
def test_infinite_cells_do_not_spoil_the_others(corruption):
    X = np.array([[1.0], [np.inf], [4.0], [-np.inf], [5.0]])
    out = corruption(rate=1.0, random_state=0).fit_transform(X).ravel()
    assert np.isinf(out).tolist() == [False, True, False, True, False]
    assert (out != X.ravel())[[0, 2, 4]].all()


def test_dropped_and_doubled_rows_against_pandas():
    X = pd.DataFrame({"a": np.arange(20), "b": list("pq") * 10}, index=np.arange(20) % 7)
    y = pd.Series(np.arange(20) * 10, index=X.index, name="target")
    bias = SelectionBias(pattern="b == 'p'", rate=0.5, random_state=0)
    X_out, y_out = bias.fit_resample(X, y)
    gone = np.setdiff1d(np.arange(20), bias.sample_indices_)
    assert len(gone) == 5 and (X["b"].iloc[gone] == "p").all()
    keep = np.isin(np.arange(20), gone, invert=True)
    pd.testing.assert_frame_equal(X_out, X[keep])
    pd.testing.assert_series_equal(y_out, y[keep])

    copies = CorruptDuplicates(pattern="b == 'q'", rate=0.3, random_state=0)
    X_out, y_out = copies.fit_resample(X, y)
    again = copies.sample_indices_[20:]
    assert len(again) == 3 and (np.diff(again) > 0).all() and (X["b"].iloc[again] == "q").all()
    pd.testing.assert_frame_equal(X_out, pd.concat([X, X.iloc[again]]))
    pd.testing.assert_series_equal(y_out, pd.concat([y, y.iloc[again]]))


def test_samplers_without_labels():
    X_out, y_out = SelectionBias(rate=0.5, random_state=0).fit_resample(np.ones((4, 1)))
    assert X_out.shape == (2, 1) and y_out is None


def test_dropping_every_row_is_refused():
    with pytest.raises(ValueError, match="would drop all 3 rows"):
        SelectionBias(rate=1.0).fit_resample(np.ones((3, 1)), [1, 2, 3])


@pytest.mark.parametrize("corruption", ALL)
def test_rate_zero_is_silent_even_where_nothing_applies(corruption):
    for X in (np.ones((3, 1)), pd.DataFrame({"a": ["x", "x", "x"]})):
        out = corruption(rate=0).fit_transform(X)
        np.testing.assert_array_equal(np.asarray(out), np.asarray(X))


@pytest.mark.parametrize("when", ["fit", "always"])
def test_an_effect_that_comes_to_no_row_warns(when):
    X = np.arange(4.0).reshape(4, 1)
    with pytest.warns(UserWarning, match=r"rate=0\.01 of 4 matched rows is less than one row"):
        CorruptMissing(rate=0.01, when=when, random_state=0).fit_transform(X)
    with pytest.warns(UserWarning, match="none of them matches pattern='x0 > 9'"):
        CorruptMissing(rate=1.0, pattern="x0 > 9", when=when, random_state=0).fit_transform(X)


@pytest.mark.parametrize(
    ("corruption", "X"),
    [
        (CorruptNoise(), np.ones((4, 1))),
        (CorruptOutliers(), np.ones((4, 1))),
        (CorruptScale(), np.zeros((4, 1))),
        (CorruptMissing(), np.full((4, 1), np.nan)),
        (CorruptCategories(), pd.DataFrame({"a": ["x"] * 4})),
        (CorruptCategories(kind="typo"), pd.DataFrame({"a": pd.Series([None] * 4, dtype=object)})),
    ],
)
def test_an_error_that_cannot_change_the_column_warns(corruption, X):
    with pytest.warns(UserWarning, match="all kept their values"):
        corruption.set_params(rate=0.5).fit_transform(X)


def test_one_dead_column_warns_only_where_it_was_named():
    X = np.c_[np.ones(6), np.arange(6.0)]
    CorruptNoise(rate=0.5, random_state=0).fit_transform(X)
    with pytest.warns(UserWarning, match=r"\['x0'\] that all kept"):
        CorruptNoise(["x0", "x1"], rate=0.5, random_state=0).fit_transform(X)


def test_a_column_that_does_not_apply_is_refused_or_left_out():
    X = pd.DataFrame({"n": [1.0, 2.0], "t": ["a", "b"]})
    with pytest.raises(ValueError, match=r"'t' \(text\).*another corruption"):
        CorruptScale("t").fit(X)
    assert CorruptScale(rate=1.0).fit_transform(X)["t"].tolist() == ["a", "b"]
    with pytest.warns(UserWarning, match="Nothing will be corrupted"):
        CorruptScale().fit(X[["t"]])
