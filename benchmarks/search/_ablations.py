"""What each idea of the search is worth, and how much a searched score flatters."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

from benchmarks._data import load_adult, load_credit_card_default
from benchmarks._results import Results
from benchmarks.replication.savage.adult import estimator_for
from benchmarks.search._common import Data, on_test_set, searched, subsample, timed
from benchmarks.search._data import halves
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import _linear_proxy, _proxied
from skcorrupt.adversarial.candidates import Evaluator

BUDGETS = (0.1, 0.3, 0.5)
LOGISTIC, BOOSTING = "logistic regression", "histogram boosting"
MOST_TRAIN, MOST_TEST = 3_000, 3_000
CREDIT = f"{LOGISTIC}, Credit Card Default"
# calls a template without a proxy: boosting is slow, and the other data have many columns
CALLS = {BOOSTING: 8, CREDIT: 12}
UNPOLISHED_STEPS = 2
POLISH = "proxy's models not converged"
HALVED = "no second look before the pipeline"
OWN_DRAWS = "no proxy, own draws a candidate"
FRESH_DRAWS = 10
FRESH_SEED = 1_000_000

# parameters by variant; the first of each is what the others are compared with
PROXIED: dict[str, dict[str, Any]] = {
    "proxy, as it is": {},
    "n_rerank 5": {"n_rerank": 5},
    "n_rerank 20": {"n_rerank": 20},
    "n_rerank 40": {"n_rerank": 40},
    POLISH: {},
    HALVED: {},
    "severity searched": {"search_rate": True},
    "label not required": {"require_label": False},
    "column hit not required": {"require_corrupted": False},
    "neither required": {"require_label": False, "require_corrupted": False},
}
BEAM: dict[str, dict[str, Any]] = {
    "no proxy, beam": {},
    "no proxy, bounds at random": {"optimizer": "random"},
    OWN_DRAWS: {},
    "no proxy, severity searched": {"search_rate": True},
    "no proxy, label not required": {"require_label": False},
    "no proxy, column hit not required": {"require_corrupted": False},
    "no proxy, neither required": {"require_label": False, "require_corrupted": False},
}


def ablations(results: Results, quick: bool) -> None:
    """The search without one idea each, on test sets; saved rows are left alone."""
    known = {(row["model"], row["variant"]) for row in results.rows("ablations")}
    variants = {**PROXIED, **BEAM}
    if quick:
        variants = {name: PROXIED[name] for name in ("proxy, as it is", "n_rerank 5")}
    for model, (pipeline, data) in _models(load_adult(), load_credit_card_default()).items():
        X, y, cv = on_test_set(data)
        for name, params in variants.items():
            if (model, name) in known:
                continue
            search = AdversarialCorruptionSearch(
                pipeline,
                "missing",
                budget=list(BUDGETS),
                scoring="roc_auc",
                cv=cv,
                confirm_size=None,
                random_state=0,
                **{"proxy": "auto"} if name in PROXIED else {"n_calls": CALLS.get(model, 32)},
                **params,
            )
            change = CHANGES.get(name, nullcontext)
            with timed() as clock, change(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                problem, proxied = searched(search, X, y)
            winners = [problem.evaluator.within(b)[0] for b in BUDGETS]
            results.add(
                "ablations",
                {
                    "model": model,
                    "variant": name,
                    **{_percent(b): w.score for b, w in zip(BUDGETS, winners, strict=True)},
                    "again": _drawn_again(problem, winners[0]),
                    "proxy": proxied.name,
                    "fits": len(problem.evaluator.done),
                    "seconds": clock.processor,
                },
            )


def _drawn_again(problem: Any, winner: Any) -> float:
    """Mean score of a winner under other draws than those by which it won."""
    corruption = winner.candidate.corruption
    seeds = range(FRESH_SEED, FRESH_SEED + FRESH_DRAWS)
    tasks = [(corruption, split, seed) for split in problem.splits for seed in seeds]
    return float(np.mean([outcome.score for outcome in problem.evaluator.run(tasks)]))


def confirmed(results: Results, quick: bool) -> None:
    """Searched on three quarters of the training set, confirmed on the last one."""
    results.begin("confirmed")
    data = load_adult()
    pipelines = {(model, "mean"): given for model, given in _models(data).items()}
    pipelines[LOGISTIC, "median"] = (estimator_for("median"), data)
    for (model, imputer), (pipeline, (X, y, _, _)) in pipelines.items():
        search = AdversarialCorruptionSearch(
            pipeline,
            "missing",
            budget=list(BUDGETS[:1] if quick else BUDGETS),
            scoring="roc_auc",
            strategy="screening",
            random_state=0,
        )
        search.fit(X, y)
        for _, found in search.budget_curve_.iterrows():
            results.add(
                "confirmed",
                {
                    "model": model,
                    "imputer": imputer,
                    "budget": _percent(found["budget"]),
                    "clean": search.baseline_score_,
                    "searched": found["worst_score"],
                    "held_out_clean": found["confirmed_baseline"],
                    "held_out": found["confirmed_score"],
                    "drop": [found["confirmed_drop_low"], found["confirmed_drop_high"]],
                    "flattery": found["confirmed_score"] - found["worst_score"],
                    "pattern": found["pattern"],
                },
            )


def _models(data: Data, credit: Any = None) -> dict[str, tuple[Any, Data]]:
    boosting = HistGradientBoostingClassifier(max_iter=30, random_state=0)
    models = {
        LOGISTIC: (estimator_for("mean"), data),
        BOOSTING: (
            make_pipeline(SimpleImputer(), boosting),
            subsample(data, MOST_TRAIN, MOST_TEST),
        ),
    }
    if credit is not None:
        some = subsample(halves(*credit), MOST_TRAIN, MOST_TEST)
        models[CREDIT] = (estimator_for("mean"), some)
    return models


def _percent(budget: float) -> str:
    return f"{round(100 * budget)} %"


@contextmanager
def _changed(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Something of the search as something else, for a while."""
    usual = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, usual)


def _own_draws() -> AbstractContextManager[None]:
    """Every candidate strikes rows by a seed of its own, not by that of the split."""
    usual = Evaluator._full

    def full(self: Evaluator, place: Any, task: Any) -> Any:
        corruption, split, seed = task
        if seed is None and corruption is not None and isinstance(place, tuple):
            seed = int.from_bytes(place[0][-4:])
        return usual(self, place, (corruption, split, seed))

    return _changed(Evaluator, "_full", full)


CHANGES: dict[str, Callable[[], AbstractContextManager[None]]] = {
    # closer looks with as few steps as the first ones have
    POLISH: lambda: _changed(_linear_proxy, "POLISH_STEPS", UNPOLISHED_STEPS),
    # as many candidates as are scored on the pipeline
    HALVED: lambda: _changed(_proxied, "POLISHED", 32),
    OWN_DRAWS: _own_draws,
}
