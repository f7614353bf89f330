"""The slips that lead from one text to another."""

from __future__ import annotations

MOST_SLIPS = 3
# what machines take for one another
LOOKALIKES = (
    ("0", "O"), ("0", "o"), ("1", "l"), ("1", "I"), ("l", "I"), ("1", "i"), ("5", "S"), ("5", "s"),
    ("8", "B"), ("2", "Z"), ("2", "z"), ("6", "G"), ("6", "b"), ("9", "g"), ("9", "q"), ("g", "q"),
    ("4", "A"), ("7", "T"), ("e", "c"), ("u", "v"), ("U", "V"), ("O", "Q"), ("O", "D"), ("h", "b"),
    ("rn", "m"), ("cl", "d"), ("vv", "w"), ("nn", "m"), ("ii", "u"), ("li", "h"), ("t", "f"),
    ("i", "l"), ("C", "G"), ("E", "F"), ("a", "o"), ("D", "0"), ("n", "h"), ("c", "o"),
)  # fmt: skip
_READ = {(a, b) for a, b in LOOKALIKES} | {(b, a) for a, b in LOOKALIKES}


def slips(clean: str, dirty: str) -> list[tuple[str, str]] | None:
    """The fewest single slips that make one text of another.

    Parameters
    ----------
    clean, dirty : str
        The texts.

    Returns
    -------
    list of tuple of str, or None
        Name and new letter of every slip: "put", "left out", "added", "exchanged". None where
        there would be more than `MOST_SLIPS`.
    """
    start = 0
    while start < min(len(clean), len(dirty)) and clean[start] == dirty[start]:
        start += 1
    end = 0
    while end < min(len(clean), len(dirty)) - start and clean[-1 - end] == dirty[-1 - end]:
        end += 1
    a, b = clean[start : len(clean) - end], dirty[start : len(dirty) - end]
    if abs(len(a) - len(b)) > MOST_SLIPS:
        return None
    if min(len(a), len(b)) > 12:
        # apart that far at both ends, few slips are not enough, or are many puts
        changed = [y for x, y in zip(a, b, strict=False) if x != y]
        several = len(a) == len(b) and len(changed) <= MOST_SLIPS
        return [("put", letter) for letter in changed] if several else _aligned(a, b)
    return _aligned(a, b)


def _aligned(a: str, b: str) -> list[tuple[str, str]] | None:
    rows: list[list[int]] = [list(range(len(b) + 1))]
    for i, x in enumerate(a, start=1):
        row = [i]
        for j, y in enumerate(b, start=1):
            best = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, rows[i - 2][j - 2] + 1)
            row.append(best)
        if min(row) > MOST_SLIPS + 1:
            return None
        rows.append(row)
    if rows[-1][-1] > MOST_SLIPS:
        return None
    return _traced(a, b, rows)


def _traced(a: str, b: str, rows: list[list[int]]) -> list[tuple[str, str]]:
    i, j = len(a), len(b)
    found: list[tuple[str, str]] = []
    while i or j:
        here = rows[i][j]
        if i and j and a[i - 1] == b[j - 1] and rows[i - 1][j - 1] == here:
            i, j = i - 1, j - 1
        elif (
            i > 1
            and j > 1
            and a[i - 1] == b[j - 2]
            and a[i - 2] == b[j - 1]
            and (rows[i - 2][j - 2] + 1 == here)
        ):
            found.append(("exchanged", ""))
            i, j = i - 2, j - 2
        elif i and j and rows[i - 1][j - 1] + 1 == here:
            found.append(("put", b[j - 1]))
            i, j = i - 1, j - 1
        elif i and rows[i - 1][j] + 1 == here:
            found.append(("left out", ""))
            i -= 1
        else:
            found.append(("added", b[j - 1]))
            j -= 1
    return found


def ocr_slips(clean: str, dirty: str) -> int:
    """How many lookalikes stand for one another, 0 where texts differ in anything else."""
    i = j = made = 0
    while i < len(clean) or j < len(dirty):
        if i < len(clean) and j < len(dirty) and clean[i] == dirty[j]:
            i, j = i + 1, j + 1
            continue
        for n, m in ((2, 1), (1, 2), (1, 1)):
            if (clean[i : i + n], dirty[j : j + m]) in _READ:
                i, j, made = i + n, j + m, made + 1
                break
        else:
            return 0
    return made
