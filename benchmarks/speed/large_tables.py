"""Corruption of Parquet files, beside polars that reads and writes the same files.

The tables are Adult with jitter, 14 columns in files of a million rows. Every measurement is a
process of its own, with one thread, so that its memory is its own too. Votes to curate are drawn.
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
import psutil
from joblib import Parallel, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from benchmarks._data import data_folder, read_adult, require_file
from benchmarks._results import Results, markdown_table
from skcorrupt import CorruptMissing, CorruptNoise, NaturalAdversarialCurator, SelectionBias
from skcorrupt.curation import GenerativeLabelModel
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
# turns that one worker and two have one after the other, and by how much two should be faster
TURNS = 4
VOTES_ROWS = (1_000_000, 10_000_000)
WORKERS_ALLOWED = 1.7


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
        for n_rows in sizes[1:3]:
            source = made(folder / f"rows{n_rows}", n_rows)
            for row in alone("workers", source, folder / "out"):
                results.add("workers", {"rows": n_rows, **row})
        results.add("same", same(folder / f"rows{sizes[1]}", folder))
        for n_rows in VOTES_ROWS:
            n_rows = n_rows // 20 if quick else n_rows
            for row in alone("curation", n_rows):
                results.add("curation", {"rows": n_rows, **row})
        for n_rows in sizes:
            source = made(folder / f"rows{n_rows}", n_rows)
            plain = alone("plain", source, folder / "out")
            results.add("injection", row_of("polars alone", n_rows, plain, plain))
            for error in ERRORS:
                found = alone(error, source, folder / "out")
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


def alone(what: str, *given: object) -> Any:
    """What is measured by a process that does one thing."""
    command = [sys.executable, "-m", __name__, what, *map(str, given)]
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


def spread(source: Path, out: Path) -> list[dict[str, Any]]:
    """Seconds with one worker and with two, which are there before the clock starts, in turns."""
    turns: dict[int, list[dict[str, float]]] = {1: [], 2: []}
    for i in range(1 + TURNS):
        for workers in reversed(turns):
            shutil.rmtree(out, ignore_errors=True)
            before, started = processor_seconds(), time.perf_counter()
            corrupt_to_parquet(ERRORS["missing"], source, out, y="income", n_jobs=workers)
            seconds = time.perf_counter() - started
            spent = {p: s - before.get(p, 0.0) for p, s in processor_seconds().items()}
            # of the first turn, workers spend most on starting
            if i:
                here = spent.pop(os.getpid())
                turns[workers].append(
                    {
                        "seconds": seconds,
                        "processor_seconds": here + sum(spent.values()),
                        "on_busiest_path": here + max(spent.values(), default=0.0),
                        "load": os.getloadavg()[0],
                    }
                )
    shutil.rmtree(out)
    # who else was there shows in the most of the load only
    kept = [
        {key: (max if key == "load" else min)(turn[key] for turn in each) for key in each[0]}
        for each in turns.values()
    ]
    return [
        {
            "workers": workers,
            **row,
            "times_faster": kept[0]["seconds"] / row["seconds"],
            "times_faster_by_processor": kept[0]["on_busiest_path"] / row["on_busiest_path"],
            "allowed": 1.0 if workers == 1 else WORKERS_ALLOWED,
        }
        for workers, row in zip(turns, kept, strict=True)
    ]


def processor_seconds() -> dict[int, float]:
    """What this process and those that it started have had of the processors so far."""
    found = {}
    for each in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        with suppress(psutil.Error):
            times = each.cpu_times()
            found[each.pid] = times.user + times.system
    return found


def curated(n_rows: int) -> list[dict[str, Any]]:
    """Seconds of processor for votes of eight functions that abstain on two rows of five."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n_rows, dtype=np.int8)
    votes = np.empty((n_rows, 8), dtype=np.int8)
    for j in range(votes.shape[1]):
        right = rng.random(n_rows) < 0.6 + 0.04 * j
        votes[:, j] = np.where(rng.random(n_rows) < 0.4, -1, np.where(right, y, 1 - y))
    steps = {
        "GenerativeLabelModel": lambda: GenerativeLabelModel().fit(votes).predict(votes),
        "NaturalAdversarialCurator": lambda: NaturalAdversarialCurator(
            GenerativeLabelModel(), random_state=0
        ).fit(votes),
    }
    found, before = [], most_memory()
    for name, step in steps.items():
        started = time.process_time()
        step()
        seconds = time.process_time() - started
        found.append(
            {"what": name, "seconds": seconds, "peak_megabytes": most_memory(), "before": before}
        )
    return found


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
    expected_count = inside.record.n_corrupted
    return found | taken_up(error, source, folder / "killed", expected, expected_count)


def taken_up(
    error: Any, source: Path, out: Path, expected: Any, expected_count: int
) -> dict[str, Any]:
    """Whether a call of which a worker was killed ends like any other when it is made again."""
    with one_thread(), suppress(TerminatedWorkerError):
        Parallel(n_jobs=2)(delayed(time.sleep)(0.5) for _ in range(2))
        with killing(out):
            corrupt_to_parquet(error, source, out, y="income", n_jobs=2)
    written = {part: part.stat().st_mtime_ns for part in out.glob("*.parquet")}
    result = corrupt_to_parquet(error, source, out, y="income")
    kept = [part for part, when in written.items() if part.stat().st_mtime_ns == when]
    return {
        "written": len(written),
        "kept": len(kept),
        "parts": len(list(out.glob("*.parquet"))),
        "counted": result.record.n_corrupted == expected_count,
        "killed": result.X.collect().equals(expected),
    }


@contextmanager
def killing(out: Path) -> Iterator[None]:
    """Have a process kill the workers of this one as soon as one of them has written a part."""
    script = (
        "import os, pathlib, signal, sys, time, psutil\n"
        "out, parent = pathlib.Path(sys.argv[1]), psutil.Process(int(sys.argv[2]))\n"
        "while not list(out.glob('part-*.parquet')): time.sleep(0.001)\n"
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
            [{**row, "rows": f"{row['rows']:,}"} for row in sections["workers"]],
            {
                "rows": "rows",
                "workers": "workers",
                "seconds": "seconds on the clock",
                "times_faster": "times faster",
                "processor_seconds": "of processor, all processes",
                "on_busiest_path": "of processor, this process and its busiest worker",
                "times_faster_by_processor": "times less",
                "allowed": "at least",
                "load": "load",
            },
        ),
        "large-same": markdown_table(
            [{**row, "rows": f"{row['rows']:,}"} for row in sections["same"]],
            {
                "rows": "rows",
                "polars": "polars LazyFrame the same",
                "dask": "Dask on 4 workers the same",
                "written": "parts written when workers were killed",
                "parts": "of",
                "kept": "of these kept when called again",
                "killed": "then the same",
                "counted": "as many cells counted",
            },
        ),
        "large-curation": markdown_table(
            [{**row, "rows": f"{row['rows']:,}"} for row in sections["curation"]],
            {
                "what": "what",
                "rows": "rows",
                "seconds": "seconds",
                "peak_megabytes": "peak, MB",
                "before": "of it before, MB",
            },
        ),
    }


if __name__ == "__main__":
    what, *given = sys.argv[1:]
    if what == "curation":
        shown: Any = curated(int(given[0]))
    elif what == "workers":
        shown = spread(*map(Path, given))
    else:
        shown = measured(what, *map(Path, given))
    print(json.dumps(shown))
