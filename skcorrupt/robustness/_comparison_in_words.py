"""What a comparison found, in sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.corruptions._kind_in_words import kind_in_words
from skcorrupt.utils._as_text import interval, largest, score

from ._contest import ENDED, FAILED, LEFT

# an error breaks all where each loses at least this share of what its own worst error costs
SHARED = 0.5
MOST_NAMED = 6
CUT_SHORT = "The comparison was ended early: less was tried than set, and worse errors may exist."


def compared_in_words(
    results: pd.DataFrame, transfer: pd.DataFrame, ranks: pd.DataFrame, metric: str, alpha: float
) -> list[str]:
    """Who stands errors best, what is real of it, and whether one error breaks all.

    Parameters
    ----------
    results, transfer, ranks : DataFrame
        As those of `RobustnessComparison`.
    metric : str
        What scores are called.
    alpha : float
        Level of the tests.

    Returns
    -------
    list of str
        Sentences.
    """
    said = []
    unit = comparison_unit(results)
    for kind in results["corruption"].unique():
        here = results[results["corruption"] == kind]
        here = here[here["budget"] == here["budget"].max()]
        most = 100 * float(here["budget"].iloc[0])
        where = f"Under {kind_in_words(kind)}, in at most {most:g} % of the rows,"
        scored = here[here["rank"].astype(bool)]
        if scored.empty:
            said.append(f"{where} nothing could be compared.")
        else:
            said.append(f"{where} {_standing(scored, metric, unit)}.")
            said += _unharmed(scored, unit)
            said += [_real(kind, here, ranks, alpha, unit)] if len(scored) > 1 else []
            said += _of_one_error(kind, here, transfer, metric, unit)
        said += _failures(here, kind)
    return said


def comparison_unit(results: pd.DataFrame) -> float:
    """The unit of the scores of a comparison, as texts have it."""
    return largest(results[["clean", "worst", "confirmed_clean", "confirmed"]])


def kept_score(row: pd.Series) -> tuple[float, float, str]:
    """Clean and worst score of a pipeline, confirmed if they are, and where they are from."""
    if np.isfinite(row["confirmed"]):
        return float(row["confirmed_clean"]), float(row["confirmed"]), "on rows not searched"
    return float(row["clean"]), float(row["worst"]), "on the splits of the search"


def _standing(scored: pd.DataFrame, metric: str, unit: float) -> str:
    ahead = sorted((row for _, row in scored.iterrows()), key=lambda row: -kept_score(row)[1])
    parts = []
    for row in ahead[:MOST_NAMED]:
        clean, worst, _ = kept_score(row)
        parts.append(f"{row['estimator']} {score(clean, unit)} → {score(worst, unit)}")
    more = f" and {len(ahead) - MOST_NAMED} more" if len(ahead) > MOST_NAMED else ""
    first = ahead[0]
    scores = f"{metric} {kept_score(first)[2]}, clean → worst: {', '.join(parts)}{more}"
    if len(ahead) == 1:
        return scores
    if first["rank"] == "1":
        return f"{first['estimator']} stands them best ({scores})"
    alike = [row for row in ahead if kept_score(row)[1] == kept_score(first)[1]]
    if len(alike) == len(ahead):
        return f"all score alike ({scores})"
    if len(alike) > 1:
        names = " and ".join(str(row["estimator"]) for row in alike)
        return f"{names} score highest, but are not ahead of all others for sure ({scores})"
    return (
        f"{first['estimator']} scores highest, but is not ahead of all others for sure ({scores})"
    )


def _unharmed(scored: pd.DataFrame, unit: float) -> list[str]:
    """Pipelines that look steady as what was found for them does nothing on the other rows."""
    spared = scored[(scored["confirmed"] == scored["confirmed_clean"]) & (scored["drop"] > 0)]
    named = [
        f"{row['estimator']} ({score(row['clean'], unit)} → {score(row['worst'], unit)} on the "
        "splits of the search)"
        for _, row in spared.iterrows()
    ]
    if not named:
        return []
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return [
        "On rows not searched the errors found do nothing at all to "
        f"{', '.join(named[:MOST_NAMED])}{more}: more rows, or a larger confirm_size, may tell "
        "another order."
    ]


def _real(kind: str, here: pd.DataFrame, ranks: pd.DataFrame, alpha: float, unit: float) -> str:
    pairs = ranks[(ranks["corruption"] == kind) & (ranks["budget"] == here["budget"].iloc[0])]
    real = pairs[pairs["significant"]]
    level = f"adjusted p at most {alpha:g}"
    if real.empty:
        return f"None of the differences can be told from chance ({level})."
    named = [
        f"{row['estimator']} over {row['other']} by {score(row['difference'], unit)} "
        f"({interval(row['difference_low'], row['difference_high'], unit=unit)})"
        for _, row in real.head(MOST_NAMED).iterrows()
    ]
    more = f", and {len(real) - MOST_NAMED} more" if len(real) > MOST_NAMED else ""
    rest = "" if len(real) == len(pairs) else "; the others cannot be told from chance"
    return f"Real differences ({level}): {', '.join(named)}{more}{rest}."


def breaks_all(here: pd.DataFrame, transfer: pd.DataFrame) -> tuple[str, float] | None:
    """The error that takes the largest part of what each one's worst error takes.

    Parameters
    ----------
    here : DataFrame
        Rows of `results_` of one kind of error and budget.
    transfer : DataFrame
        Rows of `transfer_` of the same.

    Returns
    -------
    (str, float) or None
        For which pipeline it was found, and the least share of its own worst drop that any
        pipeline loses by it; None where there are fewer than two to say it of.
    """
    worst = here.set_index("estimator")["drop"]
    worst = worst[worst > 0]
    shares: dict[str, float] = {}
    for name, part in transfer.groupby("found_for", sort=False):
        drops = part.set_index("scored_on")["drop"].reindex(worst.index)
        shares[str(name)] = float((drops / worst).fillna(0.0).min()) if len(worst) else 0.0
    if len(worst) < 2 or not shares:
        return None
    name = max(shares, key=lambda each: shares[each])
    return name, shares[name]


def _of_one_error(
    kind: Any, here: pd.DataFrame, transfer: pd.DataFrame, metric: str, unit: float
) -> list[str]:
    own = (transfer["corruption"] == kind) & (transfer["budget"] == here["budget"].iloc[0])
    found = breaks_all(here, transfer[own])
    if found is None:
        return []
    name, share = found
    if share < SHARED:
        return [
            "No single error breaks all pipelines: for each error found there is a pipeline to "
            f"which it does less than {100 * SHARED:g} % of the harm that its own worst error does."
        ]
    losing = here.loc[here["drop"] > 0, "estimator"]
    all_lose = len(losing) == here["drop"].notna().sum()
    who = "every pipeline" if all_lose else "every pipeline that loses anything"
    found_for = transfer[own & (transfer["found_for"] == name)]
    drops = found_for.loc[found_for["scored_on"].isin(losing), "drop"]
    unsure = here.loc[here["confirmed_drop_low"] <= 0, "estimator"].tolist()
    return [
        f"On the splits of the search one error breaks all: the one found for {name} costs {who} "
        f"at least {score(drops.min(), unit)} of {metric}, {100 * share:.0f} % or more of "
        "what its own worst error costs it there"
        + (f"; on rows not searched it may cost {' and '.join(unsure)} nothing." if unsure else ".")
    ]


def _failures(here: pd.DataFrame, kind: str) -> list[str]:
    failed, called = here[here["status"] == FAILED], kind_in_words(kind)
    said = [
        f"{row['estimator']} could not be compared under {called}: {row['message'].rstrip('.')}."
        for _, row in failed.iterrows()
    ]
    shaky = here[(here["status"] != FAILED) & (here["n_failed"] > 0)]
    said += [
        f"{row['estimator']} fails on {row['n_failed']} of the errors tried, which count for none "
        "of its scores; the column `message` of results_ has the first."
        for _, row in shaky.iterrows()
    ]
    ended = here.loc[here["message"].str.contains(ENDED, regex=False), "estimator"].tolist()
    if ended:
        said.append(
            f"The search for {', '.join(ended)} under {called} was {ENDED}, so that worse "
            "errors may have been passed by."
        )
    left = here.loc[here["status"] == LEFT, "estimator"].tolist()
    if left:
        said.append(f"Interrupted before {', '.join(left)} could be searched under {called}.")
    return said
