"""The page around what systems have to say."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Iterable, Sequence
from importlib import metadata
from numbers import Integral
from typing import Any

from skcorrupt.utils._version import __version__

from ._code import repeat_code
from ._content import Asked, Content, Data
from ._html import Html, bullets, escape, join, paragraph, rich, tag
from ._pictures import rendered
from ._script import DIGEST, SCRIPT
from ._settings import settings_table, shown
from ._style import STYLE
from ._tables import facts

MOST_COLUMNS = 200
WHOLE = "What could go wrong with this model"
# nothing is loaded, and nothing is run but the script that sorts tables, whatever a name may hold
_POLICY = f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '{DIGEST}'"
_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "imbalanced-learn", "matplotlib")

# name, label and content of a part of the page
_Part = tuple[str, str, list[Html]]


def page(
    studies: Sequence[tuple[Content, Any]],
    title: str | None,
    now: datetime.datetime,
    asked: Asked,
) -> str:
    """A whole HTML document.

    Parameters
    ----------
    studies : sequence of (Content, estimator or other result)
        What each system has to say, and the system.
    title : str or None
        The title, None for the system's own.
    now : datetime
        When the page is written.
    asked : Asked
        What was asked for, and the command that ran.

    Returns
    -------
    str
        The document.
    """
    stamp = now.strftime("%Y-%m-%d %H:%M UTC")
    one = len(studies) == 1
    heading = title or (studies[0][0].heading if one else WHOLE)
    versions = [_versions(stamp)]
    if one:
        (content, fitted), *_ = studies
        parts = _parts(content, fitted, asked)
        # before the code that repeats the run stands with what it was run
        parts.insert(
            -1, ("versions", "Versions, date and seeds", [*_seeds(content, fitted), *versions])
        )
    else:
        parts = [("glance", "At a glance", _overview(studies)), *_studies(studies, asked)]
        parts.append(("versions", "Versions and date", versions))
    names = ", ".join(dict.fromkeys(type(fitted).__name__ for _, fitted in studies))
    body = [
        tag(
            "header",
            tag("h1", heading),
            paragraph(f"{names}, page written {stamp}.", class_="note"),
            _contents((name, label) for name, label, _ in parts),
        ),
        tag("main", *(_section(*part) for part in parts)),
        tag("script", Html(SCRIPT)),
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


def _parts(content: Content, fitted: Any, asked: Asked, level: int = 2) -> list[_Part]:
    """What one system has to say, part by part, headings within parts below their level."""
    glance = facts(content.glance.parts(), "At a glance.", class_="glance")
    return [
        ("question", "The question", [paragraph(content.question)]),
        ("answer", "The answer", [glance, *map(paragraph, content.answer)]),
        ("results", "Results", [_subsection(level, *each) for each in content.results]),
        ("pictures", "Pictures", _pictures(content)),
        ("limits", "What was not searched, and what this does not show", _limits(content)),
        ("settings", "Settings", [content.settings or settings_table(fitted)]),
        ("data", "Data", [*_data(content.data), *_source(asked)]),
        ("repeat", "How to repeat it", _repeat(content, fitted, asked)),
    ]


def _overview(studies: Sequence[tuple[Content, Any]]) -> list[Html]:
    """All studies in a table, the worst harm first, with links to what each has to say."""
    head = ["Question", *studies[0][0].glance.parts()]
    rows = []
    for k in _worst_first(studies):
        content = studies[k][0]
        link = tag("a", content.heading, href=f"#study-{k + 1}")
        # on a phone a cell says what column it is of
        cells = [
            tag("td", rich(text), data_label=part) for part, text in content.glance.parts().items()
        ]
        rows.append(tag("tr", tag("th", link, scope="row"), *cells))
    inner = tag(
        "table",
        tag("caption", "What was found, the worst first."),
        tag("thead", tag("tr", *(tag("th", text, scope="col") for text in head))),
        tag("tbody", *rows),
    )
    return [
        tag(
            "div", inner, class_="wide overview", tabindex="0", role="region", aria_label="Findings"
        )
    ]


def _worst_first(studies: Sequence[tuple[Content, Any]]) -> list[int]:
    return sorted(range(len(studies)), key=lambda k: -studies[k][0].glance.harm)


def _studies(studies: Sequence[tuple[Content, Any]], asked: Asked) -> list[_Part]:
    """Each study as a part of a page of several."""
    parts = []
    for k in _worst_first(studies):
        content, fitted = studies[k]
        name = f"study-{k + 1}"
        inner = _parts(content, fitted, asked, level=3)
        inner.insert(-1, ("seeds", "Seeds", _seeds(content, fitted)))
        said = [_section(f"{name}-{part}", label, body, level=3) for part, label, body in inner]
        parts.append((name, content.heading, said))
    return parts


def _contents(sections: Iterable[tuple[str, str]]) -> Html:
    links = [tag("li", tag("a", label, href=f"#{name}")) for name, label in sections]
    return tag("nav", tag("ul", *links), aria_label="Contents")


def _section(name: str, label: str, parts: Iterable[Html], level: int = 2) -> Html:
    heading = tag(f"h{level}", label, id=name)
    return join(["\n", tag("section", heading, *parts, aria_labelledby=name)])


def _subsection(level: int, label: str, parts: Iterable[Html]) -> Html:
    return join([tag(f"h{level + 1}", rich(label)), *parts])


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


def _source(asked: Asked) -> list[Html]:
    return [paragraph(asked.source)] if asked.source else []


def _seeds(content: Content, fitted: Any) -> list[Html]:
    given = getattr(fitted, "random_state", None)
    seeds = {}
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
    return [facts(seeds, "Seeds.")]


def _versions(stamp: str) -> Html:
    versions = {"Page written": stamp, "Python": platform.python_version()}
    versions["skcorrupt"] = __version__
    for name in _PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "not installed"
    return facts(versions, "Versions, where the page was written.")


def _repeat(content: Content, fitted: Any, asked: Asked) -> list[Html]:
    code = content.code or repeat_code(fitted, content.repeat, content.seed)
    known = content.seed_note or content.seed is not None
    exact = known or isinstance(getattr(fitted, "random_state", None), Integral)
    if getattr(fitted, "interrupted_", False):
        said = (
            "This run was ended early. What it found depends on how far it came until then, so "
            "that the code goes on to the end, or as far as the time allows, and may find "
            "something else."
        )
    elif exact:
        said = "With the same data, versions and objects this gives the same result again."
    else:
        said = "As no seed was kept, this gives a result like this one, not the same."
    command = (
        [paragraph("The command that ran:"), tag("pre", tag("code", escape(asked.command)))]
        if asked.command
        else []
    )
    return [
        *command,
        paragraph(f"{said} Settings that are not named are the defaults."),
        tag("pre", tag("code", escape(code))),
    ]
