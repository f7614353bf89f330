"""What to put after a biased stage."""

from __future__ import annotations

from collections.abc import Hashable
from numbers import Real
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.base import is_regressor
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline

from skcorrupt.evaluation import take_rows
from skcorrupt.evaluation._pipelines import Stage
from skcorrupt.utils import (
    LARGEST,
    as_table,
    check_arguments,
    check_choice,
    draw_seed,
    spawn_seeds,
    warned_once,
)
from skcorrupt.utils._compat import Interval
from skcorrupt.utils._typing import (
    ColumnLabels,
    ColumnLike,
    Estimator,
    Folds,
    RandomState,
    Scorings,
    TableLike,
)

from ._candidates import (
    COMMON,
    LAST,
    compared,
    largest_gap_falls,
    refusal_of_samplers,
    with_samplers,
)
from ._catalogue import PARTS, Candidates, candidates_of
from ._effects import Estimates, scores_of
from ._problem import make_problem, one_column
from ._sensitive import values_given
from ._splits import Setup, run_splits, scorers_of
from ._stages import Variant, with_place

_CONSTRAINTS: dict[str, list[Any]] = COMMON | {
    "metric": [str, None],
    "max_loss": [Interval(Real, -LARGEST, LARGEST, closed="both")],
    "confirm_size": [Interval(Real, 0, 1, closed="neither")],
}
NOTHING = "nothing"
CONFIRMED = ["gap", "gap_low", "gap_high", "change", "change_low", "change_high"]
# what a comparison has that nothing is said of before the choice
UNSAID = [
    *["gap_std", "p_value", "score_p_value"],
    *["score_change", "score_change_low", "score_change_high"],
]


@warned_once()
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
    candidates: Candidates | None = None,
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
        One row per candidate and pair of groups, best first, "nothing" among them: `gap` of the
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
    extended = with_samplers(extended, place.path, found)
    scorers = scorers_of(pipeline, scoring)
    names, values = values_given(sensitive_features, n_rows)

    def ran(rows: np.ndarray, seed: int, tried: list[str]) -> Estimates:
        problem = make_problem(
            extended,
            take_rows(X, rows),
            take_rows(y, rows),
            sensitive_features=names,
            privileged=privileged,
            pos_label=pos_label,
            cv=cv,
            seed=seed,
            given=None if values is None else take_rows(values, rows),
        )
        if metric is not None:
            check_choice("metric", metric, problem.gaps.metrics)
        variants = [Variant(place, found[name]) for name in tried]
        setup = Setup([extended], variants, scorers, pos_label)
        [results], _ = run_splits(
            setup, problem.splits, n_jobs=n_jobs, verbose=verbose, title="Comparing"
        )
        return Estimates(results, problem, alpha)

    choosing, confirming = _parts(pipeline, y, confirm_size, cut_seed)
    estimates = ran(choosing, choose_seed, list(found))
    gap = metric or estimates.gaps.metrics[0]
    table = _chosen(estimates, list(found), gap, max_loss)
    chosen = table.loc[table["chosen"], "candidate"].unique().tolist()
    if chosen:
        _confirm(table, ran(confirming, confirm_seed, chosen), gap, max_loss)
    return table[[*(name for name in table if name not in LAST), *LAST]]


def _candidates(
    candidates: Candidates | None, pipeline: Pipeline, place: Stage, n_rows: int
) -> dict[str, Estimator]:
    if candidates is not None:
        return candidates_of(candidates, n_rows)
    refused = refusal_of_samplers(pipeline, place.path)
    parts = [part for part in PARTS if part != "sampling" or not refused]
    return {name: each for part in parts for name, each in candidates_of(part, n_rows).items()}


def _parts(pipeline: Pipeline, y: ColumnLike, size: float, seed: int) -> list[np.ndarray]:
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
    whole = estimates.whole
    tried = {name: estimates.variant(k) for k, name in enumerate(names)} | {NOTHING: whole}
    frames = []
    for name, mine in tried.items():
        found = compared(estimates, mine, whole).drop(columns=UNSAID)
        found.insert(0, "candidate", name)
        frames.append(found[found["metric"] == metric])
    table = pd.concat(frames, ignore_index=True)
    table["_size"] = table["gap"].abs().groupby(table["candidate"]).transform("max")
    table = table.sort_values("_size", kind="stable", na_position="last", ignore_index=True)
    is_nothing = table["candidate"] == NOTHING
    good = (table["_size"] < table.loc[is_nothing, "_size"].iloc[0]) & ~is_nothing
    scores = scores_of(whole).mean()
    if len(scores):
        score = scores.index[0]
        lossy = good & (table[score] < scores[score] - max_loss)
        table.loc[lossy, "message"] = f"its {score} falls by more than max_loss={max_loss:g}"
        good &= ~lossy
    best = table.loc[good, "candidate"].iloc[0] if good.any() else None
    unknown = [*(f"confirmed_{each}" for each in CONFIRMED), "confirmed_score_change", "p_value"]
    return table.drop(columns="_size").assign(
        chosen=table["candidate"] == best,
        **dict.fromkeys(unknown, np.nan),
        confirmed=pd.array([pd.NA] * len(table), dtype="boolean"),
    )


def _confirm(table: pd.DataFrame, confirmation: Estimates, metric: str, max_loss: float) -> None:
    """Fill in what was found on the rows to confirm on."""
    mine, whole = confirmation.variant(0), confirmation.whole
    found = compared(confirmation, mine, whole)
    found = found[found["metric"] == metric].set_index(["sensitive", "group"])
    chosen = table["chosen"]
    # both parts have the same groups
    places = pd.MultiIndex.from_frame(table.loc[chosen, ["sensitive", "group"]])
    for name in [*CONFIRMED, "score_change"]:
        table.loc[chosen, f"confirmed_{name}"] = found[name].reindex(places).to_numpy()
    # which gap was the largest is known from the rows to choose on
    before = table[table["candidate"] == NOTHING]
    worst = before.iloc[int(np.nanargmax(before["gap"].abs()))]
    [largest] = [
        pair for pair in confirmation.pairs if all(worst[k] == v for k, v in pair.names.items())
    ]
    fairer, p_value = largest_gap_falls(confirmation, mine, whole, largest, metric)
    table.loc[chosen, "p_value"] = p_value
    if np.isnan(p_value):
        table.loc[chosen, "message"] = "too few splits to confirm anything"
        return
    bearable = not found["score_change"].iloc[0] < -max_loss
    table.loc[chosen, "confirmed"] = fairer and p_value <= confirmation.alpha and bearable
    if not bearable:
        table.loc[chosen, "message"] = "loses more than max_loss on the rows to confirm on"
