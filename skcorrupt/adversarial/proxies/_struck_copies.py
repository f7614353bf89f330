"""Linear models of errors whose struck rows hold more than one constant: copies of rows.

Where an error changes values, the pipeline's imputers and scalers are fitted on what it left, so
that what they put in and divide by changes with the candidate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler

from skcorrupt.utils._typing import Estimator

from ._changed_values import Changes
from ._copied_rows import CopiedRows, Copies
from ._fixed_fills import fixed_fill, is_far_out
from ._imputation import Fill
from ._predicted_values import Neighbours, Regressed
from ._proxy_groups import Groups
from ._sigmoid import sigmoid
from ._struck_groups import StruckGroups

STEPS = {"missing": 2, "values": 4}
POLISH_STEPS = 40
# with the curvature of clean rows in the place of each candidate's own
SLOWER = 3
# models with values further out start without their columns
FAR = 6.0
SMALLEST = 1e-12
# a scaled column that is nearly constant is not penalised for ever
LARGEST_RATIO = 1e8


@dataclass
class LinearData:
    """What linear models are fitted on, and what the pipeline does to it.

    Attributes
    ----------
    groups : Groups
        The data.
    Z : ndarray of shape (n_groups, n_design)
        The clean design.
    ridge : ndarray of shape (n_design,)
        Penalties on clean columns.
    fills : list of Fill
        What is imputed in every column.
    scalers : list of estimator or None
        What scales every column.
    flag : int or None
        The column of the design that says whether the column hit was missing.
    """

    groups: Groups
    Z: np.ndarray
    ridge: np.ndarray
    fills: list[Fill]
    scalers: list[Estimator | None]
    flag: int | None

    @property
    def logistic(self) -> bool:
        """Whether labels are two classes."""
        return self.groups.n_classes == 2


class StruckCopies:
    """Fits linear models on rows and on copies of those that are struck.

    Parameters
    ----------
    data : LinearData
        The rows.
    newton : bool
        Whether there are few columns, so that each candidate has a curvature of its own.
    """

    def __init__(self, data: LinearData, newton: bool) -> None:
        self.data, self.newton = data, newton
        self._imputers: dict[tuple[int, tuple[int, ...]], Regressed | Neighbours] = {}
        self._curvatures: dict[int, np.ndarray] = {}

    def takes(self, struck: StruckGroups) -> bool:
        """Whether a batch needs copies of rows."""
        if struck.kind == "values":
            return True
        if struck.kind != "missing":
            return False
        data = self.data
        fills = [(data.fills[j], data.groups.features[j]) for j in struck.columns]
        return any(
            (fill.looks_elsewhere and feature.numeric) or fill.flagged or is_far_out(fill, feature)
            for fill, feature in fills
        )

    def fit(
        self, fold: int, struck: StruckGroups, start: np.ndarray, *, polish: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients under every candidate of a batch.

        Parameters
        ----------
        fold : int
            The split.
        struck : StruckGroups
            The candidates.
        start : ndarray of shape (n_design,)
            Coefficients on clean rows.
        polish : bool
            Whether to go on until the steps are negligible.

        Returns
        -------
        beta : ndarray of shape (n_batch, n_design)
            Coefficients.
        left : ndarray of shape (n_batch,)
            Largest change of a margin in the last step.
        """
        dtype = np.float64 if polish else np.float32
        data = self.data
        copies = self._laid_out(fold, struck, dtype)
        beta = np.repeat(start[None].astype(float), len(struck.share), axis=0)
        if max(float(abs(v).max(initial=0.0)) for v in copies.values) > FAR:
            beta[:, copies.block] = 0.0
        rows = CopiedRows(
            data.Z.astype(dtype, copy=False),
            data.groups.y.astype(dtype),
            copies,
            _penalties(data, struck, copies),
            data.logistic,
            None if self.newton else self._clean_curvature(fold, start),
        )
        steps = POLISH_STEPS if polish else STEPS[struck.kind]
        return rows.solve(beta, steps if self.newton else SLOWER * steps)

    def _laid_out(self, fold: int, struck: StruckGroups, dtype: Any) -> Copies:
        """Copies of the rows."""
        data = self.data
        weights = data.groups.trains[fold].astype(dtype)
        share = struck.share.astype(dtype, copy=False)
        features = [data.groups.features[j] for j in struck.columns]
        block = np.concatenate([np.arange(f.block.start, f.block.stop) for f in features])
        own = data.Z[:, block].astype(dtype)
        absent = np.logical_or.reduce([feature.missing for feature in features])
        if struck.kind == "missing":
            lost = np.where(absent, 1.0, share).astype(dtype)
            kept, gone = weights * (1 - lost), weights * lost
            value = self._imputed(struck.columns, kept, gone, dtype)
            copies = Copies(kept, block, own, [gone], [value])
            flag = data.flag
            if flag is not None and any(data.fills[j].flagged for j in struck.columns):
                copies.block = np.append(block, flag)
                copies.own = np.column_stack([own, np.zeros(len(own), dtype)])
                ones = np.ones((*value.shape[:2], 1), dtype)
                copies.values = [np.concatenate([value, ones], axis=2)]
        else:
            changes = struck.changes
            if changes is None:
                raise ValueError("changed values need to be told; pass changes.")
            kept = weights * (1 - share)
            copies = Copies(kept, block, own, [], [])
            for k, chance in enumerate(changes.chances):
                copies.weights.append(weights * share * dtype(chance))
                copies.values.append(_changed(data, changes, k)[None].astype(dtype))
            for place, j in enumerate(struck.columns):
                if data.groups.features[j].missing.any():
                    _refill(data, j, place, struck.columns, copies)
        return copies

    def _imputed(
        self, columns: tuple[int, ...], kept: np.ndarray, gone: np.ndarray, dtype: Any
    ) -> np.ndarray:
        """What stands in the columns hit, of shape (n_batch, 1 or n_groups, n_block)."""
        data, found = self.data, []
        for j in columns:
            feature, fill = data.groups.features[j], data.fills[j]
            if not (fill.looks_elsewhere and feature.numeric):
                found.append(fixed_fill(feature, fill, kept, clipped=False).astype(dtype)[:, None])
                continue
            key = (j, columns)
            if key not in self._imputers:
                kind = Regressed if fill.kind == "regression" else Neighbours
                self._imputers[key] = kind(data.groups, j, columns, fill)
            numbers = self._imputers[key].numbers(kept, gone)
            found.append(((numbers - feature.centre) / feature.spread).astype(dtype)[:, :, None])
        widest = max(each.shape[1] for each in found)
        wide = [np.broadcast_to(v, (len(kept), widest, v.shape[2])) for v in found]
        return np.concatenate(wide, axis=2)

    def _clean_curvature(self, fold: int, start: np.ndarray) -> np.ndarray:
        """Second derivatives of the loss of clean rows, without the penalty."""
        if fold not in self._curvatures:
            Z, w = self.data.Z.astype(float), self.data.groups.trains[fold].astype(float)
            if self.data.logistic:
                p = sigmoid(Z @ start)
                w = w * p * (1 - p)
            self._curvatures[fold] = (Z * w[:, None]).T @ Z
        return self._curvatures[fold]


def _changed(data: LinearData, changes: Changes, k: int) -> np.ndarray:
    """What a copy holds in the columns hit, of shape (n_groups, n_block)."""
    found = []
    for j in changes.columns:
        feature = data.groups.features[j]
        if feature.numeric:
            made = (changes.numbers[j][k] - feature.centre) / feature.spread
            held = np.append(made, 0.0)[:, None]
        else:
            own = np.zeros(feature.design.shape[1])
            own[-1] = 1.0
            # a value that the column did not hold is a category of its own in training
            design = np.vstack([feature.design, own])
            held = np.vstack([design[changes.codes[j][k]], own])
        found.append(held[feature.levels])
    return np.hstack(found)


def _refill(data: LinearData, j: int, place: int, columns: tuple[int, ...], copies: Copies) -> None:
    """Put where a column was missing before what the imputer finds in changed values."""
    feature, fill = data.groups.features[j], data.fills[j]
    if not feature.numeric or fill.kind not in ("mean", "category"):
        return
    at = sum(_width(data, k) for k in columns[:place])
    there = ~feature.missing
    total = np.zeros(len(copies.kept))
    count = np.zeros(len(copies.kept))
    for w, v in zip(
        [copies.kept, *copies.weights], [copies.own[None], *copies.values], strict=True
    ):
        total += (w * v[..., at])[:, there].sum(axis=1, dtype=float)
        count += w[:, there].sum(axis=1, dtype=float)
    mean = (total / np.maximum(count, SMALLEST)).astype(copies.own.dtype)
    values = []
    for v in copies.values:
        wide = np.array(np.broadcast_to(v, (len(mean), *v.shape[1:])))
        wide[:, :, at] = np.where(there, wide[:, :, at], mean[:, None])
        values.append(wide)
    gone = np.where(there, 0.0, copies.kept).astype(copies.kept.dtype)
    copies.values = [*values, values[0]]
    copies.kept = copies.kept - gone
    copies.weights = [*copies.weights, gone]


def _width(data: LinearData, j: int) -> int:
    block = data.groups.features[j].block
    return block.stop - block.start


def _penalties(data: LinearData, struck: StruckGroups, copies: Copies) -> np.ndarray:
    """Penalties by candidate: a scaler divides by the spread that is left."""
    ridge = np.repeat(data.ridge[None], len(struck.share), axis=0)
    place = 0
    for j in struck.columns:
        if data.groups.features[j].numeric and data.scalers[j] is not None:
            ratio = _spread_ratio(data.scalers[j], copies, place)
            ridge[:, copies.block[place]] *= np.clip(ratio, 1 / LARGEST_RATIO, LARGEST_RATIO)
        place += _width(data, j)
    if data.flag is not None and any(data.scalers) and copies.block[-1] == data.flag:
        lost = np.sum(copies.weights, axis=(0, 2), dtype=float)
        part = lost / np.maximum(lost + copies.kept.sum(axis=1, dtype=float), SMALLEST)
        ridge[:, data.flag] *= np.maximum(part * (1 - part), 1e-6)
    return ridge


def _spread_ratio(scaler: Any, copies: Copies, place: int) -> np.ndarray:
    """Square of what a scaler divides by, in what it divides clean rows by."""
    everything = list(
        zip([copies.kept, *copies.weights], [copies.own[None], *copies.values], strict=True)
    )
    n = len(copies.kept)
    if isinstance(scaler, StandardScaler):
        sums = np.zeros((3, n))
        for w, v in everything:
            z = v[..., place]
            for power in range(3):
                sums[power] += (w * z**power).sum(axis=1, dtype=float)
        mean = sums[1] / np.maximum(sums[0], SMALLEST)
        return sums[2] / np.maximum(sums[0], SMALLEST) - mean**2
    if isinstance(scaler, (MinMaxScaler, MaxAbsScaler)):
        low, high = np.full(n, np.inf), np.full(n, -np.inf)
        for w, v in everything:
            z = np.broadcast_to(v[..., place], w.shape)
            low = np.minimum(low, np.where(w > 0, z, np.inf).min(axis=1))
            high = np.maximum(high, np.where(w > 0, z, -np.inf).max(axis=1))
        return ((high - low) / max(float(np.ptp(copies.own[:, place])), SMALLEST)) ** 2
    # quantiles hardly move
    return np.ones(n)
