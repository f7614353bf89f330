"""A classifier fitted to training rows that count as often as a population has such rows."""

from __future__ import annotations

from ._reweighted import Reweighted
from ._wrapping import AroundClassifier


class ReweightedClassifier(AroundClassifier, Reweighted):
    """Fit a classifier to training rows weighted so that their shares are those of a population.

    Where some rows are rarer in training data than where the model is used, the model cares too
    little about them. If it is known how frequent the levels of columns are there, from a census
    or from rows that were served lately, weights bring training rows to the same shares: raking
    [1]_, [2]_. Of all weights with these shares they are those nearest to equal ones.

    Parameters
    ----------
    estimator : classifier
        The classifier, mostly a whole pipeline, whose `fit` or whose last step's takes
        `sample_weight`.
    margins : dict of label to dict
        Of each column the share of every level: a value, None for missing cells, or
        `(low, high)` for numbers from `low` on and below `high`, None for an open end. Shares that
        sum to less than 1 leave the rest to all other values. `population_margins` reads them off
        a table.
    max_weight : float > 1, default=10.0
        What the weight of a row is at most multiplied by, where 1 is the mean.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    weights_ : ndarray of shape (n_samples,)
        The weights of the training rows.
    effective_n_samples_ : float
        As many rows of equal weight would be as good, by Kish's formula.
    share_gaps_ : dict of label to dict
        By how much the weighted share of each level is above that of the margins, by their keys.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if they have string names.

    See Also
    --------
    ReweightedRegressor : The same for numbers.
    population_margins : Reads shares off a table.
    skcorrupt.SelectionBias : The error that this is for.

    Notes
    -----
    Weights are for rows that got rarer, not for those that are gone: a level without training rows
    cannot be weighted, `share_gaps_` tells of it, and a warning. Shares of single columns do not
    tell how columns go together. Nor do they mend a selection by the class, against which
    `class_weight` is there. Rows of a level that the population does not have get no weight.

    Raking goes on until no share is off by more than a millionth, or until rounds bring them no
    nearer, and takes the best of them.

    Weights cost rows: `effective_n_samples_` says how many are left. A model that describes all
    rows alike well, as a linear one of a linear relation, needs none and only gets less sure. A
    smaller `max_weight` keeps more rows and less of the shares.

    References
    ----------
    .. [1] W. E. Deming and F. F. Stephan, On a least squares adjustment of a sampled frequency
       table when the expected marginal totals are known, Annals of Mathematical Statistics 11(4),
       1940.
    .. [2] J.-C. Deville, C.-E. Särndal and O. Sautory, Generalized raking procedures in survey
       sampling, JASA 88(423), 1993.

    Examples
    --------
    Half of the people who are asked later are women, of whom training rows have few:

    >>> import numpy as np
    >>> import pandas as pd
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcorrupt.robustness import ReweightedClassifier
    >>> X = pd.DataFrame({"woman": np.arange(100) < 10, "z": np.arange(100) % 2})
    >>> y = X["woman"] == (X["z"] > 0)
    >>> model = ReweightedClassifier(
    ...     DecisionTreeClassifier(max_depth=1), {"woman": {True: 0.5, False: 0.5}}
    ... ).fit(X, y)
    >>> model.weights_[[0, 99]].round(3)
    array([5.   , 0.556])
    >>> round(model.effective_n_samples_)
    36
    """

    _other = "ReweightedRegressor"
