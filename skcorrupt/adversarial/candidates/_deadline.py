"""The time that a search may take, and what ends it early."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

# beyond the limit that was set, work that is told to end has this share of it to do so
GRACE = 0.08


def now() -> float:
    """Seconds on a clock that never goes back."""
    return time.monotonic()


class OutOfTime(KeyboardInterrupt):
    """The time of a phase is over; it is passed on as Ctrl-C is, through what catches errors."""


class Deadline:
    """When a search is to end, and parts of it before.

    Parameters
    ----------
    seconds : float or None, default=None
        The limit, from now on; None is none.

    Attributes
    ----------
    seconds : float or None
        The limit.
    found : bool
        Whether there is anything to hand back, which whoever finds it says.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds, self.found = seconds, False
        self.started = now() if seconds is not None else 0.0
        limit = np.inf if seconds is None else seconds
        self._last = self.started + limit * (1 + GRACE)
        self._ends = [self.started + limit]

    @property
    def limited(self) -> bool:
        """Whether there is a limit at all."""
        return self.seconds is not None

    @property
    def passed(self) -> bool:
        """Whether the time of the part under way is over."""
        return self.limited and now() >= self._ends[-1]

    def left(self) -> float:
        """Seconds that are left of the part under way, none below 0; infinite without a limit."""
        return max(0.0, self._ends[-1] - now()) if self.limited else np.inf

    def spent(self) -> float:
        """Seconds since the limit was set; 0 without one."""
        return now() - self.started if self.limited else 0.0

    def check(self, *, found: bool = True) -> None:
        """End the part under way where its time is over.

        Parameters
        ----------
        found : bool, default=True
            Whether there is anything to hand back; a search without takes the time that was set
            aside for the comparison too.

        Raises
        ------
        OutOfTime
            If the time is over.
        """
        end = self._ends[-1] if found else max(self._ends[0], self._ends[-1])
        if self.limited and now() >= end:
            raise OutOfTime

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """A part that may take so many seconds from now on, and no longer than what it is part of.

        Where its own time is over, it is left quietly, and work goes on behind it: while nothing
        was found, though what it is part of should have ended, too.

        Parameters
        ----------
        seconds : float
            Its limit; below 0 is 0.

        Yields
        ------
        None
            While it is done.
        """
        if not self.limited:
            yield
            return
        self._ends.append(min(self._ends[-1], now() + max(0.0, seconds)))
        over = False
        try:
            yield
        except OutOfTime:
            over = True
        finally:
            self._ends.pop()
        if over:
            self.check(found=self.found)

    @contextmanager
    def lifted(self) -> Iterator[None]:
        """What takes the time that it takes.

        Yields
        ------
        None
            While it is done.
        """
        self._ends.append(np.inf)
        try:
            yield
        finally:
            self._ends.pop()

    @contextmanager
    def ending(self) -> Iterator[None]:
        """What is done last, which may run over a little rather than be lost.

        Yields
        ------
        None
            While it is done.
        """
        self._ends.append(self._last)
        try:
            yield
        finally:
            self._ends.pop()
