"""What the search for errors in served rows takes, beside the predictions that it needs at least.

Run `OMP_NUM_THREADS=1 python -m benchmarks.search.served [name ...]` with Adult. The floor is
one pass of predictions for each kind of error and column, on frames that are ready, and one on
clean rows. Both are timed in one process, one after the other.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from benchmarks._data import data_folder, read_adult, require_file
from skcorrupt import AdversarialCorruptionSearch, CorruptScale, CorruptSentinel
from skcorrupt.adversarial import SearchSpace
from skcorrupt.base import BaseCorruption

FACTORS = (1000.0, 0.001, 2.54)
# conditions at most, and bins
SPACES = {"three conditions, 8 bins": (3, 8), "two conditions, 64 bins": (2, 64)}


def kinds() -> list[str | BaseCorruption]:
    """Missing values, three errors of units, and defaults in place of values."""
    return ["missing", *(CorruptScale(factor=factor) for factor in FACTORS), CorruptSentinel()]


def models(X: pd.DataFrame) -> dict[str, Pipeline]:
    """Two pipelines that take all of these errors."""
    numbers = [c for c in X if X[c].dtype.kind in "if"]
    names = [c for c in X if c not in numbers]
    filled = make_pipeline(SimpleImputer(), StandardScaler())
    most = SimpleImputer(strategy="most_frequent")
    coded = make_pipeline(most, OneHotEncoder(handle_unknown="ignore"))
    unknown: dict[str, Any] = {"handle_unknown": "use_encoded_value", "unknown_value": -1}
    ordered = make_pipeline(most, OrdinalEncoder(**unknown))
    return {
        "logistic regression": make_pipeline(
            make_column_transformer((filled, numbers), (coded, names)),
            LogisticRegression(max_iter=1000),
        ),
        "boosting": make_pipeline(
            make_column_transformer(("passthrough", numbers), (ordered, names)),
            HistGradientBoostingClassifier(random_state=0),
        ),
    }


def _adult(name: str, skiprows: int) -> tuple[pd.DataFrame, pd.Series]:
    """All columns as they are, and whether the income is high."""
    frame = read_adult(require_file(data_folder(), f"adult/{name}"), skiprows=skiprows)
    high = frame.pop("income").str.startswith(">50K").astype(int)
    return frame, high


def struck_frames(X: pd.DataFrame) -> list[pd.DataFrame]:
    """The rows as they are, and with every error in every column."""
    ready = [X]
    for given in kinds():
        error = given if isinstance(given, BaseCorruption) else None
        numbers = isinstance(error, CorruptScale)
        for column in X:
            if numbers and X[column].dtype.kind not in "if":
                continue
            if error is None:
                ready.append(X.assign(**{str(column): X[column].where(pd.Series(False, X.index))}))
            else:
                whole = error.set_params(columns=[column], rate=1.0, random_state=0)
                ready.append(whole.fit_transform(X))
    return ready


def floor(model: Pipeline, frames: Sequence[pd.DataFrame], response: str) -> float:
    """Seconds of the predictions alone."""
    ask = getattr(model, response)
    started = time.perf_counter()
    for frame in frames:
        ask(frame)
    return time.perf_counter() - started


def compared(names: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Search and predict.

    Parameters
    ----------
    names : sequence of str, default=()
        Models that are taken; none are all.

    Yields
    ------
    dict
        Seconds of the search and of its floor, their ratio, and what was found.
    """
    X_train, y_train = _adult("adult.data", 0)
    X, y = _adult("adult.test", 1)
    frames = struck_frames(X)
    for name, model in models(X).items():
        if names and name not in names:
            continue
        model.fit(X_train, y_train)
        for scoring, response in (("accuracy", "predict"), ("roc_auc", "predict_proba")):
            for said, (most, n_bins) in SPACES.items():
                least = floor(model, frames, response)
                search = AdversarialCorruptionSearch(
                    model,
                    kinds(),
                    apply_to="test",
                    scoring=scoring,
                    space=SearchSpace(max_conditions=most, n_bins=n_bins),
                    confirm_size=None,
                    random_state=0,
                )
                started = time.perf_counter()
                search.fit(X, y)
                spent = time.perf_counter() - started
                known = search.certificate_
                yield {
                    "model": name,
                    "score": scoring,
                    "space": said,
                    "seconds": spent,
                    "floor": least,
                    "ratio": spent / least,
                    "patterns": int(known["n_patterns"].sum() + known["n_pruned"].sum()),
                    "worst": search.worst_score_,
                    "any rows": float(np.min(known["any_rows_score"])),
                }


if __name__ == "__main__":
    for row in compared(sys.argv[1:]):
        print(
            ", ".join(
                f"{n} {v:.4g}" if isinstance(v, float) else f"{n} {v}" for n, v in row.items()
            )
        )
