"""What commands leave in their folder, pages made of it later, and shells that complete them."""

import json
import os
import signal

import pytest

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial.display import found_in_words
from skcorrupt.cli import main
from skcorrupt.evaluation import Terminated

pytestmark = pytest.mark.usefixtures("few_fits", "undrawn")

SEARCH = ["search", "small.csv", "--label", "churned", "--max-conditions", "1", "--n-calls", "1"]
SEARCH += ["--quiet", "--cv", "2", "--pipeline", "cli_test_fast:fast"]


def told(capsys):
    captured = capsys.readouterr()
    assert captured.err.startswith("skcorrupt: error: ") and captured.err.count("\n") == 1
    return captured.err


def test_a_folder_named_after_the_file_has_a_page_and_the_result(fast, capsys):
    assert main([*SEARCH, "--no-confirm"]) == 0
    out, saved = capsys.readouterr().out, fast / "skcorrupt-search-small"
    assert f"Page: {saved.name}/report.html" in out
    assert "forbid it: --label-condition" in out
    kept = AdversarialCorruptionSearch.from_json(saved / "result.json")
    assert found_in_words(kept) in out
    (saved / "report.html").unlink()
    # the folder stands for the result in it
    assert main(["report", saved.name]) == 0
    assert kept.summary() in capsys.readouterr().out
    assert main(["report", f"{saved.name}/result.json", "--title", "Lost ages"]) == 0
    out = capsys.readouterr().out
    assert kept.summary() in out and f"Page: {saved.name}/report.html" in out
    assert "<h1>Lost ages</h1>" in (saved / "report.html").read_text(encoding="utf-8")
    # of a result that stands alone
    (fast / "result.json").write_bytes((saved / "result.json").read_bytes())
    assert main(["report", "result.json"]) == 0
    assert "Page: result.html" in capsys.readouterr().out


@pytest.mark.parametrize("ended", [Terminated, KeyboardInterrupt, ValueError])
def test_an_end_before_anything_was_found_leaves_no_empty_folder(fast, monkeypatch, capsys, ended):
    """One that was there before stays."""

    def end(self, X, y, **params):
        raise ended("nothing was found")

    monkeypatch.setattr(AdversarialCorruptionSearch, "fit", end)
    (fast / "old").mkdir()
    for out in ("new", "old"):
        assert main([*SEARCH, "--out", out]) != 0
        assert "skcorrupt: " in capsys.readouterr().err
    assert not (fast / "new").exists() and (fast / "old").is_dir()


def test_a_page_names_the_command_and_the_file(fast, capsys):
    assert (
        main([*SEARCH, "--no-confirm", "--label-condition", "forbidden", "--meaning", "1=left"])
        == 0
    )
    printed = capsys.readouterr().out
    saved = fast / "skcorrupt-search-small"
    assert (saved / "summary.txt").read_text(encoding="utf-8") in printed
    for _ in range(2):
        page = (saved / "report.html").read_text(encoding="utf-8")
        assert "python -m skcorrupt search small.csv --label churned" in page
        assert (
            "--label-condition forbidden" in page
            and "<code>small.csv</code>, of which the SHA-256 is" in page
        )
        assert "What labels mean: <code>1</code> is left." in page
        assert "X: the table of features" in page and "y: the labels of its rows" in page
        assert main(["report", saved.name, "--out", f"{saved.name}/report.html"]) == 0


def test_conditions_on_the_label_can_be_forbidden(fast, capsys):
    assert main([*SEARCH, "--no-confirm", "--no-save", "--label-condition", "forbidden"]) == 0
    out = capsys.readouterr().out
    assert "y ==" not in out.partition("By what")[0] and "forbid it" not in out
    assert not (fast / "skcorrupt-search-small").exists()


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["no.json"], "cannot read no.json"),
        (["data.csv"], "data.csv"),
        (["other.json"], "other.json holds no result"),
        (["changed.json"], "changed.json: "),
        (["list.json"], "list.json holds no result"),
    ],
)
def test_what_is_no_result_gets_one_line(argv, message, fast, capsys):
    (fast / "other.json").write_text('{"a": 1}')
    (fast / "list.json").write_text("[1]")
    changed = {"skcorrupt": {"format": 0, "version": "0"}, "system": "AdversarialCorruptionSearch"}
    changed |= {"params": {}, "results": {}, "digest": ""}
    (fast / "changed.json").write_text(json.dumps(changed))
    assert main(["report", *argv]) == 2
    assert message in told(capsys)


def test_a_folder_or_none(fast, capsys):
    assert main([*SEARCH, "--out", "x", "--no-save"]) == 2
    assert "leave one of them out" in told(capsys)


@pytest.mark.long
def test_a_scorer_of_one_s_own_and_the_positive_label(fast, capsys):
    (fast / "cli_test_scorer.py").write_text(
        "from sklearn.metrics import make_scorer, recall_score\n"
        "of_yes = make_scorer(recall_score, pos_label='yes')\n"
        "number = 3\n"
    )
    argv = [*SEARCH, "--no-confirm", "--no-save"]
    scores = []
    for more in (["cli_test_scorer:of_yes"], ["recall", "--positive", "yes"]):
        assert main([*argv, "--scoring", *more]) == 0
        scores.append(capsys.readouterr().out.partition("recall of 'yes'")[2].partition("\n\n")[0])
    assert scores[0] == scores[1] != ""
    for more, message in (
        (["cli_test_scorer:number"], "is of type int; it should be a scorer"),
        (["cli_test_scorer:none"], "has no 'none'"),
        (["recall", "--positive", "maybe"], "--positive 'maybe' is not among the labels: "),
        (["accuracy", "--positive", "yes"], "is the same whatever label is positive"),
    ):
        assert main([*argv, "--scoring", *more]) == 2
        assert message in told(capsys)
    assert main([*argv, "--positive", "yes"]) == 2
    assert "pass --scoring, such as f1" in told(capsys)


def test_the_name_of_the_label_in_what_is_excluded(fast, capsys):
    argv = [*SEARCH, "--no-confirm", "--no-save", "--exclude", "churned == 'yes'"]
    assert main(argv) == 0
    assert "y == 'yes'" not in capsys.readouterr().out


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_shells_complete_commands(shell, capsys):
    pytest.importorskip("shtab")
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "--label-condition" in script and "skcorrupt" in script


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM")
@pytest.mark.filterwarnings("default:The search was interrupted")
@pytest.mark.parametrize(("model", "status"), [("late", 0), ("early", 143)])
def test_sigterm_keeps_what_was_found(model, status, fast, capsys):
    before = signal.getsignal(signal.SIGTERM)
    argv = ["search", "data.csv", *SEARCH[2:], "--drop", "home city,member", "--no-save"]
    assert main([*argv, "--no-confirm", "--pipeline", f"cli_test_fast:{model}"]) == status
    captured = capsys.readouterr()
    assert ("worst found" in captured.out) == (status == 0)
    assert ("The search was interrupted" in captured.err) == (status == 0)
    assert ("skcorrupt: terminated" in captured.err) == (status == 143)
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.long
def test_what_an_earlier_search_left_does_not_stay(fast):
    saved = fast / "skcorrupt-search-small"
    assert main([*SEARCH, "--no-confirm", "--budget", "0.1,0.3"]) == 0
    (saved / "kinds.csv").touch()
    assert (saved / "budgets.csv").exists()
    assert main([*SEARCH, "--no-confirm"]) == 0
    assert not {"budgets.csv", "kinds.csv"} & {each.name for each in saved.iterdir()}


def test_misspelt_kinds_and_other_separators_get_a_hint(fast, capsys):
    assert main([*SEARCH, "--corruption", "lables"]) == 2
    assert "did you mean 'labels'?" in told(capsys)
    assert main([*SEARCH, "--corruption", "al"]) == 2
    assert "did you mean 'all'?" in told(capsys)
    (fast / "semi.csv").write_text("a;b;c\n1;2;x\n2;3;y\n")
    assert main(["search", "semi.csv", "--label", "c"]) == 2
    assert "pass --sep ';'" in told(capsys)
    assert main(["profile", "small.csv"]) == 2
    assert "skcorrupt configure small.csv --out strategy.json" in told(capsys)


def test_a_score_of_labels_0_and_1_ends_its_sentence_before_the_hint(fast, capsys):
    argv = ["search", "data.csv", *SEARCH[2:], "--drop", "home city,member", "--no-save"]
    assert main([*argv, "--scoring", "f1"]) == 2
    assert "]. --scoring f1 takes labels 0 and 1; f1_macro takes any" in told(capsys)
