"""What models refuse in tables, told by columns and with the remedy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ._frames import Table, as_table
from ._readable import on_one_line
from ._shorten import first_line, shorten

# what scikit-learn, numpy, pandas and packages of boosting say of texts where they want numbers
OF_TEXTS = (
    "to float",
    "dtype='numeric' is not compatible",
    "bad pandas dtypes",
    "DataFrame.dtypes for data must be",
)
UNREAD = re.compile(r"could not convert string to float: (?:np\.str_\()?'(.*)'\)?$", re.MULTILINE)
MOST_NAMED = 10


def refused_in(X: Any, what: str, error: Exception, *, behind: bool = False) -> str:
    """What is said of a model that refuses gaps or texts, as far as its error is about these.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        What it was given.
    what : str
        What refuses them, for the message.
    error : Exception
        The error.
    behind : bool, default=False
        Whether steps come before it, which may have taken some of the columns.

    Returns
    -------
    str
        The columns and the remedy; "" where the error is about something else.
    """
    said = str(error)
    # behind the first line there may be values of the table
    of_gaps, of_texts = "NaN" in said.partition("\n")[0], any(each in said for each in OF_TEXTS)
    if not of_gaps and not of_texts:
        return ""
    table = as_table(X)
    gaps = [j for j in range(table.n_columns) if table.missing(j).any()]
    if gaps and of_gaps:
        where = _where(table, gaps, "an imputer", behind=behind)
        return f"{what} does not accept missing values, {where}. ({first_line(error)})"
    texts = _texts(table, said, behind=behind) if of_texts else []
    if not texts:
        return ""
    # arrays are indexed by place
    places = [table.labels[j] for j in texts] if hasattr(X, "columns") else texts
    encoder = "OneHotEncoder(handle_unknown='ignore')"
    made = f"make_column_transformer(({encoder}, {shorten(places)}), remainder='passthrough')"
    where = _where(table, texts, "an encoder", behind=behind)
    example = encoder if behind else made
    return f"{what} does not accept texts, {where}, as in {example}. ({first_line(error)})"


def _where(table: Table, columns: Sequence[int], step: str, *, behind: bool) -> str:
    """In which columns they are, and where a step for these goes."""
    names = _first(table, columns)
    if not behind:
        return f"which X has in {names}; add {step} before it"
    return f"and some of those that X has in {names} reach it; put {step} for these before it"


def _texts(table: Table, said: str, *, behind: bool) -> list[int]:
    """Columns with texts, none where the text that could not be read is in no column.

    Behind other steps only those with that text are known to arrive.
    """
    held = {
        j: {each for each in table.values(j) if isinstance(each, str)}
        for j in range(table.n_columns)
    }
    found = [j for j, texts in held.items() if texts]
    unread = UNREAD.search(said)
    if unread is None:
        return found
    # labels may be texts, too
    holders = [j for j in found if unread[1] in held[j]]
    return holders if behind or not holders else found


def _first(table: Table, columns: Sequence[int]) -> str:
    """The first of many columns."""
    names = [on_one_line(str(table.labels[j])) for j in columns]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"
