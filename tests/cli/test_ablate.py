"""Stage fairness of a file of one's own."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt.cli import main
from unsaved import unsaved

pytestmark = pytest.mark.usefixtures("undrawn")

MODEL = """
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

prep = ColumnTransformer([
    ("bins", KBinsDiscretizer(3, strategy="uniform"), ["skill"]),
    ("city", OneHotEncoder(handle_unknown="ignore"), ["city"]),
])
pipeline = Pipeline([("prep", prep), ("model", LogisticRegression())])
numbers = Pipeline([("prep", prep), ("model", LinearRegression())])
shaky = Pipeline([
    ("prep", prep), ("model", DecisionTreeClassifier(max_depth=1, max_features=1, random_state=0))
])
bare = LogisticRegression()
"""


@pytest.fixture
def people(folder):
    (folder / "cli_test_stages.py").write_text(MODEL)
    rng = np.random.default_rng(0)
    n = 200
    table = pd.DataFrame({"sex": rng.choice(["f", "m"], n), "age": rng.integers(18, 70, n)})
    table["city"] = rng.choice(["Paris", "Rome"], n)
    table["skill"] = rng.normal(size=n) + (table["sex"] == "m")
    table["hired"] = np.where(table["skill"] + rng.normal(size=n) > 0.5, "yes", "no")
    table["wage"] = table["skill"] * 10 + rng.normal(size=n)
    table.to_csv("people.csv", index=False)
    return folder


def ablate(*argv, sensitive="sex", privileged="m", favourable="yes", label="hired"):
    own = ["--label", label, "--sensitive", sensitive, "--privileged", privileged, "--quiet"]
    argv = ["ablate", "people.csv", *own, *argv]
    argv += ["--favourable", favourable] if favourable else []
    return main(unsaved(argv))


def told(capsys):
    captured = capsys.readouterr()
    assert captured.err.startswith("skcorrupt: error: ") and captured.err.count("\n") == 1
    return captured.err


@pytest.mark.long
def test_what_is_found_is_printed_and_saved(people, capsys):
    argv = ["--pipeline", "cli_test_stages:pipeline", "--drop", "wage,sex", "--out", "results"]
    assert ablate(*argv) == 0
    out = capsys.readouterr().out
    assert "sex: f / m; what each stage adds" in out
    lines = [line.split() for line in out.splitlines()]
    stages = [line[0] for line in lines if line and line[0].startswith("prep__")]
    assert stages == ["prep__bins", "prep__city"]
    effects = pd.read_csv("results/stage_effects.csv")
    assert effects["stage"].unique().tolist() == stages
    spd = effects[(effects["stage"] == "prep__bins") & (effects["metric"] == "spd")].iloc[0]
    [printed] = [line for line in lines if line[:1] == ["prep__bins"]]
    assert float(printed[1].rstrip("*")) == pytest.approx(spd["mean"], abs=6e-4)
    assert printed[1].endswith("*") == spd["significant"]
    # as on the page: what is added has a sign
    assert all(part[0] in "+-" for part in printed[1:])
    for name in ("global_fairness", "performance_effects", "dropped_rows"):
        assert (people / "results" / f"{name}.csv").exists()


@pytest.mark.long
def test_the_default_pipeline_patterns_and_a_noise_floor(people, capsys):
    argv = ["--drop", "wage", "--noise-floor", "--cv", "3", "--out", "results"]
    argv += ["--sensitive", "age", "--privileged", "age >= 40"]
    assert ablate(*argv) == 0
    out, errors = capsys.readouterr()
    assert "No --pipeline given" in out and "age: all others / age >= 40" in out
    # told once, by its name and in the words of the command
    assert "\nsimpleimputer is not left out, as" in out and "references=" not in out
    assert "simpleimputer instead of a constant " in out and "columntransformer__" not in out
    assert "is not left out" not in errors
    floor = pd.read_csv("results/noise_floor.csv")
    assert len(floor) == 8
    lines = [line for line in out.splitlines() if line.startswith("another seed alone: ")]
    assert len(lines) == 2
    for name, line in zip(("sex", "age"), lines, strict=True):
        told = [part.split() for part in line.partition(": ")[2].split(", ")]
        mine = floor[floor["sensitive"] == name]
        assert [metric.lower() for metric, _ in told] == mine["metric"].tolist()
        sizes = [float(size) for _, size in told]
        assert sizes == pytest.approx(mine["mean_size"].tolist(), abs=6e-4)


@pytest.mark.filterwarnings("default:Few test parts hold")
def test_what_holds_for_all_steps_is_said_once_and_of_which_gaps(people, capsys):
    """A few people are of a group, so that test parts hold nobody of it."""
    table = pd.read_csv("people.csv").drop(columns=["wage", "age"])
    table["sex"] = np.where(np.arange(len(table)) % 25, "m", "f")
    table.to_csv("people.csv", index=False)
    assert ablate("--cv", "20", "--scoring", "accuracy") == 0
    out, errors = capsys.readouterr()
    remarks = [line for line in out.splitlines() if "undefined on" in line]
    assert remarks and all(line.partition(":")[0].replace(", ", "").isupper() for line in remarks)
    named = [name for line in remarks for name in line.partition(":")[0].split(", ")]
    assert sorted(named) == ["AOD", "EOD", "ERD", "SPD"]
    assert "Few test parts hold people of both groups" in errors
    assert "(ok)" not in out and "references=" not in out
    assert "\nsimpleimputer is not left out, as" in out


@pytest.mark.filterwarnings("default:Few test parts hold")
def test_what_holds_for_one_attribute_is_said_of_that_one(people, capsys):
    table = pd.read_csv("people.csv").drop(columns=["wage", "age"])
    table["origin"] = np.where(np.arange(len(table)) % 25, "here", "there")
    table.to_csv("people.csv", index=False)
    argv = ["--sensitive", "origin", "--privileged", "here", "--cv", "20"]
    assert ablate(*argv, "--scoring", "accuracy") == 0
    remarks = [line for line in capsys.readouterr().out.splitlines() if "undefined on" in line]
    assert any(line.startswith("origin: there / here; ") for line in remarks)
    counts = [line.partition("undefined on ")[2] for line in remarks]
    assert len({*counts}) == len(counts)


def test_texts_that_are_dates_are_days_as_in_a_search(people, capsys):
    table = pd.read_csv("people.csv")[["sex", "skill", "hired"]]
    days = pd.Timestamp("2026-01-31") + pd.to_timedelta(np.arange(len(table)) % 100, unit="D")
    table.assign(since=days.strftime("%Y-%m-%d")).to_csv("people.csv", index=False)
    assert ablate("--cv", "2") == 0
    out = capsys.readouterr().out
    assert "days, imputed and scaled, for 1 column of dates" in out
    assert "one-hot encoding for 1 other" in out


def test_the_score_and_no_noise_floor(people, capsys):
    argv = ["--pipeline", "cli_test_stages:shaky", "--drop", "wage", "--cv", "3"]
    assert ablate(*argv, "--scoring", "roc_auc") == 0
    out = capsys.readouterr().out
    assert "another seed" not in out
    assert "AUC" in out and "roc_auc" not in out
    # letters that head columns are spelt out below
    assert "Gaps are in the rate of favourable decisions (SPD); " in out
    # seeds that the user set are no quiet
    assert ablate(*argv, "--noise-floor") == 0
    [line] = [line for line in capsys.readouterr().out.splitlines() if "another seed" in line]
    assert "SPD 0.000" not in line


def test_numbers(people, capsys):
    argv = ["--pipeline", "cli_test_stages:numbers", "--drop", "hired", "--cv", "3"]
    assert ablate(*argv, label="wage", favourable=None, privileged="m,f") == 2
    assert "everybody" in told(capsys)
    assert ablate(*argv, label="wage", favourable=None) == 0
    assert "  mean size of errors" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "settings", "message"),
    [
        ([], {"sensitive": "sexe"}, "--sensitive 'sexe' is not a column. Did you mean 'sex'"),
        ([], {"privileged": "man"}, "--privileged 'man' is neither a value of 'sex' (f, m)"),
        ([], {"favourable": None}, "--favourable is missing; name one of the labels"),
        ([], {"favourable": "oui"}, "--favourable 'oui' is not among the labels"),
        (["--sensitive", "age"], {}, "2 --sensitive and 1 --privileged"),
        (["--scoring", "acc"], {}, "--scoring 'acc' is not a score"),
        (["--pipeline", "cli_test_stages:bare"], {}, "should be a Pipeline"),
        (["--pipeline", "cli_test_stages:pipeline", "--stages", "x"], {}, "'x' is not a stage"),
        (
            ["--pipeline", "cli_test_stages:numbers"],
            {"label": "wage", "favourable": "1"},
            "--favourable '1': the label is a number",
        ),
    ],
)
def test_what_does_not_work_is_told_in_a_line(people, capsys, argv, settings, message):
    assert ablate(*argv, **settings) == 2
    assert message in told(capsys)
