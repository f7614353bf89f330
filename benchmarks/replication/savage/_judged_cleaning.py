"""Numbers of the paper on adversarial corruption (Savage): what cleaning is worth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from benchmarks.replication._rows import Row, Saved, not_run, said
from benchmarks.robustness.cleaning import PLAIN, SECTIONS, TABLES, shown

WHERE = "section 5.2"
LEAST_DROP = 0.05
SETTINGS = "fitted on 3,000 rows, of which 10 % are struck; confirmed on new rows"


def cleaning_rows(saved: Saved) -> list[Row]:
    """Claims on cleaning that pipelines of our own answer.

    Parameters
    ----------
    saved : Saved
        Results of benchmarks.

    Returns
    -------
    list of Row
        Those on missing values, on all errors, and on which of them harm most.
    """
    found = {name: saved.rows("cleaning", name, status="ok") for name in SECTIONS}
    return [_large(found["missing"]), _sensitive(found), _worse(found)]


def _large(rows: list[dict[str, Any]]) -> Row:
    """Missing values alone; the same number is judged by the paper's own files as well."""
    what = "missing values of 10 %, drop of AUC, most cleaning pipelines of ours: more than"
    printed, source = "0.05", "cleaning: missing"
    if not rows:
        return replace(not_run(WHERE, what, (printed,), source), again=True)
    over = [row for row in rows if row["drop"] > LEAST_DROP]
    by_data = {
        data: f"{sum(row['data'] == data for row in over)} of "
        f"{sum(row['data'] == data for row in rows)} on {data}"
        for data in dict.fromkeys(row["data"] for row in rows)
    }
    verdict = "reproduced" if 2 * len(over) > len(rows) else "not reproduced"
    row = said(WHERE, what, printed, ", ".join(by_data.values()), verdict, SETTINGS, source=source)
    return replace(row, again=True)


def _sensitive(found: dict[str, list[dict[str, Any]]]) -> Row:
    """Whether what cleans stands small errors."""
    what = "cleaning does not save a pipeline: techniques are sensitive to few systematic errors"
    found = {error: given for error, given in found.items() if given}
    source = f"cleaning: {', '.join(found or SECTIONS)}"
    if "missing" not in found or len(found) < 2:
        return not_run(WHERE, what, ("all",), source)
    rows = [
        row | {"error": error}
        for error, given in found.items()
        for row in shown(given, [])
        if row["pipeline"] != PLAIN
    ]
    harmed = [row for row in rows if row["drop_low"] > 0]
    saving = [row for row in rows if row["saves"]]
    names = dict.fromkeys((row["error"], row["pipeline"]) for row in rows)
    always = [
        pair
        for pair in names
        if _on_all([row for row in rows if (row["error"], row["pipeline"]) == pair])
    ]
    whole = all({row["data"] for row in found.get(error, [])} >= set(TABLES) for error in SECTIONS)
    holds = 2 * len(harmed) > len(rows) and not always
    return said(
        WHERE,
        what,
        "all",
        f"harm in {len(harmed)} of {len(rows)} cases of {_counted(rows)}; half of what the "
        f"plain pipeline loses is kept in {len(saving)}, on all tables, two at least, by "
        f"{len(always)} of {len(names)} techniques",
        ("reproduced" if whole else "part of") if holds else "not reproduced",
        SETTINGS,
        source=source,
    )


def _on_all(rows: list[dict[str, Any]]) -> bool:
    """Whether a technique saves wherever it was tried; one table alone says nothing."""
    return len(rows) > 1 and all(row["saves"] for row in rows)


def _counted(rows: list[dict[str, Any]]) -> str:
    """How many techniques against which errors, on how many tables."""
    techniques = len({row["pipeline"] for row in rows})
    errors = " and ".join(dict.fromkeys(row["error"] for row in rows))
    n_tables = len({row["data"] for row in rows})
    return f"{techniques} techniques, {errors}, {n_tables} tables"


def _worse(found: dict[str, list[dict[str, Any]]]) -> Row:
    """Labels and selection beside missing values, for pipelines that are in all three."""
    what = "selection bias and label errors harm more than missing values of the same budget"
    found = {error: given for error, given in found.items() if given}
    source = f"cleaning: {', '.join(found or SECTIONS)}"
    if "missing" not in found or len(found) < 2:
        return not_run(WHERE, what, ("both",), source)
    drops = {
        error: {(row["data"], row["pipeline"]): row["drop"] for row in rows}
        for error, rows in found.items()
    }
    shared = set.intersection(*map(set, drops.values()))
    counts = {
        error: sum(drops[error][key] > drops["missing"][key] for key in shared)
        for error in found
        if error != "missing"
    }
    text = ", ".join(f"{error} in {n} of {len(shared)} cases" for error, n in counts.items())
    least = min(counts.values())
    whole = least == len(shared) and len(found) == len(SECTIONS)
    verdict = "reproduced" if whole else "part of"
    if 2 * least <= len(shared):
        verdict = "not reproduced"
    return said(WHERE, what, "both", text, verdict, SETTINGS, source=source)
