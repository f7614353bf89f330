"""People who can be asked what they can do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import as_table
from skcorrupt.utils._readable import listed_labels, on_one_line
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._action_set import ActionSet


def person_of(actions: ActionSet, x: TableLike | ColumnLike) -> tuple[Any, np.ndarray]:
    """A single person as a table, and as numbers.

    Parameters
    ----------
    actions : ActionSet
        What people can do.
    x : one-row table, Series or array of shape (n_features,)
        The person.

    Returns
    -------
    table : table of shape (1, n_features)
        The person, in the container of `x`; a frame for a Series or an array.
    codes : ndarray of shape (n_features,)
        The same as `codes` has it.

    Raises
    ------
    ValueError
        If there are several, or the person breaks a rule as they are.
    """
    if isinstance(x, pd.Series):
        x = x.to_frame().T.infer_objects()
    elif not isinstance(x, pd.DataFrame) and isinstance(x, (np.ndarray, list, tuple)):
        values = np.asarray(x, dtype=object)
        values = values[np.newaxis] if values.ndim == 1 else values
        if values.ndim != 2 or values.shape[1] != len(actions):
            raise ValueError(
                f"x has shape {np.shape(x)}; it should have a value for each of the "
                f"{len(actions)} columns {listed_labels(map(on_one_line, actions.columns))}."
            )
        x = pd.DataFrame(values, columns=list(actions.columns)).infer_objects()
    n_rows = as_table(x).n_rows
    if n_rows != 1:
        raise ValueError(f"x has {n_rows} rows; pass a single person, as in X.iloc[[0]].")
    broken = actions.validate(x)
    if len(broken):
        raise ValueError(
            f"This person breaks rules as they are: {'; '.join(broken['message'][:5])}. Mend "
            "the data, the bounds or the rules; actions.validate(X) lists all."
        )
    return x, actions.codes(x)[0]


def check_people(
    actions: ActionSet, people: TableLike, rows: np.ndarray, times: np.ndarray | None = None
) -> None:
    """Refuse people who break the rules as they are.

    Parameters
    ----------
    actions : ActionSet
        What people can do.
    people : table of shape (n_people, n_features)
        The people.
    rows : ndarray of int, shape (n_people,)
        Their positions in the data, for the message.
    times : ndarray of int or None, default=None
        How many people each of them is; None is one.

    Raises
    ------
    ValueError
        If there are some, naming the first.
    """
    broken = actions.validate(people)
    if len(broken):
        first, times = broken.iloc[0], np.ones(len(rows), int) if times is None else times
        n_broken = times[broken["row"].unique()].sum()
        raise ValueError(
            f"{n_broken} of {times.sum()} people break the rules as they are, the "
            f"first at position {rows[first['row']]}: {first['message']}. Mend the data, the "
            "bounds or the rules, or leave these people out; actions.validate(X) lists all."
        )
