"""scikit-learn's own checks of estimators, over every check."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from skcorrupt.checks import (
    Drift,
    KnownCategories,
    MissingShare,
    RowCount,
    SegmentShare,
    UniqueKeys,
    ValueRange,
)

CHECKS = [Drift, KnownCategories, MissingShare, RowCount, SegmentShare, UniqueKeys, ValueRange]


# the data they are given is small, and without texts
@pytest.mark.filterwarnings("ignore:.*learns from|.*never raise an alarm")
@parametrize_with_checks([check() for check in CHECKS])
def test_scikit_learn_checks(estimator, check):
    check(estimator)
