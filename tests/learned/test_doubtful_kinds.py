"""What few values or weak evidence leave open is not told as if it were known."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt import CorruptCategories, CorruptOutliers, CorruptShiftRows, CorruptStuck
from skcorrupt.learned import learn_errors


@pytest.mark.parametrize("seed", [3, 4, 11])
def test_a_place_is_told_when_chance_makes_one_in_a_hundred(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=200).round(3), "b": rng.choice(list("uv"), 200)})
    hit = rng.uniform(size=200) < np.where(X["b"] == "u", 0.45, 0.25)
    row = learn_errors(X.assign(a=X["a"].mask(hit)), X).report.iloc[0]
    # a pattern would have an adjusted p-value between .02 and .05 here
    assert row["pattern"] is None and row["mechanism"] is None


@pytest.mark.parametrize("seed", [6, 21, 23])
def test_values_of_some_branches_are_no_defaults(seed):
    rng = np.random.default_rng(seed)
    places = [f"p{i}" for i in range(10)]
    # rare values of one branch are what all others go to
    sizes = np.array([234, 103, 12, 181, 280, 12, 22, 50, 9, 97])
    X = pd.DataFrame({"place": rng.choice(places, 1000, p=sizes / sizes.sum())})
    X["n"] = rng.normal(size=1000).round(2)
    branches = {place: i % 3 for i, place in enumerate(places)}
    error = CorruptCategories(
        "place", kind="branch", hierarchy=branches, rate=0.55, random_state=seed
    )
    [kind] = learn_errors(error.fit(X).corrupt(X).X, X).report["kind"]
    assert kind == "categories"


def two_values(n=400):
    rng = np.random.default_rng(0)
    return pd.DataFrame({"n": rng.integers(0, 8, n), "x": rng.normal(size=n).round(2)})


def test_two_values_with_one_factor_are_no_two_defaults():
    X = two_values()
    dirty = X.assign(n=X["n"].where(~X["n"].isin([2, 3]), X["n"] * 2.54))
    row = learn_errors(dirty, X).report.iloc[0]
    assert (row["kind"], row["parameters"]["factor"]) == ("scale", 2.54)


def test_two_values_with_one_distance_to_either_side_are_no_four_defaults():
    X = two_values()
    error = CorruptOutliers("n", pattern={"n": [2, 3]}, rate=0.9, random_state=0)
    [kind] = learn_errors(error.fit(X).corrupt(X).X, X).report["kind"]
    assert kind == "outliers"


@pytest.mark.parametrize("dtype", [int, float, "Int64"])
def test_classes_that_are_numbers_are_confused_not_moved(dtype):
    X = two_values(600)
    y = (X["n"] % 3).astype(dtype)
    hit = np.random.default_rng(0).uniform(size=600) < 0.2
    learned = learn_errors(X, X, y=y, dirty_y=y.where(~hit, (y + 1) % 3))
    moves = learned.template("labels").transition
    assert {(clean, *to) for clean, to in moves.items()} == {(0, 1), (1, 2), (2, 0)}
    made = learned.corruption.set_params(random_state=0).fit_resample(X, y)[1]
    assert set(made) == {0, 1, 2}


@pytest.mark.parametrize(
    ("value", "becomes", "kind"),
    [(2, 2 * 2.54, "scale"), (3, 3000, "scale"), (1, 100, "sentinel"), (2, 5.5, "sentinel")],
)
def test_one_value_that_became_another_is_a_known_unit_or_a_default(value, becomes, kind):
    X = two_values()
    dirty = X.assign(n=X["n"].where(X["n"] != value, becomes))
    row = learn_errors(dirty, X).report.iloc[0]
    # a limit would have been there for all values beyond it
    assert row["kind"] == kind


@pytest.mark.parametrize("error", [CorruptShiftRows, CorruptStuck])
def test_values_that_never_repeat_over_several_rows_are_shifted(error):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"sex": rng.choice(["f", "m"], 900), "x": rng.normal(size=900).round(2)})
    made = error("sex", pattern="sex == 'f'", rate=0.6, random_state=0).fit(X).corrupt(X).X
    [kind] = learn_errors(made, X).report["kind"]
    assert kind == error.short_name


def test_an_infinite_default_is_repeated_but_not_searched():
    X = two_values()
    hit = np.random.default_rng(0).uniform(size=len(X)) < 0.3
    learned = learn_errors(X.assign(x=X["x"].mask(hit, np.inf)), X)
    with pytest.raises(ValueError, match=r"kind 'sentinel'.*use \.corruption"):
        learned.template("x")
    made = learned.corruption.set_params(random_state=0).fit_resample(X, None)[0]
    assert np.isinf(made["x"]).sum() == hit.sum()
