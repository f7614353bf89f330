"""What a search is to do, frozen when `fit` begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier

from skcorrupt.attributes import SearchSpace
from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import single_scorer
from skcorrupt.utils import Table, is_finite_number, shorten
from skcorrupt.utils._typing import ApplyTo, ColumnLike, ErrorScore, Estimator, Folds, Scoring

from ._kinds import templates_of
from ._served import check_served
from ._template import check_error_fits, check_members
from ._test_part import check_test_corruption
from .strategies import SearchStrategy, as_strategy


@dataclass(frozen=True)
class SearchSettings:
    """Parameters of a search, checked and made ready.

    Attributes
    ----------
    estimator : estimator
        The pipeline.
    templates : dict of str to BaseCorruption
        The kinds of error by name, of which one strikes; a process of several is one of them.
    budgets : tuple of float
        Largest fractions of rows struck in a split, the smallest first.
    scoring : str, callable or None
        The score as the user gave it.
    scorer : callable
        The scorer made of it.
    cv : int, splitter, iterable of splits or None
        As the user gave it.
    space : SearchSpace
        What is plausible.
    strategy : SearchStrategy
        How to search.
    confirm_size : float or None
        Share of the rows set aside.
    error_score : float or "raise"
        Score of a candidate on which the pipeline fails.
    test_corruption : BaseCorruption or None
        Errors in test parts.
    n_jobs : int or None
        Number of workers.
    apply_to : {"train", "test", "both"}
        Where errors strike.
    checks : tuple
        What watches rows that are served.
    """

    estimator: Estimator
    templates: Mapping[str, BaseCorruption]
    budgets: tuple[float, ...]
    scoring: Scoring
    scorer: Callable[..., Any]
    cv: Folds
    space: SearchSpace
    strategy: SearchStrategy
    confirm_size: float | None
    error_score: ErrorScore
    test_corruption: BaseCorruption | None
    n_jobs: int | None
    apply_to: ApplyTo = "train"
    checks: tuple[Any, ...] = ()

    @property
    def clean_tests(self) -> bool:
        """Whether the rows that are scored are without errors."""
        return self.test_corruption is None and self.apply_to == "train"

    @property
    def classifier(self) -> bool:
        """Whether labels are classes."""
        return bool(is_classifier(self.estimator))


def checked_settings(
    params: Mapping[str, Any], table: Table, y: ColumnLike | None
) -> SearchSettings:
    """The parameters of a search, each refused where it is none.

    Parameters
    ----------
    params : mapping
        Parameters of `AdversarialCorruptionSearch`, their types checked.
    table : Table
        The features.
    y : array-like of shape (n_samples,) or None
        The labels.

    Returns
    -------
    SearchSettings
        Ready to be searched with.

    Raises
    ------
    ValueError, TypeError
        With the parameter and what is allowed.
    """
    # what is set on the parameters later is not what was searched
    estimator, apply_to = params["estimator"], params["apply_to"]
    space = _plausible(params["space"], apply_to)
    templates = templates_of(params["corruption"])
    check_served(params, templates, table)
    for template in templates.values():
        check_error_fits(template, estimator)
        check_members(template, table, y)
    check_test_corruption(params["test_corruption"], table, y)
    space.check()
    return SearchSettings(
        estimator=estimator,
        templates=templates,
        budgets=budgets_of(params["budget"]),
        scoring=params["scoring"],
        scorer=single_scorer(estimator, params["scoring"]),
        cv=params["cv"],
        space=space,
        strategy=clone(as_strategy(params["strategy"])),
        confirm_size=params["confirm_size"],
        error_score=params["error_score"],
        test_corruption=params["test_corruption"],
        n_jobs=params["n_jobs"],
        apply_to=apply_to,
        checks=tuple(params["checks"] or ()),
    )


def _plausible(space: SearchSpace | None, apply_to: ApplyTo) -> SearchSpace:
    """What is plausible: nobody who serves a model knows labels, and gaps need no reason there."""
    space = clone(space or SearchSpace())
    if apply_to != "train":
        space.set_params(own_column=space.own_column or "allowed", label=space.label or "forbidden")
    return space


def budgets_of(budget: Any, name: str = "budget") -> tuple[float, ...]:
    """The budgets of a search, the smallest first.

    Parameters
    ----------
    budget : float or list of float
        As it was given.
    name : str, default="budget"
        The parameter, for messages.

    Returns
    -------
    tuple of float
        Each once.

    Raises
    ------
    ValueError
        If a list is empty, or holds what is no budget.
    """
    several = isinstance(budget, (list, tuple)) or np.ndim(budget) == 1
    given = list(budget) if several else [budget]
    sound = all(is_finite_number(b) and 0 < b <= 1 for b in given)
    if not given or not sound:
        raise ValueError(
            f"{name}={shorten(budget)} should be a number in (0, 1], or a list of such numbers, as "
            "in [0.1, 0.2, 0.5]."
        )
    return tuple(sorted({float(b) for b in given}))
