"""A copy of a system that a plan is made on."""

from __future__ import annotations

import copy
from typing import Any


def beside(system: Any, **changes: Any) -> Any:
    """A shallow copy of which nothing that is drawn or split is missing afterwards.

    A clone would unfit a model that is served as it is.

    Parameters
    ----------
    system : estimator
        A search or study, with parameters `cv` and `random_state`.
    **changes : dict
        Parameters of the copy.

    Returns
    -------
    estimator
        With generators of its own.

    Raises
    ------
    ValueError
        If `cv` gives every split once only.
    """
    if hasattr(system.cv, "__next__"):
        raise ValueError("plan would use up the generator given as cv; pass cv=list(…).")
    own = {name: copy.deepcopy(getattr(system, name)) for name in ("cv", "random_state")}
    return copy.copy(system).set_params(**own, **changes)
