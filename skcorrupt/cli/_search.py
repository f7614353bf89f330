"""A search on a user's own file."""

from __future__ import annotations

import argparse
from typing import Any, Literal, cast

import numpy as np
import pandas as pd
from sklearn.base import clone, is_regressor

from skcorrupt.adversarial import (
    AdversarialCorruptionSearch,
    BeamSearch,
    Screening,
    SearchSpace,
    SearchStrategy,
)
from skcorrupt.adversarial.proxies import PROXIES
from skcorrupt.corruptions import short_names
from skcorrupt.patterns import Pattern
from skcorrupt.utils import fit_on_copies

from ._arguments import (
    ALL,
    MAX_CONDITIONS,
    add_meaning_option,
    add_seed_and_file_options,
    at_least,
    file_path,
    kinds_or_all,
    names,
    seconds,
    shares,
)
from ._command_error import CommandError, fail
from ._everything import FEW_CALLS, FEW_CONDITIONS, search_everything
from ._folder import add_folder_options, folder_of
from ._found import findings, save_search
from ._load import (
    check_columns,
    default_pipeline,
    import_from_here,
    load_model,
    load_pipeline,
    said_of,
    split_label,
)
from ._output import in_options
from ._scoring import HELP, checked_scoring, load_scoring, with_hint
from ._serving import add_serving_arguments, check_serving, fitted_checks
from ._suggested import suggest
from ._table import read, with_dates

N_CALLS = 32


def add_search_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `search`."""
    add = parser.add_argument
    add("data", type=file_path, metavar="data.csv", help="a CSV or Parquet file")
    add("--label", metavar="COL", help="column to predict; may be left out with --model")
    add(
        "--pipeline",
        metavar="MODULE:OBJECT",
        help="estimator, or function that returns one, in a module that can be imported from here "
        "(default: a simple linear model)",
    )
    add_serving_arguments(parser)
    add(
        "--corruption",
        "--error",
        type=kinds_or_all,
        default="missing",
        metavar="KIND",
        help="the kind of error, or several of which one strikes, as in missing,labels: "
        f"{', '.join(sorted(short_names()))}; or all, a quick look at every kind (default: "
        "missing)",
    )
    add(
        "--budget",
        type=shares,
        default=0.1,
        metavar="SHARE",
        help="largest share of rows with an error, or several: 0.1,0.2,0.5 (default: 0.1)",
    )
    add("--scoring", metavar="NAME", help=f"{HELP} (default: the pipeline's own)")
    add("--positive", metavar="LABEL", help="label that --scoring, such as f1, takes as positive")
    add("--cv", type=at_least(2), metavar="K", help="number of folds (default: 3)")
    add(
        "--proxy",
        choices=["auto", *PROXIES, "none"],
        help="screen thousands of candidates on a stand-in for the pipeline, or on none (default: "
        "the search decides by itself)",
    )
    add(
        "--n-calls",
        type=at_least(1),
        metavar="N",
        help="candidates a template of a beam search (default: the search decides by itself; "
        f"{FEW_CALLS} for all kinds)",
    )
    add(
        "--max-conditions",
        type=at_least(0),
        metavar="N",
        help=f"most conditions on features (default: {MAX_CONDITIONS}, {FEW_CONDITIONS} for all "
        "kinds)",
    )
    add(
        "--label-condition",
        choices=["required", "allowed", "forbidden"],
        help="whether the rows hit may depend on their label (default: required; with --serving "
        "forbidden)",
    )
    add(
        "--own-column",
        choices=["required", "allowed", "forbidden"],
        help="whether the rows hit may depend on the value that is hit (default: required, "
        "whatever --pattern-columns names; with --serving allowed)",
    )
    add(
        "--pattern-columns",
        type=names,
        metavar="A,B",
        help="columns that patterns may use, beside the one that is hit",
    )
    add("--corrupt-columns", type=names, metavar="A,B", help="columns that may be hit")
    add("--drop", type=names, default=[], metavar="A,B", help="columns to leave out, such as ids")
    add(
        "--exclude",
        action="extend",
        nargs="+",
        default=[],
        metavar="PATTERN",
        help="conditions that must not occur together",
    )
    add(
        "--max-time",
        type=seconds,
        metavar="SECONDS",
        help="end after so many seconds with the worst until then (default: no limit)",
    )
    add(
        "--journal", type=file_path, metavar="FILE", help="keeps what is scored; run again to go on"
    )
    add("--no-confirm", action="store_true", help="search on all rows, confirm on none")
    add_seed_and_file_options(parser)
    add_meaning_option(parser, "a label")
    add_folder_options(parser, "search")


def search(args: argparse.Namespace) -> None:
    """Load, search, print and save.

    Parameters
    ----------
    args : Namespace
        The arguments.

    Raises
    ------
    CommandError
        If something the user gave does not work.
    """
    checked_scoring(args.scoring)
    check_serving(args)
    X, y, n_read = _features_and_label(args)
    exclude = [_pattern(text, X, args.label) for text in args.exclude]
    for option in ("pattern_columns", "corrupt_columns"):
        check_columns(
            f"--{option.replace('_', '-')}",
            getattr(args, option) or [],
            list(X.columns),
            several=True,
        )
    checks = fitted_checks(args, X)
    out = folder_of(args, args.data)
    import_from_here()
    scoring = load_scoring(args.scoring, args.positive, y)
    report = [said_of(args.data, X, args.label, n_read)]
    if args.model is not None:
        pipeline = load_model(args.model, trusted=args.trust)
    elif args.pipeline is None:
        pipeline, description = default_pipeline(X, cast("pd.Series", y))
        report.append(f"No --pipeline given: {description}.")
    else:
        pipeline = load_pipeline(args.pipeline)
    if "labels" in np.atleast_1d(args.corruption) and is_regressor(pipeline):
        raise CommandError(
            "--corruption labels swaps classes, and the pipeline predicts a quantity; in Python, "
            "AdversarialCorruptionSearch(pipeline, CorruptLabels(shift=…)) moves it, as factor=… "
            "and noise=… do"
        )
    print("\n".join(report), flush=True)
    everything = args.corruption == ALL
    if args.model is None:
        _try_pipeline(pipeline, X, cast("pd.Series", y))
    hunt = AdversarialCorruptionSearch(
        pipeline,
        "missing" if everything else args.corruption,
        budget=args.budget,
        apply_to="test" if args.serving else "train",
        scoring=scoring,
        cv=args.cv,
        space=SearchSpace(
            pattern_columns=args.pattern_columns,
            corrupt_columns=args.corrupt_columns,
            own_column=args.own_column,
            label=args.label_condition,
            max_conditions=_given(
                args.max_conditions, FEW_CONDITIONS if everything else MAX_CONDITIONS
            ),
            exclude=exclude,
        ),
        strategy=_strategy(args, everything),
        checks=checks,
        max_time=args.max_time,
        journal=args.journal,
        confirm_size=None if args.no_confirm else 0.25,
        n_jobs=args.jobs,
        random_state=args.seed,
        verbose=int(not args.quiet),
    )
    if everything:
        search_everything(hunt, X, y, args, out)
        return
    try:
        print(f"Plan: {in_options(str(hunt.plan(X, y)), args)}.", flush=True)
        hunt.fit(X, y)
    except Exception as error:
        if isinstance(error, (ValueError, TypeError)):
            raise CommandError(with_hint(args.scoring, error)) from error
        fail("the search failed", error)
    print("\n".join(findings(hunt)))
    if out is not None:
        save_search(hunt, args, out)
    if args.suggest_checks:
        suggest(hunt, args, out)


def _given(value: int | None, default: int) -> int:
    return default if value is None else value


def _features_and_label(args: argparse.Namespace) -> tuple[pd.DataFrame, pd.Series | None, int]:
    """The file as features and label, which is None where none is named, and its rows."""
    table = read(args, args.data)
    if args.pipeline is None and args.model is None:
        table = with_dates(table)
    if args.label is not None:
        return *split_label(table, args.label, args.drop, args.data), len(table)
    check_columns("--drop", args.drop, list(table.columns), several=True)
    return table.drop(columns=args.drop), None, len(table)


def _strategy(args: argparse.Namespace, everything: bool) -> Literal["auto"] | SearchStrategy:
    """What was asked for; unless anything was, the search decides by itself."""
    asked = args.proxy is not None or args.n_calls is not None or everything
    if args.serving or not asked:
        return "auto"
    beam = BeamSearch(n_calls=_given(args.n_calls, FEW_CALLS if everything else N_CALLS))
    return beam if args.proxy in (None, "none") else Screening(args.proxy, beam=beam)


def _try_pipeline(pipeline: Any, X: pd.DataFrame, y: pd.Series) -> None:
    """Fit once on the data as they are, to tell a broken pipeline from a failing search."""
    try:
        fit_on_copies(clone(pipeline), X, y)
    except Exception as error:
        fail("the pipeline fails on the data as they are", error)


def _pattern(text: str, X: pd.DataFrame, label: str | None) -> Pattern:
    try:
        pattern = Pattern.parse(text)
    except ValueError as error:
        raise CommandError(f"--exclude {text!r}: {error}") from None
    named = [str(name) for name in pattern.columns if name != label]
    check_columns(f"--exclude {text!r}:", named, list(X.columns))
    return pattern
