"""Say at once when a pipeline cannot take the error at all, and which step refuses it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin, clone, is_classifier, is_regressor
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler
from sklearn.utils import get_tags

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import Outcome, Split, seeded_clone
from skcorrupt.metrics._change_scorer import CHANGE
from skcorrupt.utils import Target, as_table, duplicate, first_line, fit_on_copies, shorten, warn
from skcorrupt.utils._as_text import largest, score
from skcorrupt.utils._compat import scorer_parts
from skcorrupt.utils._readable import listed_labels
from skcorrupt.utils._refused_values import refused_in
from skcorrupt.utils._typing import Estimator, Scoring

from ._time_too_short import seconds_up
from .candidates import Deadline
from .serving import ServedEvaluator, suits_rows

PROBE_RATE = 0.1
# of limited time, what predictions of rows with errors may take before a search begins; from these
# the rest follows, and columns that are not predicted until then are not searched
PROBE_SHARE = 0.5
# what scikit-learn says of them, and steps that pass them on column by column
NO_MISSING = "contains NaN"
# how a warning begins of pipelines that are no better than a constant
NO_BETTER = "The clean pipeline scores"
PASSING_MISSING = (StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler)
# clean rows that a pipeline fitted on rows with errors has to predict, and what imputers of
# scikit-learn say where it cannot
FEW_ROWS = 10
OTHER_DTYPE = "of the same kind between fit and transform"
# columns that are named where many are left out
FEW_NAMED = 5
LEAVE_OUT = (
    "To have them searched, put a step that takes such values in the pipeline; to leave them out, "
    "pass space=SearchSpace(corrupt_columns=[…]) with the others."
)


@dataclass(frozen=True)
class Unread:
    """Columns of a kind of error that there was no time for.

    Attributes
    ----------
    kind : str
        The name of the kind of error, "" where there is one.
    groups : list of tuple
        Labels of these columns.
    n_groups : int
        Groups of columns in all.
    before, took, whole : float
        Seconds that had passed before any was looked at, that those took which were, and that all
        would take.
    share : float
        Of the time that is left, what they may take.
    """

    kind: str
    groups: list[tuple[Any, ...]]
    n_groups: int
    before: float
    took: float
    whole: float
    share: float


class _RowsLost(ValueError):
    """A step gave back fewer or more rows than it was given."""


class _NotPredicted(ValueError):
    """A pipeline fitted on rows with the error cannot predict rows without."""


def probe(
    estimator: Estimator,
    template: BaseCorruption,
    groups: list[tuple[Any, ...]],
    split: Split,
    *,
    clean_tests: bool,
) -> None:
    """Fit the pipeline on data with the error in all columns; if it fails, in each group of them.

    Columns that a template names are hit together, and so are not tried one by one. Of the
    corruptions of samples only erased labels are something a pipeline can refuse.

    Parameters
    ----------
    estimator : estimator
        The pipeline.
    template : BaseCorruption
        The kind of error.
    groups : list of tuple
        Labels of columns that the search may hit together; one without any for corruptions of
        samples.
    split : Split
        Data to fit on.
    clean_tests : bool
        Whether rows without the error are scored, which the pipeline has to predict, too.

    Raises
    ------
    ValueError
        If the pipeline fails whichever column is hit, naming the step and the remedy.

    Warns
    -----
    UserWarning
        If it fails for some columns.
    """
    columns = list(dict.fromkeys(column for group in groups for column in group))
    if template.strikes == "cells":
        if not columns:
            return
    elif template._erased_label is None:
        # flipped labels, dropped and copied rows look like clean ones
        return
    try:
        failure = _failure(estimator, template, columns, split, clean_tests)
    except ValueError:
        if getattr(template, "columns", None) is not None:
            raise
        # an error that depends on columns that stay cannot strike all of them at once
    else:
        if failure is None:
            return
        if not columns or template.columns is not None:
            raise ValueError(_diagnosis(estimator, template, columns, split, failure)) from failure
    failures = {
        group: error
        for group in groups
        if (error := _failure(estimator, template, [*group], split, clean_tests)) is not None
    }
    if len(failures) == len(groups):
        failure = failures[groups[0]]
        message = _diagnosis(estimator, template, [*groups[0]], split, failure)
        raise ValueError(message) from failure
    if failures:
        named = sorted(listed_labels(group) for group in failures)
        warn(
            f"The pipeline cannot take the error in {named}; candidates that "
            f"hit these columns fail and score error_score. {LEAVE_OUT} First error: "
            f"{first_line(next(iter(failures.values())))}",
        )


def raise_if_refused(
    served: ServedEvaluator, template: BaseCorruption, groups: list[tuple[Any, ...]]
) -> None:
    """Say at once where a model takes no missing values in whichever columns they are.

    That is known of one prediction where no step changes columns before the one that refuses them,
    and it is of scikit-learn's, whose checks look at all columns alike.

    Parameters
    ----------
    served : ServedEvaluator
        With fitted models.
    template : BaseCorruption
        The kind of error.
    groups : list of tuple
        Labels of columns that may be hit together.

    Raises
    ------
    ValueError
        With the remedy.
    """
    if template.strikes != "cells" or not template._erases or len(groups) < 2:
        return
    if served.splits[0].model is not None and _checks_all_columns(served.splits[0].model):
        error = served.failure_alone(template, groups[0])
        if error and NO_MISSING in error:
            raise ValueError(_not_predicted(template, error))


def _checks_all_columns(model: Any) -> bool:
    """Whether missing values reach a step that refuses them in all columns or in none."""
    if isinstance(model, FrozenEstimator):
        return _checks_all_columns(model.estimator)
    steps = [step for _, step in model.steps] if isinstance(model, Pipeline) else [model]
    for step in steps:
        if step is None or isinstance(step, str):
            continue
        if isinstance(step, Pipeline):
            return _checks_all_columns(step)
        if type(step) in PASSING_MISSING:
            # these leave missing values where they are
            continue
        if not type(step).__module__.startswith("sklearn."):
            return False
        # what holds other estimators may leave columns out
        composed = any(hasattr(value, "get_params") for value in step.get_params().values())
        return not composed and not get_tags(step).input_tags.allow_nan
    return False


def probe_served(
    served: ServedEvaluator,
    kind: str,
    template: BaseCorruption,
    groups: list[tuple[Any, ...]],
    n_kinds: int = 1,
) -> Unread | None:
    """Predict rows with the error in every group of columns, or in those that there is time for.

    Parameters
    ----------
    served : ServedEvaluator
        With fitted models.
    kind : str
        The name of the kind of error, "" where there is one.
    template : BaseCorruption
        The kind of error.
    groups : list of tuple
        Labels of columns that may be hit together.
    n_kinds : int, default=1
        Kinds of error, this one among them, that share the time.

    Returns
    -------
    Unread or None
        Groups of columns that there was no time for, of which nothing is known; None without any.

    Raises
    ------
    ValueError
        If the model fails whichever columns are hit, with the remedy.

    Warns
    -----
    UserWarning
        If it fails for some columns.
    """
    if template.strikes != "cells" or not groups:
        return None
    share, before = PROBE_SHARE / n_kinds, served.deadline.spent()
    started = served.seconds_of_start
    known = served.failures(kind, template, groups, share)
    left, unread = [group for group in groups if group not in known], None
    if left:
        took, start = served.deadline.spent() - before, served.seconds_of_start - started
        whole = start + (took - start) * len(groups) / len(known)
        unread = Unread(kind, left, len(groups), before, took, whole, share)
    failures = {listed_labels(group): error for group, error in known.items() if error}
    first = next(iter(failures.values()), None)
    if first is None:
        return unread
    what = _what(template)
    if len(failures) == len(known):
        raise ValueError(_not_predicted(template, first))
    warn(
        f"The fitted model cannot predict rows with {what} in {sorted(failures)}: served "
        "such rows, it raises. Candidates that hit these columns fail and score error_score. "
        f"{LEAVE_OUT} First error: {first_line(first)}"
    )
    return unread


def _what(template: BaseCorruption) -> str:
    return "missing values" if template._erases else f"data corrupted by {type(template).__name__}"


def _not_predicted(template: BaseCorruption, error: str) -> str:
    """What is said of a model that fails whichever columns are hit."""
    remedy = "an imputer before it, such as SimpleImputer()"
    if not template._erases:
        remedy = "a step that takes them before it, such as FunctionTransformer(…)"
    return (
        f"The fitted model cannot predict rows with {_what(template)}: {first_line(error)} Served "
        f"such rows, it raises; put {remedy} in a pipeline, and fit that."
    )


def warn_of_unread(deadline: Deadline, unread: Sequence[Unread]) -> None:
    """Say which columns are left out of a search for want of time.

    Parameters
    ----------
    deadline : Deadline
        When the search is to end.
    unread : sequence of Unread
        Columns of some kinds of error, in the order in which kinds are looked at.

    Warns
    -----
    UserWarning
        If there are any, once for all kinds.
    """
    if not unread:
        return
    said: list[str] = []
    needed = more = 0.0
    for each in unread:
        named = [listed_labels(group) for group in each.groups]
        some = "; ".join(named[:FEW_NAMED]) + ("; …" if len(named) > FEW_NAMED else "")
        # a member of a process is told behind it
        kind = ": ".join(filter(None, each.kind.split("\n")))
        of_kind = f"of {kind!r} " if kind else ""
        what = "" if said else " columns, or groups of them"
        said.append(f"{of_kind}in {len(each.groups)} of {each.n_groups}{what} ({some})")
        # kinds before it take longer, too, where all of their columns are looked at
        needed = max(needed, each.before + more + each.whole / each.share)
        more += each.whole - each.took
    warn(
        f"max_time={deadline.seconds:g} s leaves no time to predict rows with errors "
        f"{', '.join(said)}: they are not searched, and a worse error may be in them. At this "
        f"pace all are looked at with max_time={seconds_up(needed)}."
    )


def warn_of_unknown_score(served: ServedEvaluator, templates: Mapping[str, BaseCorruption]) -> None:
    """Say before the work that a function of the user's is slow, where a loss by row is not.

    Parameters
    ----------
    served : ServedEvaluator
        With fitted models, and clean rows that are known.
    templates : mapping of str to BaseCorruption
        The kinds of error.

    Warns
    -----
    UserWarning
        If every pattern has to be scored on all rows because of it.
    """
    parts = scorer_parts(served.scorer)
    func = served.scorer if parts is None else parts[0]
    ours = str(getattr(func, "__module__", "")).startswith(("sklearn.", "skcorrupt."))
    # a loss by row is given weights, and nothing else
    told_more = set(served.splits[0].score_params) - {"sample_weight"}
    by_row = any(map(suits_rows, templates.values())) and not told_more
    if served.understands_score or ours or not by_row:
        return
    warn(
        f"scoring={shorten(served.scorer)} is a function of yours, of which it is not known what "
        "each row adds: patterns are scored one by one, which is slow, and nothing is proven. "
        "Where it is a mean over rows, pass scoring=make_row_scorer(loss) of skcorrupt.metrics, "
        "with loss(y_true, y_pred) that gives a number for each row."
    )


def _corrupted(template: BaseCorruption, columns: list[Any], split: Split) -> Any:
    # without a single row struck, any pipeline would seem to take the error
    rate = max(PROBE_RATE, min(1.0, 1.0 / len(split.train)))
    corruption = clone(template).set_params(rate=rate, pattern=None, random_state=split.seed)
    if columns:
        corruption.set_params(columns=list(columns))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return corruption.fit(split.X_train, split.y_train).corrupt(split.X_train, split.y_train)


def _failure(
    estimator: Estimator,
    template: BaseCorruption,
    columns: list[Any],
    split: Split,
    clean_tests: bool,
) -> Exception | None:
    X, y, _ = _corrupted(template, columns, split)
    model = seeded_clone(estimator, split.seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fit_on_copies(model, X, y, split.fit_params)
        except Exception as error:
            return error
        if not clean_tests or not hasattr(model, "predict"):
            return None
        try:
            few = np.arange(min(FEW_ROWS, len(split.test)))
            model.predict(as_table(split.X_test).take(few))
        except Exception as error:
            # what else it says may be due to what is drawn here, or to rows that are few
            remedy = dtype_remedy(split.X_train, columns, str(error))
            return _NotPredicted(f"{first_line(error)}{remedy}") if remedy else None
    return None


def dtype_remedy(X: Any, columns: Iterable[Any], said: str) -> str:
    """What to do where a step has seen floats, as gaps make of integers, and takes no integers.

    Parameters
    ----------
    X : table
        The data.
    columns : iterable
        Labels of columns that are hit.
    said : str
        The error of the pipeline.

    Returns
    -------
    str
        A sentence; "" where that is not what it minds.
    """
    table = as_table(X)
    kinds = {table.kind(table.labels.index(column)) for column in columns}
    if OTHER_DTYPE not in said or "integer" not in kinds:
        return ""
    return (
        " The error makes floats of integers where the pipeline is fitted, while the rows that "
        "are scored still hold integers: where both will come as floats, pass them as such, "
        "X.astype({column: float})."
    )


def _diagnosis(
    estimator: Estimator,
    template: BaseCorruption,
    columns: list[Any],
    split: Split,
    failure: Exception,
) -> str:
    """Which step of the pipeline fails, and what to do about it."""
    if isinstance(failure, _NotPredicted):
        return (
            f"Fitted on rows with {_what(template)}, the pipeline cannot predict rows without: "
            f"{failure}"
        )
    X, y, _ = _corrupted(template, columns, split)
    name, step, cause = _failing_step(estimator, X, y)
    error = first_line(cause)
    what = _named(name, step)
    if isinstance(cause, _RowsLost):
        return f"{what} {cause}"
    if template._erases:
        before = "it" if name else "it, as in make_pipeline(SimpleImputer(), …)"
        return f"{what} does not accept missing values; add an imputer before {before}. ({error})"
    if not columns:
        return (
            f"{what} does not accept missing labels; pass another missing_label, or an estimator "
            f"that learns from partly labelled rows. ({first_line(error)})"
        )
    return (
        f"{what} does not accept data corrupted by {type(template).__name__}; add a step before it "
        f"that takes such data, as in make_pipeline(FunctionTransformer(…), …). ({error})"
    )


def raise_if_refusing(estimator: Estimator, X: Any, y: Any, error: Exception) -> None:
    """Name the step that loses rows of clean data or refuses gaps or texts in it, if one does.

    Raises
    ------
    ValueError
        From the error of the pipeline.
    """
    name, step, cause = _failing_step(estimator, X, y)
    if isinstance(cause, _RowsLost):
        raise ValueError(f"{_named(name, step)} {cause}") from error
    said = refused_in(X, _named(name, step), error, behind=not _is_first(estimator, name))
    if said:
        raise ValueError(said) from error


def warn_at_chance(
    estimator: Estimator,
    scoring: Scoring,
    splits: list[Split],
    scorer: Callable[..., Any],
    clean: list[Outcome],
) -> None:
    """Say that the clean pipeline has nothing to lose, where a constant prediction scores as well.

    Only scores of scikit-learn's are judged: a constant prediction is as fair as can be.

    Parameters
    ----------
    estimator : estimator
        The pipeline.
    scoring : str, callable or None
        The parameter of the search.
    splits : list of Split
        The splits.
    scorer : callable
        The scorer.
    clean : list of Outcome
        Clean scores, one a split.

    Warns
    -----
    UserWarning
        If a constant prediction scores as well.
    """
    if scoring == CHANGE:
        # of clean rows nothing changes, whatever the model says
        return
    if is_classifier(estimator):
        if all(len(Target(split.y_train).coded[1]) < 2 for split in splits):
            # of rows of one class a constant is right by itself
            return
        constant, own = DummyClassifier(), ClassifierMixin.score
    elif is_regressor(estimator):
        constant, own = DummyRegressor(), RegressorMixin.score
    else:
        return
    model = estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator
    if not isinstance(scoring, str) and (
        scoring is not None or getattr(type(model), "score", None) is not own
    ):
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scores = [
                scorer(
                    clone(constant).fit(s.X_train, s.y_train), s.X_test, s.y_test, **s.score_params
                )
                for s in splits
            ]
    except Exception:
        # what asks for more than predictions cannot be compared
        return
    own_score, constant_score = np.mean([o.score for o in clean]), np.mean(scores)
    if own_score <= constant_score + 1e-12:
        of_unequal_size = is_classifier(estimator) and scoring in (None, "accuracy")
        remedy = ", or pass scoring='balanced_accuracy'" if of_unequal_size else ""
        unit = largest(own_score, constant_score)
        warn(
            f"{NO_BETTER} {score(own_score, unit)}, no better than a constant "
            f"prediction ({score(constant_score, unit)}), so an error in the data has nothing to "
            f"destroy. Check the pipeline and the columns of X{remedy}.",
        )


def _is_first(model: Any, name: str) -> bool:
    """Whether a step, nested as in parameters, gets the data as the pipeline does."""
    outer, _, inner = name.partition("__")
    if not outer:
        return True
    first, step = model.steps[0]
    return first == outer and _is_first(step, inner)


def _named(name: str, step: Any) -> str:
    # what keeps a fitted model as it is was put around it here
    step = step.estimator if isinstance(step, FrozenEstimator) else step
    return f"step {name!r} ({type(step).__name__})" if name else type(step).__name__


def _failing_step(estimator: Estimator, X: Any, y: Any) -> tuple[str, Any, Exception | str]:
    """Name of the step that fails, nested as in parameters, the step and its error."""
    steps = estimator.steps if isinstance(estimator, Pipeline) else [("", estimator)]
    X, y = duplicate(X), duplicate(y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i, (name, step) in enumerate(steps):
            if step is None or isinstance(step, str):
                continue
            model = clone(step)
            try:
                if i == len(steps) - 1 and not hasattr(model, "transform"):
                    model.fit(X, y)
                elif hasattr(model, "fit_resample"):
                    X, y = model.fit_resample(X, y)
                else:
                    X = _transformed(model, X, y)
            except Exception as error:
                if not hasattr(step, "steps"):
                    return name, step, error
                inner, at, cause = _failing_step(step, X, y)
                return (f"{name}__{inner}" if inner else name), at, cause
    return "", estimator, "the pipeline fails as a whole"


def _transformed(model: Any, X: Any, y: Any) -> Any:
    out = model.fit_transform(X, y)
    before, after = (np.shape(each)[0] if hasattr(each, "shape") else None for each in (X, out))
    if before is not None and after is not None and before != after:
        raise _RowsLost(
            f"returned {after} of {before} rows, but a step of a pipeline has to return every row; "
            "fill what is missing with an imputer such as SimpleImputer(), or drop rows in a step "
            "with fit_resample, in a pipeline of imbalanced-learn."
        )
    return out
