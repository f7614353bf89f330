"""Errors that depend on what a name is put together of are made in rows of new names."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt.learned import LearnedErrors, learn_errors


def trips(first, n=400):
    rng = np.random.default_rng(first)
    line = rng.choice(["CO", "AA", "UA"], n)
    trip = [f"{name}-{first + i}" for i, name in enumerate(line)]
    return pd.DataFrame({"trip": trip, "seats": rng.integers(10, 90, n)}), line == "CO"


@pytest.mark.parametrize("repeats", [1, 10])
def test_new_names_have_the_errors_of_their_part(repeats):
    clean, struck = trips(1000, 400 // repeats)
    clean, struck = pd.concat([clean] * repeats, ignore_index=True), np.tile(struck, repeats)
    learned = learn_errors(clean.assign(seats=clean["seats"].astype(float).mask(struck)), clean)
    error = LearnedErrors.from_dict(learned.to_dict()).corruption.set_params(random_state=0)
    fresh, expected = trips(5000)
    made = error.fit_resample(fresh, None)[0]
    np.testing.assert_array_equal(made["seats"].isna(), expected)


def test_numbers_and_times_have_no_parts():
    clean, struck = trips(1000)
    clean["at"] = [f"{i % 12 + 1}:{i % 60:02d}" for i in range(len(clean))]
    learned = learn_errors(clean.assign(seats=clean["seats"].astype(float).mask(struck)), clean)
    seen = learned.corruption.corruptions[0][1].seen
    parts = {each["column"] for each in seen["readings"] if "part" in each}
    assert parts == {"trip"}
