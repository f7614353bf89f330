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
        made = _made_of(labels[0])
        if made is not None:
            members.append(("labels", made))
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
        made = _made_of(row)
        if made is not None:
            members.append((name, made))
    return CorruptionProcess(members) if members else None


def _made_of(row: dict[str, Any]) -> BaseCorruption | None:
    """The kind of error of a row of the report, as often inside its pattern and outside of it."""
    inside, outside = row["rate_inside"], row["rate_outside"]
    placed = row["pattern"] is not None and inside > outside
    made = template_of(row if placed else row | {"pattern": None}, placed=True)
    if made is None:
        return None
    rate = round(float(inside if placed else row["rate"]), 6)
    ratio = {"outside_ratio": round(float(outside / inside), 6)} if placed else {}
    return made.set_params(rate=rate, **ratio)
