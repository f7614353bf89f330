"""What can be done about errors, remedy by remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesRegressor,
    RandomForestRegressor,
)
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import (
    ElasticNet,
    HuberRegressor,
    Lasso,
    LinearRegression,
    LogisticRegression,
    Perceptron,
    Ridge,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeRegressor

from skcorrupt.corruptions import CorruptMissing
from skcorrupt.evaluation._pipelines import is_empty, parts_of
from skcorrupt.utils import is_number
from skcorrupt.utils._compat import IterativeImputer

from ._column_dropper import ColumnDropper
from ._range_clipper import RangeClipper
from ._unseen_masker import UnseenMasker
from ._walked import ENCODERS, IMPUTERS, Walked, before, imputes

Remedy = dict[str, list[Any]]
SCALERS = (StandardScaler, MinMaxScaler, MaxAbsScaler)
LINEAR_CLASSIFIERS = (LogisticRegression, LinearSVC, RidgeClassifier, Perceptron)
LINEAR_REGRESSORS = (LinearRegression, Ridge, Lasso, ElasticNet)
TREES = (DecisionTreeRegressor, ExtraTreesRegressor, RandomForestRegressor)
# times the parameter is made stronger
STEPS = (10.0, 100.0)
N_QUANTILES = 50
# least rows of a leaf
LEAVES = (5, 20)
# shares of a column's values that become gaps in training
GAP_RATES = (0.05, 0.1)


def imputers(walked: Walked) -> Iterator[Remedy]:
    """Other fills, a column that says where they are, and none where the model needs none."""
    placed = walked.steps(IMPUTERS)
    for place in placed:
        path, step = place.path, place.step
        if isinstance(step, SimpleImputer):
            if place.is_text:
                # the default fill is a text for texts, and 0 for numbers
                fills = ["most_frequent", "constant"]
            else:
                fills = ["mean", "median", "constant"]
            yield {f"{path}__strategy": [fill for fill in fills if fill != step.strategy]}
        if not getattr(step, "add_indicator", True):
            yield {f"{path}__add_indicator": [True]}
        if not place.is_text:
            others = [
                each
                for each in _learned_imputers()
                if not isinstance(each, type(step)) or isinstance(step, SimpleImputer)
            ]
            yield {path: others}
    if placed and walked.takes_missing():
        yield {place.path: ["passthrough"] for place in placed}
    if not placed and not walked.takes_missing():
        yield from _new_imputers(walked)


def marks(walked: Walked) -> dict[str, Any]:
    """What tells gaps from values, in every column that is filled.

    Parameters
    ----------
    walked : Walked
        The pipeline.

    Returns
    -------
    dict of str to object
        Parameter paths and values.
    """
    found: dict[str, Any] = {}
    for place in walked.steps(SimpleImputer):
        if place.is_text:
            found[f"{place.path}__strategy"] = "constant"
        else:
            found[f"{place.path}__add_indicator"] = True
    return found


def marks_everywhere(walked: Walked) -> Iterator[Remedy]:
    """Gaps told from values in numbers and in categories, where they are filled apart.

    Whoever wants to do harm turns to the columns in which they are not.

    Parameters
    ----------
    walked : Walked
        The pipeline.

    Yields
    ------
    dict of str to list
        Parameter paths and values.
    """
    now = walked.pipeline.get_params(deep=True)
    new = {path: [value] for path, value in marks(walked).items() if now[path] != value}
    # a single one is among other fills
    if len(new) > 1:
        yield new


def planted_gaps(walked: Walked) -> Iterator[Remedy]:
    """Gaps in training rows, told from values, so that models learn what to make of one.

    A model that was fitted without gaps reads the value that fills one as if it were given, though
    other columns may say as much.

    Parameters
    ----------
    walked : Walked
        The pipeline.

    Yields
    ------
    dict of str to list
        Parameter paths and values.
    """
    gaps = [CorruptMissing(rate=rate, same_rows=False, random_state=0) for rate in GAP_RATES]
    yield from _taught(walked, gaps)


def unseen_as_gaps(walked: Walked) -> Iterator[Remedy]:
    """Values that gaps of training rows hid are gaps too, told from values.

    Parameters
    ----------
    walked : Walked
        The pipeline.

    Yields
    ------
    dict of str to list
        Parameter paths and values.
    """
    yield from _taught(walked, [UnseenMasker()])


def planted_beyond_ranges(walked: Walked) -> Iterator[Remedy]:
    """Two remedies in one: values out of range are gaps, and gaps are planted to learn from.

    A value that only becomes missing is filled, and the fill is read as if it were given.

    Parameters
    ----------
    walked : Walked
        The pipeline.

    Yields
    ------
    dict of str to list
        Parameter paths and values.
    """
    gaps = CorruptMissing(rate=GAP_RATES[-1], same_rows=False, random_state=0)
    ranges = [
        RangeClipper(outside="missing"),
        RangeClipper(quantile_range=(1.0, 99.0), outside="missing"),
    ]
    yield from _taught(walked, [make_pipeline(each, clone(gaps)) for each in ranges])


def _taught(walked: Walked, first: list[Any]) -> Iterator[Remedy]:
    """Steps that make gaps before all others, which tell gaps from values."""
    if not walked.takes_tables() or not (imputes(walked.pipeline) or walked.takes_missing()):
        return
    told = marks(walked)
    marked = Walked(clone(walked.pipeline).set_params(**told))
    remedy = marked.put_first(first)
    if "steps" not in remedy:
        # those of the first step are set in its copy
        later = {path: [value] for path, value in told.items()}
        remedy |= {k: v for k, v in later.items() if k.partition("__")[0] not in remedy}
    yield remedy


def _learned_imputers() -> list[Any]:
    return [KNNImputer(), IterativeImputer(max_iter=30, random_state=0)]


def _new_imputers(walked: Walked) -> Iterator[Remedy]:
    """Imputers where there are none: one for each branch that columns go to."""
    composite = walked.first()
    if isinstance(composite, ColumnTransformer):
        name, found = walked.pipeline.steps[0][0], {}
        for part, step in parts_of(composite):
            fill = _fill_for(step)
            if fill is not None:
                found[f"{name}__{part}"] = [before(fill, step)]
        named = [(part, step) for part, step, _ in composite.transformers]
        for part, step in [*named, ("remainder", composite.remainder)]:
            if step == "passthrough":
                found[f"{name}__{part}"] = [SimpleImputer(strategy="most_frequent")]
        if found:
            yield found
    elif walked.takes_tables():
        text = _fill_for(composite)
        if text is not None and text.strategy == "most_frequent":
            yield walked.put_first([text])
        else:
            fills = [SimpleImputer(strategy="median"), SimpleImputer(add_indicator=True)]
            yield walked.put_first([*fills, *_learned_imputers()])


def _fill_for(step: Any) -> SimpleImputer | None:
    """What fills gaps before a step; None where it is fed texts that are no columns."""
    while isinstance(step, (Pipeline, FeatureUnion)) and parts_of(step):
        step = parts_of(step)[0][1]
    if isinstance(step, (CountVectorizer, HashingVectorizer)):
        return None
    encodes = isinstance(step, ENCODERS)
    return SimpleImputer(strategy="most_frequent" if encodes else "median")


def clipping(walked: Walked) -> Iterator[Remedy]:
    """Ranges of the training data, before all else.

    Parameters
    ----------
    walked : Walked
        The pipeline.

    Yields
    ------
    dict of str to list
        Parameter paths and values.
    """
    if not walked.takes_tables():
        return
    choices = [RangeClipper(), RangeClipper(quantile_range=(1.0, 99.0))]
    if imputes(walked.pipeline) or walked.takes_missing():
        choices.append(RangeClipper(quantile_range=(1.0, 99.0), outside="missing"))
    yield walked.put_first(choices)


def scaling(walked: Walked) -> Iterator[Remedy]:
    """Scales that a few far values do not move."""
    for place in walked.steps(SCALERS):
        centred = getattr(place.step, "with_mean", not isinstance(place.step, MaxAbsScaler))
        if not centred:
            # what is not centred may be sparse
            yield {place.path: [RobustScaler(with_centering=False)]}
            continue
        quantiles = QuantileTransformer(
            n_quantiles=N_QUANTILES, output_distribution="normal", random_state=0
        )
        yield {place.path: [RobustScaler(), quantiles]}


def categories(walked: Walked) -> Iterator[Remedy]:
    """Categories that were never seen, or seldom."""
    for place in walked.steps((OneHotEncoder, OrdinalEncoder)):
        path, step = place.path, place.step
        if isinstance(step, OneHotEncoder):
            if step.handle_unknown == "error":
                yield {f"{path}__handle_unknown": ["ignore"]}
            yield {
                f"{path}__handle_unknown": ["infrequent_if_exist"],
                f"{path}__min_frequency": [0.01, 0.05],
            }
        else:
            known: Remedy = {
                f"{path}__handle_unknown": ["use_encoded_value"],
                f"{path}__unknown_value": [-1],
            }
            if step.handle_unknown == "error":
                yield known
                yield {**known, f"{path}__min_frequency": [0.01, 0.05]}
            else:
                yield {f"{path}__min_frequency": [0.01, 0.05]}


def texts(walked: Walked) -> Iterator[Remedy]:
    """Parts of words, of which a slip spoils few."""
    for place in walked.steps((CountVectorizer, HashingVectorizer)):
        if place.step.analyzer == "word":
            yield {
                f"{place.path}__analyzer": ["char_wb"],
                f"{place.path}__ngram_range": [(2, 4), (3, 5)],
            }


def dropping(columns: list[Any]) -> Callable[[Walked], Iterator[Remedy]]:
    """Columns left out, those that an error is known to hit."""

    def remedies(walked: Walked) -> Iterator[Remedy]:
        if not columns or not walked.takes_tables():
            return
        # what asks for so many columns may find too few
        counts = [
            getattr(p.step, name, None) for p in walked.places for name in ("n_components", "k")
        ]
        if any(isinstance(count, int) for count in counts):
            return
        composites = walked.composites()
        if not composites:
            yield walked.put_first([ColumnDropper(list(columns))])
            return
        path, composite = composites[0]
        if len(composites) == 1 and "__" not in path and path == walked.pipeline.steps[0][0]:
            # what chooses columns by itself finds those that are left
            left = [
                (name, step, cols if callable(cols) else _without(cols, columns))
                for name, step, cols in composite.transformers
            ]
            if any(cols is None for _, _, cols in left):
                return
            parts = [(n, s if is_empty(s) else clone(s), c) for n, s, c in left]
            if any(callable(cols) for _, _, cols in left):
                chosen = clone(composite).set_params(transformers=parts)
                yield {path: [make_pipeline(ColumnDropper(list(columns)), chosen)]}
            else:
                names = [name for name, _, _ in parts]
                new = next(n for n in (f"dropped{'_' * i}" for i in range(99)) if n not in names)
                yield {f"{path}__transformers": [[*parts, (new, "drop", list(columns))]]}

    return remedies


def _without(chosen: Any, columns: list[Any]) -> Any:
    """The columns of a branch without some; None where that cannot be told without data."""
    if isinstance(chosen, str) and chosen not in columns:
        return chosen
    if isinstance(chosen, str) or not isinstance(chosen, (list, tuple)):
        return [] if isinstance(chosen, str) else None
    same = all(isinstance(name, str) for name in [*chosen, *columns])
    return [name for name in chosen if name not in columns] if same else None


def regularisation(walked: Walked) -> Iterator[Remedy]:
    """A model that follows single rows less."""
    path, model = walked.inner_path, walked.inner
    params = model.get_params(deep=False)
    if _positive(params.get("C")) and params.get("penalty", "") is not None:
        yield {f"{path}__C": [params["C"] / by for by in STEPS]}
    # of boosting it is a quantile
    if _positive(params.get("alpha")) and "n_estimators" not in params:
        yield {f"{path}__alpha": [params["alpha"] * by for by in STEPS]}
    if "l2_regularization" in params:
        given = params["l2_regularization"]
        yield {f"{path}__l2_regularization": [(given or 0.1) * by for by in STEPS]}
    leaf = params.get("min_samples_leaf")
    if _positive(leaf):
        yield {f"{path}__min_samples_leaf": _larger_leaves(leaf)}
    if isinstance(params.get("n_neighbors"), (int, np.integer)):
        yield {f"{path}__n_neighbors": [params["n_neighbors"] * 2, params["n_neighbors"] * 3]}
    if "var_smoothing" in params:
        yield {f"{path}__var_smoothing": [1e-3, 1e-1]}


def _larger_leaves(leaf: float) -> list[float]:
    """Rows of a leaf, or shares of all rows, of which there are to be more."""
    if leaf < 1:
        return [share for share in (leaf * 2, leaf * 5) if share < 1]
    return [n for n in LEAVES if n > leaf] or [leaf * 2, leaf * 5]


def _positive(value: Any) -> bool:
    return is_number(value) and 0 < value < np.inf


def class_weights(walked: Walked) -> Iterator[Remedy]:
    """Classes that count alike, however many rows of each an error left."""
    if walked.inner.get_params(deep=False).get("class_weight", "") is None:
        yield {f"{walked.inner_path}__class_weight": ["balanced"]}


def bagging(walked: Walked) -> Iterator[Remedy]:
    """Many models, each from half of the rows."""
    model = walked.model
    params = walked.inner.get_params(deep=False)
    if "n_estimators" in params or "n_estimators" in model.get_params(deep=False):
        return
    if "max_iter" in params and "learning_rate" in params and "max_leaf_nodes" in params:
        # boosting is many models already
        return
    if is_classifier(model):
        yield {walked.model_path: [BaggingClassifier(clone(model), max_samples=0.5)]}
    elif is_regressor(model):
        yield {walked.model_path: [BaggingRegressor(clone(model), max_samples=0.5)]}


def losses(walked: Walked) -> Iterator[Remedy]:
    """Losses that a wrong target moves little."""
    path, model = walked.inner_path, walked.inner
    loss = model.get_params(deep=False).get("loss")
    name = type(model).__name__
    if isinstance(model, LINEAR_CLASSIFIERS):
        yield {path: [_scaled(SGDClassifier(loss="modified_huber", random_state=0))]}
    elif isinstance(model, LINEAR_REGRESSORS):
        yield {path: [_scaled(HuberRegressor(max_iter=1000))]}
    elif isinstance(model, SGDClassifier) and loss != "modified_huber":
        yield {f"{path}__loss": ["modified_huber"]}
    elif name in ("SGDRegressor", "GradientBoostingRegressor"):
        choices = {
            "SGDRegressor": ["huber", "epsilon_insensitive"],
            "GradientBoostingRegressor": ["huber", "absolute_error"],
        }[name]
        yield {f"{path}__loss": [each for each in choices if each != loss]}
    elif name == "HistGradientBoostingRegressor" and loss == "squared_error":
        yield {f"{path}__loss": ["absolute_error"]}
    elif isinstance(model, TREES) and model.get_params()["criterion"] != "absolute_error":
        yield {f"{path}__criterion": ["absolute_error"]}


def _scaled(model: Any) -> Any:
    # these go by gradients, and what comes may be sparse
    return make_pipeline(StandardScaler(with_mean=False), model)


def early_stopping(walked: Walked) -> Iterator[Remedy]:
    """An end before the last errors are learned by heart."""
    path, params = walked.inner_path, walked.inner.get_params(deep=False)
    if params.get("early_stopping") in (False, "auto"):
        yield {f"{path}__early_stopping": [True]}
    elif params.get("n_iter_no_change", "") is None:
        yield {f"{path}__n_iter_no_change": [5]}
