"""What thirty points a person tell of models on German credit, over splits (appendix B.3)."""

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

N_POINTS, N_SPLITS = 30, 20
EPSILON, ALPHA = 0.1, 0.1


def validation_values() -> dict[str, list[float]]:
    """Absolute error of estimates, and precision of tests, by model.

    Returns
    -------
    dict of str to list of float
        A value a split, by "MODEL: error" and "MODEL: precision"; splits without a claim have no
        precision.
    """
    X, y = load_german()
    actions = german_actions(X)
    space = ReachableSpace(actions)
    codes = actions.codes(X)
    listed = [space.listed(person, np.inf) for person in codes]
    people = np.repeat(np.arange(len(X)), [len(each) for each in listed])
    points = space.points(X, people, np.concatenate(listed))
    owners = np.repeat(np.arange(len(X)), N_POINTS)
    # the interval's upper end below the threshold, by hits
    claims = clopper_pearson(np.arange(N_POINTS + 1), N_POINTS, ALPHA)[1] < EPSILON
    models = {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "boosting": HistGradientBoostingClassifier(max_depth=3, random_state=0),
    }
    found: dict[str, list[float]] = {}
    for seed in range(N_SPLITS):
        rng = np.random.default_rng([N_POINTS, seed])
        values = np.concatenate([space.drawn(person, N_POINTS, rng) for person in codes])
        drawn = space.points(X, owners, values)
        part, _, labels, _ = train_test_split(X, y, train_size=800, stratify=y, random_state=seed)
        for name, model in models.items():
            fitted = clone(model).fit(part, labels)
            truth = np.bincount(people, fitted.predict(points) == 1) / np.bincount(people)
            hits = (np.asarray(fitted.predict(drawn)) == 1).reshape(-1, N_POINTS).sum(axis=1)
            error = float(abs(hits / N_POINTS - truth).mean())
            found.setdefault(f"{name}: error", []).append(error)
            claimed = claims[hits]
            if claimed.any():
                right = float((truth[claimed] < EPSILON).mean())
                found.setdefault(f"{name}: precision", []).append(right)
    return found
