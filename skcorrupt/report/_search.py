"""What a search for the worst error has to say."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from skcorrupt.adversarial import AdversarialSearchDisplay
from skcorrupt.adversarial._alternatives import NOT_TRIED
from skcorrupt.adversarial._kinds import templates_of
from skcorrupt.adversarial.display import any_rows, broken_by, of_labels, score_unit
from skcorrupt.base import BaseCorruption
from skcorrupt.metrics._metric_name import CHANGED_MEAN, CHANGED_SHARE
from skcorrupt.patterns import Pattern
from skcorrupt.utils._as_text import cell, counted, interval, score, share, signed

from ._code import CONFIRMS, MENDS, NOTICES
from ._content import Asked, Content, Data, Picture, Repeat
from ._html import Html, paragraph, tag
from ._search_alternatives import alternatives_part
from ._search_glance import search_glance
from ._search_kinds import kinds_part, kinds_pictures, limit_by_every_kind, of_every_kind
from ._settings import shown
from ._tables import OF_WHICH, Column, called, table

if TYPE_CHECKING:
    from skcorrupt.adversarial import AdversarialCorruptionSearch

MOST_CANDIDATES = 20
MOST_MESSAGES = 10
MOST_NAMED = 30
_CANDIDATES = [
    Column("rank_test_score", "Rank", meaning="1 is the error that hurts most."),
    Column("kind", "Kind", meaning="The kind of error."),
    Column("columns", "Columns hit", meaning="Where values are changed; empty for whole rows."),
    Column("target", "New label", meaning="What labels are changed to."),
    Column("pattern", "Rows hit", meaning="The condition on rows; y is the label."),
    Column("rate", "Rate", "percent", OF_WHICH),
    Column("row_fraction", "Of all rows", "percent", "Share of all rows that are struck."),
    Column("mean_test_score", "{Score}", "score", "Mean over the splits; lower is worse."),
    Column("std_test_score", "Spread", "score", "Standard deviation over the splits."),
]
_CURVE = {
    "budget": Column("budget", "Budget", "share", "Most rows that may be struck."),
    "baseline_score": Column("baseline_score", "Clean", "score", "{Score} without errors."),
    "worst_score": Column("worst_score", "Worst", "score", "{Score} under the worst error found."),
    "random_score": Column(
        "random_score", "Random", "score", "{Score} under errors of the same size, anywhere."
    ),
    "score_drop": Column("score_drop", "Drop", "score", "Clean less worst."),
    "confirmed_score": Column(
        "confirmed_score", "Confirmed", "score", "Under the worst error, on rows not searched."
    ),
    "confirmed_baseline": Column(
        "confirmed_baseline", "Clean, confirmed", "score", "On the same rows, without errors."
    ),
    "confirmed_drop_low": Column(
        "confirmed_drop_low", "Drop, at least", "score", "Lower end of the 95 % interval."
    ),
    "confirmed_drop_high": Column(
        "confirmed_drop_high", "Drop, at most", "score", "Upper end of the 95 % interval."
    ),
    "kind": Column("kind", "Kind", meaning="The kind of error."),
    "pattern": Column("pattern", "Rows hit", meaning="The condition on rows; y is the label."),
    "columns": Column("columns", "Columns hit", meaning="Where values are changed."),
    "rate": Column("rate", "Rate", "percent", OF_WHICH),
}
_CERTIFICATE = [
    Column("budget", "Budget", "share", "Most rows that may be struck."),
    Column("kind", "Kind", meaning="The kind of error."),
    Column("proxy", "Stand-in", meaning="The quick model on which errors were screened."),
    Column(
        "complete_conditions",
        "Complete up to",
        meaning="All conditions on rows that look at so many columns besides the label were tried "
        "on the model, or on a stand-in that had converged. 0 is the label alone; -1 says that not "
        "even those were all tried.",
    ),
    Column(
        "screened_conditions",
        "Screened up to",
        meaning="All those of so many columns were screened at all, if roughly.",
    ),
    Column("n_rows", "Rows", meaning="Rows on which they were screened."),
    Column("n_points", "Errors", meaning="Errors screened, those that strike the same rows too."),
    Column("n_distinct", "Different", meaning="Those that strike different rows."),
    Column("n_polished", "Closer", meaning="The best of them, looked at more closely."),
    Column("n_reranked", "On the model", meaning="The best of those, scored on the model itself."),
]
_SERVED = [
    Column("budget", "Budget", "share", "Most rows that may be struck."),
    Column("kind", "Kind", meaning="The kind of error."),
    Column("columns", "Columns hit", meaning="Where values are changed."),
    Column("random_score", "Random", "score", "{Score} with errors in rows drawn at random."),
    Column("readable_score", "Worst found", "score", "{Score} under the worst readable condition."),
    Column("readable_bound", "Bound", "score", "No condition on the grid scores lower."),
    Column("any_rows_score", "Any rows", "score", "{Score} if errors could pick the rows freely."),
    Column("proven", "Proven", meaning="Whether all conditions on the grid were accounted for."),
    Column(
        "conditional",
        "For some draws",
        meaning="Whether values are random, so that bounds hold for the draws looked at.",
    ),
    Column("n_patterns", "Conditions scored", meaning="Scored one by one."),
    Column(
        "n_pruned",
        "Conditions bounded",
        meaning="Not scored one by one: where the row is proven, as a bound shows that none of "
        "them is worse, otherwise as time or effort ended.",
    ),
]
_DETECTION = [
    Column("check", "Check", meaning="Those given, and defaults that learned from the rows."),
    Column("alarm_rate", "Alarms", "percent", "Share of the batches with the error."),
    Column("min_batch_size", "Rows", meaning="Smallest batch in which it alarms in 80 %."),
    Column("min_rate", "Rate", "percent", "Lowest rate in the condition with alarms in 80 %."),
]
MORE_PICTURES = (
    ("budgets", "The worst score at every budget, with random errors of the same size.", 4.5),
    (
        "tree",
        "The lowest score by the columns a pattern looks at; a plus extends the pattern above.",
        7.5,
    ),
    (
        "attributes",
        "How much lower scores get where a column may be used: which columns matter.",
        4.5,
    ),
    (
        "damage",
        "The score under errors in each column: in rows drawn at random, in the rows of the worst "
        "condition found, and in the worst choice of rows whatsoever. A ring is a condition found "
        "where no more was looked for, as the bound beside it shows that none can be the worst.",
        4.5,
    ),
    (
        "detection",
        "The size of batches from which each check notices the worst error.",
        4.0,
    ),
    (
        "alternatives",
        "How far the score drops by what the condition on rows looks at.",
        4.5,
    ),
)


def search_content(search: AdversarialCorruptionSearch, asked: Asked) -> Content:
    """Collect what is known of a fitted search.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        The fitted search.
    asked : Asked
        What labels mean.

    Returns
    -------
    Content
        For the page.
    """
    found = pd.DataFrame(search.cv_results_)
    every = of_every_kind(search) is not None
    kinds = ["errors of every kind"] if every else [*_kinds(search).values()]
    of_kind = "of this kind" if len(kinds) == 1 else "of one of these kinds"
    of_kind = "" if every else f" {of_kind}"
    return Content(
        heading="The data error that hurts most",
        glance=search_glance(search, _measure(search)),
        question=(
            f"Suppose that up to {_budget(search)} of {_struck_data(search)} go wrong "
            f"({_either(kinds)}). Which error{of_kind}, as it could really happen, makes the "
            "model predict worst, and by how much?"
        ),
        answer=[*_answer(search, found), *asked.legend()],
        results=_results(search, found),
        pictures=_pictures(search),
        limits=_limits(search, found, search._data_facts["columns"]),
        data=Data(**search._data_facts, notes=_of_table(search)),
        seed=search.seed_,
        repeat=Repeat(
            "search",
            "fit(X)" if _without_labels(search) else "fit(X, y)",
            ["print(search.summary())", MENDS, NOTICES, CONFIRMS],
        ),
    )


def _of_table(search: AdversarialCorruptionSearch) -> list[str]:
    """What the rows are of a table that is larger than what was held of it."""
    n_rows = getattr(search, "n_rows_", 0)
    if n_rows <= search._data_facts["rows"]:
        return []
    return [
        f"Drawn from the {n_rows:,} rows of the table, all of which conditions were counted on."
    ]


def _measure(search: AdversarialCorruptionSearch) -> str:
    if search.scoring is None and search.metric_name_ == "score":
        return "the model's own score"
    return str(search.metric_name_)


def _without_labels(search: AdversarialCorruptionSearch) -> bool:
    """Whether `fit` had no labels, as it then goes by what changes."""
    return search.scoring is None and search.metric_name_ in (CHANGED_SHARE, CHANGED_MEAN)


def _kinds(search: AdversarialCorruptionSearch) -> dict[str, str]:
    """The kinds of error that were asked for, by name, in words."""
    return {name: each.title for name, each in templates_of(search.corruption).items()}


def _either(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _budget(search: AdversarialCorruptionSearch) -> str:
    """The budget in words; there may be several."""
    several = np.atleast_1d(np.asarray(search.budget, dtype=float))
    return _either([f"{100 * each:g} %" for each in several])


def _n_splits(found: pd.DataFrame) -> int:
    return sum(str(name).startswith("split") for name in found)


def _answer(search: AdversarialCorruptionSearch, found: pd.DataFrame) -> list[str]:
    said = [search.summary()]
    meant = of_labels(search)
    if meant and meant not in said[0]:
        said.append(meant)
    if search.worst_corruption_ is None:
        return [*said, "No error that keeps to the settings could be tried; there is no result."]
    clean, worst, random = search.baseline_score_, search.worst_score_, search.random_score_
    drop, by_chance = clean - worst, clean - random
    unit = score_unit(search)
    measure = _measure(search)
    if search.apply_to == "test":
        said.append(_served(search, measure))
        return [*said, *_confirmed(search)]
    said.append(
        f"The measure is {measure}; more is better. Trained on clean data the model "
        f"scores {score(clean, unit)} (mean of {_n_splits(found)} splits). Trained on data with "
        f"the worst error found it scores {score(worst, unit)}, a change of {signed(-drop, unit)}"
        + (
            f"; with as many errors in rows drawn at random {score(random, unit)}."
            if np.isfinite(random)
            else ". What as many errors in rows drawn at random do was not measured."
        )
    )
    low = getattr(search, "confirmed_interval_", (np.nan, np.nan))[0]
    if drop <= 0:
        said.append("No error that was tried lowers the score.")
    elif low <= 0 or not np.isfinite(by_chance):
        # nothing is made of a drop that other rows do not show
        pass
    elif by_chance < drop / 2:
        said.append("So it matters where errors strike, not only how many there are.")
    else:
        said.append("Errors of this size do much of that harm wherever they strike.")
    return [*said, *_confirmed(search)]


def _served(search: AdversarialCorruptionSearch, measure: str) -> str:
    """What errors in served rows do, and how much worse any could be."""
    unit = score_unit(search)
    said = (
        f"The measure is {measure}; more is better. Served clean rows the model scores "
        f"{score(search.baseline_score_, unit)}, served rows with the worst error found "
        f"{score(search.worst_score_, unit)}, and with as many errors in rows drawn at random "
        f"{score(search.random_score_, unit)}."
    )
    known = any_rows(search.certificate_)
    if known.is_told:
        lowest = score(known.score, unit)
        far = f"to {lowest}, and no lower" if known.is_reached else f"no lower than {lowest}"
        drawn = ", with the values that were drawn" if known.is_conditional else ""
        drawn += ", where the model does not raise" if broken_by([search]) else ""
        said += (
            " If errors could pick any rows, whether or not a readable condition describes them, "
            f"the score could fall {far}{drawn}."
        )
    return said


def _confirmed(search: AdversarialCorruptionSearch) -> list[str]:
    """What the worst error does to rows that the search did not see."""
    if not np.isfinite(getattr(search, "confirmed_score_", np.nan)):
        return [
            "This was not confirmed on rows that the search did not see. The lowest of many scores "
            "flatters the search: the true drop is likely to be smaller."
        ]
    low, high = search.confirmed_interval_
    unit = score_unit(search)
    if low == high == 0:
        return [
            "On rows that the search did not see no row made a difference: the score stays at "
            f"{score(search.confirmed_score_, unit)}. A small harm may not show in so few rows."
        ]
    verdict = "so that there may be none" if not low > 0 else "so that the harm is confirmed"
    verdict = "so that it is no drop but a gain" if high < 0 else verdict
    learned = "" if search.apply_to == "test" else " and the model learned from more"
    sure = (
        f"With 95 % confidence the drop is {interval(low, high, unit=unit)}, {verdict}."
        if np.isfinite([low, high]).all()
        else "This has no interval, as there was no time for one, or too few rows."
    )
    return [
        "On rows that the search did not see the score goes from "
        f"{score(search.confirmed_baseline_score_, unit)} to "
        f"{score(search.confirmed_score_, unit)}. "
        f"{sure} The score on clean data is "
        f"another there, as the rows are others{learned}."
    ]


def _struck_data(search: AdversarialCorruptionSearch) -> str:
    """Where errors strike, in words."""
    served = "the rows that the model is served"
    both = "the training data, and as much of the rows that the model is served,"
    return {"train": "the training data", "test": served, "both": both}[search.apply_to]


def _results(
    search: AdversarialCorruptionSearch, found: pd.DataFrame
) -> list[tuple[str, list[Html]]]:
    results = [*kinds_part(search), ("Scores", [_scores(search)])]
    if search.worst_corruption_ is not None:
        code = tag("pre", tag("code", shown(search.worst_corruption_)))
        use = "corrupts batches" if search.apply_to == "test" else "can be put into a pipeline"
        intro = paragraph(f"The error as an object that {use}:")
        results.append(("The worst error", [intro, code]))
    curve = getattr(search, "budget_curve_", None)
    if isinstance(curve, pd.DataFrame):
        hidden = {"corruption", *_idle_kind(curve)}
        names = [str(name) for name in curve if name not in hidden]
        columns = called([_budget_column(name) for name in names], search.metric_name_)
        results.append(
            ("Every budget", [table(curve, columns, "The worst error found at each budget.")])
        )
    results += alternatives_part(search)
    scored = found[found["status"] == "ok"].sort_values("rank_test_score", kind="stable")
    idle = [*(n for n in ("target",) if scored[n].isna().all()), *_idle_kind(found)]
    # one split has no spread
    idle += ["std_test_score"] if _n_splits(found) < 2 else []
    scored = scored.drop(columns=idle)
    results.append(
        (
            "Errors that were tried",
            [
                table(
                    scored,
                    called(_CANDIDATES, search.metric_name_),
                    "Errors that were tried on the model, the worst first.",
                    most=MOST_CANDIDATES,
                    order="the worst ones",
                ),
                *_failed(found),
            ],
        )
    )
    if _screened(search):
        caption = "What was screened on the quick stand-in for the model, and on how many rows."
        said = paragraph(
            "The stand-in orders errors like the model with a rank correlation of "
            f"{score(search.proxy_agreement_)} on the errors scored by both (1 is alike, 0 unlike)."
        )
        seen = search.certificate_.drop(columns=_idle_kind(search.certificate_))
        parts = [table(seen, _CERTIFICATE, caption), said]
        results.append(("How complete the search is", parts))
    if "any_rows_score" in search.certificate_ and len(search.certificate_):
        results.append(("Damage by column", [_by_column(search)]))
    detection = getattr(search, "detection_", None)
    if isinstance(detection, pd.DataFrame) and len(detection):
        caption = "Which checks would notice the worst error, and from when on."
        results.append(("Who would notice", [table(detection, _DETECTION, caption)]))
    return results


def _by_column(search: AdversarialCorruptionSearch) -> Html:
    """What errors in each column do to the score, the worst first."""
    seen = search.certificate_.sort_values(["budget", "readable_score"], kind="stable")
    # not every score can be random, or free in its rows
    empty = [name for name in ("random_score", "any_rows_score") if seen[name].isna().all()]
    empty += [] if seen["conditional"].any() else ["conditional"]
    seen = seen.drop(columns=[*_idle_kind(seen), *empty])
    caption = (
        "What errors in each column can do. Where a row is proven, no condition on the grid brings "
        "the score below the bound."
    )
    return table(seen, called(_SERVED, search.metric_name_), caption)


def _idle_kind(frame: pd.DataFrame) -> list[str]:
    """The column of kinds where it says the same in every row."""
    return ["kind"] if "kind" in frame and len({*frame["kind"]} - {""}) < 2 else []


def _screened(search: AdversarialCorruptionSearch) -> bool:
    """Whether a stand-in for the model saw more errors than the model did."""
    known = search.certificate_
    return "n_points" in known and bool((known["n_points"] > 0).any())


def _budget_column(name: str) -> Column:
    return _CURVE.get(name, Column(name, name.replace("_", " "), "score"))


def _scores(search: AdversarialCorruptionSearch) -> Html:
    rows = [
        ("clean data", search.baseline_score_),
        ("errors of the same size, at random", search.random_score_),
        ("the worst error found", search.worst_score_),
    ]
    if np.isfinite(getattr(search, "confirmed_score_", np.nan)):
        rows += [
            ("clean data, rows not searched", search.confirmed_baseline_score_),
            ("the worst error found, rows not searched", search.confirmed_score_),
        ]
    frame = pd.DataFrame(rows, columns=["data", "score"])
    if search.apply_to != "train":
        columns = [
            Column("data", "Rows served", meaning="What the model was asked about."),
            Column("score", search.metric_name_, "score", "More is better."),
        ]
        return table(frame, columns, "Scores of the model by the rows that it is served.")
    columns = [
        Column("data", "Training data", meaning="Test data are clean in all rows of this table."),
        Column("score", search.metric_name_, "score", "More is better."),
    ]
    if getattr(search, "test_corruption", None) is not None:
        columns[0] = Column("data", "Training data", meaning="Test data have errors of their own.")
    return table(frame, columns, "Scores of the model by what it was trained on.")


def _failed(found: pd.DataFrame) -> list[Html]:
    """What came of candidates that have no score."""
    rest = found[found["status"] != "ok"]
    if rest.empty:
        return []
    counts = rest.groupby(["status", "message"], sort=False).size().reset_index(name="count")
    counts = counts.sort_values("count", ascending=False, kind="stable")
    columns = [
        Column(
            "status",
            "What happened",
            meaning="Infeasible: the data would be of no use; failed: the model broke off.",
        ),
        Column("message", "Why"),
        Column("count", "Errors"),
    ]
    caption = "Errors that were tried and have no score."
    return [table(counts, columns, caption, most=MOST_MESSAGES, order="the most frequent ones")]


def _pictures(search: AdversarialCorruptionSearch) -> list[Picture]:
    display = AdversarialSearchDisplay.from_search(search)
    scores = ", ".join(f"{name} {cell(value, 'score')}" for name, value in display.scores.items())
    size = (7.5, 1.2 + 0.5 * len(display.scores))
    pictures = [
        *kinds_pictures(search),
        Picture(
            "Scores beside one another. The bar is the 95 % interval of the confirmed score, where "
            "there is one.",
            f"A point a score, on one scale of {display.metric}: {scores}.",
            partial(_plot, display, "scores"),
            size,
        ),
    ]
    pictures += [
        Picture(
            caption,
            f"{caption} The tables give the numbers.",
            partial(_plot, display, kind),
            (7.5, height),
            optional=True,
        )
        for kind, caption, height in MORE_PICTURES
    ]
    return pictures


def _plot(display: AdversarialSearchDisplay, kind: Any, ax: Any) -> None:
    display.plot(kind=kind, ax=ax)


def _limits(
    search: AdversarialCorruptionSearch, found: pd.DataFrame, names: list[str]
) -> list[str]:
    tried = int((found["status"] == "ok").sum())
    limits = [
        _limit_by_kinds(search, found)
        if (every := of_every_kind(search)) is None
        else limit_by_every_kind(every),
        f"Errors strike at most {_budget(search)} of {_struck_data(search)}. Larger ones were not "
        "tried.",
        f"Conditions on rows look at {counted(search.space_.max_conditions, 'column')} at most "
        f"besides the label, with bounds on a grid of {search.space_.n_bins} bins a column, and "
        "at other values near the worst.",
        _limit_by_number(search, len(found), tried),
        "One model was tested, as it is set. Others may break elsewhere.",
    ]
    if search.apply_to == "test":
        limits.append("Only rows that the model is served had errors; it learned from clean data.")
    elif search.apply_to == "train" and getattr(search, "test_corruption", None) is None:
        limits.append("Only training data had errors. Test data were clean.")
    limits += _limits_by_columns(search, found, names)
    limits += _limits_by_rules(search)
    if not np.isfinite(getattr(search, "confirmed_score_", np.nan)):
        limits.append("The worst error was not scored on rows that the search did not see.")
    else:
        limits.append(
            "The confirmation is one division of the rows at hand, not new data; its interval is "
            "for data like these."
        )
    limits += _limits_by_rows(search)
    n_splits = _n_splits(found)
    if n_splits == 1:
        limits.append("All scores of the search are from a single split of the data.")
    else:
        limits.append(f"Scores of the search are means of {n_splits} splits of the same rows.")
    if getattr(search, "interrupted_", False):
        limited = getattr(search, "_ended_by", "") == "max_time"
        how = "ended by its limit of time" if limited else "ended early"
        limits.insert(0, f"The search was {how}: less was tried than set.")
    failed = int((found["status"] == "failed").sum())
    if failed:
        limits.append(f"On {failed:,} errors the model failed; these have no score of their own.")
    return limits


def _limits_by_rows(search: AdversarialCorruptionSearch) -> list[str]:
    """Which numbers rest on which rows of a table of which some were held."""
    table = search.certificate_
    if "n_rows_counted" not in table or not len(table):
        return []
    rows = table.iloc[-1]
    others = f", the confirmation from {rows['n_rows_confirmed']:,} others"
    return [
        f"Of {rows['n_rows_counted']:,} rows, all were counted for what errors match and strike. "
        f"Scores, bounds of conditions and what a stand-in learned are from "
        f"{rows['n_rows_searched']:,} of them{others if rows['n_rows_confirmed'] else ''}."
    ]


def _limit_by_kinds(search: AdversarialCorruptionSearch, found: pd.DataFrame) -> str:
    asked = _kinds(search)
    scored = {*found.loc[found["status"] == "ok", "kind"]}
    if len(asked) == 1:
        only = next(iter(asked.values()))
        return f"Only errors of one kind were tried: {only}. Other kinds may hurt more."
    tried = dict.fromkeys(title for name, title in asked.items() if name in scored)
    said = (
        "Only errors of one kind were scored"
        if len(tried) == 1
        else (f"Only errors of {len(tried)} kinds were scored, one at a time")
    )
    said += f": {', '.join(tried)}. " if tried else ". "
    missing = [title for name, title in asked.items() if name not in scored]
    if missing:
        why = (
            "the search was ended before"
            if getattr(search, "interrupted_", False)
            else "none that keeps to the settings could be scored"
        )
        said += f"Asked for, but without a score, as {why}: {', '.join(missing)}. "
    return f"{said}Other kinds, or several at once, may hurt more."


def _limit_by_number(search: AdversarialCorruptionSearch, n_found: int, n_scored: int) -> str:
    if not _screened(search):
        return (
            f"{_tried(n_found, n_scored)} were tried. The search does not try all there are: a "
            "worse one may exist."
        )
    n_screened = int(search.certificate_["n_points"].max())
    return (
        f"{n_screened:,} errors were screened on a stand-in for the model, and "
        f"{_tried(n_found, n_scored)} were tried on the model itself. What the stand-in takes "
        "for harmless was not scored: a worse one may exist."
    )


def _tried(n_found: int, n_scored: int) -> str:
    without = n_found - n_scored
    return f"{n_found:,} errors" + (f" ({without:,} of them without a score)" if without else "")


def _limits_by_columns(
    search: AdversarialCorruptionSearch, found: pd.DataFrame, names: list[str]
) -> list[str]:
    """Columns that no candidate hits, and those that no condition looks at."""
    limits = []
    hit = {str(name) for columns in found["columns"] for name in columns}
    never = [name for name in names if name not in hit]
    if hit and never and _screened(search):
        limits.append(
            "Columns in which no error was scored on the model itself, as the stand-in took others "
            f"for worse or they cannot be hit: {_listed(never)}."
        )
    elif hit and never:
        limits.append(f"Columns in which no error was tried: {_listed(never)}.")
    used = {str(name) for each in found["corruption"] for name in _conditioned(each)}
    unused = [name for name in names if name not in used]
    if unused and used:
        where = ", of errors scored on the model itself" if _screened(search) else ""
        limits.append(f"Columns that no condition on rows looked at{where}: {_listed(unused)}.")
    return limits


def _conditioned(corruption: BaseCorruption) -> set[Any]:
    """Columns that the patterns of a corruption, or of its members, look at."""
    params = corruption.get_params(deep=True).values()
    return {name for each in params if isinstance(each, Pattern) for name in each.columns}


def _limits_by_rules(search: AdversarialCorruptionSearch) -> list[str]:
    """What the user's own rules left out."""
    limits = []
    space = search.space_
    briefly = "others were looked for with a quarter of the effort, and never are the worst error."
    alternatives = getattr(search, "alternatives_", None)
    if alternatives is not None and (alternatives["status"] == NOT_TRIED).any():
        briefly = "of others not all were looked for, and none is the worst error."
    if space.own_column in (None, "required") and space.max_conditions:
        others = "others were not tried." if space.own_column else briefly
        limits.append(
            "Each condition looks at the column that is hit (`own_column`), where a column is hit; "
            + others
        )
    if space.own_column == "forbidden":
        limits.append("No condition looks at the column that is hit (`own_column`).")
    if space.label in (None, "required"):
        others = "." if space.label else f"; {briefly}"
        limits.append(f"Each condition looks at the label (`label`){others}")
    if space.label == "forbidden":
        limits.append("No condition looks at the label (`label`).")
    if space.min_support > 0:
        limits.append(
            f"Conditions that hold for less than {share(space.min_support)} of the rows were "
            "not tried."
        )
    if len(space.exclude):
        limits.append(f"Rules of the user's own left errors out: `{shown(space.exclude)}`.")
    if not space.search_rate:
        limits.append("Lower rates than the budget allows were not tried.")
    return limits


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return ", ".join(f"`{name}`" for name in names[:MOST_NAMED]) + more
