"""Errors as they were learned, as a corruption that makes them again."""

from __future__ import annotations

from typing import Any

import numpy as np

from skcorrupt.base import BaseCorruption
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.utils import Table, Target, warn

from ._kind_templates import template_of
from .kinds._explain_cells import Explained
from .making._corrupt_as_seen import CorruptAsSeen
from .making._seen_errors import seen_errors

# of the errors, outside a pattern that a sampler then keeps to
FEW_OUTSIDE = 0.1


def process_of(
    clean: Table,
    target: Target | None,
    rows: np.ndarray,
    explained: list[Explained],
    records: list[dict[str, Any]],
    hidden: list[Any],
) -> CorruptionProcess | None:
    """The corruption that makes such errors.

    Parameters
    ----------
    clean : Table
        The clean table.
    target : Target or None
        Its labels.
    rows : ndarray of int
        Rows of it that have a dirty counterpart.
    explained : list of Explained
        Wrong cells by column, in terms of `rows`.
    records : list of dict
        Rows of the report.
    hidden : list of labels
        Columns that do not say where errors strike.

    Returns
    -------
    CorruptionProcess or None
        None where only errors were seen that cannot be made again.
    """
    members: list[tuple[str, BaseCorruption]] = []
    if explained:
        seen = seen_errors(clean, target, rows, explained, hidden)
        members.append(("cells", CorruptAsSeen(seen)))
    labels = [row for row in records if row["kind"] == "labels"]
    if labels:
        made = template_of(_kept_to(labels[0]), placed=True)
        if made is not None:
            members.append(("labels", made.set_params(rate=_rate(labels[0]))))
        else:
            form = labels[0]["parameters"].get("form")
            warn(
                f"Wrong labels such as these (form {form!r} of the report) cannot be made again; "
                "corruption leaves them out. Make the label a column of both tables instead of "
                "passing y, for errors in columns can."
            )
    names = {"selection": "lost rows", "duplicates": "rows added"}
    for row in records:
        if row["kind"] not in names or not row["rate"] > 0:
            continue
        name = names[row["kind"]]
        if row["parameters"].get("wrong_labels"):
            name += " with wrong labels"
        made = template_of(_kept_to(row), placed=True)
        if made is not None:
            members.append((name, made.set_params(rate=_rate(row))))
    return CorruptionProcess(members) if members else None


def _kept_to(row: dict[str, Any]) -> dict[str, Any]:
    """The row without a pattern that too many of its errors are outside of."""
    return row | {"pattern": row["pattern"] if _keeps(row) else None}


def _keeps(row: dict[str, Any]) -> bool:
    if row["pattern"] is None:
        return False
    inside, outside, rate = row["rate_inside"], row["rate_outside"], row["rate"]
    if not inside > outside:
        return False
    # what is inside, of all rows
    share = (rate - outside) / (inside - outside)
    return bool((1 - share) * outside <= FEW_OUTSIDE * rate)


def _rate(row: dict[str, Any]) -> float:
    return round(float(row["rate_inside"] if _keeps(row) else row["rate"]), 6)
