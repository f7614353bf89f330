"""Numbers that the paper on natural adversarial curation prints, and what answers them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.stats import t

from benchmarks.replication._rows import (
    OWN,
    Row,
    Saved,
    closed,
    left_out,
    not_run,
    number,
    said,
)
from benchmarks.replication.curation._rho import ALL_RIGHT, rho_row
from benchmarks.replication.curation._snorkel import EPOCHS, MORE_EPOCHS

N_SETS = 10
GAMMA = 0.01
# of the intervals, and the copies of each function in the simulation of dependent ones
COVERED, COPIES = 0.95, 20
WAYS = (
    "confidence, all functions",
    "confidence, selected",
    "lower bound, all functions",
    "lower bound, selected",
)
LABELERS = {"majority": "Majority Vote", "generative": "Snorkel"}
LONGER = f"Snorkel, {MORE_EPOCHS} epochs"
# table 1 by case study and labeler: rho and its p in the four columns
TABLE_1 = {
    ("HR Low", "majority"): "-0.719 .019 -0.903 .000 -0.863 .001 -0.730 .017",
    ("HR Low", "generative"): "-0.313 .379 -0.730 .017 -0.827 .003 0.595 .070",
    ("HR High", "majority"): "0.818 .004 -0.976 .000 0.857 .002 -1.000 .000",
    ("HR High", "generative"): "0.964 .000 0.927 .000 0.988 .000 -0.806 .005",
    ("RR Low", "majority"): "-0.997 .000 -0.879 .001 -0.997 .000 -0.891 .001",
    ("RR Low", "generative"): "-0.997 .000 -0.394 .260 -0.997 .000 -0.806 .005",
    ("RR High", "majority"): "-1.000 .000 -0.988 .000 -1.000 .000 -0.952 .000",
    ("RR High", "generative"): "-1.000 .000 -0.952 .000 -1.000 .000 -0.455 .187",
    ("SpO2 Low", "majority"): "-0.309 .385 0.891 .001 -0.248 .489 0.188 .603",
    ("SpO2 Low", "generative"): "-0.988 .000 0.430 .214 -0.455 .187 -0.612 .060",
    ("Cross Modal", "majority"): "-1.000 .000 -1.000 .000 -0.879 .001 -0.782 .008",
    ("Cross Modal", "generative"): "-1.000 .000 -0.988 .000 -0.624 .054 -0.806 .005",
    ("Crowdsourcing", "majority"): "-0.864 .001 -0.988 .000 -0.864 .001 -0.976 .000",
    ("Crowdsourcing", "generative"): "-0.976 .000 -0.988 .000 -0.864 .001 -0.976 .000",
    ("Recsys", "majority"): "-1.000 .000 -1.000 .000 -0.321 .365 -0.321 .365",
    ("Recsys", "generative"): "-0.988 .000 -0.988 .000 -0.539 .108 -0.539 .108",
    ("Spam", "majority"): "-0.985 .000 -0.985 .000 -0.767 .010 -0.767 .010",
    ("Spam", "generative"): "-0.673 .033 -0.673 .033 -0.656 .039 -0.656 .039",
}
PUBLIC = {"Spam": "spam", "Cross Modal": "cross modal", "Crowdsourcing": "crowdsourcing"}
ALARMS = "recordings of a children's hospital, not public"
NOT_SNORKEL = "a generative model of our own in Snorkel's place"
BOOKS = "reviews and functions are public, and their votes not among the data here"


def rows(saved: Saved) -> list[Row]:
    """All rows of the paper, in its order, from saved results of benchmarks."""
    out = []
    for study, labeler in TABLE_1:
        out += _correlations(saved, study, labeler)
        out.append(_pvalues(study, labeler))
    return [*out, *_counts(saved), *_coverage(saved), *_sizes(saved)]


def printed_of(study: str, labeler: str) -> list[tuple[str, str]]:
    """Rho and p in the four columns of table 1, as printed."""
    words = TABLE_1[study, labeler].split()
    return list(zip(words[::2], words[1::2], strict=True))


def p_of(rho: float, n: int = N_SETS) -> float:
    """The paper's p-value of a rank correlation of n sets."""
    if abs(rho) >= 1:
        return 0.0
    return float(2 * t.sf(abs(rho) * np.sqrt((n - 2) / (1 - rho**2)), n - 2))


def _correlations(saved: Saved, study: str, labeler: str) -> list[Row]:
    where = "table 1"
    pairs = printed_of(study, labeler)
    name = f"{study}, {LABELERS[labeler]}"
    if study not in PUBLIC:
        what, rhos = f"{name}: rho, four orders", [rho for rho, _ in pairs]
        if study == "Recsys":
            return [left_out(where, what, rhos, BOOKS)]
        return [closed(where, what, rhos, ALARMS)]
    # Snorkel itself where it was run, and ours beside it
    own = LABELERS[labeler]
    first = own if saved.rows("curation", "table", data=PUBLIC[study], labeler=own) else labeler
    judge = _without_wrong_labels if study == "Crowdsourcing" else _by_way
    out = judge(saved, study, name, first, pairs)
    if first != labeler:
        ours = judge(saved, study, f"{study}, our generative model", labeler, pairs)
        out += [replace(row, again=True) for row in ours]
    return out


def _without_wrong_labels(
    saved: Saved, study: str, name: str, labeler: str, pairs: list[tuple[str, str]]
) -> list[Row]:
    """One row of all four orders, none of which can fall."""
    where, what, source = "table 1", f"{name}: rho, four orders", "curation: table"
    rhos = tuple(rho for rho, _ in pairs)
    data = PUBLIC[study]
    sure, less_sure = (
        saved.rows("curation", "table", data=each, labeler=labeler)
        for each in (data, f"{data}, less sure gold too")
    )
    if not sure:
        return [not_run(where, what, rhos, source)]
    ours = ", ".join("none" if row["rho"] is None else f"{row['rho']:.3f}" for row in sure)
    more = ", ".join(f"{row['rho']:.3f}" for row in less_sure if row["rho"] is not None)
    why = ALL_RIGHT
    if more:
        why += f"; with less certain gold labels too: {more}"
    return [Row(where, what, rhos, ours, None, "not reproduced", why, source)]


def _by_way(
    saved: Saved, study: str, name: str, labeler: str, pairs: list[tuple[str, str]]
) -> list[Row]:
    """A row for each of the four orders."""
    out = []
    for way, (rho, _) in zip(WAYS, pairs, strict=True):
        row = saved.one("curation", "table", data=PUBLIC[study], labeler=labeler, way=way)
        made = rho_row(f"{name}: rho, {way}", rho, row)
        if row is not None and labeler != "majority":
            why = f"{made.why}; {row.get('library', NOT_SNORKEL)}"
            longer = saved.one("curation", "table", data=PUBLIC[study], labeler=LONGER, way=way)
            if longer is not None and labeler != "generative":
                why += (
                    f", {EPOCHS} epochs; with {MORE_EPOCHS} {longer['mean']:.3f}; none are stated"
                )
            made = replace(made, why=why)
        out.append(made)
    return out


def _pvalues(study: str, labeler: str) -> Row:
    """Whether the printed p follow from the printed rho, which is all that p depends on."""
    pairs = printed_of(study, labeler)
    off = []
    for rho, p in pairs:
        size = abs(float(rho))
        # rho has been rounded, and p goes down where it goes up
        low, high = p_of(min(1.0, size + 5e-4)), p_of(max(0.0, size - 5e-4))
        if not low - 5e-4 <= float(p) <= high + 5e-4:
            off.append(f"{rho} gives {p_of(float(rho)):.3f}, printed {p}")
    text = ", ".join(f"{p_of(float(rho)):.3f}" for rho, _ in pairs)
    return Row(
        "table 1",
        f"{study}, {LABELERS[labeler]}: p, four orders",
        tuple(p for _, p in pairs),
        text,
        None,
        "refuted" if off else "reproduced",
        "; ".join(off) or "from the printed rho; nested sets make it too small",
        f"{OWN}table 1",
    )


def _counts(saved: Saved) -> list[Row]:
    """How many orders are valid, by the printed numbers and by ours."""
    valid = dict.fromkeys(WAYS, 0)
    rising = dict.fromkeys(WAYS, 0)
    for study, labeler in TABLE_1:
        for way, (rho, p) in zip(WAYS, printed_of(study, labeler), strict=True):
            valid[way] += float(rho) < 0 and float(p) <= GAMMA
            rising[way] += float(rho) > 0 and float(p) <= GAMMA
    own = WAYS[-1]
    source = f"{OWN}table 1"
    least = min(valid[way] for way in WAYS[:-1])
    out = [
        number("results", "own approach, valid orders of 18", "10", valid[own], source=source),
        number("results", "own approach, rising orders", "0", rising[own], source=source),
        said(
            "results",
            "the others have as many valid ones at least",
            "10",
            ", ".join(str(valid[way]) for way in WAYS[:-1]),
            "reproduced" if least >= valid[own] else "refuted",
            source=source,
        ),
        said(
            "results",
            "the others have rising ones too",
            "some",
            ", ".join(str(rising[way]) for way in WAYS[:-1]),
            "reproduced" if min(rising[way] for way in WAYS[:-1]) > 0 else "refuted",
            "one that is underlined in the table, 0.430, has p = .214",
            source=source,
        ),
    ]
    null = saved.one("curation", "null", sets=N_SETS, nested=True)
    out.append(
        number(
            "definition 3",
            "a random order counts as valid in, at most",
            "1 %",
            None if null is None else null["printed"],
            source="curation: null",
            reason="the sets are nested, so that the p-value is too small; that by permutation "
            "holds" + ("" if null is None else f" ({null['permuted']:.1%})".replace("%", " %")),
        )
    )
    return out


def _coverage(saved: Saved) -> list[Row]:
    """How often an interval holds, simulated, where s of n votes are a confidence or a count."""
    voted = _covered(saved, "majority vote", "replication-facts", "majority")
    # one printed number, judged both ways
    return [
        _covered(saved, "generative model", "curation", "coverage"),
        replace(voted, again=True),
    ]


def _covered(saved: Saved, labeler: str, benchmark: str, section: str) -> Row:
    what = f"95 % intervals hold the chance that a label is right, {labeler}"
    source = f"{benchmark}: {section}"
    ours, counted = (
        saved.rows(benchmark, section, successes=successes, copies=1)
        for successes in ("confidence", "agreement")
    )
    copied = saved.rows(benchmark, section, successes="confidence", copies=COPIES)
    if not (ours and counted and copied):
        return not_run("section 3", what, ("95 %",), source)
    why = (
        f"simulated, {len(ours)} settings of independent functions; with {COPIES} copies of each "
        f"{_range([row['covered'] for row in copied])}. Where votes that agree are counted in "
        f"place of confidence {_range([row['covered'] for row in counted])}; then the chance is "
        f"below the interval in {_range([row['below'] for row in counted])}"
    )
    holds = min(row["covered"] for row in ours) >= COVERED
    text = _range([row["covered"] for row in ours])
    verdict = "part of" if holds else "refuted"
    return said("section 3", what, "95 %", text, verdict, why, source=source)


def _range(shares: list[float]) -> str:
    low, high = (f"{100 * share:.1f} %" for share in (min(shares), max(shares)))
    return low if low == high else f"{low} to {high}"


def _sizes(saved: Saved) -> list[Row]:
    out = []
    alarms = {
        "HR Low": ("79", "62"),
        "HR High": ("1315", "62"),
        "RR Low": ("312", "62"),
        "RR High": ("574", "62"),
        "SpO2 Low": ("3265", "62"),
    }
    for study, values in alarms.items():
        out.append(closed("table 2", f"{study}: rows and functions", values, ALARMS))
    out.append(
        left_out("table 2", "Recsys: rows and functions", ("796956", "8339", "42191", "5"), BOOKS)
    )
    for study, what, printed, name, misprint in (
        ("Crossmodal", "training rows", "2630", "cross modal: training rows", ""),
        ("Crossmodal", "validation and test rows", "754", "cross modal: rows ordered", ""),
        ("Crossmodal", "functions", "18", "cross modal: functions", ""),
        ("Crowdsourcing", "rows in all", "287", "crowdsourcing: rows in all", ""),
        ("Crowdsourcing", "functions", "103", "crowdsourcing: functions", ""),
        ("Spam", "training rows", "1586", "spam: training rows", ""),
        ("Spam", "rows with labels", "250", "spam: rows ordered", "120 validation rows have them"),
        ("Spam", "functions", "9", "spam: functions", "the tutorial has ten"),
    ):
        value = saved.fact("shapes", name)
        row = number(
            "table 2",
            f"{study}: {what}",
            printed,
            value,
            source="replication-facts: shapes",
            misprint=misprint,
        )
        out.append(row)
    return out
