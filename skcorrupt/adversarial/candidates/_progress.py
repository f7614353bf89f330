"""What a search is doing, and how far it is, on one bar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from skcorrupt.utils import progress_bar, told
from skcorrupt.utils._as_text import score as score_text


@dataclass
class _Phase:
    """A phase with what is done of it, and of how much."""

    name: str
    total: int | None
    n: int = 0


class Progress:
    """One bar for all phases of a search, with the lowest score so far.

    It is shown while it is entered. Phases nest: within a search a screening counts its own
    candidates, and when it ends the search goes on counting where it was.

    Parameters
    ----------
    verbose : int, default=0
        0 for a silent bar.
    of : str, default=""
        Which of several searches it is, said before each phase.

    Attributes
    ----------
    stop_asked : bool
        Whether a callback asked for an end.
    """

    def __init__(self, verbose: int = 0, of: str = "") -> None:
        self.verbose, self.of = verbose, of
        self._bar: Any = None
        self._entered = False
        self._phases = [_Phase("Searching", None)]
        self._best = np.inf
        self._told = told()
        self.stop_asked = False

    def __enter__(self) -> Self:
        self._entered = True
        return self

    def __exit__(self, *raised: object) -> None:
        self._entered = False
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    @property
    def name(self) -> str:
        """What is being done."""
        return self._phases[-1].name

    @property
    def n(self) -> int:
        """Steps of the phase under way that are done."""
        return self._phases[-1].n

    @property
    def total(self) -> int | None:
        """Steps that the phase under way has; None where that is not known."""
        return self._phases[-1].total

    @total.setter
    def total(self, total: int | None) -> None:
        self._phases[-1].total = None if total is None else max(total, self.n)
        self._show()

    @contextmanager
    def phase(self, name: str, total: int | None = None) -> Iterator[None]:
        """A part of the search that counts by itself.

        Parameters
        ----------
        name : str
            What is done, as the bar says it, such as "Screening".
        total : int or None, default=None
            How many steps; where there are more, it grows with them.

        Yields
        ------
        None
            While it is done.
        """
        self._phases.append(_Phase(name, total))
        self._show()
        if self._told is not None:
            # totals are upper bounds that may grow
            self._told.begin(name, None)
        try:
            yield
            # it has ended, so that was all
            self.total = self.n
        finally:
            if self._told is not None:
                self._told.end()
            if len(self._phases) > 2:
                self._phases.pop()
                self._show()
            else:
                # what was done last stays on the bar
                self._phases[0] = self._phases.pop()

    def update(self, n: int = 1) -> None:
        """Count steps of the phase under way.

        Parameters
        ----------
        n : int, default=1
            How many.
        """
        phase = self._phases[-1]
        phase.n += n
        if self._told is not None:
            self.stop_asked |= self._told.step(n)
        grown = phase.total is not None and phase.n > phase.total
        if grown:
            phase.total = phase.n
        if self._bar is not None:
            self._bar.total = phase.total
            self._bar.update(n)

    def best(self, score: float, *, settled: bool = False) -> None:
        """Show a score of a candidate where it is the lowest so far.

        Parameters
        ----------
        score : float
            The score; NaN is none.
        settled : bool, default=False
            Whether it stands, though single draws before it were lower.
        """
        if score < self._best or settled:
            self._best = score
            if self._bar is not None:
                self._bar.set_postfix_str(f"worst {score_text(score)}", refresh=False)

    def set_description(self, name: str) -> None:
        """Name the phase under way otherwise.

        Parameters
        ----------
        name : str
            What is done.
        """
        self._phases[-1].name = name
        self._show()

    def _show(self) -> None:
        """Put the phase under way on the bar."""
        phase, bar = self._phases[-1], self._bar
        if not self.verbose or not self._entered:
            return
        name = f"{self.of}, {phase.name[:1].lower()}{phase.name[1:]}" if self.of else phase.name
        if bar is None:
            bar = self._bar = progress_bar(phase.total, self.verbose, name)
            # a speed that is smoothed over phases would be that of none
            bar.smoothing = 0
        bar.turn_to(name, phase.n, phase.total)
