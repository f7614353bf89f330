"""What goes wrong in a user's file, learned from its corrected version or from rules."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import pandas as pd

from skcorrupt.learned import LearnedErrors, LearnedErrorsDisplay, learn_errors
from skcorrupt.learned._in_words import KINDS
from skcorrupt.report import write_html
from skcorrupt.utils._as_text import cell

from ._arguments import add_file_options, file_path, names
from ._command_error import CommandError
from ._folder import add_folder_options, folder_of, save_results
from ._load import check_columns, sep_hint
from ._output import csv_text, table_text, write_image, write_texts
from ._table import read

SHOWN = 40
# kinds that the picture has
MOST_DRAWN = 20
TABLE, PICTURE = "errors.csv", "errors.png"


def add_learn_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `learn`."""
    add = parser.add_argument
    add("dirty", type=file_path, metavar="dirty.csv", help="the file with errors")
    add(
        "clean",
        type=file_path,
        nargs="?",
        metavar="clean.csv",
        help="the same after it was corrected; or leave it out and pass --rule",
    )
    add(
        "--rule",
        action="append",
        metavar="TEXT",
        help="what has to hold in every row, such as 'age >= 0', 'zip -> city' or 'key(id)'; may "
        "be repeated",
    )
    add(
        "--key",
        type=names,
        metavar="A,B",
        help="columns that tell which row is which (default: rows are in the same order, or are "
        "matched by what is in them)",
    )
    add("--label", metavar="COL", help="column of labels, which may explain errors and have some")
    add("--json", type=file_path, metavar="FILE", help="another file for all that was learned")
    add("--csv", type=file_path, metavar="FILE", help="another file for the table of errors")
    add("--html", type=file_path, metavar="FILE", help="another file for the page")
    add_file_options(parser)
    add_folder_options(parser, "learn")


def learn(args: argparse.Namespace) -> None:
    """Load, learn, print and save.

    Parameters
    ----------
    args : Namespace
        The arguments.

    Raises
    ------
    CommandError
        If something the user gave does not work.
    """
    if (args.clean is None) == (args.rule is None):
        raise CommandError("pass the corrected file after the dirty one, or rules with --rule")
    dirty = read(args, args.dirty, words=True)
    clean = None if args.clean is None else read(args, args.clean, words=True)
    labels: dict[str, Any] = {}
    for option, given in (
        ("--key", args.key or []),
        ("--label", [args.label] if args.label else []),
    ):
        for name, frame in ((args.dirty, dirty), (args.clean, clean)):
            if frame is not None:
                check_columns(f"{name}: {option}", given, list(frame.columns))
    out = folder_of(args, args.dirty)
    if args.label is not None:
        taken = dirty.pop(args.label)
        labels = {"y": taken} if clean is None else {"y": clean.pop(args.label), "dirty_y": taken}
    if clean is not None and not set(dirty.columns) & set(clean.columns):
        for name, frame in ((args.dirty, dirty), (args.clean, clean)):
            if len(frame.columns) == 1:
                raise CommandError(f"{name} has one column only; {sep_hint(list(frame.columns))}")
    try:
        learned = learn_errors(dirty, clean, key=args.key, rules=args.rule, **labels)
    except (ValueError, TypeError) as error:
        told = str(error).replace("or key=None", "or leave out --key")
        raise CommandError(re.sub(r"^key=\[(.*?)\]", r"--key \1", told)) from error
    n_cells = int(learned.report["n_cells"].sum())
    print(f"{args.dirty}: {len(dirty)} rows, matched by {learned.matched_by}; {n_cells} errors")
    print(f"\n{table_text(_rows(learned.report))}")
    if len(learned.report) > SHOWN:
        print(f"… and {len(learned.report) - SHOWN} more; {TABLE} has all")
    print(f"\n{learned}")
    _save(learned, args, out)


def _rows(report: pd.DataFrame) -> list[list[str]]:
    rows = [["column", "kind", "cells", "inside", "outside", "p", "such as"]]
    for row in report.head(SHOWN).to_dict("records"):
        pair = row["examples"][0] if row["examples"] else None
        shown = ""
        if pair is not None:
            # of a cell that breaks a rule it is not known what is right
            right = "?" if "rule" in row["parameters"] else _cell(pair[1])
            shown = f"{right} → {_cell(pair[0])}"
        rates = [cell(row[name], "percent") for name in ("rate_inside", "rate_outside")]
        rates.append(cell(row["p_adjusted"], "chance"))
        name = "" if row["column"] is None else str(row["column"])
        rows.append([name, KINDS[str(row["kind"])], str(row["n_cells"]), *rates, shown])
    return rows


def _cell(value: Any) -> str:
    text = "empty" if value is None else repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 24 else text[:23] + "…"


def _save(learned: LearnedErrors, args: argparse.Namespace, out: Path | None) -> None:
    if out is not None:
        write_texts(out, {TABLE: csv_text(learned.report)})
        print(f"\nSaved in {out}: {TABLE}")
        _draw(learned, out / PICTURE)
        save_results(learned, out, args)
    try:
        if args.json is not None:
            learned.to_json(args.json)
            print(f"\nLearned errors: {args.json}")
        if args.csv is not None:
            args.csv.write_text(csv_text(learned.report), encoding="utf-8")
            print(f"\nTable: {args.csv}")
        if args.html is not None:
            write_html(learned, args.html)
            print(f"\nPage: {args.html}")
    except OSError as error:
        raise CommandError(f"cannot write {error.filename} ({error.strerror})") from None


def _draw(learned: LearnedErrors, path: Path) -> None:
    from matplotlib.figure import Figure

    n = min(len(learned.report), MOST_DRAWN)
    figure = Figure(figsize=(10.0, 3.6 + 0.9 * n), layout="constrained")
    display = LearnedErrorsDisplay.from_learned(learned)
    # names of columns and of kinds take their own room
    parts: Any = figure.subfigures(2, 1)
    display.plot("cells", ax=parts[0].subplots())
    display.plot("rates", ax=parts[1].subplots())
    write_image(figure, path)
