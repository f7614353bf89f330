"""Rows without a key, of which the one number that tells them apart is noisy."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linear_sum_assignment

from skcorrupt.learned import learn_errors
from skcorrupt.learned.kinds._near_rows import near_each_other


def noisy(n=400, share=0.3, lost=0):
    rng = np.random.default_rng(0)
    clean = pd.DataFrame(
        {
            "size": rng.normal(50, 10, n).round(2),
            "sort": rng.choice(list("uvwxyz"), n),
            "grade": rng.integers(0, 9, n),
        }
    )
    hit = rng.uniform(size=n) < share
    dirty = clean.assign(size=clean["size"] + np.where(hit, rng.normal(0, 1, n), 0).round(2))
    return dirty.iloc[rng.permutation(n)[lost:]].reset_index(drop=True), clean


@pytest.mark.parametrize("lost", [0, 40])
def test_noise_in_a_number_that_tells_rows_apart_has_its_spread(lost):
    dirty, clean = noisy(lost=lost)
    learned = learn_errors(dirty, clean)
    assert learned.matched_by == "content"
    rows = learned.report.set_index("kind")
    assert rows.loc["noise", "parameters"]["spread"] == pytest.approx(1, abs=0.25)
    assert rows["n_cells"].get("selection", 0) == lost and "duplicates" not in rows.index


def test_a_row_that_is_near_one_that_is_lost_is_that_row():
    rng = np.random.default_rng(0)
    clean = pd.DataFrame(rng.normal(size=(200, 3)).round(3), columns=list("abc"))
    dirty = clean.copy()
    dirty.iloc[:20] += rng.choice([-0.004, 0.004], (20, 3))
    dirty = dirty.iloc[rng.permutation(200)].reset_index(drop=True)
    kinds = learn_errors(dirty, clean).report["kind"]
    assert not {"selection", "duplicates"} & set(kinds)


@pytest.mark.parametrize("seed", range(5))
def test_pairs_differ_least_in_all(seed):
    rng = np.random.default_rng(seed)
    keys = [rng.integers(0, 6, n).astype(np.uint64) for n in (30, 24)]
    numbers = [rng.normal(size=len(key)) for key in keys]
    ours, theirs = near_each_other(tuple(keys), tuple(numbers))
    np.testing.assert_array_equal(keys[0][ours], keys[1][theirs])
    assert len(np.unique(ours)) == len(ours) and len(np.unique(theirs)) == len(theirs)
    least = 0.0
    for key in np.intersect1d(*keys):
        a, b = (number[side == key] for number, side in zip(numbers, keys, strict=True))
        off = np.abs(a[:, None] - b)
        least += off[linear_sum_assignment(off)].sum()
    assert np.abs(numbers[0][ours] - numbers[1][theirs]).sum() == pytest.approx(least)


def test_unknown_numbers_are_paired_last():
    keys = np.ones(3, dtype=np.uint64), np.ones(2, dtype=np.uint64)
    ours, theirs = near_each_other(keys, (np.array([np.nan, 5, 1]), np.array([4.0, 1.5])))
    assert dict(zip(theirs.tolist(), ours.tolist(), strict=True)) == {0: 1, 1: 2}
    for largest in (np.inf, 1.7e308):
        numbers = np.array([largest, -largest, 1]), np.array([1.5, largest])
        ours, theirs = near_each_other(keys, numbers)
        assert (2, 0) in zip(ours.tolist(), theirs.tolist(), strict=True)
