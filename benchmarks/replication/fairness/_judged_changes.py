"""Figure 4 of the fair preprocessing paper: what stages do to accuracy and F1, number by number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchmarks.replication._rows import OURS, OWN, Row, Sample, Saved, left_out, not_run, number
from benchmarks.replication.fairness._printed import EXCHANGED, FAULTS, NOT_REBUILT, RUNS, SWAPPED
from benchmarks.replication.fairness._scores import SCORES

FIGURE = "figure 4"
PREFIX = f"fairness, {FIGURE}, "
FILES = f"{OWN}its result files, replication-facts: files"
SECTION = "stage_scores"
SOURCE = f"replication-facts: {SECTION}"
UNKNOWN = "no fault of the script is known"
TURNED = "with and without change places in the script"


def change_rows(saved: Saved) -> list[Row]:
    """A row a stage and score, in the order of the study's file.

    Parameters
    ----------
    saved : Saved
        Results of benchmarks.

    Returns
    -------
    list of Row
        Judged by the interval of the mean over splits.
    """
    printed = {
        row["fact"].removeprefix(PREFIX): [f"{value:.3f}" for value in row["value"]]
        for row in saved.rows("replication-facts", "files")
        if row["fact"].startswith(PREFIX)
    }
    if not printed:
        # how many there are is in the file
        what = "changes of accuracy and F1 by stage"
        return [not_run(FIGURE, what, ("bars",), FILES)]
    out = []
    for name, values in printed.items():
        pipeline, _, stage = name.partition(" ")
        if (pipeline, stage) in NOT_REBUILT:
            why = NOT_REBUILT[pipeline, stage]
            out.append(left_out(FIGURE, f"{name}: accuracy, F1", values, why))
            continue
        match = {"pipeline": pipeline, "stage": stage}
        found = [
            saved.one("replication-facts", SECTION, **match, metric=metric) for metric in SCORES
        ]
        shown = _shown(values, found)
        for label, value, row in zip(SCORES.values(), values, found, strict=True):
            out.append(_change(f"{name}: {label}", value, row, shown))
    return out


def _shown(printed: list[str], rows: list[dict[str, Any] | None]) -> bool:
    """Whether a fault brings a score of its stage back, and none that it does not bring back."""
    back = {
        _judged("", value, row["with_fault"]).verdict
        for value, row in zip(printed, rows, strict=True)
        if row is not None and "with_fault" in row
    }
    return "reproduced" in back and "not reproduced" not in back


def _judged(what: str, printed: str, row: Mapping[str, Any], note: str = "") -> Row:
    sample = Sample(row["ours"], row["std"], row["n_splits"], f"{row['n_splits']} splits")
    # the figure has no errors; those of the same stages in figure 3 tell the runs
    return number(FIGURE, what, printed, sample, source=SOURCE, note=note, runs=RUNS)


def _change(what: str, printed: str, row: dict[str, Any] | None, shown: bool) -> Row:
    if row is None:
        return not_run(FIGURE, what, (printed,), SOURCE)
    if row.get("message"):
        why = f"not ablatable: {row['message']}"
        return Row(FIGURE, what, (printed,), None, None, "not computable here", why, SOURCE)
    note = "; ".join(filter(None, (row.get("library"), row.get("differs"))))
    made = _judged(what, printed, row, note)
    if _met(made):
        return made
    key = (row["pipeline"], row["stage"])
    # the mean meets it with the other sign alone; some changes of such stages are not turned
    if key in SWAPPED and _met(_judged(what, f"{-float(printed):.3f}", row)):
        why = f"the sign: {EXCHANGED if row['pipeline'] == 'AC1' else TURNED}"
        return replace(made, verdict="misprint", why=why)
    if made.verdict != "not reproduced":
        return made
    if "with_fault" in row:
        fault = f"{FAULTS[key]} (with that {row['with_fault']['ours']:.3f} here)"
        low, high = row["interval"]
        # as in figure 3: ours has the other sign or none that other data would show
        if shown and (low <= 0 <= high or row["ours"] * float(printed) < 0):
            why = "; ".join(filter(None, (f"comes back where {fault}", note)))
            return replace(made, verdict="refuted", why=why)
        return replace(made, why="; ".join(filter(None, (fault, note))))
    return made if note else replace(made, why=UNKNOWN)


def _met(row: Row) -> bool:
    """Whether the interval of the mean has the number, however wide it is."""
    return row.verdict == "reproduced" or row.why.startswith(OURS)
