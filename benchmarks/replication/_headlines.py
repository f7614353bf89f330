"""What each paper claims first, with a verdict from its rows and one sentence why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.replication._rows import CLOSED, NOT_RUN, SEARCHED, STEEPER, VERDICTS
from benchmarks.replication.esp._claims import METRICS
from benchmarks.replication.esp._judged import COMES
from benchmarks.replication.savage._judged import CELLS
from benchmarks.replication.savage._judged_budgets import SHOWN

Rows = Sequence[dict[str, Any]]
Claim = tuple[str, str, str]
# what stands below the counts, so that the first table is one screen
LATER = (
    "unimportant columns destabilise SGD",
    "10 of 18 orders are valid",
    "intervals hold the confidence of a label",
    "two transformers change the parity of a forest by .12",
    "stages change accuracy and F1 as in figure 4",
    "transformers have the effects of figure 5",
    "local fairness composes to the global one",
    "table 3 has the effects of scalers after under-sampling",
    "n = 254 gives a power of 80 %",
    "cancer can lower a transplant score",
    "a recidivism model fixes predictions",
)
# claims stand by the worst of their rows, those that were not run apart
JUDGED = ("reproduced", "not reproduced", "undecided")
OWN_P = "by its own printed numbers, with p-values that nested sets make too small"
WORST = ("refuted", "not reproduced", "undecided", SEARCHED, STEEPER, "misprint", "part of")


def headlines(sections: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Claims of all papers.

    Parameters
    ----------
    sections : dict of str to list of dict
        Rows by paper, as they are saved.

    Returns
    -------
    list of dict
        `paper, claim, verdict, why`, and `first`, whether it belongs on the first screen.
    """
    out = []
    for paper, rows in sections.items():
        for claim, verdict, why in CLAIMS[paper](rows):
            told = {"claim": claim, "verdict": verdict, "why": why}
            out.append({"paper": paper, **told, "first": claim not in LATER})
    return out


def _named(rows: Rows, *parts: str) -> list[dict[str, Any]]:
    """Rows whose place or setting has one of some parts of text."""
    found = [row for row in rows if any(part in f"{row['where']}: {row['what']}" for part in parts)]
    if not found:
        raise ValueError(f"parts={parts} should be in a row.")
    return found


def _verdict(rows: Rows) -> str:
    """The worst verdict of some rows that were run, or that they were not."""
    given = {row["verdict"] for row in rows}
    for verdict in (*WORST, "beaten", "reproduced", NOT_RUN):
        if verdict in given:
            return verdict
    return CLOSED


def _common(rows: Rows) -> str:
    """The verdict that most rows have."""
    return Counter(row["verdict"] for row in rows).most_common(1)[0][0]


def _counts(rows: Rows) -> str:
    """How many numbers have each verdict."""
    given: Counter[str] = Counter()
    for row in rows:
        given[row["verdict"]] += row["n_printed"]
    return ", ".join(f"{given[verdict]} {verdict}" for verdict in VERDICTS if given[verdict])


def _printed(rows: Rows) -> str:
    return " and ".join(", ".join(row["printed"]) for row in rows)


def _ours(rows: Rows) -> str:
    return "; ".join(dict.fromkeys(row["ours"] or "nothing" for row in rows))


def _savage(rows: Rows) -> list[Claim]:
    five, other = _named(rows, "abstract: errors")
    # those of table 9 are among the cells
    cells = [row for row in rows if row["source"] == CELLS and row["where"] != "table 9"]
    given = Counter(row["verdict"] for row in cells if row["ours"])
    (rising,) = _named(rows, "curves that get better")
    drawn = [row for row in _named(rows, "random search, ") if row["verdict"] != NOT_RUN]
    allowed, forced = _named(rows, "random search, mean imputer")
    beam = _named(rows, "beam search, mean imputer")
    coverage = _named(rows, "section 5.3.2: coverage")
    worst = _named(rows, "coverage, worst missing values")
    (cleaned,) = _named(rows, "cleaning does not save")
    # after what was said of the random graphs themselves
    small = str(forced["why"]).rpartition("; ")[2]
    return [
        (
            "errors in around 5 % of the rows severely impact models",
            five["verdict"],
            f"Adult: {_short(five)}, shown as {' and '.join(v[0] for v in SHOWN.values())}, "
            f"which are 10 %; Employee: {_short(other)}",
        ),
        (
            "the search finds the errors that harm most",
            _verdict([rising, *cells]),
            f"{rising['ours']} of its curves get better with more errors, and {given['beaten']} of "
            f"{given.total()} of its worst cases are beaten",
        ),
        (
            "beam search is far ahead of random search, .39 to .80",
            _verdict([*beam, *drawn]),
            f"{_ours(beam)} and {allowed['ours']}, by imputer {_counts(drawn)}; but random graphs "
            f"{small}",
        ),
        (
            "cleaning does not save a pipeline",
            cleaned["verdict"],
            str(cleaned["ours"] or NOT_RUN).partition("; ")[0],
        ),
        (
            "missing values break the coverage of conformal prediction",
            _verdict(worst),
            f"it falls by {_ours(coverage)} on rows that were searched; on new ones it may not",
        ),
    ]


def _short(row: dict[str, Any]) -> str:
    return str(row["ours"] or NOT_RUN)


def _esp(rows: Rows) -> list[Claim]:
    (link,) = _named(rows, "always predictable")
    gains, minority = (_named(rows, f"{metric}: of them") for metric in METRICS)
    back = [
        f"{_printed([row])} ({row['what'].rpartition(' the ')[2].partition(':')[0]})"
        for row in _named(rows, "table 3: ")
        if str(row["why"]).startswith(COMES)
    ]
    sensitive = _named(rows, f"{METRICS[0]}: SGD is most sensitive")
    (harm,) = _named(rows, "columns of little importance")
    return [
        (
            "harm is not always predictable from correlation",
            link["verdict"],
            f"{link['ours']} between correlation and size of effect",
        ),
        (
            "in 91 and 86 % of significant scenarios errors help",
            _verdict(gains),
            f"{_ours(gains)} by the majority's F1, which is the paper's, {_ours(minority)} by the "
            f"minority's; only its tool's baselines bring {' and '.join(back)} back",
        ),
        (
            "SGD is the most sensitive model",
            _verdict(sensitive),
            f"with most significant scenarios here: {_ours(sensitive)}",
        ),
        (
            "unimportant columns destabilise SGD",
            harm["verdict"],
            f"scenarios: {harm['ours']}; {str(harm['why']).partition('; ')[0]}",
        ),
    ]


def _curation(rows: Rows) -> list[Claim]:
    public = [row for row in rows if row["source"] == "curation: table" and row["spread"]]
    (chance,) = _named(rows, "a random order counts as valid")
    bounds = _named(rows, "intervals hold the chance")
    valid = _named(rows, "own approach, valid orders")
    return [
        (
            "accuracy falls along the curated sets",
            _falling(public),
            f"in two of the three public studies of nine, by numbers {_counts(public)}; in the "
            "third no weak label is wrong",
        ),
        ("10 of 18 orders are valid", _verdict(valid), OWN_P),
        (
            "an invalid order passes the test in 1 %",
            chance["verdict"],
            f"a random order in {chance['ours']}: the sets are nested; by permutation it holds",
        ),
        (
            "intervals hold the confidence of a label",
            _verdict(bounds),
            "; ".join(f"{row['what'].rpartition(', ')[2]} {row['ours']}" for row in bounds)
            + f", {str(bounds[0]['why']).partition(';')[0]}",
        ),
    ]


def _falling(rows: Rows) -> str:
    """Whether all correlations go down, of the part that is public."""
    if not rows:
        return NOT_RUN
    return "part of" if all(float(row["ours"]) < 0 for row in rows) else "refuted"


def _fairness(rows: Rows) -> list[Claim]:
    figure_3 = _named(rows, "figure 3: ")
    figure_4 = _named(rows, "figure 4: ")
    example = _named(rows, "example 2, both")
    sampling = _named(rows, "sampling has the largest")
    figure_5 = [row for row in _named(rows, "figure 5: ") if row["verdict"] in JUDGED]
    (composes,) = _named(rows, "composes to the global")
    scalers = _named(rows, "effects of the scaler alone", "carry figure 7")
    table_3 = _named(rows, "table 3: KNC", "table 3: XGB")
    return [
        ("stages have the effects of figure 3", _common(figure_3), _counts(figure_3)),
        (
            "two transformers change the parity of a forest by .12",
            _verdict(example),
            f"{_ours(example)} over a hundred splits; one split is printed",
        ),
        (
            "stages change accuracy and F1 as in figure 4",
            _common(figure_4),
            _counts(figure_4),
        ),
        (
            "transformers have the effects of figure 5",
            _part(_common(figure_5)) if figure_5 else NOT_RUN,
            f"German, COMPAS and Adult: {_counts(figure_5)}; scalers fitted to the test rows again",
        ),
        (
            "sampling is the most unfair kind of transformer",
            _verdict(sampling),
            f"mean sizes in its own files {_ours(sampling)}",
        ),
        (
            "local fairness composes to the global one",
            composes["verdict"],
            "always, as both are the same number on the same people",
        ),
        (
            "table 3 has the effects of scalers after under-sampling",
            _verdict(scalers),
            f"both models: {_counts(table_3)}, and only where under-sampling is left out "
            "with the scaler",
        ),
    ]


def _part(verdict: str) -> str:
    """What a verdict on some of the numbers says of all."""
    return "part of" if verdict == "reproduced" else verdict


def _responsiveness(rows: Rows) -> list[Claim]:
    sizes = _named(rows, "example 4", "upper bound with 4")
    (power,) = _named(rows, "power of 254")
    transplant = [row for row in rows if row["source"] == "transplant: claims"]
    exact, convex = (
        [row for row in rows if row["what"].startswith(name) and "in truth" in row["what"]]
        for name in ("Exact", "Convex")
    )
    fixed = _named(rows, "recidivism: AUC")
    return [
        ("n = 402 gives an interval of .1", _verdict(sizes), f"exact: {_ours(sizes)}"),
        ("n = 254 gives a power of 80 %", power["verdict"], f"{power['ours']}; {power['why']}"),
        (
            "cancer can lower a transplant score",
            _verdict(transplant),
            f"{len(transplant)} claims in words: {_counts(transplant)}",
        ),
        (
            "exact reachable sets keep bots from gaming, convex ones do not",
            _verdict([*exact, *convex]),
            f"bots that can game: exact {_ours(exact)}, printed {_printed(exact[:1])}; convex "
            f"{_ours(convex[:1])}, printed {_printed(convex[:1])}; other models",
        ),
        ("a recidivism model fixes predictions", _verdict(fixed), str(fixed[0]["why"])),
    ]


CLAIMS: dict[str, Callable[[Rows], list[Claim]]] = {
    "savage": _savage,
    "esp": _esp,
    "curation": _curation,
    "fairness": _fairness,
    "responsiveness": _responsiveness,
}
