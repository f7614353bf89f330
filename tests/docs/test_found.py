"""The page of what was found has numbers of the benchmarks, and no others."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
ROWS = [
    line
    for line in (DOCS / "found.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and "README.md)" in line
]


@pytest.mark.parametrize("row", ROWS)
def test_its_numbers_are_those_of_the_page_named(row):
    *_, found, cost, page, _ = row.split("|")
    (link,) = re.findall(r"\((.*README\.md)\)", page)
    tables = [
        {cell.strip() for cell in line.split("|")}
        for line in (DOCS / link).resolve().read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
    ]
    known = set().union(*tables)
    numbers = re.findall(r"\d+\.\d+ – \d+\.\d+|\d+(?:\.\d+)?", f"{found} {cost}")
    assert numbers
    assert [number for number in numbers if number not in known] == []


def test_the_verdicts_on_printed_numbers_leave_none_out():
    (row,) = [row for row in ROWS if "printed numbers" in row]
    total, reproduced, own, *others = map(int, re.findall(r"\d+", row.split("|")[2]))
    assert own < reproduced and reproduced + sum(others) == total
