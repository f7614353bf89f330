"""Preprocessing that an error in labels or in other columns cannot change, fitted once a split."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn import get_config
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import FunctionTransformer, TargetEncoder

from skcorrupt.base import BaseCorruption
from skcorrupt.utils import as_table, duplicate
from skcorrupt.utils._compat import output_container
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._memo import Cache, MemoTransformer
from ._pipelines import columns_of, is_empty

# modules of scikit-learn whose transformers read features alone, but for one
READ_FEATURES = (
    "sklearn.decomposition",
    "sklearn.feature_extraction",
    "sklearn.impute",
    "sklearn.kernel_approximation",
    "sklearn.preprocessing",
    "sklearn.random_projection",
)

# most memory that what is fitted once may take, over all splits
REUSED_BYTES = 2**30


@dataclass
class _Part:
    """A fitted part of a column transformer, what it reads, and whether it chooses that by type."""

    memo: MemoTransformer
    columns: frozenset[int]
    by_type: bool


@dataclass
class FittedParts:
    """What stands at the beginning of a pipeline, fitted on clean rows.

    Attributes
    ----------
    cache : Cache
        What was made of the clean rows, those of the training part and those of the test part.
    labels : list
        Columns of X.
    parts : dict of str to part
        Those of a ColumnTransformer that comes first, by their names.
    steady : frozenset of int
        Columns that keep their type when values go missing.
    steps : dict of str to MemoTransformer
        The first steps, as far as none reads labels, by their names.
    """

    cache: Cache
    labels: list[Any]
    parts: dict[str, _Part]
    steady: frozenset[int]
    steps: dict[str, MemoTransformer]

    @classmethod
    def of(
        cls,
        model: Any,
        X: TableLike,
        y: ColumnLike | None,
        X_test: TableLike,
        strikes: Collection[str],
        max_bytes: float,
    ) -> FittedParts | None:
        """Fit what can be fitted once.

        A part gives the same where its columns hold the same, if it is scikit-learn's own and its
        random states are set.

        Parameters
        ----------
        model : estimator
            The user's pipeline, with its seeds set; its transformers are fitted in place.
        X : table of shape (n_samples, n_features)
            Clean features.
        y : array-like of shape (n_samples,) or None
            Clean labels.
        X_test : table of shape (n_test, n_features)
            Clean features of the test part.
        strikes : collection of {"cells", "labels"}
            What errors strike.
        max_bytes : float
            Most memory that what was fitted, and what it made of the rows, may take.

        Returns
        -------
        FittedParts or None
            None where nothing can be, or where it would be too large.
        """
        config = get_config()
        plain = config["transform_output"] == "default" and not config["enable_metadata_routing"]
        if not isinstance(model, Pipeline) or not model.steps or not plain:
            return None
        cache, table = Cache(max_bytes), as_table(X)
        first, parts, steps = model.steps[0][1], {}, {}
        if "labels" in strikes and not model.memory:
            steps = dict(_steps_of(model, cache, X, X_test))
        # in an array, a missing value would change the type of all columns
        if (
            ("cells" in strikes or not steps)
            and type(first) is ColumnTransformer
            and isinstance(X, pd.DataFrame)
            and output_container(first) in (None, "default")
        ):
            parts = dict(_parts_of(first, cache, X, y, X_test))
        # numpy has no missing integer and no missing bool
        types: Any = X.dtypes if isinstance(X, pd.DataFrame) else []
        steady = [j for j, t in enumerate(types) if getattr(t, "kind", "") not in "iub"]
        # a part that was forgotten, as others took its room, would be fitted every time
        parts = {name: part for name, part in parts.items() if _is_kept(part.memo)}
        if not all(map(_is_kept, steps.values())):
            steps = {}
        if not parts and not steps:
            return None
        return cls(cache, list(table.labels), parts, frozenset(steady), steps)

    def put_into(self, model: Any, corruption: BaseCorruption) -> None:
        """Put what an error cannot reach in its place.

        Parameters
        ----------
        model : Pipeline
            A clone of the pipeline with the same seeds, changed in place.
        corruption : BaseCorruption
            The error.
        """
        is_own = type(corruption).__module__.startswith("skcorrupt.")
        if corruption.strikes == "labels" and is_own:
            self._put_what_reads_no_labels_into(model)
        if corruption.strikes != "cells":
            return
        columns: Any = corruption.columns
        if columns is None or corruption.when != "fit":
            return
        hit = {self.labels.index(label) for label in columns if label in self.labels}
        if len(hit) < len(list(columns)):
            return
        keeps_types = hit <= self.steady and is_own
        kept = {
            name: part.memo
            for name, part in self.parts.items()
            if not part.columns & hit and (keeps_types or not part.by_type)
        }
        model.steps[0][1].set_params(**kept)

    def _put_what_reads_no_labels_into(self, model: Any) -> None:
        if self.steps:
            # a pipeline fits its steps themselves, not clones as a column transformer does
            model.set_params(**{name: clone(memo) for name, memo in self.steps.items()})
        elif self.parts:
            first = model.steps[0][1]
            unread = [name for name, part, _ in first.transformers if not reads_labels(part)]
            first.set_params(**{n: self.parts[n].memo for n in unread if n in self.parts})


def _is_kept(memo: MemoTransformer) -> bool:
    return all(memo.cache.get((kind, *memo.key)) is not None for kind in ("fit", "transform"))


def _parts_of(
    first: ColumnTransformer, cache: Cache, X: pd.DataFrame, y: Any, X_test: Any
) -> Iterator[tuple[str, _Part]]:
    """The parts of a column transformer that are fitted once."""
    table = as_table(X)
    for name, transformer, chosen in first.transformers:
        by_type = isinstance(chosen, make_column_selector)
        # a callable of the user's may choose by the values, which an error changes
        if is_empty(transformer) or (callable(chosen) and not by_type):
            continue
        if not is_determined(transformer):
            continue
        columns = columns_of(chosen, list(range(table.n_columns)), table)
        if not columns:
            continue
        memo = MemoTransformer(transformer, ("part", name), cache, keep=True)
        read, read_of_test = (
            each[chosen] if isinstance(chosen, str) else each.iloc[:, columns]
            for each in (X, X_test)
        )
        if _fitted(memo, read, read_of_test, y) is not None:
            yield name, _Part(memo, frozenset(columns), by_type)


def _steps_of(
    model: Pipeline, cache: Cache, X: TableLike, X_test: TableLike
) -> Iterator[tuple[str, MemoTransformer]]:
    """The first steps that read no labels."""
    data: tuple[Any, Any] | None = X, X_test
    for name, step in model.steps[:-1]:
        if is_empty(step):
            continue
        if reads_labels(step) or not is_determined(step) or data is None:
            return
        if output_container(step) not in (None, "default"):
            return
        memo = MemoTransformer(step, ("step", name), cache, keep=True)
        data = _fitted(memo, *data, None)
        if data is not None:
            yield name, memo


def _fitted(
    memo: MemoTransformer, X: Any, X_test: Any, y: ColumnLike | None
) -> tuple[Any, Any] | None:
    """What a transformer makes of both parts; None where the pipeline is to say what is wrong."""
    cache = memo.cache
    try:
        # what there is to warn of, the clean score warns of
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cache.role = "train"
            out = memo.fit_transform(duplicate(X), duplicate(y))
            cache.role = "test"
            return out, memo.transform(duplicate(X_test))
    except Exception:
        return None
    finally:
        cache.role = None


def reads_labels(transformer: Any) -> bool:
    """Whether a transformer may learn from labels.

    Parameters
    ----------
    transformer : transformer
        A step of a pipeline.

    Returns
    -------
    bool
        False of scikit-learn's own that are known to read features alone, and of composites of
        them.
    """
    if is_empty(transformer):
        return False
    if isinstance(transformer, ColumnTransformer):
        return any(reads_labels(part) for _, part, _ in transformer.transformers)
    if isinstance(transformer, FeatureUnion):
        return any(reads_labels(part) for _, part in transformer.transformer_list)
    if isinstance(transformer, Pipeline):
        return any(reads_labels(step) for _, step in transformer.steps)
    is_known = type(transformer).__module__.startswith(READ_FEATURES)
    return not is_known or isinstance(transformer, TargetEncoder)


def is_determined(transformer: Any) -> bool:
    """Whether what a transformer learns hangs on its input alone.

    Parameters
    ----------
    transformer : transformer
        A step of a pipeline.

    Returns
    -------
    bool
        True of scikit-learn's own with random states that are whole numbers, and no function of
        the user's.
    """
    params = transformer.get_params(deep=True)
    parts = [transformer, *(value for value in params.values() if hasattr(value, "fit"))]
    if any(not type(part).__module__.startswith("sklearn.") for part in parts):
        return False
    if any(isinstance(part, FunctionTransformer) for part in parts):
        return False
    states = [v for k, v in params.items() if k.rpartition("__")[2] == "random_state"]
    return all(isinstance(state, (int, np.integer)) for state in states) and not any(
        callable(value) and not hasattr(value, "fit") and not isinstance(value, type)
        for value in params.values()
    )
