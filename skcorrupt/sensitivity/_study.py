"""A study: models, errors, levels and splits, and what came of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
import pandas as pd
from sklearn.inspection import permutation_importance

from skcorrupt.evaluation import Split, content_hash, score_of, seeded_clone
from skcorrupt.utils import as_table, fit_on_copies, spawn_seeds

from ._curves import BASELINE, Fit
from ._profiles import KEYS
from ._scenario import Scenario

IMPORTANCE_REPEATS = 5
CORRUPTION_STREAM = 1


@dataclass
class Study:
    """All that is fitted.

    Attributes
    ----------
    models : dict of str to estimator
        The models.
    scorers : dict of str to callable
        Their scores.
    scenarios : list of Scenario
        The errors.
    levels : list of float
        Their rates, the first of which is 0.
    repeats : sequence of Split
        A split a repeat.
    seeds : list of int
        Their seeds.
    """

    models: dict[str, Any]
    scorers: dict[str, Any]
    scenarios: list[Scenario]
    levels: list[float]
    repeats: Sequence[Split]
    seeds: list[int]

    def key(self, data_hash: str, test_size: float, scoring: Any) -> str:
        """What tells the study from others, in other processes too."""
        parts = [data_hash, self.levels, test_size, content_hash(scoring)]
        parts += [(name, content_hash(model)) for name, model in self.models.items()]
        parts += [(s.name, s.features, repr(s.corruption)) for s in self.scenarios]
        # the first seed stands for all, so that a study of more repeats goes on from this one
        return joblib.hash([*parts, self.seeds[0]])

    def task(
        self, repeat: int, position: int, level: float, names: list[str], error_score: Any
    ) -> tuple[Any, ...]:
        """Arguments of `run_scenario` for some models."""
        split = self.repeats[repeat]
        scenario = None if position == BASELINE else self.scenarios[position]
        # a stream of its own: the first one seeds the models
        seed = spawn_seeds(split.seed, len(self.scenarios), CORRUPTION_STREAM)[max(position, 0)]
        models = {name: self.models[name] for name in names}
        scorers = {name: self.scorers[name] for name in names}
        return (models, scorers, split, repeat, position, scenario, seed, level, error_score)

    def importance(self, model: str) -> dict[str, float]:
        """Permutation importance of every column on the clean data of the first repeat.

        NaN where the model cannot be fitted there.
        """
        split = self.repeats[0]
        table = as_table(split.X_test)
        labels = [str(label) for label in table.labels]
        fitted = seeded_clone(self.models[model], split.seed)
        try:
            fit_on_copies(fitted, split.X_train, split.y_train)
        except Exception:
            # that it fails there is in the curves
            return dict.fromkeys(labels, float("nan"))

        def score(estimator: Any, X: Any, y: Any) -> float:
            X = _rows_of(table.source, X) if table.container == "polars" else X
            return score_of(self.scorers[model], estimator, X, y)

        X = split.X_test
        if table.container == "polars":
            # scikit-learn would turn it into an array; a shuffled column is one of shuffled rows
            rows = np.arange(table.n_rows)
            X = pd.DataFrame(dict.fromkeys(range(table.n_columns), rows))
        found = permutation_importance(
            fitted,
            X,
            split.y_test,
            scoring=score,
            n_repeats=IMPORTANCE_REPEATS,
            random_state=split.seed % 2**32,
        )
        return dict(zip(labels, found.importances_mean.tolist(), strict=True))


def _rows_of(frame: Any, rows: pd.DataFrame) -> Any:
    """A polars frame, of every column the rows that a column of positions names."""
    taken = [frame[name][rows[j].to_numpy()] for j, name in enumerate(frame.columns)]
    return type(frame)(taken)


def curves_of(fits: list[Fit], study: Study) -> pd.DataFrame:
    """All scores, the baseline with every scenario.

    Parameters
    ----------
    fits : list of Fit
        In any order.
    study : Study
        What was fitted.

    Returns
    -------
    DataFrame
        A row a model, scenario, repeat and level, in this order.
    """
    by_key = {fit.key: fit for fit in fits}
    rows = []
    for name in study.models:
        for position, scenario in enumerate(study.scenarios):
            for repeat in range(len(study.seeds)):
                for k, level in enumerate(study.levels):
                    fit = by_key[name, position if k else BASELINE, repeat, level]
                    rows.append(
                        (
                            name,
                            scenario.name,
                            scenario.label,
                            repeat,
                            level,
                            fit.score,
                            fit.error,
                        )
                    )
    return pd.DataFrame(rows, columns=[*KEYS, "repeat", "level", "score", "error"])
