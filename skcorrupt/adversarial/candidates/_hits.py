"""Which columns an error may hit, alone or together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sklearn.base import clone

from skcorrupt.attributes import SearchSpace
from skcorrupt.base import BaseCorruption
from skcorrupt.utils import Table, describe_columns, resolve_columns
from skcorrupt.utils._typing import ColumnLabels

Hit = tuple[int, ...]


def named_groups(table: Table, named: ColumnLabels) -> list[Hit]:
    """Positions of columns that are named, those in a tuple together.

    Parameters
    ----------
    table : Table
        The features.
    named : sequence
        Labels or positions of columns; a tuple that is no label itself stands for columns that
        are hit together.

    Returns
    -------
    list of tuple of int
        A group for each entry.

    Raises
    ------
    ValueError
        If there is no such column, a group is empty or holds a column twice, or is named twice.
    """
    labels = table.labels
    entries: list[Any] = [named]
    if not isinstance(named, str) and isinstance(named, Iterable) and named not in labels:
        entries = [*named]
    groups: list[Hit] = []
    for entry in entries:
        given = [*entry] if isinstance(entry, tuple) and entry not in labels else [entry]
        if not given:
            raise ValueError("corrupt_columns holds an empty tuple; name columns in it.")
        group = tuple(sorted(resolve_columns(table, given, parameter="corrupt_columns")))
        groups.append(group)
    if not groups:
        raise ValueError("corrupt_columns=[] names no column; pass None for all that apply.")
    return list(dict.fromkeys(groups))


def hit_groups(space: SearchSpace, template: BaseCorruption, table: Table) -> list[Hit]:
    """Groups of columns that are hit together, no columns for corruptions of samples.

    Raises
    ------
    ValueError
        If the error applies to none of the columns, or there are none to be named.
    """
    if template.strikes != "cells":
        if space.corrupt_columns is not None:
            raise ValueError(
                f"corrupt_columns={space.corrupt_columns!r} has no effect with "
                f"{type(template).__name__}, which strikes whole rows or labels; leave it out."
            )
        return [()]
    if template.columns is not None:
        own = resolve_columns(table, template.columns)
        named = space.corrupt_columns
        if named is not None and {j for g in named_groups(table, named) for j in g} != {*own}:
            raise ValueError(
                f"corrupt_columns={space.corrupt_columns!r} has no effect beside the corruption's "
                f"own columns={template.columns!r}; leave one of them unset."
            )
        return [tuple(own)]
    if space.corrupt_columns is not None:
        groups = named_groups(table, space.corrupt_columns)
        for group in groups:
            # what the error does not apply to is refused with its name
            own_columns = [table.labels[j] for j in group]
            clone(template).set_params(columns=own_columns)._applicable_columns(table)
        return groups
    found: list[Hit] = template._hit_groups(table, template._applicable_columns(table))
    if not found:
        held, wanted = {table.kind(j) for j in range(table.n_columns)}, template._kinds
        told = remedy = ""
        if not held & {*wanted}:
            told = f", which hold {', '.join(sorted(held))} values, not {', '.join(wanted)}"
            remedy = " Convert those that stand for such values (astype, pd.to_datetime), or take"
            remedy += " another kind of error."
        raise ValueError(
            f"{type(template).__name__} applies to none of the columns "
            f"{describe_columns(table)}{told}.{remedy}"
        )
    return found


def hit_columns(space: SearchSpace, template: BaseCorruption, table: Table) -> list[int]:
    """Columns the search may hit, none for corruptions of samples."""
    groups = hit_groups(space, template, table)
    return list(dict.fromkeys(j for group in groups for j in group))


def labelled_groups(table: Table, groups: list[Hit]) -> list[Any]:
    """Groups of columns by their labels, a single column by its own."""
    named = [tuple(table.labels[j] for j in group) for group in groups]
    return [labels[0] if len(labels) == 1 else labels for labels in named]
