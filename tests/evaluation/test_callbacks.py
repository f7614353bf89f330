"""Callbacks of scikit-learn hear of the work of every system, and may end a search."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from cheap_models import Centroids
from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptedEstimator,
    CorruptLabels,
    CorruptNoise,
    ErrorSensitivityProfiler,
    NaturalAdversarialCurator,
    ResponsivenessAuditor,
    StageFairnessAblator,
)
from skcorrupt.adversarial import ExhaustiveSearch, SearchSpace
from skcorrupt.curation import MajorityVoteLabeler
from skcorrupt.responsiveness import ActionSet
from skcorrupt.robustness import RobustSearchCV
from small_searches import small_data

pytest.importorskip("sklearn.callback", reason="scikit-learn before 1.9 has no callbacks")
pytestmark = pytest.mark.usefixtures("few_fits")


class Heard:
    """Notes what it hears, and asks for an end after so many steps."""

    def __init__(self, stop_after=None):
        self.stop_after, self.begun, self.ended, self.calls = stop_after, [], [], []

    def setup(self, estimator, context):
        self.calls.append("setup")

    def teardown(self, estimator, context):
        self.calls.append("teardown")

    def on_fit_task_begin(self, estimator, context, *, X=None):
        self.begun.append((type(estimator).__name__, context.task_name))

    def on_fit_task_end(self, estimator, context):
        self.ended.append((type(estimator).__name__, context.task_name))
        steps = sum(name == "step" for _, name in self.ended)
        return self.stop_after is not None and steps >= self.stop_after


class GoesFurther(Heard):
    max_propagation_depth = None


X, Y = small_data()
SPACE = SearchSpace(max_conditions=1, n_bins=2)
SEARCH = {
    "cv": ShuffleSplit(1, random_state=0),
    "space": SPACE,
    "strategy": ExhaustiveSearch(),
    "random_state": 0,
}


def search(**params):
    return AdversarialCorruptionSearch(Centroids(), "labels", **{**SEARCH, **params})


def votes():
    return np.random.default_rng(0).integers(-1, 2, size=(40, 3))


def auditor():
    actions = ActionSet.from_data(X.round(), actionable=["a"])
    model = Centroids().fit(X.round(), Y)
    return ResponsivenessAuditor(model, actions, target=1, n_samples=30, random_state=0)


SYSTEMS = {
    "search": (search, (X, Y), {"Searching"}),
    "profiler": (
        lambda: ErrorSensitivityProfiler(
            GaussianNB(), corruptions=CorruptNoise("a"), levels=(0, 0.4), cv=2, random_state=0
        ),
        (X, Y),
        {"Profiling"},
    ),
    "ablator": (
        lambda: StageFairnessAblator(
            make_pipeline(StandardScaler(), GaussianNB()),
            sensitive_features="b",
            privileged=1,
            pos_label=1,
            cv=2,
            random_state=0,
        ),
        (X.assign(b=(X["b"] > X["b"].median()).astype(int)), Y),
        set(),
    ),
    "auditor": (auditor, (X.round().iloc[:6],), {"Auditing"}),
    "curator": (
        lambda: NaturalAdversarialCurator(MajorityVoteLabeler(), n_datasets=2),
        (votes(),),
        set(),
    ),
    "robust": (
        lambda: RobustSearchCV(
            GaussianNB(),
            {"var_smoothing": [1e-9, 1e-3]},
            "noise",
            apply_to="test",
            cv=2,
            space=SPACE,
            scoring="accuracy",
            random_state=0,
        ),
        (X, Y),
        {"Candidates scored clean"},
    ),
    "corrupted": (lambda: CorruptedEstimator(GaussianNB(), CorruptLabels()), (X, Y), set()),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n == "robust" else n for n in SYSTEMS]
)
def test_every_system_tells_its_callbacks(name):
    make, data, phases = SYSTEMS[name]
    heard = Heard()
    system = make().set_callbacks(heard)
    system.fit(*data)
    assert heard.calls == ["setup", "teardown"]
    assert heard.begun[0] == heard.ended[-1] == (type(system).__name__, "fit")
    assert sorted(heard.begun) == sorted(heard.ended)
    assert {task for _, task in heard.begun} >= phases
    assert not phases or heard.begun.count((type(system).__name__, "step")) > 1
    assert not [each for each in vars(system) if each.startswith("_callback")]
    assert clone(system)._skl_callbacks == [heard]
    system.set_callbacks()
    pickle.loads(pickle.dumps(system))
    before = len(heard.begun)
    system.fit(*data)
    assert len(heard.begun) == before


def test_callbacks_change_nothing_of_what_is_found():
    plain, heard = search().fit(X, Y), search().set_callbacks(Heard()).fit(X, Y)
    assert repr(plain.worst_corruption_) == repr(heard.worst_corruption_)
    pd.testing.assert_series_equal(
        pd.DataFrame(plain.cv_results_)["mean_test_score"],
        pd.DataFrame(heard.cv_results_)["mean_test_score"],
    )
    assert not plain.interrupted_ and not heard.interrupted_


def test_a_callback_ends_a_search_and_the_best_so_far_is_compared():
    whole = search().fit(X, Y)
    stopped = search().set_callbacks(Heard(stop_after=8))
    with pytest.warns(UserWarning, match="ended by a callback after"):
        stopped.fit(X, Y)
    assert stopped.interrupted_ and 0 < stopped.n_evaluations_ < whole.n_evaluations_
    assert np.isfinite(stopped.confirmed_score_) and stopped.worst_corruption_ is not None


@pytest.mark.filterwarnings("ignore:With 2 splits")
def test_what_rests_on_all_of_the_work_is_not_stopped():
    make, data, _ = SYSTEMS["profiler"]
    profiler = make().set_callbacks(Heard(stop_after=1))
    with pytest.warns(UserWarning, match="Profiling is not stopped by a callback"):
        profiler.fit(*data)
    pd.testing.assert_frame_equal(profiler.profiles_, make().fit(*data).profiles_)


def test_a_failing_fit_is_torn_down():
    heard = Heard()
    system = search(cv=1).set_callbacks(heard)
    with pytest.raises(ValueError):
        system.fit(X, Y)
    assert heard.calls == ["setup", "teardown"]
    assert "_callback_fit_ctx" not in vars(system)


@pytest.mark.parametrize("make", [Heard, GoesFurther])
def test_those_that_go_further_hear_of_the_refit(make):
    heard = make()
    inner = LogisticRegression()
    CorruptedEstimator(inner, CorruptLabels(rate=0.1)).set_callbacks(heard).fit(X, Y)
    further = {name for name, _ in heard.begun} - {"CorruptedEstimator"}
    assert further == ({"LogisticRegression"} if make is GoesFurther else set())
