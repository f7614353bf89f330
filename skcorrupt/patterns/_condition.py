"""What one attribute may be: a range or a set of values."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ..utils import Reader, cut, document, shorten
from ._values import (
    Scalar,
    canonical,
    from_json,
    group,
    instant,
    is_missing,
    to_json,
    to_text,
    token,
)

_SIGNS: Final = {"ge": ">=", "gt": ">", "le": "<=", "lt": "<"}
FIELDS: Final = ("in", *_SIGNS)
_COLLECTIONS: Final = (list, set, frozenset)


class Condition:
    """The values that one attribute may have: a range, or one of some values.

    A condition is immutable and hashable. Missing cells never satisfy it. A closed range whose
    two ends are equal is the same condition as equality with that end.

    Parameters
    ----------
    ge, gt : number or str, default=None
        Lower bound, included (`ge`) or not (`gt`); at most one of them. None: no bound.
    le, lt : number or str, default=None
        Upper bound, included (`le`) or not (`lt`); at most one of them. None: no bound.
    one_of : iterable of scalars, default=None
        The allowed values; excludes the bounds. True and 1 are different values.

    Attributes
    ----------
    lower, upper : int, float, str or None
        The bounds. String bounds are dates, durations or ordered categories.
    lower_closed, upper_closed : bool
        Whether the bound itself belongs to the range.
    bounds : dict
        The bounds there are by name (ge, gt, le, lt), the lower one first.
    values : tuple or None
        The allowed values, sorted; None for a range.

    Raises
    ------
    ValueError
        If a value is missing or of an unknown type, or if nothing can satisfy the condition.

    Examples
    --------
    >>> from skcorrupt.patterns import Condition, Pattern
    >>> str(Pattern({"age": Condition(ge=18, lt=30)}))
    '18 <= age < 30'
    >>> Condition(one_of=["b", "a"])
    Condition(one_of=('a', 'b'))
    """

    __slots__ = ("_key", "lower", "lower_closed", "upper", "upper_closed", "values")

    lower: int | float | str | None
    upper: int | float | str | None
    lower_closed: bool
    upper_closed: bool
    values: tuple[Scalar, ...] | None
    _key: tuple[Any, ...]

    def __init__(
        self,
        *,
        ge: Any = None,
        gt: Any = None,
        le: Any = None,
        lt: Any = None,
        one_of: Iterable[Any] | None = None,
    ) -> None:
        lower, lower_closed = _one_bound(("ge", ge), ("gt", gt), no_bound=-np.inf)
        upper, upper_closed = _one_bound(("le", le), ("lt", lt), no_bound=np.inf)
        values = None
        if one_of is not None:
            if lower is not None or upper is not None:
                raise ValueError("give either bounds or one_of, not both")
            values = _sorted_values(one_of)
        elif lower is not None and upper is not None:
            if _crossed(lower, upper, lower_closed and upper_closed):
                raise ValueError(
                    f"no value lies between {shorten(lower)} and {shorten(upper)}; the lower "
                    "bound comes first"
                )
            if lower == upper and lower_closed and upper_closed:
                values, lower, upper = (lower,), None, None
        self._set(lower, lower_closed, upper, upper_closed, values)

    def _set(
        self, lower: Any, lower_closed: Any, upper: Any, upper_closed: Any, values: Any
    ) -> None:
        put = object.__setattr__
        put(self, "lower", lower)
        put(self, "lower_closed", lower_closed)
        put(self, "upper", upper)
        put(self, "upper_closed", upper_closed)
        put(self, "values", values)
        tokens = None if values is None else tuple(token(value) for value in values)
        put(self, "_key", (lower, lower_closed, upper, upper_closed, tokens))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Condition cannot be changed; {name!r} was to be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Condition cannot be changed; {name!r} was to be deleted")

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Condition) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        if self.values is not None:
            return f"Condition(one_of={self.values!r})"
        bounds = ", ".join(f"{name}={value!r}" for name, value in self.bounds.items())
        return f"Condition({bounds})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.bounds, self.values)

    def __and__(self, other: Condition) -> Condition:
        """The condition that holds where both do; ValueError if it can never hold."""
        if not isinstance(other, Condition):
            return NotImplemented
        if self.values is None and other.values is None:
            return _intersect_ranges(self, other)
        if self.values is None:
            return other & self
        if other.values is not None:
            allowed = {token(value) for value in other.values}
            kept = [value for value in self.values if token(value) in allowed]
        else:
            kept = [value for value in self.values if _in_range(value, other)]
        if not kept:
            raise ValueError(
                f"nothing can be {cut(self.describe('it'))} and {cut(other.describe('it'))} at once"
            )
        return Condition(one_of=kept)

    @property
    def bounds(self) -> dict[str, int | float | str]:
        """The bounds there are by name (ge, gt, le, lt), the lower one first."""
        bounds: dict[str, int | float | str] = {}
        if self.lower is not None:
            bounds["ge" if self.lower_closed else "gt"] = self.lower
        if self.upper is not None:
            bounds["le" if self.upper_closed else "lt"] = self.upper
        return bounds

    def describe(self, name: str) -> str:
        """The condition on an attribute as pattern text.

        Parameters
        ----------
        name : str
            The attribute as it is written in a pattern, with its backticks if it needs any.

        Returns
        -------
        str
            Text such as ``18 <= age < 30``.

        Examples
        --------
        >>> Condition(ge=18, lt=30).describe("age")
        '18 <= age < 30'
        """
        if self.values is not None:
            if len(self.values) == 1:
                return f"{name} == {to_text(self.values[0])}"
            return f"{name} in ({', '.join(map(to_text, self.values))})"
        if not self.bounds:
            return f"{name} <= inf"
        texts = [(_SIGNS[sign], to_text(bound)) for sign, bound in self.bounds.items()]
        if len(texts) == 1:
            return f"{name} {texts[0][0]} {texts[0][1]}"
        (more, low), (less, high) = texts
        return f"{low} {more.replace('>', '<')} {name} {less} {high}"

    def to_dict(self) -> dict[str, Any]:
        """The condition as a JSON-serialisable dict.

        Returns
        -------
        dict
            ``{"in": [...]}`` or a choice of ``ge, gt, le, lt``; infinity is
            ``{"float": "inf"}``, because JSON has none.

        Examples
        --------
        >>> Condition(ge=18, lt=30).to_dict()
        {'ge': 18, 'lt': 30}
        """
        if self.values is not None:
            return {"in": [to_json(value) for value in self.values]}
        return {name: to_json(value) for name, value in self.bounds.items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Condition:
        """The inverse of `to_dict`.

        Parameters
        ----------
        data : mapping
            What `to_dict` returned.

        Returns
        -------
        Condition
            An equal condition.

        Raises
        ------
        ValueError
            If a field is unknown or its value is refused.

        Examples
        --------
        >>> Condition.from_dict({"in": ["a", "b"]})
        Condition(one_of=('a', 'b'))
        """
        reader = document(data)
        return cls._read(reader, reader.fields([], FIELDS, "a condition"))

    @classmethod
    def _read(cls, reader: Reader, fields: Mapping[str, Reader]) -> Condition:
        given: dict[str, Any] = {}
        for name, field in fields.items():
            if name == "in":
                each = field.items("a list of values")
                given["one_of"] = [item.made(from_json, item.value) for item in each]
            else:
                given[name] = field.made(from_json, field.value)
        return reader.made(cls, **given)

    @classmethod
    def from_spec(cls, spec: Any) -> Condition:
        """The condition that a value of a pattern's mapping stands for.

        Parameters
        ----------
        spec : Condition, tuple (low, high), list, set or scalar
            A closed range (None leaves an end open), one of some values, or equality.

        Returns
        -------
        Condition
            The condition.

        Raises
        ------
        ValueError
            If `spec` is none of these.

        Examples
        --------
        >>> Condition.from_spec((None, 30))
        Condition(le=30)
        """
        if isinstance(spec, Condition):
            return spec
        if isinstance(spec, tuple):
            if len(spec) != 2:
                raise ValueError(
                    f"a tuple is a range (low, high), got {shorten(spec)}; write one of some "
                    "values as a set or a list"
                )
            return cls(ge=spec[0], le=spec[1])
        if isinstance(spec, _COLLECTIONS):
            return cls(one_of=spec)
        return cls(one_of=[spec])


def all_of(conditions: Sequence[Condition]) -> Condition:
    """The condition that holds where all of some do; ValueError if it can never hold.

    Parameters
    ----------
    conditions : sequence of Condition
        One or more.

    Returns
    -------
    Condition
        What `&` between them gives, in time linear in their values.
    """
    ranges = [condition for condition in conditions if condition.values is None]
    sets = [condition for condition in conditions if condition.values is not None]
    # a range goes through all values of a set, and two sets leave no more than the smaller has
    sets.sort(key=lambda condition: len(condition.values or ()))
    parts = [functools.reduce(operator.and_, same) for same in (sets, ranges) if same]
    return functools.reduce(operator.and_, parts)


def _rebuild(bounds: dict[str, Any], values: tuple[Any, ...] | None) -> Condition:
    return Condition(**bounds, one_of=values)


def _one_bound(
    closed: tuple[str, Any], strict: tuple[str, Any], no_bound: float
) -> tuple[Any, ...]:
    if closed[1] is not None and strict[1] is not None:
        raise ValueError(f"give {closed[0]} or {strict[0]}, not both")
    is_closed = strict[1] is None
    value = closed[1] if is_closed else strict[1]
    if value is None:
        return None, True
    if is_missing(value):
        raise ValueError(f"{value!r} is not a bound; use None to leave an end open")
    value = canonical(value)
    value = int(value) if isinstance(value, bool) else value
    if isinstance(value, float) and abs(value) == np.inf:
        if value == no_bound and is_closed:
            return None, True
        if value == -no_bound and not is_closed:
            raise ValueError(f"no value lies beyond {value!r}")
    return value, is_closed


def _sorted_values(values: Iterable[Any]) -> tuple[Scalar, ...]:
    if isinstance(values, (str, bytes, Mapping)):
        raise ValueError(f"one_of should be a list of values, got {shorten(values)}")
    unique = {token(value): value for value in map(canonical, values)}
    if not unique:
        raise ValueError("a set of no values matches nothing; give at least one value")
    return tuple(unique[key] for key in sorted(unique))


def _compared(a: Any, b: Any, compare: Callable[[Any, Any], bool]) -> bool | None:
    """Whether `compare(a, b)` holds, or None where only a column can tell their order."""
    if a == b:
        return compare(0, 0)
    if isinstance(a, str) and isinstance(b, str):
        first, second = instant(a), instant(b)
        if first is None or second is None or (first.tz is None) != (second.tz is None):
            return None
        return bool(compare(first, second))
    return bool(compare(a, b))


def _crossed(lower: Any, upper: Any, closed: bool) -> bool:
    if group(lower) != group(upper):
        raise ValueError(
            f"the bounds {shorten(lower)} and {shorten(upper)} are a number and a string"
        )
    if lower == upper:
        return not closed
    return bool(_compared(lower, upper, operator.gt))


def _tighter(
    a: tuple[Any, ...], b: tuple[Any, ...], beyond: Callable[[Any, Any], bool]
) -> tuple[Any, ...]:
    """The tighter of two (bound, closed) ends; `beyond(x, y)` says x is the tighter bound."""
    if a[0] is None or b[0] is None:
        return b if a[0] is None else a
    if group(a[0]) != group(b[0]):
        raise ValueError(f"the bounds {shorten(a[0])} and {shorten(b[0])} are of two types")
    if a[0] == b[0]:
        return a if not a[1] else b
    decided = _compared(a[0], b[0], beyond)
    if decided is None:
        raise ValueError(
            f"the bounds {shorten(a[0])} and {shorten(b[0])} cannot be merged, because their "
            "order is known to the column only; give one of them"
        )
    same_moment = _compared(a[0], b[0], operator.eq)
    return a if decided or (same_moment and not a[1]) else b


def _intersect_ranges(a: Condition, b: Condition) -> Condition:
    lower, lower_closed = _tighter(
        (a.lower, a.lower_closed), (b.lower, b.lower_closed), operator.gt
    )
    upper, upper_closed = _tighter(
        (a.upper, a.upper_closed), (b.upper, b.upper_closed), operator.lt
    )
    return Condition(
        **{"ge" if lower_closed else "gt": lower, "le" if upper_closed else "lt": upper}
    )


def _in_range(value: Scalar, bounds: Condition) -> bool:
    sides = (
        (bounds.lower, operator.ge if bounds.lower_closed else operator.gt),
        (bounds.upper, operator.le if bounds.upper_closed else operator.lt),
    )
    for bound, holds in sides:
        if bound is None:
            continue
        if isinstance(value, str) != isinstance(bound, str):
            return False
        inside = _compared(value, bound, holds)
        if inside is None:
            raise ValueError(
                f"{shorten(value)} cannot be compared with the bound {shorten(bound)}, because "
                "their order is known to the column only; leave one out"
            )
        if not inside:
            return False
    return True
