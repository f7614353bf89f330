"""Numbers as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from sklearn.utils import Tags

from skcorrupt.base import FeatureCorruption, Mechanism, Struck
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import Coded, Table, resolve_columns, warn
from skcorrupt.utils._compat import StrOptions
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

TypeKind = Literal["decimal_comma", "unit", "thousands", "scientific", "plain"]
_LEAST_THOUSAND = 1000


class CorruptType(FeatureCorruption):
    """Put numbers as text, as forms and spreadsheets do: "12,5", "12.5 kg".

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Numeric columns to strike; None is all of them.
    kind : {"decimal_comma", "unit", "thousands", "scientific", "plain"}, default="decimal_comma"
        How numbers are written: "12,5" (a whole one as "12,0"), "12.5 kg", "1,234.5", "1.25e+01",
        or "12.5", which is text for all that; whole numbers have no
        point. "thousands" strikes numbers from 1000 on, and up to
        −1000.
    unit : str, default="kg"
        What `kind="unit"` puts behind the numbers, after a space.
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    mechanism : MAR, MNAR or None, default=None
        What makes rows more likely to be struck; None is completely at random.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is 0.1.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    same_rows : bool, default=True
        Whether several columns are struck on the same rows.
    when : {"fit", "always"}, default="fit"
        Corrupt in `fit_transform` only, or in every `transform`.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    record_ : CorruptionRecord
        What the last `fit_transform` changed.

    Notes
    -----
    A struck column of a pandas frame becomes one of objects, in which the other cells are numbers
    still. Arrays have to be of objects (`X.astype(object)`), as those of numbers hold no text;
    polars frames, whose columns are of one type, and sparse matrices are not taken; where no column
    is named, arrays and polars frames stay as they are, with a warning. Most pipelines cannot take
    texts among numbers, and a search says so: put a step first that reads them. Missing and
    infinite numbers stay.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptType
    >>> X = pd.DataFrame({"weight": [12.5, 80.0]})
    >>> CorruptType(rate=1.0).fit_transform(X)["weight"].tolist()
    ['12,5', '80,0']
    >>> heavy = CorruptType(kind="unit", pattern="weight > 50", rate=1.0)
    >>> heavy.fit_transform(X)["weight"].tolist()
    [12.5, '80 kg']
    """

    short_name = "type"
    title = "numbers as text"
    _draws_values = False
    _kinds = ("integer", "real")

    _parameter_constraints: dict[str, Any] = {
        **FeatureCorruption._parameter_constraints,
        "kind": [StrOptions({"decimal_comma", "unit", "thousands", "scientific", "plain"})],
        "unit": [str],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        kind: TypeKind = "decimal_comma",
        unit: str = "kg",
        pattern: PatternLike = None,
        mechanism: Mechanism | None = None,
        rate: float | None = None,
        sampling: Sampling = "uniform",
        same_rows: bool = True,
        when: When = "fit",
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            columns,
            pattern=pattern,
            mechanism=mechanism,
            rate=rate,
            sampling=sampling,
            same_rows=same_rows,
            when=when,
            random_state=random_state,
        )
        self.kind = kind
        self.unit = unit

    def _check_params(self) -> None:
        super()._check_params()
        if self.kind == "unit" and not self.unit.strip():
            raise ValueError(f"unit={self.unit!r} is no unit; pass a text such as 'kg'.")

    def _applies_to(self, table: Table, j: int) -> bool:
        return super()._applies_to(table, j) and table.takes_texts(j)

    def _applicable_columns(self, table: Table) -> list[int]:
        named = self.columns is not None
        wanted = resolve_columns(table, self.columns) if named else range(table.n_columns)
        numbers = [j for j in wanted if table.kind(j) in self._kinds]
        without = [j for j in numbers if not table.takes_texts(j)]
        if not without or (len(without) < len(numbers) and not named):
            return super()._applicable_columns(table)
        remedy = "X.to_pandas()" if table.container == "polars" else "X.astype(object)"
        message = (
            f"columns: {table.labels[without[0]]!r} is of numbers, and a {table.container} table "
            f"cannot hold texts among them; pass a pandas DataFrame, or {remedy}."
        )
        if named:
            raise ValueError(message)
        if self._rate > 0:
            warn(f"{message} Nothing will be corrupted.")
        return []

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns("Numbers as text", columns)

    def _can_change(self, table: Table, column: int) -> np.ndarray:
        values = table.values(column)
        able = ~table.missing(column)
        return able & self._able_numbers(values)

    def _able_numbers(self, values: np.ndarray) -> np.ndarray:
        with np.errstate(invalid="ignore"):
            size = np.abs(values.astype(float))
            least = _LEAST_THOUSAND if self.kind == "thousands" else 0
            return np.isfinite(size) & (size >= least)

    def _new_values(self, struck: Struck) -> Any:
        values = struck.values
        able = self._able_numbers(values)
        texts = [_WRITTEN[self.kind](number) for number in values[able]]
        if self.kind == "unit":
            texts = [f"{text} {self.unit}" for text in texts]
        codes = np.where(able, np.cumsum(able) - 1, -1)
        return Coded(codes, np.array([*texts, None], dtype=object)[:-1])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags


def _plain(number: Any) -> str:
    """A number with all its digits, a whole one without a point whatever its dtype."""
    if isinstance(number, np.floating):
        return np.format_float_positional(number, trim="-")
    return str(number)


def _with_comma(number: Any) -> str:
    text = _plain(number)
    return text.replace(".", ",") if "." in text else f"{text},0"


def _in_thousands(number: Any) -> str:
    whole, point, rest = _plain(number).partition(".")
    return f"{int(whole):,}{point}{rest}"


def _scientific(number: Any) -> str:
    return np.format_float_scientific(float(number), trim="-")


_WRITTEN: dict[str, Callable[[Any], str]] = {
    "decimal_comma": _with_comma,
    "unit": _plain,
    "thousands": _in_thousands,
    "scientific": _scientific,
    "plain": _plain,
}
