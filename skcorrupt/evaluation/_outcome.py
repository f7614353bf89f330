"""What came of one fit."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.exceptions import FitFailedWarning

from skcorrupt.base import CorruptionRecord
from skcorrupt.utils import warn
from skcorrupt.utils._typing import ErrorScore

MOST_SAID = 300


@dataclass
class Outcome:
    """What came of one fit.

    Attributes
    ----------
    score : float or dict
        The score, or NaN (or the given error score) where something failed.
    fit_time, score_time : float
        Seconds; the corruption's own time is not in them.
    row_fraction : float
        Share of the rows struck in the part that is corrupted first; NaN where none is.
    records : list of CorruptionRecord
        What was corrupted, training part first.
    error : str
        The error, or why the corrupted data could not be fitted; empty where all went well.
    infeasible : bool
        Whether the corrupted data was refused before any fit.
    estimator : estimator or None
        The fitted estimator, if asked for.
    predictions : ndarray of shape (n_test,) or None
        Predictions of the test rows, if asked for; None where they failed, not where a scorer did.
    served : (table, ndarray of int) or None
        With the estimator, where errors struck test rows: those rows, and for each of them its
        position among the clean ones.
    """

    score: Any = np.nan
    fit_time: float = 0.0
    score_time: float = 0.0
    row_fraction: float = np.nan
    records: list[CorruptionRecord] = field(default_factory=list)
    error: str = ""
    infeasible: bool = False
    estimator: Any = None
    predictions: np.ndarray | None = None
    served: tuple[Any, np.ndarray] | None = None

    @property
    def seconds(self) -> float:
        """Time of fit and score."""
        return self.fit_time + self.score_time


def error_in_words(error: Exception) -> str:
    """The kind of an error, its first line, and the function that raised it.

    Parameters
    ----------
    error : Exception
        What was raised.

    Returns
    -------
    str
        One line; scikit-learn's errors go on with advice of its own.
    """
    lines = str(error).strip().splitlines() or [""]
    # the first line says what happened, unless it announces the next
    text = " ".join(map(str.strip, lines)) if lines[0].rstrip().endswith(":") else lines[0]
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {text[:MOST_SAID]} ({last.name})"


def warn_of_failures(outcomes: list[Outcome], error_score: ErrorScore) -> None:
    """Say how many fits failed, and how the first one did.

    Parameters
    ----------
    outcomes : list of Outcome
        All that were asked for.
    error_score : float
        What a failed fit scores.
    """
    failed = [outcome for outcome in outcomes if outcome.error and not outcome.infeasible]
    if failed:
        warn(
            f"{len(failed)} of {len(outcomes)} fits failed and score {error_score}; the first: "
            f"{failed[0].error}. Pass error_score='raise' to see the whole error.",
            FitFailedWarning,
        )
