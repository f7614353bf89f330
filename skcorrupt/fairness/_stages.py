"""The stages of a pipeline, nested ones included, and the pipeline without one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import FeatureUnion, Pipeline

from skcorrupt.utils._compat import output_container

from ._memo import Cache, MemoSampler, MemoTransformer


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


def parts_of(estimator: Any, *, whole: bool) -> list[tuple[str, Any]]:
    """Names and estimators that a composite is made of.

    Parameters
    ----------
    estimator : Pipeline, ColumnTransformer or FeatureUnion
        The composite.
    whole : bool
        Whether the last step of a pipeline belongs to them; a last step that is a pipeline
        itself always does.

    Returns
    -------
    list of (str, estimator)
        In the order in which they run, without those that do nothing.
    """
    return [(name, part) for name, part in places_of(estimator, whole=whole) if not is_empty(part)]


def places_of(estimator: Any, *, whole: bool) -> list[tuple[str, Any]]:
    """As `parts_of`, with the places in which nothing stands."""
    if isinstance(estimator, Pipeline):
        whole = whole or isinstance(estimator.steps[-1][1], Pipeline)
        return list(estimator.steps if whole else estimator.steps[:-1])
    if isinstance(estimator, FeatureUnion):
        return list(estimator.transformer_list)
    parts = [(name, part) for name, part, _ in estimator.transformers]
    return [*parts, ("remainder", estimator.remainder)]


def is_empty(part: Any) -> bool:
    """Whether nothing stands in a place."""
    return part is None or isinstance(part, str)


def _whole_inside(composite: Any, name: str, whole: bool) -> bool:
    """Whether the last step of a part is a stage: not so where a final estimator stands."""
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
            yield from _leaves(part, here, whole=_whole_inside(composite, name, whole))
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
            whole = _whole_inside(composite, name, whole)
        parent, composite = composite, parts.get(name)
    # a pipeline that ends in the final estimator cannot be left out
    if composite is None or not whole:
        there = ", ".join(stage.path for stage in stages_of(pipeline))
        raise ValueError(
            f"stages: {path!r} is not a stage of the pipeline; its stages are {there}."
        )
    return Stage(path, composite, isinstance(parent, FeatureUnion))


def without(pipeline: Pipeline, stage: Stage, reference: Any) -> Pipeline:
    """The pipeline with something else in the place of a stage.

    Parameters
    ----------
    pipeline : Pipeline
        The pipeline, left as it is.
    stage : Stage
        The stage.
    reference : estimator or None
        What stands in its place; None is nothing.

    Returns
    -------
    Pipeline
        An unfitted copy.
    """
    if reference is None:
        reference = nothing_in(pipeline, stage)
    elif not isinstance(reference, str):
        reference = clone(reference)
        _set_container(reference, _container(stage.estimator))
    return clone(pipeline).set_params(**{stage.path: reference})


def nothing_in(pipeline: Pipeline, stage: Stage) -> str:
    """What leaves a place empty.

    Parameters
    ----------
    pipeline : Pipeline
        The pipeline.
    stage : Stage
        The place.

    Returns
    -------
    {"drop", "passthrough"}
        "drop" in a union that has other parts, to which the input itself would otherwise be
        added.
    """
    if not stage.in_union:
        return "passthrough"
    union = stage_at(pipeline, stage.path.rpartition("__")[0]).estimator
    others = [part for _, part in places_of(union, whole=True) if part not in (None, "drop")]
    return "drop" if len(others) > 1 else "passthrough"


def _container(stage: Any) -> str | None:
    """The container that `set_output` asks a stage for."""
    if isinstance(stage, Pipeline):
        last = [part for _, part in stage.steps if hasattr(part, "transform")]
        return _container(last[-1]) if last else None
    return output_container(stage)


def _set_container(reference: Any, container: str | None) -> None:
    """Have what takes the place of a stage give what the stage gave, unless it says itself."""
    if isinstance(reference, Pipeline):
        for _, part in reference.steps:
            _set_container(part, container)
    elif container and not output_container(reference) and hasattr(reference, "set_output"):
        reference.set_output(transform=container)


def shared(
    pipeline: Pipeline,
    key: tuple[Any, ...],
    cache: Cache,
    replaced: str = "",
    by: str = "",
    model: int = 0,
) -> Any:
    """The pipeline with stages whose results are kept, each under all that comes before it.

    Parameters
    ----------
    pipeline : Pipeline
        The pipeline or a variant of it, with its seeds set.
    key : tuple
        What else results depend on, such as the split.
    cache : Cache
        Where results are kept.
    replaced : str, default=""
        Path of the stage in which a variant differs.
    by : str, default=""
        What tells the variant from others with the same stages.
    model : int, default=0
        What tells the last step from those of other pipelines with the same cache.

    Returns
    -------
    Pipeline
        A copy.
    """
    copy = clone(pipeline)
    _wrap(copy, "", (), (key, cache, replaced, by, model), whole=False)
    return copy


def _wrap(
    composite: Any, path: str, before: tuple[Any, ...], settings: tuple[Any, ...], *, whole: bool
) -> tuple[Any, ...]:
    """Wrap the leaves of a composite; the stages that its result depends on."""
    key, cache, replaced, by, model = settings
    if "n_jobs" in composite.get_params(deep=False):
        # results cannot be shared between processes
        composite.set_params(n_jobs=None)
    if "memory" in composite.get_params(deep=False):
        # results that are kept here would be hashed and written to the disk with every stage
        composite.set_params(memory=None)
    after = before
    for name, part in places_of(composite, whole=whole):
        here = f"{path}__{name}" if path else name
        start = after if isinstance(composite, Pipeline) else before
        new = replaced and (here == replaced or here.startswith(f"{replaced}__"))
        if is_empty(part):
            # the data that follows is that of no pipeline in which something stands here
            added: tuple[Any, ...] = ((here, by),) if new else ()
        elif is_composite(part):
            inside = _whole_inside(composite, name, whole)
            below = settings
            if not (path or inside):
                # the last step is where models differ
                below = ((*key, "model", model), cache, replaced, by, model)
            added = _wrap(part, here, start, below, whole=inside)[len(start) :]
        else:
            added = ((here, by if new else "", _seeds(part)),)
            memo = MemoSampler if hasattr(part, "fit_resample") else MemoTransformer
            # what follows a replaced stage is what it is in this variant alone
            keep = cache.keeps_variants or not any(by for _, by, *_ in (*start, *added))
            composite.set_params(**{name: memo(part, (key, *start, *added), cache, keep)})
        after = after + added
    return after


def _seeds(stage: Any) -> tuple[Any, ...]:
    """The seeds of a stage, in which pipelines with another final estimator may differ."""
    params = sorted(stage.get_params(deep=True).items(), key=lambda item: item[0])
    return tuple(
        value for name, value in params if name.endswith("random_state") and isinstance(value, int)
    )
