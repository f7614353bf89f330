"""What served errors cost: patterns really scored one by one, memory, and checks that are asked."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from benchmarks.search._served_data import SETS
from benchmarks.search._served_models import kinds, models
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import SearchSpace
from skcorrupt.checks._standard_checks import standard_checks

# patterns that are scored one by one
N_SINGLE = 200
# bins, which make more patterns
BINS = (4, 8, 16, 32, 64)
# seconds that a search which asks checks may take
MOST_SECONDS = 60.0


def served(
    model: Any, X: pd.DataFrame, y: pd.Series, most: int, n_bins: int, **params: Any
) -> tuple[AdversarialCorruptionSearch, float]:
    """A fitted search of all kinds by accuracy, and the seconds of it."""
    space = SearchSpace(max_conditions=most, n_bins=n_bins)
    given: dict[str, Any] = {"scoring": "accuracy", "space": space, **params}
    search = AdversarialCorruptionSearch(
        model, kinds(), apply_to="test", confirm_size=None, random_state=0, **given
    )
    started = time.perf_counter()
    search.fit(X, y)
    return search, time.perf_counter() - started


def n_patterns(search: AdversarialCorruptionSearch) -> int:
    """Patterns that were scored, or that a bound left out."""
    known = search.certificate_
    return int(known["n_patterns"].sum() + known["n_pruned"].sum())


def single(quick: bool) -> Iterator[dict[str, Any]]:
    """Patterns drawn at random from what was searched, each struck and predicted by itself."""
    X_train, y_train, X, y = SETS["Adult"]()
    for name, model in models(X).items():
        model.fit(X_train, y_train)
        search, spent = served(model, X, y, 3, 8)
        errors = pd.DataFrame(search.cv_results_)
        errors = errors[errors["rate"] > 0].drop_duplicates(["kind", "columns"])
        rng = np.random.default_rng(0)
        numbers = [c for c in X if X[c].dtype.kind in "if"]
        scores, started = [], time.perf_counter()
        for _ in range(N_SINGLE):
            error = clone(errors["corruption"].iloc[rng.integers(len(errors))])
            rows = np.ones(len(X), dtype=bool)
            pattern = {}
            for column in rng.permutation(numbers)[: rng.integers(1, 4)]:
                low, high = np.sort(rng.choice(X[column], 2, replace=False))
                rows &= X[column].between(low, high).to_numpy()
                pattern[str(column)] = (low, high)
            rate = min(1.0, 0.1 * len(X) / max(1, rows.sum()))
            error.set_params(pattern=_between(pattern), rate=rate, random_state=0)
            scores.append(model.score(error.fit(X).corrupt(X).X, y))
        each = (time.perf_counter() - started) / N_SINGLE
        yield {
            "model": name,
            "patterns": n_patterns(search),
            "seconds": spent,
            "scored": N_SINGLE,
            "seconds_each": each,
            "times_faster": each * n_patterns(search) / spent,
            "lowest": float(np.min(scores)),
            "worst": search.worst_score_,
        }
        if quick:
            return


def _between(ranges: dict[str, tuple[float, float]]) -> str:
    return " and ".join(f"{low} <= `{name}` <= {high}" for name, (low, high) in ranges.items())


def memory(quick: bool) -> Iterator[dict[str, Any]]:
    """What a search holds at most, beside how many patterns there are."""
    X_train, y_train, X, y = SETS["Adult"]()
    model = models(X)["logistic regression"].fit(X_train, y_train)
    for n_bins in BINS[: 2 if quick else None]:
        tracemalloc.start()
        search, _ = served(model, X, y, 2, n_bins)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        yield {
            "rows": len(X),
            "bins": n_bins,
            "patterns": n_patterns(search),
            "megabytes": peak / 2**20,
        }


def watched(quick: bool) -> Iterator[dict[str, Any]]:
    """The worst errors that the standard checks let pass, beside those that nobody watches."""
    for data, load in list(SETS.items())[:-3:-1] if quick else list(SETS.items())[::-1]:
        X_train, y_train, X, y = load()
        size = min(200, len(X_train) // 20)
        checks = standard_checks(X_train, size)
        for name, model in models(X).items():
            model.fit(X_train, y_train)
            free, spent = served(model, X, y, 2, 8)
            silent, longer = served(model, X, y, 2, 8, checks=checks, max_time=MOST_SECONDS)
            yield {
                "data": data,
                "model": name,
                "batch_size": size,
                "clean": free.baseline_score_,
                "free": free.worst_score_,
                "silent": silent.worst_score_,
                "proven": f"{silent.certificate_['proven'].mean():.0%}",
                "seconds": spent,
                "silent_seconds": longer,
                "ended": bool(silent.interrupted_),
            }
