"""Errors in served rows whose values are drawn: one prediction of a draw serves all patterns."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptExchange,
    CorruptNoise,
    CorruptOutliers,
    CorruptText,
)
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial.serving import RowEffects


def tables(n=120, *, amounts=False):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=n).round(2), "b": rng.integers(0, 6, n).astype(float)})
    X["name"] = rng.choice(["red", "green", "blue"], n)
    X.loc[rng.random(n) < 0.1, "a"] = np.nan
    z = X.a.fillna(0) + 0.5 * X.b + 2 * (X.name == "red") + rng.normal(size=n)
    return X, z if amounts else (z > z.median()).astype(int)


def pipeline(X, model):
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    steps = (numbers, ["a", "b"]), (OneHotEncoder(handle_unknown="ignore"), ["name"])
    return make_pipeline(make_column_transformer(*steps), model)


def found(error, scoring, cv, budget=0.2):
    X, y = tables(amounts=scoring in ("r2", "neg_root_mean_squared_error"))
    model = Ridge() if y.nunique() > 2 else LogisticRegression()
    model = pipeline(X, model)
    search = AdversarialCorruptionSearch(
        model if cv is not None else model.fit(X, y),
        error,
        apply_to="test",
        budget=budget,
        scoring=scoring,
        cv=cv,
        space=SearchSpace(max_conditions=1, n_bins=4),
        confirm_size=None,
        random_state=0,
    )
    return search.fit(X, y)


NOISE = CorruptNoise(scale=3.0)


@pytest.mark.slow
@pytest.mark.usefixtures("few_fits")
@pytest.mark.parametrize(
    ("error", "scoring", "cv"),
    [
        (NOISE, "neg_log_loss", None),
        (CorruptOutliers(), "roc_auc", None),
        (NOISE, "neg_root_mean_squared_error", KFold(3)),
        (CorruptText(), "accuracy", KFold(3)),
        (CorruptExchange(), "r2", None),
        ([NOISE, CorruptOutliers()], "neg_log_loss", None),
    ],
)
def test_scores_are_those_of_draws_that_are_predicted_one_by_one(error, scoring, cv, monkeypatch):
    search = found(error, scoring, cv)
    monkeypatch.setattr(RowEffects, "_draw", lambda *_: None)
    other = found(error, scoring, cv)
    said, expected = search.cv_results_, other.cv_results_
    assert said["pattern"].tolist() == expected["pattern"].tolist()
    assert said["n_draws"].tolist() == expected["n_draws"].tolist()
    np.testing.assert_allclose(said["mean_test_score"], expected["mean_test_score"], atol=1e-12)
    assert search.worst_pattern_ == other.worst_pattern_


def test_a_draw_is_predicted_once_for_all_patterns(monkeypatch):
    asked = []
    ask = RowEffects._draw

    def noted(self, i, kind, template, columns, seed):
        known = (i, kind, columns, seed) in self._draws
        asked.append(known)
        return ask(self, i, kind, template, columns, seed)

    monkeypatch.setattr(RowEffects, "_draw", noted)
    found(NOISE, "neg_log_loss", None)
    # three numbers and pairs of them, sixteen draws at most
    assert len(asked) > 100 and asked.count(False) < len(asked) / 3
