"""Fairness metrics beside fairlearn's: the same numbers, their time, and what odd data gets."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks._data import DataNotFoundError, load_adult
from benchmarks.peers._common import Found, described, raised, side_by_side
from skcorrupt.metrics import (
    average_odds_difference,
    equal_opportunity_difference,
    error_rate_difference,
    statistical_parity_difference,
)

PEERS = ("fairlearn",)
EXACT = 1e-12
MANY = 1_000_000

Three = tuple[np.ndarray, np.ndarray, np.ndarray]
Metric = Callable[[Any, Any, Any], float]


def measure(peer: str, quick: bool) -> Found:
    """Numbers and times, then what is said of odd data.

    Parameters
    ----------
    peer : {"fairlearn"}
        The peer.
    quick : bool
        Whether the made-up table is small.

    Yields
    ------
    tuple of str and dict
        Section and row.
    """
    about = {"peer": peer, "version": described(peer)}
    pairs = metrics()
    for name, three in tables(quick).items():
        for metric, (call, own, theirs) in pairs.items():
            yield (
                "fairness",
                {"metric": metric, "data": name, **about, "call": call}
                | compared(own, theirs, three),
            )
    for case, three in odd_cases().items():
        for metric, (call, own, theirs) in list(pairs.items())[:2]:
            yield (
                "fairness-odd",
                {
                    "case": case,
                    "metric": metric,
                    "call": call,
                    **about,
                    "ours": told(own, three),
                    "theirs": told(theirs, three),
                },
            )


def tables(quick: bool) -> dict[str, Three]:
    """Labels, predictions and sex: of Adult where it is at hand, and made up."""
    found = {}
    try:
        X, y, _, _ = load_adult()
    except DataNotFoundError:
        pass
    else:
        sex = np.where(X["gender"] == 1, "male", "female").astype(object)
        predicted = ((X["education"] >= 10) & (X["marital"] == 2)).to_numpy().astype(int)
        found[f"Adult, {len(y):,}"] = y.to_numpy(), predicted, sex
    n = MANY // 100 if quick else MANY
    rng = np.random.default_rng(0)
    sex = np.array(["female", "male"], dtype=object)[rng.integers(2, size=n)]
    y = rng.integers(2, size=n)
    predicted = np.where(rng.random(n) < np.where(sex == "male", 0.9, 0.7), y, 1 - y)
    found[f"made up, {n:,}"] = y, predicted, sex
    return found


def metrics() -> dict[str, tuple[str, Metric, Metric]]:
    """By metric the peer's call, ours and theirs; where it has none, from its rates by group."""
    from fairlearn import metrics as fl

    def good(y: Any) -> Any:
        return "yes" if "yes" in y else 1

    def own(function: Any) -> Metric:
        return lambda y, p, s: function(
            y, p, sensitive_features=s, privileged="male", pos_label=good(y)
        )

    def gaps(first: Any, second: Any) -> Callable[..., tuple[float, float]]:
        def of(y: Any, p: Any, s: Any) -> tuple[float, float]:
            rates = {"first": first, "second": second}
            by = fl.MetricFrame(metrics=rates, y_true=y, y_pred=p, sensitive_features=s).by_group
            found = by.loc["female"] - by.loc["male"]
            return float(found["first"]), float(found["second"])

        return of

    odds = gaps(fl.true_positive_rate, fl.false_positive_rate)
    errors = gaps(fl.false_positive_rate, fl.false_negative_rate)

    def demographic(y: Any, p: Any, s: Any) -> float:
        return fl.demographic_parity_difference(y, p, sensitive_features=s)

    def opportunity(y: Any, p: Any, s: Any) -> float:
        return fl.equal_opportunity_difference(y, p, sensitive_features=s)

    return {
        "statistical parity": (
            "demographic_parity_difference",
            own(statistical_parity_difference),
            demographic,
        ),
        "equal opportunity": (
            "equal_opportunity_difference",
            own(equal_opportunity_difference),
            opportunity,
        ),
        "average odds": (
            "MetricFrame",
            own(average_odds_difference),
            lambda y, p, s: sum(odds(y, p, s)) / 2,
        ),
        "error rate": (
            "MetricFrame",
            own(error_rate_difference),
            lambda y, p, s: sum(errors(y, p, s)),
        ),
    }


def compared(own: Metric, theirs: Metric, three: Three) -> dict[str, Any]:
    """Both numbers, without their signs, and both times."""
    a, b = own(*three), theirs(*three)
    return {
        "value": a,
        "their_value": b,
        "away": abs(abs(a) - abs(b)),
        "same": bool(abs(abs(a) - abs(b)) <= EXACT),
        **side_by_side(lambda: own(*three), lambda: theirs(*three), 5),
    }


def odd_cases() -> dict[str, Three]:
    """Data of which a gap cannot be told, or not without a decision."""
    y = np.array([1, 0, 1, 0, 1, 0, 1, 0])
    p = np.array([1, 0, 0, 0, 1, 1, 1, 0])
    s = np.array(["female"] * 4 + ["male"] * 4, dtype=object)
    gaps = s.copy()
    gaps[3] = np.nan
    no_positive = np.where(s == "female", 0, y)
    return {
        "everybody is female": (y, p, np.full(8, "female", dtype=object)),
        "nobody female has a good label": (no_positive, p, s),
        "all labels are 1": (np.ones(8, dtype=int), p, s),
        "one sex is not known": (y, p, gaps),
        "one label is not known": (np.where(np.arange(8) == 2, np.nan, y), p, s),
        "labels are words": (np.where(y == 1, "yes", "no"), np.where(p == 1, "yes", "no"), s),
        "three groups": (
            y,
            p,
            np.array(["female"] * 4 + ["male"] * 2 + ["other"] * 2, dtype=object),
        ),
    }


def told(metric: Metric, three: Three) -> str:
    """A number, a warning with it, or the message of an error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = f"{metric(*three):.3f}"
        except Exception as error:
            return raised(error)
    said = "; ".join(dict.fromkeys(str(each.message).split(".")[0] for each in caught))
    return f"{value}, warns: {said[:120]}" if said else value
