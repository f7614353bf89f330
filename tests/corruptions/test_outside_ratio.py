"""Errors of labels and rows that strike less often outside their pattern."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings, strategies as st
from scipy.stats import binom

from cheap_models import Centroids
from flat_search import flat_search
from skcorrupt import (
    CorruptDuplicates,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    SelectionBias,
)

X = pd.DataFrame({"a": np.arange(200.0), "b": np.arange(200.0) % 7})
y = pd.Series(np.arange(200) % 2)
KINDS = [
    CorruptLabels,
    SelectionBias,
    CorruptDuplicates,
    lambda **params: CorruptDuplicates(wrong_labels=True, **params),
]


def struck(corruption, X=X, y=y):
    """How often each row was struck."""
    _, labels = corruption.fit_resample(X, y)
    indices = corruption.sample_indices_
    times = np.bincount(indices, minlength=len(X))
    wrong = np.bincount(indices, np.asarray(labels) != y.to_numpy()[indices], minlength=len(X))
    return np.where(times == 1, wrong, np.abs(times - 1)).astype(int)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore:.*changed nothing:UserWarning")
@given(
    edge=st.integers(20, 180),
    rate=st.floats(0, 1),
    ratio=st.floats(0, 1),
    seed=st.integers(0, 5),
)
@settings(max_examples=25)
def test_counts_are_exact_inside_and_outside_and_nest(kind, edge, rate, ratio, seed):
    pattern = f"a < {edge}"
    assume(kind is not SelectionBias or rate * ratio < 0.99)
    params = {"pattern": pattern, "outside_ratio": ratio, "random_state": seed}
    found = struck(kind(rate=rate, **params))
    for some, own in ((found[:edge], rate), (found[edge:], rate * ratio)):
        assert abs(some.sum() - own * len(some)) <= 1 and set(some) <= {0, 1}
    fewer = struck(kind(rate=rate / 2, **params))
    assert (fewer <= found).all()
    inside = struck(kind(rate=rate, **{**params, "outside_ratio": 0.0}))
    assert (inside[:edge] == found[:edge]).all() and not inside[edge:].any()


def test_a_selection_that_would_leave_no_row_is_refused():
    lost = SelectionBias(pattern="a < 20", rate=1.0, outside_ratio=1.0)
    with pytest.raises(ValueError, match="would drop all 200 rows; lower its rate"):
        lost.fit_resample(X, y)


def test_labels_that_cannot_change_are_not_counted():
    labels = pd.Series(np.repeat(["u", "v", "w", "w"], 50))
    flips = CorruptLabels(
        transition={"u": "v", "v": "u"},
        pattern="a < 80",
        rate=0.5,
        outside_ratio=0.4,
        random_state=0,
    )
    found = struck(flips, y=labels)
    assert (found[:80].sum(), found[80:100].sum(), found[100:].sum()) == (40, 4, 0)


def test_in_a_process_lost_rows_come_first():
    process = CorruptionProcess(
        [
            ("lost", SelectionBias(pattern="a < 100", rate=0.5, outside_ratio=0.1)),
            ("labels", CorruptLabels(pattern="b == 0", rate=0.4, outside_ratio=0.25)),
            ("gaps", CorruptMissing("a", pattern="b > 5", rate=0.5)),
        ],
        random_state=0,
    )
    _, labels = process.fit_resample(X, y)
    kept = process.sample_indices_
    assert (np.count_nonzero(kept < 100), np.count_nonzero(kept >= 100)) == (50, 95)
    wrong = np.asarray(labels) != y.to_numpy()[kept]
    zero = (X["b"] == 0).to_numpy()[kept]
    assert abs(wrong[zero].sum() - 0.4 * zero.sum()) <= 1
    assert abs(wrong[~zero].sum() - 0.1 * (~zero).sum()) <= 1


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_pattern_or_in_a_search_it_is_refused(kind):
    with pytest.raises(ValueError, match=r"outside_ratio=0\.1 is for rows outside a pattern"):
        kind(outside_ratio=0.1).fit(X, y)
    search = flat_search(Centroids(), kind(pattern="a > 3", outside_ratio=0.1))
    with pytest.raises(ValueError, match=r"outside_ratio=0\.1, which strikes rows outside"):
        search.fit(X, y)
    with pytest.raises(ValueError, match="'outside_ratio' parameter of"):
        kind(pattern="a > 3", outside_ratio=1.5).fit(X, y)


@pytest.mark.parametrize("kind", [CorruptLabels, CorruptDuplicates])
def test_chance_decides_outside_where_every_row_inside_is_struck(kind):
    params = {"pattern": "a < 50", "rate": 1.0, "outside_ratio": 0.2}
    found = [struck(kind(random_state=seed, **params)) for seed in range(40)]
    assert all(each[:50].all() and each[50:].sum() == 30 for each in found)
    times = np.sum([each[50:] for each in found], axis=0)
    # each is struck in a fifth of the draws
    low, high = binom.ppf([1e-5, 1 - 1e-5], 40, 0.2)
    assert low <= times.min() and times.max() <= high
