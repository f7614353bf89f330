"""Where links of guides, and of pages that stand beside results, lead on the site."""

from __future__ import annotations

import os
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Pages that are made of results and stand beside them, and where they go here.
MEASURED = {
    page.relative_to(HERE.parent).as_posix(): f"api/generated/measured-{page.parent.name}"
    for page in sorted((HERE.parent / "benchmarks").rglob("README.md"))
}
# Links to what is no page, or is elsewhere here: Sphinx has a search.html of its own.
LINKS = {
    "](search.md": "](api/generated/search-guide.markdown",
    "](../README.md)": "](gallery/plot_search_worst_labels.rst)",
    "](../CHANGELOG.md)": "](api/generated/changelog.md)",
    "](make_api.py)": "](api/generated/api.md)",
    "](examples/)": "](gallery/index.rst)",
}


def relinked(text: str, folder: str = "") -> str:
    """The text of a guide with links for the site, from a page in `folder`."""
    for link, page in LINKS.items():
        text = text.replace(link, page)
    for source, page in MEASURED.items():
        text = re.sub(rf"\]\(\.\./{re.escape(source)}(?=[)#])", f"]({page}.md", text)
    if folder:
        up = "../" * (folder.count("/") + 1)
        text = re.sub(r"\]\((?!https?:|#)", rf"]({up}", text)
    return text


def measured(source: str) -> str:
    """The text of a page that stands beside results, with links for the site."""
    folder = (HERE.parent / source).parent

    def moved(link: re.Match[str]) -> str:
        target = os.path.relpath((folder / link[1]).resolve(), HERE.parent)
        if target in MEASURED:
            return f"]({MEASURED[target].removeprefix('api/generated/')}.md{link[2] or ''})"
        guide = target.removeprefix("docs/")
        return relinked(f"]({guide}{link[2] or ''})", "api/generated")

    text = (HERE.parent / source).read_text(encoding="utf-8")
    return re.sub(r"\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)", moved, text)
