"""The one place that touches private names of scikit-learn, so that a release breaks one file."""

from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.metaestimators import _BaseComposition as BaseComposition

__all__ = ["BaseComposition", "HasMethods", "Interval", "StrOptions"]
