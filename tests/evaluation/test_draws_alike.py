"""Draws that are the same data are told from those that only happen to begin alike."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt import CorruptDuplicates, CorruptLabels, CorruptMissing, CorruptNoise, SelectionBias
from skcorrupt.evaluation import draws_alike, make_splits

X = pd.DataFrame({"a": np.arange(40.0), "b": np.arange(40) % 2})
Y = pd.Series(np.arange(40) % 2, name="y")
(SPLIT,) = make_splits(
    X, Y, [(np.arange(20), np.arange(20, 40))], [0], fit_params={}, score_params={}
)
PARTS = ("train", "test", "both")


@pytest.mark.parametrize("apply_to", PARTS)
@pytest.mark.parametrize(
    "corruption",
    [
        CorruptMissing("a", pattern="b == 1", rate=1.0),
        CorruptLabels(pattern="a < 8", rate=1.0),
        SelectionBias(pattern="b == 1", rate=1.0),
    ],
)
def test_what_strikes_every_row_of_a_pattern_is_the_same(corruption, apply_to):
    if apply_to != "train" and isinstance(corruption, CorruptLabels):
        pytest.skip("labels that are served are not known")
    assert draws_alike(SPLIT, corruption, range(20), apply_to)


@pytest.mark.parametrize("first", range(10))
def test_one_of_two_rows_is_another_one_some_time(first):
    # the first two draws are the same in half of the cases
    corruption = CorruptMissing("a", pattern="a < 2", rate=0.5)
    assert not draws_alike(SPLIT, corruption, range(first, first + 20))


@pytest.mark.parametrize("apply_to", PARTS)
@pytest.mark.parametrize(
    "corruption",
    [CorruptNoise("a", pattern="b == 1"), CorruptDuplicates(rate=0.3), SelectionBias(rate=0.3)],
)
def test_random_values_and_rows_are_other_data(corruption, apply_to):
    assert not draws_alike(SPLIT, corruption, range(20), apply_to)


def test_a_single_draw_is_like_itself():
    assert draws_alike(SPLIT, CorruptNoise("a"), [0])
