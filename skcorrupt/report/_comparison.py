"""What a comparison of pipelines has to say."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from skcorrupt.corruptions._kind_in_words import OTHER, kind_in_words
from skcorrupt.robustness import RobustnessComparison, RobustnessComparisonDisplay
from skcorrupt.robustness._comparison_in_words import comparison_unit, kept_score
from skcorrupt.utils._as_text import counted, interval, score

from ._content import Asked, Content, Data, Glance, Picture, Repeat
from ._html import Html, bullets, paragraph
from ._tables import OF_WHICH, Column, capital, table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_KINDS = 4
MOST_TOLD = 6
_RESULTS = [
    Column("estimator", "Pipeline"),
    Column("corruption", "Error"),
    Column("budget", "Rows struck", "share", "Largest share of the rows that is struck."),
    Column(
        "rank",
        "Rank",
        meaning="By the worst score; places such as 1–2 are not told apart by the tests.",
    ),
    Column("clean", "Clean", "score", "Score without errors, mean over the splits."),
    Column("random", "Random", "score", "With errors of the same size at random places."),
    Column("worst", "Worst", "score", "With the worst error that was found for any pipeline."),
    Column("worst_from", "Found for", meaning="The pipeline whose search found it."),
    Column("confirmed_clean", "Clean, confirmed", "score", "On rows that no search saw."),
    Column("confirmed", "Worst, confirmed", "score", "On the same rows, mean over 20 draws."),
    Column("confirmed_interval", "Interval", meaning="Of the worst confirmed score."),
]
_ERRORS = [
    *_RESULTS[:3],
    Column("columns", "In columns"),
    Column("pattern", "Where"),
    Column("rate", "Share of those rows", "percent", OF_WHICH),
    Column("drop", "Drop", "score", "Clean less worst score on the splits."),
]
_PAIRS = [
    Column("estimator", "Better"),
    Column("other", "Than"),
    Column("corruption", "Error"),
    Column("budget", "Rows struck", "share"),
    Column("difference", "By", "score", "Difference of the scores that ranks go by."),
    Column(("difference_low", "difference_high"), "Interval", "score"),
    Column("p_adjusted", "p-value", "chance", "Adjusted for all pairs, errors and budgets."),
    Column("significant", "Real", meaning="The p-value is at most `alpha`."),
]
_TRANSFER = [
    Column("found_for", "Found for"),
    Column("scored_on", "Scored on"),
    Column("corruption", "Error"),
    Column("budget", "Rows struck", "share"),
    Column("score", "Score", "score"),
    Column("drop", "Drop", "score", "Clean less this score."),
    Column("message", "Remarks"),
]


def comparison_content(comparison: RobustnessComparison, asked: Asked) -> Content:
    """Collect what is known of a comparison.

    Parameters
    ----------
    comparison : RobustnessComparison
        As `compare_robustness` returns it.
    asked : Asked
        What labels mean.

    Returns
    -------
    Content
        For the page.
    """
    results = comparison.results_
    kinds = ", ".join(map(kind_in_words, results["corruption"].unique()))
    names = results["estimator"].nunique()
    most = 100 * float(results["budget"].max())
    where = {
        "train": "the training data",
        "test": "the rows that models are served",
        "both": "the training data and the rows that models are served",
    }[comparison.settings.get("apply_to", "train")]
    pictures = _pictures(comparison)
    return Content(
        heading="Which pipeline stands errors best",
        glance=_glance(comparison),
        question=(
            f"If up to {most:g} % of {where} go wrong ({kinds}) in the way that hurts most, "
            f"what is left of {counted(names, 'pipeline')}, and which stands it best?"
        ),
        answer=[*comparison.sentences(), *asked.legend()],
        results=_results(comparison),
        pictures=pictures,
        limits=_limits(comparison),
        data=Data(**comparison._data_facts),
        seed=comparison.seed_,
        repeat=Repeat("comparison", fit="", after=["print(comparison.summary())"]),
        no_pictures="" if pictures else "Nothing could be scored, so there is nothing to draw.",
    )


def _glance(comparison: RobustnessComparison) -> Glance:
    results = comparison.results_
    here = results[(results["budget"] == results["budget"].max()) & results["worst"].notna()]
    rows = [
        dict(
            zip(
                ("name", "kind", "clean", "worst"),
                (row["estimator"], row["corruption"], *kept_score(row)[:2]),
                strict=True,
            )
        )
        for _, row in here.iterrows()
    ]
    if not rows:
        return Glance(
            "Not known: nothing could be compared.",
            "Not known.",
            "Not at all.",
            "See the remarks below the table of results.",
            harm=1,
        )
    unit = comparison_unit(comparison.results_)
    worst = max(rows, key=lambda row: row["clean"] - row["worst"])
    ranks = comparison.ranks_
    n_real = int(ranks["significant"].sum()) if len(ranks) else 0
    confirmed = here["confirmed"].notna().any()
    falls = worst["clean"] > worst["worst"]
    return Glance(
        f"{kind_in_words(worst['kind']).capitalize()} can take the {comparison.metric_name_} of "
        f"`{worst['name']}` down the most"
        + ("." if n_real else ", but pipelines cannot be told apart by more than chance.")
        if falls
        else "No error that was found takes the score of any pipeline down.",
        f"{capital(comparison.metric_name_)}, clean → worst: "
        + ", ".join(
            f"`{row['name']}` {score(row['clean'], unit)} → {score(row['worst'], unit)} "
            f"({kind_in_words(row['kind'])})"
            for row in sorted(rows, key=lambda row: row["worst"] - row["clean"])[:MOST_TOLD]
        )
        + (f", and {len(rows) - MOST_TOLD} more below." if len(rows) > MOST_TOLD else "."),
        f"{capital(counted(n_real, 'difference'))} between pipelines can be told from chance, of "
        f"{counted(len(ranks), 'pair')}. "
        + (
            "Scores are on rows that no search saw."
            if confirmed
            else "Nothing was confirmed on rows of its own: drops look worse than they are."
        ),
        _advice(here),
        harm=2 if falls and confirmed else 1 if falls else 0,
    )


def _results(comparison: RobustnessComparison) -> list[tuple[str, list[Html]]]:
    frame = comparison.results_
    kept = (kept_score(row) for _, row in frame.iterrows())
    harm = [clean - worst for clean, worst, _ in kept]
    frame = _worst_first(_in_words(frame.assign(harm=harm)), "harm")
    ends = zip(frame["confirmed_low"], frame["confirmed_high"], strict=True)
    unit = comparison_unit(frame)
    texts = [interval(low, high, unit=unit) for low, high in ends]
    frame = frame.assign(confirmed_interval=texts)
    shown = frame
    if frame["confirmed"].isna().all():
        shown = frame.drop(columns=["confirmed", "confirmed_clean", "confirmed_interval"])
    level = 100 * (1 - comparison.alpha)
    found = frame[frame["worst_from"].astype(bool)]
    parts = [
        (
            "How bad, and for whom",
            [
                table(
                    shown,
                    _RESULTS,
                    "One row per pipeline, error and budget, the largest drops first. Intervals "
                    f"are {level:g} % intervals.",
                    order="the largest drops",
                ),
                *_remarks(frame),
            ],
        ),
        (
            "What the worst errors are",
            [
                table(
                    _worst_first(found, "drop"),
                    _ERRORS,
                    "The worst error of each, as a pattern of rows, the largest drops first.",
                    order="the largest drops",
                )
            ],
        ),
        (
            "Which differences are real",
            [
                table(
                    _in_words(comparison.ranks_).sort_values("p_adjusted", kind="stable"),
                    _PAIRS,
                    "Pairs of pipelines, the better one first; the surest differences first.",
                    order="the surest differences",
                )
            ],
        ),
    ]
    transfer = comparison.transfer_
    if transfer["scored_on"].nunique() > 1:
        if not transfer["message"].astype(bool).any():
            transfer = transfer.drop(columns="message")
        caption = "What the worst error found for one pipeline does to another, the most first."
        largest = _worst_first(_in_words(transfer), "drop")
        across = table(largest, _TRANSFER, caption, order="the largest drops")
        parts.append(("Whether one error breaks all", [across]))
    return parts


def _in_words(frame: pd.DataFrame) -> pd.DataFrame:
    """The same with kinds of error as sentences call them."""
    called = [kind_in_words(kind).removeprefix(OTHER) for kind in frame["corruption"]]
    return frame.assign(corruption=called)


def _worst_first(frame: pd.DataFrame, drop: str) -> pd.DataFrame:
    return frame.sort_values(drop, ascending=False, kind="stable")


def _remarks(frame: pd.DataFrame) -> list[Html]:
    """What is to be said of rows, which budgets share."""
    about: dict[str, dict[str, None]] = {}
    for row in frame[frame["message"].astype(bool)].to_dict("records"):
        which = f"`{row['estimator']}` under {row['corruption']}"
        about.setdefault(row["message"], {})[which] = None
    said = [f"{', '.join(which)}: {message}" for message, which in about.items()]
    return [paragraph("Remarks:"), bullets(said)] if said else []


def _pictures(comparison: RobustnessComparison) -> list[Picture]:
    display = RobustnessComparisonDisplay.from_comparison(comparison)
    results, transfer = comparison.results_, comparison.transfer_
    pictures = []
    kinds = [str(kind) for kind in results.loc[results["worst"].notna(), "corruption"].unique()]
    for kind in kinds[:MOST_KINDS]:
        called = kind_in_words(kind)
        pictures.append(
            Picture(
                f"{capital(called)}: the score of every pipeline under its worst error, by the "
                "share of rows struck, with intervals.",
                f"Curves of the worst score of each pipeline under {called}; the table of results "
                "has the numbers.",
                partial(_plot, display, "curves", kind),
                (6.5, 4.2),
            )
        )
        part = transfer[transfer["corruption"] == kind]
        n = part["scored_on"].nunique()
        if n > 1:
            pictures.append(
                Picture(
                    f"{capital(called)}: what the worst error for one pipeline (row) takes from "
                    "the score of another (column), at the largest budget.",
                    f"Map of drops by pipeline under {called}; the last table of results has the "
                    "numbers.",
                    partial(_plot, display, "transfer", kind),
                    (3.2 + 0.8 * n, 2.2 + 0.5 * part["found_for"].nunique()),
                )
            )
    return pictures


def _advice(here: pd.DataFrame) -> str:
    """Which pipeline to take, as far as one is ahead."""
    ahead = here[here["rank"] == "1"]
    unsure = [kind for kind in here["corruption"].unique() if kind not in set(ahead["corruption"])]
    said = [
        f"`{name}`, which stands {_kinds_in_words(rows['corruption'])} best"
        for name, rows in ahead.groupby("estimator", sort=False)
    ]
    said = [f"Take {', or '.join(said)}."] if said else []
    if said and unsure:
        said.append(f"Under {_kinds_in_words(unsure)} none is ahead of all others for sure.")
    return " ".join(said) or (
        "None is ahead of all others for sure: choose by other reasons, or confirm on more rows."
    )


def _kinds_in_words(kinds: Iterable[str]) -> str:
    return " and ".join(map(kind_in_words, kinds))


def _plot(display: RobustnessComparisonDisplay, kind: Any, corruption: str, ax: Axes) -> None:
    display.plot(kind, ax=ax, corruption=corruption)


def _limits(comparison: RobustnessComparison) -> list[str]:
    results = comparison.results_
    kinds = ", ".join(map(kind_in_words, results["corruption"].unique()))
    limits = [
        f"Only these kinds of error were searched: {kinds}.",
        "A search looks at patterns that people can read, within `space`. Errors that follow no "
        "such pattern, or that strike more rows, can do more harm.",
        "Pipelines were taken as they are set; they were not tuned again for data with errors.",
    ]
    if comparison.interrupted_:
        limits.insert(0, "The comparison was ended early: less was tried than set.")
    if results["confirmed"].isna().all():
        limits.append(
            "The worst errors were not confirmed on rows of their own. Scores on the splits of the "
            "search make errors look worse than they are on new rows."
        )
    else:
        limits.append(
            "Models were fitted once, on the rows searched. Intervals and tests are for other rows "
            "to score on, not for other rows to fit on."
        )
    if len(comparison.ranks_):
        limits.append("That a difference is not told from chance does not show that there is none.")
    failed = _names(results[results["status"].isin(["failed", "not searched"])])
    if failed:
        limits.append(f"Not compared, as the remarks below the first table say: {failed}.")
    return limits


def _names(rows: pd.DataFrame) -> str:
    pairs = rows[["estimator", "corruption"]].drop_duplicates()
    return ", ".join(
        f"`{name}` under {kind_in_words(kind)}"
        for name, kind in pairs.itertuples(index=False, name=None)
    )
