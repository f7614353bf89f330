"""Classes of patterns: how many conditions, with or without one on the label, on the column hit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.patterns import Pattern

from ._candidate import Candidate, LabelChoice, Template
from ._candidate_space import CandidateSpace


class PatternClass(NamedTuple):
    """What patterns have in common that are compared with one another.

    Of a process, the largest number of any member, and whether any member has such a condition.
    """

    n_conditions: int
    uses_label: bool
    uses_own_column: bool


def class_of(candidate: Candidate) -> PatternClass:
    """The class of a candidate's pattern."""
    if not isinstance(candidate.corruption, CorruptionProcess):
        return _class_of(candidate.pattern, candidate.columns)
    patterns: Mapping[str, Pattern] = candidate.pattern  # type: ignore[assignment]
    members = [
        _class_of(patterns[name], [] if columns is None else columns)
        for name, member in candidate.corruption.corruptions
        for columns in [getattr(member, "columns", None)]
    ]
    return PatternClass(
        max((each.n_conditions for each in members), default=0),
        any(each.uses_label for each in members),
        any(each.uses_own_column for each in members),
    )


def _class_of(pattern: Pattern, columns: Sequence[Any]) -> PatternClass:
    used = {str(name) for name in pattern.columns}
    own = any(str(column) in used for column in columns)
    return PatternClass(len(pattern.columns), pattern.uses_y, own)


def class_space(space: CandidateSpace, *, label: bool, own: bool) -> CandidateSpace | None:
    """The candidates of a space with or without conditions on the label, on the columns hit.

    Parameters
    ----------
    space : CandidateSpace
        The candidates of one kind of error.
    label, own : bool
        Whether patterns have a condition on the label, on all columns hit.

    Returns
    -------
    CandidateSpace or None
        None where there can be none.
    """
    choices = space.label_choices
    if not space.base_pattern.uses_y:
        conditions = [choice for choice in choices if choice.atom is not None]
        targets = dict.fromkeys(choice.target for choice in choices)
        choices = conditions if label else [LabelChoice(None, target) for target in targets]
    elif not label:
        return None
    allowed, required = {}, {}
    for hit, attributes in space.allowed.items():
        given = space.base_columns & set(hit)
        if own and hit and (given or set(hit) <= {*attributes}):
            allowed[hit], required[hit] = attributes, frozenset(set(hit) & {*attributes})
        elif not own and not given:
            allowed[hit] = [j for j in attributes if j not in hit]
            required[hit] = frozenset()
    if not choices or not allowed:
        return None
    return replace(space, label_choices=choices, allowed=allowed, required=required)


def n_given(space: CandidateSpace) -> int:
    """Conditions on features that the template's own pattern has."""
    return len(space.base_pattern.columns)


def place_of(
    space: CandidateSpace, columns: Sequence[Any], conditions: Mapping[str, Any], target: Any
) -> tuple[Template, tuple[int, ...]] | None:
    """The point of a space's grid that stands for conditions, if there is one.

    Parameters
    ----------
    space : CandidateSpace
        The candidates.
    columns : sequence
        Labels of the columns hit.
    conditions : mapping of str to Condition
        By key, as `Pattern.conditions`, without those of the template's own pattern.
    target : object
        The class that labels flip to.

    Returns
    -------
    tuple of Template and tuple of int, or None
        None where a condition is none of the grid's.
    """
    labels = space.table.labels
    hit = tuple(labels.index(label) for label in columns)
    by_key = {space.attributes[j].key: j for j in space.allowed.get(hit, [])}
    features = {key: each for key, each in conditions.items() if key != "y"}
    if hit not in space.allowed or not features.keys() <= by_key.keys():
        return None
    template = Template(hit, frozenset(by_key[key] for key in features))
    point = []
    for j in sorted(template.attributes):
        attribute = space.attributes[j]
        if features[attribute.key] not in attribute.conditions:
            return None
        point.append(attribute.conditions.index(features[attribute.key]))
    on_label = conditions.get("y")
    for k, choice in enumerate(space.label_choices):
        own = None
        if choice.atom is not None and space.label is not None:
            own = space.label.conditions[choice.atom]
        if choice.target == target and own == on_label:
            return template, (*point, k, len(space.rate_steps) - 1)
    return None
