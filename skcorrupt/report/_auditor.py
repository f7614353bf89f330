"""What a responsiveness audit has to say, without showing anybody."""

from __future__ import annotations

import ast
import pprint
import re
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from skcorrupt.responsiveness import ResponsivenessDisplay
from skcorrupt.responsiveness.audit._few_people import NOT_TOLD, harmful, number_text, share_text
from skcorrupt.responsiveness.audit._verdicts import how_many, tallied
from skcorrupt.utils._as_text import cell, counted, percent, share

from ._auditor_people import (
    FEWEST,
    VERDICTS,
    at_upper_ends,
    groups_told,
    n_audited,
    numbers_told,
    people_by_bin,
    sure,
    verdict_counts,
)
from ._code import HOW, PEOPLE
from ._content import Asked, Content, Data, Glance, Picture, Repeat
from ._html import Html, bullets, paragraph
from ._settings import shown
from ._tables import Column, facts, table

if TYPE_CHECKING:
    from skcorrupt.responsiveness import ActionElement, ResponsivenessAuditor

MOST_VALUES = 12
QUESTIONS = {
    "preclusion": "Is there anybody who cannot get {target}, whatever they do?",
    "gaming": "Who can get {target} easily?",
    None: "How many of the things that a person can do lead to {target}?",
}
_VERDICTS = [
    Column("verdict", "Verdict"),
    Column("people", "People"),
    Column("share", "Share", "percent"),
]
_GROUPS = [
    Column("group", "Group"),
    Column("n_people", "People audited"),
    Column("unresponsive", "Unresponsive", "percent"),
    Column("undecided", "Undecided", "percent"),
    Column("responsive", "Responsive", "percent"),
    Column("responsiveness", "Mean responsiveness", "percent"),
]
_BINS = [
    Column("responsiveness", "Responsiveness"),
    Column("people", "People", meaning="Of those whose responsiveness is known or estimated."),
    Column("share", "Share", "percent"),
]
_METHODS = [
    Column("method", "How the points of a person were found"),
    Column("people", "People"),
]
_ATTRIBUTIONS = [
    Column("feature", "Column"),
    Column("responsiveness", "Mean responsiveness", "percent", "To this column alone."),
    Column("people", "People"),
]
_ELEMENTS = [
    Column("name", "Column"),
    Column("kind", "Type"),
    Column("range", "Allowed values", meaning="Bounds for everybody, or the values there are."),
    Column("direction", "Direction"),
    Column("change", "Allowed change", meaning="From the present value of the person."),
    Column("step", "Step"),
]


def auditor_content(auditor: ResponsivenessAuditor, asked: Asked) -> Content:
    """Collect what is known of a fitted auditor, in numbers of people only.

    Parameters
    ----------
    auditor : ResponsivenessAuditor
        The fitted auditor.
    asked : Asked
        What predictions mean, and groups of people.

    Returns
    -------
    Content
        For the page.
    """
    before, actions = _actions_as_code(auditor)
    needs = {"ActionSet": "skcorrupt.responsiveness"} if before else {}
    given = {
        "estimator": f"the fitted model, {shown(auditor.estimator)}",
        "actions": actions,
    }
    few = n_audited(auditor) < FEWEST
    target = _target(auditor._target, asked)
    groups = groups_told(auditor, asked)
    return Content(
        heading="Who can, and who cannot, change their prediction",
        glance=_glance(auditor, target, groups),
        question=QUESTIONS.get(auditor.task, QUESTIONS[None]).format(target=target)
        + " Responsiveness is the share of a person's possible actions that lead there.",
        answer=[*_answer(auditor), *asked.legend()],
        results=_results(auditor, groups, few),
        pictures=_pictures(auditor, few),
        limits=_limits(auditor, asked),
        data=Data(
            **auditor._data_facts,
            row="people",
            notes=[
                "Rows are people. This page has numbers of people only: no row, no index, no "
                f"prediction of one person, and nothing but their number where there are fewer "
                f"than {FEWEST}. Who they are stays in `results_`."
            ],
        ),
        seed=auditor._seed,
        repeat=Repeat(
            "auditor", "fit(X)", ["print(auditor.summary())", PEOPLE], given, before, needs
        ),
        no_pictures=(
            f"Pictures of fewer than {FEWEST} people would show single persons; they are left out."
            if few
            else ""
        ),
    )


def _target(target: Any, asked: Asked) -> str:
    """What is asked for, as a part of a sentence."""
    if isinstance(target, str) and target == "flip":
        return "another prediction than the present one"
    if isinstance(target, (list, set, frozenset)):
        return " or ".join(map(asked.label, target))
    return asked.label(target)


def _glance(auditor: ResponsivenessAuditor, target: str, groups: pd.DataFrame | None) -> Glance:
    results, n = auditor.results_, n_audited(auditor)
    harm, most = harmful(auditor.direction_), f"{share(auditor.epsilon)} of what they can do"
    stuck = harm == "unresponsive"
    if n < FEWEST:
        return Glance(
            f"Whether people {'are shut out from' if stuck else 'can easily get'} {target}.",
            f"Not told: {counted(n, 'person')} would be too easy to recognise."
            if n == 1
            else f"Not told: {n} people would be too easy to recognise.",
            "Not told.",
            "Audit more people.",
            harm=1,
        )
    hit, open_ = results["verdict"] == harm, results["verdict"] == "undecided"
    counts, hidden = verdict_counts(auditor)
    j = VERDICTS.index(harm)
    number = number_text(counts[j], hidden[j], FEWEST)
    if number == NOT_TOLD:
        # it is hidden only where few people are anything else
        number = f"all but fewer than {FEWEST}"
    if stuck and auditor.task == "preclusion":
        who = f"{number.capitalize()} of {n:,} people"
        # drawn points may have missed a rare way
        rarely = "" if results.loc[hit, "exact"].all() else ", or hardly"
        wrong = f"{who} cannot get {target}{rarely}, whatever they do."
    elif stuck:
        wrong = f"For {number} of {n:,} people less than {most} leads to {target}."
    else:
        wrong = f"For {number} of {n:,} people {most} or more leads to {target}."
    if not hit.any():
        wrong = f"Nobody of {n:,} people was found {_WHO[harm]} {target}."
    bad = f"{share_text(counts[j], n, hidden[j], FEWEST)} of those audited.".capitalize()
    if hidden[j] and counts[j] >= FEWEST:
        bad = "Nearly all of those audited."
    if groups is not None:
        bad += _by_group(groups, harm)
    return Glance(
        wrong,
        bad,
        sure(auditor),
        _advice(bool(hit.any()), stuck, _missing(auditor)),
        (2 if hit.any() else int(open_.any())),
    )


def _by_group(groups: pd.DataFrame, harm: str) -> str:
    """The range of a share over groups, "" where less than two are told."""
    known = groups[groups[harm].str.match(r"\d")]
    if len(known) < 2:
        return ""
    worst, best = known.iloc[0], known.iloc[-1]
    if best[harm] == worst[harm]:
        said = " The share is the same in the groups that are told of."
    else:
        # the share of everybody may lie beyond those that are told
        which = "By group" if len(known) == len(groups) else "Among groups whose share is told"
        said = (
            f" {which}, from {best[harm]} ({best['group']}, {best['n_people']:,} people) to "
            f"{worst[harm]} ({worst['group']}, {worst['n_people']:,} people)."
        )
    others = " What is not told of the others may be less or more."
    return said + (others if len(known) < len(groups) else "")


def _missing(auditor: ResponsivenessAuditor) -> str:
    """How many rules the actions lack, "" where none was seen."""
    n = len(auditor._possible.get("missing", []))
    return counted(n, "rule") if n else ""


_WHO = {"unresponsive": "to be shut out from", "responsive": "who can easily get"}


def _advice(found: bool, stuck: bool, rules: str = "") -> str:
    checked = "Check that the actions below are what people can really do"
    if rules:
        single, be = ("s", "was") if rules.startswith("1 ") else ("", "were")
        checked = (
            f"First add the {rules} that hold{single} in every row and {be} left out (named under "
            "what people can do), and audit again: without them people may seem to have ways that "
            "nobody has. " + checked
        )
    if not found:
        return f"{checked}, and audit again when the model or the people change."
    if stuck:
        return (
            f"{checked}. Then find out who they are ({HOW} says how) and which columns hold them "
            "back, and do not tell them that they could do something about it."
        )
    return (
        f"{checked}. Then see which columns are easily changed ({HOW} says how), and do not let "
        "the model rest on what can be changed without any merit."
    )


def _answer(auditor: ResponsivenessAuditor) -> list[str]:
    n = n_audited(auditor)
    everybody = auditor._data_facts["rows"]
    if n < FEWEST:
        return [
            f"{n:,} of {everybody:,} people were audited.",
            "They are too few to say more here without pointing at somebody.",
        ]
    said = [auditor.summary(), sure(auditor)]
    if auditor.task == "preclusion":
        said.append("Responsive means here that at least one way was found.")
    else:
        said.append(
            f"The threshold between responsive and not is {share(auditor.epsilon)} of the actions."
        )
    return said


def _results(
    auditor: ResponsivenessAuditor, groups: pd.DataFrame | None, few: bool
) -> list[tuple[str, list[Html]]]:
    actions = ("What people can do", _actions(auditor))
    if few:
        return [actions]
    results, n, times = auditor.results_, n_audited(auditor), how_many(auditor.results_)
    counts, hidden = verdict_counts(auditor)
    verdicts = numbers_told(pd.DataFrame({"verdict": VERDICTS, "people": counts}), n, hidden)
    verdicts = verdicts.sort_values(
        "verdict", key=lambda names: names != harmful(auditor.direction_), kind="stable"
    )
    known = results["responsiveness"].notna().to_numpy()
    n_known, bins = int(times[known].sum()), pd.DataFrame(columns=["people"])
    if n_known >= FEWEST:
        bins = people_by_bin(results["responsiveness"][known], times[known])
    bins = bins.assign(share=bins["people"] / max(n_known, 1))
    by_method = pd.Series(times).groupby(results["method"].map(_method).to_numpy(), sort=False)
    methods = by_method.sum().rename_axis("method").reset_index(name="people")
    methods = numbers_told(methods, n)
    parts = [("Verdicts", [table(verdicts, _VERDICTS, "Verdicts of all who were audited.")])]
    if groups is not None:
        order = "the worst first"
        if (groups[harmful(auditor.direction_)] == NOT_TOLD).any():
            order = "the worst of those told first; what is not told comes last and may be worse"
        caption = f"Verdicts by group, {order}; none of fewer than {FEWEST} people."
        parts.append(("Groups", [table(groups, _GROUPS, caption)]))
    parts += [
        actions,
        *(
            [("Responsiveness", [table(bins, _BINS, "People by the share of actions that help.")])]
            if len(bins)
            else []
        ),
        ("How sure it is", [table(methods, _METHODS, "People by how their points were found.")]),
    ]
    # not computed for the page: each column is an audit of its own
    attributions = vars(auditor).get("_attributions")
    if attributions is not None:
        by_column = tallied(attributions.assign(verdict=""), attributions["feature"])
        frame = by_column.rename(columns={"n_people": "people"}).reset_index()
        frame = frame.sort_values("responsiveness", ascending=False, kind="stable")
        caption = "What each column does alone, mean over people."
        parts.append(("Column by column", [table(frame, _ATTRIBUTIONS, caption)]))
    return parts


def _method(text: str) -> str:
    """How points were found, without what is said of one person."""
    if text == "all points":
        return "all points were listed"
    if "by importance" in text:
        return "points near the decision boundary were drawn more often, and weighed"
    found = re.match(r"(\d+) draws", text)
    if not found:
        return "no points within the rules were found"
    kind = ", by dependent draws" if "hit-and-run" in text else ""
    return f"{found[1]} points were drawn{kind}"


def _actions(auditor: ResponsivenessAuditor) -> list[Html]:
    """What can be changed. Values of other columns could tell who the people are."""
    possible = auditor._possible
    elements = possible["elements"]
    frame = elements.assign(
        range=[_range(each) for each in elements.itertuples()],
        change=[_change(each) for each in elements["change"]],
    )
    parts = [
        table(frame, _ELEMENTS, "Columns that people can act on."),
        paragraph(f"{possible['fixed']:,} columns cannot be acted on."),
    ]
    if possible["rules"]:
        parts += [
            paragraph("Rules that hold as well:"),
            bullets(f"`{rule}`" for rule in possible["rules"]),
        ]
    missing = possible.get("missing", [])
    if missing:
        parts += [
            paragraph(
                "Rules that hold in every row of the data and are not among these, so that people "
                "could be given what nobody can have. Then somebody who has no way can seem to "
                "have one:"
            ),
            bullets(f"`{rule}`" for rule in missing),
        ]
    limits = {
        "Threshold (epsilon)": share(auditor.epsilon),
        "Level of tests (alpha)": share(auditor.alpha),
        "Points drawn for a person who has too many to list": f"{auditor.n_samples_:,}",
    }
    return [*parts, facts(limits, "How it is tested.")]


def _range(element: ActionElement) -> str:
    if element.kind != "categorical":
        return f"{cell(element.lb)} to {cell(element.ub)}"
    values = list(map(str, element.values))
    more = f" and {len(values) - MOST_VALUES:,} more" if len(values) > MOST_VALUES else ""
    return ", ".join(values[:MOST_VALUES]) + more


def _change(limits: tuple[Any, Any] | None) -> str:
    """How far a value may go from the present one."""
    if limits is None:
        return "within the values"
    names = ("decrease", "less"), ("increase", "more")
    ends = [
        f"any {way}"
        if limit is None
        else f"no {way}"
        if str(limit).strip("+-% .0") == ""
        else f"{str(limit).strip('+- ').replace('%', ' %')} {word}"
        for limit, (way, word) in zip(limits, names, strict=True)
    ]
    return f"{ends[0]}, {ends[1]}" if "no" in ends[0][:2] else f"{ends[0]} to {ends[1]}"


def _actions_as_code(auditor: ResponsivenessAuditor) -> tuple[list[str], str]:
    """Lines that make the action set from the data, or what it was where there are none."""
    settings = auditor._possible["settings"]
    text = pprint.pformat(settings, sort_dicts=False, width=88)
    try:
        known = ast.literal_eval(text) == settings
    except (SyntaxError, ValueError):
        known = False
    if settings is None or not known:
        return [], f"{shown(auditor.actions)}, which holds what cannot be written as text"
    return [
        "# what people can do; the other columns are as in the data",
        f"settings = {text}",
        "columns = ActionSet.from_data(X, actionable=[]).to_dict()['columns']",
        "settings['columns'] = columns | settings['columns']",
        "actions = ActionSet.from_dict(settings)",
    ], "made above"


def _pictures(auditor: ResponsivenessAuditor, few: bool) -> list[Picture]:
    computed, times = vars(auditor).get("_attributions") is not None, how_many(auditor.results_)
    display = ResponsivenessDisplay.from_auditor(auditor, attributions=computed)
    if not few:
        # a finer curve would tell of single people what the table does not
        display.results = display.results.assign(
            responsiveness=at_upper_ends(display.results["responsiveness"], times)
        )
    pictures = []
    if not few:
        shares = auditor.by_group()[list(VERDICTS)].iloc[0]
        said = ", ".join(f"{verdict} {percent(share)}" for verdict, share in shares.items())
        verdicts = [
            Picture(
                "Shares of verdicts.",
                f"One bar: {said}.",
                partial(display.plot, "verdicts"),
                (6.5, 1.8),
                hints=False,
            )
        ]
        curve = [
            Picture(
                "The share of people whose responsiveness is at most what is below it, in the bins "
                "of the table; the grey line is the threshold.",
                "A rising curve of the share of people by responsiveness; the table has the "
                "numbers.",
                partial(display.plot, "distribution"),
            )
        ]
        pictures = [
            # numbers on its bars would tell what the table does not
            *([] if verdict_counts(auditor)[1].any() else verdicts),
            *(curve if auditor.results_["responsiveness"].notna() @ times >= FEWEST else []),
        ]
        if computed:
            pictures.append(
                Picture(
                    "What each column does alone, with a 95 % interval over people.",
                    "Bars of the mean responsiveness to each column; the table has the numbers.",
                    partial(display.plot, "attributions"),
                    hints=False,
                )
            )
    if not auditor.results_["exact"].all() and not auditor._by_importance:
        pictures.append(
            Picture(
                "How likely the claim is for a person of a given true responsiveness. Where the "
                "curve is low, people stay undecided.",
                f"A curve of the chance of a claim with {auditor.n_samples_} points a person.",
                partial(display.plot, "power"),
            )
        )
    return pictures


def _limits(auditor: ResponsivenessAuditor, asked: Asked) -> list[str]:
    results, n, times = auditor.results_, n_audited(auditor), how_many(auditor.results_)
    n_left = auditor._data_facts["rows"] - n
    limits = [
        "What people can do is what the actions above say. Ways that they leave out were not "
        "looked at, and what they allow may be hard in life.",
        "All actions of a person count alike: responsiveness says how wide the ways are, not how "
        "likely people are to take them.",
        "A changed prediction is not a changed life: that the model says otherwise does not make "
        "it so.",
        "One fitted model was audited. After it is trained again, verdicts may differ.",
        "Single people are not shown on this page.",
    ]
    if asked.by is None:
        limits.append(
            "Groups of people were not compared; `write_html(…, by=…)` and `by_group(…)` do so."
        )
    else:
        limits.append("Whether groups differ by more than chance was not tested.")
    if getattr(auditor, "interrupted_", False):
        limits.insert(0, f"The audit was ended early: {n_left:,} people were not audited.")
    elif n_left:
        limits.append(
            f"{n_left:,} people of the data were not audited: they are not of the population."
        )
    sampled = int(~results["exact"] @ times)
    some = "some" if min(sampled, n - sampled) in range(1, FEWEST) else f"{sampled:,}"
    if sampled and n >= FEWEST:
        limits.append(
            f"For {some} people only a sample of what they can do was looked at. A rare way "
            "may have been missed."
        )
    if sampled and auditor.multiplicity is None:
        limits.append("Nothing is adjusted for the number of people who were tested.")
    unsound = int((~results["exact"] & results["ci_low"].isna()) @ times)
    if unsound and n >= FEWEST:
        limits.append(
            f"For {number_text(unsound, unsound < FEWEST, FEWEST)} people points could not be "
            "drawn independently; there is no test."
        )
    if vars(auditor).get("_attributions") is None:
        limits.append("What each column does alone was not computed (`attributions_`).")
    return limits
