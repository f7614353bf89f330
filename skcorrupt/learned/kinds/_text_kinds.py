"""Texts that went wrong: units, letters, white space, slips."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from skcorrupt.corruptions._slips import SLIPS

from ._category_kinds import MOST_EACH, RULE_BITS
from ._slips import MOST_SLIPS, n_lookalikes, ocr_slips, slips
from ._wrong_cells import (
    CHARACTER_BITS,
    LEAST_CELLS,
    TEXT_BITS,
    Candidate,
    Rule,
    WrongCells,
)

_NUMBER = re.compile(r"^(\D*?)([-+]?\d[\d,.]*(?:[eE][-+]?\d+)?)(\D*)$", re.DOTALL)
WORD = re.compile(r"[^\W\d_]+")
# a place in a text, where it is not known how many there are
_ANYWHERE_BITS = 6.0
_ENCODINGS = ("latin-1", "cp1252")

CASES: dict[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "title": str.title,
    "capitalize": str.capitalize,
    "swapcase": str.swapcase,
}
SPACES: dict[str, Callable[[str], str]] = {
    "strip": str.strip,
    "single": lambda text: " ".join(text.split()),
    "none": lambda text: "".join(text.split()),
    "double": lambda text: text.replace(" ", "  "),
    "before": lambda text: " " + text,
    "after": lambda text: text + " ",
    "around": lambda text: f" {text} ",
}
_COMMA_AND_POINT = str.maketrans(",.", ".,")
ARTEFACTS: dict[str, Callable[[float], float]] = {
    "times 100 over 100": lambda x: x * 100 / 100,
    "over 100 times 100": lambda x: x / 100 * 100,
    "single precision": lambda x: float(np.float32(x)),
    "next below": lambda x: float(np.nextafter(x, -np.inf)),
    "next above": lambda x: float(np.nextafter(x, np.inf)),
}


def text_candidates(wrong: WrongCells) -> list[Candidate]:
    """Rules by which texts became other texts."""
    clean, dirty = wrong.texts
    texts = [
        (i, c, d)
        for i, (c, d) in enumerate(zip(clean, dirty, strict=True))
        if c is not None and d is not None and isinstance(_dirty(wrong, i), str)
    ]
    if not texts:
        return []
    found = [
        *_units(wrong, texts),
        *_added(wrong, texts),
        *_replaced(wrong, texts),
    ]
    if wrong.column.kind == "text":
        found += _cased(wrong, texts)
        found += _cut(wrong, texts)
        found += _slipped(wrong, texts)
    return found


def _dirty(wrong: WrongCells, i: int) -> Any:
    return wrong.column.values[wrong.pair_dirty[i]]


Texts = list[tuple[int, str, str]]


def _candidate(
    wrong: WrongCells, rule: Rule, pairs: Iterable[int], fixed: float, bits: Any = 0.0
) -> Candidate:
    covers = np.zeros(len(wrong.counts), dtype=bool)
    covers[list(pairs)] = True
    each = wrong.expanded(bits) if isinstance(bits, np.ndarray) else bits
    return Candidate(rule, wrong.expanded(covers), each, fixed)


def _units(wrong: WrongCells, texts: Texts) -> list[Candidate]:
    """Numbers with words or signs about them, or written otherwise."""
    styles: dict[tuple[str, str, str], list[int]] = {}
    for i, c, d in texts:
        number = _as_number(c)
        parts = _NUMBER.match(d)
        if number is None or parts is None:
            continue
        for style in _styles(c, number, parts[2]):
            styles.setdefault((parts[1], style, parts[3]), []).append(i)
    found = []
    for (prefix, style, suffix), pairs in styles.items():
        if int(wrong.counts[pairs].sum()) < LEAST_CELLS:
            continue
        params: dict[str, Any] = {
            "prefix": prefix,
            "suffix": suffix,
            "style": style,
            "kind": _unit_kind(prefix, suffix, style),
        }
        clean, dirty = wrong.texts
        if wrong.column.mixed and any(_says_the_same(clean[i], dirty[i]) for i in pairs):
            params["as_text"] = True
        fixed = RULE_BITS + 0.5 * TEXT_BITS + CHARACTER_BITS * len(prefix + suffix)
        found.append(
            _candidate(wrong, Rule("type", "unit", params), pairs, fixed + len(style) * 0.1)
        )
    return found


def _says_the_same(clean: str | None, dirty: str | None) -> bool:
    """Whether a text is the number as it is, so that only its type is wrong."""
    return clean is not None and dirty is not None and _as_number(dirty) == _as_number(clean)


def _unit_kind(prefix: str, suffix: str, style: str) -> str:
    if prefix or suffix:
        return "unit"
    return "decimal_comma" if "comma" in style else "format"


def _as_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _styles(clean: str, number: float, written: str) -> list[str]:
    """Ways in which a number can be written so."""
    return [name for name in STYLES if number_in_style(clean, number, name) == written]


STYLES = (
    "same",
    "point",
    "comma",
    "point comma",
    "thousands",
    "thousands point",
    "thousands 2",
    "comma thousands",
    "comma thousands 2",
    "scientific",
    "1",
    "2",
    "3",
    *ARTEFACTS,
)


def number_in_style(clean: str, number: float, style: str) -> str:
    """A number, written `clean` so far, as a style has it."""
    if style == "same":
        return clean
    if style == "point":
        return repr(number)
    if style == "comma":
        return clean.replace(".", ",")
    if style == "point comma":
        return repr(number).replace(".", ",")
    if style == "scientific":
        return np.format_float_scientific(number, trim="-")
    if style.startswith("comma thousands"):
        written = number_in_style(clean, number, style.removeprefix("comma "))
        return written.translate(_COMMA_AND_POINT)
    if style == "thousands":
        return f"{number:,.0f}" if number.is_integer() else f"{number:,}"
    if style == "thousands point":
        return f"{number:,}"
    if style == "thousands 2":
        return f"{number:,.2f}"
    if style in ARTEFACTS:
        return repr(ARTEFACTS[style](number))
    return f"{number:.{int(style)}f}"


def _added(wrong: WrongCells, texts: Texts) -> list[Candidate]:
    """The same text before or after."""
    groups: dict[tuple[str, str], list[int]] = {}
    for i, c, d in texts:
        at = d.find(c) if c and _as_number(c) is None else -1
        if at >= 0:
            groups.setdefault((d[:at], d[at + len(c) :]), []).append(i)
    return [
        _candidate(
            wrong,
            Rule("text", "added", {"kind": "added", "prefix": prefix, "suffix": suffix}),
            pairs,
            RULE_BITS + TEXT_BITS + CHARACTER_BITS * len(prefix + suffix),
        )
        for (prefix, suffix), pairs in _frequent(wrong, groups)
        if (prefix + suffix).strip()
    ]


def _replaced(wrong: WrongCells, texts: Texts) -> list[Candidate]:
    """One part of a text in another's place, wherever it stands."""
    groups: dict[tuple[str, str], list[int]] = {}
    for i, c, d in texts:
        start = _common(c, d)
        end = _common(c[start:][::-1], d[start:][::-1])
        parts = {(c[start : len(c) - end], d[start : len(d) - end])} | _everywhere(c, d, start)
        for old, new in parts:
            if old and c.replace(old, new) == d:
                groups.setdefault((old, new), []).append(i)
    candidates = []
    for (old, new), pairs in _frequent(wrong, groups):
        # in a single value it is that value's, not a rule
        if len({wrong.pair_clean[i] for i in pairs}) >= LEAST_CELLS:
            rule = Rule("text", "replaced", {"kind": "replaced", "old": old, "new": new})
            fixed = RULE_BITS + TEXT_BITS + CHARACTER_BITS * len(old + new)
            candidates.append(_candidate(wrong, rule, pairs, fixed))
    return candidates


def _everywhere(clean: str, dirty: str, start: int) -> set[tuple[str, str]]:
    """The first character that differs, with what could stand in all of its places."""
    old = clean[start : start + 1]
    n = clean.count(old) if old else 0
    if n < 2 or (len(dirty) - len(clean)) % n:
        return set()
    length = (len(dirty) - len(clean)) // n + 1
    return {(old, dirty[start : start + length])} if length >= 0 else set()


def _frequent(wrong: WrongCells, groups: dict[Any, list[int]]) -> list[tuple[Any, list[int]]]:
    ranked = sorted(groups.items(), key=lambda item: -int(wrong.counts[item[1]].sum()))
    return [item for item in ranked[:MOST_EACH] if wrong.counts[item[1]].sum() >= LEAST_CELLS]


def _common(a: str, b: str) -> int:
    n = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        n += 1
    return n


def _cased(wrong: WrongCells, texts: Texts) -> list[Candidate]:
    """Letters in another case or without accents, white space, another encoding."""
    found = []
    for form, table in (("case", CASES), ("whitespace", SPACES)):
        for how, change in table.items():
            pairs = [i for i, c, d in texts if change(c) == d]
            if pairs:
                rule = Rule("text", form, {"kind": form, "how": how})
                found.append(_candidate(wrong, rule, pairs, RULE_BITS))
    mixed = [i for i, c, d in texts if c.casefold() == d.casefold()]
    spaced = [i for i, c, d in texts if c != d and "".join(c.split()) == "".join(d.split())]
    for form, pairs in (("case", mixed), ("whitespace", spaced)):
        if pairs:
            rule = Rule("text", form, {"kind": form, "how": "anywhere"})
            found.append(_candidate(wrong, rule, pairs, RULE_BITS, _places(wrong, form, texts)))
    plain = [(i, c, d, without_accents(c)) for i, c, d in texts]
    single = _places(wrong, "accent", texts)
    for how, pairs, bits in (
        ("all", [i for i, c, d, bare in plain if c != d == bare], 0.0),
        (
            "anywhere",
            [i for i, c, d, bare in plain if c != d and without_accents(d) == bare],
            single,
        ),
    ):
        if pairs:
            rule = Rule("text", "accent", {"kind": "accent", "how": how})
            found.append(_candidate(wrong, rule, pairs, RULE_BITS, bits))
    for encoding in _ENCODINGS:
        pairs = [i for i, c, d in texts if garbled(c, encoding) == d]
        if pairs:
            rule = Rule("text", "mojibake", {"kind": "mojibake", "encoding": encoding})
            found.append(_candidate(wrong, rule, pairs, RULE_BITS))
    moved = [i for i, c, d in texts if d in _outcomes("order", c)]
    if moved:
        rule = Rule("text", "order", {"kind": "order"})
        bits = _places(wrong, "order", texts)
        found.append(_candidate(wrong, rule, moved, RULE_BITS, bits))
    return found


def _outcomes(kind: str, text: str) -> list[str]:
    """What a text becomes by one slip of a kind."""
    return [SLIPS[kind].make(text, pick) for pick in range(SLIPS[kind].count(text))]


def _places(wrong: WrongCells, kind: str, texts: Texts) -> np.ndarray:
    """Bits to tell one slip of a kind from all that the text could have had."""
    bits = np.full(len(wrong.counts), _ANYWHERE_BITS)
    for i, c, d in texts:
        outcomes = _outcomes(kind, c)
        if d in outcomes:
            bits[i] = math.log2(len(outcomes))
    return bits


def without_accents(text: str) -> str:
    """A text whose letters have no accents."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    kept = "".join(part for part in parts if unicodedata.category(part) != "Mn")
    return unicodedata.normalize("NFC", kept)


def garbled(text: str, encoding: str) -> str:
    """A text whose bytes are read in another encoding."""
    return text.encode("utf-8").decode(encoding, errors="replace")


def _cut(wrong: WrongCells, texts: Texts) -> list[Candidate]:
    """Texts that end too early, and words cut short."""
    found = []
    cut = [(i, len(c), len(d)) for i, c, d in texts if d and len(d) < len(c) and c.startswith(d)]
    lengths = Counter(n for _, _, n in cut)
    for length, _ in lengths.most_common(3):
        pairs = [i for i, _, n in cut if n == length]
        rule = Rule("text", "truncated", {"kind": "truncate", "length": length})
        found.append(_candidate(wrong, rule, pairs, RULE_BITS))
    if cut:
        shares = sorted(n / full for _, full, n in cut)
        seen = [round(shares[int(q * (len(shares) - 1))], 3) for q in np.linspace(0, 1, 21)]
        bits = np.zeros(len(wrong.counts))
        for i, full, _ in cut:
            bits[i] = math.log2(full)
        rule = Rule("text", "truncated", {"kind": "truncate", "shares": seen})
        found.append(_candidate(wrong, rule, [i for i, _, _ in cut], RULE_BITS, bits))
    pairs = [i for i, c, d in texts if _has_short_word(c, d) or d in _outcomes("abbreviate", c)]
    if pairs:
        rule = Rule("text", "abbreviated", {"kind": "abbreviate", "how": "a word"})
        found.append(_candidate(wrong, rule, pairs, RULE_BITS, _places(wrong, "abbreviate", texts)))
    for how in ABBREVIATIONS:
        pairs = [i for i, c, d in texts if abbreviated(c, how) == d]
        if pairs:
            rule = Rule("text", "abbreviated", {"kind": "abbreviate", "how": how})
            found.append(_candidate(wrong, rule, pairs, RULE_BITS))
    return found


ABBREVIATIONS = (
    "initials", "initials with points", "first word", "first word with point",
    *(f"{n} letters with point" for n in (1, 2, 3, 4)),
    *(f"words of {n}" for n in (1, 2, 3, 4)), *(f"words of {n} with points" for n in (1, 2, 3, 4)),
    "no vowels", "letters with points",
)  # fmt: skip


def _has_short_word(clean: str, dirty: str) -> bool:
    """Whether one word ends in a point before its time."""
    end = _common(clean[::-1], dirty[::-1])
    start = len(dirty) - end - 1
    left_out = clean[start : len(clean) - end]
    return (
        start > 0
        and len(left_out) > 1
        and left_out.isalnum()
        and dirty[start] == "."
        and dirty[:start] == clean[:start]
        and clean[start - 1].isalnum()
    )


def abbreviated(text: str, how: str) -> str:
    """A text cut short in one of the ways of `ABBREVIATIONS`."""
    words = text.split()
    point = "." if "point" in how else ""
    if not words:
        return text
    if how == "letters with points":
        return WORD.sub(lambda word: word[0][0] + ".", text)
    if how.startswith("initials"):
        return (point.join(word[0] for word in words) + point).upper()
    if how.startswith("first word"):
        return words[0] + point
    if how.startswith("words of"):
        n = int(how.split()[2])
        return " ".join(word[:n] + point if len(word) > n else word for word in words)
    if how == "no vowels":
        return text[:1] + re.sub("[aeiouAEIOU]", "", text[1:])
    return text[: int(how[0])] + point


def _slipped(wrong: WrongCells, texts: Texts) -> list[Candidate]:
    """Slips of fingers, and of machines that read letters."""
    typos: dict[int, float] = {}
    misread: dict[int, float] = {}
    kinds: Counter[str] = Counter()
    letters: Counter[str] = Counter()
    for i, c, d in texts:
        made = ocr_slips(c, d)
        if made:
            misread[i] = made * math.log2(max(n_lookalikes(c), 1))
        found = slips(c, d)
        if found is not None and len(found) <= max(1, min(MOST_SLIPS, len(c) // 2)):
            typos[i] = len(found) * (math.log2(len(c) + 1) + 2 + CHARACTER_BITS)
            for kind, letter in found:
                kinds[kind] += int(wrong.counts[i])
                letters[letter] += int(wrong.counts[i]) if letter else 0
    candidates = []
    if misread:
        rule = Rule("text", "misread", {"kind": "ocr"})
        candidates.append(_candidate(wrong, rule, misread, RULE_BITS, _filled(wrong, misread)))
    if typos:
        n = sum(kinds.values()) / max(int(wrong.counts[list(typos)].sum()), 1)
        params = {
            "kind": "typo",
            "slips": dict(kinds),
            "letters": dict(letters),
            "each": round(n, 3),
        }
        rule = Rule("text", "typo", params)
        candidates.append(_candidate(wrong, rule, typos, RULE_BITS, _filled(wrong, typos)))
    return candidates


def _filled(wrong: WrongCells, bits: dict[int, float]) -> np.ndarray:
    filled = np.zeros(len(wrong.counts))
    filled[list(bits)] = list(bits.values())
    return filled
