"""The chosen pipeline and the original, under the worst errors that fresh searches find."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.exceptions import FitFailedWarning

from skcorrupt.adversarial._confirmation import (
    DRAWS_A_RESAMPLE,
    MIN_ROWS,
    N_DRAWS,
    N_RESAMPLES,
    confirmation_rows,
)
from skcorrupt.adversarial._served import give_models
from skcorrupt.adversarial.candidates import Candidate
from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import (
    Outcome,
    ReplayedEstimator,
    Split,
    corrupted_split,
    distinct_draws,
    evaluate_split,
    make_splits,
    run_tasks,
    take_rows,
    unsaid_of_no_effect,
)
from skcorrupt.stats import bootstrap_interval
from skcorrupt.utils import Target, shorten, spawn_seeds, warn
from skcorrupt.utils._typing import ApplyTo, ColumnLike, Estimator, TableLike

from ._attack import Attack
from ._halving import ROUNDING
from ._left_out import place_of
from ._shares_of_time import SharesOfTime

# numbers of streams of seeds
HALVES, SPLITS, DRAWS, RESAMPLES = range(101, 105)


@dataclass
class FreshConfirmation:
    """Scores on rows that took no part, and what the chosen pipeline gains.

    Attributes
    ----------
    worst, baseline_worst : float
        Scores of the chosen pipeline and of the original, each under the worse of both errors.
    clean, baseline_clean : float
        The same without errors.
    gain : float
        The difference of the first two.
    interval : (float, float)
        95 % bootstrap interval of the gain.
    """

    worst: float = np.nan
    baseline_worst: float = np.nan
    clean: float = np.nan
    baseline_clean: float = np.nan
    gain: float = np.nan
    interval: tuple[float, float] = (np.nan, np.nan)


@dataclass
class Measured:
    """A pipeline on one half of the rows, under the worst error of the other half.

    Attributes
    ----------
    clean : Outcome
        Without errors.
    draws : list of Outcome
        Under the error; none where no search could be done, or all fits failed.
    split : Split
        The rows.
    """

    clean: Outcome
    draws: list[Outcome]
    split: Split

    @property
    def score(self) -> float:
        """Mean score under errors; NaN where all fits failed."""
        scores = [float(o.score) for o in self.draws]
        return float(np.mean(scores)) if scores else np.nan


@dataclass
class Confirming:
    """Confirms a choice on the rows that were set aside.

    They are cut in two halves. On each half a fresh search finds the worst error of each pipeline,
    fitted on the rows of the contest, of those that strike any row of the other half. That half
    says what they do: both pipelines meet both errors, and each is told by the worse, so that
    which of two equal errors a search comes to makes no difference. Every row is scored under
    errors that were found without it, and the choice of the pipeline does not flatter itself.

    Attributes
    ----------
    X, y : table of shape (n_samples, n_features), array-like of shape (n_samples,)
        All data.
    fit_params, score_params : dict
        Parameters of `fit` and of the scorer.
    groups : array-like of shape (n_samples,) or None
        Groups that are kept together.
    contest_rows, rows : ndarray of int
        Rows of the contest, rows set aside.
    cv : int, splitter or None
        As it was given: of time-ordered rows the first half comes before the second.
    scorer : callable
        The scorer.
    apply_to : {"train", "test", "both"}
        Where errors strike.
    attack_on : callable
        `attack_on(estimator, rows, splits) -> Attack`: a search on some of the rows.
    shares : SharesOfTime
        What the searches may take.
    pool : sequence of Candidate
        Errors that were hard in the contest, which the fresh searches try, too.
    n_jobs : int or None
        Number of workers.
    seed : int
        Source of all seeds.
    left_out : set of (str, tuple), default=frozenset()
        Kinds and columns of errors on which all candidates raise, of which it was told already.
    """

    X: TableLike
    y: ColumnLike
    fit_params: dict[str, Any]
    score_params: dict[str, Any]
    groups: ColumnLike | None
    contest_rows: np.ndarray
    rows: np.ndarray
    cv: Any
    scorer: Callable[..., Any]
    apply_to: ApplyTo
    attack_on: Callable[..., Attack]
    shares: SharesOfTime
    pool: Sequence[Candidate]
    n_jobs: int | None
    seed: int
    left_out: Set[tuple[str, tuple[Any, ...]]] = frozenset()

    def confirm(self, chosen: Estimator, original: Estimator | None) -> FreshConfirmation:
        """Search and score.

        Parameters
        ----------
        chosen : estimator
            The pipeline with the best parameters.
        original : estimator or None
            That with the given ones; None where they are the best.

        Returns
        -------
        FreshConfirmation
            Scores, gain and interval; NaN, with a warning, where there are too few rows.
        """
        halves = self._halves(chosen)
        if isinstance(halves, str):
            warn(
                f"The choice is not confirmed: {halves}. Pass more rows, a larger confirm_size, "
                "or confirm_size=None."
            )
            return FreshConfirmation()
        pairs = [(halves[0], halves[1]), (halves[1], halves[0])]
        pipelines = [chosen] if original is None else [chosen, original]
        measured = [self._measured(pipelines, find, rate) for find, rate in pairs]
        weights = np.array([len(rate) for _, rate in pairs]) / len(self.rows)
        of_chosen = [here[0] for here in measured]
        worst, clean = _mean(of_chosen, weights), _clean(of_chosen, weights)
        if original is None:
            return FreshConfirmation(worst, worst, clean, clean, 0.0, (0.0, 0.0))
        of_original = [here[1] for here in measured]
        before = _mean(of_original, weights)
        # sums of equal scores may differ by how they are rounded
        gain = 0.0 if np.isclose(worst, before, rtol=ROUNDING, atol=0) else worst - before
        return FreshConfirmation(
            worst,
            before,
            clean,
            _clean(of_original, weights),
            gain,
            self._interval(of_chosen, of_original, weights),
        )

    def _halves(self, estimator: Estimator) -> tuple[np.ndarray, np.ndarray] | str:
        """Two halves of the rows set aside, or why there are none."""
        rows, y = self.rows, take_rows(self.y, self.rows)
        groups = None if self.groups is None else take_rows(self.groups, rows)
        if len(rows) < 2 * MIN_ROWS:
            return f"{len(rows)} rows are too few to confirm on (at least {2 * MIN_ROWS})"
        if groups is not None and len(np.unique(np.asarray(groups))) < 2:
            return "a single group holds all of the rows to confirm on"
        (seed,) = spawn_seeds(self.seed, 1, HALVES)
        # of groups that are cut was told when rows were set aside
        one, other = confirmation_rows(
            self.cv, estimator, Target(y), groups, 0.5, seed, tells=False
        )
        least = min(len(one), len(other))
        if least < MIN_ROWS:
            return f"half of the rows to confirm on are {least}, too few (at least {MIN_ROWS})"
        if is_classifier(estimator):
            for half in (one, other):
                if len(np.unique(Target(take_rows(y, half)).values)) < 2:
                    return "half of the rows to confirm on holds a single class"
        return rows[one], rows[other]

    def _measured(
        self, pipelines: Sequence[Estimator], find: np.ndarray, rate: np.ndarray
    ) -> list[Measured]:
        """Find the worst errors on one half, and draw them anew for the other one."""
        (split,) = make_splits(
            self.X,
            self.y,
            [(self.contest_rows, rate)],
            spawn_seeds(self.seed, 1, SPLITS),
            fit_params=self.fit_params,
            score_params=self.score_params,
        )
        seeds = spawn_seeds(self.seed, N_DRAWS, DRAWS, int(rate[0]))
        attacks = [self._attacked(estimator, find) for estimator in pipelines]
        with unsaid_of_no_effect():
            found = [self._worst_here(each, split, seeds) for each in attacks if each is not None]
            # the same one for both is drawn once
            errors = dict(each for each in found if each is not None)
            return [
                self._measure(estimator, [*errors.values()], split, seeds, done=attack is not None)
                for estimator, attack in zip(pipelines, attacks, strict=True)
            ]

    def _worst_here(
        self, attack: Attack, split: Split, seeds: list[int]
    ) -> tuple[bytes, BaseCorruption] | None:
        """The worst error found that strikes any row of a split, with its key."""
        for evaluation in attack.ranked:
            error = evaluation.candidate.corruption
            if error is None:
                continue
            if self.apply_to == "train" or _strikes(error, split, seeds, self.apply_to):
                return evaluation.candidate.key, error
        if attack.worst is not None:
            warn(
                f"None of the errors found on one half of the rows set aside strikes any of the "
                f"{len(split.test)} of the other half, where the confirmed score is that without "
                "errors. Pass more rows, or a larger confirm_size or budget."
            )
        return None

    def _measure(
        self,
        estimator: Estimator,
        errors: list[BaseCorruption],
        split: Split,
        seeds: list[int],
        *,
        done: bool,
    ) -> Measured:
        """What the worst of the errors does to a pipeline; nothing where its search failed."""
        drawn: list[tuple[int, BaseCorruption | None, int]] = [(0, None, split.seed)]
        for number, error in enumerate(errors, start=1):
            distinct = distinct_draws(split, error, seeds, self.apply_to)
            drawn += [(number, error, seed) for seed in distinct]
        if self.apply_to == "test":
            split = replace(split)
            # one that cannot be fitted says so where it is scored
            with suppress(Exception):
                give_models(estimator, [split], None)
        tasks = [
            (estimator, split, self.scorer, error, seed, self.apply_to) for _, error, seed in drawn
        ]
        outcomes = run_tasks(_fit, tasks, n_jobs=self.n_jobs)
        failed = [o for o in outcomes if o.error]
        if failed:
            warn(
                f"The pipeline failed on {len(failed)} of {len(outcomes)} fits of the "
                f"confirmation, which are left out of it; the first: {failed[0].error}. Check "
                "that the rows to confirm on suit the pipeline.",
                FitFailedWarning,
            )
        measured = []
        # where nothing can be struck, what is without errors is the worst
        for number in range(1, len(errors) + 1) if errors else [0]:
            draws = [
                outcome
                for (which, *_), outcome in zip(drawn, outcomes, strict=True)
                if which == number and not outcome.error
            ]
            if draws and done:
                measured.append(Measured(outcomes[0], draws, split))
        nothing = Measured(outcomes[0], [], split)
        return min(measured, key=lambda each: each.score, default=nothing)

    def _attacked(self, estimator: Estimator, find: np.ndarray) -> Attack | None:
        """A fresh search on some rows, told what it lacks; None where it cannot be done."""
        n = len(self.contest_rows)
        splits = [(np.arange(n), np.arange(n, n + len(find)))]
        try:
            attack = self.attack_on(estimator, np.concatenate([self.contest_rows, find]), splits)
            attack.try_out(self.pool)
            self.shares.run(attack)
        except (ValueError, TypeError, AttributeError) as error:
            warn(
                f"A fresh search against {shorten(estimator, 80)} could not be done on the rows "
                f"set aside, so that it has no confirmed score: {error} Where rows are too few, "
                "pass more, or a larger confirm_size.",
                FitFailedWarning,
            )
            return None
        raised = [e for e in attack.raised if place_of(attack, e.candidate) not in self.left_out]
        if raised:
            warn(
                f"{shorten(estimator, 80)} failed on {len(raised)} errors of a fresh "
                "search on the rows set aside, which do not count for its confirmed score; the "
                f"first: {raised[0].error}. Give the pipeline a step that takes such values.",
                FitFailedWarning,
            )
        if attack.worst is None:
            warn(
                f"On {len(find)} of the rows set aside no error is feasible within the budget, so "
                "the confirmed score is that without errors. Pass more rows, or a larger "
                "confirm_size or budget."
            )
        return attack

    def _interval(
        self, chosen: list[Measured], original: list[Measured], weights: np.ndarray
    ) -> tuple[float, float]:
        """Bootstrap over rows, or groups of these, and draws of both pipelines' errors."""
        if not all(m.draws for m in [*chosen, *original]):
            return np.nan, np.nan
        replays = [
            [
                [
                    ReplayedEstimator(
                        o.estimator, m.split.X_test, m.split.y_test, m.split.score_params, o.served
                    )
                    for o in m.draws
                ]
                for m in side
            ]
            for side in (chosen, original)
        ]
        order = np.concatenate([m.split.test for m in chosen])
        first = len(chosen[0].split.test)

        def gain(rows: np.ndarray, rng: np.random.Generator) -> float:
            totals = [0.0, 0.0]
            for half, weight in enumerate(weights):
                here = rows[rows < first] if half == 0 else rows[rows >= first] - first
                sides = [side[half] for side in replays]
                sizes = [len(several) for several in sides]
                # draws of one seed go together, as rows do
                picked = [rng.integers(n, size=min(DRAWS_A_RESAMPLE, n)) for n in sizes]
                if sizes[0] == sizes[1]:
                    picked[1] = picked[0]
                for i, several in enumerate(sides):
                    scores = [several[k].score_on(self.scorer, here) for k in picked[i]]
                    totals[i] += weight * float(np.mean(scores))
            # pipelines that predict the same differ by nothing at all
            return totals[0] - totals[1]

        (seed,) = spawn_seeds(self.seed, 1, RESAMPLES)
        with warnings.catch_warnings():
            # a resample may lack a class, which the scorers warn of; it is left out
            warnings.simplefilter("ignore")
            return bootstrap_interval(
                gain,
                len(order),
                n_resamples=N_RESAMPLES,
                groups=None if self.groups is None else np.asarray(take_rows(self.groups, order)),
                seed=seed,
            )


def _strikes(corruption: BaseCorruption, split: Split, seeds: list[int], apply_to: ApplyTo) -> bool:
    """Whether any draw of an error strikes a row that is scored."""
    return any(
        corrupted_split(split, corruption, seed, apply_to)[1][-1].row_fraction > 0 for seed in seeds
    )


def _fit(
    estimator: Estimator,
    split: Split,
    scorer: Any,
    corruption: BaseCorruption | None,
    seed: int,
    apply_to: ApplyTo,
) -> Outcome:
    return evaluate_split(
        estimator,
        split,
        scorer,
        corruption=corruption,
        corruption_seed=seed,
        apply_to=apply_to,
        return_estimator=True,
    )


def _mean(measured: list[Measured], weights: np.ndarray) -> float:
    return float(weights @ [m.score for m in measured])


def _clean(measured: list[Measured], weights: np.ndarray) -> float:
    return float(weights @ [float(m.clean.score) for m in measured])
