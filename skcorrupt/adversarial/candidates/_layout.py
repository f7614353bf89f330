"""From a user's parameters and data to a search space."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from skcorrupt.base import BaseCorruption, FeatureCorruption
from skcorrupt.corruptions import CorruptionProcess, CorruptLabels, CorruptMissing, SelectionBias
from skcorrupt.patterns import as_pattern
from skcorrupt.patterns._check_matches import check_matches
from skcorrupt.utils import (
    Table,
    Target,
    as_array,
    check_target,
    column_key,
    describe_columns,
    resolve_columns,
    sorted_labels,
)
from skcorrupt.utils._typing import ColumnLike

from ._attribute import (
    Attribute,
    learn_attribute,
    learn_attributes,
    outcome_matrix,
)
from ._candidate_space import LabelChoice, SearchSpace, exclusion

SHORTHANDS = {"missing": CorruptMissing, "labels": CorruptLabels, "selection": SelectionBias}


def as_template(corruption: Any) -> BaseCorruption:
    """The template that `corruption` stands for, a clone of what was given.

    Raises
    ------
    ValueError, TypeError
        If it cannot be searched, with what can.
    """
    if isinstance(corruption, str):
        if corruption not in SHORTHANDS:
            raise ValueError(
                f"corruption={corruption!r} should be one of {sorted(SHORTHANDS)} or a corruption "
                "object such as CorruptMissing()."
            )
        return SHORTHANDS[corruption]()
    if not isinstance(corruption, BaseCorruption):
        raise TypeError(
            f"corruption={corruption!r} should be one of {sorted(SHORTHANDS)} or a corruption "
            "object such as CorruptMissing()."
        )
    if getattr(corruption, "when", "fit") == "always":
        raise ValueError(
            'corruption has when="always", which would corrupt test data too and cannot use the '
            'label; pass it with when="fit".'
        )
    if isinstance(corruption, CorruptionProcess):
        corruption._check_members()
    elif getattr(corruption, "outside_ratio", 0.0):
        raise ValueError(
            f"corruption has outside_ratio={corruption.outside_ratio:g}, which strikes rows "
            "outside its pattern and cannot be searched; pass "
            "clone(corruption).set_params(outside_ratio=0, rate=None)."
        )
    return clone(corruption)


def members_of(template: Any) -> list[Any]:
    """The members of a process; any other corruption is the only one."""
    if isinstance(template, CorruptionProcess):
        return [member for _, member in template.corruptions]
    return [template]


def check_labels(y: Any, estimator: Any, n_rows: int) -> Any:
    """Labels of shape (n_samples,) that an adversary can work with.

    Raises
    ------
    ValueError
        If there are none, several a row, or missing ones.
    """
    if y is None:
        raise ValueError(
            "AdversarialCorruptionSearch requires y to be passed, but the target y is None."
        )
    if not hasattr(y, "__getitem__"):
        # it may be no more than something that numpy can turn into an array
        y = np.asarray(y)
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        y = y.iloc[:, 0]
    elif np.ndim(as_array(y, "y") if isinstance(y, (list, tuple)) else y) > 1:
        if np.shape(y)[1] > 1:
            raise ValueError(
                f"y has shape {np.shape(y)}, several labels a row; pass one column, of shape "
                "(n_samples,)."
            )
        y = column_or_1d(np.asarray(y), warn=True)
    check_target(y, n_rows)
    missing = np.asarray(pd.isna(Target(y).values))
    if missing.any():
        raise ValueError(
            f"Input y contains NaN in {int(missing.sum())} of {len(missing)} rows; drop these "
            "rows before the search."
        )
    values = Target(y).values
    if values.dtype.kind == "f" and np.isinf(values).any():
        raise ValueError("Input y contains infinity or a value too large; drop these rows.")
    if is_classifier(estimator):
        classes = sorted_labels(values)
        check_classification_targets(values if values.dtype.kind != "O" else values.astype(str))
        if len(classes) < 2:
            raise ValueError(
                f"y holds one class only, {classes.tolist()[0]!r}; a classifier needs at least two."
            )
    return y


def check_error_fits(template: BaseCorruption, estimator: Any) -> None:
    """Refuse label flips for estimators that predict numbers.

    Raises
    ------
    ValueError
        With the parameter that such labels need.
    """
    flips = [member for member in members_of(template) if isinstance(member, CorruptLabels)]
    if is_classifier(estimator):
        return
    if any(flip.transition is flip.shift is flip.missing_label is None for flip in flips):
        raise ValueError(
            f"{type(estimator).__name__} is not a classifier, so its labels have no other class "
            "to flip to; pass CorruptLabels(shift=…) to move them, in units of y."
        )


def build_space(
    search: Any,
    template: BaseCorruption,
    table: Table,
    y: ColumnLike,
    trains: list[Any],
) -> tuple[Any, ...]:
    """The search space, and which attributes each template of columns may and must use.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        Its parameters.
    template : BaseCorruption
        The kind of error.
    table : Table
        Features to search on.
    y : array-like of shape (n_samples,)
        Labels.
    trains : list of ndarray of int
        Training rows of every split.

    Returns
    -------
    space : SearchSpace
        The space.
    allowed : dict of tuple of int to list of int
        Attributes a pattern may use, by columns hit.
    required : dict of tuple of int to frozenset of int
        Attributes it must use, by columns hit.
    """
    target = Target(y)
    classes = np.unique(target.values) if is_classifier(search.estimator) else None
    hits = _hits(search, template, table)
    named = _named_attributes(search, table, hits)
    must = {hit: frozenset(hit) & _searchable(search, hit) for hit in hits}
    wanted = sorted({j for js in named.values() for j in js} | set().union(*must.values()))
    keys = [column_key(label) for label in table.labels]
    outcome = outcome_matrix(target.values, classes)
    attributes, left_out = learn_attributes(table, wanted, keys, outcome, search.n_bins)
    if left_out:
        warnings.warn(
            f"{', '.join(left_out)} left out of patterns: nearly every row has a value of its "
            "own, as identifiers do. Drop them from X, or bin them, to silence this.",
            UserWarning,
            stacklevel=4,
        )
    by_column = {attribute.column: attribute for attribute in attributes}
    base = as_pattern(template.pattern)
    check_matches(base, table, target, "corruption", "rows searched")
    fixed = {str(name) for name in base.columns}
    label, choices = _label_choices(search, template, target, classes, base.uses_y)
    space = SearchSpace(
        template=template,
        table=table,
        target=target,
        y=y,
        attributes=by_column,
        label=label,
        label_choices=choices,
        trains=trains,
        budget=float(np.max(search.budget)),
        search_rate=search.search_rate,
        min_support=search.min_support,
        exclusions=[exclusion(rule, table, target) for rule in search.exclude],
    )
    allowed, required = {}, {}
    for hit in hits:
        if not must[hit] <= set(by_column):
            # no condition tells the rows of a constant column apart
            continue
        usable = [j for j in by_column if j in named[hit] or j in must[hit]]
        allowed[hit] = [j for j in usable if str(table.labels[j]) not in fixed]
        required[hit] = frozenset(j for j in must[hit] if j in allowed[hit])
    return space, allowed, required


def hit_columns(search: Any, template: BaseCorruption, table: Table) -> list[int]:
    """Columns the search may hit, none for corruptions of samples."""
    if not isinstance(template, FeatureCorruption):
        if search.corrupt_columns is not None:
            raise ValueError(
                f"corrupt_columns={search.corrupt_columns!r} has no effect with "
                f"{type(template).__name__}, which strikes whole rows or labels; leave it out."
            )
        return []
    if template.columns is not None:
        if search.corrupt_columns is not None:
            raise ValueError(
                f"corrupt_columns={search.corrupt_columns!r} has no effect beside the corruption's "
                f"own columns={template.columns!r}; leave one of them unset."
            )
        return resolve_columns(table, template.columns)
    if search.corrupt_columns is not None:
        named = clone(template).set_params(columns=search.corrupt_columns)
        return named._applicable_columns(table)
    columns = template._applicable_columns(table)
    if not columns:
        raise ValueError(
            f"{type(template).__name__} applies to none of the columns {describe_columns(table)}."
        )
    return columns


def _hits(search: Any, template: BaseCorruption, table: Table) -> list[tuple[int, ...]]:
    columns = hit_columns(search, template, table)
    if not isinstance(template, FeatureCorruption):
        return [()]
    return [tuple(columns)] if template.columns is not None else [(j,) for j in columns]


def _searchable(search: Any, hit: tuple[int, ...]) -> set[int]:
    """Of the columns hit, those that the pattern must use."""
    if not search.require_corrupted or search.max_conditions == 0:
        return set()
    if search.max_conditions < len(hit):
        raise ValueError(
            f"require_corrupted=True needs a condition on each of the {len(hit)} columns hit, more "
            f"than max_conditions={search.max_conditions}; raise it to {len(hit)}, or pass "
            "require_corrupted=False."
        )
    return set(hit)


def _named_attributes(
    search: Any, table: Table, hits: list[Any]
) -> dict[tuple[Any, ...], set[int]]:
    given = search.pattern_columns
    everything = set(range(table.n_columns))
    if given is None:
        return dict.fromkeys(hits, everything)
    if isinstance(given, (list, tuple)) and "y" in given and "y" not in table.labels:
        raise ValueError(
            f"pattern_columns={given!r} names 'y', but X has no such column. The label needs "
            "no mention: patterns may always use it, and require_label says whether they must."
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
    search: Any, template: BaseCorruption, target: Target, classes: Any, fixed: bool
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
            n_bins=search.n_bins,
        )
        atoms: list[int | None] = list(range(label.n_atoms)) if label is not None else []
    else:
        label = _class_attribute(values, classes)
        atoms = list(range(len(classes)))
    if fixed or not atoms:
        atoms = [None]
    elif not search.require_label:
        atoms.append(None)
    flips = isinstance(template, CorruptLabels) and classes is not None
    given = flips and (
        template.transition is not None
        or template.shift is not None
        or template.missing_label is not None
    )
    if not flips or given or len(classes) < 3:
        return label, [LabelChoice(atom) for atom in atoms]
    return label, [
        LabelChoice(atom, to)
        for atom in atoms
        for to in classes.tolist()
        if atom is None or classes.tolist()[atom] != to
    ]


def _class_attribute(values: np.ndarray, classes: np.ndarray) -> Attribute:
    from skcorrupt.patterns import Condition

    codes = np.searchsorted(classes, values)
    atoms = np.column_stack([np.arange(len(classes))] * 2)
    return Attribute("y", -1, codes, atoms, [Condition(one_of=[c]) for c in classes.tolist()])
