"""The candidates of a search for robust parameters: their clean scores, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import Journal, Outcome, Split, evaluate_split, run_tasks
from skcorrupt.utils import shorten, warn
from skcorrupt.utils._typing import Estimator

from ._halving import LOST, Rival
from ._left_out import REMEDY, left_out_in_words, remedy_of
from ._parameter_settings import with_parameters

# where a journal keeps clean scores
CLEAN = "clean"


def clean_rivals(
    estimator: Estimator,
    settings: Sequence[dict[str, Any]],
    splits: Sequence[Split],
    scorer: Callable[..., Any],
    *,
    journal: Journal | None,
    n_jobs: int | None,
    done: Callable[[], Any],
) -> list[Rival]:
    """Score all candidates on clean data.

    Parameters
    ----------
    estimator : estimator
        The pipeline.
    settings : sequence of dict
        Parameters of each candidate.
    splits : sequence of Split
        The splits.
    scorer : callable
        The scorer.
    journal : Journal or None
        Keeps the scores.
    n_jobs : int or None
        Number of workers.
    done : callable
        Called after each fit.

    Returns
    -------
    list of Rival
        In the order of the settings; those that fail say so.
    """
    kept = {} if journal is None else journal.read(CLEAN)
    # the order of the settings is part of the study
    keys = [f"{i}".encode() for i in range(len(settings))]
    new = [i for i, key in enumerate(keys) if key not in kept]
    tasks = [
        (with_parameters(estimator, settings[i]), split, scorer) for i in new for split in splits
    ]
    outcomes = run_tasks(_fit_clean, tasks, n_jobs=n_jobs, done=lambda _: done())
    n = len(splits)
    found = dict(kept)
    found |= {keys[i]: outcomes[k * n : (k + 1) * n] for k, i in enumerate(new)}
    if journal is not None and new:
        said = {keys[i]: shorten(settings[i], 80) for i in new}
        journal.write(CLEAN, [(key, said[key], found[key]) for key in said])
    rivals = []
    for i, key in enumerate(keys):
        clean = np.array([float(outcome.score) for outcome in found[key]])
        seconds = np.array([[outcome.fit_time, outcome.score_time] for outcome in found[key]])
        rival = Rival(i, settings[i], clean, seconds)
        errors = [outcome.error for outcome in found[key] if outcome.error]
        if errors or not np.isfinite(clean).all():
            rival.fail(errors[0] if errors else f"the clean score is {clean.tolist()}")
        rivals.append(rival)
    return rivals


def _fit_clean(estimator: Estimator, split: Split, scorer: Any) -> Outcome:
    return evaluate_split(estimator, split, scorer)


def check_given(given: Rival) -> None:
    """Refuse given parameters that have no clean score, with which nothing can be compared.

    Parameters
    ----------
    given : Rival
        That of the given parameters.

    Raises
    ------
    ValueError, TypeError
        With the remedy.
    """
    if given.failed:
        # scikit-learn tells wrong types from wrong values
        kind = TypeError if ": TypeError: " in given.status else ValueError
        raise kind(
            "The estimator with the given parameters cannot be fitted and scored on X and y as "
            f"they are, so nothing can be compared with it: {given.status}. Give the estimator "
            "parameters that work."
        )


def warn_of_choice(
    rivals: Sequence[Rival],
    given: Rival,
    best: Rival,
    left_out: pd.DataFrame,
    max_clean_loss: float,
) -> None:
    """Tell of candidates that failed or lose too much, and of errors that were left out.

    Parameters
    ----------
    rivals : sequence of Rival
        All candidates.
    given, best : Rival
        That of the given parameters, and the one chosen.
    left_out : DataFrame
        Errors on which all raise.
    max_clean_loss : float
        What a candidate may lose on clean data.

    Warns
    -----
    FitFailedWarning
        If some failed, or errors were left out.
    UserWarning
        If the given parameters win as no other candidate qualifies.
    """
    if len(left_out):
        warn(
            f"All candidates raise on some errors, which are left out for all: "
            f"{left_out_in_words(left_out)}. {remedy_of(left_out['columns'])} The first error: "
            f"{left_out['message'].iloc[0]}",
            FitFailedWarning,
        )
    failed = [rival for rival in rivals if rival.failed]
    if failed:
        warn(
            f"{len(failed)} of {len(rivals)} candidates failed and cannot win; the first, "
            f"{failed[0].params}, {failed[0].status.rstrip('.')}. cv_results_['status'] has the "
            "others.",
            FitFailedWarning,
        )
    if best.failed:
        warn(
            "Every candidate that was searched raises on errors that another one takes, so the "
            f"given parameters stay, which do so, too. {REMEDY}",
            FitFailedWarning,
        )
        return
    others = [rival for rival in rivals if rival is not given]
    if others and all(rival.failed or rival.status == LOST for rival in others):
        remedy = "P" if all(rival.failed for rival in others) else "Raise max_clean_loss, or p"
        warn(
            f"No other candidate, of {len(others)}, takes the error and loses at most "
            f"max_clean_loss={max_clean_loss:g} on clean data, so the given parameters win. "
            f"{remedy}ass another param_grid."
        )


def candidate_results(
    rivals: Sequence[Rival], ranks: np.ndarray, seed: int
) -> dict[str, np.ndarray]:
    """A row for each candidate, in columns as those of `GridSearchCV`.

    Parameters
    ----------
    rivals : sequence of Rival
        The candidates.
    ranks : ndarray of int
        Their ranks.
    seed : int
        That of the errors that are handed out.

    Returns
    -------
    dict of str to ndarray
        The columns.
    """
    names = sorted({name for rival in rivals for name in rival.params})
    seconds = np.array([rival.seconds for rival in rivals])
    results: dict[str, np.ndarray] = {
        "mean_fit_time": seconds[:, :, 0].mean(1),
        "std_fit_time": seconds[:, :, 0].std(1),
        "mean_score_time": seconds[:, :, 1].mean(1),
        "std_score_time": seconds[:, :, 1].std(1),
        "params": _objects([r.params for r in rivals]),
    }
    for name in names:
        results[f"param_{name}"] = np.ma.MaskedArray(
            _objects([r.params.get(name) for r in rivals]),
            mask=[name not in r.params for r in rivals],
        )
    clean = np.array([rival.clean for rival in rivals])
    results["mean_clean_score"], results["std_clean_score"] = clean.mean(1), clean.std(1)
    results |= {f"split{k}_clean_score": clean[:, k] for k in range(clean.shape[1])}
    worst = np.array([rival.worst_scores for rival in rivals])
    results["worst_score"] = np.array([rival.worst_score for rival in rivals])
    results["worst_corruption"] = _objects([handed_out(rival, seed) for rival in rivals])
    results["n_draws"] = np.array([rival.n_draws for rival in rivals])
    results["rung"] = np.array([rival.rung for rival in rivals])
    results["interrupted"] = np.array([rival.cut_short for rival in rivals])
    results["status"] = _objects([rival.status for rival in rivals])
    results["rank_worst_score"] = ranks
    # what a grid search chooses by has these names, and those who read them rely on it
    results |= {f"split{k}_test_score": worst[:, k] for k in range(worst.shape[1])}
    results["mean_test_score"] = results["worst_score"].copy()
    results["std_test_score"], results["rank_test_score"] = worst.std(1), ranks.copy()
    return results


def in_order(candidates: pd.DataFrame, chosen: int) -> pd.DataFrame:
    """Candidates by rank, of equal ones the chosen first, then those better on clean data.

    Parameters
    ----------
    candidates : DataFrame
        Columns of `cv_results_`.
    chosen : int
        The row of the chosen one.

    Returns
    -------
    DataFrame
        The same rows.
    """
    others = np.arange(len(candidates)) != chosen
    clean, ranks = candidates["mean_clean_score"], candidates["rank_worst_score"]
    return candidates.iloc[np.lexsort((-clean.to_numpy(float), others, ranks.to_numpy()))]


def handed_out(rival: Rival, seed: int) -> BaseCorruption | None:
    """The worst error of a candidate, to drop into a pipeline.

    Parameters
    ----------
    rival : Rival
        The candidate.
    seed : int
        Seed of the error.

    Returns
    -------
    BaseCorruption or None
        Unfitted; None where there is none.
    """
    found = rival.worst_corruption
    return None if found is None else clone(found).set_params(random_state=seed)


def _objects(values: list[Any]) -> np.ndarray:
    """A column of objects, lists and arrays among them."""
    column = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        column[i] = value
    return column
