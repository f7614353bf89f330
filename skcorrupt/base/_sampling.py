"""Where in the order of rows errors gather."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

# standard deviation and mean, as shares of the rows
MIDDLE_SPREAD, BEGINNING_SPREAD = 1 / 6, 1 / 5
SAMPLINGS = ("uniform", "normal", "exponential")


def gathered(u: np.ndarray, sampling: str, first: int = 0, total: int | None = None) -> np.ndarray:
    """Noise values that make the odds of being struck follow a weight over the order of rows.

    The weight is the density of a normal distribution around the middle row, with a standard
    deviation of a sixth of the rows, or of an exponential one from the first row on, with a mean
    of a fifth of them. Lower values are struck first, so that rows struck at a lower rate stay
    among those of a higher one.

    Parameters
    ----------
    u : ndarray of shape (n_rows,)
        Uniform noise, a value for each row.
    sampling : {"uniform", "normal", "exponential"}
        Equal weights, or those above.
    first : int, default=0
        Position of the first row, where the rows are a part of a table.
    total : int, default=None
        Number of rows of that table; None is that of these rows.

    Returns
    -------
    ndarray of shape (n_rows,)
        Noise on [0, 1].
    """
    if sampling == "uniform":
        return u
    total = len(u) if total is None else total
    position = (first + np.arange(len(u)) + 0.5) / total
    if sampling == "normal":
        log_weight = -0.5 * ((position - 0.5) / MIDDLE_SPREAD) ** 2
    else:
        log_weight = -position / BEGINNING_SPREAD
    return expit(logit(u) - log_weight)
