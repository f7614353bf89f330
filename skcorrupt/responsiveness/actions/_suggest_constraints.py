"""Rules that the data keep and an action set does not ask for."""

from __future__ import annotations

from skcorrupt.utils import shorten
from skcorrupt.utils._typing import TableLike

from ..rules._constraint import Constraint
from ._action_set import ActionSet


def suggest_constraints(X: TableLike, actions: ActionSet) -> list[Constraint]:
    """Propose rules that hold for everybody and that nothing in an action set asks for.

    Without them people can be given what nobody can have, such as two of the columns of a one-hot
    encoding, so that a person without a way seems to have one. Looked for are one-hot columns, of
    which exactly one is 1, columns of one family of which one at most is, thresholds passed one
    after the other, and numbers that are a multiple of another or the sum of two. A rule is
    proposed where unrelated columns would hardly keep it by accident; whether it is meant, only
    who knows the data can say.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        The data, with the columns of the action set in its order; ten rows or more.
    actions : ActionSet
        What people can do; columns that a rule ties together already are left alone.

    Returns
    -------
    list of Constraint
        The rules, to be given to `ActionSet.add` one by one.

    Raises
    ------
    TypeError
        If `actions` is no action set.
    ValueError
        If the columns are others.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from skcorrupt.responsiveness import ActionSet, suggest_constraints
    >>> home = pd.Series(np.random.default_rng(0).choice(["rents", "owns", "free"], 100))
    >>> X = pd.get_dummies(home, prefix="home", dtype=int)
    >>> actions = ActionSet.from_data(X, rules=())
    >>> suggest_constraints(X, actions)
    [OneHot(columns=['home_free', 'home_owns', 'home_rents'])]
    """
    if not isinstance(actions, ActionSet):
        raise TypeError(
            f"actions={shorten(actions)} should be an ActionSet; make one by "
            "ActionSet.from_data(X, actionable)."
        )
    return actions._missing_rules(actions.codes(X))
