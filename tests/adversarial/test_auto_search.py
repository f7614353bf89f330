"""What the search does by default: it enumerates, screens, grows and refines."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from cheap_models import Centroids, share_right
from few_fits import make_few_fits
from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    SelectionBias,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial.proxies import Screened, on_fewer_rows
from skcorrupt.adversarial.strategies import _auto_run, _workload
from skcorrupt.adversarial.strategies._auto_run import AutoRun
from small_searches import ONE_SPLIT, small_data

# what accuracy of so small a table says is too coarse for proxies
pytestmark = pytest.mark.filterwarnings("ignore:A worse error may have been passed by")


def auto(corruption="missing", estimator=None, **params):
    model = Centroids() if estimator is None else estimator
    settings = {"cv": ONE_SPLIT, "confirm_size": None, "random_state": 0, "budget": 0.2}
    settings |= {"space": SearchSpace(n_bins=3, max_conditions=2), "scoring": share_right}
    return AdversarialCorruptionSearch(model, corruption, **{**settings, **params})


def linear():
    return make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())


@cache
def searched(corruption):
    """A search of few fits, which several tests read and leave as it is."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        make_few_fits(monkeypatch)
        return auto(corruption).fit(*small_data())


@pytest.mark.long
def test_what_a_stand_in_holds_for_likely_is_scored_first():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X = X[["mean texture", "mean area", "worst smoothness"]]
    space = SearchSpace(n_bins=4, max_conditions=1)
    task = auto(estimator=linear(), scoring="roc_auc", space=space).lay_out(X, y).task
    AutoRun(task, Screened())._enumerate_all()
    scored = sorted(task.evaluator.done.values(), key=lambda each: each.order)
    first = scored[: X.shape[1]]
    assert sorted(each.candidate.columns for each in first) == sorted((name,) for name in X)
    # of all of these, one is about the worst
    assert len(scored) > 40
    assert min(each.score for each in first) <= np.quantile([e.score for e in scored], 0.05)


@pytest.mark.parametrize("corruption", ["missing", "labels", "selection"])
@pytest.mark.slow
@pytest.mark.usefixtures("few_fits")
def test_all_patterns_of_one_condition_are_scored(corruption):
    X, y = small_data()
    search = searched(corruption)
    space = SearchSpace(n_bins=3, max_conditions=1)
    everything = auto(corruption, strategy="exhaustive", space=space)
    task = everything.lay_out(X, y).task
    keys = {
        candidate.key
        for template in task.space.templates_of_depth(1)
        for grid in [task.space.grid(template)]
        for point in grid.points(np.arange(grid.size)).tolist()
        for candidate in [task.space.candidate(template, tuple(point))]
        if not candidate.refused
    }
    own = search.lay_out(X, y).task.space
    found = {
        own.transfer(c.pattern, tuple(getattr(c, "columns", None) or ()), None).key
        for c in search.cv_results_["corruption"]
    }
    assert keys <= found
    assert search.strategy_.phases_[0]["phase"] == "enumerating"
    assert search.phases_["n_candidates"].sum() <= search.n_evaluations_
    assert (np.diff(search.phases_["worst_score"]) <= 0).all()


@pytest.mark.slow
def test_patterns_of_the_label_alone_are_scored():
    assert {"y == 0", "y == 1"} <= set(searched("selection").cv_results_["pattern"])
    # a pattern has to have a condition on the column hit
    assert not {"y == 0", "y == 1"} & set(searched("missing").cv_results_["pattern"])


@pytest.mark.slow
@pytest.mark.usefixtures("no_alternatives")
def test_it_is_no_better_for_the_pipeline_than_other_strategies():
    X, y = small_data()
    scores = {
        strategy: auto("selection", linear(), scoring="roc_auc", strategy=strategy)
        .fit(X, y)
        .worst_score_
        for strategy in ("auto", "beam", "screening")
    }
    assert scores["auto"] <= min(scores.values()) + 0.002, scores


@pytest.mark.parametrize("seed", [1, 3])
@pytest.mark.slow
def test_the_worst_of_either_class_is_refined(seed):
    # on the grid the worst of class 0 is lower, between the bins the worst of class 1
    data = load_diabetes(as_frame=True, scaled=False)
    y = (data.target > data.target.median()).astype(int)
    X = data.data[["bmi", "bp", "age"]].copy()
    for name, n_levels in (("bp", 3), ("age", 2)):
        part = X[name].rank(pct=True).mul(n_levels).clip(upper=n_levels - 1e-9).astype(int)
        X[name] = X[name].groupby(part).transform("mean").round(3)
    halves = StratifiedShuffleSplit(1, test_size=0.5, random_state=0)
    params = {"scoring": "roc_auc", "cv": halves, "space": None, "budget": 0.3}
    search = auto("missing", linear(), random_state=seed, **params).fit(X, y)
    known = CorruptMissing(columns=["bmi"], pattern="bmi > 27.5 and y == 1", rate=1.0)
    scored = cross_validate_corrupted(linear(), X, y, known, cv=search.splits_, scoring="roc_auc")
    assert search.worst_score_ <= scored["test_score"].mean() + 0.002


@pytest.mark.slow
def test_what_draws_put_first_is_refined_too():
    # with this seed a lucky draw leads until it is drawn again
    data = load_breast_cancer(as_frame=True)
    X = data.data.iloc[:, [21, 24, 28]].set_axis(["texture", "smooth", "symmetry"], axis=1)
    for name, n_levels in (("smooth", 3), ("symmetry", 2)):
        part = X[name].rank(pct=True).mul(n_levels).clip(upper=n_levels - 1e-9).astype(int)
        X[name] = X[name].groupby(part).transform("mean").round(3)
    halves = StratifiedShuffleSplit(1, test_size=0.5, random_state=0)
    params = {"scoring": "roc_auc", "cv": halves, "space": None, "budget": 0.3}
    search = auto("selection", linear(), random_state=3, **params).fit(X, data.target)
    known = SelectionBias(pattern="texture > 21.4 and smooth > 0.11 and y == 0", rate=1.0)
    scored = cross_validate_corrupted(
        linear(), X, data.target, known, cv=search.splits_, scoring="roc_auc"
    )
    assert search.worst_score_ <= scored["test_score"].mean() + 0.002


@pytest.mark.slow
@pytest.mark.usefixtures("few_fits")
def test_a_proxy_that_orders_otherwise_has_no_vote():
    X, y = small_data()
    clean = y[ONE_SPLIT[0][0]].to_numpy()

    class Erratic(GaussianNB):
        """Less sure the more a number that has nothing to do with harm is."""

        def fit(self, X, y):
            struck = int(np.flatnonzero(np.asarray(y) != clean).sum())
            self.unsure_ = (struck * 7 % 11) / 11
            return super().fit(X, clean)

        def predict_proba(self, X):
            return (1 - self.unsure_) * super().predict_proba(X) + self.unsure_ / 2

    search = auto("labels", Erratic(), scoring="neg_log_loss").fit(X, y)
    assert search.proxy_ == "none"
    assert max(search.proxy_agreements_.values()) < 0.5
    assert not search.phases_["phase"].str.contains("proxy").any()
    assert np.isfinite(search.worst_score_)


@pytest.mark.slow
@pytest.mark.usefixtures("few_fits")
def test_a_proxy_that_agrees_chooses():
    X, y = small_data()
    search = auto("selection", linear(), scoring="roc_auc").fit(X, y)
    assert search.proxy_ == "linear"
    assert search.proxy_agreement_ >= 0.5
    assert search.phases_["phase"].str.contains("linear proxy").any()
    assert set(search.certificate_["proxy"]) <= set(search.proxy_agreements_)


@pytest.mark.slow
def test_many_rows_are_searched_on_a_sample(monkeypatch):
    monkeypatch.setattr(_workload, "MOST_ROWS_SEEN", 1)
    monkeypatch.setattr(_auto_run, "SAMPLED_ROWS", 40)
    monkeypatch.setattr(_auto_run, "DECIDED", 12)
    X, y = small_data()
    search = auto("labels").fit(X, y)
    phases = search.phases_["phase"]
    sampled = phases.str.endswith("on a sample")
    assert sampled.any()
    # what the sample found is decided on all rows, and only refined and drawn again after that
    on_all_rows = search.phases_[~sampled]
    assert on_all_rows.index[0] > phases[sampled].index[-1]
    assert on_all_rows["phase"].iloc[0] == "deciding"
    assert 0 < on_all_rows["n_candidates"].iloc[0] <= 12
    assert set(on_all_rows["phase"]) <= {"deciding", "refining", "drawing again"}
    assert search.score_drop_ > 0


def test_a_sample_is_asked_about_all_that_keep_to_the_budget_on_all_rows():
    X, y = small_data(900)
    split = [(np.arange(0, 600), np.arange(600, 900))]
    task = auto("labels", linear(), scoring="roc_auc", cv=split).lay_out(X, y).task
    sample = on_fewer_rows(task, linear(), 250, 0)
    # its rows are arrays once, and workers do not get all rows with them
    (part,) = sample.splits
    assert part.plain.of(part.X_train) is part.plain.of(part.X_train)
    run = AutoRun(task, Screened())
    made = [judged.candidate for judged in run.first(task.space).values()]
    sample.evaluate(made)
    scored = [e for e in sample.done.values() if np.isfinite(e.score)]
    # some strike more of the sample than of all rows
    assert any(e.row_fraction > task.space.budget + 1e-9 for e in scored)
    assert len(sample.within(task.space.budget)) == len(scored) > 20
    assert len(sample.within(task.space.budget / 2)) < len(scored)


@pytest.mark.slow
@pytest.mark.usefixtures("few_fits")
def test_of_very_many_patterns_some_of_every_template_are_scored(monkeypatch):
    monkeypatch.setattr(_workload, "MOST_FIRST", 12)
    X, y = small_data()
    search = auto("labels")
    with pytest.warns(UserWarning, match="only some of the .* shortest patterns were scored"):
        search.fit(X, y)
    first = search.phases_.iloc[0]
    assert first["n_candidates"] <= 12 + 4
    used = {
        c
        for text in search.cv_results_["pattern"]
        for c in "abc"
        if f"`{c}`" in text or f"{c} " in text
    }
    assert used == set("abc")


@pytest.mark.slow
@pytest.mark.usefixtures("few_fits")
def test_the_same_seed_gives_the_same_search():
    X, y = small_data()
    one, *others = (auto("labels", linear(), n_jobs=n).fit(X, y) for n in (1, 1, 2))
    for other in others:
        assert list(one.cv_results_["pattern"]) == list(other.cv_results_["pattern"])
        assert one.worst_score_ == other.worst_score_
        pd.testing.assert_frame_equal(one.phases_, other.phases_)


@pytest.mark.usefixtures("few_fits")
def test_processes_are_searched_too():
    X, y = small_data()
    process = CorruptionProcess(
        [("gaps", CorruptMissing(columns=["a"])), ("flips", CorruptLabels())]
    )
    search = auto(process, space=SearchSpace(n_bins=2, max_conditions=1)).fit(X, y)
    assert search.score_drop_ >= 0
    assert search.phases_.empty


@pytest.mark.slow
def test_phases_survive_json(tmp_path):
    search = searched("labels")
    search.to_json(tmp_path / "search.json")
    read = AdversarialCorruptionSearch.from_json(tmp_path / "search.json")
    pd.testing.assert_frame_equal(read.phases_, search.phases_)
    assert type(read.strategy_) is type(search.strategy_)
    assert "Candidates scored" in search.summary()


# ten seeds on eight tables are a benchmark
@pytest.mark.slow
@pytest.mark.usefixtures("no_alternatives")
@pytest.mark.parametrize("corruption", ["missing", "labels", "selection"])
@pytest.mark.parametrize(
    ("model", "seeds"),
    [(linear(), [0, 1]), (HistGradientBoostingClassifier(max_iter=20), [2])],
)
def test_it_is_never_far_above_the_best_of_the_others(corruption, model, seeds):
    X, y = small_data(300, seed=5)
    halves = StratifiedShuffleSplit(1, test_size=0.5, random_state=0)
    for seed in seeds:
        given = {"scoring": "roc_auc", "cv": halves, "random_state": seed}
        ours, *others = (
            auto(corruption, model, **given, **strategy).fit(X, y).worst_score_
            for strategy in ({}, {"strategy": "beam"}, {"strategy": "screening"})
        )
        assert ours <= min(others) + 0.002


def test_where_nothing_could_be_scored_that_alone_is_said():
    X, y = small_data()
    search = AdversarialCorruptionSearch(
        Centroids(), "missing", budget=0.002, cv=ONE_SPLIT, scoring=share_right, confirm_size=None
    )
    with pytest.warns(UserWarning) as said:
        search.fit(X, y)
    assert search.worst_corruption_ is None and search.n_evaluations_ == 0
    assert [str(each.message)[:26] for each in said] == ["No candidate is feasible w"]
