"""What an audit found, in words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from skcorrupt.utils._as_text import cell

from ._few_people import NOT_TOLD, number_text, share_text, untold
from ._verdicts import VERDICTS


def audit_in_words(found: pd.DataFrame, n_people: int, *, grouped: bool, least: int = 1) -> str:
    """How many people are responsive, and by how much.

    Parameters
    ----------
    found : DataFrame
        As `ResponsivenessAuditor.by_group` gives it.
    n_people : int
        How many people there were.
    grouped : bool
        Whether there is more than one group to tell of.
    least : int, default=1
        The fewest people that are told of.

    Returns
    -------
    str
        A sentence or two, and one for each group.
    """
    said = [f"{found['n_people'].sum():,} of {n_people:,} people were audited."]
    sizes = found["n_people"].to_numpy()
    counts = np.rint(found[list(VERDICTS)].to_numpy() * sizes[:, None]).astype(int)
    hidden = untold(counts, least)
    for i, (group, row) in enumerate(found.iterrows()):
        n = int(sizes[i])
        who = f"Group {group}, {n:,} people: " if grouped else ""
        if n < least:
            said.append(f"{who}they are too few to say more here without pointing at somebody.")
            continue
        yes, no, open_ = (_told(counts[i, j], n, hidden[i, j], least) for j in range(len(VERDICTS)))
        said.append(
            f"{who}{yes} are responsive, {no} are not, and of {open_} it could not be decided; on "
            f"average {cell(row['responsiveness'], 'percent')} of what a person can do leads to "
            "the target."
        )
    return ("\n" if grouped else " ").join(said)


def _told(count: int, n: int, hidden: bool, least: int) -> str:
    number, share = number_text(count, hidden, least), share_text(count, n, hidden, least)
    return f"a number {NOT_TOLD} here" if number == NOT_TOLD else f"{number} ({share})"
