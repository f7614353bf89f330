"""Many weighted linear models at once: what a candidate does to a pipeline, in expectation.

With mask m and rate r of a candidate, the training loss is the mean over the draws of the error,
Σ w [(1 − r m) ℓ(x, y) + r m ℓ(x', y')], with x', y' the corrupted row, so that no draw is needed.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Self

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from sklearn.linear_model import LinearRegression

from skcorrupt.evaluation import last_step
from skcorrupt.utils import Table
from skcorrupt.utils._typing import Estimator

from ._fixed_fills import fixed_fill
from ._imputation import Fill, fills_of, is_scaled, scalers_of
from ._proxy import Proxy
from ._proxy_groups import Groups
from ._proxy_score import ProxyScore
from ._rough_steps import RoughSteps, largest
from ._sigmoid import sigmoid
from ._struck_copies import LinearData, StruckCopies
from ._struck_groups import StruckGroups

# batches of this many fit the caches
BATCH = 64
# from so many columns on, Hessians of every candidate cost more than more steps without them
MOST_NEWTON = 40
MEMORY = 6
SCREEN_STEPS = {"labels": 3}
SCREEN_STEPS_LBFGS = {"labels": 6}
POLISH_STEPS = 25
TOLERANCE = 1e-6
# largest change of a margin down to which steps in single precision are as good
NEAR = 1e-2
# columns of a design that cost no more than the rest of a step
WIDTH = 32
# copies of rows, of which an error that changes values makes several
KIND_COST = {"missing": 2, "values": 8}
# a score of the user's own costs as much as so many models
SLOW_SCORE = 40
# of a class whose rows are nearly all struck, a few steps from clean coefficients say nothing
MOST_OF_CLASS = 0.7
SMALLEST = 1e-12


class LinearProxy(Proxy):
    """Weighted logistic or least-squares models for batches of candidates.

    Parameters
    ----------
    groups : Groups
        The data.
    fills : list of Fill
        What is imputed in every column.
    penalty : float
        Ridge penalty of the pipeline's model on all rows.
    scaled : bool
        Whether the penalty is on standardised columns.
    scalers : list of estimator or None
        What scales every column.
    """

    automatic = iterative = True
    taken = "two classes, or numbers"

    def __init__(
        self,
        groups: Groups,
        fills: list[Fill],
        penalty: float,
        scaled: bool,
        scalers: list[Any],
    ) -> None:
        self.groups, self.fills = groups, fills
        self.logistic = groups.n_classes == 2
        self.Z, spreads = groups.design, groups.spreads
        self.flag: int | None = None
        if any(fill.flagged for fill in fills):
            # before the constant, whether the column hit was missing: nowhere in clean rows
            self.flag = self.Z.shape[1] - 1
            self.Z = np.insert(self.Z, self.flag, 0.0, axis=1)
            spreads = np.append(spreads, 1.0)
        d = self.Z.shape[1]
        ridge = np.full(d, penalty * groups.share)
        if not scaled:
            ridge[:-1] /= spreads**2
        # nobody regularises the constant; something has to be above 0 for separated classes
        ridge[-1] = 0.0
        n_rows = groups.trains.sum() / len(groups.trains)
        # a column of tiny numbers has no effect in the pipeline; more than that is no use
        self.ridge = np.clip(ridge, 1e-6 * n_rows, 1e4 * n_rows)
        self.ridge[-1] = 0.0
        self.newton = d <= MOST_NEWTON
        self.pairs = np.triu_indices(d)
        if self.newton:
            self.products = np.ascontiguousarray(
                (self.Z[:, self.pairs[0]] * self.Z[:, self.pairs[1]]).astype(np.float32)
            )
        data = LinearData(groups, self.Z, self.ridge, fills, scalers, self.flag)
        self.copied = StruckCopies(data, self.newton)
        self.y = groups.y.astype(np.float32)
        self.clean = [self._clean(w) for w in groups.trains]
        self._rough: dict[int, RoughSteps] = {}
        # of all rows of a class, those of every group
        of_class = groups.y[:, None] == np.arange(2)
        self.class_shares = [
            (w[:, None] * of_class / np.maximum(w @ of_class, 1.0)).astype(np.float32)
            for w in groups.trains
        ]

    @classmethod
    def of(cls, estimator: Estimator, table: Table, groups: Groups, seed: int) -> Self:
        """The proxy of a pipeline: its penalty, its imputers and whether it scales."""
        model = last_step(estimator)
        strength = getattr(model, "C", None)
        usual = 0.0 if isinstance(model, LinearRegression) else 1.0
        penalty = 1.0 / float(strength) if strength else getattr(model, "alpha", usual)
        penalty = float(penalty) if isinstance(penalty, (int, float)) else 1.0
        return cls(
            groups,
            fills_of(estimator, table),
            penalty,
            is_scaled(estimator, table),
            scalers_of(estimator, table),
        )

    @classmethod
    def suits(cls, model: str) -> bool:
        """Every model for which there is no other proxy."""
        return True

    @classmethod
    def takes(cls, n_classes: int) -> bool:
        """Two classes, or numbers."""
        return n_classes in (0, 2)

    def cost(self, kind: str, fast: bool) -> float:
        """Wide designs take longer, and missing values, of which there are more rows."""
        wide = max(1.0, self.Z.shape[1] / WIDTH)
        return (1.0 if fast else SLOW_SCORE) * wide * KIND_COST.get(kind, 1)

    def scores(
        self, fold: int, struck: StruckGroups, score: ProxyScore, *, polish: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Scores of a batch of candidates, roughly or by converged models."""
        roughly = not polish and score.is_rough
        beta, left = self.fit(fold, struck, polish=polish, told=not roughly)
        if not roughly:
            return score.exact(fold, self.predictions(beta)), left
        rough = score.rough(fold, beta if self.flag is None else np.delete(beta, self.flag, axis=1))
        return rough, np.full(len(beta), np.inf)

    def misjudges(
        self, kind: str, masks: np.ndarray, rates: np.ndarray, score: ProxyScore
    ) -> np.ndarray:
        """Which candidates strike most of a class, of which a few steps say what is wrong."""
        if not self.logistic or not score.is_rough or kind == "duplicates":
            return np.zeros(len(masks), dtype=bool)
        shares = [rates[:, None] * (masks @ of_class) for of_class in self.class_shares]
        return np.asarray((np.stack(shares) > MOST_OF_CLASS).any(axis=(0, 2)))

    def fit(
        self, fold: int, struck: StruckGroups, *, polish: bool, told: bool = True
    ) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients under every candidate of a batch.

        Parameters
        ----------
        fold : int
            The split.
        struck : StruckGroups
            The candidates.
        polish : bool
            Whether to go on until the steps are negligible.
        told : bool, default=True
            Whether it is asked for how far a few steps leave the models from where they end.

        Returns
        -------
        beta : ndarray of shape (n_batch, n_design)
            Coefficients.
        left : ndarray of shape (n_batch,)
            Largest change of a margin in the last step.
        """
        if self.copied.takes(struck):
            return self.copied.fit(fold, struck, self.clean[fold][0], polish=polish)
        if not polish and self.logistic:
            return self._roughly(fold, struck, told=told)
        if not self.logistic:
            dtype = np.float64 if polish else np.float32
            return _Problem(self, fold, struck, dtype).least_squares()
        beta0, factor = self.clean[fold]
        start = 0.5 * beta0 if struck.kind == "labels" else beta0
        # where a few steps end, if they end anywhere
        begun, _ = self._roughly(fold, struck, told=False)
        beta = _where_finite(begun, start)
        if self.newton:
            # far from where they end, steps are as good in single precision
            near, _ = _Problem(self, fold, struck, np.float32).newton(beta, NEAR)
            beta = _where_finite(near, beta)
            return _Problem(self, fold, struck, np.float64).newton(beta, TOLERANCE)
        return _Problem(self, fold, struck, np.float64).lbfgs(beta, factor)

    def _roughly(
        self, fold: int, struck: StruckGroups, *, told: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """A few steps of logistic regressions."""
        share = struck.share.astype(np.float32, copy=False)
        kept = block = fill = None
        if struck.kind == "missing":
            features = [self.groups.features[j] for j in struck.columns]
            absent = np.logical_or.reduce([feature.missing for feature in features])
            if absent.any():
                share = np.where(absent, np.float32(1), share)
            kept = self.groups.trains[fold] * (1 - share)
            filled = [
                fixed_fill(feature, self.fills[j], kept)
                for j, feature in zip(struck.columns, features, strict=True)
            ]
            fill = np.concatenate(filled, axis=1).astype(np.float32)
            block = np.concatenate([np.arange(f.block.start, f.block.stop) for f in features])
        batch = self.steps(fold).batch(struck, share, kept, block, fill)
        if self.newton:
            return batch.newton(SCREEN_STEPS.get(struck.kind, 2), told=told)
        return batch.quasi_newton(SCREEN_STEPS_LBFGS.get(struck.kind, 4))

    def steps(self, fold: int) -> RoughSteps:
        """Training rows of a split and what is known of them, of logistic regressions."""
        if fold not in self._rough:
            self._rough[fold] = RoughSteps(
                self.Z,
                self.products if self.newton else None,
                self.pairs,
                self.groups.trains[fold],
                self.y,
                self.ridge,
                *self.clean[fold],
            )
        return self._rough[fold]

    def predictions(self, beta: np.ndarray) -> np.ndarray:
        """Probability of the second class, or the label, of shape (n_batch, n_groups)."""
        margins = beta.astype(np.float32) @ self.Z.T
        return sigmoid(margins, out=margins) if self.logistic else margins

    def _clean(self, weights: np.ndarray) -> tuple[np.ndarray, Any]:
        """Coefficients on clean data, and the factor of their Hessian."""
        Z, w, y = self.Z.astype(float), weights.astype(float), self.y.astype(float)
        beta = np.zeros(Z.shape[1])
        for _ in range(50):
            m = Z @ beta
            p = 1 / (1 + np.exp(-np.clip(m, -50, 50))) if self.logistic else m
            v = w * p * (1 - p) if self.logistic else w
            gradient = Z.T @ (w * (p - y)) + self.ridge * beta
            hessian = (Z * v[:, None]).T @ Z + np.diag(self.ridge)
            hessian[np.diag_indices_from(hessian)] += 1e-9 * max(w.sum(), 1.0)
            factor = cho_factor(hessian)
            step = -cho_solve(factor, gradient)
            change = abs(Z @ step).max()
            if self.logistic and change > 1e-3:
                step *= np.log1p(change) / change
            beta = beta + step
            if change < 1e-8 or not self.logistic:
                break
        return beta, factor


class _Problem:
    """Gradients and Hessians of a batch."""

    def __init__(self, proxy: LinearProxy, fold: int, struck: StruckGroups, dtype: Any):
        self.proxy, self.dtype, self.ridge = proxy, dtype, proxy.ridge
        weights, share = proxy.groups.trains[fold].astype(dtype), struck.share.astype(dtype)
        self.target = proxy.y.astype(dtype)
        self.block: Any = None
        if struck.kind == "missing":
            features = [proxy.groups.features[j] for j in struck.columns]
            absent = np.logical_or.reduce([feature.missing for feature in features])
            if absent.any():
                share = np.where(absent, 1.0, share).astype(dtype)
            self.block = np.concatenate([np.arange(f.block.start, f.block.stop) for f in features])
            kept = weights * (1 - share)
            filled = [
                fixed_fill(feature, proxy.fills[j], kept)
                for j, feature in zip(struck.columns, features, strict=True)
            ]
            self.fill = np.concatenate(filled, axis=1).astype(dtype)
        flipped = None if struck.flipped is None else struck.flipped.astype(dtype)
        self.Z = proxy.Z.astype(dtype, copy=False)
        if proxy.logistic:
            steps = proxy.steps(fold)
            self.Z = steps.Z.astype(dtype, copy=False)
            if steps.newton:
                self.products = steps.products.astype(dtype, copy=False)
            weights, share = weights[steps.rows], share[:, steps.rows]
            self.target = self.target[steps.rows]
            flipped = None if flipped is None else flipped[steps.rows]
        if flipped is not None:
            self.weights = np.broadcast_to(weights, share.shape)
            self.target = self.target + share * (flipped - self.target)
        elif struck.kind == "duplicates":
            self.weights = weights * (1 + share)
        else:
            self.weights, self.lost = weights * (1 - share), weights * share

    def _shifts(self, beta: np.ndarray) -> np.ndarray:
        """What margins of struck rows are above those of clean ones."""
        own = beta[:, self.block] @ self.Z[:, self.block].T
        filled = (self.fill * beta[:, self.block]).sum(axis=1)[:, None]
        return np.subtract(filled, own, out=own)

    def newton(self, beta: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
        """Damped Newton steps on all candidates, fewer of them as they converge."""
        everywhere, all_left = beta.astype(float), np.full(len(beta), np.inf)
        # places of those that have not converged
        at = np.arange(len(beta))
        beta = everywhere
        margins = beta.astype(self.dtype) @ self.Z.T
        d = beta.shape[1]
        upper = self.proxy.pairs
        ridge = np.diag(self.ridge)
        for _ in range(POLISH_STEPS):
            gradient, curvature, lost = self._derivatives(beta, margins)
            flat = (curvature @ self.products).astype(float)
            hessian = np.empty((len(beta), d, d))
            hessian[:, upper[0], upper[1]] = flat
            hessian[:, upper[1], upper[0]] = flat
            if lost is not None:
                self._add_lost(hessian, lost)
            hessian += ridge
            scale = np.trace(hessian, axis1=1, axis2=2)
            hessian[:, np.arange(d), np.arange(d)] += 1e-7 * scale[:, None] / d + SMALLEST
            step = -np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
            change = step.astype(self.dtype) @ self.Z.T
            left = largest(change)
            damping = _damping(left)
            beta = beta + damping[:, None] * step
            change *= damping[:, None].astype(self.dtype)
            margins += change
            everywhere[at], all_left[at] = beta, left
            going = np.flatnonzero(left >= tolerance)
            if not len(going):
                break
            if len(going) < len(at):
                at, beta, margins = at[going], beta[going], margins[going]
                self._keep(going)
        return everywhere, all_left

    def _keep(self, rows: np.ndarray) -> None:
        """Go on with some of the candidates."""
        self.weights = self.weights[rows]
        if self.target.ndim == 2:
            self.target = self.target[rows]
        if self.block is not None:
            self.lost = self.lost[rows]
            self.fill = self.fill[rows]

    def _derivatives(self, beta: np.ndarray, margins: np.ndarray) -> tuple[Any, Any, Any]:
        gradient, curvature = self._of_rows(sigmoid(margins), self.weights)
        lost = None
        if self.block is not None:
            shifted = self._shifts(beta.astype(self.dtype))
            shifted += margins
            moved, lost = self._of_rows(sigmoid(shifted, out=shifted), self.lost, self.fill)
            gradient += moved
        return gradient + self.ridge * beta, curvature, lost

    def _of_rows(self, p: np.ndarray, weights: np.ndarray, fill: Any = None) -> tuple[Any, Any]:
        """Gradient and curvature of rows with predictions `p`, which are overwritten."""
        error = p - self.target
        error *= weights
        gradient = (error @ self.Z).astype(float)
        if fill is not None:
            gradient[:, self.block] = fill * error.sum(axis=1)[:, None]
        curvature = np.multiply(weights, p, out=error)
        np.subtract(1, p, out=p)
        curvature *= p
        return gradient, curvature

    @cached_property
    def _beside_block(self) -> tuple[Any, np.ndarray, np.ndarray]:
        """Pairs of columns that are not hit, their products, and these columns."""
        rows, columns = self.proxy.pairs
        kept = ~(np.isin(rows, self.block) | np.isin(columns, self.block))
        products = np.ascontiguousarray(self.products[:, kept])
        others = np.setdiff1d(np.arange(self.Z.shape[1]), self.block)
        return (rows[kept], columns[kept]), products, others

    def _add_lost(self, hessian: np.ndarray, lost: np.ndarray) -> None:
        """The struck rows' part, in which the columns hit hold what is imputed."""
        (rows, columns), products, others = self._beside_block
        part = (lost @ products).astype(float)
        hessian[:, rows, columns] += part
        off = rows != columns
        hessian[:, columns[off], rows[off]] += part[:, off]
        crossed = (lost @ self.Z[:, others]).astype(float)
        block = self.fill[:, :, None] * crossed[:, None, :]
        own = self.fill[:, :, None] * self.fill[:, None, :] * lost.sum(axis=1)[:, None, None]
        hessian[:, self.block[:, None], others] += block
        hessian[:, others[:, None], self.block] += block.transpose(0, 2, 1)
        hessian[:, self.block[:, None], self.block] += own

    def lbfgs(self, beta: np.ndarray, factor: Any) -> tuple[np.ndarray, np.ndarray]:
        """Quasi-Newton steps from the clean Hessian, for many columns."""
        inverse = cho_solve(factor, np.eye(beta.shape[1]))
        beta = beta.astype(float)
        moves: list[np.ndarray] = []
        turns: list[np.ndarray] = []
        gradient, _, _ = self._derivatives(beta, beta.astype(self.dtype) @ self.Z.T)
        left = np.full(len(beta), np.inf)
        for _ in range(6 * POLISH_STEPS):
            direction = gradient.copy()
            stack = []
            for s, t in zip(reversed(moves), reversed(turns), strict=True):
                curve = np.maximum((s * t).sum(axis=1), SMALLEST)
                weight = (s * direction).sum(axis=1) / curve
                direction -= weight[:, None] * t
                stack.append((s, t, weight, curve))
            scale = 1.0
            if moves:
                bent = (turns[-1] * (turns[-1] @ inverse)).sum(axis=1)
                scale = ((moves[-1] * turns[-1]).sum(axis=1) / np.maximum(bent, SMALLEST))[:, None]
            direction = (direction @ inverse) * np.clip(scale, 0.1, 10.0)
            for s, t, weight, curve in reversed(stack):
                back = (t * direction).sum(axis=1) / curve
                direction += s * (weight - back)[:, None]
            change = direction.astype(self.dtype) @ self.Z.T
            left = largest(change)
            step = -_damping(left)[:, None] * direction
            beta = beta + step
            before = gradient
            gradient, _, _ = self._derivatives(beta, beta.astype(self.dtype) @ self.Z.T)
            turn = gradient - before
            good = (step * turn).sum(axis=1) > SMALLEST
            moves.append(np.where(good[:, None], step, 0.0))
            turns.append(np.where(good[:, None], turn, 0.0))
            moves, turns = moves[-MEMORY:], turns[-MEMORY:]
            if left.max() < TOLERANCE:
                break
        return beta, left

    def least_squares(self) -> tuple[np.ndarray, np.ndarray]:
        """The exact solutions."""
        n, d = len(self.weights), self.Z.shape[1]
        hessian = np.empty((n, d, d))
        gradient = np.empty((n, d))
        Z = self.Z.astype(float)
        target = np.broadcast_to(self.target, self.weights.shape)
        for i in range(n):
            w = self.weights[i].astype(float)
            hessian[i] = (Z * w[:, None]).T @ Z
            gradient[i] = Z.T @ (w * target[i])
            if self.block is not None:
                corrupted = Z.copy()
                corrupted[:, self.block] = self.fill[i]
                v = self.lost[i].astype(float)
                hessian[i] += (corrupted * v[:, None]).T @ corrupted
                gradient[i] += corrupted.T @ (v * target[i])
        hessian += np.diag(self.ridge)
        hessian[:, np.arange(d), np.arange(d)] += (
            1e-9 * np.trace(hessian, axis1=1, axis2=2)[:, None]
        )
        return np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0], np.zeros(n)


def _where_finite(beta: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """Coefficients of candidates, others where some of one's are infinite or no numbers."""
    return np.where(np.isfinite(beta).all(axis=1)[:, None], beta, otherwise)


def _damping(change: np.ndarray) -> np.ndarray:
    """Share of a step that is taken, by its largest change of a margin."""
    return np.log1p(change) / np.maximum(change, SMALLEST)
