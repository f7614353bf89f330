"""Everything that is fixed before the search begins: data, splits, clean scores, search space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier

from skcorrupt.base import BaseCorruption, FeatureCorruption, strike_count
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.evaluation import (
    Journal,
    Outcome,
    Split,
    check_groups,
    checked_splitter,
    make_splits,
    route_parameters,
    sample_aligned,
    single_scorer,
    split_indices,
    take_rows,
)
from skcorrupt.patterns import as_pattern
from skcorrupt.utils import (
    ScorerError,
    Table,
    Target,
    UnpicklableError,
    as_table,
    check_table,
    draw_seed,
    spawn_seeds,
)

from ._beam import BeamSearch
from ._confirmation import N_DRAWS, Confirmation, confirm_on, confirmation_rows
from ._evaluator import Evaluation, Evaluator, FeasibilityCheck
from ._journal import search_settings
from ._preflight import probe, raise_if_missing, warn_at_chance
from ._process_search import ProcessSearch
from ._process_setup import lay_out
from ._search_space import Candidate, SearchSpace
from ._setup import (
    as_template,
    build_space,
    check_error_fits,
    check_labels,
    hit_columns,
    members_of,
)
from ._test_part import (
    HELD_OUT_STREAM,
    SPLITS_STREAM,
    check_test_corruption,
    corrupt_test_part,
    raise_if_test_part,
)

DEFAULT_FOLDS = 3


@dataclass
class FitData:
    """What was given to `fit`, by reference, and the seed of everything drawn from it."""

    X: Any
    y: Any
    fit_params: dict[str, Any]
    score_params: dict[str, Any]
    groups: Any
    seed: int


@dataclass
class Problem:
    """A search laid out but not begun.

    Attributes
    ----------
    beam : BeamSearch
        The search; with a process, that of its first member that is searched.
    process : ProcessSearch or None
        With a process, the search of its members together.
    proxied : Proxied or None
        What candidates are screened on, as far as that is known.
    """

    data: FitData
    template: BaseCorruption
    splits: list[Split]
    clean: list[Outcome]
    evaluator: Evaluator
    beam: BeamSearch
    search_rows: np.ndarray
    confirm_rows: np.ndarray
    baseline: float
    test_corruption: BaseCorruption | None = None
    process: ProcessSearch | None = None
    proxied: Any = None

    @property
    def beams(self) -> list[BeamSearch]:
        """The beam search, or those of all members of a process."""
        return [self.beam] if self.process is None else [*self.process.beams.values()]


def prepare(
    search: Any,
    X: Any,
    y: Any,
    groups: Any,
    fit_params: dict[str, Any],
    confirms: bool,
) -> Problem:
    """Validate, set rows aside, score the clean pipeline, lay out the search.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        Its parameters, already validated; its features seen are set.
    X, y, groups, fit_params : object
        As given to `fit`.
    confirms : bool
        Whether rows are set aside.

    Returns
    -------
    Problem
        Ready to run.
    """
    template = as_template(search.corruption)
    template._validate_params()
    check_error_fits(template, search.estimator)
    table = check_table(search, X, reset=True)
    _check_names(table)
    for member in members_of(template):
        member._validate_params()
        if member.pattern is not None:
            member.set_params(pattern=as_pattern(member.pattern).labelled(table))
    check_test_corruption(search.test_corruption, table)
    y = check_labels(y, search.estimator, table.n_rows)
    scorer = single_scorer(search.estimator, search.scoring)
    to_fit, to_score, to_split = route_parameters(
        search, fit_params, search.estimator, scorer, splitter_of(search, y)
    )
    groups = to_split.get("groups", groups)
    check_groups(groups, table.n_rows)
    journal = None if search.journal is None else Journal(search.journal)
    seed = draw_seed(search.random_state)
    data = FitData(table.source, y, to_fit, to_score, groups, seed)
    if journal is not None:
        settings = search_settings(search, data)
        data.seed = journal.seed(settings, seed, drawn=search.random_state is None)
    search_rows = np.arange(table.n_rows)
    confirm_rows = search_rows[:0]
    if confirms:
        search_rows, confirm_rows = confirmation_rows(
            search.cv, search.estimator, Target(y), groups, search.confirm_size, data.seed
        )
    X_in = table.take(search_rows) if confirms else table.source
    y_in = take_rows(y, search_rows) if confirms else y
    splits = _splits(search, data, X_in, y_in, search_rows)
    erased = (getattr(member, "missing_label", None) for member in members_of(template))
    check = FeasibilityCheck(
        is_classifier(search.estimator), next((e for e in erased if e is not None), None)
    )
    evaluator = Evaluator(
        search.estimator,
        splits,
        scorer,
        check,
        search.error_score,
        search.n_jobs,
        bar=None,
    )
    if journal is not None:
        journal.begin(search.cv, [(split.train, split.test) for split in splits])
        evaluator.keep(journal)
    if isinstance(template, FeatureCorruption):
        for split in splits:
            split.reuse(search.estimator)
    clean, baseline = _clean_scores(evaluator, search.test_corruption)
    warn_at_chance(search.estimator, search.scoring, splits, scorer, clean)
    table_in = as_table(X_in)
    if isinstance(template, CorruptionProcess):
        process = lay_out(search, template, table_in, y_in, evaluator, baseline, data.seed)
        beam = next(iter(process.beams.values()))
    else:
        process = None
        beam = _beam(search, template, table_in, y_in, evaluator, baseline, data.seed)
    return Problem(
        data,
        template,
        splits,
        clean,
        evaluator,
        beam,
        search_rows,
        confirm_rows,
        baseline,
        search.test_corruption,
        process,
    )


def _beam(
    search: Any,
    template: BaseCorruption,
    table: Table,
    y: Any,
    evaluator: Evaluator,
    baseline: float,
    seed: int,
) -> BeamSearch:
    """The beam search for one kind of error, once the pipeline is known to take it."""
    splits = evaluator.splits
    hits = hit_columns(search, template, table)
    probe(search.estimator, template, [table.labels[j] for j in hits], splits[0])
    trains = [split.train for split in splits]
    space, allowed, required = build_space(search, template, table, y, trains)
    seed = spawn_seeds(seed, 1, 1)[0]
    return BeamSearch.of(search, space, evaluator, allowed, required, baseline=baseline, seed=seed)


def splitter_of(search: Any, y: Any) -> Any:
    """What decides on the splits as far as parameters can be routed to it."""
    if search.cv is not None and hasattr(search.cv, "split"):
        return search.cv
    return checked_splitter(DEFAULT_FOLDS, y, classifier=is_classifier(search.estimator))


def _check_names(table: Table) -> None:
    names = [str(label) for label in table.labels]
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"X has several columns called {', '.join(twice)}; rename them.")


def _splits(search: Any, data: FitData, X_in: Any, y_in: Any, rows: np.ndarray) -> list[Split]:
    groups = None if data.groups is None else take_rows(data.groups, rows)
    given = DEFAULT_FOLDS if search.cv is None else search.cv
    splitter = checked_splitter(given, y_in, classifier=is_classifier(search.estimator))
    indices = split_indices(given, splitter, X_in, y_in, len(rows), groups=groups)
    to_fit, to_score = (
        sample_aligned(params, rows, as_table(data.X).n_rows)
        for params in (data.fit_params, data.score_params)
    )
    seeds = spawn_seeds(data.seed, len(indices))
    splits = make_splits(X_in, y_in, indices, seeds, fit_params=to_fit, score_params=to_score)
    test_seeds = spawn_seeds(data.seed, len(splits), SPLITS_STREAM)
    for split, seed in zip(splits, test_seeds, strict=True):
        corrupt_test_part(split, search.test_corruption, seed)
    return splits


def _clean_scores(
    evaluator: Evaluator, test_corruption: BaseCorruption | None
) -> tuple[list[Outcome], float]:
    error_score, evaluator.error_score = evaluator.error_score, "raise"
    try:
        clean = evaluator.run([(None, split, None) for split in evaluator.splits])
    except (ValueError, TypeError, AttributeError) as error:
        split = evaluator.splits[0]
        raise_if_missing(evaluator.estimator, split.X_train, split.y_train, error)
        raise_if_test_part(test_corruption, error)
        if isinstance(error, (ScorerError, UnpicklableError)):
            raise
        # scikit-learn tells wrong types from wrong values
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(
            f"The estimator cannot be fitted and scored on X and y as they are: {error}"
        ) from error
    evaluator.error_score = error_score
    scores = [outcome.score for outcome in clean]
    baseline = float(np.mean(scores))
    if not np.isfinite(baseline):
        raise ValueError(
            f"The clean pipeline scores {scores} on the splits, so nothing can be compared with "
            "it; check scoring and that every split holds all classes."
        )
    return clean, baseline


def random_score(problem: Problem, winner: Evaluation | None, baseline: float) -> float:
    """Mean score of errors of the winner's size that strike at random.

    Parameters
    ----------
    problem : Problem
        The search.
    winner : Evaluation or None
        The worst candidate.
    baseline : float
        Returned where there is no winner.

    Returns
    -------
    float
        Mean over 20 draws a split, under the template's own pattern.
    """
    if winner is None:
        return baseline
    chosen, splits = winner.candidate, problem.splits
    if problem.process is None:
        draws: Sequence[BaseCorruption] = _random_draws(problem.beam.space, chosen, splits)
    else:
        draws = problem.process.random_draws(chosen, splits)
    seeds = spawn_seeds(problem.data.seed, N_DRAWS * len(splits), 2)
    pairs = list(zip(draws, splits, strict=True)) * N_DRAWS
    tasks = [(draw, split, seed) for (draw, split), seed in zip(pairs, seeds, strict=True)]
    n = len(splits)
    outcomes = problem.evaluator.draw(
        {chosen.key + bytes([i]): tasks[i * n : (i + 1) * n] for i in range(N_DRAWS)}
    )
    scores = np.array([o.score for o in outcomes if not o.infeasible], dtype=float)
    return float(np.nanmean(scores)) if np.isfinite(scores).any() else np.nan


def _random_draws(
    space: SearchSpace, chosen: Candidate, splits: list[Split]
) -> list[BaseCorruption]:
    """Errors of the winner's size under the template's own pattern, one a split."""
    changeable = space.changeable(chosen.target)
    y = space.target.values if chosen.pattern.uses_y else None
    matched = chosen.pattern.mask(space.table.source, y) & changeable
    anywhere = space.anywhere(chosen.columns)
    open_rows = changeable & anywhere.mask(
        space.table.source, space.target.values if anywhere.uses_y else None
    )
    draws: list[BaseCorruption] = []
    for split in splits:
        count = strike_count(chosen.rate, int(matched[split.train].sum()))
        rate = min(1.0, count / max(1, int(open_rows[split.train].sum())))
        draws.append(clone(chosen.corruption).set_params(pattern=anywhere, rate=rate))
    return draws


def confirm_held_out(problem: Problem, worst: BaseCorruption | None) -> Confirmation:
    """Score the winner on the rows set aside, fitting on those searched.

    Parameters
    ----------
    problem : Problem
        The search.
    worst : BaseCorruption or None
        The winner.

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
        spawn_seeds(data.seed, 1, 3),
        fit_params=data.fit_params,
        score_params=data.score_params,
    )
    (test_seed,) = spawn_seeds(data.seed, 1, HELD_OUT_STREAM)
    rows = problem.confirm_rows[corrupt_test_part(split, problem.test_corruption, test_seed)]
    result = confirm_on(
        evaluator.estimator,
        worst,
        split,
        evaluator.scorer,
        n_jobs=evaluator.n_jobs,
        groups=None if data.groups is None else take_rows(data.groups, rows),
        bar=evaluator.bar,
    )
    evaluator.busy_seconds += sum(o.fit_time + o.score_time for o in result.outcomes)
    return result
