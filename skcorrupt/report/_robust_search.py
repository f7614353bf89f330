"""What a search for robust parameters has to say."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from skcorrupt.adversarial._kinds import templates_of
from skcorrupt.base import BaseCorruption
from skcorrupt.robustness._candidates import in_order
from skcorrupt.robustness._choice_in_words import (
    choice_in_words,
    choice_unit,
    fully_searched,
    params_in_words,
)
from skcorrupt.robustness._choice_picture import plot_choice
from skcorrupt.robustness._halving import FULLY
from skcorrupt.robustness._left_out import left_out_in_words
from skcorrupt.robustness._settings_in_words import settings_in_words
from skcorrupt.utils._as_text import counted, interval, score, share

from ._code import HOW, MENDS, NOTICES
from ._content import Asked, Content, Data, Glance, Picture, Repeat
from ._html import Html, paragraph, tag
from ._settings import shown
from ._tables import Column, called, capital, table

if TYPE_CHECKING:
    from skcorrupt.robustness import RobustSearchCV

_RUNGS = {
    0: "scored on clean data",
    1: "struck with known errors",
    2: "searched shortly",
    FULLY: "searched fully",
}
CUT_SHORT = "search ended early"
_CANDIDATES = [
    Column("rank_worst_score", "Rank", meaning="1 stands errors best."),
    Column("settings", "Settings", meaning="What was tried in place of the given settings."),
    Column("mean_clean_score", "Clean", "score", "{Score} without errors, mean over the splits."),
    Column("std_clean_score", "Spread", "score", "Standard deviation over the splits."),
    Column(
        "worst_score", "Worst", "score", "{Score} under the worst error that was found against it."
    ),
    Column("looked", "Looked at", meaning="How closely: who falls behind is not searched further."),
    Column("status", "Outcome"),
]
_WHERE = {
    "train": "the training data",
    "test": "the rows that the model is served",
    "both": "the training data and the rows that the model is served",
}


def robust_search_content(search: RobustSearchCV, asked: Asked) -> Content:
    """Collect what is known of a fitted search for robust parameters.

    Parameters
    ----------
    search : RobustSearchCV
        The fitted search.
    asked : Asked
        What labels mean.

    Returns
    -------
    Content
        For the page.
    """
    n = len(search.cv_results_["params"])
    errors = templates_of(search.corruption).values()
    kinds = " or ".join(dict.fromkeys(map(_title, errors)))
    metric = capital(search.metric_name_)
    return Content(
        heading="Which settings stand errors best",
        glance=_glance(search, kinds),
        question=(
            f"If up to {share(search.budget)} of {_WHERE[search.apply_to]} go wrong ({kinds}) in "
            f"the way that hurts most, which of {counted(n, 'candidate')} stands it best, among "
            f"those that lose at most {score(search.max_clean_loss, choice_unit(search))} of "
            f"{search.metric_name_} on "
            "clean data?"
        ),
        answer=[capital(choice_in_words(search, settings_in_words)), *asked.legend()],
        results=_results(search),
        pictures=[
            Picture(
                f"{metric} of each candidate under the worst error found against it, by that on "
                "clean data.",
                "Points for candidates; the first table has the numbers.",
                partial(plot_choice, search),
                (7.0, 4.0),
            )
        ],
        limits=_limits(search, kinds),
        data=Data(**search._data_facts),
        seed=search.seed_,
        repeat=Repeat("search", after=["print(search.summary())", MENDS, NOTICES]),
    )


def _title(error: BaseCorruption) -> str:
    """What an error is called, a process of one by its member."""
    members: Sequence[Any] = getattr(error, "corruptions", ())
    return str(members[0][1].title) if len(members) == 1 else error.title


def _glance(search: RobustSearchCV, kinds: str) -> Glance:
    metric = capital(search.metric_name_)
    clean, before = search.baseline_clean_score_, search.baseline_worst_score_
    fails = not np.isfinite(before)
    if fails:
        wrong = f"With the given settings the model cannot take the error at all ({kinds})."
    elif before < clean:
        wrong = (
            f"With the given settings, {kinds} in up to {share(search.budget)} of "
            f"{_WHERE[search.apply_to]} can take the {search.metric_name_} down."
        )
    else:
        wrong = f"No error that was tried lowers the {search.metric_name_} of the given settings."
    unit = choice_unit(search)
    start = "a failure" if fails else score(before, unit)
    bad = f"{metric} is {score(clean, unit)} on clean data and {start} under the worst error found."
    same = search.best_index_ == search.baseline_index_
    if not same:
        bad += (
            f" With the settings chosen it is {score(search.best_clean_score_, unit)} and "
            f"{score(search.best_score_, unit)}."
        )
    return Glance(wrong, bad, _sure(search, same=same), _advice(search, same), _harm(search, fails))


def _harm(search: RobustSearchCV, fails: bool) -> int:
    """Whether errors do harm, and whether rows of their own say so too."""
    if not fails and not search.baseline_worst_score_ < search.baseline_clean_score_:
        return 0
    return 2 if fails or np.isfinite(getattr(search, "confirmed_worst_", np.nan)) else 1


def _sure(search: RobustSearchCV, *, same: bool) -> str:
    """What rows that took no part say."""
    worst = getattr(search, "confirmed_worst_", np.nan)
    if not np.isfinite(worst):
        return (
            "Not confirmed on rows that the search did not see: the choice is the best of many, "
            "and is likely to gain less than that."
        )
    unit = choice_unit(search)
    seen = (
        f"On rows that the search did not see the worst {search.metric_name_} is "
        f"{score(worst, unit)}"
    )
    if same or not np.isfinite(search.confirmed_gain_):
        return f"{seen}."
    low, high = search.confirmed_gain_interval_
    if low == high == search.confirmed_gain_ == 0:
        return f"{seen}, with the chosen and with the given settings."
    does = "gain" if search.confirmed_gain_ >= 0 else "loss"
    ends = (low, high) if does == "gain" else (-high, -low)
    told = (
        f"{seen}, and {score(search.baseline_confirmed_worst_, unit)} with the given settings: a "
        f"{does} of {score(abs(search.confirmed_gain_), unit)} (95 % interval "
        f"{interval(*ends, unit=unit)})"
    )
    return f"{told}, which may be chance." if low <= 0 <= high else f"{told}."


def _advice(search: RobustSearchCV, same: bool) -> str:
    if same:
        return (
            "Keep the given settings. Let other steps be tried that may help, and set up checks "
            f"that would notice the error: {HOW} says how."
        )
    chosen = settings_in_words(search.best_params_)
    low = getattr(search, "confirmed_gain_interval_", (np.nan, np.nan))[0]
    gain = getattr(search, "confirmed_gain_", np.nan)
    if low > 0:
        return f"Take these settings: {chosen}."
    if gain <= 0:
        does = "no better" if gain == 0 else "worse"
        return (
            f"Keep the given settings: those that were best on the rows searched ({chosen}) are "
            f"{does} on rows that were not. Confirm them on more rows before taking them."
        )
    return (
        f"Take these settings: {chosen}. Do so only if they cost nothing else, or confirm the gain "
        "on more rows first."
    )


def _results(search: RobustSearchCV) -> list[tuple[str, list[Html]]]:
    frame = pd.DataFrame({name: list(values) for name, values in search.cv_results_.items()})
    frame = in_order(frame, search.best_index_)
    whole = fully_searched(search)[frame.index]
    frame["looked"] = frame["rung"].map(_RUNGS).mask((frame["rung"] == FULLY) & ~whole, CUT_SHORT)
    frame["settings"] = [_settings(search, i) for i in frame.index]
    parts = [
        (
            "What was tried",
            [
                table(
                    frame,
                    called(_CANDIDATES, search.metric_name_),
                    "Candidates, those that stand errors best first.",
                ),
                paragraph(f"The answer, with settings as in code: {search.summary()}"),
            ],
        )
    ]
    worst = {
        "the settings chosen": search.worst_corruption_,
        "the given settings": search.baseline_worst_corruption_,
    }
    told: list[Html] = []
    for whose, error in worst.items():
        if error is not None:
            said = paragraph(f"The worst error found against {whose}:")
            told += [said, tag("pre", tag("code", shown(error)))]
    return [*parts, ("The worst errors", told)] if told else parts


def _settings(search: RobustSearchCV, index: int) -> str:
    marks = {search.baseline_index_: " (given)", search.best_index_: " (chosen)"}
    return f"`{params_in_words(search.cv_results_['params'][index])}`{marks.get(index, '')}"


def _limits(search: RobustSearchCV, kinds: str) -> list[str]:
    whole = fully_searched(search)
    limits = [
        f"Only these errors were searched: {kinds}, in at most {share(search.budget)} of "
        f"{_WHERE[search.apply_to]}.",
        f"Of {counted(len(whole), 'candidate')} {int(whole.sum()):,} were "
        f"searched fully. The worst {search.metric_name_} of the others is what was found until "
        "they fell behind or their search was ended; it may be lower.",
        "A search looks at patterns that people can read. Errors that follow none can do more "
        "harm.",
    ]
    failed = sum(str(status).startswith("failed") for status in search.cv_results_["status"])
    if getattr(search, "interrupted_", False):
        limits.insert(0, "The search was ended early: less was tried than set.")
    if failed:
        limits.append(f"{counted(failed, 'candidate')} failed and could not win.")
    left_out = getattr(search, "left_out_", None)
    if left_out is not None and len(left_out):
        limits.append(
            f"All candidates raise on {left_out_in_words(left_out)}, so these were left out. Where "
            "they can occur, no settings tried are safe."
        )
    if not np.isfinite(getattr(search, "confirmed_worst_", np.nan)):
        limits.append("Nothing was confirmed on rows that took no part in the search.")
    else:
        limits.append(
            "The confirmation is one division of the rows at hand, not new data; its interval is "
            "for data like these."
        )
    return limits
