"""A regressor that does without a column where that is in doubt."""

from __future__ import annotations

from ._submodels import Submodels
from ._wrapping import AroundRegressor


class SubmodelRegressor(AroundRegressor, Submodels):
    """Predict numbers by a model without the columns that are missing or implausible in a row.

    What `SubmodelClassifier` is for classes, which has the details.

    Parameters
    ----------
    estimator : regressor
        The regressor, mostly a whole pipeline, which is fed the columns as they come.
    columns : label, list of labels or None, default=None
        Columns that may be in doubt; None is all.
    false_alarm : float in [0, 1), default=0.01
        Share of the clean values of a column that may be taken for implausible, about; 0 doubts
        missing cells only.
    n_jobs : int or None, default=None
        Number of workers for the fits; the result does not depend on it.

    Attributes
    ----------
    estimator_ : regressor
        The regressor that knows all columns.
    submodels_ : dict of label to regressor
        The regressors that do without one, which were given its fill value in all rows.
    fill_values_ : dict of label to object
        What a doubtful cell of each column is filled with.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if they have string names.

    See Also
    --------
    SubmodelClassifier : The same for classes, with what counts as doubtful.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import Ridge
    >>> from skcorrupt.robustness import SubmodelRegressor
    >>> X = np.repeat([[1.0, 1.0], [2.0, 2.0], [8.0, 8.0]], 50, axis=0)
    >>> model = SubmodelRegressor(Ridge()).fit(X, X[:, 0])
    >>> model.predict([[np.nan, 8.0], [9000.0, 1.0]]).round()
    array([8., 1.])
    """

    _other = "SubmodelClassifier"
