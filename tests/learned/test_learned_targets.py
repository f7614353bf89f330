"""Wrong labels that are numbers: told, made again, or refused."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt.learned import LearnedErrors, learn_errors
from skcorrupt.learned._in_words import kind_in_words


def prices(n=500, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n).round(2), "b": rng.choice(list("uvw"), n)})
    return X, pd.Series(rng.normal(100, 20, n).round(2))


def learned(change):
    X, y = prices()
    rng = np.random.default_rng(1)
    hit = (rng.uniform(size=len(y)) < 0.5) & (X["b"] == "u")
    return learn_errors(X, X, y=y, dirty_y=y.where(~hit, change(y, rng)))


MADE = {
    "factor": (lambda y, rng: y * 1000, {"factor": 1000.0}, "labels are multiplied by 1000"),
    "line": (lambda y, rng: y * 1.8 + 32, {"factor": 1.8, "shift": 32.0}, None),
    "offset": (lambda y, rng: y + 7, {"shift": 7.0}, None),
    "lost": (lambda y, rng: y * np.nan, {}, "labels are missing"),
}


@pytest.mark.parametrize("name", MADE)
def test_wrong_targets_are_told_and_made_again(name):
    change, params, words = MADE[name]
    found = LearnedErrors.from_dict(learned(change).to_dict())
    template = found.template("labels")
    assert params.items() <= template.get_params().items()
    assert words is None or kind_in_words(found.report.iloc[0]) == words
    X, y = prices(seed=5)
    made = np.asarray(found.corruption.set_params(random_state=0).fit_resample(X, y)[1])
    struck = ~np.isclose(made, y)
    assert (X["b"][struck] == "u").all()
    assert struck.sum() == pytest.approx(0.5 * (X["b"] == "u").sum(), rel=0.15)
    np.testing.assert_allclose(made[struck], change(y, None)[struck])


def test_noise_in_targets_has_its_spread_again():
    found = learned(lambda y, rng: y + rng.normal(0, 5, len(y)).round(2))
    assert found.template("labels").noise == pytest.approx(5 / prices()[1].std(), rel=0.2)


@pytest.mark.parametrize(
    ("change", "form"),
    [
        (lambda y, rng: (y / 10).round() * 10, "rounding"),
        (lambda y, rng: y.clip(upper=105), "clip"),
        (lambda y, rng: rng.permutation(y), "swap"),
    ],
)
def test_what_cannot_be_made_says_what_to_do(change, form):
    with pytest.warns(UserWarning, match=f"form '{form}'.*Make the label a column of both"):
        found = learned(change)
    with pytest.raises(ValueError, match=f"of the form '{form}'; make the label a column"):
        found.template("labels")
