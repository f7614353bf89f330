"""Errors of a study as readable entries, and the corruptions that they describe."""

from __future__ import annotations

import difflib
import inspect
import json
from collections.abc import Iterable, Mapping
from typing import Any

from skcorrupt.base import BaseCorruption, FeatureCorruption
from skcorrupt.base._serialise import encode, subclasses
from skcorrupt.corruptions import (
    CorruptCategories,
    CorruptDuplicates,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    SelectionBias,
)
from skcorrupt.patterns import Pattern, as_pattern

from ._scenario import named_corruptions

KINDS: dict[str, type[BaseCorruption]] = {
    "missing": CorruptMissing,
    "noise": CorruptNoise,
    "outliers": CorruptOutliers,
    "categories": CorruptCategories,
    "scale": CorruptScale,
    "labels": CorruptLabels,
    "selection": SelectionBias,
    "duplicates": CorruptDuplicates,
}
KEYS = ("name", "kind", "columns", "pattern", "params")
SET_BY_STUDY = {"rate": "levels", "random_state": "random_state"}


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
    if isinstance(corruptions, str) or not isinstance(corruptions, Iterable):
        raise TypeError(
            f"corruptions={corruptions!r} should be a list of entries, such as "
            '[{"kind": "missing"}].'
        )
    found: list[dict[str, Any]] = []
    for i, each in enumerate(corruptions):
        where = f"corruptions[{i}]"
        entry = _described(each) if isinstance(each, BaseCorruption) else each
        names = [other["name"] for other in found]
        found.append(_checked(entry, where, names))
    if not found:
        raise ValueError(
            'corruptions=[] has none; name one or more, such as [{"kind": "missing"}].'
        )
    return found


def corruption_of(entry: Mapping[str, Any]) -> BaseCorruption:
    """The corruption of a checked entry.

    Parameters
    ----------
    entry : mapping
        One of `entries_of`.

    Returns
    -------
    BaseCorruption
        Unfitted, without a rate.
    """
    params = dict(entry.get("params", {}))
    # a pattern's text is not told from other text by `from_dict`, and as text it works as it is
    pattern = entry.get("pattern")
    if pattern is not None:
        params["pattern"] = pattern if isinstance(pattern, str) else {"pattern": pattern}
    if "columns" in entry:
        params["columns"] = list(entry["columns"])
    kind = KINDS[entry["kind"]].__name__ if entry["kind"] in KINDS else entry["kind"]
    return BaseCorruption.from_dict({"corruption": kind, "params": params})


def _described(corruption: BaseCorruption, name: str | None = None) -> dict[str, Any]:
    """An entry of what differs from the defaults of a corruption."""
    cls = type(corruption)
    short = {kind.__name__: each for each, kind in KINDS.items()}
    entry: dict[str, Any] = {"name": name, "kind": short.get(cls.__name__, cls.__name__)}
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


def _checked(entry: Any, where: str, names: list[str]) -> dict[str, Any]:
    if not isinstance(entry, Mapping):
        raise TypeError(
            f'{where}={entry!r} should be an entry such as {{"kind": "missing"}}, or a corruption.'
        )
    for key in entry:
        if key not in KEYS:
            raise ValueError(
                f"{where}.{key} is not known{_hint(key, KEYS)}; an entry has {', '.join(KEYS)}. "
                f'Further parameters of the class stand in "params": {{"{key}": …}}.'
            )
    kind = _kind(entry.get("kind"), where)
    name = entry.get("name")
    if name is None:
        count = sum(each == kind or each.startswith(f"{kind}-") for each in names)
        name = f"{kind}-{count + 1}" if count else kind
    if not isinstance(name, str) or not name:
        raise ValueError(f"{where}.name={name!r} should be a text, or be left out.")
    if name in names:
        raise ValueError(f"{where}.name={name!r} is taken by another entry; give it another name.")
    found: dict[str, Any] = {"name": name, "kind": kind}
    columns, pattern = entry.get("columns"), entry.get("pattern")
    if columns is not None:
        found["columns"] = _columns(columns, where)
    if pattern is not None:
        found["pattern"] = pattern
    params = entry.get("params")
    if params is not None and not isinstance(params, Mapping):
        raise ValueError(
            f'{where}.params={params!r} should be an object of parameters, such as {{"scale": 2}}.'
        )
    if params:
        found["params"] = dict(params)
    _try(found, where)
    return found


def _kind(kind: Any, where: str) -> str:
    short = {cls.__name__: each for each, cls in KINDS.items()}
    if isinstance(kind, str):
        if kind in KINDS or kind in {cls.__name__ for cls in subclasses(BaseCorruption)}:
            return short.get(kind, kind)
    hint = _hint(kind, [*KINDS, *short]) if isinstance(kind, str) else ""
    raise ValueError(
        f"{where}.kind={kind!r} is not a kind of error{hint}; it should be one of "
        f"{', '.join(KINDS)}, or the name of a corruption's class, imported beforehand if it is "
        "your own."
    )


def _columns(columns: Any, where: str) -> list[Any]:
    columns = [columns] if isinstance(columns, str) else columns
    sound = isinstance(columns, (list, tuple)) and all(
        isinstance(each, (str, int)) and not isinstance(each, bool) for each in columns
    )
    if not sound or not columns:
        raise ValueError(
            f"{where}.columns={columns!r} should be a list of names of columns; leave it out for "
            "all columns that the error applies to."
        )
    twice = [each for i, each in enumerate(columns) if each in columns[:i]]
    if twice:
        raise ValueError(f"{where}.columns={columns!r} names {twice[0]!r} twice; take one out.")
    return list(columns)


def _try(entry: dict[str, Any], where: str) -> None:
    """Build the corruption once, to tell at once what it does not take."""
    cls = {each.__name__: each for each in subclasses(BaseCorruption)}[
        KINDS[entry["kind"]].__name__ if entry["kind"] in KINDS else entry["kind"]
    ]
    known = list(inspect.signature(cls).parameters)
    if "columns" in entry and not issubclass(cls, FeatureCorruption):
        raise ValueError(
            f"{where}.columns={entry['columns']!r}: {entry['kind']!r} strikes rows, not columns; "
            "leave it out."
        )
    if "pattern" in entry:
        if "pattern" not in known:
            raise ValueError(
                f"{where}.pattern={entry['pattern']!r}: {entry['kind']!r} takes none; leave it out."
            )
        try:
            as_pattern(entry["pattern"])
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ValueError(
                f"{where}.pattern={entry['pattern']!r} is not a pattern such as 'age >= 25': "
                f"{error}"
            ) from None
    allowed = [key for key in known if key not in (*SET_BY_STUDY, "columns", "pattern")]
    for key in entry.get("params", {}):
        if key in SET_BY_STUDY:
            raise ValueError(
                f"{where}.params.{key} is set by {SET_BY_STUDY[key]} of the study; leave it out."
            )
        if key in ("columns", "pattern"):
            raise ValueError(f"{where}.params.{key}: move it out of params, to {where}.{key}.")
        if key not in allowed:
            raise ValueError(
                f"{where}.params.{key} is not a parameter of {cls.__name__}{_hint(key, allowed)}; "
                f"it takes {', '.join(allowed) or 'none'}."
            )
    try:
        json.dumps(entry)
        corruption_of(entry)._validate_params()
    except (ValueError, TypeError) as error:
        raise ValueError(f"{where} ({entry['kind']}): {error}") from error
    when = entry.get("params", {}).get("when", "fit")
    if when != "fit" and issubclass(cls, FeatureCorruption):
        raise ValueError(
            f"{where}.params.when={when!r}: a study corrupts training data only; leave it out."
        )


def _hint(given: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(given, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
