"""Seeds, workers, backends and what a candidate costs."""

import json
import pickle
import time

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from cheap_models import Centroids, Counting
from flat_search import flat_search
from skcorrupt import (
    BaseCorruption,
    CorruptCategories,
    CorruptDuplicates,
    CorruptedEstimator,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    Pattern,
    SelectionBias,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import BeamSearch
from small_searches import ONE_SPLIT, feature_columns, quick, results, small_data

SCORES = [
    "worst_score_", "baseline_score_", "random_score_", "confirmed_score_",
    "confirmed_baseline_score_", "confirmed_interval_", "n_evaluations_",
]  # fmt: skip


def found(search):
    """All that a search found, times aside."""
    table = pd.DataFrame(search.cv_results_).drop(columns=["mean_fit_time", "mean_score_time"])
    table["corruption"] = table.corruption.astype(str)
    values = [getattr(search, name) for name in SCORES if hasattr(search, name)]
    return table, values, repr(search.worst_corruption_)


def assert_same_found(first, second):
    pd.testing.assert_frame_equal(first[0], second[0], check_exact=True)
    np.testing.assert_equal(first[1], second[1])
    assert first[2] == second[2]


class Shared:
    """A parameter, such as a connection, that clones share and that refuses to pickle."""

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        raise pickle.PicklingError("this does not travel")


class Connected(Centroids):
    """Holds something that does not pickle."""

    def __init__(self, connection):
        self.connection = connection


@pytest.mark.usefixtures("few_fits")
@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.slow), 2**40])
def test_a_seed_gives_the_same_search_again(seed):
    X, y = small_data()
    params = {"cv": 2, "confirm_size": 0.25, "n_calls": 3, "max_conditions": 2, "n_bins": 3}
    first = found(quick("labels", random_state=seed, **params).fit(X, y))
    again = quick("labels", random_state=seed, **params)
    assert_same_found(first, found(again.fit(X, y)))
    assert_same_found(first, found(again.fit(X, y)))


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_other_seeds_and_no_seed_give_other_draws():
    X, y = small_data()
    params = {"max_conditions": 1, "n_calls": 2, "scoring": "roc_auc"}
    first, second = (quick("labels", random_state=s, **params).fit(X, y) for s in (0, 1))
    assert first.random_score_ != second.random_score_
    # other draws may have the same score by chance, so that seeds are compared
    first, second = (quick("labels", random_state=None, **params).fit(X, y) for _ in range(2))
    assert first.seed_ != second.seed_


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_generators_are_taken_as_seeds():
    X, y = small_data()
    for make in (np.random.RandomState, np.random.default_rng):
        first, second = (quick(random_state=make(3), n_calls=2).fit(X, y) for _ in range(2))
        assert_same_found(found(first), found(second))
    with pytest.raises(ValueError, match="random_state=-1"):
        quick(random_state=-1).fit(X, y)


@pytest.mark.usefixtures("few_fits")
def test_the_global_random_state_is_left_alone():
    X, y = small_data()
    before = np.random.get_state()  # noqa: NPY002
    quick(confirm_size=0.25, cv=2, n_calls=6, refit=True, max_conditions=1).fit(X, y)
    after = np.random.get_state()  # noqa: NPY002
    assert before[0] == after[0]
    np.testing.assert_array_equal(before[1], after[1])
    assert before[2:] == after[2:]


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_an_unseeded_forest_inside_is_reproducible_and_left_unseeded():
    X, y = small_data()
    forest = RandomForestClassifier(3, max_depth=2)
    model = make_pipeline(CorruptNoise(rate=0.1), forest)
    params = {"max_conditions": 1, "n_calls": 2, "corrupt_columns": ["c"], "confirm_size": 0.25}
    params["cv"] = StratifiedKFold(2)
    first = quick("missing", model, **params).fit(X, y)
    assert_same_found(found(first), found(quick("missing", model, **params).fit(X, y)))
    assert forest.random_state is None
    assert first.estimator is model


@pytest.mark.usefixtures("few_fits")
@pytest.mark.parametrize("backend", [pytest.param("threading", marks=pytest.mark.slow), "loky"])
def test_workers_do_not_change_the_result(backend):
    X, y = small_data()
    params = {
        "cv": 2,
        "confirm_size": 0.25,
        "n_calls": 4,
        "max_conditions": 2,
        "corrupt_columns": ["a"],
    }
    tree = DecisionTreeClassifier(max_depth=2)
    alone = quick("missing", tree, **params).fit(X, y)
    with joblib.parallel_config(backend=backend):
        parallel = quick("missing", tree, n_jobs=2, **params).fit(X, y)
    assert_same_found(found(alone), found(parallel))
    with joblib.parallel_config(backend="threading", n_jobs=2):
        by_config = quick("missing", tree, **params).fit(X, y)
    assert_same_found(found(alone), found(by_config))


@pytest.mark.usefixtures("few_fits")
def test_a_pipeline_that_does_not_pickle_runs_in_threads():
    X, y = small_data()
    model = Connected(Shared())
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(model)
    alone = quick("missing", model, n_calls=2, max_conditions=1).fit(X, y)
    with joblib.parallel_config(backend="threading"):
        threads = quick("missing", model, n_calls=2, max_conditions=1, n_jobs=2).fit(X, y)
    assert_same_found(found(alone), found(threads))


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_nested_workers():
    X, y = small_data()
    inner = GridSearchCV(Centroids(), {}, cv=2, n_jobs=2)
    with joblib.parallel_config(backend="threading"):
        nested = quick("missing", inner, n_jobs=2, n_calls=2, max_conditions=1).fit(X, y)
    plain = quick("missing", Centroids(), n_calls=2, max_conditions=1).fit(X, y)
    assert nested.worst_score_ == plain.worst_score_


def test_an_error_in_a_worker_comes_through():
    X, y = small_data()

    def sometimes(model, X, y):
        raise ZeroDivisionError("no scores today")

    with (
        joblib.parallel_config(backend="threading"),
        pytest.raises(ZeroDivisionError, match="no scores today"),
    ):
        quick("missing", n_jobs=2, scoring=sometimes).fit(X, y)


@pytest.mark.slow
class TestCosts:
    def test_candidates_that_strike_the_same_rows_are_fitted_once(self):
        X, y = small_data()
        # a copy of a column gives every pattern a twin
        twice = X[["a", "c"]].assign(d=X.c, e=X.c)
        params = {
            "exhaustive": True, "pattern_columns": ["c", "d", "e"], "corrupt_columns": ["a"],
            "own_column": "allowed", "max_conditions": 2, "beam_width": 50, "label": "required",
        }  # fmt: skip
        Counting.n_fits = 0
        search = quick("missing", Counting(), **params).fit(twice, y)
        table = results(search)
        masks = [p.mask(twice, y).tobytes() for p in table.pattern]
        assert len(set(masks)) == len(masks) == search.n_evaluations_ == 6
        # one clean fit, one trial, the candidates and their draws, and random draws, of which the
        # first five tell their mean well enough here
        assert Counting.n_fits == 1 + 1 + table.n_draws.sum() + 5

    @pytest.mark.parametrize(("seed", "is_random"), [(0, False), (4, True)])
    def test_fits_in_all(self, seed, is_random):
        X, y = small_data()
        Counting.n_fits = 0
        params = {"cv": 2, "confirm_size": 0.25, "refit": True, "n_calls": 3}
        # what defaults require is relaxed afterwards, which takes fits too
        params |= {"own_column": "required", "label": "required"}
        search = quick("missing", Counting(), random_state=seed, **params).fit(X, y)
        infeasible = (search.cv_results_["status"] == "infeasible").sum()
        assert infeasible == 0
        # candidates whose errors are random are drawn again
        drawn = int(search.cv_results_["n_draws"].sum())
        assert drawn >= search.n_evaluations_
        # held out rows are clean once, and struck by every draw of an error that is random
        assert (search.worst_corruption_.rate < 1) == is_random
        confirmed = 1 + (20 if is_random else 1)
        fits = 2 * (1 + drawn + 20) + confirmed + 1 + 1
        assert Counting.n_fits == fits

    @pytest.mark.parametrize(
        "way", [{"optimizer": "random"}, {"exhaustive": True}, {"optimizer": "auto"}]
    )
    @pytest.mark.parametrize("corruption", ["missing", "labels"])
    def test_the_plan_is_an_upper_bound(self, way, corruption):
        X, y = small_data()
        names = y.map({0: "no", 1: "yes"}).where(X.c == 0, "maybe")
        params = {"cv": 2, "confirm_size": 0.25, "n_calls": 3, "n_bins": 2, **way}
        params |= {"beam_width": 1, "max_conditions": 2}
        search = quick(corruption, Counting(), **params)
        plan = search.plan(X[["a", "c"]], names)
        assert not hasattr(search, "worst_score_")
        Counting.n_fits = 0
        search.fit(X[["a", "c"]], names)
        assert 0 < search.n_evaluations_ <= plan.n_evaluations
        assert Counting.n_fits <= plan.n_fits
        fits = [n * plan.seconds_per_fit for n in (plan.expected_fits, plan.n_fits)]
        assert plan.seconds == pytest.approx(fits[0] + plan.other_seconds)
        assert plan.most_seconds == pytest.approx(fits[1] + plan.other_seconds)
        assert plan.expected_evaluations <= plan.n_evaluations
        assert f"at most {plan.n_evaluations} candidates" in str(plan)

    def test_the_plan_counts_workers(self):
        X, y = small_data()
        with joblib.parallel_config(backend="threading"):
            plan = quick("missing", n_jobs=2, n_calls=2).plan(X, y)
        fits = plan.expected_fits * plan.seconds_per_fit
        assert plan.seconds == pytest.approx(fits / 2 + plan.other_seconds)

    def test_progress_is_shown_on_request_only(self, capsys):
        X, y = small_data()
        quick("missing", n_calls=2, max_conditions=1).fit(X, y)
        assert capsys.readouterr() == ("", "")
        search = quick("missing", n_calls=2, max_conditions=1, verbose=1).fit(X, y)
        out, err = capsys.readouterr()
        assert out == ""
        assert "Comparing: 5 of 5" in err and "Searching" in err and "Refining" in err
        # a line for each phase, as a log keeps all that is written
        assert "\r" not in err and len(err.splitlines()) < 12
        assert f"worst {search.worst_score_:.3f}" in err

    def test_overhead_is_a_share(self):
        class Slow(Centroids):
            def fit(self, X, y, sample_weight=None):
                time.sleep(0.05)
                return super().fit(X, y, sample_weight)

        X, y = small_data()
        params = {"n_calls": 4, "max_conditions": 1, "corrupt_columns": ["a"]}
        assert 0 <= quick("missing", **params).fit(X, y).overhead_ <= 1
        slow = quick("missing", Slow(), **params).fit(X, y)
        assert slow.overhead_ < 0.7

    def test_no_template_is_scored_more_often_than_n_calls(self, monkeypatch):
        X, y = small_data()
        # what is near the worst is not of a template
        monkeypatch.setattr(BeamSearch, "most_refined", lambda self, task: 0)
        for optimizer in ("random", "gp", "forest"):
            search = quick("missing", optimizer=optimizer, n_calls=6, max_conditions=2)
            table = results(search.fit(X, y))
            longer = table[[len(feature_columns(p)) == 2 for p in table.pattern]]
            used = [
                (columns, *sorted(feature_columns(p)))
                for columns, p in zip(longer["columns"], longer["pattern"], strict=True)
            ]
            counts = pd.Series(used).value_counts()
            assert counts.max() == 6


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", ["auto", "gp", "forest", "tpe", "random"])
def test_every_optimizer_finds_and_repeats(optimizer):
    if optimizer == "tpe":
        pytest.importorskip("optuna")
    X, y = small_data()
    params = {"optimizer": optimizer, "n_calls": 9, "max_conditions": 1, "n_bins": 4}
    params |= {"corrupt_columns": ["a", "b"]}
    search = quick("missing", **params).fit(X, y)
    assert search.worst_score_ < search.baseline_score_
    assert_same_found(found(search), found(quick("missing", **params).fit(X, y)))
    best = quick("missing", **(params | {"exhaustive": True})).fit(X, y)
    assert search.worst_score_ >= best.worst_score_


class TestTheWinnerElsewhere:
    TEMPLATES = [
        CorruptMissing(),
        CorruptNoise(scale=4.0),
        CorruptOutliers(magnitude=9.0),
        CorruptScale(factor=50.0),
        CorruptLabels(),
        SelectionBias(),
        CorruptDuplicates(),
    ]

    @pytest.mark.many
    @pytest.mark.usefixtures("few_fits")
    @pytest.mark.parametrize("template", TEMPLATES, ids=lambda t: type(t).__name__)
    def test_its_text_and_its_dict_rebuild_it(self, template):
        X, y = small_data()
        search = quick(template, n_calls=2).fit(X, y)
        names = {type(t).__name__: type(t) for t in self.TEMPLATES} | {"Pattern": Pattern}
        worst = search.worst_corruption_
        expected = worst.corrupt(X, y)
        for again in (
            eval(repr(worst), names),
            BaseCorruption.from_dict(json.loads(json.dumps(worst.to_dict()))),
        ):
            assert type(again) is type(worst)
            result = again.corrupt(X, y)
            pd.testing.assert_frame_equal(result.X, expected.X)
            pd.testing.assert_series_equal(result.y, expected.y)

    @pytest.mark.usefixtures("few_fits")
    def test_texts_in_categories(self):
        rng = np.random.default_rng(0)
        kinds = np.array(["it's", 'say "x"', "p and q", "naïve\\n"])
        X = pd.DataFrame({"my kind": rng.choice(kinds, 120), "a": rng.normal(size=120)})
        y = rng.choice(["y == 1", "'no'"], 120)
        search = quick(
            CorruptCategories(), _by_length(), corrupt_columns=["my kind"], n_calls=3
        ).fit(X, y)
        worst = search.worst_corruption_
        names = {"CorruptCategories": CorruptCategories, "Pattern": Pattern}
        again = eval(repr(worst), names)
        pd.testing.assert_frame_equal(again.corrupt(X, y).X, worst.corrupt(X, y).X)

    @pytest.mark.usefixtures("few_fits")
    @pytest.mark.long
    def test_rate_one_in_a_pipeline_scores_the_same_to_rounding(self):
        X, y = small_data()
        cv = StratifiedKFold(3)
        search = quick("missing", cv=cv, scoring="roc_auc", budget=1.0).fit(X, y)
        worst = search.worst_corruption_
        assert worst.rate == 1
        model = make_pipeline(worst, Centroids())
        by_pipeline = cross_val_score(model, X, y, cv=cv, scoring="roc_auc")
        wrapped = CorruptedEstimator(Centroids(), worst)
        by_wrapper = cross_val_score(wrapped, X, y, cv=cv, scoring="roc_auc")
        splits = [search.cv_results_[f"split{k}_test_score"] for k in range(3)]
        rank = search.cv_results_["rank_test_score"]
        np.testing.assert_allclose(by_pipeline, [s[rank == 1][0] for s in splits], atol=1e-12)
        np.testing.assert_allclose(by_wrapper, by_pipeline, atol=1e-12)
        assert by_pipeline.mean() == pytest.approx(search.worst_score_, abs=1e-12)

    @pytest.mark.slow
    @pytest.mark.parametrize("make", [CorruptMissing, CorruptLabels, SelectionBias])
    def test_below_rate_one_the_score_is_one_of_those_of_other_seeds(self, make):
        X, y = small_data()
        cv = StratifiedKFold(3)
        # a single candidate, so that nothing is won by choosing among lucky draws
        template = make(pattern="a >= 2 and y == 1", rate=0.4)
        params = {"cv": cv, "scoring": "roc_auc", "budget": 0.4, "max_conditions": 0}
        if make is CorruptMissing:
            params["corrupt_columns"] = ["a"]
        searches = [quick(template, random_state=s, **params).fit(X, y) for s in range(3)]
        worst = searches[0].worst_corruption_
        assert searches[0].n_evaluations_ == 1
        assert worst.rate == 0.4
        scores = []
        for seed in range(20):
            model = CorruptedEstimator(Centroids(), worst)
            model.set_params(corruption__random_state=seed)
            scores.append(cross_val_score(model, X, y, cv=cv, scoring="roc_auc").mean())
        spread = np.std(scores, ddof=1)
        assert spread > 0
        found = [search.worst_score_ for search in searches]
        assert abs(np.mean(found) - np.mean(scores)) <= 3 * spread * np.sqrt(1 / 3 + 1 / 20)

    @pytest.mark.long
    @pytest.mark.usefixtures("no_alternatives")
    def test_random_errors_of_the_same_size(self):
        X, y = small_data()
        train, test = ONE_SPLIT[0]
        search = quick("missing", scoring=None, budget=0.3, corrupt_columns=["a"], n_calls=8)
        search.fit(X, y)
        mask = search.worst_pattern_.mask(X, y)[train]
        n_struck = int(search.worst_corruption_.rate * mask.sum() + 0.5 + 1e-9)
        rng = np.random.default_rng(1)
        scores = []
        for _ in range(200):
            X_train = X.iloc[train].copy()
            rows = rng.choice(len(train), n_struck, replace=False)
            X_train.iloc[rows, 0] = np.nan
            model = Centroids().fit(X_train, y.iloc[train])
            scores.append(model.score(X.iloc[test], y.iloc[test]))
        error = np.std(scores) * np.sqrt(1 / 20 + 1 / 200)
        assert abs(search.random_score_ - np.mean(scores)) <= 4 * error + 1e-12
        assert search.random_score_ > search.worst_score_

    @pytest.mark.usefixtures("no_alternatives")
    def test_random_errors_stay_within_the_given_pattern_and_target(self):
        X, y = small_data()
        labels = pd.Series(np.select([y == 0, X.c == 1], ["p", "q"], "r"))
        seen = []

        class Peek(Centroids):
            def fit(self, X, y, sample_weight=None):
                seen.append(np.asarray(y).copy())
                return super().fit(X, y, sample_weight)

        template = CorruptLabels(pattern="c == 0")
        search = quick(template, Peek(), n_calls=4, max_conditions=1).fit(X, labels)
        train = ONE_SPLIT[0][0]
        clean, within = labels.iloc[train].to_numpy(), (X.c.iloc[train] == 0).to_numpy()
        (target,) = set(search.worst_corruption_.transition.values())
        draws = seen[-20:]
        changed = np.array([dirty != clean for dirty in draws])
        assert (changed.sum(axis=1) == changed[0].sum()).all()
        assert not changed[:, ~within].any()
        assert {str(label) for dirty in draws for label in dirty[dirty != clean]} == {target}
        winner = search.cv_results_["row_fraction"][search.cv_results_["rank_test_score"] == 1]
        assert changed[0].mean() in winner
        assert len({dirty.tobytes() for dirty in draws}) > 1

    @pytest.mark.usefixtures("few_fits")
    def test_cross_validated_by_our_own_function(self):
        X, y = small_data()
        cv = StratifiedKFold(3)
        search = quick("missing", cv=cv, scoring="roc_auc", budget=1.0, n_calls=2).fit(X, y)
        results = cross_validate_corrupted(
            Centroids(), X, y, search.worst_corruption_, cv=cv, scoring="roc_auc"
        )
        assert results["test_score"].mean() == pytest.approx(search.worst_score_, abs=1e-12)


def _by_length():
    def lengths(X):
        return X.assign(**{"my kind": X["my kind"].str.len()})

    return make_pipeline(FunctionTransformer(lengths), Centroids())


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_used_inside_other_tools():
    X, y = small_data()
    search = flat_search(
        Centroids(), "missing", n_calls=2, max_conditions=1, corrupt_columns=["a"], n_bins=2,
        cv=2, confirm_size=None, refit=True, random_state=0,
    )  # fmt: skip
    nested = cross_val_score(search, X, y, cv=2)
    expected = []
    for train, test in StratifiedKFold(2).split(X, y):
        fitted = search.fit(X.iloc[train], y.iloc[train])
        expected.append(fitted.score(X.iloc[test], y.iloc[test]))
    np.testing.assert_array_equal(nested, expected)
    tuned = GridSearchCV(search, {"budget": [0.05, 0.5]}, cv=2, error_score="raise").fit(X, y)
    assert tuned.best_params_["budget"] in (0.05, 0.5)
    assert tuned.predict(X).shape == (120,)
