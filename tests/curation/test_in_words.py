"""The summary of a curator says what it found."""

import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import fitted_systems
from skcorrupt.curation._in_words import curve_in_words


def test_how_far_confidence_falls():
    curator = fitted_systems.curator(evaluate=False)
    bounds = curator.lower_bound_[curator.order_]
    tenth = len(bounds) // 10
    assert curator.summary() == (
        f"From the surest label to the least sure, {len(bounds)} samples make "
        f"{len(curator.datasets_)} sets that grow harder: the lower bound of the confidence falls "
        f"from {bounds[:tenth].mean():.3f} in the first tenth of the samples to "
        f"{bounds[-tenth:].mean():.3f} in the last."
    )
    with pytest.raises(NotFittedError):
        clone(curator).summary()


def test_how_a_model_fares():
    curator = fitted_systems.curator()
    first, last = (curator.curve_.iloc[k] for k in (0, -1))
    assert curator.summary().endswith(
        f"A model agrees with the weak labels on {100 * first['agreement']:.1f} % of the first "
        f"set and on {100 * last['agreement']:.1f} % of the last; by true labels it is right on "
        f"{100 * first['accuracy']:.1f} % of the first set and on {100 * last['accuracy']:.1f} % "
        "of the last."
    )
    known = curator.curve_["n_labelled"] - 3
    said = curve_in_words(curator.curve_.assign(n_labelled=known))
    assert said.endswith(
        f" of the last, of which {known.iloc[0]} and {known.iloc[-1]} true labels are known."
    )
    curator.curve_ = curator.curve_.drop(columns="accuracy")
    assert curator.summary().endswith(f"{100 * last['agreement']:.1f} % of the last.")
