"""Settings of the site: sphinx-build -W -b html docs docs/_build/html"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
GENERATED = HERE / "api" / "generated"
sys.path[:0] = [str(HERE), str(HERE.parent)]
# Threads inside fits of a few milliseconds cost more than they gain.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import make_api
from site_links import MEASURED, measured, relinked

import skcorrupt

# The order of the pages. Those that are not named here come last.
PAGES = {
    "Tutorial": ["start", "gallery/index"],
    "How-to": [
        "command-line",
        "corruptions",
        "api/generated/search-guide",
        "serving",
        "robustness",
        "sensitivity",
        "fairness",
        "responsiveness",
        "curation",
        "objectives",
        "checks",
        "realism",
        "report",
        "long-runs",
        "large-tables",
        "integrations",
        "extending",
    ],
    "Explanation": [
        "found",
        "statistics",
        "limits",
        "tried",
        "security",
        *MEASURED.values(),
        "architecture",
        "contributing",
    ],
    "Reference": [
        "api/generated/reference",
        "api/generated/api",
        "glossary",
        "api/generated/changelog",
    ],
}
REFERENCE = """\
# Classes and functions

A page for each public name, from its docstring. All of them with their signatures stand on
[one page](api.md), too.
"""


def write(name: str, content: str) -> None:
    """Write a page that is not kept, and leave one that is the same alone."""
    GENERATED.mkdir(parents=True, exist_ok=True)
    page = GENERATED / name
    if not page.exists() or page.read_text(encoding="utf-8") != content:
        page.write_text(content, encoding="utf-8")


def write_reference() -> dict[str, list[str]]:
    """Write the page that lists every public name, and say which members each class shows."""
    modules = {path: importlib.import_module(path) for path in make_api.SECTIONS}
    listed = {
        getattr(modules[path], name)
        for path, (_, names) in make_api.SECTIONS.items()
        for name in names
    }
    shown: dict[str, list[str]] = {}
    parts = [REFERENCE]
    for path, (text, names) in make_api.SECTIONS.items():
        text = relinked(text, "api/generated")
        table = "\n".join(f"   {name}" for name in names)
        parts.append(
            f"## {path}\n\n{text}\n\n```{{eval-rst}}\n.. currentmodule:: {path}\n\n"
            f".. autosummary::\n   :toctree: .\n\n{table}\n```\n"
        )
        for name in names:
            thing = getattr(modules[path], name)
            if inspect.isclass(thing):
                lines = make_api.members(thing, listed)
                shown[f"{path}.{name}"] = [re.match(r"- `(\w+)", line)[1] for line in lines]
    write("reference.md", "\n".join(parts))
    return shown


def read_as_pages(app, docname, source):
    """Make pages of the site of guides that are written as plain Markdown."""
    if not docname.startswith(("api/", "gallery/")):
        source[0] = relinked(source[0])
    if docname == app.config.root_doc:
        named = {name for names in PAGES.values() for name in names}
        others = sorted({path.stem for path in HERE.glob("*.md")} - named - {docname, "search"})
        for caption, names in [*PAGES.items(), ("More", others)]:
            lines = "\n".join(names)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"


def join_lines(app, what, name, obj, options, lines):
    """Join a line that ends in a backslash with the next, before numpydoc takes them apart."""
    text = re.sub(r" *\\\\?\n *", " ", "\n".join(lines))
    lines[:] = text.split("\n")


def escape_names(app, what, name, obj, options, lines):
    """Escape what is a name or a bar in plain text, and would be markup here."""
    # a method refers to the references of its class
    alone = not any(line.lstrip().startswith(".. [") for line in lines)
    code = False
    for i, line in enumerate(lines):
        code = line.lstrip().startswith(">>>") or (code and bool(line.strip()))
        if not code:
            # what is set as code stays as it is
            parts = re.split(r"(`[^`]*`|\*\*\S+\*\*)", line)
            parts[::2] = [re.sub(r"_(?=,\))|\|", r"\\\g<0>", part) for part in parts[::2]]
            lines[i] = "".join(parts)
            if alone:
                lines[i] = re.sub(r"(\[\d+\])_", r"\1", lines[i])


def setup(app):
    """Called by Sphinx."""
    app.connect("source-read", read_as_pages)
    # numpydoc listens at 500
    app.connect("autodoc-process-docstring", join_lines, priority=400)
    app.connect("autodoc-process-docstring", escape_names, priority=600)


write("api.md", relinked(make_api.render(), "api/generated"))
write("changelog.md", (HERE.parent / "CHANGELOG.md").read_text(encoding="utf-8"))
for source, page in MEASURED.items():
    write(f"{page.removeprefix('api/generated/')}.md", measured(source))
# by another suffix, so that pytest does not run its examples a second time
guide = (HERE / "search.md").read_text(encoding="utf-8")
write("search-guide.markdown", relinked(guide, "api/generated"))

project = "skcorrupt"
author = "skcorrupt developers"
copyright = "skcorrupt developers"
version = release = skcorrupt.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_gallery.gen_gallery",
]
source_suffix = {".md": "markdown", ".markdown": "markdown", ".rst": "restructuredtext"}
templates_path = ["_templates"]
exclude_patterns = ["_build", "_templates", "examples", "images", "search.md"]
# What docstrings set in single backticks is code.
default_role = "literal"

# Guides link to headings, as in fairness.md#limits.
myst_heading_anchors = 4

autosummary_generate = True
autosummary_context = {"members_of": write_reference()}
numpydoc_show_class_members = False
# Docstrings say the types, and annotations would be unfolded into long unions.
autodoc_typehints = "none"

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "backreferences_dir": "gallery/uses",
    "doc_module": ("skcorrupt",),
    "abort_on_example_error": True,
    "download_all_examples": False,
    "remove_config_comments": True,
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = f"skcorrupt {version}"
html_show_sourcelink = False
html_theme_options = {
    "navbar_center": [],
    "navigation_with_keys": False,
}
# All pages at the side, under the captions of PAGES.
html_sidebars = {"**": ["globaltoc.html"]}
