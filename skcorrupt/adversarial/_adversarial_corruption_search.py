"""The search for the realistic data error that hurts a pipeline most."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.validation import check_is_fitted

from skcorrupt.attributes import SearchSpace
from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import (
    Journal,
    Plan,
    RefittedMethods,
    beside,
    make_router,
    make_splits,
    route_parameters,
    sample_aligned,
    seeded_clone,
    single_scorer,
    take_rows,
    terminable,
)
from skcorrupt.evaluation._holds_data import HoldsData
from skcorrupt.evaluation._sampled_rows import rows_in_memory
from skcorrupt.metrics import metric_name
from skcorrupt.utils import (
    N_JOBS,
    as_source,
    as_table,
    calls_back,
    check_groups,
    check_is_estimator,
    check_table,
    draw_seed,
    fit_on_copies,
    handed_on,
    spawn_seeds,
    warned_once,
)
from skcorrupt.utils._compat import CallbackSupportMixin, HasMethods, Interval, StrOptions
from skcorrupt.utils._typing import (
    ApplyTo,
    ColumnLabels,
    ColumnLike,
    ErrorScore,
    Estimator,
    FilePath,
    Folds,
    RandomState,
    Scoring,
    TableLike,
)

from ._class_struck import class_struck
from ._confirmation import Confirmation, confirm_on
from ._detection import detection_of
from ._in_parts import held_rows
from ._kept_results import RESULTS
from ._problem import Problem, prepare, splitter_of
from ._run import Found, run_search
from ._search_plan import plan_of
from ._served import check_passed, give_models, is_fitted, labels_or_decisions, with_model
from ._served_in_parts import failures_to_read, laid_out_in_parts
from ._settings import checked_settings
from ._template import check_labels
from ._test_part import corrupt_test_part
from .candidates import Deadline, FitData, Progress, Stream, search_settings, timed
from .display import LABEL_READ, found_in_words, reads_label
from .strategies import AutoSearch, BeamSearch, ExhaustiveSearch, Screening, SearchStrategy

PHASE = ("phase", "budget", "n_candidates", "worst_score")
# attributes of some searches only, which must not outlive a fit with other parameters
PASSING = ("worst_estimator_", "budget_curve_", "detection_")
OF_PARTS = ("n_rows_", "sample_indices_")


class AdversarialCorruptionSearch(
    CallbackSupportMixin, RefittedMethods, HoldsData, MetaEstimatorMixin, BaseEstimator
):
    """Find the realistic data error, within a budget, that hurts a pipeline most.

    Training parts are corrupted and test parts stay clean, or, with `apply_to="test"`, a model is
    served rows with errors. The winner is then scored on rows that took no part in the search,
    because a minimum over many candidates flatters itself.
    A fitted search holds the data, for `confirm`, and so do its pickles; `drop_data` lets go of it.

    Parameters
    ----------
    estimator : estimator
        The pipeline under test. Random states it leaves unset are seeded for each split.
    corruption : BaseCorruption, str or list of these
        The kind of error as a template, or its short name, such as "missing", "labels" or
        "selection"; or a list of kinds, of which exactly one strikes: the worst of any, each
        searched as if it were alone, with one confirmation. `kind` in the results says which, by
        the short name, by "process(…)" for a process, and with a number where several are of one
        kind, as in "missing-2". Parameters of `space` about columns that are hit apply to those
        kinds that hit columns. What a template leaves unset is searched, namely the column hit,
        the pattern, the rate and, for several classes, the label that a flip goes to. A given
        pattern is kept and extended, and tried as it is where `space` requires no other condition.
        A `CorruptionProcess`, of errors that strike together, is searched as a whole: members that
        leave columns, pattern or rate unset are searched together, the others kept as they are.
    budget : float in (0, 1] or list of float, default=0.1
        Largest fraction of rows that are struck, in every split. A list gives `budget_curve_`
        from one search; all else is then about the largest.
    apply_to : {"train", "test", "both"}, default="train"
        Where errors strike: training data; the rows that are scored, as served to a model that
        learned from clean data; or both, with the same columns, pattern and rate, drawn
        independently, and the budget in each part. With "test" an estimator that is fitted, or
        frozen, is used as it is and every row of X is served to it; `clone` unfits it, so wrap it
        in `FrozenEstimator` where the search is cloned. Labels and groups of a score are those of
        the clean rows, so that errors in labels are for "train" alone. Where the score is a sum
        over rows and rows are predicted one by one, the worst of all patterns of the grid is found
        exactly; of other scores leading patterns are scored.
    scoring : str, callable or None, default=None
        Score that is made worst; None is the estimator's own. Higher is better. "change" is minus
        the share of predictions that errors in served rows change, of regressors minus the mean
        change; it needs no labels, and stands for None where there are none.
    cv : int, splitter, iterable of splits or None, default=None
        None is 3 folds, stratified for classifiers.
    space : SearchSpace or None, default=None
        What is plausible: columns that may be hit, conditions that patterns may have, grid and
        rules; None is `SearchSpace()`.
    strategy : {"auto", "beam", "screening", "exhaustive"} or SearchStrategy, default="auto"
        How candidates are found. "auto" scores all patterns of one condition on the pipeline,
        lets proxies that agree with it choose among longer ones, and changes the worst piece by
        piece; `phases_` says what it did. "beam" is `BeamSearch()`: attributes by beam, their
        bounds by an optimizer. "screening" is `Screening()`: thousands of candidates on a proxy, of
        which the pipeline scores the best; the fastest where fits are slow. "exhaustive" scores the
        whole grid. `WarmStart` takes over what another search found. All end with a refinement of
        the worst at full resolution, and draw errors that are random again until the order of the
        worst is settled.
    confirm_size : float in (0, 1) or None, default=0.25
        Share of the rows set aside, on which the winner is scored; None sets none aside.
    sample_size : int, default=100_000
        Rows of a table that is read in parts on which candidates are scored, at most. Others are
        held to confirm on, so that these are `confirm_size` of all that are held; what candidates
        match and may strike is counted on all rows of the table. With no more rows than are held it
        is the search in memory. They are drawn by position, or by `key`, so that they are the same
        however the table is cut. Tables in memory are taken whole.
    refit : bool, default=False
        Whether to fit the estimator on all rows under the winner, and to predict with it.
    error_score : float or "raise", default=nan
        Score of a candidate on which the pipeline fails; NaN never wins.
    test_corruption : BaseCorruption or None, default=None
        Errors in the test part of every split, and in the rows to confirm on, as it is and the
        same for every candidate and for the clean pipeline, so that a drop is due to the training
        data alone (section 5.4 of [1]_). Its seed is replaced. None is clean test data.
    checks : sequence or None, default=()
        What watches the rows that are served, with `apply_to="test"` or `"both"`: fitted checks of
        `skcorrupt.checks`, functions `frame -> bool`, schemas of pandera. Only errors that pass
        all of them count: each alarms in at most the larger of a tenth and twice its `false_alarm`
        of 200 batches, of its `batch_size` or 1,000 struck rows. Within a pattern the rate is the
        largest on a grid of 32 at which that is so; functions and schemas are taken to notice more
        the more is struck. None is no checks.
    max_time : float or None, default=None
        Seconds that `fit` may take; None is no limit. When they are over, the best so far is
        compared and confirmed, with 5 to 20 draws, which a warning tells. What such a search finds
        depends on the machine; with a journal, a later fit without a limit goes on from there, and
        ends where it would have ended.
    journal : str, Path or None, default=None
        SQLite file in which every scored candidate is kept as soon as it is: `fit` goes on from
        there after an interruption, or a kill, to the same result. With `random_state=None` the
        seed is kept there too.
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
        Mean scores under the winner and on clean data, and their difference. The first is the mean
        over `n_draws_` draws of the winner: `cross_validate_corrupted(estimator,
        X[search_indices_], y[search_indices_], worst_corruption_, apply_to=apply_to, cv=splits_,
        n_repeats=n_draws_, random_state=seed_)` with the same scoring gives it again, where there
        is no `test_corruption`; of a fitted model pass `FrozenEstimator(estimator)`. Of errors in
        served rows it is the mean over all draws where there is a closed form, to which those draws
        come as close as chance lets them.
    n_draws_ : int
        How often the winner was drawn: 1 where every matched row is struck in one way, else as
        often as the order of the worst needs to be known to half a percent of the drop, from 4 to
        64 times.
    search_indices_ : ndarray of int
        Rows searched, those not set aside; of a table that is read in parts, among the rows held.
    n_rows_ : int
        Number of rows of a table that is read in parts.
    sample_indices_ : ndarray of int or None
        Of such a table the rows that are held, as positions in it; None where they have a `key`.
    splits_ : list of (ndarray, ndarray)
        Training and test rows of every split, as positions among the rows searched.
    random_score_ : float
        Mean score of 5 to 20 draws of errors of the same size, columns and target label, under the
        template's own pattern: as many as it takes for a standard error below a hundredth of the
        drop.
    confirmed_score_, confirmed_baseline_score_ : float
        The same two scores on rows that the search did not see, the first over 20 draws.
    confirmed_interval_ : tuple of float
        95 % bootstrap interval of the confirmed drop.
    cv_results_ : dict of ndarray
        A row for each candidate: kind, pattern, columns, target, rate, row_fraction, scores,
        n_draws, depth, times, status. For a process, `NAME__pattern` and `NAME__rate` of each
        member, too; `rate` is NaN where several are searched.
    alternatives_ : DataFrame
        What the worst error owes to the conditions in its pattern: a row for each number of
        conditions on features, with and without one on the label and on the column hit, of the
        largest budget: `n_conditions, uses_label, uses_own_column, columns, pattern, rate, score,
        drop, n_draws, corruption, status`, of a list of kinds of error `kind` first. Where `space`
        leaves `own_column` or `label` None, what these require by default is relaxed here, with a
        quarter of the search's evaluations at most: the leaders without the condition, what a proxy
        ranks highest where the search had one, and local changes of these. Of a process, members
        lose conditions and keep the others as they were; the number is the largest of any member.
        Patterns that strike the rows of one of the worst candidates have its score. Random errors
        are drawn four times or more, up to 16 times where that leaves a tenth of the drop in doubt,
        for about as many draws again; less often where `max_time` is short for it or a signal ended
        the search. `status`: "searched" (the worst that the search scored; without a score where
        bounds prove that none is worse than the worst of all, and none was scored), "relaxed" (the
        worst found in this way), "enumerated" (the same, and everything on the grid was scored),
        "none feasible", "not tried", "not allowed" (by `space`). These rows are in none of the
        other results, and were not confirmed; empty where no candidate of the search is feasible.
    budget_curve_ : DataFrame
        With a list of budgets, a row for each: `budget, worst_score, score_drop, random_score`,
        with `confirm_size` `confirmed_score, confirmed_baseline, confirmed_drop_low,
        confirmed_drop_high`, and `kind, pattern, columns, rate, corruption`.
    proxy_ : str
        What candidates were screened on: "linear", "tree", "boosting", "single_tree",
        "estimator", "clone" or "none"; for members of a process that differ, several of them.
    proxy_agreement_ : float
        Spearman correlation of the proxy's scores with the pipeline's on 30 candidates: the
        lowest ten of each built-in proxy among up to 240 random ones, and others of those. Of the
        members of a process the lowest; NaN without a proxy.
    proxy_agreements_ : dict of str to float
        That of every proxy that was tried.
    certificate_ : DataFrame
        What was covered, a row for each budget and kind of error: `budget, kind, proxy, proven`
        (every candidate of the grid was scored on the pipeline, and none of them is drawn),
        `n_patterns` (so many at least were scored by the pipeline or by converged models),
        `n_pruned` (so many more need not be), `complete_conditions` (all patterns of the grid of
        up to so many conditions on features were; -1 if not all of any). And of the screening, if
        there was any: `screened_conditions` (the same of all scores, rough ones included),
        `n_rows` (rows of the search that it saw), `n_points, n_distinct, n_converged` (points of
        the grid, distinct masks scored, those with scores of converged models), `n_polished`
        (scored again with converged models), `largest_step` (largest change of a margin in their
        last step, over all budgets), `n_reranked` (chosen for the pipeline). With
        `apply_to="test"` a row for each budget, kind and columns hit instead: `proven` (all
        patterns of the grid are accounted for: what was left out could not have won),
        `conditional` (values are random, and bounds hold for the draws that were looked at),
        `n_patterns` scored, `n_pruned` left out by bounds, `any_rows_score` (the worst that any
        choice of rows within the budget can bring), `readable_score` (the worst pattern found),
        `readable_bound` (no pattern of the grid scores lower), `random_score`, `n_rows_compared`
        (rows that were predicted in other company, to the same answer). Of a table that is read in
        parts and not held whole, with `n_rows_counted`, `n_rows_searched` and `n_rows_confirmed`,
        on which support and budget, scores and the confirmation rest, and `n_refused` (scored
        candidates that are not feasible on all rows).
    detection_ : DataFrame
        With `checks`, a row for each of them and for the defaults of `skcorrupt.checks`, which
        learn from the rows searched: `check, alarm_rate` (share of the batches with the worst error
        in which it alarms), `min_batch_size, min_rate` (from which size, and from which rate within
        the pattern, on it alarms in 80 %; NaN for none that was tried).
    strategy_ : SearchStrategy
        The strategy as it was run.
    phases_ : DataFrame
        What the default strategy did, in order: `phase, budget, n_candidates` that the pipeline
        scored in it, `worst_score` after it, which rises where what led by a lucky draw is drawn
        again. Empty with others.
    space_ : SearchSpace
        What was plausible.
    n_evaluations_ : int
        Distinct candidates scored, those that a journal kept included.
    seed_ : int
        Seed of everything that was drawn.
    interrupted_ : bool
        Whether Ctrl-C, SIGTERM, `max_time` or a callback ended the search early: what is here is
        then the best until that moment.
    screening_time_ : float
        Seconds that went into stand-ins for the pipeline.
    overhead_ : float
        Share of the time of `fit` that went neither into fits and scores nor into stand-ins.
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
    >>> from skcorrupt.adversarial import SearchSpace
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> X = X[["mean radius", "worst texture"]]
    >>> pipeline = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())
    >>> search = AdversarialCorruptionSearch(
    ...     pipeline,
    ...     "missing",
    ...     scoring="roc_auc",
    ...     strategy="beam",
    ...     space=SearchSpace(max_conditions=1, n_bins=4),
    ...     random_state=0,
    ... ).fit(X, y)
    >>> bool(search.worst_score_ < search.baseline_score_)
    True
    """

    _parameter_constraints: dict[str, Any] = {
        "estimator": [HasMethods("fit")],
        "corruption": "no_validation",
        "budget": [Interval(Real, 0, 1, closed="right"), list, tuple, np.ndarray],
        "apply_to": [StrOptions({"train", "test", "both"})],
        "scoring": "no_validation",
        "cv": "no_validation",
        "space": [SearchSpace, None],
        "strategy": "no_validation",
        "confirm_size": [Interval(Real, 0, 1, closed="neither"), None],
        "sample_size": [Interval(Integral, 1, None, closed="left")],
        "refit": ["boolean"],
        "error_score": [StrOptions({"raise"}), Real],
        "test_corruption": "no_validation",
        "checks": [list, tuple, None],
        "max_time": [Interval(Real, 0, None, closed="neither"), None],
        "journal": [str, os.PathLike, None],
        "n_jobs": N_JOBS,
        "random_state": "no_validation",
        "verbose": ["verbose"],
    }

    _refitted, _refitting = "worst_estimator_", "fit the estimator on the worst data found"
    _first_results = ("worst_score_", "cv_results_")
    _expected_results = RESULTS
    _private_results = (
        "_target",
        "_ended_by",
        "_cut_short",
        "_few_draws",
        "_lucky_alternatives",
        "_class_struck",
        "_of_every_kind",
    )
    _rows_in = ("_data",)
    _models_in = ("worst_estimator_",)
    _settings = (SearchSpace, AutoSearch, BeamSearch, ExhaustiveSearch, Screening)

    def __init__(
        self,
        estimator: Estimator,
        corruption: BaseCorruption | str | Sequence[BaseCorruption | str],
        *,
        budget: float | Sequence[float] | np.ndarray = 0.1,
        apply_to: ApplyTo = "train",
        scoring: Scoring = None,
        cv: Folds = None,
        space: SearchSpace | None = None,
        strategy: Literal["auto", "beam", "screening", "exhaustive"] | SearchStrategy = "auto",
        confirm_size: float | None = 0.25,
        sample_size: int = 100_000,
        refit: bool = False,
        error_score: ErrorScore = np.nan,
        test_corruption: BaseCorruption | None = None,
        checks: Sequence[Any] | None = (),
        max_time: float | None = None,
        journal: FilePath | None = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.corruption = corruption
        self.budget = budget
        self.apply_to = apply_to
        self.scoring = scoring
        self.cv = cv
        self.space = space
        self.strategy = strategy
        self.confirm_size = confirm_size
        self.sample_size = sample_size
        self.refit = refit
        self.error_score = error_score
        self.test_corruption = test_corruption
        self.checks = checks
        self.max_time = max_time
        self.journal = journal
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def set_params(self, **params: Any) -> Self:
        """Set parameters of the search, its estimator, space and strategy.

        Parameters
        ----------
        **params : dict
            Parameter names and values.

        Returns
        -------
        self : AdversarialCorruptionSearch
            The search.

        Raises
        ------
        ValueError
            If a parameter of `space` or `strategy` is set where there is no such object.
        """
        for name in ("space", "strategy"):
            nested = [key for key in params if key.startswith(f"{name}__")]
            value = params.get(name, getattr(self, name))
            if nested and not hasattr(value, "set_params"):
                example = "SearchSpace()" if name == "space" else "BeamSearch()"
                raise ValueError(
                    f"{nested[0]} needs an object to be set on, and {name} is {value!r}; pass "
                    f"{name}={example} first."
                )
        return super().set_params(**params)

    @calls_back
    def fit(
        self,
        X: TableLike | FilePath,
        y: ColumnLike | None = None,
        *,
        groups: ColumnLike | None = None,
        key: ColumnLabels | None = None,
        **fit_params: Any,
    ) -> Self:
        """Search for the worst corruption.

        Parameters
        ----------
        X : DataFrame, array, sparse matrix, or table in parts, of shape (n_samples, n_features)
            Clean features. A table in parts need not fit in memory and holds the labels too: a
            polars LazyFrame, a pyarrow Dataset, a Dask DataFrame, a DuckDB relation, the path of a
            Parquet file or of a folder of such. With `apply_to="train"` the search scores
            candidates on `sample_size` of its rows; with "test", for a fitted estimator, what is
            found is what would be in memory.
        y : array-like of shape (n_samples,), str or None, default=None
            Clean labels; of a table in parts the name of their column. None only for a fitted
            estimator with `apply_to="test"`: changed predictions then count.
        groups : array-like of shape (n_samples,) or str, default=None
            Groups for the splitter; rows set aside are whole groups (with `TimeSeriesSplit` where
            groups end in time, else a warning tells). Of a table in parts the name of their
            column, which is no feature then.
        key : str or list of str, default=None
            Columns of a table in parts that tell all rows apart, which are no features then. Rows
            are drawn by them, and come in their order; tables without an order of rows need it.
        **fit_params : dict
            Passed to the estimator's `fit`, or, with metadata routing, to the estimator and the
            scorer; arrays of n_samples entries are cut to the rows used.

        Returns
        -------
        self : AdversarialCorruptionSearch
            The fitted search.

        Raises
        ------
        ValueError
            If something cannot be searched, or `max_time` is over before a candidate was scored.
        """
        with Progress(self.verbose) as progress, failures_to_read():
            return self._fit(X, y, groups, fit_params, progress, key)

    def _fit(
        self,
        X: TableLike | FilePath,
        y: ColumnLike | None,
        groups: ColumnLike | None,
        fit_params: dict[str, Any],
        progress: Progress,
        key: ColumnLabels | None,
    ) -> Self:
        started = time.perf_counter()
        problem = self._prepare(X, y, groups, fit_params, progress, key)
        for name in [*vars(self)]:
            # left by an earlier fit with other parameters
            if name.startswith("confirmed_") or name in PASSING:
                delattr(self, name)
        found = Found()
        try:
            with terminable():
                run_search(
                    problem,
                    found,
                    several_budgets=not isinstance(self.budget, Real),
                    journal=self.journal,
                    refits=self.refit,
                )
        finally:
            # a second signal ends the comparison, and what was found is there
            if found.results:
                self._set_found(found, problem)
        if self.refit:
            self._refit(problem)
        spent = (time.perf_counter() - started) * effective_n_jobs(self.n_jobs)
        self.overhead_ = max(
            0.0, 1.0 - (problem.evaluator.model_seconds + self.screening_time_) / spent
        )
        return self

    def plan(
        self,
        X: TableLike | FilePath,
        y: ColumnLike | None = None,
        *,
        groups: ColumnLike | None = None,
        key: ColumnLabels | None = None,
        **fit_params: Any,
    ) -> Plan:
        """How many candidates a search would score, and how long that takes.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Clean features.
        y : array-like of shape (n_samples,) or None, default=None
            Clean labels; None as in `fit`.
        groups : array-like of shape (n_samples,), default=None
            Groups for the splitter.
        key : str or list of str, default=None
            As in `fit`.
        **fit_params : dict
            Passed to the estimator's `fit`.

        Returns
        -------
        Plan
            Evaluations and fits, at most, and the seconds that are expected: the clean fits, a few
            candidates and a batch on each stand-in are scored to know.
        """
        problem, seconds = timed(lambda: self.lay_out(X, y, groups=groups, key=key, **fit_params))
        return plan_of(problem, refits=self.refit, seconds=seconds, max_time=self.max_time)

    def lay_out(
        self,
        X: TableLike | FilePath,
        y: ColumnLike | None = None,
        *,
        groups: ColumnLike | None = None,
        key: ColumnLabels | None = None,
        **fit_params: Any,
    ) -> Problem:
        """What `fit` begins with, for those who write strategies and look into them.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Clean features.
        y : array-like of shape (n_samples,) or None, default=None
            Clean labels; None as in `fit`.
        groups : array-like of shape (n_samples,), default=None
            Groups for the splitter.
        key : str or list of str, default=None
            As in `fit`.
        **fit_params : dict
            Passed to the estimator's `fit`.

        Returns
        -------
        Problem
            Splits, clean scores, and the `task` that a strategy is given. The search is left as
            it is.
        """
        # this is no beginning of a search that a journal should know of, and nothing that ends it
        own = beside(self, journal=None, max_time=None)
        check_is_estimator(self.estimator)
        self._validate_params()
        with failures_to_read():
            return own._prepare(X, y, groups, fit_params, key=key)

    def _prepare(
        self,
        X: TableLike | FilePath,
        y: ColumnLike | None,
        groups: ColumnLike | None,
        fit_params: dict[str, Any],
        progress: Progress | None = None,
        key: ColumnLabels | None = None,
    ) -> Problem:
        check_is_estimator(self.estimator)
        self._validate_params()
        deadline = Deadline(self.max_time)
        params = self.get_params(deep=False)
        source, parts, seed = as_source(X), None, draw_seed(self.random_state)
        rows: Any = X
        if source is not None and self.apply_to == "train":
            parts = held_rows(source, y, params, fit_params, groups=groups, key=key, seed=seed)
            rows, y, groups = parts.held
        elif key is not None:
            raise ValueError(
                f"key={key!r} is for tables that are read in parts, with apply_to='train'; leave "
                "it out."
            )
        elif source is not None:
            given = {"groups": groups, **fit_params}
            rows, y, params = laid_out_in_parts(source, y, params, given)
        table = check_table(self, rows, reset=True)
        y, params["scoring"] = labels_or_decisions(y, table.source, params)
        settings = checked_settings(params, table, y)
        self.scorer_ = settings.scorer
        y = check_labels(y, self.estimator, table.n_rows, one_class=self._is_served)
        if self.apply_to == "test":
            check_passed(self.estimator, fit_params)
        splitter = splitter_of(self.cv, self.estimator, y)
        to_fit, to_score, to_split = route_parameters(
            self, fit_params, self.estimator, self.scorer_, splitter
        )
        groups = to_split.get("groups", groups)
        check_groups(groups, table.n_rows)
        journal = None if self.journal is None else Journal(self.journal)
        data = FitData(table.source, y, to_fit, to_score, groups, seed)
        if journal is not None:
            told = search_settings(with_model(self.get_params(deep=False)), data)
            data.seed = seed = journal.seed(told, seed, drawn=self.random_state is None)
        problem = prepare(settings, data, journal, deadline, progress)
        if parts is not None and not parts.drawn.whole:
            problem = problem.of_table(parts, journal)
        self.baseline_score_ = problem.baseline
        self._data, self.seed_ = data, seed
        self.search_indices_ = problem.search_rows
        self.splits_ = [(split.train, split.test) for split in problem.splits]
        self._note_data(data.X)
        for name in [name for name in OF_PARTS if hasattr(self, name)]:
            delattr(self, name)
        if parts is not None:
            self.n_rows_, self.sample_indices_ = parts.drawn.n_rows, parts.drawn.positions
        return problem

    def _set_found(self, found: Found, problem: Problem) -> None:
        self.strategy_, self.space_ = problem.settings.strategy, problem.settings.space
        self.metric_name_ = metric_name(problem.settings.scoring, self.estimator)
        self.proxy_, self.proxy_agreement_ = found.told.name, found.told.agreement
        self.proxy_agreements_ = found.told.agreements
        self.screening_time_ = found.told.seconds
        named = ["kind"] if len(problem.settings.templates) > 1 else []
        self.phases_ = pd.DataFrame(found.told.phases, columns=[*named, *PHASE])
        self.certificate_ = found.certificate
        self.worst_corruption_ = found.corruption
        self.worst_pattern_, self.worst_columns_, self._target = None, [], None
        self.worst_score_, self.n_draws_ = self.baseline_score_, 1
        if found.winner is not None:
            chosen = found.winner.candidate
            self.worst_pattern_, self.worst_columns_ = chosen.pattern, list(chosen.columns)
            self.worst_score_, self._target = found.winner.score, chosen.target
            self.n_draws_ = found.winner.n_draws
        self.score_drop_ = self.baseline_score_ - self.worst_score_
        self.cv_results_, self.n_evaluations_ = found.results, len(problem.evaluator.done)
        self.random_score_, self._ended_by = found.random_score, found.ended_by
        # of a search that was one of many, and is another one now
        self.__dict__.pop("_of_every_kind", None)
        self.interrupted_, self._cut_short = bool(found.ended_by), found.cut_short
        self.alternatives_, self._few_draws = found.alternatives, found.few_draws
        self._lucky_alternatives = found.lucky_alternatives
        self._class_struck = class_struck(problem, found.corruption)
        if problem.settings.checks:
            self.detection_ = detection_of(problem, found.winner)
        if found.curve is not None:
            self.budget_curve_ = found.curve
        if found.confirmation is not None:
            self._set_confirmation(found.confirmation)

    @property
    def _is_served(self) -> bool:
        """Whether the estimator is used as it is, and learns nothing of labels."""
        return self.apply_to == "test" and is_fitted(self.estimator)

    @warned_once()
    def confirm(
        self,
        X_test: TableLike | FilePath,
        y_test: ColumnLike,
        *,
        groups: ColumnLike | None = None,
        **score_params: Any,
    ) -> Self:
        """Score the winner on rows of your own, fitting on all rows given to `fit`.

        Parameters
        ----------
        X_test : table of shape (n_test, n_features)
            Clean features. Of a table in parts, such as a polars LazyFrame or the path of a folder
            of Parquet files, at most 100,000 rows are drawn, of which a warning tells.
        y_test : array-like of shape (n_test,) or str
            Clean labels, of a table in parts the name of their column.
        groups : array-like of shape (n_test,), default=None
            Groups that are resampled as a whole.
        **score_params : dict
            Passed to the scorer.

        Returns
        -------
        self : AdversarialCorruptionSearch
            With `confirmed_score_`, `confirmed_baseline_score_` and `confirmed_interval_`.
        """
        check_is_fitted(self, "worst_score_")
        given = {"groups": groups, **score_params}
        X_test, y_test = rows_in_memory(X_test, y_test, self.seed_, given)
        check_table(self, X_test, reset=False)
        n_test = as_table(X_test).n_rows
        y_test = check_labels(y_test, self.estimator, n_test, one_class=self._is_served)
        data = self._data
        n, n_test = as_table(data.X).n_rows, as_table(X_test).n_rows
        check_groups(groups, n_test)
        (split,) = make_splits(
            data.X,
            data.y,
            [(np.arange(n), np.arange(0))],
            spawn_seeds(data.seed, 1, Stream.USERS_SPLIT),
            fit_params=data.fit_params,
        )
        split.test, split.X_test, split.y_test = np.arange(n_test), X_test, y_test
        split.score_params = score_params
        (test_seed,) = spawn_seeds(data.seed, 1, Stream.USERS_TEST_PART)
        rows = corrupt_test_part(split, self.test_corruption, test_seed)
        if self.apply_to == "test":
            give_models(self.estimator, [split], None)
        result = confirm_on(
            self.estimator,
            self.worst_corruption_,
            split,
            self.scorer_,
            n_jobs=self.n_jobs,
            groups=None if groups is None else take_rows(groups, rows),
            apply_to=self.apply_to,
        )
        self._set_confirmation(result)
        return self

    def _set_confirmation(self, result: Confirmation) -> None:
        self.confirmed_score_ = result.score
        self.confirmed_baseline_score_ = result.baseline
        self.confirmed_interval_ = result.interval

    def _refit(self, problem: Problem) -> None:
        X, y, params = self._data.X, self._data.y, self._data.fit_params
        if self.worst_corruption_ is not None and self.apply_to != "test":
            X, y, record = clone(self.worst_corruption_).fit(X, y).corrupt(X, y)
            params = sample_aligned(params, record.sample_indices, record.n_samples_in)
        self.worst_estimator_ = seeded_clone(self.estimator, self._data.seed)
        start = time.perf_counter()
        with handed_on(self, self.worst_estimator_):
            fit_on_copies(self.worst_estimator_, X, y, params)
        problem.evaluator.busy_seconds += time.perf_counter() - start

    def summary(self) -> str:
        """What was found, in a sentence.

        Returns
        -------
        str
            For example "Losing `marital` in 40 % of rows where y == 1: AUC 0.854 → 0.783
            (random 0.853).", and what a condition on the label asks for.
        """
        check_is_fitted(self, "worst_score_")
        found = found_in_words(self)
        return f"{found} {LABEL_READ}" if reads_label(self) else found

    def get_metadata_routing(self) -> MetadataRouter:
        """How parameters such as `sample_weight` go to the estimator, the scorer and the splitter.

        Returns
        -------
        MetadataRouter
            The routing.
        """
        scorer = single_scorer(self.estimator, self.scoring)
        return make_router(self, self.estimator, scorer, splitter_of(self.cv, self.estimator, None))

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
