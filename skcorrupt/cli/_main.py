"""The command's arguments, and what becomes of errors."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NoReturn, TextIO, cast

from skcorrupt.evaluation import Terminated
from skcorrupt.utils._version import __version__

from ._ablate import ablate, add_ablate_arguments
from ._arguments import file_path
from ._audit import add_audit_arguments, audit
from ._command_error import CommandError, one_line
from ._compare import add_compare_arguments, compare
from ._completion import add_completion_arguments, print_completion
from ._configure import add_configure_arguments, configure
from ._curate import add_curate_arguments, curate
from ._demo import demo
from ._folder import leave_no_empty_folder
from ._learn import add_learn_arguments, learn
from ._output import in_options, warnings_as_lines
from ._profile import add_profile_arguments, profile
from ._report import add_report_arguments, report
from ._search import add_search_arguments, search
from ._terminable import terminable
from ._unbroken import Unbroken

EPILOG = """\
examples:
  python -m skcorrupt demo
  python -m skcorrupt search data.csv --label churned --scoring roc_auc
  python -m skcorrupt search data.csv --label churned --corruption all
  python -m skcorrupt search data.csv --label churned --pipeline model:pipeline --out results
  python -m skcorrupt compare data.csv --label churned --error missing --budget 0.1,0.2
  python -m skcorrupt audit data.csv --estimator model:fitted --target yes --actionable savings,job
  python -m skcorrupt ablate data.csv --label hired --favourable yes --sensitive sex --privileged m
  python -m skcorrupt configure data.csv --out strategy.json
  python -m skcorrupt profile data.csv strategy.json --out results
  python -m skcorrupt curate votes.csv --gold label --out results
  python -m skcorrupt report results/result.json
  python -m skcorrupt learn dirty.csv clean.csv --key id --json errors.json
"""
COMMANDS = (
    (
        "search",
        "search for the worst error in a CSV file of your own",
        add_search_arguments,
        search,
    ),
    (
        "compare",
        "which of several pipelines stands errors best, for a CSV file of your own",
        add_compare_arguments,
        compare,
    ),
    (
        "audit",
        "audit who can, and who cannot, change their prediction, for a CSV file of your own",
        add_audit_arguments,
        audit,
    ),
    (
        "ablate",
        "which stage of a pipeline makes it unfair, for a CSV file of your own",
        add_ablate_arguments,
        ablate,
    ),
    (
        "configure",
        "ask step by step what to profile in a CSV file of your own, and write it down",
        add_configure_arguments,
        configure,
    ),
    (
        "profile",
        "how performance moves as each error grows, for a CSV file of your own",
        add_profile_arguments,
        profile,
    ),
    (
        "curate",
        "order real samples by how hard they are, for a CSV file of votes",
        add_curate_arguments,
        curate,
    ),
    (
        "learn",
        "what goes wrong in a CSV file of your own, from its corrected version or from rules",
        add_learn_arguments,
        learn,
    ),
    (
        "report",
        "a page from a result that was kept as JSON",
        add_report_arguments,
        report,
    ),
)
# commands without parallel work
ALONE = (configure, curate, learn, report)
FAILED, INTERRUPTED, TERMINATED = 2, 130, 143


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
        stream, 130 after an interrupt from the keyboard and 143 after SIGTERM, where nothing
        could be kept.
    """
    for stream in (sys.stdout, sys.stderr):
        # a terminal that has no "→" should show a "?" and go on
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    said = Unbroken(sys.stdout)
    # a notebook's stream, which has no reader to lose, is known by its class
    warned = Unbroken(sys.stderr) if isinstance(sys.stderr, io.TextIOWrapper) else sys.stderr
    with redirect_stdout(cast("TextIO", said)), redirect_stderr(cast("TextIO", warned)):
        status = _run(argv, said.texts)
        for stream in (said, warned):
            stream.flush()
    return status


def _run(argv: Sequence[str] | None, heard: list[str]) -> int:
    """Run a command that knows what it printed, and tell what it could not do."""
    parser = _parser()
    args: argparse.Namespace | None = None
    try:
        args, unknown = parser.parse_known_args(argv)
        if unknown:
            # of the command, not of the program
            asked = f"skcorrupt {args.command}" if args.command else "skcorrupt"
            raise CommandError(f"unrecognized arguments: {' '.join(unknown)}; see {asked} --help")
        if args.command is None:
            parser.print_help()
            return FAILED
        args.argv, args.heard = list(sys.argv[1:] if argv is None else argv), heard
        with warnings_as_lines(args), terminable():
            args.run(args)
    except SystemExit as ended:
        return int(ended.code or 0)
    except CommandError as error:
        said = in_options(one_line(error), args)
        print(f"skcorrupt: error: {said}", file=sys.stderr)
        return FAILED
    except Terminated:
        print(f"\nskcorrupt: terminated{_going_on(args)}", file=sys.stderr)
        return TERMINATED
    except KeyboardInterrupt:
        print(f"\nskcorrupt: interrupted{_going_on(args)}", file=sys.stderr)
        return INTERRUPTED
    finally:
        leave_no_empty_folder(args)
    return 0


def _going_on(args: argparse.Namespace | None) -> str:
    """What a journal is good for after an end before anything was found."""
    journal = getattr(args, "journal", None)
    if journal is None or not journal.exists():
        return ""
    return f"; --journal {journal} keeps what was scored, and the same command goes on from it"


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="skcorrupt",
        description="Find the realistic data error that hurts a machine-learning pipeline most.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"skcorrupt {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    about = "four searches on data that scikit-learn bundles, in about a minute"
    shown = commands.add_parser("demo", help=about, description=f"Run {about}.")
    shown.add_argument(
        "--out",
        type=file_path,
        default=Path(),
        metavar="DIR",
        help="folder of the image and the page (default: .)",
    )
    shown.set_defaults(run=lambda args: demo(args.out, n_jobs=args.jobs, verbose=not args.quiet))

    about = "print a script that completes commands and options in a shell (needs shtab)"
    completion = commands.add_parser("completion", help=about, description=f"{about.capitalize()}.")
    add_completion_arguments(completion)
    completion.set_defaults(run=lambda args: print_completion(parser, args.shell))

    parallel = [shown]
    for name, about, declare, run in COMMANDS:
        command = commands.add_parser(name, help=about, description=f"{about.capitalize()}.")
        declare(command)
        command.set_defaults(run=run)
        if run not in ALONE:
            parallel.append(command)
    for command in parallel:
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
