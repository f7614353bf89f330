"""The first steps of many logistic models, on training rows and in single precision.

All candidates begin at the same coefficients. There, what a candidate changes of gradient and
Hessian is a sum over the rows that it strikes, which is a product of matrices for a whole batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg import cho_solve

from ._struck_groups import StruckGroups

if TYPE_CHECKING:
    from ._linear_proxy import LinearProxy

MEMORY = 6
# a step is bold at first, but no margin moves by more
BOLDEST = 4.0
SMALLEST = 1e-12
# single precision does not bring steps below
SETTLED = 1e-3
# of so many of the rows, all are taken rather than copied
MOST = 0.7


class RoughSteps:
    """Steps on one split.

    Parameters
    ----------
    proxy : LinearProxy
        The models.
    fold : int
        The split.
    """

    def __init__(self, proxy: LinearProxy, fold: int) -> None:
        weights = proxy.groups.trains[fold]
        self.rows = np.flatnonzero(weights > 0)
        self.all_rows = len(self.rows) == len(weights)
        self.weights, self.y = weights[self.rows], proxy.y[self.rows]
        self.Z = np.ascontiguousarray(proxy.Z[self.rows])
        self.Z_turned = np.ascontiguousarray(self.Z.T)
        self.ridge = proxy.ridge
        self.clean, factor = proxy.clean[fold]
        d = self.Z.shape[1]
        self.newton = proxy.newton
        if self.newton:
            self.products = proxy.products[self.rows]
            self.square = np.empty((d, d), dtype=int)
            self.square[proxy.pairs] = self.square[proxy.pairs[::-1]] = np.arange(
                len(proxy.pairs[0])
            )
        else:
            self.inverse = cho_solve(factor, np.eye(d))
        self._starts: dict[float, _Start] = {}

    def start(self, part: float) -> _Start:
        """What is common to all candidates at a part of the clean coefficients."""
        if part not in self._starts:
            self._starts[part] = _Start(self, part * self.clean)
        return self._starts[part]

    def batch(
        self, struck: StruckGroups, lost: np.ndarray, block: Any, fill: np.ndarray | None
    ) -> RoughBatch:
        """A batch of candidates, of which `lost` are the shares of groups that are not as before.

        Parameters
        ----------
        struck : StruckGroups
            The candidates.
        lost : ndarray of float32, shape (n_batch, n_groups)
            Shares, those that are missing in any case included.
        block : ndarray of int or None
            Columns of the design that are hit.
        fill : ndarray of shape (n_batch, n_block) or None
            What they hold then.
        """
        lost = lost if self.all_rows else lost[:, self.rows]
        flipped = None if struck.flipped is None else struck.flipped[self.rows]
        return RoughBatch(self, struck.kind, lost, flipped, block, fill)


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


class RoughBatch:
    """A batch of candidates; see `RoughSteps.batch`."""

    def __init__(
        self,
        steps: RoughSteps,
        kind: str,
        lost: np.ndarray,
        flipped: np.ndarray | None,
        block: Any,
        fill: np.ndarray | None,
    ) -> None:
        self.steps, self.kind, self.lost = steps, kind, lost
        self.block, self.fill = block, fill
        self.flipped = flipped
        self.start = steps.start(0.5 if kind == "labels" else 1.0)
        hit = np.flatnonzero(lost.any(axis=0))
        self.hit: Any = slice(None) if len(hit) > MOST * lost.shape[1] else hit
        self.Z_hit = steps.Z[self.hit]
        self.lost_hit = lost[:, self.hit]
        self.weights_hit = steps.weights[self.hit]
        if steps.newton:
            self.products_hit = steps.products[self.hit]

    def newton(self, most: int) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients after so many Newton steps, and changes of margins in the last of them."""
        steps, n = self.steps, len(self.lost)
        beta = np.repeat(self.start.beta[None], n, axis=0)
        margins = np.repeat(self.start.margins[None], n, axis=0)
        d = beta.shape[1]
        left = np.full(n, np.inf)
        for k in range(most):
            gradient, hessian = self._derivatives(beta, margins, first=k == 0)
            hessian[:, np.arange(d), np.arange(d)] += steps.ridge
            scale = np.trace(hessian, axis1=1, axis2=2)
            hessian[:, np.arange(d), np.arange(d)] += 1e-7 * scale[:, None] / d + SMALLEST
            step = -np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
            change = step.astype(np.float32) @ steps.Z_turned
            left = largest(change)
            damping = np.minimum(1.0, BOLDEST / np.maximum(left, SMALLEST))
            beta += damping[:, None] * step
            if k + 1 < most:
                change *= damping[:, None].astype(np.float32)
                margins += change
        return beta, left

    def quasi_newton(self, most: int) -> tuple[np.ndarray, np.ndarray]:
        """The same by steps of L-BFGS from the clean Hessian, for many columns."""
        steps, n = self.steps, len(self.lost)
        beta = np.repeat(self.start.beta[None], n, axis=0)
        margins = np.repeat(self.start.margins[None], n, axis=0)
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
            margins -= change
            before = gradient
            gradient, _ = self._derivatives(beta, margins, first=False)
            remember(moves, turns, step, gradient - before)
        return beta, left

    def _derivatives(
        self, beta: np.ndarray, margins: np.ndarray, *, first: bool
    ) -> tuple[np.ndarray, Any]:
        steps = self.steps
        gradient, flat = self._from_start() if first else self._of_kept(margins, steps.ridge * beta)
        hessian = flat[:, steps.square] if steps.newton else None
        if self.fill is not None:
            self._add_lost(beta, margins, gradient, hessian)
        return gradient, hessian

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

    def _of_kept(self, margins: np.ndarray, ridged: np.ndarray) -> tuple[np.ndarray, Any]:
        """Derivatives of rows as they were, with the labels that they have now."""
        steps = self.steps
        p = sigmoid(margins)
        if self.flipped is not None:
            weights: np.ndarray = steps.weights
            error = self.lost * (steps.y - self.flipped)
            error += p
        else:
            weights = self.lost * (steps.weights if self.kind == "duplicates" else -steps.weights)
            weights += steps.weights
            error = p.copy()
        error -= steps.y
        error *= weights
        gradient = (error @ steps.Z).astype(float)
        gradient += ridged
        if not steps.newton:
            return gradient, None
        np.subtract(1, p, out=error)
        error *= p
        error *= weights
        return gradient, (error @ steps.products).astype(float)

    def _add_lost(
        self, beta: np.ndarray, margins: np.ndarray, gradient: np.ndarray, hessian: Any
    ) -> None:
        """The part of struck rows, in which the columns hit hold what is imputed."""
        own, fill = beta[:, self.block].astype(np.float32), self.fill
        q = own @ -self.Z_hit[:, self.block].T
        q += margins[:, self.hit]
        q += (fill * own).sum(axis=1)[:, None]
        sigmoid(q, out=q)
        weights = self.lost_hit * self.weights_hit
        error = q - self.steps.y[self.hit]
        error *= weights
        sums = (error @ self.Z_hit).astype(float)
        # the last column is constant
        sums[:, self.block] = fill * sums[:, -1:]
        gradient += sums
        if hessian is None:
            return
        np.subtract(1, q, out=error)
        error *= q
        error *= weights
        part = (error @ self.products_hit).astype(float)[:, self.steps.square]
        sums = part[:, :, -1].copy()
        sums[:, self.block] = fill * sums[:, -1:]
        crossed = fill[:, :, None] * sums[:, None, :]
        part[:, self.block, :] = crossed
        part[:, :, self.block] = crossed.transpose(0, 2, 1)
        hessian += part


def sigmoid(margins: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Probabilities; tanh does not overflow, and is vectorised."""
    p = np.multiply(margins, 0.5, out=out)
    np.tanh(p, out=p)
    p += 1
    p *= 0.5
    return p


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
