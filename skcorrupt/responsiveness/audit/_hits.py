"""Predictions of the points that people can reach, counted chunk by chunk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from sklearn.utils.validation import check_is_fitted

from skcorrupt.evaluation import run_until_stopped
from skcorrupt.utils import Sheltered, as_table, telling_bar
from skcorrupt.utils._typing import Estimator, TableLike

from ..actions._action_set import ActionSet
from ..effects._no_points_error import NoPointsError
from ..sampling._reachable_space import ReachableSpace
from ._importance import Aim, Ask, Weighed, weigh
from ._margins import Margin, margin_function
from ._targets import Hit, hit_function

PEOPLE_A_TASK = 500
CHUNK_POINTS = 100_000
ALWAYS_LISTED = 5_000
FACTS = ["n", "hits", "exact", "method", "sound", "share", "low", "high", "p"]
UNWEIGHTED = (np.nan,) * 4


class Judge(NamedTuple):
    """A fitted model, which of its predictions are the target, and what it says of people now."""

    model: Estimator
    hit: Hit
    margin: Margin | None
    old: np.ndarray

    @classmethod
    def of(cls, model: Estimator, target: object, X: TableLike) -> Judge:
        """A model that gives the same predictions when it is asked again.

        Raises
        ------
        ValueError
            If the model is not fitted, gives other predictions the second time, or never predicts
            the target.
        """
        hit = hit_function(target, model)
        if hasattr(model, "fit"):
            check_is_fitted(model)
        n = as_table(X).n_rows
        old = predictions(model, X, n)
        if not np.array_equal(old, predictions(model, X, n)):
            raise ValueError(
                f"{type(model).__name__} gives other predictions when asked again; an audit needs "
                "a model that neither draws at random nor changes itself when it predicts."
            )
        return cls(model, hit, margin_function(target, model), old)

    def among(self, people: np.ndarray) -> Judge:
        """The same for some of the people."""
        return self._replace(old=self.old[people])

    def hits(self, points: TableLike, people: np.ndarray, X: TableLike) -> np.ndarray:
        """Which points have the target prediction, `people` being whose point each is."""
        if not len(people):
            return np.zeros(0, dtype=bool)
        new = predictions(self.model, points, len(people))
        return self.hit(new, self.old[people], as_table(X).take(people))

    def asked(self, space: ReachableSpace, X: TableLike, i: int) -> Ask:
        """What the model says of points of one of the people, given as numbers."""

        def ask(values: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
            first, again = distinct(np.zeros(len(values), dtype=int), values)
            people = np.full(len(first), i)
            points = space.points(X, people, values[first])
            hits = self.hits(points, people, X)
            if self.margin is None:
                return hits[again], None
            new = predictions(self.model, points, len(people))
            return hits[again], self.margin(points, new, self.old[people])[again]

        return ask


class Points(NamedTuple):
    """Points of one person, whether they are all there are, and how they were found.

    They are sound where they are all, or independent draws among all.
    """

    values: np.ndarray
    exact: bool
    method: str
    sound: bool


def reached(
    space: ReachableSpace, person: np.ndarray, n: int, seed: int, *, draw: bool = True
) -> Points | None:
    """Points of a person: all of them where they are few, else a sample.

    Parameters
    ----------
    space : ReachableSpace
        What they can reach.
    person : ndarray of shape (n_features,)
        The person as numbers.
    n : int
        Points of a sample.
    seed : int
        Seed of the sample.
    draw : bool, default=True
        Whether to draw where that can be left to others, as of independent draws it can.

    Returns
    -------
    Points or None
        The points, none for a person who is left without any; None where others are to draw.
    """
    try:
        values = space.listed(person, max(n, ALWAYS_LISTED))
        if values is not None:
            return Points(values, True, "all points", True)
        reach = space.reach(person)
        if reach.sound and not draw:
            return None
        methods = dict.fromkeys(pool.method for pool in reach.pools)
        values = space.drawn(person, n, np.random.default_rng(seed))
    except NoPointsError as error:
        # one person without points is a row, not the end of the audit
        return Points(np.empty((0, len(space.changed))), False, str(error), False)
    how = f"{n} draws ({' · '.join(methods) or 'effects'})"
    return Points(values, False, how, reach.sound)


def weighed(
    judge: Judge,
    space: ReachableSpace,
    X: TableLike,
    i: int,
    person: np.ndarray,
    seed: int,
    aim: Aim,
) -> Weighed:
    """Points of a person by importance, and what a model says of them.

    Parameters
    ----------
    judge : Judge
        The model.
    space : ReachableSpace
        What they can reach.
    X : table of shape (n_people, n_features)
        The people.
    i : int
        Which of them it is.
    person : ndarray of shape (n_features,)
        The person as numbers.
    seed : int
        Seed of all draws, which models share.
    aim : Aim
        What is to be found out.

    Returns
    -------
    Weighed
        The points and the estimate, none for a person who is left without any.
    """
    try:
        return weigh(space, person, judge.asked(space, X, i), aim, np.random.default_rng(seed))
    except NoPointsError as error:
        none = np.empty((0, len(space.changed)))
        return Weighed(none, np.zeros(0, dtype=bool), str(error), False, *UNWEIGHTED)


def count_all(
    judges: Sequence[Judge],
    actions: ActionSet,
    X: TableLike,
    rows: np.ndarray,
    seeds: Sequence[int],
    n: int,
    aim: Aim | None = None,
    *,
    n_jobs: int | None,
    verbose: int,
    keep: bool = False,
    what: str = "Auditing",
) -> tuple[list[pd.DataFrame], np.ndarray, str]:
    """Count the points of some people that have the target prediction, in parallel.

    Parameters
    ----------
    judges : sequence of Judge
        Models, which share the points.
    actions : ActionSet
        What people can do.
    X : table of shape (n_samples, n_features)
        Everybody.
    rows : ndarray of int, shape (n_people,)
        Who is audited.
    seeds : sequence of int, length n_samples
        One seed per row of X.
    n : int
        Points of a sample.
    aim : Aim or None, default=None
        For points drawn where a model's hits are likely; None is all alike.
    n_jobs : int or None
        Number of workers.
    verbose : int
        1 shows a progress bar.
    keep : bool, default=False
        Whether what ends it early leaves the people who are done, where there are any.
    what : str, default="Auditing"
        What the progress bar says.

    Returns
    -------
    counted : list of DataFrame
        For each judge one row per person: `n, hits, exact, method, sound`, and `share, low, high,
        p`, which are NaN unless points were drawn by importance.
    rows : ndarray of int
        These people, all of `rows` unless it was ended early.
    cause : str
        What ended it early, "" for nothing.
    """
    table, codes = as_table(X), actions.codes(X)
    n_parts = max(effective_n_jobs(n_jobs), -(-len(rows) // PEOPLE_A_TASK))
    # made one by one, so that the pools of those who are done are not kept
    people = np.array_split(rows, min(n_parts, len(rows)))
    tasks = (
        (
            [judge.among(part) for judge in judges],
            ReachableSpace(actions),
            table.take(part),
            codes[part],
            [seeds[row] for row in part],
            n,
            aim,
        )
        for part in people
    )
    with telling_bar(len(rows), verbose, what) as bar:
        parts, cause = run_until_stopped(
            count_hits,
            tasks,
            n_tasks=len(people),
            enough=lambda found: keep and bool(found),
            n_jobs=n_jobs,
            done=lambda part: bar.update(len(part[0])),
        )
    counted = [pd.concat(each, ignore_index=True) for each in zip(*parts.values(), strict=True)]
    return counted, np.concatenate([people[i] for i in parts]), cause


def count_hits(
    judges: Sequence[Judge],
    space: ReachableSpace,
    X: TableLike,
    codes: np.ndarray,
    seeds: Sequence[int],
    n: int,
    aim: Aim | None,
) -> list[pd.DataFrame]:
    """Count the points of some people that have the target prediction.

    Parameters
    ----------
    judges : sequence of Judge
        Models, which share the points.
    space : ReachableSpace
        What they can reach.
    X : table of shape (n_people, n_features)
        The people.
    codes : ndarray of shape (n_people, n_features)
        The people as numbers.
    seeds : sequence of int
        One seed per person.
    n : int
        Points of a sample.
    aim : Aim or None
        For points by importance.

    Returns
    -------
    list of DataFrame
        As `count_all` does.
    """
    facts: list[list[tuple[Any, ...]]] = [[] for _ in judges]
    waiting: list[Points] = []
    n_waiting = 0

    def count(end: int) -> None:
        hits = _counted(judges, space, X, end - len(waiting), waiting)
        for k, mine in enumerate(facts):
            mine.extend(
                (len(points.values), hit, *points[1:], *UNWEIGHTED)
                for points, hit in zip(waiting, hits[:, k], strict=True)
            )
        waiting.clear()

    for i, (person, seed) in enumerate(zip(codes, seeds, strict=True)):
        points = reached(space, person, n, seed, draw=aim is None)
        if points is None and aim is not None:
            count(i)
            n_waiting = 0
            for judge, mine in zip(judges, facts, strict=True):
                found = weighed(judge, space, X, i, person, seed, aim)
                n_hits = int(found.hits.sum())
                mine.append((len(found.hits), n_hits, False, found.method, found.sound, *found[4:]))
        elif points is not None:
            waiting.append(points)
            n_waiting += len(points.values)
        if n_waiting >= CHUNK_POINTS:
            count(i + 1)
            n_waiting = 0
    count(len(codes))
    return [pd.DataFrame(mine, columns=FACTS) for mine in facts]


def _counted(
    judges: Sequence[Judge], space: ReachableSpace, X: TableLike, start: int, waiting: list[Points]
) -> np.ndarray:
    if not waiting:
        return np.zeros((0, len(judges)), dtype=int)
    owner = np.repeat(np.arange(len(waiting)), [len(points.values) for points in waiting])
    values = np.concatenate([points.values for points in waiting])
    first, again = distinct(owner, values)
    people = start + owner[first]
    points = space.points(X, people, values[first])
    found = [judge.hits(points, people, X)[again] for judge in judges]
    counts = [np.bincount(owner, weights=each, minlength=len(waiting)) for each in found]
    return np.column_stack(counts).astype(int)


def predictions(model: Estimator, X: TableLike, n: int) -> np.ndarray:
    """Predictions, one for each row.

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
            "one value for each row."
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
    return np.unique(group, return_index=True)[1], group
