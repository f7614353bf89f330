"""Errors in the rows that models are served: what they ask of a search, and fitted models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.utils.validation import check_is_fitted

from skcorrupt.base import BaseCorruption
from skcorrupt.checks import BaseCheck
from skcorrupt.evaluation import Split, Starting, run_tasks, seeded_clone
from skcorrupt.metrics._change_scorer import CHANGE, ChangeScorer
from skcorrupt.utils import Sheltered, Table, fit_on_copies
from skcorrupt.utils._typing import ColumnLike, Estimator, TableLike

from ._template import members_of
from .serving import named_checks


def check_served(
    params: Mapping[str, Any], templates: Mapping[str, BaseCorruption], table: Table
) -> None:
    """Refuse parameters that do not go with where errors strike.

    Raises
    ------
    ValueError
        With the parameter and the remedy.
    """
    apply_to, estimator = params["apply_to"], params["estimator"]
    if apply_to == "train":
        if isinstance(params["scoring"], str) and params["scoring"] == CHANGE:
            raise ValueError(
                "scoring='change' compares predictions for clean and for struck rows, which errors "
                "in training data leave as they are; pass apply_to='test'."
            )
    elif params["test_corruption"] is not None:
        raise ValueError(
            f"test_corruption is for apply_to='train'; with apply_to={apply_to!r} the search "
            "itself strikes test rows. Leave it out."
        )
    if params["checks"]:
        _check_watched(params, table)
    if apply_to != "test" and isinstance(estimator, FrozenEstimator):
        raise ValueError(
            f"estimator={estimator!r} is frozen, so errors in training data (apply_to="
            f"{apply_to!r}) cannot reach it. Pass apply_to='test' for errors in the rows that it "
            "is served, or the pipeline itself, which is then fitted on data with errors."
        )
    if apply_to == "train":
        return
    for name, template in templates.items():
        if any(member.strikes == "labels" or member._flips for member in members_of(template)):
            raise ValueError(
                f"corruption: {name!r} changes labels, which no model is served, and by which no "
                f"score is told; with apply_to={apply_to!r} pass errors in features or rows, or "
                "apply_to='train'."
            )
    if apply_to == "test" and is_fitted(estimator):
        if params["cv"] is not None:
            raise ValueError(
                f"cv={params['cv']!r} has no effect on a fitted estimator, which is scored on all "
                "rows; pass cv=None, or clone(estimator) to fit it on every split."
            )
        if params["refit"]:
            raise ValueError(
                "refit=True would fit an estimator that is fitted already; pass refit=False."
            )


def check_passed(estimator: Estimator, fit_params: Mapping[str, Any]) -> None:
    """Refuse what would be passed to `fit` of an estimator that is not fitted again.

    Raises
    ------
    ValueError
        With the remedy.
    """
    # with metadata routing it goes where it is asked for, the scorer among others
    if fit_params and is_fitted(estimator) and not get_config()["enable_metadata_routing"]:
        raise ValueError(
            f"{', '.join(fit_params)}: a fitted estimator is not fitted again, so what is passed "
            "to fit has no effect. To weigh rows in the score, call set_config("
            "enable_metadata_routing=True) and pass a scorer that asks for weights, such as "
            "get_scorer('accuracy').set_score_request(sample_weight=True)."
        )


def _check_watched(params: Mapping[str, Any], table: Table) -> None:
    """Refuse checks where they watch nothing.

    Raises
    ------
    ValueError, TypeError, NotFittedError
        With the remedy.
    """
    if params["apply_to"] == "train":
        raise ValueError(
            f"checks watch rows that are served, but apply_to={params['apply_to']!r}; pass "
            "apply_to='test' or 'both', or checks=()."
        )
    for _, check in named_checks(params["checks"]):
        if isinstance(check, BaseCheck):
            check_is_fitted(check)
            # columns that it does not know, or in another order, are refused by their names
            check._batch(table.source)


def is_fitted(estimator: Estimator) -> bool:
    """Whether an estimator is fitted, or frozen."""
    try:
        check_is_fitted(estimator)
    except (NotFittedError, TypeError):
        return False
    return True


def with_model(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of a search by which a journal tells models apart, not only their settings.

    Parameters
    ----------
    params : mapping
        Parameters of the search.

    Returns
    -------
    dict
        In which a fitted model that is served is frozen, so that what it learned counts.
    """
    estimator = params["estimator"]
    served = params["apply_to"] == "test" and is_fitted(estimator)
    if served and not isinstance(estimator, FrozenEstimator):
        estimator = FrozenEstimator(estimator)
    return {**params, "estimator": estimator}


def labels_or_decisions(
    y: ColumnLike | None, X: TableLike, params: Mapping[str, Any]
) -> tuple[Any, Any]:
    """Labels, and the score; without labels, decisions on clean rows, and how they change.

    Parameters
    ----------
    y : array-like of shape (n_samples,) or None
        The labels.
    X : table of shape (n_samples, n_features)
        Clean rows.
    params : mapping
        Parameters of the search.

    Returns
    -------
    y, scoring
        What the search goes by.

    Raises
    ------
    ValueError
        If something else is asked that needs labels.
    """
    scoring, space = params["scoring"], params["space"]
    if y is not None or params["apply_to"] != "test":
        return y, scoring
    if not is_fitted(params["estimator"]):
        raise ValueError(
            "y=None, but the estimator is not fitted and needs labels to be; pass y, or a fitted "
            "estimator."
        )
    if scoring is not None and scoring != CHANGE and not isinstance(scoring, ChangeScorer):
        raise ValueError(
            f"scoring={scoring!r} needs labels, but y is None; pass y, or scoring='change' for the "
            "share of predictions that errors change."
        )
    if space is not None and space.label not in (None, "forbidden"):
        raise ValueError(
            f"label={space.label!r} of the space needs labels, but y is None; pass y, or "
            "label='forbidden'."
        )
    decisions = np.asarray(Sheltered(params["estimator"]).predict(X))
    return decisions, CHANGE if scoring is None else scoring


def give_models(estimator: Estimator, splits: list[Split], n_jobs: int | None) -> None:
    """Fit the pipeline on every split, or take it as it is.

    Parameters
    ----------
    estimator : estimator
        The pipeline.
    splits : list of Split
        Their `model` is set.
    n_jobs : int or None
        Number of workers.
    """
    if is_fitted(estimator):
        for split in splits:
            split.model = estimator
        return
    tasks = [(estimator, split) for split in splits]
    models = run_tasks(_fitted, tasks, n_jobs=Starting(n_jobs).jobs(len(tasks)))
    for split, model in zip(splits, models, strict=True):
        split.model = model


def _fitted(estimator: Estimator, split: Split) -> Any:
    model = seeded_clone(estimator, split.seed)
    fit_on_copies(model, split.X_train, split.y_train, split.fit_params)
    return model
