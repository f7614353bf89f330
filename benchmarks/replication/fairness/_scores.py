"""Figure 4: what the study's stages do to accuracy and F1, from the ablations of their fairness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.replication.fairness._case import Case
from skcorrupt import StageFairnessAblator

# as the ablator and as the figure name them, in its order
SCORES = {"accuracy": "accuracy", "f1": "F1"}
# a column that a script leaves out in the place of a stage is a stage of ours
IN_ITS_PLACE = {("BM4", "SS"): "SS (in truth: duration dropped)"}


def score_rows(
    case: Case,
    ablator: StageFairnessAblator,
    faulty: Mapping[str, Sequence[Sequence[float]]],
) -> list[dict[str, Any]]:
    """A row a stage and score.

    Parameters
    ----------
    case : Case
        The pipeline.
    ablator : StageFairnessAblator
        Fitted on it.
    faulty : mapping of str to sequence
        Changes of the scores, in the order of `SCORES`, that the fault of a script makes of a
        stage, a pair a split.

    Returns
    -------
    list of dict
        Mean of the change with the stage less without it, its standard deviation over splits,
        how many these are, and the interval that is corrected for their overlap; with the fault
        of a script, where there is one, the same of it as `with_fault`.
    """
    found = {
        (case.stages[record["stage"]], record["metric"]): record
        for record in ablator.performance_effects_.to_dict("records")
    }
    rows = []
    for (stage, metric), record in found.items():
        row = {"pipeline": case.name, "stage": stage, "metric": metric}
        row |= _measured(record)
        row["interval"] = [record["ci_low"], record["ci_high"]]
        row["differs"] = case.differs or None
        if record["status"] != "ok":
            row["message"] = record["message"]
        if stage in faulty:
            changes = np.asarray(faulty[stage])[:, list(SCORES).index(metric)]
            row["with_fault"] = {
                "ours": float(changes.mean()),
                "std": float(changes.std(ddof=1)),
                "n_splits": len(changes),
            }
        elif (case.name, stage) in IN_ITS_PLACE:
            row["with_fault"] = _measured(found[IN_ITS_PLACE[case.name, stage], metric])
        rows.append(row)
    return rows


def _measured(record: Mapping[Any, Any]) -> dict[str, Any]:
    return {"ours": record["mean"], "std": record["std"], "n_splits": record["n_splits"]}
