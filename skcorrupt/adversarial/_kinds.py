"""The kinds of error of a search: one, or a list of which exactly one strikes."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from skcorrupt.attributes import SearchSpace
from skcorrupt.base import BaseCorruption
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.evaluation._described import text_of
from skcorrupt.utils import Table, resolve_columns, shorten

from ._template import as_template
from .candidates import hit_columns, labelled_groups, named_groups


def templates_of(
    corruption: BaseCorruption | str | Sequence[BaseCorruption | str],
) -> dict[str, BaseCorruption]:
    """The kinds of error that `corruption` stands for, by name.

    Parameters
    ----------
    corruption : BaseCorruption, str or list of these
        The parameter of the search.

    Returns
    -------
    dict of str to BaseCorruption
        Clones, by short name; of a process, by the names of its members.

    Raises
    ------
    ValueError, TypeError
        If one cannot be searched, or the list is empty, holds a list or a kind twice.
    """
    if not isinstance(corruption, (list, tuple)):
        template = as_template(corruption)
        return {kind_name(template): template}
    if not corruption:
        raise ValueError(
            "corruption=[] holds no kind of error; pass one or several, as in ['missing', "
            "'labels']."
        )
    templates: dict[str, BaseCorruption] = {}
    known: set[str] = set()
    for given in corruption:
        if isinstance(given, (list, tuple)):
            raise TypeError(
                f"corruption holds a list, {shorten(given)}; its entries should be single kinds. "
                "Errors that strike together are a CorruptionProcess."
            )
        template = as_template(given)
        content = text_of(template)
        if content in known:
            raise ValueError(
                f"corruption holds {content} twice; leave one of them out, or set parameters "
                "that tell them apart."
            )
        name = free_name(kind_name(template), templates)
        templates[name] = template
        known.add(content)
    return templates


def kind_name(template: BaseCorruption) -> str:
    """What results call a kind of error."""
    if isinstance(template, CorruptionProcess):
        return f"process({', '.join(name for name, _ in template.corruptions)})"
    return template.short_name


def free_name(name: str, taken: Container[str]) -> str:
    """The name, with a number where another kind has it."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def spaces_of(
    space: SearchSpace, templates: Mapping[str, BaseCorruption], table: Table
) -> dict[str, SearchSpace]:
    """What is plausible for each kind: of parameters about columns hit, those that fit it.

    Parameters
    ----------
    space : SearchSpace
        What is plausible.
    templates : dict of str to BaseCorruption
        The kinds of error; of a single one the space is taken as it is.
    table : Table
        The features.

    Returns
    -------
    dict of str to SearchSpace
        By kind.

    Raises
    ------
    ValueError
        If a parameter, or a column that it names, fits none of the kinds.
    """
    if len(templates) == 1:
        return dict.fromkeys(templates, space)
    spaces = {
        name: SearchSpace(**space.get_params(deep=False)).set_params(corrupt_columns=None)
        for name in templates
    }
    # without columns of the user's, a process says by its members what it can hit
    hits = {name: _hits(spaces[name], template, table) for name, template in templates.items()}
    if space.corrupt_columns is not None:
        _share_columns(space, templates, hits, spaces, table)
    if isinstance(space.pattern_columns, Mapping):
        _share_patterns(space.pattern_columns, hits, spaces, table)
    return spaces


def _hits(space: SearchSpace, template: BaseCorruption, table: Table) -> set[int]:
    """Columns that a kind of error can hit."""
    members = [member for _, member in template._members()]
    return {j for member in members for j in hit_columns(space, member, table)}


def _share_columns(
    space: SearchSpace,
    templates: Mapping[str, BaseCorruption],
    hits: dict[str, set[int]],
    spaces: Mapping[str, SearchSpace],
    table: Table,
) -> None:
    """Give each kind that leaves columns unset those of the named ones that it can hit."""
    named = space.corrupt_columns
    groups = named_groups(table, named)
    idle = {j for group in groups for j in group}
    for name, template in templates.items():
        members = [member for _, member in template._members()]
        free = [m for m in members if m.strikes == "cells" and m.columns is None]
        if not free:
            continue
        kept = [group for group in groups if hits[name].issuperset(group)]
        own = [j for group in kept for j in group]
        if not kept:
            raise ValueError(
                f"corrupt_columns={named!r} has no column that {name!r} applies to; add one, or "
                "leave this kind of error out."
            )
        hits[name] &= {*own, *(j for m in members if m not in free for j in _set(m, table))}
        idle -= set(own)
        spaces[name].corrupt_columns = labelled_groups(table, kept)
    if idle:
        raise ValueError(
            f"corrupt_columns: {', '.join(str(table.labels[j]) for j in sorted(idle))} cannot be "
            f"hit by any of the kinds of error that leave their columns unset, of "
            f"{', '.join(templates)}; leave it out."
        )


def _set(member: BaseCorruption, table: Table) -> list[int]:
    """Columns that a member sets itself."""
    columns = getattr(member, "columns", None)
    return [] if columns is None else resolve_columns(table, columns)


def _share_patterns(
    by_hit: Mapping[Any, Any],
    hits: Mapping[str, set[int]],
    spaces: Mapping[str, SearchSpace],
    table: Table,
) -> None:
    """Give each kind the columns of patterns of those columns that it can hit."""
    places = {key: resolve_columns(table, [key], parameter="pattern_columns")[0] for key in by_hit}
    for name, space in spaces.items():
        own = {key: by_hit[key] for key, j in places.items() if j in hits[name]}
        space.pattern_columns = own or None
    idle = [str(key) for key, j in places.items() if not any(j in each for each in hits.values())]
    if idle:
        raise ValueError(
            f"pattern_columns: {', '.join(idle)} cannot be hit by any of the kinds of error; its "
            "keys should be columns that are."
        )
