"""Wall time until the search has a score as low as the published recipe's, which it ends with."""

from __future__ import annotations

import time
import warnings

import numpy as np

from benchmarks._data import load_adult
from benchmarks._results import Results
from benchmarks.replication.savage.adult import estimator_for
from benchmarks.search import _speed
from benchmarks.search._common import met, on_test_set, searched
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial.candidates import Progress

TIMES_SHORTER = 20
SETTINGS = (("mean", "newton-cholesky"), ("median", "newton-cholesky"), ("mean", "lbfgs"))
COLUMNS = {
    "imputer": "imputer",
    "solver": "solver",
    "budget": "budget",
    "recipe": "recipe's score",
    "recipe_wall": "recipe, seconds",
    "wall": "until as low, seconds",
    "ratio": "times shorter",
    "required": "required",
    "met": "met",
    "whole": "whole search, seconds",
    "found": "score of it",
}


class Watch(Progress):
    """A bar that notes when a candidate was scored.

    Attributes
    ----------
    scored : list of (float, float)
        Wall seconds since the start, and the score.
    """

    def __init__(self) -> None:
        super().__init__()
        self.started = time.perf_counter()
        self.scored: list[tuple[float, float]] = []

    def best(self, score: float, *, settled: bool = False) -> None:
        """A candidate was scored."""
        super().best(score, settled=settled)
        if np.isfinite(score):
            self.scored.append((time.perf_counter() - self.started, float(score)))


def until(results: Results, quick: bool) -> None:
    """A row an imputer, solver and budget: one search of defaults beside one run of the recipe."""
    results.begin("until")
    data = load_adult()
    both, labels, cv = on_test_set(data)
    for imputer, solver in SETTINGS[: 1 if quick else None]:
        pipeline = estimator_for(imputer)
        if solver == _speed.DEFAULT_SOLVER:
            pipeline.set_params(**_speed.default_solver(pipeline))
        for budget in _speed.BUDGETS[: 2 if quick else None]:
            recipe = _speed.by_recipe(pipeline, budget, data)
            search = AdversarialCorruptionSearch(
                pipeline,
                "missing",
                budget=budget,
                scoring="roc_auc",
                cv=cv,
                confirm_size=None,
                random_state=0,
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                watch = Watch()
                problem, _ = searched(search, both, labels, watch)
            whole = time.perf_counter() - watch.started
            low = recipe["score"] + _speed.ROUNDING
            wall = next((at for at, score in watch.scored if score <= low), np.inf)
            ratio = recipe["wall"] / wall
            results.add(
                "until",
                {
                    "imputer": imputer,
                    "solver": solver,
                    "budget": f"{round(100 * budget)} %",
                    "recipe": recipe["score"],
                    "recipe_wall": recipe["wall"],
                    "wall": wall,
                    "ratio": ratio,
                    "required": TIMES_SHORTER,
                    "met": met(ratio, TIMES_SHORTER, at_most=False),
                    "whole": whole,
                    "found": problem.evaluator.ranked()[0].score,
                },
            )
