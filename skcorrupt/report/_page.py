"""The page around what a system has to say."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Iterable
from importlib import metadata
from numbers import Integral
from typing import Any

from skcorrupt.utils._version import __version__

from ._code import repeat_code
from ._content import Content, Data
from ._html import Html, bullets, escape, join, paragraph, rich, tag
from ._pictures import rendered
from ._settings import settings_table, shown
from ._style import STYLE
from ._tables import facts

MOST_COLUMNS = 200
# nothing is loaded and nothing is run, whatever a name in the data may hold
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "imbalanced-learn", "matplotlib")


def page(content: Content, fitted: Any, title: str | None, now: datetime.datetime) -> str:
    """A whole HTML document.

    Parameters
    ----------
    content : Content
        What the system has to say.
    fitted : estimator or LearnedErrors
        The system.
    title : str or None
        The title, None for the system's own.
    now : datetime
        When the page is written.

    Returns
    -------
    str
        The document.
    """
    heading = content.heading if title is None else title
    stamp = now.strftime("%Y-%m-%d %H:%M UTC")
    sections = [
        ("question", "The question", [paragraph(content.question)]),
        ("answer", "The answer", list(map(paragraph, content.answer))),
        ("results", "Results", [_subsection(*each) for each in content.results]),
        ("pictures", "Pictures", _pictures(content)),
        ("limits", "What was not searched, and what this does not show", _limits(content)),
        ("settings", "Settings", [content.settings or settings_table(fitted)]),
        ("data", "Data", _data(content.data)),
        ("versions", "Versions, date and seeds", _versions(content, fitted, stamp)),
        ("repeat", "How to repeat it", _repeat(content, fitted)),
    ]
    body = [
        tag(
            "header",
            tag("h1", heading),
            paragraph(f"{type(fitted).__name__}, page written {stamp}.", class_="note"),
            _contents((name, label) for name, label, _ in sections),
        ),
        tag("main", *(_section(*section) for section in sections)),
    ]
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", heading),
        tag("style", Html(STYLE)),
    ]
    document = tag("html", tag("head", *head), "\n", tag("body", *body), lang="en")
    return f"<!DOCTYPE html>\n{document}\n"


def _contents(sections: Iterable[tuple[str, str]]) -> Html:
    links = [tag("li", tag("a", label, href=f"#{name}")) for name, label in sections]
    return tag("nav", tag("ul", *links), aria_label="Contents")


def _section(name: str, label: str, parts: Iterable[Html]) -> Html:
    return join(["\n", tag("section", tag("h2", label, id=name), *parts, aria_labelledby=name)])


def _subsection(label: str, parts: Iterable[Html]) -> Html:
    return join([tag("h3", rich(label)), *parts])


def _pictures(content: Content) -> list[Html]:
    shown_here = rendered(content.pictures) if content.pictures else []
    return shown_here + ([paragraph(content.no_pictures)] if content.no_pictures else [])


def _limits(content: Content) -> list[Html]:
    return [bullets(content.limits)]


def _data(data: Data) -> list[Html]:
    rows = "not kept by this system" if data.rows is None else f"{data.rows:,}"
    known = {f"Number of {data.row}": rows, f"Number of {data.column}": f"{len(data.columns):,}"}
    if data.container:
        known["Came as"] = data.container
    named = data.columns[:MOST_COLUMNS]
    parts = [facts(known, "The data that was given.")]
    if named:
        left = len(data.columns) - len(named)
        more = f", and {left:,} more that are left out here" if left else ""
        names = join((tag("code", name) for name in named), ", ")
        parts.append(tag("p", f"The {data.column}: ", names, more, "."))
    parts.append(
        paragraph(
            "No row of the data is on this page. Conditions, settings and names may quote values."
        )
    )
    return [*parts, *map(paragraph, data.notes)]


def _versions(content: Content, fitted: Any, stamp: str) -> list[Html]:
    versions = {"Python": platform.python_version()}
    versions["skcorrupt"] = __version__
    for name in _PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "not installed"
    given = getattr(fitted, "random_state", None)
    seeds = {"Page written": stamp}
    if content.settings is None:
        seeds["Seed that was set (random_state)"] = shown(given)
    if content.seed_note:
        drawn = content.seed_note
    elif content.seed is not None:
        drawn = str(content.seed)
    elif isinstance(given, Integral):
        drawn = shown(given)
    else:
        drawn = "not kept; no whole number was set, so that a run like this draws otherwise"
    seeds["Seed that all draws came from"] = drawn
    return [
        facts(seeds, "Date and seeds."),
        facts(versions, "Versions, where the page was written."),
    ]


def _repeat(content: Content, fitted: Any) -> list[Html]:
    code = content.code or repeat_code(fitted, content.repeat, content.seed)
    known = content.seed_note or content.seed is not None
    exact = known or isinstance(getattr(fitted, "random_state", None), Integral)
    said = (
        "With the same data, versions and objects this gives the same result again."
        if exact
        else "As no seed was kept, this gives a result like this one, not the same."
    )
    return [
        paragraph(f"{said} Settings that are not named are the defaults."),
        tag("pre", tag("code", escape(code))),
    ]
