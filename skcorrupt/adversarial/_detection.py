"""Which checks notice the worst error."""

from __future__ import annotations

from typing import Any

import pandas as pd

from skcorrupt.utils import warn

from ._problem import Problem
from .candidates import Evaluation, OutOfTime


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
    rows: list[dict[str, Any]] = []
    watched, deadline = problem.evaluator.watched, problem.evaluator.deadline
    if winner is not None and watched is not None:
        try:
            with deadline.ending():
                for row in watched.detection(winner.candidate, deadline.check):
                    rows.append(row)
        except OutOfTime:
            warn(
                f"max_time={deadline.seconds:g} s was over while checks were asked who notices the "
                f"worst error: detection_ has {len(rows)} of them. Raise it to see all."
            )
    return pd.DataFrame(rows, columns=["check", "alarm_rate", "min_batch_size", "min_rate"])
