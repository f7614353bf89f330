"""Which scores are sums over rows, and what every row contributes to them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from sklearn import metrics
from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import make_scorer
from sklearn.pipeline import Pipeline

from skcorrupt.utils import FittedView, Target
from skcorrupt.utils._compat import scorer_parts
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._change_scorer import ChangeScorer
from ._fairness_scorer import FairnessScorer
from ._groups import favourable, privileged_rows, sensitive_column
from ._ranks import (
    JointChanges,
    area_under_roc,
    beyond_rows,
    changes_of_rank,
    joint_changes,
)
from ._row_metrics import LOSSES, ROW_METRICS, Form
from ._row_scorer import MeanLoss
from ._subgroup_scorer import SubgroupScorer

# of sums in another order than scikit-learn's
CLOSE = 1e-8


@dataclass(frozen=True, eq=False)
class RowScore:
    """A score as a sum over rows, of which each is predicted on its own.

    Attributes
    ----------
    form : {"sum", "root", "gap"}
        Whether the score is the sum, minus the root of minus the sum, or minus its size.
    ask : callable
        `ask(model, X)` gives what the score is computed from, an entry for each row.
    each : callable
        `each(answers)` gives what every row contributes, shape (n_samples,).
    offset : float
        Added to the sum.
    beyond : callable or None
        `beyond(k)` bounds what the sum leaves out where k rows change together; None where that is
        nothing, or not known.
    whole : callable or None
        `whole(answers)` is the score itself, where the sum is not; None where it is.
    among : callable or None
        `among(answers, rows)` is the score of some rows, which may come twice; None where not
        known.
    lowest : float
        What no answers score less than.
    joint : callable or None
        `joint(answers)` gives what pairs of rows change beside what each changes by itself, where
        the sum is that of an area under the ROC curve.
    """

    form: Form
    ask: Callable[[Any, TableLike], Any]
    each: Callable[[Any], np.ndarray]
    offset: float = 0.0
    beyond: Callable[[int], float] | None = None
    whole: Callable[[np.ndarray], float] | None = None
    among: Callable[[np.ndarray, np.ndarray], float] | None = None
    lowest: float = -np.inf
    joint: Callable[[Any], JointChanges | None] | None = None

    def total(self, contributions: np.ndarray) -> float:
        """The score of all rows."""
        found = float(np.sum(contributions)) + self.offset
        if self.form == "root":
            return -float(np.sqrt(max(-found, 0.0)))
        return -abs(found) if self.form == "gap" else found


def row_score_of(
    scorer: Callable[..., Any],
    model: Any,
    X: TableLike,
    y: ColumnLike | None,
    params: dict[str, Any] | None = None,
) -> RowScore | None:
    """What every row contributes to a score, None where the score is no sum over rows.

    Parameters
    ----------
    scorer : callable
        `scorer(estimator, X, y)`.
    model : fitted estimator
        What is scored.
    X : table of shape (n_samples, n_features)
        Clean rows, of which labels, groups and weights hold for struck ones too.
    y : array-like of shape (n_samples,) or None
        Their labels.
    params : dict or None, default=None
        Other parameters of the scorer, of which `sample_weight` is understood.

    Returns
    -------
    RowScore or None
        It gives the score of the clean rows itself, which is checked.
    """
    params = params or {}
    if not set(params) <= {"sample_weight"}:
        return None
    found = _row_score(scorer, model, X, y, params)
    if found is None:
        return None
    try:
        own = float(scorer(model, X, y, **params))
        said = found.total(found.each(found.ask(model, X)))
    except (TypeError, ValueError):
        return None
    # a score of the user's may only look like one of scikit-learn's
    same = np.isclose(own, said, rtol=CLOSE, atol=CLOSE)
    return found if same else None


def surrogate_of(
    scorer: Callable[..., Any],
    model: Any,
    X: TableLike,
    y: ColumnLike | None,
    params: dict[str, Any] | None = None,
) -> RowScore | None:
    """By how much a score would change if one row changed alone, None where that is not known.

    Of scores of rankings it is the change of the area under the ROC curve, the mean over classes
    where there are several, of scores of decisions that of the score itself.

    Parameters
    ----------
    scorer : callable
        A scorer of scikit-learn's for classes.
    model : fitted estimator
        What is scored.
    X : table of shape (n_samples, n_features)
        Clean rows.
    y : array-like of shape (n_samples,) or None
        Their labels.
    params : dict or None, default=None
        Other parameters of the scorer, of which `sample_weight` is understood.

    Returns
    -------
    RowScore or None
        Contributions that are 0 for clean answers, apart from an offset.
    """
    parts, params = scorer_parts(scorer), params or {}
    if parts is None or y is None or not set(params) <= {"sample_weight"}:
        return None
    if not is_classifier(model):
        return None
    func, sign, kwargs, response = parts
    labels, ask = Target(y).values, asked(scorer, y)
    try:
        clean = np.asarray(ask(model, X))
        offset = float(scorer(model, X, y, **params))
    except (TypeError, ValueError):
        return None
    if not np.isfinite(offset):
        return None

    def whole(answers: np.ndarray) -> float:
        return sign * float(func(labels, answers, **kwargs, **params))

    given = params.get("sample_weight")
    weights = np.ones(len(labels)) if given is None else np.asarray(given, dtype=float)
    among = _among(func, sign, kwargs, labels, given)
    if response == "predict":
        each = _changes_of(lambda answers: whole(answers) - offset, labels, clean, weights)
        return RowScore("sum", ask, each, offset, whole=whole, among=among)
    classes = np.unique(labels)
    if clean.ndim == 2:
        if not np.array_equal(getattr(model, "classes_", []), classes):
            return None
        own = [changes_of_rank(labels == c, clean[:, i], weights) for i, c in enumerate(classes)]
        return RowScore(
            "sum",
            ask,
            lambda answers: np.mean([of(answers[:, i]) for i, of in enumerate(own)], axis=0),
            offset,
            whole=whole,
            among=among,
        )
    if len(classes) != 2:
        return None
    asked_for = kwargs.get("pos_label")
    positive = labels == (classes[1] if asked_for is None else asked_for)
    each = changes_of_rank(positive, clean, weights)
    joint = joint_changes(positive, clean, weights)
    if func is not metrics.roc_auc_score or kwargs or sign != 1:
        return RowScore("sum", ask, each, offset, whole=whole, among=among, joint=joint)
    area = area_under_roc(positive) if given is None else whole
    beyond = beyond_rows(positive, weights)
    return RowScore("sum", ask, each, offset, beyond, area, among, lowest=0.0, joint=joint)


def _changes_of(
    change: Callable[[np.ndarray], float], y: np.ndarray, clean: np.ndarray, weights: np.ndarray
) -> Callable[[Any], np.ndarray]:
    """The change of a score of decisions that each other decision brings by itself.

    Of rows that differ in their weight alone it is the change of the first, by its weight.
    """
    known: dict[tuple[Any, ...], float] = {}

    def each(answers: Any) -> np.ndarray:
        found = np.asarray(answers)
        changes = np.zeros(len(y))
        for i in np.flatnonzero((found != clean) & (weights > 0)):
            kind = y[i], clean[i], found[i]
            if kind not in known:
                other = clean.copy()
                other[i] = found[i]
                known[kind] = change(other) / weights[i]
            changes[i] = known[kind] * weights[i]
        return changes

    return each


def _row_score(
    scorer: Callable[..., Any], model: Any, X: TableLike, y: Any, params: dict[str, Any]
) -> RowScore | None:
    if isinstance(scorer, ChangeScorer):
        clean = scorer.ask(model, X)
        return RowScore("sum", scorer.ask, lambda a: -scorer.of_rows(clean, a) / len(clean))
    if y is None:
        return None
    target = Target(y)
    weights = params.get("sample_weight")
    weights = np.ones(target.n_rows) if weights is None else np.asarray(weights, dtype=float)
    if isinstance(scorer, FairnessScorer):
        return _gap(scorer, X, y)
    if isinstance(scorer, SubgroupScorer):
        return _subgroup(scorer, model, X, y, params)
    parts = scorer_parts(scorer)
    if parts is None:
        return _own_score(scorer, model, target.values, weights)
    func, sign, kwargs, _ = parts
    shares = _shares(func, kwargs, target.values, weights, model)
    if shares is None:
        return None
    form, each, offset = shares
    if sign != (-1 if form == "root" or func in LOSSES or isinstance(func, MeanLoss) else 1):
        return None
    among = _among(func, sign, kwargs, target.values, params.get("sample_weight"))
    return RowScore(form, asked(scorer, y), each, offset, among=among)


def _among(
    func: Any, sign: int, kwargs: dict[str, Any], y: np.ndarray, sample_weight: Any
) -> Callable[[np.ndarray, np.ndarray], float]:
    """A metric of scikit-learn's on some rows."""
    weights = None if sample_weight is None else np.asarray(sample_weight)

    def among(answers: np.ndarray, rows: np.ndarray) -> float:
        given = kwargs if weights is None else {**kwargs, "sample_weight": weights[rows]}
        return sign * float(func(y[rows], answers[rows], **given))

    return among


def asked(scorer: Callable[..., Any], y: Any) -> Callable[[Any, TableLike], Any]:
    """What a scorer of scikit-learn's asks a model for, as the metric gets it.

    Parameters
    ----------
    scorer : callable
        One that `make_scorer` made.
    y : array-like of shape (n_samples,)
        Labels of the rows that the model is asked for.

    Returns
    -------
    callable
        From a model and rows to what it answers.
    """
    func, _, kwargs, response = cast("tuple[Any, ...]", scorer_parts(scorer))

    def ask(model: Any, X: TableLike) -> Any:
        kept: list[Any] = []

        # parameters of the metric, such as its positive label, decide on what it gets
        @functools.wraps(func)
        def note(y_true: Any, answers: Any, **_: Any) -> float:
            kept.append(answers)
            return 0.0

        make_scorer(note, response_method=response, **kwargs)(model, X, y)
        return kept[0]

    return ask


def own_metric(estimator: Any) -> Callable[..., Any] | None:
    """The metric that an estimator's own `score` is.

    Parameters
    ----------
    estimator : estimator
        The estimator, or a pipeline that ends in it.

    Returns
    -------
    callable or None
        `accuracy_score` or `r2_score`; None where `score` is its own.
    """
    final = estimator
    while True:
        # a view says that it is of the class of what it shows
        if issubclass(type(final), FittedView):
            final = final._estimator
        elif isinstance(final, Pipeline) and _is_of_last(type(final).score):
            final = final.steps[-1][1]
        elif isinstance(final, FrozenEstimator):
            final = final.estimator
        else:
            break
    own = getattr(type(final), "score", None)
    if own is ClassifierMixin.score:
        return metrics.accuracy_score
    return metrics.r2_score if own is RegressorMixin.score else None


def _is_of_last(score: Any) -> bool:
    """Whether the score of a pipeline is that of its last step, as no other library wrote it."""
    return getattr(score, "__module__", "").split(".")[0] in ("sklearn", "imblearn")


def _own_score(scorer: Any, model: Any, y: np.ndarray, weights: np.ndarray) -> RowScore | None:
    """The score of an estimator itself, where it is a standard one."""
    func = own_metric(model)
    if func is None or not type(scorer).__module__.startswith("sklearn."):
        return None
    shares = _shares(func, {}, y, weights, model)
    if shares is None:
        return None
    return RowScore(shares[0], lambda m, X: m.predict(X), *shares[1:])


def _shares(
    func: Any, kwargs: dict[str, Any], y: np.ndarray, weights: np.ndarray, model: Any
) -> tuple[Form, Callable[[Any], np.ndarray], float] | None:
    """Form of a metric, what rows contribute to it, and what is added."""
    share = weights / weights.sum()
    if isinstance(func, MeanLoss) and not kwargs:
        return "sum", lambda a: -share * func.of_rows(y, a), 0.0
    known = ROW_METRICS.get(func)
    return None if known is None else known(kwargs, y, share, model)


def _gap(scorer: FairnessScorer, X: TableLike, y: Any) -> RowScore | None:
    """A gap between two groups, to which every favourable answer adds a share of a rate."""
    group = privileged_rows(sensitive_column(X, scorer.sensitive_features), scorer.privileged, X)
    positive = favourable(y, scorer.pos_label, "y_true")
    weight = np.zeros(len(group))
    # of the rates of favourable predictions, those of all or by label
    by_label = {"spd": None, "eod": (0.0, 1.0), "aod": (0.5, 0.5), "erd": (1.0, -1.0)}
    factors = by_label[scorer.metric]
    for privileged, sign in ((0, 1.0), (1, -1.0)):
        own = group == privileged
        for label, factor in enumerate(factors or (1.0, 1.0)):
            rows = own & (positive == bool(label))
            n = int(own.sum()) if factors is None else int(rows.sum())
            if factor and n == 0:
                return None
            weight[rows] = sign * factor / max(n, 1)
    return RowScore("gap", scorer.ask, lambda answers: weight * scorer.shares(answers))


def _subgroup(
    scorer: SubgroupScorer, model: Any, X: TableLike, y: Any, params: dict[str, Any]
) -> RowScore | None:
    """The score of some rows, to which the others contribute nothing."""
    mask = np.asarray(scorer.pattern.mask(X, y))
    weights = params.get("sample_weight")
    weights = np.ones(len(mask)) if weights is None else np.asarray(weights, dtype=float)
    inner = metrics.check_scoring(model, scoring=scorer.scoring)
    if not mask.any() or isinstance(inner, (ChangeScorer, SubgroupScorer, FairnessScorer)):
        return None
    # rows of no weight are not there
    found = _row_score(inner, model, X, y, {"sample_weight": np.where(mask, weights, 0.0)})
    labels = Target(y).values
    lacking = len(np.unique(labels[mask])) < len(np.unique(labels))
    return None if is_classifier(model) and lacking else found
