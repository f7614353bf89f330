"""The same warning once for a piece of work, though it fits a thousand models."""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_NUMBER = re.compile(r"\d+(\.\d+)?(e[+-]?\d+)?", re.IGNORECASE)


class _Shown:
    """What was shown already while pieces of work are under way, in any thread."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.under_way = 0
        self.seen: set[tuple[type[Warning], str]] = set()
        self.show: Any = None

    def begin(self) -> None:
        with self.lock:
            self.under_way += 1
            # it is here already where a thread has put back what it found in an earlier block
            if self.under_way == 1 and warnings.showwarning is not self:
                self.show, warnings.showwarning = warnings.showwarning, self

    def end(self) -> None:
        with self.lock:
            self.under_way -= 1
            if self.under_way == 0:
                self.seen.clear()
                # somebody else's, set since, stays
                if warnings.showwarning is self:
                    warnings.showwarning = self.show

    def __call__(
        self, message: Warning | str, category: type[Warning], *where: Any, **more: Any
    ) -> None:
        text = str(message)
        # "rcond=1.9e-17" is another number in every fit; what is told of columns is a UserWarning
        key = (category, text if category is UserWarning else _NUMBER.sub("#", text))
        with self.lock:
            known = key in self.seen
            if self.under_way:
                self.seen.add(key)
        if not known:
            self.show(message, category, *where, **more)


_SHOWN = _Shown()


@contextmanager
def warned_once() -> Iterator[None]:
    """A block in which the same warning is shown once, whichever fit it comes from.

    Filters decide as ever whether it is shown or raised.

    Yields
    ------
    None
        While the work is done; within such a block another one changes nothing.
    """
    _SHOWN.begin()
    try:
        yield
    finally:
        _SHOWN.end()
