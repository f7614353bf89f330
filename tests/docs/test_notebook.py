"""The notebook runs from top to bottom."""

import json
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs" / "first-look.ipynb"


def code_cells():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    # IPython's own commands are nothing that Python can run
    return ["\n".join(x for x in each.splitlines() if x[:1] != "%") for each in sources]


@pytest.mark.slow
@pytest.mark.usefixtures("few_fits")
def test_it_runs(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.mkdtemp", lambda: str(tmp_path))
    namespace = {}
    for source in code_cells():
        exec(source, namespace)
    out = capsys.readouterr().out
    assert "clean: accuracy 0.9" in out and "on rows not searched" in out
    assert namespace["search"].worst_pattern_.uses_y
    low, high = namespace["search"].confirmed_interval_
    assert low < high
    assert {path.name for path in tmp_path.iterdir()} == {"report.html", "result.json"}


def test_nothing_of_a_run_is_kept_in_it():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert all(not cell.get("outputs") for cell in cells)
