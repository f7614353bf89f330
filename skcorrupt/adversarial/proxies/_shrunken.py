"""A cheaper copy of a pipeline, to rank candidates by."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from skcorrupt.utils._typing import Estimator

# as many members, or rounds, tell bad errors from worse ones
MEMBERS = 20
SIZES = ("n_estimators", "max_iter", "iterations", "n_rounds")


def shrunken(estimator: Estimator) -> Any:
    """A clone with fewer members of ensembles and fewer rounds of boosting.

    Parameters
    ----------
    estimator : estimator
        A pipeline.

    Returns
    -------
    estimator or None
        Unfitted; None where there is nothing to shrink.
    """
    small = clone(estimator)
    params = small.get_params()
    changes = {}
    for name, value in params.items():
        owner = params.get(name.rpartition("__")[0], small)
        last = name.rpartition("__")[2]
        boosted = last != "max_iter" or "Boosting" in type(owner).__name__
        whole = isinstance(value, int) and not isinstance(value, bool)
        if last in SIZES and boosted and whole and value > MEMBERS:
            changes[name] = MEMBERS
    return small.set_params(**changes) if changes else None
