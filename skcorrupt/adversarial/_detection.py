"""Which checks notice the worst error."""

from __future__ import annotations

import pandas as pd

from ._problem import Problem
from .candidates import Evaluation


def detection_of(problem: Problem, winner: Evaluation | None) -> pd.DataFrame:
    """How often checks alarm on the worst error, and from which size and rate on.

    Parameters
    ----------
    problem : Problem
        The search, done.
    winner : Evaluation or None
        The worst error; None where there is none.

    Returns
    -------
    DataFrame
        A row a check.
    """
    rows = []
    watched = problem.evaluator.watched
    if winner is not None and watched is not None:
        rows = watched.detection(winner.candidate)
    return pd.DataFrame(rows, columns=["check", "alarm_rate", "min_batch_size", "min_rate"])
