"""One train and test split: corrupt, fit, predict, score, and say what happened."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import joblib
import numpy as np

from skcorrupt.base import BaseCorruption, CorruptionRecord
from skcorrupt.metrics import asks_once, quick_score
from skcorrupt.utils import (
    ScorerError,
    ServedView,
    Sheltered,
    as_score,
    as_scores,
    duplicate,
    fit_on_copies,
)
from skcorrupt.utils._typing import ApplyTo, ColumnLike, ErrorScore, Estimator, TableLike

from ._memo import Cache
from ._no_effect import unsaid_of_no_effect
from ._outcome import Outcome, error_in_words
from ._parameters import reseeded, sample_aligned, take_rows
from ._plain_arrays import with_arrays
from ._split import Split


def evaluate_split(
    estimator: Estimator,
    split: Split,
    scorer: Callable[..., Any],
    *,
    corruption: BaseCorruption | None = None,
    apply_to: ApplyTo = "train",
    corruption_seed: int | None = None,
    check: Callable[..., str] | None = None,
    **options: Any,
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
    **options : dict
        Those of `fit_and_score`.

    Returns
    -------
    Outcome
        Score, times, records, error.

    Raises
    ------
    ScorerError
        If the scorer returns no number, whatever `error_score` is.
    """
    records: list[CorruptionRecord] = []
    fitted = split.model
    model = split.unfitted(estimator) if fitted is None else fitted
    clean = split.X_test
    if corruption is not None:
        if split.reused is not None and fitted is None:
            split.reused.put_into(model, corruption)
            options["cache"] = split.reused.cache
        try:
            split, records = corrupted_split(split, corruption, corruption_seed, apply_to)
        except Exception as error:
            if check is None:
                # the pipeline is not to blame for a corruption that cannot be applied
                raise
            return Outcome(infeasible=True, error=str(error))
    refused = ""
    if check is not None and apply_to != "test":
        refused = check(split.X_train, split.y_train, records)
    if refused:
        outcome = Outcome(infeasible=True, error=refused)
    else:
        if records and apply_to != "train":
            # labels, groups and rows of subgroups are those of the clean rows
            options["served"] = take_rows(clean, records[-1].sample_indices)
        outcome = fit_and_score(model, split, scorer, fitted=fitted is not None, **options)
        if "served" in options and outcome.estimator is not None:
            outcome.served = split.X_test, records[-1].sample_indices
    outcome.records = records
    struck = [record.row_fraction for record in records]
    outcome.row_fraction = max(struck) if struck else np.nan
    return outcome


def corrupted_split(
    split: Split, corruption: BaseCorruption, seed: int | None = None, apply_to: ApplyTo = "train"
) -> tuple[Split, list[CorruptionRecord]]:
    """A split with errors in one part or both.

    Parameters
    ----------
    split : Split
        The clean data, left as it is.
    corruption : BaseCorruption
        What happens to it; its reference facts are learned from the clean training part.
    seed : int or None, default=None
        Seed of the draw, whatever seed the corruption has; None is the split's.
    apply_to : {"train", "test", "both"}, default="train"
        The part that is corrupted.

    Returns
    -------
    corrupted : Split
        The data, positions and parameters of the rows that are left.
    records : list of CorruptionRecord
        What was corrupted, training part first.
    """
    seed = split.seed if seed is None else seed
    seeded = reseeded(corruption, seed)
    records = []
    found = split
    if apply_to == "test":
        seeded.fit(split.X_train, split.y_train)
    else:
        # it learns from the rows that it strikes, which are read once
        X, y, record = seeded._fit_corrupt(split.X_train, split.y_train, split.train_read)
        params = sample_aligned(split.fit_params, record.sample_indices, record.n_samples_in)
        train = split.train[record.sample_indices]
        found = replace(found, X_train=X, y_train=y, fit_params=params, train=train)
        records.append(record)
    if apply_to in ("test", "both"):
        seeded.set_params(random_state=seed + 1)
        X, y, params, record = corrupt_rows(seeded, split.X_test, split.y_test, split.score_params)
        test = split.test[record.sample_indices]
        found = replace(found, X_test=X, y_test=y, score_params=params, test=test)
        records.append(record)
    return found, records


def draws_alike(
    split: Split, corruption: BaseCorruption, seeds: Sequence[int], apply_to: ApplyTo = "train"
) -> bool:
    """Whether all draws of an error are the same data, so that one says as much as many.

    Parameters
    ----------
    split : Split
        The clean data.
    corruption : BaseCorruption
        What happens to it.
    seeds : sequence of int
        Seeds of the draws.
    apply_to : {"train", "test", "both"}, default="train"
        The part that is corrupted.

    Returns
    -------
    bool
        True also where there is a single draw.
    """
    marks = (_mark_of(split, corruption, seed, apply_to) for seed in seeds)
    with unsaid_of_no_effect():
        first = next(marks, "")
        # of few rows, two draws may strike the same by chance
        return all(mark == first for mark in marks)


def distinct_draws(
    split: Split, corruption: BaseCorruption | None, seeds: list[int], apply_to: ApplyTo = "train"
) -> list[int]:
    """Seeds of the draws of an error that have to be fitted.

    Parameters
    ----------
    split : Split
        The clean data.
    corruption : BaseCorruption or None
        What happens to it.
    seeds : list of int
        Seeds of the draws.
    apply_to : {"train", "test", "both"}, default="train"
        The part that is corrupted.

    Returns
    -------
    list of int
        None without an error, and one where draws are all the same, as those are that strike every
        matched row: it says it all.
    """
    if corruption is None:
        return []
    return seeds[:1] if draws_alike(split, corruption, seeds, apply_to) else seeds


def _mark_of(split: Split, corruption: BaseCorruption, seed: int, apply_to: ApplyTo) -> str:
    """A mark of which rows are left and of what is struck, as all else is as it was."""
    found, records = corrupted_split(split, corruption, seed, apply_to)
    parts = [(found.X_train, found.y_train)] * (apply_to != "test")
    parts += [(found.X_test, found.y_test)] * (apply_to != "train")
    kept = []
    for record, (X, y) in zip(records, parts, strict=True):
        cells = record.X_mask.sum(axis=1)
        rows = np.flatnonzero((np.asarray(cells).ravel() > 0) | record.y_mask)
        labels = None if y is None else take_rows(y, rows)
        kept.append((record.sample_indices, rows, take_rows(X, rows), labels))
    return str(joblib.hash(kept))


def corrupt_rows(
    corruption: BaseCorruption, X: TableLike, y: ColumnLike | None, params: dict[str, Any]
) -> tuple[Any, Any, dict[str, Any], CorruptionRecord]:
    """Corrupt rows and what goes along with them.

    Parameters
    ----------
    corruption : fitted BaseCorruption
        What happens to them.
    X : table of shape (n_samples, n_features)
        Features.
    y : array-like of shape (n_samples,) or None
        Labels.
    params : dict
        Parameters of `fit` or of a scorer, of which arrays of n_samples entries are cut.

    Returns
    -------
    X, y, params, record
        The rows that remain or come about, and what was changed.
    """
    X, y, record = corruption.corrupt(X, y)
    return X, y, sample_aligned(params, record.sample_indices, record.n_samples_in), record


def fit_and_score(
    model: Any,
    split: Split,
    scorer: Callable[..., Any] | None,
    *,
    error_score: ErrorScore = np.nan,
    return_estimator: bool = False,
    train_scorer: bool = False,
    several: bool = False,
    predictions: Callable[[Any], np.ndarray] | None = None,
    cache: Cache | None = None,
    fitted: bool = False,
    served: TableLike | None = None,
) -> Outcome:
    """Fit a model on the training part of a split as it is, and score it on the test part.

    Parameters
    ----------
    model : estimator
        Fitted in place; its random states are set.
    split : Split
        The data, errors included.
    scorer : callable or None
        `scorer(estimator, X_test, y_test)`; None asks for predictions alone.
    error_score : float or "raise", default=nan
        Score where the fit or the scorer fails.
    return_estimator : bool, default=False
        Whether the outcome holds the fitted estimator.
    train_scorer : bool, default=False
        Whether the score is a pair (test, train).
    several : bool, default=False
        Whether the scorer may give several scores by name.
    predictions : callable or None, default=None
        What is kept of the predictions of the test rows, such as `np.asarray`; None asks for none.
        What it raises counts as a failure of the model.
    cache : Cache or None, default=None
        That of the stages of the model, which is told which data they get: those of the split, or,
        where errors struck its test part or the scorer may ask about other rows, others.
    fitted : bool, default=False
        Whether the model is fitted, and is scored as it is.
    served : table of shape (n_test, n_features) or None, default=None
        The rows of the test part as they were before errors struck them: what a scorer reads of
        them, such as groups, it reads there. None where the test part is clean.

    Returns
    -------
    Outcome
        Score, times, predictions, error.

    Raises
    ------
    ScorerError
        If the scorer returns no number, whatever `error_score` is.
    """
    outcome = Outcome()
    if not fitted and not return_estimator and served is None:
        split = with_arrays(split, model, scorer)
    try:
        start = time.perf_counter()
        if cache is not None:
            cache.role = "train"
        if not fitted:
            fit_on_copies(model, split.X_train, split.y_train, split.fit_params)
        outcome.fit_time = time.perf_counter() - start
        start = time.perf_counter()
        if cache is not None:
            cache.role = "test" if served is None else None
        if predictions is not None:
            outcome.predictions = predictions(Sheltered(model).predict(split.X_test))
        if scorer is None:
            return outcome
        if cache is not None and not asks_once(scorer):
            cache.role = None
        outcome.score = score_of(
            scorer,
            model,
            split.X_test,
            split.y_test,
            split.score_params,
            several=several,
            served=served,
        )
        outcome.score_time = time.perf_counter() - start
        if train_scorer:
            if cache is not None:
                cache.role = None
            params = split.fit_params if split.score_params else {}
            on_train = score_of(
                scorer, model, split.X_train, split.y_train, params, several=several
            )
            outcome.score = outcome.score, on_train
    except ScorerError:
        raise
    except Exception as error:
        if isinstance(error_score, str) and error_score == "raise":
            raise
        outcome.error, outcome.score = error_in_words(error), error_score
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
    served: TableLike | None = None,
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
    served : table of shape (n_samples, n_features) or None, default=None
        The rows before errors struck them, which the scorer gets in place of `X`; None where they
        are clean.

    Returns
    -------
    float or dict of str to float
        The score.

    Raises
    ------
    ScorerError
        If the scorer returns something else.
    """
    if served is None or not getattr(scorer, "reads_rows", False):
        # a scorer of the user's may ask the steps of a pipeline one by one
        found = None if params else quick_score(scorer, Sheltered(model), X, y)
        if found is None:
            given = duplicate(X), duplicate(y)
            found = scorer(Sheltered(model), *given, **(params or {}))
    else:
        clean = duplicate(served)
        found = scorer(ServedView(model, clean, X), clean, duplicate(y), **(params or {}))
    return as_scores(found, scorer) if several else as_score(found, scorer)
