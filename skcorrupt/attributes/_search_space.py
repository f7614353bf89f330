"""Which errors are plausible, as parameters of a search."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, Literal

from sklearn.base import BaseEstimator

from skcorrupt.utils._compat import Interval, StrOptions

Use = Literal["required", "allowed", "forbidden"]


class SearchSpace(BaseEstimator):
    """Which columns may be hit, where, and what is implausible.

    Parameters
    ----------
    corrupt_columns : list or None, default=None
        Columns that may be hit; None is all that the error applies to, pairs of them for an
        exchange. A tuple, that is no label itself, stands for columns that are hit together, as
        those that come from one source.
    pattern_columns : list, dict or None, default=None
        Columns that patterns may use, or such a list for each column hit; None is all. The column
        hit is used as well where `own_column` requires it, as it does by default.
    own_column : {"required", "allowed", "forbidden"} or None, default=None
        Whether the pattern has a condition on the column hit: values then go missing not at
        random. None is "required" for errors in training data, "allowed" for errors in served
        rows. Only "required" lets a pattern use the column hit where
        `pattern_columns` leaves it out.
    label : {"required", "allowed", "forbidden"} or None, default=None
        Whether the pattern has a condition on the label. None is "required" for errors in training
        data, "forbidden" for errors in served rows.
    max_conditions : int, default=3
        Most conditions on features; 0 leaves patterns on the label alone. A pattern
        without any, on the label neither, is tried where the budget is 1, for every row.
    min_support : float in [0, 1), default=0.0
        Least fraction of rows that a pattern matches and the error can change.
    n_bins : int, default=8
        Quantile bins of numeric attributes, groups of categorical ones. Categories are ordered by
        their rows' labels; patterns name one, or groups that come one after the other.
    search_rate : bool, default=False
        Whether rates below the largest one are tried too.
    exclude : sequence, default=()
        Implausible candidates: patterns within which no candidate may lie, pairs of columns that
        must not be used together, or callables `(pattern, X, y) -> bool`.

    References
    ----------
    .. [1] Zhu et al., "Stress-Testing ML Pipelines with Adversarial Data Corruption", 2025,
       section 3.

    Examples
    --------
    >>> from skcorrupt.attributes import SearchSpace
    >>> SearchSpace(corrupt_columns=["income"], label="forbidden", max_conditions=2)
    SearchSpace(corrupt_columns=['income'], label='forbidden', max_conditions=2)
    """

    _parameter_constraints: dict[str, Any] = {
        "corrupt_columns": "no_validation",
        "pattern_columns": "no_validation",
        "own_column": [StrOptions({"required", "allowed", "forbidden"}), None],
        "label": [StrOptions({"required", "allowed", "forbidden"}), None],
        "max_conditions": [Interval(Integral, 0, None, closed="left")],
        "min_support": [Interval(Real, 0, 1, closed="left")],
        "n_bins": [Interval(Integral, 2, 256, closed="both")],
        "search_rate": ["boolean"],
        "exclude": [list, tuple],
    }

    def __init__(
        self,
        *,
        corrupt_columns: Sequence[Hashable] | None = None,
        pattern_columns: Sequence[Hashable] | Mapping[Any, Sequence[Hashable]] | None = None,
        own_column: Use | None = None,
        label: Use | None = None,
        max_conditions: int = 3,
        min_support: float = 0.0,
        n_bins: int = 8,
        search_rate: bool = False,
        exclude: Sequence[Any] = (),
    ) -> None:
        self.corrupt_columns = corrupt_columns
        self.pattern_columns = pattern_columns
        self.own_column = own_column
        self.label = label
        self.max_conditions = max_conditions
        self.min_support = min_support
        self.n_bins = n_bins
        self.search_rate = search_rate
        self.exclude = exclude

    def check(self) -> None:
        """Refuse parameters that are none.

        Raises
        ------
        InvalidParameterError
            With the parameter and what is allowed.
        """
        self._validate_params()
