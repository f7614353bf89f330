"""A search on a file of one's own."""

import json
import os
import re
import subprocess
import sys
from functools import partial
from importlib import import_module
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest

from skcorrupt import BaseCorruption, CorruptLabels, CorruptMissing, Pattern, SelectionBias
from skcorrupt.cli import main
from skcorrupt.cli._load import seconds_of, split_label
from skcorrupt.cli._table import load_table
from unsaved import unsaved

pytestmark = pytest.mark.usefixtures("few_fits", "undrawn")

SMALL = ["--max-conditions", "1", "--n-calls", "2", "--quiet"]
CLASSES = {cls.__name__: cls for cls in (CorruptMissing, CorruptLabels, SelectionBias)}


def search(*argv, label="churned", data="data.csv"):
    return main(unsaved(["search", data, "--label", label, *SMALL, *argv]))


def told(capsys):
    captured = capsys.readouterr()
    assert captured.err.startswith("skcorrupt: error: ") and captured.err.count("\n") == 1
    return captured.err


@pytest.mark.long
def test_all_that_is_found_is_printed_and_saved(folder, capsys):
    argv = ["--pipeline", "cli_test_model:quick", "--scoring", "roc_auc", "--out", "new/results"]
    argv += ["--cv", "2", "--corrupt-columns", "age,home city", "--pattern-columns", "home city"]
    assert search(*argv) == 0
    out = capsys.readouterr().out
    saved = folder / "new" / "results"
    assert {path.name for path in saved.iterdir()} == {
        "alternatives.csv",
        "alternatives.png",
        "candidates.csv",
        "report.html",
        "result.json",
        "run.json",
        "search.png",
        "summary.txt",
        "worst_corruption.json",
    }
    assert pd.read_csv(saved / "alternatives.csv")["score"].notna().sum() > 1
    rebuilt = BaseCorruption.from_dict(json.loads((saved / "worst_corruption.json").read_text()))
    assert f"  {rebuilt!r}\n" in out
    (line,) = [line for line in out.splitlines() if line.startswith("  CorruptMissing(")]
    evaluated = eval(line, {"Pattern": Pattern, **CLASSES})
    assert evaluated.get_params() == rebuilt.get_params()
    assert "Plan: about" in out and out.index("Plan:") < out.index("worst found")
    assert "drop, 95 % interval" in out
    report = (saved / "summary.txt").read_text(encoding="utf-8")
    assert report == out[: out.index("Saved in")]
    table = pd.read_csv(saved / "candidates.csv")
    assert f"{len(table)} candidates scored." in out
    assert table.loc[0, "pattern"] == str(rebuilt.pattern)
    assert table.loc[0, "columns"] == rebuilt.columns[0]
    assert table["rank_test_score"].is_monotonic_increasing
    assert (saved / "search.png").read_bytes().startswith(b"\x89PNG")
    alternatives = pd.read_csv(saved / "alternatives.csv")
    assert "By what patterns look at" in out
    assert alternatives["pattern"].dropna().iloc[0] in out
    assert {True, False} == set(alternatives["uses_label"])


def test_one_alternative_makes_no_picture(folder, capsys):
    argv = ["--pipeline", "cli_test_model:quick", "--corruption", "selection", "--out", "one"]
    argv += ["--label-condition", "forbidden", "--pattern-columns", "home city", "--no-confirm"]
    assert search(*argv) == 0
    alternatives = pd.read_csv(folder / "one" / "alternatives.csv")
    assert alternatives["score"].notna().sum() == 1
    assert not (folder / "one" / "alternatives.png").exists()


@pytest.mark.long
def test_a_list_of_kinds(folder, capsys):
    argv = ["--corruption", "missing,selection", "--no-confirm", "--out", "results"]
    argv += ["--pipeline", "cli_test_model:quick"]
    argv += ["--pattern-columns", "member", "--corrupt-columns", "home city", "--cv", "2"]
    assert search(*argv, "--budget", "0.2,0.4") == 0
    table = pd.read_csv(folder / "results" / "candidates.csv")
    assert set(table["kind"]) == {"missing", "selection"}
    curve = pd.read_csv(folder / "results" / "budgets.csv")
    assert set(curve["kind"]) <= {"missing", "selection"}
    assert set(pd.read_csv(folder / "results" / "alternatives.csv")["kind"]) == set(table["kind"])
    assert "selection" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize(
    ("corruption", "kind"), [("labels", CorruptLabels), ("selection", SelectionBias)]
)
def test_other_errors_with_the_default_pipeline(corruption, kind, folder, capsys):
    argv = ["--corruption", corruption, "--no-confirm", "--out", "results", "--budget", "0.2"]
    assert search(*argv, "--pattern-columns", "member,home city", "--cv", "2") == 0
    out = capsys.readouterr().out
    assert "No --pipeline given: median imputer and scaler for 2 columns of numbers" in out
    assert "one-hot encoding for 2 others, logistic regression" in out
    assert "on rows not searched" not in out
    text = (folder / "results" / "worst_corruption.json").read_text(encoding="utf-8")
    winner = BaseCorruption.from_dict(json.loads(text))
    assert isinstance(winner, kind)
    assert set(winner.pattern.columns) <= {"member", "home city"}


@pytest.mark.long
def test_several_budgets_on_a_proxy_with_a_journal(folder, capsys):
    argv = ["--cv", "2", "--corrupt-columns", "age", "--pattern-columns", "home city"]
    argv += ["--budget", "0.1,0.3", "--proxy", "linear", "--journal", "kept.db", "--out", "results"]
    assert search(*argv, "--max-time", "9e5") == 0
    out = capsys.readouterr().out
    assert "screened on a linear proxy (rank correlation with the pipeline" in out
    curve = pd.read_csv(folder / "results" / "budgets.csv")
    assert curve["budget"].tolist() == [0.1, 0.3]
    shown = [line.split() for line in out.splitlines() if line.startswith(("10 % ", "30 % "))]
    assert [float(line[2]) for line in shown] == pytest.approx(curve["worst_score"], abs=6e-4)
    kept = (folder / "kept.db").stat().st_size
    assert kept > 0 and search(*argv) == 0
    assert pd.read_csv(folder / "results" / "budgets.csv").equals(curve)


@pytest.mark.long
def test_numbers_as_labels_another_separator_and_an_instance(folder, capsys):
    table = pd.read_csv("data.csv")
    table["churned"] = (table["churned"] == "yes").astype(int)
    table.to_csv("tabs.tsv", sep="\t", index=False)
    argv = ["--sep", "tab", "--no-confirm", "--corrupt-columns", "age", "--cv", "2"]
    assert search(*argv, "--pipeline", "cli_test_model:pipeline", data="tabs.tsv") == 0
    assert "Losing `age`" in capsys.readouterr().out


@pytest.mark.long
def test_a_quantity_gets_ridge_regression(folder, capsys):
    argv = ["--drop", "churned,member", "--corrupt-columns", "age", "--no-confirm", "--cv", "2"]
    assert search(*argv, label="income") == 0
    out = capsys.readouterr().out
    assert "ridge regression" in out and "2 features" in out
    assert search("--corruption", "labels", label="income") == 2
    assert "CorruptLabels(shift=…)) moves it, as factor=… and noise=… do" in told(capsys)


@pytest.mark.long
def test_a_seed_gives_the_same_again_and_an_excluded_pattern_is_not_found(folder, capsys):
    argv = ["--corruption", "selection", "--no-confirm", "--pattern-columns", "home city"]
    assert search(*argv, "--seed", "3") == 0
    first = capsys.readouterr().out
    assert search(*argv, "--seed", "3") == 0
    second = capsys.readouterr().out
    assert first.partition("Plan")[0] == second.partition("Plan")[0]
    assert first.partition("\n\n")[2] == second.partition("\n\n")[2]
    (pattern,) = [line[9:] for line in first.splitlines() if line.startswith("Pattern: ")]
    assert search(*argv, "--seed", "3", "--exclude", pattern, "income <= 9") == 0
    assert f"Pattern: {pattern}\n" not in capsys.readouterr().out


@pytest.mark.filterwarnings("default:No candidate is feasible")
def test_nothing_feasible_is_a_result_too(folder, capsys):
    assert search("--budget", "0.001", "--out", "results") == 0
    captured = capsys.readouterr()
    assert "No feasible error" in captured.out
    assert captured.err.startswith("skcorrupt: warning: No candidate is feasible")
    assert not (folder / "results" / "worst_corruption.json").exists()


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--budget", "5"], "--budget: '5' should be above 0 and at most 1"),
        (["--budget", "ten"], "--budget: 'ten' should be above 0 and at most 1"),
        (["--corruption", "typos"], "invalid choice: 'typos'"),
        (["--scoring", "auc"], "did you mean 'roc_auc'?"),
        (["--max-time", "0"], "--max-time: '0' should be seconds above 0, such as 600"),
        (["--max-time", "long"], "--max-time: 'long' should be seconds above 0"),
        (["--cv", "1"], "--cv: '1' should be a whole number from 2 up"),
        (["--n-calls", "x"], "--n-calls: 'x' should be a whole number from 1 up"),
        (["--sep", "ab"], "--sep: 'ab' should be one character"),
        (["--exclude", "age ="], "--exclude 'age ='"),
        (["--exclude", "agee <= 3"], "'agee' is not a column. Did you mean 'age'?"),
        (["--pattern-columns", "age,foo"], "--pattern-columns 'foo' is not a column"),
        (["--corrupt-columns", "foo"], "--corrupt-columns 'foo' is not a column"),
        (["--drop", "foo"], "--drop 'foo' is not a column"),
        (["--drop", "churned"], "--drop 'churned' is the --label"),
        (["--drop", "age,home city,income,member"], "no column besides --label"),
        (["--label", "churn"], "--label 'churn' is not a column. Did you mean 'churned'?"),
        # "income" is not near enough to ask whether it was meant
        (["--label", "nope"], "--label 'nope' is not a column. The columns are: "),
        (["--exclude", "nope <= 3"], "'nope' is not a column. The columns are: "),
        (["--out", "data.csv"], "--out data.csv is a file; name a folder"),
        (["--corruption", "labels", "--corrupt-columns", "age"], "has no effect"),
        (["--scoring", "r2"], "--scoring r2 is for labels that are numbers, and these are texts"),
        (["--scoring", "f1"], "--scoring f1 takes labels 0 and 1; f1_macro takes any"),
        (["--scoring", "jaccard"], "--scoring jaccard takes labels 0 and 1; jaccard_macro"),
    ],
)
def test_a_bad_option_gets_one_line(argv, message, folder, capsys):
    assert search(*argv) == 2
    assert message in told(capsys)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cli_test_model", "should be module:object"),
        (".model:build", "should be module:object"),
        ("cli_test_model.py:build", "cli_test_model:build, and run the command in its folder"),
        ("no_such_module:x", "there is no module 'no_such_module'"),
        ("cli_test_model:buidl", "has no 'buidl'; did you mean 'build'?"),
        ("cli_test_model:number", "is of type int, not an estimator"),
        ("cli_test_model:needs_argument", "calling it without arguments failed: TypeError"),
        ("cli_test_model:fails", "RuntimeError: no way"),
        ("cli_test_broken:x", "failed (cli_test_broken.py, line 2): NameError"),
        ("cli_test_syntax:x", "failed (cli_test_syntax.py, line 2): SyntaxError: invalid syntax"),
        ("cli_test_needs:x", "No module named 'no_such_library'"),
        ("cli_test_exits:x", "SystemExit: 3"),
        ("cli_test_model:bare", "the pipeline fails on the data as they are: ValueError"),
    ],
)
def test_a_bad_pipeline_gets_one_line(spec, message, folder, capsys):
    (folder / "cli_test_broken.py").write_text("x = 1\ny = undefined\n")
    (folder / "cli_test_syntax.py").write_text("x = 1\ny = = 2\n")
    (folder / "cli_test_needs.py").write_text("import no_such_library\n")
    (folder / "cli_test_exits.py").write_text("raise SystemExit(3)\n")
    assert search("--pipeline", spec) == 2
    assert message in told(capsys)


def test_a_pipeline_without_an_imputer_is_told_the_remedy(folder, capsys):
    argv = ["--pipeline", "cli_test_model:no_imputer", "--corrupt-columns", "income"]
    assert search(*argv, "--scoring", "roc_auc") == 2
    assert "add an imputer" in told(capsys)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"a,y\n", "no rows"),
        (b"a,y\n1,2\n3,4,5,6\n", "cannot read bad.csv as CSV"),
        (b"a,y\n1,2,3\n4,5,6\n", "more cells than the header line"),
        # numbers with a decimal comma
        (
            b"a;b;y\n1,5;2;0\n2,5;3;1\n",
            "than the header line has names; if cells are separated by ';'",
        ),
        (bytes(range(128, 256)), "is not text in UTF-8"),
        (
            b"a;y\n1;0\n2;1\n",
            "There is one column only; if cells are separated by ';', pass --sep ';'. The",
        ),
        (b"a\ty\n1\t0\n2\t1\n", "if cells are separated by a tab, pass --sep tab. The"),
        (
            b"a;b;c;y, z\n1;0;1;2, 3\n",
            "A column seems to hold several; if cells are separated by ';', pass --sep ';'. The",
        ),
        (b"yy,color|red|dark\n1,0\n0,1\n", "Did you mean 'yy'? The columns"),
        (b"a\n1\n2\n", "if the file has more, say with --sep what separates its cells. The"),
        (b"a,y\n1,\n2,\n", "is missing in every row of bad.csv"),
        (b"a,y\n1,0\n2,0\n", "is 0 in every row"),
        (b"a,y\n1,0\n2,1\n", "n_splits=3"),
        (b"a,y\n1,Ann\n2,Bo\n3,Cy\n", "3 different values in 3 rows of bad.csv, as names have"),
    ],
)
def test_a_bad_file_gets_one_line(content, message, folder, capsys):
    (folder / "bad.csv").write_bytes(content)
    assert search("--no-confirm", label="y", data="bad.csv") == 2
    assert message in told(capsys)


def test_a_file_that_is_not_separated_as_said_gets_the_right_option(folder, capsys):
    (folder / "plain.csv").write_text("a,y\n1,0\n2,1\n", encoding="utf-8")
    assert search("--sep", ";", "--no-confirm", label="y", data="plain.csv") == 2
    assert "if cells are separated by ',', pass --sep ','" in told(capsys)


@pytest.mark.parametrize(("data", "message"), [("no.csv", "no such file"), (".", "is a folder")])
def test_no_file_gets_one_line(data, message, folder, capsys):
    assert search(data=data) == 2
    assert message in told(capsys)


@pytest.mark.long
def test_a_picture_that_cannot_be_written_does_not_spoil_the_rest(folder, capsys):
    (folder / "results" / "search.png").mkdir(parents=True)
    argv = ["--no-confirm", "--out", "results", "--corruption", "selection"]
    assert search(*argv, "--pattern-columns", "home city", "--cv", "2") == 0
    assert "No image: cannot write" in capsys.readouterr().out
    scores = pd.read_csv(folder / "results" / "candidates.csv")["mean_test_score"]
    assert np.isfinite(scores).all()


class TestServing:
    @pytest.fixture
    def fitted(self, folder):
        (folder / "served_model.py").write_text(
            "import pandas as pd\n"
            "import cli_test_model\n"
            "table = pd.read_csv('data.csv')\n"
            "model = cli_test_model.quick.fit(\n"
            "    table.drop(columns='churned'), table['churned']\n"
            ")\n"
        )
        return "served_model:model"

    @pytest.mark.long
    def test_a_fitted_model_is_served_errors(self, folder, fitted, capsys):
        assert search("--serving", "--model", fitted, "--out", "served", "--no-confirm") == 0
        out = capsys.readouterr().out
        assert "any rows:" in out and "By column" in out
        assert (folder / "served" / "worst_corruption.json").exists()
        assert f"Image: {Path('served', 'damage.png')}" in out and "detection.png" not in out
        assert (folder / "served" / "damage.png").stat().st_size > 0

    def test_without_labels(self, folder, fitted, capsys):
        argv = ["search", "data.csv", "--serving", "--model", fitted, "--drop", "churned", *SMALL]
        assert main(unsaved(argv)) == 0
        assert "no label" in capsys.readouterr().out

    @pytest.mark.long
    def test_errors_pass_the_checks(self, folder, fitted, capsys):
        argv = ["--serving", "--model", fitted, "--no-confirm", "--corrupt-columns", "age"]
        assert search(*argv) == 0
        free = capsys.readouterr().out
        table = pd.read_csv("data.csv")
        pd.concat([table] * 8).to_csv("reference.csv", index=False)
        checks = ["--checks", "reference.csv", "--batch-size", "40", "--out", "watched"]
        assert search(*argv, *checks) == 0
        assert (folder / "watched" / "detection.png").stat().st_size > 0
        watched = capsys.readouterr().out
        assert "Who notices the worst error" in watched and "MissingShare" in watched
        free, watched = (
            float(re.search(r"worst found +([.\d]+)", out).group(1)) for out in (free, watched)
        )
        assert free <= watched

    @pytest.mark.long
    def test_checks_that_notice_the_errors_are_saved(self, folder, fitted, capsys):
        table = pd.read_csv("data.csv")
        pd.concat([table] * 20).to_csv("many.csv", index=False)
        argv = ["--serving", "--model", fitted, "--suggest-checks", "--batch-size", "50"]
        argv += ["--corruption", "scale", "--corrupt-columns", "age", "--out", "watched"]
        assert search(*argv, "--no-confirm", data="many.csv") == 0
        out, found = capsys.readouterr().out, folder / "watched"
        said = out[out.index("Which checks notice") :]
        assert "ValueRange(age)" in said and "caught" in said and "who knows the checks" in said
        assert "Page" not in (found / "summary.txt").read_text(encoding="utf-8")
        assert said[: said.index("Saved in")] in (found / "summary.txt").read_text(encoding="utf-8")
        page = (found / "checks.html").read_text(encoding="utf-8")
        assert "ValueRange(age)" in page and "--suggest-checks" in page
        table.assign(age=1000 * table["age"]).to_csv("wrong.csv", index=False)
        run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        run += ["-o", "addopts=", f"--rootdir={found}", str(found / "test_batch.py")]
        for batch, passes in (("many.csv", True), ("wrong.csv", False)):
            env = {**os.environ, "BATCH_PATH": str(folder / batch)}
            ended = subprocess.run(run, env=env, capture_output=True, text=True, check=False)
            assert (ended.returncode == 0) == passes, ended.stdout

    @pytest.mark.filterwarnings("ignore:The clean pipeline scores")
    @pytest.mark.long
    def test_where_nothing_does_harm_no_check_is_suggested(self, folder, fitted, capsys):
        pd.read_csv("data.csv").assign(spare=1.5).to_csv("spare.csv", index=False)
        (folder / "blind.py").write_text(
            "import pandas as pd\n"
            "from sklearn.dummy import DummyClassifier\n"
            "table = pd.read_csv('spare.csv')\n"
            "model = DummyClassifier().fit(table.drop(columns='churned'), table['churned'])\n"
        )
        argv = ["--serving", "--model", "blind:model", "--scoring", "accuracy", "--out", "blind"]
        argv += ["--suggest-checks"]
        assert search(*argv, "--no-confirm", data="spare.csv") == 0
        out = capsys.readouterr().out
        assert "No check is suggested. No error of the search does harm, so" in out
        assert "a larger --budget" in out and not (folder / "blind" / "test_batch.py").exists()

    def test_reference_rows_have_the_columns(self, folder, fitted, capsys):
        pd.read_csv("data.csv").drop(columns="age").to_csv("reference.csv", index=False)
        argv = ["--serving", "--model", fitted, "--checks", "reference.csv"]
        assert search(*argv) == 2
        message = told(capsys)
        assert "age" in message and "reference.csv" in message

    @pytest.mark.long
    def test_a_pipeline_is_fitted_on_splits(self, folder, capsys):
        assert search("--serving", "--pipeline", "cli_test_model:build", "--no-confirm") == 0
        assert "By column" in capsys.readouterr().out

    def test_files_are_loaded_where_they_are_trusted(self, folder, capsys, monkeypatch):
        monkeypatch.syspath_prepend(folder)
        table = pd.read_csv("data.csv")
        model = import_module("cli_test_model").build()
        joblib.dump(model.fit(table.drop(columns="churned"), table["churned"]), "model.joblib")
        assert search("--serving", "--model", "model.joblib") == 2
        assert "add --trust" in told(capsys)
        argv = ["--serving", "--model", "model.joblib", "--trust", "--no-confirm"]
        assert search(*argv) == 0
        assert "any rows:" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("argv", "message"),
        [
            (["--model", "served_model:model"], "add --serving"),
            (["--checks", "data.csv"], "--checks watch rows that are served"),
            (["--suggest-checks"], "--suggest-checks finds checks of rows that are served"),
            (["--serving", "--suggest-checks", "--corruption", "all"], "name one kind or several"),
            (["--serving", "--model", "a:b", "--pipeline", "c:d"], "leave one of them out"),
            (["--serving", "--model", "cli_test_model:pipeline"], "not a fitted model"),
        ],
    )
    def test_what_does_not_go_together(self, folder, fitted, capsys, argv, message):
        assert search(*argv) == 2
        assert message in told(capsys)

    def test_a_label_is_needed_to_fit(self, folder, capsys):
        assert main(["search", "data.csv", *SMALL]) == 2
        assert "--label" in told(capsys)


@pytest.mark.long
def test_texts_that_are_dates_are_searched_as_dates(folder, capsys):
    table = pd.read_csv(folder / "data.csv")[["age", "churned"]]
    days = pd.Timestamp("2026-01-31") + pd.to_timedelta(np.arange(len(table)) % 100, unit="D")
    table["since"] = days.strftime("%Y-%m-%d")
    table.to_csv(folder / "dated.csv", index=False)
    argv = ["--pattern-columns", "since", "--corrupt-columns", "since", "--cv", "2", "--no-confirm"]
    argv += ["--label-condition", "forbidden", "--out", "found"]
    assert search(*argv, data="dated.csv") == 0
    assert "for 1 column of numbers, days, imputed and scaled, for 1 column of dates" in (
        capsys.readouterr().out
    )
    text = (folder / "found" / "worst_corruption.json").read_text(encoding="utf-8")
    (condition,) = BaseCorruption.from_dict(json.loads(text)).pattern.conditions.values()
    assert condition.bounds and "since" in text


@pytest.mark.many
@pytest.mark.parametrize("name", ["timed.parquet", "timed.csv"])
@pytest.mark.long
def test_durations_are_seconds_to_the_pipeline(name, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    n = 120
    table = pd.DataFrame({"age": rng.normal(size=n), "flag": rng.random(n) > 0.5})
    table["spent"] = pd.to_timedelta(rng.integers(60, 9999, n), unit="s")
    table["count"] = pd.array(rng.integers(0, 9, n), dtype="Int64")
    table["known"] = pd.array(rng.random(n) > 0.5, dtype="boolean")
    table["since"] = pd.Timestamp("2026-01-31") + table["spent"]
    table.loc[3, ["spent", "count"]] = None
    late = table["spent"].dt.total_seconds() > 5000
    table["y"] = np.where(late, "late", "early")
    write = table.to_parquet if name.endswith("parquet") else partial(table.to_csv, index=False)
    write(name)
    argv = ["--label", "y", "--serving", "--no-save", "--no-confirm", "--max-conditions", "1"]
    assert main(["search", name, *argv]) == 0
    out = capsys.readouterr().out
    assert "imputer and scaler for 2 columns of numbers, days, imputed and scaled, for 1" in out
    assert "seconds, imputed and scaled, for 1 column of durations, one-hot encoding for 2" in out


def test_seconds_of_durations_and_of_what_errors_made_of_them():
    spent = pd.to_timedelta(["1min", None, "-1.5s"])
    odd = pd.Series(["1 days", "?", None], dtype=object)
    seconds = seconds_of(pd.DataFrame({"spent": spent, "odd": odd}))
    np.testing.assert_array_equal(seconds["spent"], [60, np.nan, -1.5])
    np.testing.assert_array_equal(seconds["odd"], [86400, np.nan, np.nan])


@pytest.mark.parametrize(
    "labels",
    [
        [True, False, None, True, False],
        [1, 0, None, 1, 0],
        [1.5, 0.0, None, 1.0, 0.0],
        [1e20, 2.0, None, 1e20, 2.0],
        ["yes", "no", None, "yes", "no"],
    ],
)
def test_labels_with_gaps_are_what_they_are_without(tmp_path, labels):
    """Reading a file, pandas makes objects of booleans, and floats of integers."""
    path = tmp_path / "gaps.csv"
    whole = pd.DataFrame({"a": range(5), "y": pd.Series(labels, dtype=object)})
    whole.to_csv(path, index=False)
    X, y = split_label(load_table(path, ","), "y", [], path)
    expected = pd.Series([each for each in labels if each is not None], [0, 1, 3, 4], name="y")
    pd.testing.assert_series_equal(y, expected)
    assert X.index.equals(y.index)


@pytest.mark.long
def test_rows_without_a_label_are_left_out_with_a_word(folder, capsys):
    table = pd.read_csv(folder / "data.csv")
    table.loc[[3, 7], "churned"] = None
    table.to_csv(folder / "gaps.csv", index=False)
    argv = ["--pattern-columns", "member", "--corrupt-columns", "age", "--cv", "2", "--no-confirm"]
    assert search(*argv, data="gaps.csv") == 0
    said = "gaps.csv: 118 rows, 4 features, label 'churned'; 2 rows without a label left out"
    assert said in capsys.readouterr().out
    table.assign(churned=None).to_csv(folder / "none.csv", index=False)
    assert search(*argv, data="none.csv") == 2
    assert "the label 'churned' is missing in every row of none.csv" in told(capsys)


def test_an_unknown_option_points_to_the_help_of_its_command(capsys):
    assert main(["search", "data.csv", "--labels", "churned"]) == 2
    assert "unrecognized arguments: --labels churned; see skcorrupt search --help" in told(capsys)


@pytest.mark.long
def test_columns_that_patterns_do_not_use_are_in_none(folder, capsys):
    """Not even where they are hit, once no condition on what is hit is required."""
    argv = ["--corrupt-columns", "age", "--pattern-columns", "home city", "--no-confirm"]
    argv += ["--pipeline", "cli_test_model:quick", "--cv", "2"]
    for own, allowed in (("allowed", {"home city"}), ("required", {"age"})):
        assert search(*argv, "--own-column", own, "--out", own) == 0
        table = pd.read_csv(folder / own / "candidates.csv")
        used = {name for text in table["pattern"] for name in Pattern.parse(text).columns}
        assert used - {"y"} == allowed
