"""Links between guides lead to files that are there, and to headings that are in them."""

import os
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "benchmarks").rglob("README.md"),
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
    ]
)


def prose(path):
    """The text of a page without blocks and spans of code."""
    return prose_of(path.read_text(encoding="utf-8"))


def prose_of(text):
    """The same of a text."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.M)
    return re.sub(r"`[^`\n]*`", lambda span: re.sub(r"[\[\]]", "", span[0]), text)


def anchors(text):
    """Anchors of a page's headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    # letters, digits, - and _ are kept, spaces become dashes
    return {re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-") for text in headings}


def broken_links(path, text):
    """Links of a page at a path that lead nowhere."""
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:|mailto:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve()
        known = anchors(prose(target) if target.suffix == ".md" else text) if anchor else {anchor}
        if not target.exists() or anchor not in known:
            broken.append(link)
    return broken


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    assert broken_links(path, prose(path)) == []


def test_links_of_the_reference_lead_somewhere():
    made = ROOT / "docs" / "make_api.py"
    text = prose_of(runpy.run_path(str(made))["render"]())
    assert "](corruptions.md#" in text
    assert broken_links(made, text) == []


def test_links_of_the_site_lead_to_its_pages():
    """What is moved on the way to the site: guides by name, and pages that stand beside results."""
    made = runpy.run_path(str(ROOT / "docs" / "site_links.py"))
    generated = {"api.md", "changelog.md", "reference.md", "search-guide.markdown"}
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"search.md"}
    pages |= {f"api/generated/{name}" for name in generated} | {"gallery/index.rst"}
    pages |= {f"images/{path.name}" for path in (ROOT / "docs" / "images").glob("*.png")}
    pages |= {f"{name}.md" for name in made["MEASURED"].values()}
    # what is no page of its own is copied, to be downloaded
    pages |= {path.name for path in (ROOT / "docs").glob("*.ipynb")}
    pages |= {f"gallery/{path.stem}.rst" for path in (ROOT / "docs" / "examples").glob("*.py")}
    texts = {
        path.name: made["relinked"](path.read_text(encoding="utf-8"))
        for path in (ROOT / "docs").glob("*.md")
    }
    texts |= {f"{page}.md": made["measured"](source) for source, page in made["MEASURED"].items()}
    links = [
        (page, (Path(page).parent / name).as_posix())
        for page, text in texts.items()
        for name in re.findall(r"\]\((?!https?:)([^)#\s]+)", prose_of(text))
    ]
    assert len(links) > 100
    assert [link for link in links if os.path.normpath(link[1]) not in pages] == []


def test_every_guide_is_found_from_the_first_page():
    """By one link or two; the site lists all of them anyway."""
    reached = {"index.md"}
    for _ in range(2):
        for name in list(reached):
            text = prose(ROOT / "docs" / name)
            reached |= set(re.findall(r"\]\(([\w-]+\.md)[#)]", text))
    assert {path.name for path in (ROOT / "docs").glob("*.md")} <= reached
