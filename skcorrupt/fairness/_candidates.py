"""Pipelines that differ in one place, fitted and set against each other."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline

from skcorrupt.evaluation import Outcome
from skcorrupt.stats import corrected_interval
from skcorrupt.utils import N_JOBS
from skcorrupt.utils._compat import Interval
from skcorrupt.utils._typing import Estimator

from ._effects import Estimates, by_metric, failures, joined, named, scores_of
from ._sensitive import GroupPair

# what arguments of both functions may be
COMMON: dict[str, list[Any]] = {
    "pos_label": [Hashable],
    "alpha": [Interval(Real, 0, 1, closed="neither")],
    "n_jobs": N_JOBS,
    "verbose": ["verbose"],
}
LAST = ["n_splits", "status", "message"]


def with_samplers(pipeline: Pipeline, path: str, candidates: Mapping[str, Estimator]) -> Pipeline:
    """The pipeline as one that takes samplers, if there are any among the candidates.

    Raises
    ------
    ValueError
        If the place for them is not at the top level, or a step is a pipeline.
    """
    if not any(hasattr(candidate, "fit_resample") for candidate in candidates.values()):
        return pipeline
    refused = refusal_of_samplers(pipeline, path)
    if refused:
        raise ValueError(refused)
    # imported where it is used: it would be a fifth of the time of importing the package
    from imblearn.pipeline import Pipeline as SamplingPipeline

    params = pipeline.get_params(deep=False)
    known = set(SamplingPipeline(pipeline.steps).get_params(deep=False))
    return SamplingPipeline(**{name: value for name, value in params.items() if name in known})


def refusal_of_samplers(pipeline: Pipeline, path: str) -> str:
    """Why samplers cannot stand in a place of the pipeline, "" where they can."""
    if "__" in path:
        return (
            f"candidates: {path!r} is inside of {path.rpartition('__')[0]!r}, where rows cannot be "
            "resampled; samplers go to the top level of a pipeline only."
        )
    inner = [name for name, step in pipeline.steps if isinstance(step, Pipeline)]
    if not inner:
        return ""
    return (
        "candidates: samplers need a pipeline of imbalanced-learn, which takes no pipelines as "
        f"steps, such as {inner[0]!r}; put its steps at the top level, or leave samplers out."
    )


def compared(estimates: Estimates, new: Sequence[Outcome], old: Sequence[Outcome]) -> pd.DataFrame:
    """The gaps and scores of a pipeline, and how they differ from those of another.

    Parameters
    ----------
    estimates : Estimates
        The splits.
    new, old : sequence of Outcome
        What the pipeline and the other one made of them.

    Returns
    -------
    DataFrame
        One row per pair of groups and metric: `sensitive, group, metric, gap, change` (of the size
        of the mean gap) with intervals, the `p_value` of no change, mean scores, `score_change` of
        the first score with interval and `score_p_value`, `n_splits, status, message`.
    """
    never, said = failures(new)
    scores, others = scores_of(new), scores_of(old)
    shared = dict(scores.mean())
    first = next(iter(others), "")
    change = estimates.interval(
        pd.DataFrame({"score_change": scores.get(first, np.nan) - others.get(first, np.nan)})
    )
    shared |= named(change, "score_change").drop(columns="score_change_std").iloc[0]
    shared["score_p_value"] = change["p_value"].iloc[0]
    frames = []
    for pair in estimates.pairs:
        found = _gaps(estimates, estimates.tables(new, old, pair))
        state = {
            "status": "failed" if never else "ok",
            "message": said if never else joined(said, pair.message),
        }
        frames.append(found.assign(**pair.names, **shared, **state))
    return by_metric(frames)


def _gaps(estimates: Estimates, tables: list[np.ndarray]) -> pd.DataFrame:
    """The gaps of the first of two pipelines, and the change of their sizes."""

    metrics = estimates.gaps.metrics

    def combined(new: np.ndarray, old: np.ndarray) -> pd.DataFrame:
        def value(table: np.ndarray) -> dict[str, Any]:
            mine, theirs = estimates.gaps.levels(table)
            factors = zip(metrics, new, old, strict=True)
            return {name: a * mine[name] + b * theirs[name] for name, a, b in factors}

        return estimates.estimate(tables, value)

    one = np.ones(len(metrics))
    gap, other = combined(one, 0 * one), combined(0 * one, one)
    # the sizes of two means differ as the means do, each with its own sign
    new, old = (np.where(frame["mean"] < 0, -1.0, 1.0) for frame in (gap, other))
    change = combined(new, -old)
    # two gaps are of one size if their difference is 0 or their sum, and both have to be ruled out
    minus, plus = (combined(one, sign * one)["p_value"] for sign in (-1, 1))
    return pd.concat([named(gap, "gap"), named(change, "change")], axis=1).assign(
        p_value=np.maximum(minus, plus), n_splits=gap["n_splits"]
    )


def largest_gap_falls(
    estimates: Estimates,
    new: Sequence[Outcome],
    old: Sequence[Outcome],
    largest: GroupPair,
    metric: str,
) -> tuple[bool, float]:
    """Whether all gaps of a pipeline are smaller than the largest one of another.

    Parameters
    ----------
    estimates : Estimates
        The splits.
    new, old : sequence of Outcome
        What the pipeline and the other one made of them.
    largest : GroupPair
        The groups whose gap was the largest, known from other data.
    metric : str
        The gap.

    Returns
    -------
    fairer : bool
        Whether they are on average.
    p_value : float
        Of their not being so: the largest of all tests of a difference and of a sum, each of
        which has to be ruled out to be 0.
    """

    def gap(first: Sequence[Outcome], pair: GroupPair) -> np.ndarray:
        tables = estimates.tables(first, old, pair)
        return np.array([estimates.gaps.levels(table)[0][metric] for table in tables], dtype=float)

    before = gap(old, largest)
    fairer, p_values = True, []
    for pair in estimates.pairs:
        mine = gap(new, pair)
        if len(mine) != len(before):
            return False, float("nan")
        both = np.column_stack([before - mine, before + mine])
        tests = corrected_interval(both, estimates.problem.test_ratio)
        fairer &= bool(np.prod(tests.mean) > 0)
        p_values.append(tests.p_value)
    return fairer, float(np.max(p_values))
