"""What the search is compared with: the published recipe, rebuilt, and random candidates."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from benchmarks.search._fixed_split import FixedSplit

# of the rows struck
PUBLISHED_SEED = 42
Ranges = dict[str, tuple[int, int]]


@dataclass
class Found:
    """The worst candidate of a rival.

    Attributes
    ----------
    score : float
        Its AUC.
    column : str
        The column hit, where cells are missing.
    ranges : dict
        Its pattern as closed ranges.
    n_fits : int
        Distinct fits.
    seconds : float
        Time of the fits and of the search itself.
    """

    score: float
    column: str
    ranges: Ranges
    n_fits: int
    seconds: float


def published_recipe(
    task: FixedSplit,
    budget: float,
    *,
    beam_width: int = 3,
    n_rounds: int = 2,
    n_trials: int = 20,
    seed: int = 0,
) -> Found:
    """Beam search over columns with optuna's TPE for the ranges, as published.

    The first column of a pattern is the one whose cells go missing, the label's range is always
    searched too, and min(matched rows, budget) rows are struck at a fixed seed.

    Parameters
    ----------
    task : FixedSplit
        What is scored.
    budget : float
        Largest share of training rows struck.
    beam_width, n_rounds, n_trials : int
        Templates kept, columns of a pattern at most, and trials a template.
    seed : int
        Seed of the sampler.

    Returns
    -------
    Found
        The worst candidate.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    started, fitted = time.perf_counter(), task.seconds
    wall_fits = 0.0
    best = Found(np.inf, "", {}, 0, 0.0)

    def tune(columns: tuple[str, ...]) -> float:
        nonlocal best, wall_fits
        sampler = optuna.samplers.TPESampler(seed=seed)
        study = optuna.create_study(direction="minimize", sampler=sampler)

        def objective(trial: optuna.Trial) -> float:
            nonlocal best, wall_fits
            ranges = {}
            for name in (*columns, "y"):
                values = task.values[name]
                low = trial.suggest_int(f"{name}_low", int(values.min()), int(values.max()))
                high = trial.suggest_int(f"{name}_high", low, int(values.max()))
                ranges[name] = (low, high)
            struck = strike(task.matched(ranges), budget, np.random.default_rng(PUBLISHED_SEED))
            before = time.perf_counter()
            score = task.score(columns[0], struck)
            wall_fits += time.perf_counter() - before
            if score < best.score:
                best = Found(score, columns[0], ranges, 0, 0.0)
            return score

        study.optimize(objective, n_trials=n_trials)
        return float(study.best_value)

    names = list(task.X_train.columns)
    scores: dict[tuple[str, ...], float] = {(name,): tune((name,)) for name in names}
    for _ in range(n_rounds - 1):
        beam = sorted(scores, key=lambda columns: scores[columns])[:beam_width]
        for columns in beam:
            for name in names:
                if name not in columns and (*columns, name) not in scores:
                    scores[(*columns, name)] = tune((*columns, name))
    own = time.perf_counter() - started - wall_fits
    best.n_fits, best.seconds = task.n_fits, own + task.seconds - fitted
    return best


def random_search(
    task: FixedSplit, budget: float, n_fits: int, seed: int, *, with_label: bool = True
) -> Found:
    """Random candidates of the same kind: a column, up to two more, ranges of observed values.

    Parameters
    ----------
    task : FixedSplit
        What is scored.
    budget : float
        Largest share of training rows struck.
    n_fits : int
        Distinct candidates scored.
    seed : int
        Seed of the candidates.
    with_label : bool, default=True
        Whether patterns hold a class; without it they are of features alone, as in the paper.

    Returns
    -------
    Found
        The worst candidate.
    """
    rng = np.random.default_rng(seed)
    started, fitted = time.perf_counter(), task.seconds
    wall_fits = 0.0
    names = list(task.X_train.columns)
    levels = {name: np.unique(values) for name, values in task.values.items()}
    best = Found(np.inf, "", {}, 0, 0.0)
    while task.n_fits < n_fits:
        columns = rng.permutation(names)[: rng.integers(1, 4)].tolist()
        ranges = {}
        for name in columns:
            low, high = np.sort(rng.integers(len(levels[name]), size=2))
            ranges[name] = (int(levels[name][low]), int(levels[name][high]))
        if with_label:
            label = int(rng.integers(2))
            ranges["y"] = (label, label)
        matched = task.matched(ranges)
        if not matched.any() or matched.all():
            continue
        before = time.perf_counter()
        score = task.score(columns[0], strike(matched, budget, rng))
        wall_fits += time.perf_counter() - before
        if score < best.score:
            best = Found(score, columns[0], ranges, 0, 0.0)
    own = time.perf_counter() - started - wall_fits
    best.n_fits, best.seconds = task.n_fits, own + task.seconds - fitted
    return best


def strike(matched: np.ndarray, budget: float, rng: np.random.Generator) -> np.ndarray:
    """Matched rows, a random part of them where the budget allows no more.

    Parameters
    ----------
    matched : ndarray of bool
        Rows within a pattern.
    budget : float
        Largest share of all rows.
    rng : numpy.random.Generator
        What draws.

    Returns
    -------
    ndarray of bool
        Rows that are struck.
    """
    rows = np.flatnonzero(matched)
    n_struck = min(len(rows), int(np.floor(budget * len(matched) + 1e-9)))
    struck = np.zeros(len(matched), dtype=bool)
    struck[rng.choice(rows, size=n_struck, replace=False)] = True
    return struck
