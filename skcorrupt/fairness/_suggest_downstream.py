"""What to put after a biased stage."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from numbers import Real
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.base import clone, is_regressor
from sklearn.metrics import check_scoring
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline

from skcorrupt.evaluation import take_rows
from skcorrupt.utils import LARGEST, as_table, check_arguments, draw_seed, spawn_seeds
from skcorrupt.utils._compat import Interval
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
    largest_gap_falls,
    run_models,
    score_change,
    scores_of,
    state_of,
    takes_samplers,
    variant_of,
    whole_of,
    with_samplers,
)
from ._catalogue import PARTS, candidates_of
from ._constraints import COMMON
from ._effects import Estimates
from ._problem import Problem, make_problem, one_column
from ._references import Reference
from ._sensitive import values_given
from ._splits import Variant
from ._stages import Stage, parts_of, stage_at

_CONSTRAINTS: dict[str, list[Any]] = COMMON | {
    "metric": [str, None],
    "max_loss": [Interval(Real, -LARGEST, LARGEST, closed="both")],
    "confirm_size": [Interval(Real, 0, 1, closed="neither")],
}
STEP = "downstream"
CONFIRMED = ["gap", "gap_ci_low", "gap_ci_high", "change", "change_ci_low", "change_ci_high"]


def suggest_downstream(
    pipeline: Pipeline,
    after: str,
    X: TableLike,
    y: ColumnLike,
    *,
    sensitive_features: ColumnLabels | None,
    privileged: Any,
    pos_label: Hashable | None,
    metric: Literal[
        "spd", "eod", "aod", "erd", "mean_prediction", "mean_error", "mean_absolute_error"
    ]
    | None = None,
    candidates: str | Sequence[Any] | Mapping[str, Any] | None = None,
    max_loss: float = 0.02,
    confirm_size: float = 0.5,
    scoring: Scorings = None,
    cv: Folds = None,
    alpha: float = 0.05,
    n_jobs: int | None = None,
    random_state: RandomState = None,
    verbose: int = 0,
) -> pd.DataFrame:
    """Look for a transformer that, put after a stage, brings the fairness of the pipeline back.

    The transformer is chosen on a part of the rows and confirmed on the others, with which it had
    nothing to do, as the best of many looks better than it is.

    Parameters
    ----------
    pipeline : Pipeline
        The pipeline, left as it is.
    after : str
        Parameter path of the stage after which to look, such as "impute" or "prep__num__impute".
    X : table of shape (n_samples, n_features)
        The raw data.
    y : array-like of shape (n_samples,)
        Labels.
    sensitive_features, privileged, pos_label : object
        As in `compare_transformers`. With several groups the largest gap counts.
    metric : {"spd", "eod", "aod", "erd", "mean_prediction", "mean_error", \\
            "mean_absolute_error"}, default=None
        The gap to close; None is "spd", "mean_prediction" for regressors.
    candidates : str, list, mapping or None, default=None
        As in `compare_transformers`; None is the whole catalogue (table 2 of [1]_), samplers only
        where the pipeline can take them: at its top level, and if no step is a pipeline itself.
    max_loss : float, default=0.02
        Most that the first score may fall on average; what loses more is neither chosen nor
        confirmed.
    confirm_size : float in (0, 1), default=0.5
        Share of the rows on which the choice is confirmed.
    scoring : str, callable, list, dict or None, default=None
        Performance; None is accuracy and the F1 of the favourable label, R² for regressors.
    cv : int, splitter or None, default=None
        Splits of either part, as in StageFairnessAblator.
    alpha : float in (0, 1), default=0.05
        Level of what is `confirmed`, one minus that of the intervals.
    n_jobs : int or None, default=None
        Number of workers; splits run in parallel.
    random_state : None, int, RandomState or Generator, default=None
        Source of all seeds.
    verbose : int, default=0
        1 shows a progress bar.

    Returns
    -------
    DataFrame
        A row a candidate and pair of groups, best first, "nothing" among them: `gap` of the
        pipeline with the candidate and `change` of its size against the pipeline as it is (below 0
        is fairer), both with intervals, mean scores, `chosen`; for what was chosen the same on the
        other rows as `confirmed_gap, confirmed_change, …`, `confirmed_score_change`, and one
        verdict on all of its rows: the `p_value` of the largest gap not having become smaller, and
        whether it is `confirmed` to have, at a bearable loss; `n_splits`, `status` and `message`.
        Nothing is chosen where no candidate makes the largest gap smaller at a bearable loss.

    Raises
    ------
    ValueError
        If the stage, a column, label, metric or privileged value is not there, or the pipeline
        fails on every split.

    References
    ----------
    .. [1] S. Biswas, H. Rajan, Fair Preprocessing, ESEC/FSE 2021, section 7.2.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from sklearn.decomposition import PCA
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import Pipeline
    >>> from sklearn.preprocessing import FunctionTransformer, StandardScaler
    >>> from skcorrupt.fairness import suggest_downstream
    >>> rng = np.random.default_rng(0)
    >>> X = pd.DataFrame({"sex": rng.integers(0, 2, 800), "skill": rng.normal(size=800)})
    >>> y = (X["skill"] + 2 * X["sex"] + rng.normal(size=800) > 1).astype(int)
    >>> pipeline = Pipeline([("scale", StandardScaler()), ("model", LogisticRegression())])
    >>> without_sex = FunctionTransformer(lambda X: X[:, 1:])
    >>> table = suggest_downstream(
    ...     pipeline,
    ...     "scale",
    ...     X,
    ...     y,
    ...     sensitive_features="sex",
    ...     privileged=1,
    ...     pos_label=1,
    ...     candidates={"no sex": without_sex, "PCA": PCA(2)},
    ...     max_loss=0.3,
    ...     random_state=0,
    ... )
    >>> table[["candidate", "gap", "change", "chosen", "confirmed"]].round(2)
      candidate   gap  change  chosen  confirmed
    0    no sex  0.01    -0.6    True       True
    1       PCA -0.62     0.0   False       <NA>
    2   nothing -0.62     0.0   False       <NA>
    """
    check_arguments("suggest_downstream", _CONSTRAINTS, locals())
    seed = draw_seed(random_state)
    choose_seed, confirm_seed, cut_seed = spawn_seeds(seed, 3)
    place, extended = with_place(pipeline, after)
    n_rows = as_table(X).n_rows
    y = one_column(y, n_rows)
    found = _candidates(candidates, extended, place, n_rows)
    if any(hasattr(candidate, "fit_resample") for candidate in found.values()):
        extended = with_samplers(extended, place.path)
    scorer = None if scoring is None else check_scoring(pipeline, scoring=scoring)
    names, values = values_given(sensitive_features, n_rows)
    asked = {
        "sensitive_features": names,
        "privileged": privileged,
        "pos_label": pos_label,
        "cv": cv,
    }

    def ran(rows: np.ndarray, seed: int, names: list[str]) -> Estimates:
        given = None if values is None else take_rows(values, rows)
        part = take_rows(X, rows), take_rows(y, rows)
        problem = make_problem(extended, *part, **asked, given=given, seed=seed)
        _metric(metric, problem)
        variants = [Variant(place, Reference(found[name])) for name in names]
        results = run_models(
            [extended], variants, problem, scorer, pos_label, n_jobs=n_jobs, verbose=verbose
        )
        return Estimates(results[0], problem, alpha)

    choosing, confirming = _parts(pipeline, y, confirm_size, cut_seed)
    estimates = ran(choosing, choose_seed, list(found))
    table = _chosen(estimates, list(found), _metric(metric, estimates.problem), max_loss)
    chosen = table.loc[table["chosen"], "candidate"].unique().tolist()
    confirmation = ran(confirming, confirm_seed, chosen) if chosen else None
    return _with_confirmation(table, confirmation, alpha, max_loss)


def with_place(pipeline: Pipeline, after: str) -> tuple[Stage, Pipeline]:
    """The pipeline with an empty place after a stage.

    Parameters
    ----------
    pipeline : Pipeline
        The pipeline, left as it is.
    after : str
        Parameter path of the stage.

    Returns
    -------
    place : Stage
        The place, in which nothing stands.
    extended : Pipeline
        An unfitted copy that has it.

    Raises
    ------
    TypeError
        If it is not a Pipeline.
    ValueError
        If there is no such stage.
    """
    if not isinstance(pipeline, Pipeline):
        raise TypeError(f"pipeline={pipeline!r} should be a Pipeline.")
    before = stage_at(pipeline, after)
    copy = clone(pipeline)
    above, _, name = after.rpartition("__")
    parent: Any = copy
    for part in above.split("__") if above else []:
        parent = dict(parts_of(parent, whole=True))[part]
    if isinstance(parent, Pipeline):
        names = [step for step, _ in parent.steps]
        new = _free_name(names)
        parent.steps.insert(names.index(name) + 1, (new, "passthrough"))
        path = f"{above}__{new}" if above else new
    else:
        # a part of a union has nothing after it but what is put into one pipeline with it
        stage = dict(parts_of(parent, whole=True))[name]
        inner = list(stage.steps) if isinstance(stage, Pipeline) else [("stage", stage)]
        new = _free_name([step for step, _ in inner])
        parent.set_params(**{name: Pipeline([*inner, (new, "passthrough")])})
        path = f"{after}__{new}"
    # what is put there gives the container that the stage before it gives
    return Stage(path, before.estimator), copy


def _free_name(names: list[str]) -> str:
    new, k = STEP, 2
    while new in names:
        new, k = f"{STEP}{k}", k + 1
    return new


def _candidates(candidates: Any, pipeline: Pipeline, place: Stage, n_rows: int) -> dict[str, Any]:
    if candidates is not None:
        return candidates_of(candidates, n_rows)
    sampling = takes_samplers(pipeline, place.path)
    parts = [part for part in PARTS if part != "sampling" or sampling]
    return {name: each for part in parts for name, each in candidates_of(part, n_rows).items()}


def _metric(metric: str | None, problem: Problem) -> str:
    allowed = problem.gaps.metrics
    if metric is None:
        return allowed[0]
    if metric not in allowed:
        raise ValueError(f"metric={metric!r} should be one of {list(allowed)}, or None.")
    return metric


def _parts(pipeline: Any, y: Any, size: float, seed: int) -> list[np.ndarray]:
    """The rows to choose on and those to confirm on, with the same shares of labels."""
    labels = pd.Series(np.asarray(y), dtype=object)
    try:
        codes, classes = pd.factorize(labels, sort=True)
    except TypeError:
        # labels of no order, in that in which they come
        codes, classes = pd.factorize(labels)
    fewest = int(len(codes) * min(size, 1 - size))
    if not fewest:
        raise ValueError(f"confirm_size={size!r} leaves a part of the {len(codes)} rows empty.")
    few = np.bincount(codes[codes >= 0]).min(initial=2) < 2 or fewest < len(classes)
    stratify = None if is_regressor(pipeline) or few or (codes < 0).any() else codes
    rows = train_test_split(
        np.arange(len(codes)), test_size=size, stratify=stratify, random_state=seed % 2**32
    )
    return [np.sort(part) for part in rows]


def _chosen(estimates: Estimates, names: list[str], metric: str, max_loss: float) -> pd.DataFrame:
    """What every candidate does on the rows to choose on, and which is chosen."""
    whole = whole_of(estimates)
    rows: list[dict[str, Any]] = []
    for k, name in enumerate([*names, "nothing"]):
        mine = variant_of(estimates, k) if k < len(names) else whole
        for pair in estimates.pairs:
            found = gap_and_change(estimates, mine, whole, pair, metric)
            del found["p_value"], found["gap_std"]
            rows.append(
                {
                    "candidate": name,
                    "sensitive": pair.sensitive,
                    "group": group_name(pair),
                    "metric": metric,
                    **found,
                    **scores_of(mine),
                    **state_of(mine, pair),
                }
            )
    table = pd.DataFrame(rows)
    largest = table["gap"].abs().groupby(table["candidate"]).transform(lambda gaps: gaps.max())
    table["_size"] = largest
    table = table.sort_values("_size", kind="stable", na_position="last")
    now = float(table.loc[table["candidate"] == "nothing", "_size"].iloc[0])
    good = (table["_size"] < now) & (table["candidate"] != "nothing")
    scores = scores_of(whole)
    score = next(iter(scores), None)
    if score is not None:
        lossy = good & (table[score] < scores[score] - max_loss)
        table.loc[lossy, "message"] = f"its {score} falls by more than max_loss={max_loss:g}"
        good &= ~lossy
    best = table.loc[good, "candidate"].iloc[0] if good.any() else None
    table["chosen"] = table["candidate"] == best
    return table.drop(columns="_size").reset_index(drop=True)


def _with_confirmation(
    table: pd.DataFrame, confirmation: Estimates | None, alpha: float, max_loss: float
) -> pd.DataFrame:
    for name in (*(f"confirmed_{each}" for each in CONFIRMED), "confirmed_score_change", "p_value"):
        table[name] = np.nan
    table["confirmed"] = pd.array([pd.NA] * len(table), dtype="boolean")
    if confirmation is not None:
        _confirm(table, confirmation, alpha, max_loss)
    last = ["n_splits", "status", "message"]
    return table[[*(name for name in table if name not in last), *last]]


def _confirm(table: pd.DataFrame, confirmation: Estimates, alpha: float, max_loss: float) -> None:
    """Fill in what was found on the rows to confirm on."""
    mine, whole = variant_of(confirmation, 0), whole_of(confirmation)
    metric = table["metric"].iloc[0]
    chosen = table["chosen"]
    for pair in confirmation.pairs:
        found = gap_and_change(confirmation, mine, whole, pair, metric)
        where = (table["sensitive"] == pair.sensitive) & (table["group"] == group_name(pair))
        for name in CONFIRMED:
            table.loc[chosen & where, f"confirmed_{name}"] = found[name]
    # which gap was the largest is known from the rows to choose on
    before = table[table["candidate"] == "nothing"]
    worst = before.iloc[int(np.nanargmax(before["gap"].abs()))]
    [largest] = [
        pair
        for pair in confirmation.pairs
        if (pair.sensitive, group_name(pair)) == (worst["sensitive"], worst["group"])
    ]
    fairer, p_value = largest_gap_falls(confirmation, mine, whole, largest, metric)
    change = score_change(confirmation, mine, whole)["score_change"]
    table.loc[chosen, "confirmed_score_change"] = change
    table.loc[chosen, "p_value"] = p_value
    if np.isnan(p_value):
        table.loc[chosen, "message"] = "too few splits to confirm anything"
        return
    bearable = not change < -max_loss
    table.loc[chosen, "confirmed"] = fairer and p_value <= alpha and bearable
    if not bearable:
        table.loc[chosen, "message"] = "loses more than max_loss on the rows to confirm on"
