"""What the replication computes itself: enumerated optima, random graphs, files of two studies."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.datasets import make_classification
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from benchmarks.replication import _costs, _facts
from benchmarks.replication.esp._studies import FAMILIES
from benchmarks.replication.fairness import (
    _boosters,
    _files as fairness_files,
    _nearest,
    _transformers,
)
from benchmarks.replication.fairness._printed import PRINTED
from benchmarks.replication.fairness.stage_fairness import all_cases
from benchmarks.replication.responsiveness._recidivism import recidivism_actions, synthetic_cohort
from benchmarks.replication.savage import (
    _debiasing,
    _files as savage_files,
    _subpopulations,
)
from benchmarks.replication.savage._enumerated import enumerated_rows, single_ranges
from benchmarks.replication.savage._random_graphs import least_of_graphs
from benchmarks.search._fixed_split import FixedSplit
from skcorrupt.sensitivity import default_classifiers


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.integers(0, 3, 240), "b": rng.integers(0, 2, 240)})
    y = (X["a"] + X["b"] + rng.normal(0, 0.7, 240) > 1.5).astype(int)
    return X[:160], y[:160], X[160:], y[160:]


def test_every_range_is_there_with_either_label_and_both():
    values = {"a": np.array([0, 1, 1, 2]), "b": np.array([5, 5, 7, 7]), "y": np.array([0, 1, 0, 1])}
    found = [tuple(sorted(ranges.items())) for ranges in single_ranges(values)]
    assert len(found) == len(set(found)) == 3 * (6 + 3)
    assert (("a", (0, 2)),) in found and (("b", (7, 7)), ("y", (1, 1))) in found


def test_enumerated_optima_are_those_of_their_patterns_and_fall_with_the_budget(data):
    rows = list(enumerated_rows(data, errors=("labels", "mean"), budgets=(10, 30, 50)))
    assert [(row["error"], row["budget_percent"]) for row in rows] == [
        (error, budget) for error in ("labels", "mean") for budget in (10, 30, 50)
    ]
    X, y, X_test, y_test = data
    for row in rows[:3]:
        task = FixedSplit(LogisticRegression(), "labels", X, y, X_test, y_test)
        struck = task.matched(row["ranges"])
        assert 0 < struck.sum() <= row["budget_percent"] / 100 * len(X)
        assert task.score("", struck) == pytest.approx(row["least"], abs=1e-6)
    for part in (rows[:3], rows[3:]):
        least = [row["least"] for row in part]
        assert least == sorted(least, reverse=True)


def test_random_graphs_are_those_of_their_seed(data):
    X, y, X_test, y_test = data
    task = FixedSplit(LogisticRegression(), "labels", X, y, X_test, y_test)
    first, again, other = (least_of_graphs(task, 0.3, True, seed, 3) for seed in (0, 0, 1))
    assert first == again != other
    assert 0 < first < 1


def test_reweighing_makes_group_and_label_independent():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 1000)
    y = (rng.random(1000) < 0.2 + 0.5 * group).astype(int)
    weight = _debiasing.weights(group, y)
    means = [np.average(y[group == value], weights=weight[group == value]) for value in (0, 1)]
    assert means == pytest.approx([y.mean()] * 2) and weight.mean() == pytest.approx(1)
    X = pd.DataFrame({"gender": group, "x": rng.normal(size=1000)})
    gaps = []
    for model in (LogisticRegression(), _debiasing.Reweighing(LogisticRegression())):
        chances = model.fit(X, y).predict_proba(X)[:, 1]
        gaps.append(chances[group == 1].mean() - chances[group == 0].mean())
    assert gaps[1] == pytest.approx(0, abs=0.01) and gaps[0] > 0.3


def test_subpopulations_are_of_two_values_and_not_all_alike(data, monkeypatch):
    monkeypatch.setattr(_subpopulations, "SHARES", (0.05, 0.5))
    monkeypatch.setattr(_subpopulations, "LEAST_TESTED", 3)
    found = _subpopulations.subpopulations(data, 2)
    assert found == _subpopulations.subpopulations(data, 2) and found[0] != found[1]
    X, _, X_test, y_test = data
    for values in found:
        assert 0.05 <= _subpopulations._members(X, values).mean() <= 0.5
        assert y_test[_subpopulations._members(X_test, values)].value_counts().min() >= 3


def test_libraries_stand_where_histogram_boosting_did(monkeypatch):
    cases = {case.name: case for case in all_cases()}
    stood_in = {
        name
        for name, case in cases.items()
        if any(part.startswith(_boosters.STANDS_IN) for part in case.differs.split("; "))
    }
    assert stood_in == {*_boosters.REAL}
    exact = _boosters.with_library(cases["AC3"])
    assert isinstance(exact.pipeline.named_steps["model"], GradientBoostingClassifier)
    assert exact.differs == ""
    assert _boosters.version_of(_boosters.GRADIENT) == f"scikit-learn {sklearn.__version__}"
    monkeypatch.setattr(_boosters, "find_spec", lambda name: None)
    assert _boosters.with_library(cases["AC6"]) is None
    monkeypatch.setattr(_boosters, "find_spec", lambda name: "there")
    library = SimpleNamespace(XGBClassifier=lambda **settings: ("XGB", settings), __version__="1")
    monkeypatch.setattr(_boosters, "import_module", lambda name: library)
    case = _boosters.with_library(cases["AC6"])
    model = case.pipeline.named_steps["model"]
    _, _, common = _boosters.XGBOOST
    assert model == ("XGB", common) and case.differs == ""
    assert _boosters.version_of(_boosters.XGBOOST) == "xgboost 1"
    assert _boosters.with_library(cases["AC9"]) is None


def test_linkages_are_counted_as_the_paper_counts_them():
    assert _facts.n_rules(recidivism_actions(synthetic_cohort(60)[0])) == 24 + 3


def test_files_of_the_studies_have_the_printed_numbers(data_dir):
    savage = savage_files.file_facts()
    # printed at 5 and 25 %
    assert round(savage["figure 7, Label, 10%: h2o"], 2) == 0.63
    assert round(savage["figure 7, Label, 50%: h2o"], 3) == 0.309
    assert 0 < savage["curves that rise"] < savage["curves"]
    # the paper runs one of the eight with logistic regression alone
    assert savage["methods at 30 %, RF"] == 7
    assert savage["spread at 30 %, RF"] < savage["spread at 30 %, DT"] / 2
    fairness = fairness_files.file_facts()
    assert fairness["figure 4: both changes small"] == 19
    assert fairness["figure 4: stages"] == 63
    # by the names of figure 3, in which COMPAS is, too
    named = {f"figure 4, {name} {stage}" for name, stage in PRINTED if name != "CP1"}
    assert {name for name in fairness if name.startswith("figure 4, ")} == named
    assert fairness["figure 4, AC6 Custom(c)"] == [0.001, 0.003]
    assert fairness["figure 4, TT7 LE"] == [0.116, 0.343]
    assert fairness["figure 6: the others"] == ["AC9 SS", "AC10 Impute"]
    table = pd.read_csv(data_dir / "fair_preprocessing_results" / "rq2-transformers.csv")
    sizes = table[["SF_SPD", "SF_EOD", "SF_AOD", "SF_ERD"]].abs().mean(axis=1)
    for kind in table["Categories"].unique():
        assert fairness[f"figure 5, {kind}"] == pytest.approx(
            sizes[table["Categories"] == kind].mean()
        )


def test_figure_5_comes_back_with_the_test_rows_scaled_by_themselves(data_dir):
    script, printed = _transformers.german(), _transformers.published("german")
    split, model = script.split(_transformers.SEED), script.models["KNC"].make(0)
    (plain,) = split.predicted(model, split.X, split.y, split.X_test)
    name, scaler = _transformers.SCALERS["SS"]
    rows, *tests = split.scaled(scaler, split.X)
    again, once = (
        split.effects(said, plain) for said in split.predicted(model, rows, split.y, *tests)
    )
    assert again == pytest.approx(printed["KNC", name], abs=6e-4)
    assert once != pytest.approx(printed["KNC", name], abs=6e-4)


def test_figure_5_comes_back_where_the_first_of_equally_near_rows_count(data_dir):
    script, printed = _transformers.german(), _transformers.published("german")
    split = script.split(_transformers.SEED)
    X, y, tests = split.staged("Usamp", 0)
    for name in ("KNC", "SVC"):
        model = script.models[name].make(0)
        (plain,) = split.predicted(model, split.X, split.y, split.X_test)
        (said,) = split.predicted(model, X, y, *tests)
        assert split.effects(said, plain) == pytest.approx(printed[name, "Usamp"], abs=6e-4)


def test_of_equally_near_rows_the_first_are_neighbours():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (300, 3))
    y = (X.sum(axis=1) + rng.integers(0, 3, 300) > 6).astype(int)
    found = _nearest.FirstOfEqual(n_neighbors=5).fit(X).kneighbors(X)
    for row, near in zip(X, found, strict=True):
        apart = ((X - row) ** 2).sum(axis=1)
        assert near.tolist() == np.lexsort((np.arange(300), apart))[:5].tolist()
    _, labels = _nearest.all_nearest(X, y)
    # all of the rarer class, and of the other those without a row of it nearby
    rarer = int(y.sum() * 2 < len(y))
    assert (labels == rarer).sum() == (y == rarer).sum()
    assert 0 < (labels != rarer).sum() < (y != rarer).sum()


@pytest.mark.long
def test_one_fit_is_timed_of_every_family_that_the_studies_leave_out(monkeypatch):
    X, y = make_classification(60, 4, random_state=0)
    frame, labels = pd.DataFrame(X, columns=list("abcd")), pd.Series(y)
    monkeypatch.setattr(_costs, "load_online_shoppers", lambda: (frame, labels))
    monkeypatch.setattr(_costs, "load_south_german_credit", lambda: (frame, labels))
    parts = SimpleNamespace(X=frame, X_test=frame[:9], y=labels)
    script = SimpleNamespace(models=_costs.german().models, split=lambda seed: parts)
    monkeypatch.setattr(_costs, "german", lambda: script)
    rows = list(_costs.cost_rows())
    assert all(row["seconds"] > 0 for row in rows)
    of_studies = {row["model"] for row in rows if row["data"] == _costs.SHOPPERS}
    assert of_studies == set(default_classifiers()) - set(FAMILIES)
    assert {"KNC", "SVC", "DCT", "RFT"} <= {
        row["model"] for row in rows if row["data"] == _costs.FIGURE_5
    }
