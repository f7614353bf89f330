"""The summary of an ablator says what its tables hold."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

import fitted_systems
from skcorrupt import StageFairnessAblator
from skcorrupt.fairness._harms import stage_harms
from skcorrupt.fairness._in_words import harm_in_words, worst_by_pair
from skcorrupt.fairness._stage_names import stage_names
from skcorrupt.metrics import statistical_parity_difference
from skcorrupt.stats import corrected_interval


@pytest.fixture
def ablator():
    return fitted_systems.ablator()


def gap(ablator, place, with_stage, without, significant=True, half_of_sum=0.01):
    """Give one row other gaps, with half the interval of their sum."""
    effects, levels = ablator.stage_effects_, ablator.global_fairness_
    # over the same splits the variances of sum and difference are twice those of both gaps
    half = np.sqrt((half_of_sum**2 + 0.01**2) / 4)
    for side, value in (("with", with_stage), ("without", without)):
        ends = [f"{side}_stage", f"{side}_stage_low", f"{side}_stage_high"]
        levels.loc[place, ends] = value, value - half, value + half
    mean = with_stage - without
    effects.loc[place, ["mean", "ci_low", "ci_high"]] = mean, mean - 0.01, mean + 0.01
    effects.loc[place, ["p_value", "p_adjusted"]] = 0.001 if significant else 0.4
    effects.loc[place, "significant"] = significant


def test_the_worst_harm_comes_before_the_largest_effect(ablator):
    ablator.stage_effects_["significant"] = False
    first, second = ablator.stage_effects_.groupby("stage", sort=False).head(1).index
    stages = ablator.stage_effects_["stage"]
    gap(ablator, first, -0.1, -0.4)
    assert f"`{stages[first]}` narrows the gap" in ablator.summary()
    assert "-0.400 without it, -0.100 with the step, 0.300 less (0.290 to 0.310" in (
        ablator.summary()
    )
    gap(ablator, second, -0.2, -0.1)
    said = ablator.summary()
    assert said.startswith("Of 2 steps, 2 can be seen to change a gap")
    assert f"`{stages[second]}` widens the gap" in said and "narrows" not in said
    assert "-0.100 without it, -0.200 with the step, 0.100 more (0.090 to 0.110, more than" in said
    # what does good comes after it, with whom a gap that turns round is against then
    gap(ablator, first, 0.1, -0.4)
    said = ablator.summary()
    good = said.index(f"Smaller by more than noise are gaps with `{stages[first]}` (by `sex`")
    assert good > said.index("widens the gap")
    assert said.endswith("-0.400 without it, +0.100 with it, the other way round).")


def test_what_may_be_noise_and_what_replaces_a_step_is_said(ablator):
    ablator.stage_effects_["significant"] = False
    place = ablator.stage_effects_.index[0]
    gap(ablator, place, 0.5, -0.2, significant=False)
    ablator.stage_effects_.loc[place, "reference"] = "OrdinalEncoder"
    said = ablator.summary()
    assert said.startswith("Of 2 steps, none can be seen to change a gap")
    assert (
        "`scale` turns round the gap by `sex` (0 against 1) in the rate of favourable decisions "
        "(SPD): -0.200 with OrdinalEncoder in its place, +0.500 with the step, 0.700 apart (0.690 "
        "to 0.710, which may be noise)." in said
    )


def test_a_gap_that_is_none_is_not_turned_round(ablator):
    ablator.stage_effects_["significant"] = False
    place = ablator.stage_effects_.index[0]
    stage = ablator.stage_effects_["stage"][place]
    gap(ablator, place, 0.5, -0.0004)
    said = ablator.summary()
    assert f"`{stage}` widens the gap" in said and "turns round" not in said
    assert ": none without it, +0.500 with the step" in said
    harms = stage_harms(
        ablator.stage_effects_, ablator.global_fairness_, ablator.alpha, ablator.n_splits_
    )
    found = harms[(harms["with_stage"] == 0.5) & (harms["without_stage"] == -0.0004)].iloc[0]
    assert found["widens_low"] <= found["widens"] <= found["widens_high"]


def test_names_stay_on_one_line(ablator):
    for table in (ablator.stage_effects_, ablator.global_fairness_):
        table["sensitive"] = "two\nlines"
    said = ablator.summary()
    assert "\n" not in said and r"`two\nlines`" in said


def test_a_gap_that_turns_round_is_not_said_to_be_larger_by_the_test_of_its_effect(ablator):
    effects = ablator.stage_effects_
    effects["significant"] = False
    first, second = effects.groupby("stage", sort=False).head(1).index
    gap(ablator, second, -0.1, -0.1, significant=False)
    gap(ablator, first, 0.099, -0.096, half_of_sum=0.1)
    said = ablator.summary()
    assert said.startswith("Of 2 steps, 1 can be seen to change a gap between the groups by more")
    assert (
        "`scale` turns round the gap by `sex` (0 against 1) in the rate of favourable decisions "
        "(SPD): -0.096 without it, +0.099 with the step, 0.195 apart (0.185 to 0.205, more than "
        "noise). Which of the two is larger may be noise." in said
    )
    assert "widens" not in said and "more (" not in said
    # nor to be smaller, and what surely widens a gap comes before it
    gap(ablator, first, 0.096, -0.099, half_of_sum=0.1)
    gap(ablator, second, -0.2, -0.1)
    said = ablator.summary()
    assert "`select` widens the gap" in said and "Smaller" not in said and "narrows" not in said
    assert said.endswith(
        "Turned round by more than noise, though perhaps as large as before, are gaps with "
        "`scale` (by "
        "`sex`, 0 against 1, in favourable decisions (SPD): -0.099 without it, +0.096 with it)."
    )


@pytest.mark.parametrize(
    ("with_stage", "without", "said"),
    [
        (0.25, -0.01, "widens the gap|the other way round, 0.240 more (0.200 to 0.280, more than"),
        (0.01, -0.25, "narrows the gap|the other way round, 0.240 less (0.200 to 0.280, more than"),
        (-0.25, 0.01, "widens the gap|the other way round, 0.240 more (0.200 to 0.280, more than"),
    ],
)
def test_a_gap_that_turns_round_is_larger_where_its_size_is_tested(
    ablator, with_stage, without, said
):
    effects = ablator.stage_effects_
    effects["significant"] = False
    gap(ablator, effects.index[0], with_stage, without, half_of_sum=0.04)
    assert all(part in ablator.summary() for part in said.split("|"))
    # a single split has a bootstrap, of which no test of the size follows
    effects["n_splits"] = 1
    assert "turns round the gap" in ablator.summary() and "0.260 apart" in ablator.summary()


@pytest.mark.long
def test_sizes_of_gaps_are_tested_on_the_values_of_splits():
    rng = np.random.default_rng(0)
    sex, a, b, c = rng.integers(0, 2, 600), *rng.normal(size=(3, 600))
    X = pd.DataFrame({"sex": sex, "a": a * 2 + 1.2 * sex, "b": b, "c": c - sex})
    X["d"] = b + 0.3 * rng.normal(size=600)
    y = (a + b + 1.5 * c + 0.2 * sex + rng.normal(size=600) > 0).astype(int)
    splits = list(ShuffleSplit(8, test_size=0.3, random_state=0).split(X))
    whole = make_pipeline(StandardScaler(), PCA(2), LogisticRegression())
    gaps = []
    for train, test in splits:
        for model in (whole, make_pipeline(StandardScaler(), LogisticRegression())):
            decided = model.fit(X.iloc[train], y[train]).predict(X.iloc[test])
            groups = {"sensitive_features": sex[test], "privileged": 1, "pos_label": 1}
            gaps.append(statistical_parity_difference(y[test], decided, **groups))
    with_stage, without = np.reshape(gaps, (-1, 2)).T
    assert with_stage.mean() > 0 > without.mean()
    # what the test of the effect reaches at both levels, that of the size reaches at one
    effect, size = (
        corrected_interval(values, 180 / 420, alpha=0.1)
        for values in (with_stage - without, with_stage + without)
    )
    assert effect.p_value < 0.05 < size.p_value < 0.1
    said = {}
    for alpha in (0.05, 0.1):
        ablator = StageFairnessAblator(
            whole,
            sensitive_features="sex",
            privileged=1,
            pos_label=1,
            stages="pca",
            cv=splits,
            alpha=alpha,
        ).fit(X, y)
        # other gaps would be told before it
        for name in ("stage_effects_", "global_fairness_"):
            setattr(ablator, name, getattr(ablator, name).query("metric == 'spd'"))
        said[alpha] = ablator.summary()
    assert "turns round the gap" in said[0.05] and "more (" not in said[0.05]
    within = f"{size.ci_low:.3f} to {size.ci_high:.3f}"
    assert f"{size.mean:.3f} more ({within}, more than noise)" in said[0.1]


def simulated(gaps, noise, n=3000, n_splits=10, ratio=0.3 / 0.7):
    """Tables of ablations of one stage each, and whether the effect alone is significant.

    Splits share rows, so that values of two of them correlate by as much as the test part has of
    all rows. `noise` is what moves both gaps together, and what moves them apart.
    """
    rng = np.random.default_rng(0)
    sd = np.array(noise)[:, np.newaxis, np.newaxis]
    of_data, of_splits = rng.normal(size=(2, 1, n)), rng.normal(size=(2, n_splits, n))
    together, apart = sd * (np.sqrt(0.3) * of_data + np.sqrt(0.7) * of_splits)
    with_stage, without = gaps[0] + together + apart / 2, gaps[1] + together - apart / 2
    effect, whole, other = (
        corrected_interval(values, ratio) for values in (with_stage - without, with_stage, without)
    )
    keys = {"stage": "s", "sensitive": np.arange(n), "group": "0 / 1", "metric": "spd"}
    p = effect.p_value
    effects = pd.DataFrame(
        {
            **keys, "mean": effect.mean, "ci_low": effect.ci_low, "ci_high": effect.ci_high,
            "p_value": p, "p_adjusted": p, "significant": p <= 0.05, "n_splits": n_splits,
            "status": "ok",
        }
    )  # fmt: skip
    levels = pd.DataFrame(
        {
            **keys, "with_stage": whole.mean, "with_stage_low": whole.ci_low,
            "with_stage_high": whole.ci_high, "without_stage": other.mean,
            "without_stage_low": other.ci_low, "without_stage_high": other.ci_high,
        }
    )  # fmt: skip
    return stage_harms(effects, levels, 0.05, n_splits)


def test_gaps_of_one_size_and_opposite_signs_are_rarely_said_to_differ():
    """Noise that both share moves most of them to one side of 0, where the effect is as sure."""
    harms = simulated((0.02, -0.02), (0.1, 0.005))
    same = ~harms["turns"]
    assert same.mean() > 0.6 and harms["significant"].all()
    assert harms["sure"].mean() < 0.06
    # an interval that holds 0 is that of a size which may be noise
    holds = (harms["widens_low"] <= 0) & (harms["widens_high"] >= 0)
    assert (holds == ~harms["sure"])[same].all()


def test_gaps_far_from_0_are_told_apart_as_surely_as_their_effect():
    """The sum of both is then far from 0 wherever the difference is."""
    harms = simulated((0.32, 0.3), (0.03, 0.015))
    assert 0.5 < harms["significant"].mean() < 0.95
    assert (harms["sure"] == harms["significant"]).all()
    assert harms["widens_low"].equals(harms["ci_low"])


@pytest.mark.many
@pytest.mark.parametrize(
    "gaps", [(0.32, 0.3), (0.02, -0.02), (0.03, 0.0), (0.0, 0.0), (0.05, -0.03), (-0.03, 0.05)]
)
@pytest.mark.parametrize("noise", [(0.1, 0.005), (0.03, 0.03), (0.005, 0.03), (0.1, 0.0)])
def test_intervals_of_sizes_hold_them_and_are_no_wider_than_the_effect_allows(gaps, noise):
    harms = simulated(gaps, noise)
    size = abs(gaps[0]) - abs(gaps[1])
    # sums of floats differ by as much where there is no noise
    holds = (harms["widens_low"] <= size + 1e-12) & (harms["widens_high"] >= size - 1e-12)
    assert holds.mean() > 0.94
    alike = harms[~harms["turns"]]
    furthest = alike[["ci_low", "ci_high"]].abs().max(axis=1)
    assert (alike[["widens_low", "widens_high"]].abs().max(axis=1) <= furthest).all()


def test_a_change_that_is_sure_says_nothing_of_sizes(ablator):
    effects = ablator.stage_effects_
    effects["significant"] = False
    gap(ablator, effects.index[0], 0.06, 0.02, half_of_sum=0.2)
    said = ablator.summary()
    assert (
        "0.040 more (-0.050 to 0.050, which may be noise). The gap moves by more than noise" in said
    )
    # with a single split the sum is as uncertain as both parts at most
    effects["n_splits"] = 1
    assert "that it is larger with the step may be noise." in ablator.summary()
    gap(ablator, effects.index[0], 0.4, 0.3, half_of_sum=0.2)
    assert "0.100 more (0.090 to 0.110, more than noise)." in ablator.summary()


def test_what_narrows_a_gap_by_its_own_interval_alone_is_told_too(ablator):
    effects = ablator.stage_effects_
    effects["significant"] = False
    for place in effects.index:
        gap(ablator, place, -0.1, -0.1, significant=False)
    first, second = effects.groupby("stage", sort=False).head(1).index
    gap(ablator, first, 0.15, 0.1, significant=False)
    gap(ablator, second, 0.037, -0.149, significant=False)
    said = ablator.summary()
    assert "0.050 more (0.040 to 0.060, which may be noise). Smaller, though among so many" in said
    assert f"`{effects['stage'][second]}` (by `sex`" in said
    assert said.endswith("-0.149 without it, +0.037 with it, the other way round).")
    # an interval that holds 0 is nothing to tell of
    effects.loc[second, "ci_low"] = -0.01
    assert "Smaller" not in ablator.summary()


def test_every_pair_of_groups_is_told_of(ablator):
    for name in ("stage_effects_", "global_fairness_"):
        table = getattr(ablator, name)
        more = [table.assign(sensitive=f"attribute {k}") for k in range(4)]
        setattr(ablator, name, pd.concat([table, *more], ignore_index=True))
    said = ablator.summary()
    assert said.count("the gap by `") == 3
    assert said.endswith("There are 2 more pairs of groups.")


def test_where_no_stage_can_be_left_out_it_says_so(ablator):
    ablator.stage_effects_ = ablator.stage_effects_.assign(status="not_ablatable")
    assert ablator.summary().startswith("None of 2 steps could be left out")


def test_it_has_to_be_fitted(ablator):
    with pytest.raises(NotFittedError):
        clone(ablator).summary()


def test_a_step_that_changes_nothing_is_not_said_to_narrow_a_gap(ablator):
    ablator.stage_effects_["significant"] = False
    for place in ablator.stage_effects_.index:
        gap(ablator, place, -0.183, -0.183, significant=False)
    said = ablator.summary()
    assert (
        "leaves the gap by `sex` (0 against 1)" in said and "as it is without it: -0.183." in said
    )
    assert "narrows" not in said and "0.000" not in said


def test_parts_of_a_path_that_nobody_named_are_not_told(ablator):
    effects, levels = ablator.stage_effects_, ablator.global_fairness_
    paths = effects["stage"].unique()
    made = dict(zip(paths, ("pipeline__scale", "columntransformer__pipeline-1__fill"), strict=True))
    for table in (effects, levels):
        table["stage"] = table["stage"].map(made)
    assert "__" not in ablator.summary()
    # two of one name keep what tells them apart
    twice = {path: path for path in ("pipeline-1__scale", "pipeline-2__scale")}
    assert stage_names(["prep__fill", *twice]) == {"prep__fill": "prep__fill", **twice}


def test_stages_go_by_the_names_that_are_printed():
    inner = make_pipeline(StandardScaler(), SelectKBest(k=1))
    pipeline = make_pipeline(inner, LogisticRegression())
    X, y = fitted_systems.table(200, ("a", "b", "sex"))
    settings = {"privileged": 1.0, "pos_label": 1, "cv": 3, "random_state": 0}
    ablator = StageFairnessAblator(
        pipeline,
        sensitive_features="sex",
        stages=["standardscaler", "pipeline__selectkbest"],
        references={"standardscaler": MinMaxScaler()},
        **settings,
    ).fit(X, y)
    assert list(ablator.stage_effects_["stage"].unique()) == [
        "pipeline__standardscaler",
        "pipeline__selectkbest",
    ]
    assert "`standardscaler`" in ablator.summary() or "`selectkbest`" in ablator.summary()
    assert "MinMaxScaler" in set(ablator.stage_effects_["reference"])
    with pytest.raises(ValueError, match="stages: 'scaler' is not a stage of the pipeline"):
        clone(ablator).set_params(stages=["scaler"]).fit(X, y)


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize(("size", "does"), [(0.9, "narrows"), (1.0 - 1e-5, "leaves")])
def test_what_a_step_does_is_the_same_in_any_unit(unit, size, does):
    keys = {"stage": "s", "sensitive": "g", "group": "0 / 1", "metric": "mean_error"}
    by = size - 1.0
    effects = pd.DataFrame(
        {
            **keys, "reference": "", "mean": by * unit, "ci_low": 1.1 * by * unit,
            "ci_high": 0.9 * by * unit, "p_value": 0.001, "p_adjusted": 0.001,
            "significant": True, "n_splits": 10, "status": "ok",
        },
        index=[0],
    )  # fmt: skip
    levels = pd.DataFrame(
        {
            **keys, "with_stage": size * unit, "with_stage_low": (size - 0.1) * unit,
            "with_stage_high": (size + 0.1) * unit, "without_stage": unit,
            "without_stage_low": 0.9 * unit, "without_stage_high": 1.1 * unit,
        },
        index=[0],
    )  # fmt: skip
    said = harm_in_words(stage_harms(effects, levels, 0.05, 10).to_dict("records")[0])
    assert said.startswith(f"`s` {does} the gap") and "0.000" not in said


def test_changes_that_are_more_than_noise_come_before_larger_ones_that_may_be_noise():
    rows = [
        ("race", "b / a", 0.2, False),
        ("sex", "F / M", 0.04, True),
        ("sex", "F / M", 0.1, False),
    ]
    names = ["sensitive", "group", "widens", "significant"]
    harms = pd.DataFrame(rows, columns=names).assign(
        mean=0.1, sure=False, turned=False, harmful=False, known=""
    )
    found = worst_by_pair(harms)
    assert [(row["sensitive"], row["widens"]) for row in found] == [("sex", 0.04), ("race", 0.2)]
