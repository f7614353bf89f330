"""Labels that can be told apart and sorted."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd


def check_single(values: np.ndarray, name: str) -> None:
    """Refuse values that hold several, such as lists and tuples.

    Raises
    ------
    ValueError
        With the first of them.
    """
    if values.dtype != object:
        return
    # of many labels there are few types
    kinds = {kind for kind in set(map(type, values)) if issubclass(kind, Collection)}
    several = tuple(kind for kind in kinds if not issubclass(kind, (str, bytes)))
    for value in values if several else ():
        if isinstance(value, several):
            raise ValueError(
                f"{name} holds {value!r}, which is not a single value; pass a number or a text a "
                "row."
            )


def distinct_labels(values: np.ndarray, name: str = "y") -> np.ndarray:
    """Distinct labels, missing ones aside, in order of appearance.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        The labels.
    name : str, default="y"
        What they are, for messages.

    Returns
    -------
    ndarray of shape (n_labels,)
        One of each.

    Raises
    ------
    ValueError
        If they are complex numbers, or cells such as lists and tuples.
    """
    if values.dtype.kind == "c":
        raise ValueError(
            f"Complex data not supported: {name} holds complex numbers; pass a number for each row."
        )
    try:
        distinct = pd.unique(values)
    except TypeError:
        # lists and the like have no hash
        distinct = values
    check_single(distinct, name)
    return np.asarray(distinct[~np.asarray(pd.isna(distinct))])


def sorted_labels(values: np.ndarray, name: str = "y") -> np.ndarray:
    """Distinct labels, missing ones aside, sorted.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        The labels.
    name : str, default="y"
        What they are, for messages.

    Returns
    -------
    ndarray of shape (n_labels,)
        One of each.

    Raises
    ------
    ValueError
        If they are no single labels, or of types that cannot be sorted.
    """
    try:
        return np.sort(distinct_labels(values, name))
    except TypeError:
        raise ValueError(
            f"{name} mixes labels of types that cannot be sorted, such as strings and numbers; "
            "convert it to one type."
        ) from None
