"""Real, unlabelled samples in the order of how hard they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils.validation import check_is_fitted

from skcorrupt.evaluation import take_rows
from skcorrupt.evaluation._fitted_results import FittedResults
from skcorrupt.stats import clopper_pearson
from skcorrupt.utils import Sheltered, calls_back, check_arguments, draw_seed, fit_on_copies
from skcorrupt.utils._as_text import chance, score
from skcorrupt.utils._compat import CallbackSupportMixin, Interval, StrOptions
from skcorrupt.utils._typing import ColumnLike, Estimator, Folds, RandomState, TableLike

from ._fitted_label_model import classes_of, fitted_label_model, warn_if_sure
from ._in_words import curve_in_words, order_in_words
from ._kept_results import RESULTS
from ._known_labels import check_labels, known_labels
from ._label_model import voted_classes
from ._model_curve import Share, curve_of, predictions
from ._ordering_score import OrderingScore, ordering_score
from ._samples import n_samples
from ._votes import ABSTAIN, check_votes_for


class NaturalAdversarialCurator(
    CallbackSupportMixin, FittedResults, MetaEstimatorMixin, BaseEstimator
):
    """Order samples by how hard they are, and cut data sets of growing difficulty.

    A label model turns the votes of labeling functions into a label and a confidence for every
    row. How much a label is worth depends on how many functions voted: the lower bound of the
    Clopper-Pearson interval of the votes that agree with it, out of n, orders the rows, the surest
    first; in the paper [1]_ it is that of confidence · n successes. Rows near the end are natural
    adversarial examples.

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
    successes : {"agreement", "confidence"}, default="agreement"
        Successes among n votes: the number of votes that agree with the label, which still tells
        rows apart where a model is sure of all of them, or confidence · n, as in the paper.
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
    n_contradicted_ : int
        Samples whose votes agree on another class than the label; 0 where the classes of the label
        model are not those of the votes.
    label_model_ : label model
        The fitted label model.
    selector_ : selector or None
        The fitted selector.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    curve_ : DataFrame
        After `evaluate`: one row per set.
    n_features_in_ : int
        Number of labeling functions.
    feature_names_in_ : ndarray of shape (n_lfs,)
        Their names, where the votes had any.

    Warns
    -----
    UserWarning
        If the order follows the number of votes, because the model is at least 99 % sure of half
        of the rows on which functions disagree (if these are 5 % of all).

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

    _first_results = ("labels_", "confidence_", "lower_bound_", "order_", "datasets_", "n_votes_")
    _expected_results = RESULTS
    _private_results = ("_nested", "_other_order", "_ordering", "_functions")
    _models_in = ("label_model_",)
    _described_results = {"selector_": ("coverage_", "support_")}

    _parameter_constraints: dict[str, Any] = {
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
        label_model: Any,
        selector: Estimator | None = None,
        *,
        n_datasets: int = 10,
        alpha: float = 0.05,
        gamma: float = 0.01,
        successes: Literal["agreement", "confidence"] = "agreement",
        order_by: Literal["lower_bound", "confidence"] = "lower_bound",
        nested: bool = True,
        uncovered: Literal["last", "drop"] = "last",
        random_state: RandomState = None,
    ) -> None:
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

    @calls_back
    def fit(self, L: TableLike, y: Any = None, *, L_more: TableLike | None = None) -> Self:
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
        for name in ("curve_", "_ordering", "_functions"):
            if hasattr(self, name):
                delattr(self, name)
        votes = check_votes_for(self, L, reset=True)
        known = votes
        if L_more is not None:
            more = check_votes_for(self, L_more, reset=False, name="L_more")
            known = np.concatenate([votes, more])
        self.selector_ = None
        classes = voted_classes(known)
        if self.selector is not None:
            if not (hasattr(self.selector, "get_params") and hasattr(self.selector, "transform")):
                raise TypeError(
                    f"selector={self.selector!r} should be a selector, such as "
                    "LabelingFunctionSelector(), or None."
                )
            self.selector_ = fit_on_copies(clone(self.selector), known, None)
            known = np.asarray(Sheltered(self.selector_).transform(known))
            votes = known[: len(votes)]
        self._label(votes, known, classes)
        self._order()
        if self.successes == "confidence" and self.order_by == "lower_bound":
            warn_if_sure(self.label_model_, votes, self.confidence_)
        return self

    def summary(self) -> str:
        """What was found, in a sentence or two.

        Returns
        -------
        str
            How far the confidence falls along the order and, after `evaluate`, how the model
            fares along it.

        Raises
        ------
        NotFittedError
            If the curator is not fitted.

        Examples
        --------
        >>> import numpy as np
        >>> from skcorrupt import NaturalAdversarialCurator
        >>> from skcorrupt.curation import MajorityVoteLabeler
        >>> rng = np.random.default_rng(0)
        >>> y = rng.integers(0, 2, 300)
        >>> L = np.where(rng.random((300, 7)) < 0.7, y[:, None], 1 - y[:, None])
        >>> print(NaturalAdversarialCurator(MajorityVoteLabeler()).fit(L).summary())
        From the surest label to the least sure, 300 samples make 10 sets that grow harder: the
        lower bound of the confidence falls from 0.590 in the first tenth of the samples to 0.184 in
        the last.
        """
        check_is_fitted(self, "datasets_")
        said = [order_in_words(self.lower_bound_[self.order_], len(self.datasets_))]
        if hasattr(self, "curve_"):
            said.append(curve_in_words(self.curve_))
        return " ".join(said)

    def datasets(self, X: TableLike) -> Iterator[tuple[Any, np.ndarray]]:
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

    def score_ordering(self, y: ColumnLike, *, n_permutations: int = 9999) -> OrderingScore:
        """Whether the weak labels of later sets are less often right.

        Rows without votes count, too, with the label they have for want of a better one; leave
        them out with `uncovered="drop"`.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            True labels, in the order of the votes; NaN or None where they are not known. Those
            that are should be a random part of all rows (of each set, if sets are disjoint).
        n_permutations : int, default=9999
            Random orders for the permutation p-value.

        Returns
        -------
        OrderingScore
            `rho, pvalue, permutation_pvalue, valid, permutation_valid, accuracies, n_labelled` and
            `remedy`, which says where the order is not valid and another `successes` is nearer.

        Raises
        ------
        ValueError
            If `y` has another length, no label that is among the classes, or none in a set.
        """
        found = self._scored_ordering(y, n_permutations)
        # for the page
        self._ordering = found.as_frame()
        return found

    def _scored_ordering(self, y: ColumnLike, n_permutations: int) -> OrderingScore:
        check_is_fitted(self, "datasets_")
        constraints = {"n_permutations": [Interval(Integral, 1, 10**9, closed="both")]}
        check_arguments("score_ordering", constraints, locals())
        if y is None:
            raise ValueError("y is None; pass the true labels.")
        self._check_rows(y, "y")
        truth, known = known_labels(y, self.labels_, self.classes_)
        sizes = np.array([known[rows].sum() for rows in self.datasets_])
        if not sizes.all():
            raise ValueError(
                f"y has no label in set {int(sizes.argmin()) + 1} of {len(sizes)}; pass labels of "
                "rows of every set, or lower n_datasets."
            )
        score_of = partial(
            ordering_score,
            sizes=np.diff(sizes, prepend=0) if self._nested else sizes,
            nested=self._nested,
            gamma=self.gamma,
            n_permutations=n_permutations,
        )
        seed, right = draw_seed(self.random_state), self.labels_ == truth
        labelled = self.order_[known[self.order_]]
        found = score_of(right[labelled], rng=np.random.default_rng(seed))
        if found.permutation_valid or self._other_order is None or np.isnan(found.rho):
            return found
        other = self._other_order[known[self._other_order]]
        instead = score_of(right[other], rng=np.random.default_rng(seed))
        if not instead.permutation_pvalue < found.permutation_pvalue:
            return found
        name = "confidence" if self.successes == "agreement" else "agreement"
        return replace(
            found,
            remedy=f"successes={name!r} would give a rho of {score(instead.rho)} (permutation p "
            f"{chance(instead.permutation_pvalue)}) by these labels",
        )

    def evaluate(
        self, estimator: Estimator, X: TableLike, y: ColumnLike | None = None, *, cv: Folds = 5
    ) -> pd.DataFrame:
        """How a model fares on data sets that grow harder.

        Parameters
        ----------
        estimator : classifier
            A fitted one is taken as it is. One that is not is fitted to the weak labels of rows
            with votes, or with `y` to the known labels alone, and predicts rows that it was not
            fitted on.
        X : table of shape (n_samples, n_features), or sequence
            The samples, in the order of the votes.
        y : array-like of shape (n_samples,), default=None
            True labels; NaN or None where they are not known.
        cv : int or splitter, default=5
            Folds for an estimator that is not fitted; a splitter tests every row once.

        Returns
        -------
        DataFrame
            `curve_`, one row per set: `dataset, n_rows, lower_bound` (the smallest in the set),
            `n_covered` (rows with votes), `agreement` with the weak labels of these and its 90 %
            Clopper-Pearson band `_low, _high`, and, with `y`, of the `n_labelled` rows whose label
            is known, the `accuracy` of the model with its band and `weak_accuracy`, that of the
            weak labels.

        Raises
        ------
        ValueError
            If X or y has another length, y has no label that is among the classes, or, for an
            estimator that is not fitted, labels of one of them only, there are fewer rows of a
            class than folds, or `cv` does not test every row once.
        TypeError
            If `estimator` is no classifier.
        """
        check_is_fitted(self, "datasets_")
        self._check_rows(X, "X")
        covered = self.n_votes_ > 0
        truth, known = self.labels_, covered
        if y is not None:
            self._check_rows(y, "y")
            truth, known = known_labels(y, self.labels_, self.classes_)
        predicted = predictions(estimator, X, truth, known, cv)
        check_labels(
            "estimator predicts", predicted, self.classes_, "it is wrong", "its labels are"
        )
        shares = [Share("agreement", "n_covered", covered, predicted == self.labels_)]
        if y is not None:
            shares += [
                Share("accuracy", "n_labelled", known, predicted == truth),
                Share("weak_accuracy", "n_labelled", known, self.labels_ == truth),
            ]
        self.curve_ = curve_of(self.datasets_, self.lower_bound_, shares)
        return self.curve_

    def _label(self, votes: np.ndarray, known: np.ndarray, classes: np.ndarray) -> None:
        """A label for every row, and how sure it is."""
        self.label_model_ = fitted_label_model(self.label_model, known, classes)
        proba = np.array(Sheltered(self.label_model_).predict_proba(votes), dtype=float)
        self.classes_ = classes_of(self.label_model_, proba, len(votes), int(known.max()))
        self.n_votes_ = (votes != ABSTAIN).sum(axis=1)
        # without votes nothing is known, whatever a model makes of the silence
        proba[self.n_votes_ == 0] = 1 / proba.shape[1]
        best = proba.argmax(axis=1)
        self.labels_ = self.classes_[best]
        self.confidence_ = np.clip(proba[np.arange(len(proba)), best], 0.0, 1.0)
        whole = np.issubdtype(self.classes_.dtype, np.integer)
        codes = self.classes_ if whole else np.arange(len(self.classes_))
        strange = np.setdiff1d(classes, codes)
        if len(strange) and self.successes == "agreement":
            raise ValueError(
                f"successes='agreement': L has votes for {strange.tolist()}, but the label "
                f"model's classes are {codes.tolist()}; number them alike, or use "
                "successes='confidence'."
            )
        counted = {"confidence": self.n_votes_ * self.confidence_}
        self.n_contradicted_ = 0
        if not len(strange):
            agreed = votes.max(axis=1)
            silent = votes == ABSTAIN
            unanimous = (agreed != ABSTAIN) & ((votes == agreed[:, None]) | silent).all(axis=1)
            self.n_contradicted_ = int((unanimous & (agreed != codes[best])).sum())
            counted["agreement"] = (votes == codes[best][:, None]).sum(axis=1)
        bounds = {
            name: _bounds_of(successes, self.n_votes_, self.alpha)
            for name, successes in counted.items()
        }
        self.lower_bound_, self.upper_bound_ = bounds.pop(self.successes)
        self._other_order = None
        if bounds and self.order_by == "lower_bound":
            [(other, _)] = bounds.values()
            self._other_order = self._sorted(other)

    def _sorted(self, by: np.ndarray) -> np.ndarray:
        """Rows by how sure they are, those without a vote last or not at all."""
        silent = self.n_votes_ == 0
        # sums of the same votes that differ in rounding are ties
        order = np.lexsort((-np.round(self.confidence_, 12), -np.round(by, 12), silent))
        return order[~silent[order]] if self.uncovered == "drop" else order

    def _order(self) -> None:
        by = self.lower_bound_ if self.order_by == "lower_bound" else self.confidence_
        self.order_ = self._sorted(by)
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

    def _check_rows(self, X: TableLike | ColumnLike, name: str) -> None:
        n = n_samples(X, name)
        if n != len(self.labels_):
            raise ValueError(
                f"{name} has {n} rows, but votes were fitted on {len(self.labels_)}; pass the "
                "samples of those votes in the same order."
            )


def _bounds_of(
    successes: np.ndarray, n_votes: np.ndarray, alpha: float
) -> tuple[np.ndarray, np.ndarray]:
    """Clopper-Pearson bounds of every row, computed once for rows that are alike."""
    pairs = pd.DataFrame({"successes": successes, "n_votes": n_votes})
    place = pairs.groupby(list(pairs), sort=False, dropna=False).ngroup().to_numpy()
    first = np.unique(place, return_index=True)[1]
    low, high = clopper_pearson(successes[first], n_votes[first], alpha)
    return low[place], high[place]
