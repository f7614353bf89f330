"""The search beside the published results of the Savage study, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks._results import markdown_table
from benchmarks.replication._rows import Sample, judged
from benchmarks.replication.savage._other_draws import SHOWN, draws_of, is_asked, shown
from benchmarks.replication.savage._published_cells import (
    DATA_NAMES,
    KINDS,
    PREPARED,
    Cell,
    cells_of,
    corruption_of,
    counts_of,
    pipeline_of,
    published_data,
    published_table,
)
from benchmarks.search._common import Data, ResumedResults, met, on_test_set, timed
from skcorrupt import AdversarialCorruptionSearch, cross_validate_corrupted
from skcorrupt.adversarial import SearchSpace, SearchStrategy

NAME = "published"
SECTION, STUDY, DRAWS = "cells", "study", "draws"
SEED = 0
# cells whose fits take seconds: so many of each kind, drawn by this seed
SAMPLE_SEED = 1
SAMPLED = {"KNNImputer": 1, "RF": 4, "NN": 2}
# of the study, that each published mean is of
N_RUNS = 5
# what is required: clean scores that agree, and then no more than this above the published
CLEAN_NEAR, TOLERANCE, MOST_ABOVE = 0.005, 0.002, 0.01
REQUIRED_SHARE = 0.98

MODEL_NAMES = {
    "LR": "logistic regression",
    "DT": "decision tree",
    "RF": "random forest",
    "NN": "neural network",
}
COUNTED = ("beaten", "reproduced", "refuted", "not reproduced")
SUMMARY = {
    "what": "cells",
    "run": "run",
    "agree": "clean score agrees",
    "below": "of them at or below + .002",
    "most_above": "most above",
    "met": "required, met",
    **{name: name for name in COUNTED},
    "seconds": "seconds",
}
CELLS = {
    "data": "data",
    "model": "model",
    "pipeline": "pipeline",
    "error": "error",
    "budget": "budget",
    "published_std": "published",
    "clean_published": "clean, published",
    "clean": "clean, ours",
    "found": "ours",
    "difference": "difference",
    "theirs": "its patterns, scored here",
    "one_class": "leave one class",
    "verdict": "verdict",
    "seconds": "seconds, of the search",
    "winner": "ours: column and pattern",
}


def run(quick: bool = False, strategy: SearchStrategy | str | None = None) -> None:
    """Search every cell that is not saved yet, and score the published patterns beside it.

    Parameters
    ----------
    quick : bool, default=False
        Two budgets of one curve.
    strategy : SearchStrategy, str or None, default=None
        How candidates are found; None is the default of the search.
    """
    results = ResumedResults(NAME, quick)
    table = published_table()
    cells = chosen(cells_of(table))
    results.begin(STUDY)
    results.add(STUDY, {"chosen": len(cells), **counts_of(table)})
    data = published_data()
    curves: dict[tuple[str, ...], list[Cell]] = {}
    for cell in cells[:2] if quick else cells:
        curves.setdefault(cell.searched_as, []).append(cell)
    for curve in curves.values():
        known = {tuple(row["key"]) for row in results.rows(SECTION)}
        left = [cell for cell in curve if cell.key not in known]
        if left:
            for row in searched_rows(left, data[left[0].data], strategy):
                results.add(SECTION, row)
    drawn = {tuple(row["key"]) for row in results.go_on(DRAWS)}
    asked = {tuple(row["key"]): row for row in results.rows(SECTION) if is_asked(row)}
    # where nothing is missing imputers have nothing to do
    alone = {cell.searched_as: cell for cell in cells if cell.key in asked}
    for cell in alone.values():
        if cell.key not in drawn:
            # saved together, so that a run that was stopped begins the cell anew
            for row in list(draws_of(cell, asked[cell.key], data[cell.data])):
                results.add(DRAWS, row)


def chosen(cells: Sequence[Cell]) -> list[Cell]:
    """The cells that are run: all with quick fits, and a sample of the others.

    Parameters
    ----------
    cells : sequence of Cell
        All cells.

    Returns
    -------
    list of Cell
        Those with quick fits first; budgets of a curve are together.
    """
    rng = np.random.default_rng(SAMPLE_SEED)
    found = [cell for cell in cells if cell.slow_part is None]
    for part, size in SAMPLED.items():
        those = [cell for cell in cells if cell.slow_part == part]
        drawn = rng.permutation(len(those))[:size]
        found += [those[i] for i in sorted(drawn)]
    return found


def searched_rows(
    cells: Sequence[Cell], data: Data, strategy: SearchStrategy | str | None = None
) -> Iterator[dict[str, Any]]:
    """One search for cells that it can answer together, a row a cell.

    Parameters
    ----------
    cells : sequence of Cell
        Cells that are searched as one.
    data : tuple
        Training and test set.
    strategy : SearchStrategy, str or None, default=None
        How candidates are found; None is the default of the search.

    Yields
    ------
    dict
        What was found, and what the published patterns score.
    """
    X, y, cv = on_test_set(data)
    budgets = sorted({cell.rows for cell in cells})
    search = AdversarialCorruptionSearch(
        pipeline_of(cells[0]),
        cells[0].kind,
        budget=[rows / len(data[0]) for rows in budgets],
        scoring="roc_auc",
        cv=cv,
        confirm_size=None,
        # the study's patterns may do without the label
        space=SearchSpace(label="allowed"),
        random_state=SEED,
    )
    if strategy is not None:
        search.set_params(strategy=strategy)
    with timed() as clock:
        search.fit(X, y)
    curve = dict(zip(budgets, search.budget_curve_.to_dict("records"), strict=True))
    for cell in cells:
        found = curve[cell.rows]
        theirs, n_one_class = remade(cell, data)
        yield {
            "key": list(cell.key),
            "searched_as": list(cell.searched_as),
            "published": cell.mean,
            "std": cell.std,
            "clean_published": cell.clean,
            "clean": search.baseline_score_,
            "found": found["worst_score"],
            "columns": [str(name) for name in found["columns"]],
            "pattern": found["pattern"],
            "rate": found["rate"],
            "theirs": theirs,
            "one_class": n_one_class,
            "budget_percent": 100 * cell.rows / len(data[0]),
            "fits": search.n_evaluations_,
            "strategy": str(search.strategy_),
            "seconds": clock.processor,
            "wall_seconds": clock.wall,
        }


def remade(cell: Cell, data: Data) -> tuple[list[float], int]:
    """What the published patterns of a cell score as corruptions of ours.

    Parameters
    ----------
    cell : Cell
        The cell.
    data : tuple
        Training and test set.

    Returns
    -------
    scores : list of float
        AUC of each pattern that leaves both classes.
    n_one_class : int
        How many leave one class.
    """
    X, y, cv = on_test_set(data)
    scores: dict[str, float | None] = {}
    found = []
    for ranges in cell.patterns:
        corruption = corruption_of(ranges, cell.kind, data[0], data[1], cell.rows)
        key = str(corruption)
        if key not in scores:
            corruption.set_params(random_state=SEED)
            left = corruption.fit(data[0], data[1]).corrupt(data[0], data[1]).y
            scores[key] = None
            if len(np.unique(left)) > 1:
                scored = cross_validate_corrupted(
                    pipeline_of(cell),
                    X,
                    y,
                    corruption,
                    cv=cv,
                    scoring="roc_auc",
                    random_state=SEED,
                )
                scores[key] = float(scored["test_score"].mean())
        found.append(scores[key])
    return [score for score in found if score is not None], found.count(None)


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    # whatever was run first
    sections = content["sections"]
    rows = sorted(sections.get(SECTION, []), key=_place)
    n = sections[STUDY][0]["chosen"] if STUDY in sections else None
    return {
        f"{NAME}-summary": markdown_table(summary(rows, n), SUMMARY),
        f"{NAME}-cells": markdown_table([cell_row(row) for row in rows], CELLS),
        f"{NAME}-draws": markdown_table([shown(row) for row in sections.get(DRAWS, [])], SHOWN),
    }


def agrees(row: dict[str, Any]) -> bool:
    """Whether the clean scores of a row agree."""
    return bool(abs(row["clean"] - row["clean_published"]) <= CLEAN_NEAR)


def verdict(row: dict[str, Any]) -> str:
    """The verdict on a published score by the rules of the replication, three digits of it.

    A published mean of five runs is met within its 95 % interval.

    What is not met is refuted where the published patterns, scored here, do not meet it either.

    Parameters
    ----------
    row : dict
        A saved row.

    Returns
    -------
    str
        One of `VERDICTS`.
    """
    size = max(interval_of(row["std"]), 5e-4)
    theirs = float(np.mean(row["theirs"])) if row["theirs"] else row["published"]
    own = theirs > row["published"] + size and row["found"] <= theirs
    return judged(
        f"{row['published']:.3f}",
        row["found"],
        row["found"],
        printed_spread=interval_of(row["std"]),
        aim="lower",
        reason="its own patterns do not reach it here" if own else "",
    )


def interval_of(std: float) -> float:
    """Half of the 95 % interval of a published mean; its deviation is the one with n."""
    return Sample.half_width(std * np.sqrt(N_RUNS / (N_RUNS - 1)), N_RUNS)


def cell_row(row: dict[str, Any]) -> dict[str, Any]:
    """A saved row as the page shows it."""
    data, pipeline, model, series, _ = row["key"]
    mixed = "%" in series
    hit = ", ".join(row["columns"])
    return {
        **row,
        "data": DATA_NAMES[data],
        "model": MODEL_NAMES[model],
        "pipeline": PREPARED[pipeline][0],
        "error": KINDS[series] + (", small budgets" if mixed else ""),
        "budget": f"{row['budget_percent']:.0f} %",
        "published_std": f"{row['published']:.3f} ± {row['std']:.3f}",
        "difference": row["found"] - row["published"],
        "theirs": float(np.mean(row["theirs"])) if row["theirs"] else None,
        "one_class": row["one_class"] or None,
        "verdict": verdict(row),
        "winner": f"{hit}: {row['pattern']}" if KINDS[series] == "missing" else row["pattern"],
    }


def summary(rows: Sequence[dict[str, Any]], n: int | None = None) -> list[dict[str, Any]]:
    """What is required, by data, model and kind of error, and over all cells.

    Parameters
    ----------
    rows : sequence of dict
        Saved rows.
    n : int or None, default=None
        How many cells there are to run, None where it is not saved.

    Returns
    -------
    list of dict
        A row a group and one for all.
    """
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        data, pipeline, model, series, _ = row["key"]
        imputer = ", KNN imputer" if pipeline == "KNNImputer" and series == "MNAR" else ""
        what = f"{DATA_NAMES[data]}, {MODEL_NAMES[model]}{imputer}, {KINDS[series]}"
        groups.setdefault(what, []).append(row)
    found = [_summed(what, group) for what, group in groups.items()]
    return [*found, _summed(f"all, {len(rows)} of {n or 'more'}", rows)] if rows else []


def _summed(what: str, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    agreeing = [row for row in rows if agrees(row)]
    above = [row["found"] - row["published"] for row in agreeing]
    verdicts = [verdict(row) for row in rows]
    reached = sum(met(gap, TOLERANCE, at_most=True) for gap in above)
    # one search answers several cells
    searches = {tuple(row["searched_as"]): row["seconds"] for row in rows}
    return {
        "what": what,
        "run": len(rows),
        "agree": len(agreeing),
        "below": f"{reached} ({100 * reached / len(agreeing):.1f} %)" if agreeing else None,
        "most_above": max(above, default=None),
        "met": reached >= REQUIRED_SHARE * len(above) and max(above, default=0.0) <= MOST_ABOVE,
        **{name: verdicts.count(name) for name in COUNTED},
        "seconds": sum(searches.values()),
    }


def _place(row: dict[str, Any]) -> tuple[int, ...]:
    """Where a row stands: by data, error, model, pipeline and budget, as they are listed."""
    data, pipeline, model, series, rows = row["key"]
    listed = ((DATA_NAMES, data), (KINDS, series), (MODEL_NAMES, model), (PREPARED, pipeline))
    return (*(list(names).index(name) for names, name in listed), rows)
