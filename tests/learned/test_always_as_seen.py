"""Errors that fit some rows only strike as many rows in every transform as were seen."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from skcorrupt.learned import learn_errors

N = 3000


def halves(seed=0):
    """Names of their own for all rows, half of them in capitals already."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    names = ["".join(rng.choice(letters, 9)) for _ in range(N)]
    return pd.DataFrame(
        {
            "name": [n.upper() if i % 2 else n for i, n in enumerate(names)],
            "x": rng.normal(size=N).round(3),
        }
    )


@pytest.fixture(scope="module")
def error():
    clean = halves()
    dirty = clean.copy()
    rows = np.flatnonzero((np.arange(N) % 2 == 0) & (np.random.default_rng(1).random(N) < 0.4))
    dirty.loc[rows, "name"] = clean.loc[rows, "name"].str.upper()
    [(_, found)] = learn_errors(dirty, clean).corruption.corruptions
    return found, len(rows)


def struck(error, clean, **params):
    made = error.set_params(**params).fit(clean).transform(clean)
    return (made["name"] != clean["name"]).to_numpy()


def test_as_many_rows_as_were_seen(error):
    error, n_seen = error
    low, high = binom.ppf([1e-4, 1 - 1e-4], N, n_seen / N)
    for seed in range(3):
        rows = struck(error, halves(seed), when="always", rate=None, random_state=seed)
        assert low <= rows.sum() <= high
        assert not rows[1::2].any()


def test_a_rate_is_of_all_rows(error):
    error, _ = error
    clean = halves()
    for rate in (0.05, 0.3):
        rows = struck(error, clean, when="always", rate=rate, random_state=0)
        low, high = binom.ppf([1e-4, 1 - 1e-4], N, rate)
        assert low <= rows.sum() <= high
    # more than there are rows that can be struck is all of them
    assert struck(error, clean, when="always", rate=0.9, random_state=0).sum() == N // 2


def test_a_row_is_struck_whatever_other_rows_there_are(error):
    error, _ = error
    clean = halves()
    error.set_params(when="always", rate=None, random_state=0).fit(clean)
    whole = error.transform(clean)
    part = error.transform(clean.iloc[100:200])
    pd.testing.assert_frame_equal(part, whole.iloc[100:200])


@pytest.mark.parametrize("sampling", ["uniform", "normal"])
def test_so_is_one_of_which_all_that_can_be_are_struck(error, sampling):
    error, _ = error
    clean = halves()
    params = {"when": "always", "rate": 1.0, "random_state": 0, "sampling": sampling}
    error.set_params(**params).fit(clean.iloc[:500])
    whole = error.transform(clean)
    error_reversed = error.transform(clean.iloc[::-1]).iloc[::-1]
    pd.testing.assert_frame_equal(error_reversed, whole)
    pd.testing.assert_frame_equal(error.transform(clean.iloc[100:200]), whole.iloc[100:200])
    error.set_params(sampling="uniform")
