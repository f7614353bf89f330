"""scikit-learn's own checks of estimators, over every class."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from skcorrupt import (
    CorruptCategories,
    CorruptClip,
    CorruptDates,
    CorruptDuplicates,
    CorruptExchange,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptRounding,
    CorruptScale,
    CorruptSentinel,
    CorruptShiftRows,
    CorruptStuck,
    CorruptText,
    CorruptType,
    SelectionBias,
)

ESTIMATORS = [
    CorruptMissing(),
    CorruptMissing(when="always", random_state=0),
    CorruptNoise(),
    CorruptNoise(when="always", random_state=0),
    CorruptOutliers(),
    CorruptCategories(),
    CorruptScale(),
    CorruptSentinel(),
    CorruptSentinel(value=-1.5, when="always", random_state=0),
    CorruptExchange(),
    CorruptExchange(when="always", random_state=0),
    CorruptShiftRows(),
    CorruptStuck(),
    CorruptRounding(),
    CorruptRounding(step=0.5, when="always", random_state=0),
    CorruptClip(),
    CorruptClip(upper=1.0, when="always", random_state=0),
    CorruptText(),
    CorruptDates(),
    CorruptType(),
    CorruptLabels(),
    SelectionBias(),
    CorruptDuplicates(),
    CorruptDuplicates(jitter=0.1),
    CorruptionProcess(
        [
            ("missing", CorruptMissing(rate=0.2)),
            ("labels", CorruptLabels()),
            ("bias", SelectionBias(rate=0.2)),
            ("copies", CorruptDuplicates()),
        ]
    ),
]


# the checks feed rounded data, which has equal rows, and numbers only
@pytest.mark.filterwarnings("ignore:Rows of equal content are struck together")
@pytest.mark.filterwarnings("ignore:.*Nothing will be corrupted")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
