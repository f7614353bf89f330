"""What an error does to every row that a fitted model is served."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import BaseCorruption, FeatureCorruption
from skcorrupt.evaluation import Split, error_in_words, reseeded, run_tasks, take_rows
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
    tick : callable
        Called after every prediction, to end a search whose time is over.
    """

    def __init__(
        self,
        splits: Sequence[Split],
        scorer: Callable[..., Any],
        seed: int,
        n_jobs: int | None,
        *,
        first_order: bool = False,
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        self.splits, self.seed, self.n_jobs = splits, seed, n_jobs
        self.seconds = 0.0
        self.tick = tick
        self.n_compared = 0
        self._harm: dict[tuple[Any, ...], tuple[list[np.ndarray], bool]] = {}
        self._failed: dict[tuple[Any, ...], str] = {}
        # columns in which errors change what is predicted for other rows
        self._spreading: set[tuple[Any, ...]] = set()
        contributions = surrogate_of if first_order else row_score_of
        found = [
            contributions(scorer, Sheltered(s.model), s.X_test, s.y_test, s.score_params)
            for s in splits
        ]
        self.scores: list[RowScore] = [each for each in found if each is not None]
        self.additive = len(self.scores) == len(splits)
        started = time.perf_counter()
        self.answers: list[Any] = []
        if self.additive:
            self.answers = [
                score.ask(Sheltered(split.model), duplicate(split.X_test))
                for score, split in zip(self.scores, splits, strict=True)
            ]
        pairs = zip(self.scores, self.answers, strict=False)
        self.clean = [np.asarray(score.each(each), dtype=float) for score, each in pairs]
        self.seconds += time.perf_counter() - started
        self.alone = self.additive and self._independent()

    def _independent(self) -> bool:
        """Whether a row is predicted alike whatever rows are predicted with it."""
        rng = np.random.default_rng(self.seed)
        for i, split in enumerate(self.splits):
            table = as_table(split.X_test)
            # some have to stay away
            n_some = min(COMPARED, max(1, table.n_rows // 2))
            some = rng.permutation(table.n_rows)[:n_some]
            few = self.scores[i].ask(Sheltered(split.model), table.take(some))
            whole = self.answers[i]
            self.n_compared += len(some)
            if not _alike(np.asarray(few), np.asarray(whole)[some]):
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

    def known(self, kind: str, template: FeatureCorruption, columns: tuple[Any, ...]) -> bool:
        """Whether an error acts on every row by itself, and the rows with it are predicted."""
        self.prepare(kind, template, [columns])
        return (kind, *columns) in self._harm and (kind, *columns) not in self._spreading

    def prepare(
        self, kind: str, template: FeatureCorruption, groups: Sequence[tuple[Any, ...]]
    ) -> None:
        """Predict the rows with errors in groups of columns, those that are not known yet."""
        known = self._harm.keys() | self._failed.keys() | self._spreading
        new = [columns for columns in groups if (kind, *columns) not in known]
        if not new:
            return
        started = time.perf_counter()
        ready = {columns: _ready(template, columns) for columns in new}
        tasks = [
            (self.splits[i], self.scores[i], self.answers[i], ready[columns], self._seeds())
            for columns in new
            for i in range(len(self.splits))
        ]
        found = run_tasks(_struck, tasks, n_jobs=self.n_jobs, done=lambda _: self.tick())
        for k, columns in enumerate(new):
            own = found[k * len(self.splits) : (k + 1) * len(self.splits)]
            errors = [each.error for each in own if each.error]
            if errors:
                self._failed[(kind, *columns)] = errors[0]
                continue
            if any(each.spreads for each in own):
                self._spreading.add((kind, *columns))
                continue
            harm = [clean - each.each for clean, each in zip(self.clean, own, strict=True)]
            self._harm[(kind, *columns)] = harm, any(each.is_random for each in own)
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


def suits_rows(template: BaseCorruption) -> bool:
    """Whether matched rows are struck alike, all columns of a group together."""
    return (
        isinstance(template, FeatureCorruption)
        and template.mechanism is None
        and template.sampling == "uniform"
        and template.same_rows
    )


def _ready(template: FeatureCorruption, columns: tuple[Any, ...]) -> BaseCorruption:
    """The error in every row."""
    ready = reseeded(template, 0)
    ready.set_params(rate=1.0, pattern=None)
    if columns:
        ready.set_params(columns=list(columns))
    return ready


@dataclass(frozen=True, eq=False)
class _Struck:
    """Contributions of struck rows: by row, whether other draws are others, and what went wrong."""

    each: np.ndarray
    is_random: bool = False
    spreads: bool = False
    error: str = ""


def _struck(
    split: Split,
    score: RowScore,
    clean: Any,
    corruption: BaseCorruption,
    seeds: Sequence[int],
) -> _Struck:
    """Contributions of struck rows, the mean over draws of their values."""
    model = Sheltered(split.model)
    found: list[np.ndarray] = []
    first: list[pd.Series] = []
    answers: Any = None
    for seed in seeds if corruption._draws_values is not False else seeds[:1]:
        drawn = reseeded(corruption, seed).fit(split.X_train, split.y_train)
        with warnings.catch_warnings():
            # candidates of columns in which nothing can change are refused for it
            warnings.simplefilter("ignore", UserWarning)
            struck = drawn.corrupt(split.X_test, split.y_test).X
        if not corruption._draws_values:
            columns = _struck_columns(struck, corruption)
            if not found:
                first = columns
            elif len(found) == 1 and all(a.equals(b) for a, b in zip(first, columns, strict=True)):
                break
        try:
            answers = score.ask(model, struck)
        except Exception as error:
            # all rows struck at once may be what no model takes
            partly = _partly(split, score, corruption, None, None)
            said = error_in_words(error) if partly else ""
            return _Struck(np.empty(0), spreads=not partly, error=said)
        found.append(np.asarray(score.each(answers), dtype=float))
    is_random = len(found) > 1
    said = _partly(split, score, corruption, clean, None if is_random else answers)
    return _Struck(np.mean(found, axis=0), is_random, spreads=bool(said))


def _partly(
    split: Split, score: RowScore, corruption: BaseCorruption, clean: Any, struck: Any
) -> str:
    """What is wrong where some rows are struck and others, in the same company, are not, or ""."""
    table = as_table(split.X_test)
    rows = np.linspace(0, table.n_rows - 1, min(COMPARED, table.n_rows)).astype(int)
    drawn = reseeded(corruption, 0).set_params(rate=0.5).fit(split.X_train, split.y_train)
    y = None if split.y_test is None else take_rows(split.y_test, rows)
    with warnings.catch_warnings():
        # of a few rows it may happen that none can be struck
        warnings.simplefilter("ignore", UserWarning)
        few, _, record = drawn.corrupt(table.take(rows), y)
    try:
        answers = np.asarray(score.ask(Sheltered(split.model), few))
    except Exception as error:
        return error_in_words(error)
    hit = np.asarray(record.X_mask.sum(axis=1)).ravel() > 0
    for known, some in ((clean, ~hit), (struck, hit)):
        if known is not None and not _alike(answers[some], np.asarray(known)[rows][some]):
            return "rows are predicted by their company"
    return ""


def _alike(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether answers are the same, but for rounding."""
    if one.dtype.kind == "f" and other.dtype.kind == "f":
        return bool(np.allclose(one, other, rtol=SAME, atol=SAME, equal_nan=True))
    return bool(np.array_equal(one, other))


def _struck_columns(X: TableLike, corruption: BaseCorruption) -> list[pd.Series]:
    """The columns that an error hits."""
    table = as_table(X)
    hit = resolve_columns(table, getattr(corruption, "columns", None) or [])
    return [pd.Series(table.values(j)) for j in hit]
