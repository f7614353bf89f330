"""Scores as text and as pictures."""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
from tqdm import tqdm

from skcorrupt.utils._as_text import cell, interval as ends
from skcorrupt.utils._axes import AS_TEXT
from skcorrupt.utils._readable import on_one_line

from ._command_error import CommandError, cannot_write, one_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from skcorrupt.adversarial import AdversarialCorruptionSearch


DAMAGE, DETECTION = "damage.png", "detection.png"
# rows of a picture that has one for each column
MOST_ROWS = 30
_OPTIONS = (
    (
        r"Add the rules that suggest_constraints\(X, actions\) proposes, or begin with .*",
        "Add them with --rules suggested, or say with --rules none that there are none.",
    ),
    (r"With journal=PATH a second fit", "With --journal FILE the same command"),
    (r"A second fit goes on from journal='([^']*)'", r"The same command goes on from \1"),
    (r"\bmax_time=([\d.e+-]*\d)( s)?", r"--max-time \1"),
    (
        r"\bpos_label=([^ ]+): the pipeline predicts numbers(.*); pass pos_label=None to compare",
        r"--favourable \1: the label is a number\2; leave it out to compare",
    ),
    (r"\ba larger max_time\b", "a larger --max-time"),
    (r", plan\(X, y\) tells what a search takes", ""),
    (r", or None for no limit", ", or leave it out"),
    (r", a larger confirm_size, or call search\.confirm\(X_test, y_test\)", ""),
    (r"Drop (it|them) from X, or bin \1, to silence this", r"Leave \1 out with --drop"),
    (r" Pass references=\{[^}]*\} to leave it out nonetheless\.?", ""),
    (r"\bor class_prior does not fit", "or the shares of the classes do not fit"),
    (
        r"\(LabelingFunctionSelector finds them(.*)\), give the class_prior, or use "
        r"MajorityVoteLabeler\b",
        r"(--select finds them\1), give the shares of the classes as --prior, or use "
        "--model majority",
    ),
    (
        r"\bbatch_size=(\d+) asks for a reference of (.*), and it has",
        r"--batch-size \1 asks for \2 in all, and there are",
    ),
    (
        r"\bPass X_reference with more rows, or a smaller batch_size",
        "Take more rows, or a smaller --batch-size",
    ),
    (
        r"\btakes more than min_damage=0 from the score(.*); pass a smaller min_damage, or search "
        "with a larger budget or other kinds of error",
        r"does harm\1; search with a larger --budget or another --corruption",
    ),
    (r"\bpass a search with a longer max_time", "search with a longer --max-time"),
    (
        r"\bpass space=SearchSpace\(corrupt_columns=\[…\]\) with the others",
        "name the others with --corrupt-columns",
    ),
    (r"\bfail and score error_score\b", "fail and have no score"),
    (
        r"\bcv_results_ has the others; pass error_score='raise' to see the whole error",
        "candidates.csv, where it is saved, has the others",
    ),
    (r" Pass error_score='raise' to see the whole error\.", ""),
    (r"\bRaise it, or call confirm\(X_test, y_test\) with rows of your own", "Raise it"),
    (r" Call confirm\(X_test, y_test\) with rows of your own\.", ""),
)


def score_text(value: float, unit: float = 1.0) -> str:
    """A score as all pages write it beside others of a size, a dash where there is none."""
    return cell(value, "score", unit)


def interval_text(interval: Sequence[float], unit: float = 1.0) -> str:
    """Both ends of an interval, beside scores of a size."""
    low, high = interval
    return ends(low, high, unit=unit)


def table_text(rows: Sequence[Sequence[str]], *, n_left: int = 1, prose_last: bool = False) -> str:
    """Rows of cells in columns, the first `n_left` flush left, the others right.

    Names in cells are printed without the line breaks that they have.
    With `prose_last` the last column is flush left too, as conditions are of any length.
    """
    rows = [list(map(on_one_line, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    last = len(widths) - 1
    lines = [
        "  ".join(
            cell.ljust(width) if j < n_left or (prose_last and j == last) else cell.rjust(width)
            for j, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join(lines)


def scores_table(search: AdversarialCorruptionSearch) -> str:
    """Clean, random, worst and confirmed scores of a fitted search, one a line."""
    from skcorrupt.adversarial.display import score_unit

    unit = score_unit(search)
    rows = [
        ["", search.metric_name_],
        ["clean", score_text(search.baseline_score_, unit)],
        ["random, same size", score_text(search.random_score_, unit)],
        ["worst found", score_text(search.worst_score_, unit)],
    ]
    if hasattr(search, "confirmed_score_"):
        rows += [
            ["on rows not searched:", ""],
            ["  clean", score_text(search.confirmed_baseline_score_, unit)],
            ["  worst found", score_text(search.confirmed_score_, unit)],
            ["  drop, 95 % interval", interval_text(search.confirmed_interval_, unit)],
        ]
    return table_text(rows)


def save_picture(searches: Sequence[Any], titles: Sequence[str], path: Path) -> str:
    """Draw fitted searches, two a row, and say where the picture is or why there is none.

    Parameters
    ----------
    searches : sequence of AdversarialCorruptionSearch
        Fitted searches of one metric.
    titles : sequence of str
        A title for each, put before what was found and where; an empty one leaves the search's
        own sentence with its scores.
    path : Path
        The image file.

    Returns
    -------
    str
        A sentence for the user.
    """
    from matplotlib.figure import Figure

    from skcorrupt.adversarial import AdversarialSearchDisplay

    n_columns = min(2, len(searches))
    n_rows = -(-len(searches) // n_columns)
    # a Figure of its own needs no screen and leaves pyplot's settings alone
    figure = Figure(figsize=(7.5 * n_columns, 0.4 + 3.2 * n_rows), layout="constrained")
    axes = figure.subplots(n_rows, n_columns, squeeze=False, sharex=True).ravel()
    for ax in axes[len(searches) :]:
        ax.remove()
    for search, title, ax in zip(searches, titles, axes, strict=False):
        display = AdversarialSearchDisplay.from_search(search)
        if title:
            what, _, _ = display.title.partition(f": {search.metric_name_} ")
            display.title = f"{title}. {what}."
        display.plot(ax=ax)
    return _written(figure, path)


def save_alternatives(search: AdversarialCorruptionSearch, path: Path) -> str:
    """Draw what errors do by what patterns look at, and say where the picture is.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        A fitted search that found something.
    path : Path
        The image file.

    Returns
    -------
    str
        A sentence for the user.
    """
    n_scored = int(search.alternatives_["score"].notna().sum())
    return _save_rows(search, "alternatives", n_scored, path)


def save_served(search: AdversarialCorruptionSearch, folder: Path) -> list[str]:
    """Draw what errors in served rows do by column, and who notices, and say where that is.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        A fitted search.
    folder : Path
        Where the images go, as `damage.png` and `detection.png`.

    Returns
    -------
    list of str
        A sentence each, none for what there is nothing to draw of.
    """
    known = search.certificate_
    detection = getattr(search, "detection_", None)
    said = []
    if search.apply_to == "test" and known["readable_score"].notna().any():
        said.append(_save_rows(search, "damage", len(known), folder / DAMAGE))
    if detection is not None and len(detection):
        said.append(_save_rows(search, "detection", len(detection), folder / DETECTION))
    return said


def _save_rows(search: AdversarialCorruptionSearch, kind: Any, n_rows: int, path: Path) -> str:
    """Draw a picture that has a line for each of so many rows."""
    from matplotlib.figure import Figure

    from skcorrupt.adversarial import AdversarialSearchDisplay

    height = 1.6 + 0.32 * min(n_rows, MOST_ROWS)
    figure = Figure(figsize=(9.0, height), layout="constrained")
    AdversarialSearchDisplay.from_search(search).plot(kind, ax=figure.subplots())
    return _written(figure, path)


def _written(figure: Figure, path: Path) -> str:
    try:
        _save(figure, path)
    except OSError as error:
        reason = error.strerror or str(error)
        return f"No image: cannot write {path} ({reason}); pass --out DIR with a folder of yours."
    return f"Image: {path}"


def in_options(text: str, args: argparse.Namespace | None) -> str:
    """A message of the library in the words of a command.

    Parameters
    ----------
    text : str
        The message.
    args : Namespace or None
        The arguments of the command, None where it has none.

    Returns
    -------
    str
        The message, with options in place of parameters and calls.
    """
    if not hasattr(args, "journal"):
        text = re.sub(r" ?With journal=PATH [^.]*\.", "", text)
    for said, option in _OPTIONS:
        text = re.sub(said, option, text)
    return text


@contextmanager
def warnings_as_lines(args: argparse.Namespace | None = None) -> Iterator[None]:
    """Show every warning once, as a line that does not break the progress bar.

    Parameters
    ----------
    args : Namespace or None, default=None
        The arguments of the command, whose options are named in place of parameters.

    Yields
    ------
    None
        While the command runs.
    """
    seen: set[str] = set()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        text = in_options(one_line(message), args)
        if text not in seen:
            seen.add(text)
            tqdm.write(f"skcorrupt: warning: {text}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def write_texts(out: Path, texts: dict[str, str], *, option: str = "--out") -> None:
    """Write files into a folder.

    Raises
    ------
    CommandError
        If it cannot be written to.
    """
    try:
        for name, text in texts.items():
            (out / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise cannot_write(option, out, error) from None


def _save(figure: Any, path: Path) -> None:
    import matplotlib

    with matplotlib.rc_context(AS_TEXT):
        figure.savefig(path, dpi=150)


def write_image(figure: Any, path: Path) -> None:
    """Write a figure and say where it is.

    Raises
    ------
    CommandError
        If it cannot be written.
    """
    try:
        _save(figure, path)
    except OSError as error:
        raise CommandError(f"cannot write {path} ({error.strerror or error})") from None
    print(f"Image: {path}")


def csv_text(table: pd.DataFrame, index_label: str | None = None) -> str:
    """A table as the text of a CSV file, its index a column if that has a name."""
    return table.to_csv(index=index_label is not None, index_label=index_label, lineterminator="\n")


def make_folder(out: Path, *, option: str = "--out") -> None:
    """Make the folder of an option, or say at once that nothing can be written there."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / ".skcorrupt"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise cannot_write(option, out, error) from None
