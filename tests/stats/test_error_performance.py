"""Profiles of single curves, against closed forms and routes that share no code with them."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.integrate import trapezoid
from scipy.stats import linregress, pearsonr

from skcorrupt.sensitivity import (
    area_error_performance,
    error_performance_correlation,
    piecewise_slopes,
)

LEVELS = [0, 0.2, 0.4, 0.6, 0.8]
scores = st.lists(st.integers(1, 100).map(lambda k: k / 100), min_size=3, max_size=9)


def levels_of(values):
    return np.linspace(0, 0.9, len(values))


class TestCorrelation:
    @given(values=scores)
    def test_it_is_minus_pearsons(self, values):
        found = error_performance_correlation(levels_of(values), values)
        if len(set(values)) == 1:
            assert np.isnan(found)
        else:
            assert found == pytest.approx(-pearsonr(levels_of(values), values).statistic)

    @pytest.mark.parametrize("drop", [0.1, -0.3])
    def test_a_step_at_the_first_of_five_levels(self, drop):
        values = [0.9, *[0.9 - drop] * 4]
        found = error_performance_correlation(LEVELS, values)
        assert found == pytest.approx(np.sign(drop) / np.sqrt(2))

    def test_straight_lines(self):
        assert error_performance_correlation(LEVELS, [5, 4, 3, 2, 1]) == pytest.approx(1)
        assert error_performance_correlation(LEVELS, [1, 2, 3, 4, 5]) == pytest.approx(-1)

    def test_failed_fits_are_left_out(self):
        values = [0.9, np.nan, 0.7, 0.5, np.nan]
        expected = error_performance_correlation([0, 0.4, 0.6], [0.9, 0.7, 0.5])
        assert error_performance_correlation(LEVELS, values) == expected
        assert np.isnan(error_performance_correlation(LEVELS, [0.9, np.nan, 0.7, np.nan, np.nan]))

    def test_rounding_is_no_change(self):
        assert np.isnan(error_performance_correlation(LEVELS, [0.1 + 0.2, 0.3, 0.3, 0.3, 0.3]))


class TestArea:
    @given(values=scores)
    def test_it_is_the_mean_loss_in_parts_of_the_baseline(self, values):
        levels = levels_of(values)
        area = trapezoid(np.array(values) - values[0], levels) / levels[-1]
        assert area_error_performance(levels, values, normalize=False) == pytest.approx(area)
        assert area_error_performance(levels, values) == pytest.approx(area / values[0])

    def test_a_line_and_a_step(self):
        # a triangle, half of the way down; a step loses all but half of the first interval
        line = [0.8, 0.7, 0.6, 0.5, 0.4]
        assert area_error_performance(LEVELS, line) == pytest.approx(-0.25)
        step = [0.8, 0.4, 0.4, 0.4, 0.4]
        assert area_error_performance(LEVELS, step) == pytest.approx(-0.5 * 3.5 / 4)

    def test_gains_are_positive_whatever_the_sign_of_the_score(self):
        assert area_error_performance(LEVELS, [-2, -1, -1, -1, -1]) > 0
        assert area_error_performance(LEVELS, [2, 3, 3, 3, 3]) > 0

    def test_constant_scores_and_a_baseline_near_zero(self):
        assert area_error_performance(LEVELS, [0.0] * 5) == 0
        assert area_error_performance(LEVELS, [0.7] * 5) == 0
        near = [1e-6, 0.1, 0.1, 0.1, 0.1]
        assert np.isnan(area_error_performance(LEVELS, near))
        assert area_error_performance(LEVELS, near, normalize=False) == pytest.approx(0.0875, 1e-3)

    def test_failed_fits(self):
        assert np.isnan(area_error_performance(LEVELS, [np.nan, 0.5, 0.5, 0.5, 0.5]))
        assert np.isnan(area_error_performance(LEVELS, [0.5, *[np.nan] * 4]))
        assert area_error_performance(LEVELS, [0.5, np.nan, 0.4, 0.3, 0.3]) == pytest.approx(
            area_error_performance(np.array(LEVELS)[[0, 2, 3, 4]], [0.5, 0.4, 0.3, 0.3])
        )
        # how much worse it would have become cannot be known
        assert np.isnan(area_error_performance(LEVELS, [0.9, 0.85, 0.5, np.nan, np.nan]))
        assert np.isnan(area_error_performance(LEVELS, [0.9, 0.9, 0.9, 0.9, np.nan]))

    def test_a_baseline_near_zero_among_scores_of_both_signs(self):
        """As R² has it: a share of next to nothing is no share."""
        assert np.isnan(area_error_performance([0, 1], [-0.01, 0.5]))
        assert np.isnan(area_error_performance([0, 0.5, 1], [0.01, -0.4, -0.4]))
        # an error that grows a hundredfold is one
        assert area_error_performance([0, 1], [-1.0, -101.0]) == pytest.approx(-50)


class TestSlopes:
    @given(values=scores)
    def test_regimes_go_one_way_and_cover_the_curve(self, values):
        levels = levels_of(values)
        slopes, regimes = piecewise_slopes(levels, values)
        assert regimes[0, 0] == levels[0] and regimes[-1, 1] == levels[-1]
        np.testing.assert_array_equal(regimes[1:, 0], regimes[:-1, 1])
        ways = []
        for slope, (low, high) in zip(slopes, regimes, strict=True):
            inside = (levels >= low) & (levels <= high)
            part = np.array(values)[inside]
            steps = np.sign(np.round(np.diff(part), 9))
            assert len(set(steps[steps != 0])) <= 1
            ways.append(steps[steps != 0][:1].tolist())
            if len(part) > 2:
                assert slope == pytest.approx(linregress(levels[inside], part).slope)
        # neighbours differ, or they would be one
        assert all(a != b for a, b in itertools.pairwise(ways))

    @pytest.mark.parametrize(
        ("values", "ends"),
        [
            ([0.8, 0.9, 0.9, 0.8], [[0, 2], [2, 3]]),
            ([0.8, 0.8, 0.9, 0.7], [[0, 2], [2, 3]]),
            ([0.8, 0.8, 0.8, 0.8], [[0, 3]]),
            ([0.9, 0.8, 0.8, 0.7], [[0, 3]]),
            ([0.9, 0.8, 0.9, 0.8], [[0, 1], [1, 2], [2, 3]]),
            ([0.9, np.nan, 0.9, 0.8], [[0, 3]]),
        ],
    )
    def test_where_a_curve_turns(self, values, ends):
        _, regimes = piecewise_slopes([0, 1, 2, 3], values)
        assert regimes.tolist() == ends

    def test_regimes_of_another_curve(self):
        slopes, regimes = piecewise_slopes([0, 1, 2, 3], [4, 3, 1, 5], [[0, 2], [2, 3]])
        np.testing.assert_allclose(slopes, [-1.5, 4])
        assert regimes.tolist() == [[0, 2], [2, 3]]
        slopes, _ = piecewise_slopes([0, 1, 2, 3], [4, np.nan, 1, np.nan], [[0, 2], [2, 3]])
        assert slopes[0] == -1.5 and np.isnan(slopes[1])

    def test_a_single_point(self):
        slopes, regimes = piecewise_slopes([0, 1], [0.5, np.nan])
        assert len(slopes) == 0 and regimes.shape == (0, 2)


@pytest.mark.parametrize(
    "function", [error_performance_correlation, area_error_performance, piecewise_slopes]
)
@pytest.mark.parametrize(
    ("levels", "values", "message"),
    [
        ([0, 0.2], [1, 2, 3], "one score per level"),
        ([[0, 0.2]], [[1, 2]], "one score per level"),
        ([], [], "at least one"),
        ([0, 0.2, 0.2], [1, 2, 3], "should be numbers that increase"),
        ([0, np.nan, 0.2], [1, 2, 3], "should be numbers that increase"),
    ],
)
def test_wrong_curves_are_refused(function, levels, values, message):
    with pytest.raises(ValueError, match=message):
        function(levels, values)


def test_an_area_needs_a_baseline():
    with pytest.raises(ValueError, match="the first should be 0"):
        area_error_performance([0.2, 0.4], [1, 2])
