"""The summary of an ablator says what its tables hold."""

import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import fitted_systems


@pytest.fixture
def ablator():
    return fitted_systems.ablator()


def test_the_largest_effect_and_the_gap_around_it(ablator):
    ablator.stage_effects_ = ablator.stage_effects_.assign(significant=False)
    effects, levels = ablator.stage_effects_, ablator.global_fairness_
    place = effects["mean"].abs().idxmax()
    largest, level = effects.loc[place], levels.loc[place]
    said = ablator.summary()
    assert said.startswith("Of 2 steps, none can be seen to change a gap")
    assert f"`{largest['stage']}` adds {largest['mean']:+.3f} (" in said
    assert "which may be noise" in said
    with_stage, without = level["with_stage"], level["without_stage"]
    assert f"with the step the gap is {with_stage:+.3f}, without it {without:+.3f}" in said
    assert said.endswith("larger." if abs(with_stage) > abs(without) else "smaller.")


def test_what_is_more_than_noise_comes_before_what_is_larger(ablator):
    effects = ablator.stage_effects_
    smallest = effects["mean"].abs().idxmin()
    effects["significant"] = effects.index == smallest
    stage = effects.loc[smallest, "stage"]
    assert f"more than noise: `{stage}`. The largest effect: `{stage}` adds" in ablator.summary()


def test_where_no_stage_can_be_left_out_it_says_so(ablator):
    ablator.stage_effects_ = ablator.stage_effects_.assign(status="not_ablatable")
    assert ablator.summary().startswith("None of 2 steps could be left out")


def test_it_has_to_be_fitted(ablator):
    with pytest.raises(NotFittedError):
        clone(ablator).summary()
