"""A classifier that does without a column where that is in doubt."""

from __future__ import annotations

from typing import Any

import numpy as np

from skcorrupt.utils._typing import ColumnLabels, Estimator

from ._submodels import Submodels, _answer
from ._wrapping import AroundClassifier


class SubmodelClassifier(AroundClassifier, Submodels):
    """Classify rows by a model without the columns that are missing or implausible there.

    A pipeline fills a gap with a value that the model reads as if it were given, and follows a
    wrong unit as far as it goes, though other columns may say nearly as much. Here each column has
    a submodel, fitted on the same rows without it, which is asked where the cell of a row is in
    doubt: reduced-feature models [1]_. Rows without doubt are left to the model that knows all
    columns, so that nothing is lost on them.

    Parameters
    ----------
    estimator : classifier
        The classifier, mostly a whole pipeline, which is fed the columns as they come.
    columns : label, list of labels or None, default=None
        Columns that may be in doubt; None is all.
    false_alarm : float in [0, 1), default=0.01
        Share of the clean values of a column that may be taken for implausible, about; 0 doubts
        missing cells only.
    balanced : bool, default=False
        Whether the submodels learn from as many rows of each class, those of rarer ones repeated.
        Where only the lost column tells a rare class, a submodel hardly ever predicts it, and
        whoever wants to do harm lets it be missing there. More rows of the other class are then
        wrong, so that gaps that strike at random cost more.
    n_jobs : int or None, default=None
        Number of workers for the fits; the result does not depend on it.

    Attributes
    ----------
    estimator_ : classifier
        The classifier that knows all columns.
    submodels_ : dict of label to classifier
        The classifiers that do without one, which were given its fill value in all rows.
    fill_values_ : dict of label to object
        What a doubtful cell of each column is filled with.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if they have string names.

    See Also
    --------
    SubmodelRegressor : The same for numbers.
    RangeClipper : Holds numbers within a range, at the cost of no fit.
    skcorrupt.CorruptMissing : The error that this is for most of all.

    Notes
    -----
    A column is left out by making it the same everywhere, which tells a model nothing, so that
    pipelines that name their columns work as they are. Where several cells of a row are in doubt,
    the submodels of these columns are averaged (or vote, without `predict_proba`), the other
    doubtful cells filled with the median or the most frequent value.

    Implausible is, by the training values of the column: a number out of their range, or one that
    is not whole where all are, or one that is farther from the nearest of them than all but a
    `false_alarm` of them are from one another, as they are or in logarithms; a level never seen,
    where at most a `false_alarm` of the rows have one of their own; and what is no number where
    there were numbers. With few training rows there are more false alarms.

    Gaps in training rows are the estimator's to fill; where it takes none, by its tags, they get
    the median or the most frequent value too.

    There are as many fits as columns, and one more. What no other column says is lost with a
    column, and this cannot bring it back.

    References
    ----------
    .. [1] M. Saar-Tsechansky and F. Provost, Handling missing values when applying classification
       models, JMLR 8, 2007.

    Examples
    --------
    Two columns say the same, and one is missing:

    >>> import numpy as np
    >>> from sklearn.impute import SimpleImputer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from skcorrupt.robustness import SubmodelClassifier
    >>> X = np.repeat([[1.0, 1.0], [2.0, 2.0], [8.0, 8.0]], 50, axis=0)
    >>> y = X[:, 0] > 5
    >>> plain = make_pipeline(SimpleImputer(), LogisticRegression()).fit(X, y)
    >>> served = [[np.nan, 8.0], [9000.0, 1.0]]
    >>> plain.predict(served)
    array([ True,  True])
    >>> model = SubmodelClassifier(plain).fit(X, y)
    >>> model.predict(served)
    array([ True, False])
    >>> model.doubtful_cells(served)
    array([[ True, False],
           [ True, False]])
    """

    _other = "SubmodelRegressor"
    _averaged = "predict_proba"
    _parameter_constraints: dict[str, Any] = {
        **Submodels._parameter_constraints,
        "balanced": ["boolean"],
    }

    def __init__(
        self,
        estimator: Estimator,
        *,
        columns: ColumnLabels | None = None,
        false_alarm: float = 0.01,
        balanced: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(estimator, columns=columns, false_alarm=false_alarm, n_jobs=n_jobs)
        self.balanced = balanced

    def _rows_of_submodels(self, y: Any) -> np.ndarray | None:
        if not self.balanced:
            return None
        _, codes = np.unique(y, return_inverse=True)
        most = np.bincount(codes).max()
        each = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
        return np.sort(np.concatenate([rows[np.arange(most) * len(rows) // most] for rows in each]))

    def _said(self, model: Any, X: Any) -> np.ndarray:
        if hasattr(model, self._averaged):
            return _answer(model, self._averaged, X)
        return _answer(model, "predict", X)[:, None] == self.classes_

    def _of_average(self, name: str, average: np.ndarray) -> np.ndarray:
        return average if name == self._averaged else self.classes_[average.argmax(axis=1)]
