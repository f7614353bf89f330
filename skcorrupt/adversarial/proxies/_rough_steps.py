"""The first steps of many logistic models, on training rows and in single precision.

All candidates begin at the same coefficients. There, what a candidate changes of gradient and
Hessian is a sum over the rows that it strikes, which is a product of matrices for a whole batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import cho_solve

from ._sigmoid import sigmoid
from ._struck_groups import StruckGroups

MEMORY = 6
# a step is bold at first, but no margin moves by more
BOLDEST = 4.0
SMALLEST = 1e-12
# the second order says nothing of larger changes of a margin
FARTHEST = 1.5
# of so many of the rows, all are taken rather than copied
MOST = 0.7


class RoughSteps:
    """Steps on one split.

    Parameters
    ----------
    design : ndarray of float32, shape (n_groups, n_design)
        Columns, a constant one last.
    products : ndarray of float32, shape (n_groups, n_pairs), or None
        Products of pairs of columns; None where there are too many, and steps do without Hessians.
    pairs : tuple of two ndarray of int
        Which columns they are of.
    weights, y : ndarray of float32, shape (n_groups,)
        Training rows and labels of the groups.
    ridge : ndarray of shape (n_design,)
        Penalties.
    clean : ndarray of shape (n_design,)
        Coefficients on clean data.
    factor : tuple
        Cholesky factor of their Hessian.
    """

    def __init__(
        self,
        design: np.ndarray,
        products: np.ndarray | None,
        pairs: tuple[np.ndarray, ...],
        weights: np.ndarray,
        y: np.ndarray,
        ridge: np.ndarray,
        clean: np.ndarray,
        factor: Any,
    ) -> None:
        self.rows = np.flatnonzero(weights > 0)
        self.all_rows = len(self.rows) == len(weights)
        self.weights, self.y = weights[self.rows], y[self.rows]
        self.Z = np.ascontiguousarray(design[self.rows])
        self.Z_turned = np.ascontiguousarray(self.Z.T)
        self.labelled = self.y[:, None] * self.Z
        # no margin moves by more than a step times these
        self.extent = abs(self.Z).max(axis=0, initial=0).astype(float)
        self.ridge, self.clean = ridge, clean
        d = self.Z.shape[1]
        self.newton = products is not None
        if products is not None:
            self.products, self.pairs = products[self.rows], np.array(pairs)
            self.square = np.empty((d, d), dtype=int)
            self.square[pairs] = self.square[pairs[::-1]] = np.arange(len(pairs[0]))
        else:
            self.inverse = cho_solve(factor, np.eye(d))
        self._starts: dict[float, _Start] = {}
        self._filled: _Filled | None = None

    def start(self, part: float) -> _Start:
        """What is common to all candidates at a part of the clean coefficients."""
        if part not in self._starts:
            self._starts[part] = _Start(self, part * self.clean)
        return self._starts[part]

    def filled(self, start: _Start, block: np.ndarray) -> _Filled:
        """What is common to all candidates that hit the same columns."""
        if self._filled is None or not np.array_equal(self._filled.block, block):
            self._filled = _Filled(self, start, block)
        return self._filled

    def batch(
        self,
        struck: StruckGroups,
        lost: np.ndarray,
        kept: np.ndarray | None,
        block: Any,
        fill: np.ndarray | None,
    ) -> RoughBatch:
        """A batch of candidates, of which `lost` are the shares of groups that are not as before.

        Parameters
        ----------
        struck : StruckGroups
            The candidates.
        lost : ndarray of float32, shape (n_batch, n_groups)
            Shares, those that are missing in any case included.
        kept : ndarray of float32, shape (n_batch, n_groups), or None
            Training rows that are as before, where that is known.
        block : ndarray of int or None
            Columns of the design that are hit.
        fill : ndarray of shape (n_batch, n_block) or None
            What they hold then.

        Returns
        -------
        RoughBatch
            Ready to take steps.
        """
        lost = lost if self.all_rows else lost[:, self.rows]
        if kept is not None and not self.all_rows:
            kept = kept[:, self.rows]
        flipped = None if struck.flipped is None else struck.flipped[self.rows]
        return RoughBatch(self, struck.kind, lost, kept, flipped, block, fill)


class _Start:
    """Sums over clean rows at the coefficients where all begin."""

    def __init__(self, steps: RoughSteps, beta: np.ndarray) -> None:
        self.beta = beta
        self.margins = beta.astype(np.float32) @ steps.Z_turned
        p = sigmoid(self.margins)
        error = steps.weights * (p - steps.y)
        curvature = steps.weights * p * (1 - p)
        self.gradient = (error @ steps.Z).astype(float) + steps.ridge * beta
        self.parts = error[:, None] * steps.Z
        if steps.newton:
            self.flat = (curvature @ steps.products).astype(float)
            self.curved = curvature[:, None] * steps.products


class _Filled:
    """Sums over rows in which the columns hit hold the mean of clean ones, where all begin."""

    def __init__(self, steps: RoughSteps, start: _Start, block: np.ndarray) -> None:
        Z, weights = steps.Z, steps.weights
        self.block = block
        self.fill = weights @ Z[:, block] / weights.sum()
        self.own = np.flatnonzero(np.isin(steps.pairs, block).any(axis=0))
        self.own_products = np.ascontiguousarray(steps.products[:, self.own])
        own = start.beta[block]
        q = sigmoid(start.margins + ((self.fill - Z[:, block]) @ own).astype(np.float32))
        bent = weights * q * (1 - q)
        errors = (weights * (q - steps.y), bent, bent * (1 - 2 * q))
        curved = bent[:, None] * steps.products - start.curved
        curved[:, self.own] = -start.curved[:, self.own]
        self.parts = np.hstack([start.parts, *(each[:, None] * Z for each in errors), curved])


class RoughBatch:
    """A batch of candidates; see `RoughSteps.batch`."""

    def __init__(
        self,
        steps: RoughSteps,
        kind: str,
        lost: np.ndarray,
        kept: np.ndarray | None,
        flipped: np.ndarray | None,
        block: Any,
        fill: np.ndarray | None,
    ) -> None:
        self.steps, self.kind, self.lost, self._kept = steps, kind, lost, kept
        self.block, self.fill = block, fill
        self.others = np.delete(np.arange(len(steps.clean)), [] if block is None else block)
        self.flipped = flipped
        self.start = steps.start(0.5 if kind == "labels" else 1.0)
        hit = np.flatnonzero(lost.any(axis=0))
        self.hit: Any = slice(None) if len(hit) > MOST * lost.shape[1] else hit
        self.Z_hit, self.labelled_hit = steps.Z[self.hit], steps.labelled[self.hit]
        self.lost_hit = lost[:, self.hit]
        self.weights_hit = steps.weights[self.hit]

    def newton(self, most: int, *, told: bool) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients after so many Newton steps, and changes of margins in the last of them.

        Parameters
        ----------
        most : int
            Steps.
        told : bool
            Whether the changes are asked for; else they are infinite.

        Returns
        -------
        beta : ndarray of shape (n_batch, n_design)
            Coefficients.
        left : ndarray of shape (n_batch,)
            Largest change of a margin in the last step.
        """
        steps, n = self.steps, len(self.lost)
        beta = np.repeat(self.start.beta[None], n, axis=0)
        margins = self.start.margins[None]
        d = beta.shape[1]
        left = np.full(n, np.inf)
        for k in range(most):
            gradient, hessian = self._derivatives(beta, margins, first=k == 0)
            hessian[:, np.arange(d), np.arange(d)] += steps.ridge
            scale = np.trace(hessian, axis1=1, axis2=2)
            hessian[:, np.arange(d), np.arange(d)] += 1e-7 * scale[:, None] / d + SMALLEST
            step = -np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
            if k + 1 == most and not told:
                return beta + self._damped(step), np.full(n, np.inf)
            change = step.astype(np.float32) @ steps.Z_turned
            left = largest(change)
            damping = np.minimum(1.0, BOLDEST / np.maximum(left, SMALLEST))
            beta += damping[:, None] * step
            if k + 1 < most:
                change *= damping[:, None].astype(np.float32)
                change += margins
                margins = change
        return beta, left

    def _damped(self, step: np.ndarray) -> np.ndarray:
        """Steps that move no margin by more than is bold, without all margins."""
        far = np.flatnonzero(abs(step) @ self.steps.extent > BOLDEST)
        if len(far):
            change = largest(step[far].astype(np.float32) @ self.steps.Z_turned)
            step[far] *= np.minimum(1.0, BOLDEST / np.maximum(change, SMALLEST))[:, None]
        return step

    def quasi_newton(self, most: int) -> tuple[np.ndarray, np.ndarray]:
        """The same by steps of L-BFGS from the clean Hessian, for many columns."""
        steps, n = self.steps, len(self.lost)
        beta = np.repeat(self.start.beta[None], n, axis=0)
        margins = self.start.margins[None]
        gradient, _ = self._derivatives(beta, margins, first=True)
        moves: list[np.ndarray] = []
        turns: list[np.ndarray] = []
        left = np.full(n, np.inf)
        for k in range(most):
            direction = two_loops(gradient, moves, turns, steps.inverse)
            change = direction.astype(np.float32) @ steps.Z_turned
            left = largest(change)
            damping = np.log1p(left) / np.maximum(left, SMALLEST)
            step = -damping[:, None] * direction
            beta += step
            if k + 1 == most:
                break
            change *= damping[:, None].astype(np.float32)
            np.subtract(margins, change, out=change)
            margins = change
            before = gradient
            gradient, _ = self._derivatives(beta, margins, first=False)
            remember(moves, turns, step, gradient - before)
        return beta, left

    def _derivatives(
        self, beta: np.ndarray, margins: np.ndarray, *, first: bool
    ) -> tuple[np.ndarray, Any]:
        steps = self.steps
        if first and steps.newton and self.fill is not None:
            return self._filled_from_start(self.fill)
        if first:
            gradient, curvature = self._from_start()
        else:
            gradient, curvature = self._of_kept(margins)
            gradient += steps.ridge * beta
        lost = None
        if self.fill is not None:
            lost = self._of_lost(beta, margins, gradient, self.fill)
        if not steps.newton:
            return gradient, None
        if first:
            return gradient, curvature[:, steps.square]
        return gradient, self._hessian(curvature, lost)

    def _from_start(self) -> tuple[np.ndarray, Any]:
        """Derivatives where all begin: those of clean rows, less those of struck ones."""
        start, steps, n = self.start, self.steps, len(self.lost)
        gradient = np.repeat(start.gradient[None], n, axis=0)
        flat = np.repeat(start.flat[None], n, axis=0) if steps.newton else None
        if self.flipped is not None:
            moved = (self.flipped - steps.y)[self.hit] * self.weights_hit
            gradient -= self.lost_hit @ (moved[:, None] * self.Z_hit)
            return gradient, flat
        sign = 1.0 if self.kind == "duplicates" else -1.0
        gradient += sign * (self.lost_hit @ start.parts[self.hit])
        if flat is not None:
            flat += sign * (self.lost_hit @ start.curved[self.hit])
        return gradient, flat

    def _filled_from_start(self, fill: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives where all begin, by the second order of what is imputed in struck rows."""
        start, steps, block = self.start, self.steps, self.block
        filled = steps.filled(self.start, block)
        sums = (self.lost_hit @ filled.parts[self.hit]).astype(float)
        d = len(start.gradient)
        kept, lost, bent, twice = (sums[:, k * d : (k + 1) * d] for k in range(4))
        flat = start.flat + sums[:, 4 * d :]
        shift = np.clip((fill - filled.fill) @ start.beta[block], -FARTHEST, FARTHEST)[:, None]
        moved = lost + shift * bent + 0.5 * shift**2 * twice
        moved[:, block] = fill * moved[:, -1:]
        hessian = flat[:, steps.square]
        self._add_crossed(hessian, bent, fill)
        return start.gradient - kept + moved, hessian

    @property
    def kept(self) -> np.ndarray:
        """Training rows of the groups that are as before, and copies of them."""
        if self._kept is None:
            weights = self.steps.weights
            self._kept = self.lost * (weights if self.kind == "duplicates" else -weights)
            self._kept += weights
        return self._kept

    def _of_kept(self, margins: np.ndarray) -> tuple[np.ndarray, Any]:
        """Gradient and curvature of rows as they were, with the labels that they have now."""
        steps = self.steps
        p = sigmoid(margins)
        if self.flipped is not None:
            weights = steps.weights
            moved = (self.flipped - steps.y)[self.hit] * self.weights_hit
            labelled = self.lost_hit @ (moved[:, None] * self.Z_hit)
            labelled += weights @ steps.labelled
        else:
            weights = self.kept
            labelled = weights @ steps.labelled
        weighted = weights * p
        gradient = (weighted @ steps.Z).astype(float) - labelled
        return gradient, _curvature(p, weighted) if steps.newton else None

    def _of_lost(
        self, beta: np.ndarray, margins: np.ndarray, gradient: np.ndarray, fill: np.ndarray
    ) -> Any:
        """Add the gradient of struck rows, in which the columns hit hold what is imputed."""
        own = beta[:, self.block].astype(np.float32)
        q = own @ -self.Z_hit[:, self.block].T
        q += margins[:, self.hit]
        q += (fill * own).sum(axis=1)[:, None]
        sigmoid(q, out=q)
        weights = self.lost_hit * self.weights_hit
        labelled = weights @ self.labelled_hit
        weights *= q
        sums = (weights @ self.Z_hit).astype(float) - labelled
        # the last column is constant
        sums[:, self.block] = fill * sums[:, -1:]
        gradient += sums
        return _curvature(q, weights) if self.steps.newton else None

    def _hessian(self, curvature: np.ndarray, lost: Any) -> np.ndarray:
        steps = self.steps
        if lost is None or self.fill is None:
            return (curvature @ steps.products).astype(float)[:, steps.square]
        filled = steps.filled(self.start, self.block)
        own = curvature @ filled.own_products
        curvature[:, self.hit] += lost
        flat = (curvature @ steps.products).astype(float)
        flat[:, filled.own] = own
        hessian = flat[:, steps.square]
        self._add_crossed(hessian, (lost @ self.Z_hit).astype(float), self.fill)
        return hessian

    def _add_crossed(self, hessian: np.ndarray, sums: np.ndarray, fill: np.ndarray) -> None:
        """Products of what is imputed with other columns, and with itself."""
        sums = sums.copy()
        sums[:, self.block] = fill * sums[:, -1:]
        crossed = fill[:, :, None] * sums[:, None, :]
        hessian[:, self.block, :] += crossed
        others = self.others
        hessian[:, others[:, None], self.block] += crossed[:, :, others].transpose(0, 2, 1)


def _curvature(p: np.ndarray, weighted: np.ndarray) -> np.ndarray:
    """Curvatures, in place of probabilities, from these and from what they are times weights."""
    p *= weighted
    return np.subtract(weighted, p, out=p)


def largest(change: np.ndarray) -> np.ndarray:
    """The largest change of a margin by candidate."""
    return np.maximum(change.max(axis=1), -change.min(axis=1)).astype(float)


def two_loops(
    gradient: np.ndarray, moves: list[np.ndarray], turns: list[np.ndarray], inverse: np.ndarray
) -> np.ndarray:
    """Directions of L-BFGS, of shape (n_batch, n_design)."""
    direction = gradient.copy()
    stack = []
    for s, t in zip(reversed(moves), reversed(turns), strict=True):
        curve = np.maximum((s * t).sum(axis=1), SMALLEST)
        weight = (s * direction).sum(axis=1) / curve
        direction -= weight[:, None] * t
        stack.append((s, t, weight, curve))
    scale: Any = 1.0
    if moves:
        bent = (turns[-1] * (turns[-1] @ inverse)).sum(axis=1)
        scale = ((moves[-1] * turns[-1]).sum(axis=1) / np.maximum(bent, SMALLEST))[:, None]
    direction = (direction @ inverse) * np.clip(scale, 0.1, 10.0)
    for s, t, weight, curve in reversed(stack):
        back = (t * direction).sum(axis=1) / curve
        direction += s * (weight - back)[:, None]
    return direction


def remember(
    moves: list[np.ndarray], turns: list[np.ndarray], step: np.ndarray, turn: np.ndarray
) -> None:
    """Append a step and what it did to the gradient, where they make sense."""
    good = ((step * turn).sum(axis=1) > SMALLEST)[:, None]
    moves.append(np.where(good, step, 0.0))
    turns.append(np.where(good, turn, 0.0))
    del moves[:-MEMORY], turns[:-MEMORY]
