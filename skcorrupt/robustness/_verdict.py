"""The worst error of every pipeline on rows that no search saw, row by row the same for all."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skcorrupt.adversarial._confirmation import (
    DRAWS_A_RESAMPLE,
    N_DRAWS,
    N_RESAMPLES,
    _too_few,
)
from skcorrupt.adversarial._interruption import Interruption
from skcorrupt.adversarial._problem import Problem
from skcorrupt.adversarial._served import give_models
from skcorrupt.adversarial.candidates import Stream
from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import (
    Journal,
    Outcome,
    ReplayedEstimator,
    Split,
    distinct_draws,
    evaluate_split,
    going_on,
    make_splits,
    run_tasks,
    take_rows,
)
from skcorrupt.stats._bootstrap_interval import bootstrap_interval, resampled_bounds
from skcorrupt.utils import spawn_seeds, telling_bar

from ._contest import Contestant

KIND = "confirmations"


def _empty() -> np.ndarray:
    return np.full(0, np.nan)


@dataclass(frozen=True)
class Verdict:
    """Scores of a pipeline on the rows set aside, clean and under its worst error.

    Attributes
    ----------
    clean, score : float
        On the rows themselves; the second is the mean over the draws.
    clean_draws, draws : ndarray of shape (n_resamples,)
        On resamples of the rows, the same ones for every pipeline.
    message : str
        Why there is none, or what failed.
    """

    clean: float = np.nan
    score: float = np.nan
    clean_draws: np.ndarray = field(default_factory=_empty)
    draws: np.ndarray = field(default_factory=_empty)
    message: str = ""

    def bounds(self, name: str, n_units: int, alpha: float) -> tuple[float, float]:
        """Ends of the interval of "clean", "score" or "drop" over so many rows or groups."""
        drawn = {
            "clean": self.clean_draws,
            "score": self.draws,
            "drop": self.clean_draws - self.draws,
        }[name]
        return resampled_bounds(drawn, n_units, alpha) if len(drawn) else (np.nan, np.nan)


@dataclass(frozen=True)
class Hearing:
    """One pipeline and its worst error, and the rows that decide.

    Attributes
    ----------
    key : bytes
        What tells it from others.
    said : str
        The same in words.
    task : tuple
        Arguments of `judged`.
    """

    key: bytes
    said: str
    task: tuple[Any, ...]


def verdicts_of(
    contestants: Sequence[Contestant],
    *,
    journal: Journal | None,
    interruption: Interruption,
    n_jobs: int | None,
    verbose: int,
) -> dict[tuple[str, str, float], Verdict]:
    """Confirm the worst error of every pipeline, kind and budget.

    Parameters
    ----------
    contestants : sequence of Contestant
        With what was found for them.
    journal : Journal or None
        Keeps what was confirmed.
    interruption : Interruption
        Ends it early; what was not confirmed until then has no verdict.
    n_jobs : int or None
        Number of workers.
    verbose : int
        1 shows a progress bar.

    Returns
    -------
    dict of (str, str, float) to Verdict
        By pipeline, kind of error and budget.
    """
    places: dict[tuple[str, str, float], bytes] = {}
    hearings: dict[bytes, Hearing] = {}
    for contestant in contestants:
        for budget, hearing in _hearings(contestant):
            places[contestant.estimator, contestant.corruption, budget] = hearing.key
            hearings[hearing.key] = hearing
    kept = {} if journal is None else journal.read(KIND)
    outcomes = {key: kept[key] for key in hearings if key in kept}
    left = [each for key, each in hearings.items() if key not in kept]
    with (
        interruption.ends(lambda cause: _interrupted(cause, journal)),
        telling_bar(len(left), verbose, "Confirming") as bar,
    ):

        def note(found: tuple[bytes, list[Outcome]]) -> None:
            key, scores = found
            outcomes[key] = scores
            if journal is not None:
                journal.write(KIND, [(key, hearings[key].said, scores)])
            bar.update()

        tasks = [(each.key, *each.task) for each in left]
        run_tasks(judged, tasks, n_jobs=n_jobs, done=note, batch_size=1)
    found = {place: outcomes.get(key) for place, key in places.items()}
    unheard = Verdict(message="not confirmed: interrupted")
    return {
        place: unheard if scores is None else _verdict(scores) for place, scores in found.items()
    }


def _interrupted(cause: str, journal: Journal | None) -> str:
    """What is said of a confirmation that was ended early."""
    return (
        "The comparison was interrupted while the worst errors were confirmed: pipelines without a "
        f"confirmed score have no rank beside those with one; {cause} again stops that by raising. "
        f"{going_on(None if journal is None else journal.path, 'call')}"
    )


def _hearings(contestant: Contestant) -> Iterator[tuple[float, Hearing]]:
    """What is to be confirmed of one pipeline."""
    problem = contestant.problem
    if problem is None or problem.settings.confirm_size is None:
        return
    split, groups = _set_aside(problem)
    settings = problem.settings
    names = f"{contestant.corruption}\0{contestant.estimator}\0".encode()
    for budget in settings.budgets:
        error, key, said = None, b"clean", "without errors"
        if budget in contestant.worst:
            chosen = contestant.worst[budget][1].candidate
            error, key = chosen.corruption, chosen.key
            said = f"under {contestant.corruption} where {chosen.pattern}"
        rest = error, split, problem.evaluator.scorer, groups, settings.apply_to
        task = settings.estimator, *rest
        yield budget, Hearing(names + key, f"{contestant.estimator} {said}", task)


def _set_aside(problem: Problem) -> tuple[Split, Any]:
    """The rows that a search of the same seed confirms on, and their groups."""
    data = problem.data
    (split,) = make_splits(
        data.X,
        data.y,
        [(problem.search_rows, problem.confirm_rows)],
        spawn_seeds(data.seed, 1, Stream.HELD_OUT_SPLIT),
        fit_params=data.fit_params,
        score_params=data.score_params,
    )
    if problem.settings.apply_to == "test":
        give_models(problem.settings.estimator, [split], None)
    return split, None if data.groups is None else take_rows(data.groups, problem.confirm_rows)


def judged(
    key: bytes,
    estimator: Any,
    corruption: BaseCorruption | None,
    split: Split,
    scorer: Any,
    groups: Any,
    apply_to: Any,
) -> tuple[bytes, list[Outcome]]:
    """Fit with and without an error, and score on resamples of the same rows for every pipeline.

    Parameters
    ----------
    key : bytes
        Given back.
    estimator : estimator
        The pipeline.
    corruption : BaseCorruption or None
        Its worst error; None where there is none.
    split : Split
        Rows searched and rows set aside.
    scorer : callable
        The scorer.
    groups : array-like or None
        Groups that are resampled as a whole.
    apply_to : {"train", "test", "both"}
        Where the error strikes.

    Returns
    -------
    key : bytes
        That which was given.
    outcomes : list of Outcome
        The clean fit, `N_DRAWS` draws of the error, and scores on resamples, clean ones first; a
        single one, with its error, where nothing can be said.
    """
    reason = _too_few(estimator, split)
    if reason:
        return key, [Outcome(error=f"not confirmed: {reason}")]
    first, *seeds = spawn_seeds(split.seed, N_DRAWS + 1, Stream.CONFIRMATION)
    seeds = distinct_draws(split, corruption, seeds, apply_to)
    errors = [None] + [corruption] * len(seeds)
    fits = [
        evaluate_split(
            estimator,
            split,
            scorer,
            corruption=error,
            corruption_seed=seed,
            apply_to=apply_to,
            return_estimator=True,
        )
        for error, seed in zip(errors, [first, *seeds], strict=True)
    ]
    clean, drawn = fits[0], [each for each in fits[1:] or fits if not each.error]
    resamples: list[tuple[float, float]] = []
    alone = groups is not None and len(np.unique(np.asarray(groups))) < 2
    if not clean.error and drawn and not alone:
        resamples = _resampled(clean, drawn, split, scorer, groups)
    columns = zip(*resamples, strict=True)
    scores = [Outcome(score=float(value)) for column in columns for value in column]
    plain = [Outcome(score=each.score, error=each.error) for each in fits]
    if len(fits) < N_DRAWS + 1:
        plain = [plain[0], *[plain[-1]] * N_DRAWS]
    return key, plain + scores


def _resampled(
    clean: Outcome, drawn: list[Outcome], split: Split, scorer: Any, groups: Any
) -> list[tuple[float, float]]:
    """Clean and worst scores on resamples of rows and draws, which are those of all pipelines."""
    replays = [
        ReplayedEstimator(o.estimator, split.X_test, split.y_test, split.score_params, o.served)
        for o in [clean, *drawn]
    ]
    takes = any(replay.needs_rows(scorer) for replay in replays)
    found: list[tuple[float, float]] = []

    def difference(rows: np.ndarray, _: np.random.Generator) -> float:
        # a generator of its own, as pipelines differ in how many draws there are to pick from
        rng = np.random.default_rng([split.seed, len(found)])
        picked = rng.integers(N_DRAWS, size=DRAWS_A_RESAMPLE) % len(drawn)
        which, counts = np.unique(picked, return_counts=True)
        taken = replays[0].taken(rows) if takes else None
        scores = [replays[1 + i].score_on(scorer, rows, taken) for i in which]
        score = replays[0].score_on(scorer, rows, taken)
        found.append((score, float(np.average(scores, weights=counts))))
        return found[-1][0] - found[-1][1]

    with warnings.catch_warnings():
        # a resample may lack a class, which the scorers warn of; it is left out
        warnings.simplefilter("ignore")
        bootstrap_interval(
            difference,
            len(split.test),
            n_resamples=N_RESAMPLES,
            groups=None if groups is None else np.asarray(groups),
            seed=split.seed,
        )
    return found


def _verdict(outcomes: list[Outcome]) -> Verdict:
    """What came of a confirmation, whether made now or kept in a journal."""
    if len(outcomes) == 1:
        return Verdict(message=outcomes[0].error)
    fits, scores = outcomes[: N_DRAWS + 1], outcomes[N_DRAWS + 1 :]
    failed = [each for each in fits if each.error]
    said = ""
    if failed:
        said = (
            f"{len(failed)} of {len(fits)} fits of the confirmation failed, the first: "
            f"{failed[0].error}"
        )
    drawn = [float(each.score) for each in fits[1:] if not each.error]
    # JSON keeps NaN, SQLite's own column does not
    values = np.array([np.nan if s.score is None else s.score for s in scores], dtype=float)
    half = len(values) // 2
    return Verdict(
        clean=float(fits[0].score),
        score=float(np.mean(drawn)) if drawn else np.nan,
        clean_draws=values[:half],
        draws=values[half:],
        message=said,
    )
