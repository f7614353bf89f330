"""Ctrl-C and SIGTERM end a profile, an ablation and an audit with what there is until then."""

import os
import signal

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from cheap_models import Centroids
from skcorrupt import ErrorSensitivityProfiler, ResponsivenessAuditor, StageFairnessAblator
from skcorrupt.evaluation import run_until_stopped
from skcorrupt.report import write_html
from skcorrupt.responsiveness import ActionSet

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM"),
    pytest.mark.parametrize(
        ("sent", "name"), [(signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM")]
    ),
]


class Signals:
    """Sends a signal at one of its calls, however often models are cloned."""

    n_calls, last, sent = 0, None, None

    @classmethod
    def after(cls, last, sent):
        cls.n_calls, cls.last, cls.sent = 0, last, sent

    @classmethod
    def call(cls):
        cls.n_calls += 1
        if cls.n_calls == cls.last:
            os.kill(os.getpid(), cls.sent)


class AtFit(Centroids):
    def fit(self, X, y, sample_weight=None):
        Signals.call()
        return super().fit(X, y, sample_weight)


class AtPredict(Centroids):
    def predict(self, X):
        Signals.call()
        return super().predict(X)


@pytest.fixture(autouse=True)
def _handlers_and_counts(sent):
    before = signal.getsignal(signal.SIGTERM)
    yield
    assert signal.getsignal(signal.SIGTERM) is before
    Signals.after(None, None)


def data(n=80):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n, 2)), columns=["a", "b"])
    X["sex"] = rng.integers(0, 2, n)
    y = (X["a"] + 0.5 * X["sex"] + rng.normal(size=n) > 0).astype(int)
    return X, y


def profiler(n_repeats=6):
    return ErrorSensitivityProfiler(
        AtFit(), corruptions="noise", levels=(0, 0.5), n_repeats=n_repeats, random_state=0
    )


def test_results_until_then_are_kept_where_they_are_enough(sent, name):
    def work(i):
        Signals.call()
        return 10 * i

    Signals.after(3, sent)
    tasks = [(i,) for i in range(5)]
    found, cause = run_until_stopped(work, tasks, n_tasks=5, enough=lambda found: len(found) == 2)
    assert (found, cause) == ({0: 0, 1: 10}, name)
    found, cause = run_until_stopped(work, tasks, n_tasks=5, enough=bool)
    assert (list(found.values()), cause) == ([0, 10, 20, 30, 40], "")


def test_what_is_not_enough_is_raised(sent, name):
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        Signals.after(1, sent)
        with pytest.raises(KeyboardInterrupt):
            profiler().fit(*data())
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@pytest.mark.slow
def test_a_profile_of_the_repeats_until_then(sent, name, tmp_path):
    X, y = data()
    whole = profiler().fit(X, y)
    assert whole.interrupted_ is False
    # four fits a repeat: clean, and noise in each of three columns
    Signals.after(4 * 3 + 2, sent)
    with pytest.warns(UserWarning, match=f"ended by {name} after 3 of 6 repeats.*journal=PATH"):
        cut = profiler().fit(X, y)
    assert cut.interrupted_ is True
    first = whole.curves_[whole.curves_["repeat"] < 3].reset_index(drop=True)
    pd.testing.assert_frame_equal(cut.curves_, first)
    assert len(cut.profiles_) == len(whole.profiles_)
    assert cut.n_fits_ == 13
    cut.to_json(tmp_path / "cut.json")
    again = ErrorSensitivityProfiler.from_json(tmp_path / "cut.json")
    page = write_html(again, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "ended early after 3 repeats" in page


def test_a_journal_has_the_rest_made_later(sent, name, tmp_path):
    X, y = data()
    whole = profiler().fit(X, y)
    kept = profiler().set_params(journal=tmp_path / "study.sqlite")
    Signals.after(4 * 2 + 3, sent)
    with pytest.warns(UserWarning, match="after 2 of 6 repeats.*A second fit goes on from"):
        kept.fit(X, y)
    kept.fit(X, y)
    pd.testing.assert_frame_equal(kept.curves_, whole.curves_)
    assert kept.n_fits_ == 24 - 10


@pytest.mark.many
@pytest.mark.long
def test_an_ablation_of_the_splits_until_then(sent, name, tmp_path):
    X, y = data()

    def ablator():
        return StageFairnessAblator(
            make_pipeline(StandardScaler(), AtFit()), sensitive_features="sex", privileged=1,
            pos_label=1, cv=5, random_state=0,
        )  # fmt: skip

    # the pipeline, and without its step
    Signals.after(2 * 3 + 1, sent)
    with pytest.warns(UserWarning, match=f"ended by {name} after 3 of 5 splits"):
        cut = ablator().fit(X, y)
    assert cut.interrupted_ is True
    assert cut.n_splits_ == 3
    assert (cut.stage_effects_["n_splits"] == 3).all()
    assert "ended early after 3 splits" in write_html(cut, tmp_path / "p.html").read_text()
    whole = ablator().fit(X, y)
    assert whole.interrupted_ is False
    assert whole.n_splits_ == 5
    Signals.after(2 + 1, sent)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        # of one split there is no interval
        with pytest.raises(KeyboardInterrupt):
            ablator().fit(X, y)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def test_an_audit_of_the_people_until_then(sent, name, tmp_path, monkeypatch):
    monkeypatch.setattr("skcorrupt.responsiveness.audit._hits.PEOPLE_A_TASK", 20)
    X, y = data()
    X = X.round(1)
    model = AtPredict().fit(X, y)
    actions = ActionSet.from_data(X, actionable=["sex"])

    def auditor():
        return ResponsivenessAuditor(model, actions, target=1, random_state=0)

    Signals.after(None, None)
    whole = auditor().fit(X)
    # predictions of people as they are, then of each task
    n_before = Signals.n_calls - 4
    Signals.after(n_before + 3, sent)
    with pytest.warns(UserWarning, match=f"ended by {name} after 40 of 80 people"):
        cut = auditor().fit(X)
    assert cut.interrupted_ is True
    assert whole.interrupted_ is False
    same = ["prediction", "responsiveness", "n", "hits", "verdict"]
    pd.testing.assert_frame_equal(cut.results_[same], whole.results_[same].iloc[:40])
    page = write_html(cut, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "ended early: 40 people were not audited" in page
