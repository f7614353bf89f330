"""The docs stay short enough to be read."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_WORDS = 45_000


def test_all_pages_together_are_read_in_an_afternoon():
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    prose = [
        re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S) for page in pages
    ]
    assert len(pages) > 20
    assert 0 < sum(len(text.split()) for text in prose) <= MOST_WORDS
