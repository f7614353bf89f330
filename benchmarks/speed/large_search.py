"""What a search over Parquet files counts on all rows, beside polars that groups the same rows.

The tables are those of `large_tables`. Every measurement is a process of its own, with one thread,
so that its memory is its own too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from benchmarks._results import Results, markdown_table
from benchmarks.speed.large_tables import FILE_ROWS, made, most_memory
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial._all_rows import AllRows
from skcorrupt.base import drawn_rows

NAME = "large-search"
SIZES = (1_000_000, 4_000_000, 20_000_000, 100_000_000)
PATTERNS = (100, 1000)
HELD = 100_000
ALLOWED, MOST_MEGABYTES = 3.0, 4096


def run(quick: bool = False) -> None:
    """Measure and save.

    Parameters
    ----------
    quick : bool, default=False
        Whether to take small tables only.
    """
    results = Results(NAME, quick)
    with tempfile.TemporaryDirectory() as name:
        for n_rows in [FILE_ROWS // 10, FILE_ROWS // 5] if quick else SIZES:
            source = made(Path(name) / f"rows{n_rows}", n_rows)
            plain = alone("plain", source)
            results.add("counting", row_of("polars groups", n_rows, plain, plain))
            for n_patterns in PATTERNS:
                found = alone(str(n_patterns), source)
                said = f"draw rows, count {n_patterns:,} patterns"
                results.add("counting", row_of(said, n_rows, found, plain))


def alone(what: str, source: Path) -> dict[str, float]:
    """Seconds and memory of a process that does one thing."""
    command = [sys.executable, "-m", __name__, what, str(source)]
    env = {**os.environ, "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def laid_out(source: Path) -> Any:
    """A search over the files, with the rows that it holds."""
    schema = pl.read_parquet_schema(next(iter(sorted(source.glob("*.parquet")))))
    texts = [name for name, kind in schema.items() if kind == pl.String and name != "income"]
    codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    pipeline = make_pipeline(
        make_column_transformer((codes, texts), remainder="passthrough"),
        HistGradientBoostingClassifier(max_iter=3, random_state=0),
    )
    search = AdversarialCorruptionSearch(
        pipeline,
        "missing",
        scoring="roc_auc",
        space=SearchSpace(own_column="allowed"),
        # a quarter is for confirmation
        sample_size=3 * HELD // 4,
        random_state=0,
    )
    return search.lay_out(str(source), "income")


def some_patterns(space: Any, most: int) -> list[Any]:
    """Random candidates of one to three conditions that are feasible on the rows held."""
    rng, found = np.random.default_rng(0), {}
    templates = [each for depth in (1, 2, 3) for each in space.templates_of_depth(depth)]
    while len(found) < most:
        template = templates[rng.integers(len(templates))]
        point = tuple(int(rng.integers(m)) for m in space.grid(template).shape)
        candidate = space.candidate(template, point)
        if not candidate.refused:
            found.setdefault(candidate.pattern, candidate)
    return list(found.values())


def measured(what: str, source: Path) -> dict[str, float]:
    """Seconds of processor that one thing takes, the least of two turns, and its memory."""
    warnings.simplefilter("ignore")
    problem = laid_out(source)
    space = problem.task.space
    patterns = [] if what == "plain" else some_patterns(space, int(what))
    files = str(source / "*.parquet")
    before, seconds, n_groups = most_memory(), [], 0
    for _ in range(2):
        started = time.process_time()
        if what == "plain":
            n_groups = pl.scan_parquet(files).select(*binned(space)).group_by(pl.all()).len()
            n_groups = n_groups.select(pl.len()).collect(engine="streaming").item()
        else:
            parts = problem.all_rows.table
            drawn = drawn_rows(parts.source, [*parts.labels, parts.y], HELD, 0)
            all_rows = AllRows(replace(parts, drawn=drawn), problem.all_rows.spaces)
            all_rows.count(patterns)
        seconds.append(time.process_time() - started)
    return {
        "seconds": min(seconds),
        "megabytes": most_memory(),
        "before": before,
        "groups": n_groups,
        "wrong": wrong(all_rows, patterns, files) if patterns else 0,
    }


def binned(space: Any) -> list[Any]:
    """All columns, those of numbers by the bins of a search."""
    labels, found = space.table.labels, ["income"]
    for j, attribute in space.attributes.items():
        bounds = {c.upper for c in attribute.conditions if c.upper is not None}
        numbers = sorted(float(bound) for bound in bounds if not isinstance(bound, str))
        column = pl.col(labels[j])
        found.append(column.cut(numbers).to_physical() if numbers else column)
    return found


def wrong(all_rows: Any, patterns: list[Any], files: str) -> int:
    """Of ten patterns, how many polars counts otherwise."""
    n_wrong = 0
    for candidate in patterns[:10]:
        (hit,) = candidate.columns
        matches = pl.col(hit).is_not_null()
        for key, condition in candidate.pattern.conditions.items():
            matches &= matching(pl.col("income" if key == "y" else key), condition)
        counted = pl.scan_parquet(files).filter(matches).select(pl.len()).collect().item()
        n_wrong += counted != all_rows.matched(candidate)
    return n_wrong


def matching(column: Any, condition: Any) -> Any:
    """A condition as polars asks it."""
    if condition.values is not None:
        return column.is_in(list(condition.values))
    asked = {"ge": column.ge, "gt": column.gt, "le": column.le, "lt": column.lt}
    found = pl.lit(True)
    for name, bound in condition.bounds.items():
        found = found & asked[name](bound)
    return found


def row_of(
    what: str, n_rows: int, found: dict[str, float], plain: dict[str, float]
) -> dict[str, Any]:
    """A row of the table."""
    ratio = found["seconds"] / plain["seconds"]
    reached = ratio <= ALLOWED and found["megabytes"] <= MOST_MEGABYTES and not found["wrong"]
    return {
        "what": what,
        "rows": n_rows,
        "seconds": found["seconds"],
        "microseconds_a_row": 1e6 * found["seconds"] / n_rows,
        "ratio": ratio,
        "allowed": ALLOWED,
        "groups": found["groups"],
        "peak_megabytes": found["megabytes"],
        "megabytes_before": found["before"],
        "verdict": "reached" if reached else "missed",
    }


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    shown = [
        {
            **row,
            "rows": f"{row['rows']:,}",
            "groups": f"{row['groups']:,}" if row["groups"] else "",
            # polars is what the others are judged by
            "verdict": "" if row["groups"] else row["verdict"],
        }
        for row in content["sections"]["counting"]
    ]
    columns = {
        "what": "what",
        "rows": "rows",
        "seconds": "seconds",
        "microseconds_a_row": "µs a row",
        "ratio": "ratio to polars",
        "allowed": "allowed",
        "groups": "groups",
        "peak_megabytes": "peak, MB",
        "megabytes_before": "of it before, MB",
        "verdict": "verdict",
    }
    return {"large-search-counting": markdown_table(shown, columns)}


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1], Path(sys.argv[2]))))
