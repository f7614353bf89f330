"""What tells a study from others, in words and in a digest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import joblib
import numpy as np
import pandas as pd
import sklearn
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator

from skcorrupt.utils import HeldRows, Table, Target, as_table, cut, row_keys
from skcorrupt.utils._typing import ColumnLike, TableLike
from skcorrupt.utils._version import __version__

MOST_SHOWN = 90
VERSIONS = {"skcorrupt": __version__, "sklearn": sklearn.__version__, "numpy": np.__version__}


def settings_of(
    X: TableLike,
    y: ColumnLike | None,
    groups: ColumnLike | None,
    params: Mapping[str, Any],
    of_rows: Mapping[str, Any],
) -> dict[str, Any]:
    """Data, parameters and versions, by names that a reader knows.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        Features.
    y : array-like of shape (n_samples,) or None
        Labels.
    groups : array-like of shape (n_samples,) or None
        Groups.
    params : mapping
        Parameters of an estimator that make a difference to what is found.
    of_rows : mapping
        Parameters of `fit` and of scorers.

    Returns
    -------
    dict
        Plain values, or `{"text": …, "content": …}` of what is more than a plain value.

    Raises
    ------
    ValueError
        If something cannot be told from others, such as a lambda.
    """
    table = as_table(X)
    content = _of_table(table)
    settings: dict[str, Any] = {
        "X": {
            "text": f"{table.n_rows} rows × {table.n_columns} columns, {table.container}",
            "content": content,
        },
        "column names": [str(label) for label in table.labels],
        "y": _of_values(y, content),
        "groups": _of_values(groups, content),
    }
    settings |= {name: described(value) for name, value in {**of_rows, **params}.items()}
    return settings | {f"{name} version": version for name, version in VERSIONS.items()}


def _of_table(table: Table) -> str:
    """What tells features from others: of files that are read in parts not their values."""
    if isinstance(table, HeldRows):
        source = table.whole.is_read
        return str(joblib.hash((source.stamp, table.labels)))
    source = table.source
    types = [str(t) for t in (source.dtypes if hasattr(source, "dtypes") else [source.dtype])]
    categories = [table.categories(j) for j in range(table.n_columns)]
    return str(joblib.hash((row_keys(table), types, categories)))


def _of_values(values: ColumnLike | None, beside: str) -> dict[str, str] | None:
    """A column, of which nobody can try out values who does not have the table beside it."""
    if values is None:
        return None
    values = Target(values).values
    keys = row_keys(as_table(pd.DataFrame({"values": values})))
    return {
        "text": f"{len(values)} values of {values.dtype}",
        "content": joblib.hash((keys, str(values.dtype), beside)),
    }


def described(value: Any) -> Any:
    """A setting as it is written to a journal.

    Parameters
    ----------
    value : object
        A parameter.

    Returns
    -------
    object
        A plain value, or `{"text": …, "content": …}` with a digest.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, tuple):
        value = list(value)
    if isinstance(value, Mapping):
        content = joblib.hash([(str(k), content_hash(v)) for k, v in value.items()])
    else:
        content = content_hash(value)
    # a function's repr holds its place in memory
    text = getattr(value, "__qualname__", None) or " ".join(repr(value).split())
    return {"text": cut(text, MOST_SHOWN), "content": content}


def content_of(setting: Any) -> str:
    """What counts of a setting."""
    return json.dumps(setting["content"] if isinstance(setting, dict) else setting)


def model_content(model: Any) -> str:
    """What tells a fitted model's answers from those of others, libraries included."""
    content = content_hash(FrozenEstimator(model))
    return str(joblib.hash((content, VERSIONS)))


def content_hash(value: Any) -> str:
    """What an estimator or a scoring is made of, whatever its place in memory.

    Parameters
    ----------
    value : object
        Estimators are taken as if they were not fitted.

    Returns
    -------
    str
        The same in other processes.

    Raises
    ------
    ValueError
        If it holds what cannot be told from others, such as a lambda.
    """
    try:
        return joblib.hash(clone(value) if hasattr(value, "get_params") else value)
    except Exception as error:
        # the causes of what cannot be pickled are told one below the other
        cause = str(error.args[0] if error.args else error).partition("\n")[0]
        raise ValueError(
            f"journal: {value!r} cannot be told from others ({cause}); use functions that are "
            "defined at the top level of a module, not lambda, or journal=None."
        ) from None
