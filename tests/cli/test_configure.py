"""Questions in the terminal, or answers from a file, that end in a strategy."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from skcorrupt.cli import main
from skcorrupt.sensitivity import Strategy

QUESTIONS = 12


def answer(monkeypatch, *lines):
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def told(capsys):
    captured = capsys.readouterr()
    assert captured.err.startswith("skcorrupt: error: ") and captured.err.count("\n") == 1
    return captured.err


@pytest.mark.long
@pytest.mark.filterwarnings("default:n_repeats=2.*:UserWarning")
def test_enter_all_the_way_gives_a_strategy_that_runs(folder, monkeypatch, capsys):
    answer(monkeypatch, *[""] * QUESTIONS)
    assert main(["configure", "data.csv"]) == 0
    out = capsys.readouterr().out
    # three errors on four columns, outliers not on the one of truth values
    assert "Plan: at most 45 evaluations of 11 scenarios and 1350 fits" in out
    assert "python -m skcorrupt profile data.csv strategy.json" in out
    strategy = Strategy.from_json("strategy.json")
    assert strategy == Strategy(
        corruptions=[{"kind": kind} for kind in ("missing", "noise", "outliers")],
        scoring="f1_macro",
        label="churned",
    )
    quick = strategy.to_dict() | {"levels": [0, 0.5], "n_repeats": 2}
    (folder / "strategy.json").write_text(json.dumps(quick))
    assert main(["profile", "data.csv", "strategy.json", "--quiet"]) == 0
    assert "11 pairs of a model and an error were studied" in capsys.readouterr().out


def test_answers_from_a_file(folder, capsys):
    table = pd.read_csv("data.csv")
    table["id"] = [f"person {i}" for i in range(len(table))]
    table.to_csv("data.csv", index=False)
    lines = ["churned", "", "age,home city", "scale, duplicates, labels", "custom"]
    lines += [
        "all",
        "age >= 30 and y == 'yes'",
        "exponential",
        "0, 0.1, 1",
        "naive Bayes, ridge",
        "12",
        "accuracy",
    ]
    (folder / "answers.txt").write_text("\n".join(lines))
    argv = ["configure", "data.csv", "--answers", "answers.txt", "--out", "mine.json"]
    assert main([*argv, "--seed", "5"]) == 0
    out = capsys.readouterr().out
    assert "Columns to leave out, such as ids [id]" in out and "evaluations of 3 scenarios" in out
    where = {"pattern": "age >= 30 and y == 'yes'", "params": {"sampling": "exponential"}}
    assert Strategy.from_json("mine.json") == Strategy(
        corruptions=[
            {"kind": "scale", "columns": ["age"]} | where,
            {"kind": "duplicates"} | where,
            {"kind": "labels"} | where,
        ],
        strategy="custom",
        levels=[0, 0.1, 1],
        models=["naive Bayes", "ridge"],
        n_repeats=12,
        scoring="accuracy",
        random_state=5,
        label="churned",
        drop=["id"],
    )


def test_a_wrong_answer_is_asked_for_again(folder, monkeypatch, capsys):
    lines = ["churn", "churned", "churned", "none", "agee", "all", "fire", "scale", "both"]
    lines += ["correlated", "one-feature", "luck", "variance some", "variance 3", "agee > 3"]
    lines += [
        "age > 300",
        "age > 30",
        "poisson",
        "normal",
        "0.2, 0.4",
        "0, x",
        "[0, 0.4]",
        "tree",
        "",
        "many",
        "9",
    ]
    answer(monkeypatch, *lines, "acc", "accuracy")
    assert main(["configure", "data.csv"]) == 0
    out = capsys.readouterr().out
    for message in (
        "--label 'churn' is not a column. Did you mean 'churned'",
        "--drop 'churned' is the --label",
        "'agee' is not a column. Did you mean 'age'",
        "'fire' is not an error; choose among categories",
        "'both' should be one of one-feature, correlated, custom",
        "strategy='correlated' gives no scenario",
        "'luck' should be all, or one of importance, variance, association and a number",
        "'some' should be a whole number from 1 up",
        "'agee'",
        "'age > 300' matches no row; widen it, or use all",
        "'poisson' should be one of uniform, normal, exponential",
        "levels=[0.2, 0.4] should be two numbers or more that grow from 0",
        "levels='0, x' should be two numbers or more that grow from 0",
        "'tree' is not a model here; choose among linear model",
        "'many' should be a whole number from 1 up",
        "scoring='acc' should be the name of a score of scikit-learn",
    ):
        assert message in out
    strategy = Strategy.from_json("strategy.json")
    assert (strategy.levels, strategy.n_repeats, strategy.scoring) == ([0, 0.4], 9, "accuracy")
    assert (strategy.screening, strategy.max_features) == ("variance", 3)
    (entry,) = strategy.corruptions
    assert (entry["pattern"], entry["params"]) == ("age > 30", {"sampling": "normal"})


def test_of_wide_data_some_columns_are_suggested(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(60, 45))).add_prefix("c")
    table.assign(label=table["c7"] > 0).to_csv("data.csv", index=False)
    (tmp_path / "answers.txt").write_text("\n\n\nnoise\n\n\n\n\n\n\n2")
    assert main(["configure", "data.csv", "--answers", "answers.txt"]) == 0
    out = capsys.readouterr().out
    assert "[importance 20]" in out and "evaluations of 20 scenarios" in out
    assert Strategy.from_json("strategy.json").screening == "importance"
    (tmp_path / "answers.txt").write_text("\n\n\nnoise\ncustom\nvariance 3")
    argv = ["configure", "data.csv", "--answers", "answers.txt", "--overwrite"]
    assert main(argv) == 2
    assert "custom studies strike the columns named above; use all" in told(capsys)


def test_a_quantity_has_other_suggestions(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(80, 3)), columns=["target", "a", "b,c"])
    table.to_csv("data.csv", index=False)
    (tmp_path / "answers.txt").write_text('\n\n"b,c"\n')
    assert main(["configure", "data.csv", "--answers", "answers.txt"]) == 0
    out = capsys.readouterr().out
    assert "[r2]" in out and "labels" not in out and "naive Bayes" not in out
    strategy = Strategy.from_json("strategy.json")
    assert (strategy.label, strategy.scoring) == ("target", "r2")
    assert all(each["columns"] == ["b,c"] for each in strategy.corruptions)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["churned", "salary"], "--answers answers.txt, line 2: --drop 'salary' is not a column"),
        ([""] * QUESTIONS + ["more"], "has 13 lines for 12 questions; remove the last ones"),
    ],
)
def test_wrong_answers_in_a_file_are_errors(folder, capsys, lines, message):
    (folder / "answers.txt").write_text("\n".join(lines))
    assert main(["configure", "data.csv", "--answers", "answers.txt"]) == 2
    assert message in told(capsys)
    assert not (folder / "strategy.json").exists()


def test_a_file_is_replaced_only_when_told_to(folder, capsys):
    (folder / "strategy.json").write_text("mine")
    (folder / "answers.txt").write_text("")
    argv = ["configure", "data.csv", "--answers", "answers.txt"]
    assert main(argv) == 2
    assert "exists; name another file or pass --overwrite" in told(capsys)
    assert (folder / "strategy.json").read_text() == "mine"
    assert main([*argv, "--overwrite"]) == 0
    assert Strategy.from_json("strategy.json").label == "churned"


def test_a_class_of_one_is_told_at_once(folder, monkeypatch, capsys):
    table = pd.read_csv("data.csv")
    table.loc[7, "churned"] = "maybe"
    table.to_csv("data.csv", index=False)
    answer(monkeypatch, "churned", "nothing", *[""] * (QUESTIONS - 1))
    assert main(["configure", "data.csv"]) == 2
    asked_again = capsys.readouterr().out
    assert (
        "the label 'churned' has one row only of the class 'maybe' (line 9); a class should have "
        "at least two" in asked_again
    )
    table.loc[8, "churned"] = "perhaps"
    table.to_csv("data.csv", index=False)
    (folder / "answers.txt").write_text("churned")
    assert main(["configure", "data.csv", "--answers", "answers.txt"]) == 2
    assert (
        "line 1: the label 'churned' has one row only of the class 'maybe' (line 9) and 1 more"
        in (told(capsys))
    )


def test_a_plan_that_fails_loses_no_answer(folder, monkeypatch, capsys):
    def fails(self, X, y):
        raise RuntimeError("out of order")

    monkeypatch.setattr("skcorrupt.sensitivity.ErrorSensitivityProfiler.plan", fails)
    (folder / "answers.txt").write_text("\n" * 10 + "9")
    assert main(["configure", "data.csv", "--answers", "answers.txt"]) == 2
    assert "strategy.json is written, but the plan failed: RuntimeError: out of order" in told(
        capsys
    )
    assert Strategy.from_json("strategy.json").n_repeats == 9


def test_a_folder_that_is_not_there_is_told_before_any_question(folder, capsys):
    assert main(["configure", "data.csv", "--out", "nowhere/strategy.json"]) == 2
    assert "there is no folder nowhere; make it first" in told(capsys)


def test_ids_are_suggested_for_leaving_out(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    n = 40
    table = pd.DataFrame(
        {
            "Unnamed: 0": np.arange(n),
            "customer_id": rng.permutation(n) + 100,
            "orderID": rng.permutation(n),
            "paid": rng.permutation(n),
            "visit_id": rng.integers(0, 9, n),
            "day": pd.date_range("2020-01-01", periods=n).strftime("%d/%m/%Y"),
            "spent": pd.to_timedelta(np.arange(n), unit="h").astype(str),
            "name": [f"person {i}" for i in range(n)],
            "ssn": [f"078-05-{1000 + i}" for i in range(n)],
            "width": rng.random(n),
            "label": np.arange(n) % 2,
        }
    )
    table.to_csv("data.csv", index=False)
    (tmp_path / "answers.txt").write_text("\n\nwidth, width\nnoise\n\n\n\n\n0, 1\n\n2")
    assert main(["configure", "data.csv", "--answers", "answers.txt"]) == 0
    ids = ["Unnamed: 0", "customer_id", "orderID", "name", "ssn"]
    assert f"such as ids [{', '.join(ids)}]" in capsys.readouterr().out
    strategy = Strategy.from_json("strategy.json")
    assert strategy.drop == ids and strategy.corruptions[0]["columns"] == ["width"]
    (tmp_path / "answers.txt").write_text("\nname, name\n\nnoise\n\n\n\n\n0, 1\n\n2")
    assert main(["configure", "data.csv", "--answers", "answers.txt", "--overwrite"]) == 0
    assert Strategy.from_json("strategy.json").drop == ["name"]


def test_clusterers_bring_their_own_score(folder, capsys):
    argv = ["configure", "data.csv", "--answers", "answers.txt"]
    (folder / "answers.txt").write_text("\n" * 9 + "ridge\n\nsilhouette")
    assert main(argv) == 2
    assert "'silhouette' is for clusterers, which the models above are not" in told(capsys)
    (folder / "answers.txt").write_text("\n" * 11 + "silhouette")
    assert main(argv) == 0
    out = capsys.readouterr().out
    assert "No plan: silhouette is for clusterers" in out
    assert "data.csv strategy.json --out results --pipeline MODULE:OBJECT" in out
    assert Strategy.from_json("strategy.json").scoring == "silhouette"


def test_no_terminal_and_no_file(folder, monkeypatch, capsys):
    answer(monkeypatch)
    assert main(["configure", "data.csv"]) == 2
    assert "there is no terminal to ask; pass --answers FILE" in told(capsys)
    assert main(["configure", "data.csv", "--answers", "nowhere.txt"]) == 2
    assert "cannot read --answers nowhere.txt" in told(capsys)


def test_names_with_line_breaks_are_asked_for_on_one_line(folder, monkeypatch, capsys):
    table = pd.read_csv("data.csv")
    # numbers that count rows, which are left out as ids are
    table.insert(0, "row\nnumber", range(len(table)))
    table.rename(columns={"age": "age\nin years"}).to_csv("data.csv", index=False)
    answer(monkeypatch, "", "", r"age\nin years", *[""] * (QUESTIONS - 3))
    assert main(["configure", "data.csv"]) == 0
    out = capsys.readouterr().out
    assert r"1. Column to predict (row\nnumber, age\nin years, " in out
    assert r"such as ids [row\nnumber]: " in out
    strategy = Strategy.from_json("strategy.json")
    assert strategy.drop == ["row\nnumber"]
    assert all(each["columns"] == ["age\nin years"] for each in strategy.corruptions)


@pytest.mark.parametrize("label", ["churned, or not", '"churned, or not"'])
def test_a_label_with_a_comma_is_read_as_it_is_and_as_it_is_shown(
    folder, monkeypatch, capsys, label
):
    table = pd.read_csv("data.csv").rename(columns={"churned": "churned, or not"})
    table.to_csv("data.csv", index=False)
    answer(monkeypatch, label, *[""] * (QUESTIONS - 1))
    assert main(["configure", "data.csv"]) == 0
    question = capsys.readouterr().out.partition("1. Column to predict (")[2].partition(")")[0]
    assert question.endswith(', "churned, or not"')
    assert Strategy.from_json("strategy.json").label == "churned, or not"
