"""What it costs to measure five stages on Adult, beside fitting everything anew and the floor."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.feature_selection import SelectKBest, mutual_info_classif
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    KBinsDiscretizer,
    OneHotEncoder,
    OrdinalEncoder,
    QuantileTransformer,
    StandardScaler,
    TargetEncoder,
)

from benchmarks._results import Results
from skcorrupt import StageFairnessAblator

TEXT = ["workclass", "education", "marital", "occupation", "relationship", "gender", "country"]
STAGES = ("impute", "encode", "scale", "select", "discretise")
OF_ANEW, OF_FLOOR = 0.40, 1.15
N_TREES, N_REGRESSION_TREES = 30, 10
WARM_ROWS = 1_000


@dataclass
class Seconds:
    """Processor seconds of fitting, and of transforming and predicting the test rows."""

    fitting: float = 0.0
    testing: float = 0.0

    def run(self, kind: str, call: Any, *arguments: Any) -> Any:
        """Call and add what it takes."""
        started = time.process_time()
        out = call(*arguments)
        setattr(self, kind, getattr(self, kind) + time.process_time() - started)
        return out

    @property
    def total(self) -> float:
        """Both."""
        return self.fitting + self.testing


@dataclass(frozen=True)
class Timed:
    """A pipeline that is timed.

    Attributes
    ----------
    name : str
        What its stages cost.
    pipeline : Pipeline
        Impute, encode, scale, select and discretise, before a model.
    references : dict of str to estimator or "passthrough"
        What stands in the place of each stage.
    rounds : int
        How often it is timed; what takes seconds is disturbed more easily.
    """

    name: str
    pipeline: Pipeline
    references: dict[str, Any]
    rounds: int


def costly(model: Any, *, imputer: Any = None) -> Timed:
    """A model of the others fills in codes, mutual information selects.

    Parameters
    ----------
    model : estimator
        The last step.
    imputer : estimator, default=None
        What fills in; None is a forest a column, which is costly to fit only.

    Returns
    -------
    Timed
        Every stage is compared with nothing.
    """
    name = "costly" if imputer is None else "costly, also to apply"
    if imputer is None:
        forest = RandomForestRegressor(N_REGRESSION_TREES, max_depth=8, random_state=0)
        imputer = IterativeImputer(forest, max_iter=5, random_state=0)
    codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    information = partial(mutual_info_classif, random_state=0)
    steps = (
        _on(make_pipeline(codes, imputer)),
        _targets(),
        QuantileTransformer(random_state=0),
        SelectKBest(information, k=8),
        _bins(),
        model,
    )
    pipeline = Pipeline(list(zip((*STAGES, "model"), steps, strict=True)))
    return Timed(name, pipeline, dict.fromkeys(STAGES, "passthrough"), 2)


def neighbours(model: Any) -> Timed:
    """Costly stages, the first of which is costly to apply as well.

    Parameters
    ----------
    model : estimator
        The last step.

    Returns
    -------
    Timed
        Every stage is compared with nothing.
    """
    return costly(model, imputer=KNNImputer())


def cheap(model: Any) -> Timed:
    """The mode fills in, an F test selects.

    Parameters
    ----------
    model : estimator
        The last step.

    Returns
    -------
    Timed
        The encoder is compared with one-hot encoding, the others with nothing.
    """
    mode = _on(SimpleImputer(strategy="most_frequent"))
    steps = (mode, _targets(), StandardScaler(), SelectKBest(k=8), _bins(), model)
    code = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    onehot = ColumnTransformer([("onehot", code, TEXT)], remainder="passthrough")
    pipeline = Pipeline(list(zip((*STAGES, "model"), steps, strict=True)))
    references = {**dict.fromkeys(STAGES, "passthrough"), "encode": onehot}
    return Timed("cheap", pipeline, references, 4)


def _on(imputer: Any) -> ColumnTransformer:
    out = ColumnTransformer(
        [("text", imputer, TEXT)], remainder="passthrough", verbose_feature_names_out=False
    )
    return out.set_output(transform="pandas")


def _targets() -> ColumnTransformer:
    return ColumnTransformer([("target", TargetEncoder(), TEXT)], remainder="passthrough")


def _bins() -> KBinsDiscretizer:
    return KBinsDiscretizer(8, encode="onehot-dense", quantile_method="averaged_inverted_cdf")


def measure_speed(
    X: pd.DataFrame, y: pd.Series, splits: list[tuple[np.ndarray, np.ndarray]], results: Results
) -> None:
    """A row a pipeline: the ablator beside fitting all anew, and beside the least that is needed.

    Parameters
    ----------
    X, y : DataFrame, Series
        Adult.
    splits : list of (ndarray of int, ndarray of int)
        Training and test rows.
    results : Results
        Where rows go.
    """
    models = {
        "logistic regression": LogisticRegression(),
        "histogram boosting": HistGradientBoostingClassifier(random_state=0),
        "random forest": RandomForestClassifier(N_TREES, random_state=0),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # what is imported at first use is no part of the comparison
        timed(cheap(LogisticRegression()), X[:WARM_ROWS], y[:WARM_ROWS], [_halves(WARM_ROWS)])
        for kind in (costly, neighbours, cheap):
            for name, model in models.items():
                if kind is cheap or name != "random forest":
                    results.add("speed", {"model": name, **timed(kind(model), X, y, splits)})


def _halves(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Two halves."""
    rows = np.arange(n_rows)
    return rows[: n_rows // 2], rows[n_rows // 2 :]


def timed(
    case: Timed, X: pd.DataFrame, y: pd.Series, splits: list[tuple[np.ndarray, np.ndarray]]
) -> dict[str, Any]:
    """What one pipeline costs.

    Parameters
    ----------
    case : Timed
        The pipeline.
    X, y : DataFrame, Series
        Its data.
    splits : list of (ndarray of int, ndarray of int)
        Training and test rows.

    Returns
    -------
    dict
        Seconds of the ablator and of the floor, each the least of all rounds, and of fitting all
        anew, their shares, and whether the bounds are kept.
    """
    own, least, anew = [], [], Seconds()
    for _ in range(case.rounds):
        own.append(_ablated(case, X, y, splits))
        least.append(Seconds())
        for data in _parts(X, y, splits):
            _least(case, *data, least[-1])
    for data in _parts(X, y, splits):
        _anew(case, *data, anew)
    # what else runs on the machine only ever adds
    seconds, floor = min(own), min(least, key=lambda found: found.total)
    return {
        "stages": case.name,
        "rows": len(X),
        "splits": len(splits),
        "rounds": case.rounds,
        "seconds": seconds,
        "anew": anew.total,
        "of_anew": seconds / anew.total,
        "floor": floor.total,
        "least_share": floor.total / anew.total,
        "of_floor": seconds / floor.total,
        "of_fits": seconds / floor.fitting,
        "share_reached": seconds <= OF_ANEW * anew.total,
        "floor_reached": seconds <= OF_FLOOR * floor.total,
    }


def _parts(X: pd.DataFrame, y: pd.Series, splits: list) -> Iterator[tuple[Any, Any, Any]]:
    for train, test in splits:
        yield X.iloc[train], y.iloc[train], X.iloc[test]


def _ablated(case: Timed, X: pd.DataFrame, y: pd.Series, splits: list) -> float:
    ablator = StageFairnessAblator(
        case.pipeline,
        sensitive_features="race",
        privileged=1,
        pos_label=1,
        stages=list(STAGES),
        references=case.references,
        cv=splits,
        random_state=0,
        error_score="raise",
    )
    started = time.process_time()
    ablator.fit(X, y)
    seconds = time.process_time() - started
    if set(ablator.stage_effects_["status"]) != {"ok"}:
        raise RuntimeError("A stage of the pipeline that is timed cannot be left out.")
    return seconds


def _anew(case: Timed, X: Any, y: Any, X_test: Any, seconds: Seconds) -> None:
    """With and without every stage, all of it fitted."""
    for stage in STAGES:
        for changed in ({}, {stage: case.references[stage]}):
            model = clone(case.pipeline).set_params(**changed)
            seconds.run("fitting", model.fit, X, y)
            seconds.run("testing", model.predict, X_test)


def _least(case: Timed, X: Any, y: Any, X_test: Any, seconds: Seconds) -> None:
    """One fit of every distinct prefix, and a fit of the model with and without each stage."""
    before, pipeline = [], case.pipeline
    data = X, X_test
    for _, step in pipeline.steps[:-1]:
        before.append(data)
        data = _through(clone(step), *data, y, seconds)
    ends = [data]
    for k, stage in enumerate(STAGES):
        data = before[k]
        other = case.references[stage]
        later = [step for _, step in pipeline.steps[k + 1 : -1]]
        for step in later if isinstance(other, str) else [other, *later]:
            data = _through(clone(step), *data, y, seconds)
        ends.append(data)
    for train, test in ends:
        model = clone(pipeline.steps[-1][1])
        seconds.run("fitting", model.fit, train, y)
        seconds.run("testing", model.predict, test)


def _through(step: Any, X: Any, X_test: Any, y: Any, seconds: Seconds) -> tuple[Any, Any]:
    out = seconds.run("fitting", step.fit_transform, X, y)
    return out, seconds.run("testing", step.transform, X_test)
