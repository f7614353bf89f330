"""Tables of a comparison: what each pipeline loses, what errors do to others, who is ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.metrics._metric_bounds import metric_bounds
from skcorrupt.stats import adjusted_pvalues, corrected_interval
from skcorrupt.stats._resampled_test import resampled_test

from ._contest import FAILED, LEFT, NOTHING, OK, Contestant, error_of
from ._verdict import Verdict

SEARCHED = ("clean", "random", "worst")
CONFIRMED = ("confirmed_clean", "confirmed", "confirmed_drop")
RESULTS = [
    *["estimator", "corruption", "budget", "status", "rank"],
    *[f"{name}{end}" for name in SEARCHED for end in ("", "_low", "_high")],
    *["drop", "worst_from"],
    *[f"{name}{end}" for name in CONFIRMED for end in ("", "_low", "_high")],
    *["columns", "pattern", "rate", "error", "n_failed", "message"],
]
TRANSFER = ["found_for", "scored_on", "corruption", "budget", "score", "drop", "status", "message"]
RANKS = [
    *["corruption", "budget", "estimator", "rank", "score", "other", "other_rank", "other_score"],
    *["difference", "difference_low", "difference_high", "p_value", "p_adjusted", "significant"],
]
Verdicts = Mapping[tuple[str, str, float], Verdict]


def results_of(
    contestants: Sequence[Contestant],
    verdicts: Verdicts,
    budgets: Sequence[float],
    *,
    n_units: int,
    alpha: float,
    metric: str,
) -> pd.DataFrame:
    """What every pipeline loses under every kind of error within every budget.

    Parameters
    ----------
    contestants : sequence of Contestant
        With what was found for them.
    verdicts : mapping of (str, str, float) to Verdict
        Their worst errors, confirmed.
    budgets : sequence of float
        The budgets.
    n_units : int
        Rows set aside, or groups of them, that were resampled.
    alpha : float
        One minus the nominal coverage of intervals.
    metric : str
        What the score is called.

    Returns
    -------
    DataFrame
        A row each; ranks are left empty.
    """
    rows = [
        _result(
            each,
            budget,
            verdicts.get((each.estimator, each.corruption, budget)),
            n_units=n_units,
            alpha=alpha,
        )
        for each in contestants
        for budget in budgets
    ]
    frame = pd.DataFrame(rows).reindex(columns=RESULTS)
    means = frame[[*SEARCHED]].to_numpy(dtype=float)
    least, most = metric_bounds(metric)
    # no score lies beyond the ends of its scale, unless it is another one of the same name
    if not ((means < least) | (means > most)).any():
        ends = [f"{name}{end}" for name in SEARCHED for end in ("_low", "_high")]
        frame[ends] = frame[ends].astype(float).clip(least, most)
    texts = ["rank", "worst_from", "pattern", "message"]
    frame[texts] = frame[texts].astype(object).where(frame[texts].notna(), "")
    return frame


def _result(
    each: Contestant, budget: float, verdict: Verdict | None, *, n_units: int, alpha: float
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "estimator": each.estimator,
        "corruption": each.corruption,
        "budget": budget,
        "status": each.status,
        "message": "interrupted before it was searched" if each.status == LEFT else each.failure,
        "columns": (),
        "error": None,
        "n_failed": 0,
    }
    if each.problem is None:
        return row
    clean = [outcome.score for outcome in each.problem.clean]
    row |= _estimate("clean", clean, each, alpha)
    failed = _failed_on(each, budget)
    notes = [*each.notes, *failed]
    own = each.problem.evaluator.done.values()
    row["n_failed"] = len(failed) + sum(bool(e.error) and not e.infeasible for e in own)
    if verdict is not None:
        row |= _confirmed(verdict, n_units, alpha)
        notes += [verdict.message] if verdict.message else []
    if budget not in each.worst:
        row |= _estimate("random", clean, each, alpha) | _estimate("worst", clean, each, alpha)
        row |= {"status": NOTHING, "drop": 0.0, "message": _sentences(notes)}
        return row
    found_for, worst = each.worst[budget]
    with np.errstate(invalid="ignore"):
        random = each.random.get(budget, np.full((1, len(clean)), np.nan))
        known = np.isfinite(random)
        means = np.where(known, random, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        means = np.where(known.any(axis=0), means, np.nan)
    row |= _estimate("random", means, each, alpha)
    # as the search has it, to the last digit
    row |= _estimate("worst", worst.scores, each, alpha) | {"worst": worst.score}
    row |= {
        "drop": row["clean"] - row["worst"],
        "worst_from": found_for,
        "columns": tuple(worst.candidate.columns),
        "pattern": str(worst.candidate.pattern),
        "rate": worst.candidate.rate,
        "error": error_of(each, worst),
    }
    return row | {"message": _sentences(notes)}


def _sentences(notes: list[str]) -> str:
    """Notes one after the other, each once, as sentences where there are several."""
    first, *others = dict.fromkeys(notes) or [""]
    said = [first, *(note[:1].upper() + note[1:] for note in others)]
    ended = [note if note.endswith((".", "!", "?", "…")) else f"{note}." for note in said[:-1]]
    return " ".join([*ended, said[-1]])


def _estimate(name: str, scores: Any, each: Contestant, alpha: float) -> dict[str, float]:
    """The mean of one score for each split, with its interval."""
    values = np.asarray(scores, dtype=float)
    found = corrected_interval(values, test_ratio(each), alpha=alpha)
    return {
        name: float(np.mean(values)),
        f"{name}_low": float(found.ci_low),
        f"{name}_high": float(found.ci_high),
    }


def test_ratio(each: Contestant) -> float:
    """Rows of a test part over rows of the training part; 0 for a model that was fitted before."""
    splits = each.problem.splits  # type: ignore[union-attr]
    if len(splits) < 2:
        return 0.0
    return float(np.mean([len(split.test) / len(split.train) for split in splits]))


def _confirmed(verdict: Verdict, n_units: int, alpha: float) -> dict[str, float]:
    row = {
        "confirmed_clean": verdict.clean,
        "confirmed": verdict.score,
        "confirmed_drop": verdict.clean - verdict.score,
    }
    for name, part in zip(CONFIRMED, ("clean", "score", "drop"), strict=True):
        row[f"{name}_low"], row[f"{name}_high"] = verdict.bounds(part, n_units, alpha)
    return row


def _failed_on(each: Contestant, budget: float) -> list[str]:
    """Errors of others on which a pipeline fails."""
    return [
        f"fails on the error found for {name}: {tried.error}"
        for (name, within), tried in each.tried.items()
        if within == budget and name != each.estimator and tried.error and not tried.infeasible
    ]


def transfer_of(contestants: Sequence[Contestant], budgets: Sequence[float]) -> pd.DataFrame:
    """What the worst error for one pipeline does to every other one.

    Parameters
    ----------
    contestants : sequence of Contestant
        With what was found for them.
    budgets : sequence of float
        The budgets.

    Returns
    -------
    DataFrame
        A row for each pair, kind of error and budget; pipelines that could not be searched have
        none of their own.
    """
    rows = []
    for budget in budgets:
        for each in contestants:
            rivals = [c for c in contestants if c.corruption == each.corruption]
            for rival in rivals:
                if rival.own.get(budget) is None:
                    continue
                score, drop, said = np.nan, np.nan, each.failure
                status = FAILED if each.status == FAILED else LEFT
                tried = each.tried.get((rival.estimator, budget))
                if tried is not None:
                    score, said = tried.score, tried.error
                    drop = each.problem.baseline - score  # type: ignore[union-attr]
                    status = OK if np.isfinite(score) else FAILED
                names = rival.estimator, each.estimator, each.corruption
                rows.append((*names, budget, score, drop, status, said))
    frame = pd.DataFrame(rows, columns=TRANSFER)
    order = {name: i for i, name in enumerate(dict.fromkeys(c.estimator for c in contestants))}
    kinds = {name: i for i, name in enumerate(dict.fromkeys(c.corruption for c in contestants))}
    keys = {"corruption": kinds, "found_for": order, "scored_on": order}
    return frame.sort_values(
        ["corruption", "budget", "found_for", "scored_on"],
        key=lambda column: column.map(keys[column.name]) if column.name in keys else column,
        ignore_index=True,
    )


def ranks_of(
    contestants: Sequence[Contestant],
    verdicts: Verdicts,
    results: pd.DataFrame,
    *,
    n_units: int,
    alpha: float,
) -> tuple[pd.DataFrame, list[str]]:
    """Differences of pairs, tested, and ranks as far as pipelines are told apart.

    Parameters
    ----------
    contestants : sequence of Contestant
        With what was found for them.
    verdicts : mapping of (str, str, float) to Verdict
        Their worst errors, confirmed.
    results : DataFrame
        As `results_of` makes it.
    n_units : int
        Rows set aside, or groups of them, that were resampled.
    alpha : float
        Level of the tests.

    Returns
    -------
    ranks : DataFrame
        A row for each pair within a kind of error and budget, the better one first.
    places : list of str
        A rank for each row of `results`, such as "1–2"; "" for those without a score.
    """
    by_name = {(each.estimator, each.corruption): each for each in contestants}
    pairs = []
    ranked = deciding_scores(results)
    for _, here in results.groupby(["corruption", "budget"], sort=False):
        kind, budget = str(here["corruption"].iloc[0]), float(here["budget"].iloc[0])
        scores = dict(zip(here["estimator"], ranked[here.index], strict=True))
        scores = {name: score for name, score in scores.items() if np.isfinite(score)}
        ahead = sorted(scores, key=lambda name: -scores[name])
        for one, other in combinations(ahead, 2):
            difference = scores[one] - scores[other]
            found = _tested(
                by_name[one, kind],
                by_name[other, kind],
                verdicts,
                budget,
                difference=difference,
                n_units=n_units,
                alpha=alpha,
            )
            pairs.append(
                {
                    "corruption": kind,
                    "budget": budget,
                    "estimator": one,
                    "score": scores[one],
                    "other": other,
                    "other_score": scores[other],
                    "difference": difference,
                    **dict(zip(RANKS[9:12], found, strict=True)),
                }
            )
    frame = pd.DataFrame(pairs, columns=RANKS)
    numbers = ["score", "other_score", *RANKS[8:13]]
    frame[numbers] = frame[numbers].astype(float)
    # one family, whatever its tests have to do with each other
    frame["p_adjusted"] = adjusted_pvalues(frame["p_value"].to_numpy(), "by")
    frame["significant"] = (frame["p_adjusted"] <= alpha).astype(bool)
    places = [_place(row, results[ranked.notna()], frame) for _, row in results.iterrows()]
    keys = zip(results["estimator"], results["corruption"], results["budget"], strict=True)
    known = dict(zip(keys, places, strict=True))
    for column, name in (("rank", "estimator"), ("other_rank", "other")):
        named = zip(frame[name], frame["corruption"], frame["budget"], strict=True)
        frame[column] = [known[key] for key in named]
    return frame, places


def deciding_scores(results: pd.DataFrame) -> pd.Series:
    """The scores that pipelines are ranked by, of one kind within a kind of error and budget.

    Parameters
    ----------
    results : DataFrame
        As `results_of` makes it.

    Returns
    -------
    Series
        The confirmed ones, where any pipeline has one, which is NaN for those without; else those
        on the splits of the search.
    """
    of_all = results.groupby(["corruption", "budget"])["confirmed"].transform("count")
    return results["confirmed"].where(of_all > 0, results["worst"])


def _tested(
    one: Contestant,
    other: Contestant,
    verdicts: Verdicts,
    budget: float,
    *,
    difference: float,
    n_units: int,
    alpha: float,
) -> tuple[float, float, float]:
    """Interval and p-value of a difference, paired over the same resamples, or the same splits."""
    found = [verdicts.get((each.estimator, each.corruption, budget)) for each in (one, other)]
    if any(verdict is not None for verdict in found):
        draws = [verdict.draws for verdict in found if verdict is not None and len(verdict.draws)]
        if len(draws) < 2:
            return np.nan, np.nan, np.nan
        return resampled_test(difference, draws[0] - draws[1], n_units, alpha=alpha)
    scores = [
        each.worst[budget][1].scores
        if budget in each.worst
        else np.array([outcome.score for outcome in each.problem.clean])  # type: ignore[union-attr]
        for each in (one, other)
    ]
    estimate = corrected_interval(scores[0] - scores[1], test_ratio(one), alpha=alpha)
    return float(estimate.ci_low), float(estimate.ci_high), float(estimate.p_value)


def _place(row: pd.Series, ranked: pd.DataFrame, pairs: pd.DataFrame) -> str:
    """The ranks that a pipeline may have, given which differences are real."""
    if row.name not in ranked.index:
        return ""
    here = (pairs["corruption"] == row["corruption"]) & (pairs["budget"] == row["budget"])
    real = pairs[here & pairs["significant"]]
    same = (ranked["corruption"] == row["corruption"]) & (ranked["budget"] == row["budget"])
    n = int(same.sum())
    first = 1 + int((real["other"] == row["estimator"]).sum())
    last = n - int((real["estimator"] == row["estimator"]).sum())
    return str(first) if first == last else f"{first}–{last}"
