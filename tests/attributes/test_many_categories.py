"""Categories of which there are too many to be named together."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt.attributes._attribute import MAX_LEVELS, learn_attribute


@pytest.mark.parametrize("n_levels", [MAX_LEVELS, MAX_LEVELS + 1])
def test_of_too_many_each_is_named_alone(n_levels):
    """The commonest ones, as a list of dozens ordered by the label would tell the label."""
    rng = np.random.default_rng(0)
    values = np.array([f"shop {i}" for i in range(n_levels)], dtype=object)
    values = np.concatenate([values, rng.choice(values, 2_000)])
    outcome = rng.integers(2, size=(len(values), 1)).astype(float)
    found = learn_attribute(
        values, np.zeros(len(values), bool), "text", key="shop", column=0, outcome=outcome, n_bins=8
    )
    sizes = pd.Series([len(condition.values) for condition in found.conditions])
    assert (sizes == 1).sum() == MAX_LEVELS
    assert (sizes > 1).any() == (n_levels <= MAX_LEVELS)
    # an atom matches the rows of the categories that it names
    for atom, condition in enumerate(found.conditions):
        assert (found.mask(atom) == np.isin(values, condition.values)).all()
