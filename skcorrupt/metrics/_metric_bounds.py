"""Between which values a score lies, by its name."""

from __future__ import annotations

import re

import numpy as np

from ._metric_name import CHANGED_SHARE

_SHARES = re.compile(
    r"(?:macro |micro |weighted |balanced )?"
    r"(?:accuracy|AUC|F1|precision|recall|jaccard|average precision|roc auc)\b"
    r"(?!.*\badjusted=True)"
)
_MINUS_LOSSES = re.compile(
    r"negative .*\b(?:error|loss|deviance|brier score|likelihood ratio|mean change of)\b"
)


def metric_bounds(name: str) -> tuple[float, float]:
    """Least and largest values that a score can have.

    Parameters
    ----------
    name : str
        What `metric_name` calls it.

    Returns
    -------
    low, high : float
        Infinite where there is none, or none is known.
    """
    if _SHARES.match(name):
        return 0.0, 1.0
    if name == CHANGED_SHARE:
        return -1.0, 0.0
    if name == "R²":
        return -np.inf, 1.0
    return (-np.inf, 0.0) if _MINUS_LOSSES.match(name) else (-np.inf, np.inf)
