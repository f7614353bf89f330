"""Tables for readers: words in place of names, units, and what each column means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from skcorrupt.utils._as_text import NOTHING, SCORES, cell, column_texts, interval, largest

from ._html import Html, join, paragraph, rich, tag

MOST_ROWS = 50
# columns that a page has room for; of more, those that say the same in every row go above the table
MOST_COLUMNS = 8
# letters of a text that goes below a table, so that its row stays as low as the others
LONG = 150
# letters of a text that needs room to be read
WORDY = 30
# what the rate of an error is a share of
OF_WHICH = "Of rows of the condition that the error can change, such as those with a value."
_UNIT = re.compile(r"(?<=\d) (?=%)")
_LINK = re.compile(r"_+(?=\w)(?![^<]*>)")


@dataclass(frozen=True)
class Column:
    """How a column of a frame is shown.

    Attributes
    ----------
    name : str or (str, str)
        Its name in the frame; two are the ends of an interval.
    label : str
        Its heading.
    kind : str
        A key of `FORMATS`.
    meaning : str
        A short explanation, "" where the heading says it all.
    """

    name: str | tuple[str, str]
    label: str
    kind: str = "plain"
    meaning: str = ""

    def is_in(self, frame: pd.DataFrame) -> bool:
        """Whether the frame has it."""
        names = [self.name] if isinstance(self.name, str) else self.name
        return all(name in frame for name in names)

    def texts(self, frame: pd.DataFrame, units: Sequence[float]) -> list[str]:
        """Its values as readers are told them, scores beside others of a size in each row."""
        if not isinstance(self.name, str):
            ends = (frame[name].tolist() for name in self.name)
            rows = zip(*ends, units, strict=True)
            return [interval(low, high, self.kind, unit) for low, high, unit in rows]
        values = frame[self.name].tolist()
        if self.kind not in SCORES:
            return column_texts(values, self.kind)
        return [cell(value, self.kind, unit) for value, unit in zip(values, units, strict=True)]


# what sums of floats differ by
TINY = 1e-9


def called(columns: Sequence[Column], metric: str) -> list[Column]:
    """Columns with the name of the metric where they speak of the score.

    Parameters
    ----------
    columns : sequence of Column
        With "{score}" or "{Score}" in headings and meanings.
    metric : str
        What the score is called.

    Returns
    -------
    list of Column
        The same, with the name in its place.
    """
    names = {"score": metric, "Score": capital(metric)}
    return [
        replace(each, label=each.label.format(**names), meaning=each.meaning.format(**names))
        for each in columns
    ]


def capital(metric: str) -> str:
    """A metric's name at the beginning of a sentence, the rest of it as it is."""
    return metric[:1].upper() + metric[1:]


def table(
    frame: pd.DataFrame,
    columns: Sequence[Column],
    caption: str,
    *,
    most: int = MOST_ROWS,
    order: str = "",
) -> Html:
    """A frame as a table, its first column the heading of each row.

    Parameters
    ----------
    frame : DataFrame
        The values.
    columns : sequence of Column
        What is shown of it; those that it lacks are left out.
    caption : str
        What it is.
    most : int, default=50
        Rows that are shown; a note says how many are left out.
    order : str, default=""
        What the rows that are shown are, such as "the largest losses".

    Returns
    -------
    Html
        The table, with the meaning of its columns.
    """
    columns = [column for column in columns if column.is_in(frame)]
    texts = {c: c.texts(frame[:most], _units(c, frame, columns)[:most]) for c in columns}
    same, notes = [], []
    if len(columns) > MOST_COLUMNS:
        same = [c for c in columns[1:] if len(texts[c]) > 1 and _is_same(c, frame[:most], texts[c])]
        columns = [column for column in columns if column not in same]
        notes = _put_below(texts, columns[1:])
    sides = [_side(column, frame) for column in columns]
    heads = zip(columns, sides, strict=True)
    head = tag(
        "tr",
        *(
            tag("th", c.label, scope="col", class_=side, title=c.meaning.replace("`", "") or None)
            for c, side in heads
        ),
    )
    rows = []
    for row in zip(*(texts[column] for column in columns), strict=True):
        cells = [
            tag("td", breakable(rich(text)), class_=side or ("long" if len(text) > WORDY else None))
            for text, side in zip(row[1:], sides[1:], strict=True)
        ]
        # steps of nested pipelines have long names
        name = breakable(rich(row[0]))
        rows.append(tag("tr", tag("th", name, scope="row", class_=sides[0]), *cells))
    shown = tag(
        "table",
        # which stays in sight where the table is scrolled
        tag("caption", tag("span", rich(caption))),
        tag("thead", head),
        tag("tbody", *rows),
        class_="sortable",
    )
    parts = []
    told = [f"{c.label}: {texts[c][0]}" for c in same if texts[c][0] != NOTHING]
    if told:
        parts.append(paragraph(f"The same in all rows: {'; '.join(told)}.", class_="note"))
    parts.append(tag("div", shown, class_="wide", tabindex="0", role="region", aria_label=caption))
    parts += [paragraph(note, class_="note") for note in notes]
    if len(frame) > most:
        which = f", {order}" if order else ""
        parts.append(
            paragraph(
                f"Shown are {most:,} of {len(frame):,} rows{which}; {len(frame) - most:,} rows are "
                "left out.",
                class_="note",
            )
        )
    elif frame.empty:
        parts.append(paragraph("The table has no rows.", class_="note"))
    meanings = [
        join([tag("dt", c.label), tag("dd", rich(c.meaning))])
        for c in texts
        if c.meaning and (c not in same or texts[c][0] != NOTHING)
    ]
    if meanings:
        parts.append(tag("dl", *meanings))
    return join(parts)


def _units(column: Column, frame: pd.DataFrame, columns: Sequence[Column]) -> list[float]:
    """The unit of the scores of each row: its own, or that of all scores of the table."""
    if "unit" in frame:
        return [float(unit) for unit in frame["unit"]]
    # what has a sign may be a change of scores, or a number of another unit
    beside = [c for c in columns if c.kind in {column.kind, "score"} & {*SCORES}]
    names = [[c.name] if isinstance(c.name, str) else list(c.name) for c in beside]
    numbers = frame[[name for each in names for name in each]].select_dtypes("number")
    return [largest(numbers)] * len(frame)


def _is_same(column: Column, frame: pd.DataFrame, texts: list[str]) -> bool:
    """Whether all rows have one value; numbers that differ are not the same once rounded."""
    names = [column.name] if isinstance(column.name, str) else column.name
    numbers = [name for name in names if pd.api.types.is_float_dtype(frame[name])]
    differ = any(
        frame[name].max() - frame[name].min() > TINY * min(largest(frame[name]), 1.0)
        for name in numbers
    )
    return len(set(texts)) == 1 and not differ


def breakable(text: Html) -> Html:
    """A text whose names can be broken at underscores, not within words or before a unit."""
    return Html(_LINK.sub(lambda found: f"{found[0]}<wbr>", _UNIT.sub("\u00a0", text)))


def _put_below(texts: dict[Column, list[str]], columns: Sequence[Column]) -> list[str]:
    """Replace long texts by marks, and give what these stand for."""
    marks: dict[str, str] = {}
    for column in columns:
        texts[column] = [
            marks.setdefault(text, f"({len(marks) + 1})") if len(text) > LONG else text
            for text in texts[column]
        ]
    return [f"{mark} {text}" for text, mark in marks.items()]


def _side(column: Column, frame: pd.DataFrame) -> str | None:
    if not isinstance(column.name, str):
        return None
    dtype = frame[column.name].dtype
    number = pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)
    return "number" if number else None


def facts(rows: Mapping[str, Any], caption: str, class_: str = "facts") -> Html:
    """Names and values as a table of two columns."""
    body = [
        tag("tr", tag("th", rich(name), scope="row"), tag("td", rich(value)))
        for name, value in rows.items()
    ]
    return tag("table", tag("caption", rich(caption)), tag("tbody", *body), class_=class_)
