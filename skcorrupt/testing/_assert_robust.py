"""An assertion for a test suite: no realistic error of a kind costs the pipeline too much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.base import BaseCorruption, Mechanism
from skcorrupt.utils import check_arguments, check_choice, is_number
from skcorrupt.utils._typing import ColumnLike, Estimator, RandomState, Scoring, TableLike

JUDGES = ("confirmed", "certain", "searched")


def assert_robust(
    pipeline: Estimator,
    X: TableLike,
    y: ColumnLike,
    *,
    corruption: BaseCorruption | str | Sequence[BaseCorruption | str],
    max_drop: float,
    budget: float = 0.1,
    scoring: Scoring = None,
    judge: Literal["confirmed", "certain", "searched"] = "confirmed",
    fit_params: dict[str, Any] | None = None,
    random_state: RandomState = 0,
    **search_params: Any,
) -> AdversarialCorruptionSearch:
    """Assert that the worst error a search finds costs a pipeline no more than a bound.

    Errors strike training data, the score is that on clean data. By default the drop is judged
    on rows that took no part in the search: a quarter of the rows is set aside, the worst error
    is made anew with 20 draws, and the mean of these scores is compared with the clean one.

    Parameters
    ----------
    pipeline : estimator
        The pipeline under test.
    X : DataFrame, array or sparse matrix of shape (n_samples, n_features)
        Clean features.
    y : array-like of shape (n_samples,)
        Clean labels.
    corruption : BaseCorruption, str or list of these
        The kind of error, or kinds of which one strikes, as `AdversarialCorruptionSearch` takes it.
    max_drop : float
        Largest drop of the score that is allowed, at least 0, in units of the score.
    budget : float in (0, 1], default=0.1
        Largest fraction of training rows that are struck.
    scoring : str, callable or None, default=None
        The score, greater is better; None is the estimator's own.
    judge : {"confirmed", "certain", "searched"}, default="confirmed"
        Which drop is compared with `max_drop`. "confirmed" is the mean drop on rows that were
        not searched, an estimate that is off to either side where these rows are few. "certain"
        is the lower end of its 95 % interval: hardly a false alarm, but few rows pass whatever
        the pipeline does. "searched" is the drop on the splits of the search, the largest of
        many and so too large: a strict bound, which needs no rows set aside.
    fit_params : dict, default=None
        Passed to the search's `fit`, such as `{"groups": patients}`.
    random_state : None, int, RandomState or Generator, default=0
        Source of all seeds, fixed so that the same test has the same outcome every time.
    **search_params : dict
        Further parameters of `AdversarialCorruptionSearch`, such as `strategy` or `cv`.

    Returns
    -------
    AdversarialCorruptionSearch
        The fitted search, if the drop is within the bound.

    Raises
    ------
    AssertionError
        If the drop is larger. The message has the worst error in words, the drops, the bound and
        code that puts the error in front of the pipeline.
    ValueError
        If nothing was tested: no candidate is feasible, or the drop to judge is NaN because too
        few rows could be set aside. Also for parameters that the search refuses.

    See Also
    --------
    skcorrupt.AdversarialCorruptionSearch : The search, with all its parameters.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcorrupt.adversarial import SearchSpace
    >>> from skcorrupt.testing import assert_robust
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> search = assert_robust(
    ...     DecisionTreeClassifier(max_depth=3),
    ...     X[["mean radius", "worst texture"]],
    ...     y,
    ...     corruption="labels",
    ...     budget=0.05,
    ...     max_drop=0.2,
    ...     space=SearchSpace(max_conditions=1),
    ... )
    >>> bool(search.confirmed_baseline_score_ - search.confirmed_score_ <= 0.2)
    True
    """
    # pytest then shows the line of the test that failed, not this function
    __tracebackhide__ = True
    check_arguments("assert_robust", {"fit_params": [dict, None]}, locals())
    _check(max_drop, budget, judge, search_params)
    search = AdversarialCorruptionSearch(
        pipeline,
        corruption,
        budget=budget,
        scoring=scoring,
        random_state=random_state,
        **search_params,
    ).fit(X, y, **(fit_params or {}))
    if search.interrupted_ and search._ended_by != "max_time":
        # a search that was cut short proves nothing, and the test run is to end
        raise KeyboardInterrupt
    if search.worst_corruption_ is None:
        raise ValueError(
            f"Nothing was tested: {search.summary()} Raise budget={budget:g} or relax the rules."
        )
    failed = np.flatnonzero(search.cv_results_["status"] == "failed")
    if len(failed):
        worst = search.cv_results_["corruption"][failed[0]]
        raise AssertionError(
            f"The pipeline fails under {len(failed)} of {search.n_evaluations_} errors within "
            f"budget={budget:g}; the first: {search.cv_results_['message'][failed[0]]}\n"
            f"To reproduce the error:\n\n{_code(search, worst)}"
        )
    drop = _judged(search, judge)
    if math.isnan(drop):
        raise ValueError(
            "The drop on rows that were not searched is NaN, so nothing was tested; pass more "
            "rows, a larger confirm_size or judge='searched'."
        )
    if drop > max_drop:
        raise AssertionError(
            f"{_message(search, judge, drop, max_drop)}\n"
            f"To reproduce the error:\n\n{_code(search, search.worst_corruption_)}"
        )
    return search


def _check(max_drop: Any, budget: Any, judge: Any, search_params: dict[str, Any]) -> None:
    if not is_number(max_drop) or not 0 <= max_drop < math.inf:
        raise ValueError(
            f"max_drop={max_drop!r} should be a number, 0 or more: the largest drop of the score."
        )
    if not is_number(budget):
        raise ValueError(
            f"budget={budget!r} should be one number in (0, 1]; make one assertion a budget."
        )
    check_choice("judge", judge, JUDGES)
    if judge != "searched" and search_params.get("confirm_size", 0.25) is None:
        raise ValueError(
            f"judge={judge!r} needs rows that were not searched, but confirm_size=None sets "
            "none aside; pass judge='searched', or leave confirm_size out."
        )


def _judged(search: AdversarialCorruptionSearch, judge: str) -> float:
    if judge == "searched":
        return float(search.score_drop_)
    if judge == "certain":
        return float(search.confirmed_interval_[0])
    return float(search.confirmed_baseline_score_ - search.confirmed_score_)


def _message(search: AdversarialCorruptionSearch, judge: str, drop: float, max_drop: float) -> str:
    kind = {
        "confirmed": "on rows that were not searched",
        "certain": "on rows that were not searched, at the lower end of its 95 % interval",
        "searched": "on the splits of the search",
    }[judge]
    drops = [f"searched {search.score_drop_:.4g}"]
    if hasattr(search, "confirmed_score_"):
        low, high = search.confirmed_interval_
        confirmed = search.confirmed_baseline_score_ - search.confirmed_score_
        drops.append(f"confirmed {confirmed:.4g} (95 % interval {low:.4g} to {high:.4g})")
    return (
        f"{type(search.estimator).__name__} loses {drop:.4g} {kind}, which is more than "
        f"max_drop={max_drop:g}.\n"
        f"The worst error found: {search.summary()}\n"
        f"Drops: {', '.join(drops)}."
    )


def _code(search: AdversarialCorruptionSearch, worst: BaseCorruption) -> str:
    """Python that scores the pipeline with and without the worst error."""
    names = {"CorruptedEstimator": "skcorrupt", "Pattern": "skcorrupt"}
    for part in [worst, *worst.get_params(deep=True).values()]:
        if isinstance(part, (BaseCorruption, Mechanism)):
            module = type(part).__module__
            names[type(part).__name__] = "skcorrupt" if module.startswith("skcorrupt.") else module
    lines = [
        f"from {module} import {', '.join(sorted(n for n in names if names[n] == module))}"
        for module in sorted(set(names.values()))
    ]
    by_name = search.scoring is None or isinstance(search.scoring, str)
    scoring = repr(search.scoring) if by_name else "scoring"
    cv = "3" if search.cv is None else repr(search.cv) if isinstance(search.cv, int) else "cv"
    return "\n".join(
        f"    {line}"
        for line in [
            "from sklearn.model_selection import cross_val_score",
            *lines,
            f"worst = {worst!r}",
            "for model in (pipeline, CorruptedEstimator(pipeline, worst)):",
            f"    print(cross_val_score(model, X, y, scoring={scoring}, cv={cv}).mean())",
        ]
    )
