"""Simulated coverage of the intervals of labels, with either kind of successes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from skcorrupt.curation import (
    GenerativeLabelModel,
    NaturalAdversarialCurator,
)

# classes, rows, whether functions vote for one class only, copies of each function
COVERAGE = (
    (2, 300, False, 1),
    (2, 3000, False, 1),
    (2, 3000, True, 1),
    (4, 3000, False, 1),
    (2, 3000, False, 20),
)


def coverage_rows(
    n_classes: int,
    n_rows: int,
    one_sided: bool,
    copies: int,
    n_seeds: int,
    labeler: type = GenerativeLabelModel,
) -> list[dict[str, Any]]:
    """How often the interval of a label holds its chance of being right, by the true tables.

    Parameters
    ----------
    n_classes, n_rows : int
        Classes and rows.
    one_sided : bool
        Whether each function votes for one class only.
    copies : int
        Times that each function is there.
    n_seeds : int
        Simulations.
    labeler : type, default=GenerativeLabelModel
        Class of the label model.

    Returns
    -------
    list of dict
        A row for successes that are confidence · n, and one for those that are counted.
    """
    found: dict[str, list[tuple[float, float, float]]] = {"confidence": [], "agreement": []}
    for seed in range(n_seeds):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, n_classes, n_rows)
        m = 4 * n_classes
        log = np.full((n_rows, n_classes), -np.log(n_classes))
        L = np.full((n_rows, m), -1)
        for j in range(m):
            accuracy, casts = rng.uniform(0.6, 0.95), rng.uniform(0.2, 0.8)
            table = np.full((n_classes, n_classes), (1 - accuracy) / (n_classes - 1))
            np.fill_diagonal(table, accuracy)
            table *= casts
            if one_sided:
                table[:, np.arange(n_classes) != j % n_classes] = 0
            table = np.column_stack([table, 1 - table.sum(axis=1)])
            drawn = (rng.random(n_rows)[:, None] > np.cumsum(table, axis=1)[y]).sum(axis=1)
            drawn = np.minimum(drawn, n_classes)
            L[:, j] = np.where(drawn == n_classes, -1, drawn)
            log += np.log(np.maximum(table[:, drawn].T, 1e-300))
        truth = np.exp(log - log.max(axis=1, keepdims=True))
        truth /= truth.sum(axis=1, keepdims=True)
        for successes, values in found.items():
            values.append(_covered(L, truth, copies, successes, labeler))
    rows = []
    for successes, values in found.items():
        covered, below, widths = np.transpose(values)
        rows.append(
            {
                "classes": n_classes,
                "rows": n_rows,
                "one_sided": one_sided,
                "copies": copies,
                "successes": successes,
                "covered": covered.mean(),
                "least": covered.min(),
                "below": below.mean(),
                "width": widths.mean(),
            }
        )
    return rows


def _covered(
    L: np.ndarray, truth: np.ndarray, copies: int, successes: str, labeler: type
) -> tuple[float, float, float]:
    """Shares of intervals that hold the truth and that lie above it, and their mean width."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", labeler.__name__)
        model = labeler(classes=range(truth.shape[1]))
        curator = NaturalAdversarialCurator(model, successes=successes)
        curator.fit(np.repeat(L, copies, axis=1))
    spoken = curator.n_votes_ > 0
    chance = truth[np.arange(len(L)), curator.labels_][spoken]
    low, high = curator.lower_bound_[spoken], curator.upper_bound_[spoken]
    inside = (low <= chance) & (chance <= high)
    return float(inside.mean()), float((chance < low).mean()), float((high - low).mean())
