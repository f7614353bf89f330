"""What a curator found, in words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from skcorrupt.utils._as_text import cell, counted, score


def order_in_words(bounds: np.ndarray, n_sets: int) -> str:
    """How far samples fall apart along the order.

    Parameters
    ----------
    bounds : ndarray of shape (n_ordered,)
        Lower bounds of the confidence, in order.
    n_sets : int
        Number of sets that the order was cut into.

    Returns
    -------
    str
        A sentence.
    """
    tenth = max(1, len(bounds) // 10)
    return (
        f"From the surest label to the least sure, {counted(len(bounds), 'sample')} make "
        f"{counted(n_sets, 'set')} that grow harder: the lower bound of the confidence falls from "
        f"{score(bounds[:tenth].mean())} in the first tenth of the samples to "
        f"{score(bounds[-tenth:].mean())} in the last."
    )


def curve_in_words(curve: pd.DataFrame) -> str:
    """How a model fares along the order.

    Parameters
    ----------
    curve : DataFrame
        As `NaturalAdversarialCurator.curve_`.

    Returns
    -------
    str
        A sentence.
    """
    said = f"A model agrees with the weak labels on {_from_to(curve['agreement'])}"
    if "accuracy" in curve:
        said += f"; by true labels it is right on {_from_to(curve['accuracy'])}"
        (first, *_, last), (whole, *_, rest) = curve["n_labelled"], curve["n_rows"]
        if first < whole or last < rest:
            said += f", of which {first:,} and {last:,} true labels are known"
    return f"{said}."


def _from_to(shares: pd.Series) -> str:
    first, *_, last = shares
    return f"{cell(first, 'percent')} of the first set and on {cell(last, 'percent')} of the last"
