"""Numbers of people in an audit, as a page tells them: none of few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from skcorrupt.responsiveness.audit._few_people import (
    NOT_TOLD,
    harmful,
    number_text,
    share_text,
    told_shares,
    untold,
)
from skcorrupt.responsiveness.audit._verdicts import TOGETHER, how_many
from skcorrupt.utils._as_text import share

from ._content import Asked

if TYPE_CHECKING:
    from skcorrupt.responsiveness import ResponsivenessAuditor

# what is said of fewer people could be said of one of them
FEWEST = 5
N_TENTHS = 10
VERDICTS = ("responsive", "unresponsive", "undecided")


def n_audited(auditor: ResponsivenessAuditor) -> int:
    """How many people were audited."""
    return int(how_many(auditor.results_).sum())


def groups_told(auditor: ResponsivenessAuditor, asked: Asked) -> pd.DataFrame | None:
    """Verdicts by group, the worst first."""
    if asked.by is None:
        return None
    found = auditor.by_group(asked.by, min_group_size=FEWEST)
    harm = harmful(auditor.direction_)
    # sorting by what is not told would tell of it, so that these groups come last
    told = told_shares(found, list(VERDICTS), FEWEST, harm)
    order = found[harm].where(
        told[harm].str.endswith("%") & ~told[harm].str.startswith("below"), -1
    )
    found[told.columns] = told
    rank = pd.DataFrame({"share": order, "n": found["n_people"]})
    # by place, as groups that are True and False would be taken for a mask
    rank = rank.reset_index(drop=True)
    rank = rank.sort_values(["share", "n"], ascending=[False, False], kind="stable")
    found = found.iloc[rank.index].rename_axis("group").reset_index()
    name = asked.by if isinstance(asked.by, str) else getattr(asked.by, "name", None)
    if name is not None:
        # a value by itself does not say of what
        found["group"] = [
            str(group) if str(group).endswith(TOGETHER) else f"{name} = {group}"
            for group in found["group"]
        ]
    return found


def verdict_counts(auditor: ResponsivenessAuditor) -> tuple[np.ndarray, np.ndarray]:
    """People by verdict, and which of these numbers are not told."""
    given, times = auditor.results_["verdict"].to_numpy(), how_many(auditor.results_)
    counts = np.array([int(times[given == verdict].sum()) for verdict in VERDICTS])
    return counts, untold(counts[None], FEWEST, VERDICTS.index(harmful(auditor.direction_)))[0]


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


def _counts(known: pd.Series, times: np.ndarray) -> list[int]:
    """Numbers of people by tenths of the responsiveness."""
    by_tenth = pd.Series(times).groupby(_by_tenth(known).to_numpy()).sum()
    counts: list[int] = by_tenth.reindex(range(N_TENTHS + 2), fill_value=0).tolist()
    return counts


def _bins(counts: list[int]) -> list[tuple[int, int]]:
    """Tenths of the responsiveness, first and last, together where one has few people."""
    bins: list[tuple[int, int]] = []
    first, held = 0, 0
    for k, count in enumerate(counts):
        held += count
        # nobody is nobody to be recognised, but a bin that is begun needs enough
        if held == 0 or held >= FEWEST:
            bins.append((first, k))
            first, held = k + 1, 0
    if held:
        # what is left at the end goes to the last bin that has people
        while bins and not sum(counts[slice(bins[-1][0], bins[-1][1] + 1)]):
            first = bins.pop()[0]
        first = bins.pop()[0] if bins else first
        bins.append((first, N_TENTHS + 1))
    return bins


def _by_tenth(known: pd.Series) -> pd.Series:
    """0 for nothing, 1 to 10 for tenths, 11 for everything: the ends are of interest of their own.

    A value between two tenths belongs to the upper one.
    """
    tenths = np.minimum(np.floor(known * N_TENTHS + 1e-9) + 1, N_TENTHS)
    return tenths.mask(known <= 0, 0).mask(known >= 1, N_TENTHS + 1).astype(int)


def people_by_bin(known: pd.Series, times: np.ndarray) -> pd.DataFrame:
    """Numbers of people by their responsiveness, in bins of enough people or none.

    Parameters
    ----------
    known : Series
        Responsiveness, without those of whom it is not known.
    times : ndarray of int
        How many people each of it is of.

    Returns
    -------
    DataFrame
        `responsiveness`, in words, and `people`.
    """
    counts = _counts(known, times)
    rows = [
        (_bin_in_words(first, last), sum(counts[first : last + 1])) for first, last in _bins(counts)
    ]
    return pd.DataFrame(rows, columns=["responsiveness", "people"])


def _bin_in_words(first: int, last: int) -> str:
    if first == last and first in (0, N_TENTHS + 1):
        return "100 %" if first else "0 %"
    low, high = 10 * max(first - 1, 0), 10 * min(last, N_TENTHS)
    above, below = "above " * (first == 1), "below " * (last == N_TENTHS)
    return f"{above}{low} % to {below}{high} %"


def at_upper_ends(responsiveness: pd.Series, times: np.ndarray) -> pd.Series:
    """Everybody's responsiveness as the upper end of the bin; what is not known stays so.

    Parameters
    ----------
    responsiveness : Series
        Of everybody.
    times : ndarray of int
        How many people each of it is of.

    Returns
    -------
    Series
        The upper ends.
    """
    there = responsiveness.notna().to_numpy()
    known = responsiveness[there]
    tenths, ends = _by_tenth(known), np.full(len(responsiveness), np.nan)
    for first, last in _bins(_counts(known, times[there])):
        within = np.flatnonzero(there)[tenths.between(first, last).to_numpy()]
        ends[within] = min(last, N_TENTHS) / N_TENTHS
    return pd.Series(ends, responsiveness.index)


def sure(auditor: ResponsivenessAuditor) -> str:
    """On what verdicts rest."""
    exact, n = int(auditor.results_["exact"] @ how_many(auditor.results_)), n_audited(auditor)
    drawn = (
        f"a sample of {auditor.n_samples_:,} actions was looked at, and a claim tested at a "
        f"level of {share(auditor.alpha)}"
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
    low, claim = auditor.direction_ == "at_most", share(auditor.epsilon)
    beyond = results["ci_low"] > auditor.epsilon if low else results["ci_high"] < auditor.epsilon
    n_beyond = int((beyond & (results["verdict"] == "undecided")) @ how_many(results))
    if n_beyond >= FEWEST and counts[j] - n_beyond not in range(1, FEWEST):
        way, other = ("less", "above") if low else ("more", "below")
        said += (
            f" What was tested is whether {way} than {claim} of what a person can do leads there; "
            f"of {n_beyond:,} of these people the {100 * (1 - auditor.alpha):g} % interval lies "
            f"{other} {claim}."
        )
    return said
