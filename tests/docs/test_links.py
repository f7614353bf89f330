"""Links between guides lead to files that are there, and to headings that are in them."""

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


def test_every_guide_is_found_from_the_first_page():
    """By one link or two; the site lists all of them anyway."""
    reached = {"index.md"}
    for _ in range(2):
        for name in list(reached):
            text = prose(ROOT / "docs" / name)
            reached |= set(re.findall(r"\]\(([\w-]+\.md)[#)]", text))
    assert {path.name for path in (ROOT / "docs").glob("*.md")} <= reached
