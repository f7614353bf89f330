"""What an audit found, in words."""

from __future__ import annotations

import pandas as pd

from skcorrupt.utils._as_text import cell, percent

from ._verdicts import VERDICTS


def audit_in_words(found: pd.DataFrame, n_people: int, *, grouped: bool) -> str:
    """How many people are responsive, and by how much.

    Parameters
    ----------
    found : DataFrame
        As `ResponsivenessAuditor.by_group` gives it.
    n_people : int
        How many people there were.
    grouped : bool
        Whether there is more than one group to tell of.

    Returns
    -------
    str
        A sentence or two, and one for each group.
    """
    said = [f"{found['n_people'].sum():,} of {n_people:,} people were audited."]
    for group, row in found.iterrows():
        n = row["n_people"]
        yes, no, open_ = (f"{n * row[v]:,.0f} ({percent(row[v])})" for v in VERDICTS)
        who = f"Group {group}, {n:,.0f} people: " if grouped else ""
        said.append(
            f"{who}{yes} are responsive, {no} are not, and of {open_} it could not be decided; on "
            f"average {cell(row['responsiveness'], 'percent')} of what a person can do leads to "
            "the target."
        )
    return ("\n" if grouped else " ").join(said)
