"""The model by which a stand-in is chosen."""

from __future__ import annotations

from sklearn.ensemble import BaseEnsemble
from sklearn.pipeline import Pipeline

from skcorrupt.evaluation import last_step
from skcorrupt.utils._typing import Estimator


def model_of(estimator: Estimator) -> Estimator:
    """The model at the end of pipelines: an ensemble is one, whatever its members are.

    Parameters
    ----------
    estimator : estimator
        A pipeline, a meta-estimator around one, or a single model.

    Returns
    -------
    estimator
        As `last_step`, but for ensembles.
    """
    inner = estimator
    while isinstance(inner, Pipeline):
        inner = inner.steps[-1][1]
    return inner if isinstance(inner, BaseEnsemble) else last_step(estimator)
