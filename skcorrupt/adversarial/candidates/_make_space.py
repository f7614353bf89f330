"""From what a user calls plausible, and data, to candidates."""

from __future__ import annotations

from typing import Any

import numpy as np

from skcorrupt.attributes import SearchSpace
from skcorrupt.attributes._attribute import (
    Attribute,
    learn_attribute,
    learn_attributes,
    outcome_matrix,
)
from skcorrupt.base import BaseCorruption
from skcorrupt.patterns import as_pattern
from skcorrupt.patterns._check_matches import check_matches
from skcorrupt.utils import (
    Table,
    Target,
    column_key,
    resolve_columns,
    warn,
)
from skcorrupt.utils._readable import on_one_line
from skcorrupt.utils._typing import ColumnLike

from ._candidate import LabelChoice
from ._candidate_space import CandidateSpace
from ._exclusions import exclusion
from ._hits import hit_groups

KnownAttributes = dict[tuple[int, int], Attribute | str | None]


def candidate_space(
    space: SearchSpace,
    template: BaseCorruption,
    table: Table,
    y: ColumnLike,
    trains: list[np.ndarray],
    *,
    budget: float,
    classifier: bool,
    known: KnownAttributes | None = None,
) -> CandidateSpace:
    """The candidates of one kind of error.

    Parameters
    ----------
    space : SearchSpace
        What is plausible.
    template : BaseCorruption
        The kind of error.
    table : Table
        Features to search on.
    y : array-like of shape (n_samples,)
        Labels.
    trains : list of ndarray of int
        Training rows of every split.

    budget : float
        Largest fraction of rows struck in a split.
    classifier : bool
        Whether labels are classes.
    known : dict or None, default=None
        Attributes that were learned for other kinds of error on the same rows, added to.

    Returns
    -------
    CandidateSpace
        The candidates.
    """
    target = Target(y)
    classes = np.unique(target.values) if classifier else None
    hits = hit_groups(space, template, table)
    named = _named_attributes(space, table, hits)
    must = {hit: frozenset(hit) & _searchable(space, hit) for hit in hits}
    wanted = sorted({j for js in named.values() for j in js} | set().union(*must.values()))
    keys = [column_key(label) for label in table.labels]
    outcome = outcome_matrix(target.values, classes)
    attributes, left_out = learn_attributes(table, wanted, keys, outcome, space.n_bins, known)
    for why, columns in left_out.items():
        them = "it" if len(columns) == 1 else "them"
        warn(
            f"{', '.join(map(on_one_line, columns))} left out of patterns: {why}. Drop {them} from "
            f"X, or bin {them}, to silence this."
        )
    by_column = {attribute.column: attribute for attribute in attributes}
    base = as_pattern(template.pattern)
    check_matches(base, table, target, "corruption", "rows searched")
    fixed = {str(name) for name in base.columns}
    label, choices = _label_choices(space, template, target, classes, base.uses_y)
    allowed, required = {}, {}
    for hit in hits:
        if not must[hit] <= set(by_column):
            # no condition tells the rows of a constant column apart
            continue
        usable = [j for j in by_column if j in named[hit] or j in must[hit]]
        if space.own_column == "forbidden":
            usable = [j for j in usable if j not in hit]
        allowed[hit] = [j for j in usable if str(table.labels[j]) not in fixed]
        required[hit] = frozenset(j for j in must[hit] if j in allowed[hit])
    return CandidateSpace(
        template=template,
        table=table,
        target=target,
        y=y,
        attributes=by_column,
        label=label,
        label_choices=choices,
        trains=trains,
        budget=budget,
        search_rate=space.search_rate,
        min_support=space.min_support,
        exclusions=[exclusion(rule, table, target) for rule in space.exclude],
        allowed=allowed,
        required=required,
        max_conditions=space.max_conditions,
        label_use=space.label or "required",
    )


def _searchable(space: SearchSpace, hit: tuple[int, ...]) -> set[int]:
    """Of the columns hit, those that the pattern must use."""
    if (space.own_column or "required") != "required" or space.max_conditions == 0:
        return set()
    if space.max_conditions < len(hit):
        raise ValueError(
            f"own_column='required' needs a condition on each of the {len(hit)} columns hit, more "
            f"than max_conditions={space.max_conditions}; raise it to {len(hit)}, or pass "
            "own_column='allowed'."
        )
    return set(hit)


def _named_attributes(
    space: SearchSpace, table: Table, hits: list[tuple[int, ...]]
) -> dict[tuple[Any, ...], set[int]]:
    given = space.pattern_columns
    everything = set(range(table.n_columns))
    if given is None:
        return dict.fromkeys(hits, everything)
    if isinstance(given, (list, tuple)) and "y" in given and "y" not in table.labels:
        raise ValueError(
            f"pattern_columns={given!r} names 'y', but X has no such column. The label needs "
            "no mention: patterns may always use it, and label= says whether they must."
        )
    if not isinstance(given, dict):
        chosen = set(resolve_columns(table, given, parameter="pattern_columns"))
        return dict.fromkeys(hits, chosen)
    if hits == [()]:
        raise ValueError(
            f"pattern_columns={given!r} gives columns by column hit, but the corruption hits no "
            "column; pass a list."
        )
    by_hit = {
        resolve_columns(table, hit, parameter="pattern_columns")[0]: set(
            resolve_columns(table, columns, parameter="pattern_columns")
        )
        for hit, columns in given.items()
    }
    idle = [str(table.labels[j]) for j in by_hit if all(j not in hit for hit in hits)]
    if idle:
        raise ValueError(
            f"pattern_columns: {', '.join(idle)} cannot be hit; its keys should be columns that "
            "are: name them in corrupt_columns, or leave them out."
        )
    return {hit: everything.intersection(*(by_hit.get(j, everything) for j in hit)) for hit in hits}


def _label_choices(
    space: SearchSpace, template: BaseCorruption, target: Target, classes: Any, fixed: bool
) -> tuple[Attribute | None, list[LabelChoice]]:
    """Conditions on the label with the class a flip goes to."""
    values = target.values
    if classes is None:
        label = learn_attribute(
            values,
            np.zeros(len(values), dtype=bool),
            target.kind,
            key="y",
            column=-1,
            outcome=None,
            n_bins=space.n_bins,
        )
        atoms: list[int | None] = list(range(label.n_atoms)) if label is not None else []
    else:
        label = _class_attribute(values, classes)
        atoms = list(range(len(classes)))
    use = space.label or "required"
    if fixed or not atoms or use == "forbidden":
        atoms = [None]
    elif use == "allowed":
        atoms.append(None)
    targets = [] if classes is None else template._targets(classes.tolist())
    if not targets:
        return label, [LabelChoice(atom) for atom in atoms]
    return label, [
        LabelChoice(atom, to)
        for atom in atoms
        for to in targets
        if atom is None or classes.tolist()[atom] != to
    ]


def _class_attribute(values: np.ndarray, classes: np.ndarray) -> Attribute:
    from skcorrupt.patterns import Condition

    codes = np.searchsorted(classes, values)
    atoms = np.column_stack([np.arange(len(classes))] * 2)
    return Attribute("y", -1, codes, atoms, [Condition(one_of=[c]) for c in classes.tolist()])
