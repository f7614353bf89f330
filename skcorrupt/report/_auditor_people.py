"""Numbers of people in an audit, as a page tells them: none of few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from skcorrupt.responsiveness.audit._few_people import (
    NOT_TOLD,
    number_text,
    share_text,
    told_shares,
    untold,
)
from skcorrupt.utils._as_text import percent

from ._content import Asked

if TYPE_CHECKING:
    from skcorrupt.responsiveness import ResponsivenessAuditor

# what is said of fewer people could be said of one of them
FEWEST = 5
VERDICTS = ("responsive", "unresponsive", "undecided")


def harmful(auditor: ResponsivenessAuditor) -> str:
    """The verdict that somebody should worry about."""
    return "unresponsive" if auditor.direction_ == "at_most" else "responsive"


def groups_told(auditor: ResponsivenessAuditor, asked: Asked) -> pd.DataFrame | None:
    """Verdicts by group, the worst first."""
    if asked.by is None:
        return None
    found = auditor.by_group(asked.by, min_group_size=FEWEST)
    harm = harmful(auditor)
    # sorting by what is not told would tell of it, so that these groups come last
    told = told_shares(found, list(VERDICTS), FEWEST, harm)
    order = found[harm].where(
        told[harm].str.endswith("%") & ~told[harm].str.startswith("below"), -1
    )
    found[list(VERDICTS)] = told
    rank = pd.DataFrame({"share": order, "n": found["n_people"]})
    rank = rank.sort_values(["share", "n"], ascending=[False, False], kind="stable")
    return found.loc[rank.index].rename_axis("group").reset_index()


def verdict_counts(auditor: ResponsivenessAuditor) -> tuple[np.ndarray, np.ndarray]:
    """People by verdict, and which of these numbers are not told."""
    given = auditor.results_["verdict"]
    counts = np.array([int((given == verdict).sum()) for verdict in VERDICTS])
    return counts, untold(counts[None], FEWEST, VERDICTS.index(harmful(auditor)))[0]


def numbers_told(frame: pd.DataFrame, n: int, hidden: np.ndarray | None = None) -> pd.DataFrame:
    """Numbers of people, and their shares, without those of few."""
    counts = frame["people"].to_numpy()
    hidden = untold(counts[None], FEWEST)[0] if hidden is None else hidden
    if not hidden.any():
        return frame.assign(share=counts / max(n, 1))
    pairs = list(zip(counts.tolist(), hidden.tolist(), strict=True))
    return frame.assign(
        people=[number_text(count, kept, FEWEST) for count, kept in pairs],
        share=[share_text(count, n, kept, FEWEST) for count, kept in pairs],
    )


def sure(auditor: ResponsivenessAuditor) -> str:
    """On what verdicts rest."""
    exact, n = int(auditor.results_["exact"].sum()), len(auditor.results_)
    drawn = (
        f"a sample of {auditor.n_samples_:,} actions was looked at, and a claim tested at a "
        f"level of {percent(auditor.alpha)}"
    )
    if exact == n:
        return "All that people can do was looked at, so that the verdicts are certain."
    if exact and min(exact, n - exact) < FEWEST:
        said = f"For some people all actions were looked at; for the others {drawn}."
    elif exact:
        said = (
            f"For {exact:,} people all actions were looked at; for the other {n - exact:,} {drawn}."
        )
    else:
        said = f"For everybody {drawn}."
    if auditor.task == "preclusion":
        said += " Where a way was found, that is certain."
    return said + _undecided(auditor)


def _undecided(auditor: ResponsivenessAuditor) -> str:
    """How many verdicts are open, and of whom the opposite of the claim may be said."""
    results = auditor.results_
    counts, hidden = verdict_counts(auditor)
    j = VERDICTS.index("undecided")
    number = number_text(counts[j], hidden[j], FEWEST)
    if not counts[j] or number == NOT_TOLD:
        return ""
    said = f" Of {number} people it could not be decided."
    # one side is claimed only; the other is none the less to be seen
    low, claim = auditor.direction_ == "at_most", percent(auditor.epsilon)
    beyond = results["ci_low"] > auditor.epsilon if low else results["ci_high"] < auditor.epsilon
    n_beyond = int((beyond & (results["verdict"] == "undecided")).sum())
    if n_beyond >= FEWEST and counts[j] - n_beyond not in range(1, FEWEST):
        way, other = ("less", "above") if low else ("more", "below")
        said += (
            f" What was tested is whether {way} than {claim} of what a person can do leads there; "
            f"of {n_beyond:,} of these people the {100 * (1 - auditor.alpha):g} % interval lies "
            f"{other} {claim}."
        )
    return said
