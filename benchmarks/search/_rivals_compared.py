"""The search beside random candidates, TPE in a beam, and models of the bounds."""

from __future__ import annotations

import itertools
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks._results import Results
from benchmarks.search._common import Data, Spent, on_test_set, searched, subsample
from benchmarks.search._data import data_sets
from benchmarks.search._fixed_split import FixedSplit
from benchmarks.search._rivals import published_recipe, random_search, strike
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import BeamSearch, SearchStrategy
from skcorrupt.adversarial.candidates import Candidate, Progress

BUDGET = 0.1
MOST_TRAIN, MOST_TEST = 1_000, 2_000
N_QUICK = 2
# a rival that has far cheaper fits than screening needs not wait for it for ever
MOST_FITS = 2_000
SAME = 0.002
# that rivals make a template, as published; a rival that has run begins anew with another seed
N_TRIALS = 20
# by which winners are compared
N_DRAWS = 16
RIVALS = {
    "random": "random",
    "unlabelled": "random, no label",
    "tpe": "TPE in a beam",
    "gp": "gp",
    "forest": "forest",
}

MODELS: dict[str, Callable[[], Any]] = {
    "logistic regression": lambda: LogisticRegression(solver="newton-cholesky"),
    "random forest": lambda: RandomForestClassifier(n_estimators=50, random_state=0),
    "histogram boosting": lambda: HistGradientBoostingClassifier(max_iter=50, random_state=0),
    "nearest neighbours": lambda: KNeighborsClassifier(n_neighbors=15),
    "naive Bayes": GaussianNB,
}
IMPUTERS: dict[str, Callable[[], Any]] = {
    "mean": SimpleImputer,
    "median": lambda: SimpleImputer(strategy="median"),
    "KNN": KNNImputer,
    "iterative": lambda: IterativeImputer(random_state=0),
}

# models of which a search has a fit in milliseconds
QUICK = ("logistic regression", "naive Bayes")

# what a rival found: the column hit, and the training rows of its pattern
Winner = tuple[Any, np.ndarray]


@dataclass
class Limit:
    """What a rival may use, and what it had found at every moment.

    A rival stops when it has had both the fits and the seconds, or `MOST_FITS`.

    Attributes
    ----------
    n_fits : int
        Fits of the search that it is compared with.
    seconds : float
        Its processor seconds.
    found : list of (int, float, float, Winner or int)
        Fits and seconds so far, the score, and what was scored.
    earlier : int
        Fits of the runs before this one.
    """

    n_fits: int
    seconds: float
    found: list[tuple[int, float, float, Any]] = field(default_factory=list)
    earlier: int = 0
    last: int = 0
    started: float = field(default_factory=time.process_time)

    @property
    def spent(self) -> float:
        """Processor seconds since the start."""
        return time.process_time() - self.started

    def note(self, n_fits: int, score: float, winner: Any) -> None:
        """Something was scored, with so many fits in this run."""
        self.found.append((self.earlier + n_fits, self.spent, score, winner))

    def check(self, n_fits: int) -> None:
        """End a rival that has had enough.

        Raises
        ------
        Spent
            If so many fits of this run were its last.
        """
        self.last = self.earlier + n_fits
        enough = self.last >= self.n_fits and self.spent >= self.seconds
        if enough or self.last >= MOST_FITS:
            raise Spent

    def restart(self) -> None:
        """A run has ended, and another one goes on.

        Raises
        ------
        Spent
            If the time is over, and the run has found nothing to fit that was not fitted before.
        """
        nothing_new, self.earlier = self.last == self.earlier, self.last
        self.check(0)
        if nothing_new and self.spent >= self.seconds:
            raise Spent

    def at_fits(self) -> Winner | None:
        """What was lowest with as many fits."""
        return self._lowest([entry for entry in self.found if entry[0] <= self.n_fits])

    def at_time(self) -> Winner | None:
        """What was lowest in as much time."""
        return self._lowest([entry for entry in self.found if entry[1] <= self.seconds])

    def _lowest(self, allowed: list[tuple[int, float, float, Any]]) -> Winner | None:
        return min(allowed, key=lambda entry: entry[2])[3] if allowed else None


class LimitedSplit(FixedSplit):
    """A fixed split that tells a limit of every new fit."""

    limit: Limit

    def matched(self, ranges: dict[str, tuple[int, int]]) -> np.ndarray:
        """Training rows within closed ranges, a boolean mask."""
        self._mask = super().matched(ranges)
        return self._mask

    def score(self, column: str, struck: np.ndarray) -> float:
        """AUC after the error."""
        before = self.n_fits
        score = super().score(column, struck)
        if self.n_fits > before:
            n_fits = self.n_fits - self.limit.earlier
            self.limit.note(n_fits, score, (column, self._mask))
            self.limit.check(n_fits)
        return score


class LimitedBar(Progress):
    """A bar of a search that tells a limit of every candidate."""

    def __init__(self, limit: Limit):
        super().__init__()
        self.limit = limit
        self.n_fits = 0
        self.n_scored = 0

    def update(self, n: int = 1) -> None:
        """Candidates were fitted."""
        super().update(n)
        self.n_fits += n

    def best(self, score: float, *, settled: bool = False) -> None:
        """A candidate was scored, of which the evaluator will know when its batch is done."""
        super().best(score, settled=settled)
        if settled:
            return
        self.limit.note(self.n_fits, score, self.n_scored)
        self.n_scored += 1
        self.limit.check(self.n_fits)


def rivals(results: Results, quick: bool) -> None:
    """A row a data set, model and imputer; those that are saved already are left alone."""
    sources = {name: subsample(data, MOST_TRAIN, MOST_TEST) for name, data in data_sets().items()}
    known = {(row["data"], row["model"], row["imputer"]) for row in results.rows("rivals")}
    for k, (data_name, model, imputer) in enumerate(settings(list(sources))):
        if quick and k >= N_QUICK:
            return
        if (data_name, model, imputer) not in known:
            pipeline = make_pipeline(IMPUTERS[imputer](), StandardScaler(), MODELS[model]())
            row = compared(pipeline, sources[data_name])
            results.add("rivals", {"data": data_name, "model": model, "imputer": imputer, **row})


def summary(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rivals over all settings: mean scores, and in how many ours is lower, as low, higher.

    Parameters
    ----------
    rows : list of dict
        Rows of the section; a rival that they do not have is left out.

    Returns
    -------
    list of dict
        A row a rival and a way to compare.
    """
    found = []
    for rival, way in itertools.product(RIVALS, ("fits", "time")):
        scored = [row for row in rows if f"{rival}_{way}" in row]
        gaps = np.array([row[f"{rival}_{way}"] - row["ours"] for row in scored])
        if len(gaps):
            found.append(
                {
                    "rival": RIVALS[rival],
                    "way": f"equal {way}",
                    "settings": len(gaps),
                    "ours": float(np.mean([row["ours"] for row in scored])),
                    "theirs": float(np.mean([row[f"{rival}_{way}"] for row in scored])),
                    "lower": int((gaps > SAME).sum()),
                    "same": int((abs(gaps) <= SAME).sum()),
                    "higher": int((gaps < -SAME).sum()),
                }
            )
    return found


def settings(names: list[str]) -> Iterator[tuple[str, str, str]]:
    """All settings, those of quick models first, spread over imputers and data."""
    imputers = list(IMPUTERS)
    found = [
        (name, model, imputers[(turn + i + j) % len(imputers)])
        for turn in range(len(imputers))
        for j, model in enumerate(MODELS)
        for i, name in enumerate(names)
    ]
    # the data with the most columns take as long as all others together
    yield from sorted(
        found,
        key=lambda setting: (setting[1] not in QUICK, setting[0] == "Credit Card Default"),
    )


def compared(pipeline: Any, data: Data) -> dict[str, Any]:
    """Ours, and every rival at as many fits and in as much time.

    Parameters
    ----------
    pipeline : estimator
        What is under test.
    data : tuple
        The training and the test set.

    Returns
    -------
    dict
        Scores; rivals have `NAME_fits` and `NAME_time`. Each is that of a winner over `N_DRAWS`
        draws, where part of the rows of its pattern is drawn.
    """
    both, labels, cv = on_test_set(data)
    task = FixedSplit(pipeline, "missing", *data)
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem, told = searched(_search(pipeline, cv, "auto", seed=0), both, labels)
    seconds = time.process_time() - started
    n_fits = len(problem.evaluator.done)
    winner = problem.evaluator.ranked()[0].candidate
    row = {
        "proxy": told.name,
        "agreement": told.agreement,
        "fits": n_fits,
        "seconds": seconds,
        "clean": problem.baseline,
        "ours": over_draws(task, struck_by(winner, data)),
        "pattern": str(winner.pattern),
    }
    for rival, play in plays(pipeline, data).items():
        limit = Limit(n_fits, seconds)
        with warnings.catch_warnings(), suppress(Spent):
            warnings.simplefilter("ignore")
            for seed in itertools.count():
                play(limit, seed)
                limit.restart()
        row[f"{rival}_fits"] = over_draws(task, limit.at_fits())
        row[f"{rival}_time"] = over_draws(task, limit.at_time())
    return row


def plays(pipeline: Any, data: Data) -> dict[str, Callable[[Limit, int], None]]:
    """Rivals by name, each a run from a seed that a limit may end.

    Parameters
    ----------
    pipeline : estimator
        What is under test.
    data : tuple
        The training and the test set.

    Returns
    -------
    dict
        Callables `(limit, seed)`.
    """
    both, labels, cv = on_test_set(data)

    def alone(recipe: Callable[..., Any], **params: Any) -> Callable[[Limit, int], None]:
        # of several runs, which know what was fitted before
        task = LimitedSplit(pipeline, "missing", *data)

        def play(limit: Limit, seed: int) -> None:
            task.limit = limit
            recipe(task, BUDGET, seed=seed, **params)

        return play

    def beam(optimizer: str) -> Callable[[Limit, int], None]:
        def play(limit: Limit, seed: int) -> None:
            strategy = BeamSearch(optimizer=optimizer, n_calls=N_TRIALS)
            bar, before = LimitedBar(limit), len(limit.found)
            problem, _ = searched(_search(pipeline, cv, strategy, seed), both, labels, bar)
            done = sorted(problem.evaluator.done.values(), key=lambda each: each.order)
            scored = [each.candidate for each in done if np.isfinite(each.score)]
            limit.found[before:] = [
                (n_fits, moment, score, struck_by(scored[k], data))
                for n_fits, moment, score, k in limit.found[before:]
            ]
            # the search ends without a word where the limit does
            limit.check(bar.n_fits)

        return play

    return {
        "random": alone(random_search, n_fits=MOST_FITS),
        "unlabelled": alone(random_search, n_fits=MOST_FITS, with_label=False),
        "tpe": alone(published_recipe, n_trials=N_TRIALS),
        "gp": beam("gp"),
        "forest": beam("forest"),
    }


def struck_by(candidate: Candidate, data: Data) -> Winner:
    """The column that a candidate hits, and the training rows of its pattern."""
    X, y, *_ = data
    return candidate.columns[0], candidate.pattern.mask(X, y)


def over_draws(task: FixedSplit, winner: Winner | None) -> float:
    """The score of a winner, the mean over draws of the rows where the budget takes part of them.

    Parameters
    ----------
    task : FixedSplit
        What is scored.
    winner : (column, ndarray of bool) or None
        None strikes nothing.

    Returns
    -------
    float
        AUC.
    """
    column, mask = winner or (task.X_train.columns[0], np.zeros(len(task.y_train), dtype=bool))
    n_draws = N_DRAWS if mask.sum() > BUDGET * len(mask) else 1
    struck = (strike(mask, BUDGET, np.random.default_rng(seed)) for seed in range(n_draws))
    return float(np.mean([task.score(column, rows) for rows in struck]))


def _search(
    pipeline: Any, cv: list, strategy: SearchStrategy | str, seed: int
) -> AdversarialCorruptionSearch:
    return AdversarialCorruptionSearch(
        pipeline,
        "missing",
        budget=BUDGET,
        scoring="roc_auc",
        cv=cv,
        confirm_size=None,
        strategy=strategy,
        random_state=seed,
    )
