"""SIGTERM as an interrupt from the keyboard."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from skcorrupt.evaluation import Terminated


@contextmanager
def terminable() -> Iterator[None]:
    """A block in which SIGTERM is raised, so that what Ctrl-C keeps is kept.

    Yields
    ------
    None
        While it is done.
    """
    if threading.current_thread() is not threading.main_thread():
        # only there can a handler be set
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)
