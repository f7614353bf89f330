"""Pipelines compared on a file of one's own."""

import pandas as pd
import pytest
from sklearn.base import is_regressor

from skcorrupt.cli import main
from skcorrupt.cli._compare import default_estimators
from unsaved import unsaved

MODELS = """
from sklearn.dummy import DummyClassifier
from sklearn.base import BaseEstimator, ClassifierMixin
import numpy as np

class Rule(ClassifierMixin, BaseEstimator):
    def __init__(self, limit=45, gaps=True):
        self.limit = limit
        self.gaps = gaps

    def fit(self, X, y):
        if not self.gaps and X["income"].isna().any():
            raise ValueError("Input X contains NaN.")
        self.classes_ = np.unique(y)
        self.cut_ = X["age"].median()
        return self

    def predict(self, X):
        return self.classes_[(X["age"] > self.cut_).astype(int).to_numpy()]

rule = Rule()

def bare():
    return Rule(gaps=False)
"""


@pytest.fixture
def models(folder):
    (folder / "cli_test_compared.py").write_text(MODELS)
    return folder


def compare(*argv):
    own = ["--label", "churned", "--drop", "home city,member", "--quiet", "--cv", "2"]
    return main(unsaved(["compare", "data.csv", *own, *argv]))


def told(capsys):
    captured = capsys.readouterr()
    assert captured.err.startswith("skcorrupt: error: ") and captured.err.count("\n") == 1
    return captured.err


@pytest.mark.slow
@pytest.mark.usefixtures("few_fits")
def test_what_is_found_is_printed_and_saved(models, capsys):
    argv = ["--estimators", "cli_test_compared:rule", "cli_test_compared:bare"]
    argv += ["--error", "missing", "--budget", "0.3", "--output", "results", "--html", "page.html"]
    argv += ["--max-conditions", "1"]
    assert compare(*argv) == 0
    out = capsys.readouterr().out
    assert "Planning 2 by 1 searches ..." in out and "Plan: 2 searches, about " in out
    results = pd.read_csv("results/results.csv")
    assert results["estimator"].tolist() == ["rule", "bare"]
    assert results["status"].iloc[0] == "ok"
    row = next(
        each for line in out.splitlines() if (each := line.split())[:3] == ["30", "%", "rule"]
    )
    assert float(row[7]) == pytest.approx(results["worst"].iloc[0], abs=6e-4)
    assert "rank: places such as" in out
    for name in ("transfer.csv", "ranks.csv", "comparison.png", "result.json", "report.html"):
        assert (models / "results" / name).stat().st_size > 0
    assert "<h1>Which pipeline stands errors best</h1>" in (models / "page.html").read_text()
    assert main(["report", "results/result.json", "--out", "again.html"]) == 0
    again = capsys.readouterr().out
    assert "rule" in again and "Page: again.html" in again
    assert "<h1>Which pipeline stands errors best</h1>" in (models / "again.html").read_text()


def test_default_estimators_take_gaps_and_texts(folder):
    frame = pd.read_csv("data.csv")
    X, y = frame.drop(columns="churned"), frame["churned"]
    models = default_estimators(X, y)
    assert list(models) == ["linear", "tree", "forest", "boosting"]
    for model in models.values():
        assert len(model.fit(X, y).predict(X)) == len(X)
    numbers = default_estimators(X, frame["income"])
    assert all(map(is_regressor, numbers.values()))


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--error", "mising"], "invalid choice: 'mising'"),
        (["--budget", "2"], "should be above 0 and at most 1"),
        (["--estimators", "cli_test_compared:nobody"], "--estimators"),
        (["--estimators", *["cli_test_compared:rule"] * 2], "twice"),
        (["--html", "nowhere/page.html"], "--html nowhere/page.html: its folder does not exist"),
        (["--scoring", "nonsense"], "nonsense"),
        (["--error", "labels", "--serving"], "labels"),
    ],
)
def test_what_does_not_work_is_one_line(models, capsys, argv, message):
    assert compare(*argv) == 2
    assert message in told(capsys)


@pytest.mark.parametrize("kept", [True, False])
def test_an_early_end_names_the_journal(models, kept, monkeypatch, capsys):
    def interrupted(*_args, journal, **_params):
        if kept:
            journal.touch()
        raise KeyboardInterrupt

    monkeypatch.setattr("skcorrupt.cli._compare.compare_robustness", interrupted)
    own = ["--estimators", "cli_test_compared:rule", "--error", "missing", "--max-time", "9"]
    own += ["--journal", "kept.sqlite"]
    assert compare(*own) == 130
    out, err = capsys.readouterr()
    assert "Plan: 1 search in at most 9 s, as --max-time says. Comparing comes on top." in out
    said = "; --journal kept.sqlite keeps what was scored, and the same command goes on from it"
    assert err == f"\nskcorrupt: interrupted{said if kept else ''}\n"
