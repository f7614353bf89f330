"""Speed beside an old checkout: `python -m benchmarks.search._ratios OLD [PYTHON] [WHAT ...]`.

Both do the same in turn on one core, as machines differ more than versions do, and what else a
machine does meanwhile hits both.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks._results import Results
from benchmarks.search._common import ResumedResults, met

PROBE = Path(__file__).with_name("_ratio_probe.py")
ROOT = Path(__file__).parents[2]
REPEATS = 2
ONE_CORE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
KINDS = ("missing", "labels", "selection")
# what is measured, on which columns, and how many times as fast it has to be
MEASURED = [
    *(("screening", "8", kind, 2.5 if kind == "missing" else 1.0) for kind in KINDS),
    *(("screening", "105", kind, 3.0) for kind in KINDS),
    *(("tree", "8", kind, 5.0) for kind in KINDS),
    ("curve", "8", "missing", 2.0),
    ("curve, what both do", "8", "missing", 2.0),
    ("million", "1000000", "missing", 2.5),
]
COLUMNS = {
    "what": "what",
    "data": "columns, or rows",
    "error": "error",
    "old": "old",
    "new": "new",
    "unit": "",
    "ratio": "times as fast",
    "required": "required",
    "met": "met",
    "peak": "peak, GB",
}


def ratios(results: Results, old: str, python: str, wanted: Sequence[str] = ()) -> None:
    """Measure both checkouts, the best of each in turn.

    Parameters
    ----------
    results : Results
        Where rows go.
    old : str
        The other checkout.
    python : str
        Its interpreter.
    wanted : sequence of str, default=()
        What is measured, all if empty.
    """
    results.begin("ratios")
    for what, data, error, required in MEASURED:
        if wanted and what not in wanted:
            continue
        runs: dict[str, list[dict[str, Any]]] = {"old": [], "new": []}
        for _ in range(1 if what == "million" else REPEATS):
            runs["old"].append(probe(old, python, what, data, error))
            runs["new"].append(probe(str(ROOT), sys.executable, what, data, error))
        row = compared(runs["old"], runs["new"])
        results.add(
            "ratios",
            {
                "what": what,
                "data": data,
                "error": error,
                **row,
                "required": required,
                "met": met(row["ratio"], required, at_most=False),
            },
        )


def compared(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> dict[str, Any]:
    """The best of each: candidates a second, or seconds where none are counted."""
    counted = "n" in new[0]
    best = [
        max(each["n"] / each["seconds"] if counted else 1 / each["seconds"] for each in runs)
        for runs in (old, new)
    ]
    shown = best if counted else [1 / each for each in best]
    return {
        "old": shown[0],
        "new": shown[1],
        "unit": "a second" if counted else "seconds",
        "ratio": best[1] / best[0],
        "peak": max(each["peak"] for each in new),
    }


def probe(checkout: str, python: str, what: str, data: str, error: str) -> dict[str, Any]:
    """One measurement in a process of its own."""
    said = subprocess.run(
        [python, str(PROBE), what, data, error],
        cwd=checkout,
        env=os.environ | ONE_CORE,
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(said.stdout.splitlines()[-1])


if __name__ == "__main__":
    folder, *rest = sys.argv[1:]
    interpreter = rest.pop(0) if rest and Path(rest[0]).is_file() else sys.executable
    ratios(ResumedResults("search", quick=False), folder, interpreter, rest)
