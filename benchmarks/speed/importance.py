"""Points by importance: how many fewer at equal width, and whether the intervals hold."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks._results import Results, markdown_table
from benchmarks.speed._german import MOVABLE, german_actions, load_german
from skcorrupt.responsiveness import ActionElement, ActionSet, ResponsivenessAuditor, Thermometer
from skcorrupt.responsiveness.sampling import ReachableSpace
from skcorrupt.stats import clopper_pearson

SHARES = (0.01, 0.001, 0.0001)
REQUIRED = {0.001: 20}
STEPS = (
    [f"CreditAmt>={k}" for k in (10_000, 5_000, 2_000, 1_000)],
    [f"LoanDuration>={k}" for k in (36, 24, 12)],
)
SIMULATED = 500
ALPHA = 0.05


def run(quick: bool = False) -> None:
    """Run both parts and save them as they come.

    Parameters
    ----------
    quick : bool, default=False
        Fewer people, shares and simulations.
    """
    results = Results("importance", quick)
    for case in CASES:
        coverage(case, 20 if quick else SIMULATED, results)
    X, y = load_german()
    X["Income"] = np.random.default_rng(0).lognormal(8, 0.5, len(X))
    models = {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "boosting": HistGradientBoostingClassifier(max_depth=3, random_state=0),
        "forest": RandomForestClassifier(100, min_samples_leaf=3, random_state=0),
    }
    for name, model in models.items():
        for share in SHARES[:1] if quick else SHARES:
            ratio(X, name, model.fit(X, y), share, results)


def ratio(X: pd.DataFrame, name: str, model: Any, share: float, results: Results) -> None:
    """Points of uniform draws whose interval is as wide, for applicants with a given share.

    The threshold of the model is moved to where that share of what they can do is approved.
    """
    actions = german_actions(X)
    for column in ("LoanRate", "Income", *(c for steps in STEPS for c in steps)):
        actions[column].actionable = True
    for steps in STEPS:
        actions.add(Thermometer(steps[::-1]))
    space, codes = ReachableSpace(actions), actions.codes(X)
    denied = np.flatnonzero(X[list(MOVABLE)].sum(axis=1) <= 8)
    people = np.random.default_rng(1).choice(denied, size=3 if share > 0.0001 else 1, replace=False)
    rows = []
    for i in people:
        n = int(min(400 / share, 2_000_000))
        values = space.drawn(codes[i], n, np.random.default_rng(2))
        chances = np.concatenate(
            [
                model.predict_proba(space.points(X, np.full(len(part), i), part))[:, 1]
                for part in np.array_split(values, 20)
            ]
        )
        model_there = FixedThresholdClassifier(
            model, threshold=float(np.quantile(chances, 1 - share)), response_method="predict_proba"
        ).fit(X, np.arange(len(X)) % 2)
        model_there.estimator_ = model
        auditor = ResponsivenessAuditor(
            model_there, actions, target=1, epsilon=share, n_samples="importance", random_state=0
        )
        started = time.process_time()
        found = auditor.fit(X.iloc[[i]]).results_.iloc[0]
        seconds = time.process_time() - started
        width = found["ci_high"] - found["ci_low"]
        uniform = _uniform_points(found["responsiveness"], width)
        rows.append((found["n"], found["responsiveness"], width, uniform / found["n"], seconds))
    points, shares, widths, ratios, seconds = np.median(rows, axis=0)
    required = REQUIRED.get(share)
    results.add(
        "ratio",
        {
            "model": name,
            "share": share,
            "people": len(people),
            "found": shares,
            "width": widths,
            "points": int(points),
            "ratio": ratios,
            "seconds": seconds,
            "required": required,
            "verdict": None if required is None else _verdict(ratios >= required),
        },
    )


def _uniform_points(share: float, width: float) -> int:
    """Uniform draws of which a share of hits has an interval no wider."""
    few, many = 1, 2**40
    while many - few > 1:
        n = (few + many) // 2
        low, high = clopper_pearson(share * n, n, ALPHA)
        few, many = (few, n) if high - low <= width else (n, many)
    return many


class Known(ClassifierMixin, BaseEstimator):
    """A model on four uniform columns that hits a known share of them.

    Parameters
    ----------
    hits : {"corner", "islands", "ball", "none", "all"}
        Where: the first two columns far up, that and a box far away from it, a ball.
    share : float
        The share.
    score : {"true", "reversed"} or None
        What its scores say.
    """

    classes_ = np.array([0, 1])

    def __init__(self, hits: str, share: float, score: str | None):
        self.hits = hits
        self.share = share
        self.score = score

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __getattribute__(self, name: str) -> Any:
        if name == "decision_function" and self.score is None:
            raise AttributeError(name)
        return super().__getattribute__(name)

    def decision_function(self, X: Any) -> np.ndarray:
        """How near, or what is said of it."""
        u = np.asarray(X, dtype=float)
        return self._near(u) * (-1 if self.score == "reversed" else 1)

    def _near(self, u: np.ndarray) -> np.ndarray:
        if self.hits == "ball":
            radius = np.cbrt(self.share * 3 / (4 * np.pi))
            return radius - np.sqrt(((u[:, :3] - 0.5) ** 2).sum(axis=1))
        share = self.share / 2 if self.hits == "islands" else self.share
        return u[:, 0] + u[:, 1] - (2 - np.sqrt(2 * share))

    def predict(self, X: Any) -> np.ndarray:
        """Whether a point hits."""
        u = np.asarray(X, dtype=float)
        if self.hits in ("none", "all"):
            return np.full(len(u), int(self.hits == "all"))
        found = self._near(u) > 0
        if self.hits == "islands":
            # a box that the corner does not meet
            found |= (u[:, 0] < 0.5) & (u[:, 1] < 0.5) & (abs(u[:, 2] - 0.5) < self.share)
        return found.astype(int)


CASES = (
    ("score tells", "corner", 0.05, "true"),
    ("score tells", "corner", 0.005, "true"),
    ("score tells", "corner", 0.5, "true"),
    ("curved", "ball", 0.05, "true"),
    ("islands far from the boundary", "islands", 0.05, "true"),
    ("score misleads", "corner", 0.1, "reversed"),
    ("labels only, islands", "islands", 0.1, None),
    ("no hits", "none", 0.0, None),
    ("nothing else", "all", 1.0, None),
)


def coverage(case: tuple[str, str, float, str | None], n: int, results: Results) -> None:
    """How often intervals hold a known share, and claims at a threshold of that share are false."""
    label, hits, share, score = case
    names = ["a", "b", "c", "d"]
    X = pd.DataFrame(0.5, index=range(n), columns=names)
    actions = ActionSet([ActionElement(name, "real", 0.0, 1.0) for name in names])
    epsilon = share if 0 < share < 1 else 0.05
    auditor = ResponsivenessAuditor(
        Known(hits, share, score),
        actions,
        target=1,
        epsilon=epsilon,
        n_samples="importance",
        random_state=0,
    )
    started = time.process_time()
    found = auditor.fit(X).results_
    seconds = time.process_time() - started
    width = (found["ci_high"] - found["ci_low"]).mean()
    above, below = (found["ci_low"] > share).mean(), (found["ci_high"] < share).mean()
    claims = (found["p_value"] <= ALPHA).mean() if 0 < share < 1 else None
    # a simulation of the nominal rates comes so far at most, once in a thousand times
    most = ALPHA + 3.1 * np.sqrt(ALPHA * (1 - ALPHA) / n)
    results.add(
        "coverage",
        {
            "case": label,
            "share": share,
            "simulations": n,
            "points": int(found["n"].median()),
            "bias": found["responsiveness"].mean() - share,
            "error": found["responsiveness"].std() / np.sqrt(n),
            "coverage": 1 - above - below,
            "above": above,
            "below": below,
            "claims": claims,
            "ratio": _uniform_points(share, width) / found["n"].median(),
            "seconds": seconds / n,
            "required": 1 - ALPHA,
            "verdict": _verdict(above + below <= most and (claims is None or claims <= most)),
        },
    )


def _verdict(good: bool) -> str:
    return "reached" if good else "missed"


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    sections = content["sections"]
    return {
        "importance-ratio": markdown_table(
            sections["ratio"],
            {
                "model": "model",
                "share": "share",
                "found": "estimate",
                "width": "width of its interval",
                "points": "points predicted",
                "ratio": "uniform draws for one predicted",
                "seconds": "seconds",
                "required": "required",
                "verdict": "verdict",
            },
        ),
        "importance-coverage": markdown_table(
            sections["coverage"],
            {
                "case": "case",
                "share": "share",
                "points": "points",
                "coverage": "holds it",
                "above": "too high",
                "below": "too low",
                "claims": "false claims at 5 %",
                "ratio": "uniform draws for one predicted",
                "verdict": "verdict",
            },
        ),
    }
