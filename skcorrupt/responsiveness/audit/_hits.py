"""Predictions of the points that people can reach, counted chunk by chunk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils import Sheltered, as_table
from skcorrupt.utils._typing import TableLike

from ..effects._no_points_error import NoPointsError
from ..sampling._reachable_sampler import ReachableSampler
from ._tasks import Hit

CHUNK_POINTS = 100_000
ALWAYS_LISTED = 5_000


@dataclass(frozen=True)
class Counted:
    """What the points of one person came to.

    Attributes
    ----------
    n : int
        Number of points.
    exact : bool
        Whether these were all points there are.
    hits : dict of str to int
        Points with the target prediction, by model.
    method : str
        How the points were found.
    sound : bool
        Whether they are all, or independent draws among all.
    """

    n: int
    exact: bool
    hits: dict[str, int]
    method: str
    sound: bool


@dataclass(frozen=True)
class Points:
    """Points of one person.

    Attributes
    ----------
    values : ndarray of shape (n_points, n_changed)
        The points.
    exact : bool
        Whether they are all.
    method : str
        How they were found.
    sound : bool
        Whether they are all, or independent draws among all.
    """

    values: np.ndarray
    exact: bool
    method: str
    sound: bool


def reached(sampler: ReachableSampler, person: np.ndarray, n: int, seed: int) -> Points:
    """Points of a person: all of them where they are few, else a sample.

    Parameters
    ----------
    sampler : ReachableSampler
        Their source.
    person : ndarray of shape (n_features,)
        The person as numbers.
    n : int
        Points of a sample.
    seed : int
        Seed of the sample.

    Returns
    -------
    Points
        The points.
    """
    values = sampler.listed(person, max(n, ALWAYS_LISTED))
    if values is not None:
        return Points(values, True, "all points", True)
    reach = sampler.reach(person)
    methods = dict.fromkeys(pool.method for pool in reach.pools)
    values = sampler.drawn(person, n, np.random.default_rng(seed))
    how = f"{n} draws ({' · '.join(methods) or 'effects'})"
    return Points(values, False, how, reach.sound)


def count_hits(
    models: Mapping[str, Any],
    hit: Mapping[str, Hit],
    sampler: ReachableSampler,
    X: TableLike,
    codes: np.ndarray,
    old: Mapping[str, np.ndarray],
    seeds: Sequence[int],
    n: int,
) -> list[Counted]:
    """Count the points of some people that have the target prediction.

    Parameters
    ----------
    models : mapping of str to estimator
        Fitted models, which share the points.
    hit : mapping of str to callable
        For each, which predictions are the target.
    sampler : ReachableSampler
        Source of the points.
    X : table of shape (n_people, n_features)
        The people.
    codes : ndarray of shape (n_people, n_features)
        The people as numbers.
    old : mapping of str to ndarray of shape (n_people,)
        For each model its predictions of the people.
    seeds : sequence of int
        A seed a person.
    n : int
        Points of a sample.

    Returns
    -------
    list of Counted
        One a person.
    """
    counted: list[Counted] = []
    waiting: list[tuple[int, Points]] = []
    n_waiting = 0
    for i in range(len(codes)):
        try:
            points = reached(sampler, codes[i], n, seeds[i])
        except NoPointsError as error:
            # one person without points is a row, not the end of the audit
            points = Points(np.empty((0, len(sampler.changed))), False, str(error), False)
        waiting.append((i, points))
        n_waiting += len(points.values)
        if n_waiting >= CHUNK_POINTS or i == len(codes) - 1:
            counted += _count(models, hit, sampler, X, old, waiting)
            waiting, n_waiting = [], 0
    return counted


def _count(
    models: Mapping[str, Any],
    hit: Mapping[str, Hit],
    sampler: ReachableSampler,
    X: Any,
    old: Mapping[str, np.ndarray],
    waiting: list[tuple[int, Points]],
) -> list[Counted]:
    lengths = [len(points.values) for _, points in waiting]
    people = np.repeat([i for i, _ in waiting], lengths)
    values = np.concatenate([points.values for _, points in waiting])
    first, again = distinct(people, values)
    points = sampler.points(X, people[first], values[first])
    originals = as_table(X).take(people[first])
    owner = np.repeat(np.arange(len(lengths)), lengths)
    hits = {}
    for name, model in models.items():
        if not len(first):
            hits[name] = np.zeros(len(lengths), dtype=int)
            continue
        new = predictions(model, points, len(first))
        found = hit[name](new, old[name][people[first]], originals)
        hits[name] = np.bincount(owner, weights=found[again], minlength=len(lengths)).astype(int)
    return [
        Counted(
            len(points.values),
            points.exact,
            {name: int(hits[name][k]) for name in models},
            points.method,
            points.sound,
        )
        for k, (_, points) in enumerate(waiting)
    ]


def predictions(model: Any, X: Any, n: int) -> np.ndarray:
    """Predictions, one a row.

    Raises
    ------
    ValueError
        If there are more or fewer.
    """
    found = np.asarray(Sheltered(model).predict(X))
    found = found[:, 0] if found.ndim == 2 and found.shape[1] == 1 else found
    if found.shape != (n,):
        raise ValueError(
            f"{type(model).__name__} predicts shape {found.shape} for {n} rows; it should predict "
            "one value a row."
        )
    return found


def distinct(people: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which points are the first of their kind, and where each point finds its first.

    Equal points of one person are predicted once.

    Parameters
    ----------
    people : ndarray of int, shape (n_points,)
        Whose points they are.
    values : ndarray of shape (n_points, n_changed)
        The points.

    Returns
    -------
    first : ndarray of int
        Positions of the first ones.
    again : ndarray of int, shape (n_points,)
        For each point the position among `first`.
    """
    frame = pd.DataFrame(values)
    frame.insert(0, "person", people)
    group = frame.groupby(list(frame.columns), sort=False).ngroup().to_numpy()
    first = np.full(group.max(initial=-1) + 1, -1)
    first[group[::-1]] = np.arange(len(group))[::-1]
    return first, group
