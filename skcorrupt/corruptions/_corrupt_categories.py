"""Errors in categories and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from sklearn.utils import Tags

from skcorrupt.base import FeatureCorruption, Mechanism, Struck
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import Table
from skcorrupt.utils._compat import StrOptions
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

from ._branches import Branches, branches_of, check_hierarchy, value_of_another_branch
from ._facts import learn_categories, other_category, unseen_value
from ._typos import misspelt


class CorruptCategories(FeatureCorruption):
    """Swap categories, misspell them, put an unseen one, or one of another branch.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to strike; None is all text, categorical and boolean columns. Numeric codes are
        struck when named.
    kind : {"swap", "typo", "unseen", "branch"}, default="swap"
        "swap" puts another of the column's values, uniformly; "typo" drops, doubles or
        transposes a character; "unseen" puts one value that the column does not hold; "branch"
        puts a value that `hierarchy` has under another parent, uniformly.
    hierarchy : dict or None, default=None
        With `kind="branch"` the parent of every value, such as the region of every city. Values
        that it does not have stay and do not count among the rows that match; columns without any
        are struck only if they are named, and then refused.
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
    A pandas categorical gains the new values as categories; a polars one becomes a string
    column. Missing cells stay missing, but for "unseen".

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptCategories
    >>> X = pd.DataFrame({"city": ["Paris", "Rome", "Oslo"]})
    >>> CorruptCategories(kind="unseen", rate=1.0).fit_transform(X)["city"].tolist()
    ['unseen', 'unseen', 'unseen']
    """

    short_name = "categories"
    title = "wrong categories"
    _parameter_constraints: dict[str, Any] = {
        **FeatureCorruption._parameter_constraints,
        "kind": [StrOptions({"swap", "typo", "unseen", "branch"})],
        "hierarchy": [dict, None],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        kind: Literal["swap", "typo", "unseen", "branch"] = "swap",
        hierarchy: Mapping[Any, Any] | None = None,
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
        self.hierarchy = hierarchy

    def _check_params(self) -> None:
        super()._check_params()
        if self.kind == "branch":
            check_hierarchy(self.hierarchy)

    @property
    def _kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        if self.kind == "typo":
            return ("text",)
        numeric = () if self.columns is None else ("integer", "real")
        of_truths = () if self.kind in ("unseen", "branch") else ("bool",)
        return ("text", *of_truths, *numeric)

    def _applies_to(self, table: Table, j: int) -> bool:
        applies = super()._applies_to(table, j)
        if self.kind != "branch" or self.columns is not None or not applies:
            return applies
        return Branches.of_column(self.hierarchy or {}, table, j) is not None

    def _learn_column(self, table: Table, j: int) -> Any:
        if self.kind == "branch":
            return branches_of(self.hierarchy or {}, table, j)
        return None if self.kind == "typo" else learn_categories(table, j)

    def _can_change(self, table: Table, column: int) -> np.ndarray | None:
        if self.kind != "branch":
            return super()._can_change(table, column)
        return self._can_change_by(table, column, self._learn_column(table, column))

    def _can_change_by(self, table: Table, column: int, facts: Any) -> np.ndarray | None:
        if self.kind != "branch":
            return super()._can_change_by(table, column, facts)
        codes, distinct = table.coded(column, np.arange(table.n_rows))
        return np.append(facts.places(distinct) >= 0, False)[codes]

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns("Wrong categories", columns)

    def _from_own_row(self, kind: str) -> bool:
        return self.kind == "typo"

    def _new_values(self, struck: Struck) -> Any:
        if self.kind == "swap":
            return other_category(struck)
        if self.kind == "unseen":
            return unseen_value(struck)
        if self.kind == "branch":
            return value_of_another_branch(struck)
        return misspelt(struck)

    def _simulated_values(
        self, kind: str, numbers: np.ndarray, std: float
    ) -> Literal["another", "unseen"]:
        return "another" if self.kind in ("swap", "branch") else "unseen"

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags
