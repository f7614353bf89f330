"""Variants of a corruption that its checks run: other rates, seeds and patterns."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from skcorrupt.base import CorruptionResult
from skcorrupt.patterns import Pattern, as_pattern
from skcorrupt.utils import as_table

from ._cases import Case
from ._compare import dense


def at_rate(corruption: Any, rate: float, seed: Any = 0, **params: Any) -> Any:
    """A clone with its rate, and those of its members, and its seed set."""
    variant = clone(corruption)
    names = variant.get_params(deep=True)
    changes: dict[str, Any] = {
        name: rate for name in names if name == "rate" or name.endswith("__rate")
    }
    changes.update((name, None) for name in names if name.endswith("__random_state"))
    # losses elsewhere are the one exception to the rules on counts and patterns
    changes.update((name, 0.0) for name in names if name.endswith("outside_ratio"))
    return variant.set_params(**changes, random_state=seed, **params)


def applied(corruption: Any, case: Case, rate: float = 0.5) -> CorruptionResult:
    """What the corruption makes of a case with seed 0; made once, as many rules look at it."""
    if rate not in case.results:
        case.results[rate] = at_rate(corruption, rate).corrupt(*case.data())
    return case.results[rate]


def has(corruption: Any, parameter: str) -> bool:
    """Whether the corruption has a parameter of this name."""
    return parameter in corruption.get_params(deep=False)


def patterns_of(corruption: Any) -> list[Pattern]:
    """The pattern of a corruption, or those of its members."""
    params = corruption.get_params(deep=True)
    found = [p for name, p in params.items() if name == "pattern" or name.endswith("__pattern")]
    return [as_pattern(pattern) for pattern in found]


def matched_rows(corruption: Any, X: Any, y: Any) -> np.ndarray:
    """Rows that a pattern of the corruption matches."""
    masks = [pattern.mask(X, y) for pattern in patterns_of(corruption)]
    return np.logical_or.reduce(masks) if masks else np.ones(as_table(X).n_rows, dtype=bool)


def half_pattern(X: Any) -> Pattern | None:
    """A pattern that matches about half of the rows, if there is a numeric column."""
    table = as_table(X)
    for j, label in enumerate(table.labels):
        if table.kind(j) in ("integer", "real") and table.labels.count(label) == 1:
            values = table.values(j).astype(float)
            key = "`" + str(label).replace("`", "``") + "`"
            pattern = Pattern({key: (None, float(np.nanmedian(values)))})
            if 0 < pattern.mask(X).sum() < table.n_rows:
                return pattern
    return None


def struck_rows(result: CorruptionResult) -> np.ndarray:
    """Input rows that the record says were changed, dropped or duplicated."""
    record = result.record
    times = np.bincount(record.sample_indices, minlength=record.n_samples_in)
    struck = times != 1
    struck[record.sample_indices[dense(record.X_mask).any(axis=1)]] = True
    struck[record.sample_indices[record.y_mask]] = True
    return struck


def rows_distinct(X: Any) -> bool:
    """Whether no two rows are equal."""
    table = as_table(X)
    rows = {tuple(map(str, row)) for row in zip(*map(table.values, range(table.n_columns)))}  # noqa: B905
    return len(rows) == table.n_rows
