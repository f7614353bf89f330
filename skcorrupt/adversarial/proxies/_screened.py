"""What a search says of its proxies."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd

from ._stand_ins import StandIns

CERTIFICATE = (
    "budget", "proxy", "complete_conditions", "screened_conditions", "n_rows", "n_points",
    "n_distinct", "n_converged", "n_polished", "largest_step", "n_reranked",
)  # fmt: skip


@dataclasses.dataclass
class Screened:
    """What candidates were screened on, how well it agrees with the pipeline, what it looked at.

    Attributes
    ----------
    name : str
        A built-in proxy, as "linear", or "clone", "estimator" or "none".
    agreement : float
        Spearman correlation of proxy and pipeline on random candidates; NaN for none.
    agreements : dict of str to float
        Those of all proxies that were tried.
    certificate : DataFrame or None
        A row for each budget that is done: what was looked at. None where nothing was screened.
    seconds : float
        Time that went into stand-ins: models on groups, and fits of an estimator or a clone.
    phases : list of dict
        What was done, in order: `phase`, `budget`, `n_candidates` that were scored in it,
        `worst_score` after it.
    enumerated : dict of float to (int, int)
        By budget, the number of conditions up to which the pipeline scored all patterns, and that
        of the longest there are.
    gaps : list of str
        What was neither screened nor scored, and which proxies were overruled.
    cut_short : bool
        Whether the clock ended a part of it, and the rest went on.
    served : dict of float to list of dict
        By budget, what is known of errors in served rows, by columns hit.
    kinds : dict of str to Screened
        Of a list of kinds of error, that of each.
    stand_ins : StandIns or None
        The models on groups of rows, for what is searched next; not of several kinds.
    """

    name: str = "none"
    agreement: float = np.nan
    agreements: dict[str, float] = dataclasses.field(default_factory=dict)
    certificate: pd.DataFrame | None = None
    seconds: float = 0.0
    phases: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    enumerated: dict[float, tuple[int, int]] = dataclasses.field(default_factory=dict)
    gaps: list[str] = dataclasses.field(default_factory=list)
    cut_short: bool = False
    served: dict[float, list[dict[str, Any]]] = dataclasses.field(default_factory=dict)
    kinds: dict[str, Screened] = dataclasses.field(default_factory=dict)
    stand_ins: StandIns | None = None

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Add what is done within to the seconds.

        Yields
        ------
        None
            While it is done.
        """
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - started

    def begin(self) -> None:
        """Have a certificate, which says of nothing yet that it was looked at."""
        self.certificate = pd.DataFrame(columns=list(CERTIFICATE))

    def certify(self, row: Mapping[str, Any]) -> None:
        """Add a row to the certificate.

        Parameters
        ----------
        row : mapping of str to object
            What was looked at, by the names of `CERTIFICATE`.
        """
        rows = [] if self.certificate is None else self.certificate.to_dict("records")
        self.certificate = pd.DataFrame([*rows, dict(row)])

    def note_draws(self, worst: Mapping[float, float]) -> None:
        """Have a phase of draws, where phases are told.

        Parameters
        ----------
        worst : mapping of float to float
            By budget, the worst score after them.
        """
        drawn = {"phase": "drawing again", "n_candidates": 0}
        for budget, score in worst.items() if self.phases else ():
            self.phases.append(drawn | {"budget": budget, "worst_score": score})

    def join(self, members: Mapping[str, Screened], kept: float, *, column: str = "member") -> None:
        """Take over what the members of a process, or kinds of error, were screened on.

        Parameters
        ----------
        members : dict of str to Screened
            That of each, by its name.
        kept : float
            What the process strikes besides.
        column : str, default="member"
            Where the certificate has the name.
        """
        self.seconds = sum(each.seconds for each in members.values())
        self.phases = [
            {column: name, **phase} for name, each in members.items() for phase in each.phases
        ]
        self.cut_short = any(each.cut_short for each in members.values())
        names: dict[str, list[str]] = {}
        for name, each in members.items():
            for gap in each.gaps:
                names.setdefault(gap, []).append(name)
        self.gaps = [f"{', '.join(those)}: {gap}" for gap, those in names.items()]
        self.name = ", ".join(dict.fromkeys(each.name for each in members.values()))
        agreements = [each.agreement for each in members.values()]
        self.agreement = float(np.nan if np.isnan(agreements).all() else np.nanmin(agreements))
        self.agreements = {
            f"{member}: {proxy}": value
            for member, each in members.items()
            for proxy, value in each.agreements.items()
        }
        parts = [
            each.certificate.assign(budget=each.certificate["budget"] + kept, **{column: name})
            for name, each in members.items()
            if each.certificate is not None and len(each.certificate)
        ]
        if parts:
            self.certificate = pd.concat(parts, ignore_index=True)
