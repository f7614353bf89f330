"""What a score is called where people read it."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_regressor

from skcorrupt.utils import shorten
from skcorrupt.utils._compat import scorer_function, scorer_parts
from skcorrupt.utils._typing import Estimator

from ._change_scorer import CHANGE, ChangeScorer
from ._row_score import own_metric

# where the name that scikit-learn has is not what people say
_METRICS = {
    "roc_auc": "AUC",
    "r2": "R²",
    "f1": "F1",
    "f1_macro": "macro F1",
    "f1_micro": "micro F1",
    "f1_weighted": "weighted F1",
    "roc_auc_ovr": "AUC (one class against the rest)",
    "roc_auc_ovo": "AUC (one class against another)",
}
_MINUS = "neg_"
UNNAMED = "score"
CHANGED_MEAN = "negative mean change of predictions"
CHANGED_SHARE = "negative share of predictions changed"


def metric_name(scoring: Any, *estimators: Estimator | None) -> str:
    """Give a readable name of a scoring parameter.

    Parameters
    ----------
    scoring : str, callable or None
        As scikit-learn takes it; None is each estimator's own score.
    *estimators : estimator or None
        The models that are scored, of which only None asks for.

    Returns
    -------
    str
        The name; "score" where models have scores of their own that differ or have no name.
    """
    if scoring is None:
        owns = {own_metric(each) for each in estimators}
        own = owns.pop() if len(owns) == 1 else None
        return UNNAMED if own is None else _in_words(own.__name__.removesuffix("_score"))
    if scoring == CHANGE or isinstance(scoring, ChangeScorer):
        return _of_changes(scoring, *estimators)
    if isinstance(scoring, str):
        return _in_words(scoring)
    parts = scorer_parts(scoring)
    if parts is not None and getattr(parts[0], "__module__", "").startswith("sklearn.metrics"):
        return _of_scikit_learn(*parts[:3])
    return getattr(scorer_function(scoring), "__name__", type(scoring).__name__)


def _of_changes(scoring: str | ChangeScorer, *estimators: Estimator | None) -> str:
    """What changes where a score needs no labels."""
    if getattr(scoring, "response", "predict") != "predict":
        return "negative mean change of probabilities"
    numbers = any(is_regressor(each) for each in estimators if each is not None)
    return CHANGED_MEAN if numbers else CHANGED_SHARE


def _of_scikit_learn(metric: Any, sign: int, params: dict[str, Any]) -> str:
    """A metric of scikit-learn's with parameters, such as "recall of 'yes'"."""
    params = dict(params)
    name = metric.__name__.removesuffix("_score")
    average = params.pop("average", None)
    if f"{name}_{average}" in _METRICS:
        name = f"{name}_{average}"
    elif isinstance(average, str) and average != "binary":
        name = f"{average} {name}"
    said = _in_words(name if sign > 0 else _MINUS + name)
    if "pos_label" in params:
        said += f" of {params.pop('pos_label')!r}"
    rest = ", ".join(f"{key}={shorten(value, 30)}" for key, value in params.items())
    return f"{said} ({rest})" if rest else said


def _in_words(name: str) -> str:
    known = _METRICS.get(name)
    if known is not None:
        return known
    # losses are scored with the sign turned, so that more is better
    sign = "negative " if name.startswith(_MINUS) else ""
    return sign + name.removeprefix(_MINUS).replace("_", " ")
