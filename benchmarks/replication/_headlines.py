"""What each paper claims first, with a verdict from its rows and one sentence why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.replication._rows import SEARCHED, STEEPER, VERDICTS
from benchmarks.replication.savage._judged import CELLS

Rows = Sequence[dict[str, Any]]
# claims stand by the worst of their rows, those that were not run apart
JUDGED = ("reproduced", "not reproduced", "undecided")
OWN_P = "by its own printed numbers, with p-values that nested sets make too small"
WORST = ("refuted", "not reproduced", "undecided", SEARCHED, STEEPER, "misprint", "part of")


def headlines(sections: dict[str, list[dict[str, Any]]]) -> list[dict[str, str]]:
    """Claims of all papers.

    Parameters
    ----------
    sections : dict of str to list of dict
        Rows by paper, as they are saved.

    Returns
    -------
    list of dict
        `paper, claim, verdict, why`.
    """
    out = []
    for paper, rows in sections.items():
        for claim, verdict, why in CLAIMS[paper](rows):
            out.append({"paper": paper, "claim": claim, "verdict": verdict, "why": why})
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
    for verdict in (*WORST, "beaten", "reproduced", "not run"):
        if verdict in given:
            return verdict
    return "not computable here"


def _common(rows: Rows) -> str:
    """The verdict that most rows have."""
    return Counter(row["verdict"] for row in rows).most_common(1)[0][0]


def _counts(rows: Rows) -> str:
    """How many rows have each verdict; one that was not run stands for all its numbers."""
    given: Counter[str] = Counter()
    for row in rows:
        given[row["verdict"]] += row["n_printed"] if row["verdict"] == "not run" else 1
    return ", ".join(f"{given[verdict]} {verdict}" for verdict in VERDICTS if given[verdict])


def _printed(rows: Rows) -> str:
    return " and ".join(", ".join(row["printed"]) for row in rows)


def _ours(rows: Rows) -> str:
    return "; ".join(dict.fromkeys(row["ours"] or "nothing" for row in rows))


def _savage(rows: Rows) -> list[tuple[str, str, str]]:
    five, other = _named(rows, "abstract: errors")
    # those of table 9 are among the cells
    cells = [row for row in rows if row["source"] == CELLS and row["where"] != "table 9"]
    allowed, forced = _named(rows, "random search, mean imputer")
    beam = _named(rows, "beam search, mean imputer")
    coverage = _named(rows, "section 5.3.2: coverage")
    worst = _named(rows, "coverage, worst missing values")
    axis = _named(rows, "budgets on the axis")
    (rising,) = _named(rows, "curves that get better")
    (cleaned,) = _named(rows, "cleaning does not save")
    # after what was said of the random graphs themselves
    small = str(forced["why"]).rpartition("; ")[2]
    return [
        (
            "errors in around 5 % of the rows severely impact models",
            five["verdict"],
            f"on Adult {five['ours']}; figure 7's 5 % were {(_ours(axis)).split(' ')[0]} %. On "
            f"Employee {other['ours']}",
        ),
        (
            "the search finds the errors that harm most",
            "beaten" if any(row["verdict"] == "beaten" for row in cells) else _verdict(cells),
            f"of its published worst cases {_counts(cells)} here; {rising['ours']} of its curves "
            "get better with more errors",
        ),
        (
            "beam search is far ahead of random search, .39 to .80",
            "part of" if allowed["verdict"] == "reproduced" else _verdict([allowed]),
            f"beam finds {_ours(beam)}, random graphs {allowed['ours']} with the label in half of "
            f"them and {forced['ours']} with it in all, those {small}: more is due to the space "
            "than to the search",
        ),
        ("cleaning does not save a pipeline", cleaned["verdict"], cleaned["ours"] or "not run"),
        (
            "missing values break the coverage of conformal prediction",
            _verdict(worst),
            f"on the rows that were searched it falls by {_ours(coverage)}, printed more than "
            f"{_printed(coverage)}; on new rows it may not fall at all",
        ),
    ]


def _esp(rows: Rows) -> list[tuple[str, str, str]]:
    (link,) = _named(rows, "always predictable")
    gains = _named(rows, "AEPC above 0")
    back = [row for row in gains if row["verdict"] == "refuted"]
    known = {tuple(row["printed"]) for row in back}
    away = {tuple(row["printed"]): row for row in gains if tuple(row["printed"]) not in known}
    sensitive = _named(rows, "SGD is most sensitive")
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
            f"with paired baselines {_ours(gains)}, whichever class is meant. {_printed(back)} "
            "comes back with the first run's baseline for all runs, as the published tool has it; "
            f"{_printed(list(away.values()))} does not",
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


def _curation(rows: Rows) -> list[tuple[str, str, str]]:
    public = [row for row in rows if row["source"] == "curation: table" and row["spread"]]
    (chance,) = _named(rows, "a random order counts as valid")
    bounds = _named(rows, "intervals hold the chance")
    (crowd, *_) = _named(rows, "Crowdsourcing, Majority Vote: rho")
    valid = _named(rows, "own approach, valid orders")
    return [
        (
            "accuracy falls along the curated sets",
            _falling(public),
            "on the public data, three of nine case studies; of the correlations of two "
            f"{_counts(public)}; on the third {str(crowd['why']).partition(';')[0]}",
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
        return "not run"
    return "part of" if all(float(row["ours"]) < 0 for row in rows) else "refuted"


def _fairness(rows: Rows) -> list[tuple[str, str, str]]:
    figure_3 = _named(rows, "figure 3: ")
    open_ = sum("printed error" in str(row["why"]) for row in figure_3)
    example = _named(rows, "example 2, both")
    sampling = _named(rows, "sampling has the largest")
    transformers = [row for row in _named(rows, "figure 5: ") if row["verdict"] in JUDGED]
    (composes,) = _named(rows, "composes to the global")
    scalers = _named(rows, "effects of the scaler alone", "carry figure 7")
    table_3 = _named(rows, "table 3: KNC")
    back = [row for row in table_3 if row["verdict"] == "reproduced"]
    return [
        (
            "stages have the effects of figure 3",
            _common(figure_3),
            f"of its numbers {_counts(figure_3)}; {open_} of those undecided by their own errors",
        ),
        (
            "two transformers change the parity of a forest by .12",
            _verdict(example),
            f"{_ours(example)} over a hundred splits; one split is printed",
        ),
        (
            "transformers have the effects of figure 5",
            "part of" if transformers else "not run",
            f"German, two models, digit by digit: {_counts(transformers)}; the scalers only where "
            "they are fitted to the test rows again",
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
            f"the numbers of {len(back)} of {len(table_3)} scalers come back where under-sampling "
            "is left out with the scaler",
        ),
    ]


def _responsiveness(rows: Rows) -> list[tuple[str, str, str]]:
    sizes = _named(rows, "example 4", "upper bound with 4")
    (power,) = _named(rows, "power of 254")
    transplant = [row for row in rows if row["source"] == "transplant: claims"]
    gaming = _named(rows, "tables 2 and 9: ")
    exact, convex = (
        [row for row in gaming if row["what"].startswith(name) and "in truth" in row["what"]]
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
            _verdict(convex),
            f"of bots {_ours(exact)} (exact) and {_ours(convex)} (convex) can game here, mean of "
            "splits that are far apart; another pool of models",
        ),
        ("a recidivism model fixes predictions", _verdict(fixed), str(fixed[0]["why"])),
    ]


CLAIMS: dict[str, Callable[[Rows], list[tuple[str, str, str]]]] = {
    "savage": _savage,
    "esp": _esp,
    "curation": _curation,
    "fairness": _fairness,
    "responsiveness": _responsiveness,
}
