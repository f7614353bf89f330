"""The search for errors in served rows of Parquet files, beside the predictions that it needs.

The tables are those of `large_tables`: Adult with jitter, 13 columns of features. Errors hit five
of them, patterns are of all. Every measurement is a process of its own, with one thread.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from benchmarks._data import data_folder, read_adult, require_file
from benchmarks._results import Results, markdown_table
from benchmarks.speed.large_tables import FILE_ROWS, made, most_memory
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import SearchSpace

NAME = "large-served"
HIT = ["age", "hours", "marital", "occupation", "capital_gain"]
# rows that the passes beside which it is measured predict at once, as the search does
ASKED_ROWS = 65_536
RUNS = (
    ("accuracy", FILE_ROWS),
    ("accuracy", 4 * FILE_ROWS),
    ("accuracy", 20 * FILE_ROWS),
    ("neg_log_loss", FILE_ROWS),
)
ALLOWED = 2.5


def run(quick: bool = False) -> None:
    """Measure and save.

    Parameters
    ----------
    quick : bool, default=False
        Whether to take small tables only.
    """
    results = Results(NAME, quick)
    with tempfile.TemporaryDirectory() as name:
        for scoring, n_rows in RUNS:
            n_rows = n_rows // 20 if quick else n_rows
            source = made(Path(name) / f"rows{n_rows}", n_rows)
            plain = alone("plain", source, scoring)
            found = alone("search", source, scoring)
            results.add("search", row_of(scoring, n_rows, found, plain))


def alone(what: str, source: Path, scoring: str) -> dict[str, Any]:
    """Seconds and memory of a process that does one thing."""
    command = [sys.executable, "-W", "ignore", "-m", __name__, what, str(source), scoring]
    env = {**os.environ, "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def fitted() -> Any:
    """A logistic regression on Adult's columns."""
    clean = read_adult(require_file(data_folder(), "adult/adult.data")).drop(columns="fnlwgt")
    numbers = make_column_selector(dtype_include="number")
    others = make_column_selector(dtype_exclude="number")
    texts = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")
    )
    scaled = make_pipeline(SimpleImputer(), StandardScaler())
    columns = make_column_transformer((scaled, numbers), (texts, others))
    return make_pipeline(columns, LogisticRegression(max_iter=200)).fit(
        clean.drop(columns="income"), clean["income"]
    )


def measured(what: str, source: Path, scoring: str) -> dict[str, Any]:
    """Seconds of processor that one thing takes, and its memory."""
    ready = fitted()
    before, started = most_memory(), time.process_time()
    known: dict[str, Any] = {}
    if what == "plain":
        ask = ready.predict if scoring == "accuracy" else ready.predict_proba
        predict_all(ask, source)
    else:
        search = AdversarialCorruptionSearch(
            FrozenEstimator(ready),
            "missing",
            apply_to="test",
            scoring=scoring,
            space=SearchSpace(corrupt_columns=HIT),
            confirm_size=None,
            random_state=0,
        ).fit(source, "income")
        certificate = search.certificate_
        known = {
            "patterns": int((certificate["n_patterns"] + certificate["n_pruned"]).sum()),
            "proven": bool(certificate["proven"].all()),
        }
    seconds = time.process_time() - started
    return {"seconds": seconds, "megabytes": most_memory(), "before": before, **known}


def predict_all(ask: Any, source: Path) -> None:
    """Clean rows, and all of them without each of the columns hit."""
    for hit in [None, *HIT]:
        for path in sorted(source.glob("*.parquet")):
            frame = pl.scan_parquet(path)
            n_rows = frame.select(pl.len()).collect().item()
            for first in range(0, n_rows, ASKED_ROWS):
                rows = frame.slice(first, ASKED_ROWS).drop("income").collect().to_pandas()
                ask(rows if hit is None else rows.assign(**{hit: np.nan}))


def row_of(
    scoring: str, n_rows: int, found: dict[str, Any], plain: dict[str, Any]
) -> dict[str, Any]:
    """A row of the table."""
    ratio = found["seconds"] / plain["seconds"]
    return {
        "scoring": scoring,
        "rows": n_rows,
        "patterns": found["patterns"],
        "proven": found["proven"],
        "seconds": found["seconds"],
        "seconds_of_predictions": plain["seconds"],
        "ratio": ratio,
        "allowed": ALLOWED,
        "peak_megabytes": found["megabytes"],
        "megabytes_before": found["before"],
        "peak_of_predictions": plain["megabytes"],
        "verdict": "reached" if ratio <= ALLOWED else "missed",
    }


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    shown = [
        {**row, "rows": f"{row['rows']:,}", "patterns": f"{row['patterns']:,}"}
        for row in content["sections"]["search"]
    ]
    columns = {
        "scoring": "scoring",
        "rows": "rows",
        "patterns": "patterns",
        "proven": "proven",
        "seconds": "seconds",
        "seconds_of_predictions": "of predictions alone",
        "ratio": "ratio",
        "allowed": "allowed",
        "peak_megabytes": "peak, MB",
        "megabytes_before": "of it before, MB",
        "peak_of_predictions": "of predictions alone, MB",
        "verdict": "verdict",
    }
    return {"large-served": markdown_table(shown, columns)}


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1], Path(sys.argv[2]), sys.argv[3])))
