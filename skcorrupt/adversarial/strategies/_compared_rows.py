"""Candidates as the rows that they strike, by which they are compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from skcorrupt.evaluation import take_rows
from skcorrupt.patterns import PatternMasks

from ..candidates import Candidate, CandidateSpace, Sketch
from ._struck_rows_process import StruckRows

# rows by which candidates are compared, at most
MOST_ROWS = 1_024


class ComparedRows:
    """What candidates do to some of the rows that a pipeline is trained on.

    Parameters
    ----------
    space : CandidateSpace
        The candidates.
    rng : Generator
        Draws the rows where there are many.

    Attributes
    ----------
    space : CandidateSpace
        As given.
    rows : ndarray of int
        Positions of the rows.
    """

    def __init__(self, space: CandidateSpace, rng: np.random.Generator) -> None:
        rows = np.unique(np.concatenate(space.trains))
        if len(rows) > MOST_ROWS:
            rows = np.sort(rng.choice(rows, MOST_ROWS, replace=False))
        self.space, self.rows = space, rows
        self._masks = PatternMasks(
            take_rows(space.table.source, rows), take_rows(space.target.for_patterns, rows)
        )
        self._known: dict[bytes, np.ndarray] = {}
        self._groups: dict[object, int] = {}

    def of(self, candidates: Sequence[Candidate | Sketch]) -> StruckRows:
        """The rows that candidates strike.

        Parameters
        ----------
        candidates : sequence of Candidate or Sketch
            Whole candidates are kept, as they are asked for again.

        Returns
        -------
        StruckRows
            The rate of each where it matches what can change.
        """
        groups = [
            self._groups.setdefault((c.columns, c.target), len(self._groups)) for c in candidates
        ]
        rates = np.empty((len(candidates), len(self.rows)), dtype=np.float32)
        sketches = [(i, c) for i, c in enumerate(candidates) if isinstance(c, Sketch)]
        if sketches:
            bits = np.stack([sketch.bits for _, sketch in sketches])
            struck = np.unpackbits(bits, axis=1, count=self.space.table.n_rows)[:, self.rows]
            of_each = np.array([sketch.rate for _, sketch in sketches], dtype=np.float32)
            rates[[i for i, _ in sketches]] = struck * of_each[:, None]
        for i, candidate in enumerate(candidates):
            if not isinstance(candidate, Sketch):
                rates[i] = self._rates(candidate)
        return StruckRows(rates, np.array(groups, dtype=int))

    def _rates(self, candidate: Candidate) -> np.ndarray:
        known = self._known.get(candidate.key)
        if known is None:
            hit = tuple(map(self.space.table.labels.index, candidate.columns))
            able = self.space.changeable(candidate.target, hit)[self.rows]
            known = (self._masks.of(candidate.pattern) & able) * np.float32(candidate.rate)
            self._known[candidate.key] = known
        return known
