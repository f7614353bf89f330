"""Labels by a model of how functions vote and abstain in each class."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning

from skcorrupt.utils import LARGEST
from skcorrupt.utils._compat import Interval
from skcorrupt.utils._warn import warn

from ._grouped import Grouped, indicators
from ._label_model import LabelModel, voted_classes

SMALLEST = 1e-12
# a prior of more votes decides alone
MOST_VOTES = 1e15
PRIORS = ("uniform", "estimate")


class GenerativeLabelModel(LabelModel):
    r"""Label by a generative model of votes and abstentions.

    Functions are independent given the class, and each has a table of its own,
    :math:`P(\lambda_j = v \mid y)` for every class y and every v, abstention included. Expectation
    maximisation finds the tables under a prior that votes are right more often than not, from a
    start that follows the prior, so that the result is the same every time. Abstentions are
    modelled because functions that vote for one class only say by them, too, what they think.

    Parameters
    ----------
    class_prior : {"uniform", "estimate"} or array-like of shape (n_classes,), default="uniform"
        Shares of the classes: all the same, as in the paper, learned, or known, in the order of
        `classes`.
    prior_precision : float in (0, 1), default=0.7
        Share of right votes that is expected of a function, above 1 / n_classes.
    prior_strength : float, default=2.0
        How many votes that expectation counts for, for each function and class.
    max_iter : int, default=500
        Most rounds.
    tol : float, default=1e-4
        Rounds end when no probability of a class moves by more.
    classes : sequence of int or None, default=None
        All classes; None is those that are voted. Those that nobody votes for have probability 0,
        unless votes are for one class only.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    class_prior_ : ndarray of shape (n_classes,)
        Their shares.
    lf_probs_ : ndarray of shape (n_lfs, n_classes, n_classes + 1)
        Probability of each vote in each true class, of abstention in the last column; NaN for
        classes that nobody votes for.
    lf_weights_ : ndarray of shape (n_lfs, n_classes)
        What a vote for each class counts: the logarithm of its probability where it is right over
        that where it is wrong.
    n_iter_ : int
        Number of rounds.
    n_features_in_ : int
        Number of labeling functions.
    feature_names_in_ : ndarray of shape (n_lfs,)
        Their names, where the votes had any.

    Warns
    -----
    UserWarning
        If the model contradicts votes that are unanimous, which points to dependent functions or
        to ones that are worse than chance.
    ConvergenceWarning
        If it has not converged.

    References
    ----------
    .. [1] Pugh et al., "Curating Naturally Adversarial Datasets for Trustworthy AI in
       Healthcare", 2023.
    .. [2] A. P. Dawid, A. M. Skene, Maximum likelihood estimation of observer error-rates using
       the EM algorithm, Applied Statistics 28, 1979.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.curation import GenerativeLabelModel
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 500)
    >>> L = np.column_stack([np.where(rng.random(500) < p, y, 1 - y) for p in (0.9, 0.8, 0.6)])
    >>> model = GenerativeLabelModel().fit(L)
    >>> bool(np.mean(model.predict(L) == y) > 0.85)
    True
    """

    _parameter_constraints: dict[str, Any] = {
        "class_prior": "no_validation",
        "prior_precision": [Interval(Real, 0, 1, closed="neither")],
        "prior_strength": [Interval(Real, 0, MOST_VOTES, closed="right")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, LARGEST, closed="right")],
        "classes": "no_validation",
    }

    def __init__(
        self,
        class_prior: Literal["uniform", "estimate"] | ArrayLike = "uniform",
        *,
        prior_precision: float = 0.7,
        prior_strength: float = 2.0,
        max_iter: int = 500,
        tol: float = 1e-4,
        classes: Sequence[int] | None = None,
    ) -> None:
        self.class_prior = class_prior
        self.prior_precision = prior_precision
        self.prior_strength = prior_strength
        self.max_iter = max_iter
        self.tol = tol
        self.classes = classes

    def _fit(self, rows: Grouped) -> None:
        if self.prior_precision <= 1 / len(self.classes_):
            raise ValueError(
                f"prior_precision={self.prior_precision!r} should be above chance, which is "
                f"1/{len(self.classes_)}; else labels turn round."
            )
        self.class_prior_ = self._checked_prior()
        seen = voted_classes(rows.codes)
        # a class that nobody votes for would be filled with what other classes do not explain
        self._active = seen if len(seen) > 1 else np.arange(len(self.classes_))
        codes = self._among_active(rows.codes)
        self._set_prior(self.class_prior_[self._active])
        proba = self._maximise(codes, rows.counts)
        self._publish()
        self._warn_of_contradictions(codes, rows.counts, proba)

    def _maximise(self, codes: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Expectation maximisation from the prior on."""
        n_lfs, n_classes = codes.shape[1], len(self._active)
        votes = indicators(codes, n_classes)
        by_row = votes.T if isinstance(votes, np.ndarray) else votes.T.tocsr()
        n_rows = counts.sum()
        totals = (by_row @ counts).reshape(n_lfs, n_classes)
        pseudo, pseudo_silent = self._pseudo_counts(totals, n_rows)
        # as if the prior were all that is known
        self._set_tables(pseudo, pseudo_silent)
        proba = self._posterior(votes)
        for done in range(1, self.max_iter + 1):
            self.n_iter_ = done
            weighted = proba * counts[:, None]
            sizes = weighted.sum(axis=0)
            found = (by_row @ weighted).reshape(n_lfs, n_classes, n_classes).transpose(0, 2, 1)
            silent = sizes - found.sum(axis=2)
            self._set_tables(found + pseudo, np.maximum(silent, 0.0) + pseudo_silent)
            if isinstance(self.class_prior, str) and self.class_prior == "estimate":
                self._set_prior((sizes + 1) / (n_rows + n_classes))
            before, proba = proba, self._posterior(votes)
            if abs(proba - before).max() <= self.tol:
                return proba
        warn(
            f"GenerativeLabelModel has not converged in max_iter={self.max_iter} rounds; raise "
            "max_iter or tol.",
            ConvergenceWarning,
        )
        return proba

    def _among_active(self, codes: np.ndarray) -> np.ndarray:
        """Positions among the classes that were voted for in `fit`, -1 for abstentions."""
        if len(self._active) == len(self.classes_):
            return codes
        place = np.full(len(self.classes_), -2)
        place[self._active] = np.arange(len(self._active))
        found = np.where(codes < 0, -1, place[codes])
        if (found == -2).any():
            unknown = self.classes_[np.unique(codes[found == -2])].tolist()
            raise ValueError(
                f"L has votes for {unknown}, for which nobody voted in fit, so that nothing is "
                "known of such votes; fit on votes that have them."
            )
        return found

    def _set_prior(self, prior: np.ndarray) -> None:
        self._prior = prior / prior.sum()

    def _publish(self) -> None:
        """Tables of all classes, NaN for those that nobody voted for."""
        n_lfs, n_classes = len(self._tables), len(self.classes_)
        self.lf_probs_ = np.full((n_lfs, n_classes, n_classes + 1), np.nan)
        self.lf_probs_[np.ix_(np.arange(n_lfs), self._active, [*self._active, n_classes])] = (
            self._tables
        )
        if isinstance(self.class_prior, str):
            self.class_prior_ = np.zeros(n_classes)
            self.class_prior_[self._active] = self._prior
        n_active = len(self._active)
        right = np.diagonal(self._tables, axis1=1, axis2=2)
        wrong = (self._tables[:, :, :-1].sum(axis=1) - right) / (n_active - 1)
        self.lf_weights_ = np.full((n_lfs, n_classes), np.nan)
        self.lf_weights_[:, self._active] = np.log(np.maximum(right, SMALLEST)) - np.log(
            np.maximum(wrong, SMALLEST)
        )

    def _pseudo_counts(self, totals: np.ndarray, n_rows: float) -> tuple[np.ndarray, np.ndarray]:
        """Votes and abstentions that the prior counts for, by function, class and vote.

        Each vote that a function is known to cast counts as `prior_strength` votes, most of them
        in the class voted for, and as many abstentions as its coverage has them come with these,
        in equal parts of all classes.
        """
        n_classes = totals.shape[1]
        right, wrong = self.prior_precision, (1 - self.prior_precision) / (n_classes - 1)
        shares = np.where(np.eye(n_classes, dtype=bool), right, wrong)
        cast = totals > 0
        pseudo = self.prior_strength * shares[None] * cast[:, None, :]
        voted = np.maximum(totals.sum(axis=1), SMALLEST)
        silence = (n_rows - totals.sum(axis=1)) / voted
        each = self.prior_strength * np.maximum(cast.sum(axis=1), 1) / n_classes
        # a function that never votes is silent in every class alike
        silence = np.where(cast.any(axis=1), silence, 1.0)
        return pseudo, np.repeat((silence * each)[:, None], n_classes, axis=1)

    def _checked_prior(self) -> np.ndarray:
        n_classes = len(self.classes_)
        if isinstance(self.class_prior, str) and self.class_prior in PRIORS:
            return np.full(n_classes, 1 / n_classes)
        try:
            prior = np.asarray(self.class_prior, dtype=float)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(
                f"class_prior={self.class_prior!r} should be one of {', '.join(PRIORS)}, or the "
                "shares of the classes, such as [0.9, 0.1]."
            ) from None
        if self.classes is not None and prior.shape == np.shape(self.classes):
            prior = prior[np.argsort(self.classes)]
        sound = prior.shape == (n_classes,) and (prior > 0).all() and abs(prior.sum() - 1) < 1e-6
        if not sound:
            raise ValueError(
                f"class_prior={self.class_prior!r} should be {n_classes} shares above 0 that add "
                f"up to 1, for the classes {self.classes_.tolist()}."
            )
        return prior

    def _set_tables(self, votes: np.ndarray, silent: np.ndarray) -> None:
        """Shares of votes and abstentions in every class."""
        table = np.concatenate([votes, silent[:, :, None]], axis=2)
        self._tables = table / table.sum(axis=2, keepdims=True)

    def _posterior(self, votes: Any) -> np.ndarray:
        logs = np.log(np.maximum(self._tables, SMALLEST))
        base = np.log(self._prior) + logs[:, :, -1].sum(axis=0)
        # what a vote adds to an abstention, by function and vote, then class
        gains = (logs[:, :, :-1] - logs[:, :, -1:]).transpose(0, 2, 1)
        return softmax(base + votes @ gains.reshape(-1, gains.shape[2]), axis=1)

    def _proba(self, codes: np.ndarray) -> np.ndarray:
        found = np.zeros((len(codes), len(self.classes_)))
        among = self._among_active(codes)
        found[:, self._active] = self._posterior(indicators(among, len(self._active)))
        return found

    def _warn_of_contradictions(
        self, codes: np.ndarray, counts: np.ndarray, proba: np.ndarray
    ) -> None:
        highest = codes.max(axis=1)
        unanimous = (highest >= 0) & ((codes == highest[:, None]) | (codes < 0)).all(axis=1)
        against = unanimous & (proba.argmax(axis=1) != highest)
        if against.any():
            warn(
                f"GenerativeLabelModel contradicts the unanimous votes in "
                f"{int(counts[against].sum())} of {int(counts.sum())} rows: some functions depend "
                "on one another or are worse than chance, or class_prior does not fit. Leave out "
                "functions that repeat others (LabelingFunctionSelector finds them, but does not "
                "know which are right), give the class_prior, or use MajorityVoteLabeler.",
            )
