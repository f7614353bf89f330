"""Types that signatures share: what users pass, said once.

Pandas, numpy and lists are told by name; polars and scipy ship no types that could be asked for
without importing them, so they are told by what they can do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike


class _Sparse(Protocol):
    """A scipy sparse matrix or array."""

    def tocsr(self, *args: Any, **kwargs: Any) -> Any: ...
    def tocoo(self, *args: Any, **kwargs: Any) -> Any: ...


class _Estimator(Protocol):
    """What follows scikit-learn's conventions; what else it can do is asked when it is needed."""

    def fit(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_params(self, *args: Any, **kwargs: Any) -> Any: ...


class _Splitter(Protocol):
    """What cuts rows into folds."""

    def split(self, *args: Any, **kwargs: Any) -> Any: ...


# data: a frame's kin has `__array__`, as polars has
TableLike: TypeAlias = ArrayLike | pd.DataFrame | _Sparse | Sequence[Any]
ColumnLike: TypeAlias = ArrayLike | pd.Series | pd.Index | Sequence[Any]
ColumnLabels: TypeAlias = Hashable | Iterable[Hashable]

# what scikit-learn takes under these names
Estimator: TypeAlias = _Estimator
RandomState: TypeAlias = int | np.integer | np.random.RandomState | np.random.Generator | None
Scoring: TypeAlias = str | Callable[..., Any] | None
Scorings: TypeAlias = Scoring | Sequence[str] | Mapping[str, str | Callable[..., Any]]
Folds: TypeAlias = int | _Splitter | Iterable[Any] | None
ErrorScore: TypeAlias = float | Literal["raise"]
FilePath: TypeAlias = str | PathLike[str]

# choices that several classes offer
Sampling: TypeAlias = Literal["uniform", "normal", "exponential"]
When: TypeAlias = Literal["fit", "always"]
ApplyTo: TypeAlias = Literal["train", "test", "both"]
Side: TypeAlias = Literal["at_most", "at_least"]
