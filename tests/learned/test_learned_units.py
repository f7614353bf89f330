"""Units whose numbers were rounded after the conversion, and what only looks like that."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt import CorruptScale
from skcorrupt.learned import LearnedErrors, learn_errors

N = 1500
DEGREES = np.random.default_rng(1).normal(15, 9, N).round(1)
KILOGRAMS = np.random.default_rng(2).normal(75, 14, N).round(1)
CENTIMETRES = np.random.default_rng(3).normal(172, 10, N).round()
EUROS = np.random.default_rng(4).lognormal(4, 1, N).round(2)
BRANCH = np.random.default_rng(5).choice(["north", "south", "east", "west"], N)
SOUTH = (BRANCH == "south") & (np.random.default_rng(6).uniform(size=N) < 0.6)

CONVERSIONS = {
    "tenths of degrees": (DEGREES, 1.8, 32.0, 0.1),
    "whole degrees": (DEGREES, 1.8, 32.0, 1.0),
    "degrees, back": ((DEGREES * 1.8 + 32).round(), 1 / 1.8, -32 / 1.8, 0.1),
    "tenths of pounds": (KILOGRAMS, 2.2046226218, 0.0, 0.1),
    "whole inches": (CENTIMETRES, 1 / 2.54, 0.0, 1.0),
    "tenths of feet": (CENTIMETRES, 1 / 30.48, 0.0, 0.1),
    "cents": (EUROS, 1.08, 0.0, 0.01),
    "whole kelvins": (DEGREES, 1.0, 273.15, 1.0),
    "a factor that nobody knows": (KILOGRAMS, 1.37, -4.2, 0.5),
}


def learned_from(clean: np.ndarray, wrong: np.ndarray, struck: np.ndarray) -> LearnedErrors:
    table = pd.DataFrame({"size": clean, "branch": BRANCH})
    return learn_errors(table.assign(size=np.where(struck, wrong, clean)), table)


@pytest.mark.parametrize("name", CONVERSIONS)
def test_a_conversion_is_found_as_near_as_rounding_allows(name: str) -> None:
    clean, factor, offset, step = CONVERSIONS[name]
    wrong = np.round((factor * clean + offset) / step) * step
    struck = SOUTH & (np.abs(wrong - clean) > 1e-9)
    learned = learned_from(clean, wrong, struck)
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["n_cells"]) == ("scale", struck.sum())
    found = row["parameters"]
    assert found["step"] == step
    away = found["factor"] * clean + found["offset"] - (factor * clean + offset)
    assert np.abs(away).max() <= 0.5 * step
    assert str(row["pattern"]) == "branch == 'south'"


def test_known_and_short_numbers_are_preferred() -> None:
    for name in ("tenths of degrees", "whole degrees", "tenths of pounds", "cents"):
        clean, factor, offset, step = CONVERSIONS[name]
        wrong = np.round((factor * clean + offset) / step) * step
        found = learned_from(clean, wrong, SOUTH).report["parameters"][0]
        assert (found["factor"], found["offset"]) == (factor, offset)


def test_the_report_says_it_and_the_corruption_rounds() -> None:
    wrong = (DEGREES * 1.8 + 32).round(1)
    learned = learned_from(DEGREES, wrong, SOUTH)
    assert "another unit (factor 1.8, offset 32, step 0.1)" in str(learned)
    other = pd.DataFrame({"size": [3.27, 4.16, 5.55] * 20, "branch": ["south"] * 60})
    made = learned.corruption.set_params(random_state=0).fit_resample(other, None)[0]["size"]
    hit = (made != other["size"]).to_numpy()
    assert hit.any()
    want = {3.27: 37.9, 4.16: 39.5, 5.55: 42.0}
    assert made[hit].tolist() == [want[value] for value in other["size"][hit]]
    template = learned.template("size")
    assert isinstance(template, CorruptScale)
    assert (template.factor, template.offset) == (1.8, 32.0)


def test_a_conversion_without_rounding_has_no_step() -> None:
    found = learned_from(DEGREES, DEGREES * 1.8 + 32, SOUTH).report["parameters"][0]
    assert (found["factor"], found["offset"]) == (1.8, 32)
    assert "step" not in found


def test_a_conversion_is_found_among_noise_and_in_texts() -> None:
    rng = np.random.default_rng(0)
    noisy = ~SOUTH & (rng.uniform(size=N) < 0.1)
    dirty = np.where(SOUTH, (KILOGRAMS * 2.2046226218).round(1), KILOGRAMS)
    dirty = np.where(noisy, (KILOGRAMS + rng.normal(0, 20, N)).round(1), dirty)
    tables = [pd.DataFrame({"size": each, "branch": BRANCH}) for each in (dirty, KILOGRAMS)]
    texts = [each.assign(size=each["size"].astype(str)) for each in tables]
    for pair in (tables, texts):
        report = learn_errors(*pair).report
        row = report.loc[report["n_cells"].idxmax()]
        assert (row["kind"], row["parameters"]["factor"]) == ("scale", 2.2046226218)
        assert abs(row["n_cells"] - SOUTH.sum()) <= 0.03 * SOUTH.sum()


RNG = np.random.default_rng(7)
OTHERS = {
    "noise": (KILOGRAMS + RNG.normal(0, 5, N)).round(1),
    "noise of a tenth": (KILOGRAMS + RNG.normal(0, 0.2, N)).round(1),
    "a factor that varies": (KILOGRAMS * RNG.normal(1.5, 0.1, N)).round(1),
    "noise around another one": (KILOGRAMS + 10.5 + RNG.normal(0, 3, N)).round(),
    "rounding": np.round(KILOGRAMS / 10) * 10,
    "rounding down": np.floor(KILOGRAMS),
    "a limit": np.minimum(KILOGRAMS, 70),
    "a default": np.full(N, 99.0),
    "values of other rows": RNG.permutation(KILOGRAMS),
    "any number": RNG.integers(0, 200, N).astype(float),
    "a curve": np.sqrt(KILOGRAMS * 40).round(1),
}


@pytest.mark.parametrize("name", OTHERS)
def test_nothing_else_is_a_rounded_conversion(name: str) -> None:
    report = learned_from(KILOGRAMS, OTHERS[name], SOUTH).report
    scales = [
        p for kind, p in zip(report["kind"], report["parameters"], strict=True) if kind == "scale"
    ]
    assert not any("step" in found for found in scales)
