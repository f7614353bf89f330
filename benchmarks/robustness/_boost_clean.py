"""BoostClean: boosting chooses among ways of finding and repairing errors.

Rebuilt from the description in Krishnan, Franklin, Goldberg and Wu, BoostClean: automated error
detection and repair for machine learning, arXiv 1711.01299, 2017; the detector for texts is left
out, as the tables here hold numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

# what is done to cells that were found
FILLS = ("mean", "median", "mode")
# what is done to rows that hold such cells: left out of the training set, or predicted as most are
ROW_REPAIRS = ("discard", "usual class")
DETECTORS = ("missing", "spread", "isolation")
STANDARD_DEVIATIONS = 3.0
N_TREES = 20
AS_IT_IS = ("nothing", "nothing")


@dataclass
class Facts:
    """What is known of the training set.

    Attributes
    ----------
    fills : dict of str to ndarray of shape (n_features,)
        Values by the name of a repair.
    center, scale : ndarray of shape (n_features,)
        Means and standard deviations.
    without_gaps : ndarray of shape (n_samples, n_features)
        Features, gaps filled by means.
    seed : int
        Of the isolation forest.
    """

    fills: dict[str, np.ndarray]
    center: np.ndarray
    scale: np.ndarray
    without_gaps: np.ndarray
    seed: int

    @classmethod
    def of(cls, X: np.ndarray, seed: int) -> Facts:
        """From features with gaps."""
        known = pd.DataFrame(X)
        fills = {
            "mean": known.mean(),
            "median": known.median(),
            "mode": known.mode().iloc[0].reindex(known.columns),
        }
        values = {name: each.fillna(0.0).to_numpy() for name, each in fills.items()}
        scale = known.std(ddof=0).fillna(0.0).to_numpy()
        without_gaps = np.where(np.isnan(X), values["mean"], X)
        return cls(values, values["mean"], scale, without_gaps, seed)

    @cached_property
    def forest(self) -> IsolationForest:
        """Fitted when it is asked for the first time."""
        forest = IsolationForest(n_estimators=N_TREES, random_state=self.seed)
        return forest.fit(self.without_gaps)

    def found(self, detector: str, X: np.ndarray) -> np.ndarray:
        """Cells that a detector doubts; a detector of rows doubts all cells of a row."""
        if detector == "missing":
            return np.isnan(X)
        if detector == "spread":
            with np.errstate(invalid="ignore"):
                return np.abs(X - self.center) > STANDARD_DEVIATIONS * self.scale
        if detector == "isolation":
            odd = self.forest.predict(self.filled("mean", X, np.isnan(X))) < 0
            return np.repeat(odd[:, None], X.shape[1], axis=1)
        return np.zeros(X.shape, dtype=bool)

    def filled(self, repair: str, X: np.ndarray, cells: np.ndarray) -> np.ndarray:
        """Cells replaced; gaps that are not among them by means, as models need numbers."""
        X = np.where(cells, self.fills[repair], X) if repair in self.fills else X
        return np.where(np.isnan(X), self.fills["mean"], X)


@dataclass
class Repair:
    """A detector with a repair, and the classifier fitted on what they leave.

    Attributes
    ----------
    detector, repair : str
        Their names.
    facts : Facts
        Of the training set.
    usual : ndarray of shape (n_classes,)
        Shares of the classes there.
    model : classifier
        The classifier.
    """

    detector: str
    repair: str
    facts: Facts
    usual: np.ndarray
    model: Any

    @classmethod
    def fitted(
        cls,
        name: tuple[str, str],
        cells: np.ndarray,
        facts: Facts,
        model: Any,
        X: np.ndarray,
        y: np.ndarray,
    ) -> Repair | None:
        """Fitted on repaired rows, None where there is nothing to repair or too little left."""
        detector, repair = name
        struck = cells.any(axis=1)
        if detector != AS_IT_IS[0] and not struck.any():
            return None
        usual = np.bincount(y) / len(y)
        X = facts.filled(repair, X, cells)
        if repair == "discard":
            X, y = X[~struck], y[~struck]
            if len(np.unique(y)) < len(usual):
                return None
        return cls(detector, repair, facts, usual, clone(model).fit(X, y))

    def predict_proba(self, X: np.ndarray, cells: np.ndarray) -> np.ndarray:
        """Probabilities of the classes, given the cells that the detector doubts."""
        proba = self.model.predict_proba(self.facts.filled(self.repair, X, cells))
        if self.repair == "usual class":
            proba[cells.any(axis=1)] = self.usual
        return proba


def predictions(members: list[Repair], X: np.ndarray) -> np.ndarray:
    """Probabilities by each member, every detector asked once."""
    facts = members[0].facts
    cells = {name: facts.found(name, X) for name in {each.detector for each in members}}
    return np.array([each.predict_proba(X, cells[each.detector]) for each in members])


class BoostClean(ClassifierMixin, BaseEstimator):
    """A vote of classifiers, each fitted on rows that were repaired in another way.

    A library of detectors (gaps, values three standard deviations off, rows that an isolation
    forest finds odd) by repairs (mean, median, mode, leaving rows out, predicting the usual class)
    gives a classifier each. AdaBoost chooses among them by accuracy on rows for which it has
    weights, as Krishnan and others (2017) have it. The chosen ones vote with their probabilities,
    so that rows can be ranked.

    Parameters
    ----------
    estimator : classifier or None, default=None
        Fitted on repaired numbers; None is a logistic regression.
    n_rounds : int, default=5
        How many are chosen at most.
    X_valid, y_valid : array-like or None, default=None
        Rows with right labels that choose, as in the paper; None takes a part of the training
        rows, errors and all, which classifiers are not fitted on until the choice is made.
    valid_size : float, default=0.25
        The part.
    random_state : int, default=0
        Seed of the part and of the isolation forest.
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_rounds: int = 5,
        X_valid: Any = None,
        y_valid: Any = None,
        valid_size: float = 0.25,
        random_state: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_rounds = n_rounds
        self.X_valid = X_valid
        self.y_valid = y_valid
        self.valid_size = valid_size
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the library and choose from it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers, gaps allowed.
        y : array-like of shape (n_samples,)
            Labels.

        Returns
        -------
        BoostClean
            Itself.
        """
        features = np.asarray(X, dtype=float)
        self.classes_, codes = np.unique(np.asarray(y), return_inverse=True)
        self.n_features_in_ = features.shape[1]
        if self.X_valid is not None:
            library = self._library(features, codes)
            judged = np.asarray(self.X_valid, dtype=float)
            known = np.searchsorted(self.classes_, np.asarray(self.y_valid))
            self.members_, self.weights_ = self._boosted(library, judged, known)
            return self
        counts = np.bincount(codes)
        kept, held = train_test_split(
            np.arange(len(codes)),
            test_size=self.valid_size,
            stratify=codes if counts.min() > 1 else None,
            random_state=self.random_state,
        )
        library = self._library(features[kept], codes[kept])
        chosen, self.weights_ = self._boosted(library, features[held], codes[held])
        # with all rows, now that they have nothing to choose
        named = {(each.detector, each.repair) for each in chosen}
        again = {(r.detector, r.repair): r for r in self._library(features, codes, named)}
        self.members_ = [again[each.detector, each.repair] for each in chosen]
        return self

    def _library(
        self, X: np.ndarray, y: np.ndarray, only: set[tuple[str, str]] | None = None
    ) -> list[Repair]:
        """All repairs that change something, the one that only fills gaps first."""
        facts = Facts.of(X, self.random_state)
        model = LogisticRegression() if self.estimator is None else self.estimator
        pairs = [AS_IT_IS, *((d, r) for d in DETECTORS for r in (*FILLS, *ROW_REPAIRS))]
        # a row that is odd as a whole has no cell to fill, and gaps have means without being told
        pairs = [pair for pair in pairs if pair[0] != "isolation" or pair[1] in ROW_REPAIRS]
        pairs.remove(("missing", "mean"))
        pairs = [pair for pair in pairs if only is None or pair in only]
        cells = {name: facts.found(name, X) for name in {detector for detector, _ in pairs}}
        made = [Repair.fitted(pair, cells[pair[0]], facts, model, X, y) for pair in pairs]
        return [each for each in made if each is not None]

    def _boosted(
        self, library: list[Repair], X: np.ndarray, y: np.ndarray
    ) -> tuple[list[Repair], np.ndarray]:
        """AdaBoost over classifiers that are fitted already."""
        right = predictions(library, X).argmax(axis=2) == y
        weights = np.full(len(y), 1 / len(y))
        chosen: list[Repair] = []
        votes: list[float] = []
        for _ in range(self.n_rounds):
            best = int(np.argmax(right @ weights))
            error = float(np.clip(1 - right[best] @ weights, 1e-9, 1))
            vote = np.log((1 - error) / error) + np.log(len(self.classes_) - 1)
            if vote <= 0:
                break
            chosen.append(library[best])
            votes.append(vote)
            weights = weights * np.exp(vote * ~right[best])
            weights /= weights.sum()
        if not chosen:
            return library[:1], np.ones(1)
        return chosen, np.array(votes) / np.sum(votes)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Mean of the members' probabilities, weighted by their votes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers, gaps allowed.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Probabilities.
        """
        check_is_fitted(self)
        features = np.asarray(X, dtype=float)
        return np.tensordot(self.weights_, predictions(self.members_, features), axes=1)

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers, gaps allowed.

        Returns
        -------
        ndarray of shape (n_samples,)
            Classes.
        """
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
