"""The search against plain loops with masks, corruptions and a budget rule of their own."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from cheap_models import Centroids
from flat_search import flat_search
from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptLabels,
    CorruptMissing,
    Pattern,
    SelectionBias,
)
from skcorrupt.adversarial import SearchSpace

pytestmark = pytest.mark.usefixtures("few_fits")

FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)
EXACT = {"rtol": 0, "atol": 1e-12}


def mean_probability(model, X, y):
    """A smooth score, so that no two candidates tie by chance."""
    columns = np.searchsorted(model.classes_, np.asarray(y))
    return float(model.predict_proba(X)[np.arange(len(X)), columns].mean())


def binary_table(n=60, n_columns=3, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(n_classes, size=n)
    shifts = rng.uniform(0.1, 0.9, size=(n_classes, n_columns))
    X = (rng.random((n, n_columns)) < shifts[codes]).astype(float)
    labels = np.array(["no", "some", "yes"])[:n_classes][codes]
    return pd.DataFrame(X, columns=list("abcdef")[:n_columns]), pd.Series(labels, name="label")


def rate_within(mask, folds, budget):
    """The largest rate in budget in every split; None where no row can be struck."""
    matched = [int(mask[train].sum()) for train, _ in folds]
    allowed = [math.floor(budget * len(train) + 1e-9) for train, _ in folds]
    if min(matched) == 0 or min(allowed) == 0:
        return None
    rate = min(min(1.0, a / m) for a, m in zip(allowed, matched, strict=True))
    return rate if min(n_struck(rate, m) for m in matched) >= 1 else None


def n_struck(rate, matched):
    return min(matched, math.floor(rate * matched + 0.5 + 1e-9))


def score_of(model, X, y, folds, mask, rate, strike):
    """Mean test score after `strike(X, y, rows)` on the first struck rows of each train part."""
    scores = []
    for train, test in folds:
        X_train, y_train = X.iloc[train], y.iloc[train]
        rows = np.flatnonzero(mask[train])
        rows = rows[: n_struck(rate, len(rows))]
        X_dirty, y_dirty = strike(X_train.copy(), y_train.copy(), rows)
        if len(set(y_dirty)) < 2 or X_dirty.isna().all().any():
            return None
        fitted = clone(model).fit(X_dirty, y_dirty)
        scores.append(mean_probability(fitted, X.iloc[test], y.iloc[test]))
    return float(np.mean(scores))


def lose(column):
    def strike(X, y, rows):
        X.iloc[rows, X.columns.get_loc(column)] = np.nan
        return X, y

    return strike


def flip_to(label):
    def strike(X, y, rows):
        y.iloc[rows] = label
        return X, y

    return strike


def drop(X, y, rows):
    keep = np.setdiff1d(np.arange(len(X)), rows)
    return X.iloc[keep], y.iloc[keep]


def ranges(values):
    """Masks of all ranges of observed values but the one that takes in all."""
    levels = np.unique(values)
    for low, high in itertools.combinations_with_replacement(levels, 2):
        if (low, high) != (levels[0], levels[-1]):
            yield (values >= low) & (values <= high)


def brute_force(model, X, y, columns, labels, strikes, budget, folds, given=True):
    """Scores by the rows that match, for every range of `columns` and class of the label."""
    scores = {}
    for masks in itertools.product(*[list(ranges(X[c].to_numpy())) for c in columns]):
        for label in labels:
            mask = np.logical_and.reduce(masks) & (y == label).to_numpy() & given
            rate = rate_within(mask, folds, budget)
            if rate is None:
                continue
            for name, strike in strikes(label):
                score = score_of(model, X, y, folds, mask, rate, strike)
                if score is not None:
                    scores[name, mask.tobytes()] = (score, rate)
    return scores


def search_scores(search, X, y, target=False):
    """Scores and rates of a fitted search by what is hit and the rows that match."""
    table = pd.DataFrame(search.cv_results_)
    table = table[table.status == "ok"]
    keys = [
        (to if target else columns, Pattern.parse(pattern).mask(X, y).tobytes())
        for to, columns, pattern in zip(table.target, table["columns"], table.pattern, strict=True)
    ]
    assert len(set(keys)) == len(keys)
    return dict(zip(keys, zip(table.mean_test_score, table.rate, strict=True), strict=True))


def assert_same(found, expected, search):
    assert set(found) == set(expected)
    for key, values in expected.items():
        np.testing.assert_allclose(found[key], values, **EXACT)
    assert search.n_evaluations_ == len(search.cv_results_["status"])
    np.testing.assert_allclose(
        search.worst_score_, min(score for score, _ in expected.values()), **EXACT
    )


def exhaustive(corruption, **params):
    settings = {
        "scoring": mean_probability,
        "cv": FOLDS,
        "exhaustive": True,
        "max_conditions": 1,
        "n_bins": 8,
        # of the label alone it depends on the draw which rows are struck
        "exclude": [lambda pattern, X, y: not pattern.columns],
        "confirm_size": None,
        "random_state": 3,
    }
    return flat_search(Centroids(), corruption, **{**settings, **params})


@pytest.mark.many
@pytest.mark.parametrize("budget", [0.05, 0.12, 0.5])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_missing_values_in_binary_columns(budget, n_classes):
    # all rows that match agree in the column hit and the label, so any of them may be struck
    X, y = binary_table(n_classes=n_classes)
    folds = list(FOLDS.split(X, y))
    expected = {}
    for column in X:
        expected |= brute_force(
            Centroids(), X, y, [column], set(y), lambda _, c=column: [((c,), lose(c))],
            budget, folds,
        )  # fmt: skip
    search = exhaustive("missing", budget=budget).fit(X, y)
    assert_same(search_scores(search, X, y), expected, search)
    baseline = score_of(Centroids(), X, y, folds, np.zeros(len(X), bool), 0, lose("a"))
    np.testing.assert_allclose(search.baseline_score_, baseline, **EXACT)
    np.testing.assert_allclose(search.score_drop_, baseline - search.worst_score_, **EXACT)


@pytest.mark.long
def test_missing_values_at_rate_one_on_ordered_columns():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": rng.integers(0, 5, 70), "b": rng.integers(-2, 2, 70) / 4})
    y = pd.Series(rng.integers(0, 2, 70) + (X.a > 2)).clip(0, 1)
    folds = list(FOLDS.split(X, y))
    as_float = X.astype(float)
    expected = {}
    for column in X:
        expected |= brute_force(
            Centroids(), as_float, y, [column], {0, 1}, lambda _, c=column: [((c,), lose(c))],
            1.0, folds,
        )  # fmt: skip
    search = exhaustive("missing", budget=1.0).fit(X, y)
    assert_same(search_scores(search, X, y), expected, search)
    assert search.worst_corruption_.rate == 1


@pytest.mark.long
def test_patterns_on_another_column_without_the_two_heuristics():
    X, y = binary_table(n_columns=2, n_classes=2, seed=4)
    folds = list(FOLDS.split(X, y))
    expected = {}
    for hit, used in itertools.product(X, X):
        everywhere, label = np.ones(len(X), dtype=bool), (y == "no").to_numpy()
        for mask in [*ranges(X[used].to_numpy()), everywhere]:
            # the label alone is a pattern, too, but all rows are none
            alone = [mask] if mask is not everywhere else []
            for given in (*alone, mask & label, mask & ~label):
                rate = rate_within(given, folds, 1.0)
                score = score_of(Centroids(), X, y, folds, given, rate, lose(hit))
                if score is not None:
                    expected[(hit,), given.tobytes()] = (score, rate)
    free = {"own_column": "allowed", "label": "allowed", "exclude": []}
    search = exhaustive("missing", budget=1.0, **free).fit(X, y)
    assert_same(search_scores(search, X, y), expected, search)


@pytest.mark.parametrize("budget", [0.05, 0.2])
def test_flipped_labels_go_to_the_worst_of_several_classes(budget):
    X, y = binary_table(n_columns=1, n=90, seed=2)
    folds = list(FOLDS.split(X, y))
    expected = brute_force(
        Centroids(), X, y, ["a"], set(y),
        lambda label: [(to, flip_to(to)) for to in sorted(set(y) - {label})], budget, folds,
    )  # fmt: skip
    search = exhaustive("labels", budget=budget).fit(X, y)
    assert_same(search_scores(search, X, y, target=True), expected, search)
    corruption = search.worst_corruption_
    assert isinstance(corruption, CorruptLabels)
    assert set(corruption.transition.values()) == {search.cv_results_["target"][_winner(search)]}


def test_a_given_transition_is_not_searched():
    X, y = binary_table(n_columns=1, n=90, seed=2)
    folds = list(FOLDS.split(X, y))
    template = CorruptLabels(transition={"yes": "no", "some": "yes"})
    goes = {"yes": "no", "some": "yes"}
    expected = brute_force(
        Centroids(), X, y, ["a"], goes, lambda label: [(None, flip_to(goes[label]))], 0.1, folds
    )
    search = exhaustive(template, budget=0.1).fit(X, y)
    assert_same(search_scores(search, X, y, target=True), expected, search)


@pytest.mark.parametrize("budget", [0.05, 0.2])
def test_dropped_rows(budget):
    X, y = binary_table(n_columns=1, n=90, seed=3)
    folds = list(FOLDS.split(X, y))
    expected = brute_force(Centroids(), X, y, ["a"], set(y), lambda _: [((), drop)], budget, folds)
    search = exhaustive("selection", budget=budget).fit(X, y)
    assert_same(search_scores(search, X, y), expected, search)
    assert isinstance(search.worst_corruption_, SelectionBias)
    assert search.worst_columns_ == []


@pytest.mark.long
def test_two_attributes_with_a_wide_beam():
    X, y = binary_table(n_columns=3, n_classes=2, seed=5)
    folds = list(FOLDS.split(X, y))
    expected = {}
    for hit in X:
        strikes = lambda _, c=hit: [((c,), lose(c))]  # noqa: E731
        for used in [[hit], *([hit, other] for other in X if other != hit)]:
            expected |= brute_force(Centroids(), X, y, used, set(y), strikes, 0.1, folds)
    search = exhaustive("missing", max_conditions=2, beam_width=100).fit(X, y)
    found = search_scores(search, X, y)
    # the beam stops after a round without improvement, and here the second round does improve
    assert_same(found, expected, search)
    assert pd.DataFrame(search.cv_results_).depth.max() == 2


def test_a_given_pattern_is_kept_and_extended():
    X, y = binary_table(n_columns=3, n_classes=2, seed=6)
    folds = list(FOLDS.split(X, y))
    given = (X.c == 1).to_numpy()
    expected = {}
    for hit in ["a", "b"]:
        expected |= brute_force(
            Centroids(), X, y, [hit], set(y), lambda _, c=hit: [((c,), lose(c))], 0.2, folds,
            given,
        )  # fmt: skip
    template = CorruptMissing(pattern="c == 1")
    search = exhaustive(template, budget=0.2, corrupt_columns=["a", "b"]).fit(X, y)
    assert_same(search_scores(search, X, y), expected, search)
    assert all("c" in Pattern.parse(p).columns for p in search.cv_results_["pattern"])


@pytest.mark.parametrize("strategy", ["exhaustive", "beam", "auto", "screening"])
def test_a_given_pattern_is_one_by_itself(strategy):
    """Where all of its rows are within the budget, with more conditions it strikes fewer."""
    X, y = binary_table(n_columns=3, n_classes=2, seed=6)
    folds = list(FOLDS.split(X, y))
    scores = []
    for train, test in folds:
        struck = X.iloc[train].mask(X.iloc[train]["c"] == 1, X.iloc[train].assign(a=np.nan))
        model = Centroids().fit(struck, y.iloc[train])
        scores.append(mean_probability(model, X.iloc[test], y.iloc[test]))
    search = AdversarialCorruptionSearch(
        Centroids(),
        CorruptMissing("a", pattern="c == 1"),
        budget=0.8,
        scoring=mean_probability,
        cv=folds,
        space=SearchSpace(max_conditions=1, label="forbidden", own_column="allowed"),
        strategy=strategy,
        confirm_size=None,
        random_state=0,
    ).fit(X, y)
    tried = dict(
        zip(search.cv_results_["pattern"], search.cv_results_["mean_test_score"], strict=True)
    )
    assert tried["c == 1"] == pytest.approx(np.mean(scores), abs=1e-12)
    assert search.worst_score_ <= np.mean(scores) + 1e-12
    assert len(tried) > 1


def test_a_given_label_condition_is_kept():
    X, y = binary_table(n_columns=2, seed=6)
    search = exhaustive(CorruptMissing(pattern="y == 'yes'"), budget=0.2).fit(X, y)
    patterns = [Pattern.parse(p) for p in search.cv_results_["pattern"]]
    assert all(p.conditions["y"].values == ("yes",) and len(p.columns) == 1 for p in patterns)


@pytest.mark.long
def test_categories_are_searched_by_equality_and_by_ranges_of_the_label_rate():
    rng = np.random.default_rng(0)
    share = {"w": 0.9, "u": 0.1, "v": 0.5}
    kind = pd.Series(np.repeat(list(share), 40), dtype="category")
    y = pd.Series((rng.random(120) < kind.map(share).astype(float)).astype(int))
    X = pd.DataFrame({"kind": kind, "a": rng.normal(size=120)})
    rates = y.groupby(kind, observed=True).mean().sort_values()
    assert list(rates.index) == ["u", "v", "w"]
    model = make_column_transformer((OrdinalEncoder(), ["kind"]), remainder="passthrough")
    search = flat_search(
        make_pipeline(model, Centroids()),
        "missing",
        corrupt_columns=["kind"],
        pattern_columns=["kind"],
        exhaustive=True,
        max_conditions=1,
        confirm_size=None,
        random_state=0,
    ).fit(X, y)
    tried = {Pattern.parse(p).conditions["kind"].values for p in search.cv_results_["pattern"]}
    (kinds,) = search.lay_out(X, y).task.space.attributes.values()
    grid = {condition.values for condition in kinds.conditions}
    assert grid == {("u",), ("v",), ("w",), ("u", "v"), ("v", "w")}
    # those near the worst that are no ranges may be tried besides
    assert tried >= grid


def _winner(search):
    return int(np.flatnonzero(search.cv_results_["rank_test_score"] == 1)[0])
