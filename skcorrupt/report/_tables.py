"""Tables for readers: words in place of names, units, and what each column means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ._html import Html, join, paragraph, rich, tag

MOST_ROWS = 50
LONGEST_CELL = 300
NOTHING = "–"


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


def score(value: float) -> str:
    """Three decimals for scores within ten, four digits for others."""
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.4g}"


def signed(value: float) -> str:
    """As a score, with its sign."""
    text = score(value)
    return text if text.startswith("-") else f"+{text}"


def percent(value: float) -> str:
    """A share as a percentage."""
    return f"{100 * value:.1f} %"


def signed_percent(value: float) -> str:
    """A share as a percentage with its sign."""
    return f"{100 * value:+.1f} %"


def chance(value: float) -> str:
    """A p-value."""
    return "below 0.001" if value < 0.001 else f"{value:.3f}"


def plain(value: Any) -> str:
    """Anything else."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return f"{int(value):,}"
    if isinstance(value, (float, np.floating)):
        return f"{float(value):.4g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(plain, value))
    return str(value)


FORMATS: dict[str, Callable[[Any], str]] = {
    "plain": plain,
    "score": score,
    "signed": signed,
    "percent": percent,
    "signed percent": signed_percent,
    "chance": chance,
}


def cell(value: Any, kind: str = "plain") -> str:
    """A value as text, a dash where there is none.

    Parameters
    ----------
    value : object
        The value.
    kind : str, default="plain"
        A key of `FORMATS`.

    Returns
    -------
    str
        The text, cut where it is very long.
    """
    if value is None or value is pd.NA or value is pd.NaT:
        return NOTHING
    number = isinstance(value, (float, np.floating))
    if number and not np.isfinite(value):
        return NOTHING if np.isnan(value) else ("infinite" if value > 0 else "-infinite")
    if kind != "plain" and not isinstance(value, (int, float, np.integer, np.floating)):
        kind = "plain"
    text = FORMATS[kind](value)
    if len(text) > LONGEST_CELL:
        return f"{text[:LONGEST_CELL]} … ({len(text) - LONGEST_CELL} more characters)"
    return text or NOTHING


def counted(n: int, what: str) -> str:
    """A number of things, "no" of them where there is none."""
    return f"{f'{n:,}' if n else 'no'} {what}{'' if n == 1 else 's'}"


def interval(low: Any, high: Any, kind: str = "score") -> str:
    """Both ends of an interval, a dash where there is none."""
    if not np.isfinite([float(low), float(high)]).all():
        return NOTHING
    return f"{cell(low, kind)} to {cell(high, kind)}"


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


def any_value(value: Any, caption: str) -> Html:
    """Whatever a system has to say: a frame or mapping as a table, else as a sentence."""
    if hasattr(value, "__dataclass_fields__"):
        value = {name: getattr(value, name) for name in value.__dataclass_fields__}
    elif hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, pd.Series):
        value = value.to_dict()
    if isinstance(value, pd.DataFrame):
        columns = [Column(name, str(name).replace("_", " ")) for name in value.columns]
        return table(value, columns, caption)
    if isinstance(value, Mapping):
        rows = {str(name).replace("_", " "): cell(each) for name, each in value.items()}
        return facts(rows, caption)
    return paragraph(f"{caption}: {cell(value)}")
