"""The summary of labeling functions, and the check of vote matrices."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from scipy.stats import binomtest

from skcorrupt.curation import LabelingFunctionSelector, lf_summary

matrices = st.tuples(st.integers(1, 12), st.integers(1, 5)).flatmap(
    lambda shape: hnp.arrays(np.int64, shape, elements=st.integers(-1, 3))
)


def by_hand(L, y):
    """The summary cell by cell."""
    n, m = L.shape
    for j in range(m):
        voted = [i for i in range(n) if L[i, j] != -1]
        others = {i: [L[i, k] for k in range(m) if k != j and L[i, k] != -1] for i in voted}
        correct = sum(L[i, j] == y[i] for i in voted)
        yield {
            "polarity": sorted({int(L[i, j]) for i in voted}),
            "coverage": len(voted) / n,
            "overlaps": sum(bool(others[i]) for i in voted) / n,
            "conflicts": sum(any(v != L[i, j] for v in others[i]) for i in voted) / n,
            "n_votes": len(voted),
            "correct": correct,
            "accuracy": correct / len(voted) if voted else np.nan,
        }


class TestSummary:
    @given(matrices, st.data())
    def test_against_a_loop(self, L, data):
        y = data.draw(hnp.arrays(np.int64, len(L), elements=st.integers(0, 3)))
        L.flags.writeable = False
        found = lf_summary(L, y)
        assert found["name"].tolist() == [f"lf{j}" for j in range(L.shape[1])]
        for row, expected in zip(found.to_dict("records"), by_hand(L, y), strict=True):
            for key, value in expected.items():
                assert row[key] == pytest.approx(value, nan_ok=True), key
            interval = (0.0, 1.0)
            if row["n_votes"]:
                exact = binomtest(row["correct"], row["n_votes"]).proportion_ci(0.95)
                interval = (exact.low, exact.high)
            assert (row["accuracy_low"], row["accuracy_high"]) == pytest.approx(interval)
        pd.testing.assert_frame_equal(lf_summary(L), found.iloc[:, :5])

    def test_columns_and_an_example(self):
        L = pd.DataFrame({"a": [1, 0, -1, -1], "b": [1, 1, 1, -1], "c": [-1] * 4})
        found = lf_summary(L, pd.Series([1, 1, 0, 0]))
        assert found.columns.tolist() == [
            "name", "polarity", "coverage", "overlaps", "conflicts",
            "n_votes", "correct", "accuracy", "accuracy_low", "accuracy_high",
        ]  # fmt: skip
        assert found["name"].tolist() == ["a", "b", "c"]
        assert found["polarity"].tolist() == [[0, 1], [1], []]
        assert found["coverage"].tolist() == [0.5, 0.75, 0]
        assert found["overlaps"].tolist() == [0.5, 0.5, 0]
        assert found["conflicts"].tolist() == [0.25, 0.25, 0]
        assert found["n_votes"].tolist() == [2, 3, 0]
        assert found["correct"].tolist() == [1, 2, 0]
        assert found["accuracy_low"].tolist()[2] == 0

    def test_alpha(self):
        L, y = [[1], [1], [0]], [1, 1, 1]
        wide, narrow = lf_summary(L, y, alpha=0.01), lf_summary(L, y, alpha=0.5)
        assert (wide["accuracy_low"] < narrow["accuracy_low"]).all()
        assert (wide["accuracy_high"] > narrow["accuracy_high"]).all()
        with pytest.raises(ValueError, match="alpha=2 should be a number above 0 and below 1"):
            lf_summary(L, y, alpha=2)

    def test_names(self):
        assert lf_summary([[1, 0]], names=["u", "v"])["name"].tolist() == ["u", "v"]
        with pytest.raises(ValueError, match="names has 1 entries, but L has 2 columns"):
            lf_summary([[1, 0]], names=["u"])
        with pytest.raises(ValueError, match=r"names has \['u'\] more than once"):
            lf_summary([[1, 0, 1]], names=["u", "v", "u"])
        with pytest.raises(ValueError, match="names has 1 entries"):
            lf_summary([[1, 0]], names="uv")

    @pytest.mark.parametrize(
        "y", [[1, 0], (1, 0), np.array([1.0, 0.0]), pd.Series([True, False]), pl.Series([1, 0])]
    )
    def test_true_classes_in_any_container(self, y):
        assert lf_summary([[1], [1]], y)["correct"].tolist() == [1]

    @pytest.mark.parametrize("known", [np.array, pd.Series, pl.Series])
    def test_rows_without_a_known_class_do_not_count(self, known):
        L = np.array([[1, 0], [1, 1], [-1, 1], [0, -1], [1, 1]])
        y = [1, None, 1, 1, 0]
        found = lf_summary(L, known(y))
        told = lf_summary(L[[0, 2, 3, 4]], [1, 1, 1, 0])
        columns = ["n_votes", "correct", "accuracy", "accuracy_low", "accuracy_high"]
        pd.testing.assert_frame_equal(found[columns], told[columns])
        assert found["coverage"].tolist() == [0.8, 0.8]

    @pytest.mark.parametrize(
        ("y", "message"),
        [
            ([1], r"y has shape \(1,\), but L has 2 rows"),
            ([[1], [0]], r"y has shape \(2, 1\), but L has 2 rows"),
            (1, r"y has shape \(\), but L has 2 rows"),
            (["a", "b"], "y holds 'a' in row 0; .*map other classes"),
            ([np.nan, None], "y has no true class of any row; leave it out"),
            ([None, 0.5], "y holds 0.5 in row 1; "),
            (pd.Series([pd.NA, -1], dtype="Int64"), "y holds -1 in row 1, "),
            ([0.5, 1], "y holds 0.5 in row 0; "),
            ([1, -1], "y holds -1 in row 1, which in votes is an abstention"),
        ],
    )
    def test_refused_classes(self, y, message):
        with pytest.raises(ValueError, match=message):
            lf_summary([[1], [0]], y)


class TestCheckVotes:
    @pytest.mark.parametrize(
        "L",
        [
            [[0, -1], [1, 1]],
            np.array([[0.0, -1.0], [1.0, 1.0]], dtype=np.float32),
            np.array([[0, -1], [1, 1]], dtype=np.int8),
            np.array([[0, -1], [True, 1.0]], dtype=object),
            pd.DataFrame({"a": [False, True], "b": [-1.0, 1.0]}),
            pd.DataFrame({"a": [0, 1], "b": [-1, 1]}).astype("Int64"),
            pd.DataFrame({"a": [0, 1], "b": [-1, 1]}).astype("category"),
            pl.DataFrame({"a": [False, True], "b": [-1, 1]}),
        ],
        ids=lambda L: type(L).__name__,
    )
    def test_votes_in_any_container(self, L):
        votes = LabelingFunctionSelector(1.0).fit(L).transform(L)
        assert votes.dtype == np.int64
        assert votes.tolist() == [[0, -1], [1, 1]]

    @pytest.mark.parametrize(
        ("L", "message"),
        [
            ([0, 1], r"but has shape \(2,\); use L.reshape\(-1, 1\)"),
            (3, r"but has shape \(\)"),
            (np.zeros((2, 2, 2)), r"but has shape \(2, 2, 2\)"),
            ([[1], [1, 2]], "its rows differ in length; put -1 where a function abstains"),
            (np.zeros((0, 2)), r"L has shape \(0, 2\); it should have at least one sample and"),
            (np.zeros((2, 0)), r"L has shape \(2, 0\)"),
            ([[0, np.nan]], "L holds nan in row 0, column 'x1'; .*fill what is missing with -1"),
            ([[0], [None]], "L holds nan in row 1, column 'x0'; .*fill what is missing with -1"),
            ([["a", 0]], "L holds 'a' in row 0, column 'x0'; .*map the classes to 0, 1, … first"),
            ([["0", "1"]], "L holds '0' in row 0, .*map the classes"),
            ([[0, 0.5]], "L holds 0.5 in row 0, column 'x1'; a vote is a class as a whole number"),
            ([[0], [-2]], "L holds -2 in row 1, column 'x0'; .*or -1 for an abstention"),
            ([[np.inf]], "L holds inf in row 0"),
            ([[1j]], "L holds 1j in row 0"),
            ([[10**30]], "L holds 1000"),
            (np.array([[2**63]], dtype=np.uint64), "L holds 9223372036854775808"),
            (pd.DataFrame({"f": ["x", "y"]}), "L holds 'x' in row 0, column 'f'; .*map the class"),
            (pd.DataFrame({"f": pd.array([1, None], "Int64")}), "row 1, column 'f'; .*fill what"),
            (pd.DataFrame({"f": [1, 2], "g": [1, -3]}), "L holds -3 in row 1, column 'g'"),
            (pd.DataFrame({"f": pd.to_datetime(["2020"])}), "in row 0, column 'f'; .*recode it"),
            (pl.DataFrame({"f": [1, None]}), "row 1, column 'f'; .*fill what is missing"),
        ],
    )
    def test_refused(self, L, message):
        with pytest.raises(ValueError, match=message):
            lf_summary(L)

    @pytest.mark.parametrize(
        ("L", "message"),
        [
            (sparse.csr_array(np.eye(2)), "L is sparse, .*votes for class 0; pass a dense array"),
            (pd.Series([1, 0]), r"is a pandas Series; pass L.to_frame\(\)"),
            (pl.LazyFrame({"a": [1]}), r"call X.collect\(\)"),
        ],
    )
    def test_refused_kinds(self, L, message):
        with pytest.raises(TypeError, match=message):
            lf_summary(L)

    def test_function_names(self):
        assert lf_summary(np.zeros((1, 2)))["name"].tolist() == ["lf0", "lf1"]
        assert lf_summary(pd.DataFrame({"a": [1], 3: [1]}))["name"].tolist() == ["a", "3"]
        assert lf_summary(pl.DataFrame({"a": [1]}), names=["b"])["name"].tolist() == ["b"]

    def test_unsigned_numbers_hold_no_abstention(self):
        with pytest.raises(ValueError, match="L holds 255, which is what -1 becomes in uint8"):
            lf_summary(np.array([[0, -1]]).astype(np.uint8))
        assert lf_summary(np.array([[0, 3]], dtype=np.uint8))["polarity"].tolist() == [[0], [3]]
