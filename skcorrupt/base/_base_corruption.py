"""The flow that all corruptions share: validate, draw noise, decide what to strike, apply it."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import Tags

from skcorrupt.patterns import Pattern, as_pattern
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import (
    Table,
    Target,
    as_source,
    check_table,
    check_target,
    describe_columns,
    document,
    draw_seed,
    resolve_columns,
    warn,
)
from skcorrupt.utils._compat import Interval, NamedOnce, StrOptions
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels, ColumnLike, RandomState, Sampling, TableLike

from ._corruption_result import CorruptionResult
from ._driver import Driver
from ._edit import Edit, apply_edits
from ._in_parts import corrupt_in_parts
from ._keys import check_order, keys_of_rows, raise_if_struck
from ._mechanism import Mechanism
from ._noise import Noise, noise_for
from ._part_table import Part
from ._read_once import ReadOnce
from ._reference import Reference
from ._sampling import SAMPLINGS, gathered
from ._serialise import Constructed, read_made

DEFAULT_RATE = 0.1
SEEDS = [
    Interval(Integral, 0, None, closed="left"),
    np.random.RandomState,
    np.random.Generator,
    None,
]


class BaseCorruption(Constructed, NamedOnce, BaseEstimator):
    """Base of all corruptions: one class per kind of data error.

    A corruption strikes `rate` of the rows that `pattern` matches. Every row draws one noise
    value and the matched rows with the smallest are struck, so the count is exact, a seed gives
    the same rows again, and the rows struck at a lower rate are among those of a higher one.

    Derive from `FeatureCorruption` to change cells, from `SampleCorruption` to change labels or
    rows; both ask for one method. All else that other rooms ask of a kind of error is asked of
    the class: its `short_name`, what it `strikes`, its `title` and its `phrase`.

    Parameters
    ----------
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    mechanism : MAR, MNAR or None, default=None
        What makes rows more likely to be struck; None is completely at random.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is 0.1, and is searched in a search.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw. None draws a fresh one each time; the record tells which.
    """

    _form = "corruption"
    _is_base = True
    # what a string stands for; the name of the class, unless a class has one of its own
    short_name: ClassVar[str] = "BaseCorruption"
    # "cells", "labels" or "rows"
    strikes: ClassVar[str] = "rows"
    # the kind of error as a noun; the short name, unless a class has one of its own
    title: ClassVar[str] = "errors"
    # of rows, whether they are dropped, which a process decides first, or copied
    _drops = False
    _copies = False
    # whether struck labels go to any other class, and what they are erased to
    _flips: bool = False
    _erased_label: Any = None
    # whether struck cells become missing
    _erases = False
    # whether the values of struck cells are drawn; None where that depends
    _draws_values: bool | None = None
    # which rows new values are taken from: the row that is struck, rows whatever becomes of them,
    # or rows that are spared
    _reads: ClassVar[Literal["row", "rows", "spared"]] = "row"
    # why a table cannot be corrupted in parts, each of which is made of its own rows, or ""
    _why_not_in_parts: ClassVar[str] = ""
    _parameter_constraints: dict[str, Any] = {
        "pattern": "no_validation",
        "mechanism": "no_validation",
        "rate": [NumberInterval(Real, 0, 1, closed="both"), None],
        "sampling": [StrOptions(set(SAMPLINGS))],
        "random_state": SEEDS,
    }

    def __init__(
        self,
        *,
        pattern: PatternLike = None,
        mechanism: Mechanism | None = None,
        rate: float | None = None,
        sampling: Sampling = "uniform",
        random_state: RandomState = None,
    ) -> None:
        self.pattern = pattern
        self.mechanism = mechanism
        self.rate = rate
        self.sampling = sampling
        self.random_state = random_state

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own = vars(cls)
        cls.short_name = own.get("short_name", cls.__name__)
        cls.title = own.get("title", cls.short_name)
        if "_edit" in own and "_why_not_in_parts" not in own:
            cls._why_not_in_parts = "looks at all rows together"

    def phrase(self, columns: Any = (), target: Any = None) -> str:
        """What the error does, as the start of a sentence.

        Parameters
        ----------
        columns : label, list or tuple of labels, default=()
            The columns that are struck.
        target : object, default=None
            The label that struck labels go to, where there is one.

        Returns
        -------
        str
            Such as "Losing `income`"; "in 5 % of rows" or "5 % of rows" goes on from there.
        """
        several = isinstance(columns, (list, tuple))
        return self._phrase(columns if several else [columns], target)

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns(type(self).__name__, columns)

    @staticmethod
    def _in_columns(what: str, columns: Sequence[Any]) -> str:
        return what + (" in " + _ticked(columns) if columns else "")

    def _members(self) -> list[tuple[str, BaseCorruption]]:
        """The single corruptions that this one is made of, with their names."""
        return [("", self)]

    def _can_change(self, table: Table, column: int) -> np.ndarray | None:
        """Rows whose cell in a column the error can change; None for all, or where not known."""
        return None

    def _also_read(self, columns: Sequence[str]) -> list[str]:
        """Names of attributes, beside its own, that new values of struck columns depend on."""
        return []

    def _struck_columns(self, reference: Reference) -> list[int]:
        """Positions of the columns that are struck."""
        return reference.columns

    def _asks_cells(self) -> bool:
        """Whether the values of cells decide on which of them can change."""
        return False

    def _targets(self, classes: Sequence[Any]) -> list[Any]:
        """Of the labels there are, those that a search may aim struck labels at."""
        return []

    def _aimed_at(self, target: Any, classes: Sequence[Any]) -> Self:
        """A copy whose struck labels all go to one label."""
        raise NotImplementedError(f"{type(self).__name__} should define _aimed_at.")

    def _settled(self, table: Table) -> Self:
        """The error with all that it would learn and that decides which rows can change.

        A search, whose splits would each learn something else, asks for it once.
        """
        return self

    def _why_not_searched(self) -> str:
        """Why a search cannot use it, and the remedy, or ""."""
        return ""

    def _simulated_as(self, *, classifier: bool) -> str | None:
        """The kind of error whose effect a search can reckon from weights of rows, or None."""
        return None

    def fit(self, X: TableLike, y: ColumnLike | None = None) -> Self:
        """Learn reference facts, such as scales and categories.

        Parameters
        ----------
        X : DataFrame, array or sparse matrix of shape (n_samples, n_features)
            Clean features.
        y : array-like of shape (n_samples,), default=None
            Clean labels; needed where the corruption or its pattern uses them.

        Returns
        -------
        self : BaseCorruption
            The fitted corruption.
        """
        self._fit(X, y)
        return self

    def corrupt(
        self, X: TableLike, y: ColumnLike | None = None, *, key: ColumnLabels | None = None
    ) -> CorruptionResult:
        """Corrupt data without changing the corruption or the data.

        Parameters
        ----------
        X : DataFrame, array, sparse matrix, or table in parts, of shape (n_samples, n_features)
            Clean features. Tables in parts, which need not fit in memory, are polars LazyFrames,
            pyarrow Datasets, Dask DataFrames, DuckDB relations, others that give an Arrow stream,
            and the paths of Parquet files or of folders of such; they hold the labels too.
        y : array-like of shape (n_samples,) or str, default=None
            Clean labels; of a table in parts the name of their column.
        key : label or list of labels, default=None
            Columns that tell all rows apart. What a row draws then depends on these values, and
            not on its position: tables whose rows come in no fixed order need it.

        Returns
        -------
        CorruptionResult
            `(X, y, record)`: corrupted features and labels in the containers they came in, and
            what was changed. A corruption that was not fitted takes its reference facts from
            this `X`. Of a table in parts X is a polars LazyFrame of all columns, which is computed
            when it is collected or written, y its column of labels, and the record a
            `PartitionedRecord`; the rows and values are those that a table in memory would get.
        """
        self._check_params()
        source = as_source(X)
        if source is not None:
            return corrupt_in_parts(self, source, y, key)
        fitted = hasattr(self, "reference_")
        table = check_table(self if fitted else clone(self), X, reset=not fitted)
        target = check_target(y, table.n_rows)
        reference = self.reference_ if fitted else self._refer(table, target)
        if key is not None:
            check_order(self, key)
            keys = keys_of_rows(table, resolve_columns(table, key, parameter="key"))
            raise_if_struck(self, table, reference, key)
            table.part = Part(0, table.n_rows, keys)
        return self._apply(table, y, target, reference)

    def _check_params(self) -> None:
        """Refuse parameters that are wrong whatever the data are."""
        self._validate_params()
        as_pattern(self.pattern)
        if self.mechanism is None:
            return
        if not isinstance(self.mechanism, Mechanism):
            raise ValueError(
                f"mechanism={self.mechanism!r} should be MAR(columns, strength=1.0), "
                "MNAR(strength=1.0), or None for errors completely at random."
            )
        self.mechanism._check_params()
        self.mechanism._check_strikes(self.strikes, type(self).__name__)

    def _fit(self, X: Any, y: Any, read: ReadOnce | None = None) -> tuple[Table, Target | None]:
        """Learn from data, and hand on what was read of them, now or earlier."""
        self._check_params()
        table, target = (read or ReadOnce()).by(self, X, y)
        self.reference_ = self._refer(table, target)
        return table, target

    def _fit_corrupt(self, X: Any, y: Any, read: ReadOnce | None = None) -> CorruptionResult:
        """Learn from data and corrupt the same data, reading them once, or not at all."""
        if type(self).corrupt is not BaseCorruption.corrupt:
            # a subclass may do something of its own
            return self.fit(X, y).corrupt(X, y)
        table, target = self._fit(X, y, read)
        result = self._apply(table, y, target, self.reference_)
        if read is not None and self.strikes == "labels":
            # of rows that nobody changes, the same table, so that it is known again
            return CorruptionResult(X, result.y, result.record)
        return result

    def _apply(
        self, table: Table, y: Any, target: Target | None, reference: Reference
    ) -> CorruptionResult:
        seed = self._seed(reference)
        return apply_edits(table, y, target, self._edits(table, target, reference, seed), seed)

    def _refer(self, table: Table, target: Target | None) -> Reference:
        """All that there is to learn from clean data."""
        reference = self._learn(table, target)
        if self.mechanism is not None:
            source = self.mechanism._source(self.strikes, table, target)
            reference.drivers = self._learn_drivers(self.mechanism, source, reference)
        return reference

    def _learn(self, table: Table, target: Target | None) -> Reference:
        """Reference facts about clean data."""
        return Reference()

    def _parts(
        self, table: Table, target: Target | None, among: np.ndarray | None
    ) -> list[tuple[np.ndarray | None, float]]:
        """Rows that can be struck, None for all, with their rate; parts have no row in common."""
        return [(self._matched(table, target, among), self._rate)]

    def _learn_drivers(
        self, mechanism: Mechanism, source: Table, reference: Reference
    ) -> list[list[Driver]]:
        """What the mechanism goes by, for every group of columns struck on the same rows."""
        return [mechanism._learn(source, [], [], named=True)]

    def _edits(
        self, table: Table, target: Target | None, reference: Reference, seed: int
    ) -> list[Edit]:
        noise = self._noise(table, reference, seed)
        edit = self._edit(table, target, reference, noise, None)
        if table.part is None or table.part.cuts is None:
            self._warn_of_no_effect(edit, table, reference)
        return [edit]

    def _edit(
        self,
        table: Table,
        target: Target | None,
        reference: Reference,
        noise: Noise,
        among: np.ndarray | None,
    ) -> Edit:
        """What to change; rows outside the mask `among` are not there to be struck."""
        raise NotImplementedError(
            f"{type(self).__name__} should derive from FeatureCorruption or SampleCorruption."
        )

    def _seed(self, reference: Reference) -> int:
        return draw_seed(self.random_state)

    def _noise(self, table: Table, reference: Reference, seed: int) -> Noise:
        return noise_for(table, seed, seed)

    @property
    def _rate(self) -> float:
        return DEFAULT_RATE if self.rate is None else float(self.rate)

    def _scores(
        self,
        noise: Noise,
        stream: int,
        table: Table,
        target: Target | None,
        reference: Reference,
        group: int = 0,
    ) -> np.ndarray:
        """Scores of the rows; the smallest are struck."""
        if self.mechanism is None and not self._draws_rows(table):
            return np.zeros(table.n_rows)
        part = table.part
        first, total = (part.first, part.total) if part is not None else (0, table.n_rows)
        u = gathered(noise.rows(stream), self.sampling, first, total)
        if self.mechanism is None:
            return u
        source = self.mechanism._source(self.strikes, table, target)
        return self.mechanism._ranked(u, source, reference.drivers[group])

    def _draws_rows(self, table: Table) -> bool:
        """Whether chance decides which rows are struck, of those that can be."""
        # rows of a part are struck by where their scores are among those of all parts
        return self._rate != 1 or table.part is not None

    def _matched(
        self, table: Table, target: Target | None, among: np.ndarray | None
    ) -> np.ndarray | None:
        """Rows that the pattern matches, of those there are; None for every row."""
        pattern = as_pattern(self.pattern)
        if pattern == Pattern():
            return among
        if target is not None:
            pattern = pattern._on_label(table, target)
        y = None if target is None or not pattern.uses_y else target.for_patterns
        matched = pattern.mask(table, y)
        return matched if among is None else matched & among

    def _why_nothing_can_change(self, reference: Reference) -> str:
        """Why the error has no effect on any data like those learnt from, and the remedy, or ""."""
        return ""

    def _warn_of_no_effect(self, edit: Edit, table: Table, reference: Reference) -> None:
        if self._rate == 0 or any(len(rows) for rows in edit.touched()):
            return
        n_matched = table.n_rows if edit.matched is None else int(edit.matched.sum())
        reason = self._why_nothing_can_change(reference)
        if not reason:
            if n_matched == 0:
                pattern = str(as_pattern(self.pattern))
                reason = f"none of them matches {pattern=} and can change"
            else:
                reason = f"rate={self._rate:g} of {n_matched} matched rows is less than one row"
            columns = describe_columns(table)
            reason += f". Raise the rate or widen the pattern; columns: {columns}."
        warn(f"{type(self).__name__} changed nothing in {table.n_rows} rows: {reason}")

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> BaseCorruption:
        """The unfitted corruption that `to_dict` described.

        Parameters
        ----------
        data : dict
            A dictionary made by `to_dict`.

        Returns
        -------
        BaseCorruption
            A new corruption of the class named in `data`.

        Raises
        ------
        ValueError
            If `data` does not name a corruption class that is known here, or a part of it is none
            that the class takes; the message names its place in `data`.
        """
        return read_made(document(data), "corruption")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.target_tags.required = self._needs_y()
        return tags

    def _needs_y(self) -> bool:
        try:
            return as_pattern(self.pattern).uses_y
        except (TypeError, ValueError):
            return False


def _ticked(columns: Sequence[Any]) -> str:
    return ", ".join(f"`{column}`" for column in columns)
