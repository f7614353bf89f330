"""What takes tables of every kind."""

from __future__ import annotations

from sklearn.base import BaseEstimator
from sklearn.utils import Tags


class AnyTable(BaseEstimator):
    """An estimator that takes any table, whatever its columns hold."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags
