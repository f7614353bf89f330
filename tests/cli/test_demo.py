"""The demo, on fewer columns and candidates than it has."""

import contextlib
import io
import re

import pytest

from few_fits import make_few_fits
from skcorrupt.cli._demo import demo, demo_call

# the demo itself, which takes a minute, is run as a user runs it, too
pytestmark = pytest.mark.slow
SMALL = {"columns": ("mean radius",), "max_conditions": 1, "n_rerank": 2}
ONE_SEARCH = {"errors": {"missing": "missing values"}, "budgets": (0.1,)}


def run(out, **less):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        demo(out, verbose=False, **SMALL, **less)
    return printed.getvalue()


@pytest.fixture(scope="module", autouse=True)
def _few_fits():
    with pytest.MonkeyPatch.context() as monkeypatch:
        make_few_fits(monkeypatch, few_draws=False)
        yield


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "new"
    return folder, run(folder)


def test_the_table_has_a_row_a_search(shown):
    lines = shown[1].splitlines()
    (head,) = [i for i, line in enumerate(lines) if line.startswith("error ")]
    assert re.split(r"  +", lines[head])[1:4] == ["clean", "random", "worst"]
    rows = [re.split(r"  +", line) for line in lines[head + 1 : head + 5]]
    assert [row[0] for row in rows] == [
        "Missing values, 5 % of rows",
        "Missing values, 10 % of rows",
        "Label errors, 5 % of rows",
        "Label errors, 10 % of rows",
    ]
    for row in rows:
        low, high = map(float, row[-1].split(" to "))
        assert low <= high
    # of missing values, two candidates are enough to find one that hurts
    assert all(float(row[3]) < float(row[1]) for row in rows[:2])


def test_the_printed_call_finds_what_was_printed(shown, capsys):
    _, text = shown
    call = text.partition("copy into Python:\n\n")[2].partition("print(search.summary())")
    call = call[0] + call[1]
    namespace = {}
    exec(call, namespace)
    sentence = capsys.readouterr().out.strip()
    assert f"in words:\n{sentence}\n" in text
    assert repr(namespace["search"].worst_corruption_) in text


def test_the_candidates_are_counted(shown):
    counts = [int(n) for n in re.findall(r"^(\d+) candidates\. ", shown[1], flags=re.MULTILINE)]
    assert len(counts) == 4
    assert f"\n{sum(counts)} candidates scored in " in shown[1]


def test_the_page_is_that_of_the_worst(shown):
    folder, text = shown
    page = folder / "skcorrupt-demo.html"
    assert text.splitlines()[-1].endswith(f"in a browser: {page}")
    assert "What was not searched" in page.read_text(encoding="utf-8")


def test_conditions_on_the_label_are_explained_once(shown):
    assert shown[1].count("--label-condition\nforbidden") == 1


def test_the_image_is_written(shown):
    folder, text = shown
    image = folder / "skcorrupt-demo.png"
    assert image.read_bytes().startswith(b"\x89PNG")
    assert f"Image: {image}" in text


def test_a_place_that_cannot_be_written_is_told_at_the_end(tmp_path):
    (tmp_path / "file").touch()
    text = run(tmp_path / "file" / "folder", **ONE_SEARCH)
    assert "candidates scored" in text
    assert text.splitlines()[-1].startswith("No image: cannot make the folder")


def test_the_call_quotes_columns():
    call = demo_call("labels", 0.05, ["a b"], max_conditions=1, n_rerank=2)
    assert '    "a b",\n' in call and '"labels"' in call and "budget=0.05" in call
