"""Readers of options."""

from __future__ import annotations

import argparse
import csv
import difflib
from collections.abc import Callable
from pathlib import Path

from skcorrupt.corruptions import short_names
from skcorrupt.utils import checked_path

# in place of a kind of error
ALL = "all"
# of a condition on rows, where a command is told no other number
MAX_CONDITIONS = 3


def names(text: str) -> list[str]:
    """Comma-separated names, in double quotes where a name has a comma."""
    try:
        found = next(csv.reader([text], skipinitialspace=True, strict=True))
    except csv.Error:
        raise argparse.ArgumentTypeError(
            f"{text!r} has a double quote that is not closed or stands within a name, or a line "
            "break, which is written as \\n; should be names with commas between them, such as "
            'a,"b, c",d'
        ) from None
    return [name.strip() for name in found]


def kinds(text: str, *also: str) -> str | list[str]:
    """A kind of error, or several with commas between them."""
    known, given = sorted(short_names()), [part.strip() for part in text.split(",")]
    for kind in given:
        if kind not in known:
            close = difflib.get_close_matches(kind, [*known, *also], n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            choices = ", ".join(map(repr, [*known, *also]))
            raise argparse.ArgumentTypeError(
                f"invalid choice: {kind!r}{hint} (choose from {choices})"
            )
    return given if len(given) > 1 else given[0]


def kinds_or_all(text: str) -> str | list[str]:
    """A kind of error, several, or "all"."""
    return text if text == ALL else kinds(text, ALL)


def file_path(text: str) -> Path:
    """A path."""
    try:
        return checked_path("path", text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error).rstrip(".")) from None


def fraction(text: str) -> float:
    """A number between 0 and 1, without these."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} should be above 0 and below 1, such as 0.1")
    return value


def seconds(text: str) -> float:
    """A number of seconds above 0."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} should be seconds above 0, such as 600")
    return value


def share(text: str) -> float:
    """A share above 0, at most 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} should be above 0 and at most 1, such as 0.1 for a tenth of the rows"
        )
    return value


def shares(text: str) -> float | list[float]:
    """A share above 0, at most 1, or several with commas between them."""
    given = [share(part) for part in text.split(",")]
    return given if len(given) > 1 else given[0]


def separator(text: str) -> str:
    """What stands between cells: a character."""
    separator = {"tab": "\t", "\\t": "\t"}.get(text, text)
    if len(separator) != 1:
        raise argparse.ArgumentTypeError(f"{text!r} should be one character, or 'tab'")
    return separator


def add_file_options(parser: argparse.ArgumentParser) -> None:
    """Declare how files are read."""
    parser.add_argument(
        "--sep",
        type=separator,
        default=",",
        metavar="CHAR",
        help="what separates cells: a character or 'tab' (default: a comma)",
    )
    parser.add_argument(
        "--decimal",
        choices=[".", ","],
        default=".",
        help="what stands before the decimals of a number (default: a point)",
    )
    parser.add_argument(
        "--header",
        choices=["yes", "no"],
        help="whether the first line has names of columns; with no they are x0, x1, … (default: it "
        "has, and a line that reads as values is refused)",
    )


def add_seed_and_file_options(parser: argparse.ArgumentParser) -> None:
    """Declare what all commands take that read a file and draw at random."""
    parser.add_argument(
        "--seed", type=at_least(0), default=0, metavar="N", help="random seed (default: 0)"
    )
    add_file_options(parser)


def at_least(least: int) -> Callable[[str], int]:
    """A reader of whole numbers from `least` up."""

    def whole(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"{text!r} should be a whole number from {least} up")
        return number

    return whole


def add_meaning_option(parser: argparse.ArgumentParser, what: str) -> None:
    """Declare what labels mean, for the page.

    Parameters
    ----------
    parser : ArgumentParser
        That of the command.
    what : str
        What is given a meaning.
    """
    parser.add_argument(
        "--meaning",
        action="append",
        default=[],
        type=_meaning,
        metavar="LABEL=TEXT",
        help=f'what {what} means, for the page, such as "1=credit granted"; may be repeated',
    )


def _meaning(text: str) -> tuple[str, str]:
    """A label and what it means."""
    label, equals, meaning = text.partition("=")
    if not equals or not label.strip() or not meaning.strip():
        raise argparse.ArgumentTypeError(
            f"{text!r} should be LABEL=TEXT, such as '1=credit granted'"
        )
    return label.strip(), meaning.strip()
