"""Every number of the five papers beside ours, with verdicts, as JSON and as a page."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks import _results
from benchmarks._data import DataNotFoundError
from benchmarks._hashes import DataDiffersError
from benchmarks.replication import _facts
from benchmarks.replication._headlines import headlines
from benchmarks.replication._left import fewer, reasons
from benchmarks.replication._page import render_page
from benchmarks.replication._rows import RULES, VERDICTS, Row, Saved
from benchmarks.replication.curation import _judged as curation
from benchmarks.replication.esp import _judged as esp
from benchmarks.replication.fairness import _judged as fairness
from benchmarks.replication.responsiveness import _judged as responsiveness
from benchmarks.replication.savage import _judged as savage

NAME = "replication"
FACTS = _facts.NAME
PAPERS: dict[str, Callable[[Saved], list[Row]]] = {
    "savage": savage.rows,
    "esp": esp.rows,
    "curation": curation.rows,
    "fairness": fairness.rows,
    "responsiveness": responsiveness.rows,
}
# by paper the benchmarks that answer it, with the sections that rows are taken from
NEEDS: dict[str, dict[str, tuple[str, ...]]] = {
    "savage": {
        "adult": ("clean", "paper_style", "random_search"),
        "published": ("cells", "study"),
        "optimizers": ("summary",),
        "search": ("conformal",),
        "cleaning": ("missing", "labels", "selection"),
        FACTS: (
            *("shapes", "figure_7", "employee", "enumerated", "files"),
            *("equal_opportunity", "subpopulations", "random_graphs", "conformal"),
        ),
    },
    "esp": {
        "error-sensitivity": ("facts", "claims", "models"),
        FACTS: ("shapes", "forests", "features", "named", "costs"),
    },
    "curation": {"curation": ("table", "null", "coverage"), FACTS: ("shapes", "majority")},
    "fairness": {
        "stage-fairness": ("stages", "examples", "identities"),
        FACTS: (
            *("shapes", "performance", "files", "transformers", "more_splits"),
            *("boosters", "booster_faults", "stage_scores"),
        ),
    },
    "responsiveness": {
        "recidivism": ("sizes",),
        "responsiveness": ("validation", "listing"),
        "transplant": ("claims",),
        "twitterbot": ("chosen",),
        FACTS: ("sizes", "actions", "german", "validation"),
    },
}
# benchmarks that can run some of their sections and leave the others alone
BY_SECTION = ("search", "cleaning", FACTS)


def run(
    papers: Sequence[str] = tuple(PAPERS), *, fresh: bool = False, saved_only: bool = False
) -> None:
    """Run what is missing, judge every printed number, save and render.

    Parameters
    ----------
    papers : sequence of str, default=all
        Keys of `PAPERS`; rows of the others stay as they are saved.
    fresh : bool, default=False
        Whether benchmarks run again that have saved results.
    saved_only : bool, default=False
        Whether nothing is run, so that numbers without a saved result say so.

    Raises
    ------
    ValueError
        If a paper is not known, or both options are given.
    """
    unknown = [paper for paper in papers if paper not in PAPERS]
    if unknown:
        raise ValueError(f"papers={unknown} should be some of {list(PAPERS)}.")
    if fresh and saved_only:
        raise ValueError("fresh=True runs all and saved_only=True nothing; give one of them.")
    if not saved_only:
        run_missing(papers, fresh)
    saved = Saved()
    sections = _saved_sections()
    for paper in papers:
        sections[paper] = [row.as_dict() for row in PAPERS[paper](saved)]
    # the order of the papers, whatever was run last
    sections = {paper: sections[paper] for paper in PAPERS if paper in sections}
    left = {"reasons": reasons(sections), "fewer": fewer(sections, saved)}
    # what rows of the other papers were taken from
    for paper in sections:
        for benchmark, names in NEEDS[paper].items():
            saved.rows(benchmark, names[0])
    counts = summary(sections)
    content = {
        "benchmark": NAME,
        "quick": False,
        "environment": _results.environment(),
        "rules": list(RULES),
        "sources": saved.environments(),
        "headlines": headlines(sections),
        "summary": counts,
        "left": left,
        "sections": sections,
    }
    folder = _results.results_in(NAME)
    folder.mkdir(exist_ok=True)
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (folder / f"{NAME}.json").write_text(text + "\n", encoding="utf-8")
    render_page(content)
    for row in counts:
        print(", ".join(f"{key} {value}" for key, value in row.items()), flush=True)


def run_missing(papers: Sequence[str], fresh: bool = False) -> list[str]:
    """Run the benchmarks that papers need and that have no saved results.

    Without its data a benchmark is left out, and its numbers say that it was not run.

    Parameters
    ----------
    papers : sequence of str
        Keys of `PAPERS`.
    fresh : bool, default=False
        Whether those with saved results run, too.

    Returns
    -------
    list of str
        The benchmarks that ran, with their sections where these can run alone.
    """
    ran = []
    for benchmark, sections in _needed(papers).items():
        saved = Saved()
        missing = [name for name in sections if fresh or not saved.rows(benchmark, name)]
        if not missing:
            continue
        module = _results.module_of(benchmark)
        try:
            if benchmark in BY_SECTION:
                module.run(sections=missing)
                ran.append(f"{benchmark}: {', '.join(missing)}")
            else:
                module.run()
                ran.append(benchmark)
        except (DataNotFoundError, DataDiffersError) as error:
            print(f"{benchmark}: {error}", file=sys.stderr)
    return ran


def summary(sections: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Printed numbers by paper and verdict.

    Parameters
    ----------
    sections : dict of str to list of dict
        Rows by paper.

    Returns
    -------
    list of dict
        A row a paper, and one for all, with a count of printed numbers for every verdict, and how
        many of those reproduced are only checked against other numbers of the paper.
    """
    out = []
    everything = [row for rows in sections.values() for row in rows]
    for paper, rows in [*sections.items(), ("all", everything)]:
        counts = dict.fromkeys(VERDICTS, 0)
        for row in rows:
            counts[row["verdict"]] += row["n_printed"]
        printed = sum(counts.values())
        met = [row for row in rows if row["verdict"] == "reproduced"]
        own = sum(row["n_printed"] for row in met if row["own"])
        counted = {"paper": paper, "rows": len(rows), "printed": printed, **counts}
        out.append({**counted, "reproduced by own numbers": own})
    return out


def _needed(papers: Sequence[str]) -> dict[str, list[str]]:
    needed: dict[str, list[str]] = {}
    for paper in papers:
        for benchmark, sections in NEEDS[paper].items():
            mine = needed.setdefault(benchmark, [])
            mine += [name for name in sections if name not in mine]
    return needed


def _saved_sections() -> dict[str, list[dict[str, Any]]]:
    content = _results.saved(NAME)
    return {} if content is None else content["sections"]
