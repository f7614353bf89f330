"""What an error does to every row that a fitted model is served."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import BaseCorruption, FeatureCorruption
from skcorrupt.evaluation import Split, error_in_words, reseeded, run_tasks
from skcorrupt.metrics import RowScore, row_score_of, surrogate_of
from skcorrupt.utils import Sheltered, as_table, duplicate, resolve_columns, spawn_seeds
from skcorrupt.utils._typing import TableLike

from ..candidates import Stream

# draws of errors whose values are random, over which the effect on a row is averaged
N_VALUES = 8
# rows that are predicted in other company, to see whether that changes anything
COMPARED = 200
SAME = 1e-9


class RowEffects:
    """Contributions of rows to a score, clean and struck, by columns hit.

    Parameters
    ----------
    splits : sequence of Split
        With fitted models; their test parts are served.
    scorer : callable
        The score.
    seed : int
        Seed of values that are random, and of the rows compared.
    n_jobs : int or None
        Number of workers that predict.
    first_order : bool, default=False
        Whether rows are taken one by one where the score is no sum over them, which says which
        errors may be bad, not how bad they are.
    """

    def __init__(
        self,
        splits: Sequence[Split],
        scorer: Callable[..., Any],
        seed: int,
        n_jobs: int | None,
        *,
        first_order: bool = False,
    ) -> None:
        self.splits, self.seed, self.n_jobs = splits, seed, n_jobs
        self.seconds = 0.0
        self.n_compared = 0
        self._harm: dict[tuple[Any, ...], tuple[list[np.ndarray], bool]] = {}
        self._failed: dict[tuple[Any, ...], str] = {}
        contributions = surrogate_of if first_order else row_score_of
        found = [
            contributions(scorer, Sheltered(s.model), s.X_test, s.y_test, s.score_params)
            for s in splits
        ]
        self.scores: list[RowScore] = [each for each in found if each is not None]
        self.additive = len(self.scores) == len(splits)
        self.clean: list[np.ndarray] = []
        if self.additive:
            self.clean = [self._contributions(i, s.X_test) for i, s in enumerate(splits)]
        self.alone = self.additive and self._independent()

    def _contributions(self, i: int, X: TableLike) -> np.ndarray:
        started = time.perf_counter()
        answers = self.scores[i].ask(Sheltered(self.splits[i].model), duplicate(X))
        self.seconds += time.perf_counter() - started
        return np.asarray(self.scores[i].each(answers), dtype=float)

    def _independent(self) -> bool:
        """Whether a row is predicted alike whatever rows are predicted with it."""
        rng = np.random.default_rng(self.seed)
        for i, split in enumerate(self.splits):
            table = as_table(split.X_test)
            # some have to stay away
            n_some = min(COMPARED, max(1, table.n_rows // 2))
            some = rng.permutation(table.n_rows)[:n_some]
            few = self.scores[i].ask(Sheltered(split.model), table.take(some))
            all_ = self.scores[i].ask(Sheltered(split.model), table.source)
            few, all_ = np.asarray(few), np.asarray(all_)[some]
            numbers = few.dtype.kind == "f"
            same = np.isclose(few, all_, rtol=SAME, atol=SAME) if numbers else few == all_
            self.n_compared += len(some)
            if not np.all(same):
                return False
        return True

    @property
    def form(self) -> str:
        """How scores follow from sums of contributions."""
        return self.scores[0].form

    def sums(self) -> list[float]:
        """The sum of clean contributions of every split."""
        pairs = zip(self.scores, self.clean, strict=True)
        return [float(clean.sum()) + score.offset for score, clean in pairs]

    @staticmethod
    def suits(template: BaseCorruption) -> bool:
        """Whether matched rows are struck alike, all columns of a group together."""
        return (
            isinstance(template, FeatureCorruption)
            and template.mechanism is None
            and template.sampling == "uniform"
            and template.same_rows
        )

    def of(
        self, kind: str, template: FeatureCorruption, columns: tuple[Any, ...]
    ) -> tuple[list[np.ndarray], bool]:
        """What striking every row takes from its contribution, and whether values are random.

        Parameters
        ----------
        kind : str
            The name of the kind of error.
        template : FeatureCorruption
            The error.
        columns : tuple of labels
            The columns hit.

        Returns
        -------
        harm : list of ndarray of shape (n_test,)
            By split; of random values the mean over draws.
        is_random : bool
            Whether other draws are other values.
        """
        self.prepare(kind, template, [columns])
        return self._harm[(kind, *columns)]

    def failure(self, kind: str, template: FeatureCorruption, columns: tuple[Any, ...]) -> str:
        """Why rows with an error cannot be predicted, or ""."""
        self.prepare(kind, template, [columns])
        return self._failed.get((kind, *columns), "")

    def prepare(
        self, kind: str, template: FeatureCorruption, groups: Sequence[tuple[Any, ...]]
    ) -> None:
        """Predict the rows with errors in groups of columns, those that are not known yet."""
        known = {*self._harm, *self._failed}
        new = [columns for columns in groups if (kind, *columns) not in known]
        started = time.perf_counter()
        tasks = [
            (self.splits[i], self.scores[i], _ready(template, columns), self._seeds())
            for columns in new
            for i in range(len(self.splits))
        ]
        found = run_tasks(_struck, tasks, n_jobs=self.n_jobs)
        for k, columns in enumerate(new):
            own = found[k * len(self.splits) : (k + 1) * len(self.splits)]
            errors = [error for _, _, error in own if error]
            if errors:
                self._failed[(kind, *columns)] = errors[0]
                continue
            harm = [self.clean[i] - each for i, (each, _, _) in enumerate(own)]
            self._harm[(kind, *columns)] = harm, any(is_random for _, is_random, _ in own)
        self.seconds += time.perf_counter() - started

    def struck(
        self, split: Split, template: FeatureCorruption, columns: tuple[Any, ...]
    ) -> TableLike:
        """The rows of a split, all of them struck in some columns."""
        drawn = reseeded(_ready(template, columns), self._seeds()[0])
        drawn.fit(split.X_train, split.y_train)
        return drawn.corrupt(split.X_test, split.y_test).X

    def _seeds(self) -> list[int]:
        return spawn_seeds(self.seed, N_VALUES, Stream.VALUES)


def _ready(template: FeatureCorruption, columns: tuple[Any, ...]) -> BaseCorruption:
    """The error in every row."""
    ready = reseeded(template, 0)
    ready.set_params(rate=1.0, pattern=None)
    if columns:
        ready.set_params(columns=list(columns))
    return ready


def _struck(
    split: Split, score: RowScore, corruption: BaseCorruption, seeds: Sequence[int]
) -> tuple[np.ndarray, bool, str]:
    """Contributions of struck rows, the mean over draws of values, and why there are none."""
    model = Sheltered(split.model)
    found: list[np.ndarray] = []
    first: list[pd.Series] = []
    for seed in seeds:
        drawn = reseeded(corruption, seed).fit(split.X_train, split.y_train)
        struck = drawn.corrupt(split.X_test, split.y_test).X
        columns = _struck_columns(struck, corruption)
        if not found:
            first = columns
        elif len(found) == 1 and all(a.equals(b) for a, b in zip(first, columns, strict=True)):
            break
        try:
            found.append(np.asarray(score.each(score.ask(model, struck)), dtype=float))
        except Exception as error:
            return np.empty(0), False, error_in_words(error)
    return np.mean(found, axis=0), len(found) > 1, ""


def _struck_columns(X: TableLike, corruption: BaseCorruption) -> list[pd.Series]:
    """The columns that an error hits."""
    table = as_table(X)
    hit = resolve_columns(table, getattr(corruption, "columns", None) or [])
    return [pd.Series(table.values(j)) for j in hit]
