"""The slips that lead from one text to another."""

from __future__ import annotations

from skcorrupt.corruptions._slips import CONFUSIONS

MOST_SLIPS = 3
# letters of a text that another with one slip is still known by
SHORTEST = 3
# what machines take for one another, more than is made
_MORE = (("g", "q"), ("O", "D"), ("nn", "m"), ("c", "o"))
LOOKALIKES = tuple(
    sorted(
        {pair for pairs in CONFUSIONS.values() for pair in pairs}
        | {*_MORE, *(p[::-1] for p in _MORE)}
    )
)
_READ = set(LOOKALIKES)
_WIDTHS = sorted({(len(a), len(b)) for a, b in LOOKALIKES}, key=lambda both: (-sum(both), both))


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
        for n, m in _WIDTHS:
            if (clean[i : i + n], dirty[j : j + m]) in _READ:
                i, j, made = i + n, j + m, made + 1
                break
        else:
            return 0
    return made


def n_lookalikes(text: str) -> int:
    """In how many ways one place of a text can be misread."""
    return sum(text.startswith(a, i) for a, _ in LOOKALIKES for i in range(len(text)))


def is_like(clean: str, dirty: str) -> bool:
    """Whether one text is another but for letters, case, white space or what is about it.

    Parameters
    ----------
    clean, dirty : str
        The texts.

    Returns
    -------
    bool
        Whether they are alike; of one or two letters, by case, white space and looks only.
    """
    bare = "".join(clean.split()).casefold(), "".join(dirty.split()).casefold()
    if bare[0] == bare[1] or ocr_slips(clean, dirty):
        return True
    if min(len(text) for text in bare) < SHORTEST:
        return False
    if clean in dirty or dirty in clean:
        return True
    found = slips(clean, dirty)
    return found is not None and len(found) <= len(clean) // SHORTEST
