"""Remedies that are put around a model or a whole pipeline."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils.validation import has_fit_parameter

from ._doubtful_label_classifier import DoubtfulLabelClassifier
from ._margins import Margins
from ._remedies import Remedy
from ._reweighted import Reweighted, weight_parameter
from ._reweighted_classifier import ReweightedClassifier
from ._reweighted_regressor import ReweightedRegressor
from ._submodel_classifier import SubmodelClassifier
from ._submodel_regressor import SubmodelRegressor
from ._submodels import Submodels
from ._walked import Walked

# of clean values that are taken for wrong
FALSE_ALARMS = (0.002, 0.01)
# what no training row counts more than: large weights leave few rows to learn from
MOST_WEIGHTS = (3.0, 10.0)


def submodels_at_gaps(walked: Walked) -> Iterator[Remedy]:
    """The whole pipeline, and one without each column for rows in which it is missing."""
    yield from _submodels(walked, (0.0,))


def submodels_beyond_doubt(walked: Walked) -> Iterator[Remedy]:
    """The same for rows in which its value is implausible, too."""
    yield from _submodels(walked, FALSE_ALARMS)


def _submodels(walked: Walked, false_alarms: tuple[float, ...]) -> Iterator[Remedy]:
    model = walked.model
    if not walked.takes_tables() or isinstance(model, Submodels):
        return
    made: list[Any] = []
    if is_classifier(model):
        made = [SubmodelClassifier(clone(walked.pipeline), false_alarm=a) for a in false_alarms]
        made.append(clone(made[-1]).set_params(balanced=True))
    elif is_regressor(model):
        made = [SubmodelRegressor(clone(walked.pipeline), false_alarm=a) for a in false_alarms]
    if made:
        yield {"steps": [[(type(each).__name__.lower(), each)] for each in made]}


def doubtful_labels(walked: Walked) -> Iterator[Remedy]:
    """Labels that are not believed.

    Parameters
    ----------
    walked : Walked
        The pipeline.

    Yields
    ------
    dict of str to list
        Parameter paths and values.
    """
    model = walked.model
    if not is_classifier(model) or not hasattr(model, "predict_proba"):
        return
    if isinstance(model, DoubtfulLabelClassifier):
        return
    choices = [DoubtfulLabelClassifier(clone(model), cv=3)]
    if has_fit_parameter(model, "sample_weight"):
        choices.append(DoubtfulLabelClassifier(clone(model), cv=3, method="weight"))
    if find_spec("cleanlab") is not None:
        choices.append(DoubtfulLabelClassifier(clone(model), cv=3, cleanlab=True))
    yield {walked.model_path: choices}


def reweighting(margins: Margins) -> Callable[[Walked], Iterator[Remedy]]:
    """Training rows that count as often as a population has such rows.

    Parameters
    ----------
    margins : dict of label to dict
        The shares of the population.

    Returns
    -------
    callable
        `remedies(walked)`.
    """

    def remedies(walked: Walked) -> Iterator[Remedy]:
        model, pipeline = walked.model, walked.pipeline
        takes = walked.takes_tables() and weight_parameter(pipeline) is not None
        if not takes or not margins or isinstance(model, Reweighted):
            return
        if is_classifier(model) or is_regressor(model):
            kind = ReweightedClassifier if is_classifier(model) else ReweightedRegressor
            made = [kind(clone(pipeline), margins, max_weight=most) for most in MOST_WEIGHTS]
            yield {"steps": [[(kind.__name__.lower(), each)] for each in made]}

    return remedies
