"""The plugin for pytest: pages, kept scores and fixtures, and that it costs others nothing."""

import json
import subprocess
import sys
from pathlib import Path

# a module of C cannot be loaded again when pytester forgets what a small suite imported
import matplotlib.pyplot
import pytest

import cheap_models
import skcorrupt.report
import small_searches

LOADED = (matplotlib.pyplot, cheap_models, small_searches, skcorrupt.report)
pytest_plugins = ["pytester"]
ROOT = Path(__file__).resolve().parents[2]
SUITE = """
    from cheap_models import Centroids, share_right
    from skcorrupt.adversarial import BeamSearch, SearchSpace
    from small_searches import ONE_SPLIT, small_data

    QUICK = dict(
        corruption="labels", budget=0.2, scoring=share_right, judge="searched", cv=ONE_SPLIT,
        confirm_size=None, strategy=BeamSearch(n_calls=2),
        space=SearchSpace(max_conditions=1, n_bins=2),
    )
"""


@pytest.fixture
def run(pytester, monkeypatch, few_fits):
    """Run a small suite with the plugin alone, whether or not it is installed."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini("[pytest]\nrobustness_baseline = kept.json\n")

    def run(body, *options):
        pytester.makepyfile(test_model=SUITE + body)
        plugins = ("-p", "_skcorrupt_pytest", "-p", "no:cacheprovider")
        return pytester.runpytest_inprocess(*plugins, *options)

    return run


FAILS = """
    def test_fails(assert_robust):
        assert_robust(Centroids(), *small_data(), max_drop=0, baseline=None, **QUICK)

    def test_other():
        assert 0
"""


@pytest.mark.long
def test_a_page_of_each_assertion_that_fails(run, pytester):
    result = run(FAILS, "--robustness-pages=pages")
    result.assert_outcomes(failed=2)
    [page] = (pytester.path / "pages").iterdir()
    assert page.name == "test_model.py-test_fails.html"
    text = page.read_text(encoding="utf-8")
    assert "<h1>test_model.py::test_fails</h1>" in text and "Centroids" in text
    result.stdout.fnmatch_lines(["*skcorrupt*", "page: pages*test_fails.html"])


def test_without_the_option_nothing_is_written(run, pytester):
    run(FAILS).assert_outcomes(failed=2)
    assert not list(pytester.path.glob("**/*.html"))


def test_a_folder_that_cannot_be_made_is_told_and_hides_no_failure(run, pytester):
    pytester.path.joinpath("pages").write_text("a file")
    result = run(FAILS, "--robustness-pages=pages")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*more than max_drop=0.*", "no page could be written:*"])


KEPT = """
    class Worse(Centroids):
        def predict(self, X):
            right = super().predict(X)
            return right if {good} else right[::-1]

    def test_kept(assert_robust):
        for budget in (0.2, 0.1):
            assert_robust(Worse(), *small_data(), **{{**QUICK, "budget": budget}})
"""


@pytest.mark.long
def test_a_baseline_is_asked_for_kept_held_and_missed(run, pytester):
    result = run(KEPT.format(good=True))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*has no entry name='test_model.py::test_kept'*"])
    run(KEPT.format(good=True), "--robustness-update").assert_outcomes(passed=1)
    file = pytester.path / "kept.json"
    kept = file.read_text(encoding="utf-8")
    names = ["test_model.py::test_kept", "test_model.py::test_kept (2)"]
    assert list(json.loads(kept)) == names
    run(KEPT.format(good=True)).assert_outcomes(passed=1)
    result = run(KEPT.format(good=False))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*Worse scores 0.* under the worst error on the splits of*"])
    assert file.read_text(encoding="utf-8") == kept
    assert [each.name for each in pytester.path.glob(".*.lock")] == []


def test_data_with_errors_is_the_same_every_time(run):
    run("""
    def test_struck(corrupted):
        X, y = small_data()
        first, second = (corrupted("missing", X, y, columns="a", rate=0.25) for _ in range(2))
        assert first.X["a"].isna().sum() == len(X) / 4
        assert first.X.equals(second.X) and not X.isna().any(axis=None)
    """).assert_outcomes(passed=1)


def test_the_plugin_alone_imports_nothing_of_the_package():
    code = (
        "import sys, _skcorrupt_pytest\n"
        "print(sorted({'skcorrupt', 'numpy', 'pandas', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]", done.stderr
