"""Every example of the gallery runs as a script, without a warning, and draws a picture."""

import re
import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "docs" / "examples").glob("*.py"))


def test_there_are_examples_of_every_system():
    kinds = {path.stem.split("_")[1] for path in EXAMPLES}
    systems = {"search", "sensitivity", "fairness", "responsiveness", "curation"}
    assert kinds >= systems | {"corruptions", "objectives", "report"}
    assert len(EXAMPLES) >= 10


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
# what a script shows goes nowhere here
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:FigureCanvasAgg is non-interactive")
def test_an_example_runs_and_draws(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert plt.get_fignums(), f"{path.name} draws nothing"
    assert capsys.readouterr().out, f"{path.name} prints nothing"
    assert not list(tmp_path.iterdir()), f"{path.name} leaves files behind"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_begins_with_a_title(path):
    # without one the site is not built
    assert re.match(r'"""\n(.+)\n=+\n\n\w', path.read_text(encoding="utf-8"))
