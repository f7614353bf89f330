"""Errors that change nothing, of which a search tells in its own words."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unsaid_of_no_effect() -> Iterator[None]:
    """Errors that strike no row of some split, or in some draw, which whoever asks for them tells.

    Yields
    ------
    None
        While they are drawn, here or by workers.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"\w+ changed nothing in ")
        yield
