"""A study: models, errors, levels and splits, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby, takewhile
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd
from sklearn.inspection import permutation_importance

from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import (
    Journal,
    Outcome,
    Split,
    corrupted_split,
    error_in_words,
    fit_and_score,
    make_splits,
    sample_aligned,
    score_of,
    seeded_clone,
)
from skcorrupt.utils import as_table, spawn_seeds
from skcorrupt.utils._typing import ColumnLike, ErrorScore, Estimator, TableLike

from ._profiles import KEYS
from ._scenario import Scenario

BASELINE = -1
IMPORTANCE_REPEATS = 5
CORRUPTION_STREAM = 1
# model, position of the scenario (`BASELINE` for none), repeat, level
Key = tuple[str, int, int, float]


@dataclass(frozen=True)
class Model:
    """A model, its score, and their parameters for the rows of the whole data."""

    estimator: Estimator
    scorer: Callable[..., Any]
    fit_params: Mapping[str, Any]
    score_params: Mapping[str, Any]


@dataclass
class Study:
    """All that is fitted.

    Attributes
    ----------
    X, y : table and labels
        The clean data.
    n_rows : int
        Its rows.
    models : dict of str to Model
        The models.
    scenarios : list of Scenario
        The errors.
    levels : list of float
        Their rates, the first of which is 0.
    splits : list of (ndarray, ndarray)
        Training and test rows of every repeat, in the order of the data, by which errors may
        gather.
    seeds : list of int
        One seed per repeat.
    journal : Journal or None
        Where finished fits are kept.
    """

    X: TableLike
    y: ColumnLike | None
    n_rows: int
    models: dict[str, Model]
    scenarios: list[Scenario]
    levels: list[float]
    splits: list[tuple[np.ndarray, np.ndarray]]
    seeds: list[int]
    journal: Journal | None = None
    _held: tuple[int, Split] | None = field(default=None, repr=False)

    def split(self, repeat: int) -> Split:
        """The data of a repeat, cut when its turn comes, so that memory holds one copy, not all."""
        if self._held is None or self._held[0] != repeat:
            cut = make_splits(self.X, self.y, [self.splits[repeat]], [self.seeds[repeat]])
            self._held = repeat, cut[0]
        return self._held[1]

    def of_first_repeat(self) -> Study:
        """The study with the data of one repeat alone, which change no more."""
        self.split(0)
        return replace(self.of_repeats(1), X=(), y=None, journal=None)

    def of_repeats(self, n: int) -> Study:
        """The study of the first repeats."""
        return replace(self, splits=self.splits[:n], seeds=self.seeds[:n])

    def n_whole(self, keys: Container[Key]) -> int:
        """How many repeats, from the first one on, all models and errors are through with."""
        parts = groupby(self.parts(), key=itemgetter(0))
        whole = takewhile(
            lambda each: all(
                (name, position, repeat, level) in keys
                for repeat, position, level in each[1]
                for name in self.models
            ),
            parts,
        )
        return sum(1 for _ in whole)

    def parts(self) -> list[tuple[int, int, float]]:
        """What is corrupted once: repeat, position of the scenario and level, in order.

        It is what a kill can lose, and what a worker may wait for at the end.
        """
        positions = range(len(self.scenarios))
        each = [(BASELINE, self.levels[0])]
        each += [(position, level) for position in positions for level in self.levels[1:]]
        return [(repeat, *one) for repeat in range(len(self.splits)) for one in each]

    def task(
        self, repeat: int, position: int, level: float, names: list[str], error_score: ErrorScore
    ) -> tuple[Any, ...]:
        """Arguments of `run_scenario` for some models."""
        split = self.split(repeat)
        corruption = None if position == BASELINE else self.scenarios[position].at(level)
        # a stream of its own, as the first one seeds the models; the same at every level, so that
        # rows struck at one are struck at the next
        seed = spawn_seeds(split.seed, len(self.scenarios), CORRUPTION_STREAM)[max(position, 0)]
        models = {(name, position, repeat, level): self.models[name] for name in names}
        return models, split, corruption, seed, self.n_rows, error_score

    def curves(self, outcomes: Mapping[Key, Outcome]) -> pd.DataFrame:
        """All scores, the baseline with every scenario, in the order of the study."""
        rows = []
        for name in self.models:
            for position, scenario in enumerate(self.scenarios):
                for repeat in range(len(self.splits)):
                    for k, level in enumerate(self.levels):
                        found = outcomes[name, position if k else BASELINE, repeat, level]
                        where = (name, scenario.name, scenario.label, repeat, level)
                        rows.append((*where, found.score, found.error))
        return pd.DataFrame(rows, columns=[*KEYS, "repeat", "level", "score", "error"])

    def importance(self, name: str) -> dict[str, float]:
        """Permutation importance of every column on the clean data of the first repeat.

        NaN where the model cannot be fitted there.
        """
        model, split = self.models[name], self.split(0)
        table = as_table(split.X_test)
        labels = [str(label) for label in table.labels]
        (outcome,) = run_scenario(
            {(name, BASELINE, 0, 0.0): model},
            split,
            None,
            0,
            self.n_rows,
            np.nan,
            return_estimator=True,
        ).values()
        if outcome.error:
            # it is in the curves as well
            return dict.fromkeys(labels, float("nan"))

        def score(estimator: Estimator, X: Any, y: Any) -> float:
            X = _rows_of(table.source, X) if table.container == "polars" else X
            params = sample_aligned(model.score_params, split.test, self.n_rows)
            return score_of(model.scorer, estimator, X, y, params)

        X = split.X_test
        if table.container == "polars":
            # scikit-learn would turn it into an array; a shuffled column is one of shuffled rows
            rows = np.arange(table.n_rows)
            X = pd.DataFrame(dict.fromkeys(range(table.n_columns), rows))
        found = permutation_importance(
            outcome.estimator,
            X,
            split.y_test,
            scoring=score,
            n_repeats=IMPORTANCE_REPEATS,
            random_state=split.seed % 2**32,
        )
        return dict(zip(labels, found.importances_mean.tolist(), strict=True))


def run_scenario(
    models: Mapping[Key, Model],
    split: Split,
    corruption: BaseCorruption | None,
    seed: int,
    n_rows: int,
    error_score: ErrorScore,
    **options: Any,
) -> dict[Key, Outcome]:
    """Fit some models on the same data, which is corrupted once.

    Parameters
    ----------
    models : mapping of tuple to Model
        The models by what tells their fits from all others.
    split : Split
        Training and test data of the repeat.
    corruption : BaseCorruption or None
        The errors at their level, None for clean data.
    seed : int
        Seed of the errors.
    n_rows : int
        Rows of the whole data.
    error_score : float or "raise"
        What happens when a fit fails.
    **options : dict
        Those of `fit_and_score`.

    Returns
    -------
    dict of tuple to Outcome
        One for each model.
    """
    try:
        struck = split if corruption is None else corrupted_split(split, corruption, seed)[0]
    except Exception as error:
        if error_score == "raise":
            raise
        return dict.fromkeys(models, Outcome(error=error_in_words(error)))
    found = {}
    for key, model in models.items():
        data = replace(
            struck,
            fit_params=sample_aligned(model.fit_params, struck.train, n_rows),
            score_params=sample_aligned(model.score_params, struck.test, n_rows),
        )
        fitted = seeded_clone(model.estimator, split.seed)
        outcome = fit_and_score(fitted, data, model.scorer, error_score=error_score, **options)
        if not outcome.error and not np.isfinite(outcome.score):
            outcome.error, outcome.score = f"the score is {outcome.score}", np.nan
        found[key] = outcome
    return found


def _rows_of(frame: Any, rows: pd.DataFrame) -> Any:
    """A polars frame, of every column the rows that a column of positions names."""
    taken = [frame[name][rows[j].to_numpy()] for j, name in enumerate(frame.columns)]
    return type(frame)(taken)
