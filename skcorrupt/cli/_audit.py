"""A responsiveness audit of a user's own file."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from skcorrupt.responsiveness import ActionSet, ResponsivenessAuditor, ResponsivenessDisplay
from skcorrupt.responsiveness.audit._few_people import NOT_TOLD, harmful, told_shares
from skcorrupt.responsiveness.audit._in_words import REMEDY
from skcorrupt.responsiveness.audit._verdicts import VERDICTS
from skcorrupt.utils import fit_on_copies
from skcorrupt.utils._as_text import counted, percent
from skcorrupt.utils._typing import Estimator

from ._arguments import (
    add_meaning_option,
    add_seed_and_file_options,
    at_least,
    file_path,
    fraction,
    names,
)
from ._command_error import CommandError, fail
from ._folder import add_folder_options, folder_of, save_results
from ._load import (
    check_columns,
    import_from_here,
    load_json,
    load_pipeline,
    split_label,
)
from ._output import csv_text, table_text, write_image, write_texts
from ._table import read, with_dates

# groups of fewer people are not told of by themselves
MIN_GROUP_SIZE = 5
TASKS = ("preclusion", "gaming")


def add_audit_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `audit`."""
    add = parser.add_argument
    add(
        "data",
        type=file_path,
        metavar="data.csv",
        help="a CSV or Parquet file, one row per person",
    )
    add(
        "--estimator",
        required=True,
        metavar="MODULE:OBJECT",
        help="fitted model, or function that returns one, in a module that can be imported from "
        "here; with --label one that is not fitted is fitted on the file",
    )
    add(
        "--target",
        required=True,
        metavar="VALUE",
        help='the target prediction: a label, "flip", or LOW,HIGH for a model of numbers',
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--actions", type=file_path, metavar="FILE", help="an action set as JSON")
    what.add_argument(
        "--actionable",
        type=names,
        metavar="A,B",
        help="columns that people can act on, with bounds and kinds as in the file",
    )
    add("--label", metavar="COL", help="column to predict, left out of the features")
    add("--drop", type=names, default=[], metavar="A,B", help="columns to leave out, such as ids")
    add("--task", choices=TASKS, help="what is asked (default: everybody is audited)")
    add(
        "--epsilon",
        type=fraction,
        default=0.1,
        metavar="SHARE",
        help="the threshold (default: 0.1)",
    )
    add(
        "--n-samples",
        type=_points,
        default="auto",
        metavar="N",
        help='points drawn for a person, or "importance", which predicts few of many draws, for a '
        "small --epsilon (default: as many as the test needs)",
    )
    add(
        "--leave-out",
        action="store_true",
        help="leave people out who break the rules as they are, or lack a value, and say how many",
    )
    add("--by", metavar="COL", help="column whose groups are compared, dropped or not")
    add(
        "--rules",
        choices=["suggested", "none"],
        help="with --actionable, rules that hold in every row of the file, such as that of one-hot "
        "columns: add those that are seen, or none (default: none, and they are named)",
    )
    add_meaning_option(parser, "a prediction")
    add_seed_and_file_options(parser)
    add_folder_options(parser, "audit")


def audit(args: argparse.Namespace) -> None:
    """Load, audit, print and save.

    Parameters
    ----------
    args : Namespace
        The arguments.

    Raises
    ------
    CommandError
        If something the user gave does not work.
    """
    frame, unlabelled = read(args, args.data), 0
    if args.label is None:
        check_columns("--drop", args.drop, list(frame.columns), several=True)
        X, y = frame.drop(columns=args.drop), None
    else:
        X, y = split_label(frame, args.label, args.drop, args.data)
        unlabelled = len(frame) - len(X)
        frame = frame.loc[X.index]
    check_columns("--by", [args.by] if args.by else [], list(frame.columns))
    actions = _actions(args, X)
    if args.rules == "suggested":
        added = "; ".join(map(str, actions.constraints)) or "none was seen"
        print(f"Rules that hold in every row, and are kept: {added}\n")
    if args.leave_out:
        frame, X, y = _without_broken(actions, frame, X, y)
    out = folder_of(args, args.data)
    import_from_here()
    model = _fitted(load_pipeline(args.estimator, option="--estimator"), X, y, args.estimator)
    auditor = ResponsivenessAuditor(
        model,
        actions,
        target=_target(args.target, model),
        task=args.task,
        epsilon=args.epsilon,
        n_samples=args.n_samples,
        n_jobs=args.jobs,
        random_state=args.seed,
        verbose=int(not args.quiet),
    )
    try:
        auditor.fit(X)
    except Exception as error:
        if isinstance(error, (ValueError, TypeError)):
            # in a shell there is nothing to call
            said = str(error).replace("actions.validate(X) lists all.", "--leave-out does so")
            raise CommandError(said) from error
        fail("the audit failed", error)
    without = f"; {counted(unlabelled, 'row')} without a label left out" if unlabelled else ""
    audited = len(auditor.results_)
    print(f"{args.data}: {len(X)} people{without}, {audited} audited, {actions!r}\n")
    groups = None if args.by is None else frame[args.by].reset_index(drop=True)
    found = auditor.by_group(groups, min_group_size=MIN_GROUP_SIZE)
    print(_table(found.rename_axis(args.by), auditor.direction_))
    print(f"\n{auditor.summary(min_group_size=MIN_GROUP_SIZE).replace(REMEDY, '')}")
    if out is not None:
        _save(auditor, out)
        save_results(auditor, out, args, groups)


def _points(text: str) -> int | str:
    """A number of points, or how it is found."""
    return text if text in ("auto", "importance") else at_least(1)(text)


def _without_broken(
    actions: ActionSet, frame: pd.DataFrame, X: pd.DataFrame, y: pd.Series | None
) -> tuple[pd.DataFrame, pd.DataFrame, pd.Series | None]:
    """The table without people who break the rules as they are."""
    try:
        broken = actions.validate(X)
    except ValueError as error:
        raise CommandError(str(error)) from None
    rows = X.index.delete(broken["row"].unique())
    if len(rows) < len(X):
        print(
            f"{len(X) - len(rows)} of {len(X)} people break the rules as they are and are left "
            f"out, the first for: {broken['message'].iloc[0]}"
        )
    return frame.loc[rows], X.loc[rows], None if y is None else y.loc[rows]


def _actions(args: argparse.Namespace, X: pd.DataFrame) -> ActionSet:
    if args.actionable is not None:
        check_columns("--actionable", args.actionable, list(X.columns), several=True)
        try:
            rules: Any = {"suggested": "suggested", "none": ()}.get(args.rules)
            # texts that are dates, on which nobody acts, are no categories
            told = X.copy()
            for name in args.actionable:
                told[name] = with_dates(X[[name]])[name]
            return ActionSet.from_data(told, args.actionable, rules=rules)
        except ValueError as error:
            raise CommandError(f"--actionable: {error}") from None
    if args.rules is not None:
        raise CommandError(f"--rules goes with --actionable; write them into {args.actions}")
    remedy = "begin with --actionable, and edit the actions.json that is written"
    return load_json("--actions ", args.actions, ActionSet.from_dict, remedy)


def _fitted(model: Estimator, X: pd.DataFrame, y: pd.Series | None, spec: str) -> Estimator:
    """The model as it is where it is fitted, else fitted on the file."""
    try:
        check_is_fitted(model)
    except NotFittedError:
        if y is None:
            raise CommandError(
                f"--estimator {spec!r} is not fitted; pass --label COL to fit it on the file"
            ) from None
        try:
            return fit_on_copies(clone(model), X, y)
        except Exception as error:
            fail("the estimator fails on the data as they are", error)
    return model


def _target(text: str, model: Estimator) -> Any:
    """A target prediction from its text: the class that prints so, or an interval."""
    if text == "flip":
        return text
    classes = getattr(model, "classes_", None)
    if classes is not None:
        known = {str(label): label for label in classes.tolist()}
        if text not in known:
            raise CommandError(f"--target {text!r} is not predicted; the model knows {list(known)}")
        return known[text]
    try:
        low, high = (float(part) if part.strip() else None for part in text.split(","))
    except ValueError:
        raise CommandError(
            f"--target {text!r} should be LOW,HIGH for a model that predicts numbers, one of them "
            "empty for an open end, or flip"
        ) from None
    return low, high


def _table(found: pd.DataFrame, direction: str) -> str:
    verdicts = list(VERDICTS)
    told = told_shares(found, verdicts, MIN_GROUP_SIZE, harmful(direction))
    head = [str(found.index.name or ""), "people", "responsiveness", *verdicts]
    rows = [
        [
            str(group),
            str(n_people),
            NOT_TOLD if row["responsiveness"] == NOT_TOLD else percent(row["responsiveness"]),
            *(row[verdict] for verdict in verdicts),
        ]
        for group, n_people, row in zip(
            found.index, found["n_people"], told.to_dict("records"), strict=True
        )
    ]
    said = table_text([head, *rows])
    if any(cell == NOT_TOLD or cell.startswith("below") for row in rows for cell in row):
        said += (
            f"\n{NOT_TOLD}: it is of fewer than {MIN_GROUP_SIZE} people, or a number of so few "
            "would follow from it."
        )
    return said


def _save(auditor: ResponsivenessAuditor, out: Path) -> None:
    texts = {
        "responsiveness.csv": csv_text(auditor.results_, index_label="row"),
        "actions.json": json.dumps(auditor.actions.to_dict(), indent=2, ensure_ascii=False) + "\n",
    }
    write_texts(out, texts)
    print(f"\nSaved in {out}: {', '.join(texts)}")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 4.5), layout="constrained")
    ResponsivenessDisplay.from_auditor(auditor).plot(ax=figure.subplots())
    write_image(figure, out / "responsiveness.png")
