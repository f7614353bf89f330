"""What errors could do that picked any rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from skcorrupt.utils._as_text import score


@dataclass(frozen=True)
class AnyRows:
    """What the worst choice of rows within the largest budget brings.

    Attributes
    ----------
    score : float
        That score; NaN where it is not known.
    is_reached : bool
        Whether some rows bring it, or only none brings less.
    is_conditional : bool
        Whether it holds for the values that were drawn alone.
    """

    score: float = np.nan
    is_reached: bool = True
    is_conditional: bool = False

    @property
    def is_told(self) -> bool:
        """Whether there is anything to say."""
        return bool(np.isfinite(self.score))

    def said(self, unit: float = 1.0) -> str:
        """The score beside others of a size, as a part of a sentence."""
        drawn = ", with the values drawn" if self.is_conditional else ""
        least = "" if self.is_reached else "no lower than "
        return f"any rows{drawn}: {least}{score(self.score, unit)}"


def any_rows(certificate: pd.DataFrame) -> AnyRows:
    """What the worst choice of rows brings, whichever kind and columns it is.

    Parameters
    ----------
    certificate : DataFrame
        As `AdversarialCorruptionSearch.certificate_`.

    Returns
    -------
    AnyRows
        Nothing to tell where it is not known of some kind or column.
    """
    if "any_rows_score" not in certificate or not len(certificate):
        return AnyRows()
    last = certificate[certificate["budget"] == certificate["budget"].max()]
    # where errors make the model fail nothing is known; where checks notice all conditions, that is
    told = ["readable_score", "any_rows_score", "readable_bound"]
    last = last[last[told].notna().any(axis=1)]
    known, bounds = last["any_rows_score"], last["readable_bound"]
    is_conditional = bool(last["conditional"].any())
    if len(last) and known.notna().all():
        return AnyRows(float(known.min()), is_conditional=is_conditional)
    # of scores that are no sums the bound is one for all choices of rows; that of none is no news
    if len(last) and known.isna().all() and bounds.notna().all() and bounds.min() > 0:
        return AnyRows(float(bounds.min()), False, is_conditional)
    return AnyRows()
