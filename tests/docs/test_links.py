"""Links between guides lead to files that are there, and to headings that are in them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"])


def prose(path):
    """The text of a page without blocks and spans of code."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.M)
    return re.sub(r"`[^`\n]*`", lambda span: re.sub(r"[\[\]]", "", span[0]), text)


def anchors(path):
    """Anchors of a page's headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.+)$", prose(path), flags=re.MULTILINE)
    # letters, digits, - and _ are kept, spaces become dashes
    return {re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-") for text in headings}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
        if re.match(r"https?:|mailto:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert not broken, f"{path.name} has links that lead nowhere: {broken}"


def test_every_guide_is_found_from_the_first_page():
    """By one link or two; the site lists all of them anyway."""
    reached = {"index.md"}
    for _ in range(2):
        for name in list(reached):
            text = prose(ROOT / "docs" / name)
            reached |= set(re.findall(r"\]\(([\w-]+\.md)[#)]", text))
    assert {path.name for path in (ROOT / "docs").glob("*.md")} <= reached
