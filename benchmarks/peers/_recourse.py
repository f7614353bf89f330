"""Ways for people whom a model denies a credit: this package's exact list beside dice-ml."""

from __future__ import annotations

import contextlib
import io
import random
import signal
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.peers._common import Found, described, raised
from benchmarks.speed._german import MOVABLE, german_actions, load_german
from skcorrupt.responsiveness import ActionSet, ReachableSampler, ResponsivenessAuditor

PEERS = ("dice-ml",)
METHODS = ("random", "genetic")
N_PEOPLE = 100
N_POINTS = 4
FOLLOWS = "Age"
LABEL = "good"
# processor seconds after which a person is given up; some searches never end
PATIENCE = 3.0
# of two points that are the same to this many digits
DIGITS = 6


class TookTooLong(BaseException):
    """A person was given up; no Exception, so that a peer does not catch it."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Give up what is done within after so many processor seconds.

    Parameters
    ----------
    seconds : float
        Processor seconds of this process.

    Raises
    ------
    TookTooLong
        When they are over.
    """

    def give_up(*_: Any) -> None:
        raise TookTooLong(f"given up after {seconds:g} s")

    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@dataclass
class Seen:
    """What a peer offered.

    Attributes
    ----------
    seconds : list of float
        Processor seconds of each person.
    points : int
        Points offered.
    counts : Counter
        By what is wrong with points, and with what was said of people.
    said : dict
        Messages with the number of people who got them.
    """

    seconds: list[float] = field(default_factory=list)
    points: int = 0
    counts: Counter = field(default_factory=Counter)
    said: Counter = field(default_factory=Counter)


def measure(peer: str, quick: bool) -> Found:
    """Time a person, and what the rules say of what is offered.

    Parameters
    ----------
    peer : {"dice-ml"}
        The peer.
    quick : bool
        Whether five people are enough.

    Yields
    ------
    tuple of str and dict
        Section and row.
    """
    X, y = load_german()
    X_train, _, y_train, _ = train_test_split(X, y, train_size=800, stratify=y, random_state=0)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    actions = german_actions(X)
    denied = X[model.predict(X) == 0]
    n = min(5 if quick else N_PEOPLE, len(denied))
    people = denied.sample(n, random_state=0).sort_index()
    sampler = ReachableSampler(actions)
    reach = [sampler.enumerate(row) for _, row in people.iterrows()]
    favourable = np.array([(model.predict(points) == 1).any() for points in reach])
    own = _own_seconds(model, actions, people)
    for method in METHODS:
        for ranged in (False, True):
            seen = offered(model, X_train.assign(**{LABEL: y_train}), people, reach, method, ranged)
            yield (
                "recourse",
                {
                    "peer": peer,
                    "version": described(peer),
                    "method": method,
                    "told": "columns, ranges of each person" if ranged else "columns",
                    "people": n,
                    "with_a_way": int(favourable.sum()),
                    **_row(seen, own, n, favourable),
                },
            )


def _own_seconds(model: Any, actions: ActionSet, people: pd.DataFrame) -> float:
    """Processor seconds of the exact audit and of all favourable points, a person."""
    started = time.process_time()
    auditor = ResponsivenessAuditor(model, actions, target=1, random_state=0).fit(people)
    for i in range(len(people)):
        auditor.examples(i)
    return time.process_time() - started


def offered(
    model: Any,
    table: pd.DataFrame,
    people: pd.DataFrame,
    reach: list[pd.DataFrame],
    method: str,
    ranged: bool,
) -> Seen:
    """Points that dice-ml offers, held against all that people can reach.

    Parameters
    ----------
    model : estimator
        Who decides.
    table : DataFrame
        Training rows with the label.
    people : DataFrame
        Those denied.
    reach : list of DataFrame
        All points of each.
    method : {"random", "genetic"}
        How dice-ml searches.
    ranged : bool
        Whether it is told, person by person, that columns only rise, and how far.

    Returns
    -------
    Seen
        Counts.
    """
    import dice_ml

    data = dice_ml.Data(
        dataframe=table, continuous_features=list(people.columns), outcome_name=LABEL
    )
    explainer = dice_ml.Dice(data, dice_ml.Model(model=model, backend="sklearn"), method=method)
    seen = Seen()
    for i in range(len(people)):
        person = people.iloc[[i]]
        params: dict[str, Any] = {"random_seed": 0} if method == "random" else {}
        if ranged:
            highest = reach[i][list(MOVABLE)].max()
            params["permitted_range"] = {
                name: [int(person[name].iloc[0]), int(highest[name])] for name in MOVABLE
            }
        # the genetic search takes its seeds from the global states
        random.seed(i)
        np.random.seed(i)  # noqa: NPY002
        started = time.process_time()
        points = None
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            try:
                with limited(PATIENCE):
                    result = explainer.generate_counterfactuals(
                        person,
                        total_CFs=N_POINTS,
                        desired_class=1,
                        features_to_vary=list(MOVABLE),
                        verbose=False,
                        **params,
                    )
                points = result.cf_examples_list[0].final_cfs_df
            except TookTooLong as error:
                seen.said[str(error)] += 1
            except Exception as error:
                seen.said[raised(error)] += 1
        seen.seconds.append(time.process_time() - started)
        empty = people.iloc[:0]
        offers = empty if points is None else points[people.columns].astype(float)
        judge(seen, model, offers, reach[i])
    return seen


def judge(seen: Seen, model: Any, offers: pd.DataFrame, reach: pd.DataFrame) -> None:
    """Count what is wrong with the points offered to a person.

    Parameters
    ----------
    seen : Seen
        Where it is counted.
    model : estimator
        Who decides.
    offers : DataFrame
        The points.
    reach : DataFrame
        All points that the person can reach.
    """
    acted = [name for name in reach.columns if name != FOLLOWS]
    known = {
        tuple(row): age
        for row, age in zip(
            reach[acted].to_numpy(float).round(DIGITS).tolist(), reach[FOLLOWS], strict=True
        )
    }
    holds = False
    way = bool((model.predict(reach) == 1).any())
    seen.points += len(offers)
    for _, offer in offers.iterrows():
        key = tuple(offer[acted].to_numpy(float).round(DIGITS).tolist())
        if key not in known:
            seen.counts["breaks a rule"] += 1
            continue
        if known[key] != offer[FOLLOWS]:
            seen.counts["age left behind"] += 1
        followed = pd.DataFrame([offer])[list(reach.columns)].assign(**{FOLLOWS: known[key]})
        if model.predict(followed)[0] == 1:
            holds = True
        else:
            seen.counts["does not hold"] += 1
    seen.counts["nothing offered"] += len(offers) == 0
    seen.counts["way not found"] += way and not holds
    seen.counts["nothing, though there is a way"] += way and len(offers) == 0
    seen.counts["promised without a way"] += len(offers) > 0 and not way


def _row(seen: Seen, own: float, n: int, favourable: np.ndarray) -> dict[str, Any]:
    points, with_a_way = seen.points, int(favourable.sum())
    counts = seen.counts
    # the median, since the longest are those given up
    ours, theirs = 1000 * own / n, 1000 * float(np.median(seen.seconds))
    return {
        "ours": ours,
        "theirs": theirs,
        "ratio": theirs / ours,
        "points": points,
        "broken": counts["breaks a rule"] / points if points else None,
        "age": counts["age left behind"] / points if points else None,
        "lapsed": counts["does not hold"] / points if points else None,
        "missed": counts["way not found"] / with_a_way if with_a_way else None,
        "silent": counts["nothing, though there is a way"],
        "promised": counts["promised without a way"],
        "without_a_way": n - with_a_way,
        "said": "; ".join(f"{text} ({k} people)" for text, k in seen.said.most_common(2)) or None,
    }
