"""One train and test split: corrupt, fit, score, and say what happened."""

from __future__ import annotations

import time
import traceback
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning

from skcorrupt.base import BaseCorruption, CorruptionRecord

from ._parameters import sample_aligned, seeded_clone, take_rows


@dataclass
class Split:
    """Training and test data of one split, cut once and used by every fit on it.

    Attributes
    ----------
    train, test : ndarray of int
        Positions in the whole data.
    X_train, y_train, X_test, y_test : tables and labels
        The clean rows.
    fit_params, score_params : dict
        Parameters of `fit` and of the scorer for these rows.
    seed : int
        Seed of the split, the same for every corruption tried on it, so that scores are paired.
    """

    train: np.ndarray
    test: np.ndarray
    X_train: Any
    y_train: Any
    X_test: Any
    y_test: Any
    fit_params: dict
    score_params: dict
    seed: int


@dataclass
class Outcome:
    """What came of one fit.

    Attributes
    ----------
    score : float or dict
        The score, or NaN (or the given error score) where something failed.
    fit_time, score_time : float
        Seconds; the corruption's own time is not in them.
    records : list of CorruptionRecord
        What was corrupted, training part first.
    error : str
        The error, or why the corrupted data could not be fitted; empty where all went well.
    infeasible : bool
        Whether the corrupted data was refused before any fit.
    estimator : estimator or None
        The fitted estimator, if asked for.
    """

    score: Any = np.nan
    fit_time: float = 0.0
    score_time: float = 0.0
    records: list[CorruptionRecord] = field(default_factory=list)
    error: str = ""
    infeasible: bool = False
    estimator: Any = None


def make_splits(
    X: Any,
    y: Any,
    indices: list[tuple[np.ndarray, np.ndarray]],
    seeds: list[int],
    *,
    fit_params: dict | None = None,
    score_params: dict | None = None,
) -> list[Split]:
    """Cut the data into splits.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        Features.
    y : array-like of shape (n_samples,)
        Labels.
    indices : list of (ndarray, ndarray)
        Train and test positions of every split.
    seeds : list of int
        One seed a split.
    fit_params, score_params : dict, default=None
        Parameters of `fit` and of the scorer; arrays of n_samples entries are cut too.

    Returns
    -------
    list of Split
        One a pair of index arrays.
    """
    n = sum(1 for _ in y) if not hasattr(y, "__len__") else len(y)
    return [
        Split(
            train=train,
            test=test,
            X_train=take_rows(X, train),
            y_train=take_rows(y, train),
            X_test=take_rows(X, test),
            y_test=take_rows(y, test),
            fit_params=sample_aligned(fit_params or {}, train, n),
            score_params=sample_aligned(score_params or {}, test, n),
            seed=seed,
        )
        for (train, test), seed in zip(indices, seeds, strict=True)
    ]


def evaluate_split(
    estimator: Any,
    split: Split,
    scorer: Any,
    *,
    corruption: BaseCorruption | None = None,
    apply_to: str = "train",
    corruption_seed: int | None = None,
    check: Any = None,
    error_score: Any = np.nan,
    return_estimator: bool = False,
    train_scorer: bool = False,
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
        `check(result, split) -> str` gives the reason why corrupted training data is infeasible,
        or "".
    error_score : float or "raise", default=nan
        Score where the fit or the scorer fails.
    return_estimator : bool, default=False
        Whether the outcome holds the fitted estimator.
    train_scorer : bool, default=False
        Whether the score is a pair (test, train).

    Returns
    -------
    Outcome
        Score, times, records, error.
    """
    outcome = Outcome()
    model = seeded_clone(estimator, split.seed)
    X, y, fit_params = split.X_train, split.y_train, split.fit_params
    X_test, y_test, score_params = split.X_test, split.y_test, split.score_params
    try:
        if corruption is not None:
            seed = split.seed if corruption_seed is None else corruption_seed
            seeded = clone(corruption).set_params(random_state=seed)
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
        if check is not None:
            outcome.error = check(X, y, outcome.records)
            if outcome.error:
                outcome.infeasible = True
                return outcome
        start = time.perf_counter()
        model.fit(X, y, **fit_params)
        outcome.fit_time = time.perf_counter() - start
        start = time.perf_counter()
        outcome.score = scorer(model, X_test, y_test, **score_params)
        outcome.score_time = time.perf_counter() - start
        if train_scorer:
            train_params = split.fit_params if split.score_params else {}
            outcome.score = (outcome.score, scorer(model, X, y, **train_params))
    except Exception as error:
        if isinstance(error_score, str) and error_score == "raise":
            raise
        last = traceback.extract_tb(error.__traceback__)[-1]
        outcome.error = f"{type(error).__name__}: {error} ({last.name})"
        outcome.score = error_score
    if return_estimator:
        outcome.estimator = model
    return outcome


def warn_of_failures(outcomes: list[Outcome], error_score: Any) -> None:
    """Say how many fits failed, and how the first one did."""
    failed = [outcome for outcome in outcomes if outcome.error and not outcome.infeasible]
    if failed:
        warnings.warn(
            f"{len(failed)} of {len(outcomes)} fits failed and score {error_score}; the first: "
            f"{failed[0].error}. Pass error_score='raise' to see the whole error.",
            FitFailedWarning,
            stacklevel=3,
        )
