"""The page of the replication: how it is judged, counts, a table a paper."""

from __future__ import annotations

import re
from typing import Any

from benchmarks import _results
from benchmarks._results import markdown_table
from benchmarks.replication._rows import VERDICTS

PAGE = _results.page_of("replication")
TITLES = {
    "savage": "Savage: stress-testing pipelines with adversarial data corruption",
    "esp": "ESP: the error sensitivity profile",
    "curation": "Curation: naturally adversarial data sets",
    "fairness": "Fairness: preprocessing stages of pipelines",
    "responsiveness": "Responsiveness: verification of models",
}
INTRODUCTION = """\
# Replication

The numbers that five papers print, beside ours. One command makes this page and
`results/replication.json`:

    export SKCORRUPT_DATA=FOLDER
    python -m benchmarks replicate            # all, or one of
                                              # {papers}
    python -m benchmarks replicate --saved    # from saved results alone, in a second
    python -m benchmarks replicate --fresh    # everything anew, which takes hours

It runs the [benchmarks](../README.md) that have no saved results and judges every number by the
same rules. [Their page](../README.md) says what data it needs; a file whose sha256 is not the known
one is refused. Where several printed numbers cannot be computed for one reason they share a row;
the column *printed numbers* counts them one by one.
"""
COLUMNS = {
    "where": "where",
    "what": "what",
    "shown": "printed",
    "ours": "ours",
    "spread": "spread of ours",
    "verdict": "verdict",
    "why": "reason, or what to know",
    "source": "from",
}
GLANCE = {"paper": "paper", "where": "where", "what": "what", "shown": "printed", "ours": "ours"}
GLANCE["why"] = "reason"
MOST_SHOWN = 8


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
    parts = [INTRODUCTION.format(papers=", ".join(TITLES))]
    parts += ["## Verdicts\n", *_wrapped(content["rules"]), ""]
    parts += [
        "Figure 3 and the examples of the fairness paper have the verdicts of the benchmark",
        "`stage-fairness`, at two standard errors of ours and the printed together; table 3 of the",
        "ESP paper has those of `error-sensitivity`: the share of significant profiles within two",
        "points, the share of gains within five. A search for what harms a model most aims at a",
        "lower score. Values of figures are there only where the figure could be read from its",
        "vector file, or its numbers are published elsewhere.",
        "",
        "## Counts\n",
        "Rows by verdict; *by own numbers* are those reproduced that only compare a paper with",
        "itself, such as shares with the counts they are made of, or a number of columns with a",
        "table that is coded here as printed. A number that has several rows is counted once.\n",
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
    refuted = [
        {"paper": TITLES[paper].partition(":")[0], **row}
        for paper, rows in content["sections"].items()
        for row in rows
        if row["verdict"] == "refuted"
    ]
    parts += [
        "## Refuted, at a glance\n",
        "From a statistic that is invalid to a digit that was cut off and not rounded: the reason",
        "says which.\n",
        _table(refuted, GLANCE),
        "",
    ]
    for paper, rows in content["sections"].items():
        parts += [f"## {TITLES[paper]}\n", _table(rows), ""]
    parts += ["## Versions\n", _versions(content), ""]
    return "\n".join(parts)


def render_page(content: dict[str, Any]) -> None:
    """Write the page.

    Parameters
    ----------
    content : dict
        As saved in replication.json.
    """
    PAGE.write_text(page(content), encoding="utf-8")


def _table(rows: list[dict[str, Any]], columns: dict[str, str] = COLUMNS) -> str:
    shown = []
    for row in rows:
        printed = row["printed"]
        text = ", ".join(printed[:MOST_SHOWN])
        if len(set(printed)) == 1:
            text = printed[0]
        elif len(printed) > MOST_SHOWN:
            text += f", … ({len(printed)} in all)"
        signed = {key: _signed(row[key]) for key in ("ours", "spread")}
        empty = {key: row[key] or None for key in ("why", "source")}
        shown.append({**row, **signed, **empty, "shown": _signed(text)})
    return markdown_table(shown, columns)


def _signed(text: str | None) -> str | None:
    """A text with minus signs in the place of hyphens before numbers."""
    return None if text is None else re.sub(r"(?<!\w)-(?=[\d.])", "−", text)


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
