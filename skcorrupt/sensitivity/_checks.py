"""What a study and its description check alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from skcorrupt.utils import is_finite_number, shorten, sorted_labels

# how many columns screening keeps where nothing else is asked for
MOST_FEATURES = 20


def checked_levels(levels: Sequence[float] | np.ndarray) -> list[float]:
    """Rates of errors as numbers.

    Parameters
    ----------
    levels : sequence of float
        Rates.

    Returns
    -------
    list of float
        The same.

    Raises
    ------
    ValueError
        If they are not two numbers or more that grow from 0, to 1 at most.
    """
    several = hasattr(levels, "__iter__") and not isinstance(levels, (str, Mapping))
    several = several and getattr(levels, "ndim", 1) != 0
    found = list(levels) if several else []
    grows = all(map(is_finite_number, found)) and all(low < high for low, high in pairwise(found))
    if len(found) < 2 or not grows or found[0] != 0 or found[-1] > 1:
        raise ValueError(
            f"levels={shorten(levels)} should be two numbers or more that grow from 0, to 1 at "
            "most, such as [0, 0.2, 0.4]."
        )
    return [float(level) for level in found]


def check_max_features(max_features: int, screening: str | None) -> None:
    """Refuse a number of columns that nothing would keep to.

    Parameters
    ----------
    max_features : int
        How many columns screening keeps.
    screening : str or None
        By what, None for all columns.

    Raises
    ------
    ValueError
        If it is not the default, and there is no screening.
    """
    if screening is None and max_features != MOST_FEATURES:
        raise ValueError(
            f"max_features={max_features} needs screening, and screening=None studies all columns; "
            'pass screening="importance", "variance" or "association", or leave max_features out.'
        )


def check_labels(labels: np.ndarray, classes: bool, *, in_both: bool) -> None:
    """Refuse labels with which no split can be made.

    Parameters
    ----------
    labels : ndarray of shape (n_samples,)
        Labels.
    classes : bool
        Whether they are classes.
    in_both : bool
        Whether both parts of a split have every class.

    Raises
    ------
    ValueError
        If one is missing, or, where both parts of a split have every class, labels cannot be told
        apart or sorted, or a class has a single row.
    """
    missing = pd.isna(labels)
    if missing.any():
        raise ValueError(
            f"y has {int(missing.sum())} missing labels, the first in row {int(missing.argmax())}; "
            "drop these rows."
        )
    if classes:
        sorted_labels(labels)
    if in_both:
        counts = pd.Series(labels).value_counts()
        rare = counts[counts < 2]
        if len(rare):
            raise ValueError(
                f"y has one row of the class {rare.index.tolist()[0]!r}, which cannot be in both "
                "parts of a split; drop it, or join classes."
            )
