"""Preprocessing that an error in other columns cannot change, fitted once a split."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn import get_config
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from skcorrupt.base import BaseCorruption
from skcorrupt.utils import as_table, duplicate
from skcorrupt.utils._compat import output_container
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._memo import Cache, MemoTransformer
from ._pipelines import columns_of, is_empty


@dataclass
class _Part:
    """A fitted part of a column transformer, what it reads, and whether it chooses that by type."""

    memo: MemoTransformer
    columns: frozenset[int]
    by_type: bool


@dataclass
class FittedParts:
    """Parts of the ColumnTransformer at the beginning of a pipeline, fitted on clean rows.

    Attributes
    ----------
    labels : list
        Columns of X.
    parts : dict of str to part
        By their names.
    steady : frozenset of int
        Columns that keep their type when values go missing.
    """

    labels: list[Any]
    parts: dict[str, _Part]
    steady: frozenset[int]

    @classmethod
    def of(cls, model: Any, X: TableLike, y: ColumnLike | None) -> FittedParts | None:
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

        Returns
        -------
        FittedParts or None
            None where nothing can be.
        """
        first: Any = model.steps[0][1] if isinstance(model, Pipeline) and model.steps else None
        config = get_config()
        plain = config["transform_output"] == "default" and not config["enable_metadata_routing"]
        # in an array, a missing value would change the type of all columns
        if type(first) is not ColumnTransformer or not plain or not isinstance(X, pd.DataFrame):
            return None
        if output_container(first) not in (None, "default"):
            return None
        table = as_table(X)
        parts = {}
        for name, transformer, chosen in first.transformers:
            by_type = isinstance(chosen, make_column_selector)
            # a callable of the user's may choose by the values, which an error changes
            if is_empty(transformer) or (callable(chosen) and not by_type):
                continue
            if not is_determined(transformer):
                continue
            cache = Cache(math.inf)
            cache.role = "train"
            memo = MemoTransformer(transformer, (name,), cache, keep=True)
            try:
                columns = columns_of(chosen, list(range(table.n_columns)), table)
                read = X[chosen] if isinstance(chosen, str) else X.iloc[:, columns]
                if columns:
                    memo.fit_transform(duplicate(read), duplicate(y))
            except Exception:
                # the pipeline itself will say what is wrong
                continue
            if columns:
                parts[name] = _Part(memo, frozenset(columns), by_type)
        # numpy has no missing integer and no missing bool
        steady = [j for j, t in enumerate(X.dtypes) if getattr(t, "kind", "") not in "iub"]
        return cls(list(table.labels), parts, frozenset(steady)) if parts else None

    def put_into(self, model: Any, corruption: BaseCorruption) -> None:
        """Put the parts that an error cannot reach in their places.

        Parameters
        ----------
        model : Pipeline
            A clone of the pipeline with the same seeds, changed in place.
        corruption : BaseCorruption
            The error.
        """
        if corruption.strikes != "cells":
            return
        columns: Any = corruption.columns
        if columns is None or corruption.when != "fit":
            return
        hit = {self.labels.index(label) for label in columns if label in self.labels}
        if len(hit) < len(list(columns)):
            return
        keeps_types = hit <= self.steady and type(corruption).__module__.startswith("skcorrupt.")
        kept = {
            name: part.memo
            for name, part in self.parts.items()
            if not part.columns & hit and (keeps_types or not part.by_type)
        }
        model.steps[0][1].set_params(**kept)


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
