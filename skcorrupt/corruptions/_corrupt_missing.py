"""Missing values."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any, Literal

import numpy as np
from scipy.special import logit

from skcorrupt.base import Edit, FeatureCorruption, Noise, Reference, Struck, strike_count
from skcorrupt.base._strike import smallest, threshold_for
from skcorrupt.patterns import Pattern, as_pattern
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import (
    MISSING,
    Cells,
    Table,
    Target,
    check_table,
    check_target,
    column_keys,
    resolve_columns,
)
from skcorrupt.utils._compat import StrOptions
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels, ColumnLike, RandomState, Sampling, TableLike, When

from ._driver import Driver
from ._observed_missing import ObservedMissing, observe


class CorruptMissing(FeatureCorruption):
    r"""Erase values.

    Rows are struck completely at random, or more often where a column is high:
    with `mechanism="mar"` or `"mnar"` the matched rows are ranked by
    :math:`\mathrm{logit}(u) - \mathrm{strength} \cdot s(x)` with uniform noise u, so that the
    probability of a missing value follows a logistic model with that coefficient while the count
    stays exact (definition 2 and example 1 of [1]_ with a smooth mechanism).

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns that lose values; None is all.
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is 0.1.
    outside_ratio : float in [0, 1], default=0.0
        Rate in the rows that the pattern does not match, as a ratio to `rate`: what is lost
        elsewhere. Needs a pattern; 0 is the rule that only matched rows are struck.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    mechanism : {"mcar", "mar", "mnar"}, default="mcar"
        What the probability depends on: nothing, other columns, or the erased column itself.
    mechanism_columns : label, list of labels or None, default=None
        With `mechanism="mar"`, the columns it depends on; None is all columns not in `columns`.
    strength : float, default=1.0
        Logistic coefficient for one standard deviation of s(x); 0 is completely at random,
        negative values erase low cells.
    same_rows : bool, default=True
        Whether several columns are struck on the same rows; then s is the mean of their
        standardised values.
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
    Columns that cannot hold a missing value change to the nearest dtype that can: integers to
    float64, bool to object. Non-numeric columns enter a mechanism by the frequency of their
    value; missing or constant values count as 0.

    References
    ----------
    .. [1] Zhu et al., "Stress-Testing ML Pipelines with Adversarial Data Corruption", 2025.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptMissing
    >>> X = pd.DataFrame({"age": [25, 32, 47, 51], "sex": ["f", "m", "f", "m"]})
    >>> CorruptMissing("age", pattern="sex == 'f'", rate=1.0).fit_transform(X)
        age sex
    0   NaN   f
    1  32.0   m
    2   NaN   f
    3  51.0   m
    """

    _parameter_constraints: dict[str, Any] = {
        **FeatureCorruption._parameter_constraints,
        "outside_ratio": [NumberInterval(Real, 0, 1, closed="both")],
        "mechanism": [StrOptions({"mcar", "mar", "mnar"})],
        "mechanism_columns": "no_validation",
        "strength": [NumberInterval(Real, None, None, closed="neither")],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        pattern: PatternLike = None,
        rate: float | None = None,
        outside_ratio: float = 0.0,
        sampling: Sampling = "uniform",
        mechanism: Literal["mcar", "mar", "mnar"] = "mcar",
        mechanism_columns: ColumnLabels | None = None,
        strength: float = 1.0,
        same_rows: bool = True,
        when: When = "fit",
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            columns,
            pattern=pattern,
            rate=rate,
            sampling=sampling,
            same_rows=same_rows,
            when=when,
            random_state=random_state,
        )
        self.outside_ratio = outside_ratio
        self.mechanism = mechanism
        self.mechanism_columns = mechanism_columns
        self.strength = strength

    def _new_values(self, struck: Struck) -> Any:
        return MISSING

    def _learn_scores(self, table: Table, columns: list[int]) -> Any:
        if self.mechanism_columns is not None and self.mechanism != "mar":
            raise ValueError(
                f"mechanism_columns={self.mechanism_columns!r} has no effect with "
                f"mechanism={self.mechanism!r}; use mechanism='mar'."
            )
        if self.mechanism == "mcar" or not columns:
            return None
        drivers, named = columns, self.columns is not None
        if self.mechanism == "mar":
            named = self.mechanism_columns is not None
            if self.mechanism_columns is not None:
                drivers = resolve_columns(
                    table, self.mechanism_columns, parameter="mechanism_columns"
                )
            else:
                hit = columns if self.columns is None else resolve_columns(table, self.columns)
                drivers = [j for j in range(table.n_columns) if j not in hit]
            if not drivers:
                raise ValueError(
                    "mechanism='mar' needs columns that stay: name some in mechanism_columns, or "
                    "leave some out of columns."
                )
        keys = column_keys(table)
        # added up in the same order wherever the columns stand
        found = [Driver(table, j) for j in sorted(drivers, key=keys.__getitem__)]
        self._warn_of_constant(table, found, named)
        return found

    def _warn_of_constant(self, table: Table, drivers: list[Driver], named: bool) -> None:
        constant = [table.labels[d.column] for d in drivers if d.is_constant]
        if not self.strength or not constant or (len(constant) < len(drivers) and not named):
            return
        rest = "" if len(constant) < len(drivers) else ", so that rows are struck at random"
        warnings.warn(
            f"mechanism={self.mechanism!r}: {', '.join(map(repr, constant[:10]))} holds no two "
            f"different values that the mechanism could go by{rest}. Name other columns, or use "
            "mechanism='mcar'.",
            UserWarning,
            stacklevel=6,
        )

    def _scores(
        self, u: np.ndarray, table: Table, columns: list[int], reference: Reference, group: int
    ) -> np.ndarray:
        drivers = reference.extra["scores"][group]
        if drivers is None:
            return u
        # np.mean would add up in an order that depends on the number of rows
        s = sum(driver.standardised(table) for driver in drivers) / len(drivers)
        return logit(u) - self.strength * s

    def _learn(self, table: Table, target: Target | None) -> Reference:
        if self.outside_ratio and as_pattern(self.pattern) == Pattern():
            raise ValueError(
                f"outside_ratio={self.outside_ratio:g} is for rows outside a pattern, but pattern="
                f"{self.pattern!r} leaves none; give a pattern, or outside_ratio=0. A search, "
                "which sets patterns and rates itself, takes templates without it."
            )
        return super()._learn(table, target)

    def _learn_thresholds(
        self, table: Table, reference: Reference, groups: list[list[int]]
    ) -> None:
        super()._learn_thresholds(table, reference, groups)
        if not self.outside_ratio:
            return
        noise = self._noise(table, reference, reference.extra["seed"])
        outside = self._outside(table, None, None)
        count = strike_count(self._rate * self.outside_ratio, int(outside.sum()))
        reference.extra["outside_thresholds"] = []
        for g, group in enumerate(groups):
            u = self._group_noise(noise, reference, group)
            scores = self._scores(u, table, group, reference, g)
            threshold, reached = threshold_for(scores[outside], count)
            reference.extra["outside_thresholds"].append(threshold)
            if reached != count:
                warnings.warn(
                    f"Rows of equal content are struck together: {reached} of "
                    f"{int(outside.sum())} rows outside the pattern are struck instead of the "
                    f"{count} that outside_ratio={self.outside_ratio:g} asks for.",
                    UserWarning,
                    stacklevel=5,
                )

    def _outside(self, table: Table, target: Target | None, among: np.ndarray | None) -> np.ndarray:
        """Rows that the pattern does not match, of those there are."""
        matched = self._matched(table, target, None)
        outside = np.zeros(table.n_rows, dtype=bool) if matched is None else ~matched
        return outside if among is None else outside & among

    def _edit(
        self,
        table: Table,
        target: Target | None,
        reference: Reference,
        noise: Noise,
        among: np.ndarray | None,
    ) -> Edit:
        edit = super()._edit(table, target, reference, noise, among)
        if not self.outside_ratio:
            return edit
        outside = self._outside(table, target, among)
        for g, group in enumerate(self._groups(reference.columns)):
            u = self._group_noise(noise, reference, group)
            scores = self._scores(u, table, group, reference, g)
            if self.when == "always":
                below = scores <= reference.extra["outside_thresholds"][g]
                rows = np.flatnonzero(outside & below)
            else:
                count = strike_count(self._rate * self.outside_ratio, int(outside.sum()))
                rows = smallest(scores, outside, count)
            rows = np.concatenate([edit.cells[group[0]].rows, rows]) if group else rows
            for j in group:
                edit.cells[j] = Cells(rows, MISSING)
        return edit

    @classmethod
    def from_observed(
        cls,
        X: TableLike,
        y: ColumnLike | None = None,
        *,
        columns: ColumnLabels | None = None,
        max_conditions: int = 3,
        n_bins: int = 8,
        alpha: float = 0.05,
        random_state: RandomState = None,
    ) -> ObservedMissing:
        """Learn from a table with gaps where its values get lost.

        For every column with gaps the other columns, and the label if it is given, are searched
        for a readable pattern in which values are lost more often, and for a smooth mechanism,
        the chance of a loss growing or falling with other columns (figure 1 of [1]_ finds that
        most gaps in public tables can be predicted from other attributes). The better of the two
        is kept if it is significant; else the gaps count as completely at random. Columns that
        are always missing together are one group, struck on the same rows.

        Parameters
        ----------
        X : DataFrame, array or sparse matrix of shape (n_samples, n_features)
            A table with missing values.
        y : array-like of shape (n_samples,), default=None
            Labels, which may explain gaps too.
        columns : label, list of labels or None, default=None
            Columns whose gaps are looked at; None is all that have any.
        max_conditions : int, default=3
            Most conditions of a pattern, and most columns of a mechanism.
        n_bins : int, default=8
            Quantile bins at which bounds are tried first, before they move to the values that fit
            best.
        alpha : float in (0, 1), default=0.05
            Chance that anything is found at all in a table whose gaps are completely at random.
        random_state : None, int, RandomState or Generator, default=None
            Seed of the corruption that is made.

        Returns
        -------
        ObservedMissing
            With `corruption`, a `CorruptionProcess` of this class; `report`, a row a column; and
            `search_params()`, bounds for an `AdversarialCorruptionSearch`. `observed["income"]`
            is the corruption of one column.

        Raises
        ------
        ValueError
            If X or one of `columns` has no missing value, or if column names are not unique.

        Warns
        -----
        UserWarning
            If a column has no value at all; it is left out.

        Notes
        -----
        What depends on the lost values themselves (missing not at random) leaves no trace in the
        data, unless other columns go with them, and is not found. Cells missing in an explaining
        column match no pattern and are left out where explanations are compared. Columns in which
        nearly every row has a value of its own (names, running numbers) explain nothing here.

        References
        ----------
        .. [1] Zhu et al., "Stress-Testing ML Pipelines with Adversarial Data Corruption", 2025.

        Examples
        --------
        >>> import numpy as np
        >>> import pandas as pd
        >>> from skcorrupt import CorruptMissing
        >>> rng = np.random.default_rng(0)
        >>> X = pd.DataFrame({"age": rng.integers(18, 80, 500), "income": rng.normal(40, 9, 500)})
        >>> X.loc[(X["age"] <= 30) & (rng.uniform(size=500) < 0.7), "income"] = np.nan
        >>> CorruptMissing.from_observed(X)["income"].pattern
        Pattern.parse('age <= 30')
        """
        table = check_table(cls(), X, reset=True)
        return observe(
            cls,
            table,
            check_target(y, table.n_rows),
            columns=columns,
            max_conditions=max_conditions,
            n_bins=n_bins,
            alpha=alpha,
            random_state=random_state,
        )
