"""What to change in a pipeline so that it stands an error better."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sklearn.pipeline import Pipeline

from skcorrupt.base import BaseCorruption
from skcorrupt.corruptions import corruption_from
from skcorrupt.evaluation._pipelines import is_empty
from skcorrupt.utils import as_table, shorten, warn, warned_once
from skcorrupt.utils._typing import Estimator, TableLike

from ._fitting_in import in_containers_of, is_tuned_inside, meet
from ._margins import Margins, population_margins
from ._remedies import (
    Remedy,
    bagging,
    categories,
    class_weights,
    clipping,
    dropping,
    early_stopping,
    imputers,
    losses,
    marks_everywhere,
    planted_beyond_ranges,
    planted_gaps,
    regularisation,
    scaling,
    texts,
    unseen_as_gaps,
)
from ._remedies_around import (
    doubtful_labels,
    reweighting,
    submodels_at_gaps,
    submodels_beyond_doubt,
)
from ._walked import Walked

Remedies = Callable[[Walked], Iterator[Remedy]]
# what goes to the root of an error comes before what makes any error smaller
VALUES: tuple[Remedies, ...] = (clipping, scaling, categories)
GAPS: tuple[Remedies, ...] = (imputers, planted_beyond_ranges)
BEYOND: tuple[Remedies, ...] = (planted_beyond_ranges, submodels_beyond_doubt)
STEADY: tuple[Remedies, ...] = (regularisation, bagging)
# what a stronger regularisation may add to
PAIRED: tuple[Remedies, ...] = (
    *(clipping, scaling, *GAPS, marks_everywhere, planted_gaps),
    *(losses, class_weights),
)
FITTING: dict[str, tuple[Remedies, ...]] = {
    "missing": (
        *(imputers, marks_everywhere, unseen_as_gaps, planted_gaps, submodels_at_gaps),
        categories,
        *STEADY,
    ),
    "sentinel": (*VALUES, *GAPS, submodels_beyond_doubt, *STEADY),
    "scale": (*VALUES, *BEYOND, *STEADY),
    "outliers": (*VALUES, *BEYOND, *STEADY),
    "type": (*VALUES, *GAPS, submodels_beyond_doubt, *STEADY),
    "exchange": (*VALUES, *BEYOND, *STEADY),
    "noise": (scaling, categories, *STEADY, early_stopping),
    "categories": (categories, texts, *STEADY),
    "text": (texts, categories, *STEADY),
    "labels": (doubtful_labels, losses, class_weights, *STEADY, early_stopping),
    "selection": (class_weights, *STEADY),
    "duplicates": (class_weights, *STEADY, early_stopping),
}
# of kinds that are not listed, by what they strike
OTHERS: dict[str, tuple[Remedies, ...]] = {
    "cells": (*VALUES, *GAPS, submodels_beyond_doubt, *STEADY),
    "labels": FITTING["labels"],
    "rows": FITTING["selection"],
}


@warned_once()
def suggest_hardening(
    pipeline: Estimator,
    corruption: BaseCorruption | str | Sequence[BaseCorruption | str],
    *,
    reference: TableLike | None = None,
) -> list[dict[str, list[Any]]]:
    """Changes of a pipeline that may make it stand an error better, as a `param_grid`.

    Each entry is one remedy, or two that go together: parameters of the pipeline with the values to
    try. Which of them helps depends on the data; `GridSearchCV` and `RobustSearchCV` find it out.

    Parameters
    ----------
    pipeline : Pipeline
        The pipeline, fitted or not; it stays as it is. A single model is refused, as there are no
        steps to change: pass `make_pipeline(model)`, also in the search.
    corruption : BaseCorruption, str or list of these
        The error, a template or one that a search found, such as `worst_corruption_`; or its short
        name. A process stands for its members. Columns that it names may be left out.
    reference : table of shape (n_reference, n_features) or None, default=None
        Rows of the place where the model is used, in the columns of the training rows, without
        labels; of a fitted pipeline further columns are left out. Against lost rows training rows
        can then be weighted so that their shares are those of these rows. Remedies hold the
        shares, by `population_margins`, and no row.

    Returns
    -------
    list of dict
        Parameter paths with lists of values, those that go to the root of the error first, and
        pairs of these with a stronger regularisation last. The pipeline as it is, is not among
        them. Empty, with a warning, if nothing fits.

    Raises
    ------
    TypeError
        If it is no pipeline, or what is given as an error is none.
    ValueError
        If there is no kind of error of that name, the pipeline has no last estimator, or the
        reference no rows or none of the columns of a fitted pipeline.

    Warns
    -----
    UserWarning
        If there is no remedy, with the reason.

    See Also
    --------
    RangeClipper : Holds numbers within the range of the training data.
    ColumnDropper : Leaves columns out.
    SubmodelClassifier : Does without a column where a cell is missing or implausible.
    UnseenMasker : Makes values missing that training rows had only as gaps.
    ReweightedClassifier : Weighs training rows as a population is made up.
    DoubtfulLabelClassifier : Prunes or down-weights doubtful labels.

    Notes
    -----
    What fits which kind of error:

    - missing values: other imputers, an indicator, none where all steps and the model take missing
      values by their tags; gaps told from values in all columns at once; values that gaps of
      training rows hid, made missing when rows are served; gaps planted in training rows, from
      which a model learns what other columns say instead; a model without the column for rows where
      it is missing;
    - defaults, units, outliers, wrong types: ranges of the training data, scales by quantiles,
      imputers after values outside became missing, gaps planted there, too; a model without the
      column for rows where its value is implausible;
    - categories and texts: unknown and rare categories, parts of words;
    - labels: doubtful ones pruned or with less weight, losses that wrong ones move little, class
      weights, early stopping;
    - rows lost or repeated: weights by the shares of a `reference`, class weights;
    - all of them: regularisation, bagging, and the columns that the error names left out.

    What helps most may be two of them. To go on, pass what a search chose: `suggest_hardening(
    pipeline.set_params(**search.best_params_), …)`.

    A step that needs one before it becomes a small pipeline. Parameters passed to `fit` by the name
    of such a step then reach the small pipeline, which knows them by other names.

    Examples
    --------
    >>> from sklearn.impute import SimpleImputer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from skcorrupt.robustness import suggest_hardening
    >>> pipeline = make_pipeline(SimpleImputer(), LogisticRegression())
    >>> for remedy in suggest_hardening(pipeline, "missing")[:2]:
    ...     print(remedy)
    {'simpleimputer__strategy': ['median', 'constant']}
    {'simpleimputer__add_indicator': [True]}
    """
    if not isinstance(pipeline, Pipeline):
        told = "make_pipeline(estimator)"
        raise TypeError(
            f"pipeline={shorten(pipeline)} is no Pipeline, and has no steps to change; pass "
            f"{told}, and search over {told} too."
        )
    last = pipeline.steps[-1][1] if pipeline.steps else None
    if is_empty(last) or not hasattr(last, "predict"):
        raise ValueError(
            f"pipeline: its last step is {shorten(last)}, which predicts nothing; add a classifier "
            "or a regressor as the last step."
        )
    members = _members(corruption)
    walked = Walked(pipeline)
    found: dict[str, Remedy] = {}
    single: list[tuple[Remedies, Remedy]] = []
    margins = {} if reference is None else _margins_of(reference, pipeline)
    for remedies in _in_order(members, margins):
        for remedy in remedies(walked):
            tried = {path: values for path, values in remedy.items() if values}
            if any(is_tuned_inside(pipeline, path) for path in tried):
                continue
            in_containers_of(pipeline, tried)
            if tried and repr(tried) not in found:
                found[repr(tried)] = tried
                single.append((remedies, tried))
    for pair in _pairs(single):
        found.setdefault(repr(pair), pair)
    if not found:
        kinds = ", ".join(dict.fromkeys(member.short_name for member in members))
        steps = ", ".join(type(place.step).__name__ for place in walked.places) or "none"
        warn(
            f"suggest_hardening knows no remedy for errors of kind {kinds} in this pipeline: it "
            f"has neither the steps they need (steps: {steps}) nor, in "
            f"{type(walked.inner).__name__}, a parameter that makes it steadier. Another model or "
            "other features are what is left."
        )
    return list(found.values())


def _margins_of(reference: TableLike, pipeline: Pipeline) -> Margins:
    """The shares of a population, those of columns that a fitted pipeline knows."""
    try:
        margins = population_margins(reference)
    except (TypeError, ValueError) as error:
        raise type(error)(f"reference: {error}") from error
    known = getattr(pipeline, "feature_names_in_", margins)
    labels = as_table(reference).labels
    if margins and not any(label in known for label in labels):
        raise ValueError(
            f"reference: none of its columns, {shorten([*labels])}, is one of those that the "
            f"pipeline was fitted to, {shorten([*known])}; pass a table with their names."
        )
    return {label: shares for label, shares in margins.items() if label in known}


def _members(corruption: Any) -> list[Any]:
    """All kinds of error that are meant."""
    several = isinstance(corruption, (list, tuple))
    if several and not len(corruption):
        raise ValueError("corruption=[] names no error; pass one, such as 'missing'.")
    given = corruption if several else [corruption]
    return [member for each in given for _, member in corruption_from(each)._members()]


def _in_order(members: list[Any], margins: Margins) -> list[Remedies]:
    """Remedies of all members, those of the columns that they name included."""
    found: list[Remedies] = []
    columns: list[Any] = []
    by_shares = reweighting(margins)
    for member in members:
        if member.strikes == "rows" and margins:
            found.append(by_shares)
        found += FITTING.get(member.short_name, OTHERS[member.strikes])
        named = getattr(member, "columns", None)
        if member.strikes == "cells" and named is not None:
            columns += (
                [named] if isinstance(named, str) or not hasattr(named, "__iter__") else named
            )
    distinct = list(dict.fromkeys(found))
    at = next((i for i, each in enumerate(distinct) if each in STEADY), len(distinct))
    return [*distinct[:at], dropping(list(dict.fromkeys(columns))), *distinct[at:]]


def _pairs(single: list[tuple[Remedies, Remedy]]) -> Iterator[Remedy]:
    """What goes to the root of an error, most of it, and a little of what makes any error smaller.

    Yields
    ------
    dict of str to list
        Paths of both remedies, a value of each.
    """
    steady = next((remedy for made_by, remedy in single if made_by is regularisation), None)
    for made_by, remedy in single if steady is not None else []:
        apart = not any(meet(one, other) for one in remedy for other in steady or {})
        if made_by in PAIRED and apart:
            yield {path: values[-1:] for path, values in remedy.items()} | {
                path: values[:1] for path, values in (steady or {}).items()
            }
