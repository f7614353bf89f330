"""Errors of the size of a candidate, at random places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import numpy as np
from sklearn.base import clone

from skcorrupt.base import BaseCorruption, strike_count
from skcorrupt.corruptions import CorruptionProcess

from ._candidate import Candidate
from ._candidate_space import CandidateSpace
from ._process_candidate import ProcessCandidate, ProcessMaker


def random_draws(
    chosen: Candidate, space: CandidateSpace, parts: Sequence[np.ndarray]
) -> list[BaseCorruption]:
    """Errors of the winner's size under the template's own pattern, one for each part."""
    y = space.target.for_patterns if chosen.pattern.uses_y else None
    matched = chosen.pattern.mask(space.table.source, y)
    anywhere = space.anywhere(chosen.columns)
    y = space.target.for_patterns if anywhere.uses_y else None
    open_rows = anywhere.mask(space.table.source, y)
    draws: list[BaseCorruption] = []
    for rows in parts:
        able = space.changeable_in(rows, chosen.target, _hit(chosen, space))
        count = strike_count(chosen.rate, int((matched[rows] & able).sum()))
        rate = min(1.0, count / max(1, int((open_rows[rows] & able).sum())))
        draws.append(clone(chosen.corruption).set_params(pattern=anywhere, rate=rate))
    return draws


def random_draw(
    chosen: ProcessCandidate,
    maker: ProcessMaker,
    spaces: Mapping[str, CandidateSpace],
    train: np.ndarray,
) -> CorruptionProcess:
    """A process that strikes as many rows as another, each member wherever its template allows.

    Where rows are dropped, what is left for the other members is counted as it is on average.

    Parameters
    ----------
    chosen : ProcessCandidate
        The process; members that are kept stay as they are.
    maker : ProcessMaker
        What made it.
    spaces : dict of str to SearchSpace
        Spaces of the members that are searched.
    train : ndarray of int
        Training rows of a split, whose counts these are.

    Returns
    -------
    CorruptionProcess
        Each member under the template's own pattern, at a rate that gives as many errors.
    """
    process = clone(chosen.corruption)
    n = maker.table.n_rows
    # rows dropped: how many, of which in the process, of which at random
    dropped: list[tuple[int, np.ndarray, np.ndarray]] = []
    for name, member in sorted(process.corruptions, key=lambda item: not item[1]._drops):
        if name in chosen.choices:
            choice, space = chosen.choices[name], spaces[name]
            matched = choice.mask(n)[train]
            anywhere = space.anywhere(choice.candidate.columns)
            y = space.target.for_patterns if anywhere.uses_y else None
            open_rows = anywhere.mask(space.table.source, y)
            able = space.changeable_in(
                train, choice.candidate.target, _hit(choice.candidate, space)
            )
            open_rows = open_rows[train] & able
            here = _left(matched, ((count, where) for count, where, _ in dropped))
            there = _left(open_rows, ((count, where) for count, _, where in dropped))
            count = strike_count(cast("float", member.rate), round(here))
            member.set_params(pattern=anywhere, rate=min(1.0, count / max(1.0, there)))
        elif member._drops:
            matched = open_rows = maker.kept_mask(name)[train]
            count = strike_count(cast("float", member.rate), int(matched.sum()))
        if member._drops:
            dropped.append((count, matched, open_rows))
    return process


def _hit(chosen: Candidate, space: CandidateSpace) -> tuple[int, ...]:
    """Positions of the columns that a candidate hits."""
    return tuple(space.table.labels.index(label) for label in chosen.columns)


def _left(mask: np.ndarray, dropped: Iterable[tuple[int, np.ndarray]]) -> float:
    """Rows of a mask that are left on average when some of others are dropped."""
    left = float(mask.sum())
    for count, where in dropped:
        left -= count * float((mask & where).sum()) / max(1, int(where.sum()))
    return max(0.0, left)
