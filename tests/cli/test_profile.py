"""Error sensitivity of a file of one's own."""

import json

import pandas as pd
import pytest

from skcorrupt.cli import main
from skcorrupt.sensitivity import Strategy
from unsaved import unsaved

pytestmark = pytest.mark.usefixtures("undrawn")

MODELS = """
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

ages = make_column_transformer((SimpleImputer(), ["age"]))
bayes = make_pipeline(ages, GaussianNB())
constant = DummyClassifier()
clusters = make_pipeline(ages, KMeans(2, n_init=1))

class Broken(GaussianNB):
    def fit(self, X, y):
        raise RuntimeError("out of order")

broken = Broken()
"""
STUDY = {
    "corruptions": [{"kind": "outliers", "params": {"magnitude": 20.0}}],
    "levels": [0, 0.4, 0.8],
    "n_repeats": 12,
    "tau": 0.02,
    # of 24 test rows in each split, a test cannot ask for more
    "alpha": 0.2,
    "label": "churned",
}


@pytest.fixture
def study(folder):
    (folder / "cli_test_models.py").write_text(MODELS)

    def write(**changes):
        text = json.dumps({k: v for k, v in (STUDY | changes).items() if v != "left out"})
        (folder / "strategy.json").write_text(text)

    write()
    return write


def run(*argv):
    return main(unsaved(["profile", "data.csv", "strategy.json", "--quiet", *argv]))


def told(capsys):
    captured = capsys.readouterr()
    assert captured.err.startswith("skcorrupt: error: ") and captured.err.count("\n") == 1
    return captured.err


@pytest.mark.long
def test_what_is_found_is_printed_and_saved(study, capsys, tmp_path):
    assert run("--pipeline", "cli_test_models:bayes", "--out", "results") == 0
    out = capsys.readouterr().out
    assert "data.csv: 120 rows, 4 features, label 'churned'" in out
    # 12 repeats of one clean fit and two levels of numbers and text
    assert "Plan: at most 7 evaluations of 3 scenarios and 84 fits" in out
    profiles = pd.read_csv("results/profiles.csv")
    assert profiles["significant"].tolist() == [True, False, False]
    assert profiles["features"][0] == "age"
    assert f"by {100 * profiles['aepc'][0]:+.1f} % on average over the levels" in out
    lines = [line.split() for line in out.splitlines()]
    printed = [line for line in lines if line[:2] == ["bayes", "outliers"]]
    assert printed[0][2] == "age" and printed[0][-1] == "*"
    assert float(printed[0][5]) == pytest.approx(100 * profiles["aepc"][0], abs=0.06)
    assert len(pd.read_csv("results/curves.csv")) == 3 * 12 * 3
    priorities = pd.read_csv("results/priorities.csv")
    assert priorities["feature"][0] == "age" and priorities["importance"][0] > 0
    (model,) = pd.read_csv("results/ranking.csv").to_dict("records")
    assert model["model"] == "bayes" and model["worst_features"] == "age"
    page = (tmp_path / "results" / "report.md").read_text(encoding="utf-8")
    assert (
        page.startswith("# Error sensitivity of data.csv") and "| bayes | outliers | age |" in page
    )
    assert "## What to clean first" in page
    settings = json.loads(page[page.index("```json") + 7 : page.rindex("```")])
    assert Strategy.from_dict(settings) == Strategy.from_json("strategy.json")
    assert "](profile.png)" in page and (tmp_path / "results" / "profile.png").stat().st_size > 0


def test_nothing_is_written_where_nothing_is_to_be_saved(study, capsys, tmp_path):
    before = sorted(tmp_path.iterdir())
    study(corruptions=[{"kind": "duplicates"}])
    assert run("--pipeline", "cli_test_models:constant") == 0
    out = capsys.readouterr().out
    assert (
        "1 pair of a model and an error was studied; in none of them" in out
        and "What to clean first" not in out
        and "importance: " not in out
        and "with errors: " not in out
    )
    assert sorted(path for path in tmp_path.iterdir() if path.name != "__pycache__") == before


def test_the_default_model_and_options_that_replace_the_strategy(study, capsys):
    study(label="left out", levels=[0, 0.5], n_repeats=9, drop=["income"])
    assert run() == 2
    assert "strategy.json names no label; pass --label COL" in told(capsys)
    assert run("--label", "churned", "--drop", "home city,member", "--seed", "3") == 0
    out = capsys.readouterr().out
    assert "1 feature," in out and "No --pipeline given: median imputer" in out
    assert "linear model  outliers  age" in out


@pytest.mark.long
def test_several_models_of_which_the_strategy_chooses(study, capsys):
    two = ["--pipeline", "cli_test_models:bayes", "--pipeline", "cli_test_models:constant"]
    study(corruptions=[{"kind": "missing", "columns": ["age"]}], n_repeats=8)
    assert run(*two) == 0
    out = capsys.readouterr().out
    assert "\nbayes" in out and "\nconstant" in out
    lines = out[out.index("Models, those that lose least first") :].splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["constant", "bayes"]
    study(corruptions=[{"kind": "missing", "columns": ["age"]}], models=["constant"])
    assert run(*two) == 0
    assert "\nbayes" not in capsys.readouterr().out
    study(models=["forest"])
    assert run(*two) == 2
    assert "models: 'forest' is not among the estimators, which are bayes, constant" in told(capsys)


@pytest.mark.long
def test_bundled_models_by_name(study, capsys):
    study(
        corruptions=[{"kind": "missing", "columns": ["age"]}],
        models=["naive Bayes", "linear model"],
        n_repeats=8,
    )
    assert run() == 0
    out = capsys.readouterr().out
    assert "\nnaive Bayes" in out and "\nlinear model" in out


@pytest.mark.long
def test_a_finished_study_is_not_run_again(study, capsys, tmp_path):
    study(corruptions=[{"kind": "missing", "columns": ["age"]}], n_repeats=8)
    argv = ["--pipeline", "cli_test_models:bayes", "--journal", "fits.sqlite", "--out"]
    assert run(*argv, "first") == 0
    before = (tmp_path / "fits.sqlite").read_bytes()
    assert run(*argv, "second") == 0
    assert (tmp_path / "fits.sqlite").read_bytes() == before
    first, second = ((tmp_path / name / "curves.csv").read_text() for name in ("first", "second"))
    assert first == second


def test_clusters_need_no_label(study, capsys):
    study(label="left out", levels=[0, 0.8], n_repeats=8, drop=["churned"])
    assert run("--pipeline", "cli_test_models:clusters") == 0
    assert "no label" in capsys.readouterr().out


@pytest.mark.long
def test_clusters_are_scored_by_silhouette(study, capsys):
    study(corruptions=[{"kind": "noise", "columns": ["age"]}], n_repeats=8, scoring="silhouette")
    assert run("--pipeline", "cli_test_models:clusters", "--out", "results") == 0
    curves = pd.read_csv("results/curves.csv")
    assert curves["score"].between(0.3, 1).all()
    assert run("--pipeline", "cli_test_models:bayes") == 2
    assert "scoring='silhouette' is for clusterers" in told(capsys)


def test_a_failure_after_the_fits_loses_none(study, monkeypatch, capsys, tmp_path):
    def fails(self):
        raise ValueError("out of order")

    monkeypatch.setattr("skcorrupt.sensitivity.ErrorSensitivityProfiler.cleaning_priorities", fails)
    study(corruptions=[{"kind": "missing", "columns": ["age"]}], n_repeats=8)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "priorities.csv").write_text("of an earlier run")
    assert run("--pipeline", "cli_test_models:bayes", "--out", "results") == 2
    assert "(curves.csv and profiles.csv are in results): ValueError: out of order" in told(capsys)
    assert len(pd.read_csv("results/curves.csv")) == 8 * 3
    assert len(pd.read_csv("results/profiles.csv")) == 1
    assert not (tmp_path / "results" / "priorities.csv").exists()


@pytest.mark.parametrize(
    ("changes", "argv", "message"),
    [
        ({"label": "churn"}, [], "--label 'churn' is not a column. Did you mean 'churned'"),
        ({"drop": ["salary"]}, [], "--drop 'salary' is not a column"),
        ({"scoring": "acc"}, [], "strategy.json: scoring='acc' should be the name of a score"),
        (
            {"corruptions": [{"kind": "noise", "columns": ["ages"]}]},
            [],
            "strategy.json: noise: columns 'ages' is not a column. Did you mean 'age'",
        ),
        ({"corruptions": [{"kind": "fire"}]}, [], "strategy.json: corruptions[0].kind='fire'"),
        ({"strategy": "correlated", "correlation_threshold": 1.0}, [], "gives no scenario"),
        (
            {"models": ["linear model", "naive Bayes"], "label": "age"},
            [],
            "studies 'naive Bayes', which predicts classes, but 'age' is a number; write one",
        ),
        ({}, ["--pipeline", "cli_test_models:broken"], "out of order"),
        ({}, ["--journal", "nowhere/fits.sqlite"], "journal='nowhere/fits.sqlite' is no"),
    ],
)
def test_what_does_not_work_is_told_in_a_line(study, capsys, changes, argv, message):
    study(**changes)
    assert run(*argv) == 2
    assert message in told(capsys)


def test_a_file_that_is_not_there_is_told_before_the_strategy(folder, capsys):
    assert main(["profile", "none.csv"]) == 2
    assert "no such file: none.csv" in told(capsys)


def test_no_strategy_there(folder, capsys):
    assert run() == 2
    assert "cannot read strategy.json" in told(capsys)


@pytest.mark.slow
def test_what_was_screened_is_saved(study, tmp_path):
    study(screening="variance", max_features=1, n_repeats=6, corruptions=[{"kind": "missing"}])
    assert run("--pipeline", "cli_test_models:bayes", "--out", "results") == 0
    screening = pd.read_csv("results/screening.csv")
    assert screening["kept"].sum() == 1 and len(screening) == 4
    study(n_repeats=12)
    assert run("--pipeline", "cli_test_models:bayes", "--out", "results") == 0
    assert not (tmp_path / "results" / "screening.csv").exists()
