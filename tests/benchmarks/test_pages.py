"""Pages hold what rendering would write from the saved results, and nothing is written here."""

import json

import pytest

from benchmarks import _replicate_page, _results
from benchmarks.__main__ import MODULES, main, saved_tables
from benchmarks._results import parted


@pytest.mark.parametrize("name", MODULES)
def test_tables_are_those_of_the_saved_results(name):
    tables, page = saved_tables(name)
    assert tables, f"results/{name}.json is missing"
    page = page or _results.PAGE
    text = page.read_text(encoding="utf-8")
    stale = [
        key for key, table in tables.items() if parted(text, key, page)[1].strip() != table.strip()
    ]
    assert not stale, f"docs/{page.name}: run `python -m benchmarks render`"


def test_every_mark_has_a_table():
    known = {key for name in MODULES for key in saved_tables(name)[0]}
    for page in (_results.PAGE, _results.HERE.parent / "docs" / "performance.md"):
        lines = page.read_text(encoding="utf-8").splitlines()
        marks = [line.removeprefix("<!-- table: ").removesuffix(" -->") for line in lines]
        marks = [mark for mark, line in zip(marks, lines, strict=True) if "<!-- table: " in line]
        assert marks and set(marks) <= known
        assert len(set(marks)) == len(marks)


def test_the_page_of_the_replication_is_that_of_the_saved_rows():
    path = _results.RESULTS / "replication.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    page = _replicate_page.PAGE.read_text(encoding="utf-8")
    same = page == _replicate_page.page(content)
    assert same, "docs/replication.md: run `python -m benchmarks replicate --saved`"


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

    monkeypatch.setattr("benchmarks.__main__._module", Module)
    assert main(["all", *["--quick"] * quick]) == 0
    assert ran == [*MODULES, *["replicate"] * (not quick)]
