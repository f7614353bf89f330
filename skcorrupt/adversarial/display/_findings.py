"""What words and pictures need of a fitted search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pandas as pd

from skcorrupt.base import BaseCorruption


class Findings(Protocol):
    """A fitted search, as far as it is shown."""

    budget: float | Sequence[float] | np.ndarray
    worst_corruption_: BaseCorruption | None
    worst_pattern_: Any
    worst_columns_: list[Any]
    worst_score_: float
    baseline_score_: float
    random_score_: float
    score_drop_: float
    confirmed_score_: float
    confirmed_baseline_score_: float
    confirmed_interval_: tuple[float, float]
    cv_results_: dict[str, np.ndarray]
    alternatives_: pd.DataFrame
    phases_: pd.DataFrame
    certificate_: pd.DataFrame
    checks: Sequence[Any] | None
    metric_name_: str
    n_draws_: int
    _target: Any

    def summary(self) -> str:
        """What was found, in a sentence."""
