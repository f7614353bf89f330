"""What an audit found, in words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from skcorrupt.utils._as_text import cell

from ._few_people import NOT_TOLD, number_text, share_text, untold
from ._verdicts import TOGETHER, VERDICTS

REMEDY = "; min_group_size=1 shows them"


def audit_in_words(
    found: pd.DataFrame,
    n_people: int,
    *,
    grouped: bool,
    least: int = 1,
    keep: str | None = None,
    cut_short: bool = False,
) -> str:
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
    keep : str or None, default=None
        The verdict that readers want most. Tables have to keep the same one, as what one of two
        leaves out would follow from the other.
    cut_short : bool, default=False
        Whether the audit was ended early.

    Returns
    -------
    str
        A sentence or two, and one for each group.
    """
    said = [f"{found['n_people'].sum():,} of {n_people:,} people were audited."]
    said += ["The audit was ended early."] if cut_short else []
    sizes = found["n_people"].to_numpy()
    counts = np.rint(found[list(VERDICTS)].to_numpy() * sizes[:, None]).astype(int)
    hidden = untold(counts, least, None if keep is None else list(VERDICTS).index(keep))
    for i, (group, row) in enumerate(found.iterrows()):
        n = int(sizes[i])
        # "group 7 groups together" would read as if one were called so
        called = group if str(group).endswith(TOGETHER) else f"Group {group}"
        who = f"{called}, {n:,} people: " if grouped else ""
        if n < least:
            said.append(f"{who}they are too few to say more here without pointing at somebody.")
            continue
        verdicts = _verdicts(counts[i], hidden[i], n, least)
        mean = cell(row["responsiveness"], "percent")
        # a mean tells about how many are responsive
        average = f"; on average {mean} of what a person can do leads to the target"
        said.append(
            f"{who}{verdicts if who else verdicts[0].upper() + verdicts[1:]}"
            f"{'' if hidden[i].any() else average}."
        )
    if hidden.any() or (sizes < least).any():
        said.append(f"Numbers that would tell of fewer than {least} people are left out{REMEDY}.")
    return ("\n" if grouped else " ").join(said)


def _verdicts(counts: np.ndarray, hidden: np.ndarray, n: int, least: int) -> str:
    """How many people have which verdict, those first of whom that is told."""
    told, kept = [], []
    for verdict, count, is_hidden in zip(VERDICTS, counts, hidden, strict=True):
        number = number_text(count, is_hidden, least)
        if number == NOT_TOLD:
            kept.append(verdict)
            continue
        if number == "0" and verdict == "undecided":
            continue
        those = f"{number} ({share_text(count, n, is_hidden, least)})"
        if verdict == "undecided":
            told.append(f"of {those} it could not be decided")
            continue
        what = "not" if verdict == "unresponsive" and told else verdict
        told.append(f"{those} {'is' if number == '1' else 'are'} {what}")
    if kept:
        told.append(f"how many are {' or '.join(kept)} is left out, as others would follow from it")
    return f"{', '.join(told[:-1])}, and {told[-1]}" if len(told) > 1 else told[0]
