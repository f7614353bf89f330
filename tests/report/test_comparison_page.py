"""The page of a comparison says who stands errors best, and shows nobody's data."""

import ast
import copy
import re

import numpy as np
import pandas as pd
import pytest

import fitted_systems
from cheap_models import Centroids
from few_fits import make_few_fits
from html_faults import Page
from skcorrupt.adversarial import SearchSpace
from skcorrupt.report import write_html
from skcorrupt.robustness import compare_robustness

HOSTILE = "<script>alert(1)</script>"


def made(names=("one", HOSTILE), **params):
    X, y = fitted_systems.table()
    settings = {
        "corruptions": "selection",
        "budgets": 0.2,
        "space": SearchSpace(max_conditions=1, n_bins=2),
        "strategy": "exhaustive",
        "cv": 2,
        "random_state": 0,
    }
    return compare_robustness({n: Centroids() for n in names}, X, y, **settings | params)


@pytest.fixture(scope="module")
def comparison():
    with pytest.MonkeyPatch.context() as monkeypatch:
        make_few_fits(monkeypatch)
        return made()


def read(fitted, folder):
    return write_html(fitted, folder / "page.html").read_text(encoding="utf-8")


@pytest.mark.long
def test_the_page_is_whole_and_says_all(comparison, tmp_path):
    source = read(comparison, tmp_path)
    page = Page(source)
    assert page.faults == []
    assert len(page.images) == 2 and "could not be drawn" not in page.text
    assert "http" not in re.sub(r"data:image/png;base64,[^\"]*|http-equiv", "", source)
    for sentence in comparison.sentences():
        assert sentence in page.text
    for parameter in comparison.get_params():
        assert parameter in page.text
    assert "Which differences are real" in page.text
    prose = page.text[: page.text.index("All settings, as they are")]
    assert not re.search(r"[{}]|\bNone\b|\bnan\b|  ", prose.replace("None of", ""))


def cells_below(source, caption):
    """Rows of the table with a caption, each as texts."""
    table = source[source.index(caption) :]
    body = table[table.index("<tbody>") : table.index("</tbody>")]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in body.split("<tr>")[1:]]
    return [[re.sub(r"<[^>]*>", "", cell) for cell in row] for row in rows]


@pytest.mark.usefixtures("undrawn")
@pytest.mark.long
def test_tables_begin_with_the_largest_drops(comparison, tmp_path):
    source = read(comparison, tmp_path)
    for caption in ("The worst error of each, as a pattern", "What the worst error found for one"):
        rows = cells_below(source, caption)
        drops = [float(row[-1]) for row in rows]
        assert len(drops) > 1 and drops == sorted(drops, reverse=True)
        # as sentences call it
        assert all("rows left out" in row and "selection" not in row for row in rows)


@pytest.mark.usefixtures("undrawn")
def test_the_advice_is_no_wider_than_what_is_known(comparison, tmp_path):
    known = copy.copy(comparison)
    first = comparison.results_.assign(rank=["1", "2"])
    known.results_ = first
    assert "Take one, which stands rows left out best." in Page(read(known, tmp_path)).text
    known.results_ = pd.concat([first, first.assign(corruption="missing", rank="1–2")])
    said = Page(read(known, tmp_path)).text
    assert "stands rows left out best. Under missing values none is ahead of all others" in said


@pytest.mark.usefixtures("undrawn")
def test_an_early_end_is_said_in_the_sentences_and_the_limits(comparison, tmp_path):
    cut = copy.copy(comparison)
    cut.interrupted_ = True
    assert "ended early" not in Page(read(comparison, tmp_path)).text
    assert Page(read(cut, tmp_path)).text.count("comparison was ended early") == 2


@pytest.mark.usefixtures("undrawn")
def test_remarks_stand_below_the_table_once_for_all_budgets(comparison, tmp_path):
    noted = copy.copy(comparison)
    noted.results_ = comparison.results_.assign(message="It took too long.")
    text = Page(read(noted, tmp_path)).text
    one, other = comparison.results_["estimator"].unique()
    said = f"`{one}` under rows left out, `{other}` under rows left out: It took too long."
    assert text.replace("\n", "").count(said.replace("`", "")) == 1


@pytest.mark.usefixtures("undrawn")
def test_names_cannot_inject_anything(comparison, tmp_path):
    source = read(comparison, tmp_path)
    assert source.count("<script") == 1 and HOSTILE in Page(source).text


@pytest.mark.usefixtures("undrawn")
def test_the_code_calls_the_function(comparison, tmp_path):
    text = Page(read(comparison, tmp_path)).text
    code = text[text.index("comparison = compare_robustness(") :]
    tree = ast.parse(code[: code.index("print(")])
    given = {each.arg for each in tree.body[0].value.keywords}
    assert {"X", "y", "estimators", "corruptions", "budgets", "random_state"} <= given
    assert "from skcorrupt.robustness import compare_robustness" in text


@pytest.mark.usefixtures("undrawn", "few_fits")
def test_groups_are_not_on_the_page_or_in_the_result(tmp_path):
    groups = np.repeat([f"person-{i}" for i in range(30)], 4)
    found = made(groups=groups, confirm_size=None, names=("one",))
    page = Page(read(found, tmp_path))
    assert "person-" not in page.text and "groups of 120 rows" in page.text
    assert "not confirmed on rows of their own" in page.text


def test_one_that_failed_is_told_and_there_may_be_nothing_to_draw(tmp_path):
    with pytest.warns(UserWarning, match="None of the 1 estimators"):
        found = compare_robustness(
            {"bare": fitted_systems.LogisticRegression()},
            *fitted_systems.table(),
            corruptions="missing",
            budgets=0.2,
            random_state=0,
        )
    page = Page(read(found, tmp_path))
    assert page.faults == []
    assert "nothing could be compared" in page.text and "nothing to draw" in page.text
    assert "bare under missing values: " in page.text
