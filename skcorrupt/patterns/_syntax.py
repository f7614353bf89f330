"""Text as one of Python's expressions: read to a syntax tree, never run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ..utils import cut
from ._names import BACKTICKED, unquote

MAX_LENGTH = 200_000
_TOKENS = re.compile(
    r"(?P<string>'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\""
    r"|'(?:\\.|[^'\\\n])*+'|\"(?:\\.|[^\"\\\n])*+\")"
    rf"|(?P<name>{BACKTICKED.pattern})"
    r"|(?P<space>\s+)|(?P<other>[^'\"`#\s]+|.)",
    re.DOTALL,
)
_LONE = {
    "`": "a backtick is not closed; a backtick within a name is doubled",
    "'": "unterminated string: a quote is not closed",
    '"': "unterminated string: a quote is not closed",
    "#": "'#' is not allowed; if it belongs to a column's name, use backticks",
}
_PREFIX = re.compile(r"(?<!\w)[a-zA-Z]{1,2}\Z")
# what starts like a number, and what is one up to the sign of its exponent
_NUMBER_LIKE = re.compile(r"(?<![\w.])\.?[0-9][\w.]*")
_NUMBER = re.compile(
    r"0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|\.?[0-9][0-9_]*(\.[0-9_]*)?([eE][0-9_]*)?[jJ]?"
)
_ESCAPE = re.compile(r"\\([4-7][0-7]{2}|.)", re.DOTALL)
_ESCAPES = frozenset("\\'\"abfnrtvxNuU01234567\n\r")
_SHOWN = 80


def tokens(text: str) -> Iterator[tuple[str, str]]:
    """Strings, names in backticks, spaces and all else, in order.

    Yields
    ------
    kind : {"string", "name", "space", "other"}
        Which of them.
    part : str
        The text of it.

    Raises
    ------
    ValueError
        If the text is too long, a quote or backtick is not closed, or a string or number is none
        that every version of Python reads without a warning.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(
            f"it is {len(text)} characters long; at most {MAX_LENGTH} are read, and more is "
            "passed as an object in place of text"
        )
    for match in _TOKENS.finditer(text):
        part = match.group()
        if part in _LONE:
            raise ValueError(_LONE[part])
        if match["string"] is not None:
            prefix = _PREFIX.search(text[max(match.start() - 3, 0) : match.start()])
            _check_string(part, prefix.group().lower() if prefix else "")
            yield "string", part
        elif match["name"] is not None:
            yield "name", part
        elif match["space"] is not None:
            yield "space", part
        else:
            for like in _NUMBER_LIKE.findall(part):
                if not _NUMBER.fullmatch(like):
                    raise ValueError(
                        f"{cut(like)} is neither a number nor a name; a name that starts with a "
                        "digit goes in backticks"
                    )
            yield "other", part


def _check_string(part: str, prefix: str) -> None:
    if "f" in prefix:
        raise ValueError("an f-string is not allowed; write the value as a plain string")
    if "\\" in part and "r" not in prefix:
        for escape in _ESCAPE.findall(part):
            if escape not in _ESCAPES:
                raise ValueError(
                    f"{cut(part)} holds \\{escape}, which stands for nothing; double the backslash"
                )


class Syntax:
    """The syntax tree of a text in which names may stand in backticks.

    Parameters
    ----------
    text : str
        The text.

    Attributes
    ----------
    tree : ast.expr
        Its root.

    Raises
    ------
    ValueError
        If the text is too long or no expression.
    """

    def __init__(self, text: str):
        if not text.strip():
            raise ValueError("it is empty")
        taken = set(re.findall(r"_name([0-9]+)(?=_)", text))
        self._stem = next(f"_name{k}_" for k in range(len(taken) + 1) if str(k) not in taken)
        self._names: dict[str, str] = {}
        source = self._hide_names(text)
        try:
            self._encoded = source.encode("utf-8", "surrogatepass")
            self.tree = ast.parse(source, mode="eval").body
        except (RecursionError, MemoryError):
            raise ValueError("it is nested too deeply") from None
        except (SyntaxError, ValueError, OverflowError) as error:
            raise ValueError(self._reason(error)) from None

    def _hide_names(self, text: str) -> str:
        """Plain words in place of names in backticks, and spaces in place of line breaks."""
        parts = []
        after_string = False
        for kind, part in tokens(text):
            if kind == "space":
                parts.append(" ")
                continue
            if kind == "string" and after_string:
                raise ValueError("two strings stand side by side; put a comma between them")
            if kind == "name":
                word = f"{self._stem}{len(self._names)}"
                self._names[word] = unquote(part)
                part = f" {word} "
            parts.append(part)
            after_string = kind == "string"
        return "".join(parts).strip()

    def _reason(self, error: Exception) -> str:
        if isinstance(error, UnicodeError):
            return "it holds characters that are not text"
        reason = getattr(error, "msg", None) or str(error)
        if reason.startswith("Exceeds the limit"):
            return "a number has too many digits"
        return cut(self._with_names(reason))

    def _with_names(self, words: str) -> str:
        return re.sub(
            f"{self._stem}[0-9]+", lambda m: f"`{self._names.get(m.group(), m.group())}`", words
        )

    def conjuncts(self) -> Iterator[ast.expr]:
        """What 'and' joins, in order."""
        waiting = [self.tree]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
                waiting.extend(reversed(node.values))
            else:
                yield node

    def name(self, node: ast.expr) -> str:
        """The name that a word stands for."""
        word = self.word(node)
        return self._names.get(word, word)

    def is_quoted(self, node: ast.expr) -> bool:
        """Whether a name stands in backticks."""
        return self.word(node) in self._names

    def word(self, node: Any) -> str:
        """A part of the text, plain words in place of names in backticks."""
        # Python normalises identifiers (µ becomes μ); column names are taken as they are written.
        return self._encoded[node.col_offset : node.end_col_offset].decode("utf-8", "surrogatepass")

    def shown(self, node: Any) -> str:
        """A part of the text for a message."""
        return cut(self._with_names(self.word(node)[: 2 * _SHOWN]), _SHOWN)
