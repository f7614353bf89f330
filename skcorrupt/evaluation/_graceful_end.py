"""Ctrl-C, SIGTERM and callbacks end long work, not what it found."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from skcorrupt.utils import told
from skcorrupt.utils._typing import FilePath

from ._parallel import run_tasks
from ._stopped import Stopped
from ._terminated import Terminated

CTRL_C, SIGTERM, CALLBACK = "Ctrl-C", "SIGTERM", "a callback"


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


def run_until_stopped(
    function: Callable[..., Any],
    tasks: Iterable[tuple[Any, ...]],
    *,
    n_tasks: int,
    enough: Callable[[dict[int, Any]], bool],
    n_jobs: int | None = None,
    done: Callable[[Any], None] | None = None,
) -> tuple[dict[int, Any], str]:
    """Call `function` on every task, or on as many as there are until something ends it.

    Ctrl-C and SIGTERM do, and a callback that asks for it, this as soon as there is enough.

    Parameters
    ----------
    function : callable
        Called as `function(*task)`, as `run_tasks` does.
    tasks : iterable of tuple
        Arguments, seeds included.
    n_tasks : int
        How many they are.
    enough : callable
        `enough(results) -> bool` says whether what was found can be handed back; where it cannot,
        a signal is raised, and work that a callback would end goes on until it can.
    n_jobs : int or None, default=None
        Number of workers.
    done : callable, default=None
        Called with each result as it arrives.

    Returns
    -------
    results : dict of int to object
        What was found, by the position of its task, in order.
    cause : str
        What ended the work early, "Ctrl-C", "SIGTERM" or "a callback"; "" where nothing did.
    """
    found: dict[int, Any] = {}
    listens = told()

    def note(numbered: tuple[int, Any]) -> None:
        i, result = numbered
        found[i] = result
        if done is not None:
            done(result)
        asked = listens is not None and listens.stopped
        if asked and len(found) < n_tasks and enough(found):
            raise Stopped

    cause = ""
    with terminable():
        try:
            each = ((i, function, *task) for i, task in enumerate(tasks))
            run_tasks(_numbered, each, n_jobs=n_jobs, done=note)
        except KeyboardInterrupt as error:
            if not enough(found):
                raise
            cause = cause_of(error)
    return dict(sorted(found.items())), cause


def cause_of(error: KeyboardInterrupt) -> str:
    """What ended work, by what was raised."""
    if isinstance(error, Stopped):
        return CALLBACK
    return SIGTERM if isinstance(error, Terminated) else CTRL_C


def _numbered(i: int, function: Callable[..., Any], *task: Any) -> tuple[int, Any]:
    return i, function(*task)


def going_on(journal: FilePath | None, done: str = "fit") -> str:
    """How the rest is had without what is there already."""
    if journal is None:
        return f"With journal=PATH a second {done} would go on from here."
    return f"A second {done} goes on from journal={str(journal)!r}."
