"""Kinds of errors, as they were learned, as corruptions that a search can aim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from skcorrupt.base import BaseCorruption
from skcorrupt.corruptions import (
    CorruptCategories,
    CorruptDuplicates,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    CorruptSentinel,
    SelectionBias,
)

Params = Mapping[str, Any]


def template_of(row: Mapping[Any, Any], *, placed: bool) -> BaseCorruption | None:
    """The kind of error of a row of the report.

    Parameters
    ----------
    row : dict
        The row.
    placed : bool
        Whether to strike its column under its pattern; else that is left to a search.

    Returns
    -------
    BaseCorruption or None
        Without a rate; None where there is no class for it.
    """
    if row["kind"] not in TEMPLATES:
        return None
    where: dict[str, Any] = {}
    if placed:
        where = {"pattern": row["pattern"], "mechanism": row["mechanism"]}
        if row["column"] is not None:
            where["columns"] = row["column"] if isinstance(row["column"], str) else [row["column"]]
    return TEMPLATES[row["kind"]](row["parameters"], where)


def _scale(params: Params, where: dict[str, Any]) -> BaseCorruption:
    return CorruptScale(factor=float(params["factor"]), offset=float(params["offset"]), **where)


def _noise(params: Params, where: dict[str, Any]) -> BaseCorruption:
    scale = params.get("scale")
    return CorruptNoise(**({} if not scale else {"scale": float(scale)}), **where)


def _outliers(params: Params, where: dict[str, Any]) -> BaseCorruption:
    scale = params.get("scale")
    return CorruptOutliers(**({} if not scale else {"magnitude": float(scale)}), **where)


def _labels(params: Params, where: dict[str, Any]) -> BaseCorruption:
    table: dict[Any, dict[Any, float]] = {}
    for clean, dirty, count in params.get("table", ()):
        if clean is not None and dirty is not None:
            table.setdefault(clean, {})[dirty] = float(count)
    if params.get("form") == "swap" and table:
        return CorruptLabels(transition=table, **where)
    if params.get("form") == "scale" and params["factor"] == 1:
        return CorruptLabels(shift=float(params["offset"]), **where)
    return CorruptLabels(**where)


TEMPLATES: dict[str, Callable[[Params, dict[str, Any]], BaseCorruption]] = {
    "missing": lambda params, where: CorruptMissing(**where),
    "sentinel": lambda params, where: CorruptSentinel(value=params["value"], **where),
    "scale": _scale,
    "noise": _noise,
    "outliers": _outliers,
    "categories": lambda params, where: CorruptCategories(**where),
    "labels": _labels,
    "selection": lambda params, where: SelectionBias(**where),
    "duplicates": lambda params, where: CorruptDuplicates(**where),
}
