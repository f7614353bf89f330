"""Conjunctions of conditions on attributes, the label included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from skcorrupt.utils._typing import ColumnLike, TableLike

from ..utils import Reader, Table, Target, as_table, cut, document, name_of, shorten
from ._condition import FIELDS, Condition, all_of
from ._match import label_table, match_column, match_label
from ._names import attribute_of, key_of, listed, may_resolve, resolve, text_of
from ._parser import parse_text

EVERY_ROW = "every row"


class Pattern:
    """A conjunction of conditions on attributes: where errors strike.

    A pattern is immutable and hashable. It has one condition an attribute: conditions on the
    same attribute are merged. The order of the conditions is kept in the text and does not
    matter for equality.

    Parameters
    ----------
    conditions : mapping, default=None
        Keys are attributes: `"y"` is the label, any other string a column. A column called y is
        written "`y`", in backticks; backticks around other names are optional. Other labels, such
        as integers, stand for their text. Values are a tuple `(low, high)` for a closed range
        whose ends may be None, a set or list for one of its values, a scalar for equality, or a
        `Condition`. None or an empty mapping matches every row.

    Attributes
    ----------
    columns : tuple of str
        The columns the pattern reads, the label not among them.
    uses_y : bool
        Whether the pattern reads the label.
    n_conditions : int
        The number of columns that have a condition; the label is not counted.
    conditions : mapping of str to Condition
        The conditions by key, as the constructor takes them; read-only.

    Raises
    ------
    ValueError
        If a condition is malformed or if no row can match.

    See Also
    --------
    as_pattern : Makes a pattern from whatever a `pattern=` parameter takes.

    Notes
    -----
    Missing cells match nothing. Numbers are compared with the column's own precision: 0.3 equals
    the float32 number that prints as 0.3, while integers are compared exactly. True and 1 are
    different values on columns of mixed objects and the same value on columns of numbers. Dates
    are kept as ISO text and read as dates when they meet a column of dates; a date without a time
    zone is read in the column's own.

    Patterns are those of data corruption processes in "Savage", a paper on stress-testing
    machine learning pipelines.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.patterns import Pattern
    >>> pattern = Pattern({"age": (None, 30), "sex": "Female", "y": 1})
    >>> print(pattern)
    age <= 30 and sex == 'Female' and y == 1
    >>> pattern == Pattern.parse("y == 1 and sex == 'Female' and age <= 30")
    True
    >>> X = pd.DataFrame({"age": [25, 30, 41], "sex": ["Female", "Male", "Female"]})
    >>> pattern.mask(X, [1, 1, 1])
    array([ True, False, False])
    """

    __slots__ = ("_hash", "_items")

    _items: dict[str | None, Condition]
    _hash: int

    def __init__(self, conditions: Mapping[Any, Any] | None = None) -> None:
        if conditions is None:
            conditions = {}
        if not isinstance(conditions, Mapping):
            raise TypeError(
                f"conditions should be a mapping or None, got {shorten(conditions)}; use "
                "Pattern.parse for text"
            )
        pairs = ((attribute_of(key), spec) for key, spec in conditions.items())
        self._fill(pairs)

    def _fill(self, pairs: Iterable[tuple[str | None, Any]]) -> None:
        specs: dict[str | None, list[Any]] = {}
        for attribute, spec in pairs:
            specs.setdefault(attribute, []).append(spec)
        items: dict[str | None, Condition] = {}
        for attribute, given in specs.items():
            try:
                each = [Condition.from_spec(spec) for spec in given]
                items[attribute] = each[0] if len(each) == 1 else all_of(each)
            except ValueError as error:
                name = cut(text_of(attribute))
                subject = "the label y" if attribute is None else f"column {name}"
                raise ValueError(f"The pattern is refused at {subject}: {error}.") from None
        object.__setattr__(self, "_items", items)
        object.__setattr__(self, "_hash", hash(frozenset(items.items())))

    @classmethod
    def _from_pairs(cls, pairs: Iterable[tuple[str | None, Any]]) -> Pattern:
        pattern = cls.__new__(cls)
        pattern._fill(pairs)
        return pattern

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """Read a pattern from text.

        The text is parsed to a syntax tree, of which a few nodes are allowed; it is never run.

        Parameters
        ----------
        text : str
            Comparisons ``== <= >= < > in`` of a name with values, or chains of them, joined by
            ``and``; or ``every row``. Bare ``y`` is the label. Other names may stand in backticks
            and must where they are not plain words; a backtick within a name is doubled. Bare
            ``inf`` is infinity.

        Returns
        -------
        Pattern
            The pattern; ``Pattern.parse(str(p)) == p``.

        Raises
        ------
        ValueError
            If the text holds anything else, or no row can match.

        Examples
        --------
        >>> Pattern.parse("18 <= age < 30 and `marital status` in ('single', 'widowed')").columns
        ('age', 'marital status')
        """
        if not isinstance(text, str):
            raise TypeError(f"text should be a string, got {shorten(text)}")
        if text.strip() == EVERY_ROW:
            return cls()
        try:
            pairs = parse_text(text)
        except ValueError as error:
            reason = str(error).rstrip(".")
            raise ValueError(f"Pattern {shorten(text)} is refused: {reason}.") from None
        return cls._from_pairs(pairs)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns the pattern reads, the label not among them."""
        return tuple(attribute for attribute in self._items if attribute is not None)

    @property
    def uses_y(self) -> bool:
        """Whether the pattern reads the label."""
        return None in self._items

    @property
    def n_conditions(self) -> int:
        """The number of columns that have a condition; the label is not counted."""
        return len(self.columns)

    @property
    def conditions(self) -> Mapping[str, Condition]:
        """The conditions by key, as the constructor takes them."""
        return MappingProxyType({key_of(name): c for name, c in self._items.items()})

    def mask(self, X: TableLike | Table, y: ColumnLike | None = None) -> np.ndarray:
        """Which rows match.

        Parameters
        ----------
        X : DataFrame, ndarray or sparse matrix of shape (n_samples, n_features)
            The table. Columns of arrays and sparse matrices are called x0, x1, … and may be
            named by their position too. Only the columns of the pattern are read.
        y : array-like of shape (n_samples,), default=None
            The labels; needed if the pattern uses them. A condition on the name of a Series that
            no column has is one on the label.

        Returns
        -------
        ndarray of bool, shape (n_samples,)
            True where every condition holds.

        Raises
        ------
        ValueError
            If a column is absent or ambiguous, a value is of a type that the column or the label
            does not have, or `y` is needed and missing, of another length or of several columns.

        Examples
        --------
        >>> import numpy as np
        >>> Pattern.parse("x1 >= 2").mask(np.array([[0, 1], [0, 2], [0, np.nan]]))
        array([False,  True, False])
        """
        table = as_table(X)
        out = np.ones(table.n_rows, dtype=bool)
        try:
            for attribute, condition in self._on_label(table, y)._items.items():
                if attribute is None:
                    out &= match_label(self._label(table, y), condition)
                else:
                    out &= match_column(table, resolve(table, attribute), condition, attribute)
        except ValueError as error:
            raise ValueError(
                f"Pattern {shorten(str(self))} does not fit X: {error}. {listed(table)}."
            ) from None
        return out

    def labelled(self, X: TableLike | Table, y: ColumnLike | Target | None = None) -> Pattern:
        """The same pattern with its columns under the labels that they have in a table.

        Parameters
        ----------
        X : DataFrame, ndarray or sparse matrix of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,), default=None
            The labels; where it is a Series, its name means the label, as `y` does, unless a
            column has that name.

        Returns
        -------
        Pattern
            Equal patterns are those that mean the same columns, named by position or not.

        Raises
        ------
        ValueError
            If a column is absent or ambiguous.

        Examples
        --------
        >>> import numpy as np
        >>> import pandas as pd
        >>> print(Pattern({0: 5}).labelled(np.zeros((2, 2))))
        x0 == 5
        >>> X, survived = pd.DataFrame({"age": [4, 40]}), pd.Series([1, 0], name="survived")
        >>> print(Pattern.parse("survived == 1").labelled(X, survived))
        y == 1
        """
        table = as_table(X)
        pattern = self._on_label(table, y)
        try:
            names = [
                None if name is None else str(table.labels[resolve(table, name)])
                for name in pattern._items
            ]
        except ValueError as error:
            raise ValueError(
                f"Pattern {shorten(str(self))} does not fit X: {error}. {listed(table)}."
            ) from None
        return self._from_pairs(zip(names, pattern._items.values(), strict=True))

    def _on_label(self, table: Table, y: Any) -> Pattern:
        """The pattern with `y` in place of the name of a Series of labels."""
        name = y.name if isinstance(y, Target) else name_of(y)
        if not name or name not in self._items or may_resolve(table, name):
            return self
        keys = [None if key == name else key for key in self._items]
        return self._from_pairs(zip(keys, self._items.values(), strict=True))

    @staticmethod
    def _label(table: Table, y: Any) -> Table:
        if y is None:
            hint = ""
            if "y" in table.labels:
                hint = "; the column called y is written in backticks, `y`"
            raise ValueError(f"the pattern uses the label, so y is needed, but it is None{hint}")
        return label_table(y, table.n_rows)

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """The pattern as a JSON-serialisable dict.

        Returns
        -------
        dict
            ``{"conditions": [...]}``; each condition has ``"column"`` or ``"label": True``, and
            ``"in"`` or bounds ``"ge"``, ``"gt"``, ``"le"``, ``"lt"``.

        Examples
        --------
        >>> Pattern({"age": (18, None), "y": 1}).to_dict()
        {'conditions': [{'column': 'age', 'ge': 18}, {'label': True, 'in': [1]}]}
        """
        conditions = []
        for attribute, condition in self._items.items():
            subject = {"label": True} if attribute is None else {"column": attribute}
            conditions.append({**subject, **condition.to_dict()})
        return {"conditions": conditions}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Pattern:
        """The inverse of `to_dict`.

        Parameters
        ----------
        data : mapping
            What `to_dict` returned, perhaps by way of JSON.

        Returns
        -------
        Pattern
            An equal pattern.

        Raises
        ------
        ValueError
            If a field is missing, unknown or of the wrong type; the message names it.

        Examples
        --------
        >>> Pattern.from_dict({"conditions": [{"column": "age", "ge": 18}]})
        Pattern.parse('age >= 18')
        """
        return cls._read(document(data))

    @classmethod
    def _read(cls, reader: Reader) -> Pattern:
        conditions = reader.fields(["conditions"], what="a pattern")["conditions"]
        pairs = [_entry(each) for each in conditions.items("a list of conditions")]
        return reader.made(cls._from_pairs, pairs)

    def __and__(self, other: Pattern) -> Pattern:
        """The pattern of the rows that match both; ValueError if none can."""
        if not isinstance(other, Pattern):
            return NotImplemented
        if not self._items or not other._items:
            return self if self._items else other
        return self._from_pairs([*self._items.items(), *other._items.items()])

    def __eq__(self, other: object) -> bool:
        return self._items == other._items if isinstance(other, Pattern) else NotImplemented

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        if not self._items:
            return EVERY_ROW
        return " and ".join(c.describe(text_of(name)) for name, c in self._items.items())

    def __repr__(self) -> str:
        return f"Pattern.parse({str(self)!r})"

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Pattern cannot be changed; {name!r} was to be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Pattern cannot be changed; {name!r} was to be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._from_pairs, (tuple(self._items.items()),)


def _entry(reader: Reader) -> tuple[str | None, Condition]:
    fields = reader.fields([], ["column", "label", *FIELDS], "a condition")
    column, label = fields.pop("column", None), fields.pop("label", None)
    if (column is None) == (label is None):
        reader.refuse("an object with either 'column' or 'label'")
    if label is not None and label.value is not True:
        label.refuse("true, or be left out")
    if column is not None and not isinstance(column.value, str):
        column.refuse("a text")
    return None if column is None else column.value, Condition._read(reader, fields)


@lru_cache(maxsize=128)
def _parsed(text: str) -> Pattern:
    # a corruption asks for its pattern several times with each table
    return Pattern.parse(text)


def as_pattern(spec: PatternLike) -> Pattern:
    """Make a pattern from whatever a `pattern=` parameter takes.

    Parameters
    ----------
    spec : Pattern, str, mapping or None
        A pattern, its text, its mapping, or None for every row.

    Returns
    -------
    Pattern
        The pattern.

    Raises
    ------
    TypeError
        If `spec` is none of these.
    ValueError
        If its content is refused.

    Examples
    --------
    >>> from skcorrupt.patterns import as_pattern
    >>> as_pattern("age <= 30") == as_pattern({"age": (None, 30)})
    True
    >>> print(as_pattern(None))
    every row
    """
    if isinstance(spec, Pattern):
        return spec
    if isinstance(spec, str):
        return _parsed(str(spec))
    if spec is None or isinstance(spec, Mapping):
        return Pattern(spec)
    raise TypeError(
        f'pattern={shorten(spec)} should be a Pattern, a string such as "age <= 30", a dict '
        "such as {'age': (None, 30)}, or None for every row"
    )


# what a `pattern=` parameter takes
PatternLike: TypeAlias = Pattern | str | Mapping[Any, Any] | None
