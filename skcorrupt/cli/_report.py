"""A page from results that were kept."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.curation import NaturalAdversarialCurator
from skcorrupt.fairness import StageFairnessAblator
from skcorrupt.learned import LearnedErrors
from skcorrupt.report._write_html import write_page_of_command
from skcorrupt.responsiveness import ResponsivenessAuditor
from skcorrupt.robustness import RobustnessComparison, RobustSearchCV
from skcorrupt.sensitivity import ErrorSensitivityProfiler

from ._arguments import file_path
from ._command_error import CommandError
from ._folder import PAGE, RESULT, RUN, asked_of
from ._load import load_json

SYSTEMS = {
    system.__name__: system
    for system in (
        AdversarialCorruptionSearch,
        ErrorSensitivityProfiler,
        NaturalAdversarialCurator,
        ResponsivenessAuditor,
        RobustSearchCV,
        RobustnessComparison,
        StageFairnessAblator,
    )
}


def add_report_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `report`."""
    parser.add_argument(
        "result",
        type=file_path,
        metavar="result.json",
        help="what `to_json`, or a command, wrote, or the folder of a command",
    )
    parser.add_argument(
        "--out",
        type=file_path,
        metavar="FILE",
        help="the page (default: that of the command, or beside the result, ending in .html)",
    )
    parser.add_argument("--title", metavar="TEXT", help="title of the page")


def report(args: argparse.Namespace) -> None:
    """Read a result, print what it says in words and write its page.

    Parameters
    ----------
    args : Namespace
        The arguments.

    Raises
    ------
    CommandError
        If there is no result in the file, or the page cannot be written.
    """
    result: Path = args.result / RESULT if args.result.is_dir() else args.result
    found = _read(result)
    page: Path = _beside(result) if args.out is None else args.out
    if args.title is not None and not args.title.strip():
        raise CommandError("--title is empty; leave it out for the usual one")
    print(found if isinstance(found, LearnedErrors) else found.summary())
    try:
        asked = asked_of(result.parent, result.name)
        print(f"\nPage: {write_page_of_command(found, page, args.title, asked)}")
    except OSError as error:
        raise CommandError(f"--out {page}: cannot be written ({error.strerror or error})") from None


def _beside(result: Path) -> Path:
    """The page of a command in its folder, or one of the name of the result."""
    of_command = result.name == RESULT and result.with_name(RUN).exists()
    return result.with_name(PAGE) if of_command else result.with_suffix(".html")


def _read(path: Path) -> Any:
    remedy = "name a file that to_json, or a command with --out, wrote"
    data = load_json("", path, lambda content: content, remedy)
    name = data.get("system") if isinstance(data, dict) else None
    if isinstance(data, dict) and name is None and "report" in data:
        return load_json("", path, LearnedErrors.from_dict, remedy)
    if name not in SYSTEMS:
        raise CommandError(f"{path} holds no result; {remedy}")
    try:
        return SYSTEMS[name].from_json(path)
    except ValueError as error:
        raise CommandError(str(error)) from None
