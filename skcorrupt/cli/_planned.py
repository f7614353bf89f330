"""How long several searches take together, before they run."""

from __future__ import annotations

import argparse
import contextlib
import warnings
from collections.abc import Sequence

import pandas as pd

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.evaluation import Plan
from skcorrupt.evaluation._plan import time_text


def planned(
    searches: Sequence[AdversarialCorruptionSearch],
    units: tuple[str, str],
    X: pd.DataFrame,
    y: pd.Series | None,
    args: argparse.Namespace,
) -> str:
    """How long all of them take; where the time is limited, none of it goes into a plan.

    Parameters
    ----------
    searches : sequence of AdversarialCorruptionSearch
        What is to be fitted, one after the other.
    units : (str, str)
        What one, and several, are called.
    X : DataFrame of shape (n_samples, n_features)
        Features.
    y : Series of shape (n_samples,) or None
        Labels.
    args : Namespace
        The arguments.

    Returns
    -------
    str
        A sentence without its end.
    """
    if args.max_time is not None:
        return f"{_count(len(searches), units)} in at most {args.max_time:g} s, as --max-time says"
    plans = []
    for search in searches:
        # what cannot be planned cannot be searched either, and is told of then
        with warnings.catch_warnings(), contextlib.suppress(Exception):
            warnings.simplefilter("ignore")
            plans.append(search.plan(X, y))
    lost = len(searches) - len(plans)
    left = f"; {_count(lost, units)} without a plan, of which is told in turn" if lost else ""
    if not plans:
        return _count(len(searches), units) + left
    n = sum(_expected(plan) for plan in plans)
    likely, most = sum(plan.seconds for plan in plans), sum(plan.most_seconds for plan in plans)
    return (
        f"{_count(len(plans), units)}, about {n} candidates in {time_text(likely)}, up to "
        f"{time_text(most)}{left}; --max-time limits it"
    )


def _count(n: int, units: tuple[str, str]) -> str:
    return f"{n} {units[n != 1]}"


def _expected(plan: Plan) -> int:
    return plan.n_evaluations if plan.expected_evaluations is None else plan.expected_evaluations
