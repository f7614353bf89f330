"""The summary of a profiler says what its tables hold."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB

import fitted_systems
from skcorrupt import CorruptNoise, ErrorSensitivityProfiler
from skcorrupt.report import write_html
from skcorrupt.sensitivity._in_words import failed_in_words


@pytest.fixture
def profiler():
    return fitted_systems.profiler()


@pytest.mark.long
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


@pytest.mark.long
def test_where_nothing_falls_it_says_so(profiler):
    profiler.profiles_ = profiler.profiles_.assign(aepc=0.01, significant=False)
    assert "in none of them" in profiler.summary()
    assert profiler.summary().endswith("No error lowers the accuracy of any model on average.")
    profiler.profiles_["aepc"] = np.nan
    end = "were studied, all of them without a mean change; the remarks (`flags`) say why."
    assert profiler.summary().endswith(end)


@pytest.mark.long
def test_a_loss_that_rounds_to_none_is_no_gain(profiler, tmp_path):
    profiler.profiles_ = profiler.profiles_.assign(aepc=-0.0004, significant=False)
    said = profiler.summary()
    assert "by less than 0.1 % on average over the levels" in said and "by +" not in said
    page = write_html(profiler, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "by less than 0.1 % on average" in page


@pytest.mark.many
@pytest.mark.parametrize("kinds", ["missing", ["missing", "noise"]])
def test_models_that_fail_come_first(kinds, tmp_path):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    profiler = ErrorSensitivityProfiler(
        GaussianNB(), corruptions=kinds, levels=(0, 0.3), n_repeats=2, random_state=0
    )
    with pytest.warns(UserWarning, match="fits failed"):
        profiler.fit(X.iloc[:100, :2], y[:100])
    said = profiler.summary()
    assert said.startswith(
        "`GaussianNB` fails with missing values in `mean radius` and 1 more error: 4 of "
        f"{4 if kinds == 'missing' else 8} fits with errors gave no score, the first for "
        "ValueError: Input X contains NaN"
    )
    left = "all of them without" if kinds == "missing" else "2 of them without"
    assert left in said and "in none of them" not in said
    assert ("in none of the others" in said) == (kinds != "missing")
    page = write_html(profiler, tmp_path / "page.html").read_text(encoding="utf-8")
    glance = page[page.index("What could go wrong") :]
    assert glance.index("fails with missing values") < glance.index("How bad")
    assert "No error that was tried was seen" not in page


def test_what_fails_without_errors_is_not_told_to_fail_with_them():
    curves = pd.DataFrame(
        [
            ("bad", error, "x", repeat, level, np.nan if bad else 0.7, "ValueError: no" * bad)
            for error in ("noise", "missing")
            for repeat, bad in enumerate([True, False])
            for level in (0.0, 0.5)
        ]
        + [("frail", "noise", "x", 0, 0.0, 0.8, ""), ("frail", "noise", "x", 0, 0.5, np.nan, "E")],
        columns=["model", "corruption", "features", "repeat", "level", "score", "error"],
    )
    first, second = failed_in_words(curves)
    assert first == (
        "`bad` fails on the data as they are: 1 of 2 fits without errors gave no score, the first "
        "for ValueError: no."
    )
    assert second.startswith("`frail` fails with noisy values in `x`: 1 of 1 fit with errors")


@pytest.mark.many
@pytest.mark.parametrize(
    ("significant", "low", "high", "said"),
    [
        (True, -0.9, 0.2, "which matters, as it is more than noise at the highest level."),
        (True, -0.9, -0.2, "which matters."),
        (False, -0.9, -0.2, "which may be noise at the highest level."),
        (False, -0.9, 0.2, "which may be noise."),
    ],
)
def test_it_says_what_was_tested_where_the_interval_says_otherwise(
    profiler, significant, low, high, said
):
    p = 0.01 if significant else 0.2
    profiler.profiles_ = profiler.profiles_.assign(
        aepc=-0.4, aepc_low=low, aepc_high=high, p_adjusted=p, significant=significant
    )
    assert profiler.summary().endswith(said)


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
