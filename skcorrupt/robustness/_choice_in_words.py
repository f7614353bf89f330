"""What a search for robust parameters chose, in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from skcorrupt.adversarial._kinds import templates_of
from skcorrupt.base import BaseCorruption
from skcorrupt.corruptions._kind_in_words import errors_in_words
from skcorrupt.utils import shorten
from skcorrupt.utils._as_text import interval, largest, score

from ._halving import FAILED, FULLY
from ._left_out import left_out_in_words


class Choice(Protocol):
    """What of a fitted search is told."""

    corruption: BaseCorruption | str | Sequence[BaseCorruption | str]
    budget: float
    best_index_: int
    best_params_: dict[str, Any]
    best_score_: float
    best_clean_score_: float
    baseline_index_: int
    baseline_clean_score_: float
    baseline_worst_score_: float
    baseline_confirmed_worst_: float
    confirmed_gain_: float
    confirmed_gain_interval_: tuple[float, float]
    cv_results_: dict[str, np.ndarray]
    metric_name_: str


def choice_in_words(search: Choice, named: Callable[[Mapping[str, Any]], str] | None = None) -> str:
    """What was chosen, what it costs and what it gains.

    Parameters
    ----------
    search : RobustSearchCV
        Fitted.
    named : callable or None, default=None
        Says the parameters chosen; None as code has them, and those that were given too.

    Returns
    -------
    str
        A sentence.
    """
    same = search.best_index_ == search.baseline_index_
    said = (named or params_in_words)(search.best_params_)
    n = len(search.cv_results_["params"])
    errors = templates_of(search.corruption)
    kinds = " or ".join(dict.fromkeys(errors_in_words(*each) for each in errors.items()))
    metric = search.metric_name_
    of = f"of {n} candidate{'s' * (n > 1)}"
    if getattr(search, "interrupted_", False):
        cut = int(np.sum(search.cv_results_.get("interrupted", 1)))
        searched = int(fully_searched(search).sum())
        of += (
            f", {searched or 'none'} of them searched to the end before the search was ended early"
            if cut
            else ", with a confirmation that was ended early"
        )
    unit = choice_unit(search)
    worst = f"under the worst of {kinds} in up to {100 * search.budget:g} % of rows"
    if same:
        given = "settings" if named else f"parameters ({said})"
        text = (
            f"The given {given}, {of}: {metric} {score(search.best_clean_score_, unit)} on clean "
            f"data, {score(search.best_score_, unit)} {worst}"
        )
    else:
        text = (
            f"{said}, {of}: {metric} {score(search.baseline_clean_score_, unit)} → "
            f"{score(search.best_clean_score_, unit)} on clean data; {worst} "
            f"{_before(search)} → {score(search.best_score_, unit)}"
        )
    return f"{text}{_confirmed(search, same=same)}.{_failures(search, same=same)}"


def fully_searched(search: Choice) -> np.ndarray:
    """Which candidates a full search came to the end of.

    Parameters
    ----------
    search : RobustSearchCV
        Fitted, or read from a file, which may be older than `interrupted` of each.

    Returns
    -------
    ndarray of bool
        For every candidate.
    """
    rung = np.asarray(search.cv_results_["rung"])
    return (rung == FULLY) & ~np.asarray(
        search.cv_results_.get("interrupted", rung < 0), dtype=bool
    )


def choice_unit(search: Choice) -> float:
    """The unit of the scores of a choice, as texts have it."""
    return largest(
        search.baseline_clean_score_,
        search.baseline_worst_score_,
        search.best_clean_score_,
        search.best_score_,
        getattr(search, "baseline_confirmed_worst_", np.nan),
        getattr(search, "confirmed_worst_", np.nan),
    )


def params_in_words(params: Mapping[str, Any]) -> str:
    """Parameters as a call has them, such as "C=0.01"."""
    plain = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in params.items()
    }
    return ", ".join(f"{name}={shorten(value, 60)}" for name, value in plain.items())


def _fails(search: Choice) -> str:
    """Why the given parameters failed, or ""."""
    status = str(search.cv_results_["status"][search.baseline_index_])
    return status.removeprefix(f"{FAILED}: ") if status.startswith(FAILED) else ""


def _before(search: Choice) -> str:
    value = search.baseline_worst_score_
    return (
        "a failure"
        if _fails(search) or not np.isfinite(value)
        else score(value, choice_unit(search))
    )


def _failures(search: Choice, *, same: bool) -> str:
    """Errors on which the pipeline raises that was chosen, those on which all raise among them."""
    said = ""
    if same and _fails(search):
        said += (
            f" They fail under errors that other candidates take ({_fails(search).rstrip('.')}), "
            "as each of these does under others."
        )
    left_out = getattr(search, "left_out_", None)
    if left_out is not None and len(left_out):
        said += f" Left out, as all candidates raise on them: {left_out_in_words(left_out)}."
    return said


def _confirmed(search: Choice, *, same: bool) -> str:
    """What is left of it on rows that took no part."""
    worst = getattr(search, "confirmed_worst_", np.nan)
    if not np.isfinite(worst):
        return ""
    unit = choice_unit(search)
    if same or not np.isfinite(search.confirmed_gain_):
        return f"; on rows not searched {score(worst, unit)}"
    low, high = search.confirmed_gain_interval_
    if low == high == search.confirmed_gain_ == 0:
        return f"; on rows not searched {score(worst, unit)} with either"
    told = "gain" if search.confirmed_gain_ >= 0 else "loss"
    ends = (low, high) if told == "gain" else (-high, -low)
    chance = ", which may be chance" if low <= 0 <= high else ""
    return (
        f"; on rows not searched {score(search.baseline_confirmed_worst_, unit)} → "
        f"{score(worst, unit)}, a {told} of {score(abs(search.confirmed_gain_), unit)} "
        f"({interval(*ends, unit=unit)}){chance}"
    )
