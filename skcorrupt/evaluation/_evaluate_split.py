"""One train and test split: corrupt, fit, score, and say what happened."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from skcorrupt.base import BaseCorruption
from skcorrupt.utils import ScorerError, Sheltered, as_score, as_scores, duplicate, fit_on_copies
from skcorrupt.utils._typing import ApplyTo, ColumnLike, ErrorScore, Estimator, TableLike

from ._outcome import Outcome
from ._parameters import reseeded, sample_aligned, seeded_clone
from ._split import Split


def evaluate_split(
    estimator: Estimator,
    split: Split,
    scorer: Callable[..., Any],
    *,
    corruption: BaseCorruption | None = None,
    apply_to: ApplyTo = "train",
    corruption_seed: int | None = None,
    check: Callable[..., Any] | None = None,
    error_score: ErrorScore = np.nan,
    return_estimator: bool = False,
    train_scorer: bool = False,
    several: bool = False,
) -> Outcome:
    """Corrupt, fit and score on one split.

    Parameters
    ----------
    estimator : estimator
        A clone of it is fitted; its unset random states are seeded from the split.
    split : Split
        The data.
    scorer : callable
        `scorer(estimator, X_test, y_test)`.
    corruption : BaseCorruption or None, default=None
        What to do to the data; None leaves it clean.
    apply_to : {"train", "test", "both"}, default="train"
        The part that is corrupted.
    corruption_seed : int or None, default=None
        Seed of the draw; None is the split's.
    check : callable or None, default=None
        `check(X, y, records) -> str` gives the reason why corrupted training data is infeasible,
        or "". With it, data that cannot be corrupted as asked is infeasible too.
    error_score : float or "raise", default=nan
        Score where the fit or the scorer fails.
    return_estimator : bool, default=False
        Whether the outcome holds the fitted estimator.
    train_scorer : bool, default=False
        Whether the score is a pair (test, train).
    several : bool, default=False
        Whether the scorer may give several scores by name.

    Returns
    -------
    Outcome
        Score, times, records, error.

    Raises
    ------
    ScorerError
        If the scorer returns no number, whatever `error_score` is.
    """
    outcome = Outcome()
    model = seeded_clone(estimator, split.seed)
    X, y, fit_params = split.X_train, split.y_train, split.fit_params
    X_test, y_test, score_params = split.X_test, split.y_test, split.score_params
    corrupted = corruption is None
    try:
        if corruption is not None:
            seed = split.seed if corruption_seed is None else corruption_seed
            seeded = reseeded(corruption, seed)
            seeded.fit(X, y)
            if apply_to in ("train", "both"):
                X, y, record = seeded.corrupt(X, y)
                fit_params = sample_aligned(fit_params, record.sample_indices, len(split.train))
                outcome.records.append(record)
            if apply_to in ("test", "both"):
                seeded.set_params(random_state=seed + 1)
                X_test, y_test, record = seeded.corrupt(X_test, y_test)
                score_params = sample_aligned(score_params, record.sample_indices, len(split.test))
                outcome.records.append(record)
        corrupted = True
        if check is not None:
            outcome.error = check(X, y, outcome.records)
            if outcome.error:
                outcome.infeasible = True
                return outcome
        start = time.perf_counter()
        fit_on_copies(model, X, y, fit_params)
        outcome.fit_time = time.perf_counter() - start
        start = time.perf_counter()
        outcome.score = score_of(scorer, model, X_test, y_test, score_params, several=several)
        outcome.score_time = time.perf_counter() - start
        if train_scorer:
            train_params = fit_params if split.score_params else {}
            outcome.score = (
                outcome.score,
                score_of(scorer, model, X, y, train_params, several=several),
            )
    except ScorerError:
        raise
    except Exception as error:
        if not corrupted:
            if check is None:
                # the pipeline is not to blame for a corruption that cannot be applied
                raise
            outcome.infeasible, outcome.error = True, str(error)
            return outcome
        if isinstance(error_score, str) and error_score == "raise":
            raise
        last = traceback.extract_tb(error.__traceback__)[-1]
        outcome.error = f"{type(error).__name__}: {error} ({last.name})"
        outcome.score = error_score
    if return_estimator:
        outcome.estimator = model
    return outcome


def score_of(
    scorer: Callable[..., Any],
    model: Any,
    X: TableLike,
    y: ColumnLike | None,
    params: dict[str, Any] | None = None,
    *,
    several: bool = False,
) -> Any:
    """Score a fitted model, which may write to what it gets.

    Parameters
    ----------
    scorer : callable
        `scorer(estimator, X, y)`.
    model : fitted estimator
        What is scored.
    X : table of shape (n_samples, n_features)
        Features.
    y : array-like of shape (n_samples,) or None
        Labels.
    params : dict or None, default=None
        Other parameters of the scorer.
    several : bool, default=False
        Whether it may give several scores by name.

    Returns
    -------
    float or dict of str to float
        The score.

    Raises
    ------
    ScorerError
        If the scorer returns something else.
    """
    # a scorer of the user's may ask the steps of a pipeline one by one
    given = duplicate(X), duplicate(y)
    found = scorer(Sheltered(model), *given, **(params or {}))
    return as_scores(found, scorer) if several else as_score(found, scorer)
