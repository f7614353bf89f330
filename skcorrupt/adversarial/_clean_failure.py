"""What is said of a pipeline that has no score on clean data, and what to do about it."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from sklearn.base import is_classifier
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline

from skcorrupt.evaluation._scores_of_classes import with_remedy
from skcorrupt.utils import ScorerError, UnpicklableError, shorten
from skcorrupt.utils._typing import Estimator, Scoring

from ._preflight import raise_if_refusing
from ._served import is_fitted
from ._settings import SearchSettings
from ._test_part import raise_if_test_part
from .candidates import Evaluator

# what is said of missing texts of pandas
OF_PANDAS_NA = ("boolean value of NA is ambiguous", "'NAType'")
# and of a model that lacks what a score asks for
OF_LACKING = re.compile(r"has none of the following attributes: (.+?)\.?$")


def raise_clean_failure(
    evaluator: Evaluator, settings: SearchSettings, error: Exception
) -> NoReturn:
    """Raise what is wrong with the pipeline, its score or the data.

    Parameters
    ----------
    evaluator : Evaluator
        That of the search.
    settings : SearchSettings
        What was asked.
    error : Exception
        The error on clean data.

    Raises
    ------
    ValueError, TypeError
        From the error, with the remedy.
    """
    estimator, split = evaluator.estimator, evaluator.splits[0]
    raise_if_refusing(estimator, split.X_train, split.y_train, error)
    raise_if_test_part(settings.test_corruption, error)
    if isinstance(error, (ScorerError, UnpicklableError)):
        raise error
    raise_if_lacking(estimator, settings.scoring, error)
    said = with_remedy(error, split.y_train)
    if any(each in said for each in OF_PANDAS_NA):
        said += (
            " scikit-learn does not read pd.NA in texts; pass X.astype(object).where(X.notna(),"
            " np.nan)."
        )
    # scikit-learn tells wrong types from wrong values
    kind = TypeError if isinstance(error, TypeError) else ValueError
    as_it_is = settings.apply_to == "test" and is_fitted(settings.estimator)
    done = "scored" if as_it_is else "fitted and scored"
    raise kind(f"The estimator cannot be {done} on X and y as they are: {said}") from error


def raise_if_lacking(estimator: Estimator, scoring: Scoring, error: Exception) -> None:
    """Name the score, and what it asks for that the model does not have.

    Raises
    ------
    ValueError
        From the error of the scorer.
    """
    lacking = OF_LACKING.search(str(error))
    if lacking is None:
        return
    model = _model_of(estimator)
    asks = "The score" if scoring is None else f"scoring={shorten(scoring)}"
    remedy = "another score"
    if is_classifier(model):
        remedy = (
            "a score of predictions, such as scoring='accuracy', or the classifier within "
            "CalibratedClassifierCV, which has predict_proba"
        )
    raise ValueError(
        f"{asks} asks the model for {' or '.join(lacking[1].split(', '))}, which "
        f"{type(model).__name__} does not have; pass {remedy}."
    ) from error


def _model_of(estimator: Estimator) -> Any:
    """The step that predicts, out of what was put around it."""
    while isinstance(estimator, (FrozenEstimator, Pipeline)):
        frozen = isinstance(estimator, FrozenEstimator)
        estimator = estimator.estimator if frozen else estimator.steps[-1][1]
    return estimator
