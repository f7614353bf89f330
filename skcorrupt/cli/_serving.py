"""Arguments and tables of a search at serving time."""

from __future__ import annotations

import argparse

import pandas as pd

from skcorrupt.checks import BaseCheck
from skcorrupt.checks._standard_checks import standard_checks
from skcorrupt.utils._as_text import largest, share
from skcorrupt.utils._readable import listed_labels

from ._arguments import ALL, at_least, file_path
from ._command_error import CommandError
from ._load import check_columns
from ._output import score_text
from ._table import read, with_dates

BATCH_SIZE = 1000
# what --suggest-checks saves
TESTS, CHECKS_PAGE = "test_batch.py", "checks.html"


def add_serving_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of a search at serving time.

    Parameters
    ----------
    parser : ArgumentParser
        That of `search`.
    """
    add = parser.add_argument
    add(
        "--serving",
        action="store_true",
        help="errors strike the rows that the model is served, not those that it learns from",
    )
    add(
        "--model",
        metavar="MODULE:OBJECT",
        help="a fitted model to be served the rows, in place of --pipeline; or, with --trust, a "
        "file of joblib or pickle",
    )
    add("--trust", action="store_true", help="load --model from a file, which may run code in it")
    add(
        "--checks",
        type=file_path,
        metavar="REFERENCE.csv",
        help="with --serving, only errors count that pass checks of gaps, ranges, categories and "
        "drift, which learn from these rows",
    )
    add(
        "--batch-size",
        type=at_least(1),
        metavar="N",
        help="rows of a batch that --checks or --suggest-checks look at (default: "
        f"{BATCH_SIZE}; of --suggest-checks a fortieth of the rows, if that is less)",
    )
    add(
        "--suggest-checks",
        action="store_true",
        help="with --serving, find the fewest checks that notice the worst errors as well, and "
        f"save them as {TESTS}; takes several times as long",
    )


def check_serving(args: argparse.Namespace) -> None:
    """Refuse options that do not go together.

    Parameters
    ----------
    args : Namespace
        The arguments.

    Raises
    ------
    CommandError
        With the remedy.
    """
    if args.checks is not None and not args.serving:
        raise CommandError(
            "--checks watch rows that are served; add --serving, or leave --checks out"
        )
    if args.suggest_checks and not args.serving:
        raise CommandError(
            "--suggest-checks finds checks of rows that are served; add --serving, or leave it out"
        )
    if args.suggest_checks and args.corruption == ALL:
        raise CommandError(
            f"--suggest-checks is for a thorough search, and --corruption {ALL} is a quick look; "
            "name one kind or several, as in --corruption missing,scale"
        )
    if args.model is not None and not args.serving:
        raise CommandError(
            "--model is a fitted model, which errors in training data cannot reach; add --serving, "
            "or pass --pipeline"
        )
    if args.model is not None and args.pipeline is not None:
        raise CommandError("--model and --pipeline were both given; leave one of them out")
    if args.label is None and args.model is None:
        raise CommandError(
            "the following arguments are required: --label; only a fitted --model can do without"
        )


def fitted_checks(args: argparse.Namespace, X: pd.DataFrame) -> list[BaseCheck]:
    """Checks that learned from the reference rows.

    Parameters
    ----------
    args : Namespace
        The arguments.
    X : DataFrame of shape (n_samples, n_features)
        The rows that are searched.

    Returns
    -------
    list of BaseCheck
        None where no file is given.

    Raises
    ------
    CommandError
        If the file lacks columns, or there is nothing to watch in it.
    """
    if args.checks is None:
        return []
    reference = read(args, args.checks)
    if args.pipeline is None and args.model is None:
        reference = with_dates(reference)
    # columns of the reference rows alone are not looked at
    check_columns(f"{args.checks} (from --checks)", list(X.columns), list(reference.columns))
    size = BATCH_SIZE if args.batch_size is None else args.batch_size
    checks = standard_checks(reference[list(X.columns)], size)
    if not checks:
        raise CommandError(
            f"{args.checks}: no check has anything to watch in these rows; pass others"
        )
    return checks


def served_rows(certificate: pd.DataFrame) -> list[list[str]]:
    """What errors in each column can do, the worst first.

    Parameters
    ----------
    certificate : DataFrame
        `certificate_` of the search.

    Returns
    -------
    list of list of str
        A line a row, the header first.
    """
    several = certificate["kind"].nunique() > 1
    shown = {"random_score": "random", "readable_score": "worst", "readable_bound": "bound"}
    shown["any_rows_score"] = "any rows"
    # not every score has them
    shown = {name: label for name, label in shown.items() if certificate[name].notna().any()}
    unit = largest(certificate[list(shown)])
    rows = [["budget", *["kind"] * several, "columns", *shown.values(), "proven"]]
    ordered = certificate.sort_values(["budget", "readable_score"], kind="stable")
    for row in ordered.to_dict("records"):
        kind = [str(row["kind"])] * several
        columns = listed_labels(row["columns"])
        scores = [score_text(row[name], unit) for name in shown]
        proven = "yes" if row["proven"] else "for some draws" if row["conditional"] else "no"
        rows.append([share(row["budget"]), *kind, columns, *scores, proven])
    return rows


def noticed_rows(detection: pd.DataFrame) -> list[list[str]]:
    """How often checks alarm on the worst error, and from when.

    Parameters
    ----------
    detection : DataFrame
        `detection_` of the search.

    Returns
    -------
    list of list of str
        A line a row, the header first.
    """
    rows = [["check", "alarms", "from batch size", "from rate"]]
    for row in detection.to_dict("records"):
        size, rate = row["min_batch_size"], row["min_rate"]
        rows.append(
            [
                str(row["check"]),
                f"{100 * row['alarm_rate']:.0f} %",
                "never" if pd.isna(size) else f"{size:.0f}",
                "never" if pd.isna(rate) else f"{rate:.2g}",
            ]
        )
    return rows
