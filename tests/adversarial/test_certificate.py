"""What a search says that it has covered, and what it warns of."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from skcorrupt import AdversarialCorruptionSearch, CorruptionProcess, CorruptLabels, CorruptMissing
from skcorrupt.adversarial import SearchSpace, _certificate
from skcorrupt.adversarial.strategies import _auto_run
from small_searches import ONE_SPLIT, small_data

pytestmark = pytest.mark.usefixtures("few_fits")

STRATEGIES = ["auto", "beam", "screening", "exhaustive"]


def linear():
    return make_pipeline(SimpleImputer(), LogisticRegression())


def search(strategy, corruption="labels", estimator=None, **params):
    settings = {"budget": 1.0, "cv": ONE_SPLIT, "confirm_size": None, "random_state": 0}
    settings |= {"scoring": "roc_auc", "space": SearchSpace(n_bins=3, max_conditions=2)}
    model = linear() if estimator is None else estimator
    return AdversarialCorruptionSearch(
        model, corruption, strategy=strategy, **{**settings, **params}
    )


class Moody(ClassifierMixin, BaseEstimator):
    """Its scores have nothing to do with harm."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        seed = int(np.abs(np.nan_to_num(np.asarray(X, dtype=float))).sum() * 1e6 + np.sum(y))
        self.signs_ = np.random.default_rng(seed % 2**32).normal(size=X.shape[1])
        return self

    def predict_proba(self, X):
        p = 1 / (1 + np.exp(-np.nan_to_num(np.asarray(X, dtype=float)) @ self.signs_))
        return np.column_stack([1 - p, p])


NO_BETTER = pytest.mark.filterwarnings("ignore:The clean pipeline scores")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("corruption", ["missing", ["labels", "selection"]])
@pytest.mark.slow
def test_there_is_a_row_for_every_budget_and_kind(strategy, corruption):
    X, y = small_data()
    space = SearchSpace(n_bins=2, max_conditions=2, pattern_columns=["a", "c"])
    space.set_params(corrupt_columns=["a", "c"] if corruption == "missing" else None)
    made = search(strategy, corruption, budget=[0.2, 1.0], space=space).fit(X, y)
    kinds = ["missing"] if corruption == "missing" else corruption
    rows = made.certificate_
    assert [*zip(rows["budget"], rows["kind"], strict=True)] == [
        (b, k) for b in (0.2, 1.0) for k in kinds
    ]
    covers = 2 if strategy == "exhaustive" else 1
    if strategy != "screening":
        assert (rows["complete_conditions"] >= covers).all()
    assert (rows["n_patterns"] >= rows["n_converged"]).all()
    assert rows["n_patterns"].sum() >= len(made.cv_results_["pattern"]) / 2


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_only_a_search_of_everything_is_a_proof(strategy):
    X, y = small_data()
    # nothing is drawn where the budget suffices for every row of every pattern
    rows = search(strategy).fit(X, y).certificate_
    assert rows["proven"].tolist() == [strategy == "exhaustive"]


@pytest.mark.long
def test_what_is_drawn_is_not_proven():
    X, y = small_data()
    rows = search("exhaustive", budget=0.1).fit(X, y).certificate_
    assert rows["proven"].tolist() == [False]
    assert rows["complete_conditions"].tolist() == [2]


@pytest.mark.long
def test_members_one_after_the_other_are_no_proof():
    X, y = small_data()
    both = CorruptionProcess([("gaps", CorruptMissing()), ("flips", CorruptLabels())])
    small = SearchSpace(n_bins=2, max_conditions=1)
    rows = search("exhaustive", both, space=small).fit(X, y).certificate_
    assert not rows["proven"].any()
    assert (rows["complete_conditions"] == -1).all()


@NO_BETTER
@pytest.mark.slow
def test_where_nothing_stands_in_for_the_pipeline_a_warning_says_so():
    X, y = small_data()
    made = search("auto", "selection", Moody(), budget=0.2)
    with pytest.warns(UserWarning, match="no proxy orders errors as the pipeline does") as said:
        made.fit(X, y)
    assert sum("A worse error may" in str(each.message) for each in said) == 1
    assert made.proxy_ == "none"


@NO_BETTER
def test_patterns_of_one_condition_leave_nothing_to_warn_of():
    X, y = small_data()
    short = SearchSpace(n_bins=3, max_conditions=1)
    made = search("auto", "selection", Moody(), budget=0.2, space=short).fit(X, y)
    assert made.certificate_["complete_conditions"].tolist() == [1]


def test_models_that_have_not_converged_are_named(monkeypatch):
    X, y = small_data()
    monkeypatch.setattr(_certificate, "CONVERGED", 0.0)
    with pytest.warns(UserWarning, match="models of the linear proxy had not converged"):
        search("screening").fit(X, y)


@pytest.mark.slow
def test_a_proxy_that_the_pipeline_contradicts_is_named(monkeypatch):
    X, y = small_data()
    said_of = []

    def agreement(real, scores):
        """As good as any at first, and wrong about the worst of those that it chose."""
        said_of.append(len(real))
        return 1.0 if len(said_of) <= 2 else -1.0

    monkeypatch.setattr(_auto_run, "agreement_of", agreement)
    with pytest.warns(UserWarning, match="proxy was overruled") as said:
        made = search("auto").fit(X, y)
    assert "exhaustive" in str(said[0].message)
    assert made.worst_score_ < made.baseline_score_
    # the beam that was left out, as a proxy seemed to know, is made up for
    phases = made.phases_["phase"].tolist()
    assert phases.index("screening on the linear proxy") < phases.index("searching by beam")
    assert made.n_evaluations_ <= made.plan(X, y).n_evaluations
