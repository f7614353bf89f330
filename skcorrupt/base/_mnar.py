"""Errors that depend on the values they strike."""

from __future__ import annotations

from skcorrupt.utils import Table, Target

from ._mechanism import Mechanism, labels_as_table


class MNAR(Mechanism):
    r"""Values are struck more often where they are high themselves (not at random).

    The probability of an error follows a logistic model in the struck column, or for label errors
    in the label, while the number of struck rows stays exact.

    Parameters
    ----------
    strength : float, default=1.0
        Logistic coefficient for one standard deviation; 0 is completely at random, negative
        values strike low values.

    See Also
    --------
    MAR : Depends on other columns.

    Notes
    -----
    Columns that are struck on the same rows enter by the mean of their standardised values, with
    `same_rows=False` each by itself. Labels of numbers enter by their value, other labels by
    the frequency of their class. Errors of whole rows strike no single value; they take `MAR`.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt import MNAR, CorruptMissing
    >>> X = np.arange(100.0).reshape(-1, 1)
    >>> lost = CorruptMissing(mechanism=MNAR(strength=5.0), rate=0.2, random_state=0)
    >>> bool(np.nanmean(lost.fit_transform(X)) < 45)
    True
    """

    def _check_strikes(self, strikes: str, name: str) -> None:
        if strikes == "rows":
            raise ValueError(
                f"mechanism={self!r} depends on the value that is struck, but {name} strikes whole "
                "rows; use MAR(columns) with the columns that it depends on."
            )

    def _source(self, strikes: str, table: Table, target: Target | None) -> Table:
        return labels_as_table(target) if strikes == "labels" and target is not None else table

    def _columns(self, source: Table, hit: list[int], struck: list[int]) -> list[int]:
        # the labels are the only column of their table
        return hit or [0]
