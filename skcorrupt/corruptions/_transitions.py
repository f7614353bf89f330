"""What each value of a column becomes, by a table of confusions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from skcorrupt.base import Struck
from skcorrupt.base._serialise import by_row
from skcorrupt.base._struck import unhashable
from skcorrupt.utils import Coded, Table, is_finite_number, is_number, shorten

Weights = dict[Any, dict[Any, float]]


@dataclass(frozen=True)
class Transitions:
    """Values that become others, each with its own chances.

    Attributes
    ----------
    sources : dict
        The place of every value that becomes another.
    targets : ndarray
        All that values become.
    moves : list of tuple of ndarray
        For every source, where among the targets it goes and the cumulative chances.
    """

    sources: dict[Any, int]
    targets: np.ndarray
    moves: list[tuple[np.ndarray, np.ndarray]]

    @classmethod
    def of_column(cls, transition: Any, table: Table, j: int) -> Self | None:
        """Those of values that a column can hold; None where it holds none that becomes another.

        Raises
        ------
        ValueError
            If cells hold values that cannot be compared, or would become values of another kind.
        """
        try:
            distinct = table.distinct(j)
        except TypeError:
            raise ValueError(unhashable(table.labels[j])) from None
        kind = table.kind(j)
        weights = {a: to for a, to in weights_of(transition).items() if _fits(a, kind)}
        if not any(value in weights for value in distinct.tolist()):
            return None
        targets = list(dict.fromkeys(b for to in weights.values() for b in to))
        strange = [b for b in targets if not _fits(b, kind)]
        if strange:
            raise ValueError(
                f"transition: {strange[0]!r} cannot stand in {table.labels[j]!r}, which holds "
                f"{kind} values; name values of its kind, or use CorruptType for another."
            )
        place = {b: i for i, b in enumerate(targets)}
        moves = []
        for to in weights.values():
            chances = np.array(list(to.values()))
            # sums of the largest weights there are would be infinite
            chances /= chances.max()
            at = np.array([place[b] for b in to], dtype=np.intp)
            moves.append((at, np.cumsum(chances) / chances.sum()))
        return cls({a: i for i, a in enumerate(weights)}, _together(targets, kind), moves)

    def places(self, values: np.ndarray) -> np.ndarray:
        """Where values are among the sources, −1 where they are not."""
        return np.array([self.sources.get(value, -1) for value in values.tolist()], dtype=np.intp)


def transitions_of(transition: Any, table: Table, j: int) -> Transitions:
    """What the values of a column become.

    Raises
    ------
    ValueError
        If the column holds none that becomes another.
    """
    found = Transitions.of_column(transition, table, j)
    if found is None:
        some = ", ".join(map(repr, table.distinct(j)[:5].tolist()))
        raise ValueError(
            f"columns: {table.labels[j]!r} holds {table.kind(j)} values such as {some}, none of "
            "which transition= turns into another; pass transition={value: {other: weight}} of "
            "its values, or leave the column out."
        )
    return found


def weights_of(transition: Any) -> Weights:
    """What each value becomes and how often, without those that stay.

    Raises
    ------
    ValueError
        With what the table should be.
    """
    weights: Weights = {}
    for value, given in _rows(transition).items():
        to = given if isinstance(given, Mapping) else {given: 1.0}
        strange = [w for w in to.values() if not is_finite_number(w) or w < 0]
        if strange:
            raise ValueError(
                f"transition: a weight of {value!r} is {shorten(strange[0])}; weights should be "
                "finite numbers and not negative, such as counts or shares."
            )
        gone = [other for other in (value, *to) if np.ndim(other) == 0 and pd.isna(other)]
        if gone:
            raise ValueError(
                f"transition: {shorten({value: dict(to)})} has {gone[0]!r}, which is no value; use "
                "CorruptMissing for values that get lost."
            )
        vast = [b for b in to if is_number(b) and not is_finite_number(b)]
        if vast:
            raise ValueError(
                f"transition: {value!r} becomes {shorten(vast[0])}, which is no finite number; use "
                "one that is."
            )
        chances = {b: float(w) for b, w in to.items() if w > 0 and b != value}
        if chances:
            weights[value] = chances
    if not weights:
        raise ValueError(
            f"transition={shorten(transition)} turns no value into another; pass what each "
            "becomes and how often, such as {'Rome': {'Roma': 3, 'Bari': 1}}."
        )
    return weights


def rows_of(frame: pd.DataFrame) -> dict[Any, dict[Any, Any]]:
    """A frame with a row for each clean value by its labels.

    Raises
    ------
    ValueError
        If a label is there twice.
    """
    for axis, labels in (("row", frame.index), ("column", frame.columns)):
        if labels.has_duplicates:
            raise ValueError(
                f"transition has more than one {axis} {labels[labels.duplicated()][0]!r}; it "
                "should be a table with a row for each clean value and a column for each that "
                "it becomes."
            )
    return by_row(frame)


def _rows(transition: Any) -> dict[Any, Any]:
    """The table by its rows; each is a mapping or one value."""
    if isinstance(transition, pd.DataFrame):
        return rows_of(transition)
    for value, to in transition.items():
        if not isinstance(to, Mapping) and (np.ndim(to) or not isinstance(to, Hashable)):
            raise ValueError(
                f"transition: {value!r} becomes {shorten(to)}; it should become one value or, with "
                "weights, several: {'b': 0.7, 'c': 0.3}."
            )
    return dict(transition)


def _fits(value: Any, kind: str) -> bool:
    """Whether a value can stand in a column of a kind."""
    if kind == "bool":
        return isinstance(value, (bool, np.bool_))
    return kind == "text" or is_number(value)


def _together(targets: list[Any], kind: str) -> np.ndarray:
    values = np.array([*targets, None], dtype=object)[:-1]
    if kind == "text":
        return values
    if kind == "bool":
        return values.astype(bool)
    limits = np.iinfo(np.int64)
    whole = all(float(b).is_integer() and limits.min <= b <= limits.max for b in targets)
    return values.astype(np.int64 if whole else float)


def value_by_transition(struck: Struck) -> Coded:
    """What every struck cell becomes, by its own chances; values without any stay."""
    facts: Transitions = struck.facts
    codes, distinct = struck.coded
    place = np.append(facts.places(distinct), -1)[codes]
    u = struck.draws.uniform()
    new = np.full(struck.size, -1, dtype=np.intp)
    for i in np.unique(place[place >= 0]):
        to, below = facts.moves[i]
        here = place == i
        picked = np.searchsorted(below, u[here], side="right")
        new[here] = to[np.minimum(picked, len(to) - 1)]
    return Coded(new, facts.targets)
