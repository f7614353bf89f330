"""What a search will cost, before it runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ._confirmation import N_DRAWS
from .optimizers._make_optimizer import n_evaluations
from .strategies._beam import BeamSearch


@dataclass(frozen=True)
class SearchPlan:
    """Upper bounds on the work of a search.

    Attributes
    ----------
    n_templates : int
        Templates of the first round.
    n_evaluations : int
        Most distinct candidates that are scored.
    n_fits : int
        Most fits of the pipeline, confirmation and random draws included.
    seconds_per_fit : float
        Time of one fit and score on clean data.
    seconds : float
        Most seconds on the given number of workers, the search's own work not counted.
    without_proxy : SearchPlan or None
        With `proxy="auto"`, the same if no proxy agrees with the pipeline.
    """

    n_templates: int
    n_evaluations: int
    n_fits: int
    seconds_per_fit: float
    seconds: float
    without_proxy: SearchPlan | None = None

    def __str__(self) -> str:
        most = f"at most {self.n_evaluations} candidates and {self.n_fits} fits"
        said = f"{most} of {self.seconds_per_fit:.3f} s each: up to {_time(self.seconds)}"
        if self.without_proxy is None:
            return f"{said}; the search stops sooner when a round improves nothing"
        other = self.without_proxy
        return (
            f"{said} besides screening; if no proxy agrees with the pipeline, at most "
            f"{other.n_evaluations} candidates: up to {_time(other.seconds)}"
        )


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def plan_search(
    beams: Sequence[BeamSearch],
    n_splits: int,
    seconds_per_fit: float,
    *,
    n_workers: int,
    confirms: bool,
    refits: bool,
    n_budgets: int,
    most: Callable[[int], int],
) -> SearchPlan:
    """Count the evaluations of a beam search in the worst case.

    Parameters
    ----------
    beams : sequence of BeamSearch
        Searches that have not run: one, or one a member of a process.
    n_splits : int
        Fits a candidate.
    seconds_per_fit : float
        Time of one fit and score.
    n_workers : int
        Number of workers.
    confirms, refits : bool
        Whether the winner is confirmed and refitted.
    n_budgets : int
        Budgets, whose winners are compared with random errors and confirmed.
    most : callable
        Candidates of the whole search from those of the beam searches.

    Returns
    -------
    SearchPlan
        The bounds.
    """
    n_seeds = sum(len(beam.seeds()) for beam in beams)
    total = most(sum(map(_most_scored, beams)))
    # the last one is the trial fit that says whether the pipeline takes the error
    draws = N_DRAWS * n_splits + (N_DRAWS + 1) * confirms
    fits = (total + 1) * n_splits + draws * n_budgets + refits + 1
    return SearchPlan(n_seeds, total, fits, seconds_per_fit, fits * seconds_per_fit / n_workers)


def _most_scored(beam: BeamSearch) -> int:
    """Candidates of one beam search."""
    seeds = beam.seeds()
    first = sum(
        n_evaluations(beam.optimizer, beam.space.grid(template).size, beam.n_calls)
        for template in seeds
    )
    total, depths = first, [template.depth for template in seeds]
    largest = max((len(attributes) for attributes in beam.allowed.values()), default=0)
    levels = sorted((a.n_atoms for a in beam.space.attributes.values()), reverse=True)
    rest = len(beam.space.label_choices) * len(beam.space.rate_steps)
    deepest = min(beam.max_conditions, largest)
    for more in range(deepest - min(depths, default=deepest)):
        size = rest * math.prod(levels[: max(depths) + more + 1])
        calls = n_evaluations(beam.optimizer, size, beam.n_calls)
        total += beam.beam_width * max(0, largest - min(depths) - more) * calls
    return total
