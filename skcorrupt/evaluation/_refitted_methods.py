"""What a search can do after `refit=True`: predict as the estimator that it fitted."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import InnerMethods, Sheltered, where_inner_has
from skcorrupt.utils._typing import ColumnLike, Estimator, TableLike

from ._described import Described
from ._evaluate_split import score_of


class RefittedMethods(InnerMethods):
    """Methods of the estimator that a search refitted, there only with `refit=True`.

    A subclass names the attribute that has it, `_refitted`, and what `refit=True` does,
    `_refitting`.
    """

    estimator: Any
    refit: bool
    scorer_: Any
    _refitted: ClassVar[str]
    _refitting: ClassVar[str]

    def _inner_has(self, name: str) -> bool:
        if not self.refit:
            raise AttributeError(
                f"{type(self).__name__} has no {name} with refit=False; pass refit=True to "
                f"{self._refitting}."
            )
        # what was read from a file says so when it is called
        if not isinstance(self.estimator, Described):
            getattr(getattr(self, self._refitted, self.estimator), name)
        return True

    def _refitted_estimator(self) -> Estimator:
        if not getattr(self, "_left_out", ""):
            check_is_fitted(self, self._refitted)
        return getattr(self, self._refitted)

    def _ask(self, name: str, X: TableLike) -> Any:
        return getattr(Sheltered(self._refitted_estimator()), name)(X)

    @where_inner_has("score")
    def score(self, X: TableLike, y: ColumnLike | None = None) -> float:
        """Score of the refitted estimator, by the search's scorer.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            Labels.

        Returns
        -------
        score : float
            The score.
        """
        return score_of(self.scorer_, self._refitted_estimator(), X, y)

    @property
    def classes_(self) -> np.ndarray:
        """Classes of the refitted estimator."""
        self._inner_has("classes_")
        return getattr(self, self._refitted).classes_
