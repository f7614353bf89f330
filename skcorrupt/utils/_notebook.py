"""A finding as a notebook shows it."""

from __future__ import annotations

import base64
import html
import io
import re
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd

from ._as_text import cell, largest
from ._axes import AS_TEXT

MOST_ROWS = 6
DOTS_PER_INCH = 100
_CODE = re.compile(r"`([^`\n]+)`")


def finding_html(
    said: str,
    table: pd.DataFrame,
    draw: Callable[[Any], Any] | None = None,
    size: tuple[float, float] = (6.5, 3.2),
) -> str:
    """A sentence, a small table and a picture.

    Parameters
    ----------
    said : str
        What was found.
    table : DataFrame
        The numbers, under headings that people can read; its first rows are shown.
    draw : callable or None, default=None
        Draws on the axes that it is given; None, and where it fails, is no picture.
    size : (float, float), default=(6.5, 3.2)
        Width and height of the picture in inches.

    Returns
    -------
    str
        HTML in which texts are escaped.
    """
    shown = table.head(MOST_ROWS)
    unit = largest(*(each for _, each in shown.items() if pd.api.types.is_float_dtype(each)))
    shown = shown.map(partial(_text, unit=unit))
    parts = [f"<p>{_rich(said)}</p>", shown.to_html(index=False, border=0, escape=True)]
    if len(table) > MOST_ROWS:
        parts.append(f"<p>{MOST_ROWS} of {len(table):,} rows.</p>")
    if draw is not None:
        parts.append(_picture(draw, size, said))
    return f"<div>{''.join(parts)}</div>"


def _rich(said: str) -> str:
    """A sentence in which what stands in backticks is code."""
    return _CODE.sub(r"<code>\1</code>", html.escape(said))


def _text(value: Any, unit: float) -> str:
    """Scores and shares have the same form as in sentences."""
    return cell(value, "score", unit) if isinstance(value, float) else cell(value)


def _picture(draw: Callable[[Any], Any], size: tuple[float, float], said: str) -> str:
    import matplotlib
    from matplotlib import style
    from matplotlib.figure import Figure

    file = io.BytesIO()
    # the user's style would not suit it, and names and numbers are as in texts
    with (
        style.context("default"),
        matplotlib.rc_context(AS_TEXT),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        try:
            figure = Figure(figsize=size, layout="constrained")
            draw(figure.subplots())
            figure.savefig(file, format="png", dpi=DOTS_PER_INCH)
        except Exception:
            # to be shown must not fail, and sentence and table are there
            return ""
    encoded = base64.b64encode(file.getvalue()).decode("ascii")
    alt = html.escape(said, quote=True)
    return f'<img alt="{alt}" src="data:image/png;base64,{encoded}">'
