"""Names of columns as the command prints them and as its options take them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from skcorrupt.utils._readable import on_one_line

# options that name columns of the file
OPTIONS = (
    "actionable",
    "by",
    "corrupt_columns",
    "drop",
    "gold",
    "key",
    "label",
    "pattern_columns",
    "sensitive",
)


def as_in_file(given: Sequence[str], columns: Sequence[object]) -> list[str]:
    r"""Names of which some are as they are printed, such as line\nbreak, as the file has them.

    Parameters
    ----------
    given : sequence of str
        Names the user gave.
    columns : sequence
        Names there are.

    Returns
    -------
    list of str
        The names; those that fit no column, or several, as they were given.
    """
    there = [name for name in columns if isinstance(name, str)]
    printed: dict[str, list[str]] = {}
    for name in there:
        printed.setdefault(on_one_line(name), []).append(name)
    found = []
    for name in given:
        fits = printed.get(name, [])
        found.append(fits[0] if name not in there and len(fits) == 1 else name)
    return found


def set_as_in_file(args: argparse.Namespace, columns: Sequence[object]) -> None:
    """Do so for all options of a command that name columns.

    Parameters
    ----------
    args : Namespace
        The arguments of the command, which are changed.
    columns : sequence
        Names there are in its file.
    """
    for option in OPTIONS:
        given = getattr(args, option, None)
        if isinstance(given, str):
            setattr(args, option, as_in_file([given], columns)[0])
        elif given:
            setattr(args, option, as_in_file(given, columns))
