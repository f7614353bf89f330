"""The one place that touches private names of others, so that a release breaks one file."""

from functools import cache
from numbers import Integral
from typing import Any

# what joblib's workers are sent with; no public name gives it
from joblib.externals.loky.backend.reduction import dumps

# the public name asks for an import that enables it for everybody
from sklearn.impute._iterative import IterativeImputer
from sklearn.metrics._scorer import _PassthroughScorer
from sklearn.utils._param_validation import (
    HasMethods,
    Interval as _Interval,
    InvalidParameterError,
    StrOptions,
    validate_parameter_constraints,
)
from sklearn.utils.metaestimators import _BaseComposition as BaseComposition
from sklearn.utils.validation import _check_sample_weight as check_sample_weight

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:
    # scikit-learn before 1.9 has no callbacks, and estimators no `set_callbacks`
    class CallbackSupportMixin:  # type: ignore[no-redef]
        """What estimators with callbacks are derived from."""

    def with_callbacks(method: Any) -> Any:
        """A method as it is."""
        return method


# modules of classes whose public names ask for such an import; code to run names these instead
EXPERIMENTAL = (
    "sklearn.impute._iterative",
    "sklearn.model_selection._search_successive_halving",
)

__all__ = [
    "EXPERIMENTAL",
    "BaseComposition",
    "CallbackSupportMixin",
    "HasMethods",
    "Interval",
    "InvalidParameterError",
    "IterativeImputer",
    "NamedOnce",
    "StrOptions",
    "check_sample_weight",
    "dumps",
    "is_own_score",
    "output_container",
    "scorer_function",
    "scorer_parts",
    "validate_parameter_constraints",
    "with_callbacks",
]


class Interval(_Interval):
    """An interval of numbers, of which those that no float holds are no part where it is real."""

    def is_satisfied_by(self, val: Any) -> bool:
        """Whether a value is a number of the interval."""
        if not super().is_satisfied_by(val):
            return False
        if self.type is Integral:
            return True
        try:
            float(val)
        except OverflowError:
            return False
        return True


class NamedOnce:
    """What estimators derive from whose parameters' names are read off their class once.

    They are asked for several times with each clone, of which a search makes thousands.
    """

    @classmethod
    @cache
    def _get_param_names(cls) -> Any:
        return super()._get_param_names()  # type: ignore[misc]


def scorer_function(scorer: Any) -> Any:
    """The metric inside a scorer made by `make_scorer`, anything else as it is."""
    return getattr(scorer, "_score_func", scorer)


def is_own_score(scorer: Any) -> bool:
    """Whether a scorer asks for an estimator's own `score`, as with `scoring=None`."""
    return isinstance(scorer, _PassthroughScorer)


def output_container(transformer: Any) -> str | None:
    """The container that `set_output` asked a transformer for, None where it was not called."""
    return getattr(transformer, "_sklearn_output_config", {}).get("transform")


def scorer_parts(scorer: Any) -> tuple[Any, int, dict[str, Any], Any] | None:
    """Metric, sign, parameters and response method of what `make_scorer` made, None of others."""
    names = ("_score_func", "_sign", "_kwargs", "_response_method")
    if not all(hasattr(scorer, name) for name in names):
        return None
    func, sign, params, response = (getattr(scorer, name) for name in names)
    return func, int(sign), dict(params), response
