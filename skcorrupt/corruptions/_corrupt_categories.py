"""Errors in categories and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.utils import Tags

from skcorrupt.base import FeatureCorruption, Mechanism, Struck
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import Table
from skcorrupt.utils._compat import StrOptions
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

from ._branches import Branches, branches_of, check_hierarchy, value_of_another_branch
from ._facts import learn_categories, other_category, unseen_value
from ._transitions import Transitions, transitions_of, value_by_transition, weights_of
from ._typos import misspelt


class CorruptCategories(FeatureCorruption):
    """Swap categories, misspell them, put an unseen one, or one of another branch.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to strike; None is all text, categorical and boolean columns. Numeric codes are
        struck when named.
    kind : {"swap", "typo", "unseen", "branch"}, default="swap"
        "swap" puts another of the column's values, uniformly or by `transition`; "typo" drops,
        doubles or transposes a character; "unseen" puts one value that the column does not hold;
        "branch" puts a value that `hierarchy` has under another parent, uniformly.
    hierarchy : dict or None, default=None
        With `kind="branch"` the parent of every value, such as the region of every city. Values
        that it does not have stay and do not count among the rows that match; columns without any
        are struck only if they are named, and then refused.
    transition : dict, DataFrame or None, default=None
        With `kind="swap"` what each value becomes and how often, `{"a": {"b": 3, "c": 1}}`,
        `{"a": "b"}`, or a frame with a row for each clean value, such as `pandas.crosstab(clean,
        dirty)`. Weights of a value are relative to each other, and what stays itself is left out.
        Values that it turns into no other are treated as those that `hierarchy` does not have.
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
        "transition": [dict, pd.DataFrame, None],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        kind: Literal["swap", "typo", "unseen", "branch"] = "swap",
        hierarchy: Mapping[Any, Any] | None = None,
        transition: Mapping[Any, Any] | pd.DataFrame | None = None,
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
        self.transition = transition

    def _check_params(self) -> None:
        super()._check_params()
        if self.kind == "branch":
            check_hierarchy(self.hierarchy)
        if self.transition is not None:
            if self.kind != "swap":
                raise ValueError(
                    f"transition= says what values are swapped for, but kind={self.kind!r} swaps "
                    "none; leave it out or use kind='swap'."
                )
            weights_of(self.transition)

    def _facts_of(self, table: Table, j: int) -> Branches | Transitions | None:
        """What is known of some values of a column; None where it holds none of them."""
        if self.kind == "branch":
            return Branches.of_column(self.hierarchy or {}, table, j)
        return Transitions.of_column(self.transition, table, j)

    @property
    def _of_some(self) -> bool:
        """Whether only values that were named can be struck."""
        return self.kind == "branch" or self.transition is not None

    @property
    def _kinds(self) -> tuple[str, ...]:  # type: ignore[override]
        if self.kind == "typo":
            return ("text",)
        numeric = () if self.columns is None else ("integer", "real")
        of_truths = () if self.kind in ("unseen", "branch") else ("bool",)
        return ("text", *of_truths, *numeric)

    def _applies_to(self, table: Table, j: int) -> bool:
        applies = super()._applies_to(table, j)
        if not self._of_some or self.columns is not None or not applies:
            return applies
        return self._facts_of(table, j) is not None

    def _learn_column(self, table: Table, j: int) -> Any:
        if self.kind == "branch":
            return branches_of(self.hierarchy or {}, table, j)
        if self.transition is not None:
            return transitions_of(self.transition, table, j)
        return None if self.kind == "typo" else learn_categories(table, j)

    def _can_change(self, table: Table, column: int) -> np.ndarray | None:
        if not self._of_some:
            return super()._can_change(table, column)
        return self._can_change_by(table, column, self._learn_column(table, column))

    def _can_change_by(self, table: Table, column: int, facts: Any) -> np.ndarray | None:
        if not self._of_some:
            return super()._can_change_by(table, column, facts)
        codes, distinct = table.coded(column, np.arange(table.n_rows))
        return np.append(facts.places(distinct) >= 0, False)[codes]

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        what = "Wrong categories" if self.transition is None else "Confused categories"
        return self._in_columns(what, columns)

    def _from_own_row(self, kind: str) -> bool:
        return self.kind == "typo"

    def _new_values(self, struck: Struck) -> Any:
        if self.transition is not None:
            return value_by_transition(struck)
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

    def _simulated_as(self, *, classifier: bool) -> str | None:
        # stand-ins move values to all others alike
        return None if self.transition is not None else super()._simulated_as(classifier=classifier)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags
