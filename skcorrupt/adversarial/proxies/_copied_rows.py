"""Linear models on clean rows and on copies of them in which the columns hit hold other values.

A copy has the weight with which an error makes of a row what the copy holds. Where values may lie
far out, steps are halved until the loss falls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._sigmoid import sigmoid

SMALLEST = 1e-12
TOLERANCE = 1e-6
HALVINGS = 8
# a loss that is no higher but for rounding
ROUNDING = {np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-12}


@dataclass
class Copies:
    """What an error makes of the rows of a batch of candidates.

    Attributes
    ----------
    kept : ndarray of shape (n_batch, n_groups)
        Weights of the rows as they are.
    block : ndarray of int
        Columns of the design that differ in copies.
    own : ndarray of shape (n_groups, n_block)
        What rows hold in these as they are.
    weights : list of ndarray of shape (n_batch, n_groups)
        Weights of every copy.
    values : list of ndarray, each broadcastable to (n_batch, n_groups, n_block)
        What each copy holds.
    """

    kept: np.ndarray
    block: np.ndarray
    own: np.ndarray
    weights: list[np.ndarray]
    values: list[np.ndarray]

    def part(self, rows: np.ndarray) -> Copies:
        """Those of some of the candidates."""
        return Copies(
            self.kept[rows],
            self.block,
            self.own,
            [each[rows] for each in self.weights],
            [each if len(each) == 1 else each[rows] for each in self.values],
        )


class CopiedRows:
    """The loss of a linear model on rows and copies, and its minimum.

    Parameters
    ----------
    Z : ndarray of shape (n_groups, n_design)
        The clean design, of the precision that is asked for.
    target : ndarray of shape (n_groups,)
        Labels.
    copies : Copies
        The candidates.
    ridge : ndarray of shape (n_batch, n_design)
        Penalties.
    logistic : bool
        Whether labels are classes.
    curvature : ndarray of shape (n_design, n_design) or None
        The Hessian of clean rows without the penalty, which stands for that of others where there
        are many columns; None where each candidate has its own.
    """

    def __init__(
        self,
        Z: np.ndarray,
        target: np.ndarray,
        copies: Copies,
        ridge: np.ndarray,
        logistic: bool,
        curvature: np.ndarray | None,
    ) -> None:
        self.Z, self.target, self.copies, self.ridge = Z, target, copies, ridge
        self.logistic, self.curvature = logistic, curvature
        d = Z.shape[1]
        self.others = np.setdiff1d(np.arange(d), copies.block)
        self.pairs = np.triu_indices(len(self.others))
        self.products: Any = None
        if curvature is None:
            other = Z[:, self.others]
            self.products = other[:, self.pairs[0]] * other[:, self.pairs[1]]

    def solve(self, beta: np.ndarray, steps: int) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients, and the largest change of a clean margin in the last step.

        Parameters
        ----------
        beta : ndarray of shape (n_batch, n_design)
            Where to start.
        steps : int
            How many steps at most.

        Returns
        -------
        beta : ndarray of shape (n_batch, n_design)
            Coefficients.
        left : ndarray of shape (n_batch,)
            0 where the minimum was found at once.
        """
        if not self.logistic:
            step = self._step(self.copies, np.zeros_like(beta), self.ridge)
            return step, np.zeros(len(beta))
        found, all_left = beta.astype(float), np.full(len(beta), np.inf)
        going = np.arange(len(beta))
        loss = self._loss(self.copies, found, self.ridge)
        for _ in range(steps):
            some, ridge = self.copies.part(going), self.ridge[going]
            step = self._step(some, found[going], ridge)
            length = np.ones(len(going))
            new = np.full(len(going), np.inf)
            trying = np.arange(len(going))
            for _ in range(HALVINGS):
                at = going[trying]
                tried = found[at] + length[trying, None] * step[trying]
                new[trying] = self._loss(some.part(trying), tried, ridge[trying])
                allowed = ROUNDING[self.Z.dtype] * abs(loss[at])
                trying = trying[~(new[trying] <= loss[at] + allowed)]
                if not len(trying):
                    break
                length[trying] *= 0.5
            found[going] += length[:, None] * step
            loss[going] = new
            change = step.astype(self.Z.dtype) @ self.Z.T
            all_left[going] = abs(change).max(axis=1)
            going = going[all_left[going] >= TOLERANCE]
            if not len(going):
                break
        return found, all_left

    def _margins(self, copies: Copies, beta: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        narrow = beta.astype(self.Z.dtype)
        clean = narrow @ self.Z.T
        of_block = narrow[:, copies.block]
        without = clean - of_block @ self.Z[:, copies.block].T
        clean = without + of_block @ copies.own.T
        return clean, [without + (of_block[:, None, :] * v).sum(axis=2) for v in copies.values]

    def _loss(self, copies: Copies, beta: np.ndarray, ridge: np.ndarray) -> np.ndarray:
        clean, struck = self._margins(copies, beta)
        total = 0.5 * (ridge * beta**2).sum(axis=1)
        for w, m in zip([copies.kept, *copies.weights], [clean, *struck], strict=True):
            small = np.exp(-abs(m))
            # of single precision log1p takes three times as long, and a sum keeps no more digits
            tail = np.log1p(small) if m.dtype == float else np.log(1 + small)
            each = np.maximum(m, 0) + tail - m * self.target
            total = total + np.einsum("bg,bg->b", w, each, dtype=float)
        return total

    def _step(self, copies: Copies, beta: np.ndarray, ridge: np.ndarray) -> np.ndarray:
        """A Newton step, from errors and curvatures of rows and of copies."""
        n, d = beta.shape
        clean, struck = self._margins(copies, beta)
        errors, bends = [], []
        for w, m in zip([copies.kept, *copies.weights], [clean, *struck], strict=True):
            p = sigmoid(m) if self.logistic else m
            errors.append(w * (p - self.target))
            bends.append(w * p * (1 - p) if self.logistic else w)
        block, others = copies.block, self.others
        held = [copies.own[None], *copies.values]
        gradient = np.empty((n, d))
        gradient[:, others] = sum(errors) @ self.Z[:, others]
        gradient[:, block] = sum(
            np.einsum("bg,bgk->bk", e, np.broadcast_to(v, (n, *v.shape[1:])))
            if v.shape[1] > 1
            else e.sum(axis=1)[:, None] * v[:, 0]
            for e, v in zip(errors, held, strict=True)
        )
        hessian = np.empty((n, d, d))
        hessian[np.ix_(np.arange(n), others, others)] = self._elsewhere(np.sum(bends, axis=0))
        for i, column in enumerate(block):
            bent = [c * v[:, :, i] for c, v in zip(bends, held, strict=True)]
            row = sum(bent) @ self.Z[:, others]
            hessian[:, column, others] = row
            hessian[:, others, column] = row
            for k in range(i, len(block)):
                both = sum(
                    (b * v[:, :, k]).sum(axis=1, dtype=float)
                    for b, v in zip(bent, held, strict=True)
                )
                hessian[:, column, block[k]] = both
                hessian[:, block[k], column] = both
        gradient += ridge * beta
        hessian[:, np.arange(d), np.arange(d)] += ridge
        if self.curvature is not None:
            self._keep_definite(hessian, block)
        # columns of numbers far out have much larger entries than others
        unit = 1 / np.sqrt(np.maximum(np.diagonal(hessian, axis1=1, axis2=2), SMALLEST))
        scaled = hessian * unit[:, :, None] * unit[:, None, :]
        scaled[:, np.arange(d), np.arange(d)] += 1e-9 if not self.logistic else 1e-7
        step = -np.linalg.solve(scaled, (gradient * unit)[:, :, None])[:, :, 0] * unit
        return step

    def _elsewhere(self, bends: np.ndarray) -> np.ndarray:
        """Second derivatives by coefficients of columns that are not hit."""
        size = len(self.others)
        if self.curvature is not None:
            clean = self.curvature[np.ix_(self.others, self.others)]
            # the constant is last
            ratio = bends.sum(axis=1, dtype=float) / max(clean[-1, -1], SMALLEST)
            return ratio[:, None, None] * clean
        flat = bends @ self.products
        found = np.empty((len(bends), size, size))
        found[:, self.pairs[0], self.pairs[1]] = flat
        found[:, self.pairs[1], self.pairs[0]] = flat
        return found

    def _keep_definite(self, hessian: np.ndarray, block: np.ndarray) -> None:
        """Rows of the columns hit are exact and others are not: let them go together."""
        inner = hessian[np.ix_(np.arange(len(hessian)), self.others, self.others)].copy()
        size = len(self.others)
        inner[:, np.arange(size), np.arange(size)] += (
            1e-9 * np.trace(inner, axis1=1, axis2=2)[:, None]
        )
        crossed = hessian[np.ix_(np.arange(len(hessian)), self.others, block)]
        explained = np.einsum("bok,bok->bk", crossed, np.linalg.solve(inner, crossed))
        own = hessian[:, block, block]
        hessian[:, block, block] = np.maximum(own, 1.1 * explained)
