"""The audit, against exact shares, known proportions and simulated error rates."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcorrupt.responsiveness import (
    ActionElement,
    ActionSet,
    ReachableSampler,
    ResponsivenessAuditor,
)


class Rule(ClassifierMixin, BaseEstimator):
    """Predicts 1 where the first column is below a number that stands in the second."""

    classes_ = np.array([0, 1])

    def __sklearn_is_fitted__(self):
        return True

    def predict(self, X):
        """Compare two columns."""
        values = np.asarray(X, dtype=float)
        return (values[:, 0] < values[:, 1]).astype(int)


class Sum(RegressorMixin, BaseEstimator):
    """Predicts the sum of all columns."""

    def __sklearn_is_fitted__(self):
        return True

    def predict(self, X):
        """Add up."""
        return np.asarray(X, dtype=float).sum(axis=1)


def draws(shares):
    """People whose responsiveness to Rule's 1 is given, as far as draws can tell."""
    X = pd.DataFrame({"u": np.ones(len(shares)), "share": np.asarray(shares, dtype=float)})
    actions = ActionSet(
        [
            ActionElement("u", "real", 0.0, 1.0),
            ActionElement("share", "real", 0.0, 1.0, actionable=False),
        ]
    )
    return X, actions


def lending(n=60, seed=0):
    """Applicants with raw categories, a pipeline and what they can do."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "job": rng.choice(["none", "part", "full"], n),
            "savings": rng.integers(0, 5, n),
            "sex": rng.choice(["f", "m"], n),
        },
        index=np.arange(100, 100 + n),
    )
    good = (X["job"] == "full") * 2 + X["savings"] - (X["age"] < 30) + rng.normal(size=n)
    y = np.where(good > 2.5, "yes", "no")
    model = make_pipeline(
        make_column_transformer(
            (StandardScaler(), ["age", "savings"]),
            (OneHotEncoder(handle_unknown="ignore"), ["job", "sex"]),
        ),
        LogisticRegression(),
    ).fit(X, y)
    actions = ActionSet.from_data(X, actionable=["job", "savings"])
    actions["savings"].direction = "increase"
    actions.add("if job == 'none' then delta(savings) <= 1")
    return X, model, actions


def auditor_of(model, actions, **params):
    return ResponsivenessAuditor(model, actions, **{"target": 1, "random_state": 0} | params)


class TestExact:
    def test_shares_are_those_of_all_points(self):
        X, model, actions = lending()
        results = auditor_of(model, actions, target="yes").fit(X).results_
        assert results.index.equals(X.index) and results["exact"].all()
        sampler = ReachableSampler(actions)
        for i in range(0, len(X), 7):
            points = sampler.enumerate(X.iloc[[i]])
            share = (model.predict(points) == "yes").mean()
            row = results.iloc[i]
            assert row["responsiveness"] == row["ci_low"] == row["ci_high"] == share
            assert (row["n"], row["hits"]) == (len(points), round(share * len(points)))
            assert row["verdict"] == ("responsive" if share >= 0.1 else "unresponsive")
            assert np.isnan(row["p_value"]) and row["method"] == "all points"
        assert (results["prediction"] == model.predict(X)).all()

    def test_preclusion_is_about_those_who_are_turned_down_and_one_way_is_enough(self):
        X, model, actions = lending()
        actions["job"].actionable = False
        actions["savings"].change = (0, 1)
        auditor = auditor_of(model, actions, target="yes", task="preclusion").fit(X)
        assert set(auditor.results_["prediction"]) == {"no"}
        some = auditor.results_["hits"] > 0
        assert (auditor.results_["verdict"] == np.where(some, "responsive", "unresponsive")).all()
        assert 0 < some.sum() < len(some)

    def test_examples_are_the_points_that_do_it(self):
        X, model, actions = lending()
        auditor = auditor_of(model, actions, target="yes").fit(X)
        for i in (0, 3):
            found = auditor.examples(i)
            assert len(found) == auditor.results_["hits"].iloc[i]
            assert (model.predict(found) == "yes").all() and not found.duplicated().any()
        with pytest.raises(ValueError, match="i=99 should be a position from 0 to 59"):
            auditor.examples(99)

    def test_attributions_move_one_column_and_what_follows_it(self):
        X, model, actions = lending()
        auditor = auditor_of(model, actions, target="yes", task="preclusion").fit(X)
        found = auditor.attributions_
        assert set(found["feature"]) == {"job", "savings"}
        assert len(found) == 2 * len(auditor.results_)
        row = found[found["feature"] == "savings"].iloc[4]
        alone = ActionSet.from_dict(actions.to_dict())
        alone["job"].actionable = False
        points = ReachableSampler(alone).enumerate(X.iloc[[int(row["row"])]])
        assert row["responsiveness"] == (model.predict(points) == "yes").mean()

    def test_summary_by_group(self):
        X, model, actions = lending()
        auditor = auditor_of(model, actions, target="yes").fit(X)
        by = auditor.by_group(by="sex")
        for sex in ("f", "m"):
            part = auditor.results_[X["sex"] == sex]
            assert by.loc[sex, "n_people"] == len(part)
            assert by.loc[sex, "responsiveness"] == pytest.approx(part["responsiveness"].mean())
            share = (part["verdict"] == "unresponsive").mean()
            assert by.loc[sex, "unresponsive"] == pytest.approx(share)
        whole = auditor.by_group()
        assert whole["n_people"].tolist() == [60]
        verdicts = ["responsive", "unresponsive", "undecided"]
        assert whole[verdicts].to_numpy().sum() == pytest.approx(1)
        pd.testing.assert_frame_equal(
            auditor.by_group(by=X["sex"].to_numpy()), by.rename_axis("group")
        )
        with pytest.warns(UserWarning, match="by has the labels of X in another order"):
            auditor.by_group(by=X["sex"].iloc[::-1])

    def test_summary_is_the_table_in_words(self):
        X, model, actions = lending()
        auditor = auditor_of(model, actions, target="yes", task="preclusion").fit(X)
        n = len(auditor.results_)
        row = auditor.by_group().iloc[0]
        said = auditor.summary()
        assert said.startswith(f"{n} of 60 people were audited. ") and len(said.splitlines()) == 1
        counts = auditor.results_["verdict"].value_counts()
        share = f"{100 * row['responsive']:.1f} %"
        assert f"{counts['responsive']} ({share}) are responsive" in said
        assert f"on average {100 * row['responsiveness']:.1f} % of what a person" in said
        lines = auditor.summary(by="sex").splitlines()
        assert len(lines) == 3
        for line, (sex, row) in zip(lines[1:], auditor.by_group("sex").iterrows(), strict=True):
            assert line.startswith(f"Group {sex}, {row['n_people']:.0f} people: ")
            assert f"({100 * row['unresponsive']:.1f} %) are not; on" in line

    def test_small_groups_in_one_are_not_called_a_group(self):
        X, model, actions = lending()
        auditor = auditor_of(model, actions, target="yes", task="preclusion").fit(X)
        groups = pd.Series("large", index=X.index)
        groups[auditor.results_.index[:6]] = [*"aabbcc"]
        lines = auditor.summary(by=groups).splitlines()
        assert sum(line.startswith("3 groups together, ") for line in lines) == 1
        assert sum(line.startswith("Group large, ") for line in lines) == 1


class TestDraws:
    def test_intervals_cover_and_sizes_are_those_asked_for(self):
        shares = np.repeat([0.02, 0.1, 0.5, 0.97], 250)
        X, actions = draws(shares)
        auditor = auditor_of(Rule(), actions, n_samples=100).fit(X)
        results = auditor.results_
        assert not results["exact"].any() and (results["n"] == 100).all()
        for share in np.unique(shares):
            rows = shares == share
            low, high = results["ci_low"][rows], results["ci_high"][rows]
            covered = ((low <= share) & (share <= high)).sum()
            # at least .95 of 250, but for the chance of 1 in 10,000
            assert covered >= binom.ppf(1e-4, 250, 0.95)
            assert results["responsiveness"][rows].mean() == pytest.approx(share, abs=0.02)

    @pytest.mark.parametrize("direction", ["at_most", "at_least"])
    def test_false_claims_are_as_rare_as_promised(self, direction):
        at_most = direction == "at_most"
        X, actions = draws(np.full(1500, 0.1 if at_most else 0.9))
        params = {"direction": direction, "epsilon": 0.1 if at_most else 0.9, "n_samples": 150}
        alone = auditor_of(Rule(), actions, multiplicity=None, **params).fit(X).results_
        claim = "unresponsive" if at_most else "responsive"
        claims = (alone["verdict"] == claim).sum()
        assert claims <= binom.ppf(1 - 1e-4, 1500, 0.05)
        assert claims > 0
        assert set(alone["verdict"]) == {claim, "undecided"}
        together = auditor_of(Rule(), actions, **params).fit(X).results_
        assert (together["verdict"] == claim).sum() <= 1

    @pytest.mark.long
    def test_true_claims_are_found_and_few_of_the_claims_are_false(self):
        shares = np.repeat([0.02, 0.15], [300, 700])
        false, found = [], []
        for seed in range(8):
            X, actions = draws(shares)
            results = auditor_of(Rule(), actions, random_state=seed).fit(X).results_
            claimed = (results["verdict"] == "unresponsive").to_numpy()
            false.append(claimed[shares > 0.1].sum() / max(1, claimed.sum()))
            found.append(claimed[shares < 0.1].mean())
        assert np.mean(false) <= 0.05
        assert np.mean(found) > 0.8

    def test_bonferroni_claims_no_more_than_bh(self):
        X, actions = draws(np.linspace(0.0, 0.1, 200))
        one, other = (
            auditor_of(Rule(), actions, multiplicity=m).fit(X).results_
            for m in ("bonferroni", "bh")
        )
        claims = [(r["verdict"] == "unresponsive").sum() for r in (one, other)]
        assert 0 < claims[0] < claims[1]
        pd.testing.assert_series_equal(one["p_value"], other["p_value"])

    def test_the_power_is_what_the_size_was_chosen_for(self):
        X, actions = draws(np.full(800, 0.05))
        auditor = auditor_of(Rule(), actions, alpha=0.01, multiplicity=None).fit(X)
        assert auditor.n_samples_ == 312
        power = (auditor.results_["verdict"] == "unresponsive").mean()
        assert power >= 0.8 - 3 * np.sqrt(0.16 / 800)

    def test_too_few_draws_are_refused(self):
        X, actions = draws([0.5])
        with pytest.raises(ValueError, match=r"n_samples=28 are too few .* pass 29 or more"):
            auditor_of(Rule(), actions, n_samples=28).fit(X)

    def test_seeds_workers_and_neighbours_do_not_matter(self):
        X, actions = draws(np.linspace(0.05, 0.95, 30))
        first = auditor_of(Rule(), actions).fit(X).results_
        pd.testing.assert_frame_equal(first, auditor_of(Rule(), actions, n_jobs=2).fit(X).results_)
        few = auditor_of(Rule(), actions, population=lambda X, y: X["share"] < 0.5).fit(X).results_
        columns = ["n", "hits", "responsiveness"]
        pd.testing.assert_frame_equal(first.loc[few.index, columns], few[columns])
        other = auditor_of(Rule(), actions, random_state=1).fit(X).results_
        assert not first["hits"].equals(other["hits"])

    def test_several_models_share_the_points(self):
        X, actions = draws(np.linspace(0.1, 0.9, 9))

        class Opposite(Rule):
            def predict(self, X):
                return 1 - super().predict(X)

        auditor = auditor_of(Rule(), actions).fit(X)
        found = auditor.audit({"one": Rule(), "other": Opposite()})
        one, other = (found[found["model"] == name] for name in ("one", "other"))
        pd.testing.assert_frame_equal(one.drop(columns="model"), auditor.results_)
        assert (one["hits"] + other["hits"] == auditor.n_samples_).all()
        assert auditor.by_group()["n_people"].tolist() == [9]


class TestTargets:
    people = pd.DataFrame({"a": [0, 1, 4], "b": [0.0, 1.0, 2.0]})

    def shares(self, target, model=None, **params):
        actions = ActionSet.from_data(self.people, actionable=["a"])
        model = model or Sum()
        return auditor_of(model, actions, target=target, **params).fit(self.people).results_

    def test_intervals_of_numbers(self):
        # sums are b + 0 … b + 4
        assert self.shares((2, 3))["hits"].tolist() == [2, 2, 2]
        assert self.shares((None, 1.5))["hits"].tolist() == [2, 1, 0]
        assert self.shares((3, None))["hits"].tolist() == [2, 3, 4]

    def test_flip_and_callables_see_what_was_before(self):
        with pytest.warns(UserWarning, match="any other number for a flip"):
            assert self.shares("flip")["hits"].tolist() == [4, 4, 4]
        lower = self.shares(lambda new, old, X: new < old)
        assert lower["hits"].tolist() == [0, 1, 4]
        richer = self.shares(lambda new, old, X: new > 2 * X["b"].to_numpy())
        assert richer["hits"].tolist() == [4, 3, 2]

    def test_several_labels(self):
        tree = DecisionTreeClassifier(random_state=0).fit(self.people, ["x", "y", "z"])
        one, other, both = (self.shares(t, tree)["hits"] for t in ("x", ["z"], {"x", "z"}))
        assert (one + other == both).all() and both.sum() > 0
        with pytest.raises(ValueError, match=r"target='w': the model never predicts 'w', but 'x'"):
            self.shares("w", tree)

    @pytest.mark.parametrize("target", [3, (3, 1), ("a", "b"), (1, 2, 3)])
    def test_wrong_intervals_are_refused(self, target):
        with pytest.raises(ValueError, match="should be \\(low, high\\)"):
            self.shares(target)

    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({"target": lambda new: new > 3}, "target=.* function of y_new, y_old and X, which"),
            ({"target": lambda new, old, X: None}, "target returned nothing for 15 points; it"),
            ({"population": lambda X: X["a"] > 1}, "population=.* function of X and predictions"),
            ({"population": lambda X, y: None}, "population returned nothing for 3 people; it"),
        ],
    )
    def test_unusable_functions_are_refused(self, params, message):
        with pytest.raises((TypeError, ValueError), match=message):
            self.shares(**({"target": (2, 3)} | params))

    def test_populations(self):
        pattern = self.shares((3, None), population="a >= 1 and y < 5")
        assert pattern.index.tolist() == [1]
        gamers = self.shares((3, None), task="gaming")
        assert gamers.index.tolist() == [0, 1]
        assert self.shares(
            (3, None),
        ).index.tolist() == [0, 1, 2]
        with pytest.raises(ValueError, match="leave nobody of 3 people"):
            self.shares((3, None), population="a > 9")


class TestInputs:
    def test_it_is_an_estimator(self):
        X, model, actions = lending(20)
        auditor = auditor_of(model, actions, target="yes", n_samples=50)
        assert auditor.fit(X) is auditor
        assert auditor.n_features_in_ == 4 and auditor.feature_names_in_.tolist() == list(X)
        again = clone(auditor)
        assert not hasattr(again, "results_")
        assert again.get_params()["n_samples"] == 50 and "ResponsivenessAuditor(" in repr(again)
        loaded = pickle.loads(pickle.dumps(auditor))
        pd.testing.assert_frame_equal(loaded.results_, auditor.results_)
        pd.testing.assert_frame_equal(loaded.fit(X).results_, auditor.results_)
        frozen = auditor_of(FrozenEstimator(model), actions, target="yes").fit(X)
        pd.testing.assert_frame_equal(frozen.results_, auditor.results_)

    def test_arrays(self):
        X = np.array([[0.0, 1.0], [1.0, 3.0], [1.0, 0.0]])
        tree = DecisionTreeClassifier(random_state=0).fit(X, [0, 1, 0])
        actions = ActionSet.from_data(X, actionable=["x1"])
        results = auditor_of(tree, actions).fit(X).results_
        expected = [
            tree.predict(ReachableSampler(actions).enumerate(x).to_numpy()).mean() for x in X
        ]
        assert results["responsiveness"].tolist() == expected

    def test_polars_frames_and_models_of_other_libraries(self):
        pl = pytest.importorskip("polars")

        class Foreign:
            classes_ = (0, 1)

            def predict(self, X):
                return (X["a"].to_numpy() > 2).astype(int)

        X = pl.DataFrame({"a": [0, 1, 4], "b": ["p", "q", "p"], "c": [0.5, 1.5, 2.5]})
        actions = ActionSet.from_data(X, actionable=["a", "b"])
        auditor = auditor_of(Foreign(), actions).fit(X)
        assert auditor.results_["responsiveness"].tolist() == [0.4, 0.4, 0.4]
        assert isinstance(auditor.examples(0), pl.DataFrame)
        assert auditor.examples(0)["a"].to_list() == [3, 3, 4, 4]
        assert auditor.by_group(by="b").loc["p", "n_people"] == 2

    def test_pandas_dtypes_are_kept(self):
        X = pd.DataFrame(
            {
                "n": pd.array([1, 2, 0], dtype="Int64"),
                "c": pd.Categorical(["x", "y", "x"]),
                "t": [True, False, True],
                "s": pd.array(["u", "v", "v"], dtype="string"),
                "f": np.array([0.5, 1.5, 1.0], dtype="float32"),
            }
        )
        points = ReachableSampler(ActionSet.from_data(X)).sample(X.iloc[[0]], 30, random_state=0)
        assert points.dtypes.tolist() == X.dtypes.tolist()
        assert set(points["c"]) == {"x", "y"} and set(points["s"]) == {"u", "v"}

    def test_models_that_cannot_be_audited(self):
        X, model, actions = lending(20)
        with pytest.raises(NotFittedError):
            auditor_of(clone(model), actions, target="yes").fit(X)

        class Coin(Rule):
            def predict(self, X):
                return np.random.default_rng().integers(2, size=len(X))

        with pytest.raises(ValueError, match="Coin gives other predictions when asked again"):
            auditor_of(Coin(), actions).fit(X)

    def test_people_who_break_the_rules_are_named(self):
        X, actions = draws([0.5, 0.5, 0.5])
        X.loc[2, "u"] = 3.0
        with pytest.raises(ValueError, match=r"1 of 3 people .* at position 2: u=3 is outside"):
            auditor_of(Rule(), actions).fit(X)
        healthy = auditor_of(Rule(), actions, population="u <= 1").fit(X)
        assert len(healthy.results_) == 2

    def test_wrong_parameters_name_themselves(self):
        X, model, actions = lending(20)
        for params, message in [
            ({"task": "magic"}, "'task'"),
            ({"epsilon": 0}, "'epsilon'"),
            ({"multiplicity": "holm"}, "'multiplicity'"),
            ({"direction": "up"}, "'direction'"),
        ]:
            with pytest.raises(ValueError, match=message):
                auditor_of(model, actions, **params).fit(X)
        with pytest.raises(ValueError, match="by='town' is not a column"):
            auditor_of(model, actions, target="yes").fit(X).by_group(by="town")
        with pytest.raises(ValueError, match="by has 2 values"):
            auditor_of(model, actions, target="yes").fit(X).by_group(by=["a", "b"])
        for task in (None, "preclusion"):
            auditor = auditor_of(model, actions, target="yes", task=task)
            for columns in (["age", "job", "sex", "savings"], ["age", "job", "savings"]):
                with pytest.raises(ValueError, match="the action set has, in this order"):
                    auditor.fit(X[columns])


class TestClaim:
    @pytest.mark.parametrize(("task", "claim"), [("preclusion", "at_most"), ("gaming", "at_least")])
    def test_a_task_brings_its_direction_and_refuses_another(self, task, claim):
        X, model, actions = lending()
        auditor = auditor_of(model, actions, target="yes", task=task)
        assert auditor.fit(X).direction_ == claim
        again = auditor_of(model, actions, target="yes", task=task, direction=claim).fit(X)
        pd.testing.assert_frame_equal(again.results_, auditor.results_)
        other = {"at_most": "at_least", "at_least": "at_most"}[claim]
        with pytest.raises(ValueError, match=f"direction='{other}' contradicts task='{task}'"):
            auditor.set_params(direction=other).fit(X)

    @pytest.mark.parametrize("direction", ["at_most", "at_least"])
    def test_without_a_task_direction_counts(self, direction):
        X, model, actions = lending()
        assert auditor_of(model, actions, target="yes").fit(X).direction_ == "at_most"
        auditor = auditor_of(model, actions, target="yes", direction=direction)
        assert auditor.fit(X).direction_ == direction
