"""Responsiveness: speed of listing, drawing and auditing, and the validation study on German."""

from __future__ import annotations

import resource
import time
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks._results import Results, markdown_table
from benchmarks.speed._german import german_actions, load_german
from skcorrupt.responsiveness import ResponsivenessAuditor
from skcorrupt.responsiveness.sampling import ReachableSpace
from skcorrupt.stats import clopper_pearson

# points of table 3 by the bound of the age: within it, and beyond everybody's reach
COUNTED = {75: None, 120: 182_956}
PUBLISHED_POINTS_A_SECOND = 408
N_DRAWS = 402
# nobody shares what it leaves of a real column with another
RULE = "delta(Income) <= 500 * delta(YearsAtResidence)"
PRINTED_ERROR, PRINTED_PRECISION = 0.042, 0.979
SIZES = (10, 28, 29, 30, 50, 100)


def run(quick: bool = False) -> None:
    """Run all parts and save them as they come.

    Parameters
    ----------
    quick : bool, default=False
        Fewer people and trials.
    """
    results = Results("responsiveness", quick)
    X, y = load_german()
    # table 4 trains on 800 of the applicants
    X_train, _, y_train, _ = train_test_split(X, y, train_size=800, stratify=y, random_state=0)
    regression = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    boosting = HistGradientBoostingClassifier(max_depth=3, random_state=0).fit(X_train, y_train)
    listing(X, results)
    drawing(X, results)
    auditing(X, regression, results)
    for rule in ("", RULE):
        crowd(X, y, 2_000 if quick else 30_000, rule, results)
    for name, model in (("logistic regression", regression), ("boosting", boosting)):
        validation(X, name, model, 2 if quick else 20, results)


def listing(X: pd.DataFrame, results: Results) -> None:
    """All reachable points of all applicants."""
    for oldest, known in COUNTED.items():
        actions = german_actions(X, oldest=oldest)
        codes = actions.codes(X)
        space = ReachableSpace(actions)
        started = time.process_time()
        n = sum(len(space.listed(person, np.inf)) for person in codes)
        seconds = time.process_time() - started
        results.add(
            "listing",
            {
                "oldest": oldest,
                "points": n,
                "known": known,
                "seconds": seconds,
                "points_a_second": n / seconds,
                "times_published": n / seconds / PUBLISHED_POINTS_A_SECOND,
                "required": 400_000,
                "verdict": "reached" if n / seconds >= 400_000 else "missed",
            },
        )


def drawing(X: pd.DataFrame, results: Results) -> None:
    """Draws for every applicant, beside a real column that cannot be listed."""
    with_real = X.assign(Income=np.random.default_rng(0).lognormal(8, 0.5, len(X)))
    for name, frame in (("36 columns", X), ("and a real one", with_real)):
        actions = german_actions(frame)
        if "Income" in frame:
            actions["Income"].actionable = True
        codes = actions.codes(frame)
        space = ReachableSpace(actions)
        started = time.process_time()
        for i, person in enumerate(codes):
            space.drawn(person, N_DRAWS, np.random.default_rng(i))
        seconds = time.process_time() - started
        rate = len(codes) * N_DRAWS / seconds
        results.add(
            "drawing",
            {
                "columns": name,
                "points": len(codes) * N_DRAWS,
                "seconds": seconds,
                "points_a_second": rate,
                "required": 1_000_000,
                "verdict": "reached" if rate >= 1_000_000 else "missed",
            },
        )


def auditing(X: pd.DataFrame, model: Any, results: Results) -> None:
    """The exact audit of all applicants, without the model's own predictions."""
    timed = _Timed(model)
    auditor = ResponsivenessAuditor(timed, german_actions(X), target=1, random_state=0)
    started = time.process_time()
    auditor.fit(X)
    seconds = time.process_time() - started
    own = seconds - timed.seconds
    results.add(
        "auditing",
        {
            "people": len(X),
            "exact": bool(auditor.results_["exact"].all()),
            "points": int(auditor.results_["n"].sum()),
            "seconds": seconds,
            "predicting": timed.seconds,
            "own": own,
            "required": 1.0,
            "verdict": "reached" if own < 1 else "missed",
        },
    )


def crowd(X: pd.DataFrame, y: pd.Series, n_people: int, rule: str, results: Results) -> None:
    """Many people with a real column, so that points are drawn, with and without a rule on it."""
    rng = np.random.default_rng(0)
    rows = rng.integers(len(X), size=n_people)
    people = X.iloc[rows].reset_index(drop=True)
    people["Income"] = rng.lognormal(8, 0.5, n_people)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(people, y.iloc[rows])
    actions = german_actions(people)
    actions["Income"].actionable = True
    if rule:
        actions.add(rule)
    timed = _Timed(model)
    auditor = ResponsivenessAuditor(timed, actions, target=1, n_samples=N_DRAWS, random_state=0)
    started, wall = time.process_time(), time.perf_counter()
    auditor.fit(people)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = time.perf_counter() - wall
    results.add(
        "crowd",
        {
            "people": n_people,
            "rule": rule or "none",
            "points": int(auditor.results_["n"].sum()),
            "seconds": seconds,
            "cpu_seconds": time.process_time() - started,
            "predicting": timed.seconds,
            "megabytes": megabytes,
            "required": "60 s, 2,048 MB",
            "verdict": "reached" if seconds <= 60 and megabytes <= 2048 else "missed",
        },
    )


def validation(X: pd.DataFrame, name: str, model: Any, n_trials: int, results: Results) -> None:
    """Estimates and tests from the space's draws beside the truth (appendix B.3)."""
    actions = german_actions(X)
    space = ReachableSpace(actions)
    codes = actions.codes(X)
    truth = np.empty(len(X))
    for i, person in enumerate(codes):
        truth[i] = _hits(space, X, model, [i], [space.listed(person, np.inf)])[0].mean()
    drawn = {n: _drawn_hits(space, X, codes, model, n, n_trials) for n in SIZES}
    for n, hits in drawn.items():
        # upper bound of the interval below the threshold, for every count
        claims = clopper_pearson(np.arange(n + 1), n, 0.1)[1] < 0.1
        claimed, low = claims[hits], np.broadcast_to(truth < 0.1, hits.shape)
        right, made, found = int((claimed & low).sum()), int(claimed.sum()), int(low.sum())
        error = float(abs(hits / n - truth).mean())
        precision = right / made if made else None
        row = {
            "model": name,
            "n": n,
            "error": error,
            "precision": precision,
            "recall": right / found if found else None,
            "specificity": 1 - (made - right) / (hits.size - found),
            "printed": None,
        }
        if n == 30:
            row["printed"] = f"error {PRINTED_ERROR}, precision {PRINTED_PRECISION}"
        elif n < 29:
            row["printed"] = "recall 0"
        results.add("validation", row)


def _drawn_hits(
    space: ReachableSpace, X: pd.DataFrame, codes: np.ndarray, model: Any, n: int, n_trials: int
) -> np.ndarray:
    """How many of n draws of everybody have the target, shape (n_trials, n_people)."""
    hits = np.empty((n_trials, len(X)), dtype=int)
    for trial in range(n_trials):
        rng = np.random.default_rng([n, trial])
        values = [space.drawn(person, n, rng) for person in codes]
        found = _hits(space, X, model, range(len(X)), values)
        hits[trial] = [each.sum() for each in found]
    return hits


def _hits(
    space: ReachableSpace, X: pd.DataFrame, model: Any, people: Any, values: list[np.ndarray]
) -> list[np.ndarray]:
    """Which points of some people have the target prediction."""
    lengths = [len(each) for each in values]
    points = space.points(X, np.repeat(people, lengths), np.concatenate(values))
    found = np.asarray(model.predict(points)) == 1
    return np.split(found, np.cumsum(lengths)[:-1])


class _Timed:
    """A model that notes the processor seconds of its predictions."""

    def __init__(self, model: Any):
        self._model = model
        self.classes_ = model.classes_
        self.seconds = 0.0

    def predict(self, X: Any) -> Any:
        started = time.process_time()
        found = self._model.predict(X)
        self.seconds += time.process_time() - started
        return found


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    sections = content["sections"]
    return {
        "responsiveness-listing": markdown_table(
            sections["listing"],
            {
                "oldest": "oldest age",
                "points": "points",
                "known": "counted before",
                "seconds": "seconds",
                "points_a_second": "points a second",
                "times_published": "times the published 408",
                "required": "required",
                "verdict": "verdict",
            },
        ),
        "responsiveness-drawing": markdown_table(
            sections["drawing"],
            {
                "columns": "columns",
                "points": "points",
                "seconds": "seconds",
                "points_a_second": "points a second",
                "required": "required",
                "verdict": "verdict",
            },
        ),
        "responsiveness-auditing": markdown_table(
            sections["auditing"],
            {
                "people": "people",
                "exact": "exact",
                "points": "points",
                "seconds": "seconds",
                "predicting": "of these predicting",
                "own": "the audit's own",
                "required": "allowed",
                "verdict": "verdict",
            },
        ),
        "responsiveness-crowd": markdown_table(
            sections["crowd"],
            {
                "people": "people",
                "rule": "rule on the real column",
                "points": "points",
                "seconds": "seconds",
                "predicting": "of these predicting",
                "megabytes": "MB at most",
                "required": "allowed",
                "verdict": "verdict",
            },
        ),
        "responsiveness-validation": markdown_table(
            sections["validation"],
            {
                "model": "model",
                "n": "points",
                "error": "absolute error",
                "precision": "precision",
                "recall": "recall",
                "specificity": "specificity",
                "printed": "printed",
            },
        ),
    }
