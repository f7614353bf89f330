"""The search for the parameters of which the worst case is best."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.model_selection import PredefinedSplit
from sklearn.utils import Tags, get_tags
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.validation import check_is_fitted

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.adversarial._confirmation import confirmation_rows
from skcorrupt.adversarial._preflight import NO_BETTER
from skcorrupt.adversarial._problem import DEFAULT_FOLDS, splitter_of
from skcorrupt.adversarial._settings import checked_settings
from skcorrupt.adversarial._template import check_labels
from skcorrupt.attributes import SearchSpace
from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import (
    Journal,
    Plan,
    beside,
    checked_splitter,
    make_router,
    make_splits,
    route_parameters,
    sample_aligned,
    seeded_clone,
    settings_of,
    single_scorer,
    split_indices,
    take_rows,
    terminable,
)
from skcorrupt.evaluation._fitted_results import FittedResults
from skcorrupt.evaluation._holds_data import data_facts
from skcorrupt.metrics import metric_name
from skcorrupt.utils import (
    N_JOBS,
    Target,
    calls_back,
    check_groups,
    check_is_estimator,
    check_table,
    draw_seed,
    fit_on_copies,
    handed_on,
    shorten,
    spawn_seeds,
    telling_bar,
)
from skcorrupt.utils._compat import CallbackSupportMixin, HasMethods, Interval, StrOptions
from skcorrupt.utils._typing import (
    ApplyTo,
    ColumnLike,
    Estimator,
    FilePath,
    Folds,
    RandomState,
    Scoring,
    TableLike,
)

from ._attack import Attack
from ._best_estimator_methods import BestEstimatorMethods
from ._candidates import (
    candidate_results,
    check_given,
    clean_rivals,
    handed_out,
    warn_of_choice,
)
from ._choice_in_words import choice_in_words
from ._choice_layout import ChoiceLayout
from ._choice_plan import choice_plan
from ._fresh_confirmation import Confirming, FreshConfirmation
from ._halving import Halving, Rival
from ._kept_results import CHOICE
from ._left_out import not_foretold
from ._parameter_settings import parameter_settings, with_parameters
from ._shares_of_time import SharesOfTime

# what makes a difference to what is found
SETTINGS = (
    *("estimator", "param_grid", "corruption", "budget", "max_clean_loss", "n_iter"),
    *("apply_to", "scoring", "space", "confirm_size"),
)
# numbers of streams of seeds
GRID, SET_ASIDE, FRESH = range(111, 114)


class RobustSearchCV(
    CallbackSupportMixin, BestEstimatorMethods, FittedResults, MetaEstimatorMixin, BaseEstimator
):
    """Choose parameters by their worst case, at a limited price on clean data.

    `GridSearchCV` takes the parameters that are best on clean data. This takes those that are best
    under the worst realistic error, within a budget, that a search finds against them, among those
    that lose at most `max_clean_loss` on clean data. All candidates are scored on clean data
    first. Those that are left are struck with errors that are hard for the given parameters, a
    third is searched shortly, and three, beside the given parameters, are searched fully, and
    struck with the worst of one another. The choice is then confirmed on rows that took no part.

    An error on which a candidate raises is worse than any on which it scores badly: where another
    candidate takes it, who raises has failed and cannot win, the given parameters included. An
    error on which all raise tells nothing of which is the best. It is left out for all, with a
    warning, and `left_out_` has it. To know, the errors on which a candidate raises, up to three of
    each kind and columns, are tried on all others in the same round.

    Parameters
    ----------
    estimator : estimator
        The pipeline, with the given parameters, which are always a candidate.
    param_grid : dict or list of dict
        Values to try by the names of parameters, as for `GridSearchCV`; with `n_iter`
        distributions, too, as for `RandomizedSearchCV`.
    corruption : BaseCorruption, str or list of these
        The kind of error as a template, its short name, a process, or a list of kinds, as for
        `AdversarialCorruptionSearch`.
    budget : float in (0, 1], default=0.1
        Largest fraction of rows that are struck, in every split.
    max_clean_loss : float, default=0.01
        How much lower than that of the given parameters the mean clean score may be, in units of
        the score.
    n_iter : int or None, default=None
        How many settings are drawn; None takes all of the grid.
    apply_to : {"train", "test", "both"}, default="train"
        Where errors strike: training data, the rows that a model is served, or both.
    scoring : str, callable or None, default=None
        The score; None is the estimator's own. Higher is better.
    cv : int, splitter, iterable of splits or None, default=None
        None is 3 folds, stratified for classifiers.
    space : SearchSpace or None, default=None
        What is plausible; None is `SearchSpace()`.
    confirm_size : float in (0, 1) or None, default=0.25
        Share of the rows set aside, on which the choice is confirmed; None sets none aside.
    refit : bool, default=True
        Whether to fit the pipeline with the best parameters on all rows, clean.
    journal : str, Path or None, default=None
        SQLite file in which every score is kept as soon as it is there: `fit` goes on from there
        after an interruption, or a kill, to the same result. With `random_state=None` the seed is
        kept there too.
    max_time : float or None, default=None
        Seconds until the last full search is to end, of which there are up to eight: of the given
        parameters, of three candidates, and four fresh ones that confirm. Each may take an equal
        share of what is left and then hands back the worst until then, with a warning. What known
        errors do to candidates, and draws that confirm, come on top. None is no limit.
    n_jobs : int or None, default=None
        Number of workers; without `max_time` the result does not depend on it.
    random_state : None, int, RandomState or Generator, default=None
        Source of all seeds. All candidates get the same draws.
    verbose : int, default=0
        1 shows what is done.

    Attributes
    ----------
    best_params_ : dict
        The parameters chosen; of the given ones, those that the grid names.
    best_index_ : int
        Their place in `cv_results_`.
    best_score_, best_clean_score_ : float
        Their worst score and their clean score, means over the splits.
    best_estimator_ : estimator
        The pipeline with them, fitted on all rows; only with `refit=True`.
    worst_corruption_ : BaseCorruption or None
        The worst error found against them; None where none is feasible.
    baseline_params_, baseline_index_ : dict, int
        The given parameters, and their place in `cv_results_`.
    baseline_clean_score_, baseline_worst_score_ : float
        The same scores of the given parameters. The second is NaN where the pipeline as it is
        cannot take the error in any column.
    baseline_worst_corruption_ : BaseCorruption or None
        The worst error found against them.
    confirmed_worst_, baseline_confirmed_worst_ : float
        Scores, on the rows set aside, of the chosen and of the given parameters, each under the
        worse of the errors that fresh searches found against the two. The rows are cut in two
        halves: what searches find on one, and strikes any row of the other, is measured there, by
        20 draws.
    confirmed_gain_ : float
        Their difference; 0 where the given parameters are the best.
    confirmed_gain_interval_ : tuple of float
        95 % bootstrap interval of the gain, paired by rows.
    confirmed_clean_loss_ : float
        What the chosen parameters lose on these rows without errors.
    cv_results_ : dict of ndarray
        A row for each candidate: `params`, `param_NAME`, `mean_clean_score`, `std_clean_score`,
        `splitK_clean_score`, `worst_score`, `worst_corruption`, `n_draws`, `rung` (0: scored on
        clean data; 1: struck with known errors; 2: searched shortly; 3: searched fully), `status`
        ("finalist", "stopped", "ended early", "loses too much on clean data", or "failed: " and
        why), `interrupted` (whether the search was ended before it came to its end, by `max_time`
        too), `rank_worst_score`.
        The worst score is the mean over `n_draws` draws of that error; that of a candidate that
        was stopped is what was found until then: it may be lower, and a single draw may be too
        low. With `apply_to="test"` `n_draws` is 1, too, for a mean over all choices of the rows
        struck, which is known in closed form where the score is a sum over rows. Ranks therefore
        go by rungs first; equal scores of a rung share one, and of these the given parameters are
        chosen, or else what scores best on clean data. Under the names of `GridSearchCV` stands
        what is chosen by, the score under the worst error: `splitK_test_score`, `mean_test_score`
        (the same as `worst_score`; NaN where nothing was searched), `std_test_score` and
        `rank_test_score`. Rows without a worst score have the last rank. `mean_fit_time`,
        `std_fit_time`, `mean_score_time` and `std_score_time` are seconds on clean data.
    left_out_ : DataFrame
        Errors on which all candidates raise that were searched, a row for each kind and columns:
        `corruption`, `columns`, and the first `message`. They count for no score.
    interrupted_ : bool
        Whether Ctrl-C, SIGTERM or a callback ended it early: the candidates that were searched
        until then are compared, and confirmed scores are NaN, as fresh searches would take long.
        Also whether `max_time` ended any search, those that confirm among them.
    scorer_ : callable
        The scorer.
    metric_name_ : str
        What the score is called: "accuracy" or "R²" for the own score of classifiers or regressors.
    splits_ : list of (ndarray, ndarray)
        Training and test rows of every split, as positions among the rows searched.
    n_splits_ : int
        How many.
    search_indices_ : ndarray of int
        Rows searched, those not set aside.
    seed_ : int
        The seed of everything.
    refit_time_ : float
        Seconds of the last fit; only with `refit=True`.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X has any that are all strings.

    Warns
    -----
    UserWarning
        If no other candidate keeps to `max_clean_loss` and takes the errors, so that the given
        parameters win, or if `max_time` ended searches.
    FitFailedWarning
        If candidates fail, on clean data or under an error that another one takes, or if errors on
        which all raise are left out. Where all fail, under errors of different kinds or columns,
        the given parameters stay.

    See Also
    --------
    skcorrupt.AdversarialCorruptionSearch : The worst error of one pipeline.
    make_worst_case_scorer : A worst score for scikit-learn's own searches.

    References
    ----------
    .. [1] Zhu et al., "Stress-Testing ML Pipelines with Adversarial Data Corruption", 2025.
    .. [2] Jamieson and Talwalkar, "Non-stochastic best arm identification and hyperparameter
       optimization", 2016 (successive halving).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcorrupt.adversarial import SearchSpace
    >>> from skcorrupt.robustness import RobustSearchCV
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> search = RobustSearchCV(
    ...     DecisionTreeClassifier(random_state=0),
    ...     {"min_samples_leaf": [1, 3, 10]},
    ...     "scale",
    ...     budget=0.2,
    ...     max_clean_loss=0.05,
    ...     apply_to="test",
    ...     space=SearchSpace(max_conditions=1),
    ...     random_state=0,
    ... ).fit(X, y)
    >>> sorted(search.cv_results_["param_min_samples_leaf"].tolist())
    [1, 3, 10]
    >>> search.best_score_ >= search.baseline_worst_score_
    True
    """

    _first_results = ("best_params_", "cv_results_")
    _expected_results = CHOICE
    _models_in = ("best_estimator_",)
    _settings = (SearchSpace,)

    _parameter_constraints: dict[str, Any] = {
        "estimator": [HasMethods("fit")],
        "param_grid": [dict, list, tuple],
        "corruption": "no_validation",
        "budget": [Interval(Real, 0, 1, closed="right")],
        "max_clean_loss": [Interval(Real, 0, None, closed="left")],
        "n_iter": [Interval(Integral, 1, None, closed="left"), None],
        "apply_to": [StrOptions({"train", "test", "both"})],
        "scoring": "no_validation",
        "cv": "no_validation",
        "space": [SearchSpace, None],
        "confirm_size": [Interval(Real, 0, 1, closed="neither"), None],
        "refit": ["boolean"],
        "journal": [str, os.PathLike, None],
        "max_time": [Interval(Real, 0, None, closed="neither"), None],
        "n_jobs": N_JOBS,
        "random_state": "no_validation",
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        estimator: Estimator,
        param_grid: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        corruption: BaseCorruption | str | Sequence[BaseCorruption | str],
        *,
        budget: float = 0.1,
        max_clean_loss: float = 0.01,
        n_iter: int | None = None,
        apply_to: ApplyTo = "train",
        scoring: Scoring = None,
        cv: Folds = None,
        space: SearchSpace | None = None,
        confirm_size: float | None = 0.25,
        refit: bool = True,
        journal: FilePath | None = None,
        max_time: float | None = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.corruption = corruption
        self.budget = budget
        self.max_clean_loss = max_clean_loss
        self.n_iter = n_iter
        self.apply_to = apply_to
        self.scoring = scoring
        self.cv = cv
        self.space = space
        self.confirm_size = confirm_size
        self.refit = refit
        self.journal = journal
        self.max_time = max_time
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @calls_back
    def fit(
        self,
        X: TableLike,
        y: ColumnLike | None = None,
        *,
        groups: ColumnLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Choose the parameters.

        Parameters
        ----------
        X : DataFrame, array or sparse matrix of shape (n_samples, n_features)
            Clean features.
        y : array-like of shape (n_samples,)
            Clean labels.
        groups : array-like of shape (n_samples,), default=None
            Groups for the splitter; rows set aside are whole groups, as in a search.
        **fit_params : dict
            Passed to the estimator's `fit`, or, with metadata routing, to the estimator and the
            scorer; arrays of n_samples entries are cut to the rows used.

        Returns
        -------
        self : RobustSearchCV
            The fitted search.

        Raises
        ------
        ValueError
            If something cannot be searched, or the given parameters have no clean score, or
            `max_time` was over before anything was found.
        """
        check_is_estimator(self.estimator)
        self._validate_params()
        for name in [*vars(self)]:
            # left by an earlier fit with other parameters
            if name.startswith(("confirmed_", "baseline_confirmed_", "best_estimator_")):
                delattr(self, name)
        laid = self._lay_out(X, y, groups, fit_params)
        shares = SharesOfTime(self.max_time, self._n_fresh + laid.n_full)
        with telling_bar(None, self.verbose, "Candidates scored clean") as bar:
            bar.total = len(laid.settings) * len(laid.parts)
            rivals = clean_rivals(
                self.estimator, laid.settings, laid.parts, self.scorer_,
                journal=laid.journal, n_jobs=self.n_jobs, done=bar.update,
            )  # fmt: skip
            check_given(rivals[laid.given])

            # a step takes from milliseconds to minutes: how many are left tells no time
            bar.total = None
            steps = itertools.count(1)

            def tell(what: str) -> None:
                most = contest.most_steps + (self.confirm_size is not None)
                step = f"step {next(steps)} of at most {most}"
                bar.set_description(f"{what[:1].upper()}{what[1:]}, {step}")
                bar.update()

            contest = Halving(
                rivals, rivals[laid.given], lambda rival: self._attack_on(rival.index, laid),
                float(self.max_clean_loss), tell, shares, self.journal,
            )  # fmt: skip
            with terminable():
                best = contest.run()
            self._set_results(contest, best)
            if self.confirm_size is not None:
                self._set_confirmed(FreshConfirmation())
            if self.confirm_size is not None and not contest.interruption.causes:
                tell("confirming")
                shares.to_come = self._n_fresh // (1 if best is not contest.given else 2)
                with terminable(), contest.interruption.ends(_interrupted):
                    self._confirm(laid, shares, contest, best)
                self.interrupted_ = bool(contest.interruption.causes)
        self.interrupted_ |= shares.n_ended > 0
        shares.warn_of_ended()
        if self.refit:
            started = time.perf_counter()
            made = with_parameters(self.estimator, best.params)
            self.best_estimator_ = seeded_clone(made, laid.seed)
            with handed_on(self, self.best_estimator_):
                fit_on_copies(self.best_estimator_, laid.table.source, laid.y, laid.to_fit)
            self.refit_time_ = time.perf_counter() - started
        return self

    def plan(
        self,
        X: TableLike,
        y: ColumnLike | None = None,
        *,
        groups: ColumnLike | None = None,
        **fit_params: Any,
    ) -> Plan:
        """How many errors candidates would be struck with, and how long that takes.

        Parameters
        ----------
        X : DataFrame, array or sparse matrix of shape (n_samples, n_features)
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
            Errors and fits, at most, and the seconds that are expected. The given parameters are
            scored on clean data and under a few errors to know; candidates that take longer, such
            as larger forests, are taken to be like them.

        Raises
        ------
        ValueError
            If something cannot be searched, or no candidate can take the error.
        """
        check_is_estimator(self.estimator)
        self._validate_params()
        own = beside(self, journal=None)
        started = time.perf_counter()
        laid = own._lay_out(X, y, groups, fit_params)
        return choice_plan(
            own._first_that_can_be_attacked(laid),
            len(laid.settings),
            n_full=laid.n_full,
            n_fresh=self._n_fresh,
            refits=self.refit,
            seconds=time.perf_counter() - started,
            max_time=self.max_time,
        )

    @property
    def _n_fresh(self) -> int:
        """Most searches that confirm the choice: of two pipelines on two halves."""
        return 0 if self.confirm_size is None else 4

    def _lay_out(
        self,
        X: TableLike,
        y: ColumnLike | None,
        groups: ColumnLike | None,
        fit_params: dict[str, Any],
    ) -> ChoiceLayout:
        """Check what was given, and draw rows and splits."""
        table = check_table(self, X, reset=True)
        X = table.source
        if y is None:
            raise ValueError("RobustSearchCV requires y to be passed, but the target y is None.")
        # what the searches would refuse is refused before anything is fitted
        probe = self._search(self.estimator, None, 0)
        probe._validate_params()
        settled = checked_settings(probe.get_params(deep=False), table, y)
        self.scorer_ = settled.scorer
        y = check_labels(y, self.estimator, table.n_rows)
        self._data_facts, self._left_out = data_facts(X), ""
        splitter = splitter_of(self.cv, self.estimator, y)
        to_fit, to_score, to_split = route_parameters(
            self, fit_params, self.estimator, self.scorer_, splitter
        )
        groups = to_split.get("groups", groups)
        check_groups(groups, table.n_rows)
        passed = {n: v for n, v in fit_params.items() if n in to_fit or n in to_score}
        seed, journal = self._seeded(X, y, groups, fit_params)
        settings, given = parameter_settings(
            self.estimator, self.param_grid, self.n_iter, spawn_seeds(seed, 1, GRID)[0]
        )
        rows, aside = self._set_aside(y, groups, table.n_rows, seed)
        here = take_rows(groups, rows)
        X_here, y_here = table.take(rows), take_rows(y, rows)
        given_cv = DEFAULT_FOLDS if self.cv is None else self.cv
        splitter = checked_splitter(given_cv, y_here, classifier=settled.classifier)
        splits = split_indices(given_cv, splitter, X_here, y_here, len(rows), groups=here)
        self.seed_, self.search_indices_ = seed, rows
        self.splits_, self.n_splits_ = splits, len(splits)
        if journal is not None:
            journal.begin(self.cv, splits)
        cut_fit, cut_score, cut_passed = (
            sample_aligned(params, rows, table.n_rows) for params in (to_fit, to_score, passed)
        )
        parts = make_splits(
            X_here, y_here, splits, spawn_seeds(seed, len(splits)),
            fit_params=cut_fit, score_params=cut_score,
        )  # fmt: skip
        return ChoiceLayout(
            table, y, groups, to_fit, to_score, passed, seed, journal, settings, given,
            rows, aside, X_here, y_here, cut_passed, parts,
        )  # fmt: skip

    def _first_that_can_be_attacked(self, laid: ChoiceLayout) -> Attack:
        """The search on the given parameters, or where these cannot take the error on others."""
        others = [index for index in range(len(laid.settings)) if index != laid.given]
        refused: list[ValueError] = []
        for index in (laid.given, *others):
            try:
                return self._attack_on(index, laid)
            except ValueError as error:
                refused.append(error)
        raise ValueError(
            f"No candidate can take the error; of the given parameters: {refused[0]}"
        ) from refused[0]

    def _attack_on(self, index: int, laid: ChoiceLayout) -> Attack:
        """The search on a candidate."""
        made = with_parameters(self.estimator, laid.settings[index])
        search = self._search(made, self.splits_, laid.seed)
        who = "Given parameters" if index == laid.given else f"Candidate {index}"
        with not_foretold():
            return Attack.on(search, laid.X_here, laid.y_here, laid.cut_passed, self.verbose, who)

    def _search(self, estimator: Estimator, cv: Any, seed: int) -> AdversarialCorruptionSearch:
        """The search for the worst error of a candidate."""
        return AdversarialCorruptionSearch(
            estimator,
            self.corruption,
            budget=self.budget,
            apply_to=self.apply_to,
            scoring=self.scoring,
            cv=cv,
            space=self.space,
            confirm_size=None,
            journal=self.journal,
            n_jobs=self.n_jobs,
            random_state=seed,
        )

    def _seeded(
        self, X: TableLike, y: ColumnLike, groups: ColumnLike | None, fit_params: dict[str, Any]
    ) -> tuple[int, Journal | None]:
        """The seed, which a journal keeps."""
        seed = draw_seed(self.random_state)
        if self.journal is None:
            return seed, None
        params = {name: getattr(self, name) for name in SETTINGS}
        of_rows = {"system": "robust search", "fit parameters": fit_params}
        told = settings_of(X, y, groups, params, of_rows)
        journal = Journal(self.journal)
        return journal.seed(told, seed, drawn=self.random_state is None), journal

    def _set_aside(
        self, y: ColumnLike, groups: ColumnLike | None, n_rows: int, seed: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rows of the contest, and rows to confirm on."""
        if self.confirm_size is None:
            return np.arange(n_rows), np.arange(0)
        fixed = self.cv is not None and not isinstance(self.cv, Integral)
        if isinstance(self.cv, PredefinedSplit) or (fixed and not hasattr(self.cv, "split")):
            raise ValueError(
                f"cv={shorten(self.cv, 80)} fixes the rows of every split, so none can be set "
                "aside to confirm on; pass confirm_size=None, or a number of folds."
            )
        (drawn,) = spawn_seeds(seed, 1, SET_ASIDE)
        size = float(self.confirm_size)
        return confirmation_rows(self.cv, self.estimator, Target(y), groups, size, drawn)

    def _set_results(self, contest: Halving, best: Rival) -> None:
        rivals, given = contest.rivals, contest.given
        self.interrupted_ = bool(contest.interruption.causes)
        if best.failed and not np.isfinite(best.worst_score):
            raise ValueError(
                f"No candidate can take the error; of the given parameters: {best.status}"
            )
        self.left_out_: pd.DataFrame = contest.left_out()
        warn_of_choice(rivals, given, best, self.left_out_, self.max_clean_loss)
        self.metric_name_ = metric_name(self.scoring, self.estimator)
        self.best_index_, self.best_params_ = best.index, best.params
        self.best_score_, self.best_clean_score_ = best.worst_score, best.clean_score
        self.worst_corruption_ = handed_out(best, self.seed_)
        self.baseline_index_, self.baseline_params_ = given.index, given.params
        self.baseline_clean_score_ = given.clean_score
        self.baseline_worst_score_ = given.worst_score
        self.baseline_worst_corruption_ = handed_out(given, self.seed_)
        self.cv_results_ = candidate_results(rivals, contest.ranks(), self.seed_)

    def _confirm(
        self, laid: ChoiceLayout, shares: SharesOfTime, contest: Halving, best: Rival
    ) -> None:
        """Attack the choice, and what was given, by fresh searches on rows that took no part."""

        def fresh(estimator: Estimator, some: np.ndarray, cv: Any) -> Attack:
            search = self._search(estimator, cv, spawn_seeds(laid.seed, 1, FRESH)[0])
            params = sample_aligned(laid.passed, some, laid.table.n_rows)
            # of so few rows a constant may be as good by chance
            with not_foretold(NO_BETTER):
                X, y = laid.table.take(some), take_rows(laid.y, some)
                return Attack.on(search, X, y, params, self.verbose, "Confirming")

        confirming = Confirming(
            laid.table.source, laid.y, laid.to_fit, laid.to_score, laid.groups, laid.rows,
            laid.aside, self.cv, self.scorer_, self.apply_to, fresh, shares,
            [*contest.pool.values()], self.n_jobs, laid.seed,
            {*zip(self.left_out_["corruption"], self.left_out_["columns"], strict=True)},
        )  # fmt: skip
        chosen = with_parameters(self.estimator, best.params)
        original = None
        if best is not contest.given:
            original = with_parameters(self.estimator, contest.given.params)
        self._set_confirmed(confirming.confirm(chosen, original))

    def _set_confirmed(self, found: FreshConfirmation) -> None:
        self.confirmed_worst_, self.confirmed_gain_ = found.worst, found.gain
        self.confirmed_gain_interval_ = found.interval
        self.baseline_confirmed_worst_ = found.baseline_worst
        self.confirmed_clean_loss_ = found.baseline_clean - found.clean

    def summary(self) -> str:
        """What was chosen, what it costs and what it gains, in a sentence.

        Returns
        -------
        str
            For example "C=0.01, of 6 candidates: accuracy 0.963 → 0.958 on clean data; under the
            worst of missing values in up to 10 % of rows 0.870 → 0.893; on rows not searched
            0.861 → 0.889, a gain of 0.028 (0.003 to 0.061).".
        """
        check_is_fitted(self, "cv_results_")
        return choice_in_words(self)

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
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags = inner.classifier_tags
        tags.regressor_tags = inner.regressor_tags
        tags.input_tags = inner.input_tags
        tags.target_tags.required = True
        return tags


def _interrupted(cause: str) -> str:
    """What is said of a finished search whose confirmation was ended early."""
    return (
        f"The search was ended by {cause} while the choice was confirmed, so confirmed scores are "
        "NaN. A second fit has them."
    )
