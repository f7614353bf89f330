"""What stands in the place of a stage that is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
from sklearn.utils import get_tags

from skcorrupt.evaluation._pipelines import Stage, is_composite, is_empty, parts_of, places_of

from ._stages import Variant, nothing_in

# encoders and imputers of other libraries are told by their names as well
ENCODER, IMPUTER = "Encoder", "Imputer"
# encoders to which a missing value is one more category
CATEGORY_OF_ITS_OWN = ("OneHotEncoder", "TargetEncoder")


def variant_without(pipeline: Pipeline, stage: Stage, given: Mapping[str, Any]) -> Variant:
    """The pipeline with what a stage is compared with in its place.

    Parameters
    ----------
    pipeline : Pipeline
        The pipeline.
    stage : Stage
        The stage.
    given : mapping of str to estimator
        References by path, as the user wants them; None or "passthrough" leaves a stage out. In a
        FeatureUnion "passthrough" hands its input on, "drop" does not, and None is as if nothing
        were given.

    Returns
    -------
    Variant
        With what was given; else one-hot encoding for an encoder, ordinal encoding for a one-hot
        one, a constant for an imputer if what follows does not declare that it takes missing
        values, and nothing for all others.
    """
    if stage.path in given:
        wanted = given[stage.path]
        if wanted is None:
            return _nothing(pipeline, stage)
        if isinstance(wanted, str) and wanted == "passthrough":
            return Variant(stage, wanted if stage.in_union else None)
        if isinstance(wanted, str) and wanted == "drop" and stage.in_union:
            return Variant(stage, wanted)
        if isinstance(wanted, type) or not hasattr(wanted, "fit"):
            raise ValueError(
                f"references[{stage.path!r}]={wanted!r} should be an estimator such as "
                "StandardScaler(), or 'passthrough' or None to leave the stage out."
            )
        return Variant(stage, wanted)
    kind = type(stage.estimator).__name__
    if kind.endswith(ENCODER):
        if "OneHot" in kind:
            # most models that follow take no missing values
            encoder = OrdinalEncoder(
                handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2
            )
            return Variant(stage, encoder)
        return Variant(stage, OneHotEncoder(handle_unknown="ignore", sparse_output=False))
    if _fills(stage.estimator):
        refusing = _refuses_missing(pipeline, stage.path)
        if refusing:
            constant = SimpleImputer(strategy="constant", keep_empty_features=True)
            return Variant(
                stage,
                constant,
                f"{stage.path} is not left out, as {refusing} does not declare that it takes "
                "missing values; it is compared with SimpleImputer(strategy='constant'). Pass "
                f"references={{{stage.path!r}: 'passthrough'}} to leave it out nonetheless.",
                called="a constant",
            )
    return _nothing(pipeline, stage)


def _nothing(pipeline: Pipeline, stage: Stage) -> Variant:
    # that a part of a union is dropped is no matter of course, so it is told
    return Variant(stage, "drop" if nothing_in(pipeline, stage) == "drop" else None)


def _fills(step: Any) -> bool:
    """Whether it is an imputer of what is missing, rather than of a code for it."""
    code = getattr(step, "missing_values", np.nan)
    return type(step).__name__.endswith(IMPUTER) and bool(np.all(pd.isna(code)))


def _refuses_missing(pipeline: Pipeline, path: str) -> str:
    """The first step after a stage that may refuse missing values that come to it, or ""."""
    composite: Any = pipeline
    later: list[list[tuple[str, Any]]] = []
    for name in path.split("__"):
        if isinstance(composite, Pipeline):
            position = [step for step, _ in composite.steps].index(name)
            later.append(composite.steps[position + 1 :])
        composite = dict(parts_of(composite, whole=True)).get(name)
    return _along([step for steps in reversed(later) for step in steps])[0]


def _along(steps: Sequence[tuple[str, Any]]) -> tuple[str, bool]:
    """The first of several steps that may refuse missing values, and whether one fills them."""
    for name, step in steps:
        refusing, filled = _meeting(step, name)
        if refusing or filled:
            return refusing, filled
    return "", False


def _meeting(step: Any, name: str) -> tuple[str, bool]:
    """Who may refuse missing values that come to a step, and whether none come out of it."""
    if is_empty(step):
        return "", step == "drop"
    if isinstance(step, Pipeline):
        return _along([(name, part) for _, part in step.steps])
    if is_composite(step):
        met = [_meeting(part, name) for _, part in places_of(step, whole=True)]
        refusing = next((refusing for refusing, _ in met if refusing), "")
        return refusing, all(filled for _, filled in met)
    if _fills(step):
        return "", True
    try:
        tags = get_tags(step)
        # a step that does not look at its input hands missing values on
        takes = tags.input_tags.allow_nan or tags.no_validation
    except AttributeError:
        # steps of other libraries may have no tags
        takes = False
    return "" if takes else name, type(step).__name__ in CATEGORY_OF_ITS_OWN
