"""The pictures show the numbers of the ablation."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

from skcorrupt import StageFairnessAblator
from skcorrupt.fairness import StageFairnessDisplay


@pytest.fixture(scope="module")
def ablator():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 4, size=(300, 3)), columns=["a", "b", "sex"])
    X["old"] = rng.integers(0, 2, 300)
    y = (X["a"] + X["sex"] > 3).astype(int)
    steps = [("code", OrdinalEncoder()), ("scale", StandardScaler())]
    return StageFairnessAblator(
        Pipeline([*steps, ("model", LogisticRegression())]),
        sensitive_features=["sex", "old"],
        privileged={"sex": [2, 3], "old": 1},
        pos_label=1,
        cv=3,
        random_state=0,
    ).fit(X, y)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def first_group(table):
    return table[table["group"] == table["group"].iloc[0]]


def bars_of(ax):
    return [part for part in ax.containers if hasattr(part, "patches")]


def test_effects(ablator):
    display = StageFairnessDisplay.from_ablator(ablator).plot()
    assert display.figure_ is display.ax_.figure
    bars = bars_of(display.ax_)
    effects = first_group(ablator.stage_effects_)
    # what they are in, not their codes alone
    assert [c.get_label().replace("\n", " ") for c in bars] == [
        "favourable decisions (SPD)",
        "favourable decisions, of those favourable in truth (EOD)",
        "favourable decisions, mean by truth (AOD)",
        "wrong decisions (ERD)",
    ]
    for part, metric in zip(bars, ["spd", "eod", "aod", "erd"], strict=True):
        rows = effects[effects["metric"] == metric]
        np.testing.assert_allclose([bar.get_width() for bar in part], rows["mean"])
        faint = [bar.get_alpha() < 1 for bar in part]
        assert faint == (~rows["significant"]).tolist()
        edged = [bar.get_edgecolor()[3] > 0 for bar in part]
        assert edged == rows["significant"].tolist()
        arms = part.errorbar.lines[2][0].get_segments()
        ends = [(segment[0][0], segment[1][0]) for segment in arms]
        np.testing.assert_allclose(ends, rows[["ci_low", "ci_high"]])
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert names == ["code\ninstead of OneHotEncoder", "scale"]


def test_one_metric_on_given_axes(ablator):
    _, ax = plt.subplots()
    group = ablator.stage_effects_["group"].unique()[1]
    display = StageFairnessDisplay.from_ablator(ablator)
    assert display.plot(ax=ax, metric="eod", group=group).ax_ is ax
    assert len(ax.patches) == 2 and ax.get_title() == f"old: {group}"


def test_a_kind_comes_before_axes(ablator):
    _, ax = plt.subplots()
    display = StageFairnessDisplay.from_ablator(ablator)
    assert display.plot("global", ax).ax_ is ax and display.figure_ is ax.figure
    assert display.plot(ax=None).ax_ is not ax
    with pytest.raises(ValueError, match=r"kind=.* should be one of"):
        display.plot(ax)
    with pytest.raises(TypeError, match="ax='effects' should be matplotlib Axes"):
        display.plot("effects", "effects")


def test_performance(ablator):
    display = StageFairnessDisplay.from_ablator(ablator).plot("performance", score="f1")
    points = display.ax_.containers
    x, y = np.concatenate([part.lines[0].get_data() for part in points], axis=1)
    scores = ablator.performance_effects_.query("metric == 'f1'")
    effects = first_group(ablator.stage_effects_).query("metric == 'spd'")
    np.testing.assert_allclose(x, scores["mean"])
    np.testing.assert_allclose(y, effects["mean"])
    legend = display.ax_.get_legend()
    assert [text.get_text() for text in legend.get_texts()] == [
        "code\ninstead of OneHotEncoder",
        "scale",
    ]
    assert display.ax_.get_xlabel() == "what the step adds to the F1"
    assert "favourable decisions (SPD)" in display.ax_.get_ylabel().replace("\n", " ")
    # beside the axes, where it hides no point
    display.figure_.canvas.draw()
    assert legend.get_window_extent().x0 >= display.ax_.get_window_extent().x1
    looks = [(p.lines[0].get_color(), p.lines[0].get_marker()) for p in points]
    assert len(set(looks)) == 2


def test_global(ablator):
    ax = StageFairnessDisplay.from_ablator(ablator).plot("global", metric="aod").ax_
    levels = first_group(ablator.global_fairness_).query("metric == 'aod'")
    widths = [bar.get_width() for bar in bars_of(ax)[0]]
    np.testing.assert_allclose(widths, levels["without_stage"])
    whole = {line.get_label(): line.get_xdata()[0] for line in ax.get_lines()}["whole pipeline"]
    assert whole == pytest.approx(levels["with_stage"].iloc[0])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "pie"}, "kind='pie' should be one of"),
        ({"metric": "auc"}, "metric='auc' should be one of"),
        ({"kind": "performance", "score": "auc"}, "score='auc' should be one of"),
        ({"group": "x"}, "group='x' should be one of"),
        ({"sensitive": "race"}, r"sensitive='race' should be one of \['sex', 'old'\]"),
        ({"sensitive": "old", "group": "all others / 2, 3"}, "group='all others / 2, 3' should"),
    ],
)
def test_wrong_arguments_are_named(ablator, settings, message):
    with pytest.raises(ValueError, match=message):
        StageFairnessDisplay.from_ablator(ablator).plot(**settings)


@pytest.mark.parametrize("kind", ["effects", "performance", "global"])
def test_attributes_whose_groups_have_one_name_are_told_apart(kind):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 2, size=(300, 2)), columns=["sex", "old"])
    X["a"] = rng.normal(size=300) + X["sex"]
    steps = [("scale", StandardScaler()), ("best", SelectKBest(k=1))]
    y = (X["a"] > 0.5).astype(int)
    ablator = StageFairnessAblator(
        Pipeline([*steps, ("model", LogisticRegression())]),
        sensitive_features=["sex", "old"],
        privileged={"sex": 1, "old": 1},
        pos_label=1,
        cv=3,
        random_state=0,
    ).fit(X, y)
    assert ablator.stage_effects_["group"].nunique() == 1
    display = StageFairnessDisplay.from_ablator(ablator)
    for asked, sensitive in ((None, "sex"), ("sex", "sex"), ("old", "old")):
        ax = display.plot(kind, metric="spd", sensitive=asked).ax_
        assert ax.get_title() == f"{sensitive}: 0 / 1"
        levels = ablator.global_fairness_.query("sensitive == @sensitive and metric == 'spd'")
        effects = ablator.stage_effects_.query("sensitive == @sensitive and metric == 'spd'")
        if kind == "performance":
            drawn = [part.lines[0].get_ydata()[0] for part in ax.containers]
        else:
            drawn = [bar.get_width() for bar in bars_of(ax)[0]]
        expected = levels["without_stage"] if kind == "global" else effects["mean"]
        np.testing.assert_allclose(drawn, expected)


def test_an_ablator_that_is_not_fitted_is_refused(ablator):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        StageFairnessDisplay.from_ablator(clone(ablator))


def test_nothing_to_show(ablator):
    display = StageFairnessDisplay(
        ablator.stage_effects_.assign(status="not_ablatable"),
        global_fairness=ablator.global_fairness_,
        performance=ablator.performance_effects_,
    )
    with pytest.raises(ValueError, match="No stage could be ablated"):
        display.plot()


def test_tables_hold_what_is_drawn(ablator):
    display = StageFairnessDisplay.from_ablator(ablator)
    table = display.plot("effects", group="0 / 1").table_
    widths = [bar.get_width() for bar in display.ax_.patches]
    np.testing.assert_allclose(sorted(table["mean"]), sorted(widths))
    assert set(table["sensitive"]) == {"old"}
    table = display.plot("global", metric="eod").table_
    widths = [bar.get_width() for bar in display.ax_.patches[: len(table)]]
    assert table["without_stage"].tolist() == pytest.approx(widths)
    table = display.plot("performance", metric="spd", score="accuracy").table_
    across = table[table["metric"] == "accuracy"].set_index("stage")["mean"]
    up = table[table["metric"] == "spd"].set_index("stage")["mean"]
    for (stage, mean), part in zip(across.items(), display.ax_.containers, strict=True):
        assert part.lines[0].get_xydata()[0] == pytest.approx((mean, up[stage]))
