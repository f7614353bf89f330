"""How the performance of models moves as each error grows."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit, StratifiedShuffleSplit
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import (
    Journal,
    Outcome,
    Plan,
    beside,
    checked_splitter,
    going_on,
    run_until_stopped,
    settings_of,
    single_scorer,
    split_indices,
)
from skcorrupt.evaluation._holds_data import HoldsData
from skcorrupt.evaluation._sampled_rows import rows_in_memory
from skcorrupt.evaluation._scores_of_classes import with_remedy
from skcorrupt.metrics import metric_name
from skcorrupt.utils import (
    LARGEST,
    N_JOBS,
    as_table,
    calls_back,
    check_table,
    check_target,
    draw_seed,
    is_finite_number,
    named_estimators,
    spawn_seeds,
    telling_bar,
    warn,
)
from skcorrupt.utils._as_text import counted
from skcorrupt.utils._compat import CallbackSupportMixin, Interval, StrOptions
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

from ._checks import MOST_FEATURES, check_labels, check_max_features, checked_levels
from ._in_words import failed_in_words, found_in_words
from ._kept_results import RESULTS
from ._profiles import profiles_of
from ._ranking import ranking_of
from ._scenario import (
    STRATEGIES,
    check_errors,
    empty_columns,
    named_corruptions,
    scenarios_of,
    struck_columns,
)
from ._screening import SCREENINGS, screened
from ._study import BASELINE, Key, Model, Study, run_scenario

# what tells a study from others in a journal; splits and the seed are told apart by themselves
SETTINGS = ("strategy", "levels", "scoring", "correlation_threshold", "screening", "max_features")
TEST_SIZE = 0.2
FITS = "fits"
# repeats of which nothing could be scored, after which nothing of the others is expected to be
HOPELESS = 3
SCORER, SPLITTER = "scorer of {}", "the splitter"


class ErrorSensitivityProfiler(CallbackSupportMixin, HoldsData, MetaEstimatorMixin, BaseEstimator):
    """Measure how the performance of models moves as each error grows.

    Training data is corrupted at growing rates, test data stays clean; the same repeats, splits
    and seeds are used without and with errors, so that scores are paired. The error sensitivity
    profile [1]_ of a model and a scenario is its error performance correlation (EPC), the mean
    change of its score from no errors to the highest level, that is the area between the curve and
    its baseline over that level, as a share of the score without errors (AEPC), and the slopes of
    its regimes. A fitted profiler holds the data, for `cleaning_priorities`, and so do its pickles;
    `drop_data` lets go of it.

    Parameters
    ----------
    estimators : estimator, or mapping of str to estimator
        The models; pipelines take the data as they are.
    corruptions : BaseCorruption, list or mapping of str to BaseCorruption
        The errors. Columns that one names are those it may strike; its rate is set by `levels`
        and should be left out. Members of a process all get the rate, whatever their own.
    strategy : {"one-feature", "correlated", "custom"}, default="one-feature"
        What is struck together: each column by itself, columns that go together, or what each
        corruption names.
    levels : sequence of float, default=(0, 0.2, 0.4, 0.6, 0.8)
        Rates, growing from 0.
    n_repeats : int, default=30
        Splits into training and test data that are drawn with `cv=None`; not used with another.
    scoring : str, callable or None, default=None
        Performance, larger is better; None is each model's own score.
    cv : int, splitter, iterable of splits or None, default=None
        Each split is a repeat. None is `n_repeats` random ones, 80 % to train on and 20 % to test
        on, with the same share of every class, or, where groups are given, with whole groups.
    correlation_threshold : float in (0, 1], default=0.8
        With "correlated", the association from which columns go together.
    alpha : float in (0, 1), default=0.05
        False discovery rate over all models and scenarios (Benjamini and Hochberg, which assumes
        tests that are independent or positively dependent; `stats.adjusted_pvalues` has others).
    tau : float, default=0.05
        Size of AEPC, as a fraction, above which a significant profile is `significant`.
    error_score : nan or "raise", default=nan
        What happens when a fit fails: it is a row without a score, or the error is raised.
    screening : {"importance", "variance", "association"} or None, default=None
        Which columns are studied where there are many: those of the largest importance in a
        random forest (mean decrease of impurity), of the largest variance (numbers scaled to
        [0, 1]; half the chance that two categories differ), or of the largest association with
        the labels. None studies all; "custom" strategies name their columns themselves.
    max_features : int, default=20
        With `screening`, how many; without it, another number than the default is refused.
    journal : str, Path or None, default=None
        An SQLite file that keeps every finished fit, so that an interrupted study goes on.
    n_jobs : int or None, default=None
        Number of workers; the result does not depend on it.
    random_state : None, int, RandomState or Generator, default=None
        Source of splits, errors and every unset seed of the models.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    curves_ : DataFrame
        One row per model, scenario, repeat and level: `model, corruption, features, repeat, level,
        score, error`.
    profiles_ : DataFrame
        One row per model and scenario: `model, corruption, features`, means over repeats of
        `baseline, epc, aepc` with 95 % intervals `_low, _high`, `epc_of_mean` (of the mean curve),
        `area` (not divided by the baseline), `slopes` with `slopes_low, slopes_high` in the
        `regimes` of the mean curve, `p_value` (the corrected test of Nadeau and Bengio [2]_, the
        highest level against none, which allows for rows that repeats share), `p_adjusted` (for
        the number of models and scenarios), `significant` (`p_adjusted` is at most `alpha` and the
        size of `aepc` above `tau`), `p_wilcoxon` (Wilcoxon's test of the same, as in [1]_, which
        takes repeats for independent and finds too much), `n_defined`, `flags`.
    runs_ : DataFrame
        One row per model, scenario and repeat: `epc, aepc, area, slopes` of its own curve, the
        slopes in the regimes of the mean curve.
    screening_ : DataFrame
        With `screening`: `feature, value, kept`, one row per column, the best first.
    metric_name_ : str
        What the score is called: "accuracy" or "R²" for the own score of classifiers or regressors.
    n_fits_ : int
        Number of fits, those taken from the journal left out.
    interrupted_ : bool
        Whether Ctrl-C, SIGTERM or a callback ended the profile early: it is then of the repeats
        until that moment.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if they have string names.

    References
    ----------
    .. [1] "Measuring the Sensitivity of Classification Models with the Error Sensitivity Profile".
    .. [2] C. Nadeau, Y. Bengio, Inference for the generalization error, Machine Learning 52, 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcorrupt import CorruptNoise
    >>> from skcorrupt.sensitivity import ErrorSensitivityProfiler
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> X = X[["worst area", "worst texture", "mean symmetry"]]
    >>> profiler = ErrorSensitivityProfiler(
    ...     GaussianNB(), corruptions=CorruptNoise(scale=3.0), n_repeats=10, random_state=0
    ... ).fit(X, y)
    >>> profiler.profiles_[["features", "epc", "aepc", "significant"]].round(2)
            features   epc  aepc  significant
    0     worst area  0.87 -0.14         True
    1  worst texture  0.50 -0.01        False
    2  mean symmetry  0.46 -0.00        False
    """

    _first_results = ("curves_", "profiles_", "runs_")
    _expected_results = RESULTS
    _private_results = ("_studied",)
    _rows_in = ("_data",)

    _parameter_constraints: dict[str, Any] = {
        "estimators": "no_validation",
        "corruptions": "no_validation",
        "strategy": [StrOptions(set(STRATEGIES))],
        "levels": ["array-like"],
        "n_repeats": [Interval(Integral, 1, 10**6, closed="both")],
        "scoring": "no_validation",
        "cv": "no_validation",
        "correlation_threshold": [Interval(Real, 0, 1, closed="right")],
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "tau": [Interval(Real, 0, LARGEST, closed="both")],
        "error_score": [StrOptions({"raise"}), "nan"],
        "screening": [StrOptions(set(SCREENINGS)), None],
        "max_features": [Interval(Integral, 1, None, closed="left")],
        "journal": [str, os.PathLike, None],
        "n_jobs": N_JOBS,
        "random_state": "no_validation",
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        estimators: Estimator | Sequence[Estimator] | Mapping[str, Estimator],
        *,
        corruptions: BaseCorruption | Sequence[Any] | Mapping[str, BaseCorruption],
        strategy: Literal["one-feature", "correlated", "custom"] = "one-feature",
        levels: Sequence[float] | np.ndarray = (0, 0.2, 0.4, 0.6, 0.8),
        n_repeats: int = 30,
        scoring: Scoring = None,
        cv: Folds = None,
        correlation_threshold: float = 0.8,
        alpha: float = 0.05,
        tau: float = 0.05,
        error_score: ErrorScore = np.nan,
        screening: Literal["importance", "variance", "association"] | None = None,
        max_features: int = MOST_FEATURES,
        journal: FilePath | None = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.estimators = estimators
        self.corruptions = corruptions
        self.strategy = strategy
        self.levels = levels
        self.n_repeats = n_repeats
        self.scoring = scoring
        self.cv = cv
        self.correlation_threshold = correlation_threshold
        self.alpha = alpha
        self.tau = tau
        self.error_score = error_score
        self.screening = screening
        self.max_features = max_features
        self.journal = journal
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def plan(
        self,
        X: TableLike | FilePath,
        y: ColumnLike | None = None,
        *,
        groups: ColumnLike | None = None,
        **fit_params: Any,
    ) -> Plan:
        """What `fit` will take, whatever a journal has of it already.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The clean data.
        y : array-like of shape (n_samples,), default=None
            Labels.
        groups : array-like of shape (n_samples,), default=None
            Groups for the splitter.
        **fit_params : dict
            As of `fit`.

        Returns
        -------
        Plan
            Scenarios, fits and seconds, from one fit of every model on clean data, which is made.
        """
        self._validate_params()
        alone = clone(beside(self, journal=None))
        rows, y = rows_in_memory(X, y, self.random_state, {"groups": groups, **fit_params})
        table = check_table(alone, rows, reset=True)
        study = alone._study(table.source, y, groups, fit_params)
        seconds = []
        for name in study.models:
            task = study.task(0, BASELINE, 0.0, [name], self.error_score)
            (outcome,) = run_scenario(*task).values()
            seconds.append(outcome.seconds)
            if outcome.error:
                warn(
                    f"estimators: {name!r} fails without errors ({outcome.error}); mend it or "
                    "leave it out."
                )
        n_scenarios = len(study.scenarios)
        n_evaluations = len(study.models) * (1 + n_scenarios * (len(study.levels) - 1))
        return Plan(
            n_scenarios,
            n_evaluations,
            n_evaluations * len(study.splits),
            float(np.mean(seconds)),
            effective_n_jobs(self.n_jobs),
            f"evaluations of {counted(n_scenarios, 'scenario')}",
        )

    @calls_back
    def fit(
        self,
        X: TableLike | FilePath,
        y: ColumnLike | None = None,
        *,
        groups: ColumnLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Fit all models on clean and on corrupted data.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The clean data. Of a table in parts, such as a polars LazyFrame or the path of a folder
            of Parquet files, at most 100,000 rows are drawn, of which a warning tells.
        y : array-like of shape (n_samples,) or str, default=None
            Labels, of a table in parts the name of their column.
        groups : array-like of shape (n_samples,), default=None
            Groups for the splitter.
        **fit_params : dict
            Passed to `fit` of every model, or, with metadata routing, to the models, the scorers
            and the splitter that ask for them; arrays of n_samples entries are cut to the rows
            used.

        Returns
        -------
        self : ErrorSensitivityProfiler
            With `curves_` and `profiles_`. It holds the rows of the first repeat, and so does its
            pickle, for `cleaning_priorities`.

        Raises
        ------
        ValueError
            If there is no scenario, a corruption has a rate or a pattern that no row matches,
            levels do not grow from 0, or nothing could be scored.
        """
        self._validate_params()
        rows, y = rows_in_memory(X, y, self.random_state, {"groups": groups, **fit_params})
        table = check_table(self, rows, reset=True)
        study = self._study(table.source, y, groups, fit_params)
        if len(study.splits) == 1:
            warn("With one split nothing can be tested; raise n_repeats, or pass cv with several.")
        outcomes, cause = self._run(study)
        self.interrupted_ = bool(cause)
        if cause:
            study = self._cut(study, outcomes, cause)
        self.curves_ = study.curves(outcomes)
        if self.curves_["score"].isna().all():
            raise _nothing_scored(self.curves_["error"].iloc[0], study.y)
        _warn_of_failures(outcomes, study)
        models = named_estimators(self.estimators).values()
        self.metric_name_ = metric_name(self.scoring, *models)
        ratios = [len(test) / len(train) for train, test in study.splits]
        self.profiles_, self.runs_ = profiles_of(
            self.curves_, self.alpha, self.tau, float(np.mean(ratios))
        )
        self._studied = sorted({str(name) for each in study.scenarios for name in each.features})
        self._note_data(table.source)
        # cleaning_priorities needs no more, and should not see what becomes of the data later
        self._data = study.of_first_repeat()
        return self

    def significant(self, alpha: float | None = None, tau: float | None = None) -> pd.DataFrame:
        """Profiles of errors that matter.

        Parameters
        ----------
        alpha : float or None, default=None
            False discovery rate; None is that of the profiler.
        tau : float or None, default=None
            Size of AEPC above which they matter; None is that of the profiler.

        Returns
        -------
        DataFrame
            Rows of `profiles_`, the largest losses first.
        """
        check_is_fitted(self, "profiles_")
        alpha, tau = self.alpha if alpha is None else alpha, self.tau if tau is None else tau
        right = is_finite_number(alpha) and 0 < alpha <= 1 and is_finite_number(tau) and tau >= 0
        if not right:
            raise ValueError(
                f"alpha={alpha!r} should be above 0 and at most 1, and tau={tau!r} 0 or more, such "
                "as alpha=0.05 and tau=0.05."
            )
        frame = self.profiles_
        chosen = frame[(frame["p_adjusted"] <= alpha) & (frame["aepc"].abs() > tau)]
        return chosen.sort_values("aepc", kind="stable")

    def summary(self) -> str:
        """What was found, in a few sentences; models that fail with errors come first.

        Returns
        -------
        str
            How many of the errors matter, and which one costs most.

        Raises
        ------
        NotFittedError
            If the profiler is not fitted.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skcorrupt import CorruptNoise, ErrorSensitivityProfiler
        >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
        >>> X = X[["worst area", "worst texture", "mean symmetry"]]
        >>> profiler = ErrorSensitivityProfiler(
        ...     GaussianNB(), corruptions=CorruptNoise(scale=3.0), n_repeats=10, random_state=0
        ... ).fit(X, y)
        >>> print(profiler.summary())
        3 pairs of a model and an error were studied; in 1 of them the error matters: the change is
        more than noise, and larger than 5 % of the accuracy on average. The largest loss: noisy
        values in `worst area` change the accuracy of `GaussianNB`, 0.936 on clean data, by
        -14.4 % on average over the levels (95 % interval -15.6 % to -13.3 %), which matters.
        """
        check_is_fitted(self, "profiles_")
        n_repeats = self.curves_["repeat"].nunique()
        found = failed_in_words(self.curves_)
        found += found_in_words(self.profiles_, self.alpha, self.tau, self.metric_name_, n_repeats)
        if getattr(self, "interrupted_", False):
            found.append(f"The study was ended early after {counted(n_repeats, 'repeat')}.")
        return " ".join(found)

    def cleaning_priorities(self) -> pd.DataFrame:
        """Columns by how much models lose when they are wrong, beside their importance.

        Returns
        -------
        DataFrame
            One row per model and column, the largest loss first: `loss` (minus the least AEPC of
            errors on the column alone; NaN, on top, where an error keeps the model from being
            fitted), the `corruption` that it is of, `significant`, and the permutation
            `importance`: what shuffling the column costs, in units of the score, on clean test
            data of the first repeat, mean of five shuffles. Errors on several columns together
            have no row.
        """
        check_is_fitted(self, "profiles_")
        # columns may be called as errors of rows are, or as several columns together
        alone = {
            (each.name, each.label): each.features[0]
            for each in self._data.scenarios
            if len(each.features) == 1 and each.corruption.strikes == "cells"
        }
        errors = [*zip(self.profiles_["corruption"], self.profiles_["features"], strict=True)]
        worst = self.profiles_[[error in alone for error in errors]]
        worst = worst.assign(feature=[alone[error] for error in errors if error in alone])
        # what breaks a model is worse than any loss
        worst = worst.sort_values("aepc", na_position="first", kind="stable")
        worst = worst.drop_duplicates(["model", "features"]).reset_index(drop=True)
        importance = {model: self._data.importance(model) for model in worst["model"].unique()}
        pairs = zip(worst["model"], worst["feature"], strict=True)
        shuffled = [importance[model][feature] for model, feature in pairs]
        columns = ["model", "feature", "loss", "corruption", "significant", "importance"]
        return worst.assign(loss=0.0 - worst["aepc"], importance=shuffled)[columns]

    def model_ranking(self) -> pd.DataFrame:
        """Models by how little they lose, beside how well they do.

        Returns
        -------
        DataFrame
            One row per model, the smallest loss first, models that some error keeps from being
            fitted after all others: `model`, `baseline`, `score` (mean over errors and levels above
            0), `loss` (minus the mean AEPC) with a 95 % interval `loss_low, loss_high` over
            repeats, the number of `profiles`, how many of them have `failed`, and how many are
            `significant_losses` or `significant_gains`, and `worst_loss` with the error it is of,
            `worst_corruption, worst_features`. `score` and `loss` are over errors that no model
            failed on. A model that is no better than chance loses nothing: read `loss` beside
            `score`.
        """
        check_is_fitted(self, "profiles_")
        return ranking_of(self.curves_, self.profiles_, self.runs_)

    def get_metadata_routing(self) -> MetadataRouter:
        """How parameters such as `sample_weight` go to the models, the scorers and the splitter.

        Returns
        -------
        MetadataRouter
            The routing.
        """
        router = MetadataRouter(owner=self)
        for name, model in named_estimators(self.estimators).items():
            router.add(
                method_mapping=MethodMapping().add(caller="fit", callee="fit"), **{name: model}
            )
            scorer = {SCORER.format(name): single_scorer(model, self.scoring)}
            router.add(method_mapping=MethodMapping().add(caller="fit", callee="score"), **scorer)
        if self.cv is not None:
            splitter = checked_splitter(self.cv, None, classifier=False)
            to_split = MethodMapping().add(caller="fit", callee="split")
            router.add(method_mapping=to_split, **{SPLITTER: splitter})
        return router

    def _routed(self, params: dict[str, Any]) -> Mapping[str, Mapping[str, Any]]:
        """Parameters for `fit` of models, for scorers and for the splitter, by their names."""
        if not params or not get_config()["enable_metadata_routing"]:
            return defaultdict(dict, dict.fromkeys(named_estimators(self.estimators), params))
        routed = process_routing(self, "fit", **params)
        return defaultdict(dict, {name: next(iter(each.values())) for name, each in routed.items()})

    def _study(
        self,
        X: TableLike,
        y: ColumnLike | None,
        groups: ColumnLike | None,
        fit_params: dict[str, Any],
    ) -> Study:
        """Lay out the study, and take its seed from the journal where there is one."""
        levels = checked_levels(self.levels)
        check_max_features(self.max_features, self.screening)
        estimators = named_estimators(self.estimators)
        seed = draw_seed(self.random_state)
        table = as_table(X)
        target = check_target(y, table.n_rows)
        classes = target is not None and all(map(is_classifier, estimators.values()))
        if target is not None:
            check_labels(
                target.values, classes, in_both=classes and self.cv is None and groups is None
            )
        check_errors(self.corruptions, table, target)
        given = None
        if self.cv is not None:
            given = checked_splitter(self.cv, y, classifier=classes)
        routed = self._routed(fit_params)
        models = {
            name: Model(
                estimator,
                single_scorer(estimator, self.scoring),
                routed[name],
                routed[SCORER.format(name)],
            )
            for name, estimator in estimators.items()
        }
        empty = empty_columns(self.corruptions, table)
        journal = None
        if self.journal is not None:
            params = {name: getattr(self, name) for name in SETTINGS}
            params |= {"estimators": estimators, "corruptions": named_corruptions(self.corruptions)}
            of_rows = {"system": "profile", "fit parameters": fit_params}
            # fits are kept by the places of their scenarios
            of_rows |= {"without a value": empty} if empty else {}
            settings = settings_of(X, y, groups, params, of_rows)
            journal = Journal(self.journal)
            seed = journal.seed(settings, seed, drawn=self.random_state is None)
        kept = None
        if self.screening is not None:
            self.screening_ = self._screened(X, y, seed, classes)
            kept = set(self.screening_.loc[self.screening_["kept"], "feature"])
        unseen = [name for name in empty if kept is None or name in kept]
        if unseen:
            warn(
                f"X has no value in {', '.join(map(repr, unseen))}, which errors that name no "
                "columns pass by, as nothing can go wrong there. Drop it to silence this."
            )
        scenarios = scenarios_of(
            self.strategy, self.corruptions, X, self.correlation_threshold, kept
        )
        if given is None:
            kind = StratifiedShuffleSplit if classes else ShuffleSplit
            kind = kind if groups is None else GroupShuffleSplit
            given = kind(self.n_repeats, test_size=TEST_SIZE, random_state=seed % 2**32)
        to_split = dict(routed[SPLITTER])
        if groups is not None:
            to_split["groups"] = groups
        indices = split_indices(self.cv, given, X, y, table.n_rows, **to_split)
        splits = [(np.sort(train), np.sort(test)) for train, test in indices]
        if journal is not None:
            # the first random split stands for all, so that more repeats go on from these
            journal.begin(self.cv, splits[:1] if self.cv is None else splits)
        seeds = spawn_seeds(seed, len(splits))
        return Study(X, y, table.n_rows, models, scenarios, levels, splits, seeds, journal)

    def _screened(
        self, X: TableLike, y: ColumnLike | None, seed: int, classes: bool
    ) -> pd.DataFrame:
        if self.strategy == "custom":
            raise ValueError(
                f"screening={self.screening!r} chooses columns, which strategy='custom' leaves to "
                "the corruptions; use screening=None, or another strategy."
            )
        table = as_table(X)
        columns = struck_columns(self.corruptions, table)
        return screened(
            table, y, columns, str(self.screening), self.max_features, seed, classes=classes
        )

    def _run(self, study: Study) -> tuple[dict[Key, Outcome], str]:
        """All outcomes, or those until something ended it, which is named then."""
        done: dict[Key, Outcome] = {}
        if study.journal is not None:
            for text, (outcome,) in study.journal.read(FITS).items():
                key: Key = tuple(json.loads(text))
                # who wants failures raised should see them again
                raised = outcome.error and self.error_score == "raise"
                # of a longer study, what belongs to this one
                if not raised and key[2] < len(study.splits):
                    done[key] = outcome
        parts = []
        for repeat, position, level in study.parts():
            names = [n for n in study.models if (n, position, repeat, level) not in done]
            if names:
                parts.append((repeat, position, level, names))
        tasks = (study.task(*part, self.error_score) for part in parts)
        n_fits = sum(len(names) for *_, names in parts)
        n_enough = sum(repeat < HOPELESS for repeat, *_ in study.parts()) * len(study.models)
        errors = [outcome.error for outcome in done.values()]
        with telling_bar(n_fits, self.verbose, "Profiling") as bar:

            def note(found: dict[Key, Outcome]) -> None:
                if study.journal is not None:
                    entries = [(json.dumps(key).encode(), "", [o]) for key, o in found.items()]
                    study.journal.write(FITS, entries)
                bar.update(len(found))
                errors.extend(outcome.error for outcome in found.values())
                if len(errors) >= n_enough and all(errors):
                    raise _nothing_scored(errors[0], study.y)

            def enough(found: dict[int, dict[Key, Outcome]]) -> bool:
                new = {key for part in found.values() for key in part}
                return study.n_whole(done.keys() | new) > 0

            parts_done, cause = run_until_stopped(
                run_scenario,
                tasks,
                n_tasks=len(parts),
                enough=enough,
                n_jobs=self.n_jobs,
                done=note,
            )
            for found in parts_done.values():
                done |= found
        self.n_fits_ = sum(map(len, parts_done.values()))
        return done, cause

    def _cut(self, study: Study, outcomes: dict[Key, Outcome], cause: str) -> Study:
        """The repeats that were whole when it was ended."""
        n_repeats, n_whole = len(study.splits), study.n_whole(outcomes)
        warn(
            f"The profile was ended by {cause} after {n_whole} of {n_repeats} repeats, from which "
            f"it is made. {going_on(self.journal)}"
        )
        return study.of_repeats(n_whole)


def _nothing_scored(error: str, y: ColumnLike | None) -> ValueError:
    said = error if y is None else with_remedy(error, y)
    return ValueError(f"Nothing could be scored; the error of the first model: {said}")


def _warn_of_failures(outcomes: Mapping[Key, Outcome], study: Study) -> None:
    failed = [(key, outcome) for key, outcome in outcomes.items() if outcome.error]
    if failed:
        (name, position, *_), first = failed[0]
        where = "clean data" if position == BASELINE else repr(study.scenarios[position].name)
        warn(
            f"{len(failed)} of {len(outcomes)} fits failed and are rows without a score, the first "
            f"of {name!r} with {where}: {first.error}."
        )
