"""What goes wrong in a table, for somebody who does not code."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from skcorrupt.corruptions._date_texts import write_dates
from skcorrupt.patterns import Condition, Pattern
from skcorrupt.utils import cut
from skcorrupt.utils._as_text import chance, counted, interval, percent, plain

Params = Mapping[str, Any]
MOST_NAMED = 5
_LONGEST = 40
_BOUNDS = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}

# what a kind is called in pictures and tables
KINDS = {
    "missing": "missing",
    "sentinel": "default value",
    "scale": "another unit",
    "noise": "noise",
    "outliers": "far off",
    "rounding": "rounded",
    "clip": "cut at a limit",
    "categories": "another category",
    "text": "text",
    "type": "way of writing",
    "dates": "date or time",
    "exchange": "exchanged",
    "column": "of another column",
    "stuck": "repeated",
    "shift": "of another row",
    "unexplained": "unexplained",
    "labels": "wrong labels",
    "selection": "rows lost",
    "duplicates": "rows added",
}
_TEXTS = {
    "typo": "are misspelt",
    "ocr": "are misread, as by a scanner",
    "case": "have other capitals",
    "whitespace": "have white space more or less",
    "truncate": "end too early",
    "abbreviate": "are shortened",
    "mojibake": "are garbled, as by another encoding",
    "accent": "have lost or gained accents",
    "order": "have two of their words exchanged",
}


def kind_in_words(row: Mapping[Any, Any]) -> str:
    """What happens to values, without where: the end of "In this column, …".

    Parameters
    ----------
    row : dict
        A row of the report.

    Returns
    -------
    str
        Such as "values are multiplied by 1000".
    """
    params = dict(row["parameters"])
    if "rule" in params:
        return f"the rule `{params['rule']}` is broken"
    said = _SAID[row["kind"]](params)
    # the most frequent one is told, which stands for others of its kind
    alike = params.get("others") and not said.endswith("otherwise")
    return f"{said}, or something alike" if alike else said


def where_in_words(pattern: Pattern) -> str:
    """Conditions on rows as a reader of no code is told them.

    Parameters
    ----------
    pattern : Pattern
        The conditions.

    Returns
    -------
    str
        Such as "`age` is at most 30 and `branch` is south".
    """
    return " and ".join(
        f"{'the label' if name == 'y' and pattern.uses_y else f'`{name}`'} is {_held(condition)}"
        for name, condition in pattern.conditions.items()
    )


def error_in_words(row: Mapping[Any, Any]) -> list[str]:
    """What goes wrong, how often, where, and how sure that is.

    Parameters
    ----------
    row : dict
        A row of the report.

    Returns
    -------
    list of str
        Sentences.
    """
    what = kind_in_words(row)
    start = what[0].upper() + what[1:] if row["column"] is None else f"In `{row['column']}`, {what}"
    unit = "row" if row["column"] is None else "cell"
    share = percent(row["rate"])
    said = [f"{start}: {counted(row['n_cells'], unit)}, {share} of those that this can happen to."]
    inside = _rate(row, "inside")
    if row["pattern"] is not None:
        said.append(
            f"Where {where_in_words(row['pattern'])} it happens in {inside}, elsewhere in "
            f"{_rate(row, 'outside')}."
        )
    elif row["mechanism"] is not None:
        names = " and ".join(f"`{name}`" for name in row["explained_by"]) or "the label"
        end = "high" if row["strength"] > 0 else "low"
        said.append(f"It happens more often where {names} is {end}.")
    else:
        said.append(f"Nothing in the table explains in which rows; overall it is {inside}.")
    if row["together_with"]:
        names = " and ".join(f"`{name}`" for name in row["together_with"])
        verb = "goes" if len(row["together_with"]) == 1 else "go"
        said.append(f"Mostly {names} {verb} wrong in the same rows.")
    if not math.isnan(row["p_adjusted"]):
        said.append(
            "If errors struck rows at random, the chance to find a place like this would be "
            f"{_chance(row['p_adjusted'])}."
        )
    if row["examples"]:
        dirty, clean = row["examples"][0]
        known = "" if "rule" in row["parameters"] else f" where {shown(clean)} is right"
        said.append(f"For example, the table has {shown(dirty)}{known}.")
    return said


def shown(value: Any) -> str:
    """A value of a table as readers are told it."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "nothing"
    if isinstance(value, str):
        return f"“{cut(value, _LONGEST)}”"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, np.datetime64):
        return str(value)[:19].replace("T", " ").removesuffix(" 00:00:00")
    return str(value)


def _rate(row: Mapping[Any, Any], side: str) -> str:
    rate = row[f"rate_{side}"]
    if math.isnan(rate):
        return "no rows that it can happen to"
    ends = interval(row[f"rate_{side}_low"], row[f"rate_{side}_high"], "percent")
    return f"{percent(rate)} (95 % interval {ends})"


def _chance(p: float) -> str:
    return chance(p) if p < 0.001 else f"about {chance(p)}"


def _held(condition: Condition) -> str:
    if condition.values is not None:
        named = [str(value) for value in condition.values[:MOST_NAMED]]
        left = len(condition.values) - len(named)
        more = f" or {counted(left, 'other')}" if left else ""
        return (", ".join(named) if more else " or ".join(named)) + more
    return " and ".join(f"{_BOUNDS[sign]} {bound}" for sign, bound in condition.bounds.items())


def _scale(params: Params) -> str:
    factor, offset = params["factor"], params["offset"]
    moved = f"{abs(offset):.6g} too {'high' if offset > 0 else 'low'}"
    rounded = f", rounded to multiples of {params['step']}" if "step" in params else ""
    if factor == 1:
        return f"values are {moved}{rounded}"
    then = f", then {moved}" if offset else ""
    return f"values are multiplied by {factor:.6g}{then}{rounded}"


def _noise(params: Params) -> str:
    # results that were kept before have the spread alone
    size = params.get("typical", params.get("spread", 0))
    told = duration(size) if params["form"] == "moved" else plain(size)
    return f"values are off by amounts that vary, typically {told}"


def _rounding(params: Params) -> str:
    ways = {"down": "rounded down", "up": "rounded up"}
    way = ways.get(params.get("mode", ""), "rounded")
    step = params["step"]
    if isinstance(step, str):
        return f"times are cut to the beginning of the {step}"
    return f"values are {way} to multiples of {step}"


def _clip(params: Params) -> str:
    sides = [
        f"{word} {params[name]}"
        for name, word in (("lower", "below"), ("upper", "above"))
        if name in params
    ]
    return f"values {' and '.join(sides)} are cut off there"


def _text(params: Params) -> str:
    kind = params["kind"]
    if kind == "added":
        parts = [
            f"“{params[name]}” {place} them"
            for name, place in (("prefix", "before"), ("suffix", "behind"))
            if params[name]
        ]
        return f"texts have {' and '.join(parts)}"
    if kind == "replaced":
        return f"“{params['old']}” became “{params['new']}” in texts"
    if kind == "appended":
        return f"the value of `{params['column']}` stands {params['where']} texts"
    return f"texts {_TEXTS[kind]}"


def _type(params: Params) -> str:
    if params["kind"] == "unit":
        both = " and ".join(f"“{params[k].strip()}”" for k in ("prefix", "suffix") if params[k])
        return f"numbers have {both} beside them"
    if params["kind"] == "decimal_comma":
        return "numbers have a comma in place of the point"
    return "numbers are written otherwise"


def _dates(params: Params) -> str:
    kind = params["kind"]
    if kind == "time_zone":
        hours = params["hours"]
        return f"times are {duration(3600 * hours)} too {'late' if hours > 0 else 'early'}"
    if kind == "year":
        return f"dates are {counted(abs(params['years']), 'year')} " + (
            "too late" if params["years"] > 0 else "too early"
        )
    if kind == "day_month":
        return "day and month are exchanged"
    if "date_format" not in params:
        return "dates are written otherwise"
    [like] = write_dates(np.array(["2024-12-31"], dtype="M8[us]"), params["date_format"])
    return f"dates are written like {like}"


def duration(seconds: float) -> str:
    """A length of time in the largest unit that it has at least one of."""
    size = abs(seconds)
    for unit, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if size >= unit:
            number = f"{size / unit:.3g}"
            return f"{number} {name}{'' if number == '1' else 's'}"
    return f"{size:.3g} seconds"


def _ordered(params: Params) -> str:
    parts = [f"in the order of `{params['order']}`"] if "order" in params else []
    parts += [f"within the same `{params['group']}`"] if "group" in params else []
    return " ".join(["", *parts])


def _shift(params: Params) -> str:
    offset = params["offset"]
    side = "above" if offset > 0 else "below"
    return f"values are those {counted(abs(offset), 'row')} {side}{_ordered(params)}"


def _categories(params: Params) -> str:
    said = "values are others of the same column"
    if params.get("by_value"):
        clean, dirty, _ = params["table"][0]
        said += f", most often {shown(dirty)} in place of {shown(clean)}"
    return said


def _labels(params: Params) -> str:
    form = params.get("form")
    if form == "lost":
        return "labels are missing"
    if form in ("scale", "noise"):
        return _SAID[form](params).replace("values", "labels")
    return f"labels are {params['value']}" if form == "constant" else "labels are wrong"


def _duplicates(params: Params) -> str:
    said = "rows are there more than once"
    if params.get("jitter"):
        said += ", with small differences"
    if params.get("wrong_labels"):
        said += ", with other labels"
    return said


_SAID: dict[str, Callable[[Params], str]] = {
    "missing": lambda params: "values are missing",
    "sentinel": lambda params: f"{shown(params['value'])} stands in place of values",
    "scale": _scale,
    "noise": _noise,
    "outliers": lambda params: f"values are {params['size']:.6g} too high or too low",
    "rounding": _rounding,
    "clip": _clip,
    "categories": _categories,
    "text": _text,
    "type": _type,
    "dates": _dates,
    "exchange": lambda params: f"values are exchanged with those of `{params['column']}`",
    "column": lambda params: f"values are those of `{params['column']}`",
    "stuck": lambda params: f"values repeat those of the row above{_ordered(params)}",
    "shift": _shift,
    "unexplained": lambda params: "values are wrong in ways that have nothing in common",
    "labels": _labels,
    "selection": lambda params: "rows are lost",
    "duplicates": _duplicates,
}
