"""How much the search that decides by itself would ask of the pipeline, by counts alone."""

from __future__ import annotations

from skcorrupt.evaluation import last_step

from ..candidates import Candidate, CandidateSpace, SearchTask, finer_space
from . import _learning
from ._beam_run import first_calls, longer_calls
from ._beam_search import BeamSearch
from ._learning import AT_ONCE, POOL, candidates_up_to, n_points_up_to

# patterns of one condition that are all scored; of more than these, some of every template
MOST_FIRST = 4_096
# patterns of so many conditions are all scored, while training rows times patterns are fewer than
# these: where proxies order candidates otherwise than the pipeline, and where they do not
FEW_CONDITIONS = 2
FEW_ROWS_SEEN, FEW_ROWS_SEEN_TRUSTED = 1.5e7, 5e5
# rounds in which the pipeline's scores teach what to score next
LEAST_ROUNDS, MOST_ROUNDS = 20, 48
# training rows times candidates near the worst, that many of each of several leaders, and those
# with an end of a range elsewhere
FEW_ROWS_REFINED, NEAR_EACH, SWEPT_EACH = 2e6, 40, 32
LEAST_LEADERS, MOST_LEADERS = 2, 12
# training rows times candidates, as a linear model sees them, before a sample is searched on
MOST_ROWS_SEEN = 4e7
# how much more than that of a linear model a fit costs for each row
HEAVY = 10
LIGHT = ("Logistic", "Linear", "Ridge", "SGD", "NB", "DecisionTree", "Discriminant", "Lasso")


def n_shortest(space: CandidateSpace) -> int:
    """Points of the grids of the shortest patterns."""
    return sum(space.grid(template).size for template in space.first_templates())


def in_beam(space: CandidateSpace, goes_on: float = 1.0) -> float:
    """Candidates that a beam scores when the shortest patterns, or some of them, were scored."""
    beam = BeamSearch()
    longer = longer_calls(space, beam.n_calls, beam.beam_width, goes_on)
    return longer + (first_calls(space, beam.n_calls) if n_shortest(space) > MOST_FIRST else 0)


def rows_of(task: SearchTask) -> float:
    """Training rows of a candidate, as a linear model sees them."""
    n_rows = sum(len(split.train) for split in task.evaluator.splits)
    model = type(last_step(task.evaluator.estimator)).__name__
    return float(n_rows * (1 if any(part in model for part in LIGHT) else HEAVY))


def rows_seen(task: SearchTask) -> float:
    """Training rows of all patterns of one condition of a budget, as a linear model sees them."""
    return min(n_shortest(task.space), MOST_FIRST) * rows_of(task)


def rounds_of(task: SearchTask) -> int:
    """How often the pipeline's scores teach what to score next: oftener where rows are few."""
    able = FEW_ROWS_SEEN / (AT_ONCE * rows_of(task))
    return int(min(max(able, LEAST_ROUNDS), MOST_ROUNDS))


def leaders_of(task: SearchTask) -> int:
    """From how many of the worst it goes to all that is near: more where rows are few."""
    able = FEW_ROWS_REFINED / (NEAR_EACH * rows_of(task))
    return int(min(max(able, LEAST_LEADERS), MOST_LEADERS))


def on_all_rows(task: SearchTask) -> bool:
    """Whether all patterns of one condition can be scored on all rows."""
    return rows_seen(task) <= MOST_ROWS_SEEN


def pair_spaces(task: SearchTask, space: CandidateSpace, *, trusted: bool) -> list[CandidateSpace]:
    """The grid and a finer one, where the pipeline scores all their patterns of two conditions.

    Parameters
    ----------
    task : SearchTask
        The search for one kind of error.
    space : CandidateSpace
        The candidates of the budget.
    trusted : bool
        Whether a proxy orders candidates as the pipeline does.

    Returns
    -------
    list of CandidateSpace
        Both or none, by rows, patterns and the kind of estimator.
    """
    if max(space.depths, default=0) < FEW_CONDITIONS:
        return []
    most = FEW_ROWS_SEEN_TRUSTED if trusted else FEW_ROWS_SEEN
    finer = finer_space(space, _learning.N_BINS)
    n_points = n_points_up_to(finer, FEW_CONDITIONS)
    few = n_points <= POOL and n_points * rows_of(task) <= most
    return [space, finer] if few else []


def pairs_of(spaces: list[CandidateSpace]) -> dict[bytes, Candidate]:
    """The patterns of two conditions at most, by key."""
    return {c.key: c for each in spaces for c in candidates_up_to(each, FEW_CONDITIONS)}
