"""The steps of a pipeline as places that remedies can be put in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from imblearn.pipeline import Pipeline as SamplerPipeline
from sklearn.base import BaseEstimator, clone
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction import FeatureHasher
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, TargetEncoder
from sklearn.utils import get_tags

from skcorrupt.evaluation._pipelines import (
    INNER,
    is_composite,
    is_empty,
    parts_of,
    places_of,
    stages_of,
)
from skcorrupt.utils._compat import IterativeImputer

IMPUTERS = (SimpleImputer, KNNImputer, IterativeImputer)
ENCODERS = (OneHotEncoder, OrdinalEncoder, TargetEncoder)
# endings of the names of other libraries' classes that read categories or texts
READERS = ("Encoder", "Vectorizer", "Hasher")


@dataclass(frozen=True)
class Place:
    """A step, and how it is reached.

    Attributes
    ----------
    path : str
        Its parameter path.
    step : estimator
        What stands there.
    row : tuple of estimator
        The steps of the pipeline that it stands in, itself included.
    """

    path: str
    step: Any
    row: tuple[Any, ...]

    @property
    def is_text(self) -> bool:
        """Whether what comes here may be categories or texts."""
        if isinstance(getattr(self.step, "fill_value", None), str):
            return True
        # what is filled as texts or numbers may be is told by what comes after it
        return any(
            isinstance(each, ENCODERS) or type(each).__name__.endswith(READERS) for each in self.row
        )


class Walked:
    """A pipeline, taken apart.

    Parameters
    ----------
    pipeline : Pipeline
        The pipeline.

    Attributes
    ----------
    places : list of Place
        All stages, those in pipelines within meta-estimators included.
    model_path, model : str, estimator
        The last step, and its path.
    inner_path, inner : str, estimator
        The model inside meta-estimators, whose parameters are those of learning.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self.model_path, self.model = _last(pipeline)
        self.places = _places(pipeline, "")
        self.inner_path, self.inner = self.model_path, self.model
        while (name := _held(self.inner)) is not None:
            self.inner_path, self.inner = f"{self.inner_path}__{name}", getattr(self.inner, name)
            if isinstance(self.inner, Pipeline):
                self.places += _places(self.inner, f"{self.inner_path}__")
                path, self.inner = _last(self.inner)
                self.inner_path = f"{self.inner_path}__{path}"

    def composites(self) -> list[tuple[str, ColumnTransformer]]:
        """Where columns part, with the paths."""
        parameters = self.pipeline.get_params(deep=True).items()
        return [(path, each) for path, each in parameters if isinstance(each, ColumnTransformer)]

    def steps(self, kinds: type | tuple[type, ...]) -> list[Place]:
        """Places in which one of some kinds stands."""
        return [place for place in self.places if isinstance(place.step, kinds)]

    def takes_tables(self) -> bool:
        """Whether the pipeline is fed tables, not texts or dicts."""
        step = self.pipeline.steps[0][1]
        while isinstance(step, (Pipeline, FeatureUnion)):
            parts = parts_of(step)
            if not parts:
                return True
            step = parts[0][1]
        if is_empty(step) or isinstance(step, ColumnTransformer):
            return True
        return get_tags(step).input_tags.two_d_array and not isinstance(step, FeatureHasher)

    def first(self) -> Any:
        """The step that is fed the columns as they come."""
        return self.pipeline.steps[0][1]

    def takes_missing(self) -> bool:
        """Whether all steps but the imputers say that they take missing values."""
        others = [p.step for p in self.places if not isinstance(p.step, IMPUTERS)]
        return all(_takes_missing(step) for step in [*others, self.model, self.inner])

    def put_first(self, steps: list[BaseEstimator]) -> dict[str, list[Any]]:
        """A remedy: a step before all others, one of several.

        Parameters
        ----------
        steps : list of estimator
            The choices.

        Returns
        -------
        dict
            Of the parameter path to its values.
        """
        if isinstance(self.pipeline, SamplerPipeline) and len(self.pipeline.steps) > 1:
            # whose steps may not be pipelines
            own = [(name, _copy(step)) for name, step in self.pipeline.steps]
            names = [name for name, _ in own]
            new = next(n for n in (f"harden{'_' * i}" for i in range(99)) if n not in names)
            return {"steps": [[*_named(new, step), *own] for step in steps]}
        name, first = self.pipeline.steps[0]
        return {name: [before(step, first) for step in steps]}


def _named(name: str, step: Any) -> list[tuple[str, Any]]:
    """A step, or those of a small pipeline, with names that nothing else has."""
    if not isinstance(step, Pipeline):
        return [(name, step)]
    return [(f"{name}-{own}", each) for own, each in step.steps]


def before(step: Any, first: Any) -> Any:
    """A small pipeline of a step and what comes after it."""
    if is_empty(first):
        return step
    steps = [each for _, each in step.steps] if isinstance(step, Pipeline) else [step]
    return make_pipeline(*steps, clone(first))


def imputes(part: Any) -> bool:
    """Whether whatever number becomes missing is filled, or made a category, in a part."""
    if isinstance(part, Pipeline):
        return any(imputes(step) for _, step in part.steps)
    if isinstance(part, (ColumnTransformer, FeatureUnion)):
        return all(step == "drop" or imputes(step) for _, step in places_of(part))
    return isinstance(part, (*IMPUTERS, OneHotEncoder, TargetEncoder))


def _copy(step: Any) -> Any:
    return step if is_empty(step) else clone(step)


def _takes_missing(step: Any) -> bool:
    return is_composite(step) or bool(get_tags(step).input_tags.allow_nan)


def _last(pipeline: Pipeline) -> tuple[str, Any]:
    """The last step, and its path."""
    path, step = pipeline.steps[-1]
    while isinstance(step, Pipeline):
        name, step = step.steps[-1]
        path = f"{path}__{name}"
    return path, step


def _held(model: Any) -> str | None:
    """The parameter by which a meta-estimator holds its model."""
    # forests have a tree as an attribute, which is no parameter
    params = model.get_params(deep=False)
    return next((name for name in INNER if hasattr(params.get(name), "fit")), None)


def _places(pipeline: Pipeline, prefix: str) -> list[Place]:
    """All stages of a pipeline, paths with a prefix."""
    stages, within = stages_of(pipeline), pipeline.get_params(deep=True)
    found = []
    for stage in stages:
        above = stage.path.rpartition("__")[0]
        row: tuple[Any, ...] = (stage.estimator,)
        if isinstance(within.get(above, pipeline), Pipeline):
            start = f"{above}__" if above else ""
            row = tuple(each.estimator for each in stages if each.path.startswith(start))
        found.append(Place(prefix + stage.path, stage.estimator, row))
    return found
