"""An audit of a file of one's own."""

import json

import pandas as pd
import pytest

from skcorrupt.cli import main
from skcorrupt.responsiveness import ActionSet, ResponsivenessAuditor
from unsaved import unsaved

MODEL = """
import pandas as pd
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

X = pd.DataFrame({"age": [25, 31, 45, 60], "savings": [0, 3, 1, 3]})
fitted = DecisionTreeClassifier(random_state=0).fit(X, ["no", "yes", "no", "yes"])
blank = DecisionTreeClassifier(random_state=0)
numbers = LinearRegression().fit(X, [1.0, 2.0, 3.0, 4.0])
"""


@pytest.fixture
def people(folder):
    (folder / "cli_test_people.py").write_text(MODEL)
    table = pd.DataFrame(
        {"age": [25, 31, 45, 60], "savings": [0, 3, 1, 3], "got": ["no", "yes", "no", "yes"]}
    )
    table.to_csv("people.csv", index=False)
    return folder


def audit(*argv, estimator="cli_test_people:fitted", target="yes", data="people.csv"):
    argv = ["audit", data, "--estimator", estimator, "--target", target, "--quiet", *argv]
    return main(unsaved(argv))


def told(capsys):
    captured = capsys.readouterr()
    assert captured.err.startswith("skcorrupt: error: ") and captured.err.count("\n") == 1
    return captured.err


def test_what_is_found_is_printed_and_saved(people, capsys):
    argv = ["--drop", "got", "--actionable", "savings", "--task", "preclusion", "--out", "results"]
    assert audit(*argv, "--by", "age") == 0
    out = capsys.readouterr().out
    assert "4 people, 2 audited" in out
    lines = [line.split() for line in out.splitlines()]
    # of few people nothing is told but how many they are
    shares = ["not", "told"] * 4
    assert ["2", "groups", "together", "2", *shares] in lines
    assert not any(line[:1] == ["25"] for line in lines)
    assert out.count("not told: it is of fewer than 5 people") == 1
    assert "min_group_size" not in out
    results = pd.read_csv("results/responsiveness.csv")
    assert results["row"].tolist() == [0, 2] and results["hits"].tolist() == [1, 1]
    saved = json.loads((people / "results" / "actions.json").read_text())
    assert ActionSet.from_dict(saved).movable == ("savings",)
    # what was saved can be edited and read again
    saved["rules"].append("savings <= 2")
    (people / "mine.json").write_text(json.dumps(saved))
    assert audit("--drop", "got", "--actions", "mine.json", "--task", "preclusion") == 0
    assert "everybody" in capsys.readouterr().out


def test_a_model_that_is_not_fitted_is_fitted_with_a_label(people, capsys):
    argv = ["--actionable", "savings", "--label", "got"]
    assert audit(*argv, estimator="cli_test_people:blank") == 0
    assert "4 people, 4 audited" in capsys.readouterr().out
    argv = ["--actionable", "savings", "--drop", "got"]
    assert audit(*argv, estimator="cli_test_people:blank") == 2
    assert "is not fitted; pass --label COL" in told(capsys)


def test_a_model_of_numbers(people, capsys):
    argv = ["--actionable", "savings", "--drop", "got"]
    assert audit(*argv, estimator="cli_test_people:numbers", target="2.5,") == 0
    capsys.readouterr()
    assert audit(*argv, estimator="cli_test_people:numbers", target="high") == 2
    assert "should be LOW,HIGH" in told(capsys)


def test_groups_may_be_of_a_column_that_the_model_does_not_see(people, capsys):
    assert audit("--actionable", "savings", "--drop", "got", "--by", "got") == 0
    assert "\ngot" in capsys.readouterr().out


def test_points_by_importance(people, capsys):
    argv = ["--actionable", "savings", "--drop", "got", "--n-samples"]
    assert audit(*argv, "importance") == 0
    assert "4 people, 4 audited" in capsys.readouterr().out
    assert audit(*argv, "many") == 2
    assert "'many' should be a whole number from 1 up" in told(capsys)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--actionable", "wage"], "--actionable 'wage' is not a column"),
        (["--actionable", "savings", "--by", "town"], "--by 'town' is not a column"),
        (
            ["--actionable", "savings", "--epsilon", "2"],
            "--epsilon: '2' should be above 0 and below 1",
        ),
        (["--actionable", "savings", "--n-samples", "5"], "n_samples=5 are too few"),
        (["--actions", "none.json"], "cannot read --actions none.json (No such file"),
        (
            ["--actions", "cli_test_people.py"],
            "--actions cli_test_people.py: it is no JSON",
        ),
        ([], "one of the arguments --actions --actionable is required"),
        (["--actionable", "savings", "--task", "magic"], "invalid choice: 'magic'"),
    ],
)
def test_a_bad_option_gets_one_line(argv, message, people, capsys):
    assert audit("--drop", "got", *argv) == 2
    assert message in told(capsys)


def test_a_wrong_target_or_estimator_gets_one_line(people, capsys):
    assert audit("--drop", "got", "--actionable", "savings", target="maybe") == 2
    assert "--target 'maybe' is not predicted; the model knows ['no', 'yes']" in told(capsys)
    assert audit("--drop", "got", "--actionable", "savings", estimator="nothing:x") == 2
    assert "--estimator 'nothing:x': there is no module 'nothing'" in told(capsys)


def test_people_who_break_a_rule_can_be_left_out(people, capsys):
    table = pd.read_csv("people.csv")
    table.loc[1, "savings"] = None
    table.to_csv("gaps.csv", index=False)
    argv = ["--drop", "got", "--actionable", "savings"]
    assert audit(*argv, data="gaps.csv") == 2
    assert told(capsys).endswith("or leave these people out; --leave-out does so\n")
    assert audit(*argv, "--leave-out", "--by", "got", data="gaps.csv") == 0
    out = capsys.readouterr().out
    assert "1 of 4 people break the rules as they are and are left out" in out
    assert "3 people, 3 audited" in out


@pytest.mark.long
def test_rules_that_are_seen_meanings_and_groups_are_on_the_page(people, capsys):
    table = pd.DataFrame({"age": [25, 31, 45, 60] * 10, "a": [0, 1] * 20, "b": [1, 0] * 20})
    table["savings"], table["site"] = [0, 3, 1, 3] * 10, ["n", "s", "w", "w"] * 10
    table.to_csv("many.csv", index=False)
    (people / "cli_test_many.py").write_text(MODEL.replace(
        '"savings": [0, 3, 1, 3]}', '"a": 0, "b": 1, "savings": [0, 3, 1, 3]}'
    ))  # fmt: skip
    own = {"estimator": "cli_test_many:fitted", "data": "many.csv"}
    argv = ["--drop", "site", "--actionable", "a,b,savings", "--by", "site", "--out", "results"]
    assert audit(*argv, "--rules", "suggested", "--meaning", "yes=credit granted", **own) == 0
    captured = capsys.readouterr()
    assert "Rules that hold in every row, and are kept: OneHot(columns=['a', 'b'])" in captured.out
    page = (people / "results" / "report.html").read_text(encoding="utf-8")
    assert "credit granted" in page and "Verdicts by group" in page
    (people / "results" / "report.html").unlink()
    assert main(["report", "results"]) == 0
    again = (people / "results" / "report.html").read_text(encoding="utf-8")
    for each in (page, again):
        assert "site = " in each and "credit granted" in each
    capsys.readouterr()
    assert "OneHot" in page
    assert audit(*argv, "--rules", "none", **own) == 0
    assert "kept" not in capsys.readouterr().out
    assert audit(*argv, "--meaning", "yes", **own) == 2
    assert "should be LABEL=TEXT" in told(capsys)
    actions = ["--actions", "results/actions.json", "--rules", "suggested", "--drop", "site"]
    assert audit(*actions, **own) == 2
    assert "--rules goes with --actionable" in told(capsys)


def test_a_signal_while_columns_are_looked_at_leaves_the_page(people, monkeypatch, capsys):
    def ended(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(ResponsivenessAuditor, "attributions_", property(ended))
    assert audit("--actionable", "savings", "--drop", "got", "--out", "results") == 0
    assert "Ended early" in capsys.readouterr().out
    page = (people / "results" / "report.html").read_text(encoding="utf-8")
    assert "What each column does alone was not computed" in page
    kept = ResponsivenessAuditor.from_json(people / "results" / "result.json")
    assert len(kept.results_) == 4


@pytest.mark.filterwarnings("always")
def test_rules_that_are_missing_are_told_with_the_option(people, capsys):
    table = pd.DataFrame({"age": [25, 31, 45, 60] * 10, "a": [0, 1] * 20, "b": [1, 0] * 20})
    table["savings"] = [0, 3, 1, 3] * 10
    table.to_csv("many.csv", index=False)
    (people / "cli_test_many.py").write_text(MODEL.replace(
        '"savings": [0, 3, 1, 3]}', '"a": 0, "b": 1, "savings": [0, 3, 1, 3]}'
    ))  # fmt: skip
    own = {"estimator": "cli_test_many:fitted", "data": "many.csv"}
    assert audit("--actionable", "a,b,savings", **own) == 0
    captured = capsys.readouterr()
    assert "Add them with --rules suggested" in captured.err
    assert "suggest_constraints" not in captured.err


def test_names_with_line_breaks_are_taken_as_they_are_printed(people, capsys):
    table = pd.read_csv("people.csv").assign(town="x").rename(columns={"town": "line\nbreak"})
    table.to_csv("people.csv", index=False)
    assert audit("--actionable", "savings", "--drop", r"got,line\nbreak") == 0
    assert audit("--actionable", "wage", "--drop", "got") == 2
    assert r"The columns are: age, savings, line\nbreak" in told(capsys)
    assert audit("--actionable", "savings,line\nbreak") == 2
    assert r"a line break, which is written as \n" in told(capsys)


def test_people_without_a_label_are_left_out_of_the_groups_too(people, capsys):
    table = pd.read_csv("people.csv").assign(team=["a", "b", "a", "b"])
    unknown = pd.DataFrame({"age": [30], "savings": [2], "got": [None], "team": ["a"]})
    pd.concat([unknown, table]).to_csv("gaps.csv", index=False)
    table.to_csv("whole.csv", index=False)
    said = []
    for name in ("gaps.csv", "whole.csv"):
        argv = ["--label", "got", "--drop", "team", "--by", "team", "--actionable", "savings"]
        assert audit(*argv, estimator="cli_test_people:blank", data=name) == 0
        said.append(capsys.readouterr().out.splitlines())
    assert said[0][0].startswith("gaps.csv: 4 people; 1 row without a label left out, 4 audited")
    assert said[1][0].startswith("whole.csv: 4 people, 4 audited")
    assert said[0][1:] == said[1][1:]


def test_a_column_may_have_the_name_of_a_parameter(people, capsys):
    pd.read_csv("people.csv").rename(columns={"savings": "self"}).to_csv("self.csv", index=False)
    argv = ["--label", "got", "--actionable", "self"]
    assert audit(*argv, estimator="cli_test_people:blank", data="self.csv") == 0
    assert "4 people, 4 audited" in capsys.readouterr().out


def test_nobody_acts_on_texts_that_are_dates(people, capsys):
    dates = ["2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01"]
    pd.read_csv("people.csv").assign(since=dates).to_csv("dates.csv", index=False)
    assert audit("--drop", "got", "--actionable", "since", data="dates.csv") == 2
    assert "--actionable: Column 'since' holds times, on which nobody acts" in told(capsys)
