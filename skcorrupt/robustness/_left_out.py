"""Errors on which pipelines raise: some of each kind and columns, and what is said of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.adversarial.candidates import Candidate, Evaluation
from skcorrupt.corruptions._kind_in_words import kind_in_words

from ._attack import Attack

# errors of the same kind and columns that others are tried on
SOME = 3
# what a search says of columns whose errors raise, before it begins
FORETOLD = "The (fitted model cannot predict|pipeline cannot take)"
REMEDY = (
    "Give the pipeline a step that takes such values, such as SimpleImputer() for missing ones, or "
    "name the other columns in space=SearchSpace(corrupt_columns=[...])."
)
OTHER_REMEDY = "Give the pipeline a step that takes such data, or pass another corruption."
COLUMNS = ["corruption", "columns", "message"]


def place_of(attack: Attack, candidate: Candidate) -> tuple[str, tuple[Any, ...]]:
    """The kind of an error, and the columns that it strikes.

    Parameters
    ----------
    attack : Attack
        In which it was scored.
    candidate : Candidate
        The error.

    Returns
    -------
    tuple of str and tuple
        Both.
    """
    return attack.problem.kind_of(candidate), tuple(candidate.columns)


def some_raised(attack: Attack) -> list[Candidate]:
    """Some of the errors on which a pipeline raises, of each kind and columns.

    Parameters
    ----------
    attack : Attack
        What was done to it.

    Returns
    -------
    list of Candidate
        Those that strike the fewest rows, which another pipeline takes if it takes any.
    """
    counts: dict[Any, int] = {}
    found = []
    for each in sorted(attack.raised, key=_rows_struck):
        place = place_of(attack, each.candidate)
        counts[place] = counts.get(place, 0) + 1
        if counts[place] <= SOME:
            found.append(each.candidate)
    return found


def _rows_struck(evaluation: Evaluation) -> float:
    # what was not struck in the end has the share that was meant
    meant = evaluation.candidate.row_fraction
    return float(meant) if np.isfinite(meant) else np.inf


def left_out_table(attacks: Iterable[Attack], keys: set[bytes]) -> pd.DataFrame:
    """Errors on which all pipelines raise, by their kinds and columns.

    Parameters
    ----------
    attacks : iterable of Attack
        What was done to the pipelines.
    keys : set of bytes
        Keys of the errors.

    Returns
    -------
    DataFrame
        A row for each kind and columns, with the first message.
    """
    rows: dict[Any, str] = {}
    for attack in attacks:
        for each in attack.raised:
            if each.candidate.key in keys:
                rows.setdefault(place_of(attack, each.candidate), each.error)
    table = pd.DataFrame(columns=COLUMNS, index=range(len(rows)), dtype=object)
    for i, ((kind, columns), message) in enumerate(rows.items()):
        for name, value in zip(COLUMNS, (kind, columns, message), strict=True):
            table.at[i, name] = value
    return table


def struck_in_words(kind: str, columns: Sequence[Any]) -> str:
    """Errors in columns, such as "missing values in `age`".

    Parameters
    ----------
    kind : str
        The kind of error.
    columns : sequence
        Labels of the columns; none for errors in rows or labels.

    Returns
    -------
    str
        Words.
    """
    named = ", ".join(f"`{name}`" for name in columns)
    return f"{kind_in_words(kind)} in {named}" if named else kind_in_words(kind)


def left_out_in_words(table: pd.DataFrame) -> str:
    """What is left out, such as "missing values in `age`, and in `income`".

    Parameters
    ----------
    table : DataFrame
        Of what is left out.

    Returns
    -------
    str
        Words.
    """
    said: dict[str, list[str]] = {}
    for kind, columns in zip(table["corruption"], table["columns"], strict=True):
        # the kind is said once
        before = f"{kind_in_words(kind)} " if kind in said else ""
        words = struck_in_words(kind, columns).removeprefix(before)
        said.setdefault(kind, []).append(words)
    return "; ".join(", and ".join(each) for each in said.values())


def remedy_of(columns: Iterable[Sequence[Any]]) -> str:
    """What to do about errors on which pipelines raise.

    Parameters
    ----------
    columns : iterable of sequence
        Columns that they strike.

    Returns
    -------
    str
        A sentence.
    """
    return REMEDY if any(len(each) for each in columns) else OTHER_REMEDY


@contextmanager
def not_foretold(*others: str) -> Iterator[None]:
    """A block in which searches do not say that errors will raise, as that is told in the end.

    Parameters
    ----------
    *others : str
        How other warnings begin that are not given either.

    Yields
    ------
    None
        While a search is laid out.
    """
    with warnings.catch_warnings():
        for begins in (FORETOLD, *others):
            warnings.filterwarnings("ignore", begins, UserWarning)
        yield
