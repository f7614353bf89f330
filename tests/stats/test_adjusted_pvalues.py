"""Adjusted p-values against their definitions, step by step."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from skcorrupt.stats import adjusted_pvalues

P = st.lists(st.integers(0, 100).map(lambda k: k / 100), min_size=1, max_size=12)


def stepped(p, factor):
    """The largest first, each at most the one before."""
    found, least = np.empty(len(p)), 1.0
    for rank, i in zip(range(len(p), 0, -1), np.argsort(-np.array(p)), strict=True):
        least = min(least, p[i] * len(p) * factor / rank)
        found[i] = least
    return found


@given(p=P)
def test_they_are_those_of_the_step_up_procedures(p):
    harmonic = sum(1 / k for k in range(1, len(p) + 1))
    np.testing.assert_allclose(adjusted_pvalues(p), stepped(p, 1.0), atol=1e-12)
    np.testing.assert_allclose(adjusted_pvalues(p, "by"), stepped(p, harmonic), atol=1e-12)
    np.testing.assert_allclose(
        adjusted_pvalues(p, "bonferroni"), np.minimum(1, np.array(p) * len(p))
    )
    assert adjusted_pvalues(p, None).tolist() == p


@given(p=P, method=st.sampled_from(["bh", "by", "bonferroni"]))
def test_tests_that_could_not_be_made_stay_out_or_count_as_ones(p, method):
    gaps = [np.nan, *p, np.nan]
    apart = adjusted_pvalues(gaps, method)
    np.testing.assert_allclose(apart[1:-1], adjusted_pvalues(p, method))
    counted = adjusted_pvalues(gaps, method, count_missing=True)
    np.testing.assert_allclose(counted[1:-1], adjusted_pvalues([1, *p, 1], method)[1:-1])
    assert np.isnan([apart[0], apart[-1], counted[0], counted[-1]]).all()


@pytest.mark.parametrize("method", ["bh", "by", "bonferroni", None])
def test_none_is_known_or_there_is_none(method):
    assert np.isnan(adjusted_pvalues([np.nan] * 3, method, count_missing=True)).all()
    assert len(adjusted_pvalues([], method)) == 0


@pytest.mark.parametrize("p", [[1.5], [-0.1, 0.2], [[0.1]], 0.1, ["a"], [np.inf]])
def test_what_is_no_p_value_is_refused(p):
    with pytest.raises(ValueError, match="p_values="):
        adjusted_pvalues(p)


def test_there_is_no_such_method():
    with pytest.raises(ValueError, match="method='holm' should be"):
        adjusted_pvalues([0.1], "holm")
