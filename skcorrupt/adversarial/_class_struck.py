"""Whether the worst error takes nearly all rows of a class, or their labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier

from skcorrupt.base import BaseCorruption
from skcorrupt.corruptions import CorruptLabels, SelectionBias
from skcorrupt.evaluation._parameters import take_rows
from skcorrupt.patterns import Pattern, as_pattern

from ._problem import Problem

NEARLY_ALL = 0.9


def class_struck(problem: Problem, corruption: BaseCorruption | None) -> dict[str, Any]:
    """The class that the worst error takes most of, as a share of its rows.

    Parameters
    ----------
    problem : Problem
        The search, done.
    corruption : BaseCorruption or None
        The worst error; None where there is none.

    Returns
    -------
    dict
        The class as a condition and the share of its rows that are lost or get another label, where
        that is nearly all; empty else, for a process, and where the pattern itself says so.
    """
    settings = problem.settings
    if not isinstance(corruption, (CorruptLabels, SelectionBias)) or settings.apply_to == "test":
        return {}
    if not is_classifier(settings.estimator) or not as_pattern(corruption.pattern).n_conditions:
        return {}
    data, rows = problem.data, problem.search_rows
    X, y = take_rows(data.X, rows), take_rows(data.y, rows)
    before = np.asarray(y)
    made = clone(corruption)
    _, after = made.fit_resample(X, y)
    taken = np.ones(len(before), dtype=bool)
    kept = made.sample_indices_
    taken[kept] = np.asarray(after) != before[kept]
    shares = pd.Series(taken).groupby(before, sort=True).mean()
    label, share = max(shares.items(), key=lambda pair: pair[1])
    if share < NEARLY_ALL:
        return {}
    return {"condition": str(Pattern({"y": label})), "share": float(share)}
