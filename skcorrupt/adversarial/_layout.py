"""From a template and data to the search for it: of one kind of error, or of a process."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from skcorrupt.attributes import SearchSpace
from skcorrupt.base import BaseCorruption
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.utils import Table, Target, resolve_columns, spawn_seeds, warn
from skcorrupt.utils._typing import ColumnLike

from ._kinds import spaces_of
from ._preflight import Unread, probe, probe_served, raise_if_refused, warn_of_unread
from ._settings import SearchSettings
from ._template import members_of
from .candidates import (
    CandidateSpace,
    Evaluator,
    KindEvaluator,
    KindsTask,
    KnownAttributes,
    MemberSpace,
    ProcessMaker,
    ProcessTask,
    SearchTask,
    Stream,
    candidate_space,
    hit_columns,
    hit_groups,
    labelled_groups,
    named_groups,
)
from .serving import ServedEvaluator, member_kind


def lay_out(
    settings: SearchSettings,
    table: Table,
    y: ColumnLike,
    evaluator: Evaluator,
    *,
    baseline: float,
    seed: int,
) -> SearchTask | ProcessTask | KindsTask:
    """What the strategy is given, once the pipeline is known to take the errors.

    Parameters
    ----------
    settings : SearchSettings
        The search.
    table : Table
        Features to search on.
    y : array-like of shape (n_samples,)
        Labels.
    evaluator : Evaluator
        Scores candidates.
    baseline : float
        Score of the clean pipeline.
    seed : int
        Seed of the search.

    Returns
    -------
    SearchTask, ProcessTask or KindsTask
        Ready to be searched; of a list of kinds, each as if it were searched alone.
    """
    spaces = spaces_of(settings.space, settings.templates, table)
    tasks: dict[str, SearchTask | ProcessTask] = {}
    said = set[tuple[str, type[Warning]]]()
    known: KnownAttributes = {}
    unread: list[Unread] = []
    for kind, template in settings.templates.items():
        own = evaluator if len(spaces) == 1 else KindEvaluator(evaluator, kind)
        with _heard_once(said):
            tasks[kind] = _task(
                settings,
                spaces[kind],
                template,
                table,
                y,
                own,
                baseline=baseline,
                seed=seed,
                known=known,
                unread=unread,
            )
    warn_of_unread(evaluator.deadline, unread)
    if len(tasks) == 1:
        return tasks[kind]
    return KindsTask(tasks, evaluator, settings.budgets)


@contextmanager
def _heard_once(said: set[tuple[str, type[Warning]]]) -> Iterator[None]:
    """Warnings within, but for those that were said before of the same columns."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for message, category in dict.fromkeys((str(w.message), w.category) for w in caught):
        if (message, category) not in said:
            said.add((message, category))
            warn(message, category)


def _task(
    settings: SearchSettings,
    plausible: SearchSpace,
    template: BaseCorruption,
    table: Table,
    y: ColumnLike,
    evaluator: Evaluator,
    *,
    baseline: float,
    seed: int,
    known: KnownAttributes,
    unread: list[Unread],
) -> SearchTask | ProcessTask:
    """The search for one kind of error; columns that there was no time for go to `unread`."""
    refused = Counter[str]()

    def task(space: CandidateSpace, left: Unread | None, seed: int) -> SearchTask:
        if left is not None:
            unread.append(left)
        return SearchTask(
            space,
            evaluator,
            settings.budgets,
            baseline,
            seed,
            scoring=settings.scoring,
            clean_tests=settings.clean_tests,
            refused=refused,
            unread=() if left is None else left.groups,
        )

    if not isinstance(template, CorruptionProcess):
        return task(*_space(settings, plausible, template, table, y, evaluator, known), seed)
    searched = _searched_members(template)
    _check_columns(template, table)
    trains = evaluator.struck_parts
    maker = ProcessMaker(template, list(searched), table, Target(y), trains)
    kept = maker.kept_fraction()
    spaces = _member_spaces(plausible, searched, table)
    members: dict[str, SearchTask] = {}
    said = set[tuple[str, type[Warning]]]()
    for (name, member), own_seed in zip(
        searched.items(), spawn_seeds(seed, len(searched), Stream.MEMBERS), strict=True
    ):
        with _heard_once(said):
            alone, left = _space(settings, spaces[name], member, table, y, evaluator, known, name)
        fields = {field: getattr(alone, field) for field in CandidateSpace.__dataclass_fields__}
        own = MemberSpace(**fields, name=name, maker=maker, kept=kept)
        members[name] = task(own, left, own_seed)
    return ProcessTask(maker, members, evaluator, settings.budgets)


def _space(
    settings: SearchSettings,
    space: SearchSpace,
    template: BaseCorruption,
    table: Table,
    y: ColumnLike,
    evaluator: Evaluator,
    known: KnownAttributes,
    name: str = "",
) -> tuple[CandidateSpace, Unread | None]:
    """The candidates of one kind of error, once the pipeline is known to take it.

    Columns that there was no time for are not among them, and are given back.
    """
    groups = {
        hit: tuple(table.labels[j] for j in hit) for hit in hit_groups(space, template, table)
    }
    served = evaluator.root if isinstance(evaluator.root, ServedEvaluator) else None
    if served is None:
        probe(
            settings.estimator,
            template,
            [*groups.values()],
            evaluator.splits[0],
            clean_tests=settings.clean_tests,
        )
    else:
        raise_if_refused(served, template, [*groups.values()])
    found = candidate_space(
        space,
        template,
        table,
        y,
        evaluator.struck_parts,
        budget=settings.budgets[-1],
        classifier=settings.classifier,
        known=known,
    )
    if served is None:
        return found, None
    kind = evaluator.kind if isinstance(evaluator, KindEvaluator) else ""
    kind = member_kind(kind, name) if name else kind
    n_kinds = sum(len(members_of(each)) for each in settings.templates.values())
    # time may be short, and of some columns there are no candidates
    order = sorted(groups, key=lambda hit: hit not in found.allowed)
    unread = probe_served(served, kind, template, [groups[hit] for hit in order], n_kinds)
    if unread is not None:
        left = [hit for hit in found.allowed if groups[hit] not in unread.groups]
        allowed = {hit: found.allowed[hit] for hit in left}
        required = {hit: found.required[hit] for hit in left}
        found = replace(found, allowed=allowed, required=required)
    return found, unread


def _searched_members(process: CorruptionProcess) -> dict[str, BaseCorruption]:
    """Members that leave something unset, by name.

    Raises
    ------
    ValueError
        If there are none, or one cannot be searched.
    """
    members = {
        name: member
        for name, member in process.corruptions
        if member.pattern is None
        or member.rate is None
        or (member.strikes == "cells" and member.columns is None)
    }
    if not members:
        raise ValueError(
            "corruption: every member of the CorruptionProcess has its pattern, rate and columns, "
            "so there is nothing to search. Leave some of them unset, or score the process as it "
            "is with cross_validate_corrupted."
        )
    for name, member in members.items():
        if getattr(member, "outside_ratio", 0.0):
            raise ValueError(
                f"corruption: {name!r} has outside_ratio, which strikes rows outside a pattern "
                "and cannot be searched; set its pattern, rate and columns too, or outside_ratio=0."
            )
    return members


def _check_columns(process: CorruptionProcess, table: Table) -> None:
    """Refuse members that name the same column."""
    owners: dict[int, str] = {}
    for name, member in process.corruptions:
        columns = getattr(member, "columns", None)
        for j in [] if columns is None else resolve_columns(table, columns):
            if j in owners:
                raise ValueError(
                    f"corruptions: {owners[j]!r} and {name!r} both strike column "
                    f"{table.labels[j]!r}; set their columns so that each is struck by one."
                )
            owners[j] = name


def _member_spaces(
    space: SearchSpace, members: Mapping[str, BaseCorruption], table: Table
) -> dict[str, SearchSpace]:
    """What is plausible for each member: of columns that are named, those that it can hit."""
    names = space.corrupt_columns
    groups = None if names is None else named_groups(table, names)
    by_hit = space.pattern_columns if isinstance(space.pattern_columns, Mapping) else None
    keys = {
        key: resolve_columns(table, [key], parameter="pattern_columns")[0] for key in by_hit or ()
    }
    found, used, hit_by_some = {}, False, set[int]()
    for name, member in members.items():
        own = SearchSpace(**{**space.get_params(deep=False), "corrupt_columns": None})
        hits = hit_columns(own, member, table)
        if groups is not None and member.strikes == "cells" and member.columns is None:
            used = True
            kept = [group for group in groups if {*hits}.issuperset(group)]
            hits = [j for group in kept for j in group]
            if not kept:
                raise ValueError(
                    f"corrupt_columns={names!r} has no column that {name!r} "
                    f"({type(member).__name__}) applies to; add one, or set its columns."
                )
            own.corrupt_columns = labelled_groups(table, kept)
        hit_by_some |= set(hits)
        if by_hit is not None:
            own.pattern_columns = {k: by_hit[k] for k, j in keys.items() if j in hits} or None
        found[name] = own
    if groups is not None and not used:
        raise ValueError(
            f"corrupt_columns={names!r} has no effect: no member of the process that is searched "
            "leaves its columns unset; leave it out."
        )
    idle = [str(key) for key, j in keys.items() if j not in hit_by_some]
    if idle:
        raise ValueError(
            f"pattern_columns: {', '.join(idle)} cannot be hit by any member that is searched; its "
            "keys should be columns that are."
        )
    return found
