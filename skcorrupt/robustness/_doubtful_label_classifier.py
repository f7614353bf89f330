"""A classifier that does not believe every label."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import clone, is_regressor
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.validation import has_fit_parameter

from skcorrupt.evaluation import run_tasks, seeded_clone
from skcorrupt.utils import (
    N_JOBS,
    Sheltered,
    as_table,
    check_is_estimator,
    check_table,
    draw_seed,
    fit_on_copies,
    spawn_seeds,
)
from skcorrupt.utils._compat import HasMethods, StrOptions
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLike, Estimator, RandomState, TableLike

from ._wrapping import AroundClassifier, Wrapping


class DoubtfulLabelClassifier(AroundClassifier, Wrapping):
    """Fit a classifier without the rows whose labels it doubts, or with less weight on them.

    Each row gets probabilities from a model that did not learn from it. A label is doubtful where
    its probability is below what is usual for rows of that label, and another class has at least
    the probability that is usual for its own rows: confident learning [1]_, which finds flipped
    labels without a number to set. The classifier is then fitted again.

    Parameters
    ----------
    estimator : classifier
        The classifier, with `predict_proba`.
    method : {"prune", "weight"}, default="prune"
        Whether doubtful rows are left out, or get the weight that their label's probability has
        beside the usual one, for which `fit` of the estimator has to take `sample_weight`.
    cv : int, default=5
        Number of stratified folds for the probabilities, fewer where a class has fewer rows.
    max_fraction : float in (0, 1], default=0.5
        Largest share of the rows of a class that is doubted, the least probable ones. At least one
        row of every class stays.
    cleanlab : bool, default=False
        Whether the library cleanlab [2]_, which has to be installed, says of these probabilities
        which labels are doubtful, by `find_label_issues`.
    n_jobs : int or None, default=None
        Number of workers; the result does not depend on it.
    random_state : None, int, RandomState or Generator, default=None
        Source of the folds and of random states that the estimator leaves unset.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    label_probability_ : ndarray of shape (n_samples,)
        Probability of the given label of every row, from a model that did not learn from it; 1 for
        the only row of a class.
    doubtful_ : ndarray of bool, shape (n_samples,)
        Which rows were doubted.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if they have string names.

    See Also
    --------
    skcorrupt.CorruptLabels : The error that this is for.

    Notes
    -----
    The idea is for classes: a number that is a little off is no wrong label. Robust losses, such as
    that of `HuberRegressor`, are what regressors have. cleanlab's own `CleanLearning` asks for
    classes that are numbered from 0, and cannot be a step of a pipeline; this takes labels as they
    are, and is cloned and searched over as other estimators. Hard but right rows are doubted too,
    so that clean data loses a little.

    References
    ----------
    .. [1] C. Northcutt, L. Jiang and I. Chuang, Confident learning: estimating uncertainty in
       dataset labels, JAIR 2021, equations 1 and 2.
    .. [2] https://docs.cleanlab.ai

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcorrupt import CorruptLabels
    >>> from skcorrupt.robustness import DoubtfulLabelClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> wrong = CorruptLabels(rate=0.2, random_state=0).fit(X, y).corrupt(X, y)
    >>> tree = DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
    >>> model = DoubtfulLabelClassifier(tree, random_state=0).fit(X, wrong.y)
    >>> found = model.doubtful_ & wrong.record.y_mask
    >>> print(f"{found.sum() / wrong.record.y_mask.sum():.2f}")
    0.71
    """

    _parameter_constraints: dict[str, Any] = {
        "estimator": [HasMethods(["fit", "predict"])],
        "method": [StrOptions({"prune", "weight"})],
        "cv": [NumberInterval(Integral, 2, 2**31 - 1, closed="both")],
        "max_fraction": [NumberInterval(Real, 0, 1, closed="right")],
        "cleanlab": ["boolean"],
        "n_jobs": N_JOBS,
        "random_state": "no_validation",
    }

    def __init__(
        self,
        estimator: Estimator,
        *,
        method: Literal["prune", "weight"] = "prune",
        cv: int = 5,
        max_fraction: float = 0.5,
        cleanlab: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv
        self.max_fraction = max_fraction
        self.cleanlab = cleanlab
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: TableLike, y: ColumnLike) -> Self:
        """Find doubtful labels, and fit the classifier without them.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            Labels, some of which may be wrong.

        Returns
        -------
        self : DoubtfulLabelClassifier
            The fitted classifier.

        Raises
        ------
        ValueError
            If the estimator is a regressor, has no `predict_proba`, or takes no `sample_weight`
            where `method="weight"`; if labels are missing.
        ImportError
            If cleanlab is asked for and not installed.
        """
        self._validate_params()
        check_is_estimator(self.estimator)
        self._check_estimator()
        find = _cleanlab() if self.cleanlab else _confident
        table = check_table(self, X, reset=True)
        labels = self._checked(y, table.n_rows)
        classes, codes = np.unique(labels, return_inverse=True)
        fold_seed, model_seed = spawn_seeds(draw_seed(self.random_state), 2)
        model = seeded_clone(self.estimator, model_seed)
        probabilities = self._out_of_fold(model, table, labels, classes, codes, fold_seed)
        given = probabilities[np.arange(len(codes)), codes]
        counts = np.bincount(codes)
        # how sure one is of rows that have a label, on average over them
        usual = np.bincount(codes, weights=given) / counts
        doubted = find(codes, probabilities, usual) & (counts[codes] > 1)
        self.label_probability_ = given
        self.doubtful_ = self._limited(doubted, given, codes)
        if self.method == "prune":
            kept = np.flatnonzero(~self.doubtful_)
            self.estimator_ = fit_on_copies(model, table.take(kept), labels[kept])
        else:
            weights = np.where(self.doubtful_, np.minimum(given / usual[codes], 1.0), 1.0)
            self.estimator_ = fit_on_copies(model, table.source, labels, {"sample_weight": weights})
        return self

    def _check_estimator(self) -> None:
        name = type(self.estimator).__name__
        if is_regressor(self.estimator):
            raise ValueError(
                f"estimator={self.estimator!r} predicts numbers, of which none is a wrong label; "
                "pass a classifier, or use a robust loss such as that of HuberRegressor."
            )
        if not hasattr(self.estimator, "predict_proba"):
            raise ValueError(
                f"estimator: {name} has no predict_proba, by which labels are doubted; pass "
                f"CalibratedClassifierCV({name}()), or another classifier."
            )
        if self.method == "weight" and not has_fit_parameter(self.estimator, "sample_weight"):
            raise ValueError(
                f"method='weight', but fit of {name} takes no sample_weight; pass method='prune'."
            )

    def _out_of_fold(
        self,
        model: Any,
        table: Any,
        labels: np.ndarray,
        classes: np.ndarray,
        codes: np.ndarray,
        seed: int,
    ) -> np.ndarray:
        """Probabilities of all classes for every row, from models that did not learn from it."""
        counts = np.bincount(codes)
        found = np.zeros((len(codes), len(counts)))
        if len(counts) < 2:
            found[:] = 1.0
            return found
        several = counts[counts > 1]
        n_folds = int(min(self.cv, several.min())) if len(several) else 2
        folds = StratifiedKFold(max(2, n_folds), shuffle=True, random_state=seed % 2**32)
        if len(several):
            with warnings.catch_warnings():
                # the only row of a class is not judged, so that a fold may lack it
                warnings.filterwarnings("ignore", "The least populated class")
                parts = list(folds.split(codes, codes))
            tasks = [(model, table.source, labels, *part) for part in parts]
            for (_, test), (known, answer) in zip(
                parts, run_tasks(_predicted, tasks, n_jobs=self.n_jobs), strict=True
            ):
                found[np.ix_(test, np.searchsorted(classes, known))] = answer
        found[counts[codes] == 1, codes[counts[codes] == 1]] = 1.0
        return found

    def _limited(self, doubted: np.ndarray, given: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """No more of a class than allowed, the least probable ones."""
        limited = np.zeros_like(doubted)
        for code in np.unique(codes):
            rows = np.flatnonzero(doubted & (codes == code))
            size = int(np.count_nonzero(codes == code))
            most = min(int(self.max_fraction * size + 1e-9), size - 1)
            limited[rows[np.argsort(given[rows], kind="stable")][:most]] = True
        return limited


def _confident(codes: np.ndarray, probabilities: np.ndarray, usual: np.ndarray) -> np.ndarray:
    """Rows whose label is less probable than usual, and another one is as probable as usual."""
    given = probabilities[np.arange(len(codes)), codes]
    others = np.arange(len(usual)) != codes[:, None]
    doubted: np.ndarray = np.any(probabilities >= usual, axis=1, where=others)
    return doubted & (given < usual[codes])


def _cleanlab() -> Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
    """The same by cleanlab."""
    try:
        from cleanlab.filter import find_label_issues
    except ImportError:
        raise ImportError(
            "cleanlab=True needs cleanlab, which is not installed; run pip install cleanlab, or "
            "pass cleanlab=False."
        ) from None

    def find(codes: np.ndarray, probabilities: np.ndarray, usual: np.ndarray) -> np.ndarray:
        if len(usual) < 2:
            return np.zeros(len(codes), dtype=bool)
        return np.asarray(find_label_issues(codes, probabilities, n_jobs=1), dtype=bool)

    return find


def _predicted(
    model: Any, X: Any, labels: np.ndarray, train: np.ndarray, test: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Classes and their probabilities for rows that the model did not learn from."""
    table = as_table(X)
    fitted = fit_on_copies(clone(model), table.take(train), labels[train])
    return fitted.classes_, np.asarray(Sheltered(fitted).predict_proba(table.take(test)))
