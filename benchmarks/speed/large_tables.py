"""Corruption of Parquet files, beside polars that reads and writes the same files.

The tables are Adult with jitter, 14 columns in files of a million rows. Every measurement is a
process of its own, with one thread, so that its memory is its own too.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from joblib import Parallel, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from benchmarks._data import data_folder, read_adult, require_file
from benchmarks._results import Results, markdown_table
from skcorrupt import CorruptMissing, CorruptNoise, SelectionBias
from skcorrupt.evaluation import corrupt_to_parquet

NAME = "large-tables"
SIZES = (1_000_000, 4_000_000, 20_000_000, 100_000_000)
FILE_ROWS = 1_000_000
GROUP_ROWS = 250_000
ERRORS = {
    "missing": CorruptMissing(rate=0.1, random_state=0),
    "missing by pattern": CorruptMissing(
        "occupation", pattern="age >= 40 and gender == 'Male'", rate=0.1, random_state=0
    ),
    "noise": CorruptNoise(["age", "hours"], rate=0.1, random_state=0),
    "selection": SelectionBias(pattern="y == '>50K'", rate=0.1, random_state=0),
}
ALLOWED = 3.0


def run(quick: bool = False) -> None:
    """Measure and save.

    Parameters
    ----------
    quick : bool, default=False
        Whether to take small tables only.
    """
    results = Results(NAME, quick)
    sizes = [FILE_ROWS // 10, FILE_ROWS // 5] if quick else list(SIZES)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = made(folder / f"rows{sizes[1]}", sizes[1])
        for workers in (1, 2):
            results.add("workers", {"workers": workers, **spread(source, folder, workers)})
        results.add("same", same(source, folder))
        for n_rows in sizes:
            source = made(folder / f"rows{n_rows}", n_rows)
            plain = alone("plain", source, folder)
            results.add("injection", row_of("polars alone", n_rows, plain, plain))
            for error in ERRORS:
                found = alone(error, source, folder)
                results.add("injection", row_of(error, n_rows, found, plain))


def made(folder: Path, n_rows: int) -> Path:
    """A folder of Parquet files with so many rows like those of Adult."""
    if folder.exists():
        return folder
    folder.mkdir()
    read = read_adult(require_file(data_folder(), "adult/adult.data"))
    clean = pl.from_pandas(read.drop(columns="fnlwgt"))
    rng = np.random.default_rng(0)
    for i, first in enumerate(range(0, n_rows, FILE_ROWS)):
        n = min(FILE_ROWS, n_rows - first)
        rows = clean[rng.integers(clean.height, size=n)]
        jitter = [
            (pl.col(name) + pl.Series(rng.normal(0, 0.5, n).round(2))).alias(name)
            for name in ("age", "hours", "capital_gain")
        ]
        path = folder / f"f{i:03d}.parquet"
        rows.with_columns(jitter).write_parquet(path, row_group_size=GROUP_ROWS)
    return folder


def alone(what: str, source: Path, folder: Path) -> dict[str, float]:
    """Seconds and memory of a process that does one thing."""
    command = [sys.executable, "-m", __name__, what, str(source), str(folder / "out")]
    env = {**os.environ, "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def measured(what: str, source: Path, out: Path) -> dict[str, float]:
    """Seconds of processor that one thing takes, the least of two turns, and its memory."""
    seconds = []
    before = most_memory()
    for _ in range(2):
        shutil.rmtree(out, ignore_errors=True)
        started = time.process_time()
        if what == "plain":
            out.mkdir()
            for path in sorted(source.glob("*.parquet")):
                pl.read_parquet(path).write_parquet(out / path.name)
        else:
            corrupt_to_parquet(ERRORS[what], source, out, y="income")
        seconds.append(time.process_time() - started)
    shutil.rmtree(out)
    return {"seconds": min(seconds), "megabytes": most_memory(), "before": before}


def most_memory() -> float:
    """Megabytes that this process has had at most since it began."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def row_of(
    what: str, n_rows: int, found: dict[str, float], plain: dict[str, float]
) -> dict[str, Any]:
    """A row of the table of injections."""
    ratio = found["seconds"] / plain["seconds"]
    return {
        "error": what,
        "rows": n_rows,
        "seconds": found["seconds"],
        "microseconds_a_row": 1e6 * found["seconds"] / n_rows,
        "ratio": ratio,
        "allowed": ALLOWED,
        "peak_megabytes": found["megabytes"],
        "megabytes_before": found["before"],
        "verdict": "reached" if ratio <= ALLOWED else "missed",
    }


def spread(source: Path, folder: Path, workers: int) -> dict[str, Any]:
    """Seconds with some workers, which are there before the clock starts."""
    with one_thread():
        Parallel(n_jobs=workers)(delayed(time.sleep)(0.5) for _ in range(workers))
        seconds = []
        for _ in range(2):
            out = folder / "out"
            shutil.rmtree(out, ignore_errors=True)
            started = time.perf_counter()
            corrupt_to_parquet(ERRORS["missing"], source, out, y="income", n_jobs=workers)
            seconds.append(time.perf_counter() - started)
    return {"seconds": min(seconds), "load": os.getloadavg()[0]}


def same(source: Path, folder: Path) -> dict[str, Any]:
    """Whether engines give what a table in memory gets, and a killed call is taken up."""
    import dask.dataframe as dd
    from dask.distributed import Client, LocalCluster

    frame = pl.read_parquet(source / "*.parquet")
    error = ERRORS["noise"]
    inside = error.corrupt(frame.drop("income"), frame["income"])
    expected = inside.X.with_columns(inside.y).select(frame.columns)
    found: dict[str, Any] = {"rows": frame.height}
    found["polars"] = (
        error.corrupt(pl.scan_parquet(source / "*.parquet"), "income").X.collect().equals(expected)
    )
    with (
        LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        parts = dd.read_parquet(source)
        result = corrupt_to_parquet(error, parts, folder / "by_dask", y="income")
        found["dask"] = result.X.collect().equals(expected)
    return found | taken_up(error, source, folder / "killed", expected)


def taken_up(error: Any, source: Path, out: Path, expected: Any) -> dict[str, Any]:
    """Whether a call of which a worker was killed ends like any other when it is made again."""
    with one_thread(), suppress(TerminatedWorkerError):
        Parallel(n_jobs=2)(delayed(time.sleep)(0.5) for _ in range(2))
        with killing(out):
            corrupt_to_parquet(error, source, out, y="income", n_jobs=2)
    written = len(list(out.glob("*.parquet")))
    result = corrupt_to_parquet(error, source, out, y="income")
    return {
        "written": written,
        "parts": len(list(out.glob("*.parquet"))),
        "killed": result.X.collect().equals(expected),
    }


@contextmanager
def killing(out: Path) -> Iterator[None]:
    """Have a process kill the workers of this one as soon as they begin to write."""
    script = (
        "import os, pathlib, signal, sys, time, psutil\n"
        "out, parent = pathlib.Path(sys.argv[1]), psutil.Process(int(sys.argv[2]))\n"
        "while not list(out.glob('part-*')): time.sleep(0.001)\n"
        "workers = [p for p in parent.children(True) if 'LokyProcess' in ' '.join(p.cmdline())]\n"
        "[os.kill(p.pid, signal.SIGKILL) for p in workers]\n"
    )
    watcher = subprocess.Popen([sys.executable, "-c", script, str(out), str(os.getpid())])
    try:
        yield
    finally:
        watcher.send_signal(signal.SIGTERM)
        watcher.wait()


@contextmanager
def one_thread() -> Iterator[None]:
    """Have workers that are started use one thread of polars each."""
    before = os.environ.get("POLARS_MAX_THREADS")
    os.environ["POLARS_MAX_THREADS"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["POLARS_MAX_THREADS"]
        else:
            os.environ["POLARS_MAX_THREADS"] = before


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    sections = content["sections"]
    shown = [{**row, "rows": f"{row['rows']:,}"} for row in sections["injection"]]
    return {
        "large-injection": markdown_table(
            shown,
            {
                "error": "error",
                "rows": "rows",
                "seconds": "seconds",
                "microseconds_a_row": "µs a row",
                "ratio": "ratio to polars alone",
                "allowed": "allowed",
                "peak_megabytes": "peak, MB",
                "megabytes_before": "of it before, MB",
                "verdict": "verdict",
            },
        ),
        "large-workers": markdown_table(
            sections["workers"], {"workers": "workers", "seconds": "seconds", "load": "load"}
        ),
        "large-same": markdown_table(
            [{**row, "rows": f"{row['rows']:,}"} for row in sections["same"]],
            {
                "rows": "rows",
                "polars": "polars LazyFrame the same",
                "dask": "Dask on 4 workers the same",
                "written": "parts written when a worker was killed",
                "parts": "of",
                "killed": "the same when called again",
            },
        ),
    }


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))))
