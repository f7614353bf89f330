"""The values one column can take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils._typing import ColumnLike

from ..patterns import Condition
from ..patterns._match import match_column, one_column
from ..patterns._values import canonical, category_token, cell_token, from_json, to_json
from ..utils import Reader, document, shorten

KINDS = ("boolean", "integer", "real", "categorical", "datetime", "timedelta")

_TIMES = {"datetime": pd.Timestamp, "timedelta": pd.Timedelta}


@dataclass(frozen=True)
class FeatureDomain:
    """The values one column can take.

    Parameters
    ----------
    name : str
        The column's name, as patterns write it; labels that are not strings are given by their
        text.
    kind : {"boolean", "integer", "real", "categorical", "datetime", "timedelta"}
        What the values are, whatever their dtype.
    lower, upper : bool, int, float, Timestamp or Timedelta, default=None
        The least and greatest value; None for categories.
    values : tuple, default=None
        The distinct values in order; None where there are too many to list, or for times.
    step : int, default=None
        1 for integers, which take every whole number from `lower` to `upper`.
    has_missing : bool, default=False
        Whether cells may be missing.

    Raises
    ------
    ValueError
        If a field does not fit the kind.

    See Also
    --------
    infer_domains : The domains of all columns of a table.

    Examples
    --------
    >>> from skcorrupt.attributes import FeatureDomain
    >>> age = FeatureDomain("age", "integer", lower=18, upper=90, step=1)
    >>> age.contains([18, 30.5, 91, None])
    array([ True, False, False, False])
    """

    name: str
    kind: str
    lower: Any = None
    upper: Any = None
    values: tuple[Any, ...] | None = None
    step: int | None = None
    has_missing: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise ValueError(f"name should be a string, got {shorten(self.name)}")
        if not isinstance(self.kind, str) or self.kind not in KINDS:
            raise ValueError(f"kind={shorten(self.kind)} should be one of {KINDS}")
        if not isinstance(self.has_missing, bool):
            raise ValueError(f"has_missing={shorten(self.has_missing)} should be True or False")
        steps = isinstance(self.step, Integral) and self.step == 1
        if not (steps if self.kind == "integer" else self.step is None):
            raise ValueError(f"step={shorten(self.step)} should be 1 for integers, None otherwise")
        bounded = self.lower is not None and self.upper is not None
        if self.kind == "categorical":
            if self.lower is not None or self.upper is not None or self.values is None:
                raise ValueError(
                    "a categorical domain has values and no bounds, got "
                    f"values={shorten(self.values)}, lower={shorten(self.lower)} and "
                    f"upper={shorten(self.upper)}; pass a tuple as values, None as bounds"
                )
        elif not bounded or not self._ordered():
            raise ValueError(
                f"lower={shorten(self.lower)} and upper={shorten(self.upper)} should be the least "
                f"and greatest value of a {self.kind} domain"
            )
        if self.values is not None and not isinstance(self.values, tuple):
            raise ValueError(f"values={shorten(self.values)} should be a tuple or None")

    def _ordered(self) -> bool:
        expected = _TIMES.get(self.kind, (Real, np.bool_))
        are_so = isinstance(self.lower, expected) and isinstance(self.upper, expected)
        try:
            return are_so and bool(self.lower <= self.upper)
        except TypeError:
            # one has a time zone
            return False

    def contains(self, values: ColumnLike) -> np.ndarray:
        """Which values belong to the domain.

        Numbers and times belong if they lie between the bounds, whole ones only for integers,
        whether or not they were observed. Categories belong if they are listed. A missing value
        belongs if the domain has missing cells.

        Parameters
        ----------
        values : array-like of shape (n,)
            Values to test.

        Returns
        -------
        ndarray of bool, shape (n,)
            True where the value belongs.

        Examples
        --------
        >>> FeatureDomain("sex", "categorical", values=("Female", "Male")).contains(["Male", "x"])
        array([ True, False])
        """
        table = one_column(values, "values")
        missing = table.missing(0)
        if self.kind == "categorical":
            known = {category_token(value) for value in self.values or ()}
            found = [category_token(cell) in known for cell in table.values(0)]
            return np.where(missing, self.has_missing, np.array(found, dtype=bool))
        if self.kind == "boolean":
            condition = Condition(one_of=[False, True, 0, 1])
        else:
            condition = Condition(ge=self.lower, le=self.upper)
        try:
            inside = match_column(table, 0, condition, "values")
        except ValueError:
            # None of them is of the domain's type.
            inside = np.zeros(table.n_rows, dtype=bool)
        if self.kind == "integer":
            inside &= _whole(table.values(0))
        return np.where(missing, self.has_missing, inside)

    def to_dict(self) -> dict[str, Any]:
        """The domain as a JSON-serialisable dict.

        Returns
        -------
        dict
            The fields; times are text and infinity is ``{"float": "inf"}``.

        Examples
        --------
        >>> FeatureDomain("x", "real", lower=0.5, upper=2, has_missing=True).to_dict()
        {'name': 'x', 'kind': 'real', 'lower': 0.5, 'upper': 2, 'values': None,
         'step': None, 'has_missing': True}
        """
        data = asdict(self)
        for bound in ("lower", "upper"):
            data[bound] = None if data[bound] is None else to_json(canonical(data[bound]))
        if self.values is not None:
            data["values"] = [to_json(canonical(value)) for value in self.values]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FeatureDomain:
        """The inverse of `to_dict`.

        Parameters
        ----------
        data : mapping
            What `to_dict` returned, perhaps by way of JSON.

        Returns
        -------
        FeatureDomain
            An equal domain.

        Raises
        ------
        ValueError
            If a field is missing, unknown or refused; the message names it.

        Examples
        --------
        >>> domain = FeatureDomain("x", "integer", lower=0, upper=9, step=1)
        >>> FeatureDomain.from_dict(domain.to_dict()) == domain
        True
        """
        reader = document(data)
        found = reader.fields([field.name for field in fields(cls)], what="a domain")
        kind = found["kind"].one_of(KINDS)
        known = {name: field.value for name, field in found.items()}
        for bound in ("lower", "upper"):
            if known[bound] is not None:
                known[bound] = _read(found[bound], kind)
        if known["values"] is not None:
            known["values"] = tuple(_read(each) for each in found["values"].items())
        return reader.made(cls, **known)


def _read(reader: Reader, kind: str = "") -> Any:
    if kind not in _TIMES:
        return reader.made(from_json, reader.value)
    try:
        return _TIMES[kind](reader.text())
    except ValueError:
        reader.refuse(f"the text of a {kind}")


def _whole(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind == "f":
        return values == np.floor(values)
    if values.dtype.kind != "O":
        return np.ones(len(values), dtype=bool)
    tokens = map(cell_token, values)
    return np.array([found is not None and isinstance(found[1], int) for found in tokens], bool)
