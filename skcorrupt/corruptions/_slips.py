"""What goes wrong in a text: of every kind of slip how many a text can have, and each of them.

The neighbours of keys are those of a keyboard with the letters of "qwertyuiop" in its upper row;
confusions of characters are such as those who correct scanned texts tell of: characters of nearly
one shape, and pairs that touch and look like one. All are tables of our own.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

# where keys stand: a row, how far it is moved to the right, and its characters
_ROWS = (
    (0, 0.0, "1234567890"),
    (1, 0.5, "qwertyuiop"),
    (2, 0.75, "asdfghjkl"),
    (3, 1.25, "zxcvbnm"),
)
# of the distance of two keys side by side
_NEAR = 1.3
# a number that all numbers of neighbours divide
_TURNS = 60

_ALIKE = (
    "0O", "0o", "0D", "1l", "1I", "lI", "1i", "5S", "5s", "8B", "2Z", "2z", "6G", "6b", "9g", "9q",
    "4A", "7T", "ce", "ao", "uv", "vy", "hb", "nh", "ij", "il", "ft", "CG", "OQ", "EF", "UV", "VY",
    "PR", "MN",
)  # fmt: skip
_TOUCHING = (
    ("m", "rn"), ("d", "cl"), ("w", "vv"), ("n", "ri"), ("u", "ii"), ("h", "li"), ("k", "lc"),
    ("b", "lo"), ("W", "VV"), ("M", "IVI"), ("H", "II"), ("fi", "h"),
)  # fmt: skip

_WORD = re.compile(r"([^\W\d_]+)\.?")
_LONGEST_SHORT_FORM = 3
_UNBROKEN, _ACUTE = "\u00a0", "\u0301"
_VOWELS = "aeiouAEIOU"
# what stands for the text in a template
PLACE = "{value}"


class Slips(NamedTuple):
    """A kind of slip: how many a text can have, 0 where none, and the text with one of them."""

    count: Callable[[str], int]
    make: Callable[[str, int], str]


Spot: TypeAlias = tuple[int, int, str]


def _of_spots(spots: Callable[[str], Sequence[Spot]]) -> Slips:
    """Slips that put something else between two places, all of them listed."""

    def make(text: str, pick: int) -> str:
        start, end, new = spots(text)[pick]
        return text[:start] + new + text[end:]

    return Slips(lambda text: len(spots(text)), make)


def _neighbours() -> dict[str, str]:
    """The keys around each key, letters of the case of its own."""
    keys = [(row, i + moved, key) for row, moved, keys in _ROWS for i, key in enumerate(keys)]
    found = {}
    for row, at, key in keys:
        near = [
            other
            for other_row, other_at, other in keys
            if other != key
            and key.isdigit() == other.isdigit()
            and (row - other_row) ** 2 + (at - other_at) ** 2 <= _NEAR**2
        ]
        found[key] = "".join(near)
        found[key.upper()] = "".join(near).upper()
    return found


NEIGHBOURS = _neighbours()


def _typo(text: str, pick: int) -> str:
    """One of the five slips of a hand at one of the characters of a text."""
    slip, rest = divmod(pick, len(text) * _TURNS)
    at, turn = divmod(rest, _TURNS)
    key, before, after = text[at], text[:at], text[at + 1 :]
    near = NEIGHBOURS.get(key, "")
    if slip == 0 and near:
        return before + near[turn % len(near)] + after
    if slip == 1 and near:
        return before + key + near[turn % len(near)] + after
    if slip == 2 and len(text) > 1:
        return before + after
    if slip == 3 and after and after[0] != key:
        return before + after[0] + key + after[1:]
    # a key that sticks can stick anywhere
    return before + key + key + after


_TYPO = Slips(lambda text: 5 * len(text) * _TURNS, _typo)


def _confusions() -> dict[str, list[tuple[str, str]]]:
    """What is taken for what, either way, by the character that it begins with."""
    pairs = [*((pair[0], pair[1]) for pair in _ALIKE), *_TOUCHING]
    found: dict[str, list[tuple[str, str]]] = {}
    for old, new in [*pairs, *((b, a) for a, b in pairs)]:
        found.setdefault(old[0], []).append((old, new))
    return found


CONFUSIONS = _confusions()


def _misread(text: str) -> list[Spot]:
    """One character, or two that touch, taken for another."""
    return [
        (at, at + len(old), new)
        for at, sign in enumerate(text)
        for old, new in CONFUSIONS.get(sign, ())
        if text.startswith(old, at)
    ]


def _recased(text: str) -> list[Spot]:
    """The text in capitals, in small letters and with both exchanged, if that is another."""
    variants = dict.fromkeys((text.upper(), text.lower(), text.swapcase()))
    return [(0, len(text), each) for each in variants if each != text]


def _spaced(text: str) -> list[Spot]:
    """White space around the text, and more or other white space in it."""
    if not text:
        return []
    n = len(text)
    inner = [at for at, sign in enumerate(text) if sign == " "]
    around = [(0, 0, " "), (n, n, " "), (n, n, _UNBROKEN)]
    return [*around, *((at, at + 1, new) for at in inner for new in ("  ", _UNBROKEN))]


_TRUNCATED = Slips(lambda text: max(0, len(text) - 1), lambda text, pick: text[: pick + 1])


def _abbreviated(text: str) -> list[Spot]:
    """The first letters of a word, or of all its words, and a point."""
    words = list(_WORD.finditer(text))
    found = [
        (word.start(), word.end(), word[1][:n] + ".")
        for word in words
        for n in range(1, min(_LONGEST_SHORT_FORM, len(word[1]) - 2) + 1)
    ]
    if found and len(words) > 1:
        found.append((0, len(text), _WORD.sub(lambda word: word[1][0] + ".", text)))
    return found


def _misdecoded(text: str) -> list[Spot]:
    """The text written in UTF-8 and read in Latin-1, or in what Windows has in its place."""
    if text.isascii():
        return []
    written = text.encode("utf-8", "surrogatepass")
    # five bytes are no characters of the code page, and are shown as Latin-1 has them
    windows = "".join(map(_of_windows, written))
    variants = dict.fromkeys((windows, written.decode("latin-1")))
    return [(0, len(text), each) for each in variants]


def _reordered(text: str) -> list[Spot]:
    """Two words side by side exchanged."""
    words = list(re.finditer(r"\S+", text))
    return [
        (a.start(), b.end(), b[0] + text[a.end() : b.start()] + a[0])
        for a, b in itertools.pairwise(words)
        if a[0] != b[0]
    ]


def _accented(text: str) -> list[Spot]:
    """A letter that loses its accent, or a vowel that gets one."""
    spots = []
    for at, letter in enumerate(text):
        parts = unicodedata.normalize("NFD", letter)
        other = parts[0] if len(parts) > 1 else letter
        if other == letter and letter in _VOWELS:
            other = unicodedata.normalize("NFC", letter + _ACUTE)
        if other != letter:
            spots.append((at, at + 1, other))
    return spots


def within_template(template: str) -> Slips:
    """The whole text within another, at the place of `PLACE`."""
    return _of_spots(lambda text: [(0, len(text), template.replace(PLACE, text))] if text else [])


def replacing(replace: Mapping[str, str]) -> Slips:
    """All places of one part of a text replaced by something else."""

    def spots(text: str) -> list[Spot]:
        variants = dict.fromkeys(text.replace(old, new) for old, new in replace.items())
        return [(0, len(text), each) for each in variants if each != text]

    return _of_spots(spots)


def _of_windows(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


SLIPS: dict[str, Slips] = {
    "typo": _TYPO,
    "ocr": _of_spots(_misread),
    "case": _of_spots(_recased),
    "whitespace": _of_spots(_spaced),
    "truncate": _TRUNCATED,
    "abbreviate": _of_spots(_abbreviated),
    "mojibake": _of_spots(_misdecoded),
    "accent": _of_spots(_accented),
    "order": _of_spots(_reordered),
}
