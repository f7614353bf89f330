"""Names of attributes in patterns, and the columns they stand for."""

from __future__ import annotations

import difflib
import keyword
import re
import unicodedata
from typing import Any

from ..utils import Table, cut
from ..utils._validation import ALIKE

LABEL = "y"
RESERVED = frozenset({LABEL, "inf", "nan"})
BACKTICKED = re.compile(r"`((?:[^`]|``)*+)`")

_LISTED = 20
_COMPARED = 200


def unquote(key: str) -> str:
    """The name inside backticks, a doubled backtick standing for one."""
    return key[1:-1].replace("``", "`")


def quote(name: str) -> str:
    """A column's name as text that parses back to it, in backticks where it needs them."""
    plain = (
        name.isidentifier()
        and not keyword.iskeyword(name)
        and name not in RESERVED
        and unicodedata.normalize("NFKC", name) == name
    )
    return name if plain else "`" + name.replace("`", "``") + "`"


def attribute_of(key: Any) -> str | None:
    """The column that a mapping's key names, or None for the label."""
    if not isinstance(key, str):
        return str(key)
    if key == LABEL:
        return None
    return unquote(key) if BACKTICKED.fullmatch(key) else str.__str__(key)


def key_of(attribute: str | None) -> str:
    """The mapping key of an attribute: the inverse of `attribute_of`."""
    if attribute is None:
        return LABEL
    if attribute == LABEL or BACKTICKED.fullmatch(attribute):
        return "`" + attribute.replace("`", "``") + "`"
    return attribute


def text_of(attribute: str | None) -> str:
    """An attribute as it is written in a pattern's text."""
    return LABEL if attribute is None else quote(attribute)


def listed(table: Table) -> str:
    """The columns there are, as a phrase for messages."""
    if not table.n_columns:
        return "X has no columns"
    shown = ", ".join(cut(quote(str(label))) for label in table.labels[:_LISTED])
    more = f", … (+{table.n_columns - _LISTED} more)" if table.n_columns > _LISTED else ""
    return f"The columns there are: {shown}{more}"


def may_resolve(table: Table, name: str) -> bool:
    """Whether a name means a column, or several."""
    return _is_position(table, name) or any(str(label) == name for label in table.labels)


def _is_position(table: Table, name: str) -> bool:
    is_position = name.isascii() and name.isdigit() and len(name) < 19
    return table.container in ("numpy", "sparse") and is_position and int(name) < table.n_columns


def resolve(table: Table, name: str) -> int:
    """The position of the one column that a name means.

    An equal string label comes first, then a label whose text is the name, then, for arrays and
    sparse matrices, an integer position.

    Raises
    ------
    ValueError
        If no column or more than one has the name.
    """
    texts = [str(label) for label in table.labels]
    found = [j for j, label in enumerate(table.labels) if isinstance(label, str) and label == name]
    found = found or [j for j, text in enumerate(texts) if text == name]
    if len(found) > 1:
        raise ValueError(
            f"column {cut(quote(name))} is ambiguous: {len(found)} columns have that "
            "name; rename them"
        )
    if found:
        return found[0]
    if _is_position(table, name):
        return int(name)
    # of long names the search takes time that grows with the square of their length
    near = [text for text in texts if max(len(text), len(name)) <= _COMPARED]
    close = difflib.get_close_matches(name, near, n=3, cutoff=ALIKE)
    hint = f"; perhaps {' or '.join(map(quote, close))} is meant" if close else ""
    raise ValueError(f"there is no column {cut(quote(name))} in X{hint}")
