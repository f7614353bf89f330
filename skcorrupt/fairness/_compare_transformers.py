"""What to use in the place of a stage."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from skcorrupt.evaluation._pipelines import stage_at
from skcorrupt.utils import as_table, check_arguments, draw_seed, named_estimators, warned_once
from skcorrupt.utils._typing import (
    ColumnLabels,
    ColumnLike,
    Estimator,
    Folds,
    RandomState,
    Scorings,
    TableLike,
)

from ._candidates import COMMON, LAST, compared, with_samplers
from ._catalogue import Candidates, candidates_of
from ._effects import Estimates, named, scores_of
from ._problem import make_problem
from ._sensitive import values_given
from ._splits import Setup, run_splits, scorers_of
from ._stages import Variant

NOTHING = "nothing"
QUESTION = ["sensitive", "group", "metric"]
COLUMNS = [
    *["model", "candidate", *QUESTION, "effect", "effect_low", "effect_high", "gap", "gap_std"],
    *["gap_low", "gap_high", "change", "change_low", "change_high", "p_value", "p_adjusted"],
    *["significant", "rank", "score_change", "score_change_low", "score_change_high"],
    *["score_p_adjusted", "score_significant", "score_rank"],
]


@warned_once()
def compare_transformers(
    pipeline: Pipeline,
    stage: str,
    X: TableLike,
    y: ColumnLike,
    *,
    sensitive_features: ColumnLabels | None,
    privileged: Any,
    pos_label: Hashable | None,
    candidates: Candidates = "scaling",
    estimators: Sequence[Estimator] | Mapping[str, Estimator] | None = None,
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
        p_adjusted is at most alpha.
    n_jobs : int or None, default=None
        Number of workers; splits run in parallel.
    random_state : None, int, RandomState or Generator, default=None
        Source of all seeds.
    verbose : int, default=0
        1 shows a progress bar.

    Returns
    -------
    DataFrame
        One row per model, candidate ("nothing" and the pipeline's own stage among them), pair of
        groups and metric, best first: `effect` of the candidate against nothing, the `gap` of the
        whole pipeline with it, `change` of the gap's size against the pipeline's own stage (below
        0 is fairer), `p_value` (which also rules out that the gap has only turned around),
        `p_adjusted` over models and candidates, but not over metrics and groups, and
        `significant`, `rank` by the size of the gap; `score_change` of the first score against the
        own stage, `score_p_adjusted, score_significant, score_rank`; mean scores, `n_splits`,
        `status` and `message`. The interval of each is in `_low` and `_high` added to its name.

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
    pipeline = with_samplers(pipeline, stage, found)
    models = {"": pipeline.steps[-1][1]} if estimators is None else named_estimators(estimators)
    variants = [Variant(place, each) for each in (None, *found.values())]
    final = pipeline.steps[-1][0]
    pipelines = [clone(pipeline).set_params(**{final: clone(each)}) for each in models.values()]
    setup = Setup(pipelines, variants, scorers_of(pipeline, scoring), pos_label)
    results, _ = run_splits(
        setup, problem.splits, n_jobs=n_jobs, verbose=verbose, title="Comparing"
    )
    names = [NOTHING, *found, f"{type(place.estimator).__name__} (own)"]
    tables = []
    for (name, model), mine in zip(models.items(), results, strict=True):
        estimates = Estimates(mine, problem, alpha)
        tables.append(_table(estimates, names).assign(model=name or type(model).__name__))
    frame = estimates.adjusted(estimates.tested(pd.concat(tables, ignore_index=True)), QUESTION)
    scores = estimates.adjusted(frame.assign(p_value=frame["score_p_value"]), QUESTION)
    frame["score_p_adjusted"] = scores["p_adjusted"]
    frame["score_significant"] = scores["significant"]
    known = {*COLUMNS, *LAST, "score_p_value"}
    return frame[[*COLUMNS, *(name for name in frame if name not in known), *LAST]]


def _table(estimates: Estimates, names: list[str]) -> pd.DataFrame:
    """Rows of one model, of which the last candidate is the pipeline's own stage."""
    whole, nothing = estimates.whole, estimates.variant(0)
    frames = []
    for k, name in enumerate(names):
        is_own = k == len(names) - 1
        mine = whole if is_own else estimates.variant(k)
        effects = []
        for pair in estimates.pairs:
            tables = estimates.tables(mine, nothing, pair)
            values = estimates.by_split(tables, estimates.gaps.effect)
            effects.append(named(estimates.interval(values), "effect"))
        found = compared(estimates, mine, whole).assign(candidate=name)
        if is_own:
            # the stage itself is no change to be tested
            found[["p_value", "score_p_value"]] = np.nan
        frames.append(found.join(pd.concat(effects, ignore_index=True)))
    frame = pd.concat(frames, ignore_index=True)
    by = [frame[name] for name in QUESTION]
    score = next((name for name in scores_of(whole)), None)
    frame["rank"] = frame["gap"].abs().groupby(by).rank(method="first").astype("Int64")
    best_first = pd.Series(np.nan, frame.index) if score is None else -frame[score]
    frame["score_rank"] = best_first.groupby(by).rank(method="first").astype("Int64")
    order = {metric: i for i, metric in enumerate(estimates.gaps.metrics)}
    return frame.sort_values(
        [*QUESTION, "rank"],
        key=lambda column: column.map(order) if column.name == "metric" else column,
        kind="stable",
    )
