"""Errors learned from two files, by the command."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt.cli import main
from skcorrupt.learned import LearnedErrors, learn_errors


@pytest.fixture
def clean(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"id": np.arange(300), "age": rng.integers(18, 80, 300)})
    table["income"] = rng.normal(40, 9, 300).round(2)
    table["paid"] = np.where(rng.uniform(size=300) < 0.5, "yes", "no")
    table.to_csv("clean.csv", index=False)
    dirty = table.astype({"income": object})
    dirty.loc[table["age"] <= 30, "income"] = "N/A"
    dirty.sample(frac=1, random_state=0).to_csv("dirty.csv", index=False)
    return table


def told(capsys):
    captured = capsys.readouterr()
    assert captured.err.startswith("skcorrupt: error: ") and captured.err.count("\n") == 1
    return captured.err


@pytest.mark.long
def test_what_is_learned_is_told_and_written(clean, tmp_path, capsys):
    argv = ["learn", "dirty.csv", "clean.csv", "--key", "id", "--label", "paid"]
    assert main([*argv, "--json", "errors.json", "--csv", "kinds.csv", "--html", "page.html"]) == 0
    out = capsys.readouterr().out
    struck = int((clean["age"] <= 30).sum())
    assert f"dirty.csv: 300 rows, matched by key; {struck} errors" in out
    assert "income: default value (value N/A) in" in out and "100.0 % where age <= 30" in out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Page: page.html" in out and f"there are {struck} wrong cells in 1 column." in page
    learned = LearnedErrors.from_json("errors.json")
    assert learned.report["pattern"].map(str).tolist() == ["age <= 30"]
    assert learned.y_seen
    folder = tmp_path / "skcorrupt-learn-dirty"
    assert {each.name for each in folder.iterdir()} == {
        "errors.csv", "errors.png", "report.html", "result.json", "run.json", "summary.txt"
    }  # fmt: skip
    assert (folder / "errors.csv").read_text() == (tmp_path / "kinds.csv").read_text()
    assert main(["report", "skcorrupt-learn-dirty"]) == 0
    assert str(learned) in capsys.readouterr().out
    kinds = pd.read_csv("kinds.csv", keep_default_na=False)
    assert (kinds["kind"].tolist(), kinds["n_cells"].tolist()) == (["sentinel"], [struck])


def test_rules_in_place_of_the_corrected_file(clean, capsys):
    argv = ["--rule", "age >= 30", "--rule", "key(id)", "--no-save"]
    assert main(["learn", "clean.csv", *argv]) == 0
    out = capsys.readouterr().out
    assert str(learn_errors(clean, rules=["age >= 30"])) in out
    # of what breaks a rule it is not known what is right
    assert "? → " in out
    assert "empty → " not in out


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (["dirty.csv"], "pass the corrected file after the dirty one, or rules with --rule"),
        (["dirty.csv", "clean.csv", "--rule", "age >= 0"], "or rules with --rule"),
        (["clean.csv", "clean.csv"], "dirty and clean do not differ"),
        (["dirty.csv", "clean.csv", "--key", "no"], "dirty.csv: --key 'no' is not a column"),
        (["dirty.csv", "clean.csv", "--key", "age"], "--key 'age' does not tell the rows of clean"),
        (["dirty.csv", "clean.csv", "--json", "nowhere/errors.json"], "nowhere"),
        (["dirty.csv", "clean.csv", "--html", "nowhere/page.html"], "nowhere"),
        (["nothing.csv", "clean.csv"], "no such file: nothing.csv"),
    ],
)
def test_what_is_refused(clean, capsys, argv, why):
    assert main(["learn", *argv]) == 2
    assert why in told(capsys)


def test_cells_that_something_else_separates(clean, capsys):
    clean.to_csv("semicolons.csv", index=False, sep=";")
    assert main(["learn", "semicolons.csv", "clean.csv", "--no-save"]) == 2
    assert "semicolons.csv has one column only; if cells are separated by ';'" in told(capsys)
