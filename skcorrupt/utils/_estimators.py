"""What can be fitted, told from what cannot before anything is."""

from __future__ import annotations

from typing import Any

from ._compat import InvalidParameterError
from ._shorten import shorten

# what skrub makes of its plans, and the plans themselves
_PLANS = ("DataOp", "SkrubLearner", "ParamSearch", "OptunaParamSearch")


def check_is_estimator(
    estimator: Any, parameter: str = "estimator", methods: tuple[str, ...] = ("fit", "get_params")
) -> None:
    """Refuse what cannot be fitted, or not be cloned.

    Parameters
    ----------
    estimator : object
        What was given.
    parameter : str, default="estimator"
        Where it was given, for the message.
    methods : tuple of str, default=("fit", "get_params")
        What it needs.

    Raises
    ------
    InvalidParameterError
        A ValueError and a TypeError, which says what it lacks.
    """
    if isinstance(estimator, type):
        name = estimator.__name__
        raise InvalidParameterError(
            f"{parameter}={name} is a class; pass an object of it, such as {name}()."
        )
    if _is_plan(type(estimator)):
        raise InvalidParameterError(
            f"{parameter} is a {type(estimator).__name__} of skrub, which takes an environment "
            "where estimators take X and y; pass DataOpEstimator(plan.skb.make_learner()) of "
            "skcorrupt.integrations."
        )
    lacking = [name for name in methods if not callable(getattr(estimator, name, None))]
    if lacking:
        raise InvalidParameterError(
            f"{parameter}={shorten(estimator)} of type {type(estimator).__name__} has no "
            f"{' and no '.join(lacking)}; it should be a scikit-learn estimator, such as "
            "LogisticRegression() or a Pipeline, or a class of your own that derives from "
            "sklearn.base.BaseEstimator."
        )


def _is_plan(kind: type) -> bool:
    return kind.__module__.split(".")[0] == "skrub" and kind.__name__ in _PLANS
