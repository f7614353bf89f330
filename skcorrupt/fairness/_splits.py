"""One split: the pipeline, and the pipeline without each of its stages."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.metrics import check_scoring, r2_score
from sklearn.pipeline import Pipeline

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import Split, reseeded, score_of, seeded_clone
from skcorrupt.metrics._groups import favourable
from skcorrupt.utils import ScorerError, Sheltered, as_column, fit_on_copies
from skcorrupt.utils._compat import scorer_function
from skcorrupt.utils._typing import ErrorScore, Scorings

from ._memo import Cache, MemoSampler
from ._references import Reference
from ._stages import Stage, shared, without

Scorers: TypeAlias = Mapping[str, Callable[..., Any]] | None
CACHE_BYTES = 2**30
MOST_SAID = 300


@dataclass(frozen=True)
class Variant:
    """A pipeline that differs from the whole one in one stage.

    Attributes
    ----------
    stage : Stage
        Where it differs.
    reference : Reference
        What stands there instead.
    """

    stage: Stage
    reference: Reference


@dataclass
class Prediction:
    """What one pipeline made of a split.

    Attributes
    ----------
    values : ndarray of shape (n_test,) or None
        Predictions of the test rows, None where it failed.
    scores : dict of str to float
        Its performance.
    error : str
        How it failed, "" where it did not.
    score_error : str
        How a scorer failed, "" where none did.
    """

    values: np.ndarray | None = None
    scores: dict[str, float] = field(default_factory=dict)
    error: str = ""
    score_error: str = ""


@dataclass
class SplitResult:
    """What all pipelines made of a split.

    Attributes
    ----------
    whole : Prediction
        Of the whole pipeline.
    variants : list of Prediction
        In the order of the variants.
    other_seed : Prediction or None
        Of the whole pipeline with another seed.
    samplers : dict of str to (ndarray of int, ndarray of int)
        By path of each sampler the training rows that came to it, as positions in the whole
        data, and where among them each row comes from that it gave; -1 is a row made up.
    n_fits : int
        Number of fits of stages and final estimators.
    """

    whole: Prediction
    variants: list[Prediction]
    other_seed: Prediction | None
    samplers: dict[str, tuple[np.ndarray, np.ndarray]]
    n_fits: int


def scorers_of(pipeline: Pipeline, scoring: Scorings) -> Scorers:
    """Scorers by name, one by one, so that one that fails does not take the others along.

    Parameters
    ----------
    pipeline : Pipeline
        What is scored.
    scoring : str, callable, list, dict or None
        As everywhere in scikit-learn.

    Returns
    -------
    dict of str to callable, or None
        A callable is "score"; None is none.
    """
    if scoring is None:
        return None
    # refuses what is none
    scorer = check_scoring(pipeline, scoring=scoring)
    if callable(scoring):
        return {"score": scorer}
    several = [scoring] if isinstance(scoring, str) else scoring
    each = several if isinstance(several, Mapping) else {name: name for name in several}
    return {name: check_scoring(pipeline, scoring=one) for name, one in each.items()}


def run_split(
    pipeline: Pipeline,
    variants: Sequence[Variant],
    split: Split,
    scorers: Scorers,
    *,
    pos_label: Hashable | None,
    corruption: BaseCorruption | None = None,
    noise_floor: bool = False,
    error_score: ErrorScore = np.nan,
    cache: Cache | None = None,
    model: int = 0,
) -> SplitResult:
    """Fit the pipeline and its variants on one split and predict the same rows.

    Parameters
    ----------
    pipeline : Pipeline
        The whole pipeline.
    variants : sequence of Variant
        What else to fit.
    split : Split
        The data.
    scorers : dict of str to callable, or None
        `scorer(estimator, X, y)` with a score or a dictionary of scores; None is accuracy and
        F1, or R².
    pos_label : label or None
        The favourable label, None for numbers.
    corruption : BaseCorruption or None, default=None
        What happens to the training data.
    noise_floor : bool, default=False
        Whether the whole pipeline is fitted with another seed too.
    error_score : float or "raise", default=nan
        What happens when a fit fails.
    cache : Cache or None, default=None
        Fitted stages of other pipelines on the same split; None is none.
    model : int, default=0
        What tells the last step of the pipeline from those of others with the same cache.

    Returns
    -------
    SplitResult
        Predictions, scores, errors.
    """
    X, y, rows = split.X_train, split.y_train, split.train
    if corruption is not None:
        X, y, record = reseeded(corruption, split.seed).fit(X, y).corrupt(X, y)
        rows = rows[record.sample_indices]
        split = replace(split, X_test=_as_wide(split.X_test, split.X_train, X))
    if cache is None:
        # scorers ask for predictions again
        cache = Cache(CACHE_BYTES, keeps_variants=scorers is not None)
    seeded = seeded_clone(pipeline, split.seed)
    raising = isinstance(error_score, str) and error_score == "raise"
    runner = _Runner(X, y, split, scorers, pos_label, cache, model)
    whole, fitted = runner.run(runner.shared(seeded), raising=raising)
    samplers = {} if fitted is None else _through_samplers(fitted, rows)
    predictions = []
    for k, variant in enumerate(variants):
        reference = variant.reference.estimator
        if reference is not None and not isinstance(reference, str):
            reference = seeded_clone(reference, split.seed)
        # two candidates of one class are told apart by their number
        predictions.append(runner.run_variant(seeded, variant.stage, reference, f"variant {k}"))
    other, n_fits = None, runner.n_fits
    if noise_floor:
        alone = _Runner(X, y, split, scorers, pos_label, Cache(0), model)
        other, _ = alone.run(alone.shared(_reseeded(pipeline, split.seed + 1)), raising=raising)
        n_fits += alone.n_fits
    return SplitResult(whole, predictions, other, samplers, n_fits)


class _Runner:
    """Fits pipelines on one split."""

    def __init__(
        self,
        X: Any,
        y: Any,
        split: Split,
        scorers: Scorers,
        pos_label: Hashable | None,
        cache: Cache,
        model: int,
    ):
        self.X, self.y, self.split = X, y, split
        self.scorers, self.pos_label = scorers, pos_label
        self.cache, self.model = cache, model
        self.n_fits = 0

    def shared(self, pipeline: Any, replaced: str = "", by: str = "") -> Any:
        return shared(pipeline, (), self.cache, replaced, by, self.model)

    def run_variant(self, seeded: Any, stage: Stage, reference: Any, by: str) -> Prediction:
        try:
            variant = without(seeded, stage, reference)
        except (ValueError, TypeError) as error:
            return Prediction(error=_said(error))
        # a stage that cannot be left out is a row, whatever error_score says
        return self.run(self.shared(variant, stage.path, by), raising=False)[0]

    def run(self, pipeline: Any, *, raising: bool) -> tuple[Prediction, Any]:
        """Fit, predict and score; the pipeline is None where that failed."""
        try:
            values = self._predictions(pipeline)
        except Exception as error:
            if raising:
                raise
            return Prediction(error=_said(error)), None
        scores, failure = self._scores(pipeline, values, raising)
        return Prediction(values, scores, score_error=failure), pipeline

    def _predictions(self, pipeline: Any) -> np.ndarray:
        before = self.cache.n_fits
        self.cache.role = "train"
        fit_on_copies(pipeline, self.X, self.y)
        self.n_fits += 1 + self.cache.n_fits - before
        self.cache.role = "test"
        values = as_column(Sheltered(pipeline).predict(self.split.X_test), "y_pred")
        if self.pos_label is not None:
            favourable(values, self.pos_label, "y_pred")
        elif pd.isna(values).any():
            raise ValueError(f"the predictions have {int(pd.isna(values).sum())} missing values")
        return values

    def _scores(
        self, model: Any, predicted: np.ndarray, raising: bool
    ) -> tuple[dict[str, float], str]:
        y = self.split.y_test
        if self.scorers is None:
            return _default_scores(y, predicted, self.pos_label), ""
        scores: dict[str, float] = {}
        failure = ""
        for name, scorer in self.scorers.items():
            # a callable of the user's may ask for predictions of other rows than these
            self.cache.role = None if scorer_function(scorer) is scorer else "test"
            try:
                found = score_of(scorer, model, self.split.X_test, y, several=True)
                scores |= found if isinstance(found, Mapping) else {name: found}
            except ScorerError:
                raise
            except Exception as error:
                if raising:
                    raise
                scores[name] = np.nan
                failure = failure or f"{name}: {_said(error)}"
        return scores, failure


def _reseeded(pipeline: Any, seed: int) -> Any:
    """A clone in which seeds that the user set are others, too."""
    params = pipeline.get_params(deep=True)
    of_user = [
        name
        for name, value in params.items()
        if isinstance(value, Integral) and name.rpartition("__")[2] == "random_state"
    ]
    return seeded_clone(clone(pipeline).set_params(**dict.fromkeys(of_user)), seed)


def _as_wide(X: Any, clean: Any, dirty: Any) -> Any:
    """Test data with floats where training data got them, as missing values in integers do.

    To a stage both are of one type, as they would be in a file with these errors.
    """
    if isinstance(X, np.ndarray) and isinstance(dirty, np.ndarray):
        return X.astype(dirty.dtype) if _got_floats(clean.dtype, dirty.dtype) else X
    if not isinstance(X, pd.DataFrame) or not isinstance(dirty, pd.DataFrame):
        return X
    if not X.columns.equals(dirty.columns):
        return X
    X = X.copy()
    for k, (before, after) in enumerate(zip(clean.dtypes, dirty.dtypes, strict=True)):
        if _got_floats(before, after):
            X.isetitem(k, X.iloc[:, k].astype(after))
    return X


def _got_floats(before: Any, after: Any) -> bool:
    is_numpy = isinstance(before, np.dtype) and isinstance(after, np.dtype)
    return is_numpy and before.kind in "iub" and after.kind == "f"


def _said(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [""]
    # the first line says what happened, unless it announces the next
    text = " ".join(map(str.strip, lines)) if lines[0].rstrip().endswith(":") else lines[0]
    return f"{type(error).__name__}: {text[:MOST_SAID]}"


def _default_scores(y: Any, predicted: np.ndarray, pos_label: Any) -> dict[str, float]:
    y = as_column(y, "y")
    if pos_label is None:
        return {"r2": float(r2_score(y, predicted))}
    right, guessed = favourable(y, pos_label, "y"), favourable(predicted, pos_label, "y_pred")
    either = int(right.sum() + guessed.sum())
    return {
        "accuracy": float(np.mean(y == predicted)),
        "f1": 2 * int((right & guessed).sum()) / either if either else 0.0,
    }


def _through_samplers(fitted: Any, rows: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The rows that came to each sampler, and where each that came out of it comes from."""
    found = {}
    for name, step in fitted.steps:
        if isinstance(step, MemoSampler):
            found[name] = rows, step.rows_
            rows = np.where(step.rows_ >= 0, rows[np.maximum(step.rows_, 0)], -1)
    final, inner = fitted.steps[-1]
    if isinstance(inner, Pipeline):
        below = _through_samplers(inner, rows)
        found |= {f"{final}__{name}": counts for name, counts in below.items()}
    return found
