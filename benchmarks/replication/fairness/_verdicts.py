"""Printed numbers of the fairness study beside ours, each with a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
Row = dict[str, Any]
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
    ("example 2", "both", "effect on spd"): ITS_ERROR,
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
    rows: list[Row] = []
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
        if record["status"] != "ok":
            row["message"] = record["message"]
        rows.append(row)
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
        "differs": why,
    }


def standard_error(std: float, n_splits: int) -> float:
    """Of a mean over splits of the table that is printed about, not of other data."""
    return float(std / np.sqrt(n_splits))


def with_verdicts(rows: Sequence[Row], faults: Sequence[Row] = ()) -> list[Row]:
    """Rows with their verdicts and how many standard errors they are away.

    Parameters
    ----------
    rows : sequence of dict
        Of stages or examples, as they are saved.
    faults : sequence of dict, default=()
        What the faults of scripts make, as it is saved.

    Returns
    -------
    list of dict
        The rows with `verdict` and `distance`.
    """
    back = [(_stage(row), comes_back(row)) for row in faults]
    # a fault is shown by a metric of its stage, and by none that it does not bring back
    shown = {stage for stage, met in back if met} - {stage for stage, met in back if met is False}
    return [row | _judged(row, _stage(row) in shown) for row in rows]


def comes_back(row: Mapping[str, Any]) -> bool | None:
    """Whether a printed number is what a fault of its script makes, None where errors hide it."""
    error = standard_error(row["std"], row["n_splits"])
    verdict, _ = judged(row["with_fault"], error, row["printed"], row["printed_error"])
    return {"reproduced": True, "not reproduced": False}.get(verdict)


def _stage(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["pipeline"], row["stage"]


def _judged(row: Row, shown: bool) -> Row:
    """The verdict on one row, where it is shown or not that a fault makes the printed number."""
    verdict, distance = "not printed", None
    if row.get("ours") is None:
        verdict = "not rebuilt"
    elif row.get("message"):
        verdict = f"not ablatable: {row['message']}"
    elif row["printed"] is not None and row["pipeline"].startswith("example"):
        verdict, distance = of_one_split(row["ours"], row["std"], row["n_splits"], row["printed"])
    elif row["printed"] is not None:
        low, high = row["interval"]
        # an effect falls where ours has the other sign or none that other data would show
        falls = low <= 0 <= high or row["ours"] * row["printed"] < 0
        error = standard_error(row["std"], row["n_splits"])
        verdict, distance = judged(
            row["ours"],
            error,
            row["printed"],
            row["printed_error"] or 0.0,
            swapped=(row["pipeline"], row["stage"]) in SWAPPED,
            falls=shown and falls,
        )
    return {"verdict": verdict, "distance": distance}


def of_one_split(value: float, std: float, n_splits: int, printed: float) -> tuple[str, float]:
    """The verdict on a number that is printed of one split.

    Parameters
    ----------
    value, std : float
        The mean of ours over splits, and their standard deviation.
    n_splits : int
        How many splits.
    printed : float
        What is printed.

    Returns
    -------
    verdict : str
        "reproduced" where the mean meets it, "undecided, its error" where only single splits do.
    distance : float
        Standard errors of the mean.
    """
    away = abs(value - printed) / standard_error(std, n_splits)
    if away <= ERRORS:
        return "reproduced", float(away)
    single = abs(value - printed) <= ERRORS * std * np.sqrt(1 + 1 / n_splits)
    return (ITS_ERROR if single else "not reproduced"), float(away)


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
        Whether the script takes the difference the other way round, in all metrics of a stage.
    falls : bool, default=False
        Whether what is claimed falls where the number is not met.

    Returns
    -------
    verdict : str
        "reproduced"; "reproduced, sign turned", where the script has the difference the other
        way round and ours tells the signs apart; "undecided, its error", where the printed error
        leaves its sign open; "undecided, our error", where ours would let the other sign pass;
        "refuted"; "not reproduced", whatever had to be replaced.
    distance : float
        Standard errors of the difference, 0 where both are exactly the same.
    """
    size = float(np.hypot(error, printed_error))
    target = -printed if swapped else printed
    away, other = (
        abs(value - sign) / size if size > 0 else (0.0 if value == sign else np.inf)
        for sign in (target, -target)
    )
    if away > ERRORS:
        return ("refuted" if falls else "not reproduced"), float(away)
    if ERRORS * printed_error > FINE and ERRORS * printed_error >= abs(printed):
        return ITS_ERROR, float(away)
    if other <= ERRORS and ERRORS * size > FINE:
        return OUR_ERROR, float(away)
    turned = swapped and other > ERRORS
    return ("reproduced, sign turned" if turned else "reproduced"), float(away)


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
    return {
        **row,
        "ours": value,
        "std": std,
        "interval": [spread["ci_low"], spread["ci_high"]],
        "printed": printed,
        "n_splits": spread["n_splits"],
    }


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
