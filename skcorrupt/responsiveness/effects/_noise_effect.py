"""Random effects that come with every intervention, none included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from skcorrupt.utils import Reader, shorten

from ..rules._numbers import HUGE
from ..rules._people import Columns, Person
from ._effect import Effect


class NoiseEffect(Effect):
    """Normal noise on some columns, as from measuring them again.

    Parameters
    ----------
    targets : str or sequence of str
        The columns.
    scale : float, sequence of float or None, default=None
        Standard deviation of each.
    covariance : array-like of shape (n_targets, n_targets) or None, default=None
        In place of `scale`, for noise that is correlated.
    relative : bool, default=False
        Whether `scale` and `covariance` are in units of the present value.
    outside : {"clip", "redraw", "refuse"}, default="redraw"
        What becomes of a value beyond the bounds.

    Examples
    --------
    >>> from skcorrupt.responsiveness import NoiseEffect
    >>> NoiseEffect("bilirubin", scale=5.0)
    NoiseEffect(targets=['bilirubin'], scale=5.0, covariance=None, relative=False, outside='redraw')
    """

    is_random = True

    def __init__(
        self,
        targets: str | Sequence[str],
        scale: float | Sequence[float] | None = None,
        *,
        covariance: ArrayLike | None = None,
        relative: bool = False,
        outside: Literal["clip", "redraw", "refuse"] = "redraw",
    ) -> None:
        self.targets = Reader(targets, "targets").name_or_names()
        self.outside = outside
        self.relative = Reader(relative, "relative").boolean()
        k = len(self.targets)
        if (scale is None) == (covariance is None):
            raise ValueError(
                f"NoiseEffect: scale={scale!r} and covariance={covariance!r}; exactly one of them "
                "should be given: scale for independent noise, covariance for correlated noise."
            )
        if scale is not None:
            what = f"above 0 and at most {HUGE:g}, a number or one for each of the {k} targets"
            scales = Reader(scale, "scale").array((0, 1), what)
            if scales.shape not in ((), (1,), (k,)) or not np.all((scales > 0) & (scales <= HUGE)):
                Reader(scale, "scale").refuse(what)
            self._factor = np.diag(np.broadcast_to(scales, (k,)))
        else:
            matrix = Reader(covariance, "covariance").array((2,), "rows of numbers")
            if matrix.shape != (k, k) or not np.allclose(matrix, matrix.T):
                raise ValueError(
                    f"covariance has shape {matrix.shape}; it should be symmetric, with a row and "
                    f"a column for each of the {k} targets."
                )
            if not np.all(abs(matrix) <= HUGE):
                raise ValueError(
                    f"covariance={shorten(covariance)} should hold finite numbers, at most "
                    f"{HUGE:g} in size."
                )
            try:
                self._factor = np.linalg.cholesky(matrix)
            except np.linalg.LinAlgError as error:
                raise ValueError(f"covariance={covariance!r} is not positive definite.") from error
        self.scale = scale
        self.covariance = covariance

    def _draw(self, before: Person, after: Columns, n: int, rng: np.random.Generator) -> np.ndarray:
        noise = rng.standard_normal((n, len(self.targets))) @ self._factor.T
        return noise * np.abs([before[name] for name in self.targets]) if self.relative else noise
