"""What data say of a column that people may act on."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import Table

from ..rules._action_element import ActionElement


def learned_element(table: Table, j: int, name: str, actionable: bool) -> ActionElement:
    """What people can do to a column, by the values that it has.

    Raises
    ------
    ValueError
        If it has no value, or times on which people should act.
    """
    try:
        distinct = table.distinct(j)
        kind = table.kind(j)
        # ordered categories bring their order, all others are sorted
        order = table.categories(j)
        values = [plain_value(v) for v in (distinct if order is None else order)]
        if kind == "text" and order is None:
            values.sort(key=lambda v: (str(type(v)), v))
    except TypeError as error:
        raise ValueError(
            f"Column {name!r} holds values that cannot be compared ({error}); drop it."
        ) from error
    if not len(distinct):
        raise ValueError(f"Column {name!r} has no value; drop it, or describe it yourself.")
    if kind in ("datetime", "timedelta"):
        if actionable:
            raise ValueError(
                f"Column {name!r} holds times, on which nobody acts; turn it into numbers, or "
                "leave it out of actionable=."
            )
        values = [plain_value(v) for v in np.sort(distinct)]
    if kind in ("text", "datetime", "timedelta"):
        return ActionElement(name, "categorical", values=values, actionable=actionable)
    numbers = np.asarray(distinct, dtype=float)
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        raise ValueError(f"Column {name!r} has no finite value; drop it, or describe it yourself.")
    if set(numbers.tolist()) <= {0.0, 1.0}:
        ends = int(numbers.min()), int(numbers.max())
        return ActionElement(name, "bool", *ends, actionable=actionable)
    low, high = float(numbers.min()), float(numbers.max())
    if np.all(numbers == np.floor(numbers)):
        return ActionElement(name, "integer", int(low), int(high), actionable=actionable)
    return ActionElement(name, "real", low, high, actionable=actionable)


def plain_value(value: Any) -> Any:
    """A value as JSON has it, times as text."""
    if isinstance(value, (np.datetime64, dt.date)):
        return str(pd.Timestamp(value))
    if isinstance(value, (np.timedelta64, dt.timedelta)):
        return str(pd.Timedelta(value))
    return value.item() if isinstance(value, np.generic) else value
