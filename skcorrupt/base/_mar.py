"""Errors that depend on columns of the data."""

from __future__ import annotations

from typing import Any

from skcorrupt.utils import Table, resolve_columns
from skcorrupt.utils._typing import ColumnLabels

from ._mechanism import Mechanism


class MAR(Mechanism):
    r"""Rows are struck more often where columns are high (at random given these columns).

    The probability of an error follows a logistic model in the mean of the standardised columns,
    while the number of struck rows stays exact (definition 2 and example 1 of [1]_ with a smooth
    mechanism). For `CorruptLabels` this is instance-dependent label noise.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        The columns it depends on; None is all columns that the error does not strike.
    strength : float, default=1.0
        Logistic coefficient for one standard deviation; 0 is completely at random, negative
        values strike rows that are low.

    See Also
    --------
    MNAR : Depends on the struck value itself.

    References
    ----------
    .. [1] Zhu et al., "Stress-Testing ML Pipelines with Adversarial Data Corruption", 2025.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt import MAR, CorruptLabels
    >>> X, y = np.arange(100.0).reshape(-1, 1), np.arange(100) % 2
    >>> noise = CorruptLabels(mechanism=MAR("x0", strength=5.0), rate=0.2, random_state=0)
    >>> bool(np.flatnonzero(noise.corrupt(X, y).record.y_mask).mean() > 75)
    True
    """

    _parameter_constraints: dict[str, Any] = {
        **Mechanism._parameter_constraints,
        "columns": "no_validation",
    }

    def __init__(self, columns: ColumnLabels | None = None, strength: float = 1.0) -> None:
        super().__init__(strength)
        self.columns = columns

    def _columns(self, source: Table, hit: list[int], struck: list[int]) -> list[int]:
        if self.columns is not None:
            found = resolve_columns(source, self.columns, parameter="mechanism: columns")
        else:
            found = [j for j in range(source.n_columns) if j not in struck]
        if not found:
            raise ValueError(
                f"mechanism={self!r} needs columns that stay: name some, as in MAR(columns), or "
                "leave some out of the columns that are struck."
            )
        return found
