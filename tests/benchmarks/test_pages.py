"""Pages hold what rendering would write from the saved results, and nothing is written here."""

import re

import pytest

from benchmarks import _results
from benchmarks.__main__ import main, saved_tables
from benchmarks._results import MODULES, page_of, parted
from benchmarks.replication import _page


@pytest.mark.parametrize("name", MODULES)
def test_tables_are_those_of_the_saved_results(name):
    tables, page = saved_tables(name), page_of(name)
    assert tables, f"results/{name}.json is missing"
    text = page.read_text(encoding="utf-8")
    stale = [
        key for key, table in tables.items() if parted(text, key, page)[1].strip() != table.strip()
    ]
    assert not stale, f"{page}: run `python -m benchmarks render`"


def test_every_mark_has_a_table_that_has_numbers():
    by_page = {}
    for name in MODULES:
        by_page.setdefault(page_of(name), []).extend(saved_tables(name))
    for page, known in by_page.items():
        text = page.read_text(encoding="utf-8")
        marks = re.findall(r"^<!-- table: ([\w-]+) -->$", text, flags=re.MULTILINE)
        assert sorted(marks) == sorted(known), page
        blocks = [parted(text, mark, page)[1] for mark in marks]
        assert all(re.search(r"\|\s*\d", block) for block in blocks), page


def test_the_page_of_the_replication_is_that_of_the_saved_rows():
    page = _page.PAGE.read_text(encoding="utf-8")
    same = page == _page.page(_results.saved("replication"))
    assert same, f"{_page.PAGE}: run `python -m benchmarks replicate --saved`"


def test_every_saved_result_is_in_the_folder_of_its_benchmark():
    known = {*MODULES, *_results.OF_ALL_PAPERS}
    files = {path for path in _results.HERE.rglob("*.json") if "-quick" not in path.name}
    assert files == {_results.results_in(name) / f"{name}.json" for name in known}


def test_a_table_that_is_not_rendered_is_found(tmp_path):
    page = tmp_path / "page.md"
    text = "before\n<!-- table: one -->\n\n| old |\n\n<!-- end -->\nafter\n"
    before, table, after = parted(text, "one", page)
    assert table.strip() == "| old |"
    assert before + table + after == text


def test_the_help_lists_every_benchmark(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in (*MODULES, "replicate", "render"))


@pytest.mark.parametrize("quick", [False, True])
def test_all_ends_with_the_replication_but_for_a_short_run(quick, monkeypatch):
    ran = []

    class Module:
        def __init__(self, name):
            self.name = name

        def run(self, *args, **kwargs):
            ran.append(self.name)

    monkeypatch.setattr("benchmarks.__main__.module_of", Module)
    assert main(["all", *["--quick"] * quick]) == 0
    assert ran == [*MODULES, *["replication"] * (not quick)]
