"""P-values of many tests, adjusted for their number."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.stats import false_discovery_control

from skcorrupt.utils import check_choice, checked_numbers, shorten
from skcorrupt.utils._typing import ColumnLike

METHODS = ("bh", "by", "bonferroni")


def adjusted_pvalues(
    p_values: ColumnLike,
    method: Literal["bh", "by", "bonferroni"] | None = "bh",
    *,
    count_missing: bool = False,
) -> np.ndarray:
    """P-values adjusted for the number of tests, to be compared with the level as they are.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)
        One p-value per test; NaN where a test could not be made, which stays NaN.
    method : {"bh", "by", "bonferroni"} or None, default="bh"
        "bh": Benjamini and Hochberg [1]_, the false discovery rate, which is the expected share
        of false findings among all findings. It holds for tests that are independent or positively
        dependent (positive regression dependence on those whose hypothesis is true), which is not
        a matter of course for tests of opposite signs. "by": Benjamini and Yekutieli [2]_, the same
        rate whatever the dependence, by p-values that are 1 + 1/2 + ... + 1/n_tests times as
        large. "bonferroni": the chance of any false finding, whatever the dependence. None
        leaves the p-values as they are.
    count_missing : bool, default=False
        Whether tests that could not be made count as tests all the same, as where their number was
        fixed beforehand.

    Returns
    -------
    ndarray of shape (n_tests,)
        The adjusted p-values.

    Raises
    ------
    ValueError
        If `p_values` are not numbers from 0 to 1 in one dimension, there is no such method, or
        `count_missing` is no flag.

    References
    ----------
    .. [1] Y. Benjamini, Y. Hochberg, Controlling the false discovery rate, JRSS B 57, 1995.
    .. [2] Y. Benjamini, D. Yekutieli, The control of the false discovery rate in multiple testing
       under dependency, Annals of Statistics 29, 2001.

    Examples
    --------
    >>> from skcorrupt.stats import adjusted_pvalues
    >>> adjusted_pvalues([0.01, 0.04, float("nan")]).tolist()
    [0.02, 0.04, nan]
    >>> adjusted_pvalues([0.01, 0.04, float("nan")], "bonferroni", count_missing=True).tolist()
    [0.03, 0.12, nan]
    """
    if method is not None:
        check_choice("method", method, METHODS)
    if not isinstance(count_missing, (bool, np.bool_)):
        raise ValueError(f"count_missing={shorten(count_missing)} should be True or False.")
    array = checked_numbers("p_values", p_values)
    known = ~np.isnan(array)
    if array.ndim != 1 or not ((array[known] >= 0) & (array[known] <= 1)).all():
        raise ValueError(
            f"p_values={array.tolist()} should be one number from 0 to 1 per test, NaN where it "
            "could not be made."
        )
    if method is None or not known.any():
        return array.copy()
    counted = np.where(known, array, 1.0) if count_missing else array[known]
    if method == "bonferroni":
        adjusted = np.minimum(1.0, counted * len(counted))
    else:
        adjusted = false_discovery_control(counted, method=method)
    found = np.full(len(array), np.nan)
    found[known] = adjusted[known] if count_missing else adjusted
    return found
