"""Which rows of a table that is read in parts are struck: what is learned of it, and the cuts."""

from __future__ import annotations

import copy
from collections.abc import Sequence
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
    """

    striking: Striking
    n_matched: int
    n_struck: int
    schema: dict[str, Any]


@dataclass
class _Count:
    """Counts of a part: scores that are not cut yet, rows, rows that can be struck."""

    striking: Striking
    windows: list[Window] | None = None

    def __call__(self, frame: Any, first: int) -> tuple[list[Tally], int, int, bool]:
        cuts = Cuts(self.striking.cuts, self.windows)
        edits = self.striking.edits(frame, first, cuts)
        # members that drop rows are counted one after the other, before those that do not
        more = len(edits) < len(self.striking.corruption._members())
        return cuts.tallies, frame.height, matched_by(edits, frame.height), more


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
    n_matched, n_struck = _find_cuts(striking, source, key, n_jobs)
    rated = [each for _, each in corruption._members() if each._rate > 0]
    if striking.cuts and n_struck == 0 and rated:
        warn(
            f"{type(corruption).__name__} changed nothing in {striking.total} rows: its share of "
            f"the {n_matched} rows that match its pattern and can change is less than one row. "
            "Raise the rate or widen the pattern."
        )
    return Plan(striking, n_matched, n_struck, _types(striking, source, n_jobs))


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


def _find_cuts(striking: Striking, source: Source, key: Any, n_jobs: int | None) -> tuple[int, int]:
    """Find where the smallest scores end; give the number of rows that can be and are struck."""
    n_struck = 0
    droppers = [member for _, member in striking.corruption._members() if member._drops]
    while True:
        tallies, n_rows, n_matched, more = _counted(striking, source, n_jobs)
        striking.total = n_rows
        if any(tally.cut(key) is None for tally in tallies):
            windows = [tally.bucket() for tally in tallies]
            parts = source.run(_Count(striking, windows), striking.decisive, n_jobs=n_jobs)
            tallies = _merged(parts)[0]
        found = [tally.cut(key) for tally in tallies]
        striking.cuts = [*striking.cuts, *(cut for cut in found if cut is not None)]
        n_struck += sum(tally.count for tally in tallies)
        if len(striking.cuts) <= len(droppers) and 0 < n_rows == n_struck:
            raise ValueError(
                f"The selection would drop all {n_rows} rows; lower its rate or narrow its pattern."
            )
        if not more:
            return n_matched, n_struck


def _counted(
    striking: Striking, source: Source, n_jobs: int | None
) -> tuple[list[Tally], int, int, bool]:
    columns = striking.decisive
    head = source.run(_Count(striking), columns, last=1)
    if not head:
        raise ValueError(f"{source.name} has no rows.")
    windows = [tally.window_of_others() for tally in head[0][0]]
    return _merged(source.run(_Count(striking, windows), columns, n_jobs=n_jobs))


def _merged(parts: list[Any]) -> tuple[list[Tally], int, int, bool]:
    tallies, n_rows, n_matched, more = parts[0]
    for others, rows, matched, _ in parts[1:]:
        for tally, other in zip(tallies, others, strict=True):
            tally.merge(other)
        n_rows, n_matched = n_rows + rows, n_matched + matched
    return tallies, n_rows, n_matched, more


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
