"""The picture shows what the curator found."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy import stats
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from skcorrupt.curation import (
    AdversarialOrderDisplay,
    MajorityVoteLabeler,
    NaturalAdversarialCurator,
)


@pytest.fixture
def made():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    L = np.where(rng.random((300, 7)) < 0.7, y[:, None], 1 - y[:, None])
    return NaturalAdversarialCurator(MajorityVoteLabeler(), n_datasets=6).fit(L), y


def lines(display):
    return {line.get_label(): line.get_ydata() for line in display.ax_.get_lines()}


def test_weak_labels_with_their_band(made):
    curator, y = made
    display = AdversarialOrderDisplay.from_curator(curator, y).plot()
    drawn = lines(display)
    np.testing.assert_allclose(
        drawn["weak labels that are right"], curator.score_ordering(y).accuracies
    )
    first = display.curves.iloc[0]
    hits = int((curator.labels_ == y)[curator.datasets_[0]].sum())
    band = stats.binomtest(hits, 50).proportion_ci(0.9, method="exact")
    assert (first["ci_low"], first["ci_high"]) == pytest.approx((band.low, band.high))
    assert display.figure_ is display.ax_.figure


def test_a_model_after_evaluate(made):
    curator, y = made
    X = y[:, None] + np.random.default_rng(1).normal(size=(300, 1))
    curator.evaluate(LogisticRegression(), X, y)
    _, ax = plt.subplots()
    display = AdversarialOrderDisplay.from_curator(curator, y).plot(ax=ax)
    assert display.ax_ is ax and len(lines(display)) == 3
    right = lines(display)["samples on which the model is right"]
    np.testing.assert_allclose(right, curator.curve_["accuracy"])
    # without colour, too
    drawn = display.ax_.get_lines()
    assert len({line.get_marker() for line in drawn}) == 3
    assert len({line.get_linestyle() for line in drawn}) == 3
    assert len(lines(AdversarialOrderDisplay.from_curator(curator).plot())) == 2


def test_nothing_to_draw(made):
    curator, y = made
    with pytest.raises(ValueError, match="There is nothing to draw: pass true labels"):
        AdversarialOrderDisplay.from_curator(curator).plot()
    with pytest.raises(ValueError, match="kind='pie' should be one of"):
        AdversarialOrderDisplay.from_curator(curator).plot("pie")
    with pytest.raises(TypeError, match="ax='here' should be matplotlib Axes"):
        AdversarialOrderDisplay.from_curator(curator).plot("bounds", "here")
    with pytest.raises(NotFittedError):
        AdversarialOrderDisplay.from_curator(NaturalAdversarialCurator(MajorityVoteLabeler()), y)


def test_bounds_along_the_order(made):
    curator, _ = made
    _, ax = plt.subplots()
    display = AdversarialOrderDisplay.from_curator(curator).plot("bounds", ax)
    assert display.ax_ is ax and display.figure_ is ax.figure
    drawn = ax.get_lines()[0].get_ydata()
    np.testing.assert_array_equal(drawn, curator.lower_bound_[curator.order_])
    np.testing.assert_array_equal(display.table_["lower_bound"], drawn)
