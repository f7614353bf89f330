"""The worst candidates of one budget on a built-in proxy, and what was looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..candidates import Candidate, CandidateSpace
from ..proxies import PROXIES, Found, Screened, StandIns

POLISHED = 512
PREFILTERED = 1_024


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

    def candidates(self, space: CandidateSpace) -> list[Candidate]:
        """The candidates that the pipeline can score, distinct, the lowest first."""
        chosen: dict[bytes, Candidate] = {}
        for template, point in zip(self.found.templates, self.found.points, strict=True):
            candidate = space.candidate(template, point)
            if not candidate.refused:
                chosen.setdefault(candidate.key, candidate)
        return list(chosen.values())


def screened_best(
    stand_ins: StandIns, name: str, space: CandidateSpace, told: Screened
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

    Returns
    -------
    ScreenedBest
        The worst, converged.
    """
    closer, kind_of = stand_ins.closer, PROXIES[name]
    if kind_of.prefiltered and stand_ins.can("linear"):
        # missing values work on a tree like a flag, which is what selection is to a line
        kind = "selection" if stand_ins.kind == "missing" else stand_ins.kind
        first = stand_ins.screen("linear", stand_ins.groups, space, kind)
    else:
        first = stand_ins.screen(name, stand_ins.groups, space)
    with told.timed():
        found = first.run()
        last = stand_ins.screen(name, closer, space)
        most = PREFILTERED if kind_of.prefiltered else POLISHED
        polished = last.rescore(found, most, polish=True)
    return ScreenedBest(
        polished,
        {
            "complete_conditions": first.coverage.depth,
            "n_rows": len(stand_ins.groups.rows),
            "n_points": first.coverage.n_points,
            "n_distinct": first.coverage.n_distinct,
            "n_polished": len(polished.scores),
            "largest_step": last.largest_left if kind_of.iterative else np.nan,
        },
    )
