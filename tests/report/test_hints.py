"""Pictures of a page say their rows and numbers where the mouse rests on them."""

import io
import re

import pytest
from matplotlib.figure import Figure

from skcorrupt.report import _hints
from skcorrupt.report._content import Picture
from skcorrupt.report._hints import hints_of
from skcorrupt.report._pictures import rendered
from skcorrupt.utils import in_percent


def drawn(draw):
    figure = Figure(figsize=(4, 3))
    draw(figure.subplots())
    figure.savefig(io.BytesIO(), format="png", dpi=144)
    return hints_of(figure)


def bars(ax):
    ax.barh([0, 1], [-0.25, 0.5], label="loss")
    ax.plot([0.125], [1], "o", label="<found>")
    ax.axvline(0)
    ax.set_yticks([0, 1], ["a & b", "c"])


def test_bars_and_points_say_their_row_number_and_series():
    said = [re.search('title="([^"]*)"', hint).group(1) for hint in drawn(bars)]
    assert sorted(said) == [
        "a &amp; b: -0.250 (loss)",
        "c: 0.125 (&lt;found&gt;)",
        "c: 0.500 (loss)",
    ]


def test_they_lie_where_the_marks_are():
    def two(ax):
        ax.plot([0, 1], [0, 1], "o")
        ax.set(yticks=[0, 1], yticklabels=["low", "high"], position=(0, 0, 1, 1))
        ax.set(xlim=(0, 2), ylim=(-1, 1))

    places = [[float(number) for number in re.findall(r":([-\d.]+)%", hint)] for hint in drawn(two)]
    middles = [(left + width / 2, top + height / 2) for left, top, width, height in places]
    assert middles == [pytest.approx((0, 50), abs=0.1), pytest.approx((50, 0), abs=0.1)]


@pytest.mark.parametrize("shares", [False, True])
def test_curves_over_numbers_have_none(shares):
    def curve(ax):
        ax.plot([0, 1], [0.1, 0.2], "o")
        if shares:
            in_percent(ax.yaxis)

    assert drawn(curve) == []


def test_shares_are_percentages_and_too_many_marks_are_left_alone(monkeypatch):
    def shared(ax):
        bars(ax)
        in_percent(ax.xaxis)

    assert any("c: 50.0 % (loss)" in hint for hint in drawn(shared))
    monkeypatch.setattr(_hints, "MOST_HINTS", 2)
    assert drawn(shared) == []


@pytest.mark.parametrize("hints", [True, False])
def test_a_picture_of_few_people_has_none(hints):
    [figure] = rendered([Picture("Caption", "text", bars, (4.0, 3.0), hints=hints)])
    assert ("<span title=" in figure) == hints and 'class="plot"' in figure
