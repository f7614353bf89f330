"""Columns that tell rows apart, so that what a row draws does not depend on where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skcorrupt.utils import Source, Table, column_keys, row_keys

from ._reference import Reference


def keys_of_rows(table: Table, columns: Sequence[int]) -> np.ndarray:
    """A key for every row, of the values of some columns.

    Parameters
    ----------
    table : Table
        The rows.
    columns : sequence of int
        Positions of the columns that tell rows apart.

    Returns
    -------
    ndarray of uint64, shape (n_rows,)
        The keys, the same wherever the columns and the rows stand.

    Raises
    ------
    ValueError
        If a value is missing.
    """
    for j in columns:
        if table.missing(j).any():
            raise ValueError(
                f"key: {table.labels[j]!r} has missing values, which tell no rows apart; pass "
                "columns without any, or fill them."
            )
    return row_keys(table, column_keys(table), columns)


def checked_key(source: Source, key: Any, labels: Sequence[str]) -> list[str]:
    """Columns that tell the rows of a table apart that is read in parts.

    Parameters
    ----------
    source : Source
        The table.
    key : str, list of str or None
        As it was given.
    labels : list of str
        Columns of features.

    Returns
    -------
    list of str
        Empty where positions tell rows apart.

    Raises
    ------
    ValueError
        If there are no such columns, or none are given though rows have no order.
    """
    if key is None:
        if not source.ordered:
            raise ValueError(
                f"{source.name} has no order of rows that could be relied on; pass key= with the "
                "column, or columns, that tell all rows apart."
            )
        return []
    keys = key if isinstance(key, list) else [key]
    wrong = [name for name in keys if name not in labels]
    if wrong or not keys:
        raise ValueError(
            f"key={key!r} should name columns of features that tell all rows apart; these are: "
            f"{', '.join(labels)}."
        )
    return keys


def check_order(corruption: Any, key: Any) -> None:
    """Refuse errors that go by the order or by the content of rows where rows have keys.

    Parameters
    ----------
    corruption : BaseCorruption
        The error.
    key : label or list of labels
        What tells rows apart.

    Raises
    ------
    ValueError
        If a part of the error has `sampling` other than "uniform", or `when="always"`.
    """
    for _, member in corruption._members():
        if member.sampling != "uniform":
            raise ValueError(
                f"sampling={member.sampling!r} goes by the order of rows, which key={key!r} makes "
                'no use of; pass sampling="uniform", or leave out the key.'
            )
        if getattr(member, "when", "fit") == "always":
            raise ValueError(
                f'when="always" ties what a row draws to all its values, and key={key!r} to some; '
                'use when="fit" with a key, or leave out the key.'
            )


def raise_if_struck(corruption: Any, table: Table, reference: Reference, key: Any) -> None:
    """Refuse to strike columns that tell rows apart.

    Parameters
    ----------
    corruption : BaseCorruption
        The error.
    table : Table
        The rows.
    reference : Reference
        Which columns it strikes.
    key : label or list of labels
        What tells rows apart.

    Raises
    ------
    ValueError
        If one of these columns would be struck.
    """
    keys = key if isinstance(key, list) else [key]
    struck = [table.labels[j] for j in corruption._struck_columns(reference)]
    both = [label for label in struck if label in keys]
    if both:
        rest = [label for label in struck if label not in keys]
        remedy = f"name the columns to strike, such as columns={rest[:5]!r}"
        if not rest:
            remedy = f"take another key, or leave {both[0]!r} out of columns"
        raise ValueError(f"key={key!r}: {both[0]!r} would be struck itself; {remedy}.")
