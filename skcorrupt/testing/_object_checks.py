"""Rules about a corruption as an object: parameters, copies, representations."""

from __future__ import annotations

import inspect
import json
import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

import skcorrupt.base
import skcorrupt.corruptions
from skcorrupt.base import BaseCorruption
from skcorrupt.patterns import Pattern

from ._cases import Case
from ._compare import same_data
from ._variants import at_rate


def check_transformer_or_sampler(corruption: Any, case: Case) -> None:
    """A corruption has either `transform` or `fit_resample`: imblearn refuses both."""
    transforms = hasattr(corruption, "transform") or hasattr(corruption, "fit_transform")
    if transforms == hasattr(corruption, "fit_resample"):
        raise AssertionError("should have either transform or fit_resample, not both or neither")


def check_parameters(corruption: Any, case: Case) -> None:
    """The constructor keeps parameters as given; `set_params` sets and `clone` copies them."""
    params = corruption.get_params(deep=False)
    for name in params:
        for value in (params[name], None, object()):
            if getattr(type(corruption)(**{**params, name: value}), name) is not value:
                raise AssertionError(f"changes or loses its parameter {name} in the constructor")
    # what a base has and a class does not offer keeps its default
    inherited = {
        name: parameter.default
        for base in type(corruption).__mro__[1:]
        if issubclass(base, BaseCorruption)
        for name, parameter in inspect.signature(base).parameters.items()
    }
    made = vars(type(corruption)(**params))
    unexpected = [
        name
        for name, value in made.items()
        if name not in params and inherited.get(name, inspect.Parameter.empty) is not value
    ]
    if unexpected:
        raise AssertionError(f"sets {sorted(unexpected)} in the constructor")
    _require_equal(clone(corruption).set_params(**params), corruption, "clone and set_params")


def check_bad_rate_refused(corruption: Any, case: Case) -> None:
    """A rate that is not a share is refused with a ValueError."""
    X, y = case.data()
    for rate in (1.5, -0.1, math.nan):
        bad = at_rate(corruption, rate)
        for method in (bad.fit, bad.corrupt):
            try:
                method(X, y)
            except ValueError:
                continue
            raise AssertionError(f"accepts rate={rate} in {method.__name__}")


def check_pickle(corruption: Any, case: Case) -> None:
    """A pickled corruption, fitted or not, comes back equal and does the same."""
    fitted = at_rate(corruption, 0.5)
    _require_equal(pickle.loads(pickle.dumps(fitted)), fitted, "pickle")
    X, y = case.data()
    fitted.fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    if not same_data(again.corrupt(X, y).X, fitted.corrupt(X, y).X):
        raise AssertionError("gives another result after pickling")


def check_repr_evaluates(corruption: Any, case: Case) -> None:
    """The representation is Python source of an equal corruption."""
    names = {**vars(skcorrupt.base), **vars(skcorrupt.corruptions)}
    names.update(Pattern=Pattern, np=np, pd=pd)
    names.update((cls.__name__, cls) for cls in _classes(corruption))
    try:
        again = eval(repr(corruption), names)
    except Exception as error:
        raise AssertionError(f"has a repr that does not evaluate: {corruption!r}") from error
    _require_equal(again, corruption, "its repr")


def check_json_round_trip(corruption: Any, case: Case) -> None:
    """`to_dict` gives JSON, from which `from_dict` makes an equal corruption."""
    text = json.dumps(corruption.to_dict(), allow_nan=False)
    _require_equal(BaseCorruption.from_dict(json.loads(text)), corruption, "to_dict and from_dict")


def _require_equal(again: Any, corruption: Any, route: str) -> None:
    if type(again) is not type(corruption) or again.to_dict() != corruption.to_dict():
        raise AssertionError(f"comes back as {again!r} from {route}, not as {corruption!r}")


def _classes(corruption: Any) -> list[type]:
    parts = corruption.get_params(deep=True).values()
    return [type(corruption), *(type(part) for part in parts if isinstance(part, BaseCorruption))]


OBJECT_CHECKS: tuple[Callable[[Any, Case], None], ...] = (
    check_transformer_or_sampler,
    check_parameters,
    check_bad_rate_refused,
)

COPY_CHECKS: tuple[Callable[[Any, Case], None], ...] = (
    check_pickle,
    check_repr_evaluates,
    check_json_round_trip,
)
