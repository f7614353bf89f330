"""A search for robust parameters has a page, results in JSON, and a finding in notebooks."""

import ast
import re

import numpy as np
import pytest
from scipy import stats
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from cheap_models import Centroids
from few_fits import make_few_fits
from html_faults import Page, undated
from skcorrupt import CorruptionProcess, CorruptMissing, CorruptScale
from skcorrupt.adversarial import SearchSpace
from skcorrupt.evaluation._left_out_error import LeftOutError
from skcorrupt.report import write_html
from skcorrupt.robustness import RobustSearchCV
from small_searches import small_data

pytestmark = pytest.mark.usefixtures("few_fits")


class Lost(CorruptMissing):
    """An error without words of its own."""

    short_name = "lost"


class Own(CorruptMissing):
    """An error with words of its own."""

    short_name = "own"
    title = "values that got lost"


GRID = {"standardscaler": [StandardScaler(), MinMaxScaler(), "passthrough"]}


def made(grid=GRID, **params):
    X, y = small_data()
    settings = {
        "space": SearchSpace(max_conditions=0, n_bins=3),
        "budget": 0.2,
        "max_clean_loss": 0.2,
        "cv": 2,
        "random_state": 0,
    } | params
    pipeline = make_pipeline(StandardScaler(), Centroids())
    return RobustSearchCV(pipeline, grid, "scale", **settings).fit(X.fillna(0), y)


@pytest.fixture(scope="module")
def search():
    with pytest.MonkeyPatch.context() as monkeypatch:
        make_few_fits(monkeypatch)
        return made()


@pytest.mark.slow
def test_the_page_is_whole_and_says_all(search, tmp_path):
    source = write_html(search, tmp_path / "page.html").read_text(encoding="utf-8")
    page = Page(source)
    assert page.faults == []
    assert len(page.images) == 1 and "could not be drawn" not in page.text
    assert "http" not in re.sub(r"data:image/png;base64,[^\"]*|http-equiv", "", source)
    assert search.summary() in page.text
    for parameter in search.get_params(deep=False):
        assert parameter in page.text
    for params in search.cv_results_["params"]:
        assert str(params["standardscaler"]) in page.text
    assert "What to do" in page.text and "values in wrong units" in page.text
    # the score has its name, and a share that was set the digits that it has
    assert search.metric_name_ == "accuracy" and "the worst accuracy is" in page.text
    assert "lose at most 0.200 of accuracy on clean data" in page.text
    answer = page.text[page.text.index("The question") : page.text.index("All settings")]
    assert "up to 20 %" in answer and "20.0 %" not in answer
    prose = page.text[: page.text.index("All settings, as they are")]
    assert not re.search(r"[{}]|\bNone\b|\bnan\b|  ", prose)


@pytest.mark.slow
def test_its_code_can_be_read(search, tmp_path):
    source = Page(write_html(search, tmp_path / "page.html").read_text(encoding="utf-8")).text
    code = source[source.index("from sklearn", source.index("How to repeat it")) :]
    tree = ast.parse(code[: code.index("print(search.summary())")])
    assert "RobustSearchCV" in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


@pytest.mark.long
def test_results_come_back_without_the_data(search, tmp_path):
    again = RobustSearchCV.from_json(search.to_json(tmp_path / "result.json"))
    assert again.summary() == search.summary()
    assert again.best_index_ == search.best_index_
    assert repr(again.worst_corruption_) == repr(search.worst_corruption_)
    np.testing.assert_array_equal(
        again.cv_results_["worst_score"], search.cv_results_["worst_score"]
    )
    pages = [
        write_html(each, tmp_path / "page.html").read_text("utf-8") for each in (search, again)
    ]
    first, second = (Page(text).text.partition("Pictures")[0] for text in pages)
    assert undated(first) == undated(second)
    with pytest.raises(LeftOutError, match="best_estimator_"):
        again.predict(small_data()[0])


@pytest.mark.long
def test_a_notebook_shows_the_finding(search):
    shown = search._repr_html_()
    assert "candidates" in shown and "data:image/png" in shown and "MinMaxScaler()" in shown
    assert (
        search.summary().partition(",")[0]
        not in RobustSearchCV(Centroids(), {}, "scale")._repr_html_()
    )


@pytest.mark.long
def test_drawn_settings_without_confirmation_are_told_too(tmp_path):
    search = made({"standardscaler__with_mean": [True, False], "standardscaler__with_std": [True]},
                  n_iter=2, confirm_size=None, refit=False)  # fmt: skip
    page = Page(write_html([search, search], tmp_path / "p.html").read_text(encoding="utf-8"))
    assert "Not confirmed on rows that the search did not see" in page.text
    drawn = RobustSearchCV(Centroids(), {"a": stats.uniform()}, "scale", n_iter=1)
    with pytest.raises(ValueError, match="not fitted"):
        write_html(drawn, tmp_path / "p.html")


@pytest.mark.long
@pytest.mark.parametrize(
    ("gain", "ends", "seen", "advice"),
    [
        (0.1, (0.02, 0.2), "a gain of 0.100 (95 % interval 0.020 to 0.200).", "Take these"),
        (0.1, (-0.02, 0.2), "a gain of 0.100 (95 % interval -0.020", "Do so only if they cost"),
        (-0.1, (-0.2, 0.02), "a loss of 0.100 (95 % interval -0.020", "are worse on rows that"),
        (-0.1, (-0.2, -0.02), "a loss of 0.100 (95 % interval 0.020", "Keep the given settings"),
        (0.0, (0.0, 0.0), "with the chosen and with the given settings", "are no better on rows"),
        (0.0, (-0.1, 0.1), "a gain of 0.000 (95 % interval -0.100", "are no better on rows that"),
    ],
)
def test_what_to_do_follows_from_rows_that_were_not_searched(
    search, tmp_path, monkeypatch, gain, ends, seen, advice
):
    index = next(i for i in range(3) if i != search.baseline_index_)
    monkeypatch.setattr(search, "best_index_", index)
    monkeypatch.setattr(search, "confirmed_gain_", gain)
    monkeypatch.setattr(search, "confirmed_gain_interval_", ends)
    text = Page(write_html(search, tmp_path / "page.html").read_text(encoding="utf-8")).text
    glance = text[: text.index("What was tried")]
    assert seen in glance and advice in glance
    assert ("Keep the given settings" in glance) == (gain <= 0)
    assert ("Take these settings" in glance) == (gain > 0)


@pytest.mark.slow
def test_a_choice_is_told_without_code_first(search, tmp_path, monkeypatch):
    index = next(i for i in range(3) if i != search.baseline_index_)
    monkeypatch.setattr(search, "best_index_", index)
    monkeypatch.setattr(search, "best_params_", {"standardscaler": MinMaxScaler()})
    monkeypatch.setattr(search, "confirmed_gain_", 0.1)
    monkeypatch.setattr(search, "confirmed_gain_interval_", (0.02, 0.2))
    text = Page(write_html(search, tmp_path / "page.html").read_text(encoding="utf-8")).text
    said = "scale by the least and the largest value"
    assert f"these settings: {said}" in text[: text.index("What was tried")]
    # the sentence for those who code stands with the table
    assert "standardscaler=" not in text[: text.index("What was tried")]
    assert search.summary() in text


@pytest.mark.parametrize(
    ("corruption", "said", "page"),
    [
        (
            CorruptionProcess([("gaps", CorruptMissing("a")), ("units", CorruptScale("b"))]),
            "several errors at once (missing values, wrong units)",
            "several errors at once",
        ),
        (CorruptionProcess([("units", CorruptScale("b"))]), "wrong units", "values in wrong units"),
        (
            [CorruptScale("a", factor=10.0), CorruptScale("a", factor=-1.0)],
            "wrong units or wrong units (scale-2)",
            "values in wrong units",
        ),
        (Lost("a"), "errors of the kind lost", "lost"),
        (Own("a"), "values that got lost", "values that got lost"),
    ],
)
def test_errors_of_every_kind_have_words(tmp_path, corruption, said, page):
    X, y = small_data()
    settings = {"space": SearchSpace(max_conditions=0, n_bins=3), "confirm_size": None, "cv": 2}
    search = RobustSearchCV(
        make_pipeline(SimpleImputer(), StandardScaler(), Centroids()),
        {"simpleimputer__strategy": ["mean", "median"]},
        corruption,
        apply_to="test",
        random_state=0,
        **settings,
    ).fit(X[["a", "b"]], y)
    assert f"under the worst of {said} in up to" in search.summary()
    text = Page(write_html(search, tmp_path / "page.html").read_text(encoding="utf-8")).text
    assert f"go wrong ({page}) in" in text and search.summary() in text
