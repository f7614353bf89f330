"""The folder in which a command leaves what it found."""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd

from skcorrupt.report._content import Asked
from skcorrupt.report._write_html import write_page_of_command

from ._arguments import file_path
from ._command_error import CommandError, cannot_write
from ._output import make_folder
from ._typed import COMMAND

PAGE, RESULT, RUN, SUMMARY = "report.html", "result.json", "run.json", "summary.txt"
# lines that name what was saved
_OF_FILES = ("Saved in ", "Image: ", "Markdown: ", "Result: ", "Page: ")


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
    args.made = None if out.exists() else out
    try:
        make_folder(out)
    except CommandError as error:
        if args.out is not None:
            raise
        raise CommandError(f"{error}; pass another --out DIR, or --no-save") from None
    return out


def leave_no_empty_folder(args: argparse.Namespace | None) -> None:
    """Take away the folder that a command made and left nothing in.

    Parameters
    ----------
    args : Namespace or None
        Its arguments; None where they could not be read.
    """
    made: Path | None = getattr(args, "made", None)
    # what is in it, or gone, stays as it is
    if made is not None and made.is_dir() and not any(made.iterdir()):
        with suppress(OSError):
            made.rmdir()


def save_results(
    fitted: Any, out: Path, args: argparse.Namespace, by: pd.Series | None = None
) -> None:
    """Write what a system found as data and as a page, and what was printed, and say where.

    Parameters
    ----------
    fitted : estimator
        A fitted system.
    out : Path
        The folder.
    args : Namespace
        The arguments.
    by : Series or None, default=None
        The group of every person, with the name of the column.

    Raises
    ------
    CommandError
        If it cannot be written to.
    """
    run = run_of(args, by)
    try:
        # what is computed for the file only must not cost what is there already
        if hasattr(fitted, "_complete"):
            fitted._complete()
    except KeyboardInterrupt:
        fitted._left_out = "the command was ended before it was computed"
        print("Ended early: what was left to compute is left out of the result and the page.")
    try:
        (out / RUN).write_text(json.dumps(run, ensure_ascii=False) + "\n", encoding="utf-8")
        save_summary(out, args)
        if hasattr(fitted, "to_json"):
            fitted.to_json(out / RESULT)
            print(f"Result: {out / RESULT}")
        print(f"Page: {write_page_of_command(fitted, out / PAGE, None, asked_in(run))}")
    except OSError as error:
        raise cannot_write("--out", out, error) from None


def run_of(args: argparse.Namespace, by: pd.Series | None = None) -> dict[str, Any]:
    """What is kept of a command, for pages.

    Parameters
    ----------
    args : Namespace
        Its arguments.
    by : Series or None, default=None
        The group of every person, with the name of the column.

    Returns
    -------
    dict
        The command, the file and its digest, and what labels and groups mean.
    """
    given = vars(args)
    data = given.get("data") or given.get("votes") or given.get("dirty")
    return {
        "command": shlex.join([*COMMAND, *given.get("argv", [])]) if given.get("argv") else "",
        "file": str(data or ""),
        "sha256": _digest(data),
        "labels": dict(given.get("meaning") or {}),
        "by": None if by is None else {"name": str(by.name), "groups": list(map(str, by))},
    }


def save_summary(out: Path, args: argparse.Namespace) -> None:
    """Write what was printed so far, but for the names of files."""
    heard = getattr(args, "heard", None)
    if heard:
        (out / SUMMARY).write_text(_findings(heard), encoding="utf-8")


def asked_of(folder: Path, title: str) -> Asked:
    """What the command that made a folder was asked, nothing where it does not say.

    Parameters
    ----------
    folder : Path
        Where a result is.
    title : str
        The name of the file of the result, which belongs to the command only if it is its own.

    Returns
    -------
    Asked
        For the page.
    """
    try:
        run = json.loads((folder / RUN).read_text(encoding="utf-8")) if title == RESULT else {}
        return asked_in(run)
    except (OSError, ValueError, AttributeError, TypeError, KeyError):
        return Asked()


def asked_in(run: dict[str, Any]) -> Asked:
    """What a page is told of the command that ran."""
    by = run.get("by")
    source = ""
    if run.get("file"):
        source = f"Read from the file `{run['file']}`"
        source += f", of which the SHA-256 is {run['sha256']}." if run.get("sha256") else "."
    return Asked(
        labels=dict(run.get("labels") or {}),
        by=None if by is None else pd.Series(by["groups"], name=by["name"]),
        command=str(run.get("command", "")),
        source=source,
    )


def _findings(heard: Sequence[str]) -> str:
    """What was printed, but for the names of files."""
    lines = "".join(heard).splitlines()
    kept = [line for line in lines if not line.startswith(_OF_FILES)]
    return "\n".join(kept).strip("\n") + "\n"


def _digest(data: Path | None) -> str:
    try:
        return "" if data is None else hashlib.sha256(Path(data).read_bytes()).hexdigest()
    except OSError:
        return ""
