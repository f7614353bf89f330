"""Kinds of errors, as they were learned, as corruptions that a search can aim."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from skcorrupt.base import BaseCorruption
from skcorrupt.corruptions import (
    CorruptCategories,
    CorruptClip,
    CorruptDates,
    CorruptDuplicates,
    CorruptExchange,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptRounding,
    CorruptScale,
    CorruptSentinel,
    CorruptText,
    CorruptType,
    SelectionBias,
    short_names,
)

Params = Mapping[str, Any]
_NUMBERS_AS_TEXT = ("decimal_comma", "thousands", "scientific", "plain")


def template_of(
    row: Mapping[Any, Any], *, placed: bool, columns: Sequence[Any] = ()
) -> BaseCorruption | None:
    """The kind of error of a row of the report.

    Parameters
    ----------
    row : dict
        The row.
    placed : bool
        Whether to strike under its pattern; else that is left to a search.
    columns : sequence of labels, default=()
        The columns to strike; the row's own where there are none.

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
        struck = [*columns] or [row["column"]]
        where["columns"] = struck[0] if len(struck) == 1 and isinstance(struck[0], str) else struck
    params = dict(row["parameters"])
    shown = next(iter(row["examples"]), (None, None))[0]
    if (
        row["kind"] == "sentinel"
        and isinstance(params["value"], str)
        and not isinstance(shown, str)
    ):
        # parameters keep times as texts
        params["value"] = pd.Timestamp(params["value"])
    if isinstance(params.get("step"), str) and isinstance(shown, str):
        # times in texts have no steps to a search
        return None
    return TEMPLATES[row["kind"]](params, where)


def _sentinel(params: Params, where: dict[str, Any]) -> BaseCorruption | None:
    """A default, None for an infinite one, which models refuse."""
    value = params["value"]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return CorruptSentinel(value=value, **where)


def _scale(params: Params, where: dict[str, Any]) -> BaseCorruption:
    return CorruptScale(factor=float(params["factor"]), offset=float(params["offset"]), **where)


def _noise(params: Params, where: dict[str, Any]) -> BaseCorruption:
    own: dict[str, Any] = {"scale": float(params["scale"])} if params.get("scale") else {}
    return CorruptNoise(**own, **where)


def _outliers(params: Params, where: dict[str, Any]) -> BaseCorruption:
    own: dict[str, Any] = {"magnitude": float(params["scale"])} if params.get("scale") else {}
    return CorruptOutliers(**own, **where)


def _rounding(params: Params, where: dict[str, Any]) -> BaseCorruption:
    step = params["step"]
    if isinstance(step, str):
        return CorruptRounding(step=step, **where)
    return CorruptRounding(step=float(step), direction=params.get("mode", "nearest"), **where)


def _text(params: Params, where: dict[str, Any]) -> BaseCorruption | None:
    kind: Any = params["kind"]
    if kind == "replaced":
        return CorruptText(kind="replace", replace={params["old"]: params["new"]}, **where)
    if kind == "added":
        whole = params["prefix"] + "{value}" + params["suffix"]
        return CorruptText(kind="extra", template=whole, **where)
    return None if kind == "appended" else CorruptText(kind=kind, **where)


def _type(params: Params, where: dict[str, Any]) -> BaseCorruption | None:
    if params["kind"] == "unit" and not params["prefix"]:
        return CorruptType(kind="unit", unit=params["suffix"].strip(), **where)
    kind: Any = "decimal_comma" if "comma" in params["style"] else params["style"]
    kind = "plain" if kind in ("same", "point") else kind
    kind = "thousands" if kind.startswith("thousands") else kind
    if params["kind"] == "unit" or kind not in _NUMBERS_AS_TEXT:
        return None
    return CorruptType(kind=kind, **where)


def _dates(params: Params, where: dict[str, Any]) -> BaseCorruption | None:
    if params["kind"] == "format" and "date_format" not in params:
        # forms of texts are more than formats can say
        return None
    names = ("kind", "hours", "years", "read_format", "date_format")
    own = {name: params[name] for name in names if name in params}
    return CorruptDates(**own, **where)


def _clip(params: Params, where: dict[str, Any]) -> BaseCorruption:
    own: dict[str, Any] = {
        name: float(params[name]) for name in ("lower", "upper") if name in params
    }
    return CorruptClip(**own, **where)


def _from_elsewhere(name: str, *parameters: str) -> Callable[..., BaseCorruption | None]:
    """A kind that takes values from elsewhere in the table, where there is a class for it."""

    def made(params: Params, where: dict[str, Any]) -> BaseCorruption | None:
        kinds = short_names()
        own = {key: params[key] for key in parameters if key in params}
        return kinds[name](**own, **where) if name in kinds else None

    return made


def _exchange(params: Params, where: dict[str, Any]) -> BaseCorruption:
    named = where.pop("columns")
    own = named[0] if isinstance(named, list) else named
    return CorruptExchange(sorted([own, params["column"]], key=str), **where)


def _transition(params: Params) -> dict[Any, dict[Any, float]]:
    """What each value became and how often."""
    table: dict[Any, dict[Any, float]] = {}
    for clean, dirty, count in params.get("table", ()):
        if clean is not None and dirty is not None:
            table.setdefault(clean, {})[dirty] = float(count)
    return table


def _categories(params: Params, where: dict[str, Any]) -> BaseCorruption:
    table = _transition(params) if params.get("by_value") else None
    return CorruptCategories(transition=table, **where)


def _labels(params: Params, where: dict[str, Any]) -> BaseCorruption | None:
    """Wrong labels, None where no corruption of labels makes such."""
    table = _transition(params)
    form = params.get("form")
    if form == "swap" and table:
        # numbers of a target are no classes, and hardly met again
        fractional = any(isinstance(label, float) and not label.is_integer() for label in table)
        return None if fractional else CorruptLabels(transition=table, **where)
    if form == "scale":
        own = {"factor": float(params["factor"]), "shift": float(params["offset"])}
        moved: dict[str, Any] = {k: v for k, v in own.items() if v != (k == "factor")}
        return CorruptLabels(**moved, **where)
    if form == "noise" and params.get("scale"):
        return CorruptLabels(noise=float(params["scale"]), **where)
    if form == "lost":
        return CorruptLabels(missing_label=float("nan"), **where)
    if form == "constant":
        return CorruptLabels(missing_label=params["value"], **where)
    return None


TEMPLATES: dict[str, Callable[[Params, dict[str, Any]], BaseCorruption | None]] = {
    "missing": lambda params, where: CorruptMissing(**where),
    "sentinel": _sentinel,
    "scale": _scale,
    "noise": _noise,
    "outliers": _outliers,
    "rounding": _rounding,
    "clip": _clip,
    "text": _text,
    "type": _type,
    "dates": _dates,
    "exchange": _exchange,
    "stuck": _from_elsewhere("stuck", "order", "group"),
    "shift": _from_elsewhere("shift", "offset", "order", "group"),
    "categories": _categories,
    "labels": _labels,
    "selection": lambda params, where: SelectionBias(**where),
    "duplicates": lambda params, where: CorruptDuplicates(
        **{name: params[name] for name in ("jitter", "wrong_labels") if name in params}, **where
    ),
}
