"""Commands as text that can be pasted into a shell."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence

from skcorrupt.utils._readable import on_one_line

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


def listed(columns: Sequence[object]) -> str:
    """Names with commas between them, as options take them."""
    return ",".join(f'"{name}"' if "," in name else name for name in map(on_one_line, columns))
