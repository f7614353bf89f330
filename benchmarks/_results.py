"""Results as JSON, and as Markdown tables in the documentation."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

HERE = Path(__file__).parent
# by name, from which the folder of results and its page follow, too
MODULES = {
    "adult": "replication.savage.adult",
    "published": "replication.savage.published",
    "optimizers": "search.optimizers",
    "candidates": "speed.candidates",
    "core-speed": "speed.core_speed",
    "large-tables": "speed.large_tables",
    "large-search": "speed.large_search",
    "large-served": "speed.served_in_parts",
    "responsiveness": "speed.responsiveness",
    "importance": "speed.importance",
    "transplant": "replication.responsiveness.transplant",
    "recidivism": "replication.responsiveness.recidivism",
    "twitterbot": "replication.responsiveness.twitterbot",
    "fico": "studies.fico",
    "orders": "studies.orders",
    "learned": "learned.learned",
    "stage-fairness": "replication.fairness.stage_fairness",
    "error-sensitivity": "replication.esp.error_sensitivity",
    "curation": "replication.curation.curation",
    "search": "search.search",
    "served": "search.served",
    "hardening": "robustness.hardening",
    "cleaning": "robustness.cleaning",
    "peers": "peers.peers",
    "fuzz": "security.fuzz",
}
OF_ALL_PAPERS = {
    "replication": "replication.replicate",
    "replication-facts": "replication._facts",
}
PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "scikit-optimize", "optuna")


class Results:
    """Sections of rows that are saved as soon as they are there.

    Parameters
    ----------
    name : str
        Name of the benchmark, and of its file.
    quick : bool
        Whether it is a short run; its file does not replace that of a full one.
    """

    def __init__(self, name: str, quick: bool):
        self.path = results_in(name) / f"{name}{'-quick' if quick else ''}.json"
        self.content: dict[str, Any] = {
            "benchmark": name,
            "quick": quick,
            "environment": environment(),
            "sections": {},
        }

    def add(self, section: str, row: dict[str, Any]) -> None:
        """Append a row to a section, print it and save all."""
        self.content["sections"].setdefault(section, []).append(row)
        shown = ", ".join(f"{key} {show(value)}" for key, value in row.items())
        print(f"[{section}] {shown}", flush=True)
        self.save()

    def rows(self, section: str) -> list[dict[str, Any]]:
        """Rows of a section so far."""
        return self.content["sections"].get(section, [])

    def save(self) -> None:
        """Write the file."""
        self.path.parent.mkdir(exist_ok=True)
        text = json.dumps(self.content, indent=1, default=_plain, ensure_ascii=False)
        self.path.write_text(text + "\n", encoding="utf-8")


def folder_of(name: str) -> Path:
    """The folder of a benchmark."""
    *folders, _ = (MODULES | OF_ALL_PAPERS)[name].split(".")
    return HERE.joinpath(*folders)


def results_in(name: str) -> Path:
    """The folder that a benchmark saves its results in."""
    return folder_of(name) / "results"


def page_of(name: str) -> Path:
    """The page that a benchmark's tables belong to."""
    return folder_of(name) / "README.md"


def module_of(name: str) -> ModuleType:
    """The module of a benchmark."""
    return import_module(f"{__package__}.{(MODULES | OF_ALL_PAPERS)[name]}")


def saved(name: str) -> dict[str, Any] | None:
    """The saved full results of a benchmark, None where there are none."""
    path = results_in(name) / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def environment() -> dict[str, str]:
    """What the numbers depend on beside the code."""
    packages = {}
    for name in PACKAGES:
        try:
            packages[name] = version(name)
        except ModuleNotFoundError:
            packages[name] = "not installed"
    return {
        "python": platform.python_version(),
        **packages,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "date": time.strftime("%Y-%m-%d"),
    }


def markdown_table(rows: Sequence[dict[str, Any]], columns: dict[str, str]) -> str:
    """A Markdown table.

    Parameters
    ----------
    rows : sequence of dict
        The rows.
    columns : dict of str to str
        Keys of the rows and their headings.

    Returns
    -------
    str
        The table.
    """
    lines = ["| " + " | ".join(columns.values()) + " |", "|" + " --- |" * len(columns)]
    for row in rows:
        lines.append("| " + " | ".join(show(row.get(key)) for key in columns) + " |")
    return "\n".join(lines)


def section_tables(content: dict[str, Any], columns: dict[str, dict[str, str]]) -> dict[str, str]:
    """A Markdown table for each section of saved results.

    Parameters
    ----------
    content : dict
        The saved file.
    columns : dict of str to dict
        Keys of the rows and their headings by section.

    Returns
    -------
    dict of str to str
        Tables by the names of benchmark and section; empty where a section was not run.
    """
    sections, name = content["sections"], content["benchmark"]
    return {
        f"{name}-{section}": markdown_table(sections.get(section, []), headings)
        for section, headings in columns.items()
    }


def show(value: Any) -> str:
    """A cell of a table."""
    if value is None:
        return "–"
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return _number(float(value))
    if isinstance(value, (list, tuple)):
        return " – ".join(show(v) for v in value)
    return str(value).replace("|", "\\|")


def _number(value: float) -> str:
    if not np.isfinite(value):
        return "–"
    if value != 0 and abs(value) < 5e-4:
        return f"{value:.0e}"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.0f}"


def render(tables: dict[str, str], page: Path) -> None:
    """Put tables between the marks of their names in a page.

    Parameters
    ----------
    tables : dict of str to str
        Markdown by name; a mark is `<!-- table: NAME -->` and ends at `<!-- end -->`.
    page : Path
        The page.

    Raises
    ------
    ValueError
        If the page has no mark for a table.
    """
    text = page.read_text(encoding="utf-8")
    for name, table in tables.items():
        before, _, after = parted(text, name, page)
        text = f"{before}\n{table}\n\n{after}"
    page.write_text(text, encoding="utf-8")


def parted(text: str, name: str, page: Path) -> tuple[str, str, str]:
    """A page before, between and after the marks of a table.

    Parameters
    ----------
    text : str
        The page.
    name : str
        Name of the table.
    page : Path
        Its file, for the message.

    Returns
    -------
    tuple of str
        The three parts; the marks belong to the first and the last.

    Raises
    ------
    ValueError
        If the page has no mark for the table.
    """
    mark, end = f"<!-- table: {name} -->\n", "<!-- end -->"
    if mark not in text:
        raise ValueError(f"{page} has no mark {mark.strip()!r}; add it.")
    before, after = text.split(mark, 1)
    table, rest = after.split(end, 1)
    return before + mark, table, end + rest


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    return str(value)
