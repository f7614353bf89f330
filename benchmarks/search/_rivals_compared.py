"""The search beside random candidates, TPE in a beam, and models of the bounds."""

from __future__ import annotations

import itertools
import time
import warnings
from collections.abc import Callable, Iterator
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
from benchmarks.search._rivals import published_recipe, random_search
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import BeamSearch, Screening, SearchStrategy
from skcorrupt.adversarial.candidates import Progress

BUDGET = 0.1
MOST_TRAIN, MOST_TEST = 2_000, 2_000
N_QUICK = 2
# a rival that has far cheaper fits than screening needs not wait for it for ever
MOST_FITS = 2_000
SAME = 0.002
# calls a template where "auto" takes no proxy
CALLS = 8
RIVALS = {"random": "random", "tpe": "TPE in a beam", "gp": "gp", "forest": "forest"}

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


@dataclass
class Limit:
    """What a rival may use, and the lowest score at every moment.

    A rival stops when it has had both the fits and the seconds, or `MOST_FITS`.

    Attributes
    ----------
    n_fits : int
        Fits of the search that it is compared with.
    seconds : float
        Its processor seconds.
    """

    n_fits: int
    seconds: float
    fits: list[int] = field(default_factory=list)
    moments: list[float] = field(default_factory=list)
    best: list[float] = field(default_factory=list)
    started: float = field(default_factory=time.process_time)

    def note(self, n_fits: int, score: float) -> None:
        """A fit has ended.

        Raises
        ------
        Spent
            If it was the last one.
        """
        spent = time.process_time() - self.started
        self.fits.append(n_fits)
        self.moments.append(spent)
        lowest = min(score, self.best[-1]) if self.best else score
        self.best.append(lowest)
        if (n_fits >= self.n_fits and spent >= self.seconds) or n_fits >= MOST_FITS:
            raise Spent

    def at_fits(self, otherwise: float) -> float:
        """The lowest score with as many fits."""
        allowed = [b for n, b in zip(self.fits, self.best, strict=True) if n <= self.n_fits]
        return allowed[-1] if allowed else otherwise

    def at_time(self, otherwise: float) -> float:
        """The lowest score in as much time."""
        allowed = [b for s, b in zip(self.moments, self.best, strict=True) if s <= self.seconds]
        return allowed[-1] if allowed else otherwise


class LimitedSplit(FixedSplit):
    """A fixed split that tells a limit of every new fit."""

    limit: Limit

    def score(self, column: str, struck: np.ndarray) -> float:
        """AUC after the error."""
        before = self.n_fits
        score = super().score(column, struck)
        if self.n_fits > before:
            self.limit.note(self.n_fits, score)
        return score


class LimitedBar(Progress):
    """A bar of a search that tells a limit of every candidate."""

    def __init__(self, limit: Limit):
        super().__init__()
        self.limit = limit
        self.evaluator: Any = None
        self.n_fits = 0

    def update(self, n: int = 1) -> None:
        """A candidate was scored; its score is not known before its batch is done."""
        super().update(n)
        if self.name != "Screening":
            self.n_fits += n
            self.limit.note(self.n_fits, np.inf)


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
        Rows of the section.

    Returns
    -------
    list of dict
        A row a rival and a way to compare.
    """
    found = []
    for rival, way in itertools.product(RIVALS, ("fits", "time")):
        gaps = np.array([row[f"{rival}_{way}"] - row["ours"] for row in rows])
        if len(gaps):
            found.append(
                {
                    "rival": RIVALS[rival],
                    "way": f"equal {way}",
                    "settings": len(gaps),
                    "ours": float(np.mean([row["ours"] for row in rows])),
                    "theirs": float(np.mean([row[f"{rival}_{way}"] for row in rows])),
                    "lower": int((gaps > SAME).sum()),
                    "same": int((abs(gaps) <= SAME).sum()),
                    "higher": int((gaps < -SAME).sum()),
                }
            )
    return found


def settings(names: list[str]) -> Iterator[tuple[str, str, str]]:
    """All settings, each part of them spread over models and imputers."""
    imputers = list(IMPUTERS)
    found = [
        (name, model, imputers[(turn + i + j) % len(imputers)])
        for turn in range(len(imputers))
        for j, model in enumerate(MODELS)
        for i, name in enumerate(names)
    ]
    # the data with the most columns take as long as all others together
    yield from sorted(found, key=lambda setting: setting[0] == "Credit Card Default")


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
        Scores; rivals have `NAME_fits` and `NAME_time`.
    """
    both, labels, cv = on_test_set(data)
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        strategy = Screening(beam=BeamSearch(n_calls=CALLS))
        problem, told = searched(_search(pipeline, cv, strategy), both, labels)
    seconds = time.process_time() - started
    n_fits = len(problem.evaluator.done)
    ranked = problem.evaluator.ranked()
    row = {
        "proxy": told.name,
        "agreement": told.agreement,
        "fits": n_fits,
        "seconds": seconds,
        "clean": problem.baseline,
        "ours": ranked[0].score,
        "pattern": str(ranked[0].candidate.pattern),
    }
    # what a rival could afford in the same time, by the time of a fit
    fit = float(np.mean([o.fit_time + o.score_time for e in ranked for o in e.outcomes]))
    affordable = int(np.clip(seconds / max(fit, 1e-4), n_fits, MOST_FITS))
    limit = Limit(n_fits, seconds)
    _until_spent(limit, data, pipeline, lambda task: random_search(task, BUDGET, MOST_FITS, 0))
    row |= {"random_fits": limit.at_fits(problem.baseline)}
    row |= {"random_time": limit.at_time(problem.baseline)}
    d = data[0].shape[1]
    for kind, n in (("fits", n_fits), ("time", affordable)):
        # two rounds of a beam of three have this many templates
        trials = int(np.clip(n // (4 * d - 3), 2, 20))
        limit = Limit(n_fits if kind == "fits" else 0, seconds if kind == "time" else 0.0)
        _until_spent(
            limit,
            data,
            pipeline,
            lambda task, trials=trials: published_recipe(task, BUDGET, n_trials=trials),
        )
        row[f"tpe_{kind}"] = getattr(limit, f"at_{kind}")(problem.baseline)
        for optimizer in ("gp", "forest"):
            calls = int(np.clip(n // (2 * d), 2, 32))
            row[f"{optimizer}_{kind}"] = _beam(
                _search(pipeline, cv, BeamSearch(optimizer=optimizer, n_calls=calls)),
                both,
                labels,
                Limit(n_fits if kind == "fits" else 0, seconds if kind == "time" else 0.0),
            )
    return row


def _search(pipeline: Any, cv: list, strategy: SearchStrategy) -> AdversarialCorruptionSearch:
    return AdversarialCorruptionSearch(
        pipeline,
        "missing",
        budget=BUDGET,
        scoring="roc_auc",
        cv=cv,
        confirm_size=None,
        strategy=strategy,
        random_state=0,
    )


def _until_spent(limit: Limit, data: Data, pipeline: Any, play: Callable[[Any], Any]) -> None:
    task = LimitedSplit(pipeline, "missing", *data)
    task.limit = limit
    limit.started = time.process_time()
    try:
        play(task)
    except Spent:
        return


def _beam(search: Any, X: Any, y: Any, limit: Limit) -> float:
    """The lowest score of a search on the pipeline when its limit is reached."""
    limit.started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem, _ = searched(search, X, y, LimitedBar(limit))
    ranked = problem.evaluator.ranked()
    return float(ranked[0].score) if ranked else float(problem.baseline)
