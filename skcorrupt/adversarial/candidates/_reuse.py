"""Preprocessing that an error in other columns cannot change, fitted once a split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn import get_config
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import Tags, get_tags

from skcorrupt.base import BaseCorruption, FeatureCorruption
from skcorrupt.evaluation import Split, seeded_clone
from skcorrupt.utils import Table, as_table, duplicate
from skcorrupt.utils._compat import output_container
from skcorrupt.utils._typing import Estimator



class Fitted(TransformerMixin, BaseEstimator):
    """A fitted transformer that remembers what it made of the training rows.

    Parameters
    ----------
    transformer : transformer
        Fitted.
    made : array of shape (n_samples, n_columns)
        The training rows, transformed.
    """

    def __init__(self, transformer: Any = None, made: Any = None) -> None:
        self.transformer = transformer
        self.made = made

    def fit(self, X: Any, y: Any = None) -> Self:
        """Nothing: the rows are those that it was fitted on."""
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """What was made of them."""
        return duplicate(self.made)

    def transform(self, X: Any) -> Any:
        """What the fitted transformer makes of other rows."""
        return self.transformer.transform(X)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Those of the transformer."""
        return self.transformer.get_feature_names_out(input_features)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_clone__(self) -> Self:
        return self

    def __sklearn_tags__(self) -> Tags:
        return get_tags(self.transformer)


@dataclass
class Part:
    """A fitted part of a column transformer.

    Attributes
    ----------
    fitted : Fitted
        What it made.
    columns : frozenset of int
        What it reads.
    by_type : bool
        Whether it chooses its columns by their types, which an error may change.
    """

    fitted: Fitted
    columns: frozenset[int]
    by_type: bool


@dataclass
class Reused:
    """Parts of a column transformer that were fitted on the clean rows of a split.

    Attributes
    ----------
    labels : list
        Columns of X.
    parts : dict of str to Part
        By their names.
    steady : frozenset of int
        Columns that keep their type when values go missing.
    """

    labels: list[Any]
    parts: dict[str, Part]
    steady: frozenset[int]


def fitted_parts(estimator: Estimator, split: Split) -> Reused | None:
    """Fit what can be fitted once.

    A part of a column transformer at the beginning of a pipeline gives the same where its columns
    hold the same, if it is scikit-learn's own and its random states are set.

    Parameters
    ----------
    estimator : estimator
        The user's pipeline.
    split : Split
        The clean rows.

    Returns
    -------
    Reused or None
        None where nothing can be.
    """
    model = seeded_clone(estimator, split.seed)
    first: Any = model.steps[0][1] if isinstance(model, Pipeline) and model.steps else None
    config = get_config()
    plain = config["transform_output"] == "default" and not config["enable_metadata_routing"]
    if type(first) is not ColumnTransformer or not plain or split.fit_params:
        return None
    X = split.X_train
    # in an array, a missing value would change the type of all columns
    if output_container(first) not in (None, "default") or not isinstance(X, pd.DataFrame):
        return None
    table = as_table(X)
    parts = {}
    for name, transformer, chosen in first.transformers:
        if isinstance(transformer, str) or not _is_determined(transformer):
            continue
        by_type = isinstance(chosen, make_column_selector)
        if callable(chosen) and not by_type:
            # it may choose by the values, which an error changes
            continue
        try:
            columns = columns_of(chosen, list(range(table.n_columns)), table)
            read = X[chosen] if isinstance(chosen, str) else X.iloc[:, columns]
            made = (
                transformer.fit_transform(duplicate(read), duplicate(split.y_train))
                if columns
                else None
            )
        except Exception:
            # the pipeline itself will say what is wrong
            made = None
        if made is not None:
            parts[name] = Part(Fitted(transformer, made), frozenset(columns), by_type)
    # numpy has no missing integer and no missing bool
    steady = [j for j, t in enumerate(X.dtypes) if getattr(t, "kind", "") not in "iub"]
    return Reused(list(table.labels), parts, frozenset(steady)) if parts else None


def with_fitted_parts(estimator: Estimator, split: Split, corruption: BaseCorruption | None) -> Any:
    """The estimator, with parts that an error cannot reach as they were fitted.

    Parameters
    ----------
    estimator : estimator
        The user's pipeline.
    split : Split
        The clean rows, and what was fitted on them.
    corruption : BaseCorruption or None
        The error.

    Returns
    -------
    estimator
        The same object where no part can be reused.
    """
    reused = split.reused
    if reused is None or not isinstance(corruption, FeatureCorruption):
        return estimator
    columns: Any = corruption.columns
    if columns is None or corruption.when != "fit":
        return estimator
    hit = {reused.labels.index(label) for label in columns if label in reused.labels}
    if len(hit) < len(list(columns)):
        return estimator
    keeps_types = hit <= reused.steady and type(corruption).__module__.startswith("skcorrupt.")
    kept = {
        name: part.fitted
        for name, part in reused.parts.items()
        if not part.columns & hit and (keeps_types or not part.by_type)
    }
    model = seeded_clone(estimator, split.seed)
    first = model.steps[0][1]
    first.transformers = [
        (name, kept.get(name, transformer), chosen)
        for name, transformer, chosen in first.transformers
    ]
    return model


def _is_determined(transformer: Any) -> bool:
    """Whether what a transformer learns hangs on its input alone."""
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


def columns_of(chosen: Any, columns: list[int], table: Table) -> list[int]:
    """Positions of the columns that a part of a column transformer names."""
    if callable(chosen):
        chosen = chosen(table.source)
    if isinstance(chosen, slice):
        if not isinstance(chosen.start or chosen.stop, str):
            return list(np.array(columns)[chosen])
        # by names, both ends included
        first, last = (
            None if end is None else table.labels.index(end) for end in (chosen.start, chosen.stop)
        )
        return columns[first : None if last is None else last + 1]
    names = [chosen] if np.ndim(chosen) == 0 else list(chosen)
    if names and all(isinstance(name, (bool, np.bool_)) for name in names):
        return [j for j, keep in zip(columns, names, strict=False) if keep]
    by_name = {label: j for j, label in enumerate(table.labels)}
    found = [by_name.get(name, name) for name in names]
    return [int(j) for j in found if isinstance(j, (int, np.integer)) and j < table.n_columns]
