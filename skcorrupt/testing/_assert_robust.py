"""An assertion for a test suite: no realistic error of a kind costs the pipeline too much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from inspect import signature
from typing import Any, Literal, NoReturn

import joblib
import numpy as np

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.base import BaseCorruption
from skcorrupt.utils import (
    check_arguments,
    check_choice,
    close_to,
    is_number,
    shorten,
    warned_once,
)
from skcorrupt.utils._typing import (
    ColumnLike,
    Estimator,
    FilePath,
    RandomState,
    Scoring,
    TableLike,
)

from ._baseline import Baseline, data_digest
from ._error_in_code import code_of, on_all_rows
from ._not_robust import NotRobust

# what is judged, and where
JUDGES = {
    "confirmed": "on rows that were not searched",
    "certain": "on rows that were not searched, at the lower end of its 95 % interval",
    "searched": "on the splits of the search",
}
# parameters of a search that change nothing of what is found
MAKE_NO_DIFFERENCE = ("n_jobs", "verbose", "journal")


@warned_once()
def assert_robust(
    pipeline: Estimator,
    X: TableLike,
    y: ColumnLike,
    *,
    corruption: BaseCorruption | str | Sequence[BaseCorruption | str],
    max_drop: float | None = None,
    baseline: FilePath | None = None,
    tolerance: float = 0.01,
    name: str | None = None,
    update_baseline: bool = False,
    budget: float = 0.1,
    scoring: Scoring = None,
    judge: Literal["confirmed", "certain", "searched"] = "confirmed",
    fit_params: dict[str, Any] | None = None,
    random_state: RandomState = 0,
    **search_params: Any,
) -> AdversarialCorruptionSearch:
    """Assert that the worst error a search finds costs a pipeline no more than a bound.

    Errors strike training data, and the score is that on clean data, unless `apply_to="test"` or
    "both" is passed on to the search. By default the drop is judged
    on rows that took no part in the search: a quarter of the rows is set aside, the worst error
    is made anew with 20 draws, and the mean of these scores is compared with the clean one. The
    bound is `max_drop`, or what an earlier version of the pipeline had, or both.

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
    max_drop : float or None, default=None
        Largest drop of the score that is allowed, at least 0, in units of the score. None needs
        a `baseline`.
    baseline : str, path-like or None, default=None
        A file of JSON with the scores under the worst error that were kept, such as those of the
        last release. The assertion fails where the score is lower by more than `tolerance`. Scores
        and not drops are compared, as a pipeline that got better on clean data may lose more.
    tolerance : float, default=0.01
        How far below the kept score is no loss, at least 0, in units of the score.
    name : str or None, default=None
        What the score is kept under; None is the class of the pipeline and the kind of error.
    update_baseline : bool, default=False
        Keep the score that is found instead of comparing it; `max_drop` is compared as ever.
    budget : float in (0, 1], default=0.1
        Largest fraction of rows that are struck.
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
        If the drop is larger, or the score lower. The message has the worst error in words, the
        drops, the bound and code that shows what the error does: it cross-validates a pipeline, and
        scores a fitted model that is served, as it is, on all rows. Its attribute `search` is the
        fitted search, of which `skcorrupt.report.write_html` makes a page.
    ValueError
        If nothing was tested: no candidate is feasible, the drop to judge is NaN because too
        few rows could be set aside, or the baseline has no score of the same data and settings.
        Also for parameters that the search refuses.

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
    ...     strategy="beam",
    ...     space=SearchSpace(max_conditions=1, n_bins=4),
    ... )
    >>> bool(search.confirmed_baseline_score_ - search.confirmed_score_ <= 0.2)
    True
    """
    # pytest then shows the line of the test that failed, not this function
    __tracebackhide__ = True
    checked: dict[str, list[Any]] = {
        "fit_params": [dict, None],
        "name": [str, None],
        "update_baseline": ["boolean"],
    }
    check_arguments("assert_robust", checked, locals())
    if not all(isinstance(key, str) for key in fit_params or ()):
        raise TypeError(
            f"fit_params={shorten(fit_params)} should have names as keys, such as 'sample_weight'."
        )
    _check_names(search_params)
    _check(max_drop, tolerance, baseline, budget, judge, search_params)
    if update_baseline and baseline is None:
        raise ValueError(
            "update_baseline=True keeps a score in the file that baseline names, and there is "
            "none; pass one, such as baseline='robustness.json', or leave update_baseline out."
        )
    kept = None
    if baseline is not None:
        settings = {
            "corruption": corruption,
            "budget": budget,
            "scoring": scoring,
            "judge": judge,
            "random_state": random_state,
            **{key: each for key, each in search_params.items() if key not in MAKE_NO_DIFFERENCE},
            "data": data_digest(X, y),
        }
        if fit_params:
            settings["fit_params"] = str(joblib.hash(fit_params))
        kept = Baseline(baseline, name or f"{type(pipeline).__name__}, {corruption}", settings)
    least, missing = -math.inf, None
    if kept is not None and not update_baseline:
        try:
            least = kept.score() - tolerance
        except ValueError as error:
            # what cannot be compared is better known before the search, unless there is a bound
            if max_drop is None:
                raise
            missing = error
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
        _fail(
            search,
            f"The pipeline fails under {len(failed)} of {search.n_evaluations_} errors within "
            f"budget={budget:g}; the first: {search.cv_results_['message'][failed[0]]}",
            worst,
            "",
        )
    drop = _judged(search, judge)
    if math.isnan(drop):
        raise ValueError(
            "The drop on rows that were not searched is NaN, so nothing was tested; pass more "
            "rows, a larger confirm_size or judge='searched'."
        )
    clean = search.baseline_score_ if judge == "searched" else search.confirmed_baseline_score_
    score = float(clean - drop)
    who, where = type(search.estimator).__name__, JUDGES[judge]
    if max_drop is not None and drop > max_drop:
        said = f"{who} loses {drop:.4g} {where}, which is more than max_drop={max_drop:g}."
        on_all = on_all_rows(search, X, y)
        _fail(search, f"{said}\n{_found(search)}", search.worst_corruption_, on_all)
    if missing is not None:
        raise missing
    if kept is not None and update_baseline:
        kept.keep(score, float(clean))
    elif kept is not None and score < least:
        said = (
            f"{who} scores {score:.4g} under the worst error {where}; "
            f"{str(baseline)!r} has {least + tolerance:.4g} for {kept.name!r}, of which "
            f"tolerance={tolerance:g} may be lost."
        )
        on_all = on_all_rows(search, X, y)
        _fail(search, f"{said}\n{_found(search)}", search.worst_corruption_, on_all)
    return search


def _check_names(search_params: dict[str, Any]) -> None:
    known = signature(AdversarialCorruptionSearch).parameters
    for name in search_params:
        if name not in known:
            meant = close_to(name, [*signature(assert_robust).parameters, *known])
            raise TypeError(
                f"assert_robust has no parameter {name!r}{meant}; it takes its own and those of "
                "AdversarialCorruptionSearch."
            )


def _check(
    max_drop: Any,
    tolerance: Any,
    baseline: Any,
    budget: Any,
    judge: Any,
    search_params: dict[str, Any],
) -> None:
    if max_drop is None and baseline is None:
        raise ValueError(
            "max_drop=None and baseline=None leave nothing to compare with; pass the largest drop "
            "that is allowed, or a file of kept scores, such as baseline='robustness.json'."
        )
    bounds = {"tolerance": (tolerance, "how far below the kept score is no loss")}
    if max_drop is not None:
        bounds["max_drop"] = (max_drop, "the largest drop of the score")
    for bound, (given, meaning) in bounds.items():
        if not is_number(given) or not 0 <= given < math.inf:
            raise ValueError(f"{bound}={given!r} should be a number, 0 or more: {meaning}.")
    if not is_number(budget):
        raise ValueError(
            f"budget={budget!r} should be one number in (0, 1]; make one assertion a budget."
        )
    check_choice("judge", judge, list(JUDGES))
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


def _fail(
    search: AdversarialCorruptionSearch, message: str, worst: BaseCorruption, on_all: str
) -> NoReturn:
    __tracebackhide__ = True
    code = f"{on_all}To reproduce the error:\n\n{code_of(search, worst)}"
    raise NotRobust(f"{message}\n{code}", search)


def _found(search: AdversarialCorruptionSearch) -> str:
    """The worst error in words, and what it costs."""
    drops = [f"searched {search.score_drop_:.4g}"]
    if hasattr(search, "confirmed_score_"):
        low, high = search.confirmed_interval_
        confirmed = search.confirmed_baseline_score_ - search.confirmed_score_
        drops.append(f"confirmed {confirmed:.4g} (95 % interval {low:.4g} to {high:.4g})")
    return f"The worst error found: {search.summary()}\nDrops: {', '.join(drops)}."
