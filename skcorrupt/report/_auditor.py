"""What a responsiveness audit has to say, without showing anybody."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from skcorrupt.responsiveness import ResponsivenessDisplay
from skcorrupt.utils._as_text import cell, percent

from ._content import Content, Data, Picture, Repeat
from ._html import Html, bullets, paragraph
from ._settings import shown
from ._tables import Column, facts, table

if TYPE_CHECKING:
    from skcorrupt.responsiveness import ActionElement, ResponsivenessAuditor

# what is said of fewer people could be said of one of them
FEWEST = 5
MOST_VALUES = 12
N_BINS = 10
VERDICTS = ("responsive", "unresponsive", "undecided")
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
    Column("range", "From and to", meaning="Bounds, or the values there are."),
    Column("direction", "Direction"),
    Column("step", "Step"),
]


def auditor_content(auditor: ResponsivenessAuditor) -> Content:
    """Collect what is known of a fitted auditor, in numbers of people only.

    Parameters
    ----------
    auditor : ResponsivenessAuditor
        The fitted auditor.

    Returns
    -------
    Content
        For the page.
    """
    given = {
        "estimator": f"the fitted model, {shown(auditor.estimator)}",
        "actions": f"{shown(auditor.actions)}; actions.to_dict() keeps one as text",
    }
    few = len(auditor.results_) < FEWEST
    return Content(
        heading="Who can, and who cannot, change their prediction",
        question=QUESTIONS.get(auditor.task, QUESTIONS[None]).format(
            target=_target(auditor._target)
        )
        + " Responsiveness is the share of a person's possible actions that lead there.",
        answer=_answer(auditor),
        results=_results(auditor, few),
        pictures=_pictures(auditor, few),
        limits=_limits(auditor),
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
        repeat=Repeat("auditor", "fit(X)", ["print(auditor.summary())"], given),
        no_pictures=(
            f"Pictures of fewer than {FEWEST} people would show single persons; they are left out."
            if few
            else ""
        ),
    )


def _target(target: Any) -> str:
    """What is asked for, as a part of a sentence."""
    if isinstance(target, str) and target == "flip":
        return "another prediction than the present one"
    return f"the prediction `{shown(target)}`"


def _answer(auditor: ResponsivenessAuditor) -> list[str]:
    results, n = auditor.results_, len(auditor.results_)
    everybody = auditor._data_facts["rows"]
    if n < FEWEST:
        return [
            f"{n:,} of {everybody:,} people were audited.",
            "They are too few to say more here without pointing at somebody.",
        ]
    said = [auditor.summary()]
    exact = int(results["exact"].sum())
    said.append(
        f"For {exact or 'none'} of them all actions were looked at, so that the verdict is certain"
        + ("." if exact == n else "; for all others it is estimated from a sample and tested.")
    )
    if auditor.task == "preclusion":
        said.append("Responsive means here that at least one way was found.")
    else:
        said.append(
            f"The threshold between responsive and not is {percent(auditor.epsilon)} of the "
            "actions."
        )
    return said


def _results(auditor: ResponsivenessAuditor, few: bool) -> list[tuple[str, list[Html]]]:
    actions = ("What people can do", _actions(auditor))
    if few:
        return [actions]
    results, n = auditor.results_, len(auditor.results_)
    shares = auditor.by_group()[list(VERDICTS)].iloc[0]
    verdicts = shares.rename_axis("verdict").reset_index(name="share")
    verdicts["people"] = (verdicts["share"] * n).round().astype(int)
    known = results["responsiveness"].dropna()
    # the ends are of interest of their own: nothing helps, everything does
    edges = np.linspace(0, 1, N_BINS + 1)
    inner = known[(known > 0) & (known < 1)]
    within = np.histogram(inner, edges)[0]
    names = [f"{percent(a)} to {percent(b)}" for a, b in pairwise(edges)]
    names[0] = f"above 0 to {percent(edges[1])}"
    names[-1] = f"{percent(edges[-2])} to below 100 %"
    bins = pd.DataFrame(
        {
            "responsiveness": ["0 %", *names, "100 %"],
            "people": [int((known == 0).sum()), *within.tolist(), int((known == 1).sum())],
        }
    )
    bins["share"] = bins["people"] / max(len(known), 1)
    counts = results["method"].map(_method).value_counts(sort=False)
    methods = counts.rename_axis("method").reset_index(name="people")
    parts = [
        ("Verdicts", [table(verdicts, _VERDICTS, "Verdicts of all who were audited.")]),
        ("Responsiveness", [table(bins, _BINS, "People by the share of actions that help.")]),
        ("How sure it is", [table(methods, _METHODS, "People by how their points were found.")]),
    ]
    # not computed for the page: each column is an audit of its own
    attributions = vars(auditor).get("_attributions")
    if attributions is not None:
        grouped = attributions.groupby("feature", sort=False)["responsiveness"]
        frame = grouped.agg(["mean", "size"]).reset_index()
        frame.columns = ["feature", "responsiveness", "people"]
        frame = frame.sort_values("responsiveness", ascending=False, kind="stable")
        caption = "What each column does alone, mean over people."
        parts.append(("Column by column", [table(frame, _ATTRIBUTIONS, caption)]))
    return [*parts, actions]


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
    frame = elements.assign(range=[_range(each) for each in elements.itertuples()])
    parts = [
        table(frame, _ELEMENTS, "Columns that people can act on."),
        paragraph(f"{possible['fixed']:,} columns cannot be acted on."),
    ]
    if possible["rules"]:
        parts += [
            paragraph("Rules that hold as well:"),
            bullets(f"`{rule}`" for rule in possible["rules"]),
        ]
    limits = {
        "Threshold (epsilon)": percent(auditor.epsilon),
        "Level of tests (alpha)": percent(auditor.alpha),
        "Points drawn for a person who has too many to list": f"{auditor.n_samples_:,}",
    }
    return [*parts, facts(limits, "How it is tested.")]


def _range(element: ActionElement) -> str:
    if element.kind != "categorical":
        return f"{cell(element.lb)} to {cell(element.ub)}"
    values = list(map(str, element.values))
    more = f" and {len(values) - MOST_VALUES:,} more" if len(values) > MOST_VALUES else ""
    return ", ".join(values[:MOST_VALUES]) + more


def _pictures(auditor: ResponsivenessAuditor, few: bool) -> list[Picture]:
    computed = vars(auditor).get("_attributions") is not None
    display = ResponsivenessDisplay.from_auditor(auditor, attributions=computed)
    pictures = []
    if not few:
        shares = auditor.by_group()[list(VERDICTS)].iloc[0]
        said = ", ".join(f"{verdict} {percent(share)}" for verdict, share in shares.items())
        pictures = [
            Picture(
                "Shares of verdicts.",
                f"One bar: {said}.",
                partial(display.plot, "verdicts"),
                (6.5, 1.8),
            ),
            Picture(
                "The share of people whose responsiveness is at most what is below it; the dotted "
                "line is the threshold.",
                "A rising curve of the share of people by responsiveness; the table has the "
                "numbers.",
                partial(display.plot, "distribution"),
            ),
        ]
        if computed:
            pictures.append(
                Picture(
                    "What each column does alone, with a 95 % interval over people.",
                    "Bars of the mean responsiveness to each column; the table has the numbers.",
                    partial(display.plot, "attributions"),
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


def _limits(auditor: ResponsivenessAuditor) -> list[str]:
    results = auditor.results_
    n_left = auditor._data_facts["rows"] - len(results)
    limits = [
        "What people can do is what the actions above say. Ways that they leave out were not "
        "looked at, and what they allow may be hard in life.",
        "All actions of a person count alike: responsiveness says how wide the ways are, not how "
        "likely people are to take them.",
        "A changed prediction is not a changed life: that the model says otherwise does not make "
        "it so.",
        "One fitted model was audited. After it is trained again, verdicts may differ.",
        "Single people are not shown on this page, nor differences between groups of them; "
        "`summary(by=…)` and `by_group(…)` tell of groups.",
    ]
    if n_left:
        limits.append(
            f"{n_left:,} people of the data were not audited: they are not of the population."
        )
    sampled = int((~results["exact"]).sum())
    if sampled and len(results) >= FEWEST:
        limits.append(
            f"For {sampled:,} people only a sample of what they can do was looked at. A rare way "
            "may have been missed."
        )
    if sampled and auditor.multiplicity is None:
        limits.append("Nothing is adjusted for the number of people who were tested.")
    unsound = int((~results["exact"] & results["ci_low"].isna()).sum())
    if unsound and len(results) >= FEWEST:
        limits.append(
            f"For {unsound:,} people points could not be drawn independently; there is no test."
        )
    if vars(auditor).get("_attributions") is None:
        limits.append("What each column does alone was not computed (`attributions_`).")
    return limits
