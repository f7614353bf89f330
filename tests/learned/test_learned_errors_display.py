"""Learned errors as words and as pictures."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from skcorrupt import Pattern
from skcorrupt.learned import LearnedErrors, LearnedErrorsDisplay, learn_errors
from skcorrupt.learned._in_words import KINDS, error_in_words, kind_in_words, where_in_words
from skcorrupt.learned._learned_errors import report_frame

N = 600


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def learned():
    rng = np.random.default_rng(0)
    clean = pd.DataFrame(
        {
            "age": rng.integers(18, 80, N),
            "cost $x_{$": rng.normal(40, 9, N).round(2),
            "city": rng.choice(["Paris", "Rome", "Oslo"], N),
        }
    )
    dirty = clean.copy()
    dirty.loc[clean["age"] <= 30, "cost $x_{$"] *= 100
    dirty.loc[np.arange(N) % 6 == 0, "city"] = "n/a"
    return learn_errors(dirty, clean)


def test_cells_are_counted_by_column_and_kind(learned):
    display = LearnedErrorsDisplay.from_learned(learned).plot()
    counts = dict(zip(learned.report["column"], learned.report["n_cells"], strict=True))
    table = display.table_
    assert table.loc["cost $x_{$", "another unit"] == counts["cost $x_{$"]
    assert table.loc["city", "default value"] == counts["city"] == N // 6
    assert table.to_numpy().sum() == learned.report["n_cells"].sum()
    # the numbers stand in the picture, and no empty cell has one
    drawn = sorted(text.get_text() for text in display.ax_.texts)
    assert drawn == sorted(str(n) for n in counts.values())
    named = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert named == sorted(counts, key=counts.get, reverse=True)
    display.figure_.canvas.draw()
    # the fewest errors are no white on white, and the most are no black on black
    (image,) = display.ax_.images
    grey = image.cmap(image.norm(image.get_array()))[:, :, 0]
    some = table.to_numpy() > 0
    assert grey[~some].min() == 1.0
    assert 0.5 < grey[some].min() <= grey[some].max() < 0.9


def test_rates_have_their_intervals(learned):
    _, ax = plt.subplots()
    display = LearnedErrorsDisplay.from_learned(learned).plot("rates", ax)
    assert display.ax_ is ax and display.figure_ is ax.figure
    inside, outside, anywhere = ax.containers
    row = learned.report.set_index("column").loc["cost $x_{$"]
    for drawn, side in ((inside, "inside"), (outside, "outside")):
        assert drawn.lines[0].get_xdata() == [100 * row[f"rate_{side}"]]
        low, high = drawn.lines[2][0].get_segments()[0][:, 0]
        assert low == pytest.approx(100 * row[f"rate_{side}_low"])
        assert high == pytest.approx(100 * row[f"rate_{side}_high"])
    assert anywhere.lines[0].get_xdata() == pytest.approx([100 * N // 6 / N], rel=0.01)
    # three marks that grey paper tells apart
    markers = {drawn.lines[0].get_marker() for drawn in ax.containers}
    assert markers == {"o", "s", "D"}
    display.figure_.canvas.draw()


def test_only_what_has_most_errors_is_drawn(learned):
    row = learned.report.iloc[0].to_dict()
    many = [row | {"column": f"c{i}", "n_cells": i + 1} for i in range(25)]
    display = LearnedErrorsDisplay(report_frame(many))
    for kind in ("cells", "rates"):
        display.plot(kind)
        assert len(display.table_) == 20
        assert "the 20 of 25 with the most errors" in display.ax_.get_xlabel()
    assert display.table_["column"].tolist() == [f"c{i}" for i in range(24, 4, -1)]


def test_what_is_refused(learned):
    with pytest.raises(TypeError, match="learned is of type DataFrame; it should be LearnedErrors"):
        LearnedErrorsDisplay.from_learned(learned.report)
    display = LearnedErrorsDisplay.from_learned(learned)
    with pytest.raises(ValueError, match="kind='pie'"):
        display.plot("pie")
    with pytest.raises(TypeError, match="ax=3 should be matplotlib Axes"):
        display.plot("rates", 3)
    with pytest.raises(ValueError, match="There is nothing to draw"):
        LearnedErrorsDisplay(report_frame([])).plot()


def test_words_say_what_where_how_often_and_how_sure(learned):
    rows = learned.report.set_index("column", drop=False)
    said = " ".join(error_in_words(rows.loc["cost $x_{$"].to_dict()))
    for part in (
        "In `cost $x_{$`, values are multiplied by 100:",
        "Where `age` is at most 30 it happens in 100.0 %",
        "elsewhere in 0.0 %",
        "95 % interval",
        "the chance to find a place like this would be below 0.001",
    ):
        assert part in said
    said = " ".join(error_in_words(rows.loc["city"].to_dict()))
    assert "“n/a” stands in place of values: 100 cells, 16.7 %" in said
    assert "Nothing in the table explains in which rows" in said


def test_conditions_are_told_without_code():
    pattern = Pattern.parse("y == 0 and `a b` <= 3 and 2 < c < 5 and d in ['u', 'v']")
    assert where_in_words(pattern) == (
        "the label is 0 and `a b` is at most 3 and `c` is above 2 and below 5 and `d` is u or v"
    )
    many = Pattern({"d": [f"v{i}" for i in range(9)]})
    assert where_in_words(many) == "`d` is v0, v1, v2, v3, v4 or 4 others"
    six = Pattern({"d": [f"v{i}" for i in range(6)]})
    assert where_in_words(six) == "`d` is v0, v1, v2, v3, v4 or 1 other"


def test_what_is_typical_is_no_mean_of_squares():
    clean = pd.DataFrame(
        {"n": np.arange(200.0), "t": [f"{i % 9 + 1}:{i % 60:02} a.m." for i in range(200)]}
    )
    dirty = clean.copy()
    rows = np.arange(0, 200, 4)
    off = np.resize([1.25, -0.75, 1.5, 0.5, -1.75], len(rows))
    # what is far off, as where morning and evening are confused, is the exception
    dirty.loc[rows, "n"] += np.where(rows < 8, 5000.0, off)
    minutes = np.resize([1, 2, 3], len(rows))
    dirty.loc[rows, "t"] = [
        f"{i % 9 + 1}:{(i % 60 + m) % 60:02} {'p' if i < 8 else 'a'}.m."
        for i, m in zip(rows, minutes, strict=True)
    ]
    report = learn_errors(dirty, clean).report
    said = {row["column"]: kind_in_words(row) for row in report.to_dict("records")}
    assert said["n"] == "values are off by amounts that vary, typically 1.25"
    assert said["t"] == "values are off by amounts that vary, typically 2 minutes"


def test_a_rule_that_stands_for_others_is_not_told_of_all_cells():
    params = {"kind": "unit", "prefix": "", "suffix": " kg", "others": 2}
    told = kind_in_words({"kind": "type", "parameters": params})
    assert told == "numbers have “kg” beside them, or something alike"


def test_every_kind_can_be_told(learned):
    row = learned.report.iloc[0].to_dict()
    params = {
        "sentinel": {"value": -9},
        "scale": {"factor": 2, "offset": 1},
        "noise": {"form": "moved", "spread": 7200.0},
        "outliers": {"size": 3},
        "rounding": {"step": 5, "mode": "down"},
        "clip": {"lower": 0, "upper": 9},
        "text": {"kind": "added", "prefix": "a", "suffix": ""},
        "type": {"kind": "unit", "prefix": "", "suffix": " kg"},
        "dates": {"kind": "time_zone", "hours": -2.0},
        "exchange": {"column": "b"},
        "column": {"column": "b"},
        "stuck": {"group": "g", "order": "t"},
        "shift": {"offset": -2},
    }
    said = {
        kind: error_in_words(row | {"kind": kind, "parameters": params.get(kind, {})})[0]
        for kind in KINDS
    }
    assert len(set(said.values())) == len(KINDS)
    assert "2 hours too early" in said["dates"] and "typically 2 hours" in said["noise"]
    assert "rounded down to multiples of 5" in said["rounding"]
    assert "2 rows below" in said["shift"]
    assert "in the order of `t` within the same `g`" in said["stuck"]


def test_what_was_asked_for_is_kept(learned):
    again = LearnedErrors.from_dict(learned.to_dict())
    assert again.given == learned.given
    assert learned.given["columns"] == ["age", "cost $x_{$", "city"]
    # a file from before that was kept
    older = {key: value for key, value in learned.to_dict().items() if key != "given"}
    assert LearnedErrors.from_dict(older).given == {}
    with pytest.raises(ValueError, match="given=3 should be"):
        LearnedErrors.from_dict(learned.to_dict() | {"given": 3})
