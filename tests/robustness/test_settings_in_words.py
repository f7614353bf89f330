"""Settings in words of somebody who does not code."""

import pytest
from sklearn.impute import KNNImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import RobustScaler

from skcorrupt.evaluation._described import Described
from skcorrupt.robustness import RangeClipper
from skcorrupt.robustness._settings_in_words import settings_in_words


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"simpleimputer__strategy": "median"}, "fill gaps with the median"),
        (
            {"columntransformer__pipeline__simpleimputer__add_indicator": True},
            "mark where gaps were filled",
        ),
        (
            {"columns__numbers__fill__strategy": "median"},
            "fill gaps with the median (in `columns__numbers`)",
        ),
        (
            {"logisticregression__C": 0.01},
            "closeness to the training data (more is closer): 0.01",
        ),
        (
            {"simpleimputer": KNNImputer(), "standardscaler": RobustScaler()},
            "fill gaps from similar rows; scale by median and quartiles",
        ),
        ({"simpleimputer": Described.of(KNNImputer())}, "fill gaps from similar rows"),
        ({"standardscaler": "passthrough"}, "leave out the step `standardscaler`"),
        ({"model__gamma": "scale"}, "`model__gamma` = `'scale'`"),
        (
            {"model": make_pipeline(RangeClipper(), KNNImputer())},
            "something else for `model`",
        ),
        # the same said once
        (
            {"a__strategy": "mean", "b__strategy": "mean"},
            "fill gaps with the mean",
        ),
    ],
)
def test_what_is_known_is_said_without_code(params, said):
    assert settings_in_words(params) == said
