"""Pipelines whose stages are kept, for other pipelines that begin alike."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from ._memo import Cache, MemoSampler, MemoTransformer
from ._pipelines import ends_in_stage, is_composite, is_empty, places_of


def with_shared_stages(
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
            inside = ends_in_stage(composite, name, whole)
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
