"""Pipelines without one of their stages, or with a place for one more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from skcorrupt.evaluation import seeded_clone
from skcorrupt.evaluation._pipelines import Stage, places_of, stage_at
from skcorrupt.utils import shorten
from skcorrupt.utils._compat import output_container

STEP = "downstream"


@dataclass(frozen=True)
class Variant:
    """A pipeline that differs from the whole one in one stage.

    Attributes
    ----------
    stage : Stage
        Where it differs.
    estimator : estimator, "passthrough", "drop" or None
        What stands there instead; None is nothing.
    warning : str
        Why the stage could not simply be left out, if that was not asked for.
    called : str
        What it is called in place of the name of its class; "" is that.
    """

    stage: Stage
    estimator: Any = None
    warning: str = ""
    called: str = ""

    @property
    def reference(self) -> str:
        """What stands there, as tables name it."""
        if isinstance(self.estimator, str):
            return self.estimator
        if self.called:
            return self.called
        kind = type(self.estimator)
        if kind is type(self.stage.estimator):
            # the name of the class would not tell them apart
            return shorten(self.estimator, 60)
        return "" if self.estimator is None else kind.__name__

    def of(self, pipeline: Pipeline, seed: int) -> Pipeline:
        """Put it there.

        Parameters
        ----------
        pipeline : Pipeline
            The pipeline with its seeds set, left as it is.
        seed : int
            Source of the unset seeds of what is put there.

        Returns
        -------
        Pipeline
            An unfitted copy.
        """
        new = nothing_in(pipeline, self.stage) if self.estimator is None else self.estimator
        if not isinstance(new, str):
            new = seeded_clone(new, seed)
            _set_container(new, _container(self.stage.estimator))
        return clone(pipeline).set_params(**{self.stage.path: new})


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
    params = copy.get_params(deep=True)
    parent = params[above] if above else copy
    if isinstance(parent, Pipeline):
        names = [step for step, _ in parent.steps]
        new = _free_name(names)
        parent.steps.insert(names.index(name) + 1, (new, "passthrough"))
        path = f"{above}__{new}" if above else new
    else:
        # a part of a union has nothing after it but what is put into one pipeline with it
        stage = params[after]
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
