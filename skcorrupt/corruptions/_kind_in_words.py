"""Kinds of error as people who do not code call them."""

from __future__ import annotations

import re

from skcorrupt.base import BaseCorruption

WORDS = {
    "categories": "wrong categories",
    "clip": "values cut off at a limit",
    "dates": "wrong dates",
    "duplicates": "duplicate rows",
    "exchange": "values in the wrong column",
    "labels": "wrong labels",
    "missing": "missing values",
    "noise": "noisy values",
    "outliers": "outliers",
    "rounding": "rounded values",
    "scale": "wrong units",
    "selection": "rows left out",
    "sentinel": "placeholders in place of values",
    "shift": "values in the wrong row",
    "stuck": "stuck values",
    "text": "damaged texts",
    "type": "values of another type",
}
# before a name that is not known
OTHER = "errors of the kind "
AT_ONCE = "several errors at once"
# what results call a process, by the names of its members
_PROCESS = re.compile(r"process\((.*)\)(-\d+)?")


def kind_in_words(kind: str) -> str:
    """What errors of a kind are called in a sentence.

    Parameters
    ----------
    kind : str
        A short name, as in `short_names`, one with a number for the second of its kind, that of a
        process, or any other name.

    Returns
    -------
    str
        Words for the kind, in the plural.

    Examples
    --------
    >>> from skcorrupt.corruptions._kind_in_words import kind_in_words
    >>> kind_in_words("scale"), kind_in_words("scale-2"), kind_in_words("lost ages")
    ('wrong units', 'wrong units (scale-2)', 'errors of the kind lost ages')
    """
    if kind in WORDS:
        return WORDS[kind]
    short, _, number = kind.rpartition("-")
    if short in WORDS and number.isdigit():
        return f"{WORDS[short]} ({kind})"
    process = _PROCESS.fullmatch(kind)
    if process and ", " in process[1]:
        return f"{AT_ONCE} ({process[1]}){process[2] or ''}"
    return f"{OTHER}{process[1] if process else kind}"


def errors_in_words(name: str, error: BaseCorruption) -> str:
    """What an error is called in a sentence, the members of a process as well.

    Parameters
    ----------
    name : str
        What results call its kind.
    error : BaseCorruption
        The error.

    Returns
    -------
    str
        Words for it, in the plural.
    """
    members = getattr(error, "corruptions", None)
    if members:
        inside = [errors_in_words(each.short_name, each) for _, each in members]
        return inside[0] if len(inside) == 1 else f"{AT_ONCE} ({', '.join(dict.fromkeys(inside))})"
    said = kind_in_words(name)
    titled = error.title != error.short_name
    return error.title if said.startswith(OTHER) and titled else said
