"""Cleaning under attack: BoostClean, what is called saved, and rows that are kept."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks import _results
from benchmarks.robustness import cleaning
from benchmarks.robustness._boost_clean import BoostClean, Facts, Repair


@pytest.fixture(scope="module")
def rows():
    return make_classification(600, 4, n_redundant=0, class_sep=1.0, random_state=0)


def scaled():
    return make_pipeline(StandardScaler(), LogisticRegression())


def facts_of(X):
    return Facts.of(X, 0)


def test_detectors_find_what_was_planted(rows):
    X = rows[0].copy()
    X[3, 1], X[7, 2] = np.nan, 1e6
    X[9] = 40.0
    facts = facts_of(X)
    assert np.argwhere(facts.found("missing", X)).tolist() == [[3, 1]]
    spread = facts.found("spread", X)
    assert spread[7, 2] and spread[9, [0, 1, 3]].all() and spread.sum() < 10
    odd = facts.found("isolation", X)
    assert odd[9].all() and (odd.all(axis=1) == odd.any(axis=1)).all()
    assert not facts.found("nothing", X).any()


@pytest.mark.parametrize(("repair", "value"), [("mean", 3.0), ("median", 2.0), ("mode", 1.0)])
def test_cells_are_filled_by_what_is_usual(repair, value):
    X = np.array([[1.0], [1.0], [2.0], [3.0], [8.0], [np.nan]])
    filled = facts_of(X).filled(repair, X, np.isnan(X))
    assert filled.ravel().tolist() == [1.0, 1.0, 2.0, 3.0, 8.0, value]


def test_gaps_that_no_detector_was_asked_for_get_means():
    X = np.array([[1.0, np.nan], [3.0, 5.0], [np.nan, 7.0]])
    filled = facts_of(X).filled("median", X, np.zeros(X.shape, dtype=bool))
    assert filled.tolist() == [[1.0, 6.0], [3.0, 5.0], [2.0, 7.0]]


def test_a_column_without_any_value_is_filled_too():
    X = np.array([[1.0, np.nan], [3.0, np.nan]])
    assert np.isfinite(facts_of(X).filled("mode", X, np.isnan(X))).all()


def test_a_repair_that_changes_nothing_or_leaves_one_class_is_no_candidate(rows):
    X, y = rows[0].copy(), rows[1]
    facts = facts_of(X)
    none = np.zeros(X.shape, dtype=bool)
    assert Repair.fitted(("missing", "median"), none, facts, scaled(), X, y) is None
    ones = np.repeat((y == 1)[:, None], X.shape[1], axis=1)
    assert Repair.fitted(("missing", "discard"), ones, facts, scaled(), X, y) is None
    assert Repair.fitted(("nothing", "nothing"), none, facts, scaled(), X, y) is not None


def test_rows_in_doubt_are_predicted_as_most_rows_are(rows):
    X, y = rows
    cells = np.zeros(X.shape, dtype=bool)
    cells[:5, 0] = True
    repair = Repair.fitted(("spread", "usual class"), cells, facts_of(X), scaled(), X, y)
    proba = repair.predict_proba(X, cells)
    assert np.allclose(proba[:5], np.bincount(y) / len(y))
    assert not np.allclose(proba[5:], np.bincount(y) / len(y))


def test_votes_are_those_of_adaboost(rows):
    X, y = rows

    class Fixed:
        def __init__(self, wrong):
            self.detector, self.repair, self.facts = "nothing", "nothing", facts_of(X)
            self.wrong = wrong

        def predict_proba(self, X, cells):
            shown = np.where(np.isin(np.arange(len(y)), self.wrong), 1 - y, y)
            return np.eye(2)[shown]

    first, second = Fixed(np.arange(60)), Fixed(np.arange(60, 150))
    model = BoostClean(n_rounds=2)
    model.classes_ = np.array([0, 1])
    chosen, votes = model._boosted([second, first], X, y)
    assert chosen == [first, second]
    # after the first round its 60 wrong rows weigh half, so that the second one errs on 90 of the
    # 540 others that weigh the other half
    vote = np.log(0.9 / 0.1), np.log((1 - 90 / 1080) / (90 / 1080))
    assert np.allclose(votes, np.array(vote) / sum(vote))


def test_right_rows_choose_what_mends(rows):
    X, y = rows
    X_struck = X[:400].copy()
    # one class alone has its best column blown up, so that a fit on it learns the error
    best = np.abs([np.corrcoef(X[:, j], y)[0, 1] for j in range(4)]).argmax()
    struck = (y[:400] == 1) & (np.arange(400) % 8 == 0)
    X_struck[struck, best] *= -100
    alone = scaled().fit(X_struck, y[:400])
    cleaned = BoostClean(scaled(), X_valid=X[400:500], y_valid=y[400:500]).fit(X_struck, y[:400])
    score, mended = (
        roc_auc_score(y[500:], model.predict_proba(X[500:])[:, 1]) for model in (alone, cleaned)
    )
    assert cleaned.members_[0].detector in ("spread", "isolation")
    assert mended > score + 0.1


def test_it_is_an_estimator_that_repeats_itself(rows):
    X, y = pd.DataFrame(rows[0]).mask(lambda t: t > 2.0), np.where(rows[1], "b", "a")
    model = BoostClean(scaled(), n_rounds=3)
    one, other = (clone(model).fit(X, y) for _ in range(2))
    assert 1 <= len(one.members_) <= 3 and np.isclose(one.weights_.sum(), 1)
    assert np.array_equal(one.predict_proba(X), other.predict_proba(X))
    assert set(one.predict(X)) == {"a", "b"}
    assert (one.predict(X) == one.classes_[one.predict_proba(X).argmax(axis=1)]).all()
    assert all(each.facts.without_gaps.shape == X.shape for each in one.members_)


def row(pipeline, clean, worst, **more):
    about = {"data": "Adult", "pipeline": pipeline, "status": "ok", "clean": clean, "worst": worst}
    new = {"confirmed_clean": clean, "confirmed": worst, "drop": clean - worst}
    return about | new | {"drop_low": 0.01, "drop_high": 0.2, "seconds_of_a_fit": 1.0} | more


@pytest.mark.parametrize(
    ("clean", "worst", "saved"),
    [(0.85, 0.81, True), (0.85, 0.79, False), (0.83, 0.82, False), (0.9, 0.7, False)],
)
def test_saved_is_half_of_the_drop_at_little_cost(clean, worst, saved):
    assert cleaning.saves(row("x", clean, worst), row("plain", 0.85, 0.75)) is saved
    assert not cleaning.saves(row("x", clean, worst), row("plain", 0.75, 0.75))


def test_tables_stand_beside_what_is_published():
    studied = {"error": "missing", "data": "Adult", "method": "boostclean", "std": 0.0}
    sections = {
        "missing": [row("plain", 0.85, 0.75), row(cleaning.BOOST_CLEAN, 0.85, 0.82)],
        "published": [studied | {"clean": 0.854, "worst": 0.765}],
    }
    made = cleaning.tables({"sections": sections})
    assert "0.854 – 0.765" in made["cleaning-missing"].splitlines()[-1]
    counts = cleaning.counted(sections)
    assert [each["saves"] for each in counts] == [None, 1]
    assert counts[1]["least_left"] == pytest.approx(0.3)


def test_a_run_goes_on_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(_results, "results_in", lambda name: tmp_path / "results")
    monkeypatch.setattr(cleaning, "TABLES", {"Adult": lambda: None, "SQF": lambda: None})
    monkeypatch.setattr(cleaning, "published", list)
    monkeypatch.setattr(cleaning, "find_spec", lambda name: True)
    asked = []

    def compared(data, error, table, quick):
        asked.append((data, error))
        if len(asked) == 2:
            raise KeyboardInterrupt
        return [row("plain", 0.85, 0.75, data=data)]

    monkeypatch.setattr(cleaning, "compared", compared)
    with pytest.raises(KeyboardInterrupt):
        cleaning.run(sections=["labels"])
    cleaning.run(sections=["labels"])
    assert asked == [("Adult", "labels"), ("SQF", "labels"), ("SQF", "labels")]
    saved = json.loads((tmp_path / "results" / "cleaning.json").read_text())
    assert [each["data"] for each in saved["sections"]["labels"]] == ["Adult", "SQF"]


def test_without_the_libraries_it_says_so_and_saves_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(_results, "results_in", lambda name: tmp_path / "results")
    monkeypatch.setattr(cleaning, "find_spec", lambda name: None)
    cleaning.run()
    assert "cleanlab and flaml" in capsys.readouterr().err
    assert not (tmp_path / "results").exists()


def test_another_section_is_refused():
    with pytest.raises(ValueError, match="units"):
        cleaning.run(sections=["units"])


@pytest.mark.slow
def test_a_comparison_has_a_row_for_every_pipeline(rows, monkeypatch):
    monkeypatch.setattr(cleaning, "ROWS", 400)
    monkeypatch.setattr(cleaning, "CONDITIONS", 1)
    few = {cleaning.PLAIN: GaussianNB(), "other": GaussianNB(var_smoothing=0.1)}
    monkeypatch.setattr(cleaning, "pipelines", lambda *args: few)
    X, y = pd.DataFrame(rows[0][:, :2], columns=list("ab")).round(), pd.Series(rows[1])
    table = X[:400], y[:400], X[400:], y[400:]
    found = cleaning.compared("made up", "labels", table, quick=True)
    assert [each["pipeline"] for each in found] == list(few)
    for each in found:
        assert each["status"] == "ok"
        assert each["worst"] <= each["under_plains_worst"] <= each["clean"]
        assert each["drop"] == pytest.approx(each["confirmed_clean"] - each["confirmed"])


def test_the_files_have_what_figure_6_prints(data_dir, monkeypatch):
    monkeypatch.setenv("SKCORRUPT_DATA", str(data_dir))
    known = {(r["error"], r["data"], r["method"]): r for r in cleaning.published()}
    found = known["missing", "Adult", "boostclean"]
    assert (round(found["clean"], 3), round(found["worst"], 3)) == (0.854, 0.765)
    assert ("labels", "SQF", "diffprep") in known
    assert ("labels", "Adult", "KNNImputer") not in known


def test_tables_have_the_columns_of_the_study(data_dir, monkeypatch):
    monkeypatch.setenv("SKCORRUPT_DATA", str(data_dir))
    X, _, X_right, y_right = cleaning.credit_card()
    assert list(X)[-3:] == ["PAY", "BILL_AMT", "PAY_AMT"] and X.shape == (cleaning.ROWS, 8)
    assert len(X_right) == len(y_right) == cleaning.RIGHT_ROWS
