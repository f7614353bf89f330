"""An order of real samples by how hard they are, from a user's file of votes."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.curation import (
    AdversarialOrderDisplay,
    GenerativeLabelModel,
    LabelingFunctionSelector,
    MajorityVoteLabeler,
    NaturalAdversarialCurator,
    OrderingScore,
    lf_summary,
)
from skcorrupt.utils._as_text import NOTHING, cell, chance, percent

from ._arguments import add_seed_and_file_options, at_least, file_path, fraction, names
from ._command_error import CommandError
from ._folder import add_folder_options, folder_of, save_results
from ._load import check_columns
from ._output import (
    csv_text,
    score_text,
    table_text,
    write_image,
    write_texts,
)
from ._table import read

MODELS = {"generative": GenerativeLabelModel, "majority": MajorityVoteLabeler}
EMPTY, ESTIMATE = "empty", "estimate"
# a column of votes has few classes, and each of them often
MANY_CLASSES, RARE = 20, 0.5
SHOWN_CLASSES = 8
# by what a message of the library says
OPTIONS = {
    r"\bn_datasets=": "--sets",
    r"\bclass_prior=": "--prior",
    r"name those that are never voted": "--classes 0,1,…",
    r"fill what is missing with -1": "--abstain empty",
    r"^y ": "--gold, empty where it is not known",
}


def add_curate_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `curate`."""
    add = parser.add_argument
    add(
        "votes",
        type=file_path,
        metavar="votes.csv",
        help="a CSV or Parquet file, one row per sample and one column per labeling "
        "function, classes as 0, 1, …",
    )
    add(
        "--gold",
        metavar="COL",
        help="column of true labels, to check the order; empty where they are not known",
    )
    add("--drop", type=names, default=[], metavar="A,B", help="columns that are no votes")
    add(
        "--abstain",
        default="-1",
        metavar="VALUE",
        help="what stands where a function abstains: a whole number, or 'empty' for empty cells "
        "as well as -1 (default: -1)",
    )
    add(
        "--model",
        choices=sorted(MODELS),
        default="generative",
        help="how votes become labels (default: generative)",
    )
    add(
        "--classes",
        type=names,
        metavar="0,1,…",
        help="all classes, if some are never voted (default: those that are)",
    )
    add(
        "--prior",
        type=names,
        metavar="P,P,…",
        help="shares of the classes for the generative model, or 'estimate' (default: equal)",
    )
    add(
        "--select",
        type=fraction,
        metavar="SIZE",
        help="leave out functions whose votes correlate with others' by more, such as 0.5",
    )
    add("--sets", type=at_least(2), default=10, metavar="N", help="data sets (default: 10)")
    add("--alpha", type=fraction, default=0.05, help="1 - confidence of the bounds (default: 0.05)")
    add("--gamma", type=fraction, default=0.01, help="level of a valid order (default: 0.01)")
    add(
        "--successes",
        choices=["agreement", "confidence"],
        default="agreement",
        help="what a bound counts: the votes that agree with the label, or the model's confidence, "
        "as in the paper (default: agreement)",
    )
    add(
        "--order-by",
        choices=["confidence", "lower_bound"],
        default="lower_bound",
        help="what rows are ordered by (default: lower_bound)",
    )
    add(
        "--uncovered",
        choices=["drop", "last"],
        default="last",
        help="where rows without votes go (default: last)",
    )
    add("--disjoint", action="store_true", help="sets without common rows, not nested ones")
    add_seed_and_file_options(parser)
    add_folder_options(parser, "curate")


def curate(args: argparse.Namespace) -> None:
    """Load, order, print and save.

    Parameters
    ----------
    args : Namespace
        The arguments.

    Raises
    ------
    CommandError
        If something the user gave does not work.
    """
    frame = read(args, args.votes)
    check_columns("--gold", [args.gold] if args.gold else [], list(frame.columns))
    check_columns("--drop", args.drop, list(frame.columns), several=True)
    gold = None if args.gold is None else frame[args.gold]
    others = [*args.drop, *([args.gold] if args.gold else [])]
    votes = _with_abstentions(frame.drop(columns=others), args.abstain)
    _refuse_what_is_no_vote(votes)
    label_model = _label_model(args)
    out = folder_of(args, args.votes)
    selector = None if args.select is None else LabelingFunctionSelector(args.select)
    curator = NaturalAdversarialCurator(
        label_model,
        selector,
        n_datasets=args.sets,
        alpha=args.alpha,
        gamma=args.gamma,
        successes=args.successes,
        order_by=args.order_by,
        uncovered=args.uncovered,
        nested=not args.disjoint,
        random_state=args.seed,
    )
    try:
        functions = lf_summary(votes, gold)
        curator.fit(votes)
        score = None if gold is None else curator.score_ordering(gold)
    except (ValueError, TypeError) as error:
        raise CommandError(f"{args.votes}: {_in_options(str(error))}") from error
    if curator.selector_ is not None:
        functions["selected"] = curator.selector_.support_
    # for the page
    curator._functions = functions.reset_index(drop=True)
    silent = int((curator.n_votes_ == 0).sum())
    print(
        f"{args.votes}: {len(votes)} rows, {votes.shape[1]} functions, {silent} rows without a vote"
    )
    print(f"\nFunctions\n{table_text(_function_rows(functions))}")
    if args.prior == [ESTIMATE]:
        model = curator.label_model_
        shares = zip(model.classes_.tolist(), model.class_prior_.tolist(), strict=True)
        print(
            "\nEstimated shares of the classes: "
            + ", ".join(f"{c}: {percent(p)}" for c, p in shares)
        )
    print(f"\nSets, the easiest first\n{table_text(_set_rows(curator, score))}")
    if curator.n_contradicted_:
        against = f"{curator.n_contradicted_:,} of {len(votes):,} rows"
        print(f"\nIn {against} all votes agree, and the weak label is another.")
    if score is not None:
        print(f"\n{_verdict(score, args.disjoint, args.gamma)}")
    if out is not None:
        _save(curator, functions, gold, frame[args.drop], out)
        save_results(curator, out, args)


def _label_model(args: argparse.Namespace) -> Any:
    params: dict[str, Any] = {}
    if args.classes is not None:
        params["classes"] = _numbers("--classes", args.classes, int, "whole numbers, such as 0,1,2")
    if args.prior is not None:
        if args.model != "generative":
            raise CommandError("--prior is for --model generative; leave one of them out")
        if args.prior == [ESTIMATE]:
            params["class_prior"] = ESTIMATE
        else:
            wanted = f"shares, such as 0.9,0.1, or {ESTIMATE!r}"
            params["class_prior"] = _numbers("--prior", args.prior, float, wanted)
    return MODELS[args.model](**params)


def _numbers(option: str, given: list[str], kind: type, wanted: str) -> list[Any]:
    try:
        return [kind(entry) for entry in given]
    except ValueError:
        raise CommandError(f"{option} {','.join(given)!r} should be {wanted}") from None


def _in_options(message: str) -> str:
    """A message of the library with the options that its parameters are here."""
    named = [option for said, option in OPTIONS.items() if re.search(said, message)]
    return f"{message} (Option: {'; '.join(named)}.)" if named else message


def _refuse_what_is_no_vote(votes: pd.DataFrame) -> None:
    """Columns of numbers that tell rows apart would be functions with as many classes as rows."""
    for name, column in votes.items():
        n_classes, n_votes = column.nunique(), int((column != -1).sum())
        if n_classes > MANY_CLASSES and n_classes > RARE * n_votes:
            raise CommandError(
                f"column {name!r} has {n_classes} different values in {n_votes} rows, so it is no "
                f"labeling function; leave it out with --drop {shlex.quote(str(name))}"
            )


def _with_abstentions(votes: pd.DataFrame, abstain: str) -> pd.DataFrame:
    """Votes with -1 for abstentions, whatever stands for them in the file."""
    if abstain == EMPTY:
        return votes.fillna(-1)
    try:
        value = int(abstain)
    except ValueError:
        raise CommandError(
            f"--abstain {abstain!r} should be a whole number, or {EMPTY!r} for empty cells"
        ) from None
    if value == -1:
        return votes
    if votes.eq(-1).any(axis=None):
        raise CommandError(
            f"--abstain {value}, but the file has votes of -1 too, which are no class; recode one "
            "of them"
        )
    return votes.replace(value, -1)


def _function_rows(functions: pd.DataFrame) -> list[list[str]]:
    shown = [
        name
        for name in ("coverage", "overlaps", "conflicts", "accuracy")
        if name in functions and functions[name].notna().any()
    ]
    head = ["function", "votes for", *shown, *(["selected"] if "selected" in functions else [])]
    rows = [head]
    for row in functions.to_dict("records"):
        cells = [str(row["name"]), _classes_text(row["polarity"])]
        cells += [cell(row[name], "percent") for name in shown]
        rows.append(cells + (["yes" if row["selected"] else "no"] if "selected" in row else []))
    return rows


def _classes_text(classes: list[int]) -> str:
    shown = ", ".join(map(str, classes[:SHOWN_CLASSES])) or NOTHING
    return shown if len(classes) <= SHOWN_CLASSES else f"{shown}, … ({len(classes)})"


def _set_rows(curator: NaturalAdversarialCurator, score: OrderingScore | None) -> list[list[str]]:
    head = ["set", "rows", "least bound", "least confidence"]
    rows = [head if score is None else [*head, "labelled", "weak labels right"]]
    for i, chosen in enumerate(curator.datasets_):
        row = [str(i + 1), str(len(chosen))]
        row += [score_text(curator.lower_bound_[chosen].min())]
        row += [score_text(curator.confidence_[chosen].min())]
        if score is not None:
            row += [str(score.n_labelled[i]), cell(score.accuracies[i], "percent")]
        rows.append(row)
    return rows


def _verdict(score: OrderingScore, disjoint: bool, level: float) -> str:
    if np.isnan(score.rho):
        return "All sets have the same accuracy, which says nothing of the order."
    printed = "valid" if score.valid else "not valid"
    permuted = "valid" if score.permutation_valid else "not valid"
    flaw = "" if disjoint else ", too small for nested sets,"
    return (
        f"Spearman's rho of set and accuracy: {score.rho:.3f}. By permutation p = "
        f"{chance(score.permutation_pvalue)}, level {level:g}: {permuted}. (The paper's "
        f"p-value{flaw} is {chance(score.pvalue)}: {printed}.)"
        + re.sub(r"successes='(\w+)'(.*)", r" --successes \1\2.", score.remedy)
    )


def _save(
    curator: NaturalAdversarialCurator,
    functions: pd.DataFrame,
    gold: pd.Series | None,
    others: pd.DataFrame,
    out: Path,
) -> None:
    place = np.zeros(len(curator.labels_), dtype=int)
    for i, rows in reversed(list(enumerate(curator.datasets_, start=1))):
        place[rows] = i
    order = pd.DataFrame(
        {
            "label": curator.labels_,
            "confidence": curator.confidence_,
            "n_votes": curator.n_votes_,
            "lower_bound": curator.lower_bound_,
            "upper_bound": curator.upper_bound_,
            "first_set": place,
        }
    )
    # columns left out of the votes tell which row is which
    others = others.rename(columns={name: f"{name}_" for name in order.columns})
    order = order.join(others).iloc[curator.order_]
    write_texts(
        out,
        {"order.csv": csv_text(order, index_label="row"), "functions.csv": csv_text(functions)},
    )
    print(f"\nSaved in {out}: order.csv, functions.csv")
    if gold is None:
        return
    from matplotlib.figure import Figure

    # a Figure of its own needs no screen and leaves pyplot's settings alone
    figure = Figure(figsize=(6.5, 4.5), layout="constrained")
    AdversarialOrderDisplay.from_curator(curator, gold).plot(ax=figure.subplots())
    write_image(figure, out / "order.png")
