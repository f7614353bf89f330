"""Several errors at once: a process as the template of a search."""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline

from cheap_models import Centroids, Counting, Levels, share_right
from flat_search import flat_search
from skcorrupt import (
    MNAR,
    CorruptDuplicates,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    Pattern,
    SelectionBias,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import AdversarialSearchDisplay, BeamSearch, SearchSpace
from skcorrupt.adversarial.candidates import Overlap, Part
from skcorrupt.report import write_html
from skcorrupt.testing import assert_robust

EXACT = {"rtol": 0, "atol": 1e-12}


def mean_probability(model, X, y):
    """A smooth score, so that no two candidates tie by chance."""
    columns = np.searchsorted(model.classes_, np.asarray(y))
    return float(model.predict_proba(X)[np.arange(len(X)), columns].mean())


def table(n=60, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(n_classes, size=n)
    X = pd.DataFrame(
        {
            "a": (codes + rng.normal(size=n)).round(1),
            "b": rng.integers(3, size=n) + codes,
            "c": rng.normal(size=n).round(1),
        }
    )
    return X, pd.Series(np.array(["no", "yes", "odd"])[codes], name="label")


def three(**params):
    return CorruptionProcess(
        [
            ("missing", CorruptMissing()),
            ("labels", CorruptLabels()),
            ("selection", SelectionBias()),
        ],
        **params,
    )


def two(**params):
    return CorruptionProcess([("missing", CorruptMissing()), ("labels", CorruptLabels())], **params)


def narrow():
    return CorruptionProcess([("missing", CorruptMissing("a")), ("labels", CorruptLabels())])


def quick(process, estimator=None, **params):
    settings = {
        "budget": 0.2,
        "scoring": mean_probability,
        "cv": 2,
        "n_calls": 3,
        "n_bins": 2,
        "max_conditions": 1,
        "confirm_size": None,
        "random_state": 0,
    }
    model = Centroids() if estimator is None else estimator
    return flat_search(model, process, **{**settings, **params})


def members(search, i):
    return dict(search.cv_results_["corruption"][i].corruptions)


class TestAgainstBruteForce:
    """Rows of a cell are all alike and both errors draw the same noise: counts say it all."""

    ALLOWED = 24

    @staticmethod
    def data(sizes):
        cells = [(a, y) for a in (0.0, 1.0) for y in (0, 1)]
        fold = pd.DataFrame(
            [cell for cell, size in zip(cells, sizes, strict=True) for _ in range(size)],
            columns=["a", "y"],
        )
        whole = pd.concat([fold] * 3, ignore_index=True)
        places = np.arange(len(whole)) // len(fold)
        folds = [(np.flatnonzero(places != k), np.flatnonzero(places == k)) for k in range(3)]
        return whole[["a"]], whole["y"], folds

    def counts(self, missing, labels, share, matched):
        """Rows of the two cells that are struck, from a share of the budget."""
        if labels is None or share == 1:
            return self.ALLOWED, 0
        if missing is None or share == 0:
            return 0, self.ALLOWED
        first, second = share * self.ALLOWED, (1 - share) * self.ALLOWED
        if missing == labels:
            # both strike the same rows, which count once
            if matched[missing] <= self.ALLOWED:
                return matched[missing], matched[missing]
            factor = self.ALLOWED / max(first, second)
            return round(first * factor), round(second * factor)
        return round(first), round(second)

    def brute_force(self, X, y, folds):
        cells = [(a, label) for a in (0.0, 1.0) for label in (0, 1)]
        train = folds[0][0]
        matched = {
            (a, label): int(((X["a"] == a) & (y == label)).to_numpy()[train].sum())
            for a, label in cells
        }
        found = {}
        for missing, labels in itertools.product(cells, cells):
            for share in (0, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1):
                n_missing, n_labels = self.counts(missing, labels, share, matched)
                key = (
                    (missing, n_missing) if n_missing else None,
                    (labels, n_labels) if n_labels else None,
                )
                if key not in found:
                    found[key] = self._struck(X, y, folds, key)
        return matched, found

    @staticmethod
    def _struck(X, y, folds, key):
        scores = []
        for train, test in folds:
            clean_X, clean_y = X.iloc[train]["a"].to_numpy(), y.iloc[train].to_numpy()
            dirty_X, dirty_y = clean_X.copy(), clean_y.copy()
            for part, what in zip(key, ("missing", "labels"), strict=True):
                if part is None:
                    continue
                (a, label), count = part
                rows = np.flatnonzero((clean_X == a) & (clean_y == label))[:count]
                if what == "missing":
                    dirty_X[rows] = np.nan
                else:
                    dirty_y[rows] = 1 - label
            if np.isnan(dirty_X).all() or len(set(dirty_y)) < 2:
                return np.inf
            model = Centroids().fit(pd.DataFrame({"a": dirty_X}), dirty_y)
            scores.append(mean_probability(model, X.iloc[test], y.iloc[test]))
        return float(np.mean(scores))

    @pytest.mark.parametrize("sizes", [(26, 12, 14, 20), (13, 13, 23, 23)])
    @pytest.mark.slow
    def test_scores_and_winner(self, sizes):
        X, y, folds = self.data(sizes)
        matched, expected = self.brute_force(X, y, folds)
        process = two(noise={"one": ["missing", "labels"]})
        # of the label alone it depends on the draw which rows are struck
        alone = [lambda pattern, X, y: not pattern.columns]
        params = {"budget": 1 / 6, "cv": folds, "exhaustive": True, "exclude": alone}
        search = quick(process, **params).fit(X, y)
        results = pd.DataFrame(search.cv_results_)
        n_joint = 0
        for row in results.itertuples():
            key = []
            for pattern, rate in (
                (row.missing__pattern, row.missing__rate),
                (row.labels__pattern, row.labels__rate),
            ):
                if rate == 0:
                    key.append(None)
                    continue
                mask = Pattern.parse(pattern).mask(X, y)
                a, label = float(X["a"][mask].iloc[0]), int(y[mask].iloc[0])
                key.append(((a, label), round(rate * matched[a, label])))
            n_joint += None not in key
            np.testing.assert_allclose(row.mean_test_score, expected[tuple(key)], **EXACT)
        assert n_joint >= 5
        np.testing.assert_allclose(search.worst_score_, min(expected.values()), **EXACT)


def process_budget_holds(search, X, y, folds, budget):
    """Every process that was scored, on every split, for draws of its own."""
    worst = np.argsort(search.cv_results_["rank_test_score"])[:20]
    for i in {*worst, *range(0, search.n_evaluations_, 5)}:
        process = search.cv_results_["corruption"][i]
        for train, _ in folds:
            allowed = np.floor(budget * len(train) + 1e-9)
            for seed in range(2):
                seeded = process.set_params(random_state=seed)
                record = seeded.fit(X.iloc[train], y.iloc[train]).corrupt(
                    X.iloc[train], y.iloc[train]
                )[2]
                assert record.n_corrupted <= allowed, process


@pytest.mark.usefixtures("few_fits")
class TestBudget:
    @pytest.mark.slow
    @pytest.mark.parametrize("budget", [0.1, 0.5])
    @pytest.mark.parametrize(
        "process",
        [
            three(),
            two(noise={"one": ["missing", "labels"]}),
            CorruptionProcess(
                [
                    ("missing", CorruptMissing("a", mechanism=MNAR())),
                    ("labels", CorruptLabels()),
                    ("twice", CorruptDuplicates()),
                ],
                noise={"one": ["missing", "labels", "twice"]},
            ),
            CorruptionProcess(
                [
                    ("known", CorruptMissing(["b", "c"], pattern="a > 0", rate=0.1)),
                    ("labels", CorruptLabels()),
                    ("noisy", CorruptNoise("a", rate=0.05)),
                ]
            ),
            CorruptionProcess(
                [
                    ("known", CorruptMissing(["b", "c"], pattern={}, rate=0.1, same_rows=False)),
                    ("less", SelectionBias()),
                ]
            ),
        ],
    )
    def test_no_draw_strikes_more_on_any_split(self, process, budget):
        X, y = table()
        folds = list(StratifiedKFold(2, shuffle=True, random_state=1).split(X, y))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "No candidate is feasible")
            search = quick(process, budget=budget, cv=folds, label="allowed").fit(X, y)
        process_budget_holds(search, X, y, folds, budget)
        assert (search.cv_results_["row_fraction"] <= budget + 1e-9).all()

    @given(data=st.data())
    def test_the_bound_holds_for_any_rows(self, data):
        n, k = data.draw(st.integers(5, 30)), data.draw(st.integers(1, 4))
        seed = data.draw(st.integers(0, 10_000))
        rng = np.random.default_rng(seed)
        masks = rng.random((k, n)) < rng.uniform(0.1, 1, (k, 1))
        if k > 1 and seed % 2:
            masks[1] = masks[0]
        shared = seed % 3 == 0
        parts = [Part(mask, None, weight=1 / k, noise="one" if shared else None) for mask in masks]
        overlap = Overlap(parts, [np.arange(n)])
        if not masks.any(axis=1).all():
            return
        budget = data.draw(st.floats(0.05, 1))
        rates = overlap.rates(budget)
        assert (rates > 0).any() or np.floor(budget * n) == 0
        u = rng.random(n) if shared else None
        counts = overlap.counts(rates)[0].astype(int)
        struck = np.zeros(n, dtype=bool)
        for mask, count in zip(masks, counts, strict=True):
            rows = np.flatnonzero(mask)
            order = np.argsort((rng.random(n) if u is None else u)[rows])
            struck[rows[order[:count]]] = True
        assert struck.sum() <= overlap.most(overlap.counts(rates))[0] <= np.floor(budget * n + 1e-9)

    @pytest.mark.slow
    def test_budgets_in_one_search(self):
        X, y = table(100)
        search = quick(two(), budget=[0.3, 0.1], confirm_size=0.25).fit(X, y)
        curve = search.budget_curve_
        assert curve["budget"].tolist() == [0.1, 0.3]
        assert curve["worst_score"].is_monotonic_decreasing
        assert np.isfinite(curve[["random_score", "confirmed_score"]].to_numpy()).all()
        assert search.worst_score_ == curve["worst_score"].iloc[-1]
        assert all(isinstance(each, CorruptionProcess) for each in curve["corruption"])


class TestWinner:
    @pytest.mark.usefixtures("few_fits")
    @pytest.mark.slow
    def test_it_is_a_process_for_a_pipeline(self):
        X, y = table()
        shared = {"one": ["missing", "labels"]}
        search = quick(three(noise=shared, random_state=7), refit=True).fit(X, y)
        worst = search.worst_corruption_
        assert isinstance(worst, CorruptionProcess)
        assert worst.random_state == 7
        assert set(search.worst_pattern_) == {name for name, _ in worst.corruptions}
        for name, member in worst.corruptions:
            assert member.pattern == search.worst_pattern_[name]
            assert f"{name}: {member.pattern}" in str(search.worst_pattern_)
        hit = [c for _, m in worst.corruptions for c in getattr(m, "columns", None) or []]
        assert search.worst_columns_ == hit
        dirty, labels = worst.fit_resample(X, y)
        again = Centroids().fit(dirty, labels)
        np.testing.assert_array_equal(again.predict(X), search.predict(X))

    @pytest.mark.slow
    @pytest.mark.parametrize("seed", [0, 1])
    @pytest.mark.usefixtures("few_fits")
    def test_it_is_no_better_than_any_member_alone(self, seed):
        X, y = table(seed=seed)
        search = quick(three()).fit(X, y)
        results = pd.DataFrame(search.cv_results_)
        rates = results[["missing__rate", "labels__rate", "selection__rate"]] > 0
        for name in rates:
            alone = results[rates[name] & (rates.sum(axis=1) == 1)]
            assert len(alone) > 2
            assert search.worst_score_ <= alone.mean_test_score.min()
        assert (rates.sum(axis=1) == 3).any()
        assert search.worst_score_ == results.mean_test_score.min()
        assert results.rate[rates.sum(axis=1) > 1].isna().all()

    @pytest.mark.slow
    def test_several_errors_can_be_worse_than_each(self):
        X, y = table(seed=1)
        process = CorruptionProcess([("labels", CorruptLabels()), ("less", SelectionBias())])
        search = quick(process, budget=0.6, n_bins=3).fit(X, y)
        results = pd.DataFrame(search.cv_results_)
        alone = (results.labels__rate == 0) | (results.less__rate == 0)
        assert search.worst_score_ < results.mean_test_score[alone].min() - 0.05
        assert [name for name, _ in search.worst_corruption_.corruptions] == ["labels", "less"]
        assert search.summary().startswith("Flipping the label in ")
        assert "; dropping " in search.summary()

    @pytest.mark.slow
    @pytest.mark.usefixtures("few_fits")
    def test_errors_in_the_same_rows_take_the_budget_once(self):
        X, y = table(seed=3)
        process = CorruptionProcess(
            [("a", CorruptMissing("a")), ("b", CorruptMissing("b"))], noise={"one": ["a", "b"]}
        )
        search = quick(process, own_column="allowed", budget=0.3, n_bins=3).fit(X, y)
        results = pd.DataFrame(search.cv_results_)
        alone = (results.a__rate == 0) | (results.b__rate == 0)
        assert search.worst_score_ < results.mean_test_score[alone].min()
        assert search.worst_columns_ == ["a", "b"]
        assert search.worst_corruption_.noise == {"one": ["a", "b"]}
        first, second = search.worst_pattern_.values()
        assert first == second
        worst = dict(search.worst_corruption_.corruptions)
        assert worst["a"].rate == worst["b"].rate
        # counted for each member, they would be over the budget
        fraction = results.row_fraction[search.cv_results_["rank_test_score"] == 1].iloc[0]
        assert 0.15 < fraction <= 0.3

    @pytest.mark.long
    def test_no_member_alone_can_be_changed_for_the_worse(self):
        X, y, folds = TestAgainstBruteForce.data((26, 12, 14, 20))
        search = quick(two(), budget=1.0, cv=folds, exhaustive=True).fit(X, y)
        cells = [(f"a == {a}", label) for a in (0, 1) for label in (0, 1)]
        worst = dict(search.worst_corruption_.corruptions)
        for name, (condition, label) in itertools.product(worst, cells):
            other = {**worst, name: worst[name].__class__(**worst[name].get_params())}
            other[name].set_params(pattern=f"{condition} and y == {label}")
            scores = []
            for train, test in folds:
                process = CorruptionProcess(list(other.items()), random_state=0)
                A, b = process.fit_resample(X.iloc[train], y.iloc[train])
                if len(set(b)) < 2:
                    break
                scores.append(mean_probability(Centroids().fit(A, b), X.iloc[test], y.iloc[test]))
            else:
                assert np.mean(scores) >= search.worst_score_ - 1e-12

    @pytest.mark.usefixtures("few_fits")
    def test_two_members_never_hit_one_column(self):
        X, y = table()
        process = CorruptionProcess(
            [
                ("missing", CorruptMissing()),
                ("noisy", CorruptNoise(scale=3.0)),
                ("kept", CorruptMissing("c", pattern="b >= 2", rate=0.05)),
            ]
        )
        search = quick(process).fit(X, y)
        for columns in search.cv_results_["columns"]:
            assert len(set(columns)) == len(columns)
            assert columns.count("c") == 1
        assert {len(columns) for columns in search.cv_results_["columns"]} == {2, 3}

    @pytest.mark.usefixtures("few_fits")
    @pytest.mark.slow
    def test_target_label_of_several_classes(self):
        X, y = table(120, n_classes=3)
        search = quick(two(), n_calls=6).fit(X, y)
        assert set(search.cv_results_["target"]) == {None, "no", "yes", "odd"}
        joint = [c for c in search.cv_results_["corruption"] if len(c.corruptions) == 2]
        assert all(dict(c.corruptions)["labels"].transition for c in joint)

    @pytest.mark.usefixtures("few_fits")
    def test_numbers_as_labels(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(90, 3)).round(1)
        y = X[:, 0] + rng.normal(size=90)
        process = CorruptionProcess(
            [("missing", CorruptMissing()), ("moved", CorruptLabels(shift=3.0))]
        )
        search = quick(process, Levels(), scoring="r2").fit(X, y)
        assert search.score_drop_ > 0
        with pytest.raises(ValueError, match=r"pass CorruptLabels\(shift=…\)"):
            quick(two(), Levels(), scoring="r2").fit(X, y)


@pytest.mark.usefixtures("few_fits")
class TestKeptMembers:
    KEPT = CorruptLabels(pattern="a > 0", rate=0.2)

    def process(self, **params):
        return CorruptionProcess(
            [("known", CorruptLabels(**{"pattern": "a > 0", "rate": 0.2, **params})),
             ("missing", CorruptMissing())]
        )  # fmt: skip

    def test_they_are_in_every_process_as_they_are(self):
        X, y = table()
        search = quick(self.process(), budget=0.3).fit(X, y)
        for i in range(search.n_evaluations_):
            known = members(search, i)["known"]
            assert (known.pattern, known.rate) == (Pattern.parse("a > 0"), 0.2)
            assert "missing" in members(search, i)
        assert search.summary().startswith("Flipping the label in 20 % of rows where a > 0; losing")

    def test_they_take_their_part_of_the_budget(self):
        X, y = table()
        search = quick(self.process(), budget=0.3).fit(X, y)
        share = 0.2 * (X["a"] > 0).mean()
        taken = [members(search, i)["missing"] for i in range(search.n_evaluations_)]
        for member in taken:
            struck = member.rate * member.pattern.mask(X, y).mean()
            if not (member.pattern.mask(X, y) <= (X["a"] > 0)).all():
                assert struck <= 0.3 - share + 0.03

    def test_budget_used_up(self):
        X, y = table()
        with pytest.warns(UserWarning, match="kept strike as many rows as the budget allows"):
            search = quick(self.process(rate=1.0), budget=0.1).fit(X, y)
        assert search.worst_corruption_ is search.worst_pattern_ is None
        assert search.worst_score_ == search.baseline_score_
        assert search.summary().startswith("No feasible error")

    def test_nothing_left_to_search(self):
        X, y = table()
        process = CorruptionProcess([("known", self.KEPT)])
        with pytest.raises(ValueError, match=r"nothing to search.*cross_validate_corrupted"):
            quick(process).fit(X, y)


@pytest.mark.usefixtures("few_fits")
class TestRefusals:
    @pytest.mark.parametrize(
        ("process", "params", "message"),
        [
            (
                CorruptionProcess([("one", CorruptMissing("a")), ("two", CorruptNoise("a"))]),
                {},
                "'one' and 'two' both strike column 'a'",
            ),
            (CorruptionProcess([]), {}, r"corruptions=\[\] is empty"),
            (
                CorruptionProcess([("one", CorruptMissing(when="always"))]),
                {},
                'has when="always", but a process',
            ),
            (CorruptionProcess([("one", CorruptMissing(rate=3))]), {}, "'rate' parameter"),
            (CorruptionProcess([("one", CorruptMissing(pattern="zz > 1"))]), {}, "no column zz"),
            (
                CorruptionProcess(
                    [
                        ("one", CorruptMissing(pattern="a > 1", outside_ratio=0.1)),
                        ("two", CorruptLabels()),
                    ]
                ),
                {},
                "'one' has outside_ratio",
            ),
            (
                CorruptionProcess([("one", CorruptMissing("a")), ("two", CorruptLabels())]),
                {"corrupt_columns": ["b"]},
                "no member of the process that is searched leaves its columns unset",
            ),
            (two(), {"pattern_columns": {"zz": ["a"]}}, "no column 'zz'"),
            (
                CorruptionProcess([("one", CorruptMissing("a")), ("two", CorruptLabels())]),
                {"pattern_columns": {"b": ["a"]}},
                "b cannot be hit by any member",
            ),
        ],
    )
    def test_what_cannot_be_searched_is_said_at_once(self, process, params, message):
        X, y = table()
        with pytest.raises((ValueError, TypeError), match=message):
            quick(process, **params).fit(X, y)

    def test_nothing_is_feasible(self):
        X, y = table()
        with pytest.warns(UserWarning, match="budget is less than one row"):
            search = quick(three(), budget=0.01).fit(X, y)
        assert search.worst_corruption_ is None
        assert search.n_evaluations_ == 0

    @pytest.mark.slow
    def test_columns_that_may_be_hit_and_looked_at(self):
        X, y = table()
        search = quick(
            three(), corrupt_columns=["a", "b"], pattern_columns={"a": ["a"]}, max_conditions=2
        ).fit(X, y)
        for i in range(search.n_evaluations_):
            member = members(search, i).get("missing")
            if member is not None:
                assert member.columns in (["a"], ["b"])
                if member.columns == ["a"]:
                    assert member.pattern.columns == ("a",)

    def test_one_error_leaves_rows_for_the_others(self):
        # all rows that labels could be flipped in would be dropped
        X, y = table()
        process = CorruptionProcess(
            [("less", SelectionBias(pattern="b == 0", rate=1.0)), ("labels", CorruptLabels())]
        )
        search = quick(process, budget=0.9, pattern_columns=["b"]).fit(X, y)
        for pattern in search.cv_results_["labels__pattern"]:
            mask = Pattern.parse(pattern).mask(X, y)
            assert (mask & (X["b"] > 0)).any()


@pytest.mark.usefixtures("few_fits")
class TestRuns:
    @pytest.mark.slow
    def test_reproducible_for_any_number_of_workers(self):
        X, y = table()
        found = [quick(narrow(), n_jobs=n, confirm_size=0.25).fit(X, y) for n in (1, 2)]
        for other in found[1:]:
            for name in ("pattern", "mean_test_score", "missing__rate"):
                np.testing.assert_array_equal(other.cv_results_[name], found[0].cv_results_[name])
            assert other.worst_pattern_ == found[0].worst_pattern_
            assert other.random_score_ == found[0].random_score_
            assert other.confirmed_interval_ == found[0].confirmed_interval_

    @pytest.mark.slow
    def test_confirmed_on_rows_of_the_user(self):
        X, y = table(200)
        search = quick(three(), confirm_size=0.25, scoring=share_right).fit(X[:150], y[:150])
        assert np.isfinite([search.confirmed_score_, *search.confirmed_interval_]).all()
        search.confirm(X[150:], y[150:])
        clean = Centroids().fit(X[:150], y[:150])
        assert search.confirmed_baseline_score_ == share_right(clean, X[150:], y[150:])
        scores = []
        for seed in range(200):
            drawn = search.worst_corruption_.set_params(random_state=seed)
            dirty = Centroids().fit(*drawn.fit_resample(X[:150], y[:150]))
            scores.append(share_right(dirty, X[150:], y[150:]))
        assert search.confirmed_score_ == pytest.approx(
            np.mean(scores), abs=5 * np.std(scores) / np.sqrt(20) + 1e-9
        )

    @pytest.mark.slow
    def test_random_errors_are_of_the_same_sizes(self):
        X, y = table(120)
        search = quick(three(), budget=0.3)
        problem = search.lay_out(X, y)
        process = problem.task
        search.fit(X, y)
        # several members at once, whichever won
        joint = max(search.cv_results_["corruption"], key=lambda each: len(each.corruptions))
        assert len(joint.corruptions) > 1
        choices = {}
        for name, member in joint.corruptions:
            space = process.members[name].space
            columns = tuple(getattr(member, "columns", None) or ())
            choices[name] = space.transfer(member.pattern, columns, None).choices[name]
        chosen = process.maker.join(choices, dict.fromkeys(choices, 1 / len(choices)), 0.3)
        draws = process.random_draws(chosen)
        for draw, split in zip(draws, problem.splits, strict=True):
            sizes = []
            for each in (chosen.corruption, draw):
                records = [
                    each.set_params(random_state=seed)
                    .fit(split.X_train, split.y_train)
                    .corrupt(split.X_train, split.y_train)[2]
                    for seed in range(30)
                ]
                sizes.append(
                    np.mean(
                        [(r.X_mask.sum(), r.y_mask.sum(), len(r.sample_indices)) for r in records],
                        axis=0,
                    )
                )
            np.testing.assert_allclose(sizes[0], sizes[1], atol=1.5)

    @pytest.mark.slow
    @pytest.mark.parametrize("params", [{"budget": [0.1, 0.3]}, {"proxy": Centroids()}])
    def test_plan_is_an_upper_bound(self, params):
        X, y = table()
        search = quick(narrow(), n_bins=3, n_rerank=4, **params)
        assert search.plan(X, y).n_evaluations >= search.fit(X, y).n_evaluations_

    @pytest.mark.slow
    def test_journal_restores_every_process(self, tmp_path):
        X, y = table()
        path = tmp_path / "process.sqlite"
        Counting.n_fits = 0
        first = quick(narrow(), Counting(), journal=path).fit(X, y)
        once, Counting.n_fits = Counting.n_fits, 0
        second = quick(narrow(), Counting(), journal=path).fit(X, y)
        assert Counting.n_fits < 10 < once
        assert second.n_evaluations_ == first.n_evaluations_
        assert second.worst_pattern_ == first.worst_pattern_
        assert second.random_score_ == first.random_score_
        other = quick(two(), Counting(), journal=path).fit(X, y)
        assert other.worst_score_ == quick(two(), Counting()).fit(X, y).worst_score_

    def test_ctrl_c_leaves_the_worst_so_far(self):
        class Stopped(Counting):
            def fit(self, X, y, sample_weight=None):
                if Counting.n_fits == 60:
                    Counting.n_fits += 1
                    raise KeyboardInterrupt
                return super().fit(X, y, sample_weight)

        X, y = table()
        Counting.n_fits = 0
        with pytest.warns(UserWarning, match="The search was interrupted after"):
            search = quick(three(), Stopped()).fit(X, y)
        assert search.interrupted_
        assert search.worst_score_ == search.cv_results_["mean_test_score"].min()
        assert isinstance(search.worst_corruption_, CorruptionProcess)

    @pytest.mark.long
    def test_screened_on_proxies(self):
        X, y = table(200)
        pipeline = make_pipeline(SimpleImputer(), LogisticRegression())
        search = quick(three(), pipeline, proxy="linear", scoring="roc_auc", n_rerank=4)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The linear proxy orders")
            search.fit(X, y)
        assert search.proxy_ == "linear"
        assert -1 <= search.proxy_agreement_ <= 1
        assert list(dict.fromkeys(search.certificate_["member"])) == [
            "missing", "labels", "selection",
        ]  # fmt: skip
        numbers = pd.DataFrame(search.cv_results_)
        joint = numbers[(numbers.missing__rate > 0) & (numbers.labels__rate > 0)]
        assert len(joint) > 3
        assert search.worst_score_ == numbers.mean_test_score.min()

    @pytest.mark.long
    def test_an_estimator_in_the_place_of_the_pipeline(self):
        X, y = table()
        process = CorruptionProcess(
            [
                ("known", CorruptLabels(pattern="a > 0", rate=0.1)),
                ("missing", CorruptMissing(["a"])),
                ("noisy", CorruptNoise(["b"])),
            ]
        )
        search = quick(process, proxy=Centroids(), n_bins=3, n_rerank=3).fit(X, y)
        assert search.proxy_ == "estimator"
        assert search.score_drop_ > 0
        assert (search.cv_results_["known__rate"] == 0.1).all()

    @pytest.mark.slow
    def test_started_from_another_search(self):
        X, y = table()
        first = quick(two()).fit(X, y)
        second = quick(two(), warm_start=first, n_rerank=4).fit(X, y)
        assert second.n_evaluations_ <= 4
        np.testing.assert_allclose(second.worst_score_, first.worst_score_, atol=0.05)
        other = quick("labels").fit(X, y)
        with pytest.raises(ValueError, match="none of the processes of search is feasible here"):
            quick(two(), warm_start=other).fit(X, y)

    @pytest.mark.slow
    def test_one_budget_may_take_nothing_of_another_search(self):
        X, y = table()
        first = quick(narrow(), budget=[0.1, 0.3]).fit(X, y)
        second = quick(narrow(), budget=[0.001, 0.3], warm_start=first, n_rerank=4).fit(X, y)
        assert second.worst_score_ <= first.worst_score_ + 0.05
        assert second.budget_curve_["pattern"].tolist()[0] == ""
        again = quick(narrow(), budget=0.1, warm_start=first, n_rerank=1).fit(X, y)
        # the worst within that budget, and not a share of the worst within a larger one
        known = first.budget_curve_.iloc[0]
        assert repr(again.worst_corruption_) == repr(known["corruption"])
        # each is the mean over as many draws as it took to settle that search
        scored = pd.DataFrame(first.cv_results_)
        n_draws = scored.loc[scored["mean_test_score"] == known["worst_score"], "n_draws"].item()
        for score, n_repeats in (
            (known["worst_score"], n_draws),
            (again.worst_score_, again.n_draws_),
        ):
            made = cross_validate_corrupted(
                again.estimator, X, y, again.worst_corruption_, cv=again.splits_,
                scoring=again.scoring, n_repeats=n_repeats, random_state=again.seed_,
            )["test_score"]  # fmt: skip
            np.testing.assert_allclose(made.mean(), score)

    @pytest.mark.slow
    def test_shown_and_asserted(self, tmp_path):
        X, y = table()
        search = quick(two(), confirm_size=0.25).fit(X, y)
        write_html(search, tmp_path / "page.html")
        assert "several errors at once" in (tmp_path / "page.html").read_text(encoding="utf-8")
        AdversarialSearchDisplay.from_search(search).plot()
        with pytest.raises(AssertionError, match="CorruptionProcess"):
            assert_robust(
                Centroids(), X, y, corruption=two(), max_drop=0.0, judge="searched",
                strategy=BeamSearch(n_calls=3), space=SearchSpace(n_bins=2, max_conditions=1),
                budget=0.3, scoring=mean_probability,
            )  # fmt: skip
