"""Saved results and the tables made of them."""

import json

import pytest

from benchmarks import _results
from benchmarks._results import Results, markdown_table, render, show


def test_rows_are_saved_as_they_come(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(_results, "results_in", lambda name: tmp_path)
    results = Results("adult", quick=True)
    results.add("clean", {"auc": 0.8539})
    saved = json.loads((tmp_path / "adult-quick.json").read_text())
    assert saved["sections"] == {"clean": [{"auc": 0.8539}]}
    assert "auc 0.854" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.12345, "0.123"),
        (123.4, "123"),
        (1e-13, "1e-13"),
        (None, "–"),
        (float("nan"), "–"),
        ([0.5, 1.0], "0.500 – 1.000"),
        (True, "yes"),
        ("a | b", "a \\| b"),
    ],
)
def test_cells_are_readable(value, text):
    assert show(value) == text


def test_tables_go_between_their_marks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- table: one -->\nold\n<!-- end -->\nafter\n")
    table = markdown_table([{"a": 1, "b": 2.0}], {"a": "A", "b": "B"})
    render({"one": table}, page)
    render({"one": table}, page)
    assert page.read_text() == (
        "before\n<!-- table: one -->\n\n| A | B |\n| --- | --- |\n| 1 | 2.000 |\n\n"
        "<!-- end -->\nafter\n"
    )


def test_a_missing_mark_is_an_error(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing\n")
    with pytest.raises(ValueError, match="no mark"):
        render({"one": "| A |"}, page)
