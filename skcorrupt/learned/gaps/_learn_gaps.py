"""What explains the gaps of a table."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import MAR
from skcorrupt.corruptions import CorruptionProcess, CorruptMissing
from skcorrupt.utils import (
    Table,
    check_arguments,
    check_table,
    check_target,
    describe_columns,
    resolve_columns,
    warn,
)
from skcorrupt.utils._compat import Interval
from skcorrupt.utils._typing import ColumnLabels, ColumnLike, RandomState, TableLike

from ._gap_attribute import LABEL
from ._gap_search import Found
from ._learned_gaps import LearnedGaps
from ._search_over import search_over

LEAST_TOGETHER = 5
REPORT = [
    "column",
    "member",
    "n_missing",
    "rate",
    "explained_by",
    "uses_y",
    "pattern",
    "rate_inside",
    "rate_outside",
    "mechanism",
    "strength",
    "deviance_explained",
    "f1",
    "p_value",
]
_OBJECTS = ("column", "member", "explained_by", "pattern", "mechanism")
_CONSTRAINTS: dict[str, Any] = {
    "max_conditions": [Interval(Integral, 1, None, closed="left")],
    "n_bins": [Interval(Integral, 2, 256, closed="both")],
    "alpha": [Interval(Real, 0, 1, closed="neither")],
}


def learn_gaps(
    X: TableLike,
    y: ColumnLike | None = None,
    *,
    columns: ColumnLabels | None = None,
    max_conditions: int = 3,
    n_bins: int = 8,
    alpha: float = 0.05,
    random_state: RandomState = None,
) -> LearnedGaps:
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
    LearnedGaps
        With `corruption`, a `CorruptionProcess` of `CorruptMissing`; `report`, one row per column;
        and `template()`, `search_space()` and `budget()` for an `AdversarialCorruptionSearch`.
        `gaps["income"]` is the corruption of one column.

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
    >>> from skcorrupt.learned import learn_gaps
    >>> rng = np.random.default_rng(0)
    >>> X = pd.DataFrame({"age": rng.integers(18, 80, 500), "income": rng.normal(40, 9, 500)})
    >>> X.loc[(X["age"] <= 30) & (rng.uniform(size=500) < 0.7), "income"] = np.nan
    >>> learn_gaps(X)["income"].pattern
    Pattern.parse('age <= 30')
    """
    check_arguments("learn_gaps", _CONSTRAINTS, locals())
    table = check_table(CorruptMissing(), X, reset=True)
    target = check_target(y, table.n_rows)
    twice = [label for label, count in Counter(table.labels).items() if count > 1]
    if twice:
        raise ValueError(
            f"X has more than one column called {twice[0]!r}; give them distinct names before "
            "their gaps are looked at."
        )
    missing = _gaps(table, columns)
    groups: dict[bytes, list[int]] = {}
    for j, mask in missing.items():
        groups.setdefault(np.packbits(mask).tobytes(), []).append(j)
    search = search_over(table, target, max_conditions, n_bins)
    log_alpha = math.log(alpha) - math.log(len(groups))
    members: list[tuple[str, Any]] = []
    rows = []
    for hit in groups.values():
        mask = missing[hit[0]]
        found = search.explain(mask, hit, log_alpha)
        name = _member_name([table.labels[j] for j in hit], [name for name, _ in members])
        members.append((name, _member(table, hit, float(mask.mean()), found)))
        facts = _facts(table, found, len(groups))
        for j in hit:
            counts = {"n_missing": int(mask.sum()), "rate": float(mask.mean())}
            rows.append((j, {"column": table.labels[j], "member": name, **counts, **facts}))
    report = [row for _, row in sorted(rows, key=lambda item: item[0])]
    noise = _shared_noise(
        {name: missing[hit[0]] for (name, _), hit in zip(members, groups.values(), strict=True)}
    )
    process = CorruptionProcess(members, noise=noise, random_state=random_state)
    frame = pd.DataFrame(report, columns=REPORT).astype(dict.fromkeys(_OBJECTS, object))
    return LearnedGaps(process, frame, target is not None)


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
        warn(f"{message}; left out. Drop it from X.")
    if not gaps:
        raise ValueError(
            "X has no missing value, so there are no gaps to learn from; pass the table as it was "
            "before imputation or before incomplete rows were dropped, with NaN or None for what "
            f"is missing. Its columns are: {describe_columns(table)}."
        )
    return gaps


def _member(table: Table, hit: list[int], rate: float, found: Found | None) -> CorruptMissing:
    columns = _one_or_list([table.labels[j] for j in hit])
    if found is None:
        return CorruptMissing(columns, rate=_short(rate))
    if found.pattern is None:
        return CorruptMissing(columns, rate=_short(rate), mechanism=_mechanism(table, found))
    return CorruptMissing(
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
    facts: dict[str, Any] = dict.fromkeys(("rate_inside", "rate_outside", "strength"), math.nan)
    facts |= {"explained_by": (), "uses_y": False, "pattern": None, "mechanism": None}
    facts |= {"deviance_explained": 0.0, "f1": math.nan, "p_value": math.nan}
    if found is None:
        return facts
    if found.pattern is None:
        facts |= {"mechanism": _mechanism(table, found), "strength": found.strength}
    else:
        facts |= {"rate_inside": found.rate_inside, "rate_outside": found.rate_outside}
    return facts | {
        "explained_by": tuple(table.labels[j] for j in found.columns if j != LABEL),
        "uses_y": LABEL in found.columns,
        "pattern": found.pattern,
        "deviance_explained": found.deviance,
        "f1": found.f1,
        "p_value": min(1.0, math.exp(found.log_p) * n_groups),
    }


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
