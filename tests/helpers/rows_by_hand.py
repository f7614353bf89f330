"""Which row comes before which, in plain loops."""

import math
import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
from hypothesis import strategies as st

LEVELS = [None, 1.0, 2.0, 3.0]
RATES = (0.2, 0.5, 1.0)


@st.composite
def logs(draw):
    """A small table with a column to strike, times that tie and groups, all with gaps."""
    n = draw(st.integers(1, 14))
    column = st.lists(st.sampled_from(LEVELS), min_size=n, max_size=n)
    frame = {"x": draw(column), "w": draw(column), "time": draw(column)}
    frame["group"] = draw(st.lists(st.sampled_from([None, "p", "q"]), min_size=n, max_size=n))
    # labels that occur twice tell apart what goes by position from what goes by label
    index = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    X = pd.DataFrame(frame, index=index)
    numbers = dict.fromkeys(["x", "w", "time"], float)
    return X.astype({**numbers, "group": object})


def in_order(X, order, group):
    """Rows of each group, in order; those without a place are left out."""
    groups = {}
    for i in range(len(X)):
        place = 0 if order is None else X[order].iloc[i]
        name = "" if group is None else X[group].iloc[i]
        if not pd.isna(place) and not pd.isna(name):
            groups.setdefault(name, []).append((place, i))
    return [[i for _, i in sorted(rows)] for rows in groups.values()]


def cells(X, column):
    """The cells of a column, None where missing."""
    return [None if pd.isna(value) else value for value in X[column].tolist()]


def quietly(corruption, X, rate):
    """What comes of some data at a rate, without a word where nothing does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return corruption.set_params(rate=rate).corrupt(X)


def check_against(corruption, X, column, able, made_of):
    """Compare with rows that can change, and with where new values come from, at growing rates.

    `made_of(struck)` gives the supplying row of each struck one.
    """
    before = X.copy()
    old, rows_of = cells(X, column), []
    for rate in RATES:
        new, _, record = quietly(corruption, X, rate)
        pd.testing.assert_frame_equal(X, before)
        j = X.columns.get_loc(column)
        struck = set(np.flatnonzero(record.X_mask[:, j]).tolist())
        assert record.n_matched == len(able) and struck <= able
        assert record.n_corrupted == len(struck) == math.floor(rate * len(able) + 0.5 + 1e-9)
        suppliers = made_of(struck)
        expected = [old[suppliers.get(i, i)] for i in range(len(X))]
        assert cells(new, column) == expected
        told = record.to_frame()
        assert dict(zip(told["source"], told["supplier"], strict=True)) == suppliers
        pd.testing.assert_frame_equal(new.drop(columns=column), X.drop(columns=column))
        rows_of.append(struck)
    assert all(few <= many for few, many in pairwise(rows_of))
