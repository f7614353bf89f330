"""Markdown tables of the fairness study."""

from __future__ import annotations

from typing import Any

from benchmarks._results import markdown_table
from benchmarks.replication.fairness._verdicts import (
    comes_back,
    required_rows,
    verdict_counts,
    with_verdicts,
)

OURS = {"ours": "ours", "std": "std", "interval": "95 % interval", "printed": "printed"}
STAGE = {"pipeline": "pipeline", "stage": "stage"}
COLUMNS = {
    "required": {
        **STAGE,
        "metric": "metric",
        **OURS,
        "distance": "standard errors apart",
        "verdict": "verdict",
        "required": "required",
        "met": "met",
    },
    "examples": {
        "pipeline": "example",
        "stage": "what",
        "metric": "metric",
        **OURS,
        "n_splits": "splits",
        "distance": "standard errors apart",
        "verdict": "verdict",
    },
    "stages": {
        **STAGE,
        **OURS,
        "verdict": "SPD",
        "eod": "EOD",
        "aod": "AOD",
        "erd": "ERD",
        "notes": "differs, or fault of the script",
    },
    "verdicts": {
        "metric": "metric",
        "reproduced": "reproduced",
        "reproduced, sign turned": "reproduced, sign turned",
        "refuted": "refuted",
        "not reproduced": "not reproduced",
        "undecided, its error": "undecided, its error",
        "undecided, our error": "undecided, our error",
        "not rebuilt": "not rebuilt",
        "not printed": "not printed",
    },
    "faults": {
        **STAGE,
        "metric": "metric",
        "fault": "fault of the script",
        "with_fault": "ours with the fault",
        "std": "std",
        "printed": "printed",
        "comes_back": "comes back",
    },
    "significance": {
        "data": "data",
        "cells": "cells",
        "plain": "splits taken for independent",
        "corrected": "corrected for their overlap",
        "adjusted": "and for the number of stages",
    },
    "noise": {
        "pipeline": "pipeline",
        "model": "model",
        "changed": "predictions changed",
        "spd_std": "sd of SF_SPD",
        "eod_std": "of SF_EOD",
        "aod_std": "of SF_AOD",
    },
    "identities": {
        "runs": "runs",
        "effect_less_change": "SF − (with − without), at most",
        "erd_off": "SF_ERD − 2(SF_AOD − SF_EOD), at most",
        "printed": "printed stages",
        "printed_hold": "of them with the second",
    },
    "speed": {
        "stages": "stages",
        "model": "model",
        "rows": "rows",
        "splits": "splits",
        "seconds": "seconds",
        "anew": "all anew",
        "of_anew": "share",
        "floor": "floor",
        "least_share": "its share",
        "of_floor": "over the floor",
        "of_fits": "over its fits alone",
        "share_reached": "at most .40",
        "floor_reached": "at most 1.15",
    },
}


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    sections = dict(content["sections"])
    faults = sections.get("faults", [])
    stages = with_verdicts(sections["stages"], faults)
    sections["examples"] = with_verdicts(sections["examples"])
    sections["required"] = required_rows([*stages, *sections["examples"]])
    sections["verdicts"] = verdict_counts(stages)
    sections["stages"] = one_row_a_stage(stages)
    sections["faults"] = [row | {"comes_back": comes_back(row)} for row in faults]
    return {
        f"stage-fairness-{name}": markdown_table(sections[name], headings)
        for name, headings in COLUMNS.items()
    }


def one_row_a_stage(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of SPD, with the verdicts on the other metrics."""
    stages: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        place = stages.setdefault((row["pipeline"], row["stage"]), {})
        if row["metric"] == "spd":
            place |= {**row, "notes": "; ".join(filter(None, (row.get("fault"), row["differs"])))}
            place["of_printed"] = [] if row["printed"] is None else [row["printed"]]
        else:
            place[row["metric"]] = row["verdict"]
    return list(stages.values())
