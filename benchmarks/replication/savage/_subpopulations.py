"""Labels flipped in a subpopulation beside those a search flips to harm it (figure 10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.replication.savage.adult import estimator_for
from benchmarks.search._common import Data, on_test_set
from skcorrupt import AdversarialCorruptionSearch, CorruptLabels, cross_validate_corrupted
from skcorrupt.adversarial import SearchSpace
from skcorrupt.patterns import Pattern

# the paper has twenty
N_SUBPOPULATIONS, SEED = 10, 0
# share of the training rows, and test rows of either class
SHARES, LEAST_TESTED = (0.01, 0.1), 30


def subpopulations(data: Data, n: int = N_SUBPOPULATIONS) -> list[dict[str, Any]]:
    """Random subpopulations, each of one value in two columns.

    Parameters
    ----------
    data : tuple
        Training features and labels, test features and labels.
    n : int, default=10
        How many.

    Returns
    -------
    list of dict
        Values by column.
    """
    X, _, X_test, y_test = data
    rng = np.random.default_rng(SEED)
    found: list[dict[str, Any]] = []
    while len(found) < n:
        names = rng.choice(list(X.columns), 2, replace=False)
        row = X.iloc[rng.integers(len(X))]
        values = {str(name): int(row[name]) for name in names}
        share = _members(X, values).mean()
        tested = y_test[_members(X_test, values)].value_counts()
        large = len(tested) == 2 and tested.min() >= LEAST_TESTED
        if SHARES[0] <= share <= SHARES[1] and large and values not in found:
            found.append(values)
    return found


def subpopulation_rows(data: Data, n: int = N_SUBPOPULATIONS) -> Iterator[dict[str, Any]]:
    """The AUC of a subpopulation after all of its labels are flipped, or as many by a search.

    Parameters
    ----------
    data : tuple
        Training features and labels, test features and labels.
    n : int, default=10
        How many subpopulations.

    Yields
    ------
    dict
        A row a subpopulation.
    """
    X, y, ((train, test),) = on_test_set(data)
    for values in subpopulations(data, n):
        cv = [(train, test[_members(X.iloc[test], values)])]
        n_rows = int(_members(X.iloc[train], values).sum())
        model = estimator_for("labels")
        inside = CorruptLabels(
            pattern=Pattern({name: (value, value) for name, value in values.items()})
        )
        flipped = cross_validate_corrupted(
            model, X, y, inside, cv=cv, scoring="roc_auc", random_state=SEED
        )
        search = AdversarialCorruptionSearch(
            model,
            "labels",
            budget=n_rows / len(train),
            scoring="roc_auc",
            cv=cv,
            confirm_size=None,
            space=SearchSpace(label="allowed"),
            random_state=SEED,
        ).fit(X, y)
        yield {
            "subpopulation": values,
            "rows": n_rows,
            "clean": search.baseline_score_,
            "inside": float(flipped["test_score"].mean()),
            "found": search.worst_score_,
            "pattern": str(search.worst_pattern_),
        }


def _members(X: pd.DataFrame, values: dict[str, Any]) -> np.ndarray:
    return (X[list(values)] == pd.Series(values)).all(axis=1).to_numpy()
