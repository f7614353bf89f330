"""One walker over pipelines: their stages, their models, and the columns that reach a step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import FeatureUnion, Pipeline

from skcorrupt.utils import Table
from skcorrupt.utils._typing import Estimator

# where meta-estimators keep what they fit
INNER = ("estimator", "regressor", "classifier")


@dataclass(frozen=True)
class Stage:
    """A stage of a pipeline.

    Attributes
    ----------
    path : str
        Its parameter path, such as "prep__num__scale".
    estimator : estimator
        The stage as the user made it.
    in_union : bool
        Whether it stands directly in a FeatureUnion, where to leave it out is to drop it.
    """

    path: str
    estimator: Any
    in_union: bool = False


def is_composite(estimator: Any) -> bool:
    """Whether an estimator is made of stages."""
    return isinstance(estimator, (Pipeline, ColumnTransformer, FeatureUnion))


def is_empty(part: Any) -> bool:
    """Whether nothing stands in a place."""
    return part is None or isinstance(part, str)


def places_of(estimator: Any, *, whole: bool = True) -> list[tuple[str, Any]]:
    """Names and contents of the places in a composite, empty ones included.

    Parameters
    ----------
    estimator : Pipeline, ColumnTransformer or FeatureUnion
        The composite.
    whole : bool, default=True
        Whether the last step of a pipeline belongs to them; a last step that is a pipeline
        itself always does.

    Returns
    -------
    list of (str, estimator)
        In the order in which they run.
    """
    if isinstance(estimator, Pipeline):
        whole = whole or isinstance(estimator.steps[-1][1], Pipeline)
        return list(estimator.steps if whole else estimator.steps[:-1])
    if isinstance(estimator, FeatureUnion):
        return list(estimator.transformer_list)
    parts = [(name, part) for name, part, _ in estimator.transformers]
    return [*parts, ("remainder", estimator.remainder)]


def parts_of(estimator: Any, *, whole: bool = True) -> list[tuple[str, Any]]:
    """As `places_of`, without the places in which nothing stands."""
    return [(name, part) for name, part in places_of(estimator, whole=whole) if not is_empty(part)]


def ends_in_stage(composite: Any, name: str, whole: bool) -> bool:
    """Whether the last step of a part is a stage: not so where a final estimator stands.

    Parameters
    ----------
    composite : estimator
        What the part stands in.
    name : str
        Name of the part.
    whole : bool
        Whether the last step of the composite is a stage.

    Returns
    -------
    bool
        The answer.
    """
    return whole or not isinstance(composite, Pipeline) or name != composite.steps[-1][0]


def stages_of(pipeline: Pipeline) -> list[Stage]:
    """All stages before the final estimator, in the order in which they run.

    Parameters
    ----------
    pipeline : Pipeline
        The pipeline.

    Returns
    -------
    list of Stage
        Its leaves; a ColumnTransformer, FeatureUnion or inner pipeline stands for its parts.
    """
    return list(_leaves(pipeline, "", whole=False))


def _leaves(composite: Any, path: str, *, whole: bool) -> Iterator[Stage]:
    for name, part in parts_of(composite, whole=whole):
        here = f"{path}__{name}" if path else name
        if is_composite(part):
            yield from _leaves(part, here, whole=ends_in_stage(composite, name, whole))
        else:
            yield Stage(here, part, isinstance(composite, FeatureUnion))


def stage_at(pipeline: Pipeline, path: str) -> Stage:
    """The stage with a parameter path.

    Parameters
    ----------
    pipeline : Pipeline
        The pipeline.
    path : str
        Such as "prep__num__scale", or "prep" for all of it.

    Returns
    -------
    Stage
        The stage.

    Raises
    ------
    ValueError
        If there is none.
    """
    parent, composite, whole = None, pipeline, False
    for name in path.split("__") if isinstance(path, str) else [""]:
        parts = dict(parts_of(composite, whole=whole)) if is_composite(composite) else {}
        if composite is not None:
            whole = ends_in_stage(composite, name, whole)
        parent, composite = composite, parts.get(name)
    # a pipeline that ends in the final estimator cannot be left out
    if composite is None or not whole:
        there = ", ".join(stage.path for stage in stages_of(pipeline))
        raise ValueError(
            f"stages: {path!r} is not a stage of the pipeline; its stages are {there}."
        )
    return Stage(path, composite, isinstance(parent, FeatureUnion))


def last_step(estimator: Estimator) -> Any:
    """The model at the end of pipelines, and inside meta-estimators.

    Parameters
    ----------
    estimator : estimator
        A pipeline, a meta-estimator around one, or a single model.

    Returns
    -------
    estimator
        What has no other estimator inside.
    """
    while True:
        if isinstance(estimator, Pipeline):
            inner = estimator.steps[-1][1]
        else:
            inner = _inner(estimator)
        if inner is None:
            return estimator
        estimator = inner


def _inner(estimator: Any) -> Any:
    """What a meta-estimator fits, None where it is none."""
    found = (getattr(estimator, name, None) for name in INNER)
    return next((each for each in found if hasattr(each, "fit")), None)


def walk(estimator: Estimator, table: Table) -> Iterator[tuple[Any, list[int] | None]]:
    """All steps of an estimator, and which columns come to each of them.

    Parameters
    ----------
    estimator : estimator
        A pipeline, a meta-estimator around one, or a single model.
    table : Table
        The features.

    Yields
    ------
    step : estimator
        What is no composite and no meta-estimator, in the order in which they run.
    columns : list of int or None
        Positions of the columns of the table that come to it, whatever was done to their values;
        None behind a ColumnTransformer or FeatureUnion, where columns have other places.
    """
    yield from _walk(estimator, list(range(table.n_columns)), table)


def _walk(
    estimator: Any, columns: list[int] | None, table: Table
) -> Iterator[tuple[Any, list[int] | None]]:
    if isinstance(estimator, ColumnTransformer):
        left = columns
        for _, part, chosen in estimator.transformers:
            taken = None if columns is None else columns_of(chosen, columns, table)
            left = None if left is None else [j for j in left if j not in (taken or ())]
            yield from _walk(part, taken, table)
        yield from _walk(estimator.remainder, left, table)
    elif is_composite(estimator):
        for _, part in places_of(estimator):
            yield from _walk(part, columns, table)
            if isinstance(estimator, Pipeline) and isinstance(
                part, (ColumnTransformer, FeatureUnion)
            ):
                columns = None
    elif not isinstance(estimator, TransformerMixin) and (inner := _inner(estimator)) is not None:
        # an imputer is what it is, whatever predicts for it
        yield from _walk(inner, columns, table)
    elif not is_empty(estimator):
        yield estimator, columns


def columns_of(chosen: Any, columns: list[int], table: Table) -> list[int]:
    """Positions of the columns that a part of a ColumnTransformer names.

    Parameters
    ----------
    chosen : str, int, slice, list, mask or callable
        As the part names them.
    columns : list of int
        Positions of the columns that come to the ColumnTransformer.
    table : Table
        The features.

    Returns
    -------
    list of int
        Their positions in the table.
    """
    if callable(chosen):
        chosen = chosen(table.source)
    if isinstance(chosen, slice):
        if not isinstance(chosen.start or chosen.stop, str):
            return list(np.array(columns)[chosen])
        # by names, both ends included
        first, last = (
            None if end is None else table.labels.index(end) for end in (chosen.start, chosen.stop)
        )
        return columns[first : None if last is None else last + 1]
    names = [chosen] if np.ndim(chosen) == 0 else list(chosen)
    if names and all(isinstance(name, (bool, np.bool_)) for name in names):
        return [j for j, keep in zip(columns, names, strict=False) if keep]
    by_name = {label: j for j, label in enumerate(table.labels)}
    found = [by_name.get(name, name) for name in names]
    return [int(j) for j in found if isinstance(j, (int, np.integer)) and j < table.n_columns]
