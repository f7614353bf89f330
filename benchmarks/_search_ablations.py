"""What each idea of the search is worth, and how much a searched score flatters."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import _linear_proxy

from ._data import load_adult
from ._results import Results
from ._search_common import Data, on_test_set, searched, subsample, timed
from .adult import estimator_for

BUDGETS = (0.1, 0.3, 0.5)
LOGISTIC, BOOSTING = "logistic regression", "histogram boosting"
MOST_TRAIN, MOST_TEST = 3_000, 3_000
# calls a template without a proxy: boosting is slow
CALLS = {BOOSTING: 8}
UNPOLISHED_STEPS = 2
POLISH = "proxy's models not converged"

# parameters by variant; the first of each is what the others are compared with
PROXIED: dict[str, dict[str, Any]] = {
    "proxy, as it is": {},
    "n_rerank 5": {"n_rerank": 5},
    "n_rerank 20": {"n_rerank": 20},
    "n_rerank 40": {"n_rerank": 40},
    POLISH: {},
    "severity searched": {"search_rate": True},
    "label not required": {"require_label": False},
    "column hit not required": {"require_corrupted": False},
    "neither required": {"require_label": False, "require_corrupted": False},
}
BEAM: dict[str, dict[str, Any]] = {
    "no proxy, beam": {},
    "no proxy, bounds at random": {"optimizer": "random"},
    "no proxy, bounds and severity at random": {"optimizer": "random", "search_rate": True},
    "no proxy, severity searched": {"search_rate": True},
    "no proxy, label not required": {"require_label": False},
    "no proxy, column hit not required": {"require_corrupted": False},
    "no proxy, neither required": {"require_label": False, "require_corrupted": False},
}


def ablations(results: Results, quick: bool) -> None:
    """The search without one idea each, on Adult's test set as the paper scores."""
    results.begin("ablations")
    variants = {**PROXIED, **BEAM}
    if quick:
        variants = {name: PROXIED[name] for name in ("proxy, as it is", "n_rerank 5")}
    for model, (pipeline, data) in _models(load_adult()).items():
        X, y, cv = on_test_set(data)
        for name, params in variants.items():
            search = AdversarialCorruptionSearch(
                pipeline,
                "missing",
                budget=list(BUDGETS),
                scoring="roc_auc",
                cv=cv,
                confirm=False,
                random_state=0,
                **{"proxy": "auto"} if name in PROXIED else {"n_calls": CALLS.get(model, 32)},
                **params,
            )
            with timed() as clock, _unpolished(name == POLISH), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                problem, proxied = searched(search, X, y)
            results.add(
                "ablations",
                {
                    "model": model,
                    "variant": name,
                    **{_percent(b): problem.evaluator.within(b)[0].score for b in BUDGETS},
                    "proxy": proxied.name,
                    "fits": len(problem.evaluator.done),
                    "seconds": clock.processor,
                },
            )


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
            proxy="auto",
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


def _models(data: Data) -> dict[str, tuple[Any, Data]]:
    boosting = HistGradientBoostingClassifier(max_iter=30, random_state=0)
    return {
        LOGISTIC: (estimator_for("mean"), data),
        BOOSTING: (
            make_pipeline(SimpleImputer(), boosting),
            subsample(data, MOST_TRAIN, MOST_TEST),
        ),
    }


def _percent(budget: float) -> str:
    return f"{round(100 * budget)} %"


@contextmanager
def _unpolished(wanted: bool) -> Iterator[None]:
    """Closer looks with as few steps as the first ones have."""
    usual = _linear_proxy.POLISH_STEPS
    if wanted:
        _linear_proxy.POLISH_STEPS = UNPOLISHED_STEPS
    try:
        yield
    finally:
        _linear_proxy.POLISH_STEPS = usual
