"""Real, unlabelled samples in the order of how hard they are."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import check_cv
from sklearn.utils.validation import check_is_fitted

from skcorrupt.evaluation import take_rows
from skcorrupt.stats import clopper_pearson
from skcorrupt.utils import check_target, draw_seed
from skcorrupt.utils._compat import Interval, StrOptions

from ._label_model import voted_classes
from ._ordering_score import OrderingScore, ordering_score
from ._votes import ABSTAIN, check_votes

# the band of figure 2
BAND = 0.10


class NaturalAdversarialCurator(MetaEstimatorMixin, BaseEstimator):
    """Order samples by how hard they are, and cut data sets of growing difficulty.

    A label model turns the votes of labeling functions into a label and a confidence for every
    row. How much a confidence is worth depends on how many functions voted: the lower bound of the
    Clopper-Pearson interval of n votes with confidence · n successes orders the rows [1]_, the
    surest first. Rows near the end are natural adversarial examples.

    Parameters
    ----------
    label_model : label model
        `MajorityVoteLabeler`, `GenerativeLabelModel`, or any object with `fit(L)` and
        `predict_proba(L)` for votes of which -1 abstains.
    selector : selector or None, default=None
        Chooses functions before the label model, such as `LabelingFunctionSelector`.
    n_datasets : int, default=10
        Number N of data sets.
    alpha : float in (0, 1), default=0.05
        One minus the confidence level of the interval.
    gamma : float in (0, 1), default=0.01
        Significance level of a valid order.
    successes : {"confidence", "agreement"}, default="confidence"
        Successes among n votes: confidence · n, as in the paper, or the number of votes that agree
        with the label.
    order_by : {"lower_bound", "confidence"}, default="lower_bound"
        What rows are ordered by.
    nested : bool, default=True
        Whether set i of N is the first i/N of the rows, or the part of them that comes after set
        i - 1.
    uncovered : {"last", "drop"}, default="last"
        Where rows without any vote go.
    random_state : None, int, RandomState or Generator, default=None
        Source of the permutation p-value.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Weak labels.
    confidence_ : ndarray of shape (n_samples,)
        Their probabilities.
    n_votes_ : ndarray of int, shape (n_samples,)
        How many of the selected functions voted.
    lower_bound_, upper_bound_ : ndarray of shape (n_samples,)
        The interval of the confidence.
    order_ : ndarray of int, shape (n_ordered,)
        Rows, the surest first. Ties go by confidence, then by position; uncovered rows come last,
        or not at all.
    datasets_ : list of ndarray of int
        Rows of every set; set i of N, from 1, is the first ⌈i · n / N⌉ of the order.
    label_model_ : label model
        The fitted label model.
    selector_ : selector or None
        The fitted selector.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    curve_ : DataFrame
        After `evaluate`: a row a set.
    n_features_in_ : int
        Number of labeling functions.

    References
    ----------
    .. [1] Pugh et al., "Curating Naturally Adversarial Datasets for Trustworthy AI in
       Healthcare", 2023.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt import NaturalAdversarialCurator
    >>> from skcorrupt.curation import GenerativeLabelModel
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 500)
    >>> hard = rng.random(500)
    >>> right = rng.random((500, 9)) < 1 - hard[:, None] / 2
    >>> L = np.where(right, y[:, None], 1 - y[:, None])
    >>> curator = NaturalAdversarialCurator(GenerativeLabelModel(), random_state=0).fit(L)
    >>> [len(rows) for rows in curator.datasets_[:3]]
    [50, 100, 150]
    >>> score = curator.score_ordering(y)
    >>> round(score.rho, 2), score.valid
    (-1.0, True)
    """

    _parameter_constraints: dict = {
        "label_model": "no_validation",
        "selector": "no_validation",
        "n_datasets": [Interval(Integral, 2, None, closed="left")],
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "gamma": [Interval(Real, 0, 1, closed="neither")],
        "successes": [StrOptions({"confidence", "agreement"})],
        "order_by": [StrOptions({"lower_bound", "confidence"})],
        "nested": ["boolean"],
        "uncovered": [StrOptions({"last", "drop"})],
        "random_state": "no_validation",
    }

    def __init__(
        self,
        label_model,
        selector=None,
        *,
        n_datasets=10,
        alpha=0.05,
        gamma=0.01,
        successes="confidence",
        order_by="lower_bound",
        nested=True,
        uncovered="last",
        random_state=None,
    ):
        self.label_model = label_model
        self.selector = selector
        self.n_datasets = n_datasets
        self.alpha = alpha
        self.gamma = gamma
        self.successes = successes
        self.order_by = order_by
        self.nested = nested
        self.uncovered = uncovered
        self.random_state = random_state

    def fit(self, L: Any, y: Any = None, *, L_more: Any = None) -> NaturalAdversarialCurator:
        """Label and order rows by their votes.

        Parameters
        ----------
        L : array-like of int, shape (n_samples, n_lfs)
            Votes; -1 abstains.
        y : None
            Ignored; true labels are for `score_ordering`.
        L_more : array-like of int, shape (n_more, n_lfs), default=None
            Votes on further rows, from which the selector and the label model learn too, but
            which are not ordered.

        Returns
        -------
        self : NaturalAdversarialCurator
            The fitted curator.

        Raises
        ------
        ValueError
            If votes are no whole numbers from -1 up, or there are fewer rows than data sets.
        TypeError
            If the label model lacks a method.
        """
        self._validate_params()
        # what was drawn along an earlier order does not belong to this one
        if hasattr(self, "curve_"):
            del self.curve_
        votes = check_votes(L)
        self.n_features_in_ = votes.shape[1]
        known = votes
        if L_more is not None:
            more = check_votes(L_more)
            if more.shape[1] != votes.shape[1]:
                raise ValueError(
                    f"L_more has {more.shape[1]} functions, but L has {votes.shape[1]}; pass votes "
                    "of the same functions in the same order."
                )
            known = np.concatenate([votes, more])
        self.selector_ = None
        classes = voted_classes(known)
        if self.selector is not None:
            if not (hasattr(self.selector, "get_params") and hasattr(self.selector, "transform")):
                raise TypeError(
                    f"selector={self.selector!r} should be a selector, such as "
                    "LabelingFunctionSelector(), or None."
                )
            self.selector_ = clone(self.selector).fit(known)
            known = np.asarray(self.selector_.transform(known))
            votes = known[: len(votes)]
        self._label(votes, known, classes)
        self._order()
        return self

    def datasets(self, X: Any) -> Iterator[tuple[Any, np.ndarray]]:
        """The data sets with their weak labels, the easiest first.

        Parameters
        ----------
        X : table of shape (n_samples, n_features), or sequence
            The samples, in the order of the votes.

        Returns
        -------
        iterator of (table of shape (n_i, n_features), ndarray of shape (n_i,))
            Rows of X, in its container, and their weak labels.
        """
        check_is_fitted(self, "datasets_")
        self._check_rows(X, "X")
        return ((take_rows(X, rows), self.labels_[rows]) for rows in self.datasets_)

    def score_ordering(self, y: Any, *, n_permutations: int = 9999) -> OrderingScore:
        """Whether the weak labels of later sets are less often right.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            True labels, in the order of the votes.
        n_permutations : int, default=9999
            Random orders for the permutation p-value.

        Returns
        -------
        OrderingScore
            `rho, pvalue, permutation_pvalue, valid, permutation_valid, accuracies`.

        Raises
        ------
        ValueError
            If `y` has another length, or labels that are not among the classes.
        """
        check_is_fitted(self, "datasets_")
        if not isinstance(n_permutations, Integral) or n_permutations < 1:
            raise ValueError(
                f"n_permutations={n_permutations!r} should be a whole number, 1 or more, such as "
                "9999."
            )
        truth = self._truth(y)
        right = (self.labels_ == truth)[self.order_]
        sizes = np.array([len(rows) for rows in self.datasets_])
        return ordering_score(
            right,
            np.diff(sizes, prepend=0) if self._nested else sizes,
            nested=self._nested,
            gamma=self.gamma,
            n_permutations=n_permutations,
            rng=np.random.default_rng(draw_seed(self.random_state)),
        )

    def evaluate(self, estimator: Any, X: Any, y: Any = None, *, cv: Any = 5) -> pd.DataFrame:
        """How a model fares on data sets that grow harder.

        Parameters
        ----------
        estimator : classifier
            A fitted one is taken as it is. One that is not is fitted to the weak labels of rows
            with votes (to `y` if given), and predicts rows that it was not fitted on.
        X : table of shape (n_samples, n_features), or sequence
            The samples, in the order of the votes.
        y : array-like of shape (n_samples,), default=None
            True labels, where they are known.
        cv : int or splitter, default=5
            Folds for an estimator that is not fitted.

        Returns
        -------
        DataFrame
            `curve_`, a row a set: `dataset, n_rows, lower_bound` (the smallest in the set),
            `n_covered` (rows with votes), `agreement` with the weak labels of these and its 90 %
            Clopper-Pearson band `_low, _high`, and,
            with `y`, the `accuracy` of the model with its band and `weak_accuracy`, that of the
            weak labels.

        Raises
        ------
        ValueError
            If X or y has another length, or y has labels that are not among the classes.
        """
        check_is_fitted(self, "datasets_")
        self._check_rows(X, "X")
        truth = None if y is None else self._truth(y)
        covered = self.n_votes_ > 0
        if _is_fitted(estimator):
            predicted = np.asarray(estimator.predict(X))
        elif truth is None:
            predicted = self._out_of_fold(estimator, X, self.labels_, covered, cv)
        else:
            predicted = self._out_of_fold(estimator, X, truth, np.ones(len(truth), bool), cv)
        if not np.isin(predicted, self.classes_).any():
            raise ValueError(
                f"estimator predicts {np.unique(predicted).tolist()[:10]}, but the label model has "
                f"the classes {self.classes_.tolist()}; code them alike."
            )
        rows = []
        for i, chosen in enumerate(self.datasets_, start=1):
            row: dict[str, Any] = {
                "dataset": i,
                "n_rows": len(chosen),
                "lower_bound": float(self.lower_bound_[chosen].min()),
            }
            spoken = chosen[covered[chosen]]
            row["n_covered"] = len(spoken)
            row |= _share("agreement", predicted[spoken] == self.labels_[spoken])
            if truth is not None:
                row |= _share("accuracy", predicted[chosen] == truth[chosen])
                row["weak_accuracy"] = float(np.mean(self.labels_[chosen] == truth[chosen]))
            rows.append(row)
        self.curve_ = pd.DataFrame(rows)
        return self.curve_

    def _out_of_fold(
        self, estimator: Any, X: Any, target: np.ndarray, usable: np.ndarray, cv: Any
    ) -> np.ndarray:
        """Predictions for every row by models that were not fitted on it."""
        predicted = np.empty(len(target), dtype=target.dtype)
        folds = check_cv(cv, target, classifier=True)
        for train, test in folds.split(np.zeros(len(target)), target):
            rows = train[usable[train]]
            fitted = clone(estimator).fit(take_rows(X, rows), target[rows])
            predicted[test] = fitted.predict(take_rows(X, test))
        return predicted

    def _label(self, votes: np.ndarray, known: np.ndarray, classes: np.ndarray) -> None:
        """A label for every row, and how sure it is."""
        for name in ("fit", "predict_proba"):
            if isinstance(self.label_model, type) or not hasattr(self.label_model, name):
                raise TypeError(
                    f"label_model={self.label_model!r} should be an object with fit(L) and "
                    "predict_proba(L), such as GenerativeLabelModel()."
                )
        # models of other libraries are no scikit-learn estimators
        own = hasattr(self.label_model, "get_params")
        self.label_model_ = clone(self.label_model) if own else copy.deepcopy(self.label_model)
        if own and self.label_model_.get_params().get("classes", classes) is None:
            # a class whose functions were all left out is still one
            self.label_model_.set_params(classes=classes if len(classes) > 1 else None)
        self.label_model_.fit(known)
        proba = np.array(self.label_model_.predict_proba(votes), dtype=float)
        self.classes_ = _classes_of(self.label_model_, proba, len(votes))
        self.n_votes_ = (votes != ABSTAIN).sum(axis=1)
        # without votes nothing is known, whatever a model makes of the silence
        proba[self.n_votes_ == 0] = 1 / proba.shape[1]
        best = proba.argmax(axis=1)
        self.labels_ = self.classes_[best]
        self.confidence_ = np.clip(proba[np.arange(len(proba)), best], 0.0, 1.0)
        successes = self.n_votes_ * self.confidence_
        if self.successes == "agreement":
            whole = np.issubdtype(self.classes_.dtype, np.integer)
            codes = self.classes_ if whole else np.arange(len(self.classes_))
            strange = np.setdiff1d(classes, codes)
            if len(strange):
                raise ValueError(
                    f"successes='agreement': L has votes for {strange.tolist()}, but the label "
                    f"model's classes are {codes.tolist()}; number them alike, or use "
                    "successes='confidence'."
                )
            successes = (votes == codes[best][:, None]).sum(axis=1)
        self.lower_bound_, self.upper_bound_ = clopper_pearson(successes, self.n_votes_, self.alpha)

    def _order(self) -> None:
        by = self.lower_bound_ if self.order_by == "lower_bound" else self.confidence_
        silent = self.n_votes_ == 0
        # sums of the same votes that differ in rounding are ties
        order = np.lexsort((-np.round(self.confidence_, 12), -np.round(by, 12), silent))
        self.order_ = order[~silent[order]] if self.uncovered == "drop" else order
        if len(self.order_) < self.n_datasets:
            raise ValueError(
                f"n_datasets={self.n_datasets} is more than the {len(self.order_)} rows to order; "
                "lower it."
            )
        self._nested = self.nested
        parts = np.arange(1, self.n_datasets + 1)
        ends = -(-parts * len(self.order_) // self.n_datasets)
        starts = np.zeros_like(ends) if self.nested else np.concatenate([[0], ends[:-1]])
        self.datasets_ = [self.order_[a:b] for a, b in zip(starts, ends, strict=True)]

    def _check_rows(self, X: Any, name: str) -> None:
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        if n != len(self.labels_):
            raise ValueError(
                f"{name} has {n} rows, but votes were fitted on {len(self.labels_)}; pass the "
                "samples of those votes in the same order."
            )

    def _truth(self, y: Any) -> np.ndarray:
        if y is None:
            raise ValueError("y is None; pass the true labels.")
        self._check_rows(y, "y")
        target = check_target(y, len(self.labels_))
        truth = np.asarray(None if target is None else target.values)
        missing = pd.isna(truth)
        if missing.any():
            raise ValueError(
                f"y has {int(missing.sum())} missing labels, the first in row "
                f"{int(missing.argmax())}; fit on the votes of labelled rows, and the others as "
                "L_more."
            )
        strange = ~np.isin(truth, self.classes_)
        said = (
            f"y has the labels {pd.unique(truth[strange]).tolist()[:10]}, but the label model has "
            f"the classes {self.classes_.tolist()}"
        )
        if strange.all():
            raise ValueError(f"{said}; code them alike.")
        if strange.any():
            warnings.warn(
                f"{said}: weak labels are wrong in these {int(strange.sum())} rows, unless y is "
                "coded otherwise.",
                UserWarning,
                stacklevel=3,
            )
        return truth


def _classes_of(model: Any, proba: np.ndarray, n_rows: int) -> np.ndarray:
    """Classes of a label model, after a look at its probabilities."""
    if proba.ndim != 2 or len(proba) != n_rows or proba.shape[1] < 2:
        raise ValueError(
            f"label_model: predict_proba gave an array of shape {proba.shape} for {n_rows} rows; "
            "it should be one row a sample and one column a class."
        )
    if not (np.isfinite(proba).all() and proba.min() > -1e-6 and proba.max() < 1 + 1e-6):
        raise ValueError(
            "label_model: predict_proba gave values that are no probabilities (NaN, below 0 or "
            "above 1); mend the model."
        )
    classes = np.asarray(getattr(model, "classes_", np.arange(proba.shape[1])))
    if len(classes) != proba.shape[1]:
        raise ValueError(
            f"label_model: classes_ has {len(classes)} entries, but predict_proba "
            f"{proba.shape[1]} columns; there should be one a class."
        )
    return classes


def _is_fitted(estimator: Any) -> bool:
    # what is no scikit-learn estimator can only be taken as it is
    if not hasattr(estimator, "get_params"):
        return True
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    return True


def _share(name: str, right: np.ndarray) -> dict[str, float]:
    low, high = clopper_pearson(int(right.sum()), len(right), BAND)
    share = float(right.mean()) if len(right) else np.nan
    return {name: share, f"{name}_low": float(low), f"{name}_high": float(high)}
