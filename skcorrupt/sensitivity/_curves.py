"""Fits and scores of one repeat: without errors, or with those of a scenario at a level."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcorrupt.evaluation import Split, score_of, seeded_clone
from skcorrupt.utils import ScorerError, fit_on_copies
from skcorrupt.utils._typing import ErrorScore

from ._scenario import Scenario

BASELINE = -1


@dataclass(frozen=True)
class Fit:
    """What came of one fit.

    Attributes
    ----------
    model : str
        Name of the model.
    scenario : int
        Position of the scenario, `BASELINE` for none.
    repeat : int
        Position of the repeat.
    level : float
        Rate of errors.
    score : float
        The score, NaN where something failed.
    error : str
        How it failed.
    seconds : float
        Time of fit and score.
    """

    model: str
    scenario: int
    repeat: int
    level: float
    score: float
    error: str
    seconds: float

    @property
    def key(self) -> tuple[str, int, int, float]:
        """What tells it from all others."""
        return self.model, self.scenario, self.repeat, self.level


def run_scenario(
    models: Mapping[str, Any],
    scorers: Mapping[str, Any],
    split: Split,
    repeat: int,
    position: int,
    scenario: Scenario | None,
    seed: int,
    level: float,
    error_score: ErrorScore,
) -> list[Fit]:
    """Fit all models on the data of a scenario at a level, which is corrupted once.

    Parameters
    ----------
    models : mapping of str to estimator
        The models.
    scorers : mapping of str to callable
        Their scores.
    split : Split
        Training and test data of the repeat.
    repeat : int
        Position of the repeat.
    position : int
        Position of the scenario.
    scenario : Scenario or None
        The errors, None for clean data.
    seed : int
        Seed of the errors, the same at every level, so that rows struck at one are struck at the
        next.
    level : float
        Rate of errors.
    error_score : float or "raise"
        What happens when a fit fails.

    Returns
    -------
    list of Fit
        One a model.
    """
    try:
        X, y = split.X_train, split.y_train
        if scenario is not None:
            X, y, _ = scenario.at(level, seed).fit(X, y).corrupt(X, y)
    except Exception as error:
        if error_score == "raise":
            raise
        said = _said(error)
        return [Fit(name, position, repeat, level, np.nan, said, 0.0) for name in models]
    found = []
    for name, model in models.items():
        outcome = _scored(model, scorers[name], split, X, y, error_score)
        found.append(Fit(name, position, repeat, level, *outcome))
    return found


def _scored(
    model: Any, scorer: Any, split: Split, X: Any, y: Any, error_score: Any
) -> tuple[float, str, float]:
    started = time.perf_counter()
    try:
        fitted = seeded_clone(model, split.seed)
        fitted = fit_on_copies(fitted, X, y)
        score = score_of(scorer, fitted, split.X_test, split.y_test)
        said = "" if np.isfinite(score) else f"the score is {score}"
    except ScorerError:
        raise
    except Exception as error:
        if error_score == "raise":
            raise
        score, said = np.nan, _said(error)
    return (score if not said else np.nan), said, time.perf_counter() - started


def _said(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''} ({last.name})"
