"""Every kind of error tried on a file of one's own."""

import re
import shlex
import sys

import pandas as pd
import pytest

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.adversarial._time_too_short import TimeTooShort
from skcorrupt.cli import main
from skcorrupt.cli._everything import _of_drops
from skcorrupt.corruptions import short_names
from unsaved import unsaved

pytestmark = pytest.mark.usefixtures("few_fits", "undrawn")

KINDS = ("dates", "labels", "missing")
ALL = ["--label", "churned", "--error", "all", "--quiet", "--cv", "2", "--n-calls", "1"]
ALL += ["--pipeline", "cli_test_fast:fast", "--no-confirm"]


@pytest.fixture(autouse=True)
def _few_kinds(monkeypatch):
    few = {kind: short_names()[kind] for kind in KINDS}
    monkeypatch.setattr("skcorrupt.cli._everything.short_names", lambda: few)


@pytest.mark.long
def test_kinds_and_columns_are_ranked_in_one_table(fast, capsys):
    pd.read_csv("small.csv").to_csv("semi colons.csv", sep=";", index=False)
    argv = ["search", "semi colons.csv", "--sep", ";", *ALL, "--out", "all"]
    assert main(argv) == 0
    out = capsys.readouterr().out
    # what it takes is said before, for the kinds that are possible
    planned = re.search(r"^Plan: 2 kinds, about (\d+) candidates in \d+ s, up to \d+ s;", out, re.M)
    assert int(planned[1]) > 2 and planned.start() < out.index("[1/3]")
    table = pd.read_csv("all/kinds.csv")
    assert table["drop"].is_monotonic_decreasing
    assert not table.duplicated(["kind", "columns"]).any()
    tried = out.partition("Not possible, or not tried\n")[2]
    impossible = re.findall(r"^  (\w+): ", tried.partition("\n\n")[0], flags=re.MULTILINE)
    assert {*table["kind"]} | {*impossible} == {*KINDS}
    assert impossible == ["dates"]
    assert {*table.loc[table["kind"] == "missing", "columns"]} == {"old"}
    page = (fast / "all" / "report.html").read_text(encoding="utf-8")
    # the page of the worst says what the others do, also one made of its results
    assert "Every kind of error" in page and "Errors of 2 kinds were tried" in page
    assert (fast / "all" / "kinds.png").stat().st_size > 0
    assert main(["report", "all", "--out", "again.html"]) == 0
    capsys.readouterr()
    assert "Every kind of error" in (fast / "again.html").read_text(encoding="utf-8")
    (hint,) = [line for line in out.splitlines() if line.startswith("  python -m skcorrupt")]
    again = shlex.split(hint)[3:]
    assert (
        main(
            unsaved([*again, "--quiet", "--n-calls", "1", "--max-conditions", "1", "--no-confirm"])
        )
        == 0
    )
    assert "worst found" in capsys.readouterr().out


def test_it_ends_with_the_time(fast, capsys):
    assert main(unsaved(["search", "small.csv", *ALL, "--max-time", "4"])) == 0
    out = capsys.readouterr().out
    assert "What hurts most" in out
    assert "Plan: 3 kinds in at most 4 s, as --max-time says" in out
    assert out.count("--max-time ended the search") <= 1


def test_likely_kinds_get_the_time_they_need_where_it_does_not_suffice_for_all(
    fast, capsys, monkeypatch
):
    fitted, limits = AdversarialCorruptionSearch.fit, []

    def choosy(search, X, y):
        limits.append(search.max_time)
        if search.max_time < 50:
            raise TimeTooShort("max_time is too short", 50.0)
        return fitted(search, X, y)

    monkeypatch.setattr(AdversarialCorruptionSearch, "fit", choosy)
    assert main(unsaved(["search", "small.csv", *ALL, "--max-time", "90"])) == 0
    # a third was too little for the first kind, which then got what it needs
    assert limits[0] < 31 and limits[1] == 50.0
    said = capsys.readouterr().out
    assert re.search("^missing +old", said, re.MULTILINE) and "too short" not in said


def test_seconds_that_are_fewer_than_a_kind_needs_are_told(fast, capsys, monkeypatch):
    fitted = AdversarialCorruptionSearch.fit

    def choosy(search, X, y):
        if search.corruption != "missing":
            raise TimeTooShort("max_time is too short", 1000.0)
        return fitted(search, X, y)

    monkeypatch.setattr(AdversarialCorruptionSearch, "fit", choosy)
    assert main(unsaved(["search", "small.csv", *ALL, "--max-time", "900"])) == 0
    out = capsys.readouterr().out
    assert re.search(r"\d+ s were left, and a kind needs 1000 s", out)
    assert "no time was left" not in out


def test_several_budgets_are_for_one_kind(fast, capsys):
    assert main(unsaved(["search", "small.csv", *ALL, "--budget", "0.1,0.2"])) == 2
    assert "takes one --budget" in capsys.readouterr().err


def test_a_fitted_model_stays_as_it_is(fast, capsys):
    """What is served is the model of the user, not one like it."""
    (fast / "kept_model.py").write_text(
        "import pandas as pd\n"
        "import cli_test_fast\n"
        "table = pd.read_csv('small.csv')\n"
        "y = table.pop('churned')\n"
        "class Kept(type(cli_test_fast.fast)):\n"
        "    n_fits = 0\n"
        "    def fit(self, X, y=None, **params):\n"
        "        Kept.n_fits += 1\n"
        "        return super().fit(X, y, **params)\n"
        "model = Kept(**cli_test_fast.fast.get_params(deep=False)).fit(table, y)\n"
    )
    argv = ["search", "small.csv", "--label", "churned", "--corruption", "all", "--quiet"]
    argv += ["--serving", "--model", "kept_model:model", "--no-confirm", "--max-conditions", "1"]
    assert main(unsaved(argv)) == 0
    assert "What hurts most" in capsys.readouterr().out
    assert sys.modules["kept_model"].Kept.n_fits == 1


@pytest.mark.parametrize(
    ("confirmed", "said"),
    [
        ({}, "not measured on rows not searched."),
        ({"labels": 0.1, "missing": 0.0, "dates": 0.0}, "comes from rows not searched."),
        ({"labels": 0.1}, "Of 2 kinds there is none."),
        ({"dates": 0.1}, "Of labels, the worst of all, and 1 other kind there is none."),
        ({"missing": 0.0, "dates": 0.0}, "Of labels, the worst of all, there is none."),
    ],
)
def test_of_which_kinds_there_are_intervals_is_told(confirmed, said):
    table = pd.DataFrame({"kind": ["labels", "labels", "missing", "dates"]})
    table["confirmed_low"] = table["kind"].map(confirmed).astype(float)
    table.loc[1, "confirmed_low"] = float("nan")
    assert _of_drops(table).endswith(said)
