"""An evaluator on fewer rows, for an estimator that stands in for the pipeline."""

from __future__ import annotations

import dataclasses

import numpy as np
from sklearn.base import is_classifier

from skcorrupt.evaluation import REUSED_BYTES, PlainTables, sample_aligned, take_rows
from skcorrupt.utils._typing import Estimator

from ..candidates import Evaluator, SearchTask

LEAST_OF_CLASS = 200


def on_fewer_rows(
    task: SearchTask, estimator: Estimator, most: int, seed: int, *, kept: bool = False
) -> Evaluator:
    """An evaluator of an estimator on at most so many rows of every part of every split.

    Parameters
    ----------
    task : SearchTask
        The search.
    estimator : estimator
        What is fitted and scored.
    most : int
        Most rows of a part.
    seed : int
        Seed of the choice of rows.
    kept : bool, default=False
        Whether the journal of the search keeps what is scored, beside what is on all rows.

    Returns
    -------
    Evaluator
        With the scorer and the checks of the search, and failures as NaN.
    """
    full, rng = task.evaluator, np.random.default_rng(seed)
    labels = task.space.target.values if is_classifier(full.estimator) else None
    strikes, splits = task.space.template.strikes, []
    for split in full.splits:
        train, test = (_some_rows(part, labels, most, rng) for part in (split.train, split.test))
        X_train, X_test = take_rows(split.X_train, train), take_rows(split.X_test, test)
        small = dataclasses.replace(
            split,
            train=split.train[train],
            test=split.test[test],
            X_train=X_train,
            y_train=take_rows(split.y_train, train),
            X_test=X_test,
            y_test=take_rows(split.y_test, test),
            fit_params=sample_aligned(split.fit_params, train, len(split.train)),
            score_params=sample_aligned(split.score_params, test, len(split.test)),
            reused=None,
            plain=PlainTables(X_train, X_test),
        )
        if strikes in ("cells", "labels") and full.apply_to != "test":
            small.reuse(estimator, {strikes}, REUSED_BYTES / len(full.splits))
        splits.append(small)
    cheap = Evaluator(
        estimator,
        splits,
        full.scorer,
        full.check,
        np.nan,
        full.n_jobs,
        apply_to=full.apply_to,
        seed=full.seed,
        bar=full.bar,
        deadline=full.deadline,
        is_sample=True,
    )
    if kept and full.journal is not None:
        # candidates of several kinds of error may have the same key
        cheap.keep_sampled(full.journal, getattr(full, "kind", ""))
    return cheap


def _some_rows(
    part: np.ndarray, labels: np.ndarray | None, most: int, rng: np.random.Generator
) -> np.ndarray:
    """Places of at most so many rows, of every class as many as there are or a fair share."""
    order = rng.permutation(len(part))
    if len(part) <= most:
        return np.arange(len(part))
    if labels is None:
        return np.sort(order[:most])
    codes = np.unique(labels[part], return_inverse=True)[1]
    counts = np.bincount(codes)
    wanted = np.maximum(np.minimum(counts, LEAST_OF_CLASS), counts * most // len(part))
    chosen = [order[codes[order] == k][:n] for k, n in enumerate(wanted.tolist())]
    return np.sort(np.concatenate(chosen))
