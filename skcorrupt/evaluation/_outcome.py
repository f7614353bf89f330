"""What came of one fit."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.exceptions import FitFailedWarning

from skcorrupt.base import CorruptionRecord


@dataclass
class Outcome:
    """What came of one fit.

    Attributes
    ----------
    score : float or dict
        The score, or NaN (or the given error score) where something failed.
    fit_time, score_time : float
        Seconds; the corruption's own time is not in them.
    records : list of CorruptionRecord
        What was corrupted, training part first.
    error : str
        The error, or why the corrupted data could not be fitted; empty where all went well.
    infeasible : bool
        Whether the corrupted data was refused before any fit.
    estimator : estimator or None
        The fitted estimator, if asked for.
    """

    score: Any = np.nan
    fit_time: float = 0.0
    score_time: float = 0.0
    records: list[CorruptionRecord] = field(default_factory=list)
    error: str = ""
    infeasible: bool = False
    estimator: Any = None


def warn_of_failures(outcomes: list[Outcome], error_score: Any) -> None:
    """Say how many fits failed, and how the first one did."""
    failed = [outcome for outcome in outcomes if outcome.error and not outcome.infeasible]
    if failed:
        warnings.warn(
            f"{len(failed)} of {len(outcomes)} fits failed and score {error_score}; the first: "
            f"{failed[0].error}. Pass error_score='raise' to see the whole error.",
            FitFailedWarning,
            stacklevel=3,
        )
