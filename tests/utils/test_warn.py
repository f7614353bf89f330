"""Warnings point at the line of the user's, through the package and scikit-learn."""

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from skcorrupt import CorruptMissing, ErrorSensitivityProfiler, cross_validate_corrupted
from skcorrupt.utils import warn

X = np.arange(40.0).reshape(20, 2)
Y = np.arange(20) % 2


class Warns(TransformerMixin, BaseEstimator):
    """Warns when it is fitted, deep inside of scikit-learn."""

    def fit(self, X, y=None):
        """Warn."""
        warn("here")
        return self

    def transform(self, X):
        """Nothing."""
        return X


def by_profiler():
    profiler = ErrorSensitivityProfiler(GaussianNB(), corruptions=[CorruptMissing()], levels=(0, 1))
    profiler.set_params(n_repeats=1).fit(X, Y)


def by_cross_validation():
    cross_validate_corrupted(GaussianNB(), X, Y, CorruptMissing(rate=0.5), cv=2)


@pytest.mark.parametrize("call", [by_profiler, by_cross_validation])
def test_a_warning_is_the_users_line(call):
    with pytest.warns((UserWarning, FitFailedWarning)) as caught:
        call()
    first = call.__code__.co_firstlineno
    for warning in caught:
        assert warning.filename == __file__
        assert first < warning.lineno <= first + 3


def test_a_users_own_step_inside_of_scikit_learn_warns_where_it_is_written():
    with pytest.warns(UserWarning, match="here") as caught:
        cross_val_score(make_pipeline(Warns(), GaussianNB()), X, Y, cv=2)
    assert {warning.lineno for warning in caught} == {Warns.fit.__code__.co_firstlineno + 2}


def test_the_kind_can_be_chosen():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn("failed", FitFailedWarning)
    assert [(each.category, each.filename) for each in caught] == [(FitFailedWarning, __file__)]
