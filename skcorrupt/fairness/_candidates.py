"""Pipelines that differ in one place, fitted and set against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from imblearn.pipeline import Pipeline as SamplingPipeline
from sklearn.pipeline import Pipeline

from skcorrupt.evaluation import Split, run_tasks
from skcorrupt.utils import progress_bar

from ._effects import Estimates
from ._memo import Cache
from ._problem import Problem, check_failures
from ._sensitive import GroupPair
from ._splits import CACHE_BYTES, Prediction, SplitResult, Variant, run_split


def with_samplers(pipeline: Pipeline, path: str) -> Pipeline:
    """The pipeline as one that takes samplers.

    Raises
    ------
    ValueError
        If the place for them is not at the top level.
    """
    if "__" in path:
        raise ValueError(
            f"candidates: {path!r} is inside of {path.rpartition('__')[0]!r}, where rows cannot be "
            "resampled; samplers go to the top level of a pipeline only."
        )
    return SamplingPipeline(pipeline.steps)


def run_models(
    pipelines: Sequence[Pipeline],
    variants: Sequence[Variant],
    problem: Problem,
    scorer: Any,
    pos_label: Any,
    *,
    n_jobs: int | None,
    verbose: int,
) -> list[list[SplitResult]]:
    """Run variants of several pipelines that differ in their final estimator.

    Parameters
    ----------
    pipelines : sequence of Pipeline
        They share what they agree in.
    variants : sequence of Variant
        The same for each.
    problem : Problem
        The splits.
    scorer : callable or None
        Performance.
    pos_label : label or None
        The favourable label.
    n_jobs : int or None
        Number of workers.
    verbose : int
        1 shows a progress bar.

    Returns
    -------
    list of list of SplitResult
        For each pipeline a result a split.
    """
    tasks = [(pipelines, variants, split, scorer, pos_label) for split in problem.splits]
    with progress_bar(len(tasks), verbose, "Comparing") as bar:
        done = run_tasks(_run, tasks, n_jobs=n_jobs, done=lambda _: bar.update())
    results = [[found[k] for found in done] for k in range(len(pipelines))]
    for mine in results:
        check_failures([result.whole for result in mine])
    return results


def _run(pipelines, variants, split: Split, scorer, pos_label) -> list[SplitResult]:
    cache = Cache(CACHE_BYTES)
    return [
        run_split(
            pipeline,
            variants,
            split,
            scorer,
            corruption=None,
            pos_label=pos_label,
            noise_floor=False,
            error_score=np.nan,
            cache=cache,
        )
        for pipeline in pipelines
    ]


def whole_of(estimates: Estimates) -> list[Prediction]:
    """What the pipeline itself made of each split."""
    return [result.whole for result in estimates.results]


def variant_of(estimates: Estimates, k: int) -> list[Prediction]:
    """What a variant made of each split."""
    return [result.variants[k] for result in estimates.results]


def scores_of(predictions: Sequence[Prediction]) -> dict[str, float]:
    """Mean scores over the splits on which there are any."""
    names = dict.fromkeys(name for each in predictions for name in each.scores)
    values = {name: [p.scores[name] for p in predictions if name in p.scores] for name in names}
    return {name: float(np.mean(scores)) for name, scores in values.items()}


def state_of(predictions: Sequence[Prediction], pair: GroupPair) -> dict[str, str]:
    """Whether a pipeline worked, and what to keep in mind."""
    errors = [each.error for each in predictions if each.error]
    return {
        "status": "failed" if len(errors) == len(predictions) else "ok",
        "message": "; ".join(filter(None, (*errors[:1], pair.message))),
    }


def gap_and_change(
    estimates: Estimates,
    new: Sequence[Prediction],
    old: Sequence[Prediction],
    pair: GroupPair,
    metric: str,
) -> dict[str, Any]:
    """The gap of a pipeline, and how its size differs from that of another.

    Parameters
    ----------
    estimates : Estimates
        The splits.
    new, old : sequence of Prediction
        What the pipeline and the other one made of them.
    pair : GroupPair
        The groups.
    metric : str
        The gap.

    Returns
    -------
    dict
        `gap` and `change` with intervals, the `p_value` of no change, `n_splits`.
    """
    tables = [table for table in estimates.tables(new, old, pair) if table is not None]
    levels = [estimates.gaps.levels(table) for table in tables]
    gap = estimates.interval([float(mine[metric]) for mine, _ in levels])
    change = estimates.interval([float(abs(a[metric]) - abs(b[metric])) for a, b in levels])
    return {
        "gap": gap["mean"],
        "gap_std": gap["std"],
        "gap_ci_low": gap["ci_low"],
        "gap_ci_high": gap["ci_high"],
        "change": change["mean"],
        "change_ci_low": change["ci_low"],
        "change_ci_high": change["ci_high"],
        "p_value": change["p_value"],
        "n_splits": len(levels),
    }


def score_change(
    estimates: Estimates, new: Sequence[Prediction], old: Sequence[Prediction]
) -> dict[str, Any]:
    """How the first score of a pipeline differs from that of another.

    Parameters
    ----------
    estimates : Estimates
        The splits.
    new, old : sequence of Prediction
        What the pipeline and the other one made of them.

    Returns
    -------
    dict
        `score_change` with interval, `score_p_value`.
    """
    first = next(iter(scores_of(old)), "")
    changes = [
        a.scores.get(first, np.nan) - b.scores.get(first, np.nan)
        for a, b in zip(new, old, strict=True)
    ]
    found = estimates.interval(changes)
    names = {"mean": "change", "ci_low": "ci_low", "ci_high": "ci_high", "p_value": "p_value"}
    return {f"score_{name}": found[key] for key, name in names.items()}
