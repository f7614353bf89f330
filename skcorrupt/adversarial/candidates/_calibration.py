"""What work takes, by doing a little of it: plans are made of such measurements."""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from skcorrupt.utils._typing import Estimator

from ._candidate import Candidate, Template
from ._candidate_space import CandidateSpace
from ._deadline import Deadline
from ._evaluator import Evaluator
from ._progress import Progress

# candidates that are scored to learn how long a fit takes, within some seconds
MEASURED = 5
ENOUGH_SECONDS = 1.0
TRIES = 200
MOST_LISTED = 2_000


def timed(work: Callable[[], Any], *, alone: bool = True) -> tuple[Any, float]:
    """Do some work, and how long that takes on a machine that does nothing else.

    Parameters
    ----------
    work : callable
        Called once.
    alone : bool, default=True
        Whether it is done by this process alone, of which the time on a processor is known too.

    Returns
    -------
    result : object
        What it returns.
    seconds : float
        On the clock, or on a processor where that is less.
    """
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return result, min(wall, cpu) if alone else wall


def some_candidates(space: CandidateSpace, most: int, seed: int) -> list[Candidate]:
    """Random candidates of the shortest patterns of which any can be scored, for measurements.

    Parameters
    ----------
    space : CandidateSpace
        The candidates.
    most : int
        How many, or fewer where there are not so many.
    seed : int
        Seed of the choice.

    Returns
    -------
    list of Candidate
        Different ones that can be scored.
    """
    rng = np.random.default_rng(seed)
    found: dict[bytes, Candidate] = {}
    for templates in _by_length(space):
        for _ in range(TRIES if templates else 0):
            template = templates[rng.integers(len(templates))]
            point = tuple(int(rng.integers(m)) for m in space.grid(template).shape)
            candidate = space.candidate(template, point)
            if not candidate.refused:
                found.setdefault(candidate.key, candidate)
            if len(found) >= most:
                break
        if found:
            break
    return list(found.values())


def _by_length(space: CandidateSpace) -> Iterator[list[Template]]:
    """The shortest templates, then longer ones, some of them where there are many."""
    shortest = space.first_templates()
    yield shortest
    reached = max((template.depth for template in shortest), default=0)
    for depth in space.depths:
        if depth > reached:
            yield list(itertools.islice(space.templates_of_depth(depth), MOST_LISTED))


def seconds_per_fit(evaluator: Evaluator, candidates: list[Candidate]) -> float:
    """Seconds of a fit of a corrupted pipeline and its score, on one core.

    Parameters
    ----------
    evaluator : Evaluator
        What would score the candidates; it is left as it is.
    candidates : list of Candidate
        A few.

    Returns
    -------
    float
        The median; NaN without candidates.
    """
    each = [seconds for _, seconds in scored_in_time(evaluator, candidates, ENOUGH_SECONDS)]
    return float(np.median(each)) / len(evaluator.splits) if each else np.nan


def scored_in_time(
    evaluator: Evaluator, candidates: list[Candidate], most_seconds: float
) -> list[tuple[float, float]]:
    """Scores of candidates one after another, until the time is over.

    Parameters
    ----------
    evaluator : Evaluator
        What would score the candidates; it is left as it is.
    candidates : list of Candidate
        In the order in which they are scored.
    most_seconds : float
        The last one is that with which so much has passed.

    Returns
    -------
    list of (float, float)
        The score and the seconds of each, NaN where a fit failed.
    """
    alone = works_alone(evaluator.estimator)
    found: list[tuple[float, float]] = []
    for candidate in candidates:
        scratch = scratch_of(evaluator)
        _, seconds = timed(lambda s=scratch, c=candidate: s.evaluate([c]), alone=alone)  # type: ignore[misc]
        found.append((scratch.done[candidate.key].score, seconds))
        if sum(seconds for _, seconds in found) > most_seconds:
            break
    return found


def scratch_of(evaluator: Evaluator) -> Evaluator:
    """An evaluator for measurements, which knows nothing and works alone, without a limit.

    Parameters
    ----------
    evaluator : Evaluator
        What would score candidates; it is left as it is.

    Returns
    -------
    Evaluator
        Of the same data.
    """
    return dataclasses.replace(
        evaluator,
        n_jobs=None,
        bar=Progress(),
        done={},
        journal=None,
        kept={},
        deadline=Deadline(),
        error_score=np.nan,
    )


def works_alone(estimator: Estimator) -> bool:
    """Whether an estimator is fitted in this process, and not by workers of its own."""
    params = estimator.get_params() if hasattr(estimator, "get_params") else {}
    jobs = (value for name, value in params.items() if name.rpartition("__")[2] == "n_jobs")
    return all(value in (None, 1) for value in jobs)
