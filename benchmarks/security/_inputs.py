"""Damaged texts and documents, made of sound ones."""

from __future__ import annotations

import copy
import json
import random
import string
from typing import Any

PIECES = (
    *(
        "age",
        "`a b`",
        "y",
        "city",
        "'Rome'",
        '"x"',
        "1",
        "1.5",
        "-3",
        "1e400",
        "0x1F",
        "inf",
        "nan",
    ),
    *(" and ", " or ", " not ", " in ", " == ", " <= ", " < ", ">", ":=", "->", "=", ",", ";", ":"),
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "`",
        "'",
        '"',
        "#",
        "\\",
        "\n",
        "\t",
        "\0",
        "@",
        "!",
        "%",
        "**",
    ),
    *("if ", " then ", " else ", "lambda", "delta(", "abs(", "for x in y", "await ", "f'{x}'"),
    *("__import__('os').system('true')", "eval('1')", "open('x')", "x.__class__", "x[0]"),
    *("é", "Ａ", "\u202e", "\ud800", "٣", "\x85", "\ufeff", "ſ", "🎲"),
)
VALUES = (
    *(None, True, False, 0, 1, -1, 2**63, -(2**70), 10**300, 1e308, 5e-324, float("nan")),
    *(float("inf"), "", "x", "y", "inf", "os.system", "__class__", "\0", "\ud800", "x" * 5000),
    *([], {}, [[]], [{}], {"": {}}, {"corruption": "CorruptMissing"}, {"pattern": {}}),
    *({"tuple": []}, {"set": [[]]}, {"mapping": [[1]]}, {"time": "x"}, {"float": "nan"}),
    {"py/reduce": [{"py/type": "os.system"}, {"py/tuple": ["true"]}]},
)


def damaged_text(draw: random.Random, sound: tuple[str, ...]) -> str:
    """A text that is some steps away from sound ones.

    Parameters
    ----------
    draw : random.Random
        Source of chance.
    sound : tuple of str
        Texts that can be read.

    Returns
    -------
    str
        The text.
    """
    text = draw.choice(sound)
    for _ in range(draw.choice((0, 1, 1, 2, 3, 6, 20))):
        at, to = sorted(draw.choices(range(len(text) + 1), k=2))
        match draw.randrange(7):
            case 0:
                text = text[:at] + text[to:]
            case 1:
                text = text[:at] + draw.choice(PIECES) + text[at:]
            case 2:
                text = text[:at] + draw.choice(PIECES) + text[to:]
            case 3:
                text = text[:to] + text[at:to] * draw.choice((1, 2, 30)) + text[to:]
            case 4:
                text = text[:at] + draw.choice(sound) + text[to:]
            case 5:
                text = text[:at] + draw.choice(string.printable) + text[at:]
            case 6:
                text = text[:at] + chr(draw.randrange(0x110000)) + text[at:]
        text = text[:20_000]
    if draw.random() < 0.005:
        piece = draw.choice(PIECES)
        text = piece * draw.choice((50, 1000, 30_000)) + draw.choice(("", text))
    return text


def damaged_document(draw: random.Random, sound: tuple[Any, ...]) -> Any:
    """A document that is some steps away from sound ones.

    Parameters
    ----------
    draw : random.Random
        Source of chance.
    sound : tuple of dict
        Documents that can be read.

    Returns
    -------
    object
        The document.
    """
    made = [copy.deepcopy(draw.choice(sound))]
    for _ in range(draw.choice((1, 1, 2, 3, 6))):
        places = list(_places(made))
        holder, key = draw.choice(places)
        other, there = draw.choice(places)
        match draw.randrange(5):
            case 0 | 1:
                holder[key] = copy.deepcopy(draw.choice(VALUES))
            case 2:
                holder[key] = copy.deepcopy(other[there])
            case 3 if holder is not made:
                del holder[key]
            case 4 if isinstance(holder, dict):
                holder[draw.choice(("x", "params", "pattern", "__class__", ""))] = holder[key]
    if draw.random() < 0.1:
        # at the end, as what is nested so deep cannot be copied
        holder, key = draw.choice(list(_places(made)))
        for _ in range(draw.choice((1, 5, 60, 500))):
            nested = holder[key]
            holder[key] = [nested] if draw.random() < 0.5 else {"tuple": nested}
    return made[0]


def damaged_file(draw: random.Random, sound: tuple[Any, ...]) -> bytes:
    """The bytes of a file of JSON that is some steps away from sound ones.

    Parameters
    ----------
    draw : random.Random
        Source of chance.
    sound : tuple of object
        Documents that can be read.

    Returns
    -------
    bytes
        The content.
    """
    document = draw.choice(sound)
    if draw.random() < 0.5:
        document = damaged_document(draw, sound)
    content = bytearray(json.dumps(document).encode())
    for _ in range(draw.choice((0, 1, 2, 10))):
        at = draw.randrange(len(content) + 1)
        step = draw.choice(
            (b"", b"[", b"{", b'"', b"\\", b"\0", b"\xff", b"NaN", b"1e999", b"9" * 999)
        )
        content[at : at + draw.choice((0, 1, 5))] = step
    if draw.random() < 0.01:
        content[:] = draw.choice((b"[", b'{"a":')) * 100_000
    return bytes(content)


def _places(node: Any) -> Any:
    """All values of a document, each by what holds it and its key."""
    waiting = [node]
    while waiting:
        holder = waiting.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            yield holder, key
            if isinstance(holder[key], (dict, list)) and len(holder[key]) < 1000:
                waiting.append(holder[key])
