"""The folder in which a command leaves what it found."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from skcorrupt.report import write_html

from ._arguments import file_path
from ._command_error import CommandError
from ._output import make_folder

PAGE, RESULT = "report.html", "result.json"


def add_folder_options(parser: argparse.ArgumentParser, command: str, *also: str) -> None:
    """Declare where results go, into a folder named after the command and the file by default.

    Parameters
    ----------
    parser : ArgumentParser
        That of the command.
    command : str
        Its name.
    *also : str
        Other names of the option.
    """
    parser.add_argument(
        "--out",
        *also,
        dest="out",
        type=file_path,
        metavar="DIR",
        help=f"folder for a page, pictures and tables (default: skcorrupt-{command}-FILE)",
    )
    parser.add_argument("--no-save", action="store_true", help="print what is found, save nothing")


def folder_of(args: argparse.Namespace, data: Path) -> Path | None:
    """The folder of a command, made where it is missing; None where nothing is saved.

    Parameters
    ----------
    args : Namespace
        The arguments.
    data : Path
        The file that the folder is named after.

    Returns
    -------
    Path or None
        The folder.

    Raises
    ------
    CommandError
        If nothing can be written there, or the options contradict one another.
    """
    if args.no_save:
        if args.out is not None:
            raise CommandError("--out and --no-save were both given; leave one of them out")
        return None
    named = "-".join((data.name.partition(".")[0] or data.stem).split())
    out: Path = args.out if args.out is not None else Path(f"skcorrupt-{args.command}-{named}")
    try:
        make_folder(out)
    except CommandError as error:
        if args.out is not None:
            raise
        raise CommandError(f"{error}; pass another --out DIR, or --no-save") from None
    return out


def save_results(fitted: Any, out: Path, **asked: Any) -> None:
    """Write what a system found as data and as a page, and say where.

    Parameters
    ----------
    fitted : estimator
        A fitted system.
    out : Path
        The folder.
    **asked : dict
        What `write_html` takes besides.

    Raises
    ------
    CommandError
        If it cannot be written to.
    """
    try:
        if hasattr(fitted, "to_json"):
            fitted.to_json(out / RESULT)
            print(f"Result: {out / RESULT}")
        print(f"Page: {write_html(fitted, out / PAGE, **asked)}")
    except OSError as error:
        reason = error.strerror or error
        raise CommandError(f"--out {out}: cannot write there ({reason})") from None
