"""What so many points a person tell of models on German credit, over splits (appendix B.3)."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.speed._german import german_actions, load_german
from skcorrupt.responsiveness.sampling._reachable_space import ReachableSpace
from skcorrupt.stats import clopper_pearson

# from the first number at which a test can claim, and that which the paper prints
N_POINTS, N_SPLITS = (29, 30, 50, 100), 20
EPSILON, ALPHA = 0.1, 0.1


def validation_values() -> dict[str, list[float]]:
    """Absolute error of estimates, and precision of tests, by model.

    Returns
    -------
    dict of str to list of float
        A value a split, by "MODEL, N points: error" and "MODEL, N points: precision"; splits
        without a claim have no precision.
    """
    X, y = load_german()
    actions = german_actions(X)
    space = ReachableSpace(actions)
    codes = actions.codes(X)
    listed = [space.listed(person, np.inf) for person in codes]
    people = np.repeat(np.arange(len(X)), [len(each) for each in listed])
    points = space.points(X, people, np.concatenate(listed))
    models = {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "boosting": HistGradientBoostingClassifier(max_depth=3, random_state=0),
    }
    found: dict[str, list[float]] = {}
    for seed in range(N_SPLITS):
        part, _, labels, _ = train_test_split(X, y, train_size=800, stratify=y, random_state=seed)
        fitted = {name: clone(model).fit(part, labels) for name, model in models.items()}
        truth = {
            name: np.bincount(people, model.predict(points) == 1) / np.bincount(people)
            for name, model in fitted.items()
        }
        for n in N_POINTS:
            rng = np.random.default_rng([n, seed])
            values = np.concatenate([space.drawn(person, n, rng) for person in codes])
            drawn = space.points(X, np.repeat(np.arange(len(X)), n), values)
            # the interval's upper end below the threshold, by hits
            claims = clopper_pearson(np.arange(n + 1), n, ALPHA)[1] < EPSILON
            for name, model in fitted.items():
                hits = (np.asarray(model.predict(drawn)) == 1).reshape(-1, n).sum(axis=1)
                error = float(abs(hits / n - truth[name]).mean())
                found.setdefault(f"{name}, {n} points: error", []).append(error)
                claimed = claims[hits]
                if claimed.any():
                    right = float((truth[name][claimed] < EPSILON).mean())
                    found.setdefault(f"{name}, {n} points: precision", []).append(right)
    return found
