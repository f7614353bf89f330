"""The search's optimizers beside optuna: what they find on stored scores, and what asks cost."""

from __future__ import annotations

import time
from itertools import islice
from typing import Any

import numpy as np

from benchmarks.peers._common import Found, described
from benchmarks.search.optimizers import BATCH, ScoreTable, Trace, data_sets, ours, score_table
from skcorrupt.adversarial import Grid, make_optimizer

PEERS = ("optuna",)
BUDGETS = (16, 32, 64)
N_SEEDS = 10
OPTIMIZERS = ("forest", "gp")
SAMPLER = "optuna TPE"
# levels of the dimensions of a grid with three conditions and a label
SHAPE = (36, 36, 36, 2)
CALLS = (32, 128)
SAME = 0.002


def measure(peer: str, quick: bool) -> Found:
    """What both find at equal fits, and the cost of one ask and tell.

    Parameters
    ----------
    peer : {"optuna"}
        The peer.
    quick : bool
        Whether a few seeds and calls are enough.

    Yields
    ------
    tuple of str and dict
        Section and row.
    """
    about = {"peer": peer, "version": described(peer)}
    for n_calls in CALLS[:1] if quick else CALLS:
        for row in asked(n_calls, 1 if quick else 5):
            yield "search-asks", {**about, **row}
    chosen = [] if quick else [("employee", 1), ("credit card", 0)]
    sources = data_sets() if chosen else {}
    for name, which in chosen:
        if name in sources:
            X, y, templates = sources[name]
            table = score_table(X, y, templates[which])
            for row in found(table, f"{name}: {' + '.join(templates[which])}"):
                yield "search-found", {**about, **row}


def found(table: ScoreTable, name: str) -> list[dict[str, Any]]:
    """The lowest score at equal numbers of distinct fits, over seeds.

    Parameters
    ----------
    table : ScoreTable
        All candidates of a template with their scores.
    name : str
        Of the template.

    Returns
    -------
    list of dict
        A row a budget and an optimizer of ours.
    """
    rows = []
    for n_fits in BUDGETS:
        theirs = [tpe(table, n_fits, seed).best[-1] for seed in range(N_SEEDS)]
        for optimizer in OPTIMIZERS:
            own = [ours(optimizer)(table, n_fits, seed).best[-1] for seed in range(N_SEEDS)]
            gap = np.array(theirs) - np.array(own)
            rows.append(
                {
                    "template": name,
                    "candidates": table.grid.size,
                    "fits": n_fits,
                    "optimizer": optimizer,
                    "ours": float(np.mean(own)),
                    "theirs": float(np.mean(theirs)),
                    "least": float(table.scores.min()),
                    "lower": int((gap > SAME).sum()),
                    "same": int((abs(gap) <= SAME).sum()),
                    "higher": int((gap < -SAME).sum()),
                }
            )
    return rows


def tpe(table: ScoreTable, n_fits: int, seed: int) -> Trace:
    """optuna's TPE as a user would write it: first and last level of a condition, and the label.

    As ours it pays for a distinct candidate once; what it asks again costs no fit.

    Parameters
    ----------
    table : ScoreTable
        All candidates.
    n_fits : int
        Distinct candidates to be scored.
    seed : int
        Seed of the sampler.

    Returns
    -------
    Trace
        The best score by fits.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    atoms = [{tuple(r): i for i, r in enumerate(ranges.tolist())} for ranges in table.ranges]
    levels = [int(ranges.max()) + 1 for ranges in table.ranges]
    trace, started = Trace(), time.process_time()
    known: set[int] = set()
    for _ in range(3 * n_fits):
        trial = study.ask()
        at = []
        for d, n in enumerate(levels):
            low = trial.suggest_int(f"low {d}", 0, n - 1)
            high = trial.suggest_int(f"high {d}", low, n - 1)
            # the whole range is no condition; without its last level it is the nearest that is
            at.append(atoms[d].get((low, high), atoms[d].get((low, high - 1))))
        label = trial.suggest_int("label", 0, table.grid.shape[-2] - 1)
        point = (*at, label, 0)
        score, key = float(table.scores[point]), int(table.keys[point])
        study.tell(trial, score)
        if key >= 0 and key not in known:
            known.add(key)
            trace.add(score, time.process_time() - started)
        if len(known) >= n_fits:
            break
    return trace


def asked(n_calls: int, n_repeats: int) -> list[dict[str, Any]]:
    """Milliseconds of one ask and tell, over a whole run of so many calls.

    Parameters
    ----------
    n_calls : int
        Scores told.
    n_repeats : int
        Runs of each, in turns.

    Returns
    -------
    list of dict
        A row an optimizer of ours, optuna's beside it.
    """
    runs = [(optimizer, batch) for optimizer in OPTIMIZERS for batch in (1, BATCH)]
    times: dict[Any, list[float]] = {name: [] for name in (*runs, SAMPLER)}
    for repeat in range(n_repeats + 1):
        for optimizer, batch in runs:
            times[optimizer, batch].append(_own_run(optimizer, n_calls, batch, repeat))
        times[SAMPLER].append(_optuna_run(n_calls, repeat))
    # the first run imports and warms up
    milliseconds = {name: 1000 * float(np.median(t[1:])) / n_calls for name, t in times.items()}
    theirs = milliseconds[SAMPLER]
    return [
        {
            "calls": n_calls,
            "optimizer": optimizer,
            "batch": batch,
            "ours": milliseconds[optimizer, batch],
            "theirs": theirs,
            "ratio": theirs / milliseconds[optimizer, batch],
        }
        for optimizer, batch in runs
    ]


def _own_run(optimizer: str, n_calls: int, batch: int, seed: int) -> float:
    grid = Grid([np.linspace(0, 1, levels)[:, None] for levels in SHAPE])
    asker = make_optimizer(optimizer, grid, n_calls, seed)
    started, told = time.process_time(), 0
    while told < n_calls:
        points = list(islice(asker.ask(), batch))
        asker.tell(points, [_score(point) for point in points])
        told += len(points)
    return time.process_time() - started


def _optuna_run(n_calls: int, seed: int) -> float:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    started = time.process_time()
    for _ in range(n_calls):
        trial = study.ask()
        point = tuple(trial.suggest_int(f"d{d}", 0, n - 1) for d, n in enumerate(SHAPE))
        study.tell(trial, _score(point))
    return time.process_time() - started


def _score(point: tuple[int, ...]) -> float:
    away = (np.array(point) - np.array(SHAPE) / 3) / np.array(SHAPE)
    return float((away**2).sum())
