"""Settings of a pipeline for readers who do not code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skcorrupt.evaluation._described import Described
from skcorrupt.fairness._stage_names import stage_names
from skcorrupt.utils import shorten
from skcorrupt.utils._as_text import plain

# a setting and its value
_CHOICES: dict[tuple[str, Any], str] = {
    ("strategy", "mean"): "fill gaps with the mean",
    ("strategy", "median"): "fill gaps with the median",
    ("strategy", "most_frequent"): "fill gaps with the most frequent value",
    ("strategy", "constant"): "fill gaps with a fixed value",
    ("add_indicator", True): "mark where gaps were filled",
    ("add_indicator", False): "do not mark where gaps were filled",
    ("handle_unknown", "ignore"): "take unknown categories as none",
    ("handle_unknown", "infrequent_if_exist"): "take unknown categories as rare ones",
    ("handle_unknown", "use_encoded_value"): "give unknown categories a number of their own",
    ("analyzer", "char_wb"): "read parts of words",
    ("class_weight", "balanced"): "weigh rare classes more",
    ("early_stopping", True): "stop training early",
    ("loss", "modified_huber"): "count large errors less",
    ("loss", "huber"): "count large errors less",
    ("loss", "absolute_error"): "count large errors less",
    ("criterion", "absolute_error"): "count large errors less",
}
# a setting that is a number
_NUMBERS = {
    "C": "closeness to the training data (more is closer):",
    "alpha": "restraint of the model (more is simpler):",
    "l2_regularization": "restraint of the model (more is simpler):",
    "min_samples_leaf": "rows that a leaf of a tree needs:",
    "n_neighbors": "neighbours that are asked:",
    "max_depth": "questions that a tree may ask in a row:",
    "min_frequency": "join categories rarer than",
    "var_smoothing": "smooth the spread of values by",
    "max_iter": "rounds of training at most:",
    "n_iter_no_change": "rounds without progress that end training:",
}
# a step that stands in another's place
_STEPS = {
    "SimpleImputer": "fill gaps with one value for each column",
    "KNNImputer": "fill gaps from similar rows",
    "IterativeImputer": "work out gaps from the other columns",
    "StandardScaler": "scale by mean and spread",
    "MinMaxScaler": "scale by the least and the largest value",
    "MaxAbsScaler": "scale by the largest value",
    "RobustScaler": "scale by median and quartiles",
    "QuantileTransformer": "replace values by their ranks",
    "RangeClipper": "hold values within the range seen in training",
    "UnseenMasker": "read values that training gaps hid as gaps",
    "ColumnDropper": "leave columns out",
    "BaggingClassifier": "average models of parts of the rows",
    "BaggingRegressor": "average models of parts of the rows",
    "SubmodelClassifier": "use for each row a model of the columns that it has",
    "SubmodelRegressor": "use for each row a model of the columns that it has",
    "DoubtfulLabelClassifier": "leave out rows whose labels look wrong",
    "ReweightedClassifier": "weigh training rows by the shares of a population",
    "ReweightedRegressor": "weigh training rows by the shares of a population",
    "HuberRegressor": "count large errors less",
    "LogisticRegression": "logistic regression",
}


def settings_in_words(params: Mapping[str, Any]) -> str:
    """What settings do, such as "fill gaps with the median".

    Parameters
    ----------
    params : mapping of str to object
        Parameter paths and values, as in `best_params_`.

    Returns
    -------
    str
        Parts joined by semicolons. Of a setting of which nothing is known the name is told, with
        the value where that is short.
    """
    owners = stage_names(path.rpartition("__")[0] or path for path in params)
    named = [_in_words(path, value, owners) for path, value in params.items()]
    return "; ".join(dict.fromkeys(named))


def _in_words(path: str, value: Any, owners: dict[str, str]) -> str:
    owner, _, name = path.rpartition("__")
    if isinstance(value, str) and value == "passthrough":
        return f"leave out the step `{path}`"
    said = _known(name, value)
    if not said and isinstance(value, (str, int, float, np.generic)):
        return f"`{path}` = `{shorten(value, 60)}`"
    if not said:
        return f"something else for `{path}`"
    # of a step within others, where names that people gave tell which columns it is of
    part = owners.get(owner, "").rpartition("__")[0]
    return f"{said} (in `{part}`)" if part else said


def _known(name: str, value: Any) -> str:
    plain_value = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain_value, (str, bool)):
        return _CHOICES.get((name, plain_value), "")
    if isinstance(plain_value, (int, float)):
        return f"{_NUMBERS[name]} {plain(plain_value)}" if name in _NUMBERS else ""
    return _STEPS.get(_class_name(value), "")


def _class_name(value: Any) -> str:
    """The class of a step, also of one of which a file kept the text."""
    return str(value).partition("(")[0] if isinstance(value, Described) else type(value).__name__
