"""What a comparison draws: the numbers of its tables, with names and intervals."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from skcorrupt.robustness import RobustnessComparisonDisplay

NAMES = ["linear", "tree", "bare"]


def results():
    """Two pipelines under two budgets, confirmed, and one that failed."""
    rows = []
    for name, clean, worst in (("linear", 0.9, (0.8, 0.7)), ("tree", 0.85, (0.7, 0.4))):
        for budget, score in zip((0.1, 0.2), worst, strict=True):
            row = {"estimator": name, "corruption": "missing", "budget": budget, "status": "ok"}
            for column, value in (
                ("clean", clean),
                ("worst", score + 0.02),
                ("confirmed_clean", clean - 0.01),
                ("confirmed", score),
            ):
                row |= {column: value, f"{column}_low": value - 0.1, f"{column}_high": value + 0.05}
            rows.append(row)
    bare = {"estimator": "bare", "corruption": "missing", "status": "failed"}
    rows += [{**bare, "budget": b} for b in (0.1, 0.2)]
    return pd.DataFrame(rows)


def transfer():
    """What was found for two of them, on all three."""
    rows = [
        (one, other, "missing", budget, (i + j) / 10 * budget if other != "bare" else np.nan)
        for budget in (0.1, 0.2)
        for i, one in enumerate(NAMES[:2])
        for j, other in enumerate(NAMES)
    ]
    frame = pd.DataFrame(rows, columns=["found_for", "scored_on", "corruption", "budget", "drop"])
    return frame.assign(status=np.where(frame["drop"].isna(), "failed", "ok"))


@pytest.fixture
def display():
    yield RobustnessComparisonDisplay(results(), transfer(), metric="AUC")
    plt.close("all")


def test_curves_are_the_confirmed_scores_with_intervals(display):
    made = display.plot()
    assert made is display and display.figure_ is display.ax_.figure
    table = display.table_
    tree = table[table["estimator"] == "tree"]
    assert tree["budget"].tolist() == [0, 0.1, 0.2]
    assert tree["score"].tolist() == [0.84, 0.7, 0.4]
    assert tree["low"].tolist() == pytest.approx([0.74, 0.6, 0.3])
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["linear", "tree", "bare (failed)"]
    assert display.ax_.get_ylabel() == "AUC, on rows not searched"
    ticks = [tick.get_text() for tick in display.ax_.get_xticklabels()]
    assert ticks == ["clean", "10 %", "20 %"]


def test_without_confirmation_the_splits_are_drawn():
    frame = results()
    frame[[c for c in frame if c.startswith("confirmed")]] = np.nan
    display = RobustnessComparisonDisplay(frame, transfer()).plot()
    assert display.table_["score"].tolist()[:3] == pytest.approx([0.9, 0.82, 0.72])
    assert display.ax_.get_ylabel() == "score"
    plt.close("all")


def test_curves_are_told_apart_without_colour(display):
    display.plot()
    lines = [container.lines[0] for container in display.ax_.containers]
    assert len({line.get_marker() for line in lines}) == 3
    assert len({line.get_linestyle() for line in lines}) == 3


def test_transfer_is_a_matrix_by_name(display):
    display.plot("transfer")
    assert display.table_.index.tolist() == NAMES[:2]
    assert display.table_.columns.tolist() == NAMES
    assert display.table_.loc["tree", "tree"] == pytest.approx(0.04)
    shown = {text.get_text() for text in display.ax_.texts}
    assert {"failed", "0.040"} <= shown
    display.plot("transfer", budget=0.1)
    assert display.table_.loc["tree", "tree"] == pytest.approx(0.02)


def test_what_was_interrupted_is_drawn_as_that():
    frame, moved = results(), transfer()
    bare, tree = frame["estimator"] == "bare", frame["estimator"] == "tree"
    frame.loc[bare, "status"] = moved.loc[moved["scored_on"] == "bare", "status"] = "not searched"
    frame.loc[tree, [c for c in frame if c.startswith("confirmed")]] = np.nan
    display = RobustnessComparisonDisplay(frame, moved).plot()
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["linear", "tree (not confirmed)", "bare (not searched)"]
    assert "not searched" in {text.get_text() for text in display.plot("transfer").ax_.texts}
    plt.close("all")


def test_axes_of_the_user_are_drawn_on(display):
    _, ax = plt.subplots()
    assert display.plot("transfer", ax=ax).ax_ is ax


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"kind": "bars"}, "kind='bars' should be one of"),
        ({"corruption": "labels"}, "corruption='labels' should be one of"),
        ({"kind": "transfer", "budget": 0.3}, "budget=0.3 should be one of"),
    ],
)
def test_what_is_not_there_is_refused(display, args, message):
    with pytest.raises(ValueError, match=message):
        display.plot(**args)


def test_nothing_scored_is_said():
    frame = results().query("estimator == 'bare'")
    with pytest.raises(ValueError, match="has no score"):
        RobustnessComparisonDisplay(frame, transfer()).plot()
    with pytest.raises(ValueError, match="Nothing was scored"):
        RobustnessComparisonDisplay(frame, transfer().head(0)).plot("transfer")
    with pytest.raises(TypeError, match="what compare_robustness returns"):
        RobustnessComparisonDisplay.from_comparison(frame)


def test_who_looks_steady_as_the_error_found_did_nothing_is_marked():
    table = results()
    spared = (table["estimator"] == "tree") & (table["budget"] == 0.1)
    table.loc[spared, "confirmed"] = table.loc[spared, "confirmed_clean"]
    # which harms nothing where it was searched, either
    same = (table["estimator"] == "linear") & (table["budget"] == 0.1)
    table.loc[same, ["worst", "confirmed"]] = table.loc[same, ["clean", "confirmed_clean"]].values
    display = RobustnessComparisonDisplay(table, transfer(), metric="AUC").plot()
    drawn = display.table_
    assert drawn.loc[drawn["spared"], ["estimator", "budget"]].values.tolist() == [["tree", 0.1]]
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts[:2] == ["linear", "tree (hollow: no effect)"]
    hollow = [line for line in display.ax_.lines if line.get_markerfacecolor() == "white"]
    assert [len(line.get_xdata()) for line in hollow if len(line.get_xdata())] == [1]
    plt.close("all")
