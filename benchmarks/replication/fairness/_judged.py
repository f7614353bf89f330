"""Numbers that the paper on fair preprocessing prints, and what answers them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from benchmarks.replication._rows import (
    OURS,
    OWN,
    SHARE,
    Row,
    Sample,
    Saved,
    left_out,
    not_run,
    number,
    value_of,
)
from benchmarks.replication.fairness._judged_findings import finding_rows
from benchmarks.replication.fairness._printed import (
    EXCHANGED,
    METRICS,
    NOT_REBUILT,
    PRINTED,
)
from benchmarks.replication.fairness._verdicts import ITS_ERROR, OUR_ERROR, with_verdicts

STAGES, MORE = "stage-fairness: stages", "replication-facts: more_splits"
BOOSTERS = "replication-facts: boosters"
# table 1: accuracy and F1 of each pipeline
PERFORMANCE = {
    "GC": "0.64 0.76 0.74 0.81 0.73 0.83 0.73 0.82 0.74 0.83 0.73 0.83 0.66 0.77 0.72 0.81 0.67 "
    "0.77 0.6 0.81",
    "AC": "0.85 0.66 0.85 0.68 0.87 0.66 0.85 0.66 0.87 0.71 0.85 0.65 0.78 0.51 0.85 0.67 0.81 "
    "0.61 0.81 0.62",
    "BM": "0.9 0.56 0.91 0.61 0.9 0.48 0.89 0.33 0.88 0.23 0.91 0.58 0.91 0.6 0.9 0.56",
    "TT": "0.77 0.83 0.78 0.72 0.8 0.72 0.81 0.73 0.83 0.76 0.82 0.74 0.82 0.77 0.83 0.76",
    "CP": "0.97 0.97",
}


def rows(saved: Saved) -> list[Row]:
    """All rows of the paper, in its order, from saved results of benchmarks."""
    return [
        *_counts(saved),
        *_examples(saved),
        *_performance(saved),
        *_stages(saved),
        *finding_rows(saved),
    ]


def _counts(saved: Saved) -> list[Row]:
    source = "replication-facts: shapes"
    pipelines = len({name for name, _ in PRINTED})
    out = [
        number("section 4.1", "pipelines", "37", pipelines, source=f"{OWN}table 1"),
        number("section 5", "stages", "69", len(PRINTED), source=f"{OWN}figure 3"),
    ]
    few = saved.fact("shapes", "titanic: without counting the cabin")
    cabin = "" if few is None else f"nearly all lack the cabin; without it {100 * few:.2f} %"
    kept = saved.fact("shapes", "compas, screened in time: rows")
    filtered = f"{kept} with the paper's filter; which were left out is not stated"
    for where, what, printed, name, misprint in (
        ("section 4.1", "German: rows", "1000", "fairness, german: rows", ""),
        ("section 4.1", "German: features", "20", "fairness, german: columns", ""),
        (
            "section 4.1",
            "Adult: rows",
            "32,561",
            "fairness, adult, incomplete: rows",
            "",
        ),
        (
            "section 4.1",
            "Adult: features",
            "12",
            "fairness, adult, incomplete: columns",
            "the file has 14",
        ),
        ("section 4.1", "Bank: features", "20", "fairness, bank: columns", ""),
        ("section 4.1", "Titanic: rows", "891", "fairness, titanic: rows", ""),
        ("section 4.1", "COMPAS: rows", "6,889", "fairness, compas: rows", ""),
        ("finding 1", "Adult: rows with a gap", "7.4 %", "adult: rows with a missing value", ""),
        (
            "finding 1",
            "Titanic: rows with a gap",
            "20.2 %",
            "titanic: rows with a missing value",
            cabin,
        ),
        ("finding 3", "Titanic: surnames", "667", "titanic: surnames", ""),
    ):
        note = filtered if what == "COMPAS: rows" and kept is not None else ""
        if what == "Adult: rows":
            note = "that is the training file; here the test file is with it"
        value = saved.fact("shapes", name)
        out.append(number(where, what, printed, value, source=source, misprint=misprint, note=note))
    why = "public, and a tenth of them is among the data here"
    out.append(left_out("section 4.1", "Bank: rows", ("41,188",), why))
    return out


def _examples(saved: Saved) -> list[Row]:
    out = []
    source = "stage-fairness: examples"
    for where, pipeline, stage, metric, printed in (
        ("section 2.1", "example 1", "whole pipeline", "spd", ("-0.102",)),
        ("section 2.1", "example 1", "whole pipeline", "eod", ("-0.027",)),
        ("section 2.2", "example 2", "whole pipeline", "spd", ("0.005",)),
        ("section 2.2", "example 2", "without both", "spd", ("-0.117",)),
        ("section 2.2", "example 2", "both", "effect on spd", ("0.122 (the difference)",)),
        (
            "section 2.2",
            "example 2",
            "SelectKBest",
            "effect on spd",
            ("1.1 %", "3.6 %", "0.025 (the difference)"),
        ),
    ):
        what = f"{pipeline}, {stage}: {metric}"
        row = saved.one("stage-fairness", "examples", pipeline=pipeline, stage=stage, metric=metric)
        if row is None:
            out.append(not_run(where, what, printed, source))
            continue
        (row,) = with_verdicts([row])
        out.append(_measured(where, what, printed, row, source))
    return out


def _performance(saved: Saved) -> list[Row]:
    out = []
    source = "replication-facts: performance"
    for group, text in PERFORMANCE.items():
        values = text.split()
        for k in range(0, len(values), 2):
            name, pair = f"{group}{k // 2 + 1}", values[k : k + 2]
            if all(key in NOT_REBUILT for key in PRINTED if key[0] == name):
                why = "its only stage is how the split is drawn; it is not rebuilt"
                out.append(left_out("table 1", f"{name}: accuracy, F1", pair, why))
                continue
            made = []
            for what, printed in zip(("accuracy", "F1"), pair, strict=True):
                fact = f"{name}: {what}"
                row = _nearest(saved, fact)
                sample = None
                if row:
                    sample = Sample(row["value"], row["std"], row["n"], f"{row['n']} splits", SHARE)
                note = row.get("differs") or ""
                made.append(number("table 1", fact, printed, sample, source=source, note=note))
            made[1] = _possible(made[1], *pair)
            if name == "AC1":
                made = [_exchanged(saved, row) for row in made]
            out += made
    return out


def _nearest(saved: Saved, fact: str) -> dict[str, Any]:
    """The scores of a pipeline, of two that stand for it those of the one that differs least."""
    rows = saved.rows("replication-facts", "performance", fact=fact)
    return min(rows, key=lambda row: len(_differences(row)), default={})


def _differences(row: dict[str, Any]) -> list[str]:
    return list(filter(None, (row.get("differs") or "").split("; ")))


def _possible(row: Row, accuracy: str, f1: str) -> Row:
    """No F1 is above 2a / (1 + a) at an accuracy of a, wherever the errors are."""
    most = min(value_of(accuracy) + 0.005, 1.0)
    bound = 2 * most / (1 + most)
    if value_of(f1) - 0.005 <= bound:
        return row
    why = f"with an accuracy of {accuracy} no F1 is above {bound:.2f}"
    source = f"{OWN}table 1, {row.source}"
    return replace(row, verdict="refuted", why=why, source=source)


def _exchanged(saved: Saved, row: Row) -> Row:
    """AC1 beside the same pipeline with one-hot columns in the place of labels."""
    other = saved.sample(
        "performance", row.what.replace("AC1", "AC1, one-hot"), "{n} splits", SHARE
    )
    if other is None or row.verdict == "reproduced":
        return row
    again = number(row.where, row.what, row.printed[0], other, source=row.source)
    if again.verdict not in ("reproduced", "undecided"):
        return row
    why = f"{EXCHANGED}: with one-hot columns {again.ours}"
    return replace(row, verdict="misprint", why=why)


def _stages(saved: Saved) -> list[Row]:
    out = []
    faults = _faults(saved)
    for (pipeline, stage), (values, errors) in PRINTED.items():
        what = f"{pipeline} {stage}"
        # in the study's file of figure 3 there are stages that its picture does not show
        where = "result file" if pipeline == "CP1" else "figure 3"
        if (pipeline, stage) in NOT_REBUILT:
            printed = [
                f"{value:g} ± {error:g}" for value, error in zip(values, errors, strict=True)
            ]
            why = NOT_REBUILT[pipeline, stage]
            out.append(left_out(where, f"{what}: four metrics", printed, why))
            continue
        for metric, value, error in zip(METRICS, values, errors, strict=True):
            shown = (f"{value:g} ± {error:g}",)
            name = f"{what}: SF_{metric.upper()}"
            match = {"pipeline": pipeline, "stage": stage, "metric": metric}
            # the library itself before what stands in, and more splits before fewer
            found = [
                (saved.one(*source.split(": "), **match), source)
                for source in (BOOSTERS, MORE, STAGES)
            ]
            row, source = next(((row, source) for row, source in found if row), (None, STAGES))
            if row is None:
                out.append(not_run(where, name, shown, STAGES))
                continue
            (row,) = with_verdicts([row], list(faults.values()))
            if row.get("library"):
                row["differs"] = "; ".join(filter(None, (row["library"], row["differs"])))
            made = faults.get((pipeline, stage, metric))
            if made is not None:
                row["fault"] += f" (with that {made['with_fault']:.3f} here)"
            out.append(_measured(where, name, shown, row, source))
    return out


def _faults(saved: Saved) -> dict[tuple[str, str, str], dict[str, Any]]:
    """What faults of scripts make, by the library itself where it was run."""
    rows = saved.rows("stage-fairness", "faults")
    rows += saved.rows("replication-facts", "booster_faults")
    return {(row["pipeline"], row["stage"], row["metric"]): row for row in rows}


def _measured(
    where: str,
    what: str,
    printed: tuple[str, ...],
    row: dict[str, Any],
    source: str,
) -> Row:
    """A row of the study, whose verdict at two standard errors is taken over."""
    verdict, why = str(row["verdict"]), ""
    if verdict == "reproduced, sign turned":
        verdict, why = "misprint", "the sign: with and without change places in the script"
        if row["pipeline"] == "AC1":
            why = f"the sign: {EXCHANGED}"
    elif verdict == ITS_ERROR:
        verdict, why = "undecided", "the printed error leaves its sign open"
        if row["pipeline"].startswith("example"):
            low, high = Sample(row["ours"], row["std"], row["n_splits"], "").of_one()
            why = f"one split is printed, and single splits go from {low:.3f} to {high:.3f} here"
    elif verdict == OUR_ERROR:
        verdict = "undecided"
        why = f"{OURS}: after {row['n_splits']} splits the other sign would pass, too"
        why += f"; {row['differs']}" if row.get("differs") else ""
    elif verdict == "refuted":
        why = "; ".join(filter(None, (f"comes back where {row['fault']}", row.get("differs"))))
    elif verdict == "not reproduced":
        why = "; ".join(filter(None, (row.get("fault"), row.get("differs"))))
        why = why or "more than two standard errors away; no fault of the script is known"
    elif verdict.startswith("not ablatable"):
        verdict, why = "not computable here", verdict
    if row.get("ours") is None:
        return Row(where, what, printed, None, None, verdict, why, source)
    n = row["n_splits"]
    low, high = Sample(row["ours"], row["std"], n, "").interval()
    spread = f"{low:.3f} – {high:.3f}, mean of {n} splits"
    return Row(where, what, printed, f"{row['ours']:.3f}", spread, verdict, why, source)
