"""Selection bias."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skcorrupt.base import Edit, Mechanism, Noise, Reference, SampleCorruption
from skcorrupt.base._strikes_outside import OUTSIDE_RATIO, StrikesOutside
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import Table, Target
from skcorrupt.utils._typing import RandomState, Sampling


class SelectionBias(StrikesOutside, SampleCorruption):
    """Drop rows, so that part of the population is not in the data (example 2 of [1]_).

    Parameters
    ----------
    pattern : Pattern, str, dict or None, default=None
        Rows that can be dropped; None is every row.
    mechanism : MAR or None, default=None
        What makes rows more likely to be struck; None is completely at random.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is dropped; None is 0.1.
    outside_ratio : float in [0, 1], default=0.0
        Rate outside the pattern, as a ratio to `rate`: what is lost elsewhere.
        Needs a pattern; 0 is the rule that only matched rows are struck.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    record_ : CorruptionRecord
        What the last `fit_resample` changed.
    sample_indices_ : ndarray of int, shape (n_out,)
        Input positions of the rows that stay, in their order.

    References
    ----------
    .. [1] Zhu et al., "Stress-Testing ML Pipelines with Adversarial Data Corruption", 2025.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import SelectionBias
    >>> X = pd.DataFrame({"region": ["north", "south", "south", "north"]})
    >>> bias = SelectionBias(pattern="region == 'north' and y == 1", rate=1.0)
    >>> bias.fit_resample(X, [1, 1, 0, 0])
    (  region
    1  south
    2  south
    3  north, array([1, 0, 0]))
    """

    short_name = "selection"
    title = "rows that get lost"
    _drops = True
    _parameter_constraints: dict[str, Any] = {
        **SampleCorruption._parameter_constraints,
        **OUTSIDE_RATIO,
    }

    def __init__(
        self,
        *,
        pattern: PatternLike = None,
        mechanism: Mechanism | None = None,
        rate: float | None = None,
        outside_ratio: float = 0.0,
        sampling: Sampling = "uniform",
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            pattern=pattern,
            mechanism=mechanism,
            rate=rate,
            sampling=sampling,
            random_state=random_state,
        )
        self.outside_ratio = outside_ratio

    def _strike_rows(
        self,
        rows: np.ndarray,
        table: Table,
        target: Target | None,
        reference: Reference,
        noise: Noise,
    ) -> Edit:
        return Edit(dropped=rows)

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return "Dropping"

    def _simulated_as(self, *, classifier: bool) -> str | None:
        plain = self.mechanism is None and self.sampling == "uniform" and not self.outside_ratio
        return "selection" if plain else None
