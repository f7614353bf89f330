"""Error sensitivity of models on a user's own file."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pandas as pd

from skcorrupt.sensitivity import (
    ErrorSensitivityDisplay,
    ErrorSensitivityProfiler,
    Strategy,
    default_classifiers,
)
from skcorrupt.sensitivity._error_sensitivity_display import map_size
from skcorrupt.utils._as_text import NOTHING, cell, interval, largest
from skcorrupt.utils._readable import on_one_line

from ._arguments import add_file_options, at_least, file_path, names
from ._command_error import CommandError, fail
from ._folder import add_folder_options, folder_of, save_results
from ._load import (
    MOST_CLASSES,
    check_columns,
    default_pipeline,
    import_from_here,
    load_json,
    load_pipeline,
    said_of,
    split_label,
)
from ._output import (
    csv_text,
    score_text,
    table_text,
    write_image,
    write_texts,
)
from ._table import read
from ._typed import typed

LINEAR = "linear model"
# rows of a table that are shown; the files have all
SHOWN = 20
# errors that are drawn
MOST_MAPS = 4
HOW_TO_READ = (
    "EPC: minus the correlation of errors and score; 1 where the score falls steadily.",
    "AEPC: mean change of the score from no errors to the highest level, that is the area between "
    "the curve and its baseline over that level, as a share of the score without errors.",
    "with errors: mean score over all errors and levels; a model no better than chance loses "
    "nothing.",
    "importance: what shuffling the column costs on clean test data.",
    "*: significant; the highest level differs from none (p adjusted over all rows), and the size "
    "of AEPC is above tau.",
)


def add_profile_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `profile`."""
    add = parser.add_argument
    add("data", type=file_path, metavar="data.csv", help="a CSV or Parquet file")
    add(
        "strategy",
        type=file_path,
        nargs="?",
        metavar="strategy.json",
        help="a study, which is needed, as `configure` writes it",
    )
    add("--label", metavar="COL", help="column to predict (default: that of the strategy)")
    add(
        "--pipeline",
        action="append",
        metavar="MODULE:OBJECT",
        help="estimator, or function that returns one, in a module that can be imported from here; "
        "may be repeated (default: a simple linear model)",
    )
    add("--drop", type=names, metavar="A,B", help="columns to leave out, beside the strategy's")
    add(
        "--journal",
        type=file_path,
        metavar="FILE",
        help="keeps what is finished; run again to go on",
    )
    add("--seed", type=at_least(0), metavar="N", help="random seed (default: the strategy's)")
    add_file_options(parser)
    add_folder_options(parser, "profile")


def profile(args: argparse.Namespace) -> None:
    """Load, profile, print and save.

    Parameters
    ----------
    args : Namespace
        The arguments.

    Raises
    ------
    CommandError
        If something the user gave does not work.
    """
    file = args.strategy or Path("strategy.json")
    remedy = f"write one with {typed(args, 'configure', args.data, '--out', file)}"
    if args.strategy is None:
        # a file that is not there is the first thing to mend
        read(args, args.data)
        raise CommandError(f"profile needs a file that says what to study; {remedy}")
    strategy = load_json("", args.strategy, Strategy.from_dict, remedy)
    label = strategy.label if args.label is None else args.label
    drop = list(dict.fromkeys([*strategy.drop, *(args.drop or [])]))
    frame = read(args, args.data)
    X, y = _parted(frame, label, drop, args)
    for each in strategy.corruptions:
        columns = [name for name in each.get("columns", []) if isinstance(name, str)]
        check_columns(f"{args.strategy}: {each['name']}: columns", columns, list(X.columns))
    out = folder_of(args, args.data)
    import_from_here()
    report = [said_of(args.data, X, None if y is None else label, len(frame))]
    if args.pipeline is not None:
        models = _imported(args.pipeline)
    elif y is None:
        raise CommandError(f"{args.strategy} names no label; pass --label COL")
    elif strategy.models is None:
        pipeline, description = default_pipeline(X, y)
        models = {LINEAR: pipeline}
        report.append(f"No --pipeline given: {description}.")
    else:
        models = bundled_models(X, y)
        others = [name for name in strategy.models if name not in models]
        if others and is_quantity(y):
            raise CommandError(
                f"{args.strategy} studies {others[0]!r}, which predicts classes, but {label!r} is "
                f"a number; {remedy}"
            )
    print("\n".join(report), flush=True)
    seed = {} if args.seed is None else {"random_state": args.seed}
    try:
        profiler = strategy.profiler(
            models,
            journal=args.journal,
            n_jobs=args.jobs,
            verbose=int(not args.quiet),
            **seed,
        )
        plan = profiler.plan(X, y)
        report.append(f"Plan: {plan}.")
        print(report[-1], flush=True)
        profiler.fit(X, y)
    except Exception as error:
        if isinstance(error, (ValueError, TypeError)):
            raise CommandError(str(error)) from error
        fail("the profile failed", error)
    ranked = profiler.profiles_.sort_values(
        ["significant", "aepc"], ascending=[False, True], kind="stable", ignore_index=True
    )
    saved = {"curves.csv": profiler.curves_, "profiles.csv": ranked}
    if out is not None:
        # at once, as what follows fits models again and may fail
        _write_tables(out, saved)
        # what an earlier profile left there is not this one's
        for name in ("priorities.csv", "ranking.csv", "screening.csv", "report.md"):
            (out / name).unlink(missing_ok=True)
    try:
        priorities = profiler.cleaning_priorities()
        ranking = profiler.model_ranking()
    except Exception as error:
        kept = f" ({' and '.join(saved)} are in {out})" if out is not None else ""
        fail(f"the profiles are done, but not what follows from them{kept}", error)
    tables = _tables(ranked, priorities, ranking)
    print(f"\n{profiler.summary()}")
    for title, rows in tables.items():
        print(f"\n{title}\n{table_text(rows, n_left=3)}")
    print("", *_how_to_read(tables), sep="\n")
    if out is not None:
        rest = {"priorities.csv": priorities, "ranking.csv": ranking}
        if strategy.screening is not None:
            rest["screening.csv"] = profiler.screening_
        _write_tables(out, rest)
        print(f"\nSaved in {out}: {', '.join([*saved, *rest])}")
        _draw(profiler, ranked, out / "profile.png")
        page = _page(args, strategy, report, profiler.summary(), tables)
        write_texts(out, {"report.md": page})
        print(f"Markdown: {out / 'report.md'}")
        save_results(profiler, out, args)


def bundled_models(X: pd.DataFrame, y: Any) -> dict[str, Any]:
    """Models for those who bring none, by name: a linear one, and families of classifiers.

    Parameters
    ----------
    X : DataFrame of shape (n_samples, n_features)
        Features.
    y : Series of shape (n_samples,)
        Labels.

    Returns
    -------
    dict of str to estimator
        The linear one alone where the labels are a quantity.
    """
    pipeline, _ = default_pipeline(X, y)
    return {LINEAR: pipeline} | ({} if is_quantity(y) else default_classifiers())


def is_quantity(y: pd.Series) -> bool:
    """Whether labels are taken for a quantity, not for classes."""
    return pd.api.types.is_numeric_dtype(y) and y.nunique() > MOST_CLASSES


def _parted(
    frame: pd.DataFrame, label: str | None, drop: list[str], args: argparse.Namespace
) -> tuple[pd.DataFrame, pd.Series | None]:
    """Features and labels; no labels where none is named."""
    if label is not None:
        return split_label(frame, label, drop, args.data)
    check_columns("--drop", drop, list(frame.columns), several=True)
    return frame.drop(columns=drop), None


def _imported(specs: list[str]) -> dict[str, Any]:
    """Estimators by the names of their objects, or in full where two have one name."""
    short = [spec.rpartition(":")[2] for spec in specs]
    by_name = short if len(set(short)) == len(short) else specs
    return {name: load_pipeline(spec) for name, spec in zip(by_name, specs, strict=True)}


def _tables(
    ranked: pd.DataFrame, priorities: pd.DataFrame, ranking: pd.DataFrame
) -> dict[str, list[list[str]]]:
    """Cells of the tables by their titles."""
    unit = largest(ranked["baseline"])
    head = ["model", "error", "columns", "clean", "EPC", "AEPC", "95 % interval", "p adjusted", ""]
    profiles = [head] + [
        [
            row["model"],
            row["corruption"],
            row["features"],
            score_text(row["baseline"], unit),
            cell(row["epc"], "signed"),
            cell(row["aepc"], "signed percent"),
            interval(row["aepc_low"], row["aepc_high"], "signed percent"),
            cell(row["p_adjusted"], "chance"),
            "*" if row["significant"] else "",
        ]
        for row in ranked.head(SHOWN).to_dict("records")
    ]
    found = {_title("Profiles, significant ones first", ranked, "profiles.csv"): profiles}
    if len(ranking) > 1:
        found |= {
            _title("Models, those that lose least first", ranking, "ranking.csv"): _models(ranking)
        }
    if priorities.empty:
        return found
    head = ["model", "column", "worst error", "AEPC", "importance", ""]
    columns = [head] + [
        [
            row["model"],
            str(row["feature"]),
            row["corruption"],
            cell(-row["loss"], "signed percent"),
            score_text(row["importance"]),
            "*" if row["significant"] else "",
        ]
        for row in priorities.head(SHOWN).to_dict("records")
    ]
    return found | {_title("What to clean first", priorities, "priorities.csv"): columns}


def _models(ranking: pd.DataFrame) -> list[list[str]]:
    unit = largest(ranking[["baseline", "score"]])
    head = ["model", "clean", "with errors", "mean AEPC", "95 % interval", "losses *", "worst AEPC"]
    return [[*head, "of"]] + [
        [
            row["model"],
            score_text(row["baseline"], unit),
            score_text(row["score"], unit),
            cell(-row["loss"], "signed percent"),
            interval(-row["loss_high"], -row["loss_low"], "signed percent"),
            f"{row['significant_losses']} of {row['profiles']}",
            cell(-row["worst_loss"], "signed percent"),
            f"{row['worst_corruption']} in {row['worst_features']}"
            if pd.notna(row["worst_loss"])
            else NOTHING,
        ]
        for row in ranking.head(SHOWN).to_dict("records")
    ]


def _how_to_read(tables: dict[str, list[list[str]]]) -> list[str]:
    """What the columns of tables that are shown say."""
    shown = {name for rows in tables.values() for name in rows[0]}
    # what is no name of a column is a mark in one
    return [line for line in HOW_TO_READ if line[0] == "*" or line.partition(":")[0] in shown]


def _title(text: str, frame: pd.DataFrame, file: str) -> str:
    rest = len(frame) - SHOWN
    return f"{text} ({rest} more in {file})" if rest > 0 else text


def _write_tables(out: Path, tables: dict[str, pd.DataFrame]) -> None:
    write_texts(out, {name: csv_text(table) for name, table in tables.items()})


def _draw(profiler: ErrorSensitivityProfiler, ranked: pd.DataFrame, path: Path) -> None:
    """Draw the first profile beside all columns and models."""
    from matplotlib.figure import Figure

    first = {name: ranked[name].iloc[0] for name in ("model", "corruption", "features")}
    errors = ranked.loc[ranked["aepc"].notna(), "corruption"].unique()[:MOST_MAPS]
    n_models, n_features = ranked["model"].nunique(), ranked["features"].nunique()
    across, down = map_size(n_models, n_features)
    widths = [6.5] + [across] * len(errors)
    size = (sum(widths), max(4.5, down))
    # a Figure of its own needs no screen and leaves pyplot's settings alone
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(1, len(widths), width_ratios=widths, squeeze=False)[0]
    display = ErrorSensitivityDisplay.from_profiler(profiler)
    display.plot(ax=axes[0], **first)
    for error, ax in zip(errors, axes[1:], strict=True):
        display.plot("heatmap", ax=ax, corruption=error)
    write_image(figure, path)


def _page(
    args: argparse.Namespace,
    strategy: Strategy,
    report: list[str],
    finding: str,
    tables: dict[str, list[list[str]]],
) -> str:
    """The report as Markdown."""
    lines = [f"# Error sensitivity of {args.data.name}", "", finding, ""]
    lines += [f"- {line}" for line in report]
    seed = "" if args.seed is None else f", with --seed {args.seed}"
    lines += [
        f"- Strategy: {args.strategy}{seed}, at the end of this page",
        "",
        "![Profiles](profile.png)",
        "",
    ]
    for title, (head, *rows) in tables.items():
        lines += [f"## {title}", "", _cells(head), _cells(["---"] * len(head))]
        lines += [*map(_cells, rows), ""]
    notes = [f"- {line}".replace("*", "\\*") for line in _how_to_read(tables)]
    lines += ["## How to read it", "", *notes, ""]
    settings = json.dumps(strategy.to_dict(), indent=2, ensure_ascii=False)
    return "\n".join([*lines, "## Strategy", "", "```json", settings, "```", ""])


def _cells(row: list[str]) -> str:
    # a name may hold what separates cells
    return (
        "| "
        + " | ".join(on_one_line(cell).replace("|", "\\|").replace("*", "\\*") for cell in row)
        + " |"
    )
