"""What ends a search early, Ctrl-C, SIGTERM or the clock: first a phase of it, then all of it."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from skcorrupt.evaluation import CALLBACK, cause_of, going_on
from skcorrupt.utils import warn
from skcorrupt.utils._as_text import counted
from skcorrupt.utils._typing import FilePath

from .candidates import OutOfTime

CLOCK = "max_time"


class Interruption:
    """A context in which the first signal is a warning, and the next one is raised.

    The clock ends phases too, and any number of them.

    Parameters
    ----------
    enough : callable
        `enough() -> bool` says whether anything was found that can be handed back; where nothing
        was, what ended the phase is raised.

    Attributes
    ----------
    causes : list of str
        What ended phases: "Ctrl-C", "SIGTERM", "max_time" or "a callback".
    """

    def __init__(self, enough: Callable[[], bool]) -> None:
        self._enough = enough
        self._said: Callable[[str], str] = str
        self.causes: list[str] = []

    @property
    def cause(self) -> str:
        """What ended a phase, a signal before the clock; "" where nothing did."""
        return next(iter(sorted(self.causes, key=lambda cause: cause == CLOCK)), "")

    def ends(self, said: Callable[[str], str]) -> Interruption:
        """A phase, and what is said of it where it was interrupted, if anything, of what did so."""
        self._said = said
        return self

    def __enter__(self) -> Interruption:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if not isinstance(error, KeyboardInterrupt) or not self._enough():
            return False
        cause = CLOCK if isinstance(error, OutOfTime) else cause_of(error)
        if cause != CLOCK and set(self.causes) - {CLOCK}:
            return False
        self.causes.append(cause)
        if said := self._said(cause):
            warn(said)
        return True


def interrupted_search(
    cause: str, n_scored: int, journal: FilePath | None, max_time: float | None
) -> str:
    """What is said of a search that was ended early."""
    ended = f"ended by max_time={max_time:g} s" if cause == CLOCK else "interrupted"
    ended = f"ended by {cause}" if cause == CALLBACK else ended
    again = "" if cause in (CLOCK, CALLBACK) else f"; {cause} again stops that by raising"
    n_candidates = counted(n_scored, "candidate")
    return (
        f"The search was {ended} after {n_candidates}. The worst of them is compared with "
        f"random errors, and confirmed where asked for{again}. {going_on(journal)}"
    )


def interrupted_confirmation(cause: str, journal: FilePath | None, max_time: float | None) -> str:
    """What is said of a finished search whose comparison or confirmation was ended early."""
    how = f"max_time={max_time:g} s was over" if cause == CLOCK else "Interrupted"
    return (
        f"{how} after the search was done, while its winner was compared with random errors "
        "and confirmed: scores that are missing are NaN. Call confirm(X_test, y_test) with rows of "
        f"your own. {going_on(journal)}"
    )


def interrupted_counting(cause: str, n_rows: int, journal: FilePath | None) -> str:
    """What is said of a search whose candidates were not counted on all rows of a table."""
    return (
        f"Interrupted by {cause} while candidates were counted on all {n_rows} rows: support and "
        f"rates are those of the rows searched, and all_rows_support is NaN. {going_on(journal)}"
    )


def interrupted_alternatives(cause: str, journal: FilePath | None) -> str:
    """What is said of a finished search whose look at other classes of patterns was ended early."""
    how = "max_time was over" if cause == CLOCK else "Interrupted"
    return (
        f"{how} after the search was done, while errors without some of the conditions were "
        f"searched: alternatives_ has those found until then. {going_on(journal)}"
    )
