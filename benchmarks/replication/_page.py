"""The page of the replication: headline claims, rules, counts, what falls; all rows as CSV."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from benchmarks import _results
from benchmarks._results import markdown_table
from benchmarks.replication._rows import OURS, VERDICTS
from benchmarks.replication.fairness._printed import ERRORS_PRINTED, N_FIT, RUNS

PAGE = _results.page_of("replication")
TITLES = {
    "savage": "Savage: stress-testing pipelines with adversarial data corruption",
    "esp": "ESP: the error sensitivity profile",
    "curation": "Curation: naturally adversarial data sets",
    "fairness": "Fairness: preprocessing stages of pipelines",
    "responsiveness": "Responsiveness: verification of models",
}
BEGINNING = """\
# Replication

What five papers claim first, and what becomes of it here. Below are the rules, the counts, and
what falls; all {rows} rows are in `{table}`, a table of their own.
"""
HOW = """\
## How it is made

    export SKCORRUPT_DATA=FOLDER
    python -m benchmarks replicate            # all, or one of
                                              # {papers}
    python -m benchmarks replicate --saved    # from saved results alone, in a second
    python -m benchmarks replicate --fresh    # everything anew, which takes hours

It runs the [benchmarks](../README.md) that have no saved results and judges every number by the
same rules. [Their page](../README.md) says what data it needs; a file whose sha256 is not the known
one is refused. Values of figures are there only where the figure could be read from its vector
file, or its numbers are published elsewhere. XGBoost, LightGBM, CatBoost, Snorkel and fairlearn are
in `requirements.txt`, for an environment of its own; without the first three histogram boosting
stands in, without Snorkel a generative model of our own.
"""
COLUMNS = {
    "where": "where",
    "what": "what",
    "shown": "printed",
    "ours": "ours",
    "spread": "interval or range of ours",
    "verdict": "verdict",
    "why": "reason, or what to know",
    "source": "from",
}
GLANCE = {"where": "where", "what": "what", "shown": "printed", "ours": "ours", "why": "reason"}
LEFT = {
    "reasons": {"paper": "paper", "numbers": "numbers", "where": "where", "why": "why"},
    "fewer": {
        "paper": "paper",
        "what": "what",
        "here": "here",
        "more": "more",
        "hours": "hours",
        "by": "how they are estimated, or what is missing",
    },
}
MOST_SHOWN = 8
# what a reader looks for by paper, in this order
FALLS = ("refuted", "misprint")


def page(content: dict[str, Any]) -> str:
    """The whole page.

    Parameters
    ----------
    content : dict
        As saved in replication.json.

    Returns
    -------
    str
        Markdown.
    """
    papers = {paper: TITLES[paper].partition(":")[0] for paper in content["sections"]}
    total = sum(len(rows) for rows in content["sections"].values())
    claims = [{**row, "paper": papers[row["paper"]]} for row in content["headlines"]]
    for row in claims:
        row["why"] = _signed(row["why"])
    first, later = ([row for row in claims if row["first"] is on] for on in (True, False))
    headings = {"paper": "paper", "claim": "claim", "verdict": "verdict", "why": "why"}
    parts = [
        BEGINNING.format(rows=total, table="results/replication.csv"),
        markdown_table(first, headings),
        "",
        "A claim has the worst verdict of its rows, a figure that which most of its numbers have.",
        "",
        "## Verdicts\n",
        *_wrapped(content["rules"]),
        "",
        "Figure 3 and the examples of the fairness paper have the verdicts of `stage-fairness`, at",
        "two standard errors, s/√k over k splits of the same table, of ours and the printed",
        "together; shares of the ESP paper are met within two points, of gains within five.",
        "",
        f"Figure 4 of the fairness paper has no errors. {N_FIT} of the {len(ERRORS_PRINTED)}",
        f"in figure 3 are deviations of three digits over √{RUNS}, which no other number of runs",
        f"makes as likely: a number of figure 4 is taken for a mean of {RUNS} runs, too.",
        "",
        "The script of figure 5 on COMPAS draws one of a hundred splits. Where the numbers of",
        "support vectors come back at one alone, other models are judged there, trees apart;",
        "support vectors are judged by the mean over all, as there they come back by selection.",
        "",
        "## Counts\n",
        "Printed numbers by verdict, a claim in words and what is in a picture only as one.",
        "*By own numbers* are those reproduced that only compare a paper with itself or its",
        "published files. A number that several rows judge is counted once, by the first of them.",
        _whose(content),
        "",
        markdown_table(
            content["summary"],
            {
                "paper": "paper",
                "printed": "printed numbers",
                "rows": "rows",
                "reproduced": "reproduced",
                "reproduced by own numbers": "of them by own numbers",
                **{verdict: verdict for verdict in VERDICTS[1:]},
            },
        ),
        "",
    ]
    parts += ["## More claims\n", markdown_table(later, headings), ""]
    parts += _left(content["left"], papers)
    for paper, rows in content["sections"].items():
        parts.append(f"## {TITLES[paper]}\n")
        for verdict in FALLS:
            those = [row for row in rows if row["verdict"] == verdict]
            if those:
                parts += [f"{verdict.capitalize()}:\n", _table(those), ""]
        if not any(row["verdict"] in FALLS for row in rows):
            parts += ["Nothing is refuted.", ""]
    parts += [HOW.format(papers=", ".join(TITLES))]
    parts += ["## Versions\n", _versions(content), ""]
    return "\n".join(parts)


def _left(left: dict[str, Any], papers: dict[str, str]) -> list[str]:
    """What is not run, and what is run less often than in a study."""
    why, few = ([{**row, "paper": papers[row["paper"]]} for row in left[key]] for key in LEFT)
    for row in few:
        row["hours"] = None if row["hours"] is None else f"{row['hours']:.1f}"
    return [
        "## Not done\n",
        "Printed numbers that are *not run here*, by the reason:\n",
        markdown_table(why, LEFT["reasons"]),
        "",
        "What is run less often than in the study, or too seldom to be told. Hours are fits times",
        "seconds of a fit, on one core; where there are none, they are not known, or time is not",
        "what is missing:\n",
        markdown_table(few, LEFT["fewer"]),
        "",
    ]


def _whose(content: dict[str, Any]) -> str:
    """Whose spread leaves numbers open."""
    rows = [row for rows in content["sections"].values() for row in rows]
    left = [row for row in rows if row["verdict"] == "undecided"]
    ours = sum(row["n_printed"] for row in left if row["why"].startswith(OURS))
    n = sum(row["n_printed"] for row in left)
    return f"Our own spread leaves {ours} of the {n} undecided numbers open."


def table(content: dict[str, Any]) -> str:
    """All rows as CSV.

    Parameters
    ----------
    content : dict
        As saved in replication.json.

    Returns
    -------
    str
        The file.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, ["paper", *COLUMNS.values()], lineterminator="\n")
    writer.writeheader()
    for paper, rows in content["sections"].items():
        for row in map(_shown, rows):
            named = {heading: row[key] for key, heading in COLUMNS.items()}
            writer.writerow({"paper": paper, **named})
    return text.getvalue()


def render_page(content: dict[str, Any]) -> None:
    """Write the page, and the table beside the results.

    Parameters
    ----------
    content : dict
        As saved in replication.json.
    """
    PAGE.write_text(page(content), encoding="utf-8")
    path = _results.results_in("replication") / "replication.csv"
    path.write_text(table(content), encoding="utf-8")


def _table(rows: list[dict[str, Any]]) -> str:
    return markdown_table([_shown(row) for row in rows], GLANCE)


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its printed numbers as one text, and true minus signs."""
    printed = row["printed"]
    text = ", ".join(printed[:MOST_SHOWN])
    if len(set(printed)) == 1:
        text = printed[0]
    elif len(printed) > MOST_SHOWN:
        text += f", … ({len(printed)} in all)"
    signed = {key: _signed(row[key]) for key in ("ours", "spread", "why")}
    return {**row, **signed, "source": row["source"] or None, "shown": _signed(text)}


def _signed(text: str | None) -> str | None:
    """A text with minus signs in the place of hyphens before numbers."""
    return re.sub(r"(?<!\w)-(?=[\d.])", "−", text) if text else None


def _versions(content: dict[str, Any]) -> str:
    """Dates and versions of what rows were taken from, and of this page."""
    rows = [*content["sources"], {"results": "this page", **content["environment"]}]
    names = [name for name in content["environment"] if name != "date"]
    columns = {name: name for name in ("results", "date", *names)}
    return markdown_table(rows, columns)


def _wrapped(rules: list[str], width: int = 100) -> list[str]:
    lines = []
    for rule in rules:
        line = "-"
        for word in rule.split():
            if len(line) + 1 + len(word) > width:
                lines.append(line)
                line = " "
            line += f" {word}"
        lines.append(line)
    return lines
