"""Random dependency graphs from the whole space of them, as table 9 compares beam search with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from benchmarks.replication.savage._published_cells import PREPARED
from benchmarks.search._fixed_split import FixedSplit
from benchmarks.search._rivals import strike

N_GRAPHS, N_DRAWS, N_SEEDS = 100, 5, 20
# pipelines as in table 9 whose fits are quick, by their names in the study's files
PIPELINES = {"mean": "MeanImputer", "median": "MedianImputer", "H2O": "h2o"}
BUDGET = 0.5


def random_graph_rows(data: tuple) -> Iterator[dict[str, Any]]:
    """The least AUC of random graphs, with the label among the parents always or by chance.

    Parameters
    ----------
    data : tuple
        Training features and labels, test features and labels.

    Yields
    ------
    dict
        A row a pipeline, way and seed.
    """
    X, y, X_test, y_test = data
    for name, filed in PIPELINES.items():
        # the optimum of the default solver, in a seventh of its time on unscaled columns
        regression = LogisticRegression(solver="newton-cholesky")
        pipeline = make_pipeline(*PREPARED[filed][1](), regression)
        task = FixedSplit(pipeline, "missing", X, y, X_test, y_test)
        for forced in (True, False):
            for seed in range(N_SEEDS):
                task.reset()
                least = least_of_graphs(task, BUDGET, forced, seed)
                label = "forced" if forced else "allowed"
                row = {"imputer": name, "label": label, "seed": seed, "least": least}
                yield row | {"fits": task.n_fits}


def least_of_graphs(
    task: FixedSplit, budget: float, forced: bool, seed: int, n_graphs: int = N_GRAPHS
) -> float:
    """Each graph is a column to hit and a random subset of all attributes as its parents.

    Parameters
    ----------
    task : FixedSplit
        What is scored.
    budget : float
        Largest share of training rows struck.
    forced : bool
        Whether the label is always a parent; otherwise it is one in half of the graphs.
    seed : int
        Seed of graphs and ranges.
    n_graphs : int, default=N_GRAPHS
        Graphs, each with `N_DRAWS` draws of ranges.

    Returns
    -------
    float
        The least score; infinite where no draw matched a row.
    """
    rng = np.random.default_rng(seed)
    names = list(task.X_train.columns)
    levels = {name: np.unique(values) for name, values in task.values.items()}
    least = np.inf
    for _ in range(n_graphs):
        hit = names[rng.integers(len(names))]
        parents = [name for name in names if rng.random() < 0.5]
        with_label = rng.random() < 0.5
        if forced or with_label:
            parents.append("y")
        for _ in range(N_DRAWS):
            ranges = {}
            for name in parents:
                low, high = np.sort(rng.integers(len(levels[name]), size=2))
                ranges[name] = (int(levels[name][low]), int(levels[name][high]))
            matched = task.matched(ranges)
            if matched.any():
                least = min(least, task.score(hit, strike(matched, budget, rng)))
    return float(least)
