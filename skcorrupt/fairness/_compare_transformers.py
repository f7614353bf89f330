"""What to use in the place of a stage."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.metrics import check_scoring
from sklearn.pipeline import Pipeline

from skcorrupt.utils import as_table, check_arguments, draw_seed, named_estimators
from skcorrupt.utils._typing import (
    ColumnLabels,
    ColumnLike,
    Folds,
    RandomState,
    Scorings,
    TableLike,
)

from ._candidates import (
    gap_and_change,
    group_name,
    run_models,
    score_change,
    scores_of,
    state_of,
    variant_of,
    whole_of,
    with_samplers,
)
from ._catalogue import candidates_of
from ._constraints import COMMON
from ._effects import Estimates
from ._problem import make_problem
from ._references import Reference
from ._sensitive import values_given
from ._splits import Variant
from ._stages import stage_at

NOTHING = "nothing"
COLUMNS = [
    *["model", "candidate", "sensitive", "group", "metric", "effect", "effect_ci_low"],
    *["effect_ci_high", "gap", "gap_std", "gap_ci_low", "gap_ci_high", "change", "change_ci_low"],
    *["change_ci_high", "p_value", "q_value", "significant", "rank"],
    *[
        f"score_{name}"
        for name in ("change", "ci_low", "ci_high", "q_value", "significant", "rank")
    ],
    *["n_splits", "status", "message"],
]
QUESTION = ["sensitive", "group", "metric"]


def compare_transformers(
    pipeline: Pipeline,
    stage: str,
    X: TableLike,
    y: ColumnLike,
    *,
    sensitive_features: ColumnLabels | None,
    privileged: Any,
    pos_label: Hashable | None,
    candidates: Literal["scaling", "sampling", "selection", "projection"]
    | Sequence[Any]
    | Mapping[str, Any] = "scaling",
    estimators: Sequence[Any] | Mapping[str, Any] | None = None,
    scoring: Scorings = None,
    cv: Folds = None,
    alpha: float = 0.05,
    n_jobs: int | None = None,
    random_state: RandomState = None,
    verbose: int = 0,
) -> pd.DataFrame:
    """Put other transformers in the place of a stage and compare fairness and performance.

    Parameters
    ----------
    pipeline : Pipeline
        The pipeline, left as it is.
    stage : str
        Parameter path of the stage, such as "prep__num__scale".
    X : table of shape (n_samples, n_features)
        The raw data.
    y : array-like of shape (n_samples,)
        Labels.
    sensitive_features, privileged, pos_label : object
        As in StageFairnessAblator; the attributes themselves can be given as a Series, a frame or
        an array of shape (n_samples,) or (n_samples, n_attributes).
    candidates : {"scaling", "sampling", "selection", "projection"}, list or mapping, \\
            default="scaling"
        What to try: a part of the catalogue (table 2 of [1]_), or estimators. Samplers go to the
        top level of a pipeline only.
    estimators : list, mapping or None, default=None
        Final estimators to try each candidate with; None is the pipeline's own.
    scoring : str, callable, list, dict or None, default=None
        Performance; None is accuracy and the F1 of the favourable label, R² for regressors.
    cv : int, splitter or None, default=None
        As in StageFairnessAblator.
    alpha : float in (0, 1), default=0.05
        Level of the tests, one minus that of the intervals; a change is `significant` where its
        q_value is at most alpha.
    n_jobs : int or None, default=None
        Number of workers; splits run in parallel.
    random_state : None, int, RandomState or Generator, default=None
        Source of all seeds.
    verbose : int, default=0
        1 shows a progress bar.

    Returns
    -------
    DataFrame
        A row a model, candidate ("nothing" and the pipeline's own stage among them), pair of
        groups and metric, best first: `effect` of the candidate against nothing with its
        interval, the `gap` of the whole pipeline with it, `change` of the gap's size against the
        pipeline's own stage (below 0 is fairer) with interval, `p_value` (which also rules out
        that the gap has only turned around), `q_value` over models and candidates, but not over
        metrics and groups, and `significant`, `rank` by the size of the gap; `score_change` of the
        first
        score against the own stage with interval, `score_q_value, score_significant, score_rank`;
        mean scores, `n_splits`, `status` and `message`.

    Raises
    ------
    ValueError
        If the stage, a column, label, privileged value or part of the catalogue is not there, or
        the pipeline fails on every split.

    References
    ----------
    .. [1] S. Biswas, H. Rajan, Fair Preprocessing, ESEC/FSE 2021, section 6.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import Pipeline
    >>> from sklearn.preprocessing import MinMaxScaler, StandardScaler
    >>> from skcorrupt.fairness import compare_transformers
    >>> rng = np.random.default_rng(0)
    >>> X = pd.DataFrame({"sex": rng.integers(0, 2, 300), "wage": 100 * rng.normal(size=300)})
    >>> y = (X["wage"] / 100 + X["sex"] + rng.normal(size=300) > 0.5).astype(int)
    >>> pipeline = Pipeline([("scale", StandardScaler()), ("model", KNeighborsClassifier())])
    >>> table = compare_transformers(
    ...     pipeline, "scale", X, y, sensitive_features="sex", privileged=1, pos_label=1,
    ...     candidates=[MinMaxScaler()], random_state=0,
    ... )
    >>> table.loc[table["metric"] == "spd", ["candidate", "gap", "rank"]].round(2)
                    candidate   gap  rank
    0                 nothing -0.10     1
    1            MinMaxScaler -0.49     2
    2    StandardScaler (own) -0.49     3
    """
    check_arguments("compare_transformers", COMMON, locals())
    seed = draw_seed(random_state)
    sensitive_features, given = values_given(sensitive_features, as_table(X).n_rows)
    problem = make_problem(
        pipeline,
        X,
        y,
        given=given,
        sensitive_features=sensitive_features,
        privileged=privileged,
        pos_label=pos_label,
        cv=cv,
        seed=seed,
    )
    place = stage_at(pipeline, stage)
    found = candidates_of(candidates, max(len(split.train) for split in problem.splits))
    if any(hasattr(candidate, "fit_resample") for candidate in found.values()):
        pipeline = with_samplers(pipeline, stage)
    models = {"": pipeline.steps[-1][1]} if estimators is None else named_estimators(estimators)
    variants = [Variant(place, Reference())]
    variants += [Variant(place, Reference(candidate)) for candidate in found.values()]
    pipelines = [with_final(pipeline, model) for model in models.values()]
    scorer = None if scoring is None else check_scoring(pipeline, scoring=scoring)
    results = run_models(
        pipelines, variants, problem, scorer, pos_label, n_jobs=n_jobs, verbose=verbose
    )
    names = [NOTHING, *found]
    tables = []
    for name, final, mine in zip(models, models.values(), results, strict=True):
        estimates = Estimates(mine, problem, alpha)
        label = name or type(final).__name__
        own = f"{type(place.estimator).__name__} (own)"
        tables.append(_table(estimates, label, [*names, own]))
    frame = pd.concat(tables, ignore_index=True)
    for prefix, p_value in (("score_", "score_p_value"), ("", "p_value")):
        part = frame[QUESTION].assign(p_value=frame[p_value])
        estimates.adjust(part, QUESTION)
        for column in ("q_value", "significant"):
            frame[f"{prefix}{column}"] = part[column]
    last = COLUMNS.index("n_splits")
    known = {*COLUMNS, "score_p_value"}
    scores = [name for name in frame.columns if name not in known]
    return frame[[*COLUMNS[:last], *scores, *COLUMNS[last:]]]


def with_final(pipeline: Pipeline, model: Any) -> Pipeline:
    """The pipeline with another final estimator."""
    return clone(pipeline).set_params(**{pipeline.steps[-1][0]: clone(model)})


def _table(estimates: Estimates, model: str, names: list[str]) -> pd.DataFrame:
    """Rows of one model, of which the last candidate is the pipeline's own stage."""
    whole, nothing = whole_of(estimates), variant_of(estimates, 0)
    rows = []
    for pair, (k, name) in itertools.product(estimates.pairs, enumerate(names)):
        is_own = k == len(names) - 1
        mine = whole if is_own else variant_of(estimates, k)
        against_nothing = estimates.tables(mine, nothing, pair)
        shared = {"model": model, "candidate": name, "sensitive": pair.sensitive}
        shared |= {"group": group_name(pair), **state_of(mine, pair)}
        shared |= scores_of(mine) | score_change(estimates, mine, whole)
        for metric in estimates.gaps.metrics:
            effect = estimates.interval(
                [float(estimates.gaps.effect(t)[metric]) for t in against_nothing if t is not None]
            )
            found = {
                "metric": metric,
                "effect": effect["mean"],
                "effect_ci_low": effect["ci_low"],
                "effect_ci_high": effect["ci_high"],
                **gap_and_change(estimates, mine, whole, pair, metric),
            }
            if is_own:
                # the stage itself is no change to be tested
                found |= {"p_value": np.nan, "score_p_value": np.nan}
            rows.append(shared | found)
    frame = pd.DataFrame(rows)
    scores = [name for name in scores_of(whole) if name in frame]
    by = [frame[name] for name in QUESTION]
    frame["rank"] = frame["gap"].abs().groupby(by).rank(method="first").astype("Int64")
    best_first = -frame[scores[0]] if scores else pd.Series(np.nan, frame.index)
    frame["score_rank"] = best_first.groupby(by).rank(method="first").astype("Int64")
    order = {metric: i for i, metric in enumerate(estimates.gaps.metrics)}
    return frame.sort_values(
        ["sensitive", "group", "metric", "rank"],
        key=lambda column: column.map(order) if column.name == "metric" else column,
        kind="stable",
    )
