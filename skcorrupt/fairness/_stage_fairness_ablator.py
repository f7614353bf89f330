"""Which preprocessing step makes a pipeline unfair."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation._fitted_results import FittedResults
from skcorrupt.evaluation._pipelines import stage_at, stages_of
from skcorrupt.evaluation._sampled_rows import rows_in_memory
from skcorrupt.utils import N_JOBS, calls_back, check_is_estimator, check_table, draw_seed, warn
from skcorrupt.utils._as_text import counted
from skcorrupt.utils._compat import CallbackSupportMixin, HasMethods, Interval, StrOptions
from skcorrupt.utils._typing import (
    ColumnLabels,
    ColumnLike,
    ErrorScore,
    FilePath,
    Folds,
    RandomState,
    Scorings,
    TableLike,
)

from ._effects import Estimates
from ._harms import warn_of_rare_gaps
from ._in_words import found_in_words
from ._kept_results import RESULTS
from ._problem import make_problem
from ._references import variant_without
from ._splits import Setup, run_splits, scorers_of
from ._stage_names import stage_names
from ._stages import Variant

# with fewer there is no interval
LEAST_SPLITS = 2


class StageFairnessAblator(CallbackSupportMixin, FittedResults, MetaEstimatorMixin, BaseEstimator):
    """Measure what every preprocessing stage of a pipeline does to fairness and performance.

    On the same splits and with the same seeds the pipeline is compared with itself without each
    of its stages, all that follows being fitted anew [1]_. The effect of a stage on a gap between
    two groups is the gap of the pipeline less the gap without the stage.

    Parameters
    ----------
    pipeline : Pipeline
        A scikit-learn or imbalanced-learn Pipeline over the raw data.
    sensitive_features : label, list of labels and of tuples of labels, or None
        Columns of the raw X with the sensitive attributes, which the pipeline itself need not
        use. A tuple stands for the intersections of its columns. None where the attributes
        themselves, as an array, go through `fit(X, y, sensitive_features=...)`.
    privileged : value, collection of values, Pattern, or mapping
        Who is privileged: values of the column, or a Pattern such as
        `Pattern.parse("age >= 25")`; a mapping of columns to these where there are several.
    pos_label : label or None
        The favourable label; with several classes it is one against the rest. None for
        regressors, whose mean predictions and mean errors are compared.
    stages : str or list of str, default=None
        Parameter paths of stages such as "prep__num__scale", or the names that pages give them;
        None is all of them.
    references : mapping of str to estimator, default=None
        What stands in the place of a stage, by path, "passthrough" for nothing. Stages that are
        not mentioned are left out, but for encoders, which are compared with one-hot encoding
        (one-hot encoding with ordinal encoding), and imputers before something that does not
        declare that it takes missing values, which are compared with a constant. A part of a
        FeatureUnion with other parts is dropped; "passthrough" there hands its input on.
    corruption : BaseCorruption or None, default=None
        What happens to the training data before all pipelines are fitted. Its own
        `random_state` is replaced on every split, so that each split has errors of its own.
    scoring : str, callable, list, dict or None, default=None
        Performance; None is accuracy and the F1 of the favourable label, R² for regressors.
        The score of a callable that gives a number is named "score", others by their names.
    cv : int, splitter or None, default=None
        None is 10 stratified 70/30 splits, 30 where there are at most 1,000 rows; an integer is
        the number of folds.
    alpha : float in (0, 1), default=0.05
        Level of the tests, one minus that of the intervals; a stage is `significant` where its
        p_adjusted is at most alpha.
    noise_floor : bool, default=False
        Whether to measure how far the pipeline is from itself under another seed, those that
        the user set being replaced as well.
    error_score : nan or "raise", default=nan
        What happens when the pipeline fails on a split: it is left out with a warning, or the
        error is raised. A stage without which it fails is a row of status "not_ablatable".
    n_jobs : int or None, default=None
        Number of workers; splits run in parallel.
    random_state : None, int, RandomState or Generator, default=None
        Source of the splits and of every unset seed in the pipeline.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    stage_effects_ : DataFrame
        One row per stage, pair of groups and metric: `stage, reference, sensitive, group, metric`
        ("spd", "eod", "aod", "erd"; for regressors "mean_prediction", "mean_error",
        "mean_absolute_error"), `mean, std, ci_low, ci_high` of the effect over splits (corrected
        for their overlap; where there is one split a paired bootstrap of its people, for gaps
        only), `p_value`, `p_adjusted` over stages (Benjamini and Hochberg; for what that assumes
        see `skcorrupt.stats.adjusted_pvalues`; gaps undefined on most splits are not tested),
        `significant`, `change_rate, to_favourable, to_unfavourable` (shares of decisions that the
        stage changes, the latter two by group as well), `n_splits, status` ("ok" or
        "not_ablatable") and `message`.
    global_fairness_ : DataFrame
        The gaps of the pipeline and of the pipeline without each stage: `with_stage` and
        `without_stage`, both with `_std`, `_low` and `_high` added to their names, and the
        `n_splits` on which the gap of the pipeline is known. Of gaps that are undefined on most
        splits, as test parts hold too few of a group, a warning tells.
    performance_effects_ : DataFrame
        What each stage adds to each score.
    dropped_rows_ : DataFrame
        What each sampler or row filter does to the training data, by group: means over splits of
        `n_rows` that came to it, `n_dropped` of them that did not come out, their share
        `dropped`, and `n_copied`, the further copies of rows that came out more than once. Rows
        that are made up are of no group. NaN where no row that came out is one that went in,
        such as after a filter that changes values as well.
    noise_floor_ : DataFrame
        With `noise_floor=True`, the effect that other seeds alone have: `mean`, `std` and
        `mean_size` (without its sign) over splits.
    n_splits_ : int
        Number of splits.
    n_fits_ : int
        Number of fits of stages and final estimators.
    interrupted_ : bool
        Whether Ctrl-C, SIGTERM or a callback ended the ablation early: estimates are then from the
        splits until that moment.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if they have string names.

    References
    ----------
    .. [1] S. Biswas, H. Rajan, Fair Preprocessing: Towards Understanding Compositional Fairness
       of Data Transformers in Machine Learning Pipeline, ESEC/FSE 2021.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from sklearn.feature_selection import SelectKBest
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from skcorrupt import StageFairnessAblator
    >>> rng = np.random.default_rng(0)
    >>> X = pd.DataFrame({"sex": rng.integers(0, 2, 600), "skill": rng.normal(size=600)})
    >>> X["proxy"] = X["skill"] + X["sex"] + rng.normal(size=600)
    >>> y = (X["skill"] + 0.5 * X["sex"] + rng.normal(size=600) > 0).astype(int)
    >>> pipeline = make_pipeline(SelectKBest(k=1), LogisticRegression())
    >>> ablator = StageFairnessAblator(
    ...     pipeline, sensitive_features="sex", privileged=1, pos_label=1, random_state=0
    ... )
    >>> effects = ablator.fit(X, y).stage_effects_
    >>> effects[["stage", "metric", "mean", "significant"]].round(2).head(1)
             stage metric  mean  significant
    0  selectkbest    spd  0.13         True
    >>> print(ablator.summary())
    Of 1 step, 1 can be seen to change a gap between the groups by more than noise:
    `selectkbest`. `selectkbest` narrows the gap by `sex` (0 against 1) in the rate of
    favourable decisions, its mean over those who are favourable in truth and those who are not
    (AOD): -0.180 without it, -0.039 with the step, 0.141 less (0.044 to 0.220, more than noise).
    """

    _expected_results = RESULTS
    _first_results = (
        "stage_effects_",
        "global_fairness_",
        "performance_effects_",
        "dropped_rows_",
    )

    _parameter_constraints: dict[str, Any] = {
        "pipeline": [HasMethods("fit")],
        "sensitive_features": "no_validation",
        "privileged": "no_validation",
        "pos_label": "no_validation",
        "stages": [str, list, tuple, None],
        "references": [dict, None],
        "corruption": [BaseCorruption, None],
        "scoring": "no_validation",
        "cv": "no_validation",
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "noise_floor": ["boolean"],
        "error_score": [StrOptions({"raise"}), "nan"],
        "n_jobs": N_JOBS,
        "random_state": "no_validation",
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        pipeline: Pipeline,
        *,
        sensitive_features: ColumnLabels | None,
        privileged: Any,
        pos_label: Hashable | None,
        stages: str | Sequence[str] | None = None,
        references: Mapping[str, Any] | None = None,
        corruption: BaseCorruption | None = None,
        scoring: Scorings = None,
        cv: Folds = None,
        alpha: float = 0.05,
        noise_floor: bool = False,
        error_score: ErrorScore = np.nan,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.pipeline = pipeline
        self.sensitive_features = sensitive_features
        self.privileged = privileged
        self.pos_label = pos_label
        self.stages = stages
        self.references = references
        self.corruption = corruption
        self.scoring = scoring
        self.cv = cv
        self.alpha = alpha
        self.noise_floor = noise_floor
        self.error_score = error_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @calls_back
    def fit(
        self,
        X: TableLike | FilePath,
        y: ColumnLike,
        *,
        sensitive_features: TableLike | ColumnLike | None = None,
        groups: ColumnLike | None = None,
    ) -> Self:
        """Fit the pipeline with and without each stage on every split.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The raw data. Of a table in parts, such as a polars LazyFrame or the path of a folder
            of Parquet files, at most 100,000 rows are drawn, of which a warning tells.
        y : array-like of shape (n_samples,) or str
            Labels, of a table in parts the name of their column.
        sensitive_features : array-like of shape (n_samples,) or (n_samples, n_attributes), \
                default=None
            The sensitive attributes themselves, in place of columns of X.
        groups : array-like of shape (n_samples,), default=None
            Groups for the splitter.

        Returns
        -------
        self : StageFairnessAblator
            With `stage_effects_`, `global_fairness_` and `performance_effects_`.

        Raises
        ------
        ValueError
            If the pipeline has no stage or fails on every split, a column, label or privileged
            value is not there, or a regressor is asked about decisions.
        """
        check_is_estimator(self.pipeline, "pipeline")
        self._validate_params()
        given = {"sensitive_features": sensitive_features, "groups": groups}
        rows, y = rows_in_memory(X, y, self.random_state, given)
        table = check_table(self, rows, reset=True)
        problem = make_problem(
            self.pipeline,
            table.source,
            y,
            sensitive_features=self.sensitive_features,
            privileged=self.privileged,
            pos_label=self.pos_label,
            cv=self.cv,
            seed=draw_seed(self.random_state),
            given=sensitive_features,
            groups=groups,
        )
        variants = self._variants()
        self.__dict__.pop("noise_floor_", None)
        setup = Setup(
            [self.pipeline],
            variants,
            scorers_of(self.pipeline, self.scoring),
            self.pos_label,
            self.corruption,
            self.noise_floor,
            self.error_score,
        )
        [results], cause = run_splits(
            setup,
            problem.splits,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
            title="Ablating",
            least=LEAST_SPLITS,
        )
        self.interrupted_ = bool(cause)
        if cause:
            warn(
                f"The ablation was ended by {cause} after {len(results)} of "
                f"{len(problem.splits)} splits, from which all estimates are."
            )
            problem = replace(problem, splits=problem.splits[: len(results)])
        estimates = Estimates(results, problem, self.alpha)
        self.stage_effects_, self.global_fairness_ = estimates.stages(variants)
        n_worked = sum(whole.predictions is not None for whole in estimates.whole)
        warn_of_rare_gaps(self.global_fairness_, n_worked)
        self.performance_effects_ = estimates.performance(variants)
        self.dropped_rows_ = estimates.dropped_rows()
        if self.noise_floor:
            self.noise_floor_ = estimates.noise_floor()
        self.n_splits_ = len(results)
        self.n_fits_ = sum(result.n_fits for result in results)
        return self

    def summary(self) -> str:
        """What was found, in a few sentences.

        Returns
        -------
        str
            Which stages change a gap by more than noise, and which one widens the gap between
            each pair of groups most, or turns it round or narrows it where none widens it; or that
            no stage could be left out. Where a stage turns the gap round, its size is said to be
            larger or smaller only where that, too, is more than noise.

        Raises
        ------
        NotFittedError
            If the ablator is not fitted.
        """
        check_is_fitted(self, "stage_effects_")
        found = found_in_words(
            self.stage_effects_, self.global_fairness_, self.alpha, self.n_splits_
        )
        if getattr(self, "interrupted_", False):
            found.append(f"The ablation was ended early after {counted(self.n_splits_, 'split')}.")
        return " ".join(found)

    def _path_of(self, name: Any) -> Any:
        """The path of a stage, which may go by the name that sentences and pages give it."""
        names = stage_names(stage.path for stage in stages_of(self.pipeline))
        paths = {short: path for path, short in names.items()}
        # what is a path is taken for that
        try:
            return stage_at(self.pipeline, name).path
        except ValueError:
            return paths.get(name, name) if isinstance(name, str) else name

    def _variants(self) -> list[Variant]:
        wanted = [self.stages] if isinstance(self.stages, str) else self.stages
        if wanted is None:
            stages = stages_of(self.pipeline)
        elif not self.stages:
            raise ValueError(f"stages={self.stages!r} names none; pass None for all of them.")
        else:
            chosen = [stage_at(self.pipeline, self._path_of(each)) for each in wanted]
            stages = list({stage.path: stage for stage in chosen}.values())
        if not stages:
            raise ValueError(
                "pipeline has no stage before its final estimator; there is nothing to leave out."
            )
        given = {self._path_of(name): each for name, each in (self.references or {}).items()}
        unknown = [path for path in given if path not in {stage.path for stage in stages}]
        if unknown:
            raise ValueError(
                f"references: {', '.join(map(repr, unknown))} should be one of the stages "
                f"{', '.join(stage.path for stage in stages)}."
            )
        variants = [variant_without(self.pipeline, stage, given) for stage in stages]
        for variant in variants:
            if variant.warning:
                warn(variant.warning)
        return variants
