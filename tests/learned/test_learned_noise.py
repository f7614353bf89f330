"""Noise in few steps, beside what is no noise."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt.learned import learn_errors

N = 3000
RNG = np.random.default_rng(0)
HALF = RNG.uniform(size=N) < 0.5
TABLE = pd.DataFrame(
    {
        "years": RNG.integers(0, 19, N),
        "amount": RNG.lognormal(9, 1, N).round(2),
        "degrees": RNG.normal(15, 9, N).round(1),
        "shop": RNG.choice(["north", "south", "east"], N),
    }
)
SIDES = RNG.choice([-1, 1], N)
STEPS = {
    "normal": np.ceil(np.abs(RNG.normal(0, 3, N)) + 0.01) * SIDES,
    "few": RNG.integers(1, 4, N) * SIDES,
    "upward": 1 + RNG.poisson(4, N),
    "geometric": RNG.geometric(0.4, N) * SIDES,
}


def report_of(name: str, wrong: pd.Series, struck: np.ndarray) -> pd.DataFrame:
    dirty = TABLE.assign(**{name: TABLE[name].where(~struck, wrong)})
    return learn_errors(dirty, TABLE).report


@pytest.mark.many
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", ["years", "amount", "degrees"])
def test_whole_steps_are_noise_not_distances_of_several_kinds(name: str, steps: str) -> None:
    struck = HALF & (TABLE["shop"] == "south").to_numpy()
    report = report_of(name, TABLE[name] + STEPS[steps], struck)
    assert report["kind"].tolist() == ["noise"]
    assert report["n_cells"].tolist() == [struck.sum()]


def test_one_distance_beside_noise_is_told_from_it() -> None:
    some = np.random.default_rng(1).uniform(size=N) < 0.5
    off = np.where(some, 12, STEPS["normal"])
    report = report_of("amount", TABLE["amount"] + off, HALF).set_index("kind")
    assert report.loc["scale", "parameters"]["offset"] == 12
    assert report.loc["scale", "n_cells"] >= (HALF & some).sum()
    assert set(report.index) == {"scale", "noise"}


def test_one_distance_to_either_side_is_no_noise() -> None:
    report = report_of("degrees", TABLE["degrees"] + 40 * SIDES, HALF)
    assert report["kind"].tolist() == ["outliers"]
