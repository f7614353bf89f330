"""Which rows of a table that is read in parts are struck: what is learned of it, and the cuts."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from skcorrupt.utils import Source, Target, draw_seed, warn
from skcorrupt.utils._validation import check_columns

from ._cuts import Cuts, Tally, Window
from ._edit import matched_by
from ._keys import check_order, checked_key, raise_if_struck
from ._mar import MAR
from ._mnar import MNAR
from ._reference import Reference
from ._row_order import RowOrder, order_mark
from ._striking import Striking
from ._survey_table import SurveyTable, SurveyTarget


@dataclass
class Plan:
    """What is struck in a table that is read in parts.

    Attributes
    ----------
    striking : Striking
        What strikes a part.
    n_matched : int
        Rows that can be struck.
    n_struck : int
        Rows that are, counted as often as they are by parts of the error that strike apart.
    schema : dict of str to polars data type
        Columns of the corrupted table.
    mark : int or None
        That of the order in which rows were counted; None where rows are told by keys, or the order
        is that of a file.
    """

    striking: Striking
    n_matched: int
    n_struck: int
    schema: dict[str, Any]
    mark: int | None = None


@dataclass
class Counted:
    """What was counted in one or several parts.

    Attributes
    ----------
    tallies : list of Tally
        Scores that are not cut yet.
    n_rows, n_matched : int
        Rows, and those that can be struck.
    more : bool
        Whether members of a process are still to be counted.
    mark : int
        That of the order of the rows.
    """

    tallies: list[Tally]
    n_rows: int
    n_matched: int
    more: bool
    mark: int


@dataclass
class _Count:
    """Counts of a part: scores that are not cut yet, rows, rows that can be struck, their order."""

    striking: Striking
    windows: list[Window] | None = None
    by_order: bool = False

    def __call__(self, frame: Any, first: int) -> Counted:
        cuts = Cuts(self.striking.cuts, self.windows)
        edits = self.striking.edits(frame, first, cuts)
        # members that drop rows are counted one after the other, before those that do not
        more = len(edits) < len(self.striking.corruption._members())
        order = self.striking.decisive if self.by_order else ()
        mark = order_mark(frame, order, first)
        return Counted(cuts.tallies, frame.height, matched_by(edits, frame.height), more, mark)


@dataclass
class _Types:
    """Types that columns have in a part once it has its errors."""

    striking: Striking

    def __call__(self, frame: Any, first: int) -> dict[str, Any]:
        return dict(self.striking.struck(frame, first)[0].schema)


def plan_in_parts(corruption: Any, source: Source, y: Any, key: Any, n_jobs: int | None) -> Plan:
    """Find out which rows of a table are struck.

    Parameters
    ----------
    corruption : BaseCorruption
        The error; its parameters were checked.
    source : Source
        The table.
    y : str or None
        Name of the column of labels.
    key : str, list of str or None
        Columns that tell all rows apart.
    n_jobs : int or None
        Number of workers.

    Returns
    -------
    Plan
        What to do with every part.
    """
    labels = source.features(y)
    keys = checked_key(source, key, labels)
    if keys:
        check_order(corruption, key)
    fitted = hasattr(corruption, "reference_")
    _raise_if_not_in_parts(corruption, fitted)
    features = {name: source.schema[name] for name in labels}
    check_columns(corruption if fitted else copy.copy(corruption), features, reset=not fitted)
    corruption = _with_own_seeds(corruption)
    reference, survey = _learned(corruption, source, labels, y, n_jobs)
    if keys:
        raise_if_struck(corruption, survey, reference, keys)
    seed = corruption._seed(reference)
    striking = Striking(
        corruption, reference, seed, source.schema, labels, y, keys, survey.nullable
    )
    if any(member.sampling != "uniform" for _, member in corruption._members()):
        striking.total = survey.n_rows
    by_order = not keys and source.stamp is None
    n_matched, n_struck, mark = _find_cuts(striking, source, key, n_jobs, by_order=by_order)
    rated = [each for _, each in corruption._members() if each._rate > 0]
    if striking.cuts and n_struck == 0 and rated:
        warn(
            f"{type(corruption).__name__} changed nothing in {striking.total} rows: its share of "
            f"the {n_matched} rows that match its pattern and can change is less than one row. "
            "Raise the rate or widen the pattern."
        )
    schema = _types(striking, source, n_jobs)
    return Plan(striking, n_matched, n_struck, schema, mark if by_order else None)


def _raise_if_not_in_parts(corruption: Any, fitted: bool) -> None:
    for _, member in corruption._members():
        name = type(member).__name__
        reason = member._why_not_in_parts
        if member._reads != "row":
            reason = "takes values from other rows, which may be in another part"
        if reason:
            raise ValueError(
                f"{name} {reason}, so that it corrupts tables in memory only; pass such a table, "
                "for example X.collect(), or a part of X."
            )
        if getattr(member, "when", "fit") == "always" and not fitted:
            raise ValueError(
                f'{name} with when="always" learns from all rows at once which content is struck; '
                'fit it on a sample in memory first, or use when="fit".'
            )


def _with_own_seeds(corruption: Any) -> Any:
    """A copy of a process whose members draw the same seed for every part."""
    if not any(member is not corruption for _, member in corruption._members()):
        return corruption
    members = []
    for name, member in corruption._members():
        own = copy.copy(member)
        if own.random_state is not None:
            own.random_state = draw_seed(own.random_state)
        members.append((name, own))
    process = copy.copy(corruption)
    process.corruptions = members
    return process


def _learned(
    corruption: Any, source: Source, labels: list[str], y: Any, n_jobs: int | None
) -> tuple[Reference, SurveyTable]:
    members = [member for _, member in corruption._members()]
    wanted: list[str] = []
    for member in members:
        columns = getattr(member, "columns", None)
        named = [columns] if isinstance(columns, str) else columns
        if member.strikes == "cells":
            wanted += labels if named is None else [name for name in named if name in labels]
        if isinstance(member.mechanism, MAR):
            by = member.mechanism.columns
            names: Any = [by] if isinstance(by, str) else by
            wanted += labels if by is None else list(names)
    exact = any(member.strikes == "cells" and not member._erases for member in members)
    ordered = [name for name in labels if name in wanted]
    survey = SurveyTable(source, labels, ordered, exact, n_jobs)
    if hasattr(corruption, "reference_"):
        return corruption.reference_, survey
    return corruption._refer(survey, _known_labels(members, source, y, n_jobs)), survey


def _known_labels(
    members: Sequence[Any], source: Source, y: Any, n_jobs: int | None
) -> Target | None:
    for member in members:
        if member.strikes == "labels" and isinstance(member.mechanism, MNAR):
            raise ValueError(
                f"mechanism={member.mechanism!r} of labels learns from all labels at once; fit the "
                "corruption on a sample in memory first, or use MAR."
            )
    return None if y is None else SurveyTarget(source, y, n_jobs)


def _find_cuts(
    striking: Striking, source: Source, key: Any, n_jobs: int | None, *, by_order: bool
) -> tuple[int, int, int]:
    """Find where the smallest scores end; how many rows can be and are struck; their order."""
    n_struck, counted = 0, None
    droppers = [member for _, member in striking.corruption._members() if member._drops]
    while True:
        found_now = _counted(striking, source, n_jobs, by_order=by_order)
        tallies, n_rows = found_now.tallies, found_now.n_rows
        striking.total = n_rows
        if any(tally.cut(key) is None for tally in tallies):
            windows = [tally.bucket() for tally in tallies]
            count = _Count(striking, windows, by_order)
            again = _merged(source.stream(count, striking.decisive, n_jobs=n_jobs))
            RowOrder((), again.mark).check(found_now.mark, source.name)
            tallies = again.tallies
        RowOrder((), found_now.mark).check(counted, source.name)
        counted = found_now.mark
        found = [tally.cut(key) for tally in tallies]
        striking.cuts = [*striking.cuts, *(cut for cut in found if cut is not None)]
        n_struck += sum(tally.count for tally in tallies)
        if len(striking.cuts) <= len(droppers) and 0 < n_rows == n_struck:
            raise ValueError(
                f"The selection would drop all {n_rows} rows; lower its rate or narrow its pattern."
            )
        if not found_now.more:
            return found_now.n_matched, n_struck, counted


def _counted(striking: Striking, source: Source, n_jobs: int | None, *, by_order: bool) -> Counted:
    columns = striking.decisive
    head = source.run(_Count(striking), columns, last=1)
    if not head:
        raise ValueError(f"{source.name} has no rows.")
    windows = [tally.window_of_others() for tally in head[0].tallies]
    return _merged(source.stream(_Count(striking, windows, by_order), columns, n_jobs=n_jobs))


def _merged(parts: Iterator[Counted]) -> Counted:
    """The counts of all parts, each let go once it is added."""
    found = next(parts)
    order = RowOrder((), found.mark)
    for part in parts:
        for tally, other in zip(found.tallies, part.tallies, strict=True):
            tally.merge(other)
        found.n_rows += part.n_rows
        found.n_matched += part.n_matched
        order.join(part.mark)
    found.mark = order.mark
    return found


def _types(striking: Striking, source: Source, n_jobs: int | None) -> dict[str, Any]:
    """The columns of the corrupted table, in types that hold what is put into any part."""
    import polars as pl

    open_ones = striking.may_change_type
    schema = dict(source.schema)
    if not open_ones:
        return schema
    # what holds all numbers, or all texts, is not looked for any further
    for last in (1, None):
        parts = source.run(_Types(striking), striking.all_touched, last=last, n_jobs=n_jobs)
        for name in open_ones:
            frames = [pl.DataFrame(schema={name: part[name]}) for part in parts]
            schema[name] = pl.concat(frames, how="vertical_relaxed").schema[name]
        if all(schema[name] in (pl.Float64, pl.String) for name in open_ones):
            break
    return schema
