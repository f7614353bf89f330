"""The command's arguments, and what becomes of errors."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from ._ablate import ablate, add_ablate_arguments
from ._audit import add_audit_arguments, audit
from ._command_error import CommandError, one_line
from ._configure import add_configure_arguments, configure
from ._demo import demo
from ._output import warnings_as_lines
from ._profile import add_profile_arguments, profile
from ._search import add_search_arguments, search

EPILOG = """\
examples:
  python -m skcorrupt demo
  python -m skcorrupt search data.csv --label churned --scoring roc_auc
  python -m skcorrupt search data.csv --label churned --pipeline model:pipeline --out results
  python -m skcorrupt audit data.csv --estimator model:fitted --target yes --actionable savings,job
  python -m skcorrupt ablate data.csv --label hired --favourable yes --sensitive sex --privileged m
  python -m skcorrupt configure data.csv --out strategy.json
  python -m skcorrupt profile data.csv strategy.json --out results
"""
FAILED, INTERRUPTED = 2, 130


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message}; see {self.prog} --help")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    argv : sequence of str or None, default=None
        The arguments; None takes them from the command line.

    Returns
    -------
    int
        The exit status: 0, 2 after an error that was told in one line on the standard error
        stream, 130 after an interrupt from the keyboard.
    """
    for stream in (sys.stdout, sys.stderr):
        # a terminal that has no "→" should show a "?" and go on
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    parser = _parser()
    try:
        args = parser.parse_args(argv)
        if args.command is None:
            parser.print_help()
            return FAILED
        with warnings_as_lines():
            args.run(args)
    except SystemExit as ended:
        return int(ended.code or 0)
    except CommandError as error:
        print(f"skcorrupt: error: {one_line(error)}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("\nskcorrupt: interrupted", file=sys.stderr)
        return INTERRUPTED
    return 0


def _parser() -> argparse.ArgumentParser:
    # importing the package from within is reserved to those above it, but it is loaded by now
    package = sys.modules[__name__.partition(".")[0]]
    parser = _Parser(
        prog="skcorrupt",
        description="Find the realistic data error that hurts a machine-learning pipeline most.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"skcorrupt {package.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    about = "four searches on data that scikit-learn bundles, in about a minute"
    shown = commands.add_parser("demo", help=about, description=f"Run {about}.")
    shown.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR", help="folder of the image (default: .)"
    )
    shown.set_defaults(run=lambda args: demo(args.out, n_jobs=args.jobs, verbose=not args.quiet))

    about = "search for the worst error in a CSV file of your own"
    own = commands.add_parser("search", help=about, description=f"{about.capitalize()}.")
    add_search_arguments(own)
    own.set_defaults(run=search)

    about = "audit who can, and who cannot, change their prediction, for a CSV file of your own"
    people = commands.add_parser("audit", help=about, description=f"{about.capitalize()}.")
    add_audit_arguments(people)
    people.set_defaults(run=audit)

    about = "which stage of a pipeline makes it unfair, for a CSV file of your own"
    stages = commands.add_parser("ablate", help=about, description=f"{about.capitalize()}.")
    add_ablate_arguments(stages)
    stages.set_defaults(run=ablate)

    about = "ask step by step what to profile in a CSV file of your own, and write it down"
    asked = commands.add_parser("configure", help=about, description=f"{about.capitalize()}.")
    add_configure_arguments(asked)
    asked.set_defaults(run=configure)

    about = "how performance moves as each error grows, for a CSV file of your own"
    growing = commands.add_parser("profile", help=about, description=f"{about.capitalize()}.")
    add_profile_arguments(growing)
    growing.set_defaults(run=profile)

    for command in (shown, own, people, stages, growing):
        command.add_argument(
            "--jobs", type=_jobs, default=1, metavar="N", help="worker processes (default: 1)"
        )
        command.add_argument("--quiet", action="store_true", help="no progress bar")
    return parser


def _jobs(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number == 0:
        raise argparse.ArgumentTypeError(
            f"{text!r} should be a number of workers, -1 for all cores"
        )
    return number
