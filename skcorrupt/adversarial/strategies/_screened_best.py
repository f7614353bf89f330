"""The worst candidates of one budget on a built-in proxy, and what was looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..candidates import Candidate, CandidateSpace
from ..proxies import PROXIES, Found, Screened, StandIns

POLISHED = 512
PREFILTERED = 1_024
# of these, those that are looked at again on more rows
CLOSER = 128


@dataclass(frozen=True)
class ScreenedBest:
    """What a proxy puts first.

    Attributes
    ----------
    found : Found
        Candidates by converged scores on the closer rows, the lowest first.
    looked_at : dict of str to float
        What the certificate tells of it.
    """

    found: Found
    looked_at: dict[str, Any]

    def candidates(self, space: CandidateSpace, most: int | None = None) -> list[Candidate]:
        """The candidates that the pipeline can score, distinct, the lowest first."""
        chosen: dict[bytes, Candidate] = {}
        for template, point in zip(self.found.templates, self.found.points, strict=True):
            candidate = space.candidate(template, point)
            if not candidate.refused:
                chosen.setdefault(candidate.key, candidate)
            if len(chosen) == most:
                break
        return list(chosen.values())


def screened_best(
    stand_ins: StandIns, name: str, space: CandidateSpace, told: Screened, seconds: float
) -> ScreenedBest:
    """Screen the candidates of a budget on a proxy.

    Parameters
    ----------
    stand_ins : StandIns
        The proxies.
    name : str
        The proxy.
    space : CandidateSpace
        The candidates of the budget.
    told : Screened
        Has the time added.
    seconds : float
        What it may take, where time is limited.

    Returns
    -------
    ScreenedBest
        The worst, converged.
    """
    kind_of, evaluator = PROXIES[name], stand_ins.task.evaluator
    first = stand_ins.first_screen(name, space)
    near = last = first
    if kind_of.prefiltered:
        near = last = stand_ins.screen(name, stand_ins.groups, space)
    if stand_ins.closer is not stand_ins.groups:
        last = stand_ins.screen(name, stand_ins.closer, space)
    most = PREFILTERED if kind_of.prefiltered else POLISHED
    polished = Found()
    with told.timed(), evaluator.deadline.within(seconds):
        with evaluator.bar.phase("Screening", first.most_points):
            polished = found = first.run()
        with evaluator.bar.phase("Screening again"):
            varied = found.varied(most)
            polished = near.rescore(varied, len(varied.scores), polish=True)
            if last is not near:
                varied = polished.varied(CLOSER)
                polished = last.rescore(varied, len(varied.scores), polish=True)
    all_of_them = last.coverage.n_converged >= first.coverage.n_distinct
    complete = first.coverage.depth if all_of_them else first.coverage.converged_depth
    return ScreenedBest(
        polished,
        {
            "complete_conditions": -1 if kind_of.prefiltered else complete,
            "screened_conditions": first.coverage.depth,
            "n_rows": len(stand_ins.groups.rows),
            "n_points": first.coverage.n_points,
            "n_distinct": first.coverage.n_distinct,
            "n_converged": last.coverage.n_converged,
            "n_polished": len(polished.scores),
            "largest_step": last.largest_left if kind_of.iterative else np.nan,
        },
    )
