"""A search that is killed many times goes on, loses nothing that was scored, and ends alike."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import BeamSearch, SearchSpace

ROOT = Path(__file__).parents[2]
FOLDS = 2
# fits on clean data, and one that tells whether the pipeline takes the error
BEFORE = FOLDS + 1
TIMES = ("mean_fit_time", "mean_score_time")
PATIENCE = 120.0
# by import, so that the estimator's class has the name that it has here
CHILD = "import sys, benchmarks.search.kill as m; m.run_until_killed(*sys.argv[1:])"


class Logged(DecisionTreeClassifier):
    """A tree that adds a byte to a file with every fit, and takes some time for it."""

    def fit(self, X, y, sample_weight=None, check_input=True):
        """Fit, and say so."""
        super().fit(X, y, sample_weight, check_input)
        time.sleep(0.004)
        if "SEARCH_KILL_LOG" in os.environ:
            with open(os.environ["SEARCH_KILL_LOG"], "ab", buffering=0) as log:
                log.write(b".")
        return self


def search_and_data(journal: Path | None, n_jobs: int = 1) -> tuple:
    """The search, its features and its labels."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    search = AdversarialCorruptionSearch(
        Logged(max_depth=3, random_state=0),
        "missing",
        budget=0.2,
        scoring="accuracy",
        cv=FOLDS,
        strategy=BeamSearch(n_calls=8),
        space=SearchSpace(max_conditions=2),
        journal=journal,
        n_jobs=n_jobs,
        random_state=0,
    )
    return search, X[["mean radius", "mean texture", "worst area", "worst texture"]], y


def found(search: AdversarialCorruptionSearch) -> dict[str, Any]:
    """All that a search found, times aside."""
    table = pd.DataFrame(search.cv_results_).drop(columns=list(TIMES)).astype(str)
    names = ("worst_score_", "baseline_score_", "random_score_", "confirmed_score_")
    return {
        "table": table.to_dict("list"),
        "worst": repr(search.worst_corruption_),
        "n_evaluations": search.n_evaluations_,
        "interval": search.confirmed_interval_,
        **{name: getattr(search, name) for name in names},
    }


def n_kept(journal: Path) -> int:
    """Candidates in the journal."""
    try:
        with closing(
            sqlite3.connect(f"file:{journal}?mode=rw", uri=True, timeout=60)
        ) as connection:
            return connection.execute(
                "SELECT COUNT(*) FROM outcomes WHERE kind = 'evaluations'"
            ).fetchone()[0]
    except sqlite3.OperationalError:
        # it is not there yet
        return 0


def main(n_kills: int = 20, n_jobs: int = 1) -> dict[str, Any]:
    """Kill a search some times, let it end, and compare it with one that was left alone.

    Parameters
    ----------
    n_kills : int, default=20
        Number of processes that get SIGKILL at a random moment.
    n_jobs : int, default=1
        Their workers.

    Returns
    -------
    dict
        `kills`, `n_evaluations` of the whole search, `kept` of them when the last process was
        killed, `most_fits_lost` (fits of candidates that ended in a process but are in no row of
        the journal), `seconds`, and whether the result is `identical`.
    """
    draw, started, most_lost, kills = random.Random(0), time.perf_counter(), 0, 0
    search, X, y = search_and_data(None)
    expected = found(search.fit(X, y))
    with tempfile.TemporaryDirectory() as folder:
        journal, log = Path(folder) / "journal.sqlite", Path(folder) / "fits"
        share = max(1, expected["n_evaluations"] // (n_kills + 1))
        while kills < n_kills:
            before = n_kept(journal)
            log.write_bytes(b"")
            ended = _killed(journal, log, n_jobs, before + draw.randint(0, share), draw)
            kills += 1
            if ended:
                raise RuntimeError("The search ended before it could be killed; kill it less.")
            fits = max(0, log.stat().st_size - BEFORE)
            most_lost = max(most_lost, fits - FOLDS * (n_kept(journal) - before))
        kept = n_kept(journal)
        search, X, y = search_and_data(journal)
        result = found(search.fit(X, y))
    row = {
        "kills": kills,
        "workers": n_jobs,
        "n_evaluations": expected["n_evaluations"],
        "kept": kept,
        "most_fits_lost": most_lost,
        "seconds": time.perf_counter() - started,
        "identical": bool(_same(expected, result)),
    }
    print(", ".join(f"{name} {value}" for name, value in row.items()), flush=True)
    return row


def run_until_killed(journal: str, n_jobs: str) -> None:
    """What a process does that is going to be killed."""
    search, X, y = search_and_data(Path(journal), int(n_jobs))
    search.fit(X, y)


def _killed(journal: Path, log: Path, n_jobs: int, until: int, draw: random.Random) -> bool:
    """Start a search, kill it some time after `until` candidates are kept; whether it had ended."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    child = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", CHILD, journal, str(n_jobs)],
        env=os.environ | {"SEARCH_KILL_LOG": str(log), "PYTHONPATH": path},
        start_new_session=True,
    )
    deadline = time.monotonic() + PATIENCE
    while child.poll() is None and time.monotonic() < deadline:
        if log.stat().st_size > BEFORE and n_kept(journal) >= until:
            break
        time.sleep(0.002)
    time.sleep(0.02 * draw.random())
    ended = child.poll() is not None
    if not ended:
        # workers would end by themselves, but might write to the log until then
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    return ended


def _same(first: dict[str, Any], second: dict[str, Any]) -> bool:
    try:
        np.testing.assert_equal(second, first)
    except AssertionError:
        return False
    return True
