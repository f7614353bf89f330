"""What gaps take from trees: rows that say why, and the tables of them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

from benchmarks.robustness import hardening
from skcorrupt import CorruptMissing


class Told(BaseEstimator):
    """Stands in for a search: what it found is given."""

    worst_columns_ = ("sex",)
    worst_pattern_ = "sex == 'f'"
    drops = iter(())

    def __init__(self, model):
        self.model = model

    @property
    def worst_corruption_(self):
        return CorruptMissing(["sex"], pattern="sex == 'f'", rate=1.0, random_state=0)

    def fit(self, X, y):
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


def test_settings_without_harm_are_not_looked_into(rows, monkeypatch):
    monkeypatch.setattr(hardening, "_attack", lambda model, *rest: Told(model))
    Told.drops = iter([0.001])
    row = hardening._caused("forest", hardening.models(rows[0])["forest"], "missing", *rows)
    assert set(row) == {"rows", "drop", "counts"} and not row["counts"]
    content = {"sections": {"causes": [{"data": "x", "model": "forest"} | row]}}
    assert "forest" not in hardening.tables(content)["hardening-causes"]
