"""The same warning is shown once for a piece of work, whichever fit it comes from."""

import threading
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.naive_bayes import GaussianNB

from skcorrupt import (
    CorruptNoise,
    ErrorSensitivityProfiler,
    cross_validate_corrupted,
)
from skcorrupt.utils import warned_once

X = np.random.default_rng(0).normal(size=(40, 2))
Y = np.arange(40) % 2


class Stubborn(GaussianNB):
    """Warns in every fit, and with another number of it."""

    def fit(self, X, y, sample_weight=None):
        warnings.warn("no progress", UserWarning, stacklevel=1)
        text = f"tolerance {np.abs(X).max():.3e} after 3 steps"
        warnings.warn(text, ConvergenceWarning, stacklevel=1)
        return super().fit(X, y, sample_weight)


def profiled():
    noise = [CorruptNoise()]
    profiler = ErrorSensitivityProfiler(Stubborn(), corruptions=noise, levels=(0, 0.2), n_repeats=3)
    profiler.set_params(random_state=0).fit(X, Y)


def cross_validated():
    cross_validate_corrupted(Stubborn(), X, Y, CorruptNoise(rate=0.2), cv=4, random_state=0)


@pytest.mark.parametrize("work", [profiled, cross_validated])
def test_what_a_model_says_in_every_fit_is_heard_once_for_each_call(work):
    shown = warnings.showwarning
    for _ in range(2):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            work()
        of_models = [each.category for each in caught if each.filename == __file__]
        assert of_models.count(ConvergenceWarning) == 1
        assert sum("no progress" in str(each.message) for each in caught) == 1
    assert warnings.showwarning is shown


def test_two_columns_are_two_warnings_and_a_raised_one_is_raised():
    with warnings.catch_warnings(record=True) as caught, warned_once():
        warnings.simplefilter("always")
        for name in ("x1", "x2", "x1"):
            warnings.warn(f"column {name}", stacklevel=1)
    assert [str(each.message) for each in caught] == ["column x1", "column x2"]
    with warned_once(), warnings.catch_warnings(), pytest.raises(UserWarning, match="column"):
        warnings.simplefilter("error")
        warnings.warn("column x1", stacklevel=1)


def test_a_handler_set_meanwhile_stays(monkeypatch):
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)

    def mine(*told):
        pass

    with warned_once():
        warnings.showwarning = mine
    assert warnings.showwarning is mine


def test_a_thread_that_puts_it_back_later_silences_nothing(monkeypatch):
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    within, after = threading.Event(), threading.Event()

    def other():
        with warnings.catch_warnings():
            within.set()
            after.wait()

    thread = threading.Thread(target=other)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with warned_once():
            thread.start()
            within.wait()
        after.set()
        thread.join()
        with warned_once():
            for name in ("x1", "x2", "x1"):
                warnings.warn(f"column {name}", stacklevel=1)
        warnings.warn("column x1", stacklevel=1)
    assert [str(each.message)[-2:] for each in caught] == ["x1", "x2", "x1"]
