"""Callbacks of scikit-learn hear of the work of every system, and may end it."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from cheap_models import Centroids
from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptedEstimator,
    CorruptLabels,
    CorruptNoise,
    CorruptScale,
    ErrorSensitivityProfiler,
    NaturalAdversarialCurator,
    ResponsivenessAuditor,
    StageFairnessAblator,
)
from skcorrupt.adversarial import ExhaustiveSearch, SearchSpace
from skcorrupt.checks import RowCount
from skcorrupt.curation import MajorityVoteLabeler
from skcorrupt.responsiveness import ActionSet
from skcorrupt.robustness import RobustSearchCV
from skcorrupt.robustness._answers import answers_to
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


@pytest.mark.filterwarnings("ignore:With . splits")
def test_a_callback_ends_a_profile_as_soon_as_there_is_a_repeat():
    make, data, _ = SYSTEMS["profiler"]
    whole = make().set_params(cv=5).fit(*data)
    # a repeat is two fits: clean, and noise at one level
    cut = make().set_params(cv=5).set_callbacks(Heard(stop_after=3))
    with pytest.warns(UserWarning, match="ended by a callback after 1 of 5 repeats"):
        cut.fit(*data)
    assert cut.interrupted_
    assert cut.summary().endswith("The study was ended early after 1 repeat.")
    assert "ended early" not in whole.summary()
    pd.testing.assert_frame_equal(cut.curves_, whole.curves_[whole.curves_["repeat"] < 1])
    late = make().set_params(cv=5).set_callbacks(Heard(stop_after=10)).fit(*data)
    assert not late.interrupted_
    pd.testing.assert_frame_equal(late.curves_, whole.curves_)


def test_a_callback_ends_an_ablation_once_there_are_two_splits():
    make, data, _ = SYSTEMS["ablator"]
    cut = make().set_params(cv=5).set_callbacks(Heard(stop_after=1))
    with pytest.warns(UserWarning, match="ended by a callback after 2 of 5 splits"):
        cut.fit(*data)
    assert cut.interrupted_ and cut.n_splits_ == 2
    assert cut.summary().endswith("The ablation was ended early after 2 splits.")
    assert np.isfinite(cut.stage_effects_["mean"]).all()


def test_a_callback_ends_an_audit_with_the_people_done(monkeypatch):
    monkeypatch.setattr("skcorrupt.responsiveness.audit._hits.PEOPLE_A_TASK", 2)
    make, data, _ = SYSTEMS["auditor"]
    whole = make().fit(*data)
    cut = make().set_callbacks(Heard(stop_after=3))
    with pytest.warns(UserWarning, match="ended by a callback after 4 of 6 people"):
        cut.fit(*data)
    assert cut.interrupted_
    assert "4 of 6 people were audited. The audit was ended early." in cut.summary()
    assert "ended early" not in whole.summary()
    same = ["prediction", "responsiveness", "n", "hits"]
    pd.testing.assert_frame_equal(cut.results_[same], whole.results_[same].iloc[:4])


def robust():
    search = SYSTEMS["robust"][0]()
    grid = {"var_smoothing": [1e-9, 1e-3, 0.1]}
    return search.set_params(param_grid=grid, corruption=CorruptScale("a"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The search")
def test_a_callback_ends_a_choice_and_those_that_were_searched_are_compared():
    whole = robust().fit(X, Y)
    assert not whole.interrupted_
    heard = Heard()
    robust().set_callbacks(heard).fit(X, Y)
    steps = [name for _, name in heard.ended].count("step")
    # while candidates are scored on clean data, and so after the given ones were searched
    cut = robust().set_callbacks(Heard(stop_after=1))
    with pytest.warns(UserWarning, match="ended by a callback when 1 of 3 candidates"):
        cut.fit(X, Y)
    assert cut.interrupted_ and cut.best_params_ == cut.baseline_params_
    assert cut.baseline_worst_score_ == cut.best_score_ == whole.baseline_worst_score_
    assert np.isnan(cut.confirmed_worst_)
    assert [*cut.cv_results_["status"]].count("ended early") == 2
    assert cut.cv_results_["interrupted"].sum() == 2
    assert "1 of them searched to the end before the search was ended early" in cut.summary()
    # with the last step, while the choice is confirmed
    late = robust().set_callbacks(Heard(stop_after=steps))
    with pytest.warns(UserWarning, match="ended by a callback while the choice was confirmed"):
        late.fit(X, Y)
    assert late.interrupted_ and np.isnan(late.confirmed_worst_)
    assert not late.cv_results_["interrupted"].any()
    assert "of 3 candidates, with a confirmation that was ended early: " in late.summary()
    assert late.best_score_ == whole.best_score_
    assert hasattr(late, "best_estimator_")


def test_whoever_listens_to_a_search_hears_nothing_of_its_repetition():
    served = search(cv=None, apply_to="test", confirm_size=None)
    served.set_params(estimator=GaussianNB().fit(X, Y), corruption=CorruptScale("a"))
    heard = Heard()
    served.set_callbacks(heard).fit(X, Y)
    n_calls = len(heard.calls), len(heard.begun)
    (answer,) = answers_to([RowCount(batch_size=20).fit(X)], [served])["damage"]
    assert answer == served.score_drop_ > 0
    assert (len(heard.calls), len(heard.begun)) == n_calls
    served.fit(X, Y)
    assert len(heard.begun) > n_calls[1]


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


def monitored(system, *data, **params):
    """What a `ScoringMonitor` of accuracy notes."""
    from sklearn.callback import ScoringMonitor

    monitor = ScoringMonitor(scoring="accuracy")
    system.set_callbacks(monitor).fit(*data, **params)
    return monitor.get_logs().data_as_pandas


@pytest.mark.parametrize("weights", [None, np.arange(1.0, len(Y) + 1)])
def test_a_monitor_scores_the_model_on_the_data_before_it_was_corrupted(weights):
    model = CorruptedEstimator(GaussianNB(), CorruptLabels(rate=0.3, random_state=0))
    log = monitored(model, X, Y, **({} if weights is None else {"sample_weight": weights}))
    assert [*log["estimator_name"]] == ["CorruptedEstimator"]
    assert [*log["accuracy"]] == [model.score(X, Y, sample_weight=weights)]


def test_a_monitor_scores_the_model_of_a_search_that_fits_one():
    refitted = search(refit=True)
    assert [*monitored(refitted, X, Y)["accuracy"]] == [refitted.score(X, Y)]
    with pytest.raises(ValueError, match="No logs to retrieve"):
        monitored(search(), X, Y)


def test_monitored_models_within_corrupted_ones_are_one_run_of_the_outer_fit():
    from sklearn.callback import ScoringMonitor

    monitor = ScoringMonitor(scoring="accuracy")
    inner = LogisticRegression(max_iter=100).set_callbacks(monitor)
    corrupted = CorruptedEstimator(inner, CorruptLabels(random_state=0))
    GridSearchCV(corrupted, {"estimator__C": [0.5, 2]}, cv=2).fit(X.to_numpy(), Y)
    (run,) = monitor.get_logs("all")
    assert run.estimator_name == "GridSearchCV"
    # two values in two folds, and the refit
    assert [row["task_name"] for row in run.data].count("fit") == 5


def test_a_progress_bar_shows_the_phases(capsys):
    pytest.importorskip("rich")
    from sklearn.callback import ProgressBar

    search().set_callbacks(ProgressBar()).fit(X, Y)
    shown = capsys.readouterr().out
    assert "Searching" in shown and "Confirming" in shown
