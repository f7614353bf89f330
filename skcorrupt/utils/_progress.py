"""Progress bars."""

from __future__ import annotations

import sys

from tqdm import tqdm


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
    return tqdm(
        total=total,
        disable=not verbose,
        desc=description,
        file=sys.stderr,
        dynamic_ncols=True,
        # a log file keeps every redrawing of the bar
        mininterval=0.1 if sys.stderr.isatty() else 10.0,
    )
