"""Cells of a column that differ, and the most economical set of rules that makes them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from ._compared import Compared

# bits to write down a value that no rule gives
NUMBER_BITS = 34.0
TEXT_BITS, CHARACTER_BITS, LONGEST = 10.0, 5.0, 30
# a rule with fewer cells is no rule
LEAST_CELLS = 3
# forms that leave open which value of many is put
VAGUE = ("swap", "noise", "moved")


@dataclass(frozen=True)
class Rule:
    """One way in which values of a column go wrong.

    Attributes
    ----------
    kind : str
        The kind of error, by the short name of its class where there is one.
    form : str
        What makes the wrong value, a name in `FORMS`.
    params : dict
        Parameters of the form, as JSON types.
    """

    kind: str
    form: str
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class Candidate:
    """A rule with the cells that it would explain.

    Attributes
    ----------
    rule : Rule
        The rule.
    covers : ndarray of bool, shape (n_cells,)
        The cells.
    bits : float or ndarray of shape (n_cells,)
        What is left to be written down for each of them.
    fixed : float
        Bits of the parameters.
    anyhow : float, ndarray of shape (n_cells,) or None, default=None
        What other rules have to be shorter than, where this one leaves open which of many values
        is put; None is `bits`.
    """

    rule: Rule
    covers: np.ndarray
    bits: Any
    fixed: float
    anyhow: Any = None


@dataclass(eq=False)
class WrongCells:
    """The cells of one column that differ.

    Attributes
    ----------
    column : Compared
        The column.
    at : ndarray of int, shape (n_cells,)
        Which of the matched rows they are in.
    clean, dirty : ndarray of int, shape (n_cells,)
        What they should be and what they are, -1 where missing.
    """

    column: Compared
    at: np.ndarray
    clean: np.ndarray
    dirty: np.ndarray

    def __post_init__(self) -> None:
        width = len(self.column.values) + 1
        both = (self.clean + 1).astype(np.int64) * width + (self.dirty + 1)
        self.pair, distinct = pd.factorize(both)
        self.pair_clean, self.pair_dirty = distinct // width - 1, distinct % width - 1

    @property
    def n(self) -> int:
        """Number of cells."""
        return len(self.at)

    @cached_property
    def counts(self) -> np.ndarray:
        """How many cells each distinct pair has."""
        return np.bincount(self.pair, minlength=len(self.pair_clean))

    @cached_property
    def texts(self) -> tuple[list[str | None], list[str | None]]:
        """Clean and dirty side of every distinct pair as texts, None where missing."""
        return self._texts(self.pair_clean), self._texts(self.pair_dirty)

    def _texts(self, codes: np.ndarray) -> list[str | None]:
        values = self.column.values
        used = np.unique(codes[codes >= 0])
        written = {int(code): as_text(values[code]) for code in used}
        return [written.get(int(code)) for code in codes]

    @cached_property
    def numbers(self) -> tuple[np.ndarray, np.ndarray]:
        """Clean and dirty side of every distinct pair as numbers, NaN where they are none."""
        numbers = np.append(self.column.numbers, np.nan)
        return numbers[self.pair_clean], numbers[self.pair_dirty]

    def expanded(self, pairs: np.ndarray) -> np.ndarray:
        """What holds of distinct pairs, for every cell."""
        return pairs[self.pair]

    @cached_property
    def literal_bits(self) -> np.ndarray:
        """Bits to write down every distinct dirty value."""
        numbers = self.numbers[1]
        bits = [
            NUMBER_BITS
            if number == number
            else TEXT_BITS + CHARACTER_BITS * min(_length(text), LONGEST)
            for number, text in zip(numbers.tolist(), self.texts[1], strict=True)
        ]
        return np.array(bits)


def _length(text: str | None) -> int:
    return 0 if text is None else len(text)


def as_text(value: Any) -> str:
    """A cell as a text; whole numbers without a point, durations whatever their unit."""
    if isinstance(value, np.timedelta64):
        return str(pd.Timedelta(value))
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def chosen_rules(wrong: WrongCells, candidates: list[Candidate]) -> tuple[list[Rule], np.ndarray]:
    """The rules that tell the wrong values in the fewest bits, found greedily.

    Parameters
    ----------
    wrong : WrongCells
        The cells.
    candidates : list of Candidate
        Rules that explain some of them.

    Returns
    -------
    rules : list of Rule
        Those that pay for themselves.
    which : ndarray of int, shape (n_cells,)
        The rule of every cell, -1 for none.
    """
    literal = wrong.expanded(wrong.literal_bits)
    vague = [each for each in candidates if each.rule.form in VAGUE]
    others = [each for each in candidates if each.rule.form not in VAGUE]
    # what could be anything of its kind is told anyhow; a rule has to say more
    least = literal.copy()
    for each in vague:
        anyhow = each.bits if each.anyhow is None else each.anyhow
        bits = np.broadcast_to(anyhow, literal.shape)
        least = np.where(each.covers, np.minimum(least, bits), least)
    which = np.full(wrong.n, -1)
    rules: list[Rule] = []
    for left, bits in ((others, least), (vague, literal)):
        _take(left, bits, rules, which)
    return rules, which


def _take(left: list[Candidate], bits: np.ndarray, rules: list[Rule], which: np.ndarray) -> None:
    """Take rules for cells that have none as long as they save bits."""
    while left:
        open_ = which < 0
        savings = [_saving(each, open_, bits, len(which)) for each in left]
        best = int(np.argmax(savings))
        if savings[best] <= 0:
            break
        taken = left.pop(best)
        which[taken.covers & open_] = len(rules)
        rules.append(taken.rule)


def _saving(candidate: Candidate, open_: np.ndarray, literal: np.ndarray, n: int) -> float:
    covers = candidate.covers & open_
    n_covered = int(covers.sum())
    least = LEAST_CELLS if candidate.fixed > 0 else 1
    if n_covered < least:
        return -math.inf
    bits = candidate.bits
    paid = bits[covers].sum() if isinstance(bits, np.ndarray) else bits * n_covered
    saved = literal[covers].sum() - paid - n_covered * math.log2(n / n_covered)
    return float(saved) - candidate.fixed
