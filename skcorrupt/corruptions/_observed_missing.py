"""What the gaps in a table look like."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import MAR
from skcorrupt.base._driver import Driver
from skcorrupt.patterns import Pattern
from skcorrupt.utils import Table, Target, describe_columns, resolve_columns
from skcorrupt.utils._typing import ColumnLabels, RandomState

from ._corruption_process import CorruptionProcess
from ._gap_attributes import LABEL, column_attribute, label_attribute
from ._gap_search import Found, GapSearch

Make = Callable[..., Any]

LEAST_TOGETHER = 5
_SCALES = ("integer", "real", "datetime", "timedelta")


@dataclass(frozen=True, eq=False)
class ObservedMissing:
    """Gaps as they were observed: as a corruption, as a table, and as bounds for a search.

    Made by `CorruptMissing.from_observed`; `observed["income"]` is the corruption of one column.

    Attributes
    ----------
    corruption : CorruptionProcess
        One `CorruptMissing` for every column with gaps, or for every group of columns that are
        always missing together; members whose gaps mostly fall together draw the same noise. On
        complete data it makes gaps like those observed.
    report : DataFrame
        A row a column with gaps: `column`, `member` (its name in the corruption), `n_missing`,
        `rate`, `explained_by` (columns, as a tuple), `uses_y` (whether the label explains too),
        `pattern` (Pattern or None), `rate_inside, rate_outside` (of the pattern; NaN without),
        `mechanism` (MAR or None), `strength` (of the mechanism, else NaN),
        `deviance_explained` (0 to 1), `f1` (score of predicting the gaps by the explanation, NaN
        without), `p_value` (corrected for everything that was tried).
    y_seen : bool
        Whether the label could have been an explanation.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from skcorrupt import CorruptMissing
    >>> rng = np.random.default_rng(0)
    >>> X = pd.DataFrame({"age": rng.integers(18, 80, 500), "income": rng.normal(40, 9, 500)})
    >>> X.loc[(X["age"] <= 30) & (rng.uniform(size=500) < 0.7), "income"] = np.nan
    >>> observed = CorruptMissing.from_observed(X)
    >>> print(observed)
    income: 13.8 % missing; 69.0 % where age <= 30, 0.0 % elsewhere
    >>> observed.search_params()["pattern_columns"]
    {'income': ['age']}
    """

    corruption: CorruptionProcess
    report: pd.DataFrame
    y_seen: bool

    def __getitem__(self, column: Any) -> Any:
        """The unfitted corruption that strikes a column; KeyError if it has no gaps."""
        members = dict(self.corruption.corruptions)
        for name, label in zip(self.report["member"], self.report["column"], strict=True):
            if type(label) is type(column) and label == column:
                return members[name]
        raise KeyError(
            f"{column!r} is no column with gaps that was looked at; there are "
            f"{self.report['column'].tolist()}."
        )

    def search_params(self, column: Hashable | None = None) -> dict[str, Any]:
        """Parameters that keep an `AdversarialCorruptionSearch` to what was observed.

        The search then erases explained columns only, under patterns on what explains their gaps,
        and in no more rows than were seen.

        Parameters
        ----------
        column : label or None, default=None
            One explained column; None is all of them, with the least of their rates as budget, so
            that no candidate erases more of a column than was missing.

        Returns
        -------
        dict
            `corruption, corrupt_columns, pattern_columns, budget, max_conditions,
            require_corrupted, require_label, exclude`, to be passed on as
            `AdversarialCorruptionSearch(pipeline, **observed.search_params())`. Where the label was
            looked at and explains nothing, patterns that use it are excluded.

        Raises
        ------
        ValueError
            If nothing explains the gaps.
        """
        rows = self.report
        if column is not None:
            self[column]
            rows = rows[[label == column for label in rows["column"]]]
        rows = rows[(rows["explained_by"].map(len) > 0) | rows["uses_y"]]
        if rows.empty:
            where = "of any column" if column is None else f"of {column!r}"
            raise ValueError(
                f"Nothing was found that explains the gaps {where}, so they set no bounds on "
                "patterns; cross_validate_corrupted(…) with the corruption shows what they do."
            )
        by_hit = {
            label: list(columns)
            for label, columns in zip(rows["column"], rows["explained_by"], strict=True)
        }
        return {
            "corruption": "missing",
            "corrupt_columns": list(by_hit),
            "pattern_columns": by_hit,
            "budget": float(rows["rate"].min()),
            "max_conditions": max(len(columns) for columns in by_hit.values()),
            "require_corrupted": False,
            "require_label": bool(rows["uses_y"].all()),
            "exclude": [_reads_label] if self.y_seen and not rows["uses_y"].any() else [],
        }

    def __str__(self) -> str:
        return "\n".join(_sentence(row) for row in self.report.to_dict("records"))


def _reads_label(pattern: Pattern, X: Any, y: Any) -> bool:
    return pattern.uses_y


def _sentence(row: Mapping[Hashable, Any]) -> str:
    start = f"{row['column']}: {100 * row['rate']:.1f} % missing; "
    if row["pattern"] is not None:
        return (
            f"{start}{100 * row['rate_inside']:.1f} % where {row['pattern']}, "
            f"{100 * row['rate_outside']:.1f} % elsewhere"
        )
    if row["mechanism"] is not None:
        names = " and ".join(map(str, row["explained_by"]))
        end = "high" if row["strength"] > 0 else "low"
        strength = f"strength {row['strength']:.2f}"
        return f"{start}more often where {names} is {end} ({strength})"
    return f"{start}nothing here explains it"


def observe(
    make: Make,
    table: Table,
    target: Target | None,
    *,
    columns: ColumnLabels | None,
    max_conditions: int,
    n_bins: int,
    alpha: float,
    random_state: RandomState,
) -> ObservedMissing:
    """Learn what explains the gaps of a table.

    Parameters
    ----------
    make : callable
        The class of the corruptions.
    table : Table
        The data.
    target : Target or None
        The labels.
    columns : label, list of labels or None
        Columns whose gaps are looked at; None is all that have any.
    max_conditions : int
        Most conditions of a pattern, most columns of a mechanism.
    n_bins : int
        Most quantile bins of an ordered attribute.
    alpha : float
        Chance of any explanation where all gaps are completely at random.
    random_state : None, int, RandomState or Generator
        Seed of the process.

    Returns
    -------
    ObservedMissing
        What was found.
    """
    _check(table, max_conditions, n_bins, alpha)
    missing = _gaps(table, columns)
    groups: dict[bytes, list[int]] = {}
    for j, mask in missing.items():
        groups.setdefault(np.packbits(mask).tobytes(), []).append(j)
    search = _search(table, target, max_conditions, n_bins)
    log_alpha = math.log(alpha) - math.log(len(groups))
    members: list[tuple[str, Any]] = []
    rows = []
    for hit in groups.values():
        mask = missing[hit[0]]
        found = search.explain(mask, hit, log_alpha)
        name = _member_name([table.labels[j] for j in hit], [name for name, _ in members])
        members.append((name, _member(make, table, hit, float(mask.mean()), found)))
        facts = _facts(table, found, len(groups))
        for j in hit:
            counts = {"n_missing": int(mask.sum()), "rate": float(mask.mean())}
            rows.append((j, {"column": table.labels[j], "member": name, **counts, **facts}))
    report = [row for _, row in sorted(rows, key=lambda item: item[0])]
    noise = _shared_noise(
        {name: missing[hit[0]] for (name, _), hit in zip(members, groups.values(), strict=True)}
    )
    process = CorruptionProcess(members, noise=noise, random_state=random_state)
    return ObservedMissing(process, _frame(report), target is not None)


def _check(table: Table, max_conditions: int, n_bins: int, alpha: float) -> None:
    twice = [label for label, count in Counter(table.labels).items() if count > 1]
    if twice:
        raise ValueError(
            f"X has more than one column called {twice[0]!r}; give them distinct names before "
            "their gaps are looked at."
        )
    whole = isinstance(max_conditions, Integral) and not isinstance(max_conditions, bool)
    if not whole or max_conditions < 1:
        raise ValueError(f"max_conditions={max_conditions!r} should be an integer of at least 1.")
    if not isinstance(n_bins, Integral) or not 2 <= n_bins <= 256:
        raise ValueError(f"n_bins={n_bins!r} should be an integer from 2 to 256.")
    if not isinstance(alpha, Real) or not 0 < alpha < 1:
        raise ValueError(f"alpha={alpha!r} should be a number between 0 and 1.")


def _gaps(table: Table, columns: Any) -> dict[int, np.ndarray]:
    """Missing cells of the columns that have any, and any that are known."""
    wanted = range(table.n_columns) if columns is None else resolve_columns(table, columns)
    missing = {j: table.missing(j) for j in wanted}
    whole = [table.labels[j] for j in wanted if not missing[j].any()]
    if columns is not None and whole:
        raise ValueError(
            f"columns={columns!r} names {whole[0]!r}, which has no missing value to learn from; "
            "leave it out, or pass columns=None for all columns that have some."
        )
    empty = [table.labels[j] for j in wanted if missing[j].all()]
    gaps = {j: mask for j, mask in missing.items() if mask.any() and not mask.all()}
    if empty:
        message = f"{', '.join(map(repr, empty[:10]))}: no value at all, so there is nothing to "
        message += "compare gaps with"
        if not gaps:
            raise ValueError(f"{message}, and no other column has any. Drop it from X.")
        warnings.warn(f"{message}; left out. Drop it from X.", UserWarning, stacklevel=4)
    if not gaps:
        raise ValueError(
            "X has no missing value, so there are no gaps to learn from; pass the table as it was "
            "before imputation or before incomplete rows were dropped, with NaN or None for what "
            f"is missing. Its columns are: {describe_columns(table)}."
        )
    return gaps


def _search(table: Table, target: Target | None, max_conditions: int, n_bins: int) -> GapSearch:
    attributes, scales = [], {}
    for j in range(table.n_columns):
        attribute = column_attribute(table, j, n_bins)
        if attribute is None:
            continue
        attributes.append(attribute)
        # two values or names are said better by a pattern
        if attribute.n_levels > 2 and table.kind(j) in _SCALES:
            driver = Driver(table, j)
            if not driver.is_constant:
                scales[j] = driver.standardised(table, absent=np.nan)
    label = None if target is None else label_attribute(target, n_bins)
    if label is not None:
        attributes.append(label)
    return GapSearch(attributes, scales, table.n_rows, max_conditions)


def _member(make: Make, table: Table, hit: list[int], rate: float, found: Found | None) -> Any:
    columns = _one_or_list([table.labels[j] for j in hit])
    if found is None:
        return make(columns, rate=_short(rate))
    if found.pattern is None:
        return make(columns, rate=_short(rate), mechanism=_mechanism(table, found))
    return make(
        columns,
        pattern=found.pattern,
        rate=_short(found.rate_inside),
        outside_ratio=_short(found.rate_outside / found.rate_inside),
    )


def _mechanism(table: Table, found: Found) -> MAR:
    columns = _one_or_list([table.labels[j] for j in found.columns])
    return MAR(columns, strength=_short(found.strength))


def _short(number: float) -> float:
    """A parameter that is fit to be read, near enough for the count in half a million rows."""
    return round(number, 6) or number


def _shared_noise(masks: dict[str, np.ndarray]) -> dict[str, list[str]] | None:
    """Groups of members whose gaps fall together more often than not, where they could."""
    group = {name: name for name in masks}
    for a, b in combinations(masks, 2):
        n_a, n_b = int(masks[a].sum()), int(masks[b].sum())
        both = int((masks[a] & masks[b]).sum())
        # nearer to all that could be than to what independent gaps would be
        middle = (min(n_a, n_b) + n_a * n_b / len(masks[a])) / 2
        if both >= LEAST_TOGETHER and both > middle:
            group = {name: group[a] if g == group[b] else g for name, g in group.items()}
    shared = {g: [name for name in masks if group[name] == g] for g in group.values()}
    return {g: names for g, names in shared.items() if len(names) > 1} or None


def _one_or_list(labels: list[Any]) -> Any:
    return labels[0] if len(labels) == 1 and isinstance(labels[0], str) else labels


def _facts(table: Table, found: Found | None, n_groups: int) -> dict[str, Any]:
    """What a report says of an explanation."""
    nan = math.nan
    if found is None:
        return {
            "explained_by": (),
            "uses_y": False,
            "pattern": None,
            "rate_inside": nan,
            "rate_outside": nan,
            "mechanism": None,
            "strength": nan,
            "deviance_explained": 0.0,
            "f1": nan,
            "p_value": nan,
        }
    smooth = found.pattern is None
    return {
        "explained_by": tuple(table.labels[j] for j in found.columns if j != LABEL),
        "uses_y": LABEL in found.columns,
        "pattern": found.pattern,
        "rate_inside": nan if smooth else found.rate_inside,
        "rate_outside": nan if smooth else found.rate_outside,
        "mechanism": _mechanism(table, found) if smooth else None,
        "strength": found.strength if smooth else nan,
        "deviance_explained": found.deviance,
        "f1": found.f1,
        "p_value": min(1.0, math.exp(found.log_p) * n_groups),
    }


def _frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Records as a frame that keeps tuples and patterns as they are."""
    columns = {}
    for name in rows[0]:
        cells = [row[name] for row in rows]
        if name in ("column", "member", "explained_by", "pattern", "mechanism"):
            objects = np.empty(len(cells), dtype=object)
            for i, cell in enumerate(cells):
                # numpy would take tuples apart
                objects[i] = cell
            columns[name] = pd.Series(objects, dtype=object)
        else:
            columns[name] = pd.Series(cells)
    return pd.DataFrame(columns)


def _member_name(labels: list[Any], taken: list[str]) -> str:
    """A name for a member of a process, which has no double underscore."""
    shown = " + ".join(map(str, labels[:3]))
    rest = len(labels) - 3
    name = shown if rest <= 0 else f"{shown} + {rest} more"
    while "__" in name:
        name = name.replace("__", "_")
    reserved = {"corruptions", "noise", "random_state", *taken}
    number = 2
    unique = name
    while unique in reserved:
        unique = f"{name} {number}"
        number += 1
    return unique
