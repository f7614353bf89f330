"""Everything that is fixed before the search begins: data, splits, clean scores, candidates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import (
    REUSED_BYTES,
    Journal,
    Outcome,
    Split,
    checked_splitter,
    make_splits,
    sample_aligned,
    split_indices,
    take_rows,
)
from skcorrupt.utils import Table, Target, as_table, spawn_seeds
from skcorrupt.utils._typing import ColumnLike, Estimator, Folds, TableLike

from ._all_rows import AllRows
from ._clean_failure import raise_clean_failure
from ._confirmation import LEAST_DRAWS, N_DRAWS, Confirmation, confirm_on, confirmation_rows
from ._in_parts import InParts
from ._layout import lay_out
from ._preflight import warn_at_chance, warn_of_unknown_score
from ._served import give_models, is_fitted
from ._served_in_parts import raise_if_asked_often
from ._settings import SearchSettings
from ._template import members_of
from ._test_part import corrupt_test_part
from ._time_too_short import TimeTooShort, seconds_up
from .candidates import (
    Candidate,
    Deadline,
    Evaluation,
    Evaluator,
    FeasibilityCheck,
    FitData,
    KindsTask,
    OutOfTime,
    ProcessTask,
    Progress,
    SearchTask,
    Stream,
)
from .serving import ServedEvaluator, Watch, WatchedRows
from .strategies import Search

DEFAULT_FOLDS = 3
# standard error of random errors beside the drop of the worst, from which on it does not show
SMALL_ERROR = 0.01


@dataclass(frozen=True)
class Problem:
    """A search laid out but not begun.

    Attributes
    ----------
    settings : SearchSettings
        What is searched for, and how.
    data : FitData
        What it was given.
    task : SearchTask, ProcessTask or KindsTask
        What the strategy is given.
    clean : list of Outcome
        The clean pipeline on every split.
    baseline : float
        Its mean score.
    search_rows, confirm_rows : ndarray of int
        Rows searched, and rows set aside.
    all_rows : AllRows or None
        The table of which these are some rows; None where they are all.
    """

    settings: SearchSettings
    data: FitData
    task: SearchTask | ProcessTask | KindsTask
    clean: list[Outcome]
    baseline: float
    search_rows: np.ndarray
    confirm_rows: np.ndarray
    all_rows: AllRows | None = None

    @property
    def search(self) -> Search:
        """The strategy with what it searches."""
        return Search(self.settings.strategy, self.task)

    def of_table(self, table: InParts, journal: Journal | None) -> Problem:
        """The same search, of rows of a larger table.

        Parameters
        ----------
        table : InParts
            The table, of which the search holds some rows.
        journal : Journal or None
            Keeps what is counted, part by part.

        Returns
        -------
        Problem
            In which candidates are counted on all rows.

        Raises
        ------
        ValueError
            If a kind of error cannot be counted.
        """
        kinds = [*self.settings.templates]
        tasks = [*self.task.kinds.values()] if isinstance(self.task, KindsTask) else [self.task]
        spaces = {}
        for kind, task in zip(kinds, tasks, strict=True):
            if isinstance(task, ProcessTask):
                raise ValueError(
                    f"corruption: {kind!r} strikes rows that its members share out among them, "
                    f"which are not counted beyond the rows held. {table.source.name} has "
                    f"{table.drawn.n_rows} rows; pass sample_size={table.drawn.n_rows} or more, a "
                    "sample in memory, or the members one by one."
                )
            spaces[kind] = task.space
        return replace(self, all_rows=AllRows(table, spaces, journal))

    def worst(self, budget: float) -> Evaluation | None:
        """The worst within a budget, None where nothing is feasible.

        Parameters
        ----------
        budget : float
            Largest fraction of rows struck.

        Returns
        -------
        Evaluation or None
            Where the rows are some of a table, at a rate within the budget on all of them.
        """
        ranked = self.evaluator.within(budget)
        if self.all_rows is not None:
            return self.all_rows.worst(self.evaluator, ranked, budget)
        return next(iter(ranked), None)

    def counted(self, all_rows: AllRows) -> dict[str, Any]:
        """How many rows numbers rest on, as columns of `certificate_`."""
        return {
            # what was scored on some of the rows is no proof for all
            "proven": False,
            "n_rows_counted": all_rows.n_rows,
            "n_rows_searched": len(self.search_rows),
            "n_rows_confirmed": len(self.confirm_rows),
            "n_refused": all_rows.n_refused,
        }

    def kind_of(self, candidate: Candidate) -> str:
        """The name of the kind of error that a candidate is of."""
        return candidate.kind or next(iter(self.settings.templates))

    @property
    def evaluator(self) -> Evaluator:
        """What scores candidates, and remembers."""
        return self.task.evaluator

    @property
    def unread(self) -> list[tuple[Any, ...]]:
        """Columns that are not searched, as there was no time to see what errors in them do."""
        return [columns for part in self.task.parts for columns in part.unread]

    @property
    def splits(self) -> list[Split]:
        """The splits of the rows searched."""
        return self.evaluator.splits


def prepare(
    settings: SearchSettings,
    data: FitData,
    journal: Journal | None,
    deadline: Deadline | None = None,
    progress: Progress | None = None,
) -> Problem:
    """Set rows aside, score the clean pipeline, lay out the search.

    Parameters
    ----------
    settings : SearchSettings
        What is searched for, and how.
    data : FitData
        Checked features and labels.
    journal : Journal or None
        Keeps what is scored.
    deadline : Deadline or None, default=None
        When the search is to end; None is never.
    progress : Progress or None, default=None
        Shows what is done; None shows nothing.

    Returns
    -------
    Problem
        Ready to be searched.

    Raises
    ------
    ValueError
        If the time is over before the pipeline was fitted on clean data.
    """
    table = as_table(data.X)
    search_rows = np.arange(table.n_rows)
    confirm_rows = search_rows[:0]
    X, y = table.source, data.y
    if settings.confirm_size is not None:
        search_rows, confirm_rows = confirmation_rows(
            settings.cv,
            settings.estimator,
            Target(y),
            data.groups,
            settings.confirm_size,
            data.seed,
        )
        X, y = table.take(search_rows), take_rows(y, search_rows)
    splits = _splits(settings, data, X, y, search_rows)
    rows = as_table(X)
    settled = {kind: template._settled(rows) for kind, template in settings.templates.items()}
    settings = replace(settings, templates=settled)
    templates = settled.values()
    erased = (m._erased_label for template in templates for m in members_of(template))
    # labels that are missing are no class in any case
    check = FeasibilityCheck(settings.classifier, [each for each in erased if not pd.isna(each)])
    given: dict[str, Any] = {
        "bar": progress or Progress(),
        "seed": data.seed,
        "deadline": deadline or Deadline(),
        "apply_to": settings.apply_to,
    }
    of_kind: type[Evaluator] = Evaluator
    if settings.apply_to == "test":
        of_kind = ServedEvaluator
    if settings.apply_to != "train":
        given["watched"] = _watched(settings, data, rows, y)
    evaluator = of_kind(
        settings.estimator,
        splits,
        settings.scorer,
        check,
        settings.error_score,
        settings.n_jobs,
        **given,
    )
    if journal is not None:
        journal.begin(settings.cv, [(split.train, split.test) for split in splits])
        evaluator.keep(journal)
    strikes = {template.strikes for template in templates} & {"cells", "labels"}
    if settings.apply_to != "test" and strikes:
        for split in splits:
            split.reuse(settings.estimator, strikes, REUSED_BYTES / len(splits))
    try:
        clean, baseline = _clean_scores(evaluator, settings)
        if isinstance(evaluator, ServedEvaluator):
            evaluator.know_rows([outcome.score for outcome in clean])
            warn_of_unknown_score(evaluator, settled)
        warn_at_chance(settings.estimator, settings.scoring, splits, settings.scorer, clean)
        task = lay_out(settings, as_table(X), y, evaluator, baseline=baseline, seed=data.seed)
        raise_if_asked_often(evaluator, settled, rows)
        evaluator.deadline.check()
    except OutOfTime:
        raise too_short(evaluator) from None
    return Problem(settings, data, task, clean, baseline, search_rows, confirm_rows)


def _watched(settings: SearchSettings, data: FitData, rows: Table, labels: Any) -> WatchedRows:
    """The rows that are served, with the checks that watch them."""
    watched = WatchedRows(rows, labels, settings.templates, data.seed)
    if settings.checks:
        (seed,) = spawn_seeds(data.seed, 1, Stream.BATCHES)
        watched.watch = Watch(settings.checks, rows, seed)
    return watched


def splitter_of(cv: Folds, estimator: Estimator, y: ColumnLike | None) -> Any:
    """What decides on the splits as far as parameters can be routed to it."""
    if cv is not None and hasattr(cv, "split"):
        return cv
    return checked_splitter(DEFAULT_FOLDS, y, classifier=is_classifier(estimator))


def _splits(
    settings: SearchSettings, data: FitData, X: TableLike, y: ColumnLike, rows: np.ndarray
) -> list[Split]:
    groups = None if data.groups is None else take_rows(data.groups, rows)
    given = DEFAULT_FOLDS if settings.cv is None else settings.cv
    if settings.apply_to == "test" and is_fitted(settings.estimator):
        # a model as it is has seen no part of them
        indices = [(np.arange(len(rows)), np.arange(len(rows)))]
    else:
        splitter = checked_splitter(given, y, classifier=settings.classifier)
        indices = split_indices(given, splitter, X, y, len(rows), groups=groups)
    to_fit, to_score = (
        sample_aligned(params, rows, as_table(data.X).n_rows)
        for params in (data.fit_params, data.score_params)
    )
    seeds = spawn_seeds(data.seed, len(indices))
    splits = make_splits(X, y, indices, seeds, fit_params=to_fit, score_params=to_score)
    test_seeds = spawn_seeds(data.seed, len(splits), Stream.TEST_PARTS)
    for split, seed in zip(splits, test_seeds, strict=True):
        corrupt_test_part(split, settings.test_corruption, seed)
    return splits


def _clean_scores(evaluator: Evaluator, settings: SearchSettings) -> tuple[list[Outcome], float]:
    error_score, evaluator.error_score = evaluator.error_score, "raise"
    try:
        if settings.apply_to == "test":
            give_models(settings.estimator, evaluator.splits, settings.n_jobs)
        with evaluator.bar.phase("Scoring clean data", len(evaluator.splits)):
            clean = evaluator.run([(None, split, None) for split in evaluator.splits])
    except (ValueError, TypeError, AttributeError) as error:
        raise_clean_failure(evaluator, settings, error)
    evaluator.error_score = error_score
    scores = [outcome.score for outcome in clean]
    baseline = float(np.mean(scores))
    if not np.isfinite(baseline):
        raise ValueError(
            f"The clean pipeline scores {scores} on the splits, so nothing can be compared with "
            "it; check scoring and that every split holds all classes."
        )
    evaluator.baseline = baseline
    return clean, baseline


def too_short(evaluator: Evaluator) -> TimeTooShort:
    """What is said of a limit that was over before any candidate was scored."""
    deadline, each = evaluator.deadline, evaluator.seconds_per_fit
    over = f"max_time={deadline.seconds:g} s was over after {deadline.spent():.3g} s, before a"
    if not np.isfinite(each):
        return TimeTooShort(
            f"{over} fit was made. Pass a larger one, plan(X, y) tells what a search takes, or "
            "None for no limit.",
            2 * deadline.spent(),
        )
    # clean fits, a candidate, and the draws that there are at least
    n_splits = len(evaluator.splits)
    needed = deadline.spent() + each * (n_splits + 2) * (2 + LEAST_DRAWS)
    if isinstance(evaluator, ServedEvaluator):
        # what is done with the columns that were looked at takes time that no score tells of
        needed = max(needed + evaluator.seconds_unread(each), 2 * deadline.spent())
    does = f"the pipeline is fitted on clean data {n_splits} times, and a fit takes {each:.3g} s"
    if evaluator.splits[0].model is not None:
        fits = f"the pipeline is fitted on {n_splits} splits, and " if n_splits > 1 else ""
        does = f"{fits}a score of the model takes {each:.3g} s"
    return TimeTooShort(
        f"{over} candidate was scored: {does}. Pass at least max_time={seconds_up(needed)}, or "
        "None for no limit.",
        needed,
    )


def random_score(problem: Problem, winner: Evaluation | None, n_draws: int = N_DRAWS) -> float:
    """Mean score of errors of the winner's size that strike at random.

    Parameters
    ----------
    problem : Problem
        The search.
    winner : Evaluation or None
        The worst candidate; without one the score is that of the clean pipeline.
    n_draws : int, default=20
        Draws for each split at most. There are fewer, 5 or more, where the standard error of their
        mean is below a hundredth of the winner's drop.

    Returns
    -------
    float
        Mean over the draws, under the template's own pattern.
    """
    if winner is None:
        return problem.baseline
    scores = random_scores(problem, winner, min(LEAST_DRAWS, n_draws))
    while 1 < len(scores) < n_draws and not _settled(scores, problem.baseline - winner.score):
        more = min(2 * len(scores), n_draws)
        scores = np.concatenate([scores, random_scores(problem, winner, more, len(scores))])
    return float(np.nanmean(scores)) if np.isfinite(scores).any() else np.nan


def _settled(scores: np.ndarray, drop: float) -> bool:
    """Whether the mean over draws is known well enough beside the drop of the winner."""
    draws = scores.mean(axis=1)
    draws = draws[np.isfinite(draws)]
    if len(draws) < LEAST_DRAWS:
        return False
    return bool(draws.std(ddof=1) <= SMALL_ERROR * abs(drop) * np.sqrt(len(draws)))


def random_scores(
    problem: Problem, winner: Evaluation, n_draws: int = N_DRAWS, first: int = 0
) -> np.ndarray:
    """Scores of errors of the winner's size that strike at random, draw by draw.

    Parameters
    ----------
    problem : Problem
        The search.
    winner : Evaluation
        A candidate.
    n_draws : int, default=20
        Draws for each split, 20 or the first of these.
    first : int, default=0
        Of these, the first that is made.

    Returns
    -------
    ndarray of shape (n_draws - first, n_splits)
        NaN where the struck rows were refused, or a fit failed; one row where there is a closed
        form of the mean over all draws.
    """
    chosen, splits, n_draws = winner.candidate, problem.splits, min(n_draws, N_DRAWS)
    draws = problem.task.random_draws(chosen)
    seeds = spawn_seeds(problem.data.seed, n_draws * len(splits), Stream.RANDOM_ERRORS)
    pairs = list(zip(draws, splits, strict=True)) * n_draws
    tasks = [(draw, split, seed) for (draw, split), seed in zip(pairs, seeds, strict=True)]
    n = len(splits)
    made = range(first, n_draws)
    groups = {chosen.key + bytes([i]): tasks[i * n : (i + 1) * n] for i in made}
    with problem.evaluator.bar.phase("Comparing", len(made) * n):
        outcomes = problem.evaluator.draw(groups)
    scores = [np.nan if o.infeasible else o.score for o in outcomes]
    return np.array(scores, dtype=float).reshape(-1, n)


def confirm_held_out(
    problem: Problem, worst: BaseCorruption | None, n_draws: int = N_DRAWS
) -> Confirmation:
    """Score the winner on the rows set aside, fitting on those searched.

    Parameters
    ----------
    problem : Problem
        The search.
    worst : BaseCorruption or None
        The winner.
    n_draws : int, default=20
        Fresh draws of it.

    Returns
    -------
    Confirmation
        Scores and interval.
    """
    data, evaluator = problem.data, problem.evaluator
    (split,) = make_splits(
        data.X,
        data.y,
        [(problem.search_rows, problem.confirm_rows)],
        spawn_seeds(data.seed, 1, Stream.HELD_OUT_SPLIT),
        fit_params=data.fit_params,
        score_params=data.score_params,
    )
    (test_seed,) = spawn_seeds(data.seed, 1, Stream.HELD_OUT_TEST_PART)
    rows = problem.confirm_rows[
        corrupt_test_part(split, problem.settings.test_corruption, test_seed)
    ]
    if problem.settings.apply_to == "test":
        give_models(evaluator.estimator, [split], None)
    with evaluator.bar.phase("Confirming", 1 if worst is None else n_draws + 1):
        result = confirm_on(
            evaluator.estimator,
            worst,
            split,
            evaluator.scorer,
            n_jobs=evaluator.jobs_for(n_draws + 1),
            groups=None if data.groups is None else take_rows(data.groups, rows),
            bar=evaluator.bar,
            n_draws=n_draws,
            deadline=evaluator.deadline,
            apply_to=problem.settings.apply_to,
        )
    evaluator.busy_seconds += sum(o.fit_time + o.score_time for o in result.outcomes)
    return result
