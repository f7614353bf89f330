"""Printed numbers of the fairness study beside ours, each with a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t

from benchmarks.replication.fairness._case import Case
from benchmarks.replication.fairness._printed import (
    EXAMPLE_1,
    EXAMPLE_2_SELECT,
    EXAMPLE_2_WITH,
    EXAMPLE_2_WITHOUT,
    FAULTS,
    METRICS,
    PRINTED,
    SWAPPED,
)
from skcorrupt import StageFairnessAblator

ERRORS = 2.0
LEVEL = 0.05
# two standard errors that tell apart all that anybody would act on
FINE = 0.02
ONE_SPLIT = "the effect of one split"
ITS_ERROR, OUR_ERROR = "undecided, its error", "undecided, our error"
# pipeline, stage, metric: what has to come out
REQUIRED = {
    ("AC1", "SS", "spd"): "reproduced",
    ("AC4", "PCA", "spd"): "reproduced",
    ("GC8", "SS", "spd"): "reproduced",
    ("GC8", "SS", "aod"): "reproduced",
    ("example 1", "whole pipeline", "spd"): "reproduced",
    ("example 1", "whole pipeline", "eod"): "reproduced",
    ("AC9", "SS", "spd"): "refuted",
    ("AC10", "Impute", "spd"): "refuted",
    ("AC4", "SS", "spd"): "refuted",
    ("example 2", "both", "effect on spd"): "refuted",
}


def stage_rows(case: Case, ablator: StageFairnessAblator) -> list[dict[str, Any]]:
    """A row a stage and metric, beside what is printed.

    Parameters
    ----------
    case : Case
        The pipeline.
    ablator : StageFairnessAblator
        Fitted on it.

    Returns
    -------
    list of dict
        The rows.
    """
    rows = []
    for record in ablator.stage_effects_.to_dict("records"):
        stage, metric = case.stages[record["stage"]], record["metric"]
        printed, printed_error = None, 0.0
        if (case.name, stage) in PRINTED:
            values, errors = PRINTED[case.name, stage]
            printed = values[METRICS.index(metric)]
            printed_error = errors[METRICS.index(metric)]
        row = {
            "pipeline": case.name,
            "stage": stage,
            "metric": metric,
            "ours": record["mean"],
            "std": record["std"],
            "interval": [record["ci_low"], record["ci_high"]],
            "changed": record["change_rate"],
            "printed": printed,
            "printed_error": printed_error if printed is not None else None,
            "differs": case.differs or None,
            "fault": FAULTS.get((case.name, stage)),
            "n_splits": record["n_splits"],
        }
        verdict, distance = f"not ablatable: {record['message']}", None
        if record["status"] == "ok":
            verdict, distance = verdict_of(row, swapped=(case.name, stage) in SWAPPED)
        rows.append(row | {"distance": distance, "verdict": verdict})
    return rows


def missing_row(name: str, stage: str, why: str) -> dict[str, Any]:
    """The row of a stage that is not rebuilt."""
    printed, errors = PRINTED[name, stage]
    return {
        "pipeline": name,
        "stage": stage,
        "metric": "spd",
        "printed": printed[0],
        "printed_error": errors[0],
        "verdict": "not rebuilt",
        "differs": why,
    }


def standard_error(std: float, n_splits: int) -> float:
    """Of a mean over splits of the table that is printed about, not of other data."""
    return float(std / np.sqrt(n_splits))


def verdict_of(row: Mapping[str, Any], *, swapped: bool = False) -> tuple[str, float | None]:
    """The verdict on a row of ours beside a printed number, as in `judged`.

    Parameters
    ----------
    row : mapping
        `ours, std, n_splits, interval, printed, printed_error, fault`.
    swapped : bool, default=False
        Whether the script takes the difference the other way round.

    Returns
    -------
    verdict : str
        What becomes of the printed number.
    distance : float or None
        Standard errors of the difference.
    """
    if row["printed"] is None:
        return "not printed", None
    low, high = row["interval"]
    value, printed = row["ours"], row["printed"]
    # an effect falls where ours has the other sign or none that other data would show
    falls = low <= 0 <= high or value * printed < 0
    return judged(
        value,
        standard_error(row["std"], row["n_splits"]),
        printed,
        row["printed_error"] or 0.0,
        swapped=swapped,
        falls=bool(row["fault"]) and falls,
    )


def judged(
    value: float,
    error: float,
    printed: float,
    printed_error: float,
    *,
    swapped: bool = False,
    falls: bool = False,
) -> tuple[str, float]:
    """Whether a printed number is reproduced, and how many standard errors it is away.

    Parameters
    ----------
    value, error : float
        Ours with its standard error.
    printed : float
        What is printed.
    printed_error : float
        Its standard error.
    swapped : bool, default=False
        Whether the script takes the difference the other way round.
    falls : bool, default=False
        Whether what is claimed falls where the number is not met.

    Returns
    -------
    verdict : str
        "reproduced"; "reproduced, sign turned", where the script has the difference the other
        way round; "undecided, its error", where the printed error leaves its sign open;
        "undecided, our error", where ours would let the other sign pass; "refuted"; "not
        reproduced", whatever had to be replaced.
    distance : float
        Standard errors of the difference, 0 where both are exactly the same.
    """
    size = float(np.hypot(error, printed_error))
    away, turned = (
        abs(value - target) / size if size > 0 else (0.0 if value == target else np.inf)
        for target in (printed, -printed)
    )
    if away > ERRORS and swapped and turned <= ERRORS:
        return "reproduced, sign turned", float(turned)
    if away > ERRORS:
        return ("refuted" if falls else "not reproduced"), float(away)
    if ERRORS * printed_error > FINE and ERRORS * printed_error >= abs(printed):
        return ITS_ERROR, float(away)
    if turned <= ERRORS and not swapped and ERRORS * size > FINE:
        return OUR_ERROR, float(away)
    return "reproduced", float(away)


def example_1_rows(ablator: StageFairnessAblator) -> list[dict[str, Any]]:
    """The fairness of the whole pipeline of the first motivating example."""
    found = ablator.global_fairness_
    rows = []
    for metric, printed in EXAMPLE_1.items():
        record = found[found["metric"] == metric].iloc[0]
        spread = {
            "ci_low": record["with_stage_low"],
            "ci_high": record["with_stage_high"],
            "n_splits": record["n_splits"],
        }
        value, std = record["with_stage"], record["with_stage_std"]
        row = {"pipeline": "example 1", "stage": "whole pipeline", "metric": metric}
        rows.append(_example(row, value, std, spread, printed))
    return rows


def example_2_rows(ablator: StageFairnessAblator) -> list[dict[str, Any]]:
    """The second motivating example with and without its transformers, and what these do."""
    levels, effects = (
        frame[frame["metric"] == "spd"].set_index("stage")
        for frame in (ablator.global_fairness_, ablator.stage_effects_)
    )
    rows = []
    for side, name, printed in (
        ("with", "whole pipeline", EXAMPLE_2_WITH),
        ("without", "without both", EXAMPLE_2_WITHOUT),
    ):
        row = levels.loc["union"]
        spread = {f"ci_{end}": row[f"{side}_stage_{end}"] for end in ("low", "high")}
        spread["n_splits"] = row["n_splits"]
        place = {"pipeline": "example 2", "stage": name, "metric": "spd"}
        rows.append(
            _example(place, row[f"{side}_stage"], row[f"{side}_stage_std"], spread, printed)
        )
    for stage, name, effect in (
        ("union", "both", EXAMPLE_2_WITH - EXAMPLE_2_WITHOUT),
        ("union__select", "SelectKBest", EXAMPLE_2_SELECT),
        ("union__pca", "PCA", None),
    ):
        row = effects.loc[stage]
        spread = dict(row[["ci_low", "ci_high", "n_splits"]])
        place = {"pipeline": "example 2", "stage": name, "metric": "effect on spd"}
        rows.append(_example(place, row["mean"], row["std"], spread, effect))
    return rows


def _example(
    row: dict[str, Any], value: Any, std: Any, spread: dict[str, Any], printed: float | None
) -> dict[str, Any]:
    is_effect = row["metric"].startswith("effect")
    full = {
        **row,
        "ours": value,
        "std": std,
        "interval": [spread["ci_low"], spread["ci_high"]],
        "printed": printed,
        # levels are of one split; an effect is claimed for the stage, whatever the split
        "printed_error": 0.0 if is_effect else std,
        "fault": ONE_SPLIT if is_effect else None,
        "n_splits": spread["n_splits"],
    }
    verdict, distance = verdict_of(full)
    return full | {"distance": distance, "verdict": verdict}


def required_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows that have a known outcome, in the order of `REQUIRED`."""
    found = {(row["pipeline"], row["stage"], row["metric"]): row for row in rows}
    return [
        {**found[key], "required": expected, "met": found[key]["verdict"] == expected}
        for key, expected in REQUIRED.items()
        if key in found
    ]


def verdict_counts(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """How often each verdict was reached, by metric."""
    frame = pd.DataFrame(rows)
    frame["verdict"] = frame["verdict"].str.split(":").str[0]
    return [
        {"metric": metric, **frame.loc[frame["metric"] == metric, "verdict"].value_counts()}
        for metric in METRICS
    ]


def significance(found: list[tuple[Case, StageFairnessAblator]]) -> list[dict[str, Any]]:
    """Effects that differ from zero, by three yardsticks; SPD, EOD and AOD, which fix ERD.

    Parameters
    ----------
    found : list of (Case, StageFairnessAblator)
        Pipelines and what was measured.

    Returns
    -------
    list of dict
        A row a data set, and one for all.
    """
    frame = pd.concat(
        [ablator.stage_effects_.assign(data=case.data.split(",")[0]) for case, ablator in found]
    )
    frame = frame[(frame["metric"] != "erd") & (frame["status"] == "ok")]
    plain = frame["std"] / np.sqrt(frame["n_splits"])
    hits = pd.DataFrame(
        {
            "data": frame["data"],
            "cells": 1,
            "plain": abs(frame["mean"]) > plain * t.ppf(1 - LEVEL / 2, frame["n_splits"] - 1),
            "corrected": frame["p_value"] < LEVEL,
            "adjusted": frame["significant"],
        }
    )
    table = hits.groupby("data", sort=False).sum()
    table.loc["all"] = table.sum()
    return [
        {"data": name, **{str(key): int(value) for key, value in row.items()}}
        for name, row in table.iterrows()
    ]


def identities(ablators: list[StageFairnessAblator]) -> dict[str, Any]:
    """How far the runs, and the printed numbers, are from what holds exactly."""
    effect, erd = 0.0, 0.0
    for ablator in ablators:
        found, levels = ablator.stage_effects_, ablator.global_fairness_
        ok = (found["status"] == "ok").to_numpy()
        change = (levels["with_stage"] - levels["without_stage"]).to_numpy()
        effect = max(effect, float(np.abs(found["mean"].to_numpy() - change)[ok].max(initial=0)))
        wide = found[ok].pivot_table(index="stage", columns="metric", values="mean")
        erd = max(erd, float(abs(wide["erd"] - 2 * (wide["aod"] - wide["eod"])).max()))
    off = [abs(v[3] - 2 * (v[2] - v[1])) for v, _ in PRINTED.values()]
    return {
        "runs": len(ablators),
        "effect_less_change": effect,
        "erd_off": erd,
        "printed": len(off),
        # three numbers rounded to three decimals
        "printed_hold": int(np.sum(np.array(off) <= 0.0026)),
    }
