"""Numbers as readers are told them, in sentences as in tables."""

import pytest

from skcorrupt.utils._as_text import (
    cell,
    column_texts,
    largest,
    percent,
    percent_in_words,
    score,
    signed_percent,
)


@pytest.mark.parametrize(
    ("share", "table", "sentence"),
    [
        (0.0853, "8.5 %", "8.5 %"),
        (0.7, "70.0 %", "70 %"),
        (1, "100.0 %", "100 %"),
        (0, "0.0 %", "0 %"),
        (0.0011, "0.1 %", "0.1 %"),
        (0.00041, "0.04 %", "0.04 %"),
        (-0.0126, "-1.3 %", "-1.3 %"),
    ],
)
def test_a_share_has_one_form(share, table, sentence):
    assert (percent(share), percent_in_words(share)) == (table, sentence)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.8, "0.800"),
        (-0.0001, "0.000"),
        (8.5, "8.500"),
        (8.53, "8.530"),
        (9.9996, "10.00"),
        (-12.5, "-12.50"),
        (12.53, "12.53"),
        (250.0, "250.0"),
        (2500.04, "2,500"),
        (99_999.6, "100,000"),
        (-123_456.7, "-123,457"),
        (3e12, "3e+12"),
    ],
)
def test_a_score_keeps_its_zeros_whatever_its_size(value, text):
    assert score(value) == cell(value, "score") == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (8.5, "8.5"),
        (12_345, "12,345"),
        (12_345.0, "12,345"),
        (12_345.6, "12,346"),
        (1_234.56, "1,235"),
        (0.00012, "0.00012"),
        (-0.0, "0"),
        (1e20, "1e+20"),
        (True, "yes"),
        (float("nan"), "–"),
        (float("-inf"), "-infinite"),
    ],
)
def test_another_number_is_written_out(value, text):
    assert cell(value) == text


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([8.5, 8.53, 10.0], ["8.50", "8.53", "10.00"]),
        ([3.0, float("nan"), 12_345.0], ["3", "–", "12,345"]),
        # what is small would be lost
        ([8.5, 0.00012], ["8.5", "0.00012"]),
        ([8.5, "none"], ["8.5", "none"]),
        ([1e20, 0.5], ["1e+20", "0.5"]),
        ([], []),
    ],
)
def test_numbers_of_a_column_have_the_same_decimals(values, texts):
    assert column_texts(values) == texts


def test_a_share_that_rounds_to_zero_has_the_sign_of_zero():
    assert [signed_percent(value) for value in (-0.0004, 0.0004, -0.0006)] == [
        "+0.0 %",
        "+0.0 %",
        "-0.1 %",
    ]


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (-1.23456e-9, 2e-9, "-1.235e-09"),
        (3e-11, 2e-9, "3e-11"),
        # as little beside it as 0.0001 beside one
        (-2e-13, 2e-9, "0"),
        (0.00412, 0.005, "0.00412"),
        # rounding beside scores of order one
        (1e-17, 1.0, "0.000"),
        (0.0004, 0.3, "0.000"),
        (0.25, 0.005, "0.250"),
    ],
)
def test_small_scores_have_digits_where_those_beside_them_are_small_too(value, unit, text):
    assert score(value, unit) == cell(value, "score", unit) == text


def test_scores_that_are_none_or_unknown_have_the_unit_one():
    assert largest() == largest(0.0, float("nan")) == 1.0
    assert largest(-3e-9, [1e-9, float("inf")]) == 3e-9
