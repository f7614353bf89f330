"""Which labels become which, and how often."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import close_to, shorten, warn

from ._transitions import rows_of


def moves_of(transition: Any, classes: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """For every class the classes it can go to and their cumulative probabilities."""
    if transition is None:
        # each label goes to any other one alike
        others = np.arange(1, len(classes)) / max(len(classes) - 1, 1)
        return [(np.delete(classes, i), others) for i in range(len(classes))]
    if isinstance(transition, pd.DataFrame):
        transition = rows_of(transition)
    if isinstance(transition, Mapping):
        return _mapped_moves(transition, classes)
    try:
        matrix = np.asarray(transition, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(
            f"transition={transition!r} should be a dict of labels, such as {{'a': 'b'}}, or a "
            "matrix of weights."
        ) from error
    if matrix.shape != (len(classes), len(classes)):
        raise ValueError(
            f"transition has shape {matrix.shape}; it should have a row and a column for each of "
            f"the {len(classes)} classes {classes.tolist()}, in that order."
        )
    return [_row(matrix[i], i, classes) for i in range(len(classes))]


def _mapped_moves(transition: Mapping[Any, Any], classes: np.ndarray) -> list[Any]:
    known = classes.tolist()
    targets = list(known)
    rows: dict[int, Mapping[Any, float]] = {}
    for source, to in transition.items():
        if not isinstance(to, Mapping):
            if not np.isscalar(to):
                raise ValueError(
                    f"transition: {source!r} goes to {to!r}; it should go to one label or, with "
                    "weights, to several: {'b': 0.7, 'c': 0.3}."
                )
            to = {to: 1.0}
        if not all(isinstance(weight, Real) for weight in to.values()):
            raise ValueError(
                f"transition: weights from {source!r} are {list(to.values())}; they should be "
                "numbers."
            )
        for label in [source, *to]:
            if not _same_type(label, known):
                raise ValueError(f"transition: {label!r} is not of the type of the labels {known}.")
        targets += [label for label in to if label not in targets]
        if source in known:
            rows[known.index(source)] = to
    new = [label for label in targets[len(known) :] if not pd.isna(label)]
    if new:
        close = close_to(str(new[0]), map(str, known))
        warn(
            f"transition: {new[0]!r} is no label of y, where it will be a class of its own"
            f"{close}; the labels there are {shorten(known)}."
        )
    if not rows:
        raise ValueError(
            f"transition={dict(transition)!r} starts from none of the labels {known}; "
            "name the labels to change as its keys."
        )
    dtype = classes.dtype if len(targets) == len(known) else None
    labels = np.array(targets, dtype=object if classes.dtype.kind == "O" else dtype)
    moves = []
    for i in range(len(known)):
        weights = [rows.get(i, {}).get(label, 0.0) for label in targets]
        moves.append(_row(np.array(weights, dtype=float), i, labels))
    return moves


def _same_type(label: Any, known: list[Any]) -> bool:
    numbers = (int, float, np.number)
    if not known or isinstance(label, type(known[0])):
        return True
    return isinstance(label, numbers) and isinstance(known[0], numbers)


def _row(weights: np.ndarray, i: int, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if not np.all(np.isfinite(weights)) or np.any(weights < 0):
        raise ValueError(
            f"transition: weights from {labels[i]!r} are {weights.tolist()}; they should be "
            "finite and not negative."
        )
    weights = weights.copy()
    weights[i] = 0.0
    to = np.flatnonzero(weights)
    return labels[to], np.cumsum(weights[to]) / max(weights.sum(), 1e-300)
