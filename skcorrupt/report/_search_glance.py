"""What a search for the worst error says at first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from skcorrupt.adversarial.display._wording import error_in_words, score_unit
from skcorrupt.metrics._metric_name import CHANGED_SHARE
from skcorrupt.utils._as_text import interval, percent, score

from ._code import HOW
from ._content import Glance
from ._tables import capital

if TYPE_CHECKING:
    from skcorrupt.adversarial import AdversarialCorruptionSearch

_WHERE = {
    "train": "If the training data have this error",
    "test": "If the rows that the model is served have this error",
    "both": "If the training data and the rows that the model is served have this error",
}


def search_glance(search: AdversarialCorruptionSearch, measure: str) -> Glance:
    """What could go wrong, how bad, how sure, and what to do.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        The fitted search.
    measure : str
        What scores are called.

    Returns
    -------
    Glance
        For the page.
    """
    unit = score_unit(search)
    clean, worst, random = search.baseline_score_, search.worst_score_, search.random_score_
    if search.worst_corruption_ is None:
        return Glance(
            "Not known: no error that keeps to the settings could be tried.",
            "Not known.",
            "Not at all.",
            "Widen the settings: a larger budget, more columns, a lower `min_support`.",
            harm=1,
        )
    if not worst < clean:
        return Glance(
            "No error that was tried lowers the score.",
            f"{measure[0].upper()}{measure[1:]} is {score(clean, unit)} on clean data.",
            _sure(search, measure),
            "Try other kinds of error, and larger ones.",
            harm=0,
        )
    error = error_in_words(
        search.worst_corruption_, search.worst_columns_, search._target, search.worst_pattern_
    )
    # a column of that name stands in backticks
    error = re.sub(r"(?<![`\w])y == ", "the label is ", error)
    confirmed = _is_confirmed(search)
    low = search.confirmed_interval_[0] if confirmed else np.nan
    if measure == CHANGED_SHARE:
        bad, by_chance = f"{percent(-worst)} of all predictions change", percent(-random)
    else:
        fall = f"{score(clean, unit)} to {score(worst, unit)}"
        bad = f"{measure[0].upper()}{measure[1:]} falls from {fall}"
        by_chance = f"it is {score(random, unit)}"
    if np.isfinite(random):
        bad += f"; with as many errors in rows drawn at random {by_chance}"
    return Glance(
        f"{_WHERE[search.apply_to]}: {error}.",
        f"{bad}. The error strikes {percent(_of_all_rows(search))} of all rows.",
        _sure(search, measure),
        _advice(search),
        harm=2 if low > 0 else 1,
    )


def _of_all_rows(search: AdversarialCorruptionSearch) -> float:
    found = search.cv_results_
    return float(found["row_fraction"][np.argmin(found["rank_test_score"])])


def _is_confirmed(search: AdversarialCorruptionSearch) -> bool:
    return bool(np.isfinite(getattr(search, "confirmed_score_", np.nan)))


def _sure(search: AdversarialCorruptionSearch, measure: str) -> str:
    """Whether rows that the search did not see say the same."""
    if not _is_confirmed(search):
        return (
            "Not confirmed on rows that the search did not see. The true drop is likely to be "
            "smaller, as this is the lowest of many scores."
        )
    low, high = search.confirmed_interval_
    unit = score_unit(search)
    clean = score(search.confirmed_baseline_score_, unit)
    worst = score(search.confirmed_score_, unit)
    seen = f"On rows that the search did not see it goes from {clean} to {worst}"
    kind, drop = "score", "a drop of "
    if measure == CHANGED_SHARE:
        seen = f"On rows that the search did not see {percent(-search.confirmed_score_)} change"
        kind, drop = "percent", ""
    if low == high == 0:
        return (
            f"On rows that the search did not see no row made a difference, it stays at {worst}: "
            "the harm is not confirmed. A small one may not show in so few rows."
        )
    if not np.isfinite([low, high]).all():
        return f"{seen}. This has no interval, as there was no time for one, or too few rows."
    if low > 0:
        return f"{seen}: with 95 % confidence {drop}{interval(low, high, kind, unit)}."
    if high < 0:
        gain = interval(-high, -low, unit=unit)
        return f"{seen}: no drop but a gain, with 95 % confidence of {gain}."
    ends = interval(low, high, unit=unit)
    return f"{seen}; the 95 % interval of the drop, {ends}, has 0: there may be none."


def _advice(search: AdversarialCorruptionSearch) -> str:
    """What notices the error, or where to look for it."""
    detection = getattr(search, "detection_", None)
    if detection is not None and len(detection):
        best = detection.sort_values("alarm_rate", ascending=False, kind="stable").iloc[0]
        if best["alarm_rate"] >= 0.5:
            return (
                f"Run the check {best['check']} on incoming data: it notices this error in "
                f"{percent(best['alarm_rate'])} of the batches. Then compare what may mend "
                f"the model: {HOW} says how."
            )
        return (
            "No check that was tried notices this error in half of the batches: look at how these "
            f"values come about, and for checks that do notice it. {capital(HOW)} says how."
        )
    if _is_confirmed(search) and not search.confirmed_interval_[0] > 0:
        return (
            "Before anything is done, see whether the harm is real: confirm it on more rows, or "
            f"search longer. {capital(HOW)} says how."
        )
    hit = [f"`{name}`" for name in search.worst_columns_]
    if hit:
        what = f"the values of {', '.join(hit)}"
    elif getattr(search.worst_corruption_, "strikes", "") == "labels":
        what = "the labels"
    else:
        what = "which rows there are"
    return (
        f"Find out whether {what} can really go wrong like that, and guard them there first. Then "
        f"compare what may mend the model: {HOW} says how."
    )
