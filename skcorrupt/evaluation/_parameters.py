"""What goes along with X and y: weights and groups, scorers, seeds of estimators."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import cache
from numbers import Number
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn import get_config
from sklearn.base import BaseEstimator, clone
from sklearn.metrics import check_scoring
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from skcorrupt.base import BaseCorruption
from skcorrupt.metrics import make_change_scorer
from skcorrupt.metrics._change_scorer import CHANGE
from skcorrupt.patterns import Pattern
from skcorrupt.utils import HeldRows, Table, as_table, shorten, spawn_seeds
from skcorrupt.utils._typing import Estimator, Scoring

from ._silhouette import (
    SILHOUETTE,
    check_clusterer,
    check_scoring_name,
    silhouette_scorer,
)


def take_rows(values: Any, indices: np.ndarray) -> Any:
    """Rows of a table, Series, array or list, in its own container.

    Parameters
    ----------
    values : array-like with one entry for each row, or None
        What to take from.
    indices : ndarray of int
        Positions.

    Returns
    -------
    array-like
        The rows at `indices`, a list for a tuple, None for None.
    """
    if isinstance(values, pd.Series):
        return values.iloc[indices]
    if isinstance(values, pd.Index):
        return values.take(indices)
    is_table = isinstance(values, (pd.DataFrame, HeldRows, Table)) or hasattr(values, "to_series")
    if is_table or sparse.issparse(values):
        return as_table(values).take(indices)
    if values is None:
        return None
    if isinstance(values, (list, tuple, range)):
        return [values[i] for i in indices]
    if isinstance(values, np.ndarray) or not hasattr(values, "__getitem__"):
        return np.asarray(values)[indices]
    return values[indices]


def sample_aligned(
    params: Mapping[str, Any], indices: np.ndarray, n_samples: int
) -> dict[str, Any]:
    """Parameters of `fit` or `score` with those that have an entry for each row cut to `indices`.

    Parameters
    ----------
    params : mapping
        Such as `{"sample_weight": weights}`.
    indices : ndarray of int
        Positions of the rows that remain.
    n_samples : int
        Rows there were.

    Returns
    -------
    dict
        The parameters; those that are not arrays of `n_samples` entries as they were.

    Raises
    ------
    ValueError
        If there are weights, but not one for each row.
    """
    for name, value in params.items():
        n_entries = _n_entries(value)
        # as many as rows remain would pass for weights of those
        if name.endswith("sample_weight") and n_entries not in (None, n_samples):
            raise ValueError(
                f"{name} has {n_entries} entries; pass one weight for each of the {n_samples} rows "
                "of X, as they are before errors strike them."
            )
    return {
        name: take_rows(value, indices) if _n_entries(value) == n_samples else value
        for name, value in params.items()
    }


def _n_entries(value: Any) -> int | None:
    """How many rows a value has an entry for, None where it is of none."""
    if isinstance(value, (str, bytes, Mapping, set, frozenset)):
        return None
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return int(shape[0]) if shape else None
    return len(value) if hasattr(value, "__len__") else None


def seeded_clone(estimator: Estimator, seed: int) -> Any:
    """A clone in which every unset `random_state` is drawn from `seed`.

    Two pipelines that are compared then differ in the data alone.

    Parameters
    ----------
    estimator : estimator
        The estimator, left as it is.
    seed : int
        Source of the seeds.

    Returns
    -------
    estimator
        An unfitted copy.
    """
    try:
        made = clone(estimator)
    except TypeError as error:
        raise TypeError(
            f"estimator={shorten(estimator)} cannot be cloned ({error}); its parameters should be "
            "what can be copied, and locks, open files and the like be made in fit."
        ) from error
    params = made.get_params(deep=True)
    unset = sorted(
        name
        for name, value in params.items()
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    )
    if unset:
        made.set_params(**dict(zip(unset, spawn_seeds(seed, len(unset)), strict=True)))
    return made


class SeededModel:
    """Makes as many clones of one seed as there are fits, for a tenth of what a clone costs.

    A clone reads and checks all parameters, which takes as long as small fits do.

    Parameters
    ----------
    estimator : estimator
        The estimator, left as it is.
    seed : int
        Source of the seeds.
    """

    def __init__(self, estimator: Estimator, seed: int) -> None:
        self.estimator, self.seed = estimator, seed
        self._made = seeded_clone(estimator, seed)
        parts = [self._made, *self._made.get_params(deep=True).values()]
        # estimators that say how they are cloned, and callbacks, which clones share
        self._copied = not any(map(_is_cloned_otherwise, parts))

    def copy(self) -> Any:
        """An unfitted copy, that of `seeded_clone`.

        Returns
        -------
        estimator
            One of its own.
        """
        if self._copied:
            return copy.deepcopy(self._made)
        return seeded_clone(self.estimator, self.seed)


def _is_cloned_otherwise(part: Any) -> bool:
    own = getattr(type(part), "__sklearn_clone__", BaseEstimator.__sklearn_clone__)
    return own is not BaseEstimator.__sklearn_clone__ or hasattr(part, "_skl_callbacks")


def reseeded(corruption: BaseCorruption, seed: int) -> BaseCorruption:
    """A clone of a corruption that draws from `seed`, whatever seed it had.

    Parameters
    ----------
    corruption : BaseCorruption
        The corruption, left as it is. Members of a process draw seeds of their own from that of
        the process, as those of one seed would all strike the same rows.
    seed : int
        The seed.

    Returns
    -------
    BaseCorruption
        An unfitted copy.
    """
    state = vars(corruption)
    names = _params_of(type(corruption))  # type: ignore[arg-type]
    simple = names == state.keys() and all(map(_is_simple, state.values()))
    if simple and not _is_cloned_otherwise(corruption):
        # a clone would be the same, and takes as long as an error does
        made = copy.copy(corruption)
        own = {k: copy.copy(v) for k, v in state.items() if isinstance(v, (list, set))}
        made.__dict__.update(own, random_state=seed)
        return made
    made = clone(corruption)
    members = [name for name in made.get_params() if name.endswith("__random_state")]
    return made.set_params(random_state=seed, **dict.fromkeys(members))


@cache
def _params_of(kind: type) -> frozenset[str]:
    """Names of what a constructor takes, if a seed is among them."""
    names = frozenset(kind._get_param_names())  # type: ignore[attr-defined]
    return names if "random_state" in names else frozenset()


def _is_simple(value: Any) -> bool:
    """Whether a parameter is nothing that could be changed in place, or some of such."""
    parts = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
    return all(
        part is None or isinstance(part, (str, Number, np.generic, Pattern)) for part in parts
    )


def single_scorer(estimator: Estimator, scoring: Scoring) -> Any:
    """The scorer that `scoring` names, with a single score.

    Parameters
    ----------
    estimator : estimator
        Its `score` is the default.
    scoring : str, callable or None
        As everywhere in scikit-learn. Also "silhouette", for clusterers: no labels are needed,
        and of a Pipeline it is computed on what the last step sees; and "change", for errors in
        served rows: how many predictions they change.

    Returns
    -------
    callable
        `scorer(estimator, X, y) -> float`.

    Raises
    ------
    ValueError
        If `scoring` names several scores, none, or the silhouette of what is no clusterer.
    """
    if isinstance(scoring, (list, tuple, set, dict)):
        raise ValueError(
            f"scoring={scoring!r} names several scores, but one is needed; pass a single name or "
            "callable."
        )
    if isinstance(scoring, str) and scoring == SILHOUETTE:
        check_clusterer(estimator)
        return silhouette_scorer
    if isinstance(scoring, str) and scoring == CHANGE:
        return make_change_scorer()
    if scoring is not None and not callable(scoring):
        check_scoring_name(scoring)
    return check_scoring(estimator, scoring=scoring)


def make_router(owner: Any, estimator: Any, scorer: Any, splitter: Any) -> MetadataRouter:
    """Where parameters of `fit` go under scikit-learn's metadata routing.

    Parameters
    ----------
    owner : estimator or str
        Whose parameters they are.
    estimator, scorer, splitter : object
        Where they may go: to `fit`, to `score`, to `split`.

    Returns
    -------
    MetadataRouter
        The router.
    """
    router = MetadataRouter(owner=owner)
    for name, consumer, method in (
        ("estimator", estimator, "fit"),
        ("scorer", scorer, "score"),
        ("splitter", splitter, "split"),
    ):
        mapping = MethodMapping().add(caller="fit", callee=method)
        router.add(method_mapping=mapping, **{name: consumer})
    return router


def route_parameters(
    owner: Any, params: dict[str, Any], estimator: Any, scorer: Any, splitter: Any
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Parameters of the estimator's `fit`, of the scorer and of the splitter.

    Parameters
    ----------
    owner : estimator or str
        Whose parameters they are.
    params : dict
        What was passed.
    estimator, scorer, splitter : object
        Where they may go.

    Returns
    -------
    fit_params, score_params, split_params : dict
        By scikit-learn's metadata routing where it is enabled; else all go to `fit`.
    """
    if not params or not get_config()["enable_metadata_routing"]:
        return params, {}, {}
    routed = process_routing(make_router(owner, estimator, scorer, splitter), "fit", **params)
    return routed.estimator.fit, routed.scorer.score, routed.splitter.split
