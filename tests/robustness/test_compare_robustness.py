"""Pipelines side by side: the worst of each, the worst for each on all, and what is real of it."""

import pickle
import sqlite3
import time
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from cheap_models import Centroids
from few_fits import make_few_draws, make_few_fits
from skcorrupt import AdversarialCorruptionSearch, CorruptMissing, CorruptNoise
from skcorrupt.adversarial import SearchSpace
from skcorrupt.evaluation import cross_validate_corrupted
from skcorrupt.report import write_html
from skcorrupt.robustness import RobustnessComparison, compare_robustness
from skcorrupt.robustness._comparison_in_words import compared_in_words
from skcorrupt.robustness._comparison_tables import _sentences
from skcorrupt.stats import adjusted_pvalues

SPACE = SearchSpace(max_conditions=1, n_bins=2)
SETTINGS = {"space": SPACE, "strategy": "exhaustive", "cv": 2, "random_state": 0}


def table(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 2)), columns=["a", "b"])
    y = (X["a"] + X["b"] + rng.normal(size=n) / 2 > 0).astype(int).to_numpy()
    return X, y


def draw_less(monkeypatch, n_draws=2, n_resamples=30):
    """Fewer draws of what was found, which is not what most tests are about."""
    for room in ("_contest", "_verdict"):
        monkeypatch.setattr(f"skcorrupt.robustness.{room}.N_DRAWS", n_draws)
    monkeypatch.setattr("skcorrupt.robustness._verdict.N_RESAMPLES", n_resamples)


@pytest.fixture(autouse=True)
def _few_draws(few_fits, monkeypatch):
    draw_less(monkeypatch)


class Stump(ClassifierMixin, BaseEstimator):
    """Says which side of a column's mean a row is on."""

    def __init__(self, column="a", fails_below=-np.inf):
        self.column = column
        self.fails_below = fails_below

    def fit(self, X, y):
        """Learn the mean, missing values aside."""
        self.classes_ = np.unique(y)
        if X[self.column].notna().mean() < self.fails_below:
            raise RuntimeError("too few values")
        self.cut_ = X[self.column].mean()
        return self

    def predict(self, X):
        """The upper class above it."""
        return self.classes_[(X[self.column] > self.cut_).astype(int).to_numpy()]


class Resampled(Centroids):
    """Learns from rows that its seed draws."""

    def __init__(self, random_state=0):
        self.random_state = random_state

    def fit(self, X, y):
        """Draw and learn."""
        rows = np.random.default_rng(self.random_state).choice(len(X), len(X))
        return super().fit(X.iloc[rows], np.asarray(y)[rows])


def compare(estimators, X=None, y=None, **params):
    if X is None:
        X, y = table()
    given = {"corruptions": "missing", "budgets": [0.1, 0.3]} | SETTINGS | params
    return compare_robustness(estimators, X, y, **given)


@pytest.fixture(scope="module")
def made():
    with pytest.MonkeyPatch.context() as monkeypatch:
        make_few_fits(monkeypatch)
        draw_less(monkeypatch)
        return compare({"a": Stump("a"), "b": Stump("b"), "both": Centroids()})


def test_intervals_lie_within_the_scale_of_the_score():
    """Of two splits a t interval is many times as wide as scores lie apart."""
    found = compare({"one": Centroids()}, confirm_size=None).results_
    for name in ("clean", "random", "worst"):
        low, mean, high = (found[f"{name}{end}"] for end in ("_low", "", "_high"))
        assert ((low >= 0) & (low <= mean) & (mean <= high) & (high <= 1)).all()
    assert (found[["clean_high", "worst_high"]] == 1).to_numpy().any()


def test_a_score_of_ones_own_is_not_held_to_the_scale_of_another_one_of_its_name():
    def accuracy(estimator, X, y):
        return 100 * estimator.score(X, y)

    found = compare({"one": Centroids()}, confirm_size=None, scoring=accuracy).results_
    for name in ("clean", "random", "worst"):
        assert (found[f"{name}_low"] <= found[name]).all()
        assert (found[name] <= found[f"{name}_high"]).all()
    assert (found["clean"] > 1).all()


@pytest.mark.long
def test_a_single_one_is_the_search_itself():
    X, y = table()
    found = compare({"one": Centroids()}).results_
    search = AdversarialCorruptionSearch(Centroids(), "missing", budget=[0.1, 0.3], **SETTINGS).fit(
        X, y
    )
    curve = search.budget_curve_
    assert found["worst"].tolist() == curve["worst_score"].tolist()
    assert found["random"].tolist() == pytest.approx(curve["random_score"].tolist(), rel=1e-12)
    assert found["clean"].tolist() == [search.baseline_score_] * 2
    assert found["confirmed"].tolist() == curve["confirmed_score"].tolist()
    assert found["confirmed_clean"].tolist() == curve["confirmed_baseline"].tolist()
    assert found["pattern"].tolist() == curve["pattern"].tolist()
    assert found["error"].map(repr).tolist() == curve["corruption"].map(repr).tolist()
    assert set(found["worst_from"]) == {"one"} and found["rank"].tolist() == ["1", "1"]


@pytest.mark.slow
def test_the_worst_is_that_of_its_own_search_or_lower(made, monkeypatch):
    # as those that it is compared with
    make_few_draws(monkeypatch)
    X, y = table()
    for name, model in (("a", Stump("a")), ("both", Centroids())):
        search = AdversarialCorruptionSearch(model, "missing", budget=[0.1, 0.3], **SETTINGS).fit(
            X, y
        )
        own = search.budget_curve_["worst_score"]
        here = made.results_[made.results_["estimator"] == name]
        assert (here["worst"].to_numpy() <= own.to_numpy()).all()
        moved = (here["worst"].to_numpy() < own.to_numpy()).tolist()
        assert moved == (here["worst_from"] != name).tolist()
        transfer = made.transfer_
        diagonal = transfer[(transfer["found_for"] == name) & (transfer["scored_on"] == name)]
        assert diagonal["score"].tolist() == own.tolist()


@pytest.mark.long
def test_transferred_errors_score_as_cross_validation_says(made):
    X, y = table()
    search = AdversarialCorruptionSearch(Stump("a"), "missing", budget=[0.1, 0.3], **SETTINGS).fit(
        X, y
    )
    rows = search.search_indices_
    n_draws = search.n_draws_
    told = made.transfer_.set_index(["found_for", "scored_on", "budget"])["score"]
    checked = cross_validate_corrupted(
        Centroids(),
        X.iloc[rows],
        y[rows],
        search.worst_corruption_,
        cv=search.splits_,
        n_repeats=max(n_draws, 4) if n_draws > 1 else 1,
        random_state=search.seed_,
    )
    assert told["a", "both", 0.3] == pytest.approx(checked["test_score"].mean())


@pytest.mark.long
def test_the_worst_is_the_minimum_over_transfer_of_all_budgets_up_to_it(made):
    for _, row in made.results_.iterrows():
        on = made.transfer_[made.transfer_["scored_on"] == row["estimator"]]
        assert row["worst"] == on.loc[on["budget"] <= row["budget"], "score"].min()
        assert row["drop"] == row["clean"] - row["worst"]
        assert row["confirmed_low"] <= row["confirmed"] <= row["confirmed_high"]
    pairs = [*zip(made.transfer_["found_for"], made.transfer_["scored_on"], strict=True)]
    assert len(pairs) == 18 and len(set(pairs)) == 9


@pytest.mark.long
def test_an_error_in_a_column_that_a_pipeline_does_not_read_does_nothing(made):
    told = made.transfer_.set_index(["found_for", "scored_on"]).sort_index()
    assert (told.loc[("a", "b"), "drop"] == 0).all()
    assert told.loc[("a", "a"), "drop"].max() > 0


@pytest.mark.long
def test_the_same_comes_for_any_number_of_workers_and_inputs_are_left():
    X, y = table()
    before = X.copy()
    models = {"a": Stump("a"), "both": Centroids()}
    one = compare(models, X, y, budgets=0.2)
    with parallel_config(backend="threading"):
        two = compare(models, X, y, budgets=0.2, n_jobs=2)
    pd.testing.assert_frame_equal(
        one.results_.drop(columns="error"), two.results_.drop(columns="error")
    )
    pd.testing.assert_frame_equal(one.ranks_, two.ranks_)
    pd.testing.assert_frame_equal(one.transfer_, two.transfer_)
    pd.testing.assert_frame_equal(X, before)


@pytest.mark.long
def test_a_journal_is_gone_on_from(tmp_path, monkeypatch):
    file = tmp_path / "journal.sqlite"
    models = {"a": Stump("a"), "both": Centroids()}
    given = {"budgets": 0.2, "journal": file, "random_state": None}
    first = compare(models, **given)
    with sqlite3.connect(file) as connection:
        kinds = {row[0] for row in connection.execute("SELECT kind FROM outcomes")}
    connection.close()
    assert "confirmations" in kinds

    def fails(*args, **kwargs):
        raise AssertionError("confirmed again")

    monkeypatch.setattr("skcorrupt.robustness._verdict.evaluate_split", fails)
    again = compare(models, **given)
    assert again.seed_ == first.seed_
    pd.testing.assert_frame_equal(
        again.results_.drop(columns="error"), first.results_.drop(columns="error")
    )
    pd.testing.assert_frame_equal(again.ranks_, first.ranks_)


@pytest.mark.long
def test_models_fitted_on_other_data_are_not_taken_for_each_other_by_a_journal(tmp_path):
    X, y = table()
    models = {"right": Stump("a").fit(X, y), "wrong": Stump("a").fit(X, 1 - y)}
    models["wrong"].cut_ = 2.0
    given = {"apply_to": "test", "cv": None, "budgets": 0.2, "corruptions": CorruptNoise()}
    plain = compare(models, **given)
    kept = compare(models, **given, journal=tmp_path / "journal.sqlite")
    assert plain.results_["clean"].nunique() == 2
    assert kept.results_["worst"].tolist() == plain.results_["worst"].tolist()


def test_one_that_fails_is_a_row_and_no_crash():
    found = compare({"bayes": GaussianNB(), "both": Centroids()}, budgets=0.2)
    failed = found.results_.set_index("estimator").loc["bayes"]
    assert failed["status"] == "failed" and "missing values" in failed["message"]
    assert failed["rank"] == "" and np.isnan(failed["worst"])
    assert found.results_.set_index("estimator").loc["both", "rank"] == "1"
    assert "bayes could not be compared under missing" in found.summary()
    assert found.transfer_["status"].tolist() == ["failed", "ok"]
    assert found.ranks_.empty
    pickle.loads(pickle.dumps(found))
    with pytest.warns(UserWarning, match="None of the 1 estimators could be compared"):
        alone = compare({"bayes": GaussianNB()}, budgets=0.2)
    assert "nothing could be compared" in alone.summary()


@pytest.mark.long
def test_one_that_fails_on_the_error_of_another_says_so():
    found = compare({"a": Stump("a"), "shaky": Stump("b", fails_below=0.8)}, budgets=0.3)
    rows = found.results_.set_index("estimator")
    assert rows.loc["shaky", "status"] == "ok"
    assert "failed on" in rows.loc["shaky", "message"]
    assert rows.loc["shaky", "n_failed"] > rows.loc["a", "n_failed"] == 0
    assert f"shaky fails on {rows.loc['shaky', 'n_failed']} of the errors" in found.summary()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([("a", Centroids()), ("a", Stump())], "estimators has the name 'a' twice"),
        ([], "estimators=.* has none"),
        ({1: Centroids()}, "estimators has the name 1; names should be texts"),
        ({"a": Centroids(), "b": LinearRegression()}, "classifiers .*regressors"),
        ({"a": FrozenEstimator(Centroids())}, "frozen"),
    ],
)
def test_estimators_that_cannot_be_compared_are_refused(given, message):
    with pytest.raises((ValueError, TypeError), match=message):
        compare(given)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"budgets": 0}, "budgets=0 should be"),
        ({"budgets": []}, r"budgets=\[\] should be"),
        ({"corruptions": []}, "corruptions=.* holds no kind"),
        ({"corruptions": "mising"}, "mising"),
        (
            {"corruptions": [("x", "missing"), ("x", "labels")]},
            "corruptions has the name 'x' twice",
        ),
        ({"alpha": 1.5}, "alpha"),
        ({"confirm_size": 1.0}, "confirm_size"),
        ({"strategy": "best"}, "best"),
        ({"cv": "three"}, "cv"),
        ({"scoring": "nonsense"}, "nonsense"),
        ({"apply_to": "test", "corruptions": "labels"}, "labels"),
    ],
)
def test_odd_parameters_are_refused_by_name(params, message):
    with pytest.raises((ValueError, TypeError), match=message):
        compare({"a": Centroids()}, **params)


def test_labels_are_needed_and_fitted_ones_go_with_fitted_ones():
    X, y = table()
    with pytest.raises(ValueError, match="y is None"):
        compare_robustness({"a": Centroids()}, X, None, corruptions="missing")
    with pytest.raises(ValueError, match="X has 0 rows; pass at least one"):
        compare_robustness({"a": Centroids()}, X[:0], y[:0], corruptions="missing")
    with pytest.raises(ValueError, match=r"fitted are a, .*not fitted b, "):
        compare({"a": Stump().fit(X, y), "b": Stump()}, X, y, apply_to="test", cv=None)


def test_fitted_models_are_compared_as_they_are():
    X, y = table()
    models = {"a": Stump("a").fit(X, y), "b": FrozenEstimator(Stump("b").fit(X, y))}
    cuts = models["a"].cut_
    found = compare(models, X, y, apply_to="test", cv=None, budgets=0.3)
    assert (found.results_["drop"] > 0).all()
    assert found.results_["worst_low"].isna().all()
    assert models["a"].cut_ == cuts


@pytest.mark.slow
def test_a_splitter_without_a_seed_gets_one():
    folds = StratifiedKFold(2, shuffle=True)
    found = compare({"a": Stump("a"), "both": Centroids()}, budgets=0.2, cv=folds)
    assert folds.random_state is None
    fixed = compare(
        {"a": Stump("a"), "both": Centroids()},
        budgets=0.2,
        cv=StratifiedKFold(2, shuffle=True, random_state=0),
    )
    assert found.results_["worst"].tolist() == fixed.results_["worst"].tolist()
    compare({"a": Stump("a")}, budgets=0.2, cv=KFold(2))


def test_splits_that_change_every_time_are_refused():
    class Moody(KFold):
        """Folds that begin elsewhere every time."""

        calls = 0

        def split(self, X, y=None, groups=None):
            Moody.calls += 1
            for train, test in super().split(X, y, groups):
                yield np.roll(train, Moody.calls), np.roll(test, Moody.calls)

    with pytest.raises(ValueError, match="other splits"):
        compare({"a": Stump("a"), "b": Stump("b")}, budgets=0.2, cv=Moody(2))


@pytest.mark.long
def test_kinds_have_the_names_they_are_given(capsys):
    found = compare(
        {"both": Centroids()},
        budgets=0.2,
        corruptions={"gaps": CorruptMissing(), "noise": "noise"},
        verbose=1,
    )
    # what is under way is said with its place
    shown = capsys.readouterr().err
    assert "both, gaps (1 of 2), searching: " in shown
    assert "both, noise (2 of 2), searching: " in shown
    assert found.results_["corruption"].tolist() == ["gaps", "noise"]
    twice = compare(
        {"both": Centroids()}, budgets=0.2, corruptions=[CorruptNoise(), CorruptNoise(scale=3.0)]
    )
    assert twice.results_["corruption"].tolist() == ["noise", "noise-2"]


@pytest.mark.long
def test_a_model_that_nothing_hurts_has_no_drop():
    found = compare({"dummy": DummyClassifier(), "both": Centroids()}, budgets=0.2)
    row = found.results_.set_index("estimator").loc["dummy"]
    assert row["drop"] == 0 and row["worst"] == row["clean"]


def test_where_no_error_is_feasible_all_is_as_without_errors():
    found = compare({"a": Stump("a"), "b": Stump("b")}, budgets=0.001)
    results = found.results_
    assert results["status"].tolist() == ["no error"] * 2 and (results["drop"] == 0).all()
    assert results["confirmed"].tolist() == results["confirmed_clean"].tolist()
    assert (results["confirmed_drop"] == 0).all() and results["error"].isna().all()
    assert results["message"].str.startswith("No candidate is feasible").all()
    assert found.transfer_.empty and len(found.ranks_) == 1
    assert found.summary()


@pytest.mark.long
def test_ranks_are_those_of_tests_and_p_values_are_adjusted(made):
    ranks, results = made.ranks_, made.results_
    assert len(ranks) == 6
    expected = adjusted_pvalues(ranks["p_value"].to_numpy(), "by")
    assert ranks["p_adjusted"].tolist() == expected.tolist()
    assert (ranks["significant"] == (ranks["p_adjusted"] <= 0.05)).all()
    assert (ranks["difference"] >= 0).all()
    for _, row in results.iterrows():
        here = ranks[(ranks["budget"] == row["budget"]) & ranks["significant"]]
        first = 1 + (here["other"] == row["estimator"]).sum()
        last = 3 - (here["estimator"] == row["estimator"]).sum()
        assert row["rank"] == (str(first) if first == last else f"{first}–{last}")


def test_without_rows_set_aside_the_splits_decide():
    found = compare({"a": Stump("a"), "both": Centroids()}, budgets=0.3, confirm_size=None)
    assert found.results_["confirmed"].isna().all()
    assert found.ranks_["p_value"].notna().all()
    assert "on the splits of the search" in found.summary()


@pytest.mark.long
def test_a_pipeline_is_never_ahead_of_itself():
    for seed in range(2):
        X, y = table(80, seed)
        found = compare({"one": Centroids(), "same": Centroids()}, X, y, budgets=0.3)
        assert found.ranks_["p_value"].tolist() == [1.0]
        assert found.results_["rank"].tolist() == ["1–2", "1–2"]
        assert "None of the differences can be told from chance" in found.summary()
        assert "all score alike (" in found.summary()


@pytest.mark.slow
def test_equal_pipelines_of_other_seeds_are_seldom_told_apart(monkeypatch):
    draw_less(monkeypatch, n_draws=20, n_resamples=200)
    n, wrong = 30, 0
    for seed in range(n):
        X, y = table(120, seed)
        models = {str(i): Resampled(random_state=i) for i in range(2)}
        space = SearchSpace(max_conditions=1, n_bins=2, pattern_columns=["a"])
        given = {"budgets": 0.2, "corruptions": "labels", "random_state": seed, "space": space}
        found = compare(models, X, y, **given)
        wrong += int(found.ranks_["significant"].sum())
    # the models are fitted once, so that they may differ a little
    assert wrong <= 5


@pytest.mark.long
def test_an_error_that_breaks_all_is_said_to_do_so_where_it_was_found(made):
    transfer = made.transfer_.assign(drop=0.2)
    results = made.results_.assign(drop=0.2, confirmed_drop_low=0.1)
    said = {}
    for low in (0.1, -0.1):
        results.loc[results["estimator"] == "b", "confirmed_drop_low"] = low
        sentences = compared_in_words(results, transfer, made.ranks_, "accuracy", 0.05)
        (said[low],) = [each for each in sentences if "one error breaks all" in each]
        assert said[low].startswith("On the splits of the search one error breaks all: the one")
    assert said[-0.1] == said[0.1][:-1] + "; on rows not searched it may cost b nothing."
    assert "costs every pipeline at least 0.200" in said[0.1]
    # one that no error costs anything is not among those that an error breaks
    results.loc[results["estimator"] == "b", "drop"] = 0.0
    transfer.loc[transfer["scored_on"] == "b", "drop"] = 0.0
    told = " ".join(compared_in_words(results, transfer, made.ranks_, "accuracy", 0.05))
    assert "costs every pipeline at least 0.000" not in told


def test_who_looks_steady_as_nothing_is_struck_is_told(made):
    results = made.results_.copy()
    told = compared_in_words(results, made.transfer_, made.ranks_, "accuracy", 0.05)
    assert "do nothing at all" not in " ".join(told)
    row = results["estimator"] == "b"
    results.loc[row, "confirmed"] = results.loc[row, "confirmed_clean"]
    clean, worst = results.loc[row & (results["budget"] == 0.3), ["clean", "worst"]].iloc[0]
    told = compared_in_words(results, made.transfer_, made.ranks_, "accuracy", 0.05)
    said = f"do nothing at all to b ({clean:.3f} → {worst:.3f} on the splits of the search)"
    assert sum(said in each for each in told) == 1


def test_it_reads_well(made):
    said = made.summary()
    assert "in at most 30 % of the rows" in said and "→" in said
    assert "error breaks all" in said
    assert repr(made).startswith("RobustnessComparison(3 estimators, 1 corruption")
    page = made._repr_html_()
    assert "<table" in page and "RobustnessComparison" in page
    again = pickle.loads(pickle.dumps(made))
    assert isinstance(again, RobustnessComparison) and again.summary() == said
    assert made.get_params()["budgets"] == [0.1, 0.3]


def test_names_are_no_html():
    found = compare({"<b>&": Centroids()}, budgets=0.2)
    assert "<b>&" not in found._repr_html_()


def ends_at(monkeypatch, place, n):
    """Press Ctrl-C at the n-th call of something, and at all that come after."""
    room, name = place.split(".")
    target = f"skcorrupt.robustness.{room}.{name}"
    called, count = getattr(import_module(f"skcorrupt.robustness.{room}"), name), []

    def interrupted(*args, **kwargs):
        count.append(1)
        if len(count) >= n:
            raise KeyboardInterrupt
        return called(*args, **kwargs)

    monkeypatch.setattr(target, interrupted)


THREE = {"a": Stump("a"), "both": Centroids(), "b": Stump("b")}


@pytest.mark.long
def test_ctrl_c_leaves_a_comparison_of_what_was_searched(tmp_path, monkeypatch):
    given = {"corruptions": ["missing", "noise"], "budgets": 0.2, "random_state": None}
    given["journal"] = tmp_path / "journal.sqlite"
    models = {"a": THREE["a"], "both": THREE["both"]}
    with monkeypatch.context() as patch:
        ends_at(patch, "_contest._search", 2)
        with pytest.warns(UserWarning, match="interrupted.*A second call goes on from journal="):
            part = compare(models, **given)
    one = compare({"a": THREE["a"]}, budgets=0.2, random_state=part.seed_)
    assert part.interrupted_ and not one.interrupted_
    numbers = ["clean", "random", "worst", "confirmed", "confirmed_low", "rank", "worst_from"]
    pd.testing.assert_frame_equal(part.results_.loc[:0, numbers], one.results_[numbers])
    assert part.results_["status"].tolist() == ["ok"] + ["not searched"] * 3
    assert "Interrupted before both could be searched under missing" in part.summary()
    assert part.summary().endswith("less was tried than set, and worse errors may exist.")
    whole = compare(models, **given)
    assert "ended early" not in whole.summary()
    assert whole.seed_ == part.seed_ and not whole.interrupted_
    assert whole.results_["status"].tolist() == ["ok"] * 4


class Slow(Centroids):
    """Takes its time to predict."""

    def predict(self, X):
        time.sleep(0.02)
        return super().predict(X)


@pytest.mark.slow
def test_searches_share_the_time_there_is(monkeypatch):
    fine = SearchSpace(max_conditions=2, n_bins=16)
    limits, prepare = [], AdversarialCorruptionSearch._prepare

    def noted(search, *args):
        limits.append(search.max_time)
        return prepare(search, *args)

    monkeypatch.setattr(AdversarialCorruptionSearch, "_prepare", noted)
    found = compare({"slow": Slow(), "both": Centroids()}, max_time=4, budgets=0.2, space=fine)
    assert found.interrupted_
    assert limits[0] == 2
    # the first has used up its share
    assert 0 < limits[1] <= 2.5
    assert found.results_["status"].tolist() == ["ok", "ok"]
    assert (found.results_["worst"] < found.results_["clean"]).all()
    assert "ended by its share of max_time, 2 s" in found.results_.loc[0, "message"]
    assert "The search for slow" in found.summary()


@pytest.mark.slow
def test_where_there_is_time_nothing_changes():
    limited = compare(THREE, budgets=0.2, max_time=3600)
    assert not limited.interrupted_
    tables = [each.results_ for each in (limited, compare(THREE, budgets=0.2))]
    pd.testing.assert_frame_equal(*(table.drop(columns="error") for table in tables))
    with pytest.raises(ValueError, match="max_time"):
        compare(THREE, max_time=0)


@pytest.mark.many
@pytest.mark.parametrize("place", ["_contest._tried", "_contest.random_scores"])
def test_ctrl_c_after_the_searches_leaves_what_they_found(monkeypatch, place):
    ends_at(monkeypatch, place, 2)
    with pytest.warns(UserWarning, match="interrupted"):
        part = compare(THREE, budgets=0.2)
    assert part.results_["status"].tolist() == ["ok"] * 3
    assert part.results_["worst"].notna().all() and part.results_["confirmed"].notna().all()
    lacks = part.transfer_["status"] if place.endswith("tried") else part.results_["random"]
    assert (lacks.isna() | (lacks == "not searched")).any()


def test_ctrl_c_while_errors_are_confirmed_ranks_only_what_is_confirmed(monkeypatch):
    ends_at(monkeypatch, "_verdict.judged", 3)
    with pytest.warns(UserWarning, match="interrupted while"):
        part = compare(THREE, budgets=0.2)
    rows = part.results_
    assert rows["confirmed"].notna().tolist() == [True, True, False]
    assert rows["rank"].astype(bool).tolist() == [True, True, False]
    assert rows.loc[2, "message"] == "not confirmed: interrupted"
    assert set(part.ranks_["estimator"]) | set(part.ranks_["other"]) == {"a", "both"}


def test_ctrl_c_before_anything_was_found_and_a_second_one_are_raised(monkeypatch):
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        ends_at(patch, "_contest._search", 1)
        compare(THREE, budgets=0.2)
    ends_at(monkeypatch, "_contest._search", 2)
    ends_at(monkeypatch, "_verdict.judged", 1)
    with pytest.warns(UserWarning, match="interrupted"), pytest.raises(KeyboardInterrupt):
        compare(THREE, budgets=0.2)


def test_results_are_kept_in_json_without_the_data(made, tmp_path):
    file = made.to_json(tmp_path / "found.json")
    again = RobustnessComparison.from_json(file)
    assert again.summary() == made.summary() and repr(again) == repr(made)
    pd.testing.assert_frame_equal(again.ranks_, made.ranks_)
    pd.testing.assert_frame_equal(again.transfer_, made.transfer_)
    pd.testing.assert_frame_equal(
        again.results_.assign(error=again.results_["error"].map(repr)),
        made.results_.assign(error=made.results_["error"].map(repr)),
    )
    assert made.summary()[:40] in write_html(again, tmp_path / "page.html").read_text()
    text = file.read_text()
    assert not [value for value in table()[0]["a"] if repr(value) in text]
    changed = tmp_path / "changed.json"
    changed.write_text(text.replace('"interrupted": false', '"interrupted": true'))
    with pytest.raises(ValueError, match="digest"):
        RobustnessComparison.from_json(changed)


def test_an_own_score_is_called_what_it_is():
    X, y = table()
    given = {"apply_to": "test", "cv": None, "budgets": 0.2, "confirm_size": None}
    tree = DecisionTreeClassifier(max_depth=1).fit(X, y)
    assert "accuracy on the splits" in compare({"tree": tree}, X, y, **given).summary()
    line = make_pipeline(LinearRegression()).fit(X, y)
    assert compare({"line": line}, X, y, corruptions="noise", **given).metric_name_ == "R²"


@pytest.mark.parametrize(
    ("notes", "message"),
    [
        ([], ""),
        (["not confirmed: interrupted"], "not confirmed: interrupted"),
        (["It took long.", "fails with NaN", "It took long."], "It took long. Fails with NaN"),
        (["what?", "it was ended", "no"], "what? It was ended. No"),
    ],
)
def test_notes_are_sentences_each_of_them_once(notes, message):
    assert _sentences(notes) == message
