"""Tables for readers: words in place of names, units, and what each column means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from skcorrupt.utils._as_text import cell

from ._html import Html, join, paragraph, rich, tag

MOST_ROWS = 50


@dataclass(frozen=True)
class Column:
    """How a column of a frame is shown.

    Attributes
    ----------
    name : str
        Its name in the frame.
    label : str
        Its heading.
    kind : str
        A key of `FORMATS`.
    meaning : str
        A short explanation, "" where the heading says it all.
    """

    name: str
    label: str
    kind: str = "plain"
    meaning: str = ""


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
    columns = [column for column in columns if column.name in frame]
    head = tag("tr", *(tag("th", c.label, scope="col", class_=_side(c, frame)) for c in columns))
    rows = []
    for values in zip(*(frame[c.name].tolist()[:most] for c in columns), strict=True):
        cells = [
            tag("th" if k == 0 else "td", rich(text), scope="row" if k == 0 else None, class_=side)
            for k, (text, side) in enumerate(
                (cell(value, c.kind), _side(c, frame))
                for value, c in zip(values, columns, strict=True)
            )
        ]
        rows.append(tag("tr", *cells))
    shown = tag("table", tag("caption", rich(caption)), tag("thead", head), tag("tbody", *rows))
    parts = [tag("div", shown, class_="wide", tabindex="0", role="region", aria_label=caption)]
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
        join([tag("dt", c.label), tag("dd", rich(c.meaning))]) for c in columns if c.meaning
    ]
    if meanings:
        parts.append(tag("dl", *meanings))
    return join(parts)


def _side(column: Column, frame: pd.DataFrame) -> str | None:
    dtype = frame[column.name].dtype
    number = pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)
    return "number" if number else None


def facts(rows: Mapping[str, Any], caption: str) -> Html:
    """Names and values as a table of two columns."""
    body = [
        tag("tr", tag("th", rich(name), scope="row"), tag("td", rich(value)))
        for name, value in rows.items()
    ]
    return tag("table", tag("caption", rich(caption)), tag("tbody", *body), class_="facts")
