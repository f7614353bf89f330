"""Intervals, tests and verdicts from counts of hits, for people and for groups of them."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd
from scipy.stats import binom

from skcorrupt.stats import adjusted_pvalues, clopper_pearson
from skcorrupt.utils import as_column, as_table
from skcorrupt.utils._readable import listed_labels, on_one_line
from skcorrupt.utils._typing import ColumnLike, Side, TableLike

VERDICTS = ("responsive", "unresponsive", "undecided")
# the column of results that says how many people a row is about
N_PEOPLE = "n_people"
# what small groups are called in one, behind their number
TOGETHER = "groups together"


def how_many(results: pd.DataFrame) -> np.ndarray:
    """How many people each row of results is about.

    Parameters
    ----------
    results : DataFrame
        As `ResponsivenessAuditor.results_`.

    Returns
    -------
    ndarray of int
        One number a row: of a table in memory, 1.
    """
    if N_PEOPLE in results:
        return results[N_PEOPLE].to_numpy()
    return np.ones(len(results), dtype=np.int64)


def claim_pvalues(
    hits: np.ndarray, n: np.ndarray | int, epsilon: float, direction: Side
) -> np.ndarray:
    """P-values of the claim that responsiveness is below the threshold, or above it.

    Parameters
    ----------
    hits : ndarray of int
        Points with the target prediction.
    n : ndarray of int, or int
        Points drawn.
    epsilon : float
        The threshold.
    direction : {"at_most", "at_least"}
        The claim.

    Returns
    -------
    ndarray
        One p-value for each count (proposition 5 of the paper).
    """
    if direction == "at_most":
        return binom.cdf(hits, n, epsilon)
    return binom.sf(hits - 1, n, epsilon)


def decide(
    counts: pd.DataFrame,
    *,
    direction: Side,
    epsilon: float,
    alpha: float,
    multiplicity: Literal["bh", "bonferroni"] | None,
    one_is_enough: bool,
    times: np.ndarray | None = None,
) -> pd.DataFrame:
    """Add estimates, tests and verdicts to counts.

    Those whose points were all seen need no test: their responsiveness is known. All others are
    tested in one direction (proposition 5), with the false discovery rate or the family-wise
    error rate kept over them.

    Parameters
    ----------
    counts : DataFrame
        With `n`, `hits`, `exact` and `sound`; without sound draws there is no interval and no
        test, and a verdict only where a hit settles it. `share, low, high, p` are the estimate,
        its interval and the p-value where points do not count alike, NaN where they do.
    direction : {"at_most", "at_least"}
        The claim: responsiveness is below the threshold, or above it.
    epsilon : float
        The threshold.
    alpha : float
        Level of intervals and tests.
    multiplicity : {"bh", "bonferroni"} or None
        How several tests are allowed for.
    one_is_enough : bool
        Whether a hit settles that a person is responsive.
    times : ndarray of int or None, default=None
        How many people each row stands for; None is one.

    Returns
    -------
    DataFrame
        With `responsiveness, ci_low, ci_high, p_value, p_adjusted, verdict` added.
    """
    out = counts.copy()
    n, hits, exact, sound = (out[name].to_numpy() for name in ("n", "hits", "exact", "sound"))
    with np.errstate(invalid="ignore"):
        # no points were found where the rules leave hardly any
        share = hits / n
    low, high = clopper_pearson(hits, n, alpha)
    weighed = out["share"].notna().to_numpy()
    share, low, high = (
        np.where(weighed, out[name], plain)
        for name, plain in (("share", share), ("low", low), ("high", high))
    )
    out["responsiveness"] = share
    for end, limit in (("ci_low", low), ("ci_high", high)):
        out[end] = np.where(exact, share, np.where(sound, limit, np.nan))
    plain = claim_pvalues(hits, n, epsilon, direction)
    p = np.where(~exact & sound, np.where(weighed, out["p"], plain), np.nan)
    out["p_value"], out["p_adjusted"] = p, _adjusted(p, times, multiplicity)
    verdict = np.full(len(out), "undecided", dtype=object)
    verdict[out["p_adjusted"] <= alpha] = "unresponsive" if direction == "at_most" else "responsive"
    if one_is_enough:
        verdict[exact] = "unresponsive"
        verdict[hits > 0] = "responsive"
    else:
        verdict[exact & (share < epsilon)] = "unresponsive"
        verdict[exact & (share >= epsilon)] = "responsive"
    out["verdict"] = verdict
    return out


def _adjusted(
    p: np.ndarray, times: np.ndarray | None, multiplicity: Literal["bh", "bonferroni"] | None
) -> np.ndarray:
    """P-values that allow for all people, of whom some are told once for several."""
    if times is None:
        return adjusted_pvalues(p, multiplicity)
    adjusted = adjusted_pvalues(np.repeat(p, times), multiplicity)
    return adjusted[np.cumsum(times) - times]


def named_groups(groups: ColumnLike | None, n: int, name: str = "group") -> pd.Series:
    """A label for everybody, those without a group being one of their own.

    Parameters
    ----------
    groups : array-like of shape (n_people,) or None
        The groups; None is a single one.
    n : int
        Number of people.
    name : str, default="group"
        What groups are called.

    Returns
    -------
    Series
        The labels.
    """
    labels = pd.Series(["everybody"] * n if groups is None else np.asarray(groups), dtype=object)
    return labels.where(labels.notna(), "missing").infer_objects().rename(name)


def group_labels(
    by: str | ColumnLike | None, X: TableLike | None, rows: np.ndarray, n_people: int
) -> pd.Series:
    """The group of everybody audited.

    Parameters
    ----------
    by : str, array-like of shape (n_samples,) or None
        A column of X or one group per row of it; None is one group.
    X : table of shape (n_samples, n_features) or None
        Everybody, for a column of theirs.
    rows : ndarray of int, shape (n_audited,)
        Who was audited.
    n_people : int
        How many there are.

    Returns
    -------
    Series
        The labels.
    """
    if by is None:
        return named_groups(None, len(rows))
    if isinstance(by, str):
        table = as_table(X)
        names = [str(label) for label in table.labels]
        if by not in names:
            raise ValueError(
                f"by={by!r} is not a column; the columns are "
                f"{listed_labels(map(on_one_line, names))}."
            )
        return named_groups(table.values(names.index(by))[rows], len(rows), by)
    groups = as_column(by, "by")
    if len(groups) != n_people:
        raise ValueError(
            f"by has {len(groups)} values; it should have one for each of the {n_people} people "
            "that were audited, in their order."
        )
    return named_groups(groups[rows], len(rows))


def merged_groups(labels: pd.Series, least: int, times: np.ndarray) -> pd.Series:
    """Groups so that none is told of that is small, or follows from the others and the whole.

    Parameters
    ----------
    labels : Series
        The group of everybody.
    least : int
        The fewest people of a group that is told of.
    times : ndarray of int
        How many people each label is of.

    Returns
    -------
    Series
        The labels, one for all groups that are put together.
    """
    sizes = pd.Series(times).groupby(labels.to_numpy(), sort=False).sum()
    sizes = sizes.sort_values(kind="stable")
    if len(sizes) < 2 or sizes.iloc[0] >= least:
        return labels
    # the least first: all small ones, and further ones while the rest would tell of a single one
    n_merged = int(max((sizes < least).sum(), 2, (sizes.cumsum() < least).sum() + 1))
    merged = sizes.index[:n_merged]
    return labels.astype(str).where(~labels.isin(merged), f"{len(merged)} {TOGETHER}")


def tallied(results: pd.DataFrame, labels: pd.Series) -> pd.DataFrame:
    """Responsiveness and verdicts of groups.

    Parameters
    ----------
    results : DataFrame
        As `ResponsivenessAuditor.results_`.
    labels : Series
        A group for each row of it.

    Returns
    -------
    DataFrame
        One row per group: `n_people, responsiveness, exact, responsive, unresponsive, undecided`.
    """
    columns = results.reset_index(drop=True)[["responsiveness", "exact"]]
    for verdict in VERDICTS:
        columns[verdict] = (results["verdict"] == verdict).to_numpy()
    times, columns = pd.Series(how_many(results)), columns.astype(float)
    known = columns.notna().mul(times, axis=0).groupby(labels).sum()
    means = columns.mul(times, axis=0).groupby(labels).sum() / known
    means.insert(0, N_PEOPLE, times.groupby(labels).sum())
    return means
