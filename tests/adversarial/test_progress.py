"""One bar for all phases of a search, each counted against its own total."""

import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from cheap_models import Centroids
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import BeamSearch, Screening, SearchSpace
from skcorrupt.adversarial.candidates import Progress, _progress
from small_searches import small_data


class Bar:
    """A bar that keeps what it showed."""

    def __init__(self, total, verbose, description):
        self.total, self.desc, self.n, self.initial = total, f"{description}: ", 0, 0
        self.shown, self.postfix = [], ""
        self.closed = False

    def update(self, n):
        self.n += n
        self._show()

    def turn_to(self, name, n, total):
        self.desc, self.n, self.total = f"{name}: ", n, total
        self._show()

    def set_postfix_str(self, text, refresh):
        self.postfix = text

    def close(self):
        self.closed = True

    def _show(self):
        self.shown.append((self.desc, self.n, self.total, self.postfix))


@pytest.fixture
def bars(monkeypatch):
    made = []

    def make(*args):
        made.append(Bar(*args))
        return made[-1]

    monkeypatch.setattr(_progress, "progress_bar", make)
    return made


def names(bar):
    """What the bar said that is done, in order."""
    said = [desc.removesuffix(": ") for desc, *_ in bar.shown]
    return [name for i, name in enumerate(said) if i == 0 or name != said[i - 1]]


def test_phases_nest_and_count_by_themselves(bars):
    with Progress(1) as progress:
        with progress.phase("Searching", 10):
            progress.update(4)
            with progress.phase("Screening", 1000):
                progress.update(300)
                assert (progress.name, progress.n, progress.total) == ("Screening", 300, 1000)
            assert (progress.name, progress.n, progress.total) == ("Searching", 4, 10)
            progress.update()
            assert progress.n == 5
        with progress.phase("Confirming", 3):
            progress.update(3)
    (bar,) = bars
    assert names(bar) == ["Searching", "Screening", "Searching", "Confirming"]
    # what ended before its total had no more to do
    assert ("Screening: ", 300, 300, "") in bar.shown
    assert ("Searching: ", 5, 5, "") in bar.shown
    assert bar.closed


def test_a_total_grows_with_what_is_done(bars):
    with Progress(1) as progress, progress.phase("Searching", 2):
        progress.update(5)
        assert progress.total == 5
        progress.total = 3
        assert progress.total == 5
        progress.total = 50
    assert all(total is None or n <= total for _, n, total, _ in bars[0].shown)


def test_the_lowest_score_is_shown(bars):
    with Progress(1) as progress, progress.phase("Searching", 4):
        for score in (0.7, float("nan"), 0.6123456, 0.9):
            progress.best(score)
            progress.update()
    assert [postfix for *_, postfix in bars[0].shown][-1] == "worst 0.612"


def test_a_silent_one_makes_no_bar(bars):
    with Progress() as progress, progress.phase("Searching", 4):
        progress.update()
        progress.best(0.5)
        assert progress.n == 1
    assert bars == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The estimator proxy orders candidates unlike")
@pytest.mark.parametrize("proxy", ["linear", "auto", "given"])
def test_a_search_tells_its_phases_and_never_passes_a_total(proxy, bars):
    X, y = small_data()
    line = make_pipeline(SimpleImputer(), LogisticRegression())
    model, kind = (line, "labels") if proxy == "linear" else (Centroids(), "labels")
    if proxy == "auto":
        # noise is shown to a clone, as nothing else stands in for a pipeline there
        model, kind = HistGradientBoostingClassifier(max_iter=25, random_state=0), "noise"
    search = AdversarialCorruptionSearch(
        model,
        kind,
        cv=2,
        strategy=Screening(
            line if proxy == "given" else proxy, n_rerank=4, beam=BeamSearch(n_calls=20)
        ),
        space=SearchSpace(max_conditions=1),
        random_state=0,
        verbose=1,
    ).fit(X, y)
    (bar,) = bars
    said = names(bar)
    assert said[0] == "Scoring clean data" and said[-2:] == ["Comparing", "Confirming"]
    assert "Searching" in said and "Screening" in said and bar.closed
    assert all(n <= total for _, n, total, _ in bar.shown if total is not None)
    assert f"worst {search.worst_score_:.3f}" == bar.postfix
    screened = [n for desc, n, *_ in bar.shown if desc == "Screening: "]
    assert max(screened) >= search.certificate_["n_distinct"].max() > 0
