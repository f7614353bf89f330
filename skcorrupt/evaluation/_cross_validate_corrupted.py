"""Cross-validation under a corruption."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring

from skcorrupt.base import BaseCorruption
from skcorrupt.corruptions import corruption_from
from skcorrupt.utils import (
    N_JOBS,
    Target,
    as_table,
    check_arguments,
    check_is_estimator,
    draw_seed,
    progress_bar,
    sorted_labels,
    spawn_seeds,
    warned_once,
)
from skcorrupt.utils._compat import Interval, StrOptions
from skcorrupt.utils._typing import (
    ApplyTo,
    ColumnLike,
    ErrorScore,
    Estimator,
    Folds,
    RandomState,
    Scorings,
    TableLike,
)

from ._evaluate_split import evaluate_split
from ._outcome import Outcome, warn_of_failures
from ._parallel import run_tasks
from ._parameters import route_parameters
from ._split import Split, make_splits
from ._split_indices import checked_splitter, split_indices

_CONSTRAINTS: dict[str, list[Any]] = {
    "apply_to": [StrOptions({"train", "test", "both"})],
    "n_repeats": [Interval(Integral, 1, 10**9, closed="both")],
    "n_jobs": N_JOBS,
    "verbose": ["verbose"],
    "params": [dict, None],
    "return_train_score": ["boolean"],
    "return_estimator": ["boolean"],
    "return_indices": ["boolean"],
    "return_records": ["boolean"],
    "error_score": [StrOptions({"raise"}), Real],
}


@warned_once()
def cross_validate_corrupted(
    estimator: Estimator,
    X: TableLike,
    y: ColumnLike | None = None,
    corruption: BaseCorruption | str | None = None,
    *,
    apply_to: ApplyTo = "train",
    groups: ColumnLike | None = None,
    cv: Folds = None,
    scoring: Scorings = None,
    n_repeats: int = 1,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: dict[str, Any] | None = None,
    return_train_score: bool = False,
    return_estimator: bool = False,
    return_indices: bool = False,
    return_records: bool = False,
    error_score: ErrorScore = np.nan,
    random_state: RandomState = None,
) -> dict[str, Any]:
    """Cross-validate an estimator on corrupted training data, test data, or both.

    Parameters
    ----------
    estimator : estimator
        The pipeline under test; clones of it are fitted. Random states it leaves unset are
        seeded a split, the same in every repeat.
    X : table of shape (n_samples, n_features)
        Clean features.
    y : array-like of shape (n_samples,), default=None
        Clean labels.
    corruption : BaseCorruption, str or None, default=None
        What happens to the data, by a short name such as "noise" or as an object, whose own
        `random_state` is replaced by one a fit. None cross-validates on clean data.
    apply_to : {"train", "test", "both"}, default="train"
        The part of each split that is corrupted. The corruption's reference facts are learned
        from the clean training part. Scores go by the labels that a corrupted test part has.
    groups : array-like of shape (n_samples,), default=None
        Groups for the splitter.
    cv : int, splitter, iterable of splits or None, default=None
        As in `cross_validate`; None is 5 folds.
    scoring : str, callable, list, dict or None, default=None
        As in `cross_validate`; None is the estimator's own score.
    n_repeats : int, default=1
        Number of fresh draws of the corruption on the same splits.
    n_jobs : int or None, default=None
        Number of workers; the results do not depend on it.
    verbose : int, default=0
        1 shows a progress bar.
    params : dict, default=None
        Passed to the estimator's `fit`, or, with metadata routing, to the estimator, the scorer
        and the splitter; arrays of n_samples entries are cut to the rows used.
    return_train_score : bool, default=False
        Whether to score on the (corrupted) training data too.
    return_estimator : bool, default=False
        Whether to return the fitted estimators.
    return_indices : bool, default=False
        Whether to return the train and test indices.
    return_records : bool, default=False
        Whether to return the corruption records: lists of one record, two with
        `apply_to="both"`.
    error_score : float or "raise", default=nan
        Score where a fit fails.
    random_state : None, int, RandomState or Generator, default=None
        Source of all seeds.

    Returns
    -------
    dict
        What `sklearn.model_selection.cross_validate` returns, arrays of n_repeats × n_splits
        entries, repeat by repeat, with `repeat` and `split` besides.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcorrupt import CorruptLabels, cross_validate_corrupted
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> results = cross_validate_corrupted(
    ...     GaussianNB(), X, y, CorruptLabels(rate=0.3), n_repeats=2, random_state=0
    ... )
    >>> results["test_score"].shape
    (10,)
    """
    check_is_estimator(estimator)
    if corruption is not None:
        corruption = corruption_from(corruption)
    check_arguments("cross_validate_corrupted", _CONSTRAINTS, locals())
    scorer = check_scoring(estimator, scoring=scoring)
    target = None if y is None else Target(y)
    if target is not None and is_classifier(estimator) and target.table.n_columns == 1:
        sorted_labels(target.values)
    splitter = checked_splitter(cv, y, classifier=is_classifier(estimator))
    seed = draw_seed(random_state)
    to_fit, to_score, to_split = route_parameters(
        "cross_validate_corrupted", params or {}, estimator, scorer, splitter
    )
    if groups is not None:
        to_split = {**to_split, "groups": groups}
    n_rows = as_table(X).n_rows if target is None else target.n_rows
    indices = split_indices(cv, splitter, X, y, n_rows, **to_split)
    seeds = spawn_seeds(seed, len(indices))
    splits = make_splits(X, y, indices, seeds, fit_params=to_fit, score_params=to_score)
    draws = spawn_seeds(seed, n_repeats * len(splits), 1)
    options = {
        "corruption": corruption,
        "apply_to": apply_to,
        "error_score": error_score,
        "return_estimator": return_estimator,
        "train_scorer": return_train_score,
        "several": True,
    }
    tasks = [
        (estimator, splits[i % len(splits)], scorer, options, draw) for i, draw in enumerate(draws)
    ]
    with progress_bar(len(tasks), verbose, "Cross-validating") as bar:
        outcomes = run_tasks(_evaluate, tasks, n_jobs=n_jobs, done=lambda _: bar.update())
    warn_of_failures(outcomes, error_score)
    results: dict[str, Any] = {
        "fit_time": np.array([outcome.fit_time for outcome in outcomes]),
        "score_time": np.array([outcome.score_time for outcome in outcomes]),
    }
    if return_estimator:
        results["estimator"] = [outcome.estimator for outcome in outcomes]
    if return_indices:
        whole = [indices[i % len(indices)] for i in range(len(draws))]
        results["indices"] = {
            "train": [train for train, _ in whole],
            "test": [test for _, test in whole],
        }
    scores = [outcome.score for outcome in outcomes]
    names = list(scoring) if isinstance(scoring, (list, tuple, set, dict)) else None
    if return_train_score:
        pairs = [s if isinstance(s, tuple) else (s, s) for s in scores]
        results.update(_columns("train", [pair[1] for pair in pairs], names))
        scores = [pair[0] for pair in pairs]
    results.update(_columns("test", scores, names))
    results["repeat"] = np.repeat(np.arange(n_repeats), len(splits))
    results["split"] = np.tile(np.arange(len(splits)), n_repeats)
    if return_records:
        results["records"] = [outcome.records for outcome in outcomes]
    return results


def _evaluate(
    estimator: Any, split: Split, scorer: Any, options: dict[str, Any], draw: int
) -> Outcome:
    return evaluate_split(estimator, split, scorer, corruption_seed=draw, **options)


def _columns(part: str, scores: list[Any], names: list[Any] | None) -> dict[str, np.ndarray]:
    """Scores as arrays: one, or one a name where the scorer gives several."""
    names = next((list(s) for s in scores if isinstance(s, dict)), names)
    if names is None:
        return {f"{part}_score": np.array(scores, dtype=float)}
    return {
        f"{part}_{name}": np.array(
            [s[name] if isinstance(s, dict) else s for s in scores], dtype=float
        )
        for name in names
    }
