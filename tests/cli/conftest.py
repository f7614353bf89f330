"""A small table with numbers, text, truth values and gaps, and modules that hold pipelines."""

import sys

import numpy as np
import pandas as pd
import pytest

MODEL = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

def build():
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    return make_pipeline(
        make_column_transformer(
            (numbers, ["age"]), (OneHotEncoder(handle_unknown="ignore"), ["home city"])
        ),
        LogisticRegression(),
    )

pipeline = build()
no_imputer = make_pipeline(
    make_column_transformer((StandardScaler(), ["income"])), LogisticRegression()
)
bare = LogisticRegression()
number = 3

class Quick(ClassifierMixin, BaseEstimator):
    # the share of a label by age and by city, fitted at once
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        second = np.asarray(y) == self.classes_[1]
        self.age_ = X["age"].mean()
        self.line_ = np.polyfit(X["age"].fillna(self.age_), second, 1)
        self.all_, cities = second.mean(), X["home city"]
        self.cities_ = {city: second[cities == city].mean() for city in cities.dropna().unique()}
        return self

    def predict_proba(self, X):
        by_age = np.polyval(self.line_, X["age"].fillna(self.age_))
        by_city = X["home city"].map(self.cities_).astype(float).fillna(self.all_)
        second = np.clip((by_age + by_city) / 2, 0, 1)
        return np.column_stack([1 - second, second])

    def predict(self, X):
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]

quick = Quick()

def needs_argument(depth):
    return depth

def fails():
    raise RuntimeError("no\\nway")

def interrupts():
    raise KeyboardInterrupt
"""


FAST = """
import os
import signal

from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

fast = make_pipeline(SimpleImputer(), GaussianNB())
n_fits = 0

class Terminated(GaussianNB):
    # at this fit the process gets SIGTERM
    def __init__(self, at=1, var_smoothing=1e-9):
        super().__init__(var_smoothing=var_smoothing)
        self.at = at

    def fit(self, X, y):
        global n_fits
        n_fits += 1
        if n_fits == self.at:
            os.kill(os.getpid(), signal.SIGTERM)
        return super().fit(X, y)

late = make_pipeline(SimpleImputer(), Terminated(at=40))
early = make_pipeline(SimpleImputer(), Terminated(at=1))
"""


def make_table(n=120):
    rng = np.random.default_rng(0)
    age = rng.integers(18, 80, n).astype(float)
    city = rng.choice(["Paris", "Rome"], n)
    income = rng.lognormal(3, 0.5, n).round(2)
    odds = 0.08 * (age - 45) + 1.5 * (city == "Rome")
    churned = np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "yes", "no")
    age[::17] = np.nan
    return pd.DataFrame(
        {
            "age": age,
            "home city": pd.Series(city).where(np.arange(n) % 19 > 0),
            "income": income,
            "member": rng.random(n) < 0.4,
            "churned": churned,
        }
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A current folder with `data.csv` and the module `cli_test_model`."""
    make_table().to_csv(tmp_path / "data.csv", index=False)
    (tmp_path / "cli_test_model.py").write_text(MODEL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("cli_test_"):
            del sys.modules[name]


@pytest.fixture
def fast(folder):
    """The current folder with `small.csv`, which has few patterns, and models that fit at once."""
    table = make_table()
    table["old"] = (table.pop("age") > 45).astype(int)
    table[["old", "churned"]].to_csv(folder / "small.csv", index=False)
    (folder / "cli_test_fast.py").write_text(FAST, encoding="utf-8")
    return folder
