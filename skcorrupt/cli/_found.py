"""What a search found, as text and as files."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pandas as pd

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.adversarial.display import found_in_words, reads_label, score_unit
from skcorrupt.utils._as_text import largest, share
from skcorrupt.utils._readable import listed_labels

from ._command_error import cannot_write
from ._folder import save_results
from ._output import (
    DAMAGE,
    DETECTION,
    interval_text,
    save_alternatives,
    save_picture,
    save_served,
    score_text,
    scores_table,
    table_text,
)
from ._serving import CHECKS_PAGE, TESTS, noticed_rows, served_rows

# rows of a table that are printed
MOST_COLUMNS = 20
KINDS, KINDS_PICTURE = "kinds.csv", "kinds.png"
# files that some searches leave and others do not
OF_SEARCHES = (
    *("worst_corruption.json", "budgets.csv", "alternatives.csv", "alternatives.png"),
    *(KINDS, KINDS_PICTURE, DAMAGE, DETECTION, CHECKS_PAGE, TESTS),
)
LABEL_READ = (
    "`y == …` is a condition on the true label: how likely a cell is hit depends on it, as where "
    "more is\nfilled in for some than for others. If that cannot happen in your data, forbid it: "
    "--label-condition\nforbidden, or SearchSpace(label='forbidden') in Python."
)


def findings(hunt: AdversarialCorruptionSearch) -> list[str]:
    """The lines that tell what a search found.

    Parameters
    ----------
    hunt : AdversarialCorruptionSearch
        A fitted search.

    Returns
    -------
    list of str
        Sentences and tables.
    """
    lines = ["", scores_table(hunt), "", found_in_words(hunt)]
    if reads_label(hunt):
        lines += ["", LABEL_READ]
    if hunt.apply_to == "test" and len(hunt.certificate_):
        rows = served_rows(hunt.certificate_)
        lines += ["", "By column", table_text(rows[: MOST_COLUMNS + 1])]
        rest = len(rows) - 1 - MOST_COLUMNS
        lines += [f"… and {rest} more rows; the page has them"] if rest > 0 else []
    if hunt.worst_corruption_ is not None:
        lines += [
            "",
            f"Pattern: {hunt.worst_pattern_}",
            f"As an object to {_use(hunt)}:",
            f"  {hunt.worst_corruption_!r}",
        ]
    if hasattr(hunt, "detection_"):
        lines += ["", "Who notices the worst error", table_text(noticed_rows(hunt.detection_))]
    if hasattr(hunt, "budget_curve_"):
        lines += ["", "Every budget", table_text(_budget_rows(hunt.budget_curve_), prose_last=True)]
    if not hunt.alternatives_["score"].isna().all():
        lines += [
            "",
            "By what patterns look at",
            table_text(_alternative_rows(hunt), prose_last=True),
        ]
    scored = f"{hunt.n_evaluations_:,} candidates scored."
    if hunt.proxy_ != "none":
        screened = int(hunt.certificate_["n_distinct"].sum())
        scored = (
            f"{screened:,} candidates screened on a {hunt.proxy_} proxy (rank correlation with the "
            f"pipeline {score_text(hunt.proxy_agreement_)}), {hunt.n_evaluations_:,} scored on the "
            "pipeline."
        )
    return [*lines, "", scored]


def _use(hunt: AdversarialCorruptionSearch) -> str:
    """What the worst error is good for."""
    return "strike batches with" if hunt.apply_to == "test" else "drop into a pipeline"


def _budget_rows(curve: pd.DataFrame) -> list[list[str]]:
    shown = {"worst_score": "worst", "random_score": "random", "confirmed_score": "confirmed"}
    shown = {name: label for name, label in shown.items() if name in curve}
    unit = largest(curve[list(shown)])
    drops = "confirmed_drop_low" in curve
    several = len({*curve["kind"]} - {""}) > 1
    rows = [
        ["budget", *shown.values(), *["confirmed drop"] * drops, *["kind"] * several, "pattern"]
    ]
    for row in curve.to_dict("records"):
        scores = [score_text(row[name], unit) for name in shown]
        if drops:
            ends = row["confirmed_drop_low"], row["confirmed_drop_high"]
            scores.append(interval_text(ends, unit))
        kind = [str(row["kind"])] * several
        rows.append([share(row["budget"]), *scores, *kind, str(row["pattern"])])
    return rows


def _alternative_rows(hunt: AdversarialCorruptionSearch) -> list[list[str]]:
    alternatives, metric = hunt.alternatives_, hunt.metric_name_
    kinds = ["kind"] * ("kind" in alternatives)
    rows = [[*kinds, "columns", "label", "own column", metric, "drop", "found", "pattern"]]
    scored = alternatives[alternatives["score"].notna()]
    unit = score_unit(hunt)
    for row in scored.sort_values("drop", ascending=False, kind="stable").to_dict("records"):
        used = ["yes" if row[name] else "no" for name in ("uses_label", "uses_own_column")]
        scores = [score_text(row["score"], unit), score_text(row["drop"], unit)]
        own = [row["kind"] for _ in kinds]
        cells = [str(row["n_conditions"]), *used, *scores, row["status"], str(row["pattern"])]
        rows.append([*own, *cells])
    return rows


def save_search(hunt: AdversarialCorruptionSearch, args: argparse.Namespace, out: Path) -> None:
    """Write the table of candidates, the winner, the page and the pictures.

    Parameters
    ----------
    hunt : AdversarialCorruptionSearch
        A fitted search.
    args : Namespace
        The arguments.
    out : Path
        A folder that is there.

    Raises
    ------
    CommandError
        If it cannot be written to.
    """
    table = pd.DataFrame(hunt.cv_results_).drop(columns="corruption")
    table["columns"] = table["columns"].map(listed_labels)
    table = table.sort_values("rank_test_score", kind="stable")
    texts = {
        "candidates.csv": table.to_csv(index=False, lineterminator="\n"),
    }
    if hasattr(hunt, "budget_curve_"):
        texts["budgets.csv"] = _as_csv(hunt.budget_curve_)
    if len(hunt.alternatives_):
        texts["alternatives.csv"] = _as_csv(hunt.alternatives_)
    if hunt.worst_corruption_ is not None:
        winner = json.dumps(hunt.worst_corruption_.to_dict(), indent=2, ensure_ascii=False)
        texts["worst_corruption.json"] = winner + "\n"
    try:
        # what an earlier search left there is not this one's
        for name in OF_SEARCHES:
            (out / name).unlink(missing_ok=True)
        for name, text in texts.items():
            (out / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise cannot_write("--out", out, error) from None
    print(f"Saved in {out}: {', '.join(texts)}")
    print(save_picture([hunt], [""], out / "search.png"))
    if hunt.alternatives_["score"].notna().sum() > 1:
        print(save_alternatives(hunt, out / "alternatives.png"))
    for said in save_served(hunt, out):
        print(said)
    save_results(hunt, out, args)


def _as_csv(table: pd.DataFrame) -> str:
    """A table of winners as text, but for the objects."""
    table = table.drop(columns="corruption")
    table["columns"] = table["columns"].map(listed_labels)
    return table.to_csv(index=False, lineterminator="\n")
