"""The worst error of every class of patterns: with and without the label, the column hit."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from cheap_models import Centroids, share_right
from flat_search import flat_search
from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    Pattern,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import AdversarialSearchDisplay, SearchSpace, _alternatives
from skcorrupt.adversarial.candidates import Evaluator, class_space
from skcorrupt.adversarial.strategies import _exactly
from small_searches import ONE_SPLIT, quick, small_data

pytestmark = pytest.mark.usefixtures("few_draws")

COLUMNS = ["n_conditions", "uses_label", "uses_own_column", "columns", "pattern", "rate", "score"]
COLUMNS += ["drop", "n_draws", "corruption", "status"]
STATUSES = {"searched", "relaxed", "enumerated", "none feasible", "not tried", "not allowed"}


class Counts(Centroids):
    """Counts its fits."""

    n_fits = 0

    def fit(self, X, y, sample_weight=None):
        Counts.n_fits += 1
        return super().fit(X, y, sample_weight)


def exhaustive(corruption="missing", **params):
    settings = {"cv": ONE_SPLIT, "confirm_size": None, "random_state": 0, "scoring": share_right}
    settings |= {"exhaustive": True, "max_conditions": 1}
    return flat_search(Centroids(), corruption, **{**settings, **params})


def classes(search):
    table = search.alternatives_
    keys = zip(table["n_conditions"], table["uses_label"], table["uses_own_column"], strict=True)
    return dict(zip(keys, table.to_dict("records"), strict=True))


def scored(search):
    return search.alternatives_[search.alternatives_["score"].notna()]


def is_score_of(score, search, corruption, X, y):
    """Whether a score is what the splits of the search say of an error, over some draws."""
    rows = search.search_indices_
    scores = cross_validate_corrupted(
        search.estimator,
        X.iloc[rows],
        y.iloc[rows],
        corruption,
        cv=search.splits_,
        scoring=search.scoring,
        n_repeats=16,
        random_state=search.seed_,
    )["test_score"]
    means = np.cumsum(scores) / np.arange(1, 17)
    return np.isclose(means, score, rtol=0, atol=1e-12).any()


@pytest.mark.many
@pytest.mark.parametrize("corruption", ["missing", "labels", "selection"])
@pytest.mark.long
def test_rows_are_what_they_say(corruption):
    X, y = small_data()
    search = quick(corruption, budget=[0.1, 0.3]).fit(X, y)
    table = search.alternatives_
    assert list(table.columns) == COLUMNS
    assert set(table["status"]) <= STATUSES
    assert not table[COLUMNS[:3]].duplicated().any()
    for row in scored(search).to_dict("records"):
        pattern = row["corruption"].pattern
        assert str(pattern) == row["pattern"]
        assert len(pattern.columns) == row["n_conditions"]
        assert pattern.uses_y == row["uses_label"]
        assert any(c in pattern.columns for c in row["columns"]) == row["uses_own_column"]
        assert is_score_of(row["score"], search, row["corruption"], X, y)
        assert row["drop"] == pytest.approx(search.baseline_score_ - row["score"])
        _, _, record = row["corruption"].corrupt(X.iloc[:80], y.iloc[:80])
        assert record.row_fraction <= 0.3 + 1e-9
    assert {"searched", "relaxed"} <= set(table["status"])
    if corruption != "missing":
        assert not table["uses_own_column"].any()


@pytest.mark.slow
@pytest.mark.parametrize("apply_to", ["train", "test"])
def test_rows_of_random_errors_are_no_lucky_draws(apply_to):
    """What every class says is the mean over several draws, as that of the worst is."""
    X, y = small_data()
    noise = CorruptNoise(scale=2.0, rate=0.5)
    search = quick(noise, budget=0.4, n_calls=16, apply_to=apply_to, scoring="accuracy").fit(X, y)
    rows, n_more = search.search_indices_, 0
    for row in scored(search).to_dict("records"):
        scores = cross_validate_corrupted(
            search.estimator, X.iloc[rows], y.iloc[rows], row["corruption"], cv=search.splits_,
            scoring=search.scoring, n_repeats=64, random_state=search.seed_, apply_to=apply_to,
        )["test_score"]  # fmt: skip
        n = row["n_draws"]
        assert n >= 4 and np.mean(scores[:n]) == pytest.approx(row["score"], abs=1e-12)
        error = 2 * np.std(scores[:n], ddof=1) / np.sqrt(n)
        n_more += n > 4
        assert n >= 16 or error <= 0.1 * row["drop"], row
    assert n_more


def redundant(seed):
    """A table in which columns tell one another, and some of them the label."""
    rng = np.random.default_rng(seed)
    site = rng.choice(list("ABC"), 90)
    X = pd.DataFrame(
        {
            "site": site,
            "town": np.where(site == "C", "Rome", "Oslo"),
            "ward": rng.choice(list("pq"), 90),
            "dose": np.where(site == "A", 3.0, rng.integers(0, 3, 90)),
        }
    )
    y = pd.Series(np.where(site == "C", 1, rng.random(90) < 0.3).astype(int))
    return X, y


def worst_by_hand(search, X, y, columns, max_conditions):
    """The lowest score of every class over all patterns of single values and ranges of doses."""
    conditions = {
        name: [f"{name} == {value!r}" for value in X[name].unique()]
        for name in ("site", "town", "ward")
    }
    conditions["site"] += [f"site in {pair!r}" for pair in itertools.combinations("ABC", 2)]
    conditions["dose"] = [f"dose == {at}" for at in range(4)] + ["1 <= dose <= 2"]
    conditions["dose"] += [f"dose <= {at}" for at in (1, 2)] + [f"dose >= {at}" for at in (1, 2)]
    lowest = {}
    for n in range(max_conditions + 1):
        for names in itertools.combinations(X, n):
            for some in itertools.product(*(conditions[name] for name in names)):
                for label in ([], ["y == 0"], ["y == 1"]):
                    if not [*some, *label]:
                        continue
                    pattern = Pattern.parse(" and ".join([*some, *label]))
                    matched = pattern.mask(X, y)
                    if not matched.any() or matched.all():
                        continue
                    error = CorruptMissing(columns, pattern=pattern, rate=1.0)
                    score = cross_validate_corrupted(
                        search.estimator, X, y, error, cv=search.splits_, scoring=search.scoring,
                        apply_to="test", random_state=search.seed_,
                    )["test_score"].mean()  # fmt: skip
                    which = n, bool(label), columns in names
                    lowest[which] = min(score, lowest.get(which, np.inf))
    return lowest


@pytest.mark.parametrize("strategy", ["exhaustive", "auto"])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_patterns_that_strike_the_same_rows_count_in_their_own_classes(strategy, seed):
    """A score that was found by one pattern is that of all patterns that say the same."""
    X, y = redundant(seed)
    encoder = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["site", "ward"]),
        (SimpleImputer(), ["dose"]),
    )
    space = SearchSpace(max_conditions=2, label="allowed", own_column="allowed", min_support=0.0)
    search = AdversarialCorruptionSearch(
        make_pipeline(encoder, LogisticRegression()).fit(X, y), CorruptMissing("site", rate=1.0),
        budget=1.0, space=space, apply_to="test", scoring="accuracy", strategy=strategy,
        confirm_size=None, random_state=0,
    ).fit(X, y)  # fmt: skip
    by_hand = worst_by_hand(search, X, y, "site", 2)
    rows = {which: row for which, row in classes(search).items() if which in by_hand}
    assert len(rows) > 6
    for which, row in rows.items():
        assert row["status"] == "searched"
        assert row["score"] == pytest.approx(by_hand[which], abs=1e-9), which


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_random_errors_of_the_same_rows_have_one_score(seed):
    """A twin of the column hit takes its place in patterns; none searched is below the worst."""
    X, y = small_data(seed=seed)
    X["twin"] = 2 * X["b"]
    search = quick(CorruptNoise("b", rate=0.5), budget=0.4, n_calls=16, scoring="accuracy")
    table = scored(search.fit(X, y))
    assert table.loc[table["status"] == "searched", "score"].min() == search.worst_score_
    for n, rows in table[table["n_conditions"] > 0].groupby("n_conditions"):
        own, other = (
            rows.loc[(rows["uses_own_column"] == uses) & rows["uses_label"], "score"].min()
            for uses in (True, False)
        )
        # up to rounding, as both are means of many draws
        assert other <= own + 1e-12, n


def test_processes_without_conditions_that_they_do_not_need():
    X, _ = redundant(0)
    y = pd.Series((X["town"] == "Rome").astype(int))
    fixed = CorruptMissing("ward", pattern="ward == 'p'", rate=0.5)
    process = CorruptionProcess([("gaps", CorruptMissing("town")), ("others", fixed)])
    encoder = OneHotEncoder(handle_unknown="ignore")
    search = AdversarialCorruptionSearch(
        make_pipeline(make_column_transformer((encoder, ["town", "ward"])), LogisticRegression()),
        process, budget=0.9, scoring="accuracy", cv=2, confirm_size=None, random_state=0,
        space=SearchSpace(max_conditions=1),
    ).fit(X, y)  # fmt: skip
    worst = search.worst_pattern_["gaps"]
    assert worst.columns == ("town",) and worst.uses_y
    table = scored(search)
    without = table.loc[~table["uses_label"].astype(bool), "score"].min()
    assert search.score_drop_ > 0
    assert without <= search.worst_score_


def test_a_label_that_a_column_tells_is_not_needed():
    X, _ = redundant(0)
    y = pd.Series((X["town"] == "Rome").astype(int))
    encoder = OneHotEncoder(handle_unknown="ignore")
    search = AdversarialCorruptionSearch(
        make_pipeline(make_column_transformer((encoder, ["town", "ward"])), LogisticRegression()),
        CorruptMissing("town", rate=1.0), budget=0.7, scoring="accuracy", cv=2, random_state=0,
        space=SearchSpace(max_conditions=1), strategy="exhaustive", confirm_size=None,
    ).fit(X, y)  # fmt: skip
    assert search.score_drop_ > 0
    assert search.worst_pattern_.uses_y
    assert classes(search)[1, False, True]["score"] == search.worst_score_
    assert f"without a condition on the label {search.worst_score_:.3f}" in search.summary()
    # so that nothing asks for a label that errors would have to know
    assert "`y` is the true label" not in search.summary()


@pytest.mark.long
def test_the_winner_is_the_lowest_of_those_searched():
    X, y = small_data()
    search = quick(budget=0.3, n_calls=16).fit(X, y)
    table = scored(search)
    found = table[table["status"] == "searched"]
    assert found["score"].min() == search.worst_score_
    assert str(search.worst_pattern_) in set(found["pattern"])
    results = pd.DataFrame(search.cv_results_)
    for row in found.to_dict("records"):
        assert (
            row["score"]
            == results.loc[results["depth"] == row["n_conditions"]]["mean_test_score"].min()
        )


@pytest.mark.slow
@pytest.mark.parametrize("corruption", ["missing", "labels"])
def test_the_worst_is_the_same_with_and_without_alternatives(corruption, monkeypatch):
    X, y = small_data()
    search = quick(corruption, confirm_size=0.25, cv=3).fit(X, y)
    for name in ("relax", "draw"):
        monkeypatch.setattr(_alternatives.KindAlternatives, name, lambda self: None)
    without = quick(corruption, confirm_size=0.25, cv=3).fit(X, y)
    # what strikes the rows of a candidate of the search is known without a fit
    n_relaxed = [(each.alternatives_["status"] == "relaxed").sum() for each in (search, without)]
    assert n_relaxed[0] > n_relaxed[1]
    # a lower score without a condition stays an alternative
    for name in ("worst_score_", "worst_pattern_", "random_score_", "confirmed_score_"):
        assert getattr(search, name) == getattr(without, name)
    assert search.n_evaluations_ == without.n_evaluations_
    one, other = pd.DataFrame(search.cv_results_), pd.DataFrame(without.cv_results_)
    times = ["mean_fit_time", "mean_score_time", "corruption"]
    pd.testing.assert_frame_equal(one.drop(columns=times), other.drop(columns=times))


@pytest.mark.slow
@pytest.mark.parametrize("corruption", ["missing", "labels", ["missing", "labels"]])
def test_it_takes_a_quarter_of_the_evaluations_at_most(corruption, monkeypatch):
    X, y = small_data()
    counts = []
    # draws that are added are no candidates
    monkeypatch.setattr(_alternatives.Alternatives, "draw", lambda self: None)
    for relax in (_alternatives.Alternatives.relax, lambda self: None):
        monkeypatch.setattr(_alternatives.Alternatives, "relax", relax)
        Counts.n_fits = 0
        search = quick(corruption, Counts(), n_calls=16).fit(X, y)
        counts.append(Counts.n_fits)
    assert 0 < counts[0] - counts[1] <= 0.25 * search.n_evaluations_


@pytest.mark.parametrize("corruption", ["missing", "selection"])
def test_one_condition_is_enumerated_where_that_is_affordable(corruption, monkeypatch):
    X, y = small_data()
    X = X[["a", "c"]]
    monkeypatch.setattr(_alternatives, "SHARE", 20)
    search = exhaustive(corruption, budget=0.3).fit(X, y)
    relaxed = 0
    for which, row in classes(search).items():
        if row["status"] != "enumerated":
            continue
        relaxed += 1
        task = search.lay_out(X, y).task
        space = class_space(task.space, label=which[1], own=which[2])
        everything = {
            candidate.key: candidate
            for template in space.templates_of_depth(which[0])
            for grid in [space.grid(template)]
            for point in grid.points(np.arange(grid.size)).tolist()
            for candidate in [space.candidate(template, tuple(point))]
            if not candidate.refused
        }
        task.evaluator.evaluate([*everything.values()])
        assert row["score"] == task.evaluator.ranked()[0].score
    assert relaxed == (4 if corruption == "missing" else 1)


@pytest.mark.slow
def test_explicit_settings_hold():
    X, y = small_data()
    search = quick(label="required", own_column="required").fit(X, y)
    for which, row in classes(search).items():
        inside = which[1] and which[2]
        # a beam need not come to patterns of three conditions
        assert row["status"] in ({"searched", "not tried"} if inside else {"not allowed"})
        assert np.isfinite(row["score"]) == (row["status"] == "searched")
    search = quick(label="forbidden").fit(X, y)
    for which, row in classes(search).items():
        assert (row["status"] == "not allowed") == which[1]
    assert not scored(search)["uses_label"].any()
    search = quick(label="allowed", own_column="allowed", n_calls=8).fit(X, y)
    assert not {"relaxed", "enumerated", "not allowed"} & set(search.alternatives_["status"])


def test_a_given_pattern_is_kept():
    X, y = small_data()
    search = quick(CorruptMissing(pattern="a >= 1 and y == 1"), max_conditions=1).fit(X, y)
    table = scored(search)
    assert table["uses_label"].all()
    assert all("a >= 1" in text or "a " in text for text in table["pattern"])
    assert set(table["n_conditions"]) <= {1, 2}


def test_patterns_on_the_label_alone():
    X, y = small_data()
    search = quick(max_conditions=0).fit(X, y)
    found = classes(search)
    assert set(found) == {(0, True, False), (0, False, False)}
    assert found[0, True, False]["status"] == "searched"
    assert found[0, True, False]["score"] == search.worst_score_


def test_where_nothing_is_feasible_the_table_is_empty():
    X, y = small_data()
    with pytest.warns(UserWarning, match="No candidate is feasible"):
        search = quick(min_support=0.99).fit(X, y)
    assert list(search.alternatives_.columns) == COLUMNS and search.alternatives_.empty
    with pytest.raises(ValueError, match="no class of patterns has a score"):
        AdversarialSearchDisplay.from_search(search).plot("alternatives")


@pytest.mark.long
def test_a_list_of_kinds_has_rows_of_each():
    X, y = small_data()
    search = quick(["missing", "labels"]).fit(X, y)
    table = search.alternatives_
    assert list(table.columns) == ["kind", *COLUMNS]
    for kind in ("missing", "labels"):
        alone = quick(kind).fit(X, y).alternatives_
        own = table[table["kind"] == kind].drop(columns="kind").reset_index(drop=True)
        same = [name for name in COLUMNS if name != "corruption"]
        pd.testing.assert_frame_equal(own[same], alone[same])


@pytest.mark.long
@pytest.mark.parametrize(
    ("other", "kind", "status"),
    [
        ("categories", "categories", "searched"),
        ("scale", "missing", "searched"),
        # values that are drawn prove nothing
        ("outliers", "outliers", "not tried"),
    ],
)
def test_a_class_of_which_bounds_left_nothing_was_searched(other, kind, status, monkeypatch):
    # what is found between bins is of every class
    monkeypatch.setattr(_exactly, "_look_between_bins", lambda *_: None)
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300)})
    city, X["sex"] = rng.choice(list("uvwx"), 300), rng.choice(["m", "f"], 300)
    noise = 0.3 * rng.normal(size=300)
    y = (X["a"] + (city == "u") - (X["sex"] == "m") + noise > 0).astype(int)
    encoder = OneHotEncoder(handle_unknown="ignore")
    columns = make_column_transformer((SimpleImputer(), ["a", "b"]), (encoder, ["sex"]))
    search = AdversarialCorruptionSearch(
        make_pipeline(columns, LogisticRegression()).fit(X, y),
        ["missing", other],
        apply_to="test",
        space=SearchSpace(max_conditions=3, n_bins=4),
        confirm_size=None,
        random_state=0,
    ).fit(X, y)
    table = search.alternatives_
    (left,) = table[table["score"].isna() & (table["status"] != "not allowed")].to_dict("records")
    assert left["kind"] == kind and left["status"] == status
    assert (left["n_conditions"], left["uses_own_column"]) == (3, True)
    proven = search.certificate_.groupby("kind")["proven"].all()
    assert proven[kind] == (status == "searched")
    assert left["pattern"] == "" and left["corruption"] is None


@pytest.mark.long
def test_a_process_counts_by_its_members():
    X, y = small_data()
    process = CorruptionProcess([("m", CorruptMissing()), ("l", CorruptLabels())])
    search = quick(process, max_conditions=1, budget=0.3).fit(X, y)
    found = classes(search)
    assert found[1, True, True]["status"] == "searched"
    assert found[1, False, True]["status"] == "relaxed"
    row = found[1, False, True]
    patterns = [member.pattern for _, member in row["corruption"].corruptions]
    assert not any(pattern.uses_y for pattern in patterns)
    assert is_score_of(row["score"], search, row["corruption"], X, y)


def test_regression():
    X, y = small_data()
    model = make_pipeline(SimpleImputer(), LinearRegression())
    search = quick("missing", model, max_conditions=1).fit(X[["a", "c"]], X["b"] + y)
    found = classes(search)
    assert found[1, True, True]["status"] == "searched"
    assert found[1, False, True]["status"] in ("relaxed", "enumerated")
    assert not found[1, False, True]["corruption"].pattern.uses_y


@pytest.mark.long
def test_a_proxy_ranks_what_the_pipeline_then_scores():
    X, y = small_data(n=200)
    split = [(np.arange(0, 140), np.arange(140, 200))]
    model = make_pipeline(SimpleImputer(), LogisticRegression())
    settings = {"cv": split, "confirm_size": None, "random_state": 0, "scoring": "neg_log_loss"}
    search = flat_search(model, "labels", proxy="linear", n_rerank=10, budget=0.3, **settings)
    search.fit(X, y)
    table = scored(search)
    relaxed = table[~table["uses_label"].astype(bool)]
    assert len(relaxed) == 3
    # the best of many by the proxy beats random errors, which no pattern of a few draws would
    assert relaxed["score"].min() < search.random_score_


@pytest.mark.long
def test_a_journal_gives_the_same_rows_without_a_fit(tmp_path):
    X, y = small_data()
    first = quick("missing", Counts(), journal=tmp_path / "kept.sqlite").fit(X, y)
    Counts.n_fits = 0
    again = quick("missing", Counts(), journal=tmp_path / "kept.sqlite").fit(X, y)
    # the clean split, and what tells whether the pipeline takes missing values
    assert Counts.n_fits == 2
    same = [name for name in COLUMNS if name != "corruption"]
    pd.testing.assert_frame_equal(again.alternatives_[same], first.alternatives_[same])


@pytest.mark.slow
def test_rows_do_not_depend_on_the_number_of_workers():
    X, y = small_data()
    same = [name for name in COLUMNS if name != "corruption"]
    one, two = (quick(n_jobs=n).fit(X, y).alternatives_[same] for n in (1, 2))
    pd.testing.assert_frame_equal(one, two)


def test_an_evaluator_of_its_own_keeps_what_it_scores(monkeypatch):
    """What is relaxed never reaches the scores of the search."""
    X, y = small_data()
    seen = []
    evaluate = Evaluator.evaluate
    monkeypatch.setattr(
        Evaluator, "evaluate", lambda self, some: seen.append(id(self.done)) or evaluate(self, some)
    )
    search = quick(n_calls=8).fit(X, y)
    assert len(set(seen)) == 2
    relaxed = scored(search).query("status == 'relaxed'")
    scored_there = zip(search.cv_results_["columns"], search.cv_results_["pattern"], strict=True)
    assert not {*zip(relaxed["columns"], relaxed["pattern"], strict=True)} & {*scored_there}


@pytest.mark.long
def test_the_summary_says_what_is_left_without_conditions():
    X, y = small_data()
    search = quick(budget=0.3, n_calls=16).fit(X, y)
    table = scored(search)
    label = table.loc[~table["uses_label"].astype(bool), "score"].min()
    own = table.loc[~table["uses_own_column"].astype(bool), "score"].min()
    assert search.score_drop_ > 0
    clause = f"; without a condition on the label {label:.3f}, on the column hit {own:.3f}."
    assert clause in search.summary()


def test_the_picture_has_a_row_for_each_class(tmp_path):
    X, y = small_data()
    search = quick(n_calls=8).fit(X, y)
    display = AdversarialSearchDisplay.from_search(search).plot("alternatives")
    table = display.table_
    assert len(table) == len(scored(search))
    assert table["drop"].is_monotonic_decreasing
    assert "label, column hit" in set(table["conditions"])
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert names == table["conditions"].tolist()
    search.to_json(tmp_path / "found.json")
    again = AdversarialCorruptionSearch.from_json(tmp_path / "found.json")
    assert again.alternatives_["pattern"].tolist() == search.alternatives_["pattern"].tolist()
    shown = AdversarialSearchDisplay.from_search(again).plot("alternatives").table_
    assert shown["drop"].tolist() == table["drop"].tolist()
    with pytest.raises(ValueError, match="needs alternatives="):
        AdversarialSearchDisplay({"clean": 1.0}).plot("alternatives")


@pytest.mark.filterwarnings("ignore:A worse error may have been passed by")
def test_a_process_that_lacks_a_member_was_searched():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(120, 2)).round(1), columns=["a", "c"])
    y = (X["a"] + 0.1 * X["c"] + rng.normal(size=120) * 0.3 > 0).astype(int)
    process = CorruptionProcess([("m", CorruptMissing("c")), ("l", CorruptLabels())])
    search = AdversarialCorruptionSearch(
        make_pipeline(SimpleImputer(), LogisticRegression()), process, budget=0.1,
        scoring="accuracy", cv=2, confirm_size=None, strategy="beam",
        space=SearchSpace(max_conditions=1, n_bins=3), random_state=0,
    ).fit(X, y)  # fmt: skip
    table = search.alternatives_
    assert len(search.worst_pattern_) == 1
    assert table.loc[table["status"] == "searched", "score"].min() == search.worst_score_
    # a pattern of another class may strike the same rows
    assert "searched" in set(table.loc[table["score"] == table["score"].min(), "status"])
