"""Findings of the fair preprocessing paper in words, figures 4 to 7 and table 3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.replication._rows import (
    OWN,
    Row,
    Sample,
    Saved,
    left_out,
    not_run,
    number,
    said,
    tolerance,
)
from benchmarks.replication.fairness._judged_changes import FILES, change_rows
from benchmarks.replication.fairness._printed import METRICS
from benchmarks.replication.fairness._verdicts import with_verdicts

STAGES = "stage-fairness: stages"
TRANSFORMERS = "replication-facts: transformers"
# local effects of seven scalers after undersampling, two models, four metrics
TABLE_3 = {
    "XGB": "0.001 0.021 -0.016 -0.073 -0.006 0.031 -0.029 -0.12 -0.036 0.005 -0.059 -0.128 0.051 "
    "0.082 0.025 -0.113 -0.014 -0.056 0.012 0.135 0.011 0.062 -0.02 -0.165 -0.029 0.011 -0.055 "
    "-0.132",
    "KNC": "0.035 0.025 0.055 0.059 0.095 0.12 0.096 -0.05 0.079 0.114 0.075 -0.078 0.052 0.074 "
    "0.056 -0.036 0.045 0.010 0.077 0.134 0.077 0.104 0.078 -0.052 0.035 0.032 0.050 0.036",
}
SCALERS = ("SS", "MM", "MA", "RO", "NO", "QT", "PT")
UNSTATED = "its version is not stated, and the defaults here are those before 1.0"
DATA = {"german": "German", "compas": "COMPAS", "adult": "Adult", "bank": "Bank"}
LEFT_OUT = {
    **dict.fromkeys(("german", "compas", "adult"), "a library is not installed, or it is not run"),
    "bank": "of the bank there is a tenth",
}
# whose draws are not those of the split
DRAWN = ("SMOTE", "Combined")
WHY_UNKNOWN = "why is not known"
TIES = "many rows are equally near, and which of them count is another in each version"
STOPS = "where it stops is another in each version"
NOTHING_DRAWN = {
    ("german", "KNC"): TIES,
    ("compas", "KNC"): TIES,
    ("compas", "LRG"): STOPS,
    ("adult", "LRG"): STOPS,
}
# the model that tells the splits of COMPAS, and that whose trees are drawn
TELLS_SPLIT, DRAWS_TREES = "SVC", "DCT"
# a number with three digits, and a difference of such numbers
HALF, ROUNDED = 5e-4, 0.0011
# of sums of floats
EQUAL = 1e-9
SMALL_DATA, LARGE_DATA = ("GC", "TT"), ("AC", "BM")


def finding_rows(saved: Saved) -> list[Row]:
    """Rows of the findings and of what stands behind them.

    Parameters
    ----------
    saved : Saved
        Results of benchmarks.

    Returns
    -------
    list of Row
        In the order of the paper.
    """
    return [
        said(
            "section 3.3.2",
            "range of all four metrics",
            "[-2, 2]",
            "[-4, 4] for SF_ERD",
            "refuted",
            "SF_ERD = 2 (SF_AOD − SF_EOD): changes of two rates are added up, in two groups",
            source=f"{OWN}equations 3 to 6",
        ),
        *_of_stages(saved),
        *_tradeoff(saved),
        *_figure_5(saved),
        *_of_transformers(saved),
        *_composition(saved),
        *_table_3(saved),
    ]


def _of_stages(saved: Saved) -> list[Row]:
    """Findings 2, 4 and 5, by the stages that are rebuilt."""
    found = [row for row in saved.rows("stage-fairness", "stages") if row.get("ours") is not None]
    found = with_verdicts(found, saved.rows("stage-fairness", "faults"))
    asked = (
        ("finding 2", "new or transformed features can have a large effect", "in words"),
        ("finding 4", "effects vary more on small data", "in words"),
        ("finding 4", "SF_ERD varies most", "in words"),
        ("finding 5", "COMPAS: largest effect of a stage, less than", ".005"),
    )
    made = [row for row in found if "Custom(f)" in row["stage"] and row["metric"] == "spd"]
    if not made or {row["metric"] for row in found} != set(METRICS):
        return [not_run(where, what, (printed,), STAGES) for where, what, printed in asked]
    large = max(made, key=lambda row: abs(row["ours"]))
    fell = [row["pipeline"] for row in made if row["verdict"] in ("refuted", "not reproduced")]
    few, many = (
        float(np.mean([r["std"] for r in found if r["metric"] == "spd" and r["pipeline"][:2] in g]))
        for g in (SMALL_DATA, LARGE_DATA)
    )
    of_metric = {m: float(np.mean([r["std"] for r in found if r["metric"] == m])) for m in METRICS}
    most = max(of_metric, key=lambda metric: of_metric[metric])
    compas = [row for row in found if row["pipeline"] == "CP1"]
    size, least = max(((abs(r["ours"]), _least(r)) for r in compas), default=(np.inf, np.inf))
    texts = (
        (
            f"{large['pipeline']}: {large['ours']:.3f} (SPD)",
            "reproduced" if large["interval"][0] * large["interval"][1] > 0 else "not reproduced",
            f"single stages it names are otherwise here: {', '.join(fell)}" if fell else "",
        ),
        (
            f"sd of SF_SPD {few:.3f} (German, Titanic), {many:.3f} (Adult, Bank)",
            "reproduced" if few > many else "refuted",
            "of Bank a tenth of the rows",
        ),
        (
            ", ".join(f"{value:.3f} ({name.upper()})" for name, value in of_metric.items()),
            "reproduced" if most == "erd" else "refuted",
            "mean sd over splits",
        ),
        (
            f"{size:.4f}",
            "reproduced" if least < 0.005 + tolerance(".005") else "not reproduced",
            f"the interval of the mean begins at {least:.4f}",
        ),
    )
    return [
        said(*place, text, verdict, why, source=STAGES)
        for place, (text, verdict, why) in zip(asked, texts, strict=True)
    ]


def _least(row: dict[str, Any]) -> float:
    """The end of the interval of a mean that is nearer to 0."""
    low, high = Sample(row["ours"], row["std"], row["n_splits"], "").interval()
    return 0.0 if low <= 0 <= high else min(abs(low), abs(high))


def _file(saved: Saved, name: str) -> Any:
    return saved.fact("files", f"fairness, {name}")


def _tradeoff(saved: Saved) -> list[Row]:
    """Figure 4, and section 5.3 by the numbers behind it."""
    out = change_rows(saved)
    for what, printed, name in (
        ("stages whose change of accuracy and F1 is small", "19", "both changes small"),
        ("stages in figure 4", "63", "stages"),
    ):
        value = _file(saved, f"figure 4: {name}")
        out.append(number("section 5.3", what, printed, value, source=FILES))
    value = _file(saved, "figure 4: one change a gain")
    what = "stages that improve accuracy or F1 by more than .005"
    misprint = "by the same range as the 19"
    out.append(number("section 5.3", what, "17", value, source=FILES, misprint=misprint))
    gain, all_ = (_file(saved, f"figure 4: most biased{end}") for end in (" that gain", ""))
    what = "the five most biased stages improve performance"
    if gain is None:
        out.append(not_run("section 5.3", what, ("5",), FILES))
    else:
        given = "reproduced" if gain == all_ else "refuted"
        out.append(said("section 5.3", what, "5", f"{gain} of {all_}", given, source=FILES))
    return out


def _figure_5(saved: Saved) -> list[Row]:
    """A row a transformer, model and metric on the data whose scripts can be run."""
    rows = saved.rows("replication-facts", "transformers")
    rows = [row for row in rows if "model" in row]
    if not rows:
        return [not_run("figure 5", "all bars", ("bars",), TRANSFORMERS)]
    splits = _splits_of_compas(rows)
    out = [made for row in rows for made in _cell(row, splits)]
    for data, why in LEFT_OUT.items():
        # a file without the cells has none that are left
        done = sum(row["data"] == data for row in rows)
        n = len(METRICS) * ((_file(saved, f"figure 5: cells, {data}") or done) - done)
        if n:
            out.append(left_out("figure 5", f"{DATA[data]}: four metrics", n, why))
    return out


def _splits_of_compas(rows: list[dict[str, Any]]) -> dict[str, tuple[int, str]]:
    """The split, of those that the script draws from, behind each stage in which nothing else is.

    It is the one at which the four numbers of support vectors come back, which depend on nothing
    else that is not stated, where there is one alone. In words, with how often those of a split
    beyond the hundred would come back at one of them: each split's are looked for at the others.
    """
    told = {}
    for row in rows:
        if (row["data"], row["model"]) != ("compas", TELLS_SPLIT) or row["stage"] in DRAWN:
            continue
        script = np.asarray(row["script"])
        (met,) = np.nonzero(np.abs(script - row["printed"]).max(axis=1) <= HALF + EQUAL)
        if len(met) != 1:
            continue
        apart = np.abs(script[:, None] - np.round(script, 3)).max(axis=2)
        np.fill_diagonal(apart, np.inf)
        chance = float(np.mean(apart.min(axis=0) <= HALF + EQUAL))
        words = f"at the split of seed {met[0]}, the only one at which the numbers of "
        words += f"{TELLS_SPLIT} come back; those of a split beyond the hundred would at one of "
        words += f"them in {chance:.0%} of cases"
        told[row["stage"]] = int(met[0]), words
    return told


def _cell(row: dict[str, Any], splits: dict[str, tuple[int, str]]) -> list[Row]:
    """The four metrics of a transformer before a model; what a sampler draws is one run there."""
    out = []
    data, model, stage = row["data"], row["model"], row["stage"]
    values = np.atleast_2d(row["script"])
    split, at = None, ""
    # numbers that tell the split would come back there by selection
    if data == "compas" and model not in (TELLS_SPLIT, DRAWS_TREES):
        split, at = splits.get(stage, (None, ""))
    if split is not None:
        values = values[[split]]
    refitted = split is None and not np.allclose(values.mean(axis=0), row["once"], atol=HALF)
    over = "{n} splits" if data == "compas" else "{n} seeds"
    known = "" if len(values) > 1 else NOTHING_DRAWN.get((data, model), "")
    if row.get("library"):
        known = f"{row['library']}, {UNSTATED if model == 'XGB' else 'its version is not stated'}"
    for k, metric in enumerate(METRICS):
        mean = float(values[:, k].mean())
        ours = Sample.of(list(values[:, k]), over) if len(values) > 1 else mean
        again = f"with its scaler fitted to the test rows again; once {row['once'][k]:.3f}"
        again = again if refitted else ""
        what = f"{DATA[data]}, {model}, {stage}: SF_{metric.upper()}"
        printed = f"{row['printed'][k]:.3f}"
        note = _joined(again, known)
        made = number("figure 5", what, printed, ours, source=TRANSFORMERS, note=note)
        if made.verdict == "reproduced":
            made = replace(made, why=again)
        elif made.verdict == "not reproduced":
            made = replace(made, why=_joined(again, known or WHY_UNKNOWN))
        out.append(replace(made, why=_joined(at, made.why)))
    return out


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _met(printed: Sequence[str], ours: Sequence[float]) -> bool:
    return all(
        abs(float(p) - value) <= HALF + EQUAL for p, value in zip(printed, ours, strict=True)
    )


def _of_transformers(saved: Saved) -> list[Row]:
    """Findings 6 to 8, by the numbers behind figure 5."""
    sizes = {
        name: _file(saved, f"figure 5, {name}")
        for name in (
            *("Sampling", "Scaling", "Non-linear transfromer", "PCA", "Feature Selection"),
            *("SelectFpr", "SelectBest", "SelectPercentile"),
            *("german", "adult", "bank", "compas"),
        )
    }
    asked = (
        ("finding 6", "sampling has the largest effects of all kinds of transformers"),
        ("finding 6", "COMPAS has the least effects of the four data sets"),
        ("finding 7", "selecting features often increases unfairness, SelectFpr less"),
        ("finding 8", "scalers and non-linear transformers are fair in most pipelines"),
    )
    if None in sizes.values():
        return [not_run(where, what, ("in words",), FILES) for where, what in asked]
    kinds = {name: sizes[name] for name in ("Sampling", "Scaling", "PCA", "Feature Selection")}
    kinds["non-linear"] = sizes["Non-linear transfromer"]
    data = {name: sizes[name] for name in ("german", "adult", "bank", "compas")}
    chosen = {name: sizes[name] for name in ("SelectFpr", "SelectBest", "SelectPercentile")}
    largest = _file(saved, "figure 5: largest by data")
    first = sum(kind == "Sampling" for kind in largest.values())
    below, cells = (_file(saved, f"figure 5: fair cells{end}") for end in (" below the median", ""))
    above, selections = (
        _file(saved, f"figure 5: selection cells{end}") for end in (" above the median", "")
    )
    least = min(chosen, key=lambda name: chosen[name]) == "SelectFpr"
    texts = (
        (
            _sizes(kinds),
            "reproduced" if max(kinds, key=lambda kind: kinds[kind]) == "Sampling" else "refuted",
            f"mean size of the four effects; the largest in {first} of {len(data)} data sets",
        ),
        (
            _sizes(data),
            "reproduced" if min(data, key=lambda name: data[name]) == "compas" else "refuted",
            "mean size of the four effects",
        ),
        (
            _sizes(chosen),
            "reproduced" if least and 2 * above > selections else "refuted",
            f"SelectFpr less: {'yes' if least else 'no'}; {above} of {selections} cells of the "
            "others above the median of all; from what size on an effect is unfair is not stated",
        ),
        (
            f"{below} of {cells} cells below the median of all",
            "reproduced" if 2 * below > cells else "refuted",
            "from what size on an effect is unfair is not stated",
        ),
    )
    return [
        said(where, what, "in words", text, verdict, why, source=FILES)
        for (where, what), (text, verdict, why) in zip(asked, texts, strict=True)
    ]


def _sizes(values: dict[str, float]) -> str:
    return ", ".join(f"{value:.3f} ({name})" for name, value in values.items())


def _composition(saved: Saved) -> list[Row]:
    """Section 7.1: what holds exactly, and what the files have."""
    held = saved.one("stage-fairness", "identities")
    where, source = "section 7.1", "stage-fairness: identities"
    local = "local fairness of a stage composes to the global fairness"
    other = "AC9, AC10: local and global go different ways"
    if held is None:
        return [not_run(where, what, ("in words",), source) for what in (local, other)]
    same, stages, others = (
        _file(saved, f"figure 6: {name}")
        for name in ("the same in SPD, EOD and AOD", "stages", "the others")
    )
    equal = held["effect_less_change"] < EQUAL
    filed = "" if same is None else f"; in its files for {same} of {stages} stages"
    named = "" if others is None else f"; its own files differ for {' and '.join(others)} alone"
    return [
        said(
            where,
            local,
            "in words",
            f"the same number to {held['effect_less_change']:.0e}",
            "reproduced" if equal else "refuted",
            f"an identity on the same test people, not an observation{filed}",
            source=source,
        ),
        said(
            where,
            other,
            "in words",
            f"apart by at most {held['effect_less_change']:.0e} in {held['runs']} runs",
            "refuted" if equal else "undecided",
            f"the two were predicted for different people{named}",
            source=source,
        ),
    ]


def _table_3(saved: Saved) -> list[Row]:
    """Local effects of scalers after under-sampling, and how figure 7 comes of them."""
    out = []
    found: dict[str, dict[str, Any]] = {model: {} for model in TABLE_3}
    for row in saved.rows("replication-facts", "transformers"):
        if "after" in row:
            found[row["after"]][row["stage"]] = row
    for model in ("KNC", "XGB"):
        printed = _by_scaler(model)
        for stage in SCALERS:
            what = f"{model}, {stage} after under-sampling"
            row = found[model].get(stage)
            if row is None:
                out.append(_without(model, what, printed[stage]))
                continue
            why = "as in the script, beside the pipeline without either stage"
            why += f"; {row['library']}, {UNSTATED}" if row.get("library") else ""
            for metric, value, ours in zip(METRICS, printed[stage], row["script"], strict=True):
                name = f"{what}: SF_{metric.upper()}"
                out.append(number("table 3", name, value, ours, source=TRANSFORMERS, note=why))
    nearest, printed = found["KNC"], _by_scaler("KNC")
    return [*out, _both_left_out(nearest, printed), _carries(saved, printed)]


def _without(model: str, what: str, printed: tuple[str, ...]) -> Row:
    if model == "XGB":
        why = "XGBoost is not installed; `benchmarks/replication/requirements.txt` has it"
        return left_out("table 3", f"{what}: four metrics", printed, why)
    return not_run("table 3", f"{what}: four metrics", printed, TRANSFORMERS)


def _by_scaler(model: str) -> dict[str, tuple[str, ...]]:
    words = TABLE_3[model].split()
    # zeros at the end are not printed
    words = [f"{float(word):.3f}" for word in words]
    return {stage: tuple(words[4 * k : 4 * k + 4]) for k, stage in enumerate(SCALERS)}


def _both_left_out(found: dict[str, Any], printed: dict[str, tuple[str, ...]]) -> Row:
    where, what = "section 7.2", "table 3: these are effects of the scaler alone"
    if not found:
        return not_run(where, what, ("in words",), TRANSFORMERS)
    met = [stage for stage in SCALERS if _met(printed[stage], found[stage]["script"])]
    alone = [f"{found[stage]['alone'][0]:.3f} ({stage})" for stage in met]
    theirs = [f"{printed[stage][0]} ({stage})" for stage in met]
    return said(
        where,
        what,
        "in words",
        f"SF_SPD of the scaler {', '.join(alone)}",
        "refuted" if met else "not reproduced",
        f"the printed {', '.join(theirs)} come back where under-sampling is left out with it",
        source=TRANSFORMERS,
    )


def _carries(saved: Saved, printed: dict[str, tuple[str, ...]]) -> Row:
    """Whether an effect of table 3 is the difference of two levels of figure 7."""
    where, what = "section 7.2", "the effects of table 3 carry figure 7 from left to right (KNC)"
    levels = _file(saved, "figure 7, KNC")
    if levels is None:
        return not_run(where, what, ("in words",), FILES)
    hold = off = 0
    for stage in SCALERS:
        for k in range(3):
            change = levels[stage][k] - levels["USAMP"][k]
            near = abs(change - float(printed[stage][k])) <= ROUNDED
            hold, off = hold + near, off + (not near)
    best = min(SCALERS, key=lambda stage: sum(abs(value) for value in levels[stage]))
    return said(
        where,
        what,
        "in words",
        f"{hold} of {hold + off} numbers",
        "reproduced" if not off else "refuted",
        "table 3 and figure 7 are compared with different pipelines; that a scaler was chosen by "
        f"its level stays, {best} is nearest to 0 in figure 7",
        source=FILES,
    )
