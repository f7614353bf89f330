"""Pipelines compared by their worst errors, on a user's own file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.base import clone

from skcorrupt.adversarial import AdversarialCorruptionSearch, SearchSpace
from skcorrupt.report import write_html
from skcorrupt.robustness import (
    RobustnessComparison,
    RobustnessComparisonDisplay,
    compare_robustness,
)
from skcorrupt.robustness._compare_robustness import checked_estimators
from skcorrupt.robustness._comparison_in_words import comparison_unit
from skcorrupt.utils._as_text import NOTHING

from ._arguments import (
    MAX_CONDITIONS,
    add_seed_and_file_options,
    at_least,
    file_path,
    kinds,
    names,
    seconds,
    shares,
)
from ._command_error import CommandError, fail
from ._folder import add_folder_options, folder_of, save_results
from ._load import default_pipeline, import_from_here, load_pipeline, said_of, split_label
from ._output import (
    csv_text,
    interval_text,
    score_text,
    table_text,
    write_image,
    write_texts,
)
from ._planned import planned
from ._profile import is_quantity
from ._scoring import HELP, checked_scoring, load_scoring, with_hint
from ._table import read, with_dates

DEFAULT_BUDGETS = [0.05, 0.1, 0.2]
HOW_TO_READ = (
    "clean, random, worst: means over the splits; random errors are of the size of the worst.",
    "from: the pipeline whose search found the worst error.",
    "confirmed: the worst error again, on rows that no search saw, with its interval.",
    "rank: places such as 1–2 are not told apart by the tests.",
)


def add_compare_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `compare`."""
    add = parser.add_argument
    add("data", type=file_path, metavar="data.csv", help="a CSV or Parquet file")
    add("--label", required=True, metavar="COL", help="column to predict")
    add(
        "--estimators",
        nargs="+",
        type=names,
        metavar="MODULE:OBJECT",
        help="pipelines, or functions that return one, in modules that can be imported from here "
        "(default: a linear model, a tree, a forest and boosting)",
    )
    add(
        "--error",
        type=kinds,
        default="missing",
        metavar="KIND",
        help="kind of error, or several with commas, each searched by itself (default: missing)",
    )
    add(
        "--budget",
        type=shares,
        default=DEFAULT_BUDGETS,
        metavar="SHARE",
        help="largest share of rows with an error, or several with commas (default: 0.05,0.1,0.2)",
    )
    add(
        "--serving",
        action="store_true",
        help="errors strike the rows that models are served, not training data",
    )
    add("--scoring", metavar="NAME", help=f"{HELP} (default: the pipelines' own)")
    add("--positive", metavar="LABEL", help="label that --scoring, such as f1, takes as positive")
    add("--cv", type=at_least(2), metavar="K", help="number of folds (default: 3)")
    add(
        "--max-conditions",
        type=at_least(0),
        default=MAX_CONDITIONS,
        metavar="N",
        help="most conditions on features (default: %(default)s)",
    )
    add("--drop", type=names, default=[], metavar="A,B", help="columns to leave out, such as ids")
    add(
        "--max-time",
        type=seconds,
        metavar="SECONDS",
        help="what all searches may take together; comparing comes on top (default: no limit)",
    )
    add(
        "--journal",
        type=file_path,
        metavar="FILE",
        help="keeps what is scored; run again to go on",
    )
    add_seed_and_file_options(parser)
    add_folder_options(parser, "compare", "--output")
    add("--html", type=file_path, metavar="FILE", help="another file for the page")


def compare(args: argparse.Namespace) -> None:
    """Load, compare, print and save.

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
    frame = read(args, args.data)
    if args.estimators is None:
        frame = with_dates(frame)
    X, y = split_label(frame, args.label, args.drop, args.data)
    out = folder_of(args, args.data)
    if args.html is not None and not args.html.absolute().parent.is_dir():
        raise CommandError(f"--html {args.html}: its folder does not exist; make it first")
    import_from_here()
    print(said_of(args.data, X, args.label, len(frame)))
    if args.estimators is None:
        estimators = default_estimators(X, y)
        print(f"No --estimators given: {', '.join(estimators)}, with imputation.", flush=True)
    else:
        estimators = _imported([name for given in args.estimators for name in given])
    errors = [args.error] if isinstance(args.error, str) else args.error
    try:
        shared: dict[str, Any] = {
            "apply_to": "test" if args.serving else "train",
            "scoring": load_scoring(args.scoring, args.positive, y),
            "cv": args.cv,
            "space": SearchSpace(max_conditions=args.max_conditions),
            "n_jobs": args.jobs,
            "random_state": args.seed,
        }
        checked_estimators(estimators, shared["apply_to"])
        searches = [
            AdversarialCorruptionSearch(estimator, kind, budget=args.budget, refit=False, **shared)
            for kind in errors
            for estimator in estimators.values()
        ]
        if args.max_time is None:
            print(f"Planning {len(estimators)} by {len(errors)} searches ...", flush=True)
        plan = planned(searches, ("search", "searches"), X, y, args)
        print(f"Plan: {plan}. Comparing comes on top.", flush=True)
        comparison = compare_robustness(
            estimators,
            X,
            y,
            corruptions=errors,
            budgets=args.budget,
            journal=args.journal,
            max_time=args.max_time,
            verbose=int(not args.quiet),
            **shared,
        )
    except (ValueError, TypeError) as error:
        raise CommandError(with_hint(args.scoring, error)) from error
    except Exception as error:
        fail("the comparison failed", error)
    print("\n".join(_report(comparison)))
    if out is not None:
        _save(comparison, out)
        save_results(comparison, out, args)
    if args.html is not None:
        try:
            print(f"Page: {write_html(comparison, args.html)}")
        except OSError as error:
            reason = error.strerror or error
            raise CommandError(f"--html {args.html}: cannot be written ({reason})") from None


def default_estimators(X: pd.DataFrame, y: pd.Series) -> dict[str, Any]:
    """Pipelines for those who bring none: one preparation, with imputation, and several models.

    Parameters
    ----------
    X : DataFrame of shape (n_samples, n_features)
        Features.
    y : Series of shape (n_samples,)
        Labels.

    Returns
    -------
    dict of str to estimator
        By family of models.
    """
    from sklearn import ensemble, tree

    pipeline, _ = default_pipeline(X, y)
    final = pipeline.steps[-1][0]
    quantity = is_quantity(y)
    single = tree.DecisionTreeRegressor if quantity else tree.DecisionTreeClassifier
    forest = ensemble.RandomForestRegressor if quantity else ensemble.RandomForestClassifier
    boosting = (
        ensemble.GradientBoostingRegressor if quantity else ensemble.GradientBoostingClassifier
    )
    models = {"tree": single(max_depth=5), "forest": forest(50), "boosting": boosting()}
    others = {name: clone(pipeline).set_params(**{final: model}) for name, model in models.items()}
    return {"linear": pipeline, **others}


def _imported(specs: list[str]) -> dict[str, Any]:
    """Estimators by the names of their objects, or in full where two have one name."""
    twice = [spec for spec in dict.fromkeys(specs) if specs.count(spec) > 1]
    if twice:
        raise CommandError(f"--estimators names {twice[0]} twice; name each once")
    short = [spec.rpartition(":")[2] for spec in specs]
    by_name = short if len(set(short)) == len(short) else specs
    return {
        name: load_pipeline(spec, option="--estimators")
        for name, spec in zip(by_name, specs, strict=True)
    }


def _report(comparison: RobustnessComparison) -> list[str]:
    """A table for each kind of error, and what was found in words."""
    lines: list[str] = []
    unit = comparison_unit(comparison.results_)
    head = ["budget", "pipeline", "rank", "from", "clean", "random", "worst", "confirmed"]
    for kind, part in comparison.results_.groupby("corruption", sort=False):
        rows = [[*head, "interval"]]
        for _, row in part.sort_values("budget", kind="stable").iterrows():
            rows.append(
                [
                    f"{100 * row['budget']:g} %",
                    row["estimator"],
                    row["rank"] or row["status"],
                    row["worst_from"] or NOTHING,
                    *(score_text(row[name], unit) for name in head[4:]),
                    interval_text((row["confirmed_low"], row["confirmed_high"]), unit),
                ]
            )
        lines += ["", f"{kind}:", table_text(rows, n_left=4)]
    return [*lines, "", *comparison.sentences(), "", *HOW_TO_READ]


def _save(comparison: RobustnessComparison, out: Path) -> None:
    tables = {
        "results.csv": comparison.results_,
        "transfer.csv": comparison.transfer_,
        "ranks.csv": comparison.ranks_,
    }
    write_texts(out, {name: csv_text(table) for name, table in tables.items()}, option="--output")
    print(f"\nSaved in {out}: {', '.join(tables)}")
    from matplotlib.figure import Figure

    known = comparison.results_[comparison.results_["worst"].notna()]
    found = known["corruption"].unique()
    if not len(found):
        return
    display = RobustnessComparisonDisplay.from_comparison(comparison)
    figure = Figure(figsize=(13.0, 4.5 * len(found)), layout="constrained")
    axes = figure.subplots(len(found), 2, squeeze=False)
    for kind, (left, right) in zip(found, axes, strict=True):
        display.plot("curves", ax=left, corruption=kind)
        if (comparison.transfer_["corruption"] == kind).any():
            display.plot("transfer", ax=right, corruption=kind)
        else:
            right.remove()
    write_image(figure, out / "comparison.png")
