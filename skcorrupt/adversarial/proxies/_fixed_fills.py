"""What imputers put into a column whatever the row's other columns hold, by candidate."""

from __future__ import annotations

from numbers import Real

import numpy as np

from ._imputation import Fill
from ._proxy_groups import CLIP, Feature

SMALLEST = 1e-12


def fixed_fill(
    feature: Feature, fill: Fill, kept: np.ndarray, *, clipped: bool = True
) -> np.ndarray:
    """What stands in a column's part of the design where it was struck.

    Parameters
    ----------
    feature : Feature
        The column.
    fill : Fill
        Its imputer.
    kept : ndarray of shape (n_batch, n_groups)
        Weights of the groups in which the column is there.
    clipped : bool, default=True
        Whether numbers are clipped as the design is.

    Returns
    -------
    ndarray of shape (n_batch, n_block)
        A row for each candidate.
    """
    if fill.kind == "constant" or (fill.kind == "category" and not feature.numeric):
        own = _constant(feature, fill)
        found = np.repeat(own[None], len(kept), axis=0)
    else:
        found = _statistic(feature, fill, kept)
    return np.clip(found, -CLIP, CLIP) if clipped and feature.numeric else found


def is_far_out(fill: Fill, feature: Feature) -> bool:
    """Whether a constant is no value that the clipped design could hold."""
    return (
        feature.numeric
        and fill.kind == "constant"
        and bool(abs(_constant(feature, fill)).max() > CLIP)
    )


def _statistic(feature: Feature, fill: Fill, kept: np.ndarray) -> np.ndarray:
    n_levels = len(feature.values)
    level = np.zeros((len(feature.levels), n_levels + 1), dtype=kept.dtype)
    level[np.arange(len(level)), feature.levels] = 1
    counts = (kept @ level)[:, :n_levels].astype(float)
    totals = np.maximum(counts.sum(axis=1), SMALLEST)
    if not feature.numeric or fill.kind == "most_frequent":
        return feature.design[counts.argmax(axis=1)]
    if fill.kind == "median":
        at = (np.cumsum(counts, axis=1) >= 0.5 * totals[:, None]).argmax(axis=1)
        return feature.design[at]
    mean = counts @ feature.values / totals
    return ((mean - feature.centre) / feature.spread)[:, None]


def _constant(feature: Feature, fill: Fill) -> np.ndarray:
    if feature.numeric:
        number = float(fill.value) if isinstance(fill.value, Real) else 0.0
        number = number if np.isfinite(number) else 0.0
        if fill.standardised:
            return np.array([number])
        return np.array([(number - feature.centre) / feature.spread])
    own = np.zeros(feature.design.shape[1])
    own[-1] = 1.0
    return own
