"""How the performance of models moves as each error grows."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, Literal, Self

import joblib
import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit
from sklearn.utils.validation import check_is_fitted

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import run_tasks, single_scorer
from skcorrupt.utils import (
    LARGEST,
    N_JOBS,
    Table,
    as_table,
    check_table,
    check_target,
    draw_seed,
    is_finite_number,
    named_estimators,
    progress_bar,
    spawn_seeds,
)
from skcorrupt.utils._compat import Interval, StrOptions
from skcorrupt.utils._typing import (
    ColumnLike,
    ErrorScore,
    Estimator,
    FilePath,
    RandomState,
    Scoring,
    TableLike,
)

from ._checks import check_labels, checked_levels
from ._curves import BASELINE, Fit, run_scenario
from ._in_words import found_in_words
from ._journal import FitJournal
from ._profile_plan import ProfilePlan
from ._profiles import profiles_of
from ._ranking import ranking_of
from ._repeats import Repeats
from ._scenario import STRATEGIES, check_errors, scenarios_of, struck_columns
from ._screening import SCREENINGS, screened
from ._significance import least_repeats
from ._study import Study, curves_of


class ErrorSensitivityProfiler(MetaEstimatorMixin, BaseEstimator):
    """Measure how the performance of models moves as each error grows.

    Training data is corrupted at growing rates, test data stays clean; the same repeats, splits
    and seeds are used without and with errors, so that scores are paired. The error sensitivity
    profile [1]_ of a model and a scenario is its error performance correlation (EPC), the area
    between the curve and its baseline (AEPC) and the slopes of its regimes.

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
        Random splits into training and test data.
    scoring : str, callable or None, default=None
        Performance, larger is better; None is each model's own score.
    test_size : float in (0, 1), default=0.2
        Share of the test part.
    correlation_threshold : float in (0, 1], default=0.8
        With "correlated", the association from which columns go together.
    alpha : float in (0, 1), default=0.05
        False discovery rate (Benjamini and Yekutieli) over all models and scenarios.
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
        With `screening`, how many.
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
        A row a model, scenario, repeat and level: `model, corruption, features, repeat, level,
        score, error`.
    profiles_ : DataFrame
        A row a model and scenario: `model, corruption, features`, means over repeats of
        `baseline, epc, aepc` with 95 % intervals `_low, _high`, `epc_of_mean` (of the mean curve),
        `area` (not divided by the baseline), `slopes` with `slopes_low, slopes_high` in the
        `regimes` of the mean curve, `p_value` (Wilcoxon, highest level against none),
        `p_corrected` (Nadeau and Bengio's t test of the same, for other data like this),
        `p_adjusted` (of `p_value`), `significant`, `n_defined`, `flags`.
    runs_ : DataFrame
        A row a model, scenario and repeat: `epc, aepc, area, slopes` of its own curve, the slopes
        in the regimes of the mean curve.
    screening_ : DataFrame
        With `screening`: `feature, value, kept`, a row a column, the best first.
    n_fits_ : int
        Number of fits, those taken from the journal left out.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if they have string names.

    References
    ----------
    .. [1] "Measuring the Sensitivity of Classification Models with the Error Sensitivity Profile".

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcorrupt import CorruptNoise
    >>> from skcorrupt.sensitivity import ErrorSensitivityProfiler
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> profiler = ErrorSensitivityProfiler(
    ...     GaussianNB(), corruptions=CorruptNoise(scale=3.0), n_repeats=14, random_state=0
    ... ).fit(X, y)
    >>> profiler.profiles_[["features", "epc", "aepc", "significant"]].round(2)
                features   epc  aepc  significant
    0  sepal length (cm) -0.71  0.01        False
    1   sepal width (cm) -0.29  0.00        False
    2  petal length (cm)  0.35 -0.01        False
    3   petal width (cm)  0.67 -0.07         True
    """

    _parameter_constraints: dict[str, Any] = {
        "estimators": "no_validation",
        "corruptions": "no_validation",
        "strategy": [StrOptions(set(STRATEGIES))],
        "levels": ["array-like"],
        "n_repeats": [Interval(Integral, 1, 10**6, closed="both")],
        "scoring": "no_validation",
        "test_size": [Interval(Real, 0, 1, closed="neither")],
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
        test_size: float = 0.2,
        correlation_threshold: float = 0.8,
        alpha: float = 0.05,
        tau: float = 0.05,
        error_score: ErrorScore = np.nan,
        screening: Literal["importance", "variance", "association"] | None = None,
        max_features: int = 20,
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
        self.test_size = test_size
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

    def plan(self, X: TableLike, y: ColumnLike | None = None) -> ProfilePlan:
        """What `fit` will take, whatever a journal has of it already.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The clean data.
        y : array-like of shape (n_samples,), default=None
            Labels.

        Returns
        -------
        ProfilePlan
            Scenarios, fits, estimated time.
        """
        self._validate_params()
        X = check_table(clone(self), X, reset=True).source
        study, _ = self._study(X, y, n_repeats=1)
        n = len(study.scenarios)
        seconds = 0.0
        for name in study.models:
            started = time.perf_counter()
            (fit,) = run_scenario(*study.task(0, BASELINE, 0.0, [name], self.error_score))
            seconds += time.perf_counter() - started
            if fit.error:
                warnings.warn(
                    f"estimators: {name!r} fails without errors ({fit.error}); mend it or leave "
                    "it out.",
                    stacklevel=2,
                )
        n_fits = self.n_repeats * (1 + n * (len(study.levels) - 1))
        return ProfilePlan(
            n,
            n_fits * len(study.models),
            seconds * n_fits,
            least_repeats(n * len(study.models), self.alpha),
        )

    def fit(self, X: TableLike, y: ColumnLike | None = None) -> Self:
        """Fit all models on clean and on corrupted data.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The clean data.
        y : array-like of shape (n_samples,), default=None
            Labels.

        Returns
        -------
        self : ErrorSensitivityProfiler
            With `curves_` and `profiles_`.

        Raises
        ------
        ValueError
            If there is no scenario, a corruption has a rate or a pattern that no row matches,
            levels do not grow from 0, or nothing could be scored.
        """
        self._validate_params()
        table = check_table(self, X, reset=True)
        study, screening = self._study(table.source, y)
        if screening is not None:
            self.screening_ = screening
        least = least_repeats(len(study.scenarios) * len(study.models), self.alpha)
        if self.n_repeats < least:
            warnings.warn(
                f"n_repeats={self.n_repeats}: of {len(study.scenarios) * len(study.models)} models "
                f"and scenarios none can be significant by itself with fewer than {least} repeats.",
                stacklevel=2,
            )
        fits = self._run(study, joblib.hash((table.source, y)) if self.journal is not None else "")
        self.curves_ = curves_of(fits, study)
        if self.curves_["score"].isna().all():
            raise ValueError(
                "Nothing could be scored; the error of the first model: "
                f"{self.curves_['error'].iloc[0]}"
            )
        _warn_of_failures(fits, study)
        test_ratio = len(study.repeats[0].test) / len(study.repeats[0].train)
        self.profiles_, self.runs_ = profiles_of(self.curves_, self.alpha, self.tau, test_ratio)
        # cleaning_priorities needs no more, and should not see what becomes of the data later
        self._data = replace(study, repeats=study.repeats[:1], seeds=study.seeds[:1])
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
        """What was found, in two sentences.

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
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from skcorrupt import CorruptNoise, ErrorSensitivityProfiler
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> profiler = ErrorSensitivityProfiler(
        ...     GaussianNB(), corruptions=CorruptNoise(scale=3.0), n_repeats=14, random_state=0
        ... ).fit(X, y)
        >>> print(profiler.summary())
        4 pairs of a model and an error were studied; in 1 of them the error matters: the change is
        more than noise, and larger than 5 % of the score on average. The largest loss: errors of
        the kind `noise` in `petal width (cm)` change the score of `GaussianNB`, 0.962 on
        clean data, by -6.6 % on average over the levels (95 % interval -9.3 % to -3.9 %), which
        matters.
        """
        check_is_fitted(self, "profiles_")
        return " ".join(found_in_words(self.profiles_, self.tau))

    def cleaning_priorities(self) -> pd.DataFrame:
        """Columns by how much models lose when they are wrong, beside their importance.

        Returns
        -------
        DataFrame
            A row a model and column, the largest loss first: `loss` (minus the least AEPC of
            errors on the column alone; NaN, on top, where an error keeps the model from being
            fitted), the `corruption` that it is of, `significant`, and the permutation
            `importance`: what shuffling the column costs, in units of the score, on clean test
            data of the first repeat, mean of five shuffles. Errors on several columns together
            have no row.
        """
        check_is_fitted(self, "profiles_")
        alone = {
            each.label: each.features[0]
            for each in self._data.scenarios
            if len(each.features) == 1 and each.corruption.strikes == "cells"
        }
        frame = self.profiles_
        rows = []
        for model in self._data.models:
            mine = frame[(frame["model"] == model) & frame["features"].isin(list(alone))]
            if mine.empty:
                continue
            importance = self._data.importance(model)
            for label, feature in alone.items():
                part = mine[mine["features"] == label]
                if part.empty:
                    continue
                # what breaks a model is worse than any loss
                worst = part.sort_values("aepc", na_position="first", kind="stable").iloc[0]
                rows.append(
                    {
                        "model": model,
                        "feature": feature,
                        "loss": 0.0 - worst["aepc"],
                        "corruption": worst["corruption"],
                        "significant": worst["significant"],
                        "importance": importance[feature],
                    }
                )
        columns = ["model", "feature", "loss", "corruption", "significant", "importance"]
        frame = pd.DataFrame(rows, columns=columns)
        return frame.sort_values(
            "loss", ascending=False, na_position="first", kind="stable", ignore_index=True
        )

    def model_ranking(self) -> pd.DataFrame:
        """Models by how little they lose, beside how well they do.

        Returns
        -------
        DataFrame
            A row a model, the smallest loss first, models that some error keeps from being fitted
            after all others: `model`, `baseline`, `score` (mean over errors and levels above 0),
            `loss` (minus the mean AEPC) with a 95 % interval `loss_low, loss_high` over repeats,
            the number of `profiles`, how many of them have `failed`, and how many are
            `significant_losses` or `significant_gains`, and `worst_loss` with the error it is of,
            `worst_corruption, worst_features`. `score` and `loss` are over errors that no model
            failed on. A model that is no better than chance loses nothing: read `loss` beside
            `score`.
        """
        check_is_fitted(self, "profiles_")
        return ranking_of(self.curves_, self.profiles_, self.runs_)

    def _study(
        self, X: Any, y: Any, n_repeats: int | None = None
    ) -> tuple[Study, pd.DataFrame | None]:
        levels = checked_levels(self.levels)
        models = named_estimators(self.estimators)
        if self.journal is not None and not isinstance(self.random_state, Integral):
            raise ValueError(
                f"random_state={self.random_state!r} draws other splits every time, so that a "
                "journal is of no use; pass a whole number."
            )
        seed = draw_seed(self.random_state)
        n_repeats = self.n_repeats if n_repeats is None else n_repeats
        table = as_table(X)
        target = check_target(y, table.n_rows)
        stratify = target is not None and all(is_classifier(model) for model in models.values())
        if target is not None:
            check_labels(target.values, stratify)
        check_errors(self.corruptions, table, target)
        screening = None
        if self.screening is not None:
            screening = self._screened(table, y, seed, models)
        scenarios = scenarios_of(
            self.strategy,
            self.corruptions,
            X,
            self.correlation_threshold,
            None if screening is None else set(screening.loc[screening["kept"], "feature"]),
        )
        kind = StratifiedShuffleSplit if stratify else ShuffleSplit
        splitter = kind(n_repeats, test_size=self.test_size, random_state=seed % 2**32)
        indices = list(splitter.split(np.zeros(table.n_rows), y))
        seeds = spawn_seeds(seed, n_repeats)
        study = Study(
            models,
            {name: single_scorer(model, self.scoring) for name, model in models.items()},
            scenarios,
            levels,
            Repeats(X, y, indices, seeds),
            seeds,
        )
        return study, screening

    def _screened(self, table: Table, y: Any, seed: int, models: dict[str, Any]) -> pd.DataFrame:
        if self.strategy == "custom":
            raise ValueError(
                f"screening={self.screening!r} chooses columns, which strategy='custom' leaves to "
                "the corruptions; use screening=None, or another strategy."
            )
        columns = struck_columns(self.corruptions, table)
        classes = all(is_classifier(model) for model in models.values())
        return screened(
            table, y, columns, str(self.screening), self.max_features, seed, classes=classes
        )

    def _run(self, study: Study, data_hash: str) -> list[Fit]:
        journal, done = None, {}
        if self.journal is not None:
            journal = FitJournal(self.journal, study.key(data_hash, self.test_size, self.scoring))
            kept = journal.read()
            # who wants failures raised should see them again
            kept = [fit for fit in kept if not (fit.error and self.error_score == "raise")]
            # of a longer study, what belongs to this one
            done = {fit.key: fit for fit in kept if fit.repeat < len(study.seeds)}
        parts = []
        for repeat in range(len(study.seeds)):
            for position in range(BASELINE, len(study.scenarios)):
                levels = study.levels[1:] if position != BASELINE else study.levels[:1]
                # a task is what a kill can lose, and what a worker may wait for at the end
                for level in levels:
                    names = [
                        name for name in study.models if (name, position, repeat, level) not in done
                    ]
                    if names:
                        parts.append((repeat, position, level, names))
        tasks = (study.task(*part, self.error_score) for part in parts)
        n_fits = sum(len(names) for *_, names in parts)
        with progress_bar(n_fits, self.verbose, "Profiling") as bar:

            def note(fits: list[Fit]) -> None:
                if journal is not None:
                    journal.write(fits)
                bar.update(len(fits))

            found = run_tasks(run_scenario, tasks, n_jobs=self.n_jobs, done=note)
        self.n_fits_ = n_fits
        return [*done.values(), *(fit for fits in found for fit in fits)]


def _warn_of_failures(fits: list[Fit], study: Study) -> None:
    failed = [fit for fit in fits if fit.error]
    if failed:
        first = failed[0]
        clean = first.scenario == BASELINE
        where = "clean data" if clean else repr(study.scenarios[first.scenario].name)
        warnings.warn(
            f"{len(failed)} of {len(fits)} fits failed and are rows without a score, the first of "
            f"{first.model!r} with {where}: {first.error}.",
            stacklevel=3,
        )
