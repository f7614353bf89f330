"""What checks that were suggested have to say."""

from __future__ import annotations

from functools import partial

import pandas as pd

from skcorrupt.corruptions._kind_in_words import OTHER, kind_in_words
from skcorrupt.robustness import CheckSuggestions
from skcorrupt.robustness._check_suggestions import columns_in_words, error_in_words
from skcorrupt.robustness._checks_picture import MOST_ERRORS, plot_checks
from skcorrupt.robustness._suggest_checks import MOST_FALSE, N_BATCHES
from skcorrupt.utils._as_text import counted, largest, percent, score

from ._content import Asked, Content, Data, Glance, Picture, Repeat
from ._html import Html
from ._settings import defaults_of, is_default, maker_of, shown
from ._tables import OF_WHICH, Column, called, capital, table

_CHECKS = [
    Column("check", "Check"),
    Column("watched", "Watches"),
    Column(
        "false_alarm", "False alarms, at most", "percent", "Of batches without an error, promised."
    ),
    Column("false_alarm_rate", "False alarms, seen", "percent", "Of 100 batches without an error."),
    Column("n_caught", "Errors caught"),
    Column(
        "undetected_damage",
        "Left",
        "score",
        "The most that an error takes from the {score} which neither this check nor those above "
        "catch.",
    ),
]
_WHAT = [
    Column("what", "Error"),
    Column("where", "In columns"),
    Column("pattern", "Where"),
    Column("rate", "Share of those rows", "percent", OF_WHICH),
    Column("damage", "Drop", "score", "What it takes from the {score}."),
]
_ERRORS = [
    *_WHAT,
    Column("caught_by", "Caught by", meaning="The first check that does."),
    Column("alarm_rate", "Noticed", "percent", "Of 100 batches with the error, by any check."),
    Column("best_check", "Best check", meaning="Of all that were tried."),
    Column("best_alarm_rate", "Noticed by it", "percent"),
]
_LOUD = [
    Column("check", "Check"),
    Column("false_alarm_rate", "False alarms, seen", "percent", "Of batches without an error."),
]


def checks_content(found: CheckSuggestions, asked: Asked) -> Content:
    """Collect what is known of suggested checks.

    Parameters
    ----------
    found : CheckSuggestions
        As `suggest_checks` returns it.
    asked : Asked
        What labels mean.

    Returns
    -------
    Content
        For the page.
    """
    return Content(
        heading="Which checks notice the errors",
        glance=_glance(found),
        question=(
            f"Batches of {counted(found.batch_size_, 'row')} come in. Which checks notice the "
            f"errors that do most harm to the {found.metric_name_}, and what passes them?"
        ),
        answer=[*found.sentences(), *asked.legend()],
        results=_results(found),
        pictures=[
            Picture(
                f"What each error takes from the {found.metric_name_}, and whether a check "
                "notices it.",
                "Bars for errors; the table of errors has the numbers.",
                partial(plot_checks, found),
                (7.5, 1.6 + 0.32 * min(len(found.errors_), MOST_ERRORS)),
            )
        ],
        limits=_limits(found),
        data=Data(**found._data_facts, row="rows of the reference, as they should be"),
        seed=None,
        repeat=Repeat("found"),
        code=_code(found),
    )


def _glance(found: CheckSuggestions) -> Glance:
    errors, missed = found.errors_, found.undetected_
    unit, metric = largest(errors["damage"]), found.metric_name_
    worst = errors.iloc[0]
    caught = len(errors) - len(missed)
    bad = f"Checks notice {caught:,} of {counted(len(errors), 'harmful error')}"
    if len(missed):
        bad += f"; of the others the worst takes {score(missed['damage'].iloc[0], unit)}."
    else:
        bad += "."
    knows = len(found.answers_) > 0
    passes = knows and found.adaptive_damage_ > 0
    if passes:
        bad += f" Who knows the checks still takes {score(found.adaptive_damage_, unit)}."
    settings = found.settings
    sure = (
        f"Each check met {N_BATCHES} batches of {counted(found.batch_size_, 'row')} with each "
        f"error and without. One that alarms in {percent(settings['power'])} of those with an "
        "error notices it."
    )
    if not found.checks_:
        do = "No check helps with batches of this size: try larger ones, or change the model."
    else:
        do = f"Check each batch before the model sees it: {', '.join(found.results_['check'])}."
    return Glance(
        f"{capital(error_in_words(worst))} take {score(worst['damage'], unit)} from the {metric}.",
        bad,
        sure,
        do,
        harm=2 if len(missed) else 1 if passes or not knows else 0,
    )


def _results(found: CheckSuggestions) -> list[tuple[str, list[Html]]]:
    metric = found.metric_name_
    watched = [columns_in_words(columns) for columns in found.results_["columns"]]
    checks = table(
        found.results_.assign(watched=watched),
        called(_CHECKS, metric),
        "Checks, the one that takes most damage away first.",
    )
    errors = table(
        _in_words(found.errors_), called(_ERRORS, metric), "Errors, the most harmful first."
    )
    parts = [("What to watch", [checks]), ("Which errors are noticed", [errors])]
    answers = found.answers_[found.answers_["damage"] > 0]
    if len(answers):
        caption = "The worst errors that pass all checks, of a search that knows them."
        told = table(_in_words(answers), called(_WHAT, metric), caption)
        parts.append(("What an adversary does who knows the checks", [told]))
    if len(found.left_out_):
        caption = f"Checks that alarm on more than {percent(MOST_FALSE)} of batches without error."
        parts.append(("What was not taken", [table(found.left_out_, _LOUD, caption)]))
    return parts


def _in_words(errors: pd.DataFrame) -> pd.DataFrame:
    return errors.assign(
        what=[capital(kind_in_words(kind).removeprefix(OTHER)) for kind in errors["kind"]],
        where=[columns_in_words(columns) for columns in errors["columns"]],
    )


def _limits(found: CheckSuggestions) -> list[str]:
    limits = [
        "Only errors that the search found are watched for; others may pass.",
        "Batches were drawn from the reference. Where data changes in time, checks alarm more "
        "often than promised.",
    ]
    if found.broken_by_:
        named = ", ".join(found.broken_by_)
        limits.append(f"The model raises on errors in {named}, for which no check was chosen.")
    if not len(found.answers_):
        limits.append(
            "What an adversary does who knows the checks is not known; they may harm more."
        )
    return limits


def _code(found: CheckSuggestions) -> str:
    maker, defaults = maker_of(found), defaults_of(found)
    given = [
        f"    {name}={shown(value)},"
        for name, value in found.settings.items()
        if not is_default(value, defaults[name])
    ]
    return "\n".join(
        [
            f"from skcorrupt.robustness import {maker.__name__}",
            "# search: a fitted AdversarialCorruptionSearch of errors in rows that are served",
            "# X_reference, y_reference: rows as they should be, and their labels",
            "",
            f"found = {maker.__name__}(",
            "    search,",
            "    X_reference,",
            "    y_reference,",
            *given,
            ")",
            "print(found.summary())",
            "# the checks as tests, and as a schema of pandera",
            'found.to_pytest("test_batch.py")',
            "schema = found.to_pandera()",
        ]
    )
