"""From a process as a template to the search of its members."""

from __future__ import annotations

import warnings
from collections import Counter
from types import SimpleNamespace
from typing import Any

from skcorrupt.base import FeatureCorruption
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.utils import Table, Target, resolve_columns, spawn_seeds
from skcorrupt.utils._typing import ColumnLike

from .._preflight import probe
from ..candidates._candidate_space import SearchSpace
from ..candidates._evaluator import Evaluator
from ..candidates._layout import build_space, hit_columns
from ..candidates._member_space import MemberSpace
from ..candidates._process_candidate import ProcessMaker
from ._beam import BeamSearch
from ._process_search import ProcessSearch

BEAM_STREAM = 14


def searched_members(process: CorruptionProcess) -> list[str]:
    """Names of the members that leave something unset.

    Raises
    ------
    ValueError
        If there are none.
    """
    names = [
        name
        for name, member in process.corruptions
        if member.pattern is None
        or member.rate is None
        or (isinstance(member, FeatureCorruption) and member.columns is None)
    ]
    if not names:
        raise ValueError(
            "corruption: every member of the CorruptionProcess has its pattern, rate and columns, "
            "so there is nothing to search. Leave some of them unset, or score the process as it "
            "is with cross_validate_corrupted."
        )
    for name, member in process.corruptions:
        if name not in names or not getattr(member, "outside_ratio", 0.0):
            continue
        raise ValueError(
            f"corruption: {name!r} has outside_ratio, which strikes rows outside a pattern "
            "and cannot be searched; set its pattern, rate and columns too, or outside_ratio=0."
        )
    return names


def lay_out(
    search: Any,
    process: CorruptionProcess,
    table: Table,
    y: ColumnLike,
    evaluator: Evaluator,
    baseline: float,
    seed: int,
) -> ProcessSearch:
    """The search of a process, with a beam search for each member that is searched.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        Its parameters.
    process : CorruptionProcess
        The template.
    table : Table
        Features to search on.
    y : array-like of shape (n_samples,)
        Labels.
    evaluator : Evaluator
        Scores processes.
    baseline : float
        Score of the clean pipeline.
    seed : int
        Seed of the search.

    Returns
    -------
    ProcessSearch
        Ready to run.
    """
    splits = evaluator.splits
    trains = [split.train for split in splits]
    searched = searched_members(process)
    _check_columns(process, table)
    maker = ProcessMaker(process, searched, table, Target(y), trains)
    kept, refused = maker.kept_fraction(), Counter[str]()
    beams = {}
    seeds = spawn_seeds(seed, len(searched), BEAM_STREAM)
    members = {name: member for name, member in process.corruptions if name in searched}
    for member_search, name, own_seed in zip(
        _settings(search, members, table), searched, seeds, strict=True
    ):
        member = members[name]
        hits = hit_columns(member_search, member, table)
        probe(search.estimator, member, [table.labels[j] for j in hits], splits[0])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            space, allowed, required = build_space(member_search, member, table, y, trains)
        for message in {str(w.message): w for w in caught}.values():
            if name == searched[0]:
                # the others would say the same of the same columns
                warnings.warn(message.message, message.category, stacklevel=5)
        fields = {f: getattr(space, f) for f in SearchSpace.__dataclass_fields__}
        beams[name] = BeamSearch.of(
            search,
            MemberSpace(**fields, name=name, maker=maker, kept=kept),
            evaluator,
            allowed,
            required,
            baseline=baseline,
            seed=own_seed,
            refused=refused,
        )
    return ProcessSearch(maker, beams, evaluator)


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


def _settings(search: Any, members: dict[str, Any], table: Table) -> list[Any]:
    """Parameters of the search as they are for each member."""
    common = search.get_params(deep=False)
    names = search.corrupt_columns
    wanted = None if names is None else resolve_columns(table, names, parameter="corrupt_columns")
    by_hit = search.pattern_columns if isinstance(search.pattern_columns, dict) else None
    keys = (
        {}
        if by_hit is None
        else {key: resolve_columns(table, key, parameter="pattern_columns")[0] for key in by_hit}
    )
    found, used, hit_by_some = [], False, set[int]()
    for name, member in members.items():
        own = dict(common, corrupt_columns=None)
        if isinstance(member, FeatureCorruption):
            hits = hit_columns(SimpleNamespace(corrupt_columns=None), member, table)
            if wanted is not None and member.columns is None:
                used = True
                hits = [j for j in hits if j in wanted]
                if not hits:
                    raise ValueError(
                        f"corrupt_columns={names!r} has no column that {name!r} "
                        f"({type(member).__name__}) applies to; add one, or set its columns."
                    )
                own["corrupt_columns"] = [table.labels[j] for j in hits]
            hit_by_some |= set(hits)
        else:
            hits = []
        if by_hit is not None:
            own["pattern_columns"] = {k: by_hit[k] for k, j in keys.items() if j in hits} or None
        found.append(SimpleNamespace(**own))
    if wanted is not None and not used:
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
