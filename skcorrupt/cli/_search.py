"""A search on a user's own file."""

from __future__ import annotations

import argparse
import difflib
import json
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
from sklearn.base import clone, is_regressor
from sklearn.metrics import get_scorer_names

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
    add_seed_and_file_options,
    at_least,
    file_path,
    kinds,
    names,
    seconds,
    shares,
)
from ._command_error import CommandError, fail
from ._load import (
    check_columns,
    default_pipeline,
    import_from_here,
    load_model,
    load_pipeline,
    split_label,
)
from ._output import (
    make_folder,
    save_alternatives,
    save_picture,
    score_text,
    scores_table,
    table_text,
)
from ._serving import (
    add_serving_arguments,
    check_serving,
    fitted_checks,
    noticed_rows,
    served_rows,
)
from ._table import read


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
        type=kinds,
        default="missing",
        metavar="KIND",
        help="the kind of error, or several of which one strikes, as in missing,labels: "
        f"{', '.join(sorted(short_names()))} (default: missing)",
    )
    add(
        "--budget",
        type=shares,
        default=0.1,
        metavar="SHARE",
        help="largest share of rows with an error, or several: 0.1,0.2,0.5 (default: 0.1)",
    )
    add("--scoring", metavar="NAME", help="a scikit-learn score (default: the pipeline's own)")
    add("--cv", type=at_least(2), metavar="K", help="number of folds (default: 3)")
    add(
        "--proxy",
        choices=["auto", *PROXIES, "none"],
        default="none",
        help="screen thousands of candidates on a stand-in for the pipeline (default: none)",
    )
    add("--n-calls", type=at_least(1), default=32, metavar="N", help="candidates a template")
    add(
        "--max-conditions",
        type=at_least(0),
        default=3,
        metavar="N",
        help="most conditions on features (default: 3)",
    )
    add("--pattern-columns", type=names, metavar="A,B", help="columns that patterns may use")
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
    add("--out", type=file_path, metavar="DIR", help="folder for all that is found")


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
    check_scoring(args.scoring)
    check_serving(args)
    X, y = _features_and_label(args)
    exclude = [_pattern(text, X) for text in args.exclude]
    for option in ("pattern_columns", "corrupt_columns"):
        check_columns(f"--{option.replace('_', '-')}", getattr(args, option) or [], list(X.columns))
    checks = fitted_checks(args, X)
    if args.out is not None:
        make_folder(args.out)
    import_from_here()
    label = "no label" if args.label is None else f"label {args.label!r}"
    report = [f"{args.data}: {X.shape[0]} rows, {X.shape[1]} features, {label}"]
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
            "AdversarialCorruptionSearch(pipeline, CorruptLabels(shift=…)) moves it"
        )
    print("\n".join(report), flush=True)
    hunt = AdversarialCorruptionSearch(
        pipeline,
        args.corruption,
        budget=args.budget,
        apply_to="test" if args.serving else "train",
        scoring=args.scoring,
        cv=args.cv,
        space=SearchSpace(
            pattern_columns=args.pattern_columns,
            corrupt_columns=args.corrupt_columns,
            max_conditions=args.max_conditions,
            exclude=exclude,
        ),
        strategy="auto" if args.serving else _strategy(args.proxy, args.n_calls),
        checks=checks,
        max_time=args.max_time,
        journal=args.journal,
        confirm_size=None if args.no_confirm else 0.25,
        n_jobs=args.jobs,
        random_state=args.seed,
        verbose=int(not args.quiet),
    )
    if args.model is None:
        _try_pipeline(pipeline, X, cast("pd.Series", y))
    try:
        plan = f"Plan: {hunt.plan(X, y)}."
        print(plan, flush=True)
        hunt.fit(X, y)
    except Exception as error:
        if isinstance(error, (ValueError, TypeError)):
            raise CommandError(f"{error}{_scoring_hint(args.scoring, error)}") from error
        fail("the search failed", error)
    findings = _findings(hunt)
    print("\n".join(findings))
    if args.out is not None:
        _save(hunt, [*report, plan, *findings], args.out)


def _features_and_label(args: argparse.Namespace) -> tuple[pd.DataFrame, pd.Series | None]:
    """The file as features and label, which is None where none is named."""
    table = read(args, args.data)
    if args.label is not None:
        return split_label(table, args.label, args.drop, args.data)
    check_columns("--drop", args.drop, list(table.columns))
    return table.drop(columns=args.drop), None


def _strategy(proxy: str, n_calls: int) -> SearchStrategy:
    beam = BeamSearch(n_calls=n_calls)
    return beam if proxy == "none" else Screening(proxy, beam=beam)


def _try_pipeline(pipeline: Any, X: pd.DataFrame, y: pd.Series) -> None:
    """Fit once on the data as they are, to tell a broken pipeline from a failing search."""
    try:
        fit_on_copies(clone(pipeline), X, y)
    except Exception as error:
        fail("the pipeline fails on the data as they are", error)


def _findings(hunt: AdversarialCorruptionSearch) -> list[str]:
    lines = ["", scores_table(hunt), "", hunt.summary()]
    if hunt.apply_to == "test" and len(hunt.certificate_):
        lines += ["", "By column", table_text(served_rows(hunt.certificate_))]
    if hunt.worst_corruption_ is not None:
        lines += [
            "",
            f"Pattern: {hunt.worst_pattern_}",
            f"As an object to {_use(hunt)}:",
            f"  {hunt.worst_corruption_!r}",
        ]
    if hasattr(hunt, "detection_"):
        lines += ["", "Who notices the worst error", table_text(noticed_rows(hunt.detection_))]
    if hasattr(hunt, "budget_curve_"):
        lines += ["", "Every budget", table_text(_budget_rows(hunt.budget_curve_))]
    if not hunt.alternatives_["score"].isna().all():
        lines += ["", "By what patterns look at", table_text(_alternative_rows(hunt.alternatives_))]
    scored = f"{hunt.n_evaluations_} candidates scored."
    if hunt.proxy_ != "none":
        screened = int(hunt.certificate_["n_distinct"].sum())
        scored = (
            f"{screened} candidates screened on a {hunt.proxy_} proxy (rank correlation with the "
            f"pipeline {hunt.proxy_agreement_:.2f}), {hunt.n_evaluations_} scored on the pipeline."
        )
    return [*lines, "", scored]


def _use(hunt: AdversarialCorruptionSearch) -> str:
    """What the worst error is good for."""
    return "strike batches with" if hunt.apply_to == "test" else "drop into a pipeline"


def _budget_rows(curve: pd.DataFrame) -> list[list[str]]:
    shown = {"worst_score": "worst", "random_score": "random", "confirmed_score": "confirmed"}
    shown = {name: label for name, label in shown.items() if name in curve}
    drops = "confirmed_drop_low" in curve
    several = len({*curve["kind"]} - {""}) > 1
    rows = [
        ["budget", *shown.values(), *["confirmed drop"] * drops, *["kind"] * several, "pattern"]
    ]
    for row in curve.to_dict("records"):
        scores = [score_text(row[name]) for name in shown]
        if drops:
            ends = row["confirmed_drop_low"], row["confirmed_drop_high"]
            scores.append(" to ".join(map(score_text, ends)))
        kind = [str(row["kind"])] * several
        rows.append([f"{row['budget']:g}", *scores, *kind, str(row["pattern"])])
    return rows


def _alternative_rows(alternatives: pd.DataFrame) -> list[list[str]]:
    kinds = ["kind"] * ("kind" in alternatives)
    rows = [[*kinds, "columns", "label", "own column", "score", "drop", "found", "pattern"]]
    scored = alternatives[alternatives["score"].notna()]
    for row in scored.sort_values("drop", ascending=False, kind="stable").to_dict("records"):
        used = ["yes" if row[name] else "no" for name in ("uses_label", "uses_own_column")]
        scores = [score_text(row["score"]), score_text(row["drop"])]
        own = [row["kind"] for _ in kinds]
        cells = [str(row["n_conditions"]), *used, *scores, row["status"], str(row["pattern"])]
        rows.append([*own, *cells])
    return rows


def _save(hunt: AdversarialCorruptionSearch, report: list[str], out: Path) -> None:
    """Write the table of candidates, the winner, the report and the picture."""
    table = pd.DataFrame(hunt.cv_results_).drop(columns="corruption")
    table["columns"] = [", ".join(map(str, columns)) for columns in table["columns"]]
    table = table.sort_values("rank_test_score", kind="stable")
    texts = {
        "candidates.csv": table.to_csv(index=False, lineterminator="\n"),
        "summary.txt": "\n".join(report) + "\n",
    }
    if hasattr(hunt, "budget_curve_"):
        texts["budgets.csv"] = _as_csv(hunt.budget_curve_)
    if len(hunt.alternatives_):
        texts["alternatives.csv"] = _as_csv(hunt.alternatives_)
    if hunt.worst_corruption_ is not None:
        winner = json.dumps(hunt.worst_corruption_.to_dict(), indent=2, ensure_ascii=False)
        texts["worst_corruption.json"] = winner + "\n"
    try:
        # what an earlier search left there is not this one's winner
        (out / "worst_corruption.json").unlink(missing_ok=True)
        for name, text in texts.items():
            (out / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"--out {out}: cannot write there ({error.strerror})") from None
    print(f"Saved in {out}: {', '.join(texts)}")
    print(save_picture([hunt], [""], out / "search.png"))
    if not hunt.alternatives_["score"].isna().all():
        print(save_alternatives(hunt, out / "alternatives.png"))


def _as_csv(table: pd.DataFrame) -> str:
    """A table of winners as text, but for the objects."""
    table = table.drop(columns="corruption")
    table["columns"] = [", ".join(map(str, columns)) for columns in table["columns"]]
    return table.to_csv(index=False, lineterminator="\n")


def check_scoring(name: str | None) -> None:
    """Refuse a score that scikit-learn does not have.

    Raises
    ------
    CommandError
        With names that are close to it.
    """
    if name is None or name in get_scorer_names():
        return
    close = difflib.get_close_matches(name, get_scorer_names(), n=3)
    hint = f"did you mean {' or '.join(map(repr, close))}?" if close else "such as roc_auc or r2"
    raise CommandError(f"--scoring {name!r} is not a score of scikit-learn; {hint}")


def _scoring_hint(name: str | None, error: Exception) -> str:
    """What to do about a score that knows labels 0 and 1 only."""
    if name is None or "pos_label" not in str(error):
        return ""
    macro = f"{name}_macro"
    other = macro if macro in get_scorer_names() else "balanced_accuracy"
    return f" --scoring {name} takes labels 0 and 1; {other} takes any."


def _pattern(text: str, X: pd.DataFrame) -> Pattern:
    try:
        pattern = Pattern.parse(text)
    except ValueError as error:
        raise CommandError(f"--exclude {text!r}: {error}") from None
    check_columns(f"--exclude {text!r}:", [str(name) for name in pattern.columns], list(X.columns))
    return pattern
