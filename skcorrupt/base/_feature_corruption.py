"""Corruptions of cells: scikit-learn transformers that keep rows and labels."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from skcorrupt.patterns import as_pattern
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import (
    MISSING,
    Cells,
    Coded,
    Table,
    Taken,
    Target,
    check_table,
    column_keys,
    describe_columns,
    draw_seed,
    resolve_columns,
    row_keys,
    warn,
)
from skcorrupt.utils._compat import StrOptions
from skcorrupt.utils._typing import ColumnLabels, ColumnLike, RandomState, Sampling, TableLike, When

from ._base_corruption import BaseCorruption
from ._driver import Driver
from ._edit import Edit
from ._mechanism import Mechanism
from ._noise import KeyedNoise, Noise
from ._reference import Reference
from ._strike import strike_count, threshold_for, up_to
from ._struck import Struck, are_strange_times


class FeatureCorruption(OneToOneFeatureMixin, TransformerMixin, BaseCorruption):
    """Base of corruptions of cells; a subclass writes `_new_values`.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to strike; None is every column the error applies to.
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    mechanism : MAR, MNAR or None, default=None
        What makes rows more likely to be struck; None is completely at random.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is 0.1.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    same_rows : bool, default=True
        Whether several columns are struck on the same rows or each on rows of its own.
    when : {"fit", "always"}, default="fit"
        "fit" corrupts in `fit_transform` only, so that a Pipeline trains on dirty data and
        predicts on clean data. "always" corrupts in `transform` too, with noise tied to a row's
        content.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    record_ : CorruptionRecord
        What the last `fit_transform` changed.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt import FeatureCorruption
    >>> class CorruptSign(FeatureCorruption):
    ...     _kinds = ("integer", "real")
    ...
    ...     def _new_values(self, struck):
    ...         return -struck.values
    >>> X = np.arange(4.0).reshape(2, 2)
    >>> CorruptSign("x1", rate=1.0).fit_transform(X)
    array([[ 0., -1.],
           [ 2., -3.]])
    """

    _is_base = True
    _why_not_in_parts = ""
    strikes = "cells"
    _kinds: tuple[str, ...] = ("bool", "integer", "real", "datetime", "timedelta", "text")
    # whether new times are reckoned, which those that no dtype holds cannot be
    _reckons = False

    _parameter_constraints: dict[str, Any] = {
        **BaseCorruption._parameter_constraints,
        "columns": "no_validation",
        "same_rows": ["boolean"],
        "when": [StrOptions({"fit", "always"})],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        pattern: PatternLike = None,
        mechanism: Mechanism | None = None,
        rate: float | None = None,
        sampling: Sampling = "uniform",
        same_rows: bool = True,
        when: When = "fit",
        random_state: RandomState = None,
    ) -> None:
        self.columns = columns
        self.pattern = pattern
        self.mechanism = mechanism
        self.rate = rate
        self.sampling = sampling
        self.same_rows = same_rows
        self.when = when
        self.random_state = random_state

    def fit_transform(self, X: TableLike, y: ColumnLike | None = None) -> Any:
        """Fit on clean data and return it corrupted.

        Parameters
        ----------
        X : DataFrame, array or sparse matrix of shape (n_samples, n_features)
            Clean features.
        y : array-like of shape (n_samples,), default=None
            Clean labels; needed where the pattern uses them.

        Returns
        -------
        X_out : table of the same container and shape
            Corrupted features.
        """
        result = self._fit_corrupt(X, y)
        self.record_ = result.record
        return result.X

    def transform(self, X: TableLike) -> Any:
        """Pass X through, or corrupt it where `when="always"`.

        Parameters
        ----------
        X : DataFrame, array or sparse matrix of shape (n_samples, n_features)
            Features.

        Returns
        -------
        X_out : table of the same container and shape
            The same features; with `when="always"` corrupted ones.
        """
        check_is_fitted(self)
        if self.when == "always":
            return self.corrupt(X).X
        return check_table(self, X, reset=False).source

    def _new_values(self, struck: Struck) -> Any:
        """New values of the struck cells, or `MISSING`: the one method a subclass writes."""
        raise NotImplementedError(f"{type(self).__name__} should define _new_values(struck).")

    def _asks_cells(self) -> bool:
        asked = type(self)._can_change is not BaseCorruption._can_change
        return asked or type(self)._can_change_by is not FeatureCorruption._can_change_by

    def _from_own_row(self, kind: str) -> bool:
        """Whether values that are put into a kind of column are made of those of the same row."""
        return True

    def _hit_groups(self, table: Table, columns: list[int]) -> list[tuple[int, ...]]:
        """Of some columns, those that are hit together where as few as possible are hit at once."""
        return [(j,) for j in columns]

    def _simulated_values(
        self, kind: str, numbers: np.ndarray, std: float
    ) -> list[tuple[float, np.ndarray]] | Literal["another", "unseen"]:
        """What struck values of a kind of column become, for stand-ins of a search.

        A subclass that writes it is screened on these. It returns what each of the numbers becomes
        in every case there is, with the chance of the case, or that another or an unseen value is
        drawn. The standard deviation is that of the column.
        """
        raise NotImplementedError(f"{type(self).__name__} should define _simulated_values.")

    def _simulated_as(self, *, classifier: bool) -> str | None:
        plain = self.mechanism is None and self.same_rows and self.sampling == "uniform"
        # a subclass that puts other values is not what its parent says of its own
        said = _owner(self, "_simulated_values")
        described = said is not FeatureCorruption and issubclass(said, _owner(self, "_new_values"))
        return "values" if plain and described else None

    def _learn_column(self, table: Table, j: int) -> Any:
        """What the error needs to know about column `j`."""
        return None

    def _applies_to(self, table: Table, j: int) -> bool:
        """Whether the error is one of values such as column `j` holds."""
        return table.kind(j) in self._kinds

    def _striking(self, columns: list[Any]) -> Self:
        """A copy that strikes the columns of some labels, for a search, which makes many."""
        # a clone inspects the signature each time, and parameters are not changed
        corruption = copy.copy(self)
        corruption.columns = columns
        return corruption

    def _can_change_by(self, table: Table, column: int, facts: Any) -> np.ndarray | None:
        """Rows whose cell in a column can change, by what was learned of clean data."""
        return self._can_change(table, column)

    def _able(
        self,
        table: Table,
        group: list[int],
        among: np.ndarray | None,
        facts: Mapping[int, Any] | None = None,
    ) -> np.ndarray | None:
        """Of some rows, None for all, those in which a column of a group can change."""
        each = [
            self._can_change(table, j) if facts is None else self._can_change_by(table, j, facts[j])
            for j in group
        ]
        known = [rows for rows in each if rows is not None]
        if len(known) < len(each) or not known:
            return among
        able = np.logical_or.reduce(known)
        if able.all():
            return among
        return able if among is None else able & among

    def _groups(self, reference: Reference) -> list[list[int]]:
        """Columns that are struck on the same rows."""
        columns = reference.columns
        if self.same_rows:
            return [columns] if columns else []
        return [[j] for j in columns]

    def _group_scores(self, noise: Noise, table: Table, reference: Reference, g: int) -> np.ndarray:
        """Scores of the rows for the columns of a group; the smallest are struck."""
        stream = 0 if self.same_rows else reference.streams[reference.columns[g]]
        return self._scores(noise, stream, table, None, reference, g)

    def _learn(self, table: Table, target: Target | None) -> Reference:
        reference = Reference(self._applicable_columns(table), streams=column_keys(table))
        reference.facts = {j: self._learn_column(table, j) for j in reference.columns}
        return reference

    def _learn_drivers(
        self, mechanism: Mechanism, source: Table, reference: Reference
    ) -> list[list[Driver]]:
        named = self.columns is not None
        struck = resolve_columns(source, self.columns) if named else None
        by_columns = getattr(mechanism, "columns", self.columns) is not None
        return [
            mechanism._learn(source, hit, struck or hit, named=by_columns)
            for hit in self._groups(reference)
        ]

    def _refer(self, table: Table, target: Target | None) -> Reference:
        reference = super()._refer(table, target)
        if self.when == "always":
            self._learn_thresholds(table, reference)
        return reference

    def _unnamed_columns(self, table: Table) -> list[int]:
        """Columns that the error applies to where none is named."""
        fitting = [j for j in range(table.n_columns) if self._applies_to(table, j)]
        if not self._reckons:
            return fitting
        return [j for j in fitting if not are_strange_times(table, j)]

    def _applicable_columns(self, table: Table) -> list[int]:
        named = self.columns is not None
        wanted = resolve_columns(table, self.columns) if named else list(range(table.n_columns))
        if not wanted:
            raise ValueError(
                f"columns={self.columns!r} names no column; pass None for all that apply, or some "
                f"of: {describe_columns(table)}."
            )
        fitting = (j for j in wanted if self._applies_to(table, j))
        columns = list(fitting) if named else self._unnamed_columns(table)
        if len(columns) == len(wanted) or (columns and not named):
            return columns
        refused = [f"{table.labels[j]!r} ({table.kind(j)})" for j in wanted if j not in columns]
        message = (
            f"{type(self).__name__} strikes columns that hold {', '.join(self._kinds)} values; "
            f"columns={self.columns!r} has {', '.join(refused[:10])}."
        )
        if named:
            raise ValueError(f"{message} Leave those out or use another corruption for them.")
        if self._rate > 0:
            warn(f"{message} Nothing will be corrupted.")
        return columns

    def _learn_thresholds(self, table: Table, reference: Reference) -> None:
        if as_pattern(self.pattern).uses_y:
            raise ValueError(
                f"pattern={str(as_pattern(self.pattern))!r} uses the label, which transform does "
                'not see; with when="always" leave y out of the pattern or use when="fit".'
            )
        if self.sampling != "uniform":
            raise ValueError(
                f"sampling={self.sampling!r} goes by the order of rows, which transform does not "
                'know of batches; with when="always" use sampling="uniform" or a pattern.'
            )
        reference.extra["seed"] = draw_seed(self.random_state)
        noise = self._noise(table, reference, reference.extra["seed"])
        parts = self._parts(table, None, None)
        matched = parts[0][0]
        n_matched = table.n_rows if matched is None else int(matched.sum())
        if strike_count(self._rate, n_matched) == 0 and reference.columns:
            super()._warn_of_no_effect(Edit(matched=matched), table, reference)
        for g, group in enumerate(self._groups(reference)):
            scores = self._group_scores(noise, table, reference, g)
            reference.thresholds.append([])
            for part, (among, rate) in enumerate(parts):
                rows = self._able(table, group, among, reference.facts)
                some = scores if rows is None else scores[rows]
                count = strike_count(rate, len(some))
                threshold, reached = threshold_for(some, count)
                reference.thresholds[g].append(threshold)
                if reached != count:
                    which = "rows outside the pattern" if part else "matched rows"
                    warn(
                        f"Rows of equal content are struck together: {reached} of {len(some)} "
                        f"{which} are struck instead of the {count} that a rate of {rate:g} "
                        "asks for."
                    )

    def _draws_rows(self, table: Table) -> bool:
        # what was learned of clean data decides, whatever the rate is by now
        return self.when == "always" or super()._draws_rows(table)

    def _seed(self, reference: Reference) -> int:
        seed = reference.extra.get("seed")
        return super()._seed(reference) if seed is None else seed

    def _noise(self, table: Table, reference: Reference, seed: int) -> Noise:
        if self.when == "always":
            return KeyedNoise(row_keys(table, reference.streams), seed)
        return super()._noise(table, reference, seed)

    def _edit(
        self,
        table: Table,
        target: Target | None,
        reference: Reference,
        noise: Noise,
        among: np.ndarray | None,
    ) -> Edit:
        parts = self._parts(table, target, among)
        cells: dict[int, Cells] = {}
        inert: list[Any] = []
        matched: list[np.ndarray | None] = []
        for g, group in enumerate(self._groups(reference)):
            scores = self._group_scores(noise, table, reference, g)
            facts = reference.facts
            own = [(self._able(table, group, rows, facts), rate) for rows, rate in parts]
            matched.append(own[0][0])
            if self.when == "always":
                pairs = zip(own, reference.thresholds[g], strict=True)
                found = [up_to(scores, some, threshold) for (some, _), threshold in pairs]
            else:
                found = [noise.strike(scores, some, rate) for some, rate in own]
            rows = np.concatenate(found) if len(found) > 1 else found[0]
            for j in group:
                cells[j] = Cells(rows, rows)
                if len(rows):
                    draws = noise.draws(rows, reference.streams[j])
                    struck = Struck(table, j, rows, reference.facts[j], draws)
                    values = self._checked(self._new_values(struck), struck)
                    cells[j] = Cells(rows, values, self._sources(values, struck))
                    asked = self.columns is not None or len(inert) == len(cells) - 1
                    # what a spared row supplies may happen to be the same
                    asked &= self._reads != "spared"
                    if asked and struck.keeps(cells[j].values):
                        inert.append(table.labels[j])
        return Edit(matched=_union(matched or [parts[0][0]]), cells=cells, inert=inert)

    def _sources(self, values: Any, struck: Struck) -> np.ndarray | None:
        """The rows that supplied new values, None where no row did."""
        if isinstance(values, Taken):
            return values.rows
        own = values is not MISSING and self._from_own_row(struck.kind)
        return struck.rows if own else None

    def _check_params(self) -> None:
        super()._check_params()
        if self.when == "always" and self._reads != "row":
            raise ValueError(
                f'when="always" ties what becomes of a row to its own content, but '
                f'{type(self).__name__} takes values from other rows; use when="fit", and '
                "corrupt(X) for batches, or CorruptExchange, which takes them from the same row."
            )

    def _why_not_searched(self) -> str:
        if self.when == "fit":
            return ""
        return (
            'has when="always", which would corrupt test data too and cannot use the label; pass '
            'it with when="fit".'
        )

    def _checked(self, values: Any, struck: Struck) -> Any:
        """New values, after comparing their number with that of the struck cells."""
        given = values
        if isinstance(values, (Coded, Taken)):
            given = values.codes if isinstance(values, Coded) else values.rows
        if given is not MISSING and np.ndim(given) == 1 and len(given) != struck.size:
            raise ValueError(
                f"{type(self).__name__}._new_values returned {len(given)} values for "
                f"{struck.size} struck cells of {struck.label!r}; it should return one a cell, a "
                "scalar or MISSING."
            )
        return values

    def _warn_of_no_effect(self, edit: Edit, table: Table, reference: Reference) -> None:
        if self.when == "always" or not edit.cells:
            return
        stuck = edit.matched is not None and not edit.matched.any()
        if stuck and self._rate > 0 and table.n_rows and self._matches_some(table):
            struck = [table.labels[j] for j in edit.cells][:10]
            warn(
                f"{type(self).__name__} changed nothing in {table.n_rows} rows: the cells of "
                f"{struck} that it could strike all kept their values, as they are missing "
                "already, zero, or what the error makes of them. Strike other columns or rows."
            )
            return
        super()._warn_of_no_effect(edit, table, reference)
        if edit.inert and (self.columns is not None or len(edit.inert) == len(edit.cells)):
            warn(
                f"{type(self).__name__} struck cells of {edit.inert[:10]} that all kept their "
                "values: they are missing already, zero, or the only value of their column. "
                "Strike other columns or rows."
            )

    def _matches_some(self, table: Table) -> bool:
        """Whether the pattern matches rows, as far as that is known without labels."""
        try:
            pattern = as_pattern(self.pattern).labelled(table)
        except ValueError:
            # where labels have a name, a condition on it is one on them
            return False
        return not pattern.uses_y and bool(pattern.mask(table.source).any())

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # with when="fit", fit_transform and transform differ by design
        tags.non_deterministic = self.when == "fit" or self.random_state is None
        tags.input_tags.sparse = bool({"integer", "real"} & set(self._kinds))
        return tags


def _union(masks: list[np.ndarray | None]) -> np.ndarray | None:
    """Rows of any mask, None for all rows."""
    known = [mask for mask in masks if mask is not None]
    return np.logical_or.reduce(known) if len(known) == len(masks) else None


def _owner(corruption: FeatureCorruption, name: str) -> type:
    """The class of which a corruption has a method."""
    return next(each for each in type(corruption).__mro__ if name in vars(each))
