"""A stream of text that remembers what was written, and may lose its reader."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable
from typing import Any


class Unbroken:
    """A stream of text that goes nowhere once nobody reads it any more, as after `| head`.

    Parameters
    ----------
    stream : stream of text
        Where it goes on to.

    Attributes
    ----------
    texts : list of str
        What was written.
    """

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.texts: list[str] = []

    def write(self, text: str) -> int:
        """Pass a text on, as long as somebody reads.

        Parameters
        ----------
        text : str
            The text.

        Returns
        -------
        int
            Its length.
        """
        self.texts.append(text)
        self._try(lambda: self.stream.write(text))
        return len(text)

    def flush(self) -> None:
        """Pass on what was held back."""
        self._try(lambda: self.stream.flush())

    def _try(self, act: Callable[[], Any]) -> None:
        if self.stream is None:
            # a program without a console has none
            return
        try:
            act()
        except OSError as error:
            # Windows has no name of its own for it
            if error.errno != errno.EPIPE and (os.name != "nt" or error.errno != errno.EINVAL):
                raise
            # what is left of it would raise again, at the end of the program too
            with contextlib.suppress(OSError, ValueError, AttributeError):
                lost = self.stream.fileno()
                nowhere = os.open(os.devnull, os.O_WRONLY)
                try:
                    os.dup2(nowhere, lost)
                finally:
                    os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)
