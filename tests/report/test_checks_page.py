"""Suggested checks have a page and a finding in notebooks."""

import ast
import html
import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from sklearn.impute import SimpleImputer
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from html_faults import Page
from skcorrupt import AdversarialCorruptionSearch, CorruptScale
from skcorrupt.adversarial import ExhaustiveSearch, SearchSpace
from skcorrupt.report import write_html
from skcorrupt.robustness import suggest_checks
from skcorrupt.robustness._checks_picture import plot_checks


@pytest.fixture(scope="module")
def search():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"<b>wide</b>": rng.normal(5, 1, 2400), "age_of_it": rng.normal(5, 1, 2400)})
    y = X.to_numpy() @ [2.0, 1.0] + rng.normal(size=2400)
    return AdversarialCorruptionSearch(
        make_pipeline(SimpleImputer(), Ridge()).fit(X, y),
        [CorruptScale(factor=10.0), "missing"],
        apply_to="test",
        strategy=ExhaustiveSearch(),
        space=SearchSpace(max_conditions=1, n_bins=3),
        confirm_size=None,
        random_state=0,
    ).fit(X, y)


@pytest.fixture(scope="module", params=[True, False], ids=["adaptive", "as found"])
def found(search, request):
    return suggest_checks(search, batch_size=60, adaptive=request.param, false_alarm=0.02)


def test_the_page_is_whole_and_says_all(found, tmp_path):
    source = write_html(found, tmp_path / "page.html").read_text(encoding="utf-8")
    page = Page(source)
    assert page.faults == []
    assert len(page.images) == 1 and "could not be drawn" not in page.text
    for sentence in found.sentences():
        assert re.sub("`([^`]+)`", r"\1", sentence) in page.text
    for name in found.results_["check"]:
        assert name in page.text
    for parameter in found.get_params():
        assert parameter in page.text
    assert ("The worst errors that pass all checks" in page.text) == (len(found.answers_) > 0)
    assert ("who knows the checks is not known" in page.text) == found.answers_.empty
    prose = page.text[: page.text.index("All settings, as they are")]
    assert not re.search(r"[{}]|\bNone\b|\bnan\b|  ", prose)
    assert " ".join(found.sentences()) == found.summary()


def test_the_code_on_the_page_makes_the_same_checks(found, search, tmp_path):
    source = write_html([search, found], tmp_path / "page.html").read_text(encoding="utf-8")
    codes = re.findall(r"<pre><code>(.*?)</code></pre>", source, re.DOTALL)
    [code] = [html.unescape(each) for each in codes if "suggest_checks(\n" in each]
    call = next(each for each in ast.walk(ast.parse(code)) if isinstance(each, ast.Call))
    given = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
    assert given.pop("adaptive", True) == (len(found.answers_) > 0)
    assert given == {"batch_size": 60, "false_alarm": 0.02}


def test_a_notebook_shows_the_finding(found):
    shown = found._repr_mimebundle_()
    assert shown["text/plain"] == repr(found)
    assert "data:image/png" in shown["text/html"] and "<b>wide</b>" not in shown["text/html"]


def test_bars_tell_what_passes(search):
    found = suggest_checks(search, batch_size=60, adaptive=False)
    found.errors_ = found.errors_.assign(caught_by=[None, *found.errors_["caught_by"][1:]])
    ax = Figure().subplots()
    plot_checks(found, ax)
    caught, missed = ax.containers
    assert [bar.get_width() for bar in missed] == found.errors_["damage"][:1].tolist()
    assert [bar.get_width() for bar in caught] == found.errors_["damage"][1:].tolist()
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert names[0].startswith("wrong units, ") and len(names) == len(found.errors_)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "a check notices it",
        "passes all checks",
    ]
