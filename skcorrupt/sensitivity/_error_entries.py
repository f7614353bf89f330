"""Errors of a study as readable entries, and the corruptions that they describe."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Mapping
from typing import Any

from skcorrupt.base import BaseCorruption
from skcorrupt.base._serialise import build, encode, known_classes
from skcorrupt.corruptions import short_names
from skcorrupt.patterns import Pattern, as_pattern
from skcorrupt.utils import Reader, document, shorten

from ._scenario import SET_BY_STUDY, named_corruptions, set_by_study

KEYS = ("name", "columns", "pattern", "params")


def entries_of(corruptions: Any) -> list[dict[str, Any]]:
    """Entries of errors in one form, each checked.

    Parameters
    ----------
    corruptions : BaseCorruption, dict, sequence of both, or mapping of str to BaseCorruption
        The errors.

    Returns
    -------
    list of dict
        Each with `name` and `kind`, and what is set of `columns`, `pattern` and `params`.

    Raises
    ------
    ValueError
        If there is none, or one is wrong.
    TypeError
        If one is neither an entry nor a corruption.
    """
    if isinstance(corruptions, BaseCorruption) or (
        isinstance(corruptions, Mapping) and "kind" in corruptions
    ):
        corruptions = [corruptions]
    if isinstance(corruptions, Mapping):
        corruptions = [
            _described(each, name) for name, each in named_corruptions(corruptions).items()
        ]
    single = isinstance(corruptions, str) or getattr(corruptions, "ndim", 1) == 0
    if single or not isinstance(corruptions, Iterable):
        raise TypeError(
            f"corruptions={shorten(corruptions)} should be a list of entries, such as "
            '[{"kind": "missing"}].'
        )
    entries = [
        _described(each) if isinstance(each, BaseCorruption) else each for each in corruptions
    ]
    found: list[dict[str, Any]] = []
    for reader in document(entries, "corruptions").items():
        if not isinstance(reader.value, Mapping):
            raise TypeError(
                f"{reader.place}={shorten(reader.value)} should be an entry such as "
                '{"kind": "missing"}, or a corruption.'
            )
        found.append(_checked(reader, [other["name"] for other in found]))
    if not found:
        raise ValueError(
            'corruptions=[] has none; name one or more, such as [{"kind": "missing"}].'
        )
    return found


def corruption_of(entry: Mapping[str, Any], place: str = "corruptions") -> BaseCorruption:
    """The corruption of an entry.

    Parameters
    ----------
    entry : mapping
        One of `entries_of`.
    place : str, default="corruptions"
        Where the entry is, for messages.

    Returns
    -------
    BaseCorruption
        Unfitted, without a rate.

    Raises
    ------
    ValueError
        If a parameter is wrong.
    """
    reader = Reader(entry, place)
    cls = _classes()[entry["kind"]]
    params = dict(entry.get("params", {}))
    pattern = entry.get("pattern")
    if pattern is not None:
        # text works as it is, and its form in JSON is that of other text
        params["pattern"] = pattern if isinstance(pattern, str) else {"pattern": pattern}
    if "columns" in entry:
        params["columns"] = list(entry["columns"])
    return build(cls, Reader(params, reader.at("params").place))


def _classes() -> dict[str, type[BaseCorruption]]:
    """Classes by short name and by the name of the class."""
    return short_names() | known_classes("corruption")


def _described(corruption: BaseCorruption, name: str | None = None) -> dict[str, Any]:
    """An entry of what differs from the defaults of a corruption."""
    cls = type(corruption)
    entry: dict[str, Any] = {"name": name, "kind": cls.short_name}
    given = corruption.get_params(deep=False)
    encoded = corruption.to_dict()["params"]
    params = {}
    for key, parameter in inspect.signature(cls).parameters.items():
        required = parameter.default is parameter.empty
        if key in SET_BY_STUDY or not (required or encoded[key] != encode(parameter.default)):
            continue
        if key == "pattern":
            entry["pattern"] = _pattern_entry(as_pattern(given[key]))
        elif key == "columns":
            entry["columns"] = encoded[key]
        else:
            params[key] = encoded[key]
    return entry | ({"params": params} if params else {})


def _pattern_entry(pattern: Pattern) -> Any:
    """The text of a pattern, where it is read back as the same pattern."""
    text = str(pattern)
    try:
        same = Pattern.parse(text) == pattern
    except ValueError:
        same = False
    return text if same else pattern.to_dict()


def _checked(reader: Reader, names: list[str]) -> dict[str, Any]:
    what = "an entry, of which params has all other parameters of the class,"
    # null is as good as nothing
    fields = {
        key: field
        for key, field in reader.fields(["kind"], KEYS, what).items()
        if field.value is not None or key == "kind"
    }
    kinds = _classes()
    otherwise = "; import the module that defines a class of your own first"
    kind = fields["kind"].one_of(kinds, otherwise)
    cls = kinds[kind]
    kind = cls.short_name
    what = "a text, or be left out"
    if "name" in fields:
        name = fields["name"].text(what) or fields["name"].refuse(what)
    else:
        count = sum(each == kind or each.startswith(f"{kind}-") for each in names)
        name = f"{kind}-{count + 1}" if count else kind
    if name in names:
        raise ValueError(
            f"{reader.at('name').place}={name!r} is taken by another entry; give it another name."
        )
    found: dict[str, Any] = {"name": name, "kind": kind}
    if "columns" in fields:
        found["columns"] = _columns(fields["columns"], kind, cls)
    if "pattern" in fields:
        found["pattern"] = _pattern(fields["pattern"], kind, cls)
    if "params" in fields:
        _check_params(fields["params"], cls)
        found |= {"params": dict(fields["params"].value)} if fields["params"].value else {}
    reader.made(json.dumps, found)
    corruption_of(found, reader.place)
    return found


def _columns(reader: Reader, kind: str, cls: type[BaseCorruption]) -> list[Any]:
    if cls.strikes != "cells":
        raise ValueError(
            f"{reader.place}={shorten(reader.value)}: {kind!r} strikes rows, not columns; leave it "
            "out."
        )
    what = "a list of names of columns, or be left out for all columns that the error applies to"
    one = isinstance(reader.value, str)
    columns = [reader.value] if one else [each.value for each in reader.items(what)]
    if not columns or not all(
        isinstance(each, (str, int)) and not isinstance(each, bool) for each in columns
    ):
        reader.refuse(what)
    twice = [each for i, each in enumerate(columns) if each in columns[:i]]
    if twice:
        raise ValueError(
            f"{reader.place}={shorten(columns)} names {twice[0]!r} twice; take one out."
        )
    return columns


def _pattern(reader: Reader, kind: str, cls: type[BaseCorruption]) -> Any:
    if "pattern" not in inspect.signature(cls).parameters:
        raise ValueError(
            f"{reader.place}={shorten(reader.value)}: {kind!r} takes none; leave it out."
        )
    if isinstance(reader.value, Mapping):
        Pattern._read(reader)
    else:
        reader.made(Pattern.parse, reader.text("a text such as 'age >= 25'"))
    return reader.value


def _check_params(reader: Reader, cls: type[BaseCorruption]) -> None:
    """Refuse parameters that stand elsewhere."""
    entry = reader.place.removesuffix(".params")
    for key, value in reader.entries('an object of parameters, such as {"scale": 2}').items():
        if key in SET_BY_STUDY:
            raise ValueError(f"{value.place} {set_by_study(key)}")
        if key in ("columns", "pattern"):
            raise ValueError(f"{value.place}: move it out of params, to {entry}.{key}.")
        if key == "when" and value.value != "fit" and cls.strikes == "cells":
            raise ValueError(
                f"{value.place}={shorten(value.value)}: a study corrupts training data only; leave "
                "it out."
            )
