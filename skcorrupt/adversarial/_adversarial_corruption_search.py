"""The search for the realistic data error that hurts a pipeline most."""

from __future__ import annotations

import os
import time
import warnings
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.exceptions import FitFailedWarning
from sklearn.utils import Tags, get_tags
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.validation import check_is_fitted

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import (
    Plan,
    check_groups,
    make_router,
    make_splits,
    sample_aligned,
    seeded_clone,
    single_scorer,
    take_rows,
)
from skcorrupt.utils import (
    N_JOBS,
    as_table,
    check_is_estimator,
    check_table,
    fit_on_copies,
    progress_bar,
    spawn_seeds,
)
from skcorrupt.utils._compat import HasMethods, Interval, StrOptions
from skcorrupt.utils._typing import (
    ColumnLike,
    ErrorScore,
    Estimator,
    FilePath,
    Folds,
    RandomState,
    Scoring,
    TableLike,
)

from ._budgets import budget_curve, budgets_of, most_evaluations, run_search
from ._confirm_switch import ConfirmSwitch
from ._confirmation import N_DRAWS, Confirmation, confirm_on
from ._evaluator import Evaluation
from ._grid_optimizer import GridOptimizer
from ._interruption import Interruption, interrupted_confirmation, interrupted_search
from ._optimizers import OPTIMIZERS, check_optimizer
from ._problem import Problem, confirm_held_out, prepare, random_score, splitter_of
from ._proxy_choice import Proxied
from ._refitted_methods import RefittedMethods
from ._results import results_table
from ._search_plan import plan_search
from ._setup import check_labels
from ._test_part import USERS_STREAM, corrupt_test_part
from ._wording import found_in_words, metric_name

# attributes of some searches only, which must not outlive a fit with other parameters
PASSING = ("worst_estimator_", "budget_curve_", "certificate_")


class AdversarialCorruptionSearch(RefittedMethods, MetaEstimatorMixin, BaseEstimator):
    """Find the realistic data error, within a budget, that hurts a pipeline most.

    Beam search chooses the attributes of a pattern, an optimizer their bounds (algorithms 1 and 2
    of [1]_); training parts are corrupted, test parts stay clean. The winner is then scored on
    rows that took no part in the search, because a minimum over many candidates flatters itself.

    Parameters
    ----------
    estimator : estimator
        The pipeline under test. Random states it leaves unset are seeded a split.
    corruption : BaseCorruption or {"missing", "labels", "selection"}
        The kind of error as a template: what it leaves unset is searched, namely the column hit,
        the pattern, the rate and, for several classes, the label that a flip goes to. A given
        pattern is kept and extended. A `CorruptionProcess` is searched as a whole: members that
        leave columns, pattern or rate unset are searched together, the others kept as they are.
    budget : float in (0, 1] or list of float, default=0.1
        Largest fraction of training rows that are struck, in every split. A list gives
        `budget_curve_` from one search; all else is then about the largest.
    scoring : str, callable or None, default=None
        Score that is made worst; None is the estimator's own. Higher is better.
    cv : int, splitter, iterable of splits or None, default=None
        None is 3 folds, stratified for classifiers.
    pattern_columns : list, dict or None, default=None
        Columns that patterns may use, or such a list by column hit; None is all.
    corrupt_columns : list or None, default=None
        Columns that may be hit; None is all the error applies to.
    require_corrupted : bool, default=True
        Whether the pattern has a condition on the column hit (missing not at random).
    require_label : bool, default=True
        Whether the pattern has a condition on the label.
    max_conditions : int, default=3
        Most conditions on features; 0 leaves patterns on the label alone.
    min_support : float in [0, 1), default=0.0
        Least fraction of rows that a pattern matches.
    exclude : sequence, default=()
        Implausible candidates: patterns within which no candidate may lie, pairs of columns that
        must not be used together, or callables `(pattern, X, y) -> bool`.
    beam_width : int, default=3
        Templates that survive a round.
    optimizer : {"auto", "gp", "forest", "tpe", "exhaustive", "random"} or class, default="auto"
        Search for the bounds of a template. "auto" enumerates up to `n_calls` combinations and
        uses "forest" beyond; "gp" and "forest" are scikit-optimize's, "tpe" is optuna's. A
        subclass of `skcorrupt.adversarial.GridOptimizer` is one of your own.
    n_calls : int, default=32
        Candidates scored a template.
    n_bins : int, default=8
        Quantile bins of numeric attributes, groups of categorical ones.
    search_rate : bool, default=False
        Whether rates below the largest one are tried too.
    confirm : bool, default=True
        Whether to set rows aside and score the winner on them. Read it with `get_params`: as an
        attribute, `confirm` is the method.
    confirm_size : float in (0, 1), default=0.25
        Share of the rows set aside.
    refit : bool, default=False
        Whether to fit the estimator on all rows under the winner, and to predict with it.
    error_score : float or "raise", default=nan
        Score of a candidate on which the pipeline fails; NaN never wins.
    proxy : {"auto", "linear", "tree"}, estimator or None, default=None
        What candidates are screened on; the best `n_rerank` of a budget are then scored on the
        pipeline, which alone decides. "linear" and "tree" are weighted models on grouped data,
        thousands or hundreds of candidates a second; an estimator is searched in the pipeline's
        place on a sample of the rows. "auto" compares both with the pipeline on 30 candidates,
        random ones and each proxy's worst: it takes the one for the kind of model, or the other
        if that orders them clearly more like the pipeline, else a smaller clone of it, else none.
        None scores every candidate on the pipeline. With a built-in proxy all patterns are tried
        that are affordable, so that `optimizer`, `n_calls` and `beam_width` have no effect; with
        "tree" a linear model screens first, and the best 1,024 get trees.
    n_rerank : int, default=32
        Candidates of every budget that go from the proxy, or from `warm_start_from`, to the
        pipeline.
    warm_start_from : AdversarialCorruptionSearch or None, default=None
        A fitted search for the same kind of error, of a lighter pipeline or on other rows with
        the same columns: its worst patterns are scored here first. With `proxy=None` they are all
        that is scored.
    journal : str, Path or None, default=None
        SQLite file in which every scored candidate is kept as soon as it is: `fit` goes on from
        there after an interruption, or a kill, to the same result. One search a file; another one
        is refused. With `random_state=None` the seed is kept there too.
    test_corruption : BaseCorruption or None, default=None
        Errors in the test part of every split, and in the rows to confirm on, as it is and the
        same for every candidate and for the clean pipeline, so that a drop is due to the training
        data alone (section 5.4 of [1]_). Its seed is replaced. None is clean test data.
    n_jobs : int or None, default=None
        Number of workers; the result does not depend on it.
    random_state : None, int, RandomState or Generator, default=None
        Source of all seeds.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    worst_corruption_ : BaseCorruption or None
        The winner, unfitted, to drop into a pipeline; None if no candidate is feasible.
    worst_pattern_ : Pattern, dict of str to Pattern, or None
        Where it strikes; for a process, by member.
    worst_columns_ : list
        The columns it hits, of all members of a process.
    worst_score_, baseline_score_, score_drop_ : float
        Mean scores under the winner and on clean data, and their difference.
    random_score_ : float
        Mean score of 20 draws of errors of the same size, columns and target label, under the
        template's own pattern.
    confirmed_score_, confirmed_baseline_score_ : float
        The same two scores on rows that the search did not see, the first over 20 draws.
    confirmed_interval_ : tuple of float
        95 % bootstrap interval of the confirmed drop.
    cv_results_ : dict of ndarray
        A row a candidate: pattern, columns, target, rate, row_fraction, scores, depth, times,
        status. For a process, `NAME__pattern` and `NAME__rate` of each member, too; `rate` is NaN
        where several are searched.
    budget_curve_ : DataFrame
        With a list of budgets, a row a budget: `budget, worst_score, score_drop, random_score`,
        with `confirm` `confirmed_score, confirmed_baseline, confirmed_drop_low,
        confirmed_drop_high`, and `pattern, columns, rate, corruption`.
    proxy_ : str
        What candidates were screened on: "linear", "tree", "estimator", "clone" or "none"; for
        members of a process that differ, several of them.
    proxy_agreement_ : float
        Spearman correlation of the proxy's scores with the pipeline's on 30 candidates: the
        lowest ten of each built-in proxy among up to 240 random ones, and others of those. Of the
        members of a process the lowest; NaN without a proxy.
    proxy_agreements_ : dict of str to float
        That of every proxy that was tried.
    certificate_ : DataFrame
        With a proxy, a row a budget: `budget, proxy, complete_conditions` (all patterns of up to
        so many conditions on features were screened, over the grid and the proxy; -1 if not all
        of any; `optimizer="exhaustive"` screens all, at any cost), `n_rows` (rows of the search
        that the screening saw), `n_points, n_distinct` (points of the grid, distinct masks
        scored), `n_polished` (scored again with converged models), `largest_step` (largest change
        of a margin in their last step, over all budgets), `n_reranked` (scored on the pipeline).
    n_evaluations_ : int
        Distinct candidates scored, those that a journal kept included.
    interrupted_ : bool
        Whether Ctrl-C ended the search: what is here is then the best until that moment.
    overhead_ : float
        Share of the time of `fit` that did not go into fits and scores.
    worst_estimator_ : estimator
        With `refit=True`, the estimator fitted on the corrupted data.
    scorer_ : callable
        The scorer.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if they have string names.

    References
    ----------
    .. [1] Zhu et al., "Stress-Testing ML Pipelines with Adversarial Data Corruption", 2025,
       section 4.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.impute import SimpleImputer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from skcorrupt import AdversarialCorruptionSearch
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> X = X[["mean radius", "worst texture"]]
    >>> pipeline = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())
    >>> search = AdversarialCorruptionSearch(
    ...     pipeline, "missing", scoring="roc_auc", n_calls=8, random_state=0
    ... ).fit(X, y)
    >>> bool(search.worst_score_ < search.baseline_score_)
    True
    """

    _parameter_constraints: dict[str, Any] = {
        "estimator": [HasMethods("fit")],
        "corruption": "no_validation",
        "budget": [Interval(Real, 0, 1, closed="right"), list, tuple, np.ndarray],
        "scoring": "no_validation",
        "cv": "no_validation",
        "pattern_columns": "no_validation",
        "corrupt_columns": "no_validation",
        "require_corrupted": ["boolean"],
        "require_label": ["boolean"],
        "max_conditions": [Interval(Integral, 0, None, closed="left")],
        "min_support": [Interval(Real, 0, 1, closed="left")],
        "exclude": [list, tuple],
        "beam_width": [Interval(Integral, 1, None, closed="left")],
        "optimizer": [StrOptions(set(OPTIMIZERS)), type],
        "n_calls": [Interval(Integral, 1, None, closed="left")],
        "n_bins": [Interval(Integral, 2, 256, closed="both")],
        "search_rate": ["boolean"],
        "confirm": ["boolean"],
        "confirm_size": [Interval(Real, 0, 1, closed="neither")],
        "refit": ["boolean"],
        "error_score": [StrOptions({"raise"}), Real],
        "proxy": [StrOptions({"auto", "linear", "tree"}), HasMethods("fit"), None],
        "n_rerank": [Interval(Integral, 1, None, closed="left")],
        "warm_start_from": "no_validation",
        "journal": [str, os.PathLike, None],
        "test_corruption": "no_validation",
        "n_jobs": N_JOBS,
        "random_state": "no_validation",
        "verbose": ["verbose"],
    }

    confirm = ConfirmSwitch()

    def __init__(
        self,
        estimator: Estimator,
        corruption: BaseCorruption | Literal["missing", "labels", "selection"],
        *,
        budget: float | Sequence[float] | np.ndarray = 0.1,
        scoring: Scoring = None,
        cv: Folds = None,
        pattern_columns: Sequence[Hashable] | Mapping[Any, Any] | None = None,
        corrupt_columns: Sequence[Hashable] | None = None,
        require_corrupted: bool = True,
        require_label: bool = True,
        max_conditions: int = 3,
        min_support: float = 0.0,
        exclude: Sequence[Any] = (),
        beam_width: int = 3,
        optimizer: Literal["auto", "gp", "forest", "tpe", "exhaustive", "random"]
        | type[GridOptimizer] = "auto",
        n_calls: int = 32,
        n_bins: int = 8,
        search_rate: bool = False,
        confirm: bool = True,
        confirm_size: float = 0.25,
        refit: bool = False,
        error_score: ErrorScore = np.nan,
        proxy: Literal["auto", "linear", "tree"] | Estimator | None = None,
        n_rerank: int = 32,
        warm_start_from: AdversarialCorruptionSearch | None = None,
        journal: FilePath | None = None,
        test_corruption: BaseCorruption | None = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.corruption = corruption
        self.budget = budget
        self.scoring = scoring
        self.cv = cv
        self.pattern_columns = pattern_columns
        self.corrupt_columns = corrupt_columns
        self.require_corrupted = require_corrupted
        self.require_label = require_label
        self.max_conditions = max_conditions
        self.min_support = min_support
        self.exclude = exclude
        self.beam_width = beam_width
        self.optimizer = optimizer
        self.n_calls = n_calls
        self.n_bins = n_bins
        self.search_rate = search_rate
        self.confirm = confirm
        self.confirm_size = confirm_size
        self.refit = refit
        self.error_score = error_score
        self.proxy = proxy
        self.n_rerank = n_rerank
        self.warm_start_from = warm_start_from
        self.journal = journal
        self.test_corruption = test_corruption
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters of the search and, with `deep`, of its estimator and corruption.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include nested parameters.

        Returns
        -------
        dict
            Parameter names and values.
        """
        params = super().get_params(deep=deep)
        params["confirm"] = ConfirmSwitch.value(self)
        return params

    def fit(
        self,
        X: TableLike,
        y: ColumnLike | None = None,
        *,
        groups: ColumnLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Search for the worst corruption.

        Parameters
        ----------
        X : DataFrame, array or sparse matrix of shape (n_samples, n_features)
            Clean features.
        y : array-like of shape (n_samples,)
            Clean labels.
        groups : array-like of shape (n_samples,), default=None
            Groups for the splitter; rows set aside are whole groups.
        **fit_params : dict
            Passed to the estimator's `fit`, or, with metadata routing, to the estimator and the
            scorer; arrays of n_samples entries are cut to the rows used.

        Returns
        -------
        self : AdversarialCorruptionSearch
            The fitted search.
        """
        started = time.perf_counter()
        for name in [*vars(self)]:
            # left by an earlier fit with other parameters
            if name.startswith("confirmed_") or name in PASSING:
                delattr(self, name)
        problem = self._prepare(X, y, groups, fit_params)
        evaluator = problem.evaluator
        interruption = Interruption(lambda: bool(evaluator.ranked()))
        # what an interruption leaves of it
        proxied = Proxied()
        with progress_bar(self._plan(problem).n_evaluations, self.verbose, "Searching") as bar:
            evaluator.bar = bar
            with interruption.ends(lambda: interrupted_search(len(evaluator.done), self.journal)):
                proxied = run_search(self, problem)
            bar.total = bar.n
            bar.refresh()
        if interruption.happened:
            proxied = problem.proxied or proxied
        self.proxy_, self.proxy_agreement_ = proxied.name, proxied.agreement
        self.proxy_agreements_ = proxied.agreements
        if self.proxy is not None:
            self.certificate_ = proxied.certificate
        self._warn_of_failures(list(evaluator.done.values()))
        ranked = evaluator.ranked()
        winner = ranked[0] if ranked else None
        self._set_winner(winner, problem)
        self.cv_results_ = results_table(list(evaluator.done.values()), len(problem.splits))
        self.n_evaluations_ = len(evaluator.done)
        self.random_score_ = np.nan
        if ConfirmSwitch.value(self):
            self._set_confirmation(Confirmation())
        n_left = N_DRAWS * len(problem.splits) + (N_DRAWS + 1) * ConfirmSwitch.value(self)
        n_left *= len(budgets_of(self.budget))
        with progress_bar(n_left, self.verbose, "Confirming") as bar:
            evaluator.bar = bar
            with interruption.ends(lambda: interrupted_confirmation(self.journal)):
                if not isinstance(self.budget, Real):
                    self._set_curve(problem, interruption.happened)
                else:
                    self.random_score_ = random_score(problem, winner, self.baseline_score_)
                    if ConfirmSwitch.value(self):
                        self._set_confirmation(confirm_held_out(problem, self.worst_corruption_))
        self.interrupted_ = interruption.happened
        if self.refit:
            self._refit(problem)
        spent = (time.perf_counter() - started) * effective_n_jobs(self.n_jobs)
        self.overhead_ = max(0.0, 1.0 - evaluator.busy_seconds / spent)
        return self

    def plan(
        self, X: TableLike, y: ColumnLike, *, groups: ColumnLike | None = None, **fit_params: Any
    ) -> Plan:
        """How many candidates a search would score, and how long that takes at most.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Clean features.
        y : array-like of shape (n_samples,)
            Clean labels.
        groups : array-like of shape (n_samples,), default=None
            Groups for the splitter.
        **fit_params : dict
            Passed to the estimator's `fit`.

        Returns
        -------
        Plan
            Evaluations, fits and seconds, from the fits on clean data, which are made.
        """
        if hasattr(self.cv, "__next__"):
            raise ValueError("plan would use up the generator given as cv; pass cv=list(…).")
        # a plan is no beginning of a search that a journal should know of
        return clone(self).set_params(journal=None)._plan_from(X, y, groups, fit_params)

    def _plan_from(
        self,
        X: TableLike,
        y: ColumnLike | None,
        groups: ColumnLike | None,
        fit_params: dict[str, Any],
    ) -> Plan:
        return self._plan(self._prepare(X, y, groups, fit_params))

    def _prepare(
        self,
        X: TableLike,
        y: ColumnLike | None,
        groups: ColumnLike | None,
        fit_params: dict[str, Any],
    ) -> Problem:
        check_is_estimator(self.estimator)
        self._validate_params()
        check_optimizer(self.optimizer)
        budgets_of(self.budget)
        problem = prepare(self, X, y, groups, fit_params, ConfirmSwitch.value(self))
        self.scorer_ = problem.evaluator.scorer
        self.baseline_score_ = problem.baseline
        self._data = problem.data
        return problem

    def _plan(self, problem: Problem) -> Plan:
        plan = self._plan_with(problem, screens=self.proxy is not None)
        if self.proxy != "auto":
            return plan
        return replace(plan, without_proxy=self._plan_with(problem, screens=False))

    def _plan_with(self, problem: Problem, *, screens: bool) -> Plan:
        seconds = [o.fit_time + o.score_time for o in problem.clean]
        return plan_search(
            problem.beams,
            len(problem.splits),
            float(np.mean(seconds)),
            n_workers=effective_n_jobs(self.n_jobs),
            confirms=ConfirmSwitch.value(self),
            refits=self.refit,
            n_budgets=len(budgets_of(self.budget)),
            most=lambda each: most_evaluations(self, problem, each, screens=screens),
        )

    def _warn_of_failures(self, evaluations: list[Evaluation]) -> None:
        failed = [e for e in evaluations if e.error and not e.infeasible]
        if failed:
            warnings.warn(
                f"The pipeline failed on {len(failed)} of {len(evaluations)} candidates, which "
                f"score {self.error_score}; the first: {failed[0].error}. cv_results_ has the "
                "others; pass error_score='raise' to see the whole error.",
                FitFailedWarning,
                stacklevel=3,
            )

    def _set_winner(self, winner: Evaluation | None, problem: Problem) -> None:
        self.metric_name_ = metric_name(self.scoring)
        self.worst_corruption_: BaseCorruption | None = None
        self.worst_pattern_, self.worst_columns_, self._target = None, [], None
        self.worst_score_ = self.baseline_score_
        if winner is None:
            found = Counter(e.error for e in problem.evaluator.done.values() if e.error)
            found += problem.beam.refused
            reasons = [reason for reason, _ in found.most_common(3)]
            warnings.warn(
                f"No candidate is feasible within budget={max(budgets_of(self.budget)):g} on "
                f"{len(problem.search_rows)} rows: "
                f"{'; '.join(reasons) or 'no column can tell rows apart'}. Raise the budget, or "
                "relax min_support, exclude, require_corrupted or require_label.",
                UserWarning,
                stacklevel=3,
            )
        else:
            chosen = winner.candidate
            self.worst_corruption_ = self._handed_out(winner, problem)
            self.worst_pattern_ = chosen.pattern
            self.worst_columns_ = list(chosen.columns)
            self.worst_score_ = winner.score
            self._target = chosen.target
        self.score_drop_ = self.baseline_score_ - self.worst_score_

    def _handed_out(self, winner: Evaluation, problem: Problem) -> BaseCorruption:
        seed = problem.template.random_state
        return clone(winner.candidate.corruption).set_params(
            random_state=self._data.seed if seed is None else seed
        )

    def _set_curve(self, problem: Problem, interrupted: bool) -> None:
        """The curve of all budgets; the scores of the largest are the search's."""
        confirms = ConfirmSwitch.value(self)
        curves = budget_curve(
            self, problem, lambda winner: self._handed_out(winner, problem), confirms, interrupted
        )
        # an interruption leaves what is there until then
        for curve in curves:
            self.budget_curve_ = curve
        last = self.budget_curve_.iloc[-1]
        self.random_score_ = float(last["random_score"])
        if confirms:
            interval = float(last["confirmed_drop_low"]), float(last["confirmed_drop_high"])
            self._set_confirmation(
                Confirmation(last["confirmed_score"], last["confirmed_baseline"], interval)
            )

    def _confirm_on_test(
        self,
        X_test: TableLike,
        y_test: ColumnLike,
        *,
        groups: ColumnLike | None = None,
        **score_params: Any,
    ) -> Self:
        """Score the winner on rows of your own, fitting on all rows given to `fit`."""
        check_is_fitted(self, "worst_score_")
        check_table(self, X_test, reset=False)
        y_test = check_labels(y_test, self.estimator, as_table(X_test).n_rows)
        data = self._data
        n, n_test = as_table(data.X).n_rows, as_table(X_test).n_rows
        check_groups(groups, n_test)
        (split,) = make_splits(
            data.X,
            data.y,
            [(np.arange(n), np.arange(0))],
            spawn_seeds(data.seed, 1, 4),
            fit_params=data.fit_params,
        )
        split.test, split.X_test, split.y_test = np.arange(n_test), X_test, y_test
        split.score_params = score_params
        (test_seed,) = spawn_seeds(data.seed, 1, USERS_STREAM)
        rows = corrupt_test_part(split, self.test_corruption, test_seed)
        result = confirm_on(
            self.estimator,
            self.worst_corruption_,
            split,
            self.scorer_,
            n_jobs=self.n_jobs,
            groups=None if groups is None else take_rows(groups, rows),
        )
        self._set_confirmation(result)
        return self

    def _set_confirmation(self, result: Confirmation) -> None:
        self.confirmed_score_ = result.score
        self.confirmed_baseline_score_ = result.baseline
        self.confirmed_interval_ = result.interval

    def _refit(self, problem: Problem) -> None:
        X, y, params = self._data.X, self._data.y, self._data.fit_params
        if self.worst_corruption_ is not None:
            X, y, record = clone(self.worst_corruption_).fit(X, y).corrupt(X, y)
            params = sample_aligned(params, record.sample_indices, record.n_samples_in)
        self.worst_estimator_ = seeded_clone(self.estimator, self._data.seed)
        start = time.perf_counter()
        fit_on_copies(self.worst_estimator_, X, y, params)
        problem.evaluator.busy_seconds += time.perf_counter() - start

    def summary(self) -> str:
        """What was found, in a sentence.

        Returns
        -------
        str
            For example "Losing `marital` in 40 % of rows where y == 1: AUC 0.854 → 0.783
            (random 0.853).".
        """
        check_is_fitted(self, "worst_score_")
        return found_in_words(self)

    def get_metadata_routing(self) -> MetadataRouter:
        """How parameters such as `sample_weight` go to the estimator, the scorer and the splitter.

        Returns
        -------
        MetadataRouter
            The routing.
        """
        scorer = single_scorer(self.estimator, self.scoring)
        return make_router(self, self.estimator, scorer, splitter_of(self, None))

    def __sklearn_clone__(self) -> Self:
        made = super().__sklearn_clone__()
        # what it found is what it is there for, and a clone of it has found nothing
        made.warm_start_from = self.warm_start_from
        return made

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        if self.refit:
            tags.estimator_type = inner.estimator_type
            tags.classifier_tags = inner.classifier_tags
            tags.regressor_tags = inner.regressor_tags
        tags.input_tags = inner.input_tags
        tags.target_tags.required = True
        return tags
