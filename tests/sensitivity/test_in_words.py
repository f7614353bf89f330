"""The summary of a profiler says what its tables hold."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB

import fitted_systems
from skcorrupt import CorruptNoise, ErrorSensitivityProfiler


@pytest.fixture
def profiler():
    return fitted_systems.profiler()


def test_the_largest_loss_and_how_many_matter(profiler):
    said, profiles = profiler.summary(), profiler.profiles_
    n, worst = int(profiles["significant"].sum()), profiles.loc[profiles["aepc"].idxmin()]
    assert said.startswith(f"{len(profiles)} pairs of a model and an error were studied; in {n}")
    assert f"`{worst['features']}` change the accuracy of `{worst['model']}`" in said
    assert f"by {100 * worst['aepc']:+.1f} % on average" in said
    assert worst["significant"] and said.endswith("which matters.")
    assert "\n" not in said


@pytest.mark.many
@pytest.mark.parametrize(
    ("p", "change", "end"),
    [
        (0.001, -0.04, "which is no more than 5 %."),
        (0.2, -0.3, "which may be noise."),
        (np.nan, -0.3, "which may be noise."),
        (0.2, -0.04, "which may be noise and is no more than 5 %."),
    ],
)
def test_it_says_what_is_lacking(profiler, p, change, end):
    profiler.profiles_ = profiler.profiles_.assign(aepc=change, p_adjusted=p, significant=False)
    assert profiler.summary().endswith(f"%), {end}")


def test_where_nothing_falls_it_says_so(profiler):
    profiler.profiles_ = profiler.profiles_.assign(aepc=0.01, significant=False)
    assert "in none of them" in profiler.summary()
    assert profiler.summary().endswith("No error lowers the accuracy of any model on average.")
    profiler.profiles_["aepc"] = np.nan
    end = "None of them has a mean change; the remarks (`flags`) say why."
    assert profiler.summary().endswith(end)


def test_one_repeat_is_no_test():
    with pytest.warns(UserWarning, match="nothing can be tested"):
        profiler = fitted_systems.profiler(n_repeats=1)
    said = profiler.summary()
    n = len(profiler.profiles_)
    assert said.startswith(f"{n} pairs of a model and an error were studied, and could not be ")
    assert "tested with one repeat. The largest loss: " in said
    assert "–" not in said and "more than noise" not in said
    assert "on average over the levels, which may be noise" in said


def test_it_has_to_be_fitted():
    with pytest.raises(NotFittedError):
        ErrorSensitivityProfiler(GaussianNB(), corruptions=CorruptNoise()).summary()
