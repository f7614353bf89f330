"""What is no count, share or series of numbers is refused by the name of its parameter."""

import numpy as np
import pytest

from skcorrupt.responsiveness import (
    minimum_informative_size,
    sample_size_for_test,
    sample_size_for_width,
)
from skcorrupt.sensitivity import (
    area_error_performance,
    error_performance_correlation,
    piecewise_slopes,
)
from skcorrupt.stats import (
    bootstrap_interval,
    clopper_pearson,
    corrected_interval,
    least_repeats,
    wilcoxon_pvalue,
)

NAN, INF = float("nan"), float("inf")


def mean(rows, rng):
    return float(rows.mean())


@pytest.mark.parametrize("level", [2, 1, 0, -0.5, NAN, "0.9", True, [0.9]])
def test_levels_are_numbers_between_0_and_1(level):
    for function in (
        lambda alpha: bootstrap_interval(mean, 10, alpha=alpha),
        lambda alpha: corrected_interval([1, 2, 3], 0.2, alpha=alpha),
        lambda alpha: clopper_pearson(1, 3, alpha),
        lambda alpha: least_repeats(3, alpha),
        lambda alpha: sample_size_for_width(alpha, 0.1),
        lambda alpha: sample_size_for_test(alpha, 0.2, 0.1, 0.05),
        lambda alpha: minimum_informative_size(alpha, 0.1),
    ):
        with pytest.raises(ValueError, match=r"alpha=.* above 0 and below 1"):
            function(level)


@pytest.mark.parametrize(
    ("args", "params", "message"),
    [
        ((mean, 0), {}, "n_samples=0 should be a whole number, 1 or more"),
        ((mean, -1), {}, "n_samples=-1"),
        ((mean, 2.5), {}, "n_samples=2.5"),
        ((mean, 10), {"n_resamples": 0}, "n_resamples=0"),
        ((mean, 10), {"seed": -1}, "seed=-1"),
        ((mean, 3), {"groups": [1, 2]}, "groups has shape .2,.; it should be one group"),
        ((mean, 3), {"groups": [[1], [2], [2]]}, "groups has shape .3, 1."),
        ((mean, 3), {"groups": [1, None, 2]}, "groups has 1 missing values"),
        ((mean, 3), {"groups": ["a"] * 3}, "groups has the single group 'a'; two or more"),
        ((lambda rows, rng: "0.5", 3), {}, "statistic returns '0.5'; it should return one number"),
        ((lambda rows, rng: [1, 2], 3), {}, r"statistic returns \[1, 2\]"),
        ((lambda rows, rng: 1j, 3), {}, "statistic returns 1j"),
    ],
)
def test_the_bootstrap_names_what_it_cannot_use(args, params, message):
    with pytest.raises(ValueError, match=message):
        bootstrap_interval(*args, **params)


def test_the_bootstrap_takes_groups_of_any_kind_and_needs_a_function():
    numbered = bootstrap_interval(mean, 6, groups=np.array([1, 2, 2, 3, 3, 3]))
    assert bootstrap_interval(mean, 6, groups=list("abbccc")) == numbered
    assert np.isfinite(bootstrap_interval(mean, 4, groups=[1, "a", 1, "a"])).all()
    with pytest.raises(TypeError, match="statistic=3 should be a function"):
        bootstrap_interval(3, 10)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((NAN, 3), "successes=nan should be from 0 to n=3"),
        ((1, NAN), "successes=1 should be from 0 to n=nan"),
        ((1, INF), "successes=1 should be from 0 to n=inf"),
        (("1", 3), "successes='1' should be a number"),
        ((1j, 3), "successes=1j should be a number"),
        ((10**400, 3), "successes=1000.* should be a number"),
        ((1, [3, "a"]), r"n=\[3, 'a'\] should be a number"),
        (([1, 2], [3, 4, 5]), r"successes has shape \(2,\) and n has shape \(3,\)"),
    ],
)
def test_counts_are_finite_numbers(args, message):
    with pytest.raises(ValueError, match=message):
        clopper_pearson(*args)


def test_counts_that_are_not_whole_lie_between_whole_ones():
    (low, high), (below, _), (_, above) = (clopper_pearson(s, 3) for s in (1.5, 1, 2))
    assert below < low < 0.5 < high < above


@pytest.mark.parametrize("ratio", [NAN, -0.5, INF, "0.5", None, [0.2], True])
def test_a_ratio_of_rows_is_a_finite_number(ratio):
    with pytest.raises(ValueError, match=r"test_ratio=.* finite number, 0 or more"):
        corrected_interval([1, 2, 3], ratio)


def test_values_over_splits_are_numbers_in_rows():
    for values in (3, [[[1, 2]]]):
        with pytest.raises(ValueError, match="values has shape"):
            corrected_interval(values, 0.2)
    for values in (["0.5", "0.6"], [1j, 2], [[1, 2], [3]]):
        with pytest.raises(ValueError, match=r"values=.* should be a number or numbers"):
            corrected_interval(values, 0.2)
    # what no float can hold the square of has no finite interval
    assert corrected_interval([1e308, -1e308, 1e308], 0.2).p_value == 1
    plain = corrected_interval([1, 2, 3], 0.2)
    assert corrected_interval([1, NAN, 2, None, 3, INF], 0.2) == plain


def test_pairs_that_are_not_known_are_left_out():
    some = wilcoxon_pvalue([1, 2, 3, 4], [2, 4, 6, 8])
    assert some == wilcoxon_pvalue([1, 2, 3, 4, NAN, None, INF], [2, 4, 6, 8, 1, 2, INF])
    assert np.isnan(wilcoxon_pvalue([1e308], [-1e308]))
    assert np.isnan(wilcoxon_pvalue([], []))
    with pytest.raises(ValueError, match=r"scores=.'a'. should be a number"):
        wilcoxon_pvalue([1], ["a"])


def test_curves_are_numbers():
    with pytest.raises(ValueError, match=r"levels=.* should be a number"):
        error_performance_correlation(["a", 1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match=r"regimes has shape .3,."):
        piecewise_slopes([0, 0.5, 1], [1, 2, 3], regimes=[1, 2, 3])
    with pytest.raises(ValueError, match="delta='a' should be above 0"):
        sample_size_for_test(0.05, 0.2, 0.1, "a")
    huge = [1e308, -1e308, 2.0]
    assert np.isnan(error_performance_correlation([0, 0.5, 1], huge))
    assert area_error_performance([0, 0.5, 1], huge) < 0
    assert piecewise_slopes([0, 0.5, 1], huge)[0].tolist() == [-INF, INF]
    assert least_repeats(10**30) > least_repeats(10**6)
