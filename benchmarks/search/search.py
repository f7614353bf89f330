"""The search at full strength: speed, recall, rivals, ablations, long runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks._results import markdown_table, section_tables
from benchmarks.search import (
    _ablations,
    _enumerated,
    _ratios,
    _recall,
    _rivals_compared,
    _runs,
    _speed,
    _until,
    conformal as search_conformal,
)
from benchmarks.search._common import ResumedResults, check_sections

SECTIONS: dict[str, Callable[[ResumedResults, bool], None]] = {
    "speed": _speed.speed,
    "curve": _speed.curve,
    "until": _until.until,
    "patterns": _speed.patterns,
    "recall": _recall.recall,
    "million": _speed.million_rows,
    "ablations": _ablations.ablations,
    "confirmed": _ablations.confirmed,
    "kill": _runs.kill,
    "dask": _runs.dask,
    "reuse": _runs.reuse,
    "overhead": _runs.overhead,
    "conformal": _runs.conformal,
    "rivals": _rivals_compared.rivals,
    "enumerated": _enumerated.enumerated,
}
COLUMNS = {
    "reuse": {
        "error": "error",
        "parts": "parts of the column transformer",
        "candidates": "candidates",
        "seconds": "seconds",
        "without": "without",
        "ratio": "ratio",
        "same": "same result",
    },
    "overhead": {
        "model": "model",
        "error": "error",
        "splits": "splits",
        "candidates": "candidates",
        "fit_milliseconds": "ms of a fit",
        "overhead": "overhead",
        "allowed": "allowed",
        "met": "met",
    },
    "speed": {
        "data": "data",
        "error": "error",
        "groups": "groups",
        "candidates": "candidates",
        "seconds": "seconds",
        "per_second": "a second",
        "required": "required",
        "met": "met",
    },
    "ratios": _ratios.COLUMNS,
    "until": _until.COLUMNS,
    "curve": {
        "imputer": "imputer",
        "solver": "solver",
        "n_bins": "bins",
        "budget": "budget",
        "printed": "printed",
        "recipe": "recipe",
        "found": "found",
        "required": "required",
        "met": "met",
        "no_higher": "no higher than the recipe",
        "pattern": "worst: column and pattern",
    },
    "curve-cost": {
        "imputer": "imputer",
        "solver": "solver",
        "n_bins": "bins",
        "screened": "screened",
        "fits": "fits",
        "seconds": "seconds",
        "wall_seconds": "wall",
        "random_seconds": "of them random errors",
        "required": "required",
        "met": "met",
        "recipe_seconds": "recipe, seconds",
        "ratio": "times faster",
        "required_ratio": "required",
        "ratio_met": "met",
    },
    "patterns": {
        "error": "error",
        "support": "least support",
        "complete": "attributes",
        "points": "patterns",
        "distinct": "distinct and feasible",
        "seconds": "seconds",
        "wall_seconds": "wall",
        "required": "required",
        "met": "met",
    },
    "recall": {
        "data": "data",
        "error": "error",
        "model": "model",
        "proxy": "proxy",
        "agreement": "agreement, 30 fits",
        "spearman": "Spearman, 150",
        "recall": "recall of the worst 10 in 30",
        "required": "required",
        "met": "met",
        "pipeline_seconds": "pipeline, seconds",
        "proxy_seconds": "proxy, seconds",
    },
    "million": {
        "error": "error",
        "rows": "rows",
        "columns": "columns",
        "proxy": "proxy",
        "agreement": "agreement",
        "clean": "clean",
        "found": "found",
        "confirmed": "confirmed",
        "processor_seconds": "seconds",
        "wall_seconds": "wall",
        "required_seconds": "required",
        "gigabytes": "peak, GB",
        "required_gigabytes": "required",
        "met": "met",
    },
    "ablations": {
        "model": "model",
        "variant": "variant",
        **{f"{percent} %": f"{percent} %" for percent in (10, 30, 50)},
        "again": "10 %, other draws",
        "proxy": "proxy",
        "fits": "fits",
        "seconds": "seconds",
    },
    "confirmed": {
        "model": "model",
        "imputer": "imputer",
        "budget": "budget",
        "clean": "clean",
        "searched": "searched",
        "held_out_clean": "clean, held out",
        "held_out": "held out",
        "drop": "drop on held-out rows, 95 %",
        "flattery": "searching flatters by",
    },
    "kill": {
        "kills": "kills",
        "n_evaluations": "candidates",
        "kept": "kept at the last kill",
        "most_fits_lost": "most fits lost in a kill",
        "seconds": "seconds",
        "identical": "identical",
    },
    "dask": {
        "workers": "workers",
        "candidates": "candidates",
        "found": "found",
        "alone_seconds": "one process, wall seconds",
        "processes_seconds": "two processes",
        "dask_seconds": "dask",
        "same": "same result",
    },
    "conformal": search_conformal.COLUMNS,
    "enumerated": _enumerated.COLUMNS,
    "rivals": {
        "data": "data",
        "model": "model",
        "imputer": "imputer",
        "proxy": "proxy",
        "fits": "fits",
        "seconds": "seconds",
        "clean": "clean",
        "ours": "ours",
        **{
            f"{rival}_{way}": f"{name}, equal {way}"
            for way in ("fits", "time")
            for rival, name in _rivals_compared.RIVALS.items()
        },
    },
}
SUMMARY = {
    "rival": "rival",
    "way": "compared at",
    "settings": "settings",
    "ours": "ours, mean",
    "theirs": "rival, mean",
    "lower": "ours lower",
    "same": "within .002",
    "higher": "ours higher",
}


def run(quick: bool = False, sections: Sequence[str] = ()) -> None:
    """Run sections and put them beside those that an earlier run saved.

    Parameters
    ----------
    quick : bool, default=False
        A short run that shows that all of it works.
    sections : sequence of str, default=()
        Keys of `SECTIONS`; none means all.

    Raises
    ------
    ValueError
        If there is no such section.
    """
    check_sections(sections, SECTIONS)
    results = ResumedResults("search", quick)
    for name in sections or SECTIONS:
        SECTIONS[name](results, quick)


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    summaries = {
        f"search-{section}-summary": markdown_table(
            _rivals_compared.summary(content["sections"].get(section, [])), SUMMARY
        )
        for section in ("rivals", "rivals-once")
    }
    return section_tables(content, COLUMNS) | summaries


if __name__ == "__main__":
    given = sys.argv[1:]
    run("--quick" in given, [name for name in given if name != "--quick"])
