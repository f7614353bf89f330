"""Evaluations as the table `cv_results_`."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import rankdata

from .candidates import Evaluation
from .candidates._process_candidate import member_columns


def results_table(
    evaluations: list[Evaluation], kinds: list[str], n_splits: int
) -> dict[str, np.ndarray]:
    """A row for each candidate, columns as in `GridSearchCV.cv_results_` where they mean the same.

    Parameters
    ----------
    evaluations : list of Evaluation
        In the order of evaluation.
    kinds : list of str
        The kind of error of each.
    n_splits : int
        Number of splits, which gives the table its columns where there is no evaluation.

    Returns
    -------
    dict of ndarray
        To be made a DataFrame.
    """

    def objects(values: list[Any]) -> np.ndarray:
        array = np.empty(len(values), dtype=object)
        array[:] = values
        return array

    candidates = [e.candidate for e in evaluations]
    scores = np.array([e.scores for e in evaluations], dtype=float)
    scores = scores.reshape(len(evaluations), n_splits)
    mean = np.array([e.score for e in evaluations], dtype=float)
    fit_times = [[o.fit_time for o in e.outcomes] for e in evaluations]
    score_times = [[o.score_time for o in e.outcomes] for e in evaluations]
    status = ["infeasible" if e.infeasible else "failed" if e.error else "ok" for e in evaluations]
    table = {
        "kind": objects([*kinds]),
        "pattern": objects([str(c.pattern) for c in candidates]),
        "columns": objects([c.columns for c in candidates]),
        "target": objects([c.target for c in candidates]),
        "corruption": objects([c.corruption for c in candidates]),
        "rate": np.array([c.rate for c in candidates], dtype=float),
        "row_fraction": np.array([e.row_fraction for e in evaluations], dtype=float),
        "n_draws": np.array([e.n_draws for e in evaluations], dtype=int),
        "depth": np.array([c.depth for c in candidates], dtype=int),
        "mean_test_score": mean,
        "std_test_score": scores.std(axis=1) if len(scores) else mean,
        # rank 1 is the worst corruption, which is the lowest score
        "rank_test_score": rankdata(np.where(np.isfinite(mean), mean, np.inf), "min").astype(int),
        "mean_fit_time": np.array([np.mean(t) for t in fit_times], dtype=float),
        "mean_score_time": np.array([np.mean(t) for t in score_times], dtype=float),
        "status": objects(status),
        "message": objects([e.error for e in evaluations]),
    }
    for name, column in member_columns(candidates).items():
        table[name] = objects(column) if name.endswith("pattern") else np.array(column)
    for k in range(scores.shape[1]):
        table[f"split{k}_test_score"] = scores[:, k]
    return table
