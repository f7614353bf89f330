"""Checks that notice what a search found, as text and as files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.report._write_html import write_page_of_command
from skcorrupt.robustness import CheckSuggestions, suggest_checks
from skcorrupt.utils._as_text import largest, percent

from ._command_error import cannot_write, one_line
from ._folder import asked_in, run_of, save_summary
from ._output import in_options, score_text, table_text
from ._serving import CHECKS_PAGE, TESTS


def suggest(hunt: AdversarialCorruptionSearch, args: argparse.Namespace, out: Path | None) -> None:
    """Find the fewest checks that notice the worst errors, print and save them.

    Parameters
    ----------
    hunt : AdversarialCorruptionSearch
        A fitted search of errors in served rows, which was printed and saved.
    args : Namespace
        The arguments.
    out : Path or None
        A folder that is there; None where nothing is saved.

    Raises
    ------
    CommandError
        If it cannot be written to.
    """
    print("\nWhich checks notice these errors, and what passes them? …", flush=True)
    try:
        found = suggest_checks(hunt, batch_size=args.batch_size, random_state=args.seed)
    except ValueError as error:
        # such as that no error does harm
        print(f"No check is suggested. {in_options(one_line(error), args)}")
    else:
        if found.checks_:
            print(table_text(_rows(found)))
        print(f"\n{found.summary()}")
        if out is not None:
            _save(found, args, out, hunt.n_features_in_)
    if out is not None:
        try:
            save_summary(out, args)
        except OSError as error:
            raise cannot_write("--out", out, error) from None


def _rows(found: CheckSuggestions) -> list[list[str]]:
    rows = [["check", "false alarms", "errors caught", "largest drop that passes"]]
    unit = largest(found.errors_["damage"])
    for row in found.results_.to_dict("records"):
        caught = f"{row['n_caught']} of {len(found.errors_)}"
        left = score_text(row["undetected_damage"], unit)
        rows.append([row["check"], percent(row["false_alarm"]), caught, left])
    return rows


def _save(found: CheckSuggestions, args: argparse.Namespace, out: Path, n_features: int) -> None:
    """Write a page, and the checks as tests where they can be written."""
    n_columns = n_features + len(args.drop) + (args.label is not None)
    try:
        page = write_page_of_command(found, out / CHECKS_PAGE, None, asked_in(run_of(args)))
        if found.checks_:
            try:
                tests = found.to_pytest(out / TESTS, read_csv=_reading(args, n_columns))
            except ValueError as error:
                print(f"{TESTS} is not written: {one_line(error)}")
            else:
                print(f"Saved in {out}: {tests.name}; run BATCH_PATH=today.csv pytest {tests}")
        print(f"Page: {page}")
    except OSError as error:
        raise cannot_write("--out", out, error) from None


def _reading(args: argparse.Namespace, n_columns: int) -> dict[str, Any]:
    """How files are read that are like that of the command."""
    reading: dict[str, Any] = {"sep": args.sep, "decimal": args.decimal}
    if args.header == "no":
        reading |= {"header": None, "names": [f"x{i}" for i in range(n_columns)]}
    usual = {"sep": ",", "decimal": "."}
    return {name: each for name, each in reading.items() if each != usual.get(name, reading)}
