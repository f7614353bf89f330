"""Progress bars."""

from __future__ import annotations

import sys
from typing import Any

from tqdm import tqdm

from ._callbacks import told


class _Telling(tqdm):
    """A bar that tells callbacks what it shows."""

    _told: Any = None

    def __enter__(self) -> Any:
        self._told = told()
        if self._told is not None:
            self._told.begin(self._name, self._total)
        return super().__enter__()

    def __exit__(self, *raised: Any) -> Any:
        if self._told is not None:
            self._told.end()
        return super().__exit__(*raised)

    def update(self, n: float | None = 1) -> Any:
        """Count steps that are done."""
        if self._told is not None:
            self._told.step(int(n or 0))
        return super().update(n)


def progress_bar(total: int | None, verbose: int, description: str) -> tqdm:
    """A tqdm bar on the standard error stream, silent unless `verbose`.

    Parameters
    ----------
    total : int or None
        Number of steps; None where it is not known.
    verbose : int
        0 for a silent bar.
    description : str
        What is counted.

    Returns
    -------
    tqdm
        The bar, a context manager.
    """
    return _bar(tqdm, total, verbose, description)


def telling_bar(total: int | None, verbose: int, description: str) -> tqdm:
    """A bar as `progress_bar` makes it, of which callbacks of the fit under way are told, too.

    Parameters
    ----------
    total : int or None
        Number of steps; None where it is not known.
    verbose : int
        0 for a silent bar.
    description : str
        What is counted.

    Returns
    -------
    tqdm
        The bar, a context manager.
    """
    bar = _bar(_Telling, total, verbose, description)
    # a silent bar keeps neither
    bar._name, bar._total = description, total
    return bar


def _bar(kind: type[tqdm], total: int | None, verbose: int, description: str) -> tqdm:
    return kind(
        total=total,
        disable=not verbose,
        desc=description,
        file=sys.stderr,
        dynamic_ncols=True,
        # a log file keeps every redrawing of the bar
        mininterval=0.1 if sys.stderr.isatty() else 10.0,
    )
