"""Commands as text that can be pasted into a shell."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence

from skcorrupt.utils._readable import on_one_line

QUOTE = '"'
COMMAND = ("python", "-m", "skcorrupt")


def typed(args: argparse.Namespace, *words: object) -> str:
    """A command on the same file, with the options that say how it is read.

    Parameters
    ----------
    args : Namespace
        The arguments of the command that runs.
    *words : object
        What follows the name of the program.

    Returns
    -------
    str
        A line for a shell.
    """
    file_options = []
    if args.sep != ",":
        file_options += ["--sep", "tab" if args.sep == "\t" else args.sep]
    if args.decimal != ".":
        file_options += ["--decimal", args.decimal]
    if args.header is not None:
        file_options += ["--header", args.header]
    return shlex.join([*COMMAND, *map(str, words), *file_options])


def listed(columns: Sequence[object], between: str = ",") -> str:
    """Names with commas between them, as options take them."""
    return between.join(map(_one_typed, columns))


def _one_typed(column: object) -> str:
    name = on_one_line(column)
    if "," not in name and not name.startswith(QUOTE):
        return name
    return QUOTE + name.replace(QUOTE, 2 * QUOTE) + QUOTE
