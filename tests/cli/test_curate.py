"""An order of samples from a file of votes."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from skcorrupt.cli import main
from skcorrupt.curation import (
    GenerativeLabelModel,
    LabelingFunctionSelector,
    MajorityVoteLabeler,
    NaturalAdversarialCurator,
)
from skcorrupt.utils._as_text import signed
from unsaved import unsaved


@pytest.fixture
def votes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    right = rng.random((200, 5)) < (1 - rng.random(200) / 2)[:, None]
    L = np.where(right, y[:, None], 1 - y[:, None])
    L[rng.random(L.shape) < 0.3] = -1
    table = pd.DataFrame(L, columns=list("abcde")).assign(truth=y, who=np.arange(200))
    table.to_csv("votes.csv", index=False)
    return table


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_pipe_that_is_closed_ends_nothing(votes, tmp_path, stream):
    words = ["curate", "votes.csv", "--drop", "truth,who", "--out", "piped"]
    command = [sys.executable, "-m", "skcorrupt", *words]
    others = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, text=True, **others) as process:
        getattr(process, stream).close()
        rest = process.stderr if stream == "stdout" else process.stdout
        said = rest.read()
        assert process.wait() == 0
    assert "Broken" not in said and "Traceback" not in said
    saved = {path.name for path in (tmp_path / "piped").iterdir()}
    assert {"report.html", "result.json", "summary.txt", "order.csv"} <= saved


def told(capsys):
    captured = capsys.readouterr()
    assert captured.err.startswith("skcorrupt: error: ") and captured.err.count("\n") == 1
    return captured.err


def test_the_order_is_the_curators(votes, tmp_path, capsys):
    argv = ["curate", "votes.csv", "--gold", "truth", "--drop", "who", "--out", "results"]
    assert main(unsaved([*argv, "--sets", "5"])) == 0
    out = capsys.readouterr().out
    L = votes[list("abcde")].to_numpy()
    silent = (L < 0).all(axis=1).sum()
    assert f"votes.csv: 200 rows, 5 functions, {silent} rows without a vote" in out
    made = NaturalAdversarialCurator(GenerativeLabelModel(), n_datasets=5, random_state=0).fit(L)
    score = made.score_ordering(votes["truth"])
    assert f"rho of set and accuracy: {score.rho:.3f}" in out
    assert f"p = {score.permutation_pvalue:.2g}" in out
    page = (tmp_path / "results" / "report.html").read_text(encoding="utf-8")
    assert f"the order is {'valid' if score.permutation_valid else 'not valid'}: of the" in page
    assert f"Spearman&#x27;s rho of set and accuracy {signed(score.rho)}" in page
    assert "Weak labels right" in page and "Share of samples: another one says otherwise." in page
    assert (tmp_path / "results" / "summary.txt").read_text(encoding="utf-8") in out
    order = pd.read_csv("results/order.csv")
    assert order["row"].tolist() == order["who"].tolist() == made.order_.tolist()
    assert order["label"].tolist() == made.labels_[made.order_].tolist()
    assert order["lower_bound"].tolist() == pytest.approx(made.lower_bound_[made.order_])
    assert order["first_set"].tolist() == np.repeat([1, 2, 3, 4, 5], 40).tolist()
    functions = pd.read_csv("results/functions.csv")
    right = [(L[:, j] == votes["truth"])[L[:, j] >= 0].mean() for j in range(5)]
    assert functions["accuracy"].tolist() == pytest.approx(right)
    sets = [line.split() for line in out.splitlines() if line[:1].isdigit()]
    # in percent, as in the picture and on the page
    right = [float(line[-2]) / 100 for line in sets if line[-1] == "%"]
    assert right == pytest.approx(score.accuracies, abs=6e-4)
    assert (tmp_path / "results" / "order.png").stat().st_size > 0


def test_without_truth_and_with_other_settings(votes, tmp_path, capsys):
    argv = ["curate", "votes.csv", "--drop", "who,truth", "--model", "majority", "--disjoint"]
    assert main(unsaved([*argv, "--select", "0.1", "--sets", "4", "--out", "."])) == 0
    out = capsys.readouterr().out
    assert "selected" in out and "rho" not in out and "accuracy" not in out
    order = pd.read_csv("order.csv")
    counts = order["first_set"].value_counts()
    assert counts.tolist() == [50] * 4
    made = NaturalAdversarialCurator(MajorityVoteLabeler()).fit(votes[list("abcde")])
    assert set(order["label"]) == set(made.classes_) and not (tmp_path / "order.png").exists()
    kept = LabelingFunctionSelector(0.1).fit(votes[list("abcde")]).support_
    shown = [
        line.split()[-1] for line in out.splitlines() if line[:2] in {f"{c} " for c in "abcde"}
    ]
    assert shown == ["yes" if each else "no" for each in kept] and set(shown) == {"yes", "no"}
    chosen = NaturalAdversarialCurator(
        MajorityVoteLabeler(), LabelingFunctionSelector(0.1), n_datasets=4, nested=False
    ).fit(votes[list("abcde")])
    assert order["row"].tolist() == chosen.order_.tolist()
    assert main(unsaved([*argv, "--alpha", "0.5", "--out", "."])) == 0
    wide, narrow = order, pd.read_csv("order.csv")
    assert narrow["lower_bound"].mean() > wide["lower_bound"].mean()


@pytest.mark.parametrize(("stands", "option"), [("", "empty"), (9, "9")])
def test_other_marks_of_abstention(votes, capsys, stands, option):
    argv = ["curate", "votes.csv", "--drop", "who,truth"]
    assert main(unsaved(argv)) == 0
    expected = capsys.readouterr().out
    votes.replace(-1, stands if stands else None).to_csv("votes.csv", index=False)
    assert main(unsaved([*argv, "--abstain", option])) == 0
    assert capsys.readouterr().out == expected


@pytest.mark.long
def test_every_setting_is_the_curators(votes, capsys):
    argv = ["curate", "votes.csv", "--drop", "who", "--gold", "truth", "--out", "."]
    more = ["--classes", "0,1,2", "--prior", "0.3,0.3,0.4", "--successes", "agreement"]
    more += ["--order-by", "confidence", "--uncovered", "drop", "--gamma", "0.9"]
    assert main(unsaved([*argv, *more])) == 0
    out = capsys.readouterr().out
    L = votes[list("abcde")]
    made = NaturalAdversarialCurator(
        GenerativeLabelModel([0.3, 0.3, 0.4], classes=[0, 1, 2]),
        gamma=0.9,
        successes="agreement",
        order_by="confidence",
        uncovered="drop",
        random_state=0,
    ).fit(L)
    order = pd.read_csv("order.csv")
    assert order["row"].tolist() == made.order_.tolist()
    assert order["lower_bound"].tolist() == pytest.approx(made.lower_bound_[made.order_])
    assert made.score_ordering(votes["truth"]).permutation_valid and ", level 0.9: valid." in out
    assert main(unsaved([*argv, "--prior", "estimate"])) == 0
    learned = NaturalAdversarialCurator(GenerativeLabelModel("estimate")).fit(L)
    assert pd.read_csv("order.csv")["row"].tolist() == learned.order_.tolist()


def test_true_labels_of_some_rows(votes, capsys):
    known = np.arange(200) % 2 == 0
    votes.assign(truth=votes["truth"].where(known)).to_csv("votes.csv", index=False)
    assert main(unsaved(["curate", "votes.csv", "--drop", "who", "--gold", "truth"])) == 0
    out = capsys.readouterr().out
    made = NaturalAdversarialCurator(GenerativeLabelModel(), random_state=0).fit(
        votes[list("abcde")]
    )
    score = made.score_ordering(votes["truth"].where(known))
    assert f"rho of set and accuracy: {score.rho:.3f}" in out
    sets = [line.split() for line in out.splitlines() if line[:1].isdigit()]
    assert [int(line[-3]) for line in sets] == score.n_labelled.tolist()


def test_a_function_of_many_classes_is_shown_in_short(votes, capsys):
    votes.assign(a=np.arange(200) % 30).to_csv("votes.csv", index=False)
    argv = ["curate", "votes.csv", "--drop", "who,truth", "--model", "majority"]
    assert main(unsaved(argv)) == 0
    assert "0, 1, 2, 3, 4, 5, 6, 7, … (30)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--gold", "true"], "--gold 'true' is not a column. Did you mean 'truth'"),
        (["--drop", "whom"], "--drop 'whom' is not a column. Did you mean 'who'"),
        (["--abstain", "none"], "--abstain 'none' should be a whole number, or 'empty'"),
        (["--abstain", "7"], "--abstain 7, but the file has votes of -1 too"),
        (["--sets", "300", "--drop", "who"], "n_datasets=300 is more than the 200 rows"),
        (["--sets", "300", "--drop", "who"], "(Option: --sets.)"),
        (["--drop", "who,truth", "--classes", "0"], "classes=[0] should be two or more"),
        ([], "column 'who' has 200 different values in 200 rows, so it is no labeling function"),
        (["--drop", "who", "--classes", "no,yes"], "--classes 'no,yes' should be whole numbers"),
        (["--drop", "who", "--prior", "most"], "--prior 'most' should be shares, such as 0.9,0.1"),
        (["--drop", "who", "--prior", "0.9"], "class_prior=[0.9] should be 2 shares above 0"),
        (["--model", "majority", "--prior", "0.9,0.1", "--drop", "who"], "--prior is for --model"),
    ],
)
def test_what_does_not_work_is_told_in_a_line(votes, capsys, argv, message):
    assert main(["curate", "votes.csv", *argv]) == 2
    assert message in told(capsys)


def test_votes_that_are_none(votes, capsys):
    votes.assign(a="yes").to_csv("votes.csv", index=False)
    assert main(["curate", "votes.csv", "--drop", "who"]) == 2
    assert "'yes' in row 0, column 'a'" in told(capsys)


def test_a_name_that_a_shell_would_part_is_quoted(votes, capsys):
    votes.rename(columns={"who": "who (of us)"}).to_csv("votes.csv", index=False)
    assert main(["curate", "votes.csv"]) == 2
    assert "leave it out with --drop 'who (of us)'" in told(capsys)


@pytest.mark.filterwarnings("default:GenerativeLabelModel contradicts")
def test_votes_that_the_labels_contradict_are_told_everywhere(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    y = (rng.random(2000) < 0.1).astype(int)
    L = np.where(rng.random((2000, 10)) < 0.7, y[:, None], 1 - y[:, None])
    L[rng.random(L.shape) < 0.5] = -1
    pd.DataFrame(L, columns=list("abcdefghij")).to_csv("votes.csv", index=False)
    assert main(unsaved(["curate", "votes.csv", "--out", "results"])) == 0
    captured = capsys.readouterr()
    assert "--select finds them" in captured.err and "--model majority" in captured.err
    assert "class_prior" not in captured.err and "Labeler" not in captured.err
    (line,) = [text for text in captured.out.splitlines() if "all votes agree" in text]
    n = int(line.split()[1])
    assert f"in {n} of 2000 rows" in captured.err
    assert line in (tmp_path / "results" / "summary.txt").read_text(encoding="utf-8")
    page = (tmp_path / "results" / "report.html").read_text(encoding="utf-8")
    assert f"Of {n} samples all votes agree" in page
