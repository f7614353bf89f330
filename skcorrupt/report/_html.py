"""HTML in which plain text is always escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any

_VOID = {"meta", "img", "br"}
# what HTML does not allow in a text, halves of surrogate pairs, and marks that turn the order of
# reading, with which a column's name could make the page say something else
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)
_CODE = re.compile(r"`([^`\n]+)`")


class Html(str):
    """Text that is HTML already and is not escaped again."""

    __slots__ = ()


def escape(text: Any) -> Html:
    """Plain text as HTML; HTML as it is.

    Parameters
    ----------
    text : object
        What is to be read.

    Returns
    -------
    Html
        Safe within elements and quoted attributes.
    """
    if isinstance(text, Html):
        return text
    return Html(html.escape(_FORBIDDEN.sub("\ufffd", str(text)), quote=True))


def tag(name: str, /, *children: Any, **attributes: Any) -> Html:
    """An element.

    Parameters
    ----------
    name : str
        The element's name.
    *children : object
        Its content; what is not HTML is escaped.
    **attributes : object
        Its attributes, underscores for hyphens; None is left out.

    Returns
    -------
    Html
        The element.
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Html(f"<{name}{given}>")
    return Html(f"<{name}{given}>{''.join(map(escape, children))}</{name}>")


def join(parts: Iterable[Any], between: str = "") -> Html:
    """Several parts as one."""
    return Html(escape(between).join(map(escape, parts)))


def rich(text: Any) -> Html:
    """A text in which `what stands in backticks` is code."""
    if isinstance(text, Html):
        return text
    # every other part is code
    parts = _CODE.split(escape(text))
    parts[1::2] = [f"<code>{part}</code>" for part in parts[1::2]]
    return Html("".join(parts))


def paragraph(text: Any, **attributes: Any) -> Html:
    """A paragraph of rich text."""
    return tag("p", rich(text), **attributes)


def bullets(items: Iterable[Any]) -> Html:
    """A list of rich texts."""
    return tag("ul", *(tag("li", rich(item)) for item in items))
