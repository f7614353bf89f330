"""A regressor fitted to training rows that count as often as a population has such rows."""

from __future__ import annotations

from ._reweighted import Reweighted
from ._wrapping import AroundRegressor


class ReweightedRegressor(AroundRegressor, Reweighted):
    """Fit a regressor to training rows weighted so that their shares are those of a population.

    What `ReweightedClassifier` is for classes, which has the details.

    Parameters
    ----------
    estimator : regressor
        The regressor, mostly a whole pipeline, whose `fit` or whose last step's takes
        `sample_weight`.
    margins : dict of label to dict
        Of each column the share of every level: a value, None for missing cells, or
        `(low, high)` for numbers from `low` on and below `high`, None for an open end.
    max_weight : float > 1, default=10.0
        What the weight of a row is at most multiplied by, where 1 is the mean.

    Attributes
    ----------
    estimator_ : regressor
        The fitted regressor.
    weights_ : ndarray of shape (n_samples,)
        The weights of the training rows.
    effective_n_samples_ : float
        As many rows of equal weight would be as good, by Kish's formula.
    share_gaps_ : dict of label to dict
        By how much the weighted share of each level is above that of the margins, by their keys.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if they have string names.

    See Also
    --------
    ReweightedClassifier : The same for classes, with what weights cannot do.
    population_margins : Reads shares off a table.

    Examples
    --------
    Of ten rows two are above 5, where half of the population is:

    >>> import numpy as np
    >>> from sklearn.dummy import DummyRegressor
    >>> from skcorrupt.robustness import ReweightedRegressor
    >>> X = np.repeat([[1.0], [9.0]], [8, 2], axis=0)
    >>> margins = {0: {(None, 5): 0.5, (5, None): 0.5}}
    >>> ReweightedRegressor(DummyRegressor(), margins).fit(X, X[:, 0]).predict([[1.0]])
    array([5.])
    """

    _other = "ReweightedClassifier"
