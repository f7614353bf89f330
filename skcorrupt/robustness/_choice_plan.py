"""What a choice of parameters will cost, before it is made."""

from __future__ import annotations

from skcorrupt.adversarial._confirmation import DRAWS_A_RESAMPLE, N_DRAWS, N_RESAMPLES
from skcorrupt.adversarial._draws import seconds_per_replay
from skcorrupt.adversarial._search_plan import plan_of
from skcorrupt.adversarial.strategies import Search
from skcorrupt.evaluation import Plan

from ._attack import Attack
from ._halving import FINALISTS, HARDEST, ShortSearch, going_further

# both pipelines meet both errors on both halves of the rows that were set aside
MEETINGS = 8


def choice_plan(
    attack: Attack,
    n_candidates: int,
    *,
    n_full: int,
    n_fresh: int,
    refits: bool,
    seconds: float,
    max_time: float | None,
) -> Plan:
    """Count the errors that candidates are struck with, and the seconds of all fits.

    Parameters
    ----------
    attack : Attack
        The search on the given parameters, laid out; others are taken to be like it.
    n_candidates : int
        Candidates, the given parameters among them.
    n_full : int
        Candidates that are searched fully.
    n_fresh : int
        Searches that confirm the choice, each on a split of its own.
    refits : bool
        Whether the winner is refitted.
    seconds : float
        What it took to lay the search out.
    max_time : float or None
        What full searches may take together.

    Returns
    -------
    Plan
        The most, and what is expected.
    """
    problem = attack.problem
    n_splits, others = len(problem.splits), n_candidates - 1
    one = plan_of(problem, alone=True)
    # a search that foretells nothing takes the most
    each, known = one.seconds_per_fit, one.expected_fits or one.n_fits
    found = one.expected_evaluations or one.n_evaluations
    struck, n_short = 0, 0
    if others > FINALISTS:
        struck, n_short = others, going_further(others)
        n_short = n_short if n_short > FINALISTS else 0
    short = Search(ShortSearch(), problem.task)
    # who is searched shows the others what is hard for it, of so many as there are
    pools = [(struck, 1), (n_short, n_short), (n_full, n_short + n_full - 1)]
    most_tried = sum(n * min(HARDEST * by, one.n_evaluations) for n, by in pools)
    tried = sum(n * min(HARDEST * by, found) for n, by in pools)
    some, most_short = n_short * short.expected_work()[0], n_short * short.most_evaluations()
    # a fresh search has one split, whose fits are on all rows of the contest
    longer = len(problem.search_rows) / max(1.0, float(_mean_train(attack)))
    clean = sum(outcome.seconds for outcome in problem.clean)
    # all are scored without errors, and those who are struck once more as their search is laid out
    n_clean = n_candidates + struck
    once = n_clean * clean + (tried + some) * n_splits * each
    # those who are struck, and as many as are searched where there are few, are laid out
    once += max(struck + 1, n_full) * seconds + refits * longer * each
    if n_fresh:
        # of both pipelines on both halves
        replayed = 2 * 2 * seconds_per_replay(problem, len(problem.splits[0].test))
        resampled = N_RESAMPLES * DRAWS_A_RESAMPLE * replayed
        once += MEETINGS * N_DRAWS * longer * each + resampled * one.n_workers
    searching = n_full * known * each + n_fresh * known / n_splits * longer * each
    beside = n_full * one.other_seconds + n_fresh * (one.other_seconds + seconds)
    share = 1.0
    if max_time is not None:
        share = min(1.0, max_time / max(1e-9, searching / one.n_workers + beside))
    n_more = n_clean * n_splits + struck + refits + (MEETINGS * N_DRAWS if n_fresh else 0)
    most_once = once + (most_tried + most_short - tried - some) * n_splits * each
    fits = share * (n_full + n_fresh / n_splits) * known + (tried + some) * n_splits + n_more
    return Plan(
        one.n_scenarios,
        (n_full + n_fresh) * one.n_evaluations + most_tried + most_short,
        round((n_full + n_fresh / n_splits) * one.n_fits)
        + (most_tried + most_short) * n_splits
        + n_more,
        (once + share * searching) / max(1.0, fits),
        one.n_workers,
        "errors",
        f"{n_candidates} candidates, {n_full + n_fresh} full searches",
        expected_evaluations=round(share * (n_full + n_fresh) * found + tried + some),
        expected_fits=round(fits),
        other_seconds=share * beside,
        limit=max_time,
        free_seconds=0.0 if max_time is None else most_once / one.n_workers,
    )


def _mean_train(attack: Attack) -> float:
    splits = attack.problem.splits
    return sum(len(split.train) for split in splits) / len(splits)
