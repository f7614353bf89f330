"""What patterns match in all rows of a table of which a search holds some."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import joblib
import numpy as np

from skcorrupt.base import BaseCorruption, FeatureCorruption, strike_count
from skcorrupt.base._part_table import Part, PartTable
from skcorrupt.evaluation import Journal, Outcome
from skcorrupt.patterns import Pattern
from skcorrupt.utils import Table, Target, run_kept

from ._in_parts import InParts
from .candidates import Candidate, CandidateSpace, Change, Evaluation, Evaluator
from .strategies._settling import FIRST

# candidates that are scored again, at most, to know the worst of a budget or a class of patterns
MOST_LOWERED = 8
# distinct texts of which the rows are kept as bits, each by itself
FEW_TEXTS = 256
# what tells one count from others: kind of error, pattern, columns hit, label that is flipped to
What = tuple[str, Pattern, tuple[Any, ...], str]


@dataclass
class _Count:
    """Numbers of rows of a part that patterns match and errors can change; it pickles.

    Every condition is asked once a part, and kept as bits.

    Attributes
    ----------
    labels : list of str
        Columns of features of the table.
    y : str
        That of labels.
    nullable : frozenset of str
        Columns of features with missing values.
    conditions : list of Pattern
        Distinct ones, of one condition each.
    changes : list of Change
        What errors can change.
    asked : list of (list of int, list of int)
        For every count its conditions and changes, by position.
    """

    labels: list[str]
    y: str
    nullable: frozenset[str]
    conditions: list[Pattern]
    changes: list[Change]
    asked: list[tuple[list[int], list[int]]]

    def __call__(self, frame: Any, first: int) -> np.ndarray:
        table = PartTable(frame, self.labels, Part(first, 0), self.nullable)
        texts = _Texts(frame)
        bits = [self._matched(pattern, table, frame, texts) for pattern in self.conditions]
        target = Target(frame.get_column(self.y)) if self.y in frame.columns else None
        able = [_packed(change.rows(table, target), frame.height) for change in self.changes]
        counts = np.empty(len(self.asked), dtype=np.int64)
        every = _packed(None, frame.height)
        for i, (conditions, changes) in enumerate(self.asked):
            found = every
            for each in [*(bits[c] for c in conditions), *(able[c] for c in changes)]:
                found = found & each
            counts[i] = np.bitwise_count(found).sum()
        return counts

    def plain(self, found: np.ndarray) -> list[int]:
        """The counts of a part, as JSON holds them."""
        return [int(count) for count in found]

    def taken(self, kept: Any, first: int, n_rows: int) -> np.ndarray:
        """Counts of a part of so many rows, as they were kept."""
        if len(kept) != len(self.asked) or not all(
            type(count) is int and 0 <= count <= n_rows for count in kept
        ):
            raise ValueError(f"{len(self.asked)} counts of at most {n_rows} rows are kept")
        return np.array(kept, dtype=np.int64)

    def _matched(self, pattern: Pattern, table: Table, frame: Any, texts: _Texts) -> np.ndarray:
        name = self.y if pattern.uses_y else pattern.columns[0]
        if texts.has(name):
            return texts.matched(name, pattern)
        labels = frame.get_column(self.y) if pattern.uses_y else None
        return _packed(pattern.mask(table, labels))


class _Texts:
    """Columns of texts of a part, of which each distinct text is asked once."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self._known: dict[str, tuple[Any, np.ndarray]] = {}
        self._bits: dict[tuple[str, int], np.ndarray] = {}

    def has(self, name: str) -> bool:
        """Whether there is such a column, of texts."""
        import polars as pl

        return name in self._frame.columns and self._frame.schema[name] == pl.String

    def matched(self, name: str, pattern: Pattern) -> np.ndarray:
        """Rows that a pattern of one condition matches, as bits."""
        if name not in self._known:
            self._known[name] = self._coded(name)
        distinct, codes = self._known[name]
        found = pattern.mask(distinct, distinct.to_series() if pattern.uses_y else None)
        if len(found) > FEW_TEXTS:
            return _packed(np.append(found, False)[codes])
        bits = np.zeros_like(_packed(None, len(codes)))
        for code in np.flatnonzero(found):
            bits |= self._rows_of(name, int(code))
        return bits

    def _rows_of(self, name: str, code: int) -> np.ndarray:
        """Rows that hold one text, as bits."""
        if (name, code) not in self._bits:
            self._bits[name, code] = _packed(self._known[name][1] == code)
        return self._bits[name, code]

    def _coded(self, name: str) -> tuple[Any, np.ndarray]:
        """The distinct texts, and each cell's position among them, the last for none."""
        import polars as pl

        series = self._frame.get_column(name)
        distinct = series.drop_nulls().unique()
        codes = series.cast(pl.Enum(distinct)).to_physical().cast(pl.UInt32)
        return distinct.to_frame(), codes.fill_null(distinct.len()).to_numpy()


def _packed(mask: np.ndarray | None, n_rows: int = 0) -> np.ndarray:
    """A mask, None for all rows, as whole numbers of 64 bits."""
    bits = np.packbits(np.ones(n_rows, dtype=bool) if mask is None else mask)
    return np.pad(bits, (0, -len(bits) % 8)).view(np.uint64)


@dataclass
class AllRows:
    """All rows of a table of which a search holds some: what candidates match and strike there.

    Attributes
    ----------
    table : InParts
        The table.
    spaces : dict of str to CandidateSpace
        The candidates of each kind of error, by name.
    journal : Journal or None
        Keeps what is counted, part by part.
    n_refused : int
        Candidates that are feasible on the rows held and not on all.
    """

    table: InParts
    spaces: Mapping[str, CandidateSpace]
    journal: Journal | None = None
    n_refused: int = 0
    _matched: dict[What, int] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        """Number of rows of the table."""
        return self.table.drawn.n_rows

    def count(self, candidates: Sequence[Candidate], kind: str = "") -> None:
        """Count what candidates match, in one pass over the columns that it takes.

        Parameters
        ----------
        candidates : sequence of Candidate
            Those that were counted before are not counted again.
        kind : str, default=""
            The kind of error, where candidates do not tell.
        """
        asked_for = {self._what(candidate, kind): candidate for candidate in candidates}
        new = {what: each for what, each in asked_for.items() if what not in self._matched}
        if not new:
            return
        conditions: dict[Pattern, int] = {}
        changes: dict[tuple[Any, ...], int] = {}
        asked, known = [], list[Change]()
        for (name, pattern, columns, target), candidate in new.items():
            space = self.spaces[name]
            own = [Pattern({key: each}) for key, each in pattern.conditions.items()]
            hit = tuple(space.table.labels.index(label) for label in columns)
            what = name, hit, target
            if what not in changes:
                change = space.change(candidate.target, hit)
                changes[what] = len(known) if change else -1
                known += [change] if change else []
            needed = [conditions.setdefault(each, len(conditions)) for each in own]
            asked.append((needed, [changes[what]] if changes[what] >= 0 else []))
        table = self.table
        job = _Count(table.labels, table.y, table.nullable, [*conditions], known, asked)
        parts = run_kept(
            table.source,
            job,
            self._read(job),
            kept=self.journal,
            name=self._name(new),
            n_jobs=table.n_jobs,
        )
        self._matched |= dict(zip(new, np.sum(parts, axis=0).tolist(), strict=True))

    def _name(self, asked: Iterable[What]) -> str:
        """What tells a pass from others: what it counts, and the search that asks for it."""
        told = [(name, pattern.to_dict(), *others) for name, pattern, *others in asked]
        study = "" if self.journal is None else self.journal.study
        return str(joblib.hash((study, told)))

    def settle(
        self, evaluator: Evaluator, kind: str = "", spelled: Iterable[Candidate] = ()
    ) -> bool:
        """Count what was scored, and refuse what is not feasible on all rows.

        Parameters
        ----------
        evaluator : Evaluator
            What was scored.
        kind : str, default=""
            The kind of error, where candidates do not tell.
        spelled : iterable of Candidate, default=()
            Other patterns that strike the rows of what was scored, of those held, which are
            counted too.

        Returns
        -------
        bool
            Whether something was refused.
        """
        scored = [e for e in evaluator.done.values() if np.isfinite(e.score)]
        self.count([*(e.candidate for e in scored), *spelled], kind)
        before = self.n_refused
        for each in scored:
            reason = self._why_not(each.candidate, kind)
            if reason:
                self._refuse(evaluator, each, reason)
        return self.n_refused > before

    def matched(self, candidate: Candidate, kind: str = "") -> int | None:
        """Rows that a candidate matches and can change, None where they were not counted."""
        return self._matched.get(self._what(candidate, kind))

    def worst(
        self, evaluator: Evaluator, ranked: Sequence[Evaluation], budget: float, kind: str = ""
    ) -> Evaluation | None:
        """The worst of what was found at rates that keep within a budget on all rows.

        Rates of the rows held strike a little more or less of all rows. What strikes more is scored
        again at a lower rate, the worst first, until nothing behind it was worse.

        Parameters
        ----------
        evaluator : Evaluator
            What scored it.
        ranked : sequence of Evaluation
            What was scored within the budget on the rows held, the worst first.
        budget : float
            Largest fraction of the rows struck.
        kind : str, default=""
            The kind of error, where candidates do not tell.

        Returns
        -------
        Evaluation or None
            None where there is none.
        """
        best: Evaluation | None = None
        n_lowered = 0
        for each in ranked:
            if best is not None and (each.score >= best.score or n_lowered == MOST_LOWERED):
                break
            rate, refused = self._rate(each.candidate, budget, kind)
            if refused:
                continue
            found = each
            if rate < each.candidate.rate:
                found = self._again(evaluator, each, rate, kind)
                n_lowered += 1
            if np.isfinite(found.score) and (best is None or found.score < best.score):
                best = found
        return best

    def _rate(self, candidate: Candidate, budget: float, kind: str) -> tuple[float, str]:
        """The largest rate within a budget on all rows, and why there is none, or ""."""
        matched = self.matched(candidate, kind)
        if matched is None:
            return candidate.rate, ""
        return self._space(candidate, kind).within(budget).rate_in(matched, self.n_rows)

    def _again(self, evaluator: Evaluator, over: Evaluation, rate: float, kind: str) -> Evaluation:
        """What strikes too many of all rows, scored at a lower rate."""
        candidate = over.candidate
        digest = hashlib.blake2b(candidate.key + repr(rate).encode(), digest_size=16)
        lowered = replace(
            candidate,
            rate=rate,
            key=digest.digest(),
            row_fraction=candidate.row_fraction * rate / candidate.rate,
            corruption=_at_rate(candidate.corruption, rate),
            origin=candidate.origin or candidate.key,
        )
        with evaluator.deadline.lifted():
            evaluator.evaluate([lowered])
            # below a rate of 1 rows are drawn, whether they were before or not
            again = [evaluator.done[lowered.key]]
            evaluator.draw_again(again, max(over.n_draws, FIRST))
        if self._rate(candidate, self._space(candidate, kind).budget, kind)[0] < candidate.rate:
            self._refuse(evaluator, over, f"over budget at rate {candidate.rate:.6g}")
        # another pattern may have struck the same rows before
        return replace(evaluator.done[lowered.key], candidate=lowered)

    def _refuse(self, evaluator: Evaluator, scored: Evaluation, reason: str) -> None:
        outcome = Outcome(infeasible=True, error=f"{reason}, counted on all rows")
        outcomes = [outcome] * len(scored.outcomes)
        evaluator.done[scored.candidate.key] = replace(scored, outcomes=outcomes)
        self.n_refused += 1

    def columns(self, evaluations: Sequence[Evaluation]) -> dict[str, np.ndarray]:
        """What was counted, as columns of `cv_results_`."""
        counts = [self.matched(e.candidate) for e in evaluations]
        struck = [
            np.nan if n is None else self._space(e.candidate, "").n_struck(e.candidate.rate, n)
            for e, n in zip(evaluations, counts, strict=True)
        ]
        matched = np.array([np.nan if n is None else n for n in counts], dtype=float)
        return {
            "all_rows_support": matched / self.n_rows,
            "all_rows_fraction": np.array(struck, dtype=float) / self.n_rows,
        }

    def _read(self, job: _Count) -> list[str]:
        """Columns that counting takes."""
        wanted = {name for pattern in job.conditions for name in pattern.columns}
        if any(pattern.uses_y for pattern in job.conditions):
            wanted.add(self.table.y)
        for change in job.changes:
            wanted |= {self.table.labels[j] for j in change.columns}
            if change.reference is not None:
                wanted.add(self.table.y)
            elif type(change.corruption)._able is not FeatureCorruption._able:
                # it looks at other columns than those that it hits
                wanted |= {*self.table.labels}
        return [name for name in self.table.source.schema if name in wanted]

    def _why_not(self, candidate: Candidate, kind: str) -> str:
        """Why a candidate is not feasible on all rows, or ""."""
        space, matched = self._space(candidate, kind), self.matched(candidate, kind)
        if matched is None:
            return ""
        rate, refused = space.rate_in(matched, self.n_rows)
        if refused:
            return refused
        if strike_count(min(rate, candidate.rate), matched) < 1:
            return "strikes less than one row"
        return "matches less than min_support" if matched < space.min_support * self.n_rows else ""

    def _space(self, candidate: Candidate, kind: str) -> CandidateSpace:
        return self.spaces[candidate.kind or kind or next(iter(self.spaces))]

    def _what(self, candidate: Candidate, kind: str) -> What:
        name = candidate.kind or kind or next(iter(self.spaces))
        space = self.spaces[name]
        # conditions of the user's may name columns and labels in other words
        pattern = candidate.pattern.labelled(space.table, space.y)
        return name, pattern, candidate.columns, repr(candidate.target)


def _at_rate(corruption: BaseCorruption | None, rate: float) -> BaseCorruption | None:
    struck = copy.copy(corruption)
    if struck is not None:
        struck.rate = rate
    return struck
