"""What a picture says where the mouse rests on it, without a script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from skcorrupt.utils._as_text import percent, score

from ._html import Html, tag

# of a picture with more marks than this none is told of
MOST_HINTS = 200
# a mark is no smaller than a mouse can find, in hundredths of an inch
LEAST = 14.0
_NUMBER = re.compile(r"[-−+\d.,e]*( %)?")
Box = tuple[float, float, float, float]


def hints_of(figure: Any) -> list[Html]:
    """Places of a drawn figure with the rows and numbers that they stand for.

    Parameters
    ----------
    figure : Figure
        A figure that was drawn, of which points and bars in named rows are told of.

    Returns
    -------
    list of Html
        Elements that lie over the picture, placed in percent of it.
    """
    width, height = figure.bbox.width, figure.bbox.height
    least = LEAST * figure.dpi / 100
    hints = []
    for ax in figure.axes:
        names = _rows(ax)
        for (left, bottom, right, top), row, value, series in _marks(ax) if names else ():
            if row not in names:
                continue
            across, up = (max(0.0, (least - size) / 2) for size in (right - left, top - bottom))
            left, right, bottom, top = left - across, right + across, bottom - up, top + up
            place = {
                "left": left / width,
                "top": 1 - top / height,
                "width": (right - left) / width,
                "height": (top - bottom) / height,
            }
            style = ";".join(f"{name}:{100 * share:.2f}%" for name, share in place.items())
            said = f"{names[row]}: {_number(ax, value)}" + (f" ({series})" if series else "")
            hints.append(tag("span", title=said, style=style, aria_hidden="true"))
    return hints if len(hints) <= MOST_HINTS else []


def _rows(ax: Any) -> dict[int, str]:
    """Names of rows by their places, none where the axis has numbers."""
    labels = [" ".join(label.get_text().split()) for label in ax.get_yticklabels()]
    if type(ax.yaxis.get_major_formatter()).__name__ not in ("FixedFormatter", "FuncFormatter"):
        return {}
    if all(_NUMBER.fullmatch(label) for label in labels):
        return {}
    return {round(place): name for place, name in zip(ax.get_yticks(), labels, strict=False)}


def _marks(ax: Any) -> Iterator[tuple[Box, int, float, str]]:
    """Points and bars: where they are in the picture, their row, number and series."""
    for line in ax.lines:
        if line.get_transform() != ax.transData or line.get_marker() in ("None", "none", "", " "):
            continue
        yield from _points(ax, np.asarray(line.get_xydata(), dtype=float), line.get_label())
    for points in ax.collections:
        if type(points).__name__ == "PathCollection":
            offsets = np.ma.filled(points.get_offsets().astype(float), np.nan)
            yield from _points(ax, np.asarray(offsets), points.get_label())
    for bars in ax.containers:
        for bar in getattr(bars, "patches", ()):
            box, row = bar.get_window_extent(), bar.get_y() + bar.get_height() / 2
            if np.isfinite(bar.get_width()):
                yield box.extents, round(row), float(bar.get_width()), _series(bars.get_label())


def _points(ax: Any, places: Any, label: str) -> Iterator[tuple[Box, int, float, str]]:
    for x, y in places[np.isfinite(places).all(axis=1)]:
        across, up = ax.transData.transform((x, y))
        yield (across, up, across, up), round(y), float(x), _series(label)


def _series(label: Any) -> str:
    """The name of a series in the legend, "" where it has none."""
    text = " ".join(str(label).split())
    return "" if text.startswith("_") or text == "None" else text


def _number(ax: Any, value: float) -> str:
    # what `in_percent` sets
    shares = type(ax.xaxis.get_major_formatter()).__name__ == "FuncFormatter"
    return percent(value) if shares else score(value)
