"""The first screen of a page is for somebody who does not code."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import fitted_systems
from cheap_models import Centroids
from fitted_systems import SYSTEMS
from flat_search import flat_search
from html_faults import Page
from skcorrupt import CorruptNoise, ErrorSensitivityProfiler
from skcorrupt.report import write_html
from skcorrupt.utils._as_text import percent

pytestmark = pytest.mark.usefixtures("undrawn")

CODE = re.compile(r"\w+\(|suggest_|\w_\b|__|\w\.\w+_")


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_code_stands_at_a_glance(name, tmp_path):
    source = write_html(fitted_systems.made()[name], tmp_path / "page.html").read_text(
        encoding="utf-8"
    )
    [advice] = re.findall("What to do</th>.*?<td[^>]*>(.*?)</td>", source, re.DOTALL)
    assert not CODE.search(re.sub("<[^>]*>", "", advice)), advice
    # what it refers to is there
    if "how to repeat it" in advice:
        text = Page(source).text
        assert "\n# " in text[text.rindex("How to repeat it") :]


@pytest.mark.long
def test_a_loss_that_is_sure_but_small_is_not_called_chance(tmp_path):
    profiler = fitted_systems.profiler()
    profiler.profiles_ = profiler.profiles_.assign(
        aepc=-0.04, aepc_low=-0.05, aepc_high=-0.03, p_adjusted=0.001, significant=False
    )
    source = write_html(profiler, tmp_path / "page.html").read_text(encoding="utf-8")
    n = len(profiler.profiles_)
    said = f"{n} errors may lower the accuracy, but of all the loss is no more than 5 %."
    assert said in Page(source).text


def test_a_harmed_group_is_named(tmp_path):
    ablator = fitted_systems.ablator()
    effects, levels = ablator.stage_effects_, ablator.global_fairness_
    harmed = (levels["stage"] == levels["stage"].iloc[0]) & (levels["metric"] == "spd")
    for name, gap in {"with_stage": -0.4, "without_stage": -0.1}.items():
        ends = {name: gap, f"{name}_low": gap - 0.05, f"{name}_high": gap + 0.05}
        levels = levels.assign(**{end: levels[end].mask(harmed, at) for end, at in ends.items()})
    ablator.global_fairness_ = levels
    there = (effects["stage"] == levels["stage"].iloc[0]) & (effects["metric"] == "spd")
    ablator.stage_effects_ = effects.assign(
        mean=effects["mean"].mask(there, -0.3),
        ci_low=effects["ci_low"].mask(there, -0.35),
        ci_high=effects["ci_high"].mask(there, -0.25),
        p_value=effects["p_value"].mask(there, 0.001),
        p_adjusted=effects["p_adjusted"].mask(there, 0.001),
        significant=there,
    )
    source = write_html(ablator, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "At a disadvantage: in sex 0, against 1" in Page(source).text


def test_a_gap_that_turns_round_is_not_said_to_be_larger(tmp_path):
    """The test of its effect is none of its size, neither in sentences nor in the table."""
    ablator = fitted_systems.ablator()
    effects, levels = ablator.stage_effects_, ablator.global_fairness_
    there = (effects["stage"] == "scale") & (effects["metric"] == "erd")
    ablator.stage_effects_ = effects.assign(
        mean=effects["mean"].mask(there, 0.195),
        ci_low=effects["ci_low"].mask(there, 0.1),
        ci_high=effects["ci_high"].mask(there, 0.29),
        p_value=effects["p_value"].mask(there, 0.0123),
        p_adjusted=effects["p_adjusted"].mask(there, 0.0123),
        significant=there,
    )
    gaps = {"with_stage": 0.0985, "without_stage": -0.0965}
    for name, gap in gaps.items():
        ends = {name: gap, f"{name}_low": gap - 0.1, f"{name}_high": gap + 0.1}
        levels = levels.assign(**{end: levels[end].mask(there, at) for end, at in ends.items()})
    ablator.global_fairness_ = levels
    text = Page(write_html(ablator, tmp_path / "page.html").read_text(encoding="utf-8")).text
    assert "The step scale turns a gap between groups of people round." in text
    assert "0.195 apart (0.100 to 0.290, more than noise)" in text
    assert "scale widens" not in text and "No step was seen to widen" not in text
    assert "Leaving out scale is no cure" in text
    # what it widens by has an interval and a p-value of its own, by which it may be noise
    assert "More than noise: no;" in text
    head = "Decisions changedscalewrong decisions (ERD)+0.099-0.097"
    row = text.partition(head)[2].partition("%")[0]
    assert re.match(r"\+0\.002-0\.\d{3} to \+0\.\d{3}0\.9\d\dmore than noise", row)
    shown = ablator._repr_html_()
    table = shown[shown.rindex("<table") :]
    assert re.findall("<th>([^<]+)</th>", table)[-2:] == ["more than noise", "turns it round"]
    assert re.findall("<td>([^<]+)</td>", table)[7:10] == ["+0.002", "no", "more than noise"]


def test_who_fares_worse_is_said_where_no_step_matters(tmp_path):
    """A gap of wrong decisions below 0 is good for the group, however large it is."""
    ablator = fitted_systems.ablator(stages=["scale"])
    effects, levels = ablator.stage_effects_, ablator.global_fairness_
    gaps = levels["metric"].map({"spd": -0.2, "eod": 0.1, "aod": -0.15, "erd": -0.3})
    ablator.stage_effects_ = effects.assign(significant=False, mean=0.0, ci_low=-0.1, ci_high=0.1)
    ablator.global_fairness_ = levels.assign(
        with_stage=gaps, without_stage=gaps, with_stage_low=gaps - 0.05, with_stage_high=gaps + 0.05
    )
    text = Page(write_html(ablator, tmp_path / "page.html").read_text(encoding="utf-8")).text
    assert "The model treats groups of people unequally. No step was seen to widen" in text
    said = "By sex, 0 get the favourable decision less often than 1: a gap of "
    assert f"{said}-0.200 (-0.250 to -0.150) in the rate" in text
    # where nobody is at a disadvantage but the privileged, they are named
    better = levels["metric"].map({"spd": 0.02, "eod": 0.1, "aod": 0.05, "erd": -0.3})
    ablator.global_fairness_ = levels.assign(
        with_stage=better, without_stage=better, with_stage_low=-1.0, with_stage_high=1.0
    )
    text = Page(write_html(ablator, tmp_path / "page.html").read_text(encoding="utf-8")).text
    assert "treats groups of people unequally" not in text
    assert "By sex, 1 get more wrong decisions than 0: a gap of -0.300 (-1.000" in text
    assert "to +1.000, which may be noise) in the rates" in text


def test_a_score_without_labels_is_told_as_a_share(tmp_path):
    X, y = fitted_systems.table()
    search = flat_search(
        Centroids().fit(X, y), "missing", apply_to="test", n_calls=4, max_conditions=1
    ).fit(X)
    text = Page(write_html(search, tmp_path / "page.html").read_text(encoding="utf-8")).text
    changed = percent(-search.worst_score_)
    assert search.worst_score_ < 0
    assert f"{changed} of all predictions change; with as many errors in rows drawn" in text
    assert "\nsearch.fit(X)\n" in text
    search.confirmed_baseline_score_, search.confirmed_score_ = 0.0, -0.07
    search.confirmed_interval_ = (0.044, 0.107)
    text = Page(write_html(search, tmp_path / "page.html").read_text(encoding="utf-8")).text
    assert "did not see 7.0 % change: with 95 % confidence 4.4 % to 10.7 %." in text


def test_a_confirmation_without_an_interval_says_so(tmp_path):
    search = fitted_systems.search()
    search.confirmed_baseline_score_, search.confirmed_score_ = 0.8, 0.7
    search.confirmed_interval_ = (np.nan, np.nan)
    text = Page(write_html(search, tmp_path / "page.html").read_text(encoding="utf-8")).text
    assert "it goes from 0.800 to 0.700. This has no interval, as there was no time" in text
    assert "drop is –" not in text and "drop, –" not in text
    assert "; on rows not searched 0.800 → 0.700, without an interval" in search.summary()
    search.confirmed_score_ = np.nan
    assert "; not confirmed on other rows" in search.summary()


def test_errors_of_labels_are_in_no_column(tmp_path):
    X, y = fitted_systems.table()
    profiler = ErrorSensitivityProfiler(
        {"tree": DecisionTreeClassifier(max_depth=2)},
        corruptions=["labels"],
        levels=(0, 1),
        n_repeats=12,
        random_state=0,
    ).fit(X, y)
    assert profiler.profiles_["significant"].all()
    assert "wrong labels change the accuracy of `tree`" in profiler.summary()
    text = Page(write_html(profiler, tmp_path / "page.html").read_text(encoding="utf-8")).text
    assert 'First prevent wrong labels; "How to repeat it", below, says' in text
    assert "Keep rows clean" not in text and "labels in rows" not in text
    assert "tree, wrong labels: the mean accuracy as errors grow" in text


def test_what_is_certain_is_not_hedged_and_columns_have_bars_of_their_own(tmp_path, capsys):
    auditor = fitted_systems.auditor(verbose=1)
    assert auditor.results_["exact"].all()
    text = Page(write_html(auditor, tmp_path / "page.html").read_text(encoding="utf-8")).text
    assert "whatever they do" in text and "or hardly" not in text
    capsys.readouterr()
    assert len(auditor.attributions_)
    said = capsys.readouterr().err
    assert "Acting on a alone" in said and "Auditing" not in said


def test_one_column_is_not_columns(tmp_path):
    search = fitted_systems.search(max_conditions=1)
    text = Page(write_html(search, tmp_path / "page.html").read_text(encoding="utf-8")).text
    assert "Conditions on rows look at 1 column at most" in text


@pytest.mark.long
def test_one_split_has_no_spread(tmp_path):
    splits = [(np.arange(0, 80), np.arange(80, 120))]
    for cv, shown in ((splits, False), (2, True)):
        search = fitted_systems.search(cv=cv, confirm_size=None)
        text = Page(write_html(search, tmp_path / "page.html").read_text(encoding="utf-8")).text
        assert ("Standard deviation over the splits" in text) == shown


@pytest.mark.parametrize(
    ("pattern", "rows"),
    [(None, "the training rows"), ("a > 0", "the training rows that match a > 0")],
)
def test_levels_are_shares_of_the_rows_that_can_be_struck(tmp_path, pattern, rows):
    X = pd.DataFrame({"a": np.arange(-30, 30), "b": np.arange(60) % 7})
    y = (X["a"] > 3).astype(int)
    profiler = ErrorSensitivityProfiler(
        Centroids(),
        corruptions={"gone": CorruptNoise("a", pattern=pattern, scale=90.0)},
        levels=(0, 0.5),
        n_repeats=3,
        random_state=0,
    ).fit(X, y)
    page = Page(write_html(profiler, tmp_path / "page.html").read_text(encoding="utf-8")).text
    assert f"in 50 % of {rows} the accuracy of" in page
    limited = "of the training rows, of errors with a pattern of those that it matches, at random"
    assert (limited in page) == (pattern is not None)
    assert ("of the training rows, at random" in page) == (pattern is None)
