"""What one fit of models takes that nothing here runs as often as a study did, or at all."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from benchmarks.replication.esp._studies import (
    FAMILIES,
    load_online_shoppers,
    load_south_german_credit,
)
from benchmarks.replication.fairness._transformers import SEED, german
from skcorrupt.sensitivity import default_classifiers

SHOPPERS, GERMAN, FIGURE_5 = "online shoppers", "south german credit", "german, figure 5"


def cost_rows() -> Iterator[dict[str, Any]]:
    """Processor seconds of a fit and of the prediction of the test rows, timed once.

    Yields
    ------
    dict
        A row a data set and model.
    """
    known = default_classifiers(random_state=0)
    others = {name: model for name, model in known.items() if name not in FAMILIES}
    for data, load in ((GERMAN, load_south_german_credit), (SHOPPERS, load_online_shoppers)):
        X, y = load()
        parts = train_test_split(X, y, test_size=0.2, stratify=y, random_state=0)
        for name, model in others.items():
            yield _timed(data, name, model, *parts)
    script = german()
    split = script.split(SEED)
    for name, model in script.models.items():
        parts = (split.X, split.X_test, split.y)
        yield _timed(FIGURE_5, name, model.make(0), *(np.asarray(part) for part in parts))


def _timed(
    data: str, name: str, model: Any, X: Any, X_test: Any, y: Any, _: Any = None
) -> dict[str, Any]:
    started = time.process_time()
    with warnings.catch_warnings():
        # as in the studies, whatever does not converge
        warnings.simplefilter("ignore")
        model.fit(X, y).predict(X_test)
    return {"data": data, "model": name, "seconds": time.process_time() - started}
