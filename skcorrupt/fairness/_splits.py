"""One split: the pipeline, and the pipeline without each of its stages."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import check_scoring, f1_score, r2_score
from sklearn.pipeline import Pipeline

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import (
    Outcome,
    Split,
    corrupted_split,
    error_in_words,
    fit_and_score,
    run_until_stopped,
    score_of,
    seeded_clone,
)
from skcorrupt.evaluation._memo import Cache, MemoSampler
from skcorrupt.evaluation._shared_stages import with_shared_stages
from skcorrupt.evaluation._silhouette import check_scoring_name
from skcorrupt.metrics._groups import favourable
from skcorrupt.utils import ScorerError, as_column, telling_bar, warn
from skcorrupt.utils._compat import scorer_function
from skcorrupt.utils._typing import ColumnLike, ErrorScore, Scorings

from ._stages import Variant
from ._unconverged import hearing_unconverged, tell_unconverged

Scorers: TypeAlias = Mapping[str, Callable[..., Any]] | None
CACHE_BYTES = 2**30


@dataclass(frozen=True)
class Setup:
    """What is fitted on every split.

    Attributes
    ----------
    pipelines : sequence of Pipeline
        They may differ in their final estimators and share what they agree in.
    variants : sequence of Variant
        What else to fit, the same for each.
    scorers : dict of str to callable, or None
        `scorer(estimator, X, y)` with a score or a dictionary of scores; None is accuracy and
        F1, or R².
    pos_label : label or None
        The favourable label, None for numbers.
    corruption : BaseCorruption or None
        What happens to the training data.
    noise_floor : bool
        Whether the whole pipeline is fitted with another seed too.
    error_score : float or "raise"
        What happens when a whole pipeline fails.
    """

    pipelines: Sequence[Pipeline]
    variants: Sequence[Variant]
    scorers: Scorers
    pos_label: Hashable | None
    corruption: BaseCorruption | None = None
    noise_floor: bool = False
    error_score: ErrorScore = np.nan


@dataclass
class SplitResult:
    """What all pipelines made of a split.

    Attributes
    ----------
    whole : Outcome
        Of the whole pipeline, with predictions unless it failed and scores by name.
    variants : list of Outcome
        In the order of the variants.
    other_seed : Outcome or None
        Of the whole pipeline with another seed.
    samplers : dict of str to (ndarray of int, ndarray of int)
        By path of each sampler the training rows that came to it, as positions in the whole
        data, and where among them each row comes from that it gave; -1 is a row made up.
    n_fits : int
        Number of fits of stages and final estimators.
    unconverged : list of list of str
        Of each variant, what did not converge.
    """

    whole: Outcome
    variants: list[Outcome]
    other_seed: Outcome | None
    samplers: dict[str, tuple[np.ndarray, np.ndarray]]
    n_fits: int
    unconverged: list[list[str]]


def scorers_of(pipeline: Pipeline, scoring: Scorings) -> Scorers:
    """Scorers by name, one by one, so that one that fails does not take the others along.

    Parameters
    ----------
    pipeline : Pipeline
        What is scored.
    scoring : str, callable, list, dict or None
        As everywhere in scikit-learn.

    Returns
    -------
    dict of str to callable, or None
        A callable is "score"; None is none.
    """
    if scoring is None:
        return None
    if callable(scoring):
        return {"score": check_scoring(pipeline, scoring=scoring)}
    several = [scoring] if isinstance(scoring, str) else scoring
    if isinstance(several, (list, tuple, set, Mapping)):
        for one in several.values() if isinstance(several, Mapping) else several:
            if isinstance(one, str):
                check_scoring_name(one)
    # refuses what is none
    check_scoring(pipeline, scoring=scoring)
    each = several if isinstance(several, Mapping) else {name: name for name in several}
    return {name: check_scoring(pipeline, scoring=one) for name, one in each.items()}


def run_splits(
    setup: Setup,
    splits: Sequence[Split],
    *,
    n_jobs: int | None,
    verbose: int,
    title: str,
    least: int | None = None,
) -> tuple[list[list[SplitResult]], str]:
    """Fit the pipelines and their variants on every split and predict the same rows.

    Parameters
    ----------
    setup : Setup
        What is fitted.
    splits : sequence of Split
        The data.
    n_jobs : int or None
        Number of workers.
    verbose : int
        1 shows a progress bar.
    title : str
        What it is called.
    least : int or None, default=None
        The fewest splits that work which is ended early leaves; None are all. A signal before
        them is raised, and a callback is not heard.

    Returns
    -------
    results : list of list of SplitResult
        For each pipeline one result per split, of the first splits where it was ended early.
    cause : str
        What ended it early, "" for nothing.

    Raises
    ------
    ValueError
        If a pipeline fails on every split.
    """
    tasks = [(setup, split) for split in splits]
    with telling_bar(len(tasks), verbose, title) as bar:
        found, cause = run_until_stopped(
            _run_split,
            tasks,
            n_tasks=len(tasks),
            enough=lambda found: least is not None and len(_first(found)) >= least,
            n_jobs=n_jobs,
            done=lambda _: bar.update(),
        )
    results = [list(mine) for mine in zip(*_first(found), strict=True)]
    for mine in results:
        _check_failures([result.whole for result in mine])
        tell_unconverged(setup.variants, [result.unconverged for result in mine])
    return results, cause


def _first(found: dict[int, list[SplitResult]]) -> list[list[SplitResult]]:
    """Results of the first splits, up to one that is not done."""
    n_done = next((i for i in range(len(found)) if i not in found), len(found))
    return [found[i] for i in range(n_done)]


def _check_failures(wholes: Sequence[Outcome]) -> None:
    """Refuse what fails on every split, warn of what fails on some or is unscored."""
    failed = [whole.error for whole in wholes if whole.predictions is None]
    if len(failed) == len(wholes):
        raise ValueError(f"The pipeline fails on all {len(wholes)} splits; the first: {failed[0]}")
    if failed:
        warn(
            f"The pipeline fails on {len(failed)} of {len(wholes)} splits, which are left out; the "
            f"first: {failed[0]}. Pass error_score='raise' to see the whole error.",
            FitFailedWarning,
        )
    errors = [error for whole in wholes if (error := unscored(whole))]
    if errors:
        warn(
            f"scoring fails on {len(errors)} of {len(wholes)} splits, which performance leaves "
            f"out; the first: {errors[0]}."
        )


def unscored(outcome: Outcome) -> str:
    """How a scorer failed, "" where none did."""
    return "" if outcome.predictions is None else outcome.error


def _run_split(setup: Setup, split: Split) -> list[SplitResult]:
    if setup.corruption is not None:
        dirty, _ = corrupted_split(split, setup.corruption)
        split = replace(dirty, X_test=_as_wide(split.X_test, split.X_train, dirty.X_train))
    # other models, and scorers, ask for predictions again
    again = len(setup.pipelines) > 1 or setup.scorers is not None
    cache = Cache(CACHE_BYTES, keeps_variants=again)
    return [_Runner(setup, split, cache, k).result(p) for k, p in enumerate(setup.pipelines)]


class _Runner:
    """Fits a pipeline and its variants on one split."""

    def __init__(self, setup: Setup, split: Split, cache: Cache, model: int) -> None:
        self.setup, self.split = setup, split
        self.cache, self.model = cache, model
        self.n_fits = 0

    def result(self, pipeline: Pipeline) -> SplitResult:
        setup, seed = self.setup, self.split.seed
        seeded = seeded_clone(pipeline, seed)
        fitted = self.shared(seeded)
        whole = self.run(fitted, setup.error_score)
        samplers = {} if whole.predictions is None else _samplers(fitted, self.split.train)
        outcomes = []
        unconverged: list[list[str]] = [[] for _ in setup.variants]
        for k, variant in enumerate(setup.variants):
            try:
                changed = variant.of(seeded, seed)
            except (ValueError, TypeError) as error:
                outcomes.append(Outcome(score={}, error=error_in_words(error)))
                continue
            # two candidates of one class are told apart by their number
            changed = self.shared(changed, variant.stage.path, f"variant {k}")
            # a stage that cannot be left out is a row, whatever error_score says
            with hearing_unconverged() as unconverged[k]:
                outcomes.append(self.run(changed, np.nan))
        other = None
        if setup.noise_floor:
            alone = _Runner(setup, self.split, Cache(0), self.model)
            other = alone.run(alone.shared(_reseeded(pipeline, seed + 1)), setup.error_score)
            self.n_fits += alone.n_fits
        return SplitResult(whole, outcomes, other, samplers, self.n_fits, unconverged)

    def shared(self, pipeline: Pipeline, replaced: str = "", by: str = "") -> Pipeline:
        return with_shared_stages(pipeline, (), self.cache, replaced, by, self.model)

    def run(self, pipeline: Pipeline, error_score: ErrorScore) -> Outcome:
        """Fit, predict and score; a scorer that fails is an error of an outcome that predicts."""
        before = self.cache.n_fits
        outcome = fit_and_score(
            pipeline,
            self.split,
            None,
            predictions=self._checked,
            cache=self.cache,
            error_score=error_score,
        )
        if outcome.fit_time:
            self.n_fits += 1 + self.cache.n_fits - before
        outcome.score = {}
        if outcome.predictions is not None:
            self._score(pipeline, outcome, outcome.predictions, error_score)
        return outcome

    def _checked(self, predicted: ColumnLike) -> np.ndarray:
        values = as_column(predicted, "y_pred")
        if self.setup.pos_label is not None:
            favourable(values, self.setup.pos_label, "y_pred")
        elif pd.isna(values).any():
            raise ValueError(f"the predictions have {int(pd.isna(values).sum())} missing values")
        return values

    def _score(
        self, model: Pipeline, outcome: Outcome, predicted: np.ndarray, error_score: ErrorScore
    ) -> None:
        X, y = self.split.X_test, self.split.y_test
        if self.setup.scorers is None:
            outcome.score = _default_scores(y, predicted, self.setup.pos_label)
            return
        for name, scorer in self.setup.scorers.items():
            # a callable of the user's may ask for predictions of other rows than these
            self.cache.role = None if scorer_function(scorer) is scorer else "test"
            try:
                found = score_of(scorer, model, X, y, several=True)
                outcome.score |= found if isinstance(found, Mapping) else {name: found}
            except ScorerError:
                raise
            except Exception as error:
                if isinstance(error_score, str) and error_score == "raise":
                    raise
                outcome.score[name] = np.nan
                outcome.error = outcome.error or f"{name}: {error_in_words(error)}"


def _reseeded(pipeline: Pipeline, seed: int) -> Pipeline:
    """A clone in which seeds that the user set are others, too."""
    params = pipeline.get_params(deep=True)
    of_user = [
        name
        for name, value in params.items()
        if isinstance(value, Integral) and name.rpartition("__")[2] == "random_state"
    ]
    return seeded_clone(clone(pipeline).set_params(**dict.fromkeys(of_user)), seed)


def _as_wide(X: Any, clean: Any, dirty: Any) -> Any:
    """Test data with floats where training data got them, as missing values in integers do.

    To a stage both are of one type, as they would be in a file with these errors.
    """
    if isinstance(X, np.ndarray) and isinstance(dirty, np.ndarray):
        return X.astype(dirty.dtype) if _got_floats(clean.dtype, dirty.dtype) else X
    if not isinstance(X, pd.DataFrame) or not isinstance(dirty, pd.DataFrame):
        return X
    if not X.columns.equals(dirty.columns):
        return X
    X = X.copy()
    for k, (before, after) in enumerate(zip(clean.dtypes, dirty.dtypes, strict=True)):
        if _got_floats(before, after):
            X.isetitem(k, X.iloc[:, k].astype(after))
    return X


def _got_floats(before: Any, after: Any) -> bool:
    is_numpy = isinstance(before, np.dtype) and isinstance(after, np.dtype)
    return is_numpy and before.kind in "iub" and after.kind == "f"


def _default_scores(
    y: ColumnLike, predicted: np.ndarray, pos_label: Hashable | None
) -> dict[str, float]:
    y = as_column(y, "y")
    if pos_label is None:
        return {"r2": float(r2_score(y, predicted))}
    right, guessed = favourable(y, pos_label, "y"), favourable(predicted, pos_label, "y_pred")
    f1 = float(f1_score(right, guessed, zero_division=0.0))
    return {"accuracy": float(np.mean(y == predicted)), "f1": f1}


def _samplers(fitted: Pipeline, rows: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The rows that came to each sampler, and where each that came out of it comes from."""
    found = {}
    for name, step in fitted.steps:
        if isinstance(step, MemoSampler):
            found[name] = rows, step.rows_
            rows = np.where(step.rows_ >= 0, rows[np.maximum(step.rows_, 0)], -1)
    final, inner = fitted.steps[-1]
    if isinstance(inner, Pipeline):
        below = _samplers(inner, rows)
        found |= {f"{final}__{name}": counts for name, counts in below.items()}
    return found
