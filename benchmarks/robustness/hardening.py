"""How much harm the hardening takes away, on real tables and three models.

Run `OMP_NUM_THREADS=1 python -m benchmarks hardening [section ...]`. A run goes on where an earlier
one stopped. The harm is the clean score of the original pipeline minus the score, on rows that no
search saw, under the worst error that a search finds against a pipeline: against the original, and,
with a fresh search of the same effort, against what `RobustSearchCV` chose from the remedies of
`suggest_hardening`. Only the training half is used to choose.
"""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import (
    ParameterGrid,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_score,
    train_test_split,
)
from sklearn.pipeline import Pipeline, make_pipeline

from benchmarks._results import saved
from benchmarks.robustness._further_data import FURTHER, IN_ORDER
from benchmarks.robustness._hardening_tables import TOGETHER, tables as tables
from benchmarks.search._common import Data, ResumedResults
from benchmarks.search._served_data import SETS
from benchmarks.search._served_models import models as served_models
from skcorrupt import AdversarialCorruptionSearch, CorruptScale, CorruptSentinel
from skcorrupt.adversarial import Screening, SearchSpace
from skcorrupt.robustness import (
    ReweightedClassifier,
    RobustSearchCV,
    population_margins,
    suggest_hardening,
)
from skcorrupt.robustness._parameter_settings import with_parameters
from skcorrupt.robustness._remedies import (
    marks,
    planted_gaps,
    regularisation,
    unseen_as_gaps,
)
from skcorrupt.robustness._remedies_around import MOST_WEIGHTS
from skcorrupt.robustness._walked import Walked

SECTIONS = (
    *("served", "each", "folds", "looked", "hidden", "further", "in_order", "best"),
    *("trained", "effort", "causes", "weights"),
)
BUDGET = 0.1
# of gaps in training rows that some settings are looked into with
LARGER = 0.3
# tables with two models that gaps in training rows harm, of which half should be mended
ENOUGH = 8
MOST_ROWS = 1_000
CONDITIONS = 2
MAX_CLEAN_LOSS = 0.01
AS_GIVEN = "nothing"
# from those that take least to those that take most
QUICKEST = (
    "Titanic", "German", "COMPAS", "Employee", "Online Shoppers", "Bank", "Adult", "Credit Card",
)  # fmt: skip
# letters of what was chosen
LONGEST = 80
# what counts as harm at all
LEAST_DROP = 0.02
# divisions into folds that a clean score is taken of
DIVISIONS = 8
# shares of the rows of the worst pattern that are lost, and how often such are drawn
LOST = (1.0, 0.9, 0.7)
TIMES = 10
MOST_LOST = 0.3
# candidates that a short search takes from its stand-in to the pipeline
RERANKED = 16
# remedies that are attacked, of those that stand best what is worst without them
MOST_ATTACKED = 3
# seconds that a search of a forest or of boosting may take there
LOOK_OF_TREES = 240.0
UNITS = [CorruptScale(factor=factor) for factor in (1000.0, 0.001, 2.54)]
SERVED: dict[str, Any] = {
    "missing values": "missing",
    "units": UNITS,
    "sentinels": CorruptSentinel(),
    # one choice has to stand whichever is worst
    TOGETHER: ["missing", *UNITS, CorruptSentinel()],
}
# name -> kind of error, whether patterns may name the label
HIDES = "missing values, label forbidden"
TRAINED: dict[str, tuple[str, str]] = {
    HIDES: ("missing", "forbidden"),
    "missing values, label allowed": ("missing", "allowed"),
    "wrong labels": ("labels", "allowed"),
}


def models(X: pd.DataFrame) -> dict[str, Pipeline]:
    """Three pipelines as they are often written, which take all of these errors."""
    numbers = [c for c in X if X[c].dtype.kind in "if"]
    names = [c for c in X if c not in numbers]
    shared = served_models(X)
    boosting = shared["boosting"].set_params(histgradientboostingclassifier__max_iter=50)
    ordered = boosting[0].transformers[1][1]
    return {
        "logistic regression": shared["logistic regression"],
        "forest": make_pipeline(
            make_column_transformer((SimpleImputer(), numbers), (clone(ordered), names)),
            RandomForestClassifier(50, min_samples_leaf=3, random_state=0),
        ),
        "boosting": boosting,
    }


def run(quick: bool = False, sections: Sequence[str] = SECTIONS) -> None:
    """Measure, and save every row as soon as it is there.

    Parameters
    ----------
    quick : bool, default=False
        Two tables and one model.
    sections : sequence of str
        What is run, of `SECTIONS`.
    """
    results = ResumedResults("hardening", quick)
    for name in sections:
        done = {_key(row) for row in results.go_on(name)}
        for key, setting in RUNS[name](quick):
            if key not in done:
                results.add(name, dict(zip(KEYS, key, strict=True)) | setting())


KEYS = ("data", "model", "error")


def _key(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(row[name] for name in KEYS)


def space(label: Any = None) -> SearchSpace:
    """Short patterns, so that hundreds of searches end on one core."""
    return SearchSpace(label=label, max_conditions=CONDITIONS)


def _settings(errors: dict[str, Any], quick: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    for data in QUICKEST[: 2 if quick else None]:
        X_train, y_train, X_test, y_test = some_rows(SETS[data]())
        for error, given in errors.items():
            for model, pipeline in list(models(X_train).items())[: 1 if quick else None]:
                yield (data, model, error), (pipeline, given, X_train, y_train, X_test, y_test)


def some_rows(data: Data) -> Data:
    """As many rows of both halves as fits can be repeated on."""
    X_train, y_train, X_test, y_test = data
    parts: list[Any] = []
    for X, y in ((X_train, y_train), (X_test, y_test)):
        if len(X) > MOST_ROWS:
            X, _, y, _ = train_test_split(X, y, train_size=MOST_ROWS, stratify=y, random_state=0)
        parts += [X.reset_index(drop=True), y.reset_index(drop=True)]
    return tuple(parts)


def served(quick: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Errors in the rows that a fitted model is served."""
    for key, (pipeline, error, *data) in _settings(SERVED, quick):
        yield key, partial(_hardened, pipeline, error, "test", space(), *data)


def each(quick: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What every remedy leaves of the harm of gaps in served rows: the best, in hindsight."""
    error = "missing values"
    for key, (pipeline, given, *data) in _settings({error: SERVED[error]}, quick):
        yield key, partial(_each, pipeline, given, *data)


def _each(
    pipeline: Pipeline,
    error: Any,
    X_train: pd.DataFrame,
    y_train: pd.Series,
    X_test: pd.DataFrame,
    y_test: pd.Series,
) -> dict[str, Any]:
    X_half, X_other, y_half, y_other = train_test_split(
        X_test, y_test, test_size=0.5, stratify=y_test, random_state=0
    )

    def harm_to(params: dict[str, Any]) -> dict[str, Any]:
        model = with_parameters(pipeline, params).fit(X_train, y_train)
        search = _attack(model, error, "test", space()).fit(X_half, y_half)
        return _harm(search.confirm(X_other, y_other))

    before = harm_to({})
    row = {"rows": len(X_train)} | before
    if not row["counts"]:
        return row
    found = _attack(pipeline, error, "test", space()).fit(X_train, y_train).worst_corruption_
    kept = []
    grid = list(ParameterGrid(suggest_hardening(pipeline, [error, found])))
    for params in grid:
        after = harm_to(params)
        if before["clean"] - after["clean"] <= MAX_CLEAN_LOSS:
            kept.append((before["clean"] - after["worst"], _changed(params)))
    least, remedy = min(kept)
    return row | {
        "candidates": len(grid),
        "n_kept": len(kept),
        "n_halved": sum(left <= row["drop"] / 2 for left, _ in kept),
        "least_left": least,
        "remedy": remedy,
    }


def folds(quick: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    """How far a clean score moves from one division into three folds to another."""
    for key, (pipeline, _, X, y, *_) in _settings({"none": None}, quick):
        yield key, partial(_divided, pipeline, X, y)


def _divided(pipeline: Pipeline, X: pd.DataFrame, y: pd.Series) -> dict[str, Any]:
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=DIVISIONS, random_state=0)
    means = cross_val_score(pipeline, X, y, cv=cv, scoring="accuracy").reshape(DIVISIONS, 3).mean(1)
    return {"rows": len(X), "clean": float(means.mean()), "moves": float(means.std(ddof=1))}


def trained(quick: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Errors in the rows that a pipeline is fitted on."""
    for key, (pipeline, (error, label), *data) in _settings(TRAINED, quick):
        yield key, partial(_hardened, pipeline, error, "train", space(label), *data)


def looked(quick: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Which gaps in training rows do harm, by searches a tenth as long.

    Where they do, what is left with gaps told from values, and a steadier model.
    """
    for key, (pipeline, (kind, label), *data) in _settings({HIDES: TRAINED[HIDES]}, quick):
        yield key, partial(_looked, pipeline, kind, space(label), *data)


def hidden(quick: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What is left if values that gaps hid are read as gaps.

    Where the first look found harm, and everywhere with more gaps.
    """
    kind, label = TRAINED[HIDES]
    known = (saved("hardening") or {"sections": {}})["sections"].get("looked", [])
    harmed = {_key(row) for row in known if row["counts"]}
    settings = list(_settings({HIDES: None}, quick))
    for budget in (BUDGET, LARGER):
        for key, (pipeline, _, *rows) in settings:
            if budget == LARGER or key in harmed:
                data, model, error = key
                named = data, model, f"{error}, {budget:.0%}"
                yield named, partial(_hidden, pipeline, kind, space(label), budget, *rows)


def further(quick: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The same with more gaps, on tables that nothing was tuned to."""
    for data in list(FURTHER)[: 2 if quick else None]:
        yield from _of_fresh_table(data, FURTHER[data], quick)


def in_order(quick: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The same on one table after another, until enough have two models that gaps harm."""
    for data, load in IN_ORDER.items():
        if len(_harmed_twice()) >= ENOUGH:
            return
        yield from _of_fresh_table(data, load, quick)


def _of_fresh_table(
    data: str, load: Callable[[], Data], quick: bool
) -> Iterator[tuple[tuple[str, ...], Any]]:
    kind, label = TRAINED[HIDES]
    rows = some_rows(load())
    for model, pipeline in list(models(rows[0]).items())[: 1 if quick else None]:
        named = data, model, f"{HIDES}, {LARGER:.0%}"
        yield named, partial(_hidden, pipeline, kind, space(label), LARGER, *rows)


def best(quick: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What the best remedies leave of wrong labels, and of gaps whose pattern looks at the label.

    Logistic regression first, which takes least.
    """
    errors = {name: given for name, given in TRAINED.items() if name != HIDES}
    settings = list(_settings(errors, quick))
    for key, (pipeline, (kind, label), *rows) in sorted(
        settings, key=lambda setting: setting[0][1] != "logistic regression"
    ):
        yield key, partial(_best, pipeline, kind, space(label), *rows)


def _best(
    pipeline: Pipeline,
    error: str,
    space: SearchSpace,
    X_train: pd.DataFrame,
    y_train: pd.Series,
    X_test: pd.DataFrame,
    y_test: pd.Series,
) -> dict[str, Any]:
    """Every remedy under the error that is worst without it, and those attacked that stand it best.

    It is told by the rows that confirm, so that it is the best in hindsight.
    """
    before = _short(pipeline, pipeline, error, space).fit(X_train, y_train)
    harm = _harm(before.confirm(X_test, y_test))
    row = {"rows": len(X_train), "by": _hit(before), "n_evaluations": before.n_evaluations_} | harm
    if not row["counts"]:
        return row
    found = before.worst_corruption_
    X_struck, y_struck, _ = clone(found).fit(X_train, y_train).corrupt(X_train, y_train)
    known = ~pd.isna(y_struck)
    stood = []
    for params in ParameterGrid(suggest_hardening(pipeline, [error, found])):
        model = with_parameters(pipeline, params)
        try:
            clean = clone(model).fit(X_train, y_train).score(X_test, y_test)
            struck = clone(model).fit(X_struck[known], y_struck[known]).score(X_test, y_test)
        except Exception as failure:
            # what is not installed, or does not take this table
            warnings.warn(f"{_changed(params)}: {failure}", stacklevel=2)
            continue
        if row["clean"] - clean <= MAX_CLEAN_LOSS:
            stood.append((struck, _changed(params), model))
    stood.sort(key=lambda each: -each[0])
    left = []
    for _, said, model in stood:
        if len(left) == MOST_ATTACKED:
            break
        # a candidate may cost more now
        search = _short(pipeline, model, error, space, 2).fit(X_train, y_train)
        if "failed" in search.cv_results_["status"]:
            # what other errors break stands nothing, whatever its scores
            continue
        after = _harm(search.confirm(X_test, y_test))
        lost = row["clean"] - after["clean"]
        left.append(
            (row["clean"] - after["worst"], lost, said, _hit(search), search.n_evaluations_)
        )
    least = min(left, default=(np.nan, np.nan, "", "", 0))
    names = "drop_left", "clean_loss", "remedy", "then", "n_then"
    return row | {"candidates": len(stood)} | dict(zip(names, least, strict=True))


def _hit(search: AdversarialCorruptionSearch) -> str:
    """The columns that a search found, where it hits some, and its pattern."""
    columns = ", ".join(map(str, search.worst_columns_))
    return f"{columns}: {search.worst_pattern_}" if columns else str(search.worst_pattern_)


def _harmed_twice() -> set[str]:
    """Tables with two models that gaps in some number of rows harm, whatever is left of it."""
    known = (saved("hardening") or {"sections": {}})["sections"]
    rows = [row for name in ("hidden", "further", "in_order") for row in known.get(name, [])]
    harmed = Counter((row["data"], row["error"]) for row in rows if row["counts"])
    return {data for (data, _), n_models in harmed.items() if n_models >= 2}


def _hidden(
    pipeline: Pipeline,
    error: str,
    space: SearchSpace,
    budget: float,
    X_train: pd.DataFrame,
    y_train: pd.Series,
    X_test: pd.DataFrame,
    y_test: pd.Series,
) -> dict[str, Any]:
    def attacked(model: Pipeline, times: float = 1) -> dict[str, Any]:
        search = _short(pipeline, model, error, space, times).set_params(budget=budget)
        search.fit(X_train, y_train).confirm(X_test, y_test)
        return _harm(search) | {"by": _hit(search), "n_evaluations": search.n_evaluations_}

    row = {"budget": budget, "rows": len(X_train)} | attacked(pipeline)
    if not row["counts"]:
        return row
    (remedy,) = unseen_as_gaps(Walked(pipeline))
    params = {path: values[0] for path, values in remedy.items()}
    # a candidate may cost more now
    after = attacked(clone(pipeline).set_params(**params), 2)
    return row | {
        "clean_loss": row["clean"] - after["clean"],
        "drop_left": row["clean"] - after["worst"],
        "then": after["by"],
        "n_then": after["n_evaluations"],
    }


def _short(
    given: Pipeline, model: Pipeline, error: str, space: SearchSpace, times: float = 1
) -> AdversarialCorruptionSearch:
    """A search a tenth as long, which ends by the clock where the given model has trees."""
    seconds = None if isinstance(given[-1], LogisticRegression) else times * LOOK_OF_TREES
    search = _attack(model, error, "train", space)
    return search.set_params(strategy=Screening(n_rerank=RERANKED), max_time=seconds)


def _looked(
    pipeline: Pipeline,
    error: str,
    space: SearchSpace,
    X_train: pd.DataFrame,
    y_train: pd.Series,
    X_test: pd.DataFrame,
    y_test: pd.Series,
) -> dict[str, Any]:
    def attacked(model: Pipeline) -> AdversarialCorruptionSearch:
        return _short(pipeline, model, error, space).fit(X_train, y_train).confirm(X_test, y_test)

    before = attacked(pipeline)
    row = (
        {"rows": len(X_train), "found": before.score_drop_}
        | {"columns": ", ".join(map(str, before.worst_columns_))}
        | {"pattern": str(before.worst_pattern_), "n_evaluations": before.n_evaluations_}
        | _harm(before)
    )
    if not row["counts"]:
        return row
    walked = Walked(pipeline)
    steady = [item for remedy in regularisation(walked) for item in remedy.items()]
    told = marks(walked) | {path: values[0] for path, values in steady}
    search = attacked(clone(pipeline).set_params(**told))
    after = _harm(search)
    return row | {
        "clean_loss": row["clean"] - after["clean"],
        "drop_left": row["clean"] - after["worst"],
        "then": f"{', '.join(map(str, search.worst_columns_))}: {search.worst_pattern_}",
    }


def _harm(search: AdversarialCorruptionSearch) -> dict[str, Any]:
    """What the worst error does on rows that were not searched, and whether that counts."""
    clean, worst = search.confirmed_baseline_score_, search.confirmed_score_
    low, high = search.confirmed_interval_
    return {
        "clean": clean,
        "worst": worst,
        "drop": clean - worst,
        "drop_low": low,
        "drop_high": high,
        "counts": bool(clean - worst >= LEAST_DROP and low > 0),
    }


def _hardened(
    pipeline: Pipeline,
    error: Any,
    apply_to: Literal["train", "test"],
    space: SearchSpace,
    X_train: pd.DataFrame,
    y_train: pd.Series,
    X_test: pd.DataFrame,
    y_test: pd.Series,
) -> dict[str, Any]:
    """A setting: the harm to the original, what is chosen, and the harm to that."""
    X_half, X_other, y_half, y_other = train_test_split(
        X_test, y_test, test_size=0.5, stratify=y_test, random_state=0
    )

    def attacked(model: Pipeline) -> AdversarialCorruptionSearch:
        search = _attack(model, error, apply_to, space)
        if apply_to == "test":
            model.fit(X_train, y_train)
            return search.fit(X_half, y_half).confirm(X_other, y_other)
        return search.fit(X_train, y_train).confirm(X_test, y_test)

    started = time.perf_counter()
    before = attacked(clone(pipeline))
    one_search = time.perf_counter() - started
    row = {"rows": len(X_train)} | _harm(before) | {"seconds_of_one_search": one_search}
    if not row["counts"]:
        return row
    clean, worst = row["clean"], row["worst"]
    started = time.perf_counter()
    # the columns that are hit on training rows may be left out
    found = _attack(pipeline, error, apply_to, space).fit(X_train, y_train).worst_corruption_
    errors = [*(error if isinstance(error, list) else [error]), *([] if found is None else [found])]
    choice = RobustSearchCV(
        pipeline, suggest_hardening(pipeline, errors), error, budget=BUDGET,
        max_clean_loss=MAX_CLEAN_LOSS, apply_to=apply_to, space=space, scoring="accuracy",
        confirm_size=None, random_state=1,
    ).fit(X_train, y_train)  # fmt: skip
    spent = time.perf_counter() - started
    after = attacked(choice.best_estimator_)
    left = clean - after.confirmed_score_
    return row | {
        "candidates": len(choice.cv_results_["params"]),
        "chosen": _chosen(choice),
        "hardened_clean": after.confirmed_baseline_score_,
        "hardened_worst": after.confirmed_score_,
        "clean_loss": clean - after.confirmed_baseline_score_,
        "drop_left": left,
        "share_left": left / (clean - worst),
        "halved": bool(
            left <= (clean - worst) / 2
            and clean - after.confirmed_baseline_score_ <= MAX_CLEAN_LOSS
        ),
        "seconds_to_choose": spent,
    }


def _attack(
    model: Pipeline, error: Any, apply_to: Literal["train", "test"], space: SearchSpace
) -> AdversarialCorruptionSearch:
    """The search that every pipeline is attacked by."""
    return AdversarialCorruptionSearch(
        model, error, budget=BUDGET, apply_to=apply_to, space=space, scoring="accuracy",
        confirm_size=None, random_state=0,
    )  # fmt: skip


def _chosen(choice: RobustSearchCV) -> str:
    """The parameters that were changed, without the paths to them."""
    if choice.best_index_ == choice.baseline_index_:
        return AS_GIVEN
    given = choice.baseline_params_
    params = choice.best_params_.items()
    return _changed({k: v for k, v in params if repr(v) != repr(given.get(k))})


def _changed(params: dict[str, Any]) -> str:
    """Parameters in few words."""
    said = ", ".join(f"{k.split('__')[-1]}={_told(v)}" for k, v in params.items())
    return said if len(said) <= LONGEST else said[: LONGEST - 1] + "…"


def _told(value: Any) -> str:
    """A value, of what holds the whole pipeline all but that."""
    # branches of columns end with the columns
    if isinstance(value, list) and hasattr(value[-1][-1], "get_params"):
        own = value[-1][-1].get_params(deep=False)
        if own.pop("estimator", None) is not None:
            return f"{type(value[-1][-1]).__name__}({', '.join(f'{k}={own[k]}' for k in own)})"
    return " ".join(repr(value).split())


def effort(quick: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Seconds of a choice among 24 candidates beside those of one search, in one process."""
    for apply_to in ("test", "train"):
        for data in ("Employee", "German", "Titanic")[: 1 if quick else None]:
            X, y, _, _ = some_rows(SETS[data]())
            key = (data, "logistic regression", f"missing values, {apply_to}")
            yield key, partial(_effort, models(X)["logistic regression"], apply_to, X, y)


def _effort(
    pipeline: Pipeline, apply_to: Literal["train", "test"], X: pd.DataFrame, y: pd.Series
) -> dict[str, Any]:
    shared: dict[str, Any] = {
        "budget": BUDGET, "apply_to": apply_to, "space": space(), "scoring": "accuracy",
        "random_state": 0,
    }  # fmt: skip
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    started = time.perf_counter()
    AdversarialCorruptionSearch(pipeline, "missing", cv=folds, **shared).fit(X, y)
    one = time.perf_counter() - started
    numbers = "columntransformer__pipeline-1__simpleimputer"
    grid = {
        f"{numbers}__strategy": ["mean", "median"],
        f"{numbers}__add_indicator": [False, True],
        "logisticregression__C": [0.003, 0.01, 0.03, 0.1, 1.0, 10.0],
    }
    started = time.perf_counter()
    search = RobustSearchCV(pipeline, grid, "missing", cv=folds, **shared).fit(X, y)
    spent = time.perf_counter() - started
    return {
        "rows": len(X),
        "candidates": len(search.cv_results_["params"]),
        "seconds_of_one_search": one,
        "seconds_to_choose": spent,
        "ratio": spent / one,
        "allowed": 10.0,
        "verdict": "reached" if spent <= 10 * one else "missed",
    }


def causes(quick: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What gaps in served rows take from trees: is it lost, or only not read from other columns."""
    error = "missing values"
    for key, (pipeline, given, *data) in _settings({error: SERVED[error]}, False):
        if key[1] != "logistic regression" and (not quick or key[0] == "Titanic"):
            yield key, partial(_caused, key[1], pipeline, given, *data)


def _caused(
    name: str,
    pipeline: Pipeline,
    error: Any,
    X_train: pd.DataFrame,
    y_train: pd.Series,
    X_test: pd.DataFrame,
    y_test: pd.Series,
) -> dict[str, Any]:
    """The worst error beside a model without the columns that it hits, and one that saw gaps."""
    halves = train_test_split(X_test, y_test, test_size=0.5, stratify=y_test, random_state=0)
    X_other, y_other = halves[1], halves[3]

    def attacked(model: Pipeline) -> AdversarialCorruptionSearch:
        model.fit(X_train, y_train)
        return (
            _attack(model, error, "test", space())
            .fit(halves[0], halves[2])
            .confirm(X_other, y_other)
        )

    given = clone(pipeline)
    before = attacked(given)
    drop = before.confirmed_baseline_score_ - before.confirmed_score_
    row: dict[str, Any] = {"rows": len(X_train), "drop": drop}
    row["counts"] = bool(drop >= LEAST_DROP and before.confirmed_interval_[0] > 0)
    if not row["counts"]:
        return row
    hit = list(before.worst_columns_)
    struck = before.worst_corruption_.fit(X_other, y_other).corrupt(X_other, y_other)
    those = struck.record.X_mask.any(axis=1)
    left = X_train.drop(columns=hit)
    without = models(left)[name].fit(left, y_train)
    right = {
        "right_clean": given.predict(X_other),
        "right_struck": given.predict(struck.X),
        "right_without": without.predict(X_other.drop(columns=hit)),
    }
    (planted,) = planted_gaps(Walked(pipeline))
    taught = clone(pipeline).set_params(**{path: values[-1] for path, values in planted.items()})
    after = attacked(taught)
    return row | {
        "columns": ", ".join(map(str, hit)),
        "pattern": str(before.worst_pattern_),
        "struck": int(those.sum()),
        **{key: float((found == y_other)[those].mean()) for key, found in right.items()},
        "drop_left": before.confirmed_baseline_score_ - after.confirmed_score_,
        "clean_loss": before.confirmed_baseline_score_ - after.confirmed_baseline_score_,
    }


def weights(quick: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What weights by the shares of rows without labels bring back where training rows are lost."""
    for key, (pipeline, error, *data) in _settings({"lost rows": "selection"}, quick):
        if key[1] == "logistic regression":
            yield key, partial(_weighted, pipeline, error, *data)


def _weighted(
    pipeline: Pipeline,
    error: str,
    X_train: pd.DataFrame,
    y_train: pd.Series,
    X_test: pd.DataFrame,
    y_test: pd.Series,
) -> dict[str, Any]:
    """The rows whose loss does most harm, without a label in the pattern, lost in part."""
    search = _attack(pipeline, error, "train", space("forbidden"))
    search.set_params(
        budget=MOST_LOST, scoring="roc_auc", strategy=Screening(n_rerank=RERANKED)
    ).fit(X_train, y_train)
    margins = population_margins(X_test)
    plans = {"plain": clone(pipeline)} | {
        f"weighted_{most:g}": ReweightedClassifier(clone(pipeline), margins, max_weight=most)
        for most in MOST_WEIGHTS
    }

    def scored(model: Any) -> float:
        return float(roc_auc_score(y_test, model.predict_proba(X_test)[:, 1]))

    row: dict[str, Any] = {
        "rows": len(X_train),
        "pattern": str(search.worst_pattern_),
        "clean": scored(clone(pipeline).fit(X_train, y_train)),
    }
    for rate in LOST:
        found: dict[str, list[float]] = {}
        for seed in range(1 if rate == 1 else TIMES):
            lost = clone(search.worst_corruption_).set_params(rate=rate, random_state=seed)
            left = lost.fit(X_train, y_train).corrupt(X_train, y_train)
            for name, plan in plans.items():
                with warnings.catch_warnings():
                    # of what is gone no row can be given weight
                    warnings.filterwarnings("ignore", "margins: .* share_gaps_ tells")
                    model = clone(plan).fit(left.X, left.y)
                found.setdefault(name, []).append(scored(model))
            found.setdefault("left", []).append(len(left.X))
            found.setdefault("worth", []).append(model.effective_n_samples_)
        row |= {f"{name}_{rate:g}": float(np.mean(each)) for name, each in found.items()}
    return row


RUNS = {
    "served": served, "each": each, "folds": folds, "looked": looked, "hidden": hidden,
    "further": further, "in_order": in_order, "best": best, "trained": trained,
    "effort": effort, "causes": causes, "weights": weights,
}  # fmt: skip
