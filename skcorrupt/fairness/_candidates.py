"""Pipelines that differ in one place, fitted and set against each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
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
        If the place for them is not at the top level, or a step is a pipeline.
    """
    if "__" in path:
        raise ValueError(
            f"candidates: {path!r} is inside of {path.rpartition('__')[0]!r}, where rows cannot be "
            "resampled; samplers go to the top level of a pipeline only."
        )
    inner = [name for name, step in pipeline.steps if isinstance(step, Pipeline)]
    if inner:
        raise ValueError(
            f"candidates: samplers need a pipeline of imbalanced-learn, which takes no pipelines "
            f"as steps, such as {inner[0]!r}; put its steps at the top level, or leave samplers "
            "out."
        )
    # imported where it is used: it would be a fifth of the time of importing the package
    from imblearn.pipeline import Pipeline as SamplingPipeline

    params = pipeline.get_params(deep=False)
    known = set(SamplingPipeline(pipeline.steps).get_params(deep=False))
    return SamplingPipeline(**{name: value for name, value in params.items() if name in known})


def takes_samplers(pipeline: Pipeline, path: str) -> bool:
    """Whether samplers can stand in a place of the pipeline."""
    return "__" not in path and not any(isinstance(step, Pipeline) for _, step in pipeline.steps)


def run_models(
    pipelines: Sequence[Pipeline],
    variants: Sequence[Variant],
    problem: Problem,
    scorer: Callable[..., Any] | None,
    pos_label: Hashable | None,
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


def _run(
    pipelines: Sequence[Pipeline],
    variants: Sequence[Variant],
    split: Split,
    scorer: Any,
    pos_label: Hashable | None,
) -> list[SplitResult]:
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
            model=k,
        )
        for k, pipeline in enumerate(pipelines)
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
    if len(errors) == len(predictions):
        return {"status": "failed", "message": errors[0]}
    partly = f"{len(errors)} of {len(predictions)} splits failed: {errors[0]}" if errors else ""
    return {"status": "ok", "message": "; ".join(filter(None, (partly, pair.message)))}


def gap_and_change(
    estimates: Estimates,
    new: Sequence[Prediction],
    old: Sequence[Prediction],
    pair: GroupPair,
    metric: str,
) -> dict[str, Any]:
    """The gap of a pipeline, and how the size of its mean differs from that of another.

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

    def estimate(factor_new: float, factor_old: float) -> dict[str, Any]:
        def value(table: np.ndarray) -> Any:
            mine, theirs = estimates.gaps.levels(table)
            return factor_new * mine[metric] + factor_old * theirs[metric]

        return estimates.estimate(tables, metric, value)

    gap, other = estimate(1.0, 0.0), estimate(0.0, 1.0)
    found = {
        "gap": gap["mean"],
        "gap_std": gap["std"],
        "gap_low": gap["ci_low"],
        "gap_high": gap["ci_high"],
    }
    # the sizes of two means differ as the means do, each with its own sign
    change = estimate(_sign(gap["mean"]), -_sign(other["mean"]))
    # two gaps are of one size if their difference is 0 or their sum, and both have to be ruled out
    pvalues = [estimate(1.0, factor)["p_value"] for factor in (-1.0, 1.0)]
    return found | {
        "change": change["mean"],
        "change_low": change["ci_low"],
        "change_high": change["ci_high"],
        "p_value": max(pvalues) if np.isfinite(pvalues).all() else np.nan,
        "n_splits": gap["n_splits"],
    }


def largest_gap_falls(
    estimates: Estimates,
    new: Sequence[Prediction],
    old: Sequence[Prediction],
    largest: GroupPair,
    metric: str,
) -> tuple[bool, float]:
    """Whether all gaps of a pipeline are smaller than the largest one of another.

    Parameters
    ----------
    estimates : Estimates
        The splits.
    new, old : sequence of Prediction
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
    before = [table for table in estimates.tables(old, old, largest) if table is not None]
    base = [float(estimates.gaps.levels(table)[0][metric]) for table in before]
    fairer, p_value = True, 0.0
    for pair in estimates.pairs:
        tables = estimates.tables(new, old, pair)
        mine = [float(estimates.gaps.levels(t)[0][metric]) for t in tables if t is not None]
        if len(mine) != len(base):
            return False, float("nan")
        less, more = (
            estimates.interval([b + sign * m for b, m in zip(base, mine, strict=True)])
            for sign in (-1.0, 1.0)
        )
        fairer &= less["mean"] * more["mean"] > 0
        p_value = float(np.maximum(p_value, np.maximum(less["p_value"], more["p_value"])))
    return fairer, p_value


def group_name(pair: GroupPair) -> str:
    """The two groups, as tables name them."""
    return f"{pair.unprivileged} / {pair.privileged}"


def _sign(value: float) -> float:
    return -1.0 if value < 0 else 1.0


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
    names = {
        "mean": "change",
        "ci_low": "change_low",
        "ci_high": "change_high",
        "p_value": "p_value",
    }
    return {f"score_{name}": found[key] for key, name in names.items()}
