"""Tables of pages: what all rows share, and what is long, make room for the rest."""

import re

import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.ticker import Formatter, FuncFormatter

from skcorrupt.cli._output import write_image
from skcorrupt.report._content import Picture
from skcorrupt.report._html import rich
from skcorrupt.report._pictures import rendered
from skcorrupt.report._script import SCRIPT
from skcorrupt.report._tables import LONG, MOST_COLUMNS, Column, table
from skcorrupt.utils._notebook import _picture

REMARK = "a remark " * 18 + "of which nobody could read a word if it stood in a narrow column"


def texts_of(html):
    return [text for text in re.split(r"<[^>]+>", html.replace("<wbr>", "")) if text]


def wide(n_columns=MOST_COLUMNS + 1):
    frame = pd.DataFrame({f"c{k}": [k, k + 1, k + 2] for k in range(n_columns)}).astype(object)
    frame["c0"] = ["prep__scale", "prep__fill", "prep__code"]
    frame["c1"], frame["c2"], frame["c3"] = "race", None, [REMARK, None, REMARK]
    return frame, [Column(name, name.upper(), meaning=f"about {name}") for name in frame]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("-0.5 (-1 to +2)", "-0.5 (-1 to +2)"),
        ("`x >= -3` by -2", "<code>x &gt;= -3</code> by -2"),
        ("2026-11-24, kind-2, 1e-5, model -x", "2026-11-24, kind-2, 1e-5, model -x"),
    ],
)
def test_numbers_on_a_page_are_those_of_the_text(text, shown):
    assert rich(text) == shown


def test_numbers_in_pictures_are_those_of_the_text(tmp_path, capsys):
    seen = []

    def fixed(value, place):
        # what matplotlib's own formatters do with a number below zero
        seen.append(Formatter.fix_minus("-2"))
        return seen[-1]

    def draw(ax):
        ax.plot([-2, 0], [-1, 1])
        ax.xaxis.set_major_formatter(FuncFormatter(fixed))

    rendered([Picture("A caption.", "A line.", draw)])
    assert seen and set(seen) == {"-2"}
    seen.clear()
    assert _picture(draw, (3, 2), "A line.")
    assert seen and set(seen) == {"-2"}
    figure = Figure()
    draw(figure.subplots())
    seen.clear()
    write_image(figure, tmp_path / "figure.png")
    assert seen and set(seen) == {"-2"}


def test_a_column_of_numbers_below_zero_is_sorted_by_them():
    html = table(pd.DataFrame({"a": ["x"], "b": [-0.25]}), [Column("a", "A"), Column("b", "B")], "")
    assert "-0.25" in html
    # what the script takes for a number
    assert "([+-]?" in SCRIPT


def test_of_wide_tables_what_all_rows_share_is_told_once():
    html = table(*wide(), "What there is.")
    texts = texts_of(html)
    assert "The same in all rows: C1: race." in texts
    assert texts.count("race") == 0
    # what is nowhere is left out with its meaning
    assert "about c1" in texts
    assert not {"C2", "about c2"} & set(texts)
    assert html.index("The same in all rows") < html.index("<table")


def test_numbers_that_only_look_alike_are_not_told_once():
    frame, columns = wide()
    frame["loss"], frame["rest"] = [0.01661, 0.01663, 0.0166], 0.5
    shown = [*columns, Column("loss", "LOSS", "percent"), Column("rest", "REST", "percent")]
    texts = texts_of(table(frame, shown, "What there is."))
    assert "The same in all rows: C1: race; REST: 50.0 %." in texts
    assert texts.count("1.7\u00a0%") == 3


def test_of_wide_tables_long_texts_stand_below():
    assert len(REMARK) > LONG
    html = table(*wide(), "What there is.")
    texts = texts_of(html)
    assert texts.count("(1)") == 2
    assert f"(1) {REMARK}" in texts
    assert html.index("</table>") < html.index(REMARK)


@pytest.mark.parametrize("n_rows", [0, 1])
def test_one_row_shares_nothing(n_rows):
    frame, columns = wide()
    texts = texts_of(table(frame[:n_rows], columns, "What there is."))
    assert not any(text.startswith("The same") for text in texts)
    assert {"C1", "C2"} <= set(texts)


def test_narrow_tables_stay_as_they_are():
    frame, columns = wide(MOST_COLUMNS)
    texts = texts_of(table(frame, columns, "What there is."))
    assert texts.count("race") == 3
    assert texts.count(REMARK) == 2


def test_long_names_of_steps_may_be_broken_where_they_are_nested():
    html = table(*wide(), "What there is.")
    assert "prep__<wbr>scale" in html


def test_a_unit_stays_beside_its_number():
    columns = [Column("name", "Name"), Column(("low", "high"), "Interval", "percent")]
    html = table(pd.DataFrame({"name": ["one"], "low": [0.1], "high": [0.2]}), columns, "Shares.")
    assert "10.0\u00a0% to 20.0\u00a0%" in html


def test_scores_of_a_table_are_told_beside_each_other():
    columns = [Column("a", "A"), Column("b", "B", "score"), Column("c", "C", "signed")]
    small = str(table(pd.DataFrame({"a": ["x"], "b": [2e-9], "c": [-3e-10]}), columns, "T"))
    assert "2e-09" in small and "-3e-10" in small
    # what is rounding beside a score
    mixed = str(table(pd.DataFrame({"a": ["x"], "b": [0.9], "c": [1e-17]}), columns, "T"))
    assert "+0.000" in mixed and "1e-17" not in mixed
