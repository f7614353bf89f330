"""What the default search does where no proxy orders errors as the pipeline does."""

import numpy as np
import pandas as pd
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.adversarial.candidates import _deadline
from skcorrupt.adversarial.strategies import (
    _auto_run,
    _beam_run,
    _learning,
    _struck_rows_process,
    _workload,
)
from skcorrupt.adversarial.strategies._learning import Learning
from skcorrupt.adversarial.strategies._struck_rows_process import (
    LENGTHS,
    NOISES,
    Outlook,
    StruckRows,
    StruckRowsProcess,
)
from skcorrupt.patterns import Pattern
from small_searches import ONE_SPLIT, quick, small_data

pytestmark = [
    pytest.mark.filterwarnings("ignore:A worse error may have been passed by"),
    pytest.mark.usefixtures("no_alternatives"),
]


def struck_rows(n=60, n_rows=30, groups=1):
    rng = np.random.default_rng(0)
    rates = (rng.random((n, n_rows)) < 0.3) * rng.choice([0.5, 1.0], (n, 1))
    scores = -rates[:, :6].sum(axis=1) + rng.normal(0, 0.1, n)
    return StruckRows(rates.astype(np.float32), rng.integers(groups, size=n)), scores


@pytest.fixture
def settled(monkeypatch):
    """Makes processes of which the settings are given."""

    def make(struck, scores, length, noise, shared):
        size = float((struck.rates**2).sum(axis=1).mean())
        monkeypatch.setattr(_struck_rows_process, "LENGTHS", (length / size,))
        monkeypatch.setattr(_struck_rows_process, "NOISES", (noise,))
        monkeypatch.setattr(_struck_rows_process, "SHARED", (shared,))
        process = StruckRowsProcess(struck, scores)
        assert process.settings == pytest.approx((length, noise, shared))
        return process

    return make


def test_expectations_are_those_of_scikit_learn(settled):
    struck, scores = struck_rows()
    some, others = np.arange(40), np.arange(40, 60)
    length, noise = 3.0, 0.2
    process = settled(struck[some], scores[some], length, noise, 0.0)
    kernel = RBF(np.sqrt(length / 2), "fixed")
    other = GaussianProcessRegressor(kernel, alpha=noise, optimizer=None, normalize_y=True)
    other.fit(struck.rates[some], scores[some])
    expected = other.predict(struck.rates[others], return_std=True)
    for own, theirs in zip(Outlook(process, struck[others]).predict(), expected, strict=True):
        np.testing.assert_allclose(own, theirs, rtol=1e-4)


def test_settings_are_the_likeliest_by_scikit_learn():
    struck, scores = struck_rows()
    known = (scores - scores.mean()) / scores.std()
    size = float((struck.rates**2).sum(axis=1).mean())
    likelihoods = {}
    for length in LENGTHS:
        for noise in NOISES:
            kernel = RBF(np.sqrt(size * length / 2), "fixed") + WhiteKernel(noise, "fixed")
            other = GaussianProcessRegressor(kernel, optimizer=None).fit(struck.rates, known)
            likelihoods[size * length, noise] = other.log_marginal_likelihood_value_
    found = StruckRowsProcess(struck, scores).settings
    assert found[:2] == pytest.approx(max(likelihoods, key=likelihoods.get))


def test_what_is_shared_says_how_much_columns_teach_of_others(settled):
    struck, scores = struck_rows(groups=2)
    first, second = (struck[np.flatnonzero(struck.groups == g)] for g in (0, 1))
    own = scores[struck.groups == 0]
    apart = Outlook(settled(first, own, 3.0, 0.2, 0.0), second).predict()
    np.testing.assert_allclose(apart[0], own.mean())
    np.testing.assert_allclose(apart[1], own.std())
    shared = Outlook(settled(first, own, 3.0, 0.2, 0.5), second).predict()
    assert (shared[1] < own.std()).all()
    assert np.corrcoef(shared[0], scores[struck.groups == 1])[0, 1] > 0.5


class Planted(GaussianNB):
    """Less sure the more the rows whose labels changed are those of a pattern."""

    def __init__(self, clean=None, hidden=None):
        super().__init__()
        self.clean, self.hidden = clean, hidden

    def fit(self, X, y):
        struck = np.asarray(y) != self.clean
        either = (struck | self.hidden).sum()
        self.alike_ = (struck & self.hidden).sum() / either if either else 0.0
        return super().fit(X, self.clean)

    def predict_proba(self, X):
        sure = np.where(np.eye(2)[super().predict(X)], 0.8, 0.2)
        return 0.5 * self.alike_ + (1 - self.alike_) * sure


def planted(pattern, n_columns=6):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(240, n_columns)), columns=list("abcdef")[:n_columns])
    y = pd.Series((X["a"] + rng.normal(0, 0.3, 240) > 0).astype(int), name="y")
    splits = list(ShuffleSplit(1, test_size=0.3, random_state=0).split(X))
    train = splits[0][0]
    hidden = Pattern.parse(pattern).mask(X, y)[train]
    model = Planted(y[train].to_numpy(), hidden)
    search = AdversarialCorruptionSearch(
        model, "labels", cv=splits, budget=hidden.mean(), scoring="neg_log_loss",
        confirm_size=None, random_state=0, space=SearchSpace(max_conditions=2),
    )  # fmt: skip
    search.fit(X, y)
    struck = search.worst_corruption_.pattern.mask(X, y)[train]
    return search, (struck & hidden).sum() / (struck | hidden).sum()


@pytest.mark.slow
def test_a_pair_of_conditions_that_no_proxy_knows_of_is_found():
    search, alike = planted("b > 0.2 and d <= 0.1 and y == 1")
    assert max(search.proxy_agreements_.values()) < 0.5
    assert "learning" in set(search.phases_["phase"])
    # of half a million pairs
    assert search.n_evaluations_ < 3_000
    assert alike > 0.9


@pytest.mark.slow
def test_pairs_are_all_scored_where_they_are_few(monkeypatch):
    X, y = small_data()
    clean = y[ONE_SPLIT[0][0]].to_numpy()
    rng = np.random.default_rng(0)
    model = Planted(clean, rng.random(len(clean)) < 0.2)
    given = {
        "cv": ONE_SPLIT, "budget": 0.2, "scoring": "neg_log_loss", "confirm_size": None,
        "random_state": 0,
    }  # fmt: skip
    monkeypatch.setattr(_learning, "N_BINS", 4)
    space = SearchSpace(n_bins=3, max_conditions=2)
    search = AdversarialCorruptionSearch(model, "labels", space=space, **given).fit(X, y)
    assert "enumerating pairs" in set(search.phases_["phase"])
    assert (search.certificate_["complete_conditions"] == 2).all()
    finer = SearchSpace(n_bins=4, max_conditions=2)
    everything = AdversarialCorruptionSearch(model, "labels", space=finer, **given)
    space = everything.lay_out(X, y).task.space
    keys = {
        candidate.key
        for depth in (1, 2)
        for template in space.templates_of_depth(depth)
        for grid in [space.grid(template)]
        for point in grid.points(np.arange(grid.size)).tolist()
        for candidate in [space.candidate(template, tuple(point))]
        if not candidate.refused
    }
    found = {space.transfer(c.pattern, (), None).key for c in search.cv_results_["corruption"]}
    assert len(keys) > 50
    assert keys <= found
    assert search.n_evaluations_ <= search.plan(X, y).n_evaluations


def searched(X, y, hidden, **params):
    given = {
        "cv": ONE_SPLIT, "budget": 0.2, "scoring": "neg_log_loss", "confirm_size": None,
        "random_state": 0, "space": SearchSpace(n_bins=3),
    }  # fmt: skip
    model = Planted(y[ONE_SPLIT[0][0]].to_numpy(), hidden)
    return AdversarialCorruptionSearch(model, "labels", **{**given, **params})


@pytest.mark.slow
def test_fewer_columns_than_conditions(monkeypatch):
    monkeypatch.setattr(_workload, "FEW_ROWS_SEEN", 0)
    X, y = small_data()
    search = searched(X[["a", "b"]], y, np.arange(80) % 7 == 0, space=SearchSpace(n_bins=4))
    search.fit(X[["a", "b"]], y)
    assert "learning" in set(search.phases_["phase"])
    assert search.n_evaluations_ <= search.plan(X[["a", "b"]], y).n_evaluations


@pytest.mark.slow
def test_longer_patterns_are_searched_after_all_pairs(monkeypatch):
    monkeypatch.setattr(_learning, "N_BINS", 4)
    X, y = small_data()
    search = searched(X, y, np.arange(80) % 7 == 0)
    search.fit(X, y)
    assert {"enumerating pairs", "learning"} <= set(search.phases_["phase"])
    assert (search.certificate_["complete_conditions"] >= 2).all()
    assert not search.certificate_["proven"].any()


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.slow
def test_the_same_seed_learns_the_same(n_jobs, monkeypatch):
    monkeypatch.setattr(_workload, "FEW_ROWS_SEEN", 0)
    monkeypatch.setattr(_workload, "MOST_ROUNDS", 3)
    X, y = small_data()
    clean = y[ONE_SPLIT[0][0]].to_numpy()
    model = Planted(clean, np.arange(len(clean)) % 7 == 0)
    given = {
        "cv": ONE_SPLIT, "budget": 0.2, "scoring": "neg_log_loss", "confirm_size": None,
        "random_state": 0, "space": SearchSpace(n_bins=3, max_conditions=2),
    }  # fmt: skip
    first = AdversarialCorruptionSearch(model, "labels", **given).fit(X, y)
    assert "learning" in set(first.phases_["phase"])
    second = AdversarialCorruptionSearch(model, "labels", n_jobs=n_jobs, **given).fit(X, y)
    assert list(first.cv_results_["pattern"]) == list(second.cv_results_["pattern"])


class OnTheGrid(BeamSearch):
    """A beam of which nothing is refined in the end."""

    def most_refined(self, task):
        return 0


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_all_that_a_beam_scores_is_scored_where_no_proxy_is_trusted(monkeypatch):
    monkeypatch.setattr(_workload, "FEW_ROWS_SEEN", 0)
    monkeypatch.setattr(_workload, "MOST_ROUNDS", 3)
    monkeypatch.setattr(_workload, "LEAST_ROUNDS", 2)
    X, y = small_data()
    space = SearchSpace(n_bins=3, max_conditions=2)
    hidden = np.random.default_rng(0).random(len(ONE_SPLIT[0][0])) < 0.2
    default = searched(X, y, hidden, space=space).fit(X, y)
    beam = searched(X, y, hidden, space=space, strategy=OnTheGrid()).fit(X, y)
    assert "searching by beam" in set(default.phases_["phase"])
    assert set(beam.cv_results_["pattern"]) <= set(default.cv_results_["pattern"])
    assert default.worst_score_ <= beam.worst_score_
    assert default.n_evaluations_ <= default.plan(X, y).n_evaluations


@pytest.mark.slow
def test_a_beam_goes_its_own_way_whatever_proxies_scored_before_it(monkeypatch):
    monkeypatch.setattr(_workload, "FEW_ROWS_SEEN", 0)
    monkeypatch.setattr(_workload, "MOST_ROUNDS", 1)
    monkeypatch.setattr(_workload, "LEAST_ROUNDS", 1)
    monkeypatch.setattr(_auto_run, "TRUSTED", 1.1)
    X, y = small_data()
    given = {
        "cv": ONE_SPLIT, "budget": 0.2, "scoring": "roc_auc", "confirm_size": None,
        "random_state": 0, "space": SearchSpace(n_bins=8, max_conditions=2),
    }  # fmt: skip
    model = make_pipeline(StandardScaler(), LogisticRegression())
    default = AdversarialCorruptionSearch(model, "labels", **given).fit(X, y)
    assert {"screening on the linear proxy", "searching by beam"} <= set(default.phases_["phase"])
    beam = AdversarialCorruptionSearch(model, "labels", strategy=OnTheGrid(), **given).fit(X, y)
    space = default.lay_out(X, y).task.space
    of_beam, of_default = (
        {space.transfer(c.pattern, (), None).key for c in each.cv_results_["corruption"]}
        for each in (beam, default)
    )
    assert len(of_beam) > 150
    assert of_beam <= of_default


def test_what_a_beam_adds_is_what_was_not_enumerated_before_it(monkeypatch):
    X, y = small_data()
    space = SearchSpace(n_bins=8, max_conditions=2)
    search = searched(X, y, np.arange(80) % 7 == 0, space=space)
    layout = search.lay_out(X, y).task.space
    # 32 candidates for each of three templates that survive and of the columns that may be added:
    # three to patterns of the label alone, two to those of one condition
    most = 32 * 3 * (3 + 2)
    assert _workload.in_beam(layout) == most
    # of three columns there are three pairs, after patterns of one condition
    assert _workload.in_beam(layout, 0.5) == 0.5 * 32 * 3
    # however many of the shortest it would score by itself
    monkeypatch.setattr(_beam_run, "MOST_ENUMERATED", 0)
    assert _workload.in_beam(layout) == most
    # where only some of the shortest were scored, it may add them
    monkeypatch.setattr(_workload, "MOST_FIRST", 10)
    sizes = [layout.grid(each).size for each in layout.first_templates()]
    assert _workload.in_beam(layout) == most + sum(min(size, 32) for size in sizes)


class Slow(Planted):
    """Every fit takes a second of a clock that stands still otherwise."""

    seconds = 0.0

    def fit(self, X, y):
        Slow.seconds += 1
        return super().fit(X, y)


@pytest.mark.long
def test_a_beam_leaves_time_for_what_follows(monkeypatch):
    monkeypatch.setattr(_workload, "FEW_ROWS_SEEN", 0)
    monkeypatch.setattr(_deadline, "now", lambda: Slow.seconds)
    X, y = small_data()
    hidden = np.random.default_rng(0).random(len(ONE_SPLIT[0][0])) < 0.2
    model = Slow(y[ONE_SPLIT[0][0]].to_numpy(), hidden)
    search = searched(X, y, hidden, space=SearchSpace(n_bins=8, max_conditions=2), max_time=300)
    search.set_params(estimator=model)
    with pytest.warns(UserWarning, match="ended by max_time=300 s after"):
        search.fit(X, y)
    phases = search.phases_.set_index("phase")["n_candidates"]
    # which would score 96 in unlimited time
    assert 0 < phases["searching by beam"] <= 0.4 * (300 - phases["enumerating"]) < 96
    assert phases["learning"] > 0


def test_nothing_is_looked_for_near_a_lucky_draw(monkeypatch):
    X, y = small_data()
    task = quick("missing", budget=0.1, max_conditions=2).lay_out(X, y).task
    (space,) = task.spaces
    found = [
        space.candidate(template, tuple(point))
        for template in space.templates_of_depth(1)
        for grid in [space.grid(template)]
        for point in grid.points(np.arange(grid.size)).tolist()
    ]
    task.evaluator.evaluate([candidate for candidate in found if not candidate.refused])
    learning = Learning(task, space, 6)
    of, expanded = learning.shapes.of, []

    def noted(candidate):
        expanded.append(task.evaluator.done.get(candidate.key))
        return of(candidate)

    near = learning._near_leaders

    def watched():
        monkeypatch.setattr(learning.shapes, "of", noted)
        yield from near()
        monkeypatch.setattr(learning.shapes, "of", of)

    monkeypatch.setattr(learning, "_near_leaders", watched)
    learning.learn()
    random = [each for each in expanded if each.candidate.rate < 1]
    assert random and all(each.n_draws >= 4 for each in random)
