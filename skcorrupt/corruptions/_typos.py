"""Texts that are misspelt."""

from __future__ import annotations

import numpy as np

from skcorrupt.base import Struck
from skcorrupt.utils import Coded


def misspelt(struck: Struck) -> Coded:
    """Struck texts with a character doubled, dropped or transposed; missing ones stay."""
    codes, distinct = struck.coded
    texts = [str(value) for value in distinct]
    choices = np.array([*map(_n_typos, texts), 0])
    picks = (struck.draws.uniform() * choices[codes]).astype(np.int64)
    # equal texts with equal slips are made once
    width = int(choices.max()) or 1
    keys, new = np.unique(np.where(codes < 0, -1, codes * width + picks), return_inverse=True)
    typos = [_typo(texts[key // width], key % width) for key in keys.tolist() if key >= 0]
    return Coded(new - int(keys[0] < 0), np.array(typos, dtype=object))


def _n_typos(text: str) -> int:
    return max(1, 3 * len(text) - 1)


def _typo(text: str, pick: int) -> str:
    """The `pick`-th of the doublings, deletions and transpositions of a text."""
    n = len(text)
    if n == 0:
        return "?"
    if pick < n:
        return text[: pick + 1] + text[pick:]
    at = pick - n
    if at < n:
        return text[:at] + text[at + 1 :] if n > 1 else text + text
    at -= n
    swapped = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    # transposing equal characters would leave the text as it is
    return swapped if swapped != text else text[:at] + text[at + 1 :]
