"""What a search will cost, before it runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from skcorrupt.evaluation import Plan

from ._beam import BeamSearch
from ._confirmation import N_DRAWS
from ._optimizers import n_evaluations


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
) -> Plan:
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
    Plan
        The bounds.
    """
    n_seeds = sum(len(beam.seeds()) for beam in beams)
    total = most(sum(map(_most_scored, beams)))
    # the last one is the trial fit that says whether the pipeline takes the error
    draws = N_DRAWS * n_splits + (N_DRAWS + 1) * confirms
    fits = (total + 1) * n_splits + draws * n_budgets + refits + 1
    stops = "the search stops sooner when a round improves nothing"
    return Plan(n_seeds, total, fits, seconds_per_fit, n_workers, "candidates", stops)


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
