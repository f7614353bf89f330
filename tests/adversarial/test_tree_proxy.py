"""Trees of batches of candidates against all splits tried one by one, and against scikit-learn."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from proxy_setups import counted_data, group_share, laid_out, some_candidates
from skcorrupt import CorruptDuplicates, CorruptLabels, CorruptMissing
from skcorrupt.adversarial.proxies import StruckGroups, TreeProxy
from skcorrupt.adversarial.proxies._batch_trees import DEPTH, LEAF_SHARE

KINDS = ["missing", "labels", "selection", "duplicates"]
EQUAL = 1e-9


def set_up(kind, n_classes, n=300, gaps=False, **params):
    X, y = counted_data(n=n, seed=3)
    X = X[["a", "b"]].assign(b=X.b % 4, d=np.arange(n) * 7 % 5)
    X["e"] = np.random.default_rng(7).integers(0, 9, n)
    if n_classes == 0:
        y = X.a * 3.0 + X.b + np.random.default_rng(6).normal(0, 2, n)
    elif n_classes == 3:
        y = y + (X.b > 2)
    if gaps:
        X = X.astype(float)
        X.loc[np.random.default_rng(5).random(n) < 0.1, "d"] = np.nan
    corruption = {
        "labels": CorruptLabels(shift=4.0 if n_classes == 0 else None),
        "duplicates": CorruptDuplicates(),
        "missing": CorruptMissing("a"),
    }.get(kind, kind)
    estimator = RandomForestClassifier(3) if n_classes else RandomForestRegressor(3)
    if n_classes:
        params = {"scoring": "balanced_accuracy", **params}
    return laid_out(estimator, corruption, X, y, name="tree", **params)


def struck(setup, n, n_classes, seed=0):
    found = some_candidates(setup, n, seed)
    share = np.stack([group_share(setup, mask, c.rate) for _, _, c, mask in found])
    flipped = setup.screen._flipped(2 if n_classes == 3 else None)
    return StruckGroups(setup.stand_ins.kind, share, found[0][0].columns, flipped)


def written_out(setup, struck, k):
    """Levels, labels and weights of a candidate's training rows, those of before first."""
    groups = setup.groups
    levels = np.column_stack([f.levels for f in groups.features])
    missing = np.array([len(f.values) for f in groups.features])
    weights, share = groups.trains[0].astype(float), struck.share[k].astype(float)
    after, y = levels.copy(), groups.y
    if struck.kind == "missing":
        after[:, list(struck.columns)] = missing[list(struck.columns)]
    if struck.kind == "labels":
        y = struck.flipped.astype(groups.y.dtype)
    before = weights * (1 + share if struck.kind == "duplicates" else 1 - share)
    more = weights * share if struck.kind in ("missing", "labels") else 0 * weights
    w = np.concatenate([before, more])
    kept = w > EQUAL
    rows = np.vstack([levels, after])
    return rows[kept], np.concatenate([groups.y, y])[kept], w[kept], levels, missing


def targets_of(y, n_classes):
    return y[:, None] if n_classes == 0 else (y[:, None] == np.arange(n_classes)).astype(float)


def grown_alone(rows, targets, w, missing, least, shown, at, found, depth=0):
    """One tree by trying every split, of the first feature where several are equally good."""
    total = w.sum()
    best = (-np.inf,)
    for lost_left in (False, True):
        for j in range(rows.shape[1]):
            if lost_left and not (rows[:, j] == missing[j]).any():
                continue
            for cut in range(missing[j]):
                left = (rows[:, j] <= cut) | (lost_left & (rows[:, j] == missing[j]))
                sides = [(w[s].sum(), w[s] @ targets[s]) for s in (left, ~left)]
                if min(weight for weight, _ in sides) < least:
                    continue
                gain = sum((sums**2).sum() / weight for weight, sums in sides)
                if gain > best[0] + EQUAL * abs(gain):
                    best = (gain, j, cut, lost_left, left)
    if depth == DEPTH or best[0] == -np.inf:
        found[at] = w @ targets / total
        return
    _, j, cut, lost_left, left = best
    known = rows[rows[:, j] < missing[j], j]
    higher = known[known > cut]
    cut = (known[known <= cut].max() + higher.min()) // 2 if len(higher) else missing[j] - 1
    if not (rows[:, j] == missing[j]).any():
        lost_left = 2 * w[left].sum() > total
    goes = (shown[at, j] <= cut) | (lost_left & (shown[at, j] == missing[j]))
    for side, there in ((left, goes), (~left, ~goes)):
        grown_alone(
            rows[side], targets[side], w[side], missing, least, shown, at[there], found, depth + 1
        )


@pytest.mark.slow
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_trees_are_those_that_trying_every_split_makes(kind, n_classes, gaps):
    setup = set_up(kind, n_classes, n=120, gaps=gaps)
    batch = struck(setup, 3, n_classes)
    predicted = setup.proxy.predict(0, batch)
    for k, each in enumerate(predicted):
        rows, y, w, shown, missing = written_out(setup, batch, k)
        least = float(f"{LEAF_SHARE * w.sum():.6g}")
        expected = np.zeros((len(shown), max(n_classes, 1)))
        everyone = np.arange(len(shown))
        targets = targets_of(y, n_classes)
        grown_alone(rows, targets, w, missing, least, shown, everyone, expected)
        if n_classes != 3:
            expected = expected[:, -1]
        np.testing.assert_allclose(each, expected, atol=1e-8)


@pytest.mark.parametrize("kind", ["missing", "labels", "selection"])
def test_predictions_are_as_good_as_those_of_scikit_learn(kind):
    for n_classes in (0, 2):
        setup = set_up(kind, n_classes, n=1500, budget=0.5)
        batch = struck(setup, 20, n_classes)
        predicted = setup.proxy.predict(0, batch)
        ours, theirs = [], []
        for k, each in enumerate(predicted):
            rows, y, w, shown, missing = written_out(setup, batch, k)
            tree = (DecisionTreeClassifier if n_classes else DecisionTreeRegressor)(
                max_depth=DEPTH, min_weight_fraction_leaf=LEAF_SHARE, random_state=0
            )
            tree.fit(np.where(rows == missing, np.nan, rows), y, sample_weight=w)
            known = tree.predict_proba(shown)[:, 1] if n_classes else tree.predict(shown)
            for into, p in ((ours, each), (theirs, known)):
                into.append(((p - setup.groups.y) ** 2) @ setup.groups.tests[0])
        assert spearmanr(ours, theirs).statistic >= 0.97


@pytest.mark.many
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_a_tree_is_the_same_in_any_batch(kind, n_classes):
    setup = set_up(kind, n_classes)
    batch = struck(setup, 12, n_classes)
    together = setup.proxy.predict(0, batch)
    for k in reversed(range(12)):
        alone = StruckGroups(batch.kind, batch.share[k : k + 1], batch.columns, batch.flipped)
        fresh = TreeProxy(setup.groups).predict(0, alone)[0]
        np.testing.assert_array_equal(setup.proxy.predict(0, alone)[0], together[k])
        np.testing.assert_allclose(fresh, together[k], atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_areas_of_leaves_are_areas_of_predictions(kind):
    setup = set_up(kind, 2, scoring="roc_auc")
    batch = struck(setup, 10, 2)
    score = setup.screen.score
    found, left = setup.proxy.scores(0, batch, score, polish=False)
    assert left == 0
    known = score.exact(0, setup.proxy.predict(0, batch))
    np.testing.assert_allclose(found, known, atol=1e-12)
    assert len(np.unique(known)) > 1
