"""What models refuse in tables, told by columns and with the remedy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ._frames import Table, as_table
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


def refused_in(X: Any, what: str, error: Exception) -> str:
    """What is said of a model that refuses gaps or texts, as far as its error is about these.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        What it was given.
    what : str
        What refuses them, for the message.
    error : Exception
        The error.

    Returns
    -------
    str
        The columns and the remedy; "" where the error is about something else.
    """
    said = str(error)
    of_gaps, of_texts = "NaN" in said, any(each in said for each in OF_TEXTS)
    if not of_gaps and not of_texts:
        return ""
    table = as_table(X)
    gaps = [str(table.labels[j]) for j in range(table.n_columns) if table.missing(j).any()]
    if gaps and of_gaps:
        return (
            f"{what} does not accept missing values, which X has in {_first(gaps)}; add an imputer "
            f"before it. ({first_line(error)})"
        )
    texts = _texts(table, said) if of_texts else []
    if not texts:
        return ""
    # arrays are indexed by place
    places = [table.labels[j] for j in texts] if hasattr(X, "columns") else texts
    return (
        f"{what} does not accept texts, which X has in "
        f"{_first([str(table.labels[j]) for j in texts])}; add an encoder before it, as in "
        "make_column_transformer((OneHotEncoder(handle_unknown='ignore'), "
        f"{shorten(places)}), remainder='passthrough'). ({first_line(error)})"
    )


def _texts(table: Table, said: str) -> list[int]:
    """Columns with texts, none where the text that could not be read is in no column."""
    held = {
        j: {each for each in table.values(j) if isinstance(each, str)}
        for j in range(table.n_columns)
    }
    found = [j for j, texts in held.items() if texts]
    unread = UNREAD.search(said)
    # labels may be texts, too
    known = unread is None or any(unread[1] in held[j] for j in found)
    return found if known else []


def _first(names: Sequence[str]) -> str:
    """The first of many columns."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"
