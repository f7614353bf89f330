"""What ends a search early, Ctrl-C, SIGTERM or the clock: first a phase of it, then all of it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType

from skcorrupt.utils import warn
from skcorrupt.utils._typing import FilePath

from .candidates import OutOfTime, Stopped, Terminated

CTRL_C, SIGTERM, CLOCK, CALLBACK = "Ctrl-C", "SIGTERM", "max_time", "a callback"


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
        """A phase, and what is said of it where it was interrupted, of what did so."""
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
        if kind is None or not issubclass(kind, KeyboardInterrupt) or not self._enough():
            return False
        cause = CLOCK if issubclass(kind, OutOfTime) else CTRL_C
        cause = SIGTERM if issubclass(kind, Terminated) else cause
        cause = CALLBACK if issubclass(kind, Stopped) else cause
        if cause != CLOCK and set(self.causes) - {CLOCK}:
            return False
        self.causes.append(cause)
        warn(self._said(cause))
        return True


@contextmanager
def terminable() -> Iterator[None]:
    """A block that SIGTERM ends as Ctrl-C does, in the main thread.

    Where that is passed on, the signal is sent again once the handler that was there is back.

    Yields
    ------
    None
        While it is done.
    """
    before = signal.getsignal(signal.SIGTERM)
    # a handler that is not Python's could not be put back, and what is ignored stays ignored
    if (
        threading.current_thread() is not threading.main_thread()
        or before is None
        or before == signal.SIG_IGN
    ):
        yield
        return
    owner, passed_on = os.getpid(), False

    def end(number: int, frame: FrameType | None) -> None:
        if os.getpid() == owner:
            raise Terminated
        # a worker that was forked from here ends as others do
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    except Terminated:
        passed_on = True
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
        if passed_on:
            signal.raise_signal(signal.SIGTERM)


def interrupted_search(
    cause: str, n_scored: int, journal: FilePath | None, max_time: float | None
) -> str:
    """What is said of a search that was ended early."""
    ended = f"ended by max_time={max_time:g} s" if cause == CLOCK else "interrupted"
    ended = f"ended by {cause}" if cause == CALLBACK else ended
    again = "" if cause in (CLOCK, CALLBACK) else f"; {cause} again stops that by raising"
    return (
        f"The search was {ended} after {n_scored} candidates. The worst of them is compared with "
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


def interrupted_alternatives(cause: str, journal: FilePath | None) -> str:
    """What is said of a finished search whose look at other classes of patterns was ended early."""
    how = "max_time was over" if cause == CLOCK else "Interrupted"
    return (
        f"{how} after the search was done, while errors without some of the conditions were "
        f"searched: alternatives_ has those found until then. {going_on(journal)}"
    )


def going_on(journal: FilePath | None, done: str = "fit") -> str:
    """How the rest is had without what is there already."""
    if journal is None:
        return f"With journal=PATH a second {done} would go on from here."
    return f"A second {done} goes on from journal={str(journal)!r}."
